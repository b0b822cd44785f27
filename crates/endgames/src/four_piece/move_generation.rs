//! Moves of four-piece positions, as indexes into their table and beyond it.
//!
//! Indexes after the end of the table denote the positions outside it: the two ends of the game, then the three-piece positions after a
//! capture, then the four-piece positions after a promotion. `solve.rs` fills in their values.

use std::ops::Range;

use super::{
    attacks::{Rays, each},
    bound_table::StateSpace,
    index::{BLOCK, FourPieceMaterial, NormalizedPosition, Numbering, PROMOTED, PackedPosition},
};
use crate::board::{Color, Size, Square, orthodox::PAWN};

/// The piece besides the kings after a capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RemainingPiece {
    /// The first piece, which is White's.
    First,
    /// The second piece.
    Second,
    /// Promotion of the second piece, a pawn, as an index into [`PROMOTED`].
    Became(usize),
}

impl RemainingPiece {
    pub(super) const ALL: [RemainingPiece; 2 + PROMOTED.len()] = [
        RemainingPiece::First,
        RemainingPiece::Second,
        RemainingPiece::Became(0),
        RemainingPiece::Became(1),
        RemainingPiece::Became(2),
        RemainingPiece::Became(3),
    ];

    fn number(self) -> usize {
        match self {
            RemainingPiece::First => 0,
            RemainingPiece::Second => 1,
            RemainingPiece::Became(kind) => 2 + kind,
        }
    }
}

/// Move generator of one material.
pub(super) struct MoveGenerator {
    pub(super) pair: FourPieceMaterial,
    pub(super) numbering: Numbering,
    rays: Rays,
    /// Number of indexes of the table.
    len: usize,
}

impl MoveGenerator {
    pub(super) fn new(pair: FourPieceMaterial) -> MoveGenerator {
        let numbering = Numbering::new(pair);
        let len = numbering.len();
        MoveGenerator { pair, numbering, rays: Rays::new(Size::ORTHODOX), len }
    }

    /// Index of the end of the game after `by` has captured the king.
    #[inline(always)]
    pub(super) fn won(&self, by: Color) -> usize {
        self.len + usize::from(by == Color::White)
    }

    /// Index of a three-piece position.
    #[inline(always)]
    pub(super) fn three(&self, left: RemainingPiece, king: usize, bare: usize, piece: usize) -> usize {
        self.len + 2 + (left.number() << BLOCK) + (piece << 12 | king << 6 | bare)
    }

    /// Owner and type of the piece besides the kings; `None` if a capture cannot leave it.
    pub(super) fn piece(&self, left: RemainingPiece) -> Option<(Color, u8)> {
        let FourPieceMaterial { first, second, together } = self.pair;
        let owner = if together { Color::White } else { Color::Black };
        match left {
            RemainingPiece::First => Some((Color::White, first)),
            RemainingPiece::Second => Some((owner, second)),
            RemainingPiece::Became(kind) => (second == PAWN && !together).then(|| (owner, PROMOTED[kind])),
        }
    }

    /// Three-piece position at an index: the piece's owner and type, and the squares of both kings and the piece. `None` for other indexes.
    pub(super) fn remaining(&self, place: usize) -> Option<(Color, u8, [usize; 3])> {
        let number = place.checked_sub(self.len + 2)?;
        let (owner, kind) = self.piece(*RemainingPiece::ALL.get(number >> BLOCK)?)?;
        Some((owner, kind, [number >> 6 & 63, number & 63, number >> 12 & 63]))
    }

    /// Index of a four-piece position after a pawn of `by` has promoted on `on`.
    #[inline(always)]
    pub(super) fn promoted(&self, by: Color, became: usize, [king, bare, other, on]: [usize; 4]) -> usize {
        // If each side has a pawn, White's promotions follow after Black's.
        let became = became + if self.pair.has_en_passant() && by == Color::White { PROMOTED.len() } else { 0 };
        let turned = self.numbering.turned(king);
        let [bare, other, on] = [bare, other, on].map(|square| usize::from(turned[square]));
        let slots = self.numbering.kings().len();
        let block = (became * slots + self.numbering.slot(king)) << 15;
        self.first_promotion() + (block | bare << 9 | other << 3 | (on % 8))
    }

    /// Number of blocks of indexes after a promotion, one for each side and piece type.
    fn promotion_blocks(&self) -> usize {
        match self.pair.pawns() {
            0 => 0,
            _ if self.pair.has_en_passant() => 2 * PROMOTED.len(),
            _ => PROMOTED.len(),
        }
    }

