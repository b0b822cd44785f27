//! The board: notation, moves and records of games, against published numbers and programs that others wrote.
#![allow(clippy::disallowed_methods, reason = "tests have deadlines, and read what the test command tells them")]

mod betza;
mod fen;
mod oracle;
mod perft;
mod pgn;
mod pieces;
mod san;
mod wild;

#[path = "../../../../tests/support/often.rs"]
mod often;
#[path = "../../../../tests/support/pyffish.rs"]
mod pyffish;
#[path = "../../../../tests/support/tools.rs"]
mod tools;
