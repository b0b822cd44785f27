//! Sub-commands that need no server: `perft`, `solve`, `verify`, `value`, `replay`, `ladder` and `worth`. Each gives back what is to be
//! printed; reading the command line and printing are main's.

mod ladder;
mod perft;
mod replay;
mod worth;

use std::{fmt::Write, str::FromStr};

use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    board::Size,
    richman::{self, Answer, Category, Choice, Fraction, Progress, Table, covers},
};

pub use ladder::Ladder;
pub use perft::Perft;
pub use replay::Replay;
pub use worth::Worth;

/// A board as `8x8`: files, then ranks.
#[derive(Clone, Copy, Debug)]
pub struct Extent(Size);

impl FromStr for Extent {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once(['x', '×', 'X']);
        let size = sides.and_then(|(width, height)| Size::new(width.parse().ok()?, height.parse().ok()?));
        size.filter(|size| covers(*size))
            .map(Extent)
            .ok_or_else(|| "write files and ranks from 3 to 8, as in 8x8 or 3x4".to_owned())
    }
}

/// Arguments of `solve`: the pieces and the board.
#[derive(Debug, clap::Args)]
pub struct Solve {
    /// The greatest number of pieces.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(3..=3))]
    pieces: u8,
    /// Files and ranks of the board.
    #[arg(long, default_value = "8x8")]
    board: Extent,
}

/// Arguments of `verify`: the board.
#[derive(Debug, clap::Args)]
pub struct Verify {
    /// Files and ranks of the board.
    #[arg(long, default_value = "8x8")]
    board: Extent,
}

/// Arguments of `value`: the position.
#[derive(Debug, clap::Args)]
pub struct Value {
    /// The position in FEN; its rows give the board, and all but the first field may be left out.
    fen: String,
    /// Answer in JSON.
    #[arg(long)]
    json: bool,
}

/// A bar on a terminal, nothing elsewhere.
fn bar(what: &str) -> ProgressBar {
    let bar = ProgressBar::new(1).with_message(what.to_owned());
    let style = ProgressStyle::with_template("{msg} [{wide_bar}] {human_pos}/{human_len} positions");
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
    /// Solves, and gives a line about the table.
    pub fn run(&self) -> Result<String, String> {
        Ok(format!("{}\nup to {} pieces, all values exact and proved", summary(&solved(self.board.0)?), self.pieces))
    }
}

impl Verify {
    /// Solves and verifies, and gives a line about the table.
    pub fn run(&self) -> Result<String, String> {
        let table = solved(self.board.0)?;
        let bar = bar("verifying");
        table.verify(&mut |stage| advance(&bar, "verifying", stage)).map_err(|flaw| flaw.to_string())?;
        bar.finish_and_clear();
        Ok(format!("{}\nevery equation holds exactly, every label follows", summary(&table)))
    }
}

impl Value {
    /// Gives the answer in words or in JSON.
    pub fn run(&self) -> Result<String, String> {
        let question = richman::read(&self.fen).map_err(|error| error.to_string())?;
        let answer = match question.without_table() {
            Some(answer) => answer,
            None => question.answer(&solved(question.size)?),
        };
        if self.json {
            return serde_json::to_string_pretty(&answer).map_err(|error| error.to_string());
        }
        Ok(words(&answer))
    }
}

fn amount(fraction: &Fraction) -> String {
    if fraction.den == "1" {
        return fraction.num.to_string();
    }
    format!("{}/{} ≈ {:.10}", fraction.num, fraction.den, fraction.approx)
}

fn words(answer: &Answer) -> String {
    let mut text = format!("{}  {}\n", answer.fen, answer.material);
    let mut line = |name: &str, what: &str| writeln!(text, "{name:<8}{what}").unwrap_or_default();
    match answer.category {
        Category::Unknown => line("unknown", answer.reason.as_deref().map_or("", |reason| reason)),
        Category::Terminal => line("over", answer.terminal.unwrap_or_default()),
        Category::Exact => {}
    }
    if let Some(value) = &answer.value {
        line("value", &amount(value));
    }
    if let Some(bid) = &answer.bid {
        let note = match (answer.zugzwang, answer.quiescent) {
            (Some(true), _) => ", zugzwang",
            (_, Some(true)) => ", quiescent",
            _ => "",
        };
        line("bid", &format!("{}{note}", amount(bid)));
    }
    let moves = |choices: &[Choice], name: &str, line: &mut dyn FnMut(&str, &str)| {
        for choice in choices {
            let mark = if choice.best { "!" } else { "" };
            line(name, &format!("{:<7} {}", format!("{}{mark}", choice.san), amount(&choice.value)));
        }
    };
    moves(&answer.white, "White", &mut line);
    moves(&answer.black, "Black", &mut line);
    text.trim_end().to_owned()
}
