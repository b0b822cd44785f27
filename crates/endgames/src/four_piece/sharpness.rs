//! Decides in which positions α = β, from proved bounds of α and β.
//!
//! In each position, fix a move by White to the greatest β and one by Black to the least α. The gap β − α is at most its mean after these two moves.
//! A *core* is a set of positions with α < β that these moves never leave, and in which each position reaches every other. In a core α and β are
//! constant, and the fixed moves are best for α and for β. A set of positions that the fixed moves do not leave, and that contains no core, has α = β
//! everywhere.
//!
//! If all of White's moves with the greatest β lead to positions with α < β, then α < β here too. For if α = β here, the greatest α after White's moves
//! equals the greatest β. The move that attains this α has α = β, and attains the greatest β. The same holds for Black's moves with the least α.
//!
//! Bounds leave open which move is best. So every move that may be best counts where the conclusion needs it.

use std::collections::HashSet;

use super::ONE;
use crate::board::Color;

/// Relation of α and β in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sharpness {
    /// Not decided.
    Open,
    /// α = β.
    Sharp,
    /// α < β.
    Apart,
}

impl From<Option<bool>> for Sharpness {
    fn from(sharp: Option<bool>) -> Sharpness {
        match sharp {
            Some(true) => Sharpness::Sharp,
            Some(false) => Sharpness::Apart,
            None => Sharpness::Open,
        }
    }
}

impl Sharpness {
    /// What bounds of α and of β prove.
    pub(crate) fn proved_by([alpha, beta]: Pair) -> Sharpness {
        match (alpha[0] == beta[1], alpha[1] < beta[0]) {
            (true, _) => Sharpness::Sharp,
            (false, true) => Sharpness::Apart,
            (false, false) => Sharpness::Open,
        }
    }

    /// True for α = β, false for α < β, `None` if that is open.
    pub(crate) fn known(self) -> Option<bool> {
        match self {
            Sharpness::Open => None,
            Sharpness::Sharp => Some(true),
            Sharpness::Apart => Some(false),
        }
    }
}

/// Bounds of α and of β, in multiples of 2⁻⁶³.
pub(crate) type Pair = [[u64; 2]; 2];

/// Multiples of this number, in multiples of 2⁻⁶³, are tried as better bounds: 2⁻³².
const SNAP: u64 = 1 << 31;
/// Maximum number of positions that are decided in another way without success.
const MOST_FAILURES: usize = 2000;

/// A position and the moves that may be best, White's before Black's.
struct Head {
    place: u32,
    from: u32,
    white: u32,
    black: u32,
}

/// Positions of a table, and the moves that may be best for α or for β.
pub(crate) struct Gaps {
    /// Bounds by index, inside the table and beyond it.
    bounds: Vec<Pair>,
    /// Number of indexes of the table.
    len: usize,
    /// Relation of α and β, by index.
    pub(crate) states: Vec<Sharpness>,
    heads: Vec<Head>,
    targets: Vec<u32>,
}

/// A move for one side, with bounds of two values of which the mover wants more.
#[derive(Clone, Copy)]
struct Led {
    place: usize,
    /// White's β or Black's −α, which decides about the gap.
    deciding: [i64; 2],
    /// White's α or Black's −β.
    other: [i64; 2],
}

impl Led {
    #[inline(always)]
    fn new(mover: Color, place: usize, bounds: &[Pair]) -> Led {
        let [alpha, beta] = bounds[place].map(|bounds| bounds.map(|bound| bound.wrapping_sub(ONE / 2).cast_signed()));
        let turned = |[low, high]: [i64; 2]| [-high, -low];
        match mover {
            Color::White => Led { place, deciding: beta, other: alpha },
            Color::Black => Led { place, deciding: turned(alpha), other: turned(beta) },
        }
    }
}

impl Gaps {
    /// Positions without moves. `len` is the number of indexes of the table. Beyond it, `states` says where α = β.
    pub(crate) fn new(len: usize, bounds: Vec<Pair>, states: Vec<Sharpness>) -> Gaps {
        Gaps { bounds, len, states, heads: Vec::new(), targets: Vec::new() }
    }

    /// Adds a position with the indexes that White's and Black's moves lead to. Only the moves that may be best are kept.
    pub(crate) fn push(&mut self, place: usize, sides: &mut [Vec<u32>; 2]) {
        self.states[place] = Sharpness::proved_by(self.bounds[place]);
        if self.states[place] == Sharpness::Sharp {
            return;
        }
        let from = self.targets.len() as u32;
        let mut ends = [from; 2];
        for mover in Color::BOTH {
            let moves = &mut sides[mover.index()];
            moves.sort_unstable();
            moves.dedup();
            let led = |place: &u32| Led::new(mover, *place as usize, &self.bounds);
            let least = |of: fn(Led) -> i64| moves.iter().map(led).map(of).max().unwrap_or(i64::MAX);
            let (deciding, other) = (least(|led| led.deciding[0]), least(|led| led.other[0]));
            moves.retain(|place| {
                let led = led(place);
                led.deciding[1] >= deciding || led.other[1] >= other
            });
            self.targets.extend_from_slice(moves);
            ends[mover.index()] = self.targets.len() as u32;
        }
        self.heads.push(Head { place: place as u32, from, white: ends[0], black: ends[1] });
    }

