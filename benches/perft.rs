//! Speed of perft against Fairy-Stockfish's `go perft` in the same run: interleaved, median of five rounds.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Instant,
};

use zorkmid::board::{Board, START};

const ROUNDS: usize = 5;
const DEPTH: u32 = 6;
/// Published perft of six plies.
const NODES: u64 = 119_060_324;

/// A running Fairy-Stockfish.
struct Control {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Control {
    /// Starts the program from the search path, or from Debian's location.
    fn start() -> Option<Control> {
        for program in ["fairy-stockfish", "/usr/games/fairy-stockfish"] {
            if let Ok(mut child) = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() {
                let (input, output) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
                let mut control = Control { child, input, output };
                control.ask("uci\nsetoption name Threads value 1\nisready", "readyok");
                return Some(control);
            }
        }
        None
    }

    /// Sends lines and reads up to the answer that begins with `until`.
    fn ask(&mut self, lines: &str, until: &str) -> String {
        writeln!(self.input, "{lines}").expect("the control reads its input");
        let mut line = String::new();
        while self.output.read_line(&mut line).expect("the control answers") > 0 {
            if line.starts_with(until) {
                return line.trim().to_owned();
            }
            line.clear();
        }
        panic!("the control ended before it printed {until}");
    }

    fn perft(&mut self) -> u64 {
        let answer = self.ask(&format!("position fen {START}\ngo perft {DEPTH}"), "Nodes searched: ");
        answer.trim_start_matches("Nodes searched: ").parse().expect("the control counts nodes")
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.child.wait();
    }
}

/// Millions of nodes per second of one perft.
fn speed(count: impl FnOnce() -> u64) -> f64 {
    let begun = Instant::now();
    let nodes = count();
    let seconds = begun.elapsed().as_secs_f64();
    assert_eq!(nodes, NODES);
    nodes as f64 / seconds / 1e6
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

pub(crate) fn run() {
    let board = Board::orthodox();
    let start = board.parse_fen(START).expect("the start position is a FEN");
    let mut control = Control::start();
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    println!("perft {DEPTH} from the start position, millions of nodes per second, one thread");
    println!("{:>7} {:>10} {:>16} {:>7}", "round", "zorkmid", "Fairy-Stockfish", "ratio");
    for round in 1..=ROUNDS {
        let our = speed(|| board.perft(&start, DEPTH));
        ours.push(our);
        match &mut control {
            Some(control) => {
                let their = speed(|| control.perft());
                theirs.push(their);
                ratios.push(our / their);
                println!("{round:>7} {our:>10.1} {their:>16.1} {:>7.2}", our / their);
            }
            None => println!("{round:>7} {our:>10.1} {:>16} {:>7}", "-", "-"),
        }
    }
    if ratios.is_empty() {
        println!("{:>7} {:>10.1}", "median", median(ours));
        println!("No ratio: fairy-stockfish is not installed (Debian: apt-get install fairy-stockfish).");
    } else {
        println!("{:>7} {:>10.1} {:>16.1} {:>7.2}", "median", median(ours), median(theirs), median(ratios));
    }
}
