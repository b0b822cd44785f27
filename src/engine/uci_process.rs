//! An engine's process: it gets positions and time limits in UCI, and is stopped when it does not answer in time.

use crate::{
    play::GameSnapshot,
    registry::{self, VARIANTS},
    rules::{Actor, Seat},
};
use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

/// An engine is given so much longer than it may think.
const GRACE: Duration = Duration::from_secs(5);
/// An engine has to have come up by then.
const START: Duration = Duration::from_secs(10);
/// The longest line that is read from an engine's name.
const NAMED: usize = 200;

/// A clock is spent over so many moves.
const MOVES: i64 = 30;
/// Nobody thinks less than this.
const LEAST: Duration = Duration::from_millis(10);

/// An engine, whether it runs or not.
pub(super) struct Engine {
    path: PathBuf,
    running: Option<Running>,
    named: String,
    variants: Vec<&'static str>,
    /// Set if it plays more than one variant, and wants to be told which.
    told: bool,
}

/// A process; it is killed when it is let go.
struct Running {
    _child: Child,
    into: ChildStdin,
    from: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    /// Starts an engine and hears what it is.
    pub(super) async fn start(path: &Path) -> Result<Engine, String> {
        let mut engine =
            Engine { path: path.to_owned(), running: None, named: String::new(), variants: vec!["chess"], told: false };
        engine.begin().await?;
        Ok(engine)
    }

    /// The name that it gives itself.
    pub(super) fn named(&self) -> &str {
        &self.named
    }

    /// The keys of the variants that it plays.
    pub(super) fn variants(&self) -> &[&'static str] {
        &self.variants
    }

    /// The move that it chooses. Where that fails it is stopped, and started at the next question.
    pub(super) async fn choose(&mut self, question: &UciPosition) -> Result<String, String> {
        if self.running.is_none() {
            self.begin().await?;
        }
        let chosen = match timeout(question.time + GRACE, self.ask(question)).await {
            Ok(chosen) => chosen,
            Err(_) => Err("it does not answer in time".to_owned()),
        };
        if chosen.is_err() {
            self.running = None;
        }
        chosen
    }

    async fn begin(&mut self) -> Result<(), String> {
        let mut command = Command::new(&self.path);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut child = command.spawn().map_err(|why| format!("cannot be started: {why}"))?;
        let (Some(into), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("has no input or output".to_owned());
        };
        yield_to_others(&child);
        self.running = Some(Running { _child: child, into, from: BufReader::new(from).lines() });
        let heard = timeout(START, self.shake_hands()).await;
        let heard = heard.unwrap_or_else(|_| Err("does not speak UCI: it gives no uciok".to_owned()));
        if heard.is_err() {
            self.running = None;
        }
        heard
    }

    async fn shake_hands(&mut self) -> Result<(), String> {
        self.say("uci").await?;
        loop {
            let line = self.hear().await?;
            let words = line.trim();
            if words == "uciok" {
                break;
            }
            if let Some(named) = words.strip_prefix("id name ") {
                self.named = named.chars().take(NAMED).collect();
            }
            if words.starts_with("option name UCI_Variant ") {
                let knows = |name: &str| words.split(" var ").any(|word| word.trim() == name);
                self.variants = VARIANTS
                    .iter()
                    .filter(|variant| variant.uci_name.is_some_and(knows))
                    .map(|variant| variant.key)
                    .collect();
                self.told = true;
            }
        }
        self.ready().await
    }

    /// Waits until it has done what it was told.
    async fn ready(&mut self) -> Result<(), String> {
        self.say("isready").await?;
        while self.hear().await?.trim() != "readyok" {}
        Ok(())
    }

    async fn ask(&mut self, question: &UciPosition) -> Result<String, String> {
        if self.told {
            let name = registry::find(question.variant).and_then(|variant| variant.uci_name).unwrap_or("chess");
            self.say(&format!("setoption name UCI_Variant value {name}")).await?;
        }
        self.say(&format!("setoption name UCI_Chess960 value {}", question.onto_rook)).await?;
        self.ready().await?;
        self.say(&format!("position {}", question.position)).await?;
        self.say(&format!("go movetime {}", question.time.as_millis())).await?;
        loop {
            let line = self.hear().await?;
            if let Some(chosen) = line.trim().strip_prefix("bestmove ") {
                return Ok(chosen.split(' ').next().unwrap_or_default().to_owned());
            }
        }
    }

    async fn say(&mut self, line: &str) -> Result<(), String> {
        let running = self.running.as_mut().ok_or("it has gone")?;
        running.into.write_all(format!("{line}\n").as_bytes()).await.map_err(|why| format!("it has gone: {why}"))
    }

    async fn hear(&mut self) -> Result<String, String> {
        let running = self.running.as_mut().ok_or("it has gone")?;
        let line = running.from.next_line().await.map_err(|why| format!("cannot be understood: {why}"))?;
        line.ok_or_else(|| "it has gone".to_owned())
    }
}

/// Whoever waits for a page comes first.
#[cfg(target_os = "linux")]
fn yield_to_others(child: &Child) {
    let pid = child.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed()));
    // Where it is refused the engine is only less polite.
    let _ = rustix::process::setpriority_process(pid, 10);
}

#[cfg(not(target_os = "linux"))]
fn yield_to_others(_: &Child) {}

/// What an engine is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct UciPosition {
    /// The key of the variant.
    pub(super) variant: &'static str,
    /// What stands behind the word `position`.
    pub(super) position: String,
    /// Set if castling is written as the king's move onto his rook.
    onto_rook: bool,
    /// The time for the move.
    pub(super) time: Duration,
}

impl UciPosition {
    /// The question of a seat that is asked, with `time` for a move at most; nothing if there is no position that an engine could read.
    pub(super) fn of(table: &GameSnapshot, seat: Seat, time: Duration, now: i64) -> Option<UciPosition> {
        let game = &table.game;
        let left =
            game.clocks().view(seat).map(|clock| clock.deadline.map_or(clock.remaining, |deadline| deadline - now));
        let share = left.map(|left| Duration::from_millis((left / MOVES).max(0).unsigned_abs()));
        let time = share.map_or(time, |share| time.min(share)).max(LEAST);
        let usual = game.options().get("fen").and_then(|fen| fen.as_str()).is_none_or(str::is_empty);
        let (position, onto_rook) = match usual {
            // With the moves an engine knows what has been repeated.
            true => {
                let made = game.lines(Some(seat)).into_iter();
                let made = made.filter(|line| line.step.is_some() && matches!(line.actor, Actor::Seat(_)));
                let moves: Option<Vec<String>> = made.map(|line| line.text).collect();
                let moves = moves?;
                (
                    if moves.is_empty() {
                        "startpos".to_owned()
                    } else {
                        format!("startpos moves {}", moves.join(" "))
                    },
                    false,
                )
            }
            // Rooks may stand anywhere.
            false => (format!("fen {}", game.diagram(Some(seat)).fen?), true),
        };
        Some(UciPosition { variant: game.key(), position, onto_rook, time })
    }
}
