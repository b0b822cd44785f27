//! Worst-case time of unusual designs: to price and show a design, and to play a turn on a board full of them. The controls, in the same run,
//! are an ordinary design and an ordinary army.

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;
use zorkmid::{
    bots::Bot,
    game::{Clocks, Live},
    registry,
    rules::{Actor, Seat, Turn},
};

/// Number of random designs.
const TEXTS: usize = 200_000;
/// Number of games with odd armies, and of turns in each.
const GAMES: usize = 100;
const TURNS: usize = 100;
/// Maximum length of a design.
const LONGEST: usize = 32;

fn begin(options: serde_json::Value) -> Box<Live> {
    let csipgs = registry::find("csipgs").expect("csipgs is a variant");
    csipgs.begin(options.as_object().expect("options are an object"), Clocks::new([None; 2])).expect("valid options")
}

fn say(game: &mut Live, text: &str) -> bool {
    let seat = game.awaits()[0];
    game.act(Actor::Seat(seat), text, 0).is_ok()
}

/// A game in which the player to move can design any piece.
fn workshop() -> Box<Live> {
    let mut game = begin(json!({"inventions": true, "doublemove_after_turn": 0}));
    for (invention, step) in [("Run runner", "e1e2"), ("Zebra leaper(2,3)", "e8e7"), ("Slow lamed", "e2e1")] {
        for text in [step, &format!("invent {invention}"), "estimate 1000", "estimate 1000"] {
            assert!(say(&mut game, text), "{text}");
        }
    }
    assert!(say(&mut game, "e7e8"));
    game
}

/// A random text of up to 32 characters: terms, letters, or anything.
fn odd(rng: &mut StdRng) -> String {
    let atoms = ["W", "F", "D", "A", "H", "G", "N", "L", "R", "B", "NN", "K", "Q", "<Run>W", "<Slow>N", "<Zebra>"];
    let directions = ["", "", "", "f", "b", "fh", "bs", "ff", "s", "v", "flbr", "lb"];
    let mut text = String::new();
    match rng.random_range(0..4) {
        0 => text.extend((0..LONGEST).map(|_| char::from(rng.random_range(b' '..=b'~')))),
        1 => text.extend((0..LONGEST).map(|_| char::from(*b"WFDAHGNLRBKQfblrsvhmc<>-".choose(rng).unwrap_or(&b'W')))),
        2 => text.extend((0..LONGEST).map(|_| rng.random::<char>())),
        _ => {
            text += ["", "royal-", "doublemove-", "royal-doublemove-"].choose(rng).unwrap_or(&"");
            while text.len() < LONGEST {
                let mode = ["", "m", "c"].choose(rng).unwrap_or(&"");
                let term =
                    format!("{mode}{}{}", directions.choose(rng).unwrap_or(&""), atoms.choose(rng).unwrap_or(&"W"));
                if text.len() + term.len() > LONGEST {
                    break;
                }
                text += &term;
            }
        }
    }
    text.chars().take(LONGEST).collect()
}

struct Times(Vec<Duration>);

impl Times {
    fn print(mut self, what: &str) -> f64 {
        self.0.sort_unstable();
        let (median, most) = (self.0[self.0.len() / 2], self.0[self.0.len() - 1]);
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        println!("{what:<44} {:>9} {:>11.1} {:>11.1}", self.0.len(), micros(median), micros(most));
        micros(median)
    }
}

fn judged(game: &Live, text: &str) -> (Duration, bool) {
    let mut copy = game.copy();
    let text = format!("design 1 {text}");
    let begun = Instant::now();
    let good = say(&mut copy, &text);
    // An accepted design is described, drawn and priced on every viewer's page.
    let shown = good.then(|| copy.json(None));
    let took = begun.elapsed();
    drop(shown);
    (took, good)
}

/// A game of two armies with the same officers, the strongest behind pieces that can move.
fn armies(officers: &[String], front: &str) -> Option<Box<Live>> {
    let mut game = begin(json!({"army": "secret", "army_budget_tenths": 100_000, "army_second_rank": "forward",
        "doublemove_after_turn": 0, "draw_claims": false}));
    for (seat, back, pawns) in [(Seat::One, 1, 2), (Seat::Two, 8, 7)] {
        let mut text = String::from("army");
        for (index, file) in ('a'..='h').enumerate() {
            let officer = if file == 'e' { "royal-WF" } else { &officers[index % officers.len()] };
            text += &format!(" {officer} {file}{back} {front} {file}{pawns}");
        }
        game.act(Actor::Seat(seat), &text, 0).ok()?;
    }
    Some(game)
}

/// Plays at random, and times every action together with rendering all views.
fn played(mut game: Box<Live>, rng: &mut StdRng, times: &mut Times, choices: &mut usize) {
    for _ in 0..TURNS {
        if matches!(game.turn(), Turn::Over(_)) {
            return;
        }
        let seat = game.awaits()[0];
        let word = if game.phase() == "action" {
            let listed = game.json(Some(seat))["actions"].take();
            let listed = listed.as_array().cloned().unwrap_or_default();
            *choices = listed.len().max(*choices);
            listed.choose(rng).and_then(|word| word.as_str().map(str::to_owned))
        } else {
            game.advise(seat, Bot::Random, rng, &mut || true)
        };
        let Some(word) = word else { return };
        let begun = Instant::now();
        let said = say(&mut game, &word);
        let seen = game.json(game.awaits().first().copied());
        times.0.push(begun.elapsed());
        assert!(said, "{word}: {seen}");
    }
}

pub(crate) fn run() {
    let mut rng = StdRng::seed_from_u64(32);
    println!("{:<44} {:>9} {:>11} {:>11}", "", "samples", "median µs", "max µs");
    let game = workshop();
    let (mut odd_times, mut plain, mut accepted) = (Times(Vec::new()), Times(Vec::new()), 0);
    for index in 0..TEXTS {
        let (took, good) = judged(&game, &odd(&mut rng));
        odd_times.0.push(took);
        accepted += usize::from(good);
        if index % 10 == 0 {
            plain.0.push(judged(&game, "WFfhN").0);
        }
    }
    let ours = odd_times.print("odd design, priced and shown");
    let control = plain.print("control: WFfhN, priced and shown");
    println!("{accepted} of {TEXTS} were valid pieces; ratio of the medians {:.2}", ours / control);

    let (mut odd_times, mut plain, mut most, mut usual) = (Times(Vec::new()), Times(Vec::new()), 0, 0);
    let worst = ["doublemove-RBNNDAHGL", "doublemove-NNRBLN", "doublemove-BRNNAGDH", "doublemove-LNNNRB"];
    for index in 0..GAMES {
        let officers: Vec<String> = if index % 2 == 0 {
            worst.map(str::to_owned).to_vec()
        } else {
            let designs =
                std::iter::repeat_with(|| odd(&mut rng)).filter(|text| !text.contains('<') && judged(&game, text).1);
            designs.take(8).collect()
        };
        if let Some(game) = armies(&officers, "doublemove-fRfBfhNfDfA") {
            played(game, &mut rng, &mut odd_times, &mut most);
        }
        let ordinary = ["R", "N", "B", "BR", "B", "N", "R"].map(str::to_owned);
        if let Some(game) = armies(&ordinary, "fcFfmW") {
            played(game, &mut rng, &mut plain, &mut usual);
        }
    }
    let ours = odd_times.print("turn with odd pieces, with views");
    let control = plain.print("control: turn with ordinary armies");
    println!("at most {most} actions, against {usual}; ratio of the medians {:.2}", ours / control);
}
