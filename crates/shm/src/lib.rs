//! What processes of one node share, and what it takes to share it: used by the shared-memory
//! transport (`btl-sm`), collectives (`coll-sm`) and windows (`osc-sm`).
//!
//! | module | what |
//! |---|---|
//! | [`copy`] | reading and writing another process's memory where it lies |
//! | [`cookie`] | numbers by which processes recognise a segment, or each other's memory |
//! | [`process`] | whether another process still exists |
#![deny(unsafe_op_in_unsafe_fn)]

mod cookie;
pub mod copy;
pub mod process;

pub use cookie::cookie;
pub use copy::Direction;
