//! Play by ear and keyboard, with high contrast, without motion, and on an enlarged page: what the live region says, where the focus is,
//! and how large the squares are.

use super::{
    Browser, Site, begin, both_seats,
    clairvoyant::Played,
    driver::screen,
    games::{ENTER, ESCAPE, TAB},
    kinds::recorded,
};
use serde_json::{Value, json};

const END: char = '\u{e010}';
const UP: char = '\u{e013}';
const DOWN: char = '\u{e015}';

/// Records what is added to the live region from now on.
pub(super) const LISTEN: &str = "window.heard = [];
    new MutationObserver((changes) => {
        const added = changes.flatMap(({addedNodes}) => [...addedNodes]).map((node) => node.textContent.trim());
        if (added.some(Boolean)) heard.push(added.filter(Boolean).join(' '));
    }).observe(document.getElementById('live'), {childList: true})";

async fn listen(browser: &Browser) {
    browser.ask(LISTEN).await;
}

/// Waits until the live region has said a text, and checks that it has said it once since the last call.
async fn hears(browser: &Browser, words: &str) {
    browser.until(&format!("heard.some((said) => said.includes('{words}'))")).await;
    let count = browser.ask(&format!("return heard.splice(0).join().split('{words}').length - 1")).await;
    assert_eq!(count, 1, "{words}");
}

/// Plays an action for a seat of a game that was begun through the API.
pub(super) async fn say(site: &str, begun: &Value, seat: usize, action: &str) {
    let game = format!("{site}/api/games/{}", begun["id"].as_str().unwrap());
    let shown: Value = reqwest::get(&game).await.unwrap().json().await.unwrap();
    let body = json!({"ply": shown["ply"], "action": action});
    let token = begun["seats"][seat]["token"].as_str().unwrap();
    let answer =
        reqwest::Client::new().post(format!("{game}/actions")).bearer_auth(token).json(&body).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{action}");
}

/// Opens one seat of a game whose other seat plays through the API.
async fn sit(browser: &Browser, site: &str, seat: usize, game: Value) -> Value {
    let begun = begin(site, game).await;
    browser.open(begun["seats"][seat]["url"].as_str().unwrap()).await;
    browser.open(begun["url"].as_str().unwrap()).await;
    browser.until("document.querySelector('.board[role=grid]')").await;
    listen(browser).await;
    begun
}

fn chess() -> Value {
    json!({"variant": "chess", "opponent": "self", "clock": {"initial": 600, "increment": 0}})
}

/// Clicks an element of the game as a key does.
async fn press(browser: &Browser, selector: &str) {
    browser.until(&format!("document.querySelector('{selector}')?.checkVisibility()")).await;
    browser.ask(&format!("const button = document.querySelector('{selector}'); button.focus(); button.click()")).await;
}

#[tokio::test]
async fn offers_and_answers_are_spoken_once() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = sit(&browser, &site, 0, chess()).await;
    say(&site, &begun, 0, "e2e4").await;
    hears(&browser, "White: pawn e4").await;
    say(&site, &begun, 1, "draw").await;
    hears(&browser, "Your opponent offers a draw").await;
    say(&site, &begun, 1, "withdraw").await;
    hears(&browser, "Offer withdrawn").await;
    say(&site, &begun, 1, "draw").await;
    hears(&browser, "Your opponent offers a draw").await;
    press(&browser, "button[value=decline]").await;
    browser.until("!document.querySelector('[data-offer]')").await;
    press(&browser, "button[value=takeback]").await;
    hears(&browser, "You have asked to take back a move").await;
    say(&site, &begun, 1, "decline").await;
    hears(&browser, "declined.").await;
    say(&site, &begun, 1, "e7e5").await;
    hears(&browser, "Black: pawn e5. Your turn").await;
    say(&site, &begun, 1, "takeback").await;
    hears(&browser, "Your opponent asks to take back a move").await;
    press(&browser, "[data-offer] .primary").await;
    hears(&browser, "Taken back: 1 move. Last move: White: pawn e4").await;
    assert_eq!(browser.ask("return heard.filter((said) => /draw|takeback/.test(said)).length").await, 0);
}

