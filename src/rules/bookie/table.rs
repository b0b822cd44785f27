//! The Bookie match: one or more deals, each with sealed bids, a late deal of pawns and kings, and play for what the other player
//! bid. Pawns and kings are drawn only when both bids are open, so that nothing can leak that has not been dealt.

use std::sync::Arc;

use num_rational::Ratio;
use rand::{Rng, RngExt};

use super::{
    Action, Bid, Bids, Bookie, Decided, Decision, Stakes, State, TIES, Terms, Tie, Verdict, View, Wager, board,
    deal_officers, deal_rest, officers,
    round::{Round, Stage},
    sets,
    terms::{self, SETTINGS},
    view,
};
use crate::{
    board::{Color, Position},
    rules::{
        AGREEMENT, Actor, End, RESIGNATION, Refusal, Rules, Seat, Setting, Step, TIME, Turn, Viewer,
        course::{self, Course},
        fide::{Ending, Endings},
    },
};

impl Bookie {
    /// Both bids are in.
    fn opened(&self, state: &mut State, bids: Bids) {
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
    fn colored(&self, state: &mut State, bids: Bids, white: Seat) {
        let round = state.round_mut();
        round.wager = Some(Wager::new(bids, white).expect("the higher bid on White has White"));
        if self.coin_toss {
            round.stage = Stage::First;
        } else {
            begun(state, self.first.into());
        }
    }

    /// A move was made, or the play begins.
    fn judge(&self, state: &mut State) {
        let round = state.round();
        let (Stage::Play, None, Some(course)) = (round.stage, &round.settled, &round.course) else { return };
        if let Some(ending) = Endings::FIDE.ending(board(), course) {
            self.settle(state, Some(verdict(ending)), ending.reason, false);
        }
    }
}

/// Who moves first is known; a board that a code brought need not be dealt.
fn begun(state: &mut State, first: Color) {
    let round = state.round_mut();
    round.first = Some(first);
    round.stage = Stage::Deal;
    if let Some(position) = round.hidden {
        dealt(state, position);
    }
}

/// The whole board lies open.
fn dealt(state: &mut State, position: Position) {
    let stage = if state.terms.agreed.double.is_some() { Stage::Decide } else { Stage::Play };
    let round = state.round_mut();
    round.deal(position);
    round.stage = stage;
}

/// What the end of the play on the board means for the bids.
fn verdict(ending: Ending) -> Verdict {
    ending.winner.map_or(Verdict::Draw, Verdict::Win)
}

/// How a deal comes out if a seat stops it so, and why; no verdict where there are no stakes yet.
fn stopped(state: &State, seat: Seat, end: End) -> Result<(Option<Verdict>, &'static str), Refusal> {
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
        (End::Resign | End::ResignMatch | End::Flag, None, _) if round.staked() => {
            Err(Refusal::new("the coin is about to decide the colours: wait until it has fallen"))
        }
        (End::Resign, None, _) => Ok((None, "resigned before the bids were open")),
        (End::ResignMatch, None, _) => Ok((None, "match resigned before the bids were open")),
        (End::Flag, None, _) => Ok((None, "time ran out before the bids were open")),
        (End::Resign, Some(wager), _) => Ok((lost(wager), RESIGNATION)),
        (End::ResignMatch, Some(wager), _) => Ok((lost(wager), "match resigned")),
        (End::Flag, Some(wager), Some(course)) => {
            let ending = Endings::FIDE.flag(board(), course, wager.color(seat));
            Ok((Some(verdict(ending)), ending.reason))
        }
        (End::Flag, Some(wager), None) => Ok((lost(wager), TIME)),
    }
}

/// Whether a way to stop leaves no further deal of a match.
fn stops_match(end: End) -> bool {
    match end {
        End::ResignMatch | End::Flag => true,
        End::Resign | End::Agree | End::Claim => false,
    }
}

impl Rules for Bookie {
    const KEY: &'static str = "bookie";
    const TITLE: &'static str = "Bookie Chess";
    const SUMMARY: &'static str = "Bet on a position you only half see, then play it out for what the other bid.";
    type Terms = Arc<Terms>;
    type State = State;
    type Action = Action;
    type View = View;

