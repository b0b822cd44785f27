//! Reading a file of variants, line by line: their pieces as designs, their start as armies, and what is neither.

use std::collections::BTreeMap;

use super::known;
use crate::{
    board::{Betza, Board, Color, FenError, Kind, START, fairy, shape},
    rules::{
        Actor, Rules, Seat,
        csipgs::{
            Action, Army, Csipgs, Estimate,
            price::{Catalogue, Exact, exact},
        },
    },
};

/// A line, or a part of one, that has no counterpart here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    /// The number of the line, from 1.
    pub line: usize,
    /// The line.
    pub text: String,
    /// The reason why it was left out.
    pub why: String,
}

/// A piece of a variant that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForeignPiece {
    /// Its upper-case letter.
    pub letter: char,
    /// Its name there, as `knight` or `customPiece1`.
    pub name: String,
    /// Its moves in the words of the file.
    pub theirs: String,
    /// The same piece as a design with its exact cost; nothing if no part of it could be read.
    pub ours: Option<(Betza, Exact)>,
    /// The parts of it that could not be read.
    pub unread: Vec<String>,
}

/// A variant that was read.
#[derive(Clone, Debug)]
pub struct Foreign {
    /// Its name.
    pub name: String,
    /// Its pieces, in the order of their letters.
    pub pieces: Vec<ForeignPiece>,
    /// The inventions that its pieces need, each at an estimate of 1 until players estimate it.
    pub inventions: Catalogue,
    /// The start as it stands in the file.
    pub start: String,
    /// The army of each seat as it is said in csipgs chess, or why there is none.
    pub armies: [Result<String, String>; 2],
    /// The lines that have no counterpart.
    pub unread: Vec<Unread>,
}

/// A section of a file as it stands there.
#[derive(Clone, Default)]
struct Section {
    name: String,
    /// By name: the letter and the moves.
    pieces: BTreeMap<String, (char, String)>,
    start: Option<String>,
    /// The letters whose last piece is royal, if the section says that there are such.
    last: Option<String>,
    pseudo_royal: bool,
    /// The number of files and of ranks, where the section says them.
    files: Option<u8>,
    ranks: Option<u8>,
    unread: Vec<Unread>,
}

/// Reads the variants of a file, and the lines before the first of them that say nothing.
pub fn read(text: &str) -> (Vec<Foreign>, Vec<Unread>) {
    let mut sections: Vec<Section> = Vec::new();
    let mut stray = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') || line.starts_with(';') {
            continue;
        }
        let unread = |why: &str| Unread { line: number, text: line.chars().take(200).collect(), why: why.to_owned() };
        if let Some(head) = line.strip_prefix('[') {
            match head.split_once(']') {
                Some((head, _)) => sections.push(begun(head, &sections, unread)),
                None => stray.push(unread("a section is written [name] or [name:parent]")),
            }
            continue;
        }
        match (sections.last_mut(), line.split_once('=')) {
            (None, _) => stray.push(unread("this stands before the first [name] of a variant")),
            (Some(section), None) => section.unread.push(unread("a line is written key = value")),
            (Some(section), Some((key, value))) => {
                // What follows the value behind a space and # is a remark.
                let value = value.split_once(" #").map_or(value, |(value, _)| value).trim();
                if let Some(why) = section.take(key.trim(), value) {
                    section.unread.push(unread(&why));
                }
            }
        }
    }
    (sections.into_iter().map(Section::translated).collect(), stray)
}

/// A section at its first line, with what it inherits.
fn begun(head: &str, sections: &[Section], unread: impl Fn(&str) -> Unread) -> Section {
    let (name, parent) = head.split_once(':').map_or((head, None), |(name, parent)| (name, Some(parent.trim())));
    let name = name.trim().to_owned();
    let orthodox = || {
        let piece = |(name, letter): &(&str, char)| {
            ((*name).to_owned(), (*letter, known::moves(name).unwrap_or_default().to_owned()))
        };
        Section { pieces: known::CHESS.iter().map(piece).collect(), ..Section::default() }
    };
    let from = match parent {
        None => Section::default(),
        Some("chess") => orthodox(),
        Some(parent) => match sections.iter().rev().find(|section| section.name == parent) {
            Some(parent) => Section { unread: Vec::new(), ..parent.clone() },
            None => Section {
                unread: vec![unread(&format!(
                    "the variant {parent} is not in this file, and only chess is known here besides: its pieces are missing"
                ))],
                ..Section::default()
            },
        },
    };
    Section { name, ..from }
}

