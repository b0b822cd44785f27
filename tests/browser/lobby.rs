//! From the home page to the first move: live lobby, seeks, pairing of two players, and the number of spectators.

use super::{Browser, Site, begin, driver::screen};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[tokio::test]
async fn open_games_appear_and_disappear_on_the_front_page() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let browser = Browser::new(&screen).await;
    browser.open(&site).await;
    browser.until("/No open games right now/.test(document.getElementById('lists').textContent)").await;
    // On a phone, the page has at most three screens, and the buttons that begin a game are in the first one.
    browser.width(390).await;
    let height = browser.ask("return document.documentElement.scrollHeight").await;
    assert!(height.as_u64().unwrap() <= 3 * 844, "{height}");
    let begin_at = browser.ask("return document.querySelector('.find .actions').getBoundingClientRect().bottom").await;
    assert!(begin_at.as_f64().unwrap() <= 844.0, "{begin_at}");
    let begun = begin(&site, json!({"variant": "chess", "opponent": "open", "name": "Adam"})).await;
    browser.until("/Adam/.test(document.querySelector('#lists tr[data-game]')?.textContent)").await;
    browser.until("/Open games: 1/.test(document.getElementById('lobby-news').textContent)").await;
    // A focused button of the list keeps the focus.
    browser.ask("document.querySelector('#lists tr[data-game] button').focus()").await;
    let clock = json!({"initial": 300, "increment": 3});
    begin(&site, json!({"variant": "clairvoyant", "opponent": "open", "clock": clock})).await;
    browser.until("document.querySelectorAll('#lists tr[data-game]').length === 2").await;
    let buttons =
        "[...document.querySelectorAll('#lists button')].map((button) => button.getBoundingClientRect().right)";
    browser.until(&format!("{buttons}.every((right) => right <= innerWidth)")).await;
    let id = begun["id"].as_str().unwrap();
    browser.until(&format!("document.activeElement.closest('tr')?.dataset.game === '{id}'")).await;
    let claim = json!({"game": id, "name": "Barb"});
    let sat = reqwest::Client::new().post(format!("{}/api/seats", &*site)).json(&claim).send().await.unwrap();
    assert!(sat.status().is_success());
    browser.until("document.querySelectorAll('#lists tr[data-game]').length === 1").await;
}

#[tokio::test]
async fn two_players_are_paired() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let (one, two) = (Browser::new(&screen).await, Browser::without_scripts(&screen).await);
    one.open(&site).await;
    one.press("form.find button", "#game").await;
    one.until("document.querySelector('.board[role=grid]') && /^Looking for an opponent/.test(document.title)").await;
    // Meanwhile, the invitation can be copied with one click, or scanned as a QR code.
    one.ask("window.copied = ''; navigator.clipboard.writeText = async (text) => { window.copied = text; }").await;
    one.ask("document.querySelector('.notice [data-hand=copy]').click()").await;
    one.until("document.querySelector('.notice .qr path') && /\\/invite\\/[a-z0-9]+$/.test(window.copied) && /Copied/.test(document.querySelector('[data-hand=copy]').textContent)").await;
    one.ask("document.querySelector('.qr').open = true").await;
    two.open(&site).await;
    two.press("form.find button", "#game").await;
    one.until("document.querySelector('[data-arrived]')").await;
    let address = one.ask("return location.pathname").await;
    assert_eq!(two.ask("return location.pathname").await, address);
    // A spectator comes and goes, and both players see it.
    let three = Browser::new(&screen).await;
    three.open(&format!("{}{}", &*site, address.as_str().unwrap())).await;
    one.until("document.getElementById('spectators').checkVisibility()").await;
    one.until("/Spectators: 1$/.test(document.getElementById('spectators').textContent)").await;
    three.open(&site).await;
    one.until("!document.getElementById('spectators').checkVisibility()").await;
}

/// Seeks an opponent from the home page.
async fn seek(browser: &Browser, site: &str) {
    browser.open(site).await;
    browser.press("form.find button", "#game").await;
}

