//! Proves a file of four pieces from the file, the files of its promotions, and the exact values of three pieces. The parser, numbering and moves are
//! independent of the solver. `bounds.rs` defines the checks.

use std::{fs, path::Path};

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::{
    bounds::{Lead, Proving},
    file::{Columns, ONE, little},
    placement::{After, Man, ORTHODOX, Placement},
};
use crate::{
    board::Square,
    position_index::{Material, Setup},
    table::Table,
};

const LETTERS: &[u8; 5] = b"QRBNP";

/// Result of a successful proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifiedFour {
    /// The material, such as `KRBvK`.
    pub material: String,
    /// Number of positions checked: those with White's king on a canonical square.
    pub positions: usize,
    /// Number of positions with α < β.
    pub apart: usize,
    /// Largest distance between narrow bounds, in multiples of 2⁻⁶³.
    pub widest: u64,
}

/// A file in memory.
pub(super) struct Four {
    letters: [u8; 2],
    together: bool,
    kings: Vec<i32>,
    columns: Columns,
}

fn turned(turn: i32, square: i32) -> i32 {
    let (mut x, mut y) = (square % 8, square / 8);
    if turn & 1 != 0 {
        x = 7 - x;
    }
    if turn & 2 != 0 {
        y = 7 - y;
    }
    if turn & 4 != 0 { x * 8 + y } else { y * 8 + x }
}

impl Four {
    pub(super) fn read(path: &Path) -> Result<Four, String> {
        let bytes = fs::read(path).map_err(|why| format!("{} cannot be read: {why}", path.display()))?;
        let wrong = |why: &str| format!("{}: {why}", path.display());
        if bytes.len() < 64 || &bytes[..9] != b"ZORKFOUR\x01" {
            return Err(wrong("not a version 1 table of four pieces"));
        }
        let (letters, together) = ([bytes[9], bytes[10]], bytes[11] == 1);
        let rank = |letter| LETTERS.iter().position(|other| *other == letter);
        if !matches!((rank(letters[0]), rank(letters[1])), (Some(a), Some(b)) if a <= b) || bytes[11] > 1 {
            return Err(wrong("unknown material in the header"));
        }
        let turns = if letters[1] == b'P' { 2 } else { 8 };
        let kings: Vec<i32> = (0..64).filter(|king| (0..turns).all(|turn| turned(turn, *king) >= *king)).collect();
        let (places, wides) = (little(&bytes[12..16]) as usize, little(&bytes[16..20]) as usize);
        let passing = if &letters == b"PP" && !together { kings.len() << 11 } else { 0 };
        if places != (kings.len() << 18) + passing {
            return Err(wrong("the file length differs from its header"));
        }
        let columns = Columns::read(&bytes, places, wides).map_err(wrong)?;
        Ok(Four { letters, together, kings, columns })
    }

    fn name(&self) -> String {
        let [one, two] = self.letters.map(char::from);
        if self.together { format!("K{one}{two}vK") } else { format!("K{one}vK{two}") }
    }

    /// Placement at an index. Meaningless for an index without a position.
    fn placement(&self, place: usize) -> Placement<2> {
        let plain = self.kings.len() << 18;
        if place >= plain {
            return self.passing(place - plain);
        }
        let at = |shift: usize| (place >> shift & 63) as i32;
        let men = [Some((self.letters[0], true, at(6))), Some((self.letters[1], self.together, at(0)))];
        Placement { board: ORTHODOX, white: self.kings[place >> 18], black: at(12), men, stepped: None }
    }

    /// Placement with an en passant right, by its number among these.
    fn passing(&self, number: usize) -> Placement<2> {
        let kings = self.kings.len();
        let white = number >> 10 < kings;
        let own = if white { 24 } else { 32 } + (number >> 1 & 7) as i32;
        let beside = if number & 1 == 1 { own + 1 } else { own - 1 };
        // Beyond the edge of the board there is no square. Then this index has no position.
        let other = if beside / 8 == own / 8 { beside } else { own };
        let [first, second] = if white { [own, other] } else { [other, own] };
        let men = [Some((b'P', true, first)), Some((b'P', false, second))];
        let (king, black) = (self.kings[(number >> 10) % kings], (number >> 4 & 63) as i32);
        Placement { board: ORTHODOX, white: king, black, men, stepped: Some(white) }
    }

    /// Index of a placement of this material, by one of its images.
    fn place(&self, placement: &Placement<2>) -> Option<usize> {
        let [Some(one), Some(two)] = placement.men else { return None };
        let slot = |turn| self.kings.iter().position(|king| *king == turned(turn, placement.white));
        let turns = if self.letters[1] == b'P' { 2 } else { 8 };
        let (turn, slot) = (0..turns).find_map(|turn| Some((turn, slot(turn)?)))?;
        let at = |square| turned(turn, square) as usize;
        if let Some(white) = placement.stepped {
            let [own, other] = if white { [at(one.2), at(two.2)] } else { [at(two.2), at(one.2)] };
            let of_kings = if white { slot } else { self.kings.len() + slot };
            let number = of_kings << 10 | at(placement.black) << 4 | (own % 8) << 1 | usize::from(other > own);
            return Some((self.kings.len() << 18) + number);
        }
        Some(slot << 18 | at(placement.black) << 12 | at(one.2) << 6 | at(two.2))
    }
}

