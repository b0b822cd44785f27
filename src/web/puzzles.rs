//! Puzzles: the list of their kinds, the page of one, and the days on which the daily one was solved, which only the browser knows.

pub mod api;
mod days;
mod figure;
mod page;

pub(super) use days::Daily;
pub use days::Days;
pub use page::{answer, fresh, list, show};

use super::{App, Error, extract::Path};
use crate::{
    play,
    puzzles::{Puzzle, PuzzleKind},
    store::{Attempt, Attempts},
};

/// The path of a puzzle's page.
fn path(kind: PuzzleKind, number: u32) -> String {
    format!("/puzzles/{}/{number}", kind.key())
}

/// The kind and the number that a path names.
fn named(Path((kind, number)): Path<(String, String)>) -> Result<(PuzzleKind, u32), Error> {
    let kind = kind.parse::<PuzzleKind>().map_err(|wrong| Error::unknown(wrong.why))?;
    let most = u32::MAX;
    let number = number
        .parse()
        .map_err(|_| Error::unknown(format!("There is no such puzzle: their numbers go from 0 to {most}.")))?;
    Ok((kind, number))
}

impl App {
    /// A puzzle, dealt beside the requests of others, and how many have solved it.
    async fn puzzle(&self, kind: PuzzleKind, number: u32) -> Result<(Puzzle, Attempts), Error> {
        let table = self.endgames.ready()?;
        let dealt = self.play.pools().lookups.run(move || Puzzle::deal(kind, number, &table)).await?;
        let attempts = self.play.store().attempts(kind.key(), number).await.map_err(play::Error::from)?;
        Ok((dealt, attempts))
    }

    /// Grades an answer and counts it. What is no answer is refused, and not counted.
    async fn grade(&self, puzzle: &Puzzle, text: &str) -> Result<bool, Error> {
        let solved = puzzle.grade(text).map_err(|wrong| Error::malformed(wrong.why).field("answer"))?;
        let attempt = Attempt { kind: puzzle.kind.key().to_owned(), number: puzzle.number, solved };
        self.play.store().attempt(attempt).await.map_err(play::Error::from)?;
        Ok(solved)
    }

    /// Whether a puzzle is the daily one.
    fn is_daily(&self, kind: PuzzleKind, number: u32) -> bool {
        let today = self.day();
        (kind, number) == (PuzzleKind::of_day(today), today)
    }

    /// The day, in days since the epoch. The daily puzzle changes when it does in Greenwich, and has its number.
    fn day(&self) -> u32 {
        u32::try_from(self.play.now() / 86_400_000).unwrap_or_default()
    }
}
