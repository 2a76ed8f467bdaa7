//! MPI as a Rust API: communicators, groups, sessions, requests, collective calls.
//!
//! MPI's objects are Rust values, and MPI's rules are checked. There is no process-wide state: the
//! objects that the C interface keeps in tables are passed as arguments here.
//!
//! * [`Process`] is one life of this process with MPI: identity, parameters, engine, and values
//!   that own their locks: the peers that it knows (`peers`), the deaths that were reported
//!   (`deaths`), fault tolerance (`faults`), pending collectives (`calls`), its threads
//!   (`threads`).
//! * [`Comm`] has members and contexts; `create` makes communicators from others, `worlds` those
//!   that are there from the start.
//! * [`Request`] is a pending operation, [`Outcome`] how it ended.
//! * [`collective`] checks the arguments of collective calls; `call` runs them by messages, and
//!   `shared_memory` through shared memory, `node_memory` by nodes with memory inside each.
//! * [`Service`] is what a crate above keeps with a process: windows, files, spawns and ports are
//!   in `mpi_win`, `mpi_file` and `mpi_dynamic`, which this crate does not know.
//!
//! Errors, info objects, attributes and topologies are those of `mpi_local`; transports and engine
//! are chosen and opened by `mpi_components`.
#![forbid(unsafe_code)]

mod account;
mod agreement;
mod announcements;
mod begin;
mod bridge;
mod bsend;
mod call;
mod calls;
mod comm;
mod compare;
mod create;
mod deaths;
mod fault;
mod faults;
pub mod foreign;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod group;
mod inquiry;
mod introductions;
mod locks;
pub mod membership;
mod node;
mod node_memory;
mod numbers;
mod outcome;
mod partitioned;
mod peer_events;
mod peers;
mod process;
mod pt2pt;
mod report;
mod request;
mod root;
mod services;
mod session;
mod shared_calls;
mod shared_memory;
mod tags;
mod threads;
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
pub use osc::{Access, TargetBytes, Verb};
pub use outcome::{Outcome, SendMode, FROM_NOBODY, NO_PARTNER};
pub use partitioned::{Pairing, Side};
pub use peers::Activity;
pub use process::{Options, Process};
pub use request::{Background, Decision, Generalized, Operation, Persistent, Request, Sequenced};
pub use services::Service;
pub use session::{Session, ThreadLevel};
pub use waits::POLLS;
