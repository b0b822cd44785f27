//! The same short game by every input method, with the same game record each time.

use super::{Browser, MATE, Site, begin, driver::screen, on_one_screen, record};
use serde_json::json;

pub(super) const TAB: char = '\u{e004}';
pub(super) const ENTER: char = '\u{e007}';
pub(super) const ESCAPE: char = '\u{e00c}';
const LEFT: char = '\u{e012}';
const UP: char = '\u{e013}';
const RIGHT: char = '\u{e014}';
const DOWN: char = '\u{e015}';

/// Expected record of the mate, from a game played through the API.
async fn expected(site: &str) -> serde_json::Value {
    let begun = begin(site, json!({"variant": "chess", "opponent": "self"})).await;
    let id = begun["id"].as_str().unwrap();
    for (ply, (from, to)) in MATE.iter().enumerate() {
        let token = begun["seats"][ply % 2]["token"].as_str().unwrap();
        let action = json!({"ply": ply, "action": format!("{from}{to}")});
        let to = format!("{site}/api/games/{id}/actions");
        let answer = reqwest::Client::new().post(to).bearer_auth(token).json(&action).send().await.unwrap();
        assert_eq!(answer.status(), 200);
    }
    let record = record(site, id).await;
    assert_eq!(record["outcome"], json!({"winner": "two", "reason": "checkmate"}));
    record
}

#[tokio::test]
async fn game_is_played_by_dragging() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let id = on_one_screen(&browser, &site).await;
    browser.until("document.querySelector('td.movable')").await;
    // On an illegal square, the piece returns.
    browser.drag("f2", "f6").await;
    browser.until("!document.querySelector('.ghost, td.selected, td.target')").await;
    for (ply, (from, to)) in MATE.iter().enumerate() {
        browser.step(ply).await;
        browser.drag(from, to).await;
    }
    browser.step(4).await;
    assert_eq!(record(&site, &id).await, expected(&site).await);
}

#[tokio::test]
async fn game_is_played_by_tapping() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let id = on_one_screen(&browser, &site).await;
    browser.until("document.querySelector('td.movable')").await;
    for (ply, (from, to)) in MATE.iter().enumerate() {
        browser.step(ply).await;
        browser.tap(from).await;
        browser.until(&format!("document.querySelector('td[data-square={to}].target')")).await;
        browser.tap(to).await;
    }
    browser.step(4).await;
    assert_eq!(record(&site, &id).await, expected(&site).await);
}

/// Moves the focus with the arrow keys from the focused square to another.
pub(super) async fn walk(browser: &Browser, to: &str) {
    let script = format!(
        "const at = (cell) => [cell.cellIndex, cell.parentElement.rowIndex];
         return [at(document.activeElement.closest('td')), at(document.querySelector('td[data-square={to}]'))];"
    );
    let way = browser.ask(&script).await;
    let by = |axis: usize| way[1][axis].as_i64().unwrap() - way[0][axis].as_i64().unwrap();
    let keys = |by: i64, less: char, more: char| {
        std::iter::repeat_n(if by < 0 { less } else { more }, usize::try_from(by.abs()).unwrap())
    };
    browser.keys(keys(by(0), LEFT, RIGHT).chain(keys(by(1), UP, DOWN))).await;
}

#[tokio::test]
async fn game_is_played_by_keyboard_alone() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let id = on_one_screen(&browser, &site).await;
    browser.until("document.querySelector('td.movable')").await;
    let on_board = "document.activeElement.closest('.board') !== null";
    for _ in 0..40 {
        browser.keys([TAB]).await;
        if browser.ask(&format!("return {on_board}")).await == true {
            break;
        }
    }
    // The board is one tab stop: the next Tab leaves it.
    browser.keys([TAB]).await;
    browser.until(&format!("!({on_board})")).await;
    browser.ask("document.querySelector('.board button[tabindex=\"0\"]').focus()").await;
    for (ply, (from, to)) in MATE.iter().enumerate() {
        browser.step(ply).await;
        // The board keeps the focus across updates.
        browser.until(on_board).await;
        walk(&browser, from).await;
        browser.keys([ENTER]).await;
        browser.until(&format!("document.querySelector('td[data-square={from}].selected')")).await;
        if ply == 0 {
            browser.keys([ESCAPE]).await;
            browser.until("!document.querySelector('td.selected')").await;
            browser.keys([ENTER]).await;
        }
        walk(&browser, to).await;
        browser.keys([ENTER]).await;
    }
    browser.step(4).await;
    browser.until("/Black: queen h4, checkmate/.test(document.getElementById('live').textContent)").await;
    assert_eq!(record(&site, &id).await, expected(&site).await);
}

#[tokio::test]
async fn game_is_played_by_typing() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let id = on_one_screen(&browser, &site).await;
    browser.until("document.querySelector('td.movable')").await;
    let kept = "document.activeElement.id === 'action' && document.activeElement.value === ''";
    // The field is folded until the key / opens it, and then stays open.
    browser.until("!document.getElementById('action').checkVisibility()").await;
    browser.keys(['/']).await;
    browser.until(kept).await;
    for (words, answer) in [("knights", "b1 white knight"), ("rank 7", "a7 black pawn"), ("file e", "e8 black king")] {
        browser.keys(words.chars().chain([ENTER])).await;
        browser.until(&format!("document.getElementById('live').textContent.includes('{answer}')")).await;
    }
    // Refused text stays in the field, with an error message.
    browser.keys("f2f5".chars().chain([ENTER])).await;
    browser.until("document.querySelector('[role=alert]') && document.activeElement.value === 'f2f5'").await;
    browser.ask("document.getElementById('action').value = ''").await;
    // Text typed while the answer is pending is neither lost nor mixed with the sent text.
    browser.step(0).await;
    browser.until(kept).await;
    browser.keys("f3".chars().chain([ENTER]).chain("e7e5".chars())).await;
    browser.step(1).await;
    browser.until("document.activeElement.id === 'action' && document.activeElement.value === 'e7e5'").await;
    browser.keys([ENTER]).await;
    for (ply, text) in [(2, "g4"), (3, "Qh4")] {
        browser.step(ply).await;
        browser.until(kept).await;
        browser.keys(text.chars().chain([ENTER])).await;
    }
    browser.step(4).await;
    assert_eq!(record(&site, &id).await, expected(&site).await);
}

#[tokio::test]
async fn game_is_played_without_scripts() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::without_scripts(&screen).await);
    let id = on_one_screen(&browser, &site).await;
    for (ply, (from, to)) in MATE.iter().enumerate() {
        let unit = format!("td[data-square={from}] button");
        let target = format!("td[data-square={to}] button[name=action]");
        browser.press(&unit, &target).await;
        browser.press(&target, &format!("#game[data-ply=\"{}\"]", ply + 1)).await;
    }
    assert_eq!(record(&site, &id).await, expected(&site).await);
}
