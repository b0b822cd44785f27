//! Reads files of endgame values for the proof: the text format, with an independent parser of placements and symmetries, the binary format,
//! which is converted to text, and the columns of a file of bounds. `docs/research.md` describes the formats.

use std::{collections::HashMap, fmt::Write};

use dashu_int::UBig;
use dashu_ratio::RBig;
use sha2::{Digest, Sha256};

/// Column names.
const COLUMNS: &str = "fen,num,den,white_label,black_label,zugzwang,quiescent";
/// Marks positions without a class.
pub(super) const NONE: u32 = u32::MAX;
/// White's pieces besides the king; a dot for none.
pub(super) const PIECES: [char; 6] = ['.', 'N', 'B', 'R', 'Q', 'P'];
pub(super) const PAWN: usize = 5;
pub(super) type Cell = (i32, i32);

/// White's king, Black's king, and a white piece. Without a piece, its square equals the square of White's king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Placed {
    pub(super) kind: usize,
    pub(super) piece: Cell,
    pub(super) white: Cell,
    pub(super) black: Cell,
}

/// A line of the file.
pub(super) struct Class {
    pub(super) placed: Placed,
    pub(super) value: usize,
    pub(super) labels: [u32; 2],
    pub(super) flags: [bool; 2],
}

/// A parsed file.
pub(super) struct File {
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) classes: Vec<Class>,
    /// Class of each position, indexed by [`File::place`].
    pub(super) classed: Vec<u32>,
    /// Distinct values in ascending order, including 0 and 1.
    pub(super) values: Vec<RBig>,
    /// Numbers of the values 0 and 1.
    pub(super) ends: [usize; 2],
}

impl File {
    pub(super) fn read(text: &str) -> Result<File, String> {
        let mut lines = text.lines();
        if lines.next() != Some(COLUMNS) {
            return Err("line 1: these are not the column names of a file of endgame values".to_owned());
        }
        let values = vec![RBig::ZERO, RBig::ONE];
        let mut file = File { width: 0, height: 0, classes: Vec::new(), classed: Vec::new(), values, ends: [0, 1] };
        let mut numbers = HashMap::from([(("0", "1"), 0), (("1", "1"), 1)]);
        for (at, line) in lines.enumerate() {
            let wrong = |why: &str| format!("line {}: {why}", at + 2);
            let fields: Vec<&str> = line.split(',').collect();
            let [fen, num, den, white, black, zugzwang, quiescent] = fields[..] else {
                return Err(wrong("a line must have seven fields"));
            };
            let placed = file.placement(fen).map_err(|why| wrong(&why))?;
            let value = match numbers.get(&(num, den)) {
                Some(value) => *value,
                None => {
                    file.values.push(
                        fraction(num, den)
                            .ok_or_else(|| wrong("the value is not a fraction from 0 to 1 in lowest terms"))?,
                    );
                    numbers.insert((num, den), file.values.len() - 1);
                    file.values.len() - 1
                }
            };
            let number = |text: &str| text.parse::<u32>().map_err(|_| wrong("a label must be a whole number"));
            let flag = |text: &str| match text {
                "0" => Ok(false),
                "1" => Ok(true),
                _ => Err(wrong("zugzwang and quiescent must be 0 or 1")),
            };
            let (labels, flags) = ([number(white)?, number(black)?], [flag(zugzwang)?, flag(quiescent)?]);
            for image in file.images(placed) {
                let place = file.place(image);
                if file.classed[place] != NONE && file.classed[place] as usize != at {
                    return Err(wrong("this class is listed twice"));
                }
                file.classed[place] = at as u32;
            }
            file.classes.push(Class { placed, value, labels, flags });
        }
        file.sort();
        if file.classes.is_empty() { Err("the file has no positions".to_owned()) } else { Ok(file) }
    }

