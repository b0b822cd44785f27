//! Golden records: games that must replay after every change. A record that no longer replays breaks the links to finished games.
//!
//! With `ZORKMID_RECORD` set, missing records are created; existing ones are never overwritten.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use rand::{SeedableRng, rngs::StdRng};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use zorkmid_games::{
    bots::Bot,
    game::{Clocks, Live, RecordLine, record},
    registry::{self, Variant},
    rules::{Actor, RulesVersion, Seat, Turn},
};

use crate::toy::{self, Toy};

/// A complete game and its final state.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Record {
    variant: String,
    #[serde(default)]
    rules_version: RulesVersion,
    options: Map<String, Value>,
    /// Actor and text of each line.
    lines: Vec<(String, String)>,
    end: End,
}

/// Spectators' view of the final state.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct End {
    outcome: Value,
    score: Value,
    ply: usize,
    pieces: Vec<String>,
    purses: Value,
    sheet: Vec<String>,
}

impl End {
    fn of(game: &Live) -> End {
        let json = game.json(None);
        let diagram = &json["view"]["diagram"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let piece =
            |unit: &Value| format!("{} {} {}", text(&unit["square"]), text(&unit["color"]), text(&unit["betza"]));
        End {
            outcome: json["outcome"].clone(),
            score: json["score"].clone(),
            ply: game.ply(),
            pieces: diagram["pieces"].as_array().unwrap().iter().map(piece).collect(),
            purses: diagram.get("purses").cloned().unwrap_or_default(),
            sheet: diagram["sheet"].as_array().unwrap().iter().map(|entry| text(&entry["text"])).collect(),
        }
    }
}

impl Record {
    fn replayed(&self) -> Box<Live> {
        let variant = registry::find(&self.variant).unwrap_or_else(|| panic!("the variant {} is gone", self.variant));
        let line = |(actor, text): &(String, String)| RecordLine {
            actor: actor.parse().unwrap(),
            text: text.clone(),
            time: 0,
        };
        let lines: Vec<RecordLine> = self.lines.iter().map(line).collect();
        variant.replay(self.rules_version, &self.options, Clocks::new([None; 2]), &lines).unwrap()
    }

    /// A game between random bots.
    fn played(variant: &Variant, options: &Value, seed: u64) -> Record {
        let mut rng = StdRng::seed_from_u64(seed);
        let options = options.as_object().unwrap().clone();
        let mut game = variant.begin(&options, Clocks::new([None; 2])).unwrap();
        let mut lines = Vec::new();
        while !matches!(game.turn(), Turn::Over(_)) {
            let (actor, text) = match game.chance(&mut rng) {
                Some(word) => (Actor::Chance, word),
                None => {
                    let seat = game.awaits()[0];
                    (Actor::Seat(seat), game.advise(seat, Bot::Random, &mut rng, &mut || true).unwrap())
                }
            };
            let line = game.act(actor, &text, 0).unwrap();
            lines.push((line.actor.to_string(), line.text));
        }
        Record { variant: variant.key.to_owned(), rules_version: game.version(), options, lines, end: End::of(&game) }
    }
}

/// Folder of the golden records.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/laws/records")
}

/// Names of all golden records.
pub(crate) fn names() -> Vec<String> {
    let name =
        |entry: io::Result<fs::DirEntry>| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
    let mut names: Vec<String> = fs::read_dir(folder()).unwrap().map(name).collect();
    names.sort();
    names
}

/// A golden record replays to the same final state.
pub(crate) fn replays(name: &str) {
    let record: Record =
        serde_json::from_str(&fs::read_to_string(folder().join(format!("{name}.json"))).unwrap()).unwrap();
    assert_eq!(End::of(&record.replayed()), record.end);
}

/// Name of a preset's golden record.
pub(crate) fn name(variant: &Variant, preset: &str) -> String {
    format!("{}-{}", variant.key, preset.replace(' ', "-").to_lowercase())
}

