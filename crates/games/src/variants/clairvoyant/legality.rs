//! Legality of actions with the reasons of refusals, and the grammar of actions for programs.

use super::{Action, Phase, Retraction, State, Turn, state, turn_builder};
use crate::rules::{ActionForm, Actor, End, Outcome, Refusal, Seat, TIME};

/// Checks whether an action is legal now.
pub(super) fn check(state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
    let Actor::Seat(seat) = actor else { return Err(Refusal::new("only players act in Clairvoyant Chess")) };
    let moves = seat == state.mover();
    match (action, state.phase) {
        (Action::Guess(sheet), Phase::Both) if !moves => sheet.check(&state.position, state.slots),
        (Action::Turn { disclose, locks, turn }, Phase::Both | Phase::Turn) if moves => {
            if *disclose {
                may_disclose(state, seat)?;
            }
            let prefix = action.to_string().len() - turn.to_string().len();
            check_turn(state, *locks, turn, prefix)
        }
        (Action::Answer { disclose, retract }, Phase::Response) if !moves => {
            if *disclose {
                may_disclose(state, seat)?;
            }
            check_answer(state, seat, *retract)
        }
        (Action::Disclose, Phase::Both | Phase::Turn) if moves => may_disclose(state, seat),
        (Action::Disclose, Phase::Response) if !moves => may_disclose(state, seat),
        (_, Phase::Both) if !moves => Err(Refusal::at(
            0,
            "guess your opponent’s turn first: write guess and up to three guesses, as in guess e2 g1f3 $N",
        )),
        (_, Phase::Both | Phase::Turn) if moves => {
            Err(Refusal::at(0, "it is time to move: write a turn such as e2e4, N@f5 or e2e4 d2d4"))
        }
        (_, Phase::Response) if !moves => Err(Refusal::at(0, "answer your opponent’s turn: write accept or retract")),
        (_, Phase::Both | Phase::Turn | Phase::Response) => Err(Refusal::new("it is not your turn")),
    }
}

/// Checks whether a seat may disclose its guesses: only in a blind game, and only if some of them are hidden.
fn may_disclose(state: &State, seat: Seat) -> Result<(), Refusal> {
    if !state.terms.blind {
        Err(Refusal::at(0, "guesses can be disclosed only in a blind game; leave disclose out"))
    } else if !state.hides(seat) {
        Err(Refusal::at(0, "all your guesses are already open; leave disclose out"))
    } else {
        Ok(())
    }
}

/// Checks a turn whose text begins at byte `prefix` of the action.
fn check_turn(state: &State, locks: u8, turn: &Turn, prefix: usize) -> Result<(), Refusal> {
    let left = state.terms.guesses.saturating_sub(state.locked);
    if locks > left {
        return Err(Refusal::at(
            prefix.saturating_sub(2),
            format!("you can stake at most {left} guesses on being forced back, not {locks}"),
        ));
    }
    let first = turn.parts.first();
    if let Some(first) = first.filter(|first| state.banned(first)) {
        return Err(Refusal::at(prefix, state::banned_start(first)));
    }
    let refuse = |(part, fault): (usize, turn_builder::Fault)| Refusal::at(prefix + turn.offset(part), fault.message());
    let played = state.trial().play(turn).map_err(refuse)?;
    match state.banned_repeat(&played.turn.parts, &played.after) {
        Some(why) => Err(Refusal::at(prefix, format!("{why}: play another turn"))),
        None => Ok(()),
    }
}

/// Checks an answer to a turn.
fn check_answer(state: &State, seat: Seat, retract: bool) -> Result<(), Refusal> {
    let Some(record) = state.open().filter(|_| retract) else { return Ok(()) };
    let purse = state.purses[seat.index()];
    match state.retraction(&record.played) {
        Retraction::For(price) if price <= purse => Ok(()),
        Retraction::For(price) => {
            Err(Refusal::new(format!("forcing this turn back costs {price}Z, and you have {purse}Z; write accept")))
        }
        Retraction::OnlyMove => {
            Err(Refusal::new("this turn cannot be forced back because there is no other free move; write accept"))
        }
    }
}

