//! All moves within one material, as flat lists, and the best of the moves to other materials, with its bounds. Moves come from the board module.
//! Bounds of α and β are multiples of 2⁻⁶³, rounded outward.

use super::{index::Numbering, placement::Placement};
use crate::{
    bidding_mechanism::ONE,
    board::{Board, Color},
    move_graph::rules,
};

/// Moves of one side in every position.
struct Lists {
    /// Start of each position's moves in `within`, with one entry more than there are positions.
    starts: Vec<u32>,
    /// Positions that the moves lead to, as indexes into [`Steps::stands`].
    within: Vec<u32>,
    /// Best result of a move to another material or to the end of the game; the worst result if there is none.
    outside: Vec<Bounds>,
}

/// All positions of one material and their moves.
pub(super) struct Steps {
    /// Indexes of all positions, ascending.
    pub(super) stands: Vec<u32>,
    sides: [Lists; 2],
}

/// The better of two for a side, bound by bound.
fn better(mover: Color, a: Bounds, b: Bounds) -> Bounds {
    std::array::from_fn(|at| match mover {
        Color::White => a[at].max(b[at]),
        Color::Black => a[at].min(b[at]),
    })
}

/// Bounds of a game that the player has lost.
fn worst(player: Color) -> Bounds {
    match player {
        Color::White => LOST,
        Color::Black => WON,
    }
}

/// Placements after a side's moves; the placement itself if it has none.
fn after(board: &Board, placement: &Placement, mover: Color) -> Vec<Placement> {
    let position = placement.position(board, mover);
    let moves = board.moves(&position);
    if moves.is_empty() {
        return vec![*placement];
    }
    moves.into_iter().map(|mv| Placement::of_position(board, &board.after(&position, mv))).collect()
}

impl Steps {
    /// Generates all moves. `known` returns the bounds of positions with other material.
    pub(super) fn new(numbering: &Numbering, known: &impl Fn(&Placement) -> Bounds) -> Steps {
        let board = rules(numbering.size);
        let placements: Vec<(u32, Placement)> =
            (0..numbering.len()).filter_map(|place| Some((place as u32, numbering.placement(place)?))).collect();
        let stands: Vec<u32> = placements.iter().map(|(place, _)| *place).collect();
        let sides = Color::BOTH.map(|mover| {
            let mut lists = Lists { starts: vec![0], within: Vec::new(), outside: Vec::new() };
            let mut own = Vec::new();
            for (_, placement) in &placements {
                let mut outside = worst(mover);
                own.clear();
                for next in after(board, placement, mover) {
                    if next.king(!mover).is_none() {
                        outside = better(mover, outside, worst(!mover));
                    } else if next.forces() == numbering.forces {
                        let place = numbering.place(&next) as u32;
                        own.push(stands.partition_point(|stands| *stands < place) as u32);
                    } else {
                        outside = better(mover, outside, known(&next));
                    }
                }
                own.sort_unstable();
                own.dedup();
                lists.within.extend(&own);
                lists.starts.push(lists.within.len() as u32);
                lists.outside.push(outside);
            }
            lists
        });
        Steps { stands, sides }
    }

    /// Number of positions.
    pub(super) fn len(&self) -> usize {
        self.stands.len()
    }

    /// Best results of White's and of Black's moves: `bound` selects the bound outside this material, and `of` gives it within.
    #[inline]
    pub(super) fn reached(&self, at: usize, bound: usize, of: impl Fn(usize) -> u64) -> [u64; 2] {
        let [white, black] = &self.sides;
        let own = |lists: &Lists| lists.starts[at] as usize..lists.starts[at + 1] as usize;
        let most =
            white.within[own(white)].iter().fold(white.outside[at][bound], |best, to| best.max(of(*to as usize)));
        let least =
            black.within[own(black)].iter().fold(black.outside[at][bound], |best, to| best.min(of(*to as usize)));
        [most, least]
    }
}

/// A lower and an upper bound of α, then of β, in multiples of 2⁻⁶³.
pub type Bounds = [u64; 4];

/// Bounds of a lost game.
const LOST: Bounds = [0; 4];
/// Bounds of a won game.
const WON: Bounds = [ONE; 4];

/// Distance up to which bounds count as narrow.
const NARROW: u64 = 8192;

/// Half of a sum, rounded down.
pub(super) fn down(sum: [u64; 2]) -> u64 {
    sum[0].midpoint(sum[1])
}

/// Half of a sum, rounded up.
pub(super) fn up([a, b]: [u64; 2]) -> u64 {
    (a | b) - ((a ^ b) >> 1)
}

/// Returns whether the bounds of α and β are so close that α and β count as equal.
pub(super) fn narrow(bounds: &Bounds) -> bool {
    bounds[3] - bounds[0] <= NARROW
}

/// Returns whether α < β is proved.
pub(super) fn apart(bounds: &Bounds) -> bool {
    bounds[1] < bounds[2]
}
