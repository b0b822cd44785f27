//! The holes of a board for keeping money with pegs, as a cribbage board has them: in rows, up one and down the next, by fives.

/// The length of a row: thirty holes, as on a cribbage board.
const ROW: usize = 30;
/// The rows of one player.
const ROWS: usize = 4;
/// From one row to the next, in millimetres.
const ACROSS: usize = 20;
/// From one hole to the next, in millimetres.
const ALONG: usize = 6;
/// What is left free besides after five holes, in millimetres.
const FREE: usize = 3;

/// A hole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hole {
    /// The amount that a peg in it stands for, 1 to 120.
    pub amount: usize,
    /// Its place from the left edge of the player's half, in millimetres.
    pub x: usize,
    /// Its place from the upper edge of the rows, in millimetres.
    pub y: usize,
}

/// The holes of one player, in the order in which they are counted.
pub fn holes() -> impl Iterator<Item = Hole> {
    (0..ROW * ROWS).map(|hole| {
        let (row, along) = (hole / ROW, hole % ROW);
        let down = if row % 2 == 0 { ROW - 1 - along } else { along };
        Hole { amount: hole + 1, x: row * ACROSS, y: down * ALONG + down / 5 * FREE }
    })
}
