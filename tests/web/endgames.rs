//! Endgame values on the site: all published values through the API, caching, errors, and the page.

use super::*;
use crate::published::{FIGURES, images, parse, recoloured};
use dashu_ratio::RBig;
use serde_json::{Value, json};
use zorkmid::richman::fraction;

/// Posts JSON to an address.
async fn post(site: &Router, path: &str, body: &Value) -> Answer {
    let mut request = request(Method::POST, path);
    request.headers_mut().insert("content-type", "application/json".parse().unwrap());
    *request.body_mut() = Body::from(body.to_string());
    ask(site, request).await
}

async fn value(site: &Router, fen: &str) -> Value {
    let answer = get(site, &format!("/api/richman?fen={fen}")).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "application/json"), "{}", answer.body);
    answer.json()
}

fn exact(value: &Value) -> Option<RBig> {
    fraction(value["num"].as_str()?, value["den"].as_str()?)
}

/// Every published position with its value, in every symmetric image, and each with exchanged colours.
fn published() -> Vec<(String, RBig)> {
    let mut all = Vec::new();
    for line in FIGURES.lines().filter(|line| !line.starts_with('#')) {
        let [_, placement, worth] = line.split("; ").take(3).collect::<Vec<_>>()[..] else { panic!("{line}") };
        for image in images(placement) {
            all.push((recoloured(&image), RBig::ONE - parse(worth)));
            all.push((image, parse(worth)));
        }
    }
    all
}

#[tokio::test]
async fn published_values_hold_in_every_image_and_both_colours() {
    let site = solved();
    let published = published();
    assert!(published.len() > 200);
    for some in published.chunks(100) {
        let fens: Vec<&str> = some.iter().map(|(fen, _)| fen.as_str()).collect();
        let answer = post(&site, "/api/richman", &json!({ "fens": fens })).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let results = answer.json()["results"].as_array().unwrap().clone();
        assert_eq!(results.len(), some.len());
        for ((fen, expected), result) in some.iter().zip(&results) {
            assert_eq!(result["fen"], *fen);
            assert_eq!(exact(&result["value"]).as_ref(), Some(expected), "{fen}");
        }
    }
    for (fen, expected) in published.iter().step_by(7) {
        assert_eq!(exact(&value(&site, fen).await["value"]).as_ref(), Some(expected), "{fen}");
    }
}

#[tokio::test]
async fn answer_matches_the_documentation() {
    let site = solved();
    let answer = value(&site, "8/8/8/8/3k4/8/8/K2N4").await;
    let value = json!({"num": "21073", "den": "32256", "approx": 0.6533048115079365});
    let bounds = json!({"num": "21073", "den": "32256", "approx": 0.6533048115079365,
        "lo": "0.653304811507936507", "hi": "0.653304811507936508"});
    assert_eq!((&answer["alpha"], &answer["beta"]), (&bounds, &bounds));
    assert_eq!((&answer["bid"]["num"], &answer["bid"]["den"]), (&json!("-95"), &json!("32256")));
    for (member, expected) in [
        ("fen", json!("8/8/8/8/3k4/8/8/K2N4")),
        ("material", json!("KNvK")),
        ("category", json!("exact")),
        ("value", value),
        ("sharp", json!(true)),
        ("contract", json!(2)),
        ("turn", Value::Null),
        ("reason", Value::Null),
        ("chips", Value::Null),
        ("horizon", Value::Null),
        ("enclosed", Value::Null),
        ("zugzwang", json!(true)),
        ("quiescent", json!(false)),
        ("terminal", Value::Null),
    ] {
        assert_eq!(answer[member], expected, "{member}");
    }
    let knight = json!({"num": "10489", "den": "16128", "approx": 0.650359623015873});
    let first = &answer["white"][0];
    assert_eq!((&first["uci"], &first["value"], &first["best"]), (&json!("d1c3"), &knight, &json!(true)));
    let king = json!({"num": "21", "den": "32", "approx": 0.65625});
    let first = &answer["black"][0];
    assert_eq!((&first["uci"], &first["value"], &first["best"]), (&json!("d4c4"), &king, &json!(true)));
    assert_eq!(answer["certificate"]["equations"], "exact");
}

