//! Endgame values: published values, laws, and solvers that share nothing with the tables.
#![allow(clippy::disallowed_methods, reason = "tests have deadlines and read settings of the test command")]

mod answers;
mod boards;
mod chips;
mod denominators;
mod exact_small;
mod faults;
mod figures;
mod first_move;
mod five;
mod four;
mod mechanisms;
mod naive;
mod observations;
mod paper;
mod proofs;
mod quiescent;
mod sealed;
mod small;
mod survey;

#[path = "../../../../tests/support/often.rs"]
mod often;
#[path = "../../../../tests/support/published.rs"]
mod published;
#[path = "../../../../tests/support/tables.rs"]
mod tables;

use std::sync::Arc;

use dashu_ratio::RBig;
use published::parse;
use zorkmid_endgames::{Answer, Choice, Fraction, Table, board::Size, read};

fn table(size: Size) -> Arc<Table> {
    tables::tables().solve(size).unwrap()
}

fn orthodox() -> Arc<Table> {
    table(Size::ORTHODOX)
}

/// Answer for a FEN.
fn ask(fen: &str) -> Answer {
    let question = read(fen).unwrap();
    question.without_table().unwrap_or_else(|| question.answer(&table(question.size)))
}

fn exact(fraction: &Fraction) -> RBig {
    zorkmid_endgames::fraction(&fraction.num, &fraction.den).unwrap()
}

fn value(answer: &Answer) -> RBig {
    exact(answer.value.as_ref().unwrap())
}

fn after(choice: &Choice) -> RBig {
    exact(choice.value.as_ref().unwrap())
}

fn best(choices: &[Choice]) -> Vec<&str> {
    choices.iter().filter(|choice| choice.best == Some(true)).map(|choice| choice.uci.as_str()).collect()
}
