//! A table of four pieces in memory and in its file, as `docs/tables.md` describes it.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
    sync::{Arc, OnceLock},
};

use sha2::{Digest, Sha256};

use super::{
    ONE,
    framed::{Framed, Quad},
    numbering::Numbering,
    pair::{Pair, letter},
    waiting::Core,
};

/// What a file begins with; the last byte is the version.
const MAGIC: &[u8; 8] = b"ZORKFOUR";
const VERSION: u8 = 1;
/// Magic, version and material, the number of places and of wide ones.
const HEADER: usize = 32;
/// The span of a place whose bounds are far from each other.
const FAR: u16 = u16::MAX;
/// The bytes of a wide place, and of the checksum.
const WIDE: usize = 28;
const SUM: usize = 32;
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

/// The bounds of all positions of a pair.
pub struct FourTable {
    /// The pieces beside the kings.
    pub pair: Pair,
    /// The places of the positions.
    pub numbering: Numbering,
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

/// The letters of both pieces, and whether they are both White's.
fn named(pair: Pair) -> [u8; 3] {
    [letter(pair.first) as u8, letter(pair.second) as u8, u8::from(pair.together)]
}

fn header(pair: Pair, places: usize, wide: usize) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8] = VERSION;
    header[9..12].copy_from_slice(&named(pair));
    header[12..16].copy_from_slice(&(places as u32).to_le_bytes());
    header[16..20].copy_from_slice(&(wide as u32).to_le_bytes());
    header
}

