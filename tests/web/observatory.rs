//! Score of the site behind TLS in Mozilla's HTTP Observatory, by its published rules: a site starts with 100 points, loses points for missing
//! protections, and gets bonus points only if it keeps at least 90.

use super::*;
use zorkmid::web::client_address::network;

/// Minimum score of every page.
const WANTED: i32 = 120;

/// Sources of a directive, or of `default-src` if the policy lacks the fetch directive.
fn sources<'a>(policy: &'a str, directive: &str) -> Option<Vec<&'a str>> {
    let named = |name: &str| {
        policy.split(';').map(str::trim).find_map(|part| {
            let mut words = part.split_whitespace();
            (words.next()? == name).then(|| words.collect::<Vec<_>>())
        })
    };
    named(directive).or_else(|| if directive.ends_with("-src") { named("default-src") } else { None })
}

fn content_security(answer: &Answer) -> i32 {
    let policy = answer.header("content-security-policy");
    if policy.is_empty() {
        return -25;
    }
    let broad = ["*", "http:", "https:", "ftp:", "data:", "http://*", "https://*"];
    let has = |directive: &str, wrong: &[&str]| {
        sources(policy, directive).is_none_or(|sources| sources.iter().any(|source| wrong.contains(source)))
    };
    let insecure = |directive: &str| {
        sources(policy, directive).is_some_and(|sources| {
            sources.iter().any(|source| source.starts_with("http:") || source.starts_with("ftp:"))
        })
    };
    let inline = has("script-src", &broad) || has("script-src", &["'unsafe-inline'"]) || has("object-src", &broad);
    if inline || ["script-src", "style-src", "object-src"].into_iter().any(insecure) {
        -20
    } else if policy.contains("'unsafe-eval'") || insecure("img-src") || insecure("media-src") {
        -10
    } else if has("style-src", &broad) || has("style-src", &["'unsafe-inline'"]) {
        0
    } else if sources(policy, "default-src") == Some(vec!["'none'"]) {
        10
    } else {
        5
    }
}

fn cookies(answer: &Answer) -> i32 {
    let cookies: Vec<String> =
        answer.headers.get_all("set-cookie").iter().map(|one| one.to_str().unwrap().to_ascii_lowercase()).collect();
    let every = |flag: &str| cookies.iter().all(|cookie| cookie.split(';').any(|part| part.trim().starts_with(flag)));
    match (cookies.is_empty(), every("secure"), every("httponly")) {
        (true, ..) => 0,
        (_, false, _) => -10,
        (_, _, false) => -30,
        (_, true, true) if every("samesite=lax") || every("samesite=strict") => 5,
        (_, true, true) => 0,
    }
}

fn strict_transport(answer: &Answer) -> i32 {
    const SIX_MONTHS: u64 = 15_768_000;
    let header = answer.header("strict-transport-security");
    match header
        .split(';')
        .find_map(|part| part.trim().strip_prefix("max-age="))
        .and_then(|age| age.parse::<u64>().ok())
    {
        None => -20,
        Some(age) if age < SIX_MONTHS => -10,
        Some(_) => 0,
    }
}

fn referrer(answer: &Answer) -> i32 {
    match answer.header("referrer-policy") {
        "no-referrer" | "same-origin" | "strict-origin" | "strict-origin-when-cross-origin" => 5,
        "" => 0,
        _ => -5,
    }
}

fn framing(answer: &Answer) -> i32 {
    let policy = answer.header("content-security-policy");
    match sources(policy, "frame-ancestors") {
        Some(ancestors) if !ancestors.contains(&"*") => 5,
        _ => match answer.header("x-frame-options").to_ascii_uppercase().as_str() {
            "DENY" | "SAMEORIGIN" => 5,
            _ => -20,
        },
    }
}

fn sharing(answer: &Answer) -> i32 {
    if answer.header("access-control-allow-origin") == "*" { -50 } else { 0 }
}

fn resources(answer: &Answer) -> i32 {
    match answer.header("cross-origin-resource-policy") {
        "same-origin" | "same-site" => 10,
        "cross-origin" | "" => 0,
        _ => -5,
    }
}

