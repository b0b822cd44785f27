//! The layout for screen readers: its order, its commands, and a game that is typed from the first move to mate.

use super::{
    Browser, Site,
    access::say,
    begin, both_seats,
    clairvoyant::Played,
    driver::screen,
    games::ENTER,
    kinds::{recorded, said},
    pages::shut_out,
    tools,
};
use serde_json::{Value, json};
use std::fs;

/// Changes the layout on the page of a game. The button is visible while it has the focus.
async fn change(browser: &Browser, then: &str) {
    browser.ask("document.querySelector('form.skip button').focus()").await;
    browser.press("form.skip button", then).await;
}

/// Chooses the layout.
async fn choose(browser: &Browser) {
    change(browser, ".spoken").await;
}

/// Waits until the scripts of the page have begun.
async fn ready(browser: &Browser) {
    browser.until("document.querySelector('.spoken .board button[tabindex=\"0\"]')").await;
}

/// Opens the first seat of a game, in the layout.
async fn sit(browser: &Browser, begun: &Value) {
    browser.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    browser.open(begun["url"].as_str().unwrap()).await;
    if browser.ask("return !document.querySelector('.spoken')").await == true {
        choose(browser).await;
        browser.until("/Layout for screen readers is on/.test(document.getElementById('live').textContent)").await;
    }
    ready(browser).await;
}

/// Sends a text from the field.
async fn send(browser: &Browser, text: &str) {
    browser.ask("document.getElementById('action').focus()").await;
    browser.keys(text.chars().chain([ENTER])).await;
}

/// Sends a command, and checks its answer in the live region and that the field is empty again.
async fn asks(browser: &Browser, command: &str, answer: &str) {
    browser.ask("document.getElementById('live').textContent = ''").await;
    send(browser, command).await;
    browser.until("document.getElementById('live').textContent").await;
    let heard = browser.ask("return document.getElementById('live').textContent").await;
    assert!(heard.as_str().unwrap().contains(answer), "{command}: {heard}");
    assert_eq!(browser.ask("return document.getElementById('action').value").await, "");
}

/// Parts of the page in reading order.
const ORDER: [&str; 6] = [".say h1", "#typed", ".table .moves", ".position .board", ".acts", "#more"];

/// Whether the parts follow each other.
async fn ordered(browser: &Browser) -> Value {
    let parts = json!(ORDER);
    browser
        .ask(&format!(
            "const parts = {parts}.map((part) => document.querySelector(part));
             return parts.every((part, at) => !at || parts[at - 1].compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING)"
        ))
        .await
}

#[tokio::test]
async fn layout_is_remembered_and_has_the_reading_order() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    both_seats(&browser, &site, json!({"variant": "chess", "opponent": "self"})).await;
    assert_eq!(ordered(&browser).await, false, "the usual layout has the board first");
    choose(&browser).await;
    // The next game has the layout too, also after an update of the page.
    both_seats(&browser, &site, json!({"variant": "chess", "opponent": "self"})).await;
    ready(&browser).await;
    send(&browser, "e2e4").await;
    browser.step(1).await;
    assert_eq!(ordered(&browser).await, true);
    let table = "const board = document.querySelector('.position .board');
        return [board.getAttribute('role'), board.querySelectorAll('th[scope=col]').length, board.querySelectorAll('th[scope=row]').length,
                board.querySelector('[data-square=e7]').innerText.trim(), board.querySelector('[data-square=e5]').innerText.trim()]";
    assert_eq!(browser.ask(table).await, json!([null, 8, 8, "e7, black pawn", "e5"]));
    for width in [390, 1280] {
        browser.width(width).await;
        let wide = format!("return document.documentElement.scrollWidth > {width}");
        assert_eq!(browser.ask(&wide).await, false, "at {width}");
    }
    change(&browser, ".round").await;
    assert_eq!(browser.ask("return !document.querySelector('.spoken, #live.answer')").await, true);
}

