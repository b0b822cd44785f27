//! Import of `variants.ini` files, within limits on their size.
//!
//! The result has each section's variant with its inherited settings, its pieces as designs, its start as armies, and
//! the lines without a counterpart. Sections and pieces with the same definition are translated once.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use crate::{
    board::{Betza, Board, Color, FenError, Invention, Piece, PieceType, START, fairy_stockfish, shape},
    rules::{Actor, Refusal, Rules, RulesVersion, Seat},
    variants::csipgs::{
        Action, Army, Csipgs, Estimate, ini,
        price::{Catalogue, Exact, exact},
    },
};

/// Maximum number of lines in a file.
const MOST_LINES: usize = 8_000;
/// Maximum number of variants in a file.
const MOST_VARIANTS: usize = 400;
/// Maximum number of pieces in all variants of a file, including inherited ones.
const MOST_PIECES: usize = 6_000;
/// Maximum size of the texts of all those pieces, in bytes.
const MOST_TEXT: usize = 512 * 1024;

/// Reads the variants of a file, and the unsupported lines before the first variant.
///
/// # Errors
/// Names the limit of a file that has too many lines, variants or pieces.
pub fn read(text: &str) -> Result<(Vec<ImportedVariant>, Vec<UnsupportedLine>), Refusal> {
    let mut sections: Vec<Section> = Vec::new();
    let mut stray = Vec::new();
    let mut pieces = 0;
    for (number, line) in (1..).zip(text.lines()) {
        if number > MOST_LINES {
            return Err(Refusal::new(format!("a file has at most {MOST_LINES} lines: split it")));
        }
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') || line.starts_with(';') {
            continue;
        }
        let unread =
            |why: &str| UnsupportedLine { line: number, text: line.chars().take(200).collect(), why: why.to_owned() };
        match (line.strip_prefix('[').map(|head| head.split_once(']')), sections.last_mut()) {
            (Some(Some((head, _))), _) => {
                if sections.len() == MOST_VARIANTS {
                    return Err(Refusal::new(format!("a file has at most {MOST_VARIANTS} variants: split it")));
                }
                sections.push(Section::begin(head, &sections, unread));
            }
            (Some(None), _) => stray.push(unread("write a section as [name] or [name:parent]")),
            (None, None) => stray.push(unread("this line comes before the first [name] of a variant")),
            (None, Some(section)) => {
                pieces -= section.variant.pieces.len();
                section.take(line, unread);
            }
        }
        pieces += sections.last().map_or(0, |section| section.variant.pieces.len());
        if pieces > MOST_PIECES {
            let why = format!(
                "a file has at most {MOST_PIECES} pieces in all its variants, inherited ones included: split it"
            );
            return Err(Refusal::new(why));
        }
    }
    let mut translation = Translation::default();
    let mut bytes = 0;
    let mut variants = Vec::with_capacity(sections.len());
    for section in sections {
        let (foreign, text) = translation.of(section);
        variants.push(foreign);
        bytes += text;
        if bytes > MOST_TEXT {
            let why = format!("a file has at most {MOST_TEXT} bytes of piece texts, inherited ones included: split it");
            return Err(Refusal::new(why));
        }
    }
    Ok((variants, stray))
}

/// A line, or part of one, without a counterpart in csipgs chess.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsupportedLine {
    /// Line number, from 1.
    pub line: usize,
    /// Text of the line.
    pub text: String,
    /// Reason why it was left out.
    pub why: String,
}

/// A piece of an imported variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForeignPiece {
    /// Upper-case letter.
    pub letter: char,
    /// Name in the file, such as `knight` or `customPiece1`.
    pub name: String,
    /// Moves in the file's notation.
    pub theirs: String,
    /// Equivalent design with its exact cost; `None` if no part of it could be read.
    pub ours: Option<Arc<(Betza, Exact)>>,
    /// Parts that could not be read.
    pub unread: Vec<String>,
}

