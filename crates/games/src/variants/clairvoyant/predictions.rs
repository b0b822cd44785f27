//! Guesses as the guesser sees them: their meaning on the board and their earnings. Also the parts of a draft.

use super::{
    guess_sheet::{Guess, piece_name},
    prices::NAMES,
    state::State,
    turn_builder::{possible, safe},
};
use crate::{
    board::{Board, Color, Move, Piece, Square, Squares, orthodox},
    rules::{Choice, ChoiceKind, Dropped, Prediction},
};

/// The guesser's own sealed sheet: every guess with its possible earnings, or with its earnings if the pending turn is accepted. Empty without a
/// sheet.
pub(super) fn sealed(state: &State) -> Vec<(Guess, i64)> {
    let Some(sheet) = &state.sheet else { return Vec::new() };
    let pays = pays(state);
    let amounts = match state.open() {
        Some(record) => state.terms.payoffs.hits(sheet, &record.before, &record.played),
        None => sheet.guesses.iter().map(|guess| pays(*guess)).collect(),
    };
    sheet.guesses.iter().copied().zip(amounts).collect()
}

/// The guesses of a sheet that can be drawn on the board.
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

/// A guess in words, with an amount.
pub(super) fn line(state: &State, guess: Guess, amount: i64) -> Part {
    let name = |square| piece_name(&state.position, square);
    let (piece, short) = match guess {
        Guess::Unit(unit) => (Some(name(unit)), unit.to_string()),
        Guess::UnitTo(unit, to) => (Some(name(unit)), format!("{unit}–{to}")),
        Guess::Buy(kind) => (Some(NAMES[usize::from(kind)]), "new".to_owned()),
        Guess::BuyDrop(kind, square) => (Some(NAMES[usize::from(kind)]), format!("on {square}")),
        Guess::Extra => (None, "a bought move".to_owned()),
    };
    let (text, words) = (guess.to_string(), guess.words(&state.position));
    Part { text, words, short, piece, amount, wrong: String::new() }
}

/// Earnings of a guess if it is correct.
pub(super) fn pays(state: &State) -> impl Fn(Guess) -> i64 {
    let possible = possible(&state.position, state.homes);
    move |guess| state.terms.payoffs.worth(guess, &state.position, &possible)
}

/// Suggestions for the guess field, each with its meaning and earnings.
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

/// The mover's pieces that may move next turn, as far as is public: those with a legal free move, and those whose move may be bought, because the
/// move before it can clear their way.
pub(super) fn movable(state: &State) -> Squares {
    let free: Squares = safe(&state.position, state.homes).into_iter().map(|mv| mv.from).collect();
    let bought = |kind: u8| state.may_pay(state.terms.costs.cheapest_move_of(kind));
    free | pieces(state).filter(|(_, piece)| bought(piece.kind)).map(|(square, _)| square).collect::<Squares>()
}

/// The mover's pieces with their squares.
fn pieces(state: &State) -> impl Iterator<Item = (Square, Piece)> {
    let mover = state.position.turn;
    state.position.pieces().filter(move |(_, piece)| piece.color == mover)
}

/// States that a piece of the mover cannot move.
pub(super) fn cannot_move(state: &State, square: Square) -> String {
    format!("the {} on {square} cannot move next turn", piece_name(&state.position, square))
}

/// Guesses at pieces that cannot move, listed to explain their refusal.
pub(super) fn impossible(state: &State, pays: &impl Fn(Guess) -> i64) -> Vec<Choice> {
    let movable = movable(state);
    let blocked = pieces(state).map(|(square, _)| square).filter(|square| !movable.has(*square));
    let one = |square: Square| {
        let (guess, kind) = (Guess::Unit(square), ChoiceKind::plain(square, square));
        let (action, label) = (guess.to_string(), cannot_move(state, square));
        Choice { action, label, kind, amount: Some(pays(guess)), whole: false }
    };
    blocked.map(one).collect()
}

/// Guesses that can be chosen on the board: every piece of the mover that may move, each of its moves, and drops of any piece that the mover may be
/// able to pay for, as far as is public. Other guesses have to be typed.
pub(super) fn guessable(state: &State, pays: &impl Fn(Guess) -> i64) -> Vec<Choice> {
    let board = Board::orthodox();
    let one = |guess: Guess, kind: ChoiceKind| {
        let amount = pays(guess);
        let label = format!("{}: {amount}Z", line(state, guess, amount).words);
        Choice { action: guess.to_string(), label, kind, amount: Some(amount), whole: false }
    };
    let place = |guess: Guess, from: Square, to: Square| one(guess, ChoiceKind::plain(from, to));
    let movable = movable(state);
    let ours = pieces(state).map(|(square, _)| square).filter(|square| movable.has(*square));
    let units = ours.map(|square| place(Guess::Unit(square), square, square));
    let once = |mv: &Move| mv.promotion.is_none_or(|kind| kind == orthodox::QUEEN);
    let moves = safe(&state.position, state.homes).into_iter().filter(once).map(|mv| {
        let to = board.target(mv);
        place(Guess::UnitTo(mv.from, to), mv.from, to)
    });
    let mut choices: Vec<Choice> = units.chain(moves).collect();
    // The possible squares of a drop must not reveal the contents of a purse.
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

/// A draft of an action.
#[derive(Clone, PartialEq, Debug)]
pub struct Draft {
    /// Parts of a turn, or every guess of a sheet at its place.
    pub lines: Vec<Part>,
    /// All guesses are disclosed first.
    pub disclose: bool,
    /// Number of guesses staked on a retraction.
    pub locks: u8,
    /// Price so far in zorkmids; 0 for a sheet.
    pub price: i64,
    /// Money that would be left in the viewer's purse.
    pub left: i64,
    /// Why the action is not legal yet; empty if it is.
    pub unfinished: String,
    /// The fault of the part that was to be added.
    pub refused: Option<String>,
    /// Text that was left out.
    pub rest: String,
    /// The guess that a move is bought, if it may be added.
    pub extra: Option<Part>,
    /// The guesses of the last sheet that can be made again, separated by spaces; empty once the sheet has guesses.
    pub repeatable: String,
    /// More parts may be added.
    pub open: bool,
}

/// One part of a draft.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Part {
    /// Text of the part; empty where a sheet has no guess.
    pub text: String,
    /// The meaning.
    pub words: String,
    /// The meaning in a word or two, for use next to a picture of the piece.
    pub short: String,
    /// Name of the piece.
    pub piece: Option<&'static str>,
    /// Price of the part, or earnings of the guess.
    pub amount: i64,
    /// Why the part is not legal; empty if it is.
    pub wrong: String,
}

/// A piece of the mover that is dropped, or guessed to be; `said` is the text before its square.
pub(super) fn dropped(kind: u8, mover: Color, said: String, lead: &'static str) -> Dropped {
    Dropped::new(Board::orthodox().kind(kind), mover, said, lead)
}
