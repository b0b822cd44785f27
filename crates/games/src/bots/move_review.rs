//! Reviews a state of a finished game: estimated winning chances, and better actions. Uses the bots' searches without noise and
//! with node limits only, so that the results are reproducible.

use rand::{SeedableRng, rngs::StdRng};

use super::{
    auction_bot, bet_bot,
    chess_tree::ChessTree,
    cube_tree::CubeTree,
    duck_tree, economy_tree,
    game_tree::Tree,
    guess_bot,
    search::{Search, SearchLimits},
};
use crate::{
    board::Color,
    rules::{
        Actor, SearchProblem, Seat, Turn,
        any_game::{AnyAction, AnyGame},
        search_problem::Role,
    },
};

/// Seed for redealing hidden information.
const SEED: u64 = 1;

/// Review of a state.
#[derive(Clone, Debug)]
pub struct PositionReview {
    /// Seat one's winning chance from 0 to 1, if a search can estimate it.
    pub chance: Option<f64>,
    /// Better action for each seat, seat one first, if there is one.
    pub better: [Option<BestAction>; 2],
}

/// A better action than the one played.
#[derive(Clone, Debug)]
pub struct BestAction {
    /// The action.
    pub action: AnyAction,
    /// Loss of winning chance, if it can be known before the following step.
    pub lost: Option<f64>,
}

/// Review of one seat's decision.
#[derive(Default)]
struct SeatReview {
    /// The seat's winning chance.
    chance: Option<f64>,
    /// Text of the best action.
    text: Option<String>,
    lost: Option<f64>,
}

/// Search limits without noise.
const fn effort(depth: i32, nodes: u64) -> SearchLimits {
    SearchLimits { depth, nodes, noise: 0, seed: 0 }
}

/// Limits for a move on a board.
const MOVES: SearchLimits = effort(24, 20_000);
/// Limits for an auction or a coin toss.
const AUCTION: SearchLimits = effort(3, 4_000);
/// Limits for bids on hidden boards: forty deals.
const BET: SearchLimits = effort(6, 100_000);
/// Limits for a game in which pieces are bought.
const ECONOMY: SearchLimits = effort(16, 12_000);
/// Limits for guessed turns.
const FORESIGHT: SearchLimits = effort(16, 36_000);

/// Reviews the actions of seat one and seat two in a state.
pub fn judge(game: &dyn AnyGame, said: [Option<&AnyAction>; 2]) -> PositionReview {
    let mut judgement = PositionReview { chance: None, better: [None, None] };
    let (asked, chance_speaks): (&[Seat], bool) = match game.turn() {
        Turn::One(Seat::One) => (&[Seat::One], false),
        Turn::One(Seat::Two) => (&[Seat::Two], false),
        Turn::Both => (&Seat::BOTH, false),
        Turn::Chance => (&[Seat::One], true),
        Turn::Over(outcome) => {
            judgement.chance = match outcome.points() {
                [one, two] if one == two && one == num_rational::Ratio::ZERO => None,
                [one, _] => Some(*one.numer() as f64 / *one.denom() as f64),
            };
            return judgement;
        }
    };
    let texts = said.map(|action| action.map(ToString::to_string));
    for seat in asked.iter().copied() {
        let known = game.redeal(seat, &mut StdRng::seed_from_u64(SEED));
        let weighed = match known.search_problem(seat) {
            Some(prospect @ SearchProblem::Auction(..)) => weigh(&prospect, seat, &texts),
            Some(prospect) if !chance_speaks => weigh(&prospect, seat, &texts),
            Some(_) | None => continue,
        };
        let of_one = |chance: f64| if seat == Seat::One { chance } else { 1.0 - chance };
        judgement.chance = judgement.chance.or(weighed.chance.map(of_one));
        let action = weighed.text.and_then(|text| game.parse(&text).ok());
        let fits = |action: &AnyAction| {
            said[seat.index()].is_some_and(|said| said != action) && known.check(Actor::Seat(seat), action).is_ok()
        };
        let lost = weighed.lost;
        judgement.better[seat.index()] = action.filter(fits).map(|action| BestAction { action, lost });
    }
    judgement
}

