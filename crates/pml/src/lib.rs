//! Matching and the point-to-point protocols. No I/O, no clock.
#![forbid(unsafe_code)]
