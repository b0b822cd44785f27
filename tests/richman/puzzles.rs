//! Puzzles about endgames against the verdicts and the values of the tables: each has a solution, and only one; and golden ones of every
//! kind, which stay the same for ever. Those about moments of games have their solvers in `tests/rules/puzzles`.

use super::{exact, often::often, orthodox};
use dashu_base::Abs;
use dashu_ratio::RBig;
use std::collections::HashSet;
use zorkmid::{
    board::{Color, Size},
    puzzles::{Puzzle, PuzzleKind, TOTAL},
    richman::{Auction, Choice, Classes, Question, Survey, Table, read, rules},
    rules::{Side, endgame::Asked},
};

/// The puzzles of each kind that are looked at.
const EACH: usize = 40;
/// Puzzles as they were first dealt: kind, number, side, chips or zorkmids, bid, solution, positions.
const GOLDEN: &str = include_str!("puzzles.txt");

/// A puzzle with the table that it was dealt from.
struct Case<'t> {
    table: &'t Table,
    puzzle: Puzzle,
}

impl Case<'_> {
    fn question(&self) -> &Question {
        &self.puzzle.scene.questions()[0]
    }

    fn chips(&self) -> [i64; 2] {
        let chips = self.puzzle.scene.staked().unwrap().chips;
        assert!(chips.iter().all(|chips| *chips > 0) && chips[0] + chips[1] == TOTAL);
        chips
    }

    /// Whether the side wins by force in an auction.
    fn wins(&self, question: &Question, chips: [i64; 2], asked: Asked) -> bool {
        let verdict = question.verdict(self.table, &Auction { chips, asked, negative: true, sealed: None }).unwrap();
        verdict.winner == Some(Side::from(self.puzzle.side))
    }

    /// The chips after the side has paid a price.
    fn paid(&self, price: i64) -> [i64; 2] {
        let mut chips = self.chips();
        chips[self.puzzle.side.index()] -= price;
        chips[(!self.puzzle.side).index()] += price;
        chips
    }

    /// What comes of a move of the side.
    fn after(&self, uci: &str) -> Question {
        let board = rules(Size::ORTHODOX);
        let mut position = self.question().position;
        position.turn = self.puzzle.side;
        let mv = board.moves(&position).into_iter().find(|mv| board.uci(*mv).to_string() == uci).unwrap();
        read(&board.placement_fen(&board.after(&position, mv))).unwrap()
    }

    /// The moves of the side.
    fn moves(&self) -> Vec<Choice> {
        let answer = self.question().answer(self.table);
        if self.puzzle.side == Color::White { answer.white } else { answer.black }
    }

    /// All answers that are right, as somebody finds them who does not know how the puzzle was made.
    fn right(&self) -> Vec<String> {
        let side = self.puzzle.side;
        let offered = self.puzzle.offered.iter().map(|offered| offered.text.clone());
        match self.puzzle.kind {
            PuzzleKind::LeastBid => {
                let own = self.chips()[side.index()];
                let wins =
                    |bid: &i64| self.wins(self.question(), self.chips(), Asked::Answer { bidder: side, bid: *bid });
                (0..=own).find(wins).into_iter().map(|bid| bid.to_string()).collect()
            }
            PuzzleKind::Answer => {
                let bid = self.puzzle.scene.staked().unwrap().bid.unwrap();
                let wins = |text: &String| match text.as_str() {
                    "accept" => self.wins(self.question(), self.paid(-bid), Asked::Move(!side)),
                    _ => self.wins(self.question(), self.paid(bid), Asked::Move(side)),
                };
                offered.filter(wins).collect()
            }
            PuzzleKind::PaidMove => {
                offered.filter(|uci| self.wins(&self.after(uci), self.chips(), Asked::Offer(side))).collect()
            }
            PuzzleKind::CoinMove | PuzzleKind::Promotion => {
                let moves = self.moves();
                let value = |choice: &&Choice| exact(&choice.value);
                let best = match side {
                    Color::White => moves.iter().max_by_key(value),
                    Color::Black => moves.iter().min_by_key(value),
                };
                let best = value(&best.unwrap());
                let best = moves.iter().filter(|choice| value(choice) == best).map(|choice| choice.uci.clone());
                let piece = |uci: String| uci.chars().nth(4).map(String::from).unwrap();
                if self.puzzle.kind == PuzzleKind::CoinMove { best.collect() } else { best.map(piece).collect() }
            }
            PuzzleKind::Zugzwang => {
                let burden = |question: &&Question| question.answer(self.table).zugzwang == Some(true);
                let boards = self.puzzle.scene.questions().iter().zip(offered);
                boards.filter(|(question, _)| burden(question)).map(|(_, text)| text).collect()
            }
            PuzzleKind::Mate | PuzzleKind::Guess | PuzzleKind::Design => panic!("no endgame of the tables"),
        }
    }
}

