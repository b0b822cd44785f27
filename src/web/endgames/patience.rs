//! Waiting for results that are kept once they are found.

use std::time::Duration;

use tokio::time;
use tokio_util::task::AbortOnDropHandle;

use crate::{
    play::{on_behalf_of, requester},
    web::{Error, Kind},
};

/// How long a client waits before it is told to ask again.
const PATIENCE: Duration = Duration::from_secs(4);

/// Waits for a result that is kept once it is found. If the client goes away, the work stops. If the client has waited for some seconds, the work
/// goes on, and the client is told to ask again.
///
/// # Errors
/// `Busy` after that time; the errors of the work.
pub(super) async fn patiently<T: Send + 'static>(
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    let mut working = AbortOnDropHandle::new(tokio::spawn(on_behalf_of(requester(), work)));
    match time::timeout(PATIENCE, &mut working).await {
        Ok(done) => done.map_err(Error::broken)?,
        Err(_) => {
            working.detach();
            let why = "This is being computed. The result is kept, so ask again.";
            Err(Error::new(Kind::Busy { retry_after: 2 }, why))
        }
    }
}
