//! What a side sees: its own units, and every square to which one of them could move, with what stands there. A pawn that is captured in
//! passing is seen where it stands.

use crate::{
    board::{Color, Move, Position, Square, Squares},
    variants::king_capture::BOARD,
};

/// What one side sees of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sight {
    /// The squares that it sees.
    pub(super) squares: Squares,
    /// The position as far as it sees it: the units on those squares, its own rights, and the squares on which it may capture in
    /// passing. The count of quiet plies is not known.
    pub(super) position: Position,
}

impl Sight {
    /// What a side sees.
    pub(super) fn of(position: &Position, color: Color) -> Sight {
        let mut squares = position.of(color);
        let mut passing = Squares::EMPTY;
        for mv in moves(position, color) {
            squares |= BOARD.target(mv).set();
            if let Some((square, _)) = BOARD.captured(position, mv) {
                squares |= square.set();
                passing |= (square != mv.to).then_some(mv.to).into_iter().collect();
            }
        }
        Sight { squares, position: seen(position, squares, position.of(color), passing) }
    }

    /// What somebody sees who has no side.
    pub(super) fn nothing(position: &Position) -> Sight {
        let squares = Squares::EMPTY;
        Sight { squares, position: seen(position, squares, squares, squares) }
    }

    /// The squares that are in the fog.
    pub(super) fn fog(&self) -> Squares {
        BOARD.size().squares() & !self.squares
    }

    /// The placement as FEN has it, with `?` for every square in the fog.
    pub(super) fn placement(&self) -> String {
        let size = BOARD.size();
        let letter = |square: Square| match self.position.piece(square) {
            Some(piece) if piece.color == Color::White => BOARD.kind(piece.kind).letter,
            Some(piece) => BOARD.kind(piece.kind).letter.to_ascii_lowercase(),
            None if self.squares.has(square) => '1',
            None => '?',
        };
        let rank = |rank| {
            let line: String = (0..size.width()).map(|file| letter(Square::new(file, rank))).collect();
            let mut short = String::new();
            for run in line.chars().collect::<Vec<_>>().chunk_by(|one, next| one == next) {
                match run {
                    ['1', ..] => short += &run.len().to_string(),
                    letters => short.extend(letters),
                }
            }
            short
        };
        (0..size.height()).rev().map(rank).collect::<Vec<_>>().join("/")
    }
}

/// The moves that a side has, or would have if it were to move.
pub(super) fn moves(position: &Position, color: Color) -> Vec<Move> {
    let mut own = *position;
    if own.turn != color {
        (own.turn, own.en_passant) = (color, Squares::EMPTY);
    }
    BOARD.moves(&own)
}

/// What can be seen of a position on some squares, with the rights of `own` units.
fn seen(position: &Position, squares: Squares, own: Squares, passing: Squares) -> Position {
    let mut seen = *position;
    for square in position.occupied() & !squares {
        seen.remove(square);
    }
    seen.rights &= own;
    seen.en_passant = passing;
    seen.halfmove = 0;
    seen
}
