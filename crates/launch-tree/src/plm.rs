//! The framework `plm`: how daemons are started on other hosts.
//!
//! [`choose`] asks each component of [`COMPONENTS`] whether it applies here: the batch system of
//! the allocation first, ssh last. The result is an [`Agent`], a value that travels to all daemons,
//! since each starts those below it. A remote shell is run once for each host, and its streams
//! carry the messages. The command of a batch system may be run once for many hosts, and what its
//! streams do is its own affair: its daemons connect to the vertex above ([`call`]).
//!
//! [`Settings`] are the parameters. Which hosts a batch system has allocated is read in
//! [`launch_plan::allocation`].

mod agent;
mod batch;
pub(crate) mod call;
mod choice;
mod flux;
mod settings;
mod slurm;
mod start;

pub(crate) use agent::{host_of, Starting};
pub use agent::{leads_here, Agent, ARGUMENT};
pub use choice::{choose, Facts, COMPONENTS};
pub use flux::resources as flux_resources;
pub use settings::Settings;
pub use start::{Batch, ByBatch, Start};
