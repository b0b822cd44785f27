//! An action that is put together part by part: a turn with the board as it stands after what there is of it, or a sheet with what
//! every guess would earn. What comes out is a view for the one seat that does it; nothing of it is kept.

use std::iter::Peekable;

use super::{
    super::{Choice, Seat},
    action::{self, Turn, words},
    cost::NAMES,
    sheet::{Guess, Sheet},
    state::{Phase, State},
    trial::{Trial, possible, safe},
    view::{self, Draft, Part, View},
};
use crate::board::{Board, Move, Square, orthodox};

/// What `seat` sees after `text`, if it is asked for a turn or a sheet. Words that do not fit are left out, and said.
pub(super) fn draft(state: &State, seat: Seat, text: &str) -> Option<View> {
    let moves = seat == state.mover();
    let asked = match state.phase {
        Phase::Both => true,
        Phase::Turn => moves,
        Phase::Response => false,
    };
    if !asked || state.outcome.is_some() {
        return None;
    }
    let mut view = view::view(state, Some(seat));
    if moves {
        turn(state, text, &mut view)
    } else {
        sheet(state, text, &mut view)
    }
    Some(view)
}

fn name(state: &State, trial: &Trial, square: Square) -> &'static str {
    let piece = trial.position.piece(square).or(state.position.piece(square));
    piece.map_or("piece", |piece| NAMES[usize::from(piece.kind)])
}

/// What is said before the parts of a turn.
#[derive(Default)]
struct Opening {
    disclose: bool,
    locks: u8,
}

