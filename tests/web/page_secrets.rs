//! Secrecy of pages in every variant: in random games, the pages of a seat and of spectators do not change when hidden information is dealt
//! again, or when the opponent makes a different sealed choice.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use zorkmid::{
    bots::Bot,
    game::{Clocks, Live},
    registry::{VARIANTS, Variant},
    rules::{Actor, Seat, Turn},
    web::{frame::Frame, variant_pages},
};

use super::often::often;

/// Steps checked in each game.
const STEPS: usize = 60;

fn page(game: &Live, viewer: Option<Seat>) -> String {
    let templates = variant_pages::of(game.key());
    let mut frame = Frame::of(game, viewer, "/games/law".to_owned());
    let mut page = templates.page(game, &frame).to_string();
    if viewer.is_some_and(|seat| game.draft(seat, "").is_some()) {
        frame.draft = Some(String::new());
        page.push_str(&templates.page(game, &frame).to_string());
    }
    page
}

fn candidate(game: &Live, seat: Seat, rng: &mut StdRng) -> String {
    game.advise(seat, Bot::Random, rng, &mut || true).expect("a pending seat has an action")
}

fn sealed_choices_are_unseen(game: &Live, rng: &mut StdRng) {
    for seat in Seat::BOTH {
        let worlds: [Box<Live>; 2] = std::array::from_fn(|_| {
            let mut world = game.copy();
            world.act(Actor::Seat(seat), &candidate(game, seat, rng), 0).unwrap();
            world
        });
        for viewer in [None, Some(!seat)] {
            let [one, other] = worlds.each_ref().map(|world| page(world, viewer));
            assert_eq!(one, other, "{}: the page shows a sealed choice", game.key());
        }
    }
}

fn redealing_is_invisible(game: &Live, rng: &mut StdRng) {
    for seat in Seat::BOTH {
        let world = game.redeal(seat, rng);
        for viewer in [None, Some(seat)] {
            assert_eq!(page(&world, viewer), page(game, viewer), "{}: the page shows hidden information", game.key());
        }
    }
}

fn play(variant: &Variant, preset: &serde_json::Value, seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut game = variant.begin(preset.as_object().unwrap(), Clocks::new([None; 2])).unwrap();
    game.act(Actor::Server, "begin", 0).unwrap();
    for _ in 0..STEPS {
        if rng.random_ratio(1, 6) {
            redealing_is_invisible(&game, &mut rng);
        }
        match game.turn() {
            Turn::Over(_) => break,
            Turn::Chance => {
                let word = game.chance(&mut rng).expect("chance is to act");
                game.act(Actor::Chance, &word, 0).unwrap();
            }
            Turn::One(seat) => {
                let word = candidate(&game, seat, &mut rng);
                game.act(Actor::Seat(seat), &word, 0).unwrap();
            }
            Turn::Both => {
                if rng.random_ratio(1, 6) {
                    sealed_choices_are_unseen(&game, &mut rng);
                }
                for seat in Seat::BOTH {
                    let word = candidate(&game, seat, &mut rng);
                    game.act(Actor::Seat(seat), &word, 0).unwrap();
                }
            }
        }
    }
    redealing_is_invisible(&game, &mut rng);
}

#[test]
fn pages_keep_secrets() {
    for variant in VARIANTS {
        for (_, preset) in (variant.presets)() {
            (0..often(2) as u64).for_each(|seed| play(variant, &preset, seed));
        }
    }
}
