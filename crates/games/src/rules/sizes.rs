//! The boards on which designed pieces are played: which sizes are offered, in one place for every variant that offers them.

use super::{
    refusal::Refusal,
    setting::{Range, Setting},
};
use crate::board::Size;

/// The fewest files and ranks of a board.
const FEWEST: u8 = 4;
/// The most.
const MOST: u8 = 8;

/// The number of files, as an option.
pub const FILES_SETTING: Setting = side("files", "Files of the board");
/// The number of ranks, as an option.
pub const RANKS_SETTING: Setting = side("ranks", "Ranks of the board");

const fn side(key: &'static str, words: &'static str) -> Setting {
    Setting { key, words, range: Range::Whole(FEWEST as i64, MOST as i64) }
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
