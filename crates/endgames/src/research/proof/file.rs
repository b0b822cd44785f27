//! A file of endgame values as it is read, with its own reader of placements and its own symmetries.

use std::collections::HashMap;

use dashu_int::UBig;
use dashu_ratio::RBig;

/// The names of the columns.
pub(super) const COLUMNS: &str = "fen,num,den,white_label,black_label,zugzwang,quiescent";
/// No class.
pub(super) const NONE: u32 = u32::MAX;
/// The white pieces beside the kings; a dot for none.
pub(super) const PIECES: [char; 6] = ['.', 'N', 'B', 'R', 'Q', 'P'];
pub(super) const PAWN: usize = 5;
pub(super) type Cell = (i32, i32);

/// White's king, Black's, and a white piece; without one its square is that of White's king.
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

/// A file that has been read.
pub(super) struct File {
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) classes: Vec<Class>,
    /// The class of each position, by [`File::place`].
    pub(super) classed: Vec<u32>,
    /// The distinct values in their order, 0 and 1 among them.
    pub(super) values: Vec<RBig>,
    /// The places of 0 and 1.
    pub(super) ends: [usize; 2],
}

impl File {
    pub(super) fn read(text: &str) -> Result<File, String> {
        let mut lines = text.lines();
        if lines.next() != Some(COLUMNS) {
            return Err("line 1: these are not the columns of a file of endgame values".to_owned());
        }
        let values = vec![RBig::ZERO, RBig::ONE];
        let mut file = File { width: 0, height: 0, classes: Vec::new(), classed: Vec::new(), values, ends: [0, 1] };
        let mut numbers = HashMap::from([(("0", "1"), 0), (("1", "1"), 1)]);
        for (at, line) in lines.enumerate() {
            let wrong = |why: &str| format!("line {}: {why}", at + 2);
            let fields: Vec<&str> = line.split(',').collect();
            let [fen, num, den, white, black, zugzwang, quiescent] = fields[..] else {
                return Err(wrong("a line has seven fields"));
            };
            let placed = file.placement(fen).map_err(|why| wrong(&why))?;
            let value = match numbers.get(&(num, den)) {
                Some(value) => *value,
                None => {
                    file.values.push(fraction(num, den).ok_or_else(|| wrong("this is no fraction in lowest terms"))?);
                    numbers.insert((num, den), file.values.len() - 1);
                    file.values.len() - 1
                }
            };
            let number = |text: &str| text.parse::<u32>().map_err(|_| wrong("a label is a whole number"));
            let flag = |text: &str| match text {
                "0" => Ok(false),
                "1" => Ok(true),
                _ => Err(wrong("zugzwang and quiescent are 0 or 1")),
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

    /// Numbers the values in their order.
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

    /// Reads a placement; the first one says how large the board is.
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
                    None => return Err(format!("two of {letter}")),
                }
            }
            if width != 0 && x != width {
                return Err("the ranks have different lengths".to_owned());
            }
            width = x;
        }
        if !(3..=8).contains(&width) || !(3..=8).contains(&height) {
            return Err("boards have 3 to 8 files and ranks".to_owned());
        }
        if self.width == 0 {
            (self.width, self.height) = (width, height);
            self.classed = vec![NONE; PIECES.len() * ((width * height) as usize).pow(3)];
        }
        if (width, height) != (self.width, self.height) {
            return Err("this is another board than that of the line before".to_owned());
        }
        let (white, black) = (found.remove(&'K').ok_or("no white king")?, found.remove(&'k').ok_or("no black king")?);
        let mut rest = found.into_iter();
        let (kind, piece) = match (rest.next(), rest.next()) {
            (None, _) => (0, white),
            (Some((letter, cell)), None) => {
                (PIECES.iter().position(|piece| *piece == letter).ok_or("White has the third piece")?, cell)
            }
            (Some(_), Some(_)) => return Err("more than three pieces".to_owned()),
        };
        let placed = Placed { kind, piece, white, black };
        if self.stands(placed) { Ok(placed) } else { Err("a pawn stands on an outer rank".to_owned()) }
    }

    /// Tells whether this is a position: no two on one square, and pawns neither on the first nor on the last rank.
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

    /// All positions that are the same up to a symmetry.
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

/// A fraction in lowest terms, from 0 to 1.
fn fraction(num: &str, den: &str) -> Option<RBig> {
    let (over, under): (UBig, UBig) = (num.parse().ok()?, den.parse().ok()?);
    let value = (under != UBig::ZERO).then(|| RBig::from_parts(over.into(), under))?;
    (value <= RBig::ONE && value.numerator().to_string() == num && value.denominator().to_string() == den)
        .then_some(value)
}
