//! Number of tries in randomized tests.

/// Whether all tries are made. With fewer, rare cases may not occur.
#[allow(dead_code, reason = "not every crate counts rare cases")]
pub(crate) fn is_whole() -> bool {
    often(100) >= 100
}

/// Number of tries, scaled by the percentage in `ZORKMID_TRIES` if it is set.
pub(crate) fn often(tries: usize) -> usize {
    let percent =
        std::env::var("ZORKMID_TRIES").map_or(100, |number| number.parse().expect("ZORKMID_TRIES is a number"));
    (tries * percent).div_ceil(100)
}