    /// Bounds of α and of β at an index.
    pub(super) fn bounds(&self, place: u32) -> Pair {
        self.bounds[place as usize]
    }

    /// Returns whether an index is beyond the end of the table.
    pub(super) fn beyond(&self, place: u32) -> bool {
        place as usize >= self.len
    }

    fn targets(&self, head: &Head, mover: Color) -> &[u32] {
        let range = match mover {
            Color::White => head.from..head.white,
            Color::Black => head.white..head.black,
        };
        &self.targets[range.start as usize..range.end as usize]
    }

    /// Indexes that a side's moves lead to, if they may be best. `None` for a position that was never open.
    pub(super) fn moves(&self, place: u32, mover: Color) -> Option<&[u32]> {
        let at = self.heads.binary_search_by_key(&place, |head| head.place).ok()?;
        Some(self.targets(&self.heads[at], mover))
    }

    fn led(&self, head: &Head, mover: Color) -> impl Iterator<Item = Led> + Clone {
        self.targets(head, mover).iter().map(move |place| Led::new(mover, *place as usize, &self.bounds))
    }

    /// Visits some positions, forwards and backwards in turn, until `change` returns true for none of them. Each is left out once it has changed.
    fn settle(&self, wanted: impl Fn(usize) -> bool, mut change: impl FnMut(&Head) -> bool) {
        let mut left: Vec<&Head> = self.heads.iter().filter(|head| wanted(head.place as usize)).collect();
        loop {
            let before = left.len();
            left.retain(|head| !change(head));
            if left.len() == before {
                break;
            }
            left.reverse();
        }
    }

    /// Returns whether some move to a position accepted by `good` is surely best in the deciding value.
    fn surely(&self, head: &Head, mover: Color, good: impl Fn(usize) -> bool) -> bool {
        let moves = self.led(head, mover);
        moves.clone().any(|led| {
            good(led.place)
                && moves.clone().all(|other| other.place == led.place || other.deciding[1] <= led.deciding[0])
        })
    }

    /// Moves that may be best in the deciding value.
    fn deciding(&self, head: &Head, mover: Color) -> impl Iterator<Item = Led> + Clone {
        let moves = self.led(head, mover);
        let least = moves.clone().map(|led| led.deciding[0]).max().unwrap_or(i64::MAX);
        moves.filter(move |led| led.deciding[1] >= least)
    }

    /// Raises lower bounds of α and lowers upper bounds of β to multiples of 2⁻³², where that is proved.
    ///
    /// Let y be the raised bound in some positions and the lower bound of α elsewhere. The raised bounds hold if from each of them a move by White
    /// and all moves by Black have a mean of at least y, and if these moves leave the raised positions (Proposition 2, as in `bound_proof.rs`). The
    /// moves left out do not matter: by the bounds, Black's are no better than the others.
    fn snap(&mut self) {
        for player in Color::BOTH {
            let end = player.index();
            // A bound as a share of the player.
            let share = |bound: u64| if player == Color::White { bound } else { ONE - bound };
            let mut worth: Vec<u64> = self.bounds.iter().map(|bounds| share(bounds[end][end])).collect();
            let mut snapped = vec![false; worth.len()];
            for head in &self.heads {
                let place = head.place as usize;
                let most = share(self.bounds[place][end][1 - end]);
                let new = worth[place].next_multiple_of(SNAP);
                if new <= most && new > worth[place] {
                    (worth[place], snapped[place]) = (new, true);
                }
            }
            loop {
                let mut left = snapped.clone();
                self.settle(
                    |place| snapped[place],
                    |head| {
                        let other = self.targets(head, !player);
                        let least = other.iter().map(|to| worth[*to as usize]).min().unwrap_or(0);
                        let all = other.iter().all(|to| !left[*to as usize]);
                        let good = |to: &u32| {
                            (all || !left[*to as usize])
                                && worth[*to as usize].midpoint(least) >= worth[head.place as usize]
                        };
                        let found = self.targets(head, player).iter().any(good);
                        left[head.place as usize] &= !found;
                        found
                    },
                );
                let mut reverted = false;
                for place in (0..self.len).filter(|place| left[*place]) {
                    (worth[place], snapped[place]) = (share(self.bounds[place][end][end]), false);
                    reverted = true;
                }
                if !reverted {
                    break;
                }
            }
            for place in (0..self.len).filter(|place| snapped[*place]) {
                self.bounds[place][end][end] = share(worth[place]);
            }
        }
        for place in 0..self.len {
            let [alpha, beta] = &mut self.bounds[place];
            // α is at most the upper bound of β, and β at least the lower bound of α.
            alpha[1] = alpha[1].min(beta[1]);
            beta[0] = beta[0].max(alpha[0]);
            if alpha[0] == beta[1] && self.states[place] == Sharpness::Open {
                self.states[place] = Sharpness::Sharp;
            }
        }
    }

