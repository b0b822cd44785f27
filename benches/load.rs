//! Load from `wrk`, for the benchmarks that compare pages.

use std::{
    net::SocketAddr,
    process::Command,
    time::{Duration, Instant},
};

/// Requests per second under load, from a `wrk` script or to one path.
pub(crate) fn rate(address: SocketAddr, path: &str, script: Option<&str>) -> f64 {
    let wrk = Command::new("wrk")
        .args(["-t1", "-c16", "-d3s"])
        .args(script.iter().flat_map(|script| ["-s", *script]))
        .arg(format!("http://{address}{path}"))
        .output()
        .expect("wrk is installed (Debian: apt-get install wrk)");
    let text = String::from_utf8_lossy(&wrk.stdout).into_owned();
    assert!(!text.contains("Non-2xx"), "{text}");
    let line = text.lines().find_map(|line| line.strip_prefix("Requests/sec:"));
    line.and_then(|number| number.trim().parse().ok()).unwrap_or_else(|| panic!("{text}"))
}

/// The median.
pub(crate) fn median(rates: &mut [f64]) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

/// Duration of [`times`], and the time between two of its requests.
const ROUND: Duration = Duration::from_secs(4);
const PAUSE: Duration = Duration::from_millis(10);

/// Median and 99th percentile of response times over four seconds, in milliseconds.
pub(crate) async fn times(url: &str) -> [f64; 2] {
    let client = reqwest::Client::new();
    let (begin, mut times) = (Instant::now(), Vec::new());
    let mut tick = tokio::time::interval(PAUSE);
    while begin.elapsed() < ROUND {
        tick.tick().await;
        let asked = Instant::now();
        let answer = client.get(url).send().await.expect("an answer");
        assert_eq!(answer.status(), 200);
        times.push(asked.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    [50, 99].map(|share| times[(times.len() - 1) * share / 100])
}
