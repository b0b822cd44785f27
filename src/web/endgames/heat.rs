//! The heat map: what a position would be worth with one of its pieces on any other square.

use super::edit;
use crate::{
    board::{Color, Piece, Position, Square, orthodox::KING},
    richman::{Question, Table, rules},
    web::board::Unit,
    web::values::{address::path, amount::decimal},
};

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
    /// The value with three places.
    pub(super) label: String,
    /// The page of that position.
    pub(super) link: String,
    /// Set if the piece stands there now.
    pub(super) here: bool,
}

/// The pieces that can be tried: those on the board, and with bare kings any other.
pub(super) fn candidates(question: &Question) -> Vec<Piece> {
    let pieces = Color::BOTH.into_iter().flat_map(|color| (0..=KING).rev().map(move |kind| Piece { color, kind }));
    pieces.filter(|piece| base(&question.position, *piece).is_some()).collect()
}

/// The position without the piece, if the tables cover what arises when it is put back.
fn base(position: &Position, piece: Piece) -> Option<Position> {
    let mut base = *position;
    if let Some(square) = position.of_kind(piece.color, piece.kind).first() {
        base.remove(square);
    }
    let kings = Color::BOTH.map(|color| base.of_kind(color, KING).len());
    let wanted = Color::BOTH.map(|color| usize::from(piece != Piece { color, kind: KING }));
    let others = base.occupied().len().checked_sub(kings[0] + kings[1])?;
    let room = if piece.kind == KING { 1 } else { 0 };
    (kings.map(|count| count as usize) == wanted && others as usize <= room).then_some(base)
}

/// The map of a piece, if the tables cover its positions.
pub(super) fn map(table: &Table, question: &Question, piece: Piece) -> Option<Heat> {
    let (size, board) = (question.size, rules(question.size));
    let base = base(&question.position, piece)?;
    let letter = edit::letter(board, piece);
    let value = |square: Square| {
        if base.piece(square).is_some() || !edit::may_stand(board, piece, square) {
            return None;
        }
        let mut position = base;
        position.put(board, square, piece);
        let fen = board.placement_fen(&position);
        let value = crate::richman::read(&fen).ok()?.value(table)?;
        Some((value.approx, path(&fen, &[("heat", &letter.to_string())])))
    };
    let here = question.position.of_kind(piece.color, piece.kind).first();
    let all: Vec<(Square, Option<(f64, String)>)> = size.squares().map(|square| (square, value(square))).collect();
    let known = || all.iter().filter_map(|(_, value)| value.as_ref().map(|(approx, _)| *approx));
    let (least, greatest) = (known().fold(1.0, f64::min), known().fold(0.0, f64::max));
    let span = (greatest - least).max(f64::MIN_POSITIVE);
    let cell = |file: u8, rank: u8| {
        let square = Square::new(file, rank);
        let value = all.iter().find(|(other, _)| *other == square).and_then(|(_, value)| value.clone());
        let unit = base.piece(square);
        Spot {
            square: square.to_string(),
            dark: square.dark(),
            unit: unit.map(|unit| Unit { color: unit.color, name: board.kind(unit.kind).name.clone() }),
            warmth: value.map(|(approx, link)| Warmth {
                shade: ((approx - least) / span * SHADES).round() as u8,
                label: short(approx),
                link,
                here: here == Some(square),
            }),
        }
    };
    let row = |rank: u8| (rank + 1, (0..size.width()).map(|file| cell(file, rank)).collect());
    Some(Heat {
        name: format!("{} {}", piece.color.name(), board.kind(piece.kind).name),
        files: (0..size.width()).map(|file| char::from(b'a' + file)).collect(),
        ranks: (0..size.height()).rev().map(row).collect(),
        range: (least <= greatest).then(|| (short(least), short(greatest))),
    })
}

/// `.653`, or `1` and `0` where that is exact enough.
fn short(value: f64) -> String {
    match decimal(value, 3).as_str() {
        "0.000" => "0".to_owned(),
        "1.000" => "1".to_owned(),
        text => text.trim_start_matches('0').to_owned(),
    }
}
