//! Endgame values: published ones, laws, and solvers that share nothing with the tables.

mod answers;
mod boards;
mod denominators;
pub(crate) mod figures;
mod naive;
mod paper;
mod quiescent;
mod survey;

use std::sync::{Arc, LazyLock};

use dashu::rational::RBig;
use zorkmid::{
    board::Size,
    richman::{Answer, Choice, Fraction, Table, Tables, fraction, read},
};

static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(Arc::default);

/// The tables that all tests share.
pub(crate) fn tables() -> Arc<Tables> {
    TABLES.clone()
}

fn table(size: Size) -> Arc<Table> {
    TABLES.solve(size).unwrap()
}

fn orthodox() -> Arc<Table> {
    table(Size::ORTHODOX)
}

/// The answer to a FEN.
fn ask(fen: &str) -> Answer {
    let question = read(fen).unwrap();
    question.without_table().unwrap_or_else(|| question.answer(&table(question.size)))
}

fn exact(fraction: &Fraction) -> RBig {
    zorkmid::richman::fraction(&fraction.num, &fraction.den).unwrap()
}

fn value(answer: &Answer) -> RBig {
    exact(answer.value.as_ref().unwrap())
}

/// A value as the data files write it: `3/4`, or `1`.
fn parse(text: &str) -> RBig {
    let (num, den) = text.trim().split_once('/').unwrap_or((text.trim(), "1"));
    fraction(num, den).unwrap()
}

fn best(choices: &[Choice]) -> Vec<&str> {
    choices.iter().filter(|choice| choice.best).map(|choice| choice.uci.as_str()).collect()
}
