//! Moves with the values to which they lead, in one number each, so that whole numbers decide their order on every image of a position.

use crate::board::{Color, Move, Square, orthodox};

/// The kinds that a pawn may become, in the order of their letters.
const PROMOTIONS: [u8; 4] = [orthodox::BISHOP, orthodox::KNIGHT, orthodox::QUEEN, orthodox::ROOK];

/// The number of a square by file and then by rank, as the names of squares are sorted.
#[inline]
pub(super) fn by_file(square: Square) -> u8 {
    square.file() * 8 + square.rank()
}

/// The squares of a board as one of its symmetries leaves them, by [`by_file`].
pub(super) type Turned = [u8; 64];

/// How far the value to which a move leads is from the best one, where it goes, and what the pawn becomes: the less the number, the
/// farther to the front the move is told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Packed(u32);

/// Bits of a square.
const SQUARE: u32 = 6;
/// Bits of what a pawn becomes.
const PROMOTION: u32 = 3;
/// The number of values that can be told apart.
pub(super) const MOST: usize = 1 << (u32::BITS - 2 * SQUARE - PROMOTION);

impl Packed {
    pub(super) fn new(short: u32, mv: Move) -> Packed {
        let promotion = mv.promotion.and_then(|kind| PROMOTIONS.iter().position(|known| *known == kind));
        Packed::of(short, [by_file(mv.from), by_file(mv.to)], promotion.map_or(0, |at| at as u32 + 1))
    }

    #[inline]
    fn of(short: u32, [from, to]: [u8; 2], promotion: u32) -> Packed {
        Packed(((short << SQUARE | u32::from(from)) << SQUARE | u32::from(to)) << PROMOTION | promotion)
    }

    /// How many values lie between the best there is and the one to which it leads.
    #[inline]
    pub(super) fn short(self) -> u32 {
        self.0 >> (2 * SQUARE + PROMOTION)
    }

    /// Where the unit stands.
    #[inline]
    pub(super) fn from(self) -> u8 {
        (self.0 >> (SQUARE + PROMOTION) & 63) as u8
    }

    /// Where it goes.
    #[inline]
    pub(super) fn to(self) -> u8 {
        (self.0 >> PROMOTION & 63) as u8
    }

    /// One of the four pieces that a pawn may become, from 1 on, or 0.
    #[inline]
    pub(super) fn promotion(self) -> usize {
        (self.0 & ((1 << PROMOTION) - 1)) as usize
    }
}

/// Puts the moves of an image in their order, from that of the canonical position: those alone that lead to equal values have to change places.
#[inline]
pub(super) fn settle<T: Copy>(moves: &mut [(Packed, T)]) {
    for next in 1..moves.len() {
        let (own, mut place) = (moves[next], next);
        while place > 0 && own.0 < moves[place - 1].0 {
            moves[place] = moves[place - 1];
            place -= 1;
        }
        moves[place] = own;
    }
}

/// A packed move in three bytes, for who knows where the units of its side stand: the number of values in front, and in the bits below it
/// one of eight steps of the king, the square to which the other unit goes, or one of three ways ahead and of four pieces that it becomes.
#[derive(Clone, Copy)]
struct Tight([u8; 3]);

/// Bits of what is not the number of values.
const ACT: u32 = 7;
/// The steps of a king.
const STEPS: u32 = 8;
/// Behind those, the squares of a board.
const GOES: u32 = STEPS + 64;

impl Tight {
    fn new(packed: Packed, king: u8) -> Tight {
        let (from, to) = (packed.from(), packed.to());
        let act = match packed.promotion() as u32 {
            0 if from == king => {
                let step = (3 * (to / 8 + 1 - from / 8) + (to % 8 + 1 - from % 8)).into();
                if step > 4 { step - 1 } else { step }
            }
            0 => STEPS + u32::from(to),
            promotion => GOES + 4 * u32::from(to / 8 + 1 - from / 8) + promotion - 1,
        };
        let [low, middle, high, _] = (packed.short() << ACT | act).to_le_bytes();
        Tight([low, middle, high])
    }

    /// The move on an image of the position.
    #[inline]
    fn packed(self, [king, other]: [u8; 2], turned: &Turned) -> Packed {
        let [low, middle, high] = self.0;
        let word = u32::from_le_bytes([low, middle, high, 0]);
        let act = word & ((1 << ACT) - 1);
        let (from, to, promotion) = match act {
            0..STEPS => {
                let step = if act > 3 { act + 1 } else { act } as u8;
                (king, king + 8 * (step / 3) + step % 3 - 9, 0)
            }
            STEPS..GOES => (other, (act - STEPS) as u8, 0),
            _ => {
                let (file, promotion) = ((act - GOES) / 4, (act - GOES) % 4 + 1);
                (other, (other / 8 + file as u8 - 1) * 8 + other % 8 + 1, promotion)
            }
        };
        Packed::of(word >> ACT, [from, to].map(|square| turned[usize::from(square)]), promotion)
    }
}

/// The packed moves of both sides in all positions, each side's in their order.
pub(super) struct PackedMoves {
    all: Vec<Tight>,
    /// Where those of each position and side end.
    ends: Vec<u32>,
}

impl PackedMoves {
    /// Those of the positions from a number on.
    pub(super) fn behind(first: u32) -> PackedMoves {
        PackedMoves { all: Vec::new(), ends: vec![0; 1 + 2 * first as usize] }
    }

    /// Adds the moves of White in the next position, or, after those, of Black in it, whose king stands there; gives the best one.
    pub(super) fn push(&mut self, mut moves: Vec<Packed>, king: Square) -> Option<Packed> {
        moves.sort_unstable();
        self.all.extend(moves.iter().map(|packed| Tight::new(*packed, by_file(king))));
        self.ends.push(self.all.len() as u32);
        moves.first().copied()
    }

    pub(super) fn finish(&mut self) {
        self.all.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// The moves of a side in a position, whose king and other unit stand there, as they are on an image of it.
    #[inline]
    pub(super) fn of(
        &self,
        position: u32,
        side: Color,
        stand: [Square; 2],
        turned: &Turned,
    ) -> impl Iterator<Item = Packed> {
        let at = 2 * position as usize + side.index();
        let (stand, kept) = (stand.map(by_file), &self.all[self.ends[at] as usize..self.ends[at + 1] as usize]);
        kept.iter().map(move |kept| kept.packed(stand, turned))
    }
}
