//! Indexes of four-piece positions: the material, the position as its table stores it, and its index there. Symmetries of the board move White's
//! king to one of ten squares (32 with a pawn), and the other pieces move with it.

use std::{fmt, str::FromStr};

use crate::{
    board::{
        Board, Color, Piece, Position, Size, Square,
        orthodox::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
    },
    bounded_answer::reverse,
};

/// Number of index bits below those of White's king: three squares of six bits.
pub(super) const BLOCK: u32 = 18;

/// Number of index bits below those of White's king in an en passant position.
const PASSING: u32 = 10;

/// The squares of White's king, Black's king, the first and the second piece, and the side whose pawn may be captured en passant.
#[derive(Clone, Copy)]
pub(super) struct PackedPosition {
    pub(super) squares: [usize; 4],
    pub(super) stepped: Option<Color>,
}

/// Numbering of the positions of one material.
pub struct Numbering {
    /// Set if some positions allow an en passant capture.
    passes: bool,
    /// Canonical squares of White's king and the symmetries that lead to them.
    turns: Turns,
}

impl Numbering {
    /// Numbering for one material. With pawns, the only symmetry is the left-right mirror.
    pub fn new(pair: FourPieceMaterial) -> Numbering {
        Numbering { passes: pair.has_en_passant(), turns: Turns::new(Size::ORTHODOX, pair.pawns() > 0) }
    }

    /// Number of indexes. Some belong to no position: two pieces would share a square, or a pawn would be on the first or last rank.
    pub fn len(&self) -> usize {
        self.plain() + if self.passes { (2 * self.kings().len()) << PASSING } else { 0 }
    }

    /// Number of indexes without an en passant capture. The en passant positions follow after them.
    pub(super) fn plain(&self) -> usize {
        self.kings().len() << BLOCK
    }

    /// Returns whether there are no indexes.
    pub fn is_empty(&self) -> bool {
        self.kings().is_empty()
    }

    /// Canonical squares of White's king, in index order.
    pub(super) fn kings(&self) -> &[usize] {
        self.turns.kings()
    }

    /// Number of the canonical square for a square of White's king.
    #[inline(always)]
    pub(super) fn slot(&self, king: usize) -> usize {
        self.turns.slot(king)
    }

    /// Symmetry that moves White's king from a square to its canonical square, as a map of squares.
    #[inline(always)]
    pub(super) fn turned(&self, king: usize) -> &[u8; 64] {
        self.turns.turned(king)
    }

    /// Index of four squares.
    #[inline(always)]
    pub(super) fn at(&self, king: usize, bare: usize, first: usize, second: usize) -> usize {
        let turned = self.turned(king);
        let of = |square: usize| usize::from(turned[square]);
        self.slot(king) << BLOCK | of(bare) << 12 | of(first) << 6 | of(second)
    }

    /// Index of a position in which a side's pawn has just made a double step and is now next to the opponent's pawn.
    #[inline(always)]
    pub(super) fn passing(&self, stepped: Color, king: usize, bare: usize, own: usize, other: usize) -> usize {
        let turned = self.turned(king);
        let [bare, own, other] = [bare, own, other].map(|square| usize::from(turned[square]));
        let of_kings = stepped.index() * self.kings().len() + self.slot(king);
        self.plain() + (of_kings << PASSING | bare << 4 | (own % 8) << 1 | usize::from(other > own))
    }

    /// Squares at an index. Indexes without a position have two pieces on one square.
    pub(super) fn spot(&self, place: usize) -> PackedPosition {
        let Some(passing) = place.checked_sub(self.plain()) else {
            let at = |shift: u32| place >> shift & 63;
            return PackedPosition { squares: [self.kings()[place >> BLOCK], at(12), at(6), at(0)], stepped: None };
        };
        let of_kings = passing >> PASSING;
        let (stepped, rank) = if of_kings < self.kings().len() { (Color::White, 3) } else { (Color::Black, 4) };
        let (file, right) = (passing >> 1 & 7, passing & 1 == 1);
        let own = rank * 8 + file;
        let other = match (file, right) {
            (0, false) | (7, true) => own,
            (_, true) => own + 1,
            (_, false) => own - 1,
        };
        let [first, second] = if stepped == Color::White { [own, other] } else { [other, own] };
        let squares = [self.kings()[of_kings % self.kings().len()], passing >> 4 & 63, first, second];
        PackedPosition { squares, stepped: Some(stepped) }
    }

