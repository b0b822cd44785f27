//! State of a Bookie match: its deals with their results, the move list, and the outcome of the match.

use std::{cmp::Ordering, sync::Arc};

use num_rational::Ratio;

use super::{Action, Bid, Bids, Bookie, Code, Stakes, Terms, Verdict, Wager, board, officers};
use crate::{
    board::{Color, Position},
    rules::{Entry, Outcome, Seat, move_history::MoveHistory},
};

/// A match in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The options of the match after parsing.
    pub(super) terms: Arc<Terms>,
    pub(super) rounds: Vec<Round>,
    pub(super) sheet: Vec<Entry>,
    pub(super) outcome: Option<Outcome>,
    pub(super) steps: usize,
}

impl State {
    /// The current deal, or the last one.
    pub(super) fn round(&self) -> &Round {
        self.rounds.last().expect("a match has a deal")
    }

    pub(super) fn round_mut(&mut self) -> &mut Round {
        self.rounds.last_mut().expect("a match has a deal")
    }

    /// Points of all settled deals.
    pub(super) fn points(&self) -> [Ratio<i64>; 2] {
        self.rounds
            .iter()
            .filter_map(|round| round.settled.as_ref())
            .fold([Ratio::ZERO; 2], |[one, two], settled| [one + settled.points[0], two + settled.points[1]])
    }

    /// Adds a line to the move list of the current deal that is not a move on the board.
    pub(super) fn note(&mut self, seat: Option<Seat>, action: &Action, notes: String) {
        let (text, told, deal) = (action.to_string(), Some(action.description()), Some(self.rounds.len()));
        let action = Some(text.clone());
        self.sheet.push(Entry { action, told, notes, deal, ..Entry::new(self.steps, seat, text) });
    }
}

impl Bookie {
    /// Ends a deal, records its points, and starts the next deal or ends the match. `last` ends the match regardless of the number of deals.
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

/// The outcome of the match: the player with more points wins. If no deal had stakes, the match is void.
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
    // The reason of the last deal is the reason of the match if both have the same winner and either it was the only deal or it ended the
    // match early.
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

/// Stage of a deal.
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
    /// Both players play on or concede.
    Decide,
    /// Play on the board.
    Play,
}

/// The result of a deal.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct DealResult {
    /// The verdict; `None` if there were no stakes.
    pub(super) verdict: Option<Verdict>,
    /// The reason of the verdict.
    pub(super) reason: &'static str,
    /// Points of both seats.
    pub(super) points: [Ratio<i64>; 2],
    /// Number of steps of the match at the end of the deal.
    pub(super) ply: usize,
    /// The match ends with this deal, whatever the number of deals.
    pub(super) last: bool,
}

/// A deal.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Round {
    /// Stage of the deal.
    pub(super) stage: Stage,
    /// Knights, bishops, rooks and queens, once they are dealt.
    pub(super) officers: Option<Position>,
    /// The whole board before the reveal, if it came from a code. Boards dealt by chance are never here.
    pub(super) hidden: Option<Position>,
    /// Equal bids that were discarded.
    pub(super) tied: Vec<Bid>,
    /// Both bids, once they are open.
    pub(super) bids: Option<Bids>,
    /// Bids and colours, once both are known.
    pub(super) wager: Option<Wager>,
    /// The colour that moves first, once it is known.
    pub(super) first: Option<Color>,
    /// Code of the whole board, once it is dealt.
    pub(super) code: Option<Code>,
    /// The moves on the board, once the whole board is dealt.
    pub(super) history: Option<MoveHistory>,
    /// The stakes, which may have grown.
    pub(super) stakes: Stakes,
    /// The result, once the deal is settled.
    pub(super) settled: Option<DealResult>,
}

impl Round {
    /// A deal before the officers are dealt.
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
            history: None,
            stakes: Stakes::Base,
            settled: None,
        }
    }

    /// A deal of the board in a code, with the officers visible.
    pub(super) fn of(code: &Code) -> Self {
        let hidden = code.open();
        Round { stage: Stage::Bid, officers: Some(officers(&hidden)), hidden: Some(hidden), ..Round::new() }
    }

    /// Reveals the whole board and starts the play. The board must be one that can have been dealt.
    pub(super) fn deal(&mut self, mut position: Position) {
        self.code = Some(Code::seal(&position).expect("deals are checked before they are applied"));
        position.turn = self.first.unwrap_or(Color::White);
        self.history = Some(MoveHistory::new(board(), position));
        self.hidden = None;
    }

    /// Whether there are stakes, because both bids are open.
    pub(super) fn staked(&self) -> bool {
        self.bids.is_some()
    }
}
