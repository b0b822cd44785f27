//! Puzzles about moments of games against solvers that share nothing with the program: each has a solution, and only one.

mod designs;
mod foresight;

use std::collections::HashSet;

use zorkmid::{
    board::{Color, Size},
    puzzles::{Puzzle, PuzzleKind},
    richman::Table,
};

use crate::{often::often, tables};
use std::sync::Arc;

/// The puzzles of each kind that are looked at.
const EACH: usize = 40;

fn table() -> Arc<Table> {
    tables::tables().solve(Size::ORTHODOX).unwrap()
}

/// Deals puzzles of a kind and compares each solution with all that `right` finds.
fn each_has_one_solution(kind: PuzzleKind, right: impl Fn(&Puzzle) -> Vec<String>) {
    let table = table();
    let mut different = HashSet::new();
    let mut sides = [0; 2];
    let numbers = often(EACH) as u32;
    for number in (0..numbers).map(|n| n.wrapping_mul(2_654_435_761)) {
        let puzzle = Puzzle::deal(kind, number, &table);
        let name = format!("{} {number} {}", kind.key(), puzzle.scene.fens()[0]);
        assert_eq!(right(&puzzle), [puzzle.solution.as_str()], "{name}");
        assert_eq!(puzzle.grade(&puzzle.solution), Ok(true), "{name}");
        assert!(puzzle.grade("nothing of the kind").is_err(), "{name}");
        assert_eq!(puzzle.reasons.iter().filter(|reason| reason.right).count(), 1, "{name}");
        sides[puzzle.side.index()] += 1;
        different.insert(puzzle.scene.fens());
    }
    assert!(different.len() * 10 >= numbers as usize * 9, "{}: {} of {numbers}", kind.key(), different.len());
    assert!(Color::BOTH.iter().all(|side| sides[side.index()] * 5 > numbers), "{sides:?}");
}
