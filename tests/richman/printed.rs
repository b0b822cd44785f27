//! Answers about four pieces that are written in one go: byte for byte what the board's own moves make of the same files.

use super::{often::often, orthodox};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use std::{collections::HashMap, fs, path::PathBuf};
use tempfile::TempDir;
use zorkmid::{
    board::{Size, Square},
    richman::{FourFiles, FourTable, Numbering, Pair, Printer, Quad, Question, Wide, file_of, read, rules},
};

const ONE: u64 = 1 << 63;

fn pair(name: &str) -> Pair {
    name.parse().unwrap()
}

/// A number that follows from a place, as if by lot.
fn lot(place: usize) -> u64 {
    let mixed = (place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// A made-up table: bounds that are near each other, and others of which α < β is known, or nothing.
fn made_up(name: &str) -> FourTable {
    let (pair, numbering) = (pair(name), Numbering::new(pair(name)));
    let (mut low, mut span, mut wide) =
        (Vec::with_capacity(numbering.len()), Vec::with_capacity(numbering.len()), Vec::new());
    for place in 0..numbering.len() {
        // Of two like pieces it does not matter which stands where.
        let (one, two) = (place >> 6 & 63, place & 63);
        let alike = pair.together && pair.first == pair.second && two < one;
        let number = lot(if alike { place >> 12 << 12 | two << 6 | one } else { place });
        // The least and the greatest among them, and some that are the same. A corner suits Black’s king, and whatever
        // he does takes him out of it: there bids are below zero.
        let bare = numbering.quad(place).bare;
        let cornered = [bare.file(), bare.rank()].iter().all(|line| [0, 7].contains(line));
        let least = match number % 16 {
            _ if cornered => number >> 16,
            0 => 0,
            1 => ONE,
            2 => ONE / 2,
            _ => number / 4,
        };
        let far = number >> 32 & 7 < 2 && least < ONE / 2;
        low.push(least);
        span.push(if far { u16::MAX } else { (number >> 40 & 4095).min(ONE - least) as u16 });
        if far {
            let (alpha, beta) = (least + 9000, least + if number >> 36 & 1 == 1 { 40_000 } else { 5 });
            wide.push(Wide { place: place as u32, alpha, beta, high: least + 50_000 });
        }
    }
    FourTable { pair, numbering, low, span, wide }
}

/// A folder with made-up tables: one with a pawn and those of all that it becomes, and one of like pieces.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["KNNvK", "KRvKP", "KQvKR", "KRvKR", "KRvKB", "KRvKN"] {
        made_up(name).write(&mut fs::File::create(file_of(folder.path(), pair(name))).unwrap()).unwrap();
    }
    folder
}

/// A position drawn by lot, of either colours.
fn drawn(chance: &mut StdRng, pair: Pair) -> Question {
    let board = rules(Size::ORTHODOX);
    loop {
        let [king, bare, first, second] = [0; 4].map(|_| Square::at(chance.random_range(0..64)));
        let squares = [king, bare, first, second];
        if (1..4).any(|at| squares[..at].contains(&squares[at])) {
            continue;
        }
        let fen = board.placement_fen(&Quad { king, bare, first, second, stepped: None }.position(board, pair));
        let other = |letter: char| match letter.is_uppercase() {
            true => letter.to_ascii_lowercase(),
            false => letter.to_ascii_uppercase(),
        };
        let turned = || fen.split('/').rev().map(|row| row.chars().map(other).collect::<String>()).collect::<Vec<_>>();
        // A pawn may have been drawn where none stands.
        if let Ok(question) = read(&if chance.random() { turned().join("/") } else { fen.clone() }) {
            break question;
        }
    }
}

/// What a server sends that asks the board for the moves.
fn built(question: &Question, files: &FourFiles) -> String {
    let (answer, enclosed) = question.of_four(&orthodox(), files).unwrap().unwrap();
    let [answer, enclosed] = [serde_json::to_string(&answer).unwrap(), serde_json::to_string(&enclosed).unwrap()];
    format!("{},\"chips\":null,\"horizon\":null,\"enclosed\":{enclosed}}}", answer.strip_suffix('}').unwrap())
}

