//! csipgs in the browser: whole games without typing, with and without scripts and by keyboard alone, and the stable layout of the designer.

use super::{
    Browser, Site, begin,
    driver::{Screen, screen},
    often::{is_whole, often},
};
use serde_json::{Value, json};

const TAB: char = '\u{e004}';
const ENTER: char = '\u{e007}';
const LEFT: char = '\u{e012}';
const UP: char = '\u{e013}';
const RIGHT: char = '\u{e014}';
const DOWN: char = '\u{e015}';

/// How the test plays.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Way {
    Pressing,
    Forms,
    Keys,
}

/// Options of the games that are played to the end.
fn games() -> [(&'static str, Value); 2] {
    [("super power", json!({"income_tenths": 100, "buy_in_design": true})), ("army", json!({"army": "secret"}))]
}

/// Opens a csipgs game against a bot, with the viewer as White.
async fn sit(browser: &Browser, site: &str, options: &Value) {
    let game = json!({"variant": "csipgs", "options": options, "opponent": "bot:casual"});
    let begun = begin(site, game).await;
    browser.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    browser.open(begun["url"].as_str().unwrap()).await;
}

/// State of a page: the step, the pending phase, and whether the game is over.
async fn stands(browser: &Browser) -> (u64, String, bool) {
    let state = "const {ply, phase, over} = document.getElementById('game').dataset;
                 const asked = /^Your turn/.test(document.querySelector('#game h1').innerText);
                 return [+ply, asked ? phase : '', !!over]";
    let state = browser.ask(state).await;
    (state[0].as_u64().unwrap(), state[1].as_str().unwrap().to_owned(), state[2].as_bool().unwrap())
}

/// Marks the enabled button with this label, and returns a selector for it.
async fn button(browser: &Browser, words: &str) -> Option<String> {
    let mark = format!(
        "document.querySelector('[data-wanted]')?.removeAttribute('data-wanted');
         const found = [...document.querySelectorAll('#game button:enabled:not([aria-disabled=true])')].find((one) => /{words}/.test(one.innerText));
         found?.setAttribute('data-wanted', '');
         return !!found"
    );
    (browser.ask(&mark).await == true).then(|| "[data-wanted]".to_owned())
}

/// Presses Tab until the button with this label has the focus, and activates it.
async fn strike(browser: &Browser, words: &str) {
    for _ in 0..400 {
        // An update may have replaced the page in the meantime.
        if button(browser, words).await.is_some()
            && browser.ask("return document.activeElement.matches('[data-wanted]')").await == true
        {
            return browser.keys([ENTER]).await;
        }
        browser.keys([TAB]).await;
    }
    panic!("{words} cannot be reached");
}

/// Moves the focus over the board to a square and activates it.
async fn walk(browser: &Browser, to: &str) {
    for _ in 0..400 {
        if browser.ask("return !!document.activeElement.closest('td[data-square]')").await == true {
            break;
        }
        browser.keys([TAB]).await;
    }
    let here = browser.ask("return document.activeElement.closest('td').dataset.square").await;
    let place = |square: &str| [square.as_bytes()[0], square.as_bytes()[1]].map(i32::from);
    let (here, there) = (place(here.as_str().unwrap()), place(to));
    for (way, back, by) in [(RIGHT, LEFT, there[0] - here[0]), (UP, DOWN, there[1] - here[1])] {
        browser.keys(std::iter::repeat_n(if by > 0 { way } else { back }, by.unsigned_abs() as usize)).await;
    }
    browser.keys([ENTER]).await;
}

impl Way {
    /// Activates the button with this label, once it is enabled.
    async fn press(self, browser: &Browser, words: &str) {
        let there = "[...document.querySelectorAll('#game button:enabled')]";
        browser.until(&format!("{there}.some((one) => /{words}/.test(one.innerText))")).await;
        let wanted = button(browser, words).await.unwrap_or_else(|| panic!("no {words}"));
        match self {
            Way::Pressing | Way::Forms => browser.press(&wanted, "#game").await,
            Way::Keys => strike(browser, words).await,
        }
    }

    /// Makes a move with any movable piece.
    async fn go(self, browser: &Browser) {
        let squares =
            |which: &str| format!("return [...document.querySelectorAll('{which}')].map((td) => td.dataset.square)");
        match self {
            Way::Pressing | Way::Keys => {
                let units = browser.ask(&squares("#game td.movable")).await;
                let from = units[0].as_str().unwrap().to_owned();
                match self {
                    Way::Keys => walk(browser, &from).await,
                    Way::Pressing | Way::Forms => browser.tap(&from).await,
                }
                browser.until("document.querySelector('#game td.target, #game td.capture')").await;
                let to = browser.ask(&squares("#game td.capture, #game td.target")).await;
                match self {
                    Way::Keys => walk(browser, to[0].as_str().unwrap()).await,
                    Way::Pressing | Way::Forms => browser.tap(to[0].as_str().unwrap()).await,
                }
            }
            Way::Forms => {
                let units = browser.ask(&squares("td:has(> button[name=from])")).await;
                for from in units.as_array().unwrap() {
                    let from = from.as_str().unwrap();
                    browser.press(&format!("td[data-square={from}] button"), "td.selected button").await;
                    if browser.ask("return !!document.querySelector('td.target button, td.capture button')").await
                        == true
                    {
                        return browser.press("td:is(.capture, .target) button", "#game").await;
                    }
                }
            }
        }
    }

    /// Acts once, and returns the condition that the page fulfils afterwards.
    async fn act(self, browser: &Browser, phase: &str, ply: u64, acts: usize) -> String {
        let sealed = "^Seal army";
        if phase == "army" && button(browser, sealed).await.is_none() {
            self.press(browser, "Chess pieces").await;
            return format!(
                "[...document.querySelectorAll('#game button:enabled:not([aria-disabled=true])')].some((one) => /{sealed}/.test(one.innerText))"
            );
        }
        match phase {
            "army" => self.press(browser, sealed).await,
            "design" if button(browser, "^Buy queen").await.is_some() && acts < 6 => {
                self.press(browser, "^Buy queen").await
            }
            "design" => self.press(browser, "^Keep my designs").await,
            _ => self.go(browser).await,
        }
        format!("document.getElementById('game').dataset.ply !== '{ply}'")
    }

    /// Plays a game to its end.
    async fn play(self, screen: &Screen, size: (u32, u32), (name, options): (&str, Value)) {
        let site = Site::new();
        let browser = match self {
            Way::Forms => Browser::without_scripts(screen).await,
            Way::Pressing | Way::Keys => Browser::new(screen).await,
        };
        browser.size(size.0, size.1).await;
        sit(&browser, &site, &options).await;
        for acts in 0.. {
            assert!(acts < 300, "{name} does not end");
            if self != Way::Forms {
                browser
                    .until("document.querySelector('.board[role=grid]') && document.getAnimations().length === 0")
                    .await;
            }
            let (ply, phase, over) = stands(&browser).await;
            if over {
                break;
            }
            if phase.is_empty() {
                if self == Way::Forms {
                    browser.ask("location.reload()").await;
                }
                tokio::time::sleep(std::time::Duration::from_millis(60)).await;
                continue;
            }
            let done = self.act(&browser, &phase, ply, acts).await;
            browser.until(&done).await;
        }
    }
}

pub(super) const PHONE: (u32, u32) = (390, 844);
pub(super) const DESK: (u32, u32) = (1280, 800);

#[tokio::test]
async fn whole_games_are_played_by_clicks_alone() {
    let Some(screen) = screen().await else { return };
    let [power, army] = games();
    Way::Pressing.play(&screen, PHONE, power.clone()).await;
    Way::Pressing.play(&screen, DESK, army.clone()).await;
    if is_whole() {
        Way::Pressing.play(&screen, DESK, power).await;
        Way::Pressing.play(&screen, PHONE, army).await;
    }
}

#[tokio::test]
async fn whole_games_are_played_by_clicks_without_scripts() {
    let Some(screen) = screen().await else { return };
    for game in games().into_iter().take(often(2)) {
        Way::Forms.play(&screen, PHONE, game).await;
    }
}

#[tokio::test]
async fn whole_games_are_played_by_keyboard_alone() {
    let Some(screen) = screen().await else { return };
    for game in games().into_iter().take(often(2)) {
        Way::Keys.play(&screen, DESK, game).await;
    }
}

/// Distance of the designer's map from the top of the window, in pixels.
async fn map(browser: &Browser) -> f64 {
    browser.ask("return document.querySelector('.map').getBoundingClientRect().top").await.as_f64().unwrap()
}

/// Limits clicks on the designer's map to the clicked square.
async fn only_one_square(browser: &Browser) {
    browser.ask("document.querySelector('[name=mirror][value=one]').click()").await;
}

/// Clicks a square of the designer's map, and waits for the expected piece.
async fn map_press(browser: &Browser, place: &str, piece: &str) {
    browser.ask(&format!("document.querySelector('.map button[value=\"{place}\"]').click()")).await;
    browser.until(&format!("document.getElementById('piece').value === '{piece}'")).await;
}

#[tokio::test]
async fn designer_keeps_its_place_and_shows_errors_in_place() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (width, height) in [PHONE, DESK] {
        browser.size(width, height).await;
        browser.open(&format!("{}/betza", &*site)).await;
        only_one_square(&browser).await;
        for (place, piece) in [("0,1", "fW"), ("1,2", "fWrfN"), ("0,1", "rfN")] {
            let before = map(&browser).await;
            map_press(&browser, place, piece).await;
            assert!((map(&browser).await - before).abs() < 1.0, "{width} {place}");
        }
        // An incomplete square, and a ride without squares.
        browser.ask("const from = document.getElementById('from'); from.value = 'd'; from.dispatchEvent(new InputEvent('input', {bubbles: true}))").await;
        browser.until("document.getElementById('wrong')").await;
        assert_eq!(
            browser.ask("return [location.pathname, document.getElementById('from').value]").await,
            json!(["/betza", "d"])
        );
        browser.ask("const from = document.getElementById('from'); from.value = 'd5'; from.dispatchEvent(new InputEvent('input', {bubbles: true}))").await;
        browser.until("!document.getElementById('wrong')").await;
        browser.ask("document.querySelector('[name=by][value=ride]').click(); document.querySelector('.map button[value=\"1,3\"]').click()").await;
        browser.until("/No ride goes there/.test(document.getElementById('wrong')?.innerText)").await;
        // In a game: designs a piece, replaces another design, buys it and places it.
        sit(&browser, &site, &json!({"white_tenths": 300})).await;
        browser.until("document.querySelector('.board[role=grid]')").await;
        Way::Pressing.press(&browser, "^Design…").await;
        browser.until("/After your action/.test(document.querySelector('.ask').innerText)").await;
        Way::Pressing.go(&browser).await;
        browser.until("document.querySelector('.map')").await;
        only_one_square(&browser).await;
        for (place, piece) in [("0,1", "fW"), ("1,2", "fWrfN")] {
            browser.ask("document.querySelector('.map').scrollIntoView({block: 'center', behavior: 'instant'})").await;
            let before = map(&browser).await;
            map_press(&browser, place, piece).await;
            assert!((map(&browser).await - before).abs() < 1.0, "{width} {place} in a game");
        }
        let shown = browser.ask("return document.querySelector('.sketch .told').innerText").await;
        assert!(shown.as_str().unwrap().contains("You can afford it now"), "{shown}");
        Way::Pressing.press(&browser, "^Replace design").await;
        browser.until("document.querySelector('#game[data-phase=action] td.movable')").await;
        Way::Pressing.press(&browser, "Buy fWrfN").await;
        browser.until("document.querySelector('#game[data-phase=action] #board .actions button[name=from]')").await;
        browser.ask("document.querySelector('#board button[name=from][value^=transfer]').click()").await;
        browser.until("document.querySelector('td.target')").await;
        let to = browser.ask("return document.querySelector('td.target').dataset.square").await;
        browser.tap(to.as_str().unwrap()).await;
        // The design phase is skipped, because the wish to design was for one turn.
        browser
            .until(&format!("document.querySelector('td[data-square={}][data-color=white]')", to.as_str().unwrap()))
            .await;
        browser.until("document.querySelector('#game[data-phase=action] td.movable, #game[data-over]')").await;
        browser.forget().await;
    }
}

