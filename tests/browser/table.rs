//! Two players at one game, also on slow connections: rematches, replay during the game, and messages about actions that did not arrive.

use super::{
    Browser, MATE, Site, begin,
    driver::{Screen, screen},
    on_one_screen,
};
use serde_json::{Value, json};

const ESCAPE: char = '\u{e00c}';
const END: char = '\u{e010}';
const HOME: char = '\u{e011}';
const LEFT: char = '\u{e012}';
const RIGHT: char = '\u{e014}';

/// Plays an action for a seat of a game that was begun through the API.
async fn say(site: &str, begun: &Value, seat: usize, ply: usize, action: &str) {
    let to = format!("{site}/api/games/{}/actions", begun["id"].as_str().unwrap());
    let token = begun["seats"][seat]["token"].as_str().unwrap();
    let action = json!({"ply": ply, "action": action});
    let answer = reqwest::Client::new().post(to).bearer_auth(token).json(&action).send().await.unwrap();
    assert_eq!(answer.status(), 200);
}

/// Two browsers at one game of chess, White's browser first.
async fn table(screen: &Screen, site: &str) -> (Browser, Browser) {
    let begun =
        begin(site, json!({"variant": "chess", "opponent": "link", "clock": {"initial": 3600, "increment": 0}})).await;
    let (one, two) = (Browser::new(screen).await, Browser::new(screen).await);
    one.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    two.open(begun["invite"]["url"].as_str().unwrap()).await;
    two.press("main form button.primary", "#game").await;
    for browser in [&one, &two] {
        browser.open(begun["url"].as_str().unwrap()).await;
        browser.until("document.querySelector('.board[role=grid]')").await;
    }
    (one, two)
}

/// Clicks the button of an action.
async fn presses(browser: &Browser, action: &str) {
    browser.until(&format!("document.querySelector('button[name=action][value={action}]')")).await;
    browser.ask(&format!("document.querySelector('button[name=action][value={action}]').click()")).await;
}

/// Resigns.
async fn resigns(browser: &Browser) {
    browser.until("document.querySelector('a[href*=\"end=resign\"]')").await;
    browser.ask("document.querySelector('a[href*=\"end=resign\"]').click()").await;
    presses(browser, "resign").await;
    browser.until("document.getElementById('game').dataset.over").await;
}

/// The game that a page shows, and the viewer's side.
async fn place(browser: &Browser) -> Value {
    browser.ask("const {id, side} = document.getElementById('game').dataset; return [id, side]").await
}

/// Waits until the page shows the next game.
async fn moved_on(browser: &Browser, from: &Value) {
    let from = from[0].as_str().unwrap();
    browser
        .until(&format!("location.pathname !== '/games/{from}' && document.querySelector('.board[role=grid]')"))
        .await;
}

#[tokio::test]
async fn rematch_takes_both_players_along() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let (one, two) = table(&screen, &site).await;
    let watcher = Browser::new(&screen).await;
    watcher.open(one.ask("return location.href").await.as_str().unwrap()).await;
    two.slow(150).await;
    for (number, first_asks) in [(0, true), (1, false)] {
        let before = [place(&one).await, place(&two).await];
        assert_eq!(before[0][1], ["white", "black"][number]);
        let (early, late) = if first_asks { (&one, &two) } else { (&two, &one) };
        resigns(&one).await;
        two.until("document.getElementById('game').dataset.over").await;
        presses(early, "rematch").await;
        late.until("document.getElementById('game').textContent.includes('Accept the rematch')").await;
        presses(late, "rematch").await;
        for (browser, before) in [(&one, &before[0]), (&two, &before[1])] {
            moved_on(browser, before).await;
            let after = place(browser).await;
            assert_ne!(after[1], before[1], "the seats are exchanged");
        }
        assert_eq!(place(&one).await[0], place(&two).await[0]);
        if number == 0 {
            watcher.until("document.querySelector('#game a[href^=\"/games/\"].primary')").await;
        }
    }
    // Both hold their seats: White moves, and Black sees it.
    one.drag("e2", "e4").await;
    two.step(1).await;
}

