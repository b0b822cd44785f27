//! Endgame tables as data: statistics, charts, search, thresholds, bulk requests, and binary files.

use super::*;
use crate::published::{FIGURES, parse};
use serde_json::{Value, json};
use std::process::Command;
use zorkmid::richman::fraction;

/// Posts lines and returns the lines of the answer.
async fn lines(site: &Router, body: impl Into<Body>) -> Vec<Value> {
    let mut request = request(Method::POST, "/api/richman");
    request.headers_mut().insert("content-type", "application/x-ndjson".parse().unwrap());
    *request.body_mut() = body.into();
    let answer = ask(site, request).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "application/x-ndjson"));
    answer.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn statistics_are_served_as_json_csv_and_html() {
    let site = solved();
    let answer = get(&site, "/api/richman/statistics/8x8").await;
    let all = answer.json();
    let of = |material: &str| {
        let all = all["materials"].as_array().unwrap();
        all.iter().find(|one| one["material"] == material).unwrap().clone()
    };
    let knight = of("KNvK");
    assert_eq!(knight["largest_denominator"]["amount"]["den"].as_str().unwrap().len(), 138);
    assert_eq!((&knight["zugzwangs"], &knight["sharp"]), (&json!(3), &knight["classes"]));
    assert_eq!((&of("KvK")["mean"], &of("KvK")["quiescent"]), (&json!(0.5), &json!(462)));
    assert_eq!(of("KRvK")["positions"], 64 * 63 * 62);
    let again = {
        let mut request = request(Method::GET, "/api/richman/statistics/8x8");
        request.headers_mut().insert("if-none-match", answer.header("etag").parse().unwrap());
        ask(&site, request).await
    };
    assert_eq!(again.status, 304);

    let table = get(&site, "/api/richman/statistics/8x8.csv").await;
    assert_eq!(table.header("content-type"), "text/csv; charset=utf-8");
    let rows: Vec<Vec<&str>> = table.body.lines().map(|line| line.split(',').collect()).collect();
    assert!(rows.len() == 7 && rows.iter().all(|row| row.len() == rows[0].len()), "{}", table.body);
    let column = rows[0].iter().position(|name| *name == "classes").unwrap();
    assert_eq!(rows[2][column], knight["classes"].to_string());

    let charts = get(&site, "/api/richman/charts/8x8").await.json();
    let bars = charts["charts"].as_array().unwrap();
    assert_eq!(bars.len(), 12);
    for chart in bars {
        let counted: u64 = chart["bars"].as_array().unwrap().iter().map(|bar| bar["classes"].as_u64().unwrap()).sum();
        assert_eq!(of(chart["material"].as_str().unwrap())["classes"], counted, "{}", chart["chart"]);
    }
    let text = get(&site, "/api/richman/charts/8x8.csv").await.body;
    assert!(text.starts_with("material,chart,from,to,classes\n") && text.contains("KNvK,values,0.5,0.55,"), "{text}");

    let page = get(&site, "/endgames/statistics?board=3x4").await;
    assert!(page.page(200).contains("/api/richman/charts/3x4.csv"));
    get(&site, "/endgames/statistics?board=9x4").await.page(400);
    for wrong in ["2x8", "8x8.json", "08x8", "8", "x"] {
        get(&site, &format!("/api/richman/statistics/{wrong}")).await.problem(404);
        get(&site, &format!("/api/richman/charts/{wrong}")).await.problem(404);
    }
}

