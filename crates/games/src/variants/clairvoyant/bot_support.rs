//! Support for bots: the search problem of a seat with the guesses that each turn makes right, the turns that may follow, candidate actions for
//! bots that do not search, and sampled states in which everything that a seat may not know is drawn at random.

use std::{collections::HashMap, sync::Arc};

use rand::{Rng, RngExt, seq::IndexedRandom};

use super::{
    action::{Action, Part, Turn},
    guess_sheet::{Guess, Sheet},
    mate_test,
    options::Terms,
    state::{Phase, Retraction, State},
    turn_builder::{PlayedTurn, Situation, possible, safe},
    turn_generation::{Playable, playable},
    turn_history::{self, TurnStatus},
};
use crate::{
    board::{Board, Move, Position, Square, orthodox},
    rules::{
        SearchProblem, Seat,
        search_problem::{self, CandidateTurn, GuessProblem, ReplyState, TurnGenerator, TurnResult, TurnShape},
    },
};

/// The decision of a seat as a search problem; `None` where only a rescue or disclosing is left.
pub(super) fn prospect(state: &State, seat: Seat) -> Option<SearchProblem> {
    let role = match state.phase {
        Phase::Both | Phase::Turn if seat == state.mover() => search_problem::Role::Move,
        Phase::Both | Phase::Turn => search_problem::Role::Guess,
        Phase::Response => {
            let played = &state.open()?.played;
            let price = match state.retraction(played) {
                Retraction::For(price) => Some(price).filter(|price| *price <= state.purses[seat.index()]),
                Retraction::OnlyMove => None,
            };
            search_problem::Role::Answer { after: played.after, price }
        }
    };
    // The mover has already paid for the pending turn. If it is accepted, no retraction is paid; any other turn follows a paid retraction.
    let waiting = state.open().map(|record| &record.played);
    let money = state.purses[state.mover().index()] + waiting.map_or(0, |played| played.price);
    let purse = state.purses[state.guesser().index()];
    let left = match role {
        search_problem::Role::Answer { price: Some(price), .. } => purse - price,
        search_problem::Role::Answer { price: None, .. } | search_problem::Role::Move | search_problem::Role::Guess => {
            purse
        }
    };
    let mut guesses = Numbers::default();
    let situation = Situation { terms: &state.terms, position: state.position, homes: state.homes, purse: money };
    let mut turns = Vec::new();
    for Playable { played, makeup } in playable(&situation, TurnShape::Assault) {
        if state.banned_repeat(&played.turn.parts, &played.after).is_some() {
            continue;
        }
        let stands = waiting == Some(&played);
        let next = Situation { position: played.after, purse: if stands { purse } else { left }, ..situation };
        let retraction = match state.retraction(&played) {
            Retraction::For(price) if !stands => Some(price),
            Retraction::For(_) | Retraction::OnlyMove => None,
        };
        let sequel = TurnResult { after: played.after, price: played.price, leaves: leaves(&next, retraction), makeup };
        turns.push(candidate_turn(state, &played, sequel, &mut guesses));
    }
    if turns.is_empty() {
        return None;
    }
    Some(SearchProblem::Foresight(GuessProblem {
        role,
        turns,
        guesses: guesses.texts,
        slots: usize::from(state.slots),
        purses: [money, purse],
        before: state.earlier(),
        onward: Arc::new(Continuation::of(state)),
    }))
}

/// Numbers the guesses that occur in the turns.
#[derive(Default)]
struct Numbers {
    known: HashMap<String, usize>,
    texts: Vec<String>,
}

impl Numbers {
    fn of(&mut self, guess: Guess) -> usize {
        let text = guess.to_string();
        *self.known.entry(text).or_insert_with_key(|text| {
            self.texts.push(text.clone());
            self.texts.len() - 1
        })
    }
}

fn candidate_turn(state: &State, played: &PlayedTurn, sequel: TurnResult, numbers: &mut Numbers) -> CandidateTurn {
    let before: &Position = &state.position;
    let stood = |unit: Square| before.piece(unit).is_some();
    let mut guesses = Vec::new();
    for done in played.moves.iter().flatten() {
        if stood(done.unit) {
            guesses.extend([Guess::Unit(done.unit), Guess::UnitTo(done.unit, done.landing)]);
        }
        if done.bought {
            guesses.push(Guess::Extra);
        }
    }
    for part in &played.turn.parts {
        if let Part::Drop(kind, square) = part {
            guesses.extend([Guess::Buy(*kind), Guess::BuyDrop(*kind, *square)]);
        }
    }
    let sheet = Sheet { guesses };
    let hits = state.terms.payoffs.hits(&sheet, before, played);
    let right = sheet.guesses.iter().zip(hits).map(|(guess, pay)| (numbers.of(*guess), pay)).collect();
    let said = Action::Turn { disclose: false, locks: 0, turn: Turn { parts: played.turn.parts.clone() } };
    CandidateTurn { text: said.to_string(), right, sequel }
}

