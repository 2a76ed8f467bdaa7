#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ob1::fuzz::wire(bytes));