    /// Index of a position.
    pub fn place(&self, quad: FourPiecePosition) -> usize {
        let [king, bare, first, second] = [quad.king, quad.bare, quad.first, quad.second].map(Square::index);
        match quad.stepped {
            None => self.at(king, bare, first, second),
            Some(Color::White) => self.passing(Color::White, king, bare, first, second),
            Some(Color::Black) => self.passing(Color::Black, king, bare, second, first),
        }
    }

    /// Position at an index. Meaningless for an index without a position.
    pub fn quad(&self, place: usize) -> FourPiecePosition {
        let PackedPosition { squares, stepped } = self.spot(place);
        let [king, bare, first, second] = squares.map(Square::at);
        FourPiecePosition { king, bare, first, second, stepped }
    }
}

/// Piece types other than the king, strongest first, with their letters.
const KINDS: [(u8, char); 5] = [(QUEEN, 'Q'), (ROOK, 'R'), (BISHOP, 'B'), (KNIGHT, 'N'), (PAWN, 'P')];
/// Piece types that a pawn can promote to.
pub(super) const PROMOTED: [u8; 4] = [QUEEN, ROOK, BISHOP, KNIGHT];

/// Material of an endgame with four pieces. White has both pieces or the stronger one; positions with the opposite colours are
/// looked up with colours reversed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FourPieceMaterial {
    /// White's piece; the stronger one if White has both.
    pub first: u8,
    /// The other piece.
    pub second: u8,
    /// Set if White has both pieces.
    pub together: bool,
}

/// Position of a piece type in [`KINDS`]; smaller is stronger.
pub(crate) fn rank(kind: u8) -> usize {
    KINDS.iter().position(|(other, _)| *other == kind).unwrap_or(KINDS.len())
}

/// Letter of a piece type.
pub(crate) fn letter(kind: u8) -> char {
    KINDS.get(rank(kind)).map_or('?', |(_, letter)| *letter)
}

impl FourPieceMaterial {
    /// Returns whether the tables cover a piece type.
    pub(super) fn has(kind: u8) -> bool {
        rank(kind) < KINDS.len()
    }

    /// All materials, each after those it can turn into.
    pub fn all() -> impl Iterator<Item = FourPieceMaterial> {
        let kinds = || KINDS.into_iter().map(|(kind, _)| kind);
        let pairs = kinds().flat_map(move |first| {
            let weaker = kinds().filter(move |second| rank(first) <= rank(*second));
            weaker.flat_map(move |second| [true, false].map(|together| FourPieceMaterial { first, second, together }))
        });
        let mut pairs: Vec<FourPieceMaterial> = pairs.collect();
        pairs.sort_by_key(|pair| pair.pawns());
        pairs.into_iter()
    }

    /// Material of two pieces, with colours reversed if necessary.
    pub(crate) fn of(mut pieces: [(Color, u8); 2]) -> FourPieceMaterial {
        pieces.sort_by_key(|(_, kind)| rank(*kind));
        let [(color, first), (other, second)] = pieces;
        FourPieceMaterial { first, second, together: color == other }
    }

    /// The material after the second piece, a pawn, has promoted to `kind`.
    pub(super) fn with(self, kind: u8) -> FourPieceMaterial {
        let [first, second] = if rank(self.first) <= rank(kind) { [self.first, kind] } else { [kind, self.first] };
        FourPieceMaterial { first, second, ..self }
    }

    /// Materials that must be solved for this one, including itself.
    pub fn needs(self) -> impl Iterator<Item = FourPieceMaterial> {
        let of = |pair: FourPieceMaterial| {
            PROMOTED.into_iter().filter(move |_| pair.pawns() > 0).map(move |kind| pair.with(kind))
        };
        std::iter::once(self).chain(of(self)).chain(of(self).flat_map(of))
    }

