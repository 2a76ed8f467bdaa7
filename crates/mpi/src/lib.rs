//! MPI as a Rust API: communicators, groups, windows, sessions, requests, errors.
//!
//! MPI's objects are Rust values, and MPI's rules are checked. There is no process-wide state: the
//! objects that the C interface keeps in tables are passed as arguments here.
//!
//! * [`Error`] is what every call fails with: an error [`Class`] and a sentence. The classes of
//!   the layers below are decided in `error`, and nowhere else.
//! * [`Group`], [`Info`], [`topo`] and [`attr`] are MPI's local objects; none of them
//!   communicates.
//! * [`Errhandler`] says what follows an error; acting on it is the business of the caller.
#![forbid(unsafe_code)]

mod account;
mod agreement;
mod announcements;
mod background;
mod bsend;
mod call;
mod calls;
mod checks;
mod comm;
mod cores;
mod create;
mod decorate;
mod error;
mod explain;
mod fault;
pub mod file;
mod foreign;
pub mod group;
mod helper;
mod hints;
mod info;
mod inquiry;
mod locality;
mod locks;
mod meet;
mod membership;
mod messaging;
mod names;
mod news;
mod node;
pub mod params;
mod partitioned;
mod port;
mod process;
mod progress_thread;
mod pt2pt;
mod report;
mod request;
mod segment;
mod sequence;
mod session;
mod shared;
mod transports;
mod unite;
mod win;

pub mod attr;
mod checkpoint;
pub mod collective;
pub mod errhandler;
mod observe;
pub mod op;
pub mod spawn;
pub mod storage;
pub mod topo;

pub use agreement::Listener;
pub use attr::Attributes;
pub use bsend::{Bsend, BsendBuffer};
pub use call::Label;
pub use comm::Comm;
pub use errhandler::{Errhandler, ErrorFunction};
pub use error::{Class, Error, ErrorCodes};
pub use file::File;
pub use group::{Comparison, Group};
pub use info::Info;
pub use inquiry::Inquiry;
pub use membership::Membership;
pub use osc::{Access, Place, Verb};
pub use partitioned::{Pairing, Side};
pub use port::Terms;
pub use process::{Options, Process};
pub use pt2pt::{SendMode, FROM_NOBODY, NO_PARTNER};
pub use request::{Generalized, Operation, Outcome, Persistent, Request, Sequenced};
pub use session::{Session, ThreadLevel};
pub use topo::Topology;
pub use unite::{Bridge, Bridged, SpelledOut};
pub use win::{Elements, Extent, Flavor, Lock, Window};
