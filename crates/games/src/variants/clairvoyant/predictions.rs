//! Guesses as the guesser sees them: what each means on the board, what it would earn, and what it earns once the turn is on the board; and the
//! parts of a turn or of a sheet that is being put together.

use super::{
    guess_sheet::Guess,
    prices::NAMES,
    state::State,
    turn_builder::{Trial, possible, safe},
};
use crate::{
    board::{Board, Color, Move, Square, orthodox},
    rules::{Choice, ChoiceKind, Dropped, Prediction},
};

/// The guesser's own sheet while it lies sealed: every guess with what it would earn, or with what it earns if the turn that waits
/// for its answer stands. Nothing if there is none.
pub(super) fn sealed(state: &State) -> Vec<(Guess, i64)> {
    let Some(sheet) = &state.sheet else { return Vec::new() };
    let pays = pays(state);
    let amounts = match state.open() {
        Some(record) => state.terms.payoffs.hits(sheet, &record.before, &record.played),
        None => sheet.guesses.iter().map(|guess| pays(*guess)).collect(),
    };
    sheet.guesses.iter().copied().zip(amounts).collect()
}

/// The guesses of a sheet that have a place on the board.
pub(super) fn on_board(state: &State, guesses: &[(Guess, i64)]) -> Vec<Prediction> {
    let one = |(guess, amount): &(Guess, i64)| {
        let (from, to, piece) = match *guess {
            Guess::Unit(unit) => (unit, unit, None),
            Guess::UnitTo(unit, to) => (unit, to, None),
            Guess::BuyDrop(kind, to) => (to, to, Some((state.position.turn.into(), NAMES[usize::from(kind)]))),
            Guess::Buy(_) | Guess::Extra => return None,
        };
        Some(Prediction { from, to, piece, amount: *amount })
    };
    guesses.iter().filter_map(one).collect()
}

/// A guess with its meaning and an amount.
pub(super) fn line(state: &State, guess: Guess, amount: i64) -> Part {
    let trial = state.trial();
    let name = |square| name(&trial, square);
    let (piece, short, words) = match guess {
        Guess::Unit(unit) => (Some(name(unit)), unit.to_string(), format!("the {} on {unit} moves", name(unit))),
        Guess::UnitTo(unit, to) => {
            (Some(name(unit)), format!("{unit}–{to}"), format!("the {} on {unit} comes to {to}", name(unit)))
        }
        Guess::Buy(kind) => {
            let name = NAMES[usize::from(kind)];
            (Some(name), "new".to_owned(), format!("a {name} is bought"))
        }
        Guess::BuyDrop(kind, square) => {
            let name = NAMES[usize::from(kind)];
            (Some(name), format!("on {square}"), format!("a {name} is dropped on {square}"))
        }
        Guess::Extra => (None, "a bought move".to_owned(), "a move is bought".to_owned()),
    };
    Part { text: guess.to_string(), words, short, piece, amount, wrong: String::new() }
}

/// The earnings of each guess if it is right.
pub(super) fn pays(state: &State) -> impl Fn(Guess) -> i64 {
    let possible = possible(&state.position, state.homes);
    move |guess| state.terms.payoffs.worth(guess, &state.position, &possible)
}

/// Guesses that are suggested where one is written, with what each means and would earn.
pub(super) fn suggested(state: &State) -> Vec<(String, String)> {
    let pays = pays(state);
    let choices = guessable(state, &pays).into_iter();
    let mut suggested: Vec<(String, String)> = Vec::new();
    for choice in choices {
        match choice.kind {
            ChoiceKind::Move { .. } => suggested.push((choice.action, choice.label)),
            ChoiceKind::Drop { piece: Dropped { alone: Some(alone), name, amount: Some(amount), .. }, .. } => {
                if suggested.iter().all(|(text, _)| *text != alone) {
                    suggested.push((alone, format!("a {name} is bought: {amount}Z")));
                }
            }
            ChoiceKind::Drop { .. } | ChoiceKind::Word { .. } => {}
        }
    }
    if state.may_pay(state.terms.costs.cheapest_move()) {
        let Part { text, words, amount, .. } = line(state, Guess::Extra, pays(Guess::Extra));
        suggested.push((text, format!("{words}: {amount}Z")));
    }
    suggested
}

