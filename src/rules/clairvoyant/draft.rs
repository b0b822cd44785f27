//! An action that is put together part by part: a turn with the board as it stands after what there is of it, or a sheet with what
//! every guess would earn. What comes out is a view for the one seat that does it; nothing of it is kept.

use std::iter::Peekable;

use super::{
    super::{Choice, ChoiceKind, Dropped, Seat},
    action::{self, Turn, words},
    cost::NAMES,
    letters::letter,
    sheet::{Guess, Sheet, full},
    state::{Phase, State},
    trial::{PlayedTurn, Trial, possible, safe},
    view::{self, Draft, Part, View},
};
use crate::board::{Board, Color, Kind, Move, Square, orthodox};

/// Shows what `seat` sees after `text`, if it is asked for a turn or a sheet. Words that do not fit are left out, and said.
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

/// The words before the parts of a turn.
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
    while let Some(word) = words.peek() {
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
                lines.push(Part { text: part.to_string(), words: meant, amount, wrong: String::new() });
                said.parts.push(part);
                trial = next;
                words.next();
            }
            Err(why) => {
                refused = Some(format!("“{word}” was left out: {why}."));
                break;
            }
        }
    }
    let rest = words.collect::<Vec<_>>().join(" ");
    let finished = trial.clone().finish();
    let unfinished = match &finished {
        Err(fault) if !lines.is_empty() => fault.words(),
        Err(_) => String::new(),
        Ok(played) => state.brings_back(&said.parts, &played.after).unwrap_or_default(),
    };
    if let Ok(played) = &finished {
        view.at(&played.after, played.touched());
    } else {
        view.at(&trial.position, Vec::new());
    }
    let choices = continued(state, &trial, lines.is_empty());
    let open = !choices.is_empty();
    view.offer(said.to_string(), choices);
    view.shop = trial.droppable().then(|| view::shop(state, &trial));
    view.draft = Some(Draft {
        lines,
        disclose: opening.disclose,
        locks: opening.locks,
        price: trial.price(),
        left: trial.left(),
        unfinished,
        refused,
        rest,
        purchases: Vec::new(),
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
        let ends = |played: PlayedTurn| state.brings_back(&played.turn.parts, &played.after).is_none();
        let fits = goes_on(&next) || next.finish().is_ok_and(ends);
        let price = if cost == 0 { String::new() } else { format!(" for {cost}Z") };
        let label = format!("{uci}{price}");
        fits.then(|| Choice { label, ..Choice::of_move(board, &trial.position, mv) })
    });
    let mut choices: Vec<Choice> = moves.collect();
    for kind in 0..NAMES.len() as u8 {
        if !trial.droppable() || state.terms.costs.piece(kind) > trial.left() {
            continue;
        }
        let piece = dropped(kind, trial.position.turn, format!("{}@", letter(kind)), "Drop a");
        let squares = (!trial.position.occupied()).filter(|square| trial.drop(kind, *square).is_ok());
        let squares = squares.filter(|square| !first || !state.banned(&action::Part::Drop(kind, *square)));
        choices.extend(squares.map(|to| Choice {
            action: action::Part::Drop(kind, to).to_string(),
            label: format!("{} on {to}", piece.words),
            kind: ChoiceKind::Drop { piece: piece.clone(), to },
        }));
    }
    choices
}

/// A piece of the mover's that is dropped, or guessed to be; `said` before its square.
fn dropped(kind: u8, mover: Color, said: String, lead: &'static str) -> Dropped {
    let Kind { name, betza, .. } = Board::orthodox().kind(kind);
    Dropped {
        said,
        words: format!("{lead} {name}"),
        lead: Some(lead),
        name: name.clone(),
        betza: betza.clone(),
        color: mover.into(),
    }
}

