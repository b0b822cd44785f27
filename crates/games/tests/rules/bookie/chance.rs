//! Frequencies of chance's deals on a hundred thousand boards. The expected frequencies are exact. The limits are so wide that a
//! correct dealer fails for about one in a hundred thousand seeds, and a wrong one always fails.

use rand::{RngExt, SeedableRng, rngs::SmallRng};
use zorkmid_games::{
    board::{Color, Position, Square, Squares, orthodox::*},
    variants::bookie::{self, OFFICERS, PieceSet, SETS, officers},
};

use super::{boards, deal::attacked};

/// Limit that a correct dealer exceeds with a probability of about 1 in 300,000 (Wilson and Hilferty's approximation).
fn limit(freedom: usize) -> f64 {
    let part = 2.0 / (9.0 * freedom as f64);
    freedom as f64 * (1.0 - part + 4.5 * part.sqrt()).powi(3)
}

/// Checks counts against probabilities that sum to one, with Pearson's statistic.
fn fits(what: &str, counts: &[u64], odds: &[f64]) {
    let total: u64 = counts.iter().sum();
    assert!((odds.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{what}");
    let cell = |(count, odds): (&u64, &f64)| (*count as f64 - total as f64 * odds).powi(2) / (total as f64 * odds);
    let statistic: f64 = counts.iter().zip(odds).map(cell).sum();
    let limit = limit(counts.len() - 1);
    assert!(statistic < limit, "{what}: {statistic:.1} over {limit:.1}");
}

fn fits_evenly(what: &str, counts: &[u64]) {
    fits(what, counts, &vec![1.0 / counts.len() as f64; counts.len()]);
}

/// Excess of each square's count over its expectation, if on every board some squares of a field are chosen uniformly. Each
/// excess divided by its standard deviation is nearly normal.
struct Excess {
    sum: [f64; 64],
    variance: [f64; 64],
}

impl Excess {
    fn new() -> Self {
        Excess { sum: [0.0; 64], variance: [0.0; 64] }
    }

    fn add(&mut self, field: Squares, taken: Squares) {
        assert!((taken & !field).is_empty());
        let due = f64::from(taken.len()) / f64::from(field.len());
        for square in field {
            self.sum[square.index()] += if taken.has(square) { 1.0 - due } else { -due };
            self.variance[square.index()] += due * (1.0 - due);
        }
    }

    fn is_small(&self, what: &str) {
        for square in Squares(u64::MAX).filter(|square| self.variance[square.index()] > 0.0) {
            let deviations = self.sum[square.index()] / self.variance[square.index()].sqrt();
            assert!(deviations.abs() < 5.0, "{what} on {square}: {deviations:.1} standard deviations");
        }
    }

    /// If the field is the same on every board, the chosen squares are exchangeable. Then the scaled sum over all squares is
    /// chi-squared, with one degree of freedom less than the field has squares.
    fn is_even(&self, what: &str, field: Squares) {
        let (squares, variance) = (f64::from(field.len()), self.variance[field.first().unwrap().index()]);
        let squared: f64 = field.map(|square| self.sum[square.index()].powi(2)).sum();
        let statistic = squared * (squares - 1.0) / (squares * variance);
        let limit = limit(field.len() as usize - 1);
        assert!(statistic < limit, "{what}: {statistic:.1} over {limit:.1}");
    }
}

const ALL: Squares = Squares(u64::MAX);

fn ranks(first: u8, last: u8) -> Squares {
    (first..=last).fold(Squares::EMPTY, |set, rank| set | Squares::rank(rank - 1))
}

fn sets(position: &Position) -> [PieceSet; 2] {
    Color::BOTH.map(|color| PieceSet::of(position, color).unwrap())
}

#[test]
fn white_sets_are_uniform() {
    let mut counts = [0; 123];
    for position in boards() {
        counts[SETS.iter().position(|set| *set == sets(position)[0]).unwrap()] += 1;
    }
    fits_evenly("White's set", &counts);
}

#[test]
fn black_replies_are_uniform() {
    let mut cells = Vec::new();
    let mut odds = Vec::new();
    for white in SETS {
        for black in white.replies() {
            cells.push([white, *black]);
            odds.push(1.0 / 123.0 / white.replies().len() as f64);
        }
    }
    let mut counts = vec![0; cells.len()];
    let mut differences = [0; 5];
    let mut difference_odds = [0.0; 5];
    let index: std::collections::HashMap<_, _> = cells.iter().enumerate().map(|(at, pair)| (*pair, at)).collect();
    for position in boards() {
        let [white, black] = sets(position);
        counts[index[&[white, black]]] += 1;
        differences[(black.value() - white.value()) as usize] += 1;
    }
    for ([white, black], odds) in cells.iter().zip(&odds) {
        difference_odds[(black.value() - white.value()) as usize] += odds;
    }
    fits("pairs of sets", &counts, &odds);
    fits("the difference in value", &differences, &difference_odds);
}

#[test]
fn pawn_counts_are_uniform() {
    let mut all = [0; 7];
    let mut by_officers = [[0; 7]; 17];
    for position in boards() {
        let pawns = position.of_kind(Color::White, PAWN).len() as usize - 2;
        all[pawns] += 1;
        by_officers[officers(position).occupied().len() as usize][pawns] += 1;
    }
    fits_evenly("the number of pawns", &all);
    for (officers, counts) in by_officers.iter().enumerate().filter(|(_, counts)| counts.iter().sum::<u64>() > 100) {
        fits_evenly(&format!("the number of pawns with {officers} officers"), counts);
    }
}

#[test]
fn officer_squares_are_uniform() {
    let mut together = Excess::new();
    for position in boards() {
        together.add(ALL, officers(position).occupied());
    }
    together.is_even("officers", ALL);
    for color in Color::BOTH {
        for kind in OFFICERS {
            let mut excess = Excess::new();
            for position in boards() {
                excess.add(ALL, position.of_kind(color, kind));
            }
            excess.is_even(&format!("{} officers of kind {kind}", color.name()), ALL);
        }
    }
}

#[test]
fn two_bishops_may_share_a_colour() {
    let mut counts = [0; 2];
    for position in boards() {
        let bishops: Vec<Square> = position.of_kind(Color::White, BISHOP).collect();
        if let [first, second] = bishops[..] {
            counts[usize::from(first.dark() == second.dark())] += 1;
        }
    }
    fits("two bishops on one colour", &counts, &[32.0 / 63.0, 31.0 / 63.0]);
}

#[test]
fn white_pawns_are_uniform_on_ranks_2_to_5() {
    let field = ranks(2, 5);
    let (mut given, mut marginal) = (Excess::new(), Excess::new());
    for position in boards() {
        let pawns = position.of_kind(Color::White, PAWN);
        given.add(field & !officers(position).occupied(), pawns);
        // Officers favour no square, so neither do pawns.
        marginal.add(field, pawns);
    }
    given.is_small("white pawns");
    marginal.is_even("white pawns", field);
}

#[test]
fn black_pawns_are_uniform_on_free_squares_of_ranks_3_to_7() {
    let mut given = Excess::new();
    for position in boards() {
        let earlier = officers(position).occupied() | position.of_kind(Color::White, PAWN);
        given.add(ranks(3, 7) & !earlier, position.of_kind(Color::Black, PAWN));
    }
    given.is_small("black pawns");
}

#[test]
fn kings_are_uniform_on_safe_squares() {
    let mut rng = SmallRng::seed_from_u64(4);
    let mut places = [[0; 32]; 2];
    let mut given = [Excess::new(), Excess::new()];
    for position in boards() {
        let mut stage = *position;
        for color in Color::BOTH {
            stage.remove(position.of_kind(color, KING).only().unwrap());
        }
        for color in Color::BOTH {
            let king = position.of_kind(color, KING);
            let safe = ALL & !stage.occupied() & !attacked(&stage, !color);
            given[color.index()].add(safe, king);
            // Index of the safe square, spread uniformly over its share of the unit interval.
            let place = safe.take_while(|square| !king.has(*square)).count() as f64;
            let spread = (place + rng.random::<f64>()) / f64::from(safe.len());
            places[color.index()][(spread * 32.0) as usize] += 1;
            stage = *position;
            stage.remove(position.of_kind(Color::Black, KING).only().unwrap());
        }
    }
    for color in Color::BOTH {
        fits_evenly(&format!("{}'s king among the safe squares", color.name()), &places[color.index()]);
        given[color.index()].is_small(&format!("{}'s king", color.name()));
    }
}

#[test]
fn the_later_deal_has_the_same_odds() {
    let mut rng = SmallRng::seed_from_u64(5);
    let dealt = bookie::deal_officers(&mut rng);
    let mut numbers = [0; 7];
    let mut white = Excess::new();
    for _ in 0..20_000 {
        let position = bookie::deal_rest(&dealt, &mut rng).unwrap();
        let pawns = position.of_kind(Color::White, PAWN);
        numbers[pawns.len() as usize - 2] += 1;
        white.add(ranks(2, 5) & !dealt.occupied(), pawns);
    }
    fits_evenly("the number of pawns", &numbers);
    white.is_even("white pawns", ranks(2, 5) & !dealt.occupied());
}
