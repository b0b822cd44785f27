//! Export of a variant: its pieces and its start, with comments on everything that the file cannot express.

use std::fmt::Write;

use super::{Entry, Roster};
use crate::{
    board::{Board, Color, Position, Size, fairy_stockfish},
    rules::Refusal,
    variants::csipgs::price::fraction,
};

/// Maximum length of a variant's name.
const LONGEST_NAME: usize = 32;

/// Engine that understands the files. The syntax of a custom king dates from November 2021.
pub const ENGINE: &str = "Fairy-Stockfish of 2022 or later; version 14 and older do not know custom kings";

/// An exported variant.
#[derive(Clone, Debug)]
pub struct VariantText {
    /// Text of the file.
    pub text: String,
    /// Rules and powers that the file cannot express.
    pub unsaid: Vec<String>,
    /// Each design with its moves in Fairy-Stockfish's notation.
    pub pieces: Vec<(Entry, String)>,
    /// FEN of the starting position.
    pub start: String,
    /// Whether a side starts without a royal piece.
    pub kingless: bool,
}

/// Exports a variant with the roster's designs and the given starting position.
///
/// # Errors
/// Refuses names that the file format does not allow.
pub fn write(name: &str, roster: &Roster, board: &Board, start: &Position) -> Result<VariantText, Refusal> {
    let fits = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if let Some((at, _)) = name.char_indices().find(|(at, letter)| !fits(*letter) || *at >= LONGEST_NAME) {
        return Err(Refusal::at(at, "a name has up to 32 lower-case letters, digits and hyphens, as in my-army"));
    }
    if name.is_empty() {
        return Err(Refusal::at(0, "a variant needs a name, as in my-army"));
    }
    let mut unsaid = vec![
        "Money, purchases, reserves and new designs. Only the play on the board is exported.".to_owned(),
        "Draw claims. In Fairy-Stockfish, threefold repetition and fifty moves without a capture end the game automatically."
            .to_owned(),
    ];
    let mut pieces = Vec::new();
    for entry in &roster.entries {
        let (theirs, missing) = fairy_stockfish::write(&entry.piece);
        unsaid.extend(missing.into_iter().map(|missing| format!("{} = {}: {missing}.", entry.letter, entry.piece)));
        for (has, prefix) in [(entry.piece.relay, "relay-"), (entry.piece.doublemove, "doublemove-")] {
            if has {
                unsaid.push(format!("{} = {}: {prefix} has no counterpart.", entry.letter, entry.piece));
            }
        }
        pieces.push((entry.clone(), theirs));
    }
    let royalty = royalty(roster, start, &mut unsaid);
    let kingless: Vec<Color> = Color::BOTH.into_iter().filter(|color| board.royals(start, *color).is_empty()).collect();
    unsaid.extend(kingless.iter().map(|color| {
        format!(
            "{} has no royal piece: it cannot be checkmated here, and would lose at once in csipgs chess.",
            side(*color)
        )
    }));
    if board.in_check(start, !start.turn) {
        unsaid.push(format!(
            "{} could capture the last royal piece at once, and would win in csipgs chess.",
            side(start.turn)
        ));
    }
    let start = board.fen(start);
    let text = file(name, board.size(), &pieces, &royalty, &unsaid, &start);
    Ok(VariantText { text, unsaid, pieces, start, kingless: !kingless.is_empty() })
}

fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Expression of royalty in the file.
enum Royalty {
    /// No design is royal.
    None,
    /// One royal design, with one piece on each side: Fairy-Stockfish's king.
    King(char),
    /// The last piece of each of these designs is royal.
    Last(Vec<char>),
}

fn royalty(roster: &Roster, start: &Position, unsaid: &mut Vec<String>) -> Royalty {
    let royal: Vec<(u8, char)> = (0..)
        .zip(&roster.entries)
        .filter(|(_, entry)| entry.piece.royal)
        .map(|(at, entry)| (at, entry.letter))
        .collect();
    let number = |color, kind: u8| start.of_kind(color, kind).len();
    for color in Color::BOTH {
        if royal.iter().filter(|(kind, _)| number(color, *kind) > 0).count() > 1 {
            unsaid.push(format!(
                "{} has royal pieces of several designs. Fairy-Stockfish protects the last piece of each design, csipgs chess only the last royal piece.",
                side(color)
            ));
        }
    }
    match royal.as_slice() {
        [] => Royalty::None,
        [(kind, letter)] if Color::BOTH.into_iter().all(|color| number(color, *kind) == 1) => Royalty::King(*letter),
        several => Royalty::Last(several.iter().map(|(_, letter)| *letter).collect()),
    }
}

fn file(
    name: &str,
    size: Size,
    pieces: &[(Entry, String)],
    royalty: &Royalty,
    unsaid: &[String],
    start: &str,
) -> String {
    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{line}").unwrap_or_default();
    line(format!("# {name}: a variant for Fairy-Stockfish and pychess, from designs of csipgs chess."));
    line(format!("# Needs {ENGINE}."));
    for (entry, _) in pieces {
        let cost =
            if entry.piece.is_free() { "has no price".to_owned() } else { format!("costs {}", fraction(&entry.exact)) };
        line(format!("# {} = {}, which {cost}", entry.letter, entry.piece));
    }
    line("# This file does not include:".to_owned());
    for unsaid in unsaid {
        line(format!("# - {unsaid}"));
    }
    line(format!("[{name}]"));
    let mut slot = 1;
    for (entry, theirs) in pieces {
        let letter = entry.letter.to_ascii_lowercase();
        if matches!(royalty, Royalty::King(king) if *king == entry.letter) {
            line(format!("king = {letter}:{theirs}"));
        } else {
            line(format!("customPiece{slot} = {letter}:{theirs}"));
            slot += 1;
        }
    }
    if let Royalty::Last(letters) = royalty {
        let letters: String = letters.iter().map(char::to_ascii_lowercase).collect();
        line("extinctionValue = loss".to_owned());
        line("extinctionPseudoRoyal = true".to_owned());
        line(format!("extinctionPieceTypes = {letters}"));
    }
    if size != Size::ORTHODOX {
        line(format!("maxFile = {}", size.width()));
        line(format!("maxRank = {}", size.height()));
    }
    line(format!("startFen = {start}"));
    line("castling = false".to_owned());
    line("doubleStep = false".to_owned());
    line("stalemateValue = loss".to_owned());
    text
}
