//! The process of a UCI engine. It receives positions and time limits, and is killed when it does not answer in time.

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

/// Extra time before an engine that exceeds its thinking time is killed.
const GRACE: Duration = Duration::from_secs(5);
/// Time limit for the UCI handshake.
const START: Duration = Duration::from_secs(10);
/// Maximum length of an engine's name, in characters.
const NAMED: usize = 200;

/// Number of moves over which the remaining time is spread.
const MOVES: i64 = 30;
/// Minimum thinking time.
const LEAST: Duration = Duration::from_millis(10);

/// An engine, running or not.
pub(super) struct Engine {
    path: PathBuf,
    running: Option<Running>,
    named: String,
    variants: Vec<&'static str>,
    /// Set if the engine supports several variants and needs `UCI_Variant`.
    needs_variant: bool,
}

/// A process, killed when dropped.
struct Running {
    _child: Child,
    into: ChildStdin,
    from: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    /// Starts an engine and reads its name and variants.
    pub(super) async fn start(path: &Path) -> Result<Engine, String> {
        let mut engine = Engine {
            path: path.to_owned(),
            running: None,
            named: String::new(),
            variants: vec!["chess"],
            needs_variant: false,
        };
        engine.begin().await?;
        Ok(engine)
    }

    /// The engine's own name.
    pub(super) fn named(&self) -> &str {
        &self.named
    }

    /// Keys of the variants that the engine supports.
    pub(super) fn variants(&self) -> &[&'static str] {
        &self.variants
    }

    /// Returns the engine's move. After an error the process is killed; the next call starts it again.
    pub(super) async fn choose(&mut self, question: &UciPosition) -> Result<String, String> {
        if self.running.is_none() {
            self.begin().await?;
        }
        let chosen = match timeout(question.time + GRACE, self.ask(question)).await {
            Ok(chosen) => chosen,
            Err(_) => Err("no answer in time".to_owned()),
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
        lower_priority(&child);
        self.running = Some(Running { _child: child, into, from: BufReader::new(from).lines() });
        let heard = timeout(START, self.shake_hands()).await;
        let heard = heard.unwrap_or_else(|_| Err("not a UCI engine: it does not answer `uci` with `uciok`".to_owned()));
        if heard.is_err() {
            self.running = None;
        }
        heard
    }

    async fn shake_hands(&mut self) -> Result<(), String> {
        self.send_line("uci").await?;
        loop {
            let line = self.read_line().await?;
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
                self.needs_variant = true;
            }
        }
        self.ready().await
    }

    /// Waits until the engine has processed all commands.
    async fn ready(&mut self) -> Result<(), String> {
        self.send_line("isready").await?;
        while self.read_line().await?.trim() != "readyok" {}
        Ok(())
    }

    async fn ask(&mut self, question: &UciPosition) -> Result<String, String> {
        if self.needs_variant {
            let name = registry::find(question.variant).and_then(|variant| variant.uci_name).unwrap_or("chess");
            self.send_line(&format!("setoption name UCI_Variant value {name}")).await?;
        }
        self.send_line(&format!("setoption name UCI_Chess960 value {}", question.onto_rook)).await?;
        self.ready().await?;
        self.send_line(&format!("position {}", question.position)).await?;
        self.send_line(&format!("go movetime {}", question.time.as_millis())).await?;
        loop {
            let line = self.read_line().await?;
            if let Some(chosen) = line.trim().strip_prefix("bestmove ") {
                return Ok(chosen.split(' ').next().unwrap_or_default().to_owned());
            }
        }
    }

    async fn send_line(&mut self, line: &str) -> Result<(), String> {
        let running = self.running.as_mut().ok_or("the process has exited")?;
        running
            .into
            .write_all(format!("{line}\n").as_bytes())
            .await
            .map_err(|why| format!("the process has exited: {why}"))
    }

    async fn read_line(&mut self) -> Result<String, String> {
        let running = self.running.as_mut().ok_or("the process has exited")?;
        let line = running.from.next_line().await.map_err(|why| format!("unreadable output: {why}"))?;
        line.ok_or_else(|| "the process has exited".to_owned())
    }
}

/// Lowers the priority of the engine, so that page requests come first.
#[cfg(target_os = "linux")]
fn lower_priority(child: &Child) {
    let pid = child.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed()));
    // The engine also works at normal priority.
    let _ = rustix::process::setpriority_process(pid, 10);
}

#[cfg(not(target_os = "linux"))]
fn lower_priority(_: &Child) {}

/// A position and the time for a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct UciPosition {
    /// Key of the variant.
    pub(super) variant: &'static str,
    /// Arguments of the UCI command `position`.
    pub(super) position: String,
    /// Set if castling is written as the king capturing its own rook.
    onto_rook: bool,
    /// Time for the move.
    pub(super) time: Duration,
}

impl UciPosition {
    /// The position that a seat is to move in, with at most `time` for the move. `None` if the position cannot be expressed in UCI.
    pub(super) fn of(table: &GameSnapshot, seat: Seat, time: Duration, now: i64) -> Option<UciPosition> {
        let game = &table.game;
        let left =
            game.clocks().view(seat).map(|clock| clock.deadline.map_or(clock.remaining, |deadline| deadline - now));
        let share = left.map(|left| Duration::from_millis((left / MOVES).max(0).unsigned_abs()));
        let time = share.map_or(time, |share| time.min(share)).max(LEAST);
        let usual = game.options().get("fen").and_then(|fen| fen.as_str()).is_none_or(str::is_empty);
        let (position, onto_rook) = match usual {
            // The moves let the engine recognise repetitions.
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
            // In a custom position the rooks may start anywhere.
            false => (format!("fen {}", game.diagram(Some(seat)).fen?), true),
        };
        Some(UciPosition { variant: game.key(), position, onto_rook, time })
    }
}