/// Generates the turns that may follow. Holds the options and castling kings of the game.
#[derive(Debug)]
pub(super) struct Continuation {
    terms: Arc<Terms>,
    homes: [Option<Square>; 2],
}

impl Continuation {
    /// The continuation of a state.
    pub(super) fn of(state: &State) -> Self {
        Continuation { terms: state.terms.clone(), homes: state.homes }
    }
}

impl TurnGenerator for Continuation {
    fn sequels(&self, position: &Position, [own, other]: [i64; 2], most: TurnShape) -> Vec<TurnResult> {
        let board = Board::orthodox();
        let situation = Situation { terms: &self.terms, position: *position, homes: self.homes, purse: own };
        let ends_check = board.in_check(position, position.turn);
        let sequel = |Playable { played, makeup }| {
            let next = Situation { position: played.after, purse: other, ..situation };
            let leaves = leaves(&next, Some(self.terms.costs.retraction(ends_check, true)));
            TurnResult { after: played.after, price: played.price, leaves, makeup }
        };
        playable(&situation, most).into_iter().map(sequel).collect()
    }
}

/// The situation of the side to move after a turn that it can force back for a price; `None` if it cannot.
fn leaves(next: &Situation, retraction: Option<i64>) -> ReplyState {
    let (board, after) = (Board::orthodox(), &next.position);
    if !board.in_check(after, after.turn) || board.has_move(after) {
        return ReplyState::Moves;
    }
    match (mate_test::rescue(next), retraction) {
        (Some(_), _) => ReplyState::Rescue,
        (None, Some(price)) if price <= next.purse => ReplyState::Retraction,
        (None, Some(_) | None) => ReplyState::Nothing,
    }
}

/// Number of sheets among the candidates.
const SHEETS: usize = 4;

/// Number of squares tried for the most expensive affordable piece.
const DROPS: usize = 64;

/// Some reasonable actions of a seat to act, at least one.
pub(super) fn candidates(state: &State, seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
    match state.phase {
        Phase::Both | Phase::Turn if seat == state.mover() => turns(state, rng),
        Phase::Both | Phase::Turn => {
            let sheet = |rng: &mut dyn Rng| plausible(&state.position, state.homes, state.slots, rng);
            let mut sheets: Vec<Action> = (0..SHEETS).map(|_| Action::Guess(sheet(rng))).collect();
            if rng.random_ratio(1, 8) {
                sheets.push(Action::Guess(Sheet::default()));
            }
            sheets
        }
        Phase::Response => answers(state, seat, rng),
    }
}

fn answers(state: &State, seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
    let mut answers = vec![Action::Answer { disclose: false, retract: false }];
    let Some(record) = state.open() else { return answers };
    let purse = state.purses[seat.index()];
    let affordable = matches!(state.retraction(&record.played), Retraction::For(price) if price <= purse);
    if affordable && rng.random_ratio(1, 4) {
        answers.push(Action::Answer { disclose: false, retract: true });
    }
    answers
}

fn turn_action(parts: Vec<Part>) -> Action {
    Action::Turn { disclose: false, locks: 0, turn: Turn { parts } }
}

fn turns(state: &State, rng: &mut dyn Rng) -> Vec<Action> {
    let board = Board::orthodox();
    let part = |mv: Move| Part::Move(board.uci(mv));
    let free = state.free_moves();
    if free.is_empty() {
        return vec![state.rescue().map_or(Action::Disclose, |turn| turn_action(turn.parts))];
    }
    let mates = |mv: &&Move| {
        let after = board.after(&state.position, **mv);
        board.in_check(&after, after.turn) && !board.has_move(&after)
    };
    let mating: Vec<Action> = free.iter().filter(mates).map(|mv| turn_action(vec![part(*mv)])).collect();
    if !mating.is_empty() {
        return mating;
    }
    let mut turns: Vec<Action> = free.iter().map(|mv| turn_action(vec![part(*mv)])).collect();
    // Checks are listed several times, so that bots that choose at random make progress.
    let checks = |mv: &&Move| {
        let after = board.after(&state.position, **mv);
        board.in_check(&after, after.turn)
    };
    let checks: Vec<Action> = free.iter().filter(checks).map(|mv| turn_action(vec![part(*mv)])).collect();
    if !checks.is_empty() {
        turns.extend(checks.iter().cycle().take(free.len() / 2).cloned());
    }
    let paid = drops(state, rng).into_iter().map(|drop| vec![drop]).chain(extra(state, &free, rng));
    let playable = |parts: &Vec<Part>| {
        let turn = Turn { parts: parts.clone() };
        let played = state.trial().play(&turn);
        played.is_ok_and(|played| state.banned_repeat(parts, &played.after).is_none())
    };
    turns.extend(paid.filter(playable).map(turn_action));
    if rng.random_ratio(1, 16)
        && state.locked < state.terms.guesses
        && let Some(Action::Turn { turn, .. }) = turns.choose(rng).cloned()
    {
        turns.push(Action::Turn { disclose: false, locks: 1, turn });
    }
    turns
}

