//! Chip puzzles against a solver with its own move generator, position numbers and thresholds.

use super::{each_has_one_solution, table};
use crate::{
    adversary::{Adversary, Known, Moves},
    often::often,
};
use zorkmid_games::{
    puzzles::{Puzzle, PuzzleKind, TOTAL},
    richman::Question,
    rules::{
        Endgame,
        endgame::{Bank, NextStep},
    },
};

/// A state of the open auction, or of any auction.
pub(super) fn moment(question: &Question, chips: [i64; 2], asked: NextStep) -> Endgame {
    let position = question.position;
    Endgame {
        position,
        next_step: asked,
        chips: Some(chips),
        sealed: None,
        bank: Bank::Nothing,
        negative: true,
        turns_left: 100,
    }
}

/// The chips after the puzzle's side has paid a price.
fn paid(puzzle: &Puzzle, mut chips: [i64; 2], price: i64) -> [i64; 2] {
    chips[puzzle.side.index()] -= price;
    chips[(!puzzle.side).index()] += price;
    chips
}

/// Whether the puzzle's side wins by force.
fn wins(known: &Known, puzzle: &Puzzle, chips: [i64; 2], next: NextStep) -> bool {
    let moment = moment(&puzzle.scene.questions()[0], chips, next);
    Adversary::at(known, &moment, puzzle.side).lost().is_some()
}

/// All answers that win by force; for bids only the least.
fn winning(known: &Known, puzzle: &Puzzle) -> Vec<String> {
    let (question, side) = (&puzzle.scene.questions()[0], puzzle.side);
    let (chips, named) = puzzle.scene.staked().map(|staked| (staked.chips, staked.bid)).unwrap();
    assert_eq!(chips[0] + chips[1], TOTAL);
    let wins = |chips, next| wins(known, puzzle, chips, next);
    match (puzzle.kind, named) {
        (PuzzleKind::LeastBid, _) => {
            let least = (0..=chips[side.index()]).find(|bid| wins(chips, NextStep::Answer { bidder: side, bid: *bid }));
            least.into_iter().map(|bid| bid.to_string()).collect()
        }
        (PuzzleKind::Answer, Some(bid)) => {
            let accepted = wins(paid(puzzle, chips, -bid), NextStep::Move(!side));
            let rejected = wins(paid(puzzle, chips, bid), NextStep::Move(side));
            let ways = [("accept", accepted), ("reject", rejected)];
            ways.into_iter().filter(|(_, wins)| *wins).map(|(word, _)| word.to_owned()).collect()
        }
        (PuzzleKind::PaidMove, _) => {
            let now = Adversary::at(known, &moment(question, chips, NextStep::Move(side)), side);
            let white = now.white(side);
            let most = &known.levels[usize::from(!white)].last().unwrap();
            let theirs = chips[(!side).index()];
            let moves = now.stand.moves(white).into_iter().zip(now.numbers(side));
            moves.filter(|(_, to)| theirs <= i64::from(most[*to][0])).map(|(step, _)| now.uci(&step)).collect()
        }
        (kind, _) => panic!("{kind:?} has no chips"),
    }
}

fn each(kind: PuzzleKind) {
    let moves = Moves::generate();
    let known = Known::new(&moves, TOTAL as i16, true);
    each_has_one_solution(kind, |puzzle| winning(&known, puzzle));
}

#[test]
fn one_bid_is_the_least_winning_bid() {
    each(PuzzleKind::LeastBid);
}

#[test]
fn every_other_bid_is_explained() {
    let (moves, table) = (Moves::generate(), table());
    let known = Known::new(&moves, TOTAL as i16, true);
    let mut kinds = [0; 4];
    for number in 0..often(8) as u32 {
        let puzzle = Puzzle::deal(PuzzleKind::LeastBid, number, &table);
        let (side, chips) = (puzzle.side, puzzle.scene.staked().unwrap().chips);
        for bid in -1..=chips[side.index()] + 1 {
            let text = bid.to_string();
            if text == puzzle.solution {
                continue;
            }
            let possible = (0..=chips[side.index()]).contains(&bid);
            let rejected = possible && wins(&known, &puzzle, paid(&puzzle, chips, -bid), NextStep::Move(!side));
            let accepted = possible && wins(&known, &puzzle, paid(&puzzle, chips, bid), NextStep::Move(side));
            let (kind, start) = match (possible, rejected, accepted) {
                (false, ..) => (0, "is not possible"),
                (true, false, _) => (1, "is too low"),
                (true, true, false) => (2, "is too high"),
                (true, true, true) => (3, "wins, but a lower bid wins too"),
            };
            kinds[kind] += 1;
            let reason = puzzle.outcome(&text, &table).unwrap();
            assert!(reason.then.starts_with(start), "{number} {bid}: {reason:?}, not {start}");
        }
    }
    assert!(kinds.iter().all(|count| *count > 0), "{kinds:?}");
}

#[test]
fn one_answer_wins() {
    each(PuzzleKind::Answer);
}

#[test]
fn one_paid_move_wins() {
    each(PuzzleKind::PaidMove);
}
