//! The games that are kept in memory, within a bound; the rest are rebuilt from the record when somebody asks.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicI64, Ordering},
    },
};

use tokio::sync::watch;

use super::{Error, GameSnapshot, Play};

/// The number of games that are kept in memory at most, apart from those that somebody listens to or acts in.
const KEPT: usize = 2_000;
/// The time after which a game is let go that nobody uses and nobody has asked for, in milliseconds.
const UNUSED: i64 = 120_000;

/// One game in memory: the moment that stands, whose turn it is to write, and who listens.
pub(super) struct LoadedGame {
    stands: RwLock<Arc<GameSnapshot>>,
    /// Held by whoever is about to write the next lines.
    pub(super) writing: tokio::sync::Mutex<()>,
    changed: watch::Sender<i64>,
    touched: AtomicI64,
}

impl LoadedGame {
    fn new(table: GameSnapshot, now: i64) -> Self {
        let changed = watch::Sender::new(table.version());
        LoadedGame {
            stands: RwLock::new(Arc::new(table)),
            writing: tokio::sync::Mutex::new(()),
            changed,
            touched: AtomicI64::new(now),
        }
    }

    /// The moment that stands.
    pub(super) fn table(&self) -> Arc<GameSnapshot> {
        self.stands.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts the next moment in its place and wakes who listens. An earlier moment never replaces a later one.
    pub(super) fn put(&self, table: GameSnapshot) -> Arc<GameSnapshot> {
        let mut stands = self.stands.write().unwrap_or_else(PoisonError::into_inner);
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
    /// The games that are being read: whoever asks for one of them waits for the first.
    reading: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

impl LoadedGames {
    fn find(&self, id: &str, now: i64) -> Option<Arc<LoadedGame>> {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = games.get(id)?;
        loaded.touched.store(now, Ordering::Relaxed);
        Some(loaded.clone())
    }

    /// Lets go of a game that is no more.
    pub(super) fn drop(&self, id: &str) {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// A game if it is in memory: nobody asks for it.
    pub(super) fn known(&self, id: &str) -> Option<Arc<LoadedGame>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// Lets go of the games that nobody has used for a while.
    fn let_go(&self, now: i64) {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.retain(|_, loaded| used(loaded) || now - loaded.touched.load(Ordering::Relaxed) < UNUSED);
        // A map never gives room back by itself.
        games.shrink_to(KEPT / 4);
    }

    /// The number of games in memory.
    pub(super) fn count(&self) -> usize {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The games that somebody listens to.
    pub(super) fn followed(&self) -> Vec<Arc<LoadedGame>> {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.values().filter(|loaded| loaded.changed.receiver_count() > 0).cloned().collect()
    }

    fn gate(&self, id: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        reading.entry(id.to_owned()).or_default().clone()
    }

    fn read(&self, id: &str) {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    fn keep(&self, id: &str, table: GameSnapshot, now: i64) -> Arc<LoadedGame> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        if games.len() >= KEPT {
            forget(&mut games);
        }
        games.entry(id.to_owned()).or_insert_with(|| Arc::new(LoadedGame::new(table, now))).clone()
    }
}

/// Tells whether somebody acts in a game or listens to it.
fn used(loaded: &Arc<LoadedGame>) -> bool {
    Arc::strong_count(loaded) > 1
}

/// Lets go of the quarter of the games that nobody uses and nobody has asked for longest.
fn forget(games: &mut HashMap<String, Arc<LoadedGame>>) {
    let mut idle: Vec<(i64, String)> = games
        .iter()
        .filter(|(_, loaded)| !used(loaded))
        .map(|(id, loaded)| (loaded.touched.load(Ordering::Relaxed), id.clone()))
        .collect();
    idle.sort_unstable();
    for (_, id) in idle.into_iter().take(KEPT / 4) {
        games.remove(&id);
    }
}

fn unknown(id: &str) -> Error {
    Error::Unknown(format!("there is no game {id}: check the address for a slip"))
}

/// Hears of every change of one game.
pub struct Listener {
    loaded: Arc<LoadedGame>,
    changed: watch::Receiver<i64>,
}

impl Listener {
    /// The moment that stands.
    pub fn table(&self) -> Arc<GameSnapshot> {
        self.loaded.table()
    }

    /// Waits until the game has changed since the last time, or since the listener was made.
    pub async fn change(&mut self) -> Arc<GameSnapshot> {
        // The sender lives in the loaded game that this listener holds, so it cannot go away.
        let _ = self.changed.changed().await;
        self.loaded.table()
    }
}

impl Play {
    /// A game in memory, loaded if it is not there.
    pub(super) async fn loaded(&self, id: &str) -> Result<Arc<LoadedGame>, Error> {
        if let Some(loaded) = self.inner.loaded.find(id, self.now()) {
            return Ok(loaded);
        }
        let gate = self.inner.loaded.gate(id);
        let _first = gate.lock().await;
        if let Some(loaded) = self.inner.loaded.find(id, self.now()) {
            return Ok(loaded);
        }
        let table = self.read(id).await;
        let loaded = table.map(|table| self.inner.loaded.keep(id, table, self.now()));
        self.inner.loaded.read(id);
        loaded
    }

    /// A game as the record tells it now. A long game takes a while to be played again, and nobody else waits for it.
    pub(super) async fn read(&self, id: &str) -> Result<GameSnapshot, Error> {
        let record = self.inner.store.load(id).await?;
        let record = record.ok_or_else(|| unknown(id))?;
        self.inner.pools.games.run(move || GameSnapshot::of(record)).await?
    }

    /// Reads a game again if another process has written to it, and tells whether it has.
    pub(super) async fn fell_behind(&self, loaded: &LoadedGame) -> Result<bool, Error> {
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

    /// Lets go of the games in memory that nobody has used for a while; to be called again and again.
    pub fn let_go(&self) {
        self.inner.loaded.let_go(self.now());
    }

    /// Looks at a game as it stands, also if another process has written to its record.
    pub async fn look(&self, id: &str) -> Result<Arc<GameSnapshot>, Error> {
        let loaded = self.loaded(id).await?;
        self.fell_behind(&loaded).await?;
        let table = loaded.table();
        // The server may have gone down between the second word and the rematch.
        let table = if table.lacks_rematch() { self.rematch(&loaded).await? } else { table };
        // Where others share the record it tells who thinks.
        if self.inner.store.process().is_none() {
            self.wake_bots(&table);
        }
        Ok(table)
    }

    /// A game as a list has it, or newer.
    pub(super) async fn listed(&self, id: &str, version: i64) -> Result<Arc<GameSnapshot>, Error> {
        let loaded = self.loaded(id).await?;
        let behind = loaded.table().version() < version;
        Ok(if behind { loaded.put(self.read(id).await?) } else { loaded.table() })
    }

    /// Tells whether anybody listens to a game here.
    pub(super) async fn heard(&self, id: &str) -> Result<bool, Error> {
        Ok(self.loaded(id).await?.changed.receiver_count() > 0)
    }

    /// Hears of every change of a game from now on.
    pub async fn listen(&self, id: &str) -> Result<Listener, Error> {
        let loaded = self.loaded(id).await?;
        let mut changed = loaded.changed.subscribe();
        changed.mark_unchanged();
        Ok(Listener { loaded, changed })
    }
}
