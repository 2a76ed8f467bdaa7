//! The transport of a process to itself.
//!
//! A message is copied into a queue and delivered by the next `progress`; `get` and `put` are one
//! copy inside the process, `atomic` one instruction, complete when they return. Nothing here can
//! fail, sleep or be shared: there is one owner, and the only peer is the owner.
#![forbid(unsafe_code)]

mod component;
mod endpoint;
mod params;
mod progress;
mod rma;
#[cfg(test)]
mod tests;

pub use component::{open, open_with, Loopback};
pub use params::Params;