#[tokio::test]
async fn captures_are_spoken_with_the_captured_piece() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = sit(&browser, &site, 1, chess()).await;
    for (seat, action, words) in [
        (0, "e2e4", "White: pawn e4. Your turn."),
        (1, "d7d5", "Black: pawn d5. White to move."),
        (0, "e4d5", "White: pawn from e takes pawn on d5. Your turn."),
        (1, "d8d5", "Black: queen takes pawn on d5. White to move."),
        (0, "b1c3", "White: knight c3. Your turn."),
        (1, "a7a6", "Black: pawn a6. White to move."),
        (0, "c3d5", "White: knight takes queen on d5. Your turn."),
        (1, "resign", "You lost: resignation."),
    ] {
        say(&site, &begun, seat, action).await;
        hears(&browser, words).await;
    }
}

#[tokio::test]
async fn every_line_of_an_update_is_spoken_in_order() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let options = json!({"scheme": "secret", "white": 100, "black": 100});
    let begun = sit(&browser, &site, 1, json!({"variant": "bidding", "options": options, "opponent": "self"})).await;
    // Updates wait until the dragged piece is released.
    browser.until("document.querySelector('td[data-square=e7].movable')").await;
    browser.lift("e7", "e5").await;
    for (seat, action) in [(0, "bid 30"), (1, "bid 10"), (0, "g1f3")] {
        say(&site, &begun, seat, action).await;
    }
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    browser.keys([ESCAPE]).await;
    hears(&browser, "White: bid 30. Black: bid 10. White pays 30 and moves; White 70, Black 130. White: knight f3. ")
        .await;
    browser.let_go().await;
}

#[tokio::test]
async fn guess_sheet_is_spoken() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let played = Played::begin(&site, json!({})).await;
    played.sit(&browser, &[1]).await;
    browser.until("document.querySelector('td[data-square=e2].movable')").await;
    let square = |name: &str| format!("document.querySelector('td[data-square={name}]').textContent");
    assert_eq!(browser.ask(&format!("return /^e2, white pawn, from [0-9]/.test({})", square("e2"))).await, true);
    listen(&browser).await;
    press(&browser, "td[data-square=e2] button").await;
    hears(&browser, "Press it again for: the pawn on e2 moves: ").await;
    for (name, words) in
        [("e2", "selected, the pawn on e2 moves: "), ("e4", "can be reached, the pawn on e2 moves to e4: ")]
    {
        let said = browser.ask(&format!("return {}", square(name))).await;
        let said = said.as_str().unwrap();
        assert!(said.contains(words) && !said.contains("captured"), "{said}");
    }
    press(&browser, "td[data-square=e4] button").await;
    hears(&browser, "Guess 1: the pawn on e2 moves to e4").await;
    press(&browser, "button[name=without]").await;
    hears(&browser, "Guess 1 is empty").await;
}

#[tokio::test]
async fn resignation_and_the_end_are_spoken() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = sit(&browser, &site, 0, chess()).await;
    say(&site, &begun, 0, "e2e4").await;
    say(&site, &begun, 1, "e7e5").await;
    hears(&browser, "Your turn").await;
    press(&browser, "a[href*=\"end=resign\"]").await;
    hears(&browser, "Resign? You cannot undo this").await;
    assert_eq!(browser.ask("return heard.length").await, 0, "nothing else is said");
    press(&browser, "#resign a").await;
    browser.until("!document.getElementById('resign')").await;
    say(&site, &begun, 1, "resign").await;
    browser.until("document.getElementById('game').dataset.over && heard.length").await;
    let said = browser.ask("return heard.join()").await;
    let said = said.as_str().unwrap();
    assert!(said.contains("won") && said.contains("resignation") && !said.contains("pawn"), "{said}");
}

