//! Puzzles of Clairvoyant Chess: the only mating turn that the mover can afford, with a bought second part; and the guess that
//! earns most on average if all possible turns are equally likely.

use num_rational::Ratio;
use rand::{RngExt, rngs::StdRng};

use super::{AnswerChoice, Difficulty, PuzzleContent, Reason, Scene, puzzle_position, word};
use crate::{
    board::{Board, Color, Move, Square},
    rules::{Actor, BotSupport, ChoiceKind, Input, Outcome, Refusal, Rules, SearchProblem, Seat, Step},
    variants::{
        clairvoyant::{Action, Clairvoyant, Part, Phase, Sheet, State, Turn},
        csipgs::price::{Exact, exact_decimal},
    },
};

/// Most steps of a game to look through.
const LONGEST: usize = 240;
/// A king with more escape squares than this is rarely mated.
const FLIGHTS: usize = 2;
/// With more zorkmids the opponent could drop three pieces at once.
const POOR: i64 = 8;
/// Most lines of an explanation about turns that do not mate.
const OTHERS: usize = 5;
/// Most starting money of a player, in zorkmids.
const MONEY: i64 = 6;

/// A position in which exactly one turn mates, and has a price.
pub(super) fn find_mate(rng: &mut StdRng) -> Option<PuzzleContent> {
    let [money_one, money_two] = [(); 2].map(|()| rng.random_range(0..=MONEY));
    let rules = Clairvoyant { money_one, money_two, ..Clairvoyant::default() };
    let (state, turn) = puzzle_position::find_in_game(&rules, LONGEST, rng, |state| {
        let theirs = state.purses[state.guesser().index()];
        let worth_looking = state.phase == Phase::Both
            && theirs <= POOR
            && state.trial().left() >= state.terms.costs.cheapest()
            && flights(state) <= FLIGHTS;
        let mating = if worth_looking { state.mating()? } else { return None };
        match &mating[..] {
            [turn] if turn.parts.len() > 1 => Some((state.clone(), turn.clone())),
            _ => None,
        }
    })?;
    let side = state.mover().color();
    let reasons = reasons(&state, &turn);
    let solution = turn.to_string();
    // The more free moves there are, the more turns must be tried.
    let difficulty = Difficulty::by_distance(-(state.free_moves().len() as i64), -40, -30);
    let scene = Scene::Clairvoyant(Box::new(state));
    Some(PuzzleContent { scene, side, offered: Vec::new(), solution, reasons, difficulty })
}

/// Number of king moves of the side that is not to move.
fn flights(state: &State) -> usize {
    let (board, mut position) = (Board::orthodox(), state.position);
    position.turn = !position.turn;
    let kings = board.royals(&position, position.turn);
    board.moves(&position).iter().filter(|mv| kings.has(mv.from)).count()
}

/// Parses a legal turn, in squares or in algebraic notation.
pub(super) fn read(state: &State, text: &str) -> Result<Turn, Refusal> {
    let action: Action = text.parse().or_else(|wrong| Clairvoyant::default().find(state, text).ok_or(wrong))?;
    let Action::Turn { disclose: false, locks: 0, turn } = &action else {
        return Err(Refusal::new("Enter a turn and nothing else, such as e2e4 d2d4 or P@b7 b7b8q."));
    };
    let seat = state.mover();
    Clairvoyant::default().check(state, Actor::Seat(seat), &action)?;
    Ok(turn.clone())
}

/// A turn in algebraic notation, with its price and its result if nothing is guessed.
pub(super) fn outcome(state: &State, turn: &Turn, right: bool) -> Reason {
    let then = consequence(state, turn);
    let san = state.san(turn);
    let what = if then.ends_with(MATES) { mated(&san) } else { san };
    Reason { what, then, right }
}

/// Checkmate instead of check.
fn mated(san: &str) -> String {
    format!("{}#", san.trim_end_matches('+'))
}

/// End of the consequence of a mating turn.
const MATES: &str = " and mates";

fn consequence(state: &State, turn: &Turn) -> String {
    let price = state.trial().play(turn).map_or(0, |played| played.price);
    let costs = if price == 0 { "is free".to_owned() } else { format!("costs {price}Z") };
    let (rules, board, other) = (Clairvoyant::default(), Board::orthodox(), word(!state.position.turn));
    let said = Action::Turn { disclose: false, locks: 0, turn: turn.clone() };
    let silent = Action::Guess(Sheet::default());
    let mut after = state.clone();
    rules.apply(
        &mut after,
        Step::Both(match state.mover() {
            Seat::One => [said, silent],
            Seat::Two => [silent, said],
        }),
    );
    match after.outcome {
        Some(Outcome::Win(..)) => return costs + MATES,
        Some(Outcome::Draw(_)) => return format!("{costs} and stalemates {other}"),
        Some(Outcome::Void(_)) | None => {}
    }
    let shown = after.board_position();
    if !board.in_check(shown, !state.position.turn) {
        return format!("{costs} and gives no check");
    }
    let moves = board.moves(shown);
    match (moves.first(), after.rescue()) {
        (Some(mv), _) => format!("{costs}, and {other} replies {}", board.san_among(shown, *mv, &moves)),
        (None, Some(bought)) => format!("{costs}, and {other} can buy {}", after.san(&bought)),
        (None, None) => costs,
    }
}