#[tokio::test]
async fn king_with_half_a_knight_takes_at_most_six_presses() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let holds = |piece: &str| format!("document.getElementById('piece').value === '{piece}'");
    for (width, height) in [PHONE, DESK] {
        browser.size(width, height).await;
        browser.open(&format!("{}/betza", &*site)).await;
        let mut presses = 0;
        for (selector, then, piece) in [
            (".map [value='0,1']", "#piece", "W"),
            (".map [value='1,1']", "#piece", "WF"),
            ("[name=mirror][value=sides]", "[name=mirror]:checked", "WF"),
            (".map [value='1,2']", "#piece", "WFffN"),
            (".map [value='2,1']", "#piece", "WFfhN"),
        ] {
            browser.press(selector, then).await;
            presses += 1;
            assert_eq!(browser.ask(&format!("return {}", holds(piece))).await, true, "{width} {selector}");
        }
        assert!(presses <= 6, "{presses}");
        assert_eq!(browser.ask("return scrollY").await, 0, "{width}: without scrolling");
        // One step back, in place, and a piece from the list.
        let centre = "document.getElementById('undo').scrollIntoView({block: 'center', behavior: 'instant'})";
        browser.ask(centre).await;
        let before = map(&browser).await;
        browser.press("#undo", "#piece").await;
        assert_eq!(browser.ask(&format!("return {}", holds("WFffN"))).await, true);
        assert!((map(&browser).await - before).abs() < 1.0, "{width}");
        assert_eq!(browser.ask("return document.getElementById('undo').disabled").await, true);
        let choose = "const list = document.getElementById('known'); list.value = 'NN'; list.dispatchEvent(new InputEvent('input', {bubbles: true}))";
        browser.ask(choose).await;
        browser.until(&holds("NN")).await;
        assert_eq!(browser.ask("return document.documentElement.scrollWidth").await, width);
    }
}