#[tokio::test]
async fn rematch_with_a_bot_begins_at_once_and_the_old_game_stays_open() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = begin(&site, json!({"variant": "chess", "opponent": "bot:random"})).await;
    browser.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    for _ in 0..3 {
        browser.until("document.querySelector('.board[role=grid]')").await;
        let before = place(&browser).await;
        resigns(&browser).await;
        presses(&browser, "rematch").await;
        moved_on(&browser, &before).await;
    }
    // Opening the first game again does not lead to the rematch.
    browser.open(begun["url"].as_str().unwrap()).await;
    browser
        .until("document.querySelector('.board[role=grid]') && document.querySelector('form[action$=rematch]')")
        .await;
    browser.ask("window.stayed = true").await;
    browser.keys([LEFT]).await;
    assert_eq!(browser.ask("return window.stayed").await, true);
}

#[tokio::test]
async fn replay_misses_no_events() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let (one, two) = table(&screen, &site).await;
    one.drag("f2", "f3").await;
    two.step(1).await;
    two.drag("e7", "e5").await;
    one.step(2).await;
    two.step(2).await;
    // Black replays moves while White moves and offers a draw. The clocks keep running.
    two.ask("document.activeElement.blur(); window.stayed = true").await;
    two.keys([LEFT]).await;
    two.until("location.hash === '#1' && document.querySelector('td[data-square=e7][data-piece=pawn]')").await;
    let time = "document.querySelector('.seat:not([hidden]) .clock.running').textContent";
    two.ask(&format!("window.time = {time}")).await;
    two.until(&format!("window.time !== {time}")).await;
    let title = two.ask("return document.title").await;
    assert_eq!(two.ask("return document.querySelectorAll('td.movable').length").await, 0);
    one.drag("g2", "g4").await;
    one.step(3).await;
    two.until("document.querySelector('#looking.news button') && document.getElementById('game').dataset.ply === '3'")
        .await;
    assert_ne!(two.ask("return document.title").await, title, "the title stays live");
    two.until("document.querySelector('td[data-square=e7][data-piece=pawn]')").await;
    one.ask("document.querySelector('a[href*=\"end=draw\"]').click()").await;
    presses(&one, "draw").await;
    two.until("document.querySelector('button[value=decline]')").await;
    two.until("document.querySelector('td[data-square=e7][data-piece=pawn]') && location.hash === '#1'").await;
    // One key returns to the game, and the move can be made.
    two.keys([ESCAPE]).await;
    two.until("!document.getElementById('looking') && location.hash === '' && document.querySelector('td[data-square=g4].last-to')").await;
    two.drag("d8", "h4").await;
    one.step(4).await;
    assert_eq!(two.ask("return window.stayed").await, true);
}