#[tokio::test]
async fn separators_missing_fields_and_the_side_to_move_do_not_matter() {
    let site = solved();
    let plain = get(&site, "/api/richman?fen=8/8/8/8/3k4/8/8/K2N4").await;
    for fen in [
        "8/8/8/8/3k4/8/8/K2N4_w_-_-_0_1",
        "8/8/8/8/3k4/8/8/K2N4+b+-+-+7+40",
        "8/8/8/8/3k4/8/8/K2N4%20w%20-%20-%200%201",
        "8%2F8%2F8%2F8%2F3k4%2F8%2F8%2FK2N4_b",
    ] {
        let other = get(&site, &format!("/api/richman?fen={fen}")).await;
        let (mut other, mut plain) = (other.json(), plain.json());
        assert_eq!(other["turn"], if fen.contains('b') { "black" } else { "white" }, "{fen}");
        assert_eq!(plain["turn"], Value::Null);
        (other["turn"], plain["turn"]) = (Value::Null, Value::Null);
        assert_eq!(other, plain, "{fen}");
    }
}

#[tokio::test]
async fn answers_are_cacheable_for_a_day() {
    let site = solved();
    for path in [
        "/api/richman?fen=4N3/8/8/8/8/8/8/k2K4",
        "/api/richman?fen=8/8/8/8/8/8/8/K7",
        "/api/richman?fen=kkkk/4/4/KKKK",
        "/api/richman/mainline?fen=k7/8/8/8/8/8/8/K6R&turns=ww",
    ] {
        let answer = get(&site, path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        assert_eq!(answer.header("cache-control"), "public, max-age=86400");
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        let tag = answer.header("etag").to_owned();
        assert!(tag.len() > 10, "{tag}");
        let strong = tag.trim_start_matches("W/").to_owned();
        for kept in [tag.clone(), strong.clone(), "*".to_owned(), format!("\"other\", {tag}")] {
            let mut again = request(Method::GET, path);
            again.headers_mut().insert("if-none-match", kept.parse().unwrap());
            let again = ask(&site, again).await;
            assert_eq!((again.status.as_u16(), again.body.as_str()), (304, ""), "{path}, {kept}");
            assert_eq!(again.header("etag"), tag);
            assert_eq!(again.header("cache-control"), "public, max-age=86400");
        }
        let mut changed = request(Method::GET, path);
        changed.headers_mut().insert("if-none-match", "\"other\"".parse().unwrap());
        assert_eq!(ask(&site, changed).await.body, answer.body);
        let head = ask(&site, request(Method::HEAD, path)).await;
        assert_eq!((head.status.as_u16(), head.body.as_str(), head.header("etag")), (200, "", tag.as_str()));
    }
    let tag = async |path| get(&site, path).await.header("etag").to_owned();
    let mirrored = tag("/api/richman?fen=3N4/8/8/8/8/8/8/4K2k").await;
    assert_ne!(tag("/api/richman?fen=4N3/8/8/8/8/8/8/k2K4").await, mirrored, "the names of its moves differ");
    let without = tag("/api/richman?fen=4k3/8/8/8/8/8/8/4K2R").await;
    assert_ne!(
        without,
        tag("/api/richman?fen=4k3/8/8/8/8/8/8/4K2R_w_K").await,
        "castling rights make another position"
    );
}

#[tokio::test]
async fn uncovered_positions_are_answered_with_a_reason() {
    let site = solved();
    for (fen, reason) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "32 pieces"),
        ("4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1", "castling"),
        ("8/8/8/8/8/8/8/N7", "no king"),
        ("k1/2/2/K1", "3×3 to 8×8"),
    ] {
        let answer = value(&site, fen).await;
        assert_eq!((&answer["category"], &answer["value"]), (&json!("unknown"), &Value::Null), "{fen}");
        assert!(answer["reason"].as_str().unwrap().contains(reason), "{answer}");
    }
    let over = value(&site, "8/8/8/8/8/8/8/K7").await;
    assert_eq!((&over["category"], &over["terminal"]), (&json!("terminal"), &json!("white")));
    assert_eq!(over["value"]["num"], "1");
    assert_eq!(value(&site, "2k/3/3/K1N").await["value"], json!({"num": "5", "den": "8", "approx": 0.625}));
}