#[tokio::test]
async fn capture_only_is_chosen_once_for_all_squares() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (width, height) in [PHONE, DESK] {
        browser.size(width, height).await;
        browser.open(&format!("{}/betza", &*site)).await;
        let top = browser
            .ask(
                "return [...document.querySelectorAll('.modes .tool')].map((mode) => mode.getBoundingClientRect().top)",
            )
            .await;
        assert!(top.as_array().unwrap().iter().all(|one| *one == top[0]), "{width}: one row, {top}");
        for (selector, then, piece) in [
            ("[name=mode][value=captures]", "[name=mode]:checked", ""),
            (".map [value='1,1']", "[name=mode][value=captures]:checked", "cF"),
            (".map [value='1,2']", "#piece", "cFcN"),
            ("[name=mode][value=moves]", "[name=mode]:checked", "cFcN"),
            (".map [value='1,2']", "#piece", "cFmN"),
            (".map [value='1,2']", "#piece", "cF"),
        ] {
            let before = map(&browser).await;
            browser.press(selector, then).await;
            browser.until(&format!("document.getElementById('piece').value === '{piece}'")).await;
            assert!((map(&browser).await - before).abs() < 1.0, "{width} {selector}");
        }
        assert_eq!(browser.ask("return scrollY").await, 0, "{width}: without scrolling");
    }
}

