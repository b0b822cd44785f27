//! One integration crate: laws, facts and records.

mod betza;
mod perft;
mod san;
