//! Variant files: Fairy-Stockfish plays our files as we do, and we read its files as it plays them.

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use zorkmid_games::{
    board::{Betza, Board, Color, Movement, Piece, PieceType, Position, Size, Square, Squares, fairy_stockfish},
    variants::csipgs::{
        ini::{self, ImportedVariant, Roster},
        price::Catalogue,
    },
};

use super::fairy::{Line, Question, compare, judge};
use crate::often::often;

/// A random game on a board, while there are moves and both sides have a royal piece.
fn walk(board: &Board, start: Position, plies: usize, rng: &mut StdRng) -> Line {
    let mut line = Line { fen: board.fen(&start), moves: Vec::new(), legal: Vec::new() };
    let mut position = start;
    loop {
        let moves = board.moves(&position);
        let mut texts: Vec<String> = moves.iter().map(|mv| board.uci(*mv).to_string()).collect();
        texts.sort();
        line.legal.push(texts);
        match moves.choose(rng) {
            Some(mv) if line.moves.len() < plies => {
                line.moves.push(board.uci(*mv).to_string());
                position = board.after(&position, *mv);
            }
            _ => return line,
        }
    }
}

const DIRECTED: [(&[&str], &[&str]); 3] = [
    (&["", "", "f", "b", "s", "v", "l", "fs", "bl"], &["W", "D", "H", "R", "<Three>R", "<Goat>", "<Two>R", "<Hop>R"]),
    (&["", "", "f", "b", "fl", "rb", "flbr"], &["F", "A", "G", "B", "<Three>B", "<Elephant>", "<Slow>A", "<Grass>B"]),
    (&["", "", "ff", "bs", "fh", "lh", "v", "s", "rf"], &["N", "L", "NN", "<Horse>", "<Zebra>", "<Two>NN", "<Tusker>"]),
];
const INVENTED: &str = "Two range(2) 1; Three range(3) 1; Goat lame(0,2) 1; Elephant lame(2,2) 1; Horse lame(1,2) 1; \
                        Zebra leaper(2,3) 1; Slow lamed 1; Hop hopper 1; Grass grasshopper 1; Tusker lame(2,3) 1";

/// A random design with parts that Fairy-Stockfish supports.
fn design(rng: &mut StdRng) -> String {
    let terms = rng.random_range(1..=3);
    (0..terms)
        .map(|_| {
            let (directions, atoms) = DIRECTED.choose(rng).unwrap();
            let mode = ["m", "c", "mc"].choose(rng).unwrap();
            format!("{mode}{}{}", directions.choose(rng).unwrap(), atoms.choose(rng).unwrap())
        })
        .collect()
}

/// A crowded start: each side has some royal pieces on its first rank, and neither is in check.
fn start(roster: &Roster, board: &Board, royals: &[u8], rng: &mut StdRng) -> Position {
    let size = board.size();
    loop {
        let mut position = Position::EMPTY;
        for color in Color::BOTH {
            for rank in 0..3.min(size.height() / 2) {
                for square in size.squares() {
                    if square.rank() == size.rank_of(color, rank) && rng.random_ratio(2, 3) {
                        let kind = rng.random_range(0..roster.entries.len() as u8 - 1);
                        position.put(board, square, Piece { color, kind });
                    }
                }
            }
            for file in royals {
                let square = Square::new(*file, size.rank_of(color, 0));
                position.put(board, square, Piece { color, kind: roster.entries.len() as u8 - 1 });
            }
        }
        if Color::BOTH.into_iter().all(|color| !board.in_check(&position, color)) {
            return position;
        }
    }
}

#[test]
fn written_files_play_alike() {
    let Some(python) = judge() else { return };
    let mut rng = StdRng::seed_from_u64(15);
    let catalogue: Catalogue = INVENTED.parse().unwrap();
    let mut questions = Vec::new();
    for number in 0..often(5) {
        let mut side = || if number % 2 == 0 { 8 } else { rng.random_range(4..=8) };
        let size = Size::new(side(), side()).unwrap();
        let kings: &[u8] = if number % 3 == 0 { &[1, size.width() - 1] } else { &[size.width() / 2] };
        let roster = loop {
            let mut designs: Vec<String> = (0..rng.random_range(1..7)).map(|_| design(&mut rng)).collect();
            designs.push(format!("royal-W{}", design(&mut rng)));
            let roster = Roster::read(&designs.join(","), &catalogue).unwrap();
            if roster.entries.iter().all(|entry| fairy_stockfish::write(&entry.piece).1.is_empty()) {
                break roster;
            }
        };
        let board = roster.board(size);
        let start = start(&roster, &board, kings, &mut rng);
        let name = format!("written{number}");
        let written = ini::write(&name, &roster, &board, &start).unwrap();
        assert_eq!(written.unsaid.len(), 2, "{:?}", written.unsaid);
        let games = (0..5).map(|_| walk(&board, start, 60, &mut rng)).collect();
        back(&written.text, &roster, &mut rng);
        questions.push(Question { name, ini: written.text, games });
    }
    let [plies, moves] = compare(&python, &questions);
    assert!(plies > 40 * questions.len() && moves > 10 * plies, "{plies} {moves}");
    eprintln!("{} variants, {plies} plies, {moves} moves", questions.len());
}

