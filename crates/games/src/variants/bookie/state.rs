//! The state of a Bookie match: its deals, from the officers to the points, its move list, and who has won in the end.

use std::{cmp::Ordering, sync::Arc};

use num_rational::Ratio;

use super::{Action, Bid, Bids, Bookie, Code, Stakes, Terms, Verdict, Wager, board, officers};
use crate::{
    board::{Color, Position},
    rules::{Entry, Outcome, Place, Seat, move_history::MoveHistory},
};

/// A match in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The agreed terms.
    pub(super) terms: Arc<Terms>,
    pub(super) rounds: Vec<Round>,
    pub(super) sheet: Vec<Entry>,
    pub(super) outcome: Option<Outcome>,
    pub(super) steps: usize,
}

impl State {
    /// The deal that is being played, or the last one.
    pub(super) fn round(&self) -> &Round {
        self.rounds.last().expect("a match has a deal")
    }

    pub(super) fn round_mut(&mut self) -> &mut Round {
        self.rounds.last_mut().expect("a match has a deal")
    }

    /// The points of all settled deals.
    pub(super) fn points(&self) -> [Ratio<i64>; 2] {
        self.rounds
            .iter()
            .filter_map(|round| round.settled.as_ref())
            .fold([Ratio::ZERO; 2], |[one, two], settled| [one + settled.points[0], two + settled.points[1]])
    }

    /// Writes something that is no move on the sheet of the deal that is being played.
    pub(super) fn note(&mut self, seat: Option<Seat>, action: &Action, notes: String) {
        let (text, told, deal) = (action.to_string(), Some(action.told()), Some(self.rounds.len()));
        self.sheet.push(Entry {
            ply: self.steps,
            seat,
            action: Some(text.clone()),
            text,
            told,
            notes,
            deal,
            place: Place::After,
            about: None,
        });
    }
}

impl Bookie {
    /// A deal is over: the points are written down, and the next one begins or the match is over. `last` says that no further
    /// deal is played, however many were agreed on.
    pub(super) fn settle(&self, state: &mut State, verdict: Option<Verdict>, reason: &'static str, last: bool) {
        let (terms, ply) = (state.terms.clone(), state.steps);
        let round = state.round_mut();
        let points = match (verdict, &round.wager) {
            (Some(verdict), Some(wager)) => wager.score(&terms.agreed, round.stakes, verdict),
            (Some(_), None) | (None, _) => [Ratio::ZERO; 2],
        };
        round.settled = Some(DealResult { verdict, reason, points, ply, last });
        if last || state.rounds.len() as i64 >= self.deals {
            state.outcome = Some(result(state));
        } else {
            state.rounds.push(Round::new());
        }
    }
}

/// Says who has won the match: whoever has more points. If no deal had stakes, there was none.
fn result(state: &State) -> Outcome {
    let [one, two] = state.points();
    let last = state.round().settled.as_ref();
    let reason = last.map_or("", |settled| settled.reason);
    if state.rounds.iter().all(|round| round.settled.as_ref().is_none_or(|settled| settled.verdict.is_none())) {
        return Outcome::Void(reason);
    }
    let leader = match one.cmp(&two) {
        Ordering::Greater => Some(Seat::One),
        Ordering::Less => Some(Seat::Two),
        Ordering::Equal => None,
    };
    // The last deal's reason is that of the whole if it came out alike and nothing was played before it, or if it was the last
    // word that was said.
    let round = state.round();
    let victor = match (last.and_then(|settled| settled.verdict), &round.wager) {
        (Some(Verdict::Win(color)), Some(wager)) => Some(wager.seat(color)),
        (Some(Verdict::Win(_) | Verdict::Draw) | None, _) => None,
    };
    let alike = victor == leader && (state.rounds.len() == 1 || last.is_some_and(|settled| settled.last));
    match leader {
        Some(seat) => Outcome::Win(seat, if alike { reason } else { "more points" }),
        None => Outcome::Draw(if alike { reason } else { "equal points" }),
    }
}

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
pub(super) struct DealResult {
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
    pub(super) course: Option<MoveHistory>,
    /// The stakes, which may have grown.
    pub(super) stakes: Stakes,
    /// Its result, once it is settled.
    pub(super) settled: Option<DealResult>,
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
        self.course = Some(MoveHistory::new(board(), position));
        self.hidden = None;
    }

    /// Tells whether there are stakes: both bids are open.
    pub(super) fn staked(&self) -> bool {
        self.bids.is_some()
    }
}
