//! csipgs Chess: prices, turns, royal pieces, armies, inventions and draws, played through action texts.

mod armies;
mod ends;
mod fairy;
mod independent;
mod ini;
mod inventions;
mod lame;
mod lexicon;
pub(crate) mod naive;
mod odd;
mod prices;
mod royals;
mod sizes;
mod turns;

use serde_json::{Map, Value};
use zorkmid_games::{
    game::{Clocks, Live},
    registry,
    rules::{Actor, Refusal, Seat},
};

/// A game with these options.
fn game(options: Value) -> Box<Live> {
    let Value::Object(options) = options else { panic!("options are a record") };
    registry::find("csipgs").unwrap().begin(&options, Clocks::new([None, None])).unwrap()
}

/// A game of a preset.
fn named(name: &str) -> Box<Live> {
    game(options_of(name))
}

fn options_of(name: &str) -> Value {
    let presets = (registry::find("csipgs").unwrap().presets)();
    presets.into_iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no preset {name}")).1
}

/// The refusal of invalid options.
fn refused_options(options: Value) -> Refusal {
    let Value::Object(options): Value = options else { panic!("options are a record") };
    let options: Map<String, Value> = options;
    match registry::find("csipgs").unwrap().begin(&options, Clocks::new([None, None])) {
        Ok(_) => panic!("accepted {options:?}"),
        Err(refusal) => refusal,
    }
}

/// Plays texts separated by `/`, each by the pending seat.
fn say(game: &mut Live, texts: &str) {
    for text in texts.split('/').map(str::trim) {
        let seat = game.awaits()[0];
        game.act(Actor::Seat(seat), text, 0).unwrap_or_else(|refusal| panic!("{seat} “{text}”: {refusal}"));
    }
}

/// The refusal of a text by the pending seat.
fn refused(game: &Live, text: &str) -> Refusal {
    let seat = game.awaits()[0];
    match game.copy().act(Actor::Seat(seat), text, 0) {
        Ok(_) => panic!("accepted “{text}”"),
        Err(refusal) => refusal,
    }
}

fn accepted(game: &Live, text: &str) -> bool {
    game.copy().act(Actor::Seat(game.awaits()[0]), text, 0).is_ok()
}

/// Both treasuries, as text.
fn purses(game: &Live) -> [String; 2] {
    let purses = game.diagram(None).purses.unwrap();
    [purses.one.unwrap().to_string(), purses.two.unwrap().to_string()]
}

fn purse(game: &Live, seat: Seat) -> String {
    purses(game)[seat.index()].clone()
}

/// Moves both kings to and fro for a number of plies, without designing anything.
fn wait(game: &mut Live, plies: usize) {
    for _ in 0..plies {
        let seat = game.awaits()[0];
        let home = if seat == Seat::One { ["e1", "e2"] } else { ["e8", "e7"] };
        let at_home = game.diagram(None).unit(home[0].parse().unwrap()).is_some();
        let (from, to) = if at_home { (home[0], home[1]) } else { (home[1], home[0]) };
        say(game, &format!("{from}{to}/keep"));
    }
}
