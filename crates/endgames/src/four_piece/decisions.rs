//! Files of decisions about α = β, one beside each table of four pieces (format in `docs/research.md`).

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use mmap_guard::FileData;
use sha2::{Digest, Sha256};

use super::{
    columns::{HEADER, SUM, WrongFile, number, wrong_length},
    index::FourPiecePosition,
    sharpness::Sharpness,
};

/// First bytes of a file. A version byte follows.
const MAGIC: &[u8; 8] = b"ZORKGAPS";
const VERSION: u8 = 1;
/// Positions in a byte.
const PER_BYTE: usize = 4;
/// Bytes before the decisions: the header and the SHA-256 of the table.
const START: usize = HEADER + SUM;

/// Path of the file that belongs to a table's file.
pub fn decisions_file_of(table: &Path) -> PathBuf {
    table.with_extension("gaps")
}

/// Decisions about all indexes of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decisions {
    /// Two bits for each index, lowest first: 0 without a position, 1 for α = β, 2 for α < β, 3 if not decided.
    bytes: Vec<u8>,
    /// Number of indexes.
    places: usize,
    /// Number of positions with α < β.
    pub apart: usize,
    /// Number of positions that are not decided.
    pub open: usize,
    /// Positions with α < β that may be in a core. They are not in the file.
    pub cores: Vec<FourPiecePosition>,
}

fn code(state: Sharpness) -> u8 {
    match state {
        Sharpness::Sharp => 1,
        Sharpness::Apart => 2,
        Sharpness::Open => 3,
    }
}

impl Decisions {
    /// Collects decisions about a number of indexes; those left out have no position.
    pub(super) fn new(
        places: usize,
        decided: impl Iterator<Item = (usize, Sharpness)>,
        cores: Vec<FourPiecePosition>,
    ) -> Decisions {
        let mut decisions = Decisions { bytes: vec![0; places.div_ceil(PER_BYTE)], places, apart: 0, open: 0, cores };
        for (place, state) in decided {
            decisions.bytes[place / PER_BYTE] |= code(state) << (place % PER_BYTE * 2);
            decisions.apart += usize::from(state == Sharpness::Apart);
            decisions.open += usize::from(state == Sharpness::Open);
        }
        decisions
    }

    /// Writes the decisions about the table whose file has the SHA-256 `table`.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, table: &[u8; SUM], out: &mut dyn Write) -> io::Result<()> {
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(MAGIC);
        header[8] = VERSION;
        for (at, number) in [(12, self.places), (16, self.apart), (20, self.open)] {
            header[at..at + 4].copy_from_slice(&(number as u32).to_le_bytes());
        }
        let mut hash = Sha256::new();
        for part in [&header[..], &table[..], &self.bytes] {
            hash.update(part);
            out.write_all(part)?;
        }
        out.write_all(&hash.finalize())
    }
}

/// A memory-mapped file of decisions.
pub struct DecisionsFile {
    file: FileData,
    /// Number of positions with α < β.
    pub apart: usize,
    /// Number of positions that are not decided.
    pub open: usize,
}

impl DecisionsFile {
    /// Opens a file and verifies its checksum and that it belongs to the table with `places` indexes and the SHA-256 `table`.
    ///
    /// # Errors
    /// If the file cannot be read, belongs to another table, or is damaged.
    pub(super) fn open(path: &Path, places: usize, table: &[u8; SUM]) -> Result<DecisionsFile, WrongFile> {
        let file = mmap_guard::map_file(path)?;
        let (Some(header), true) =
            (file.first_chunk::<HEADER>(), file.len() == START + places.div_ceil(PER_BYTE) + SUM)
        else {
            return Err(wrong_length());
        };
        if &header[..8] != MAGIC || header[8] != VERSION {
            return Err(WrongFile::Foreign("not a version 1 file of decisions about α = β"));
        }
        if number(header, 12) != places || file[HEADER..START] != table[..] {
            return Err(WrongFile::Foreign("the decisions about α = β belong to another table"));
        }
        let (whole, sum) = file.split_at(file.len() - SUM);
        if Sha256::digest(whole)[..] != *sum {
            return Err(WrongFile::Foreign("the checksum is wrong: the file has been damaged"));
        }
        let (apart, open) = (number(header, 16), number(header, 20));
        Ok(DecisionsFile { file, apart, open })
    }

    /// True for α = β, false for α < β, `None` if an index is not decided or has no position.
    pub(super) fn sharp(&self, place: usize) -> Option<bool> {
        match self.file[START + place / PER_BYTE] >> (place % PER_BYTE * 2) & 3 {
            1 => Some(true),
            2 => Some(false),
            _ => None,
        }
    }
}
