//! Interaction with the board beyond the moves: drag and drop, animation, spoken text, sounds, promotion.

use super::{Browser, MATE, Site, begin, driver::screen, kinds, on_one_screen, record};
use serde_json::json;

const ESCAPE: char = '\u{e00c}';
const ENTER: char = '\u{e007}';
const LEFT: char = '\u{e012}';
const RIGHT: char = '\u{e014}';

/// Condition that the live region contains a text.
fn hears(words: &str) -> String {
    format!("document.getElementById('live').textContent.includes('{words}')")
}

/// Waits until the board of the viewer's game is interactive.
async fn ready(browser: &Browser) {
    browser.until("document.querySelector('.board[role=grid] td.movable')").await;
}

#[tokio::test]
async fn board_shows_selection_shapes_and_animation() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let id = on_one_screen(&browser, &site).await;
    ready(&browser).await;

    // A selected piece shows its targets, and Escape deselects it.
    browser.lift("g1", "f3").await;
    browser
        .until("document.querySelector('.ghost svg') && document.querySelector('td[data-square=f3].over.target')")
        .await;
    assert_eq!(browser.ask("return document.querySelectorAll('td.target').length").await, 2);
    browser.keys([ESCAPE]).await;
    browser.until("!document.querySelector('.ghost, td.selected, td.target, td.lifted')").await;
    browser.let_go().await;
    browser.until("!document.querySelector('td.selected')").await;

    // Circles and arrows are drawn over the board, and drawing one again removes it.
    browser.draw("e4", "e4").await;
    browser.draw("d1", "h5").await;
    browser.until("document.querySelectorAll('svg.marks path').length === 2").await;
    browser.draw("d1", "h5").await;
    browser.until("document.querySelectorAll('svg.marks path').length === 1").await;
    browser.tap("e4").await;
    browser.until("!document.querySelector('svg.marks')").await;

    // The move is animated, unless the system asks for reduced motion.
    let watch = "window.glides = 0; const animate = Element.prototype.animate;
        Element.prototype.animate = function (...how) { window.glides += 1; return animate.apply(this, how); };";
    browser.ask(watch).await;
    browser.tap("f2").await;
    browser.until("document.querySelector('td[data-square=f3].target')").await;
    browser.tap("f3").await;
    browser.step(1).await;
    assert!(browser.ask("return window.glides").await.as_i64().unwrap() > 0);
    browser.until("document.querySelector('td[data-square=f2].last-from') && document.querySelector('td[data-square=f3].last-to')").await;
    browser.wish("prefers-reduced-motion", "reduce").await;
    browser.ask("window.glides = 0").await;
    for (ply, (from, to)) in MATE.iter().enumerate().skip(1) {
        browser.tap(from).await;
        browser.until(&format!("document.querySelector('td[data-square={to}].target')")).await;
        browser.tap(to).await;
        browser.step(ply + 1).await;
    }
    assert_eq!(browser.ask("return window.glides").await, 0);
    browser.until("document.querySelector('td[data-square=e1].check')").await;

    // The board flips, and the arrow keys step through the game, without leaving the page.
    browser.ask("window.stayed = true").await;
    browser
        .ask("[...document.querySelectorAll('a.button')].find((link) => /Flip/.test(link.textContent)).click()")
        .await;
    browser.until("document.querySelector('.board tbody td').dataset.square === 'h1'").await;
    browser.ask("document.activeElement.blur()").await;
    browser.keys([LEFT]).await;
    browser.until("location.hash === '#3' && document.querySelector('td[data-square=g4].last-to')").await;
    browser.keys([RIGHT]).await;
    browser.step(4).await;
    assert_eq!(browser.ask("return window.stayed").await, true);
    let record = record(&site, &id).await;
    assert_eq!(record["outcome"]["reason"], "checkmate");
}

