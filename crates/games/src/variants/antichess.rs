//! Antichess as lichess plays it: the player who runs out of pieces or moves wins.
//!
//! Captures are compulsory, including en passant. The king is an ordinary piece, and pawns may promote to it. There is
//! no check and no castling.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Color, MoveObligation, Position, RoyalRule, Squares, orthodox},
    rules::{
        PgnTag, RulesVersion, Support, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally},
        endings::{self, Ending, EndingRules, FiftyMoves, StalemateRule, WinningMaterial},
        move_history::MoveHistory,
        search_problem::Aim,
    },
};

/// Options of a game of antichess.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Antichess {
    /// Starting position (FEN); empty for the standard one.
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
        piece_odds: Support::No("the player who loses every piece wins, so a missing piece is no handicap"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new("antichess", "Antichess", "Lose all your pieces to win. Captures are compulsory.")
    };
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    const ENDINGS: EndingRules = EndingRules {
        winnable: WinningMaterial::ByKing,
        stuck: StalemateRule::Wins,
        quiet: FiftyMoves::Automatic,
        ..EndingRules::FIDE
    };
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "Lose all your pieces: the player with no piece or no move left wins.",
        "If you can capture, you must. The board then offers captures only.",
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

    fn ending(endings: EndingRules, board: &Board, course: &MoveHistory, _tally: &NoTally) -> Option<Ending> {
        let apart = can_never_meet(&course.position).then(|| Ending::draw("bishops that never meet"));
        apart.or_else(|| endings.ending(board, course))
    }

    fn can_win(_board: &Board, position: &Position, color: Color) -> bool {
        !is_stuck_with(position, color)
    }

    /// A side's material counts for its opponent.
    fn standing(board: &Board, position: &Position) -> [i64; 2] {
        let [white, black] = endings::count_material(board, position);
        [black, white]
    }
}

/// Whether a side can never lose all its pieces: the opponent has no piece left, or only bishops are left and no opposing bishop
/// can reach one of its own, or each side has one knight and only the opponent's can ever be captured.
fn is_stuck_with(position: &Position, color: Color) -> bool {
    let (own, other) = (position.of(color), position.of(!color));
    let kind = |kind: u8| position.of_kind(Color::White, kind) | position.of_kind(Color::Black, kind);
    let dark = |squares: Squares| squares.filter(|square| square.dark()).count() as u32;
    if own.is_empty() || other.is_empty() {
        return other.is_empty() && !own.is_empty();
    }
    if position.occupied() == kind(orthodox::BISHOP) {
        let (own_dark, other_dark) = (dark(own), dark(other));
        return own_dark < own.len() && other_dark == other.len() || own_dark > 0 && other_dark == 0;
    }
    let knights = kind(orthodox::KNIGHT);
    // A knight attacks squares of the other colour and changes its own with every move, so only one side can ever capture.
    position.occupied() == knights && knights.len() == 2 && (position.turn == color) == (dark(own) != dark(other))
}

/// Whether both sides have only bishops that can never meet: each side's bishops are all on one colour, and the two
/// colours differ.
fn can_never_meet(position: &Position) -> bool {
    let side = |color: Color| {
        let bishops = position.of_kind(color, orthodox::BISHOP);
        let dark = bishops.filter(|square| square.dark()).count();
        let all = bishops.len() == position.of(color).len() && !bishops.is_empty();
        (all && (dark == 0 || dark == bishops.len() as usize)).then_some(dark > 0)
    };
    matches!((side(Color::White), side(Color::Black)), (Some(white), Some(black)) if white != black)
}