    /// First index after a promotion.
    #[inline(always)]
    fn first_promotion(&self) -> usize {
        self.len + 2 + (RemainingPiece::ALL.len() << BLOCK)
    }

    /// Indexes after a promotion to a piece type, an index into [`PROMOTED`].
    pub(super) fn promotions(&self, became: usize) -> impl Iterator<Item = usize> {
        let (first, size) = (self.first_promotion(), self.numbering.kings().len() << 15);
        let blocks = (became..self.promotion_blocks()).step_by(PROMOTED.len());
        blocks.flat_map(move |block| first + block * size..first + (block + 1) * size)
    }

    /// Four-piece position at an index, in the table or after a promotion. `None` for indexes without one.
    pub(super) fn position(&self, place: usize) -> Option<NormalizedPosition> {
        if place < self.len {
            let framed = NormalizedPosition { pair: self.pair, quad: self.numbering.quad(place), reversed: false };
            return self.is_position(self.numbering.spot(place)).then_some(framed);
        }
        let number = place.checked_sub(self.first_promotion())?;
        let (kings, pair) = (self.numbering.kings(), self.pair);
        let (block, king) = ((number >> 15) / kings.len(), kings[(number >> 15) % kings.len()]);
        let [bare, other, file] = [number >> 9 & 63, number >> 3 & 63, number & 7];
        // If each side has a pawn, White's promotions follow after Black's.
        let (by, owner, kind) = match (pair.together, block < PROMOTED.len()) {
            (true, _) => (Color::White, Color::White, pair.first),
            (false, true) => (Color::Black, Color::White, pair.first),
            (false, false) => (Color::White, Color::Black, pair.second),
        };
        let on = if by == Color::White { 56 + file } else { file };
        let squares = [king, bare, other, on];
        let apart = (0..4).all(|one| (0..one).all(|other| squares[one] != squares[other]));
        let pieces = [(owner, kind, Square::at(other)), (by, PROMOTED[block % PROMOTED.len()], Square::at(on))];
        (apart && (kind != PAWN || (8..56).contains(&other)))
            .then(|| NormalizedPosition::new([king, bare].map(Square::at), pieces))
    }

    /// Returns whether four squares form a position. White's king must be on a canonical square.
    #[inline(always)]
    pub(super) fn is_position(
        &self,
        PackedPosition { squares: [king, bare, first, second], stepped }: PackedPosition,
    ) -> bool {
        let apart =
            king != bare && king != first && king != second && bare != first && bare != second && first != second;
        let inner = |kind: u8, square: usize| kind != PAWN || (8..56).contains(&square);
        // The squares behind a pawn after its double step are empty.
        let passed = match stepped {
            None => true,
            Some(Color::White) => [king, bare].iter().all(|king| *king + 8 != first && *king + 16 != first),
            Some(Color::Black) => [king, bare].iter().all(|king| *king != second + 8 && *king != second + 16),
        };
        apart && passed && inner(self.pair.first, first) && inner(self.pair.second, second)
    }

    /// Squares that a piece can move to or capture on.
    #[inline(always)]
    fn reach(&self, kind: u8, white: bool, square: usize, occupied: u64) -> u64 {
        if kind == PAWN { self.rays.pawn(white, square, occupied) } else { self.rays.reach(kind, square, occupied) }
    }

    /// Index after the double step of a pawn: an en passant position if the other pawn is next to it.
    #[inline(always)]
    fn stepped(&self, by: Color, [king, bare, first, second]: [usize; 4]) -> usize {
        if first / 8 == second / 8 && first.abs_diff(second) == 1 {
            let [own, other] = if by == Color::White { [first, second] } else { [second, first] };
            return self.numbering.passing(by, king, bare, own, other);
        }
        self.numbering.at(king, bare, first, second)
    }

