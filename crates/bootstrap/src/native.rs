//! The provider for processes that this project's `mpirun` started.
//!
//! Each child inherits one end of a stream socket pair, and its number in [`FD_VARIABLE`]. It
//! carries the frames of [`wire`]: the process sends hello and receives its identity; it enters a
//! fence with everything that it has published since the last one, and when all have entered it
//! receives what all of them have published. So an exchange of addresses costs one round trip, and
//! a fetch none.

mod client;
pub mod journal;
pub mod release;
mod socket;
pub mod wire;

pub(crate) use client::Client;
pub use socket::PAYLOAD_LOG_VARIABLE;
pub use socket::{fd_variable, FD_VARIABLE};
pub use socket::{
    EVENT_LOG_BYTES, EVENT_LOG_VARIABLE, JOURNAL_VARIABLE, LIFE_VARIABLE, RECOVERY_VARIABLE,
    TRACE_VARIABLE,
};

/// The value that a rank finds as its own after a fence that its earlier life has passed already.
pub const PASSED: &str = "passed";

/// The value that a rank publishes before its last fence: none that is killed after that fence has
/// peers that could bring it back.
pub const LAST: &str = "last";
