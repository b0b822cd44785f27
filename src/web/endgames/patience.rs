//! Waiting for results that are kept once they are found.

use std::time::Duration;

use tokio::time;
use tokio_util::task::AbortOnDropHandle;

use crate::{
    play::{on_behalf_of, requester},
    web::{App, Error, Kind},
};

/// How long a page waits before it says that it is at work.
pub(super) const PATIENCE: Duration = Duration::from_secs(4);

/// How long a program waits: until shortly before the deadline of its request.
pub(super) fn before_deadline(app: &App) -> Duration {
    app.options.limits.handler.saturating_sub(Duration::from_secs(1))
}

/// Waits for a result that is kept once it is found. If the client goes away, the work stops. If the client has waited for `patience`, the work
/// goes on, and the client is told to ask again.
///
/// # Errors
/// `Busy` after that time; the errors of the work.
pub(super) async fn patiently<T: Send + 'static>(
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
