//! Designs and armies as a custom variant for Fairy-Stockfish and pychess, in a file `variants.ini`, and such files as designs and armies.
//! What one side cannot say is named.

mod foreign;
mod known;
mod read;
mod roster;
mod section;
mod translation;
mod write;

pub use foreign::{Foreign, ForeignPiece, Unread};
pub use read::read;
pub use roster::{Entry, Roster};
pub use write::{VariantText, write};
