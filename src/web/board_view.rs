//! A position as the pages draw it: a table of squares, and the same in words. It knows how units look, not how they move.

mod drawn_square;
mod overlay;

pub use drawn_square::{Cell, DrawnPiece, Mark, Press, Tag};
pub use overlay::{Arrow, Pointer};

use super::piece_token::{self, Drawings};
use crate::{
    board::{Board, BoardLocation, Color, Position, Size, Square, Squares},
    rules::{Diagram, Prediction},
};

/// A board of any size with its units, for the macro in `board.html`.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The ranks from the top, as White sees them; of several levels those of the lowest first.
    pub ranks: Vec<Rank>,
    /// The letters of the files.
    pub files: Vec<char>,
    /// The units in words, one line for each side that has any: `White: knights d4 and e5, queen h1`.
    pub words: Vec<String>,
    /// What was foretold of the next turn.
    pub foretold: Vec<Prediction>,
    /// Moves that are shown as arrows.
    pub arrows: Vec<Arrow>,
}

/// One row of the table.
#[derive(Clone, Debug)]
pub struct Rank {
    /// The letter of its level, on a board of several.
    pub level: Option<char>,
    /// Its number, 1 to 8.
    pub number: u8,
    /// Its squares from the a-file on.
    pub cells: Vec<Cell>,
}

impl Figure {
    /// The units of a position.
    pub fn of(board: &Board, position: &Position) -> Figure {
        let size = board.size();
        Figure::new(size, |square| {
            let piece = position.piece(square)?;
            Some(DrawnPiece { color: piece.color, name: board.kind(piece.kind).name.clone() })
        })
    }

    /// A board on which `unit` tells what stands on each square.
    pub fn new(size: Size, unit: impl Fn(Square) -> Option<DrawnPiece>) -> Figure {
        Figure::of_levels(size, &[None], |spot| unit(spot.square))
    }

    /// A board of these levels, of which a flat one has a single one without a number.
    fn of_levels(size: Size, levels: &[Option<u8>], unit: impl Fn(BoardLocation) -> Option<DrawnPiece>) -> Figure {
        let cell = |level: Option<u8>, file, rank| {
            let square = Square::new(file, rank);
            let spot = BoardLocation { level, square };
            Cell {
                square: spot.to_string(),
                dark: spot.dark(),
                unit: unit(spot),
                duck: false,
                token: None,
                marks: Vec::new(),
                press: None,
                tag: None,
            }
        };
        let row = |level: Option<u8>, rank| Rank {
            level: level.map(BoardLocation::letter),
            number: rank + 1,
            cells: (0..size.width()).map(|file| cell(level, file, rank)).collect(),
        };
        let ranks: Vec<Rank> = levels
            .iter()
            .flat_map(|level| (0..size.height()).rev().map(move |rank| (*level, rank)))
            .map(|(level, rank)| row(level, rank))
            .collect();
        let files = (0..size.width()).map(|file| char::from(b'a' + file)).collect();
        let words = Color::BOTH.into_iter().filter_map(|color| words(&ranks, color)).collect();
        Figure { ranks, files, words, foretold: Vec::new(), arrows: Vec::new() }
    }

    /// Shows what a viewer may see of a game, with the last move and the checks marked.
    pub fn of_diagram(diagram: &Diagram) -> Figure {
        let size = Size::new(diagram.width, diagram.height).unwrap_or(Size::ORTHODOX);
        let levels: Vec<Option<u8>> = match diagram.levels {
            1 => vec![None],
            several => (0..several).map(Some).collect(),
        };
        let mut figure = Figure::of_levels(size, &levels, |spot| {
            diagram.unit(spot).map(|unit| DrawnPiece { color: unit.color.into(), name: unit.name.clone() })
        });
        for unit in &diagram.pieces {
            if let Some(piece) = diagram.design(&unit.betza) {
                figure.draw(unit.square, piece_token::drawn(piece, unit.color.into()));
            }
        }
        if let Some(square) = diagram.duck {
            if let Some(cell) = figure.cell(square.into()) {
                cell.duck = true;
            }
            figure.words.push(format!("The duck: {square}"));
        }
        for (index, square) in diagram.last.iter().enumerate() {
            figure.mark(*square, if index == 0 && diagram.last.len() > 1 { Mark::From } else { Mark::To });
        }
        for square in &diagram.check {
            figure.mark(*square, Mark::Check);
        }
        for square in &diagram.fog {
            figure.mark(*square, Mark::Fog);
        }
        figure.foretold = diagram.foretold.clone();
        figure
    }

