//! The communicators that are there from the start.

use std::sync::Arc;

use base::{PeerId, Rank};

use mpi_local::contexts;

use crate::{Comm, Errhandler, Group, Process};

impl Process {
    /// The communicator of all processes.
    pub fn world(self: &Arc<Process>) -> Comm {
        let peers = (0..self.identity.size).map(PeerId).collect();
        let group = Group::new(peers);
        let rank = Rank(self.identity.peer.0);
        let world = Comm::open(self, contexts::WORLD, group, rank, "MPI_COMM_WORLD");
        self.with_initial_errhandler(world)
    }

    /// The communicator of this process alone.
    pub fn this(self: &Arc<Process>) -> Comm {
        let group = Group::new(vec![self.identity.peer]);
        let context = contexts::named(self.identity.peer, contexts::SELF_NAME);
        let this = Comm::open(self, context, group, Rank(0), "MPI_COMM_SELF");
        self.with_initial_errhandler(this)
    }

    /// Gives a predefined communicator the initial error handler (MPI 5.0, 9.3).
    pub fn with_initial_errhandler(&self, comm: Comm) -> Comm {
        *comm.errhandler.lock() = Errhandler::initial(&self.registry);
        comm
    }
}
