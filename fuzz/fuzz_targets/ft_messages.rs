#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ft::fuzz::messages(bytes));
