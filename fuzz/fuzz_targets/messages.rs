//! The reader of messages, under the fuzzer: see `parsers.rs`.
#![no_main]

#[path = "../parsers.rs"]
mod parsers;

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::run("messages", data));
