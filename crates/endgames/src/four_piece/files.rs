//! Tables of four pieces: in memory, in files (format in `docs/research.md`), and in a folder.
//!
//! While a table is being solved, a locked file next to its path holds the progress. The operating system releases the lock when the process ends,
//! so a dead process never blocks another.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::SystemTime,
};

use super::{
    ONE,
    answer::sharp,
    bound_proof::FourProgress,
    columns::{Columns, HEADER, LargeGap, SUM, Stored, WIDE_SPAN, WrongFile, number, write, wrong_length},
    decisions::{DecisionsFile, decisions_file_of},
    index::{FourPieceMaterial, FourPiecePosition, NormalizedPosition, Numbering, letter},
};
use crate::{
    board::{Position, Size},
    move_graph::rules,
};

/// First bytes of a file. A version byte follows.
const MAGIC: &[u8; 8] = b"ZORKFOUR";
const VERSION: u8 = 1;

/// Number of decisions wanted between two looks for their file.
const LOOK_INTERVAL: usize = 1024;

/// Bounds of all positions of one material.
pub struct FourTable {
    /// The material.
    pub pair: FourPieceMaterial,
    /// Indexes of the positions.
    pub numbering: Numbering,
    /// Lower bound of α by index; 0 where there is no position.
    pub low: Vec<u64>,
    /// By index, the difference between the upper bound of β and `low`; the maximum marks an entry of `wide`.
    pub span: Vec<u16>,
    /// Positions with wide bounds, in index order.
    pub wide: Vec<LargeGap>,
}

/// Code of a material in the header: the letters of both pieces, and whether White has both.
fn material_code(pair: FourPieceMaterial) -> [u8; 3] {
    [letter(pair.first) as u8, letter(pair.second) as u8, u8::from(pair.together)]
}

fn header(pair: FourPieceMaterial, places: usize, wide: usize) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8] = VERSION;
    header[9..12].copy_from_slice(&material_code(pair));
    header[12..16].copy_from_slice(&(places as u32).to_le_bytes());
    header[16..20].copy_from_slice(&(wide as u32).to_le_bytes());
    header
}

/// Parses a header: the material, the number of indexes and the number of wide positions.
fn parse_header(header: &[u8; HEADER]) -> Result<(FourPieceMaterial, usize, usize), WrongFile> {
    if &header[..8] != MAGIC {
        return Err(WrongFile::Foreign("not a table of four pieces"));
    }
    if header[8] != VERSION {
        return Err(WrongFile::Foreign("unsupported version of the file format: solve the table again"));
    }
    let pair = FourPieceMaterial::all().find(|pair| material_code(*pair) == header[9..12]);
    let pair = pair.ok_or(WrongFile::Foreign("unknown material in the header"))?;
    Ok((pair, number(header, 12), number(header, 16)))
}

/// Bounds in the orientation of the original position.
fn oriented(framed: NormalizedPosition, [low, high]: [u64; 2]) -> [u64; 2] {
    if framed.reversed { [ONE - high, ONE - low] } else { [low, high] }
}

impl FourTable {
    /// Bounds at an index.
    pub(super) fn at(&self, place: usize) -> [u64; 2] {
        let (low, span) = (self.low[place], self.span[place]);
        let far = || self.wide.binary_search_by_key(&place, |wide| wide.place as usize).map(|at| self.wide[at].high);
        [low, if span == WIDE_SPAN { far().unwrap_or(ONE) } else { low + u64::from(span) }]
    }

    /// Bounds of a position of this material, in its original orientation.
    pub fn bounds(&self, framed: NormalizedPosition) -> [u64; 2] {
        oriented(framed, self.at(self.numbering.place(framed.quad)))
    }

    /// Lower bound of β and upper bound of α, in the original orientation of the position. The same as the bounds if these are narrow.
    pub(crate) fn between(&self, framed: NormalizedPosition) -> [u64; 2] {
        let place = self.numbering.place(framed.quad);
        let wide = self.wide.binary_search_by_key(&place, |wide| wide.place as usize).map(|at| self.wide[at]);
        oriented(framed, wide.map_or_else(|_| self.at(place), |wide| [wide.beta, wide.alpha]))
    }

    /// Writes the table and a checksum.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let header = header(self.pair, self.low.len(), self.wide.len());
        write(&header, (&self.low, &self.span, &self.wide), out)
    }

    /// Reads a whole table.
    ///
    /// # Errors
    /// If the file cannot be read, is not such a table, or is damaged.
    pub fn read(path: &Path) -> Result<FourTable, WrongFile> {
        let FourFile { pair, numbering, stored, .. } = FourFile::open(path)?;
        let Columns { low, span, wide } = stored.read();
        Ok(FourTable { pair, numbering, low, span, wide })
    }
}

