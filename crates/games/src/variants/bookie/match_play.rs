//! The course of a match: which actions are legal, how bids open and boards are dealt, what it means that a seat stops, and the decisions as
//! bots see them.

use std::borrow::Cow;

use rand::{Rng, RngExt};

use super::{
    Action, Bid, Bids, Bookie, Decision, State, TIES, Tie, Verdict, Wager, board, deal, officers,
    state::{Round, Stage},
};
use crate::{
    board::{Color, Position},
    rules::{
        AGREEMENT, Actor, End, RESIGNATION, Refusal, SearchProblem, Seat, TIME,
        endings::{self, Ending, EndingRules},
        move_history::MoveHistory,
        search_problem::{Aim, BetProblem, BoardProblem, DoublingProblem},
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
        if let Some(ending) = EndingRules::FIDE.ending(board(), course) {
            self.settle(state, Some(verdict(ending)), ending.reason, false);
        }
    }

    /// What a seat has to choose.
    pub(super) fn foreseen(&self, state: &State, seat: Seat) -> Option<SearchProblem> {
        let round = state.round();
        let agreed = &state.terms.agreed;
        let draws = agreed.black_wins_draws.then_some(Color::Black);
        let contest = || {
            let course = round.course.as_ref()?;
            let (board, before) = (Cow::Borrowed(board()), course.recent());
            Some(BoardProblem { board, position: course.position, before, aim: Aim::Mate, draws, quiet: true })
        };
        match round.stage {
            Stage::Bid => {
                let first = (!self.coin_toss).then(|| self.first.into());
                Some(SearchProblem::Bet(BetProblem { officers: round.officers?, first, draws }))
            }
            Stage::Decide => {
                let (wager, contest, factor) = (round.wager.as_ref()?, contest()?, agreed.double?);
                let color = wager.color(seat);
                let stakes = [color, !color].map(|color| i64::from(wager.stake(color)));
                Some(SearchProblem::Double(DoublingProblem { contest, color, stakes, factor }))
            }
            Stage::Play => contest().map(SearchProblem::Moves),
            Stage::Officers | Stage::Colors | Stage::First | Stage::Deal => None,
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
            EndingRules::FIDE.claim(course).map(|ending| (Some(verdict(ending)), ending.reason))
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
            let ending = EndingRules::FIDE.flag(board(), course, wager.color(seat));
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

/// Checks whether somebody may say something now.
pub(super) fn check(state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
    let round = state.round();
    match (actor, round.stage, action) {
        (Actor::Chance, Stage::Officers, Action::Officers(position)) => {
            deal::check_officers(position).map_err(|bad| Refusal::at(9, bad.to_string()))?;
            let alone = officers(position) == *position;
            if alone { Ok(()) } else { Err(Refusal::at(9, "pawns and kings are not dealt before the bids")) }
        }
        (Actor::Chance, Stage::Deal, Action::Deal(position)) => {
            deal::check(position).map_err(|bad| Refusal::at(5, bad.to_string()))?;
            let same = Some(officers(position)) == round.officers;
            if same { Ok(()) } else { Err(Refusal::at(5, "the officers are not those that the bids were made on")) }
        }
        (Actor::Chance, Stage::Colors, Action::Colors(_))
        | (Actor::Chance, Stage::First, Action::First(_))
        | (Actor::Seat(_), Stage::Bid, Action::Bid(_))
        | (Actor::Seat(_), Stage::Decide, Action::Decide(_))
        | (Actor::Seat(_), Stage::Play, Action::Decide(Decision::Concede)) => Ok(()),
        (Actor::Seat(_), Stage::Play, Action::Move(uci)) => match &round.course {
            Some(course) => course.find(board(), *uci).map(|_| ()),
            None => Err(Refusal::new("nothing has been dealt yet")),
        },
        (Actor::Seat(_), _, Action::Officers(_) | Action::Colors(_) | Action::First(_) | Action::Deal(_)) => {
            Err(Refusal::at(0, "only chance deals and throws the coin"))
        }
        (Actor::Seat(_) | Actor::Chance | Actor::Server, stage, _) => Err(Refusal::at(
            0,
            match stage {
                Stage::Officers => "the officers are dealt first",
                Stage::Bid => "a bid is asked for now: write bid and your percentage for White, as in bid 60",
                Stage::Colors => "the bids are equal, and the coin decides the colours now",
                Stage::First => "the coin decides now who moves first",
                Stage::Deal => "pawns and kings are dealt now",
                Stage::Decide => "write play to play on for more, or concede",
                Stage::Play => "a move is asked for now: write one as in e2e4, or concede",
            },
        )),
    }
}

/// What somebody could sensibly say in a deal.
pub(super) fn candidates(round: &Round, rng: &mut dyn Rng) -> Vec<Action> {
    match (round.stage, &round.course) {
        (Stage::Decide, _) => vec![Action::Decide(Decision::Play), Action::Decide(Decision::Concede)],
        (Stage::Play, Some(course)) => sensible(course),
        (Stage::Bid | Stage::Officers | Stage::Colors | Stage::First | Stage::Deal | Stage::Play, _) => {
            bids(round, rng)
        }
    }
}

/// A move that mates, if there is one; else every move.
fn sensible(course: &MoveHistory) -> Vec<Action> {
    let (board, position) = (board(), &course.position);
    let moves = board.moves(position);
    let mates = |mv: &&crate::board::Move| {
        let after = board.after(position, **mv);
        board.in_check(&after, after.turn) && !board.has_move(&after)
    };
    match moves.iter().find(mates) {
        Some(mv) => vec![Action::Move(board.uci(*mv))],
        None => moves.iter().map(|mv| Action::Move(board.uci(*mv))).collect(),
    }
}

/// Bids around what the officers are worth: White’s chances grow by a percent for every twelfth of a pawn.
fn bids(round: &Round, rng: &mut dyn Rng) -> Vec<Action> {
    let units = round.officers.map_or([0; 2], |officers| endings::count_material(board(), &officers));
    let fair = 50 + (units[0] - units[1]) / 12;
    let around = [-20, -10, -5, 0, 5, 10, 20].map(|off| fair + off);
    let mut bids: Vec<i64> =
        around.into_iter().chain([rng.random_range(0..=100)]).map(|bid| bid.clamp(0, 100)).collect();
    bids.sort_unstable();
    bids.dedup();
    bids.into_iter().filter_map(|bid| Bid::new(bid as u8)).map(Action::Bid).collect()
}
