//! The legend: every type of piece that is in the game, in words.

use std::sync::Arc;

use serde::Serialize;

use crate::{
    board::{Betza, Kind},
    rules::diagram::Amount,
    variants::csipgs::{army_view::tenths, options::Csipgs, piece_type::PieceType, state::State},
};

/// A type of piece in words.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct LegendEntry {
    /// Its name.
    pub name: String,
    /// Its text.
    pub betza: String,
    /// Its letter in the FEN, as White's pieces are written, once such a piece has stood on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letter: Option<String>,
    /// Its description in words.
    pub words: String,
    /// Its cost, rounded up.
    pub price: Amount,
    /// Its exact cost.
    pub exact: String,
    /// The meaning of its text.
    #[serde(skip)]
    pub piece: Arc<Betza>,
}

impl State {
    /// Tells of every type of piece that is in the game.
    pub(super) fn legend(&self, options: &Csipgs) -> Vec<LegendEntry> {
        let types = self.piece_types().into_iter().map(|piece_type| LegendEntry {
            name: piece_type.called().to_owned(),
            betza: piece_type.text.clone(),
            letter: self.board.kinds().iter().find(|kind| kind.betza == piece_type.text).map(Kind::written),
            words: piece_type.words().to_owned(),
            price: tenths(piece_type.price(options.quantum)),
            exact: piece_type.exact.to_string(),
            piece: piece_type.piece.clone(),
        });
        types.collect()
    }

    /// Every type of piece that is in the game, those of the board first, each once.
    fn piece_types(&self) -> Vec<&Arc<PieceType>> {
        let mut piece_types: Vec<&Arc<PieceType>> = Vec::new();
        let others = self.sides.iter().flat_map(|side| side.reserve.iter().chain(&side.designs));
        for piece_type in self.stationed().chain(others) {
            if !piece_types.contains(&piece_type) {
                piece_types.push(piece_type);
            }
        }
        piece_types
    }

    /// The types of the units on the board, in the order of their squares.
    pub(super) fn stationed(&self) -> impl Iterator<Item = &Arc<PieceType>> {
        self.position.pieces().map(|(_, piece)| &self.roster[usize::from(piece.kind)])
    }
}
