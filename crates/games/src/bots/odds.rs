//! Chances and the logarithms of their odds, in which weights are added up.

/// The chance with such a natural logarithm of its odds: 0.5 for 0.
pub(super) fn chance(logarithm: f64) -> f64 {
    1.0 / (1.0 + (-logarithm).exp())
}

/// The natural logarithm of the odds of a chance that is neither 0 nor 1.
pub(super) fn logarithm(chance: f64) -> f64 {
    (chance / (1.0 - chance)).ln()
}
