//! Computer players. A bot sees only a redealt state, so it cannot use information that is hidden from its seat.

mod auction_bot;
mod bet_bot;
mod chess_evaluation;
mod chess_tree;
mod cube_tree;
mod duck_tree;
mod economy_tree;
mod game_tree;
mod guess_bot;
mod level;
mod matrix_game;
mod mobility_evaluation;
mod move_review;
mod piece_square;
mod piece_trial;
mod piece_value;
mod playout;
mod random_turn_evaluation;
mod search;
mod transposition;

use rand::{Rng, RngExt, seq::IndexedRandom};

use crate::rules::{
    Actor, SearchProblem, Seat, Turn,
    any_game::{AnyAction, AnyGame},
};
use game_tree::{DECIDED, WON};
use search::{BestMove, Search, SearchLimits};

pub use level::Bot;
pub use move_review::{BestAction, PositionReview, judge};
pub use piece_trial::{Trial, TrialArmy, TrialSide};
pub use piece_value::{MatchScore, MeasuredAtom, PairedResults, RULER, ValueEstimate, atoms, ruler};

/// Chooses an action for a bot in `seat`, or `None` if the seat is not to act or the bot's search fails. `enough` returns true
/// when the bot must stop thinking.
pub fn choose(
    game: &dyn AnyGame,
    seat: Seat,
    bot: Bot,
    rng: &mut dyn Rng,
    enough: &mut dyn FnMut() -> bool,
) -> Option<AnyAction> {
    let effort = match bot {
        Bot::Random => return playout::legal(game, seat, rng).choose(rng).cloned(),
        Bot::Gambler => return playout::gamble(game, seat, playout::CONTINUATIONS, rng, enough),
        Bot::Newcomer | Bot::Casual | Bot::Steady | Bot::Keen | Bot::Sharp | Bot::Deep => {
            bot.effort(rng.random::<u64>())
        }
    };
    let found = match game.search_problem(seat) {
        Some(SearchProblem::Moves(_)) if game.has_hidden_info() => {
            Some(playout::best_on_average(game, seat, effort, rng, enough))
        }
        Some(prospect) => considered(&prospect, seat, effort, rng, enough).map(|text| game.parse(&text).ok()),
        None if !game.has_hidden_info() && game.turn() == Turn::One(seat) => {
            playout::best_by_search(game, effort, enough).map(Some)
        }
        None => None,
    };
    let allowed = |action: &AnyAction| game.check(Actor::Seat(seat), action).is_ok();
    match found {
        // An illegal action is a bug in the search. It is not replaced by another action here.
        Some(found) => found.filter(allowed),
        None => {
            let trials = usize::try_from(effort.nodes / 16).unwrap_or(usize::MAX);
            playout::gamble(game, seat, trials, rng, enough)
        }
    }
}

/// An iteration of a search.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Depth in plies.
    pub depth: i32,
    /// Number of nodes so far.
    pub nodes: u64,
    /// Score for the side to move.
    pub score: SearchScore,
    /// Text of the best move.
    pub best: String,
}

/// Score of a search for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchScore {
    /// Evaluation in hundredths of a pawn.
    Centipawns(i32),
    /// Number of moves until the game is won; negative if it is lost.
    Win(i32),
}

impl SearchScore {
    fn of(score: i32) -> SearchScore {
        match score.abs() {
            decided if decided > DECIDED => SearchScore::Win(score.signum() * (WON - decided + 1) / 2),
            _ => SearchScore::Centipawns(score),
        }
    }
}

/// Searches for the best move without deliberate errors, and reports the first iteration and every later complete one. Returns the move's
/// text, or `None` if the game is not one of alternating moves without hidden information. The limits are in plies and nodes.
pub fn search(
    game: &dyn AnyGame,
    (depth, nodes): (i32, u64),
    report: &mut dyn FnMut(Iteration),
    enough: &mut dyn FnMut() -> bool,
) -> Option<String> {
    let Turn::One(seat) = game.turn() else { return None };
    let Some(SearchProblem::Moves(contest)) = game.search_problem(seat).filter(|_| !game.has_hidden_info()) else {
        return None;
    };
    let (arena, moment, before) = chess_tree::ChessTree::of(&contest);
    let text = |mv| contest.board.uci(mv).to_string();
    let mut told = |depth, nodes, found: &BestMove<_>| {
        report(Iteration { depth, nodes, score: SearchScore::of(found.score), best: text(found.mv) });
    };
    let effort = SearchLimits { depth, nodes, noise: 0, seed: 0 };
    let found = Search::new(&arena, effort, before, enough).reporting(&mut told).rated(&moment)?;
    Some(text(found.mv))
}

/// Whether a bot claims a draw that it may claim. It does unless its search finds something better than a draw.
pub fn claims(game: &dyn AnyGame, seat: Seat, bot: Bot, rng: &mut dyn Rng, enough: &mut dyn FnMut() -> bool) -> bool {
    match game.search_problem(seat) {
        Some(SearchProblem::Foresight(foresight)) => {
            !guess_bot::ahead(&foresight, bot.effort(rng.random::<u64>()), enough)
        }
        Some(_) | None => true,
    }
}

/// Searches for the best action and returns its text.
fn considered(
    prospect: &SearchProblem,
    seat: Seat,
    effort: SearchLimits,
    rng: &mut dyn Rng,
    enough: &mut dyn FnMut() -> bool,
) -> Option<String> {
    match prospect {
        SearchProblem::Moves(contest) => {
            let (arena, moment, before) = chess_tree::ChessTree::of(contest);
            let found = Search::new(&arena, effort, before, enough).best(&moment)?;
            Some(contest.board.uci(found.mv).to_string())
        }
        SearchProblem::Cube(cube) => {
            let (tree, before) = cube_tree::CubeTree::of(cube);
            let found = Search::new(&tree, effort, before, enough).best(&cube.position)?;
            Some(found.mv.to_string())
        }
        SearchProblem::Duck(contest) => duck_tree::turn(contest, effort, enough).map(|(text, _)| text),
        SearchProblem::Word(text) => Some(text.clone()),
        SearchProblem::Auction(base, moment) => {
            auction_bot::choose_action(*base, moment, seat.color(), effort, rng, enough)
        }
        SearchProblem::Bet(bet) => bet_bot::bid(bet, effort, rng, enough),
        SearchProblem::Double(double) => bet_bot::decision(double, effort, enough),
        SearchProblem::Economy(economy) => economy_tree::best_action(economy, effort, enough),
        SearchProblem::Foresight(foresight) => guess_bot::choose_action(foresight, effort, rng, enough),
    }
}
