//! Screenshots for the README: a game, the piece designer and an endgame, light and dark. With `ZORKMID_PICTURES` set, they are saved in
//! docs/pictures; otherwise they are only taken.

use super::{
    Browser, Site,
    driver::screen,
    kinds::{Kind, open, said, visit},
};
use serde_json::json;
use std::{env, fs, path::Path};

const WIDTH: u32 = 1120;
/// Maximum bytes of a screenshot.
const MOST: usize = 120 * 1024;

/// Bidding chess after an opening, with a bid due.
async fn game(site: &str) -> Kind {
    let terms = json!({"scheme": "secret", "white": 100, "black": 100});
    let game = json!({"variant": "bidding", "opponent": "self", "name": "Ada", "options": terms});
    let lines = [
        "one bid 12",
        "two bid 9",
        "one e2e4",
        "one bid 8",
        "two bid 11",
        "two e7e5",
        "one bid 10",
        "two bid 6",
        "one g1f3",
        "one bid 5",
        "two bid 9",
        "two b8c6",
        "one bid 13",
        "two bid 12",
        "one f1c4",
        "one bid 7",
        "two bid 14",
        "two g8f6",
    ];
    said(site, game, &lines).await
}

#[tokio::test]
async fn readme_screenshots_can_be_taken() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let keep = env::var_os("ZORKMID_PICTURES").is_some();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let kinds = [
        (game(&site).await, 780),
        (open(&site, "workshop", "/betza?piece=WFfhN"), 1080),
        (open(&site, "endgame", "/endgames?fen=8/8/8/8/3k4/8/8/K2N4"), 820),
    ];
    for (kind, height) in &kinds {
        visit(&browser, kind).await;
        for scheme in ["light", "dark"] {
            let path = format!("docs/pictures/{}-{scheme}.webp", kind.name);
            browser.size(WIDTH, *height).await;
            browser.scheme(scheme).await;
            let picture = browser.small_picture(WIDTH, *height).await;
            assert!((5_000..=MOST).contains(&picture.len()), "{path} has {} bytes", picture.len());
            if keep {
                fs::write(root.join(&path), picture).unwrap();
            }
            assert!(readme.contains(&path) && root.join(&path).exists(), "{path} exists and the README shows it");
        }
    }
}
