//! Slowest input of each fuzzed parser, among the stored corpora and those in the folder given as an argument.

#[path = "../fuzz/parsers.rs"]
mod parsers;

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Number of runs of an input. The shortest time counts, because the others may include delays.
const TIMES: usize = 5;

pub(crate) fn run(options: &[String]) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let folders: Vec<PathBuf> = [corpus].into_iter().chain(options.first().map(PathBuf::from)).collect();
    for (name, _) in parsers::ALL {
        let listed = folders.iter().filter_map(|folder| fs::read_dir(folder.join(name)).ok()).flatten();
        let paths: Vec<PathBuf> = listed.map(|entry| entry.expect("an entry of a folder").path()).collect();
        let timed = |path: &PathBuf| (shortest(name, &fs::read(path).expect("an input")), path.clone());
        if let Some((longest, path)) = paths.iter().map(timed).max() {
            println!("{name}: {} inputs, at most {longest:.1?}: {}", paths.len(), path.display());
        }
    }
}

fn shortest(name: &str, bytes: &[u8]) -> Duration {
    let once = |_| {
        let start = Instant::now();
        parsers::run(name, bytes);
        start.elapsed()
    };
    (0..TIMES).map(once).min().unwrap_or_default()
}
