//! The steps of a game and the states that they lead to: a few are kept, and the others are found from those.

use std::{ops::Range, sync::Arc};

use super::{Game, Live, seen::Seen};
use crate::{
    game::{LONGEST, Offers, TOO_LONG},
    rules::{Endgame, Outcome, Rules, Step},
};

/// The number of steps after which a state is kept.
pub(super) const STRIDE: usize = 64;

impl<R: Rules> Live<R> {
    /// Applies a step: what waited, and the offers, are done with.
    pub(super) fn push(&mut self, step: Step<R::Action>) {
        if !self.rules.returnable(&self.state) {
            self.settled = self.steps.len() + 1;
        }
        self.rules.apply(&mut self.state, step.clone());
        self.steps.push(step);
        if self.steps.len().is_multiple_of(STRIDE) {
            self.kept.push(Arc::new(self.state.clone()));
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
                self.rules.open(&mut state);
            }
            Live {
                state,
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
    pub(super) fn replayed(&self, ply: usize) -> R::State {
        let before = ply / STRIDE;
        let mut state = match before.checked_sub(1) {
            Some(index) => (*self.kept[index]).clone(),
            None => self.rules.start(&self.terms),
        };
        for step in &self.steps[before * STRIDE..ply] {
            self.rules.apply(&mut state, step.clone());
        }
        state
    }

    /// Shows the game as it stood after each of these numbers of steps, as far as it has come, and replays it only once.
    pub(super) fn walk(&self, plies: Range<usize>, see: &mut dyn FnMut(&dyn Game)) {
        let Some(mut past) = self.earlier(plies.start) else { return };
        for ply in plies {
            see(&past);
            let Some(step) = self.steps.get(ply) else { return };
            self.rules.apply(&mut past.state, step.clone());
            past.steps.push(step.clone());
            past.seen = Seen::default();
            past.past = past.steps.len() < self.steps.len();
            past.stopped = self.stopped.filter(|_| !past.past);
        }
    }

    /// The question for the endgame tables at every moment from the beginning on.
    pub(super) fn endgames(&self) -> Vec<Option<Endgame>> {
        let mut state = self.rules.start(&self.terms);
        let mut moments = vec![self.rules.endgame(&state)];
        for step in &self.steps {
            self.rules.apply(&mut state, step.clone());
            moments.push(self.rules.endgame(&state));
        }
        moments
    }
}