/// The pair and the numbers of places of a header.
fn titled(header: &[u8; HEADER]) -> Result<(Pair, usize, usize), WrongFile> {
    if &header[..8] != MAGIC {
        return Err(WrongFile::Foreign("this is no table of four pieces"));
    }
    if header[8] != VERSION {
        return Err(WrongFile::Foreign("this is a table of another version"));
    }
    let pair = Pair::all().find(|pair| named(*pair) == header[9..12]);
    let number = |at: usize| header[at..at + 4].iter().rev().fold(0, |all, byte| all << 8 | usize::from(*byte));
    let pair = pair.ok_or(WrongFile::Foreign("these pieces have no table"))?;
    Ok((pair, number(12), number(16)))
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

/// Two bounds of a position as its own sides see them.
fn seen(framed: Framed, [low, high]: [u64; 2]) -> [u64; 2] {
    if framed.reversed { [ONE - high, ONE - low] } else { [low, high] }
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

impl FourTable {
    /// The bounds at a place.
    pub(super) fn at(&self, place: usize) -> [u64; 2] {
        let (low, span) = (self.low[place], self.span[place]);
        let far = || self.wide.binary_search_by_key(&place, |wide| wide.place as usize).map(|at| self.wide[at].high);
        [low, if span == FAR { far().unwrap_or(ONE) } else { low + u64::from(span) }]
    }

    /// The bounds of a position of this pair as its own sides see it.
    pub fn bounds(&self, framed: Framed) -> [u64; 2] {
        seen(framed, self.at(self.numbering.place(framed.quad)))
    }

    /// What β is not below, and what α is not above, as the position's own sides see it; where they are near each other, the same as the bounds.
    pub(super) fn between(&self, framed: Framed) -> [u64; 2] {
        let place = self.numbering.place(framed.quad);
        let wide = self.wide.binary_search_by_key(&place, |wide| wide.place as usize).map(|at| self.wide[at]);
        seen(framed, wide.map_or_else(|_| self.at(place), |wide| [wide.beta, wide.alpha]))
    }

    /// Writes the table, and behind it a checksum of all that comes before.
    ///
    /// # Errors
    /// As the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = Hashed { out, hash: Sha256::new() };
        out.write(&header(self.pair, self.low.len(), self.wide.len()))?;
        for part in self.low.chunks(BLOCK) {
            out.write(&part.iter().flat_map(|low| low.to_le_bytes()).collect::<Vec<u8>>())?;
        }
        for part in self.span.chunks(BLOCK) {
            out.write(&part.iter().flat_map(|span| span.to_le_bytes()).collect::<Vec<u8>>())?;
        }
        for Wide { place, alpha, beta, high } in &self.wide {
            out.write(&place.to_le_bytes())?;
            for bound in [alpha, beta, high] {
                out.write(&bound.to_le_bytes())?;
            }
        }
        let sum = out.hash.finalize();
        out.out.write_all(&sum)
    }

    /// Reads a whole table.
    ///
    /// # Errors
    /// If the file cannot be read, is something else or has been damaged.
    pub fn read(path: &Path) -> Result<FourTable, WrongFile> {
        let file = FourFile::open(path)?;
        let places = file.numbering.len();
        let mut bytes = vec![0; places * 8];
        read_at(&file.file, &mut bytes, HEADER as u64)?;
        let low = bytes.chunks(8).map(eight).collect();
        bytes.truncate(places * 2);
        read_at(&file.file, &mut bytes, (HEADER + places * 8) as u64)?;
        let span = bytes.chunks(2).map(|pair| u16::from(pair[0]) | u16::from(pair[1]) << 8).collect();
        let mut all = Vec::with_capacity(file.wides);
        file.each_wide(&mut |wide| all.push(wide))?;
        Ok(FourTable { pair: file.pair, numbering: file.numbering, low, span, wide: all })
    }
}

/// A table of four pieces in its file, of which only what is asked is read.
pub struct FourFile {
    /// The pieces beside the kings.
    pub pair: Pair,
    /// The number of bytes of the file.
    pub bytes: u64,
    /// SHA-256 of the whole file.
    pub sum: [u8; SUM],
    /// The positions in which α < β.
    pub apart: usize,
    /// That of them in which they are farthest from each other, with what α is not above and β not below.
    pub farthest: Option<(Quad, [u64; 2])>,
    pub(super) numbering: Numbering,
    /// Where its largest gap comes from, once that was looked for.
    pub(super) cores: OnceLock<Arc<[Core]>>,
    file: File,
    wides: usize,
    /// Every [`STRIDE`]th wide place.
    marks: Vec<u32>,
}

impl FourFile {
    /// Opens a file and checks its checksum, for which all of it is read once.
    ///
    /// # Errors
    /// If the file cannot be read, is something else or has been damaged.
    pub fn open(path: &Path) -> Result<FourFile, WrongFile> {
        let mut file = File::open(path)?;
        let mut first = [0; HEADER];
        let short = || WrongFile::Foreign("the file ends too early, or goes on behind its end");
        let length = file.metadata()?.len();
        if length < (HEADER + SUM) as u64 {
            return Err(short());
        }
        file.read_exact(&mut first)?;
        let (pair, places, wides) = titled(&first)?;
        let numbering = Numbering::new(pair);
        let body = HEADER as u64 + places as u64 * 10;
        if places != numbering.len() || length != body + (wides * WIDE + SUM) as u64 {
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
        let (sum, cores) = (hash.finalize().into(), OnceLock::new());
        let (mut apart, mut farthest, mut marks, mut number) = (0, None::<Wide>, Vec::new(), 0);
        let mut file = FourFile {
            pair,
            bytes: length,
            sum,
            apart,
            farthest: None,
            numbering,
            cores,
            file,
            wides,
            marks: Vec::new(),
        };
        let gap = |wide: &Wide| wide.beta - wide.alpha;
        file.each_wide(&mut |wide| {
            if number % STRIDE == 0 {
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
        (file.apart, file.marks) = (apart, marks);
        file.farthest = farthest.map(|wide| (file.numbering.quad(wide.place as usize), [wide.alpha, wide.beta]));
        Ok(file)
    }

    /// So many bytes from one on, or fewer at the end of the file, as they are in it.
    ///
    /// # Errors
    /// If the file can no longer be read.
    pub fn part(&self, from: u64, most: usize) -> io::Result<Vec<u8>> {
        let left = usize::try_from(self.bytes.saturating_sub(from)).unwrap_or(most);
        let mut bytes = vec![0; most.min(left)];
        read_at(&self.file, &mut bytes, from)?;
        Ok(bytes)
    }

    /// SHA-256 of the whole file, in hexadecimal.
    pub fn digest(&self) -> String {
        self.sum.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Where the wide places begin.
    fn wide_at(&self, number: usize) -> u64 {
        (HEADER + self.numbering.len() * 10 + number * WIDE) as u64
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
    pub(super) fn wide_block(&self, first: usize, most: usize) -> io::Result<Vec<Wide>> {
        let mut bytes = vec![0; most.min(self.wides.saturating_sub(first)) * WIDE];
        read_at(&self.file, &mut bytes, self.wide_at(first))?;
        Ok(bytes.chunks(WIDE).map(wide).collect())
    }

    /// The lower and the upper bounds of so many places from one on; no upper ones where these are wide.
    pub(super) fn block(&self, first: usize, places: usize) -> io::Result<Vec<(u64, Option<u64>)>> {
        let (mut low, mut span) = (vec![0; places * 8], vec![0; places * 2]);
        read_at(&self.file, &mut low, (HEADER + first * 8) as u64)?;
        read_at(&self.file, &mut span, (HEADER + self.numbering.len() * 8 + first * 2) as u64)?;
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

    /// The bounds of a position, and what bounds α from above and β from below; the same where they are near each other.
    ///
    /// # Errors
    /// If the file can no longer be read.
    pub fn bounds(&self, quad: Quad) -> io::Result<[[u64; 2]; 2]> {
        let place = self.numbering.place(quad);
        let (mut low, mut span) = ([0; 8], [0; 2]);
        read_at(&self.file, &mut low, (HEADER + place * 8) as u64)?;
        read_at(&self.file, &mut span, (HEADER + self.numbering.len() * 8 + place * 2) as u64)?;
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
