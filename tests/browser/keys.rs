//! Keyboard play in every variant whose games begin with a move on one board.

use super::{
    Browser, Site, both_seats,
    driver::screen,
    games::{ENTER, ESCAPE, TAB, walk},
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
            // On the board, or where the next player goes on.
            browser.until("document.activeElement !== document.body").await;
        }
    }
    assert!(played >= 15, "{played} variants begin with a move");
}

/// Presses a key on the focused element, with or without Shift.
async fn stroke(browser: &Browser, key: &str, code: &str, shift: bool) {
    browser
        .ask(&format!(
            "document.activeElement.dispatchEvent(new KeyboardEvent('keydown',
               {{key: '{key}', code: '{code}', shiftKey: {shift}, bubbles: true, cancelable: true}}))"
        ))
        .await;
}

/// Name of the focused square.
const HERE: &str = "return document.activeElement.closest('td')?.dataset.square ?? ''";

#[tokio::test]
async fn letters_and_digits_move_over_the_board() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    both_seats(&browser, &site, json!({"variant": "chess", "opponent": "self"})).await;
    enter(&browser).await;
    walk(&browser, "e2").await;
    for (key, code, shift, square) in [
        ("n", "KeyN", false, "b1"),
        ("n", "KeyN", false, "g1"),
        ("n", "KeyN", false, "b8"),
        ("N", "KeyN", true, "g1"),
        ("k", "KeyK", false, "e8"),
        ("q", "KeyQ", false, "d1"),
        ("4", "Digit4", false, "d4"),
        ("!", "Digit1", true, "a4"),
    ] {
        stroke(&browser, key, code, shift).await;
        assert_eq!(browser.ask(HERE).await, square, "after {key}");
    }
    // Elsewhere they do nothing.
    browser.ask("document.querySelector('.nav a, .nav button').focus()").await;
    stroke(&browser, "q", "KeyQ", false).await;
    assert_eq!(browser.ask(HERE).await, "");
}

#[tokio::test]
async fn shortcuts_are_listed_and_can_be_switched_off() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    both_seats(&browser, &site, json!({"variant": "chess", "opponent": "self"})).await;
    enter(&browser).await;
    let list = "document.querySelector('dialog#shortcuts:modal')";
    browser.keys(['?']).await;
    browser.until(list).await;
    for _ in 0..6 {
        browser.keys([TAB]).await;
        let inside = "return document.activeElement === document.body || !!document.activeElement.closest('dialog')";
        assert_eq!(browser.ask(inside).await, true, "the focus stays in the dialog");
    }
    browser.keys([ESCAPE]).await;
    browser.until("!document.querySelector('dialog') && document.activeElement.closest('.board')").await;
    browser.keys(['?']).await;
    browser.until(list).await;
    browser.ask("document.getElementById('single').click(); document.querySelector('dialog button').click()").await;
    browser.until("!document.querySelector('dialog')").await;
    // The choice lasts.
    browser.ask("window.old = true; location.reload()").await;
    browser.until("!window.old && document.readyState === 'complete'").await;
    enter(&browser).await;
    let before = browser.ask(HERE).await;
    browser.keys(['q', '4', '?', '/']).await;
    assert_eq!(browser.ask(HERE).await, before);
    assert_eq!(browser.ask("return !document.querySelector('dialog')").await, true);
    // The button of the list needs no shortcut.
    browser.ask("document.querySelector('[data-tool=keys]').click()").await;
    browser.until(list).await;
    assert_eq!(browser.ask("return document.getElementById('single').checked").await, false);
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
