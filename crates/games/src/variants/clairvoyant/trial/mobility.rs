//! The moves that the pieces allow to the side to move, with the castling that the board alone cannot attribute.

use crate::board::{Board, Move, Position, Special, Square};

/// The moves that the pieces allow to the side to move, its own king left aside. `homes` are the kings that have not moved, by
/// colour: with a second king on the first rank only the caller knows whose the castling rights are.
pub(in crate::variants::clairvoyant) fn possible(position: &Position, homes: [Option<Square>; 2]) -> Vec<Move> {
    let mut moves = Board::orthodox().pseudo_moves(position);
    castles_beside(position, homes, &mut moves);
    moves
}

/// The free moves after which the own king is safe.
pub(in crate::variants::clairvoyant) fn safe(position: &Position, homes: [Option<Square>; 2]) -> Vec<Move> {
    let mut moves = Board::orthodox().moves(position);
    castles_beside(position, homes, &mut moves);
    moves
}

/// Adds the castling moves that the board cannot attribute because two kings stand on the first rank.
fn castles_beside(position: &Position, homes: [Option<Square>; 2], moves: &mut Vec<Move>) {
    let (board, us) = (Board::orthodox(), position.turn);
    if board.royals(position, us).len() > 1
        && let Some(home) = homes[us.index()]
        && !(position.rights & position.of(us)).is_empty()
        && !moves.iter().any(|mv| mv.special == Special::Castle)
    {
        moves.extend(board.castling_moves(position, home));
    }
}
