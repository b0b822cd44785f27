//! Bounds of the values of all positions of small boards, with any number of pieces: how few can have α < β?
//!
//! The rules are those of the tables (`graph.rs`). Where both sides have pawns the right to capture in passing belongs to the position. What is found
//! is listed (`classes.rs`), and one position of each board has bounds so simple that they are checked by hand.

mod forces;
mod placement;
mod numbering;
mod steps;
mod bounds;
mod tables;
mod classes;
mod certificate;

pub use certificate::{PROOF_COLUMNS, SmallProof};
pub use classes::{Count, SMALL_COLUMNS};
pub use forces::{Forces, UnknownForces};
pub use tables::{Restless, SmallProgress, SmallTables};
