//! Guesses in Clairvoyant Chess: the one that earns most on average, if every turn that may be played is as likely as any other.

use num_rational::Ratio;
use rand::{RngExt, rngs::StdRng};

use super::{Dealt, Offered, Reason, Scene, game, word};
use crate::{
    board::Color,
    rules::{BotSupport, ChoiceKind, Input, Prospect},
    variants::clairvoyant::{Clairvoyant, Phase, State},
};

/// The longest game that is looked through, in steps.
const LONGEST: usize = 240;
/// The steps before a position is looked at.
const OPENING: usize = 12;
/// The fewest turns and the most.
const TURNS: std::ops::RangeInclusive<usize> = 4..=14;
/// The most lines of an explanation.
const LINES: usize = 8;

/// A guess with its average.
struct Weighed {
    text: String,
    words: String,
    /// The pay of each turn that makes it right.
    pays: Vec<i64>,
    mean: Ratio<i64>,
}

/// A moment in which one guess is better than all others, and not by far. In every other one a check is to be met.
pub(super) fn find(rng: &mut StdRng, check: bool) -> Option<Dealt> {
    let rules = Clairvoyant::default();
    let wait = OPENING + rng.random_range(0..LONGEST / 2);
    let (state, turns, weighed) = game::found(&rules, LONGEST, rng, |state| {
        if state.steps < wait || state.phase != Phase::Both || in_check(state) != check {
            return None;
        }
        let (turns, weighed) = weigh(&rules, state)?;
        let [best, second, ..] = &weighed[..] else { return None };
        let close = best.mean > second.mean && second.mean * 3 >= best.mean * 2;
        close.then(|| (state.clone(), turns, weighed))
    })?;
    let solution = weighed[0].text.clone();
    let reasons = weighed.iter().take(LINES).map(|guess| Reason {
        what: guess.words.split(':').next().unwrap_or_default().to_owned(),
        then: average(guess, turns),
        right: guess.text == solution,
    });
    let reasons = reasons.collect();
    let mut offered: Vec<Offered> =
        weighed.into_iter().map(|guess| Offered { text: guess.text, words: guess.words.replace(": ", ", ") }).collect();
    offered.sort_by(|a, b| a.text.cmp(&b.text));
    let side = state.guesser().color();
    Some(Dealt { scene: Scene::Clairvoyant(Box::new(state)), side, offered, solution, reasons })
}

fn in_check(state: &State) -> bool {
    crate::board::Board::orthodox().in_check(&state.position, state.position.turn)
}

/// The number of turns, and every guess that can be right, the best first. Nothing where something could be bought, a pawn can become
/// several pieces, or there are too many turns to count.
fn weigh(rules: &Clairvoyant, state: &State) -> Option<(usize, Vec<Weighed>)> {
    if state.trial().left() >= state.terms.costs.cheapest() || state.free_moves().len() > *TURNS.end() {
        return None;
    }
    let guesser = state.guesser();
    let Some(Prospect::Foresight(foresight)) = rules.prospect(state, guesser) else { return None };
    let turns = foresight.turns.len();
    let promotes = state.free_moves().iter().any(|mv| mv.promotion.is_some());
    if promotes || !TURNS.contains(&turns) {
        return None;
    }
    let sheet = rules.draft(state, guesser, "guess")?;
    let choices = sheet.as_ref().choices.as_ref()?;
    let mut weighed = Vec::new();
    for (number, text) in foresight.guesses.iter().enumerate() {
        let right = foresight.turns.iter().flat_map(|turn| &turn.right).filter(|(guess, _)| *guess == number);
        let pays: Vec<i64> = right.map(|(_, pay)| *pay).collect();
        let choice = choices.iter().find(|choice| choice.action == *text)?;
        if !matches!(choice.kind, ChoiceKind::Move { .. }) {
            return None;
        }
        let mean = Ratio::new(pays.iter().sum(), turns as i64);
        weighed.push(Weighed { text: text.clone(), words: choice.label.clone(), pays, mean });
    }
    weighed.sort_by(|a, b| b.mean.cmp(&a.mean).then(a.text.cmp(&b.text)));
    Some((turns, weighed))
}

/// `12Z in 3 of 7 turns, 36/7Z on average`.
fn average(guess: &Weighed, turns: usize) -> String {
    let mut parts: Vec<(i64, usize)> = Vec::new();
    for pay in &guess.pays {
        match parts.iter_mut().find(|(known, _)| known == pay) {
            Some((_, times)) => *times += 1,
            None => parts.push((*pay, 1)),
        }
    }
    let parts: Vec<String> = parts.iter().map(|(pay, times)| format!("{pay}Z in {times} of {turns} turns")).collect();
    format!("{}: {}Z on average", parts.join(", "), guess.mean)
}

/// What is to be found, and what is assumed.
pub(super) fn task(side: Color) -> String {
    let (side, other) = (word(side), word(!side));
    format!(
        "{other} can buy nothing, and plays any turn as likely as any other. Which guess earns {side} the most on average?"
    )
}
