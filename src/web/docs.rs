//! The documentation of the API: guides with examples, a reference written from the OpenAPI description, an index of all headings,
//! the sections for the search, and a sandbox. All pages are the same for all viewers and are rendered once.

mod reference;
mod sandbox;
mod search;

use askama::Template;
use serde_json::Value;
use std::sync::OnceLock;

/// A page of the documentation, without its text.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Path of the page.
    pub path: String,
    /// Title, also its heading.
    pub title: String,
    /// Contents in one sentence.
    pub about: String,
    /// Whether the page is listed below another one.
    pub nested: bool,
}

/// A guide with examples.
pub struct Guide {
    /// Path of the page.
    pub path: &'static str,
    /// Title, also its heading.
    pub title: &'static str,
    /// Contents in one sentence.
    pub about: &'static str,
    body: fn() -> String,
}

/// A heading of a page, for the index.
struct Heading {
    /// Address of the heading.
    address: String,
    /// Text, as HTML.
    title: String,
    /// Summary of the operation, as HTML; otherwise empty.
    note: String,
}

/// A page with its text.
struct Page {
    entry: Entry,
    body: String,
    headings: Vec<Heading>,
}

impl Page {
    /// Turns every heading of a text that has an anchor into a link to itself.
    fn new(entry: Entry, text: &str) -> Page {
        let mut headings = Vec::new();
        let mut parts = text.split("<h2 id=\"");
        let mut body = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let heading = part.split_once("\">").and_then(|(id, rest)| Some((id, rest.split_once("</h2>")?)));
            let Some((id, (title, rest))) = heading else { continue };
            let note = rest.trim_start().strip_prefix("<p class=\"summary\">").and_then(|rest| rest.split_once("</p>"));
            body += &format!("<h2 id=\"{id}\"><a href=\"#{id}\">{title}</a></h2>{rest}");
            headings.push(Heading {
                address: format!("{}#{id}", entry.path),
                title: title.to_owned(),
                note: note.map(|(note, _)| note.to_owned()).unwrap_or_default(),
            });
        }
        Page { entry, body, headings }
    }
}

macro_rules! guide {
    ($path:literal, $title:literal, $about:literal, $template:literal) => {{
        #[derive(Template)]
        #[template(path = $template)]
        struct Body;
        Guide { path: $path, title: $title, about: $about, body: || rendered(&Body) }
    }};
}

/// The guides, in the order of the sidebar.
pub static GUIDES: &[Guide] = &[
    guide!("/docs", "The API", "What the API is, and all pages about it.", "docs/start.html"),
    guide!(
        "/docs/quick-start",
        "Quick start",
        "A key, a game, the first move and a complete bot.",
        "docs/quick-start.html"
    ),
    guide!(
        "/docs/playing",
        "Playing games",
        "Create, join and read a game, act in it, and find an opponent.",
        "docs/playing.html"
    ),
    guide!("/docs/actions", "Actions", "The texts of actions in every variant, and offers.", "docs/actions.html"),
    guide!("/docs/bots", "Streams and bots", "Event streams, keys, bots and webhooks.", "docs/bots.html"),
    guide!(
        "/docs/records",
        "Records and analysis",
        "Game records as JSON and PGN, lists and downloads of games, and the analysis.",
        "docs/records.html"
    ),
    guide!("/docs/puzzles", "Puzzles", "Puzzles and Bookie Chess positions.", "docs/puzzles.html"),
    guide!("/docs/pieces", "Pieces", "Prices, names and files of designed pieces.", "docs/pieces.html"),
    guide!("/docs/endgames", "Endgame values", "Exact values of bidding chess endgames.", "docs/endgames.html"),
    guide!(
        "/docs/endgame-money",
        "Chips and payment",
        "Endgames with whole chips, sealed bids, other ways to pay, and limited moves.",
        "docs/endgame-money.html"
    ),
    guide!(
        "/docs/endgame-tables",
        "Endgame tables",
        "Many positions at once, searches, statistics and downloads.",
        "docs/endgame-tables.html"
    ),
    guide!("/docs/errors", "Errors", "The form of an error, and every error type.", "docs/errors.html"),
    guide!("/docs/limits", "Limits", "Limits of requests, sizes, CPU time and games.", "docs/limits.html"),
    guide!("/docs/changes", "Changes", "Changes that programs notice.", "docs/changes.html"),
];