#[tokio::test]
async fn heat_map_shows_the_values_of_its_positions() {
    let site = solved();
    let address = "/api/richman/heat?fen=8/8/8/8/3k4/8/8/K2N4&piece=N";
    let heat = get(&site, address).await.json();
    let squares = heat["squares"].as_array().unwrap();
    assert_eq!(squares.len(), 64);
    let of = |name: &str| squares.iter().find(|one| one["square"] == name).unwrap().clone();
    assert_eq!((&of("a1")["fen"], &of("a1")["value"]), (&Value::Null, &Value::Null), "the king is on this square");
    assert_eq!(of("d1")["value"]["den"], "32256");
    for square in squares.iter().filter(|one| !one["fen"].is_null()).step_by(9) {
        let single = get(&site, &format!("/api/richman?fen={}", square["fen"].as_str().unwrap())).await.json();
        assert_eq!(single["value"], square["value"]);
    }
    let text = get(&site, &format!("{address}&form=csv")).await;
    assert_eq!((text.header("content-type"), text.body.lines().count()), ("text/csv; charset=utf-8", 65));
    for (query, field) in [
        ("piece=N", "fen"),
        ("fen=8/8/8/8/3k4/8/8/K2N4", "piece"),
        ("fen=8/8/8/8/3k4/8/8/K2N4&piece=x", "piece"),
        ("fen=8/8/8/8/3k4/8/8/K2N4&piece=Q", "piece"),
        ("fen=8/8/8/8/3k4/8/8/K2N4&piece=N&form=xml", "form"),
        ("fen=9&piece=N", "fen"),
        ("fen=8/8/8/8/3k4/8/8/K2N4&peice=N", "peice"),
        ("fen=k1/2/2/K1&piece=K", "piece"),
    ] {
        assert_eq!(get(&site, &format!("/api/richman/heat?{query}")).await.problem(400)["field"], field, "{query}");
    }
}

#[tokio::test]
async fn tables_match_the_paper() {
    let site = solved();
    let page = get(&site, "/endgames/paper").await;
    let rows: Vec<Vec<&str>> = page
        .page(200)
        .split("<tr><th scope=\"row\">")
        .skip(1)
        .map(|row| row.split("</td>").map(|cell| cell.split("<td>").last().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), 50);
    // Where the paper and the tables give the same number, they give it in the same form.
    let [mut same, mut silent, mut other] = [0; 3];
    for row in &rows {
        match (row[1], row[2]) {
            (paper, ours) if paper == ours => same += 1,
            (_, ours) if ours.starts_with("too long for a web page") => silent += 1,
            (_, ours) => {
                let words = [
                    "α = β in all 219590 classes",
                    "462 bare kings, 14220 ghost bishops, 4689 blocked pawns, 4 cornered kings and 0 others",
                    "never, among all",
                    "none among",
                    "α ≤ 1/4 and β ≥ 3/4",
                ];
                assert!(words.iter().any(|known| ours.starts_with(known)), "{row:?}");
                other += 1;
            }
        }
    }
    assert_eq!((silent, other), (5, 5), "{same} are the same");
    assert_eq!(get(&site, "/endgames/paper").await.body, page.body);
    assert!(!page.body.contains("cargo"), "the page is for visitors, who have no source code");
}

#[tokio::test]
async fn positions_are_found_by_value() {
    let site = solved();
    let find = async |query: &str| get(&site, &format!("/api/richman/search?{query}")).await.json();
    let zugzwangs = find("zugzwang=true").await;
    assert_eq!((&zugzwangs["total"], &zugzwangs["next"]), (&json!(3), &Value::Null));
    let figure = find("material=KNvK&value=21073/32256").await;
    assert!(figure["classes"].as_array().unwrap().iter().any(|one| one["bid"]["num"] == "-95"), "{figure}");
    assert_eq!(find("value=0.5625&value_min=").await["classes"], find("value=9/16").await["classes"]);
    // The pages together contain every position once.
    let (mut seen, mut next) = (Vec::new(), "/api/richman/search?board=3x4&material=KRvK&limit=100".to_owned());
    let total = loop {
        let page = get(&site, &next).await.json();
        seen.extend(page["classes"].as_array().unwrap().iter().map(|one| one["fen"].as_str().unwrap().to_owned()));
        match page["next"].as_str() {
            Some(address) => next = address.to_owned(),
            None => break page["total"].as_u64().unwrap() as usize,
        }
    };
    assert_eq!(seen.len(), total);
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), total);
    for (query, field) in [
        ("board=9x9", "board"),
        ("material=KXvK", "material"),
        ("value=a", "value"),
        ("value=1/0", "value"),
        ("value=1/2&value_max=1", "value"),
        ("denominator=-1", "denominator"),
        ("zugzwang=perhaps", "zugzwang"),
        ("bid_min=1/2/3", "bid_min"),
        ("certificate_max=-1", "certificate_max"),
        ("limit=101", "limit"),
        ("limit=0", "limit"),
        ("after=x", "after"),
        ("vlaue=1/2", "vlaue"),
        ("value=1&value=1", "value"),
    ] {
        assert_eq!(get(&site, &format!("/api/richman/search?{query}")).await.problem(400)["field"], field, "{query}");
        get(&site, &format!("/endgames/search?{query}")).await.page(400);
    }
    let page = get(&site, "/endgames/search?board=8x8&material=&value=&zugzwang=true").await;
    assert!(page.page(200).contains("3 classes") && page.body.contains("zugzwang</td>"), "{}", page.body);
}

