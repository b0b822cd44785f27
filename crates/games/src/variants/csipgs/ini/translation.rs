//! Sections of a file as variants with designs and armies. What several sections or pieces have in common is translated once.

use std::{collections::HashMap, sync::Arc};

use super::{
    foreign::{Foreign, ForeignPiece},
    section::{Ruleset, Section},
};
use crate::{
    board::{Betza, Board, Color, FenError, Invention, Kind, Piece, START, fairy, shape},
    rules::{Actor, Refusal, Rules, Seat},
    variants::csipgs::{
        Action, Army, Csipgs, Estimate,
        price::{Catalogue, Exact, exact},
    },
};

/// The moves of a piece, shared by all pieces of the same text.
struct Moves {
    ours: Option<Arc<(Betza, Exact)>>,
    inventions: Vec<Invention>,
    unread: Vec<String>,
    /// The length of the design's text, in bytes.
    length: usize,
}

impl Moves {
    fn read(theirs: &str, royal: bool) -> Moves {
        let fairy::Translated { piece, inventions, unread } = fairy::read(theirs);
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

/// Inventions at an estimate of 1 each.
fn catalogue<'i>(inventions: impl IntoIterator<Item = &'i Invention>) -> Catalogue {
    let mut catalogue = Catalogue::default();
    for invention in inventions {
        if !catalogue.inventions().contains(invention) {
            catalogue.add(*invention, Estimate(1_000));
        }
    }
    catalogue
}

/// The translations of a file so far.
#[derive(Default)]
pub(super) struct Translation {
    /// By the text of the moves, and whether the piece is royal.
    moves: HashMap<(String, bool), Moves>,
    /// Each with the bytes of its pieces' texts.
    variants: HashMap<Ruleset, (Foreign, usize)>,
}

impl Translation {
    /// Translates a section, and counts the bytes of its pieces' texts.
    pub(super) fn of(&mut self, section: Section) -> (Foreign, usize) {
        let Section { name, variant, unread } = section;
        if !self.variants.contains_key(&variant) {
            let translated = self.variant(&variant);
            self.variants.insert(variant.clone(), translated);
        }
        let (known, bytes) = &self.variants[&variant];
        let name = if name.is_empty() { "a variant without a name".to_owned() } else { name };
        (Foreign { name, unread, ..known.clone() }, *bytes)
    }

    fn variant(&mut self, variant: &Ruleset) -> (Foreign, usize) {
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
                unread.push("it never moves, and csipgs chess has no such piece".to_owned());
            }
            if name == "pawn" {
                unread.push("its double step, its capture in passing and its promotion".to_owned());
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
        (Foreign { name, pieces: pieces.into(), inventions, start, armies, unread }, bytes)
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
    // Only pieces that stand at the start need a table of their moves. Of two pieces of one letter the first counts.
    let stands = |letter: char| placement.contains([letter, letter.to_ascii_lowercase()]);
    let mut kinds: Vec<Kind> = Vec::new();
    for piece in pieces.iter().filter(|piece| stands(piece.letter)) {
        if let Some(ours) = piece.ours.as_ref().filter(|_| kinds.iter().all(|kind| kind.letter != piece.letter)) {
            kinds.push(Kind::new(piece.letter, &piece.name, &ours.0, size));
        }
    }
    let board = Board::new(size, kinds);
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
        let unit = |(square, unit): (_, Piece)| format!(" {} {square}", board.kind(unit.kind).betza);
        let mut units: Vec<_> = position.pieces().filter(|(_, unit)| unit.color == color).collect();
        units.sort_by_key(|(square, _)| if color == Color::White { square.index() } else { square.index() ^ 0o70 });
        let text: String = std::iter::once("army".to_owned()).chain(units.into_iter().map(unit)).collect();
        let action: Action = text.parse().map_err(|refusal: Refusal| refusal.why)?;
        let judged = options.check(&state, Actor::Seat(Seat::of(color)), &action);
        judged.map(|()| text).map_err(|refusal| refusal.why)
    })
}
