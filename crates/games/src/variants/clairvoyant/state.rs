//! A game in progress: who is asked, what has been written and is not yet judged, what was paid. Each turn goes from guesses and turn, written
//! at the same time, over the answer to the settling of accounts. Turns that were forced back may not be repeated.

use std::sync::Arc;

use super::{
    action::{Part, Turn},
    guess_sheet::Sheet,
    mate_test,
    options::{self, Terms},
    prices,
    turn_builder::{PlayedTurn, Situation, Trial, safe},
    turn_history::{self, Record, TurnStatus},
};
use crate::{
    board::{Board, Move, Position, Square},
    rules::{Outcome, Seat, move_history},
};

/// The phase of a game: what it waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The guesser's sheet and the mover's turn, sealed from each other.
    Both,
    /// The turn alone: one move is forced, or the sheet lies sealed already.
    Turn,
    /// The guesser's answer to the turn on the board.
    Response,
}

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The agreed terms.
    pub terms: Arc<Terms>,
    /// The kings that the castling rights belong to, by colour.
    pub homes: [Option<Square>; 2],
    /// Where it began.
    pub start: Position,
    /// Where the turn that is asked for begins.
    pub position: Position,
    /// The money of both seats, exactly.
    pub purses: [i64; 2],
    /// The phase: what is waited for.
    pub phase: Phase,
    /// The mover has but one move out of check, so that nobody guesses.
    pub forced: bool,
    /// The guesser's sheet, sealed until the turn stands.
    pub sheet: Option<Sheet>,
    /// The number of guesses that the guesser has: the rest are locks of the guesser's own last turn.
    pub slots: u8,
    /// The turns that were retracted: none of them may come back.
    pub bans: Vec<Ban>,
    /// Guesses of a retraction that the mover has locked for this turn, spent ones included.
    pub locked: u8,
    /// Every turn that was tried.
    pub records: Vec<Arc<Record>>,
    /// The number of records of each seat that are open to everybody; in games that are not blind, all that are resolved.
    pub opened: [usize; 2],
    /// The seats that opened the record of guesses, each after the number of steps beside it.
    pub disclosures: Vec<(usize, Seat)>,
    /// Steps applied.
    pub steps: usize,
    /// Turns that stand.
    pub turns: usize,
    /// The positions so far, as repetition counts them. What was captured can be bought again, so that none of them is gone for good.
    keys: Vec<Position>,
    /// The outcome of the game, once it has one.
    pub outcome: Option<Outcome>,
}

/// Why a turn cannot be retracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Retraction {
    /// It can, for this price.
    For(i64),
    /// The mover would have no other free move.
    OnlyMove,
}

impl State {
    /// The beginning of a game.
    pub fn new(terms: &Arc<Terms>) -> State {
        let start = terms.start;
        let mut state = State {
            homes: options::homes(&start),
            start,
            position: start,
            purses: terms.money,
            phase: Phase::Both,
            forced: false,
            sheet: None,
            slots: terms.guesses,
            bans: Vec::new(),
            locked: 0,
            records: Vec::new(),
            opened: [0; 2],
            disclosures: Vec::new(),
            steps: 0,
            turns: 0,
            keys: vec![move_history::key(Board::orthodox(), &start)],
            outcome: None,
            terms: terms.clone(),
        };
        state.open_turn();
        state
    }

    /// The seat that moves in this turn.
    pub fn mover(&self) -> Seat {
        Seat::of(self.position.turn)
    }

    /// The seat that guesses in this turn.
    pub fn guesser(&self) -> Seat {
        !self.mover()
    }

