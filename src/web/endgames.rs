//! Endgame values: the pages and the API. Both share the tables and answers in [`super::endgame_cache`].

pub mod answer_schema;
pub mod api;
pub mod best_line;
mod bulk;
pub mod chart_data;
mod chip_query;
pub mod class_search;
pub mod downloads;
mod editor;
mod evaluation;
mod four_piece;
pub mod four_piece_tables;
pub mod heat_map;
mod mechanism_query;
mod page;
mod search_query;
pub mod smallest_gaps;
pub mod statistics;
pub mod threshold_search;

pub(super) use mechanism_query::Money;
pub use page::page;

use super::{App, Error, Kind, extract::Pairs};
use crate::play::{on_behalf_of, requester};
use std::time::Duration;
use tokio::time;
use tokio_util::task::AbortOnDropHandle;

/// Longest wait of a page for a computation. After that, the page says that the computation continues.
const PAGE_TIMEOUT: Duration = Duration::from_secs(4);

/// Longest wait of an API request: one second less than the deadline of its handler.
fn before_deadline(app: &App) -> Duration {
    app.options.limits.handler.saturating_sub(Duration::from_secs(1))
}

/// Refuses parameters other than `known`: a misspelt one would be ignored.
///
/// # Errors
/// If the query has another parameter.
fn refuse_others(query: &Pairs, known: &[&str]) -> Result<(), Error> {
    let Some((name, _)) = query.iter().find(|(name, _)| !known.contains(&name.as_str())) else { return Ok(()) };
    let why = format!("“{name}” is not a parameter. The parameters are {}.", known.join(", "));
    Err(Error::malformed(why).field(name))
}

/// Runs work whose result is cached. Cancels it if the client disconnects. After `patience` the work continues in the background, and the
/// client should retry.
///
/// # Errors
/// `Busy` after `patience`; the errors of the work.
async fn run_within<T: Send + 'static>(
    patience: Duration,
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    let mut working = AbortOnDropHandle::new(tokio::spawn(on_behalf_of(requester(), work)));
    match time::timeout(patience, &mut working).await {
        Ok(done) => done.map_err(Error::broken)?,
        Err(_) => {
            working.detach();
            let why = "This is still being computed. Retry in 2 seconds; the result is cached.";
            Err(Error::new(Kind::Busy { retry_after: 2 }, why))
        }
    }
}
