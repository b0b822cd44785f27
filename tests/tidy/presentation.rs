//! How things look, and where they are found, only `web` knows: no drawings, no HTML, no colours and no addresses below it.

use super::{Source, module_of, tokens};

/// What only a drawing or a page holds.
const MARKS: [&str; 5] = ["<svg", "<path", "</", "href", "viewBox"];

/// Every text below `web` that belongs to it; `modules` stand bottom first.
pub(super) fn faults(files: &[Source], modules: &[String]) -> Vec<String> {
    let below: Vec<&String> = modules.iter().take_while(|module| *module != "web").collect();
    let mut faults = Vec::new();
    for (path, text) in files {
        if module_of(path).is_none_or(|module| !below.contains(&&module[0])) {
            continue;
        }
        let tokens = tokens(text);
        let texts = tokens.iter().filter_map(|token| token.strip_prefix('"'));
        let shown = texts.filter(|text| MARKS.iter().any(|mark| text.contains(mark)) || colored(text) || address(text));
        faults.extend(shown.map(|text| format!("{path} says “{text}”, which only web may")));
    }
    faults
}

/// Whether a text holds a colour, as `#` and six hexadecimal digits.
fn colored(text: &str) -> bool {
    text.split('#').skip(1).any(|rest| {
        let digits = rest.chars().take_while(char::is_ascii_hexdigit).count();
        digits == 6 && !rest[6..].starts_with(char::is_alphanumeric)
    })
}

/// Whether a text is an address of the site.
fn address(text: &str) -> bool {
    text.strip_prefix('/').is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_lowercase()))
}
