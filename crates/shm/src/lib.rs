//! Memory shared by processes of one node, and the means to share it: used by the shared-memory
//! transport (`btl-sm`), collectives (`coll-sm`) and windows (`osc-sm`).
//!
//! A [`Segment`] is mapped memory that several processes have in common. It owns its mapping, and
//! the offsets inside it are checked in one module, so layouts in it need no unsafe code. A group
//! whose members all share a segment comes to it by a [`handshake`].
//!
//! | module | what |
//! |---|---|
//! | [`segment`] | creating, attaching and mapping a segment; machine words and lines in it |
//! | [`carriage`] | which of several mechanisms carries messages of a length, by measured times |
//! | [`clock`] | the time that all processes of a node agree on |
//! | [`Extent`] | a range of a file, mapped |
//! | [`handshake`] | how a group of processes comes to share a segment, or to do without |
//! | [`sharers`] | the ranks that come to share a segment, and what they exchange for it |
//! | [`wakeup`] | sleeping until another process changes something, and being woken |
//! | [`copy`] | reading and writing another process's memory with one copy |
//! | [`locality`] | which processes of a group share a node, by what each states |
//! | [`mod@machine`] | the machine of this process, for those that may share memory with it |
//! | [`process`] | whether another process still exists |
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may wait"))]
#![deny(unsafe_op_in_unsafe_fn)]

pub mod carriage;
pub mod clock;
mod cookie;
pub mod copy;
mod extent;
pub mod handshake;
pub mod locality;
mod machine;
pub mod process;
pub mod segment;
pub mod sharers;
pub mod wakeup;

pub use cookie::cookie;
pub use copy::Direction;
pub use extent::Extent;
pub use handshake::Handshake;
pub use machine::machine;
pub use segment::Segment;
pub use wakeup::{Sleepers, WakeOrder};
