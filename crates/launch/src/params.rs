//! The launcher's own parameters.

use mca::{Param, Registry};
use std::time::Duration;

/// How other hosts are reached and watched.
pub const PARAMS: &[Param] = &[
    Param::text(
        "plm_rsh_agent",
        "ssh",
        2,
        "The program that starts daemons on other hosts, with its arguments; of several, parted \
         by ` : `, the first that is there. It gets a host and a command for that host's shell",
    ),
    Param::text(
        "plm_rsh_args",
        "",
        3,
        "More arguments for the program that starts daemons on other hosts",
    ),
    Param::bool(
        "plm_rsh_no_tree_spawn",
        false,
        3,
        "Whether mpirun starts the daemons of all hosts itself, instead of letting daemons start \
         daemons; for hosts that cannot log in to each other",
    ),
    Param::size(
        "plm_tree_radix",
        32,
        1..=u32::MAX as usize,
        4,
        "How many daemons mpirun, or a daemon, starts and talks to itself",
    ),
    Param::size(
        "plm_start_timeout",
        60,
        1..=86_400,
        4,
        "How many seconds a daemon on another host may take to start",
    ),
    Param::size(
        "plm_heartbeat_timeout",
        6,
        3..=86_400,
        4,
        "After how many seconds of silence another host counts as lost; they say something each \
         second",
    ),
];

/// Their values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    pub(crate) agent: String,
    pub(crate) agent_arguments: String,
    pub(crate) radix: u32,
    pub(crate) patience: Duration,
    pub(crate) silence: Duration,
}

impl Settings {
    /// From a registry that knows [`PARAMS`].
    pub(crate) fn from(registry: &Registry) -> Settings {
        let seconds = |name| Duration::from_secs(registry.size(name) as u64);
        Settings {
            agent: registry.text("plm_rsh_agent").to_string(),
            agent_arguments: registry.text("plm_rsh_args").to_string(),
            radix: match registry.bool("plm_rsh_no_tree_spawn") {
                true => u32::MAX,
                false => registry.size("plm_tree_radix") as u32,
            },
            patience: seconds("plm_start_timeout"),
            silence: seconds("plm_heartbeat_timeout"),
        }
    }
}
