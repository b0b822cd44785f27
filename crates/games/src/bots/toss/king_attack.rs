//! White's chance at first sight where a coin names every mover and the king is captured: which side is nearer to capturing the other's. What
//! else it has hardly matters, since such a game of chess is over after six moves of each side, as the bots play it.
//!
//! The weights are those of a logistic regression of who won 100,000 games of random-turn chess, between bots that looked one ply ahead by such
//! weights, on what stood there before every toss of the coin.

use crate::{
    board::{Board, Color, Position, Squares},
    bots::{odds, worth::Scale},
};

/// Every piece that could attack the king with its next move.
const NEAR: f64 = 0.24;
/// That there is such a piece.
const ANY_NEAR: f64 = 0.29;
/// The logarithm of one more than the moves with which they could, onto squares that the other side does not attack.
const SAFE: f64 = 0.16;
/// The logarithm of one more than the other pieces that could with the move after.
const FAR: f64 = 0.28;
/// Every square from which one of its pieces, if it stood there, would attack the king.
const LINES: f64 = 0.01;
/// A pawn's worth of material.
const MATERIAL: f64 = 0.02;

/// That a side could capture the king. These are the weights of its chances if the coin names the other side.
const STRIKES: f64 = 0.45;
/// That only one piece could, and the other side attacks that.
const STRIKER_ATTACKED: f64 = -0.46;
/// Every other piece that is near.
const STRIKES_NEAR: f64 = 0.45;
/// The logarithm of one more than those that could be near after a move.
const STRIKES_FAR: f64 = 0.40;
/// That the other side has a piece that is near.
const STRUCK_ANY_NEAR: f64 = -0.60;
/// The logarithm of one more than the other side's pieces that could be near after a move.
const STRUCK_FAR: f64 = -0.36;

/// What a side could do about the other's king.
#[derive(Clone, Copy)]
struct KingAttack {
    /// The pieces that could capture it now.
    strikers: Squares,
    /// The other pieces that could attack it with their next move.
    near: u32,
    /// The moves with which they could, onto squares that the other side does not attack.
    safe: u32,
    /// The pieces that are neither, and could be near after a move.
    far: u32,
    /// The squares from which its pieces would attack the king.
    lines: u32,
    /// The worth of all its pieces, in hundredths of a pawn.
    material: i32,
}

impl KingAttack {
    /// Counts what `color` could do, where the other side attacks these squares; `steps` are those of its own king to a square that wins.
    fn of(
        board: &Board,
        scale: &Scale,
        position: &Position,
        color: Color,
        attacked: Squares,
        steps: Option<i32>,
    ) -> Self {
        let (occupied, hostile) = (position.occupied(), position.of(!color));
        let king = board.royals(position, !color).first();
        // Who stands where the other colour's piece of the same kind, in the place of the king, would attack, attacks the king.
        let zone =
            |kind: u8| king.map_or(Squares::EMPTY, |king| board.kind(kind).design.attacks(!color, king, occupied));
        let zones: Vec<Squares> = (0..board.kinds().len() as u8).map(zone).collect();
        let mut sum = KingAttack { strikers: Squares::EMPTY, near: 0, safe: 0, far: 0, lines: 0, material: 0 };
        let mut lines = Squares::EMPTY;
        for from in position.of(color) {
            let Some(piece) = position.piece(from) else { continue };
            let (zone, design) = (zones[usize::from(piece.kind)], &board.kind(piece.kind).design);
            sum.material += scale.value(piece.kind);
            if !board.is_pawn(piece.kind) {
                lines |= zone;
            }
            if zone.has(from) {
                sum.strikers |= from.set();
                continue;
            }
            let mut targets = design.targets(color, from, occupied, hostile);
            if !sum.nears(targets & zone, attacked)
                && targets.any(|to| !(design.attacks(color, to, occupied) & zone).is_empty())
            {
                sum.far += 1;
            }
        }
        for (kind, count) in position.holdings(color) {
            sum.material += scale.value(kind) * i32::from(count);
            if !sum.nears(zones[usize::from(kind)] & !occupied, attacked) {
                sum.far += 1;
            }
        }
        match steps {
            Some(..=1) => sum.strikers |= board.royals(position, color),
            Some(2) => sum.near += 1,
            Some(3) => sum.far += 1,
            Some(_) | None => {}
        }
        sum.lines = (lines & !hostile).len();
        sum
    }

    /// Counts a piece that could attack the king by coming to these squares, if there are any, and tells whether there are.
    fn nears(&mut self, squares: Squares, attacked: Squares) -> bool {
        self.near += u32::from(!squares.is_empty());
        self.safe += (squares & !attacked).len();
        !squares.is_empty()
    }

    /// The weight of what it could do, as long as neither side could capture the king.
    fn weight(&self) -> f64 {
        NEAR * f64::from(self.near)
            + ANY_NEAR * f64::from(self.near.min(1))
            + SAFE * logarithm(self.safe)
            + FAR * logarithm(self.far)
            + LINES * f64::from(self.lines)
            + MATERIAL * f64::from(self.material) / 100.0
    }

    /// The weight of what it could still do if it could capture the king and the other side has the move.
    fn lasts(&self, other: &KingAttack, attacked: Squares) -> f64 {
        let threatened = self.strikers.len() == 1 && !(self.strikers & attacked).is_empty();
        STRIKES
            + STRIKER_ATTACKED * f64::from(u8::from(threatened))
            + STRIKES_NEAR * f64::from(self.near)
            + STRIKES_FAR * logarithm(self.far)
            + STRUCK_ANY_NEAR * f64::from(other.near.min(1))
            + STRUCK_FAR * logarithm(other.far)
    }
}

/// White's chance before the coin is tossed. `steps` are those of the kings to the squares that win, where there are such, and `off` is added
/// to the logarithm of the odds.
pub(super) fn chance(board: &Board, scale: &Scale, position: &Position, steps: [Option<i32>; 2], off: f64) -> f64 {
    let attacked = Color::BOTH.map(|color| board.attacks(position, color));
    let sides = Color::BOTH
        .map(|color| KingAttack::of(board, scale, position, color, attacked[(!color).index()], steps[color.index()]));
    let [white, black] = &sides;
    match [white, black].map(|side| !side.strikers.is_empty()) {
        [true, true] => 0.5,
        [true, false] => 0.5 + 0.5 * odds::chance(white.lasts(black, attacked[1]) + off),
        [false, true] => 0.5 - 0.5 * odds::chance(black.lasts(white, attacked[0]) - off),
        [false, false] => odds::chance(white.weight() - black.weight() + off),
    }
}

/// The natural logarithm of one more than a number.
fn logarithm(count: u32) -> f64 {
    f64::from(count).ln_1p()
}
