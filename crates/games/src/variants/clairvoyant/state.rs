//! State of a game. Each ply goes through three phases: the sheet and the turn, which are submitted at the same time; the answer to the turn; and
//! the settlement. A turn that was forced back cannot be played again.

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

/// Phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Waits for the guesser's sheet and the mover's turn, sealed from each other.
    Both,
    /// Waits for the turn alone, because one move is forced or the sheet is submitted already.
    Turn,
    /// Waits for the guesser's answer to the turn on the board.
    Response,
}

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Terms of the game.
    pub terms: Arc<Terms>,
    /// The kings to which the castling rights belong, by colour.
    pub homes: [Option<Square>; 2],
    /// Starting position.
    pub start: Position,
    /// Position at the start of the current turn.
    pub position: Position,
    /// Money of both seats.
    pub purses: [i64; 2],
    /// The current phase.
    pub phase: Phase,
    /// The mover has only one move out of check, so there are no guesses.
    pub forced: bool,
    /// The guesser's sheet, sealed until the turn is settled.
    pub sheet: Option<Sheet>,
    /// Number of guesses on the guesser's sheet, without those that the guesser locked in their own last turn.
    pub slots: u8,
    /// Turns that were forced back and cannot be played again in this ply.
    pub bans: Vec<Ban>,
    /// Retraction guesses that the mover has locked in this ply, including spent ones.
    pub locked: u8,
    /// Every turn that was played, including those that were forced back.
    pub records: Vec<Arc<Record>>,
    /// Number of records of each seat that are public. In games that are not blind, all resolved ones.
    pub opened: [usize; 2],
    /// Disclosures of guesses: the number of steps applied before each, and the seat.
    pub disclosures: Vec<(usize, Seat)>,
    /// Number of steps applied.
    pub steps: usize,
    /// Number of settled turns.
    pub turns: usize,
    /// Every position so far, as repetition counts it. Captured pieces can be bought again, so no position becomes unreachable.
    keys: Vec<Arc<Position>>,
    /// The outcome, once the game is over.
    pub outcome: Option<Outcome>,
}

/// Whether a turn can be forced back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Retraction {
    /// It can, at this price.
    For(i64),
    /// It cannot, because the mover has no other free move.
    OnlyMove,
}

impl State {
    /// Starts a game.
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
            keys: vec![Arc::new(move_history::key(Board::orthodox(), &start))],
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

