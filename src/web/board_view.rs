//! A position as pages draw it: a table of squares, and a text for screen readers. It depends on how pieces look, not how they move.

mod drawn_square;
mod overlay;

pub use drawn_square::{Cell, DrawnPiece, Mark, Press, Tag};
pub use overlay::{Arrow, Pointer};

use super::{piece_token::Drawings, silhouette};
use crate::{
    board::{Board, BoardLocation, Color, Position, Size, Square, Squares},
    rules::{Diagram, Prediction},
};

/// A board of any size with its pieces, for the macro in `board.html`.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Ranks from the top as White sees them; with several levels, the lowest level first.
    pub ranks: Vec<Rank>,
    /// Letters of the files.
    pub files: Vec<char>,
    /// Pieces in words, one line per side: `White: knights d4 and e5, queen h1`.
    pub words: Vec<String>,
    /// Predictions of the next turn.
    pub foretold: Vec<Prediction>,
    /// Moves shown as arrows.
    pub arrows: Vec<Arrow>,
}

/// One row of the table.
#[derive(Clone, Debug)]
pub struct Rank {
    /// Letter of its level, on a board with several levels.
    pub level: Option<char>,
    /// Number of the rank, from 1.
    pub number: u8,
    /// Squares from the a-file on.
    pub cells: Vec<Cell>,
}

impl Figure {
    /// Draws the pieces of a position.
    pub fn of(board: &Board, position: &Position) -> Figure {
        let size = board.size();
        Figure::new(size, |square| {
            let piece = position.piece(square)?;
            Some(DrawnPiece { color: piece.color, name: board.kind(piece.kind).name.clone() })
        })
    }

    /// Draws a board; `unit` returns the piece on each square.
    pub fn new(size: Size, unit: impl Fn(Square) -> Option<DrawnPiece>) -> Figure {
        Figure::of_levels(size, &[None], |spot| unit(spot.square))
    }

    /// Draws a board with these levels; a flat board has one level, `None`.
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

    /// Draws what a viewer may see of a game, with the last move and checks marked.
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
            if let Some(drawings) = silhouette::of(diagram, &unit.betza, unit.color.into()) {
                figure.draw(unit.square, drawings);
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

    /// Turns the board to Black's side.
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

    /// Cell of a square; `None` if the board does not have it.
    pub fn cell(&mut self, square: BoardLocation) -> Option<&mut Cell> {
        let name = square.to_string();
        self.ranks.iter_mut().flat_map(|rank| &mut rank.cells).find(|cell| cell.square == name)
    }

    /// Ranks of each level.
    pub fn levels(&self) -> impl Iterator<Item = &[Rank]> {
        self.ranks.chunk_by(|one, other| one.level == other.level)
    }

    /// Whether the board has several levels.
    pub fn several(&self) -> bool {
        self.ranks.iter().any(|rank| rank.level.is_some())
    }

    /// Number of ranks of a level.
    pub fn height(&self) -> usize {
        self.levels().next().map_or(0, <[Rank]>::len)
    }

    /// Whether any square can be pressed.
    pub fn pressable(&self) -> bool {
        self.ranks.iter().flat_map(|rank| &rank.cells).any(|cell| cell.press.is_some())
    }

    /// Marks a square; does nothing if the board does not have it.
    pub fn mark(&mut self, square: impl Into<BoardLocation>, mark: Mark) {
        if let Some(cell) = self.cell(square.into()) {
            cell.marks.push(mark);
        }
    }

    /// Marks the squares that a piece can move to without capturing, and those it attacks.
    pub fn reach(&mut self, moves: Squares, captures: Squares) {
        let spots = |squares: Squares| -> Vec<BoardLocation> { squares.map(BoardLocation::from).collect() };
        self.mark_moves(&spots(moves), &spots(captures));
    }

    /// Marks moves and captures on a board with any number of levels.
    pub fn mark_moves(&mut self, moves: &[BoardLocation], captures: &[BoardLocation]) {
        for spot in moves {
            self.mark(*spot, if captures.contains(spot) { Mark::Does } else { Mark::Moves });
        }
        for spot in captures.iter().filter(|spot| !moves.contains(spot)) {
            self.mark(*spot, Mark::Captures);
        }
    }

    /// Sets the drawing of the piece on a square: one `<svg>` element from the board's own code for each side of the board.
    pub fn draw(&mut self, square: impl Into<BoardLocation>, token: Drawings) {
        if let Some(cell) = self.cell(square.into()) {
            cell.token = Some(token);
        }
    }
}

/// Lists the pieces of one side by type.
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
