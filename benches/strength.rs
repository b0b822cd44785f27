//! Strength of the bots in ordinary chess on Stockfish's `UCI_Elo` scale: games with equal thinking time from short random openings, each
//! opening played twice with exchanged colours.
//!
//! `cargo bench -- strength [BOT] [ELO] [GAMES] [MILLISECONDS]`

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

use crate::spent::spent;
use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};
use zorkmid::{
    board::{Board, Position, START},
    bots::{Bot, MatchScore},
    game::{Clocks, Live, PlayerCommand},
    registry,
    rules::{Actor, Seat},
};

/// Plies of an opening.
const OPENING: usize = 6;
/// Games that take more plies than this count as drawn.
const PATIENCE: usize = 600;

/// Stockfish, limited to a strength.
struct Opponent {
    child: Child,
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Opponent {
    fn start(elo: u32) -> Option<Opponent> {
        let programs = ["stockfish", "/usr/games/stockfish"];
        let start = |program| Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok();
        let mut child = programs.into_iter().find_map(start)?;
        let asks = child.stdin.take()?;
        let answers = BufReader::new(child.stdout.take()?);
        let mut opponent = Opponent { child, asks, answers };
        opponent.say("uci");
        opponent.until("uciok");
        opponent.say("setoption name UCI_LimitStrength value true");
        opponent.say(&format!("setoption name UCI_Elo value {elo}"));
        Some(opponent)
    }

    fn say(&mut self, line: &str) {
        writeln!(self.asks, "{line}").expect("Stockfish reads");
    }

    fn until(&mut self, word: &str) -> String {
        let mut line = String::new();
        while !line.starts_with(word) {
            line.clear();
            assert!(self.answers.read_line(&mut line).expect("Stockfish answers") > 0, "Stockfish exited");
        }
        line
    }

    fn moves(&mut self, played: &[String], time: Duration) -> String {
        self.say(&format!("position startpos moves {}", played.join(" ")));
        self.say(&format!("go movetime {}", time.as_millis()));
        self.until("bestmove").split_whitespace().nth(1).unwrap_or_default().to_owned()
    }
}

impl Drop for Opponent {
    fn drop(&mut self) {
        self.say("quit");
        self.child.wait().ok();
    }
}

/// Random moves to a position without earlier or possible captures.
fn opening(seed: u64) -> Vec<String> {
    let board = Board::orthodox();
    let mut rng = StdRng::seed_from_u64(seed);
    loop {
        let mut position: Position = board.parse_fen(START).expect("the usual position");
        let mut played = Vec::new();
        for _ in 0..OPENING {
            let moves = board.moves(&position);
            let Some(mv) = moves.choose(&mut rng) else { break };
            played.push(board.uci(*mv).to_string());
            position = board.after(&position, *mv);
        }
        let whole = position.occupied().len() == 32;
        let calm = board.moves(&position).into_iter().all(|mv| board.captured(&position, mv).is_none());
        if played.len() == OPENING && whole && calm {
            return played;
        }
    }
}

/// Plays a game to its end.
fn game(bot: Bot, opponent: &mut Opponent, seat: Seat, seed: u64, time: Duration) -> Box<Live> {
    let chess = registry::find("chess").expect("a known variant");
    let mut game = chess.begin(&chess.defaults(), Clocks::new([None; 2])).expect("chess begins");
    let mut played = opening(seed);
    for (ply, text) in played.iter().enumerate() {
        let seat = Seat::BOTH[ply % 2];
        game.act(Actor::Seat(seat), text, 0).expect("openings are legal");
    }
    let mut rng = StdRng::seed_from_u64(seed);
    opponent.say("ucinewgame");
    while game.outcome().is_none() && played.len() < PATIENCE {
        let asked = game.awaits()[0];
        let text = if asked == seat {
            let end = spent() + time;
            game.advise(asked, bot, &mut rng, &mut || spent() >= end).expect("a bot has an answer")
        } else if game.can(asked, PlayerCommand::Claim) {
            "claim".to_owned()
        } else {
            opponent.moves(&played, time)
        };
        game.act(Actor::Seat(asked), &text, 0).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
        played.push(text);
    }
    game
}

pub(crate) fn run(asked: &[String]) {
    let number = |place: usize, usual: u32| asked.get(place).map_or(usual, |text| text.parse().expect("a number"));
    let bot: Bot = asked.first().map_or(Bot::Deep, |name| name.parse().expect("a bot"));
    let (elo, games) = (number(1, 2_000), number(2, 20));
    let time = Duration::from_millis(number(3, 100).into());
    let Some(mut opponent) = Opponent::start(elo) else {
        println!("Not measured: stockfish is not installed (Debian: apt-get install stockfish).");
        return;
    };
    let mut tally = MatchScore::default();
    for number in 0..games {
        let seat = Seat::BOTH[number as usize % 2];
        tally.count(game(bot, &mut opponent, seat, u64::from(number / 2), time).outcome(), seat);
    }
    // A score of 0 or 100 % has no rating.
    let inside = |share: f64| share.clamp(0.5 / f64::from(games), 1.0 - 0.5 / f64::from(games));
    let scale = |share: f64| f64::from(elo) + 400.0 * (inside(share) / (1.0 - inside(share))).log10();
    let MatchScore { won, drawn, lost } = tally;
    println!(
        "{} against Stockfish {elo}, {games} games with {} ms per move: {won} won, {drawn} drawn, {lost} lost",
        bot.name(),
        time.as_millis()
    );
    let [low, high] = tally.interval();
    println!("UCI_Elo {:.0} (95 %: {:.0} to {:.0})", scale(tally.share()), scale(low), scale(high));
}