#[tokio::test]
async fn low_clock_is_spoken_once() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = sit(&browser, &site, 0, chess()).await;
    for (seat, action) in [(0, "e2e4"), (1, "e7e5")] {
        say(&site, &begun, seat, action).await;
    }
    let own = ".clock[data-own]";
    browser.until(&format!("document.querySelector('{own}')")).await;
    for left in [60_000, 20_000, 10_000] {
        browser
            .ask(&format!("heard.length = 0; document.querySelector('{own}').dataset.end = Date.now() + {left}"))
            .await;
        hears(&browser, "seconds left").await;
    }
    browser.ask(&format!("document.querySelector('{own}').dataset.end = Date.now() + 19_000")).await;
    tokio::time::sleep(std::time::Duration::from_millis(400)).await;
    assert_eq!(browser.ask("return heard.length").await, 0);
}

#[tokio::test]
async fn clock_is_spoken_at_the_chosen_times() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = sit(&browser, &site, 0, chess()).await;
    for (seat, action) in [(0, "e2e4"), (1, "e7e5")] {
        say(&site, &begun, seat, action).await;
    }
    let own = "document.querySelector('.clock[data-own]')";
    for (choice, heard) in [
        ("many", json!(["5 minutes left.", "60 seconds left.", "30 seconds left.", "10 seconds left."])),
        ("few", json!(["30 seconds left.", "10 seconds left."])),
        ("none", json!([])),
    ] {
        browser.ask("document.querySelector('[data-tool=keys]').click()").await;
        browser
            .ask(&format!(
                "window.old = true; const times = document.getElementById('warnings'); times.value = '{choice}';
                 times.dispatchEvent(new Event('change')); document.querySelector('dialog button').click(); location.reload()"
            ))
            .await;
        browser
            .until(&format!("!window.old && {own}?.dataset.end && document.querySelector('.board[role=grid]')"))
            .await;
        // The page that opens says the last move first.
        browser.until("/Your turn/.test(document.getElementById('live').textContent)").await;
        listen(&browser).await;
        for left in [300_000, 60_000, 30_000, 20_000, 10_000] {
            browser.ask(&format!("{own}.dataset.end = Date.now() + {left}")).await;
            tokio::time::sleep(std::time::Duration::from_millis(400)).await;
        }
        assert_eq!(browser.ask("return heard").await, heard, "{choice}");
    }
}

#[tokio::test]
async fn rematch_offers_are_spoken() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = sit(&browser, &site, 0, chess()).await;
    for (seat, action) in [(0, "e2e4"), (1, "resign"), (1, "rematch")] {
        say(&site, &begun, seat, action).await;
    }
    hears(&browser, "Your opponent offers the rematch").await;
}

/// Condition on the focused element.
fn focused(selector: &str) -> String {
    format!("document.activeElement.matches('{selector}')")
}

#[tokio::test]
async fn focus_stays_where_the_player_acts_next() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = sit(&browser, &site, 0, chess()).await;
    // The field for typed moves keeps the focus during the opponent's turn.
    browser.keys(['/', 'e', '4', ENTER]).await;
    browser.step(1).await;
    browser.until(&focused("#action")).await;
    browser.keys("clocks".chars().chain([ENTER])).await;
    hears(&browser, "Clocks. ").await;
    say(&site, &begun, 1, "e7e5").await;
    browser.step(2).await;
    browser.until(&focused("#action")).await;
    // After an offer it is the opponent's turn to answer.
    browser.keys("d4".chars().chain([ENTER])).await;
    browser.step(3).await;
    press(&browser, "a[href*=\"end=draw\"]").await;
    browser.until(&focused("#draw a")).await;
    press(&browser, "button[value=draw]").await;
    browser.until(&focused("button[value=withdraw]")).await;
    // After an answer with nothing else to do, the line says what the game waits for.
    say(&site, &begun, 1, "decline").await;
    browser.until(&focused(".say h1")).await;
    say(&site, &begun, 1, "e5d4").await;
    browser.until(&focused(".board button")).await;

    let options = json!({"scheme": "secret"});
    let begun = sit(&browser, &site, 0, json!({"variant": "bidding", "options": options, "opponent": "self"})).await;
    browser.until("document.getElementById('bid')").await;
    browser
        .ask("const bid = document.getElementById('bid'); bid.value = '1'; bid.focus(); bid.form.requestSubmit()")
        .await;
    browser.until("/Sealed/.test(document.getElementById('game').textContent)").await;
    assert_eq!(browser.ask("return !!document.activeElement.closest('.ask, .say')").await, true);
    say(&site, &begun, 1, "bid 0").await;
    browser.until(&focused(".board button")).await;
}