    /// Renumbers the values in ascending order.
    fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        order.sort_by(|a, b| self.values[*a].cmp(&self.values[*b]));
        let mut rank = vec![0; order.len()];
        for (place, value) in order.iter().enumerate() {
            rank[*value] = place;
        }
        self.values = order.iter().map(|value| self.values[*value].clone()).collect();
        for class in &mut self.classes {
            class.value = rank[class.value];
        }
        self.ends = self.ends.map(|end| rank[end]);
    }

    /// Parses a placement. The first one defines the board size.
    fn placement(&mut self, fen: &str) -> Result<Placed, String> {
        let mut found: HashMap<char, Cell> = HashMap::new();
        let rows: Vec<&str> = fen.split('/').collect();
        let (height, mut width) = (rows.len() as i32, 0);
        for (row, rank) in rows.iter().zip((0..height).rev()) {
            let mut x = 0;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(empty) => x += empty as i32,
                    None if found.insert(letter, (x, rank)).is_none() => x += 1,
                    None => return Err(format!("{letter} occurs twice")),
                }
            }
            if width != 0 && x != width {
                return Err("the ranks have different lengths".to_owned());
            }
            width = x;
        }
        if !(3..=8).contains(&width) || !(3..=8).contains(&height) {
            return Err("a board must have 3 to 8 files and ranks".to_owned());
        }
        if self.width == 0 {
            (self.width, self.height) = (width, height);
            self.classed = vec![NONE; PIECES.len() * ((width * height) as usize).pow(3)];
        }
        if (width, height) != (self.width, self.height) {
            return Err("the board size differs from the previous line".to_owned());
        }
        let (white, black) = (found.remove(&'K').ok_or("no white king")?, found.remove(&'k').ok_or("no black king")?);
        let mut rest = found.into_iter();
        let (kind, piece) = match (rest.next(), rest.next()) {
            (None, _) => (0, white),
            (Some((letter, cell)), None) => {
                (PIECES.iter().position(|piece| *piece == letter).ok_or("the third piece must be White's")?, cell)
            }
            (Some(_), Some(_)) => return Err("more than three pieces".to_owned()),
        };
        let placed = Placed { kind, piece, white, black };
        if self.stands(placed) { Ok(placed) } else { Err("a pawn is on the first or last rank".to_owned()) }
    }

    /// Returns whether this is a position: no two pieces share a square, and no pawn is on the first or last rank.
    pub(super) fn stands(&self, placed: Placed) -> bool {
        let Placed { kind, piece, white, black } = placed;
        let apart = white != black && black != piece && (piece == white) == (kind == 0);
        apart && (kind != PAWN || (1..self.height - 1).contains(&piece.1))
    }

    pub(super) fn place(&self, placed: Placed) -> usize {
        let squares = (self.width * self.height) as usize;
        let of = |(x, y): Cell| (y * self.width + x) as usize;
        ((placed.kind * squares + of(placed.piece)) * squares + of(placed.white)) * squares + of(placed.black)
    }

    /// All images under the symmetries of the board.
    fn images(&self, placed: Placed) -> Vec<Placed> {
        let (right, top) = (self.width - 1, self.height - 1);
        let turned = move |turn: u8, (x, y): Cell| {
            let x = if turn & 1 == 0 { x } else { right - x };
            let y = if turn & 2 == 0 { y } else { top - y };
            if turn & 4 == 0 { (x, y) } else { (y, x) }
        };
        let turns = match (placed.kind == PAWN, self.width == self.height) {
            (true, _) => 0..2,
            (false, false) => 0..4,
            (false, true) => 0..8,
        };
        let image = |turn| Placed {
            kind: placed.kind,
            piece: turned(turn, placed.piece),
            white: turned(turn, placed.white),
            black: turned(turn, placed.black),
        };
        turns.map(image).collect()
    }
}

/// Parses a fraction from 0 to 1 in lowest terms.
fn fraction(num: &str, den: &str) -> Option<RBig> {
    let (over, under): (UBig, UBig) = (num.parse().ok()?, den.parse().ok()?);
    let value = (under != UBig::ZERO).then(|| RBig::from_parts(over.into(), under))?;
    (value <= RBig::ONE && value.numerator().to_string() == num && value.denominator().to_string() == den)
        .then_some(value)
}

/// First bytes of a binary file.
const MAGIC: &[u8] = b"ZORKMID1";
const DIGEST: usize = 32;

/// The unread bytes.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or("the file ends too early")?;
        self.0 = rest;
        Ok(taken)
    }

    /// Reads a little-endian number of `bytes` bytes.
    fn number(&mut self, bytes: usize) -> Result<usize, String> {
        Ok(self.take(bytes)?.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }

    /// Reads a number that is preceded by its length.
    fn long(&mut self) -> Result<UBig, String> {
        let length = self.number(2)?;
        Ok(UBig::from_le_bytes(self.take(length)?))
    }

    fn zero(&mut self, bytes: usize) -> Result<(), String> {
        if self.number(bytes)? == 0 { Ok(()) } else { Err("a reserved byte is not zero".to_owned()) }
    }
}

