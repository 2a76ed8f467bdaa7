//! [`Peers`]: the processes that this one was introduced to.

use std::sync::atomic::AtomicBool;
use std::sync::Arc;

use base::Mutex;

use crate::foreign::{Foreigners, LauncherNumber};
use shm::locality::Locality;

/// Record of a process of the own world.
#[derive(Clone, Copy, Default)]
pub(crate) struct IntroducedPeer {
    /// Number of the life that was introduced; 0 when none was.
    pub(crate) life: u64,
    /// The node that it states.
    pub(crate) locality: Locality,
}

/// The activity of a process while it exchanges addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activity {
    /// No thread of the process receives messages.
    None,
    /// Other threads may receive messages, also of peers that are not introduced yet.
    Receiving,
}

/// The processes that this one was introduced to.
pub(crate) struct Peers {
    /// Peers by rank in the world.
    pub(crate) known: Mutex<Vec<IntroducedPeer>>,
    /// Processes that were not started together with this one.
    pub(crate) foreign: Arc<Mutex<Foreigners>>,
    /// Whether those of the world were introduced by what a fence has brought. Before, the reports
    /// of next lives are not taken in.
    pub(crate) has_met: AtomicBool,
}

impl Peers {
    /// Returns the peers of a world of `size`, none of them introduced.
    pub(crate) fn new(size: usize, own: LauncherNumber) -> Peers {
        Peers {
            known: Mutex::new(vec![IntroducedPeer::default(); size]),
            foreign: Arc::new(Mutex::new(Foreigners::beyond(size as u32, own))),
            has_met: AtomicBool::new(false),
        }
    }
}
