//! Load from `wrk`, for the benches that compare pages.

use std::{net::SocketAddr, process::Command};

/// Requests per second under load, with a script of `wrk` or to one path.
pub(crate) fn rate(address: SocketAddr, path: &str, script: Option<&str>) -> f64 {
    let wrk = Command::new("wrk")
        .args(["-t1", "-c16", "-d3s"])
        .args(script.iter().flat_map(|script| ["-s", *script]))
        .arg(format!("http://{address}{path}"))
        .output()
        .expect("wrk, which Debian has as a package");
    let text = String::from_utf8_lossy(&wrk.stdout).into_owned();
    assert!(!text.contains("Non-2xx"), "{text}");
    let line = text.lines().find_map(|line| line.strip_prefix("Requests/sec:"));
    line.and_then(|number| number.trim().parse().ok()).unwrap_or_else(|| panic!("{text}"))
}

/// The one in the middle.
pub(crate) fn median(rates: &mut [f64]) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}
