//! The loopback transport: carries messages and memory accesses of a process to itself.
//!
//! A message is copied into a queue and delivered by the next `progress`. `get` and `put` are one
//! copy inside the process, `atomic` is one instruction; all are complete when they return. Nothing
//! here can fail, sleep or be shared, since the only peer is the process itself.
#![forbid(unsafe_code)]

mod component;
mod endpoint;
mod params;
mod progress;
mod regions;
mod rma;
#[cfg(test)]
mod tests;

pub use component::{open, open_with, Loopback};
pub use params::Params;