/// Compares so many answers about a pair, and counts those in which some words stand.
fn compared(printer: &Printer, files: &FourFiles, name: &str, count: usize) -> HashMap<&'static str, usize> {
    let (mut chance, mut seen) = (StdRng::seed_from_u64(lot(count)), HashMap::new());
    for _ in 0..count {
        let question = drawn(&mut chance, pair(name));
        let (fen, built) = (question.fen(), built(&question, files));
        let (printed, digest) = printer.print_four(&question).unwrap();
        assert_eq!(std::str::from_utf8(&printed).unwrap(), built, "{fen}");
        assert_eq!(printer.print_four_fen(&fen), Some((printed, digest)), "{fen}");
        for words in [
            "=Q",
            "#",
            "x",
            "\"bid\":{\"lo\":\"-",
            "\"hi\":\"1.0",
            "true,\"bid\":{",
            "false,\"bid\":{",
            "null,\"bid\":{",
        ] {
            *seen.entry(words).or_default() += usize::from(built.contains(words));
        }
        // A text that is something else, or the same in other letters.
        let at = chance.random_range(0..fen.len());
        let letters = ["k", "K", "p", "P", "q", "/", "1", "7", "8", "11", "0", "9", "", " ", "é", "x"];
        let other = [&fen[..at], letters[chance.random_range(0..letters.len())], &fen[at + 1..]].concat();
        if let Some((answer, _)) = printer.print_four_fen(&other) {
            let question = read(&other).unwrap();
            assert_eq!((printer.print_four(&question).unwrap().0, question.fen()), (answer, other));
        }
    }
    seen
}

#[test]
fn bounds_of_four_pieces_are_written_as_they_are_built() {
    let folder = folder();
    let (files, printer) = (FourFiles::new(folder.path().to_owned()), Printer::new(orthodox()));
    let fen = "7k/8/8/3p4/3R4/8/8/K7";
    assert!(printer.print_four_fen(fen).is_none(), "nothing is open yet");
    let mut all: HashMap<&str, usize> = HashMap::new();
    for name in ["KNNvK", "KRvKR", "KRvKP"] {
        assert!(printer.open_four(&files, pair(name)).unwrap());
        for (words, count) in compared(&printer, &files, name, often(1500)) {
            *all.entry(words).or_default() += count;
        }
    }
    assert!(all.values().all(|count| *count > 0), "{all:?}");
    // Two knights can go to a square, from one file or from one rank.
    let told = |fen: &str| String::from_utf8(printer.print_four_fen(fen).unwrap().0.to_vec()).unwrap();
    assert!(told("7k/8/1N6/8/1N6/8/8/K7").contains("\"san\":\"N4d5\""));
    assert!(told("7k/8/8/8/1N3N2/8/8/K7").contains("\"san\":\"Nbd5\""));
    // What no file tells of is not printed, and neither are three pieces or five.
    assert!(!printer.open_four(&files, pair("KQQvK")).unwrap());
    for other in ["7k/8/8/3Q4/3Q4/8/8/K7", "7k/8/8/3N4/8/8/8/K7", "7k/8/8/3N4/8/8/8/KNN5"] {
        assert!(printer.print_four_fen(other).is_none(), "{other}");
    }
    let digest = |fen: &str| printer.print_four_fen(fen).unwrap().1.to_owned();
    assert!(digest(fen) != digest("7k/8/8/3N4/3N4/8/8/K7") && digest(fen).len() == 64);
}

/// The same of all thirty tables, if a folder with their files is named.
#[test]
fn bounds_of_all_thirty_tables_are_written_as_they_are_built() {
    let Some(folder) = std::env::var_os("ZORKMID_FOUR").map(PathBuf::from) else { return };
    let (files, printer) = (FourFiles::new(folder), Printer::new(orthodox()));
    for pair in files.pairs() {
        assert!(printer.open_four(&files, pair).unwrap(), "{pair}");
        compared(&printer, &files, &pair.to_string(), often(300));
    }
    // A pawn that may be captured in passing, which the text of a placement does not say.
    let passing = read("7k/8/8/8/3Pp3/8/8/K7 w - d3").unwrap();
    assert!(passing.is_of_four() && printer.print_four(&passing).is_none());
    assert!(printer.print_four(&read("7k/8/8/8/3Pp3/8/8/K7").unwrap()).is_some());
    println!("answers about {} pairs are written as they are built", files.pairs().len());
}
