//! The subcommand `reproduce`: repeats the published computation of the exact values and logs how the guesses settle.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs::{self, File},
    io::{self, BufReader},
    path::PathBuf,
    thread,
};

use super::{
    Extent, bar_of,
    solve::{fault, save},
    solved,
};
use crate::richman::{Reproduced, Reproduction};

/// Arguments of `reproduce`: the number of steps and the log.
#[derive(Debug, clap::Args)]
pub struct Reproduce {
    /// Number of steps n.
    #[arg(long, value_name = "N", default_value_t = 2644, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    to: u32,
    /// Files and ranks of the board.
    #[arg(long, default_value = "8x8")]
    board: Extent,
    /// CSV file of the log. The state is saved next to it, with the ending .state, and continued from there.
    #[arg(long, value_name = "FILE", default_value = "reproduction.csv")]
    log: PathBuf,
}

/// Column names of the log.
const COLUMNS: &str = "material,n,positions,stable,bits,digits";
/// Steps between two rows of a material. The step at which its last guess becomes right has a row too.
const PER_ROW: usize = 10;
/// Steps between two saves.
const PER_SAVE: usize = 100;

fn row(count: &Reproduced) -> String {
    let Reproduced { material, n, positions, stable, bits, digits } = count;
    format!("{material},{n},{positions},{stable},{bits},{digits}")
}

/// The number n in a row of the log; `None` if it is invalid.
fn step_of(row: &str) -> Option<usize> {
    row.split(',').nth(1)?.parse().ok()
}

impl Reproduce {
    /// Repeats the computation up to the number of steps, or continues it. Returns a summary of the log.
    pub fn run(&self) -> Result<String, String> {
        let table = solved(self.board.0)?;
        let (to, state) = (self.to as usize, self.log.with_extension("state"));
        let mut work = Reproduction::new(&table, to);
        let mut rows: Vec<String> = Vec::new();
        match File::open(&state) {
            Ok(file) => {
                work.resume(&mut BufReader::new(file)).map_err(|why| fault(&state, why))?;
                let text = fs::read_to_string(&self.log).map_err(|why| fault(&self.log, why))?;
                let kept = |row: &&str| step_of(row).is_some_and(|n| n <= work.n());
                rows.extend(text.lines().filter(kept).map(str::to_owned));
            }
            Err(why) if why.kind() == io::ErrorKind::NotFound => {}
            Err(why) => return Err(fault(&state, why)),
        }
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let bar = bar_of("stepping", "steps");
        bar.set_length(to as u64);
        let mut complete = work.complete();
        while work.n() < to {
            work.step(threads);
            let now = work.complete();
            let due = work.n().is_multiple_of(PER_ROW) || work.n() == to;
            if due || now != complete {
                let counts = work.counts();
                let rows_due = counts.iter().zip(now.iter().zip(&complete)).filter(|(_, (now, was))| due || now != was);
                rows.extend(rows_due.map(|(count, _)| row(count)));
            }
            complete = now;
            bar.set_position(work.n() as u64);
            if work.n().is_multiple_of(PER_SAVE) || work.n() == to {
                save(&state, |out| work.write(out)).map_err(|why| fault(&state, why))?;
                let text = format!("{COLUMNS}\n{}\n", rows.join("\n"));
                save(&self.log, |out| out.write_all(text.as_bytes())).map_err(|why| fault(&self.log, why))?;
            }
        }
        bar.finish_and_clear();
        Ok(summary(&rows))
    }
}

/// For each material, the first step from which all guesses are right, or the last step and the number of right ones.
fn summary(rows: &[String]) -> String {
    let mut last: BTreeMap<&str, (bool, String)> = BTreeMap::new();
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        let [material, n, positions, stable, bits, digits] = cells[..] else { continue };
        let done = positions == stable;
        let text = match done {
            true => format!(
                "{material}: all {positions} guesses are right from n = {n} on, with denominators of up to {bits} bits"
            ),
            false => {
                format!("{material}: {stable} of {positions} guesses are right at n = {n}, and β − α < 10^−{digits}")
            }
        };
        // The first row with all guesses right stays.
        if last.get(material).is_none_or(|(complete, _)| !complete) {
            last.insert(material, (done, text));
        }
    }
    let mut text = String::new();
    for (_, line) in last.values() {
        writeln!(text, "{line}").unwrap_or_default();
    }
    text.trim_end().to_owned()
}