    /// Returns whether each side has a pawn, so that the en passant right is part of the position.
    pub fn has_en_passant(self) -> bool {
        self.pawns() == 2 && !self.together
    }

    /// Number of pawns.
    pub fn pawns(self) -> usize {
        [self.first, self.second].into_iter().filter(|kind| *kind == PAWN).count()
    }
}

impl fmt::Display for FourPieceMaterial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = [self.first, self.second].map(letter);
        if self.together { write!(f, "K{first}{second}vK") } else { write!(f, "K{first}vK{second}") }
    }
}

/// A text that is no material of four pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown material: write two pieces besides the kings, the stronger one first, as in KRBvK or KRvKB")]
pub struct UnknownPair;

impl FromStr for FourPieceMaterial {
    type Err = UnknownPair;
    fn from_str(text: &str) -> Result<FourPieceMaterial, UnknownPair> {
        FourPieceMaterial::all().find(|pair| pair.to_string() == text).ok_or(UnknownPair)
    }
}

/// Canonical squares of White's king and the symmetries that lead to them. Squares are numbered rank by rank: rank × files + file.
pub(crate) struct Turns {
    /// Canonical squares of White's king, in index order.
    kings: Vec<usize>,
    /// Number of the canonical square, by square of White's king.
    slot: [usize; 64],
    /// Number of the symmetry, by square of White's king.
    turn: [usize; 64],
    /// Image of each square, by symmetry.
    turned: [[u8; 64]; 8],
}

impl Turns {
    /// Symmetries of a board. With pawns, the only symmetry is the left-right mirror.
    pub(crate) fn new(size: Size, pawns: bool) -> Turns {
        let (width, height) = (usize::from(size.width()), usize::from(size.height()));
        // The bits of the number select three mirrors: left-right, top-bottom, and along the long diagonal.
        let turned = |turn: usize, square: usize| {
            let (file, rank) = (square % width, square / width);
            let file = if turn & 1 == 0 { file } else { width - 1 - file };
            let rank = if turn & 2 == 0 { rank } else { height - 1 - rank };
            if turn & 4 == 0 { rank * width + file } else { file * width + rank }
        };
        let turns = match (pawns, width == height) {
            (true, _) => 2,
            (false, false) => 4,
            (false, true) => 8,
        };
        let squares = width * height;
        let stays = |square: &usize| (1..turns).all(|turn| turned(turn, *square) >= *square);
        let kings: Vec<usize> = (0..squares).filter(stays).collect();
        let mut found = Turns { kings, slot: [0; 64], turn: [0; 64], turned: [[0; 64]; 8] };
        for (turn, all) in found.turned.iter_mut().enumerate().take(turns) {
            *all = std::array::from_fn(|square| if square < squares { turned(turn, square) as u8 } else { 0 });
        }
        for square in 0..squares {
            for turn in (0..turns).rev() {
                if let Some(slot) = found.kings.iter().position(|king| *king == turned(turn, square)) {
                    (found.slot[square], found.turn[square]) = (slot, turn);
                }
            }
        }
        found
    }

    /// Canonical squares of White's king, in index order.
    pub(crate) fn kings(&self) -> &[usize] {
        &self.kings
    }

    /// Number of the canonical square for a square of White's king.
    #[inline(always)]
    pub(crate) fn slot(&self, king: usize) -> usize {
        self.slot[king]
    }

    /// Symmetry that moves White's king from a square to its canonical square, as a map of squares.
    #[inline(always)]
    pub(crate) fn turned(&self, king: usize) -> &[u8; 64] {
        &self.turned[self.turn[king]]
    }
}

/// A position of four pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FourPiecePosition {
    /// White's king.
    pub king: Square,
    /// Black's king.
    pub bare: Square,
    /// White's piece; the stronger one if White has both.
    pub first: Square,
    /// The other piece.
    pub second: Square,
    /// Side whose pawn has just made a double step and may be captured en passant.
    pub stepped: Option<Color>,
}