/// Reviews a decision. `said` are the actions of both seats.
fn weigh(prospect: &SearchProblem, seat: Seat, said: &[Option<String>; 2]) -> SeatReview {
    let own = said[seat.index()].as_deref();
    match prospect {
        SearchProblem::Moves(contest) => {
            let (arena, moment, before) = ChessTree::of(contest);
            let found = Search::new(&arena, MOVES, before, &mut || false).rated(&moment);
            let score = found.as_ref().map_or_else(|| arena.stuck(&moment), |found| found.score);
            let score = arena.verdict(&moment).unwrap_or(score);
            let text = found.map(|found| contest.board.uci(found.mv).to_string());
            SeatReview { chance: Some(bet_bot::chance(score)), text, lost: None }
        }
        SearchProblem::Cube(cube) => {
            let (tree, before) = CubeTree::of(cube);
            let found = Search::new(&tree, MOVES, before, &mut || false).rated(&cube.position);
            let score = found.as_ref().map_or_else(|| tree.stuck(&cube.position), |found| found.score);
            let score = tree.verdict(&cube.position).unwrap_or(score);
            SeatReview {
                chance: Some(bet_bot::chance(score)),
                text: found.map(|found| found.mv.to_string()),
                lost: None,
            }
        }
        SearchProblem::Duck(contest) => {
            let (text, score) = duck_tree::turn(contest, MOVES, &mut || false).unzip();
            SeatReview { chance: score.map(bet_bot::chance), text, lost: None }
        }
        SearchProblem::Word(_) => SeatReview::default(),
        SearchProblem::Auction(base, moment) => {
            let (white, [one, two]) = auction_bot::appraise(*base, moment, AUCTION);
            let (chance, text) = match seat.color() {
                Color::White => (white, one),
                Color::Black => (1.0 - white, two),
            };
            SeatReview { chance: Some(chance), text, lost: None }
        }
        SearchProblem::Bet(bet) => {
            let bids = said.each_ref().map(|said| said.as_deref()?.strip_prefix("bid ")?.parse().ok());
            let both = bids[0].zip(bids[1]).map(|(one, two)| [one, two]);
            let (text, lost) = bet_bot::compare(bet, BET, &mut StdRng::seed_from_u64(SEED), both);
            SeatReview { chance: None, text: Some(text), lost: lost.map(|lost| lost[seat.index()]) }
        }
        SearchProblem::Double(double) => {
            let (chance, gain) = bet_bot::outlook(double, MOVES, &mut || false);
            let all = double.stakes.iter().sum::<i64>().max(1) as f64;
            let text = if gain > 0.0 { "play" } else { "concede" }.to_owned();
            SeatReview { chance: Some(chance), text: Some(text), lost: Some(gain.abs() / all) }
        }
        SearchProblem::Economy(economy) => {
            let (text, score) = economy_tree::rated(economy, ECONOMY).unzip();
            SeatReview { chance: score.map(bet_bot::chance), text, lost: None }
        }
        SearchProblem::Foresight(foresight) => match guess_bot::appraise(foresight, FORESIGHT, own) {
            Some(appraisal) => {
                let chance = bet_bot::chance(appraisal.worth);
                let fallen = |lost: i32| chance - bet_bot::chance(appraisal.worth - lost.max(0));
                // Between a turn and its answer the guesses are not paid yet, so the chance would favour the mover.
                let known = !matches!(foresight.role, Role::Answer { .. });
                let lost = appraisal.lost.map(fallen);
                SeatReview { chance: known.then_some(chance), text: Some(appraisal.text), lost }
            }
            None => SeatReview::default(),
        },
    }
}
