//! The launcher's own parameters.

use mca::{Origin, Registry};
use std::time::Duration;

/// How long the TCP transport seeks a peer, in microseconds; not one of [`mca::launcher::PARAMS`].
const RECONNECT: &str = "btl_tcp_reconnect_timeout";

/// Values of the launcher's parameters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// The components to choose from, as the parameter `plm` lists them.
    pub components: String,
    /// The agents to choose from, as in `ssh : rsh`.
    pub agent: String,
    /// Whether the user has named the agent.
    pub names_agent: bool,
    /// Arguments of the agent before the host's name.
    pub agent_arguments: String,
    /// Whether a batch system starts a daemon on the launcher's own host, too; `None` where the
    /// component decides.
    pub starts_here: Option<bool>,
    /// More arguments of `srun`.
    pub slurm_arguments: String,
    /// More arguments of PALS's `aprun`.
    pub pals_arguments: String,
    /// The most children of a vertex of the tree.
    pub radix: u32,
    /// How long a daemon may take from its start to its first message.
    pub patience: Duration,
    /// How long a host may be silent before it is given up.
    pub silence: Duration,
}

impl Settings {
    /// Returns how long neighbours in the tree may be silent. A debugger holds the launcher as long
    /// as its user likes.
    pub(super) fn silence(&self) -> Duration {
        const WHILE_DEBUGGED: Duration = Duration::from_secs(7 * 24 * 3600);
        match mpir::is_being_debugged() {
            true => WHILE_DEBUGGED,
            false => self.silence,
        }
    }

    /// From a registry that knows [`mca::launcher::PARAMS`].
    pub fn from(registry: &Registry) -> Settings {
        let seconds = |name| Duration::from_secs(registry.size(name) as u64);
        Settings {
            components: registry.list("plm").join(","),
            agent: registry.text("plm_rsh_agent").to_string(),
            names_agent: *registry.origin("plm_rsh_agent") != Origin::Default,
            agent_arguments: registry.text("plm_rsh_args").to_string(),
            starts_here: match registry.choice("plm_daemon_here") {
                "yes" => Some(true),
                "no" => Some(false),
                _ => None,
            },
            slurm_arguments: registry.text("plm_slurm_args").to_string(),
            pals_arguments: registry.text("plm_pals_args").to_string(),
            radix: match registry.bool("plm_rsh_no_tree_spawn") {
                true => u32::MAX,
                false => registry.size("plm_tree_radix") as u32,
            },
            patience: seconds("plm_start_timeout"),
            silence: seconds("plm_heartbeat_timeout").max(outage(registry)),
        }
    }
}

/// How long a host may be silent at least, unless the user has said it: a cut that the transports
/// outlive is no end of a job either. Once a cut is over, the kernel repeats what it has to send
/// after as long again, at most: the time between its repetitions doubles.
fn outage(registry: &Registry) -> Duration {
    if *registry.origin("plm_heartbeat_timeout") != Origin::Default || !registry.declares(RECONNECT)
    {
        return Duration::ZERO;
    }
    2 * Duration::from_micros(registry.int(RECONNECT) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mca::launcher::PARAMS;
    use mca::Param;

    const TRANSPORT: &[Param] = &[Param::int(RECONNECT, 30_000_000, 0..=86_400_000_000, 3, "")];

    fn silence(tables: &[&'static [Param]], given: &[(&str, &str)]) -> u64 {
        let given = given
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        let sources = mca::Sources::new("/", |_| Err(std::io::ErrorKind::NotFound.into()))
            .with_command_line(given);
        let registry = Registry::load(tables, &sources).unwrap();
        Settings::from(&registry).silence.as_secs()
    }

    /// Checks the default. It was 6 s: a cut of 10 s, which the transport outlives, ended the job.
    #[test]
    fn a_host_may_be_silent_for_as_long_as_a_peer_is_sought() {
        let all = [PARAMS, TRANSPORT];
        assert_eq!(silence(&all, &[]), 60);
        assert_eq!(silence(&all, &[(RECONNECT, "90000000")]), 180);
        assert_eq!(silence(&all, &[(RECONNECT, "1000000")]), 60);
        let said = [("plm_heartbeat_timeout", "5"), (RECONNECT, "90000000")];
        assert_eq!(silence(&all, &said), 5);
        assert_eq!(silence(&[PARAMS], &[]), 60);
    }
}
