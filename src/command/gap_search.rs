//! The subcommand `smallest`: searches a small board for the fewest pieces with α < β.

use std::{
    fmt::Write as _,
    fs::{self, File},
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
    thread,
};

use super::{Extent, bar_of};
use crate::richman::{Count, LargestGaps, SmallTables, solve};

/// Arguments of `smallest`: the board and the largest number of pieces.
#[derive(Debug, clap::Args)]
pub struct Smallest {
    /// Files and ranks of the board.
    #[arg(long)]
    board: Extent,
    /// Largest number of pieces to try.
    #[arg(long, value_name = "NUMBER", default_value_t = 6, value_parser = clap::value_parser!(u8).range(3..=9))]
    pieces: u8,
    /// Continue up to that number even if fewer pieces suffice.
    #[arg(long)]
    further: bool,
    /// Folder for CSV files that list every class of positions with α < β.
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

/// The value 1 in the fixed-point numbers of the bounds.
const ONE: f64 = (1_u64 << 63) as f64;

impl Smallest {
    /// Adds pieces until α < β occurs, or up to the limit with `--further`. Returns a report per material. α = β is decided up to the fewest pieces.
    pub fn run(&self) -> Result<String, String> {
        let size = self.board.0;
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let exact = solve(size, &mut |_| ()).map_err(|why| why.to_string())?;
        let mut tables = SmallTables::new(size);
        let (mut text, mut least, mut undecided) = (String::new(), None, 0);
        while tables.pieces() < usize::from(self.pieces) {
            let exact = least.is_none().then_some(&exact);
            eprintln!("{} pieces: at most {:.2} GB", tables.pieces() + 1, tables.costs(exact.is_some()) as f64 / 1e9);
            let bar = bar_of("solving", "materials");
            let grown = tables.grow(threads, exact, &|progress| {
                bar.set_length(progress.total as u64);
                bar.set_position(progress.done as u64);
                bar.set_message(format!("solved {}", progress.forces));
            });
            bar.finish_and_clear();
            grown.map_err(|why| why.to_string())?;
            let pieces = tables.pieces();
            if pieces < 3 {
                continue;
            }
            let counts = tables.counts(pieces);
            text += &report(pieces, &counts, exact.is_some());
            let open = counts.iter().map(|count| count.open).sum::<usize>();
            let Some(widest) = counts.into_iter().filter_map(|count| count.widest).max_by_key(LargestGaps::gap) else {
                undecided += open;
                continue;
            };
            text += &format!("widest    {}\n", shown(&widest));
            if let Some(folder) = &self.into {
                let path = folder.join(format!("{}x{}-{pieces}.csv", size.width(), size.height()));
                save(&tables, folder, &path).map_err(|why| format!("{}: {why}", path.display()))?;
                text += &format!("classes written to {}\n", path.display());
            }
            least.get_or_insert(pieces);
            if !self.further {
                break;
            }
        }
        Ok(match least {
            Some(least) if undecided == 0 => format!("{text}{size}: α < β needs {least} pieces"),
            Some(least) => {
                format!(
                    "{text}{size}: α < β is possible with {least} pieces; {undecided} classes with fewer are undecided"
                )
            }
            None if undecided > 0 => {
                format!(
                    "{text}{size}: no α < β was found with up to {} pieces; {undecided} classes are undecided",
                    self.pieces
                )
            }
            None => format!("{text}{size}: no position of up to {} pieces has α < β", self.pieces),
        })
    }
}

/// One line per material and one for the total. Without a decision about α = β, only classes with wide bounds are listed as undecided.
fn report(pieces: usize, counts: &[Count], decided: bool) -> String {
    let mut text = String::new();
    let mut line = |material: &str, classes: usize, apart: usize, open: usize| {
        let least = if decided && open == 0 { "" } else { "at least " };
        let undecided = if open > 0 { format!(", undecided in {open}") } else { String::new() };
        writeln!(text, "{material:<10}{classes} classes, α < β in {least}{apart}{undecided}").unwrap_or_default();
    };
    let open = |count: &Count| if decided { count.open } else { count.wide };
    for count in counts {
        line(&count.forces.to_string(), count.classes, count.apart, open(count));
    }
    let sum = |of: &dyn Fn(&Count) -> usize| counts.iter().map(of).sum::<usize>();
    line(&format!("{pieces} pieces"), sum(&|count| count.classes), sum(&|count| count.apart), sum(&open));
    text
}

/// A position and its rounded bounds.
fn shown(LargestGaps { fen, bounds }: &LargestGaps) -> String {
    let [alpha, alpha_high, beta, beta_high] = bounds.map(|bound| bound as f64 / ONE);
    let width = (bounds[1] - bounds[0]).max(bounds[3] - bounds[2]) as f64 / ONE;
    let (alpha, beta) = (alpha.midpoint(alpha_high), beta.midpoint(beta_high));
    format!("{fen}  α ≈ {alpha:.10}, β ≈ {beta:.10}, each known to within {width:.1e}")
}

fn save(tables: &SmallTables, folder: &Path, path: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut out = BufWriter::new(File::create(path)?);
    tables.write(tables.pieces(), &mut out)?;
    out.flush()
}