#[tokio::test]
async fn pieces_and_prices_are_visible_off_the_board() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    browser.size(1280, 800).await;
    sit(&browser, &site, &json!({})).await;
    browser.wish("prefers-color-scheme", "dark").await;
    let filters =
        "['.designs .piece', '.board .piece'].map((one) => getComputedStyle(document.querySelector(one)).filter)";
    let filters = browser.ask(&format!("return {filters}")).await;
    assert!(filters[0].as_str().unwrap().contains("drop-shadow"), "{filters}");
    assert_eq!(filters[1], "none");
    // The map of a new piece shows where the piece is, and the table of its price fits.
    browser.open(&format!("{}/betza", &*site)).await;
    browser.until("document.querySelector('.map td > svg.piece')").await;
    browser.open(&format!("{}/betza?piece=FD", &*site)).await;
    let wide = "[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth).length";
    assert_eq!(browser.ask(&format!("return {wide}")).await, 0);
}

#[tokio::test]
async fn army_is_placed_by_clicks_and_drags() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    sit(&browser, &site, &json!({"army": "secret"})).await;
    browser.until("document.querySelector('.board[role=grid]')").await;
    let spent = |sum: &str| format!("/Spent {sum} of/.test(document.querySelector('#game .worth')?.innerText)");
    browser.ask("document.querySelector('#board button[value=R]').click()").await;
    browser.tap("a1").await;
    browser.until(&spent("5")).await;
    browser.drag_from("#board button[value=N]", "b1").await;
    browser.until(&spent("8")).await;
    // A rook is not allowed on the second rank, so it can only swap places on the first.
    browser.ask("document.querySelector('td[data-square=a1] button').click()").await;
    browser.until("document.querySelector('td[data-square=b1].capture') && !document.querySelector('td[data-square=a2].target')").await;
    browser.tap("b1").await;
    browser.until("document.querySelector('td[data-square=a1][data-piece=knight]')").await;
    // A second click removes the piece.
    browser.tap("b1").await;
    browser.tap("b1").await;
    browser.until(&spent("3")).await;
    only_one_square(&browser).await;
    map_press(&browser, "0,2", "fD").await;
    Way::Pressing.press(&browser, "^Add piece").await;
    browser.until("document.querySelector('#board button[value=fD]')").await;
    browser.drag_from("#board button[value=fD]", "c2").await;
    browser.until("document.querySelector('td[data-square=c2][data-color=white]')").await;
    browser.ask("location.reload()").await;
    browser.until("document.querySelector('td[data-square=c2][data-color=white]')").await;
    assert!(button(&browser, "^Seal army").await.is_none(), "an army of two pieces cannot be sealed");
    Way::Pressing.press(&browser, "^Colorbound Clobberers").await;
    browser.until(&spent("49.68")).await;
    Way::Pressing.press(&browser, "^Seal army").await;
    browser.until("document.querySelector('#game[data-phase=action] td.movable')").await;
}