/// Deals puzzles of a kind and compares each solution with all that are right.
fn each_has_one_solution(kind: PuzzleKind) {
    let table = orthodox();
    let mut different = HashSet::new();
    let numbers = often(EACH) as u32;
    for number in (0..numbers).map(|n| n.wrapping_mul(2_654_435_761)) {
        let case = Case { table: &table, puzzle: Puzzle::deal(kind, number, &table) };
        let puzzle = &case.puzzle;
        let name = format!("{} {number}", kind.key());
        assert_eq!(case.right(), [puzzle.solution.as_str()], "{name}");
        assert_eq!(puzzle.grade(&puzzle.solution), Ok(true), "{name}");
        let others = puzzle.offered.iter().filter(|offered| offered.text != puzzle.solution);
        others.for_each(|offered| assert_eq!(puzzle.grade(&offered.text), Ok(false), "{name}"));
        assert_eq!(puzzle.reasons.iter().filter(|reason| reason.right).count(), 1, "{name}");
        assert!(puzzle.grade("nothing of the kind").is_err(), "{name}");
        let texts: HashSet<&str> = puzzle.offered.iter().map(|offered| offered.text.as_str()).collect();
        assert_eq!(texts.len(), puzzle.offered.len(), "{name}");
        different.insert((
            puzzle.scene.fens(),
            puzzle.scene.staked().map(|staked| (staked.chips, staked.bid)),
            puzzle.side,
        ));
    }
    assert!(different.len() * 10 >= numbers as usize * 9, "{}: {} of {numbers}", kind.key(), different.len());
}

#[test]
fn one_bid_is_the_least() {
    each_has_one_solution(PuzzleKind::LeastBid);
}

#[test]
fn one_answer_wins() {
    each_has_one_solution(PuzzleKind::Answer);
}

#[test]
fn one_paid_move_wins() {
    each_has_one_solution(PuzzleKind::PaidMove);
}

#[test]
fn one_move_is_best() {
    each_has_one_solution(PuzzleKind::CoinMove);
}

#[test]
fn one_promotion_is_best() {
    each_has_one_solution(PuzzleKind::Promotion);
}

#[test]
fn one_board_is_a_zugzwang() {
    each_has_one_solution(PuzzleKind::Zugzwang);
}

#[test]
fn puzzles_stay_what_they_were() {
    let table = orthodox();
    let dealt = GOLDEN.lines().map(|line| {
        let mut words = line.split(' ');
        let (kind, number) = (words.next().unwrap().parse().unwrap(), words.next().unwrap().parse().unwrap());
        let Puzzle { scene, side, solution, .. } = Puzzle::deal(kind, number, &table);
        let staked = scene.staked();
        let or = |text: Option<String>| text.unwrap_or("-".to_owned());
        let chips = or(staked.map(|staked| format!("{}:{}", staked.chips[0], staked.chips[1])));
        let bid = or(staked.and_then(|staked| staked.bid).map(|bid| bid.to_string()));
        // Of what is written in several words the words are joined.
        let joined = |text: &str| text.replace(' ', "_");
        let fens: Vec<String> = scene.fens().iter().map(|fen| joined(fen)).collect();
        let chips = scene.zorkmids().map_or(chips, |[white, black]| format!("{white}:{black}"));
        format!("{} {number} {} {chips} {bid} {} {}\n", kind.key(), side.name(), joined(&solution), fens.join(" "))
    });
    assert_eq!(dealt.collect::<String>(), GOLDEN);
}

#[test]
fn all_zugzwangs_are_asked_about() {
    let table = orthodox();
    // Up to symmetry they are told apart by how far their value is from a half.
    let far = |value: RBig| (value - RBig::from(1) / RBig::from(2)).abs();
    let known: HashSet<RBig> = Survey::of(&Classes::new(table.clone()))
        .zugzwangs
        .iter()
        .map(|setup| far(table.value(*setup).clone()))
        .collect();
    let seen: HashSet<RBig> = (0..60)
        .map(|number| {
            let puzzle = Puzzle::deal(PuzzleKind::Zugzwang, number, &table);
            let found = puzzle.scene.questions()[puzzle.solution.parse::<usize>().unwrap() - 1].answer(&table);
            far(exact(found.value.as_ref().unwrap()))
        })
        .collect();
    assert_eq!((known.len(), seen), (3, known));
}
