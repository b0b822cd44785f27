//! The variants, through the words that players use: prices, phases, ends, and the numbers on their pages of rules.
#![allow(clippy::disallowed_methods, reason = "tests have deadlines, and read what the test command tells them")]

mod antichess;
mod bookie;
mod chess960;
mod clairvoyant;
mod crazyhouse;
mod csipgs;
mod designed;
mod duck;
mod fog_of_war;
mod handicap;
mod horde;
mod kin;
mod minichess;
mod old;
mod oracle;
mod paper;
mod puzzles;
mod racing_kings;
mod random_variant;
mod raumschach;
mod stakes;

#[path = "../support/adversary.rs"]
mod adversary;
#[path = "../support/decided.rs"]
mod decided;
#[path = "../support/examples.rs"]
mod examples;
#[path = "../support/often.rs"]
mod often;
#[path = "../support/tables.rs"]
mod tables;

#[path = "../support/pyffish.rs"]
mod pyffish;

use zorkmid::{
    game::Game,
    web::{
        frame::Frame,
        templates::{self, OwnParts},
    },
};

/// The variant's own parts of the page on which somebody meets a game.
fn own_parts(game: &dyn Game, frame: &Frame) -> OwnParts {
    templates::of(game.key()).expect("its variant is listed").page(game, frame)
}
