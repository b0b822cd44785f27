//! Crazyhouse in the browser: drops of captured pieces.

use super::{
    Browser, Site,
    driver::screen,
    kinds::{said, visit},
};
use serde_json::json;

#[tokio::test]
async fn captured_piece_is_dropped_with_two_clicks() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let fen = "4k3/8/8/8/8/8/8/4K3[PPn] w - - 0 1";
    let game = json!({"variant": "crazyhouse", "options": {"fen": fen}, "opponent": "self"});
    visit(&browser, &said(&site, game, &[]).await).await;
    let held = "return document.querySelector('#board .pictured button').textContent";
    assert_eq!(browser.ask(held).await, "Drop a pawn ×2");
    assert!(browser.touch("#board .pictured button").await);
    let open = "[...document.querySelectorAll('td.target')].map((square) => square.dataset.square)";
    browser.until(&format!("{open}.length === 48")).await;
    assert!(browser.touch("td[data-square=e4]").await);
    browser.until("document.body.textContent.includes('P@e4')").await;
    browser.until("document.querySelector('td[data-square=e4][data-piece=pawn][data-color=white]')").await;
}
