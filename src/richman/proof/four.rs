//! A proof of a file of four pieces from the file, those of its promotions, and the exact values of three pieces. Reader, numbering and moves are this
//! file's own: nothing here is shared with what has solved the file.
//!
//! For every position it is checked in whole numbers that
//!
//! 1. it has a white label, unless its lower bound y is 0: White has a move to a labelled position, or all black moves lead to such, and with it
//!    y(that move) + min over Black's moves ≥ 2 y. So y ≤ α (U. Larsson and J. Wästlund, “Endgames in bidding chess”, Proposition 2, with ≥ for =);
//! 2. with the colours changed the same of its upper bound, so that β is not above it;
//! 3. where the two are far from each other, what is said to bound α from above does not grow, and what is said to bound β from below does not
//!    shrink, when the best moves of both sides are averaged.

use std::{
    fs,
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed},
    },
};

use dashu_int::UBig;
use dashu_ratio::RBig;
use sha2::{Digest, Sha256};

use super::placement::{After, Man, Placement};
use crate::{
    board::Square,
    richman::{index::Setup, material::Material, table::Table},
};

const ONE: u64 = 1 << 63;
const FAR: u16 = u16::MAX;
const LETTERS: &[u8; 5] = b"QRBNP";

/// What was proved of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProvedFour {
    /// As `KRBvK`.
    pub material: String,
    /// The positions that were checked: those with White's king where the file has it.
    pub positions: usize,
    /// Those of them in which α < β.
    pub apart: usize,
    /// The greatest distance of the bounds of a position in which they are near each other, in multiples of 2⁻⁶³.
    pub widest: u64,
}

/// A file in memory.
struct Four {
    letters: [u8; 2],
    together: bool,
    kings: Vec<i32>,
    /// By place.
    bounds: Vec<[u64; 2]>,
    /// Place, what α is not above, what β is not below.
    apart: Vec<(usize, [u64; 2])>,
    widest: u64,
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

fn little(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
}

impl Four {
    fn read(path: &Path) -> Result<Four, String> {
        let bytes = fs::read(path).map_err(|why| format!("{} cannot be read: {why}", path.display()))?;
        let wrong = |why: &str| format!("{}: {why}", path.display());
        if bytes.len() < 64 || &bytes[..9] != b"ZORKFOUR\x01" {
            return Err(wrong("this is no table of four pieces of version 1"));
        }
        let (letters, together) = ([bytes[9], bytes[10]], bytes[11] == 1);
        let rank = |letter| LETTERS.iter().position(|other| *other == letter);
        if !matches!((rank(letters[0]), rank(letters[1])), (Some(a), Some(b)) if a <= b) || bytes[11] > 1 {
            return Err(wrong("these pieces have no table"));
        }
        let turns = if letters[1] == b'P' { 2 } else { 8 };
        let kings: Vec<i32> = (0..64).filter(|king| (0..turns).all(|turn| turned(turn, *king) >= *king)).collect();
        let (places, wides) = (little(&bytes[12..16]) as usize, little(&bytes[16..20]) as usize);
        let (spans, far) = (32 + places * 8, 32 + places * 10);
        let passing = if &letters == b"PP" && !together { kings.len() << 11 } else { 0 };
        if places != (kings.len() << 18) + passing || bytes.len() != far + wides * 28 + 32 {
            return Err(wrong("the file is not as long as it says"));
        }
        let (body, sum) = bytes.split_at(bytes.len() - 32);
        if Sha256::digest(body)[..] != *sum {
            return Err(wrong("the checksum is wrong: the file has been damaged"));
        }
        let (mut widest, mut wide) = (0, bytes[far..].chunks(28).take(wides));
        let mut four =
            Four { letters, together, kings, bounds: Vec::with_capacity(places), apart: Vec::new(), widest: 0 };
        for place in 0..places {
            let low = little(&bytes[32 + place * 8..][..8]);
            let span = little(&bytes[spans + place * 2..][..2]) as u16;
            let high = if span != FAR {
                widest = widest.max(u64::from(span));
                low.checked_add(u64::from(span))
            } else {
                let entry = wide.next().filter(|entry| little(&entry[..4]) as usize == place);
                let entry = entry.ok_or_else(|| wrong("a place whose bounds are far apart is not listed in order"))?;
                four.apart.push((place, [little(&entry[4..12]), little(&entry[12..20])]));
                Some(little(&entry[20..28]))
            };
            let high = high.filter(|high| low <= *high && *high <= ONE);
            four.bounds.push([low, high.ok_or_else(|| wrong("a bound is greater than 1, or than the upper one"))?]);
        }
        four.widest = widest;
        Ok(four)
    }

