//! The command line.
#![allow(
    clippy::disallowed_methods,
    reason = "the one place that reads the command line, the environment and the clock"
)]

mod endgames;

use clap::{Parser, Subcommand};

/// Chess for stakes.
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(endgames::Solve),
    Verify(endgames::Verify),
    Value(endgames::Value),
}

fn main() -> std::process::ExitCode {
    let done = match Options::parse().command {
        Command::Solve(solve) => solve.run(),
        Command::Verify(verify) => verify.run(),
        Command::Value(value) => value.run(),
    };
    match done {
        Ok(text) => {
            println!("{text}");
            std::process::ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            std::process::ExitCode::FAILURE
        }
    }
}
