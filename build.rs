//! Embeds the files of `static/` in the binary, with scripts minified, under an address that changes when any file does. Lists the rules
//! pages and papers in `templates/`.
//!
//! Modules import each other by relative paths, so all files share one folder, named by a hash of them all.

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
    let names = names(Path::new("static"));
    let mut hasher = DefaultHasher::new();
    let mut imports = BTreeMap::new();
    for name in &names {
        let mut text = text(&Path::new("static").join(name));
        if name == "pieces.svg" {
            text = dyed(text);
        }
        if name.ends_with(".js") {
            text = minified(&text);
            imports.insert(name.as_str(), imported(&text));
        }
        (name, &text).hash(&mut hasher);
        // The style sheet is a folder of parts.
        let name = if name == "style" { "style.css" } else { name };
        fs::write(packed.join(name), text).expect("the output folder is writable");
    }
    println!("cargo::rustc-env=STATIC_VERSION={:016x}", hasher.finish());
    let modules: Vec<(&str, Vec<&str>)> = imports.keys().map(|name| (*name, reached(&imports, name))).collect();
    fs::write(out.join("modules.rs"), format!("&{modules:?}").replace(", [", ", &["))
        .expect("the output folder is writable");
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

/// Minifies a script.
fn minified(text: &str) -> String {
    minifier::js::minify(text).expect("a well-formed script").to_string()
}

/// Modules that a module imports directly.
fn imported(text: &str) -> Vec<String> {
    let named = text.split("\"./").skip(1).filter_map(|rest| rest.split('"').next());
    named.filter(|name| name.ends_with(".js")).map(str::to_owned).collect()
}

/// All modules that a module needs, itself first, directly or indirectly.
fn reached<'a>(imports: &'a BTreeMap<&str, Vec<String>>, name: &'a str) -> Vec<&'a str> {
    let mut found = vec![name];
    let mut next = 0;
    while let Some(name) = found.get(next).copied() {
        for other in &imports[name] {
            if !found.contains(&other.as_str()) {
                found.push(other);
            }
        }
        next += 1;
    }
    found
}
