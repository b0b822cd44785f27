//! The requests that cost a server most, as one client might send them. Every number gives other requests, so that no cache answers them.

use serde_json::json;

/// A request.
pub(crate) struct Expensive {
    /// What it asks for.
    pub(crate) kind: &'static str,
    pub(crate) path: String,
    /// Type and body, of a POST.
    pub(crate) body: Option<(&'static str, String)>,
}

/// A position with a pawn, which has more that it may become than any other of three pieces.
const PAWN: &str = "8/8/8/8/3k4/8/3P4/K7";

/// One request of each kind.
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

/// A rank of officers that differs from number to number.
fn pieces(number: usize) -> String {
    (0..8).map(|file| ['Q', 'r', 'N', 'b'][number >> (2 * file) & 3]).collect()
}

/// Two kings and a knight on a square that differs from number to number.
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
