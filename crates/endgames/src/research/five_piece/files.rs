//! Tables of five pieces: in memory, in files (format in `docs/research.md`), and in a folder.

use std::{
    collections::HashMap,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use super::index::{FiveNumbering, FivePieceMaterial, FivePiecePosition, square};
use crate::{
    board::{Position, Size, Square},
    four_piece::{Columns, HEADER, ONE, Stored, WrongFile, letter, number, write, wrong_length},
};

/// First bytes of a file. The last one is the version.
const MAGIC: &[u8; 9] = b"ZORKFIVE\x01";

/// Path of a material's file in a folder.
pub fn file_of_five(folder: &Path, trio: FivePieceMaterial, size: Size) -> PathBuf {
    let board = if size == Size::ORTHODOX { String::new() } else { format!("{}x{}-", size.width(), size.height()) };
    folder.join(format!("{board}{trio}.five"))
}

/// Bounds of all positions of one material.
pub struct FiveTable {
    /// The material.
    pub trio: FivePieceMaterial,
    /// Board size.
    pub size: Size,
    /// Bounds by index.
    pub columns: Columns,
}

/// Code of a material and board in the header: the letters of the pieces, whether White has all three, files and ranks.
fn material_code(trio: FivePieceMaterial, size: Size) -> [u8; 6] {
    let [first, second, third] = trio.kinds.map(|kind| letter(kind) as u8);
    [first, second, third, u8::from(trio.together), size.width(), size.height()]
}

impl FiveTable {
    /// Writes the table and a checksum.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Columns { low, span, wide } = &self.columns;
        let mut header = [0; HEADER];
        header[..9].copy_from_slice(MAGIC);
        header[9..15].copy_from_slice(&material_code(self.trio, self.size));
        header[16..20].copy_from_slice(&(low.len() as u32).to_le_bytes());
        header[20..24].copy_from_slice(&(wide.len() as u32).to_le_bytes());
        write(&header, (low, span, wide), out)
    }
}

/// Parses a header: the material and the board size.
fn parse_header(header: &[u8; HEADER]) -> Result<(FivePieceMaterial, Size), WrongFile> {
    if header[..8] != MAGIC[..8] {
        return Err(WrongFile::Foreign("not a table of five pieces"));
    }
    if header[8] != MAGIC[8] {
        return Err(WrongFile::Foreign("unsupported version of the file format: solve the table again"));
    }
    let size = Size::new(header[13], header[14]).ok_or(WrongFile::Foreign("invalid board size in the header"))?;
    let trio = FivePieceMaterial::all().find(|trio| material_code(*trio, size) == header[9..15]);
    Ok((trio.ok_or(WrongFile::Foreign("unknown material in the header"))?, size))
}

/// A memory-mapped table of five pieces.
pub struct FiveFile {
    /// The material.
    pub trio: FivePieceMaterial,
    /// Board size.
    pub size: Size,
    /// Number of positions in which α < β is proved.
    pub apart: usize,
    /// The position with the largest proved gap (White's king, Black's king, the other pieces), with its upper bound of α and lower bound of β.
    pub farthest: Option<([Square; 5], [u64; 2])>,
    numbering: FiveNumbering,
    stored: Stored,
}

impl FiveFile {
    /// Opens a file and verifies its checksum, which reads the whole file once.
    ///
    /// # Errors
    /// If the file cannot be read, is not such a table, or is damaged.
    pub fn open(path: &Path) -> Result<FiveFile, WrongFile> {
        let titled = |header: &[u8; HEADER]| {
            let (trio, size) = parse_header(header)?;
            let (numbering, places) = (FiveNumbering::new(trio, size), number(header, 16));
            if places != numbering.len() {
                return Err(wrong_length());
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

    /// Reads all bounds into memory.
    pub fn columns(&self) -> Columns {
        self.stored.read()
    }

    /// Bounds of α and of β in a position as the table stores it, without undoing the reversal of colours. Both pairs are the same if they are
    /// narrow.
    pub fn bounds(&self, quint: &FivePiecePosition) -> [[u64; 2]; 2] {
        self.stored.bounds(quint.place(self.size, &self.numbering))
    }
}

/// Tables of five pieces in a folder. Each is opened at its first use; files that appear later are found too.
#[derive(Default)]
pub struct FiveFiles {
    folder: Option<PathBuf>,
    open: Mutex<HashMap<FivePieceMaterial, Arc<FiveFile>>>,
}

impl FiveFiles {
    /// The tables in a folder, which need not exist.
    pub fn new(folder: PathBuf) -> FiveFiles {
        FiveFiles { folder: Some(folder), open: Mutex::default() }
    }

    fn path(&self, trio: FivePieceMaterial) -> Option<PathBuf> {
        let path = self.folder.as_deref().map(|folder| file_of_five(folder, trio, Size::ORTHODOX));
        path.filter(|path| path.exists())
    }

    /// Returns whether a material has a file.
    pub(super) fn has(&self, trio: FivePieceMaterial) -> bool {
        self.path(trio).is_some()
    }

    /// Table of a material. Opening it reads the whole file once. `None` if there is no file.
    ///
    /// # Errors
    /// If its file cannot be used.
    pub fn open(&self, trio: FivePieceMaterial) -> Result<Option<Arc<FiveFile>>, WrongFile> {
        // Held while a file is opened, so that no other thread opens it too.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = open.get(&trio) {
            return Ok(Some(found.clone()));
        }
        let Some(path) = self.path(trio) else { return Ok(None) };
        let file = Arc::new(FiveFile::open(&path)?);
        if (file.trio, file.size) != (trio, Size::ORTHODOX) {
            return Err(WrongFile::Foreign("the material or board in the header differs from the file name"));
        }
        open.insert(trio, file.clone());
        Ok(Some(file))
    }

    /// Bounds of α and of β in a position of five pieces. `None` if there is no file for it.
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
