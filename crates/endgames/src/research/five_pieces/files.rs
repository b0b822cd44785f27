//! The tables of five pieces on the ordinary board that lie in a folder.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    file::{FiveFile, file_of_five},
    quint::Quint,
    trio::Trio,
};
use crate::{
    board::{Position, Size},
    four::{ONE, WrongFile},
};

/// The tables of five pieces in a folder, each opened when it is asked first. One that comes later is found when it is there.
#[derive(Default)]
pub struct FiveFiles {
    folder: Option<PathBuf>,
    open: Mutex<HashMap<Trio, Arc<FiveFile>>>,
}

impl FiveFiles {
    /// The tables in a folder, which need not be there.
    pub fn new(folder: PathBuf) -> FiveFiles {
        FiveFiles { folder: Some(folder), open: Mutex::default() }
    }

    fn path(&self, trio: Trio) -> Option<PathBuf> {
        let path = self.folder.as_deref().map(|folder| file_of_five(folder, trio, Size::ORTHODOX));
        path.filter(|path| path.exists())
    }

    /// Tells whether there is a file of a trio.
    pub(super) fn has(&self, trio: Trio) -> bool {
        self.path(trio).is_some()
    }

    /// The table of a trio, which is read once as a whole when it is opened; nothing where there is none.
    ///
    /// # Errors
    /// If its file cannot be used.
    pub fn open(&self, trio: Trio) -> Result<Option<Arc<FiveFile>>, WrongFile> {
        // Held while one is opened, so that nobody else opens it too.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = open.get(&trio) {
            return Ok(Some(found.clone()));
        }
        let Some(path) = self.path(trio) else { return Ok(None) };
        let file = Arc::new(FiveFile::open(&path)?);
        if (file.trio, file.size) != (trio, Size::ORTHODOX) {
            return Err(WrongFile::Foreign("it holds another table than its name says"));
        }
        open.insert(trio, file.clone());
        Ok(Some(file))
    }

    /// The bounds of α and of β in a position of five pieces; nothing where no file tells of it.
    ///
    /// # Errors
    /// If its file cannot be used.
    pub(super) fn bounds(&self, position: &Position) -> Result<Option<[[i128; 2]; 2]>, WrongFile> {
        let Some(quint) = Quint::of(Size::ORTHODOX, position) else { return Ok(None) };
        let Some(file) = self.open(quint.trio)? else { return Ok(None) };
        let [alpha, beta] = file.bounds(&quint).map(|bounds| bounds.map(i128::from));
        let turned = |[low, high]: [i128; 2]| [i128::from(ONE) - high, i128::from(ONE) - low];
        Ok(Some(if quint.reversed { [turned(beta), turned(alpha)] } else { [alpha, beta] }))
    }
}
