//! Designs and armies as a custom variant for Fairy-Stockfish and pychess, in a file `variants.ini`, and such files as designs and armies.
//! What one side cannot say is named.

mod read;
mod write;

pub use read::{ForeignPiece, ImportedVariant, UnsupportedLine, read};
pub use write::{VariantText, write};

use super::price::{Catalogue, Exact, exact};
use crate::{
    board::{Betza, Board, Color, FenError, Piece, PieceType, Position, Size, Square, shape},
    rules::{Refusal, settings::board_size},
};

/// The pieces by name, each with its moves in Fairy-Stockfish's notation (the list at the head of its own variants.ini).
const PIECES: [(&str, &str); 44] = [
    ("pawn", "fmWfcF"),
    ("knight", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("fers", "F"),
    ("alfil", "A"),
    ("fersAlfil", "FA"),
    ("silver", "FfW"),
    ("aiwok", "RNF"),
    ("bers", "RF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("knibis", "mNcB"),
    ("biskni", "mBcN"),
    ("kniroo", "mNcR"),
    ("rookni", "mRcN"),
    ("shogiPawn", "fW"),
    ("lance", "fR"),
    ("shogiKnight", "fN"),
    ("gold", "WfF"),
    ("dragonHorse", "BW"),
    ("clobber", "cW"),
    ("breakthrough", "fmWfF"),
    ("immobile", ""),
    ("cannon", "mRcpR"),
    ("janggiCannon", "pR"),
    ("soldier", "fsW"),
    ("horse", "nN"),
    ("elephant", "nA"),
    ("janggiElephant", "nZ"),
    ("banner", "RcpRnN"),
    ("wazir", "W"),
    ("commoner", "K"),
    ("centaur", "KN"),
    ("hawk", "ADGH"),
    ("musketeerElephant", "FWDA"),
    ("unicorn", "NC"),
    ("musketeerCannon", "FWDsN"),
    ("spider", "B2ND"),
    ("leopard", "F2N"),
    ("fortress", "B3vND"),
    ("king", "K"),
];

/// The pieces that a variant has which is based on chess, with their letters.
const CHESS: [(&str, char); 6] =
    [("pawn", 'P'), ("knight", 'N'), ("bishop", 'B'), ("rook", 'R'), ("queen", 'Q'), ("king", 'K')];

/// The moves of a piece by its name.
fn moves(name: &str) -> Option<&'static str> {
    PIECES.iter().find(|(known, _)| *known == name).map(|(_, moves)| *moves)
}

/// Settings that change no rule: how programs show and value pieces.
const LOOKS: [&str; 5] = ["pieceToCharTable", "pieceValueEg", "pieceValueMg", "pocketSize", "variantTemplate"];

/// Settings that csipgs chess keeps to, each with the values that say so.
const KEPT: [(&str, &[&str]); 10] = [
    ("castling", &["false"]),
    ("checking", &["true"]),
    ("checkmateValue", &["loss"]),
    ("chess960", &["false"]),
    ("doubleStep", &["false"]),
    ("nFoldRule", &["3"]),
    ("nMoveRule", &["50"]),
    ("pieceDrops", &["false"]),
    ("promotionPieceTypes", &["-"]),
    ("stalemateValue", &["loss"]),
];

/// Tells whether a setting says nothing that csipgs chess does otherwise.
fn agrees(key: &str, value: &str) -> bool {
    LOOKS.contains(&key) || KEPT.iter().any(|(known, values)| *known == key && values.contains(&value))
}

/// The most designs: each has a letter.
const MOST: usize = 26;

/// A design of a roster.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The upper-case letter that names it in a FEN.
    pub letter: char,
    /// The design.
    pub piece: Betza,
    /// Its cost before rounding.
    pub exact: Exact,
}

/// Designs, each with a letter of its own.
#[derive(Clone, Debug)]
pub struct Roster {
    /// The designs in the order in which they were named.
    pub entries: Vec<Entry>,
}

/// The letters that players know pieces by.
const USUAL: [(&str, char); 7] =
    [("royal-WF", 'K'), ("BR", 'Q'), ("RB", 'Q'), ("R", 'R'), ("B", 'B'), ("N", 'N'), ("cfFmfW", 'P')];

