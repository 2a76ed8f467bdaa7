//! The means by which daemons are started, as values that travel to all hosts.

use serde::{Deserialize, Serialize};

/// A means to start daemons.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Start {
    /// A remote shell: a program and its arguments before the host's name, not empty. A daemon
    /// speaks on its streams.
    Shell(Vec<String>),
    /// A batch system, whose daemons connect to the vertex above.
    Batch(ByBatch),
}

/// How a batch system starts processes on the hosts of its allocation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ByBatch {
    /// Which one.
    pub batch: Batch,
    /// The file of its command; that of the launcher for the interface of PBS and Torque.
    pub program: String,
    /// More arguments of it, from the user.
    pub arguments: Vec<String>,
    /// The hosts by the numbers that the system has for them, where it does not go by their names;
    /// empty names are no host's. A host that is there several times has the first number.
    pub nodes: Vec<String>,
    /// Whether it starts a daemon on the launcher's own host, too.
    pub starts_here: bool,
}

/// A batch system's way to start processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Batch {
    /// Flux's `flux exec`.
    Flux,
    /// Slurm's `srun`.
    Slurm,
    /// `aprun` of HPE's PALS, in jobs of PBS.
    Pals,
    /// The task management interface of PBS and Torque: the launcher runs itself as the command
    /// that uses it.
    Tm,
    /// LSF's `blaunch`.
    Lsf,
    /// Grid Engine's `qrsh -inherit`.
    GridEngine,
}
