//! CPU time of a thread.

use std::{fs, time::Duration};

/// CPU time of this thread, so that other load does not shorten a bot's thinking time.
pub(crate) fn spent() -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split_whitespace().next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.expect("the system reports the thread's CPU time"))
}
