//! Simulation of whole jobs in one thread, with scenarios drawn from seeds.
//!
//! [`run`] plays one seed: eight ranks, each with its own engine, connected by a simulated network,
//! exchange random messages while queues fill up, credits run out, reads are refused, messages
//! overtake each other, and in some seeds a rank dies or a link is cut. Every step is compared with
//! an oracle that implements only MPI's matching rules:
//!
//! * each receive gets the message that the rules give it, with its tag, length and bytes;
//! * each probe sees what a receive would get; a cancel succeeds exactly when nothing matched;
//! * a synchronous send completes only after its match; a completed send's buffer is overwritten;
//! * unmatched eager messages of a peer stay below the limit at their receiver;
//! * in the end every message was received once, and nothing is left over anywhere;
//! * whatever depends on a lost peer completes, with an error or well; nothing else fails.
//!
//! A failing seed is a complete bug report, since equal seeds give equal runs.
//!
//! [`windows`] plays a seed of another kind: one-sided communication, with locks, between ranks
//! that may die.
//!
//! [`restarts`] plays jobs whose ranks are killed and started again by a log of messages.
//!
//! Owners: [`job`] owns the network, the ranks and the order of their turns; a rank owns its
//! engine, its requests and its memory; [`world`] has what they are compared with; [`tap`] observes
//! the messages between the network and an engine, so that the oracle knows their order of arrival.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may wait"))]
#![forbid(unsafe_code)]

mod content;
mod job;
mod oracle;
mod rank;
pub mod restarts;
mod scenario;
mod tap;
#[cfg(test)]
mod tests;
pub mod windows;
mod world;

pub use content::Pool;
pub use job::{run, Summary};
pub use scenario::{Fault, Scenario};
