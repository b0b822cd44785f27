//! Games in progress: creating, joining, viewing and acting, plus the answers of chance, the clocks and the bots.
//!
//! This module is the only one that draws random numbers. It depends on neither HTTP nor any particular variant.

mod act;
mod assessments;
mod background_jobs;
mod bot_players;
mod budget;
mod challenges;
mod client_bots;
mod conditional_moves;
mod create_game;
mod finished_games;
mod game_cache;
mod idempotency;
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
mod seek;
mod snapshot;
mod table_advice;
mod worker_pool;

pub use act::ActionResult;
pub use assessments::{Hint, Lapse, Review, TableAdvice};
pub use bot_players::offer_reply;
pub use budget::{Budget, Meter, on_behalf_of, requester};
pub use challenges::DeclineReason;
pub use client_bots::{MOST_GAMES, Opponent, Program, Repertoire, TimeBudget};
pub use conditional_moves::{ConditionalMoves, MOST_CONDITIONAL_MOVES};
pub use create_game::{Begin, CreatedGame, SeatPreference};
pub use finished_games::{FinishedFilter, FinishedGame, FinishedPage, OwnResult};
pub use game_cache::Listener;
pub use idempotency::{IdempotencyKey, RequestSecret};
pub use identifiers::{Name, Token};
pub use join::{JoinRequest, TakenSeat};
pub use key_events::{KeyEvent, KeyListener};
pub use lobby::Found;
pub use notifications::{Channel, Delivery, Notice};
pub use outbox::Message;
pub use piece_measurement::MeasurementStatus;
pub use player_keys::{OwnGames, Owner};
pub use review::ReviewState;
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

/// Why a request failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// No such game, variant or invitation.
    #[error("{0}")]
    Unknown(String),
    /// The request was made for an earlier ply of the game.
    #[error("the game has moved on to ply {ply}")]
    Stale {
        /// Current ply of the game.
        ply: usize,
    },
    /// The rules or the server's limits do not allow it.
    #[error("{0}")]
    Refused(Refusal),
    /// The request's `Idempotency-Key` is malformed, or was used for a different request.
    #[error("{0}")]
    Key(String),
    /// The server is overloaded; the client should try again in a moment.
    #[error("the server is busy; try again in a moment")]
    Busy,
    /// The client's address has used up its share of a resource.
    #[error("{why}")]
    Often {
        /// The exhausted resource and what to do, for the client.
        why: String,
        /// Seconds until the client may try again.
        retry_after: u64,
    },
    /// The database cannot be written, for example because the disk is full. Acknowledged actions are safe.
    #[error("{0}")]
    Full(String),
    /// The database cannot be reached. Acknowledged actions are safe.
    #[error("{0}")]
    Away(String),
    /// Internal error.
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
            StoreError::Disconnected(_) => Error::Away(error.to_string()),
            StoreError::UnsupportedCharacter => {
                Error::Unknown("unknown name: it contains a character that names cannot contain".to_owned())
            }
            StoreError::NoGame(id) => Error::Unknown(format!("there is no game {id}")),
            StoreError::NoInvitation => {
                Error::Unknown("there is no such invitation; check the code, or ask for a new one".to_owned())
            }
            StoreError::Over => Error::Refused(Refusal::new("this game is over: start a new one")),
            StoreError::Used => Error::Refused(Refusal::new(
                "this invitation has been used and the seat is taken; you can still watch the game",
            )),
            other => Error::Broken(other.to_string()),
        }
    }
}

/// The game service: all games of one database as this process plays them. Clones share their state.
#[derive(Clone)]
pub struct Play {
    inner: Arc<Inner>,
}

