//! Writer of PGN games: moves, clocks, and all lines that are not moves, as commands in comments.
//!
//! - `[%say one bid 40]` is an action in its place among the moves.
//! - `[%sealed two]` is a choice that is still sealed.
//! - `[%at 1700000000000]` is the time, in milliseconds since the Unix epoch, of all that follows.
//! - `[%said]` after a move means that its action is already given by the commands before it, so that its text is for people only.

use std::fmt;

use crate::{
    board::pgn::{Pgn, PgnMove},
    game::{Clock, VisibleLine},
    rules::{Actor, Seat},
};

/// A PGN game being written.
#[derive(Default)]
pub(super) struct PgnDraft {
    /// The game so far.
    pub(super) pgn: Pgn,
    /// Step of each move; 0 for none.
    pub(super) steps: Vec<usize>,
    /// Seat that made each move, if any.
    seats: Vec<Option<Seat>>,
    /// Number of moves whose actions have been written.
    said: usize,
    /// Time of the last line.
    time: Option<i64>,
}

impl PgnDraft {
    /// A game with a head and no moves.
    pub(super) fn headed(pgn: Pgn) -> PgnDraft {
        PgnDraft { pgn, ..PgnDraft::default() }
    }

    /// Adds a move.
    pub(super) fn push(&mut self, step: usize, seat: Option<Seat>, text: String, comment: String) {
        self.pgn.moves.push(PgnMove { text, at: 0, comment });
        self.steps.push(step);
        self.seats.push(seat);
    }

    /// Adds the mover's remaining time to every move in the common form `[%clk 0:05:03]`. `left` returns it in milliseconds.
    pub(super) fn clock(&mut self, left: impl Fn(usize, Seat) -> Option<i64>) {
        let moves = self.steps.iter().zip(&self.seats).zip(&mut self.pgn.moves);
        for ((step, seat), written) in moves {
            let Some(left) = seat.filter(|_| *step > 0).and_then(|seat| left(*step, seat)) else { continue };
            let seconds = left / 1_000;
            let clock = format!("[%clk {}:{:02}:{:02}]", seconds / 3_600, seconds / 60 % 60, seconds % 60);
            written.comment = format!("{clock} {}", written.comment).trim_end().to_owned();
        }
    }

    /// Adds a comment to the last move, or to `early` if there is no move yet.
    pub(super) fn add_comment(&mut self, early: &mut Vec<String>, said: String) {
        match self.pgn.moves.last_mut() {
            Some(last) => last.comment = remarks(vec![std::mem::take(&mut last.comment), said]),
            None => early.push(said),
        }
    }

    /// Adds a command after the last move whose action has been written.
    fn command(&mut self, command: &Command) {
        let before = self.said.checked_sub(1).and_then(|last| self.pgn.moves.get_mut(last));
        let comment = before.map_or(&mut self.pgn.before, |last| &mut last.comment);
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(&command.to_string());
    }

    /// Index of the next move that is a step.
    fn next(&self) -> Option<usize> {
        (self.said..self.steps.len()).find(|index| self.steps[*index] > 0)
    }

    /// Writes a line in its place. A move needs no command if its text is parsed as the line's action, as `reads` says by index.
    /// `whole`: the line completes its step.
    pub(super) fn write_line(&mut self, line: &VisibleLine, timed: bool, reads: &[bool], whole: bool) {
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

/// Joins the non-empty comments.
pub(super) fn remarks(parts: Vec<String>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// A command in a PGN comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// An action of an actor.
    Say(Actor, String),
    /// A sealed choice of an actor.
    Sealed(Actor),
    /// Time of the following lines, in milliseconds since the Unix epoch.
    At(i64),
    /// The action of the move before it has already been given.
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
    /// The commands in a comment, in order. Ignores commands of other programs.
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

/// Formats both clocks, separated by a bar if they differ; `None` for an untimed game.
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

/// Parses the output of [`clocks_text`]; no clocks for any other text.
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
    [one, two].map(|word| clock(word).filter(|clock| clock.is_in_range()))
}
