//! Indexes of five-piece positions: the material, the position as its table stores it, and its index there. Symmetries of the board move White's
//! king to one of few squares, as with four pieces. For identical pieces only the set of their squares counts.

use std::{fmt, str::FromStr};

use crate::{
    board::{
        Color, Position, Size, Square,
        orthodox::{BISHOP, KING, KNIGHT, QUEEN, ROOK},
    },
    four_piece::{FourPieceMaterial, Turns, letter, rank},
};

/// Which of the three pieces are alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Like {
    None,
    First,
    Last,
    All,
}

/// Numbering of the positions of one material. Squares are numbered rank by rank: rank × files + file.
pub struct FiveNumbering {
    pub(super) turns: Turns,
    pub(super) squares: usize,
    like: Like,
    /// Squares of the three pieces, in index order.
    men: Vec<[u8; 3]>,
}

/// A square by its number on a board.
pub(super) fn square(size: Size, number: usize) -> Square {
    let width = usize::from(size.width());
    Square::new((number % width) as u8, (number / width) as u8)
}

/// Number of a set of two squares.
#[inline(always)]
fn two(a: usize, b: usize) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    high * (high.max(1) - 1) / 2 + low
}

/// Number of a set of three squares.
#[inline(always)]
fn three([a, b, c]: [usize; 3]) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    let (middle, high) = (high.min(c), high.max(c));
    let (low, middle) = (low.min(middle), low.max(middle));
    high * (high.max(1) - 1) * (high.max(2) - 2) / 6 + two(low, middle)
}

impl FiveNumbering {
    /// Numbering for a material on a board.
    pub fn new(trio: FivePieceMaterial, size: Size) -> FiveNumbering {
        let [first, second, third] = trio.kinds;
        let like = match (first == second, trio.together && second == third) {
            (true, true) => Like::All,
            (true, false) => Like::First,
            (false, true) => Like::Last,
            (false, false) => Like::None,
        };
        let squares = usize::from(size.width()) * usize::from(size.height());
        let mut numbering = FiveNumbering { turns: Turns::new(size, false), squares, like, men: Vec::new() };
        let mut men = Vec::new();
        for a in 0..squares {
            for b in (0..squares).filter(|b| !matches!(like, Like::First | Like::All) || a < *b) {
                for c in (0..squares).filter(|c| !matches!(like, Like::Last | Like::All) || b < *c) {
                    men.push((numbering.rank([a, b, c]), [a, b, c].map(|square| square as u8)));
                }
            }
        }
        men.sort_unstable();
        numbering.men = men.into_iter().map(|(_, men)| men).collect();
        numbering
    }

    /// Number of indexes. Some belong to no position, because two pieces would share a square.
    pub fn len(&self) -> usize {
        self.turns.kings().len() * self.squares * self.men.len()
    }

    /// Returns whether there are no indexes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of the squares of the three pieces.
    #[inline(always)]
    fn rank(&self, [a, b, c]: [usize; 3]) -> usize {
        match self.like {
            Like::None => (a * self.squares + b) * self.squares + c,
            Like::First => two(a, b) * self.squares + c,
            Like::Last => a * (self.squares * (self.squares - 1) / 2) + two(b, c),
            Like::All => three([a, b, c]),
        }
    }

    /// Index for the canonical square of White's king with number `slot`.
    #[inline(always)]
    pub(super) fn inside(&self, slot: usize, bare: usize, men: [usize; 3]) -> usize {
        (slot * self.squares + bare) * self.men.len() + self.rank(men)
    }

    /// Index of the pieces' squares.
    #[inline(always)]
    pub fn at(&self, king: usize, bare: usize, men: [usize; 3]) -> usize {
        let turned = self.turns.turned(king);
        let of = |square: usize| usize::from(turned[square]);
        self.inside(self.turns.slot(king), of(bare), men.map(of))
    }

    /// Squares of White's king, Black's king and the three pieces at an index. Indexes without a position have two pieces on one square.
    #[inline(always)]
    pub fn squares(&self, place: usize) -> (usize, usize, [usize; 3]) {
        let (kings, men) = (place / self.men.len(), place % self.men.len());
        let king = self.turns.kings()[kings / self.squares];
        (king, kings % self.squares, self.men[men].map(usize::from))
    }
}

/// A position of five pieces as its table stores it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FivePiecePosition {
    /// Material of the table.
    pub trio: FivePieceMaterial,
    /// White's king and Black's king.
    pub kings: [Square; 2],
    /// The other pieces, in the order of the material.
    pub men: [Square; 3],
    /// Set if colours and ranks are reversed, so that a value x in the table means 1 − x.
    pub reversed: bool,
}

