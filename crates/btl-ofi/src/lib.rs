//! The transport over libfabric: InfiniBand, Omni-Path, Slingshot, EFA, and the software
//! providers.
//!
//! One device, one endpoint of the reliable unconnected kind, and a table of peers. What it does
//! depends on `btl_ofi_mode`:
//!
//! * **messages** (mode 1): copied into buffers that are posted at the receiver ([`send_queue`],
//!   [`receive_queue`]). A peer may have as many in flight as the receiver said that it posts; the
//!   receiver returns that credit as it hands messages up. So a flood neither fills the provider's
//!   memory nor delays the messages of others. Messages are numbered, because some providers
//!   complete a short one before a long one that was sent first. One that is a little longer than
//!   the provider copies at once goes in pieces ([`pieces`], [`reassembly`]);
//! * **access to memory** (mode 0): registered memory is read, written and changed by the provider
//!   ([`regions`], [`transfers`]). A transfer is cut into pieces that the provider can do; it ends
//!   with its last piece. A process that waits for one for long asks its peer to stay awake
//!   ([`help`]). Words of this process itself are changed through the device too, where it has a
//!   loopback ([`loopback`]);
//! * **both** (mode 2), the default.
//!
//! The parts own their state and borrow what else an act needs: the open [`device`] and the table
//! of [`peers`]. [`component`] puts them together, [`progress`] polls, and [`endpoint`] and
//! [`shutdown`] are what a part cannot do alone: peers that come, go and are lost.
//!
//! Every operation is asynchronous: its token encodes it ([`op`]). A failed completion ends its
//! operation with an error, and reports that the peer is gone where the failure is of the peer.
//! Nothing here ends the process.
//!
//! Local memory is registered where the provider demands it (`FI_MR_LOCAL`), through the same cache
//! as the memory of peers' accesses. The cache keeps unused registrations only where a
//! `memory::release::Monitor` reports memory that goes back to the system.

#![deny(unsafe_op_in_unsafe_fn)]

mod component;
mod open;

mod endpoint;
mod progress;
mod rma;
mod shutdown;

mod receive_queue;
mod send_queue;
mod transfers;

mod early;
mod help;
mod loopback;
mod peer;
mod peers;
mod pieces;
mod reassembly;
mod reports;

mod atomic;
mod buffers;
mod cells;
mod device;
mod op;
mod regions;
mod transfer;
mod wire;

#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod params;
#[cfg(test)]
mod tests;

pub use component::Transport;
pub use open::{open, Config, OpenError};
pub use params::{Mode, Settings, PARAMS};
