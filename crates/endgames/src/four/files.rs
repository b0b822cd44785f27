//! The tables of four pieces that lie in a folder.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use super::{ONE, columns::WrongFile, file::FourFile, framed::Framed, pair::Pair, work};
use crate::{
    board::{Position, Size},
    graph::rules,
};

/// A position up to the symmetries of the board, with the colours as they are.
pub(crate) type FourPlace = (Pair, usize, bool);

/// The name of a pair's file in its folder.
pub fn file_of(folder: &Path, pair: Pair) -> PathBuf {
    folder.join(format!("{pair}.four"))
}

/// The tables of four pieces in a folder, each opened when it is asked first. One that comes later is found when it is there.
#[derive(Default)]
pub struct FourFiles {
    folder: Option<PathBuf>,
    open: Mutex<HashMap<Pair, Arc<FourFile>>>,
    /// The files that were found to be something else or damaged, with their length and time then: they are not read again before these change.
    wrong: Mutex<HashMap<Pair, (Stamp, &'static str)>>,
}

/// The length of a file, and when it was written.
type Stamp = (u64, SystemTime);

/// The stamp of a file, where it can be had.
fn stamp(path: &Path) -> Option<Stamp> {
    let about = path.metadata().ok()?;
    Some((about.len(), about.modified().ok()?))
}

impl FourFiles {
    /// The tables in a folder, which need not be there.
    pub fn new(folder: PathBuf) -> FourFiles {
        FourFiles { folder: Some(folder), ..FourFiles::default() }
    }

    /// The folder.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The pairs of which there is a file, open or not.
    pub fn pairs(&self) -> Vec<Pair> {
        let there = |pair: &Pair| self.folder.as_deref().is_some_and(|folder| file_of(folder, *pair).exists());
        Pair::all().filter(there).collect()
    }

    /// The table of a pair, which is read once as a whole when it is opened; nothing where there is none.
    ///
    /// # Errors
    /// If its file cannot be used.
    pub fn open(&self, pair: Pair) -> Result<Option<Arc<FourFile>>, WrongFile> {
        // Held while one is opened, so that nobody else opens it too.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = open.get(&pair) {
            return Ok(Some(found.clone()));
        }
        let Some(path) = self.folder.as_deref().map(|folder| file_of(folder, pair)).filter(|path| path.exists()) else {
            return Ok(None);
        };
        let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = stamp(&path);
        match wrong.get(&pair) {
            Some((before, why)) if Some(*before) == seen => return Err(WrongFile::Foreign(why)),
            Some(_) | None => {}
        }
        let opened = FourFile::open(&path).and_then(|file| match file.pair == pair {
            true => Ok(Arc::new(file)),
            false => Err(WrongFile::Foreign("it holds another table than its name says")),
        });
        match (&opened, seen) {
            (Ok(file), _) => {
                open.insert(pair, file.clone());
            }
            (Err(WrongFile::Foreign(why)), Some(seen)) => {
                wrong.insert(pair, (seen, why));
            }
            (Err(WrongFile::Foreign(_) | WrongFile::Unread(_)), _) => {}
        }
        opened.map(Some)
    }

    /// How far the solving of a pair is that somebody is at, from 0 to 1.
    pub fn solving(&self, pair: Pair) -> Option<f64> {
        work::progress(self.folder.as_deref()?, pair)
    }

    /// The place of a position of four pieces, and the position that stands for all that are the same up to a symmetry; nothing where no file tells of it.
    ///
    /// # Errors
    /// If its file cannot be used.
    pub(crate) fn same(&self, position: &Position) -> Result<Option<(FourPlace, Position)>, WrongFile> {
        let Some(framed) = Framed::of(position) else { return Ok(None) };
        let Some(file) = self.open(framed.pair)? else { return Ok(None) };
        let place = file.numbering.place(framed.quad);
        let same = Framed { quad: file.numbering.quad(place), ..framed };
        Ok(Some(((framed.pair, place, framed.reversed), same.position(rules(Size::ORTHODOX)))))
    }

    /// The bounds of α and of β in a position of four pieces; nothing where no file tells of it.
    ///
    /// # Errors
    /// If its file cannot be used.
    pub(super) fn bounds(&self, position: &Position) -> Result<Option<[[i128; 2]; 2]>, WrongFile> {
        let Some(framed) = Framed::of(position) else { return Ok(None) };
        let Some(file) = self.open(framed.pair)? else { return Ok(None) };
        let [alpha, beta] = file.bounds(framed.quad).map(|bounds| bounds.map(i128::from));
        let turned = |[low, high]: [i128; 2]| [i128::from(ONE) - high, i128::from(ONE) - low];
        Ok(Some(if framed.reversed { [turned(beta), turned(alpha)] } else { [alpha, beta] }))
    }
}