#[tokio::test]
async fn guaranteed_chances_within_n_moves() {
    let site = solved();
    let ask = async |n: &str| get(&site, &format!("/api/richman?fen=8/8/8/8/k7/5K2/6B1/8&n={n}")).await;
    let horizon = ask("30").await.json()["horizon"].clone();
    // From n = 30 on, the simplest fraction is right for every position with a bishop.
    assert_eq!((&horizon["simplest"]["num"], &horizon["simplest"]["den"]), (&json!("9"), &json!("16")));
    let exact = |of: &Value| fraction(of["num"].as_str().unwrap(), of["den"].as_str().unwrap()).unwrap();
    let value = parse("9/16");
    assert!(exact(&horizon["alpha"]) < value && value < exact(&horizon["beta"]));
    let first = ask("0").await.json()["horizon"].clone();
    assert_eq!((&first["alpha"]["num"], &first["beta"]["num"]), (&json!("0"), &json!("1")));
    // Three white moves in a row capture the king: one chance in eight.
    let third = ask("3").await.json()["horizon"].clone();
    assert_eq!(exact(&third["alpha"]), parse("1/8"));
    for wrong in ["61", "-1", "x", "1.5"] {
        assert_eq!(ask(wrong).await.problem(400)["field"], "n");
    }
    let both = get(&site, "/api/richman?fen=k7/8/8/8/8/8/8/K6R&n=2&chips=183:17&bids=white").await.json();
    assert_eq!((&both["chips"]["winner"], &both["horizon"]["n"]), (&json!("white"), &json!(2)));
    let beyond = get(&site, "/api/richman?fen=8/8/8/8/8/8/8/K7&n=2").await.json();
    assert_eq!(beyond["horizon"], Value::Null);
    let page = get(&site, "/endgames?fen=8/8/8/8/k7/5K2/6B1/8&n=12").await;
    assert!(page.page(200).contains("White: chance to win within n moves"), "{}", page.body);
    get(&site, "/endgames?fen=8/8/8/8/k7/5K2/6B1/8&n=99").await.page(400);
}

