//! MPI as a Rust API: communicators, groups, windows, sessions, requests, errors.
//!
//! MPI's objects are Rust values, and MPI's rules are checked. There is no process-wide state: the
//! objects that the C interface keeps in tables are passed as arguments here.
//!
//! Errors, info objects, attributes and topologies are those of `mpi_local`.
#![forbid(unsafe_code)]

mod account;
mod agreement;
mod announcements;
mod bridge;
mod bsend;
mod call;
mod calls;
mod comm;
mod compare;
pub mod contexts;
mod create;
mod fault;
pub mod foreign;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod group;
mod helper;
mod inquiry;
mod locality;
mod locks;
pub mod membership;
mod news;
mod node;
mod partitioned;
mod process;
mod progress_thread;
mod pt2pt;
mod report;
mod request;
mod services;
mod session;
mod shared;
mod waits;
mod worlds;

mod checkpoint;
pub mod collective;
mod observe;
mod topologies;

pub use agreement::Listener;
pub use bridge::{Bridge, Bridged};
pub use bsend::{Bsend, BsendBuffer};
pub use call::Label;
pub use comm::Comm;
pub use create::{Connection, InterCreated};
pub use fault::Making;
pub use group::{Comparison, Group};
pub use inquiry::Inquiry;
pub use membership::Membership;
pub use mpi_local::{
    Attributes, Class, Errhandler, Error, ErrorCodes, ErrorFunction, Info, Topology,
};
pub use osc::{Access, Place, Verb};
pub use partitioned::{Pairing, Side};
pub use process::{Options, Process};
pub use pt2pt::{SendMode, FROM_NOBODY, NO_PARTNER};
pub use request::{Background, Generalized, Operation, Outcome, Persistent, Request, Sequenced};
pub use services::Service;
pub use session::{Session, ThreadLevel};
pub use waits::POLLS;
