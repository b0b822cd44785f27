//! Actions of a player and their texts, which are the only encoding.
//!
//! An action keeps a piece's text as written, because the meaning of inventions depends on the game.

use std::{fmt, str::FromStr};

use super::inventions::Estimate;
use crate::{
    board::{Betza, BetzaError, Definition, Invention, Square},
    rules::Refusal,
};

/// Maximum length of a piece's text, in bytes. It exceeds [`LONGEST_DESIGN`] because a design's canonical text can be
/// longer than the text it was read from.
const LONGEST: usize = 192;
/// Maximum length of a new design, in characters (our reading: the source sets no limit).
pub const LONGEST_DESIGN: usize = 64;

/// Text of a piece in an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spelling(String);

impl Spelling {
    /// Reads the text at offset `at` of an action, and checks everything that does not depend on the game.
    fn read((at, text): (usize, &str)) -> Result<Spelling, Refusal> {
        if text.len() > LONGEST {
            let near = (0..=LONGEST).rev().find(|near| text.is_char_boundary(*near)).unwrap_or(0);
            return Err(Refusal::at(at + near, format!("a piece has at most {LONGEST} characters")));
        }
        if !text.contains('<') {
            text.parse::<Betza>().map_err(|wrong| Refusal::at(at + wrong.at, format!("{text}: {wrong}")))?;
        }
        match text.bytes().position(|byte| !byte.is_ascii_graphic()) {
            Some(wrong) => Err(Refusal::at(at + wrong, "a piece is written in letters, hyphens and angle brackets")),
            None => Ok(Spelling(text.to_owned())),
        }
    }

    /// Wraps a text that is already known to be valid.
    pub(super) fn known(text: impl Into<String>) -> Spelling {
        Spelling(text.into())
    }

    /// Text as written.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Action of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// `e2e4`, or `e2e4 e4e5` for a piece that may move twice: origin, target, and the second move's target.
    Move(Square, Square, Option<Square>),
    /// `buy WF`.
    Buy(Spelling),
    /// `transfer WF d2`.
    Transfer(Spelling, Square),
    /// `design 4 WFfhN`, slots 1 to 6.
    Design(u8, Spelling),
    /// `keep`: replaces no design.
    Keep,
    /// `invent Horse lame(1,2)`.
    Invent(Invention),
    /// `estimate 2.4`.
    Estimate(Estimate),
    /// `army royal-WF e1 BR d1 …`: sixteen pieces, each with its square.
    Army(Vec<(Spelling, Square)>),
    /// `place WF e2`: one of the sixteen pieces.
    Place(Spelling, Square),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Move(from, to, None) => write!(f, "{from}{to}"),
            Action::Move(from, to, Some(then)) => write!(f, "{from}{to} {to}{then}"),
            Action::Buy(piece) => write!(f, "buy {piece}"),
            Action::Transfer(piece, square) => write!(f, "transfer {piece} {square}"),
            Action::Design(slot, piece) => write!(f, "design {slot} {piece}"),
            Action::Keep => f.write_str("keep"),
            Action::Invent(Invention { name, definition }) => write!(f, "invent {name} {definition}"),
            Action::Estimate(estimate) => write!(f, "estimate {estimate}"),
            Action::Army(pieces) => {
                f.write_str("army")?;
                pieces.iter().try_for_each(|(piece, square)| write!(f, " {piece} {square}"))
            }
            Action::Place(piece, square) => write!(f, "place {piece} {square}"),
        }
    }
}

impl Action {
    /// Reads an action in move-list notation: `e2-e4`, `e2xe4+`, `e2xe4#`, `$WF`, `@e2=WF`.
    pub(super) fn parse_notation(text: &str) -> Option<Action> {
        if let Some(piece) = text.strip_prefix('$') {
            return format!("buy {piece}").parse().ok();
        }
        if let Some((square, piece)) = text.strip_prefix('@').and_then(|rest| rest.split_once('=')) {
            return format!("transfer {piece} {square}").parse().ok();
        }
        let (from, to) = text.trim_end_matches(['+', '#']).split_once(['-', 'x'])?;
        Some(Action::Move(from.parse().ok()?, to.parse().ok()?, None))
    }
}

/// Words of a text, each with its byte offset.
fn split_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(' ').scan(0, |at, word| {
        let start = *at;
        *at += word.len() + 1;
        Some((start, word))
    })
}

fn square((at, text): (usize, &str)) -> Result<Square, Refusal> {
    text.parse().map_err(|wrong: crate::board::BadSquare| Refusal::at(at, wrong.to_string()))
}

