//! Puzzles: the list of their kinds, the page of one puzzle, and the streak of daily puzzles solved. Only a cookie holds the streak.

pub mod api;
mod filter;
mod line;
pub mod missed;
mod page;
mod puzzle_board;

pub use page::{answer, fresh, list, show};

use super::{App, Error, cookies::Cookies, designer::form::notation, extract::Path};
use crate::{
    play,
    puzzles::{AnswerForm, Puzzle, PuzzleKind},
    store::{Attempt, Attempts},
};
use axum::{extract::FromRequestParts, http::request::Parts, response::Response};
use filter::Filter;
use quick_cache::sync::Cache;
use std::{convert::Infallible, sync::Arc, time::Duration};

/// The cookie: the last day and the length of the streak, such as `20780.5`.
const DAYS: (&str, &str) = ("puzzle", "days");

/// Most puzzles dealt to find one that fits a filter.
const DRAWS: usize = 100;
/// The same for puzzles from games, which take longer to deal.
const GAME_DRAWS: usize = 20;
/// CPU time reserved to find one.
const DRAWING: Duration = Duration::from_millis(300);

/// Path of a puzzle's page.
fn path(kind: PuzzleKind, number: u32) -> String {
    format!("/puzzles/{}/{number}", kind.key())
}

/// Name of a puzzle in the cookie of the score.
fn score_name(kind: PuzzleKind, number: u32) -> String {
    format!("{}.{number}", kind.key())
}

/// Parses the kind and the number in a path.
fn named(Path((kind, number)): Path<(String, String)>) -> Result<(PuzzleKind, u32), Error> {
    let kind = kind.parse::<PuzzleKind>().map_err(|wrong| Error::unknown(wrong.why))?;
    let most = u32::MAX;
    let number = number
        .parse()
        .map_err(|_| Error::unknown(format!("There is no such puzzle. The numbers range from 0 to {most}.")))?;
    Ok((kind, number))
}

/// A typed answer without the spaces around it. Of a design that is the name of a known piece, the notation.
fn read_answer(kind: PuzzleKind, text: &str) -> String {
    match kind.form() {
        AnswerForm::Design => notation(text.trim(), &[]),
        AnswerForm::Chips | AnswerForm::Offered | AnswerForm::Turn => text.trim().to_owned(),
    }
}

/// Maximum number of puzzles kept.
const KEPT: usize = 64;

