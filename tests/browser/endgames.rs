//! The endgame page on a phone and on a desktop: the value is visible without scrolling; clicking, dragging and typing change the position
//! without scrolling the page; Back works. Without scripts, forms do the same.

use super::{Browser, Site, driver::screen};
use serde_json::{Value, json};

/// A phone and a desktop.
const SIZES: [(u32, u32); 2] = [(390, 844), (1280, 800)];

/// The zugzwang shown first.
const FIRST: &str = "8/8/8/8/3k4/8/8/K2N4";
/// The same position with the knight on c3.
const OFFERED: &str = "8/8/8/8/3k4/2N5/8/K7";

/// Selector of a square of the board.
fn at(square: &str) -> String {
    format!("#editor td[data-square={square}] button")
}

/// Selector of a square of the map.
fn on(square: &str) -> String {
    format!(".heat a[data-same='on {square}']")
}

/// Checks that the board and its value are in the window without scrolling.
async fn in_sight(browser: &Browser) {
    // A new server may still be computing its tables. The page then reloads by itself.
    browser.until("document.querySelector('#editor .thresholds')").await;
    for part in ["#editor .board", "#editor .shares", "#editor .worth", "#editor .thresholds"] {
        let seen = format!(
            "const box = document.querySelector(`{part}`).getBoundingClientRect();
             return [box.top >= 0 && box.bottom <= innerHeight && box.height > 0, scrollY];"
        );
        assert_eq!(browser.ask(&seen).await, json!([true, 0]), "{part} is not in view");
    }
}

/// Waits until the address and the board show a position.
async fn shows(browser: &Browser, fen: &str, more: &str) {
    browser
        .until(&format!(
            "location.search === '?fen={fen}{more}' && document.querySelector('#editor [name=fen]').value === '{fen}'"
        ))
        .await;
}

/// Scrolls an element to the middle of the window, touches it, waits for the result, and returns by how many pixels the element has moved.
async fn moved_by(browser: &Browser, selector: &str, fen: &str, more: &str) -> f64 {
    let top = format!("return document.querySelector(`{selector}`).getBoundingClientRect().top");
    browser
        .ask(&format!("document.querySelector(`{selector}`).scrollIntoView({{block: 'center', behavior: 'instant'}})"))
        .await;
    let before = browser.ask(&top).await.as_f64().unwrap();
    assert!(browser.touch(selector).await, "{selector} cannot be touched");
    shows(browser, fen, more).await;
    browser.ask(&top).await.as_f64().unwrap() - before
}

