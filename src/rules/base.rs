//! The game that is played on the board where a coin or an auction names every mover: chess, or one of the variants whose rules do not
//! hang on turns that alternate. Wherever the king is royal he is captured, and nobody minds check (Larsson & Wästlund, “Endgames in bidding
//! chess”, §1, says so of chess; of the others it is our reading).

use std::sync::LazyLock;

use super::{
    antichess::Antichess,
    chess960::Chess960,
    chesslike::ChessLike,
    crazyhouse::Crazyhouse,
    hill::{self, Hill},
    horde::Horde,
    minichess::Minichess,
    old_chess::OldChess,
};
use crate::{
    board::{Board, Color, Position, Royalty, START},
    words,
};

words! {
    /// The game on the board.
    pub enum Base {
        Chess = "chess": "chess",
        Chess960 = "chess960": "Chess960: chance lays out the first rank, the same for both",
        Crazyhouse = "crazyhouse": "crazyhouse: what is captured changes sides and is dropped",
        Antichess = "antichess": "antichess: whoever can capture must; whoever has nothing left, or the move and none to make, has won",
        Hill = "king-of-the-hill": "King of the Hill: a king that reaches the middle has won too",
        Horde = "horde": "horde: White’s army captures thirty-six pawns, Black’s pawns the king",
        Minichess = "minichess": "Gardner’s minichess: five files and ranks",
        OldChess = "old-chess": "old chess: nobody castles or captures in passing",
    }
}

/// The other games of the site, and why none of them is played so.
pub const UNFIT: &[(&str, &str)] = &[
    ("bookie", "it is a bet on a game by turns, and has stakes of its own"),
    ("lrs", "without its rules about turns it is chess in which nobody castles, which old-chess is here"),
    ("bidding", "it is an auction itself"),
    ("random-turn", "it is a coin itself"),
    ("csipgs", "it has money of its own, and an income for each turn"),
    (
        "designed-chess",
        "its pieces are others in every game, and an auction is played with pieces that both know beforehand",
    ),
    ("clairvoyant", "the opponent’s next turn cannot be guessed where nobody knows whose the next turn is"),
    ("three-check", "check means nothing where the king can be captured: whoever has the move after it takes him"),
    (
        "racing-kings",
        "its one rule is that nobody gives check, which means nothing where the other side may not have the next move",
    ),
    ("fog-of-war", "what somebody bids for a move would tell what the fog is to hide"),
    ("duck", "the duck is put in the way of the very next turn, and nobody knows whose that is"),
    ("shatranj", "a bare king loses unless the other is bared with the very next move, and nobody knows whose that is"),
];

/// The boards, in the order of the words.
static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| Base::ALL.iter().map(|base| base.capturing()).collect());

impl Base {
    /// All games.
    pub const ALL: [Base; 8] = [
        Base::Chess,
        Base::Chess960,
        Base::Crazyhouse,
        Base::Antichess,
        Base::Hill,
        Base::Horde,
        Base::Minichess,
        Base::OldChess,
    ];

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

    /// Tells whether chance lays out the usual position.
    pub fn dealt(self) -> bool {
        match self {
            Base::Chess960 => true,
            Base::Chess
            | Base::Crazyhouse
            | Base::Antichess
            | Base::Hill
            | Base::Horde
            | Base::Minichess
            | Base::OldChess => false,
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
