//! PGN records as read by python-chess, for the variants that it supports.

use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Map, Value, json};
use zorkmid_games::{
    bots::Bot,
    game::{
        Clock, Clocks, Live,
        record::{Heading, pgn},
    },
    registry,
    rules::{Actor, Seat, Turn},
};

const CLOCK: Clock = Clock::Fischer { initial: 300, increment: 3 };
/// Start of the games: 14 November 2023, 22:13:20 UTC.
const BEGUN: i64 = 1_700_000_000_000;
/// Most steps of a game.
const STEPS: usize = 120;

/// A random game in which every action takes two and a half seconds.
fn played(variant: &str, options: &Value, seed: u64) -> Box<Live> {
    let options: Map<String, Value> = options.as_object().unwrap().clone();
    let mut game = registry::find(variant).unwrap().begin(&options, Clocks::new([Some(CLOCK); 2])).unwrap();
    let mut rng = StdRng::seed_from_u64(seed);
    let mut now = BEGUN;
    game.act(Actor::Server, "begin", now).unwrap();
    for _ in 0..STEPS {
        now += 2_500;
        let (actor, word) = match game.turn() {
            Turn::Over(_) => break,
            Turn::Chance => (Actor::Chance, game.chance(&mut rng)),
            Turn::One(_) | Turn::Both => {
                let seat = game.awaits()[0];
                (Actor::Seat(seat), game.advise(seat, Bot::Random, &mut rng, &mut || true))
            }
        };
        game.act(actor, &word.unwrap(), now).unwrap();
    }
    game
}

/// PGN of the game, or of its deals.
fn written(game: &Live) -> String {
    let names = ["Anna", "Bert"].map(str::to_owned);
    let heading = Heading { site: "here".to_owned(), begun: BEGUN, names, clocks: [Some(CLOCK); 2] };
    pgn(game, None, &heading).iter().map(|deal| format!("{deal}\n")).collect()
}

/// python-chess's reading of some records; `None` if it is not installed.
fn read(papers: &[String]) -> Option<Vec<Value>> {
    let read = crate::pyffish::answer(include_str!("paper.py"), &json!(papers))?;
    Some(read.as_array().unwrap().clone())
}

#[test]
fn python_chess_reads_supported_variants() {
    let shuffled = "nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w HBhb - 0 1";
    let castles = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w HBhb - 0 1";
    let asked = [
        ("chess", json!({})),
        ("chess960", json!({})),
        ("chess960", json!({"fen": shuffled})),
        ("chess960", json!({"fen": castles})),
        ("antichess", json!({})),
        ("atomic", json!({})),
        ("crazyhouse", json!({})),
        ("horde", json!({"horde_side": "white"})),
        ("racing-kings", json!({})),
        ("three-check", json!({})),
        ("king-of-the-hill", json!({})),
        ("bookie", json!({})),
        ("bookie", json!({"deals": 3, "double": "2"})),
    ];
    let games: Vec<Box<Live>> =
        asked.iter().flat_map(|(variant, options)| (0..4).map(|seed| played(variant, options, seed))).collect();
    let papers: Vec<String> = games.iter().map(|game| written(game)).collect();
    let Some(read) = read(&papers) else { return };
    for ((game, paper), read) in games.iter().zip(&papers).zip(read) {
        let deals = read.as_array().unwrap();
        assert!(!deals.is_empty(), "{paper}");
        for deal in deals {
            assert_eq!(deal["errors"], json!([]), "{paper}");
            assert_eq!([&deal["tags"]["UTCDate"], &deal["tags"]["UTCTime"]], ["2023.11.14", "22:13:20"]);
            let clocks = deal["clocks"].as_array().unwrap();
            assert!(
                clocks.iter().all(|clock| clock.as_f64().is_some_and(|left| left <= 300.0 + STEPS as f64)),
                "{paper}"
            );
        }
        let last = deals.last().unwrap();
        if let (Some(fen), false) = (game.diagram(None).fen, last["clocks"] == json!([])) {
            let placement = |fen: &str| fen.split([' ', '[']).next().unwrap().replace('~', "");
            assert_eq!(placement(last["ends"].as_str().unwrap()), placement(&fen), "{paper}");
        }
    }
}

#[test]
fn termination_tags_use_standard_values() {
    let told = |game: &Live| {
        let paper = written(game);
        let tag =
            |name: &str| paper.lines().find_map(|line| line.strip_prefix(&format!("[{name} "))).map(str::to_owned);
        (tag("Termination").unwrap(), tag("Ending"))
    };
    let end = |actor: Actor, word: &str| {
        let mut game = played("chess", &json!({}), 1);
        assert_eq!(game.outcome(), None);
        game.act(actor, word, BEGUN).map(|_| game)
    };
    let unfinished = registry::find("chess").unwrap().begin(&Map::new(), Clocks::new([None; 2])).unwrap();
    assert_eq!(told(&unfinished), ("\"unterminated\"]".to_owned(), None));
    for (actor, word, manner, ending) in [
        (Actor::Seat(Seat::One), "resign", "normal", "resignation"),
        (Actor::Server, "flag one", "time forfeit", "time"),
        (Actor::Server, "forfeit two", "rules infraction", "forfeit"),
        (Actor::Server, "expire", "abandoned", "nobody came"),
    ] {
        let game = end(actor, word).unwrap();
        assert_eq!(told(&game), (format!("\"{manner}\"]"), Some(format!("\"{ending}\"]"))), "{word}");
    }
}

#[test]
fn bids_appear_once_with_their_side() {
    let mut game = registry::find("bidding").unwrap().begin(&Map::new(), Clocks::new([None; 2])).unwrap();
    let said = [
        (Seat::Two, "bid 10"),
        (Seat::One, "accept"),
        (Seat::Two, "e7e5"),
        (Seat::Two, "bid 5"),
        (Seat::One, "reject"),
    ];
    for (seat, word) in said.into_iter().chain([(Seat::One, "e2e4")]) {
        game.act(Actor::Seat(seat), word, 0).unwrap();
    }
    let paper = written(&game).replace('\n', " ");
    for once in [
        "Black: bid 10",
        "White: accept; Black pays 10 and moves",
        "Black: bid 5",
        "White: reject; White pays 5 and moves",
    ] {
        assert_eq!(paper.matches(once).count(), 1, "{once} in {paper}");
    }
    assert_eq!(paper.matches("pays 10").count() + paper.matches("pays 5").count(), 2, "{paper}");
}
