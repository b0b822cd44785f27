//! The boards of the games that a coin or an auction is played with, and who has won on them. Wherever the king is royal he is captured, and
//! nobody minds check (Larsson & Wästlund, “Endgames in bidding chess”, §1, says so of chess; of the others it is our reading).

use std::sync::LazyLock;

use super::{
    antichess::Antichess,
    base::Base,
    chess960::Chess960,
    chesslike::ChessLike,
    crazyhouse::Crazyhouse,
    hill::{self, Hill},
    horde::Horde,
    minichess::Minichess,
    old_chess::OldChess,
};
use crate::board::{Board, Color, Position, Royalty, START};

/// The boards, in the order of the words.
static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| Base::ALL.iter().map(|base| base.capturing()).collect());

impl Base {
    /// The pieces and rule layers, with kings that are captured and castle whatever attacks them.
    pub fn board(self) -> &'static Board {
        &BOARDS[self as usize]
    }

    /// The usual position to begin from, as FEN; chance may lay out another.
    pub fn start(self) -> &'static str {
        match self {
            Base::Chess => START,
            Base::Chess960 => Chess960::START,
            Base::Crazyhouse => Crazyhouse::START,
            Base::Antichess => Antichess::START,
            Base::Hill => Hill::START,
            Base::Horde => Horde::START,
            Base::Minichess => Minichess::START,
            Base::OldChess => OldChess::START,
        }
    }

    /// Tells whether everything is to be lost.
    pub fn loses(self) -> bool {
        self.board().royalty == Royalty::Ordinary
    }

    /// The side that has won by what stands on the board, and how.
    pub fn winner(self, position: &Position) -> Option<(Color, &'static str)> {
        let board = self.board();
        for color in Color::BOTH {
            let horde = board.horde == Some(color);
            if position.of(color).is_empty() && (horde || self.loses()) {
                return Some(if horde { (!color, "the horde is captured") } else { (color, "nothing left to lose") });
            }
            let kings = board.royals(position, color);
            if kings.is_empty() && !horde && !self.loses() {
                return Some((!color, "king captured"));
            }
            if self == Base::Hill && !(kings & hill::squares()).is_empty() {
                return Some((color, "king on the hill"));
            }
        }
        None
    }

    /// Makes the board.
    fn capturing(self) -> Board {
        let mut board = match self {
            Base::Chess => Board::orthodox(),
            Base::Chess960 => Chess960::board(),
            Base::Crazyhouse => Crazyhouse::board(),
            Base::Antichess => Antichess::board(),
            Base::Hill => Hill::board(),
            Base::Horde => Horde::board(),
            Base::Minichess => Minichess::board(),
            Base::OldChess => OldChess::board(),
        }
        .clone();
        if board.royalty == Royalty::Check {
            board.royalty = Royalty::Capture;
        }
        if let Some(castling) = &mut board.castling {
            castling.safe = false;
        }
        board
    }
}
