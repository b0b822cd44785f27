//! What the store counts and measures of itself.

use super::{Extent, Store, StoreError, extent};
use prometheus_client::metrics::histogram::Histogram;
use std::sync::atomic::Ordering;

/// A count of what the store has done since it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Jobs settled by a commit, refusals among them.
    pub jobs: u64,
    /// Commits, each of which waited for the disk.
    pub commits: u64,
    /// Jobs turned away because too many were waiting.
    pub busy: u64,
    /// Jobs of which nothing came because the database failed.
    pub failed: u64,
    /// Jobs that wait now.
    pub waiting: u64,
}

impl Store {
    /// Counts what was done so far.
    pub fn tally(&self) -> Tally {
        let monitor = &self.inner.monitor;
        Tally {
            jobs: monitor.jobs.load(Ordering::Relaxed),
            commits: monitor.commits.load(Ordering::Relaxed),
            busy: monitor.busy.load(Ordering::Relaxed),
            failed: monitor.failed.load(Ordering::Relaxed),
            waiting: self.inner.writer.waiting() as u64,
        }
    }

    /// The durations of all commits since the store was opened, in seconds.
    pub fn commit_times(&self) -> Histogram {
        self.inner.monitor.durations.clone()
    }

    /// Measures how large the record is. Looks at every game's key.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn extent(&self) -> Result<Extent, StoreError> {
        extent::measure(&self.inner.readers, self.inner.file.as_deref()).await
    }
}
