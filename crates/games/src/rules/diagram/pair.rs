//! What there is twice in a game, once for each seat.

use serde::Serialize;

use crate::rules::{Side, seat::Seat};

/// Something for each of the two seats.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, utoipa::ToSchema)]
pub struct Pair<T> {
    /// Seat one's.
    pub one: T,
    /// Seat two's.
    pub two: T,
}

impl<T> Pair<T> {
    /// A seat's part.
    pub fn of(&self, seat: Seat) -> &T {
        match seat {
            Seat::One => &self.one,
            Seat::Two => &self.two,
        }
    }
}

impl Pair<Side> {
    /// The name of a seat on the board: its colour once that is known, else its chair.
    pub fn title(colors: Option<&Pair<Side>>, seat: Seat) -> &'static str {
        match (colors, seat) {
            (Some(colors), seat) => colors.of(seat).words(),
            (None, Seat::One) => "First player",
            (None, Seat::Two) => "Second player",
        }
    }
}

impl<T> From<[T; 2]> for Pair<T> {
    fn from([one, two]: [T; 2]) -> Self {
        Pair { one, two }
    }
}
