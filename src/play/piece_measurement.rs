//! The worth of pieces, measured in the background: one after another, only while no bot thinks, as many pairs of games as [`MOST`], and
//! kept as they go, so that a piece that was asked for once is known to everybody, and goes on by itself where it stood when the site is
//! started again.

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

/// The pairs of games that a piece plays.
const MOST: u32 = 600;
/// The pieces that may wait.
const WAITING: usize = 64;
/// The pieces of one address that may wait.
const OF_ADDRESS: usize = 2;
/// The seconds after which an address with as many pieces waiting may ask again.
const RETRY_AFTER: u64 = 60;
/// The number that decides all chance: another piece of the same moves plays the same games.
const SEED: u64 = 1;
/// The wait for bots that think, in milliseconds, and the longest rest after a pair.
const REST: u64 = 200;
/// The same.
const LONGEST_REST: u64 = 5_000;

/// The results of a piece so far.
#[derive(Clone, Copy, Debug)]
pub struct Weighing {
    /// The results.
    pub pairs: PairedResults,
    /// The number of pairs after which it is measured.
    pub most: u32,
    /// It is being measured, or waits for its turn.
    pub running: bool,
}

/// What waits, and what is being measured: the first of them.
#[derive(Default)]
pub(super) struct MeasurementQueue {
    queue: Mutex<VecDeque<(String, Arc<Trial>)>>,
    /// The armies that each address has asked for and that are not measured to the end. Held by the request that adds one.
    shares: tokio::sync::Mutex<HashMap<Option<IpAddr>, Vec<String>>>,
}

impl Play {
    /// The results of a piece so far; all zero if nobody has asked for it yet.
    ///
    /// # Errors
    /// `Refused` if the piece cannot be measured; `Busy` as every question to the record.
    pub async fn measured(&self, piece: &Betza) -> Result<Weighing, Error> {
        let army = self.trial(piece).await?.name();
        let kept = self.inner.store.measured(&army).await?;
        let running = kept.is_some();
        let pairs = kept.map_or_else(|| Ok(PairedResults::default()), |kept| kept.parse().map_err(Error::Broken))?;
        Ok(Weighing { pairs, most: MOST, running: running && pairs.played() < MOST })
    }

    /// Has a piece measured for an address, unless it is already.
    ///
    /// # Errors
    /// `Refused` if the piece cannot be measured; `Busy` if too many wait; `Often` if as many of this address wait as may.
    pub async fn measure(&self, piece: &Betza) -> Result<(), Error> {
        let trial = self.trial(piece).await?;
        let army = trial.name();
        if self.kept_pairs(&army).await?.played() >= MOST {
            return Ok(());
        }
        let mut shares = self.inner.scales.shares.lock().await;
        let unfinished = self.unfinished().await?;
        let waits = |army: &String| unfinished.iter().any(|(_, known)| known == army);
        if !waits(&army) {
            shares.retain(|_, armies| {
                armies.retain(waits);
                !armies.is_empty()
            });
            if shares.get(&requester()).is_some_and(|armies| armies.len() >= OF_ADDRESS) {
                let why = format!("{OF_ADDRESS} pieces that your address asked for are still to be measured");
                return Err(Error::Often { why, retry_after: RETRY_AFTER });
            }
            if unfinished.len() >= WAITING {
                return Err(Error::Busy);
            }
            shares.entry(requester()).or_default().push(army.clone());
        }
        // Before it waits: whoever stops the site stops nothing that was promised.
        self.inner.store.begin_measuring(self.measurement(&army, PairedResults::default())).await?;
        drop(shares);
        if self.inner.crew.measures() {
            self.queue(army, trial);
        }
        Ok(())
    }

    /// The trial of a piece, compiled off the threads that answer requests.
    async fn trial(&self, piece: &Betza) -> Result<Trial, Error> {
        let tried = TrialArmy::Piece(piece.clone());
        Ok(self.inner.pools.lookups.run(move || Trial::new(&tried)).await??)
    }

    /// Goes on with what somebody waits for, if pieces are measured here; to be called again and again.
    ///
    /// # Errors
    /// `Busy` as every question to the record.
    pub async fn resume_measuring(&self) -> Result<(), Error> {
        if !self.inner.crew.measures() {
            return Ok(());
        }
        for (_, army) in self.unfinished().await? {
            match Trial::named(&army) {
                Some(trial) => self.queue(army, trial),
                None => tracing::warn!(army, "measured army cannot be read"),
            }
        }
        Ok(())
    }

    /// The armies that are not measured to the end, with the pairs that they have played, those that were begun first.
    async fn unfinished(&self) -> Result<Vec<(u32, String)>, Error> {
        let mut cut = Vec::new();
        for Measurement { army, pairs, .. } in self.inner.store.measurements().await? {
            match pairs.parse::<PairedResults>() {
                Ok(pairs) if pairs.played() < MOST => cut.push((pairs.played(), army)),
                Ok(_) => {}
                Err(_) => tracing::warn!(army, "measured results cannot be read"),
            }
        }
        // What was begun comes before what only waited.
        cut.sort_by_key(|(played, ..)| *played == 0);
        Ok(cut)
    }

    /// Puts a piece behind those that wait, unless it is among them.
    fn queue(&self, army: String, trial: Trial) {
        let mut queue = self.inner.scales.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.iter().any(|(known, _)| *known == army) {
            return;
        }
        queue.push_back((army, Arc::new(trial)));
        if queue.len() == 1 {
            tokio::spawn(self.clone().weigh());
        }
    }

    fn measurement(&self, army: &str, pairs: PairedResults) -> Measurement {
        Measurement { army: army.to_owned(), pairs: pairs.to_string(), time: self.now() }
    }

    async fn kept_pairs(&self, army: &str) -> Result<PairedResults, Error> {
        let kept = self.inner.store.measured(army).await?;
        kept.map_or_else(|| Ok(PairedResults::default()), |kept| kept.parse().map_err(Error::Broken))
    }

    /// Measures what waits, until nothing does.
    async fn weigh(self) {
        loop {
            let first = self.inner.scales.queue.lock().unwrap_or_else(PoisonError::into_inner).front().cloned();
            let Some((army, trial)) = first else { return };
            if let Err(error) = self.weigh_one(&army, &trial).await {
                tracing::warn!(%error, "a piece could not be measured");
            }
            let mut queue = self.inner.scales.queue.lock().unwrap_or_else(PoisonError::into_inner);
            queue.pop_front();
            // In the same breath as the look at the queue, so that whoever joins it then wakes the next.
            if queue.is_empty() {
                return;
            }
        }
    }

    async fn weigh_one(&self, army: &str, trial: &Arc<Trial>) -> Result<(), Error> {
        let mut pairs = self.kept_pairs(army).await?;
        while pairs.played() < MOST && self.inner.crew.measures() {
            while self.inner.bots.thinking() > 0 {
                tokio::time::sleep(Duration::from_millis(REST)).await;
            }
            let (begun, number, trial) = (self.now(), u64::from(pairs.played()), trial.clone());
            let played = self.inner.pools.batch.run(move || trial.pair(SEED, number, &mut |_| false)).await?;
            let half_points = played.ok_or_else(|| Error::Broken("a game broke off".to_owned()))?;
            pairs.count(half_points);
            self.inner.store.measure(self.measurement(army, pairs)).await?;
            // As long a rest as the work took: half a processor at most.
            let took = u64::try_from(self.now() - begun).unwrap_or_default().min(LONGEST_REST);
            tokio::time::sleep(Duration::from_millis(took)).await;
        }
        Ok(())
    }
}
