//! The processes that share one record: which of them are there, which one does what needs doing once, and where bots think. Where the
//! record is this process' own, it does everything.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

use super::{Error, Play};
use crate::store::{Attendance, BotTurn, Store};

/// A process says this often that it is there, in milliseconds.
pub(super) const ATTEND: i64 = 2_000;
/// A process that has not said so for this long is gone, in milliseconds.
pub(super) const GONE: i64 = 5_000;

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
pub(super) struct Crew {
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

impl Crew {
    pub(super) fn new(role: Role, since: i64, store: &Store) -> Crew {
        let alone = store.process().is_none();
        Crew {
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
        let own = Attendance {
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
}
