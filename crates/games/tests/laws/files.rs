//! Record files: for every variant and option, the JSON and PGN records restore the game byte for byte in every view.

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Map, Value};
use zorkmid_games::{
    board::pgn::Pgn,
    bots::Bot,
    game::{
        Clock, Clocks, Live,
        record::{Command, Heading, Transcript, json, pgn},
    },
    registry::{Variant, tagged, words},
    rules::{Actor, OptionRange, Seat, Turn},
};

use super::random_games::{seen, viewers};

/// Most steps of a game.
const STEPS: usize = 160;

/// Both records of a game as a viewer may have them: JSON and PGN.
pub(crate) fn written(game: &Live, viewer: Option<Seat>, clocks: [Option<Clock>; 2]) -> [String; 2] {
    let heading = Heading { site: "here".to_owned(), begun: 0, names: ["Anna", "Bert"].map(str::to_owned), clocks };
    let deals: Vec<String> = pgn(game, viewer, &heading).iter().map(ToString::to_string).collect();
    [json(game, viewer, clocks).to_string(), deals.join("\n")]
}

/// Both records restore a game that looks the same to a viewer, and to all viewers once it is over. While something is hidden
/// from the viewer, the records are refused as sealed.
pub(crate) fn lead_back(variant: &Variant, game: &Live, viewer: Option<Seat>, clocks: [Option<Clock>; 2]) {
    let [programs, paper] = written(game, viewer, clocks);
    let transcripts = [
        Transcript::from_json(&serde_json::from_str(&programs).unwrap()).unwrap(),
        Transcript::from_pgn(&Pgn::read(&paper).unwrap()).unwrap(),
    ];
    let open = game.lines(viewer).iter().all(|line| line.text.is_some());
    assert!(open || game.outcome().is_none(), "{}: the game is over, but something is still hidden", variant.key);
    for (transcript, text) in transcripts.iter().zip([&programs, &paper]) {
        let tag = transcript.variant.as_deref();
        assert!(variant.key == "toy" || tagged(tag).is_some_and(|named| named.key == variant.key), "{tag:?}");
        match variant.replay_transcript(transcript) {
            Ok(again) => {
                assert!(open, "{}: the record was replayed although something is hidden", variant.key);
                let public = game.outcome().is_some();
                for eyes in viewers().into_iter().filter(|eyes| public || *eyes == viewer) {
                    assert_eq!(seen(&again, eyes), seen(game, eyes), "{}: {text}", variant.key);
                }
                assert_eq!(again.lines(viewer), stamped(game, viewer, clocks, transcript), "{}: {text}", variant.key);
            }
            Err(why) => assert!(!open && why.why.contains("this action is sealed"), "{}: {why:?}\n{text}", variant.key),
        }
    }
}

/// The lines with the times that a record holds. PGN records of games without clocks have no times.
fn stamped(
    game: &Live,
    viewer: Option<Seat>,
    clocks: [Option<Clock>; 2],
    transcript: &Transcript,
) -> Vec<zorkmid_games::game::VisibleLine> {
    let mut lines = game.lines(viewer);
    if clocks == [None; 2] {
        lines.iter_mut().zip(&transcript.said).for_each(|(line, said)| line.time = said.time);
    }
    lines
}

/// A possible next action in a state.
fn word(world: &Live, actor: Actor, rng: &mut StdRng) -> Option<String> {
    match actor {
        Actor::Seat(seat) => world.advise(seat, Bot::Random, rng, &mut || true),
        Actor::Chance => world.chance(rng),
        Actor::Server => None,
    }
}

/// Plays two continuations that differ in one action. Viewers who cannot tell them apart must get equal records.
pub(crate) fn keep_secrets(game: &Live, speaker: Actor, now: i64, clocks: [Option<Clock>; 2], rng: &mut StdRng) {
    let mut worlds = [game.copy(), game.copy()];
    for world in &mut worlds {
        let said = word(world, speaker, rng).expect("an actor is pending");
        world.act(speaker, &said, now).unwrap();
    }
    let mut alike: Vec<Option<Seat>> =
        viewers().into_iter().filter(|viewer| viewer.map(Actor::Seat) != Some(speaker)).collect();
    for _ in 0..6 {
        let [one, two] = &worlds;
        if one.outcome().is_some() || two.outcome().is_some() {
            return;
        }
        alike.retain(|viewer| seen(one, *viewer) == seen(two, *viewer));
        for viewer in &alike {
            let records = [one, two].map(|world| written(world, *viewer, clocks));
            assert_eq!(records[0], records[1], "{}: a record reveals too much to {viewer:?}", game.key());
        }
        let actor = one.awaits().first().map_or(Actor::Chance, |seat| Actor::Seat(*seat));
        let Some(said) = word(one, actor, rng) else { return };
        if worlds.iter_mut().any(|world| world.act(actor, &said, now).is_err()) {
            return;
        }
    }
}

