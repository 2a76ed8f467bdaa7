//! A simulated transport: seeded, in virtual time.
//!
//! A [`Net`] joins any number of endpoints in one process. What they send takes a time that the
//! seed decides, on a clock that only [`Net::step`] moves; queues are finite, and busy now and
//! then without need; links break and processes die when the scenario says so. The same seed
//! and the same calls give the same run, which [`Net::fingerprint`] proves.
//!
//! Everything that a contract leaves open is used against its user: transfers touch the memory
//! as late as they may, deliveries of different peers overtake each other (those of one peer too,
//! where [`Config::ordered`] is false), and completions come late.
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

pub use component::Endpoint;
pub use net::{Net, NetClock};
pub use params::{Config, Gets};
