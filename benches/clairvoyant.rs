//! Time to decide whether a side of Clairvoyant Chess is mated or stalemated despite everything that it can buy. The positions are
//! middlegames of random and of bot games with 60 zorkmids per side, and positions that are mate in chess, which need the full search. The
//! control is a perft of three plies from the middlegame positions, in the same run.
//!
//! `cargo bench -- clairvoyant games random 1000 standard` counts how games of a bot against itself end instead.

use std::{collections::BTreeMap, hint::black_box, time::Instant};

use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Map, Value, json};
use zorkmid::{
    board::{Board, Position},
    bots::Bot,
    game::{Clocks, Live},
    registry,
    rules::{Actor, Rules, RulesVersion, Turn},
    variants::clairvoyant::{Clairvoyant, State},
};

/// Zorkmids of each side.
const MONEY: i64 = 60;
const ROUNDS: usize = 5;
/// Number of positions from random games and from bot games.
const POSITIONS: [(Bot, usize); 2] = [(Bot::Random, 2_000), (Bot::Gambler, 500)];
/// First and last step of the middlegame, and the number of steps between two sampled positions.
const MIDDLE: std::ops::Range<usize> = 30..120;
const APART: usize = 6;

fn game() -> Box<Live> {
    with(Map::from_iter([("money_one".to_owned(), json!(MONEY)), ("money_two".to_owned(), json!(MONEY))]))
}

fn with(options: Map<String, Value>) -> Box<Live> {
    let variant = registry::find("clairvoyant").expect("a known variant");
    variant.begin(&options, Clocks::new([None, None])).expect("valid options")
}

/// Every pending seat acts.
fn step_once(game: &mut Live, bot: Bot, rng: &mut StdRng) {
    for seat in game.awaits() {
        // A short search is enough for purposeful play.
        let mut thoughts = 0;
        let mut enough = || {
            thoughts += 1;
            thoughts > 40
        };
        let said = game.advise(seat, bot, rng, &mut enough).expect("a pending seat has an action");
        game.act(Actor::Seat(seat), &said, 1).expect("bots play by the rules");
    }
}

/// Prints how games of a bot against itself end, by reason, and their lengths.
fn endings(bot: Bot, games: usize, preset: &str) {
    let presets = (registry::find("clairvoyant").expect("a known variant").presets)();
    let (_, options) = presets.into_iter().find(|(name, _)| *name == preset).expect("standard or blind");
    let Value::Object(options) = options else { return };
    let (mut reasons, mut steps) = (BTreeMap::<&str, usize>::new(), Vec::new());
    for seed in 0..games {
        let mut rng = StdRng::seed_from_u64(seed as u64);
        let mut game = with(options.clone());
        while !matches!(game.turn(), Turn::Over(_)) {
            step_once(&mut game, bot, &mut rng);
        }
        *reasons.entry(game.outcome().map_or("none", |outcome| outcome.reason())).or_default() += 1;
        steps.push(game.ply());
    }
    steps.sort_unstable();
    println!("{games} games of {} against itself, {preset}: {reasons:?}", bot.name());
    println!("steps: median {}, longest {}", steps[games / 2], steps[games - 1]);
}

/// Middlegame positions from games of a bot against itself.
fn positions(bot: Bot, wanted: usize, rng: &mut StdRng) -> Vec<Position> {
    let board = Board::orthodox();
    let mut found = Vec::new();
    while found.len() < wanted {
        let mut game = game();
        for step in 0..MIDDLE.end {
            if matches!(game.turn(), Turn::Over(_)) || found.len() == wanted {
                break;
            }
            step_once(&mut game, bot, rng);
            if MIDDLE.contains(&step) && step % APART == 0 {
                let position = game.diagram(None).fen.and_then(|fen| board.parse_fen(&fen).ok());
                found.extend(position.filter(|position| board.royals(position, position.turn).len() == 1));
            }
        }
    }
    found
}

/// Positions after every move that mates in chess.
fn mates(positions: &[Position]) -> Vec<Position> {
    let board = Board::orthodox();
    let after = positions.iter().flat_map(|position| {
        let moves = board.moves(position);
        moves.into_iter().map(|mv| board.after(position, mv)).collect::<Vec<_>>()
    });
    after.filter(|position| !board.has_move(position) && board.in_check(position, position.turn)).collect()
}

/// Sorted times in milliseconds.
struct Times(Vec<f64>);

impl Times {
    fn of<T>(positions: &[Position], mut one: impl FnMut(&Position) -> T) -> Times {
        let time = |position: &Position| {
            let begun = Instant::now();
            black_box(one(position));
            begun.elapsed().as_secs_f64() * 1e3
        };
        let mut times: Vec<f64> = positions.iter().map(time).collect();
        times.sort_by(f64::total_cmp);
        Times(times)
    }

    fn share(&self, part: f64) -> f64 {
        self.0[((self.0.len() - 1) as f64 * part) as usize]
    }
}

fn begun(position: &Position, money: i64) -> State {
    let fen = Board::orthodox().fen(position);
    let options = Clairvoyant { fen, money_one: money, money_two: money, ..Clairvoyant::default() };
    State::new(&options.terms(RulesVersion::CURRENT).expect("a position of a game"))
}

fn table(title: &str, positions: &[Position], usual: &[Position], money: i64) {
    let board = Board::orthodox();
    println!("\n{title}: {} positions, {money}Z per side; milliseconds", positions.len());
    println!(
        "{:>6} {:>22} {:>9} {:>9} {:>9} {:>9} {:>12}",
        "round", "", "median", "p99", "worst", "saved", "p99/control"
    );
    for round in 1..=ROUNDS {
        let control = Times::of(usual, |position| board.perft(position, 3));
        let judged = Times::of(positions, |position| begun(position, money).outcome);
        let mut saved = 0;
        let states: Vec<State> = positions.iter().map(|position| begun(position, money)).collect();
        let mut next = states.iter();
        let searched = Times::of(positions, |_| saved += usize::from(next.next().and_then(State::rescue).is_some()));
        for (name, times, saved) in [
            ("all moves, 3 plies", &control, String::new()),
            ("built and judged", &judged, String::new()),
            ("search alone", &searched, saved.to_string()),
        ] {
            let ratio = times.share(0.99) / control.share(0.99);
            let [median, p99, worst] = [0.5, 0.99, 1.0].map(|part| times.share(part));
            println!("{round:>6} {name:>22} {median:>9.4} {p99:>9.4} {worst:>9.4} {saved:>9} {ratio:>12.3}");
        }
    }
}

pub(crate) fn run(asked: &[String]) {
    if let [what, bot, games, preset] = asked
        && what == "games"
    {
        return endings(bot.parse().expect("a bot"), games.parse().expect("a number"), preset);
    }
    let mut rng = StdRng::seed_from_u64(17);
    for (bot, wanted) in POSITIONS {
        let found = positions(bot, wanted, &mut rng);
        table(&format!("middlegames of {}", bot.name()), &found, &found, MONEY);
        let mated = mates(&found);
        if !mated.is_empty() {
            for money in [2, 11, 26, MONEY] {
                table(&format!("mates of {}", bot.name()), &mated, &found, money);
            }
        }
    }
}
