//! Bounded cache of games in memory. Other games are rebuilt from their records on demand.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicI64, Ordering},
    },
};

use tokio::sync::watch;

use super::{Error, GameSnapshot, Play};

/// Maximum number of games in memory, not counting games in use.
const KEPT: usize = 2_000;
/// Maximum number of bytes that idle games in memory hold, as [`LoadedGame::bytes`] estimates.
const KEPT_BYTES: usize = 64 << 20;
/// Time in milliseconds after which an unused game is dropped from memory.
const UNUSED: i64 = 120_000;

/// A game in memory: its current snapshot, its write lock and its listeners.
pub(super) struct LoadedGame {
    snapshot: RwLock<Arc<GameSnapshot>>,
    /// Held while the next lines of the game are written.
    pub(super) writing: tokio::sync::Mutex<()>,
    changed: watch::Sender<i64>,
    touched: AtomicI64,
}

impl LoadedGame {
    fn new(table: GameSnapshot, now: i64) -> Self {
        let changed = watch::Sender::new(table.version());
        LoadedGame {
            snapshot: RwLock::new(Arc::new(table)),
            writing: tokio::sync::Mutex::new(()),
            changed,
            touched: AtomicI64::new(now),
        }
    }

    /// Current snapshot.
    pub(super) fn table(&self) -> Arc<GameSnapshot> {
        self.snapshot.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Estimate of the memory that the game holds: 8 KB, and 2 KB for each ply, which is what a ply of Clairvoyant Chess takes. A ply has its
    /// action, its move and position, its line of the record, and up to two lines of cached pages.
    fn bytes(&self) -> usize {
        (8 + 2 * self.snapshot.read().unwrap_or_else(PoisonError::into_inner).game.ply()) << 10
    }

    /// Replaces the snapshot and wakes the listeners. An older snapshot never replaces a newer one.
    pub(super) fn put(&self, table: GameSnapshot) -> Arc<GameSnapshot> {
        let mut stands = self.snapshot.write().unwrap_or_else(PoisonError::into_inner);
        if table.version() >= stands.version() {
            *stands = Arc::new(table);
        }
        self.changed.send_replace(stands.version());
        stands.clone()
    }
}

/// All games in memory.
#[derive(Default)]
pub(super) struct LoadedGames {
    games: Mutex<HashMap<String, Arc<LoadedGame>>>,
    /// Games that are being loaded; concurrent requests for one of them wait for the first.
    reading: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

impl LoadedGames {
    fn find(&self, id: &str, now: i64) -> Option<Arc<LoadedGame>> {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = games.get(id)?;
        loaded.touched.store(now, Ordering::Relaxed);
        Some(loaded.clone())
    }

