//! Every page answers, every link works, and static files are cacheable for ever.

use super::*;
use std::collections::{BTreeSet, VecDeque};
use zorkmid::web::{PublicUrl, client_address::network};

/// Values of `href`, `src` and `action` attributes that stay on the site, without fragments.
fn links(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    // Addresses of POST forms cannot be fetched.
    let page = page.replace("method=\"post\" action=", "method=\"post\" target=");
    for name in [" href=\"", " src=\"", " action=\""] {
        for rest in page.split(name).skip(1) {
            let link = rest.split('"').next().unwrap().replace("&amp;", "&").replace("&#38;", "&");
            let link = link.split('#').next().unwrap().to_owned();
            if link.starts_with('/') {
                found.push(link);
            }
        }
    }
    found
}

#[tokio::test]
async fn every_link_works() {
    let site = solved();
    let mut seen = BTreeSet::new();
    let mut queue = VecDeque::from(["/".to_owned(), "/nowhere".to_owned()]);
    while let Some(path) = queue.pop_front() {
        // Links to positions, endgames and pieces never end, so a limited number of each is checked.
        let endless = ["/endgames?", "/endgames/search?", "/api/richman?", "/pieces?", "/betza?", "/worth?"]
            .into_iter()
            .find(|start| path.starts_with(start));
        if endless.is_some_and(|start| seen.iter().filter(|other: &&String| other.starts_with(start)).count() > 100) {
            continue;
        }
        let kind = if path.len() > 70 && path.starts_with("/bookie/") { path[72..].to_owned() } else { path.clone() };
        if !seen.insert(kind) {
            continue;
        }
        let answer = get(&site, &path).await;
        match answer.status.as_u16() {
            200 => {}
            303 => queue.push_back(answer.header("location").to_owned()),
            404 if path == "/nowhere" => {}
            status => panic!("{path} answers {status}"),
        }
        if answer.header("content-type").starts_with("text/html") {
            answer.page(answer.status.as_u16());
            let tags = answer.body.split("<script").skip(1).map(|rest| rest.split("</script>").next().unwrap());
            for tag in tags {
                assert!(tag.contains(" src=\"/static/") && tag.ends_with('>'), "an inline script in {path}: {tag}");
            }
            for inline in ["<style", " style=", " onclick="] {
                assert!(!answer.body.contains(inline), "{inline} in {path}");
            }
            queue.extend(links(&answer.body));
        }
    }
    for path in ["/", "/about", "/docs", "/rules/bookie", "/bookie", "/reveal", "/endgames", "/api/openapi.json"] {
        assert!(seen.contains(path), "no page links to {path}; there are {seen:?}");
    }
}

#[tokio::test]
async fn static_files_have_an_immutable_folder() {
    let site = site();
    let page = get(&site, "/").await;
    let style = links(&page.body).into_iter().find(|link| link.ends_with(".css")).unwrap();
    let answer = get(&site, &style).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "text/css");
    assert!(answer.header("cache-control").contains("immutable"), "{}", answer.header("cache-control"));
    assert!(answer.header("cache-control").contains("max-age=31536000"));
    let mut again = request(Method::GET, &style);
    again.headers_mut().insert("accept-encoding", "br".parse().unwrap());
    let packed = ask(&site, again).await;
    assert_eq!((packed.status.as_u16(), packed.header("content-encoding")), (200, "br"));
    assert!(packed.header("vary").to_ascii_lowercase().contains("accept-encoding"));
    let mut revalidated = request(Method::GET, &style);
    revalidated.headers_mut().insert("if-none-match", answer.headers["etag"].clone());
    assert_eq!(ask(&site, revalidated).await.status, 304);
    // A folder with another hash does not exist.
    get(&site, "/static/0000000000000000/style.css").await.page(404);
}

#[tokio::test]
async fn every_piece_symbol_is_in_the_sprite() {
    let site = site();
    let code = get(&site, "/api/bookie").await.json()["code"].as_str().unwrap().to_owned();
    let page = get(&site, &format!("/bookie/{code}/reveal")).await;
    let mut uses = BTreeSet::new();
    for rest in page.body.split("href=\"/static/").skip(1) {
        if let Some((file, symbol)) = rest.split('"').next().unwrap().split_once('#') {
            uses.insert((format!("/static/{file}"), symbol.to_owned()));
        }
    }
    assert!(uses.len() >= 4, "{uses:?}");
    for (file, symbol) in uses {
        let sprite = get(&site, &file).await;
        assert_eq!(sprite.status, 200);
        assert!(sprite.body.contains(&format!("id=\"{symbol}\"")), "{symbol} is not in the sprite");
    }
}

#[tokio::test]
async fn every_variant_has_a_picture_on_the_home_page() {
    let site = site();
    let page = get(&site, "/").await;
    let file =
        page.body.split("href=\"").find(|rest| rest.contains("variants.svg#")).unwrap().split('#').next().unwrap();
    let sprite = get(&site, file).await;
    for variant in zorkmid::registry::VARIANTS {
        let shown = format!("<a href=\"/new/{}\">", variant.key);
        assert_eq!(page.body.matches(&shown).count(), 1, "{shown}");
        assert!(page.body.contains(&format!("{file}#{}\"", variant.key)));
        assert!(sprite.body.contains(&format!("<symbol id=\"{}\"", variant.key)), "{}", variant.key);
    }
}

