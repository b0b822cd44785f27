//! The options of a variant in words: their ranges, presets and help texts, and the sizes of board that are offered.

use super::protocol::Refusal;
use crate::board::{START, Size};

/// Two lines for whoever does something for the first time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskHelp {
    /// The word for what is done, as [`Rules::task`](super::Rules::task) says it.
    pub task: &'static str,
    /// The lines.
    pub lines: [&'static str; 2],
}

impl TaskHelp {
    /// On moving, where a turn is a move.
    pub const fn of_moves(lines: [&'static str; 2]) -> Self {
        TaskHelp { task: "move", lines }
    }
}

/// One option of a variant, for forms and for the API: the key is the field's name, and its type is that of the default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// The field's name in the options record.
    pub key: &'static str,
    /// Its description in a few words.
    pub words: &'static str,
    /// The values that it may take.
    pub range: OptionRange,
}

/// An edition of a game that itself knows nothing of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capability {
    /// A coin or an auction names every mover.
    Auction,
    /// Slips before the game decide who plays which side, and with how much.
    Handicap,
}

/// The values that an option may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionRange {
    /// On or off.
    Flag,
    /// A whole number between two bounds, both included.
    Whole(i64, i64),
    /// Money between two bounds, kept in tenths of a zorkmid and written in zorkmids.
    Money(i64, i64),
    /// At most so much money, kept in tenths of a zorkmid; 0 stands for no limit, and is written as nothing.
    Cap(i64),
    /// A number of turns, at most so many; −1 stands for never, and is written as nothing.
    Turns(i64),
    /// One of some words: each with what it means.
    Word(&'static [(&'static str, &'static str)]),
    /// The key of a variant that has such an edition.
    Game(Capability),
    /// A position as FEN, with an example; empty for the usual one.
    Position(&'static str),
    /// A text with an example.
    Text(&'static str),
}

impl OptionRange {
    /// The bounds of what is kept, where that is a number.
    pub const fn bounds(self) -> Option<(i64, i64)> {
        match self {
            OptionRange::Whole(least, most) | OptionRange::Money(least, most) => Some((least, most)),
            OptionRange::Cap(most) => Some((0, most)),
            OptionRange::Turns(most) => Some((-1, most)),
            OptionRange::Flag
            | OptionRange::Word(_)
            | OptionRange::Game(_)
            | OptionRange::Position(_)
            | OptionRange::Text(_) => None,
        }
    }

    /// The number that stands for there being none, and what that means.
    pub const fn none(self) -> Option<(i64, &'static str)> {
        match self {
            OptionRange::Cap(_) => Some((0, "no limit")),
            OptionRange::Turns(_) => Some((-1, "never")),
            OptionRange::Whole(..)
            | OptionRange::Money(..)
            | OptionRange::Flag
            | OptionRange::Word(_)
            | OptionRange::Game(_)
            | OptionRange::Position(_)
            | OptionRange::Text(_) => None,
        }
    }

    /// Tells whether what is kept are tenths of a zorkmid.
    pub const fn is_money(self) -> bool {
        matches!(self, OptionRange::Money(..) | OptionRange::Cap(_))
    }

    /// A number that is kept, as players write it; nothing where it stands for there being none.
    pub fn written(self, number: i64) -> String {
        match self.none() {
            Some((none, _)) if number == none => String::new(),
            Some(_) | None if !self.is_money() => number.to_string(),
            Some(_) | None if number % 10 == 0 => (number / 10).to_string(),
            Some(_) | None => format!("{}.{}", number / 10, number % 10),
        }
    }

    /// The number that is kept of what a player has written.
    pub fn read(self, text: &str) -> Option<i64> {
        let text = text.trim();
        match self.none() {
            Some((none, _)) if text.is_empty() => Some(none),
            Some(_) | None if !self.is_money() => text.parse().ok(),
            Some(_) | None => {
                let (whole, tenth) = text.split_once(['.', ',']).unwrap_or((text, "0"));
                let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
                let sound = digits(whole) && digits(tenth) && tenth.len() == 1;
                whole.parse::<i64>().ok().filter(|_| sound)?.checked_mul(10)?.checked_add(tenth.parse().ok()?)
            }
        }
    }

    /// The numbers that a player may write, in words.
    pub fn allowed(self) -> String {
        let Some((least, most)) = self.bounds() else { return String::new() };
        let (least, most) = (self.written(least.max(0)), self.written(most));
        match (self.is_money(), self.none()) {
            (false, None) => format!("{least} to {most}"),
            (false, Some((_, words))) => format!("up to {most}; empty: {words}"),
            (true, None) => format!("{least} to {most} zorkmids, tenths as in 2.5"),
            (true, Some((_, words))) => format!("up to {most} zorkmids; empty: {words}"),
        }
    }
}

/// A named way to play a variant, told apart from the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PresetDescription {
    /// The name of its preset.
    pub preset: &'static str,
    /// How it differs, in a sentence.
    pub words: &'static str,
    /// The options that belong to it, by their keys; whoever chooses this way hardly wants to change any others.
    pub options: &'static [&'static str],
}

/// The position to begin from, for games that usually begin as chess does.
pub const START_SETTING: OptionSpec =
    OptionSpec { key: "fen", words: "Start from this position (FEN)", range: OptionRange::Position(START) };

/// The fewest files and ranks of a board.
const FEWEST: u8 = 4;
/// The most.
const MOST: u8 = 8;

/// The number of files, as an option.
pub const FILES_SETTING: OptionSpec = side_setting("files", "Files of the board");
/// The number of ranks, as an option.
pub const RANKS_SETTING: OptionSpec = side_setting("ranks", "Ranks of the board");

const fn side_setting(key: &'static str, words: &'static str) -> OptionSpec {
    OptionSpec { key, words, range: OptionRange::Whole(FEWEST as i64, MOST as i64) }
}

/// The board of so many files and ranks.
///
/// # Errors
/// Refuses one that is not offered.
pub fn board_size(files: u8, ranks: u8) -> Result<Size, Refusal> {
    let offered = (FEWEST..=MOST).contains(&files) && (FEWEST..=MOST).contains(&ranks);
    Size::new(files, ranks)
        .filter(|_| offered)
        .ok_or_else(|| Refusal::at(0, format!("a board here has {FEWEST} to {MOST} files and ranks")))
}
