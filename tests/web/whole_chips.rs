//! Endgame verdicts for whole chips in the API.

use super::*;
use serde_json::{Value, json};

#[tokio::test]
async fn verdict_with_whole_chips_differs_from_shares() {
    let site = solved();
    let asked = async |query: &str| get(&site, &format!("/api/richman?fen=k7/8/8/8/8/8/8/K6R{query}")).await;
    let verdict = async |query: &str| asked(query).await.json()["chips"].clone();
    // A share of 183/200 exceeds 7463/8192, but Black still loses.
    let edge = verdict("&chips=17:183&bids=black").await;
    assert_eq!(
        edge,
        json!({"winner": "white", "winning_bids": null, "fastest_bids": null, "bid": null, "answer": null, "accepts": 6, "within": 19, "total": 200, "exact": true})
    );
    assert_eq!(verdict("&chips=17:183&bids=black&bid=5").await["answer"], "reject");
    let rich = verdict("&chips=183:17&bids=white").await;
    assert_eq!((&rich["fastest_bids"], &rich["within"]), (&json!({"from": 18, "to": 82}), &json!(2)));
    assert_eq!(rich["bid"], rich["fastest_bids"]);
    // Every bid from the least to the greatest winning one keeps the win, and no other does.
    let [least, most] = ["from", "to"].map(|end| rich["winning_bids"][end].as_i64().unwrap());
    assert!(least <= 18 && most >= 82, "{rich}");
    for (bid, wins) in [(least, true), (most, true), (least - 1, false), (most + 1, false)] {
        let answered = verdict(&format!("&chips=183:17&bids=white&bid={bid}")).await;
        assert_eq!(answered["winner"] == "white", wins, "{bid}: {answered}");
    }
    let docs = get(&site, "/docs/endgame-money").await.body;
    let (_, told) = docs.split_once("{\"chips\": ").unwrap();
    assert_eq!(serde_json::from_str::<Value>(told.split_once("}</code>").unwrap().0).unwrap(), rich, "as documented");
    // With more chips, shares decide where they can.
    let many = verdict("&chips=100000:900000&bids=black").await;
    assert_eq!(
        (&many["winner"], &many["exact"], &many["bid"]),
        (&json!("white"), &json!(false), &Value::Null),
        "{many}"
    );
    let edge = verdict("&chips=88989:911011&bids=white").await;
    assert_eq!(
        (&edge["winner"], &edge["within"], &edge["exact"]),
        (&Value::Null, &Value::Null, &json!(false)),
        "{edge}"
    );
    let small = get(&site, "/api/richman?fen=2k/3/3/K1N&chips=40000:40000&bids=white").await;
    assert_eq!(small.problem(400)["field"], "chips");
    assert_eq!(verdict("").await, Value::Null, "no chips were given");
    assert_eq!(asked("&chips=183:17&bids=white").await.json()["value"], asked("").await.json()["value"]);
    let beyond = get(&site, "/api/richman?fen=kr6/8/8/8/8/8/8/K6R&chips=5:5&bids=white").await;
    assert_eq!((beyond.status.as_u16(), &beyond.json()["chips"]), (200, &Value::Null));
    for (query, field) in [
        ("&chips=17:183", "bids"),
        ("&chips=17:183&bids=red", "bids"),
        ("&chips=17&bids=white", "chips"),
        ("&chips=-1:5&bids=white", "chips"),
        ("&chips=0:0&bids=white", "chips"),
        ("&chips=1999999:2&bids=white", "chips"),
        ("&bids=white", "bids"),
        ("&bid=4", "bid"),
        ("&chips=17:183&bids=white&bid=18", "bid"),
        ("&chips=17:183&bids=white&bid=x", "bid"),
    ] {
        assert_eq!(asked(query).await.problem(400)["field"], field, "{query}");
    }
}
