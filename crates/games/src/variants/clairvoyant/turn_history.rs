//! History of a game: every turn that was played with its fate, its price and its earnings. The move list and the balances are derived from it, as
//! far as a viewer may know them. PGN contains only the settled turns.

use std::{
    fmt::{self, Write},
    sync::Arc,
};

use super::{
    action::{Part, Turn},
    guess_sheet::{Guess, Sheet},
    options::{self, Clairvoyant, PostDrop, Terms},
    prices::Payoffs,
    turn_builder::{PlayedTurn, Trial},
};
use crate::{
    board::{Board, Position, START, SanError, Special, Square, pgn::Pgn},
    rules::{Entry, Place, Refusal, Seat, Side, Viewer, diagram::Listing, start_position},
};

/// A turn that was played, even if it was forced back.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Number of the move, from 1. White’s turn and Black’s reply have the same number, and so do a turn that was forced back and its replacement.
    pub number: usize,
    /// Number of the step that played it.
    pub ply: usize,
    /// The seat that played it.
    pub mover: Seat,
    /// The position before the turn.
    pub before: Position,
    /// The turn.
    pub played: PlayedTurn,
    /// The turn as in the move list, and its own text. Cached because both are shown often.
    pub texts: [String; 2],
    /// The turn in words, for speech.
    pub spoken: Arc<str>,
    /// The turn in standard algebraic notation.
    pub san: Arc<str>,
    /// Number of retraction guesses that the mover locked with it.
    pub locks: u8,
    /// The fate of the turn.
    pub fate: TurnStatus,
}

/// The fate of a turn.
#[derive(Clone, PartialEq, Debug)]
pub enum TurnStatus {
    /// Pending: not answered yet.
    Open,
    /// Forced back.
    Retracted {
        /// Number of the step that forced it back.
        ply: usize,
        /// Price that the opponent paid.
        price: i64,
    },
    /// Accepted.
    Settled {
        /// The sheet with the earnings of every guess; `None` if one move was forced.
        sheet: Option<(Sheet, Vec<i64>)>,
        /// The sheet as the move list shows it, and its right guesses in words.
        listed: [String; 2],
        /// Total earnings of the guesser.
        income: i64,
    },
}

impl Record {
    /// Change of a seat's balance by this turn so far, and whether it is hidden while the seat's guesses are.
    pub fn balance_change(&self, seat: Seat, terms: &Terms) -> (i64, bool) {
        let own = seat == self.mover;
        match &self.fate {
            TurnStatus::Open => (if own { -self.played.price } else { 0 }, false),
            TurnStatus::Retracted { .. } if own => (i64::from(self.locks) * terms.payoffs.retraction, true),
            TurnStatus::Retracted { price, .. } => (-price, false),
            TurnStatus::Settled { .. } if own => (-self.played.price, false),
            TurnStatus::Settled { sheet, income, .. } => (*income, sheet.is_some()),
        }
    }

    /// Marks checkmate instead of check. Whether the opponent can buy a way out is known only once the turn is settled.
    pub(super) fn mark_mate(&mut self) {
        self.san = format!("{}#", self.san.trim_end_matches('+')).into();
        self.spoken = format!("{}, checkmate", self.spoken.trim_end_matches(", check")).into();
    }

    /// Whether the turn has been answered.
    pub fn resolved(&self) -> bool {
        self.fate != TurnStatus::Open
    }
}

/// Balance of a seat after some records.
pub(super) fn balance<'r>(records: impl Iterator<Item = &'r Record>, seat: Seat, terms: &Terms) -> i64 {
    terms.money[seat.index()] + records.map(|record| record.balance_change(seat, terms).0).sum::<i64>()
}

/// The history as seen by a viewer.
pub(super) struct Reading<'s> {
    /// Terms of the game.
    pub terms: &'s Terms,
    /// The viewer.
    pub viewer: Viewer,
    /// Number of records of each seat that are public.
    pub opened: [usize; 2],
}

