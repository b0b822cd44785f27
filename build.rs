//! Takes the files of `static/` into the binary, scripts minified, under an address that changes when any of them does.
//!
//! Modules name each other by relative addresses, so all files stand in one folder whose name is a hash of them all.

use std::{
    collections::BTreeMap,
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};

#[expect(clippy::disallowed_methods, reason = "cargo says in the environment where to build")]
fn main() {
    println!("cargo::rerun-if-changed=static");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder"));
    let packed = out.join("static");
    let _ = fs::remove_dir_all(&packed);
    fs::create_dir_all(&packed).expect("the folder can be written");
    let mut names: Vec<String> = fs::read_dir("static")
        .expect("static/ is there")
        .map(|entry| entry.expect("static/ can be read").file_name().into_string().expect("a plain name"))
        .collect();
    names.sort();
    let mut hasher = DefaultHasher::new();
    let mut imports = BTreeMap::new();
    for name in &names {
        let mut text = fs::read_to_string(Path::new("static").join(name)).expect("all files are text");
        if name.ends_with(".js") {
            text = minified(&text);
            imports.insert(name.as_str(), imported(&text));
        }
        (name, &text).hash(&mut hasher);
        fs::write(packed.join(name), text).expect("the folder can be written");
    }
    println!("cargo::rustc-env=STATIC_VERSION={:016x}", hasher.finish());
    let modules: Vec<(&str, Vec<&str>)> = imports.keys().map(|name| (*name, reached(&imports, name))).collect();
    fs::write(out.join("modules.rs"), format!("&{modules:?}").replace(", [", ", &["))
        .expect("the folder can be written");
    let assets = memory_serve::assets_to_code("static", &packed, &out, true, |_| {});
    fs::write(out.join("assets.rs"), assets).expect("the folder can be written");
}

/// A script without what only its readers need.
fn minified(text: &str) -> String {
    minifier::js::minify(text).expect("the script is well-formed").to_string()
}

/// The modules that a module names in its imports.
fn imported(text: &str) -> Vec<String> {
    let named = text.split("\"./").skip(1).filter_map(|rest| rest.split('"').next());
    named.filter(|name| name.ends_with(".js")).map(str::to_owned).collect()
}

/// All modules that a module needs, itself first.
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
