//! What the search of the documentation looks through: the sections of the guides with their text, and the headings of the reference with
//! their summaries.

use super::{Heading, Page};
use serde::Serialize;

/// A section of a page, in plain text.
#[derive(Serialize)]
struct Section {
    address: String,
    /// Title of the page.
    page: String,
    /// Heading of the section; the title of the page before its first heading.
    title: String,
    text: String,
}

/// The sections of all pages as JSON. Of `guides` they have the whole text.
pub(super) fn sections(guides: &[Page], reference: &[Page]) -> String {
    let headings = reference.iter().flat_map(|page| page.headings.iter().map(move |heading| (page, heading)));
    let headings = headings.map(|(page, heading)| section(page, heading, &heading.note));
    let sections: Vec<Section> = guides.iter().flat_map(divided).chain(headings).collect();
    serde_json::to_string(&sections).expect("a list of texts is valid JSON")
}

fn section(page: &Page, heading: &Heading, text: &str) -> Section {
    Section {
        address: heading.address.clone(),
        page: page.entry.title.clone(),
        title: plain(&heading.title),
        text: plain(text),
    }
}

/// The part of a page before its first heading, and the part after each heading.
fn divided(page: &Page) -> Vec<Section> {
    let mut parts = page.body.split("<h2 id=\"");
    let start = Section {
        address: page.entry.path.clone(),
        page: page.entry.title.clone(),
        title: page.entry.title.clone(),
        text: plain(parts.next().unwrap_or_default()),
    };
    let parts = parts.zip(&page.headings);
    let sections =
        parts.map(|(part, heading)| section(page, heading, part.split_once("</h2>").map_or("", |(_, text)| text)));
    [start].into_iter().chain(sections).collect()
}

/// Tags that part two words. Other tags are within a line.
const BLOCKS: [&str; 8] = ["/p", "/li", "/dt", "/dd", "/td", "/th", "/pre", "br"];

/// HTML entities in templates and in the texts that these escape, with their signs. The ampersand is last.
const ENTITIES: [(&str, &str); 9] = [
    ("&lt;", "<"),
    ("&#60;", "<"),
    ("&gt;", ">"),
    ("&#62;", ">"),
    ("&quot;", "\""),
    ("&#34;", "\""),
    ("&#39;", "'"),
    ("&amp;", "&"),
    ("&#38;", "&"),
];

/// The text of a page on one line, without its tags.
fn plain(html: &str) -> String {
    let mut parts = html.split('<');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (tag, rest) in parts.filter_map(|part| part.split_once('>')) {
        if BLOCKS.contains(&tag) {
            text.push(' ');
        }
        text += rest;
    }
    let text = ENTITIES.into_iter().fold(text, |text, (entity, sign)| text.replace(entity, sign));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
