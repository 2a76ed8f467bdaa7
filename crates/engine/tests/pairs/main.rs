//! Tests of two and three engines in one thread, over a simulated network and over shared memory:
//! every way that a message can take, with its bytes compared, and what becomes of it where a peer
//! dies.
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

mod accesses;
mod deaths;
mod matching;
mod protocols;
mod waits;
mod world;
