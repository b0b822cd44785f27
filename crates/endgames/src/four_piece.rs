//! Enclosures of the values of four-piece endgames on the 8×8 board, proved in whole numbers.
//!
//! All numbers are multiples of 2⁻⁶³. Let Φ(x) = (max over White's moves + min over Black's moves) / 2. Iterating Φ rounded down from 0 stays below
//! α, the least solution of x = Φ(x). Iterating Φ rounded up from 1 stays above β, the greatest solution (U. Larsson and J. Wästlund, “Endgames in
//! bidding chess”). Captures reach positions of three pieces, whose values are exact; promotions reach other tables of four. Φ is monotone, so the
//! bounds are valid in any order of the positions. A move that can no longer be the best is not examined again.
//!
//! The stored bounds prove themselves (`bound_proof.rs`), and `research/verifier/four_piece.rs` proves them again from the file alone.

mod answer;
mod attacks;
mod bound_proof;
mod bound_table;
mod candidate_moves;
mod columns;
mod decisions;
mod exact;
mod exact_gaps;
mod files;
mod gap_cores;
mod index;
mod move_generation;
mod policy;
mod search;
mod sharpness;
mod solve;

pub use answer::FourShares;
pub use bound_proof::FourProgress;
pub use columns::{Columns, LargeGap, WrongFile};
pub use decisions::{Decisions, DecisionsFile, decisions_file_of};
pub use exact::{FourExact, FourLimits};
pub use files::{Core, FourFile, FourFiles, FourTable, FourWork, WaitingMoves, file_of};
pub use index::{FourPieceMaterial, FourPiecePosition, NormalizedPosition, Numbering, UnknownPair};
pub use search::{FourFinding, FourFindings, FourSought};
pub use solve::{decide_four, solve_four};

pub(super) use answer::{bounded, is_narrow, thresholds_of};
pub(super) use attacks::{Rays, each};
pub(super) use bound_proof::{columns, tighten};
pub(super) use bound_table::{BLOCK_SIZE, BoundTable, StateSpace};
pub(super) use columns::{HEADER, Stored, number, write, wrong_length};
pub(super) use index::{Turns, letter, rank};
pub(super) use sharpness::{Gaps, Pair, Sharpness};
pub(super) use solve::rounded;

/// The number 1 in the fixed-point format of the bounds.
pub(super) const ONE: u64 = super::bidding_mechanism::ONE;
/// Greatest distance of narrow bounds, in multiples of 2⁻⁶³: 8.9 · 10⁻¹⁶. It proves nothing about α = β.
pub(super) const NARROW: u64 = 8192;
