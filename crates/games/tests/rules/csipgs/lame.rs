//! Lame leapers and limited riders, against a walk square by square.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use std::collections::BTreeSet;
use zorkmid_games::board::{Betza, Board, Color, Definition, Invention, Piece, PieceType, Position, Size, Square};

fn inventions() -> Vec<Invention> {
    let of = |name: &str, definition: &str| Invention {
        name: name.parse().unwrap(),
        definition: definition.parse::<Definition>().unwrap(),
    };
    vec![
        of("Horse", "lame(1,2)"),
        of("Ram", "lame(0,3)"),
        of("Ox", "lame(2,2)"),
        of("Zebra", "leaper(2,3)"),
        of("Line", "rider(0,2)"),
        of("Run", "runner"),
        of("Slow", "lamed"),
        of("Two", "range(2)"),
    ]
}

/// Text, leap, number of repetitions, whether it is lame.
const PIECES: [(&str, (i32, i32), i32, bool); 9] = [
    ("<Horse>", (1, 2), 1, true),
    ("<Ram>", (0, 3), 1, true),
    ("<Ox>", (2, 2), 1, true),
    ("<Zebra>", (2, 3), 1, false),
    ("<Line>", (0, 2), 8, false),
    ("<Run><Slow>N", (1, 2), 8, true),
    ("<Two>R", (0, 1), 2, false),
    ("<Run><Two>D", (0, 2), 2, false),
    ("<Run><Horse>", (1, 2), 8, true),
];

fn walk(units: &dyn Fn((i32, i32)) -> Option<bool>, from: (i32, i32), piece: usize) -> BTreeSet<(i32, i32)> {
    let (_, (short, long), most, lame) = PIECES[piece];
    let inside = |(x, y): (i32, i32)| (0..8).contains(&x) && (0..8).contains(&y);
    let mut targets = BTreeSet::new();
    for (a, b) in [(short, long), (long, short)] {
        for (sx, sy) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let (dx, dy) = (a * sx, b * sy);
            let mut at = from;
            for _ in 0..most {
                if lame {
                    // A straight step passes all squares between, a knight's step only the adjacent square on its long side.
                    let straight = dx == 0 || dy == 0 || dx.abs() == dy.abs();
                    let legs = if straight { long } else { 2 };
                    let unit = |d: i32| if straight || d.abs() == long { d.signum() } else { 0 };
                    if (1..legs).any(|leg| units((at.0 + unit(dx) * leg, at.1 + unit(dy) * leg)).is_some()) {
                        break;
                    }
                }
                at = (at.0 + dx, at.1 + dy);
                if !inside(at) {
                    break;
                }
                match units(at) {
                    None => targets.insert(at),
                    Some(true) => break,
                    Some(false) => {
                        targets.insert(at);
                        break;
                    }
                };
            }
        }
    }
    targets
}

#[test]
fn invented_pieces_move_as_defined() {
    let inventions = inventions();
    let kinds = PIECES.iter().zip("ABCDEFGHI".chars()).map(|((text, ..), letter)| {
        PieceType::new(letter, text, &Betza::read(text, &inventions).unwrap(), Size::ORTHODOX)
    });
    let mut kinds: Vec<PieceType> = kinds.collect();
    kinds.push(PieceType::new('K', "king", &"royal-WF".parse().unwrap(), Size::ORTHODOX));
    let board = Board::new(Size::ORTHODOX, kinds);
    let mut rng = StdRng::seed_from_u64(9);
    let mut checks = 0;
    for _ in 0..3000 {
        let mut position = Position::EMPTY;
        for index in 0..64 {
            if rng.random_ratio(1, 4) {
                let color = if rng.random() { Color::White } else { Color::Black };
                position.put(&board, Square::at(index), Piece { color, kind: rng.random_range(0..PIECES.len() as u8) });
            }
        }
        let royal = Square::at(rng.random_range(0..64));
        position.put(&board, royal, Piece { color: Color::White, kind: 9 });
        let on = |(x, y): (i32, i32)| (0..8).contains(&x) && (0..8).contains(&y);
        let unit = |(x, y): (i32, i32)| Square::new(x as u8, y as u8);
        let attacked = |position: &Position, royal: Square| {
            position.pieces().filter(|(_, piece)| piece.color == Color::Black).any(|(from, piece)| {
                let black = |at: (i32, i32)| {
                    on(at).then(|| position.piece(unit(at)).map(|piece| piece.color == Color::Black)).flatten()
                };
                let from = (i32::from(from.file()), i32::from(from.rank()));
                walk(&black, from, usize::from(piece.kind))
                    .contains(&(i32::from(royal.file()), i32::from(royal.rank())))
            })
        };
        checks += usize::from(attacked(&position, royal));
        assert_eq!(board.in_check(&position, Color::White), attacked(&position, royal), "{}", board.fen(&position));
        let white = |at: (i32, i32)| {
            on(at).then(|| position.piece(unit(at)).map(|piece| piece.color == Color::White)).flatten()
        };
        let mut wanted = BTreeSet::new();
        for (from, piece) in position.pieces().filter(|(_, piece)| piece.color == Color::White) {
            let at = (i32::from(from.file()), i32::from(from.rank()));
            let targets: BTreeSet<Square> = if piece.kind == 9 {
                let near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (at.0 + dx, at.1 + dy)));
                near.filter(|(x, y)| (0..8).contains(x) && (0..8).contains(y) && white((*x, *y)) != Some(true))
                    .map(unit)
                    .collect()
            } else {
                walk(&white, at, usize::from(piece.kind)).into_iter().map(unit).collect()
            };
            for to in targets {
                let mut after = position;
                after.remove(from);
                after.put(&board, to, piece);
                if !attacked(&after, if piece.kind == 9 { to } else { royal }) {
                    wanted.insert((from, to));
                }
            }
        }
        let found: BTreeSet<_> = board.moves(&position).into_iter().map(|mv| (mv.from, mv.to)).collect();
        assert_eq!(found, wanted, "{}", board.fen(&position));
    }
    assert!(checks > 300, "{checks}");
}

#[test]
fn invented_texts_are_parsed() {
    let inventions = inventions();
    let read = |text: &str| Betza::read(text, &inventions);
    for (text, canonical) in [
        ("Wc<Horse>", "Wc<Horse>"),
        ("<Run>mD", "m<Run>D"),
        ("<Slow><Run>fN", "fh<Run><Slow>N"),
        ("<Two>Q", "<Two>R<Two>B"),
        ("W<Slow>W", "W<Slow>W"),
        ("royal-<Horse>", "royal-<Horse>"),
    ] {
        let piece = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(piece.to_string(), canonical);
        assert_eq!(read(canonical).unwrap(), piece);
        assert!(!piece.in_words().is_empty());
    }
    for (text, at) in [
        ("<Cow>", 0),
        ("W<Horse", 1),
        ("<horse>", 1),
        ("<Run>", 0),
        ("<Run>R", 5),
        ("<Two>W", 5),
        ("<Slow><Horse>", 6),
        ("<Run><Run>W", 5),
        ("f<Zebra>l", 8),
        ("s<Ox>", 0),
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(error.at, at, "{text}: {error}");
    }
    for text in [
        "lame(2,1)",
        "leaper(0,0)",
        "leaper(1,8)",
        "range(0)",
        "range(8)",
        "bent(1,1)",
        "bent(1,1,1,1)",
        "bent(1,1,0,8)",
        "hopper(2)",
        "rider(1)",
        "runner()",
        "x",
        "",
    ] {
        assert!(text.parse::<Definition>().is_err(), "{text}");
    }
}