/// Reads a move such as `e2e4`.
fn parse_move((at, text): (usize, &str)) -> Result<(Square, Square), Refusal> {
    let two = |from: usize, to: usize| text.get(from..to).map(|part| square((at + from, part)));
    match (two(0, 2), two(2, 4)) {
        (Some(from), Some(to)) if text.len() == 4 => Ok((from?, to?)),
        (_, Some(_)) if text.len() == 5 => {
            Err(Refusal::at(at + 4, "there is no promotion in this game: write two squares, as in e2e4"))
        }
        (_, _) => Err(Refusal::at(
            at,
            "write a move such as e2e4, or one of buy, transfer, design, keep, invent, estimate, army, place with its arguments",
        )),
    }
}

impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        // Leaves room for the longest action, an army.
        if text.len() > 16 * (LONGEST + 4) + 4 {
            return Err(Refusal::new("the text is too long: write one action"));
        }
        let all: Vec<(usize, &str)> = split_words(text).take(40).collect();
        let (first, rest) = (all[0], &all[1..]);
        let usage = |usage: &str| Err(Refusal::at(first.1.len().min(text.len()), format!("write {usage}")));
        match (first.1, rest) {
            ("buy", [piece]) => Ok(Action::Buy(Spelling::read(*piece)?)),
            ("buy", _) => usage("buy and a piece, as in buy WF"),
            ("transfer", [piece, to]) => Ok(Action::Transfer(Spelling::read(*piece)?, square(*to)?)),
            ("transfer", _) => usage("transfer, a piece of your reserve and a square, as in transfer WF d2"),
            ("design", [(at, slot), piece]) => match slot.as_bytes() {
                [slot @ b'1'..=b'6'] => Ok(Action::Design(slot - b'0', design(*piece)?)),
                _ => Err(Refusal::at(*at, "the designs are numbered 1 to 6, as in design 4 WFfhN")),
            },
            ("design", _) => usage("design, a number from 1 to 6 and a piece, as in design 4 WFfhN"),
            ("keep", []) => Ok(Action::Keep),
            ("keep", _) => usage("keep without anything after it"),
            ("invent", [name, definition]) => {
                let here = |at: usize| move |wrong: BetzaError| Refusal::at(at + wrong.at, wrong.why);
                Ok(Action::Invent(Invention {
                    name: name.1.parse().map_err(here(name.0))?,
                    definition: definition.1.parse::<Definition>().map_err(here(definition.0))?,
                }))
            }
            ("invent", _) => usage("invent, a name and a definition, as in invent Horse lame(1,2)"),
            ("estimate", [number]) => Ok(Action::Estimate(Estimate::read(*number)?)),
            ("estimate", _) => usage("estimate and a number, as in estimate 2.4"),
            ("place", [piece, to]) => Ok(Action::Place(design(*piece)?, square(*to)?)),
            ("place", _) => usage("place, a piece and a square, as in place WF e2"),
            ("army", pieces) if pieces.len() == 32 => {
                let pairs = pieces.chunks_exact(2);
                pairs.map(|pair| Ok((design(pair[0])?, square(pair[1])?))).collect::<Result<_, _>>().map(Action::Army)
            }
            ("army", pieces) if pieces.len() % 2 == 0 => Err(Refusal::new(format!(
                "an army has sixteen pieces, each followed by its square: this one has {}",
                pieces.len() / 2
            ))),
            ("army", _) => {
                usage("army and sixteen pieces, each followed by its square, as in army royal-WF e1 BR d1 …")
            }
            (number, []) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') => {
                Ok(Action::Estimate(Estimate::read(first)?))
            }
            (_, []) => parse_move(first).map(|(from, to)| Action::Move(from, to, None)),
            (_, [second]) => {
                let (from, to) = parse_move(first)?;
                match parse_move(*second)? {
                    (again, then) if again == to => Ok(Action::Move(from, to, Some(then))),
                    (_, _) => Err(Refusal::at(5, format!("the second step must start on {to}, where the first ends"))),
                }
            }
            (_, [_, _, ..]) => {
                parse_move(first).and_then(|_| Err(Refusal::at(rest[1].0, "a piece makes at most two steps in a turn")))
            }
        }
    }
}

/// Reads a new design, of at most [`LONGEST_DESIGN`] characters.
fn design((at, text): (usize, &str)) -> Result<Spelling, Refusal> {
    if let Some((near, _)) = text.char_indices().nth(LONGEST_DESIGN) {
        return Err(Refusal::at(
            at + near,
            format!("a design has at most {LONGEST_DESIGN} characters, but this one has {}", text.chars().count()),
        ));
    }
    Spelling::read((at, text))
}
