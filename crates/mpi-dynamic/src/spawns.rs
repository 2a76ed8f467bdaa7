//! [`Spawns`]: which processes this one is connected with by `MPI_Comm_spawn`. While it is, the
//! launcher ends it with them where one of them fails.

use base::{Mutex, PeerId};
use mpi::foreign::{Foreigners, Name};
use mpi::{Comm, Process, Service};

/// A spawn whose processes on the other side are still connected with this one.
struct SpawnLink {
    /// The job-wide number of the first spawned process, by which the launcher knows the spawn.
    first: u32,
    /// The processes of the other side: the parents' for a child, the children's for a parent.
    names: Vec<Name>,
}

/// The spawns that connect this process with others, in the order in which they took place.
#[derive(Default)]
pub(crate) struct Spawns(Mutex<Vec<SpawnLink>>);

impl Spawns {
    /// Adds the spawn whose intercommunicator is `made`.
    pub(crate) fn link(process: &Process, first: u32, made: &Comm) {
        let spawns = process.service::<Spawns>();
        let mut table = process.foreigners();
        let peers = made.far_group().peers().iter();
        let names = peers.filter_map(|peer| table.name(*peer)).collect();
        spawns.0.lock().push(SpawnLink { first, names });
    }

    /// Returns whether spawns connect this process with every one of `peers`.
    pub(crate) fn have_all(&self, table: &mut Foreigners, peers: &[PeerId]) -> bool {
        let spawns = self.0.lock();
        let linked: Vec<_> = spawns.iter().flat_map(|link| &link.names).collect();
        let is_linked = |peer: &PeerId| {
            let name = table.name(*peer);
            name.is_some_and(|name| linked.contains(&&name))
        };
        peers.iter().all(is_linked)
    }
}

impl Service<Process> for Spawns {
    fn lose_launcher(&self, process: &Process, why: &str) -> bool {
        let links = std::mem::take(&mut *self.0.lock());
        let table = process.foreigners();
        let names = links.iter().flat_map(|link| &link.names);
        let peers: Vec<_> = names.filter_map(|name| table.find(name)).collect();
        drop(table);
        let lose = |peer: &PeerId| process.engine.lose_peer(*peer, why);
        peers.iter().for_each(lose);
        !peers.is_empty()
    }

    /// Removes the spawns that connect this process with nobody any more, and reports them to the
    /// launcher.
    fn removed_foreign(&self, process: &Process) {
        let mut ended = Vec::new();
        let table = process.foreigners();
        self.0.lock().retain(|link| {
            let is_known = link.names.iter().any(|name| table.find(name).is_some());
            if !is_known {
                ended.push(link.first);
            }
            is_known
        });
        drop(table);
        for part in ended {
            // An error means that the launcher has ended, which ends the connection too.
            let _ = process.launcher().ask(|provider| provider.unlink(part));
        }
    }
}
