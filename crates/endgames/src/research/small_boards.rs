//! Bounds of the values of all positions of small boards, with any number of pieces: how few can have α < β?
//!
//! The rules are those of the tables (`graph.rs`). Where both sides have pawns the right to capture in passing belongs to the position. What is found
//! is counted and listed (`classes.rs`).

mod bounds;
mod classes;
mod enclosure;
mod forces;
mod numbering;
mod placement;
mod steps;
mod tables;

pub use bounds::Bounds;
pub use classes::{Count, SMALL_COLUMNS, Widest};
pub use forces::Forces;
pub use tables::{SmallProgress, SmallTables, Unenclosed};