    #[inline(always)]
    fn white(&self, [king, bare, first, second]: [usize; 4], mut tell: impl FnMut(usize)) {
        let FourPieceMaterial { first: one, second: two, together } = self.pair;
        let occupied = 1u64 << king | 1 << bare | 1 << first | 1 << second;
        let theirs = 1u64 << bare | if together { 0 } else { 1 << second };
        let free = !occupied | theirs;
        let steps = self.rays.king(king) & free;
        let goes = self.reach(one, true, first, occupied) & free;
        let beside = if together { self.reach(two, true, second, occupied) & free } else { 0 };
        if (steps | goes | beside) >> bare & 1 != 0 {
            return tell(self.won(Color::White));
        }
        let inside =
            |king: usize, bare: usize, first: usize, second: usize| self.numbering.at(king, bare, first, second);
        let passes = self.pair.has_en_passant();
        let promote = |other: usize, to: usize, tell: &mut dyn FnMut(usize)| {
            for became in 0..PROMOTED.len() {
                tell(self.promoted(Color::White, became, [king, bare, other, to]));
            }
        };
        each(goes, |to| match (to == second, one == PAWN && to >= 56) {
            // Of two pawns, only one promotes.
            (_, true) => promote(second, to, &mut tell),
            (true, false) => tell(self.three(RemainingPiece::First, king, bare, to)),
            (false, false) if passes && to == first + 16 => tell(self.stepped(Color::White, [king, bare, to, second])),
            (false, false) => tell(inside(king, bare, to, second)),
        });
        each(beside, |to| match two == PAWN && to >= 56 {
            true => promote(first, to, &mut tell),
            false => tell(inside(king, bare, first, to)),
        });
        each(steps, |to| match to == second {
            true => tell(self.three(RemainingPiece::First, to, bare, first)),
            false => tell(inside(to, bare, first, second)),
        });
    }

    #[inline(always)]
    fn black(&self, [king, bare, first, second]: [usize; 4], mut tell: impl FnMut(usize)) {
        let FourPieceMaterial { second: two, together, .. } = self.pair;
        let occupied = 1u64 << king | 1 << bare | 1 << first | 1 << second;
        let theirs = 1u64 << king | 1 << first | if together { 1 << second } else { 0 };
        let free = !occupied | theirs;
        let steps = self.rays.king(bare) & free;
        let goes = if together { 0 } else { self.reach(two, false, second, occupied) & free };
        if (steps | goes) >> king & 1 != 0 {
            return tell(self.won(Color::Black));
        }
        each(steps, |to| match (to == first, together && to == second) {
            (true, _) => tell(self.three(RemainingPiece::Second, king, to, second)),
            (_, true) => tell(self.three(RemainingPiece::First, king, to, first)),
            (false, false) => tell(self.numbering.at(king, to, first, second)),
        });
        each(goes, |to| match (to == first, two == PAWN && to < 8) {
            (true, true) => {
                (0..PROMOTED.len()).for_each(|became| tell(self.three(RemainingPiece::Became(became), king, bare, to)))
            }
            (true, false) => tell(self.three(RemainingPiece::Second, king, bare, to)),
            (false, true) => {
                let place = |became| self.promoted(Color::Black, became, [king, bare, first, to]);
                (0..PROMOTED.len()).for_each(|became| tell(place(became)));
            }
            (false, false) if self.pair.has_en_passant() && to + 16 == second => {
                tell(self.stepped(Color::Black, [king, bare, first, to]));
            }
            (false, false) => tell(self.numbering.at(king, bare, first, to)),
        });
    }
}

impl StateSpace for MoveGenerator {
    type Spot = PackedPosition;

    fn len(&self) -> usize {
        self.len
    }

    fn all(&self) -> usize {
        self.first_promotion() + ((self.promotion_blocks() * self.numbering.kings().len()) << 15)
    }

    #[inline(always)]
    fn each(&self, places: Range<usize>, back: bool, mut tell: impl FnMut(usize, PackedPosition)) {
        let numbering = &self.numbering;
        let king = (places.start < numbering.plain()).then(|| numbering.kings()[places.start >> BLOCK]);
        for at in 0..places.len() {
            let place = if back { places.end - 1 - at } else { places.start + at };
            let spot = match king {
                Some(king) => {
                    PackedPosition { squares: [king, place >> 12 & 63, place >> 6 & 63, place & 63], stepped: None }
                }
                None => numbering.spot(place),
            };
            if self.is_position(spot) {
                tell(place, spot);
            }
        }
    }

    #[inline(always)]
    fn options(&self, mover: Color, spot: PackedPosition, mut tell: impl FnMut(usize)) {
        let [king, bare, first, second] = spot.squares;
        match (mover, spot.stepped) {
            (Color::White, Some(Color::Black)) => tell(self.three(RemainingPiece::First, king, bare, second + 8)),
            (Color::Black, Some(Color::White)) => tell(self.three(RemainingPiece::Second, king, bare, first - 8)),
            (_, _) => {}
        }
        match mover {
            Color::White => self.white(spot.squares, tell),
            Color::Black => self.black(spot.squares, tell),
        }
    }
}
