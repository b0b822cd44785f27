//! Whether the record can be written, tried now and then.

use crate::play::{self, Play};

/// The last trial whether the record can be written. Whoever asks again within a second is told the same, and of several who ask at once
/// only one tries.
#[derive(Default)]
pub(super) struct Probe {
    last: tokio::sync::Mutex<Option<(i64, Result<(), play::Error>)>>,
}

/// The time for which a trial counts, in milliseconds.
const FRESH: i64 = 1_000;

impl Probe {
    /// Tries, unless that was done just now.
    pub(super) async fn ask(&self, play: &Play) -> Result<(), play::Error> {
        let mut last = self.last.lock().await;
        let now = play.now();
        if let Some((_, known)) = last.as_ref().filter(|(then, _)| (*then..then + FRESH).contains(&now)) {
            return known.clone();
        }
        let written = play.store().probe().await.map_err(play::Error::from);
        *last = Some((now, written.clone()));
        written
    }
}
