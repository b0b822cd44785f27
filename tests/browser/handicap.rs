//! A time handicap auction between two browsers: one writes its slip by keyboard, the other without a script. Then both play with the
//! clocks of the slips.

use super::{Browser, Site, between, driver::screen};
use serde_json::json;

#[tokio::test]
async fn both_bid_and_play_with_the_resulting_clocks() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let (one, two) = (Browser::new(&screen).await, Browser::without_scripts(&screen).await);
    let game =
        &between(&one, &two, &site, json!({"variant": "handicap", "options": {"prize": "black"}, "opponent": "link"}))
            .await;
    one.until("document.getElementById('seconds')").await;
    one.ask("document.getElementById('seconds').focus()").await;
    one.keys("187\u{e007}".chars()).await;
    one.until("/Sealed: seconds 187/.test(document.getElementById('game').textContent)").await;
    two.open(game).await;
    assert_eq!(two.ask("return /187/.test(document.getElementById('game').outerHTML)").await, false);
    two.ask("document.getElementById('seconds').value = '200'").await;
    two.press("form.slip button.primary", "section.handicap .slips .slip.open").await;
    // The first player has Black and 187 seconds, the second White and the full time.
    one.until("/187 seconds against 300/.test(document.querySelector('section.handicap .lead')?.textContent)").await;
    one.until("document.getElementById('game').dataset.side === 'black'").await;
    let faces = "[...document.querySelectorAll('.clock')].map((clock) => clock.textContent.trim()).join(' ')";
    one.until(&format!("/5:00/.test({faces}) && /3:07/.test({faces})")).await;
    two.open(game).await;
    two.press("td[data-square=e2] button", "td[data-square=e4].target").await;
    two.press("td[data-square=e4] button", "td[data-square=e4][data-piece=pawn]").await;
    one.until("document.querySelector('td[data-square=e7].movable')").await;
    one.drag("e7", "e5").await;
    one.step(3).await;
    two.open(game).await;
    assert_eq!(two.ask("return document.querySelector('td[data-square=e5]').dataset.piece").await, "pawn");
}

#[tokio::test]
async fn piece_is_sacrificed_by_keyboard() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let (one, two) = (Browser::new(&screen).await, Browser::without_scripts(&screen).await);
    let game =
        &between(&one, &two, &site, json!({"variant": "handicap", "options": {"slips": "unit"}, "opponent": "link"}))
            .await;
    two.press("form.slip button.primary", ".say code").await;
    one.until("document.getElementById('gift')").await;
    one.ask("document.getElementById('gift').focus()").await;
    one.keys("k\u{e004}\u{e007}".chars()).await;
    one.until("/starts without a knight/.test(document.querySelector('section.handicap .lead')?.textContent)").await;
    one.until("document.querySelector('td[data-square=g1][data-piece=knight]') && !document.querySelector('td[data-square=b1][data-piece]')").await;
    let ply = "document.getElementById('game').dataset.ply";
    let before = one.ask(&format!("return {ply}")).await;
    one.drag("e2", "e4").await;
    // The pawn is removed at once, and the move is shown once the server has accepted it.
    one.until(&format!("{ply} !== {before} && document.querySelector('td[data-square=e4][data-piece=pawn]')")).await;
    two.open(game).await;
    two.press("td[data-square=e7] button", "td[data-square=e5].target").await;
    two.press("td[data-square=e5] button", "td[data-square=e5][data-piece=pawn]").await;
}
