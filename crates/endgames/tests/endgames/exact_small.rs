//! Exact α and β of all positions with given pieces, found and proved with the moves of `naive.rs` alone. Value iteration from 0 approaches α, and
//! α is taken to be the simplest fraction near the result. Then every equation is checked with fractions, and every position with α > 0 gets a label.
//! β is 1 minus α with the colours exchanged.

use std::collections::HashMap;

use dashu_int::UBig;
use dashu_ratio::RBig;
use zorkmid_endgames::{SmallTables, board::Size, read};

use super::{
    naive::{Place, Rules, over, reduced},
    table,
};

struct Exact {
    rules: Rules,
    alpha: HashMap<Place, RBig>,
}

/// Numbers of the positions that the moves of White and of Black lead to.
type Options = [Vec<usize>; 2];

impl Exact {
    /// Solves all positions with these pieces, after those that captures and promotions reach. Returns the positions.
    fn solve(&mut self, letters: &str) -> Vec<Place> {
        let places = self.rules.with(letters);
        if places.first().is_none_or(|place| self.alpha.contains_key(place)) {
            return places;
        }
        for fewer in reduced(letters) {
            self.solve(&fewer);
        }
        let numbers: HashMap<&Place, usize> = places.iter().enumerate().map(|(at, place)| (place, at)).collect();
        // Numbers after those of the places are known values.
        let mut known: Vec<RBig> = vec![RBig::ZERO, RBig::ONE];
        let mut number = |next: &Place| {
            let outside = |at: usize| places.len() + at;
            over(next).map(|won| outside(usize::from(won))).or_else(|| numbers.get(next).copied()).unwrap_or_else(
                || {
                    known.push(self.alpha[next].clone());
                    outside(known.len() - 1)
                },
            )
        };
        let options: Vec<Options> = places
            .iter()
            .map(|place| [true, false].map(|white| self.rules.options(place, white).iter().map(&mut number).collect()))
            .collect();
        let proved =
            (7..12).find_map(|bits| guess(&options, &known, 1 << bits).filter(|values| is_alpha(&options, values)));
        let values = proved.unwrap_or_else(|| panic!("the values of {letters} are not found"));
        self.alpha.extend(places.iter().cloned().zip(values));
        places
    }
}

/// Values of the positions, then the known values: the simplest fractions near the result of value iteration from 0 with a number of binary places.
fn guess(options: &[Options], known: &[RBig], bits: usize) -> Option<Vec<RBig>> {
    let one = UBig::ONE << bits;
    let rounded = |value: &RBig| {
        let scaled = value * RBig::from(one.clone());
        UBig::try_from(scaled.floor()).unwrap()
    };
    let mut values = vec![UBig::ZERO; options.len()];
    values.extend(known.iter().map(rounded));
    let mut order: Vec<usize> = (0..options.len()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for at in &order {
            let [white, black] = &options[*at];
            let sum = white.iter().map(|to| &values[*to]).max()? + black.iter().map(|to| &values[*to]).min()?;
            let next = sum >> 1;
            changed |= next != values[*at];
            values[*at] = next;
        }
        order.reverse();
    }
    let near = UBig::ONE << (bits / 2);
    let fraction = |value: &UBig| {
        let of = |number: dashu_int::IBig| RBig::from_parts(number, one.clone());
        RBig::simplest_in(of(dashu_int::IBig::from(value.clone()) - 1), of((value + &near).into()))
    };
    Some(values[..options.len()].iter().map(fraction).chain(known.iter().cloned()).collect())
}

/// Proves values: each is the mean of the best moves, so α is at most that. Where it is positive, White can keep it and end the game, so α is at least
/// that (Proposition 2 of Larsson and Wästlund).
fn is_alpha(options: &[Options], values: &[RBig]) -> bool {
    let most = |at: usize| options[at][0].iter().map(|to| &values[*to]).max().unwrap();
    let least = |at: usize| options[at][1].iter().map(|to| &values[*to]).min().unwrap();
    if (0..options.len()).any(|at| most(at) + least(at) != &values[at] + &values[at]) {
        return false;
    }
    let mut labelled: Vec<bool> = (0..values.len()).map(|at| at >= options.len() || values[at].is_zero()).collect();
    loop {
        let ends = |at: &usize| {
            let [white, black] = &options[*at];
            white.iter().any(|to| labelled[*to] && values[*to] == *most(*at)) || black.iter().all(|to| labelled[*to])
        };
        let grown: Vec<usize> = (0..options.len()).filter(|at| !labelled[*at]).filter(ends).collect();
        if grown.is_empty() {
            return labelled.into_iter().all(|labelled| labelled);
        }
        grown.into_iter().for_each(|at| labelled[at] = true);
    }
}

/// Compares the decisions and bounds of all positions with these pieces with exact values. Returns the number of positions with α < β.
fn compared(width: u8, height: u8, materials: &[&str]) -> Vec<usize> {
    let size = Size::new(width, height).unwrap();
    let mut tables = SmallTables::new(size);
    while tables.pieces() < 4 {
        tables.grow(2, Some(&table(size)), &|_| ()).unwrap();
    }
    let mut exact = Exact { rules: Rules { width: width.into(), height: height.into() }, alpha: HashMap::new() };
    let exchanged = |letters: &str| {
        let other = |letter: char| {
            if letter.is_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
        };
        letters.chars().map(other).collect::<String>()
    };
    let mut compare = |letters: &&str| {
        let places = exact.solve(letters);
        exact.solve(&exchanged(letters));
        let mut apart = 0;
        for place in places {
            let [alpha, beta] = [exact.alpha[&place].clone(), RBig::ONE - &exact.alpha[&exact.rules.reversed(&place)]];
            let fen = exact.rules.fen(&place);
            let position = read(&fen).unwrap().position;
            assert_eq!(tables.sharp(&position), Some(alpha == beta), "{fen}: α = {alpha}, β = {beta}");
            let bounds = tables.enclosed(&position).unwrap().map(RBig::from);
            let one = RBig::from(1_u64 << 63);
            for (value, [low, high]) in [(&alpha, [0, 1]), (&beta, [2, 3])] {
                let value = value * &one;
                assert!(bounds[low] <= value && value <= bounds[high], "{fen}: {value}");
            }
            apart += usize::from(alpha != beta);
        }
        apart
    };
    materials.iter().map(&mut compare).collect()
}

#[test]
fn decisions_agree_with_exact_values() {
    assert_eq!(compared(3, 3, &["KRBk", "KBkn", "KNkp", "KNNk"]), [0; 4]);
}

#[test]
#[ignore = "tests/long: takes five seconds"]
fn decisions_agree_with_exact_gaps() {
    // Each of the seven classes has two images under the mirror and two colours.
    let [apart] = compared(3, 4, &["KPkp"]).try_into().unwrap();
    assert!((7..=4 * 7).contains(&apart), "{apart}");
}
