//! One deal of a Bookie match, from the officers to the points: what is known of it, and what is asked for next. Which options were
//! agreed on and what follows when it is settled, the table knows.

use num_rational::Ratio;

use super::{Bid, Bids, Code, Stakes, Verdict, Wager, board, officers};
use crate::{
    board::{Color, Position},
    rules::move_history::Course,
};

/// The stage of a deal: what is asked for next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Chance deals the officers.
    Officers,
    /// Both players bid.
    Bid,
    /// The bids are equal: the coin decides the colours.
    Colors,
    /// The coin decides who moves first.
    First,
    /// Chance deals pawns and kings.
    Deal,
    /// Both players say whether they play on for more.
    Decide,
    /// A move.
    Play,
}

/// The result of a deal.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Settled {
    /// The verdict: who won; nothing if there were no stakes.
    pub(super) verdict: Option<Verdict>,
    /// Why.
    pub(super) reason: &'static str,
    /// The points of both seats.
    pub(super) points: [Ratio<i64>; 2],
    /// The number of steps of the match when it had ended.
    pub(super) ply: usize,
    /// True if it was stopped so that no further deal is played.
    pub(super) last: bool,
}

/// A deal.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Round {
    /// The stage: what is asked for next.
    pub(super) stage: Stage,
    /// Knights, bishops, rooks and queens, once they are dealt.
    pub(super) officers: Option<Position>,
    /// The whole board while nobody may see it, where a code brought it. Boards that chance deals are never here.
    pub(super) hidden: Option<Position>,
    /// Equal bids that were discarded.
    pub(super) tied: Vec<Bid>,
    /// Both bids, once they are open.
    pub(super) bids: Option<Bids>,
    /// Bids and colours, once both are known.
    pub(super) wager: Option<Wager>,
    /// The colour that moves first, once that is known.
    pub(super) first: Option<Color>,
    /// The code of the whole board, once it is dealt.
    pub(super) code: Option<Code>,
    /// The play, once the whole board is dealt.
    pub(super) course: Option<Course>,
    /// The stakes, which may have grown.
    pub(super) stakes: Stakes,
    /// Its result, once it is settled.
    pub(super) settled: Option<Settled>,
}

impl Round {
    /// A deal of which nothing is known.
    pub(super) fn new() -> Self {
        Round {
            stage: Stage::Officers,
            officers: None,
            hidden: None,
            tied: Vec::new(),
            bids: None,
            wager: None,
            first: None,
            code: None,
            course: None,
            stakes: Stakes::Base,
            settled: None,
        }
    }

    /// A deal whose board is known to whoever has its code.
    pub(super) fn of(code: &Code) -> Self {
        let hidden = code.open();
        Round { stage: Stage::Bid, officers: Some(officers(&hidden)), hidden: Some(hidden), ..Round::new() }
    }

    /// The whole board lies open: pawns and kings are there, and the play can begin. It must be one that can have been dealt.
    pub(super) fn deal(&mut self, mut position: Position) {
        self.code = Some(Code::seal(&position).expect("deals were checked"));
        position.turn = self.first.unwrap_or(Color::White);
        self.course = Some(Course::new(board(), position));
        self.hidden = None;
    }

    /// Tells whether there are stakes: both bids are open.
    pub(super) fn staked(&self) -> bool {
        self.bids.is_some()
    }
}
