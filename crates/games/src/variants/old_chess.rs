//! Chess as played around 1500.
//!
//! Queens and bishops move as today, and pawns step twice. There is no castling, no en passant and no fifty-move rule.
//! Repetition is a draw (our reading), so that games end.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::{
    board::Board,
    rules::{
        PgnTag, RulesVersion, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally},
        endings::{EndingRules, FiftyMoves},
        search_problem::Aim,
    },
};

/// Options of a game of old chess.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OldChess {
    /// Starting position (FEN); empty for the standard one.
    pub fen: String,
}

static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = Board::orthodox().clone();
    board.castling = None;
    if let Some(pawns) = &mut board.pawns {
        pawns.en_passant = false;
    }
    board
});

impl ChessLike for OldChess {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Old Chess"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new(
            "old-chess",
            "Old chess",
            "Chess around 1500: no castling, no en passant, no fifty-move rule.",
        )
    };
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    const ENDINGS: EndingRules = EndingRules { quiet: FiftyMoves::Never, ..EndingRules::FIDE };
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "Chess without castling, so watch your king from the first move.",
        "There is no en passant: a pawn that steps twice cannot be captured by the pawns it passes.",
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
