//! The places of the positions of four pieces: which two pieces stand beside the kings, the position as its table sees it, and its number there. The
//! board is turned until White's king stands on one of ten squares, with a pawn on one of thirty-two, and the other pieces turn with it.

use std::{fmt, str::FromStr};

use crate::{
    board::{
        Board, Color, Piece, Position, Size, Square,
        orthodox::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
    },
    bounded_answer::reverse,
};

/// The bits of a place below those of White's king: three squares.
pub(super) const BLOCK: u32 = 18;

/// The bits of a place in which a pawn may be captured in passing, below those of the side that has stepped and of White's king.
const PASSING: u32 = 10;

/// Four squares, White's king, Black's, the first piece and the second, and the side whose pawn may be captured in passing.
#[derive(Clone, Copy)]
pub(super) struct PackedPosition {
    pub(super) squares: [usize; 4],
    pub(super) stepped: Option<Color>,
}

/// The places of the positions of a pair.
pub struct Numbering {
    /// Whether there are places in which a pawn may be captured in passing.
    passes: bool,
    /// The squares of White's king that have places.
    turns: Turns,
}

impl Numbering {
    /// The places of a pair: with pawns the board is only mirrored in the middle between the files.
    pub fn new(pair: FourPieceMaterial) -> Numbering {
        Numbering { passes: pair.passes(), turns: Turns::new(Size::ORTHODOX, pair.pawns() > 0) }
    }

    /// The number of places. Not all are positions: on some two pieces would share a square, and a pawn would stand on an outer rank.
    pub fn len(&self) -> usize {
        self.plain() + if self.passes { (2 * self.kings().len()) << PASSING } else { 0 }
    }

    /// The number of places in which nothing may be captured in passing; the others come behind them.
    pub(super) fn plain(&self) -> usize {
        self.kings().len() << BLOCK
    }

    /// Tells whether there are no places.
    pub fn is_empty(&self) -> bool {
        self.kings().is_empty()
    }

    /// The squares of White's king, in the order of the places.
    pub(super) fn kings(&self) -> &[usize] {
        self.turns.kings()
    }

    /// The number of the square that one of White's king is turned to.
    #[inline(always)]
    pub(super) fn slot(&self, king: usize) -> usize {
        self.turns.slot(king)
    }

    /// How the board is turned where White's king stands on a square.
    #[inline(always)]
    pub(super) fn turned(&self, king: usize) -> &[u8; 64] {
        self.turns.turned(king)
    }

    /// The place of squares.
    #[inline(always)]
    pub(super) fn at(&self, king: usize, bare: usize, first: usize, second: usize) -> usize {
        let turned = self.turned(king);
        let of = |square: usize| usize::from(turned[square]);
        self.slot(king) << BLOCK | of(bare) << 12 | of(first) << 6 | of(second)
    }

    /// The place of squares where the pawn of a side has just stepped twice to beside the other's.
    #[inline(always)]
    pub(super) fn passing(&self, stepped: Color, king: usize, bare: usize, own: usize, other: usize) -> usize {
        let turned = self.turned(king);
        let [bare, own, other] = [bare, own, other].map(|square| usize::from(turned[square]));
        let of_kings = stepped.index() * self.kings().len() + self.slot(king);
        self.plain() + (of_kings << PASSING | bare << 4 | (own % 8) << 1 | usize::from(other > own))
    }

    /// What stands at a place; pieces on one square where nothing does.
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

    /// The place of a position.
    pub fn place(&self, quad: FourPiecePosition) -> usize {
        let [king, bare, first, second] = [quad.king, quad.bare, quad.first, quad.second].map(Square::index);
        match quad.stepped {
            None => self.at(king, bare, first, second),
            Some(Color::White) => self.passing(Color::White, king, bare, first, second),
            Some(Color::Black) => self.passing(Color::Black, king, bare, second, first),
        }
    }

