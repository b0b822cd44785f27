//! The documentation of the API: its examples run and print what it shows, its pages are short, linked and complete.

use super::{get, program::Server, site};
use axum::Router;
use std::{
    collections::BTreeSet,
    process::{Command, Output},
};
use zorkmid::web::docs::GUIDES;

/// Maximum number of words on a page, without code and examples.
const WORDS: usize = 1_500;

/// Paths of all pages, as the sidebar lists them.
async fn pages(site: &Router) -> Vec<String> {
    let start = get(site, "/docs").await;
    let sidebar = start.page(200).split_once("<nav class=\"contents\"").unwrap().1.split_once("</nav>").unwrap().0;
    let links = sidebar.split("<a href=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
    links.collect()
}

/// The text of a page between two markers, without its tags.
fn plain(text: &str) -> String {
    let parts = text.split('<').enumerate();
    let text: String = parts.map(|(n, part)| if n == 0 { part } else { part.split_once('>').unwrap().1 }).collect();
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
        .iter()
        .fold(text, |text, (entity, letter)| text.replace(entity, letter))
}

/// Code blocks of a page: the language and the text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let blocks = page.split("<pre tabindex=\"0\"><code class=\"").skip(1);
    let block = |rest: &str| {
        let (language, rest) = rest.split_once("\">").unwrap();
        (language.to_owned(), plain(rest.split_once("</code></pre>").unwrap().0))
    };
    blocks.map(block).collect()
}

/// Texts in quotes of a shown answer that every answer has. Ids, secrets and abridged texts differ.
fn expected(shown: &str) -> Vec<String> {
    let quoted = shown.split('"').skip(1).step_by(2);
    let fixed = quoted.filter(|text| !text.contains('…') && !["k3v9m2xq", "TOKEN", "CODE"].contains(text));
    fixed.map(|text| format!("\"{text}\"")).collect()
}

fn run(program: &str, arguments: &[&str], address: &str) -> String {
    let Output { status, stdout, stderr } =
        Command::new(program).args(arguments).env("ZORKMID", address).output().unwrap();
    let printed = String::from_utf8(stdout).unwrap();
    assert!(status.success(), "{arguments:?}: {printed}\n{}", String::from_utf8_lossy(&stderr));
    printed
}

/// Runs all examples of all guides against one server. The commands of a page share their variables.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn examples_run_and_print_what_the_pages_show() {
    const MARK: &str = "=====\n";
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let client = reqwest::Client::new();
    let body = async |path: &str| client.get(format!("{}{path}", server.address)).send().await.unwrap();
    super::until("the endgame tables answer", async || body("/readyz").await.status() == 200).await;
    let mut run_blocks = 0;
    for guide in GUIDES {
        let page = body(guide.path).await.text().await.unwrap();
        let blocks = blocks(&page);
        let commands = blocks.iter().filter(|(language, _)| language == "sh");
        let script: String = commands.map(|(_, text)| format!("{text}\nprintf '\\n{MARK}'\n")).collect();
        let printed = run("bash", &["-euo", "pipefail", "-c", &script], &server.address);
        let mut printed = printed.split(MARK);
        let mut last = String::new();
        for (language, text) in &blocks {
            match language.as_str() {
                "sh" => last = printed.next().unwrap().to_owned(),
                "python" => {
                    assert!(text.lines().count() <= 40, "{}", guide.path);
                    last = run("python3", &["-c", text], &server.address);
                }
                "json" => {
                    for text in expected(text) {
                        assert!(last.contains(&text), "{}: {text} is not in {last}", guide.path);
                    }
                }
                "text" => assert_eq!(last.trim(), text.trim(), "{}", guide.path),
                "headers" => {
                    // The server of the tests has no limits, so its answers do not show any.
                    let names = text.lines().filter_map(|line| line.split(':').next());
                    for name in names.filter(|name| !name.starts_with("ratelimit")) {
                        assert!(last.to_lowercase().contains(name), "{}: {name} is not in {last}", guide.path);
                    }
                }
                other => panic!("{}: unknown language {other}", guide.path),
            }
            run_blocks += usize::from(["sh", "python"].contains(&language.as_str()));
        }
    }
    assert!(run_blocks > 40, "only {run_blocks} examples");
    server.kill();
}

#[tokio::test]
async fn quick_start_is_short() {
    let page = get(&site(), "/docs/quick-start").await;
    let blocks = blocks(page.page(200));
    assert!(blocks.iter().any(|(language, text)| language == "sh" && text.lines().count() <= 20), "{blocks:?}");
}

#[tokio::test]
async fn pages_are_short_and_have_one_heading() {
    let site = site();
    let pages = pages(&site).await;
    assert!(pages.len() > 20, "{pages:?}");
    for path in pages {
        let page = get(&site, &path).await;
        let article = page.page(200).split_once("<article").unwrap().1.split_once("</article>").unwrap().0;
        assert_eq!(page.body.matches("<h1").count(), 1, "{path}");
        let mut prose = String::new();
        for (tag, end) in [("<pre", "</pre>"), ("<code", "</code>")] {
            let text = if prose.is_empty() { article.to_owned() } else { prose.clone() };
            let mut parts = text.split(tag);
            prose = parts.next().unwrap().to_owned();
            prose.extend(parts.map(|part| part.split_once(end).unwrap().1.to_owned()));
        }
        let words = plain(&format!("<{prose}").replace("<h1>", " ")).split_whitespace().count();
        eprintln!("{path}: {words} words");
        assert!((20..=WORDS).contains(&words), "{path} has {words} words");
    }
}

