//! Collectives through memory that the ranks of a communicator share.
//!
//! If all ranks of a communicator are on one node, collectives do not need messages: the ranks
//! exchange data in a segment that belongs to the communicator. The protocol is [`sync::rounds`]:
//! every rank has a few *slots* that only it writes. To *show* data in a round, a rank fills the
//! slot of that round and sets its mark. A slot begins with one cache line, which has the mark, a
//! head (which collective, how many bytes), and up to 48 bytes of data; so a small collective costs
//! one line of traffic for each pair of ranks.
//!
//! ```text
//! small    each rank shows its data; the ranks that need it read it, and combine in rank order
//! middle   in chunks of a slot; the next chunk is shown while others still read the last
//! direct   a rank shows the address of its data, and others read it there (process_vm_readv)
//! ```
//!
//! Whether long data goes through slots or directly is measured (`carriage`).
//!
//! These calls block, and wait through [`Wait`], which the driver of the ranks implements. Short
//! calls that do not block are [`Exchanges`], a form of their own: one step of showing and reading
//! serves all functions, and is polled. The loops above would pay for being polled where each
//! instruction counts, and with data for many rounds a state machine would save nothing.
//!
//! The choice between these paths depends only on values that all ranks know. Data of any layout is
//! packed into slots. The head of a slot is compared with what this rank expects before its data is
//! used.
//!
//! Operands are combined in rank order. The messages that carry a reduction before the segment
//! exists do the same (`coll::allreduce_in_order`), so equal calls return equal bits whichever path
//! they take.
//!
//! This is a crate of its own because `coll` performs no I/O and has no unsafe code.
//!
//! A [`Member`] is one rank's end. It is made in three steps, between which the ranks exchange
//! bytes by messages: [`Handshake::create`] on one rank and [`Handshake::attach`] on the others,
//! then [`Handshake::status`] from all to all, then [`Handshake::complete`].
//!
//! | file | what |
//! |---|---|
//! | `segment` | the layout of a segment |
//! | `handshake` | creating and attaching a segment |
//! | `call` | the steps that collectives are made of: showing, seeing, waiting |
//! | `carriage`, `measured` | the choice between slots and direct copies, and the steps that it takes |
//! | `copies` | the steps of calls by direct copies |
//! | `tree` | the levels in which many ranks read each other's slots |
//! | `barrier`, `bcast`, `reduce`, `allreduce`, `gather`, `alltoall` | the collectives |
//! | `direct` | reductions of operands in other ranks' memory |
//! | `exchange` | short calls that do not block |
//! | `sequence` | started calls of a communicator, each with its position in the order |
//! | `led` | calls over several nodes, of steps inside nodes and between them |
//! | `node_call` | calls with their arguments |
//! | `params` | the parameters |
#![deny(unsafe_op_in_unsafe_fn)]

mod allreduce;
mod alltoall;
mod barrier;
mod bcast;
mod call;
mod carriage;
mod copies;
mod direct;
mod exchange;
mod gather;
mod handshake;
pub mod led;
mod measured;
mod node_call;
mod params;
mod reduce;
mod segment;
pub mod sequence;
mod tree;

pub use allreduce::radix_for;
pub use call::{Member, Wait};
pub use exchange::{Exchange, Exchanges};
pub use handshake::{Handshake, STATUS_BYTES};
pub use node_call::NodeCall;
pub use params::{goes_by_nodes, Copies, Settings, PARAMS, TABLE, TUNED_PRIORITY};
pub use reduce::can_reduce;
