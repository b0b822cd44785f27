//! Each kind of page, light and dark, on a phone and on a desk: nobody is shut out, nothing comes from elsewhere, nothing is
//! heavy, and how it looks is kept under target/screenshots.

use super::{Browser, Site, begin, driver::screen, on_one_screen};
use serde_json::{Value, json};
use std::{fs, path::Path};

/// The most bytes that a first visit may fetch.
const FIRST_VISIT: u64 = 60 * 1024;

/// Each kind of page: its name and its address. One game has been played for some moves.
async fn kinds(browser: &Browser, site: &str) -> Vec<(&'static str, String)> {
    let code = reqwest::get(format!("{site}/api/bookie")).await.unwrap().json::<Value>().await.unwrap();
    let bookie = code["url"].as_str().unwrap().to_owned();
    let begun = begin(site, json!({"variant": "chess", "opponent": "link", "clock": {"days": 2}})).await;
    let id = on_one_screen(browser, site).await;
    browser.until("document.querySelector('td.movable')").await;
    for (ply, (from, to)) in [("e2", "e4"), ("e7", "e5"), ("g1", "f3")].into_iter().enumerate() {
        browser.step(ply).await;
        browser.drag(from, to).await;
    }
    browser.step(3).await;
    let page = |path: &str| format!("{site}{path}");
    vec![
        ("home", page("/")),
        ("about", page("/about")),
        ("docs", page("/docs")),
        ("bookie", bookie.clone()),
        ("bookie-revealed", format!("{bookie}/reveal")),
        ("rules", page("/rules/chess")),
        ("new", page("/new/chess")),
        ("game", page(&format!("/games/{id}"))),
        ("game-picked", page(&format!("/games/{id}?from=b8"))),
        ("game-past", page(&format!("/games/{id}/ply/1"))),
        ("game-watched", begun["url"].as_str().unwrap().to_owned()),
        ("embed", page(&format!("/games/{id}/embed"))),
        ("invite", begun["invite"]["url"].as_str().unwrap().to_owned()),
        ("seat", page("/seat")),
        ("error", page("/nowhere")),
    ]
}

#[tokio::test]
async fn nobody_is_shut_out_of_any_page() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let axe = std::env::var("ZORKMID_AXE").ok().and_then(|path| fs::read_to_string(path).ok());
    if axe.is_none() {
        eprintln!("SKIPPED: ZORKMID_AXE names no axe.min.js; the pages are only photographed");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/screenshots");
    fs::create_dir_all(&folder).unwrap();
    let mut faults = Vec::new();
    for (name, address) in kinds(&browser, &site).await {
        for width in [390, 1280] {
            browser.width(width).await;
            for scheme in ["light", "dark"] {
                browser.scheme(scheme).await;
                browser.open(&address).await;
                fs::write(folder.join(format!("{name}-{width}-{scheme}.png")), browser.picture().await).unwrap();
                let wide = browser.ask("return document.documentElement.scrollWidth - innerWidth").await;
                if wide.as_i64() != Some(0) {
                    faults.push(format!("{name} at {width} is {wide} pixels too wide"));
                }
                let Some(axe) = axe.as_ref().filter(|_| width == 390 || scheme == "light") else { continue };
                let script = format!(
                    "{axe};
                     return axe.run(document, {{resultTypes: ['violations']}}).then((found) => found.violations.map(
                         (one) => one.id + ': ' + one.nodes.map((node) => node.html.slice(0, 160)).join(' | ')));"
                );
                let found = browser.ask(&script).await;
                for fault in found.as_array().unwrap() {
                    faults.push(format!("{name} at {width}, {scheme}: {fault}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[tokio::test]
async fn a_first_visit_is_light_and_stays_here() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (name, address) in kinds(&browser, &site).await {
        browser.open("about:blank").await;
        browser.console().await;
        browser.forget().await;
        browser.open(&address).await;
        browser.until("document.readyState === 'complete'").await;
        let seen = browser
            .ask(
                "const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
                 return all.map((one) => [one.name, one.transferSize]);",
            )
            .await;
        let seen: Vec<(String, u64)> = serde_json::from_value(seen).unwrap();
        let weight: u64 = seen.iter().map(|(_, size)| size).sum();
        assert!(weight > 1000 && weight <= FIRST_VISIT, "{name} weighs {weight}: {seen:?}");
        assert!(seen.iter().all(|(address, _)| address.starts_with(&*site)), "{name}: {seen:?}");
        let said = browser.console().await;
        let wanted = if name == "error" { 1 } else { 0 };
        assert!(said.len() <= wanted, "{name}: {said:?}");
    }
}
