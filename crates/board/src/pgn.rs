//! Portable Game Notation: tags, moves and a result. [`Board::parse_san`](super::Board::parse_san) checks the moves.
//!
//! The reader accepts the styles of other programs: figurines, evaluations, null moves, remarks after the result.

mod words;

pub use words::NULL;

use std::fmt;

/// A game as written in PGN.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pgn {
    /// Tags in order, such as (`White`, `Anderssen`).
    pub tags: Vec<(String, String)>,
    /// Comments before the first move, joined by spaces.
    pub before: String,
    /// Moves of the main line.
    pub moves: Vec<PgnMove>,
    /// The result.
    pub result: Termination,
}

/// A move as written. It may be illegal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnMove {
    /// Text without number and annotation, such as `Nf3`.
    pub text: String,
    /// Byte offset in the parsed text; 0 if the move was not parsed.
    pub at: usize,
    /// Comments after the move, joined by spaces.
    pub comment: String,
}

/// Marker at the end of a game.
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
    /// Text of the marker.
    pub const fn text(self) -> &'static str {
        match self {
            Termination::White => "1-0",
            Termination::Black => "0-1",
            Termination::Draw => "1/2-1/2",
            Termination::Open => "*",
        }
    }
}

/// Error in a PGN text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct PgnError {
    /// Byte offset.
    pub at: usize,
    /// Line, counted from 1.
    pub line: usize,
    /// Description of the error and how to correct it.
    pub why: String,
}

impl Pgn {
    /// Parses all games of a text. Skips variations and annotation glyphs; keeps comments with the preceding move.
    pub fn read(text: &str) -> Result<Vec<Pgn>, PgnError> {
        let mut reader = Reader::new(text);
        let mut games = Vec::new();
        loop {
            reader.pass_blanks();
            if reader.rest().is_empty() {
                return Ok(games);
            }
            let game = reader.game()?;
            // Text after the last game is no game.
            if games.is_empty() || !game.tags.is_empty() || !game.moves.is_empty() {
                games.push(game);
            }
        }
    }

    /// Value of a tag. Its name may be in upper or lower case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Adds a comment after the last move, or before the first.
    fn comment(&mut self, remark: &str) {
        let comment = self.moves.last_mut().map_or(&mut self.before, |last| &mut last.comment);
        if !comment.is_empty() && !remark.is_empty() {
            comment.push(' ');
        }
        comment.push_str(remark);
    }

    /// Number of the first move and whether Black makes it, from the `FEN` tag.
    fn beginning(&self) -> (u32, bool) {
        let fields: Vec<&str> = self.tag("FEN").unwrap_or_default().split_whitespace().collect();
        let number = fields.get(5).and_then(|number| number.parse().ok()).unwrap_or(1);
        (number, fields.get(1) == Some(&"b"))
    }
}

/// Export format: tags, a blank line, and numbered moves in lines of at most 79 characters.
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
            // After a comment, Black's move repeats its number.
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

/// The words of a comment in braces; empty for an empty comment.
fn braced(remark: &str) -> Vec<String> {
    if remark.is_empty() {
        return Vec::new();
    }
    format!("{{{}}}", remark.replace('}', ")")).split_whitespace().map(str::to_owned).collect()
}

/// Whether a character is white space or a byte order mark.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{feff}' | '\u{200b}')
}

