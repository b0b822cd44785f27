//! How much is tried of what is tried at random.

/// So many tries; `ZORKMID_TRIES` says of how many percent of them, if it is set.
pub(crate) fn often(tries: usize) -> usize {
    let percent =
        std::env::var("ZORKMID_TRIES").map_or(100, |number| number.parse().expect("ZORKMID_TRIES is a number"));
    (tries * percent).div_ceil(100)
}
