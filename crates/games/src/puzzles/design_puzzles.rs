//! Puzzles of csipgs chess: the cheapest new piece that mates when it enters next to the king.

use rand::rngs::StdRng;

use super::{Difficulty, PuzzleContent, Reason, Scene, puzzle_position, word};
use crate::{
    board::{Color, Square},
    rules::Refusal,
    variants::csipgs::{self, Csipgs, Mating, State, price},
};

/// Most steps of a game to look through.
const LONGEST: usize = 160;
/// Most terms in the solution.
const TERMS: usize = 3;
/// Fewest pieces on the board.
const UNITS: usize = 5;

/// Rules of the games, with a high income so that players buy many pieces.
fn rules() -> Csipgs {
    Csipgs { income_tenths: 40, ..Csipgs::default() }
}

/// A position in which one design is the cheapest that mates.
pub(super) fn find(rng: &mut StdRng) -> Option<PuzzleContent> {
    let (state, mating) = puzzle_position::find_in_game(&rules(), LONGEST, rng, |state| {
        let mating = if state.units() >= UNITS { state.cheapest_mating()? } else { return None };
        (mating.piece.terms.len() <= TERMS).then(|| (state.clone(), mating))
    })?;
    let reasons = reasons(&state, &mating);
    let (side, solution) = (state.mover(), mating.piece.to_string());
    // One kind of step is easy to find, three are hard.
    let difficulty = Difficulty::by_distance(-(mating.piece.terms.len() as i64), -3, -2);
    let scene = Scene::Csipgs(Box::new(state));
    Some(PuzzleContent { scene, side, offered: Vec::new(), solution, reasons, difficulty })
}

/// The solution with its price, and the purpose of each of its terms.
fn reasons(state: &State, mating: &Mating) -> Vec<Reason> {
    let squares: Vec<String> = mating.squares.iter().map(ToString::to_string).collect();
    let mut reasons = vec![Reason {
        what: mating.piece.to_string(),
        then: format!("mates on {} and costs {}", squares.join(" and "), price::exact_decimal(&mating.exact)),
        right: true,
    }];
    let parts = state.parts(mating);
    // Without its only term, the piece has no moves.
    reasons.extend(parts.into_iter().filter_map(|(without, reply)| {
        let then = reply.map_or_else(|| "gives no check".to_owned(), |reply| format!("allows the reply {reply}"));
        Some(Reason { what: without?.to_string(), then, right: false })
    }));
    reasons
}

/// Whether a design mates and costs no more than the cheapest.
pub(super) fn grade(state: &State, solution: &str, text: &str) -> Result<bool, Refusal> {
    let (piece, exact) = csipgs::design(text)?;
    let (_, least) = csipgs::design(solution)?;
    Ok(exact <= least && !state.mating_squares(&piece).is_empty())
}

/// Effect and price of a wrong design.
pub(super) fn outcome(state: &State, text: &str) -> Option<Reason> {
    let (piece, exact) = csipgs::design(text).ok()?;
    let squares: Vec<String> = state.mating_squares(&piece).map(|square| square.to_string()).collect();
    let cost = price::exact_decimal(&exact);
    let then = match squares.is_empty() {
        true => format!("does not mate on any square next to the king, and costs {cost}"),
        false => format!("mates on {} and costs {cost}. There is a cheaper piece", squares.join(" and ")),
    };
    Some(Reason { what: piece.to_string(), then, right: false })
}

/// The task.
pub(super) fn task(side: Color) -> String {
    format!(
        "{} may put one new piece of any design next to the king. Which is the cheapest that mates, before rounding?",
        word(side)
    )
}

/// The squares on which a design mates.
pub(super) fn shown(state: &State, text: &str) -> Vec<(Square, Square)> {
    let piece = csipgs::design(text).map(|(piece, _)| state.mating_squares(&piece));
    piece.into_iter().flatten().map(|square| (square, square)).collect()
}