impl Reading<'_> {
    /// Whether the viewer may know a seat's guesses and locks in a record.
    pub(super) fn knows(&self, seat: Seat, index: usize) -> bool {
        self.viewer == Some(seat) || index < self.opened[seat.index()]
    }

    /// The move list: a line for every turn and every retraction.
    pub(super) fn entries<'r>(&self, records: impl Iterator<Item = &'r Record>) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut balances = self.terms.money.map(Some);
        for (index, record) in records.enumerate() {
            for seat in Seat::BOTH {
                let (amount, hidden) = record.balance_change(seat, self.terms);
                let balance = &mut balances[seat.index()];
                *balance = balance.map(|balance| balance + amount).filter(|_| !hidden || self.knows(seat, index));
            }
            let notes = self.notes(record, index, balances);
            entries.push(Entry {
                listing: Some(notes.listing(record.san.to_string())),
                spoken: Some(record.spoken.clone()),
                action: Some(record.texts[1].clone()),
                notes: notes.text,
                spoken_notes: Some(notes.spoken),
                place: match record.fate {
                    TurnStatus::Open | TurnStatus::Settled { .. } => Place::Move(record.mover.color()),
                    TurnStatus::Retracted { .. } => Place::Before,
                },
                ..Entry::new(record.ply, Some(record.mover), record.texts[0].clone())
            });
            if let TurnStatus::Retracted { ply, price } = record.fate {
                let notes = self.retraction_notes(record, index, price, balances);
                entries.push(Entry {
                    listing: Some(notes.listing(format!("({})!", record.san))),
                    spoken: Some(format!("forces back {}", record.spoken).into()),
                    action: Some("retract".to_owned()),
                    notes: notes.text,
                    spoken_notes: Some(notes.spoken),
                    place: Place::Before,
                    ..Entry::new(ply, Some(!record.mover), format!("({})!", record.texts[0]))
                });
            }
        }
        entries
    }

    fn notes(&self, record: &Record, index: usize, balances: [Option<i64>; 2]) -> Notes {
        let mut notes = Notes::default();
        let (mover, other) = (side(record.mover), side(!record.mover));
        let paid = record.played.price;
        match &record.fate {
            TurnStatus::Open if paid > 0 => notes.add_amount(format_args!("{mover} paid"), paid, ""),
            TurnStatus::Open => {}
            // In speech, the line of the retraction says it.
            TurnStatus::Retracted { .. } => notes.write(format_args!("forced back"), format_args!("")),
            TurnStatus::Settled { sheet, listed, income } => {
                if paid > 0 {
                    notes.add_amount(format_args!("{mover} paid"), paid, "");
                }
                match sheet {
                    None => notes.guess(
                        format_args!("forced move: {other} got {income}Z"),
                        format_args!("The move was forced: {other} got {}", zorkmids(*income)),
                        format!("forced move: {income}Z"),
                    ),
                    Some(_) if self.knows(!record.mover, index) => {
                        let [written, spoken] = listed;
                        notes.guess(
                            format_args!("{other} guessed {written} and got {income}Z"),
                            format_args!("{other} {spoken}"),
                            format!("{written}: {income}Z"),
                        );
                    }
                    Some(_) => {
                        let hidden = format_args!("{other}’s guesses are hidden");
                        notes.guess(hidden, hidden, "hidden".to_owned());
                    }
                }
                if record.locks > 0 && self.knows(record.mover, index) {
                    notes.add(format_args!("{mover} lost {}", guesses(record.locks)));
                }
                notes.balances(balances);
            }
        }
        notes
    }

    fn retraction_notes(&self, record: &Record, index: usize, price: i64, balances: [Option<i64>; 2]) -> Notes {
        let (mover, other) = (side(record.mover), side(!record.mover));
        let mut notes = Notes::default();
        notes.add_amount(format_args!("{other} paid"), price, "");
        if record.played.price > 0 {
            notes.add_amount(format_args!("{mover} got"), record.played.price, " back");
        }
        if record.locks > 0 && self.knows(record.mover, index) {
            let income = i64::from(record.locks) * self.terms.payoffs.retraction;
            notes.add_amount(format_args!("{mover} got"), income, &format!(" for {}", guesses(record.locks)));
        }
        notes.balances(balances);
        notes
    }
}

/// Remarks about a turn, separated by semicolons, and in speech by full stops.
#[derive(Default)]
struct Notes {
    /// As in the move list.
    text: String,
    /// In words, for speech.
    spoken: String,
    /// The guesses alone, for a column of their own.
    guesses: String,
    /// All but the guesses.
    others: String,
}

impl Notes {
    fn write(&mut self, written: fmt::Arguments, spoken: fmt::Arguments) {
        append(&mut self.others, "; ", written);
        append(&mut self.text, "; ", written);
        append(&mut self.spoken, ". ", spoken);
    }

    /// Adds the guesses about the turn.
    fn guess(&mut self, written: fmt::Arguments, spoken: fmt::Arguments, column: String) {
        append(&mut self.text, "; ", written);
        append(&mut self.spoken, ". ", spoken);
        self.guesses = column;
    }

    /// The columns of the list of moves, with the given event.
    fn listing(&self, event: String) -> Listing {
        Listing { event, guesses: self.guesses.clone(), notes: self.others.clone() }
    }

    fn add(&mut self, remark: fmt::Arguments) {
        self.write(remark, remark);
    }

    /// Adds a remark with an amount of money: `White paid 4Z`.
    fn add_amount(&mut self, before: fmt::Arguments, amount: i64, after: &str) {
        self.write(format_args!("{before} {amount}Z{after}"), format_args!("{before} {}{after}", zorkmids(amount)));
    }

    /// Both balances: `Z 9/0`, with a question mark for a hidden one.
    fn balances(&mut self, balances: [Option<i64>; 2]) {
        let or =
            |other: &str| balances.map(|amount| amount.map_or_else(|| other.to_owned(), |amount| amount.to_string()));
        let ([one, two], [white, black]) = (or("?"), or("a hidden amount"));
        self.write(format_args!("Z {one}/{two}"), format_args!("Purses: White {white}, Black {black}"));
    }
}