#[tokio::test]
async fn layout_works_without_scripts() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::without_scripts(&screen).await);
    both_seats(&browser, &site, json!({"variant": "chess", "opponent": "self"})).await;
    choose(&browser).await;
    assert_eq!(ordered(&browser).await, true);
    browser.ask("document.getElementById('action').value = 'e2e4'").await;
    browser.press("#typed button", "#game[data-ply='1']").await;
    assert_eq!(ordered(&browser).await, true);
    let seen = "return [...document.querySelectorAll('.scripted')].filter((one) => one.checkVisibility()).length";
    assert_eq!(browser.ask(seen).await, 0, "what needs a script is hidden");
}

#[tokio::test]
async fn commands_are_answered_from_the_page() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let game = json!({"variant": "chess", "opponent": "self", "clock": {"initial": 600, "increment": 0}});
    let begun = begin(&site, game).await;
    sit(&browser, &begun).await;
    asks(&browser, "last", "No moves yet").await;
    asks(&browser, "offers", "The page shows no offers now").await;
    let posts = "window.posts = 0; const soon = window.fetch; window.fetch = (...call) => { posts += 1; return soon(...call); }";
    browser.ask(posts).await;
    for (command, answer) in [
        ("help", "attackers f7"),
        ("status", "Your turn. Clocks: Anonymous, White: time left: 10:00"),
        ("o", "Black"),
        ("c", "Clocks. Anonymous, White: time left"),
        ("p n", "black knight b8, black knight g8, white knight b1, white knight g1"),
        ("p white knights", "white knight b1, white knight g1."),
        ("p zebra", "zebra: none"),
        ("scan e", "File e: e8 black king, e7 black pawn, e2 white pawn, e1 white king."),
        ("scan 4", "Rank 4: empty."),
        ("Moves g1", "g1: f3, h3."),
        ("moves e1", "e1: no moves."),
        ("attackers c3", "white pawn c2, white knight b1."),
        ("attackers e5", "none"),
        ("bid", "No bid is due"),
        ("chips", "none"),
        ("slips", "The page shows no slips now"),
        ("knights", "knights: b8 black knight"),
    ] {
        asks(&browser, command, answer).await;
    }
    assert_eq!(browser.ask("return posts").await, 0, "no command reaches the server");
    // Anything else is an action.
    send(&browser, "e4").await;
    browser.step(1).await;
    asks(&browser, "l", "White: pawn e4.").await;
    asks(&browser, "moves d2", "only when you are to move").await;
    send(&browser, "draw").await;
    browser.until("document.querySelector('[value=withdraw]')").await;
    asks(&browser, "offers", "You have offered a draw.").await;
}

#[tokio::test]
async fn commands_read_bids_prices_guesses_and_reserves() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let options = json!({"scheme": "secret", "white": 100, "black": 100});
    sit(&browser, &begin(&site, json!({"variant": "bidding", "options": options, "opponent": "self"})).await).await;
    asks(&browser, "bid", "Your secret bid for the next move. Least -100, most 100.").await;
    asks(&browser, "chips", "White: purse: 100; ").await;
    send(&browser, "bid 30").await;
    browser.until("/Sealed/.test(document.querySelector('.say').textContent)").await;

    let game = json!({"variant": "bookie", "opponent": "self"});
    let bids = said(&site, game, &["one bid 87", "two bid 65"]).await;
    sit(&browser, &json!({"url": bids.address, "seats": [{"url": bids.seats[0]}]})).await;
    asks(&browser, "slips", "87 on White, 13 on Black").await;

    let played = Played::begin(&site, json!({"money_two": 60})).await;
    played.say(1, "guess e2").await;
    sit(&browser, played.begun()).await;
    asks(&browser, "prices", "knight, new ").await;
    send(&browser, "e2e4").await;
    browser.until("document.getElementById('game').dataset.ply !== '0'").await;
    played.say(1, "accept").await;
    browser.until("document.querySelector('#game .slip.open')").await;
    asks(&browser, "guesses", "White played").await;

    let begun = recorded(&site, "csipgs-standard", 60).await;
    sit(&browser, &begun).await;
    asks(&browser, "reserve", "White: Reserve: rook").await;
    asks(&browser, "prices", "White: 1, Design ").await;
}