#[tokio::test]
async fn errors_name_the_character() {
    let site = solved();
    for (fen, at) in [("8/8/8/8/3k4/8/8/K2X4", 18), ("", 0), ("2P5/8/8/8/3k4/8/8/K7", 1), ("é/8", 0)] {
        let fen = percent_encoding::utf8_percent_encode(fen, percent_encoding::NON_ALPHANUMERIC);
        let answer = get(&site, &format!("/api/richman?fen={fen}")).await;
        let problem = answer.problem(400);
        assert_eq!((&problem["field"], &problem["at"]), (&json!("fen"), &json!(at)), "{fen}: {problem}");
    }
    for (path, field) in [
        ("/api/richman", "fen"),
        ("/api/richman?FEN=8", "FEN"),
        ("/api/richman?fen=8/8/8/8/3k4/8/8/K2N4&exat=true", "exat"),
        ("/api/richman/mainline?fen=k7/8/8/8/8/8/8/K6R&turn=w", "turn"),
        ("/api/richman?fen=8&fen=9", "fen"),
        ("/api/richman/mainline", "fen"),
        ("/api/richman/mainline?fen=k7/8/8/8/8/8/8/K6R&turns=wbx", "turns"),
    ] {
        assert_eq!(get(&site, path).await.problem(400)["field"], field, "{path}");
    }
    assert_eq!(ask(&site, request(Method::DELETE, "/api/richman")).await.problem(405)["status"], 405);
}

#[tokio::test]
async fn batch_of_at_most_a_hundred_positions() {
    let site = solved();
    let answer =
        post(&site, "/api/richman", &json!({"fens": ["3k/4/4/K2N", "nonsense", "8/8/8/8/8/8/8/K6k", "kK"]})).await;
    let results = answer.json()["results"].clone();
    assert_eq!(results[0]["value"]["num"], "31");
    assert_eq!((&results[1]["status"], &results[1]["field"]), (&json!(400), &json!("fens[1]")));
    assert!(results[1]["at"].is_u64() && results[1]["type"].is_string() && results[1]["detail"].is_string());
    assert_eq!(results[2]["value"]["den"], "2");
    assert_eq!(results[3]["category"], "unknown");
    assert_eq!(results.as_array().unwrap().len(), 4);
    let many = |count: usize| json!({ "fens": vec!["4N3/8/8/8/8/8/8/k2K4"; count] });
    assert_eq!(post(&site, "/api/richman", &many(100)).await.json()["results"].as_array().unwrap().len(), 100);
    assert_eq!(post(&site, "/api/richman", &many(101)).await.problem(413)["field"], "fens");
    assert_eq!(post(&site, "/api/richman", &many(0)).await.json(), json!({"results": []}));
    for wrong in [json!({}), json!({"fens": "8"}), json!({"fens": [8]}), json!([])] {
        post(&site, "/api/richman", &wrong).await.problem(400);
    }
    ask(&site, request(Method::POST, "/api/richman")).await.problem(415);
}

#[tokio::test]
async fn line_of_best_play_is_returned() {
    let site = solved();
    let line = get(&site, "/api/richman/mainline?fen=k7/8/8/8/8/8/8/K6R&turns=ww").await.json();
    let moves = line["moves"].as_array().unwrap();
    assert_eq!(moves[0], json!({"uci": "h1h8", "san": "Rh8", "mover": "white", "value": moves[0]["value"]}));
    assert_eq!((&moves[1]["san"], &moves[1]["value"]["num"]), (&json!("Rxa8#"), &json!("1")));
    let alternating = get(&site, "/api/richman/mainline?fen=k7/8/8/8/8/8/8/K6R").await.json();
    let movers: Vec<&str> =
        alternating["moves"].as_array().unwrap().iter().map(|played| played["mover"].as_str().unwrap()).collect();
    assert!(movers.iter().step_by(2).all(|mover| *mover == "white"));
    assert!(movers.iter().skip(1).step_by(2).all(|mover| *mover == "black"));
    assert_eq!(
        get(&site, "/api/richman/mainline?fen=8/8/8/8/8/8/8/K7").await.json()["reason"],
        "the game is over: white has won"
    );
    let many = get(&site, "/api/richman/mainline?fen=8/6B1/8/8/4k3/2R5/8/K7").await.json();
    assert_eq!(many, json!({"moves": [], "reason": "Lines of best play are computed for at most three pieces"}));
}

