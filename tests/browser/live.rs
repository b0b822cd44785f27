//! Two browsers at one game, and reconnection after the server was down.

use super::{Browser, MATE, Site, begin, between, driver::screen, on_one_screen};
use crate::program::Server;
use serde_json::json;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn two_browsers_see_each_others_moves() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let (one, two) = (Browser::new(&screen).await, Browser::new(&screen).await);
    between(&one, &two, &site, json!({"variant": "chess", "opponent": "link"})).await;
    for browser in [&one, &two] {
        browser.until("document.querySelector('.board[role=grid]')").await;
    }
    // Typed text and the focus stay when the opponent moves.
    two.until("document.querySelector('td[data-square=e7].movable')").await;
    one.drag("e2", "e4").await;
    two.step(1).await;
    two.until("/e4/.test(document.getElementById('live').textContent) && document.querySelector('#action')").await;
    two.keys(['/']).await;
    two.until("document.activeElement.id === 'action'").await;
    two.keys("e7".chars()).await;
    for button in ["a[href*=\"end=draw\"]", "#draw button"] {
        one.until(&format!("document.querySelector('{button}')")).await;
        one.ask(&format!("document.querySelector('{button}').click()")).await;
    }
    two.until("/offers a draw/.test(document.getElementById('game').textContent)").await;
    two.until("document.activeElement.id === 'action' && document.activeElement.value === 'e7'").await;
    two.keys("e5\u{e007}".chars()).await;
    one.step(2).await;
    // A premove is played when the turn comes.
    two.step(2).await;
    two.drag("b8", "c6").await;
    two.until("document.querySelector('td[data-square=c6].premove')").await;
    one.drag("g1", "f3").await;
    one.step(4).await;
    two.step(4).await;
    one.until("/knight/.test(document.querySelector('td[data-square=c6]').textContent)").await;
}

#[tokio::test]
async fn waiting_player_learns_that_the_opponent_joined() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let clock = json!({"initial": 300, "increment": 0});
    let begun = begin(&site, json!({"variant": "chess", "opponent": "link", "clock": clock})).await;
    let (one, two) = (Browser::new(&screen).await, Browser::without_scripts(&screen).await);
    one.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    one.until("document.querySelector('.board[role=grid]') && /^Waiting/.test(document.title)").await;
    let heard = |event: &str| format!("document.querySelector('.board').dataset.heard === '{event}'");
    one.press("#preferences summary", "#preferences[open]").await;
    one.press("[data-tool=sound]", "[data-tool=sound][aria-pressed=true]").await;
    one.until(&heard("move")).await;
    two.open(begun["invite"]["url"].as_str().unwrap()).await;
    two.ask("document.getElementById('name').value = 'Barb'").await;
    two.press("main form button.primary", "#game").await;
    one.until("/Barb joined the game/.test(document.querySelector('[data-arrived]')?.textContent)").await;
    one.until("/^Barb joined the game · Your turn · Chess/.test(document.title)").await;
    one.until(&heard("join")).await;
    one.until("/Barb joined the game/.test(document.getElementById('live').textContent)").await;
    // No clock runs before the first move.
    one.until("!document.querySelector('.clock.running') && /start with the first action/.test(document.getElementById('game').textContent)").await;
    one.until("document.querySelector('td[data-square=e2].movable')").await;
    one.drag("e2", "e4").await;
    one.step(1).await;
    one.until(
        "document.querySelectorAll('.clock.running').length === 1 && /^Barb to move · Chess/.test(document.title)",
    )
    .await;
    one.until(&heard("move")).await;
}

#[tokio::test]
async fn page_reconnects_to_its_server() {
    let Some(screen) = screen().await else { return };
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let site = server.address.clone();
    let begun = begin(&site, json!({"variant": "chess", "opponent": "self"})).await;
    let browser = Browser::new(&screen).await;
    browser.open(begun["url"].as_str().unwrap()).await;
    browser.until("document.querySelector('.board[role=grid]')").await;
    server.kill();
    browser.until("/Reconnecting/.test(document.getElementById('connection')?.textContent)").await;
    let again = Server::start_at(data.path(), site.trim_start_matches("http://"));
    assert_eq!(again.address, site);
    let act = format!("{site}/api/games/{}/actions", begun["id"].as_str().unwrap());
    let token = begun["seats"][0]["token"].as_str().unwrap();
    let action = json!({"ply": 0, "action": "d2d4"});
    let answer = reqwest::Client::new().post(act).bearer_auth(token).json(&action).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    browser.step(1).await;
    browser.until("!document.getElementById('connection')?.checkVisibility()").await;
}

