//! What a capture leaves: bounds of four pieces, from their tables on the ordinary board, or from the solver of small boards.

use crate::{
    board::{Color, Piece, Position, Square, orthodox::KING},
    four::{FourTable, Framed},
    graph::rules,
    research::small_boards::SmallTables,
};

/// The bounds of four pieces.
pub enum Aside<'t> {
    /// On the ordinary board: the tables that are needed.
    Tables(Vec<FourTable>),
    /// On a small board.
    Small(&'t SmallTables),
}

impl Aside<'_> {
    /// The bounds of a position, and what β is not below and α not above. White's king comes first.
    ///
    /// # Panics
    /// If it was not solved.
    pub(super) fn bounds(&self, kings: [Square; 2], pieces: [(Color, u8, Square); 2]) -> [[u64; 2]; 2] {
        match self {
            Aside::Tables(tables) => {
                let framed = Framed::new(kings, pieces);
                let found = tables.iter().find(|table| table.pair == framed.pair);
                let table = found.unwrap_or_else(|| panic!("{} is asked for before it is solved", framed.pair));
                [table.bounds(framed), table.between(framed)]
            }
            Aside::Small(tables) => {
                let (board, mut position) = (rules(tables.size()), Position::EMPTY);
                let kings = Color::BOTH.into_iter().zip(kings).map(|(color, square)| (color, KING, square));
                for (color, kind, square) in kings.chain(pieces) {
                    position.put(board, square, Piece { color, kind });
                }
                let Some([low, alpha, beta, high]) = tables.enclosed(&position) else {
                    panic!("a position of four pieces is asked for before it is solved")
                };
                [[low, high], [beta, alpha]]
            }
        }
    }
}
