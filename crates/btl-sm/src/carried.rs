//! The choice of the mechanism for long messages of one peer, and to it ([`crate::carriage`]).

use base::{Clock, Service};
use shm::carriage::{Classes, Follower, Wish, CLASSES};

use crate::both_ways::BothWays;

/// Mechanisms, as numbers of [`shm::carriage`].
pub(crate) const RING: usize = 0;
pub(crate) const READ: usize = 1;
pub(crate) const MECHANISMS: usize = 2;

/// The state of the choice, in both directions.
#[derive(Default)]
pub(crate) struct Carried {
    /// The choosers of the peer's messages, once one was measured.
    pub(crate) from: Option<Box<Classes>>,
    /// The choice for messages that go both ways, at the side that leads.
    pub(crate) both: Option<Box<BothWays>>,
    /// Followers of the peer's wishes, by size class.
    to: [Follower; CLASSES],
}

impl Carried {
    /// Returns the mechanism of the next message of a size class, as the peer's word says; a word
    /// that says no wish stands for the ring.
    pub(crate) fn follow(&mut self, class: usize, word: u32) -> usize {
        let wish = Wish::from_word(word, MECHANISMS).unwrap_or_default();
        self.to[class].follow(wish)
    }

    /// Records a message that has come, and returns what the peer is to do with its next ones.
    /// `leads`: this side decides about messages that go both ways.
    pub(crate) fn served(
        &mut self,
        class: usize,
        mechanism: usize,
        service: Service,
        leads: bool,
    ) -> Wish {
        if leads {
            let both = self
                .both
                .get_or_insert_with(|| Box::new(BothWays::new(MECHANISMS)));
            let messages = service.unmeasured.saturating_add(1);
            let wish = both.receive(class, mechanism, messages, || shm::clock::Shared.now().0);
            if let Some(wish) = wish {
                return wish;
            }
        }
        let new = || Box::new(Classes::new(MECHANISMS));
        let chooser = self.from.get_or_insert_with(new).chooser(class);
        chooser.skip(service.unmeasured);
        chooser.record(mechanism, service.bytes, service.nanoseconds);
        chooser.wish()
    }

    /// Gives up reading the peer's memory. Returns whether anything had been measured.
    pub(crate) fn refuse(&mut self) -> bool {
        if let Some(classes) = &mut self.from {
            classes.refuse(READ);
        }
        if let Some(both) = &mut self.both {
            both.refuse(READ);
        }
        self.from.is_some()
    }
}
