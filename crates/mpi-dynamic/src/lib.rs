//! Groups of processes that come to have a communicator, though they had none in common, or did not
//! know each other (MPI 5.0, 7.4.2, 7.6.2 and chapter 11).
//!
//! * [`create_from_group`] and [`create_inter_from_groups`] make communicators of groups whose
//!   processes one launcher has started: they meet there.
//! * [`unite()`] makes one inter-communicator of two groups that may not know each other. Groups
//!   come to it by [`spawn()`], by [`accept`] and [`connect`] at a port, by [`join_by`], or by
//!   leaders who alone share a communicator ([`create_inter`]).
//! * [`publish_name`] and [`lookup_name`] are how a process finds the port of another job.
//!
//! What outlives a call is a service of the process ([`mpi::Service`]), which ends it with its
//! life.
#![forbid(unsafe_code)]

mod inter;
mod meet;
mod names;
mod port;
mod spawn;
mod spawns;
mod unite;

pub use inter::create_inter;
pub use meet::{create_from_group, create_inter_from_groups};
pub use names::{lookup_name, publish_name, unpublish_name};
pub use port::{accept, close_port, connect, join_by, open_port, Terms};
pub use spawn::{join_parents, spawn, Command, SpawnRole, Spawned};
pub use unite::{forget_unused, settle_all, spell_out, unite, ResolvedText};
