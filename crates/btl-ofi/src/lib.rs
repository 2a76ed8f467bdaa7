//! The transport over libfabric: InfiniBand, Omni-Path, Slingshot, EFA, and the software
//! providers.
//!
//! One device, one endpoint of the reliable unconnected kind, and a table of peers. What it does
//! depends on `btl_ofi_mode`:
//!
//! * **messages** (mode 1): copied into buffers that are posted at the receiver ([`endpoint`],
//!   [`progress`]). A peer may have as many in flight as the receiver said that it posts; the
//!   receiver returns that credit as it hands messages up. So a flood neither fills the provider's
//!   memory nor keeps others from being heard. Messages are numbered, because some providers
//!   complete a short one before a long one that was sent first. One that is a little longer than
//!   the provider copies at once goes in pieces ([`pieces`]);
//! * **access to memory** (mode 0): registered memory is read, written and changed by the provider
//!   ([`rma`]). A transfer is cut into pieces that the provider can do; it ends with its last
//!   piece. A process that waits for one for long asks its peer to stay awake ([`help`]). Words of
//!   this process itself are changed through the device too, where it has a loopback
//!   ([`loopback`]);
//! * **both** (mode 2), the default.
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
mod farewell;
mod help;
mod op;
mod peers;
mod pieces;
mod progress;

mod atomic;
mod cells;
mod loopback;
mod rma;

mod buffers;

#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod params;
#[cfg(test)]
mod tests;
mod wire;

pub use component::Transport;
pub use open::{open, Config, OpenError};
pub use params::{Mode, Settings, PARAMS};
