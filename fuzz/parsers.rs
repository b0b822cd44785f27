//! Parsers of all untrusted input, as functions of bytes: targets of the fuzzer and of the test that runs the corpora.
//! A failure is a panic. Where the text round-trips, the parsed value is written and parsed again.

use std::sync::{Arc, LazyLock};

use axum::{
    Router,
    body::Body,
    http::{Request, StatusCode},
};
use http_body_util::BodyExt;
use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Map, Value};
use tokio::runtime::Runtime;
use tower::ServiceExt;
use zorkmid::{
    board::{
        Betza, Board, Size, Uci,
        cube::{self, CubePosition},
        fairy_stockfish,
        pgn::Pgn,
        shape,
    },
    bots::{Bot, PairedResults},
    game::{Clock, Clocks, PlayerCommand, record::Command},
    play::{Name, Opponent, Play, SeatPreference, Token},
    registry, richman,
    rules::{Actor, Seat, Turn},
    store::Store,
    variants::{bookie, clairvoyant, csipgs},
    web::{App, Options, router},
};

/// A parser.
type Reader = fn(&str);

/// All parsers by name. Each has a folder of that name in `corpus` and a fuzz target.
pub(crate) const ALL: [(&str, Reader); 14] = [
    ("fen", fen),
    ("moves", moves),
    ("betza", betza),
    ("actions", actions),
    ("options", options),
    ("records", records),
    ("bookie", bookie),
    ("sheets", sheets),
    ("variants", variants),
    ("names", names),
    ("requests", requests),
    ("cube", cube),
    ("files", files),
    ("messages", messages),
];

/// Passes bytes to a parser, if they are text.
pub(crate) fn run(name: &str, bytes: &[u8]) {
    let (_, read) = ALL.iter().find(|(known, _)| *known == name).expect("the name of a parser");
    if let Ok(text) = std::str::from_utf8(bytes) {
        read(text);
    }
}

/// Positions, on boards of all sizes.
fn fen(text: &str) {
    let _ = richman::read(text);
    let own = shape(text).ok().map(Board::orthodox_of);
    for board in own.iter().chain([Board::orthodox()]) {
        if let Ok(position) = board.parse_fen(text) {
            assert_eq!(board.parse_fen(&board.fen(&position)), Ok(position));
            if board.validate(&position).is_ok() {
                board.moves(&position);
            }
        }
    }
}

/// A position, then chess moves in SAN or UCI, one per line.
fn moves(text: &str) {
    let board = Board::orthodox();
    let mut lines = text.lines();
    let start = lines.next().unwrap_or_default();
    let start = board.parse_fen(if start.is_empty() { zorkmid::board::START } else { start });
    let Some(mut position) = start.ok().filter(|position| board.validate(position).is_ok()) else { return };
    for line in lines.take(64) {
        let uci = line.parse::<Uci>().ok().and_then(|uci| board.find(&position, uci));
        let Some(mv) = uci.or_else(|| board.parse_san(&position, line).ok()) else { continue };
        assert_eq!(board.parse_san(&position, &board.san(&position, mv)), Ok(mv));
        assert_eq!(board.find(&position, board.uci(mv)), Some(mv));
        position = board.after(&position, mv);
    }
}

/// A piece in Betza notation.
fn betza(text: &str) {
    fairy_stockfish::read(text);
    let Ok((piece, _)) = Betza::read_noted(text, &[]) else { return };
    let written = piece.to_string();
    assert_eq!(written.parse::<Betza>().map(|again| again.to_string()), Ok(written));
    piece.in_words();
    piece.design(Size::ORTHODOX);
}

