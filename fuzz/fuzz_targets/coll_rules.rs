#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| coll::fuzz::rules(bytes));
