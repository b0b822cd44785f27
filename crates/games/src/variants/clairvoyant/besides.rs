//! The grammar of Clairvoyant Chess: what is said in which phase, and what of it fits now, for programs.

use super::{
    action::Action,
    state::{Phase, Retraction, State},
};
use crate::rules::{Phrase, Seat};

/// The parts of a turn, as a blank: no turn has more than one for every square.
const PARTS: &str = "{part 1..64}";

pub(super) const PHRASES: &[Phrase] = &[
    Phrase {
        phases: &["guess"],
        text: "guess {guess 1..most}",
        words: "The guesser’s sheet: what the other side’s turn will hold.",
    },
    Phrase { phases: &["guess"], text: "guess", words: "An empty sheet." },
    Phrase {
        phases: &["guess", "turn"],
        text: "{part 1..64}",
        words: "The mover’s turn: one move is free; more moves, and drops in the place of it, are bought.",
    },
    Phrase {
        phases: &["guess", "turn"],
        text: "lock {1..most} {part 1..64}",
        words: "The same, with so many guesses of the own next sheet staked on its being forced back.",
    },
    Phrase { phases: &["response"], text: "accept", words: "The turn stands." },
    Phrase { phases: &["response"], text: "retract", words: "The turn is forced back, which costs money." },
    Phrase {
        phases: &["guess", "turn", "response"],
        text: "disclose",
        words: "In blind games: all your guesses are opened, and you are asked again.",
    },
    Phrase {
        phases: &["guess", "turn"],
        text: "disclose {part 1..64}",
        words: "In blind games: the same before a turn.",
    },
    Phrase {
        phases: &["guess", "turn"],
        text: "disclose lock {1..most} {part 1..64}",
        words: "In blind games: the same before a turn with a stake.",
    },
    Phrase {
        phases: &["response"],
        text: "disclose accept",
        words: "In blind games: the same before the turn stands.",
    },
    Phrase {
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
