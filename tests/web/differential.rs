//! Games over the API against python-chess: the possible actions on the way, and the end.

use super::{api::post, ask, get, often::is_whole, pyffish, site};
use axum::Router;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Maximum number of plies of a game.
const PLIES: usize = 400;

/// Plays a game of python-chess and returns the first difference.
async fn difference(site: &Router, played: &Value) -> Option<String> {
    let (variant, fen) = (&played["variant"], played["fen"].as_str().unwrap());
    let options = match variant.as_str() {
        Some("chess960") => json!({"fen": fen}),
        Some("horde") => json!({"horde_side": "white"}),
        _ => json!({}),
    };
    let begun =
        post(site, "/api/games", None, json!({"variant": variant, "opponent": "self", "options": options})).await;
    let begun = begun.json();
    let id = begun["id"].as_str().unwrap();
    let tokens = [0, 1].map(|seat| begun["seats"][seat]["token"].as_str().unwrap().to_owned());
    let moves = played["moves"].as_array().unwrap();
    let mut seen = get(site, &format!("/api/games/{id}")).await.json();
    for (ply, action) in moves.iter().enumerate() {
        let seat = ply % 2;
        if let Some(legal) = played["legal"][ply.to_string()].as_array() {
            let own = ask(site, super::api::looking(id, &tokens[seat])).await.json();
            let set =
                |list: &Vec<Value>| list.iter().map(|text| text.as_str().unwrap().to_owned()).collect::<BTreeSet<_>>();
            let (ours, theirs) = (set(own["actions"].as_array().unwrap()), set(legal));
            if ours != theirs {
                let odd: Vec<&String> = ours.symmetric_difference(&theirs).collect();
                return Some(format!("{variant}, ply {ply}: actions differ in {odd:?}"));
            }
        }
        let path = format!("/api/games/{id}/actions");
        let answer = post(site, &path, Some(&tokens[seat]), json!({"ply": ply, "action": action})).await;
        if answer.status != 200 {
            return Some(format!("{variant}, ply {ply}: {action} is refused: {}", answer.body));
        }
        seen = answer.json();
    }
    let ours = match &seen["outcome"] {
        Value::Null => Value::Null,
        outcome => match outcome["winner"].as_str() {
            Some("one") => json!("white"),
            Some(_) => json!("black"),
            None => json!("draw"),
        },
    };
    let theirs = match &played["end"] {
        Value::Null => Value::Null,
        end => end[1].as_str().map_or(json!("draw"), |winner| json!(winner)),
    };
    (ours != theirs)
        .then(|| format!("{variant}, ply {}: {} here, {} there", moves.len(), seen["outcome"], played["end"]))
}

#[tokio::test]
async fn games_end_as_in_python_chess() {
    let games = if is_whole() { 200 } else { 3 };
    let question = json!({"seed": 11, "games": games, "plies": PLIES});
    let Some(answer) = pyffish::answer(include_str!("differential/games.py"), &question) else { return };
    let site = site();
    let mut differences = Vec::new();
    let mut ends = BTreeSet::new();
    for played in answer.as_array().unwrap() {
        differences.extend(difference(&site, played).await);
        ends.insert(played["end"][0].as_str().unwrap_or("none").to_owned());
    }
    assert!(
        differences.is_empty(),
        "{} differences:\n{}",
        differences.len(),
        differences[..differences.len().min(40)].join("\n")
    );
    assert!(ends.contains("VARIANT_WIN") && ends.len() >= 3, "{ends:?}");
}
