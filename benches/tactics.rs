//! Number of 300 tactical chess positions that the best bot level solves.
//!
//! `cargo bench -- tactics [BOT] [MILLISECONDS] [FIRST] [LAST]`

use std::time::Duration;

use crate::spent::spent;
use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Map, Value};
use zorkmid::{board::Board, bots::Bot, game::Clocks, registry};

/// The positions, as `placement side castling passant; MOVES`.
const POSITIONS: &str = include_str!("tactics.epd");

/// A move in SAN without `+` and `#`.
fn plain(san: &str) -> &str {
    san.trim_end_matches(['+', '#'])
}

/// A bot's move in SAN.
fn found(fen: &str, bot: Bot, time: Duration) -> String {
    let chess = registry::find("chess").expect("a known variant");
    let options = Map::from_iter([("fen".to_owned(), Value::from(fen))]);
    let game = chess.begin(&options, Clocks::new([None; 2])).expect("the position is legal");
    let end = spent() + time;
    let mut rng = StdRng::seed_from_u64(1);
    let text = game.advise(game.awaits()[0], bot, &mut rng, &mut || spent() >= end).expect("a bot has an answer");
    let board = Board::orthodox();
    let position = board.parse_fen(fen).expect("the position is legal");
    let moves = board.moves(&position);
    let mv = moves.iter().find(|mv| board.uci(**mv).to_string() == text).expect("the bot plays a legal move");
    board.san_among(&position, *mv, &moves)
}

pub(super) fn run(options: &[String]) {
    let option = |at: usize, usual: &str| options.get(at).map_or(usual, String::as_str).to_owned();
    let bot: Bot = option(0, "deep").parse().expect("a level");
    let time = Duration::from_millis(option(1, "5000").parse().expect("a number of milliseconds"));
    let place = |at: usize, usual: &str| option(at, usual).parse::<usize>().expect("a number of a position");
    let (first, last) = (place(2, "1"), place(3, "300"));
    let all = POSITIONS.lines().filter(|line| !line.starts_with('#')).enumerate();
    let (mut solved, mut asked) = (0, 0);
    for (at, line) in all.skip(first - 1).take(last + 1 - first) {
        let (fen, best) = line.split_once("; ").expect("a position and its moves");
        let fen = format!("{fen} 0 1");
        let answer = found(&fen, bot, time);
        let right = best.split(' ').any(|best| plain(best) == plain(&answer));
        (solved, asked) = (solved + usize::from(right), asked + 1);
        if !right {
            println!("{}: {answer}, expected {best}; {fen}", at + 1);
        }
    }
    println!("{} solves {solved} of {asked} positions at {time:?} each", bot.name());
}
