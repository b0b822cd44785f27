//! Keyboard play in every variant whose games begin with a move on one board.

use super::{
    Browser, Site, both_seats,
    driver::screen,
    games::{ENTER, walk},
};
use serde_json::json;
use zorkmid::registry::VARIANTS;

/// Variants with several boards or with moves in parts. Each has its own keyboard test.
const ELSEWHERE: [&str; 3] = ["raumschach", "duck", "clairvoyant"];

/// Moves the focus to the board, as Tab does. First dismisses the curtain of a shared screen, if there is one.
async fn enter(browser: &Browser) {
    let (board, over) = ("document.querySelector('.board[role=grid] td.movable')", ".curtain form button.primary");
    let pass = format!("document.querySelector('{over}')");
    browser.until(&format!("({board} || {pass}) && document.getAnimations().length === 0")).await;
    if browser.ask(&format!("return !!{pass}")).await == true {
        browser.ask(&format!("{pass}.focus()")).await;
        browser.keys([ENTER]).await;
        browser.until(board).await;
    }
    if browser.ask("return !document.activeElement.closest('.board')").await == true {
        browser.ask("document.querySelector('.board button[tabindex=\"0\"]').focus()").await;
    }
}

#[tokio::test]
async fn every_game_that_begins_with_a_move_is_played_by_keyboard() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let mut played = 0;
    for variant in VARIANTS.iter().filter(|variant| !ELSEWHERE.contains(&variant.key)) {
        let mut options = variant.defaults();
        if variant.key == "random-variant" {
            // Chance draws a game from the urn. Both of these are played in whole moves.
            options.values_mut().filter(|value| value.is_boolean()).for_each(|value| *value = json!(false));
            options.extend(["shatranj", "old_chess"].map(|game| (game.to_owned(), json!(true))));
        }
        both_seats(&browser, &site, json!({"variant": variant.key, "options": options, "opponent": "self"})).await;
        if browser.ask("return document.getElementById('game').dataset.phase").await != "move" {
            continue;
        }
        played += 1;
        for _ in 0..3 {
            enter(&browser).await;
            let ply = "document.getElementById('game').dataset.ply";
            let before = browser.ask(&format!("return {ply}")).await;
            let moves = "JSON.parse(document.getElementById('choices').textContent).filter((choice) => choice.from)";
            let choice = browser.ask(&format!("return {moves}.at(-1)")).await;
            let [from, to] = ["from", "to"].map(|end| choice[end].as_str().unwrap());
            walk(&browser, from).await;
            browser.keys([ENTER]).await;
            browser.until(&format!("document.querySelector('td[data-square={from}].selected')")).await;
            walk(&browser, to).await;
            browser.keys([ENTER]).await;
            browser.until(&format!("{ply} !== {before}")).await;
        }
    }
    assert!(played >= 15, "{played} variants begin with a move");
}

#[tokio::test]
async fn captured_piece_is_dropped_by_keyboard() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let fen = "4k3/8/8/8/8/8/8/4K3[PPn] w - - 0 1";
    both_seats(&browser, &site, json!({"variant": "crazyhouse", "options": {"fen": fen}, "opponent": "self"})).await;
    enter(&browser).await;
    browser.ask("document.querySelector('#board .pictured button').focus()").await;
    browser.keys([ENTER]).await;
    browser.until("document.querySelectorAll('td.target').length === 48").await;
    browser.ask("document.querySelector('.board button[tabindex=\"0\"]').focus()").await;
    walk(&browser, "e4").await;
    browser.keys([ENTER]).await;
    browser.until("document.querySelector('td[data-square=e4][data-piece=pawn][data-color=white]')").await;
}
