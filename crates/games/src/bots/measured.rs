//! The worth of the atoms of csipgs, as it was measured once: a table that comes with the program, and the ruler for other pieces.

use std::sync::LazyLock;

use super::pairs::Pairs;

/// One line for each army that was tried: the piece, or `-` for the army without a knight; its price; the five counts of its pairs.
/// Lines that begin with `#` say how it was made.
const ATOMS: &str = include_str!("atoms.txt");

/// The name of the army without a knight in [`ATOMS`].
pub const RULER: &str = "-";

/// The results of an army with a piece, as they stand in the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    /// The piece.
    pub piece: String,
    /// Its results.
    pub pairs: Pairs,
}

static TABLE: LazyLock<Vec<Measured>> = LazyLock::new(|| {
    let lines = ATOMS.lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let (piece, _, pairs) = (words.next()?, words.next()?, words.next()?);
        Some(Measured { piece: piece.to_owned(), pairs: pairs.parse().ok()? })
    };
    lines.filter_map(read).collect()
});

/// The atoms of the table, in its order.
pub fn atoms() -> impl Iterator<Item = &'static Measured> {
    TABLE.iter().filter(|line| line.piece != RULER)
}

/// The results of the army that lacks one knight.
pub fn ruler() -> Pairs {
    TABLE.iter().find(|line| line.piece == RULER).map_or_else(Pairs::default, |line| line.pairs)
}
