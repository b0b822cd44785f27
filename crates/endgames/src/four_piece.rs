//! Enclosures of the values of endgames with four pieces on the ordinary board, proved in whole numbers.
//!
//! All numbers are multiples of 2⁻⁶³. With Φ(x) = (max over White's moves + min over Black's) / 2, rounded down, what grows from 0 stays below α,
//! the least solution of x = Φ(x); rounded up, what shrinks from 1 stays above β, the greatest one (U. Larsson and J. Wästlund, “Endgames in bidding
//! chess”). Captures lead into the exact values of three pieces, promotions into other tables of four. In whichever order the positions are taken, a
//! bound stays a bound, because Φ is monotone; a move that can no longer be the best is not looked at again.
//!
//! The bounds that are kept prove themselves (`bound_proof.rs`), and `research/verifier/four_piece.rs` proves them again from the file.

mod answer;
mod attacks;
mod bound_proof;
mod bound_table;
mod candidate_moves;
mod columns;
mod exact;
mod files;
mod gap_cores;
mod index;
mod move_generation;
mod solve;

pub use answer::{FourFinding, FourFindings, FourShares, FourSought};
pub use bound_proof::FourProgress;
pub use columns::{Columns, LargeGap, WrongFile};
pub use exact::{FourExact, FourLimits};
pub use files::{Core, FourFile, FourFiles, FourTable, FourWork, WaitingMoves, file_of};
pub use index::{FourPieceMaterial, FourPiecePosition, NormalizedPosition, Numbering, UnknownPair};
pub use solve::solve_four;

pub(super) use answer::{bounded, sharp, thresholds_of};
pub(super) use attacks::{Rays, each};
pub(super) use bound_proof::{columns, draw};
pub(super) use bound_table::{BoundTable, StateSpace, TAKEN};
pub(super) use columns::{HEADER, Stored, number, short, write};
pub(super) use index::{Turns, letter, rank};

/// 1 in the fixed-point numbers of the bounds.
pub(super) const ONE: u64 = super::bidding_mechanism::ONE;
/// Bounds so near each other, in multiples of 2⁻⁶³, are as good as one: 8.9 · 10⁻¹⁶.
pub(super) const NARROW: u64 = 8192;
