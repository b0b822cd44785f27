//! Answers about four pieces as JSON, byte for byte what `told.rs` makes of the same files. Nothing is kept of them: bounds are read where the files are
//! mapped.

use std::sync::OnceLock;

use bytes::Bytes;

use super::{Printer, number, writing::Writing};
use crate::{
    board::{Color, Size, Square, orthodox},
    richman::{
        enclosed::unwanted,
        four::{FourBook, FourFiles, FourOutlook, FourStep, Framed, ONE, Pair, Rays, WrongFile, letter, rounded},
        index::Setup,
        material::Material,
        question::{Companion, Question, units},
    },
};

/// The bytes at most of an answer without the moves, and of a move.
const FRAME: usize = 1024;
const STEP: usize = 160;

/// What answers about four pieces are put together from, once they are asked for.
pub(super) struct FourBooks {
    rays: Rays,
    /// By the numbers of pairs.
    books: [OnceLock<FourBook>; Pair::NUMBERS],
    /// Bounds of the values of three pieces, by their numbers.
    three: OnceLock<Vec<[u64; 2]>>,
}

impl Default for FourBooks {
    fn default() -> FourBooks {
        let books = [const { OnceLock::new() }; Pair::NUMBERS];
        FourBooks { rays: Rays::new(Size::ORTHODOX), books, three: OnceLock::new() }
    }
}

/// A square in letters.
#[inline]
fn named(square: u8) -> [u8; 2] {
    [b'a' + square % 8, b'1' + square / 8]
}

/// The letter of a kind, in upper case.
#[inline]
fn capital(kind: u8) -> u8 {
    if kind == orthodox::KING { b'K' } else { letter(kind) as u8 }
}

fn truth(truth: Option<bool>) -> &'static str {
    match truth {
        Some(true) => "true",
        Some(false) => "false",
        None => "null",
    }
}

impl Printer {
    /// Opens the files that answers about a pair are put together from; false where one is missing. Each of them is read once as a whole.
    ///
    /// # Errors
    /// If one of them cannot be used.
    pub fn open_four(&self, files: &FourFiles, pair: Pair) -> Result<bool, WrongFile> {
        let book = &self.four.books[pair.number()];
        if book.get().is_none() {
            let Some(opened) = FourBook::open(files, pair)? else { return Ok(false) };
            // Whoever was quicker has opened the same.
            let _ = book.set(opened);
        }
        self.four.three.get_or_init(|| self.table.values().iter().map(rounded).collect());
        Ok(true)
    }

    /// The answer about a position of four pieces, and a name that the same answer has whenever it is given; nothing unless the files of its pair have been
    /// opened, or where a pawn may be captured in passing.
    pub fn print_four(&self, question: &Question) -> Option<(Bytes, &str)> {
        let plain = question.is_of_four() && question.position.en_passant.is_empty();
        self.bounded(Framed::of(&question.position).filter(|_| plain)?, &question.fen())
    }

    /// The same about a position that is written as [`Question::fen`] writes it; nothing where it is written in another way.
    pub fn print_four_fen(&self, fen: &str) -> Option<(Bytes, &str)> {
        let (kings, [one, two]) = units(Size::ORTHODOX, fen)?;
        // From the first rank on, as a position names its pieces; of two like ones the first comes first in the table.
        let (one, two): (Companion, Companion) = (one?, two?);
        self.bounded(Framed::new(kings, if one.2.index() < two.2.index() { [one, two] } else { [two, one] }), fen)
    }

    fn bounded(&self, framed: Framed, fen: &str) -> Option<(Bytes, &str)> {
        let (book, bounds) = (self.four.books[framed.pair.number()].get()?, self.four.three.get()?);
        let three = |owner: Color, kind: u8, [king, bare, piece]: [usize; 3]| {
            let white = owner == Color::White;
            let [king, bare, piece] =
                if white { [king, bare, piece] } else { [bare ^ 56, king ^ 56, piece ^ 56] }.map(Square::at);
            let material = Material::with(Some(kind)).unwrap_or(Material::Bare);
            let id = number(self.places.of(Setup { material, king, bare, piece }));
            let [low, high] = bounds[self.table.value_id(id) as usize];
            if white { [low, high] } else { [ONE - high, ONE - low] }
        };
        Some((told(&book.outlook(framed, &self.four.rays, &three), framed, fen), book.digest()))
    }
}

