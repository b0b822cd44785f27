//! Answers that are worked out off the threads that answer requests.

use super::{App, client::Household, error::Error};

impl App {
    /// Works out an answer, one at a time for each address.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        Household(from): Household,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.play.pool().run(Some(from), work).await?
    }
}