    /// The board from Black's side.
    pub fn flip(&mut self) {
        self.ranks.reverse();
        for rank in &mut self.ranks {
            rank.cells.reverse();
            for token in rank.cells.iter_mut().filter_map(|cell| cell.token.as_mut()) {
                token.reverse();
            }
        }
        self.files.reverse();
    }

    /// A square's cell; none if the board does not have it.
    pub fn cell(&mut self, square: BoardLocation) -> Option<&mut Cell> {
        let name = square.to_string();
        self.ranks.iter_mut().flat_map(|rank| &mut rank.cells).find(|cell| cell.square == name)
    }

    /// The ranks of each level; those of a flat board are one.
    pub fn levels(&self) -> impl Iterator<Item = &[Rank]> {
        self.ranks.chunk_by(|one, other| one.level == other.level)
    }

    /// Tells whether the board has several levels.
    pub fn several(&self) -> bool {
        self.ranks.iter().any(|rank| rank.level.is_some())
    }

    /// The number of ranks of a level.
    pub fn height(&self) -> usize {
        self.levels().next().map_or(0, <[Rank]>::len)
    }

    /// Tells whether any square sends something.
    pub fn pressable(&self) -> bool {
        self.ranks.iter().flat_map(|rank| &rank.cells).any(|cell| cell.press.is_some())
    }

    /// Marks a square; one that the board does not have is left alone.
    pub fn mark(&mut self, square: impl Into<BoardLocation>, mark: Mark) {
        if let Some(cell) = self.cell(square.into()) {
            cell.marks.push(mark);
        }
    }

    /// Marks what a piece does, with the signs of the tokens: squares where it may go without capturing, and squares that it attacks.
    pub fn reach(&mut self, moves: Squares, captures: Squares) {
        let spots = |squares: Squares| -> Vec<BoardLocation> { squares.map(BoardLocation::from).collect() };
        self.does(&spots(moves), &spots(captures));
    }

    /// The same on a board of any number of levels.
    pub fn does(&mut self, moves: &[BoardLocation], captures: &[BoardLocation]) {
        for spot in moves {
            self.mark(*spot, if captures.contains(spot) { Mark::Does } else { Mark::Moves });
        }
        for spot in captures.iter().filter(|spot| !moves.contains(spot)) {
            self.mark(*spot, Mark::Captures);
        }
    }

    /// Gives the unit on a square a drawing of its own, one `<svg>` element that the board's own code made, for each side of the board.
    pub fn draw(&mut self, square: impl Into<BoardLocation>, token: Drawings) {
        if let Some(cell) = self.cell(square.into()) {
            cell.token = Some(token);
        }
    }
}

/// Lists what one side has, kind by kind in the order in which the board shows them.
fn words(ranks: &[Rank], color: Color) -> Option<String> {
    let mut kinds: Vec<(&str, Vec<&str>)> = Vec::new();
    for cell in ranks.iter().flat_map(|rank| &rank.cells) {
        let Some(unit) = cell.unit.as_ref().filter(|unit| unit.color == color) else { continue };
        match kinds.iter_mut().find(|(name, _)| *name == unit.name) {
            Some((_, squares)) => squares.push(&cell.square),
            None => kinds.push((&unit.name, vec![&cell.square])),
        }
    }
    if kinds.is_empty() {
        return None;
    }
    kinds.sort_by_key(|(name, _)| *name);
    let side = match color {
        Color::White => "White",
        Color::Black => "Black",
    };
    let list: Vec<String> = kinds.iter().map(|(name, squares)| counted(name, squares)).collect();
    Some(format!("{side}: {}", list.join("; ")))
}

fn counted(name: &str, squares: &[&str]) -> String {
    match squares {
        [] => String::new(),
        [square] => format!("{name} {square}"),
        [most @ .., last] => format!("{name}s {} and {last}", most.join(", ")),
    }
}
