//! A simulated transport: seeded, in virtual time.
#![forbid(unsafe_code)]
