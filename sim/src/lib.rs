//! Seeded scenarios: whole jobs in one thread.
//!
//! [`run`] plays one seed: eight ranks, each with its own engine, joined by a simulated network,
//! exchange random messages while queues fill up, credits run out, reads are refused, messages
//! overtake each other, and in some seeds a rank dies or a link is cut. What happens is compared,
//! step by step, with an oracle that knows nothing but MPI's matching rules:
//!
//! * each receive gets the message that the rules give it, with its tag, length and bytes;
//! * each probe sees what a receive would get; a cancel succeeds exactly when nothing matched;
//! * a synchronous send completes only after its match; a completed send's buffer is overwritten;
//! * unmatched eager messages of a peer stay below the limit at their receiver;
//! * in the end every message was received once, and nothing is left over anywhere;
//! * whatever depends on a lost peer completes, with an error or well; nothing else fails.
//!
//! A seed that fails is the bug report: a seed always gives one run.
//!
//! [`windows`] plays a seed of another kind: one-sided communication, with locks, between ranks
//! that may die.
//!
//! Owners: [`job`] owns the network, the ranks and the order of their turns; a rank owns its
//! engine, its requests and its memory; [`tap`] listens between an engine and the network, so that
//! the oracle knows in which order messages came in.
#![forbid(unsafe_code)]

mod content;
mod job;
mod oracle;
mod rank;
mod scenario;
mod tap;
#[cfg(test)]
mod tests;
pub mod windows;

pub use content::Pool;
pub use job::{run, Summary};
pub use scenario::{Fault, Scenario};