impl FivePiecePosition {
    /// Finds the table of a position. `None` unless the position has two kings and three other pieces that a table can cover.
    pub fn of(size: Size, position: &Position) -> Option<FivePiecePosition> {
        let [white, black] = Color::BOTH.map(|color| position.of_kind(color, KING).only());
        let [white, black] = [white?, black?];
        let others = position.pieces().filter(|(_, piece)| piece.kind != KING);
        let mut others: Vec<(Color, u8, Square)> = others.map(|(at, piece)| (piece.color, piece.kind, at)).collect();
        let count = others.iter().filter(|(color, _, _)| *color == Color::White).count();
        let stronger = if count > 1 { Color::White } else { Color::Black };
        others.sort_by_key(|(color, kind, _)| (*color != stronger, rank(*kind)));
        let [one, two, three] = <[_; 3]>::try_from(others).ok()?;
        let trio = FivePieceMaterial { kinds: [one.1, two.1, three.1], together: three.0 == stronger };
        let reversed = stronger == Color::Black;
        let turn = |at: Square| if reversed { Square::new(at.file(), size.height() - 1 - at.rank()) } else { at };
        let kings = if reversed { [black, white] } else { [white, black] }.map(turn);
        let men = [one.2, two.2, three.2].map(turn);
        FivePieceMaterial::all().any(|known| known == trio).then_some(FivePiecePosition { trio, kings, men, reversed })
    }

    /// Index of the position.
    pub(super) fn place(&self, size: Size, numbering: &FiveNumbering) -> usize {
        let number = |at: Square| usize::from(at.rank()) * usize::from(size.width()) + usize::from(at.file());
        let [king, bare] = self.kings.map(number);
        numbering.at(king, bare, self.men.map(number))
    }
}

/// Piece types other than the king, strongest first.
const KINDS: [u8; 4] = [QUEEN, ROOK, BISHOP, KNIGHT];

/// Material of an endgame with five pieces. White has three or four of them; positions with the opposite colours are looked up with
/// colours reversed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FivePieceMaterial {
    /// White's pieces, strongest first, then Black's piece if it has one.
    pub kinds: [u8; 3],
    /// Set if White has all three pieces.
    pub together: bool,
}

impl FivePieceMaterial {
    /// All materials.
    pub fn all() -> impl Iterator<Item = FivePieceMaterial> {
        let sides = [true, false].into_iter().flat_map(|together| KINDS.map(|first| (together, first)));
        let pairs = sides.flat_map(|(together, first)| KINDS.map(|second| (together, [first, second])));
        let pairs = pairs.filter(|(_, [first, second])| rank(*first) <= rank(*second));
        pairs.flat_map(|(together, [first, second])| {
            let thirds = KINDS.into_iter().filter(move |third| !together || rank(second) <= rank(*third));
            thirds.map(move |third| FivePieceMaterial { kinds: [first, second, third], together })
        })
    }

    /// Owner of a piece.
    pub fn owner(self, piece: usize) -> Color {
        if self.together || piece < 2 { Color::White } else { Color::Black }
    }

    /// Pieces that remain after the capture of one, in the order of the four-piece table or with colours reversed.
    pub(super) fn left(self, lost: usize) -> [(Color, u8); 2] {
        let of = |piece: usize| (self.owner(piece), self.kinds[piece]);
        match lost {
            0 => [of(1), of(2)],
            1 => [of(0), of(2)],
            _ => [of(0), of(1)],
        }
    }

    /// Tables of four pieces that captures lead to.
    pub fn needs(self) -> Vec<FourPieceMaterial> {
        let mut pairs = Vec::new();
        for lost in 0..3 {
            let pair = FourPieceMaterial::of(self.left(lost));
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
        pairs
    }
}

impl fmt::Display for FivePieceMaterial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third] = self.kinds.map(letter);
        if self.together { write!(f, "K{first}{second}{third}vK") } else { write!(f, "K{first}{second}vK{third}") }
    }
}

/// A text that is no material of five pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnknownTrio {
    /// The material has a pawn.
    #[error("five pieces are solved only without pawns")]
    Pawns,
    /// Any other text.
    #[error(
        "unknown material: write three pieces besides the kings, two or three of them White's, the stronger first, as in KNNNvK or KRBvKN"
    )]
    Other,
}

impl FromStr for FivePieceMaterial {
    type Err = UnknownTrio;
    fn from_str(text: &str) -> Result<FivePieceMaterial, UnknownTrio> {
        let unknown = if text.contains('P') { UnknownTrio::Pawns } else { UnknownTrio::Other };
        FivePieceMaterial::all().find(|trio| trio.to_string() == text).ok_or(unknown)
    }
}