struct Inner {
    chance: Mutex<Box<dyn Rng + Send>>,
    now: Arc<dyn Fn() -> i64 + Send + Sync>,
    store: Store,
    loaded: game_cache::LoadedGames,
    /// Games whose clocks are not checked because their records cannot be read.
    unreadable: Mutex<HashSet<String>>,
    /// Held while a request searches for an opponent, so that two searches cannot miss each other.
    search: tokio::sync::Mutex<()>,
    /// Recent copy of the lobby.
    board: tokio::sync::Mutex<lobby::Board>,
    /// Open games per address; locked while a game is added to the lobby.
    offers: tokio::sync::Mutex<lobby::Offers>,
    bots: bot_players::BotQueue,
    peers: peers::Peers,
    pools: Arc<Pools>,
    budget: Arc<Budget>,
    advisor: table_advice::Advisor,
    measurements: piece_measurement::MeasurementQueue,
    /// Secret of the site, loaded on first use. It signs push messages, and the keys of the site's own bots derive from it.
    signer: tokio::sync::OnceCell<[u8; 32]>,
    /// Notified when the outbox has changed.
    outbox: tokio::sync::Notify,
    outages: outage_recovery::Outages,
}

impl Play {
    /// Creates the service of a server process. `chance` is its only source of randomness; `now` returns milliseconds since the epoch.
    pub fn new(chance: impl Rng + Send + 'static, store: Store, now: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Play::with_role(peers::Role::Server, bot_players::THINKING, chance, store, now)
    }

    /// Creates the service of a worker process, which runs up to `places` bots at the same time.
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
            peers: peers::Peers::new(role, now(), &store),
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
            measurements: piece_measurement::MeasurementQueue::default(),
            signer: tokio::sync::OnceCell::new(),
            outbox: tokio::sync::Notify::new(),
            outages: outage_recovery::Outages::default(),
        };
        Play { inner: Arc::new(inner) }
    }

    /// Deals a complete Bookie Chess position, White to move.
    pub fn bookie_board(&self) -> Result<Position, bookie::DealError> {
        self.draw(|chance| bookie::generate(chance))
    }

    /// Tosses a coin for a colour.
    pub fn coin(&self) -> Color {
        if self.draw(|chance| chance.random()) { Color::White } else { Color::Black }
    }

    /// Draws a random text that cannot be guessed.
    pub fn nonce(&self) -> String {
        self.draw(|chance| Token::draw(chance)).as_str().to_owned()
    }

    /// Draws a random puzzle number.
    pub fn puzzle(&self) -> u32 {
        self.draw(|chance| chance.random())
    }

    /// Thread pools for work that takes more than a millisecond.
    pub fn pools(&self) -> &Arc<Pools> {
        &self.inner.pools
    }

    /// CPU time per client address.
    pub fn budget(&self) -> &Arc<Budget> {
        &self.inner.budget
    }

    /// The store, for lists of games.
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// Current time in milliseconds since the epoch.
    pub fn now(&self) -> i64 {
        (self.inner.now)()
    }

    fn draw<T>(&self, draw: impl FnOnce(&mut dyn Rng) -> T) -> T {
        // A panic in another thread cannot leave the generator in an invalid state, so a poisoned lock is harmless.
        let mut chance = self.inner.chance.lock().unwrap_or_else(PoisonError::into_inner);
        draw(&mut **chance)
    }
}

/// Current load of a process, for metrics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    /// Games in memory.
    pub games: usize,
    /// Games found unreadable since the start, whose clocks are therefore not checked.
    pub unreadable: usize,
    /// Games that wait for a bot that is not thinking yet.
    pub bots_waiting: usize,
    /// Bots that are thinking.
    pub bots_thinking: usize,
    /// Jobs that wait in the pools: games, look-ups, batch work.
    pub pools_waiting: [usize; 3],
}

impl Play {
    /// Measures the current load.
    pub fn load(&self) -> Load {
        let unreadable = self.inner.unreadable.lock().unwrap_or_else(PoisonError::into_inner).len();
        let bots_thinking = self.inner.bots.thinking();
        let bots_waiting = self.inner.bots.waiting_games().saturating_sub(bots_thinking);
        let Pools { games, lookups, batch } = &*self.inner.pools;
        let pools_waiting = [games, lookups, batch].map(Pool::waiting);
        Load { games: self.inner.loaded.count(), unreadable, bots_waiting, bots_thinking, pools_waiting }
    }

    /// Response times of bots in seconds, from their turn to the committed action.
    pub fn answer_times(&self) -> Histogram {
        self.inner.bots.answers.clone()
    }
}