#[tokio::test]
async fn answers_report_unfinished_tables() {
    let app = with_tables(patient(), Arc::default());
    let site = router(app.clone());
    let problem = get(&site, "/api/richman?fen=8/8/8/8/3k4/8/8/K2N4").await;
    assert_eq!(problem.header("retry-after"), "1");
    assert_eq!(problem.problem(503)["progress"], 0.0);
    let batch = post(&site, "/api/richman", &json!({"fens": ["8/8/8/8/3k4/8/8/K2N4"]})).await;
    batch.problem(503);
    get(&site, "/api/richman/mainline?fen=8/8/8/8/3k4/8/8/K2N4").await.problem(503);
    let ready = get(&site, "/readyz").await;
    ready.page(503);
    assert_eq!(ready.header("retry-after"), "1");
    let status = get(&site, "/api/richman/status").await.json();
    let names: Vec<&str> =
        status["tables"].as_array().unwrap().iter().map(|table| table["material"].as_str().unwrap()).collect();
    assert_eq!(names, ["KvK", "KNvK", "KBvK", "KRvK", "KQvK", "KPvK"]);
    assert!(status["tables"].as_array().unwrap().iter().all(|table| table["state"] == "waiting"));
    // Positions that need no table, or a small one, are answered at once.
    assert_eq!(value(&site, "8/8/8/8/8/8/8/K7").await["category"], "terminal");
    assert_eq!(value(&site, "3k/4/4/K2N").await["value"]["num"], "31");

    app.endgames.prepare().unwrap();
    assert_eq!(value(&site, "8/8/8/8/3k4/8/8/K2N4").await["value"]["num"], "21073");
    assert_eq!(get(&site, "/readyz").await.json()["status"], "ready");
    let status = get(&site, "/api/richman/status").await;
    assert_eq!(status.header("cache-control"), "no-store");
    let ready = |table: &Value| table["state"] == "ready" && table["progress"] == 1.0;
    assert!(status.json()["tables"].as_array().unwrap().iter().all(ready));
}

#[tokio::test]
async fn page_shows_the_exact_value_and_the_best_moves() {
    let site = solved();
    let page = get(&site, "/endgames?fen=4N3/8/8/8/8/8/8/k2K4").await;
    let page = page.page(200);
    assert!(page.contains("<i>118</i><i>149</i><i>099</i><i>210</i>"), "the numerator in groups of three");
    assert!(page.contains("<i>453</i><i>248</i><i>000</i>") && page.contains("≈ 0.5894104617"));
    for shown in [
        "White 58.94\u{a0}%",
        "Black 41.06\u{a0}%",
        "4.29\u{a0}%",
        "Ke2",
        "Kb1",
        "heat-0",
        "heat-10",
        "name=\"square\"",
    ] {
        assert!(page.contains(shown), "{shown}");
    }
    assert!(!page.contains("id=\"gallery\""));
    let zugzwang = get(&site, "/endgames?fen=8/8/8/8/3k4/8/8/K2N4_w").await;
    assert!(zugzwang.page(200).contains("<strong>Zugzwang.</strong>"));
    assert!(zugzwang.body.contains("21073") && zugzwang.body.contains("10489/16128"));
    assert!(get(&site, "/endgames?fen=2k/3/3/K1N").await.page(200).contains("<strong>Quiescent.</strong>"));
    for fen in [
        "8/8/8/8/8/8/8/8",
        "K7/8/8/8/8/8/8/8",
        "k1/2/2/K1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq",
        "kk6/8/8/8/8/8/8/KK6",
        "1",
    ] {
        get(&site, &format!("/endgames?fen={fen}")).await.page(200);
        get(&site, &format!("/endgames?fen={fen}&heat=K")).await.page(200);
        get(&site, &format!("/endgames?fen={fen}&heat=p&tool=clear&from=a1")).await.page(200);
    }
    for wrong in ["nonsense", "", "8/8/8/8/3k4/8/8/K2X4", "%3Cscript%3E", "2P5/8/8/8/3k4/8/8/K7"] {
        let page = get(&site, &format!("/endgames?fen={wrong}")).await;
        assert!(page.page(400).contains("<input") && !page.body.contains("<script"), "{wrong}");
    }
    for wrong in [
        "tool=x",
        "tool=KK",
        "square=j9",
        "from=9",
        "heat=zz",
        "heat=%C3%A9",
        "fen=8&fen=8",
        "fen=3k/4/4/K2N&square=h8",
    ] {
        get(&site, &format!("/endgames?{wrong}")).await.page(400);
    }
}