impl Section {
    /// Takes a line in; says why if it means nothing here.
    fn take(&mut self, key: &str, value: &str) -> Option<String> {
        let custom = key.strip_prefix("customPiece").is_some_and(|number| number.parse::<u8>().is_ok());
        if custom || known::moves(key).is_some() {
            return self.piece(key, value, custom);
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
            (Some(moves), true) => moves.trim().to_owned(),
            (None, true) if custom => {
                return Some("behind the letter and a colon stands how it moves, as in a:mWcF".to_owned());
            }
            (_, _) => known::moves(key).unwrap_or_default().to_owned(),
        };
        self.pieces.insert(key.to_owned(), (letter, moves));
        None
    }

    fn translated(self) -> Foreign {
        let mut inventions = Catalogue::default();
        let mut pieces: Vec<ForeignPiece> = Vec::new();
        for (name, (letter, theirs)) in self.pieces {
            let read = fairy::read(&theirs);
            let mut unread = read.unread;
            for invention in read.inventions {
                if inventions.inventions().iter().all(|known| *known != invention) {
                    inventions.add(invention, Estimate(1_000));
                }
            }
            let last = self.pseudo_royal && self.last.as_ref().is_some_and(|last| last == "*" || last.contains(letter));
            let royal = name == "king" || last;
            let ours = read.piece.map(|piece| Betza { royal, ..piece });
            if ours.is_none() && unread.is_empty() {
                unread.push("it never moves, and csipgs chess has no such piece".to_owned());
            }
            if name == "pawn" {
                unread.push("its double step, its capture in passing and its promotion".to_owned());
            }
            let ours = ours.map(|piece| {
                let cost = exact(&piece, &inventions);
                (piece, cost)
            });
            pieces.push(ForeignPiece { letter, name, theirs, ours, unread });
        }
        pieces.sort_by_key(|piece| piece.letter);
        let start = self.start.unwrap_or_else(|| START.to_owned());
        let armies = armies(&pieces, &start, [self.files, self.ranks]);
        let name = if self.name.is_empty() { "a variant without a name".to_owned() } else { self.name };
        Foreign { name, pieces, inventions, start, armies, unread: self.unread }
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

/// The armies that stand at the start, on a board whose files and ranks may have been said.
fn armies(pieces: &[ForeignPiece], start: &str, said: [Option<u8>; 2]) -> [Result<String, String>; 2] {
    let whole = |why: String| [Err(why.clone()), Err(why)];
    let unread = |wrong: FenError| whole(format!("the start cannot be read with the pieces that were: {wrong}"));
    // Only where the pieces stand: csipgs chess has neither castling nor pockets.
    let placement = start.split([' ', '_']).next().unwrap_or_default();
    let placement = placement.split_once('[').map_or(placement, |(placement, _)| placement);
    let size = match shape(placement) {
        Ok(size) => size,
        Err(wrong) => return unread(wrong),
    };
    let [files, ranks] = [size.width(), size.height()];
    if said[0].is_some_and(|said| said != files) || said[1].is_some_and(|said| said != ranks) {
        return whole(format!("the start is on a board of {size}, and maxFile and maxRank say another one"));
    }
    let kinds = pieces.iter().filter_map(|piece| {
        let (betza, _) = piece.ours.as_ref()?;
        Some(Kind::new(piece.letter, &piece.name, betza, size))
    });
    let board = Board::new(size, kinds.collect());
    let position = match board.parse_fen(placement) {
        Ok(position) => position,
        Err(wrong) => return unread(wrong),
    };
    let options = Csipgs { army: Army::Secret, files, ranks, ..Csipgs::default() };
    let terms = match options.terms() {
        Ok(terms) => terms,
        Err(refusal) => return whole(refusal.why),
    };
    let state = options.start(&terms);
    Color::BOTH.map(|color| {
        let unit = |(square, unit): (_, crate::board::Piece)| format!(" {} {square}", board.kind(unit.kind).betza);
        let mut units: Vec<_> = position.pieces().filter(|(_, unit)| unit.color == color).collect();
        units.sort_by_key(|(square, _)| if color == Color::White { square.index() } else { square.index() ^ 0o70 });
        let text: String = std::iter::once("army".to_owned()).chain(units.into_iter().map(unit)).collect();
        let action: Action = text.parse().map_err(|refusal: crate::rules::Refusal| refusal.why)?;
        let judged = options.check(&state, Actor::Seat(Seat::of(color)), &action);
        judged.map(|()| text).map_err(|refusal| refusal.why)
    })
}