/// Address of a proxy to a site. When it is silenced, its connections stay open, but pass no more bytes. New ones work.
async fn proxy(site: &str) -> (String, CancellationToken) {
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", port.local_addr().unwrap());
    let (silence, site) = (CancellationToken::new(), site.trim_start_matches("http://").to_owned());
    let silenced = silence.clone();
    tokio::spawn(async move {
        while let Ok((mut near, _)) = port.accept().await {
            let silence = if silenced.is_cancelled() { CancellationToken::new() } else { silenced.clone() };
            let mut far = TcpStream::connect(&site).await.unwrap();
            tokio::spawn(async move {
                if silence.run_until_cancelled(copy_bidirectional(&mut near, &mut far)).await.is_none() {
                    std::future::pending::<()>().await;
                }
            });
        }
    });
    (address, silence)
}

#[tokio::test]
async fn page_reconnects_after_silence() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let begun = begin(&site, json!({"variant": "chess", "opponent": "self"})).await;
    let (near, silence) = proxy(&site).await;
    let browser = Browser::new(&screen).await;
    browser.open(&begun["url"].as_str().unwrap().replace(&*site, &near)).await;
    browser.until("document.querySelector('.board[role=grid]')").await;
    silence.cancel();
    let act = format!("{}/api/games/{}/actions", &*site, begun["id"].as_str().unwrap());
    let token = begun["seats"][0]["token"].as_str().unwrap();
    let action = json!({"ply": 0, "action": "d2d4"});
    let answer = reqwest::Client::new().post(act).bearer_auth(token).json(&action).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    browser.step(1).await;
}

#[tokio::test]
async fn review_arrives_by_itself_and_follows_the_step() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let browser = Browser::new(&screen).await;
    on_one_screen(&browser, &site).await;
    for (ply, (from, to)) in MATE.iter().enumerate() {
        browser.until(&format!("document.querySelector('td[data-square={from}].movable')")).await;
        assert_eq!(
            browser.ask("return document.querySelector('.lookback, [data-waits]')").await,
            serde_json::Value::Null
        );
        browser.drag(from, to).await;
        browser.step(ply + 1).await;
    }
    browser.ask("window.same = true").await;
    browser.until("document.querySelector('.lookback polygon')").await;
    browser.until("/g4 instead of /.test(document.querySelector('.lookback').textContent)").await;
    // The replay changes the marked step without requesting a page.
    browser.press("[data-step=back]", "[data-past=review] [aria-current=step]").await;
    browser.until("/Here: about 0/.test(document.querySelector('[data-past=review]').textContent)").await;
    browser.press("[data-step=back]", "[data-past=review]:not(:has([aria-current]))").await;
    assert_eq!(browser.ask("return window.same").await, true, "the page was not reloaded");
}

#[tokio::test]
async fn countdown_offers_the_claim_without_a_reload() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let (one, two) = (Browser::new(&screen).await, Browser::new(&screen).await);
    // The longest game whose countdown has ten seconds.
    let clock = json!({"initial": 179, "increment": 0});
    between(&one, &two, &site, json!({"variant": "chess", "opponent": "link", "clock": clock})).await;
    two.until("document.querySelector('.board[role=grid]')").await;
    one.until("document.querySelector('td[data-square=e2].movable')").await;
    one.ask("window.loaded = 'once'").await;
    one.drag("e2", "e4").await;
    one.step(1).await;
    assert_eq!(one.ask("return !!document.getElementById('claim')").await, false, "the opponent is connected");
    two.open(&format!("{}/about", &*site)).await;
    let left = "document.querySelector('#claim [data-left]')?.textContent ?? ''";
    one.until(&format!(
        "/You can claim the win in/.test(document.getElementById('claim')?.textContent) && /^0:0\\d/.test({left})"
    ))
    .await;
    assert_eq!(one.ask("return !!document.querySelector('#claim button')").await, false);
    one.until("document.querySelector('#claim button[value=\"claim victory\"]') && document.querySelector('#claim button[value=\"call draw\"]')").await;
    // A button that has just appeared ignores presses.
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    one.press("#claim button.primary", "#game[data-over]").await;
    assert_eq!(one.ask("return window.loaded").await, "once");
    one.until("/Black left the game/.test(document.getElementById('game').textContent)").await;
}