    /// The position at a place, were it one.
    pub fn quad(&self, place: usize) -> FourPiecePosition {
        let PackedPosition { squares, stepped } = self.spot(place);
        let [king, bare, first, second] = squares.map(Square::at);
        FourPiecePosition { king, bare, first, second, stepped }
    }
}

/// The kinds that can stand beside a king, the strongest first, with their letters.
const KINDS: [(u8, char); 5] = [(QUEEN, 'Q'), (ROOK, 'R'), (BISHOP, 'B'), (KNIGHT, 'N'), (PAWN, 'P')];
/// What a pawn becomes.
pub(super) const PROMOTED: [u8; 4] = [QUEEN, ROOK, BISHOP, KNIGHT];

/// The material of an endgame with four pieces, of which White has the stronger one beside the kings, or both. What Black has is looked up with the
/// colours changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FourPieceMaterial {
    /// The kind of White's piece, of the stronger one if both are White's.
    pub first: u8,
    /// The kind of the other piece.
    pub second: u8,
    /// Both are White's.
    pub together: bool,
}

/// The place of a kind among [`KINDS`]: less for stronger ones.
pub(crate) fn rank(kind: u8) -> usize {
    KINDS.iter().position(|(other, _)| *other == kind).unwrap_or(KINDS.len())
}

/// The letter of a kind.
pub(crate) fn letter(kind: u8) -> char {
    KINDS.get(rank(kind)).map_or('?', |(_, letter)| *letter)
}

impl FourPieceMaterial {
    /// Tells whether a kind can stand beside a king.
    pub(super) fn has(kind: u8) -> bool {
        rank(kind) < KINDS.len()
    }

    /// Every pair, each after all those that it can turn into.
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

    /// That of two pieces, or of them with colours changed.
    pub(crate) fn of(mut pieces: [(Color, u8); 2]) -> FourPieceMaterial {
        pieces.sort_by_key(|(_, kind)| rank(*kind));
        let [(color, first), (other, second)] = pieces;
        FourPieceMaterial { first, second, together: color == other }
    }

    /// The same with another kind in the place of the second, which is how a pawn's promotion ends.
    pub(super) fn with(self, kind: u8) -> FourPieceMaterial {
        let [first, second] = if rank(self.first) <= rank(kind) { [self.first, kind] } else { [kind, self.first] };
        FourPieceMaterial { first, second, ..self }
    }

    /// The pairs that must be solved for this one, itself among them.
    pub fn needs(self) -> impl Iterator<Item = FourPieceMaterial> {
        let of = |pair: FourPieceMaterial| {
            PROMOTED.into_iter().filter(move |_| pair.pawns() > 0).map(move |kind| pair.with(kind))
        };
        std::iter::once(self).chain(of(self)).chain(of(self).flat_map(of))
    }

    /// Tells whether two pawns stand against each other, so that the right to capture in passing is a part of the position.
    pub fn passes(self) -> bool {
        self.pawns() == 2 && !self.together
    }