/// A position of four pieces as its table stores it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NormalizedPosition {
    /// Material of the table.
    pub pair: FourPieceMaterial,
    /// Position in the table.
    pub quad: FourPiecePosition,
    /// Set if colours and ranks are reversed, so that a value x in the table means 1 − x.
    pub reversed: bool,
}

/// Mirror image of a square in the horizontal centre line.
fn flipped(square: Square) -> Square {
    Square::new(square.file(), 7 - square.rank())
}

impl FourPiecePosition {
    /// The position on a board, with White to move.
    pub fn position(self, board: &Board, pair: FourPieceMaterial) -> Position {
        let mut position = Position::EMPTY;
        let owner = if pair.together { Color::White } else { Color::Black };
        let men = [
            (Color::White, KING, self.king),
            (Color::Black, KING, self.bare),
            (Color::White, pair.first, self.first),
            (owner, pair.second, self.second),
        ];
        for (color, kind, square) in men {
            position.put(board, square, Piece { color, kind });
        }
        position
    }

    /// Side whose pawn may be captured en passant, given that each side has a pawn.
    fn en_passant_side(self, position: &Position) -> Option<Color> {
        let beside = self.first.rank() == self.second.rank() && self.first.file().abs_diff(self.second.file()) == 1;
        let over = position.en_passant.last().filter(|_| beside)?;
        match over.rank() {
            2 if self.first.rank() == 3 && over.file() == self.first.file() => Some(Color::White),
            5 if self.second.rank() == 4 && over.file() == self.second.file() => Some(Color::Black),
            _ => None,
        }
    }
}

impl NormalizedPosition {
    /// The position with its original colours.
    pub(super) fn position(self, board: &Board) -> Position {
        let mut position = self.quad.position(board, self.pair);
        if self.reversed {
            position = reverse(board.size(), &position);
        }
        // An en passant right needs a pawn on each side, and then the colours are never reversed.
        let over = self.quad.stepped.map(|stepped| match stepped {
            Color::White => Square::new(self.quad.first.file(), 2),
            Color::Black => Square::new(self.quad.second.file(), 5),
        });
        if let Some(over) = over {
            position.en_passant = over.set();
        }
        position
    }

    /// Finds the table and the position in it from the kings (White's, then Black's) and two pieces.
    pub fn new(kings: [Square; 2], mut pieces: [(Color, u8, Square); 2]) -> NormalizedPosition {
        pieces.sort_by_key(|(_, kind, _)| rank(*kind));
        let [(color, first, at), (other, second, beside)] = pieces;
        let together = color == other;
        let even = !together && first == second;
        let reversed = color == Color::Black && !even;
        // If both pieces are of one type, White's comes first.
        let [at, beside] = if even && color == Color::Black { [beside, at] } else { [at, beside] };
        let turn = |square| if reversed { flipped(square) } else { square };
        let [king, bare] = if reversed { [kings[1], kings[0]] } else { kings };
        let quad = FourPiecePosition {
            king: turn(king),
            bare: turn(bare),
            first: turn(at),
            second: turn(beside),
            stepped: None,
        };
        NormalizedPosition { pair: FourPieceMaterial { first, second, together }, quad, reversed }
    }

    /// Finds the table of a position on the 8x8 board. `None` unless the position has two kings and two pieces that the tables cover.
    pub fn of(position: &Position) -> Option<NormalizedPosition> {
        let [white, black] = Color::BOTH.map(|color| position.of_kind(color, KING).only());
        let mut others = position.pieces().filter(|(_, piece)| piece.kind != KING);
        let mut next = || others.next().map(|(square, piece)| (piece.color, piece.kind, square));
        let (one, two, None) = (next()?, next()?, next()) else { return None };
        let mut framed = NormalizedPosition::new([white?, black?], [one, two]);
        let known = [framed.pair.first, framed.pair.second].into_iter().all(FourPieceMaterial::has);
        if known && framed.pair.has_en_passant() && !position.en_passant.is_empty() {
            framed.quad.stepped = framed.quad.en_passant_side(position);
        }
        known.then_some(framed)
    }
}
