//! The board: notation, moves and records of games, against published numbers and programs that others wrote.
#![allow(clippy::disallowed_methods, reason = "tests have deadlines, and read what the test command tells them")]

mod betza;
mod castling;
mod fen;
mod oracle;
mod perft;
mod pgn;
mod pieces;
mod san;

#[path = "../support/pyffish.rs"]
mod pyffish;
