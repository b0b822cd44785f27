//! Decides where α = β in all positions with four or more pieces together (`four_piece/sharpness.rs`), so that exact fractions can follow captures and
//! promotions. They end at the exact values of three pieces, where α = β.

use dashu_ratio::RBig;

use super::{
    move_generation::{Bounds, Candidates},
    tables::{EXACT, SmallTables, Solved, reversed},
};
use crate::{
    answer::worth,
    board::Color,
    four_piece::{FourLimits, Gaps, Pair, Sharpness, rounded},
    move_graph::rules,
    table::Table,
};

/// Limits of the search for exact fractions.
const LIMITS: FourLimits = FourLimits { reached: 2000, circle: 300 };

impl Candidates {
    /// Codes that the moves of both sides in a position lead to. `first` is the number of the first position of the material.
    fn codes(&self, first: usize, at: usize) -> [Vec<u32>; 2] {
        [0, 1].map(|side| {
            let within = self.within[side].of(at).iter().map(|to| 2 * (first as u32 + to));
            within.chain(self.exits[side].of(at).iter().copied()).collect()
        })
    }
}

impl SmallTables {
    /// Decides where α = β in positions with four or more pieces, given the exact table of this board. The position with an even code and the next one
    /// are the same with the colours reversed, and so are all their moves.
    ///
    /// # Panics
    /// If `table` belongs to another board.
    pub(super) fn decide(&mut self, table: &Table) {
        assert_eq!(self.size, table.size(), "the table belongs to another board");
        self.decided = self.pieces();
        let mut solved: Vec<&mut Solved> = self.known.values_mut().collect();
        solved.sort_by_key(|solved| solved.first);
        let exact = solved.partition_point(|solved| solved.numbering.forces.pieces() <= EXACT);
        let (exact, open) = solved.split_at_mut(exact);
        // Codes below `base` have exact values.
        let base = 2 * open.first().map_or(self.next, |solved| solved.first);
        let (all, len) = (2 * self.next, 2 * self.next - base);
        let index = |code: u32| ((code as usize + len) % all) as u32;
        let board = rules(self.size);
        let mut values = vec![RBig::ONE, RBig::ZERO];
        for solved in exact {
            for place in &solved.stands {
                let position = solved.numbering.placement(*place as usize).map(|it| it.position(board, Color::White));
                let worth = position.and_then(|position| worth(table, &position)).map(|worth| table.exact(worth));
                let Some(value) = worth else { panic!("a position of {} has no value", solved.numbering.forces) };
                values.push(value.clone());
                values.push(RBig::ONE - value);
            }
        }
        let pair = |[a, b, c, d]: Bounds| [[a, b], [c, d]];
        let inside =
            open.iter().flat_map(|solved| &solved.bounds).flat_map(|bounds| [*bounds, reversed(*bounds)].map(pair));
        let bounds: Vec<Pair> = inside.chain(values.iter().map(|value| [rounded(value); 2])).collect();
        let mut states = vec![Sharpness::Open; len];
        states.resize(all, Sharpness::Sharp);
        let mut gaps = Gaps::new(len, bounds, states);
        for solved in open.iter() {
            let Some(candidates) = &solved.candidates else { continue };
            for at in 0..solved.stands.len() {
                let [white, black] = candidates.codes(solved.first, at);
                let place = 2 * (solved.first + at) - base;
                let of = |codes: &[u32], reversed: u32| codes.iter().map(|code| index(code ^ reversed)).collect();
                gaps.push(place, &mut [of(&white, 0), of(&black, 0)]);
                gaps.push(place + 1, &mut [of(&black, 1), of(&white, 1)]);
            }
        }
        let known = |place: usize| values.get(place - len).cloned();
        gaps.decide(|gaps, place| gaps.resolve(place, LIMITS, &known).unwrap_or_default());
        for solved in open {
            let states = gaps.states[2 * solved.first - base..].iter().step_by(2);
            solved.states.iter_mut().zip(states).for_each(|(state, found)| *state = *found);
        }
    }
}
