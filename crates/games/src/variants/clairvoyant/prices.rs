//! Prices of Jim Aikin's page in zorkmids: the table “Cost of Extra Stuff” and the table “Value of Correct Guesses”. A game may have other prices,
//! written in one line of text. Semicolons separate the rows. A row is a name and its numbers; a number with several cases is written `3/7/11`.

use super::guess_sheet::Guess;
use crate::{
    board::{Board, Move, Position, Special, Square},
    rules::Refusal,
};

/// Costs of one piece type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CostRow {
    /// Price of a new piece.
    pub piece: i64,
    /// Price of an extra move without capture. Only the king has three prices: not in check; in check at the start of the turn; in check after an
    /// earlier move of the turn.
    pub quiet: [i64; 3],
    /// Price of an extra move with capture.
    pub capture: i64,
    /// Price of a move without capture by the same piece after a capture. Only the king has two prices: it captured without moving into check, or
    /// into check.
    pub retreat: [i64; 2],
    /// Price of a second capture by the same piece.
    pub recapture: i64,
}

/// All costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Costs {
    /// By piece type, in the order of the orthodox types.
    pub rows: [CostRow; 6],
    /// Price of a retraction: of an ordinary turn, of one that gives check, of one that ends a check.
    pub retract: [i64; 3],
}

/// The circumstances of a bought move that determine its price.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Purchase {
    /// Type of the piece when it moves.
    pub kind: u8,
    /// The move is a capture.
    pub captures: bool,
    /// The earlier moves of the turn, if there are any.
    pub before: Option<Before>,
    /// The own king was in check at the start of the turn.
    pub check_at_start: bool,
    /// The own king is in check just before this move.
    pub check_now: bool,
}

/// The moves before a bought one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Before {
    /// One of them was a capture by the same piece: “in a single turn” means anywhere in the turn (our reading).
    pub captured: bool,
}

const fn cost_row(piece: i64, quiet: i64, capture: i64, retreat: i64, recapture: i64) -> CostRow {
    CostRow { piece, quiet: [quiet; 3], capture, retreat: [retreat; 2], recapture }
}

/// Names of the piece types in tables.
pub(super) const NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

impl Default for Costs {
    fn default() -> Self {
        Costs {
            rows: [
                cost_row(3, 3, 3, 5, 7),
                cost_row(12, 7, 15, 18, 23),
                cost_row(12, 7, 15, 18, 23),
                cost_row(15, 9, 16, 21, 26),
                cost_row(25, 12, 20, 24, 29),
                CostRow { piece: 150, quiet: [3, 7, 11], capture: 9, retreat: [18, 25], recapture: 23 },
            ],
            retract: [10, 15, 25],
        }
    }
}

impl Costs {
    /// The source's table with some rows replaced: `pawn 3 3 3 5 7; king 150 3/7/11 9 18/25 23; retract 10/15/25`.
    pub fn read(text: &str) -> Result<Costs, Refusal> {
        let mut costs = Costs::default();
        for row in rows(text) {
            match NAMES.iter().position(|name| *name == row.name) {
                Some(kind) => {
                    let CostRow { piece, quiet, capture, retreat, recapture } = &mut costs.rows[kind];
                    let one = std::slice::from_mut::<i64>;
                    row.fill(&mut [one(piece), &mut quiet[..], one(capture), &mut retreat[..], one(recapture)])?;
                    if quiet[1] > quiet[2] {
                        return Err(row.refuse(format!(
                            "in the row {} a move out of check costs {} as the first of a turn but only {} after \
                             another move: raise the second price to at least the first",
                            row.name, quiet[1], quiet[2]
                        )));
                    }
                }
                None if row.name == "retract" => row.fill(&mut [&mut costs.retract])?,
                None => {
                    let rows = NAMES.join(", ");
                    return Err(row.refuse(format!(
                        "“{}” is not a row of the table of costs; its rows are {rows} and retract",
                        row.name
                    )));
                }
            }
        }
        Ok(costs)
    }

    /// Price of a new piece.
    pub fn piece(&self, kind: u8) -> i64 {
        self.rows[usize::from(kind)].piece
    }

    /// Price of a bought move. The king's three prices are note ** of the source, read so that they cover every case: 11 if an earlier move of the
    /// turn left the king in check, otherwise 7 if it was in check at the start of the turn, otherwise 3.
    pub fn of(&self, bought: &Purchase) -> i64 {
        let row = &self.rows[usize::from(bought.kind)];
        let after_own_capture = bought.before.is_some_and(|before| before.captured);
        match (bought.captures, after_own_capture) {
            (true, true) => row.recapture,
            (true, false) => row.capture,
            (false, true) => row.retreat[usize::from(bought.check_now)],
            (false, false) if bought.before.is_some() && bought.check_now => row.quiet[2],
            (false, false) => row.quiet[usize::from(bought.check_at_start)],
        }
    }

    /// Price of a retraction. A turn that both ends a check and gives one costs the same as one that ends a check.
    pub fn retraction(&self, ends_check: bool, gives_check: bool) -> i64 {
        self.retract[if ends_check { 2 } else { usize::from(gives_check) }]
    }

    /// Lowest price of any part of a turn.
    pub fn cheapest(&self) -> i64 {
        self.cheapest_piece().min(self.cheapest_move())
    }

    /// Lowest price of a new piece.
    pub fn cheapest_piece(&self) -> i64 {
        self.rows.iter().map(|row| row.piece).min().unwrap_or(0)
    }

