//! Export and import of `variants.ini`, the custom variants of Fairy-Stockfish and pychess.
//!
//! Both directions list everything that the target format cannot express.

mod read;
mod write;

pub use read::{ForeignPiece, ImportedVariant, UnsupportedLine, read};
pub use write::{ENGINE, VariantText, write};

use super::price::{Catalogue, Exact, exact};
use crate::{
    board::{Betza, Board, Color, FenError, Piece, PieceType, Position, Size, Square, shape},
    rules::{Refusal, settings::board_size},
};

/// Fairy-Stockfish's predefined pieces with their moves in its notation (from the head of its variants.ini).
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

/// Pieces that a variant inherits from chess, with their letters.
const CHESS: [(&str, char); 6] =
    [("pawn", 'P'), ("knight", 'N'), ("bishop", 'B'), ("rook", 'R'), ("queen", 'Q'), ("king", 'K')];

/// Moves of a predefined piece.
fn moves(name: &str) -> Option<&'static str> {
    PIECES.iter().find(|(known, _)| *known == name).map(|(_, moves)| *moves)
}

/// Settings that do not affect the rules: display and piece values.
const DISPLAY_SETTINGS: [&str; 5] =
    ["pieceToCharTable", "pieceValueEg", "pieceValueMg", "pocketSize", "variantTemplate"];

/// Settings with the values that agree with csipgs chess.
const AGREEING_SETTINGS: [(&str, &[&str]); 10] = [
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

/// Whether a setting agrees with csipgs chess.
fn agrees(key: &str, value: &str) -> bool {
    DISPLAY_SETTINGS.contains(&key)
        || AGREEING_SETTINGS.iter().any(|(known, values)| *known == key && values.contains(&value))
}

/// Maximum number of designs, one per letter.
const MOST: usize = 26;

/// A design in a roster.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Upper-case letter in a FEN.
    pub letter: char,
    /// Design.
    pub piece: Betza,
    /// Cost before rounding.
    pub exact: Exact,
}

/// Designs with distinct letters.
#[derive(Clone, Debug)]
pub struct Roster {
    /// Designs in the order of the text.
    pub entries: Vec<Entry>,
}

/// Customary letters of well-known pieces.
const USUAL: [(&str, char); 7] =
    [("royal-WF", 'K'), ("BR", 'Q'), ("RB", 'Q'), ("R", 'R'), ("B", 'B'), ("N", 'N'), ("cfFmfW", 'P')];

impl Roster {
    /// Reads designs separated by commas or whitespace. Each may start with its letter, as in `A=WFfhN`, or as in the
    /// files, `a:WFfhN`; the others get a free letter. A repeated design without a letter is dropped.
    ///
    /// # Errors
    /// Points at the first character that is wrong.
    pub fn read(text: &str, catalogue: &Catalogue) -> Result<Roster, Refusal> {
        let mut named: Vec<(Option<char>, Betza)> = Vec::new();
        let mut at = 0;
        for word in text.split([',', ' ', '\n', '\r', '\t']) {
            let start = at;
            at += word.len() + 1;
            if word.is_empty() {
                continue;
            }
            let (letter, piece, start) = match word.split_once(['=', ':']) {
                Some((letter, piece)) => (Some(letter), piece, start + letter.len() + 1),
                None => (None, word, start),
            };
            let letter = match letter.map(str::as_bytes) {
                None => None,
                Some([letter]) if letter.is_ascii_alphabetic() => Some(letter.to_ascii_uppercase() as char),
                Some(_) => {
                    let why =
                        "write one letter before =, as in A=WFfhN, without an apostrophe: a file has only 26 letters";
                    return Err(Refusal::at(start, why));
                }
            };
            let read = Betza::read_free(piece, catalogue.inventions()).map(|(piece, _)| piece);
            let piece = read.map_err(|wrong| Refusal::at(start + wrong.at, format!("{piece}: {wrong}")))?;
            if let Some(letter) = letter.filter(|letter| named.iter().any(|(known, _)| *known == Some(*letter))) {
                return Err(Refusal::at(start, format!("{letter} names two pieces: give each its own letter")));
            }
            if letter.is_some() || named.iter().all(|(_, known)| *known != piece) {
                named.push((letter, piece));
            }
            if named.len() > MOST {
                return Err(Refusal::at(start, format!("a file has at most {MOST} pieces, one per letter")));
            }
        }
        if named.is_empty() {
            return Err(Refusal::at(0, "name at least one piece, as in K=royal-WF,A=WFfhN"));
        }
        let mut entries: Vec<Entry> = Vec::with_capacity(named.len());
        let given: Vec<char> = named.iter().filter_map(|(letter, _)| *letter).collect();
        for (letter, piece) in named {
            let taken = |letter: &char| given.contains(letter) || entries.iter().any(|entry| entry.letter == *letter);
            let letter = letter.or_else(|| free(&piece, taken)).expect("there are at least as many letters as pieces");
            entries.push(Entry { letter, exact: exact(&piece, catalogue), piece });
        }
        Ok(Roster { entries })
    }

    /// Creates a board of the given size with these designs.
    pub fn board(&self, size: Size) -> Board {
        let kind = |entry: &Entry| PieceType::new(entry.letter, &entry.piece.to_string(), &entry.piece, size);
        Board::new(size, self.entries.iter().map(kind).collect())
    }

    /// Reads the starting position of a variant, and creates its board.
    ///
    /// # Errors
    /// Points at the first character that is wrong in a FEN with these letters, on a board of four to eight files and
    /// ranks.
    pub fn position(&self, fen: &str) -> Result<(Board, Position), Refusal> {
        let wrong = |wrong: FenError| Refusal::at(wrong.at, wrong.to_string());
        let size = shape(fen).map_err(wrong)?;
        let board = self.board(board_size(size.width(), size.height())?);
        let position = board.parse_fen(fen).map_err(wrong)?;
        Ok((board, position))
    }

    /// Default starting position, on an 8×8 board.
    ///
    /// On both sides the royal design is on the e-file, and the most expensive other design next to it. The next ones
    /// follow in pairs from the corners inwards, and the cheapest fills the second rank. The standard six designs give
    /// the position of chess.
    pub fn default_position(&self) -> (Board, Position) {
        let board = self.board(Size::ORTHODOX);
        let mut position = Position::EMPTY;
        let royal = self.entries.iter().position(|entry| entry.piece.royal);
        let mut others: Vec<usize> = (0..self.entries.len()).filter(|at| !self.entries[*at].piece.royal).collect();
        others.sort_by(|one, two| self.entries[*two].exact.cmp(&self.entries[*one].exact));
        let front = if others.len() > 1 { others.pop() } else { None };
        let place = |order: usize| others.get(order.min(others.len().saturating_sub(1))).copied();
        // From the a-file: second most expensive, third, fourth, most expensive; then the royal piece, and the same in
        // reverse.
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

/// Chooses a letter for a piece: its customary one, one from its own text, or any free one.
fn free(piece: &Betza, taken: impl Fn(&char) -> bool) -> Option<char> {
    let text = piece.to_string();
    let usual = USUAL.iter().find(|(known, _)| *known == text).map(|(_, letter)| *letter);
    let royal = piece.royal.then_some('K');
    let own: Vec<char> = text.chars().filter(char::is_ascii_uppercase).collect();
    usual.into_iter().chain(royal).chain(own).chain('A'..='Z').find(|letter| !taken(letter))
}
