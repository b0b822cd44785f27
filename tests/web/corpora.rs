//! Runs every fuzzed parser on its corpus, which includes inputs that once broke it.

use super::parsers::{ALL, run};
use std::{collections::BTreeSet, fs, path::Path};

#[test]
fn every_parser_accepts_its_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let folders: BTreeSet<String> =
        fs::read_dir(&corpus).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(folders, ALL.iter().map(|(name, _)| (*name).to_owned()).collect());
    let targets = fs::read_dir(corpus.with_file_name("fuzz_targets")).unwrap().count();
    assert_eq!(targets, ALL.len(), "each parser has a fuzz target");
    // The parser of requests runs a site with its own runtime.
    for (name, _) in ALL {
        let mut files = 0;
        for entry in fs::read_dir(corpus.join(name)).unwrap() {
            let path = entry.unwrap().path();
            let bytes = fs::read(&path).unwrap();
            let taken = std::panic::catch_unwind(|| run(name, &bytes));
            assert!(taken.is_ok(), "{}", path.display());
            files += 1;
        }
        assert!(files > 3, "{name} has a corpus");
    }
}