/// Parser state.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Reader { text, at: 0 }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn error<T>(&self, at: usize, why: impl Into<String>) -> Result<T, PgnError> {
        let line = 1 + self.text[..at].matches('\n').count();
        Err(PgnError { at, line, why: why.into() })
    }

    /// Skips white space, byte order marks and lines that begin with `%`.
    fn pass_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let before = self.text[..self.at].trim_start_matches('\u{feff}');
            let begins_line = before.is_empty() || before.ends_with('\n');
            if begins_line && rest.starts_with('%') {
                self.at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            match rest.chars().next() {
                Some(blank) if is_blank(blank) => self.at += blank.len_utf8(),
                Some(_) | None => return,
            }
        }
    }

    fn game(&mut self) -> Result<Pgn, PgnError> {
        let mut game = Pgn::default();
        while self.rest().starts_with('[') {
            game.tags.push(self.tag()?);
            self.pass_blanks();
        }
        loop {
            self.pass_blanks();
            match self.rest().chars().next() {
                // A game without a result ends at the next game's tags.
                None | Some('[') => return Ok(game),
                Some('{' | ';') => {
                    let remark = self.remark()?;
                    game.comment(&remark);
                }
                Some('(') => self.variation()?,
                Some(sign @ (')' | '}' | ']' | '"')) => {
                    return self.error(self.at, format!("this {sign} closes nothing; leave it out"));
                }
                Some(_) => {
                    if let Some(result) = self.word(&mut game.moves) {
                        game.result = result;
                        self.pass_remarks(&mut game)?;
                        return Ok(game);
                    }
                }
            }
        }
    }

    /// Parses the comments that follow a result without an empty line, and skips other text on its line.
    fn pass_remarks(&mut self, game: &mut Pgn) -> Result<(), PgnError> {
        loop {
            let text = self.rest().trim_start_matches(is_blank);
            let gap = self.rest().len() - text.len();
            let lines = self.rest()[..gap].matches('\n').count();
            match text.chars().next() {
                Some('{' | ';') if lines < 2 => {
                    self.at += gap;
                    let remark = self.remark()?;
                    game.comment(&remark);
                }
                // A digit begins the next game.
                Some(letter) if lines == 0 && letter != '[' && !letter.is_ascii_digit() => {
                    self.at += gap + text.find('\n').unwrap_or(text.len());
                }
                Some(_) | None => return Ok(()),
            }
        }
    }

    /// Parses a tag in brackets: a name and a quoted value, with `\"` for `"` and `\\` for `\`. Other quotes in a value are literal.
    fn tag(&mut self) -> Result<(String, String), PgnError> {
        let begin = self.at;
        self.at += 1;
        self.pass_blanks();
        let name: String =
            self.rest().chars().take_while(|c| c.is_ascii_alphanumeric() || "_+#=:-".contains(*c)).collect();
        self.at += name.len();
        self.pass_blanks();
        if name.is_empty() || !self.rest().starts_with('"') {
            return self.error(self.at, "a tag is a name and a value in quotes, as in [White \"Anderssen\"]");
        }
        self.at += 1;
        let mut value = String::new();
        let mut escaped = false;
        // A quote in the value may lack its backslash, so the value ends at the first quote before a bracket, or at the last quote.
        let line = self.rest().split('\n').next().unwrap_or_default();
        let closes = |at: usize| line[at + 1..].trim_start().starts_with(']');
        let last = line.rmatch_indices('"').map(|(at, _)| at).find(|at| closes(*at));
        for (offset, letter) in self.rest().char_indices() {
            match letter {
                '\n' => break,
                '\\' if !escaped => escaped = true,
                '"' if !escaped && (closes(offset) || last.is_none_or(|last| last <= offset)) => {
                    self.at += offset + 1;
                    self.pass_blanks();
                    if !self.rest().starts_with(']') {
                        return self.error(self.at, format!("the tag {name} must end with ]"));
                    }
                    self.at += 1;
                    return Ok((name, value));
                }
                _ => {
                    if escaped && letter != '"' {
                        // Other backslashes are literal.
                        value.push('\\');
                    }
                    if !(escaped && letter == '\\') {
                        value.push(letter);
                    }
                    escaped = false;
                }
            }
        }
        self.error(begin, format!("the value of the tag {name} has no closing quote on its line"))
    }

    /// Parses a comment: `{…}`, or `;` to the end of the line. Collapses white space.
    fn remark(&mut self) -> Result<String, PgnError> {
        let rest = self.rest();
        let (inside, length) = if rest.starts_with(';') {
            let end = rest.find('\n').unwrap_or(rest.len());
            (&rest[1..end], end)
        } else {
            match rest.find('}') {
                Some(end) => (&rest[1..end], end + 1),
                None => return self.error(self.at, "this comment has no closing }"),
            }
        };
        self.at += length;
        Ok(inside.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Skips a variation and everything in it.
    fn variation(&mut self) -> Result<(), PgnError> {
        let begin = self.at;
        let mut depth = 0u32;
        loop {
            self.pass_blanks();
            match self.rest().chars().next() {
                None => return self.error(begin, "this variation has no closing )"),
                Some('{' | ';') => {
                    self.remark()?;
                }
                Some('(') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(')') => {
                    depth -= 1;
                    self.at += 1;
                    if depth == 0 {
                        return Ok(());
                    }
                }
                Some(other) => self.at += other.len_utf8(),
            }
        }
    }

    /// Parses a word of the move text: a number, an annotation, a move or the result, which it returns.
    fn word(&mut self, moves: &mut Vec<PgnMove>) -> Option<Termination> {
        let rest = self.rest();
        let ends = |letter: char| is_blank(letter) || "{}()[];\"".contains(letter);
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        let begin = self.at;
        self.at += word.len();
        if let Some(result) = words::result(word) {
            return Some(result);
        }
        if words::is_null(word) {
            moves.push(PgnMove { text: words::NULL.to_owned(), at: begin, comment: String::new() });
            return None;
        }
        // A number is digits and dots. A move may follow without a space: 12.Nf3, 12...Nf6.
        let body = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let dotless = body.trim_start_matches(['.', '…']);
        let body = if dotless.len() < body.len() || body.is_empty() { dotless } else { word };
        // A glyph is `$` with a number. Any other word with `$` is a purchase.
        let glyph = body
            .match_indices('$')
            .map(|(at, _)| at)
            .find(|at| body[at + 1..].starts_with(|next: char| next.is_ascii_digit()));
        let mut text = words::plain(&body[..glyph.unwrap_or(body.len())]);
        if let Some((letter, length)) = words::bracketed_promotion(&text, self.rest()) {
            text = format!("{}={letter}", text.trim_end_matches('='));
            self.at += length;
        }
        if !text.is_empty() {
            moves.push(PgnMove { text, at: begin + word.len() - body.len(), comment: String::new() });
        }
        None
    }
}
