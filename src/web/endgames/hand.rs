//! A position to be handed on and to be played from.

use super::files::{Packing, name};
use crate::{
    board::Size,
    game::Clocks,
    registry,
    richman::{Answer, Material, Question, covers, rules},
    web::{Base, Error, values::address::path},
};
use serde_json::{Map, Value};

/// A position as texts to be copied.
pub(super) struct Handed {
    pub(super) address: String,
    pub(super) fen: String,
    /// What is known of it, without the moves, as one object.
    pub(super) json: String,
    /// The files of the board: what each holds, and its address.
    pub(super) files: Vec<(String, String)>,
}

impl Handed {
    pub(super) fn new(size: Size, answer: &Answer, tosses: &str, base: &Base) -> Result<Handed, Error> {
        let mut json = serde_json::to_value(answer).map_err(Error::broken)?;
        if let Some(members) = json.as_object_mut() {
            members.retain(|name, _| !["white", "black", "certificate"].contains(&name.as_str()));
        }
        let address = base.url(&path(&answer.fen, &[("turns", tosses)]));
        let all = [None].into_iter().chain(Material::ALL.map(Some)).filter(|_| covers(size));
        let file = |material: Option<Material>| {
            let what = material.map_or_else(|| "all".to_owned(), |material| material.name().to_owned());
            (what, format!("/api/richman/files/{}", name(size, material, Packing::Csv)))
        };
        Ok(Handed { files: all.map(file).collect(), address, fen: answer.fen.clone(), json: json.to_string() })
    }
}

/// A way to play on from a position: the variant, the record of options, and both in words.
pub(super) struct Onward {
    pub(super) variant: &'static str,
    pub(super) preset: &'static str,
    pub(super) title: &'static str,
    pub(super) words: &'static str,
    pub(super) fen: String,
}

/// Variant, record of options, title, and what decides who moves.
const WAYS: [[&str; 4]; 3] = [
    [
        "bidding",
        "open",
        "Bidding chess, open",
        "One names a sum for the move; the other takes it, or pays as much and moves.",
    ],
    ["bidding", "secret", "Bidding chess, secret", "Both bid sealed, and the higher bid pays and moves."],
    ["random-turn", "standard", "Random-turn chess", "A coin decides who makes each move."],
];

impl Onward {
    /// The ways in which a game can begin from a position: none on small boards and without both kings.
    pub(super) fn all(question: &Question) -> Vec<Onward> {
        if question.size != Size::ORTHODOX {
            return Vec::new();
        }
        let fen = format!("{} w - - 0 1", rules(question.size).placement_fen(&question.position));
        let options = Map::from_iter([("fen".to_owned(), Value::String(fen.clone()))]);
        let begins = |key: &str| {
            registry::named(key).is_ok_and(|variant| variant.begin(&options, Clocks::new([None; 2])).is_ok())
        };
        let way = |[variant, preset, title, words]: [&'static str; 4]| Onward {
            variant,
            preset,
            title,
            words,
            fen: fen.clone(),
        };
        WAYS.into_iter().filter(|[variant, ..]| begins(variant)).map(way).collect()
    }
}
