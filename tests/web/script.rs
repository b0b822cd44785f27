//! Scripts of the pages: one per page, its weight, and the imports of its modules.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use axum::http::Method;
use http_body_util::BodyExt;
use tower::ServiceExt;

use super::{Answer, ask, get, request, solved};

/// Maximum compressed bytes of script per page.
const SCRIPT: usize = 24 * 1024;

/// Modules that a text imports.
fn imports(text: &str) -> BTreeSet<String> {
    let from = text.split("\"./").skip(1).filter_map(|rest| rest.split('"').next());
    from.filter(|name| name.ends_with(".js")).map(str::to_owned).collect()
}

/// Addresses in the tags of a page that begin with a text.
fn addresses(page: &Answer, tag: &str, field: &str) -> Vec<String> {
    let tags = page.body.split(tag).skip(1).filter_map(|rest| rest.split('>').next());
    let address = |tag: &str| Some(tag.split(&format!("{field}=\"")).nth(1)?.split('"').next()?.to_owned());
    tags.filter_map(address).collect()
}

#[tokio::test]
async fn page_loads_one_light_script() {
    let site = solved();
    let mut begun = request(Method::POST, "/api/games");
    *begun.body_mut() = r#"{"variant": "chess", "opponent": "open"}"#.into();
    begun.headers_mut().insert("content-type", "application/json".parse().unwrap());
    let id = ask(&site, begun).await.json()["id"].as_str().unwrap().to_owned();
    for page in
        [format!("/games/{id}"), "/betza".to_owned(), "/endgames".to_owned(), "/lobby".to_owned(), "/docs".to_owned()]
    {
        let shown = get(&site, &page).await;
        let scripts = addresses(&shown, "<script type=\"module\"", "src");
        let [script] = &scripts[..] else { panic!("{page}: {scripts:?}") };
        let text = get(&site, script).await;
        assert_eq!((text.status.as_u16(), text.header("content-type")), (200, "text/javascript"), "{script}");
        assert!(text.header("cache-control").contains("immutable"), "{script}");
        assert!(imports(&text.body).is_empty(), "{script} needs further modules");
        assert!(!text.body.contains("/**"), "{script} is not minified");
        let mut packed = request(Method::GET, script);
        packed.headers_mut().insert("accept-encoding", "br".parse().unwrap());
        let packed = site.clone().oneshot(packed).await.unwrap();
        let weight = packed.into_body().collect().await.unwrap().to_bytes().len();
        eprintln!("{page}: {weight} bytes of script");
        assert!((500..=SCRIPT).contains(&weight), "{page} has {weight} bytes of script");
    }
}

#[test]
fn module_imports_have_no_cycles() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/static");
    let mut open: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".js") {
            let text = fs::read_to_string(format!("{folder}/{name}")).unwrap();
            assert!(text.starts_with("// @ts-check\n/**"), "{name} is type-checked and starts with a description");
            assert!(text.lines().count() <= 300, "{name} is too long");
            // The minifier removes a space at the end of a regular expression.
            assert!(![" /.", " /)", " /,", " /;"].iter().any(|end| text.contains(end)), "{name}: write \\s there");
            let lines = text.lines().filter(|line| line.starts_with("import ")).collect::<Vec<_>>().join("\n");
            open.insert(name, imports(&lines));
        }
    }
    assert!(open.len() > 10);
    // A module is done once all its imports are done.
    while let Some(done) = open.iter().find(|(_, needs)| needs.is_empty()).map(|(name, _)| name.clone()) {
        open.remove(&done);
        open.values_mut().for_each(|needs| {
            needs.remove(&done);
        });
    }
    assert!(open.is_empty(), "a circle: {open:?}");
}
