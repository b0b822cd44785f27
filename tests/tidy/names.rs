//! A word found once should be understood once: no name for three types.

use std::collections::BTreeMap;

use super::{Source, inside};

/// The names that every variant's folder has.
const ANATOMY: [&str; 5] = ["State", "Action", "View", "Options", "Terms"];

/// The most types that may have one name.
const MOST: usize = 2;

/// Every name that too many types have.
pub(super) fn faults(files: &[Source]) -> Vec<String> {
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (path, text) in files.iter().filter(|(path, _)| inside(path).is_some()) {
        for (number, line) in text.lines().enumerate() {
            for name in defined(line).filter(|name| !ANATOMY.contains(name)) {
                places.entry(name).or_default().push(format!("{path}:{}", number + 1));
            }
        }
    }
    let many = places.into_iter().filter(|(_, places)| places.len() > MOST);
    many.map(|(name, places)| format!("{} types are called {name}: {}", places.len(), places.join(", "))).collect()
}

/// The types that a line defines; not what a trait or its implementation calls a type.
fn defined(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or_default();
    let outermost = !code.starts_with(char::is_whitespace);
    let words: Vec<&str> =
        code.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty()).collect();
    let names = words.windows(2).filter(|pair| pair[1].starts_with(char::is_uppercase)).map(|pair| (pair[0], pair[1]));
    let defines = move |keyword: &str| match keyword {
        "struct" | "enum" | "trait" | "union" => true,
        "type" => outermost && (code.starts_with("type ") || code.starts_with("pub")),
        _ => false,
    };
    names.filter(move |(keyword, _)| defines(keyword)).map(|(_, name)| name).collect::<Vec<_>>().into_iter()
}
