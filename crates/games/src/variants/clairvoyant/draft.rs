//! Drafts: an action that a player is building part by part. For a turn, the draft shows the board so far, the parts that can follow with their
//! prices, and those that are too expensive. For a sheet, it shows the earnings of every guess. The result is a view for that player only; nothing
//! is stored.

use std::iter::Peekable;

use super::{
    action::{self, Turn, words},
    guess_sheet::{Guess, Sheet, full, kind_of, letter, piece_name},
    predictions::{self, Draft, Part, dropped},
    prices::NAMES,
    shop,
    state::{self, Phase, State},
    turn_builder::{Fault, PlayedTurn, Trial, possible},
    turn_history::TurnStatus,
    view::{self, View},
};
use crate::{
    board::Board,
    rules::{Choice, ChoiceKind, Dropped, Seat},
};

/// The view of `seat` with the draft `text`, if the seat has to play a turn or submit a sheet. Tokens that do not fit are left out and reported.
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

/// A part of a turn with its price.
fn described(trial: &Trial, part: &action::Part, amount: i64) -> Part {
    let (piece, short, words) = match part {
        action::Part::Drop(kind, square) => {
            let name = NAMES[usize::from(*kind)];
            (name, format!("on {square}"), format!("a new {name} on {square}"))
        }
        action::Part::Move(uci) => {
            let name = piece_name(&trial.position, uci.from);
            let (short, words) = (format!("{}–{}", uci.from, uci.to), format!("{name} {} to {}", uci.from, uci.to));
            match uci.promotion.and_then(|promotion| kind_of(promotion.to_ascii_uppercase())) {
                Some(kind) => {
                    let promoted = NAMES[usize::from(kind)];
                    (name, format!("{short}={}", letter(kind)), format!("{words}, promoted to a {promoted}"))
                }
                None => (name, short, words),
            }
        }
    };
    Part { text: part.to_string(), words, short, piece: Some(piece), amount, wrong: String::new() }
}

/// Explains why a token cannot be added here.
fn left_out(trial: &Trial, word: &str, fault: Result<(action::Part, Fault), String>) -> String {
    match fault {
        Ok((part, Fault::Money { price, left })) => {
            let Part { words, .. } = described(trial, &part, price);
            let mut letters = words.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase());
            format!(
                "{}{} costs {price}Z, and you have {left}Z.",
                first.into_iter().collect::<String>(),
                letters.as_str()
            )
        }
        Ok((_, fault)) => format!("“{word}” was left out: {}.", fault.message()),
        Err(why) => format!("“{word}” was left out: {why}."),
    }
}

/// Explains why a piece that was chosen without a square cannot be dropped, or asks for the square. `None` for any other token.
fn in_hand(state: &State, trial: &Trial, word: &str) -> Option<String> {
    let mut letters = word.strip_suffix('@')?.chars();
    let kind = letters.next().and_then(kind_of).filter(|_| letters.next().is_none())?;
    let (name, price, left) = (NAMES[usize::from(kind)], state.terms.costs.piece(kind), trial.left());
    Some(match price > left {
        _ if !trial.droppable() => "Bought pieces are dropped before any move of the turn.".to_owned(),
        true => format!("A new {name} costs {price}Z, and you have {left}Z."),
        false => format!("Choose a square for the {name}."),
    })
}

/// The tokens before the parts of a turn.
#[derive(Default)]
struct Opening {
    disclose: bool,
    locks: u8,
}

