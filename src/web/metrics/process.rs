//! What the system says of this process. Linux tells all of it; where a system does not tell, nothing is said.

use rustix::time::{ClockId, clock_gettime};
use std::fs;

/// What this process uses.
pub(super) struct Process {
    /// Bytes of memory.
    pub(super) memory: Option<u64>,
    /// Open files.
    pub(super) files: Option<u64>,
    /// Files that may be open.
    pub(super) most_files: Option<u64>,
    /// Seconds of processor time since the start.
    pub(super) processor: f64,
}

pub(super) fn measure() -> Process {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    Process {
        memory: fs::read_to_string("/proc/self/status").ok().and_then(|status| resident(&status)),
        files: fs::read_dir("/proc/self/fd").ok().map(|files| files.count() as u64),
        most_files: rlimit::Resource::NOFILE.get_soft().ok(),
        processor: used.tv_sec as f64 + used.tv_nsec as f64 / 1e9,
    }
}

/// The line `VmRSS:   12345 kB`, in bytes.
fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
