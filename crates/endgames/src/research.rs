//! Research tools: five pieces, the smallest boards with α < β, the paper's computation, and proofs of table files. The site shows their
//! results, and solves four pieces on small boards on demand.

pub(crate) mod five_piece;
pub(crate) mod reproduction;
pub(crate) mod small_boards;
pub(crate) mod verifier;
