//! Comforts of the board: sounds, visible clocks, castling onto the rook, withdrawal of offers, hints.

use super::{Browser, Site, access::say, begin, both_seats, driver::screen};
use serde_json::{Value, json};

/// Opens both seats of a new pass-and-play game.
async fn on_one_screen(browser: &Browser, site: &str, game: Value) {
    both_seats(browser, site, game).await;
    browser.until("document.querySelector('.board[role=grid]')").await;
}

/// Clicks the button with this label on a game's page.
async fn press(browser: &Browser, words: &str) {
    let button = format!("[...document.querySelectorAll('#game button')].find((one) => one.textContent === '{words}')");
    browser.until(&format!("{button}?.checkVisibility()")).await;
    browser.ask(&format!("{button}.click()")).await;
}

#[tokio::test]
async fn choices_of_a_new_game_keep_their_places() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (width, height) in [(390, 844), (1280, 800)] {
        browser.size(width, height).await;
        browser.open(&format!("{}/new/chess", &*site)).await;
        let places = "return JSON.stringify([...document.querySelectorAll('.new .tool')].map((tool) => {
            const {x, y, width} = tool.getBoundingClientRect();
            return [x, y + scrollY, width];
        }))";
        let before = browser.ask(places).await;
        let starts = "getComputedStyle(document.querySelector('.starts')).visibility";
        assert_eq!(browser.ask(&format!("return {starts}")).await, "hidden", "there is no clock");
        let bots = "return [...document.querySelectorAll('.new [value^=\"bot:\"]')].map((bot) => bot.value.slice(4)).join(' ')";
        assert_eq!(browser.ask(bots).await, "random newcomer casual steady keen sharp deep gambler");
        for choice in ["bot:newcomer", "bot:steady", "open", "10+5", "two"] {
            browser.ask(&format!("document.querySelector('.new [value=\"{choice}\"]').click()")).await;
            assert_eq!(browser.ask(places).await, before, "{width}: {choice}");
        }
        assert_eq!(browser.ask(&format!("return {starts}")).await, "visible");
    }
}

#[tokio::test]
async fn sounds_play_and_the_king_castles_onto_the_rook() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let fen = "r3k2r/8/8/3p4/4P3/8/8/R3K2R w KQkq - 0 1";
    on_one_screen(&browser, &site, json!({"variant": "chess", "options": {"fen": fen}, "opponent": "self"})).await;
    let heard = |event: &str| format!("document.querySelector('.board').dataset.heard === '{event}'");
    browser.press("#preferences summary", "#preferences[open]").await;
    browser.press("[data-tool=sound]", "[data-tool=sound][aria-pressed=true]").await;
    browser.drag("e1", "h1").await;
    browser.step(1).await;
    browser.until("/king/.test(document.querySelector('td[data-square=g1]').textContent)").await;
    browser.until("/rook/.test(document.querySelector('td[data-square=f1]').textContent)").await;
    browser.until(&heard("move")).await;
    // The king first, then its rook.
    browser.tap("e8").await;
    browser.tap("a8").await;
    browser.step(2).await;
    browser.until("/king/.test(document.querySelector('td[data-square=c8]').textContent)").await;
    browser.drag("e4", "d5").await;
    browser.step(3).await;
    browser.until(&heard("capture")).await;
    browser.until("/^captured: pawn/.test(document.querySelector('.seat.white .captured').textContent)").await;
    browser.drag("h8", "h1").await;
    browser.step(4).await;
    browser.until(&heard("check")).await;
    // The choice persists when the page is opened again.
    browser.ask("location.reload()").await;
    browser.until("document.querySelector('[data-tool=sound][aria-pressed=true]')").await;
}

#[tokio::test]
async fn board_and_both_clocks_fit_the_window() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let clock = json!({"initial": 300, "increment": 0});
    on_one_screen(&browser, &site, json!({"variant": "chess", "opponent": "self", "clock": clock})).await;
    for (width, height) in [(1280, 800), (1366, 768), (1920, 1080), (390, 844), (844, 390)] {
        browser.size(width, height).await;
        let inside = "return [...document.querySelectorAll('.clock')].map((clock) => clock.getBoundingClientRect())
            .filter((box) => box.top >= 0 && box.bottom <= innerHeight && box.width > 0).length";
        assert_eq!(browser.ask(inside).await, 2, "{width} × {height}");
        let share =
            browser.ask("return document.querySelector('.board').getBoundingClientRect().height / innerHeight").await;
        let least = if width == 390 { 0.4 } else { 0.72 };
        assert!(share.as_f64().unwrap() > least, "the board has {share} of {width} × {height}");
    }
}

