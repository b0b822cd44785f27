//! A bridge that lets any UCI engine play here as a named opponent.
//!
//! ```sh
//! cargo run --release --example uci -- http://127.0.0.1:8080 Stocky /usr/games/stockfish 200
//! ```
//!
//! The number is the time per move in milliseconds. The engine plays chess, and the other chess-like variants that it lists under its
//! option `UCI_Variant`.
#![allow(clippy::disallowed_methods, reason = "a separate program that reads its command line")]

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Lines, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A running engine.
struct Engine {
    child: Child,
    into: ChildStdin,
    from: Lines<BufReader<ChildStdout>>,
    /// Variants that it plays: key and UCI name.
    variants: Vec<(String, String)>,
}

impl Engine {
    /// Starts an engine. `known` lists the server's variants by key and UCI name.
    fn start(program: &str, known: &[(String, String)]) -> Result<Engine, Failure> {
        let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(into), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the engine has no input or output".into());
        };
        let chess = known.iter().filter(|(key, _)| key == "chess").cloned().collect();
        let mut engine = Engine { child, into, from: BufReader::new(from).lines(), variants: chess };
        engine.say("uci")?;
        loop {
            let line = engine.hear()?;
            if line == "uciok" {
                break;
            }
            if line.starts_with("option name UCI_Variant ") {
                let knows = |name: &str| line.split(" var ").any(|word| word.trim() == name);
                engine.variants = known.iter().filter(|(_, name)| knows(name)).cloned().collect();
            }
        }
        engine.say("setoption name UCI_Chess960 value true")?;
        Ok(engine)
    }

    fn say(&mut self, line: &str) -> Result<(), Failure> {
        Ok(writeln!(self.into, "{line}")?)
    }

    fn hear(&mut self) -> Result<String, Failure> {
        Ok(self.from.next().ok_or("the engine has exited")??)
    }

    /// Returns the engine's move in a position.
    fn choose(&mut self, variant: &str, fen: &str, milliseconds: u32) -> Result<String, Failure> {
        if self.variants.len() > 1 {
            let name =
                self.variants.iter().find(|(key, _)| key == variant).map_or("chess", |(_, name)| name).to_owned();
            self.say(&format!("setoption name UCI_Variant value {name}"))?;
        }
        self.say(&format!("position fen {fen}"))?;
        self.say(&format!("go movetime {milliseconds}"))?;
        loop {
            let line = self.hear()?;
            if let Some(chosen) = line.strip_prefix("bestmove ") {
                return Ok(chosen.split(' ').next().unwrap_or_default().to_owned());
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // The engine may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Plays under a name until the given number of games have ended. Returns their outcomes.
pub(crate) async fn serve(
    server: &str,
    name: &str,
    program: &str,
    time: u32,
    games: usize,
) -> Result<Vec<Value>, Failure> {
    let client = Client::new();
    let list: Value = client.get(format!("{server}/api/variants")).send().await?.error_for_status()?.json().await?;
    let named = |variant: &Value| Some((variant["key"].as_str()?.to_owned(), variant["uci"].as_str()?.to_owned()));
    let known: Vec<_> = list["variants"].as_array().into_iter().flatten().filter_map(named).collect();
    let mut engine = Engine::start(program, &known)?;
    let key: Value = client.post(format!("{server}/api/keys")).send().await?.error_for_status()?.json().await?;
    let key = key["key"].as_str().ok_or("no key")?.to_owned();
    let bot =
        json!({"name": name, "variants": engine.variants.iter().map(|(key, _)| key).collect::<Vec<_>>(), "games": 4});
    let registered = client.post(format!("{server}/api/bots")).bearer_auth(&key).json(&bot).send().await?;
    if registered.status() != StatusCode::OK {
        return Err(registered.text().await?.into());
    }
    println!("opponent program:{name}");

    let events = client.get(format!("{server}/api/stream")).bearer_auth(&key).header("accept", "application/x-ndjson");
    let mut events = events.send().await?.error_for_status()?;
    let (mut unread, mut over) = (Vec::new(), Vec::new());
    while let Some(bytes) = events.chunk().await? {
        unread.extend_from_slice(&bytes);
        while let Some(end) = unread.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = unread.drain(..=end).collect();
            // An empty line keeps the connection open.
            let Ok(event) = serde_json::from_slice::<Value>(&line) else { continue };
            let game = &event["game"];
            if event["type"] == "end" {
                println!("{} {}", game["url"], game["outcome"]);
                over.push(game["outcome"].clone());
                if over.len() == games {
                    return Ok(over);
                }
                continue;
            }
            if game["asked"] != true {
                continue;
            }
            let address = format!("{server}/api/games/{}", game["id"].as_str().ok_or("no id")?);
            let seen: Value = client.get(&address).bearer_auth(&key).send().await?.error_for_status()?.json().await?;
            let fen = seen["view"]["diagram"]["fen"].as_str().ok_or("no position")?;
            let variant = seen["variant"].as_str().ok_or("no variant")?;
            // The engine blocks this thread, which has no other work.
            let chosen = engine.choose(variant, fen, time)?;
            let said = json!({"ply": seen["ply"], "action": chosen});
            let answer = client.post(format!("{address}/actions")).bearer_auth(&key).json(&said).send().await?;
            match answer.status() {
                // After a conflict, the stream sends the new state.
                StatusCode::OK | StatusCode::CONFLICT => {}
                _ => return Err(format!("{said}: {}", answer.text().await?).into()),
            }
        }
    }
    Err("the stream ended".into())
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [server, name, program, time] = words.as_slice() else {
        return Err(
            "uci SERVER NAME ENGINE MILLISECONDS, such as: uci http://127.0.0.1:8080 Stocky stockfish 200".into()
        );
    };
    serve(server, name, program, time.parse()?, usize::MAX).await.map(drop)
}
