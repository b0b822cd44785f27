//! Turns that the other side guesses for money: which to play, what to guess, and when to force another one.

use rand::{Rng, RngExt};

use super::{
    contest::Arena,
    matrix::{Habits, Row, habits},
    search::{Effort, Search},
    tree::Tree,
};
use crate::{
    board::{Board, Position},
    rules::prospect::{Aim, Foreseen, Foresight, Role},
};

/// The worth of a zorkmid, in hundredths of a pawn: a queen costs twenty-five, and a move.
const ZORKMID: i32 = 28;
/// No turn is better or worse than this: what looks like mate can be bought off.
const MOST: i32 = 4_000;
/// A turn that is so much worse than the best is not thought of.
const WORSE: i32 = 700;
/// The turns that are looked at more closely.
const CLOSER: usize = 24;
/// The moments that all turns together are looked at for at first, at most.
const GLANCE: u64 = 200_000;
/// The moments that one turn is looked at for.
const NODES: u64 = 6_000;
/// How much worse a turn is that people play half as often as the best.
const TEMPER: f64 = 60.0;
/// A turn or guess that is chosen less often than this is not chosen.
const RARE: f64 = 0.04;
/// The least that must be gained by forcing another turn, beyond its price.
const NUISANCE: i32 = 60;

/// Finds what to say.
pub(super) fn word(
    foresight: &Foresight,
    effort: Effort,
    rng: &mut dyn Rng,
    enough: &mut dyn FnMut() -> bool,
) -> Option<String> {
    let arena = Arena::new(Board::orthodox(), Aim::Mate, None);
    let mut rating = Rating { arena: &arena, effort, before: keys(&arena, &foresight.before), enough };
    match &foresight.role {
        Role::Move => {
            let rated = rating.turns(&foresight.turns);
            let rows = rows(foresight, &rated);
            let shares = habits(&rows, foresight.guesses.len()).turns;
            let (turn, _) = rated.get(drawn(&shares, rng)?)?;
            Some(turn.text.clone())
        }
        Role::Guess => {
            let rated = rating.turns(&foresight.turns);
            Some(sheet(foresight, &rated, rng))
        }
        Role::Answer { after, price } => {
            let now = rating.one(after);
            let first = |turn: &Foreseen| turn.after.same_placement(after);
            let others: Vec<Foreseen> = foresight.turns.iter().filter(|turn| !first(turn)).cloned().collect();
            let best = rating.turns(&others).first().map(|(_, score)| *score);
            let forces =
                price.zip(best).is_some_and(|(price, best)| now - best > ZORKMID * price.min(1_000) as i32 + NUISANCE);
            Some(if forces { "retract" } else { "accept" }.to_owned())
        }
    }
}

/// A look at a decision after it was made. Worths are in hundredths of a pawn.
pub(super) struct Appraisal {
    /// The worth of the moment to the side that decides.
    pub(super) worth: i32,
    /// What pays most on average.
    pub(super) text: String,
    /// How much less is to be expected of what was said, if that can be told.
    pub(super) lost: Option<i32>,
}

/// The worth of a moment to the side that moves: the best turn, less half of what it is expected to pay for being guessed. The other side
/// pays as much in its own turn, and so on; so much is left of a sum that is taken and given for ever.
fn halfway(rated: &[(&Foreseen, i32)], expected: &[f64]) -> i32 {
    let best = rated.iter().map(|(_, score)| *score).max().unwrap_or(0);
    let guessed = expected.iter().copied().reduce(f64::max).unwrap_or(0.0).round() as i32;
    (best + guessed) / 2
}

/// What each turn is worth against the usual guesses.
fn expected(rows: &[Row], habits: &Habits) -> Vec<f64> {
    let paid = |row: &Row| row.right.iter().map(|(number, gain)| gain * habits.guesses[*number]).sum::<f64>();
    rows.iter().map(|row| row.worth - paid(row)).collect()
}

/// A turn without what is said before it: that the record is opened, and what is laid by.
fn bare(said: &str) -> &str {
    let turn = said.strip_prefix("disclose ").unwrap_or(said);
    turn.strip_prefix("lock ").and_then(|locked| locked.split_once(' ')).map_or(turn, |(_, turn)| turn)
}