    fn name(&self) -> String {
        let [one, two] = self.letters.map(char::from);
        if self.together { format!("K{one}{two}vK") } else { format!("K{one}vK{two}") }
    }

    /// The placement at a place, were it one.
    fn placement(&self, place: usize) -> Placement {
        let plain = self.kings.len() << 18;
        if place >= plain {
            return self.passing(place - plain);
        }
        let at = |shift: usize| (place >> shift & 63) as i32;
        let men = [Some((self.letters[0], true, at(6))), Some((self.letters[1], self.together, at(0)))];
        Placement { white: self.kings[place >> 18], black: at(12), men, stepped: None }
    }

    /// The placement in which a pawn has just stepped twice to beside the other one, by its number among these.
    fn passing(&self, number: usize) -> Placement {
        let kings = self.kings.len();
        let white = number >> 10 < kings;
        let own = if white { 24 } else { 32 } + (number >> 1 & 7) as i32;
        let beside = if number & 1 == 1 { own + 1 } else { own - 1 };
        // Beyond the edge there is no square: then nothing stands here.
        let other = if beside / 8 == own / 8 { beside } else { own };
        let [first, second] = if white { [own, other] } else { [other, own] };
        let men = [Some((b'P', true, first)), Some((b'P', false, second))];
        let (king, black) = (self.kings[(number >> 10) % kings], (number >> 4 & 63) as i32);
        Placement { white: king, black, men, stepped: Some(white) }
    }

    /// The place of a placement of these pieces: of one of its images, all of which are in the file.
    fn place(&self, placement: &Placement) -> Option<usize> {
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

/// The file that is proved, and what its moves lead out to.
struct Around<'t> {
    own: Four,
    promoted: Vec<Four>,
    table: &'t Table,
}

/// Where a move leads: a place of the file, or bounds outside it.
#[derive(Clone, Copy)]
enum Lead {
    Inside(usize),
    /// Of three pieces, or where a king is gone.
    Outside([u64; 2]),
    /// Of four pieces after a promotion: beside the bounds what β is not below and what α is not above.
    Promoted([u64; 2], [u64; 2]),
}

fn rounded(value: &RBig) -> [u64; 2] {
    let scaled = UBig::from(ONE) * value.numerator().clone().into_parts().1;
    let low = u64::try_from(&scaled / value.denominator()).unwrap_or(ONE);
    [low, low + u64::from(&scaled % value.denominator() != UBig::ZERO)]
}

impl Around<'_> {
    /// The bounds of three pieces.
    fn three(&self, at: &Placement) -> Option<[u64; 2]> {
        let (letter, white, square) = at.men.iter().flatten().next().copied()?;
        if !white {
            let [low, high] = self.three(&at.reversed())?;
            return Some([ONE - high, ONE - low]);
        }
        let material = Material::ALL.into_iter().find(|kind| kind.name() == format!("K{}vK", char::from(letter)))?;
        let [king, bare, piece] = [at.white, at.black, square].map(|square| Square::at(square as usize));
        Some(rounded(self.table.value(Setup { material, king, bare, piece })))
    }

