//! A bot that plays through the API, as any program may: it begins a game, follows its events, and answers whenever its seat is asked.
//!
//! ```sh
//! cargo run --release --example bot -- http://127.0.0.1:8080 bidding bot:gambler
//! ```
//!
//! Without an opponent it prints the link by which somebody comes in.
#![allow(clippy::disallowed_methods, reason = "a program of its own, with its own command line")]

use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Begins a game of a variant and plays seat one to its end; tells how it ended.
pub(crate) async fn play(server: &str, variant: &str, opponent: &str) -> Result<Value, Failure> {
    let client = Client::new();
    let wanted = json!({"variant": variant, "opponent": opponent, "seat": "one", "name": "Example"});
    let begun = client.post(format!("{server}/api/games")).json(&wanted).send().await?;
    if begun.status() != StatusCode::CREATED {
        return Err(begun.text().await?.into());
    }
    let begun: Value = begun.json().await?;
    let address = format!("{server}/api/games/{}", text(&begun["id"])?);
    let token = text(&begun["seats"][0]["token"])?;
    println!("Watch at {}", begun["url"]);
    if let Some(link) = begun["invite"]["url"].as_str() {
        println!("Come in at {link}");
    }

    let mut rng = StdRng::seed_from_u64(1);
    // Every event is the game as this seat may see it, one line of JSON each.
    let events = client.get(format!("{address}/events")).bearer_auth(token).header("accept", "application/x-ndjson");
    let mut events = events.send().await?.error_for_status()?;
    let mut unread = Vec::new();
    while let Some(bytes) = events.chunk().await? {
        unread.extend_from_slice(&bytes);
        while let Some(end) = unread.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = unread.drain(..=end).collect();
            // A line without anything keeps the connection open.
            let Ok(game) = serde_json::from_slice::<Value>(&line) else { continue };
            if game["outcome"].is_object() {
                return Ok(game["outcome"].clone());
            }
            let asked = game["turn"]["awaits"].as_array().is_some_and(|seats| seats.contains(&json!("one")));
            if !asked {
                continue;
            }
            let said = json!({"ply": game["ply"], "action": choose(&game, &mut rng)?});
            let answer = client.post(format!("{address}/actions")).bearer_auth(token).json(&said).send().await?;
            match answer.status() {
                // Where the game has moved on, the next line says where to.
                StatusCode::OK | StatusCode::CONFLICT => {}
                StatusCode::TOO_MANY_REQUESTS => return Err("asked too often".into()),
                _ => return Err(format!("{said}: {}", answer.text().await?).into()),
            }
        }
    }
    Err("the events ended before the game".into())
}

/// Any action that is listed; where none is, an eighth of the own purse as a bid.
fn choose(game: &Value, rng: &mut StdRng) -> Result<String, Failure> {
    let listed = game["actions"].as_array().and_then(|actions| actions.choose(rng)).and_then(Value::as_str);
    match (listed, game["turn"]["phase"].as_str()) {
        (Some(action), _) => Ok(action.to_owned()),
        (None, Some("bid")) => {
            let purse = text(&game["view"]["diagram"]["purses"]["one"])?;
            let whole: i64 = purse.split(['.', '/']).next().unwrap_or_default().parse()?;
            Ok(format!("bid {}", whole / 8))
        }
        (None, phase) => Err(format!("this bot does not know what to say in the phase {phase:?}").into()),
    }
}

fn text(value: &Value) -> Result<&str, Failure> {
    value.as_str().ok_or_else(|| format!("a text is wanted, and this is {value}").into())
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (server, variant, opponent) = match words.as_slice() {
        [server, variant] => (server, variant, "link"),
        [server, variant, opponent] => (server, variant, opponent.as_str()),
        _ => return Err("bot SERVER VARIANT [OPPONENT], such as: bot http://127.0.0.1:8080 lrs bot:gambler".into()),
    };
    println!("{}", play(server, variant, opponent).await?);
    Ok(())
}
