//! Crazyhouse as lichess plays it: captured pieces change sides and can be dropped on empty squares.
//!
//! A drop takes the place of a move, and may give check or mate. A captured promoted piece reverts to a pawn. Pawns are
//! not dropped on the first or last rank. No position is dead, because captured pieces return, and there is no
//! fifty-move rule.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::{
    board::Board,
    rules::{
        PgnTag, RulesVersion, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally},
        endings::{EndingRules, FiftyMoves, WinningMaterial},
        search_problem::Aim,
    },
};

/// Options of a game of crazyhouse.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Crazyhouse {
    /// Starting position (FEN) with the pieces in hand in brackets; empty for the standard one.
    pub fen: String,
}

static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = Board::orthodox().clone();
    board.holdings = true;
    board
});

impl ChessLike for Crazyhouse {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Crazyhouse"),
        uci_name: Some("crazyhouse"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new("crazyhouse", "Crazyhouse", "Captured pieces change sides: drop them back on the board.")
    };
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1";
    const ENDINGS: EndingRules =
        EndingRules { winnable: WinningMaterial::ByKing, quiet: FiftyMoves::Never, ..EndingRules::FIDE };
    const START_WORDS: &'static str = "Start from this position (FEN), with the pieces in hand in brackets";
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "Captured pieces become yours. They wait below the board until you drop them.",
        "To drop a piece, press it, then an empty square. A drop is your move.",
    ])];
    type Tally = NoTally;
    type Deal = NoDeal;

    fn board() -> &'static Board {
        &BOARD
    }

    fn fen(&self) -> &str {
        &self.fen
    }

    fn aim(_tally: &NoTally) -> Option<Aim> {
        Some(Aim::Mate)
    }
}
