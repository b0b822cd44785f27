//! Portable Game Notation as text: tags, moves and a result. Knows no board; whether the moves are legal, `Board::parse_san` says.

mod reader;

use std::fmt;

use reader::Reader;

/// One game as it is written down.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pgn {
    /// The tags in their order, as (`White`, `Anderssen`).
    pub tags: Vec<(String, String)>,
    /// The remarks in braces before the first move, joined by spaces; empty for none.
    pub before: String,
    /// The moves of the main line.
    pub moves: Vec<Written>,
    /// The result.
    pub result: Termination,
}

/// A move as it is written: nothing says yet that it is one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// The text, as `Nf3`, without number and annotation.
    pub text: String,
    /// The offset in bytes of the text in what was read; 0 in what was not.
    pub at: usize,
    /// The remarks in braces after it, joined by spaces; empty for none.
    pub comment: String,
}

/// The marker that stands at the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Termination {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished or unknown.
    #[default]
    Open,
}

impl Termination {
    const ALL: [Termination; 4] = [Termination::White, Termination::Black, Termination::Draw, Termination::Open];

    /// As it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Termination::White => "1-0",
            Termination::Black => "0-1",
            Termination::Draw => "1/2-1/2",
            Termination::Open => "*",
        }
    }
}

/// The fault that keeps a text from being a game, and its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct PgnError {
    /// Offset in bytes.
    pub at: usize,
    /// The line, counted from 1.
    pub line: usize,
    /// The fault, and what to write instead.
    pub why: String,
}

impl Pgn {
    /// Reads every game of a text. Variations and annotation glyphs are passed over; remarks stay with the move before them.
    pub fn read(text: &str) -> Result<Vec<Pgn>, PgnError> {
        let mut reader = Reader::new(text);
        let mut games = Vec::new();
        loop {
            reader.pass_blanks();
            if reader.rest().is_empty() {
                return Ok(games);
            }
            games.push(reader.game()?);
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The number of the first move and whether Black makes it, from the `FEN` tag.
    fn beginning(&self) -> (u32, bool) {
        let fields: Vec<&str> = self.tag("FEN").unwrap_or_default().split_whitespace().collect();
        let number = fields.get(5).and_then(|number| number.parse().ok()).unwrap_or(1);
        (number, fields.get(1) == Some(&"b"))
    }
}

/// The export form: tags, a blank line, and the moves with numbers, in lines of at most 79 characters.
impl fmt::Display for Pgn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace('\n', " ").replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        if !self.tags.is_empty() {
            writeln!(f)?;
        }
        let (mut number, mut black) = self.beginning();
        let mut words: Vec<String> = Vec::new();
        let mut numbered = false;
        words.extend(braced(&self.before));
        for written in &self.moves {
            if !black {
                words.push(format!("{number}."));
            } else if !numbered {
                words.push(format!("{number}..."));
            }
            words.push(written.text.clone());
            // After a remark Black's move is numbered again.
            numbered = written.comment.is_empty();
            words.extend(braced(&written.comment));
            number += u32::from(black);
            black = !black;
        }
        words.push(self.result.text().to_owned());
        let mut column = 0;
        for word in words {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > 79 {
                writeln!(f)?;
                column = 0;
            } else if column > 0 {
                write!(f, " ")?;
                column += 1;
            }
            write!(f, "{word}")?;
            column += length;
        }
        writeln!(f)
    }
}

/// The words of a remark in braces; none for an empty one.
fn braced(remark: &str) -> Vec<String> {
    if remark.is_empty() {
        return Vec::new();
    }
    format!("{{{}}}", remark.replace('}', ")")).split_whitespace().map(str::to_owned).collect()
}
