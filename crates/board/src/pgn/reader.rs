//! Reading games as they are written down.

use super::{Pgn, PgnError, Termination, Written};

/// A reader of games, somewhere in a text.
pub(super) struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    /// A reader at the beginning of a text.
    pub(super) fn new(text: &'t str) -> Self {
        Reader { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn error<T>(&self, at: usize, why: impl Into<String>) -> Result<T, PgnError> {
        let line = 1 + self.text[..at].matches('\n').count();
        Err(PgnError { at, line, why: why.into() })
    }

    /// Passes white space, a byte order mark, and lines that begin with `%`.
    pub(super) fn pass_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let begins_line = self.at == 0 || self.text[..self.at].ends_with('\n');
            if begins_line && rest.starts_with('%') {
                self.at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            match rest.chars().next() {
                Some(blank) if blank.is_whitespace() || blank == '\u{feff}' => self.at += blank.len_utf8(),
                Some(_) | None => return,
            }
        }
    }

    pub(super) fn game(&mut self) -> Result<Pgn, PgnError> {
        let mut game = Pgn::default();
        while self.rest().starts_with('[') {
            game.tags.push(self.tag()?);
            self.pass_blanks();
        }
        loop {
            self.pass_blanks();
            match self.rest().chars().next() {
                // The next game's tags end one that has no result.
                None | Some('[') => return Ok(game),
                Some('{' | ';') => {
                    let remark = self.remark()?;
                    let comment = game.moves.last_mut().map_or(&mut game.before, |last| &mut last.comment);
                    if !comment.is_empty() && !remark.is_empty() {
                        comment.push(' ');
                    }
                    comment.push_str(&remark);
                }
                Some('(') => self.variation()?,
                Some(sign @ (')' | '}' | ']' | '"')) => {
                    return self.error(self.at, format!("this {sign} closes nothing; leave it out"));
                }
                Some(_) => {
                    if let Some(result) = self.word(&mut game.moves) {
                        game.result = result;
                        return Ok(game);
                    }
                }
            }
        }
    }

    /// A tag in brackets: a name and a value in quotes, in which `\"` and `\\` stand for `"` and `\`.
    fn tag(&mut self) -> Result<(String, String), PgnError> {
        let begin = self.at;
        self.at += 1;
        self.pass_blanks();
        let name: String = self.rest().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        self.at += name.len();
        self.pass_blanks();
        if name.is_empty() || !self.rest().starts_with('"') {
            return self.error(self.at, "a tag is a name and a value in quotes, as in [White \"Anderssen\"]");
        }
        self.at += 1;
        let mut value = String::new();
        let mut escaped = false;
        for (offset, letter) in self.rest().char_indices() {
            match letter {
                '\n' => break,
                '\\' if !escaped => escaped = true,
                '"' if !escaped => {
                    self.at += offset + 1;
                    self.pass_blanks();
                    if !self.rest().starts_with(']') {
                        return self.error(self.at, format!("the tag {name} ends with ]"));
                    }
                    self.at += 1;
                    return Ok((name, value));
                }
                _ => {
                    if escaped && letter != '"' {
                        // A lone backslash is what it is, except before itself.
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

    /// A remark: `{…}`, or `;` to the end of the line. Blanks in it become single spaces.
    fn remark(&mut self) -> Result<String, PgnError> {
        let rest = self.rest();
        let (inside, length) = if rest.starts_with(';') {
            let end = rest.find('\n').unwrap_or(rest.len());
            (&rest[1..end], end)
        } else {
            match rest.find('}') {
                Some(end) => (&rest[1..end], end + 1),
                None => return self.error(self.at, "this remark has no closing }"),
            }
        };
        self.at += length;
        Ok(inside.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Passes a variation with all that stands in it.
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

    /// Reads one word of the moves: a move number, an annotation, a move, or the result, which it returns.
    fn word(&mut self, moves: &mut Vec<Written>) -> Option<Termination> {
        let rest = self.rest();
        let ends = |letter: char| letter.is_whitespace() || "{}()[];\"".contains(letter);
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        let begin = self.at;
        self.at += word.len();
        if let Some(result) = Termination::ALL.into_iter().find(|result| result.text() == word) {
            return Some(result);
        }
        // A number is digits and dots, and a move may follow without a space: 12.Nf3, 12...Nf6.
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let dots = word[digits..].bytes().take_while(|byte| *byte == b'.').count();
        let number = if dots > 0 || digits == word.len() { digits + dots } else { 0 };
        let body = &word[number..];
        // An annotation glyph is a number; what else begins with the sign of money is a purchase.
        let glyph = body
            .match_indices('$')
            .map(|(at, _)| at)
            .find(|at| body[at + 1..].starts_with(|next: char| next.is_ascii_digit()));
        let text = body[..glyph.unwrap_or(body.len())].trim_end_matches(['!', '?']);
        if !text.is_empty() && text != "e.p." {
            moves.push(Written { text: text.to_owned(), at: begin + number, comment: String::new() });
        }
        None
    }
}
