//! Decisions of a match as searches see them.

use std::borrow::Cow;

use super::{Bookie, State, board, round::Stage};
use crate::{
    board::Color,
    rules::{
        Prospect, Seat,
        search_problem::{Aim, Bet, Contest, Double},
    },
};

impl Bookie {
    /// What a seat has to choose.
    pub(super) fn foreseen(&self, state: &State, seat: Seat) -> Option<Prospect> {
        let round = state.round();
        let agreed = &state.terms.agreed;
        let draws = agreed.black_wins_draws.then_some(Color::Black);
        let contest = || {
            let course = round.course.as_ref()?;
            let (board, before) = (Cow::Borrowed(board()), course.recent());
            Some(Contest { board, position: course.position, before, aim: Aim::Mate, draws, quiet: true })
        };
        match round.stage {
            Stage::Bid => {
                let first = (!self.coin_toss).then(|| self.first.into());
                Some(Prospect::Bet(Bet { officers: round.officers?, first, draws }))
            }
            Stage::Decide => {
                let (wager, contest, factor) = (round.wager.as_ref()?, contest()?, agreed.double?);
                let color = wager.color(seat);
                let stakes = [color, !color].map(|color| i64::from(wager.stake(color)));
                Some(Prospect::Double(Double { contest, color, stakes, factor }))
            }
            Stage::Play => contest().map(Prospect::Moves),
            Stage::Officers | Stage::Colors | Stage::First | Stage::Deal => None,
        }
    }
}
