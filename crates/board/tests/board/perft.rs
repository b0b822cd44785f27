//! Counts of legal move sequences. The data files have lines such as `FEN ;D1 20 ;D2 400`.

use zorkmid_board::{Board, Castling, START, Size, Squares, orthodox};

/// Compares every count in a file with the generator's.
fn counts(board: &Board, file: &str) {
    let mut compared = 0;
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split(';').map(str::trim);
        let fen = parts.next().unwrap();
        let position = board.parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(board.validate(&position), Ok(()), "{fen}");
        for count in parts {
            let (depth, nodes) = count.strip_prefix('D').unwrap().split_once(' ').unwrap();
            let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.parse().unwrap());
            assert_eq!(board.perft(&position, depth), nodes, "{fen} to depth {depth}");
            if depth == 1 {
                assert_eq!(board.has_move(&position), nodes > 0, "{fen}");
                assert_eq!(board.moves(&position).len() as u64, nodes, "{fen}");
            }
            compared += 1;
        }
    }
    assert!(compared > 5);
}

/// A board without double steps and castling, with the given promotions.
fn small(width: u8, height: u8, promotions: &[u8]) -> Board {
    let mut board = Board::orthodox_of(Size::new(width, height).unwrap());
    let pawns = board.pawns.as_mut().unwrap();
    pawns.double_from = [Squares::EMPTY; 2];
    pawns.promotions = promotions.to_vec();
    board.castling = None;
    board
}

#[test]
fn orthodox_chess() {
    counts(Board::orthodox(), include_str!("perft/orthodox.epd"));
}

#[test]
fn chess960() {
    let mut board = Board::orthodox().clone();
    board.castling = Some(Castling { king: orthodox::KING, rook: orthodox::ROOK, safe: true, king_takes_rook: true });
    counts(&board, include_str!("perft/chess960.epd"));
}

#[test]
fn smaller_boards() {
    use orthodox::{BISHOP, KNIGHT, QUEEN, ROOK};
    counts(&small(5, 5, &[QUEEN, ROOK, BISHOP, KNIGHT]), include_str!("perft/gardner.epd"));
    counts(&small(6, 6, &[QUEEN, ROOK, KNIGHT]), include_str!("perft/losalamos.epd"));
}

#[test]
fn counts_distinct_positions_of_the_first_plies() {
    let board = Board::orthodox();
    let mut level = vec![board.parse_fen(START).unwrap()];
    for wanted in [20, 400, 5362, 72078] {
        let mut seen = std::collections::HashSet::new();
        for position in &level {
            for mv in board.moves(position) {
                let mut after = board.after(position, mv);
                // Positions differ in en passant rights only if an en passant capture is legal. The move counters do
                // not matter.
                if !board.moves(&after).iter().any(|mv| mv.special == zorkmid_board::Special::EnPassant) {
                    after.en_passant = Squares::EMPTY;
                }
                (after.halfmove, after.fullmove) = (0, 1);
                seen.insert(after);
            }
        }
        assert_eq!(seen.len(), wanted);
        level = seen.into_iter().collect();
    }
}
