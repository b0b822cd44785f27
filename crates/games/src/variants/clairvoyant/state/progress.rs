//! How a game goes on: a turn is played, forced back or stands, and the game ends.

use std::sync::Arc;

use super::{Ban, Phase, Retraction, State};
use crate::{
    board::Board,
    rules::{Outcome, move_history},
    variants::clairvoyant::{
        action::Turn,
        mate, payoff,
        record::{self, Fate, Record},
        sheet::Sheet,
        situation::Situation,
    },
};

impl State {
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
            fate: Fate::Open,
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
        record.fate = Fate::Retracted { ply, price };
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
        let listed = judged.as_ref().map_or_else(String::new, |(sheet, hits)| record::listed(sheet, hits));
        record.fate = Fate::Settled { sheet: judged, listed, income };
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
    pub(super) fn open_turn(&mut self) {
        self.judge();
        self.forced = payoff::forced(&self.position);
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
        mate::rescue(&situation)
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
