//! What kings have to fear, and what shelters them.

use super::{Army, Sets, Side, add};
use crate::{
    board::{
        Board, Color, Position, Square, Squares,
        orthodox::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
    },
    bots::{
        shape::{file_of, ranks_before, steps},
        values::Stages,
    },
};

/// The weight of an officer's attack on the squares around the king, from the knight to the queen, beside one for each square.
const ASSAULT: [usize; 4] = [2, 2, 3, 4];
/// The weight of a check that can be given from a square where nothing takes the officer, in the same order.
const CHECK: [usize; 4] = [4, 2, 5, 4];

impl Army {
    /// The weight of an officer's attack on so many of the squares around the king.
    pub(super) fn assault(officer: usize, hits: usize) -> usize {
        if hits > 0 { ASSAULT[officer] + hits } else { 0 }
    }

    /// The gain of a side that hunts a king without an army: he is driven to the edge, and the other king comes near.
    pub(super) fn hunt(position: &Position, sets: &Sets, color: Color) -> Stages {
        let kings = [color, !color].map(|side| sets[side.index()][usize::from(KING)]);
        match kings.map(Squares::first) {
            [Some(hunter), Some(prey)] if position.of(!color) == kings[1] => {
                let inner = |line: u8| i32::from(line.min(7 - line));
                let edge = 6 - 2 * inner(prey.file()).min(inner(prey.rank()));
                [0, 10 * edge + 8 * (7 - steps(hunter, prey))]
            }
            _ => [0, 0],
        }
    }

    /// What the attack of a side on the other king is worth.
    pub(super) fn danger(
        &self,
        board: &Board,
        position: &Position,
        sets: &Sets,
        sides: &[Side; 2],
        color: Color,
    ) -> Stages {
        let (side, other) = (&sides[color.index()], &sides[(!color).index()]);
        let Some(king) = sets[(!color).index()][usize::from(KING)].first() else { return [0; 2] };
        // What only the king guards is bare: there an officer is safe, as where nobody guards.
        let bare = self.ring[king.index()] & side.all & !other.all;
        let safe = !position.of(color) & (!other.whole | bare);
        let from = |kind: u8| board.kind(kind).design.attacks(!color, king, position.occupied());
        let (straight, slanted) = (from(ROOK), from(BISHOP));
        let ways = [from(KNIGHT), slanted, straight, straight | slanted];
        let mut weight = side.assault + bare.len() as usize;
        for officer in 0..4 {
            if !(side.officers[officer] & ways[officer] & safe).is_empty() {
                weight += CHECK[officer];
            }
        }
        let worths: &[Stages] = match sets[color.index()][usize::from(QUEEN)].first() {
            Some(_) => &self.values.danger,
            None => &self.values.siege,
        };
        worths[(weight / 2).min(worths.len() - 1)]
    }

    /// What the pawns before a king are worth to him.
    pub(super) fn shelter(&self, king: Square, sets: &Sets, color: Color) -> Stages {
        let (own, hostile) = (sets[color.index()][usize::from(PAWN)], sets[(!color).index()][usize::from(PAWN)]);
        let before = ranks_before(color, king.rank());
        let centre = king.file().clamp(1, 6);
        let away = |pawns: Squares| {
            let nearest =
                if color == Color::White { pawns.0.trailing_zeros() } else { 63 - pawns.0.leading_zeros().min(63) };
            (nearest as u8 / 8).abs_diff(king.rank())
        };
        let mut sum = [0; 2];
        for file in centre - 1..=centre + 1 {
            let near = own & file_of(file) & before;
            let place = if near.is_empty() { 0 } else { usize::from(away(near).min(3)) };
            add(&mut sum, self.values.shelter[place], 1);
            let storm = hostile & file_of(file) & before;
            let place = if storm.is_empty() { 0 } else { usize::from(away(storm).clamp(1, 5)) };
            add(&mut sum, self.values.storm[place], 1);
        }
        sum
    }
}