#[tokio::test]
async fn whole_game_is_typed() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    both_seats(&browser, &site, json!({"variant": "chess", "opponent": "self"})).await;
    choose(&browser).await;
    browser.until("/Layout for screen readers is on/.test(document.getElementById('live').textContent)").await;
    ready(&browser).await;
    browser.keys(['/']).await;
    for (ply, text) in ["f3", "e5", "g4", "Qh4"].into_iter().enumerate() {
        // The field keeps the focus.
        browser.until("document.activeElement.id === 'action' && !document.activeElement.value").await;
        browser.keys(text.chars().chain([ENTER])).await;
        browser.step(ply + 1).await;
    }
    browser.until("/Black won/.test(document.getElementById('live').textContent)").await;
    assert_eq!(browser.ask("return /checkmate/.test(document.querySelector('.say').textContent)").await, true);
}

#[tokio::test]
async fn layout_is_accessible() {
    let Some(screen) = screen().await else { return };
    let Some(axe) = tools::named("ZORKMID_AXE").map(|path| fs::read_to_string(path).unwrap()) else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let mut faults = Vec::new();
    for variant in ["chess", "bidding", "bookie", "csipgs", "clairvoyant", "crazyhouse", "raumschach"] {
        sit(&browser, &begin(&site, json!({"variant": variant, "opponent": "self"})).await).await;
        browser.ask(&axe).await;
        for (width, scheme) in [(390, "dark"), (1280, "light")] {
            browser.width(width).await;
            browser.scheme(scheme).await;
            shut_out(&browser, &format!("{variant}-{width}-{scheme}"), &mut faults).await;
            if browser.ask(&format!("return document.documentElement.scrollWidth > {width}")).await == true {
                faults.push(format!("{variant} is too wide at {width}"));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[tokio::test]
async fn commands_work_for_spectators_and_after_the_game() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = begin(&site, json!({"variant": "chess", "opponent": "self"})).await;
    for (seat, action) in [(0, "f2f3"), (1, "e7e5")] {
        say(&site, &begun, seat, action).await;
    }
    browser.open(begun["url"].as_str().unwrap()).await;
    choose(&browser).await;
    browser.until("/Layout for screen readers is on/.test(document.getElementById('live').textContent)").await;
    ready(&browser).await;
    asks(&browser, "last", "Black: pawn e5").await;
    asks(&browser, "knights", "black knight").await;
    asks(&browser, "attackers e4", "for both sides: white pawn f3.").await;
    asks(&browser, "e2e4", "There is no such command").await;
    for (seat, action) in [(0, "g2g4"), (1, "d8h4")] {
        say(&site, &begun, seat, action).await;
    }
    browser.until("document.getElementById('game').dataset.over").await;
    asks(&browser, "status", "checkmate").await;
    asks(&browser, "resign", "There is no such command").await;
    change(&browser, ".round").await;
    browser.until("/Layout with the board first is on/.test(document.getElementById('live').textContent)").await;
}

#[tokio::test]
async fn attackers_are_answered_while_bidding_but_not_in_the_fog() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let options = json!({"scheme": "secret", "white": 100, "black": 100});
    sit(&browser, &begin(&site, json!({"variant": "bidding", "options": options, "opponent": "self"})).await).await;
    asks(&browser, "attackers f3", "for both sides: white pawn e2, white pawn g2, white knight g1.").await;
    asks(&browser, "attackers f6", "black knight g8").await;
    sit(&browser, &begin(&site, json!({"variant": "fog-of-war", "opponent": "self"})).await).await;
    assert_eq!(browser.ask("return !document.getElementById('attacks')").await, true);
}
