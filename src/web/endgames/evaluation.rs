//! The evaluation of a position on the endgame page, and the position as a code and as a game to be played.

use super::downloads::{Packing, name};
use crate::{
    board::{Color, Size},
    game::Clocks,
    registry,
    richman::{self, Answer, Category, Choice, Factorization, Fraction, Material, Question, covers, rules},
    web::{
        Error, PublicOrigin,
        endgame_cache::format::{self, Amount, path, percent},
    },
};
use serde_json::{Map, Value};

/// All that is known about the position.
pub(super) struct Assessment {
    pub(super) material: String,
    pub(super) category: Category,
    pub(super) reason: Option<String>,
    pub(super) winner: Option<&'static str>,
    pub(super) value: Option<Amount>,
    /// What its denominator is made of, where that is more than itself.
    pub(super) factors: Option<Factorization>,
    /// The greatest that α and the least that β can be, where they are known to differ.
    pub(super) between: Option<(&'static str, &'static str)>,
    /// The shares of White and Black in percent, and White's share of a bar of 1000 units.
    pub(super) shares: Option<(String, String, u16)>,
    pub(super) bid: Option<Amount>,
    /// The same of the bid.
    pub(super) bid_factors: Option<Factorization>,
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
fn factors(fraction: &Fraction) -> Option<Factorization> {
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
            between: format::wall_bounds(&board.placement_fen(&question.position)),
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

/// A position as texts to be copied.
pub(super) struct SharedPosition {
    pub(super) address: String,
    pub(super) fen: String,
    /// What is known of it, without the moves, as one object.
    pub(super) json: String,
    /// The files of the board: what each holds, and its address.
    pub(super) files: Vec<(String, String)>,
}

impl SharedPosition {
    pub(super) fn new(size: Size, answer: &Answer, tosses: &str, base: &PublicOrigin) -> Result<SharedPosition, Error> {
        let mut json = serde_json::to_value(answer).map_err(Error::broken)?;
        if let Some(members) = json.as_object_mut() {
            members.retain(|name, _| !["white", "black", "certificate"].contains(&name.as_str()));
        }
        let address = base.url(&path(&answer.fen, &[("turns", tosses)]));
        let all = [None].into_iter().chain(Material::ALL.map(Some)).filter(|_| covers(size));
        let file = |material: Option<Material>| {
            let what = material.map_or_else(|| "all".to_owned(), |material| material.name().to_owned());
            (what, format!("/api/richman/files/{}", name(size, material, Packing::Csv)))
        };
        Ok(SharedPosition { files: all.map(file).collect(), address, fen: answer.fen.clone(), json: json.to_string() })
    }
}

/// A way to play on from a position: the variant, the record of options, and both in words.
pub(super) struct Onward {
    pub(super) variant: &'static str,
    pub(super) preset: &'static str,
    pub(super) title: &'static str,
    pub(super) words: &'static str,
    pub(super) fen: String,
}

/// Variant, record of options, title, and what decides who moves.
const WAYS: [[&str; 4]; 3] = [
    [
        "bidding",
        "open",
        "Bidding chess, open",
        "One names a sum for the move; the other takes it, or pays as much and moves.",
    ],
    ["bidding", "secret", "Bidding chess, secret", "Both bid sealed, and the higher bid pays and moves."],
    ["random-turn", "standard", "Random-turn chess", "A coin decides who makes each move."],
];

impl Onward {
    /// The ways in which a game can begin from a position: none on small boards and without both kings.
    pub(super) fn all(question: &Question) -> Vec<Onward> {
        if question.size != Size::ORTHODOX {
            return Vec::new();
        }
        let fen = format!("{} w - - 0 1", rules(question.size).placement_fen(&question.position));
        let options = Map::from_iter([("fen".to_owned(), Value::String(fen.clone()))]);
        let begins = |key: &str| {
            registry::named(key).is_ok_and(|variant| variant.begin(&options, Clocks::new([None; 2])).is_ok())
        };
        let way = |[variant, preset, title, words]: [&'static str; 4]| Onward {
            variant,
            preset,
            title,
            words,
            fen: fen.clone(),
        };
        WAYS.into_iter().filter(|[variant, ..]| begins(variant)).map(way).collect()
    }
}
