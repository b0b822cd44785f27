//! The binary form of a file of endgame values, as `docs/tables.md` describes it, written out as the lines of the other form.

use std::{collections::HashMap, fmt::Write};

use dashu_int::UBig;

use super::file::{COLUMNS, PIECES};

/// What such a file begins with.
const MAGIC: &[u8] = b"ZORKMID1";
const DIGEST: usize = 32;

/// The bytes that are not read yet.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or("the file ends too early")?;
        self.0 = rest;
        Ok(taken)
    }

    /// A number of so many bytes, the least significant first.
    fn number(&mut self, bytes: usize) -> Result<usize, String> {
        Ok(self.take(bytes)?.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }

    /// A number that is told with its length.
    fn long(&mut self) -> Result<UBig, String> {
        let length = self.number(2)?;
        Ok(UBig::from_le_bytes(self.take(length)?))
    }

    fn zero(&mut self, bytes: usize) -> Result<(), String> {
        if self.number(bytes)? == 0 { Ok(()) } else { Err("a byte that has no meaning is not zero".to_owned()) }
    }
}

/// Tells whether these bytes begin as the binary form does.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The lines of the other form.
///
/// # Errors
/// What is wrong, and in which record.
pub(super) fn lines(bytes: &[u8]) -> Result<String, String> {
    let mut rest = Rest(bytes);
    rest.take(MAGIC.len())?;
    let (width, height) = (rest.number(1)?, rest.number(1)?);
    if !(3..=8).contains(&width) || !(3..=8).contains(&height) {
        return Err("boards have 3 to 8 files and ranks".to_owned());
    }
    rest.zero(2)?;
    let (values, classes) = (rest.number(4)?, rest.number(4)?);
    rest.take(DIGEST)?;
    let mut fractions = Vec::new();
    for _ in 0..values {
        fractions.push(format!("{},{}", rest.long()?, rest.long()?));
    }
    let mut text = format!("{COLUMNS}\n");
    for at in 1..=classes {
        let line = record(&mut rest, (width, height), &fractions).map_err(|why| format!("record {at}: {why}"))?;
        text.push_str(&line);
    }
    if rest.0.is_empty() { Ok(text) } else { Err("the file goes on after its last record".to_owned()) }
}

fn record(rest: &mut Rest, (width, height): (usize, usize), fractions: &[String]) -> Result<String, String> {
    let kind = rest.number(1)?;
    let letter = *PIECES.get(kind).ok_or_else(|| format!("there is no material {kind}"))?;
    let [white, black, piece] = [rest.number(1)?, rest.number(1)?, rest.number(1)?];
    let mut placed = HashMap::from([(piece, letter)]);
    placed.extend([(white, 'K'), (black, 'k')]);
    let apart = white != black && piece != black && (piece == white) == (kind == 0);
    if !apart || placed.keys().any(|square| square % 8 >= width || square / 8 >= height) {
        return Err("a piece stands on no square of the board, or two stand on one".to_owned());
    }
    let rows = (0..height).rev().map(|y| {
        let row = (0..width).map(|x| placed.get(&(y * 8 + x)).map_or(' ', |letter| *letter)).collect::<String>();
        (1..=width).rev().fold(row, |row, gap| row.replace(&" ".repeat(gap), &gap.to_string()))
    });
    let mut line = rows.collect::<Vec<_>>().join("/");
    let value = rest.number(4)?;
    let value = fractions.get(value).ok_or_else(|| format!("there is no value {value}"))?;
    let (white, black, flags) = (rest.number(2)?, rest.number(2)?, rest.number(1)?);
    if flags > 3 {
        return Err(format!("there are no flags {flags}"));
    }
    rest.zero(3)?;
    // Writing to a text does not fail.
    let _ = writeln!(line, ",{value},{white},{black},{},{}", flags & 1, flags >> 1);
    Ok(line)
}
