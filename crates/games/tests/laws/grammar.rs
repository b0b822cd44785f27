//! The published grammar of actions: plays games with a client that only uses listed actions and fills blanks as documented. The
//! rules are never asked how a text is parsed.

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::Value;
use zorkmid_games::{
    game::{Clocks, Live},
    registry::Variant,
    rules::{ActionForm, Actor, BLANKS, Seat, Turn},
};

use super::often::often;

/// Games for each preset.
const GAMES: usize = 3;
/// Most steps of a game.
const STEPS: usize = 240;
/// Consecutive refusals after which the client uses only texts that are certain to be legal.
const PATIENT: usize = 4;
/// Number of listed texts to try on copies.
const TRIED: usize = 6;

/// A blank in braces.
#[derive(Clone, PartialEq, Debug)]
enum Blank {
    /// A number, in units of its last decimal place, and the number of decimal places.
    Number { least: i64, most: i64, places: usize },
    /// Between `least` and `most` texts of this name.
    Named { name: String, least: usize, most: usize },
}

/// A listed text, split into words and blanks.
#[derive(Clone, PartialEq, Debug)]
enum Piece {
    Word(String),
    Blank(Blank),
}

/// A number without its decimal point, and its number of decimal places.
fn number(text: &str) -> (i64, usize) {
    let (whole, places) = text.split_once('.').unwrap_or((text, ""));
    (format!("{whole}{places}").parse().unwrap_or_else(|_| panic!("“{text}” is not a bound")), places.len())
}

fn blank(inside: &str) -> Blank {
    let (name, bounds) = match inside.split_once(' ') {
        Some((name, bounds)) => (Some(name), Some(bounds)),
        None if inside.contains("..") => (None, Some(inside)),
        None => (Some(inside), None),
    };
    let bounds = bounds.map(|bounds| bounds.split_once("..").unwrap_or_else(|| panic!("no bounds in {inside}")));
    match (name, bounds) {
        (None, Some((least, most))) => {
            let ((least, places), (most, same)) = (number(least), number(most));
            assert!(places == same && least <= most, "the bounds of {inside}");
            Blank::Number { least, most, places }
        }
        (Some(name), bounds) => {
            assert!(BLANKS.iter().any(|blank| blank.name == name), "the blank {inside} is not documented");
            let (least, most) = bounds.map_or((1, 1), |(least, most)| (number(least).0, number(most).0));
            assert!(0 < least && least <= most, "the bounds of {inside}");
            Blank::Named { name: name.to_owned(), least: least as usize, most: most as usize }
        }
        (None, None) => unreachable!("a blank has a name or bounds"),
    }
}

fn pieces(mut text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    while let Some((before, rest)) = text.split_once('{') {
        let (inside, after) = rest.split_once('}').expect("every brace is closed");
        pieces.extend(before.split_whitespace().map(|word| Piece::Word(word.to_owned())));
        pieces.push(Piece::Blank(blank(inside)));
        text = after;
    }
    pieces.extend(text.split_whitespace().map(|word| Piece::Word(word.to_owned())));
    pieces
}

/// Whether a text is legal however its blanks are filled.
fn sure(text: &str) -> bool {
    pieces(text).iter().all(|piece| !matches!(piece, Piece::Blank(Blank::Named { .. })))
}

struct Player<'g> {
    game: &'g Live,
    seat: Seat,
    listed: Vec<String>,
}