/// A preset has a golden record, and a newly played game of it replays too.
pub(crate) fn is_kept(variant: &Variant, preset: &str, options: &Value, seed: u64) {
    let record = Record::played(variant, options, seed);
    assert_eq!(End::of(&record.replayed()), record.end);
    let name = name(variant, preset);
    let path = folder().join(format!("{name}.json"));
    if !path.exists() && std::env::var_os("ZORKMID_RECORD").is_some() {
        fs::write(&path, serde_json::to_string(&record).unwrap() + "\n").unwrap();
    }
    assert!(
        path.exists(),
        "{} “{preset}” has no golden record. Create it with:\n\
         ZORKMID_RECORD=1 cargo test --release --test laws -- {name}",
        variant.key,
    );
}

/// A new version of the rules changes the prize of the toy variant. An old record keeps the old prize in every format.
pub(crate) fn old_records_keep_their_prices() {
    let toy = Variant::of::<Toy<{ toy::HONEST }>>();
    let says = |actor: Actor, text: &str| RecordLine { actor, text: text.to_owned(), time: 0 };
    let mut lines = vec![says(Actor::Chance, "deal 1 2")];
    for _ in 0..5 {
        lines.extend([says(Actor::Seat(Seat::One), "call 3"), says(Actor::Seat(Seat::Two), "call 1")]);
    }
    let score = |version: RulesVersion| {
        let game = toy.replay(version, &Map::new(), Clocks::new([None; 2]), &lines).unwrap();
        assert_eq!(record::json(&game, None, [None; 2])["rules_version"], i64::from(version));
        game.score().map(|points| points.to_string())
    };
    assert_eq!(score(RulesVersion::FIRST), ["1", "0"]);
    assert_eq!(score(RulesVersion::CURRENT), ["2", "0"]);
}

/// A record of the first version draws from the variants of that time; the second version has one more.
pub(crate) fn old_records_draw_from_the_old_variants() {
    let variant = registry::find("random-variant").unwrap();
    let begin = |version| variant.begin_under(version, &Map::new(), Clocks::new([None; 2])).unwrap();
    let urn = |version| begin(version).json(None)["view"]["odds"].as_array().unwrap().len();
    assert_eq!([urn(RulesVersion::FIRST), urn(RulesVersion::SECOND)], [14, 15]);
    let options = Map::from_iter([("atomic".to_owned(), true.into())]);
    let refusal = variant.begin_under(RulesVersion::FIRST, &options, Clocks::new([None; 2])).unwrap_err();
    assert!(refusal.why.contains("has no option “atomic”"), "{refusal}");
}

/// A game that uses every form of SAN is equal to its golden record.
pub(crate) fn the_most_typical_game_matches_its_record() {
    let variant = registry::find("chess").unwrap();
    let mut game = variant.begin(&Map::new(), Clocks::new([None; 2])).unwrap();
    let mut lines = Vec::new();
    let text = include_str!("../../../board/tests/board/san/typical.txt");
    let moves: Vec<&str> = text.split_whitespace().filter(|word| !word.ends_with('.')).collect();
    assert_eq!(moves.len(), 49, "White's 25th move is the last");
    for (number, san) in moves.iter().enumerate() {
        // Alternates the original SAN with the short form that people type.
        let typed = if number % 2 == 0 { (*san).to_owned() } else { san.replace(['+', 'x'], "") };
        let line = game.act(Actor::Seat(game.awaits()[0]), &typed, 0).unwrap_or_else(|why| panic!("{san}: {why:?}"));
        lines.push((line.actor.to_string(), line.text));
    }
    let json = game.json(None);
    assert_eq!(json["view"]["diagram"]["fen"], "2kr4/pp2n3/2p1Ppp1/2qp2p1/8/1Q5P/PP3P1P/3R1BK1 b - - 1 25");
    let record = Record {
        variant: "chess".to_owned(),
        rules_version: RulesVersion::FIRST,
        options: Map::new(),
        lines,
        end: End::of(&game),
    };
    assert_eq!(record.end.sheet, moves);
    assert_eq!(record, serde_json::from_str(include_str!("records/chess-typical.json")).unwrap());
}