    fn presets() -> Vec<(&'static str, Self)> {
        terms::presets()
    }

    fn settings() -> &'static [Setting] {
        SETTINGS
    }

    fn terms(&self) -> Result<Arc<Terms>, Refusal> {
        self.agreement().map(Arc::new)
    }

    fn start(&self, terms: &Arc<Terms>) -> State {
        let round = terms.code.as_ref().map_or_else(Round::new, Round::of);
        State { terms: terms.clone(), rounds: vec![round], sheet: Vec::new(), outcome: None, steps: 0 }
    }

    fn turn(&self, state: &State) -> Turn {
        let round = state.round();
        match (state.outcome, round.stage) {
            (Some(outcome), _) => Turn::Over(outcome),
            (None, Stage::Officers | Stage::Colors | Stage::First | Stage::Deal) => Turn::Chance,
            (None, Stage::Bid | Stage::Decide) => Turn::Both,
            (None, Stage::Play) => Turn::One(view::mover(round)),
        }
    }

    fn phase(&self, state: &State) -> &'static str {
        match state.round().stage {
            Stage::Officers => "officers",
            Stage::Bid => "bid",
            Stage::Colors | Stage::First => "coin",
            Stage::Deal => "deal",
            Stage::Decide => "stakes",
            Stage::Play => "move",
        }
    }

    fn check(&self, state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
        let round = state.round();
        match (actor, round.stage, action) {
            (Actor::Chance, Stage::Officers, Action::Officers(position)) => {
                sets::check_officers(position).map_err(|bad| Refusal::at(9, bad.to_string()))?;
                let alone = officers(position) == *position;
                if alone { Ok(()) } else { Err(Refusal::at(9, "pawns and kings are not dealt before the bids")) }
            }
            (Actor::Chance, Stage::Deal, Action::Deal(position)) => {
                sets::check(position).map_err(|bad| Refusal::at(5, bad.to_string()))?;
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

    fn apply(&self, state: &mut State, step: Step<Action>) {
        state.steps += 1;
        let ply = state.steps;
        match step {
            Step::Chance(action) => {
                let round = state.round_mut();
                match (action, round.bids) {
                    (Action::Officers(position), _) => {
                        round.officers = Some(position);
                        round.stage = Stage::Bid;
                    }
                    (Action::Colors(color), Some(bids)) => {
                        let white = if color == Color::White { Seat::One } else { Seat::Two };
                        self.colored(state, bids, white);
                    }
                    (Action::First(color), _) => begun(state, color),
                    (Action::Deal(position), _) => dealt(state, position),
                    (Action::Colors(_) | Action::Bid(_) | Action::Decide(_) | Action::Move(_), _) => {
                        unreachable!("steps are checked first")
                    }
                }
                state.note(None, action.to_string(), true, String::new());
            }
            Step::Both([Action::Bid(one), Action::Bid(two)]) => {
                self.opened(state, Bids { one, two });
                for (seat, bid) in Seat::BOTH.into_iter().zip([one, two]) {
                    let notes = format!("{} on White, {} on Black", bid.on(Color::White), bid.on(Color::Black));
                    state.note(Some(seat), Action::Bid(bid).to_string(), true, notes);
                }
            }
            Step::Both([Action::Decide(one), Action::Decide(two)]) => {
                for (seat, decision) in Seat::BOTH.into_iter().zip([one, two]) {
                    state.note(Some(seat), decision.to_string(), true, String::new());
                }
                let round = state.round_mut();
                let decided = round.wager.map(|wager| wager.decide([one, two]));
                match decided {
                    Some(Decided::Over(Verdict::Draw)) => {
                        self.settle(state, Some(Verdict::Draw), "both conceded", false);
                    }
                    Some(Decided::Over(verdict)) => self.settle(state, Some(verdict), "conceded", false),
                    Some(Decided::Play) | None => {
                        round.stakes = Stakes::Grown;
                        round.stage = Stage::Play;
                    }
                }
            }
            Step::One(seat, Action::Move(uci)) => {
                if let Some(course) = &mut state.round_mut().course {
                    let mv = course.find(board(), uci).expect("the move was checked");
                    course.play(board(), mv, ply);
                    let entry = course.played.last().map(|played| played.entry(seat));
                    state.sheet.extend(entry);
                }
            }
            Step::One(seat, action @ Action::Decide(Decision::Concede)) => {
                state.note(Some(seat), action.to_string(), true, String::new());
                let verdict = state.round().wager.map(|wager| Verdict::Win(!wager.color(seat)));
                self.settle(state, verdict, "conceded", false);
            }
            Step::End(seat, end) => {
                if let Ok((verdict, reason)) = stopped(state, seat, end) {
                    state.note(None, reason.to_owned(), false, String::new());
                    self.settle(state, verdict, reason, stops_match(end));
                }
            }
            Step::Both(_) | Step::One(..) => unreachable!("steps are checked first"),
        }
        self.judge(state);
    }

    fn check_end(&self, state: &State, seat: Seat, end: End) -> Result<(), Refusal> {
        stopped(state, seat, end).map(|_| ())
    }

    fn score(&self, state: &State) -> [Ratio<i64>; 2] {
        state.points()
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        View::of(self, state, viewer)
    }

    fn redeal(&self, state: &State, _seat: Seat, rng: &mut dyn Rng) -> State {
        let mut other = state.clone();
        let round = other.round_mut();
        if let Some(hidden) = &mut round.hidden {
            // A deal that fails leaves the board as it is; that it does is next to impossible.
            *hidden = deal_rest(hidden, rng).unwrap_or(*hidden);
        }
        other
    }

    fn draw(&self, state: &State, rng: &mut dyn Rng) -> Action {
        let color = if rng.random() { Color::White } else { Color::Black };
        match (state.round().stage, &state.round().officers) {
            (Stage::Colors, _) => Action::Colors(color),
            (Stage::First, _) => Action::First(color),
            (Stage::Deal, Some(officers)) => {
                Action::Deal(deal_rest(officers, rng).expect("in a thousand deals some square is left for a king"))
            }
            (Stage::Officers | Stage::Bid | Stage::Deal | Stage::Decide | Stage::Play, _) => {
                Action::Officers(deal_officers(rng))
            }
        }
    }

    fn candidates(&self, state: &State, _seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
        let round = state.round();
        match (round.stage, &round.course) {
            (Stage::Decide, _) => vec![Action::Decide(Decision::Play), Action::Decide(Decision::Concede)],
            (Stage::Play, Some(course)) => sensible(course),
            (Stage::Bid | Stage::Officers | Stage::Colors | Stage::First | Stage::Deal | Stage::Play, _) => {
                bids(round, rng)
            }
        }
    }

    fn standing(&self, state: &State) -> [i64; 2] {
        match (&state.round().course, &state.round().wager) {
            (Some(course), Some(wager)) => {
                let units = course::material(board(), &course.position);
                Seat::BOTH.map(|seat| units[wager.color(seat).index()])
            }
            (Some(_) | None, _) => [0; 2],
        }
    }

    fn returnable(&self, state: &State) -> bool {
        state.round().stage == Stage::Play
    }
}

/// A move that mates, if there is one; else every move.
fn sensible(course: &Course) -> Vec<Action> {
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
    let units = round.officers.map_or([0; 2], |officers| course::material(board(), &officers));
    let fair = 50 + (units[0] - units[1]) / 12;
    let around = [-20, -10, -5, 0, 5, 10, 20].map(|off| fair + off);
    let mut bids: Vec<i64> =
        around.into_iter().chain([rng.random_range(0..=100)]).map(|bid| bid.clamp(0, 100)).collect();
    bids.sort_unstable();
    bids.dedup();
    bids.into_iter().filter_map(|bid| Bid::new(bid as u8)).map(Action::Bid).collect()
}
