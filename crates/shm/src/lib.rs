//! What processes of one node share, and what it takes to share it: used by the shared-memory
//! transport (`btl-sm`), collectives (`coll-sm`) and windows (`osc-sm`).
//!
//! A [`Segment`] is mapped memory that several processes have in common. It owns its mapping, and
//! the offsets inside it are checked in one place, so what is laid out in it needs no unsafe code.
//! Where all of a group share a segment, they come to it by a [`handshake`].
//!
//! | module | what |
//! |---|---|
//! | [`segment`] | making, attaching and mapping a segment; words and lines in it |
//! | [`handshake`] | how a group of processes comes to share a segment, or to do without |
//! | [`wakeup`] | sleeping until another process changes something, and being woken |
//! | [`copy`] | reading and writing another process's memory where it lies |
//! | [`process`] | whether another process still exists |
#![deny(unsafe_op_in_unsafe_fn)]

mod cookie;
pub mod copy;
pub mod handshake;
pub mod process;
pub mod segment;
pub mod wakeup;

pub use cookie::cookie;
pub use copy::Direction;
pub use handshake::Handshake;
pub use segment::Segment;
pub use wakeup::{Sleepers, WakeOrder};
