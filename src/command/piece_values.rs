//! The subcommand `worth`: measures the value of pieces in games between bots and lists it next to their price.

use std::{
    fmt::Write,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    board::{Atom, Betza},
    bots::{PairedResults, RULER, Trial, TrialArmy, ValueEstimate, ruler},
    variants::csipgs::price::{Catalogue, exact},
};

/// Arguments of `worth`: the pieces and the number of games.
#[derive(Debug, clap::Args)]
pub struct Worth {
    /// Pieces in Betza notation. Without any: all atoms, and the army without a knight that serves as their unit.
    pieces: Vec<Betza>,
    /// Pairs of games per piece.
    #[arg(long, default_value_t = 1_200, value_parser = clap::value_parser!(u64).range(2..))]
    pairs: u64,
    /// Seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Pairs played in parallel. The result does not depend on it.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    jobs: u8,
}

/// Measurement of an army: its name in the table, the exact price of the piece, and the results.
struct Line {
    name: String,
    price: String,
    pairs: PairedResults,
}

impl Worth {
    /// Plays the games and returns the table: lines of piece, price and five counts, then the evaluation in lines that start with `#`.
    pub fn run(&self) -> Result<String, String> {
        let all = self.pieces.is_empty();
        let atoms = || Atom::ALL.iter().filter(|atom| **atom != Atom::N).filter_map(|atom| atom.text().parse().ok());
        let pieces: Vec<Betza> = if all { atoms().collect() } else { self.pieces.clone() };
        let mut lines = Vec::new();
        if all {
            let pairs = self.play(&TrialArmy::KnightLess, "an army without a knight")?;
            lines.push(Line { name: RULER.to_owned(), price: "0".to_owned(), pairs });
        }
        for piece in pieces {
            let (name, price) = (piece.to_string(), exact(&piece, &Catalogue::default()).to_string());
            let pairs = self.play(&TrialArmy::Piece(piece), &name)?;
            lines.push(Line { name, price, pairs });
        }
        Ok(self.table(&lines, all))
    }

    fn play(&self, tried: &TrialArmy, name: &str) -> Result<PairedResults, String> {
        let trial = Trial::new(tried).map_err(|refusal| format!("{name}: {refusal}"))?;
        let bar = ProgressBar::new(self.pairs).with_message(name.to_owned());
        let style = ProgressStyle::with_template("{msg} [{wide_bar}] {pos}/{len} pairs, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let (next, pairs) = (AtomicU64::new(0), Mutex::new(PairedResults::default()));
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.pairs {
                    return;
                }
                if let Some(half_points) = trial.pair(self.seed, number, &mut |_| false) {
                    pairs.lock().unwrap_or_else(PoisonError::into_inner).count(half_points);
                }
                bar.inc(1);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(work);
            }
        });
        bar.finish_and_clear();
        Ok(pairs.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn table(&self, lines: &[Line], all: bool) -> String {
        let mut text = format!(
            "# The worth of {} in the place of both knights, measured in games of bots.\n\
             # Made by: zorkmid worth --pairs {} --seed {}\n\
             # Piece, price, pairs of games that brought 0, 1, 2, 3 and 4 half points.\n",
            if all { "the atoms of csipgs chess" } else { "pieces" },
            self.pairs,
            self.seed
        );
        let mut put = |line: String| writeln!(text, "{line}").unwrap_or_default();
        for Line { name, price, pairs } in lines {
            put(format!("{name} {price} {pairs}"));
        }
        put("# In knights, with the 95 % interval:".to_owned());
        let unit = lines.iter().find(|line| line.name == RULER).map_or_else(ruler, |line| line.pairs);
        for Line { name, pairs, .. } in lines.iter().filter(|line| line.name != RULER) {
            let ValueEstimate { low, worth, high } = pairs.gauge(&unit);
            put(format!("# {name} {worth:.2} ({low:.2} to {high:.2})"));
        }
        text.trim_end().to_owned()
    }
}
