//! The material on a board: how much it is, and whether it is enough.

use crate::board::{Board, Color, Position, Royalty, Square, orthodox};

/// Tells whether no sequence of moves can mate, as far as the count of the material tells: bare kings, one knight, or bishops that
/// all stand on one colour of square. Orthodox pieces only.
pub fn dead(position: &Position) -> bool {
    let others: Vec<(Square, u8)> = position
        .pieces()
        .map(|(square, piece)| (square, piece.kind))
        .filter(|(_, kind)| *kind != orthodox::KING)
        .collect();
    match others.as_slice() {
        [] | [(_, orthodox::KNIGHT)] => true,
        [(first, _), ..] => {
            others.iter().all(|(square, kind)| *kind == orthodox::BISHOP && square.dark() == first.dark())
        }
    }
}

/// Tells whether a side has nothing but royal pieces.
pub fn bare(board: &Board, position: &Position, color: Color) -> bool {
    position.of(color) == board.royals(position, color)
}

/// The usual rough worth of orthodox kinds in hundredths of a pawn, by index; a king that can be captured is worth the game, unless it
/// is a piece like any other.
const WORTH: [i64; 6] = [100, 300, 310, 500, 900, 0];
/// The same of any other kind.
const OTHER: i64 = 300;

/// The material of White and Black, roughly, in hundredths of a pawn.
pub fn of(board: &Board, position: &Position) -> [i64; 2] {
    counted(board, position, &WORTH)
}

/// The same with other worths of the kinds, by index.
pub fn counted(board: &Board, position: &Position, worth: &[i64]) -> [i64; 2] {
    let mut sums = [0; 2];
    for (_, piece) in position.pieces() {
        let worth = worth.get(piece.kind as usize).copied().unwrap_or(OTHER);
        sums[piece.color.index()] += match board.royalty {
            Royalty::Capture if board.kind(piece.kind).design.royal => 100_000,
            Royalty::Ordinary if board.kind(piece.kind).design.royal => OTHER,
            Royalty::Check | Royalty::Capture | Royalty::Ordinary => worth,
        };
    }
    for color in Color::BOTH {
        let held = position.holdings(color).map(|(kind, count)| worth[usize::from(kind)] * i64::from(count));
        sums[color.index()] += held.sum::<i64>();
    }
    sums
}
