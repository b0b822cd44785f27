//! King of the Hill (as lichess plays it): chess that is won, besides by mate, by bringing the king to d4, d5, e4 or e5. The king may
//! not step into check there either. A bare king can still win, so no position is dead.

use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Color, Square, Squares},
    rules::{
        PgnTag, RulesVersion, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally},
        endings::{Ending, EndingRules, WinningMaterial},
        move_history::MoveHistory,
        search_problem::Aim,
    },
};

/// The options of a game of King of the Hill.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hill {
    /// The position to begin from; empty for the usual one.
    pub fen: String,
}

/// The squares that win.
pub fn squares() -> Squares {
    [(3, 3), (3, 4), (4, 3), (4, 4)].into_iter().map(|(file, rank)| Square::new(file, rank)).collect()
}

impl ChessLike for Hill {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("King of the Hill"),
        uci_name: Some("kingofthehill"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new(
            "king-of-the-hill",
            "King of the Hill",
            "Chess in which a king that reaches the middle of the board has won.",
        )
    };
    const ENDINGS: EndingRules = EndingRules { winnable: WinningMaterial::ByKing, ..EndingRules::FIDE };
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "It is chess, and a king that reaches d4, e4, d5 or e5 has won.",
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

    fn ending(board: &Board, course: &MoveHistory, _tally: &NoTally) -> Option<Ending> {
        let arrived = |color: &Color| !(board.royals(&course.position, *color) & squares()).is_empty();
        let king = Color::BOTH.into_iter().find(arrived).map(|color| Ending::win(color, "king on the hill"));
        king.or_else(|| Self::ENDINGS.ending(board, course))
    }
}
