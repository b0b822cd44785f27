//! What a moment of a contest is worth at sight: the pieces, and what counts for the aim beside them.

use super::{Arena, Juncture};
use crate::{
    board::{Color, Square, Squares},
    rules::prospect::Aim,
};

/// The worth of a step of the king towards the hill.
const HILL: i32 = 35;
/// The worth of a step of the king in a race.
const RACE: i32 = 90;
/// The burden of a unit where everything is to be lost.
const BURDEN: i32 = 100;

impl Arena<'_> {
    /// The estimate of a quiet moment, for the side to move.
    pub(super) fn standing(&self, moment: &Juncture) -> i32 {
        let mut lead = match self.aim {
            Aim::Lose => self.burden(moment, Color::Black) - self.burden(moment, Color::White),
            Aim::Mate | Aim::Capture(_) | Aim::Checks { .. } | Aim::Hill(_) | Aim::Race(_) | Aim::Bare | Aim::Horde => {
                match &self.army {
                    Some(army) => army.lead(self.board, &moment.position),
                    None => self.scale.lead(self.board, &moment.position),
                }
            }
        };
        if self.board.holdings {
            lead += self.held(moment, Color::White) - self.held(moment, Color::Black);
        }
        match self.aim {
            Aim::Checks { .. } => {
                let worth = |given: u8| [0, 120, 400, 2_000][usize::from(given.min(3))];
                lead += worth(moment.checks[0]) - worth(moment.checks[1]);
            }
            Aim::Hill(hill) => {
                lead += HILL * (self.far(moment, Color::Black, hill) - self.far(moment, Color::White, hill));
            }
            Aim::Race(goal) => {
                lead += RACE * (self.far(moment, Color::Black, goal) - self.far(moment, Color::White, goal));
            }
            Aim::Mate | Aim::Capture(_) | Aim::Bare | Aim::Horde | Aim::Lose => {}
        }
        // The army counts being to move itself.
        let tempo = if self.army.is_some() { 0 } else { 10 };
        tempo + if moment.position.turn == Color::White { lead } else { -lead }
    }

    /// The worth of what a side has to drop.
    fn held(&self, moment: &Juncture, color: Color) -> i32 {
        moment.position.holdings(color).map(|(kind, count)| self.scale.value(kind) * i32::from(count)).sum()
    }

    /// What a side has still to lose: its units, whatever they are.
    fn burden(&self, moment: &Juncture, color: Color) -> i32 {
        BURDEN * moment.position.of(color).len() as i32
    }

    /// The steps of a king to the nearest of some squares.
    fn far(&self, moment: &Juncture, color: Color, goal: Squares) -> i32 {
        let royal = self.board.royals(&moment.position, color).only();
        let far = |from: Square| {
            let far = |to: Square| to.file().abs_diff(from.file()).max(to.rank().abs_diff(from.rank()));
            goal.map(far).min().unwrap_or(0)
        };
        royal.map_or(0, |royal| i32::from(far(royal)))
    }
}