/// Weighs what was said against what pays most on average.
pub(super) fn appraise(foresight: &Foresight, effort: Effort, said: Option<&str>) -> Option<Appraisal> {
    let (arena, mut never) = (Arena::new(Board::orthodox(), Aim::Mate, None), || false);
    let mut rating = Rating { arena: &arena, effort, before: keys(&arena, &foresight.before), enough: &mut never };
    let [own, other] = foresight.purses.map(|purse| purse.clamp(-1_000, 1_000) as i32);
    let purses = ZORKMID * (own - other);
    match &foresight.role {
        Role::Move => {
            let mut rated = rating.turns(&foresight.turns);
            // What was played may be none of the turns that are worth a thought.
            let is = |turn: &Foreseen| said.map(bare) == Some(turn.text.as_str());
            if let Some(turn) = foresight.turns.iter().find(|turn| is(turn))
                && !rated.iter().any(|(known, _)| is(known))
            {
                let score = rating.one(&turn.after) - ZORKMID * turn.price.min(1_000) as i32;
                rated.push((turn, score));
            }
            let rows = rows(foresight, &rated);
            let expected = expected(&rows, &habits(&rows, foresight.guesses.len()));
            let best = (0..rated.len()).max_by(|a, b| expected[*a].total_cmp(&expected[*b]))?;
            let played = (0..rated.len()).find(|index| is(rated[*index].0));
            Some(Appraisal {
                worth: halfway(&rated, &expected) + purses,
                text: rated[best].0.text.clone(),
                lost: played.map(|played| (expected[best] - expected[played]).round() as i32),
            })
        }
        Role::Guess => {
            let rated = rating.turns(&foresight.turns);
            let rows = rows(foresight, &rated);
            let habits = habits(&rows, foresight.guesses.len());
            let (expected, played) = (expected(&rows, &habits), habits.turns);
            let mut pays = vec![0.0; foresight.guesses.len()];
            for ((turn, _), share) in rated.iter().zip(&played) {
                for (number, pay) in &turn.right {
                    pays[*number] += share * f64::from(ZORKMID) * *pay as f64;
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
            let now = rating.one(after);
            let others: Vec<Foreseen> =
                foresight.turns.iter().filter(|turn| !turn.after.same_placement(after)).cloned().collect();
            let best = rating.turns(&others).first().map(|(_, score)| *score);
            let forced = price.zip(best).map(|(price, best)| best + ZORKMID * price.min(1_000) as i32);
            let forces = forced.is_some_and(|forced| now > forced);
            let did = said.is_some_and(|said| said.ends_with("retract"));
            Some(Appraisal {
                worth: -forced.map_or(now, |forced| now.min(forced)) - purses,
                text: if forces { "retract" } else { "accept" }.to_owned(),
                lost: forced.map(|forced| if forces == did { 0 } else { (now - forced).abs() }),
            })
        }
    }
}

/// The most that guesses about some turns can pay, on a full sheet.
fn sheet(foresight: &Foresight, rated: &[(&Foreseen, i32)], rng: &mut dyn Rng) -> String {
    let rows = rows(foresight, rated);
    let habits = habits(&rows, foresight.guesses.len()).turns;
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

/// The turns as the mover and the guesser weigh them.
fn rows(foresight: &Foresight, rated: &[(&Foreseen, i32)]) -> Vec<Row> {
    let slots = foresight.slots as f64;
    let gain = |pay: i64| slots * f64::from(ZORKMID) * pay as f64;
    rated
        .iter()
        .map(|(turn, score)| Row {
            worth: f64::from(*score),
            right: turn.right.iter().map(|(number, pay)| (*number, gain(*pay))).collect(),
        })
        .collect()
}

/// One of several by chance, as often as its share says; what is rare is never drawn.
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

fn keys(arena: &Arena<'_>, before: &[Position]) -> Vec<u64> {
    before.iter().map(|position| arena.key(&arena.moment(position))).collect()
}

/// The rating of turns, for the side that plays them.
struct Rating<'a> {
    arena: &'a Arena<'a>,
    effort: Effort,
    before: Vec<u64>,
    enough: &'a mut dyn FnMut() -> bool,
}

impl Rating<'_> {
    /// The best turns with their scores, the best first.
    fn turns<'t>(&mut self, turns: &'t [Foreseen]) -> Vec<(&'t Foreseen, i32)> {
        let cost = |turn: &Foreseen| ZORKMID * turn.price.min(1_000) as i32;
        let mut rated: Vec<(&Foreseen, i32)> = Vec::with_capacity(turns.len());
        let (glance, mut never) = (Effort { nodes: GLANCE, ..self.effort }, || false);
        let mut search = Search::new(self.arena, glance, Vec::new(), &mut never);
        for turn in turns {
            let score = search.calm(&self.arena.moment(&turn.after));
            rated.push((turn, (-score).clamp(-MOST, MOST) - cost(turn)));
        }
        rated.sort_by_key(|(_, score)| -score);
        rated.truncate(CLOSER);
        if self.effort.depth > 1 {
            for (turn, score) in &mut rated {
                *score = self.one(&turn.after) - cost(turn);
            }
            rated.sort_by_key(|(_, score)| -score);
        }
        let best = rated.first().map_or(0, |(_, score)| *score);
        rated.retain(|(_, score)| *score >= best - WORSE);
        rated
    }

    /// The score of a turn that leads here.
    fn one(&mut self, after: &Position) -> i32 {
        let nodes = (self.effort.nodes / CLOSER as u64).min(NODES);
        let effort = Effort { depth: self.effort.depth - 1, nodes, ..self.effort };
        let moment = self.arena.moment(after);
        let found = Search::new(self.arena, effort, self.before.clone(), self.enough).rated(&moment);
        let score = found.map_or_else(|| self.arena.stuck(&moment), |found| found.score);
        (-score).clamp(-MOST, MOST)
    }
}
