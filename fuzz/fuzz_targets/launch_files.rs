#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| launch::fuzz::files(bytes));