#[tokio::test]
async fn stepping_makes_one_request() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = begin(&site, json!({"variant": "chess", "opponent": "self"})).await;
    for (ply, (from, to)) in MATE.iter().enumerate() {
        say(&site, &begun, ply % 2, ply, &format!("{from}{to}")).await;
    }
    let game = begun["url"].as_str().unwrap();
    browser.open(game).await;
    browser.until("document.querySelector('.board[role=grid]')").await;
    // The engine's review is part of the steps, and arrives a little later.
    browser.until("document.getElementById('game').dataset.judged").await;
    browser.slow(150).await;
    browser.ask("const ask = window.fetch; window.asked = []; window.fetch = (...what) => { window.asked.push(String(what[0])); return ask(...what); }; window.entries = history.length;").await;
    // Every key press counts, also after a click on the board and while the steps are loading.
    browser.tap("e4").await;
    browser.keys([LEFT, LEFT, LEFT]).await;
    browser.until("location.hash === '#1' && document.querySelector('td[data-square=f3].last-to')").await;
    browser.keys([HOME]).await;
    browser.until("location.hash === '#0' && document.querySelector('td[data-square=f2][data-piece=pawn]')").await;
    browser.keys([RIGHT, RIGHT]).await;
    browser.until("location.hash === '#2' && document.querySelector('td[data-square=e5].last-to')").await;
    browser.until("[...document.querySelectorAll('.round > .moves td[aria-current]')].map((cell) => cell.textContent.trim()).join() === 'e5'").await;
    browser.keys([END]).await;
    browser.until("location.hash === '' && document.querySelector('td[data-square=h4].last-to')").await;
    for (way, hash) in [("first", "#0"), ("next", "#1"), ("back", "#0"), ("last", "")] {
        browser.ask(&format!("document.querySelector('.nav > [data-step={way}]').click()")).await;
        browser.until(&format!("location.hash === '{hash}'")).await;
    }
    assert_eq!(browser.ask("return [window.asked.length, history.length - window.entries]").await, json!([1, 0]));
    assert!(browser.ask("return window.asked[0]").await.as_str().unwrap().contains("/moments"));

    // The step has an address, and its permanent link leads to the same game.
    browser.open("about:blank").await;
    browser.open(&format!("{game}#2")).await;
    browser.until("document.querySelector('td[data-square=e5].last-to') && document.getElementById('game').dataset.ply === '4'").await;
    browser.open(&format!("{game}/ply/2")).await;
    browser.until("document.querySelector('.board[role=grid] td[data-square=e5].last-to')").await;
    browser.keys([LEFT]).await;
    browser.until("location.hash === '#1' && document.querySelector('td[data-square=f3].last-to')").await;

    // After a new move, only new steps are requested.
    let begun = begin(&site, json!({"variant": "chess", "opponent": "self"})).await;
    for (ply, action) in ["e2e4", "e7e5", "g1f3"].iter().enumerate() {
        say(&site, &begun, ply % 2, ply, action).await;
    }
    browser.open(begun["url"].as_str().unwrap()).await;
    browser.until("document.querySelector('.board[role=grid]')").await;
    browser.ask("const ask = window.fetch; window.asked = []; window.fetch = (...what) => { window.asked.push(String(what[0])); return ask(...what); };").await;
    browser.keys([LEFT]).await;
    browser.until("document.querySelector('td[data-square=e5].last-to')").await;
    say(&site, &begun, 1, 3, "b8c6").await;
    browser.until("document.querySelector('#looking.news')").await;
    browser.keys([RIGHT]).await;
    browser.until("location.hash === '#3' && document.querySelector('td[data-square=f3].last-to')").await;
    assert_eq!(browser.ask("return window.asked.map((to) => to.split('since=')[1])").await, json!(["0", "3"]));
}

#[tokio::test]
async fn unsent_action_shows_a_message_until_the_next_action() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    on_one_screen(&browser, &site).await;
    browser.until("document.querySelector('td.movable')").await;
    browser.width(390).await;
    browser.offline(true).await;
    browser.drag("e2", "e4").await;
    let shown = |id: &str| format!("document.getElementById('{id}')?.checkVisibility()");
    browser.until(&shown("unsent")).await;
    browser.until("document.querySelector('td[data-square=e2][data-piece=pawn]')").await;
    browser.offline(false).await;
    browser.ask("return new Promise((done) => setTimeout(done, 400))").await;
    browser.until(&shown("unsent")).await;
    // The message covers nothing.
    let covered = "const box = document.getElementById('unsent').getBoundingClientRect();
        return [...document.querySelectorAll('.seat, .board, .acts')].some((other) => {
          const it = other.getBoundingClientRect();
          return it.bottom > box.top + 1 && it.top < box.bottom - 1;
        });";
    assert_eq!(browser.ask(covered).await, false);
    browser.drag("e2", "e4").await;
    browser.step(1).await;
    browser.until(&format!("!{}", shown("unsent"))).await;
}

#[tokio::test]
async fn refusal_stays_during_the_opponents_action() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = begin(&site, json!({"variant": "chess", "opponent": "self"})).await;
    browser.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    browser.until("document.querySelector('td.movable')").await;
    browser.keys(['/']).await;
    browser.until("document.activeElement.id === 'action'").await;
    browser.keys("e2e5\u{e007}".chars()).await;
    browser.until("document.getElementById('refusal') && document.getElementById('action').value === 'e2e5'").await;
    say(&site, &begun, 1, 0, "draw").await;
    browser.until("document.querySelector('button[value=decline]')").await;
    browser.until("document.getElementById('refusal') && document.getElementById('action').value === 'e2e5'").await;
    browser.drag("e2", "e4").await;
    browser.step(1).await;
    browser.until("!document.getElementById('refusal')").await;
}
