//! Columns of a table of bounds, in memory and in its file (format in `docs/research.md`). A file has a header, the lower bound of every position, its
//! span, the entries for wide bounds, and a checksum of all this.
//!
//! Bounds that differ by more than [`NARROW`](super::NARROW) are wide. They have an entry with the other three bounds.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
};

use mmap_guard::FileData;
use sha2::{Digest, Sha256};

use super::ONE;

/// Bytes of a header.
pub(crate) const HEADER: usize = 32;
/// Span that marks an entry of the wide bounds.
pub(super) const WIDE_SPAN: u16 = u16::MAX;
/// Bytes of an entry for wide bounds. `SUM` is the size of the checksum.
const WIDE: usize = 28;
pub(crate) const SUM: usize = 32;
/// Number of indexes between two entries of `Stored::before`.
const STRIDE: usize = 64;
/// Bytes read at a time.
const BLOCK: usize = 1 << 20;

/// A position with wide bounds. Numbers are multiples of 2⁻⁶³.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LargeGap {
    /// Index of the position.
    pub place: u32,
    /// Upper bound of α.
    pub alpha: u64,
    /// Lower bound of β.
    pub beta: u64,
    /// Upper bound of β.
    pub high: u64,
}

/// Bounds of all positions of a table.
pub struct Columns {
    /// Lower bound of α by index; 0 where there is no position.
    pub low: Vec<u64>,
    /// By index, the difference between the upper bound of β and `low`; the maximum marks an entry of `wide`.
    pub span: Vec<u16>,
    /// Positions with wide bounds, in index order.
    pub wide: Vec<LargeGap>,
}

/// Reason why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WrongFile {
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Unread(#[from] io::Error),
    /// The file has another format or is damaged.
    #[error("{0}")]
    Foreign(&'static str),
}

/// Encoded span of two bounds.
pub(super) fn span([low, high]: [u64; 2]) -> u16 {
    let near = (high - low <= super::NARROW).then(|| u16::try_from(high - low).ok()).flatten();
    near.unwrap_or(WIDE_SPAN)
}

/// Little-endian number in the first eight bytes.
fn eight(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn wide(bytes: &[u8]) -> LargeGap {
    let place = bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    LargeGap { place, alpha: eight(&bytes[4..]), beta: eight(&bytes[12..]), high: eight(&bytes[20..]) }
}

/// A writer that hashes what it writes.
struct Hashed<'o> {
    out: &'o mut dyn Write,
    hash: Sha256,
}

impl Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.out.write_all(bytes)
    }
}

/// Writes a table: the header, the columns, and a checksum of both.
pub(crate) fn write(
    header: &[u8; HEADER],
    (low, span, wide): (&[u64], &[u16], &[LargeGap]),
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = Hashed { out, hash: Sha256::new() };
    out.write(header)?;
    for part in low.chunks(BLOCK) {
        out.write(&part.iter().flat_map(|low| low.to_le_bytes()).collect::<Vec<u8>>())?;
    }
    for part in span.chunks(BLOCK) {
        out.write(&part.iter().flat_map(|span| span.to_le_bytes()).collect::<Vec<u8>>())?;
    }
    for LargeGap { place, alpha, beta, high } in wide {
        out.write(&place.to_le_bytes())?;
        for bound in [alpha, beta, high] {
            out.write(&bound.to_le_bytes())?;
        }
    }
    let sum = out.hash.finalize();
    out.out.write_all(&sum)
}

/// Number in a header.
pub(crate) fn number(header: &[u8; HEADER], at: usize) -> usize {
    header[at..at + 4].iter().rev().fold(0, |all, byte| all << 8 | usize::from(*byte))
}

/// Error for a file whose length differs from the header.
pub(crate) fn wrong_length() -> WrongFile {
    WrongFile::Foreign("the file ends too early, or has extra bytes at its end")
}

/// A reader that hashes what it reads.
struct Hashing {
    file: BufReader<File>,
    hash: Sha256,
}

impl Hashing {
    /// Reads the next `N` bytes.
    fn next<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.file.read_exact(&mut bytes)?;
        self.hash.update(bytes);
        Ok(bytes)
    }

    /// Skips `bytes` bytes.
    fn pass(&mut self, mut bytes: usize) -> io::Result<()> {
        while bytes > 0 {
            let block = self.file.fill_buf()?;
            let passed = block.len().min(bytes);
            if passed == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.hash.update(&block[..passed]);
            self.file.consume(passed);
            bytes -= passed;
        }
        Ok(())
    }
}

