//! Metrics: every name is well formed and documented, and no sample contains a secret.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{BufRead, BufReader},
    net::TcpListener,
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use zorkmid::web::metrics;

use super::{program::Server, *};

/// Samples of a scrape: labels and value by name.
type Samples = BTreeMap<String, Vec<(String, f64)>>;

fn is_name(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_lowercase())
        && name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
}

/// Parses the part of OpenMetrics that the site uses: help and type of each family, then its samples, whose names have the suffix of the
/// type.
fn samples(text: &str) -> Samples {
    let mut families: BTreeMap<String, String> = BTreeMap::new();
    let mut samples = Samples::new();
    let mut meant = BTreeSet::new();
    let lines = text.strip_suffix("# EOF\n").expect("the final EOF line").lines();
    for line in lines {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, what) = help.split_once(' ').unwrap();
            assert!(is_name(name) && what.len() > 8 && meant.insert(name.to_owned()), "{line}");
        } else if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').unwrap();
            assert!(meant.contains(name), "{line}");
            assert!(families.insert(name.to_owned(), kind.to_owned()).is_none(), "{line}");
        } else if let Some(unit) = line.strip_prefix("# UNIT ") {
            let (name, unit) = unit.split_once(' ').unwrap();
            assert!(name.ends_with(&format!("_{unit}")), "{line}");
        } else {
            let (sample, value) = line.rsplit_once(' ').unwrap();
            let (name, labels) = sample.split_once('{').unwrap_or((sample, "}"));
            let labels = labels.strip_suffix('}').unwrap();
            assert!(
                labels.is_empty() || labels.split(',').all(|label| label.contains("=\"") && label.ends_with('"')),
                "{line}"
            );
            let ends = |endings: &[&str]| {
                endings
                    .iter()
                    .any(|ending| name.strip_suffix(ending).is_some_and(|family| families.contains_key(family)))
            };
            let family =
                families.iter().filter(|(family, _)| name.starts_with(*family)).max_by_key(|(family, _)| family.len());
            let well = match family.expect("a type before each sample").1.as_str() {
                "counter" => ends(&["_total"]),
                "gauge" => families.contains_key(name),
                "histogram" => ends(&["_bucket", "_sum", "_count"]),
                "info" => ends(&["_info"]),
                _ => false,
            };
            assert!(well, "{line}");
            let value: f64 = value.parse().unwrap_or_else(|_| panic!("{line}"));
            assert!(value >= 0.0, "{line}");
            samples.entry(name.to_owned()).or_default().push((labels.to_owned(), value));
        }
    }
    samples
}

/// The only value of a name.
fn one(samples: &Samples, name: &str) -> f64 {
    match samples.get(name).map(Vec::as_slice) {
        Some([(labels, value)]) if labels.is_empty() => *value,
        other => panic!("{name}: {other:?}"),
    }
}

async fn said(site: &Router, path: &str, token: Option<&str>, body: Value) -> Answer {
    let mut request = request(Method::POST, path);
    request.headers_mut().insert("content-type", "application/json".parse().unwrap());
    if let Some(token) = token {
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    }
    *request.body_mut() = Body::from(body.to_string());
    ask(site, request).await
}

