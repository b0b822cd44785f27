//! The clocks that players settle between themselves in a game.

/// How much time each seat has from now on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allotment {
    /// The seconds of seat one and of seat two, for the rest of the game.
    pub seconds: [u32; 2],
    /// The seconds added after every move.
    pub increment: u32,
}