/// Returns whether the file is in the binary format.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Converts the binary format to text.
///
/// # Errors
/// The first fault, with its record.
pub(super) fn lines(bytes: &[u8]) -> Result<String, String> {
    let mut rest = Rest(bytes);
    rest.take(MAGIC.len())?;
    let (width, height) = (rest.number(1)?, rest.number(1)?);
    if !(3..=8).contains(&width) || !(3..=8).contains(&height) {
        return Err("a board must have 3 to 8 files and ranks".to_owned());
    }
    rest.zero(2)?;
    let (values, classes) = (rest.number(4)?, rest.number(4)?);
    rest.take(DIGEST)?;
    let mut fractions = Vec::new();
    for _ in 0..values {
        fractions.push(format!("{},{}", rest.long()?, rest.long()?));
    }
    let mut text = format!("{COLUMNS}\n");
    for at in 1..=classes {
        let line = record(&mut rest, (width, height), &fractions).map_err(|why| format!("record {at}: {why}"))?;
        text.push_str(&line);
    }
    if rest.0.is_empty() { Ok(text) } else { Err("the file has extra bytes after its last record".to_owned()) }
}

fn record(rest: &mut Rest, (width, height): (usize, usize), fractions: &[String]) -> Result<String, String> {
    let kind = rest.number(1)?;
    let letter = *PIECES.get(kind).ok_or_else(|| format!("unknown material {kind}"))?;
    let [white, black, piece] = [rest.number(1)?, rest.number(1)?, rest.number(1)?];
    let mut placed = HashMap::from([(piece, letter)]);
    placed.extend([(white, 'K'), (black, 'k')]);
    let apart = white != black && piece != black && (piece == white) == (kind == 0);
    if !apart || placed.keys().any(|square| square % 8 >= width || square / 8 >= height) {
        return Err("a piece is outside the board, or two pieces share a square".to_owned());
    }
    let rows = (0..height).rev().map(|y| {
        let row = (0..width).map(|x| placed.get(&(y * 8 + x)).map_or(' ', |letter| *letter)).collect::<String>();
        (1..=width).rev().fold(row, |row, gap| row.replace(&" ".repeat(gap), &gap.to_string()))
    });
    let mut line = rows.collect::<Vec<_>>().join("/");
    let value = rest.number(4)?;
    let value = fractions.get(value).ok_or_else(|| format!("there is no value number {value}"))?;
    let (white, black, flags) = (rest.number(2)?, rest.number(2)?, rest.number(1)?);
    if flags > 3 {
        return Err(format!("unknown flags {flags}"));
    }
    rest.zero(3)?;
    // Writing to a string cannot fail.
    let _ = writeln!(line, ",{value},{white},{black},{},{}", flags & 1, flags >> 1);
    Ok(line)
}

/// 1 in multiples of 2⁻⁶³.
pub(super) const ONE: u64 = 1 << 63;
const FAR: u16 = u16::MAX;

/// All bounds of a file.
pub(super) struct Columns {
    /// Lower bound of α and upper bound of β, by index.
    pub(super) bounds: Vec<[u64; 2]>,
    /// Positions with wide bounds: the index, the upper bound of α and the lower bound of β.
    pub(super) apart: Vec<(usize, [u64; 2])>,
    /// Largest distance between narrow bounds.
    pub(super) widest: u64,
}

pub(super) fn little(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
}

impl Columns {
    /// Reads the columns after a header of 32 bytes. `places` is the number of indexes and `wides` the number of entries for wide bounds.
    pub(super) fn read(bytes: &[u8], places: usize, wides: usize) -> Result<Columns, &'static str> {
        let (spans, far) = (32 + places * 8, 32 + places * 10);
        if bytes.len() != far + wides * 28 + 32 {
            return Err("the file length differs from its header");
        }
        let (body, sum) = bytes.split_at(bytes.len() - 32);
        if Sha256::digest(body)[..] != *sum {
            return Err("the checksum is wrong: the file has been damaged");
        }
        let (mut widest, mut wide) = (0, bytes[far..].chunks(28).take(wides));
        let (mut bounds, mut apart) = (Vec::with_capacity(places), Vec::new());
        for place in 0..places {
            let low = little(&bytes[32 + place * 8..][..8]);
            let span = little(&bytes[spans + place * 2..][..2]) as u16;
            let high = if span != FAR {
                widest = widest.max(u64::from(span));
                low.checked_add(u64::from(span))
            } else {
                let entry = wide.next().filter(|entry| little(&entry[..4]) as usize == place);
                let entry = entry.ok_or("the entries for wide bounds are not in index order")?;
                apart.push((place, [little(&entry[4..12]), little(&entry[12..20])]));
                Some(little(&entry[20..28]))
            };
            let high = high.filter(|high| low <= *high && *high <= ONE);
            bounds.push([
                low,
                high.ok_or("a bound is greater than 1, or a lower bound is greater than its upper bound")?,
            ]);
        }
        Ok(Columns { bounds, apart, widest })
    }

    /// Number of positions with α < β.
    pub(super) fn differ(&self) -> usize {
        self.apart.iter().filter(|(_, [alpha, beta])| alpha < beta).count()
    }
}