    /// An empty turn to be put together.
    pub fn trial(&self) -> Trial<'_> {
        Trial::new(&self.terms, &self.position, self.homes, self.purses[self.mover().index()])
    }

    /// The single free moves that are legal and not banned.
    pub fn free_moves(&self) -> Vec<Move> {
        let board = Board::orthodox();
        let mut moves = safe(&self.position, self.homes);
        moves.retain(|mv| {
            let alone = [Part::Move(board.uci(*mv))];
            self.bans.is_empty() || self.brings_back(&alone, &board.after(&self.position, *mv)).is_none()
        });
        moves
    }

    /// Tells whether a turn cannot begin so, because one that did was retracted.
    pub fn banned(&self, first: &Part) -> bool {
        self.bans.iter().any(|ban| ban.first() == Some(first))
    }

    /// Says how a turn of these parts, which leads to `after`, brings back one that was retracted; nothing if it does not.
    pub fn brings_back(&self, parts: &[Part], after: &Position) -> Option<String> {
        self.bans.iter().find_map(|ban| ban.brings_back(parts, after))
    }

    /// The turn that waits for an answer.
    pub fn open(&self) -> Option<&Record> {
        self.records.last().map(Arc::as_ref).filter(|record| !record.resolved())
    }

    /// The position on the board: after the turn that waits for an answer, if one does.
    pub fn shown(&self) -> &Position {
        self.open().map_or(&self.position, |record| &record.played.after)
    }

    /// Tells whether the turn that waits for an answer can be retracted by somebody who can pay.
    pub fn retraction(&self, played: &PlayedTurn) -> Retraction {
        let (board, mover) = (Board::orthodox(), self.position.turn);
        // Another move is another from and to: a pawn that may become four pieces has one move here.
        let same = |mv: &Move| match played.turn.parts.first() {
            Some(Part::Move(first)) => (first.from, first.to) == (mv.from, board.target(*mv)),
            Some(Part::Drop(..)) | None => false,
        };
        let other = |mv: &Move| !same(mv) && !board.after(&self.position, *mv).same_placement(&played.after);
        if !self.free_moves().iter().any(other) {
            return Retraction::OnlyMove;
        }
        let ends_check = board.in_check(&self.position, mover);
        Retraction::For(self.terms.costs.retraction(ends_check, board.in_check(&played.after, !mover)))
    }

    /// The positions so far, the one that stands now left out.
    pub fn earlier(&self) -> Vec<Position> {
        self.keys[..self.keys.len().saturating_sub(1)].to_vec()
    }

    /// Tells whether the mover may pay so much, for all that everybody knows.
    pub fn may_pay(&self, price: i64) -> bool {
        !self.transparent(self.mover()) || price <= self.trial().left()
    }

    /// Tells whether everybody can work out what a seat owns.
    pub fn transparent(&self, seat: Seat) -> bool {
        let hidden = self.records.iter().skip(self.opened[seat.index()]);
        !self.terms.blind || !hidden.into_iter().any(|record| record.brings(seat, &self.terms).1)
    }

    /// The draw that the mover may claim.
    pub fn claim(&self) -> Option<&'static str> {
        let (board, position) = (Board::orthodox(), &self.position);
        let now = self.keys.last();
        if self.phase == Phase::Response || self.outcome.is_some() {
            None
        } else if !board.has_move(position) && !board.in_check(position, position.turn) {
            Some("stalemate")
        } else if self.keys.iter().filter(|key| Some(*key) == now).count() >= 3 {
            Some("threefold repetition")
        } else if position.halfmove >= 100 {
            Some("50 moves without a capture, a pawn move or a drop")
        } else {
            None
        }
    }

    /// Tells whether something of a seat's guesses and locks is not open to everybody.
    pub fn hides(&self, seat: Seat) -> bool {
        self.opened[seat.index()] < self.resolved()
    }

    /// Opens all that is resolved of a seat's guesses and locks, if some of it is hidden.
    pub fn disclose(&mut self, seat: Seat) {
        if self.hides(seat) {
            self.opened[seat.index()] = self.resolved();
            self.disclosures.push((self.steps, seat));
        }
    }

    /// The number of records that are resolved.
    pub fn resolved(&self) -> usize {
        self.records.len() - usize::from(self.open().is_some())
    }

    /// Opens everything, where nothing is hidden for long or nothing needs to be any more.
    fn open_all(&mut self) {
        if !self.terms.blind || self.outcome.is_some() {
            self.opened = [self.resolved(); 2];
        }
    }

    /// Keeps the guesser's sheet until the turn stands.
    pub fn keep(&mut self, sheet: Sheet) {
        self.sheet = Some(sheet);
    }

    /// Puts a legal turn on the board, and settles it at once if it cannot be retracted.
    pub fn play(&mut self, turn: &Turn, locks: u8) {
        let played = self.trial().play(turn).expect("the turn was checked");
        let mover = self.mover();
        let answer = self.retraction(&played);
        if self.terms.blind && played.price > 0 {
            self.disclose(mover);
        }
        self.purses[mover.index()] -= played.price;
        self.locked += locks;
        self.records.push(Arc::new(Record {
            number: usize::from(self.position.fullmove.saturating_sub(self.start.fullmove)) + 1,
            ply: self.steps,
            mover,
            before: self.position,
            texts: [played.turn.written(), played.turn.to_string()],
            played,
            locks,
            fate: TurnStatus::Open,
        }));
        let purse = self.purses[(!mover).index()];
        let asked = match answer {
            Retraction::OnlyMove => false,
            Retraction::For(price) => self.terms.blind || price <= purse,
        };
        self.phase = Phase::Response;
        if !asked {
            self.settle();
        }
    }

    /// Takes the whole turn back: its mover gets his money, and cannot begin a turn so again.
    pub fn retract(&mut self) {
        let (mover, guesser, ply) = (self.mover(), self.guesser(), self.steps);
        let Some(Retraction::For(price)) = self.open().map(|record| self.retraction(&record.played)) else { return };
        if self.terms.blind {
            self.disclose(guesser);
        }
        let Some(record) = self.records.last_mut().map(Arc::make_mut) else { return };
        record.fate = TurnStatus::Retracted { ply, price };
        self.purses[guesser.index()] -= price;
        self.purses[mover.index()] += record.played.price + i64::from(record.locks) * self.terms.payoffs.retraction;
        self.bans.push(Ban { turn: record.played.turn.clone(), after: record.played.after });
        self.phase = Phase::Turn;
        self.open_all();
    }

    /// The turn stands: the sheet is opened and paid, and the roles change.
    pub fn settle(&mut self) {
        let (guesser, terms) = (self.guesser(), self.terms.clone());
        let sheet = self.sheet.take();
        let Some(record) = self.records.last_mut().map(Arc::make_mut) else { return };
        let judged = sheet.map(|sheet| {
            let hits = terms.payoffs.hits(&sheet, &record.before, &record.played);
            (sheet, hits)
        });
        let income = judged.as_ref().map_or(terms.payoffs.forced, |(_, hits)| hits.iter().sum());
        let listed = judged.as_ref().map_or_else(String::new, |(sheet, hits)| turn_history::listed(sheet, hits));
        record.fate = TurnStatus::Settled { sheet: judged, listed, income };
        self.position = record.played.after;
        self.purses[guesser.index()] += income;
        self.turns += 1;
        self.slots = terms.slots(self.locked);
        self.locked = 0;
        self.bans.clear();
        self.keys.push(move_history::key(Board::orthodox(), &self.position));
        self.open_all();
        self.open_turn();
    }

    /// The tests before a turn: whether the game is over, and whether one move is forced.
    fn open_turn(&mut self) {
        self.judge();
        self.forced = prices::forced(&self.position);
        self.phase = if self.forced { Phase::Turn } else { Phase::Both };
    }

    /// A turn with a purchase that gets the mover out of what no free move does.
    pub fn rescue(&self) -> Option<Turn> {
        let situation = Situation {
            terms: &self.terms,
            position: self.position,
            homes: self.homes,
            purse: self.purses[self.mover().index()],
        };
        mate_test::rescue(&situation)
    }

    /// Ends the game if the mover is mated or stalemated for all anybody may know. Where the mover's purse is hidden, that waits
    /// until it is opened.
    pub fn judge(&mut self) {
        let (board, position, mover) = (Board::orthodox(), &self.position, self.mover());
        if self.outcome.is_some() || board.has_move(position) || !self.transparent(mover) || self.rescue().is_some() {
            return;
        }
        let mated = board.in_check(position, mover.color());
        self.close(if mated { Outcome::Win(!mover, "checkmate") } else { Outcome::Draw("stalemate") });
    }

    /// Ends the game, and opens everything.
    pub fn close(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
        self.open_all();
    }
}

/// A turn that was retracted, and where it would have led.
#[derive(Clone, PartialEq, Debug)]
pub struct Ban {
    turn: Turn,
    after: Position,
}

impl Ban {
    /// The part that this turn cannot begin with.
    pub fn first(&self) -> Option<&Part> {
        self.turn.parts.first()
    }

    /// Says how a turn of these parts, which leads to `after`, brings this one back; nothing if it does not.
    fn brings_back(&self, parts: &[Part], after: &Position) -> Option<String> {
        let count = |parts: &[Part], part: &Part| parts.iter().filter(|other| *other == part).count();
        let same = |part: &Part| count(parts, part) == count(&self.turn.parts, part);
        if parts.first() == self.first() {
            return parts.first().map(begins);
        }
        if parts.len() == self.turn.parts.len() && parts.iter().all(same) {
            return Some(format!("{} was forced back, and this is the same in another order", self.turn));
        }
        let there = after.same_placement(&self.after);
        there.then(|| format!("{} was forced back, and this leads to the same board", self.turn))
    }
}

/// Says why a turn cannot begin with a part.
pub(super) fn begins(first: &Part) -> String {
    format!("{first} was forced back: begin this turn with something else")
}
