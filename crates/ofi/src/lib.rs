//! libfabric, loaded at run time: its objects as values that own each other in the right order.
//!
//! A process that needs no network never loads the library; one without the library gets an error
//! from [`Library::load`] and goes on. There are no statics: everything starts from a [`Library`].
//!
//! ```text
//! Library --query(Hints)--> Vec<Info>            the providers' offers
//!    Info --Domain::open--> Domain               one network device, with its fabric
//!  Domain --Av::open------> Av                   addresses of peers -> Address
//!  Domain --register------> Mr                   memory that the device may touch
//!  Domain + Av ---open----> Endpoint             operations, and the queue of completions
//! ```
//!
//! Children hold their parents ([`std::sync::Arc`]), so nothing is closed while something
//! depends on it, in whatever order the values are dropped.
//!
//! **Operations.** An [`Endpoint`] belongs to one thread at a time (`&mut self`). An operation
//! gets a token of the caller's, which comes back in a [`Completion`] ([`Endpoint::poll`],
//! [`Endpoint::ended`]). Between the two the provider owns a context block, which never moves
//! ([`context`]). [`Posted::Busy`] is libfabric's `EAGAIN`: nothing was accepted.
//!
//! **Memory.** Operations take [`memory::UserBuf`], whose maker promised that the memory stays
//! valid until the operation is complete. An operation that never completes ends when its
//! endpoint is dropped, not before.
//!
//! **Trust.** The library and its providers run in this process and are trusted to keep libfabric's
//! own contract: tables begin with their size, contexts come back as they were given.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may wait"))]
#![deny(unsafe_op_in_unsafe_fn)]

mod library;
mod signals;

mod info;
pub mod quirks;

mod select;

mod params;

mod domain;

mod monitor;

mod atomic;
pub mod context;
mod endpoint;
mod idle;
mod object;
mod queue;
mod region;
mod transfer;

mod error;
mod sys;
#[cfg(test)]
mod tests;

pub use atomic::{AtomicKind, AtomicOp, AtomicType};
pub use context::Op;
pub use domain::{Address, Av, Domain};
pub use endpoint::{Endpoint, Options};
pub use error::Error;
pub use idle::IdleBackOff;
pub use info::{
    caps, mode, mr_mode, order, AddressFormat, Hints, Info, Pci, Progress, ProviderThread,
};
pub use library::Library;
pub use params::PARAMS;
pub use queue::{Completion, Failure};
pub use region::{Mr, MrAccess};
pub use select::{choose, Filter, Refusal, Verdict};
pub use transfer::{flags, AtomicOperands, Posted, Remote, Tagged};
