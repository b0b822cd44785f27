//! The boards of a puzzle. To answer with a move, the solver clicks a piece and then a square.

use crate::{
    board::{BoardLocation, Color},
    puzzles::{AnswerChoice, AnswerForm, Puzzle, PuzzleKind, Scene, squares},
    richman::rules,
    rules::{ChoiceKind, Diagram},
    web::board_view::{Arrow, Figure, Mark, Press, Tag},
};

/// The solver's selection.
#[derive(Clone, Default)]
pub(super) struct Hand {
    /// The square of a piece, or a piece to buy, such as `P@`.
    pub(super) from: String,
    /// The unfinished turn.
    pub(super) turn: String,
}

/// A piece that can be bought and dropped.
pub(super) struct PieceForSale {
    /// The value to submit when it is clicked.
    pub(super) said: String,
    /// Name and price.
    pub(super) words: String,
}

/// Whether the puzzle offers moves, rather than squares or pieces.
fn moves(puzzle: &Puzzle) -> bool {
    match puzzle.kind {
        PuzzleKind::PaidMove | PuzzleKind::CoinMove | PuzzleKind::Guess => true,
        PuzzleKind::LeastBid
        | PuzzleKind::Answer
        | PuzzleKind::Promotion
        | PuzzleKind::Zugzwang
        | PuzzleKind::Mate
        | PuzzleKind::Design => false,
    }
}

/// The boards of an unsolved puzzle, and the pieces that can be bought.
pub(super) fn unsolved(puzzle: &Puzzle, hand: &Hand) -> (Vec<Figure>, Vec<PieceForSale>) {
    if puzzle.kind.form() == AnswerForm::Turn
        && let Some(diagram) = puzzle.scene.drafted(&hand.turn)
    {
        let (figure, sold) = turn(&diagram, hand);
        return (vec![turned(figure, puzzle.side)], sold);
    }
    let mut figures = plain(puzzle);
    if let ([figure], true) = (&mut figures[..], moves(puzzle)) {
        offer_moves(figure, &puzzle.offered, &hand.from);
    }
    (figures, Vec::new())
}

/// Makes the squares of the offered moves selectable, with the piece on `from` in hand.
pub(super) fn offer_moves(figure: &mut Figure, offered: &[AnswerChoice], from: &str) {
    let from = from.parse().ok();
    for offered in offered {
        let Some((start, end)) = squares(&offered.text) else { continue };
        if from != Some(start) {
            put(figure, start.into(), "from", start.to_string());
        } else {
            // A promotion has several moves to one square; the buttons list them all.
            figure.mark(end, if start == end { Mark::Selected } else { Mark::Target });
            put(figure, end.into(), "answer", offered.text.clone());
        }
    }
    if let Some(from) = from.filter(|from| !offered.iter().any(|offered| offered.text == from.to_string())) {
        figure.mark(from, Mark::Selected);
    }
}

/// The board after an unfinished turn, with the next actions and their prices.
fn turn(diagram: &Diagram, hand: &Hand) -> (Figure, Vec<PieceForSale>) {
    let mut figure = Figure::of_diagram(diagram);
    let mut sold: Vec<PieceForSale> = Vec::new();
    for choice in diagram.choices.iter().flatten() {
        let (said, to) = match &choice.kind {
            ChoiceKind::Move { from, to, .. } => (from.to_string(), *to),
            ChoiceKind::Drop { piece, to } => (piece.said.clone(), *to),
            ChoiceKind::Word { .. } => continue,
        };
        if said == hand.from {
            figure.mark(to, Mark::Target);
            put(&mut figure, to, "turn", format!("{} {}", hand.turn, choice.action).trim().to_owned());
            if let Some(cell) = figure.cell(to) {
                cell.tag = choice.amount.map(|amount| Tag { amount, dear: false });
            }
        }
        match &choice.kind {
            ChoiceKind::Move { from, .. } if said != hand.from => put_unless(&mut figure, *from, said),
            ChoiceKind::Drop { piece, .. } if sold.iter().all(|known| known.said != said) => {
                let price = piece.amount.unwrap_or_default();
                sold.push(PieceForSale { words: format!("New {} {price}Z", piece.name), said });
            }
            ChoiceKind::Move { .. } | ChoiceKind::Drop { .. } | ChoiceKind::Word { .. } => {}
        }
    }
    if let Ok(from) = hand.from.parse::<BoardLocation>() {
        figure.mark(from, Mark::Selected);
    }
    (figure, sold)
}

/// Makes a square submit a value.
fn put(figure: &mut Figure, square: BoardLocation, name: &'static str, value: String) {
    if let Some(cell) = figure.cell(square) {
        cell.press = Some(Press { name, value, words: String::new() });
    }
}

/// Makes a square selectable unless it already submits a value.
fn put_unless(figure: &mut Figure, square: BoardLocation, value: String) {
    if figure.cell(square).is_some_and(|cell| cell.press.is_none()) {
        put(figure, square, "from", value);
    }
}

/// The boards after an answer: an arrow shows the right move, a mark the right square.
pub(super) fn solved(puzzle: &Puzzle) -> Vec<Figure> {
    let mut figures = plain(puzzle);
    let shows = moves(puzzle) || matches!(puzzle.kind.form(), AnswerForm::Turn | AnswerForm::Design);
    let ([figure], true) = (&mut figures[..], shows) else { return figures };
    // A guess concerns an opponent's move.
    let color = if puzzle.kind == PuzzleKind::Guess { !puzzle.side } else { puzzle.side };
    for (from, to) in puzzle.shown() {
        match from == to {
            true => figure.mark(to, Mark::Pointed),
            false => figure.arrows.push(Arrow { from, to, color }),
        }
    }
    figures
}

fn plain(puzzle: &Puzzle) -> Vec<Figure> {
    match (&puzzle.scene, puzzle.scene.seen()) {
        (Scene::Endgames(questions, _), _) => {
            questions.iter().map(|question| Figure::of(rules(question.size), &question.position)).collect()
        }
        (Scene::Clairvoyant(_) | Scene::Csipgs(_), diagram) => {
            diagram.iter().map(|diagram| turned(Figure::of_diagram(diagram), puzzle.side)).collect()
        }
    }
}

/// A game's board from a side's point of view.
pub(super) fn turned(mut figure: Figure, side: Color) -> Figure {
    if side == Color::Black {
        figure.flip();
    }
    figure
}

/// White's and Black's chips or zorkmids in the position, where the puzzle has some.
pub(super) fn stacks(puzzle: &Puzzle) -> Option<[i64; 2]> {
    puzzle.scene.staked().map(|staked| staked.chips).or(puzzle.scene.zorkmids())
}

/// Both amounts, each with the name of its side.
pub(super) fn labelled(held: [i64; 2]) -> [(&'static str, i64); 2] {
    Color::BOTH.map(|color| (crate::rules::Side::from(color).words(), held[color.index()]))
}
