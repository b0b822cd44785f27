//! The course of a match: the bids are opened, the colours and the first mover are known, the board is dealt and played on, and
//! what it means that a seat stops it.

use super::{Bids, Bookie, State, TIES, Tie, Verdict, Wager, board, round::Stage};
use crate::{
    board::{Color, Position},
    rules::{
        AGREEMENT, End, RESIGNATION, Refusal, Seat, TIME,
        endings::{Ending, Endings},
    },
};

impl Bookie {
    /// Both bids are in.
    pub(super) fn opened(&self, state: &mut State, bids: Bids) {
        let round = state.round_mut();
        match bids.white() {
            Some(white) => {
                round.bids = Some(bids);
                self.colored(state, bids, white);
            }
            None if self.tie == Tie::Rebid && round.tied.len() + 1 < TIES => round.tied.push(bids.one),
            None => {
                round.bids = Some(bids);
                round.stage = Stage::Colors;
            }
        }
    }

    /// The colours are known.
    pub(super) fn colored(&self, state: &mut State, bids: Bids, white: Seat) {
        let round = state.round_mut();
        round.wager = Some(Wager::new(bids, white).expect("the higher bid on White has White"));
        if self.coin_toss {
            round.stage = Stage::First;
        } else {
            begun(state, self.first.into());
        }
    }

    /// A move was made, or the play begins.
    pub(super) fn judge(&self, state: &mut State) {
        let round = state.round();
        let (Stage::Play, None, Some(course)) = (round.stage, &round.settled, &round.course) else { return };
        if let Some(ending) = Endings::FIDE.ending(board(), course) {
            self.settle(state, Some(verdict(ending)), ending.reason, false);
        }
    }
}

/// Goes on once it is known who moves first; a board that a code brought need not be dealt.
pub(super) fn begun(state: &mut State, first: Color) {
    let round = state.round_mut();
    round.first = Some(first);
    round.stage = Stage::Deal;
    if let Some(position) = round.hidden {
        dealt(state, position);
    }
}

/// The whole board lies open.
pub(super) fn dealt(state: &mut State, position: Position) {
    let stage = if state.terms.agreed.double.is_some() { Stage::Decide } else { Stage::Play };
    let round = state.round_mut();
    round.deal(position);
    round.stage = stage;
}

/// The verdict for the bids when the play on the board ends so.
fn verdict(ending: Ending) -> Verdict {
    ending.winner.map_or(Verdict::Draw, Verdict::Win)
}

/// Finds how a deal comes out if a seat stops it so, and why; no verdict where there are no stakes yet.
pub(super) fn stopped(state: &State, seat: Seat, end: End) -> Result<(Option<Verdict>, &'static str), Refusal> {
    let round = state.round();
    let lost = |wager: &Wager| Some(Verdict::Win(!wager.color(seat)));
    match (end, &round.wager, &round.course) {
        (End::Claim, _, Some(course)) if round.stage == Stage::Play => {
            Endings::FIDE.claim(course).map(|ending| (Some(verdict(ending)), ending.reason))
        }
        (End::Claim, _, _) => Err(Refusal::new("nothing has been played yet that could be a draw")),
        (End::Agree, Some(_), _) => Ok((Some(Verdict::Draw), AGREEMENT)),
        (End::Agree, None, _) => {
            Err(Refusal::new("there are no stakes yet that could be shared: a draw can be offered after the bids"))
        }
        (End::Resign | End::ResignMatch | End::Flag | End::Flags, None, _) if round.staked() => {
            Err(Refusal::new("the coin is about to decide the colours: wait until it has fallen"))
        }
        (End::Resign, None, _) => Ok((None, "resigned before the bids were open")),
        (End::ResignMatch, None, _) => Ok((None, "match resigned before the bids were open")),
        (End::Flag | End::Flags, None, _) => Ok((None, "time ran out before the bids were open")),
        (End::Flags, Some(_), _) => Ok((Some(Verdict::Draw), TIME)),
        (End::Resign, Some(wager), _) => Ok((lost(wager), RESIGNATION)),
        (End::ResignMatch, Some(wager), _) => Ok((lost(wager), "match resigned")),
        (End::Flag, Some(wager), Some(course)) => {
            let ending = Endings::FIDE.flag(board(), course, wager.color(seat));
            Ok((Some(verdict(ending)), ending.reason))
        }
        (End::Flag, Some(wager), None) => Ok((lost(wager), TIME)),
    }
}

/// Tells whether a way to stop leaves no further deal of a match.
pub(super) fn stops_match(end: End) -> bool {
    match end {
        End::ResignMatch | End::Flag | End::Flags => true,
        End::Resign | End::Agree | End::Claim => false,
    }
}
