//! The tables that are kept: the ordinary board's for ever, a few others as long as they are asked for.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::Serialize;

use super::{
    four_piece::{FourFiles, FourPieceMaterial},
    position_index::Material,
    research::five_piece::FiveFiles,
    solve::{Unsolved, solve},
    table::{Progress, Table},
};
use crate::board::Size;

/// The number of tables of other boards that are kept.
const KEPT: usize = 3;

/// The progress of the table of one material.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Status {
    /// As `KNvK`.
    pub material: String,
    /// Where it is.
    pub state: State,
    /// From 0 to 1.
    pub progress: f64,
}

/// The state of a table: whether it can answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Not begun.
    Waiting,
    /// Being computed.
    Computing,
    /// Computed and certified, together with all others of the board.
    Ready,
}

/// The table of one board, or the place where it will be.
struct BoardTable {
    size: Size,
    table: OnceLock<Result<Arc<Table>, Unsolved>>,
    /// The last stage that was finished.
    progress: Mutex<Option<Progress>>,
}

impl BoardTable {
    fn new(size: Size) -> Arc<BoardTable> {
        Arc::new(BoardTable { size, table: OnceLock::new(), progress: Mutex::new(None) })
    }

    fn last(&self) -> Option<Progress> {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Solved tables by board.
///
/// ```
/// use zorkmid_endgames::{Tables, board::Size, read};
///
/// let tables = Tables::default();
/// let table = tables.solve(Size::new(4, 4).unwrap())?;
/// let question = read("3k/4/4/K2R")?;
/// let answer = question.answer(&table);
/// let value = answer.value.unwrap();
/// assert!(value.approx > 0.5, "a rook is better than none");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tables {
    orthodox: Arc<BoardTable>,
    /// The tables of other boards, the last asked one last.
    others: Mutex<Vec<Arc<BoardTable>>>,
    /// Held while a table of another board is being solved, so that they come one after another.
    solving: Mutex<()>,
    /// Those of four pieces on the ordinary board that were solved before.
    four: FourFiles,
    /// Those of five pieces that lie beside them.
    five: FiveFiles,
}

impl Default for Tables {
    fn default() -> Self {
        Tables::with_four(FourFiles::default())
    }
}

impl Tables {
    /// No table yet but those of four pieces.
    pub fn with_four(four: FourFiles) -> Tables {
        let five = four.folder().map(|folder| FiveFiles::new(folder.to_owned())).unwrap_or_default();
        Tables {
            orthodox: BoardTable::new(Size::ORTHODOX),
            others: Mutex::default(),
            solving: Mutex::default(),
            four,
            five,
        }
    }

    /// The tables of four pieces.
    pub fn four(&self) -> &FourFiles {
        &self.four
    }

    /// The tables of five pieces, which lie beside those of four.
    pub fn five(&self) -> &FiveFiles {
        &self.five
    }

    fn board_table(&self, size: Size) -> Arc<BoardTable> {
        if size == Size::ORTHODOX {
            return self.orthodox.clone();
        }
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        let found = match others.iter().position(|other| other.size == size) {
            Some(at) => others.remove(at),
            None => BoardTable::new(size),
        };
        others.push(found.clone());
        if others.len() > KEPT {
            others.remove(0);
        }
        found
    }

    /// The table of a board, if it is ready. Never waits.
    pub fn ready(&self, size: Size) -> Option<Arc<Table>> {
        if size == Size::ORTHODOX {
            return self.orthodox.table.get()?.as_ref().ok().cloned();
        }
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        let at = others.iter().position(|other| other.size == size)?;
        let table = others[at].table.get()?.as_ref().ok().cloned();
        // What is asked stays longest.
        others[at..].rotate_left(1);
        table
    }

    /// The table of a board, solved now if it has not been asked before. Takes a good part of a second of computing, and waits
    /// while another thread solves.
    pub fn solve(&self, size: Size) -> Result<Arc<Table>, Unsolved> {
        let found = self.board_table(size);
        let work = || {
            let _turn = (size != Size::ORTHODOX).then(|| self.solving.lock().unwrap_or_else(PoisonError::into_inner));
            let mut note = |stage| *found.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(stage);
            solve(size, &mut note).map(Arc::new)
        };
        found.table.get_or_init(work).clone()
    }

    /// The progress of the tables of the ordinary board, by material in solving order, and then those of four pieces that are there.
    pub fn status(&self) -> Vec<Status> {
        let ready = matches!(self.orthodox.table.get(), Some(Ok(_)));
        let last = self.orthodox.last();
        let one = |material: Material| {
            let (state, progress) = match last {
                _ if ready => (State::Ready, 1.0),
                None => (State::Waiting, 0.0),
                Some(stage) if material < stage.material => (State::Computing, 1.0),
                Some(stage) if material == stage.material => {
                    (State::Computing, f64::from(stage.part) / f64::from(stage.whole))
                }
                Some(_) => (State::Waiting, 0.0),
            };
            Status { material: material.name().to_owned(), state, progress }
        };
        let of_four = self.four.pairs().into_iter();
        let of_four = of_four.map(|pair| Status { material: pair.to_string(), state: State::Ready, progress: 1.0 });
        Material::ALL.map(one).into_iter().chain(of_four).collect()
    }

    /// The progress of all tables of four pieces, each after those that it needs.
    pub fn status_of_four(&self) -> Vec<Status> {
        let there = self.four.pairs();
        let one = |pair: FourPieceMaterial| {
            let (state, progress) = match self.four.solving(pair) {
                Some(progress) => (State::Computing, progress),
                None if there.contains(&pair) => (State::Ready, 1.0),
                None => (State::Waiting, 0.0),
            };
            Status { material: pair.to_string(), state, progress }
        };
        FourPieceMaterial::all().map(one).collect()
    }

    /// The share of the ordinary board's tables that is done, from 0 to 1.
    pub fn progress(&self) -> f64 {
        if matches!(self.orthodox.table.get(), Some(Ok(_))) {
            return 1.0;
        }
        self.orthodox.last().map_or(0.0, |stage| f64::from(stage.done) / f64::from(stage.total))
    }
}
