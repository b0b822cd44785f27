//! The steps of a game and the states that they lead to: a few are kept, and the others are found from those.

use std::{ops::Range, sync::Arc};

use super::{Live, seen::Seen};
use crate::{
    game::{LONGEST, Offers, TOO_LONG},
    rules::{
        Endgame, Outcome, Step,
        any_game::{AnyAction, AnyGame},
    },
};

/// The number of steps after which a state is kept.
pub(super) const STRIDE: usize = 64;

impl Live {
    /// Applies a step: what waited, and the offers, are done with.
    pub(super) fn push(&mut self, step: Step<AnyAction>) {
        if !self.game.returnable() {
            self.settled = self.steps.len() + 1;
        }
        self.game.apply(step.clone());
        self.steps.push(step);
        if self.steps.len().is_multiple_of(STRIDE) {
            self.kept.push(Arc::from(self.game.clone()));
        }
        self.pending = [None, None];
        self.lapse();
        if self.steps.len() >= LONGEST && self.outcome().is_none() {
            self.stopped = Some(Outcome::Draw(TOO_LONG));
        }
    }

    /// The game as it stood after `ply` steps, if it has come so far.
    pub(super) fn earlier(&self, ply: usize) -> Option<Self> {
        (ply <= self.steps.len()).then(|| {
            let past = ply < self.steps.len();
            let mut state = self.replayed(ply);
            if self.outcome().is_some() {
                state.open();
            }
            Live {
                game: state,
                steps: self.steps[..ply].to_vec(),
                pending: [None, None],
                offers: Offers::default(),
                past,
                stopped: self.stopped.filter(|_| !past),
                ..self.clone()
            }
        })
    }

    /// The state after `ply` steps.
    pub(super) fn replayed(&self, ply: usize) -> Box<dyn AnyGame> {
        let before = ply / STRIDE;
        let mut state = match before.checked_sub(1) {
            Some(index) => self.kept[index].boxed(),
            None => self.start.clone(),
        };
        for step in &self.steps[before * STRIDE..ply] {
            state.apply(step.clone());
        }
        state
    }

    /// Shows the game as it stood after each of these numbers of steps, as far as it has come, and replays it only once.
    pub fn walk(&self, plies: Range<usize>, see: &mut dyn FnMut(&Live)) {
        let Some(mut past) = self.earlier(plies.start) else { return };
        for ply in plies {
            see(&past);
            let Some(step) = self.steps.get(ply) else { return };
            past.game.apply(step.clone());
            past.steps.push(step.clone());
            past.seen = Seen::default();
            past.past = past.steps.len() < self.steps.len();
            past.stopped = self.stopped.filter(|_| !past.past);
        }
    }

    /// The same for every moment from the beginning on.
    pub fn endgames(&self) -> Vec<Option<Endgame>> {
        let mut state = self.start.clone();
        let mut moments = vec![state.endgame()];
        for step in &self.steps {
            state.apply(step.clone());
            moments.push(state.endgame());
        }
        moments
    }
}
