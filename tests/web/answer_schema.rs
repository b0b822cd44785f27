//! The JSON Schema of endgame answers describes every answer.

use super::{
    often::{is_whole, often},
    random_endgames::Kind,
    *,
};
use crate::stakes::send;
use serde_json::{Value, json};
use std::{collections::BTreeMap, io::Write, path::Path, process::Command};

/// Posts FENs, one on each line, and returns the lines of the answer.
pub(super) async fn in_bulk(site: &Router, fens: &[String]) -> Vec<Value> {
    let mut bulk = request(Method::POST, "/api/richman");
    bulk.headers_mut().insert("content-type", "application/x-ndjson".parse().unwrap());
    *bulk.body_mut() = Body::from(fens.join("\n"));
    let answer = ask(site, bulk).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Requests an answer until its computation has finished.
async fn answer(site: &Router, address: &str) -> Value {
    loop {
        let answer = get(site, &address.replace(' ', "_")).await;
        if answer.status != 503 {
            return answer.parsed();
        }
    }
}

/// Parameters of a request, with the kinds of positions that they apply to and the number of such requests in a hundred.
const PARAMETERS: [(&str, &[Kind], usize); 10] = [
    ("", &Kind::ALL, 100),
    ("&n=7", &[Kind::SmallThree, Kind::Four], 10),
    ("&exact=true", &[Kind::RookBishop, Kind::SmallThree], 1),
    ("&chips=17:183&bids=black", &[Kind::RookBishop, Kind::Over, Kind::Castling], 10),
    ("&chips=17:13&bids=black", &[Kind::SmallThree], 10),
    ("&chips=12:8&bids=white&bid=3", &[Kind::SmallThree], 10),
    ("&chips=12:8&tie=marker&holder=white&negative=false", &[Kind::SmallThree, Kind::Over], 10),
    ("&money=poorman", &[Kind::SmallThree, Kind::RookBishop], 10),
    ("&money=taxman&tau=1/3", &[Kind::SmallThree], 10),
    ("&negative=false&tie=choice&holder=black", &[Kind::SmallThree], 10),
];

/// Replaces a member of an answer, or removes it.
fn with(answer: &Value, path: &str, member: Option<Value>) -> Value {
    let mut broken = answer.clone();
    let (parent, name) = path.rsplit_once('/').unwrap();
    let parent = broken.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match member {
        Some(member) => parent.insert(name.to_owned(), member),
        None => parent.remove(name),
    };
    broken
}

fn validate(folder: &Path, lines: &[Value]) -> BTreeMap<String, usize> {
    let Some(program) = tools::named("ZORKMID_SCHEMATHESIS") else { return BTreeMap::new() };
    let mut file = std::io::BufWriter::new(std::fs::File::create(folder.join("answers")).unwrap());
    lines.iter().for_each(|line| writeln!(file, "{line}").unwrap());
    file.into_inner().unwrap();
    let python = Path::new(&program).with_file_name("python");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/web/schema.py");
    let done =
        Command::new(python).arg(script).args(["schema", "answers"].map(|name| folder.join(name))).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_slice(&done.stdout).unwrap()
}

#[tokio::test]
async fn every_kind_of_answer_matches_the_schema() {
    let (_folder, app) = crate::four::app_with_rook_and_bishop();
    let (site, folder) = (router(app), tempfile::tempdir().unwrap());
    let schema = get(&site, "/api/richman/schema.json").await;
    assert_eq!((schema.status.as_u16(), schema.header("content-type")), (200, "application/schema+json"));
    std::fs::write(folder.path().join("schema"), &schema.body).unwrap();
    let mut random = StdRng::seed_from_u64(11);
    let mut lines = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for (parameters, kinds, share) in PARAMETERS {
        // On the 8×8 board, other payments and chips take seconds to solve.
        let larger = is_whole() && !parameters.is_empty() && kinds.contains(&Kind::SmallThree);
        let kinds = kinds.iter().chain(larger.then_some(&Kind::Three));
        for kind in kinds {
            for _ in 0..often(share * 3) {
                let fen = kind.position(&mut random);
                let told = answer(&site, &format!("/api/richman?fen={fen}{parameters}")).await;
                seen.insert((told["category"].as_str().unwrap_or("problem").to_owned(), told["sharp"].to_string()));
                let name = if told.get("status").is_some() { "Problem" } else { "ChipsAnswer" };
                lines.push(json!([name, true, told]));
            }
        }
    }
    let mut fens: Vec<String> = Vec::new();
    for _ in 0..often(600) {
        fens.extend(Kind::ALL.map(|kind| kind.position(&mut random)));
        fens.push("not a position".to_owned());
    }
    for some in fens.chunks(90) {
        let told = send(&site, "/api/richman", None, json!({"fens": some})).await.json();
        lines.extend(told["results"].as_array().unwrap().iter().map(|one| json!(["Outcome", true, one])));
        lines.push(json!(["Outcomes", true, told]));
    }
    for told in in_bulk(&site, &fens).await {
        let name = if told.get("status").is_some() { "Problem" } else { "AnswerSummary" };
        lines.push(json!([name, true, told]));
    }
    let valid = lines.len();
    for (category, sharp) in [("exact", "true"), ("interval", "false"), ("unknown", "null"), ("terminal", "true")] {
        assert!(seen.contains(&(category.to_owned(), sharp.to_owned())), "{category} {sharp}: {seen:?}");
    }

    // Broken answers do not match.
    let exact = get(&site, "/api/richman?fen=8/8/8/8/3k4/8/8/K2N4").await.json();
    let bounds = get(&site, "/api/richman?fen=8/6B1/8/8/4k3/2R5/8/K7").await.json();
    let unknown = get(&site, "/api/richman?fen=8/6B1/8/8/4k3/2Q5/8/K7").await.json();
    for (answer, path, member) in [
        (&exact, "/value", Some(Value::Null)),
        (&exact, "/value/num", Some(json!(21073))),
        (&exact, "/value/den", Some(json!("0"))),
        (&exact, "/alpha/num", Some(Value::Null)),
        (&exact, "/alpha/lo", Some(json!(".5"))),
        (&exact, "/sharp", Some(json!(false))),
        (&exact, "/reason", None),
        (&exact, "/reason", Some(json!("too late"))),
        (&exact, "/more", Some(json!(1))),
        (&exact, "/white/0/best", None),
        (&exact, "/white/0/more", Some(json!(1))),
        (&exact, "/certificate/table", Some(json!("AB"))),
        (&exact, "/category", Some(json!("sure"))),
        (&exact, "/category", Some(json!("interval"))),
        (&bounds, "/category", Some(json!("exact"))),
        (&bounds, "/bid", Some(Value::Null)),
        (&unknown, "/reason", Some(Value::Null)),
        (&unknown, "/white", Some(exact["white"].clone())),
        (&unknown, "/turn", Some(json!("red"))),
    ] {
        lines.push(json!(["ChipsAnswer", true, answer]));
        lines.push(json!(["ChipsAnswer", false, with(answer, path, member)]));
    }
    let counts = validate(folder.path(), &lines);
    eprintln!("{valid} answers: {counts:?}");
    assert!(!is_whole() || valid >= 10_000, "{valid} answers");
}
