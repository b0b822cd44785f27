//! Whole games of Clairvoyant Chess as a new player would play them: by clicks on a phone and on a desktop, by forms without scripts, and by
//! keyboard. At every step, the available actions are visible without scrolling.

use super::{
    Browser, Site, begin,
    clairvoyant::Played,
    driver::screen,
    games::{ENTER, TAB, walk},
};
use serde_json::{Value, json};

/// A phone and a desktop.
const SIZES: [(u32, u32); 2] = [(390, 844), (1280, 800)];

/// White to move and mate on b8. Only Black's a-pawn can move, once or twice, and none of White's moves here earns Black anything.
const NET: &str = "7k/p4K1p/7P/8/8/8/8/1R6 w - - 0 1";
const PAYOFFS: &str = "pawn 4 5 0 0; rook 0 0 0 0; king 0 0 0 0; extra 0; retraction 0";

/// Opens a short game against a bot as White.
async fn against_a_bot(browser: &Browser, site: &str) -> String {
    let options = json!({"fen": NET, "payoffs": PAYOFFS, "money_one": 14});
    let game = json!({"variant": "clairvoyant", "opponent": "bot:random", "seat": "one", "options": options});
    let begun = begin(site, game).await;
    let seats = begun["seats"].as_array().unwrap();
    browser.open(seats[0]["url"].as_str().unwrap()).await;
    let address = begun["url"].as_str().unwrap().to_owned();
    browser.open(&address).await;
    address
}

/// Selector of a square.
fn at(square: &str) -> String {
    format!("td[data-square={square}] button")
}

/// Waits for an element and touches it without scrolling.
async fn touch(browser: &Browser, selector: &str) {
    browser.until(&format!("document.querySelector(`{selector}`)")).await;
    assert!(browser.touch(selector).await, "{selector} is not in view");
}

/// Checks that all elements are in the window without scrolling.
async fn in_sight(browser: &Browser, phase: &str, selectors: &[&str]) {
    for selector in selectors {
        let seen = format!(
            "const all = [...document.querySelectorAll(`{selector}`)].map((one) => one.getBoundingClientRect()).filter((box) => box.width);
             return [all.length, all.every((box) => box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth), scrollY];"
        );
        let seen = browser.ask(&seen).await;
        assert!(seen[0].as_u64() > Some(0), "{phase}: there is no {selector}");
        assert_eq!((&seen[1], &seen[2]), (&json!(true), &json!(0)), "{phase}: {selector} is not in view");
    }
}

/// Price or reward shown on a square.
async fn price(browser: &Browser, square: &str) -> Value {
    browser.ask(&format!("return document.querySelector('td[data-square={square}] .price')?.textContent ?? ''")).await
}

const TOGETHER: &str = "#shop button[name=show]";
const PAWN: &str = "#board button[name=from][value=\"P@\"]";
const PRIMARY: &str = ".ask .button.primary:enabled";
const ACCEPT: &str = ".ask button[value=accept]";
const BACK: &str = ".ask button[value=retract]";
const AWAY: &str = ".chip button[name=without]";

/// Condition that a number of chips are below the board.
fn chips(number: usize) -> String {
    format!("document.querySelectorAll('.ask span.chip:not(.empty)').length === {number}")
}

