//! A request in FEN: a position of the tables, a game in which a king has been captured, or a position that no table covers.

use std::borrow::Cow;

use super::{
    move_graph::rules,
    position_index::{Material, Setup},
    solve::covers,
};
use crate::board::{Board, Color, FenError, Position, Size, Square, Squares, fen_words, orthodox, shape};

/// Requested position, on a board of any size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// Size of the board.
    pub size: Size,
    /// Pieces. Side to move, castling rights and counters have no meaning.
    pub position: Position,
    /// Side to move in the FEN, if it has one. The answer repeats it and does not depend on it.
    pub turn: Option<Color>,
    /// Whether the tables cover the position.
    pub coverage: TableCoverage,
    /// True if the FEN grants castling rights, which no table covers.
    pub castling: bool,
}

/// Coverage of a position by the tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableCoverage {
    /// A king has been captured.
    Over {
        /// Side whose king is still on the board.
        winner: Color,
    },
    /// The table of the board covers the position.
    Covered {
        /// Position with the extra piece on White's side.
        setup: Setup,
        /// True if Black has the extra piece, so that ranks, colours and value are reversed.
        reversed: bool,
    },
    /// Not covered, with the reason.
    Uncovered(String),
}

/// Parses a FEN of any size. It accepts what [`Board::read_fen`] accepts, and any en passant square. Castling rights make the position not
/// covered.
pub fn read(fen: &str) -> Result<Question, FenError> {
    let size = shape(fen)?;
    let board = rules(size);
    let alone = fen_words(fen).nth(1).is_none();
    let (plain, castling, over) = if alone { (Cow::from(fen), false, None) } else { without_rights(fen) };
    let mut position = board.parse_fen(&plain)?;
    if let Some(pawn) = (0..2).find_map(|n| pawns_on(board, &position, Squares::rank(n * (size.height() - 1)))) {
        let why = format!("a pawn on {pawn}: pawns cannot be on the first or last rank");
        return Err(FenError { field: "piece placement", at: offset(&plain, size, pawn), why });
    }
    if let Some(over) = over.filter(|over| position.occupied().len() > 3 && is_just_passed(board, &position, *over)) {
        position.en_passant = over.set();
    }
    let standing = match coverage(size, &position) {
        TableCoverage::Covered { .. } if castling => {
            TableCoverage::Uncovered("Castling rights: the tables cover only positions without castling".to_owned())
        }
        standing => standing,
    };
    let turn = fen.split([' ', '_', '+']).filter(|field| !field.is_empty()).nth(1).map(|_| position.turn);
    Ok(Question { size, position, turn, coverage: standing, castling })
}

impl Question {
    /// Piece placement as FEN.
    pub fn fen(&self) -> String {
        rules(self.size).placement_fen(&self.position)
    }
}

/// Returns whether a pawn of either colour can just have made a double step over a square.
fn is_just_passed(board: &Board, position: &Position, over: Square) -> bool {
    // On a board with five ranks, both colours step over the same rank.
    let stepped = |color: Color, step: i8| {
        let [pawn, origin] = [step, -step].map(|step| over.step(0, step, board.size()));
        let pawn = pawn.and_then(|square| position.piece(square));
        pawn.is_some_and(|pawn| pawn.color == color && board.is_pawn(pawn.kind))
            && position.piece(over).is_none()
            && origin.is_some_and(|origin| position.piece(origin).is_none())
    };
    over.rank() == 2 && stepped(Color::White, 1)
        || over.rank() + 3 == board.size().height() && stepped(Color::Black, -1)
}

/// Blanks castling rights and an en passant square and keeps all other characters in place, so that error offsets stay right. Also returns whether
/// there were castling rights, and the square.
fn without_rights(fen: &str) -> (Cow<'_, str>, bool, Option<Square>) {
    let mut bytes = fen.as_bytes().to_vec();
    let (mut castling, mut over) = (false, None);
    for (number, (start, field)) in fen_words(fen).enumerate() {
        let blank = match number {
            2 if field.bytes().all(|byte| b"KQkqABCDEFGHabcdefgh".contains(&byte)) => {
                castling = true;
                true
            }
            3 => {
                over = field.parse::<Square>().ok();
                over.is_some()
            }
            _ => false,
        };
        if blank {
            bytes[start..start + field.len()].fill(b' ');
            bytes[start] = b'-';
        }
    }
    (String::from_utf8(bytes).map_or(Cow::from(fen), Cow::from), castling, over)
}