    /// The number of pawns.
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

/// A text that names no pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("write two pieces beside the kings, the stronger one first, as in KRBvK or KRvKB")]
pub struct UnknownPair;

impl FromStr for FourPieceMaterial {
    type Err = UnknownPair;
    fn from_str(text: &str) -> Result<FourPieceMaterial, UnknownPair> {
        FourPieceMaterial::all().find(|pair| pair.to_string() == text).ok_or(UnknownPair)
    }
}

/// The squares that White's king is turned to, and how the other squares turn with it. Squares are numbered rank by rank: rank × files + file.
pub(crate) struct Turns {
    /// The squares of White's king that have places, in the order of these.
    kings: Vec<usize>,
    /// For each square of White's king the number of the one that it is turned to.
    slot: [usize; 64],
    /// For each square of White's king how the board is turned.
    turn: [usize; 64],
    /// How a turn moves each square.
    turned: [[u8; 64]; 8],
}

impl Turns {
    /// The turns of a board, with pawns only the mirror in the middle between the files.
    pub(crate) fn new(size: Size, pawns: bool) -> Turns {
        let (width, height) = (usize::from(size.width()), usize::from(size.height()));
        // In the middle between the files, in that between the ranks, and in the long diagonal, by the bits of the number.
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

    /// The squares of White's king, in the order of the places.
    pub(crate) fn kings(&self) -> &[usize] {
        &self.kings
    }

    /// The number of the square that one of White's king is turned to.
    #[inline(always)]
    pub(crate) fn slot(&self, king: usize) -> usize {
        self.slot[king]
    }

    /// How the board is turned where White's king stands on a square.
    #[inline(always)]
    pub(crate) fn turned(&self, king: usize) -> &[u8; 64] {
        &self.turned[self.turn[king]]
    }
}

/// Where four pieces stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FourPiecePosition {
    /// White's king.
    pub king: Square,
    /// Black's king.
    pub bare: Square,
    /// White's piece, the stronger one if both are White's.
    pub first: Square,
    /// The other piece.
    pub second: Square,
    /// The side whose pawn has just stepped twice to beside the other's, which may capture it in passing now.
    pub stepped: Option<Color>,
}

/// A position of four pieces with the sides as they are in its table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NormalizedPosition {
    /// The table.
    pub pair: FourPieceMaterial,
    /// The position in it.
    pub quad: FourPiecePosition,
    /// Set if colours and ranks are exchanged, so that x stands for 1 − x.
    pub reversed: bool,
}

/// The square that mirrors another one in the middle between the ranks.
fn flipped(square: Square) -> Square {
    Square::new(square.file(), 7 - square.rank())
}

impl FourPiecePosition {
    /// The position on a board, White to move, with the pieces of a pair.
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

    /// The side whose pawn may be captured in passing, if the other's stands beside it: of two pawns against each other.
    fn passed(self, position: &Position) -> Option<Color> {
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
    /// The position with its own colours.
    pub(super) fn position(self, board: &Board) -> Position {
        let mut position = self.quad.position(board, self.pair);
        if self.reversed {
            position = reverse(board.size(), &position);
        }
        // Only of two like pieces one can have passed, and then no colours are exchanged.
        let over = self.quad.stepped.map(|stepped| match stepped {
            Color::White => Square::new(self.quad.first.file(), 2),
            Color::Black => Square::new(self.quad.second.file(), 5),
        });
        if let Some(over) = over {
            position.en_passant = over.set();
        }
        position
    }

    /// Finds the table and the place in it for White's king and Black's, and two pieces.
    pub fn new(kings: [Square; 2], mut pieces: [(Color, u8, Square); 2]) -> NormalizedPosition {
        pieces.sort_by_key(|(_, kind, _)| rank(*kind));
        let [(color, first, at), (other, second, beside)] = pieces;
        let together = color == other;
        let even = !together && first == second;
        let reversed = color == Color::Black && !even;
        // Of two like pieces White's is the first.
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

    /// Finds the table of a position of the ordinary board; nothing unless two kings and two other pieces stand there, of which a table tells.
    pub fn of(position: &Position) -> Option<NormalizedPosition> {
        let [white, black] = Color::BOTH.map(|color| position.of_kind(color, KING).only());
        let mut others = position.pieces().filter(|(_, piece)| piece.kind != KING);
        let mut next = || others.next().map(|(square, piece)| (piece.color, piece.kind, square));
        let (one, two, None) = (next()?, next()?, next()) else { return None };
        let mut framed = NormalizedPosition::new([white?, black?], [one, two]);
        let known = [framed.pair.first, framed.pair.second].into_iter().all(FourPieceMaterial::has);
        if known && framed.pair.passes() && !position.en_passant.is_empty() {
            framed.quad.stepped = framed.quad.passed(position);
        }
        known.then_some(framed)
    }
}
