//! From a command line to a plan: what each rank of a job runs, and where.
//!
//! 1. [`options`]: one table of options in the spellings of Open MPI 4, Open MPI 5 and Hydra;
//!    [`command_line`] reads a command line by it into a [`request::Request`].
//! 2. [`allocation`]: the hosts of the job and their slots, from [`hosts`], rank files
//!    ([`rankfile`]) and a batch system.
//! 3. [`map`]: the host and the processors of each rank, by a [`policy`] and each host's
//!    [`topology`].
//! 4. [`plan`]: these steps in their order, with the environment of each program ([`tools`]
//!    preloads libraries). [`display`] shows the result to the user.
//!
//! Everything that can be wrong is found here, before anything is started, and is an [`Error`]. All
//! of it but the reading of files is without I/O.
//!
//! **Tests.** `tests/golden` freezes what becomes of command lines.
#![allow(clippy::disallowed_methods, reason = "programs may wait")]
#![forbid(unsafe_code)]

pub mod allocation;
pub mod command_line;
mod display;
pub mod error;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod hosts;
pub mod map;
pub mod options;
pub mod outfile;
pub mod plan;
pub mod policy;
pub mod rankfile;
pub mod recording;
pub mod request;
pub mod tools;
pub mod topology;

pub use error::Error;