fn pawns_on(board: &Board, position: &Position, rank: Squares) -> Option<Square> {
    let mut units = position.occupied() & rank;
    units.find(|square| position.piece(*square).is_some_and(|piece| board.is_pawn(piece.kind)))
}

/// Offset of the placement byte that describes an occupied square.
fn offset(fen: &str, size: Size, square: Square) -> usize {
    let (mut file, mut rank) = (0, size.height() - 1);
    for (at, byte) in fen.bytes().enumerate() {
        match byte {
            b'/' => (file, rank) = (0, rank.saturating_sub(1)),
            b'0'..=b'9' => file += byte - b'0',
            b' ' | b'_' | b'+' => {}
            _ if (file, rank) == (square.file(), square.rank()) => return at,
            _ => file += 1,
        }
    }
    0
}

/// Coverage of the pieces on a board by the tables.
pub(super) fn coverage(size: Size, position: &Position) -> TableCoverage {
    let kings = Color::BOTH.map(|color| position.of_kind(color, orthodox::KING));
    for color in Color::BOTH {
        if kings[color.index()].is_empty() && !kings[(!color).index()].is_empty() {
            return TableCoverage::Over { winner: !color };
        }
    }
    let count = position.occupied().len();
    if kings[0].is_empty() {
        return TableCoverage::Uncovered("There is no king on the board".to_owned());
    }
    let (Some(white), Some(black)) = (kings[0].only(), kings[1].only()) else {
        let side = if kings[0].len() > 1 { "White" } else { "Black" };
        return TableCoverage::Uncovered(format!("{side} has more than one king"));
    };
    if !covers(size) {
        return TableCoverage::Uncovered(format!("The tables cover boards from 3×3 to 8×8, and this one is {size}"));
    }
    let mut others = position.pieces().filter(|(_, piece)| piece.kind != orthodox::KING);
    match (others.next(), others.next()) {
        (None, _) => covered(size, [white, black], None),
        (Some((square, piece)), None) => match Material::with(Some(piece.kind)) {
            Some(material) => covered(size, [white, black], Some((material, piece.color, square))),
            None => TableCoverage::Uncovered("No table covers one of the pieces".to_owned()),
        },
        (Some(_), Some(_)) => {
            let mut why = format!(
                "{count} pieces: the tables cover all positions with at most three, and some with four or five"
            );
            if let Some(name) = five_piece_name(size, position) {
                why = format!("{why}, and this server has no table of {name}");
            }
            TableCoverage::Uncovered(why)
        }
    }
}

/// Name of a five-piece material that `zorkmid solve` can compute, the side with more pieces first.
fn five_piece_name(size: Size, position: &Position) -> Option<String> {
    let pawns = position.pieces().any(|(_, piece)| piece.kind == orthodox::PAWN);
    if size != Size::ORTHODOX || position.occupied().len() != 5 || pawns {
        return None;
    }
    let name = material(rules(size), position);
    let (white, black) = name.split_once('v')?;
    Some(if white.len() < black.len() { format!("{black}v{white}") } else { name })
}

/// Coverage of a table position, from the squares of White's and Black's kings and the extra piece.
fn covered(size: Size, [white, black]: [Square; 2], extra: Option<(Material, Color, Square)>) -> TableCoverage {
    let (material, color, piece) = extra.unwrap_or((Material::Bare, Color::White, white));
    let (reversed, setup) = match color {
        Color::White => (false, Setup { material, king: white, bare: black, piece }),
        Color::Black => {
            let turn = |square: Square| Square::new(square.file(), size.height() - 1 - square.rank());
            (true, Setup { material, king: turn(black), bare: turn(white), piece: turn(piece) })
        }
    };
    TableCoverage::Covered { setup, reversed }
}

/// Pieces of both sides, such as `KNvK`.
pub(super) fn material(board: &Board, position: &Position) -> String {
    const ORDER: &str = "KQRBNP";
    let side = |color| -> String {
        let mut letters: Vec<char> = position
            .pieces()
            .filter(|(_, piece)| piece.color == color)
            .map(|(_, piece)| board.kind(piece.kind).letter)
            .collect();
        letters.sort_by_key(|letter| ORDER.find(*letter));
        letters.into_iter().collect()
    };
    format!("{}v{}", side(Color::White), side(Color::Black))
}
