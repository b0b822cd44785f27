//! View of a Bookie match, the same for every viewer. Bids are included once both are in, pawns and kings once they are dealt.

use std::sync::Arc;

use num_rational::Ratio;
use serde::Serialize;

use super::{
    Bookie, Decision, Options, Stakes, State, Verdict,
    alterations::amount,
    board,
    state::{DealResult, Round, Stage},
};
use crate::{
    board::{Color, Position},
    rules::{
        Choice, Deal, DealEnd, Diagram, MoneyHistory, Rules, Seat, Side, Turn, Viewer,
        diagram::{Amount, Pair},
    },
    text_enum,
};

text_enum! {
    /// Result of a deal on the board.
    #[derive(utoipa::ToSchema)]
    pub enum DealVerdict {
        White = "white": "White won",
        Black = "black": "Black won",
        Draw = "draw": "a draw",
        Void = "void": "no result, because there were no stakes",
    }
}

/// One settled deal of the match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct SettledDeal {
    /// The bids on White, if they were opened.
    #[schema(inline)]
    pub bids: Option<Pair<u8>>,
    /// The seat that played White, if that was decided.
    pub white: Option<Seat>,
    /// Result of the deal on the board.
    pub verdict: DealVerdict,
    /// The reason of the verdict.
    pub reason: &'static str,
    /// The stakes had grown.
    pub grown: bool,
    /// Points of both seats.
    #[schema(inline)]
    pub points: Pair<Amount>,
    /// Points of each seat for a win, where there were stakes.
    #[serde(skip)]
    #[schema(inline)]
    pub stakes: Option<Pair<Amount>>,
    /// Code of the whole board, if it was dealt.
    pub code: Option<String>,
}

/// View of a Bookie match.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    diagram: Diagram,
    /// Number of the current deal, from 1.
    pub deal: usize,
    /// Number of deals in the match.
    pub deals: i64,
    /// The position was known before the bids, because it came from a code.
    pub known: bool,
    /// The options in words, one sentence each.
    pub agreed: Vec<String>,
    /// Equal bids that were discarded in this deal.
    pub tied: Vec<u8>,
    /// Both bids on White, once they are open.
    #[schema(inline)]
    pub bids: Option<Pair<u8>>,
    /// The side that moves first, once it is known.
    pub first: Option<Side>,
    /// Points of each seat for a win at the current stakes, once the colours are known.
    #[schema(inline)]
    pub stakes: Option<Pair<Amount>>,
    /// Points of each seat for a draw.
    #[schema(inline)]
    pub draw: Option<Pair<Amount>>,
    /// The stakes have grown.
    pub grown: bool,
    /// The 64 characters of the whole board, once it is dealt.
    pub code: Option<String>,
    /// The bids are open, and no move has been played since.
    #[serde(skip)]
    pub opened: bool,
    /// The settled deals.
    pub account: Vec<SettledDeal>,
    /// Points of both seats so far.
    #[schema(inline)]
    pub points: Pair<Amount>,
    /// The side to move may claim a draw.
    pub claimable: bool,
}

impl AsRef<Diagram> for View {
    fn as_ref(&self) -> &Diagram {
        &self.diagram
    }
}

impl AsMut<Diagram> for View {
    fn as_mut(&mut self) -> &mut Diagram {
        &mut self.diagram
    }
}

/// The seat that is to move on the board.
pub(super) fn mover(round: &Round) -> Seat {
    match (&round.history, &round.wager) {
        (Some(course), Some(wager)) => wager.seat(course.position.turn),
        (Some(_) | None, _) => Seat::One,
    }
}

fn amounts(points: [Ratio<i64>; 2]) -> Pair<Amount> {
    points.map(Amount).into()
}

/// Points of each seat for a win of a deal at its stakes.
fn gains(round: &Round, options: &Options) -> Option<Pair<Amount>> {
    let wager = round.wager?;
    let [white, black] = Color::BOTH.map(|color| wager.score(options, round.stakes, Verdict::Win(color)));
    Some(amounts([white[0] + black[0], white[1] + black[1]]))
}

/// A deal as the move list of the match shows it.
fn deal(round: &Round, options: &Options) -> Deal {
    let won = |settled: &DealResult| match (settled.verdict, &round.wager) {
        (Some(Verdict::Win(color)), Some(wager)) => Some(wager.seat(color)),
        (Some(Verdict::Draw), Some(wager)) if options.black_wins_draws => Some(wager.seat(Color::Black)),
        (Some(Verdict::Win(_) | Verdict::Draw) | None, _) => None,
    };
    let end = |settled: &DealResult| DealEnd {
        ply: settled.ply,
        winner: won(settled),
        void: settled.verdict.is_none(),
        drawn: settled.verdict == Some(Verdict::Draw),
        reason: settled.reason,
        points: amounts(settled.points),
    };
    Deal { colors: colors(round), end: round.settled.as_ref().map(end), tags: tags(round) }
}

/// The colours of the seats, once they are decided.
fn colors(round: &Round) -> Option<Pair<Side>> {
    round.wager.map(|wager| Seat::BOTH.map(|seat| Side::from(wager.color(seat))).into())
}

/// The final position of the previous deal, until the players act in the new one.
fn ended(state: &State) -> Option<Box<Diagram>> {
    let (round, before) = (state.round(), state.rounds.len().checked_sub(2)?);
    let silent = state.outcome.is_none() && round.tied.is_empty() && round.bids.is_none();
    silent.then(|| Box::new(diagram(&state.rounds[before])))
}

