//! The picture in the README: a game, by day and by night. With `ZORKMID_PICTURES` set it is kept in docs/pictures; otherwise it is only
//! taken.

use super::{
    Browser, Site,
    driver::screen,
    kinds::{Kind, said, visit},
};
use serde_json::json;
use std::{env, fs, path::Path};

const WIDTH: u32 = 1120;
const HEIGHT: u32 = 780;
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
async fn the_picture_of_the_readme_can_be_taken() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let keep = env::var_os("ZORKMID_PICTURES").is_some();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let kind = game(&site).await;
    visit(&browser, &kind).await;
    for scheme in ["light", "dark"] {
        let path = format!("docs/pictures/{}-{scheme}.webp", kind.name);
        browser.size(WIDTH, HEIGHT).await;
        browser.scheme(scheme).await;
        let picture = browser.small_picture(WIDTH, HEIGHT).await;
        assert!((5_000..=MOST).contains(&picture.len()), "{path} has {} bytes", picture.len());
        if keep {
            fs::write(root.join(&path), picture).unwrap();
        }
        assert!(readme.contains(&path) && root.join(&path).exists(), "{path} is missing or not in the README");
    }
}
