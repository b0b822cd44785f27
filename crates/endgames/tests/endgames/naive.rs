//! A slow solver written from the rules alone, with its own move generator and without symmetry, floats or strategies. It encloses the value of
//! every position of a small board in fixed-point arithmetic, rounded outward. It also checks the equation of every position with the table's own
//! fractions.

use std::collections::HashMap;

use dashu_ratio::RBig;
use zorkmid_endgames::board::Size;

use super::{exact, often::often, orthodox, parse, read, table, value};

/// Piece: FEN letter, file, rank. The letter [`OVER`] marks a square that a pawn has just passed with a double step and where it can be captured.
pub(super) type Unit = (char, i32, i32);

/// Pieces on the board, sorted.
pub(super) type Place = Vec<Unit>;

/// Letter of a square that a pawn has just passed with a double step.
pub(super) const OVER: char = '*';

const KING: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

pub(super) struct Rules {
    pub(super) width: i32,
    pub(super) height: i32,
}

impl Rules {
    fn inside(&self, x: i32, y: i32) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }

    /// All positions after a move of one side; the position itself if it has no move.
    pub(super) fn options(&self, place: &Place, white: bool) -> Vec<Place> {
        let at = |x, y| place.iter().find(|unit| (unit.1, unit.2) == (x, y) && unit.0 != OVER).map(|unit| unit.0);
        let over = place.iter().find(|unit| unit.0 == OVER).map(|unit| (unit.1, unit.2));
        let own = |letter: char| letter.is_ascii_uppercase() == white;
        let (pawn, other_pawn) = if white { ('P', 'p') } else { ('p', 'P') };
        let mut found = Vec::new();
        let mut go = |unit: &Unit, x: i32, y: i32, letter: char| {
            // A pawn that moves diagonally to an empty square captures the pawn next to it en passant.
            let passes = letter == pawn && x != unit.1 && at(x, y).is_none();
            let taken = (x, if passes { unit.2 } else { y });
            let stays = |other: &&Unit| *other != unit && other.0 != OVER && (other.1, other.2) != taken;
            let mut next: Place = place.iter().filter(stays).copied().collect();
            next.push((letter, x, y));
            if letter == pawn
                && (y - unit.2).abs() == 2
                && [-1, 1].iter().any(|side| at(x + side, y) == Some(other_pawn))
            {
                next.push((OVER, x, (y + unit.2) / 2));
            }
            next.sort();
            found.push(next);
        };
        for unit in place.iter().filter(|unit| unit.0 != OVER && own(unit.0)) {
            let (letter, x, y) = *unit;
            let mut leap = |dx: i32, dy: i32, reach: i32| {
                for n in 1..=reach {
                    let (to_x, to_y) = (x + n * dx, y + n * dy);
                    if !self.inside(to_x, to_y) {
                        return;
                    }
                    match at(to_x, to_y) {
                        Some(other) if own(other) => return,
                        Some(_) => return go(unit, to_x, to_y, letter),
                        None => go(unit, to_x, to_y, letter),
                    }
                }
            };
            match letter.to_ascii_uppercase() {
                'K' => KING.iter().for_each(|(dx, dy)| leap(*dx, *dy, 1)),
                'N' => KNIGHT.iter().for_each(|(dx, dy)| leap(*dx, *dy, 1)),
                'Q' => KING.iter().for_each(|(dx, dy)| leap(*dx, *dy, 8)),
                'R' => KING.iter().filter(|(dx, dy)| dx * dy == 0).for_each(|(dx, dy)| leap(*dx, *dy, 8)),
                'B' => KING.iter().filter(|(dx, dy)| dx * dy != 0).for_each(|(dx, dy)| leap(*dx, *dy, 8)),
                'P' => {
                    let (up, second, last) = if white { (1, 1, self.height - 1) } else { (-1, self.height - 2, 0) };
                    let mut targets = Vec::new();
                    if self.inside(x, y + up) && at(x, y + up).is_none() {
                        targets.push((x, y + up));
                        if y == second && self.inside(x, y + 2 * up) && at(x, y + 2 * up).is_none() {
                            targets.push((x, y + 2 * up));
                        }
                    }
                    for side in [-1, 1] {
                        let passed = over == Some((x + side, y + up)) && at(x + side, y) == Some(other_pawn);
                        if passed || at(x + side, y + up).is_some_and(|other| !own(other)) {
                            targets.push((x + side, y + up));
                        }
                    }
                    for (to_x, to_y) in targets {
                        let pieces = if to_y == last { "QRBN" } else { "P" };
                        for piece in pieces.chars() {
                            let piece = if white { piece } else { piece.to_ascii_lowercase() };
                            go(unit, to_x, to_y, piece);
                        }
                    }
                }
                other => panic!("no piece {other}"),
            }
        }
        if found.is_empty() { vec![place.clone()] } else { found }
    }

    /// Every position with these pieces, including those in which an en passant capture is possible.
    pub(super) fn with(&self, letters: &str) -> Vec<Place> {
        let mut all: Vec<Place> = vec![Vec::new()];
        for letter in letters.chars() {
            let inner = |y: &i32| !letter.eq_ignore_ascii_case(&'p') || (1..self.height - 1).contains(y);
            let more = |place: &Place| {
                let squares = (0..self.height).filter(inner).flat_map(|y| (0..self.width).map(move |x| (x, y)));
                let free = squares.filter(|(x, y)| place.iter().all(|unit| (unit.1, unit.2) != (*x, *y)));
                free.map(|(x, y)| [place.as_slice(), &[(letter, x, y)]].concat()).collect::<Vec<Place>>()
            };
            all = all.iter().flat_map(more).collect();
        }
        let mut passing = Vec::new();
        for place in &all {
            // Undo a double step and make it again, which sets the en passant square.
            for unit in place.iter().filter(|unit| unit.0.eq_ignore_ascii_case(&'p')) {
                let (from, to) = if unit.0 == 'P' { (1, 3) } else { (self.height - 2, self.height - 4) };
                if unit.2 == to && place.iter().all(|other| (other.1, other.2) != (unit.1, from)) {
                    let mut before: Place = place.iter().filter(|other| *other != unit).copied().collect();
                    before.push((unit.0, unit.1, from));
                    let stepped = |next: &Place| next.iter().any(|other| other.0 == OVER) && next.contains(unit);
                    passing.extend(self.options(&before, unit.0 == 'P').into_iter().filter(stepped));
                }
            }
        }
        all.iter_mut().for_each(|place| place.sort());
        all.extend(passing);
        all.sort();
        all.dedup();
        all
    }

    /// The position with colours exchanged and ranks mirrored.
    pub(super) fn reversed(&self, place: &Place) -> Place {
        let letter = |letter: char| {
            if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
        };
        let mut changed: Place = place.iter().map(|unit| (letter(unit.0), unit.1, self.height - 1 - unit.2)).collect();
        changed.sort();
        changed
    }

    pub(super) fn fen(&self, place: &Place) -> String {
        let stands = |unit: &&Unit, x, y| unit.0 != OVER && (unit.1, unit.2) == (x, y);
        let letter = |x, y| place.iter().find(|unit| stands(unit, x, y)).map_or('1', |unit| unit.0);
        let row = |y| (0..self.width).map(|x| letter(x, y)).collect::<String>();
        let rows = (0..self.height).rev().map(row).collect::<Vec<String>>().join("/");
        match place.iter().find(|unit| unit.0 == OVER) {
            None => rows,
            Some((_, x, y)) => format!("{rows} w - {}{} 0 1", char::from(b'a' + *x as u8), y + 1),
        }
    }

    /// Every position with both kings and at most one more piece, of either side.
    pub(super) fn places(&self) -> Vec<Place> {
        let squares: Vec<(i32, i32)> = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y))).collect();
        let mut places = Vec::new();
        for white in &squares {
            for black in squares.iter().filter(|square| *square != white) {
                let kings = vec![('K', white.0, white.1), ('k', black.0, black.1)];
                for third in squares.iter().filter(|square| *square != white && *square != black) {
                    for letter in "QRBNPqrbnp".chars() {
                        if letter.eq_ignore_ascii_case(&'p') && (third.1 == 0 || third.1 == self.height - 1) {
                            continue;
                        }
                        let mut place = kings.clone();
                        place.push((letter, third.0, third.1));
                        place.sort();
                        places.push(place);
                    }
                }
                let mut kings = kings;
                kings.sort();
                places.push(kings);
            }
        }
        places
    }
}

