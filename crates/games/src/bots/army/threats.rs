//! What attacks on units are worth, and pawns that no pawn can stop.

use super::{Army, Sets, Side, add};
use crate::{
    board::{
        Color, Position, Size, Squares,
        orthodox::{KING, PAWN},
    },
    bots::{
        shape::{ahead, file_of, pawns_guard, ranks_before, steps},
        values::Stages,
    },
};

impl Army {
    /// What the attacks of a side on units of the other are worth.
    pub(super) fn threats(&self, position: &Position, sets: &Sets, sides: &[Side; 2], color: Color) -> Stages {
        let (side, other, hostile) = (&sides[color.index()], &sides[(!color).index()], &sets[(!color).index()]);
        let [pawns, knights, bishops, rooks, queens, king] = *hostile;
        let (values, mut sum) = (&self.values, [0; 2]);
        let mut count = |pair: Stages, squares: Squares| add(&mut sum, pair, squares.len() as i32);
        let minors = side.officers[0] | side.officers[1];
        count(values.pawn_threat[0], side.pawns & (knights | bishops));
        count(values.pawn_threat[1], side.pawns & (rooks | queens));
        count(values.threat[0], minors & rooks);
        count(values.threat[1], minors & queens);
        count(values.threat[2], side.officers[2] & queens);
        let loose = side.whole & !other.whole;
        count(values.loose[0], loose & pawns);
        count(values.loose[1], loose & position.of(!color) & !pawns & !king);
        let free = !position.occupied();
        let push = |pawns: Squares| match color {
            Color::White => Squares(pawns.0 << 8) & free,
            Color::Black => Squares(pawns.0 >> 8) & free,
        };
        let once = push(sets[color.index()][usize::from(PAWN)]);
        let twice = push(once & Squares::rank(if color == Color::White { 2 } else { 5 }));
        let safe = (once | twice) & !other.pawns & (side.whole | !other.whole);
        count(values.push_threat, pawns_guard(color, safe) & (knights | bishops | rooks | queens) & !side.pawns);
        sum
    }

    /// What pawns that no pawn can stop are worth beside their rank.
    pub(super) fn runners(&self, position: &Position, sets: &Sets, sides: &[Side; 2], color: Color) -> Stages {
        let other = &sides[(!color).index()];
        let mut sum = [0; 2];
        for square in sides[color.index()].passed {
            let rank = Size::ORTHODOX.rank_of(color, square.rank());
            let height = i32::from(rank);
            let next = ahead(color, square);
            if position.occupied().has(next) {
                add(&mut sum, self.values.blocked, height - 1);
            }
            let way = file_of(square.file()) & ranks_before(color, square.rank());
            if (way & (other.whole | position.of(!color))).is_empty() {
                add(&mut sum, self.values.free[usize::from(rank)], 1);
            }
            for (escort, side) in [color, !color].into_iter().enumerate() {
                if let Some(king) = sets[side.index()][usize::from(KING)].first() {
                    add(&mut sum, self.values.escort[escort], (height - 1) * steps(king, next).min(5));
                }
            }
        }
        sum
    }
}