#[tokio::test]
async fn game_is_won_by_clicks_alone() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (width, height) in SIZES {
        browser.forget().await;
        browser.size(width, height).await;
        against_a_bot(&browser, &site).await;
        browser.until("document.querySelector('.board[role=grid] td.movable')").await;
        in_sight(&browser, "turn", &[".board", TOGETHER, "#shop button", ".seat .amount"]).await;

        // A turn in parts: unaffordable moves are dimmed and marked, and the last part is removed again.
        touch(&browser, TOGETHER).await;
        touch(&browser, &at("b1")).await;
        touch(&browser, &at("a1")).await;
        browser.until(&chips(1)).await;
        in_sight(&browser, "parts", &[".board", ".chip", AWAY, PRIMARY]).await;
        assert_eq!(price(&browser, "f7").await, "3", "the cheapest second move of the king");
        touch(&browser, &at("a1")).await;
        browser.until("document.querySelector('td[data-square=a7].capture')").await;
        assert_eq!((price(&browser, "a4").await, price(&browser, "a7").await), (json!("9"), json!("16")));
        browser.until("document.querySelector('td[data-square=a7] .price.dear')").await;
        touch(&browser, &at("a7")).await;
        browser.until("/Rook a1 to a7 costs 16Z, and you have 14Z/.test(document.querySelector('.ask [role=alert]')?.textContent)").await;
        in_sight(&browser, "too dear", &[".ask [role=alert]", PRIMARY]).await;
        touch(&browser, AWAY).await;
        browser.until(&chips(0)).await;
        touch(&browser, "#board button.dear[value=\"Q@\"]").await;
        browser.until("/A new queen costs 25Z, and you have 14Z/.test(document.querySelector('.ask [role=alert]')?.textContent)").await;
        in_sight(&browser, "shop", &[".board", "#board .pictured button", ".ask .button"]).await;
        touch(&browser, PAWN).await;
        browser.until("document.querySelector('td[data-square=c3].target')").await;
        assert_eq!(price(&browser, "c3").await, "3");
        touch(&browser, &at("c3")).await;
        browser.until(&chips(1)).await;
        touch(&browser, PRIMARY).await;

        // A guess sheet: adds an arrow and a ring, removes one, and adds another.
        browser
            .until("document.querySelector('.chip.empty') && document.querySelector('td[data-square=a7].movable')")
            .await;
        in_sight(&browser, "guess", &[".board", ".chip", ".ask summary.primary"]).await;
        assert_eq!(price(&browser, "a7").await, "4");
        touch(&browser, &at("a7")).await;
        browser.until("document.querySelector('td[data-square=a6].target')").await;
        assert_eq!(price(&browser, "a6").await, "5");
        touch(&browser, &at("a6")).await;
        browser.until(&chips(1)).await;
        browser.until("document.querySelector('.foretold path[marker-end]') && document.querySelector('.foretold text').textContent === '5'").await;
        touch(&browser, &at("a7")).await;
        browser.until("document.querySelector('td[data-square=a7].selected')").await;
        touch(&browser, &at("a7")).await;
        browser.until(&chips(2)).await;
        browser.until("document.querySelector('.foretold circle')").await;
        touch(&browser, ".chip button[name=without][value=\"2\"]").await;
        browser.until(&chips(1)).await;
        touch(&browser, &at("a7")).await;
        browser.until("document.querySelector('td[data-square=a5].target')").await;
        touch(&browser, &at("a5")).await;
        browser.until(&chips(2)).await;
        in_sight(&browser, "a sheet", &[".board", ".chip", AWAY, PRIMARY]).await;
        touch(&browser, PRIMARY).await;

        // The response: one of both guesses is right, whatever the bot plays.
        browser.until(&format!("document.querySelector('{ACCEPT}')")).await;
        in_sight(&browser, "answer", &[".board", ".chip", ACCEPT, BACK]).await;
        let told = browser.ask("return document.querySelector('.ask').innerText").await;
        let told = told.as_str().unwrap();
        assert!(told.contains("Accept, get 5Z") && told.contains("Force back for 10Z"), "{told}");
        assert!(told.contains("not begin with a7a"), "{told}");
        touch(&browser, BACK).await;

        // The replacement move counts at once, and the guess about it was also right.
        browser.until("/Your turn to play/.test(document.querySelector('#game h1').textContent)").await;
        browser.until("/Your sheet earned 5Z/.test(document.querySelector('.ask').textContent)").await;
        in_sight(&browser, "another turn", &[".board", TOGETHER, ".settled"]).await;
        touch(&browser, &at("b1")).await;
        browser.until("document.querySelector('td[data-square=b8].target')").await;
        touch(&browser, &at("b8")).await;
        browser.until("/You won/.test(document.querySelector('#game h1').textContent)").await;
        browser.until("scrollY === 0").await;
    }
}

