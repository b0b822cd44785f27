//! The command line.
#![allow(
    clippy::disallowed_methods,
    reason = "the one place that reads the command line, the environment and the clock"
)]

use zorkmid::board::{Board, START};
fn main() {
    let b = Board::orthodox();
    let args: Vec<String> = std::env::args().collect();
    let fen = args.get(1).map_or(START, |s| s.as_str());
    let d: u32 = args.get(2).map_or(5, |s| s.parse().unwrap());
    let p = b.parse_fen(fen).unwrap();
    let t = std::time::Instant::now();
    let n = b.perft(&p, d);
    println!("{n} {:.1} Mnps", n as f64 / t.elapsed().as_secs_f64() / 1e6);
}
