//! Written games can be continued. For every variant with a starting-position option, the last position of a PGN game can be read
//! as a new starting position.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Map, Value};
use zorkmid_games::{
    bots::Bot,
    game::{
        Clocks, Live,
        record::{Heading, pgn},
    },
    registry::{VARIANTS, Variant},
    rules::{Actor, Turn},
};

/// Plays a number of random steps, including chance.
fn played(variant: &Variant, options: &Value, steps: usize, rng: &mut StdRng) -> Box<Live> {
    let mut game = variant.begin(options.as_object().unwrap(), Clocks::new([None, None])).unwrap();
    game.act(Actor::Server, "begin", 0).unwrap();
    for _ in 0..steps {
        match game.turn() {
            Turn::Over(_) => break,
            Turn::Chance => {
                let said = game.chance(rng).unwrap();
                game.act(Actor::Chance, &said, 1).unwrap();
            }
            Turn::One(_) | Turn::Both => {
                for seat in game.awaits() {
                    let said = game.advise(seat, Bot::Random, rng, &mut || true).unwrap();
                    game.act(Actor::Seat(seat), &said, 1).unwrap();
                }
            }
        }
    }
    game
}

/// Placement, castling and en passant fields of a FEN. The side to move is left out, as a purchase or coin changes it within a
/// turn.
fn placed(fen: &str) -> Vec<&str> {
    let fields: Vec<&str> = fen.split(' ').collect();
    [&fields[..1], &fields[2..4]].concat()
}

/// Whether a variant has a starting-position option.
pub(crate) fn is_asked(variant: &Variant) -> bool {
    (variant.settings)().iter().any(|setting| setting.key == "fen")
}

/// The last position of each written game is readable.
pub(crate) fn written_games_can_be_read(variant: &Variant) {
    let mut rng = StdRng::seed_from_u64(29);
    let mut read = 0;
    for (name, options) in (variant.presets)() {
        for _ in 0..8 {
            let game = played(variant, &options, rng.random_range(1..90), &mut rng);
            let names = ["Anna".to_owned(), "Bert".to_owned()];
            let heading = Heading { site: "here".to_owned(), begun: 0, names, clocks: [None; 2] };
            let [paper] = &pgn(&game, None, &heading)[..] else { panic!("several deals") };
            if paper.moves.is_empty() {
                continue;
            }
            let text = paper.to_string();
            let last = variant.read_position(&text);
            let last = last.unwrap_or_else(|why| panic!("{} {name}: {why}\n{text}", variant.key));
            let stands = game.json(None)["view"]["diagram"]["fen"].as_str().unwrap().to_owned();
            assert_eq!(placed(&last), placed(&stands), "{} {name}: {text}", variant.key);
            read += 1;
        }
    }
    assert!(read > 4, "{}: {read}", variant.key);
}

/// The `Date` tag holds the day on which the game started.
pub(crate) fn the_date_tag_is_the_start_day() {
    let variant = &VARIANTS[0];
    let game = variant.begin(&Map::new(), Clocks::new([None, None])).unwrap();
    for (day, text) in
        [(0, "1970.01.01"), (-1, "1969.12.31"), (11_016, "2000.02.29"), (19_782, "2024.02.29"), (19_783, "2024.03.01")]
    {
        let names = ["Anna".to_owned(), "Bert".to_owned()];
        let heading = Heading { site: "here".to_owned(), begun: day * 86_400_000 + 5, names, clocks: [None; 2] };
        assert_eq!(pgn(&game, None, &heading)[0].tag("Date"), Some(text));
    }
}
