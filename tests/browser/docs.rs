//! The search of the documentation.

use super::{Browser, Site, driver::screen};
use serde_json::json;

#[tokio::test]
async fn search_shows_the_words_around_a_match_instead_of_the_menu() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let browser = Browser::new(&screen).await;
    browser.size(390, 844).await;
    browser.open(&format!("{}/docs", &*site)).await;
    browser.until("!document.querySelector('#find').matches('.unready')").await;
    let search = async |words: &str| {
        let script = format!(
            "const field = document.querySelector('#find input');
             field.value = '{words}';
             field.dispatchEvent(new Event('input'));"
        );
        browser.ask(&script).await;
    };
    for words in ["resign", "Castling", "idempotency", "rate limit"] {
        search(words).await;
        let all = words.to_lowercase().replace(' ', "', '");
        browser
            .until(&format!(
                "['{all}'].every((word) => document.querySelector('#found li')?.textContent.toLowerCase().includes(word))"
            ))
            .await;
        assert_eq!(browser.ask("return document.querySelector('#find + ol').hidden").await, json!(true), "{words}");
    }
    search("").await;
    browser.until("!document.querySelector('#found li') && !document.querySelector('#find + ol').hidden").await;
    assert!(browser.console().await.is_empty());
}
