//! One integration crate: laws, facts and records.

mod betza;
mod fen;
mod oracle;
mod perft;
mod pieces;
mod san;
