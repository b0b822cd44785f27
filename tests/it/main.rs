//! One integration crate: laws, facts and records.
#![allow(clippy::disallowed_methods, reason = "tests have deadlines, and read what the test command tells them")]

mod betza;
mod bookie;
mod clairvoyant;
mod fen;
mod laws;
mod oracle;
mod perft;
mod pieces;
mod san;
mod store;
mod tidy;
