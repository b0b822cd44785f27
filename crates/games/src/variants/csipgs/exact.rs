//! Exact costs.

use num_rational::Ratio;

/// An exact cost in zorkmids. 128 bits, because twelve terms whose inventions cost up to 1000, in thousandths, multiplied with each
/// other, do not fit into 64.
pub type Exact = Ratio<i128>;
