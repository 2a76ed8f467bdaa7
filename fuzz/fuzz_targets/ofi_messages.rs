#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| btl_ofi::fuzz::messages(bytes));