/// An imported variant.
#[derive(Clone, Debug)]
pub struct ImportedVariant {
    /// Name of the variant.
    pub name: String,
    /// Pieces in the order of their letters.
    pub pieces: Arc<[ForeignPiece]>,
    /// Inventions that its pieces need, each with an estimate of 1 until players estimate it.
    pub inventions: Catalogue,
    /// Starting position as written in the file.
    pub start: String,
    /// Army of each seat as an action of csipgs chess, or the reason why there is none.
    pub armies: [Result<String, String>; 2],
    /// Lines without a counterpart.
    pub unread: Vec<UnsupportedLine>,
}

/// Maximum length of a line, in bytes.
const LONGEST_LINE: usize = 512;
/// Maximum length of a piece's moves, in bytes.
const LONGEST_PIECE: usize = 256;
/// Maximum number of atoms of a piece.
const MOST_ATOMS: usize = 64;

/// Rules of a variant in a file.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Ruleset {
    /// Letter and moves of each piece, by the piece's name.
    pub(super) pieces: BTreeMap<String, (char, String)>,
    pub(super) start: Option<String>,
    /// Letters whose last piece is royal, if the section names them.
    pub(super) last: Option<String>,
    pub(super) pseudo_royal: bool,
    /// Numbers of files and ranks, if the section gives them.
    pub(super) files: Option<u8>,
    pub(super) ranks: Option<u8>,
}

/// A section of a file: a variant, and the section's own lines without a counterpart.
pub(super) struct Section {
    pub(super) name: String,
    pub(super) variant: Ruleset,
    pub(super) unread: Vec<UnsupportedLine>,
}

impl Section {
    /// Starts a section at its first line, with the rules that it inherits from `sections`.
    fn begin(head: &str, sections: &[Section], unread: impl Fn(&str) -> UnsupportedLine) -> Section {
        let (name, parent) = head.split_once(':').map_or((head, None), |(name, parent)| (name, Some(parent.trim())));
        let section = |variant: Ruleset| Section { name: name.trim().to_owned(), variant, unread: Vec::new() };
        match parent {
            None => section(Ruleset::default()),
            Some("chess") => section(Ruleset::orthodox()),
            Some(parent) => match sections.iter().rev().find(|section| section.name == parent) {
                Some(parent) => section(parent.variant.clone()),
                None => {
                    let why = format!(
                        "the parent variant {parent} is neither in this file nor chess, so its pieces are missing"
                    );
                    Section { unread: vec![unread(&why)], ..section(Ruleset::default()) }
                }
            },
        }
    }

    /// Reads a line of the section.
    fn take(&mut self, line: &str, unread: impl Fn(&str) -> UnsupportedLine) {
        let why = match line.split_once('=') {
            _ if line.len() > LONGEST_LINE => Some(format!("a line has at most {LONGEST_LINE} bytes")),
            None => Some("write a line as key = value".to_owned()),
            Some((key, value)) => {
                // A comment may follow the value, after a space and #.
                let value = value.split_once(" #").map_or(value, |(value, _)| value).trim();
                self.variant.take(key.trim(), value)
            }
        };
        self.unread.extend(why.map(|why| unread(&why)));
    }
}

impl Ruleset {
    /// Chess, the built-in parent variant.
    fn orthodox() -> Ruleset {
        let piece = |(name, letter): &(&str, char)| {
            ((*name).to_owned(), (*letter, ini::moves(name).unwrap_or_default().to_owned()))
        };
        Ruleset { pieces: ini::CHESS.iter().map(piece).collect(), ..Ruleset::default() }
    }