impl Roster {
    /// Reads designs, which commas or spaces part; before each may stand its letter, as in `A=WFfhN`. Others get a free one. One that
    /// stands there twice is taken once.
    ///
    /// # Errors
    /// Points at the character from which on the text is no list of pieces.
    pub fn read(text: &str, catalogue: &Catalogue) -> Result<Roster, Refusal> {
        let mut named: Vec<(Option<char>, Betza)> = Vec::new();
        let mut at = 0;
        for word in text.split([',', ' ', '\n', '\r', '\t']) {
            let start = at;
            at += word.len() + 1;
            if word.is_empty() {
                continue;
            }
            let (letter, piece, start) = match word.split_once('=') {
                Some((letter, piece)) => (Some(letter), piece, start + letter.len() + 1),
                None => (None, word, start),
            };
            let letter = match letter.map(str::as_bytes) {
                None => None,
                Some([letter]) if letter.is_ascii_alphabetic() => Some(letter.to_ascii_uppercase() as char),
                Some(_) => {
                    let why = "before = stands one letter, as in A=WFfhN, and no apostrophe: a file has 26 letters";
                    return Err(Refusal::at(start, why));
                }
            };
            let read = Betza::read(piece, catalogue.inventions());
            let piece = read.map_err(|wrong| Refusal::at(start + wrong.at, format!("{piece}: {wrong}")))?;
            if let Some(letter) = letter.filter(|letter| named.iter().any(|(known, _)| *known == Some(*letter))) {
                return Err(Refusal::at(start, format!("{letter} names two pieces: give each a letter of its own")));
            }
            if letter.is_some() || named.iter().all(|(_, known)| *known != piece) {
                named.push((letter, piece));
            }
            if named.len() > MOST {
                return Err(Refusal::at(start, format!("a file names at most {MOST} pieces, one a letter")));
            }
        }
        if named.is_empty() {
            return Err(Refusal::at(0, "name at least one piece, as in K=royal-WF,A=WFfhN"));
        }
        let mut entries: Vec<Entry> = Vec::with_capacity(named.len());
        let given: Vec<char> = named.iter().filter_map(|(letter, _)| *letter).collect();
        for (letter, piece) in named {
            let taken = |letter: &char| given.contains(letter) || entries.iter().any(|entry| entry.letter == *letter);
            let letter = letter.or_else(|| free(&piece, taken)).expect("there are as many letters as pieces");
            entries.push(Entry { letter, exact: exact(&piece, catalogue), piece });
        }
        Ok(Roster { entries })
    }

    /// A board of some size with these designs.
    pub fn board(&self, size: Size) -> Board {
        let kind = |entry: &Entry| PieceType::new(entry.letter, &entry.piece.to_string(), &entry.piece, size);
        Board::new(size, self.entries.iter().map(kind).collect())
    }

    /// Reads the position from which a variant begins, and the board on which it stands.
    ///
    /// # Errors
    /// Points at the character from which on it is no FEN of these letters on a board of four to eight files and ranks.
    pub fn position(&self, fen: &str) -> Result<(Board, Position), Refusal> {
        let wrong = |wrong: FenError| Refusal::at(wrong.at, wrong.to_string());
        let size = shape(fen).map_err(wrong)?;
        let board = self.board(board_size(size.width(), size.height())?);
        let position = board.parse_fen(fen).map_err(wrong)?;
        Ok((board, position))
    }

    /// The board of 8×8 and the position from which a variant begins unless somebody says otherwise: on both sides the royal design on the e-file, the dearest
    /// of the others beside it, the next ones in pairs from the corners inwards, and the cheapest on the second rank. The standard six
    /// designs so stand as in chess.
    pub fn usual(&self) -> (Board, Position) {
        let board = self.board(Size::ORTHODOX);
        let mut position = Position::EMPTY;
        let royal = self.entries.iter().position(|entry| entry.piece.royal);
        let mut others: Vec<usize> = (0..self.entries.len()).filter(|at| !self.entries[*at].piece.royal).collect();
        others.sort_by(|one, two| self.entries[*two].exact.cmp(&self.entries[*one].exact));
        let front = if others.len() > 1 { others.pop() } else { None };
        let place = |order: usize| others.get(order.min(others.len().saturating_sub(1))).copied();
        // From the a-file: second dearest, third, fourth, the dearest; then the royal piece and the same back.
        let back = [place(1), place(2), place(3), place(0), royal.or(place(0)), place(3), place(2), place(1)];
        for color in Color::BOTH {
            for (file, kind) in (0..).zip(back) {
                let ranks = [(0, kind), (1, front)];
                for (rank, kind) in ranks.into_iter().filter_map(|(rank, kind)| Some((rank, kind?))) {
                    let square = Square::new(file, Size::ORTHODOX.rank_of(color, rank));
                    position.put(&board, square, Piece { color, kind: kind as u8 });
                }
            }
        }
        (board, position)
    }
}

/// A letter for a piece: the one that players know it by, one of its own text, or any.
fn free(piece: &Betza, taken: impl Fn(&char) -> bool) -> Option<char> {
    let text = piece.to_string();
    let usual = USUAL.iter().find(|(known, _)| *known == text).map(|(_, letter)| *letter);
    let royal = piece.royal.then_some('K');
    let own: Vec<char> = text.chars().filter(char::is_ascii_uppercase).collect();
    usual.into_iter().chain(royal).chain(own).chain('A'..='Z').find(|letter| !taken(letter))
}