/// A scrape of a site with some activity of every kind, and the secrets in use.
async fn played() -> (Answer, Vec<String>) {
    tables::tables().solve(Size::ORTHODOX).unwrap();
    let app = app(patient());
    let (site, meter) = (router(app.clone()), metrics(app.clone()));
    let mut secrets = Vec::new();
    let keep = |value: &Value| value.as_str().unwrap().to_owned();
    let begun = said(&site, "/api/games", None, json!({"variant": "chess", "opponent": "self"})).await.json();
    let id = keep(&begun["id"]);
    let tokens = [0, 1].map(|seat| keep(&begun["seats"][seat]["token"]));
    let stream = site.clone().oneshot(request(Method::GET, &format!("/api/games/{id}/events"))).await.unwrap();
    let mut stream = stream.into_body();
    stream.frame().await.unwrap().unwrap();
    let actions = format!("/api/games/{id}/actions");
    let moved = said(&site, &actions, Some(&tokens[0]), json!({"ply": 0, "action": "e2e4"})).await;
    assert_eq!(moved.status, 200);
    assert_eq!(said(&site, &actions, Some(&tokens[1]), json!({"ply": 0, "action": "e7e5"})).await.status, 409);
    get(&site, &format!("/games/{id}?about=e4")).await.page(200);
    get(&site, &format!("/seat/{}", tokens[0])).await;
    get(&site, "/nowhere/xyzzy").await.page(404);
    let odd = request(Method::from_bytes(b"PLUGH").unwrap(), "/about");
    assert_eq!(ask(&site, odd).await.status, 405);
    get(&site, &zorkmid::web::asset("style.css")).await;
    let code = get(&site, "/api/bookie").await.json()["code"].clone();
    get(&site, &format!("/bookie/{}", code.as_str().unwrap())).await.page(200);
    let bots = json!({"variant": "chess", "opponent": "bot:newcomer", "seat": "two"});
    let against = said(&site, "/api/games", None, bots).await.json();
    let bot_game = keep(&against["id"]);
    let answered = async || get(&site, &format!("/api/games/{bot_game}")).await.json()["ply"] == 1;
    until("the bot has moved", answered).await;
    let offered = said(&site, "/api/games", None, json!({"variant": "chess"})).await.json();
    secrets.extend([id, bot_game, keep(&code), keep(&offered["id"]), keep(&offered["invite"]["code"])]);
    secrets.extend(tokens);
    secrets.extend(["xyzzy", "PLUGH", "about=", "127.0.0.1"].map(str::to_owned));
    // The bot's move is counted after it becomes visible.
    let counted = async || get(&meter, "/metrics").await.body.contains("zorkmid_bot_answer_seconds_count 1");
    until("the bot's answer is counted", counted).await;
    let measured = get(&meter, "/metrics").await;
    drop(stream);
    (measured, secrets)
}

#[tokio::test]
async fn activity_is_measured_without_secrets() {
    let (measured, secrets) = played().await;
    assert_eq!(measured.status, 200);
    assert_eq!(measured.header("content-type"), "application/openmetrics-text; version=1.0.0; charset=utf-8");
    let all = samples(&measured.body);
    for secret in secrets {
        assert!(!measured.body.contains(&secret), "{secret} in {}", measured.body);
    }
    for name in all.keys() {
        assert!(name.starts_with("zorkmid_") || name.starts_with("process_"), "{name}");
    }
    for (name, value) in [
        ("zorkmid_streams", 1.0),
        ("zorkmid_store_waiting", 0.0),
        ("zorkmid_store_busy_total", 0.0),
        ("zorkmid_store_failures_total", 0.0),
        ("zorkmid_bots_waiting", 0.0),
        ("zorkmid_bots_thinking", 0.0),
        ("zorkmid_games_loaded", 3.0),
        ("zorkmid_games_unreadable", 0.0),
        ("zorkmid_notifications_waiting", 0.0),
        ("zorkmid_bot_answer_seconds_count", 1.0),
    ] {
        assert_eq!(one(&all, name), value, "{name}");
    }
    for name in [
        "zorkmid_events_total",
        "zorkmid_store_jobs_total",
        "zorkmid_store_commit_seconds_count",
        "zorkmid_database_size_bytes",
        "zorkmid_disk_free_bytes",
        "zorkmid_tables_solved",
        "process_resident_memory_bytes",
        "process_open_fds",
        "process_max_fds",
        "process_cpu_seconds_total",
    ] {
        assert!(one(&all, name) > 0.0, "{name}");
    }
    assert_eq!(one(&all, "zorkmid_tables_solved"), one(&all, "zorkmid_tables"));
    let counts = &all["zorkmid_http_request_seconds_count"];
    let labels =
        |route: &str, method: &str, status: &str| format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
    for (route, method, status, times) in [
        ("/api/games", "POST", "2xx", 3.0),
        ("/api/games/{id}/actions", "POST", "2xx", 1.0),
        ("/api/games/{id}/actions", "POST", "4xx", 1.0),
        ("/games/{id}", "GET", "2xx", 1.0),
        ("/seat/{token}", "GET", "3xx", 1.0),
        ("/about", "other", "4xx", 1.0),
        ("/static", "GET", "2xx", 1.0),
        ("none", "GET", "4xx", 1.0),
    ] {
        let wanted = labels(route, method, status);
        assert!(counts.contains(&(wanted.clone(), times)), "{wanted} in {counts:?}");
    }
}

