//! Enclosures of the values of endgames with five pieces and no pawns, one material at a time, on the ordinary board or a small one.
//!
//! Bounds are drawn together, and prove themselves, exactly as those of four pieces (`four.rs`). Like pieces are no two positions when they change places.
//! Captures lead into bounds of four pieces.

mod aside;
mod cost;
mod file;
mod files;
mod numbering;
mod quint;
mod solve;
mod told;
mod trio;
mod walk;

pub use aside::Aside;
pub use cost::FiveCost;
pub use file::{FiveFile, FiveTable, file_of_five};
pub use files::FiveFiles;
pub use numbering::FiveNumbering;
pub use quint::Quint;
pub use solve::solve_five;
pub use trio::{Trio, UnknownTrio};
