//! The earnings of guesses, in zorkmids: the table “Value of Correct Guesses” of Jim Aikin's page, in one place.

use super::{cost::NAMES, sheet::Guess, table};
use crate::{
    board::{Board, Move, Position, Special, Square},
    rules::Refusal,
};

/// The earnings of right guesses about a piece of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PayoffRow {
    /// The unit moves.
    pub unit: i64,
    /// The unit moves, and comes to the square that was guessed.
    pub unit_to: i64,
    /// Such a piece is bought.
    pub buy: i64,
    /// Such a piece is bought, and dropped where it was guessed.
    pub buy_drop: i64,
}

/// The earnings of all right guesses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Payoffs {
    /// By kind, in the order of the orthodox kinds.
    pub rows: [PayoffRow; 6],
    /// The king castles to the square that was guessed.
    pub castling: i64,
    /// A move is bought.
    pub extra: i64,
    /// The opponent forces a retraction.
    pub retraction: i64,
    /// The opponent has but one move out of check: no guess is made, and this is paid.
    pub forced: i64,
}

const fn row(unit: i64, unit_to: i64, buy: i64, buy_drop: i64) -> PayoffRow {
    PayoffRow { unit, unit_to, buy, buy_drop }
}

impl Default for Payoffs {
    fn default() -> Self {
        Payoffs {
            rows: [
                row(4, 5, 8, 10),
                row(7, 11, 15, 20),
                row(7, 11, 15, 20),
                row(10, 15, 20, 25),
                row(12, 20, 24, 30),
                row(12, 18, 200, 250),
            ],
            castling: 12,
            extra: 20,
            retraction: 20,
            forced: 12,
        }
    }
}

impl Payoffs {
    /// The table of the source with some rows replaced: `pawn 4 5 8 10; castling 12; extra 20; retraction 20; forced 12`.
    pub fn read(text: &str) -> Result<Payoffs, Refusal> {
        let mut payoffs = Payoffs::default();
        for row in table::rows(text) {
            let one = std::slice::from_mut::<i64>;
            match (NAMES.iter().position(|name| *name == row.name), row.name) {
                (Some(kind), _) => {
                    let PayoffRow { unit, unit_to, buy, buy_drop } = &mut payoffs.rows[kind];
                    row.fill(&mut [one(unit), one(unit_to), one(buy), one(buy_drop)])?;
                }
                (None, "castling") => row.fill(&mut [one(&mut payoffs.castling)])?,
                (None, "extra") => row.fill(&mut [one(&mut payoffs.extra)])?,
                (None, "retraction") => row.fill(&mut [one(&mut payoffs.retraction)])?,
                (None, "forced") => row.fill(&mut [one(&mut payoffs.forced)])?,
                (None, other) => {
                    let rows = NAMES.join(", ");
                    return Err(row.refuse(format!(
                        "“{other}” is no row of the table of payoffs; its rows are {rows}, castling, extra, retraction and forced"
                    )));
                }
            }
        }
        Ok(payoffs)
    }

    /// The earnings of a guess if it turns out right. A king who could castle to the guessed square would do that.
    pub fn worth(&self, guess: Guess, before: &Position, possible: &[Move]) -> i64 {
        let row = |kind: u8| self.rows[usize::from(kind)];
        let of = |square: Square| before.piece(square).map(|piece| row(piece.kind));
        let castles = |from: Square, to: Square| {
            let one = |mv: &Move| mv.special == Special::Castle && mv.from == from;
            possible.iter().any(|mv| one(mv) && Board::orthodox().castled(mv.from, mv.to).0 == to)
        };
        match guess {
            Guess::Unit(unit) => of(unit).map_or(0, |row| row.unit),
            Guess::UnitTo(unit, to) if castles(unit, to) => self.castling,
            Guess::UnitTo(unit, _) => of(unit).map_or(0, |row| row.unit_to),
            Guess::Buy(kind) => row(kind).buy,
            Guess::BuyDrop(kind, _) => row(kind).buy_drop,
            Guess::Extra => self.extra,
        }
    }
}

/// Tells whether the side to move is in check and has but one free move out of it, promotions to different pieces counted once.
/// With two kings nothing is check.
pub(super) fn forced(position: &Position) -> bool {
    let board = Board::orthodox();
    if !board.in_check(position, position.turn) {
        return false;
    }
    let moves = board.moves(position);
    let same = |mv: &Move| (mv.from, mv.to) == (moves[0].from, moves[0].to);
    !moves.is_empty() && moves.iter().all(same)
}
