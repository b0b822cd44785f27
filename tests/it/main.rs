//! One integration crate: laws, facts and records.

mod perft;
mod richman;
