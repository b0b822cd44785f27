//! Compares random pieces on boards of all sizes with a naive generator that walks the board square by square.

use std::collections::{BTreeMap, BTreeSet};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use zorkmid_board::{Betza, Board, Color, Piece, PieceType, Position, RoyalRule, Size, Special, Square};

/// A term as the test understands it.
#[derive(Clone)]
struct Term {
    vectors: Vec<(i32, i32)>,
    rides: bool,
    moves: bool,
    captures: bool,
}

struct Design {
    royal: bool,
    terms: Vec<Term>,
}

/// Draws a term: its text and its meaning.
fn term(rng: &mut StdRng) -> (String, Term) {
    const STRAIGHT: [(&str, (i32, i32)); 4] = [("f", (0, 1)), ("b", (0, -1)), ("l", (-1, 0)), ("r", (1, 0))];
    const SLANTED: [(&str, (i32, i32)); 4] = [("fl", (-1, 1)), ("fr", (1, 1)), ("bl", (-1, -1)), ("br", (1, -1))];
    const KNIGHTLY: [(&str, (bool, i32, i32)); 8] = [
        ("fl", (false, -1, 1)),
        ("fr", (false, 1, 1)),
        ("bl", (false, -1, -1)),
        ("br", (false, 1, -1)),
        ("lf", (true, -1, 1)),
        ("rf", (true, 1, 1)),
        ("lb", (true, -1, -1)),
        ("rb", (true, 1, -1)),
    ];
    let (atom, short, long, rides) = [
        ("W", 0, 1, false),
        ("F", 1, 1, false),
        ("D", 0, 2, false),
        ("A", 2, 2, false),
        ("H", 0, 3, false),
        ("G", 3, 3, false),
        ("N", 1, 2, false),
        ("L", 1, 3, false),
        ("R", 0, 1, true),
        ("B", 1, 1, true),
        ("NN", 1, 2, true),
    ][rng.random_range(0..11)];
    let all: Vec<(&str, (i32, i32))> = if short == 0 {
        STRAIGHT.map(|(name, (x, y))| (name, (x * long, y * long))).to_vec()
    } else if short == long {
        SLANTED.map(|(name, (x, y))| (name, (x * long, y * long))).to_vec()
    } else {
        let tall = |tall: bool, x: i32, y: i32| if tall { (x * short, y * long) } else { (x * long, y * short) };
        KNIGHTLY.map(|(name, (upright, x, y))| (name, tall(upright, x, y))).to_vec()
    };
    let mut chosen: Vec<(&str, (i32, i32))> = all.iter().filter(|_| rng.random()).copied().collect();
    if chosen.is_empty() || rng.random() {
        chosen = all.clone();
    }
    let names = if chosen.len() == all.len() { String::new() } else { chosen.iter().map(|(name, _)| *name).collect() };
    let (mode, moves, captures) = [("", true, true), ("m", true, false), ("c", false, true)][rng.random_range(0..3)];
    let vectors = chosen.into_iter().map(|(_, vector)| vector).collect();
    (format!("{mode}{names}{atom}"), Term { vectors, rides, moves, captures })
}

/// Draws a piece whose letters cannot be misread across terms.
fn design(rng: &mut StdRng, royal: bool) -> (Betza, Design) {
    loop {
        let mut text = if royal { "royal-".to_owned() } else { String::new() };
        let mut terms: Vec<Term> = Vec::new();
        for _ in 0..rng.random_range(1..4) {
            let (name, term) = term(rng);
            if text.chars().last().is_some_and(|last| name.starts_with(last)) {
                continue;
            }
            text.push_str(&name);
            terms.push(term);
        }
        if !terms.is_empty() {
            return (text.parse().unwrap_or_else(|error| panic!("{text}: {error}")), Design { royal, terms });
        }
    }
}

type Units = BTreeMap<(i32, i32), (bool, usize)>;

/// A naive move generator on a board stored as a map.
struct Naive<'d> {
    width: i32,
    height: i32,
    designs: &'d [Design],
}