#[tokio::test]
async fn page_does_not_scroll_on_changes() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    for (width, height) in SIZES {
        let browser = Browser::new(&screen).await;
        browser.size(width, height).await;
        browser.open(&format!("{}/endgames", &*site)).await;
        browser.until("document.querySelector('#editor td.movable')").await;
        in_sight(&browser).await;
        browser.console().await;
        browser.ask("window.untouched = true").await;
        let entries = browser.ask("return history.length").await.as_u64().unwrap();

        // Moving a piece adds one entry to the history and keeps the focus on the square.
        assert!(browser.touch(&at("d1")).await);
        shows(&browser, FIRST, "&from=d1").await;
        in_sight(&browser).await;
        assert!(browser.touch(&at("c3")).await);
        shows(&browser, OFFERED, "").await;
        in_sight(&browser).await;
        assert_eq!(
            browser.ask("return [history.length, document.activeElement.value]").await,
            json!([entries + 1, "c3"])
        );

        // Far down the page, below content that becomes longer.
        let far = [
            (on("e8"), "4N3/8/8/8/3k4/8/8/K7", "&heat=N"),
            ("[data-same=Mirror]".to_owned(), "3N4/8/8/8/4k3/8/8/7K", ""),
            ("button[name=toss][value=w]".to_owned(), "3N4/8/8/8/4k3/8/8/7K", "&turns=w"),
            ("button[name=toss][value=b]".to_owned(), "3N4/8/8/8/4k3/8/8/7K", "&turns=wb"),
            ("[data-same='square 4']".to_owned(), "2Nk/4/4/3K", ""),
        ];
        for (selector, fen, more) in &far {
            let by = moved_by(&browser, selector, fen, more).await;
            assert!(by.abs() < 1.0, "{width}: {selector} moves by {by}");
        }
        for (_, fen, more) in far.iter().rev().skip(1) {
            browser.ask("history.back()").await;
            shows(&browser, fen, more).await;
        }
        browser.ask("history.back()").await;
        shows(&browser, OFFERED, "").await;
        browser.ask("history.back()").await;
        browser
            .until(&format!(
                "location.search === '' && document.querySelector('#editor [name=fen]').value === '{FIRST}'"
            ))
            .await;
        assert_eq!(
            browser.ask("return [window.untouched, !!document.querySelector('#gallery')]").await,
            json!([true, true])
        );
        assert_eq!(browser.console().await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn piece_is_dragged_and_position_is_typed() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    browser.size(1280, 800).await;
    browser.open(&format!("{}/endgames?fen={FIRST}", &*site)).await;
    browser.until("document.querySelector('#editor td.movable')").await;
    browser.ask("window.untouched = true").await;
    browser.drag("d1", "c3").await;
    shows(&browser, OFFERED, "").await;
    browser.drag_from(".tool:has([value=q])", "h8").await;
    shows(&browser, "7q/8/8/8/3k4/2N5/8/K7", "").await;
    browser.drag("h8", "c3").await;
    shows(&browser, "8/8/8/8/3k4/2q5/8/K7", "").await;
    browser.drag_off("a1").await;
    shows(&browser, "8/8/8/8/3k4/2q5/8/8", "").await;
    browser.ask("history.back()").await;
    shows(&browser, "8/8/8/8/3k4/2q5/8/K7", "").await;
    in_sight(&browser).await;

    let type_in = async |field: &str, text: &str| {
        let typed = format!(
            "const field = document.getElementById('{field}'); field.focus(); field.value = '{text}';
             field.dispatchEvent(new Event('input', {{bubbles: true}}))"
        );
        browser.ask(&typed).await
    };
    let entries = browser.ask("return history.length").await.as_u64().unwrap();
    type_in("fen", "8/8/8/8/3k4/8/8/K2X4").await;
    browser.until("/“X” is not a piece/.test(document.getElementById('misread').textContent)").await;
    let left = json!(["?fen=8/8/8/8/3k4/2q5/8/K7", "8/8/8/8/3k4/8/8/K2X4", "fen"]);
    let stands = "return [location.search, document.getElementById('fen').value, document.activeElement.id]";
    assert_eq!(browser.ask(stands).await, left, "an invalid letter changes nothing");
    type_in("fen", "3k/4/4/K2N").await;
    shows(&browser, "3k/4/4/K2N", "").await;
    type_in("fen", "3k/4/4/1K1N").await;
    shows(&browser, "3k/4/4/1K1N", "").await;
    assert_eq!(
        browser.ask("return [history.length, document.activeElement.id, document.getElementById('misread').textContent, window.untouched]").await,
        json!([entries, "fen", "", true]),
        "continued typing makes one history entry, which replaces later entries"
    );
    type_in("turns", "wxb").await;
    browser.until("/“x” is not a side/.test(document.getElementById('tossed').textContent)").await;
    type_in("turns", "wb").await;
    shows(&browser, "3k/4/4/1K1N", "&turns=wb").await;
    browser.until("document.querySelectorAll('#line ~ .scroll tbody tr').length === 2").await;
    browser.ask("history.back()").await;
    shows(&browser, "3k/4/4/1K1N", "").await;
}

#[tokio::test]
async fn everything_works_without_scripts() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::without_scripts(&screen).await);
    for (width, height) in SIZES {
        browser.size(width, height).await;
        browser.open(&format!("{}/endgames?fen={FIRST}", &*site)).await;
        in_sight(&browser).await;
        browser.press(&at("d1"), "#editor td.selected[data-square=d1]").await;
        browser.press(&at("c3"), "#editor td[data-square=c3][data-piece=knight]").await;
        in_sight(&browser).await;
        browser.press("button[name=toss][value=b]", "#line ~ .scroll tbody tr:nth-child(1)").await;
        browser.press("button[name=toss][value=w]", "#line ~ .scroll tbody tr:nth-child(2)").await;
        browser.press("[data-same='square 5']", "#editor .board[data-width=\"5\"][data-height=\"5\"]").await;
        in_sight(&browser).await;
    }
    let begins = "#play ~ form:last-of-type button[value=\"bot:steady\"]";
    browser.open(&format!("{}/endgames?fen={FIRST}", &*site)).await;
    browser.press(begins, "#game").await;
    let game: Value = browser
        .ask("return [...document.querySelectorAll('#game td[data-piece]')].map((one) => one.dataset.square)")
        .await;
    assert!(game.as_array().unwrap().len() == 3, "{game}");
}