#[tokio::test]
async fn focus_stays_on_the_flip_button_and_the_layout_switch() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    sit(&browser, &site, 0, chess()).await;
    for flipped in [true, false] {
        press(&browser, "#flip").await;
        browser.until(&format!("document.querySelector('#flip').matches('[href*=flip]') !== {flipped}")).await;
        browser.until(&focused("#flip")).await;
    }
    for layout in [".spoken", ".round"] {
        browser.ask("document.querySelector('form.skip button').focus()").await;
        browser.press("form.skip button", layout).await;
        browser.until(&focused("form.skip button")).await;
    }
}

#[tokio::test]
async fn sealed_guesses_move_the_focus_to_what_the_game_waits_for() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let played = Played::begin(&site, json!({})).await;
    played.sit(&browser, &[1]).await;
    press(&browser, "td[data-square=e2].movable button").await;
    press(&browser, "td[data-square=e4] button").await;
    browser.until("document.querySelector('#draft .away')").await;
    press(&browser, ".ask .actions > button.primary").await;
    browser.until("document.querySelector('.say [data-sealed]')").await;
    browser.until(&focused(".say h1")).await;
}

#[tokio::test]
async fn squares_say_why_they_cannot_be_selected() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = sit(&browser, &site, 0, chess()).await;
    for (square, words) in [
        ("e4", "e4 is empty."),
        ("a1", "The white rook on a1 has no moves. white rook on a1"),
        ("a8", "You cannot choose the black rook on a8 now."),
    ] {
        press(&browser, &format!("td[data-square={square}] button")).await;
        hears(&browser, words).await;
    }
    for square in ["e2", "a5"] {
        press(&browser, &format!("td[data-square={square}] button")).await;
    }
    hears(&browser, "Selection cancelled. The pawn on e2 cannot go to a5.").await;
    say(&site, &begun, 0, "e2e4").await;
    browser.step(1).await;
    press(&browser, "[data-step=back]").await;
    browser.until("document.querySelector('#board.past td[data-square=e2] .piece')").await;
    press(&browser, "td[data-square=e2] button").await;
    hears(&browser, "The board shows an earlier step.").await;
}

#[tokio::test]
async fn empty_field_says_what_can_be_typed() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    sit(&browser, &site, 0, chess()).await;
    browser.ask("window.fetch = () => { window.sent = true }").await;
    browser.keys(['/', ENTER]).await;
    hears(&browser, "Type a move, or: rank 4").await;
    assert_eq!(browser.ask("return !window.sent").await, true);
}

#[tokio::test]
async fn skip_link_to_the_board_keeps_the_step_in_review() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = sit(&browser, &site, 0, chess()).await;
    say(&site, &begun, 0, "e2e4").await;
    say(&site, &begun, 1, "e7e5").await;
    browser.step(2).await;
    press(&browser, "[data-step=back]").await;
    browser.until("document.querySelector('#board.past')").await;
    press(&browser, "a.skip[href=\"#position\"]").await;
    browser.until(&focused(".board button[tabindex=\"0\"]")).await;
    assert_eq!(browser.ask("return location.hash").await, "#1");
}

#[tokio::test]
async fn skip_links_and_the_layout_switch_work_without_scripts() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::without_scripts(&screen).await);
    both_seats(&browser, &site, chess()).await;
    browser.ask("document.querySelector('form.skip button').focus()").await;
    browser.press("form.skip button", ".spoken").await;
    browser.until(&focused("form.skip button")).await;
    for (link, part) in [("#action", "#action"), ("#position", ".position button")] {
        browser.ask(&format!("document.querySelector('a.skip[href=\"{link}\"]').focus()")).await;
        browser.keys([ENTER]).await;
        browser.until(&format!("location.hash === '{link}'")).await;
        if link == "#position" {
            browser.keys([TAB]).await;
        }
        browser.until(&focused(part)).await;
    }
}

