//! The subcommand `uci`: the bots' search as a UCI engine, for chess interfaces and matches with other engines.

use crate::{
    board::{Color, START, Uci as MoveText},
    bots::{Iteration, SearchScore},
    game::{Clocks, Live},
    registry::{self, VARIANTS, Variant},
    rules::Actor,
};
use serde_json::Map;
use std::{
    io::BufRead,
    sync::mpsc::{Sender, TryRecvError, channel},
    thread::JoinHandle,
};

/// Default and greatest depth of a search, in plies.
const DEEPEST: i32 = 64;
/// Number of moves over which the remaining time is spread.
const MOVES: i64 = 30;
/// Minimum thinking time, in milliseconds.
const LEAST: i64 = 5;

/// Arguments of `uci`.
#[derive(Debug, clap::Args)]
pub struct Uci {
    /// Name of the variant among UCI engines, such as crazyhouse or 3check. The interface can change it with the option UCI_Variant.
    #[arg(default_value = "chess")]
    variant: String,
}

impl Uci {
    /// Obeys the commands of the input until `quit` or the end of the input. `now` returns milliseconds since the epoch; `say` prints a
    /// line.
    ///
    /// # Errors
    /// If UCI engines have no such variant, or the input cannot be read.
    pub fn run(&self, now: fn() -> i64, say: fn(String), input: impl BufRead) -> Result<(), String> {
        let mut engine =
            Engine { now, say, variant: named(&self.variant)?, chess960: false, game: None, searching: None };
        for line in input.split(b'\n') {
            let line = line.map_err(|why| format!("cannot read the standard input: {why}"))?;
            let line = String::from_utf8_lossy(&line);
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["quit", ..] => break,
                words => engine.obey(words).unwrap_or_else(|why| say(format!("info string {why}"))),
            }
        }
        engine.stop();
        Ok(())
    }
}

/// The variant with this name among UCI engines.
fn named(name: &str) -> Result<&'static Variant, String> {
    let found = VARIANTS.iter().find(|variant| variant.uci_name == Some(name));
    found.ok_or_else(|| format!("UCI engines have no variant “{name}”: use one of {}", names().join(", ")))
}

fn names() -> Vec<&'static str> {
    VARIANTS.iter().filter_map(|variant| variant.uci_name).collect()
}

/// State of the engine.
struct Engine {
    now: fn() -> i64,
    say: fn(String),
    variant: &'static Variant,
    chess960: bool,
    /// The game to search; none if the last `position` was invalid.
    game: Option<Box<Live>>,
    searching: Option<Searching>,
}

/// A running search. It stops when the sender is dropped.
struct Searching {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Engine {
    /// Obeys one command. An unknown command has no effect, as the protocol requires.
    fn obey(&mut self, words: &[&str]) -> Result<(), String> {
        match words {
            ["uci", ..] => {
                (self.say)(format!("id name Zorkmid {}", env!("CARGO_PKG_VERSION")));
                (self.say)("id author the authors of Zorkmid".to_owned());
                let known: String = names().iter().map(|name| format!(" var {name}")).collect();
                let usual = self.variant.uci_name.unwrap_or("chess");
                (self.say)(format!("option name UCI_Variant type combo default {usual}{known}"));
                (self.say)("option name UCI_Chess960 type check default false".to_owned());
                (self.say)("uciok".to_owned());
            }
            ["isready", ..] => (self.say)("readyok".to_owned()),
            ["setoption", "name", name, "value", value] => {
                self.stop();
                match name.to_ascii_lowercase().as_str() {
                    "uci_variant" => self.variant = named(value)?,
                    "uci_chess960" => self.chess960 = *value == "true",
                    _ => return Err(format!("there is no option {name}")),
                }
                self.game = None;
            }
            ["ucinewgame", ..] => {
                self.stop();
                self.game = None;
            }
            ["position", rest @ ..] => {
                self.stop();
                self.game = None;
                self.game = Some(self.position(rest)?);
            }
            ["go", limits @ ..] => {
                self.stop();
                self.go(limits)?;
            }
            ["stop", ..] => self.stop(),
            _ => {}
        }
        Ok(())
    }

