//! The command line. The only place that reads arguments, environment and clock.
#![allow(
    clippy::disallowed_methods,
    reason = "the one place that reads the command line, the environment and the clock"
)]

mod cli_options;
mod run;

use clap::{Parser, Subcommand};
use cli_options::{Backup, CheckOf, Forfeit, Healthcheck, ReplayOf, Serve, Worker};
use std::{
    io::{self, Write},
    process::ExitCode,
    time::{SystemTime, UNIX_EPOCH},
};
use zorkmid::{
    command::{Check, Copy, Ladder, Perft, Replay, Reproduce, Smallest, Solve, Uci, Value, Verify, Worth},
    play::Play,
    store::{self, Store},
};

/// Serves chess for stakes: bid, bet, buy or guess.
#[derive(Parser)]
#[command(version, about, args_conflicts_with_subcommands = true)]
struct Command {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    serve: Serve,
}

#[derive(Subcommand)]
enum Task {
    /// Serves the site (the default).
    Serve(Serve),
    /// Runs bots, game analysis and piece measurements for the servers on the same PostgreSQL database. Serves no requests.
    Worker(Worker),
    /// Counts the leaves of the move tree and measures the speed.
    Perft(Perft),
    /// Solves the endgames of a board and proves the values.
    Solve(Solve),
    /// Proves a file of endgame values, or solves a board and checks every equation and label.
    Verify(Verify),
    /// Finds the fewest pieces with which α and β differ on a small board.
    Smallest(Smallest),
    /// Repeats the published computation of the exact values, step by step, and logs how many guesses are right.
    Reproduce(Reproduce),
    /// Shows the value of a position and of every move in it.
    Value(Value),
    /// Replays a game from its record, prints it, and checks that its exported records reproduce it.
    Replay(ReplayOf),
    /// Checks the database for damage and replays every game. Safe while a server runs. Exits with an error if there are faults.
    Check(CheckOf),
    /// Plays a match between two bots.
    Ladder(Ladder),
    /// Plays as a UCI engine on standard input and output.
    Uci(Uci),
    /// Measures the value of pieces in games between bots and compares it with their price.
    Worth(Worth),
    /// Forfeits a game for a seat on behalf of the operator. Safe while a server runs.
    Forfeit(Forfeit),
    /// Copies the embedded database to a file. Safe while a server runs.
    Backup(Backup),
    /// Copies a whole site between databases, SQLite to PostgreSQL or back, and checks every game of the copy.
    Copy(Copy),
    /// Checks the health of a running server. Exits with an error if it is unhealthy.
    Healthcheck(Healthcheck),
}

fn main() -> ExitCode {
    let command = Command::parse();
    let done = match command.task.unwrap_or(Task::Serve(command.serve)) {
        Task::Serve(options) => run::serve(options),
        Task::Worker(options) => run::worker(&options),
        Task::Perft(options) => options.run(now).map(say),
        Task::Solve(options) => options.run().map(say),
        Task::Verify(options) => options.run().map(say),
        Task::Smallest(options) => options.run().map(say),
        Task::Reproduce(options) => options.run().map(say),
        Task::Value(options) => options.run().map(say),
        Task::Replay(options) => replay(&options).map(say),
        Task::Check(options) => check(&options).map(say),
        Task::Ladder(options) => options.run(now).map(say),
        Task::Uci(options) => options.run(now, say, io::stdin().lock()),
        Task::Worth(options) => options.run().map(say),
        Task::Forfeit(options) => forfeit(&options),
        Task::Backup(options) => backup(&options).map(say),
        Task::Copy(options) => copy(&options).map(say),
        Task::Healthcheck(options) => run::check_health(options.listen.listen),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("zorkmid: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Prints text. A closed pipe is not an error.
fn say(text: String) {
    writeln!(io::stdout(), "{text}").ok();
}

fn forfeit(options: &Forfeit) -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|why| format!("cannot start worker threads: {why}"))?;
    runtime.block_on(async {
        let store = Store::open_existing(&options.database.url()?).await.map_err(|why| why.to_string())?;
        let chance: rand::rngs::StdRng = rand::make_rng();
        let over = Play::new(chance, store.clone(), now).forfeit(&options.game, options.seat).await;
        store.close().await;
        println!("{}: {}", options.game, over.map_err(|why| why.to_string())?.result);
        Ok(())
    })
}

fn backup(options: &Backup) -> Result<String, String> {
    let database = options.database.url()?;
    let runtime = tokio::runtime::Runtime::new().map_err(|why| format!("cannot start worker threads: {why}"))?;
    let bytes = runtime.block_on(store::backup(&database, &options.to)).map_err(|why| why.to_string())?;
    Ok(format!("{}: {bytes} bytes", options.to.display()))
}

fn copy(options: &Copy) -> Result<String, String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|why| format!("cannot start worker threads: {why}"))?;
    runtime.block_on(options.run())
}

fn replay(options: &ReplayOf) -> Result<String, String> {
    if std::path::Path::new(&options.record).exists() {
        let text = std::fs::read_to_string(&options.record);
        return Replay::of_text(&text.map_err(|why| format!("cannot read {}: {why}", options.record))?);
    }
    let runtime = tokio::runtime::Runtime::new().map_err(|why| format!("cannot start worker threads: {why}"))?;
    runtime.block_on(async {
        let store = Store::open_existing(&options.database.url()?).await.map_err(|why| why.to_string())?;
        let kept = store.load(&options.record).await;
        store.close().await;
        let kept = kept.map_err(|why| why.to_string())?;
        Replay::of_stored(kept.ok_or_else(|| format!("{} is neither a file nor a game id", options.record))?)
    })
}

fn check(options: &CheckOf) -> Result<String, String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|why| format!("cannot start worker threads: {why}"))?;
    runtime.block_on(async {
        let store = Store::open_existing(&options.database.url()?).await.map_err(|why| why.to_string())?;
        let summary = Check::run(&store, say).await;
        store.close().await;
        summary
    })
}

/// Milliseconds since the Unix epoch.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
