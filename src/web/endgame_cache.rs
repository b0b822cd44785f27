//! The endgame tables, and a cache of rendered answers. It handles no HTTP requests.

pub(super) mod bar_chart;
pub(super) mod claims;
pub(super) mod format;
pub(super) mod gallery;

use crate::{
    board::{Position, Size},
    play::Pools,
    richman::{Answer, BoundedAnswer, Classes, Question, Table, Tables, WrongFile},
    web::{Error, Kind},
};
use axum::{body::Bytes, http::HeaderValue};
use quick_cache::{Weighter, sync::Cache};
use std::{
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};
use tokio::sync::Semaphore;

/// Bytes of cached answers: several thousand positions.
const KEPT: u64 = 24 << 20;
/// Approximate weight of a cached answer in addition to its text, in bytes.
const OVERHEAD: u64 = 256;

/// Number of positions of four pieces whose fractions are cached.
const FRACTIONS: usize = 200;

/// Number of boards whose classes are cached.
const COUNTED: usize = 3;
/// Estimated CPU time of solving a board other than 8×8, or of counting its classes.
const SOLVED: Duration = Duration::from_secs(1);
/// Estimated CPU time of solving four pieces on a small board.
const SMALL_BOARD_SOLVED: Duration = Duration::from_secs(3);

/// The tables, and the answers rendered from them.
pub struct Endgames {
    tables: Arc<Tables>,
    /// Bodies of recent answers, by FEN.
    answers: Cache<String, RenderedAnswer, Bulk>,
    /// The gallery as HTML, rendered once.
    gallery: OnceLock<Result<String, String>>,
    /// Classes of whole boards, the most recently used last.
    classes: Mutex<Vec<Arc<Classes>>>,
    /// Exact fractions of four pieces, by position and by the number of tables during the search.
    pub(in crate::web) fractions: Cache<(Position, usize), (Answer, BoundedAnswer)>,
    /// Held while a table of another board is solved, so that only one is solved at a time.
    turn: Arc<Semaphore>,
    pools: Arc<Pools>,
}

/// A rendered answer with its ETag.
#[derive(Clone)]
pub(in crate::web) struct RenderedAnswer {
    pub(in crate::web) body: Bytes,
    pub(in crate::web) tag: HeaderValue,
    /// Whether clients and proxies may keep it for a day. False if it changes once a table is solved.
    pub(in crate::web) lasting: bool,
}

#[derive(Clone)]
struct Bulk;

impl Weighter<String, RenderedAnswer> for Bulk {
    fn weight(&self, key: &String, answer: &RenderedAnswer) -> u64 {
        (key.len() + answer.body.len()) as u64 + OVERHEAD
    }
}

/// Unwraps data from a file; logs an error and returns `None` if the file cannot be used.
pub(in crate::web) fn log_unusable<T>(known: Result<Option<T>, WrongFile>) -> Option<T> {
    known.unwrap_or_else(|wrong| {
        tracing::error!(%wrong, "endgame table file cannot be used");
        None
    })
}

impl Endgames {
    /// Wraps the tables with empty caches.
    pub fn new(tables: Arc<Tables>, pools: Arc<Pools>) -> Endgames {
        let answers = Cache::with_weighter((KEPT / 3000) as usize, KEPT, Bulk);
        let (gallery, classes) = (OnceLock::new(), Mutex::default());
        let (fractions, turn) = (Cache::new(FRACTIONS), Arc::new(Semaphore::new(1)));
        Endgames { tables, answers, gallery, classes, fractions, turn, pools }
    }

    /// Solves the tables of the 8×8 board and renders the gallery. Takes several seconds; the tables can answer before it returns.
    pub fn prepare(&self) -> Result<(), String> {
        self.solved()?;
        self.exhibit().map(|_| ())
    }

    fn solved(&self) -> Result<Arc<Table>, String> {
        self.tables.solve(Size::ORTHODOX).map_err(|unsolved| unsolved.to_string())
    }

    fn exhibit(&self) -> Result<&str, String> {
        let gallery = self.gallery.get_or_init(|| gallery::render(&self.tables));
        gallery.as_deref().map_err(Clone::clone)
    }

