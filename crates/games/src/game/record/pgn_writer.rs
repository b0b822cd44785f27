//! A game in portable game notation while it is written: its moves, the clocks, and all that was said beside the moves, word for word, as
//! commands in comments.
//!
//! `[%say one bid 40]` is something that was said, in its place among the moves; `[%sealed two]` something that is not open yet.
//! `[%at 1700000000000]` is the time, in milliseconds since the epoch, of all that follows until the next. `[%said]` right behind a
//! move tells that its words stand before it, so that its text is for people only.

use std::fmt;

use crate::{
    board::pgn::{Pgn, PgnMove},
    game::{Clock, VisibleLine},
    rules::{Actor, Seat},
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
        self.pgn.moves.push(PgnMove { text, at: 0, comment });
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
    pub(super) fn weave(&mut self, line: &VisibleLine, timed: bool, reads: &[bool], whole: bool) {
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

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Somebody said this.
    Say(Actor, String),
    /// Somebody said something that is not open.
    Sealed(Actor),
    /// The time of what follows, in milliseconds since the epoch.
    At(i64),
    /// The move before it has been said.
    Said,
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Say(actor, text) => write!(f, "[%say {actor} {text}]"),
            Command::Sealed(actor) => write!(f, "[%sealed {actor}]"),
            Command::At(time) => write!(f, "[%at {time}]"),
            Command::Said => f.write_str("[%said]"),
        }
    }
}

impl Command {
    /// The commands in a remark, in order; those of other programs are passed over.
    pub fn read(remark: &str) -> Vec<Command> {
        remark
            .split("[%")
            .skip(1)
            .filter_map(|rest| rest.split_once(']').and_then(|(inside, _)| parse_command(inside)))
            .collect()
    }
}

fn parse_command(inside: &str) -> Option<Command> {
    let (word, rest) = inside.split_once(' ').unwrap_or((inside, ""));
    match word {
        "say" => rest.split_once(' ').and_then(|(who, text)| Some(Command::Say(who.parse().ok()?, text.to_owned()))),
        "sealed" => rest.parse().ok().map(Command::Sealed),
        "at" => rest.parse().ok().map(Command::At),
        "said" => Some(Command::Said),
        _ => None,
    }
}

const DAY: u32 = 86_400;

/// Both clocks, unequal ones with a bar between; nothing for an untimed game.
pub(super) fn clocks_text(clocks: [Option<Clock>; 2]) -> Option<String> {
    let word = |clock: Option<Clock>| match clock {
        None => "-".to_owned(),
        Some(Clock::Days { days }) => format!("1/{}", u64::from(days) * u64::from(DAY)),
        Some(Clock::Fischer { initial, increment }) => format!("{initial}+{increment}"),
    };
    let [one, two] = clocks.map(word);
    match (clocks, one == two) {
        ([None, None], _) => None,
        (_, true) => Some(one),
        (_, false) => Some(format!("{one}|{two}")),
    }
}

/// The clocks that [`clocks_text`] wrote so; none where a text says something else.
pub(super) fn parse_clocks(text: &str) -> [Option<Clock>; 2] {
    let (one, two) = text.split_once('|').unwrap_or((text, text));
    let clock = |word: &str| match (word.split_once('/'), word.split_once('+')) {
        (Some(("1", seconds)), _) => {
            let seconds: u32 = seconds.parse().ok()?;
            seconds.is_multiple_of(DAY).then_some(Clock::Days { days: seconds / DAY })
        }
        (None, Some((initial, increment))) => {
            Some(Clock::Fischer { initial: initial.parse().ok()?, increment: increment.parse().ok()? })
        }
        (_, _) => None,
    };
    [one, two].map(|word| clock(word).filter(|clock| clock.sensible()))
}
