//! A question that the endgame tables can be asked about a moment of a game: what stands where, who owns what, and what is asked
//! for next. The rules put the question; they do not know the answer.

use crate::{
    board::{Color, Position},
    words,
};

words! {
    /// The way equal sealed bids are settled.
    pub enum Tie {
        Marker = "marker": "the holder of the marker moves and hands it over",
        Choice = "choice": "the holder moves and hands it over, or lets the other move and keeps it",
        Coin = "coin": "a coin decides",
        Side = "side": "the same side always moves",
    }
}

/// How equal sealed bids are settled at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ties {
    /// The rule.
    pub tie: Tie,
    /// The side that holds the marker now, or moves at all equal bids; with a coin it means nothing.
    pub holder: Color,
}

/// A moment of a game in which either side may have the next move and the king is captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Endgame {
    /// The units on the ordinary board; whose turn it says it is means nothing. No castling rights.
    pub position: Position,
    /// The next step: what is asked for.
    pub asked: Asked,
    /// The chips of White and of Black; none where a coin decides who moves.
    pub chips: Option<[i64; 2]>,
    /// Bids are sealed, and equal ones are settled so; nothing where they are open: whoever moved last names one, and the other takes the
    /// money, or pays the same and moves.
    pub sealed: Option<Ties>,
    /// Bids may be below zero.
    pub negative: bool,
    /// Turns left before the game is drawn, if none of them is a capture or a pawn move.
    pub left: i64,
}

/// The next step of a game: what is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// A coin names the mover; there are no bids.
    Toss,
    /// This side names a bid; the other takes the money, or pays the same and moves.
    Offer(Color),
    /// Both sides write a bid; the higher one moves and pays.
    Sealed,
    /// The side that did not bid accepts or rejects this.
    Answer {
        /// The side that bid.
        bidder: Color,
        /// The payment of whoever moves.
        bid: i64,
    },
    /// Both bid this, and one side takes the move or gives it away.
    Tie {
        /// The side that chooses.
        holder: Color,
        /// The payment of whoever moves.
        bid: i64,
    },
    /// Both bid this, and a coin decides who moves and pays.
    Coin(i64),
    /// This side has the move and has paid for it.
    Move(Color),
}