/// Adds a remark after a separator.
fn append(text: &mut String, separator: &str, remark: fmt::Arguments) {
    if !text.is_empty() {
        text.push_str(separator);
    }
    text.write_fmt(remark).expect("writing to a string cannot fail");
}

fn zorkmids(amount: i64) -> String {
    if amount == 1 { "1 zorkmid".to_owned() } else { format!("{amount} zorkmids") }
}

/// The colour of a seat, capitalised.
pub(super) fn side(seat: Seat) -> &'static str {
    Side::from(seat.color()).words()
}

fn guesses(number: u8) -> String {
    if number == 1 { "1 staked guess".to_owned() } else { format!("{number} staked guesses") }
}

/// A sheet with the earnings of every guess, as `e2 4, e2e4 5`, and its right guesses in words. The turn began at `before`.
pub(super) fn listed(sheet: &Sheet, hits: &[i64], before: &Position) -> [String; 2] {
    if sheet.guesses.is_empty() {
        return ["nothing", "guessed nothing"].map(str::to_owned);
    }
    let guesses = || sheet.guesses.iter().zip(hits);
    let written: Vec<String> = guesses().map(|(guess, paid)| format!("{guess} {paid}")).collect();
    let mut right: Vec<(&Guess, usize, i64)> = Vec::new();
    for (guess, paid) in guesses().filter(|(_, paid)| **paid > 0) {
        match right.iter_mut().find(|(other, ..)| *other == guess) {
            Some((_, count, sum)) => (*count, *sum) = (*count + 1, *sum + paid),
            None => right.push((guess, 1, *paid)),
        }
    }
    let spoken = right.iter().map(|(guess, count, sum)| {
        let times = match count {
            1 => ",".to_owned(),
            2 => ", twice,".to_owned(),
            3 => ", three times,".to_owned(),
            more => format!(", {more} times,"),
        };
        format!("that {}{times} for {}", guess.words(before), zorkmids(*sum))
    });
    let spoken = spoken.collect::<Vec<_>>().join(", and ");
    [written.join(", "), if right.is_empty() { "guessed wrong".to_owned() } else { format!("guessed right {spoken}") }]
}

impl Payoffs {
    /// Earnings of each guess of a sheet against the final turn. Each guess is judged alone.
    pub fn hits(&self, sheet: &Sheet, before: &Position, played: &PlayedTurn) -> Vec<i64> {
        sheet.guesses.iter().map(|guess| self.hit(*guess, before, played)).collect()
    }

    fn hit(&self, guess: Guess, before: &Position, played: &PlayedTurn) -> i64 {
        let moves = || played.moves.iter().flatten();
        let row = |kind: u8| &self.rows[usize::from(kind)];
        let kind = |square: Square| before.piece(square).map(|piece| piece.kind);
        match guess {
            Guess::Unit(unit) => {
                let moved = moves().any(|done| done.unit == unit);
                kind(unit).filter(|_| moved).map_or(0, |kind| row(kind).unit)
            }
            Guess::UnitTo(unit, to) => kind(unit).map_or(0, |kind| {
                let arrived = moves().filter(|done| done.unit == unit && done.landing == to);
                let worth = arrived.map(|done| match done.mv.special {
                    Special::Castle => self.castling,
                    Special::Plain | Special::Double | Special::EnPassant | Special::Drop(_) => row(kind).unit_to,
                });
                worth.max().unwrap_or(0)
            }),
            Guess::Buy(kind) => {
                let bought =
                    played.turn.parts.iter().any(|part| matches!(part, Part::Drop(other, _) if *other == kind));
                if bought { row(kind).buy } else { 0 }
            }
            Guess::BuyDrop(kind, square) => {
                if played.turn.parts.contains(&Part::Drop(kind, square)) {
                    row(kind).buy_drop
                } else {
                    0
                }
            }
            Guess::Extra => {
                if moves().any(|done| done.bought) {
                    self.extra
                } else {
                    0
                }
            }
        }
    }
}

/// The last position of a PGN game, as FEN. Turns may use every option, prices are ignored, and moves of orthodox chess are accepted too.
pub(super) fn last_position(game: &Pgn) -> Result<String, Refusal> {
    let board = Board::orthodox();
    let widest = Clairvoyant { post_drop: PostDrop::Any, bought_after_free: 2, ..Clairvoyant::default() };
    let terms = widest.agreed()?;
    let start = start_position::start_position(START, game)?;
    let homes = options::homes(&start);
    let last = start_position::replay(
        start,
        game,
        |position| position.turn,
        |position, text| match text.parse::<Turn>() {
            Ok(turn) => match Trial::new(&terms, &position, homes, i64::MAX).play(&turn) {
                Ok(played) => Ok(played.after),
                Err((part, fault)) => Err(SanError { at: turn.offset(part), why: fault.message() }),
            },
            Err(Refusal { why, at }) if text.contains('@') => Err(SanError { at: at.unwrap_or(0), why }),
            Err(_) => Ok(board.after(&position, board.parse_san(&position, text)?)),
        },
    )?;
    Ok(options::fen(&last, homes))
}
