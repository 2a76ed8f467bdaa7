//! Types that every layer shares: names for the participants and a clock.
//!
//! * [`Rank`] is a position inside a communicator, [`PeerId`] a process of the job. They are
//!   different types because mixing them up is the oldest bug of message passing.
//! * [`AmTag`] names the layer above that an active message is for.
//! * [`RemoteKey`] and [`Cut`] pass from transports to the protocols above them, [`Service`] back.
//! * [`Fnv`] is a hash that is equal in every build.
//! * [`Random`] is a sequence that a seed determines.
//! * [`Mutex`] and [`Condvar`] are the standard library's without poisoning.
//! * [`Counters`] are written by the engine and read by tools, which [`tool_event`] notifies.
//! * [`system::plain`] makes the system's words fit for users.
//! * [`wall()`] keeps panics from the C code that calls Rust.
//! * [`Clock`] is passed to code that may know the time; protocol crates get none.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may wait"))]
#![forbid(unsafe_code)]

pub mod addr2line;
mod clock;
mod counters;
mod fnv;
pub mod fuzz;
mod id;
mod mutex;
mod random;
mod slab;
pub mod system;
pub mod tool_event;
mod transfer;
mod wall;
pub mod wire;

pub use clock::{Clock, Instant, Monotonic};
pub use counters::{Count, Counters, PeerCounters, Registrations};
pub use fnv::Fnv;
pub use id::{AmTag, PeerId, Rank};
pub use mutex::{Condvar, Mutex, MutexGuard};
pub use random::Random;
pub use slab::{Key, Slab};
pub use transfer::{Cut, RemoteKey, Service};
pub use wall::wall;
