//! The state of a game as the endgame tables need it: position, chips and next step. The rules of the games produce it and do not depend on the
//! tables.

use crate::{
    board::{Color, Position},
    text_enum,
};

text_enum! {
    /// Rule that settles equal sealed bids.
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum Tie {
        Marker = "marker": "the holder of the marker moves and hands it over",
        Choice = "choice": "the holder moves and hands it over, or lets the opponent move and keeps it",
        Coin = "coin": "a coin decides",
        Side = "side": "the same side always moves",
        Rebid = "rebid": "both bid again; a coin decides after three equal rounds",
        Loser = "loser": "the side that did not get the last move moves",
    }
}

text_enum! {
    /// Sealed bid that is paid.
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum Price {
        First = "first": "the higher bid moves and is paid",
        Second = "second": "the higher bid moves; the lower bid is paid",
    }
}

text_enum! {
    /// Part of every payment that goes to the bank and leaves the game.
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum Bank {
        Nothing = "nothing": "the opponent receives everything",
        Half = "half": "the bank takes half, rounded down; the opponent receives the rest",
        All = "all": "the bank takes everything",
    }
}

impl Bank {
    /// The bank's part of a payment. The payment must not be negative.
    pub fn part(self, payment: i64) -> i64 {
        match self {
            Bank::Nothing => 0,
            Bank::Half => payment / 2,
            Bank::All => payment,
        }
    }
}

impl Tie {
    /// All tie rules.
    pub const ALL: [Tie; 6] = [Tie::Marker, Tie::Choice, Tie::Coin, Tie::Side, Tie::Rebid, Tie::Loser];

    /// Returns whether one side holds something between bids: a marker, or the right of the side that did not get the last move.
    pub fn has_marker(self) -> bool {
        match self {
            Tie::Marker | Tie::Choice | Tie::Loser => true,
            Tie::Coin | Tie::Side | Tie::Rebid => false,
        }
    }
}

/// Settlement of sealed bids in one state of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settlement {
    /// Rule for equal bids.
    pub tie: Tie,
    /// Bid that is paid.
    pub price: Price,
    /// Side that holds the marker now, or that moves on all equal bids. Without meaning if a coin decides.
    pub holder: Color,
}

/// State of a game in which either side may get the next move and the king is captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Endgame {
    /// Pieces on the board; the side to move has no meaning. The tables cover orthodox pieces only, and no castling rights.
    pub position: Position,
    /// Next step of the game.
    pub next_step: NextStep,
    /// Chips of White and of Black; `None` if a coin decides who moves.
    pub chips: Option<[i64; 2]>,
    /// Settlement of sealed bids; `None` for open bids. With open bids the side that moved last names a bid, and the opponent takes the chips, or
    /// pays as many and moves.
    pub sealed: Option<Settlement>,
    /// Part of every payment that leaves the game.
    pub bank: Bank,
    /// Whether bids may be negative.
    pub negative: bool,
    /// Turns left before the game is drawn, if none of them is a capture or a pawn move.
    pub turns_left: i64,
}

text_enum! {
    /// Kind of the next step of a game.
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum StepKind {
        Toss = "toss": "a coin chooses the mover; there are no bids",
        Offer = "offer": "one side names a bid",
        Sealed = "sealed": "both sides write down a bid",
        Answer = "answer": "one side accepts or rejects a bid",
        Tie = "tie": "after equal bids, one side takes the move or gives it away",
        Coin = "coin": "after equal bids, a coin decides",
        Move = "move": "one side has the move",
    }
}

/// Next step of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextStep {
    /// A coin chooses the mover; there are no bids.
    Toss,
    /// This side names a bid. The opponent takes the chips, or pays as many and moves.
    Offer(Color),
    /// Both sides write down a bid. The higher bid moves and pays.
    Sealed,
    /// The side that did not bid accepts or rejects the bid.
    Answer {
        /// The side that bid.
        bidder: Color,
        /// Payment of the mover.
        bid: i64,
    },
    /// Both sides bid the same, and one side takes the move or gives it away.
    Tie {
        /// The side that chooses.
        holder: Color,
        /// Payment of the mover.
        bid: i64,
    },
    /// Both sides bid this amount, and a coin decides who moves and pays.
    Coin(i64),
    /// This side has the move and has paid for it.
    Move(Color),
}

impl NextStep {
    /// Kind of the step.
    pub fn kind(self) -> StepKind {
        match self {
            NextStep::Toss => StepKind::Toss,
            NextStep::Offer(_) => StepKind::Offer,
            NextStep::Sealed => StepKind::Sealed,
            NextStep::Answer { .. } => StepKind::Answer,
            NextStep::Tie { .. } => StepKind::Tie,
            NextStep::Coin(_) => StepKind::Coin,
            NextStep::Move(_) => StepKind::Move,
        }
    }

    /// Side that has the move, once that is decided.
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
    /// A colour as written in views and options.
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
