//! The columns of a table of bounds, in memory and in its file, as `docs/tables.md` describes them: behind a header the lower bound of every place, its
//! span, what is to be known of places with wide bounds, and a checksum of all that.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use sha2::{Digest, Sha256};

use super::ONE;

/// The bytes of a header.
pub(in crate::richman) const HEADER: usize = 32;
/// The span of a place whose bounds are far from each other.
pub(super) const FAR: u16 = u16::MAX;
/// The bytes of a wide place, and of the checksum.
const WIDE: usize = 28;
pub(in crate::richman) const SUM: usize = 32;
/// Of so many wide places the first is known without a look at the file.
const STRIDE: usize = 128;
/// The bytes that are read at a time.
const BLOCK: usize = 1 << 20;

/// A position whose bounds are far from each other. All numbers are multiples of 2⁻⁶³.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide {
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
    pub wide: Vec<Wide>,
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

fn eight(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
}

fn wide(bytes: &[u8]) -> Wide {
    let place = bytes.iter().take(4).rev().fold(0, |all, byte| all << 8 | u32::from(*byte));
    Wide { place, alpha: eight(&bytes[4..]), beta: eight(&bytes[12..]), high: eight(&bytes[20..]) }
}

/// Fills a buffer from so many bytes on.
#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], from: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, from)
}

/// Fills a buffer from so many bytes on.
#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut from: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, from)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => (bytes, from) = (&mut bytes[read..], from + read as u64),
        }
    }
    Ok(())
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
pub(in crate::richman) fn write(
    header: &[u8; HEADER],
    (low, span, wide): (&[u64], &[u16], &[Wide]),
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
    for Wide { place, alpha, beta, high } in wide {
        out.write(&place.to_le_bytes())?;
        for bound in [alpha, beta, high] {
            out.write(&bound.to_le_bytes())?;
        }
    }
    let sum = out.hash.finalize();
    out.out.write_all(&sum)
}

/// A number of a header.
pub(in crate::richman) fn number(header: &[u8; HEADER], at: usize) -> usize {
    header[at..at + 4].iter().rev().fold(0, |all, byte| all << 8 | usize::from(*byte))
}

/// What is said of a file that is not as long as its header says.
pub(in crate::richman) fn short() -> WrongFile {
    WrongFile::Foreign("the file ends too early, or goes on behind its end")
}

/// The columns of a table in its file, of which only what is asked is read.
pub(in crate::richman) struct Stored {
    /// The number of bytes of the file.
    pub(in crate::richman) bytes: u64,
    /// SHA-256 of the whole file.
    pub(in crate::richman) sum: [u8; SUM],
    /// The positions in which α < β.
    pub(in crate::richman) apart: usize,
    /// That of them in which they are farthest from each other.
    pub(in crate::richman) farthest: Option<Wide>,
    places: usize,
    file: File,
    wides: usize,
    /// Every [`STRIDE`]th wide place.
    marks: Vec<u32>,
}

impl Stored {
    /// Opens a file and checks its checksum, for which all of it is read once. `titled` reads the header: what the file is of, and the number of its
    /// places and of wide ones.
    pub(in crate::richman) fn open<T>(
        path: &Path,
        titled: impl FnOnce(&[u8; HEADER]) -> Result<(T, [usize; 2]), WrongFile>,
    ) -> Result<(T, Stored), WrongFile> {
        let mut file = File::open(path)?;
        let mut first = [0; HEADER];
        let length = file.metadata()?.len();
        if length < (HEADER + SUM) as u64 {
            return Err(short());
        }
        file.read_exact(&mut first)?;
        let (of, [places, wides]) = titled(&first)?;
        if length != HEADER as u64 + places as u64 * 10 + (wides * WIDE + SUM) as u64 {
            return Err(short());
        }
        let mut hash = Sha256::new();
        hash.update(first);
        let (mut left, mut block) = (length - (HEADER + SUM) as u64, vec![0; BLOCK]);
        while left > 0 {
            let taken = BLOCK.min(usize::try_from(left).unwrap_or(BLOCK));
            file.read_exact(&mut block[..taken])?;
            hash.update(&block[..taken]);
            left -= taken as u64;
        }
        let mut sum = [0; SUM];
        file.read_exact(&mut sum)?;
        if hash.clone().finalize()[..] != sum {
            return Err(WrongFile::Foreign("the checksum is wrong: the file has been damaged"));
        }
        hash.update(sum);
        let sum = hash.finalize().into();
        let mut stored =
            Stored { bytes: length, sum, apart: 0, farthest: None, places, file, wides, marks: Vec::new() };
        let (mut apart, mut farthest, mut marks, mut number) = (0, None::<Wide>, Vec::new(), 0_usize);
        let gap = |wide: &Wide| wide.beta - wide.alpha;
        stored.each_wide(&mut |wide| {
            if number.is_multiple_of(STRIDE) {
                marks.push(wide.place);
            }
            number += 1;
            if wide.alpha < wide.beta {
                apart += 1;
                if farthest.is_none_or(|other| gap(&other) < gap(&wide)) {
                    farthest = Some(wide);
                }
            }
        })?;
        (stored.apart, stored.farthest, stored.marks) = (apart, farthest, marks);
        Ok((of, stored))
    }

