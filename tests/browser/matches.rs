//! A match of two deals between two browsers on a slow network: sealed slips, the reveal, the end of a deal, and the next deal.

use super::{Browser, Site, begin, driver::screen};
use serde_json::json;

/// Writes a bid on the slip and seals it.
async fn bid(browser: &Browser, bid: u8) {
    browser.until("document.getElementById('bid')").await;
    browser
        .ask(&format!(
            "document.getElementById('bid').value = '{bid}'; document.getElementById('bid').form.requestSubmit()"
        ))
        .await;
    browser
        .until("/Sealed: bid/.test(document.getElementById('game').textContent) || document.querySelector('.terms')")
        .await;
}

#[tokio::test]
async fn match_is_shown_deal_by_deal() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let wanted = json!({"variant": "bookie", "opponent": "link", "name": "Anna", "options": {"deals": 2}});
    let begun = begin(&site, wanted).await;
    let game = begun["url"].as_str().unwrap();
    let (one, two) = (Browser::new(&screen).await, Browser::new(&screen).await);
    one.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    two.open(begun["invite"]["url"].as_str().unwrap()).await;
    two.ask("document.querySelector('main form [name=name]').value = 'Barb'").await;
    two.press("main form button.primary", "#game").await;
    for browser in [&one, &two] {
        browser.open(game).await;
        browser.until("document.querySelector('.board[role=grid]')").await;
        browser.slow(400).await;
    }
    two.wish("prefers-reduced-motion", "reduce").await;
    one.ask("window.turned = 0; addEventListener('animationstart', (event) => window.turned += event.animationName === 'turn-over')").await;
    two.ask("window.turned = 0; addEventListener('animationstart', () => window.turned += 1)").await;

    bid(&one, 87).await;
    one.until("!document.querySelector('.slip.open, .terms')").await;
    bid(&two, 65).await;
    // Both hear the same in the same order: the colour and the stakes, the opponent's bid, and the side to move.
    for (browser, words) in [
        (
            &one,
            ["Black: bids 65 on White", "You play White: a win pays you 35, a loss pays your opponent 87", "Your turn"],
        ),
        (
            &two,
            [
                "White: bids 87 on White",
                "You play Black: a win pays you 87, a loss pays your opponent 35",
                "Anna to move",
            ],
        ),
    ] {
        browser.until("document.querySelectorAll('.slips .slip.open').length === 2").await;
        let said = browser.ask("return document.getElementById('live').textContent").await;
        let said = said.as_str().unwrap();
        let places = words.map(|words| said.find(words).unwrap_or(usize::MAX));
        assert!(places.is_sorted() && places[2] < usize::MAX, "{said}");
    }
    one.until("window.turned === 2 && document.getAnimations().length === 0").await;
    assert_eq!(two.ask("return window.turned").await, 0, "no animation with reduced motion");

    // Slips turn over once, not at every move.
    one.until("document.querySelector('td.movable')").await;
    one.keys("/".chars()).await;
    one.until("document.activeElement.id === 'action'").await;
    let action = one.ask("return JSON.parse(document.getElementById('choices').textContent)[0].action").await;
    one.keys(action.as_str().unwrap().chars().chain(['\u{e007}'])).await;
    two.until("document.querySelector('.moves .notes') && document.querySelector('td.last-to')").await;
    one.until("document.querySelector('td.last-to')").await;
    assert_eq!(one.ask("return window.turned").await, 2);

    two.press("a[href*='end=resign']", "#resign button[value=resign]").await;
    // A button that has just appeared ignores presses.
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    two.press("#resign button[value=resign]", "a[href*='deal=2']").await;
    for browser in [&one, &two] {
        browser.until("document.querySelector('h1').textContent === 'Deal 1 is over'").await;
        browser
            .until(
                "/Anna wins: resignation. Anna gets 35, Barb gets 0/.test(document.getElementById('live').textContent)",
            )
            .await;
        browser.until("document.querySelector('.slips') && document.querySelector('svg.graph') && document.querySelector('td.last-to')").await;
    }
    one.press("a[href*='deal=2']", "#bid").await;
    bid(&one, 20).await;
    // The opponent can stay on the end of the deal.
    two.until("Number(document.getElementById('game').dataset.version) > 0").await;
    assert_eq!(two.ask("return document.querySelector('h1').textContent").await, "Deal 1 is over");
    two.press("a[href*='deal=2']", "#bid").await;
    bid(&two, 60).await;
    one.until("/You play Black: a win pays you 60/.test(document.getElementById('live').textContent)").await;
    one.until("document.querySelectorAll('.moves tr.deal').length === 2").await;
}