/// A memory-mapped table of four pieces.
pub struct FourFile {
    /// The material.
    pub pair: FourPieceMaterial,
    /// SHA-256 of the whole file.
    pub sum: [u8; SUM],
    /// Number of positions in which the bounds prove α < β.
    pub apart: usize,
    /// The position with the largest proved gap, with its upper bound of α and lower bound of β.
    pub farthest: Option<(FourPiecePosition, [u64; 2])>,
    numbering: Numbering,
    path: PathBuf,
    /// Decisions about α = β, once their file is there.
    decisions: OnceLock<DecisionsFile>,
    /// Number of times that a decision was wanted before their file was there.
    uses: AtomicUsize,
    /// Cores of the largest gap, once they have been searched for.
    pub(super) cores: OnceLock<Arc<[Core]>>,
    stored: Stored,
}

impl FourFile {
    /// Opens a file and verifies its checksum, which reads the whole file once.
    ///
    /// # Errors
    /// If the file cannot be read, is not such a table, or is damaged.
    pub fn open(path: &Path) -> Result<FourFile, WrongFile> {
        let titled = |header: &[u8; HEADER]| {
            let (pair, places, wides) = parse_header(header)?;
            let numbering = Numbering::new(pair);
            if places != numbering.len() {
                return Err(wrong_length());
            }
            Ok(((pair, numbering), [places, wides]))
        };
        let ((pair, numbering), stored) = Stored::open(path, titled)?;
        let Stored { sum, apart, farthest, .. } = stored;
        let farthest = farthest.map(|wide| (numbering.quad(wide.place as usize), [wide.alpha, wide.beta]));
        let (path, decisions, cores) = (path.to_owned(), OnceLock::new(), OnceLock::new());
        Ok(FourFile {
            pair,
            sum,
            apart,
            farthest,
            numbering,
            path,
            decisions,
            uses: AtomicUsize::new(0),
            cores,
            stored,
        })
    }

    /// Bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.stored.file
    }

    /// SHA-256 of the whole file, in hexadecimal.
    pub fn digest(&self) -> String {
        self.sum.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Bounds of α and of β at an index. Narrow bounds give the same pair for both.
    pub(super) fn at(&self, place: usize) -> [[u64; 2]; 2] {
        self.stored.bounds(place)
    }

    /// Decisions about α = β. `None` if their file is missing or cannot be used; `zorkmid solve` writes it.
    pub fn decisions(&self) -> Option<&DecisionsFile> {
        if self.decisions.get().is_none() {
            let found = DecisionsFile::open(&decisions_file_of(&self.path), self.numbering.len(), &self.sum).ok()?;
            return Some(self.decisions.get_or_init(|| found));
        }
        self.decisions.get()
    }

    /// True if α = β is proved at an index, false if α < β is, `None` if that is open.
    fn sharp(&self, place: usize) -> Option<bool> {
        let bounds = self.at(place).map(|bounds| bounds.map(i128::from));
        sharp(bounds).or_else(|| {
            // Looking for the file costs a system call.
            let looks = || self.uses.fetch_add(1, Relaxed).is_multiple_of(LOOK_INTERVAL);
            let decisions = self.decisions.get().or_else(|| looks().then(|| self.decisions()).flatten());
            decisions?.sharp(place)
        })
    }

    /// The same for a position of this material, and its bounds of α and of β in the original orientation.
    pub(super) fn decided(&self, framed: NormalizedPosition) -> ([[u64; 2]; 2], Option<bool>) {
        let place = self.numbering.place(framed.quad);
        let [alpha, beta] = self.at(place).map(|bounds| oriented(framed, bounds));
        (if framed.reversed { [beta, alpha] } else { [alpha, beta] }, self.sharp(place))
    }

    /// Bounds of α and of β in a position. Narrow bounds give the same pair for both.
    pub fn bounds(&self, quad: FourPiecePosition) -> [[u64; 2]; 2] {
        self.at(self.numbering.place(quad))
    }
}

/// A position as a place of a table: its material, its index, and whether colours are reversed.
pub(crate) type FourPlace = (FourPieceMaterial, usize, bool);

/// Path of a material's file in a folder.
pub fn file_of(folder: &Path, pair: FourPieceMaterial) -> PathBuf {
    folder.join(format!("{pair}.four"))
}

/// Tables of four pieces in a folder. Each is opened at its first use; files that appear later are found too.
#[derive(Default)]
pub struct FourFiles {
    folder: Option<PathBuf>,
    open: Mutex<HashMap<FourPieceMaterial, Arc<FourFile>>>,
    /// Files that were refused, with their length and modification time. They are not read again until these change.
    wrong: Mutex<HashMap<FourPieceMaterial, (Stamp, &'static str)>>,
}

/// Length of a file and its modification time.
type Stamp = (u64, SystemTime);

/// Stamp of a file, if available.
fn stamp(path: &Path) -> Option<Stamp> {
    let about = path.metadata().ok()?;
    Some((about.len(), about.modified().ok()?))
}

impl FourFiles {
    /// The tables in a folder, which need not exist.
    pub fn new(folder: PathBuf) -> FourFiles {
        FourFiles { folder: Some(folder), ..FourFiles::default() }
    }

    /// The folder.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Materials that have a file, open or not.
    pub fn pairs(&self) -> Vec<FourPieceMaterial> {
        let there =
            |pair: &FourPieceMaterial| self.folder.as_deref().is_some_and(|folder| file_of(folder, *pair).exists());
        FourPieceMaterial::all().filter(there).collect()
    }

