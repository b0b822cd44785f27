//! The tables of endgames, and what has been rendered from them. It knows no request.

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

/// The number of bytes of rendered answers that are kept: some thousand positions.
const KEPT: u64 = 24 << 20;
/// The weight of an answer beside its text, roughly, in bytes.
const OVERHEAD: u64 = 256;

/// The number of positions of four pieces whose fractions are kept.
const FRACTIONS: usize = 200;

/// The number of boards whose classes are kept.
const COUNTED: usize = 3;
/// The estimated CPU time of solving a board other than the ordinary one, or of counting its classes.
const SOLVED: Duration = Duration::from_secs(1);

/// The tables, and the answers rendered from them.
pub struct Endgames {
    tables: Arc<Tables>,
    /// Bodies of the last answers, by FEN.
    answers: Cache<String, RenderedAnswer, Bulk>,
    /// The positions worth a visit, rendered once.
    gallery: OnceLock<Result<String, String>>,
    /// What has been found of whole boards, the last asked one last.
    classes: Mutex<Vec<Arc<Classes>>>,
    /// What was found when the fractions of four pieces were looked for, by position and by how many of their tables there were.
    pub(in crate::web) fractions: Cache<(Position, usize), (Answer, BoundedAnswer)>,
    /// Held while a table of another board is being solved: one at a time is enough.
    turn: Arc<Semaphore>,
    pools: Arc<Pools>,
}

/// An answer as it is sent.
#[derive(Clone)]
pub(in crate::web) struct RenderedAnswer {
    pub(in crate::web) body: Bytes,
    pub(in crate::web) tag: HeaderValue,
}

#[derive(Clone)]
struct Bulk;

impl Weighter<String, RenderedAnswer> for Bulk {
    fn weight(&self, key: &String, answer: &RenderedAnswer) -> u64 {
        (key.len() + answer.body.len()) as u64 + OVERHEAD
    }
}

/// What was read of four pieces; nothing where a file cannot be used, of which the log tells.
pub(in crate::web) fn usable<T>(known: Result<Option<T>, WrongFile>) -> Option<T> {
    known.unwrap_or_else(|wrong| {
        tracing::error!(%wrong, "a table of four pieces or five cannot be used");
        None
    })
}

impl Endgames {
    /// The site's share of these tables.
    pub fn new(tables: Arc<Tables>, pools: Arc<Pools>) -> Endgames {
        let answers = Cache::with_weighter((KEPT / 3000) as usize, KEPT, Bulk);
        let (gallery, classes) = (OnceLock::new(), Mutex::default());
        let (fractions, turn) = (Cache::new(FRACTIONS), Arc::new(Semaphore::new(1)));
        Endgames { tables, answers, gallery, classes, fractions, turn, pools }
    }

    /// Solves the tables of the ordinary board and renders the gallery. Computes for some seconds; answers come before.
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

    /// The positions worth a visit, as HTML; the tables must be ready.
    pub(in crate::web) async fn gallery(self: &Arc<Self>) -> Result<String, Error> {
        if let Some(Ok(gallery)) = self.gallery.get() {
            return Ok(gallery.clone());
        }
        let own = self.clone();
        let render = move || own.exhibit().map(str::to_owned);
        self.pools.batch.run(render).await?.map_err(Error::broken)
    }

    /// Gives the tables of the ordinary board if they can answer; if not, says how far they are.
    pub fn ready(&self) -> Result<Arc<Table>, Error> {
        self.tables.ready(Size::ORTHODOX).ok_or_else(|| {
            let progress = self.tables.progress();
            let detail = format!("The endgame tables are being computed; {:.0} percent are done.", progress * 100.0);
            Error::new(Kind::Busy { retry_after: 1 }, detail).with("progress", progress)
        })
    }

    /// The table of a board: at once where it is kept, else solved beside the requests of others.
    pub async fn table(&self, size: Size) -> Result<Arc<Table>, Error> {
        if size == Size::ORTHODOX {
            return self.ready();
        }
        if let Some(table) = self.tables.ready(size) {
            return Ok(table);
        }
        let turn = self.turn.clone().acquire_owned().await.map_err(Error::broken)?;
        let tables = self.tables.clone();
        let solve = move || {
            let table = tables.solve(size);
            drop(turn);
            table
        };
        self.pools.batch.run_costly(SOLVED, |_| solve()).await?.map_err(Error::broken)
    }

    /// The classes of a board with the worth of the move in each: at once where they are kept, else worked out beside the requests of others.
    pub async fn classes(self: &Arc<Self>, size: Size) -> Result<Arc<Classes>, Error> {
        let table = self.table(size).await?;
        if let Some(found) = self.counted(size) {
            return Ok(found);
        }
        let turn = self.turn.clone().acquire_owned().await.map_err(Error::broken)?;
        let own = self.clone();
        let count = move || {
            let _turn = turn;
            own.counted(size).unwrap_or_else(|| {
                let found = Arc::new(Classes::new(table));
                let mut kept = own.classes.lock().unwrap_or_else(PoisonError::into_inner);
                kept.push(found.clone());
                if kept.len() > COUNTED {
                    kept.remove(0);
                }
                found
            })
        };
        Ok(self.pools.batch.run_costly(SOLVED, |_| count()).await?)
    }

    /// What is known of a position of four pieces or of five, which is read beside the requests of others; nothing where no table tells of it.
    pub(in crate::web) async fn of_files(
        self: &Arc<Self>,
        question: &Question,
    ) -> Result<Option<(Answer, BoundedAnswer)>, Error> {
        if !question.is_of_files() {
            return Ok(None);
        }
        let (own, table, question) = (self.clone(), self.ready()?, question.clone());
        let read = move || question.of_files(&table, own.tables.four(), own.tables.five());
        let known = self.pools.lookups.run(read).await?;
        Ok(usable(known))
    }

    /// The classes of a board if they are kept; what is asked stays longest.
    fn counted(&self, size: Size) -> Option<Arc<Classes>> {
        let mut kept = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|classes| classes.table().size() == size)?;
        kept[at..].rotate_left(1);
        kept.last().cloned()
    }

    /// The tables.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The answer to a FEN, if its body is kept.
    pub(in crate::web) fn kept(&self, fen: &str) -> Option<RenderedAnswer> {
        self.answers.get(fen)
    }

    pub(in crate::web) fn keep(&self, fen: String, answer: RenderedAnswer) {
        self.answers.insert(fen, answer);
    }
}
