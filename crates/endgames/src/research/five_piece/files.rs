//! The tables of five pieces: in memory, in their files (described in `docs/research.md`), and in a folder.

use std::{
    collections::HashMap,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use super::index::{FiveNumbering, FivePieceMaterial, FivePiecePosition, square};
use crate::{
    board::{Position, Size, Square},
    four_piece::{Columns, HEADER, ONE, Stored, WrongFile, letter, number, short, write},
};

/// What a file begins with; the last byte is the version.
const MAGIC: &[u8; 9] = b"ZORKFIVE\x01";

/// The name of a trio's file in its folder.
pub fn file_of_five(folder: &Path, trio: FivePieceMaterial, size: Size) -> PathBuf {
    let board = if size == Size::ORTHODOX { String::new() } else { format!("{}x{}-", size.width(), size.height()) };
    folder.join(format!("{board}{trio}.five"))
}

/// The bounds of all positions of a trio.
pub struct FiveTable {
    /// The pieces beside the kings.
    pub trio: FivePieceMaterial,
    /// The board's extent.
    pub size: Size,
    /// The bounds by place.
    pub columns: Columns,
}

/// The letters of the pieces, whether they are all White's, and the board.
fn named(trio: FivePieceMaterial, size: Size) -> [u8; 6] {
    let [first, second, third] = trio.kinds.map(|kind| letter(kind) as u8);
    [first, second, third, u8::from(trio.together), size.width(), size.height()]
}

impl FiveTable {
    /// Writes the table, and behind it a checksum of all that comes before.
    ///
    /// # Errors
    /// As the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Columns { low, span, wide } = &self.columns;
        let mut header = [0; HEADER];
        header[..9].copy_from_slice(MAGIC);
        header[9..15].copy_from_slice(&named(self.trio, self.size));
        header[16..20].copy_from_slice(&(low.len() as u32).to_le_bytes());
        header[20..24].copy_from_slice(&(wide.len() as u32).to_le_bytes());
        write(&header, (low, span, wide), out)
    }
}

/// The trio and the board of a header.
fn titled(header: &[u8; HEADER]) -> Result<(FivePieceMaterial, Size), WrongFile> {
    if header[..8] != MAGIC[..8] {
        return Err(WrongFile::Foreign("this is no table of five pieces"));
    }
    if header[8] != MAGIC[8] {
        return Err(WrongFile::Foreign("this is a table of another version"));
    }
    let size = Size::new(header[13], header[14]).ok_or(WrongFile::Foreign("there is no such board"))?;
    let trio = FivePieceMaterial::all().find(|trio| named(*trio, size) == header[9..15]);
    Ok((trio.ok_or(WrongFile::Foreign("these pieces have no table"))?, size))
}

/// A table of five pieces in its file, which is mapped into memory: only what is asked is read.
pub struct FiveFile {
    /// The pieces beside the kings.
    pub trio: FivePieceMaterial,
    /// The board's extent.
    pub size: Size,
    /// The positions in which α < β.
    pub apart: usize,
    /// That of them in which they are farthest from each other, with what α is not above and β not below: White's king, Black's, the other pieces.
    pub farthest: Option<([Square; 5], [u64; 2])>,
    numbering: FiveNumbering,
    stored: Stored,
}

impl FiveFile {
    /// Opens a file and checks its checksum, for which all of it is read once.
    ///
    /// # Errors
    /// If the file cannot be read, is something else or has been damaged.
    pub fn open(path: &Path) -> Result<FiveFile, WrongFile> {
        let titled = |header: &[u8; HEADER]| {
            let (trio, size) = titled(header)?;
            let (numbering, places) = (FiveNumbering::new(trio, size), number(header, 16));
            if places != numbering.len() {
                return Err(short());
            }
            Ok(((trio, size, numbering), [places, number(header, 20)]))
        };
        let ((trio, size, numbering), stored) = Stored::open(path, titled)?;
        let farthest = stored.farthest.map(|wide| {
            let (king, bare, [a, b, c]) = numbering.squares(wide.place as usize);
            ([king, bare, a, b, c].map(|number| square(size, number)), [wide.alpha, wide.beta])
        });
        Ok(FiveFile { trio, size, apart: stored.apart, farthest, numbering, stored })
    }

    /// All of its bounds.
    pub fn columns(&self) -> Columns {
        self.stored.read()
    }

    /// The bounds of a position, and what bounds α from above and β from below, with the sides as they are in the table; the same where they are near
    /// each other.
    pub fn bounds(&self, quint: &FivePiecePosition) -> [[u64; 2]; 2] {
        self.stored.bounds(quint.place(self.size, &self.numbering))
    }
}

/// The tables of five pieces in a folder, each opened when it is asked first. One that comes later is found when it is there.
#[derive(Default)]
pub struct FiveFiles {
    folder: Option<PathBuf>,
    open: Mutex<HashMap<FivePieceMaterial, Arc<FiveFile>>>,
}

impl FiveFiles {
    /// The tables in a folder, which need not be there.
    pub fn new(folder: PathBuf) -> FiveFiles {
        FiveFiles { folder: Some(folder), open: Mutex::default() }
    }

    fn path(&self, trio: FivePieceMaterial) -> Option<PathBuf> {
        let path = self.folder.as_deref().map(|folder| file_of_five(folder, trio, Size::ORTHODOX));
        path.filter(|path| path.exists())
    }

    /// Tells whether there is a file of a trio.
    pub(super) fn has(&self, trio: FivePieceMaterial) -> bool {
        self.path(trio).is_some()
    }

    /// The table of a trio, which is read once as a whole when it is opened; nothing where there is none.
    ///
    /// # Errors
    /// If its file cannot be used.
    pub fn open(&self, trio: FivePieceMaterial) -> Result<Option<Arc<FiveFile>>, WrongFile> {
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
        let Some(quint) = FivePiecePosition::of(Size::ORTHODOX, position) else { return Ok(None) };
        let Some(file) = self.open(quint.trio)? else { return Ok(None) };
        let [alpha, beta] = file.bounds(&quint).map(|bounds| bounds.map(i128::from));
        let turned = |[low, high]: [i128; 2]| [i128::from(ONE) - high, i128::from(ONE) - low];
        Ok(Some(if quint.reversed { [turned(beta), turned(alpha)] } else { [alpha, beta] }))
    }
}
