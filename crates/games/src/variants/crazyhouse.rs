//! Crazyhouse (as lichess plays it): whoever captures a piece has one like it to drop on an empty square, in the place of a move. What
//! was a pawn is one again then. Pawns are not dropped on the first or last rank; a drop may give check, and mate. There is always
//! something to mate with, so no position is dead, and moves without a capture are not counted.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::{
    board::Board,
    rules::{
        PgnTag, RulesVersion, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally},
        endings::{EndingRules, WinningMaterial},
        search_problem::Aim,
    },
};

/// The options of a game of crazyhouse.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Crazyhouse {
    /// The position to begin from, with the pieces to be dropped in brackets; empty for the usual one.
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
        ..VariantInfo::new(
            "crazyhouse",
            "Crazyhouse",
            "Chess in which captured pieces change sides and come back to the board.",
        )
    };
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1";
    const ENDINGS: EndingRules = EndingRules { winnable: WinningMaterial::ByKing, quiet: false, ..EndingRules::FIDE };
    const START_WORDS: &'static str = "Start from this position (FEN), with the pieces in hand in brackets";
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "What you capture is yours: it stands below the board until you drop it.",
        "To drop a piece, press it, then an empty square; that is your move.",
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
