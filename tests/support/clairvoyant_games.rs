//! Helpers to play Clairvoyant Chess through its action texts.

use serde_json::{Map, Value, json};
use zorkmid_games::{
    game::{Clocks, Live},
    registry,
    rules::{Actor, Seat, Turn},
};

/// Begins a game with options.
pub(crate) fn game(options: Value) -> Box<Live> {
    let options: Map<String, Value> = options.as_object().unwrap().clone();
    let mut game = registry::find("clairvoyant").unwrap().begin(&options, Clocks::new([None, None])).unwrap();
    game.act(Actor::Server, "begin", 0).unwrap();
    game
}

/// Begins a game from a position in which both sides have the same money.
pub(crate) fn from(fen: &str, money: i64) -> Box<Live> {
    game(json!({"fen": fen, "money_one": money, "money_two": money}))
}

pub(crate) fn act(game: &mut Live, seat: Seat, text: &str) {
    if let Err(refusal) = game.act(Actor::Seat(seat), text, 1) {
        panic!("{seat}: “{text}”: {refusal}");
    }
}

pub(crate) fn refused(game: &Live, seat: Seat, text: &str) -> String {
    match game.copy().act(Actor::Seat(seat), text, 1) {
        Err(refusal) => refusal.why,
        Ok(_) => panic!("{seat}: “{text}” was accepted"),
    }
}

pub(crate) fn json(game: &Live, viewer: Option<Seat>) -> Value {
    game.json(viewer)
}

/// The seat to move.
pub(crate) fn mover(game: &Live) -> Seat {
    match json(game, None)["view"]["mover"].as_str().unwrap() {
        "one" => Seat::One,
        _ => Seat::Two,
    }
}

/// Whether the turn on the board waits for the opponent's response.
pub(crate) fn answering(game: &Live) -> bool {
    json(game, None)["view"]["answering"].as_bool().unwrap()
}

/// Plays a whole turn: the guess sheet if one is pending, the turn, and its acceptance.
pub(crate) fn turn(game: &mut Live, sheet: &str, text: &str) {
    let seat = mover(game);
    if game.turn() == Turn::Both {
        act(game, !seat, sheet);
    }
    act(game, seat, text);
    if matches!(game.turn(), Turn::One(asked) if asked != seat) && answering(game) {
        act(game, !seat, "accept");
    }
}

/// Plays a turn up to the response.
pub(crate) fn open(game: &mut Live, sheet: &str, text: &str) {
    let seat = mover(game);
    if game.turn() == Turn::Both {
        act(game, !seat, sheet);
    }
    act(game, seat, text);
}

/// Both purses as a viewer may see them.
pub(crate) fn purses(game: &Live, viewer: Option<Seat>) -> [Option<i64>; 2] {
    let purses = json(game, viewer)["view"]["diagram"]["purses"].clone();
    ["one", "two"].map(|seat| purses[seat].as_str().map(|text| text.parse().unwrap()))
}

/// Purse of a seat.
pub(crate) fn purse(game: &Live, seat: Seat) -> i64 {
    purses(game, Some(seat))[seat.index()].unwrap()
}
