//! Connects a process to its launcher: its identity in the job, and exchange of small values.
//!
//! A [`Provider`] returns the [`Identity`] of the process (rank, size, which peers share its node,
//! the job's secret) and exchanges small values among the processes: [`Provider::publish`] one's
//! own, [`Provider::fence`] with all, [`Provider::fetch`] those of others. That is enough to
//! exchange the addresses of transports (the modex); nothing here depends on their format.
//!
//! The provider depends on the launcher of the process; [`connect`] chooses it:
//!
//! | provider    | chosen by                 | launcher                                     |
//! |-------------|---------------------------|----------------------------------------------|
//! | `singleton` | `OXMPI_SINGLETON=1`       | none: a job of one process                   |
//! | `native`    | `OXMPI_BOOT_FD`           | this project's `mpirun`                      |
//! | `pmi2`      | `PMI_FD` and `PMI_JOBID`  | `srun --mpi=pmi2`                            |
//! | `pmi1`      | `PMI_FD`                  | Hydra (MPICH, Intel MPI), gforker            |
//! | `pmi1`      | `PMI_PORT`                | Hydra with `-pmi-port`                       |
//! | `pmix`      | `PMIX_NAMESPACE`          | `srun --mpi=pmix`, Open MPI, PRRTE           |
//! | `singleton` | none of these             | none                                         |
//!
//! The first row whose variables are set is tried. A launcher may run inside the job of another one
//! and inherit its variables: if the connection is closed or belongs to another process, the next
//! matching row is tried. `OXMPI_BOOTSTRAP` names one provider, which is then the only candidate.
//!
//! If the environment announces several processes but the launcher cannot be reached, that is an
//! error with the reason. Otherwise N processes would each run alone, as N jobs of one process.
//!
//! A provider is used by one thread at a time and owns its connection. The order of calls is
//! `publish*`, `fence` (or `begin_fence`, and `poll_fence` until it returns true), `fetch*`, any
//! number of times, then `finalize` or `abort`. Every peer sees a published value after the next
//! fence, and may or may not see it earlier. After `finalize` a process may `resume` over the same
//! connection, if [`Provider::can_return`].
//!
//! If [`Provider::can_meet`], some processes can exchange values without the others in a *meeting*:
//! `begin_meeting`, and `poll_meeting` until it returns the values. Any number of meetings may be
//! pending at once, also during a fence.
//!
//! A process can have some launchers start further ones ([`Provider::begin_spawn`]), which
//! are a *part* of the same job: they have ranks of their own from 0, and a fence of their own. All
//! processes of a job have different *numbers*, by which those of several parts can meet
//! ([`Provider::begin_meeting_of`]).
//!
//! * [`names`] are published names, which a launcher or a name server keeps. [`port`] has the
//!   handshake in which whoever connects to a port or to such a server proves knowledge of its key.
//! * [`account`] is a process's report to a launcher about what it waits for.
//! * [`codec`] encodes the bodies of frames.
//! * [`native`] also has the wire format, which `launch` uses for the launcher's side.
//! * [`child`] has the steps of a launcher in a child between fork and exec.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may wait"))]

pub mod account;
mod agree;
mod ancestors;
mod blocks;
pub mod child;
mod choose;
pub mod codec;
mod constants;
mod error;
mod fd;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod identity;
pub mod names;
pub mod native;
mod pmi;
mod pmix;
pub mod port;
mod provider;
mod rank_set;
pub mod serve;
mod singleton;
pub mod spawn;

pub use choose::{connect, connect_from_env, providers};
pub use constants::{BOOTSTRAP_VARIABLE, KEY_BYTES_MAX, SINGLETON_VARIABLE, VALUE_BYTES_MAX};
pub use error::Error;
pub use identity::{Identity, Launcher, Secret};
pub use provider::{Provider, Ticket};
pub use rank_set::RankSet;

use provider::{check_entry, check_length, check_meeting};
