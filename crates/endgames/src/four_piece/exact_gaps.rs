//! Decides by exact fractions what the bounds leave open (`sharpness.rs`). The proof is that of `exact.rs`.

use std::collections::HashMap;

use dashu_ratio::RBig;

use super::{
    exact::{FourLimits, Threshold},
    policy::{Game, MoveTarget, Node},
    sharpness::{Gaps, Sharpness},
};
use crate::{answer::unscaled, board::Color};

/// Exact values beyond the end of a table, by index.
pub(crate) type Known<'k> = &'k dyn Fn(usize) -> Option<RBig>;

/// Exact α or β by index.
pub(super) type ExactThreshold<'e> = &'e dyn Fn(usize, Threshold) -> Option<RBig>;

impl Gaps {
    /// Indexes after a side's moves that may be best for α (`end` 0) or β (`end` 1).
    fn may_be_best(&self, place: u32, mover: Color, end: usize) -> Option<Vec<u32>> {
        let all = self.moves(place, mover)?;
        let bounds = |to: &u32| self.bounds(*to)[end];
        Some(match mover {
            Color::White => {
                let least = all.iter().map(|to| bounds(to)[0]).max()?;
                all.iter().copied().filter(|to| bounds(to)[1] >= least).collect()
            }
            Color::Black => {
                let most = all.iter().map(|to| bounds(to)[1]).min()?;
                all.iter().copied().filter(|to| bounds(to)[0] <= most).collect()
            }
        })
    }

    /// Positions reached from one by moves that may be best for α (`end` 0) or β (`end` 1), and the game on them. `None` if there are more than
    /// `limit`, or if a value beyond the end of the table is not known.
    fn game(&self, from: u32, end: usize, limit: usize, known: Known<'_>) -> Option<(Vec<u32>, Game)> {
        let (mut places, mut game) = (vec![from], Game::default());
        let mut numbers = HashMap::from([(from, 0)]);
        while game.nodes.len() < places.len() {
            if places.len() > limit {
                return None;
            }
            let place = places[game.nodes.len()];
            let mut node = Node { bounds: self.bounds(place)[end].map(i128::from), ..Node::default() };
            for mover in Color::BOTH {
                for to in self.may_be_best(place, mover, end)? {
                    let [low, high] = self.bounds(to)[end];
                    node.moves[mover.index()].push(if low == high {
                        MoveTarget::Known(unscaled(low.into()))
                    } else if self.beyond(to) {
                        MoveTarget::Known(known(to as usize)?)
                    } else {
                        MoveTarget::Reached(*numbers.entry(to).or_insert_with(|| {
                            places.push(to);
                            places.len() as u32 - 1
                        }))
                    });
                }
            }
            game.nodes.push(node);
        }
        Some((places, game))
    }

    /// Returns whether the bounds of some of these positions, or of their moves, may differ for α and β.
    fn wide(&self, places: &[u32]) -> bool {
        let differ = |place: &u32| {
            let [alpha, beta] = self.bounds(*place);
            alpha != beta
        };
        let moves = |place: u32| Color::BOTH.into_iter().filter_map(move |mover| self.moves(place, mover)).flatten();
        places.iter().any(|place| differ(place) || moves(*place).any(differ))
    }

    /// Decides a position and others that it leads to. `None` if the limits are exceeded.
    pub(crate) fn resolve(&self, from: u32, limits: FourLimits, known: Known<'_>) -> Option<Vec<(u32, Sharpness)>> {
        let (places, game) = self.game(from, 0, limits.reached, known)?;
        let alpha = game.settled(limits.circle).filter(|values| game.proved(values, Color::White))?;
        if !self.wide(&places) && game.proved(&alpha, Color::Black) {
            return Some(places.into_iter().map(|place| (place, Sharpness::Sharp)).collect());
        }
        let alpha: HashMap<u32, RBig> = places.into_iter().zip(alpha).collect();
        let (places, game) = self.game(from, 1, limits.reached, known)?;
        let beta = game.settled(limits.circle).filter(|values| game.proved(values, Color::Black))?;
        let decided = places.into_iter().zip(beta).filter_map(|(place, beta)| {
            Some((place, if *alpha.get(&place)? == beta { Sharpness::Sharp } else { Sharpness::Apart }))
        });
        Some(decided.collect())
    }
    /// Decides a position in which moves to α = β and to α < β may be equally good, by exact values after these moves: β after White's moves, α after
    /// Black's. Both values are equal if on each side one of the best moves leads to α = β. They differ if on one side all of the best moves lead to
    /// α < β. `None` if neither holds or a value is not known.
    pub(super) fn compare(&self, from: u32, exact: ExactThreshold<'_>) -> Option<Sharpness> {
        let mut sharp = true;
        for (mover, threshold) in [(Color::White, Threshold::Beta), (Color::Black, Threshold::Alpha)] {
            let end = threshold as usize;
            let mut moves = self.may_be_best(from, mover, end)?;
            let state = |to: u32| self.states[to as usize];
            if moves.iter().any(|to| state(*to) != state(moves[0])) {
                let values: Option<Vec<RBig>> = moves
                    .iter()
                    .map(|to| match self.bounds(*to)[end] {
                        [low, high] if low == high => Some(unscaled(low.into())),
                        _ => exact(*to as usize, threshold),
                    })
                    .collect();
                let values = values?;
                let best = match mover {
                    Color::White => values.iter().max()?,
                    Color::Black => values.iter().min()?,
                };
                let mut kept = values.iter().map(|value| value == best);
                moves.retain(|_| kept.next() == Some(true));
            }
            if moves.iter().all(|to| state(*to) == Sharpness::Apart) {
                return Some(Sharpness::Apart);
            }
            sharp &= moves.iter().any(|to| state(*to) == Sharpness::Sharp);
        }
        sharp.then_some(Sharpness::Sharp)
    }
}
