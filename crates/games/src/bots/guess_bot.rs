//! Bot for turns that the opponent guesses for money: chooses turns, guesses and retractions.

mod rating;

use rand::{Rng, RngExt};

use super::{
    chess_tree::ChessTree,
    matrix_game::{MixedStrategy, Row, equilibrium},
    search::SearchLimits,
};
use crate::{
    board::{Board, Position},
    rules::search_problem::{Aim, CandidateTurn, GuessProblem, ReplyState, Role},
};
use rating::{Money, Rating};

/// Loss in hundredths of a pawn that halves the assumed frequency of a turn.
const TEMPER: f64 = 60.0;
/// Share below which a turn or guess is never chosen.
const RARE: f64 = 0.04;
/// Least gain beyond its price for which a retraction is worthwhile.
const NUISANCE: i32 = 60;

/// Chooses an action.
pub(super) fn choose_action(
    foresight: &GuessProblem,
    effort: SearchLimits,
    rng: &mut dyn Rng,
    enough: &mut dyn FnMut() -> bool,
) -> Option<String> {
    let arena = ChessTree::new(Board::orthodox(), Aim::Mate, None);
    let mut rating = Rating::new(&arena, effort, foresight, enough);
    match &foresight.role {
        Role::Move => {
            let rated = rating.turns(foresight.turns.iter());
            let rows = rows(rating.money, foresight, &rated);
            let shares = equilibrium(&rows, foresight.guesses.len()).turns;
            let (turn, _) = rated.get(drawn(&shares, rng)?)?;
            Some(turn.text.clone())
        }
        Role::Guess => {
            let rated = rating.turns(foresight.turns.iter());
            Some(sheet(rating.money, foresight, &rated, rng))
        }
        Role::Answer { after, price } => {
            let forces = forced(&mut rating, foresight, after, *price).is_some_and(|gain| gain > NUISANCE);
            Some(if forces { "retract" } else { "accept" }.to_owned())
        }
    }
}

/// Whether the side to move has a turn that is worth more than a draw.
pub(super) fn ahead(foresight: &GuessProblem, effort: SearchLimits, enough: &mut dyn FnMut() -> bool) -> bool {
    let arena = ChessTree::new(Board::orthodox(), Aim::Mate, None);
    Rating::new(&arena, effort, foresight, enough).ahead(foresight.turns.iter())
}

/// Review of a decision. Values are in hundredths of a pawn.
pub(super) struct Appraisal {
    /// Value of the state for the deciding side.
    pub(super) worth: i32,
    /// Action with the highest expected value.
    pub(super) text: String,
    /// Expected loss of the chosen action, if it can be estimated.
    pub(super) lost: Option<i32>,
}

/// Value of a state for the mover: the average of the best turn's value with and without the expected payment for correct
/// guesses. The sides pay each other in alternate turns, so half of the payment remains in the long run.
fn halfway(rated: &[(&CandidateTurn, i32)], expected: &[f64]) -> i32 {
    let best = rated.iter().map(|(_, score)| *score).max().unwrap_or(0);
    let guessed = expected.iter().copied().reduce(f64::max).unwrap_or(0.0).round() as i32;
    (best + guessed) / 2
}

/// Expected value of each turn against the equilibrium guesses.
fn expected(rows: &[Row], habits: &MixedStrategy) -> Vec<f64> {
    let paid = |row: &Row| row.right.iter().map(|(number, gain)| gain * habits.guesses[*number]).sum::<f64>();
    rows.iter().map(|row| row.worth - paid(row)).collect()
}

/// The turn in an action, without `disclose` and `lock`.
fn bare(said: &str) -> &str {
    let turn = said.strip_prefix("disclose ").unwrap_or(said);
    turn.strip_prefix("lock ").and_then(|locked| locked.split_once(' ')).map_or(turn, |(_, turn)| turn)
}

