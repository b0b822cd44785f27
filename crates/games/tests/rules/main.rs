//! Tests of the variants through action texts: prices, phases, results, and the numbers on the rules pages.
#![allow(clippy::disallowed_methods, reason = "tests have deadlines, and read what the test command tells them")]

mod antichess;
mod atomic;
mod bookie;
mod castling;
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
mod material;
mod minichess;
mod offers;
mod old;
mod oracle;
mod paper;
mod puzzles;
mod racing_kings;
mod random_variant;
mod raumschach;
mod stakes;

#[path = "../../../../tests/support/adversary.rs"]
mod adversary;
#[path = "../../../../tests/support/decided.rs"]
mod decided;
#[path = "../../../../tests/support/clairvoyant_games.rs"]
mod clairvoyant_games;
#[path = "../../../../tests/support/often.rs"]
mod often;
#[path = "../../../../tests/support/tables.rs"]
mod tables;
#[path = "../../../../tests/support/pyffish.rs"]
mod pyffish;
#[path = "../../../../tests/support/tools.rs"]
mod tools;