    /// All of it.
    pub(in crate::richman) fn read(&self) -> io::Result<Columns> {
        let mut bytes = vec![0; self.places * 8];
        read_at(&self.file, &mut bytes, HEADER as u64)?;
        let low = bytes.chunks(8).map(eight).collect();
        bytes.truncate(self.places * 2);
        read_at(&self.file, &mut bytes, self.span_at(0))?;
        let span = bytes.chunks(2).map(|pair| u16::from(pair[0]) | u16::from(pair[1]) << 8).collect();
        let mut wide = Vec::with_capacity(self.wides);
        self.each_wide(&mut |one| wide.push(one))?;
        Ok(Columns { low, span, wide })
    }

    /// So many bytes from one on, or fewer at the end of the file, as they are in it.
    pub(in crate::richman) fn part(&self, from: u64, most: usize) -> io::Result<Vec<u8>> {
        let left = usize::try_from(self.bytes.saturating_sub(from)).unwrap_or(most);
        let mut bytes = vec![0; most.min(left)];
        read_at(&self.file, &mut bytes, from)?;
        Ok(bytes)
    }

    fn span_at(&self, place: usize) -> u64 {
        (HEADER + self.places * 8 + place * 2) as u64
    }

    /// Where the wide places begin.
    fn wide_at(&self, number: usize) -> u64 {
        (HEADER + self.places * 10 + number * WIDE) as u64
    }

    /// Shows all wide places.
    fn each_wide(&self, tell: &mut dyn FnMut(Wide)) -> io::Result<()> {
        const MANY: usize = 1 << 15;
        for first in (0..self.wides).step_by(MANY) {
            self.wide_block(first, MANY)?.into_iter().for_each(&mut *tell);
        }
        Ok(())
    }

    /// So many wide places from one on, or fewer at the end.
    pub(in crate::richman) fn wide_block(&self, first: usize, most: usize) -> io::Result<Vec<Wide>> {
        let mut bytes = vec![0; most.min(self.wides.saturating_sub(first)) * WIDE];
        read_at(&self.file, &mut bytes, self.wide_at(first))?;
        Ok(bytes.chunks(WIDE).map(wide).collect())
    }

    /// The lower and the upper bounds of so many places from one on; no upper ones where these are wide.
    pub(in crate::richman) fn block(&self, first: usize, places: usize) -> io::Result<Vec<(u64, Option<u64>)>> {
        let (mut low, mut span) = (vec![0; places * 8], vec![0; places * 2]);
        read_at(&self.file, &mut low, (HEADER + first * 8) as u64)?;
        read_at(&self.file, &mut span, self.span_at(first))?;
        let span = span.chunks(2).map(|pair| u16::from(pair[0]) | u16::from(pair[1]) << 8);
        let bounds = |(low, span)| (low, (span != FAR).then(|| low + u64::from(span)));
        Ok(low.chunks(8).map(eight).zip(span).map(bounds).collect())
    }

    /// A wide place.
    fn wide(&self, place: usize) -> io::Result<Option<Wide>> {
        let before = self.marks.partition_point(|first| *first as usize <= place);
        let Some(block) = before.checked_sub(1) else { return Ok(None) };
        let found = self.wide_block(block * STRIDE, STRIDE)?;
        Ok(found.binary_search_by_key(&place, |wide| wide.place as usize).ok().map(|at| found[at]))
    }

    /// The bounds of α and those of β at a place; the same where they are near each other.
    pub(in crate::richman) fn bounds(&self, place: usize) -> io::Result<[[u64; 2]; 2]> {
        let (mut low, mut span) = ([0; 8], [0; 2]);
        read_at(&self.file, &mut low, (HEADER + place * 8) as u64)?;
        read_at(&self.file, &mut span, self.span_at(place))?;
        let (low, span) = (u64::from_le_bytes(low), u16::from_le_bytes(span));
        if span != FAR {
            let high = low + u64::from(span);
            return Ok([[low, high]; 2]);
        }
        let unknown = Wide { place: 0, alpha: ONE, beta: 0, high: ONE };
        let wide = self.wide(place)?.unwrap_or(unknown);
        Ok([[low, wide.alpha], [wide.beta, wide.high]])
    }
}
