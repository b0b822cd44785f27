//! The tables of four pieces: in memory, in their files (described in `docs/research.md`), and in a folder.
//!
//! While a table is being solved, a file beside its place is locked and holds the progress. The lock is gone with its process, so that a stopped
//! process blocks nobody.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::SystemTime,
};

use super::{
    ONE,
    bound_proof::FourProgress,
    columns::{Columns, FAR, HEADER, LargeGap, SUM, Stored, WrongFile, number, short, write},
    index::{FourPieceMaterial, FourPiecePosition, NormalizedPosition, Numbering, letter},
};
use crate::{
    board::{Position, Size},
    move_graph::rules,
};

/// What a file begins with; the last byte is the version.
const MAGIC: &[u8; 8] = b"ZORKFOUR";
const VERSION: u8 = 1;

/// The bounds of all positions of a pair.
pub struct FourTable {
    /// The pieces beside the kings.
    pub pair: FourPieceMaterial,
    /// The places of the positions.
    pub numbering: Numbering,
    /// By place: α is not below this; 0 where there is no position.
    pub low: Vec<u64>,
    /// By place: what has to be added so that β is not above it; the greatest number for a wide one.
    pub span: Vec<u16>,
    /// The wide places, in their order.
    pub wide: Vec<LargeGap>,
}

/// The letters of both pieces, and whether they are both White's.
fn named(pair: FourPieceMaterial) -> [u8; 3] {
    [letter(pair.first) as u8, letter(pair.second) as u8, u8::from(pair.together)]
}

fn header(pair: FourPieceMaterial, places: usize, wide: usize) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8] = VERSION;
    header[9..12].copy_from_slice(&named(pair));
    header[12..16].copy_from_slice(&(places as u32).to_le_bytes());
    header[16..20].copy_from_slice(&(wide as u32).to_le_bytes());
    header
}

/// The pair and the numbers of places of a header.
fn titled(header: &[u8; HEADER]) -> Result<(FourPieceMaterial, usize, usize), WrongFile> {
    if &header[..8] != MAGIC {
        return Err(WrongFile::Foreign("this is no table of four pieces"));
    }
    if header[8] != VERSION {
        return Err(WrongFile::Foreign("this is a table of another version"));
    }
    let pair = FourPieceMaterial::all().find(|pair| named(*pair) == header[9..12]);
    let pair = pair.ok_or(WrongFile::Foreign("these pieces have no table"))?;
    Ok((pair, number(header, 12), number(header, 16)))
}

/// Two bounds of a position as its own sides see them.
fn seen(framed: NormalizedPosition, [low, high]: [u64; 2]) -> [u64; 2] {
    if framed.reversed { [ONE - high, ONE - low] } else { [low, high] }
}

impl FourTable {
    /// The bounds at a place.
    pub(super) fn at(&self, place: usize) -> [u64; 2] {
        let (low, span) = (self.low[place], self.span[place]);
        let far = || self.wide.binary_search_by_key(&place, |wide| wide.place as usize).map(|at| self.wide[at].high);
        [low, if span == FAR { far().unwrap_or(ONE) } else { low + u64::from(span) }]
    }

    /// The bounds of a position of this pair as its own sides see it.
    pub fn bounds(&self, framed: NormalizedPosition) -> [u64; 2] {
        seen(framed, self.at(self.numbering.place(framed.quad)))
    }

    /// What β is not below, and what α is not above, as the position's own sides see it; where they are near each other, the same as the bounds.
    pub(crate) fn between(&self, framed: NormalizedPosition) -> [u64; 2] {
        let place = self.numbering.place(framed.quad);
        let wide = self.wide.binary_search_by_key(&place, |wide| wide.place as usize).map(|at| self.wide[at]);
        seen(framed, wide.map_or_else(|_| self.at(place), |wide| [wide.beta, wide.alpha]))
    }

    /// Writes the table, and behind it a checksum of all that comes before.
    ///
    /// # Errors
    /// As the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let header = header(self.pair, self.low.len(), self.wide.len());
        write(&header, (&self.low, &self.span, &self.wide), out)
    }

    /// Reads a whole table.
    ///
    /// # Errors
    /// If the file cannot be read, is something else or has been damaged.
    pub fn read(path: &Path) -> Result<FourTable, WrongFile> {
        let FourFile { pair, numbering, stored, .. } = FourFile::open(path)?;
        let Columns { low, span, wide } = stored.read();
        Ok(FourTable { pair, numbering, low, span, wide })
    }
}

/// A table of four pieces in its file, which is mapped into memory: only what is asked is read.
pub struct FourFile {
    /// The pieces beside the kings.
    pub pair: FourPieceMaterial,
    /// SHA-256 of the whole file.
    pub sum: [u8; SUM],
    /// The positions in which α < β.
    pub apart: usize,
    /// That of them in which they are farthest from each other, with what α is not above and β not below.
    pub farthest: Option<(FourPiecePosition, [u64; 2])>,
    numbering: Numbering,
    /// Where its largest gap comes from, once that was looked for.
    pub(super) cores: OnceLock<Arc<[Core]>>,
    stored: Stored,
}

