//! The sections of a file of variants: their lines, and what a section inherits from an earlier one.

use std::collections::BTreeMap;

use super::{foreign::Unread, known};

/// The longest line that is read, in bytes.
const LONGEST_LINE: usize = 512;
/// The longest text of a piece's moves, in bytes.
const LONGEST_PIECE: usize = 256;
/// The most atoms of a piece.
const MOST_ATOMS: usize = 64;

/// The rules of a variant as a file states them.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Ruleset {
    /// The letter and the moves of each piece, by the piece's name.
    pub(super) pieces: BTreeMap<String, (char, String)>,
    pub(super) start: Option<String>,
    /// The letters whose last piece is royal, if the section names such letters.
    pub(super) last: Option<String>,
    pub(super) pseudo_royal: bool,
    /// The number of files and of ranks, where the section states them.
    pub(super) files: Option<u8>,
    pub(super) ranks: Option<u8>,
}

/// A section of a file: a variant, and the section's own lines that have no counterpart.
pub(super) struct Section {
    pub(super) name: String,
    pub(super) variant: Ruleset,
    pub(super) unread: Vec<Unread>,
}

impl Section {
    /// Begins a section at its first line, with what it inherits from `sections`.
    pub(super) fn begin(head: &str, sections: &[Section], unread: impl Fn(&str) -> Unread) -> Section {
        let (name, parent) = head.split_once(':').map_or((head, None), |(name, parent)| (name, Some(parent.trim())));
        let section = |variant: Ruleset| Section { name: name.trim().to_owned(), variant, unread: Vec::new() };
        match parent {
            None => section(Ruleset::default()),
            Some("chess") => section(Ruleset::orthodox()),
            Some(parent) => match sections.iter().rev().find(|section| section.name == parent) {
                Some(parent) => section(parent.variant.clone()),
                None => {
                    let why = format!(
                        "the variant {parent} is not in this file, and only chess is known here besides: its pieces are missing"
                    );
                    Section { unread: vec![unread(&why)], ..section(Ruleset::default()) }
                }
            },
        }
    }

    /// Reads a line of the section.
    pub(super) fn take(&mut self, line: &str, unread: impl Fn(&str) -> Unread) {
        let why = match line.split_once('=') {
            _ if line.len() > LONGEST_LINE => Some(format!("a line has at most {LONGEST_LINE} bytes")),
            None => Some("a line is written key = value".to_owned()),
            Some((key, value)) => {
                // A remark follows the value behind a space and #.
                let value = value.split_once(" #").map_or(value, |(value, _)| value).trim();
                self.variant.take(key.trim(), value)
            }
        };
        self.unread.extend(why.map(|why| unread(&why)));
    }
}

impl Ruleset {
    /// Chess, which a section may name as its parent.
    fn orthodox() -> Ruleset {
        let piece = |(name, letter): &(&str, char)| {
            ((*name).to_owned(), (*letter, known::moves(name).unwrap_or_default().to_owned()))
        };
        Ruleset { pieces: known::CHESS.iter().map(piece).collect(), ..Ruleset::default() }
    }

    /// Reads a setting; returns the reason if it has no counterpart here.
    fn take(&mut self, key: &str, value: &str) -> Option<String> {
        // A name has one spelling, so that a variant has at most 256 pieces of its own.
        let number = key.strip_prefix("customPiece").and_then(|number| number.parse::<u8>().ok());
        let custom = number.map(|number| format!("customPiece{number}"));
        if custom.is_some() || known::moves(key).is_some() {
            return self.piece(custom.as_deref().unwrap_or(key), value, custom.is_some());
        }
        match (key, value) {
            ("startFen", _) => self.start = Some(value.to_owned()),
            ("extinctionPieceTypes", _) => self.last = Some(value.to_ascii_uppercase()),
            ("extinctionValue", "loss") => {}
            ("extinctionPseudoRoyal", "true") => self.pseudo_royal = true,
            ("maxFile", _) if side(value).is_some() => self.files = side(value),
            ("maxRank", _) if side(value).is_some() => self.ranks = side(value),
            _ if known::agrees(key, value) => {}
            _ => return Some("csipgs chess has no such rule, or another one".to_owned()),
        }
        None
    }

    fn piece(&mut self, key: &str, value: &str, custom: bool) -> Option<String> {
        if value == "-" {
            self.pieces.remove(key);
            return None;
        }
        let (letter, moves) = value.split_once(':').map_or((value, None), |(letter, moves)| (letter, Some(moves)));
        let letter = match letter.trim().as_bytes() {
            [letter, ..] if letter.is_ascii_alphabetic() => letter.to_ascii_uppercase() as char,
            _ => return Some("a piece begins with its letter, as in a:mWcF".to_owned()),
        };
        let moves = match (moves, custom || key == "king") {
            (Some(moves), true) if moves.len() > LONGEST_PIECE => {
                return Some(format!("the moves of a piece have at most {LONGEST_PIECE} letters"));
            }
            (Some(moves), true) if moves.bytes().filter(u8::is_ascii_uppercase).count() > MOST_ATOMS => {
                return Some(format!("a piece has at most {MOST_ATOMS} atoms"));
            }
            (Some(moves), true) => moves.trim().to_owned(),
            (None, true) if custom => {
                return Some("behind the letter and a colon stands how it moves, as in a:mWcF".to_owned());
            }
            (_, _) => known::moves(key).unwrap_or_default().to_owned(),
        };
        self.pieces.insert(key.to_owned(), (letter, moves));
        None
    }
}

/// The length of a side of a board, as a number or as the letter of the last file.
fn side(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [digit @ b'1'..=b'8'] => Some(digit - b'0'),
        [file @ b'a'..=b'h'] => Some(file - b'a' + 1),
        _ => None,
    }
}
