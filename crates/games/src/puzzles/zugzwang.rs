//! The puzzle of four boards, on one of which neither side wants to move.

use rand::{RngExt, rngs::StdRng, seq::SliceRandom};

use super::{
    Dealt, Offered, Reason, Scene,
    trio::{SIDE, Trio, quiet},
};
use crate::{
    board::{Color, Square},
    richman::{Question, Table},
};

/// All positions of three pieces on the ordinary board in which neither side wants to move, one of each symmetric set: the squares of the
/// white king, the black king and White’s piece, by file and rank from zero.
const ZUGZWANGS: [[(char, u8, u8); 3]; 3] = [
    [('K', 7, 0), ('k', 1, 3), ('N', 1, 0)],
    [('K', 7, 0), ('k', 2, 3), ('N', 2, 0)],
    [('K', 0, 0), ('k', 3, 3), ('N', 3, 0)],
];

/// So many boards are shown.
const BOARDS: usize = 4;

/// One of the zugzwangs, as the board shows it or reversed.
fn drawn(rng: &mut StdRng) -> Trio {
    let units = ZUGZWANGS[rng.random_range(0..ZUGZWANGS.len())];
    let trio = Trio(units.map(|(letter, file, rank)| (letter, Square::new(file, rank))));
    let trio = if rng.random() { trio.mirrored() } else { trio };
    if rng.random() { trio.turned() } else { trio }
}

/// Moves one unit a little.
fn moved(trio: &Trio, rng: &mut StdRng) -> Option<Trio> {
    let mut moved = *trio;
    let (_, square) = &mut moved.0[rng.random_range(0..3)];
    let step = |at: u8, by: i8| at.checked_add_signed(by).filter(|at| *at < SIDE);
    let (files, ranks) = (rng.random_range(-2..=2), rng.random_range(-2..=2));
    *square = Square::new(step(square.file(), files)?, step(square.rank(), ranks)?);
    (moved != *trio).then_some(moved)
}

/// Four positions, of which one is a zugzwang and the others are like it.
pub(super) fn find(table: &Table, rng: &mut StdRng) -> Option<Dealt> {
    let trio = drawn(rng);
    let mut boards: Vec<(Question, bool, String)> = Vec::new();
    let mut trios = vec![trio];
    let burden = |trio: &Trio| -> Option<(Question, bool, String)> {
        let question = trio.question()?;
        let answer = question.answer(table);
        let percent = 100.0 * answer.bid.as_ref()?.approx;
        let words = match answer.zugzwang? {
            true => format!("zugzwang: the right bid is −{:.4} percent of the money", -percent),
            false if answer.quiescent? => "the move is worth nothing, and costs nothing".to_owned(),
            false => format!("the move is worth {percent:.4} percent of the money"),
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
    Some(Dealt {
        side: Color::White,
        offered: (0..BOARDS).map(|at| Offered { text: (at + 1).to_string(), words: number(at) }).collect(),
        reasons: boards
            .iter()
            .enumerate()
            .map(|(at, (_, right, then))| Reason { what: number(at), then: then.clone(), right: *right })
            .collect(),
        solution: solution.to_string(),
        scene: Scene::Endgames(boards.into_iter().map(|(question, ..)| question).collect(), None),
    })
}
