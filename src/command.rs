//! Subcommands that need no server: `perft`, `solve`, `verify`, `reproduce`, `smallest`, `value`, `replay`, `check`, `copy`, `ladder`, `worth`
//! and `uci`. Each returns the text to print, except that `uci` answers line by line; `main` parses the command line and prints.

mod bot_match;
mod copy;
mod gap_search;
mod inspect;
mod manifest;
mod piece_values;
mod reproduce;
mod solve;
mod uci;
mod value;

pub use bot_match::Ladder;
pub use copy::Copy;
pub use gap_search::Smallest;
pub use inspect::{Check, Perft, Replay};
pub use piece_values::Worth;
pub use reproduce::Reproduce;
pub use solve::BackgroundSolver;
pub use uci::Uci;
pub use value::Value;

use crate::{
    board::Size,
    richman::{
        self, FivePieceMaterial, FourPieceMaterial, Progress, Table, UnknownPair, UnknownTrio, Verified, covers,
    },
};
use flate2::read::MultiGzDecoder;
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    str::FromStr,
};

/// A board size such as `8x8`: files, then ranks.
#[derive(Clone, Copy, Debug)]
pub struct Extent(Size);

impl FromStr for Extent {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once(['x', '×', 'X']);
        let size = sides.and_then(|(width, height)| Size::new(width.parse().ok()?, height.parse().ok()?));
        size.filter(|size| covers(*size))
            .map(Extent)
            .ok_or_else(|| "a board has 3 to 8 files and 3 to 8 ranks, as in 8x8 or 3x4".to_owned())
    }
}

/// Material of a table of four or five pieces.
#[derive(Clone, Copy, Debug)]
pub enum TableMaterial {
    /// Four pieces, such as `KRBvK`.
    Four(FourPieceMaterial),
    /// Five pieces, such as `KNNNvK`.
    Five(FivePieceMaterial),
}

impl FromStr for TableMaterial {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        if text.chars().filter(|letter| !matches!(letter, 'K' | 'v')).count() == 3 {
            return text.parse().map(TableMaterial::Five).map_err(|unknown: UnknownTrio| unknown.to_string());
        }
        text.parse().map(TableMaterial::Four).map_err(|unknown: UnknownPair| unknown.to_string())
    }
}

/// Arguments of `solve`: the pieces and the board.
#[derive(Debug, clap::Args)]
pub struct Solve {
    /// Largest number of pieces. 4 writes the tables of the 8x8 board to files, one per material; an interruption loses only the
    /// unfinished one. 5 solves one material without pawns and shows the cost first.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(3..=5))]
    pieces: u8,
    /// Files and ranks of the board.
    #[arg(long, default_value = "8x8")]
    board: Extent,
    /// Solve only this material and the ones it needs: KRBvK or KRvKB with four pieces, KNNNvK or KRBvKN with five.
    #[arg(long, value_name = "MATERIAL")]
    material: Option<TableMaterial>,
    /// Start on five pieces without asking for confirmation.
    #[arg(long)]
    yes: bool,
    /// Data folder of the server. Tables of four and five pieces go into its subfolder `endgames`.
    #[arg(long, env = "ZORKMID_DATA", value_name = "FOLDER", default_value = "data")]
    data: PathBuf,
    /// Exit when standard input closes.
    #[arg(long, hide = true)]
    until_let_go: bool,
}

/// Folder of the endgame tables within the server's data folder.
pub fn endgames(data: &Path) -> PathBuf {
    data.join("endgames")
}

/// Arguments of `verify`: a file or a board.
#[derive(Debug, clap::Args)]
pub struct Verify {
    /// File to prove: values from /api/richman/files in either format, or a table of four or five pieces. The proof uses only the file
    /// and a separate move generator. Without a file, solves the board and checks the result.
    file: Option<PathBuf>,
    /// Files and ranks of the board.
    #[arg(long, default_value = "8x8", conflicts_with = "file")]
    board: Extent,
    /// List of SHA-256 sums, such as docs/manifest.txt: solves its boards and compares them and the files of four pieces in the data folder.
    #[arg(long, value_name = "LIST", conflicts_with_all = ["file", "board"])]
    manifest: Option<PathBuf>,
    /// Data folder of the server, for --manifest.
    #[arg(long, env = "ZORKMID_DATA", value_name = "FOLDER", default_value = "data")]
    data: PathBuf,
}

/// Progress bar that counts positions. Hidden unless the output is a terminal.
fn bar(what: &str) -> ProgressBar {
    bar_of(what, "positions")
}

