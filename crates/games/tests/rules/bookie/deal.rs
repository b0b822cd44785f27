//! Properties of every dealt board, checked without the board's own attack tables.

use std::convert::Infallible;

use rand::{Rng, SeedableRng, TryRng, rngs::SmallRng};
use zorkmid_games::{
    board::{Color, Piece, Position, Square, Squares, orthodox::*},
    variants::bookie::{self, Code, DealError, board, officers},
};

use super::boards;

/// Squares attacked by `by`, found square by square.
pub(super) fn attacked(position: &Position, by: Color) -> Squares {
    let straight = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    let diagonal = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
    let jumps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    let mut set = Squares::EMPTY;
    let mut walk = |from: Square, directions: &[(i32, i32)], far: bool| {
        for (dx, dy) in directions {
            let (mut x, mut y) = (i32::from(from.file()) + dx, i32::from(from.rank()) + dy);
            while (0..8).contains(&x) && (0..8).contains(&y) {
                let square = Square::new(x as u8, y as u8);
                set |= square.set();
                if !far || position.piece(square).is_some() {
                    break;
                }
                (x, y) = (x + dx, y + dy);
            }
        }
    };
    for (from, piece) in position.pieces().filter(|(_, piece)| piece.color == by) {
        let forward = if by == Color::White { 1 } else { -1 };
        match piece.kind {
            PAWN => walk(from, &[(-1, forward), (1, forward)], false),
            KNIGHT => walk(from, &jumps, false),
            BISHOP => walk(from, &diagonal, true),
            ROOK => walk(from, &straight, true),
            QUEEN => walk(from, &[straight, diagonal].concat(), true),
            KING => walk(from, &[straight, diagonal].concat(), false),
            other => panic!("kind {other}"),
        }
    }
    set
}

#[test]
fn a_hundred_thousand_boards_are_legal() {
    for position in boards() {
        let fen = board().fen(position);
        let count = |color, kind| position.of_kind(color, kind).len();
        let worth = |color| {
            6 * count(color, KNIGHT) + 7 * count(color, BISHOP) + 10 * count(color, ROOK) + 18 * count(color, QUEEN)
        };
        let (white, black) = (worth(Color::White), worth(Color::Black));
        assert!(12 <= white && white <= black && black <= white + 4 && black <= 53, "{fen}");
        let pawns = count(Color::White, PAWN);
        assert!((2..=8).contains(&pawns) && count(Color::Black, PAWN) == pawns, "{fen}");
        assert!(position.of_kind(Color::White, PAWN).all(|square| (1..=4).contains(&square.rank())), "{fen}");
        assert!(position.of_kind(Color::Black, PAWN).all(|square| (2..=6).contains(&square.rank())), "{fen}");
        for color in Color::BOTH {
            assert!([KNIGHT, BISHOP, ROOK, QUEEN].iter().all(|kind| count(color, *kind) <= 4), "{fen}");
            assert_eq!(count(color, KING), 1, "{fen}");
            assert!((position.of_kind(color, KING) & attacked(position, !color)).is_empty(), "{fen}");
        }
        assert_eq!(fen.split_once(' ').map(|(_, rest)| rest), Some("w - - 0 1"), "{fen}");
        assert_eq!(board().parse_fen(&fen).as_ref(), Ok(position));
        assert_eq!(board().validate(position), Ok(()), "{fen}");
        assert_eq!(bookie::check(position), Ok(()), "{fen}");

        let hidden = officers(position);
        let letters = board().placement_fen(&hidden);
        assert!(letters.chars().all(|letter| "NBRQnbrq12345678/".contains(letter)), "{letters}");
        assert!(position.pieces().all(|(square, piece)| match piece.kind {
            PAWN | KING => hidden.piece(square).is_none(),
            _ => hidden.piece(square) == Some(piece),
        }));
        assert!(hidden.occupied().all(|square| position.piece(square) == hidden.piece(square)));

        let code = Code::seal(position).unwrap();
        assert_eq!(code.to_string().parse(), Ok(code), "{fen}");
        assert_eq!(code.open(), *position, "{fen}");
    }
}

#[test]
fn later_deals_keep_the_officers() {
    let mut rng = SmallRng::seed_from_u64(2);
    for _ in 0..2000 {
        let dealt = bookie::deal_officers(&mut rng);
        assert_eq!(officers(&dealt), dealt);
        assert_eq!(bookie::check_officers(&dealt).map(|_| ()), Ok(()));
        let whole = bookie::deal_rest(&dealt, &mut rng).unwrap();
        assert_eq!(officers(&whole), dealt);
        assert_eq!(bookie::check(&whole), Ok(()));
        // Replaces earlier pawns and kings, and keeps the side to move.
        let mut later = whole;
        later.turn = Color::Black;
        let again = bookie::deal_rest(&later, &mut rng).unwrap();
        assert!(officers(&again).same_placement(&dealt));
        assert_eq!(again.turn, Color::Black);
    }
}

#[test]
fn undealable_officers_are_refused() {
    let mut rng = SmallRng::seed_from_u64(3);
    let mut crowd = Position::EMPTY;
    for square in Squares(u64::MAX) {
        crowd.put(board(), square, Piece { color: Color::White, kind: KNIGHT });
    }
    let refused = bookie::deal_rest(&crowd, &mut rng);
    assert!(matches!(refused, Err(DealError::Officers(_))));
    let why = "pawns and kings cannot be dealt to these pieces: white has 64 knights; the limit is 4";
    assert_eq!(refused.unwrap_err().to_string(), why);
}