impl Naive<'_> {
    /// Targets of the piece on `from`.
    fn targets(&self, units: &Units, from: (i32, i32)) -> BTreeSet<(i32, i32)> {
        let (white, kind) = units[&from];
        let sign = if white { 1 } else { -1 };
        let mut targets = BTreeSet::new();
        for term in &self.designs[kind].terms {
            for (dx, dy) in &term.vectors {
                let mut at = from;
                loop {
                    at = (at.0 + dx * sign, at.1 + dy * sign);
                    if at.0 < 0 || at.1 < 0 || at.0 >= self.width || at.1 >= self.height {
                        break;
                    }
                    match units.get(&at) {
                        Some((other, _)) if *other != white && term.captures => targets.insert(at),
                        None if term.moves => targets.insert(at),
                        Some(_) | None => false,
                    };
                    if units.contains_key(&at) || !term.rides {
                        break;
                    }
                }
            }
        }
        targets
    }

    /// True if a side's only royal piece can be captured.
    fn in_check(&self, units: &Units, white: bool) -> bool {
        let royals: Vec<_> = units.iter().filter(|(_, unit)| unit.0 == white && self.designs[unit.1].royal).collect();
        let [(royal, _)] = royals[..] else { return false };
        units.iter().any(|(from, unit)| unit.0 != white && self.targets(units, *from).contains(royal))
    }

    fn moves(&self, units: &Units, white: bool, check: bool) -> BTreeSet<((i32, i32), (i32, i32))> {
        let mut moves = BTreeSet::new();
        for (from, _) in units.iter().filter(|(_, unit)| unit.0 == white) {
            for to in self.targets(units, *from) {
                let mut after = units.clone();
                let unit = after.remove(from).unwrap();
                after.insert(to, unit);
                if !check || !self.in_check(&after, white) {
                    moves.insert((*from, to));
                }
            }
        }
        moves
    }
}

#[test]
fn random_pieces_match_a_naive_generator() {
    let mut rng = StdRng::seed_from_u64(4);
    let mut checks = 0;
    for _ in 0..4000 {
        let (width, height) = (rng.random_range(1..=8u8), rng.random_range(1..=8u8));
        let size = Size::new(width, height).unwrap();
        let (betzas, designs): (Vec<Betza>, Vec<Design>) = (0..5).map(|kind| design(&mut rng, kind == 0)).unzip();
        let kinds =
            betzas.iter().zip("KABCD".chars()).map(|(betza, letter)| PieceType::new(letter, "piece", betza, size));
        let mut board = Board::new(size, kinds.collect());
        board.royalty = if rng.random_range(0..5) == 0 { RoyalRule::Capture } else { RoyalRule::Check };
        let naive = Naive { width: i32::from(width), height: i32::from(height), designs: &designs };

        let (mut position, mut units) = (Position::EMPTY, Units::new());
        let crowd = rng.random_range(1..=6);
        for square in size.squares() {
            if rng.random_range(0..8) < crowd {
                let color = if rng.random() { Color::White } else { Color::Black };
                let kind = if rng.random_range(0..12) == 0 { 0 } else { rng.random_range(1..5) };
                position.put(&board, square, Piece { color, kind: kind as u8 });
                units.insert(coordinates(square), (color == Color::White, kind));
            }
        }
        let text = format!("{} {:?}", board.fen(&position), betzas.iter().map(Betza::to_string).collect::<Vec<_>>());
        assert_eq!(board.parse_fen(&board.fen(&position)), Ok(position), "{}", text);
        for color in Color::BOTH {
            position.turn = color;
            let white = color == Color::White;
            let check = naive.in_check(&units, white);
            checks += usize::from(check);
            assert_eq!(board.in_check(&position, color), check, "{}", text);
            let moves = board.moves(&position);
            assert!(moves.iter().all(|mv| mv.special == Special::Plain && mv.promotion.is_none()));
            let found: BTreeSet<_> = moves.iter().map(|mv| (coordinates(mv.from), coordinates(mv.to))).collect();
            assert_eq!(found.len(), moves.len(), "{}", text);
            let wanted = naive.moves(&units, white, board.royalty == RoyalRule::Check);
            assert_eq!(found, wanted, "{color:?} {}", text);
            assert_eq!(board.count(&position), wanted.len() as u64);
            for mv in moves {
                let after = board.after(&position, mv);
                let (from, to) = (coordinates(mv.from), coordinates(mv.to));
                let mut walked = units.clone();
                let unit = walked.remove(&from).unwrap();
                walked.insert(to, unit);
                let kept: Units = after.pieces().map(|(square, piece)| (coordinates(square), as_unit(piece))).collect();
                assert_eq!(kept, walked, "{} {mv:?}", text);
            }
        }
    }
    assert!(checks > 200, "{checks}");
}

fn as_unit(piece: Piece) -> (bool, usize) {
    (piece.color == Color::White, usize::from(piece.kind))
}

fn coordinates(square: Square) -> (i32, i32) {
    (i32::from(square.file()), i32::from(square.rank()))
}
