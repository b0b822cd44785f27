//! Moves under the hand: the column of promotions.

use super::{
    Browser, Site, both_seats,
    driver::screen,
    games::{ENTER, ESCAPE},
};
use serde_json::{Value, json};

const UP: char = '\u{e013}';
const DOWN: char = '\u{e015}';
/// A desktop and a phone.
const SIZES: [(u32, u32); 2] = [(1280, 800), (390, 844)];
/// Squares that the choices cover, in their order.
const COVERED: &str = "return [...document.querySelectorAll('#choose button')].map((button) => {
    const box = button.getBoundingClientRect();
    const same = (cell) => ['x', 'y', 'width', 'height'].every((side) => Math.abs(cell.getBoundingClientRect()[side] - box[side]) < 1);
    return [...document.querySelectorAll('.board td[data-square]')].find(same)?.dataset.square;
});";

/// Opens a pass-and-play game from a position.
async fn position(browser: &Browser, site: &str, variant: &str, fen: &str) {
    both_seats(browser, site, json!({"variant": variant, "options": {"fen": fen}, "opponent": "self"})).await;
    browser.until("document.querySelector('.board[role=grid] td.movable')").await;
}

fn holds(square: &str, piece: &str) -> String {
    format!("document.querySelector('td[data-square={square}]').textContent.includes('{piece}')")
}

#[tokio::test]
async fn promotions_form_a_column_from_the_square() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let positions = [
        ("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1", ["a7", "a8"], json!(["a8", "a7", "a6", "a5"])),
        ("chess", "k7/8/8/8/8/8/7p/K7 b - - 0 1", ["h2", "h1"], json!(["h1", "h2", "h3", "h4"])),
        ("antichess", "8/7P/8/8/8/k7/8/7K w - - 0 1", ["h7", "h8"], json!(["h8", "h7", "h6", "h5", "g8"])),
    ];
    for (variant, fen, [from, to], squares) in positions {
        for (width, height) in SIZES {
            browser.size(width, height).await;
            position(&browser, &site, variant, fen).await;
            browser.tap(from).await;
            browser.tap(to).await;
            browser.until("document.querySelector('#choose[role=dialog][aria-modal=true]')").await;
            assert_eq!(browser.ask(COVERED).await, squares, "{fen}, {width} × {height}");
            browser.until("/-queen$/.test(document.querySelector('#choose button use').getAttribute('href'))").await;
            // A press elsewhere only cancels.
            browser.tap("d4").await;
            browser.until(&format!("!document.getElementById('choose') && {}", holds(from, "pawn"))).await;
            assert_eq!(browser.ask("return document.querySelector('td.selected, #asked')").await, Value::Null);
            browser.drag(from, to).await;
            browser.until("document.querySelector('#choose')").await;
            assert!(browser.touch("#choose button:nth-of-type(4)").await);
            browser.step(1).await;
            browser.until(&holds(to, "knight")).await;
        }
    }
}

#[tokio::test]
async fn promotions_are_chosen_by_arrow_keys() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (fen, [from, to], further) in
        [("8/P6k/8/8/8/8/8/K7 w - - 0 1", ["a7", "a8"], DOWN), ("k7/8/8/8/8/8/7p/K7 b - - 0 1", ["h2", "h1"], UP)]
    {
        position(&browser, &site, "chess", fen).await;
        let ask = format!(
            "for (const name of ['{from}', '{to}']) document.querySelector(`td[data-square=${{name}}] button`).click()"
        );
        browser.ask(&ask).await;
        browser.until("document.activeElement.matches('#choose button:first-of-type')").await;
        browser.keys([ESCAPE]).await;
        browser.until(&format!("document.activeElement.matches('td[data-square={from}] button')")).await;
        assert_eq!(browser.ask("return document.getElementById('choose')").await, Value::Null);
        browser.ask(&ask).await;
        browser.until("document.activeElement.matches('#choose button:first-of-type')").await;
        browser.keys([further, further]).await;
        browser.until("document.activeElement.matches('#choose button:nth-of-type(3)')").await;
        browser.keys([ENTER]).await;
        browser.step(1).await;
        browser.until(&holds(to, "bishop")).await;
        browser.until(&format!("document.activeElement.matches('td[data-square={to}] button')")).await;
    }
}