/// Whether White has won, once a king has been captured.
pub(super) fn over(place: &Place) -> Option<bool> {
    let stands = |king| place.iter().any(|unit| unit.0 == king);
    match (stands('K'), stands('k')) {
        (true, true) => None,
        (white, _) => Some(white),
    }
}

/// The number 1 in fixed point.
const ONE: u128 = 1 << 120;

fn compare(width: i32, height: i32) {
    let rules = Rules { width, height };
    let places = rules.places();
    let numbers: HashMap<&Place, usize> = places.iter().enumerate().map(|(number, place)| (place, number)).collect();
    let (lost, won) = (places.len(), places.len() + 1);
    let number = |place: &Place| match over(place) {
        Some(true) => won,
        Some(false) => lost,
        None => numbers[place],
    };
    let options: Vec<[Vec<usize>; 2]> = places
        .iter()
        .map(|place| [true, false].map(|white| rules.options(place, white).iter().map(number).collect()))
        .collect();

    let table = table(Size::new(width as u8, height as u8).unwrap());
    let values: Vec<RBig> = places
        .iter()
        .map(|place| {
            let answer = read(&rules.fen(place)).unwrap().answer(&table);
            assert_eq!(answer.white.len(), rules.options(place, true).len(), "{}", rules.fen(place));
            exact(answer.value.as_ref().unwrap())
        })
        .chain([RBig::ZERO, RBig::ONE])
        .collect();
    for (number, [white, black]) in options.iter().enumerate() {
        let sum =
            white.iter().map(|id| &values[*id]).max().unwrap() + black.iter().map(|id| &values[*id]).min().unwrap();
        assert_eq!(sum, &values[number] + &values[number], "{}", rules.fen(&places[number]));
    }

    for up in [false, true] {
        let mut bounds = vec![if up { ONE } else { 0 }; places.len() + 2];
        bounds[lost] = 0;
        bounds[won] = ONE;
        for round in 0.. {
            let mut changed = false;
            for (number, [white, black]) in options.iter().enumerate() {
                let sum = white.iter().map(|id| bounds[*id]).max().unwrap()
                    + black.iter().map(|id| bounds[*id]).min().unwrap();
                let next = if up { sum.div_ceil(2) } else { sum / 2 };
                changed |= next != bounds[number];
                bounds[number] = next;
            }
            if !changed || round == 3000 {
                break;
            }
        }
        let slack = parse("1/1000000000000000000000000000000");
        for (number, bound) in bounds[..places.len()].iter().enumerate() {
            let bound = RBig::from_parts((*bound).into(), ONE.into());
            let gap = if up { bound - &values[number] } else { &values[number] - bound };
            assert!(gap >= RBig::ZERO && gap < slack, "{}: {gap}", rules.fen(&places[number]));
        }
    }
}