/// A few free moves, each followed by a bought one.
fn extra(state: &State, free: &[Move], rng: &mut dyn Rng) -> Vec<Vec<Part>> {
    let (board, trial) = (Board::orthodox(), state.trial());
    if trial.left() < state.terms.costs.cheapest_move() {
        return Vec::new();
    }
    let pair = |rng: &mut dyn Rng| {
        let first = free.choose(rng)?;
        let next = trial.add_move(*first).ok()?;
        let second = *possible(&next.position, state.homes).choose(rng)?;
        Some(vec![Part::Move(board.uci(*first)), Part::Move(board.uci(second))])
    };
    (0..2).filter_map(|_| pair(rng)).collect()
}

/// Affordable drops, mostly of the most expensive piece: it pays to spend money before the opponent does.
fn drops(state: &State, rng: &mut dyn Rng) -> Vec<Part> {
    let left = state.trial().left();
    let empty: Vec<Square> = (!state.position.occupied()).collect();
    let kinds = [orthodox::QUEEN, orthodox::ROOK, orthodox::BISHOP, orthodox::KNIGHT, orthodox::PAWN];
    let mut affordable = kinds.into_iter().filter(|kind| state.terms.costs.piece(*kind) <= left);
    let Some(dearest) = affordable.next() else { return Vec::new() };
    let squares = |number: usize, rng: &mut dyn Rng| empty.sample(rng, number).copied().collect::<Vec<_>>();
    let mut drops: Vec<Part> = squares(DROPS, rng).into_iter().map(|square| Part::Drop(dearest, square)).collect();
    drops.extend(affordable.flat_map(|kind| squares(1, rng).into_iter().map(move |square| Part::Drop(kind, square))));
    drops
}

/// A random sheet that a player might submit, with at most `slots` guesses.
fn plausible(position: &Position, homes: [Option<Square>; 2], slots: u8, rng: &mut dyn Rng) -> Sheet {
    let board = Board::orthodox();
    let moves = safe(position, homes);
    let one = |rng: &mut dyn Rng| {
        let mv = moves.choose(rng);
        match (rng.random_range(0..16), mv) {
            (0, _) => Guess::Extra,
            (1, _) | (_, None) => Guess::Buy(rng.random_range(0..orthodox::KING)),
            (2, _) => Guess::BuyDrop(rng.random_range(0..orthodox::KING), Square::at(rng.random_range(0..64))),
            (3..7, Some(mv)) => Guess::Unit(mv.from),
            (_, Some(mv)) => Guess::UnitTo(mv.from, board.target(*mv)),
        }
    };
    let written = rng.random_range(0..=slots);
    Sheet { guesses: (0..written).map(|_| one(rng)).collect() }
}

/// A state that is possible for `seat`: everything that only the opponent knows is drawn at random.
pub(super) fn redeal(state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
    let mut world = state.clone();
    if world.outcome.is_some() {
        return world;
    }
    let (other, terms, known) = (!seat, world.terms.clone(), world.opened[(!seat).index()]);
    // Number of the opponent's last turn, and its guesses locked from the sheet after it.
    let (mut number, mut locked) = (0, 0u8);
    for (index, record) in world.records.iter_mut().enumerate() {
        let (own, fresh) = (record.mover == other, record.number != number);
        if own && fresh {
            (number, locked) = (record.number, 0);
        }
        if index < known {
            locked += if own { record.locks } else { 0 };
            continue;
        }
        if own {
            let left = terms.guesses.saturating_sub(locked);
            let locks = if rng.random_ratio(1, 6) { rng.random_range(0..=left) } else { 0 };
            if locks != record.locks {
                Arc::make_mut(record).locks = locks;
            }
            locked += locks;
        } else if let TurnStatus::Settled { sheet: Some(_), .. } = record.fate {
            let slots = terms.slots(locked);
            let sheet = plausible(&record.before, world.homes, slots, rng);
            let hits = world.terms.payoffs.hits(&sheet, &record.before, &record.played);
            let income = hits.iter().sum();
            let listed = turn_history::listed(&sheet, &hits, &record.before);
            Arc::make_mut(record).fate = TurnStatus::Settled { sheet: Some((sheet, hits)), listed, income };
        }
    }
    if world.mover() == other {
        world.locked = if number == world.turns + 1 { locked } else { 0 };
    } else {
        world.slots = terms.slots(locked);
        if world.sheet.is_some() {
            world.sheet = Some(plausible(&world.position, world.homes, world.slots, rng));
        }
    }
    let records = world.records.iter().map(Arc::as_ref);
    world.purses[other.index()] = turn_history::balance(records, other, &world.terms);
    world
}
