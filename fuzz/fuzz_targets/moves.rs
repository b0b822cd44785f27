//! Fuzz target for the parser `moves` in `parsers.rs`.
#![no_main]

#[path = "../parsers.rs"]
mod parsers;

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::run("moves", data));