#[tokio::test]
async fn click_on_a_square_leads_to_another_address() {
    let site = solved();
    for (query, location) in [
        ("fen=8/8/8/8/3k4/8/8/K2N4&tool=move&square=d1", "fen=8/8/8/8/3k4/8/8/K2N4&from=d1"),
        ("fen=8/8/8/8/3k4/8/8/K2N4&tool=move&from=d1&square=c3", "fen=8/8/8/8/3k4/2N5/8/K7"),
        ("fen=8/8/8/8/3k4/8/8/K2N4&tool=Q&square=d1&heat=k", "fen=8/8/8/8/3k4/8/8/K2Q4&tool=Q&heat=k"),
        ("fen=8/8/8/8/3k4/8/8/K2N4&tool=clear&square=d1", "fen=8/8/8/8/3k4/8/8/K7&tool=clear"),
        // A click on an empty square without a selection, a capture, and a piece put back on its square.
        ("fen=8/8/8/8/3k4/8/8/K2N4&tool=move&square=d2", "fen=8/8/8/8/3k4/8/8/K2N4"),
        ("fen=8/8/8/8/3k4/8/8/K2N4&tool=move&from=d1&square=d4", "fen=8/8/8/8/3N4/8/8/K7"),
        ("fen=8/8/8/8/3k4/8/8/K2N4&tool=move&from=d1&square=d1", "fen=8/8/8/8/3k4/8/8/K2N4"),
        // Placing the same piece again removes it, each king is unique, and no pawn is placed on the last rank.
        ("fen=8/8/8/8/3k4/8/8/K2N4&tool=q&square=d1", "fen=8/8/8/8/3k4/8/8/K2q4&tool=q"),
        ("fen=8/8/8/8/3k4/8/8/K2N4&tool=N&square=d1", "fen=8/8/8/8/3k4/8/8/K7&tool=N"),
        ("fen=8/8/8/8/3k4/8/8/K2N4&tool=K&square=h1", "fen=8/8/8/8/3k4/8/8/3N3K&tool=K"),
        ("fen=8/8/8/8/3k4/8/8/K2N4&tool=P&square=h8", "fen=8/8/8/8/3k4/8/8/K2N4&tool=P"),
    ] {
        let answer = get(&site, &format!("/endgames?{query}")).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("location")),
            (303, format!("/endgames?{location}").as_str())
        );
        get(&site, answer.header("location")).await.page(200);
    }
}

/// Address of a button next to the board; `None` if it is disabled.
fn image(page: &str, name: &str) -> Option<String> {
    let (before, _) = page.split_once(&format!(">{name}<")).unwrap_or_else(|| panic!("no {name}"));
    let tag = &before[before.rfind('<').unwrap()..];
    if tag == "<span class=\"button\" aria-disabled=\"true\"" {
        return None;
    }
    Some(tag.rsplit_once(" href=\"").unwrap().1.strip_suffix('"').unwrap().to_owned())
}

#[tokio::test]
async fn symmetric_images_are_linked() {
    let site = solved();
    let page = get(&site, "/endgames?fen=8/1p6/8/8/8/8/8/K6k").await;
    for (name, fen) in [
        ("Mirror", Some("8/6p1/8/8/8/8/8/k6K")),
        ("Swap colours", Some("k6K/8/8/8/8/8/1P6/8")),
        ("Shift right", None),
        ("Shift left", None),
        ("Shift down", None),
        // A pawn cannot be on the eighth rank.
        ("Shift up", None),
    ] {
        assert_eq!(image(page.page(200), name), fen.map(|fen| format!("/endgames?fen={fen}")), "{name}");
    }
    let mut free = "/endgames?fen=8/8/8/8/3k4/8/8/K2N4".to_owned();
    for name in ["Shift right", "Shift up", "Shift up"] {
        free = image(get(&site, &free).await.page(200), name).unwrap();
    }
    assert_eq!(free, "/endgames?fen=8/8/4k3/8/8/1K2N3/8/8");
}

/// Numerator and denominator of each long fraction on a page, in groups of digits.
fn long(page: &str) -> Vec<[Vec<&str>; 2]> {
    page.split("<span class=\"fraction long\">")
        .skip(1)
        .map(|rest| {
            let (above, below) = rest.split_once(" divided by ").unwrap();
            let below = below.split_once("</span></span>").unwrap().0;
            [above, below].map(|half| half.split("<i>").skip(1).map(|group| group.split('<').next().unwrap()).collect())
        })
        .collect()
}

