//! The report of the piece designer: a piece's moves and price, or the error in its text.

use super::{drawing, escaped};
use crate::{
    board::{Betza, BetzaError, Color, HopCondition, MovementSummary, Size, Square, Squares},
    variants::csipgs::{
        piece_design, piece_names,
        price::{self, Catalogue, PriceBreakdown, Quantum, fraction, money},
    },
    web::{
        board_view::{DrawnPiece, Figure},
        piece_token,
    },
};
use std::sync::Arc;

/// The squares that an unmoved white piece can go to without capturing on an empty board, and those that it attacks.
pub(super) fn reached(piece: &Betza, size: Size, from: Square) -> [Vec<Square>; 2] {
    let (mut quiet, mut attacks) = (Squares::EMPTY, Squares::EMPTY);
    for design in [Some(piece.design(size)), piece.first(size)].into_iter().flatten() {
        quiet |= design.quiet(Color::White, from, from.set());
        attacks |= design.attacks(Color::White, from, from.set());
    }
    [quiet.collect(), attacks.collect()]
}

/// A valid piece as the page shows it.
pub(super) struct PieceReport {
    pub(super) piece: Betza,
    pub(super) canonical: String,
    /// The text as a part of a query.
    pub(super) address: String,
    pub(super) token: [Arc<str>; 2],
    pub(super) words: String,
    pub(super) notes: Vec<String>,
    pub(super) figure: Figure,
    pub(super) moves: String,
    pub(super) bill: Vec<[String; 4]>,
    pub(super) factors: Vec<(&'static str, String)>,
    pub(super) exact: String,
    pub(super) prices: Vec<(&'static str, String)>,
    pub(super) price: String,
    pub(super) relay: bool,
    /// Whether it has a price: not with the notation of other programs.
    pub(super) priced: bool,
    /// Whether the piece can be used in Chess with designed pieces.
    pub(super) chess: bool,
    /// Its names, separated by commas; empty if it has none.
    pub(super) names: String,
    /// A cheaper text of the same moves: escaped for a query, plain, and its price.
    pub(super) cheaper: Option<[String; 3]>,
}

fn list(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(" ")
}

impl PieceReport {
    pub(super) fn new(
        piece: &Betza,
        notes: Vec<String>,
        catalogue: &Catalogue,
        (size, from): (Size, Square),
        quantum: Quantum,
    ) -> PieceReport {
        let PriceBreakdown { items, factors, exact } = price::breakdown(piece, catalogue);
        let canonical = piece.to_string();
        let unit = |square| (square == from).then(|| DrawnPiece { color: Color::White, name: canonical.clone() });
        let mut figure = Figure::new(size, unit);
        figure.draw(from, piece_token::drawn(piece, Color::White));
        let [moves, captures] = reached(piece, size, from);
        figure.reach(moves.iter().copied().collect(), captures.iter().copied().collect());
        let or_nowhere = |text: String| if text.is_empty() { "nowhere".to_owned() } else { text };
        PieceReport {
            address: escaped(&canonical),
            token: Color::BOTH.map(|color| drawing(piece, color)),
            words: piece.in_words(),
            notes,
            figure,
            moves: format!(
                "From {from} it can go to: {}. It attacks: {}.{}",
                or_nowhere(list(&moves)),
                or_nowhere(list(&captures)),
                if piece.steps().iter().any(|step| step.hurdle != HopCondition::None) {
                    " An empty board does not show its moves over other pieces."
                } else {
                    ""
                }
            ),
            bill: items
                .into_iter()
                .map(|item| [item.text, fraction(&item.base), fraction(&item.factor), fraction(&item.exact)])
                .collect(),
            factors: factors.into_iter().map(|(name, factor)| (name, fraction(&factor))).collect(),
            exact: fraction(&exact),
            prices: Quantum::ALL.map(|quantum| (quantum.text(), money(quantum.price(exact)))).to_vec(),
            price: money(quantum.price(exact)),
            relay: piece.relay,
            priced: !piece.is_free(),
            chess: !piece.relay && !piece.doublemove && !canonical.contains('<'),
            names: piece_names::named(&MovementSummary::of(piece))
                .map_or(String::new(), |known| known.names.join(", ")),
            cheaper: piece_design::cheaper(piece, catalogue).filter(|_| !piece.is_free()).map(|(better, cost)| {
                let text = better.to_string();
                [escaped(&text), text, fraction(&cost)]
            }),
            piece: piece.clone(),
            canonical,
        }
    }
}

/// An invalid text, with the place of the error.
pub(super) struct PieceError {
    pub(super) before: String,
    pub(super) here: String,
    pub(super) after: String,
    pub(super) why: String,
}

impl PieceError {
    pub(super) fn new(text: &str, error: &BetzaError) -> PieceError {
        let at = (0..=error.at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let (before, rest) = text.split_at(at);
        let here: String = rest.chars().take(1).collect();
        let shown = |text: &str| text.chars().take(300).collect::<String>();
        PieceError {
            before: shown(before),
            after: shown(&rest[here.len()..]),
            here: if here.is_empty() { "here".to_owned() } else { here },
            why: error.to_string(),
        }
    }
}
