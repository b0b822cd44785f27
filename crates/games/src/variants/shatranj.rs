//! Shatranj, the chess of the Arab world, and of Europe before 1475.
//!
//! An alfil, which leaps two squares diagonally, replaces the bishop. A ferz, which moves one square diagonally,
//! replaces the queen. Pawns step once and promote to ferzes. There is no castling. Stalemate loses. A bare king loses
//! too, unless its next move bares the enemy king.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, PieceType, Position, Squares, orthodox},
    rules::{
        PgnTag, RulesVersion, Support, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally},
        endings::{self, Ending, EndingRules, StalemateRule, WinningMaterial},
        move_history::MoveHistory,
        search_problem::Aim,
    },
};

/// Options of a game of shatranj.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Shatranj {
    /// Starting position (FEN), with B for alfils and Q for ferzes; empty for the standard one.
    pub fen: String,
}

static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = Board::orthodox().clone();
    for (index, letter, name, betza) in [(orthodox::BISHOP, 'B', "alfil", "A"), (orthodox::QUEEN, 'Q', "ferz", "F")] {
        let kind =
            PieceType::new(letter, name, &betza.parse().expect("A and F are valid Betza notation"), board.size());
        board.replace(index, kind);
    }
    board.castling = None;
    if let Some(pawns) = &mut board.pawns {
        pawns.double_from = [Squares::EMPTY; 2];
        pawns.en_passant = false;
        pawns.promotions = vec![orthodox::QUEEN];
    }
    board
});

/// Approximate piece values by kind, in hundredths of a pawn.
const WORTH: [i64; 6] = [100, 350, 120, 550, 180, 0];

impl ChessLike for Shatranj {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Shatranj"),
        auction: Support::No(
            "a bare king loses unless its next move bares the enemy king, and in an auction the opponent may get that move",
        ),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new(
            "shatranj",
            "Shatranj",
            "The chess of a thousand years ago, with leaping alfils and slow ferzes.",
        )
    };
    const START: &'static str = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1";
    const ENDINGS: EndingRules =
        EndingRules { winnable: WinningMaterial::ByKing, stuck: StalemateRule::Loses, ..EndingRules::FIDE };
    const START_WORDS: &'static str = "Start from this position (FEN), with B for alfils and Q for ferzes";
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "The alfil leaps two squares diagonally, and the ferz moves one. Pawns step once; the rest is as in chess.",
        "You win by checkmate, by stalemate, or by capturing everything but the king.",
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
        Some(Aim::Bare)
    }

    fn ending(endings: EndingRules, board: &Board, course: &MoveHistory, _tally: &NoTally) -> Option<Ending> {
        let (position, us) = (&course.position, course.position.turn);
        let bares = || {
            let baring = |mv| endings::is_bare(board, &board.after(position, mv), !us);
            board.moves(position).into_iter().any(baring)
        };
        match [us, !us].map(|color| endings::is_bare(board, position, color)) {
            [true, true] => Some(Ending::draw("two bare kings")),
            [false, true] => Some(Ending::win(us, "bare king")),
            [true, false] if board.has_move(position) && !bares() => Some(Ending::win(!us, "bare king")),
            [true, false] | [false, false] => endings.ending(board, course),
        }
    }

    fn standing(board: &Board, position: &Position) -> [i64; 2] {
        endings::count_material_with(board, position, &WORTH)
    }
}
