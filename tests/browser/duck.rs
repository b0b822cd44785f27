//! Duck chess in the browser: both parts of a turn by touch, mouse, keyboard and without scripts, and undoing the first part.

use super::{
    Browser, Site, both_seats,
    driver::screen,
    games::{ENTER, ESCAPE},
};
use serde_json::{Value, json};

/// Condition that the game has not advanced beyond a number of steps.
fn still(ply: usize) -> String {
    format!("document.querySelector('#game').dataset.ply === '{ply}'")
}

/// Condition that a square shows a piece.
fn stands(square: &str, piece: &str) -> String {
    format!("document.querySelector('td[data-square={square}][data-piece={piece}]')")
}

/// Condition that a number of squares are marked for the duck, and the game has not advanced.
fn open(ply: usize, squares: usize) -> String {
    format!(
        "document.querySelectorAll('td.target').length === {squares} && document.querySelector('[data-leave]') && {}",
        still(ply)
    )
}

fn game() -> Value {
    json!({"variant": "duck", "opponent": "self"})
}

#[tokio::test]
async fn piece_and_duck_move_by_touch() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    browser.size(390, 844).await;
    both_seats(&browser, &site, game()).await;
    for square in ["e2", "e4"] {
        assert!(browser.touch(&format!("td[data-square={square}]")).await);
    }
    browser.until(&format!("{} && {}", open(0, 32), stands("e4", "pawn"))).await;
    // After undoing, nothing has been played.
    assert!(browser.touch("[data-leave]").await, "the undo link is in view");
    browser.until(&format!("{} && !document.querySelector('td.target, [data-leave]')", stands("e2", "pawn"))).await;
    for square in ["d2", "d4"] {
        assert!(browser.touch(&format!("td[data-square={square}]")).await);
    }
    browser.until(&format!("{} && {}", open(0, 32), stands("d4", "pawn"))).await;
    assert!(browser.touch("td[data-square=d5]").await);
    browser.until(&format!("{} && {}", still(1), stands("d5", "duck"))).await;
    browser.until("document.querySelector('.round > .moves').textContent.includes('d4@d5')").await;
    // Next, the duck is on the board.
    for square in ["g8", "f6"] {
        assert!(browser.touch(&format!("td[data-square={square}]")).await);
    }
    browser.until(&format!("{} && {}", open(1, 31), stands("d5", "duck"))).await;
    assert!(browser.touch("td[data-square=g8]").await);
    browser.until(&format!("{} && {}", still(2), stands("g8", "duck"))).await;
}

#[tokio::test]
async fn piece_and_duck_are_dragged_and_king_capture_ends_the_turn() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let fen = "4k3/8/4*3/8/8/8/8/4Q2K w - - 0 1";
    let game = json!({"variant": "duck", "options": {"fen": fen}, "opponent": "self"});
    both_seats(&browser, &site, game).await;
    browser.drag("h1", "h2").await;
    browser.until(&format!("{} && {}", open(0, 60), stands("h2", "king"))).await;
    browser.drag("e6", "a1").await;
    browser.until(&format!("{} && {}", still(1), stands("a1", "duck"))).await;
    browser.drag("e8", "d8").await;
    browser.until(&format!("{} && {}", open(1, 60), stands("d8", "king"))).await;
    browser.drag("a1", "a2").await;
    browser.until(&still(2)).await;
    browser.drag("e1", "d1").await;
    browser.until(&open(2, 60)).await;
    browser.drag("a2", "a3").await;
    browser.until(&still(3)).await;
    browser.drag("d8", "d7").await;
    browser.until(&open(3, 60)).await;
    browser.drag("a3", "a4").await;
    browser.until(&still(4)).await;
    browser.drag("d1", "d7").await;
    browser.until(&format!("{} && document.body.textContent.includes('king captured')", still(5))).await;
}

#[tokio::test]
async fn keys_move_both_and_escape_undoes_the_first() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    both_seats(&browser, &site, game()).await;
    let focus = async |square: &str| {
        browser.ask(&format!("document.querySelector('td[data-square={square}] button').focus()")).await;
        browser.keys([ENTER]).await;
    };
    focus("e2").await;
    focus("e4").await;
    browser.until(&open(0, 32)).await;
    browser
        .until("document.getElementById('live').textContent.includes('Now place the duck: press an empty square.')")
        .await;
    browser.keys([ESCAPE]).await;
    browser.until(&format!("{} && !document.querySelector('[data-leave]')", stands("e2", "pawn"))).await;
    focus("e2").await;
    focus("e3").await;
    browser.until(&open(0, 32)).await;
    focus("e5").await;
    browser.until(&format!("{} && {}", still(1), stands("e5", "duck"))).await;
}

#[tokio::test]
async fn piece_and_duck_move_by_forms() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::without_scripts(&screen).await);
    both_seats(&browser, &site, game()).await;
    browser.press("td[data-square=e2] button", "td.target[data-square=e4]").await;
    browser.press("td[data-square=e4] button", "[data-leave]").await;
    browser.press("[data-leave]", "td[data-square=e2][data-piece=pawn]").await;
    browser.press("td[data-square=e2] button", "td.target[data-square=e4]").await;
    browser.press("td[data-square=e4] button", "td.target[data-square=e2]").await;
    browser.press("td[data-square=d5] button", "#game[data-ply='1'] td[data-square=d5][data-piece=duck]").await;
    browser.press("td[data-square=e7] button", "td.target[data-square=e5]").await;
    browser.press("td[data-square=e5] button", "td.target[data-square=e7]").await;
    // After a click, the duck stays selected.
    browser.press("td[data-square=d5] button", "td.target[data-square=e7]").await;
    browser.press("td[data-square=d6] button", "#game[data-ply='2'] td[data-square=d6][data-piece=duck]").await;
}