#[tokio::test]
async fn a_seeker_gets_to_the_game_from_other_pages() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let (one, two) = (Browser::new(&screen).await, Browser::new(&screen).await);
    for path in ["/", "/rules/chess", "/puzzles/guess/0"] {
        seek(&one, &site).await;
        one.until("/Looking for an opponent/.test(document.querySelector('h1').textContent)").await;
        one.until("!/to (move|bid)|Your turn/.test(document.getElementById('game').textContent)").await;
        let game = one.ask("return location.pathname").await;
        one.open(&format!("{}{path}", &*site)).await;
        one.until("document.querySelector('#seek [data-state=waiting]')").await;
        seek(&two, &site).await;
        assert_eq!(two.ask("return location.pathname").await, game, "{path}");
        one.until(&format!("location.pathname === {game} && document.querySelector('[data-arrived]')")).await;
        one.until("!document.querySelector('#seek > *')").await;
    }
    // Text that was not sent keeps the page, and a banner leads to the game.
    seek(&one, &site).await;
    one.open(&format!("{}/betza", &*site)).await;
    one.ask("document.querySelector('main input.code').value = 'N'").await;
    seek(&two, &site).await;
    one.until("document.querySelector('#seek .found a')?.checkVisibility()").await;
    assert_eq!(one.ask("return location.pathname").await, "/betza");
    one.press("#seek .found a", "#game").await;
}

#[tokio::test]
async fn a_closed_browser_leaves_the_lobby_within_seconds() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let open = async || {
        let lobby: Value = reqwest::get(format!("{}/api/games", &*site)).await.unwrap().json().await.unwrap();
        lobby["open"].as_array().unwrap().len()
    };
    let browser = Browser::new(&screen).await;
    seek(&browser, &site).await;
    // While the browser shows any page, the seek stays.
    browser.open(&format!("{}/rules/duck", &*site)).await;
    tokio::time::sleep(Duration::from_secs(25)).await;
    assert_eq!(open().await, 1);
    drop(browser);
    let closed = Instant::now();
    while open().await == 1 {
        assert!(closed.elapsed() < Duration::from_secs(25), "the seek is still open");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test]
async fn form_without_script_keeps_its_values() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let browser = Browser::without_scripts(&screen).await;
    browser.width(390).await;
    browser.open(&format!("{}/new/csipgs", &*site)).await;
    // The button that begins the game is in view from the start.
    let foot = browser
        .ask("return document.querySelector('.foot button').getBoundingClientRect().bottom <= innerHeight")
        .await;
    assert_eq!(foot, true);
    browser.ask("document.getElementById('name').value = 'Barb'").await;
    browser.ask("document.querySelector('input[name=clock]').scrollIntoView({block: 'center'})").await;
    browser.press("input[name=clock][value='3+2']", "input[name=clock][value='3+2']:checked").await;
    browser.ask("document.querySelector('input[name=opponent][value=self]').scrollIntoView({block: 'center'})").await;
    browser.press("input[name=opponent][value=self]", "input[name=opponent][value=self]:checked").await;
    browser.ask("document.querySelector('button[value=army]').scrollIntoView({block: 'center'})").await;
    browser.press("button[name=choose][value=army]", "button[value=army][aria-pressed=true]").await;
    browser.until("document.querySelector('input[name=clock][value=\"3+2\"]').checked").await;
    browser.until("document.querySelector('input[name=opponent][value=self]').checked && document.getElementById('name').value === 'Barb'").await;
    // A custom time control appears on request, and is then used.
    browser.until("!document.getElementById('minutes').checkVisibility()").await;
    browser.ask("document.querySelector('input[value=other]').scrollIntoView({block: 'center'})").await;
    browser.press("input[name=clock][value=other]", "input[name=clock][value=other]:checked").await;
    browser.until("document.getElementById('minutes').checkVisibility()").await;
    browser.ask("document.getElementById('minutes').value = '7'").await;
    browser.press(".foot button", "#game").await;
    browser.until("/7:00/.test(document.querySelector('.clock').textContent)").await;
}