#[tokio::test]
async fn links_lead_to_anchors() {
    let site = site();
    let mut anchors = BTreeSet::new();
    let mut links = BTreeSet::new();
    for path in pages(&site).await {
        let page = get(&site, &path).await;
        let ids = page.page(200).split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
        anchors.extend(ids.map(|id| format!("{path}#{id}")));
        anchors.insert(path.clone());
        for link in page.body.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            if link.starts_with('#') {
                links.insert((format!("{path}{link}"), path.clone()));
            } else if link.starts_with("/docs") {
                links.insert((link.to_owned(), path.clone()));
            }
        }
    }
    for (link, path) in links {
        assert!(anchors.contains(&link), "{path} links to {link}");
    }
}

/// The search looks through the text of all guides, and through the headings of the reference.
#[tokio::test]
async fn search_covers_the_text_of_the_guides() {
    let site = site();
    let sections = get(&site, "/docs/search.json").await.json();
    let sections = sections.as_array().unwrap();
    let text = |section: &serde_json::Value, name: &str| section[name].as_str().unwrap().to_owned();
    for (words, page) in [
        ("resign", "Actions"),
        ("castling", "Endgame values"),
        ("idempotency", "Playing games"),
        ("rate limit", "Limits"),
        ("post /api/games", "Creating and joining games"),
    ] {
        let has = |section: &&serde_json::Value| {
            let all = ["page", "title", "text"].map(|name| text(section, name)).join(" ").to_lowercase();
            words.split(' ').all(|word| all.contains(word)) && text(section, "page") == page
        };
        assert!(sections.iter().any(|section| has(&section)), "{words} is not on {page}");
    }
    let pages: BTreeSet<String> = sections.iter().map(|section| text(section, "page")).collect();
    assert!(GUIDES.iter().all(|guide| pages.contains(guide.title)), "{pages:?}");
    for section in sections {
        let (address, words) = (text(section, "address"), text(section, "text"));
        assert!(!words.contains("</") && !words.contains("&#"), "{address}: {words}");
        let (path, anchor) = address.split_once('#').unwrap_or((&address, ""));
        let page = get(&site, path).await;
        assert!(anchor.is_empty() || page.page(200).contains(&format!(" id=\"{anchor}\"")), "{address}");
    }
}

#[tokio::test]
async fn sitemap_lists_every_page() {
    let site = site();
    let map = get(&site, "/sitemap.xml").await.body;
    for path in pages(&site).await {
        assert!(map.contains(&format!("{path}</loc>")), "{path}");
    }
}

#[tokio::test]
async fn reference_describes_every_operation_and_type() {
    let site = site();
    let api = get(&site, "/api/openapi.json").await.json();
    let mut text = String::new();
    for path in pages(&site).await {
        if path.starts_with("/docs/reference/") {
            text += &plain(get(&site, &path).await.page(200));
        }
    }
    for (path, methods) in api["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            assert!(text.contains(&format!("{} {path}", method.to_uppercase())), "{method} {path}");
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                assert!(text.contains(parameter["name"].as_str().unwrap()), "{parameter} of {path}");
            }
        }
    }
    for (name, schema) in api["components"]["schemas"].as_object().unwrap() {
        assert!(text.contains(name.as_str()), "{name}");
        for field in schema["properties"].as_object().into_iter().flatten().map(|(field, _)| field) {
            assert!(text.contains(field.as_str()), "{field} of {name}");
        }
    }
}

/// The addresses of error types before the documentation had several pages.
#[tokio::test]
async fn former_anchors_lead_on() {
    let start = get(&site(), "/docs").await;
    for anchor in ["malformed", "rules", "options", "clock", "key", "body", "stale", "grammar", "richman", "tables"] {
        let entry = format!("<li id=\"{anchor}\"><a href=\"/docs/");
        assert!(start.page(200).contains(&entry), "{anchor}");
    }
}

/// Every field of an answer and of a move is described beside the example.
#[tokio::test]
async fn endgame_page_describes_every_field() {
    let site = super::solved();
    let page = get(&site, "/docs/endgames").await;
    let answer = get(&site, "/api/richman?fen=8/8/8/8/3k4/8/8/K2N4").await.json();
    let described: BTreeSet<String> = page
        .page(200)
        .split("<dt>")
        .skip(1)
        .flat_map(|rest| plain(rest.split("</dt>").next().unwrap()).split(", ").map(str::to_owned).collect::<Vec<_>>())
        .collect();
    for fields in [&answer, &answer["white"][0]] {
        for field in fields.as_object().unwrap().keys() {
            assert!(described.contains(field), "{field} is not described");
        }
    }
}
