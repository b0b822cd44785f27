//! A position of four pieces as its table sees it.

use super::pair::{Pair, rank};
use crate::{
    board::{Board, Color, Piece, Position, Square, orthodox::KING},
    frame::reverse,
};

/// Where four pieces stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Quad {
    /// White's king.
    pub king: Square,
    /// Black's king.
    pub bare: Square,
    /// White's piece, the stronger one if both are White's.
    pub first: Square,
    /// The other piece.
    pub second: Square,
    /// The side whose pawn has just stepped twice to beside the other's, which may capture it in passing now.
    pub stepped: Option<Color>,
}

/// A position of four pieces with the sides as they are in its table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Framed {
    /// The table.
    pub pair: Pair,
    /// The position in it.
    pub quad: Quad,
    /// Set if colours and ranks are exchanged, so that x stands for 1 − x.
    pub reversed: bool,
}

/// The square that mirrors another one in the middle between the ranks.
fn flipped(square: Square) -> Square {
    Square::new(square.file(), 7 - square.rank())
}

impl Quad {
    /// The position on a board, White to move, with the pieces of a pair.
    pub fn position(self, board: &Board, pair: Pair) -> Position {
        let mut position = Position::EMPTY;
        let owner = if pair.together { Color::White } else { Color::Black };
        let men = [
            (Color::White, KING, self.king),
            (Color::Black, KING, self.bare),
            (Color::White, pair.first, self.first),
            (owner, pair.second, self.second),
        ];
        for (color, kind, square) in men {
            position.put(board, square, Piece { color, kind });
        }
        position
    }

    /// The side whose pawn may be captured in passing, if the other's stands beside it: of two pawns against each other.
    fn passed(self, position: &Position) -> Option<Color> {
        let beside = self.first.rank() == self.second.rank() && self.first.file().abs_diff(self.second.file()) == 1;
        let over = position.en_passant.last().filter(|_| beside)?;
        match over.rank() {
            2 if self.first.rank() == 3 && over.file() == self.first.file() => Some(Color::White),
            5 if self.second.rank() == 4 && over.file() == self.second.file() => Some(Color::Black),
            _ => None,
        }
    }
}

impl Framed {
    /// The position with its own colours.
    pub(super) fn position(self, board: &Board) -> Position {
        let mut position = self.quad.position(board, self.pair);
        if self.reversed {
            position = reverse(board.size(), &position);
        }
        // Only of two like pieces one can have passed, and then no colours are exchanged.
        let over = self.quad.stepped.map(|stepped| match stepped {
            Color::White => Square::new(self.quad.first.file(), 2),
            Color::Black => Square::new(self.quad.second.file(), 5),
        });
        if let Some(over) = over {
            position.en_passant = over.set();
        }
        position
    }

    /// Finds the table and the place in it for White's king and Black's, and two pieces.
    pub fn new(kings: [Square; 2], mut pieces: [(Color, u8, Square); 2]) -> Framed {
        pieces.sort_by_key(|(_, kind, _)| rank(*kind));
        let [(color, first, at), (other, second, beside)] = pieces;
        let together = color == other;
        let even = !together && first == second;
        let reversed = color == Color::Black && !even;
        // Of two like pieces White's is the first.
        let [at, beside] = if even && color == Color::Black { [beside, at] } else { [at, beside] };
        let turn = |square| if reversed { flipped(square) } else { square };
        let [king, bare] = if reversed { [kings[1], kings[0]] } else { kings };
        let quad = Quad { king: turn(king), bare: turn(bare), first: turn(at), second: turn(beside), stepped: None };
        Framed { pair: Pair { first, second, together }, quad, reversed }
    }

    /// Finds the table of a position of the ordinary board; nothing unless two kings and two other pieces stand there, of which a table tells.
    pub fn of(position: &Position) -> Option<Framed> {
        let [white, black] = Color::BOTH.map(|color| position.of_kind(color, KING).only());
        let mut others = position.pieces().filter(|(_, piece)| piece.kind != KING);
        let mut next = || others.next().map(|(square, piece)| (piece.color, piece.kind, square));
        let (one, two, None) = (next()?, next()?, next()) else { return None };
        let mut framed = Framed::new([white?, black?], [one, two]);
        let known = [framed.pair.first, framed.pair.second].into_iter().all(Pair::has);
        if known && framed.pair.passes() && !position.en_passant.is_empty() {
            framed.quad.stepped = framed.quad.passed(position);
        }
        known.then_some(framed)
    }
}
