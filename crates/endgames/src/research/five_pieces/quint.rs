//! A position of five pieces as its table sees it.

use super::{numbering::FiveNumbering, trio::Trio};
use crate::{
    board::{Color, Position, Size, Square, orthodox::KING},
    four::rank,
};

/// Where five pieces stand, with the sides as they are in their table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quint {
    /// The table.
    pub trio: Trio,
    /// White's king and Black's.
    pub kings: [Square; 2],
    /// The other pieces, in the order of the table.
    pub men: [Square; 3],
    /// Set if colours and ranks are exchanged, so that x stands for 1 − x.
    pub reversed: bool,
}

impl Quint {
    /// Finds the table of a position of a board; nothing unless two kings and three other pieces stand there, of which a table could tell.
    pub fn of(size: Size, position: &Position) -> Option<Quint> {
        let [white, black] = Color::BOTH.map(|color| position.of_kind(color, KING).only());
        let [white, black] = [white?, black?];
        let others = position.pieces().filter(|(_, piece)| piece.kind != KING);
        let mut others: Vec<(Color, u8, Square)> = others.map(|(at, piece)| (piece.color, piece.kind, at)).collect();
        let count = others.iter().filter(|(color, _, _)| *color == Color::White).count();
        let stronger = if count > 1 { Color::White } else { Color::Black };
        others.sort_by_key(|(color, kind, _)| (*color != stronger, rank(*kind)));
        let [one, two, three] = <[_; 3]>::try_from(others).ok()?;
        let trio = Trio { kinds: [one.1, two.1, three.1], together: three.0 == stronger };
        let reversed = stronger == Color::Black;
        let turn = |at: Square| if reversed { Square::new(at.file(), size.height() - 1 - at.rank()) } else { at };
        let kings = if reversed { [black, white] } else { [white, black] }.map(turn);
        let men = [one.2, two.2, three.2].map(turn);
        Trio::all().any(|known| known == trio).then_some(Quint { trio, kings, men, reversed })
    }

    /// Its place.
    pub(super) fn place(&self, size: Size, numbering: &FiveNumbering) -> usize {
        let number = |at: Square| usize::from(at.rank()) * usize::from(size.width()) + usize::from(at.file());
        let [king, bare] = self.kings.map(number);
        numbering.at(king, bare, self.men.map(number))
    }
}
