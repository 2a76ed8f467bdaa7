//! A job on many hosts: `mpirun`, and below it a tree of daemons, one on each other host.
//!
//! A daemon is the program `mpirun` with another argument. Its parent starts it through a remote
//! shell, whose streams then carry the messages between the two ([`wire`]): nothing listens on a
//! port, and no secret is on a command line, since the job's key and the ranks' environment travel
//! inside ssh. Or a batch system starts it, and it connects to its parent ([`plm`]).
//!
//! 1. Each vertex starts its children ([`shape`], [`plm`], [`link`]); each daemon sends a
//!    greeting, receives its position, and reports its processors. [`relay`] combines messages on
//!    the way up.
//! 2. `mpirun` then knows the processors of all hosts, and sends one [`order`] down to all.
//! 3. Events of ranks go up to `launch_job`, and its decisions go down.
//!
//! A vertex that loses its parent ends its ranks and its children. Neighbours send a message every
//! second even without news, so that a host which has vanished is noticed.
//!
//! [`vertex`] is the common part of `mpirun` (`launch`) and daemons ([`daemon`]); [`ranks`] has the
//! processes that it runs on its host. [`queries`] answers users who ask about one of them.
//!
//! Output of ranks goes up within a window of bytes for each host and stream. `mpirun` opens the
//! window again as its own reader takes the output, so a slow reader slows the ranks down and fills
//! no memory.
//!
//! **Tests.** `tests/wireup` counts the rounds of a start on simulated hosts and draws
//! `docs/wireup.svg`.
#![allow(clippy::disallowed_methods, reason = "programs may wait")]
#![forbid(unsafe_code)]

pub mod daemon;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod link;
pub mod order;
mod outbox;
pub mod plm;
pub mod poll;
pub mod queries;
pub mod ranks;
pub mod relay;
pub mod shape;
pub mod signals;
mod starter;
pub mod vertex;
pub mod wire;
