//! The transport of a process to itself.
//!
//! A message is copied to a queue and delivered by the next `progress`, so that a handler never
//! runs inside a send. Reading and writing registered memory is a copy.

#![deny(unsafe_op_in_unsafe_fn)]

mod component;
mod endpoint;
mod progress;
mod rma;
#[cfg(test)]
mod tests;

pub use component::{open, Loopback};
