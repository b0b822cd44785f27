//! The course of a match: legal actions, opening bids, dealing boards, ending deals, and decisions for bots.

use std::borrow::Cow;

use rand::{Rng, RngExt};

use super::{
    Action, Bid, Bids, Bookie, Decision, State, TIES, Tie, Verdict, Wager, board, deal, officers,
    state::{Round, Stage},
};
use crate::{
    board::{Color, Position},
    rules::{
        AGREEMENT, Actor, End, LEFT, RESIGNATION, Refusal, SearchProblem, Seat, TIME,
        endings::{self, Ending},
        move_history::MoveHistory,
        search_problem::{Aim, BetProblem, BoardProblem, DoublingProblem},
    },
};

impl Bookie {
    /// Opens both bids.
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

    /// Fixes the colours and continues with the first mover.
    pub(super) fn colored(&self, state: &mut State, bids: Bids, white: Seat) {
        let round = state.round_mut();
        round.wager = Some(Wager::new(bids, white).expect("the higher bid on White has White"));
        if self.coin_toss {
            round.stage = Stage::First;
        } else {
            set_first_mover(state, self.first.into());
        }
    }

    /// Ends the deal if the position on the board is over. Called after every step.
    pub(super) fn judge(&self, state: &mut State) {
        let round = state.round();
        let (Stage::Play, None, Some(course)) = (round.stage, &round.settled, &round.history) else { return };
        if let Some(ending) = state.terms.endings.ending(board(), course) {
            self.settle(state, Some(verdict(ending)), ending.reason, false);
        }
    }