impl FourFile {
    /// Opens a file and checks its checksum, for which all of it is read once.
    ///
    /// # Errors
    /// If the file cannot be read, is something else or has been damaged.
    pub fn open(path: &Path) -> Result<FourFile, WrongFile> {
        let titled = |header: &[u8; HEADER]| {
            let (pair, places, wides) = titled(header)?;
            let numbering = Numbering::new(pair);
            if places != numbering.len() {
                return Err(short());
            }
            Ok(((pair, numbering), [places, wides]))
        };
        let ((pair, numbering), stored) = Stored::open(path, titled)?;
        let Stored { sum, apart, farthest, .. } = stored;
        let farthest = farthest.map(|wide| (numbering.quad(wide.place as usize), [wide.alpha, wide.beta]));
        Ok(FourFile { pair, sum, apart, farthest, numbering, cores: OnceLock::new(), stored })
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.stored.file
    }

    /// SHA-256 of the whole file, in hexadecimal.
    pub fn digest(&self) -> String {
        self.sum.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The bounds at a place, and what bounds α from above and β from below; the same where they are near each other.
    pub(super) fn at(&self, place: usize) -> [[u64; 2]; 2] {
        self.stored.bounds(place)
    }

    /// The bounds of a position, and what bounds α from above and β from below; the same where they are near each other.
    pub fn bounds(&self, quad: FourPiecePosition) -> [[u64; 2]; 2] {
        self.at(self.numbering.place(quad))
    }
}

/// A position up to the symmetries of the board, with the colours as they are.
pub(crate) type FourPlace = (FourPieceMaterial, usize, bool);

/// The name of a pair's file in its folder.
pub fn file_of(folder: &Path, pair: FourPieceMaterial) -> PathBuf {
    folder.join(format!("{pair}.four"))
}

/// The tables of four pieces in a folder, each opened when it is asked first. One that comes later is found when it is there.
#[derive(Default)]
pub struct FourFiles {
    folder: Option<PathBuf>,
    open: Mutex<HashMap<FourPieceMaterial, Arc<FourFile>>>,
    /// The files that were found to be something else or damaged, with their length and time then: they are not read again before these change.
    wrong: Mutex<HashMap<FourPieceMaterial, (Stamp, &'static str)>>,
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
    pub fn pairs(&self) -> Vec<FourPieceMaterial> {
        let there =
            |pair: &FourPieceMaterial| self.folder.as_deref().is_some_and(|folder| file_of(folder, *pair).exists());
        FourPieceMaterial::all().filter(there).collect()
    }

    /// The table of a pair, which is read once as a whole when it is opened; nothing where there is none.
    ///
    /// # Errors
    /// If its file cannot be used.
    pub fn open(&self, pair: FourPieceMaterial) -> Result<Option<Arc<FourFile>>, WrongFile> {
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
    pub fn solving(&self, pair: FourPieceMaterial) -> Option<f64> {
        progress(self.folder.as_deref()?, pair)
    }

    /// The place of a position of four pieces, and the position that stands for all that are the same up to a symmetry; nothing where no file tells of it.
    ///
    /// # Errors
    /// If its file cannot be used.
    pub(crate) fn same(&self, position: &Position) -> Result<Option<(FourPlace, Position)>, WrongFile> {
        let Some(framed) = NormalizedPosition::of(position) else { return Ok(None) };
        let Some(file) = self.open(framed.pair)? else { return Ok(None) };
        let place = file.numbering.place(framed.quad);
        let same = NormalizedPosition { quad: file.numbering.quad(place), ..framed };
        Ok(Some(((framed.pair, place, framed.reversed), same.position(rules(Size::ORTHODOX)))))
    }

    /// The bounds of α and of β in a position of four pieces; nothing where no file tells of it.
    ///
    /// # Errors
    /// If its file cannot be used.
    pub(super) fn bounds(&self, position: &Position) -> Result<Option<[[i128; 2]; 2]>, WrongFile> {
        let Some(framed) = NormalizedPosition::of(position) else { return Ok(None) };
        let Some(file) = self.open(framed.pair)? else { return Ok(None) };
        let [alpha, beta] = file.bounds(framed.quad).map(|bounds| bounds.map(i128::from));
        let turned = |[low, high]: [i128; 2]| [i128::from(ONE) - high, i128::from(ONE) - low];
        Ok(Some(if framed.reversed { [turned(beta), turned(alpha)] } else { [alpha, beta] }))
    }
}

/// Positions that lead to each other while both sides wait, by one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// The pieces, which may be others than those of the table where a pawn has promoted before.
    pub pair: FourPieceMaterial,
    /// A position of the core.
    pub position: Position,
    /// α is not above this, as a multiple of 2⁻⁶³.
    pub alpha: i128,
    /// β is not below this.
    pub beta: i128,
    /// The number of positions, up to symmetry, that the moves of both sides lead to each other.
    pub positions: usize,
    /// What White and Black can do in the position.
    pub waits: [WaitingMoves; 2],
}

/// The moves of a side in a position of a core.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitingMoves {
    /// Those that change neither α nor β, in SAN.
    pub kept: Vec<String>,
    /// The greatest α and the greatest β after any other move of White's, the least ones after any other of Black's; nothing if there is no other.
    pub others: Option<[i128; 2]>,
}

/// The name of a pair's mark.
fn mark(folder: &Path, pair: FourPieceMaterial) -> PathBuf {
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
    pub fn begin(folder: &Path, pair: FourPieceMaterial) -> io::Result<FourWork> {
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
pub(super) fn progress(folder: &Path, pair: FourPieceMaterial) -> Option<f64> {
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
