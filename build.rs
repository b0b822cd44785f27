//! Embeds the files of `static/` in the binary under an address that changes when any file does. Each script that a page loads is joined
//! with the modules it imports and minified, so that a page loads one script. Lists the rules pages and papers in `templates/`.
//!
//! Scripts find pictures by relative paths, so all files share one folder, named by a hash of them all.

use std::{
    collections::BTreeMap,
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Path, PathBuf},
};

#[expect(clippy::disallowed_methods, reason = "cargo passes the output folder in the environment")]
fn main() {
    println!("cargo::rerun-if-changed=static");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let packed = out.join("static");
    let _ = fs::remove_dir_all(&packed);
    fs::create_dir_all(&packed).expect("the output folder is writable");
    let files = names(Path::new("static"));
    let mut hasher = DefaultHasher::new();
    let pages: String = names(Path::new("templates"))
        .iter()
        .filter(|name| name.ends_with(".html"))
        .map(|name| text(&Path::new("templates").join(name)))
        .collect();
    for name in &files {
        if name.ends_with(".js") && !pages.contains(&format!("asset(\"{name}\")")) {
            continue;
        }
        let mut text = text(&Path::new("static").join(name));
        if name == "pieces.svg" {
            text = dyed(text);
        }
        if name.ends_with(".js") {
            text = minifier::js::minify(&joined(name)).expect("a well-formed script").to_string();
        }
        (name, &text).hash(&mut hasher);
        // The style sheet is a folder of parts.
        let name = if name == "style" { "style.css" } else { name };
        fs::write(packed.join(name), text).expect("the output folder is writable");
    }
    println!("cargo::rustc-env=STATIC_VERSION={:016x}", hasher.finish());
    let assets = memory_serve::assets_to_code("static", &packed, &out, true, |_| {});
    fs::write(out.join("assets.rs"), assets).expect("the output folder is writable");
    println!("cargo::rerun-if-changed=templates");
    fs::write(out.join("rulebooks.rs"), rulebooks()).expect("the output folder is writable");
}

/// Rules pages and papers of all variants, by template name: `rules/KEY.html`, `rules/KEY_notation.html` for notation and details,
/// `papers/KEY.html` for the rules on one page, and `papers/KEY_NAME.html` for other papers.
fn rulebooks() -> String {
    let pages = |folder: &str| -> Vec<String> {
        let whole = |name: &String| text(&Path::new("templates").join(folder).join(name)).starts_with("{% extends");
        let names = names(&Path::new("templates").join(folder)).into_iter().filter(whole);
        names.filter_map(|name| Some(name.strip_suffix(".html")?.to_owned())).filter(|name| name != "frame").collect()
    };
    /// Names of the templates of a variant's rules, and of its papers with their keys.
    type Names = (Vec<String>, Vec<(String, String)>);
    let mut books: BTreeMap<String, Names> = BTreeMap::new();
    for name in pages("rules") {
        let key = name.split('_').next().unwrap_or(&name).to_owned();
        books.entry(key).or_default().0.push(name);
    }
    for name in pages("papers") {
        let (key, paper) = name.split_once('_').unwrap_or((&name, "summary"));
        books.entry(key.to_owned()).or_default().1.push((paper.to_owned(), name.clone()));
    }
    let book = |(key, (rules, papers)): (String, Names)| {
        let page = |name: String| match rules.contains(&name) {
            true => format!("rules_page!(\"rules/{name}.html\")"),
            false => "None".to_owned(),
        };
        let (rules, notation) = (page(key.clone()), page(format!("{key}_notation")));
        let papers = papers
            .iter()
            .map(|(paper, name)| format!("Paper {{ key: \"{paper}\", page: page!(\"papers/{name}.html\") }}"));
        let papers = papers.collect::<Vec<_>>().join(", ");
        format!("Rulebook {{ key: \"{key}\", rules: {rules}, notation: {notation}, papers: &[{papers}] }},\n")
    };
    format!("&[\n{}]\n", books.into_iter().map(book).collect::<String>())
}

/// Sorted names of the files and folders in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder exists");
    let name = |entry: io::Result<fs::DirEntry>| entry.expect("a readable entry").file_name().into_string();
    let mut names: Vec<String> = entries.map(|entry| name(entry).expect("a UTF-8 name")).collect();
    names.sort();
    names
}

/// Text of a file, or the concatenated files of a folder.
fn text(path: &Path) -> String {
    if path.is_dir() {
        return names(path).iter().map(|name| text(&path.join(name))).collect();
    }
    fs::read_to_string(path).expect("a text file")
}

/// Piece images whose three colours are CSS variables of the page.
fn dyed(text: String) -> String {
    let dyes = [("--ivory", "#fbf2dc"), ("--ink-wood", "#1d1611"), ("--lining", "#e2cf9f")];
    dyes.into_iter()
        .fold(text, |text, (name, color)| text.replace(&format!("\"{color}\""), &format!("\"var({name}, {color})\"")))
}

/// A script joined with all modules that it imports. Each module becomes a function that returns its exports, and follows the modules that
/// it imports itself.
///
/// A bundler from a library would cost more than these lines: those in Rust (swc, rolldown) take minutes to build.
fn joined(script: &str) -> String {
    let mut done = Vec::new();
    let mut text = String::new();
    join(script, &mut done, &mut text);
    text
}

/// Appends a module, after those of its imports that are not yet `done`.
fn join(name: &str, done: &mut Vec<String>, out: &mut String) {
    if done.iter().any(|other| other == name) {
        return;
    }
    done.push(name.to_owned());
    let (mut body, mut exports) = (String::new(), Vec::new());
    for line in text(&Path::new("static").join(name)).lines() {
        if let Some(import) = line.strip_prefix("import ") {
            let (names, file) = import
                .strip_suffix("\";")
                .and_then(|import| import.split_once("\"./"))
                .expect("an import of a file in this folder, on one line");
            join(file, done, out);
            if let Some(names) = names.strip_suffix(" from ") {
                body += &format!("const {names} = ${};\n", file.trim_end_matches(".js"));
            }
            continue;
        }
        let exported = line.strip_prefix("export ");
        if let Some(item) = exported {
            let mut words = item.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
            let name = words.find(|word| !["async", "const", "function"].contains(word)).expect("an exported name");
            exports.push(name.to_owned());
        }
        body += exported.unwrap_or(line);
        body.push('\n');
    }
    let module = name.trim_end_matches(".js");
    *out += &format!("const ${module} = (() => {{\n{body}return {{ {} }};\n}})();\n", exports.join(", "));
}
