//! The board of the endgame page, and changes of a position: clicks on squares, and transformations of the whole position.

use crate::{
    board::{Board, Color, Piece, Position, Size, Square, orthodox::KING},
    richman::{Answer, Choice, Question, rules},
    web::{
        Error,
        board_view::{Arrow, DrawnPiece, Figure, Mark},
        endgame_cache::format::path,
    },
};
use std::ops::RangeInclusive;

/// Lengths of the board's sides.
const SIDES: RangeInclusive<u8> = 3..=8;

/// The board and its controls.
pub(super) struct Editor {
    pub(super) fen: String,
    pub(super) figure: Figure,
    /// Tools for a click: the tool's text, its piece if it places one, and whether it is selected.
    pub(super) tools: Vec<(String, Option<DrawnPiece>, bool)>,
    pub(super) from: Option<Square>,
    pub(super) heat: String,
    /// Transformations: label and address; no address if the result does not exist.
    pub(super) images: Vec<(&'static str, Option<String>)>,
    /// The same pieces on boards of other sizes, by files and by ranks: for each length its address, and whether it is selected. No address if
    /// the pieces do not fit.
    pub(super) sizes: [(&'static str, Vec<Length>); 2],
    /// The same for square boards.
    pub(super) squares: Vec<Length>,
    /// Whether a pawn's double step ends on the last rank.
    pub(super) short: bool,
}

/// A length of a side, in squares.
pub(super) struct Length {
    pub(super) squares: u8,
    pub(super) link: Option<String>,
    pub(super) here: bool,
}

/// Both sides' best moves as arrows.
fn arrows(answer: &Answer) -> Vec<Arrow> {
    let arrow = |color: Color, choice: &Choice| {
        let square = |at: usize| choice.uci.get(at..at + 2)?.parse::<Square>().ok();
        Some(Arrow { from: square(0)?, to: square(2)?, color })
    };
    let sides = [(Color::White, &answer.white), (Color::Black, &answer.black)];
    let best = |(color, choices): (Color, &Vec<Choice>)| {
        let best = choices.iter().filter(|choice| choice.best == Some(true));
        best.filter_map(|choice| arrow(color, choice)).collect::<Vec<_>>()
    };
    sides.into_iter().flat_map(best).collect()
}

impl Editor {
    pub(super) fn new(
        question: &Question,
        answer: &Answer,
        tool: Tool,
        from: Option<Square>,
        wanted: Option<Piece>,
    ) -> Editor {
        let board = rules(question.size);
        let position = &question.position;
        let mut figure = Figure::of(board, position);
        match from {
            Some(from) => figure.mark(from, Mark::Selected),
            None => figure.arrows = arrows(answer),
        }
        let pieces = Color::BOTH
            .into_iter()
            .flat_map(|color| (0..board.kinds().len() as u8).rev().map(move |kind| Tool::Put(Piece { color, kind })));
        let tools = [Tool::Move, Tool::Clear].into_iter().chain(pieces).map(|other| {
            let unit = match other {
                Tool::Put(piece) => Some(DrawnPiece { color: piece.color, name: board.kind(piece.kind).name.clone() }),
                Tool::Move | Tool::Clear => None,
            };
            (other.text(board), unit, other == tool)
        });
        let link = |image: Option<Position>| {
            let fen = board.placement_fen(&image?);
            Some(path(&fen, &[]))
        };
        let images = vec![
            ("Mirror", link(mirrored(board, position))),
            ("Swap colours", link(swapped(board, position))),
            ("Shift left", link(shifted(board, position, -1, 0))),
            ("Shift right", link(shifted(board, position, 1, 0))),
            ("Shift up", link(shifted(board, position, 0, 1))),
            ("Shift down", link(shifted(board, position, 0, -1))),
        ];
        let other = |squares: u8, width: u8, height: u8| {
            let size = Size::new(width, height).filter(|size| *size != question.size);
            let fen = match size {
                None => Some(board.placement_fen(position)),
                Some(size) => resized(position, rules(size)).map(|other| rules(size).placement_fen(&other)),
            };
            Length { squares, link: fen.map(|fen| path(&fen, &[])), here: size.is_none() }
        };
        let (width, height) = (question.size.width(), question.size.height());
        Editor {
            fen: board.placement_fen(position),
            figure,
            tools: tools.collect(),
            from,
            heat: wanted.map_or(String::new(), |piece| letter(board, piece).to_string()),
            images,
            sizes: [
                ("files", SIDES.map(|length| other(length, length, height)).collect()),
                ("ranks", SIDES.map(|length| other(length, width, length)).collect()),
            ],
            squares: SIDES.map(|length| other(length, length, length)).collect(),
            short: height == 4,
        }
    }
}

/// Effect of a click on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tool {
    /// Picks up the piece on the square, or puts down the piece in hand.
    Move,
    /// Empties the square.
    Clear,
    /// Places a piece.
    Put(Piece),
}

impl Tool {
    /// Parses `move`, `clear` or the FEN letter of a piece.
    pub(super) fn read(board: &Board, text: &str) -> Result<Tool, Error> {
        match text {
            "" | "move" => Ok(Tool::Move),
            "clear" => Ok(Tool::Clear),
            _ => piece(board, text).map(Tool::Put).ok_or_else(|| {
                Error::malformed(format!("“{text}” is not a tool. Write move, clear or the FEN letter of a piece."))
                    .field("tool")
            }),
        }
    }

    /// The text that [`Tool::read`] parses.
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

pub(super) fn letter(board: &Board, piece: Piece) -> char {
    let letter = board.kind(piece.kind).letter;
    match piece.color {
        Color::White => letter,
        Color::Black => letter.to_ascii_lowercase(),
    }
}

/// The position after a click, and the square whose piece is then in hand.
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

/// Places a piece, except for a pawn on its first or last rank. A king leaves its old square.
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

/// Pawns cannot be on the first or the last rank.
pub(super) fn may_stand(board: &Board, piece: Piece, square: Square) -> bool {
    !board.is_pawn(piece.kind) || (square.rank() > 0 && square.rank() + 1 < board.size().height())
}

/// The position with every piece transformed; `None` if a piece would leave the board or a pawn would be on an edge rank.
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

/// Mirrors left and right. The value stays the same.
fn mirrored(board: &Board, position: &Position) -> Option<Position> {
    let right = board.size().width() - 1;
    image(board, position, |square, piece| Some((Square::new(right - square.file(), square.rank()), piece)))
}

/// Swaps the colours and mirrors the ranks. A value v becomes 1 − v.
pub(super) fn swapped(board: &Board, position: &Position) -> Option<Position> {
    let top = board.size().height() - 1;
    image(board, position, |square, piece| {
        Some((Square::new(square.file(), top - square.rank()), Piece { color: !piece.color, kind: piece.kind }))
    })
}

/// Moves all pieces by a number of files and ranks.
fn shifted(board: &Board, position: &Position, files: i8, ranks: i8) -> Option<Position> {
    image(board, position, |square, piece| Some((square.step(files, ranks, board.size())?, piece)))
}

/// The same pieces on a board of another size. A piece beyond the edge goes to the nearest free square, by rank and then file if several are
/// equally near. `None` if the board is full.
fn resized(position: &Position, other: &Board) -> Option<Position> {
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