#[tokio::test]
async fn offer_is_withdrawn_and_decline_is_announced() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let begun = begin(&site, json!({"variant": "chess", "opponent": "link"})).await;
    let (one, two) = (Browser::new(&screen).await, Browser::new(&screen).await);
    one.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    one.open(begun["url"].as_str().unwrap()).await;
    two.open(begun["invite"]["url"].as_str().unwrap()).await;
    two.press("main form button.primary", "#game").await;
    one.drag("e2", "e4").await;
    one.step(1).await;
    two.step(1).await;
    // A notice appears while the offer is off screen, and leads to it.
    two.size(390, 600).await;
    two.ask("scrollTo(0, document.body.scrollHeight)").await;
    // A draw is offered once the player confirms it.
    let click = async |link: &str| {
        one.until(&format!("document.querySelector('{link}')")).await;
        one.ask(&format!("document.querySelector('{link}').click()")).await;
    };
    for answer in ["#draw a", "#draw button"] {
        click("a[href*=\"end=draw\"]").await;
        one.until("/Offer a draw?/.test(document.getElementById('draw')?.textContent)").await;
        assert_eq!(one.ask("return !!document.querySelector('[value=withdraw]')").await, false);
        click(answer).await;
        one.until("!document.getElementById('draw')").await;
    }
    two.until("document.querySelector('[data-offer=draw]')").await;
    two.until("document.querySelector('.beyond')?.textContent === 'Your opponent offers a draw.'").await;
    press(&one, "Withdraw").await;
    two.until("!document.querySelector('.beyond')").await;
    click("a[href*=\"end=draw\"]").await;
    press(&one, "Offer draw").await;
    two.until("document.querySelector('.beyond')").await;
    two.ask("document.querySelector('.beyond').click()").await;
    two.until("!document.querySelector('.beyond') && document.querySelector('[data-offer=draw]')").await;
    press(&one, "Withdraw").await;
    two.until("!document.querySelector('[data-offer=draw]')").await;
    press(&one, "Take back").await;
    press(&two, "Decline").await;
    one.until("document.querySelector('[data-declined]')?.textContent.includes('declined')").await;
    two.drag("e7", "e5").await;
    one.step(2).await;
    one.until("!document.querySelector('[data-declined]')").await;
}

#[tokio::test]
async fn designed_piece_shows_its_price_and_returns_from_the_designer() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    on_one_screen(&browser, &site, json!({"variant": "csipgs", "opponent": "self"})).await;
    press(&browser, "Design…").await;
    browser.until("/After your action/.test(document.querySelector('.ask').textContent)").await;
    browser.drag("e1", "d1").await;
    browser.step(1).await;
    browser.ask("document.getElementById('piece').focus()").await;
    let told = |words: &str| format!("/{words}/.test(document.querySelector('.ask')?.textContent)");
    browser.keys("WF".chars()).await;
    browser.until(&told("It costs 3")).await;
    browser.keys("fhN".chars()).await;
    browser.until(&told("It costs 6[^]*knight’s leap")).await;
    browser.keys(['q']).await;
    browser.until(&told("q” is not a modifier|modifier")).await;
    // From the list of designs to the designer's page, and back with another piece in the field.
    browser.ask("document.querySelectorAll('.designs, .designs details').forEach((one) => (one.open = true))").await;
    browser.press(".designs a[href^='/betza']", "#workshop").await;
    browser.ask("const field = document.getElementById('piece'); field.value = 'WD'; field.form.requestSubmit()").await;
    browser.until("/WD/.test(document.querySelector('h2 code')?.textContent)").await;
    browser.press("a[href$='?piece=WD']", "#game #piece").await;
    browser.until("document.getElementById('piece').value === 'WD'").await;
    browser.until(&told("It costs")).await;
    browser.ask("document.getElementById('slot').form.requestSubmit()").await;
    browser.step(2).await;
    browser.until("/WD/.test(document.querySelector('.designs').textContent)").await;
}

#[tokio::test]
async fn hint_appears_on_the_board_until_the_move() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let fen = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
    let game = json!({"variant": "chess", "options": {"fen": fen}, "opponent": "bot:random"});
    let begun = begin(&site, game).await;
    browser.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    browser.until("document.querySelector('.board[role=grid]')").await;
    browser.ask("window.stayed = true").await;
    browser.press("[data-advise]", "#hint button").await;
    let pointed =
        "return [...document.querySelectorAll('td.pointed')].map((cell) => cell.dataset.square).includes('g6')";
    assert_eq!(browser.ask(pointed).await, true);
    assert_eq!(browser.ask("return document.querySelectorAll('td.pointed').length").await, 2);
    // A button that has just appeared ignores presses.
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    browser.press("#hint button", "#game[data-over]").await;
    assert_eq!(browser.ask("return document.querySelectorAll('#hint, td.pointed, [data-advise]').length").await, 0);
    assert_eq!(browser.ask("return window.stayed && location.search").await, "", "the page was not reloaded");
}

#[tokio::test]
async fn conditional_moves_are_saved_beside_the_line_on_a_phone() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let begun = begin(&site, json!({"variant": "chess", "opponent": "link", "clock": {"days": 2}})).await;
    let (one, two) = (Browser::new(&screen).await, Browser::new(&screen).await);
    two.open(begun["invite"]["url"].as_str().unwrap()).await;
    two.press("main form button.primary", "#game").await;
    say(&site, &begun, 0, "e2e4").await;
    one.width(390).await;
    one.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    one.open(&format!("{}/conditional", begun["url"].as_str().unwrap())).await;
    for square in ["e7", "e5", "g1", "f3"] {
        one.press(&format!("td[data-square={square}] button"), ".position").await;
    }
    assert!(one.touch(".stage .actions .primary").await, "the button is in view");
    one.until("/One line is stored/.test(document.getElementById('stored')?.textContent)").await;
}