    /// Table of a material. Opening it reads the whole file once. `None` if there is no file.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn open(&self, pair: FourPieceMaterial) -> Result<Option<Arc<FourFile>>, WrongFile> {
        // Held while a file is opened, so that no other thread opens it too.
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
            false => Err(WrongFile::Foreign("the material in the header differs from the file name")),
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

    /// Progress of a process that is solving a material, from 0 to 1.
    pub fn solving(&self, pair: FourPieceMaterial) -> Option<f64> {
        progress(self.folder.as_deref()?, pair)
    }

    /// Index of a four-piece position, and the canonical position that represents its symmetry class. `None` if there is no file for it.
    ///
    /// # Errors
    /// If its file cannot be used.
    pub(crate) fn canonical(&self, position: &Position) -> Result<Option<(FourPlace, Position)>, WrongFile> {
        let Some(framed) = NormalizedPosition::of(position) else { return Ok(None) };
        let Some(file) = self.open(framed.pair)? else { return Ok(None) };
        let place = file.numbering.place(framed.quad);
        let same = NormalizedPosition { quad: file.numbering.quad(place), ..framed };
        Ok(Some(((framed.pair, place, framed.reversed), same.position(rules(Size::ORTHODOX)))))
    }

    /// Bounds of α and of β in a position of four pieces. `None` if there is no file for it.
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

    /// True if α = β is proved in a position of four pieces, false if α < β is, `None` if that is open or there is no file.
    ///
    /// # Errors
    /// If its file cannot be used.
    pub(crate) fn sharp(&self, position: &Position) -> Result<Option<bool>, WrongFile> {
        let Some(framed) = NormalizedPosition::of(position) else { return Ok(None) };
        Ok(self.open(framed.pair)?.and_then(|file| file.sharp(file.numbering.place(framed.quad))))
    }
}

/// A core: positions that lead to each other while both sides wait. See `gap_cores.rs`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// Material of the core. It differs from the material of the table if a pawn has promoted on the way.
    pub pair: FourPieceMaterial,
    /// A position of the core.
    pub position: Position,
    /// Upper bound of α, in multiples of 2⁻⁶³.
    pub alpha: i128,
    /// Lower bound of β, in multiples of 2⁻⁶³.
    pub beta: i128,
    /// Number of positions in the core, as places of the tables.
    pub positions: usize,
    /// Moves of White and of Black in the position.
    pub waits: [WaitingMoves; 2],
}

/// Moves of a side in a position of a core.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitingMoves {
    /// Moves that change neither α nor β, in SAN.
    pub kept: Vec<String>,
    /// α and β after the best of the other moves: the largest for White, the smallest for Black. `None` if there is no other move.
    pub others: Option<[i128; 2]>,
}

/// Path of a material's progress file.
fn progress_path(folder: &Path, pair: FourPieceMaterial) -> PathBuf {
    folder.join(format!("{pair}.solving"))
}

/// Announces in the folder that a table is being solved, until it is dropped. If several processes solve one table, only the first announces it.
pub struct FourWork {
    file: File,
    path: PathBuf,
    /// Set once this process holds the lock.
    locked: bool,
}

impl FourWork {
    /// Starts to announce that a material is being solved.
    ///
    /// # Errors
    /// If the progress file cannot be written.
    pub fn begin(folder: &Path, pair: FourPieceMaterial) -> io::Result<FourWork> {
        let path = progress_path(folder, pair);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path)?;
        let mut work = FourWork { file, path, locked: false };
        work.write(0, 1)?;
        Ok(work)
    }

    /// Updates the progress.
    ///
    /// # Errors
    /// If the progress file cannot be written.
    pub fn note(&mut self, progress: FourProgress) -> io::Result<()> {
        self.write(progress.positions - progress.open, progress.positions)
    }

    fn write(&mut self, done: usize, all: usize) -> io::Result<()> {
        // Retried at every update, because a reader's check holds the lock for a moment.
        self.locked = self.locked || self.file.try_lock().is_ok();
        if !self.locked {
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(0))?;
        // The fixed length overwrites the previous text completely.
        self.file.write_all(format!("{done:020} {all:020}").as_bytes())
    }
}

impl Drop for FourWork {
    fn drop(&mut self) {
        if self.locked {
            // A leftover file without a lock is ignored.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Progress of solving a material, from 0 to 1. `None` if no process is solving it.
pub(super) fn progress(folder: &Path, pair: FourPieceMaterial) -> Option<f64> {
    let path = progress_path(folder, pair);
    match File::open(&path).ok()?.try_lock_shared() {
        Err(TryLockError::WouldBlock) => {}
        Ok(()) | Err(TryLockError::Error(_)) => return None,
    }
    let note = fs::read_to_string(&path).unwrap_or_default();
    let read = |(done, all): (&str, &str)| Some((done.parse::<u32>().ok()?, all.trim_end().parse::<u32>().ok()?));
    let (done, all) = note.split_once(' ').and_then(read).unwrap_or((0, 1));
    Some(f64::from(done) / f64::from(all.max(1)))
}
