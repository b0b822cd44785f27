//! Compares the move generator with cozy-chess in random games of orthodox chess and Chess960.

use std::collections::BTreeSet;

use rand::{RngExt, SeedableRng, rngs::StdRng};
use zorkmid_board::{Board, Castling, Position, orthodox};

/// Orthodox chess with castling in cozy-chess's notation: the king takes its own rook.
fn board() -> Board {
    let mut board = Board::orthodox().clone();
    board.castling = Some(Castling { king: orthodox::KING, rook: orthodox::ROOK, safe: true, king_takes_rook: true });
    board
}

fn ours(board: &Board, position: &Position) -> BTreeSet<String> {
    board.moves(position).into_iter().map(|mv| board.uci(mv).to_string()).collect()
}

fn theirs(cozy: &cozy_chess::Board) -> Vec<cozy_chess::Move> {
    let mut all = Vec::new();
    cozy.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
}

/// Compares a position's legal moves and the positions after them. Returns the number of moves.
fn same(board: &Board, position: &Position, cozy: &cozy_chess::Board) -> usize {
    let fen = board.fen(position);
    let all = theirs(cozy);
    let wanted: BTreeSet<String> = all.iter().map(ToString::to_string).collect();
    assert_eq!(ours(board, position), wanted, "{fen}");
    assert_eq!(board.count(position), all.len() as u64, "{fen}");
    assert_eq!(board.has_move(position), !all.is_empty(), "{fen}");
    assert_eq!(board.in_check(position, position.turn), !cozy.checkers().is_empty(), "{fen}");
    for mv in &all {
        let after = board.after(position, board.find(position, mv.to_string().parse().unwrap()).unwrap());
        let mut played = cozy.clone();
        played.play_unchecked(*mv);
        let text = format!("{played:#}");
        assert_eq!(board.parse_fen(&text).as_ref(), Ok(&after), "{fen} {mv} {text}");
        assert_eq!(board.parse_fen(&board.fen(&after)), Ok(after), "{fen} {mv}");
    }
    all.len()
}

/// Plays random moves and compares every position. Returns the number of compared positions.
fn playout(board: &Board, mut cozy: cozy_chess::Board, rng: &mut StdRng) -> usize {
    let mut position = board.parse_fen(&format!("{cozy:#}")).unwrap();
    for ply in 0..90 {
        if same(board, &position, &cozy) == 0 {
            return ply + 1;
        }
        let all = theirs(&cozy);
        let mv = all[rng.random_range(0..all.len())];
        position = board.after(&position, board.find(&position, mv.to_string().parse().unwrap()).unwrap());
        cozy.play_unchecked(mv);
    }
    90
}

#[test]
fn random_games_match_cozy_chess() {
    let board = board();
    let mut rng = StdRng::seed_from_u64(1);
    let mut compared = 0;
    for line in include_str!("perft/orthodox.epd").lines().filter(|line| !line.starts_with('#')) {
        let fen = line.split(';').next().unwrap().trim();
        let cozy = cozy_chess::Board::from_fen(fen, false).unwrap();
        assert_eq!(board.fen(&board.parse_fen(fen).unwrap()), format!("{cozy}"));
        for _ in 0..8 {
            compared += playout(&board, cozy.clone(), &mut rng);
        }
    }
    for _ in 0..60 {
        let cozy = cozy_chess::Board::double_chess960_startpos(rng.random_range(0..960), rng.random_range(0..960));
        compared += playout(&board, cozy, &mut rng);
    }
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn random_positions_match_cozy_chess() {
    let board = board();
    let mut rng = StdRng::seed_from_u64(2);
    let mut compared = 0;
    for _ in 0..12_000 {
        let mut rows: Vec<String> = Vec::new();
        let mut kings = [rng.random_range(0..64), rng.random_range(0..64)];
        if kings[0] == kings[1] {
            kings[1] = (kings[1] + 9) % 64;
        }
        let crowd = rng.random_range(2..30);
        for rank in 0..8 {
            let mut row = String::new();
            for file in 0..8 {
                let square = rank * 8 + file;
                let letters: &[u8] = if rank == 0 || rank == 7 { b"NBRQnbrq" } else { b"PPPPNBRQppppnbrq" };
                if square == kings[0] {
                    row.push('K');
                } else if square == kings[1] {
                    row.push('k');
                } else if rng.random_range(0..64) < crowd {
                    row.push(letters[rng.random_range(0..letters.len())] as char);
                } else {
                    row.push('1');
                }
            }
            rows.push(row);
        }
        let turn = if rng.random() { 'w' } else { 'b' };
        let fen = format!("{} {turn} - - 0 1", rows.join("/"));
        // cozy-chess accepts adjacent kings.
        let position = board.parse_fen(&fen).unwrap();
        if let (Ok(cozy), Ok(())) = (cozy_chess::Board::from_fen(&fen, false), board.validate(&position)) {
            same(&board, &position, &cozy);
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared}");
}
