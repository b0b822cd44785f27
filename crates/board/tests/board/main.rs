//! Tests of the board crate: notation, moves and game records, checked against published numbers and independent
//! programs.
#![allow(clippy::disallowed_methods, reason = "tests have deadlines and read the test command's environment")]

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
