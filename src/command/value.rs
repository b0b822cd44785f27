//! The subcommand `value`: evaluates one position, from the tables of three pieces or from files of four and five pieces.

use std::{fmt::Write, path::PathBuf};

use super::{endgames, solved};
use crate::richman::{
    self, Answer, BoundedAnswer, Category, Choice, EnclosedMove, Enclosure, FourFiles, Fraction, Interval, Question,
    Tables,
};

/// Arguments of `value`: the position.
#[derive(Debug, clap::Args)]
pub struct Value {
    /// Position in FEN. Its rows define the board; only the first field is required.
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

impl Value {
    /// Returns the answer as text or JSON.
    pub fn run(&self) -> Result<String, String> {
        let question = richman::read(&self.fen).map_err(|error| error.to_string())?;
        if question.is_of_files()
            && let Some((answer, enclosed)) = self.of_files(&question)?
        {
            if self.json {
                return serde_json::to_string_pretty(&FileAnswer { answer, enclosed })
                    .map_err(|error| error.to_string());
            }
            // The bounds have their own lines.
            let answer = Answer { bid: None, white: Vec::new(), black: Vec::new(), ..answer };
            return Ok(format!("{}\n{}", words(&answer), bounds(&enclosed)));
        }
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

impl Value {
    /// Looks up a position in the files of the folder.
    fn of_files(&self, question: &Question) -> Result<Option<(Answer, BoundedAnswer)>, String> {
        let tables = Tables::with_four(FourFiles::new(endgames(&self.data)));
        if !question.has_file(tables.four(), tables.five()) {
            return Ok(None);
        }
        let three = solved(question.size)?;
        question.of_files(&three, tables.four(), tables.five()).map_err(|wrong| wrong.to_string())
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
