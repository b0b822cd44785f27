//! Racing Kings (as lichess plays it): whose king reaches the last rank first has won. No move may give check, or leave the own king in
//! check. If White is there first, Black has one more move, and draws if its king reaches the last rank with it. There are no pawns, and
//! nobody castles.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Color, MoveObligation, Position, Size, Squares, orthodox},
    rules::{
        PgnTag, Refusal, RulesVersion, Support, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally},
        endings::{Ending, EndingRules, WinningMaterial},
        move_history::MoveHistory,
        search_problem::Aim,
    },
};

/// The options of a game of Racing Kings.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RacingKings {
    /// The position to begin from; empty for the usual one.
    pub fen: String,
}

static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = Board::orthodox().clone();
    board.castling = None;
    board.pawns = None;
    board.duty = MoveObligation::Peace;
    board
});

/// The rank that both kings run for.
fn goal() -> Squares {
    Size::ORTHODOX.last_rank(Color::White)
}

impl ChessLike for RacingKings {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Racing Kings"),
        uci_name: Some("racingkings"),
        auction: Support::No(
            "its one rule is that nobody gives check, which means nothing where the other side may not have the next move",
        ),
        piece_odds: Support::No(
            "a unit less may be a clearer way for the king there, so that nobody knows who gives more",
        ),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new(
            "racing-kings",
            "Racing Kings",
            "A race of two kings to the last rank, in which nobody may give check.",
        )
    };
    const START: &'static str = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1";
    const ENDINGS: EndingRules = EndingRules { winnable: WinningMaterial::ByKing, ..EndingRules::FIDE };
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "Whose king reaches the last rank first has won.",
        "No move may give check: a piece that attacks squares on the way stops the other king.",
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
        if pawns { Err(Refusal::new("there are no pawns in Racing Kings")) } else { Ok(()) }
    }

    fn aim(_tally: &NoTally) -> Option<Aim> {
        Some(Aim::Race(goal()))
    }

    fn ending(board: &Board, course: &MoveHistory, _tally: &NoTally) -> Option<Ending> {
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
            [false, false] => Self::ENDINGS.ending(board, course),
        }
    }
}
