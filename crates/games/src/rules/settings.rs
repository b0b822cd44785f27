//! Options of a variant: ranges, presets, help texts and board sizes.

use super::protocol::Refusal;
use crate::board::{START, Size};

/// Two lines of help for players who are new to a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskHelp {
    /// The task, as returned by [`Input::task`](super::Input::task).
    pub task: &'static str,
    /// The lines.
    pub lines: [&'static str; 2],
}

impl TaskHelp {
    /// Help on moving, where a turn is a move.
    pub const fn of_moves(lines: [&'static str; 2]) -> Self {
        TaskHelp { task: "move", lines }
    }
}

/// One option of a variant, for forms and for the API. Its type is the type of its default value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// Name of the field in the options record.
    pub key: &'static str,
    /// Short description.
    pub words: &'static str,
    /// Allowed values.
    pub range: OptionRange,
}

/// A way to play a variant inside another game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capability {
    /// A coin or an auction decides who moves.
    Auction,
    /// Sealed bids before the game decide who plays which side, and with which handicap.
    Handicap,
}

/// Allowed values of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionRange {
    /// On or off.
    Flag,
    /// Whole number between two bounds, both included.
    Whole(i64, i64),
    /// Money between two bounds. Stored in tenths of a zorkmid, written in zorkmids.
    Money(i64, i64),
    /// Money up to a limit, stored in tenths of a zorkmid. 0 means no limit and is written as an empty text.
    Cap(i64),
    /// Number of turns up to a limit. −1 means never and is written as an empty text.
    Turns(i64),
    /// One of several values, each with its description.
    Word(&'static [(&'static str, &'static str)]),
    /// Key of a variant with this capability.
    Game(Capability),
    /// Position as FEN, with an example; empty for the usual one.
    Position(&'static str),
    /// Text, with an example.
    Text(&'static str),
}

impl OptionRange {
    /// Bounds of the stored number.
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

    /// Stored number that means “none”, with its description.
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

    /// Whether the value is stored in tenths of a zorkmid.
    pub const fn is_money(self) -> bool {
        matches!(self, OptionRange::Money(..) | OptionRange::Cap(_))
    }

    /// Formats a stored number for players. Empty for the number that means “none”.
    pub fn written(self, number: i64) -> String {
        match self.none() {
            Some((none, _)) if number == none => String::new(),
            Some(_) | None if !self.is_money() => number.to_string(),
            Some(_) | None if number % 10 == 0 => (number / 10).to_string(),
            Some(_) | None => format!("{}.{}", number / 10, number % 10),
        }
    }

    /// Parses a player's input into the stored number.
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

    /// Describes the allowed numbers to players.
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

/// Description of a preset, where a variant has several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PresetDescription {
    /// Name of the preset.
    pub preset: &'static str,
    /// One sentence on the differences.
    pub words: &'static str,
    /// Keys of the options that belong to this preset. Players who choose it rarely change any others.
    pub options: &'static [&'static str],
}

/// Starting position, for variants that usually start as chess does.
pub const START_SETTING: OptionSpec =
    OptionSpec { key: "fen", words: "Start from this position (FEN)", range: OptionRange::Position(START) };

/// Fewest files and ranks of a board.
const FEWEST: u8 = 4;
/// Most files and ranks of a board.
const MOST: u8 = 8;

/// The option for the number of files.
pub const FILES_SETTING: OptionSpec = side_setting("files", "Files of the board");
/// The option for the number of ranks.
pub const RANKS_SETTING: OptionSpec = side_setting("ranks", "Ranks of the board");

const fn side_setting(key: &'static str, words: &'static str) -> OptionSpec {
    OptionSpec { key, words, range: OptionRange::Whole(FEWEST as i64, MOST as i64) }
}

/// The board size with these numbers of files and ranks.
///
/// # Errors
/// If the size is not offered.
pub fn board_size(files: u8, ranks: u8) -> Result<Size, Refusal> {
    let offered = (FEWEST..=MOST).contains(&files) && (FEWEST..=MOST).contains(&ranks);
    Size::new(files, ranks)
        .filter(|_| offered)
        .ok_or_else(|| Refusal::at(0, format!("the board must have {FEWEST} to {MOST} files and ranks")))
}
