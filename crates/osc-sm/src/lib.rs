//! One-sided communication through memory that the ranks of a window share.
//!
//! The ranks of a window that are on one node have the window's memory and all state of its
//! synchronisation in one segment. So each accesses the memory of all others by loads and stores,
//! without the target's help: a target may compute meanwhile.
//!
//! ```text
//! put, get             copies, with derived datatypes on both sides
//! accumulate and kin   under the target's accumulate lock
//! lock, unlock         a fair lock of the target's, for readers and writers (sync::turnstile)
//! post, start          a count for each pair of ranks
//! complete, wait       a count for each target
//! flush                a memory barrier, if this rank has stored anything
//! ```
//!
//! **Atomicity.** Every accumulate, be it of one element, takes the target's accumulate lock for a
//! block of bounded length, also where a rank executes requests that came by messages
//! ([`Member::serve`]): one atomic step, and loops as wide as the machine has them. Atomic
//! instructions on the elements themselves cost the same without contention, forty times as much
//! for a long row, and would not be atomic with accumulates under the lock.
//!
//! **A holder may die** while it has a lock. All locks hold their owner's name; a rank that waits,
//! and learns of a death, takes the dead rank's lock over ([`Wait::is_dead`]).
//!
//! Offsets and lengths of the application's are checked against the target's memory before a byte
//! is touched. What other ranks write into the segment changes values only: all offsets follow from
//! the [`Plan`], which each rank computes for itself.
//!
//! A [`Member`] is one rank's end. It is made in steps, between which the ranks exchange bytes by
//! messages: all know the plan; [`Handshake::create`] on the node's first rank and
//! [`Handshake::attach`] on the others; [`Handshake::status`] from all to all; then
//! [`Handshake::complete`]. In what follows a *place* is a rank's number among those of the node,
//! and a *rank* one of the window's group.
//!
//! | file | what |
//! |---|---|
//! | `layout` | the layout of a segment |
//! | `handshake` | creating and attaching a segment |
//! | `member` | a rank's end: memory, put and get, waiting and waking |
//! | `lock` | passive targets |
//! | `ticket` | the ticket of the lock that a rank holds |
//! | `active` | post, start, complete, wait |
//! | `accumulate` | the accumulate calls |
//! | `plain` | fast paths of put, get and accumulate, for contiguous elements |
//! | `word` | how two elements of at most 8 bytes combine |
#![deny(unsafe_op_in_unsafe_fn)]

mod accumulate;
mod active;
mod contiguous;
mod error;
mod handshake;
mod layout;
mod lock;
mod member;
mod ticket;
mod word;

pub use accumulate::AccumulateGuard;
pub use error::Error;
pub use handshake::Handshake;
pub use layout::{Plan, Spacing};
pub use lock::Hold;
pub use member::{Died, Member, Wait};
pub use sync::turnstile::Access;