#[tokio::test]
async fn click_on_any_piece_explains_it() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (variant, square, does) in
        [("chess", "b8", "a6 c6"), ("king-of-the-hill", "b8", "a6 c6"), ("csipgs", "e8", "d7 d8 e7 f7 f8")]
    {
        let begun = begin(&site, json!({"variant": variant, "opponent": "self"})).await;
        browser.open(begun["seats"][0]["url"].as_str().unwrap()).await;
        browser.open(begun["url"].as_str().unwrap()).await;
        browser.until("document.querySelector('.board[role=grid]')").await;
        browser.tap(square).await;
        browser.until("document.getElementById('asked')").await;
        let marked = browser.ask("return [...document.querySelectorAll('#game td.does')].map((td) => td.dataset.square).sort().join(' ')").await;
        assert_eq!(marked, does, "{variant}");
        let said = browser.ask("return document.getElementById('asked').innerText").await;
        assert!(said.as_str().unwrap().trim().starts_with("black k"), "{said}");
        browser.tap("e4").await;
        browser.until("!document.getElementById('asked') && !document.querySelector('#game td.does')").await;
    }
}

/// Touches on one page, which never scrolls.
pub(super) struct Touches<'b> {
    browser: &'b Browser,
    pub(super) count: usize,
}

impl<'b> Touches<'b> {
    pub(super) fn of(browser: &'b Browser) -> Touches<'b> {
        Touches { browser, count: 0 }
    }

    /// Waits for an element, which must be in the window, and touches it.
    pub(super) async fn touch(&mut self, selector: &str) {
        self.browser.until(&format!("document.querySelector(`{selector}`)")).await;
        let tray = "return [scrollY, document.querySelector('[data-pocket=near]')?.scrollLeft ?? 0]";
        assert_eq!(self.browser.ask(tray).await, json!([0, 0]), "before {selector}");
        assert!(self.browser.touch(selector).await, "{selector} is out of view");
        self.count += 1;
    }
}

#[tokio::test]
async fn pawn_is_bought_and_placed_in_three_presses_without_scrolling() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (width, height) in [PHONE, DESK] {
        browser.size(width, height).await;
        sit(&browser, &site, &json!({"white_tenths": 20})).await;
        browser.until("document.querySelector('.board[role=grid]')").await;
        let dear = "return document.querySelector('[data-pocket=near] .dear .price')?.innerText";
        assert_eq!(browser.ask(dear).await, "9", "a queen is too expensive, and no button");
        let covered = "return [...document.querySelectorAll('[data-pocket=near] .price')].filter((price) => price.getBoundingClientRect().top < price.parentElement.querySelector('svg').getBoundingClientRect().bottom || price.getBoundingClientRect().bottom > price.parentElement.getBoundingClientRect().bottom).length";
        assert_eq!(browser.ask(covered).await, 0, "{width}: prices are below the pieces");
        let mut touches = Touches::of(&browser);
        touches.touch("#board button[value='buy cfFmfW']").await;
        touches.touch("#game[data-phase=action] #board button[value='transfer cfFmfW']").await;
        touches.touch("#game td.target[data-square=f2], #game td.target[data-square=f1]").await;
        browser.until("document.querySelector('td[data-color=white][data-piece=pawn]')").await;
        // The bot has answered, and no press went to the designs.
        browser.until("document.querySelector('#game[data-phase=action] td.movable, #game[data-over]')").await;
        assert_eq!(touches.count, 3);
        let seen = "return ['.acts', '.moves', '.ask'].map((row) => document.querySelector(`.round ${row}`).getBoundingClientRect().bottom <= innerHeight)";
        assert_eq!(browser.ask(seen).await, json!([true, true, true]), "{width}");
        let page = browser.ask("return document.documentElement.scrollHeight").await;
        assert!(width < 600 || page.as_u64().unwrap() < 1600, "the page is {page} pixels high");
        browser.forget().await;
    }
}

