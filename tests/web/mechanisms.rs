//! Sealed bids and other payment rules in the API.

use super::*;
use serde_json::{Value, json};

#[tokio::test]
async fn sealed_bids_have_a_verdict_where_the_win_is_sure() {
    let site = solved();
    let asked = async |query: &str| get(&site, &format!("/api/richman?fen=3k3R/8/3K4/8/8/8/8/8{query}")).await;
    let verdict = async |query: &str| asked(query).await.json()["chips"].clone();
    // The player with more money captures the king. With equal bids, the tie rule decides.
    let sure = verdict("&chips=51:49&tie=coin").await;
    assert_eq!((&sure["winner"], &sure["bid"]["from"], &sure["within"]), (&json!("white"), &json!(50), &json!(1)));
    assert_eq!(verdict("&chips=50:50&tie=side&holder=white").await["within"], 1);
    assert_ne!(verdict("&chips=50:50&tie=side&holder=black").await["within"], 1);
    let open = verdict("&chips=26:74&tie=marker&holder=white").await;
    assert!(open["total"] == 100 && open["answer"].is_null(), "{open}");
    let wrong = [
        ("&chips=5:5", "bids"),
        ("&chips=5:5&tie=marker", "holder"),
        ("&chips=5:5&tie=lot&holder=white", "tie"),
        ("&chips=5:5&tie=marker&holder=red", "holder"),
        ("&chips=5:5&tie=coin&bids=white", "bids"),
        ("&chips=5:5&tie=coin&bid=3", "bid"),
        ("&chips=5:5&holder=white&bids=white", "holder"),
        ("&bids=white", "bids"),
        ("&tie=coin", "tie"),
        ("&negative=false", "negative"),
        ("&negative=no&tie=coin", "negative"),
    ];
    for (query, field) in wrong {
        assert_eq!(asked(query).await.problem(400)["field"], field, "{query}");
    }
}

#[tokio::test]
async fn other_payment_rules_have_their_own_values() {
    let site = solved();
    let asked = async |query: &str| get(&site, &format!("/api/richman?fen=3k3R/8/3K4/8/8/8/8/8{query}")).await;
    let told = async |query: &str| asked(query).await.json()["enclosed"].clone();
    let poor = told("&money=poorman").await;
    assert_eq!(poor["alpha"], json!({"lo": "0.666666666666", "hi": "0.666666666667"}));
    assert_eq!((&poor["sharp"], &poor["zugzwang"]), (&Value::Null, &json!(false)));
    assert_eq!(poor["white"][0]["uci"], "h8d8");
    assert_eq!(told("&money=taxman&tau=1").await, poor);
    assert!(told("&money=taxman&tau=1/2").await["alpha"]["lo"].as_str().unwrap().starts_with("0.714285714"));
    assert_eq!(told("&money=taxman&tau=0/1").await["alpha"]["lo"], told("&money=richman").await["alpha"]["lo"]);
    // In a zugzwang, the player who moves at equal bids is worse off.
    let zugzwang = async |holder: &str| {
        let query = format!("/api/richman?fen=8/8/8/8/3k4/8/8/K2N4&negative=false&tie=side&holder={holder}");
        get(&site, &query).await.json()["enclosed"].clone()
    };
    let (white, black) = (zugzwang("white").await, zugzwang("black").await);
    assert!(white["zugzwang"] == true && white["bid"]["lo"] == "0.000000000000", "{white}");
    assert!(
        white["alpha"]["hi"].as_str() < Some("0.6504") && black["alpha"]["lo"].as_str() > Some("0.6555"),
        "{black}"
    );
    let beyond = get(&site, "/api/richman?fen=kr6/8/8/8/8/8/8/K6R&money=poorman").await;
    assert_eq!((beyond.status.as_u16(), &beyond.json()["enclosed"]), (200, &Value::Null));
    let both = asked("&money=poorman&n=1").await.json();
    assert!(both["enclosed"]["alpha"] == poor["alpha"] && both["horizon"]["n"] == 1);
    let plain = told("&money=poorman&negative=false&tie=coin").await;
    assert_eq!(plain["alpha"], poor["alpha"], "both sides want this move");
    let wrong = [
        ("&money=gold", "money"),
        ("&money=taxman", "tau"),
        ("&money=taxman&tau=3/2", "tau"),
        ("&money=taxman&tau=1/1001", "tau"),
        ("&money=poorman&tau=1/2", "tau"),
        ("&tau=1/2", "tau"),
        ("&money=poorman&chips=5:5&bids=white", "money"),
        ("&money=poorman&negative=false", "negative"),
        ("&money=poorman&negative=false&tie=side", "holder"),
    ];
    for (query, field) in wrong {
        assert_eq!(asked(query).await.problem(400)["field"], field, "{query}");
    }
    let heat = get(&site, "/api/richman/heat?fen=3k3R/8/3K4/8/8/8/8/8&piece=R&money=poorman").await.json();
    let square = heat["squares"].as_array().unwrap().iter().find(|square| square["square"] == "h8").unwrap().clone();
    assert_eq!((&square["share"], &square["value"]["den"]), (&poor["alpha"], &json!("4")));
    let csv = get(&site, "/api/richman/heat?fen=3k3R/8/3K4/8/8/8/8/8&piece=R&money=poorman&form=csv").await.body;
    assert!(csv.contains("\nh8,3k3R/8/3K4/8/8/8/8/8,3,4,0.666666666666,0.666666666667\n"), "{csv}");
}
