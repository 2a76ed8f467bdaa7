//! The identity of a process within its job.

use std::fmt;

use base::PeerId;
use serde::{Deserialize, Serialize};

use crate::spawn::Parent;

/// Facts that a process knows about itself and its job once it is connected. They never change.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The launcher of the process.
    pub launcher: Launcher,
    /// This process among those of its part of the job; equals its rank in the world communicator.
    pub peer: PeerId,
    /// How many processes its part of the job has; at least 1.
    pub size: u32,
    /// The node of each process, indexed by peer; nodes are counted from 0. A hint where the
    /// launcher knows one host under two names: processes that share memory must check.
    pub nodes: Vec<u32>,
    /// Which program of an MPMD job this process runs, counted from 0 (attribute
    /// `MPI_APPNUM`); `None` if the launcher does not report it.
    pub appnum: Option<u32>,
    /// How many processes the launcher has room for (attribute `MPI_UNIVERSE_SIZE`); `None`
    /// if it does not report that.
    pub universe_size: Option<u32>,
    /// A number that distinguishes this part of a job from all others that run at that time.
    pub job: u64,
    /// The number of this process in its job, which no other process of any part of it has.
    pub number: u32,
    /// The origin of this process, where another one has spawned it.
    pub parent: Option<Parent>,
    /// The secret that only the processes of this job share.
    pub secret: Secret,
}

/// Which kind of launcher started a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Launcher {
    /// This project's `mpirun`.
    Native,
    /// A launcher with PMI-1: Hydra, gforker.
    Pmi1,
    /// A launcher with PMI-2: Slurm's pmi2 plugin.
    Pmi2,
    /// One that serves PMIx: Slurm's pmix plugin, Open MPI's mpirun, PRRTE's prterun.
    Pmix,
    /// None.
    Singleton,
}

/// The job's 256-bit key, for transports that must distinguish the job's processes from others.
///
/// The native launcher makes it and passes it through a socket pair that nobody else can open.
/// Under other launchers rank 0 makes it and publishes it, so it is as secret as the launcher's
/// key-value space and connections are. It shows in no log: `Debug` hides it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Secret(pub [u8; 32]);

impl Identity {
    /// The node of `peer`; `None` when the job has no such process.
    pub fn node_of(&self, peer: PeerId) -> Option<u32> {
        self.nodes.get(peer.index()).copied()
    }

    /// The node of this process.
    pub fn node(&self) -> u32 {
        self.nodes[self.peer.index()]
    }

    /// The processes on this node, in order, this one among them.
    pub fn local_peers(&self) -> impl Iterator<Item = PeerId> + '_ {
        let node = self.node();
        let here = self
            .nodes
            .iter()
            .enumerate()
            .filter(move |(_, &n)| n == node);
        here.map(|(peer, _)| PeerId(peer as u32))
    }

    /// The position of this process among those of its node, counted from 0.
    pub fn local_rank(&self) -> u32 {
        self.local_peers().position(|p| p == self.peer).unwrap_or(0) as u32
    }

    /// How many processes share this node, this one included.
    pub fn local_size(&self) -> u32 {
        self.local_peers().count() as u32
    }
}

impl Secret {
    /// A fresh one from the system's random numbers.
    pub fn random() -> std::io::Result<Secret> {
        let mut bytes = [0; 32];
        crate::fd::fill_random(&mut bytes)?;
        Ok(Secret(bytes))
    }
}

impl fmt::Display for Launcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Launcher::Native => "mpirun",
            Launcher::Pmi1 => "a launcher with PMI-1 (Hydra's mpiexec)",
            Launcher::Pmi2 => "a launcher with PMI-2 (srun --mpi=pmi2)",
            Launcher::Pmix => "a launcher with PMIx (srun --mpi=pmix, Open MPI's mpirun)",
            Launcher::Singleton => "a process without a launcher",
        })
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locality_follows_the_nodes() {
        let identity = Identity {
            launcher: Launcher::Pmi1,
            peer: PeerId(3),
            size: 5,
            nodes: vec![0, 1, 0, 1, 1],
            appnum: None,
            universe_size: None,
            job: 1,
            number: 3,
            parent: None,
            secret: Secret([7; 32]),
        };
        let local: Vec<_> = identity.local_peers().collect();
        assert_eq!(local, [PeerId(1), PeerId(3), PeerId(4)]);
        assert_eq!((identity.local_rank(), identity.local_size()), (1, 3));
        assert_eq!(identity.node_of(PeerId(2)), Some(0));
        assert_eq!(identity.node_of(PeerId(5)), None);
        assert!(
            !format!("{identity:?}").contains('7'),
            "the secret must not show"
        );
    }
}