    /// The decision of a seat, for bots that search.
    pub(super) fn decision(&self, state: &State, seat: Seat) -> Option<SearchProblem> {
        let round = state.round();
        let agreed = &state.terms.agreed;
        let draws = agreed.black_wins_draws.then_some(Color::Black);
        let contest = || {
            let course = round.history.as_ref()?;
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

/// Fixes the first mover. A board from a code is dealt at once, because chance has nothing to deal.
pub(super) fn set_first_mover(state: &mut State, first: Color) {
    let round = state.round_mut();
    round.first = Some(first);
    round.stage = Stage::Deal;
    if let Some(position) = round.hidden {
        reveal(state, position);
    }
}

/// Reveals the whole board.
pub(super) fn reveal(state: &mut State, position: Position) {
    let stage = if state.terms.agreed.double.is_some() { Stage::Decide } else { Stage::Play };
    let round = state.round_mut();
    round.deal(position);
    round.stage = stage;
}

/// The verdict for the bids after this ending on the board.
fn verdict(ending: Ending) -> Verdict {
    ending.winner.map_or(Verdict::Draw, Verdict::Win)
}

/// The verdict and reason when `seat` stops a deal this way; no verdict while there are no stakes.
pub(super) fn stopped(state: &State, seat: Seat, end: End) -> Result<(Option<Verdict>, &'static str), Refusal> {
    let round = state.round();
    let lost = |wager: &Wager| Some(Verdict::Win(!wager.color(seat)));
    match (end, &round.wager, &round.history) {
        (End::Claim, _, Some(course)) if round.stage == Stage::Play => {
            state.terms.endings.claim(course).map(|ending| (Some(verdict(ending)), ending.reason))
        }
        (End::Claim, _, _) => Err(Refusal::new("no draw can be claimed before the play begins")),
        (End::Agree, Some(_), _) => Ok((Some(Verdict::Draw), AGREEMENT)),
        (End::LeftDrawn, Some(_), _) => Ok((Some(Verdict::Draw), LEFT)),
        (End::Agree, None, _) => Err(Refusal::new("there are no stakes to share yet: offer a draw after the bids")),
        (End::Resign | End::ResignMatch | End::Flag | End::Flags | End::Left | End::LeftDrawn, None, _)
            if round.staked() =>
        {
            Err(Refusal::new("the coin is about to decide the colours: wait for the toss"))
        }
        (End::Resign, None, _) => Ok((None, "resigned before the bids were open")),
        (End::ResignMatch, None, _) => Ok((None, "match resigned before the bids were open")),
        (End::Flag | End::Flags, None, _) => Ok((None, "time ran out before the bids were open")),
        (End::Left | End::LeftDrawn, None, _) => Ok((None, "a player left before the bids were open")),
        (End::Flags, Some(_), _) => Ok((Some(Verdict::Draw), TIME)),
        (End::Resign, Some(wager), _) => Ok((lost(wager), RESIGNATION)),
        (End::ResignMatch, Some(wager), _) => Ok((lost(wager), "match resigned")),
        (End::Left, Some(_), _) => stopped(state, seat, End::Flag).map(|(verdict, _)| (verdict, LEFT)),
        (End::Flag, Some(wager), Some(course)) => {
            let (endings, late) = (state.terms.endings, wager.color(seat));
            let can_win = endings.winnable.can_win(board(), &course.position, !late);
            let ending = endings.flag(board(), &course.position, late, can_win);
            Ok((Some(verdict(ending)), ending.reason))
        }
        (End::Flag, Some(wager), None) => Ok((lost(wager), TIME)),
    }
}

/// Whether this way to stop also ends the match.
pub(super) fn stops_match(end: End) -> bool {
    match end {
        End::ResignMatch | End::Flag | End::Flags | End::Left | End::LeftDrawn => true,
        End::Resign | End::Agree | End::Claim => false,
    }
}

/// Checks whether an action is legal now.
pub(super) fn check(state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
    let round = state.round();
    match (actor, round.stage, action) {
        (Actor::Chance, Stage::Officers, Action::Officers(position)) => {
            deal::check_officers(position).map_err(|bad| Refusal::at(9, bad.to_string()))?;
            let alone = officers(position) == *position;
            if alone { Ok(()) } else { Err(Refusal::at(9, "pawns and kings cannot be dealt before the bids")) }
        }
        (Actor::Chance, Stage::Deal, Action::Deal(position)) => {
            deal::check(position).map_err(|bad| Refusal::at(5, bad.to_string()))?;
            let same = Some(officers(position)) == round.officers;
            if same { Ok(()) } else { Err(Refusal::at(5, "the officers must be the ones that were bid on")) }
        }
        (Actor::Chance, Stage::Colors, Action::Colors(_))
        | (Actor::Chance, Stage::First, Action::First(_))
        | (Actor::Seat(_), Stage::Bid, Action::Bid(_))
        | (Actor::Seat(_), Stage::Decide, Action::Decide(_))
        | (Actor::Seat(_), Stage::Play, Action::Decide(Decision::Concede)) => Ok(()),
        (Actor::Seat(_), Stage::Play, Action::Move(uci)) => match &round.history {
            Some(course) => course.find(board(), *uci).map(|_| ()),
            None => Err(Refusal::new("the board has not been dealt yet")),
        },
        (Actor::Seat(_), _, Action::Officers(_) | Action::Colors(_) | Action::First(_) | Action::Deal(_)) => {
            Err(Refusal::at(0, "only chance deals and tosses the coin"))
        }
        (Actor::Seat(_) | Actor::Chance | Actor::Server, stage, _) => Err(Refusal::at(
            0,
            match stage {
                Stage::Officers => "wait for the deal of the officers",
                Stage::Bid => "it is time to bid: write bid and your percentage for White, as in bid 60",
                Stage::Colors => "the bids are equal: wait for the coin to decide the colours",
                Stage::First => "wait for the coin to decide who moves first",
                Stage::Deal => "wait for the deal of pawns and kings",
                Stage::Decide => "write play to play on for higher stakes, or concede",
                Stage::Play => "it is time to move: write a move such as e2e4, or concede",
            },
        )),
    }
}

/// Some reasonable actions in a deal.
pub(super) fn candidates(round: &Round, rng: &mut dyn Rng) -> Vec<Action> {
    match (round.stage, &round.history) {
        (Stage::Decide, _) => vec![Action::Decide(Decision::Play), Action::Decide(Decision::Concede)],
        (Stage::Play, Some(course)) => sensible(course),
        (Stage::Bid | Stage::Officers | Stage::Colors | Stage::First | Stage::Deal | Stage::Play, _) => {
            bids(round, rng)
        }
    }
}

/// A mating move if there is one; otherwise every move.
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

/// Bids around the material balance of the officers: one percent for every twelve centipawns.
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
