//! A position has one answer: alone, in a batch, on a line of a bulk request, on its page, in a game's panel and on the command line.

use super::{
    answer_schema::in_bulk,
    often::is_whole,
    random_endgames::Kind,
    stakes::{Game, send},
    *,
};
use serde_json::{Map, Value, json};
use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

/// Positions of each kind.
fn count() -> usize {
    if is_whole() { 2_500 } else { 40 }
}

/// One position in this number is also the start of games.
const PER_GAME: usize = 20;

/// Answers of the command line, with the tables in a data folder.
fn by_command(data: &Path, fens: &[String]) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
    command.args(["value", "-", "--json", "--data"]).arg(data).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut running = command.spawn().unwrap();
    running.stdin.take().unwrap().write_all(fens.join("\n").as_bytes()).unwrap();
    let done = running.wait_with_output().unwrap();
    assert!(done.status.success());
    String::from_utf8(done.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Checks that a part has the members of a whole, except those named.
fn same(part: &Value, whole: &Value, without: &[&str], of: &str) {
    let kept = |value: &Value| -> Map<String, Value> {
        let members = value.as_object().unwrap().clone().into_iter();
        members.filter(|(name, _)| !without.contains(&name.as_str())).collect()
    };
    assert_eq!(kept(part), kept(whole), "{of}");
}

fn unescaped(text: &str) -> String {
    [
        ("&#34;", "\""),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&lt;", "<"),
        ("&#60;", "<"),
        ("&gt;", ">"),
        ("&#62;", ">"),
        ("&amp;", "&"),
        ("&#38;", "&"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (escaped, plain)| text.replace(escaped, plain))
}

/// Moves of a side on the page, best first.
fn moves_on(page: &str, side: &str) -> Vec<String> {
    let Some((_, table)) = page.split_once(&format!("<caption>{side}, best first</caption>")) else {
        return Vec::new();
    };
    let table = table.split("</table>").next().unwrap();
    let link = |rest: &str| unescaped(rest.split_once('>').unwrap().1.split("</a>").next().unwrap());
    table.split("<a ").skip(1).map(link).collect()
}

async fn check_page(site: &Router, fen: &str, single: &Value) {
    let answer = get(site, &format!("/endgames?fen={}", fen.replace(' ', "_"))).await;
    let page = answer.page(200);
    let json = page.split("with all moves</a></p><code class=\"address long\" tabindex=\"0\">").nth(1).unwrap();
    let json: Value = serde_json::from_str(&unescaped(json.split("</code>").next().unwrap())).unwrap();
    let whole = ["white", "black", "certificate", "chips", "horizon", "enclosed"];
    same(&json, single, &whole, fen);
    for (name, side) in [("White", "white"), ("Black", "black")] {
        let moves = single[side].as_array().unwrap().iter();
        let moves: Vec<&str> = moves.map(|mv| mv["san"].as_str().unwrap()).collect();
        assert_eq!(moves_on(page, name), moves, "{fen}");
    }
    let shown = |bound: &Value, places: usize| format!("{:.places$}", bound.as_str().unwrap().parse::<f64>().unwrap());
    match (single["category"].as_str().unwrap(), &single["enclosed"]) {
        ("unknown", _) => assert!(page.contains(&unescaped("No value is known here. ")), "{fen}"),
        ("terminal", _) => assert!(page.contains("The game is over: "), "{fen}"),
        (_, Value::Null) => {
            let value = &single["value"];
            let whole = value["den"] == "1";
            assert!(whole || page.contains(&format!("≈ {:.10}", value["approx"].as_f64().unwrap())), "{fen}: {page}");
        }
        (_, _) => assert!(page.contains(&shown(&single["alpha"]["lo"], 12)), "{fen}: {page}"),
    }
}

/// Compares the answer with the panel of games from this position. Its moves are the best ones, or those that win soonest with whole chips.
async fn check_panel(site: &Router, fen: &str, single: &Value) {
    let placement = fen.split(' ').next().unwrap();
    for variant in ["bidding", "random-turn"] {
        let game = Game::begin(site, variant, json!({"fen": placement, "panel": true})).await;
        let seen = game.see(None).await;
        let told = if single["enclosed"].is_null() {
            for member in ["value", "material"] {
                assert_eq!(seen["panel"][member], single[member], "{fen}");
            }
            for member in ["num", "den", "approx"] {
                assert_eq!(seen["panel"]["bid"][member], single["bid"][member], "{fen}");
            }
            &seen["panel"]
        } else {
            for member in ["alpha", "beta", "bid", "sharp"] {
                assert_eq!(seen["bounds"][member], single["enclosed"][member], "{fen}");
            }
            &seen["bounds"]
        };
        for side in ["white", "black"] {
            let moves = told[side]["moves"].as_array().unwrap();
            let all = single[side].as_array().unwrap();
            assert_eq!(moves.is_empty(), all.is_empty(), "{fen}: {seen}");
            for mv in moves {
                let same = all.iter().find(|other| other["uci"] == mv["uci"]).unwrap();
                assert!(same["best"] != false || told[side]["within"].is_number(), "{fen}: {mv}");
                assert!(mv["alpha"].is_null() || mv["alpha"] == same["alpha"], "{fen}: {mv}");
            }
        }
    }
}

#[tokio::test]
async fn position_has_the_same_answer_everywhere() {
    let (folder, app) = crate::four::app_with_rook_and_bishop();
    let site = router(app);
    // The command expects the tables in a subfolder of its data folder.
    let data = tempfile::tempdir().unwrap();
    std::fs::create_dir(data.path().join("endgames")).unwrap();
    std::fs::copy(folder.path().join("KRBvK.four"), data.path().join("endgames/KRBvK.four")).unwrap();
    let mut random = StdRng::seed_from_u64(12);
    let (mut checked, mut panels) = (0, 0);
    while checked < count() {
        let fens: Vec<String> = (0..10).flat_map(|_| Kind::ALL.map(|kind| kind.position(&mut random))).collect();
        let batch = send(&site, "/api/richman", None, json!({"fens": fens})).await.json();
        let (lines, printed) = (in_bulk(&site, &fens).await, by_command(data.path(), &fens));
        assert_eq!((lines.len(), printed.len()), (fens.len(), fens.len()));
        for (at, fen) in fens.iter().enumerate() {
            let single = get(&site, &format!("/api/richman?fen={}", fen.replace(' ', "_"))).await.json();
            assert_eq!(batch["results"][at], single, "{fen}");
            let labels = ["white_label", "black_label"];
            let moves = ["white", "black", "certificate", "chips", "horizon", "enclosed", labels[0], labels[1]];
            same(&lines[at], &single, &moves, fen);
            assert_eq!(
                labels.map(|label| &lines[at][label]),
                labels.map(|label| &single["certificate"][label]),
                "{fen}"
            );
            same(&printed[at], &single, &["chips", "horizon", "enclosed"], fen);
            assert_eq!(printed[at]["enclosed"], single["enclosed"], "{fen}");
            check_page(&site, fen, &single).await;
            let orthodox = single["fen"].as_str().unwrap().matches('/').count() == 7;
            let valued = ["exact", "interval"].contains(&single["category"].as_str().unwrap());
            if orthodox && valued && at % PER_GAME < 3 {
                check_panel(&site, fen, &single).await;
                panels += 1;
            }
        }
        checked += 10;
    }
    assert!(panels >= checked / 10, "{panels} panels");
}
