//! What solving a trio costs, told before it begins.

use super::{numbering::FiveNumbering, solve::room, trio::Trio, walk::FiveWalk};
use crate::{
    board::{Color, Size},
    four::{Ground, TAKEN},
};

/// The bytes of a place in memory: two bounds while it is solved, then what is written and a label.
const PLACE: u64 = 16 + 10 + 1;
/// The bytes of a place in the file, and of one whose bounds stay apart.
const STORED: u64 = 10;
const WIDE: u64 = 28;
/// The bytes of a wide position in memory while what lies between its bounds is found, beside its moves.
const HELD: u64 = 64;
/// Seconds of one processor for a million moves, as was measured: little where the play is sharp, much where both sides wait.
const SECONDS: [f64; 2] = [0.1, 0.6];

/// What solving a trio costs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FiveCost {
    /// The positions, up to the symmetries of the board and the order of like pieces.
    pub positions: usize,
    /// The bytes of memory at most: if no position has α < β, and if all have.
    pub memory: [u64; 2],
    /// The bytes of the file, in the same way.
    pub disk: [u64; 2],
    /// The moves of all positions, about.
    pub moves: u64,
    /// Seconds of one processor, from and to about.
    pub seconds: [f64; 2],
}

impl FiveCost {
    /// Of a trio on a board.
    pub fn of(trio: Trio, size: Size) -> FiveCost {
        let walk = FiveWalk::new(trio, size);
        let places = walk.len();
        // Of the places that are taken together every some hundredth is looked at.
        let blocks = places.div_ceil(TAKEN);
        let step = (blocks / 64).max(1);
        let (mut seen, mut moves) = (0u64, 0u64);
        for block in (0..blocks).step_by(step) {
            let first = block * TAKEN;
            walk.each(first..(first + TAKEN).min(places), false, |_, stand| {
                seen += 1;
                for mover in Color::BOTH {
                    walk.options(mover, stand, |_| moves += 1);
                }
            });
        }
        let positions = positions(&walk.numbering, trio);
        let moves = (positions as u128 * u128::from(moves) / u128::from(seen.max(1))) as u64;
        let (stored, held) = (STORED * places as u64, PLACE * walk.all() as u64);
        let (lists, wide) = (4 * room(places) as u64, HELD * positions as u64 + 4 * moves);
        FiveCost {
            positions,
            memory: [held + lists, held + lists.max(wide)],
            disk: [stored, stored + WIDE * positions as u64],
            moves,
            seconds: SECONDS.map(|million| moves as f64 / 1e6 * million),
        }
    }
}

/// The number of positions.
fn positions(numbering: &FiveNumbering, trio: Trio) -> usize {
    let squares = numbering.squares;
    let [first, second, third] = trio.kinds;
    let orders = match (first == second, trio.together && second == third) {
        (true, true) => 6,
        (false, false) => 1,
        (_, _) => 2,
    };
    let men: usize = (2..5).map(|less| squares - less).product();
    numbering.turns.kings().len() * (squares - 1) * men / orders
}
