//! Racing Kings as lichess plays it: the first king on the last rank wins.
//!
//! No move may give check or leave the mover's own king in check. If White's king arrives first, Black has one more
//! move, and draws if its king then reaches the last rank. There are no pawns and no castling.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Color, MoveObligation, Position, Size, Squares, orthodox},
    rules::{
        PgnTag, Refusal, RulesVersion, Support, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally},
        endings::{Ending, EndingRules, FiftyMoves, WinningMaterial},
        move_history::MoveHistory,
        search_problem::Aim,
    },
};

/// Options of a game of Racing Kings.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RacingKings {
    /// Starting position (FEN); empty for the standard one.
    pub fen: String,
}

static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = Board::orthodox().clone();
    board.castling = None;
    board.pawns = None;
    board.duty = MoveObligation::Peace;
    board
});

/// The rank that both kings race to.
fn goal() -> Squares {
    Size::ORTHODOX.last_rank(Color::White)
}

impl ChessLike for RacingKings {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Racing Kings"),
        uci_name: Some("racingkings"),
        auction: Support::No("its main rule forbids giving check, and without alternating turns there is no check"),
        piece_odds: Support::No("removing a piece can clear its king’s way, so the value of an offer is unclear"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new(
            "racing-kings",
            "Racing Kings",
            "Race your king to the last rank. Moves that give check are illegal.",
        )
    };
    const START: &'static str = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1";
    const ENDINGS: EndingRules =
        EndingRules { winnable: WinningMaterial::ByKing, quiet: FiftyMoves::Automatic, ..EndingRules::FIDE };
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "The first king on the last rank wins.",
        "No move may give check. Attack the squares ahead of your opponent’s king to stop it.",
    ])];
    type Tally = NoTally;
    type Deal = NoDeal;

    fn board() -> &'static Board {
        &BOARD
    }

    fn fen(&self) -> &str {
        &self.fen
    }

    fn check_start(&self, start: &Position) -> Result<(), Refusal> {
        let pawns = Color::BOTH.into_iter().any(|color| !start.of_kind(color, orthodox::PAWN).is_empty());
        if pawns { Err(Refusal::new("Racing Kings has no pawns: remove them from the position")) } else { Ok(()) }
    }

    fn aim(_tally: &NoTally) -> Option<Aim> {
        Some(Aim::Race(goal()))
    }

    fn ending(endings: EndingRules, board: &Board, course: &MoveHistory, _tally: &NoTally) -> Option<Ending> {
        let position = &course.position;
        let kings = Color::BOTH.map(|color| board.royals(position, color));
        let follows = || {
            let mut moves = Vec::new();
            board.moves_onto(position, goal(), &mut moves);
            position.turn == Color::Black && moves.into_iter().any(|mv| kings[1].has(mv.from))
        };
        match kings.map(|king| !(king & goal()).is_empty()) {
            [true, true] => Some(Ending::draw("both kings on the last rank")),
            [true, false] if follows() => None,
            [true, false] => Some(Ending::win(Color::White, "king on the last rank")),
            [false, true] => Some(Ending::win(Color::Black, "king on the last rank")),
            [false, false] => endings.ending(board, course),
        }
    }
}
