//! Puzzles against independent solvers: each has exactly one solution.

mod coins;
mod designs;
mod endgames;
mod golden;
mod foresight;

use std::collections::HashSet;

use zorkmid_games::{
    board::{Color, Size},
    puzzles::{Puzzle, PuzzleKind},
    richman::Table,
};

use crate::{often::often, tables};
use std::sync::Arc;

/// Number of puzzles of each kind.
const EACH: usize = 40;

fn table() -> Arc<Table> {
    tables::tables().solve(Size::ORTHODOX).unwrap()
}

/// Checks puzzles of a kind: the solution must be the only answer that `right` finds.
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
        let others = puzzle.offered.iter().filter(|offered| offered.text != puzzle.solution);
        others.for_each(|offered| assert_eq!(puzzle.grade(&offered.text), Ok(false), "{name}"));
        let texts: HashSet<&str> = puzzle.offered.iter().map(|offered| offered.text.as_str()).collect();
        assert_eq!(texts.len(), puzzle.offered.len(), "{name}");
        assert!(puzzle.grade("nothing of the kind").is_err(), "{name}");
        assert_eq!(puzzle.reasons.iter().filter(|reason| reason.right).count(), 1, "{name}");
        sides[puzzle.side.index()] += 1;
        let staked = puzzle.scene.staked().map(|staked| (staked.chips, staked.bid));
        different.insert((puzzle.scene.fens(), staked, puzzle.side));
    }
    assert!(different.len() * 10 >= numbers as usize * 9, "{}: {} of {numbers}", kind.key(), different.len());
    // A zugzwang puzzle has no side to play.
    let asked = kind != PuzzleKind::Zugzwang;
    let both = Color::BOTH.iter().all(|side| sides[side.index()] * 5 > numbers);
    assert!(!crate::often::is_whole() || !asked || both, "{sides:?}");
}
