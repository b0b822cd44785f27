//! A table of four pieces in memory and in its file, as `docs/tables.md` describes it.

use std::{
    io::{self, Write},
    path::Path,
    sync::{Arc, OnceLock},
};

use super::{
    ONE,
    columns::{Columns, FAR, HEADER, SUM, Stored, Wide, WrongFile, number, short, write},
    framed::{Framed, Quad},
    numbering::Numbering,
    pair::{Pair, letter},
    waiting::Core,
};

/// What a file begins with; the last byte is the version.
const MAGIC: &[u8; 8] = b"ZORKFOUR";
const VERSION: u8 = 1;

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
    let pair = pair.ok_or(WrongFile::Foreign("these pieces have no table"))?;
    Ok((pair, number(header, 12), number(header, 16)))
}

/// Two bounds of a position as its own sides see them.
fn seen(framed: Framed, [low, high]: [u64; 2]) -> [u64; 2] {
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
    pub fn bounds(&self, framed: Framed) -> [u64; 2] {
        seen(framed, self.at(self.numbering.place(framed.quad)))
    }

    /// What β is not below, and what α is not above, as the position's own sides see it; where they are near each other, the same as the bounds.
    pub(crate) fn between(&self, framed: Framed) -> [u64; 2] {
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
    pub pair: Pair,
    /// SHA-256 of the whole file.
    pub sum: [u8; SUM],
    /// The positions in which α < β.
    pub apart: usize,
    /// That of them in which they are farthest from each other, with what α is not above and β not below.
    pub farthest: Option<(Quad, [u64; 2])>,
    pub(super) numbering: Numbering,
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
    pub fn bounds(&self, quad: Quad) -> [[u64; 2]; 2] {
        self.at(self.numbering.place(quad))
    }
}
