//! The outcome of a turn that is put together: the turn with its moves, or why it cannot be played and what to do about it.

use crate::{
    board::{Move, Position, Square, Squares},
    variants::clairvoyant::{
        action::{Part, Turn},
        prices::NAMES,
    },
};

/// Why a turn cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A drop stands after a move.
    LateDrop,
    /// A drop goes to an occupied square.
    Occupied(Square),
    /// A pawn is dropped on a last rank.
    PawnRank(Square),
    /// A dropped piece would give check.
    DropChecks(u8, Square),
    /// The part costs more than is left.
    Money {
        /// The price of the part.
        price: i64,
        /// The money left for it.
        left: i64,
    },
    /// The turn has all the moves it may have.
    Full {
        /// Pieces were dropped.
        dropped: bool,
        /// The number of moves that this allows.
        most: usize,
    },
    /// After drops only dropped units may be moved.
    NotDropped(Square),
    /// The unit gave check by an earlier move of the turn.
    Checker(Square),
    /// The last king would be captured.
    LastKing(Square),
    /// The own king would be left in check.
    OwnCheck,
    /// There is nothing in the turn.
    Empty,
    /// There is no unit on the square.
    NoUnit(Square),
    /// The unit on the square is the opponent's.
    Theirs(Square),
    /// The pawn must become something, or may not become this.
    Promotion(Square),
    /// The unit does not become something else there.
    NoPromotion {
        /// The unit's kind.
        kind: u8,
        /// Where it was to go.
        to: Square,
    },
    /// The unit cannot go there.
    Unreachable {
        /// The unit's kind.
        kind: u8,
        /// Where it stands.
        from: Square,
        /// Where it was to go.
        to: Square,
    },
}

impl Fault {
    /// Says what is wrong and what to do.
    pub fn words(self) -> String {
        let name = |kind: u8| NAMES[usize::from(kind)];
        match self {
            Fault::LateDrop => {
                "bought pieces are dropped before any move of the turn: write the drops first".to_owned()
            }
            Fault::Occupied(square) => format!("a piece is dropped on an empty square, and {square} is occupied"),
            Fault::PawnRank(square) => format!("a pawn is not dropped on {square}: not on the first or last rank"),
            Fault::DropChecks(kind, square) => {
                format!("a piece is not dropped so that it gives check, as the {} on {square} would", name(kind))
            }
            Fault::Money { price, left } => format!("this costs {price}Z, and you have {left}Z left for it"),
            Fault::Full { dropped: true, most } => format!("after a drop at most {most} moves can be bought"),
            Fault::Full { dropped: false, most } => format!("a turn has at most {most} moves, the free one included"),
            Fault::NotDropped(square) => {
                format!(
                    "after a drop, moves can be bought only for what was dropped this turn, and the unit on {square} was not"
                )
            }
            Fault::Checker(square) => {
                format!("the unit on {square} has just given check and may not move again this turn; another unit may")
            }
            Fault::LastKing(square) => format!("the king on {square} is the last one, and is never captured"),
            Fault::OwnCheck => "your king would be in check at the end of the turn".to_owned(),
            Fault::Empty => "a turn has at least one move or drop".to_owned(),
            Fault::NoUnit(square) => format!("there is no piece on {square}"),
            Fault::Theirs(square) => format!("the unit on {square} is your opponent’s"),
            Fault::Promotion(square) => {
                format!("on {square} the pawn becomes a piece; add one of the letters q r b n, as in e7e8q")
            }
            Fault::NoPromotion { kind, to } => {
                format!("the {} does not become another piece on {to}; leave the last letter out", name(kind))
            }
            Fault::Unreachable { kind, from, to } => format!("the {} on {from} cannot go to {to}", name(kind)),
        }
    }
}

/// The most moves that any turn can have: a free one and two bought ones, if the game allows that.
pub(super) const MOVES: usize = 3;

/// A move of a turn that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedMovePart {
    /// The unit, by the square on which it stood before the turn, or on which it was dropped.
    pub unit: Square,
    /// The move.
    pub mv: Move,
    /// Where the unit came to.
    pub landing: Square,
    /// The move was bought.
    pub bought: bool,
    /// The kind of the unit.
    pub(super) kind: u8,
    /// The move was a capture.
    pub(super) captured: bool,
    /// The opponent's only king stood in check when it was made.
    pub(super) checks: bool,
    /// The square that a pawn stepped over.
    pub(super) skipped: Squares,
}

/// A turn that was carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedTurn {
    /// The turn as it was said.
    pub turn: Turn,
    /// The moves in it, in order.
    pub moves: [Option<PlayedMovePart>; MOVES],
    /// The price paid for it.
    pub price: i64,
    /// Where it led.
    pub after: Position,
}

impl PlayedTurn {
    /// The squares that the turn touched, for marking on a board.
    pub fn touched(&self) -> Vec<Square> {
        let mut squares = Vec::new();
        for part in &self.turn.parts {
            match part {
                Part::Drop(_, square) => squares.push(*square),
                Part::Move(uci) => squares.extend([uci.from, uci.to]),
            }
        }
        squares
    }
}
