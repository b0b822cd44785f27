//! Which actions are legal and why another one is not, and the grammar of actions with what of it fits now, for programs.

use super::{Action, Phase, Retraction, State, Turn, state, turn_builder};
use crate::rules::{ActionForm, Actor, End, Outcome, Refusal, Seat, TIME};

/// Checks whether somebody may say something now.
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
            "you are to guess what your opponent will do: write guess and up to three guesses, as in guess e2 g1f3 $N",
        )),
        (_, Phase::Both | Phase::Turn) if moves => {
            Err(Refusal::at(0, "it is your turn to move: write a turn such as e2e4, N@f5 or e2e4 d2d4"))
        }
        (_, Phase::Response) if !moves => {
            Err(Refusal::at(0, "you are to answer your opponent’s turn: write accept or retract"))
        }
        (_, Phase::Both | Phase::Turn | Phase::Response) => Err(Refusal::new("it is not your turn")),
    }
}

/// Checks whether a seat may open its guesses here: in a blind game, when something of its own is hidden.
fn may_disclose(state: &State, seat: Seat) -> Result<(), Refusal> {
    if !state.terms.blind {
        Err(Refusal::at(0, "nothing is hidden for long here: only in a blind game is there something to disclose"))
    } else if !state.hides(seat) {
        Err(Refusal::at(0, "all your guesses are open already; leave disclose out"))
    } else {
        Ok(())
    }
}

/// Checks a turn, which begins at `prefix` in what was said.
fn check_turn(state: &State, locks: u8, turn: &Turn, prefix: usize) -> Result<(), Refusal> {
    let left = state.terms.guesses.saturating_sub(state.locked);
    if locks > left {
        return Err(Refusal::at(
            prefix.saturating_sub(2),
            format!("you can stake {left} guesses on being forced back here, not {locks}"),
        ));
    }
    let first = turn.parts.first();
    if let Some(first) = first.filter(|first| state.banned(first)) {
        return Err(Refusal::at(prefix, state::begins(first)));
    }
    let refuse = |(part, fault): (usize, turn_builder::Fault)| Refusal::at(prefix + turn.offset(part), fault.words());
    let played = state.trial().play(turn).map_err(refuse)?;
    match state.brings_back(&played.turn.parts, &played.after) {
        Some(why) => Err(Refusal::at(prefix, format!("{why}: play something else"))),
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
            Err(Refusal::new(format!("forcing it back costs {price}Z here, and you have {purse}Z; write accept")))
        }
        Retraction::OnlyMove => {
            Err(Refusal::new("this turn cannot be forced back: there is no other free move; write accept"))
        }
    }
}

/// The meaning of a way to stop.
pub(super) fn stopped(state: &State, seat: Seat, end: End) -> Result<Outcome, Refusal> {
    let claim = || {
        if seat != state.mover() || state.phase == Phase::Response {
            return Err(Refusal::new("a draw is claimed by the player who is to move, before moving"));
        }
        state.claim().map(Outcome::Draw).ok_or_else(|| {
            Refusal::new(
                "no draw can be claimed: that takes a stalemate, the same position for the third time, or 50 moves without a capture, a pawn move or a drop",
            )
        })
    };
    // Pieces can be bought, so nobody is ever out of mating material.
    end.outcome(seat, claim, || Outcome::Win(!seat, TIME))
}

/// The parts of a turn, as a blank: no turn has more than one for every square.
const PARTS: &str = "{part 1..64}";

pub(super) const PHRASES: &[ActionForm] = &[
    ActionForm {
        phases: &["guess"],
        text: "guess {guess 1..most}",
        words: "The guesser’s sheet: what the other side’s turn will hold.",
    },
    ActionForm { phases: &["guess"], text: "guess", words: "An empty sheet." },
    ActionForm {
        phases: &["guess", "turn"],
        text: "{part 1..64}",
        words: "The mover’s turn: one move is free; more moves, and drops in the place of it, are bought.",
    },
    ActionForm {
        phases: &["guess", "turn"],
        text: "lock {1..most} {part 1..64}",
        words: "The same, with so many guesses of the own next sheet staked on its being forced back.",
    },
    ActionForm { phases: &["response"], text: "accept", words: "The turn stands." },
    ActionForm { phases: &["response"], text: "retract", words: "The turn is forced back, which costs money." },
    ActionForm {
        phases: &["guess", "turn", "response"],
        text: "disclose",
        words: "In blind games: all your guesses are opened, and you are asked again.",
    },
    ActionForm {
        phases: &["guess", "turn"],
        text: "disclose {part 1..64}",
        words: "In blind games: the same before a turn.",
    },
    ActionForm {
        phases: &["guess", "turn"],
        text: "disclose lock {1..most} {part 1..64}",
        words: "In blind games: the same before a turn with a stake.",
    },
    ActionForm {
        phases: &["response"],
        text: "disclose accept",
        words: "In blind games: the same before the turn stands.",
    },
    ActionForm {
        phases: &["response"],
        text: "disclose retract",
        words: "In blind games: the same before the turn is forced back, which opens them anyway.",
    },
];

/// Lists what a seat that is asked may say besides the choices of its view.
pub(super) fn besides(state: &State, seat: Seat) -> Vec<String> {
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