/// The outcome when `seat` stops the game this way.
pub(super) fn stopped(state: &State, seat: Seat, end: End) -> Result<Outcome, Refusal> {
    let claim = || {
        if seat != state.mover() || state.phase == Phase::Response {
            return Err(Refusal::new("only the player to move can claim a draw, before moving"));
        }
        state.claim().map(Outcome::Draw).ok_or_else(|| {
            Refusal::new(
                "no draw can be claimed: that needs a stalemate, the third occurrence of a position, or 50 moves without a capture, a pawn move or a drop",
            )
        })
    };
    // Pieces can be bought, so there is always mating material.
    end.outcome(seat, claim, || Outcome::Win(!seat, TIME))
}

/// Grammar of the parts of a turn, at most one for every square.
const PARTS: &str = "{part 1..64}";

pub(super) const PHRASES: &[ActionForm] = &[
    ActionForm {
        phases: &["guess"],
        text: "guess {guess 1..most}",
        words: "The guesser’s sheet: guesses about the opponent’s turn.",
    },
    ActionForm { phases: &["guess"], text: "guess", words: "An empty sheet." },
    ActionForm {
        phases: &["guess", "turn"],
        text: "{part 1..64}",
        words: "The mover’s turn: one free move, or drops instead of it; drops and further moves are bought.",
    },
    ActionForm {
        phases: &["guess", "turn"],
        text: "lock {1..most} {part 1..64}",
        words: "The same, with this many guesses of the mover’s next sheet staked on being forced back.",
    },
    ActionForm { phases: &["response"], text: "accept", words: "Accepts the turn." },
    ActionForm { phases: &["response"], text: "retract", words: "Forces the turn back, at a price." },
    ActionForm {
        phases: &["guess", "turn", "response"],
        text: "disclose",
        words: "In blind games: opens all your guesses; you still have to act.",
    },
    ActionForm {
        phases: &["guess", "turn"],
        text: "disclose {part 1..64}",
        words: "In blind games: opens all your guesses, then plays a turn.",
    },
    ActionForm {
        phases: &["guess", "turn"],
        text: "disclose lock {1..most} {part 1..64}",
        words: "In blind games: opens all your guesses, then plays a turn with staked guesses.",
    },
    ActionForm {
        phases: &["response"],
        text: "disclose accept",
        words: "In blind games: opens all your guesses, then accepts the turn.",
    },
    ActionForm {
        phases: &["response"],
        text: "disclose retract",
        words: "In blind games: forces the turn back, which opens all your guesses in any case.",
    },
];

/// The actions of a seat that its view does not list.
pub(super) fn unlisted_actions(state: &State, seat: Seat) -> Vec<String> {
    let opens = state.terms.blind && state.hides(seat);
    match state.phase {
        Phase::Both | Phase::Turn if seat == state.mover() => {
            let mut words = Vec::new();
            if state.free_moves().is_empty() {
                words.extend(state.rescue().map(|turn| Action::Turn { disclose: false, locks: 0, turn }.to_string()));
            }
            let stake = state.terms.guesses.saturating_sub(state.locked);
            let turns = [PARTS.to_owned(), format!("lock {{1..{stake}}} {PARTS}")];
            let turns = &turns[..if stake > 0 { 2 } else { 1 }];
            if opens {
                words.push(Action::Disclose.to_string());
            }
            words.extend_from_slice(turns);
            if opens {
                words.extend(turns.iter().map(|turn| format!("disclose {turn}")));
            }
            words
        }
        Phase::Both => {
            let sheet = (state.slots > 0).then(|| format!("guess {{guess 1..{}}}", state.slots));
            std::iter::once("guess".to_owned()).chain(sheet).collect()
        }
        Phase::Response if opens => {
            let purse = state.purses[seat.index()];
            let retraction = state.open().map(|record| state.retraction(&record.played));
            let retract = matches!(retraction, Some(Retraction::For(price)) if price <= purse);
            let answers = ["disclose", "disclose accept", "disclose retract"];
            answers[..if retract { 3 } else { 2 }].iter().map(|answer| (*answer).to_owned()).collect()
        }
        Phase::Turn | Phase::Response => Vec::new(),
    }
}