#[tokio::test]
async fn tray_buttons_keep_their_places_while_pieces_are_bought_and_placed() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let lefts = "const left = (one) => one.getBoundingClientRect().left;
        const held = [...document.querySelectorAll('[data-held]')].filter((one) => one.dataset.held);
        return [[...document.querySelectorAll('.shop > *')].map(left), Object.fromEntries(held.map((one) => [one.dataset.held, left(one)]))]";
    let held = |piece: &str| format!("#game[data-phase=action] button[data-held='{piece}']");
    let is_held = |piece: &str| format!("document.querySelector(`{}`)", held(piece));
    for (width, height) in [PHONE, DESK] {
        browser.size(width, height).await;
        // Black can buy nothing, so no check forbids a purchase.
        sit(&browser, &site, &json!({"white_tenths": 300, "income_tenths": 0})).await;
        browser.until("document.querySelector('.board[role=grid]')").await;
        let before = browser.ask(lefts).await;
        assert_eq!((before[0].as_array().unwrap().len(), &before[1]), (6, &json!({})));
        let mut touches = Touches::of(&browser);
        touches.touch("#board button[value='buy R']").await;
        browser.until(&is_held("R")).await;
        let one = browser.ask(lefts).await;
        assert_eq!(one[0], before[0], "{width}");
        touches.touch("#board button[value='buy N']").await;
        browser.until(&is_held("N")).await;
        let two = browser.ask(lefts).await;
        assert_eq!((&two[0], &two[1]["R"]), (&before[0], &one[1]["R"]), "{width}");
        // A second rook changes its number only.
        touches.touch("#board button[value='buy R']").await;
        browser.until(&format!("/×2/.test({}?.innerText)", is_held("R"))).await;
        assert_eq!(browser.ask(lefts).await, two, "{width}");
        for rooks in 1..=2 {
            touches.touch(&held("R")).await;
            touches.touch("#game td.target").await;
            let left =
                "((one) => one ? (/×2/.test(one.innerText) ? 2 : 1) : 0)(document.querySelector('[data-held=R]'))";
            browser.until(&format!("{left} === {} && {}", 2 - rooks, is_held("N"))).await;
            let after = browser.ask(lefts).await;
            assert_eq!((&after[0], &after[1]["N"]), (&before[0], &two[1]["N"]), "{width}: {rooks}");
        }
        // The next purchase takes the place of the rooks.
        touches.touch("#board button[value='buy cfFmfW']").await;
        browser.until(&is_held("cfFmfW")).await;
        let last = browser.ask(lefts).await;
        assert_eq!(last, json!([before[0], {"cfFmfW": one[1]["R"], "N": two[1]["N"]}]), "{width}");
        browser.forget().await;
    }
}

