//! The provider for processes under a launcher that serves PMIx: Slurm's pmix plugin, Open MPI's
//! `mpirun`, PRRTE's `prterun`.
//!
//! The protocol between client and server is private to OpenPMIx; what is public is its library,
//! `libpmix.so.2`, which is loaded when the environment speaks of such a server. Versions of the
//! two sides mix.
//!
//! * [`sys`]: the few functions and types of the library that are used, and all that is unsafe.
//! * [`mail`]: answers of the library's own thread, for whoever waits for them.
//! * [`client`]: the provider itself.
//!
//! **A fence** publishes one block of all that is new ([`crate::blocks`]): no server is queried for
//! a value that is not there, which some would wait for.
//!
//! **A meeting** needs no collective of the server's. Each member leaves its value under a name
//! made of the meeting's, and queries the others' until they are there. (Fences of some processes,
//! which PMIx has too, fail on several hosts under some versions of Slurm when they carry data; its
//! groups are known to the fewest.)
//!
//! The secret is agreed on by a fence of all: the first beginning in a process is collective
//! over the job, as under PMI.
//!
//! The connection ends when the process does. Servers count a process that has said farewell as
//! gone, and end the fences that it was to come to with an error; so a process that has left
//! cannot come back.

mod client;
mod mail;
mod sys;

pub(crate) use client::connect;

/// The protocol's name in errors.
const NAME: &str = "PMIx";

/// Names the library to load instead of the system's.
pub(crate) const LIBRARY_VARIABLE: &str = "OXMPI_PMIX_LIBRARY";
