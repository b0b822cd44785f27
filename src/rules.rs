//! What every variant answers, and the variants. No I/O, no clock, no randomness of its own.

/// Bookie Chess: a random board, sealed bids on who will win it, and points for whoever beats the odds.
pub mod bookie;

/// A chair at the table, not a colour: in Bookie Chess the bids decide the colours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Seat {
    /// The first chair.
    One,
    /// The second chair.
    Two,
}