#[tokio::test]
async fn every_answer_has_security_headers() {
    let site = site();
    for path in ["/", "/docs", "/bookie", "/nowhere", "/api/bookie", "/api/nowhere", "/healthz", "/static/nothing"] {
        let answer = get(&site, path).await;
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none';") && policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe") && !policy.contains('*') && !policy.contains("http"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert_eq!(answer.header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin");
        assert!(answer.header("permissions-policy").contains("camera=()"));
        assert!(!answer.header("x-request-id").is_empty());
        assert_eq!(answer.header("strict-transport-security"), "", "{path} was requested without TLS");
    }
}

#[tokio::test]
async fn absolute_links_use_the_public_url_or_the_host() {
    let url = async |site: &Router, headers: &[(&'static str, &str)]| {
        let mut request = request(Method::GET, "/api/bookie");
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        ask(site, request).await
    };
    let plain = site();
    let seen = url(&plain, &[]).await.json()["url"].as_str().unwrap().to_owned();
    assert!(seen.starts_with("http://zork.example/bookie/"), "{seen}");
    // This peer is not a trusted proxy.
    let seen = url(&plain, &[("x-forwarded-proto", "https")]).await;
    assert!(seen.json()["url"].as_str().unwrap().starts_with("http://"));
    for host in ["", "evil.example/path", "a b", "user@zork.example", "zork.example:99999", "<script>"] {
        let problem = url(&plain, &[("host", host)]).await.problem(400);
        assert_eq!(problem["field"], "Host", "{host}");
    }
    for host in ["[::1]:8080", "127.0.0.1:18100", "xn--bcher-kva.example"] {
        let seen = url(&plain, &[("host", host)]).await.json()["url"].as_str().unwrap().to_owned();
        assert!(seen.starts_with(&format!("http://{host}/bookie/")), "{seen}");
    }

    let proxied = router(app(Options { trusted_proxies: vec![network("127.0.0.1").unwrap()], ..patient() }));
    let seen = url(&proxied, &[("x-forwarded-proto", "https")]).await;
    assert!(seen.json()["url"].as_str().unwrap().starts_with("https://zork.example/"));
    assert!(seen.header("strict-transport-security").starts_with("max-age="));

    let public: PublicUrl = "https://chess.example".parse().unwrap();
    let public = router(app(Options { public_url: Some(public), ..patient() }));
    let seen = url(&public, &[("host", "evil.example")]).await;
    assert!(seen.json()["url"].as_str().unwrap().starts_with("https://chess.example/bookie/"));
    for wrong in
        ["chess.example", "ftp://chess.example", "https://chess.example/path", "https://u@chess.example", "https://"]
    {
        assert!(wrong.parse::<PublicUrl>().is_err(), "{wrong}");
    }
}

#[tokio::test]
async fn probes_and_crawlers_are_answered() {
    let app = app(patient());
    app.endgames.prepare().unwrap();
    let site = router(app.clone());
    assert_eq!(get(&site, "/healthz").await.json()["status"], "ok");
    assert_eq!(get(&site, "/readyz").await.json()["status"], "ready");
    assert!(get(&site, "/robots.txt").await.body.contains("Disallow: /seat"));
    let icon = get(&site, "/favicon.ico").await;
    assert_eq!(icon.status, 307);
    assert_eq!(get(&site, icon.header("location")).await.header("content-type"), "image/svg+xml");
    app.closing.cancel();
    let stopping = get(&site, "/readyz").await;
    stopping.page(503);
    assert!(!stopping.header("retry-after").is_empty());
    assert_eq!(get(&site, "/healthz").await.status, 200);
}

#[tokio::test]
async fn rules_pages_and_new_game_forms_link_to_each_other() {
    let site = site();
    for variant in zorkmid::registry::VARIANTS {
        let address = zorkmid::web::variant_pages::address(variant.key);
        let page = get(&site, address.as_deref().expect(variant.key)).await;
        assert!(page.page(200).contains(&format!("/new/{}", variant.key)), "{}", variant.key);
        let form = get(&site, &format!("/new/{}", variant.key)).await;
        assert!(form.page(200).contains(&format!("href=\"/rules/{}\"", variant.key)));
    }
    assert_eq!(zorkmid::web::variant_pages::address("toy"), None);
    assert!(get(&site, "/rules/toy").await.page(404).contains("bookie, chess, "));
}

#[tokio::test]
async fn api_description_is_complete() {
    let site = site();
    let api = get(&site, "/api/openapi.json").await;
    assert_eq!(api.header("content-type"), "application/json");
    let api = api.json();
    assert!(api["openapi"].as_str().unwrap().starts_with("3."));
    assert!(api["paths"]["/api/bookie"]["get"]["responses"]["200"].is_object());
    assert!(api["paths"]["/api/bookie/{code}"]["get"].is_object());
    for schema in ["BookiePosition", "Problem"] {
        assert!(api["components"]["schemas"][schema]["properties"].is_object(), "{schema} in {api}");
    }
    for (path, methods) in api["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            assert!(["429", "503"].iter().all(|status| responses.contains_key(*status)), "{method} {path}");
            for (status, response) in responses {
                let Some(name) = response["$ref"].as_str() else { continue };
                let refusal = api.pointer(name.strip_prefix('#').unwrap()).expect(name);
                assert!(
                    refusal["content"]["application/problem+json"]["schema"]["$ref"].is_string(),
                    "{status} {refusal}"
                );
            }
        }
    }
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    let site = site();
    for path in ["/", "/docs", "/bookie", "/api/openapi.json", "/nowhere", "/api/nowhere"] {
        let (head, get) = (ask(&site, request(Method::HEAD, path)).await, get(&site, path).await);
        assert_eq!(head.status, get.status, "{path}");
        assert_eq!(head.header("content-type"), get.header("content-type"));
        assert_eq!(head.body, "");
    }
}