    /// The gallery as HTML. Fails if the tables cannot be solved.
    pub(in crate::web) async fn gallery(self: &Arc<Self>) -> Result<String, Error> {
        if let Some(Ok(gallery)) = self.gallery.get() {
            return Ok(gallery.clone());
        }
        let own = self.clone();
        let render = move || own.exhibit().map(str::to_owned);
        self.pools.batch.run(render).await?.map_err(Error::broken)
    }

    /// The tables of the 8×8 board; while they are computed, a `Busy` error with the progress.
    pub fn ready(&self) -> Result<Arc<Table>, Error> {
        self.tables.ready(Size::ORTHODOX).ok_or_else(|| {
            let progress = self.tables.progress();
            let detail =
                format!("The endgame tables are being computed ({:.0} % done). Retry in a second.", progress * 100.0);
            Error::new(Kind::Busy { retry_after: 1 }, detail).with("progress", progress)
        })
    }

    /// The table of a board, from the cache or solved in the batch pool.
    pub async fn table(&self, size: Size) -> Result<Arc<Table>, Error> {
        if size == Size::ORTHODOX {
            return self.ready();
        }
        if let Some(table) = self.tables.ready(size) {
            return Ok(table);
        }
        let tables = self.tables.clone();
        self.in_turn(SOLVED, move || tables.solve(size)).await?.map_err(Error::broken)
    }

    /// Runs work on a whole board in the batch pool, one board at a time.
    async fn in_turn<T: Send + 'static>(
        &self,
        estimate: Duration,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let turn = self.turn.clone().acquire_owned().await.map_err(Error::broken)?;
        let work = move |_: &dyn Fn() -> bool| {
            let _turn = turn;
            work()
        };
        Ok(self.pools.batch.run_costly(estimate, work).await?)
    }

    /// Solves the positions of a small board with four pieces in the batch pool, unless that is done.
    pub(in crate::web) async fn solve_small_board(&self, table: &Arc<Table>) -> Result<(), Error> {
        if table.has_small_board() {
            return Ok(());
        }
        let table = table.clone();
        self.in_turn(SMALL_BOARD_SOLVED, move || table.solve_small_board()).await
    }

    /// The classes of a board with the bid in each, from the cache or computed in the batch pool.
    pub async fn classes(self: &Arc<Self>, size: Size) -> Result<Arc<Classes>, Error> {
        let table = self.table(size).await?;
        if let Some(found) = self.cached_classes(size) {
            return Ok(found);
        }
        let own = self.clone();
        let count = move || {
            own.cached_classes(size).unwrap_or_else(|| {
                let found = Arc::new(Classes::new(table));
                let mut kept = own.classes.lock().unwrap_or_else(PoisonError::into_inner);
                kept.push(found.clone());
                if kept.len() > COUNTED {
                    kept.remove(0);
                }
                found
            })
        };
        self.in_turn(SOLVED, count).await
    }

    /// The bounds of a position of four or five pieces, from a file or from a small board that is solved on demand; `None` if no table covers it.
    pub(in crate::web) async fn bounded(
        self: &Arc<Self>,
        question: &Question,
    ) -> Result<Option<(Answer, BoundedAnswer)>, Error> {
        if question.is_of_small_board() {
            let (table, question) = (self.table(question.size).await?, question.clone());
            self.solve_small_board(&table).await?;
            return Ok(self.pools.lookups.run(move || question.of_small_board(&table)).await?);
        }
        if !question.is_of_files() {
            return Ok(None);
        }
        let (own, table, question) = (self.clone(), self.ready()?, question.clone());
        let read = move || question.of_files(&table, own.tables.four(), own.tables.five());
        let known = self.pools.lookups.run(read).await?;
        Ok(log_unusable(known))
    }

    /// The cached classes of a board, marked as the most recently used.
    fn cached_classes(&self, size: Size) -> Option<Arc<Classes>> {
        let mut kept = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|classes| classes.table().size() == size)?;
        kept[at..].rotate_left(1);
        kept.last().cloned()
    }

    /// The tables.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The cached answer to a FEN.
    pub(in crate::web) fn kept(&self, fen: &str) -> Option<RenderedAnswer> {
        self.answers.get(fen)
    }

    pub(in crate::web) fn keep(&self, fen: String, answer: RenderedAnswer) {
        self.answers.insert(fen, answer);
    }
}
