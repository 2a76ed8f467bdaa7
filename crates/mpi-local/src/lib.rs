//! MPI's local objects, as Rust values whose rules are checked: none of them communicates, and none
//! knows the process that it belongs to.
//!
//! * [`Error`] is what every call fails with: an error [`Class`] and a sentence. The classes of
//!   the layers below are decided in `error`, and nowhere else.
//! * [`Info`] has hints, of which [`hints`] says which are understood.
//! * [`attr`] has attributes, [`topo`] the arithmetic of process topologies, [`partition`] that of
//!   partitioned messages, [`op`] the operations of reductions.
//! * [`contexts`] has the numbers that keep the messages of communicators apart.
//! * [`Errhandler`] says what follows an error; acting on it is the business of the caller.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may wait"))]
#![forbid(unsafe_code)]

pub mod attr;
pub mod contexts;
pub mod errhandler;
mod error;
pub mod hints;
mod info;
pub mod op;
pub mod partition;
pub mod topo;

pub use attr::Attributes;
pub use errhandler::{Errhandler, ErrorFunction};
pub use error::{Class, Error, ErrorCodes};
pub use info::Info;
pub use topo::Topology;
