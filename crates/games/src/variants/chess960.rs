//! Chess960: the pieces start in one of 960 random arrangements, the same for both sides.
//!
//! Bishops are on squares of opposite colours, and the king is between the rooks. Positions have Reinhard Scharnagl's
//! numbers. After castling, king and rook are on the same squares as in chess. The move is written as the king taking
//! its own rook.

use std::{fmt, str::FromStr, sync::LazyLock};

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Color, Piece, Position, Square, orthodox},
    rules::{
        PgnTag, Refusal, RulesVersion, TaskHelp, VariantInfo,
        chesslike::{ChessLike, Deal},
        search_problem::Aim,
    },
};

/// Number of starting positions.
const ARRAYS: u16 = 960;

/// Options of a game of Chess960.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Chess960 {
    /// Starting position (FEN); empty for a random one.
    pub fen: String,
}

static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = Board::orthodox().clone();
    if let Some(castling) = &mut board.castling {
        castling.king_takes_rook = true;
    }
    board
});

/// Number of a random starting position, 0 to 959.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Array(u16);

impl Array {
    /// Piece kinds from the a-file to the h-file. The number encodes the bishops' squares, then the queen's, then the
    /// knights'. Rook, king and rook fill the rest.
    pub fn row(self) -> [u8; 8] {
        let mut row: [Option<u8>; 8] = [None; 8];
        let (rest, light) = (self.0 / 4, self.0 % 4);
        let (rest, dark) = (rest / 4, rest % 4);
        row[usize::from(light) * 2 + 1] = Some(orthodox::BISHOP);
        row[usize::from(dark) * 2] = Some(orthodox::BISHOP);
        let (rest, queen) = (rest / 6, rest % 6);
        put(&mut row, usize::from(queen), orthodox::QUEEN);
        let pairs = (0..5).flat_map(|one| (one + 1..5).map(move |two| (one, two)));
        let (one, two) = pairs.clone().nth(usize::from(rest)).unwrap_or((0, 1));
        // Place the second knight first: both indices count the files that are free now.
        put(&mut row, two, orthodox::KNIGHT);
        put(&mut row, one, orthodox::KNIGHT);
        for kind in [orthodox::ROOK, orthodox::KING, orthodox::ROOK] {
            put(&mut row, 0, kind);
        }
        row.map(|kind| kind.unwrap_or(orthodox::ROOK))
    }
}

/// Puts a kind on the free file with index `free` among the free files.
fn put(row: &mut [Option<u8>; 8], free: usize, kind: u8) {
    if let Some(place) = row.iter_mut().filter(|place| place.is_none()).nth(free) {
        *place = Some(kind);
    }
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Array {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let number = text.parse().ok().filter(|number: &u16| *number < ARRAYS && number.to_string() == text);
        number.map(Array).ok_or_else(|| Refusal::at(0, "the number of a starting position is from 0 to 959"))
    }
}

impl Deal for Array {
    const WORD: &'static str = "array";

    fn draw(rng: &mut dyn Rng) -> Self {
        Array(rng.random_range(0..ARRAYS))
    }

    fn position(&self, board: &Board) -> Position {
        let mut position = board.parse_fen(Chess960::START).expect("the standard starting position is valid");
        for (file, kind) in self.row().into_iter().enumerate() {
            for color in Color::BOTH {
                let square = Square::new(file as u8, board.size().rank_of(color, 0));
                position.put(board, square, Piece { color, kind });
                if kind == orthodox::ROOK {
                    position.rights |= square.set();
                }
            }
        }
        position
    }
}

/// Number of the starting position of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, utoipa::ToSchema)]
#[schema(as = ArrayNumber)]
pub struct Number {
    /// Number from 0 to 959; null if the game has a given position.
    pub array: Option<u16>,
}

impl ChessLike for Chess960 {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::VariantAndMatch("Chess960"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new("chess960", "Chess960", "Chess from one of 960 random starting positions.")
    };
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "Chess with shuffled pieces on the first rank, the same for both sides.",
        "To castle, move the king onto your rook. Both end on the same squares as in chess.",
    ])];
    type Tally = Number;
    type Deal = Array;

    fn board() -> &'static Board {
        &BOARD
    }

    fn fen(&self) -> &str {
        &self.fen
    }

    fn dealt(&self) -> bool {
        self.fen.is_empty()
    }

    fn dealt_tally(array: &Array) -> Number {
        Number { array: Some(array.0) }
    }

    fn aim(_number: &Number) -> Option<Aim> {
        Some(Aim::Mate)
    }
}
