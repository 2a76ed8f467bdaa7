//! A simulated transport for tests: a network in virtual time, with events drawn from a seed.
//!
//! A [`Net`] connects any number of endpoints in one process. The seed decides how long a message
//! takes, on a clock that only [`Net::step`] moves. Queues are finite, and sometimes busy without
//! need; links break and processes die when the scenario says so. Equal seeds and equal calls give
//! equal runs, which [`Net::fingerprint`] verifies.
//!
//! The simulation uses all freedom that the contract leaves: transfers access memory as late as
//! allowed, messages of different peers overtake each other (those of one peer too, unless
//! [`Config::ordered`]), and completions come late.
//!
//! Ownership: the `Net` holds all state behind one lock, an `Endpoint` is a handle to it. A message
//! is an event in the net's calendar until its time comes, then a report in its receiver's inbox
//! until `progress` delivers it; the sender's queue counts it until then.
#![forbid(unsafe_code)]

mod component;
mod endpoint;
mod net;
mod params;
mod progress;
mod rma;
mod state;
#[cfg(test)]
mod tests;
mod transfer;

pub use component::Endpoint;
pub use net::{Net, NetClock};
pub use params::{Config, Gets};
