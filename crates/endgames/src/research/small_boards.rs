//! Bounds of the values of all positions of small boards, with any number of pieces: how few can have α < β?
//!
//! The rules are those of the tables (`move_graph.rs`). Where both sides have pawns the right to capture en passant belongs to the position. The
//! positions that are found are counted and listed (`gap_classes.rs`).

mod gap_classes;
mod index;
mod move_generation;
mod placement;
mod tables;

pub use gap_classes::{Count, LargestGaps, SMALL_COLUMNS};
pub use move_generation::Bounds;
pub use placement::PieceCounts;
pub use tables::{SmallProgress, SmallTables, Unenclosed};
