//! The processes that share one record: which of them are there, which one does what needs doing once, where bots think, and how the changes
//! of one reach the listeners of another.

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

/// A process says this often that it is there, in milliseconds.
pub(super) const ATTEND: i64 = 2_000;
/// A process that has not said so for this long is gone, in milliseconds.
pub(super) const GONE: i64 = 5_000;

/// A process may die between writing and telling: games that somebody listens to are looked at this often anyway.
const LOOK: Duration = Duration::from_secs(15);

/// The kind of work that a process does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// It answers requests, and thinks where no worker is there.
    Server,
    /// It does what takes long, and nothing else.
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

/// The others, as far as this process knows.
pub(super) struct Peers {
    role: Role,
    since: i64,
    /// This one does what needs doing once: flags, the lobby.
    first: AtomicBool,
    /// This one is the first of those that think: it measures.
    measures: AtomicBool,
    /// There are workers.
    workers: AtomicBool,
    /// Somewhere something happened, or a bot here has a place.
    pub(super) poke: Notify,
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
            poke: Notify::new(),
        }
    }

    /// Tells whether bots think here.
    pub(super) fn thinks(&self) -> bool {
        self.role == Role::Worker || !self.workers.load(Ordering::Relaxed)
    }

    /// Tells whether this process does what needs doing once.
    pub(super) fn first(&self) -> bool {
        self.first.load(Ordering::Relaxed)
    }

    /// Tells whether pieces are measured here.
    pub(super) fn measures(&self) -> bool {
        self.measures.load(Ordering::Relaxed)
    }
}

impl Play {
    /// Says that this process is there, where others share the record, and learns who else is; to be called again and again, every two seconds.
    ///
    /// # Errors
    /// `Busy` or `Full` where nothing can be written.
    pub async fn attend(&self) -> Result<(), Error> {
        let Some(name) = self.inner.store.process() else { return Ok(()) };
        let crew = &self.inner.crew;
        let now = self.now();
        let own = Heartbeat {
            name: name.to_owned(),
            role: crew.role.name().to_owned(),
            since: crew.since,
            now,
            until: now + GONE,
        };
        let present = self.inner.store.attend(own).await?;
        let worker = present.iter().find(|process| process.role == Role::Worker.name());
        let is_own = |name: &str| self.inner.store.process() == Some(name);
        crew.workers.store(worker.is_some(), Ordering::Relaxed);
        crew.first.store(present.first().is_some_and(|process| is_own(&process.name)), Ordering::Relaxed);
        let measures = worker.or(present.first()).is_some_and(|process| is_own(&process.name));
        crew.measures.store(measures, Ordering::Relaxed);
        Ok(())
    }

    /// Says that this process goes: what it did is for the others at once.
    ///
    /// # Errors
    /// As [`Self::attend`].
    pub async fn leave(&self) -> Result<(), Error> {
        Ok(self.inner.store.leave().await?)
    }

    /// The turn of a bot that is asked, as the record tells it to the others.
    pub(super) fn bot_turn(&self) -> BotTurn {
        let thinker = self.inner.store.process().filter(|_| self.inner.crew.thinks());
        BotTurn { since: self.now(), thinker: thinker.map(str::to_owned) }
    }

    /// Follows what other processes do, where there may be any, for as long as this one lives.
    pub async fn follow_others(&self) {
        let Some(mut others) = self.inner.store.others() else { return };
        let mut look = time::interval(LOOK);
        look.set_missed_tick_behavior(time::MissedTickBehavior::Delay);
        loop {
            let heard = tokio::select! {
                heard = others.recv() => heard,
                _ = look.tick() => Ok(PeerMessage::Missed),
            };
            self.inner.crew.poke.notify_one();
            let followed = match heard {
                Ok(PeerMessage::Change(change)) => self.follow(&change.game, change.version).await,
                Ok(PeerMessage::Missed) | Err(RecvError::Lagged(_)) => self.look_at_all().await,
                Err(RecvError::Closed) => return,
            };
            if let Err(error) = followed {
                tracing::warn!(%error, "what other processes did could not be read");
            }
        }
    }

    /// Reads a game again that is held here and has come to a version, if it has not been read since.
    pub(super) async fn follow(&self, game: &str, version: i64) -> Result<(), Error> {
        match self.inner.loaded.known(game) {
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

    /// Reads a game again that has come further elsewhere. Where it was written to, its bots are awake.
    async fn catch_up(&self, loaded: &Arc<LoadedGame>, version: i64) -> Result<(), Error> {
        let table = loaded.table();
        if table.version() < version {
            loaded.put(self.read(table.id()).await?);
        }
        Ok(())
    }
}
