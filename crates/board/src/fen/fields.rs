//! Splits a FEN or an EPD line into fields, as other programs write them.

use super::FenError;

/// Maximum length of a FEN, in bytes.
const LONGEST: usize = 256;

/// Maximum length of a FEN with the operations of an EPD, in bytes.
const LONGEST_EPD: usize = 1_024;

/// Names of the fields.
pub(super) const NAMES: [&str; 6] =
    ["piece placement", "side to move", "castling rights", "en passant square", "half-move clock", "move number"];

/// Counts of checks in three-check chess, White's first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckCount {
    /// Checks given so far, as in `+2+0`.
    Given([u8; 2]),
    /// Checks left to give, as in `1+3`.
    Left([u8; 2]),
}

impl CheckCount {
    fn parse(word: &str) -> Option<CheckCount> {
        let number =
            |digits: &str| digits.parse::<u8>().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
        let given = word.strip_prefix('+');
        let (white, black) = given.unwrap_or(word).split_once('+')?;
        let counts = [number(white)?, number(black)?];
        Some(if given.is_some() { CheckCount::Given(counts) } else { CheckCount::Left(counts) })
    }
}

/// A field with its offset.
#[derive(Clone, Copy)]
pub(super) struct Field<'t> {
    pub(super) name: &'static str,
    pub(super) text: &'t str,
    pub(super) at: usize,
}

impl<'t> Field<'t> {
    /// An error at an offset in the field.
    pub(super) fn error<T>(&self, offset: usize, why: impl Into<String>) -> Result<T, FenError> {
        Err(FenError { field: self.name, at: self.at + offset, why: why.into() })
    }

    /// The field, unless it is a dash.
    pub(super) fn said(self) -> Option<Field<'t>> {
        Some(self).filter(|field| !matches!(field.text, "-" | "–" | "—" | "−"))
    }
}

/// The fields of a FEN.
pub(super) struct Fields<'t> {
    pub(super) placement: Field<'t>,
    /// The other fields, as far as they are present.
    pub(super) rest: [Option<Field<'t>>; NAMES.len() - 1],
    pub(super) checks: Option<(Field<'t>, CheckCount)>,
    /// Opcodes of an EPD that do not belong to the position.
    pub(super) ignored: Vec<&'t str>,
}

/// Splits a text into words with their offsets. Skips surrounding quotes and byte order marks. White space and `_` separate words, and
/// so does `+` in a text without them.
pub fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (start, inside) = unquoted(text);
    let blank = |letter: char| letter.is_whitespace() || letter == '_';
    let plus = !inside.contains(blank);
    let mut at = start;
    let parts = inside.split(move |letter: char| blank(letter) || plus && letter == '+');
    parts.filter_map(move |part| {
        let begin = at;
        let separator = text[begin + part.len()..].chars().next().map_or(0, char::len_utf8);
        at = begin + part.len() + separator;
        (!part.is_empty()).then_some((begin, part))
    })
}

/// The text without surrounding quotes and white space, and its offset.
fn unquoted(text: &str) -> (usize, &str) {
    let quote = |letter: char| "\"“”„«»`".contains(letter);
    let blank = |letter: char| letter.is_whitespace() || matches!(letter, '\u{feff}' | '\u{200b}');
    let apostrophe = text.trim_start_matches(blank).starts_with('\'');
    // Elsewhere an apostrophe belongs to a piece.
    let around = |letter: char| blank(letter) || quote(letter) || apostrophe && letter == '\'';
    let inside = text.trim_start_matches(around);
    (text.len() - inside.len(), inside.trim_end_matches(around))
}

/// Splits a FEN into its fields. The operations of an EPD may follow: `hmvc` and `fmvn` are the counters.
pub(super) fn fields(text: &str) -> Result<Fields<'_>, FenError> {
    let too_long = |most| FenError { field: NAMES[0], at: most, why: format!("a FEN has at most {most} characters") };
    if text.len() > LONGEST_EPD {
        return Err(too_long(LONGEST_EPD));
    }
    let mut names = NAMES.into_iter();
    let mut found: [Option<Field>; NAMES.len()] = [None; NAMES.len()];
    let (mut checks, mut operations, mut number) = (None, None, 0);
    for (at, word) in words(text) {
        let opcode = number >= 4 && word.starts_with(|letter: char| letter.is_ascii_alphabetic());
        if word.starts_with(';') || opcode && text[at..].contains(';') {
            operations = Some(at);
            break;
        }
        if number > 0 && word.contains('+') && checks.is_none() {
            let field = Field { name: "checks", text: word, at };
            let Some(count) = CheckCount::parse(word) else {
                return field.error(0, format!("“{word}” does not count checks; write the checks left, as in 3+2"));
            };
            checks = Some((field, count));
            continue;
        }
        let Some(name) = names.next() else {
            let why = format!("a FEN has six fields, and “{word}” is a seventh");
            return Err(FenError { field: NAMES[5], at, why });
        };
        found[number] = Some(Field { name, text: word, at });
        number += 1;
    }
    if operations.unwrap_or(text.len()) > LONGEST {
        return Err(too_long(LONGEST));
    }
    let [Some(placement), mut rest @ ..] = found else {
        let why = "the text is empty; write the ranks from the top, as in 4k3/8/8/8/8/8/8/4K3".to_owned();
        return Err(FenError { field: NAMES[0], at: 0, why });
    };
    let mut ignored = Vec::new();
    for (at, operation) in operations.map(|at| statements(text, at)).unwrap_or_default() {
        let (opcode, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let counter = match opcode {
            "hmvc" => 3,
            "fmvn" => 4,
            _ => {
                ignored.push(opcode);
                continue;
            }
        };
        let offset = at + operation.len() - operand.len();
        rest[counter] = Some(Field { name: NAMES[counter + 1], text: operand.trim(), at: offset });
    }
    Ok(Fields { placement, rest, checks, ignored })
}

/// The operations of an EPD from an offset, each with its own offset. A semicolon ends an operation, except in quotes.
fn statements(text: &str, start: usize) -> Vec<(usize, &str)> {
    let mut quoted = false;
    let parts = text[start..].split(|letter: char| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    });
    let mut at = start;
    let mut found = Vec::new();
    for part in parts {
        let operation = part.trim_start();
        if !operation.trim().is_empty() {
            found.push((at + part.len() - operation.len(), operation.trim_end()));
        }
        at += part.len() + 1;
    }
    found
}
