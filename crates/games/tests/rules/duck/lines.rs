//! Perft of duck chess. The lines are too many to walk one by one, so they are counted ply by ply. Transpositions are merged, and
//! the earlier squares of the duck do not matter.

use std::collections::HashMap;

use zorkmid_games::{
    board::{Move, Position, Square, Squares},
    variants::duck::BOARD,
};

use crate::{often::often, oracle::counted};

/// Number of lines to a board with the duck on each of its squares, or off the board.
type Ducks = [u64; 65];

const NONE: Ducks = [0; 65];
const NOWHERE: usize = 64;

/// The boards of a ply, without ducks and move counters.
type Boards = HashMap<Position, Ducks>;

/// The board of a position, and the square of its duck.
fn parted(position: &Position) -> (Position, usize) {
    let mut board = *position;
    (board.duck, board.halfmove, board.fullmove) = (Squares::EMPTY, 0, 1);
    (board, position.duck.only().map_or(NOWHERE, Square::index))
}

/// The positions with a board, each with the duck's square and the number of lines.
fn positions(board: &Position, ducks: &Ducks) -> impl Iterator<Item = (Position, usize, u64)> {
    ducks.iter().enumerate().filter(|(_, lines)| **lines > 0).map(|(place, lines)| {
        let mut position = *board;
        position.duck = if place == NOWHERE { Squares::EMPTY } else { Square::at(place).set() };
        (position, place, *lines)
    })
}

/// The moves; none without a king. Fairy-Stockfish moves the duck even after a king capture.
fn moves(position: &Position) -> Vec<Move> {
    if BOARD.royals(position, position.turn).is_empty() { Vec::new() } else { BOARD.moves(position) }
}

/// The squares to which the duck may move.
fn room(position: &Position) -> Squares {
    BOARD.size().squares() & !position.occupied()
}

/// Number of turns. A capture leaves one more empty square.
fn turns(position: &Position) -> u64 {
    let moves = moves(position);
    let captures = moves.iter().filter(|mv| BOARD.captured(position, **mv).is_some()).count();
    moves.len() as u64 * u64::from(room(position).len()) + captures as u64
}

/// The boards of the next ply.
fn next(boards: &Boards) -> Boards {
    let mut next = Boards::new();
    for (board, ducks) in boards {
        // Boards after the moves, each with the number of lines by the duck's previous square.
        let mut after: HashMap<Move, (Position, Ducks)> = HashMap::new();
        for (position, place, lines) in positions(board, ducks) {
            for mv in moves(&position) {
                let (_, left) = after.entry(mv).or_insert_with(|| (parted(&BOARD.after(&position, mv)).0, NONE));
                left[place] += lines;
            }
        }
        for (after, left) in after.into_values() {
            let all: u64 = left.iter().sum();
            let ducks = next.entry(after).or_insert(NONE);
            for square in room(&after) {
                ducks[square.index()] += all - left[square.index()];
            }
        }
    }
    next
}

/// Perft to a depth in turns.
fn lines(position: &Position, depth: u32) -> u64 {
    let (board, place) = parted(position);
    let mut ducks = NONE;
    ducks[place] = 1;
    let mut boards = Boards::from([(board, ducks)]);
    for _ in 1..depth {
        boards = next(&boards);
    }
    let leading =
        |(board, ducks)| positions(board, ducks).map(|(position, _, lines)| lines * turns(&position)).sum::<u64>();
    boards.iter().map(leading).sum()
}

/// Perft by walking all lines.
fn one_by_one(position: &Position, depth: u32) -> u64 {
    let after = moves(position).into_iter().map(|mv| BOARD.after(position, mv));
    let placed = |after: Position, square: Square| {
        let mut placed = after;
        placed.duck = square.set();
        placed
    };
    match depth {
        1 => after.map(|after| u64::from(room(&after).len())).sum(),
        _ => after
            .map(|after| room(&after).map(|square| one_by_one(&placed(after, square), depth - 1)).sum::<u64>())
            .sum(),
    }
}

#[test]
fn perft_matches_fairy_stockfish() {
    for (fen, depth, number) in counted("duck", 4).into_iter().take(often(21)) {
        assert_eq!(lines(&BOARD.parse_fen(fen).unwrap(), depth), number, "{fen}");
    }
}

#[test]
fn merged_perft_matches_plain_perft() {
    for (fen, _, _) in counted("duck", 4) {
        let position = BOARD.parse_fen(fen).unwrap();
        for depth in [1, 2] {
            assert_eq!(lines(&position, depth), one_by_one(&position, depth), "{fen}");
        }
    }
}
