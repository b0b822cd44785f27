//! All that the endgame page says of a position's worth.

use crate::{
    board::Color,
    richman::{self, Answer, Category, Choice, Factors, Fraction, Question, rules},
    web::values::{
        address::path,
        amount::{Amount, percent},
        walls,
    },
};

/// All that is known about the position.
pub(super) struct Assessment {
    pub(super) material: String,
    pub(super) category: Category,
    pub(super) reason: Option<String>,
    pub(super) winner: Option<&'static str>,
    pub(super) value: Option<Amount>,
    /// What its denominator is made of, where that is more than itself.
    pub(super) factors: Option<Factors>,
    /// The greatest that α and the least that β can be, where they are known to differ.
    pub(super) between: Option<(&'static str, &'static str)>,
    /// The shares of White and Black in percent, and White's share of a bar of 1000 units.
    pub(super) shares: Option<(String, String, u16)>,
    pub(super) bid: Option<Amount>,
    /// The same of the bid.
    pub(super) bid_factors: Option<Factors>,
    /// The size of the bid in percent.
    pub(super) offer: String,
    pub(super) zugzwang: bool,
    pub(super) quiescent: bool,
    pub(super) sides: Vec<SideMoves>,
    pub(super) certificate: Option<richman::Certificate>,
}

/// The moves of one side.
pub(super) struct SideMoves {
    pub(super) name: &'static str,
    pub(super) lines: Vec<ValuedMove>,
}

/// The factors of a denominator, unless it is a prime or one.
fn factors(fraction: &Fraction) -> Option<Factors> {
    let factors = fraction.factors();
    let times: u32 = factors.primes.iter().map(|(_, times)| times).sum();
    (times > 1 || (times == 1 && factors.rest.is_some())).then_some(factors)
}

impl SideMoves {
    pub(super) fn best(&self) -> impl Iterator<Item = &ValuedMove> {
        self.lines.iter().filter(|line| line.best)
    }
}

/// A move and what it leads to.
pub(super) struct ValuedMove {
    pub(super) san: String,
    pub(super) link: String,
    pub(super) value: Amount,
    pub(super) best: bool,
}

/// The address of the position after a move of a side; that of the position itself if there is no such move.
pub(super) fn link(question: &Question, mover: Color, uci: &str) -> String {
    let (board, mut from) = (rules(question.size), question.position);
    from.turn = mover;
    let found = uci.parse().ok().and_then(|uci| board.find(&from, uci));
    let after = found.map_or(from, |mv| board.after(&from, mv));
    path(&board.placement_fen(&after), &[])
}

impl Assessment {
    pub(super) fn new(question: &Question, answer: Answer) -> Assessment {
        let board = rules(question.size);
        let sides = [(Color::White, &answer.white), (Color::Black, &answer.black)].map(|(color, choices)| {
            let line = |choice: &Choice| ValuedMove {
                san: choice.san.clone(),
                link: link(question, color, &choice.uci),
                value: Amount::from(&choice.value),
                best: choice.best,
            };
            let name = match color {
                Color::White => "White",
                Color::Black => "Black",
            };
            SideMoves { name, lines: choices.iter().map(line).collect() }
        });
        let shares = answer.value.as_ref().map(|value| {
            let white = (value.approx * 1000.0).round() as u16;
            (percent(value.approx), percent(1.0 - value.approx), white)
        });
        Assessment {
            material: answer.material,
            category: answer.category,
            reason: answer.reason,
            winner: answer.terminal,
            factors: answer.value.as_ref().and_then(factors),
            between: walls::between(&board.placement_fen(&question.position)),
            value: answer.value.as_ref().map(Amount::from),
            shares,
            offer: answer.bid.as_ref().map_or(String::new(), |bid| percent(bid.approx.abs())),
            bid_factors: answer.bid.as_ref().and_then(factors),
            bid: answer.bid.as_ref().map(Amount::from),
            zugzwang: answer.zugzwang == Some(true),
            quiescent: answer.quiescent == Some(true),
            sides: sides.into(),
            certificate: answer.certificate,
        }
    }
}
