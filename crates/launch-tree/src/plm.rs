//! The framework `plm`: how a daemon is started on another host.
//!
//! [`Settings`] are the parameters. There is one component, the agent of `plm_rsh_agent` (ssh, or
//! what the user names in its place): an [`Agent`] is a value that travels to all daemons, since
//! each starts those below it, and makes the command that starts one. Which hosts a batch system
//! has allocated is read in [`launch_plan::allocation`].

mod agent;
mod settings;

pub use agent::{leads_here, Agent, ARGUMENT};
pub use settings::Settings;
