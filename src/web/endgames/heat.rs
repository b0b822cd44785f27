//! The heat map: what a position would be worth with one of its pieces on any other square.

pub mod numbers;
mod tried;

use super::{edit, mechanism::Paid};
use crate::{
    board::{Piece, Square},
    richman::{Question, Table, rules},
    web::{
        board::Unit,
        values::{address::path, amount::decimal},
    },
};
pub(super) use tried::{Around, Measure, candidates, of_four};

/// The number of shades.
const SHADES: f64 = 10.0;

/// A board on which every square has a value.
#[derive(Clone, Debug)]
pub(super) struct Heat {
    /// The piece that is tried on every square, as `white knight`.
    pub(super) name: String,
    /// The files' letters.
    pub(super) files: Vec<char>,
    /// The rows from the top.
    pub(super) ranks: Vec<(u8, Vec<Spot>)>,
    /// The least value with its label, and the greatest.
    pub(super) range: Option<(String, String)>,
    /// What the numbers are.
    pub(super) said: &'static str,
    /// With four pieces the numbers that can be shown: each with its address, and whether it is shown.
    pub(super) measures: Vec<(&'static str, String, bool)>,
    /// The numbers for programs.
    pub(super) numbers: String,
}

/// One square of the map.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// Its name.
    pub(super) square: String,
    /// Set if it is dark.
    pub(super) dark: bool,
    /// Any other piece that stands there.
    pub(super) unit: Option<Unit>,
    /// The value that the position would have.
    pub(super) warmth: Option<Warmth>,
}

/// The value of a position with the piece on one square.
#[derive(Clone, Debug)]
pub(super) struct Warmth {
    /// 0 for the least value on this map to 10 for the greatest.
    pub(super) shade: u8,
    /// The value with three places, or a gap in percent with two.
    pub(super) label: String,
    /// The page of that position.
    pub(super) link: String,
    /// Set if the piece stands there now.
    pub(super) here: bool,
}

/// The map of a piece, if the tables of three pieces cover its positions.
pub(super) fn map(table: &Table, question: &Question, piece: Piece, paid: &Paid) -> Option<Heat> {
    let all = tried::of_three(table, question, piece, paid.mechanism)?;
    let said = match paid.mechanism {
        Some(_) => "The share of the money below which Black must be",
        None => "The value",
    };
    let worth = |tried: &tried::Tried| {
        let share = tried.share.as_ref().map(|share| share.lo.parse().unwrap_or_default());
        share.or(tried.value.as_ref().map(|value| value.approx)).unwrap_or_default()
    };
    let map = WarmBoard { question, piece, kept: paid.kept().into(), said, short };
    Some(Heat { measures: Vec::new(), ..map.drawn(&all, worth)? })
}

/// The map of a piece among four, of what was read around it.
pub(super) fn map_of_four(around: &Around, question: &Question, piece: Piece, measure: Measure) -> Option<Heat> {
    let worth = |tried: &tried::Tried| tried.four.as_ref().map(|shares| measure.of(shares)).unwrap_or_default();
    let (said, short): (_, fn(f64) -> String) = match measure {
        Measure::Alpha => ("α, the share of the money below which Black loses,", short),
        Measure::Beta => ("β, the share of the money above which Black wins,", short),
        Measure::Gap => ("β − α in percent of the money", percent),
    };
    let map = WarmBoard { question, piece, kept: vec![("of", measure.name())], said, short };
    let board = rules(question.size);
    let letter = edit::letter(board, piece).to_string();
    let link = |other: Measure| path(&question.fen(), &[("heat", &letter), ("of", other.name())]);
    let measures = Measure::ALL.map(|other| (other.sign(), link(other), other == measure));
    Some(Heat { measures: measures.into(), ..map.drawn(around, worth)? })
}

/// A map to be drawn: the piece that is tried, what its links keep, and how its numbers are told.
struct WarmBoard<'q> {
    question: &'q Question,
    piece: Piece,
    kept: Vec<(&'q str, &'q str)>,
    said: &'static str,
    short: fn(f64) -> String,
}

impl WarmBoard<'_> {
    fn drawn(self, around: &Around, worth: impl Fn(&tried::Tried) -> f64) -> Option<Heat> {
        let WarmBoard { question, piece, kept, said, short } = self;
        let (size, board) = (question.size, rules(question.size));
        let base = tried::base(question, piece)?;
        let letter = edit::letter(board, piece).to_string();
        let kept: Vec<(&str, &str)> = std::iter::once(("heat", letter.as_str())).chain(kept).collect();
        let here = question.position.of_kind(piece.color, piece.kind).first();
        let known = || around.iter().filter_map(|(_, tried)| tried.as_ref().map(&worth));
        let (least, greatest) = (known().fold(1.0, f64::min), known().fold(0.0, f64::max));
        let span = (greatest - least).max(f64::MIN_POSITIVE);
        let cell = |file: u8, rank: u8| {
            let square = Square::new(file, rank);
            let tried = around.iter().find(|(other, _)| *other == square).and_then(|(_, tried)| tried.as_ref());
            let unit = base.piece(square);
            Spot {
                square: square.to_string(),
                dark: square.dark(),
                unit: unit.map(|unit| Unit { color: unit.color, name: board.kind(unit.kind).name.clone() }),
                warmth: tried.map(|tried| Warmth {
                    shade: ((worth(tried) - least) / span * SHADES).round() as u8,
                    label: short(worth(tried)),
                    link: path(&tried.fen, &kept),
                    here: here == Some(square),
                }),
            }
        };
        let row = |rank: u8| (rank + 1, (0..size.width()).map(|file| cell(file, rank)).collect());
        let paid = kept.iter().filter(|(name, value)| !["heat", "of"].contains(name) && !value.is_empty());
        let paid = paid.map(|(name, value)| format!("&{name}={value}")).collect::<String>();
        Some(Heat {
            name: format!("{} {}", piece.color.name(), board.kind(piece.kind).name),
            files: (0..size.width()).map(|file| char::from(b'a' + file)).collect(),
            ranks: (0..size.height()).rev().map(row).collect(),
            range: (least <= greatest).then(|| (short(least), short(greatest))),
            said,
            measures: Vec::new(),
            numbers: format!("/api/richman/heat?fen={}&piece={letter}{paid}", question.fen()),
        })
    }
}

/// `.653`, or `1` and `0` where that is exact enough.
fn short(value: f64) -> String {
    match decimal(value, 3).as_str() {
        "0.000" => "0".to_owned(),
        "1.000" => "1".to_owned(),
        text => text.trim_start_matches('0').to_owned(),
    }
}

/// `3.12`, or `0` where that is exact enough.
fn percent(value: f64) -> String {
    match decimal(value * 100.0, 2).as_str() {
        "0.00" => "0".to_owned(),
        text => text.to_owned(),
    }
}
