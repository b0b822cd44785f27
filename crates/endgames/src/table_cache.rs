//! Cache of solved tables. It keeps the table of the 8×8 board for good, and the most recently used tables of a few other boards.

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

/// Number of cached tables of other boards.
const KEPT: usize = 3;

/// Progress of the table of one material.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TableProgress))]
pub struct Status {
    /// Material, such as `KNvK`.
    pub material: String,
    /// State of the table.
    pub state: State,
    /// Progress from 0 to 1.
    pub progress: f64,
}

/// State of a table: whether it can answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TableState))]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Not started.
    Waiting,
    /// Being computed.
    Computing,
    /// Computed and certified, together with all other tables of the board.
    Ready,
}

/// Table of one board, solved or not.
struct BoardTable {
    size: Size,
    table: OnceLock<Result<Arc<Table>, Unsolved>>,
    /// Last finished stage.
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
    /// Tables of other boards, the most recently used last.
    others: Mutex<Vec<Arc<BoardTable>>>,
    /// Held while a table of another board is solved, so that these run one at a time.
    solving: Mutex<()>,
    /// Files of solved four-piece tables of the 8×8 board.
    four: FourFiles,
    /// Files of solved five-piece tables in the same folder.
    five: FiveFiles,
}

impl Default for Tables {
    fn default() -> Self {
        Tables::with_four(FourFiles::default())
    }
}

impl Tables {
    /// Empty cache with files of four-piece tables. Five-piece files come from the same folder.
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

    /// Files of four-piece tables.
    pub fn four(&self) -> &FourFiles {
        &self.four
    }

    /// Files of five-piece tables, in the folder of the four-piece ones.
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

    /// Returns the table of a board if it is ready. Never waits.
    pub fn ready(&self, size: Size) -> Option<Arc<Table>> {
        if size == Size::ORTHODOX {
            return self.orthodox.table.get()?.as_ref().ok().cloned();
        }
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        let at = others.iter().position(|other| other.size == size)?;
        let table = others[at].table.get()?.as_ref().ok().cloned();
        // Move the used table to the end, so that it stays longest.
        others[at..].rotate_left(1);
        table
    }

    /// Returns the table of a board, and solves it on first use. Solving takes most of a second. Waits while another thread solves.
    pub fn solve(&self, size: Size) -> Result<Arc<Table>, Unsolved> {
        let found = self.board_table(size);
        let work = || {
            let _turn = (size != Size::ORTHODOX).then(|| self.solving.lock().unwrap_or_else(PoisonError::into_inner));
            let mut note = |stage| *found.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(stage);
            solve(size, &mut note).map(Arc::new)
        };
        found.table.get_or_init(work).clone()
    }

    /// Progress of the tables of the 8×8 board by material, in solving order, followed by the four-piece tables that are available.
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

    /// Progress of all four-piece tables, each after the tables that it needs.
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

    /// Progress of the 8×8 tables as a whole, from 0 to 1.
    pub fn progress(&self) -> f64 {
        if matches!(self.orthodox.table.get(), Some(Ok(_))) {
            return 1.0;
        }
        self.orthodox.last().map_or(0.0, |stage| f64::from(stage.done) / f64::from(stage.total))
    }
}
