//! Hints: only for players against a bot, on their turn, stable within a position, and always legal.

use super::{
    stakes::{Game, send},
    *,
};
use crate::often::often;
use axum::http::header;
use serde_json::{Value, json};
use zorkmid::registry::VARIANTS;

/// A game against a bot, as its player sees it.
pub(super) struct Alone<'s> {
    site: &'s Router,
    pub(super) id: String,
    pub(super) token: String,
}

impl<'s> Alone<'s> {
    pub(super) async fn begin(site: &'s Router, game: Value) -> Alone<'s> {
        let begun = send(site, "/api/games", None, game).await;
        assert_eq!(begun.status, 201, "{}", begun.body);
        let begun = begun.json();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Alone { site, id: text(&begun["id"]), token: text(&begun["seats"][0]["token"]) }
    }

    async fn get(&self, path: &str) -> Answer {
        let mut request = request(Method::GET, path);
        let headers = request.headers_mut();
        headers.insert(header::AUTHORIZATION, format!("Bearer {}", self.token).parse().unwrap());
        headers.insert(header::COOKIE, format!("seat-{}={}", self.id, self.token).parse().unwrap());
        ask(self.site, request).await
    }

    pub(super) async fn see(&self) -> Value {
        self.get(&format!("/api/games/{}", self.id)).await.json()
    }

    pub(super) async fn hint(&self) -> Answer {
        self.get(&format!("/api/games/{}/hint", self.id)).await
    }

    async fn page(&self, query: &str) -> Answer {
        self.get(&format!("/games/{}{query}", self.id)).await
    }

    async fn asked(&self) -> Value {
        self.asked_of("one").await
    }

    /// The game once its player, in this seat, is to move again or the game is over.
    pub(super) async fn asked_of(&self, seat: &str) -> Value {
        // A sealed choice may be changed until the bot has sealed too, but is no longer pending.
        let asked = |seen: &Value| seen["turn"]["awaits"].as_array().unwrap().contains(&json!(seat));
        let turn = |seen: &Value| seen["outcome"].is_object() || asked(seen);
        until("the bot answers", async || turn(&self.see().await)).await;
        self.see().await
    }
}

#[tokio::test]
async fn hints_are_playable_in_every_variant() {
    let site = solved();
    for variant in VARIANTS {
        let game = json!({"variant": variant.key, "opponent": "bot:newcomer", "seat": "one"});
        let alone = Alone::begin(&site, game).await;
        for _ in 0..often(6).max(2) {
            let seen = alone.asked().await;
            if seen["outcome"].is_object() {
                break;
            }
            let hint = alone.hint().await;
            assert_eq!(hint.status, 200, "{}: {}: {seen}", variant.key, hint.body);
            assert_eq!(alone.hint().await.body, hint.body, "{}: a different hint", variant.key);
            let page = alone.page("?hint=1").await;
            assert!(page.body.contains("id=\"hint\""), "{}", variant.key);
            let said = json!({"ply": seen["ply"], "action": hint.json()["action"]});
            let path = format!("/api/games/{}/actions", alone.id);
            let answer = send(&site, &path, Some(&alone.token), said).await;
            assert_eq!(answer.status, 200, "{}: {}: {}", variant.key, hint.body, answer.body);
        }
    }
}

#[tokio::test]
async fn hint_matches_its_source() {
    let site = solved();
    let mate =
        json!({"variant": "chess", "opponent": "bot:random", "options": {"fen": "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"}});
    let hint = Alone::begin(&site, mate).await.hint().await.json();
    assert!(hint["label"].as_str().unwrap().ends_with('#') && hint["exact"] == false, "{hint}");

    let toss = json!({"variant": "random-turn", "opponent": "bot:random", "options": {"fen": "k7/8/8/8/8/8/8/K6R w - - 0 1", "panel": true}});
    let alone = Alone::begin(&site, toss).await;
    let seen = alone.asked().await;
    if seen["outcome"].is_null() {
        let hint = alone.hint().await.json();
        assert_eq!((&hint["exact"], &hint["action"]), (&json!(true), &seen["panel"]["white"]["action"]), "{seen}");
    }
}

#[tokio::test]
async fn missing_hint_is_explained() {
    let site = solved();
    let between = Game::begin(&site, "chess", json!({})).await;
    let refused = between.get(&format!("/api/games/{}/hint", between.id), Some(0)).await;
    assert_eq!(refused.status, 422);
    assert!(refused.body.contains("against a bot of this site"), "{}", refused.body);
    let page = between.get(&format!("/games/{}?hint=1", between.id), Some(0)).await;
    assert!(page.status == 200 && !page.body.contains("id=\"hint\"") && !page.body.contains("data-advise"));

    let alone = Alone::begin(&site, json!({"variant": "chess", "opponent": "bot:random"})).await;
    assert!(alone.page("").await.body.contains("data-advise"));
    let stranger = get(&site, &format!("/api/games/{}/hint", alone.id)).await;
    assert_eq!(stranger.status, 401, "{}", stranger.body);
    let page = get(&site, &format!("/games/{}?hint=1", alone.id)).await;
    assert!(page.status == 200 && !page.body.contains("id=\"hint\""), "spectators get no hint");
    let path = format!("/api/games/{}/actions", alone.id);
    assert_eq!(send(&site, &path, Some(&alone.token), json!({"ply": 0, "action": "resign"})).await.status, 200);
    let over = alone.hint().await;
    assert_eq!(over.status, 422);
    assert!(over.body.contains("only on your turn"), "{}", over.body);
    assert!(!alone.page("").await.body.contains("data-advise"));
}

#[tokio::test]
async fn hint_for_an_army_is_shown_before_it_is_sealed() {
    let site = site();
    let game = json!({"variant": "csipgs", "options": {"army": "secret"}, "opponent": "bot:newcomer", "seat": "one"});
    let alone = Alone::begin(&site, game).await;
    let page = alone.page("?hint=1").await.body;
    let form = page.split("<form id=\"hint\"").nth(1).unwrap().split("</form>").next().unwrap();
    assert!(form.contains("data-draft") && !form.contains("name=\"action\""), "{form}");
    let army = form.split("name=\"add\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(army.contains("royal-") && !form.contains(&format!(">{army}")), "{form}");
    let shown = alone.page(&format!("?ply=0&draft=N+a1&add={}", army.replace(' ', "+"))).await.body;
    assert!(
        shown.contains("name=\"action\" value=\"army\"") && !shown.contains("aria-disabled=\"true\">Seal army"),
        "{shown}"
    );
    assert!(alone.see().await["ply"] == 0);
}