#[tokio::test]
async fn board_speaks_and_sounds() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = kinds::recorded(&site, "csipgs-standard", 60).await;
    browser.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    browser.open(begun["url"].as_str().unwrap()).await;
    ready(&browser).await;
    browser.keys(['/']).await;
    browser.until("document.activeElement.id === 'action'").await;
    for (words, answer) in [
        ("purses", "Purses. "),
        ("clocks", "Clocks. "),
        ("rank 1", "d1 white knight, e1 white king"),
        ("file a", "empty"),
        ("last", "buys wazir. Pays 2"),
        ("?", "rank 4"),
    ] {
        browser.keys(words.chars().chain([ENTER])).await;
        browser.until(&hears(answer)).await;
        browser.until("document.activeElement.id === 'action' && document.activeElement.value === ''").await;
    }
    // Every square has its own text, and the board has one tab stop.
    let words = "const cells = [...document.querySelectorAll('.board td[data-square]')];
        return [cells.length, cells.filter((cell) => cell.textContent.includes(cell.dataset.square)).length,
                document.querySelectorAll('.board [tabindex=\"0\"]').length];";
    assert_eq!(browser.ask(words).await, json!([64, 64, 1]));
    assert_eq!(browser.ask("return document.getElementById('live').getAttribute('aria-live')").await, "polite");

    // Sounds are off by default.
    let switch = "document.querySelector('[data-tool=sound]')";
    assert_eq!(browser.ask(&format!("return {switch}.getAttribute('aria-pressed')")).await, "false");
    browser.ask(&format!("{switch}.click()")).await;
    browser.until(&format!("{switch}.getAttribute('aria-pressed') === 'true'")).await;

    // A piece from the reserve is dragged onto the board. Its button shows the piece.
    let hand = "document.querySelector('#board .actions button[name=from]')";
    browser.until(&format!("{hand}.querySelector('svg') && {hand}.textContent === 'Place rook'")).await;
    let ply: usize =
        browser.ask("return document.getElementById('game').dataset.ply").await.as_str().unwrap().parse().unwrap();
    browser.drag_from("#board .actions button[name=from]", "f1").await;
    // The page also keeps the designs, which is a step of its own.
    browser.step(ply + 2).await;
    browser.until("document.querySelector('td[data-square=f1]').textContent.includes('white rook')").await;
    browser.until(&format!("{switch}.getAttribute('aria-pressed') === 'true'")).await;
}

#[tokio::test]
async fn promotion_asks_for_the_piece() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let options = json!({"fen": "8/P6k/8/8/8/8/8/K7 w - - 0 1"});
    for (keys, becomes) in [(false, "knight"), (true, "queen")] {
        let begun = begin(&site, json!({"variant": "chess", "options": options, "opponent": "self"})).await;
        browser.open(begun["seats"][0]["url"].as_str().unwrap()).await;
        browser.open(begun["url"].as_str().unwrap()).await;
        ready(&browser).await;
        if keys {
            // Identifies the choices by their data, not by their labels.
            browser
                .ask(
                    r#"const soon = window.fetch;
                       window.fetch = async (to, how) => {
                         const answer = await soon(to, how);
                         const text = (await answer.text()).replace(/"label":"[^"]*"/g, '"label":"⟦⟧"');
                         return {url: answer.url, redirected: answer.redirected, text: async () => text};
                       };
                       document.querySelector('#game a[href*="flip=1"]').click();"#,
                )
                .await;
            browser.until("document.getElementById('choices').textContent.includes('⟦⟧')").await;
        }
        browser.drag("a7", "a8").await;
        browser.until("document.querySelectorAll('#choose button').length === 4").await;
        // Escape closes the dialog and returns the pawn.
        browser.keys([ESCAPE]).await;
        browser.until("!document.getElementById('choose') && /pawn/.test(document.querySelector('td[data-square=a7]').textContent)").await;
        browser.drag("a7", "a8").await;
        browser.until("document.querySelectorAll('#choose button svg').length === 4 && document.activeElement.closest('#choose')").await;
        let which = format!(
            "[...document.querySelectorAll('#choose button')].find((button) => button.querySelector('use').getAttribute('href').endsWith('{becomes}'))"
        );
        if keys {
            browser.ask(&format!("{which}.focus()")).await;
            browser.keys([ENTER]).await;
        } else {
            // The letter of the piece chooses it.
            browser.keys(['n']).await;
        }
        browser.step(1).await;
        browser
            .until(&format!("document.querySelector('td[data-square=a8]').textContent.includes('white {becomes}')"))
            .await;
    }
}