/// A generator that returns the greatest number a few times, which selects the last option, and then follows another generator.
struct Stubborn {
    times: u32,
    said: u32,
    then: SmallRng,
}

impl Stubborn {
    fn new(times: u32) -> Stubborn {
        Stubborn { times, said: 0, then: SmallRng::seed_from_u64(4) }
    }

    fn is_tired(&mut self) -> bool {
        self.said += 1;
        self.said > self.times
    }
}

impl TryRng for Stubborn {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(if self.is_tired() { self.then.next_u32() } else { u32::MAX })
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(if self.is_tired() { self.then.next_u64() } else { u64::MAX })
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        if self.is_tired() {
            self.then.fill_bytes(bytes)
        } else {
            bytes.fill(u8::MAX)
        }
        Ok(())
    }
}

#[test]
fn deals_without_a_king_square_restart_finitely() {
    // With pawns on the last options, White's king has no safe square beside these officers.
    let crowded = board().parse_fen("4q3/8/8/8/2N1B1B1/r7/1NNb1q2/1N1B3B").unwrap();
    let dealt = board().parse_fen("4q3/pppppppp/8/PPPPPPPP/2N1B1B1/r7/1NNb1q2/1N1B3B").unwrap();
    assert!((Squares(u64::MAX) & !dealt.occupied() & !attacked(&dealt, Color::Black)).is_empty());
    // A deal draws the number of pawns and a square for each pawn. A king without an option draws nothing.
    let draws = 1 + 2 * 8;

    let mut never = Stubborn::new(u32::MAX);
    assert_eq!(bookie::deal_rest(&crowded, &mut never), Err(DealError::NoKingSquare));
    assert_eq!(never.said, bookie::ATTEMPTS * draws);

    let mut third_time_lucky = Stubborn::new(2 * draws);
    let whole = bookie::deal_rest(&crowded, &mut third_time_lucky).unwrap();
    assert_eq!((officers(&whole), bookie::check(&whole)), (crowded, Ok(())));
    let third = third_time_lucky.said - 2 * draws;
    assert_eq!(third, 1 + 2 * whole.of_kind(Color::White, PAWN).len() + 2, "one more deal");
}

#[test]
fn no_castling_but_double_steps_and_en_passant() {
    let position = board().parse_fen("4k3/8/8/8/4p3/8/3P4/R3K2R w - - 0 1").unwrap();
    let moves: Vec<String> = board().moves(&position).into_iter().map(|mv| board().uci(mv).to_string()).collect();
    assert!(moves.contains(&"d2d4".to_owned()));
    assert!(!moves.contains(&"e1g1".to_owned()) && !moves.contains(&"e1c1".to_owned()));
    assert_eq!(board().parse_fen("4k3/8/8/8/4p3/8/3P4/R3K2R w KQ - 0 1"), Ok(position));
    let double = board().find(&position, "d2d4".parse().unwrap()).unwrap();
    let passed = board().after(&position, double);
    assert!(board().find(&passed, "e4d3".parse().unwrap()).is_some());
    // Pawns dealt beyond their second rank have no double step.
    let beyond = board().parse_fen("4k3/8/3p4/8/8/P7/8/4K3 w - - 0 1").unwrap();
    assert!(board().find(&beyond, "a3a5".parse().unwrap()).is_none());
    let mut black = beyond;
    black.turn = Color::Black;
    assert!(board().find(&black, "d6d4".parse().unwrap()).is_none());
    // A pawn that has passed the others promotes as usual, to one of four pieces.
    let last = board().parse_fen("4k3/8/8/8/8/8/p7/4K3 b - - 0 1").unwrap();
    assert_eq!(board().moves(&last).iter().filter(|mv| mv.promotion.is_some()).count(), 4);
}

#[test]
fn invalid_boards_are_refused_with_a_reason() {
    for (placement, why) in [
        ("4k3/pp6/8/8/1q6/8/PP6/Q3K3", "white is in check, but no king is ever dealt in check"),
        ("4k3/pp6/8/8/8/8/PP5q/4QK2", "black is in check, but no king is ever dealt in check"),
        ("8/pp6/8/8/8/8/PP5q/Q4K2", "black must have one king, not 0"),
        ("4k3/pp6/8/8/8/8/PP5q/Q4KK1", "white must have one king, not 2"),
        ("4k3/pp6/8/8/8/8/1P5q/Q4K2", "white has 1 pawns and black 2; both must have the same number, 2 to 8"),
        ("4k3/p7/8/8/8/8/P6q/Q4K2", "white has 1 pawns and black 1; both must have the same number, 2 to 8"),
        ("4k3/pp6/P7/8/8/8/1P5q/Q4K2", "white has a pawn on a6, where no pawn is ever dealt"),
        ("4k3/1p6/8/8/8/8/pPP4q/Q4K2", "black has a pawn on a2, where no pawn is ever dealt"),
    ] {
        let position = board().parse_fen(placement).unwrap();
        assert_eq!(bookie::check(&position).unwrap_err().to_string(), why, "{placement}");
    }
    let kings = board().parse_fen("8/pp6/8/8/4k3/4K3/PP5q/Q7").unwrap();
    assert!(bookie::check(&kings).is_err());
}