#[tokio::test]
async fn dashboard_uses_existing_metrics() {
    let known = samples(&played().await.0.body);
    let dashboard: Value = serde_json::from_str(include_str!("../../docs/operation/grafana.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let asked: Vec<&str> = panels
        .iter()
        .filter_map(|panel| panel["targets"].as_array())
        .flat_map(|targets| targets.iter().map(|target| target["expr"].as_str().unwrap()))
        .collect();
    assert!(asked.len() >= 12);
    let mut shown = BTreeSet::new();
    for asked in asked {
        let names = asked.split(|letter: char| !letter.is_ascii_lowercase() && letter != '_');
        let names: Vec<&str> =
            names.filter(|word| word.starts_with("zorkmid_") || word.starts_with("process_")).collect();
        assert!(!names.is_empty(), "{asked}");
        for name in names {
            assert!(known.contains_key(name), "{name} in {asked}");
            shown.insert(name);
        }
    }
    let family = |name: &str| {
        ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name).to_owned()
    };
    let shown: BTreeSet<String> = shown.into_iter().map(family).collect();
    let missing: Vec<String> = known.keys().map(|name| family(name)).filter(|name| !shown.contains(name)).collect();
    assert!(missing.is_empty(), "measured and not shown: {missing:?}");
}

#[tokio::test]
async fn metrics_have_their_own_listener() {
    let data = tempfile::tempdir().unwrap();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let mut program = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
    program.args(["--metrics-listen", &free]);
    let server = Server::started(program, data.path(), "127.0.0.1:0");
    let client = reqwest::Client::new();
    let public = client.get(format!("{}/metrics", server.address)).send().await.unwrap();
    assert_eq!(public.status(), 404);
    let status = async |path: &str| reqwest::get(format!("http://{free}{path}")).await.unwrap().status().as_u16();
    assert_eq!((status("/").await, status("/healthz").await, status("/metrics").await), (404, 404, 200));
    let scraped = reqwest::get(format!("http://{free}/metrics")).await.unwrap().text().await.unwrap();
    let scraped = samples(&scraped);
    drop(public);
    assert!(one(&scraped, "zorkmid_connections") >= 1.0, "the idle connection of the first request");
    assert_eq!(one(&scraped, "zorkmid_database_games"), 0.0);
}

#[tokio::test]
async fn worker_has_metrics_too() {
    let Some(database) = instances::schema("measured").await else { return };
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let mut worker = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
    worker.args(["worker", "--metrics-listen", &free]).env("DATABASE_URL", database);
    let mut worker = worker.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let said = BufReader::new(worker.stdout.take().unwrap()).lines().next();
    let scraped = reqwest::get(format!("http://{free}/metrics")).await;
    worker.kill().unwrap();
    worker.wait().unwrap();
    assert!(said.is_some());
    let scraped = samples(&scraped.unwrap().text().await.unwrap());
    assert_eq!(one(&scraped, "zorkmid_bots_thinking"), 0.0);
    assert!(!scraped.contains_key("zorkmid_http_request_seconds_count"), "a worker serves no requests");
}
