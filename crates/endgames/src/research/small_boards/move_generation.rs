//! The moves between all positions of some forces, as flat lists, and the best of those that lead to other forces, with their bounds. The board alone
//! defines how pieces move. A bound of α and β is a multiple of 2⁻⁶³ and rounded outward.

use super::{index::Numbering, placement::Placement};
use crate::{
    bidding_mechanism::ONE,
    board::{Board, Color},
    move_graph::rules,
};

/// The moves of one side in every position.
struct Lists {
    /// Where those of each position begin; one entry more than there are positions.
    starts: Vec<u32>,
    /// The positions that they lead to, by their place in [`Steps::stands`].
    within: Vec<u32>,
    /// The best that leads to other forces, or ends the game; the worst there can be where none does.
    outside: Vec<Bounds>,
}

/// All positions of some forces and their moves.
pub(super) struct Steps {
    /// The numbers of all positions, ascending.
    pub(super) stands: Vec<u32>,
    sides: [Lists; 2],
}

/// The better one of two for a side, bound by bound.
fn better(mover: Color, a: Bounds, b: Bounds) -> Bounds {
    std::array::from_fn(|at| match mover {
        Color::White => a[at].max(b[at]),
        Color::Black => a[at].min(b[at]),
    })
}

/// The end that a player has who has lost.
fn worst(player: Color) -> Bounds {
    match player {
        Color::White => LOST,
        Color::Black => WON,
    }
}

/// Where the moves of a side lead; the position itself if it has none.
fn after(board: &Board, placement: &Placement, mover: Color) -> Vec<Placement> {
    let position = placement.position(board, mover);
    let moves = board.moves(&position);
    if moves.is_empty() {
        return vec![*placement];
    }
    moves.into_iter().map(|mv| Placement::of_position(board, &board.after(&position, mv))).collect()
}

impl Steps {
    /// Generates all moves. `known` says what positions of other forces are worth.
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

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.stands.len()
    }

    /// The best that either side can reach, by one of the bounds of what lies outside and by `of` within.
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

/// A lower and an upper bound of α, then of β, as multiples of 2⁻⁶³.
pub type Bounds = [u64; 4];

/// The bounds of a lost game.
const LOST: Bounds = [0; 4];
/// The bounds of a won game.
const WON: Bounds = [ONE; 4];

/// Bounds so near each other are as good as one.
const NARROW: u64 = 8192;

/// Half of a sum, rounded down.
pub(super) fn down(sum: [u64; 2]) -> u64 {
    sum[0].midpoint(sum[1])
}

/// Half of a sum, rounded up.
pub(super) fn up([a, b]: [u64; 2]) -> u64 {
    (a | b) - ((a ^ b) >> 1)
}

/// Tells whether both thresholds are as good as one.
pub(super) fn narrow(bounds: &Bounds) -> bool {
    bounds[3] - bounds[0] <= NARROW
}

/// Tells whether α < β is proved.
pub(super) fn apart(bounds: &Bounds) -> bool {
    bounds[1] < bounds[2]
}