    /// Lowest price of a bought move.
    pub fn cheapest_move(&self) -> i64 {
        (0..self.rows.len() as u8).map(|kind| self.cheapest_move_of(kind)).min().unwrap_or(0)
    }

    /// Lowest price of a bought move of a piece type.
    pub fn cheapest_move_of(&self, kind: u8) -> i64 {
        let row = &self.rows[usize::from(kind)];
        let [a, b, c] = row.quiet;
        let [d, e] = row.retreat;
        [a, b, c, d, e, row.capture, row.recapture].into_iter().min().unwrap_or(0)
    }
}

/// Earnings of correct guesses about one piece type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PayoffRow {
    /// The piece moves.
    pub unit: i64,
    /// The piece moves to the guessed square.
    pub unit_to: i64,
    /// A piece of this type is bought.
    pub buy: i64,
    /// A piece of this type is bought and dropped on the guessed square.
    pub buy_drop: i64,
}

/// Earnings of all correct guesses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Payoffs {
    /// By piece type, in the order of the orthodox types.
    pub rows: [PayoffRow; 6],
    /// The king castles to the guessed square.
    pub castling: i64,
    /// A move is bought.
    pub extra: i64,
    /// The opponent forces the turn back.
    pub retraction: i64,
    /// Flat payment instead of guesses if the opponent has only one move out of check.
    pub forced: i64,
}

const fn payoff_row(unit: i64, unit_to: i64, buy: i64, buy_drop: i64) -> PayoffRow {
    PayoffRow { unit, unit_to, buy, buy_drop }
}

impl Default for Payoffs {
    fn default() -> Self {
        Payoffs {
            rows: [
                payoff_row(4, 5, 8, 10),
                payoff_row(7, 11, 15, 20),
                payoff_row(7, 11, 15, 20),
                payoff_row(10, 15, 20, 25),
                payoff_row(12, 20, 24, 30),
                payoff_row(12, 18, 200, 250),
            ],
            castling: 12,
            extra: 20,
            retraction: 20,
            forced: 12,
        }
    }
}

impl Payoffs {
    /// The source's table with some rows replaced: `pawn 4 5 8 10; castling 12; extra 20; retraction 20; forced 12`.
    pub fn read(text: &str) -> Result<Payoffs, Refusal> {
        let mut payoffs = Payoffs::default();
        for row in rows(text) {
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
                        "“{other}” is not a row of the table of payoffs; its rows are {rows}, castling, extra, retraction and forced"
                    )));
                }
            }
        }
        Ok(payoffs)
    }

    /// Earnings of a guess if it turns out to be correct. A king that could castle to the guessed square is assumed to castle.
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

/// Whether the side to move is in check and has only one free move, counting promotions to different pieces once. With two kings there is no check.
pub(super) fn forced(position: &Position) -> bool {
    let board = Board::orthodox();
    if !board.in_check(position, position.turn) {
        return false;
    }
    let moves = board.moves(position);
    let same = |mv: &Move| (mv.from, mv.to) == (moves[0].from, moves[0].to);
    !moves.is_empty() && moves.iter().all(same)
}

/// Largest amount in a table, in zorkmids.
const MOST: i64 = 1_000;

/// Number of characters of a wrong word that are quoted.
const QUOTED: usize = 20;

/// One row as it was written.
pub(super) struct TableRow<'t> {
    /// Byte offset of the row.
    at: usize,
    /// Name of the row, shortened to what is worth quoting.
    pub name: &'t str,
    numbers: Vec<&'t str>,
}

/// The rows of a text.
pub(super) fn rows(text: &str) -> Vec<TableRow<'_>> {
    let mut begins = 0;
    let mut rows = Vec::new();
    for line in text.split(';') {
        let at = begins + (line.len() - line.trim_start().len());
        begins += line.len() + 1;
        let mut words = line.split_whitespace();
        if let Some(name) = words.next() {
            rows.push(TableRow { at, name: beginning(name), numbers: words.collect() });
        }
    }
    rows
}

/// The beginning of a word, for quoting.
fn beginning(word: &str) -> &str {
    &word[..word.char_indices().nth(QUOTED).map_or(word.len(), |(end, _)| end)]
}

impl TableRow<'_> {
    /// A refusal that points to this row.
    fn refuse(&self, why: String) -> Refusal {
        Refusal::at(self.at, why)
    }

    /// Fills the places with the numbers. A place with several cases takes that many numbers, or one number for all of them.
    fn fill(&self, places: &mut [&mut [i64]]) -> Result<(), Refusal> {
        let (wanted, name) = (places.len(), self.name);
        if self.numbers.len() != wanted {
            let given = self.numbers.len();
            return Err(self.refuse(format!("the row {name} needs {wanted} amounts, not {given}")));
        }
        for (number, place) in self.numbers.iter().zip(places) {
            if !amounts(number, place) {
                let cases = match place.len() {
                    1 => String::new(),
                    several => format!(", or {several} of them separated by /"),
                };
                let number = beginning(number);
                return Err(self.refuse(format!(
                    "“{number}” in the row {name} is not an amount: write a whole number from 0 to {MOST}{cases}"
                )));
            }
        }
        Ok(())
    }
}

/// Reads one amount into every place, or one amount into each.
fn amounts(text: &str, places: &mut [i64]) -> bool {
    let read = |text: &str| text.parse::<i64>().ok().filter(|amount| (0..=MOST).contains(amount));
    let Some(cases) = text.split('/').map(read).collect::<Option<Vec<i64>>>() else { return false };
    match cases.as_slice() {
        [all] => places.fill(*all),
        cases if cases.len() == places.len() => places.copy_from_slice(cases),
        _ => return false,
    }
    true
}
