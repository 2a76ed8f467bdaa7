//! Permits: decisions of the open epochs of a window, in words that may be read without them.
//!
//! The epochs decide whether an access is allowed ([`crate::epoch`]), behind the lock of their
//! driver. Their decision holds until the epoch ends, so they note it here, by target, and whoever
//! has a copy of [`Permits`] acts by that note: an access by loads and stores then needs the note,
//! the target's range, and nothing else. Only the epochs write; each note has the generation of the
//! epochs that made it, and the end of an epoch makes all notes before it void.
//!
//! A program that ends an epoch while other threads access by it is in the wrong (MPI 5.0, 12.5),
//! so nothing here orders anything.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use base::Rank;

/// A word that says what an epoch allows at a target, and which epoch: its generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Permit(u64);

impl Permit {
    /// Accesses.
    pub const ACCESS: Permit = Permit(1);
    /// Flushes: the target is locked.
    pub const FLUSH: Permit = Permit(2);
    /// Both.
    pub(crate) const LOCKED: Permit = Permit(3);

    /// The step of generations.
    const GENERATION: u64 = 4;

    /// Returns the generation of its epoch.
    #[inline]
    fn generation(self) -> u64 {
        self.0 & !(Permit::GENERATION - 1)
    }

    /// Whether an epoch of a generation gave it, and it allows as much as `what`.
    #[inline]
    fn allows(self, generation: u64, what: Permit) -> bool {
        self.0 & (!(Permit::GENERATION - 1) | what.0) == generation | what.0
    }
}

/// The permits of a window, by target. A clone has the same words.
#[derive(Clone, Debug)]
pub struct Permits(Arc<[AtomicU64]>);

impl Permits {
    /// Makes those of a window of this many processes: none.
    pub(crate) fn new(ranks: usize) -> Permits {
        // The generation comes first: one more than that of words that nobody has written.
        let generation = std::iter::once(Permit::GENERATION);
        let words = generation.chain(std::iter::repeat_n(0, ranks));
        Permits(words.map(AtomicU64::new).collect())
    }

    #[inline]
    fn generation(&self) -> u64 {
        self.0[0].load(Ordering::Relaxed)
    }

    /// Whether the open epochs are known to allow something at a target, whatever number that is.
    /// False only says that the epochs have to be asked.
    #[inline]
    pub fn allow(&self, target: i32, what: Permit) -> bool {
        // A negative rank is a very large one.
        let word = self.0.get((target as u32 as usize).wrapping_add(1));
        let permit = word.map(|word| Permit(word.load(Ordering::Relaxed)));
        permit.is_some_and(|permit| permit.allows(self.generation(), what))
    }

    /// Notes that the open epochs allow something at a target, beside what they allowed before.
    #[inline]
    pub(crate) fn note(&self, target: Rank, what: Permit) {
        let (word, generation) = (&self.0[target.index() + 1], self.generation());
        let before = Permit(word.load(Ordering::Relaxed));
        let kept = match before.generation() == generation {
            true => before.0,
            false => generation,
        };
        word.store(kept | what.0, Ordering::Relaxed);
    }

    /// Voids the permit at a target, whose epoch has ended.
    #[inline]
    pub(crate) fn void(&self, target: Rank) {
        self.0[target.index() + 1].store(0, Ordering::Relaxed);
    }

    /// Voids all permits: the epoch for all targets has ended.
    pub(crate) fn void_all(&self) {
        let next = self.generation() + Permit::GENERATION;
        self.0[0].store(next, Ordering::Relaxed);
    }
}

impl Default for Permits {
    fn default() -> Permits {
        Permits::new(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permit_ends_with_its_epoch() {
        let permits = Permits::new(2);
        let may = |target, what| permits.allow(target, what);
        assert!(!may(0, Permit::ACCESS) && !may(0, Permit::FLUSH));
        permits.note(Rank(0), Permit::ACCESS);
        assert!(may(0, Permit::ACCESS) && !may(0, Permit::FLUSH) && !may(1, Permit::ACCESS));
        permits.note(Rank(0), Permit::FLUSH);
        assert!(may(0, Permit::ACCESS) && may(0, Permit::FLUSH));
        permits.void_all();
        assert!(!may(0, Permit::ACCESS) && !may(0, Permit::FLUSH));
        permits.note(Rank(0), Permit::FLUSH);
        assert!(
            !may(0, Permit::ACCESS) && may(0, Permit::FLUSH),
            "nothing is left of the last epoch"
        );
        permits.note(Rank(1), Permit::LOCKED);
        permits.void(Rank(0));
        assert!(!may(0, Permit::FLUSH) && may(1, Permit::ACCESS) && may(1, Permit::FLUSH));
    }

    #[test]
    fn there_are_no_other_ranks() {
        let permits = Permits::new(1);
        permits.note(Rank(0), Permit::LOCKED);
        for rank in [-3, -1, 1, i32::MAX, i32::MIN] {
            assert!(!permits.allow(rank, Permit::ACCESS), "{rank}");
        }
    }
}