/// A random value of an option.
fn value(range: OptionRange, starts: &[String], rng: &mut StdRng) -> Value {
    match range {
        OptionRange::Flag => rng.random::<bool>().into(),
        OptionRange::Whole(..) | OptionRange::Money(..) | OptionRange::Cap(_) | OptionRange::Turns(_) => {
            let (least, most) = range.bounds().unwrap();
            let most = if rng.random() { most.min(least + 40) } else { most };
            rng.random_range(least..=most).into()
        }
        OptionRange::Word(_) | OptionRange::Game(_) => words(range).choose(rng).unwrap().0.into(),
        OptionRange::Position(_) => starts.choose(rng).cloned().unwrap_or_default().into(),
        OptionRange::Text(example) => if rng.random() { example } else { "" }.into(),
    }
}

/// Random options with which a game can begin.
pub(crate) fn any_options(
    variant: &Variant,
    starts: &[String],
    clocks: [Option<Clock>; 2],
    rng: &mut StdRng,
) -> Map<String, Value> {
    let (_, preset) = (variant.presets)().choose(rng).unwrap().clone();
    let mut options: Map<String, Value> = preset.as_object().unwrap().clone();
    let mut settings: Vec<_> = (variant.settings)().iter().collect();
    for _ in 0..settings.len() {
        let setting = settings.swap_remove(rng.random_range(0..settings.len()));
        if rng.random_ratio(1, 2) {
            continue;
        }
        let mut changed = options.clone();
        changed.insert(setting.key.to_owned(), value(setting.range, starts, rng));
        if variant.begin(&changed, Clocks::new(clocks)).is_ok() {
            options = changed;
        }
    }
    options
}

/// Plays random commands, where they are allowed.
fn interrupted(game: &mut Live, now: i64, rng: &mut StdRng) {
    let words: &[&str] = match rng.random_range(0..6) {
        0 => &["resign", "resign match"],
        1 => &["draw"],
        _ => &["draw", "takeback", "takeback", "decline", "withdraw"],
    };
    for _ in 0..2 {
        let seat = if rng.random() { Seat::One } else { Seat::Two };
        let _refused = game.act(Actor::Seat(seat), words.choose(rng).unwrap(), now);
    }
}

/// Games with random options, with and without clocks, with offers, takebacks and replaced sealed choices.
pub(crate) fn keep_every_option(variant: &Variant, games: usize) {
    let mut rng = StdRng::seed_from_u64(58);
    let mut starts: Vec<String> = Vec::new();
    for round in 0..games {
        let clocks = if round % 3 == 0 {
            [Some(Clock::Fischer { initial: 3_000, increment: 2 }), Some(Clock::Days { days: 3 })]
        } else {
            [None; 2]
        };
        let options = any_options(variant, &starts, clocks, &mut rng);
        let mut game = variant.begin(&options, Clocks::new(clocks)).unwrap();
        let mut now = 1_000;
        while !matches!(game.turn(), Turn::Over(_)) && game.ply() < STEPS {
            now += 13;
            let (actor, said) = match game.chance(&mut rng) {
                Some(word) => (Actor::Chance, word),
                None => {
                    let asked: Vec<Seat> = Seat::BOTH.into_iter().filter(|seat| game.awaits().contains(seat)).collect();
                    let seat = *asked.choose(&mut rng).unwrap();
                    let mut choice = || game.advise(seat, Bot::Random, &mut rng, &mut || true).unwrap();
                    let (first, said) = (choice(), choice());
                    if game.turn() == Turn::Both && asked.len() == 2 && rng.random_ratio(1, 4) {
                        game.act(Actor::Seat(seat), &first, now - 5).unwrap();
                    }
                    (Actor::Seat(seat), said)
                }
            };
            game.act(actor, &said, now).unwrap_or_else(|why| panic!("{}: {actor} {said}: {why:?}", variant.key));
            if rng.random_ratio(1, 30) {
                interrupted(&mut game, now + 2, &mut rng);
            }
        }
        lead_back(variant, &game, viewers()[round % 3], clocks);
        let fen = game.json(None)["view"]["diagram"]["fen"].as_str().map(str::to_owned);
        starts.extend(fen.filter(|_| starts.len() < 40));
    }
}

/// Commands are found in comments among other text.
pub(crate) fn commands_survive_a_round_trip() {
    let seat = Actor::Seat(Seat::Two);
    let all = [
        Command::At(17),
        Command::Say(seat, "army royal-WF e1 BR d1".to_owned()),
        Command::Sealed(Actor::Chance),
        Command::Said,
    ];
    let text: String = all.iter().map(|command| format!("so; {command} [%clk 0:01:00] ")).collect();
    assert_eq!(Command::read(&text), all);
    assert_eq!(Command::read("[%say] [%say nobody e4] [%at soon] [%eval 3] [%said"), []);
}
