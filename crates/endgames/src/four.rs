//! Enclosures of the values of endgames with four pieces on the ordinary board, proved in whole numbers.
//!
//! All numbers are multiples of 2⁻⁶³. With Φ(x) = (max over White's moves + min over Black's) / 2, rounded down, what grows from 0 stays below α,
//! the least solution of x = Φ(x); rounded up, what shrinks from 1 stays above β, the greatest one (U. Larsson and J. Wästlund, “Endgames in bidding
//! chess”). Captures lead into the exact values of three pieces, promotions into other tables of four. In whichever order the positions are taken, a
//! bound stays a bound, because Φ is monotone; a move that can no longer be the best is not looked at again.
//!
//! What is kept proves itself (`settle.rs`), and `proof/four.rs` proves it again from the file.

mod columns;
mod cores;
mod drawn;
mod fence;
mod file;
mod files;
mod framed;
mod ground;
mod numbering;
mod outside;
mod pair;
mod rational;
mod rays;
mod settle;
mod shortlist;
mod solve;
mod sought;
mod told;
mod turns;
mod waiting;
mod walk;
mod work;

pub use columns::{Columns, Wide, WrongFile};
pub use drawn::FourProgress;
pub use file::{FourFile, FourTable};
pub use files::{FourFiles, file_of};
pub use framed::{Framed, Quad};
pub use numbering::Numbering;
pub use pair::{Pair, UnknownPair};
pub use rational::{FourExact, FourLimits};
pub use solve::solve_four;
pub use sought::{FourFinding, FourFindings, FourSought};
pub use told::FourShares;
pub use waiting::{Core, Waiting};
pub use work::FourWork;
pub(super) use {
    columns::{HEADER, Stored, number, short, write},
    drawn::{columns, draw},
    fence::Fence,
    ground::{Ground, TAKEN},
    pair::{letter, rank},
    rays::{Rays, each},
    told::{bounded, sharp, thresholds_of},
    turns::Turns,
};

/// 1 in the fixed-point numbers of the bounds.
pub(super) const ONE: u64 = super::mechanism::ONE;
/// Bounds so near each other, in multiples of 2⁻⁶³, are as good as one: 8.9 · 10⁻¹⁶.
pub(super) const NARROW: u64 = 8192;
