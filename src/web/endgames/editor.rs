//! The board of the endgame page and what can be done with it by hand.

use super::edit::{self, Tool};
use crate::{
    board::{Color, Piece, Position, Size, Square},
    richman::{Answer, Choice, Question, rules},
    web::{
        board::{Arrow, Figure, Mark, Unit},
        values::address::path,
    },
};
use std::ops::RangeInclusive;

/// The sides that a board of the tables may have.
const SIDES: RangeInclusive<u8> = 3..=8;

/// The board and what can be done with it.
pub(super) struct Editor {
    pub(super) fen: String,
    pub(super) figure: Figure,
    /// The tools of a press: the tool's text, the piece if it is one, and whether it is chosen.
    pub(super) tools: Vec<(String, Option<Unit>, bool)>,
    pub(super) from: Option<Square>,
    pub(super) heat: String,
    /// Images of the position: words, address; an image that does not exist has none.
    pub(super) images: Vec<(&'static str, Option<String>)>,
    /// The same pieces on boards with other sides: the name of the sides, then for each its length, its address, and whether it is the
    /// one that is shown. A board that they do not fit on has no address.
    pub(super) sizes: [(&'static str, Vec<Length>); 2],
    /// The same for squares of every size.
    pub(super) squares: Vec<Length>,
    /// Set if a double step of a pawn ends on the last rank.
    pub(super) short: bool,
}

/// Another length of a side, in squares.
pub(super) struct Length {
    pub(super) squares: u8,
    pub(super) link: Option<String>,
    pub(super) here: bool,
}

/// The best moves of both sides, as arrows.
fn arrows(answer: &Answer) -> Vec<Arrow> {
    let arrow = |color: Color, choice: &Choice| {
        let square = |at: usize| choice.uci.get(at..at + 2)?.parse::<Square>().ok();
        Some(Arrow { from: square(0)?, to: square(2)?, color })
    };
    let sides = [(Color::White, &answer.white), (Color::Black, &answer.black)];
    let best = |(color, choices): (Color, &Vec<Choice>)| {
        let best = choices.iter().filter(|choice| choice.best);
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
                Tool::Put(piece) => Some(Unit { color: piece.color, name: board.kind(piece.kind).name.clone() }),
                Tool::Move | Tool::Clear => None,
            };
            (other.text(board), unit, other == tool)
        });
        let link = |image: Option<Position>| {
            let fen = board.placement_fen(&image?);
            Some(path(&fen, &[]))
        };
        let images = vec![
            ("Mirror", link(edit::mirrored(board, position))),
            ("Swap colours", link(edit::swapped(board, position))),
            ("Shift left", link(edit::shifted(board, position, -1, 0))),
            ("Shift right", link(edit::shifted(board, position, 1, 0))),
            ("Shift up", link(edit::shifted(board, position, 0, 1))),
            ("Shift down", link(edit::shifted(board, position, 0, -1))),
        ];
        let other = |squares: u8, width: u8, height: u8| {
            let size = Size::new(width, height).filter(|size| *size != question.size);
            let fen = match size {
                None => Some(board.placement_fen(position)),
                Some(size) => edit::resized(position, rules(size)).map(|other| rules(size).placement_fen(&other)),
            };
            Length { squares, link: fen.map(|fen| path(&fen, &[])), here: size.is_none() }
        };
        let (width, height) = (question.size.width(), question.size.height());
        Editor {
            fen: board.placement_fen(position),
            figure,
            tools: tools.collect(),
            from,
            heat: wanted.map_or(String::new(), |piece| edit::letter(board, piece).to_string()),
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
