//! One integration crate: laws, facts and records.
#![allow(clippy::disallowed_methods, reason = "tests have deadlines, and read what the test command tells them")]

mod again;
mod betza;
mod bookie;
mod bots;
mod browser;
mod csipgs;
mod clairvoyant;
mod fen;
mod laws;
mod oracle;
mod perft;
mod pgn;
mod pieces;
mod records;
mod richman;
mod san;
mod stakes;
mod store;
mod tidy;
mod web;
