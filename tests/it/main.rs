//! One integration crate: laws, facts and records.

mod bookie;
mod perft;