#[tokio::test]
async fn digits_are_grouped_in_threes() {
    let site = solved();
    let knights = ["N7", "1N6", "2N5", "3N4", "4N3", "5N2", "6N1", "7N"];
    let mut fens: Vec<String> = knights.map(|rank| format!("8/8/8/{rank}/8/8/8/k2K4")).into();
    fens.extend(knights.map(|rank| format!("8/8/{rank}/8/8/8/8/k2K4")));
    // Boards where even a negative bid is long.
    fens.extend(["K3/4/4/4/4/N2k/4/4", "K4/5/5/5/5/5/N2k1/5", "7/7/7/1k5/7/7/1N4K"].map(str::to_owned));
    // Lengths of first groups seen so far: in numerators, negative numerators, and denominators.
    let mut firsts = [[false; 4]; 3];
    for fen in fens {
        let answer = value(&site, &fen).await;
        let page = get(&site, &format!("/endgames?fen={fen}")).await;
        let amounts = [&answer["value"], &answer["bid"]].into_iter();
        let wanted: Vec<&Value> = amounts.filter(|amount| amount["den"].as_str().unwrap().len() > 12).collect();
        let shown = long(page.page(200));
        assert_eq!(shown.len(), wanted.len(), "{fen}");
        for (shown, wanted) in shown.iter().zip(wanted) {
            for (groups, name) in shown.iter().zip(["num", "den"]) {
                assert_eq!(groups.concat(), wanted[name].as_str().unwrap().replace('-', "−"), "{fen}");
                let lengths: Vec<usize> = groups.iter().map(|group| group.trim_start_matches('−').len()).collect();
                assert!(lengths[0] > 0 && lengths[1..].iter().all(|length| *length == 3), "{fen}: {groups:?}");
                let kind = if name == "den" { 2 } else { usize::from(groups[0].starts_with('−')) };
                firsts[kind][lengths[0]] = true;
            }
        }
    }
    assert_eq!(firsts, [[false, true, true, true]; 3], "first groups of one, two and three digits");
    // A short number is not grouped. The minus sign is U+2212.
    let page = get(&site, "/endgames?fen=8/8/8/8/3k4/8/8/K2N4").await;
    let fraction = |above, below| {
        let divided = "<span class=\"visually-hidden\"> divided by </span>";
        format!("<span class=\"fraction\"><span>{above}</span>{divided}<span>{below}</span></span>")
    };
    for shown in [
        fraction("21073", "32256"),
        fraction("−95", "32256"),
        "<span class=\"amount\">−0.0029451885</span>".to_owned(),
        "White 65.33\u{a0}%".to_owned(),
    ] {
        assert!(page.page(200).contains(&shown), "{shown}");
    }
    let over = get(&site, "/endgames?fen=K7/8/8/8/8/8/8/8").await;
    assert!(over.page(200).contains("<p class=\"worth\"><span class=\"amount\">1</span>"));
}

#[tokio::test]
async fn gallery_shows_the_remarkable_positions() {
    let site = solved();
    let answer = get(&site, "/endgames").await;
    let page = answer.page(200);
    for shown in ["Figure 1<", "Figure 7<", "Figure 9, right<", "Figure 11<", "Zugzwang 3<", "The most complex pawn<"] {
        assert!(page.contains(shown), "{shown}");
    }
    assert!(!page.contains("Zugzwang 4"));
    assert_eq!(page.matches("<figure class=\"chart\">").count(), 10);
    assert!(page.matches("role=\"img\" aria-label=\"").count() >= 36, "every diagram has a description");
    let fen = |line: &'static str| line.split("; ").nth(1).unwrap();
    let figures = FIGURES.lines().filter(|line| !line.starts_with('#'));
    let firsts =
        ["1;", "2;", "3 left;", "3 right;", "4;", "6;", "7;", "8;", "9 left;", "9 right;", "11;", "3×8;", "4×4;"];
    for figure in firsts {
        let first = fen(figures.clone().find(|line| line.starts_with(figure)).unwrap());
        assert!(page.contains(&format!("/endgames?fen={first}\"")), "{figure} {first}");
    }
}

#[tokio::test]
async fn page_reloads_until_the_tables_are_ready() {
    let site = router(with_tables(patient(), Arc::default()));
    for path in ["/endgames", "/endgames?fen=8/8/8/8/3k4/8/8/K2N4"] {
        let answer = get(&site, path).await;
        assert!(answer.page(503).contains("<meta http-equiv=\"refresh\" content=\"1\">"));
        assert_eq!(answer.header("retry-after"), "1");
    }
    get(&site, "/endgames?fen=3k/4/4/K2N").await.page(200);
}
