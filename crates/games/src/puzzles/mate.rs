//! Mates in Clairvoyant Chess: the one turn that mates with the money that is there, the second part of it bought.

use rand::{RngExt, rngs::StdRng};

use super::{Dealt, Reason, Scene, game, word};
use crate::{
    board::{Board, Color, Square},
    rules::{Actor, Outcome, Refusal, Rules, Seat, Step},
    variants::clairvoyant::{Action, Clairvoyant, Part, Phase, Sheet, State, Turn},
};

/// The longest game that is looked through, in steps.
const LONGEST: usize = 240;
/// A king who could go to more squares than this is seldom mated.
const FLIGHTS: usize = 2;
/// With more zorkmids the other side could drop three pieces at once.
const POOR: i64 = 8;
/// The most lines of an explanation that tell what does not mate.
const OTHERS: usize = 5;
/// The money with which a game may begin, in zorkmids.
const MONEY: i64 = 6;

/// A moment in which exactly one turn mates, and costs something.
pub(super) fn find(rng: &mut StdRng) -> Option<Dealt> {
    let [money_one, money_two] = [(); 2].map(|()| rng.random_range(0..=MONEY));
    let rules = Clairvoyant { money_one, money_two, ..Clairvoyant::default() };
    let (state, turn) = game::found(&rules, LONGEST, rng, |state| {
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
    Some(Dealt { scene: Scene::Clairvoyant(Box::new(state)), side, offered: Vec::new(), solution, reasons })
}

/// The squares to which the king of the side that does not move could go.
fn flights(state: &State) -> usize {
    let (board, mut position) = (Board::orthodox(), state.position);
    position.turn = !position.turn;
    let kings = board.royals(&position, position.turn);
    board.moves(&position).iter().filter(|mv| kings.has(mv.from)).count()
}

/// Reads a turn that may be played in a moment.
pub(super) fn read(state: &State, text: &str) -> Result<Turn, Refusal> {
    let action: Action = text.parse()?;
    let Action::Turn { disclose: false, locks: 0, turn } = &action else {
        return Err(Refusal::new("A turn is wanted, as in e2e4 d2d4 or P@b7 b7b8q, and nothing else."));
    };
    let seat = state.mover();
    Clairvoyant::default().check(state, Actor::Seat(seat), &action)?;
    Ok(turn.clone())
}

/// The price of a turn, and what comes of it if nothing is guessed.
pub(super) fn fate(state: &State, turn: &Turn) -> String {
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
        Some(Outcome::Win(..)) => return format!("{costs}, and mates"),
        Some(Outcome::Draw(_)) => return format!("{costs}, and leaves {other} stalemated"),
        Some(Outcome::Void(_)) | None => {}
    }
    let shown = after.shown();
    if !board.in_check(shown, !state.position.turn) {
        return format!("{costs}, and gives no check");
    }
    let moves = board.moves(shown);
    match (moves.first(), after.rescue()) {
        (Some(mv), _) => format!("{costs}, and {other} answers {}", board.san_among(shown, *mv, &moves)),
        (None, Some(bought)) => format!("{costs}, and {other} can pay for {bought}"),
        (None, None) => costs,
    }
}

/// The solution, the free checks, and what would mate for more money.
fn reasons(state: &State, turn: &Turn) -> Vec<Reason> {
    let mut reasons = vec![Reason { what: turn.to_string(), then: fate(state, turn), right: true }];
    let board = Board::orthodox();
    let checks = state.free_moves().into_iter().filter(|mv| {
        let after = board.after(&state.position, *mv);
        board.in_check(&after, after.turn)
    });
    let free = checks.map(|mv| Turn { parts: vec![Part::Move(board.uci(mv))] });
    let line = |turn: Turn| Reason { what: turn.to_string(), then: fate(state, &turn), right: false };
    reasons.extend(free.take(OTHERS).map(line));
    let left = (1 + OTHERS).saturating_sub(reasons.len());
    let dear = state.mating_if_rich().into_iter().map(|(turn, price)| Reason {
        what: turn.to_string(),
        then: format!("would mate, and costs {price}Z"),
        right: false,
    });
    reasons.extend(dear.take(left));
    reasons
}

/// The side that is asked, its money and the other’s.
pub(super) fn task(state: &State, side: Color) -> String {
    let [own, theirs] = [side, !side].map(|side| state.purses[Seat::of(side).index()]);
    format!("{} has {own}Z, {} {theirs}Z and no guess on the sheet. Which turn mates at once?", word(side), word(!side))
}

/// The squares of each part of a turn.
pub(super) fn shown(turn: &str) -> Vec<(Square, Square)> {
    let squares = |part| match part {
        Part::Drop(_, square) => (square, square),
        Part::Move(uci) => (uci.from, uci.to),
    };
    turn.split(' ').filter_map(|part| part.parse().ok()).map(squares).collect()
}
