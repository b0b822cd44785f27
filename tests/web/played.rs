//! The programs in `examples/` work with a normally started server.

#[path = "../../examples/bot.rs"]
#[expect(dead_code, reason = "its command line is not used here")]
pub(super) mod bot;

#[path = "../../examples/uci.rs"]
#[expect(dead_code, reason = "its command line is not used here")]
mod uci;

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, Stdio},
};

use tokio::runtime::Runtime;
use zorkmid::registry::VARIANTS;

use crate::{
    often::{is_whole, often},
    program::Server,
};

/// Checks that listed actions suffice in every phase of every variant.
#[tokio::test]
async fn rust_bot_plays_every_variant_to_the_end() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let games = VARIANTS.iter().map(|variant| {
        let address = server.address.clone();
        (variant.key, tokio::spawn(async move { bot::play(&address, variant.key, "bot:random").await }))
    });
    for (variant, game) in games.collect::<Vec<_>>() {
        let outcome = game.await.unwrap().unwrap_or_else(|why| panic!("{variant}: {why}"));
        assert!(outcome["reason"].is_string(), "{variant}: {outcome}");
    }
}

/// Starts the Python bot with the standard library alone.
fn python(server: &Server, words: &[&str]) -> Child {
    let mut program = Command::new("python3");
    program.arg("examples/bot.py").arg(&server.address).args(words);
    program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Output of the bot, after checking that it succeeded.
fn ended(mut bot: Child) -> String {
    let mut said = String::new();
    bot.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    let mut wrong = String::new();
    bot.stderr.take().unwrap().read_to_string(&mut wrong).unwrap();
    assert!(bot.wait().unwrap().success(), "{said}{wrong}");
    said
}

/// For a hundred games of each variant on both sides, set `ZORKMID_TRIES=10000`.
#[test]
fn python_bot_plays_every_variant_on_both_sides() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    // A short run plays one opponent per variant.
    let others = |number: usize| match (is_whole(), number % 2) {
        (true, _) => &["program:Grue", "bot:random"][..],
        (false, 0) => &["program:Grue"],
        (false, _) => &["bot:random"],
    };
    let games = often(1);
    let served = (0..VARIANTS.len()).filter(|number| others(*number).contains(&"program:Grue")).count();
    let all = (games * served).to_string();
    let mut serves = python(&server, &["serve", "Grue", &all]);
    let mut first = String::new();
    let mut reader = BufReader::new(serves.stdout.as_mut().unwrap());
    reader.read_line(&mut first).unwrap();
    assert_eq!(first, "opponent program:Grue\n");
    let games = games.to_string();
    let plays = VARIANTS.iter().enumerate().map(|(number, variant)| {
        let listens = || {
            let listed = Command::new("curl").arg("-s").arg(format!("{}/api/bots", server.address)).output().unwrap();
            String::from_utf8_lossy(&listed.stdout).contains("\"free\":true")
        };
        let others = others(number);
        // The bot prints its name before it is connected, and exits after its last game.
        while others.contains(&"program:Grue") && !listens() {
            std::thread::yield_now();
        }
        let against = others.iter().map(|other| python(&server, &["play", variant.key, other, &games]));
        (variant.key, against.collect::<Vec<_>>())
    });
    for (variant, against) in plays {
        for bot in against {
            let said = ended(bot);
            assert_eq!(said.lines().filter(|line| line.starts_with(variant)).count().to_string(), games, "{said}");
        }
    }
    ended(serves);
}

#[test]
fn uci_engine_plays_through_the_bridge() {
    let engine =
        ["/usr/games/fairy-stockfish", "/usr/bin/fairy-stockfish"].into_iter().find(|place| Path::new(place).exists());
    let engine = engine.expect("tests/run installs Fairy-Stockfish");
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let variants = ["chess", "three-check", "king-of-the-hill"];
    let bridge = std::thread::spawn({
        let address = server.address.clone();
        move || Runtime::new().unwrap().block_on(uci::serve(&address, "Fairy", engine, 20, variants.len()))
    });
    for variant in variants {
        let mut said = String::new();
        // The name is unknown until the bridge is connected.
        while said.is_empty() {
            let mut bot = python(&server, &["play", variant, "program:Fairy"]);
            bot.stdout.take().unwrap().read_to_string(&mut said).unwrap();
            bot.wait().unwrap();
        }
        assert!(said.contains(variant), "{said}");
    }
    let over = bridge.join().unwrap().unwrap();
    assert_eq!(over.len(), variants.len());
}