impl Player<'_> {
    /// A text for a named blank: a documented example, or a guess from the listed actions.
    fn named(&self, name: &str, rng: &mut StdRng) -> String {
        let example = |rng: &mut StdRng, name: &str| {
            let blank = BLANKS.iter().find(|blank| blank.name == name).expect("the blank is documented");
            (*blank.examples.choose(rng).expect("the blank has examples")).to_owned()
        };
        let square =
            |rng: &mut StdRng| format!("{}{}", char::from(b'a' + rng.random_range(0..8u8)), rng.random_range(1..=8));
        let moves: Vec<&String> = self.listed.iter().filter(|text| is(text, "move")).collect();
        match name {
            "square" => square(rng),
            "move" | "part" if rng.random_ratio(3, 4) && !moves.is_empty() => (*moves.choose(rng).unwrap()).clone(),
            "part" | "drop" => format!("{}@{}", ["P", "N", "B", "R", "Q"].choose(rng).unwrap(), square(rng)),
            "guess" if rng.random_ratio(1, 2) => square(rng),
            "placing" => format!("{} {}", example(rng, "piece"), square(rng)),
            "name" => {
                let mut name = String::from(rng.random_range('A'..='Z'));
                name.extend((0..rng.random_range(1..12)).map(|_| rng.random_range('a'..='z')));
                name
            }
            _ => example(rng, name),
        }
    }

    fn filled(&self, text: &str, rng: &mut StdRng) -> String {
        let fill = |piece: Piece, rng: &mut StdRng| match piece {
            Piece::Word(word) => word,
            Piece::Blank(Blank::Number { least, most, places }) => {
                let number = [least, most, rng.random_range(least..=most)][rng.random_range(0..3)];
                if places == 0 {
                    return number.to_string();
                }
                let unit = 10i64.pow(places as u32);
                format!("{}.{:0places$}", number / unit, number % unit)
            }
            Piece::Blank(Blank::Named { name, least, most }) => {
                let count = rng.random_range(least..=most.min(least + 2));
                (0..count).map(|_| self.named(&name, rng)).collect::<Vec<_>>().join(" ")
            }
        };
        pieces(text).into_iter().map(|piece| fill(piece, rng)).collect::<Vec<_>>().join(" ")
    }

    fn try_out(&self, said: &str) -> Result<(), String> {
        self.game.copy().act(Actor::Seat(self.seat), said, 0).map(|_| ()).map_err(|refusal| refusal.to_string())
    }

    /// Chooses an action.
    fn choose(&self, rng: &mut StdRng) -> String {
        let phase = self.game.phase();
        let sures: Vec<&String> = self.listed.iter().filter(|text| sure(text)).collect();
        assert!(!sures.is_empty(), "in the phase {phase} no listed text is certain to be legal: {:?}", self.listed);
        for text in sures.sample(rng, TRIED).copied().collect::<Vec<_>>() {
            let said = self.filled(text, rng);
            if let Err(why) = self.try_out(&said) {
                panic!("“{said}” is listed in the phase {phase} as “{text}”, but refused: {why}");
            }
        }
        for _ in 0..PATIENT {
            let said = self.filled(self.listed.choose(rng).expect("at least one text is listed"), rng);
            if self.try_out(&said).is_ok() {
                return said;
            }
        }
        self.filled(sures.choose(rng).expect("at least one text is certain to be legal"), rng)
    }
}

/// Whether a text fills a blank of this name, according to the documentation.
fn is(text: &str, name: &str) -> bool {
    let square = |text: &str| {
        let mut signs = text.chars();
        let file = signs.next().is_some_and(|sign| sign.is_ascii_lowercase());
        file && signs.as_str().parse::<u8>().is_ok_and(|rank| rank > 0)
    };
    let squares = |text: &str| {
        (2..text.len().max(2))
            .filter(|at| text.is_char_boundary(*at))
            .any(|at| square(&text[..at]) && square(&text[at..]))
    };
    match name {
        "square" => square(text),
        "move" => {
            squares(text) || squares(text.strip_suffix(|sign: char| sign.is_ascii_lowercase()).unwrap_or_default())
        }
        "cells" => {
            let said = text.strip_suffix(|sign: char| sign.is_ascii_lowercase()).unwrap_or(text);
            let cell = |text: &str| {
                text.len() == 3 && text.starts_with(|sign: char| sign.is_ascii_uppercase()) && square(&text[1..])
            };
            said.len() == 6 && cell(&said[..3]) && cell(&said[3..])
        }
        "drop" => text.split_once('@').is_some_and(|(piece, to)| piece.len() == 1 && square(to)),
        "part" => is(text, "move") || is(text, "drop"),
        "piece" => text.len() <= 192 && text.bytes().all(|byte| byte.is_ascii_graphic()),
        other => panic!("no listed text fills {other}"),
    }
}

