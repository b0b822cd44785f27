//! The subcommand `value`: evaluates positions, from the tables of three pieces, from small boards with four pieces, or from files of four and five
//! pieces.

use std::{fmt::Write, io, path::PathBuf};

use super::{endgames, solved};
use crate::{
    board::Size,
    richman::{
        self, Answer, BoundedAnswer, Category, Choice, EnclosedMove, Enclosure, FourFiles, Fraction, Interval,
        Question, Table, Tables,
    },
};

/// Arguments of `value`: the position.
#[derive(Debug, clap::Args)]
pub struct Value {
    /// Position in FEN. Its rows define the board; only the first field is required. With `-`, positions are read from standard input,
    /// one on each line, and with --json each answer is one line.
    fen: String,
    /// Data folder of the server, whose tables of four and five pieces are used.
    #[arg(long, env = "ZORKMID_DATA", value_name = "FOLDER", default_value = "data")]
    data: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// An answer with proved bounds, as JSON.
#[derive(serde::Serialize)]
struct FileAnswer {
    #[serde(flatten)]
    answer: Answer,
    enclosed: BoundedAnswer,
}

/// The tables that answers come from: files, and boards that have been solved.
struct Source {
    files: Tables,
    boards: Vec<Table>,
}

/// The table of a board. Solves it if it is not there yet.
fn table(boards: &mut Vec<Table>, size: Size) -> Result<&Table, String> {
    let at = match boards.iter().position(|table| table.size() == size) {
        Some(at) => at,
        None => {
            boards.push(solved(size)?);
            boards.len() - 1
        }
    };
    Ok(&boards[at])
}

impl Source {
    /// Looks up a position in the files of the folder, or solves its board if that is small.
    fn bounded(&mut self, question: &Question) -> Result<Option<(Answer, BoundedAnswer)>, String> {
        if question.is_of_small_board() {
            return Ok(question.of_small_board(table(&mut self.boards, question.size)?));
        }
        if !question.has_file(self.files.four(), self.files.five()) {
            return Ok(None);
        }
        let Source { files, boards } = self;
        let three = table(boards, question.size)?;
        question.of_files(three, files.four(), files.five()).map_err(|wrong| wrong.to_string())
    }
}

impl Value {
    /// Returns the answers as text or JSON.
    pub fn run(&self) -> Result<String, String> {
        let files = Tables::with_four(FourFiles::new(endgames(&self.data)));
        let mut source = Source { files, boards: Vec::new() };
        if self.fen != "-" {
            return self.answer(&self.fen, &mut source);
        }
        let mut answers = Vec::new();
        for (at, line) in io::stdin().lines().enumerate() {
            let wrong = |why: String| format!("line {}: {why}", at + 1);
            let line = line.map_err(|why| wrong(why.to_string()))?;
            if !line.trim().is_empty() {
                answers.push(self.answer(line.trim(), &mut source).map_err(wrong)?);
            }
        }
        Ok(answers.join(if self.json { "\n" } else { "\n\n" }))
    }

    fn answer(&self, fen: &str, source: &mut Source) -> Result<String, String> {
        let question = richman::read(fen).map_err(|error| error.to_string())?;
        if let Some((answer, enclosed)) = source.bounded(&question)? {
            if self.json {
                return self.written(&FileAnswer { answer, enclosed });
            }
            // The bounds have their own lines.
            let answer = Answer { bid: None, white: Vec::new(), black: Vec::new(), ..answer };
            return Ok(format!("{}\n{}", words(&answer), bounds(&enclosed)));
        }
        let answer = match question.without_table() {
            Some(answer) => answer,
            None => question.answer(table(&mut source.boards, question.size)?),
        };
        if self.json { self.written(&answer) } else { Ok(words(&answer)) }
    }

    /// The answer as JSON: on one line if there may be several.
    fn written(&self, answer: &impl serde::Serialize) -> Result<String, String> {
        let json = if self.fen == "-" { serde_json::to_string(answer) } else { serde_json::to_string_pretty(answer) };
        json.map_err(|error| error.to_string())
    }
}

/// Proved bounds as text.
fn bounds(enclosed: &BoundedAnswer) -> String {
    let mut text = String::new();
    let mut line = |name: &str, what: &str| writeln!(text, "{name:<8}{what}").unwrap_or_default();
    let between = |value: &Interval| format!("{} to {}", value.lo, value.hi);
    line("α", &between(&enclosed.alpha));
    line("β", &between(&enclosed.beta));
    line("bid", &between(&enclosed.bid));
    let mut moves = |name: &str, all: &[EnclosedMove]| {
        for mv in all {
            let san = format!("{}{}", mv.san, if mv.best { "!" } else { "" });
            line(name, &format!("{san:<7} {}", between(&mv.value)));
        }
    };
    moves("White", &enclosed.white);
    moves("Black", &enclosed.black);
    text.trim_end().to_owned()
}

fn number(known: &Enclosure) -> String {
    known.fraction().as_ref().map_or_else(|| format!("{} to {}", known.lo, known.hi), amount)
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
        Category::Exact | Category::Interval => {}
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
        line("bid", &format!("{}{note}", number(bid)));
    }
    let moves = |choices: &[Choice], name: &str, line: &mut dyn FnMut(&str, &str)| {
        for choice in choices {
            let mark = if choice.best == Some(true) { "!" } else { "" };
            let value = choice.value.as_ref().map_or_else(String::new, amount);
            line(name, &format!("{:<7} {value}", format!("{}{mark}", choice.san)));
        }
    };
    moves(&answer.white, "White", &mut line);
    moves(&answer.black, "Black", &mut line);
    text.trim_end().to_owned()
}
