//! A bot that plays through the API: it begins a game, follows its events, and acts whenever the game waits for its seat.
//!
//! ```sh
//! cargo run --release --example bot -- http://127.0.0.1:8080 bidding bot:gambler
//! ```
//!
//! Without an opponent, it prints an invitation link.
#![allow(clippy::disallowed_methods, reason = "a separate program that reads its command line")]

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Begins a game of a variant, plays seat one to the end, and returns the outcome.
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
        println!("Join at {link}");
    }

    let mut rng = StdRng::seed_from_u64(1);
    // Each event is one line of JSON: the game as this seat sees it.
    let events =
        client.get(format!("{address}/events?whole=true")).bearer_auth(token).header("accept", "application/x-ndjson");
    let mut events = events.send().await?.error_for_status()?;
    let mut unread = Vec::new();
    while let Some(bytes) = events.chunk().await? {
        unread.extend_from_slice(&bytes);
        while let Some(end) = unread.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = unread.drain(..=end).collect();
            // An empty line keeps the connection open.
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
                // After a conflict, the next event has the new state.
                StatusCode::OK | StatusCode::CONFLICT => {}
                StatusCode::TOO_MANY_REQUESTS => return Err("too many requests".into()),
                _ => return Err(format!("{said}: {}", answer.text().await?).into()),
            }
        }
    }
    Err("the events ended before the game".into())
}

/// Picks a random listed action, except those whose blanks are not numbers. The API promises at least one such action in every phase of
/// every variant.
fn choose(game: &Value, rng: &mut StdRng) -> Result<String, Failure> {
    let listed = game["actions"].as_array().ok_or("no actions are listed for the seat to move")?;
    let said: Vec<String> = listed.iter().filter_map(Value::as_str).filter_map(|action| filled(action, rng)).collect();
    said.choose(rng).cloned().ok_or_else(|| format!("no playable action in {listed:?}").into())
}

/// Fills every blank such as `{0..40}` with a number. `None` if the action has other blanks.
fn filled(action: &str, rng: &mut StdRng) -> Option<String> {
    let Some((before, rest)) = action.split_once('{') else { return Some(action.to_owned()) };
    let (blank, after) = rest.split_once('}')?;
    let (least, most) = blank.split_once("..").filter(|_| !blank.contains(' '))?;
    let places = least.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let units = |bound: &str| bound.replace('.', "").parse::<i64>().ok();
    let (least, most) = (units(least)?, units(most)?);
    // The lower part of the range, so that the bot does not spend everything at once.
    let number = rng.random_range(least.max(0).min(most)..=least.max(most / 8));
    let unit = 10_i64.pow(u32::try_from(places).ok()?);
    let number = if places == 0 { number.to_string() } else { format!("{}.{:0places$}", number / unit, number % unit) };
    Some(format!("{before}{number}{}", filled(after, rng)?))
}

fn text(value: &Value) -> Result<&str, Failure> {
    value.as_str().ok_or_else(|| format!("expected a string, got {value}").into())
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
