#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| launch_plan::fuzz::files(bytes));
