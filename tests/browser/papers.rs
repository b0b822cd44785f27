//! Printed papers and rules pages.

use super::{Browser, Site, driver::screen};
use serde_json::json;
use zorkmid::{registry::VARIANTS, web::variant_pages};

/// Paper sizes in millimetres: A4 and letter.
const PAPERS: [(f64, f64); 2] = [(210.0, 297.0), (215.9, 279.4)];

/// Elements that are not printed: navigation, buttons and input.
const GONE: &str = "nav, .actions, .beside, .skip, footer, button, code[data-say]";

/// Such elements that would still be printed.
async fn left(browser: &Browser) -> serde_json::Value {
    browser
        .ask(&format!(
            "return [...document.querySelectorAll('{GONE}')].filter((one) => one.getClientRects().length > 0)
                 .map((one) => one.outerHTML.slice(0, 120));"
        ))
        .await
}

#[tokio::test]
async fn every_paper_fits_one_sheet_in_black_on_white() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for variant in VARIANTS {
        for paper in variant_pages::rulebook(variant.key).unwrap().papers {
            let path = format!("/rules/{}/{}", variant.key, paper.key);
            browser.open(&format!("{}{path}", &*site)).await;
            for size in PAPERS {
                assert_eq!(browser.sheets(size).await, 1, "{path} on {size:?}");
            }
            browser.medium("print").await;
            assert_eq!(left(&browser).await, json!([]), "{path}");
            let look = "const one = getComputedStyle(document.querySelector('.one'));
                return [one.color, one.backgroundColor];";
            assert_eq!(browser.ask(look).await, json!(["rgb(0, 0, 0)", "rgb(255, 255, 255)"]), "{path}");
            browser.medium("").await;
        }
    }
}

#[tokio::test]
async fn papers_and_rules_print_in_large_type_by_choice() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    // The width of A4 between usual margins.
    browser.width(718).await;
    for variant in VARIANTS {
        let papers = variant_pages::rulebook(variant.key).unwrap().papers.iter();
        let papers = papers.map(|paper| format!("/rules/{}/{}", variant.key, paper.key));
        for path in papers.chain([format!("/rules/{}", variant.key)]) {
            browser.open(&format!("{}{path}", &*site)).await;
            browser.ask("document.getElementById('large').click()").await;
            browser.medium("print").await;
            // 24 points are 32 pixels.
            let small = "const texts = document.createTreeWalker(document.querySelector('.sheet'), NodeFilter.SHOW_TEXT);
                const small = [];
                while (texts.nextNode()) {
                    const parent = texts.currentNode.parentElement;
                    const seen = texts.currentNode.data.trim() && parent.getClientRects().length && !parent.closest('.board, svg, .visually-hidden');
                    if (seen && parseFloat(getComputedStyle(parent).fontSize) < 31.9) small.push(parent.outerHTML.slice(0, 100));
                }
                return small";
            assert_eq!(browser.ask(small).await, json!([]), "{path}");
            let wide = "return document.documentElement.scrollWidth > 718";
            assert_eq!(browser.ask(wide).await, false, "{path} is too wide");
            browser.medium("").await;
        }
    }
}

#[tokio::test]
async fn printed_rules_keep_examples_and_drop_navigation() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for variant in VARIANTS {
        browser.open(&format!("{}/rules/{}", &*site, variant.key)).await;
        assert_ne!(left(&browser).await, json!([]), "the screen shows navigation");
        browser.medium("print").await;
        assert_eq!(left(&browser).await, json!([]), "{}", variant.key);
        let seen = "return [...document.querySelectorAll('.example .line, .plate .board')]
            .filter((one) => one.getClientRects().length === 0).length";
        assert_eq!(browser.ask(seen).await, 0, "{} hides an example or a board", variant.key);
        browser.medium("").await;
    }
    // Proves that the count of sheets can exceed one.
    browser.open(&format!("{}/rules/clairvoyant", &*site)).await;
    assert!(browser.sheets(PAPERS[0]).await > 1);
}

#[tokio::test]
async fn board_squares_in_the_text_are_square() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for variant in VARIANTS {
        browser.open(&format!("{}/rules/{}", &*site, variant.key)).await;
        for width in [390, 1280] {
            browser.width(width).await;
            let odd = "return [...document.querySelectorAll('.plate td[data-square]')].filter((one) => {
                const box = one.getBoundingClientRect();
                return Math.abs(box.width - box.height) > 1;
            }).map((one) => one.outerHTML.slice(0, 120))";
            assert_eq!(browser.ask(odd).await, json!([]), "{} at {width}", variant.key);
        }
    }
}
