//! The reliable flood by which a revocation reaches every member that lives.
//!
//! A member that learns of it notifies the members at distances of 1, 2, 4, ... in both directions.
//! A member that is dead, or does not know the communicator, is skipped for the next one beyond.
//! So each notified member notifies its next living neighbour, even where the death of a nearer one
//! is reported later, and the flood reaches all members on the ring of the living.

use crate::Ranks;

/// State of the flood at one member.
#[derive(Default, Debug)]
pub(crate) struct Flood {
    /// Whether this member knows of the revocation.
    pub(crate) is_revoked: bool,
    /// Members that this one has notified.
    notified: Ranks,
    /// Members that do not know the communicator: it was not made there, or is freed.
    strangers: Ranks,
}

impl Flood {
    /// Records that the communicator is revoked. Returns the ranks to notify.
    pub(crate) fn revoke(&mut self, me: u32, size: u32, dead: &Ranks) -> Vec<u32> {
        self.is_revoked = true;
        self.next_to_notify(me, size, dead)
    }

    /// Records that a member does not know the communicator. Returns the ranks to notify instead.
    pub(crate) fn refused(&mut self, by: u32, me: u32, size: u32, dead: &Ranks) -> Vec<u32> {
        self.strangers.insert(by);
        self.next_to_notify(me, size, dead)
    }

    /// Returns the ranks that are to be notified and were not.
    pub(crate) fn next_to_notify(&mut self, me: u32, size: u32, dead: &Ranks) -> Vec<u32> {
        let mut ranks = Vec::new();
        if !self.is_revoked {
            return ranks;
        }
        let mut distance = 1;
        while distance < size {
            for forward in [true, false] {
                let found = self.neighbour(me, size, distance, forward, dead);
                ranks.extend(found.filter(|rank| self.notified.insert(*rank)));
            }
            distance *= 2;
        }
        ranks
    }

    /// Returns the first member that can be notified, at this distance or beyond.
    fn neighbour(
        &self,
        me: u32,
        size: u32,
        distance: u32,
        forward: bool,
        dead: &Ranks,
    ) -> Option<u32> {
        let at = |far: u32| match forward {
            true => (me + far) % size,
            false => (me + size - far) % size,
        };
        let is_reachable = |rank: &u32| !dead.contains(*rank) && !self.strangers.contains(*rank);
        (distance..size).map(at).find(is_reachable)
    }
}