#[test]
fn three_by_three() {
    compare(3, 3);
}

#[test]
fn three_by_four() {
    compare(3, 4);
}

#[test]
fn four_by_three() {
    compare(4, 3);
}

#[test]
fn four_by_four() {
    compare(4, 4);
}

/// Sample of the 8×8 board: checks the equation of every 211th position, or fewer, with moves generated here.
#[test]
fn eight_by_eight_in_samples() {
    let rules = Rules { width: 8, height: 8 };
    let table = orthodox();
    let worth = |place: &Place| match over(place) {
        Some(true) => RBig::ONE,
        Some(false) => RBig::ZERO,
        None => value(&read(&rules.fen(place)).unwrap().answer(&table)),
    };
    for place in rules.places().iter().step_by(21_100 / often(100).min(100)) {
        let [white, black] =
            [true, false].map(|white| rules.options(place, white).iter().map(worth).collect::<Vec<_>>());
        let sum = white.iter().max().unwrap() + black.iter().min().unwrap();
        assert_eq!(sum, worth(place) * RBig::from(2), "{}", rules.fen(place));
    }
}

/// The pieces after each capture and each promotion.
pub(super) fn reduced(letters: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, letter) in letters.char_indices().filter(|(_, letter)| !letter.eq_ignore_ascii_case(&'k')) {
        let without = [&letters[..at], &letters[at + 1..]].concat();
        let promoted = match letter {
            'P' => "QRBN",
            'p' => "qrbn",
            _ => "",
        };
        found.extend(promoted.chars().map(|new| format!("{without}{new}")));
        found.push(without);
    }
    found
}
