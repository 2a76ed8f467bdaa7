//! Reports about a job that does not move: [`waits`], which ranks wait for which, and
//! [`other_mpi`], ranks that run another MPI and never connect.
//!
//! [`waits`] performs no I/O. The others read the system's files about processes of this host.
#![allow(clippy::disallowed_methods, reason = "programs may wait")]
#![forbid(unsafe_code)]

pub mod other_mpi;
pub mod process;
pub mod waits;