#[tokio::test]
async fn promotion_keeps_the_focus() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let options = json!({"fen": "8/P6k/8/8/8/8/8/K7 w - - 0 1"});
    both_seats(&browser, &site, json!({"variant": "chess", "options": options, "opponent": "self"})).await;
    browser.until("document.querySelector('td[data-square=a7].movable')").await;
    press(&browser, "td[data-square=a7] button").await;
    press(&browser, "td[data-square=a8] button").await;
    browser.until(&focused("#choose[aria-modal=true] button")).await;
    // Tab stays in the dialog, also from its last button.
    for _ in 0..5 {
        browser.keys([TAB]).await;
        browser.until(&focused("#choose button")).await;
    }
    browser.keys([ENTER]).await;
    browser.step(1).await;
    browser.until(&focused("td[data-square=a8] button")).await;
}

#[tokio::test]
async fn wheel_and_end_scroll_the_page() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = sit(&browser, &site, 0, chess()).await;
    say(&site, &begun, 0, "e2e4").await;
    browser.step(1).await;
    browser.wheel("e4", 200).await;
    browser.until("scrollY > 0").await;
    browser.ask("scrollTo(0, 0); document.activeElement.blur()").await;
    browser.keys([END]).await;
    browser.until("scrollY > 0").await;
    assert_eq!(browser.ask("return location.hash").await, "");
}

/// Smallest contrast of the mark of a check with the squares of a board.
const CHECK: &str = "
    const level = (color) => color.match(/[\\d.]+/g).slice(0, 3).map(Number)
      .map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const squares = [...document.querySelectorAll('.board td.dark, .board td.light')].slice(0, 2);
    return Math.min(...squares.map((square) => {
      const plain = level(getComputedStyle(square).backgroundColor);
      square.classList.add('check');
      const mark = level(/rgb[^)]*/.exec(getComputedStyle(square).boxShadow)[0]);
      return (Math.max(plain, mark) + 0.05) / (Math.min(plain, mark) + 0.05);
    }));";

#[tokio::test]
async fn check_stands_out_and_contrast_can_be_raised() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    both_seats(&browser, &site, chess()).await;
    for board in ["", "slate", "walnut", "clear"] {
        for scheme in ["light", "dark"] {
            browser.scheme(scheme).await;
            if !board.is_empty() {
                browser.ask(&format!("document.documentElement.dataset.board = '{board}'")).await;
            }
            let contrast = browser.ask(CHECK).await.as_f64().unwrap();
            assert!(contrast >= 3.0, "{board} {scheme}: {contrast}");
        }
    }
    browser.ask("delete document.documentElement.dataset.board").await;
    browser.wish("prefers-contrast", "more").await;
    let look = "const style = (selector) => getComputedStyle(document.querySelector(selector));
        return [style('.board td.light').backgroundColor, style('.board td.light').outlineStyle, style('.say').borderTopStyle]";
    assert_eq!(browser.ask(look).await, json!(["rgb(255, 255, 255)", "solid", "solid"]));
}

#[tokio::test]
async fn enlarged_page_has_larger_squares() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for variant in ["chess", "bidding", "crazyhouse", "csipgs", "clairvoyant", "raumschach"] {
        both_seats(&browser, &site, json!({"variant": variant, "opponent": "self"})).await;
        browser.until("document.querySelector('.board, .curtain')").await;
        browser.ask("document.querySelector('.curtain button')?.click()").await;
        browser.until("document.querySelector('.board[role=grid]')").await;
        let mut first = 0.0;
        for factor in [1, 2, 3, 4] {
            browser.zoom(factor).await;
            let measured = "return [document.querySelector('td[data-square]').getBoundingClientRect().width, document.documentElement.scrollWidth - innerWidth]";
            let measured = browser.ask(measured).await;
            let (square, place) = (measured[0].as_f64().unwrap(), format!("{variant}, enlarged {factor} times"));
            assert!(square >= 24.0, "{place}: {square} pixels");
            assert!(measured[1].as_f64().unwrap() <= 0.0, "{place}: the page scrolls sideways");
            if factor == 1 {
                first = square;
            } else {
                assert!(square * f64::from(factor) >= 1.3 * first, "{place}: {square} pixels after {first}");
            }
        }
        browser.zoom(1).await;
    }
}

