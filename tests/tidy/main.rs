//! The order of the modules: which may use which, and what no file may hold. Reads the sources as text.
#![allow(clippy::disallowed_methods, reason = "tests have deadlines, and read what the test command tells them")]

mod circles;
mod names;
mod presentation;

use std::{fs, path::Path};

/// The most lines of a file of the library or the program, and of any other.
const LONGEST: [usize; 2] = [300, 500];

/// One source file: its path from the root of the project, and its text.
type Source = (String, String);

/// Words that mean unfinished work, spelled so that this file does not hold them.
const UNFINISHED: [&str; 7] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("HA", "CK"),
    concat!("to", "do!("),
    concat!("unimple", "mented!("),
    concat!("#[ig", "nore"),
];

/// What only tests say. The library and the program hold none: both would be compiled a second time for them alone.
const TESTS: [&str; 3] = ["cfg(test)", "#[test]", "::test]"];

/// What `rules` and everything below it must not mention.
const FORBIDDEN_BELOW: [&[&str]; 7] =
    [&["axum"], &["askama"], &["sqlx"], &["tokio"], &["std", "fs"], &["std", "net"], &["std", "time"]];

/// Every path that a Rust text mentions, groups spelled out: `use a::{b, c::D}` gives a::b and a::c::D. Comments and literals
/// are passed over.
fn paths(text: &str) -> Vec<Vec<String>> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if is_word(&tokens[at]) {
            at = path(&tokens, at, &[], &mut found);
        } else {
            at += 1;
        }
    }
    found
}

/// Reads the path that begins at `at` after `prefix`, and says where it ends.
fn path(tokens: &[String], mut at: usize, prefix: &[String], found: &mut Vec<Vec<String>>) -> usize {
    let mut path = prefix.to_vec();
    loop {
        path.push(tokens[at].clone());
        at += 1;
        if tokens.get(at).is_none_or(|token| token != "::") {
            break;
        }
        at += 1;
        match tokens.get(at) {
            Some(token) if token == "{" => {
                at += 1;
                while at < tokens.len() && tokens[at] != "}" {
                    at = if is_word(&tokens[at]) { self::path(tokens, at, &path, found) } else { at + 1 };
                }
                return at + 1;
            }
            Some(token) if is_word(token) => {}
            Some(_) | None => break,
        }
    }
    found.push(path);
    at
}

fn is_word(token: &str) -> bool {
    token.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// The words and signs of a Rust text and its strings, each with the `"` before it; without comments and characters.
fn tokens(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let next = |at: usize| letters.get(at).copied().unwrap_or('\0');
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        match (letters[at], next(at + 1)) {
            ('/', '/') => at += letters[at..].iter().take_while(|letter| **letter != '\n').count(),
            ('/', '*') => {
                at += 2;
                while at < letters.len() && (letters[at], next(at + 1)) != ('*', '/') {
                    at += 1;
                }
                at += 2;
            }
            ('r', '"' | '#') => {
                let hashes = letters[at + 1..].iter().take_while(|letter| **letter == '#').count();
                if next(at + 1 + hashes) != '"' {
                    at += 2;
                    continue;
                }
                at += hashes + 2;
                let ends = |at: usize| next(at) == '"' && (1..=hashes).all(|index| next(at + index) == '#');
                let begun = at;
                while at < letters.len() && !ends(at) {
                    at += 1;
                }
                tokens.push(format!("\"{}", letters[begun..at].iter().collect::<String>()));
                at += hashes + 1;
            }
            ('"', _) => {
                at += 1;
                let begun = at;
                while at < letters.len() && letters[at] != '"' {
                    at += if letters[at] == '\\' { 2 } else { 1 };
                }
                tokens.push(format!("\"{}", letters[begun..at.min(letters.len())].iter().collect::<String>()));
                at += 1;
            }
            ('\'', '\\') => {
                at += 3;
                while at < letters.len() && letters[at] != '\'' {
                    at += 1;
                }
                at += 1;
            }
            ('\'', _) if next(at + 2) == '\'' => at += 3,
            (':', ':') => {
                tokens.push("::".to_owned());
                at += 2;
            }
            (letter, _) if letter.is_alphanumeric() || letter == '_' => {
                let word: String =
                    letters[at..].iter().take_while(|letter| letter.is_alphanumeric() || **letter == '_').collect();
                at += word.chars().count();
                tokens.push(word);
            }
            (letter, _) => {
                if !letter.is_whitespace() {
                    tokens.push(letter.to_string());
                }
                at += 1;
            }
        }
    }
    tokens
}

