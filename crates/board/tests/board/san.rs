//! Standard algebraic notation: known texts, the position of errors, and round trips of every legal move in random
//! games.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use zorkmid_board::{Board, Castling, Position, RoyalRule, START, orthodox};

fn play(board: &Board, fen: &str, sans: &str) -> Position {
    let mut position = board.parse_fen(fen).unwrap();
    for (ply, san) in sans.split_whitespace().filter(|word| !word.ends_with('.')).enumerate() {
        let mv = board.parse_san(&position, san).unwrap_or_else(|error| panic!("ply {ply}, {san}: {error}"));
        assert_eq!(board.san(&position, mv), san, "ply {ply}");
        position = board.after(&position, mv);
    }
    position
}

#[test]
fn accepts_the_most_typical_game() {
    let board = Board::orthodox();
    let last = play(board, START, include_str!("san/typical.txt"));
    assert_eq!(last.fullmove, 25);
    assert_eq!(board.fen(&last), "2kr4/pp2n3/2p1Ppp1/2qp2p1/8/1Q5P/PP3P1P/3R1BK1 b - - 1 25");
}

#[test]
fn writes_mates_checks_and_promotions() {
    let board = Board::orthodox();
    play(board, START, "1. f3 e5 2. g4 Qh4#");
    play(board, START, "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#");
    play(board, "k7/7P/8/8/8/8/8/K7 w - - 0 1", "h8=Q+ Ka7 Qg7+");
    play(board, "6n1/5P1k/8/8/8/8/8/K7 w - - 0 1", "fxg8=N Kxg8");
    play(board, "6n1/5P1k/8/8/8/8/8/K7 w - - 0 1", "f8=N+");
    play(board, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O Kf7 Rhf1+");
    play(board, "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O+ Kg8");
    play(board, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 Kd7");
}

#[test]
fn speaks_moves_in_words() {
    let board = Board::orthodox();
    let mut crazyhouse = board.clone();
    crazyhouse.holdings = true;
    for (board, fen, san, words) in [
        (board, START, "e4", "pawn e4"),
        (board, "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "exd5", "pawn from e takes queen on d5"),
        (board, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "pawn from e takes pawn en passant on d6"),
        (board, "4k1n1/8/8/8/8/8/8/4K3 b - - 0 1", "Nf6", "knight f6"),
        (board, "8/8/1n3n2/4K3/8/8/8/7k b - - 0 1", "Nbd7+", "knight from b to d7, check"),
        (board, "4k3/8/8/R7/8/n7/8/R3K3 w - - 0 1", "R1xa3", "rook from 1 takes knight on a3"),
        (
            board,
            "k3r3/5P2/1K6/8/8/8/8/8 w - - 0 1",
            "fxe8=Q#",
            "pawn from f takes rook on e8, promotes to queen, checkmate",
        ),
        (board, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "castles kingside"),
        (board, "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O+", "castles queenside, check"),
        (&crazyhouse, "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@f3", "knight drops on f3"),
    ] {
        let position = board.parse_fen(fen).unwrap();
        let mv = board.parse_san(&position, san).unwrap();
        assert_eq!(board.san(&position, mv), san);
        assert_eq!(board.spoken(&position, mv, san), words);
    }
}

#[test]
fn disambiguates_by_file_then_rank_then_both() {
    let board = Board::orthodox();
    for (fen, wanted) in [
        ("4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1", &["Nce4", "Nge4", "Nb5", "Nh5"][..]),
        ("7k/8/8/R7/8/8/8/R3K3 w - - 0 1", &["R1a3", "R5a3", "Rb1"]),
        ("6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", &["Qh4e1", "Qee1", "Q1e1"]),
        // A pinned knight needs no disambiguation.
        ("4k3/4r3/8/8/8/2N5/4N3/4K3 w - - 0 1", &["Nb5", "Nd1"]),
        ("4k3/8/8/8/3p4/2P1P3/8/4K3 w - - 0 1", &["cxd4", "exd4"]),
    ] {
        let position = board.parse_fen(fen).unwrap();
        let all: Vec<String> = board.moves(&position).into_iter().map(|mv| board.san(&position, mv)).collect();
        for san in wanted {
            assert!(all.contains(&(*san).to_owned()), "{san} in {all:?}");
        }
    }
}

#[test]
fn parses_leniently() {
    let board = Board::orthodox();
    let castle = board.parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    for (text, uci) in [
        ("0-0", "e1g1"),
        ("0-0-0", "e1c1"),
        ("O-O!?", "e1g1"),
        ("Rxa8+", "a1a8"),
        ("Ra8", "a1a8"),
        ("R:a8", "a1a8"),
        ("Ke1-d1", "e1d1"),
        ("e1d1", "e1d1"),
        ("a1-b1", "a1b1"),
        ("a1xa8", "a1a8"),
        ("e1g1", "e1g1"),
    ] {
        assert_eq!(board.uci(board.parse_san(&castle, text).unwrap()).to_string(), uci, "{text}");
    }
    let promote = board.parse_fen("7k/P7/8/8/8/8/8/K7 w - - 0 1").unwrap();
    for text in ["a8=Q", "a8Q", "a8=Q+", "a7a8=Q", "Pa8=Q", "a8=q"] {
        assert_eq!(board.uci(board.parse_san(&promote, text).unwrap()).to_string(), "a7a8q", "{text}");
    }
}

#[test]
fn errors_name_the_character() {
    let board = Board::orthodox();
    for (fen, text, at, part) in [
        (START, "", 0, "the move is missing"),
        (START, "Nf4", 0, "no knight"),
        (START, "Xf3", 0, "not a piece"),
        (START, "Nf9", 2, "missing"),
        (START, "N", 1, "missing"),
        (START, "Nzf3", 1, "does not belong"),
        (START, "Nxf3", 1, "nothing is captured"),
        (START, "O-O", 0, "cannot castle"),
        (START, "--", 0, "passes the turn"),
        (START, "g1h3h", 4, "not a piece"),
        (START, "e4=Q", 2, "does not promote"),
        (START, "Né3", 1, "letters"),
        (START, "N f3", 1, "letters"),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8", 2, "a8=Q"),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=K", 2, "cannot promote"),
        ("4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1", "Ne4", 0, "Nce4 or Nge4"),
        ("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", 0, "leaves the king attacked"),
    ] {
        let error = board.parse_san(&board.parse_fen(fen).unwrap(), text).expect_err(text);
        assert_eq!(error.at, at, "{text}: {error}");
        assert!(error.why.contains(part), "{text}: {error}");
    }
}

#[test]
fn marks_king_captures_with_a_hash() {
    let mut board = Board::orthodox().clone();
    board.royalty = RoyalRule::Capture;
    let position = board.parse_fen("4k3/8/8/8/4Q3/8/8/4K3 w - - 0 1").unwrap();
    let all: Vec<String> = board.moves(&position).into_iter().map(|mv| board.san(&position, mv)).collect();
    assert!(all.contains(&"Qxe8#".to_owned()));
    assert!(all.iter().all(|san| !san.contains('+') && (san == "Qxe8#" || !san.contains('#'))), "{all:?}");
}

/// Checks that every legal move's text parses to that move, and that no two moves share a text.
fn round_trip(board: &Board, position: &Position) {
    let mut texts = std::collections::HashSet::new();
    for mv in board.moves(position) {
        let san = board.san(position, mv);
        assert_eq!(board.parse_san(position, &san), Ok(mv), "{san} in {}", board.fen(position));
        assert_eq!(board.find(position, board.uci(mv)), Some(mv), "{san} in {}", board.fen(position));
        assert!(texts.insert(san.clone()), "{san} twice in {}", board.fen(position));
    }
}

#[test]
fn every_san_round_trips() {
    let mut rng = StdRng::seed_from_u64(3);
    let orthodox = Board::orthodox();
    let mut chess960 = orthodox.clone();
    chess960.castling =
        Some(Castling { king: orthodox::KING, rook: orthodox::ROOK, safe: true, king_takes_rook: true });
    let mut tame = orthodox.clone();
    tame.royalty = RoyalRule::Capture;
    for (board, fen) in [
        (orthodox, START),
        (orthodox, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
        (orthodox, "1k6/PPPPPP2/2q1q3/8/2Q2Q2/8/pppppp2/6K1 w - - 0 1"),
        (&chess960, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"),
        (&tame, START),
    ] {
        for _ in 0..12 {
            let mut position = board.parse_fen(fen).unwrap();
            for _ in 0..60 {
                round_trip(board, &position);
                let moves = board.moves(&position);
                if moves.is_empty() || board.royals(&position, position.turn).is_empty() {
                    break;
                }
                position = board.after(&position, moves[rng.random_range(0..moves.len())]);
            }
        }
    }
}