impl Opening {
    /// Takes the opening from the tokens of a turn. The error explains why it was left out.
    fn read<'t>(words: &mut Peekable<impl Iterator<Item = &'t str>>, view: &View) -> Result<Opening, String> {
        let disclose = words.next_if_eq(&"disclose").is_some();
        let number = words.next_if_eq(&"lock").map(|_| words.next().and_then(|word| word.parse::<u8>().ok()));
        let Some(locks) = number.unwrap_or(Some(0)).filter(|locks| *locks <= view.lockable) else {
            return Err(format!("“lock” was left out: write a number up to {} after it.", view.lockable));
        };
        if disclose && !(view.blind && view.undisclosed) {
            return Err("“disclose” was left out: none of your guesses are hidden.".to_owned());
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
        if let Some(why) = in_hand(state, &trial, word) {
            refused = Some(why);
            words.next();
            break;
        }
        let read = word.parse::<action::Part>().map_err(|refusal| Err(refusal.why));
        let fits = read.and_then(|part| match state.banned(&part) && lines.is_empty() {
            true => Err(Err(state::banned_start(&part))),
            false => trial.part(&part).map(|next| (part, next)).map_err(|fault| Ok((part, fault))),
        });
        match fits {
            Ok((part, next)) => {
                lines.push(described(&trial, &part, next.price() - trial.price()));
                said.parts.push(part);
                trial = next;
                words.next();
            }
            Err(fault) => {
                // A part that is too expensive stays so. Anything else may be a typing error, so it is kept in the rest.
                let dear = matches!(fault, Ok((_, Fault::Money { .. })));
                refused = Some(left_out(&trial, word, fault));
                if dear {
                    words.next();
                }
                break;
            }
        }
    }
    let rest = words.collect::<Vec<_>>().join(" ");
    let finished = trial.clone().finish();
    let unfinished = match &finished {
        Err(fault) if !lines.is_empty() => fault.message(),
        Err(_) => String::new(),
        Ok(played) => state.banned_repeat(&said.parts, &played.after).unwrap_or_default(),
    };
    if let Ok(played) = &finished {
        view.at(&played.after, played.touched());
    } else {
        view.at(&trial.position, Vec::new());
    }
    let choices = continued(state, &trial, lines.is_empty());
    let open = !choices.is_empty();
    view.offer(said.to_string(), choices);
    view.too_dear(too_expensive(state, &trial, &said));
    view.shop = trial.droppable().then(|| shop::shop(state, &trial));
    view.draft = Some(Draft {
        lines,
        disclose: opening.disclose,
        locks: opening.locks,
        price: trial.price(),
        left: trial.left(),
        unfinished,
        refused,
        rest,
        extra: None,
        repeatable: String::new(),
        open,
    });
}

/// The moves and drops that may follow. Excludes moves after which the turn could neither end nor continue.
fn continued(state: &State, trial: &Trial, first: bool) -> Vec<Choice> {
    let board = Board::orthodox();
    let cheapest = state.terms.costs.cheapest_move();
    let goes_on = |next: &Trial| next.bought_next().is_some() && next.left() >= cheapest;
    let moves = possible(&trial.position, state.homes).into_iter().filter_map(|mv| {
        let uci = board.uci(mv);
        let next = trial.add_move(mv).ok().filter(|_| !first || !state.banned(&action::Part::Move(uci)))?;
        let cost = next.price() - trial.price();
        let amount = Some(cost).filter(|cost| *cost > 0);
        let ends = |played: PlayedTurn| state.banned_repeat(&played.turn.parts, &played.after).is_none();
        let fits = goes_on(&next) || next.finish().is_ok_and(ends);
        let price = if cost == 0 { String::new() } else { format!(" for {cost}Z") };
        let label = format!("{uci}{price}");
        fits.then(|| Choice { label, amount, ..Choice::of_move(board, &trial.position, mv) })
    });
    let mut choices: Vec<Choice> = moves.collect();
    for kind in 0..NAMES.len() as u8 {
        if !trial.droppable() || state.terms.costs.piece(kind) > trial.left() {
            continue;
        }
        let amount = Some(state.terms.costs.piece(kind));
        let piece = Dropped { amount, ..dropped(kind, trial.position.turn, format!("{}@", letter(kind)), "Drop a") };
        let squares = (!trial.position.occupied()).filter(|square| trial.drop(kind, *square).is_ok());
        let squares = squares.filter(|square| !first || !state.banned(&action::Part::Drop(kind, *square)));
        choices.extend(squares.map(|to| Choice {
            action: action::Part::Drop(kind, to).to_string(),
            label: format!("{} on {to}", piece.words),
            kind: ChoiceKind::Drop { piece: piece.clone(), to: to.into() },
            amount,
            whole: false,
        }));
    }
    choices
}

