//! Actions of Clairvoyant Chess as text: turns made of drops and moves, guess sheets, and answers. Independent of any position.

use std::{fmt, str::FromStr};

use super::guess_sheet::{Guess, Sheet, kind_of, letter};
use crate::{
    board::{Square, Uci},
    rules::Refusal,
};

/// Maximum length of an action in bytes. A turn with a drop on every square is shorter.
pub(super) const LONGEST: usize = 512;

/// Examples of actions, for error messages.
const ACTION_EXAMPLES: &str = "a turn as in e2e4 or N@f5 P@b3, a sheet as in guess e2 g1f3 $N, accept or retract";

/// One part of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A drop of a bought piece on an empty square: `N@f5`.
    Drop(u8, Square),
    /// A move: `e2e4`.
    Move(Uci),
}

/// A whole turn: drops first, then moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Turn {
    /// The parts in order; at least one in a legal turn.
    pub parts: Vec<Part>,
}

/// An action of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A guess sheet.
    Guess(Sheet),
    /// A turn.
    Turn {
        /// First discloses all guesses of the player (blind games).
        disclose: bool,
        /// Number of retraction guesses: guesses of the player's own next sheet, staked on this turn being forced back.
        locks: u8,
        /// The turn itself.
        turn: Turn,
    },
    /// An answer to a turn.
    Answer {
        /// First discloses all guesses of the player (blind games).
        disclose: bool,
        /// Forces the turn back; otherwise accepts it.
        retract: bool,
    },
    /// Discloses all guesses of the player and does nothing else (blind games).
    Disclose,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Drop(kind, square) => write!(f, "{}@{square}", letter(*kind)),
            Part::Move(uci) => uci.fmt(f),
        }
    }
}

impl FromStr for Part {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Part, Refusal> {
        let Some((piece, square)) = text.split_once('@') else { return Ok(Part::Move(text.parse()?)) };
        let mut letters = piece.chars();
        match (letters.next().and_then(kind_of), letters.next(), square.parse()) {
            (Some(kind), None, Ok(square)) => Ok(Part::Drop(kind, square)),
            (Some(_), None, Err(_)) => {
                Err(Refusal::at(piece.len() + 1, "write the square of the drop after the @, as in N@f5"))
            }
            (Some(_) | None, _, _) => {
                Err(Refusal::at(0, "a drop starts with one of the letters P N B R Q K, as in N@f5"))
            }
        }
    }
}

impl Turn {
    /// The turn as in the move list: `e2e4+d2d4`.
    pub fn written(&self) -> String {
        joined(&self.parts, "+")
    }

    /// Byte offset of a part in the text of the turn.
    pub fn offset(&self, part: usize) -> usize {
        self.parts.iter().take(part).map(|part| part.to_string().len() + 1).sum()
    }
}

/// Parses a turn, with its parts separated by spaces or, as in move lists, by `+`.
impl FromStr for Turn {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Turn, Refusal> {
        let mut turn = Turn::default();
        let mut at = 0;
        for part in text.split(['+', ' ']) {
            turn.parts.push(part.parse().map_err(|refusal| moved(at, refusal))?);
            at += part.len() + 1;
        }
        Ok(turn)
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.parts, " "))
    }
}

fn joined(parts: &[Part], between: &str) -> String {
    parts.iter().map(Part::to_string).collect::<Vec<_>>().join(between)
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let opening = |disclose: &bool| if *disclose { "disclose " } else { "" };
        match self {
            Action::Guess(sheet) => sheet.fmt(f),
            Action::Turn { disclose, locks: 0, turn } => write!(f, "{}{turn}", opening(disclose)),
            Action::Turn { disclose, locks, turn } => write!(f, "{}lock {locks} {turn}", opening(disclose)),
            Action::Answer { disclose, retract } => {
                write!(f, "{}{}", opening(disclose), if *retract { "retract" } else { "accept" })
            }
            Action::Disclose => f.write_str("disclose"),
        }
    }
}

/// The tokens of a text, each with its byte offset.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split(' ').filter_map(move |word| {
        let begins = at;
        at += word.len() + 1;
        (!word.is_empty()).then_some((begins, word))
    })
}

/// Moves the position in a refusal of one token to the position in the whole text.
fn moved(at: usize, refusal: Refusal) -> Refusal {
    Refusal { at: Some(at + refusal.at.unwrap_or(0)), ..refusal }
}

impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Action, Refusal> {
        if text.len() > LONGEST {
            return Err(Refusal::at(LONGEST, format!("an action has at most {LONGEST} characters")));
        }
        let mut words = words(text).peekable();
        // A guess that cannot be part of a turn starts a sheet without the word guess.
        let guess = |word: &str| word.parse::<Guess>().is_ok() && word.parse::<Part>().is_err();
        let bare = words.peek().is_some_and(|(_, word)| guess(word));
        if bare || words.next_if(|(_, word)| *word == "guess").is_some() {
            let guesses: Result<Vec<Guess>, Refusal> =
                words.map(|(at, word)| word.parse().map_err(|refusal| moved(at, refusal))).collect();
            return Ok(Action::Guess(Sheet { guesses: guesses? }));
        }
        let disclose = words.next_if(|(_, word)| *word == "disclose").is_some();
        let Some((_, first)) = words.peek().copied() else {
            return match disclose {
                true => Ok(Action::Disclose),
                false => Err(Refusal::at(0, format!("the action is empty; write {ACTION_EXAMPLES}"))),
            };
        };
        if let "accept" | "retract" = first {
            words.next();
            return match words.next() {
                None => Ok(Action::Answer { disclose, retract: first == "retract" }),
                Some((at, _)) => Err(Refusal::at(at, format!("write nothing after {first}"))),
            };
        }
        let locks = if words.next_if(|(_, word)| *word == "lock").is_some() {
            match words.next().map(|(at, word)| (at, word.parse::<u8>())) {
                Some((_, Ok(locks))) => locks,
                Some((at, Err(_))) => return Err(Refusal::at(at, "write a number after lock, as in lock 2 e2e4")),
                None => return Err(Refusal::at(text.len(), "write a number and a turn after lock, as in lock 2 e2e4")),
            }
        } else {
            0
        };
        let mut turn = Turn::default();
        for (at, word) in words {
            // The intention behind a single short token is unclear, so the message lists all kinds of actions.
            let strange = |refusal| match word.len() {
                0..4 if at == 0 => Refusal::at(0, format!("“{word}” is not an action; write {ACTION_EXAMPLES}")),
                _ => moved(at, refusal),
            };
            turn.parts.push(word.parse().map_err(strange)?);
        }
        match turn.parts.is_empty() {
            true => Err(Refusal::at(text.len(), "the turn is missing; write one such as e2e4 or N@f5")),
            false => Ok(Action::Turn { disclose, locks, turn }),
        }
    }
}