#[tokio::test]
async fn game_is_won_by_forms() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::without_scripts(&screen).await);
    for (width, height) in SIZES {
        browser.forget().await;
        browser.size(width, height).await;
        against_a_bot(&browser, &site).await;
        let press = async |selector: &str, then: &str| browser.press(selector, then).await;
        press(TOGETHER, "#board[data-draft] .ask .primary").await;
        press(&at("b1"), "td[data-square=a1] button[name=add]").await;
        press(&at("a1"), AWAY).await;
        press(&at("a1"), "td[data-square=a7] .price.dear").await;
        press(&at("a7"), ".ask [role=alert]").await;
        press(AWAY, PAWN).await;
        press(PAWN, "td[data-square=c3] button[name=add] .price").await;
        press(&at("c3"), AWAY).await;
        press(PRIMARY, ".chip.empty").await;
        press(&at("a7"), "td[data-square=a6] button[name=add] .price").await;
        press(&at("a6"), ".foretold path[marker-end]").await;
        press(&at("a7"), "td[data-square=a7] button[name=add]").await;
        press(&at("a7"), ".foretold circle").await;
        press(".chip button[name=without][value=\"2\"]", ".foretold:not(:has(circle))").await;
        press(PRIMARY, BACK).await;
        press(BACK, "#game:not(:has(.lesson)) .settled").await;
        press(&at("b1"), "td[data-square=b8] button[name=action]").await;
        press(&at("b8"), "#game[data-over]").await;
    }
}

/// Moves the focus to an element with Tab, and activates it.
async fn tab(browser: &Browser, selector: &str) {
    browser.until(&format!("document.querySelector(`{selector}`)")).await;
    for _ in 0..150 {
        if browser.ask(&format!("return document.activeElement.matches(`{selector}`)")).await == true {
            browser.keys([ENTER]).await;
            return;
        }
        browser.keys([TAB]).await;
    }
    panic!("the Tab key does not lead to {selector}");
}

/// Moves the focus to the board with Tab and to a square with the arrow keys, and activates it.
async fn stride(browser: &Browser, square: &str) {
    browser.until("document.querySelector('.board[role=grid] [tabindex=\"0\"]')").await;
    for _ in 0..150 {
        if browser.ask("return document.activeElement.closest('.board') !== null").await == true {
            walk(browser, square).await;
            browser.keys([ENTER]).await;
            return;
        }
        browser.keys([TAB]).await;
    }
    panic!("the Tab key does not lead to the board");
}

#[tokio::test]
async fn game_is_won_by_keys_alone() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    browser.size(1280, 800).await;
    against_a_bot(&browser, &site).await;
    tab(&browser, TOGETHER).await;
    browser.until("document.querySelector('#board[data-draft] .board[role=grid]')").await;
    tab(&browser, PAWN).await;
    browser.until("document.querySelector('td[data-square=c3].target')").await;
    stride(&browser, "c3").await;
    browser.until(&chips(1)).await;
    tab(&browser, PRIMARY).await;
    browser
        .until("document.querySelector('.chip.empty') && document.querySelector('td[data-square=a7].movable')")
        .await;
    for (to, number) in [("a6", 1), ("a5", 2)] {
        stride(&browser, "a7").await;
        browser.until(&format!("document.querySelector('td[data-square={to}].target')")).await;
        let said = browser.ask(&format!("return document.querySelector('td[data-square={to}]').textContent")).await;
        assert!(said.as_str().unwrap().contains(&format!("the pawn on a7 moves to {to}: 5Z")), "{said}");
        stride(&browser, to).await;
        browser.until(&chips(number)).await;
    }
    tab(&browser, ".chip button[name=without][value=\"2\"]").await;
    browser.until(&chips(1)).await;
    tab(&browser, PRIMARY).await;
    tab(&browser, BACK).await;
    browser
        .until("document.querySelector('.ask .settled') && document.querySelector('td[data-square=b1].movable')")
        .await;
    stride(&browser, "b1").await;
    browser.until("document.querySelector('td[data-square=b8].target')").await;
    stride(&browser, "b8").await;
    browser.until("/You won/.test(document.querySelector('#game h1').textContent)").await;
}

