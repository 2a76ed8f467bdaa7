//! The means by which daemons are started, as values that travel to all hosts.

use serde::{Deserialize, Serialize};

/// A means to start daemons.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Start {
    /// A remote shell: a program and its arguments before the host's name, not empty. A daemon
    /// speaks on its streams.
    Shell(Vec<String>),
    /// The task management interface of PBS and Torque, whose daemons connect to the vertex above:
    /// the launcher runs itself as the command that uses it.
    Tm {
        /// The host of each line of `PBS_NODEFILE`: the number of a node is that of the first line
        /// with its host.
        nodes: Vec<String>,
    },
    /// A command of a batch system, whose daemons connect to the vertex above.
    Batch {
        /// Which one.
        batch: Batch,
        /// Its file.
        program: String,
        /// More arguments of it, from the user.
        arguments: Vec<String>,
    },
}

/// The command of a batch system that starts processes on the hosts of its allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Batch {
    /// Slurm's `srun`.
    Slurm,
    /// LSF's `blaunch`.
    Lsf,
    /// Grid Engine's `qrsh -inherit`.
    GridEngine,
}
