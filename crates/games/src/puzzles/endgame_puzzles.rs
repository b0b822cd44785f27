//! Puzzles of three-piece endgames: the best move and the best promotion where a coin decides who moves, and the only mutual
//! zugzwang on four boards.

use rand::{
    RngExt,
    rngs::StdRng,
    seq::{IndexedRandom, SliceRandom},
};

use super::{AnswerChoice, Difficulty, PuzzleContent, Reason, Scene};
use crate::{
    board::{Color, Square},
    richman::{Answer, Choice, Question, Table, read},
};

/// Fewest moves to choose from.
const FEWEST: usize = 6;
/// Pieces that a pawn may promote to, as in UCI.
const PROMOTIONS: [(char, &str); 4] = [('q', "Queen"), ('r', "Rook"), ('b', "Bishop"), ('n', "Knight")];

/// The best move, if it is unique.
fn best(moves: &[Choice]) -> Option<&Choice> {
    let mut best = moves.iter().filter(|choice| choice.best == Some(true));
    best.next().filter(|_| best.next().is_none())
}

/// A share as a percentage with two decimals, such as `74.46 %`.
fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// Winning chance after a move, rounded for people.
fn chance(choice: &Choice, side: Color) -> String {
    let white = choice.value.as_ref().map_or(0.0, |value| value.approx);
    format!("wins ≈{} of the time", percent(if side == Color::White { white } else { 1.0 - white }))
}

/// Difficulty of finding the best of some choices: the distance of the second best chance.
fn difficulty(choices: &[&Choice], side: Color) -> Difficulty {
    let white = choices.iter().filter_map(|choice| choice.value.as_ref());
    let white = white.map(|value| (value.approx * 1000.0).round() as i64);
    let mut thousandths: Vec<i64> = white.map(|white| if side == Color::White { white } else { -white }).collect();
    thousandths.sort_unstable();
    let distance = match thousandths[..] {
        [.., second, best] => best - second,
        [_] | [] => i64::MAX,
    };
    Difficulty::by_distance(distance, 10, 40)
}

fn dealt<'a>(
    question: Question,
    side: Color,
    shown: impl Iterator<Item = (AnswerChoice, &'a Choice)>,
    solution: String,
) -> PuzzleContent {
    let (mut offered, mut reasons, mut choices) = (Vec::new(), Vec::new(), Vec::new());
    for (offer, choice) in shown {
        choices.push(choice);
        reasons.push(Reason { what: offer.words.clone(), then: chance(choice, side), right: offer.text == solution });
        offered.push(offer);
    }
    // In the order of their values the first answer would be the solution.
    offered.sort_by(|a: &AnswerChoice, b| a.words.cmp(&b.words));
    let difficulty = difficulty(&choices, side);
    PuzzleContent { scene: Scene::Endgames(vec![question], None), side, offered, solution, reasons, difficulty }
}

/// A position in which one move is better than all others.
pub(super) fn best_move(table: &Table, rng: &mut StdRng) -> Option<PuzzleContent> {
    let trio = Trio::drawn(rng, &['N', 'B', 'R', 'Q', 'P'])?;
    let side = if rng.random() { Color::White } else { Color::Black };
    let question = trio.question()?;
    let answer = question.answer(table);
    let moves = choices(&answer, side);
    if moves.len() < FEWEST || !quiet(&answer) {
        return None;
    }
    let solution = best(moves)?.uci.clone();
    let offer = |choice: &Choice| AnswerChoice { text: choice.uci.clone(), words: choice.san.clone() };
    Some(dealt(question, side, moves.iter().map(|choice| (offer(choice), choice)), solution))
}

/// A position in which promotion to one particular piece is the best move: to a queen, or to another piece.
pub(super) fn promotion(table: &Table, rng: &mut StdRng, queen: bool) -> Option<PuzzleContent> {
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
    // The moves are listed best first.
    let all = choices(&answer, side).iter().filter_map(|choice| {
        let (piece, words) = PROMOTIONS.iter().find(|(piece, _)| choice.uci.chars().nth(4) == Some(*piece))?;
        Some((AnswerChoice { text: piece.to_string(), words: (*words).to_owned() }, choice))
    });
    Some(dealt(question, side, all, solution.to_string()))
}

/// All three-piece positions on the orthodox board in which neither side wants to move, one of each symmetry class: white king,
/// black king and White's piece, with file and rank from zero.
const ZUGZWANGS: [[(char, u8, u8); 3]; 3] = [
    [('K', 7, 0), ('k', 1, 3), ('N', 1, 0)],
    [('K', 7, 0), ('k', 2, 3), ('N', 2, 0)],
    [('K', 0, 0), ('k', 3, 3), ('N', 3, 0)],
];

/// Number of boards.
const BOARDS: usize = 4;

/// A random zugzwang, possibly mirrored or with colours reversed.
fn drawn_zugzwang(rng: &mut StdRng) -> Trio {
    let units = ZUGZWANGS[rng.random_range(0..ZUGZWANGS.len())];
    let trio = Trio(units.map(|(letter, file, rank)| (letter, Square::new(file, rank))));
    let trio = if rng.random() { trio.mirrored() } else { trio };
    if rng.random() { trio.turned() } else { trio }
}