    /// Drops a game that has been deleted.
    pub(super) fn drop(&self, id: &str) {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Returns a game if it is in memory, without marking it as used.
    pub(super) fn get_loaded(&self, id: &str) -> Option<Arc<LoadedGame>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// Drops the games that have not been used recently.
    fn let_go(&self, now: i64) {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.retain(|_, loaded| is_in_use(loaded) || now - loaded.touched.load(Ordering::Relaxed) < UNUSED);
        // A `HashMap` never shrinks by itself.
        games.shrink_to(KEPT / 4);
    }

    /// Number of games in memory.
    pub(super) fn count(&self) -> usize {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Games that have listeners.
    pub(super) fn followed(&self) -> Vec<Arc<LoadedGame>> {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.values().filter(|loaded| loaded.changed.receiver_count() > 0).cloned().collect()
    }

    fn load_lock(&self, id: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        reading.entry(id.to_owned()).or_default().clone()
    }

    fn read(&self, id: &str) {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    fn keep(&self, id: &str, table: GameSnapshot, now: i64) -> Arc<LoadedGame> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let idle_bytes =
            || games.values().filter(|loaded| !is_in_use(loaded)).map(|loaded| loaded.bytes()).sum::<usize>();
        if games.len() >= KEPT || idle_bytes() >= KEPT_BYTES {
            evict_idle(&mut games);
        }
        games.entry(id.to_owned()).or_insert_with(|| Arc::new(LoadedGame::new(table, now))).clone()
    }
}

/// Returns whether a game is in use: a request or listener holds it.
fn is_in_use(loaded: &Arc<LoadedGame>) -> bool {
    Arc::strong_count(loaded) > 1
}

/// Evicts a quarter of the games that are not in use, the least recently requested ones.
fn evict_idle(games: &mut HashMap<String, Arc<LoadedGame>>) {
    let mut idle: Vec<(i64, String)> = games
        .iter()
        .filter(|(_, loaded)| !is_in_use(loaded))
        .map(|(id, loaded)| (loaded.touched.load(Ordering::Relaxed), id.clone()))
        .collect();
    idle.sort_unstable();
    for (_, id) in &idle[..idle.len().div_ceil(4)] {
        games.remove(id);
    }
}

fn unknown(id: &str) -> Error {
    Error::Unknown(format!("there is no game {id}; check the address"))
}

/// Receiver of all changes of one game.
pub struct Listener {
    loaded: Arc<LoadedGame>,
    changed: watch::Receiver<i64>,
}

impl Listener {
    /// Current snapshot.
    pub fn table(&self) -> Arc<GameSnapshot> {
        self.loaded.table()
    }

    /// Waits for a change since the previous call, or since the listener was created.
    pub async fn change(&mut self) -> Arc<GameSnapshot> {
        // The sender lives in the loaded game, which this listener keeps alive, so `changed` cannot fail.
        let _ = self.changed.changed().await;
        self.loaded.table()
    }
}

impl Play {
    /// Returns a game from memory, loading it if necessary.
    pub(super) async fn loaded(&self, id: &str) -> Result<Arc<LoadedGame>, Error> {
        if let Some(loaded) = self.inner.loaded.find(id, self.now()) {
            return Ok(loaded);
        }
        let gate = self.inner.loaded.load_lock(id);
        let _first = gate.lock().await;
        if let Some(loaded) = self.inner.loaded.find(id, self.now()) {
            return Ok(loaded);
        }
        let table = self.read(id).await;
        let loaded = table.map(|table| self.inner.loaded.keep(id, table, self.now()));
        self.inner.loaded.read(id);
        loaded
    }

    /// Reads a game from the database. A long game takes a while to replay, so this runs in a pool.
    pub(super) async fn read(&self, id: &str) -> Result<GameSnapshot, Error> {
        let record = self.inner.store.load(id).await?;
        let record = record.ok_or_else(|| unknown(id))?;
        self.inner.pools.games.run(move || GameSnapshot::of(record)).await?
    }

    /// Reads a game again if another process has written to it. Returns whether one has.
    pub(super) async fn reload_if_outdated(&self, loaded: &LoadedGame) -> Result<bool, Error> {
        let table = loaded.table();
        let Some(row) = self.inner.store.game(table.id()).await? else {
            self.inner.loaded.drop(table.id());
            return Err(unknown(table.id()));
        };
        let behind = row.version > table.version();
        if behind {
            loaded.put(self.read(table.id()).await?);
        }
        Ok(behind)
    }

    /// Drops the games in memory that have not been used recently. Call periodically.
    pub fn let_go(&self) {
        self.inner.loaded.let_go(self.now());
    }

    /// Returns the current snapshot of a game, including changes by other processes.
    pub async fn look(&self, id: &str) -> Result<Arc<GameSnapshot>, Error> {
        let loaded = self.loaded(id).await?;
        self.reload_if_outdated(&loaded).await?;
        let table = loaded.table();
        // The server may have stopped between the acceptance of a rematch and its creation.
        let table = if table.lacks_rematch() { self.rematch(&loaded).await? } else { table };
        // Where processes share the database, the database says which of them runs the bot.
        if self.inner.store.process().is_none() {
            self.wake_bots(&table);
        }
        Ok(table)
    }

    /// Returns a game at least as new as a row that a list has read.
    pub(super) async fn load_at_least(&self, id: &str, version: i64) -> Result<Arc<GameSnapshot>, Error> {
        let loaded = self.loaded(id).await?;
        let behind = loaded.table().version() < version;
        Ok(if behind { loaded.put(self.read(id).await?) } else { loaded.table() })
    }

    /// Returns whether a game has listeners in this process.
    pub(super) async fn has_listeners(&self, id: &str) -> Result<bool, Error> {
        Ok(self.loaded(id).await?.changed.receiver_count() > 0)
    }

    /// Subscribes to the changes of a game.
    pub async fn listen(&self, id: &str) -> Result<Listener, Error> {
        let loaded = self.loaded(id).await?;
        let mut changed = loaded.changed.subscribe();
        changed.mark_unchanged();
        Ok(Listener { loaded, changed })
    }
}
