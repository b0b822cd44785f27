//! How much is tried of what is tried at random.

/// Whether all tries are made. With fewer, not every rare case comes up.
#[allow(dead_code, reason = "not every crate counts rare cases")]
pub(crate) fn is_whole() -> bool {
    often(100) >= 100
}

/// So many tries; `ZORKMID_TRIES` says of how many percent of them, if it is set.
pub(crate) fn often(tries: usize) -> usize {
    let percent =
        std::env::var("ZORKMID_TRIES").map_or(100, |number| number.parse().expect("ZORKMID_TRIES is a number"));
    (tries * percent).div_ceil(100)
}
