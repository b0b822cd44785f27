//! Drawings as differences from what a stream has sent before: in runs of what its reader has already, and what is new to him. It
//! keeps no text, only what tells one piece of it from another.

use serde_json::{Value, json};
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
};

/// A piece of a drawing begins at each of these, and at the beginning of a line. `static/changes.js` cuts alike.
const CUTS: [&str; 10] = ["; ", "<td", "</td", "<button", "</button", "<svg", "<span", "<a ", "<input", "{\""];
/// At most so many places are tried to find the longest run from.
const PLACES: usize = 24;

/// A drawing as it is sent.
pub(super) enum Drawing {
    /// Whole, because nothing was sent before.
    Whole(String),
    /// As a list: how many pieces the reader has, then in order a run of those as two numbers, where it begins and how long it is, or a
    /// new piece. In pieces the two kinds of quotation marks have changed places, because JSON doubles one of them.
    Changes(String),
}

/// What a stream has sent: its last drawing, and the one before. What a player is asked comes back at every other turn.
#[derive(Default)]
pub(super) struct Sent {
    last: Vec<u64>,
    before: Vec<u64>,
}

impl Sent {
    /// Says a drawing to the reader of this stream.
    pub(super) fn say(&mut self, drawing: String) -> Drawing {
        let pieces = pieces(&drawing);
        let fresh: Vec<u64> = pieces.iter().map(|piece| digest(piece)).collect();
        let known: Vec<u64> = self.last.iter().chain(&self.before).copied().collect();
        self.before = std::mem::replace(&mut self.last, fresh);
        if known.is_empty() {
            return Drawing::Whole(drawing);
        }
        let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
        for (place, piece) in known.iter().enumerate() {
            places.entry(*piece).or_default().push(place);
        }
        let mut said = vec![json!(known.len())];
        let mut at = 0;
        while let Some(piece) = pieces.get(at) {
            let rest = &self.last[at..];
            let run = |from: &usize| known[*from..].iter().zip(rest).take_while(|(old, new)| old == new).count();
            let found = places.get(&rest[0]).into_iter().flatten().take(PLACES);
            match found.map(|from| (run(from), *from)).max_by_key(|(length, from)| (*length, usize::MAX - from)) {
                Some((length, from)) => {
                    said.extend([json!(from), json!(length)]);
                    at += length;
                }
                None => {
                    said.push(json!(turned(piece)));
                    at += 1;
                }
            }
        }
        Drawing::Changes(Value::Array(said).to_string())
    }
}

/// A text with the two kinds of quotation marks in each other's place.
fn turned(text: &str) -> String {
    let turn = |letter| match letter {
        '"' => '\'',
        '\'' => '"',
        other => other,
    };
    text.chars().map(turn).collect()
}

fn digest(piece: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    piece.hash(&mut hasher);
    hasher.finish()
}

/// Cuts a drawing into its pieces.
fn pieces(drawing: &str) -> Vec<&str> {
    let begins = |at: &usize| {
        let rest = &drawing[*at..];
        drawing[..*at].ends_with('\n') || CUTS.iter().any(|cut| rest.starts_with(cut))
    };
    let cuts: Vec<usize> = drawing.char_indices().map(|(at, _)| at).skip(1).filter(begins).collect();
    let ends = cuts.iter().copied().chain([drawing.len()]);
    let starts = [0].into_iter().chain(cuts.iter().copied());
    starts.zip(ends).map(|(start, end): (usize, usize)| &drawing[Range { start, end }]).collect()
}