/// Every word is a guess at its own place, and one space more leaves a place empty. What comes after the last place goes into the
/// first that is empty; what cannot be guessed stays where it is.
fn sheet(state: &State, text: &str, view: &mut View) {
    let pays = pays(state);
    let text = text.trim_start();
    let written = text.strip_prefix("guess").filter(|rest| rest.is_empty() || rest.starts_with(' '));
    let mut places: Vec<&str> = written.map_or(text, |rest| rest.get(1..).unwrap_or_default()).split(' ').collect();
    let slots = usize::from(state.slots);
    let more = places.split_off(places.len().min(slots));
    places.resize(slots, "");
    let mut refused = None;
    for word in more.into_iter().filter(|word| !word.is_empty()) {
        match places.iter_mut().find(|place| place.is_empty()) {
            Some(place) => *place = word,
            None => refused = Some(format!("“{word}” was left out: {}.", full(state.slots))),
        }
    }
    let read = |word: &str| {
        let sheet = Sheet { guesses: vec![word.parse::<Guess>()?] };
        sheet.check(&state.position, state.slots).map(|()| sheet.guesses[0])
    };
    let line = |place: &&str| match read(place) {
        _ if place.is_empty() => Part::default(),
        Ok(guess) => {
            Part { text: guess.to_string(), words: meaning(state, guess), amount: pays(guess), wrong: String::new() }
        }
        Err(refusal) => Part { text: (*place).to_owned(), wrong: refusal.why, ..Part::default() },
    };
    let lines: Vec<Part> = places.iter().map(line).collect();
    let open = places.iter().any(|place| place.is_empty());
    let said = format!("guess {}", places.join(" "));
    view.offer(said.trim_end().to_owned(), if open { guessable(state, &pays) } else { Vec::new() });
    let purchases = if open { purchases(state, &pays) } else { Vec::new() };
    view.draft = Some(Draft {
        lines,
        disclose: false,
        locks: 0,
        price: 0,
        left: 0,
        unfinished: String::new(),
        refused,
        rest: String::new(),
        purchases,
        open,
    });
}

/// Lists what the mover may buy for all that is known: a piece wherever it is dropped, and a move.
fn purchases(state: &State, pays: &impl Fn(Guess) -> i64) -> Vec<Part> {
    let trial = state.trial();
    let costs = &state.terms.costs;
    let affordable = |price: i64| !state.transparent(state.mover()) || price <= trial.left();
    let kinds = (0..NAMES.len() as u8).filter(|kind| affordable(costs.piece(*kind)));
    let pieces = kinds.map(|kind| (Guess::Buy(kind), NAMES[usize::from(kind)]));
    let moves = affordable(costs.cheapest_move()).then_some((Guess::Extra, "move"));
    let part = |(guess, name): (Guess, &str)| Part {
        text: guess.to_string(),
        words: name.to_owned(),
        amount: pays(guess),
        wrong: String::new(),
    };
    pieces.chain(moves).map(part).collect()
}

/// The earnings of each guess if it is right.
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
    let one = |guess: Guess, from: Square, to: Square| Choice {
        action: guess.to_string(),
        label: format!("{}: {}Z", meaning(state, guess), pays(guess)),
        kind: ChoiceKind::plain(from, to),
    };
    let ours = state.position.pieces().filter(|(_, piece)| piece.color == state.position.turn);
    let units = ours.map(|(square, _)| one(Guess::Unit(square), square, square));
    let once = |mv: &Move| mv.promotion.is_none_or(|kind| kind == orthodox::QUEEN);
    let moves = safe(&state.position, state.homes).into_iter().filter(once).map(|mv| {
        let to = board.target(mv);
        one(Guess::UnitTo(mv.from, to), mv.from, to)
    });
    let mut choices: Vec<Choice> = units.chain(moves).collect();
    if state.transparent(state.mover()) {
        let trial = state.trial();
        for kind in (0..NAMES.len() as u8).filter(|kind| state.terms.costs.piece(*kind) <= trial.left()) {
            let piece = dropped(kind, state.position.turn, format!("{}@", Guess::Buy(kind)), "Guess a new");
            let squares = (!state.position.occupied()).filter(|square| trial.drop(kind, *square).is_ok());
            choices.extend(squares.map(|to| {
                let guess = Guess::BuyDrop(kind, to);
                let label = format!("{} on {to}: {}Z", piece.words, pays(guess));
                Choice { action: guess.to_string(), label, kind: ChoiceKind::Drop { piece: piece.clone(), to } }
            }));
        }
    }
    choices
}