    /// Reads a setting. Returns the reason if it has no counterpart here.
    fn take(&mut self, key: &str, value: &str) -> Option<String> {
        // Parsing the number gives each name one spelling, so a variant has at most 256 custom pieces.
        let number = key.strip_prefix("customPiece").and_then(|number| number.parse::<u8>().ok());
        let custom = number.map(|number| format!("customPiece{number}"));
        if custom.is_some() || ini::moves(key).is_some() {
            return self.piece(custom.as_deref().unwrap_or(key), value, custom.is_some());
        }
        match (key, value) {
            ("startFen", _) => self.start = Some(value.to_owned()),
            ("extinctionPieceTypes", _) => self.last = Some(value.to_ascii_uppercase()),
            ("extinctionValue", "loss") => {}
            ("extinctionPseudoRoyal", "true") => self.pseudo_royal = true,
            ("maxFile", _) if side(value).is_some() => self.files = side(value),
            ("maxRank", _) if side(value).is_some() => self.ranks = side(value),
            _ if ini::agrees(key, value) => {}
            _ => return Some("csipgs chess has no such rule, or a different one".to_owned()),
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
            _ => return Some("a piece starts with its letter, as in a:mWcF".to_owned()),
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
                return Some("write the piece’s moves after its letter and a colon, as in a:mWcF".to_owned());
            }
            (_, _) => ini::moves(key).unwrap_or_default().to_owned(),
        };
        self.pieces.insert(key.to_owned(), (letter, moves));
        None
    }
}

/// Reads the length of a side of the board, as a number or as the letter of the last file.
fn side(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [digit @ b'1'..=b'8'] => Some(digit - b'0'),
        [file @ b'a'..=b'h'] => Some(file - b'a' + 1),
        _ => None,
    }
}

/// Translated moves of a piece, shared by all pieces with the same text.
struct Moves {
    ours: Option<Arc<(Betza, Exact)>>,
    inventions: Vec<Invention>,
    unread: Vec<String>,
    /// Length of the design's text, in bytes.
    length: usize,
}

impl Moves {
    fn read(theirs: &str, royal: bool) -> Moves {
        let fairy_stockfish::DialectPiece { piece, inventions, unread } = fairy_stockfish::read(theirs);
        let catalogue = catalogue(&inventions);
        let piece = piece.map(|piece| Betza { royal, ..piece });
        let length = piece.as_ref().map_or(0, |piece| piece.to_string().len());
        let ours = piece.map(|piece| {
            let cost = exact(&piece, &catalogue);
            Arc::new((piece, cost))
        });
        Moves { ours, inventions, unread, length }
    }
}

/// Catalogue of inventions with an estimate of 1 each.
fn catalogue<'i>(inventions: impl IntoIterator<Item = &'i Invention>) -> Catalogue {
    let mut catalogue = Catalogue::default();
    for invention in inventions {
        if !catalogue.inventions().contains(invention) {
            catalogue.add(*invention, Estimate(1_000));
        }
    }
    catalogue
}

/// Translations of a file so far.
#[derive(Default)]
struct Translation {
    /// Translated moves, by their text and whether the piece is royal.
    moves: HashMap<(String, bool), Moves>,
    /// Translated variants with the total size of their pieces' texts, in bytes.
    variants: HashMap<Ruleset, (ImportedVariant, usize)>,
}

impl Translation {
    /// Translates a section, and returns the size of its pieces' texts in bytes.
    pub(super) fn of(&mut self, section: Section) -> (ImportedVariant, usize) {
        let Section { name, variant, unread } = section;
        if !self.variants.contains_key(&variant) {
            let translated = self.variant(&variant);
            self.variants.insert(variant.clone(), translated);
        }
        let (known, bytes) = &self.variants[&variant];
        let name = if name.is_empty() { "unnamed variant".to_owned() } else { name };
        (ImportedVariant { name, unread, ..known.clone() }, *bytes)
    }