#[tokio::test]
async fn army_is_placed_with_few_presses() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let there =
        |square: &str, piece: &str| format!("document.querySelector('td[data-square={square}][data-piece={piece}]')");
    for (width, height) in [PHONE, DESK] {
        browser.size(width, height).await;
        sit(&browser, &site, &json!({"army": "secret"})).await;
        browser.until("document.querySelector('.board[role=grid]')").await;
        let mut touches = Touches::of(&browser);
        let pieces = "return document.querySelector('[data-pocket=near] button').getBoundingClientRect().left";
        let place = browser.ask(pieces).await;
        // A piece stays in hand, and refused squares say why.
        touches.touch("#board button[value=R]").await;
        touches.touch("td[data-square=a2]").await;
        browser.until("/rook costs 5, but a piece on the second rank/.test(document.querySelector('.say > .error')?.innerText)").await;
        touches.touch("td[data-square=e4]").await;
        browser.until("/choose a marked square/.test(document.querySelector('.say > .error')?.innerText)").await;
        for square in ["a1", "c1"] {
            touches.touch(&format!("td[data-square={square}]")).await;
            browser.until(&there(square, "rook")).await;
        }
        assert_eq!(touches.count, 5);
        browser.until("!document.querySelector('.say > .error')").await;
        // The budget is in the row of the pieces.
        browser.until("/^42\\s*left/.test(document.querySelector('[data-pocket=near]').innerText.trim())").await;
        // The line of the hint and the button that seals the army are in view.
        let fits = "return ['.say .line', '.ask .primary'].every((part) => { const [box, row] = [document.querySelector(part), document.querySelector(part).closest('.say, .ask')].map((one) => one.getBoundingClientRect()); return document.querySelector(part).scrollHeight <= Math.ceil(row.height) && box.bottom <= row.bottom; })";
        assert_eq!(browser.ask(fits).await, true, "{width}");
        // A rank of pawns: the piece and one stroke, from either end.
        touches.touch("#board button[value=cfFmfW]").await;
        let (from, to) = if width < 600 { ("a2", "h2") } else { ("h2", "a2") };
        browser.swipe(from, to).await;
        browser.until("document.querySelectorAll('td[data-square$=\"2\"][data-piece=pawn]').length === 8").await;
        assert_eq!(touches.count, 6, "a press and a stroke for eight pawns");
        assert_eq!(browser.ask(pieces).await, place, "a budget with decimals moves nothing");
        touches.touch("#board button[value=cfFmfW][aria-pressed=true]").await;
        // The fuller wing is mirrored.
        Way::Pressing.press(&browser, "^Mirror").await;
        for square in ["f1", "h1"] {
            browser.until(&there(square, "rook")).await;
        }
        // One press takes that back, and pieces that cost too much move nothing.
        Way::Pressing.press(&browser, "^Undo").await;
        browser.until("!document.querySelector('td[data-square=h1][data-piece=rook]')").await;
        let seal = "return document.querySelector('.ask .primary').getBoundingClientRect().top";
        let place = browser.ask(seal).await;
        touches.touch("#board button[value=BR]").await;
        browser.swipe("a1", "h1").await;
        browser.until("/over/.test(document.querySelector('[data-pocket=near]').innerText)").await;
        assert_eq!(browser.ask(seal).await, place, "{width}");
        // The button says why it seals nothing, and a hint fits its line.
        browser.ask("document.querySelector('.ask .primary').click()").await;
        browser.until("/must cost less/.test(document.querySelector('.say > .error')?.innerText)").await;
        browser.ask("document.querySelector('[data-advise]').click()").await;
        let fits = "(() => { const [button, row] = ['#hint button', '.say'].map((part) => document.querySelector(part)?.getBoundingClientRect()); return button && button.height <= row.height && button.bottom <= row.bottom + 1; })()";
        browser.until(fits).await;
        browser.ask("document.querySelector('#hint button').click()").await;
        browser.until("!document.querySelector('.ask .primary[aria-disabled=true]')").await;
        browser.forget().await;
    }
}

