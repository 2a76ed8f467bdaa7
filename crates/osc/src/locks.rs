//! The lock of a window's memory at one process: shared or exclusive, in order of arrival
//! (MPI 5.0, 12.5.3).

use std::collections::VecDeque;

/// How a lock is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lock {
    /// By any number of origins.
    Shared,
    /// By one alone.
    Exclusive,
}

/// The holders of the lock, and the origins that wait for it, by rank.
#[derive(Default, Debug)]
pub(crate) struct Locks {
    holders: Vec<u32>,
    exclusive: bool,
    waiting: VecDeque<(u32, Lock)>,
}

impl Locks {
    /// Queues the request of an origin. False when it has requested the lock before.
    pub(crate) fn ask(&mut self, origin: u32, lock: Lock) -> bool {
        let waits = self.waiting.iter().any(|(waits, _)| *waits == origin);
        if waits || self.holders.contains(&origin) {
            return false;
        }
        self.waiting.push_back((origin, lock));
        true
    }

    /// Releases the lock of an origin. False when it holds nothing.
    pub(crate) fn give_back(&mut self, origin: u32) -> bool {
        let held = self.holders.len();
        self.holders.retain(|holder| *holder != origin);
        self.holders.len() < held
    }

    /// Forgets an origin that has failed.
    pub(crate) fn forget(&mut self, origin: u32) {
        self.give_back(origin);
        self.waiting.retain(|(waits, _)| *waits != origin);
    }

    /// Grants the lock to the next origin whose turn it is, and returns that.
    pub(crate) fn next_grant(&mut self) -> Option<u32> {
        let (origin, lock) = *self.waiting.front()?;
        let free = self.holders.is_empty();
        if !free && (self.exclusive || lock == Lock::Exclusive) {
            return None;
        }
        self.waiting.pop_front();
        self.exclusive = lock == Lock::Exclusive;
        self.holders.push(origin);
        Some(origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grants(locks: &mut Locks) -> Vec<u32> {
        std::iter::from_fn(|| locks.next_grant()).collect()
    }

    #[test]
    fn locks_are_granted_in_order_and_shared_ones_together() {
        let mut locks = Locks::default();
        let asked = [
            (1, Lock::Shared),
            (2, Lock::Shared),
            (3, Lock::Exclusive),
            (4, Lock::Shared),
        ];
        assert!(asked.iter().all(|(origin, lock)| locks.ask(*origin, *lock)));
        assert_eq!(grants(&mut locks), [1, 2]);
        assert!(!locks.ask(1, Lock::Shared) && !locks.ask(4, Lock::Shared));
        assert!(locks.give_back(1));
        assert_eq!(grants(&mut locks), [], "an exclusive one waits for all");
        assert!(locks.give_back(2) && !locks.give_back(2));
        assert_eq!(grants(&mut locks), [3]);
        assert!(locks.give_back(3));
        assert_eq!(grants(&mut locks), [4]);
    }

    #[test]
    fn the_dead_hold_up_nobody() {
        let mut locks = Locks::default();
        for origin in [1, 2, 3] {
            locks.ask(origin, Lock::Exclusive);
        }
        assert_eq!(grants(&mut locks), [1]);
        locks.forget(2);
        locks.forget(1);
        assert_eq!(grants(&mut locks), [3]);
    }
}
