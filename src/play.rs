//! All that can happen to a game: begin, join, look, act; and chance, the clocks and the bots answer. The only place that draws
//! chance. It knows no HTTP, and no variant.

mod act;
mod assessments;
mod background_jobs;
mod bot_players;
mod budget;
mod client_bots;
mod create_game;
mod game_cache;
mod identifiers;
mod join;
pub mod json_patch;
mod key_events;
mod lobby;
mod notifications;
mod outage_recovery;
mod outbox;
mod peers;
mod piece_measurement;
mod player_keys;
mod rematch;
mod review;
mod snapshot;
mod table_advice;
mod worker_pool;

pub use act::ActionResult;
pub use assessments::{Hint, Lapse, Review, TableAdvice};
pub use bot_players::courtesy;
pub use budget::{Budget, Meter, on_behalf_of, requester};
pub use client_bots::{MOST_GAMES, Opponent, Program, Repertoire, TimeBudget};
pub use create_game::{Begin, CreatedGame, SeatPreference};
pub use game_cache::Listener;
pub use identifiers::{Name, Token};
pub use join::{JoinRequest, TakenSeat};
pub use key_events::{KeyEvent, KeyListener};
pub use lobby::Found;
pub use notifications::{Channel, Delivery, Notice};
pub use outbox::Message;
pub use piece_measurement::Weighing;
pub use player_keys::{OwnGames, Owner};
pub use review::Reviewing;
pub use snapshot::GameSnapshot;
pub use worker_pool::{Pool, PoolLimits, Pools, background, give_way};

use crate::{
    board::{Color, Position},
    rules::Refusal,
    store::{Store, StoreError},
    variants::bookie,
};
use prometheus_client::metrics::histogram::Histogram;
use rand::{Rng, RngExt};
use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

/// Why something did not happen.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// There is no such game, variant or invitation.
    #[error("{0}")]
    Unknown(String),
    /// The game has moved on; `ply` is where it stands.
    #[error("the game has moved on: it stands at ply {ply}")]
    Stale {
        /// Where the game stands.
        ply: usize,
    },
    /// The rules, or the server, do not allow it.
    #[error("{0}")]
    Refused(Refusal),
    /// The `Idempotency-Key` of the request cannot be used: it is no key, or was used for something else.
    #[error("{0}")]
    Key(String),
    /// Too much at once: try again in a moment.
    #[error("too much is going on; try again in a moment")]
    Busy,
    /// The client's address has used up its share of something.
    #[error("{why}")]
    Often {
        /// What it has used up, and what to do.
        why: String,
        /// Seconds after which it may ask again.
        retry_after: u64,
    },
    /// Nothing can be written now; what was acknowledged is safe.
    #[error("{0}")]
    Full(String),
    /// The record cannot be reached now; what was acknowledged is safe.
    #[error("{0}")]
    Away(String),
    /// Our own fault.
    #[error("{0}")]
    Broken(String),
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Error::Refused(refusal)
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy | StoreError::Closed => Error::Busy,
            StoreError::Full(_) => Error::Full(error.to_string()),
            StoreError::Away(_) => Error::Away(error.to_string()),
            StoreError::Unkept => {
                Error::Unknown("there is nothing of this name: it holds a character that no name has".to_owned())
            }
            StoreError::NoGame(id) => Error::Unknown(format!("there is no game {id}")),
            StoreError::NoInvitation => Error::Unknown(
                "there is no such invitation: check the code for a slip, or ask for a new one".to_owned(),
            ),
            StoreError::Used => Error::Refused(Refusal::new(
                "this invitation has been used: somebody else sits there now. You can still watch the game",
            )),
            other => Error::Broken(other.to_string()),
        }
    }
}

/// The tables at which games are played.
#[derive(Clone)]
pub struct Play {
    inner: Arc<Inner>,
}

struct Inner {
    chance: Mutex<Box<dyn Rng + Send>>,
    now: Arc<dyn Fn() -> i64 + Send + Sync>,
    store: Store,
    loaded: game_cache::LoadedGames,
    /// The games whose clocks cannot be judged, because their records cannot be read.
    unreadable: Mutex<HashSet<String>>,
    /// Held by whoever looks for an opponent.
    search: tokio::sync::Mutex<()>,
    /// The lobby as it stood a moment ago.
    board: tokio::sync::Mutex<lobby::Board>,
    /// Held by whoever puts a game into the lobby.
    offers: tokio::sync::Mutex<lobby::Offers>,
    bots: bot_players::BotQueue,
    crew: peers::Peers,
    pools: Arc<Pools>,
    budget: Arc<Budget>,
    advisor: table_advice::Advisor,
    scales: piece_measurement::MeasurementQueue,
    /// The secret with which this site signs what it sends to browsers, once it has been needed.
    signer: tokio::sync::OnceCell<[u8; 32]>,
    /// Notified when the outbox has changed.
    outbox: tokio::sync::Notify,
    outages: outage_recovery::Outages,
}

