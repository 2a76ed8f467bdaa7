//! The choice of the mechanism for long messages of one peer, and to it ([`crate::carriage`]).

use shm::carriage::{Classes, Follower, Wish, CLASSES};

/// Mechanisms, as numbers of [`shm::carriage`].
pub(crate) const RING: usize = 0;
pub(crate) const READ: usize = 1;
pub(crate) const MECHANISMS: usize = 2;

/// The state of the choice, in both directions.
#[derive(Default)]
pub(crate) struct Carried {
    /// The choosers of the peer's messages, once one was measured.
    pub(crate) from: Option<Box<Classes>>,
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

    /// Gives up reading the peer's memory. Returns whether anything had been measured.
    pub(crate) fn refuse(&mut self) -> bool {
        if let Some(classes) = &mut self.from {
            classes.refuse(READ);
        }
        self.from.is_some()
    }
}
