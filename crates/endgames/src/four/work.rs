//! The mark of a table that is being solved: a file beside its place that is locked for as long as somebody is at work, and says how far they are. A lock
//! is gone with the process that has held it, so that nobody waits for one that was stopped.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use super::{drawn::FourProgress, pair::Pair};

/// The name of a pair's mark.
fn mark(folder: &Path, pair: Pair) -> PathBuf {
    folder.join(format!("{pair}.solving"))
}

/// Work on a table, told to whoever looks into the folder until it is dropped. Of several processes at one table the first one tells.
pub struct FourWork {
    file: File,
    path: PathBuf,
    /// Set once nobody else tells of this table.
    locked: bool,
}

impl FourWork {
    /// Tells that a pair is being solved into a folder.
    ///
    /// # Errors
    /// If the mark cannot be written.
    pub fn begin(folder: &Path, pair: Pair) -> io::Result<FourWork> {
        let path = mark(folder, pair);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path)?;
        let mut work = FourWork { file, path, locked: false };
        work.write(0, 1)?;
        Ok(work)
    }

    /// Tells how far it is.
    ///
    /// # Errors
    /// If the mark cannot be written.
    pub fn note(&mut self, progress: FourProgress) -> io::Result<()> {
        self.write(progress.positions - progress.open, progress.positions)
    }

    fn write(&mut self, done: usize, all: usize) -> io::Result<()> {
        // Somebody may just have looked whether there is a lock.
        self.locked = self.locked || self.file.try_lock().is_ok();
        if !self.locked {
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(0))?;
        // As long every time, so that nothing of an older note is left.
        self.file.write_all(format!("{done:020} {all:020}").as_bytes())
    }
}

impl Drop for FourWork {
    fn drop(&mut self) {
        if self.locked {
            // One that stays without a lock tells nothing.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// How far the solving of a pair is, from 0 to 1; nothing if nobody is at it.
pub(super) fn progress(folder: &Path, pair: Pair) -> Option<f64> {
    let path = mark(folder, pair);
    match File::open(&path).ok()?.try_lock_shared() {
        Err(TryLockError::WouldBlock) => {}
        Ok(()) | Err(TryLockError::Error(_)) => return None,
    }
    let note = fs::read_to_string(&path).unwrap_or_default();
    let read = |(done, all): (&str, &str)| Some((done.parse::<u32>().ok()?, all.trim_end().parse::<u32>().ok()?));
    let (done, all) = note.split_once(' ').and_then(read).unwrap_or((0, 1));
    Some(f64::from(done) / f64::from(all.max(1)))
}
