//! The evaluation of a position on the endgame page, the position's exports, and the games that can start from it.

use super::downloads::{Packing, name, published_sum};
use crate::{
    board::{Color, Size},
    game::Clocks,
    registry,
    richman::{self, Answer, Category, Choice, Enclosure, Factorization, Fraction, Material, Question, covers, rules},
    web::{
        Error, PublicOrigin,
        endgame_cache::format::{self, Amount, path, percent},
    },
};
use serde_json::{Map, Value};

/// Evaluation of a position.
pub(super) struct Assessment {
    pub(super) material: String,
    pub(super) category: Category,
    pub(super) reason: Option<String>,
    pub(super) winner: Option<&'static str>,
    pub(super) value: Option<Amount>,
    /// Factors of the value's denominator, unless it is prime or 1.
    pub(super) factors: Option<Factorization>,
    /// Upper bound of α and lower bound of β, in a position where α < β is known by argument.
    pub(super) between: Option<(&'static str, &'static str)>,
    /// Shares of White and Black in percent, and the length of White's bar from 0 to 1000.
    pub(super) shares: Option<(String, String, u16)>,
    pub(super) bid: Option<Amount>,
    /// Factors of the bid's denominator, unless it is prime or 1.
    pub(super) bid_factors: Option<Factorization>,
    /// Size of the bid in percent.
    pub(super) offer: String,
    pub(super) zugzwang: bool,
    pub(super) quiescent: bool,
    pub(super) sides: Vec<SideMoves>,
    pub(super) certificate: Option<richman::Certificate>,
}

pub(super) struct SideMoves {
    pub(super) name: &'static str,
    pub(super) lines: Vec<ValuedMove>,
}

/// Factors of a denominator; `None` if it is prime or 1.
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

pub(super) struct ValuedMove {
    pub(super) san: String,
    pub(super) link: String,
    pub(super) value: Amount,
    pub(super) best: bool,
}

/// Address of the position after a move, or of the position itself if the move does not exist.
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
            let line = |choice: &Choice| {
                Some(ValuedMove {
                    san: choice.san.clone(),
                    link: link(question, color, &choice.uci),
                    value: Amount::from(choice.value.as_ref()?),
                    best: choice.best == Some(true),
                })
            };
            let name = match color {
                Color::White => "White",
                Color::Black => "Black",
            };
            SideMoves { name, lines: choices.iter().filter_map(line).collect() }
        });
        let shares = answer.value.as_ref().map(|value| {
            let white = (value.approx * 1000.0).round() as u16;
            (percent(value.approx), percent(1.0 - value.approx), white)
        });
        let bid = answer.bid.as_ref().and_then(Enclosure::fraction);
        Assessment {
            material: answer.material,
            category: answer.category,
            reason: answer.reason,
            winner: answer.terminal,
            factors: answer.value.as_ref().and_then(factors),
            between: format::wall_bounds(&board.placement_fen(&question.position)),
            value: answer.value.as_ref().map(Amount::from),
            shares,
            offer: bid.as_ref().map_or(String::new(), |bid| percent(bid.approx.abs())),
            bid_factors: bid.as_ref().and_then(factors),
            bid: bid.as_ref().map(Amount::from),
            zugzwang: answer.zugzwang == Some(true),
            quiescent: answer.quiescent == Some(true),
            sides: sides.into(),
            certificate: answer.certificate,
        }
    }
}

/// Exports of a position: texts to copy and files to download.
pub(super) struct SharedPosition {
    pub(super) address: String,
    pub(super) fen: String,
    /// The answer as JSON, without the moves and the certificate.
    pub(super) json: String,
    /// Files of the board's values: the material and the address of each.
    pub(super) files: Vec<(String, String)>,
    /// Name of the binary file of this board, and its SHA-256.
    pub(super) sum: Option<(String, &'static str)>,
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
        Ok(SharedPosition {
            files: all.map(file).collect(),
            sum: published_sum(size).map(|sum| (name(size, None, Packing::Binary), sum)),
            address,
            fen: answer.fen.clone(),
            json: json.to_string(),
        })
    }
}

/// A game that can start from the position.
pub(super) struct PlayableGame {
    pub(super) variant: &'static str,
    pub(super) preset: &'static str,
    pub(super) title: &'static str,
    pub(super) words: &'static str,
    pub(super) fen: String,
}

/// Variant, preset, title, and the rule that decides who moves.
const GAME_PRESETS: [[&str; 4]; 3] = [
    [
        "bidding",
        "open",
        "Bidding chess, open",
        "One player names a bid. The opponent accepts it, or pays it and moves.",
    ],
    ["bidding", "secret", "Bidding chess, secret", "Both players bid in secret. The higher bidder pays and moves."],
    ["random-turn", "standard", "Random-turn chess", "A coin decides who makes each move."],
];

impl PlayableGame {
    /// The games that can start from a position: none on small boards or without both kings.
    pub(super) fn all(question: &Question) -> Vec<PlayableGame> {
        if question.size != Size::ORTHODOX {
            return Vec::new();
        }
        let fen = format!("{} w - - 0 1", rules(question.size).placement_fen(&question.position));
        let options = Map::from_iter([("fen".to_owned(), Value::String(fen.clone()))]);
        let begins = |key: &str| {
            registry::find_or_refuse(key).is_ok_and(|variant| variant.begin(&options, Clocks::new([None; 2])).is_ok())
        };
        let way = |[variant, preset, title, words]: [&'static str; 4]| PlayableGame {
            variant,
            preset,
            title,
            words,
            fen: fen.clone(),
        };
        GAME_PRESETS.into_iter().filter(|[variant, ..]| begins(variant)).map(way).collect()
    }
}