/// The solution, the free checks, and turns that would mate for more money; if there are none, other free moves.
fn reasons(state: &State, turn: &Turn) -> Vec<Reason> {
    let mut reasons = vec![outcome(state, turn, true)];
    let board = Board::orthodox();
    let (checks, quiet): (Vec<Move>, Vec<Move>) = state.free_moves().into_iter().partition(|mv| {
        let after = board.after(&state.position, *mv);
        board.in_check(&after, after.turn)
    });
    let line = |mv: Move| outcome(state, &Turn { parts: vec![Part::Move(board.uci(mv))] }, false);
    reasons.extend(checks.into_iter().take(OTHERS).map(line));
    let left = (1 + OTHERS).saturating_sub(reasons.len());
    let dear = state.mating_if_rich().into_iter().map(|(turn, price)| Reason {
        what: mated(&state.san(&turn)),
        then: format!("would mate, but costs {price}Z"),
        right: false,
    });
    reasons.extend(dear.take(left));
    if reasons.len() == 1 {
        reasons.extend(quiet.into_iter().take(OTHERS).map(line));
    }
    reasons
}

/// The task, with the money of both sides.
pub(super) fn mate_task(state: &State, side: Color) -> String {
    let [own, theirs] = [side, !side].map(|side| state.purses[Seat::of(side).index()]);
    format!(
        "{} has {own}Z. {} has {theirs}Z and has guessed nothing. Which turn mates at once?",
        word(side),
        word(!side)
    )
}

/// The squares of each part of a turn.
pub(super) fn shown(turn: &str) -> Vec<(Square, Square)> {
    let squares = |part| match part {
        Part::Drop(_, square) => (square, square),
        Part::Move(uci) => (uci.from, uci.to),
    };
    turn.split(' ').filter_map(|part| part.parse().ok()).map(squares).collect()
}

/// Steps before a position can be used.
const OPENING: usize = 12;
/// Allowed number of turns.
const TURNS: std::ops::RangeInclusive<usize> = 4..=14;
/// Most lines of an explanation.
const LINES: usize = 8;

/// A guess with its expected payment.
struct Weighed {
    text: String,
    words: String,
    /// Payment for each turn that makes it correct.
    pays: Vec<i64>,
    mean: Ratio<i64>,
}

/// A position in which one guess is better than all others, but not by far. `check`: the mover must be in check.
pub(super) fn find_guess(rng: &mut StdRng, check: bool) -> Option<PuzzleContent> {
    let rules = Clairvoyant::default();
    let wait = OPENING + rng.random_range(0..LONGEST / 2);
    let (state, turns, weighed) = puzzle_position::find_in_game(&rules, LONGEST, rng, |state| {
        if state.steps < wait || state.phase != Phase::Both || in_check(state) != check {
            return None;
        }
        let (turns, weighed) = weigh(&rules, state)?;
        let [best, second, ..] = &weighed[..] else { return None };
        let close = best.mean > second.mean && second.mean * 3 >= best.mean * 2;
        close.then(|| (state.clone(), turns, weighed))
    })?;
    let solution = weighed[0].text.clone();
    let lead = weighed.get(1).map_or(Ratio::ONE, |second| Ratio::ONE - second.mean / weighed[0].mean);
    let difficulty = Difficulty::by_distance((lead * 100).to_integer(), 10, 20);
    let reasons = weighed.iter().take(LINES).map(|guess| guess.reason(turns, &solution)).collect();
    let mut offered: Vec<AnswerChoice> = weighed
        .into_iter()
        .map(|guess| AnswerChoice { text: guess.text, words: guess.words.replace(": ", ", ") })
        .collect();
    offered.sort_by(|a, b| a.text.cmp(&b.text));
    let side = state.guesser().color();
    let scene = Scene::Clairvoyant(Box::new(state));
    Some(PuzzleContent { scene, side, offered, solution, reasons, difficulty })
}

impl Weighed {
    fn reason(&self, turns: usize, solution: &str) -> Reason {
        let what = self.words.split(':').next().unwrap_or_default().to_owned();
        Reason { what, then: average(self, turns), right: self.text == solution }
    }
}

/// Payment of a wrong guess.
pub(super) fn guess_outcome(state: &State, text: &str) -> Option<Reason> {
    let (turns, weighed) = weigh(&Clairvoyant::default(), state)?;
    Some(weighed.iter().find(|guess| guess.text == text)?.reason(turns, ""))
}

fn in_check(state: &State) -> bool {
    crate::board::Board::orthodox().in_check(&state.position, state.position.turn)
}

/// Number of turns, and all guesses that can be correct, best first. `None` if the mover can buy anything, if a pawn can promote,
/// or if there are too few or too many turns to count.
fn weigh(rules: &Clairvoyant, state: &State) -> Option<(usize, Vec<Weighed>)> {
    if state.trial().left() >= state.terms.costs.cheapest() || state.free_moves().len() > *TURNS.end() {
        return None;
    }
    let guesser = state.guesser();
    let Some(SearchProblem::Foresight(foresight)) = rules.search_problem(state, guesser) else { return None };
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

/// `12Z in 3 of 7 turns: ≈5.143Z on average`.
fn average(guess: &Weighed, turns: usize) -> String {
    let mut parts: Vec<(i64, usize)> = Vec::new();
    for pay in &guess.pays {
        match parts.iter_mut().find(|(known, _)| known == pay) {
            Some((_, times)) => *times += 1,
            None => parts.push((*pay, 1)),
        }
    }
    let parts: Vec<String> = parts.iter().map(|(pay, times)| format!("{pay}Z in {times} of {turns} turns")).collect();
    let mean = Exact::new((*guess.mean.numer()).into(), (*guess.mean.denom()).into());
    format!("{}: {}Z on average", parts.join(", "), exact_decimal(&mean))
}

/// The task, with its assumptions.
pub(super) fn guess_task(side: Color) -> String {
    let (side, other) = (word(side), word(!side));
    format!(
        "{other} cannot buy anything, and all its turns are equally likely. Which guess earns {side} the most on average?"
    )
}
