//! The reliable flood by which a revocation reaches every member that lives.
//!
//! A member that has heard of it tells the members at distances of 1, 2, 4, ... in both directions.
//! One that is dead, or does not know the communicator, is passed over for the next one beyond. So
//! a member that has heard always tells the next one that lives, also when that one's death is
//! learned later: on the ring of those that live nobody is left out.

use crate::Ranks;

/// State of the flood at one member.
#[derive(Default, Debug)]
pub(crate) struct Flood {
    /// Whether this member has heard.
    pub(crate) is_revoked: bool,
    told: Ranks,
    /// Members that do not know the communicator: it was not made there, or is freed.
    strangers: Ranks,
}

impl Flood {
    /// Takes note that the communicator is revoked. Returns the ranks to tell.
    pub(crate) fn revoke(&mut self, me: u32, size: u32, dead: &Ranks) -> Vec<u32> {
        self.is_revoked = true;
        self.next_to_tell(me, size, dead)
    }

    /// Takes note that a member does not know the communicator. Returns the ranks to tell instead.
    pub(crate) fn refused(&mut self, by: u32, me: u32, size: u32, dead: &Ranks) -> Vec<u32> {
        self.strangers.insert(by);
        self.next_to_tell(me, size, dead)
    }

    /// Returns the ranks that are to be told and were not.
    pub(crate) fn next_to_tell(&mut self, me: u32, size: u32, dead: &Ranks) -> Vec<u32> {
        let mut ranks = Vec::new();
        if !self.is_revoked {
            return ranks;
        }
        let mut distance = 1;
        while distance < size {
            for forward in [true, false] {
                let found = self.neighbour(me, size, distance, forward, dead);
                ranks.extend(found.filter(|rank| self.told.insert(*rank)));
            }
            distance *= 2;
        }
        ranks
    }

    /// Returns the first member that can be told, at this distance or beyond.
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
        let can_hear = |rank: &u32| !dead.contains(*rank) && !self.strangers.contains(*rank);
        (distance..size).map(at).find(can_hear)
    }
}