/// The answer as JSON.
fn told(outlook: &FourOutlook, framed: Framed, fen: &str) -> Bytes {
    let FourOutlook { thresholds: [alpha, beta], sharp, wanted, sides } = outlook;
    let mut json = Writing::of(FRAME + fen.len() + STEP * (sides[0].len() + sides[1].len()));
    let zugzwang = truth(unwanted(*wanted));
    json.fixed(b"{\"fen\":\"");
    json.write(fen);
    json.fixed(b"\",\"material\":\"");
    json.material(framed);
    json.fixed(b"\",\"category\":\"interval\",\"value\":null,\"alpha\":null,\"beta\":null,\"sharp\":");
    json.write(truth(*sharp));
    json.fixed(b",\"bid\":null,\"zugzwang\":");
    json.write(zugzwang);
    json.fixed(
        b",\"quiescent\":null,\"terminal\":null,\"white\":[],\"black\":[],\"certificate\":null,\"chips\":null,\"horizon\":null,\"enclosed\":{\"alpha\":",
    );
    json.enclosure(*alpha);
    json.fixed(b",\"beta\":");
    json.enclosure(*beta);
    json.fixed(b",\"sharp\":");
    json.write(truth(*sharp));
    json.fixed(b",\"bid\":");
    // Half of an odd number is a multiple of 2^−64: rounded outward.
    json.signed_enclosure([wanted[0].div_euclid(2), -(-wanted[1]).div_euclid(2)].map(|half| half as i64));
    json.fixed(b",\"zugzwang\":");
    json.write(zugzwang);
    for (name, steps) in [",\"white\":[", "],\"black\":["].into_iter().zip(sides) {
        json.write(name);
        for step in steps {
            json.step(step);
        }
        // The last comma: a king can always move.
        json.end -= 1;
    }
    json.fixed(b"]}}");
    json.finish()
}

impl Writing {
    /// Writes the pieces of both sides, as `KRBvK`.
    fn material(&mut self, Framed { pair: Pair { first, second, together }, reversed, .. }: Framed) {
        let [first, second] = [first, second].map(capital);
        match (together, reversed) {
            (true, false) => self.fixed(&[b'K', first, second, b'v', b'K']),
            (true, true) => self.fixed(&[b'K', b'v', b'K', first, second]),
            (false, false) => self.fixed(&[b'K', first, b'v', b'K', second]),
            (false, true) => self.fixed(&[b'K', second, b'v', b'K', first]),
        }
    }

    /// Writes a move and a comma.
    #[inline]
    fn step(&mut self, step: &FourStep) {
        let [from, to] = [step.from, step.to].map(named);
        self.fixed(b"{\"uci\":\"");
        self.fixed(&[from[0], from[1], to[0], to[1]]);
        let promotion = step.promotion.map(capital);
        if let Some(promotion) = promotion {
            self.fixed(&[promotion.to_ascii_lowercase()]);
        }
        self.fixed(b"\",\"san\":\"");
        match (step.kind == orthodox::PAWN, step.rival) {
            (true, _) if step.takes => self.fixed(&[from[0]]),
            (true, _) => {}
            (false, None) => self.fixed(&[capital(step.kind)]),
            (false, Some(rival)) if rival % 8 == step.from % 8 => self.fixed(&[capital(step.kind), from[1]]),
            (false, Some(_)) => self.fixed(&[capital(step.kind), from[0]]),
        }
        if step.takes {
            self.fixed(b"x");
        }
        self.fixed(&to);
        if let Some(promotion) = promotion {
            self.fixed(&[b'=', promotion]);
        }
        if step.ends {
            self.fixed(b"#");
        }
        self.fixed(b"\",\"value\":");
        self.enclosure(step.bounds);
        if step.best {
            self.fixed(b",\"best\":true},");
        } else {
            self.fixed(b",\"best\":false},");
        }
    }
}
