#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| edge::section::fuzz::descriptors(bytes));
