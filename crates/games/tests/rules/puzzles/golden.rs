//! Golden puzzles of every kind, which must never change, and the sets from which puzzles are drawn. The solvers are in the other
//! files of this folder.

use crate::tables::tables;
use dashu_base::Abs;
use dashu_ratio::RBig;
use std::collections::HashSet;
use zorkmid_games::{
    board::Size,
    puzzles::{Puzzle, PuzzleKind},
    richman::{Classes, Survey, fraction},
};

/// Golden puzzles: kind, number, side, chips or zorkmids, bid, solution, positions.
const GOLDEN: &str = include_str!("golden.txt");

#[test]
fn golden_puzzles_never_change() {
    let table = tables().solve(Size::ORTHODOX).unwrap();
    let dealt = GOLDEN.lines().map(|line| {
        let mut words = line.split(' ');
        let (kind, number) = (words.next().unwrap().parse().unwrap(), words.next().unwrap().parse().unwrap());
        let Puzzle { scene, side, solution, .. } = Puzzle::deal(kind, number, &table);
        let staked = scene.staked();
        let or = |text: Option<String>| text.unwrap_or("-".to_owned());
        let chips = or(staked.map(|staked| format!("{}:{}", staked.chips[0], staked.chips[1])));
        let bid = or(staked.and_then(|staked| staked.bid).map(|bid| bid.to_string()));
        // Joins texts of several words with underscores.
        let joined = |text: &str| text.replace(' ', "_");
        let fens: Vec<String> = scene.fens().iter().map(|fen| joined(fen)).collect();
        let chips = scene.zorkmids().map_or(chips, |[white, black]| format!("{white}:{black}"));
        format!("{} {number} {} {chips} {bid} {} {}\n", kind.key(), side.name(), joined(&solution), fens.join(" "))
    });
    assert_eq!(dealt.collect::<String>(), GOLDEN);
}

#[test]
fn puzzles_cover_all_zugzwangs() {
    let table = tables().solve(Size::ORTHODOX).unwrap();
    // Up to symmetry, their values differ in distance from one half.
    let far = |value: RBig| (value - RBig::from(1) / RBig::from(2)).abs();
    let known: HashSet<RBig> = Survey::of(&Classes::new(table.clone()))
        .zugzwangs
        .iter()
        .map(|setup| far(table.value(*setup).clone()))
        .collect();
    let numbers = PuzzleKind::Zugzwang.numbers().unwrap();
    let seen: HashSet<RBig> = numbers
        .iter()
        .map(|number| {
            let puzzle = Puzzle::deal(PuzzleKind::Zugzwang, *number, &table);
            let found = puzzle.scene.questions()[puzzle.solution.parse::<usize>().unwrap() - 1].answer(&table);
            let value = found.value.unwrap();
            far(fraction(&value.num, &value.den).unwrap())
        })
        .collect();
    assert_eq!((numbers.len(), seen), (known.len(), known));
}
