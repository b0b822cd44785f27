//! Positions of three pieces, drawn by chance and written as FEN.

use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};

use crate::{
    board::{Color, Square},
    richman::{Answer, Choice, Question, read},
};

/// The squares of one side of the board.
pub(super) const SIDE: u8 = 8;

/// The letters of three units with their squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Trio(pub(super) [(char, Square); 3]);

/// Any square of the board.
fn square(rng: &mut StdRng) -> Square {
    Square::new(rng.random_range(0..SIDE), rng.random_range(0..SIDE))
}

impl Trio {
    /// Both kings and one of the given pieces of White’s or Black’s, anywhere.
    pub(super) fn drawn(rng: &mut StdRng, letters: &[char]) -> Option<Trio> {
        let letter = *letters.choose(rng)?;
        let letter = if rng.random() { letter } else { letter.to_ascii_lowercase() };
        Some(Trio(['K', 'k', letter].map(|letter| (letter, square(rng)))))
    }

    /// The position as a question, if the tables cover it.
    pub(super) fn question(&self) -> Option<Question> {
        let mut rows: Vec<String> = Vec::new();
        for rank in (0..SIDE).rev() {
            let on = |file: u8| self.0.iter().filter(move |(_, square)| *square == Square::new(file, rank));
            let (mut row, mut empty) = (String::new(), 0);
            for file in 0..SIDE {
                match on(file).next() {
                    None => empty += 1,
                    Some(_) if on(file).count() > 1 => return None,
                    Some((letter, _)) => {
                        if empty > 0 {
                            row += &empty.to_string();
                        }
                        row.push(*letter);
                        empty = 0;
                    }
                }
            }
            if empty > 0 {
                row += &empty.to_string();
            }
            rows.push(row);
        }
        read(&rows.join("/")).ok().filter(|question| question.without_table().is_none())
    }

    /// The same with the files in the other order.
    pub(super) fn mirrored(&self) -> Trio {
        Trio(self.0.map(|(letter, square)| (letter, Square::new(SIDE - 1 - square.file(), square.rank()))))
    }

    /// The same with the colours exchanged.
    pub(super) fn turned(&self) -> Trio {
        Trio(self.0.map(|(letter, square)| {
            let other =
                if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() };
            (other, Square::new(square.file(), SIDE - 1 - square.rank()))
        }))
    }
}

/// The moves of one side.
pub(super) fn choices(answer: &Answer, side: Color) -> &[Choice] {
    match side {
        Color::White => &answer.white,
        Color::Black => &answer.black,
    }
}

/// Tells whether neither side can take the king at once.
pub(super) fn quiet(answer: &Answer) -> bool {
    answer.white.iter().chain(&answer.black).all(|choice| !choice.san.ends_with('#'))
}
