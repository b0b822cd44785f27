//! Published endgame values, and the symmetric images of a position.

use dashu_ratio::RBig;
use zorkmid_endgames::fraction;

/// One published position per line: figure, placement, value, and remarks.
pub(crate) const FIGURES: &str = include_str!("../../crates/endgames/tests/endgames/figures.txt");

/// A board as rows of characters from the top, `.` for an empty square.
type Rows = Vec<Vec<char>>;

fn rows(fen: &str) -> Rows {
    let row = |row: &str| {
        let squares = |letter: char| match letter.to_digit(10) {
            Some(run) => vec!['.'; run as usize],
            None => vec![letter],
        };
        row.chars().flat_map(squares).collect()
    };
    fen.split('/').map(row).collect()
}

fn fen(rows: &Rows) -> String {
    let row = |row: &Vec<char>| {
        let text: String = row.iter().collect();
        (2..=8).rev().fold(text, |text, run| text.replace(&".".repeat(run), &run.to_string())).replace('.', "1")
    };
    rows.iter().map(row).collect::<Vec<String>>().join("/")
}

fn mirrored(rows: &Rows) -> Rows {
    rows.iter().map(|row| row.iter().rev().copied().collect()).collect()
}

fn upended(rows: &Rows) -> Rows {
    rows.iter().rev().cloned().collect()
}

fn transposed(rows: &Rows) -> Rows {
    (0..rows[0].len()).map(|file| rows.iter().map(|row| row[file]).collect()).collect()
}

/// All symmetric images of a placement. A board that is not square may also be turned, which must not matter either.
pub(crate) fn images(text: &str) -> Vec<String> {
    let own = rows(text);
    let mut images = vec![own.clone(), mirrored(&own)];
    if !text.contains(['P', 'p']) {
        images.extend(images.clone().iter().map(upended));
        images.extend(images.clone().iter().map(transposed));
    }
    images.iter().map(fen).collect()
}

/// A placement with colours exchanged and the board flipped, so that pawns still move forward.
pub(crate) fn recoloured(text: &str) -> String {
    let other =
        |letter: &char| if letter.is_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() };
    fen(&upended(&rows(text)).iter().map(|row| row.iter().map(other).collect()).collect())
}

/// Parses a value of the data files, such as `3/4` or `1`.
pub(crate) fn parse(text: &str) -> RBig {
    let (num, den) = text.trim().split_once('/').unwrap_or((text.trim(), "1"));
    fraction(num, den).unwrap()
}
