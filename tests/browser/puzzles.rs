//! Puzzles in the browser: no answer moves the board or the controls, and the cheapest mate is built by pressing squares.

use super::{Browser, Site, driver::screen};
use serde_json::{Value, json};
use zorkmid::puzzles::PuzzleKind;

/// Sizes of the window: a phone and a laptop.
const SIZES: [(u32, u32); 2] = [(390, 844), (1280, 800)];
/// The mode, the notation and the price after each press of the solution.
const PRESSES: [(&str, &str, &str); 3] =
    [("both", "lfL", "≈ 0.52"), ("moves", "mlfL", "≈ 0.31"), ("captures", "clfL", "≈ 0.31")];
/// Boxes of the board, the task and the result; top of the first row of controls; and whether all of it is in the first screen.
const PARTS: &str = "
    scrollTo(0, 0);
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const [board, task, result] = ['.board:not(.map)', '.side .lead', '.side .notice'].map(box);
    const row = box('.side :is(.actions, .offered, .priced)').top;
    const seen = [board, task, result].every((one) => one.top >= 0 && one.bottom <= innerHeight) && row + 44 <= innerHeight;
    return [[board, task, result].map((one) => [one.x, one.y, one.width, one.height]), row, seen];";

/// The answer to a request. A server on a busy machine may ask to retry.
async fn answered(request: reqwest::RequestBuilder) -> Value {
    loop {
        let answer = request.try_clone().unwrap().send().await.unwrap();
        if answer.status() != 503 {
            return answer.json().await.unwrap();
        }
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
}

/// A wrong answer to a puzzle, and its solution.
async fn answers(site: &str, kind: PuzzleKind) -> [String; 2] {
    let (client, address) = (reqwest::Client::new(), format!("{site}/api/puzzle/{}/0", kind.key()));
    let puzzle = answered(client.get(&address)).await;
    let offered = puzzle["answers"].as_array().unwrap().iter().map(|offered| offered["answer"].as_str().unwrap());
    let typed = match kind {
        PuzzleKind::Mate => "f1d3",
        PuzzleKind::Design => "mW",
        _ => "0",
    };
    let texts: Vec<&str> = offered.chain([typed]).collect();
    let graded = answered(client.post(&address).json(&json!({"answer": texts[0]}))).await;
    let solution = graded["solution"].as_str().unwrap();
    let wrong = texts.into_iter().find(|text| *text != solution).unwrap();
    [wrong, solution].map(|text| text.replace(' ', "+").replace('@', "%40"))
}

/// The parts of a puzzle's page. It reloads while the endgame tables are computed.
async fn parts(browser: &Browser, address: &str) -> Value {
    browser.open(address).await;
    browser.until("document.querySelector('.side .notice')").await;
    browser.ask(PARTS).await
}

#[tokio::test]
async fn answer_moves_neither_the_board_nor_the_controls() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for kind in PuzzleKind::ALL {
        let [wrong, right] = answers(&site, kind).await;
        for (width, height) in SIZES {
            browser.size(width, height).await;
            let address = format!("{}/puzzles/{}/0", &*site, kind.key());
            let fresh = parts(&browser, &address).await;
            assert_eq!(fresh[2], true, "{kind:?} at {width}: {fresh}");
            for answer in [&wrong, &right] {
                let answered = parts(&browser, &format!("{address}?answer={answer}")).await;
                assert_eq!(answered[0], fresh[0], "{kind:?} {answer} at {width}");
                assert_eq!(answered[2], true, "{kind:?} {answer} at {width}: {answered}");
                let shift = (answered[1].as_f64().unwrap() - fresh[1].as_f64().unwrap()).abs();
                assert!(shift < 10.0, "{kind:?} {answer} at {width}: the controls move by {shift}");
            }
            let next = "return document.querySelector('.side .primary')?.innerText";
            assert_eq!(browser.ask(next).await, "Next puzzle", "{kind:?}");
        }
    }
}

#[tokio::test]
async fn wrong_bid_is_explained_beside_the_board() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    browser.open(&format!("{}/puzzles/least-bid/0?answer=0", &*site)).await;
    browser.until("/^Wrong\\. 0 is too low: if (White|Black) pays it and moves, /.test(document.querySelector('.side .notice')?.innerText)").await;
    browser.open(&format!("{}/puzzles/least-bid/0?answer=101", &*site)).await;
    browser.until("/^Wrong\\. 101 is not possible: /.test(document.querySelector('.side .notice')?.innerText)").await;
}

#[tokio::test]
async fn board_map_price_and_submit_button_share_the_first_screen_of_a_phone() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    browser.size(390, 844).await;
    browser.open(&format!("{}/puzzles/design/7?piece=W", &*site)).await;
    browser.until("document.querySelector('#workshop .map button')").await;
    let hidden = "
        return ['.board:not(.map)', '.map', '#price', '#workshop .primary'].filter((selector) => {
          const box = document.querySelector(selector).getBoundingClientRect();
          return box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth;
        });";
    assert_eq!(browser.ask(hidden).await, json!([]));
    let least = "
        const boxes = [...document.querySelectorAll('.map button')].map((button) => button.getBoundingClientRect());
        return Math.min(...boxes.flatMap((box) => [box.width, box.height]));";
    let least = browser.ask(least).await.as_f64().unwrap();
    assert!(least >= 30.0, "{least}");
}

#[tokio::test]
async fn cheapest_mate_is_built_by_pressing_a_square() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (width, height) in SIZES {
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