    /// The bounds of four pieces in another file, and what lies between them.
    fn four(&self, at: &Placement) -> Option<[[u64; 2]; 2]> {
        let [Some(mut one), Some(mut two)] = at.men else { return None };
        let rank = |man: &Man| LETTERS.iter().position(|letter| *letter == man.0);
        if rank(&two) < rank(&one) {
            (one, two) = (two, one);
        }
        if !one.1 {
            if one.0 == two.0 && two.1 {
                (one, two) = (two, one);
            } else {
                return Some(self.four(&at.reversed())?.map(|[low, high]| [ONE - high, ONE - low]));
            }
        }
        let same = |four: &&Four| four.letters == [one.0, two.0] && four.together == two.1;
        let four = self.promoted.iter().find(same)?;
        let place = four.place(&Placement { men: [Some(one), Some(two)], ..*at })?;
        let apart = four.apart.binary_search_by_key(&place, |(place, _)| *place);
        let between = apart.map_or(four.bounds[place], |at| [four.apart[at].1[1], four.apart[at].1[0]]);
        Some([four.bounds[place], between])
    }

    fn found(&self, after: After, white: bool) -> Result<Lead, String> {
        let at = match after {
            After::Taken => return Ok(Lead::Outside(if white { [ONE; 2] } else { [0; 2] })),
            After::Placed(at) => at,
        };
        let [one, two] = at.men;
        let own =
            one.is_some_and(|man| man.0 == self.own.letters[0]) && two.is_some_and(|man| man.0 == self.own.letters[1]);
        let found = match (one.is_some() && two.is_some(), own) {
            (true, true) => self.own.place(&at).map(Lead::Inside),
            (true, false) => self.four(&at).map(|[bounds, between]| Lead::Promoted(bounds, between)),
            (false, _) => self.three(&at).map(Lead::Outside),
        };
        found.ok_or_else(|| "a promotion leads to a table that is not beside this one".to_owned())
    }

    /// Where the moves of both sides lead, White's first.
    fn options(&self, place: usize) -> Result<[Vec<Lead>; 2], String> {
        let at = self.own.placement(place);
        let side =
            |white| at.moves(white).into_iter().map(|after| self.found(after, white)).collect::<Result<Vec<_>, _>>();
        Ok([side(true)?, side(false)?])
    }