/// Whether a listed text matches a form: word for word, with narrower bounds, or with its blanks filled.
fn fits(listed: &[Piece], phrase: &[Piece]) -> bool {
    let Some((first, rest)) = phrase.split_first() else { return listed.is_empty() };
    let Some((said, more)) = listed.split_first() else { return false };
    match (first, said) {
        (Piece::Word(_), _) => first == said && fits(more, rest),
        (Piece::Blank(Blank::Number { .. }), Piece::Blank(Blank::Number { .. })) => fits(more, rest),
        (Piece::Blank(Blank::Named { name, .. }), Piece::Blank(Blank::Named { name: same, .. })) => {
            name == same && fits(more, rest)
        }
        (Piece::Blank(Blank::Named { name, most, .. }), Piece::Word(_)) if name == "placing" => {
            let (pairs, more) = listed.split_at((2 * most).min(listed.len()));
            let pair = |pair: &[Piece]| matches!(pair, [Piece::Word(piece), Piece::Word(on)] if is(piece, "piece") && is(on, "square"));
            pairs.chunks(2).all(pair) && fits(more, rest)
        }
        (Piece::Blank(Blank::Named { name, most, .. }), Piece::Word(_)) => (1..=*most).any(|count| {
            let fill = |piece: &Piece| matches!(piece, Piece::Word(word) if is(word, name));
            listed.len() >= count && listed[..count].iter().all(fill) && fits(&listed[count..], rest)
        }),
        (Piece::Blank(_), _) => false,
    }
}

/// A documented form in pieces, with numbers in place of symbolic bounds.
fn told(phrase: &ActionForm) -> Vec<Piece> {
    pieces(
        &phrase
            .text
            .replace("{least..most}", "{0..0}")
            .replace("1..most", "1..1")
            .replace("estimate {least..", "estimate {0.000.."),
    )
}

/// A client that uses only listed actions is never stuck, and every listed action matches the grammar.
pub(crate) fn listed_actions_suffice(variant: &Variant) {
    let phrases: Vec<(&ActionForm, Vec<Piece>)> =
        (variant.phrases)().iter().map(|phrase| (phrase, told(phrase))).collect();
    for (name, preset) in (variant.presets)() {
        let Value::Object(options) = preset else { panic!("options are a record") };
        for seed in 0..often(GAMES) as u64 {
            let mut rng = StdRng::seed_from_u64(seed);
            let mut game = variant.begin(&options, Clocks::new([None; 2])).unwrap();
            for _ in 0..STEPS {
                let seats = match game.turn() {
                    Turn::Over(_) => break,
                    Turn::Chance => {
                        let said = game.chance(&mut rng).expect("chance must act");
                        game.act(Actor::Chance, &said, 0).unwrap();
                        continue;
                    }
                    Turn::One(_) | Turn::Both => game.awaits(),
                };
                for seat in seats {
                    let told = game.json(Some(seat));
                    let listed: Vec<String> = serde_json::from_value(told["actions"].clone())
                        .unwrap_or_else(|_| panic!("{} {name}: no actions in the phase {}", variant.key, game.phase()));
                    let phase = game.phase();
                    let strange = listed.iter().find(|text| {
                        let text = pieces(text);
                        !phrases.iter().any(|(phrase, told)| phrase.phases.contains(&phase) && fits(&text, told))
                    });
                    assert_eq!(strange, None, "{} {name}: no form of the phase {phase} matches", variant.key);
                    let said = Player { game: &game, seat, listed }.choose(&mut rng);
                    game.act(Actor::Seat(seat), &said, 0)
                        .unwrap_or_else(|why| panic!("{} {name}: “{said}”: {why}", variant.key));
                }
            }
        }
    }
}