/// Scripts of the same origin need no integrity hash; scripts of other origins do.
fn scripts(answer: &Answer) -> i32 {
    let foreign = answer.body.split("<script").skip(1).filter_map(|rest| {
        let tag = rest.split('>').next()?;
        let src = tag.split("src=\"").nth(1)?.split('"').next()?;
        (!src.starts_with('/') || src.starts_with("//")).then_some(tag)
    });
    if foreign.into_iter().all(|tag| tag.contains("integrity=")) { 0 } else { -5 }
}

/// Score of an answer.
fn score(answer: &Answer) -> i32 {
    let sniffing = if answer.header("x-content-type-options") == "nosniff" { 0 } else { -5 };
    let modifiers = [
        content_security(answer),
        cookies(answer),
        strict_transport(answer),
        referrer(answer),
        framing(answer),
        sharing(answer),
        resources(answer),
        scripts(answer),
        sniffing,
    ];
    let kept = 100 + modifiers.iter().filter(|modifier| **modifier < 0).sum::<i32>();
    if kept < 90 { kept.max(0) } else { kept + modifiers.iter().filter(|modifier| **modifier > 0).sum::<i32>() }
}

/// A site behind a TLS proxy.
fn behind_tls() -> Router {
    tables::tables().solve(Size::ORTHODOX).unwrap();
    router(app(Options { trusted_proxies: vec![network("127.0.0.1").unwrap()], ..patient() }))
}

async fn over_tls(site: &Router, path: &str) -> Answer {
    let mut request = request(Method::GET, path);
    request.headers_mut().insert("x-forwarded-proto", "https".parse().unwrap());
    ask(site, request).await
}

#[tokio::test]
async fn pages_reach_the_required_score() {
    let site = behind_tls();
    let game = begun(&site).await;
    let id = game["id"].as_str().unwrap();
    let pages = [
        "/",
        "/docs",
        "/about",
        "/rules",
        "/rules/bookie",
        "/new/chess",
        "/betza?piece=WFfhN",
        "/endgames",
        "/seat",
        "/nowhere",
    ];
    let of_game = [format!("/games/{id}"), format!("/games/{id}/ply/0")];
    for path in pages.iter().copied().chain(of_game.iter().map(String::as_str)) {
        let score = score(&over_tls(&site, path).await);
        assert!(score >= WANTED, "{path} has {score} points");
    }
    // The embeddable page loses only the points for framing.
    let embed = over_tls(&site, &format!("/games/{id}/embed")).await;
    assert!((framing(&embed), content_security(&embed), strict_transport(&embed)) == (-20, 10, 0));
    // Taking a seat sets a cookie.
    let seat = game["seats"][0]["url"].as_str().unwrap();
    let seated = over_tls(&site, &seat[seat.find("/seat/").unwrap()..]).await;
    assert!(!seated.header("set-cookie").is_empty());
    assert_eq!(score(&seated), 135);
}

/// A pass-and-play game of chess.
async fn begun(site: &Router) -> serde_json::Value {
    let mut request = request(Method::POST, "/api/games");
    request.headers_mut().insert("content-type", "application/json".parse().unwrap());
    *request.body_mut() = Body::from(r#"{"variant": "chess", "opponent": "self"}"#);
    ask(site, request).await.json()
}

#[tokio::test]
async fn missing_protections_lower_the_score() {
    let site = behind_tls();
    let whole = score(&over_tls(&site, "/").await);
    assert_eq!(whole, 130);
    for (name, worse, expected) in [
        ("content-security-policy", "default-src 'self'; frame-ancestors 'none'", 125),
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
            80,
        ),
        ("content-security-policy", "", 55),
        ("strict-transport-security", "max-age=60", 120),
        ("referrer-policy", "unsafe-url", 120),
        ("cross-origin-resource-policy", "", 120),
        ("x-content-type-options", "", 125),
        ("access-control-allow-origin", "*", 50),
        ("set-cookie", "seat-x=y; HttpOnly", 120),
    ] {
        let mut answer = over_tls(&site, "/").await;
        match worse {
            "" => drop(answer.headers.remove(name)),
            worse => drop(answer.headers.insert(name, worse.parse().unwrap())),
        }
        assert_eq!(score(&answer), expected, "{name}: {worse}");
    }
}
