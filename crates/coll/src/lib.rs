//! Collective algorithms. No I/O.
#![forbid(unsafe_code)]