/// A memory-mapped table of bounds.
pub(crate) struct Stored {
    /// Bytes of the file.
    pub(crate) file: FileData,
    /// SHA-256 of the whole file.
    pub(crate) sum: [u8; SUM],
    /// Number of positions in which α < β is proved.
    pub(crate) apart: usize,
    /// The position with the largest proved gap.
    pub(crate) farthest: Option<LargeGap>,
    places: usize,
    /// By [`STRIDE`] indexes, the number of wide entries before them.
    before: Vec<u32>,
}

impl Stored {
    /// Opens a file and verifies its checksum, which reads the whole file once. `titled` parses the header: the contents of the file, the number of
    /// indexes and the number of wide entries.
    pub(crate) fn open<T>(
        path: &Path,
        titled: impl FnOnce(&[u8; HEADER]) -> Result<(T, [usize; 2]), WrongFile>,
    ) -> Result<(T, Stored), WrongFile> {
        let file = mmap_guard::map_file(path)?;
        // Read through a buffer: reading through the mapping would count towards this process's memory.
        let mut read = Hashing { file: BufReader::with_capacity(BLOCK, File::open(path)?), hash: Sha256::new() };
        if file.len() < HEADER + SUM {
            return Err(wrong_length());
        }
        let header = read.next()?;
        let (of, [places, wides]) = titled(&header)?;
        if file.len() != HEADER + places * 10 + wides * WIDE + SUM {
            return Err(wrong_length());
        }
        read.pass(places * 10)?;
        let (mut apart, mut farthest, mut before) = (0, None::<LargeGap>, Vec::with_capacity(places / STRIDE + 1));
        let gap = |wide: &LargeGap| wide.beta - wide.alpha;
        for number in 0..wides {
            let wide = wide(&read.next::<WIDE>()?);
            if wide.place as usize >= places {
                return Err(WrongFile::Foreign("an entry has an index beyond the end of the table"));
            }
            while before.len() <= wide.place as usize / STRIDE {
                before.push(number as u32);
            }
            if wide.alpha < wide.beta {
                apart += 1;
                if farthest.is_none_or(|other| gap(&other) < gap(&wide)) {
                    farthest = Some(wide);
                }
            }
        }
        before.resize(places / STRIDE + 1, wides as u32);
        let expected = read.hash.clone().finalize();
        let sum: [u8; SUM] = read.next()?;
        if expected[..] != sum {
            return Err(WrongFile::Foreign("the checksum is wrong: the file has been damaged"));
        }
        if file[..HEADER] != header || file[file.len() - SUM..] != sum {
            return Err(WrongFile::Foreign("the file changed while it was opened"));
        }
        Ok((of, Stored { file, sum: read.hash.finalize().into(), apart, farthest, places, before }))
    }

    /// Reads all columns into memory.
    pub(crate) fn read(&self) -> Columns {
        let (low, rest) = self.file[HEADER..self.file.len() - SUM].split_at(self.places * 8);
        let (_, wides) = rest.split_at(self.places * 2);
        Columns {
            low: low.chunks(8).map(eight).collect(),
            span: (0..self.places).map(|place| self.span(place)).collect(),
            wide: wides.chunks(WIDE).map(wide).collect(),
        }
    }

    #[inline(always)]
    fn low(&self, place: usize) -> u64 {
        eight(&self.file[HEADER + place * 8..])
    }

    #[inline(always)]
    fn span(&self, place: usize) -> u16 {
        let bytes = &self.file[HEADER + self.places * 8 + place * 2..];
        bytes.first_chunk().map_or(WIDE_SPAN, |bytes| u16::from_le_bytes(*bytes))
    }

    /// Entry of an index with wide bounds.
    fn wide(&self, place: usize) -> LargeGap {
        let begun = place / STRIDE;
        let nearer = (begun * STRIDE..place).filter(|place| self.span(*place) == WIDE_SPAN).count();
        let at = HEADER + self.places * 10 + (self.before[begun] as usize + nearer) * WIDE;
        let found = self.file[..self.file.len() - SUM].get(at..at + WIDE).map(wide);
        let unknown = LargeGap { place: place as u32, alpha: ONE, beta: 0, high: ONE };
        found.filter(|wide| wide.place as usize == place).unwrap_or(unknown)
    }

    /// Lower bound of α and upper bound of β at an index.
    #[inline(always)]
    pub(crate) fn outer(&self, place: usize) -> [u64; 2] {
        let (low, span) = (self.low(place), self.span(place));
        [low, if span == WIDE_SPAN { self.wide(place).high } else { low + u64::from(span) }]
    }

    /// Bounds of α and of β at an index. Both pairs are the same if they are narrow.
    pub(crate) fn bounds(&self, place: usize) -> [[u64; 2]; 2] {
        if self.span(place) != WIDE_SPAN {
            return [self.outer(place); 2];
        }
        let LargeGap { alpha, beta, high, .. } = self.wide(place);
        [[self.low(place), alpha], [beta, high]]
    }
}
