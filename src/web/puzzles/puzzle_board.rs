//! The boards of a puzzle: where a move is asked for, its unit is pressed first and then its square.

use crate::{
    board::{BoardLocation, Color},
    puzzles::{AnswerForm, Puzzle, PuzzleKind, Scene, squares},
    richman::rules,
    rules::{ChoiceKind, Diagram},
    web::board_view::{Arrow, Figure, Mark, Press, Tag},
};

/// What somebody has in hand.
#[derive(Clone, Default)]
pub(super) struct Hand {
    /// A unit by its square, or a piece that is bought, as `P@`.
    pub(super) from: String,
    /// As much as there is of a turn.
    pub(super) turn: String,
}

/// A piece that can be bought and dropped.
pub(super) struct Sold {
    /// What pressing it takes in hand.
    pub(super) said: String,
    /// Its name and price.
    pub(super) words: String,
}

/// Whether a puzzle offers moves, or units.
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

/// The boards as they are asked about, and what can be bought.
pub(super) fn asked(puzzle: &Puzzle, hand: &Hand) -> (Vec<Figure>, Vec<Sold>) {
    if puzzle.kind.form() == AnswerForm::Turn
        && let Some(diagram) = puzzle.scene.drafted(&hand.turn)
    {
        let (figure, sold) = turn(&diagram, hand);
        return (vec![turned(figure, puzzle.side)], sold);
    }
    let mut figures = plain(puzzle);
    let ([figure], true) = (&mut figures[..], moves(puzzle)) else { return (figures, Vec::new()) };
    let from = hand.from.parse().ok();
    for offered in &puzzle.offered {
        let Some((start, end)) = squares(&offered.text) else { continue };
        if from != Some(start) {
            put(figure, start.into(), "from", start.to_string());
        } else {
            // A pawn that becomes something has several moves to a square; they are all among the buttons.
            figure.mark(end, if start == end { Mark::Selected } else { Mark::Target });
            put(figure, end.into(), "answer", offered.text.clone());
        }
    }
    if let Some(from) = from.filter(|from| !puzzle.offered.iter().any(|offered| offered.text == from.to_string())) {
        figure.mark(from, Mark::Selected);
    }
    (figures, Vec::new())
}

/// The board after as much as there is of a turn, what may follow and for how much.
fn turn(diagram: &Diagram, hand: &Hand) -> (Figure, Vec<Sold>) {
    let mut figure = Figure::of_diagram(diagram);
    let mut sold: Vec<Sold> = Vec::new();
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
                sold.push(Sold { words: format!("New {} {price}Z", piece.name), said });
            }
            ChoiceKind::Move { .. } | ChoiceKind::Drop { .. } | ChoiceKind::Word { .. } => {}
        }
    }
    if let Ok(from) = hand.from.parse::<BoardLocation>() {
        figure.mark(from, Mark::Selected);
    }
    (figure, sold)
}

/// Lets a square send something.
fn put(figure: &mut Figure, square: BoardLocation, name: &'static str, value: String) {
    if let Some(cell) = figure.cell(square) {
        cell.press = Some(Press { name, value, words: String::new() });
    }
}

/// Lets a square be taken in hand that sends nothing yet.
fn put_unless(figure: &mut Figure, square: BoardLocation, value: String) {
    if figure.cell(square).is_some_and(|cell| cell.press.is_none()) {
        put(figure, square, "from", value);
    }
}

/// The boards once an answer was given: the right move is an arrow, the right square is pointed out.
pub(super) fn solved(puzzle: &Puzzle) -> Vec<Figure> {
    let mut figures = plain(puzzle);
    let shows = moves(puzzle) || matches!(puzzle.kind.form(), AnswerForm::Turn | AnswerForm::Design);
    let ([figure], true) = (&mut figures[..], shows) else { return figures };
    // A guess is about a unit of the other side.
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

/// A board of a game, as a side sees it.
fn turned(mut figure: Figure, side: Color) -> Figure {
    if side == Color::Black {
        figure.flip();
    }
    figure
}

/// The words before a stack, or a purse.
pub(super) fn stacks(puzzle: &Puzzle) -> Option<[(&'static str, i64); 2]> {
    let held = puzzle.scene.staked().map(|staked| staked.chips).or(puzzle.scene.zorkmids())?;
    Some(Color::BOTH.map(|color| (crate::rules::Side::from(color).words(), held[color.index()])))
}
