//! King of the Hill as lichess plays it: a player wins by checkmate or by moving the king to d4, e4, d5 or e5.
//!
//! The king may not move into check there either. A bare king can still win, so no position is dead.

use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Color, Square, Squares},
    rules::{
        PgnTag, RulesVersion, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally},
        endings::{Ending, EndingRules, FiftyMoves, WinningMaterial},
        move_history::MoveHistory,
        search_problem::Aim,
    },
};

/// Options of a game of King of the Hill.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hill {
    /// Starting position (FEN); empty for the standard one.
    pub fen: String,
}

/// The four central squares that win the game.
pub fn squares() -> Squares {
    [(3, 3), (3, 4), (4, 3), (4, 4)].into_iter().map(|(file, rank)| Square::new(file, rank)).collect()
}

impl ChessLike for Hill {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("King of the Hill"),
        uci_name: Some("kingofthehill"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new("king-of-the-hill", "King of the Hill", "Bring your king to the centre to win.")
    };
    const ENDINGS: EndingRules =
        EndingRules { winnable: WinningMaterial::ByKing, quiet: FiftyMoves::Automatic, ..EndingRules::FIDE };
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "Chess, but you also win if your king reaches d4, e4, d5 or e5.",
        "Press a piece, then its square.",
    ])];
    type Tally = NoTally;
    type Deal = NoDeal;

    fn fen(&self) -> &str {
        &self.fen
    }

    fn goal() -> Squares {
        squares()
    }

    fn aim(_tally: &NoTally) -> Option<Aim> {
        Some(Aim::Hill(squares()))
    }

    fn ending(endings: EndingRules, board: &Board, course: &MoveHistory, _tally: &NoTally) -> Option<Ending> {
        let arrived = |color: &Color| !(board.royals(&course.position, *color) & squares()).is_empty();
        let king = Color::BOTH.into_iter().find(arrived).map(|color| Ending::win(color, "king on the hill"));
        king.or_else(|| endings.ending(board, course))
    }
}
