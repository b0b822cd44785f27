//! Endgame values on the site. The pages and the API below share what [`super::endgame_cache`] keeps.

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
pub mod smallest_gaps;
pub mod statistics;
pub mod threshold_search;

pub use page::page;

use super::{App, Error, Kind};
use crate::play::{on_behalf_of, requester};
use std::time::Duration;
use tokio::time;
use tokio_util::task::AbortOnDropHandle;

/// How long a page waits before it says that it is at work.
const PATIENCE: Duration = Duration::from_secs(4);

/// How long a program waits: until shortly before the deadline of its request.
fn before_deadline(app: &App) -> Duration {
    app.options.limits.handler.saturating_sub(Duration::from_secs(1))
}

/// Waits for a result that is kept once it is found. If the client goes away, the work stops. If the client has waited for `patience`, the work
/// goes on, and the client is told to ask again.
///
/// # Errors
/// `Busy` after that time; the errors of the work.
async fn patiently<T: Send + 'static>(
    patience: Duration,
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    let mut working = AbortOnDropHandle::new(tokio::spawn(on_behalf_of(requester(), work)));
    match time::timeout(patience, &mut working).await {
        Ok(done) => done.map_err(Error::broken)?,
        Err(_) => {
            working.detach();
            let why = "This is being computed. The result is kept, so ask again.";
            Err(Error::new(Kind::Busy { retry_after: 2 }, why))
        }
    }
}
