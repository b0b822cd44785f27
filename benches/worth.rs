//! Time of each army in the games that measure the value of a piece. Both armies search the same number of positions per move; this benchmark
//! checks whether that takes the same time. The games are deterministic, so each pair is played several times, and the shortest time of every
//! move counts, without delays by other load.
//!
//! `cargo bench -- worth [PAIRS] [PIECE…]`

use std::time::{Duration, Instant};

use zorkmid::bots::{Trial, TrialArmy, TrialSide};

/// Pieces of different kinds: a short leaper, a long one, a colour-bound one, riders, one with different moves and captures, a strong one.
const PIECES: [&str; 8] = ["W", "FD", "L", "B", "R", "NN", "mWcF", "BN"];
/// Number of times that each pair is played.
const TIMES: usize = 3;
/// Random seed.
const SEED: u64 = 1;

/// Moves of a pair, with the side and the time of each.
fn moves(trial: &Trial, number: u64) -> Vec<(TrialSide, Duration)> {
    let mut begun: Vec<(TrialSide, Instant)> = Vec::new();
    let _half_points = trial.pair(SEED, number, &mut |side| {
        begun.push((side, Instant::now()));
        false
    });
    let end = Instant::now();
    let ends = begun.iter().skip(1).map(|(_, begun)| *begun).chain([end]);
    begun.iter().zip(ends).map(|((side, begun), end)| (*side, end - *begun)).collect()
}

/// Seconds and number of moves of each army in one pair, the army with the piece first.
fn seconds(trial: &Trial, number: u64) -> [(f64, usize); 2] {
    let mut best = moves(trial, number);
    for _ in 1..TIMES {
        for (known, (_, again)) in best.iter_mut().zip(moves(trial, number)) {
            known.1 = known.1.min(again);
        }
    }
    [TrialSide::Tried, TrialSide::Ordinary].map(|side| {
        let own = best.iter().filter(|(known, _)| *known == side);
        own.fold((0.0, 0), |(sum, count), (_, took)| (sum + took.as_secs_f64(), count + 1))
    })
}

/// Ratio of two sums over pairs, and half the width of its 95 % interval (jackknife).
fn ratio(pairs: &[[(f64, usize); 2]]) -> (f64, f64) {
    let of = |left: Option<usize>| {
        let kept = pairs.iter().enumerate().filter(|(number, _)| Some(*number) != left);
        let sums = kept.fold([0.0; 2], |sums, (_, pair)| [sums[0] + pair[0].0, sums[1] + pair[1].0]);
        sums[0] / sums[1]
    };
    let without: Vec<f64> = (0..pairs.len()).map(|left| of(Some(left))).collect();
    let number = pairs.len() as f64;
    let mean = without.iter().sum::<f64>() / number;
    let spread: f64 = without.iter().map(|one| (one - mean).powi(2)).sum();
    (of(None), 1.96 * (spread * (number - 1.0) / number).sqrt())
}

pub(crate) fn run(asked: &[String]) {
    let pairs: u64 = asked.first().and_then(|number| number.parse().ok()).unwrap_or(20);
    let named: Vec<&str> = asked.iter().skip(1).map(String::as_str).collect();
    println!("piece  time with / without  95 %             moves   ms per move, with and without");
    for text in if named.is_empty() { PIECES.to_vec() } else { named } {
        let piece = text.parse().unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
        let trial = Trial::new(&TrialArmy::Piece(piece)).unwrap_or_else(|why| panic!("{text}: {why}"));
        let found: Vec<_> = (0..pairs).map(|number| seconds(&trial, number)).collect();
        let (ratio, wide) = ratio(&found);
        let [with, without] = [0, 1].map(|side| {
            let sum = found.iter().fold((0.0, 0), |sum, pair| (sum.0 + pair[side].0, sum.1 + pair[side].1));
            (1_000.0 * sum.0 / sum.1 as f64, sum.1)
        });
        println!(
            "{text:6} {ratio:5.3}                ({:5.3} to {:5.3}) {:7}   {:.3} {:.3}",
            ratio - wide,
            ratio + wide,
            with.1 + without.1,
            with.0,
            without.0
        );
    }
}