/// The sources of the two packages: what the site is made of stands above the games.
const PACKAGES: [&str; 2] = ["games/src/", "src/"];

/// The path of a source of the library or the program below the sources of its package, without its ending.
fn inside(path: &str) -> Option<&str> {
    PACKAGES.iter().find_map(|package| path.strip_prefix(package))?.strip_suffix(".rs")
}

/// The modules that a file's own is in, the outermost first, and its own last; nothing for what is no module of the library.
fn module_of(path: &str) -> Option<Vec<String>> {
    let inside = inside(path)?;
    (inside != "lib" && !is_program(inside)).then(|| inside.split('/').map(str::to_owned).collect())
}

/// Tells whether a file is of the program, which stands above the library.
fn is_program(inside: &str) -> bool {
    inside.starts_with("main/")
}

/// The modules that the lib.rs of each package lists, bottom first.
fn listed(files: &[Source]) -> Vec<String> {
    let library = |package: &str| files.iter().find(|(path, _)| path.strip_prefix(package) == Some("lib.rs"));
    let lines = PACKAGES.into_iter().filter_map(library).flat_map(|(_, text)| text.lines());
    let modules = lines.filter_map(|line| line.trim().strip_prefix("pub mod ")?.strip_suffix(';'));
    modules.map(str::to_owned).collect()
}

/// The module of the crate that a path leads to from a file whose module lies `depth` below the crate.
fn reached(path: &[String], depth: usize) -> Option<&str> {
    if path[0] == "crate" {
        return path.get(1).map(String::as_str);
    }
    let up = path.iter().skip_while(|word| *word == "self").take_while(|word| *word == "super").count();
    let here = path.iter().take_while(|word| *word == "self").count();
    (up > 0 && up >= depth).then(|| path.get(here + up).map(String::as_str)).flatten()
}

/// Everything that is out of order, one sentence each.
fn untidy(files: &[Source]) -> Vec<String> {
    let modules = listed(files);
    let place = |name: &str| modules.iter().position(|module| module == name);
    let lowest = place("rules").or(place("board"));
    let mut faults = Vec::new();
    for (path, text) in files {
        for word in UNFINISHED.iter().filter(|word| text.contains(**word)) {
            faults.push(format!("{path} says {word}"));
        }
        if !path.ends_with(".rs") {
            continue;
        }
        let longest = LONGEST[usize::from(inside(path).is_none())];
        if text.lines().count() > longest {
            faults.push(format!("{path} has more than {longest} lines"));
        }
        if !text.starts_with("//! ") {
            faults.push(format!("{path} does not begin by saying in //! what it is for"));
        }
        let Some(inside) = inside(path) else { continue };
        for word in TESTS.iter().filter(|word| text.contains(**word)) {
            faults
                .push(format!("{path} says {word}: tests stand below tests/, where the library is not compiled again"));
        }
        let steps: Vec<&str> = inside.split('/').collect();
        if inside == "lib" || is_program(inside) {
            continue;
        }
        let Some(own) = place(steps[0]) else {
            faults.push(format!("{path} belongs to no module that the lib.rs of its package lists"));
            continue;
        };
        for mentioned in paths(text) {
            if let Some(other) = reached(&mentioned, steps.len()).and_then(place)
                && (other > own || (other != own && modules[own] == "store"))
            {
                faults.push(format!("{path} uses {}, which {} may not", mentioned.join("::"), modules[own]));
            }
            let forbidden =
                |start: &[&str]| mentioned.len() >= start.len() && mentioned.iter().zip(start).all(|(a, b)| a == b);
            if lowest.is_some_and(|lowest| own <= lowest) && FORBIDDEN_BELOW.iter().any(|start| forbidden(start)) {
                faults.push(format!("{path} mentions {}, which {} may not know", mentioned.join("::"), modules[own]));
            }
        }
    }
    faults.extend(circles::faults(files));
    faults.extend(names::faults(files));
    faults.extend(presentation::faults(files, &modules));
    faults
}

