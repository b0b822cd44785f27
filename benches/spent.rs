//! The clock of a thread.

use std::{fs, time::Duration};

/// The time that this thread has worked, so that what else the machine does takes nothing from a bot.
pub(crate) fn spent() -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split_whitespace().next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.expect("the system tells how long a thread has worked"))
}
