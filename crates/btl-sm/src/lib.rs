//! The shared-memory transport: carries messages between the processes of one machine.
//!
//! Every process owns one [`shm::Segment`] that others write into; it reads only
//! its own. A peer's first messages go through the segment's queue, which all peers share. A
//! peer that keeps sending claims a ring of its own in the segment, and from then on uses
//! nothing else: one cache line per small message, no atomic read-modify-write, no contention.
//!
//! ```text
//! segment of process 0         written by            read by
//!   header, bell               everybody             everybody
//!   queue (cells)              peers without a ring  process 0
//!   ring 0                     peer 3                process 0
//!   ring 1                     peer 1                process 0
//! ```
//!
//! Messages that are too long for one record go through the ring in pieces, and it grows for them.
//! Messages longer than a few lines and no longer than a part of an eager message lie in a block
//! beside the ring, and both directions take turns in those (`blocks`). Where that was measured to
//! be faster (`carriage`), messages are read by the receiver straight from the sender's memory
//! instead ([`Transport`](btl::Transport)'s `get`), by one of several components ([`smsc`]).
//! Whether the kernel allows that is tested per pair when the peer is introduced; where it does
//! not, or stops to, messages go in pieces.
//!
//! A peer may die or be stopped at any instruction. A claimed cell of the queue carries its
//! writer's number, so that the queue goes on without a writer that died ([`sync::fifo`]), and a
//! ring that was claimed and never made ready holds up no other. `cargo xtask test --only
//! disturbed` kills and stops ranks in the middle of exchanges, `--only scarce` takes their memory
//! away.
//!
//! A process that has nothing to do sleeps with a flag in its segment; a writer that sees the flag
//! rings the doorbell (`bell`).
//!
//! | file | what |
//! |---|---|
//! | `component` | opening, introducing peers, closing |
//! | `introduced` | peers that nothing was sent to yet |
//! | `path` | the send side of a peer |
//! | `inbox` | the receive side |
//! | `send` | sending to a peer, attached by then or not |
//! | `progress` | the transport's contract |
//! | `blocks` | memory that changes hands with a message |
//! | `carriage`, `carried` | the mechanism of long messages |
//! | `both_ways` | the same where both sides send |
//! | `rma` | reading a peer's memory |
//! | `smsc` | by which means that is done |
//! | `bell` | sleeping and being woken |
//! | `segment` | the layout of a segment |
//! | `address` | what peers attach it by |
//! | `params` | the parameters |
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may wait"))]
#![deny(unsafe_op_in_unsafe_fn)]

mod address;
mod bell;
mod blocks;
mod both_ways;
mod carriage;
mod carried;
mod component;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod inbox;
mod introduced;
mod outlet;
mod params;
mod path;
mod progress;
mod rma;
mod segment;
mod send;
mod smsc;
#[cfg(test)]
mod tests;

pub use component::{open, open_caching, Config, Sm};
pub use params::{names_single_copy, PARAMS};
pub use smsc::{Caching, COMPONENTS as SINGLE_COPY, DESCRIBED as SINGLE_COPY_TABLE};
