//! Chess as it was played about 1500: queens and bishops go as they do now, pawns step twice, but nobody castles and nothing is captured
//! in passing, and no rule of fifty moves ends a game. Repetition is a draw as now (our reading), so that games end.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::{
    board::Board,
    rules::{
        PgnTag, RulesVersion, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally},
        endings::EndingRules,
        search_problem::Aim,
    },
};

/// The options of a game of old chess.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OldChess {
    /// The position to begin from; empty for the usual one.
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
            "Chess as about 1500: no castling, nothing captured in passing, no rule of fifty moves.",
        )
    };
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    const ENDINGS: EndingRules = EndingRules { quiet: false, ..EndingRules::FIDE };
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "It is chess without castling, so mind the king from the first move.",
        "A pawn that steps twice is past the pawns beside it: nobody captures it in passing.",
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