/// Reads every source below a folder of the project.
fn gather(root: &Path, folder: &Path, files: &mut Vec<Source>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            if entry.file_name().is_some_and(|name| name != "target") {
                gather(root, &entry, files);
            }
        } else if entry
            .extension()
            .is_some_and(|kind| ["rs", "js", "css", "html", "sql"].iter().any(|known| kind == *known))
        {
            let path = entry.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            files.push((path, fs::read_to_string(&entry).unwrap()));
        }
    }
}

#[test]
fn the_sources_are_in_order() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["games", "src", "tests", "benches", "fuzz", "templates", "static", "migrations"] {
        gather(root, &root.join(folder), &mut files);
    }
    for package in PACKAGES {
        assert!(files.iter().any(|(path, _)| *path == format!("{package}lib.rs")));
    }
    let faults = untidy(&files);
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// What is found wrong in some files beside libraries of four modules.
fn found_in(files: &[(&str, &str)]) -> usize {
    let games = ("games/src/lib.rs", "//! Map.\npub mod board;\npub mod rules;\n");
    let site = ("src/lib.rs", "//! Map.\npub use games::{board, rules};\npub mod store;\npub mod web;\n");
    let owned = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
    untidy(&[&games, &site].into_iter().chain(files).map(owned).collect::<Vec<_>>()).len()
}

/// The same of one file.
fn found(path: &str, text: &str) -> usize {
    found_in(&[(path, text)])
}