#[tokio::test]
async fn tutorial_hints_disappear_once_followed() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let address = against_a_bot(&browser, &site).await;
    let taught =
        "[...new Set([...document.querySelectorAll('[data-lesson]')].map((one) => one.dataset.lesson))].join()";
    let is = |lessons: &str| format!("{taught} === '{lessons}'");
    browser.until(&is("play")).await;
    // Two lines, with a link to the rules.
    assert_eq!(browser.ask("return document.querySelectorAll('#more > .lesson p').length").await, 2);
    browser.until("document.querySelector('header nav a[href=\"/rules/clairvoyant\"]')").await;
    browser.tap("f7").await;
    browser.until("document.querySelector('td[data-square=f7].selected')").await;
    browser.until(&is("play")).await;
    browser.tap("f8").await;
    browser.until(&is("guess")).await;
    browser.ask(&format!("document.querySelector('{PRIMARY}').click()")).await;
    browser.until(&is("answer")).await;
    browser.ask(&format!("document.querySelector('{ACCEPT}').click()")).await;
    // The hint arrives with the page or on the stream, which was opened earlier.
    browser.until("/Your turn to play/.test(document.querySelector('#game h1').textContent)").await;
    browser.until(&is("")).await;
    browser.open(&address).await;
    browser.until("document.querySelector('td.movable')").await;
    browser.until(&is("")).await;
    browser.tap("f8").await;
    browser.until("document.querySelector('td[data-square=f7].target')").await;
    browser.tap("f7").await;
    browser.until("document.querySelector('.chip.empty')").await;
    browser.until(&is("")).await;
    // Spectators see no tutorial hints.
    browser.forget().await;
    browser.open(&address).await;
    browser.until("document.getElementById('game')").await;
    browser.until(&is("")).await;
}

#[tokio::test]
async fn page_stays_scrolled_to_the_board() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    browser.size(390, 844).await;
    let played = Played::begin(&site, json!({"money_two": 30})).await;
    played.say(0, "e2e4").await;
    played.sit(&browser, &[1]).await;
    let seen = "const box = document.querySelector('.board').getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight";
    // After sealing far down the page, the board and the answer are in view again.
    browser.ask("scrollTo(0, document.documentElement.scrollHeight)").await;
    assert_eq!(browser.ask(seen).await, false);
    browser.ask(&format!("document.querySelector('{PRIMARY}').click()")).await;
    browser.until(&format!("document.querySelector('{ACCEPT}')")).await;
    assert_eq!(browser.ask(seen).await, true);
    // A new turn does not scroll the page, whatever it opens.
    played.say(1, "accept").await;
    played.say(0, "guess e7").await;
    played.say(1, "e7e5").await;
    browser.until("document.querySelector('.chip.empty') && document.querySelector('.slip.open')").await;
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    assert_eq!(browser.ask(seen).await, true);
    browser.ask("scrollTo(0, 0)").await;
    played.say(1, "guess g1f3").await;
    played.say(0, "g1f3").await;
    browser.until(&format!("document.querySelector('{ACCEPT}')")).await;
    in_sight(&browser, "the next answer", &[".board", ACCEPT, BACK]).await;
}

#[tokio::test]
async fn tables_fit_their_column() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (width, height) in SIZES {
        browser.size(width, height).await;
        against_a_bot(&browser, &site).await;
        browser.until("document.querySelector('.zorkmids details')").await;
        let wide = "document.querySelectorAll('.zorkmids details').forEach((one) => one.open = true);
             const all = [...document.querySelectorAll('.zorkmids .scroll')];
             return [all.length, ...all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent.slice(0, 60))];";
        assert_eq!(browser.ask(wide).await, json!([4]), "at {width}");
    }
}
