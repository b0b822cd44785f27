//! Puzzles in the browser: the cheapest mate is built by pressing squares.

use super::{Browser, Site, driver::screen};

/// The mode, the notation and the price after each press of the solution.
const PRESSES: [(&str, &str, &str); 3] =
    [("both", "lfL", "≈ 0.52"), ("moves", "mlfL", "≈ 0.31"), ("captures", "clfL", "≈ 0.31")];

#[tokio::test]
async fn cheapest_mate_is_built_by_pressing_a_square() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (width, height) in [(390, 844), (1280, 800)] {
        browser.size(width, height).await;
        browser.open(&format!("{}/puzzles/design/7", &*site)).await;
        // The page reloads while the endgame tables are computed.
        browser.until("document.querySelector('#workshop .map button')").await;
        browser.ask("document.querySelector('[name=mirror][value=one]').checked = true").await;
        for (mode, text, price) in PRESSES {
            browser.ask(&format!("document.querySelector('[name=mode][value={mode}]').checked = true")).await;
            browser.press("#workshop .map button[value='-1,3']", "#workshop").await;
            browser.until(&format!("document.querySelector('#piece').value === '{text}'")).await;
            let shown = browser.ask("return document.querySelector('#price').innerText").await;
            assert!(shown.as_str().unwrap().contains(price), "{text}: {shown}");
            let fits = "return document.documentElement.scrollWidth <= innerWidth";
            assert_eq!(browser.ask(fits).await, true, "{text} at {width}");
        }
        browser.press("#workshop .primary", ".side .notice").await;
        browser.until("/^Correct!/.test(document.querySelector('.side .notice').innerText)").await;
    }
}
