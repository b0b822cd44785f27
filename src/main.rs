//! The command line.
#![allow(
    clippy::disallowed_methods,
    reason = "the one place that reads the command line, the environment and the clock"
)]

use std::io::Write;

use clap::{Parser, Subcommand};
use zorkmid::command;

/// Chess for stakes.
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(command::Solve),
    Verify(command::Verify),
    Value(command::Value),
}

fn main() -> std::process::ExitCode {
    let done = match Options::parse().command {
        Command::Solve(solve) => solve.run(),
        Command::Verify(verify) => verify.run(),
        Command::Value(value) => value.run(),
    };
    match done {
        // A reader that has seen enough is no failure.
        Ok(text) => {
            writeln!(std::io::stdout(), "{text}").ok();
            std::process::ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            std::process::ExitCode::FAILURE
        }
    }
}
