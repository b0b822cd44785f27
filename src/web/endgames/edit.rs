//! Changing a position by hand: what a press on a square does, and images of a whole position. It knows no values.

use crate::{
    board::{Board, Color, Piece, Position, Square, orthodox::KING},
    web::Error,
};

/// The effect of a press on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tool {
    /// Takes up what stands there, or puts down what was taken up.
    Move,
    /// Empties the square.
    Clear,
    /// Puts a piece there.
    Put(Piece),
}

impl Tool {
    /// Reads `move`, `clear` or the FEN letter of a piece.
    pub(super) fn read(board: &Board, text: &str) -> Result<Tool, Error> {
        match text {
            "" | "move" => Ok(Tool::Move),
            "clear" => Ok(Tool::Clear),
            _ => piece(board, text).map(Tool::Put).ok_or_else(|| {
                Error::malformed(format!(
                    "“{text}” is nothing to press a square with; write move, clear or the letter of a piece."
                ))
                .field("tool")
            }),
        }
    }

    /// The text that [`Tool::read`] reads.
    pub(super) fn text(self, board: &Board) -> String {
        match self {
            Tool::Move => "move".to_owned(),
            Tool::Clear => "clear".to_owned(),
            Tool::Put(piece) => letter(board, piece).to_string(),
        }
    }
}

/// The piece of a FEN letter.
pub(super) fn piece(board: &Board, text: &str) -> Option<Piece> {
    let mut letters = text.chars();
    let (letter, None) = (letters.next()?, letters.next()) else { return None };
    let color = if letter.is_uppercase() { Color::White } else { Color::Black };
    letter.is_ascii_alphabetic().then(|| board.kind_of(letter.to_ascii_uppercase()))?.map(|kind| Piece { color, kind })
}

/// The FEN letter of a piece.
pub(super) fn letter(board: &Board, piece: Piece) -> char {
    let letter = board.kind(piece.kind).letter;
    match piece.color {
        Color::White => letter,
        Color::Black => letter.to_ascii_lowercase(),
    }
}

/// A position after a press, and the square that is taken up then.
pub(super) fn press(
    board: &Board,
    position: &Position,
    tool: Tool,
    from: Option<Square>,
    square: Square,
) -> (Position, Option<Square>) {
    let mut next = *position;
    match tool {
        Tool::Move => match from.and_then(|from| Some((from, position.piece(from)?))) {
            None => return (next, position.piece(square).map(|_| square)),
            Some((from, piece)) if from != square && may_stand(board, piece, square) => {
                next.remove(from);
                next.remove(square);
                next.put(board, square, piece);
            }
            Some(_) => {}
        },
        Tool::Clear => next.remove(square),
        Tool::Put(piece) if position.piece(square) == Some(piece) => next.remove(square),
        Tool::Put(piece) => place(board, &mut next, piece, square),
    }
    (next, None)
}

/// Puts a piece on a square, unless it is a pawn that cannot stand there. A king leaves where it stood.
pub(super) fn place(board: &Board, position: &mut Position, piece: Piece, square: Square) {
    if !may_stand(board, piece, square) {
        return;
    }
    if piece.kind == KING {
        for old in position.of_kind(piece.color, KING) {
            position.remove(old);
        }
    }
    position.remove(square);
    position.put(board, square, piece);
}

/// Pawns never stand on the first or the last rank.
pub(super) fn may_stand(board: &Board, piece: Piece, square: Square) -> bool {
    !board.is_pawn(piece.kind) || (square.rank() > 0 && square.rank() + 1 < board.size().height())
}

/// The position with every piece changed and moved, or nothing if a piece would leave the board or a pawn cannot stand there.
fn image(
    board: &Board,
    position: &Position,
    to: impl Fn(Square, Piece) -> Option<(Square, Piece)>,
) -> Option<Position> {
    let mut image = Position::EMPTY;
    for (square, piece) in position.pieces() {
        let (square, piece) = to(square, piece)?;
        if !may_stand(board, piece, square) {
            return None;
        }
        image.put(board, square, piece);
    }
    Some(image)
}

/// The reflection that changes left and right; the value stays the same.
pub(super) fn mirrored(board: &Board, position: &Position) -> Option<Position> {
    let right = board.size().width() - 1;
    image(board, position, |square, piece| Some((Square::new(right - square.file(), square.rank()), piece)))
}

/// The colours changed and the ranks reflected: what was worth v is worth 1 − v.
pub(super) fn swapped(board: &Board, position: &Position) -> Option<Position> {
    let top = board.size().height() - 1;
    image(board, position, |square, piece| {
        Some((Square::new(square.file(), top - square.rank()), Piece { color: !piece.color, kind: piece.kind }))
    })
}

/// Everything moved by so many files and ranks.
pub(super) fn shifted(board: &Board, position: &Position, files: i8, ranks: i8) -> Option<Position> {
    image(board, position, |square, piece| Some((square.step(files, ranks, board.size())?, piece)))
}

/// The same pieces on a board with other sides: what would stand beyond its edge comes to the free square that is nearest, the first by
/// rank and file of those; nothing if there is none.
pub(super) fn resized(position: &Position, other: &Board) -> Option<Position> {
    let mut resized = Position::EMPTY;
    let (inside, outside): (Vec<_>, Vec<_>) = position
        .pieces()
        .partition(|(square, piece)| other.size().squares().has(*square) && may_stand(other, *piece, *square));
    for (square, piece) in inside {
        resized.put(other, square, piece);
    }
    for (square, piece) in outside {
        let distance = |to: &Square| (to.file().abs_diff(square.file()), to.rank().abs_diff(square.rank()));
        let far = |to: &Square| {
            let (files, ranks) = distance(to);
            (files.max(ranks), files + ranks, to.rank(), to.file())
        };
        let free = other.size().squares().filter(|to| resized.piece(*to).is_none() && may_stand(other, piece, *to));
        resized.put(other, free.min_by_key(far)?, piece);
    }
    Some(resized)
}