#[test]
fn what_is_out_of_order_is_found() {
    for (path, text) in [
        ("games/src/board/fen.rs", "use crate::rules::Seat;"),
        ("games/src/board/fen.rs", "use crate::{board::Board, rules::{Seat, Turn}};"),
        ("games/src/board/fen.rs", "use crate::{\n    board::Board,\n    web,\n};"),
        ("games/src/board/fen.rs", "use super::super::rules;"),
        ("games/src/board.rs", "use super::{rules, store};\n"),
        ("games/src/board/betza/parse.rs", "fn f() { super::super::super::web::run() }"),
        ("games/src/rules/bookie.rs", "fn f() -> crate::store::Row { crate::board::g() }"),
        ("src/store.rs", "use crate::board::Square;"),
        ("src/store/rows.rs", "use super::super::rules::Seat;"),
        ("games/src/rules.rs", "use std::{fmt, time::Duration};"),
        ("games/src/rules.rs", "fn f() { let _ = std::fs::read(\"x\"); }"),
        ("games/src/rules/a.rs", "use std::net;"),
        ("games/src/board/fen.rs", "use tokio::sync::Mutex;"),
        ("games/src/board/fen.rs", "use axum;"),
        ("games/src/board/fen.rs", "#[derive(askama::Template)] struct S;"),
        ("games/src/rules.rs", "fn f() { sqlx::query(\"\"); }"),
        ("src/other.rs", "fn f() {}"),
        ("tests/web/x.rs", UNFINISHED[0]),
        ("static/x.js", UNFINISHED[1]),
        ("src/web.rs", concat!("fn f() { unimple", "mented!() }")),
        ("games/src/board/token.rs", "const S: &str = \"<svg viewBox='0 0 8 8'>\";"),
        ("games/src/board/token.rs", "const S: &str = r#\"<path d=\"M0 0\"/>\"#;"),
        ("games/src/rules/a.rs", "const S: &str = \"<b>bold</b>\";"),
        ("games/src/rules/a.rs", "const S: &str = \"href='x'\";"),
        ("games/src/rules/a.rs", "const S: &str = \"#a0B1c2\";"),
        ("src/store/rows.rs", "fn f() -> String { format!(\"/games/{}\", 1) }"),
        ("src/web/a.rs", "struct A;\nmod b { enum A {} }\nmod c { pub(super) trait A {} }"),
        ("games/src/rules/a.rs", "fn f() {}\n#[cfg(test)]\nmod tests {}"),
        ("src/main/main.rs", "#[test]\nfn f() {}"),
        ("src/web/a.rs", "#[tokio::test]\nasync fn f() {}"),
    ] {
        assert!(found(path, &format!("//! Head.\n{text}")) > 0, "{path}: {text}");
    }
    for files in [
        // Two files that use each other, directly, by what their parent gives on, and round about.
        &[("src/web/a.rs", "use super::b::B;"), ("src/web/b.rs", "use crate::web::a::A;")][..],
        &[
            ("src/web.rs", "mod a;\nmod b;\npub use a::A;\nuse self::b::{B as C, D};"),
            ("src/web/a.rs", "use super::D;"),
            ("src/web/b.rs", "fn f() -> super::A { todo() }"),
        ],
        &[
            ("src/web/a.rs", "use super::b::B;"),
            ("src/web/b.rs", "use super::c::deep::C;"),
            ("src/web/c.rs", "mod deep;"),
            ("src/web/c/deep.rs", "use super::super::a::A;"),
        ],
    ] {
        let headed: Vec<(&str, String)> =
            files.iter().map(|(path, text)| (*path, format!("//! Head.\n{text}"))).collect();
        let headed: Vec<(&str, &str)> = headed.iter().map(|(path, text)| (*path, text.as_str())).collect();
        assert_eq!(found_in(&headed), 1, "{files:?}");
    }
    assert_eq!(found("src/web.rs", "fn f() {}\n"), 1, "a file without a head");
    assert_eq!(found("src/web.rs", &format!("//! Head.\n{}", "\n".repeat(LONGEST[0]))), 1, "a long file");
}

#[test]
fn what_is_in_order_is_left_alone() {
    for (path, text) in [
        ("games/src/rules/bookie.rs", "use crate::board::Board;\nuse super::Turn;"),
        ("src/web/game.rs", "use crate::{board, rules, store};\nuse std::{fs, net, time};\nuse axum::Router;"),
        ("src/store.rs", "use sqlx::Row;\nuse std::time::Duration;\nuse self::rows::Row;"),
        ("src/store/rows.rs", "use super::{Store, board};"),
        (
            "games/src/board/fen.rs",
            "// crate::web is above.\n/* tokio::spawn */\nconst S: &str = \"crate::web \\\" sqlx::x\";",
        ),
        (
            "games/src/board/fen.rs",
            "const S: &str = r#\"crate::web\"#; fn f<'a>(c: char) -> bool { c == '\\'' || c == '\"' }",
        ),
        ("games/src/board/fen.rs", "use super::store;\nfn rules(web: u8) -> u8 { web }"),
        ("src/main/main.rs", "use zorkmid::web;\nuse std::time::Instant;"),
        ("src/web/a.rs", "const S: &str = \"<a href='/games'></a>#a0b1c2\";"),
        ("games/src/rules/a.rs", "// <svg>, \"/games\"\nconst S: [&str; 4] = [\"#1=WF\", \"1/2\", \"/\", \"a < b\"];"),
        ("src/web/a.rs", "struct A;\nmod b { enum A {} }\nimpl X for A { type A = u8; }"),
        ("src/web/a.rs", "struct View;\nmod b { struct View; }\nmod c { struct View; }"),
        ("src/web/a.rs", "use super::App;\nmod b;\nuse b::B;"),
    ] {
        assert_eq!(found(path, &format!("//! Head.\n{text}")), 0, "{path}: {text}");
    }
}
