//! One integration crate: laws, facts and records.

mod laws;
mod perft;