    /// The game of a `position` command.
    fn position(&self, words: &[&str]) -> Result<Box<Live>, String> {
        let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let (start, moves) = words.split_at(at);
        let chess960 = self.chess960 && self.variant.key == "chess";
        let fen = match start {
            // A game of Chess960 has no usual start.
            ["startpos"] if chess960 => START.to_owned(),
            ["startpos"] => String::new(),
            ["fen", fields @ ..] => fields.join(" "),
            _ => return Err("a position is startpos or a FEN".to_owned()),
        };
        let variant = match chess960 {
            true => registry::find_or_refuse("chess960").map_err(|refusal| refusal.why)?,
            false => self.variant,
        };
        let options = Map::from_iter([("fen".to_owned(), fen.into())]);
        let mut game = variant.begin(&options, Clocks::new([None; 2])).map_err(|refusal| refusal.to_string())?;
        for text in moves.iter().skip(1) {
            let wrong = |why: String| format!("move {text}: {why}");
            text.parse::<MoveText>().map_err(|refusal| wrong(refusal.to_string()))?;
            let seat = game.awaits().first().copied().ok_or_else(|| wrong("the game is over".to_owned()))?;
            game.act(Actor::Seat(seat), text, 0).map_err(|refusal| wrong(refusal.to_string()))?;
        }
        Ok(game)
    }

    /// Starts a search, which prints its best move when it ends.
    fn go(&mut self, limits: &[&str]) -> Result<(), String> {
        if self.game.is_none() {
            self.game = Some(self.position(&["startpos"])?);
        }
        let Some(game) = self.game.clone() else { return Ok(()) };
        let limits = Limits::of(limits, game.awaits().first().map_or(Color::White, |seat| seat.color()));
        let (now, say) = (self.now, self.say);
        let (stop, stopped) = channel();
        let thread = std::thread::spawn(move || {
            let begun = now();
            let mut enough = || {
                let late = limits.time.is_some_and(|time| now() - begun >= time);
                late || stopped.try_recv() == Err(TryRecvError::Disconnected)
            };
            let mut report = |iteration: Iteration| say(info(&iteration, now() - begun));
            let best = game.search((limits.depth, limits.nodes), &mut report, &mut enough);
            if limits.endless {
                // Waits for `stop`, which drops the sender.
                stopped.recv().ok();
            }
            say(format!("bestmove {}", best.as_deref().unwrap_or("(none)")));
        });
        self.searching = Some(Searching { stop, thread });
        Ok(())
    }

    /// Ends the search, if there is one, and waits for its move.
    fn stop(&mut self) {
        if let Some(Searching { stop, thread }) = self.searching.take() {
            drop(stop);
            // A search that panicked has no move.
            thread.join().ok();
        }
    }
}

/// Limits of a search.
#[derive(Debug)]
struct Limits {
    /// Time in milliseconds.
    time: Option<i64>,
    /// Depth in plies.
    depth: i32,
    nodes: u64,
    /// The move is printed only after `stop`.
    endless: bool,
}

impl Limits {
    /// Limits of a `go` command, for the side to move.
    fn of(words: &[&str], side: Color) -> Limits {
        let number = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1)?.parse::<i64>().ok()
        };
        let (left, increment) = match side {
            Color::White => (number("wtime"), number("winc")),
            Color::Black => (number("btime"), number("binc")),
        };
        let share = left.map(|left| {
            let moves = number("movestogo").unwrap_or(MOVES).clamp(1, MOVES);
            left.min(left / moves + increment.unwrap_or_default() / 4 * 3).min(left / 2)
        });
        let time = number("movetime").or(share).map(|time| time.max(LEAST));
        let (depth, nodes) = (number("depth"), number("nodes"));
        Limits {
            time,
            depth: depth.map_or(DEEPEST, |depth| depth.clamp(1, i64::from(DEEPEST)) as i32),
            nodes: nodes.map_or(u64::MAX, |nodes| nodes.max(1).unsigned_abs()),
            endless: words.contains(&"infinite") || (time.is_none() && depth.is_none() && nodes.is_none()),
        }
    }
}

/// The `info` line of an iteration that ended after `time` milliseconds.
fn info(iteration: &Iteration, time: i64) -> String {
    let Iteration { depth, nodes, score, best } = iteration;
    let score = match score {
        SearchScore::Centipawns(score) => format!("cp {score}"),
        SearchScore::Win(moves) => format!("mate {moves}"),
    };
    let speed = nodes * 1_000 / time.max(1).unsigned_abs();
    format!("info depth {depth} score {score} nodes {nodes} nps {speed} time {time} pv {best}")
}