/// Guesses that can be pressed: every unit of the mover, its single moves, and drops of what the mover can pay for all that everybody
/// knows. Others are written.
pub(super) fn guessable(state: &State, pays: &impl Fn(Guess) -> i64) -> Vec<Choice> {
    let board = Board::orthodox();
    let one = |guess: Guess, kind: ChoiceKind| {
        let amount = pays(guess);
        let label = format!("{}: {amount}Z", line(state, guess, amount).words);
        Choice { action: guess.to_string(), label, kind, amount: Some(amount), whole: false }
    };
    let place = |guess: Guess, from: Square, to: Square| one(guess, ChoiceKind::plain(from, to));
    let ours = state.position.pieces().filter(|(_, piece)| piece.color == state.position.turn);
    let units = ours.map(|(square, _)| place(Guess::Unit(square), square, square));
    let once = |mv: &Move| mv.promotion.is_none_or(|kind| kind == orthodox::QUEEN);
    let moves = safe(&state.position, state.homes).into_iter().filter(once).map(|mv| {
        let to = board.target(mv);
        place(Guess::UnitTo(mv.from, to), mv.from, to)
    });
    let mut choices: Vec<Choice> = units.chain(moves).collect();
    // Where a piece may be dropped must not tell what is in a purse.
    let rich = state.trial().of_purse(i64::MAX);
    for kind in (0..NAMES.len() as u8).filter(|kind| state.may_pay(state.terms.costs.piece(*kind))) {
        let alone = Guess::Buy(kind);
        let piece = Dropped {
            alone: Some(alone.to_string()),
            amount: Some(pays(alone)),
            ..dropped(kind, state.position.turn, format!("{alone}@"), "Guess a new")
        };
        let squares = (!state.position.occupied()).filter(|square| rich.drop(kind, *square).is_ok());
        let dropped = |to: Square| ChoiceKind::Drop { piece: piece.clone(), to: to.into() };
        choices.extend(squares.map(|to| one(Guess::BuyDrop(kind, to), dropped(to))));
    }
    choices
}

/// An action that is put together.
#[derive(Clone, PartialEq, Debug)]
pub struct Draft {
    /// The parts of a turn, or every guess of a sheet at its place.
    pub lines: Vec<Part>,
    /// All guesses are opened first.
    pub disclose: bool,
    /// The number of guesses that are staked on a retraction.
    pub locks: u8,
    /// Its price so far, in zorkmids; nothing for a sheet.
    pub price: i64,
    /// The money that would be left in the viewer's purse.
    pub left: i64,
    /// Why it cannot be said as it stands; empty if it can.
    pub unfinished: String,
    /// The fault of the part that was to be added.
    pub refused: Option<String>,
    /// The part of it that was left out.
    pub rest: String,
    /// The guess that a move is bought, if it may be added.
    pub extra: Option<Part>,
    /// Something may still be added.
    pub open: bool,
}

/// One part of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Part {
    /// Its text; empty where nothing is guessed.
    pub text: String,
    /// Its meaning.
    pub words: String,
    /// The meaning in a word or two, where the piece is shown beside it.
    pub short: String,
    /// The name of the piece.
    pub piece: Option<&'static str>,
    /// Its price, or what it would earn.
    pub amount: i64,
    /// Why it cannot be said; empty if it can.
    pub wrong: String,
}

/// The name of what stands on a square.
pub(super) fn name(trial: &Trial, square: Square) -> &'static str {
    trial.position.piece(square).map_or("piece", |piece| NAMES[usize::from(piece.kind)])
}

/// A piece of the mover's that is dropped, or guessed to be; `said` before its square.
pub(super) fn dropped(kind: u8, mover: Color, said: String, lead: &'static str) -> Dropped {
    Dropped::new(Board::orthodox().kind(kind), mover, said, lead)
}
