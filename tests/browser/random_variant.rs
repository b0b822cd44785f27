//! A randomly drawn game between two browsers: one with scripts and keyboard, the other on a touch screen without scripts.

use super::{Browser, Site, between, driver::screen};
use serde_json::json;

#[tokio::test]
async fn both_weigh_the_games_and_play_the_drawn_one() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let game = json!({"variant": "random-variant", "options": {"weighted": true}, "opponent": "link"});
    let (one, two) = (Browser::new(&screen).await, Browser::without_scripts(&screen).await);
    let game = &between(&one, &two, &site, game).await;
    // By keyboard: the weight is typed, and Enter seals it.
    one.until("document.getElementById('weight-duck')").await;
    one.ask("document.getElementById('weight-duck').select()").await;
    one.keys("9\u{e007}".chars()).await;
    one.until("/Sealed: weigh duck 9/.test(document.getElementById('game').textContent)").await;
    two.open(game).await;
    assert_eq!(two.ask("return /duck 9/.test(document.documentElement.outerHTML)").await, false);
    two.ask("document.getElementById('weight-duck').value = '2'").await;
    two.press("form.slip button.primary", "section.draw .lead a[href='/rules/duck']").await;
    one.until("/The draw picked Duck chess/.test(document.querySelector('section.draw .lead')?.textContent)").await;
    one.until(
        "/Chance out of 1$|Chance out of 1[^0-9]/.test(document.querySelector('section.draw table').textContent)",
    )
    .await;
    // The first turn of each player, in two parts.
    one.until("document.querySelector('td[data-square=e2].movable')").await;
    one.drag("e2", "e4").await;
    one.until("document.querySelectorAll('td.target').length === 32").await;
    one.tap("d6").await;
    one.until("document.querySelector('td[data-square=d6][data-piece=duck]')").await;
    two.open(game).await;
    two.press("td[data-square=e7] button", "td[data-square=e5].target").await;
    two.press("td[data-square=e5] button", "[data-leave]").await;
    two.press("td[data-square=a6] button", "td[data-square=a6][data-piece=duck]").await;
    one.until("document.querySelector('td[data-square=a6][data-piece=duck]')").await;
}