/// Outer and inner bounds of a four-piece placement in one of the files.
pub(super) fn four(files: &[Four], at: &Placement<2>) -> Option<[[u64; 2]; 2]> {
    let [Some(mut one), Some(mut two)] = at.men else { return None };
    let rank = |man: &Man| LETTERS.iter().position(|letter| *letter == man.0);
    if rank(&two) < rank(&one) {
        (one, two) = (two, one);
    }
    if !one.1 {
        if one.0 == two.0 && two.1 {
            (one, two) = (two, one);
        } else {
            return Some(four(files, &at.reversed())?.map(|[low, high]| [ONE - high, ONE - low]));
        }
    }
    let same = |four: &&Four| four.letters == [one.0, two.0] && four.together == two.1;
    let four = files.iter().find(same)?;
    let place = four.place(&Placement { men: [Some(one), Some(two)], ..*at })?;
    let apart = four.columns.apart.binary_search_by_key(&place, |(place, _)| *place);
    let between = apart.map_or(four.columns.bounds[place], |at| {
        let [alpha, beta] = four.columns.apart[at].1;
        [beta, alpha]
    });
    Some([four.columns.bounds[place], between])
}

/// The file to prove, and the tables that its moves lead to.
struct NeighbourFiles<'t> {
    own: Four,
    promoted: Vec<Four>,
    table: &'t Table,
}

fn rounded(value: &RBig) -> [u64; 2] {
    let scaled = UBig::from(ONE) * value.numerator().clone().into_parts().1;
    let low = u64::try_from(&scaled / value.denominator()).unwrap_or(ONE);
    [low, low + u64::from(&scaled % value.denominator() != UBig::ZERO)]
}

impl NeighbourFiles<'_> {
    /// Bounds of a three-piece position.
    fn three(&self, at: &Placement<2>) -> Option<[u64; 2]> {
        let (letter, white, square) = at.men.iter().flatten().next().copied()?;
        if !white {
            let [low, high] = self.three(&at.reversed())?;
            return Some([ONE - high, ONE - low]);
        }
        let material = Material::ALL.into_iter().find(|kind| kind.name() == format!("K{}vK", char::from(letter)))?;
        let [king, bare, piece] = [at.white, at.black, square].map(|square| Square::at(square as usize));
        Some(rounded(self.table.value(Setup { material, king, bare, piece })))
    }

    fn found(&self, after: After<2>, white: bool) -> Result<Lead, String> {
        let at = match after {
            After::Taken => return Ok(Lead::Outside(if white { [ONE; 2] } else { [0; 2] })),
            After::Placed(at) => at,
        };
        let [one, two] = at.men;
        let own =
            one.is_some_and(|man| man.0 == self.own.letters[0]) && two.is_some_and(|man| man.0 == self.own.letters[1]);
        let found = match (one.is_some() && two.is_some(), own) {
            (true, true) => self.own.place(&at).map(Lead::Inside),
            (true, false) => four(&self.promoted, &at).map(|[bounds, between]| Lead::Enclosed(bounds, between)),
            (false, _) => self.three(&at).map(Lead::Outside),
        };
        found.ok_or_else(|| "the table after a promotion is missing from the folder".to_owned())
    }
}

impl Proving for NeighbourFiles<'_> {
    fn bounds(&self) -> &[[u64; 2]] {
        &self.own.columns.bounds
    }

    fn apart(&self) -> &[(usize, [u64; 2])] {
        &self.own.columns.apart
    }

    fn stands(&self, place: usize) -> bool {
        self.own.placement(place).stands()
    }

    fn options(&self, place: usize) -> Result<[Vec<Lead>; 2], String> {
        let at = self.own.placement(place);
        let side =
            |white| at.moves(white).into_iter().map(|after| self.found(after, white)).collect::<Result<Vec<_>, _>>();
        Ok([side(true)?, side(false)?])
    }

    fn describe(&self, place: usize) -> String {
        self.own.placement(place).describe()
    }
}

/// Proves a file of four pieces, given the exact table of three pieces on the 8x8 board. The files of its promotions must be in the same folder; each
/// needs its own proof.
///
/// # Errors
/// The first fault, with its position.
pub fn prove_four(path: &Path, table: &Table) -> Result<VerifiedFour, String> {
    let own = Four::read(path)?;
    let mut promoted = Vec::new();
    if own.letters[1] == b'P' {
        for letter in b"QRBN" {
            let letter = char::from(*letter);
            let [one, _] = own.letters.map(char::from);
            let names = [
                format!("K{one}{letter}vK"),
                format!("K{letter}{one}vK"),
                format!("K{one}vK{letter}"),
                format!("K{letter}vK{one}"),
            ];
            let names = if own.together { &names[..2] } else { &names[2..] };
            let beside =
                names.iter().map(|name| path.with_file_name(format!("{name}.four"))).find(|path| path.exists());
            let beside =
                beside.ok_or_else(|| format!("{}.four is missing from the folder: promotions lead to it", names[0]))?;
            promoted.push(Four::read(&beside)?);
        }
    }
    let around = NeighbourFiles { own, promoted, table };
    let positions = around.proved()?;
    let own = around.own;
    Ok(VerifiedFour { material: own.name(), positions, apart: own.columns.differ(), widest: own.columns.widest })
}
