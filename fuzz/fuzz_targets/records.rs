//! Fuzz target for the parser `records` in `parsers.rs`.
#![no_main]

#[path = "../parsers.rs"]
mod parsers;

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::run("records", data));
