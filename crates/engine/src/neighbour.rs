//! The neighbour that needs the core of a process whose spins were futile ([`sync::Contention`]).
//!
//! Beside programs that compute, both ends of an exchange lose their cores at times, so that a
//! message comes while its receiver is off its core. It also does so where the sender needs that
//! very core, while another program has the next one: to the scheduler three that compute on two
//! cores are balanced either way. The kernel says where a peer was last. If it was here, this
//! process goes to another core of those that it may use; it is not bound there.

use std::time::Instant;

use rustix::thread::{sched_getaffinity, sched_setaffinity};
use sync::Patience;

use crate::engine::Engine;
use crate::pml::Core;

impl Engine {
    /// Returns how long a wait that begins now spins and yields.
    #[inline]
    pub(crate) fn patience(&self) -> Patience {
        self.settle_doubt();
        self.contention.patience()
    }

    /// Finds out whether a peer needs this core, where that is in doubt.
    #[inline]
    pub(crate) fn settle_doubt(&self) {
        if self.contention.is_in_doubt() {
            self.look_for_neighbour();
        }
    }

    #[cold]
    fn look_for_neighbour(&self) {
        let since = Instant::now();
        let here = sync::processor();
        let found = here.and_then(|here| self.enter().has_peer_on(here));
        let spins = match (found, here) {
            (Some(true), Some(here)) => leave(here),
            (found, _) => found == Some(false),
        };
        self.contention.settle(spins, since.elapsed());
    }
}

impl Core {
    /// Whether a peer was last seen on a processor; `None` where no transport knows.
    fn has_peer_on(&mut self, processor: usize) -> Option<bool> {
        self.lanes_mut()?.bml.has_peer_on(processor)
    }
}

/// Moves the calling thread to another processor of those that it may use. Returns `false` where
/// it may use no other.
fn leave(processor: usize) -> bool {
    let Ok(all) = sched_getaffinity(None) else {
        return false;
    };
    let mut others = all;
    others.unset(processor);
    let moved = others.count() > 0 && sched_setaffinity(None, &others).is_ok();
    if moved {
        // It may use this one again; the scheduler moves nobody for that.
        let _ = sched_setaffinity(None, &all);
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_leaves_its_core_and_may_use_as_many_as_before() {
        let all = sched_getaffinity(None).unwrap();
        let here = sync::processor().unwrap();
        assert_eq!(leave(here), all.count() > 1);
        assert_eq!(sched_getaffinity(None).unwrap(), all);
        let mut only = all;
        (0..1024)
            .filter(|cpu| *cpu != here)
            .for_each(|cpu| only.unset(cpu));
        sched_setaffinity(None, &only).unwrap();
        assert!(!leave(here));
        sched_setaffinity(None, &all).unwrap();
    }
}
