//! Compares random pieces on crowded boards with Fairy-Stockfish, through its Python module pyffish. Both programs get
//! the same text. Omitted is everything on which the notations differ: prefixes, inventions, and a bare `f` or `b`
//! before a knightwise atom, which means a pair of steps there and a half here.

use crate::pyffish;
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use zorkmid_board::{Betza, Board, Color, Piece, PieceType, Position, Size};

const STRAIGHT: &[&str] = &["", "f", "b", "l", "r", "s", "v", "fs", "bs", "lb", "vr", "rf"];
const DIAGONAL: &[&str] = &["", "f", "b", "l", "r", "fl", "fr", "bl", "rb", "flbr", "frbl", "fbl", "flfrbl"];
const KNIGHTLY: &[&str] = &[
    "", "v", "s", "ff", "fs", "bb", "bs", "ll", "lv", "rr", "rv", "fh", "bh", "lh", "rh", "fl", "fr", "bl", "br", "lf",
    "rf", "lb", "rb", "ffbs", "lfrb", "fllv",
];
const ATOMS: [(&[&str], &[&str]); 3] = [
    (STRAIGHT, &["W", "D", "H", "R", "WW"]),
    (DIAGONAL, &["F", "A", "G", "B", "FF"]),
    (KNIGHTLY, &["N", "L", "C", "NN"]),
];

/// Draws a piece of up to five terms whose letters cannot be misread across terms.
fn text(rng: &mut StdRng) -> String {
    let mut text = String::new();
    let terms = rng.random_range(1..=5);
    while text.is_empty() || rng.random_range(0..terms) > 0 {
        let (directions, atoms) = ATOMS[rng.random_range(0..3)];
        let (directions, atom) = (directions.choose(rng).unwrap(), atoms.choose(rng).unwrap());
        let mode = ["", "", "m", "c", "mc"].choose(rng).unwrap();
        let term = if rng.random() { format!("{mode}{directions}{atom}") } else { format!("{directions}{mode}{atom}") };
        if !text.chars().last().is_some_and(|last| term.starts_with(last)) {
            text += &term;
        }
    }
    text
}

/// Pieces, and boards with our legal moves.
struct Round {
    pieces: Vec<String>,
    boards: Vec<(String, Vec<String>)>,
}

fn round(rng: &mut StdRng) -> Round {
    let pieces: Vec<String> = (0..20).map(|_| text(rng)).collect();
    let kinds = pieces.iter().zip('A'..).map(|(text, letter)| {
        let betza: Betza = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        PieceType::new(letter, text, &betza, Size::ORTHODOX)
    });
    let board = Board::new(Size::ORTHODOX, kinds.collect());
    let boards = (0..32).map(|_| {
        let mut position = Position::EMPTY;
        let crowd = rng.random_range(1..=5);
        for square in Size::ORTHODOX.squares() {
            if rng.random_range(0..10) < crowd {
                let color = if rng.random() { Color::White } else { Color::Black };
                position.put(&board, square, Piece { color, kind: rng.random_range(0..20) });
            }
        }
        position.turn = if rng.random() { Color::White } else { Color::Black };
        let mut moves: Vec<String> =
            board.moves(&position).into_iter().map(|mv| format!("{}{}", mv.from, mv.to)).collect();
        moves.sort();
        (board.fen(&position), moves)
    });
    let boards = boards.collect();
    Round { pieces, boards }
}

#[test]
fn random_pieces_match_fairy_stockfish() {
    let mut rng = StdRng::seed_from_u64(7);
    let rounds: Vec<Round> = (0..100).map(|_| round(&mut rng)).collect();
    let question: Vec<Value> = rounds
        .iter()
        .map(|round| {
            let boards: Vec<&str> = round.boards.iter().map(|(fen, _)| fen.as_str()).collect();
            json!({"pieces": round.pieces, "boards": boards})
        })
        .collect();
    let Some(answer) = pyffish::answer(include_str!("pyffish.py"), &Value::from(question)) else { return };
    let answers: Vec<Vec<Vec<String>>> = serde_json::from_value(answer).unwrap();
    let mut moves = 0;
    assert_eq!(answers.len(), rounds.len());
    for (round, answers) in rounds.iter().zip(answers) {
        assert_eq!(round.boards.len(), answers.len());
        for ((fen, ours), theirs) in round.boards.iter().zip(answers) {
            moves += ours.len();
            assert_eq!(*ours, theirs, "{fen} {:?}", round.pieces);
        }
    }
    assert!(moves > 90_000, "{moves}");
}
