//! Games for stakes, played through action texts: bidding chess, random-turn chess and Bookie matches.

mod bases;
mod bidding;
mod bookie;
mod decided;
mod discrete;
mod panel;
mod random_turn;
mod whole;
mod winning;

use std::sync::{Arc, LazyLock};

use serde_json::{Map, Value};
use zorkmid_games::{
    board::Size,
    game::{Clocks, Live},
    registry,
    richman::{Advice, NEVER_STOP, Table, Thresholds, advise},
    rules::{Actor, Endgame, Seat},
};

static TABLE: LazyLock<Arc<Table>> = LazyLock::new(|| crate::tables::tables().solve(Size::ORTHODOX).unwrap());
/// All threshold levels, computed once.
static LEVELS: LazyLock<Thresholds> = LazyLock::new(|| Thresholds::solve(&TABLE, 1, true));
/// [`LEVELS`] for games without negative bids.
static PLAIN: LazyLock<Thresholds> = LazyLock::new(|| Thresholds::solve(&TABLE, 1, false));

/// Advice of the tables for a covered state, with negative bids allowed.
fn consult(moment: &Endgame) -> Advice {
    advise(&TABLE, Some(&LEVELS), moment, NEVER_STOP).expect("the position is covered")
}

/// A game with these options, such as `{"tie": "coin"}`.
fn begin(variant: &str, options: Value) -> Box<Live> {
    let Value::Object(options) = options else { panic!("options are a record") };
    registry::find(variant).unwrap().begin(&options, Clocks::new([None, None])).unwrap()
}

/// The reason why a game cannot begin.
fn unfit(variant: &str, options: Value) -> String {
    let Value::Object(options) = options else { panic!("options are a record") };
    match registry::find(variant).unwrap().begin(&options, Clocks::new([None, None])) {
        Ok(_) => panic!("{variant} begins with {options:?}"),
        Err(refusal) => refusal.to_string(),
    }
}

/// Plays lines such as `one bid 40` and `chance coin white`.
fn say(game: &mut Live, lines: &[&str]) {
    for line in lines {
        let (actor, text) = line.split_once(' ').unwrap();
        let actor: Actor = actor.parse().unwrap();
        game.act(actor, text, 0).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
    }
}

/// The reason why a line is refused. Does not change the game.
fn refused(game: &Live, line: &str) -> String {
    let (actor, text) = line.split_once(' ').unwrap();
    match game.copy().act(actor.parse().unwrap(), text, 0) {
        Ok(_) => panic!("{line} was accepted"),
        Err(refusal) => refusal.to_string(),
    }
}

/// All data that a viewer receives.
fn bytes(game: &Live, viewer: Option<Seat>) -> String {
    format!("{}{:?}", game.json(viewer), game.diagram(viewer))
}

/// The pending seats, as `one` or `one two`; empty if chance must act.
fn asked(game: &Live) -> String {
    game.awaits().iter().map(|seat| seat.name()).collect::<Vec<_>>().join(" ")
}

/// The result, as `one king captured` or `draw agreement`.
fn end(game: &Live) -> String {
    let outcome = game.outcome().expect("the game is over");
    format!("{} {}", outcome.winner().map_or("draw", Seat::name), outcome.reason())
}

/// Both purses, as text.
fn purses(game: &Live) -> [String; 2] {
    let purses = game.json(None)["view"]["diagram"]["purses"].clone();
    ["one", "two"].map(|seat| purses[seat].as_str().unwrap().to_owned())
}

fn none() -> Value {
    Value::Object(Map::new())
}
