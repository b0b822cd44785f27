//! Guess sheets as text, and the letters of the orthodox pieces. The earnings of a guess are in `prices`.

use std::{fmt, str::FromStr};

use super::prices::NAMES;
use crate::{
    board::{Board, Color, Position, Square},
    rules::Refusal,
};

/// One guess about the opponent's next turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guess {
    /// The piece on this square moves: `e2`.
    Unit(Square),
    /// The piece on the first square moves to the second: `e2e4`.
    UnitTo(Square, Square),
    /// A piece of this type is bought: `$N`.
    Buy(u8),
    /// A piece of this type is bought and dropped on this square: `$N@f5`.
    BuyDrop(u8, Square),
    /// A move is bought: `extra`.
    Extra,
}

/// All guesses about one turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sheet {
    /// The guesses, in the order in which they were written.
    pub guesses: Vec<Guess>,
}

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Guess::Unit(square) => square.fmt(f),
            Guess::UnitTo(from, to) => write!(f, "{from}{to}"),
            Guess::Buy(kind) => write!(f, "${}", letter(*kind)),
            Guess::BuyDrop(kind, square) => write!(f, "${}@{square}", letter(*kind)),
            Guess::Extra => f.write_str("extra"),
        }
    }
}

impl Guess {
    /// The guess in words, about a turn from `position`: `the pawn on e2 moves to e4`.
    pub(super) fn words(self, position: &Position) -> String {
        let unit = |square| format!("the {} on {square}", piece_name(position, square));
        let name = |kind: u8| NAMES[usize::from(kind)];
        match self {
            Guess::Unit(square) => format!("{} moves", unit(square)),
            Guess::UnitTo(square, to) => format!("{} moves to {to}", unit(square)),
            Guess::Buy(kind) => format!("a {} is bought", name(kind)),
            Guess::BuyDrop(kind, square) => format!("a {} is dropped on {square}", name(kind)),
            Guess::Extra => "a move is bought".to_owned(),
        }
    }
}

/// Name of the piece on a square.
pub(super) fn piece_name(position: &Position, square: Square) -> &'static str {
    position.piece(square).map_or("piece", |piece| NAMES[usize::from(piece.kind)])
}

impl FromStr for Guess {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Guess, Refusal> {
        if text == "extra" {
            return Ok(Guess::Extra);
        }
        let square = |at: usize, text: &str| -> Result<Square, Refusal> {
            text.parse().map_err(|_| {
                Refusal::at(
                    at,
                    "a guess is a piece (e2), a piece and its destination (e2e4), a purchase ($N or $N@f5) or extra",
                )
            })
        };
        if let Some(bought) = text.strip_prefix('$') {
            let piece = bought.chars().next().and_then(kind_of);
            let Some(kind) = piece else {
                return Err(Refusal::at(1, "write one of the letters P N B R Q K after the $, as in $N or $N@f5"));
            };
            return match &bought[1..] {
                "" => Ok(Guess::Buy(kind)),
                drop => match drop.strip_prefix('@') {
                    Some(to) => Ok(Guess::BuyDrop(kind, square(3, to)?)),
                    None => Err(Refusal::at(2, "write an @ between the piece and its square, as in $N@f5")),
                },
            };
        }
        let parts = (text.get(..2), text.get(2..4), text.get(4..));
        match parts {
            (Some(from), None, _) if text.len() == 2 => Ok(Guess::Unit(square(0, from)?)),
            (Some(from), Some(to), Some("")) => Ok(Guess::UnitTo(square(0, from)?, square(2, to)?)),
            (Some(from), Some(to), Some(_)) if square(0, from).and(square(2, to)).is_ok() => {
                Err(Refusal::at(4, "a guess has no promotion letter: leave it out"))
            }
            (_, _, _) => Err(square(0, "").expect_err("an empty text is not a square")),
        }
    }
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("guess")?;
        self.guesses.iter().try_for_each(|guess| write!(f, " {guess}"))
    }
}

impl Sheet {
    /// Checks that the sheet has at most `slots` guesses and names only pieces of the mover. Impossible moves are allowed but earn nothing.
    pub fn check(&self, position: &Position, slots: u8) -> Result<(), Refusal> {
        let mover = position.turn;
        let mut at = "guess ".len();
        for (number, guess) in self.guesses.iter().enumerate() {
            if number >= usize::from(slots) {
                return Err(Refusal::at(at, full(slots)));
            }
            match guess {
                Guess::Unit(square) | Guess::UnitTo(square, _) => names(position, mover, *square, at)?,
                Guess::Buy(_) | Guess::BuyDrop(..) | Guess::Extra => {}
            }
            at += guess.to_string().len() + 1;
        }
        Ok(())
    }
}

pub(super) fn full(slots: u8) -> String {
    match slots {
        0 => "you staked all guesses of this sheet: write guess without any".to_owned(),
        1 => "this sheet has room for only one guess; leave out the others".to_owned(),
        more => format!("this sheet has room for only {more} guesses; leave out the others"),
    }
}

fn names(position: &Position, mover: Color, square: Square, at: usize) -> Result<(), Refusal> {
    match position.piece(square) {
        Some(piece) if piece.color == mover => Ok(()),
        Some(_) => Err(Refusal::at(at, format!("the piece on {square} is yours; guess a piece of {}", mover.name()))),
        None => Err(Refusal::at(
            at,
            format!(
                "there is no piece on {square}; guess a piece of {}, or write both squares of its move, as in e2e4",
                mover.name()
            ),
        )),
    }
}

/// Letter of an orthodox piece type: `N`.
pub(super) fn letter(kind: u8) -> char {
    Board::orthodox().kind(kind).letter
}

/// The piece type of an upper-case letter.
pub(super) fn kind_of(letter: char) -> Option<u8> {
    letter.is_ascii_uppercase().then(|| Board::orthodox().kind_of(letter)).flatten()
}
