//! Compares hoppers, bent riders, first moves and relays with a naive generator that shares neither the board's tables
//! nor its parser: targets, guarded pieces, checks and legal moves.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use std::collections::BTreeSet;
use zorkmid_board::{Betza, Board, Color, Definition, Invention, Piece, PieceType, Position, Size, Square};

type At = (i32, i32);

/// Condition on the earlier landing squares of a ride.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Clear,
    OverOne,
    RightBehind,
}

/// One way of moving: its leaps, their number, its conditions, and whether it moves, captures, is a first move and is
/// relayed.
#[derive(Clone, Copy)]
struct Go {
    first: At,
    then: At,
    most: i32,
    way: Way,
    lame: bool,
    moves: bool,
    captures: bool,
    fresh: bool,
    lent: bool,
}

const LEAP: Go = Go {
    first: (1, 2),
    then: (1, 2),
    most: 1,
    way: Way::Clear,
    lame: false,
    moves: true,
    captures: true,
    fresh: false,
    lent: false,
};
const KNIGHT: Go = LEAP;
const WAZIR: Go = Go { first: (0, 1), then: (0, 1), ..LEAP };
const FERZ: Go = Go { first: (1, 1), then: (1, 1), ..LEAP };
const ROOK: Go = Go { most: 8, ..WAZIR };
const BISHOP: Go = Go { most: 8, ..FERZ };

/// Each piece as Betza text and as ways of moving.
fn pieces() -> Vec<(&'static str, Vec<Go>)> {
    vec![
        ("<Cannon>R", vec![Go { way: Way::OverOne, ..ROOK }]),
        ("mRc<Cannon>R", vec![Go { captures: false, ..ROOK }, Go { way: Way::OverOne, moves: false, ..ROOK }]),
        ("<Grass>R<Grass>B", vec![Go { way: Way::RightBehind, ..ROOK }, Go { way: Way::RightBehind, ..BISHOP }]),
        ("<Run><Cannon>N", vec![Go { way: Way::OverOne, most: 8, ..KNIGHT }]),
        ("<Gryphon>", vec![Go { first: (1, 1), then: (0, 1), most: 8, ..LEAP }]),
        ("<Aanca>", vec![Go { first: (0, 1), then: (1, 1), most: 8, ..LEAP }]),
        ("<Two><Unicorn>", vec![Go { first: (1, 2), then: (1, 1), most: 2, ..LEAP }]),
        ("<Slow>L", vec![Go { first: (1, 3), lame: true, ..LEAP }]),
        ("<Slowzebra>", vec![Go { first: (2, 3), lame: true, ..LEAP }]),
        ("<Fresh>RN", vec![Go { fresh: true, ..ROOK }, KNIGHT]),
        ("<Charosh>NW", vec![Go { lent: true, ..KNIGHT }, WAZIR]),
        ("relay-B", vec![Go { lent: true, ..BISHOP }]),
        ("R", vec![ROOK]),
        ("royal-WF", vec![WAZIR, FERZ]),
    ]
}

fn inventions() -> Vec<Invention> {
    let of = |(name, definition): (&str, &str)| Invention {
        name: name.parse().unwrap(),
        definition: definition.parse::<Definition>().unwrap(),
    };
    [
        ("Cannon", "hopper"),
        ("Grass", "grasshopper"),
        ("Gryphon", "bent(1,1,0,1)"),
        ("Aanca", "bent(0,1,1,1)"),
        ("Unicorn", "bent(1,2,1,1)"),
        ("Slow", "lamed"),
        ("Slowzebra", "lame(2,3)"),
        ("Fresh", "initial"),
        ("Charosh", "relay"),
        ("Run", "runner"),
        ("Two", "range(2)"),
    ]
    .map(of)
    .into()
}

/// A piece: its colour, its index, and whether it has moved.
type Unit = (Color, usize, bool);
type Crowd = std::collections::BTreeMap<At, Unit>;

fn inside((x, y): At) -> bool {
    (0..8).contains(&x) && (0..8).contains(&y)
}

fn all((short, long): At) -> BTreeSet<At> {
    let both = [(short, long), (long, short)].into_iter();
    both.flat_map(|(x, y)| [(x, y), (-x, y), (x, -y), (-x, -y)]).collect()
}

/// Squares on the path of a leap: first along its longer side, then diagonally.
fn steps((dx, dy): At) -> Vec<At> {
    let (mut at, mut passed) = ((0, 0), Vec::new());
    loop {
        let (x, y): At = (dx - at.0, dy - at.1);
        at = match x.abs().cmp(&y.abs()) {
            std::cmp::Ordering::Greater => (at.0 + x.signum(), at.1),
            std::cmp::Ordering::Less => (at.0, at.1 + y.signum()),
            std::cmp::Ordering::Equal => (at.0 + x.signum(), at.1 + y.signum()),
        };
        if at == (dx, dy) {
            return passed;
        }
        passed.push(at);
    }
}

