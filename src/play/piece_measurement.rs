//! Piece values, measured in the background by playing [`MOST`] pairs of games per piece, one piece at a time and only while no bot thinks.
//! Results are stored after every pair. So every piece is measured once for all visitors, and a measurement continues after a restart.

use std::{
    collections::{HashMap, VecDeque},
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use super::{Error, Play, requester};
use crate::{
    board::Betza,
    bots::{PairedResults, Trial, TrialArmy},
    store::Measurement,
};

/// Number of pairs of games per piece.
const MOST: u32 = 600;
/// Maximum number of waiting pieces.
const WAITING: usize = 64;
/// Maximum number of waiting pieces per address.
const OF_ADDRESS: usize = 2;
/// `Retry-After` in seconds for an address with too many waiting pieces.
const RETRY_AFTER: u64 = 60;
/// Fixed seed, so that another piece with the same moves plays the same games.
const SEED: u64 = 1;
/// Interval between checks for thinking bots, in milliseconds.
const REST: u64 = 200;
/// Maximum pause after a pair, in milliseconds.
const LONGEST_REST: u64 = 5_000;

/// Measurement of a piece so far.
#[derive(Clone, Copy, Debug)]
pub struct MeasurementStatus {
    /// Results of the pairs played.
    pub pairs: PairedResults,
    /// Number of pairs in a complete measurement.
    pub most: u32,
    /// True if the measurement is running or waiting.
    pub running: bool,
}

/// Pieces to measure; the first one is being measured.
#[derive(Default)]
pub(super) struct MeasurementQueue {
    queue: Mutex<VecDeque<(String, Arc<Trial>)>>,
    /// Unfinished armies that each address has requested. Locked while a request adds one.
    shares: tokio::sync::Mutex<HashMap<Option<IpAddr>, Vec<String>>>,
}

impl Play {
    /// Results of a piece so far; all zero if its measurement was never requested.
    ///
    /// # Errors
    /// `Refused` if the piece cannot be measured; `Busy`, or a database error.
    pub async fn measured(&self, piece: &Betza) -> Result<MeasurementStatus, Error> {
        let army = self.trial(piece).await?.name();
        let kept = self.inner.store.measured(&army).await?;
        let running = kept.is_some();
        let pairs = kept.map_or_else(|| Ok(PairedResults::default()), |kept| kept.parse().map_err(Error::Broken))?;
        Ok(MeasurementStatus { pairs, most: MOST, running: running && pairs.played() < MOST })
    }

    /// Requests the measurement of a piece for the client's address, unless it is complete.
    ///
    /// # Errors
    /// `Refused` if the piece cannot be measured; `Busy` if too many pieces wait; `Often` if too many of this address wait.
    pub async fn measure(&self, piece: &Betza) -> Result<(), Error> {
        let trial = self.trial(piece).await?;
        let army = trial.name();
        if self.kept_pairs(&army).await?.played() >= MOST {
            return Ok(());
        }
        let mut shares = self.inner.measurements.shares.lock().await;
        let unfinished = self.unfinished().await?;
        let waits = |army: &String| unfinished.iter().any(|(_, known)| known == army);
        if !waits(&army) {
            shares.retain(|_, armies| {
                armies.retain(waits);
                !armies.is_empty()
            });
            if shares.get(&requester()).is_some_and(|armies| armies.len() >= OF_ADDRESS) {
                let why =
                    format!("{OF_ADDRESS} pieces from your address are still waiting to be measured; try again later");
                return Err(Error::Often { why, retry_after: RETRY_AFTER });
            }
            if unfinished.len() >= WAITING {
                return Err(Error::Busy);
            }
            shares.entry(requester()).or_default().push(army.clone());
        }
        // Stored before it is queued, so that a restart cannot lose it.
        self.inner.store.begin_measuring(self.measurement(&army, PairedResults::default())).await?;
        drop(shares);
        if self.inner.peers.measures() {
            self.queue(army, trial);
        }
        Ok(())
    }

    /// Compiles the trial of a piece, in a pool because it takes a while.
    async fn trial(&self, piece: &Betza) -> Result<Trial, Error> {
        let tried = TrialArmy::Piece(piece.clone());
        Ok(self.inner.pools.lookups.run(move || Trial::new(&tried)).await??)
    }

    /// Queues all unfinished measurements, if this process measures pieces. Call periodically.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn resume_measuring(&self) -> Result<(), Error> {
        if !self.inner.peers.measures() {
            return Ok(());
        }
        for (_, army) in self.unfinished().await? {
            match Trial::named(&army) {
                Some(trial) => self.queue(army, trial),
                None => tracing::warn!(army, "stored army cannot be read"),
            }
        }
        Ok(())
    }

    /// Unfinished armies with their number of played pairs; those already begun come first.
    async fn unfinished(&self) -> Result<Vec<(u32, String)>, Error> {
        let mut cut = Vec::new();
        for Measurement { army, pairs, .. } in self.inner.store.measurements().await? {
            match pairs.parse::<PairedResults>() {
                Ok(pairs) if pairs.played() < MOST => cut.push((pairs.played(), army)),
                Ok(_) => {}
                Err(_) => tracing::warn!(army, "stored measurement cannot be read"),
            }
        }
        cut.sort_by_key(|(played, ..)| *played == 0);
        Ok(cut)
    }

    /// Appends a piece to the queue, unless it is queued already.
    fn queue(&self, army: String, trial: Trial) {
        let mut queue = self.inner.measurements.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.iter().any(|(known, _)| *known == army) {
            return;
        }
        queue.push_back((army, Arc::new(trial)));
        if queue.len() == 1 {
            tokio::spawn(self.clone().measure_queue());
        }
    }

    fn measurement(&self, army: &str, pairs: PairedResults) -> Measurement {
        Measurement { army: army.to_owned(), pairs: pairs.to_string(), time: self.now() }
    }

    async fn kept_pairs(&self, army: &str) -> Result<PairedResults, Error> {
        let kept = self.inner.store.measured(army).await?;
        kept.map_or_else(|| Ok(PairedResults::default()), |kept| kept.parse().map_err(Error::Broken))
    }

    /// Measures the queued pieces until the queue is empty.
    async fn measure_queue(self) {
        loop {
            let first = self.inner.measurements.queue.lock().unwrap_or_else(PoisonError::into_inner).front().cloned();
            let Some((army, trial)) = first else { return };
            if let Err(error) = self.weigh_one(&army, &trial).await {
                tracing::warn!(%error, "piece measurement failed");
            }
            let mut queue = self.inner.measurements.queue.lock().unwrap_or_else(PoisonError::into_inner);
            queue.pop_front();
            // Checked under the same lock as the removal, so that a piece added later starts a new task.
            if queue.is_empty() {
                return;
            }
        }
    }

    async fn weigh_one(&self, army: &str, trial: &Arc<Trial>) -> Result<(), Error> {
        let mut pairs = self.kept_pairs(army).await?;
        while pairs.played() < MOST && self.inner.peers.measures() {
            while self.inner.bots.thinking() > 0 {
                tokio::time::sleep(Duration::from_millis(REST)).await;
            }
            let (begun, number, trial) = (self.now(), u64::from(pairs.played()), trial.clone());
            let played = self.inner.pools.batch.run(move || trial.pair(SEED, number, &mut |_| false)).await?;
            let half_points = played.ok_or_else(|| Error::Broken("a measurement game stopped early".to_owned()))?;
            pairs.count(half_points);
            self.inner.store.measure(self.measurement(army, pairs)).await?;
            // Pause for the duration of the work, which thus uses at most half a processor.
            let took = u64::try_from(self.now() - begun).unwrap_or_default().min(LONGEST_REST);
            tokio::time::sleep(Duration::from_millis(took)).await;
        }
        Ok(())
    }
}
