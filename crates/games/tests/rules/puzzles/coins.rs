//! Coin puzzles against values computed again, with an independent move generator and iteration order.

use super::{each_has_one_solution, endgames::moment};
use crate::adversary::{Adversary, ENDS, Known, Moves};
use zorkmid_games::{
    board::Color,
    puzzles::{Puzzle, PuzzleKind},
    richman::Question,
    rules::endgame::NextStep,
};

/// The value 1, in the fixed-point unit of the bounds.
const ONE: u64 = 1 << 62;
/// Allowed gap between lower and upper bounds.
const NEAR: u64 = 1 << 16;

/// Bounds of the winning chance of the side that is numbered as White, by position number.
struct Bounds<'m> {
    known: Known<'m>,
    low: Vec<u64>,
    high: Vec<u64>,
}

impl Bounds<'_> {
    fn new(moves: &Moves) -> Bounds<'_> {
        let count = moves.to[0].len();
        let (mut low, mut high) = (vec![0; count], vec![ONE; count]);
        (low[ENDS[1]], high[ENDS[0]]) = (ONE, 0);
        loop {
            let mut moved = 0;
            for bounds in [&mut low, &mut high] {
                for number in ENDS.len()..count {
                    let best = moves.to[0][number].iter().map(|to| bounds[*to as usize]).max().unwrap();
                    let worst = moves.to[1][number].iter().map(|to| bounds[*to as usize]).min().unwrap();
                    let own = u64::midpoint(best, worst);
                    moved = moved.max(own.abs_diff(bounds[number]));
                    bounds[number] = own;
                }
            }
            if moved == 0 {
                break;
            }
        }
        // Rounding down has reduced the upper bounds by less than one per sweep.
        let apart = low.iter().zip(&high).map(|(low, high)| high.saturating_sub(*low)).max();
        assert!(apart < Some(NEAR), "{apart:?}");
        Bounds { known: Known::new(moves, 4, true), low, high }
    }

    fn at(&self, question: &Question) -> Adversary<'_> {
        Adversary::at(&self.known, &moment(question, [2, 2], NextStep::Offer(Color::White)), Color::White)
    }

    /// The moves of a side that may be best, given the bounds.
    fn best(&self, question: &Question, side: Color) -> Vec<String> {
        let now = self.at(question);
        let white = now.white(side);
        // Worst and best value for the side.
        let worth = |to: usize| if white { self.low[to] } else { ONE - self.high[to] };
        let numbers = now.numbers(side);
        let most = numbers.iter().map(|to| worth(*to)).max().unwrap();
        let moves = now.stand.moves(white).into_iter().zip(numbers);
        moves.filter(|(_, to)| worth(*to) + NEAR >= most).map(|(step, _)| now.uci(&step)).collect()
    }

    /// Whether both sides prefer the opponent to move.
    fn burdens(&self, question: &Question) -> bool {
        let now = self.at(question);
        let of = |white: bool| {
            let side = if now.white(Color::White) == white { Color::White } else { Color::Black };
            let numbers = now.numbers(side).into_iter().map(|to| self.low[to]);
            if white { numbers.max() } else { numbers.min() }.unwrap()
        };
        of(true) + NEAR < of(false)
    }

    /// All correct answers.
    fn right(&self, puzzle: &Puzzle) -> Vec<String> {
        let questions = puzzle.scene.questions();
        match puzzle.kind {
            PuzzleKind::CoinMove => self.best(&questions[0], puzzle.side),
            PuzzleKind::Promotion => {
                self.best(&questions[0], puzzle.side).iter().map(|uci| uci[4..].to_owned()).collect()
            }
            PuzzleKind::Zugzwang => {
                let boards = questions.iter().zip(&puzzle.offered);
                boards.filter(|(question, _)| self.burdens(question)).map(|(_, offered)| offered.text.clone()).collect()
            }
            kind => panic!("{kind:?} has no coin"),
        }
    }
}

#[test]
fn coin_puzzles_have_one_best_answer() {
    let moves = Moves::generate();
    let bounds = Bounds::new(&moves);
    for kind in [PuzzleKind::CoinMove, PuzzleKind::Promotion, PuzzleKind::Zugzwang] {
        each_has_one_solution(kind, |puzzle| bounds.right(puzzle));
    }
}
