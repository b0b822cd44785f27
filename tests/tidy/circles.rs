//! No circle of files: of the files in one folder none uses another that uses it back, directly or round about. A file and the
//! folder of its name count as one there. What a file gives on with `use` counts for the file that it comes from.

use std::collections::{BTreeMap, BTreeSet};

use super::{Source, is_word, module_of, path, paths, tokens};

/// A module by its way from the root.
type Module = Vec<String>;

/// Who uses whom among the files and folders of one folder.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// Every circle, one sentence each.
pub(super) fn faults(files: &[Source]) -> Vec<String> {
    let modules: BTreeMap<Module, &str> =
        files.iter().filter_map(|(path, text)| Some((module_of(path)?, text.as_str()))).collect();
    let exports: BTreeMap<(Module, String), Module> =
        modules.iter().flat_map(|(module, text)| imported(module, text, &modules)).collect();
    let mut folders: BTreeMap<Module, Uses> = BTreeMap::new();
    for (user, text) in &modules {
        for mentioned in paths(text) {
            let Some(item) = absolute(user, &mentioned, &modules) else { continue };
            let Some(source) = home(&item, &modules, &exports) else { continue };
            let common = user.iter().zip(&source).take_while(|(a, b)| a == b).count();
            // The order of the modules themselves is the library's; a file and those below it are one.
            if common > 0 && common < user.len() && common < source.len() {
                let uses = folders.entry(user[..common].to_vec()).or_default();
                uses.entry(user[common].clone()).or_default().insert(source[common].clone());
            }
        }
    }
    let told = |folder: &Module, circle: &[String]| {
        format!("in {} there is a circle of {}", folder.join("/"), circle.join(", "))
    };
    folders
        .iter()
        .flat_map(|(folder, uses)| circles(uses).into_iter().map(move |circle| told(folder, &circle)))
        .collect()
}

/// The full way to what a module's text mentions, if that is in the library.
fn absolute(module: &[String], mentioned: &[String], modules: &BTreeMap<Module, &str>) -> Option<Module> {
    let up = mentioned.iter().take_while(|word| *word == "super" || *word == "self").count();
    let (base, rest) = match mentioned[0].as_str() {
        "crate" => (&[][..], &mentioned[1..]),
        _ if up > 0 => {
            let higher = mentioned[..up].iter().filter(|word| *word == "super").count();
            (module.get(..module.len().checked_sub(higher)?)?, &mentioned[up..])
        }
        child => {
            let below = [module, &[child.to_owned()]].concat();
            return modules.contains_key(&below).then(|| [module, mentioned].concat());
        }
    };
    Some([base, rest].concat())
}

/// What a text brings in with `use`, by the name that it has there.
fn imported(module: &[String], text: &str, modules: &BTreeMap<Module, &str>) -> Vec<((Module, String), Module)> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        if tokens[at] == "use" && tokens.get(at + 1).is_some_and(|token| is_word(token)) {
            let mut mentioned = Vec::new();
            path(&tokens, at + 1, &[], &mut mentioned);
            for item in mentioned.iter().filter_map(|item| absolute(module, item, modules)) {
                if let Some(name) = item.last() {
                    found.push(((module.to_vec(), name.clone()), item));
                }
            }
        }
    }
    found
}

/// The module in which an item is defined.
fn home(
    item: &[String],
    modules: &BTreeMap<Module, &str>,
    exports: &BTreeMap<(Module, String), Module>,
) -> Option<Module> {
    let mut item = item.to_vec();
    // No name is given on more often than there are modules on its way.
    for _ in 0..8 {
        let deep = (1..=item.len()).rev().find(|end| modules.contains_key(&item[..*end]))?;
        let module = item[..deep].to_vec();
        let Some(next) = item.get(deep).and_then(|name| exports.get(&(module.clone(), name.clone()))) else {
            return Some(module);
        };
        item = [next, &item[deep + 1..]].concat();
    }
    None
}

/// The groups of names each of which leads to every other, two or more of them.
fn circles(uses: &Uses) -> Vec<Vec<String>> {
    let reached = |from: &String| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(name) = next.pop() {
            next.extend(uses.get(name).into_iter().flatten().filter(|name| seen.insert((*name).clone())));
        }
        seen
    };
    let ways: BTreeMap<&String, BTreeSet<String>> = uses.keys().map(|name| (name, reached(name))).collect();
    let mut circles: Vec<Vec<String>> = Vec::new();
    for (name, way) in ways.iter().filter(|(name, way)| way.contains(**name)) {
        if circles.iter().all(|circle| !circle.contains(name)) {
            let back = |other: &&String| ways.get(other).is_some_and(|way| way.contains(*name));
            circles.push(way.iter().filter(back).cloned().collect());
        }
    }
    circles
}