impl Play {
    /// Tables whose every draw comes from `chance`, whose record is `store`, and which ask `now` for the time in milliseconds
    /// since the epoch.
    pub fn new(chance: impl Rng + Send + 'static, store: Store, now: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Play::with_role(peers::Role::Server, bot_players::THINKING, chance, store, now)
    }

    /// The tables of a worker, at which so many bots think at the same time; else as [`Self::new`].
    pub fn of_worker(
        places: usize,
        chance: impl Rng + Send + 'static,
        store: Store,
        now: impl Fn() -> i64 + Send + Sync + 'static,
    ) -> Self {
        Play::with_role(peers::Role::Worker, places, chance, store, now)
    }

    fn with_role(
        role: peers::Role,
        places: usize,
        chance: impl Rng + Send + 'static,
        store: Store,
        now: impl Fn() -> i64 + Send + Sync + 'static,
    ) -> Self {
        let now: Arc<dyn Fn() -> i64 + Send + Sync> = Arc::new(now);
        let budget = Arc::new(Budget::new(now.clone()));
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let inner = Inner {
            crew: peers::Peers::new(role, now(), &store),
            chance: Mutex::new(Box::new(chance)),
            now,
            store,
            loaded: game_cache::LoadedGames::default(),
            unreadable: Mutex::default(),
            search: tokio::sync::Mutex::default(),
            board: tokio::sync::Mutex::default(),
            offers: tokio::sync::Mutex::default(),
            bots: bot_players::BotQueue::new(places),
            pools: Arc::new(Pools::new(processors, &budget)),
            budget,
            advisor: table_advice::Advisor::default(),
            scales: piece_measurement::MeasurementQueue::default(),
            signer: tokio::sync::OnceCell::new(),
            outbox: tokio::sync::Notify::new(),
            outages: outage_recovery::Outages::default(),
        };
        Play { inner: Arc::new(inner) }
    }

    /// Deals a whole board of Bookie Chess, White to move.
    pub fn bookie_board(&self) -> Result<Position, bookie::DealError> {
        self.draw(|chance| bookie::generate(chance))
    }

    /// Throws a coin: one of the two colours.
    pub fn coin(&self) -> Color {
        if self.draw(|chance| chance.random()) { Color::White } else { Color::Black }
    }

    /// Draws the number of a puzzle.
    pub fn puzzle(&self) -> u32 {
        self.draw(|chance| chance.random())
    }

    /// Threads for work that takes more than a millisecond.
    pub fn pools(&self) -> &Arc<Pools> {
        &self.inner.pools
    }

    /// CPU time per client address.
    pub fn budget(&self) -> &Arc<Budget> {
        &self.inner.budget
    }

    /// The record itself, for lists of games.
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// The time, in milliseconds since the epoch.
    pub fn now(&self) -> i64 {
        (self.inner.now)()
    }

    fn draw<T>(&self, draw: impl FnOnce(&mut dyn Rng) -> T) -> T {
        // A generator cannot be left half drawn by a panic elsewhere: it is as good as before.
        let mut chance = self.inner.chance.lock().unwrap_or_else(PoisonError::into_inner);
        draw(&mut **chance)
    }
}

/// What the tables have to do at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    /// Games in memory.
    pub games: usize,
    /// Games whose records could not be read since the start, so that nobody judges their clocks.
    pub unreadable: usize,
    /// Games in which a bot has been asked and does not think yet.
    pub bots_waiting: usize,
    /// Bots that think.
    pub bots_thinking: usize,
    /// Jobs that wait in the pools: of games, of look-ups, of batch work.
    pub pools_waiting: [usize; 3],
}

impl Play {
    /// Counts what there is to do.
    pub fn load(&self) -> Load {
        let unreadable = self.inner.unreadable.lock().unwrap_or_else(PoisonError::into_inner).len();
        let bots_thinking = self.inner.bots.thinking();
        let bots_waiting = self.inner.bots.asked().saturating_sub(bots_thinking);
        let Pools { games, lookups, batch } = &*self.inner.pools;
        let pools_waiting = [games, lookups, batch].map(Pool::waiting);
        Load { games: self.inner.loaded.count(), unreadable, bots_waiting, bots_thinking, pools_waiting }
    }

    /// The times from the question to a bot to its answer on the disk, in seconds.
    pub fn answer_times(&self) -> Histogram {
        self.inner.bots.answers.clone()
    }
}