fn line(round: &Round, options: &Options) -> Option<SettledDeal> {
    let settled = round.settled.as_ref()?;
    Some(SettledDeal {
        bids: bids(round),
        white: round.wager.map(|wager| wager.seat(Color::White)),
        verdict: match settled.verdict {
            Some(Verdict::Win(Color::White)) => DealVerdict::White,
            Some(Verdict::Win(Color::Black)) => DealVerdict::Black,
            Some(Verdict::Draw) => DealVerdict::Draw,
            None => DealVerdict::Void,
        },
        reason: settled.reason,
        grown: round.stakes == Stakes::Grown,
        points: amounts(settled.points),
        stakes: gains(round, options),
        code: round.code.map(|code| code.to_string()),
    })
}

fn bids(round: &Round) -> Option<Pair<u8>> {
    round.bids.map(|bids| Seat::BOTH.map(|seat| bids.of(seat).on(Color::White)).into())
}

impl View {
    /// The view for a viewer.
    pub(super) fn of(rules: &Bookie, state: &State, viewer: Viewer) -> View {
        let (round, options) = (state.round(), &state.terms.agreed);
        let mut diagram = diagram(round);
        diagram.sheet = Arc::new(state.sheet.clone());
        diagram.choices = viewer.and_then(|seat| choices(rules, state, seat));
        diagram.tags = tags(round);
        let gain = |verdict| round.wager.map(|wager| wager.score(options, round.stakes, verdict));
        let account: Vec<_> = state.rounds.iter().filter_map(|round| line(round, options)).collect();
        diagram.deals = state.rounds.iter().map(|round| deal(round, options)).collect();
        diagram.ended = ended(state);
        if state.outcome.is_some() && account.len() > 1 {
            diagram.fortunes = Some(running(&account));
        }
        View {
            diagram,
            deal: state.rounds.len(),
            deals: rules.deals,
            known: !rules.code.is_empty(),
            agreed: options.words(),
            tied: round.tied.iter().map(|bid| bid.on(Color::White)).collect(),
            bids: bids(round),
            first: round.first.map(Side::from),
            stakes: gains(round, options),
            draw: gain(Verdict::Draw).map(amounts),
            grown: round.stakes == Stakes::Grown,
            code: round.code.map(|code| code.to_string()),
            account,
            opened: round.bids.is_some() && round.settled.is_none() && played(round) == 0,
            points: amounts(state.points()),
            claimable: state.outcome.is_none()
                && round.history.as_ref().is_some_and(|course| state.terms.endings.claim(course).is_ok()),
        }
    }

    /// An amount for display: `17.5`, or a fraction where the decimals do not terminate.
    pub fn written(&self, exact: &Amount) -> String {
        amount(&exact.0)
    }

    /// Points of both seats after each deal.
    pub fn running(&self) -> MoneyHistory {
        running(&self.account)
    }

    /// The bid on Black that goes with a bid on White.
    pub fn rest(&self, bid: &u8) -> u8 {
        100 - *bid
    }
}

/// Number of moves played in a deal.
fn played(round: &Round) -> usize {
    round.history.as_ref().map_or(0, |course| course.played.len())
}

/// Running totals of the points after each deal.
fn running(account: &[SettledDeal]) -> MoneyHistory {
    let mut sums = [Ratio::ZERO; 2];
    let mut turns = vec![amounts(sums)];
    for line in account {
        sums = [sums[0] + line.points.one.0, sums[1] + line.points.two.0];
        turns.push(amounts(sums));
    }
    MoneyHistory { unit: "points", turns }
}

/// The board as far as it is dealt. The colours of the seats are included once they are decided.
fn diagram(round: &Round) -> Diagram {
    let drawn = match (&round.history, &round.wager, &round.officers) {
        (Some(course), Some(wager), _) => course.diagram(board(), |color| wager.seat(color)),
        (Some(_) | None, _, Some(officers)) => Diagram::of(board(), officers),
        (Some(_) | None, _, None) => Diagram { fen: None, ..Diagram::of(board(), &Position::EMPTY) },
    };
    Diagram { colors: colors(round), ..drawn }
}

/// Actions of a seat to choose from, where they can be listed.
fn choices(rules: &Bookie, state: &State, seat: Seat) -> Option<Vec<Choice>> {
    let (asked, round) = (rules.turn(state), state.round());
    if asked != Turn::One(seat) && asked != Turn::Both {
        return None;
    }
    match round.stage {
        Stage::Play => round.history.as_ref().map(|course| course.choices(board())),
        Stage::Decide => {
            Some([Decision::Play, Decision::Concede].map(|decision| Choice::word(decision.to_string())).into())
        }
        Stage::Officers | Stage::Bid | Stage::Colors | Stage::First | Stage::Deal => None,
    }
}

/// PGN tags of the shown deal.
fn tags(round: &Round) -> Vec<(&'static str, String)> {
    // After the deal the game is chess from a position, which every chess program can read.
    let mut tags = vec![("Match", "Bookie".to_owned())];
    if let Some(course) = &round.history {
        tags.extend([("SetUp", "1".to_owned()), ("FEN", board().fen(&course.start))]);
    }
    if let Some(wager) = &round.wager {
        let bid = |color| wager.bids().of(wager.seat(color)).to_string();
        tags.extend([("WhiteOwnerBidOnWhite", bid(Color::White)), ("BlackOwnerBidOnWhite", bid(Color::Black))]);
    }
    tags
}