/// Targets of one way of moving, whatever occupies them.
fn led(crowd: &Crowd, from: At, go: &Go) -> BTreeSet<At> {
    let mut targets = BTreeSet::new();
    for first in all(go.first) {
        let along = |(x, y): &At| x * first.0 + y * first.1;
        let onward: Vec<At> = if go.then == go.first {
            vec![first]
        } else {
            let most = all(go.then).iter().map(along).max().unwrap();
            all(go.then).into_iter().filter(|then| along(then) == most).collect()
        };
        for then in onward {
            let (mut at, mut behind): (At, Vec<At>) = (from, Vec::new());
            for number in 0..go.most {
                let leap = if number == 0 { first } else { then };
                if go.lame && steps(leap).into_iter().any(|(x, y)| crowd.contains_key(&(at.0 + x, at.1 + y))) {
                    break;
                }
                at = (at.0 + leap.0, at.1 + leap.1);
                if !inside(at) {
                    break;
                }
                let full: Vec<bool> = behind.iter().map(|square| crowd.contains_key(square)).collect();
                let count = full.iter().filter(|full| **full).count();
                let fits = match go.way {
                    Way::Clear => count == 0,
                    Way::OverOne => count == 1,
                    Way::RightBehind => count == 1 && full.last() == Some(&true),
                };
                if fits {
                    targets.insert(at);
                }
                behind.push(at);
            }
        }
    }
    targets
}

/// The ways of moving that a piece has, including relayed ones.
fn powers(crowd: &Crowd, at: At, known: &[(&str, Vec<Go>)]) -> Vec<Go> {
    let (color, piece, moved) = crowd[&at];
    let mut powers: Vec<Go> = known[piece].1.iter().filter(|go| !go.fresh || !moved).copied().collect();
    for (from, (theirs, lender, lender_moved)) in crowd {
        let guards = known[*lender].1.iter().any(|go| {
            go.captures && (!go.fresh || !lender_moved) && *from != at && led(crowd, *from, go).contains(&at)
        });
        if *theirs == color && guards {
            powers.extend(known[*lender].1.iter().filter(|go| go.lent));
        }
    }
    powers
}

fn attacked(crowd: &Crowd, target: At, by: Color, known: &[(&str, Vec<Go>)]) -> bool {
    crowd.iter().filter(|(_, unit)| unit.0 == by).any(|(from, _)| {
        powers(crowd, *from, known).iter().any(|go| go.captures && led(crowd, *from, go).contains(&target))
    })
}

#[test]
fn inventions_match_a_naive_generator() {
    let (known, inventions) = (pieces(), inventions());
    let kind = |((text, _), letter): (&(&str, _), char)| {
        PieceType::new(letter, text, &Betza::read(text, &inventions).unwrap(), Size::ORTHODOX)
    };
    let board = Board::new(Size::ORTHODOX, known.iter().zip('A'..).map(kind).collect());
    let king = known.len() - 1;
    let mut rng = StdRng::seed_from_u64(23);
    let (mut checks, mut moves) = (0, 0);
    for _ in 0..crate::often::often(600) {
        let (mut crowd, mut position) = (Crowd::new(), Position::EMPTY);
        let full = rng.random_range(8..30);
        for _ in 0..full {
            let at = (rng.random_range(0..8), rng.random_range(0..8));
            let color = if rng.random() { Color::White } else { Color::Black };
            crowd.insert(at, (color, rng.random_range(0..king), rng.random()));
        }
        let royal = (rng.random_range(0..8), rng.random_range(0..8));
        crowd.insert(royal, (Color::White, king, rng.random()));
        let square = |(x, y): At| Square::new(x as u8, y as u8);
        for (at, (color, piece, moved)) in &crowd {
            position.put(&board, square(*at), Piece { color: *color, kind: *piece as u8 });
            if *moved {
                position.rights &= !square(*at).set();
            }
        }
        let fen = board.fen(&position);
        let check = attacked(&crowd, royal, Color::Black, &known);
        checks += usize::from(check);
        assert_eq!(board.in_check(&position, Color::White), check, "{fen}");
        let mut wanted = BTreeSet::new();
        for (from, unit) in crowd.iter().filter(|(_, unit)| unit.0 == Color::White) {
            for go in powers(&crowd, *from, &known) {
                for to in led(&crowd, *from, &go) {
                    let there = crowd.get(&to).map(|unit| unit.0);
                    if there == Some(Color::White) || there.is_none() && !go.moves || there.is_some() && !go.captures {
                        continue;
                    }
                    let mut after = crowd.clone();
                    after.remove(from);
                    after.insert(to, (unit.0, unit.1, true));
                    let royal = if *from == royal { to } else { royal };
                    if !attacked(&after, royal, Color::Black, &known) {
                        wanted.insert((square(*from), square(to)));
                    }
                }
            }
        }
        let found: BTreeSet<_> = board.moves(&position).into_iter().map(|mv| (mv.from, mv.to)).collect();
        assert_eq!(found, wanted, "{fen}");
        moves += found.len();
        // A piece that has moved loses its first move.
        for mv in board.moves(&position) {
            assert!(!board.after(&position, mv).rights.has(mv.to), "{fen} {}{}", mv.from, mv.to);
        }
    }
    assert!(!crate::often::is_whole() || checks > 100 && moves > 5_000, "{checks} {moves}");
}
