//! Antichess (as lichess plays it): whoever can capture must, en passant too, and whoever has no piece or no move left has won. The
//! king is a piece like any other, and pawns may become one. There is no check and no castling.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Color, MoveObligation, Position, RoyalRule, orthodox},
    rules::{
        PgnTag, RulesVersion, Support, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally},
        endings::{self, Ending, EndingRules, StalemateRule, WinningMaterial},
        move_history::MoveHistory,
        search_problem::Aim,
    },
};

/// The options of a game of antichess.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Antichess {
    /// The position to begin from; empty for the usual one.
    pub fen: String,
}

static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = Board::orthodox().clone();
    board.castling = None;
    board.royalty = RoyalRule::Ordinary;
    board.duty = MoveObligation::Capture;
    if let Some(pawns) = &mut board.pawns {
        pawns.promotions.push(orthodox::KING);
    }
    board
});

impl ChessLike for Antichess {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Antichess"),
        uci_name: Some("antichess"),
        piece_odds: Support::No("whoever has nothing left wins there, so that a unit less is no handicap"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new(
            "antichess",
            "Antichess",
            "Chess the other way round: whoever can capture must, and whoever has nothing left has won.",
        )
    };
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    const ENDINGS: EndingRules =
        EndingRules { winnable: WinningMaterial::ByKing, stuck: StalemateRule::Wins, ..EndingRules::FIDE };
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "Lose everything that you have: whoever has no piece or no move left has won.",
        "If you can capture, you must; the board offers nothing else then.",
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
        Some(Aim::Lose)
    }

    fn ending(board: &Board, course: &MoveHistory, _tally: &NoTally) -> Option<Ending> {
        let apart = apart(&course.position).then(|| Ending::draw("bishops that never meet"));
        apart.or_else(|| Self::ENDINGS.ending(board, course))
    }

    /// What one side has is what the other is ahead by.
    fn standing(board: &Board, position: &Position) -> [i64; 2] {
        let [white, black] = endings::count_material(board, position);
        [black, white]
    }
}

/// Tells whether both sides have bishops alone, and each of one colour of squares that the other never stands on.
fn apart(position: &Position) -> bool {
    let side = |color: Color| {
        let bishops = position.of_kind(color, orthodox::BISHOP);
        let dark = bishops.filter(|square| square.dark()).count();
        let all = bishops.len() == position.of(color).len() && !bishops.is_empty();
        (all && (dark == 0 || dark == bishops.len() as usize)).then_some(dark > 0)
    };
    matches!((side(Color::White), side(Color::Black)), (Some(white), Some(black)) if white != black)
}