#[tokio::test]
async fn invention_takes_four_presses_without_scrolling() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (width, height) in [PHONE, DESK] {
        browser.size(width, height).await;
        sit(&browser, &site, &json!({"inventions": true})).await;
        browser.until("document.querySelector('.board[role=grid]')").await;
        Way::Pressing.go(&browser).await;
        let mut touches = Touches::of(&browser);
        touches.touch("#game[data-phase=design] button[popovertarget=invent]").await;
        let seen = "return [...document.querySelectorAll('#invent label')].filter((one) => one.getBoundingClientRect().bottom <= innerHeight).length";
        assert_eq!(browser.ask(seen).await, 15, "{width}");
        touches.touch("#invent label:has([value^='Zebra '])").await;
        touches.touch("#invent .primary").await;
        touches.touch("#game[data-phase=estimate] .ask .primary").await;
        browser.until("/Zebra/.test(document.querySelector('#game section dl')?.innerText)").await;
        assert_eq!(touches.count, 4);
        browser.forget().await;
    }
}

#[tokio::test]
async fn designed_piece_shows_its_map_under_the_pointer_and_the_focus() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = begin(&site, json!({"variant": "designed-chess", "opponent": "self"})).await;
    browser.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    browser.open(begun["url"].as_str().unwrap()).await;
    browser.until("document.querySelector('.board[role=grid]')").await;
    let shown = "[...document.querySelectorAll('td[data-square=b1] .silhouette > *')].map((part) => getComputedStyle(part).visibility).join()";
    assert_eq!(browser.ask(&format!("return {shown}")).await, "visible,hidden");
    browser.hover("b1").await;
    browser.until(&format!("{shown} === 'hidden,visible'")).await;
    browser.hover("e4").await;
    browser.until(&format!("{shown} === 'visible,hidden'")).await;
    walk(&browser, "b1").await;
    browser.until(&format!("{shown} === 'hidden,visible'")).await;
}