#[tokio::test]
async fn bulk_request_answers_every_line() {
    let site = solved();
    let figures: Vec<[&str; 2]> = FIGURES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split("; ").skip(1).take(2).collect::<Vec<_>>().try_into().unwrap())
        .filter(|[fen, _]: &[&str; 2]| fen.matches('/').count() == 7 && fen.starts_with(|first| first != '3'))
        .collect();
    let asked: String = figures.iter().map(|[fen, _]| format!("{fen}\r\n\n")).collect();
    let told = lines(&site, asked).await;
    assert_eq!(told.len(), figures.len(), "empty lines are ignored");
    for ([fen, worth], told) in figures.iter().zip(&told) {
        let single = get(&site, &format!("/api/richman?fen={fen}")).await.json();
        for member in told.as_object().unwrap().keys().filter(|name| !name.ends_with("_label")) {
            assert_eq!(told.get(member), single.get(member), "{member} of {fen}");
        }
        assert_eq!(told["white_label"], single["certificate"]["white_label"]);
        assert_eq!(
            fraction(told["value"]["num"].as_str().unwrap(), told["value"]["den"].as_str().unwrap()),
            Some(parse(worth))
        );
    }
    // An invalid line gets an error on its own line, with its number.
    let mixed = lines(&site, "3k/4/4/K2N\nnonsense\n\u{0}\n8/8/8/8/8/8/8/K7\n8/8/8/8/8/8/8/8 b").await;
    assert_eq!(mixed.len(), 5);
    assert_eq!((&mixed[0]["value"]["num"], &mixed[3]["terminal"]), (&json!("31"), &json!("white")));
    assert_eq!((&mixed[1]["status"], &mixed[1]["line"]), (&json!(400), &json!(2)));
    assert_eq!((&mixed[2]["status"], &mixed[4]["category"]), (&json!(400), &json!("unknown")));
    let boards = lines(&site, "2k/3/K1N\n2k/3/3/K1N\n3k/4/4/K2N\n3k/4/K2N\n2k/3/K1N\n").await;
    assert_eq!((&boards[3]["status"], &boards[4]["category"]), (&json!(422), &json!("exact")));
    assert!(lines(&site, "").await.is_empty());
    let long = lines(&site, "k".repeat(5000)).await;
    assert_eq!(long[0]["status"], 400);
    let invalid = lines(&site, vec![0xff, b'\n']).await;
    assert_eq!(invalid[0]["status"], 400);
}

#[tokio::test]
async fn bulk_requests_have_a_larger_limit_of_100_000_lines() {
    let site = solved();
    let fen = "4N3/8/8/8/8/8/8/k2K4\n";
    let told = lines(&site, fen.repeat(99_999)).await;
    assert_eq!(told.len(), 99_999);
    assert!(told.iter().all(|one| *one == told[0]));
    let many = lines(&site, fen.repeat(100_100)).await;
    assert_eq!(many.len(), 100_001);
    assert_eq!((&many[100_000]["status"], &many[100_000]["line"]), (&json!(413), &json!(100_001)));
    // The limit of other bodies is unchanged.
    let mut other = request(Method::POST, "/api/richman");
    other.headers_mut().insert("content-type", "application/json".parse().unwrap());
    *other.body_mut() = Body::from(" ".repeat(70_000));
    ask(&site, other).await.problem(413);
    let mut elsewhere = request(Method::POST, "/api/games");
    elsewhere.headers_mut().insert("content-type", "application/x-ndjson".parse().unwrap());
    *elsewhere.body_mut() = Body::from(" ".repeat(70_000));
    assert!(ask(&site, elsewhere).await.status.is_client_error());
}

#[tokio::test]
async fn binary_and_text_files_agree() {
    let site = solved();
    let folder = tempfile::tempdir().unwrap();
    for name in ["3x3", "4x3-KPvK", "8x8-KNvK"] {
        let address = format!("/api/richman/files/{name}");
        let bytes = async |suffix: &str| {
            let answer = site.clone().oneshot(request(Method::GET, &format!("{address}{suffix}"))).await.unwrap();
            assert_eq!(answer.status(), 200);
            assert!(answer.headers()["repr-digest"].to_str().unwrap().starts_with("sha-256=:"));
            answer.into_body().collect().await.unwrap().to_bytes()
        };
        let (binary, packed) = (folder.path().join("table.bin"), folder.path().join("table.csv.gz"));
        std::fs::write(&binary, bytes(".bin").await).unwrap();
        std::fs::write(&packed, bytes(".csv.gz").await).unwrap();
        let run = |program: &str, arguments: &[&str]| {
            let done = Command::new(program).args(arguments).output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            String::from_utf8(done.stdout).unwrap()
        };
        let read = run("python3", &["examples/read_table.py", binary.to_str().unwrap()]);
        let other = run("gzip", &["-dc", packed.to_str().unwrap()]);
        assert!(read == other, "{name}: {:?}", read.lines().zip(other.lines()).find(|(a, b)| a != b));
    }
    get(&site, "/api/richman/files/8x8.bin.gz").await.problem(404);
}