/// Puzzles dealt last, by kind and number. Every press of the piece designer shows its puzzle again.
pub(super) struct DealtPuzzles(Cache<(&'static str, u32), Puzzle>);

impl Default for DealtPuzzles {
    fn default() -> Self {
        DealtPuzzles(Cache::new(KEPT))
    }
}

impl App {
    /// A puzzle, generated outside the async threads, and the numbers of attempts and solutions.
    async fn puzzle(&self, kind: PuzzleKind, number: u32) -> Result<(Puzzle, Attempts), Error> {
        let table = self.endgames.ready()?;
        let dealing = async { self.play.pools().lookups.run(move || Puzzle::deal(kind, number, &table)).await };
        let dealt = self.dealt_puzzles.0.get_or_insert_async(&(kind.key(), number), dealing).await?;
        let attempts = self.play.store().attempts(kind.key(), number).await.map_err(play::Error::from)?;
        Ok((dealt, attempts))
    }

    /// Draws the number of a puzzle that fits a filter; of a kind with few puzzles, the first one. `None` if none was found.
    async fn drawn(&self, kind: PuzzleKind, filter: Filter) -> Result<Option<u32>, Error> {
        if !filter.allows(kind) {
            return Ok(None);
        }
        let draws = match kind {
            PuzzleKind::Mate | PuzzleKind::Guess | PuzzleKind::Design => GAME_DRAWS,
            PuzzleKind::LeastBid
            | PuzzleKind::Answer
            | PuzzleKind::PaidMove
            | PuzzleKind::CoinMove
            | PuzzleKind::Promotion
            | PuzzleKind::Zugzwang => DRAWS,
        };
        let numbers = kind.numbers().map_or_else(
            || std::iter::repeat_with(|| self.play.puzzle()).take(draws).collect(),
            |numbers| numbers.to_vec(),
        );
        if let (Some(first), true) = (numbers.first(), filter.is_empty()) {
            return Ok(Some(*first));
        }
        let table = self.endgames.ready()?;
        let search = move |stop: &dyn Fn() -> bool| {
            let mut numbers = numbers.into_iter().take_while(|_| !stop());
            numbers.find(|number| filter.fits(&Puzzle::deal(kind, *number, &table)))
        };
        Ok(self.play.pools().lookups.run_costly(DRAWING, search).await?)
    }

    /// Grades an answer and counts it. An invalid answer is refused and not counted.
    async fn grade(&self, puzzle: &Puzzle, text: &str) -> Result<bool, Error> {
        let indent = text.len() - text.trim_start().len();
        let solved = puzzle.grade(&read_answer(puzzle.kind, text)).map_err(|wrong| {
            let error = Error::malformed(wrong.why).field("answer");
            match wrong.at {
                Some(at) => error.at(indent + at),
                None => error,
            }
        })?;
        let attempt = Attempt { kind: puzzle.kind.key().to_owned(), number: puzzle.number, solved };
        self.play.store().attempt(attempt).await.map_err(play::Error::from)?;
        Ok(solved)
    }

    /// Whether a puzzle is the daily one.
    fn is_daily(&self, kind: PuzzleKind, number: u32) -> bool {
        let today = self.day();
        (kind, number) == (PuzzleKind::of_day(today), today)
    }

    /// Days since the Unix epoch, in UTC. It is also the number of the daily puzzle.
    fn day(&self) -> u32 {
        u32::try_from(self.play.now() / 86_400_000).unwrap_or_default()
    }
}

/// The streak in a browser's cookie.
#[derive(Debug)]
pub struct Days {
    cookies: Cookies,
    last: u32,
    row: u32,
}

impl FromRequestParts<Arc<App>> for Days {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let cookies = Cookies::from_request_parts(parts, app).await?;
        let kept = cookies.get(DAYS.0, DAYS.1).and_then(|text| text.split_once('.'));
        let kept = kept.and_then(|(last, row)| Some((last.parse().ok()?, row.parse().ok()?)));
        let (last, row) = kept.unwrap_or_default();
        Ok(Days { cookies, last, row })
    }
}

/// The cookie of the score: points, puzzles solved, and the last one of them, such as `14.6.guess.17`.
const SCORE: (&str, &str) = ("puzzle", "score");

/// The score in a browser's cookie.
#[derive(Clone, Debug)]
pub struct Score {
    cookies: Cookies,
    /// Points in all.
    points: usize,
    /// Number of puzzles solved.
    solved: usize,
    last: String,
}

impl FromRequestParts<Arc<App>> for Score {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let cookies = Cookies::from_request_parts(parts, app).await?;
        let mut fields = cookies.get(SCORE.0, SCORE.1).unwrap_or_default().splitn(3, '.');
        let mut number = || fields.next().and_then(|field| field.parse().ok()).unwrap_or_default();
        let (points, solved) = (number(), number());
        let last = fields.next().unwrap_or_default().to_owned();
        Ok(Score { cookies, points, solved, last })
    }
}

impl Score {
    /// Whether a puzzle was the last one counted. Its name is unique.
    fn has_counted(&self, name: &str) -> bool {
        self.last == name
    }

    /// Adds a solved puzzle, unless it was the last one.
    fn keep(&self, mut response: Response, points: usize, name: &str) -> Response {
        if !self.has_counted(name) {
            let (points, solved) = (self.points.saturating_add(points), self.solved.saturating_add(1));
            self.cookies.set(&mut response, SCORE.0, SCORE.1, &format!("{points}.{solved}.{name}"));
        }
        response
    }
}

/// The daily puzzle for one browser.
pub(in crate::web) struct Daily {
    /// The kind.
    pub(in crate::web) kind: PuzzleKind,
    /// Address of its page.
    pub(in crate::web) link: String,
    /// Length of the streak in days.
    pub(in crate::web) row: u32,
    /// Whether today's puzzle is solved.
    pub(in crate::web) solved: bool,
}

impl Daily {
    pub(in crate::web) fn of(app: &App, days: &Days) -> Daily {
        let today = app.day();
        let kind = PuzzleKind::of_day(today);
        Daily { kind, link: path(kind, today), row: days.in_a_row(today), solved: days.solved(today) }
    }
}

impl Days {
    /// Length of the streak up to today, or up to yesterday if today's puzzle is not solved yet.
    pub(super) fn in_a_row(&self, today: u32) -> u32 {
        if self.last == today || self.last.checked_add(1) == Some(today) { self.row } else { 0 }
    }

    /// Whether today's puzzle is solved.
    pub(super) fn solved(&self, today: u32) -> bool {
        self.row > 0 && self.last == today
    }

    /// Stores in the cookie that today's puzzle is solved.
    pub(super) fn keep(&self, mut response: Response, today: u32) -> Response {
        if !self.solved(today) {
            let row = self.in_a_row(today).saturating_add(1);
            self.cookies.set(&mut response, DAYS.0, DAYS.1, &format!("{today}.{row}"));
        }
        response
    }
}