/// The moves and drops that are too expensive; for each piece type only one drop.
fn too_expensive(state: &State, trial: &Trial, said: &Turn) -> Vec<Choice> {
    let rich = state.trial().of_purse(i64::MAX);
    let Ok(rich) = said.parts.iter().try_fold(rich, |trial, part| trial.part(part)) else { return Vec::new() };
    let mut choices = continued(state, &rich, said.parts.is_empty());
    choices.retain(|choice| choice.amount.is_some_and(|amount| amount > trial.left()));
    choices.dedup_by(|choice, before| match (&choice.kind, &before.kind) {
        (ChoiceKind::Drop { piece, .. }, ChoiceKind::Drop { piece: other, .. }) => piece == other,
        (_, _) => false,
    });
    for choice in &mut choices {
        choice.label = format!("too expensive, {}", choice.label);
    }
    choices
}

/// Fills in the draft of a sheet. Each token is a guess at its own place, and an extra space leaves a place empty. Surplus guesses fill the empty
/// places. Tokens that are no guesses stay in their places with an error. Guesses at pieces that cannot move are left out and reported.
fn sheet(state: &State, text: &str, view: &mut View) {
    let pays = predictions::pays(state);
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
    let movable = predictions::movable(state);
    for place in &mut places {
        let Ok(Guess::Unit(unit) | Guess::UnitTo(unit, _)) = place.parse() else { continue };
        if state.position.of(state.position.turn).has(unit) && !movable.has(unit) {
            refused = Some(format!("“{place}” was left out: {}.", predictions::cannot_move(state, unit)));
            *place = "";
        }
    }
    let read = |word: &str| {
        let sheet = Sheet { guesses: vec![word.parse::<Guess>()?] };
        sheet.check(&state.position, state.slots).map(|()| sheet.guesses[0])
    };
    let mut guesses = Vec::new();
    let mut lines = Vec::new();
    for place in &places {
        lines.push(match read(place) {
            _ if place.is_empty() => Part::default(),
            Ok(guess) => {
                guesses.push((guess, pays(guess)));
                predictions::line(state, guess, pays(guess))
            }
            Err(refusal) => Part { text: (*place).to_owned(), wrong: refusal.why, ..Part::default() },
        });
    }
    let open = places.iter().any(|place| place.is_empty());
    let said = format!("guess {}", places.join(" "));
    view.offer(said.trim_end().to_owned(), if open { predictions::guessable(state, &pays) } else { Vec::new() });
    view.too_dear(if open { predictions::impossible(state, &pays) } else { Vec::new() });
    view.foretell(predictions::on_board(state, &guesses));
    let may_repeat = |guess: &&Guess| match guess {
        Guess::Unit(unit) | Guess::UnitTo(unit, _) => movable.has(*unit),
        Guess::Buy(_) | Guess::BuyDrop(..) | Guess::Extra => true,
    };
    let last = last_sheet(state).filter(|_| guesses.is_empty()).into_iter().flat_map(|sheet| &sheet.guesses);
    let repeatable: Vec<String> =
        last.filter(may_repeat).map(Guess::to_string).filter(|guess| read(guess).is_ok()).collect();
    let extra = open && state.may_pay(state.terms.costs.cheapest_move());
    view.draft = Some(Draft {
        lines,
        disclose: false,
        locks: 0,
        price: 0,
        left: 0,
        unfinished: String::new(),
        refused,
        rest: String::new(),
        repeatable: repeatable.join(" "),
        extra: extra.then(|| predictions::line(state, Guess::Extra, pays(Guess::Extra))),
        open,
    });
}

/// The last settled sheet of the player who guesses now.
fn last_sheet(state: &State) -> Option<&Sheet> {
    let own = state.records.iter().rev().filter(|record| record.mover == state.mover());
    own.filter_map(|record| match &record.fate {
        TurnStatus::Settled { sheet, .. } => sheet.as_ref().map(|(sheet, _)| sheet),
        TurnStatus::Open | TurnStatus::Retracted { .. } => None,
    })
    .next()
}
