//! Browser tests of the site: whole games, live pages, the weight of a first visit, and accessibility.
#![allow(clippy::disallowed_methods, reason = "tests have deadlines, and read settings from the environment")]

mod access;
mod bell;
mod clairvoyant;
mod comforts;
mod crazyhouse;
mod csipgs;
mod docs;
mod driver;
mod duck;
mod endgames;
mod first;
mod games;
mod geometry;
mod handicap;
mod hands;
mod heard;
mod keys;
mod kinds;
mod live;
mod lobby;
mod manners;
mod matches;
mod moves;
mod pages;
mod papers;
mod pictures;
mod plain;
mod puzzles;
mod random_variant;
mod raumschach;
mod sessions;
mod spoken;
mod table;
mod terminal;
mod text;

#[path = "../support/often.rs"]
mod often;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/tools.rs"]
mod tools;

use std::time::Duration;

use driver::Browser;
use serde_json::{Value, json};

use program::Server;

/// A server for one test, with its data in a temporary folder.
struct Site {
    server: Server,
    #[allow(dead_code, reason = "held until the server has ended")]
    data: tempfile::TempDir,
}

impl Site {
    fn new() -> Site {
        let data = tempfile::tempdir().unwrap();
        Site { server: Server::start(data.path()), data }
    }
}

impl std::ops::Deref for Site {
    type Target = str;

    fn deref(&self) -> &str {
        &self.server.address
    }
}

/// Begins a game through the API.
async fn begin(site: &str, game: Value) -> Value {
    loop {
        let answer = reqwest::Client::new().post(format!("{site}/api/games")).json(&game).send().await.unwrap();
        // A server on a busy machine may ask to retry.
        if answer.status() == 503 {
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            continue;
        }
        assert_eq!(answer.status(), 201);
        return answer.json().await.unwrap();
    }
}

/// Record of a game, without fields that differ between two identical games.
async fn record(site: &str, id: &str) -> Value {
    let mut record: Value = reqwest::get(format!("{site}/games/{id}/record.json")).await.unwrap().json().await.unwrap();
    for field in ["id", "created"] {
        record[field] = Value::Null;
    }
    for line in record["lines"].as_array_mut().unwrap() {
        line["time"] = Value::Null;
    }
    record
}

/// Opens a pass-and-play game of chess in a browser.
async fn on_one_screen(browser: &Browser, site: &str) -> String {
    both_seats(browser, site, json!({"variant": "chess", "opponent": "self"})).await
}

/// Opens a pass-and-play game in a browser: both seats, then the page.
async fn both_seats(browser: &Browser, site: &str, game: Value) -> String {
    let begun = begin(site, game).await;
    for seat in begun["seats"].as_array().unwrap() {
        browser.open(seat["url"].as_str().unwrap()).await;
    }
    let id = begun["id"].as_str().unwrap().to_owned();
    browser.open(&format!("{site}/games/{id}")).await;
    id
}

/// Opens a game between two browsers, and returns its address.
async fn between(one: &Browser, two: &Browser, site: &str, game: Value) -> String {
    let begun = begin(site, game).await;
    let address = begun["url"].as_str().unwrap().to_owned();
    one.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    one.open(&address).await;
    two.open(begun["invite"]["url"].as_str().unwrap()).await;
    two.press("main form button.primary", "#game").await;
    two.open(&address).await;
    address
}

/// Fool's mate.
const MATE: [(&str, &str); 4] = [("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")];
/// Deadline, far longer than any step takes on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(300);