/// Progress bar that counts `counted`.
fn bar_of(what: &str, counted: &str) -> ProgressBar {
    let bar = ProgressBar::new(1).with_message(what.to_owned());
    let style = ProgressStyle::with_template(&format!("{{msg}} [{{wide_bar}}] {{human_pos}}/{{human_len}} {counted}"));
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn advance(bar: &ProgressBar, what: &str, stage: Progress) {
    bar.set_length(stage.total.into());
    bar.set_position(stage.done.into());
    bar.set_message(format!("{what} {}", stage.material));
}

fn solved(size: Size) -> Result<Table, String> {
    let bar = bar("solving");
    let table =
        richman::solve(size, &mut |stage| advance(&bar, "solving", stage)).map_err(|error| error.to_string())?;
    bar.finish_and_clear();
    Ok(table)
}

fn summary(table: &Table) -> String {
    let positions: usize = table.index().layers().iter().map(|layer| layer.ids.len()).sum();
    format!("{}: {positions} positions, {} values, table {}", table.size(), table.distinct(), table.digest())
}

impl Solve {
    /// Solves and returns a summary of the table.
    pub fn run(&self) -> Result<String, String> {
        if self.pieces == 3 && self.material.is_none() {
            return Ok(format!("{}\nup to 3 pieces, all values exact and proved", summary(&solved(self.board.0)?)));
        }
        let pair = match self.material {
            Some(TableMaterial::Five(trio)) if self.pieces == 5 => {
                let place = solve::Destination { size: self.board.0, folder: &endgames(&self.data) };
                return solve::solve_five(trio, &place, self.yes);
            }
            Some(TableMaterial::Five(trio)) => return Err(format!("{trio} has five pieces: use --pieces 5")),
            Some(TableMaterial::Four(pair)) if self.pieces == 5 => {
                return Err(format!("{pair} has four pieces: use --pieces 4"));
            }
            None if self.pieces == 5 => {
                return Err(
                    "five pieces are solved one material at a time: add one, as in --material KNNNvK".to_owned()
                );
            }
            Some(TableMaterial::Four(pair)) => Some(pair),
            None => None,
        };
        if self.board.0 != Size::ORTHODOX {
            return Err("four pieces are solved only on the 8x8 board: omit --board".to_owned());
        }
        if self.until_let_go {
            solve::exit_when_stdin_closes();
        }
        solve::solve_four(pair, &endgames(&self.data))
    }
}

impl Verify {
    /// Proves the file, or solves and verifies the board, or compares tables with a list. Returns a summary.
    pub fn run(&self) -> Result<String, String> {
        if let Some(list) = &self.manifest {
            return manifest::compare(list, &endgames(&self.data));
        }
        if let Some(file) = self.file.as_deref().filter(|file| file.extension().is_some_and(|kind| kind == "four")) {
            return solve::prove_four(file);
        }
        if let Some(file) = self.file.as_deref().filter(|file| file.extension().is_some_and(|kind| kind == "five")) {
            return solve::prove_five(file);
        }
        if let Some(file) = &self.file {
            return proved(file).map_err(|why| format!("{}: {why}", file.display()));
        }
        let table = solved(self.board.0)?;
        let bar = bar("verifying");
        table.verify(&mut |stage| advance(&bar, "verifying", stage)).map_err(|flaw| flaw.to_string())?;
        bar.finish_and_clear();
        Ok(format!("{}\nevery equation holds exactly and every label is justified", summary(&table)))
    }
}

/// Largest unpacked file that `verify` reads, in bytes: about ten times the size of the 8x8 table.
const LARGEST: u64 = 1 << 30;

/// Proves a file of values and returns the statement proved.
fn proved(path: &Path) -> Result<String, String> {
    let file = File::open(path).map_err(|why| format!("cannot be read: {why}"))?;
    let mut bytes = Vec::new();
    let packed = path.extension().is_some_and(|extension| extension == "gz");
    let mut reader: Box<dyn Read> = if packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let read = reader.by_ref().take(LARGEST).read_to_end(&mut bytes);
    read.map_err(|why| format!("cannot be read: {why}"))?;
    let Verified { board: (width, height), materials, classes, positions, values } = richman::prove(&bytes)?;
    Ok(format!(
        "{}: proved. The {positions} positions of {} on {width}x{height}, in {classes} classes, have exactly these values ({values} distinct), \
         and either side can force the end with best moves alone",
        path.display(),
        materials.join(", "),
    ))
}