/// Visible points of the focused element, out of nine; the number of its tab stop; its markup. Null without focus.
const SEEN: &str = "
    const focused = document.activeElement;
    if (focused === document.body) return null;
    const {left, top, width, height} = focused.getClientRects()[0];
    const own = (point) => point && (focused.contains(point) || point.closest('label, td')?.contains(focused));
    const points = [0.1, 0.5, 0.9].flatMap((x) => [0.15, 0.5, 0.85].map((y) => document.elementFromPoint(left + x * width, top + y * height)));
    const number = focused.dataset.stop ??= document.querySelectorAll('[data-stop]').length;
    return [points.filter(own).length, Number(number), focused.outerHTML.slice(0, 120)];";

#[tokio::test]
async fn focus_is_in_view_on_an_enlarged_page() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let game = recorded(&site, "csipgs-standard", 60).await;
    browser.open(game["seats"][0]["url"].as_str().unwrap()).await;
    browser.zoom(4).await;
    let mut faults = Vec::new();
    for page in [&*site, &format!("{}/new/csipgs", &*site), game["url"].as_str().unwrap()] {
        browser.open(page).await;
        browser
            .until("document.readyState === 'complete' && !document.querySelector('.round .board:not([role=grid])')")
            .await;
        let mut stops = 0;
        loop {
            browser.keys([TAB]).await;
            let seen = browser.ask(SEEN).await;
            if seen.is_null() || seen[1] != stops {
                break;
            }
            stops += 1;
            if seen[0].as_u64().unwrap() < 3 {
                faults.push(format!("{page}: {}", seen[2]));
            }
        }
        assert!(stops > 20, "{page} has {stops} stops");
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[tokio::test]
async fn focus_ring_is_whole_in_the_rows_of_a_game() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = sit(&browser, &site, 0, chess()).await;
    say(&site, &begun, 0, "e2e4").await;
    say(&site, &begun, 1, "e7e5").await;
    browser.step(2).await;
    browser.until("document.querySelector('a[href*=\"end=resign\"]')").await;
    for selector in ["header.site nav a", "[data-step=back]", ".moves td a", "a[href*=\"end=resign\"]"] {
        let cut = format!(
            "const focused = document.querySelector('{selector}');
             focused.focus({{focusVisible: true}});
             const {{outlineStyle, outlineWidth, outlineOffset}} = getComputedStyle(focused), box = focused.getBoundingClientRect();
             const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset);
             const row = focused.closest('nav, .nav, .moves, .acts').getBoundingClientRect();
             return [outlineStyle, Math.max(row.left - box.left, row.top - box.top, box.right - row.right, box.bottom - row.bottom) + ring]"
        );
        let cut = browser.ask(&cut).await;
        assert_eq!(cut[0], "solid", "{selector}");
        assert!(cut[1].as_f64().unwrap() <= 0.5, "{selector}: {cut}");
    }
}

