//! Pages in text browsers: every kind of page works with links and plain forms, and is readable without styles. Forms contain all their
//! fields, because some text browsers do not support the `form` attribute.

use super::{Site, kinds::kinds, tools};
use reqwest::{Client, redirect::Policy};
use std::{fs, process::Command};

/// Pages of a site with their names, for a viewer who holds the seats.
pub(super) async fn pages(site: &str) -> Vec<(String, String)> {
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    let mut pages = Vec::new();
    for kind in kinds(site).await {
        let mut cookies = Vec::new();
        for seat in &kind.seats {
            let sat = client.get(seat).header("cookie", cookies.join("; ")).send().await.unwrap();
            let fresh = sat.headers().get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
            cookies.extend(fresh.map(|cookie| cookie.split(';').next().unwrap().to_owned()));
        }
        let answer =
            reqwest::Client::new().get(&kind.address).header("cookie", cookies.join("; ")).send().await.unwrap();
        pages.push((kind.name, answer.text().await.unwrap()));
    }
    pages
}

/// Faults of a page without scripts and styles.
fn faults(page: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for attribute in [" form=\"", " formaction=", " formmethod="] {
        if page.contains(attribute) {
            faults.push(format!("has{attribute}"));
        }
    }
    let mut inside = false;
    for tag in page.split('<').skip(1).map(|tag| tag.split('>').next().unwrap()) {
        match tag.split_whitespace().next().unwrap_or_default() {
            "form" if inside => faults.push(format!("a form in a form: {tag}")),
            // Some text browsers append the query after the fragment.
            "form"
                if tag.contains("method=\"get\"")
                    && tag.split("action=\"").nth(1).is_some_and(|to| to.split('"').next().unwrap().contains('#')) =>
            {
                faults.push(format!("a question with a fragment: {tag}"));
            }
            _ => {}
        }
        inside = (inside || tag.starts_with("form ")) && tag != "/form";
    }
    // An SVG title would replace the title of the page.
    if page.matches("<title").count() != 1 {
        faults.push("has more than one title".to_owned());
    }
    for together in ["</button><button", "</button><a ", "</a><button", "</a><a class=\"button\""] {
        if let Some(at) = page.find(together) {
            faults.push(format!("has no space between controls: {:.90}", &page[at..]));
        }
    }
    for list in page.split("<datalist").skip(1) {
        let list = list.split("</datalist>").next().unwrap();
        if list.contains("<option>") || list.split("<option ").skip(1).any(|option| !option.ends_with("\"></option>")) {
            faults.push("a list of options that is read as text".to_owned());
        }
    }
    for address in page.split("<code class=\"address").skip(1).filter_map(|code| Some(code.split_once('>')?.1)) {
        if address.starts_with("http") {
            faults.push(format!("an address that is no link: {:.60}", address));
        }
    }
    faults
}

/// Errors by html-validate under the rules of the standard; `None` if it is not installed.
fn invalid(pages: &[(String, String)]) -> Option<String> {
    let program = tools::named("ZORKMID_HTML_VALIDATE")?;
    let folder = tempfile::tempdir().unwrap();
    for (number, (name, page)) in pages.iter().enumerate() {
        let name: String =
            name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
        fs::write(folder.path().join(format!("{number:03}-{name}.html")), page).unwrap();
    }
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser/html-validate.cjs");
    let said =
        Command::new(program).args(["--config", rules, "--formatter", "text"]).arg(folder.path()).output().unwrap();
    let words = format!("{}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    (!said.status.success()).then_some(words)
}

#[tokio::test]
async fn every_kind_of_page_works_without_scripts_and_styles() {
    let site = Site::new();
    let pages = pages(&site).await;
    let wrong =
        pages.iter().flat_map(|(name, page)| faults(page).into_iter().map(move |fault| format!("{name}: {fault}")));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{} faults of {} pages:\n{}", wrong.len(), pages.len(), wrong.join("\n"));
    if let Some(wrong) = invalid(&pages) {
        panic!("{wrong}");
    }
}

#[test]
fn html_errors_are_detected() {
    let page = |body: &str| {
        format!("<!doctype html><html lang=\"en\"><head><title>A page</title></head><body>{body}</body></html>")
    };
    let pages = |body| [("page".to_owned(), page(body))];
    if tools::named("ZORKMID_HTML_VALIDATE").is_some() {
        assert_eq!(invalid(&pages("<p>Well.</p>")), None);
        assert!(
            invalid(&pages("<ul><p>No item.</p></ul>"))
                .is_some_and(|words| words.contains("element-permitted-content"))
        );
    }
}