impl Opening {
    /// Takes it from the words of a turn; if some of it does not fit here, says why it was left out.
    fn read<'t>(words: &mut Peekable<impl Iterator<Item = &'t str>>, view: &View) -> Result<Opening, String> {
        let disclose = words.next_if_eq(&"disclose").is_some();
        let number = words.next_if_eq(&"lock").map(|_| words.next().and_then(|word| word.parse::<u8>().ok()));
        let Some(locks) = number.unwrap_or(Some(0)).filter(|locks| *locks <= view.lockable) else {
            return Err(format!("“lock” was left out: after it comes a number up to {}.", view.lockable));
        };
        if disclose && !(view.blind && view.undisclosed) {
            return Err("“disclose” was left out: nothing of yours is hidden.".to_owned());
        }
        Ok(Opening { disclose, locks })
    }

    /// The whole text with the parts after it.
    fn before(&self, parts: &str) -> String {
        let disclose = if self.disclose { "disclose" } else { "" };
        let locks = if self.locks > 0 { format!("lock {}", self.locks) } else { String::new() };
        [disclose, &locks, parts].into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

fn turn(state: &State, text: &str, view: &mut View) {
    let mut trial = state.trial();
    let mut said = Turn::default();
    let mut lines: Vec<Part> = Vec::new();
    let mut words = words(text).map(|(_, word)| word).peekable();
    let (opening, mut refused) = match Opening::read(&mut words, view) {
        Ok(opening) => (opening, None),
        Err(why) => (Opening::default(), Some(why)),
    };
    for word in words {
        let read = word.parse::<action::Part>().map_err(|refusal| refusal.why);
        let fits = read.and_then(|part| match state.banned(&part) && lines.is_empty() {
            true => Err(format!("{part} was retracted: begin this turn with something else")),
            false => trial.part(&part).map(|next| (part, next)).map_err(|fault| fault.words()),
        });
        match fits {
            Ok((part, next)) => {
                let meant = match part {
                    action::Part::Drop(kind, square) => format!("a new {} on {square}", NAMES[usize::from(kind)]),
                    action::Part::Move(uci) => format!("{} {} to {}", name(state, &trial, uci.from), uci.from, uci.to),
                };
                let amount = next.price() - trial.price();
                lines.push(Part { text: part.to_string(), words: meant, amount, without: said.to_string() });
                said.parts.push(part);
                trial = next;
            }
            Err(why) => {
                refused = Some(format!("“{word}” was left out: {why}."));
                break;
            }
        }
    }
    let finished = trial.clone().finish();
    let unfinished = match &finished {
        Err(fault) if !lines.is_empty() => fault.words(),
        Err(_) | Ok(_) => String::new(),
    };
    if let Ok(played) = &finished {
        view.at(&played.after, played.touched());
    } else {
        view.at(&trial.position, Vec::new());
    }
    let choices = continued(state, &trial, lines.is_empty());
    let open = !choices.is_empty();
    let text = opening.before(&said.to_string());
    for line in &mut lines {
        line.without = opening.before(&line.without);
    }
    view.offer(text.clone(), choices);
    view.shop = trial.droppable().then(|| view::shop(state, &trial));
    view.draft = Some(Draft {
        text,
        said: said.to_string(),
        disclose: opening.disclose,
        locks: opening.locks,
        lines,
        price: trial.price(),
        left: trial.left(),
        unfinished,
        refused,
        open,
    });
}

/// The moves and drops that may follow, but for moves after which the turn could neither end nor go on.
fn continued(state: &State, trial: &Trial, first: bool) -> Vec<Choice> {
    let board = Board::orthodox();
    let cheapest = state.terms.costs.cheapest_move();
    let goes_on = |next: &Trial| next.bought_next().is_some() && next.left() >= cheapest;
    let moves = possible(&trial.position, state.homes).into_iter().filter_map(|mv| {
        let uci = board.uci(mv);
        let next = trial.go(mv).ok().filter(|_| !first || !state.banned(&action::Part::Move(uci)))?;
        let cost = next.price() - trial.price();
        let fits = goes_on(&next) || next.finish().is_ok();
        let price = if cost == 0 { String::new() } else { format!(" for {cost}Z") };
        let label = format!("{uci}{price}");
        fits.then(|| Choice { action: uci.to_string(), label, from: Some(mv.from), to: Some(board.target(mv)) })
    });
    let mut choices: Vec<Choice> = moves.collect();
    for kind in 0..NAMES.len() as u8 {
        if !trial.droppable() || state.terms.costs.piece(kind) > trial.left() {
            continue;
        }
        let squares = (!trial.position.occupied()).filter(|square| trial.drop(kind, *square).is_ok());
        let parts = squares.map(|square| action::Part::Drop(kind, square));
        choices.extend(parts.filter(|part| !first || !state.banned(part)).map(|part| {
            let to = if let action::Part::Drop(_, square) = part { Some(square) } else { None };
            let on = to.map_or(String::new(), |square| format!(" on {square}"));
            Choice {
                action: part.to_string(),
                label: format!("Drop a {}{on}", NAMES[usize::from(kind)]),
                from: None,
                to,
            }
        }));
    }
    choices
}

fn sheet(state: &State, text: &str, view: &mut View) {
    let pays = pays(state);
    let mut guesses: Vec<Guess> = Vec::new();
    let mut refused = None;
    for (_, word) in words(text).filter(|(_, word)| *word != "guess") {
        let fits = word.parse::<Guess>().and_then(|guess| {
            let more = Sheet { guesses: guesses.iter().copied().chain([guess]).collect() };
            more.check(&state.position, state.slots).map(|()| more)
        });
        match fits {
            Ok(sheet) => guesses = sheet.guesses,
            Err(refusal) => refused = Some(format!("“{word}” was left out: {}.", refusal.why)),
        }
    }
    let said = |guesses: Vec<Guess>| Sheet { guesses }.to_string();
    let without = |index: usize| {
        let others = guesses.iter().enumerate().filter(|(other, _)| *other != index);
        said(others.map(|(_, guess)| *guess).collect())
    };
    let line = |(index, guess): (usize, &Guess)| Part {
        text: guess.to_string(),
        words: meaning(state, *guess),
        amount: pays(*guess),
        without: without(index),
    };
    let lines: Vec<Part> = guesses.iter().enumerate().map(line).collect();
    let open = guesses.len() < usize::from(state.slots);
    view.offer(said(guesses.clone()), if open { guessable(state, &pays) } else { Vec::new() });
    let said = said(guesses);
    view.draft = Some(Draft {
        text: said.clone(),
        said,
        disclose: false,
        locks: 0,
        lines,
        price: 0,
        left: 0,
        unfinished: String::new(),
        refused,
        open,
    });
}

/// What each guess earns if it is right.
fn pays(state: &State) -> impl Fn(Guess) -> i64 {
    let possible = possible(&state.position, state.homes);
    move |guess| state.terms.payoffs.worth(guess, &state.position, &possible)
}

fn meaning(state: &State, guess: Guess) -> String {
    let name = |square| name(state, &state.trial(), square);
    match guess {
        Guess::Unit(unit) => format!("the {} on {unit} moves", name(unit)),
        Guess::UnitTo(unit, to) => format!("the {} on {unit} comes to {to}", name(unit)),
        Guess::Buy(kind) => format!("a {} is bought", NAMES[usize::from(kind)]),
        Guess::BuyDrop(kind, square) => format!("a {} is dropped on {square}", NAMES[usize::from(kind)]),
        Guess::Extra => "a move is bought".to_owned(),
    }
}

/// Guesses that can be pressed: every unit of the mover, its single moves, and drops that everybody knows the mover can pay.
/// Others are typed.
fn guessable(state: &State, pays: &impl Fn(Guess) -> i64) -> Vec<Choice> {
    let board = Board::orthodox();
    let one = |guess: Guess, from: Option<Square>, to: Square| Choice {
        action: guess.to_string(),
        label: format!("{}: {}Z", meaning(state, guess), pays(guess)),
        from,
        to: Some(to),
    };
    let ours = state.position.pieces().filter(|(_, piece)| piece.color == state.position.turn);
    let units = ours.map(|(square, _)| one(Guess::Unit(square), Some(square), square));
    let once = |mv: &Move| mv.promotion.is_none_or(|kind| kind == orthodox::QUEEN);
    let moves = safe(&state.position, state.homes).into_iter().filter(once).map(|mv| {
        let to = board.target(mv);
        one(Guess::UnitTo(mv.from, to), Some(mv.from), to)
    });
    let mut choices: Vec<Choice> = units.chain(moves).collect();
    if state.transparent(state.mover()) {
        let trial = state.trial();
        for kind in (0..NAMES.len() as u8).filter(|kind| state.terms.costs.piece(*kind) <= trial.left()) {
            let squares = (!state.position.occupied()).filter(|square| trial.drop(kind, *square).is_ok());
            choices.extend(squares.map(|square| {
                let guess = Guess::BuyDrop(kind, square);
                let label = format!("Guess a new {} on {square}: {}Z", NAMES[usize::from(kind)], pays(guess));
                Choice { action: guess.to_string(), label, from: None, to: Some(square) }
            }));
        }
    }
    choices
}