#[tokio::test]
async fn forced_colours_keep_the_marks_apart() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    browser.wish("forced-colors", "active").await;
    let begun = sit(&browser, &site, 0, chess()).await;
    for (seat, action) in [(0, "e2e4"), (1, "e7e5")] {
        say(&site, &begun, seat, action).await;
    }
    browser.until("document.querySelector('.clock.running')").await;
    press(&browser, "td[data-square=g1] button").await;
    browser.until("document.querySelector('td.target')").await;
    let apart = "const look = (selector, part, pseudo) => getComputedStyle(document.querySelector(selector), pseudo)[part];
        const differ = (part, pseudo, ...selectors) => new Set(selectors.map((one) => look(one, part, pseudo))).size === selectors.length;
        return [
          differ('backgroundColor', undefined, '.clock.running', '.clock:not(.running)'),
          differ('backgroundColor', '::before', '.seat.white .name', '.seat.black .name'),
          differ('backgroundImage', '::after', 'td[data-square=f3]', 'td[data-square=d3]'),
          differ('boxShadow', undefined, 'td[data-square=g1]', 'td[data-square=f1]'),
          differ('backgroundImage', undefined, 'td[data-square=e5]', 'td[data-square=d5]'),
          differ('backgroundColor', undefined, 'td[data-square=d4]', 'td[data-square=d5]'),
          differ('borderTopStyle', undefined, '.nav [data-step=last]', '.nav [data-step=back]'),
          differ('outlineStyle', undefined, '.moves td[aria-current]', '.moves td:not([aria-current])'),
        ]";
    assert_eq!(browser.ask(apart).await, json!([true, true, true, true, true, true, true, true]));
}

#[tokio::test]
async fn reduced_motion_stills_the_reveal_and_the_coin() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (preference, moves) in [("no-preference", true), ("reduce", false)] {
        browser.wish("prefers-reduced-motion", preference).await;
        let match_ = json!({"variant": "bookie", "opponent": "self", "options": {"deals": 3}});
        let begun = sit(&browser, &site, 0, match_).await;
        browser.ask("window.moved = 0; addEventListener('animationstart', () => window.moved += 1, true)").await;
        say(&site, &begun, 0, "bid 61").await;
        say(&site, &begun, 1, "bid 48").await;
        browser.until("document.querySelectorAll('.board .piece use[href$=\"-king\"]').length === 2").await;
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        assert_eq!(browser.ask("return window.moved > 0").await, moves, "{preference}");
        sit(&browser, &site, 0, json!({"variant": "random-turn", "opponent": "self"})).await;
        let toss =
            browser.ask("return getComputedStyle(document.querySelector('.coin')).animationName !== 'none'").await;
        assert_eq!(toss, moves, "{preference}");
    }
}

/// Presses Tab until a condition holds, and returns the number of presses.
async fn tab_until(browser: &Browser, condition: &str) -> usize {
    for presses in 1..60 {
        browser.keys([TAB]).await;
        if browser.ask(&format!("return !!({condition})")).await == true {
            return presses;
        }
    }
    panic!("{condition} does not come");
}

#[tokio::test]
async fn game_against_a_bot_is_played_with_keys_alone() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    browser.open(&site).await;
    let mut presses = tab_until(&browser, "document.activeElement.value === 'bot:steady'").await;
    browser.keys([ENTER]).await;
    let to_move = "document.querySelector('.board[role=grid] td.movable') && /Your turn/.test(document.querySelector('.say').textContent)";
    browser.until(to_move).await;
    // The first link leads to the board.
    browser.keys([TAB, ENTER]).await;
    browser.until("document.activeElement.closest('.board')").await;
    // Black begins on the square of White's last move, above the own pieces.
    while browser.ask("return !document.activeElement.closest('.movable')").await == true {
        browser.keys([DOWN]).await;
        presses += 1;
        assert!(presses < 40, "no own piece in the file");
    }
    browser.keys([ENTER]).await;
    browser.until("document.querySelector('td.target')").await;
    browser.keys([UP, ENTER]).await;
    browser.until(&format!("document.getElementById('game').dataset.ply >= 2 && {to_move}")).await;
    presses += tab_until(&browser, "document.activeElement.matches('a[href*=\"end=resign\"]')").await;
    browser.keys([ENTER]).await;
    browser.until(&focused("#resign a")).await;
    for kind in ["keyDown", "keyUp"] {
        let stroke = json!({"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9, "modifiers": 8});
        browser.devtools("Input.dispatchKeyEvent", stroke).await;
    }
    browser.until(&focused("#resign button")).await;
    // A new button ignores presses at first.
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    browser.keys([ENTER]).await;
    browser.until("document.getElementById('game').dataset.over").await;
    // Besides the presses of Tab: Enter six times, Tab, Up and Shift with Tab.
    presses += 9;
    assert!(presses <= 40, "{presses} presses");
}
