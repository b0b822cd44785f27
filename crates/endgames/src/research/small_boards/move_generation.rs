//! All moves within one material and out of it, as flat lists, and the best of the moves out of it, with its bounds. Moves come from the board module.
//! Bounds of α and β are multiples of 2⁻⁶³, rounded outward.

use super::{index::Numbering, placement::Placement};
use crate::{
    bidding_mechanism::ONE,
    board::{Board, Color},
    move_graph::rules,
};

/// A list for each position.
pub(super) struct Lists<T> {
    /// Start of each position's list in `items`, with one entry more than there are positions.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    fn new() -> Lists<T> {
        Lists { starts: vec![0], items: Vec::new() }
    }

    /// Adds the list of the next position.
    fn push(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        self.starts.push(self.items.len() as u32);
    }

    /// List of a position.
    #[inline]
    pub(super) fn of(&self, at: usize) -> &[T] {
        &self.items[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// Number of a position of another material, or of the end of the game. Its last bit is set if the colours are reversed.
pub(super) type Code = u32;

/// Moves of one side in every position.
struct Moves {
    /// Positions of this material that the moves lead to, as indexes into [`Steps::stands`].
    within: Lists<u32>,
    /// Results of the moves to another material or to the end of the game.
    exits: Lists<(Code, Bounds)>,
    /// Best of these results; the worst result if there is none.
    outside: Vec<Bounds>,
}

/// Moves that may be best for α or for β in every position whose bounds of α and β are not one number: of White, then of Black.
pub(super) struct Candidates {
    /// Positions of this material, as indexes into [`Steps::stands`].
    pub(super) within: [Lists<u32>; 2],
    /// Positions of other materials, and ends of the game.
    pub(super) exits: [Lists<Code>; 2],
}

/// All positions of one material and their moves.
pub(super) struct Steps {
    /// Indexes of all positions, ascending.
    pub(super) stands: Vec<u32>,
    sides: [Moves; 2],
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
    /// Generates all moves. `known` returns the number and the bounds of positions with other material.
    pub(super) fn new(numbering: &Numbering, known: &impl Fn(&Placement) -> (Code, Bounds)) -> Steps {
        let board = rules(numbering.size);
        let placements: Vec<(u32, Placement)> =
            (0..numbering.len()).filter_map(|place| Some((place as u32, numbering.placement(place)?))).collect();
        let stands: Vec<u32> = placements.iter().map(|(place, _)| *place).collect();
        let sides = Color::BOTH.map(|mover| {
            let mut moves = Moves { within: Lists::new(), exits: Lists::new(), outside: Vec::new() };
            let (mut own, mut exits) = (Vec::new(), Vec::new());
            for (_, placement) in &placements {
                own.clear();
                for next in after(board, placement, mover) {
                    if next.king(!mover).is_none() {
                        exits.push((OVER + u32::from(mover == Color::Black), worst(!mover)));
                    } else if next.forces() == numbering.forces {
                        let place = numbering.place(&next) as u32;
                        own.push(stands.partition_point(|stands| *stands < place) as u32);
                    } else {
                        exits.push(known(&next));
                    }
                }
                own.sort_unstable();
                own.dedup();
                moves.within.push(own.iter().copied());
                moves.outside.push(exits.iter().fold(worst(mover), |best, (_, bounds)| better(mover, best, *bounds)));
                moves.exits.push(exits.drain(..));
            }
            moves
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
        let most = white.within.of(at).iter().fold(white.outside[at][bound], |best, to| best.max(of(*to as usize)));
        let least = black.within.of(at).iter().fold(black.outside[at][bound], |best, to| best.min(of(*to as usize)));
        [most, least]
    }

    /// Moves that may be best, given the bounds of all positions.
    pub(super) fn candidates(&self, bounds: &[Bounds]) -> Candidates {
        let mut found = Candidates { within: [Lists::new(), Lists::new()], exits: [Lists::new(), Lists::new()] };
        for at in 0..self.len() {
            let [alpha, beta] =
                [[0, 1], [2, 3]].map(|ends| ends.map(|bound| self.reached(at, bound, |to| bounds[to][bound])));
            for mover in Color::BOTH {
                let (side, settled) = (mover.index(), bounds[at][0] == bounds[at][3]);
                let may_be_best = |[a, b, c, d]: &Bounds| match mover {
                    Color::White => *b >= alpha[0][0] || *d >= beta[0][0],
                    Color::Black => *a <= alpha[1][1] || *c <= beta[1][1],
                };
                let moves = &self.sides[side];
                let within = moves.within.of(at).iter().filter(|to| !settled && may_be_best(&bounds[**to as usize]));
                found.within[side].push(within.copied());
                let exits = moves.exits.of(at).iter().filter(|(_, bounds)| !settled && may_be_best(bounds));
                found.exits[side].push(exits.map(|(code, _)| *code));
            }
        }
        found
    }
}

/// Code of a game that White has won; the next is that of a game that Black has won.
pub(super) const OVER: Code = 0;

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