/// `VARIANT PRESET`, then actions, one per line: by `one` or `two` if the line begins so, otherwise by the pending seat.
fn actions(text: &str) {
    let mut lines = text.lines();
    let mut which = lines.next().unwrap_or_default().split(' ');
    let Some(variant) = which.next().and_then(registry::find) else { return };
    let preset = which.next().and_then(|number| number.parse::<usize>().ok()).unwrap_or_default();
    let presets = (variant.presets)();
    let Some((_, Value::Object(preset))) = presets.get(preset % presets.len()) else { return };
    let Ok(mut game) = variant.begin(preset, Clocks::new([None; 2])) else { return };
    let mut chance = StdRng::seed_from_u64(7);
    for line in lines.take(64) {
        for _ in 0..100 {
            let Some(word) = (game.turn() == Turn::Chance).then(|| game.chance(&mut chance)).flatten() else { break };
            game.act(Actor::Chance, &word, 0).expect("chance plays a legal action");
        }
        let said = line.split_once(' ').and_then(|(seat, said)| Some((seat.parse::<Seat>().ok()?, said)));
        let asked = game.awaits().first().copied().unwrap_or(Seat::One);
        let (seat, said) = said.unwrap_or((asked, line));
        game.draft(seat, said);
        let _ = game.act(Actor::Seat(seat), said, 0);
    }
    for viewer in [None, Some(Seat::One), Some(Seat::Two)] {
        game.json(viewer);
    }
}

/// `VARIANT`, then its options as JSON.
fn options(text: &str) {
    let (variant, options) = text.split_once('\n').unwrap_or_default();
    let Some(variant) = registry::find(variant) else { return };
    let Ok(options) = serde_json::from_str::<Map<String, Value>>(options) else { return };
    if let Ok(game) = variant.begin(&options, Clocks::new([None; 2])) {
        game.json(None);
    }
}

/// Game records.
fn records(text: &str) {
    for game in Pgn::read(text).into_iter().flatten() {
        registry::tagged(game.tag("Variant"));
    }
    for line in text.lines().take(64) {
        Command::read(line);
    }
    let _ = registry::read(text);
}

/// Codes of hidden positions, and the fields of their score form.
fn bookie(text: &str) {
    if let Ok(code) = text.parse::<bookie::Code>() {
        assert_eq!(bookie::Code::seal(&code.open()).map(|code| code.to_string()), Ok(code.to_string()));
    }
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    let _ = bookie::Options::parse(pairs);
    let _ = (text.parse::<bookie::Bid>(), text.parse::<bookie::Decision>(), text.parse::<bookie::Verdict>());
}

/// Turns, guess sheets and purchases.
fn sheets(text: &str) {
    fn same<T: std::str::FromStr + ToString>(text: &str) {
        if let Ok(read) = text.parse::<T>() {
            let written = read.to_string();
            assert_eq!(written.parse::<T>().ok().map(|again| again.to_string()), Some(written));
        }
    }
    same::<clairvoyant::Action>(text);
    same::<clairvoyant::Turn>(text);
    same::<clairvoyant::Guess>(text);
    same::<csipgs::Action>(text);
    same::<bookie::Action>(text);
}

/// Variant files.
fn variants(text: &str) {
    let _ = csipgs::ini::read(text);
}

/// Short texts: tokens, names, clocks, opponents, counts, turns of a line.
fn names(text: &str) {
    if let Ok(token) = text.parse::<Token>() {
        assert_eq!(token.as_str(), text);
        token.digest();
    }
    let _ = (text.parse::<Name>(), text.parse::<Opponent>(), text.parse::<SeatPreference>(), text.parse::<Bot>());
    let _ = (text.parse::<PairedResults>(), text.parse::<Actor>(), PlayerCommand::read(text), richman::turns(text));
    let _ = serde_json::from_str::<Clock>(text).map(|clock| clock.name());
}

/// A position of Raumschach, then moves, one per line.
fn cube(text: &str) {
    let (start, moves) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(mut position) = CubePosition::parse(if start.is_empty() { cube::START } else { start }) else { return };
    assert_eq!(CubePosition::parse(&position.fen()), Ok(position));
    for line in moves.lines().take(64) {
        let Ok(mv) = position.parse_san(line) else { continue };
        assert_eq!(position.parse_san(&position.san(mv)), Ok(mv));
        position = position.after(mv);
    }
}