/// Compares the chosen action with the one of highest expected value.
pub(super) fn appraise(foresight: &GuessProblem, effort: SearchLimits, said: Option<&str>) -> Option<Appraisal> {
    let (arena, mut never) = (ChessTree::new(Board::orthodox(), Aim::Mate, None), || false);
    let mut rating = Rating::new(&arena, effort, foresight, &mut never);
    let [own, other] = foresight.purses.map(|purse| rating.money.worth(purse));
    let purses = (own - other).round() as i32;
    match &foresight.role {
        Role::Move => {
            let mut rated = rating.turns(foresight.turns.iter());
            // The chosen turn may be missing from the rated ones.
            let is = |turn: &CandidateTurn| said.map(bare) == Some(turn.text.as_str());
            if let Some(turn) = foresight.turns.iter().find(|turn| is(turn))
                && !rated.iter().any(|(known, _)| is(known))
            {
                let score = rating.one(turn);
                rated.push((turn, score));
            }
            let rows = rows(rating.money, foresight, &rated);
            let expected = expected(&rows, &equilibrium(&rows, foresight.guesses.len()));
            let best = (0..rated.len()).max_by(|a, b| expected[*a].total_cmp(&expected[*b]))?;
            let played = (0..rated.len()).find(|index| is(rated[*index].0));
            Some(Appraisal {
                worth: halfway(&rated, &expected) + purses,
                text: rated[best].0.text.clone(),
                lost: played.map(|played| (expected[best] - expected[played]).round() as i32),
            })
        }
        Role::Guess => {
            let rated = rating.turns(foresight.turns.iter());
            let rows = rows(rating.money, foresight, &rated);
            let habits = equilibrium(&rows, foresight.guesses.len());
            let (expected, played) = (expected(&rows, &habits), habits.turns);
            let mut pays = vec![0.0; foresight.guesses.len()];
            for ((turn, _), share) in rated.iter().zip(&played) {
                for (number, pay) in &turn.right {
                    pays[*number] += share * rating.money.earned(foresight.purses[1], *pay);
                }
            }
            let mut order: Vec<usize> = (0..pays.len()).collect();
            order.sort_by(|a, b| pays[*b].total_cmp(&pays[*a]));
            order.truncate(foresight.slots);
            let text = |number: &usize| foresight.guesses[*number].as_str();
            let sheet: Vec<&str> = std::iter::once("guess").chain(order.iter().map(text)).collect();
            let most: f64 = order.iter().map(|number| pays[*number]).sum();
            let pay = |word: &str| foresight.guesses.iter().position(|known| known == word).map_or(0.0, |at| pays[at]);
            let paid = |said: &str| said.split(' ').map(pay).sum::<f64>();
            Some(Appraisal {
                worth: -halfway(&rated, &expected) - purses,
                text: sheet.join(" "),
                lost: said.map(|said| (most - paid(said)).round() as i32),
            })
        }
        Role::Answer { after, price } => {
            let gain = forced(&mut rating, foresight, after, *price);
            let forces = gain.is_some_and(|gain| gain > 0);
            let did = said.is_some_and(|said| said.ends_with("retract"));
            let now = rating.led(foresight, after);
            Some(Appraisal {
                worth: gain.unwrap_or(0).max(0) - now - purses,
                text: if forces { "retract" } else { "accept" }.to_owned(),
                lost: gain.map(|gain| if forces == did { 0 } else { gain.abs() }),
            })
        }
    }
}

/// Net gain of demanding another turn, after its price; `None` if the seat cannot demand one. A mated seat has nothing to lose.
fn forced(rating: &mut Rating<'_>, foresight: &GuessProblem, after: &Position, price: Option<i64>) -> Option<i32> {
    let price = rating.money.paid(foresight.purses[1], price?);
    let begun = |turn: &CandidateTurn| turn.text.split(' ').next().map(str::to_owned);
    let played = foresight.turn_to(after);
    let other = |turn: &&CandidateTurn| played.is_none_or(|played| begun(turn) != begun(played));
    let best = rating.turns(foresight.turns.iter().filter(other)).first().map(|(_, score)| *score)?;
    let gain = rating.led(foresight, after) - best - price;
    let mated = played.is_some_and(|played| played.sequel.leaves == ReplyState::Nothing);
    Some(if mated { gain.max(NUISANCE + 1) } else { gain })
}

/// A full guess sheet with the highest expected payment.
fn sheet(money: Money, foresight: &GuessProblem, rated: &[(&CandidateTurn, i32)], rng: &mut dyn Rng) -> String {
    let rows = rows(money, foresight, rated);
    let habits = equilibrium(&rows, foresight.guesses.len()).turns;
    let best = rated.first().map_or(0, |(_, score)| *score);
    let likely: Vec<f64> = rated.iter().map(|(_, score)| 2f64.powf(f64::from(score - best) / TEMPER)).collect();
    let sum: f64 = likely.iter().sum();
    let mut pays = vec![0.0; foresight.guesses.len()];
    for (((turn, _), likely), share) in rated.iter().zip(&likely).zip(&habits) {
        for (number, pay) in &turn.right {
            pays[*number] += (likely / sum + share) * *pay as f64;
        }
    }
    let most = pays.iter().copied().fold(0.0, f64::max);
    let good: Vec<f64> = pays.iter().map(|pay| if *pay > 0.85 * most { *pay } else { 0.0 }).collect();
    let mut text = "guess".to_owned();
    for _ in 0..foresight.slots {
        if let Some(number) = drawn(&good, rng) {
            text = format!("{text} {}", foresight.guesses[number]);
        }
    }
    text
}

/// The turns as rows of the matrix game.
fn rows(money: Money, foresight: &GuessProblem, rated: &[(&CandidateTurn, i32)]) -> Vec<Row> {
    let gain = |pay: i64| money.earned(foresight.purses[1], foresight.slots as i64 * pay);
    rated
        .iter()
        .map(|(turn, score)| Row {
            worth: f64::from(*score),
            right: turn.right.iter().map(|(number, pay)| (*number, gain(*pay))).collect(),
        })
        .collect()
}

/// Draws an index with the given probabilities. Never draws rare ones.
fn drawn(shares: &[f64], rng: &mut dyn Rng) -> Option<usize> {
    let most = shares.iter().copied().fold(0.0, f64::max);
    let share = |share: &f64| if *share < RARE * most { 0.0 } else { *share };
    let mut left = rng.random::<f64>() * shares.iter().map(share).sum::<f64>();
    let mut last = None;
    for (index, given) in shares.iter().enumerate().filter(|(_, given)| share(given) > 0.0) {
        last = Some(index);
        left -= given;
        if left <= 0.0 {
            break;
        }
    }
    last
}