    fn variant(&mut self, variant: &Ruleset) -> (ImportedVariant, usize) {
        let mut inventions = Vec::new();
        let mut pieces: Vec<ForeignPiece> = Vec::new();
        let mut bytes = 0;
        for (name, (letter, theirs)) in &variant.pieces {
            let last = variant.last.as_ref().filter(|_| variant.pseudo_royal);
            let royal = name == "king" || last.is_some_and(|last| last == "*" || last.contains(*letter));
            let key = (theirs.clone(), royal);
            let moves = self.moves.entry(key).or_insert_with(|| Moves::read(theirs, royal));
            inventions.extend(&moves.inventions);
            let mut unread = moves.unread.clone();
            if moves.ours.is_none() && unread.is_empty() {
                unread.push("it cannot move, and csipgs chess has no such piece".to_owned());
            }
            if name == "pawn" {
                unread.push("its double step, its en passant captures and its promotion".to_owned());
            }
            bytes += name.len() + theirs.len() + moves.length + unread.iter().map(String::len).sum::<usize>();
            pieces.push(ForeignPiece {
                letter: *letter,
                name: name.clone(),
                theirs: theirs.clone(),
                ours: moves.ours.clone(),
                unread,
            });
        }
        pieces.sort_by_key(|piece| piece.letter);
        let inventions = catalogue(&inventions);
        // The page links every piece with all inventions of its variant.
        bytes += pieces.len() * inventions.to_string().len();
        let start = variant.start.clone().unwrap_or_else(|| START.to_owned());
        let armies = armies(&pieces, &start, [variant.files, variant.ranks]);
        let (name, unread) = (String::new(), Vec::new());
        (ImportedVariant { name, pieces: pieces.into(), inventions, start, armies, unread }, bytes)
    }
}

/// Armies of the starting position. `said` has the board's files and ranks if the file gives them.
fn armies(pieces: &[ForeignPiece], start: &str, said: [Option<u8>; 2]) -> [Result<String, String>; 2] {
    let whole = |why: String| [Err(why.clone()), Err(why)];
    let unread =
        |wrong: FenError| whole(format!("the starting position cannot be read with the translated pieces: {wrong}"));
    // Only the piece placement matters: csipgs chess has neither castling nor pockets.
    let placement = start.split([' ', '_']).next().unwrap_or_default();
    let placement = placement.split_once('[').map_or(placement, |(placement, _)| placement);
    let size = match shape(placement) {
        Ok(size) => size,
        Err(wrong) => return unread(wrong),
    };
    let [files, ranks] = [size.width(), size.height()];
    if said[0].is_some_and(|said| said != files) || said[1].is_some_and(|said| said != ranks) {
        return whole(format!(
            "the starting position is on a board of {size}, but maxFile and maxRank give a different size"
        ));
    }
    // Only pieces of the starting position need a move table. If two pieces share a letter, the first counts.
    let stands = |letter: char| placement.contains([letter, letter.to_ascii_lowercase()]);
    let mut kinds: Vec<PieceType> = Vec::new();
    for piece in pieces.iter().filter(|piece| stands(piece.letter)) {
        if let Some(ours) = piece.ours.as_ref().filter(|_| kinds.iter().all(|kind| kind.letter != piece.letter)) {
            kinds.push(PieceType::new(piece.letter, &piece.name, &ours.0, size));
        }
    }
    let board = Board::new(size, kinds);
    let position = match board.parse_fen(placement) {
        Ok(position) => position,
        Err(wrong) => return unread(wrong),
    };
    let options = Csipgs { army: Army::Secret, files, ranks, ..Csipgs::default() };
    let terms = match options.terms(RulesVersion::CURRENT) {
        Ok(terms) => terms,
        Err(refusal) => return whole(refusal.why),
    };
    let state = options.start(&terms);
    Color::BOTH.map(|color| {
        let unit = |(square, unit): (_, Piece)| format!(" {} {square}", board.kind(unit.kind).betza);
        let mut units: Vec<_> = position.pieces().filter(|(_, unit)| unit.color == color).collect();
        units.sort_by_key(|(square, _)| if color == Color::White { square.index() } else { square.index() ^ 0o70 });
        let text: String = std::iter::once("army".to_owned()).chain(units.into_iter().map(unit)).collect();
        let action: Action = text.parse().map_err(|refusal: Refusal| refusal.why)?;
        let judged = options.check(&state, Actor::Seat(Seat::of(color)), &action);
        judged.map(|()| text).map_err(|refusal| refusal.why)
    })
}
