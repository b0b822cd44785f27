//! Processes that share one database: which are alive, which one leads, which ones run bots, and how changes by one process reach the
//! listeners of another.

use super::{Error, Play, game_cache::LoadedGame};
use crate::store::{BotTurn, Heartbeat, PeerMessage, Store};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::{Notify, broadcast::error::RecvError},
    time,
};

/// Interval between heartbeats of a process, in milliseconds.
pub(super) const ATTEND: i64 = 2_000;
/// Time without a heartbeat after which a process counts as dead, in milliseconds.
pub(super) const GONE: i64 = 5_000;

/// Interval between checks of all followed games, because a process may die after it writes a change and before it announces it.
const LOOK: Duration = Duration::from_secs(15);

/// Kind of process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Answers requests, and runs bots while there is no worker.
    Server,
    /// Runs long jobs only.
    Worker,
}

impl Role {
    fn name(self) -> &'static str {
        match self {
            Role::Server => "server",
            Role::Worker => "worker",
        }
    }
}

/// Other processes, as far as this one knows.
pub(super) struct Peers {
    role: Role,
    since: i64,
    /// True if this process is the leader, which does the jobs that must run once: expired clocks, the lobby.
    first: AtomicBool,
    /// True if this process measures pieces: the first worker, or the leader if there is none.
    measures: AtomicBool,
    /// True if there are workers.
    workers: AtomicBool,
    /// Notified when a game has changed or a bot place is free.
    pub(super) work: Notify,
}

impl Peers {
    pub(super) fn new(role: Role, since: i64, store: &Store) -> Peers {
        let alone = store.process().is_none();
        Peers {
            role,
            since,
            first: AtomicBool::new(alone),
            measures: AtomicBool::new(alone),
            workers: AtomicBool::new(false),
            work: Notify::new(),
        }
    }

    /// Returns whether this process runs bots.
    pub(super) fn thinks(&self) -> bool {
        self.role == Role::Worker || !self.workers.load(Ordering::Relaxed)
    }

    /// Returns whether this process is the leader.
    pub(super) fn first(&self) -> bool {
        self.first.load(Ordering::Relaxed)
    }

    /// Returns whether this process measures pieces.
    pub(super) fn measures(&self) -> bool {
        self.measures.load(Ordering::Relaxed)
    }
}

impl Play {
    /// Sends the heartbeat of this process where several share the database, and updates its view of the others. Call every two seconds.
    ///
    /// # Errors
    /// `Busy` or `Full` if the database cannot be written.
    pub async fn attend(&self) -> Result<(), Error> {
        let Some(name) = self.inner.store.process() else { return Ok(()) };
        let crew = &self.inner.peers;
        let now = self.now();
        let own = Heartbeat {
            name: name.to_owned(),
            role: crew.role.name().to_owned(),
            since: crew.since,
            now,
            until: now + GONE,
        };
        let present = self.inner.store.heartbeat(own).await?;
        let worker = present.iter().find(|process| process.role == Role::Worker.name());
        let is_own = |name: &str| self.inner.store.process() == Some(name);
        crew.workers.store(worker.is_some(), Ordering::Relaxed);
        crew.first.store(present.first().is_some_and(|process| is_own(&process.name)), Ordering::Relaxed);
        let measures = worker.or(present.first()).is_some_and(|process| is_own(&process.name));
        crew.measures.store(measures, Ordering::Relaxed);
        Ok(())
    }

    /// Signs off, so that the others take over the jobs of this process at once.
    ///
    /// # Errors
    /// As [`Self::attend`].
    pub async fn leave(&self) -> Result<(), Error> {
        Ok(self.inner.store.leave().await?)
    }

    /// Database entry for a pending turn of a bot.
    pub(super) fn bot_turn(&self) -> BotTurn {
        let thinker = self.inner.store.process().filter(|_| self.inner.peers.thinks());
        BotTurn { since: self.now(), thinker: thinker.map(str::to_owned) }
    }

    /// Follows the changes of other processes, if there can be any, until the store is closed.
    pub async fn follow_others(&self) {
        let Some(mut others) = self.inner.store.peer_messages() else { return };
        let mut look = time::interval(LOOK);
        look.set_missed_tick_behavior(time::MissedTickBehavior::Delay);
        loop {
            let heard = tokio::select! {
                heard = others.recv() => heard,
                _ = look.tick() => Ok(PeerMessage::Missed),
            };
            self.inner.peers.work.notify_one();
            let followed = match heard {
                Ok(PeerMessage::Change(change)) => self.follow(&change.game, change.version).await,
                Ok(PeerMessage::Missed) | Err(RecvError::Lagged(_)) => self.look_at_all().await,
                Err(RecvError::Closed) => return,
            };
            if let Err(error) = followed {
                tracing::warn!(%error, "reading the changes of other processes failed");
            }
        }
    }

    /// Updates a game in memory to at least this version.
    pub(super) async fn follow(&self, game: &str, version: i64) -> Result<(), Error> {
        match self.inner.loaded.get_loaded(game) {
            Some(loaded) => self.catch_up(&loaded, version).await,
            None => Ok(()),
        }
    }

    async fn look_at_all(&self) -> Result<(), Error> {
        for loaded in self.inner.loaded.followed() {
            let row = self.inner.store.game(loaded.table().id()).await?;
            if let Some(row) = row {
                self.catch_up(&loaded, row.version).await?;
            }
        }
        Ok(())
    }

    /// Reads a game again if the database has a newer version. The process that wrote it has woken its bots.
    async fn catch_up(&self, loaded: &Arc<LoadedGame>, version: i64) -> Result<(), Error> {
        let table = loaded.table();
        if table.version() < version {
            loaded.put(self.read(table.id()).await?);
        }
        Ok(())
    }
}