    /// Shows every position of the file to `work`, from several threads.
    fn each(&self, work: impl Fn(usize) -> Result<(), String> + Sync) -> Result<(), String> {
        let (next, wrong) = (AtomicUsize::new(0), Mutex::new(None));
        let take = || loop {
            let first = next.fetch_add(4096, Relaxed);
            if first >= self.own.bounds.len() {
                return;
            }
            for place in (first..first + 4096).filter(|place| self.own.placement(*place).stands()) {
                if let Err(why) = work(place) {
                    *wrong.lock().unwrap_or_else(PoisonError::into_inner) =
                        Some(format!("{}: {why}", self.told(place)));
                    next.store(self.own.bounds.len(), Relaxed);
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(take);
            }
        });
        wrong.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// A position in words: `K a1, k d5, R c3, B h8`.
    fn told(&self, place: usize) -> String {
        let at = self.own.placement(place);
        let square = |square: i32| format!("{}{}", char::from(b'a' + (square % 8) as u8), square / 8 + 1);
        let men = at.men.iter().flatten().map(|(letter, white, at)| {
            let letter = if *white { *letter } else { letter.to_ascii_lowercase() };
            format!(", {} {}", char::from(letter), square(*at))
        });
        format!("K {}, k {}{}", square(at.white), square(at.black), men.collect::<String>())
    }

    /// Finds a label for every position, for White or for Black, whose bounds are turned into chances of that side.
    fn labelled(&self, white: bool) -> Result<(), String> {
        let chance = |[low, high]: [u64; 2]| if white { low } else { ONE - high };
        let labels: Vec<AtomicU8> = self.own.bounds.iter().map(|_| AtomicU8::new(0)).collect();
        let worth = |found: Lead| match found {
            Lead::Inside(place) => chance(self.own.bounds[place]),
            Lead::Outside(bounds) | Lead::Promoted(bounds, _) => chance(bounds),
        };
        let has = |found: Lead| match found {
            Lead::Inside(place) => labels[place].load(Relaxed) == 1 || chance(self.own.bounds[place]) == 0,
            Lead::Outside(_) | Lead::Promoted(..) => true,
        };
        let mut open = usize::MAX;
        loop {
            let left = AtomicUsize::new(0);
            self.each(|place| {
                if has(Lead::Inside(place)) {
                    return Ok(());
                }
                let [mut own, mut other] = self.options(place)?;
                if !white {
                    std::mem::swap(&mut own, &mut other);
                }
                let least = other.iter().map(|found| worth(*found)).min().ok_or("the other side has no move")?;
                let all = other.iter().all(|found| has(*found));
                let here = u128::from(chance(self.own.bounds[place])) * 2;
                let keeps = |found: &Lead| u128::from(worth(*found)) + u128::from(least) >= here;
                if own.iter().any(|found| (all || has(*found)) && keeps(found)) {
                    labels[place].store(1, Relaxed);
                } else {
                    left.fetch_add(1, Relaxed);
                }
                Ok(())
            })?;
            match left.into_inner() {
                0 => return Ok(()),
                now if now == open => break,
                now => open = now,
            }
        }
        let name = if white { "lower" } else { "upper" };
        self.each(|place| match has(Lead::Inside(place)) {
            true => Ok(()),
            false => Err(format!("nothing proves the {name} bound of this position, and of {} others", open - 1)),
        })
    }

    /// Checks what is said between bounds that are far from each other.
    fn between(&self) -> Result<(), String> {
        let mut sides = [0, 1].map(|_| self.own.bounds.clone());
        for (place, [alpha, beta]) in &self.own.apart {
            let [low, high] = self.own.bounds[*place];
            if !(low <= *alpha && *beta <= high) {
                return Err(format!("{}: a bound lies beyond its neighbour", self.told(*place)));
            }
            sides[0][*place][1] = *alpha;
            sides[1][*place][0] = *beta;
        }
        for (place, _) in &self.own.apart {
            let [white, black] = self.options(*place)?;
            let mean = |end: usize, inside: &[[u64; 2]]| {
                let worth = |found: &Lead| match found {
                    Lead::Inside(place) => inside[*place][end],
                    Lead::Outside(bounds) | Lead::Promoted(_, bounds) => bounds[end],
                };
                let (most, least) = (white.iter().map(worth).max(), black.iter().map(worth).min());
                u128::from(most.unwrap_or_default()) + u128::from(least.unwrap_or_default())
            };
            if u128::from(sides[0][*place][1]) * 2 < mean(1, &sides[0]) {
                return Err(format!("{}: what bounds α from above grows", self.told(*place)));
            }
            if u128::from(sides[1][*place][0]) * 2 > mean(0, &sides[1]) {
                return Err(format!("{}: what bounds β from below shrinks", self.told(*place)));
            }
        }
        Ok(())
    }
}

/// Proves a file of four pieces with the exact values of three on the ordinary board. Those of its promotions are looked for beside it, and are proved
/// by themselves.
///
/// # Errors
/// What is wrong, and where.
pub fn prove_four(path: &Path, table: &Table) -> Result<ProvedFour, String> {
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
            let beside = beside.ok_or_else(|| format!("{} is not beside it, which a promotion leads to", names[0]))?;
            promoted.push(Four::read(&beside)?);
        }
    }
    let around = Around { own, promoted, table };
    around.between()?;
    around.labelled(true)?;
    around.labelled(false)?;
    let positions = AtomicUsize::new(0);
    around.each(|_| {
        positions.fetch_add(1, Relaxed);
        Ok(())
    })?;
    let own = around.own;
    let apart = own.apart.iter().filter(|(_, [alpha, beta])| alpha < beta).count();
    Ok(ProvedFour { material: own.name(), positions: positions.into_inner(), apart, widest: own.widest })
}
