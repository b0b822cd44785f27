//! The most expensive requests that one client can send. Every number gives different requests, so that no cache answers them.

use serde_json::json;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{task::JoinSet, time};

const CONNECTIONS: usize = 8;

/// An expensive request.
pub(crate) struct Expensive {
    /// Name of the kind.
    pub(crate) kind: &'static str,
    pub(crate) path: String,
    /// Content type and body of a POST.
    pub(crate) body: Option<(&'static str, String)>,
}

/// A position with a pawn, which reaches more positions than any other with three pieces.
const PAWN: &str = "8/8/8/8/3k4/8/3P4/K7";

/// One expensive request of each kind.
pub(crate) fn expensive(number: usize) -> Vec<Expensive> {
    let get = |kind, path: String| Expensive { kind, path, body: None };
    let post = |kind, path: &str, body: String| Expensive {
        kind,
        path: path.to_owned(),
        body: Some(("application/json", body)),
    };
    let chips = 7000 + number % 2000;
    let (width, height) = (4 + number % 5, 4 + number / 5 % 5);
    let fens: Vec<String> = (0..100).map(|square| lone_knight(number + square)).collect();
    let game = |variant: &str, options: serde_json::Value| {
        json!({"variant": variant, "opponent": "self", "options": options}).to_string()
    };
    vec![
        get("open chips", format!("/api/richman?fen={PAWN}&chips={chips}:5000&bids=white")),
        get("sealed chips", format!("/api/richman?fen={PAWN}&chips={chips}:5000&tie=coin")),
        get("page with chips", format!("/endgames?fen={PAWN}&chips={chips}:5001&bids=black")),
        get("taxman", format!("/api/richman?fen={PAWN}&money=taxman&tau={}/1000", 1 + number % 999)),
        get("moves ahead", format!("/api/richman?fen={PAWN}&n={}", 40 + number % 20)),
        get("table file", format!("/api/richman/files/{width}x{height}-KQvK.csv.gz")),
        post("positions", "/api/richman", json!({"fens": fens}).to_string()),
        get("picture", format!("/diagram.png?fen={}/QrNbQrNb/8/QrNbQrNb/8/8/8/8", pieces(number))),
        Expensive {
            kind: "variants.ini",
            path: "/api/fairy".to_owned(),
            body: Some(("text/plain", inherited_sections())),
        },
        post(
            "design game",
            "/api/games",
            game(
                "clairvoyant",
                json!({"fen": "k7/8/1Q6/8/8/8/8/K6R b - - 0 1", "money_one": 500, "money_two": 500 + number % 100}),
            ),
        ),
        post(
            "game with big stacks",
            "/api/games",
            game("bidding", json!({"fen": PAWN, "white": chips, "black": 5000})),
        ),
    ]
}

/// Sends one kind of request from one address on eight connections until it is stopped.
pub(crate) struct Flood {
    answered: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
    connections: JoinSet<()>,
}

impl Flood {
    /// Starts sending the kind with this index to a server that trusts its loopback proxy.
    pub(crate) fn of(address: &str, kind: usize) -> Flood {
        let (answered, stop, number) = (Arc::default(), Arc::default(), Arc::default());
        let mut connections = JoinSet::new();
        for _ in 0..CONNECTIONS {
            let (address, number) = (address.to_owned(), Arc::clone(&number));
            connections.spawn(send(address, kind, number, Arc::clone(&answered), Arc::clone(&stop)));
        }
        Flood { answered, stop, connections }
    }

    /// Stops, and returns the number of requests that were not refused.
    pub(crate) async fn stop(mut self) -> usize {
        self.stop.store(true, Ordering::Relaxed);
        self.connections.shutdown().await;
        self.answered.load(Ordering::Relaxed)
    }
}

async fn send(
    address: String,
    kind: usize,
    number: Arc<AtomicUsize>,
    answered: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
) {
    let client = reqwest::Client::new();
    while !stop.load(Ordering::Relaxed) {
        let Expensive { path, body, .. } = expensive(number.fetch_add(1, Ordering::Relaxed)).swap_remove(kind);
        let url = format!("{address}{path}");
        let request = match body {
            Some((kind, body)) => client.post(url).header("content-type", kind).body(body),
            None => client.get(url),
        };
        let Ok(answer) = request.header("x-forwarded-for", "198.51.100.9").send().await else { continue };
        let refused = answer.status() == 429;
        let _ = answer.bytes().await;
        if refused {
            // A client that ignores refusals costs a thousand small answers per second, which another test measures.
            time::sleep(Duration::from_millis(20)).await;
        } else {
            answered.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// A rank of officers that differs for each number.
fn pieces(number: usize) -> String {
    (0..8).map(|file| ['Q', 'r', 'N', 'b'][number >> (2 * file) & 3]).collect()
}

/// Two kings and a knight on a square that differs for each number.
fn lone_knight(number: usize) -> String {
    let (rank, file) = (number / 8 % 6, number % 8);
    let row = format!("{}N{}", file, 7 - file).replace('0', "");
    let empty = |count: usize| "8/".repeat(count);
    format!("k7/{}{row}/{}K7", empty(rank), empty(5 - rank))
}

/// Sections that inherit many costly pieces.
fn inherited_sections() -> String {
    let mut text = "[v:chess]\n".to_owned();
    for piece in 1..=25 {
        text += &format!("customPiece{piece} = {}:NCZ\n", (b'a' + (piece - 1) as u8) as char);
    }
    for section in 0..(55_000 - text.len()) / 9 {
        text += &format!("[{section}:v]\n");
    }
    text
}
