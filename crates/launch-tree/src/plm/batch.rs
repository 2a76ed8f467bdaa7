//! The commands of batch systems that start daemons, up to the daemon's own.
//!
//! A command that can start processes on several hosts has all those below a vertex, see
//! [`super::slurm`] for why. Of PALS it is those of the whole job: whether `aprun` may be run on
//! other hosts than the first one of a job is not documented.

use std::process::Command;

use launch_plan::hosts::same_name;

use super::slurm;
use super::start::{Batch, ByBatch};

/// Variables by which a user shapes what `aprun` starts, the daemons too unless they are taken
/// away.
const MISLEADING_PALS: [&str; 12] = [
    "PALS_CPU_BIND",
    "PALS_DEPTH",
    "PALS_ENVNONE",
    "PALS_EXCLUSIVE",
    "PALS_HOSTFILE",
    "PALS_HOSTLIST",
    "PALS_LABEL",
    "PALS_MEM_BIND",
    "PALS_NRANKS",
    "PALS_PPN",
    "PALS_TRANSFER",
    "PALS_WDIR",
];

impl ByBatch {
    /// Divides hosts, which are vertices with names, into those that one command starts the daemons
    /// of.
    pub(super) fn groups<'a>(&self, hosts: &[(u32, &'a str)]) -> Vec<Vec<(u32, &'a str)>> {
        match self.batch {
            Batch::Slurm => slurm::by_component(hosts),
            Batch::Flux | Batch::Pals | Batch::Tm => vec![hosts.to_vec()],
            Batch::Lsf | Batch::GridEngine => hosts.iter().map(|host| vec![*host]).collect(),
        }
    }

    /// Returns the command for the hosts of one group; the daemon's own command goes behind it.
    pub(super) fn command(&self, hosts: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        let count = hosts.len().to_string();
        match self.batch {
            Batch::Flux => {
                let ranks = self.numbers(hosts).join(",");
                command.args(["exec", "--noinput", &format!("--rank={ranks}")]);
            }
            Batch::Slurm => slurm::arrange(&mut command, hosts),
            Batch::Pals => {
                for name in MISLEADING_PALS {
                    command.env_remove(name);
                }
                command.args(["-n", &count, "-N", "1", "--cc", "none"]);
                command.args(["-L", &hosts.join(",")]);
            }
            Batch::Tm => {
                let numbers = self.numbers(hosts);
                let places = numbers.iter().zip(hosts);
                let places = places.map(|(number, host)| format!("{number}={host}"));
                let places: Vec<String> = places.collect();
                command.args([tm::ARGUMENT, &places.join(",")]);
            }
            Batch::GridEngine => {
                command.args(["-inherit", "-nostdin", "-V"]);
            }
            Batch::Lsf => {}
        }
        command.args(&self.arguments);
        if self.is_of_one_host() {
            command.args(hosts);
        }
        command
    }

    /// Whether a command of it starts the daemon of one host, which it gets the name of. Such a
    /// daemon says its host's name as the user has it; others find out where they are.
    pub(super) fn is_of_one_host(&self) -> bool {
        matches!(self.batch, Batch::Lsf | Batch::GridEngine)
    }

    /// The system's numbers for hosts. One that it does not have gets a number that it refuses.
    fn numbers(&self, hosts: &[&str]) -> Vec<String> {
        let number = |host: &&str| {
            let found = self.nodes.iter().position(|node| same_name(node, host));
            found.unwrap_or(self.nodes.len()).to_string()
        };
        hosts.iter().map(number).collect()
    }
}
