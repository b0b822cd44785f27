//! In every phase, the controls for the pending action are visible without scrolling, on a phone and on a desktop. The phases of
//! Clairvoyant Chess are tested in `hands.rs`.

use super::{Browser, Site, begin, driver::screen};
use serde_json::{Value, json};

/// A phase: the variant, its options, the earlier actions, and the elements that must be in view.
type Phase = (&'static str, Value, &'static [&'static str], &'static str);

const BOARD: &str = "td.movable";
const FORM: &str = ".ask form button";

/// Every phase in which a seat is to act.
fn phases() -> Vec<Phase> {
    vec![
        ("chess", json!({}), &[], BOARD),
        ("lrs", json!({}), &[], BOARD),
        ("three-check", json!({}), &[], BOARD),
        ("king-of-the-hill", json!({}), &[], BOARD),
        ("crazyhouse", json!({}), &[], BOARD),
        ("crazyhouse", json!({}), &["e2e4", "d7d5", "e4d5", "d8d5"], "#board .pictured button"),
        ("antichess", json!({}), &["e2e3", "b7b5"], BOARD),
        ("fog-of-war", json!({}), &["e2e4"], BOARD),
        ("duck", json!({}), &[], BOARD),
        ("duck", json!({}), &["e2e4 e5"], BOARD),
        ("atomic", json!({}), &[], BOARD),
        ("horde", json!({}), &[], BOARD),
        ("racing-kings", json!({}), &[], BOARD),
        ("minichess", json!({}), &[], BOARD),
        ("chess960", json!({}), &[], BOARD),
        ("raumschach", json!({}), &[], BOARD),
        ("shatranj", json!({}), &[], BOARD),
        ("old-chess", json!({}), &[], BOARD),
        ("designed-chess", json!({}), &[], BOARD),
        ("random-turn", json!({}), &[], BOARD),
        ("handicap", json!({}), &[], FORM),
        ("handicap", json!({"slips": "unit"}), &["give pawn", "give nothing"], BOARD),
        ("random-variant", json!({}), &[], BOARD),
        ("random-variant", json!({"weighted": true}), &["weigh duck 1", "weigh duck 1"], BOARD),
        ("bidding", json!({}), &[], FORM),
        ("bidding", json!({"scheme": "open"}), &["bid 5"], ".answers button"),
        ("bidding", json!({"scheme": "open"}), &["bid 5", "accept"], BOARD),
        ("bidding", json!({"scheme": "secret"}), &[], FORM),
        ("bidding", json!({"scheme": "secret", "tie": "choice"}), &["bid 5", "bid 5"], ".answers button"),
        ("bookie", json!({}), &[], FORM),
        ("bookie", json!({"double": "2"}), &["bid 40", "bid 60"], "button[value=play]"),
        ("bookie", json!({}), &["bid 40", "bid 60"], BOARD),
        ("csipgs", json!({}), &[], BOARD),
        ("csipgs", json!({}), &["e1e2"], "form:has([value=keep]) button.primary"),
        ("csipgs", json!({"army": "secret"}), &[], "#board button[name=from]"),
        ("csipgs", json!({"army": "alternate"}), &[], "#piece"),
        ("csipgs", json!({"inventions": true}), &["e1e2", "invent Horse lame(1,2)"], FORM),
    ]
}

async fn ask(site: &str, path: &str, token: &str, said: Option<Value>) -> Value {
    let address = format!("{site}/api/games/{path}");
    let client = reqwest::Client::new();
    let request = said.as_ref().map_or_else(|| client.get(&address), |said| client.post(&address).json(said));
    let answer = request.bearer_auth(token).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{said:?}: {}", answer.text().await.unwrap());
    answer.json().await.unwrap()
}

#[tokio::test]
async fn pending_actions_are_in_view_in_every_phase() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let mut faults = Vec::new();
    for (variant, options, lines, wanted) in phases() {
        let game = begin(&site, json!({"variant": variant, "options": options, "opponent": "self"})).await;
        let id = game["id"].as_str().unwrap();
        let token = |seat: usize| game["seats"][seat]["token"].as_str().unwrap();
        let mut said = lines.iter();
        let seat = loop {
            let now = ask(&site, id, token(0), None).await;
            let seat = usize::from(now["turn"]["awaits"][0] == "two");
            let Some(line) = said.next() else { break seat };
            ask(&site, &format!("{id}/actions"), token(seat), Some(json!({"ply": now["ply"], "action": line}))).await;
        };
        browser.forget().await;
        for (width, height) in [(390, 844), (1280, 800)] {
            browser.size(width, height).await;
            browser.open(game["seats"][seat]["url"].as_str().unwrap()).await;
            browser.until("document.querySelector('.board[role=grid]')").await;
            let seen = format!(
                "scrollTo(0, 0);
                 return [...document.querySelectorAll('#game :is({wanted})')].map((one) => one.getBoundingClientRect())
                   .some((box) => box.height > 0 && box.top >= 0 && box.bottom <= innerHeight)"
            );
            if browser.ask(&seen).await != true {
                let place =
                    format!("return document.querySelector('#game :is({wanted})')?.getBoundingClientRect().bottom");
                let place = browser.ask(&place).await;
                faults.push(format!("{variant} {options} after {lines:?} at {width}: {wanted} ends at {place}"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
