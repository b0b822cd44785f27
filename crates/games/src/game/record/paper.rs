//! One game on paper while it is written: its moves, and among them, each in its place, everything else that was said.

use super::command::Command;
use crate::{
    board::pgn::{Pgn, Written},
    game::KnownLine,
    rules::Seat,
};

/// A game that is written down.
#[derive(Default)]
pub(super) struct Paper {
    /// As far as it is written.
    pub(super) pgn: Pgn,
    /// The step that each move is; 0 for none.
    pub(super) steps: Vec<usize>,
    /// The seat that made each move, as far as one did.
    seats: Vec<Option<Seat>>,
    /// The number of moves up to which everything has been said.
    said: usize,
    /// The time of what was said last.
    time: Option<i64>,
}

impl Paper {
    /// A game of which the head stands and no move yet.
    pub(super) fn headed(pgn: Pgn) -> Paper {
        Paper { pgn, ..Paper::default() }
    }

    /// Adds a move.
    pub(super) fn push(&mut self, step: usize, seat: Option<Seat>, text: String, comment: String) {
        self.pgn.moves.push(Written { text, at: 0, comment });
        self.steps.push(step);
        self.seats.push(seat);
    }

    /// Puts beside every move the time that whoever made it had left then, as programs exchange it: `[%clk 0:05:03]`. `left` knows it
    /// in milliseconds.
    pub(super) fn clock(&mut self, left: impl Fn(usize, Seat) -> Option<i64>) {
        let moves = self.steps.iter().zip(&self.seats).zip(&mut self.pgn.moves);
        for ((step, seat), written) in moves {
            let Some(left) = seat.filter(|_| *step > 0).and_then(|seat| left(*step, seat)) else { continue };
            let seconds = left / 1_000;
            let clock = format!("[%clk {}:{:02}:{:02}]", seconds / 3_600, seconds / 60 % 60, seconds % 60);
            written.comment = format!("{clock} {}", written.comment).trim_end().to_owned();
        }
    }

    /// Puts a remark beside the last move; what was said before the first one stands with it.
    pub(super) fn beside(&mut self, early: &mut Vec<String>, said: String) {
        match self.pgn.moves.last_mut() {
            Some(last) => last.comment = remarks(vec![std::mem::take(&mut last.comment), said]),
            None => early.push(said),
        }
    }

    /// Puts a command behind the last move up to which everything has been said.
    fn command(&mut self, command: &Command) {
        let before = self.said.checked_sub(1).and_then(|last| self.pgn.moves.get_mut(last));
        let comment = before.map_or(&mut self.pgn.before, |last| &mut last.comment);
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(&command.to_string());
    }

    /// The next move that is a step, as an index.
    fn next(&self) -> Option<usize> {
        (self.said..self.steps.len()).find(|index| self.steps[*index] > 0)
    }

    /// Puts a line in its place. A move whose text says as much as the line, as `reads` knows by its index, needs no more words;
    /// `whole` says that the line completes its step.
    pub(super) fn weave(&mut self, line: &KnownLine, timed: bool, reads: &[bool], whole: bool) {
        if timed && self.time != Some(line.time) {
            self.time = Some(line.time);
            self.command(&Command::At(line.time));
        }
        let next = self.next().filter(|index| Some(self.steps[*index]) == line.step);
        if let Some(index) = next.filter(|index| reads[*index] && line.text.is_some()) {
            self.said = index + 1;
            return;
        }
        self.command(&match &line.text {
            Some(text) => Command::Say(line.actor, text.clone()),
            None => Command::Sealed(line.actor),
        });
        while let Some(index) = self.next().filter(|index| whole && Some(self.steps[*index]) == line.step) {
            self.said = index + 1;
            self.command(&Command::Said);
        }
    }
}

/// Remarks in one, those that say nothing left out.
pub(super) fn remarks(parts: Vec<String>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}