/// Files of endgame values: as text, or as bytes in hexadecimal if the first line is `hex`.
fn files(text: &str) {
    let bytes = match text.strip_prefix("hex\n") {
        Some(digits) => {
            let digits: Vec<u8> =
                digits.chars().filter_map(|digit| digit.to_digit(16)).map(|digit| digit as u8).collect();
            digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect()
        }
        None => text.as_bytes().to_vec(),
    };
    let _ = richman::prove(&bytes);
}

/// A site with its own database and one game.
struct Site {
    runtime: Runtime,
    router: Router,
    /// Placeholders and values of a game, the token of its seat one, and a key.
    known: [(&'static str, String); 3],
}

static SITE: LazyLock<Site> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let place = tempfile::tempdir().expect("a folder").keep().join("games.sqlite");
    let router = runtime.block_on(async {
        let store = Store::open(place.to_str().expect("a path")).await.expect("a store");
        let play = Play::new(StdRng::seed_from_u64(7), store, || 1_700_000_000_000);
        let app = App::new(Options { rate: 0, ..Options::default() }, play, Arc::default());
        app.endgames.prepare().expect("the endgame tables");
        router(app)
    });
    let mut site = Site { runtime, router, known: Default::default() };
    let made = |path: &str, body: &str| {
        let request = Request::post(path).header("host", "zork.example").header("content-type", "application/json");
        let (_, answer) = site.answer(request.body(Body::from(body.to_owned())).expect("a request"));
        serde_json::from_slice::<Value>(&answer).expect("JSON")
    };
    let game = made("/api/games", r#"{"variant": "bidding", "seat": "one"}"#);
    let key = made("/api/keys", "{}");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    site.known = [("GAME", text(&game["id"])), ("TOKEN", text(&game["seats"][0]["token"])), ("KEY", text(&key["key"]))];
    site
});

impl Site {
    fn answer(&self, request: Request<Body>) -> (StatusCode, Vec<u8>) {
        // A stream never ends, so its body is not read.
        let stream = request.uri().path().ends_with("/events") || request.uri().path().ends_with("/stream");
        self.runtime.block_on(async {
            let answer = self.router.clone().oneshot(request).await.expect("the site answers");
            let status = answer.status();
            let read = !stream || status != StatusCode::OK;
            let body = if read { answer.into_body().collect().await.map(|body| body.to_bytes()).ok() } else { None };
            (status, body.unwrap_or_default().to_vec())
        })
    }

    /// Sends a request and expects no internal error.
    fn ask(&self, request: Request<Body>) {
        let (status, answer) = self.answer(request);
        assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{}", String::from_utf8_lossy(&answer));
    }
}

/// An address with its query, then a line of cookies, then a body: JSON if it begins with a brace, otherwise a form.
fn requests(text: &str) {
    let (address, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (cookies, body) = rest.split_once('\n').unwrap_or((rest, ""));
    let mut request = Request::builder().uri(address).header("host", "zork.example").header("cookie", cookies);
    if !body.is_empty() {
        let kind = if body.starts_with('{') { "application/json" } else { "application/x-www-form-urlencoded" };
        request = request.method("POST").header("origin", "http://zork.example").header("content-type", kind);
    }
    if let Ok(request) = request.body(Body::from(body.to_owned())) {
        SITE.ask(request);
    }
}

/// A request: a line with method and address, header fields, an empty line, and the body. The placeholders `GAME`, `TOKEN` and `KEY`
/// become the values of the site's game.
fn messages(text: &str) {
    let site = &*SITE;
    let text = site.known.iter().fold(text.to_owned(), |text, (name, known)| text.replace(name, known));
    let (head, body) = text.split_once("\n\n").unwrap_or((&text, ""));
    let mut lines = head.lines();
    let (method, address) = lines.next().unwrap_or_default().split_once(' ').unwrap_or_default();
    let request = Request::builder().method(method).uri(address).header("host", "zork.example");
    let fields = lines.filter_map(|line| line.split_once(": "));
    let request = fields.fold(request, |request, (name, value)| request.header(name, value));
    if let Ok(request) = request.body(Body::from(body.to_owned())) {
        site.ask(request);
    }
}
