//! Time to compute the thresholds for one number of chips on one thread: for both players in both roles, in all positions of the 8×8 board.
//! Also the bytes that they take, and the time of a verdict. Medians of five totals of each size, each computed for the first time.

use crate::load::median;
use std::time::Instant;
use zorkmid::{
    board::{Color, Size},
    richman::{Auction, NEVER_STOP, read, solve},
    rules::endgame::NextStep,
};

/// Limits in seconds and megabytes.
const REACH: (f64, f64) = (0.5, 4.0);

pub(crate) fn run() {
    let table = solve(Size::ORTHODOX, &mut |_| {}).expect("the ordinary board is solved");
    // A pawn on its second rank can promote to every piece.
    let question = read("8/8/8/3k4/8/8/P7/7K").expect("a FEN");
    let hold =
        |total: u32| Color::BOTH.map(|player| question.holding(&table, player, total).expect("a covered position"));
    let judge = |total: i64| {
        let auction = Auction {
            chips: [total / 2, total - total / 2],
            next_step: NextStep::Offer(Color::White),
            negative: true,
            sealed: None,
        };
        question.verdict(&table, &auction, NEVER_STOP).expect("a covered position")
    };
    // Generates all moves once.
    hold(3);
    println!("{:>6}      one total      kept   first verdict     repeated", "chips");
    for most in [20_u32, 200, 2_000, 20_000] {
        let mut times: [Vec<f64>; 3] = Default::default();
        let mut kept = 0;
        for total in most - 4..=most {
            let before = table.chip_bytes();
            times[0].push(seconds(|| drop(hold(total))));
            kept = kept.max(table.chip_bytes().saturating_sub(before));
            times[1].push(seconds(|| _ = judge(i64::from(total))));
            times[2].push(seconds(|| _ = judge(i64::from(total))));
        }
        let [solved, first, again] = times.map(|mut times| median(&mut times));
        let bytes = kept as f64 / f64::from(1 << 20);
        println!("{most:>6}   {solved:>9.3} s   {bytes:>7.2} MB   {:>10.1} ms   {:>11.3} ms", first * 1e3, again * 1e3);
    }
    println!("limits: {} s and {} MB", REACH.0, REACH.1);
}

fn seconds(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64()
}
