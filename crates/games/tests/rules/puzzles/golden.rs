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

/// The explanations: amounts of money in one form, moves in algebraic notation, the best choice first.
#[test]
fn explanations_have_one_form() {
    let table = tables().solve(Size::ORTHODOX).unwrap();
    let reasons = |kind, number| Puzzle::deal(kind, number, &table).reasons.into_iter();
    let all = |kind, number| reasons(kind, number).map(|reason| format!("{}: {}", reason.what, reason.then));
    let has = |kind, number, part: &str| {
        let lines: Vec<String> = all(kind, number).collect();
        assert!(lines.iter().any(|line| line.contains(part)), "{part}: {lines:?}");
    };
    has(PuzzleKind::Answer, 1_000_296_973, " 1 chip ");
    has(PuzzleKind::Answer, 1_000_296_973, " and the move; ");
    has(PuzzleKind::Mate, 0, "Bd3 Bg6#: costs ");
    for (number, cost) in [(2_346_230_230, "1.00035"), (3_270_448_807, "1.00035"), (2_749_771_299, "0.8925")] {
        has(PuzzleKind::Design, number, &format!("costs {cost}"));
    }
    assert!(reasons(PuzzleKind::Mate, 3_300_123_323).len() > 1);
    for number in 0..8 {
        let chances: Vec<f64> = reasons(PuzzleKind::Promotion, number)
            .map(|reason| reason.then.split(['≈', ' ']).nth(2).unwrap().parse().unwrap())
            .collect();
        assert!(chances.len() == 4 && chances.is_sorted_by(|one, next| one >= next), "{chances:?}");
    }
    has(PuzzleKind::Zugzwang, 0, "the right bid is ≈−0.05 % of the money");
    assert!(Puzzle::deal(PuzzleKind::PaidMove, 0, &table).task().contains("Black has 65 chips."));
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