/// Topics of the former single page: anchor on the start page, title, and present address.
pub static TOPICS: [(&str, &str, &str); 17] = [
    ("games", "Games", "/docs/playing"),
    ("grammar", "Blanks in actions", "/docs/actions#grammar"),
    ("following", "Following a game", "/docs/bots#following"),
    ("keys", "Keys", "/docs/bots#keys"),
    ("notices", "Turn notifications", "/docs/bots#notices"),
    ("bots", "Bots", "/docs/bots#bots"),
    ("review", "Review", "/docs/records#review"),
    ("record", "Game records", "/docs/records#record"),
    ("pieces", "Pieces", "/docs/pieces"),
    ("bookie", "Bookie positions", "/docs/puzzles#bookie"),
    ("richman", "Endgame values", "/docs/endgames#richman"),
    ("chips", "Whole chips", "/docs/endgame-money#chips"),
    ("tables", "Downloads of tables", "/docs/endgame-tables#tables"),
    ("puzzles", "Puzzles", "/docs/puzzles"),
    ("service", "Service status", "/docs/limits#service"),
    ("errors", "Errors", "/docs/errors"),
    ("limits", "Limits", "/docs/limits"),
];

#[derive(Template)]
#[template(path = "docs.html")]
struct Frame<'a> {
    page: &'a Entry,
    pages: &'a [Entry],
    body: &'a str,
}

#[derive(Template)]
#[template(path = "docs/reference.html")]
struct Overview<'a> {
    groups: Vec<(&'a str, &'a str, Vec<&'a Heading>)>,
}

#[derive(Template)]
#[template(path = "docs/index.html")]
struct Index<'a> {
    headings: Vec<&'a Heading>,
}

#[derive(Template)]
#[template(path = "docs/sandbox.html")]
struct Sandbox {
    operations: Vec<sandbox::Operation>,
}

/// The rendered documentation.
pub(super) struct Documentation {
    /// All pages, as path and HTML.
    pub(super) pages: Vec<(String, String)>,
    /// The sections that the search looks through, as JSON.
    pub(super) search: String,
}

static RENDERED: OnceLock<Documentation> = OnceLock::new();

/// The documentation. The first call renders it from the description, which is the same while the program runs.
pub(super) fn documentation(description: &Value) -> &'static Documentation {
    RENDERED.get_or_init(|| render(description))
}

/// Paths of all pages, once they are rendered.
pub(super) fn paths() -> impl Iterator<Item = String> {
    RENDERED.get().into_iter().flat_map(|rendered| &rendered.pages).map(|(path, _)| path.clone())
}

fn rendered(template: &impl Template) -> String {
    template.render().expect("rendering to a string cannot fail")
}

fn render(description: &Value) -> Documentation {
    let entry = |path: &str, title: &str, about: &str| Entry {
        path: path.to_owned(),
        title: title.to_owned(),
        about: about.to_owned(),
        nested: false,
    };
    let guide = |guide: &Guide| Page::new(entry(guide.path, guide.title, guide.about), &(guide.body)());
    let groups = reference::groups(description);
    let overview = groups.iter().map(|(tag, title, pages)| {
        let headings = pages.iter().flat_map(|page| &page.headings);
        (*tag, *title, headings.filter(|heading| heading.title.contains(" /")).collect())
    });
    // The types have no entries here.
    let overview = overview.filter(|(.., operations): &(_, _, Vec<&Heading>)| !operations.is_empty());
    let overview = Overview { groups: overview.collect() };
    let about = "Every operation with its parameters, answers and types.";
    let overview = Page::new(entry("/docs/reference", "Reference", about), &rendered(&overview));
    let mut pages: Vec<Page> = GUIDES.iter().map(guide).collect();
    let reference: Vec<Page> = groups.into_iter().flat_map(|(_, _, pages)| pages).collect();
    let search = search::sections(&pages, &reference);
    pages.push(overview);
    pages.extend(reference);
    let index = Index { headings: pages.iter().flat_map(|page| &page.headings).collect() };
    let index = Page::new(entry("/docs/index", "Index", "All headings, operations and types."), &rendered(&index));
    pages.push(index);
    let about = "Send requests from this page and see the answers.";
    let sandbox = Sandbox { operations: sandbox::operations(description) };
    pages.push(Page::new(entry("/docs/sandbox", "Sandbox", about), &rendered(&sandbox)));
    let entries: Vec<Entry> = pages.iter().map(|page| page.entry.clone()).collect();
    let framed = |page: &Page| {
        let frame = Frame { page: &page.entry, pages: &entries, body: &page.body };
        (page.entry.path.clone(), rendered(&frame))
    };
    Documentation { pages: pages.iter().map(framed).collect(), search }
}