/// Whether two pieces move alike on crowded boards.
fn alike(one: &Betza, two: &Betza, rng: &mut StdRng) -> bool {
    let [one, two] = [one, two].map(|piece| piece.design(Size::ORTHODOX));
    (0..20).all(|_| {
        let drawn = |rng: &mut StdRng| Size::ORTHODOX.squares().filter(|_| rng.random_ratio(1, 4)).collect::<Squares>();
        let (hostile, friends) = (drawn(rng), drawn(rng));
        let hostile = hostile & !friends;
        Size::ORTHODOX.squares().all(|from| {
            let to = |design: &Movement| design.targets(Color::White, from, hostile | friends, hostile);
            to(&one) == to(&two)
        })
    })
}

/// The written file is read as the same designs.
fn back(text: &str, roster: &Roster, rng: &mut StdRng) {
    let (read, stray) = ini::read(text).unwrap();
    let [ImportedVariant { pieces, unread, .. }] = read.as_slice() else { panic!("{text}") };
    assert!(stray.is_empty() && unread.is_empty(), "{text}: {stray:?} {unread:?}");
    for entry in &roster.entries {
        let piece = pieces.iter().find(|piece| piece.letter == entry.letter).unwrap_or_else(|| panic!("{text}"));
        assert!(piece.unread.is_empty(), "{piece:?}");
        let (ours, _) = piece.ours.as_deref().unwrap();
        assert!(alike(ours, &entry.piece, rng) && ours.royal == entry.piece.royal, "{ours} {}", entry.piece);
    }
}

/// A random piece in Fairy-Stockfish's notation, including unusual spellings.
fn theirs(rng: &mut StdRng) -> String {
    let terms = rng.random_range(1..=3);
    (0..terms)
        .map(|_| {
            let mut term = String::new();
            for _ in 0..[0, 0, 1, 1, 2, 3].choose(rng).copied().unwrap() {
                term.push(*b"fbvhrlsfbrlmc".choose(rng).unwrap() as char);
            }
            if rng.random_ratio(1, 4) {
                term.push(*b"nnpgie".choose(rng).unwrap() as char);
            }
            let atom = *b"WFDNAHLCJZGKRBQ".choose(rng).unwrap() as char;
            term.push(atom);
            match rng.random_range(0..6) {
                0 => term.push(atom),
                1 => term.push(*b"12345789".choose(rng).unwrap() as char),
                _ => {}
            }
            term
        })
        .collect()
}

#[test]
fn fairy_stockfish_pieces_are_read_as_it_plays_them() {
    let Some(python) = judge() else { return };
    let mut rng = StdRng::seed_from_u64(16);
    let (mut questions, mut whole, mut partly) = (Vec::new(), 0, 0);
    for number in 0..often(5) {
        let mut texts = Vec::new();
        let mut kinds = Vec::new();
        while texts.len() < 20 {
            let text = theirs(&mut rng);
            let read = fairy_stockfish::read(&text);
            match read.piece {
                Some(piece) if read.unread.is_empty() => {
                    // Parses the piece's own text again, so that the text is checked too.
                    let again = Betza::read(&piece.to_string(), &read.inventions);
                    assert_eq!(again.as_ref(), Ok(&piece), "{text}");
                    let letter = (b'A' + texts.len() as u8) as char;
                    kinds.push(PieceType::new(letter, &text, &piece, Size::ORTHODOX));
                    texts.push(text);
                    whole += 1;
                }
                _ => partly += 1,
            }
        }
        let board = Board::new(Size::ORTHODOX, kinds);
        let name = format!("theirs{number}");
        let pieces: String = (1..)
            .zip('a'..)
            .zip(&texts)
            .map(|((slot, letter), text)| format!("customPiece{slot} = {letter}:{text}\n"))
            .collect();
        let ini = format!("[{name}]\n{pieces}startFen = 8/8/8/8/8/8/8/8 w - - 0 1\ncastling = false\n");
        let games = (0..30)
            .map(|_| {
                let mut position = Position::EMPTY;
                for square in Size::ORTHODOX.squares() {
                    if rng.random_ratio(1, 4) {
                        let color = if rng.random() { Color::White } else { Color::Black };
                        position.put(&board, square, Piece { color, kind: rng.random_range(0..20) });
                    }
                }
                walk(&board, position, 3, &mut rng)
            })
            .collect();
        questions.push(Question { name, ini, games });
    }
    assert!(whole > partly / 2, "{whole} {partly}");
    let [plies, moves] = compare(&python, &questions);
    eprintln!("{} pieces, {plies} plies, {moves} moves", 20 * questions.len());
}
