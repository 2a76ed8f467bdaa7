//! MPI as a Rust API: communicators, groups, requests, errors.
#![forbid(unsafe_code)]