    /// An empty turn to build.
    pub fn trial(&self) -> Trial<'_> {
        Trial::new(&self.terms, &self.position, self.homes, self.purses[self.mover().index()])
    }

    /// Legal single free moves that are not banned.
    pub fn free_moves(&self) -> Vec<Move> {
        let board = Board::orthodox();
        let mut moves = safe(&self.position, self.homes);
        moves.retain(|mv| {
            let alone = [Part::Move(board.uci(*mv))];
            self.bans.is_empty() || self.banned_repeat(&alone, &board.after(&self.position, *mv)).is_none()
        });
        moves
    }

    /// Whether a turn cannot start with this part, because one that did was forced back.
    pub fn banned(&self, first: &Part) -> bool {
        self.bans.iter().any(|ban| ban.first() == Some(first))
    }

    /// Explains how a turn with these parts, which leads to `after`, repeats one that was forced back; `None` if it does not.
    pub fn banned_repeat(&self, parts: &[Part], after: &Position) -> Option<String> {
        self.bans.iter().find_map(|ban| ban.brings_back(parts, after))
    }

    /// The pending turn, which has no answer yet.
    pub fn open(&self) -> Option<&Record> {
        self.records.last().map(Arc::as_ref).filter(|record| !record.resolved())
    }

    /// The position on the board: after the pending turn, if there is one.
    pub fn board_position(&self) -> &Position {
        self.open().map_or(&self.position, |record| &record.played.after)
    }

    /// Whether a turn can be forced back, and the price.
    pub fn retraction(&self, played: &PlayedTurn) -> Retraction {
        let (board, mover) = (Board::orthodox(), self.position.turn);
        // Another move means another origin or destination: the four promotions of a pawn are one move.
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

    /// All positions before the current one.
    pub fn earlier(&self) -> Vec<Position> {
        self.keys[..self.keys.len().saturating_sub(1)].iter().map(|key| **key).collect()
    }

    /// Whether the mover may be able to pay a price, as far as is public.
    pub fn may_pay(&self, price: i64) -> bool {
        !self.transparent(self.mover()) || price <= self.trial().left()
    }

    /// Whether the balance of a seat can be worked out from public information.
    pub fn transparent(&self, seat: Seat) -> bool {
        let hidden = self.records.iter().skip(self.opened[seat.index()]);
        !self.terms.blind || !hidden.into_iter().any(|record| record.balance_change(seat, &self.terms).1)
    }

    /// The draw that the mover can claim now.
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

    /// Whether some guesses or locks of a seat are hidden.
    pub fn hides(&self, seat: Seat) -> bool {
        self.opened[seat.index()] < self.resolved()
    }

    /// Discloses all resolved guesses and locks of a seat, if some are hidden.
    pub fn disclose(&mut self, seat: Seat) {
        if self.hides(seat) {
            self.opened[seat.index()] = self.resolved();
            self.disclosures.push((self.steps, seat));
        }
    }

    /// Number of resolved records.
    pub fn resolved(&self) -> usize {
        self.records.len() - usize::from(self.open().is_some())
    }

    /// Makes everything public, if the game is not blind or is over.
    fn open_all(&mut self) {
        if !self.terms.blind || self.outcome.is_some() {
            self.opened = [self.resolved(); 2];
        }
    }

    /// Stores the guesser's sheet until the turn is settled.
    pub fn keep(&mut self, sheet: Sheet) {
        self.sheet = Some(sheet);
    }

    /// Plays a checked turn, and settles it at once if the guesser has no choice.
    pub fn play(&mut self, turn: &Turn, locks: u8) {
        let played = self.trial().play(turn).expect("turns are checked before they are played");
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
            spoken: played.spoken().into(),
            san: played.san(&self.position).into(),
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

    /// Forces the pending turn back: the mover gets a refund, and the turn is banned for this ply.
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

    /// Settles the pending turn: the sheet is opened and paid, and the roles change.
    pub fn settle(&mut self) {
        let (guesser, terms) = (self.guesser(), self.terms.clone());
        let sheet = self.sheet.take();
        let Some(record) = self.records.last_mut().map(Arc::make_mut) else { return };
        let judged = sheet.map(|sheet| {
            let hits = terms.payoffs.hits(&sheet, &record.before, &record.played);
            (sheet, hits)
        });
        let income = judged.as_ref().map_or(terms.payoffs.forced, |(_, hits)| hits.iter().sum());
        let listed = judged.as_ref().map(|(sheet, hits)| turn_history::listed(sheet, hits, &record.before));
        let listed = listed.unwrap_or_default();
        record.fate = TurnStatus::Settled { sheet: judged, listed, income };
        self.position = record.played.after;
        self.purses[guesser.index()] += income;
        self.turns += 1;
        self.slots = terms.slots(self.locked);
        self.locked = 0;
        self.bans.clear();
        self.keys.push(Arc::new(move_history::key(Board::orthodox(), &self.position)));
        self.open_all();
        self.open_turn();
    }

    /// Starts the next ply: tests whether the game is over and whether one move is forced.
    fn open_turn(&mut self) {
        self.judge();
        self.forced = prices::forced(&self.position);
        self.phase = if self.forced { Phase::Turn } else { Phase::Both };
    }

    /// A turn with a purchase that saves a mover without a legal free move.
    pub fn rescue(&self) -> Option<Turn> {
        let situation = Situation {
            terms: &self.terms,
            position: self.position,
            homes: self.homes,
            purse: self.purses[self.mover().index()],
        };
        mate_test::rescue(&situation)
    }

    /// Ends the game if the mover is mated or stalemated beyond doubt. Where the mover's balance is hidden, this waits until it is disclosed.
    pub fn judge(&mut self) {
        let (board, position, mover) = (Board::orthodox(), &self.position, self.mover());
        if self.outcome.is_some() || board.has_move(position) || !self.transparent(mover) || self.rescue().is_some() {
            return;
        }
        let mated = board.in_check(position, mover.color());
        let settled = |record: &&mut Arc<Record>| matches!(record.fate, TurnStatus::Settled { .. });
        if let Some(record) = self.records.iter_mut().rfind(settled).filter(|_| mated) {
            Arc::make_mut(record).mark_mate();
        }
        self.close(if mated { Outcome::Win(!mover, "checkmate") } else { Outcome::Draw("stalemate") });
    }

    /// Ends the game and makes everything public.
    pub fn close(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
        self.open_all();
    }
}

/// A turn that was forced back, and the position after it.
#[derive(Clone, PartialEq, Debug)]
pub struct Ban {
    turn: Turn,
    after: Position,
}

impl Ban {
    /// The part with which the current turn cannot start.
    pub fn first(&self) -> Option<&Part> {
        self.turn.parts.first()
    }

    /// Explains how a turn with these parts, which leads to `after`, repeats this one; `None` if it does not.
    fn brings_back(&self, parts: &[Part], after: &Position) -> Option<String> {
        let count = |parts: &[Part], part: &Part| parts.iter().filter(|other| *other == part).count();
        let same = |part: &Part| count(parts, part) == count(&self.turn.parts, part);
        if parts.first() == self.first() {
            return parts.first().map(banned_start);
        }
        if parts.len() == self.turn.parts.len() && parts.iter().all(same) {
            return Some(format!("{} was forced back, and this turn has the same parts in another order", self.turn));
        }
        let there = after.same_placement(&self.after);
        there.then(|| format!("{} was forced back, and this turn leads to the same board", self.turn))
    }
}

/// Explains why a turn cannot start with a part.
pub(super) fn banned_start(first: &Part) -> String {
    format!("a turn starting with {first} was forced back: start with another move or drop")
}
