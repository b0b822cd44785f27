//! Positions, games and variant files as other programs write them.

use std::fmt::Write;

use serde_json::{Map, Value, json};
use zorkmid_games::{
    board::pgn::Pgn,
    game::{Clocks, Live},
    registry::{Replayed, Variant, find, read},
    rules::Refusal,
    variants::csipgs::ini,
};

use crate::{often::is_whole, pyffish};

const GAMES: [&str; 13] = [
    include_str!("foreign/arena.pgn"),
    include_str!("foreign/ccrl.pgn"),
    include_str!("foreign/chess-com.pgn"),
    include_str!("foreign/chessbase.pgn"),
    include_str!("foreign/chessdb.pgn"),
    include_str!("foreign/cutechess.pgn"),
    include_str!("foreign/fairy-stockfish.pgn"),
    include_str!("foreign/fics.pgn"),
    include_str!("foreign/informator.pgn"),
    include_str!("foreign/lichess.pgn"),
    include_str!("foreign/scid.pgn"),
    include_str!("foreign/special.pgn"),
    include_str!("foreign/xboard.pgn"),
];

fn variant(key: &str) -> &'static Variant {
    find(key).unwrap_or_else(|| panic!("no variant {key}"))
}

/// A game that starts from a position.
fn from(variant: &Variant, fen: &str) -> Result<Box<Live>, Refusal> {
    let options = Map::from_iter([("fen".to_owned(), Value::from(fen))]);
    variant.begin(&options, Clocks::new([None; 2]))
}

/// Position with which a game from a text starts.
fn start(variant: &Variant, text: &str) -> Result<String, Refusal> {
    let fen = variant.read_position(text)?;
    Ok(from(variant, &fen)?.diagram(None).fen.unwrap_or_default())
}

/// Compares an answer with its fact: the text, or `!` and a part of the refusal.
fn compare(faults: &mut String, of: &str, fact: &str, answer: Result<String, Refusal>) {
    let right = match (&answer, fact.strip_prefix("! ")) {
        (Ok(answer), None) => answer == fact,
        (Err(refusal), Some(part)) => refusal.why.contains(part),
        (_, _) => false,
    };
    if !right {
        writeln!(faults, "{of}\n  should be {fact}\n  but is    {answer:?}").unwrap();
    }
}

#[test]
fn foreign_positions_are_read() {
    let (mut faults, mut facts) = (String::new(), 0);
    for line in include_str!("foreign/fens.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let [key, text, fact] = line.splitn(3, " | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let text = text.replace("\\t", "\t").replace("\\r", "\r").replace("\\n", "\n").replace("\\u{feff}", "\u{feff}");
        compare(&mut faults, line, fact, start(variant(key), &text));
        // What the server writes, it reads.
        if !fact.starts_with('!') {
            compare(&mut faults, fact, fact, start(variant(key), fact));
        }
        facts += 1;
    }
    assert!(faults.is_empty(), "{faults}");
    assert!(facts >= 150, "{facts}");
}

#[test]
fn foreign_games_are_read() {
    let (mut faults, mut facts) = (String::new(), 0);
    for block in GAMES.iter().flat_map(|games| games.split("=== ").skip(1)) {
        let (head, text) = block.split_once('\n').unwrap();
        let [key, style, plies, fact] = head.splitn(4, '|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("{head}")
        };
        let mut text = text.to_owned();
        if style.contains("crlf") {
            text = text.replace('\n', "\r\n");
        }
        if style.contains("bom") {
            text.insert(0, '\u{feff}');
        }
        let last = variant(key).read_position(&text);
        if last.is_ok() {
            let count = Pgn::read(&text).unwrap()[0].moves.len().to_string();
            compare(&mut faults, block, plies, Ok(count));
        }
        compare(&mut faults, block, fact, last);
        facts += 1;
    }
    assert!(faults.is_empty(), "{faults}");
    assert!(facts >= 120, "{facts}");
}

/// A replay refuses null moves, so games with them are left out.
#[test]
fn foreign_games_are_replayed() {
    let mut faults = String::new();
    for block in GAMES.iter().flat_map(|games| games.split("=== ").skip(1)) {
        let (head, text) = block.split_once('\n').unwrap();
        let fact = head.rsplit('|').next().unwrap().trim();
        if fact.starts_with('!') || ["--", "Z0", "@@@@"].iter().any(|null| text.contains(null)) {
            continue;
        }
        // Without a tag, only the fact names the variant.
        let key = head.split('|').next().unwrap().trim();
        let tagged = if text.contains("[Variant") { text.to_owned() } else { format!("[Variant \"{key}\"]\n{text}") };
        let last = read(&tagged).map(|games: Vec<Replayed>| games[0].game.diagram(None).fen.unwrap_or_default());
        compare(&mut faults, block, fact, last);
    }
    assert!(faults.is_empty(), "{faults}");
}

/// Designs and unread lines of a section, and whether its armies can be set up.
fn section(foreign: &ini::ImportedVariant) -> String {
    let design = |piece: &ini::ForeignPiece| {
        let ours = piece.ours.as_ref().map_or_else(|| "-".to_owned(), |ours| ours.0.to_string());
        format!("{}={ours}{}", piece.letter, "?".repeat(usize::from(!piece.unread.is_empty())))
    };
    let designs: Vec<String> = foreign.pieces.iter().map(design).collect();
    let army = match &foreign.armies[0] {
        Ok(army) => format!("army of {}", army.split(' ').count() / 2),
        Err(why) => why.clone(),
    };
    let unread: Vec<&str> =
        foreign.unread.iter().map(|line| line.text.split('=').next().unwrap_or_default().trim()).collect();
    format!("{} | {} | {} | {army}", foreign.name, designs.join(" "), unread.join(", "))
}

#[test]
fn foreign_variant_files_are_read() {
    let (variants, stray) = ini::read(include_str!("foreign/variants.ini")).unwrap();
    let answers: Vec<String> = variants.iter().map(section).collect();
    let facts: Vec<&str> = include_str!("foreign/variants.txt").lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(answers, facts, "{}", answers.join("\n"));
    assert!(variants.len() >= 30 && stray.is_empty(), "{}", variants.len());
}

#[test]
fn random_games_of_python_chess_end_in_the_same_position() {
    let games = if is_whole() { 1_000 } else { 30 };
    let question = json!({"seed": 7, "games": games});
    let Some(answer) = pyffish::answer(include_str!("foreign/games.py"), &question) else { return };
    let mut faults = String::new();
    for played in answer.as_array().unwrap() {
        let [key, text, fen, plies] = [0, 1, 2, 3].map(|index| &played[index]);
        let text = text.as_str().unwrap();
        compare(&mut faults, text, fen.as_str().unwrap(), variant(key.as_str().unwrap()).read_position(text));
        if faults.is_empty() {
            assert_eq!(json!(Pgn::read(text).unwrap()[0].moves.len()), *plies, "{text}");
        }
    }
    let first: String = faults.chars().take(6_000).collect();
    assert!(faults.is_empty(), "{first}");
}
