//! Random variant: the weights, the choice of variants, and play of the drawn variant.

use std::collections::BTreeMap;

use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Map, Value, json};
use zorkmid_games::{
    game::{Clocks, Live},
    registry,
    rules::{Actor, Refusal, Seat, Turn},
    variants::{
        nested_game::Nested,
        random_variant::{Weights, odds},
    },
};

use super::kin::{ended, play};
use crate::often::often;

fn begin(options: Value) -> Result<Box<Live>, Refusal> {
    let Value::Object(options) = options else { panic!("options are a record") };
    registry::find("random-variant").unwrap().begin(&options, Clocks::new([None; 2]))
}

/// A game in which chance has drawn a variant.
fn named(key: &str) -> Box<Live> {
    let mut game = begin(json!({})).unwrap();
    game.act(Actor::Chance, &format!("variant {key}"), 0).unwrap();
    game
}

/// Chances of all variants that can be drawn.
fn chances(one: &str, two: &str) -> BTreeMap<&'static str, u64> {
    let wishes: [Weights; 2] = [one, two].map(|text| text.parse().unwrap());
    let odds = odds(Nested::all().filter(|game| game.random_since.is_some()), Some(&wishes));
    odds.into_iter().filter(|(_, weight)| *weight > 0).map(|(game, weight)| (game.key, weight)).collect()
}

#[test]
fn each_players_weights_count_for_half() {
    assert_eq!(chances("weigh chess 3 duck 1", "weigh duck 9"), BTreeMap::from([("chess", 3), ("duck", 5)]));
    // The total of a player's points does not matter.
    assert_eq!(chances("weigh chess 1", "weigh duck 9"), BTreeMap::from([("chess", 1), ("duck", 1)]));
    assert_eq!(
        chances("weigh chess 1", "weigh duck 9 horde 9"),
        BTreeMap::from([("chess", 2), ("duck", 1), ("horde", 1)])
    );
    assert_eq!(chances("weigh", "weigh duck 2 horde 4"), BTreeMap::from([("duck", 1), ("horde", 2)]));
    let even = chances("weigh", "weigh chess 0");
    assert!(
        even.len() == Nested::all().filter(|game| game.random_since.is_some()).count()
            && even.values().all(|weight| *weight == 1),
        "{even:?}"
    );
}

#[test]
fn draw_frequencies_match_the_weights() {
    let mut game = begin(json!({"weighted": true})).unwrap();
    for (seat, text) in [(Seat::One, "weigh chess 3 duck 1"), (Seat::Two, "weigh duck 9")] {
        game.act(Actor::Seat(seat), text, 0).unwrap();
    }
    assert_eq!(game.turn(), Turn::Chance);
    let mut rng = StdRng::seed_from_u64(7);
    let mut drawn: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..8_000 {
        *drawn.entry(game.chance(&mut rng).unwrap()).or_default() += 1;
    }
    assert_eq!(drawn.keys().collect::<Vec<_>>(), ["variant chess", "variant duck"]);
    // Three of eight: 3,000 of 8,000 draws, within five standard deviations of 43.
    assert!((2_783..=3_217).contains(&drawn["variant chess"]), "{drawn:?}");
}

#[test]
fn weights_have_one_canonical_text_and_errors_are_explained() {
    let said = |text: &str| text.parse::<Weights>().map(|wishes| wishes.to_string());
    assert_eq!(said("weigh duck 1 horde 0 chess 3").unwrap(), "weigh duck 1 chess 3");
    assert_eq!(said("weigh").unwrap(), "weigh");
    // As submitted by a form with empty fields.
    assert_eq!(said("weigh chess duck 2 horde").unwrap(), "weigh duck 2");
    for (text, at, why) in [
        ("weigh chess x", 12, "each variant with a weight"),
        ("weigh chess 3 4", 14, "is not one of these games"),
        ("weigh chess 10", 12, "from 0 to 9"),
        ("weigh chess +3", 12, "from 0 to 9"),
        ("weigh chess 3 chess 2", 14, "twice"),
        ("weigh go 3", 6, "is not one of these games"),
    ] {
        let wrong = said(text).unwrap_err();
        assert!(wrong.at == Some(at) && wrong.why.contains(why), "{text}: {wrong:?}");
    }
}

