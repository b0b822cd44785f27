//! Puzzles of random-turn chess: a coin decides every mover, and it has fallen for one side.

use rand::{RngExt, rngs::StdRng};

use super::{
    Dealt, Offered, Reason, Scene,
    trio::{Trio, choices, quiet},
};
use crate::{
    board::{Color, Square},
    richman::{Choice, Question, Table},
};

/// The fewest moves among which the best one is to be found.
const FEWEST: usize = 6;
/// The pieces that a pawn may become, as UCI writes them.
const PROMOTIONS: [(char, &str); 4] = [('q', "Queen"), ('r', "Rook"), ('b', "Bishop"), ('n', "Knight")];

/// The only best move.
fn best(moves: &[Choice]) -> Option<&Choice> {
    let mut best = moves.iter().filter(|choice| choice.best);
    best.next().filter(|_| best.next().is_none())
}

/// What a move leaves to its side: the chance to win, rounded for people.
fn chance(choice: &Choice, side: Color) -> String {
    let white = choice.value.approx;
    format!("wins with a chance of {:.4}", if side == Color::White { white } else { 1.0 - white })
}

fn dealt<'a>(
    question: Question,
    side: Color,
    shown: impl Iterator<Item = (Offered, &'a Choice)>,
    solution: String,
) -> Dealt {
    let (mut offered, mut reasons) = (Vec::new(), Vec::new());
    for (offer, choice) in shown {
        reasons.push(Reason { what: offer.words.clone(), then: chance(choice, side), right: offer.text == solution });
        offered.push(offer);
    }
    // In the order of their values the first one would be the solution.
    offered.sort_by(|a: &Offered, b| a.words.cmp(&b.words));
    Dealt { scene: Scene::Endgames(vec![question], None), side, offered, solution, reasons }
}

/// A position in which one move is better than all others.
pub(super) fn best_move(table: &Table, rng: &mut StdRng) -> Option<Dealt> {
    let trio = Trio::drawn(rng, &['N', 'B', 'R', 'Q', 'P'])?;
    let side = if rng.random() { Color::White } else { Color::Black };
    let question = trio.question()?;
    let answer = question.answer(table);
    let moves = choices(&answer, side);
    if moves.len() < FEWEST || !quiet(&answer) {
        return None;
    }
    let solution = best(moves)?.uci.clone();
    let offer = |choice: &Choice| Offered { text: choice.uci.clone(), words: choice.san.clone() };
    Some(dealt(question, side, moves.iter().map(|choice| (offer(choice), choice)), solution))
}

/// A pawn before its last step, which is the best of all moves with one piece alone: a queen, or another one.
pub(super) fn promotion(table: &Table, rng: &mut StdRng, queen: bool) -> Option<Dealt> {
    let mut trio = Trio::drawn(rng, &['P'])?;
    let (letter, square) = trio.0[2];
    let (side, rank) = if letter == 'P' { (Color::White, 6) } else { (Color::Black, 1) };
    trio.0[2].1 = Square::new(square.file(), rank);
    let question = trio.question()?;
    let answer = question.answer(table);
    let solution = best(choices(&answer, side))?.uci.chars().nth(4)?;
    if !quiet(&answer) || (solution == 'q') != queen {
        return None;
    }
    let all = PROMOTIONS.iter().filter_map(|(piece, words)| {
        let choice =
            choices(&answer, side).iter().find(|choice| choice.uci.ends_with(*piece) && choice.uci.len() == 5)?;
        Some((Offered { text: piece.to_string(), words: (*words).to_owned() }, choice))
    });
    Some(dealt(question, side, all, solution.to_string()))
}
