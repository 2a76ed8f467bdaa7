//! The provider for processes under a launcher that serves PMIx: Slurm's pmix plugin, Open MPI's
//! `mpirun`, PRRTE's `prterun`.
//!
//! The protocol between client and server is private to OpenPMIx. Its public interface is the
//! library `libpmix.so.2`, which is loaded if the environment names such a server. Different
//! versions of client and server work together.
//!
//! * [`sys`]: the library, loaded, and a session with its server.
//! * [`names`], [`jobs`]: published names, and jobs that the server starts.
//! * [`data`], [`app`]: values and programs as C's structures. All unsafe code is in these five.
//! * [`mail`]: replies that the library's own thread delivers.
//! * [`client`]: the provider itself.
//!
//! **A fence** publishes one block of everything new ([`crate::blocks`]): no server is queried for
//! a value that does not exist, for which some would wait.
//!
//! **A meeting** needs no collective of the server. Each member puts its value under a key made of
//! the meeting's key, and queries those of the others until they exist. (Fences of some processes,
//! which PMIx has too, fail on several hosts under some versions of Slurm when they carry data, and
//! few servers support its groups.)
//!
//! The job's secret is agreed on in a fence of all processes, so the first initialisation in a
//! process is collective over the job, as under PMI.
//!
//! The connection lasts until the process exits. Servers count a process that has finalised as
//! gone, and later fences that include it fail; so a process that has left cannot rejoin.

mod app;
mod client;
mod data;
mod jobs;
mod mail;
mod names;
mod sys;

pub(crate) use client::connect;
