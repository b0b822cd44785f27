//! The place of every position of a pair in its table. White's king stands on one of ten squares, with a pawn on one of thirty-two: the board is turned
//! until it does, and the other pieces with it.

use super::{framed::Quad, pair::Pair, turns::Turns};
use crate::board::{Color, Size, Square};

/// The bits of a place below those of White's king: three squares.
pub(super) const BLOCK: u32 = 18;

/// The bits of a place in which a pawn may be captured in passing, below those of the side that has stepped and of White's king.
const PASSING: u32 = 10;

/// Four squares, White's king, Black's, the first piece and the second, and the side whose pawn may be captured in passing.
#[derive(Clone, Copy)]
pub(super) struct Spot {
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
    pub fn new(pair: Pair) -> Numbering {
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
    pub(super) fn spot(&self, place: usize) -> Spot {
        let Some(passing) = place.checked_sub(self.plain()) else {
            let at = |shift: u32| place >> shift & 63;
            return Spot { squares: [self.kings()[place >> BLOCK], at(12), at(6), at(0)], stepped: None };
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
        Spot { squares, stepped: Some(stepped) }
    }

    /// The place of a position.
    pub fn place(&self, quad: Quad) -> usize {
        let [king, bare, first, second] = [quad.king, quad.bare, quad.first, quad.second].map(Square::index);
        match quad.stepped {
            None => self.at(king, bare, first, second),
            Some(Color::White) => self.passing(Color::White, king, bare, first, second),
            Some(Color::Black) => self.passing(Color::Black, king, bare, second, first),
        }
    }

    /// The position at a place, were it one.
    pub fn quad(&self, place: usize) -> Quad {
        let Spot { squares, stepped } = self.spot(place);
        let [king, bare, first, second] = squares.map(Square::at);
        Quad { king, bare, first, second, stepped }
    }
}
