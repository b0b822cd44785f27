//! Speed of the exact endgame tables against the method that first found the values, in the same run on one thread.
//!
//! The control iterates big integers over the knight, queen and pawn endings, reduced by symmetry like the tables, to n = 2644, where the
//! paper's computation stops. It takes minutes, so it runs once. The tables, which also cover bishop and rook and include their
//! certificate, are solved seven times. With `--quick`, the control stops at n = 200, and the ratio is a lower bound, because its steps only
//! get slower.

use std::time::{Duration, Instant};

use zorkmid::{
    board::Size,
    richman::{
        Material,
        reference_method::{Thresholds, simplest},
        solve,
    },
};

/// Last iteration of the paper.
const LAST: usize = 2644;

/// Target ratio.
const REACH: f64 = 500.0;

pub(crate) fn run(asked: &[String]) {
    let quick = asked.iter().any(|argument| argument == "--quick");
    let mut times: Vec<Duration> = Vec::new();
    let mut table = None;
    for _ in 0..7 {
        let start = Instant::now();
        table = Some(solve(Size::ORTHODOX, &mut |_| ()).expect("the ordinary board is solved"));
        times.push(start.elapsed());
    }
    times.sort();
    let ours = times[times.len() / 2];
    let table = table.expect("the board was solved seven times");
    println!(
        "exact tables of all materials with certificate   {:>9.3} s  ({:.3} to {:.3})",
        ours.as_secs_f64(),
        times[0].as_secs_f64(),
        times[6].as_secs_f64()
    );

    let last = if quick { 200 } else { LAST };
    let materials = [Material::Bare, Material::Knight, Material::Queen, Material::Pawn];
    let start = Instant::now();
    let mut thresholds = Thresholds::new(Size::ORTHODOX, &materials);
    while thresholds.n() < last {
        thresholds.step();
    }
    let theirs = start.elapsed();
    let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
    println!("big integers to n = {last}, knight, queen and pawn   {:>9.3} s", theirs.as_secs_f64());
    if quick {
        let at_least = ratio * LAST as f64 / last as f64;
        println!("ratio at least {at_least:.0} at n = {LAST}, even if no step got slower; target: {REACH}");
        return;
    }
    println!("ratio {ratio:.0}; target: {REACH}");
    let guess = Instant::now();
    let wrong = thresholds
        .positions()
        .filter(|(setup, lower, upper)| simplest(lower.clone(), upper.clone()) != *table.value(*setup))
        .count();
    println!(
        "simplest fractions that differ from the tables   {wrong}  ({:.3} s, not counted)",
        guess.elapsed().as_secs_f64()
    );
}
