//! A question that the endgame tables can be asked about a moment of a game: what stands where, who owns what, and what is asked
//! for next. The rules put the question; they do not know the answer.

use crate::{
    board::{Color, Position},
    text_enum,
};

text_enum! {
    /// The way equal sealed bids are settled.
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum Tie {
        Marker = "marker": "the holder of the marker moves and hands it over",
        Choice = "choice": "the holder moves and hands it over, or lets the other move and keeps it",
        Coin = "coin": "a coin decides",
        Side = "side": "the same side always moves",
        Rebid = "rebid": "both bid again; a coin decides after the third time",
        Loser = "loser": "whoever did not get the move before moves",
    }
}

text_enum! {
    /// The sealed bid that is paid.
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum Price {
        First = "first": "the higher bid moves and is paid",
        Second = "second": "the higher bid moves, and the lower one is paid",
    }
}

text_enum! {
    /// The part of every payment that goes to the bank and out of the game.
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum Bank {
        Nothing = "nothing": "the other side is paid all",
        Half = "half": "the bank takes half, rounded down, and the other side is paid the rest",
        All = "all": "the bank takes all",
    }
}

impl Bank {
    /// The bank's part of a payment, which is zero or more.
    pub fn part(self, payment: i64) -> i64 {
        match self {
            Bank::Nothing => 0,
            Bank::Half => payment / 2,
            Bank::All => payment,
        }
    }
}

impl Tie {
    /// All rules.
    pub const ALL: [Tie; 6] = [Tie::Marker, Tie::Choice, Tie::Coin, Tie::Side, Tie::Rebid, Tie::Loser];

    /// Tells whether one side holds something between the bids, be it a marker or that it did not get the last move.
    pub fn marked(self) -> bool {
        match self {
            Tie::Marker | Tie::Choice | Tie::Loser => true,
            Tie::Coin | Tie::Side | Tie::Rebid => false,
        }
    }
}

/// How sealed bids are settled at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settlement {
    /// The rule about equal ones.
    pub tie: Tie,
    /// The bid that is paid.
    pub price: Price,
    /// The side that holds the marker now, or moves at all equal bids; with a coin it means nothing.
    pub holder: Color,
}

/// A moment of a game in which either side may have the next move and the king is captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Endgame {
    /// The units on the board; whose turn it says it is means nothing. Only of chess, and without castling rights, the tables can be asked.
    pub position: Position,
    /// The next step: what is asked for.
    pub asked: NextStep,
    /// The chips of White and of Black; none where a coin decides who moves.
    pub chips: Option<[i64; 2]>,
    /// Bids are sealed, and settled so; nothing where they are open: whoever moved last names one, and the other takes the money, or pays the
    /// same and moves.
    pub sealed: Option<Settlement>,
    /// The part of every payment that leaves the game.
    pub bank: Bank,
    /// Bids may be below zero.
    pub negative: bool,
    /// Turns left before the game is drawn, if none of them is a capture or a pawn move.
    pub left: i64,
}

/// The next step of a game: what is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextStep {
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

impl NextStep {
    /// The word for it, as programs are told.
    pub fn word(self) -> &'static str {
        match self {
            NextStep::Toss => "toss",
            NextStep::Offer(_) => "offer",
            NextStep::Sealed => "sealed",
            NextStep::Answer { .. } => "answer",
            NextStep::Tie { .. } => "tie",
            NextStep::Coin(_) => "coin",
            NextStep::Move(_) => "move",
        }
    }

    /// The side that has the move, once that is decided.
    pub fn mover(self) -> Option<Color> {
        match self {
            NextStep::Move(mover) => Some(mover),
            NextStep::Toss
            | NextStep::Offer(_)
            | NextStep::Sealed
            | NextStep::Answer { .. }
            | NextStep::Tie { .. }
            | NextStep::Coin(_) => None,
        }
    }
}

text_enum! {
    /// A colour as it is written in views and options.
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum Side {
        White = "white": "White",
        Black = "black": "Black",
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}
