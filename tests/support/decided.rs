//! Positions and chip counts from which one side wins the open auction by force, often with no chip to spare.

use crate::adversary::{Adversary, Known};
use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use zorkmid_games::{
    board::{Board, Color},
    rules::{
        Endgame,
        endgame::{Bank, NextStep},
    },
};

/// A position that one side wins by force.
#[derive(Clone, Debug)]
pub(crate) struct Decided {
    /// The winning side.
    pub(crate) hero: Color,
    /// Chips of the winning side, and the fewest with which it wins.
    own: i64,
    enough: i64,
    fen: String,
    known: (i64, bool),
}

impl Decided {
    /// A random position with any material, bidder and winning side.
    pub(crate) fn any(known: &Known, rng: &mut StdRng) -> Decided {
        loop {
            let kind = *["R", "N", "B", "Q", "P", "r", "n", "b", "q", "p", ""].choose(rng).unwrap();
            let fen = format!("{} {} - - 0 1", random_position(rng, kind), if rng.random() { "w" } else { "b" });
            let hero = if rng.random() { Color::White } else { Color::Black };
            let (total, negative) = (known.total(), known.negative());
            let with = |own: i64| Decided { hero, own, enough: own, fen: fen.clone(), known: (total, negative) };
            let lost = |own: i64| Adversary::at(known, &with(own).moment(), hero).lost();
            if lost(total - 1).is_none() {
                continue;
            }
            // More chips never hurt, so a binary search finds the fewest.
            let (mut few, mut enough) = (0, total - 1);
            while enough - few > 1 {
                let middle = (few + enough) / 2;
                if lost(middle).is_some() { enough = middle } else { few = middle }
            }
            let spare = if rng.random() { rng.random_range(0..total - enough) } else { 0 };
            return Decided { own: enough + spare, enough, ..with(enough) };
        }
    }

    /// The same position with one chip too few to win, if that leaves any.
    pub(crate) fn undecided(&self) -> Option<Decided> {
        (self.enough > 1).then(|| Decided { own: self.enough - 1, ..self.clone() })
    }

    /// Chips of both sides, White's first.
    fn chips(&self) -> [i64; 2] {
        let other = self.known.0 - self.own;
        if self.hero == Color::White { [self.own, other] } else { [other, self.own] }
    }

    /// Options of the game.
    pub(crate) fn options(&self) -> Value {
        let [white, black] = self.chips();
        json!({"fen": self.fen, "white": white, "black": black, "scheme": "open", "negative": self.known.1})
    }

    /// The state that the tables evaluate at the start. The side not to move in the FEN has just moved, and bids.
    pub(crate) fn moment(&self) -> Endgame {
        let position = Board::orthodox().parse_fen(&self.fen).unwrap();
        Endgame {
            position,
            next_step: NextStep::Offer(!position.turn),
            chips: Some(self.chips()),
            sealed: None,
            bank: Bank::Nothing,
            negative: self.known.1,
            turns_left: i64::MAX,
        }
    }
}

/// Random placement of both kings and perhaps another piece, White's in capitals.
pub(crate) fn random_position(rng: &mut StdRng, piece: &str) -> String {
    loop {
        let mut squares = [[' '; 8]; 8];
        let mut put = |letter: char, rng: &mut StdRng| {
            let rank = if letter.eq_ignore_ascii_case(&'p') { rng.random_range(1..7) } else { rng.random_range(0..8) };
            squares[rank][rng.random_range(0..8)] = letter;
        };
        put('K', rng);
        put('k', rng);
        piece.chars().for_each(|letter| put(letter, rng));
        let rank = |rank: &[char; 8]| {
            let text: String = rank.iter().collect();
            let mut fen = String::new();
            for part in text.split_inclusive(|letter| letter != ' ') {
                let empty = part.chars().filter(|letter| *letter == ' ').count();
                if empty > 0 {
                    fen += &empty.to_string();
                }
                fen.extend(part.chars().filter(|letter| *letter != ' '));
            }
            fen
        };
        let fen = squares.iter().map(rank).collect::<Vec<_>>().join("/");
        let pieces = fen.chars().filter(char::is_ascii_alphabetic).count();
        if pieces == 2 + piece.len() && Board::orthodox().parse_fen(&format!("{fen} w - - 0 1")).is_ok() {
            return fen;
        }
    }
}
