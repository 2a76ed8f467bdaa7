//! [`Spawns`]: the spawns that connect this process with others, by which its launcher ends it
//! where one of them fails.

use base::{Mutex, PeerId};
use mpi::foreign::{Foreigners, Name};
use mpi::{Comm, Process, Service};

/// A spawn that connects this process with others.
struct SpawnLink {
    /// The number in the job of the first process that was spawned.
    first: u32,
    /// The names of the processes of the other side.
    names: Vec<Name>,
}

/// The spawns that connect this process with others.
#[derive(Default)]
pub(crate) struct Spawns(Mutex<Vec<SpawnLink>>);

impl Spawns {
    /// Notes that a communicator has connected this process by a spawn.
    pub(crate) fn link(process: &Process, first: u32, made: &Comm) {
        let spawns = process.service::<Spawns>();
        let mut table = process.foreigners();
        let peers = made.far_group().peers().iter();
        let names = peers.filter_map(|peer| table.name(*peer)).collect();
        spawns.0.lock().push(SpawnLink { first, names });
    }

    /// Whether a spawn connects this process with each of some others.
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

    /// Notifies the launcher of spawns by which this process is no longer connected.
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
            // A launcher that is gone connects nobody.
            let _ = process.launcher().ask(|provider| provider.unlink(part));
        }
    }
}
