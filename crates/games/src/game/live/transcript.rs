//! All lines of a game, and the part of each that a viewer may know.

use std::sync::Arc;

use super::Live;
use crate::{
    game::{PlayerCommand, VisibleLine},
    rules::{Actor, Seat, Step, Viewer},
};

/// One line of a game.
#[derive(Clone, Debug)]
pub(super) struct TranscriptLine {
    actor: Actor,
    text: Arc<str>,
    /// In milliseconds since the Unix epoch.
    pub(super) time: i64,
    status: LineStatus,
}

/// Status of a line.
#[derive(Clone, Debug)]
enum LineStatus {
    /// A player or server command, visible to all viewers.
    Heard,
    /// A sealed choice, waiting for the opponent's choice.
    Sealed,
    /// An action that made step number `n`, counted from 1, or contributed to it.
    Step(usize),
    /// A retracted or abandoned action, with the text that spectators, seat one and seat two knew of it.
    Void(Arc<[Option<String>; 3]>),
}

/// All viewers, in the order of [`LineStatus::Void`].
const VIEWERS: [Viewer; 3] = [None, Some(Seat::One), Some(Seat::Two)];

impl Live {
    /// Adds an accepted line. `before` is the number of steps before it. A new sealed choice replaces the previous one.
    pub(super) fn keep(&mut self, actor: Actor, text: &str, time: i64, before: usize) {
        let spoken = |fate| TranscriptLine { actor, text: text.into(), time, status: fate };
        let choice = match actor {
            Actor::Seat(_) => PlayerCommand::read(text).is_none(),
            Actor::Chance => true,
            Actor::Server => false,
        };
        let now = self.steps.len();
        let sealed = match actor {
            Actor::Seat(seat) => choice && self.pending[seat.index()].is_some(),
            Actor::Chance | Actor::Server => false,
        };
        let both = matches!(self.steps.last(), Some(Step::Both(_))) && now > before;
        if choice && (sealed || both) {
            let waits = |old: &&mut TranscriptLine| old.actor == actor && matches!(old.status, LineStatus::Sealed);
            match self.transcript.iter_mut().rev().find(waits) {
                Some(old) => old.text = text.into(),
                None => self.transcript.push(spoken(LineStatus::Sealed)),
            }
        } else {
            self.transcript.push(spoken(if choice { LineStatus::Step(now) } else { LineStatus::Heard }));
        }
        if self.pending == [None, None] {
            let void = || LineStatus::Void(Arc::default());
            for old in self.transcript.iter_mut().rev().take_while(|old| !matches!(old.status, LineStatus::Step(_))) {
                if matches!(old.status, LineStatus::Sealed) {
                    old.status = if choice && both { LineStatus::Step(now) } else { void() };
                }
            }
        }
    }

    /// Saves what each viewer knows of the steps after `keep`. Called before they are taken back.
    pub(super) fn undo(&mut self, keep: usize) {
        for index in 0..self.transcript.len() {
            if matches!(self.transcript[index].status, LineStatus::Step(step) if step > keep) {
                let known = VIEWERS.map(|viewer| self.visible_text(&self.transcript[index], viewer));
                self.transcript[index].status = LineStatus::Void(Arc::new(known));
            }
        }
    }

    /// All lines so far, in order, as a viewer may know them; in full once the game is over. Replaying them gives the same game.
    /// A sealed choice appears once, in its last version.
    pub fn lines(&self, viewer: Viewer) -> Vec<VisibleLine> {
        let far =
            |spoken: &&TranscriptLine| !matches!(spoken.status, LineStatus::Step(step) if step > self.steps.len());
        let line = |spoken: &TranscriptLine| VisibleLine {
            actor: spoken.actor,
            text: self.visible_text(spoken, viewer),
            time: spoken.time,
            step: match spoken.status {
                LineStatus::Step(step) => Some(step),
                LineStatus::Heard | LineStatus::Sealed | LineStatus::Void(_) => None,
            },
        };
        self.transcript.iter().take_while(far).map(line).collect()
    }

    /// The text of a line as a viewer may know it. Own lines, and all lines of a finished game, are fully known.
    fn visible_text(&self, spoken: &TranscriptLine, viewer: Viewer) -> Option<String> {
        let own = viewer.is_some_and(|seat| spoken.actor == Actor::Seat(seat));
        if own || !self.past && self.outcome().is_some() {
            return Some(spoken.text.to_string());
        }
        match &spoken.status {
            LineStatus::Heard => Some(spoken.text.to_string()),
            LineStatus::Sealed => None,
            LineStatus::Step(step) => {
                let action = match (&self.steps[step - 1], spoken.actor) {
                    (Step::One(_, action) | Step::Chance(action), _) => action,
                    (Step::Both(actions), Actor::Seat(seat)) => &actions[seat.index()],
                    (Step::Both(_) | Step::End(..), _) => return None,
                };
                let heard = self.game.visible_action(*step, spoken.actor, action, viewer);
                heard.map(|heard| heard.to_string())
            }
            LineStatus::Void(known) => known[viewer.map_or(0, |seat| seat.index() + 1)].clone(),
        }
    }

    /// For each pair of a step (counted from 1, ascending) and its score-sheet text: whether the game parses the text as the
    /// step's action.
    pub fn parse_as_steps(&self, written: &[(usize, &str)]) -> Vec<bool> {
        let mut state = self.start.clone();
        let mut at = 0;
        let mut reads = |&(step, text): &(usize, &str)| {
            while at + 1 < step && at < self.steps.len() {
                state.apply(self.steps[at].clone());
                at += 1;
            }
            match self.steps.get(step.wrapping_sub(1)) {
                Some(Step::One(_, action)) if at + 1 == step => {
                    state.parse(text).ok().or_else(|| state.find(text)).as_ref() == Some(action)
                }
                Some(_) | None => false,
            }
        };
        written.iter().map(&mut reads).collect()
    }
}
