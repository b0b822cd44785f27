//! Scripts of the pages: modules per page, their weight, and their imports.

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
async fn page_preloads_all_its_modules_and_they_are_light() {
    let site = solved();
    let mut begun = request(Method::POST, "/api/games");
    *begun.body_mut() = r#"{"variant": "chess", "opponent": "open"}"#.into();
    begun.headers_mut().insert("content-type", "application/json".parse().unwrap());
    let id = ask(&site, begun).await.json()["id"].as_str().unwrap().to_owned();
    for page in [format!("/games/{id}"), "/betza".to_owned(), "/endgames".to_owned()] {
        let shown = get(&site, &page).await;
        let scripts = addresses(&shown, "<script type=\"module\"", "src");
        assert_eq!(scripts.len(), 1, "{page}");
        let preloaded: BTreeSet<String> =
            addresses(&shown, "<link rel=\"modulepreload\"", "href").into_iter().collect();
        assert!(preloaded.contains(&scripts[0]), "{page}");
        let (folder, _) = scripts[0].rsplit_once('/').unwrap();
        let (mut weight, mut needed) = (0, BTreeSet::from([scripts[0].clone()]));
        for address in &preloaded {
            let text = get(&site, address).await;
            assert_eq!((text.status.as_u16(), text.header("content-type")), (200, "text/javascript"), "{address}");
            assert!(text.header("cache-control").contains("immutable"), "{address}");
            needed.extend(imports(&text.body).into_iter().map(|name| format!("{folder}/{name}")));
            assert!(!text.body.contains("/**"), "{address} is not minified");
            let mut packed = request(Method::GET, address);
            packed.headers_mut().insert("accept-encoding", "br".parse().unwrap());
            let packed = site.clone().oneshot(packed).await.unwrap();
            weight += packed.into_body().collect().await.unwrap().to_bytes().len();
        }
        assert_eq!(preloaded, needed, "{page} preloads exactly what it needs");
        eprintln!("{page}: {} modules, {weight} bytes of script", needed.len());
        assert!((1000..=SCRIPT).contains(&weight), "{page} has {weight} bytes of script");
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
