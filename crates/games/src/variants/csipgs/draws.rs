//! The ends of a game at the beginning of a turn, and the draws.

use super::{
    options::Csipgs,
    state::{Phase, State},
};
use crate::rules::{End, Outcome, Refusal, Seat, TIME};

impl State {
    /// Judges whether the game is over as a turn begins: the mover has mated, is mated, or can do nothing at all, which loses too.
    pub(super) fn judged(&self, options: &Csipgs) -> Option<Outcome> {
        let win = |seat, reason| Some(Outcome::Win(seat, reason));
        // Only after armies have been set up: the side not to move stands in check, and its royal piece would be captured.
        if self.board.in_check(&self.position, !self.mover) {
            return win(self.seat(), "royal piece attacked at once");
        }
        if !self.can_act(options) {
            let mate = self.board.in_check(&self.position, self.mover);
            return win(Seat::of(!self.mover), if mate { "checkmate" } else { "no possible action" });
        }
        if !options.automatic_draws {
            None
        } else if self.occurrences() >= 5 {
            Some(Outcome::Draw("fivefold repetition"))
        } else if self.position.halfmove >= 150 {
            Some(Outcome::Draw("75 moves without a capture, a purchase or a transfer"))
        } else {
            None
        }
    }

    /// The draw that the mover may claim before acting. Purchases and transfers count as captures do (our reading: there are no pawn
    /// moves in the sense of the FIDE Laws).
    pub(super) fn claim(&self, options: &Csipgs) -> Option<&'static str> {
        if self.phase != Phase::Action || self.outcome.is_some() || !options.draw_claims {
            None
        } else if self.position.halfmove >= 100 {
            Some("50 moves without a capture, a purchase or a transfer")
        } else if self.occurrences() >= 3 {
            Some("threefold repetition")
        } else {
            None
        }
    }

    /// Finds what the rules make of a way to stop.
    pub(super) fn stopped(&self, options: &Csipgs, seat: Seat, end: End) -> Result<Outcome, Refusal> {
        if end == End::Agree && !options.draw_offers {
            return Err(Refusal::new("in this game agreeing to a draw is against the rules: play on, or resign"));
        }
        let claim = || {
            if !options.draw_claims {
                return Err(Refusal::new("in this game no draw can be claimed: play on, or resign"));
            }
            if self.phase != Phase::Action {
                return Err(Refusal::new("a draw is claimed on one’s own turn, before acting"));
            }
            self.claim(options).map(Outcome::Draw).ok_or_else(|| {
                Refusal::new(
                    "no draw can be claimed: that takes the same position for the third time, or 50 moves without a capture, a purchase or a transfer",
                )
            })
        };
        end.outcome(seat, claim, || Outcome::Win(!seat, TIME))
    }
}
