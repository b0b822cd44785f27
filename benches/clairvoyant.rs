//! How long it takes to see whether a side of Clairvoyant Chess is mated or stalemated for all that it can buy: in middlegame
//! positions of random and of bot games with 60 zorkmids a side, and in those in which chess itself would call mate, where the
//! whole search is made. The control is the count of all moves three plies deep from the same positions, in the same run.
#![allow(clippy::disallowed_methods, reason = "a measurement reads the clock")]

use std::{hint::black_box, time::Instant};

use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Map, Value, json};
use zorkmid::{
    board::{Board, Position},
    bots::Bot,
    game::{Clocks, Game},
    rules::{
        Actor, Turn,
        clairvoyant::{Clairvoyant, State},
    },
    variants,
};

/// What either side owns.
const MONEY: i64 = 60;
const ROUNDS: usize = 5;
/// Positions of random games and of bot games.
const POSITIONS: [(Bot, usize); 2] = [(Bot::Random, 2_000), (Bot::Gambler, 500)];
/// The steps of a game between which its middlegame lies, and how many lie between two positions that are taken.
const MIDDLE: std::ops::Range<usize> = 30..120;
const APART: usize = 6;

fn game() -> Box<dyn Game> {
    let options: Map<String, Value> =
        Map::from_iter([("money_one".to_owned(), json!(MONEY)), ("money_two".to_owned(), json!(MONEY))]);
    let variant = variants::find("clairvoyant").expect("it is in the list");
    variant.begin(&options, Clocks::new([None, None])).expect("the options are in range")
}

/// Middlegame positions from games of a bot with itself.
fn positions(bot: Bot, wanted: usize, rng: &mut StdRng) -> Vec<Position> {
    let board = Board::orthodox();
    let mut found = Vec::new();
    while found.len() < wanted {
        let mut game = game();
        for step in 0..MIDDLE.end {
            if matches!(game.turn(), Turn::Over(_)) || found.len() == wanted {
                break;
            }
            for seat in game.awaits() {
                // A little thought is enough to play to the point.
                let mut thoughts = 0;
                let mut enough = || {
                    thoughts += 1;
                    thoughts > 40
                };
                let said = game.advise(seat, bot, rng, &mut enough).expect("the seat is asked");
                game.act(Actor::Seat(seat), &said, 1).expect("bots play by the rules");
            }
            if MIDDLE.contains(&step) && step % APART == 0 {
                let position = game.diagram(None).fen.and_then(|fen| board.parse_fen(&fen).ok());
                found.extend(position.filter(|position| board.royals(position, position.turn).len() == 1));
            }
        }
    }
    found
}

/// The positions after every move that mates in chess.
fn mates(positions: &[Position]) -> Vec<Position> {
    let board = Board::orthodox();
    let after = positions.iter().flat_map(|position| {
        let moves = board.moves(position);
        moves.into_iter().map(|mv| board.after(position, mv)).collect::<Vec<_>>()
    });
    after.filter(|position| !board.has_move(position) && board.in_check(position, position.turn)).collect()
}

/// Milliseconds of each measured thing, sorted.
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
    let position = Clairvoyant { fen, money_one: money, money_two: money, ..Clairvoyant::default() };
    State::new(&position)
}

fn table(title: &str, positions: &[Position], money: i64) {
    let board = Board::orthodox();
    println!("\n{title}: {} positions, {money}Z a side; milliseconds", positions.len());
    println!(
        "{:>6} {:>22} {:>9} {:>9} {:>9} {:>9} {:>12}",
        "round", "", "median", "p99", "worst", "saved", "p99/control"
    );
    for round in 1..=ROUNDS {
        let control = Times::of(positions, |position| board.perft(position, 3));
        let judged = Times::of(positions, |position| begun(position, money).outcome);
        let mut saved = 0;
        let states: Vec<State> = positions.iter().map(|position| begun(position, money)).collect();
        let mut next = states.iter();
        let searched = Times::of(positions, |_| saved += usize::from(next.next().and_then(State::rescue).is_some()));
        for (name, times, saved) in [
            ("all moves, 3 plies", &control, String::new()),
            ("begun and judged", &judged, String::new()),
            ("the search alone", &searched, saved.to_string()),
        ] {
            let ratio = times.share(0.99) / control.share(0.99);
            let [median, p99, worst] = [0.5, 0.99, 1.0].map(|part| times.share(part));
            println!("{round:>6} {name:>22} {median:>9.4} {p99:>9.4} {worst:>9.4} {saved:>9} {ratio:>12.3}");
        }
    }
}

fn main() {
    let mut rng = StdRng::seed_from_u64(17);
    for (bot, wanted) in POSITIONS {
        let found = positions(bot, wanted, &mut rng);
        table(&format!("middlegames of {}", bot.name()), &found, MONEY);
        let mated = mates(&found);
        if !mated.is_empty() {
            for money in [2, 11, 26, MONEY] {
                table(&format!("mates of {}", bot.name()), &mated, money);
            }
        }
    }
}
