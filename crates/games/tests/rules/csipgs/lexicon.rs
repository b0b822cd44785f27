//! The piece catalogue against Fairy-Stockfish, and its texts against cheaper texts for the same moves.

use std::collections::{BTreeMap, BTreeSet};

use num_rational::Ratio;
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use zorkmid_games::{
    board::{
        Atom, Betza, Board, Color, Mode, ModifiedAtom, Modifiers, MovementSummary, Piece, PieceType, Position, Size,
        Squares,
    },
    variants::csipgs::{
        piece_design::cheaper,
        piece_names::{self, CatalogueQuery, Similarity},
        price::{Catalogue, exact},
    },
};

use crate::{often::often, pyffish};

fn piece(text: &str) -> Betza {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn powers(text: &str) -> MovementSummary {
    MovementSummary::of(&piece(text))
}

/// The best-known names of the pieces that a query finds.
fn found(wanted: &CatalogueQuery) -> Vec<&'static str> {
    piece_names::search(wanted).iter().map(|known| known.names[0]).collect()
}

#[test]
fn every_line_is_a_piece_with_unique_names() {
    let text = include_str!("../../../src/variants/csipgs/lexicon.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(piece_names::all().len(), lines, "a line cannot be parsed");
    assert!(lines >= 150, "{lines}");
    let (mut names, mut texts) = (BTreeSet::new(), BTreeMap::new());
    for known in piece_names::all() {
        assert!(!known.origin.is_empty() && !known.names.is_empty(), "{known:?}");
        for name in &known.names {
            assert!(!name.is_empty() && names.insert(name.to_lowercase()), "“{name}” is listed twice");
        }
        let same = piece_names::all().iter().filter(|other| other.powers == known.powers).count();
        assert_eq!(same, 1, "{:?} moves like another piece", known.names);
        assert!(texts.insert(known.piece.to_string(), &known.names).is_none());
        assert_eq!(cheaper(&known.piece, &Catalogue::default()), None, "{:?} has a cheaper text", known.names);
    }
}

#[test]
fn searches_find_pieces() {
    let named = |name| found(&CatalogueQuery { name, ..CatalogueQuery::default() });
    assert_eq!(named("empress"), ["chancellor"]);
    assert_eq!(named(" KIRIN ")[0], "kirin");
    assert!(named("chu shogi").len() > 12 && named("no such piece").is_empty());
    let like =
        |text, likeness| found(&CatalogueQuery { like: Some((powers(text), likeness)), ..CatalogueQuery::default() });
    assert_eq!(like("mWcWFmF", Similarity::Same), ["commoner"]);
    assert_eq!(like("royal-WF", Similarity::Same), ["king"]);
    assert_eq!(
        like("fFfW", Similarity::Within),
        ["shogi pawn", "stone general", "Berolina pawn", "pawn", "breakthrough piece", "iron general"]
    );
    for name in ["wazir", "ferz", "commoner", "king", "gold general", "bishop", "rook"] {
        assert!(like("RB", Similarity::Within).contains(&name), "{name}");
    }
    assert!(!like("RB", Similarity::Within).contains(&"dabbaba"), "a dabbaba jumps, and a queen does not");
    let above = like("NN", Similarity::Beyond);
    assert_eq!(above, ["nightrider", "banshee", "raven", "amazonrider"]);
    let priced = |least, most| piece_names::search(&CatalogueQuery { least, most, ..CatalogueQuery::default() });
    let three = Ratio::from(3);
    assert!(priced(Some(three), Some(three)).iter().all(|known| known.exact == three));
    assert_eq!(
        priced(None, Some(three)).len() + priced(Some(three), None).len(),
        piece_names::all().len() + priced(Some(three), Some(three)).len()
    );
    assert!(piece_names::search(&CatalogueQuery::default()).is_sorted_by_key(|known| known.exact));
}

/// A crowded board and a board with a single piece of each colour, for each piece type.
fn boards(board: &Board, rng: &mut StdRng) -> Vec<Position> {
    let many = board.kinds().len() as u8;
    (0..60)
        .map(|number| {
            let mut position = Position::EMPTY;
            let mut put = |rng: &mut StdRng, color, kind| {
                let square = *Size::ORTHODOX.squares().collect::<Vec<_>>().choose(rng).unwrap();
                position.put(board, square, Piece { color, kind });
            };
            // Every piece type moves on an almost empty board and on a crowded one.
            let crowd = if number < many { 0 } else { rng.random_range(6..40) };
            put(rng, if number % 2 == 0 { Color::White } else { Color::Black }, number % many);
            for _ in 0..crowd {
                let color = *Color::BOTH.choose(rng).unwrap();
                let kind = rng.random_range(0..many);
                put(rng, color, kind);
            }
            position.turn = if number % 2 == 0 { Color::White } else { Color::Black };
            position
        })
        .collect()
}

fn moves(board: &Board, position: &Position) -> Vec<String> {
    let mut moves: Vec<String> = board.moves(position).into_iter().map(|mv| format!("{}{}", mv.from, mv.to)).collect();
    moves.sort();
    moves
}

#[test]
fn named_pieces_move_as_in_fairy_stockfish() {
    let mut rng = StdRng::seed_from_u64(11);
    let (mut question, mut ours) = (Vec::new(), Vec::new());
    for some in piece_names::all().chunks(20) {
        // Fairy-Stockfish has no royal custom pieces, so they are tested as ordinary ones.
        let texts: Vec<String> = some.iter().map(|known| known.piece.to_string().replace("royal-", "")).collect();
        let kind = |(text, letter): (&String, char)| PieceType::new(letter, text, &piece(text), Size::ORTHODOX);
        let board = Board::new(Size::ORTHODOX, texts.iter().zip('A'..).map(kind).collect());
        let positions = boards(&board, &mut rng);
        let fens: Vec<String> = positions.iter().map(|position| board.fen(position)).collect();
        ours.push(positions.iter().map(|position| moves(&board, position)).collect::<Vec<_>>());
        question.push(json!({"pieces": texts, "boards": fens}));
    }
    let Some(theirs) =
        pyffish::answer(include_str!("../../../../board/tests/board/betza/pyffish.py"), &Value::from(question.clone()))
    else {
        return;
    };
    let theirs: Vec<Vec<Vec<String>>> = serde_json::from_value(theirs).unwrap();
    assert_eq!(ours, theirs, "{question:?}");
    assert!(ours.iter().flatten().map(Vec::len).sum::<usize>() > 10_000);
}

/// Fairy-Stockfish's name of a piece, and the catalogue's.
const BY_NAME: [(&str, &str); 22] = [
    ("knight", "knight"),
    ("bishop", "bishop"),
    ("rook", "rook"),
    ("queen", "queen"),
    ("fers", "fers"),
    ("alfil", "alfil"),
    ("fersAlfil", "modern elephant"),
    ("silver", "silver general"),
    ("aiwok", "aiwok"),
    ("bers", "bers"),
    ("archbishop", "archbishop"),
    ("chancellor", "chancellor"),
    ("amazon", "amazon"),
    ("knibis", "knibis"),
    ("biskni", "biskni"),
    ("kniroo", "kniroo"),
    ("rookni", "rookni"),
    ("gold", "gold general"),
    ("dragonHorse", "dragon horse"),
    ("wazir", "wazir"),
    ("commoner", "commoner"),
    ("centaur", "centaur"),
];

#[test]
fn names_match_fairy_stockfish() {
    let mut rng = StdRng::seed_from_u64(12);
    let fens: Vec<String> = (0..20)
        .map(|number| {
            let board = Board::new(Size::ORTHODOX, vec![PieceType::new('X', "wazir", &piece("W"), Size::ORTHODOX)]);
            let mut position = Position::EMPTY;
            let squares: Vec<_> = Size::ORTHODOX.squares().collect();
            for _ in 0..=number {
                let (square, color) = (*squares.choose(&mut rng).unwrap(), *Color::BOTH.choose(&mut rng).unwrap());
                position.put(&board, square, Piece { color, kind: 0 });
            }
            board.fen(&position)
        })
        .collect();
    let names: Vec<&str> = BY_NAME.iter().map(|(theirs, _)| *theirs).collect();
    let question = json!({"names": names, "boards": fens});
    let Some(theirs) = pyffish::answer(include_str!("known.py"), &question) else { return };
    let theirs: Vec<Vec<Vec<String>>> = serde_json::from_value(theirs).unwrap();
    for ((_, name), theirs) in BY_NAME.iter().zip(theirs) {
        let known =
            piece_names::all().iter().find(|known| known.names.contains(name)).unwrap_or_else(|| panic!("{name}"));
        let board = Board::new(Size::ORTHODOX, vec![PieceType::new('X', name, &known.piece, Size::ORTHODOX)]);
        for (fen, theirs) in fens.iter().zip(theirs) {
            assert_eq!(moves(&board, &board.parse_fen(fen).unwrap()), theirs, "{name} on {fen}");
        }
    }
}

/// A random piece of up to four terms.
fn random(rng: &mut StdRng) -> Betza {
    let terms = (0..rng.random_range(1..=4)).map(|_| {
        let atom = *Atom::ALL.choose(rng).unwrap();
        let kept: u8 = if rng.random() { u8::MAX } else { rng.random_range(1..=u8::MAX) };
        let steps: Vec<_> = atom.vectors().collect();
        let vectors =
            atom.vectors().only(|step| kept >> steps.iter().position(|known| *known == step).unwrap() & 1 == 1);
        let vectors = if vectors.is_empty() { atom.vectors() } else { vectors };
        let mode = *[Mode::Both, Mode::Both, Mode::Moves, Mode::Captures].choose(rng).unwrap();
        ModifiedAtom { atom, vectors, mode, bends: Modifiers::default() }
    });
    Betza { royal: false, relay: false, doublemove: false, terms: terms.collect() }
}

/// Another text for the same moves: terms are split by mode or direction, repeated and reordered.
fn torn(piece: &Betza, rng: &mut StdRng) -> Betza {
    let mut terms: Vec<ModifiedAtom> = Vec::new();
    for term in &piece.terms {
        let part = rng.random_range(0..3);
        let modes = match (part, term.mode) {
            (0, Mode::Both) => vec![Mode::Moves, Mode::Captures],
            (_, mode) => vec![mode],
        };
        for mode in modes {
            let left = term.vectors.only(|(dx, _)| dx < 0);
            let right = term.vectors.only(|(dx, _)| dx >= 0);
            let parts = if part == 1 { vec![left, right] } else { vec![term.vectors] };
            let parts = parts.into_iter().filter(|vectors| !vectors.is_empty());
            terms.extend(parts.map(|vectors| ModifiedAtom { vectors, mode, ..*term }));
        }
        if part == 2 {
            // Adds a leap that the ride includes.
            let leap = match term.atom {
                Atom::R => Some(Atom::W),
                Atom::B => Some(Atom::F),
                Atom::NN => Some(Atom::N),
                _ => None,
            };
            let vectors = |atom: Atom| atom.vectors().only(|step| term.vectors.has(step));
            terms.extend(leap.map(|atom| ModifiedAtom { atom, vectors: vectors(atom), ..*term }));
        }
    }
    let at = rng.random_range(0..terms.len());
    terms.rotate_left(at);
    Betza { terms, ..piece.clone() }
}

#[test]
fn catalogue_texts_are_the_cheapest() {
    let mut rng = StdRng::seed_from_u64(13);
    let nothing = Catalogue::default();
    let cheapest = |piece: &Betza| cheaper(piece, &nothing).map_or(exact(piece, &nothing), |(_, cost)| cost);
    let mut mended = 0;
    for _ in 0..often(600) {
        let one = random(&mut rng);
        let other = torn(&one, &mut rng);
        assert_eq!(MovementSummary::of(&one), MovementSummary::of(&other), "{one} {other}");
        if let Some((better, cost)) = cheaper(&other, &nothing) {
            assert_eq!(MovementSummary::of(&better), MovementSummary::of(&other), "{other} {better}");
            assert_eq!(better.to_string().parse::<Betza>().map(|read| exact(&read, &nothing)), Ok(cost), "{better}");
            assert!(cost < exact(&other, &nothing));
            assert_eq!(cheaper(&better, &nothing), None, "{better}");
            mended += 1;
        }
        if one.terms.len() <= 4 {
            assert!(cheapest(&other) <= exact(&one, &nothing), "{one} {other}");
        }
    }
    assert!(!crate::often::is_whole() || mended > 100, "{mended}");
    for (text, better) in
        [("mWcW", Some("W")), ("RW", Some("R")), ("WF", None), ("mRmBcR", Some("RmB")), ("royal-WFW", Some("royal-WF"))]
    {
        assert_eq!(cheaper(&piece(text), &nothing).map(|(piece, _)| piece.to_string()).as_deref(), better, "{text}");
    }
    let horse: Catalogue = "Horse lame(1,2) 2.4".parse().unwrap();
    let mixed = Betza::read("mWcW<Horse>", horse.inventions()).unwrap();
    assert_eq!(cheaper(&mixed, &horse).unwrap().0.to_string(), "W<Horse>");
}

/// The eight directions, clockwise from forward.
const COMPASS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

#[test]
fn shogi_pieces_move_as_in_their_tables() {
    let lines = include_str!("shogi.txt").lines().filter(|line| !line.starts_with('#'));
    let mut checked = 0;
    for line in lines {
        let (name, table) = line.split_once(": ").unwrap();
        let known =
            piece_names::all().iter().find(|known| known.names.contains(&name)).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(table.len(), COMPASS.len(), "{name}");
        let mut wanted = BTreeSet::new();
        for (sign, (dx, dy)) in table.chars().zip(COMPASS) {
            let leaps = match sign {
                '1' => 1..=1,
                'X' => 1..=7,
                'J' => 2..=2,
                _ => continue,
            };
            wanted.extend(leaps.map(|far| (dx * far, dy * far)));
        }
        // Compares the moves from every square of an empty board.
        let design = known.piece.design(Size::ORTHODOX);
        for from in Size::ORTHODOX.squares() {
            let targets = design.targets(Color::White, from, from.set(), Squares::EMPTY);
            let expected: Squares = wanted.iter().filter_map(|(dx, dy)| from.step(*dx, *dy, Size::ORTHODOX)).collect();
            assert_eq!(targets, expected, "{name} on {from}");
            assert_eq!(design.attacks(Color::White, from, from.set()), expected, "{name} on {from}");
        }
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
}