#[test]
fn only_available_variants_are_weighed_and_drawn() {
    let mut urn: Map<String, Value> = registry::find("random-variant").unwrap().defaults();
    urn.values_mut().for_each(|value| *value = false.into());
    assert!(begin(Value::Object(urn.clone())).err().unwrap().why.contains("at least two variants"));
    for key in ["duck", "horde", "weighted"] {
        urn.insert(key.to_owned(), true.into());
    }
    let mut game = begin(Value::Object(urn)).unwrap();
    let wrong = game.act(Actor::Seat(Seat::One), "weigh chess 3", 0).unwrap_err();
    assert_eq!(wrong.why, "Chess cannot be drawn in this game");
    game.act(Actor::Seat(Seat::One), "weigh", 0).unwrap();
    game.act(Actor::Seat(Seat::Two), "weigh", 0).unwrap();
    assert!(game.act(Actor::Chance, "variant chess", 0).is_err());
    game.act(Actor::Chance, "variant horde", 0).unwrap();
    assert_eq!(game.json(None)["view"]["odds"].as_array().unwrap().len(), 2);
}

#[test]
fn weights_are_sealed_and_then_recorded() {
    let mut game = begin(json!({"weighted": true})).unwrap();
    game.act(Actor::Seat(Seat::One), "weigh lrs 7", 0).unwrap();
    for viewer in [None, Some(Seat::Two)] {
        assert!(!game.json(viewer).to_string().contains("lrs 7") && game.lines(viewer)[0].text.is_none());
    }
    game.act(Actor::Seat(Seat::Two), "weigh duck 2 lrs 1", 0).unwrap();
    game.act(Actor::Chance, "variant lrs", 0).unwrap();
    let view = &game.json(None)["view"];
    assert_eq!(view["wishes"]["one"], json!([{"game": "lrs", "weight": 7}]));
    assert_eq!(view["game"], "lrs");
    let sheet: Vec<&str> =
        view["diagram"]["sheet"].as_array().unwrap().iter().map(|line| line["text"].as_str().unwrap()).collect();
    assert_eq!(sheet, ["weigh lrs 7", "weigh duck 2 lrs 1", "variant lrs"]);
    assert!(game.act(Actor::Seat(Seat::One), "takeback", 0).is_err());
}

/// The same actions in the variant itself and in the drawn game lead to the same board and result.
#[test]
fn drawn_variants_keep_their_own_rules() {
    for kin in Nested::all().filter(|game| game.random_since.is_some()) {
        let alone = registry::find(kin.key).unwrap();
        let mut rng = StdRng::seed_from_u64(3);
        for _ in 0..often(6) {
            let mut known = alone.begin(&Map::new(), Clocks::new([None; 2])).unwrap();
            let mut game = named(kin.key);
            while known.outcome().is_none() && known.ply() < 120 {
                let (actor, text) = match known.chance(&mut rng) {
                    Some(text) => (Actor::Chance, text),
                    None => {
                        let seat = known.awaits()[0];
                        let bot = zorkmid_games::bots::Bot::Random;
                        (Actor::Seat(seat), known.advise(seat, bot, &mut rng, &mut || true).unwrap())
                    }
                };
                for table in [&mut known, &mut game] {
                    table.act(actor, &text, 0).unwrap_or_else(|why| panic!("{kin}: {text}: {why}"));
                }
                assert_eq!((known.turn(), known.score()), (game.turn(), game.score()));
                for viewer in [None, Some(Seat::One), Some(Seat::Two)] {
                    let [own, other] = [&known, &game].map(|table| table.json(viewer));
                    assert_eq!(own["actions"], other["actions"]);
                    for part in ["pieces", "fen", "fog", "last"] {
                        assert_eq!(own["view"]["diagram"][part], other["view"]["diagram"][part], "{kin}: {part}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_game_can_end_before_the_draw() {
    let mut game = begin(json!({"weighted": true})).unwrap();
    assert!(game.act(Actor::Seat(Seat::One), "claim", 0).is_err());
    game.act(Actor::Seat(Seat::One), "resign", 0).unwrap();
    assert_eq!(ended(&game), Some((Some(Seat::Two), "resignation")));
}

#[test]
fn moves_in_player_notation_are_accepted() {
    let mut game = named("chess");
    play(&mut game, "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#");
    assert_eq!(ended(&game), Some((Some(Seat::One), "checkmate")));
}
