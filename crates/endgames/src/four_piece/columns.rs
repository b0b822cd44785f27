//! The columns of a table of bounds, in memory and in its file, as `docs/research.md` describes them: behind a header the lower bound of every place, its
//! span, what is to be known of places with wide bounds, and a checksum of all that.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
};

use mmap_guard::FileData;
use sha2::{Digest, Sha256};

use super::ONE;

/// The bytes of a header.
pub(crate) const HEADER: usize = 32;
/// The span of a place whose bounds are far from each other.
pub(super) const FAR: u16 = u16::MAX;
/// The bytes of a wide place, and of the checksum.
const WIDE: usize = 28;
pub(crate) const SUM: usize = 32;
/// Of so many places it is known how many wide ones come before them.
const STRIDE: usize = 64;
/// The bytes that are read at a time.
const BLOCK: usize = 1 << 20;

/// A position whose bounds are far from each other. All numbers are multiples of 2⁻⁶³.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LargeGap {
    /// Its place.
    pub place: u32,
    /// α is not above this.
    pub alpha: u64,
    /// β is not below this.
    pub beta: u64,
    /// β is not above this.
    pub high: u64,
}

/// The bounds of all places of a table.
pub struct Columns {
    /// By place: α is not below this; 0 where there is no position.
    pub low: Vec<u64>,
    /// By place: what has to be added so that β is not above it; the greatest number for a wide one.
    pub span: Vec<u16>,
    /// The wide places, in their order.
    pub wide: Vec<LargeGap>,
}

/// A file that cannot be used, with the reason.
#[derive(Debug, thiserror::Error)]
pub enum WrongFile {
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Unread(#[from] io::Error),
    /// It is something else, or has been damaged.
    #[error("{0}")]
    Foreign(&'static str),
}

/// The span between two bounds, as it is written.
pub(super) fn span([low, high]: [u64; 2]) -> u16 {
    let near = (high - low <= super::NARROW).then(|| u16::try_from(high - low).ok()).flatten();
    near.unwrap_or(FAR)
}

/// The number that some bytes begin with.
fn eight(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn wide(bytes: &[u8]) -> LargeGap {
    let place = bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    LargeGap { place, alpha: eight(&bytes[4..]), beta: eight(&bytes[12..]), high: eight(&bytes[20..]) }
}

/// What is written is hashed as well.
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

/// Writes a table with its header, and behind it a checksum of all that comes before.
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

/// A number of a header.
pub(crate) fn number(header: &[u8; HEADER], at: usize) -> usize {
    header[at..at + 4].iter().rev().fold(0, |all, byte| all << 8 | usize::from(*byte))
}

/// What is said of a file that is not as long as its header says.
pub(crate) fn short() -> WrongFile {
    WrongFile::Foreign("the file ends too early, or goes on behind its end")
}

/// What is read is hashed as well.
struct Hashing {
    file: BufReader<File>,
    hash: Sha256,
}

impl Hashing {
    /// The next bytes, as many as an array holds.
    fn next<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.file.read_exact(&mut bytes)?;
        self.hash.update(bytes);
        Ok(bytes)
    }

    /// Goes past so many bytes.
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

/// The columns of a table in its file, which is mapped into memory: what is asked is read.
pub(crate) struct Stored {
    /// The bytes of the file.
    pub(crate) file: FileData,
    /// SHA-256 of the whole file.
    pub(crate) sum: [u8; SUM],
    /// The positions in which α < β.
    pub(crate) apart: usize,
    /// That of them in which they are farthest from each other.
    pub(crate) farthest: Option<LargeGap>,
    places: usize,
    /// By [`STRIDE`] places: how many wide ones come before them.
    before: Vec<u32>,
}

impl Stored {
    /// Opens a file and checks its checksum, for which all of it is read once. `titled` reads the header: what the file is of, and the number of its
    /// places and of wide ones.
    pub(crate) fn open<T>(
        path: &Path,
        titled: impl FnOnce(&[u8; HEADER]) -> Result<(T, [usize; 2]), WrongFile>,
    ) -> Result<(T, Stored), WrongFile> {
        let file = mmap_guard::map_file(path)?;
        // What is read here takes no memory of this process, as it would if it were read where it is mapped.
        let mut read = Hashing { file: BufReader::with_capacity(BLOCK, File::open(path)?), hash: Sha256::new() };
        if file.len() < HEADER + SUM {
            return Err(short());
        }
        let header = read.next()?;
        let (of, [places, wides]) = titled(&header)?;
        if file.len() != HEADER + places * 10 + wides * WIDE + SUM {
            return Err(short());
        }
        read.pass(places * 10)?;
        let (mut apart, mut farthest, mut before) = (0, None::<LargeGap>, Vec::with_capacity(places / STRIDE + 1));
        let gap = |wide: &LargeGap| wide.beta - wide.alpha;
        for number in 0..wides {
            let wide = wide(&read.next::<WIDE>()?);
            if wide.place as usize >= places {
                return Err(WrongFile::Foreign("it speaks of a place that there is not"));
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
            return Err(WrongFile::Foreign("it has changed while it was opened"));
        }
        Ok((of, Stored { file, sum: read.hash.finalize().into(), apart, farthest, places, before }))
    }

    /// All of it.
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
        bytes.first_chunk().map_or(FAR, |bytes| u16::from_le_bytes(*bytes))
    }

    /// What is to be known of a place with a wide span: it comes behind the others before it.
    fn wide(&self, place: usize) -> LargeGap {
        let begun = place / STRIDE;
        let nearer = (begun * STRIDE..place).filter(|place| self.span(*place) == FAR).count();
        let at = HEADER + self.places * 10 + (self.before[begun] as usize + nearer) * WIDE;
        let found = self.file[..self.file.len() - SUM].get(at..at + WIDE).map(wide);
        let unknown = LargeGap { place: place as u32, alpha: ONE, beta: 0, high: ONE };
        found.filter(|wide| wide.place as usize == place).unwrap_or(unknown)
    }

    /// The lower bound of α at a place and the upper one of β.
    #[inline(always)]
    pub(crate) fn outer(&self, place: usize) -> [u64; 2] {
        let (low, span) = (self.low(place), self.span(place));
        [low, if span == FAR { self.wide(place).high } else { low + u64::from(span) }]
    }

    /// The bounds of α and those of β at a place; the same where they are near each other.
    pub(crate) fn bounds(&self, place: usize) -> [[u64; 2]; 2] {
        if self.span(place) != FAR {
            return [self.outer(place); 2];
        }
        let LargeGap { alpha, beta, high, .. } = self.wide(place);
        [[self.low(place), alpha], [beta, high]]
    }
}
