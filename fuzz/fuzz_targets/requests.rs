//! Fuzz target for the parser `requests` in `parsers.rs`.
#![no_main]

#[path = "../parsers.rs"]
mod parsers;

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::run("requests", data));