    /// Returns whether the bounds of two numbers have a number in common.
    fn meet(one: [i64; 2], other: [i64; 2]) -> bool {
        one[0] <= other[1] && other[0] <= one[1]
    }

    /// Positions that may be in a core, by index.
    fn cores(&self) -> Vec<bool> {
        let mut core = vec![false; self.bounds.len()];
        let sharp = |place: usize| self.states[place] == Sharpness::Sharp;
        self.heads.iter().for_each(|head| core[head.place as usize] = !sharp(head.place as usize));
        self.settle(
            |place| !sharp(place),
            |head| {
                let stays = |mover| {
                    let here = Led::new(mover, head.place as usize, &self.bounds);
                    let least = self.led(head, mover).map(|led| led.other[0]).max().unwrap_or(i64::MAX);
                    self.deciding(head, mover).any(|led| {
                        core[led.place]
                            && led.other[1] >= least
                            && Gaps::meet(led.deciding, here.deciding)
                            && Gaps::meet(led.other, here.other)
                    }) && !self.surely(head, mover, sharp)
                };
                let left = !Color::BOTH.into_iter().all(stays);
                core[head.place as usize] = !left;
                left
            },
        );
        core
    }

    /// Decides as many positions as the bounds and the earlier decisions allow. Returns the positions that may be in a core, by index.
    fn decide_by_bounds(&mut self) -> Vec<bool> {
        let core = self.cores();
        let mut states = std::mem::take(&mut self.states);
        // Beyond the end of the table, open positions may have a gap.
        let may_differ = |(place, state): (usize, &Sharpness)| match state {
            Sharpness::Sharp => false,
            Sharpness::Apart => true,
            Sharpness::Open => core[place] || place >= self.len,
        };
        let mut gap: Vec<bool> = states.iter().enumerate().map(may_differ).collect();
        let open: Vec<bool> = gap.iter().zip(&states).map(|(gap, state)| !gap && *state == Sharpness::Open).collect();
        self.settle(
            |place| open[place],
            |head| {
                let leads = |mover| {
                    self.deciding(head, mover).any(|led| gap[led.place])
                        && !self.surely(head, mover, |place| !gap[place])
                };
                let found = Color::BOTH.into_iter().any(leads);
                gap[head.place as usize] = found;
                found
            },
        );
        for head in self.heads.iter().filter(|head| !gap[head.place as usize]) {
            states[head.place as usize] = Sharpness::Sharp;
        }
        let left: Vec<bool> = states.iter().map(|state| *state == Sharpness::Open).collect();
        self.settle(
            |place| left[place],
            |head| {
                let apart = |mover| self.deciding(head, mover).all(|led| states[led.place] == Sharpness::Apart);
                let found = Color::BOTH.into_iter().any(apart);
                if found {
                    states[head.place as usize] = Sharpness::Apart;
                }
                found
            },
        );
        self.states = states;
        core
    }

    /// Returns whether a position is open although none of the moves that matter leads to an open one, or because it may be in a core.
    fn is_cause(&self, head: &Head, core: &[bool]) -> bool {
        let undecided = |mover| {
            let mut states = self.deciding(head, mover).map(|led| self.states[led.place]);
            let first = states.next();
            states.clone().any(|state| Some(state) != first)
                && first.into_iter().chain(states).all(|state| state != Sharpness::Open)
        };
        self.states[head.place as usize] == Sharpness::Open
            && (core[head.place as usize] || Color::BOTH.into_iter().any(undecided))
    }

    /// Decides as many positions as possible, and returns those with α < β that may be in a core. `resolve` decides a position, and perhaps others, in
    /// another way; it returns none if it cannot.
    pub(crate) fn decide(&mut self, resolve: impl Fn(&Gaps, u32) -> Vec<(u32, Sharpness)>) -> Vec<usize> {
        self.snap();
        let (mut tried, mut failures) = (HashSet::new(), 0);
        loop {
            let core = self.decide_by_bounds();
            let causes: Vec<u32> =
                self.heads.iter().filter(|head| self.is_cause(head, &core)).map(|head| head.place).collect();
            let mut progress = false;
            for place in causes {
                let open = self.states[place as usize] == Sharpness::Open;
                if !open || failures == MOST_FAILURES || !tried.insert(place) {
                    continue;
                }
                let decided = resolve(self, place);
                failures += usize::from(decided.is_empty());
                for (place, state) in decided {
                    self.states[place as usize] = state;
                    progress = true;
                }
            }
            if !progress {
                let apart = |place: &usize| core[*place] && self.states[*place] == Sharpness::Apart;
                return (0..self.len).filter(apart).collect();
            }
        }
    }
}
