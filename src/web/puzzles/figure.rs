//! The boards of a puzzle: where a move is asked for, its unit is pressed first and then its square.

use crate::{
    board::{Color, Square},
    puzzles::{Puzzle, PuzzleKind},
    richman::rules,
    web::board::{Arrow, Figure, Mark, Press},
};

/// The squares of a move in UCI.
fn squares(uci: &str) -> Option<(Square, Square)> {
    Some((uci.get(..2)?.parse().ok()?, uci.get(2..4)?.parse().ok()?))
}

/// Whether a puzzle asks for a move.
fn moves(puzzle: &Puzzle) -> bool {
    matches!(puzzle.kind, PuzzleKind::PaidMove | PuzzleKind::CoinMove)
}

/// The boards as they are asked about, with a unit in hand or not.
pub(super) fn asked(puzzle: &Puzzle, from: Option<Square>) -> Vec<Figure> {
    let mut figures = plain(puzzle);
    let [figure] = &mut figures[..] else { return figures };
    if !moves(puzzle) {
        return figures;
    }
    for offered in &puzzle.offered {
        let Some((start, end)) = squares(&offered.text) else { continue };
        put(figure, start, "from", start.to_string());
        if from == Some(start) {
            // A pawn that becomes something has several moves to a square; they are all among the buttons.
            figure.mark(end, Mark::Target);
            put(figure, end, "answer", offered.text.clone());
        }
    }
    if let Some(from) = from {
        figure.mark(from, Mark::Selected);
    }
    figures
}

/// Lets a square send something.
fn put(figure: &mut Figure, square: Square, name: &'static str, value: String) {
    if let Some(cell) = figure.cell(square.into()) {
        cell.press = Some(Press { name, value, words: String::new() });
    }
}

/// The boards once an answer was given: the right move is an arrow.
pub(super) fn solved(puzzle: &Puzzle) -> Vec<Figure> {
    let mut figures = plain(puzzle);
    if let ([figure], true, Some((from, to))) = (&mut figures[..], moves(puzzle), squares(&puzzle.solution)) {
        figure.arrows = vec![Arrow { from, to, color: puzzle.side }];
    }
    figures
}

fn plain(puzzle: &Puzzle) -> Vec<Figure> {
    puzzle.positions.iter().map(|question| Figure::of(rules(question.size), &question.position)).collect()
}

/// The words before a stack.
pub(super) fn stacks(puzzle: &Puzzle) -> Option<[(&'static str, i64); 2]> {
    let staked = puzzle.staked?;
    Some(Color::BOTH.map(|color| (crate::rules::Side::from(color).words(), staked.chips[color.index()])))
}