/// The position with one piece moved a little.
fn moved(trio: &Trio, rng: &mut StdRng) -> Option<Trio> {
    let mut moved = *trio;
    let (_, square) = &mut moved.0[rng.random_range(0..3)];
    let step = |at: u8, by: i8| at.checked_add_signed(by).filter(|at| *at < SIDE);
    let (files, ranks) = (rng.random_range(-2..=2), rng.random_range(-2..=2));
    *square = Square::new(step(square.file(), files)?, step(square.rank(), ranks)?);
    (moved != *trio).then_some(moved)
}

/// Four similar positions, exactly one of which is a zugzwang.
pub(super) fn zugzwang(table: &Table, rng: &mut StdRng) -> Option<PuzzleContent> {
    let trio = drawn_zugzwang(rng);
    let mut boards: Vec<(Question, bool, String)> = Vec::new();
    let mut trios = vec![trio];
    let burden = |trio: &Trio| -> Option<(Question, bool, String)> {
        let question = trio.question()?;
        let answer = question.answer(table);
        let share = answer.bid.as_ref()?.approx?;
        let words = match answer.zugzwang? {
            true => format!("zugzwang: the right bid is ≈−{} of the money", percent(-share)),
            false if answer.quiescent? => "the move is worth nothing and costs nothing".to_owned(),
            false => format!("the move is worth ≈{} of the money", percent(share)),
        };
        quiet(&answer).then_some((question, answer.zugzwang?, words))
    };
    boards.push(burden(&trio)?);
    while boards.len() < BOARDS {
        let Some(other) = moved(&trio, rng).filter(|other| !trios.contains(other)) else { continue };
        trios.push(other);
        boards.extend(burden(&other).filter(|(_, zugzwang, _)| !zugzwang));
    }
    boards.shuffle(rng);
    let solution = boards.iter().position(|(_, zugzwang, _)| *zugzwang)? + 1;
    let number = |at: usize| format!("Board {}", at + 1);
    Some(PuzzleContent {
        side: Color::White,
        offered: (0..BOARDS).map(|at| AnswerChoice { text: (at + 1).to_string(), words: number(at) }).collect(),
        reasons: boards
            .iter()
            .enumerate()
            .map(|(at, (_, right, then))| Reason { what: number(at), then: then.clone(), right: *right })
            .collect(),
        solution: solution.to_string(),
        scene: Scene::Endgames(boards.into_iter().map(|(question, ..)| question).collect(), None),
        difficulty: Difficulty::Medium,
    })
}

/// Number of files and ranks.
const SIDE: u8 = 8;

/// Three pieces by letter, with their squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Trio(pub(super) [(char, Square); 3]);

/// A random square.
fn square(rng: &mut StdRng) -> Square {
    Square::new(rng.random_range(0..SIDE), rng.random_range(0..SIDE))
}

impl Trio {
    /// Both kings and one of these pieces, of a random colour, on random squares.
    pub(super) fn drawn(rng: &mut StdRng, letters: &[char]) -> Option<Trio> {
        let letter = *letters.choose(rng)?;
        let letter = if rng.random() { letter } else { letter.to_ascii_lowercase() };
        Some(Trio(['K', 'k', letter].map(|letter| (letter, square(rng)))))
    }

    /// The position as an endgame-table query, if the tables cover it.
    pub(super) fn question(&self) -> Option<Question> {
        let mut rows: Vec<String> = Vec::new();
        for rank in (0..SIDE).rev() {
            let on = |file: u8| self.0.iter().filter(move |(_, square)| *square == Square::new(file, rank));
            let (mut row, mut empty) = (String::new(), 0);
            for file in 0..SIDE {
                match on(file).next() {
                    None => empty += 1,
                    Some(_) if on(file).count() > 1 => return None,
                    Some((letter, _)) => {
                        if empty > 0 {
                            row += &empty.to_string();
                        }
                        row.push(*letter);
                        empty = 0;
                    }
                }
            }
            if empty > 0 {
                row += &empty.to_string();
            }
            rows.push(row);
        }
        read(&rows.join("/")).ok().filter(|question| question.without_table().is_none())
    }

    /// The position with the files reversed.
    fn mirrored(&self) -> Trio {
        Trio(self.0.map(|(letter, square)| (letter, Square::new(SIDE - 1 - square.file(), square.rank()))))
    }

    /// The position with the colours reversed.
    fn turned(&self) -> Trio {
        Trio(self.0.map(|(letter, square)| {
            let other =
                if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() };
            (other, Square::new(square.file(), SIDE - 1 - square.rank()))
        }))
    }
}

/// The moves of one side.
pub(super) fn choices(answer: &Answer, side: Color) -> &[Choice] {
    match side {
        Color::White => &answer.white,
        Color::Black => &answer.black,
    }
}

/// Whether neither side can capture the king at once.
pub(super) fn quiet(answer: &Answer) -> bool {
    answer.white.iter().chain(&answer.black).all(|choice| !choice.san.ends_with('#'))
}
