//! Bounds of the values of all positions of a small board, with any number of pieces. They show how few pieces can have α < β.
//!
//! The rules are those of the tables (`move_graph.rs`). If both sides have pawns, the en passant right belongs to the position. `decisions.rs` decides
//! where α = β. `gap_classes.rs` counts and lists the positions found. `answer.rs` answers about positions with four pieces.

mod answer;
mod decisions;
mod gap_classes;
mod index;
mod move_generation;
mod placement;
mod tables;

pub use gap_classes::{Count, LargestGaps, SMALL_COLUMNS};
pub use move_generation::Bounds;
pub use placement::PieceCounts;
pub use tables::{SmallProgress, SmallTables, Unenclosed};
