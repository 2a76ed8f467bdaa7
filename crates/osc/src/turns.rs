//! Turns at changing a word: accumulates of one process to one word keep their order.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

use base::Key;

/// The words of one target that accumulates are under way to, and the operations that wait for
/// their turn.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    /// One of the words: mostly there is no other.
    one: Option<u64>,
    /// The operations that wait for `one`.
    behind: VecDeque<Key>,
    others: HashMap<u64, VecDeque<Key>, BuildHasherDefault<Spread>>,
}

impl Turns {
    /// Takes the turn of a word. False when it is taken already.
    #[inline(always)]
    pub(crate) fn take(&mut self, word: u64) -> bool {
        match self.one {
            None if self.others.is_empty() => {
                self.one = Some(word);
                true
            }
            _ => self.take_beside(word),
        }
    }

    /// Takes the turn of a word while others are taken. False when it is taken already.
    #[inline(never)]
    fn take_beside(&mut self, word: u64) -> bool {
        if self.waiting(word).is_some() {
            return false;
        }
        match self.one {
            None => self.one = Some(word),
            Some(_) => drop(self.others.insert(word, VecDeque::new())),
        }
        true
    }

    /// Returns the operations that wait for a word, where its turn is taken.
    #[inline]
    fn waiting(&mut self, word: u64) -> Option<&mut VecDeque<Key>> {
        match self.one == Some(word) {
            true => Some(&mut self.behind),
            false if self.others.is_empty() => None,
            false => self.others.get_mut(&word),
        }
    }

    /// Takes the turn of a word, or has the operation wait for it. Returns whether it took the
    /// turn.
    pub(crate) fn take_or_wait(&mut self, word: u64, operation: Key) -> bool {
        let taken = self.take(word);
        if let (false, Some(waiting)) = (taken, self.waiting(word)) {
            waiting.push_back(operation);
        }
        taken
    }

    /// Ends the turn of a word, if it was taken. Returns the operation that has it now.
    #[inline(always)]
    pub(crate) fn pass(&mut self, word: u64) -> Option<Key> {
        if self.one == Some(word) && self.behind.is_empty() {
            self.one = None;
            return None;
        }
        self.pass_on(word)
    }

    /// Ends the turn of a word that operations wait for, or of one other than `one`.
    #[inline(never)]
    fn pass_on(&mut self, word: u64) -> Option<Key> {
        let next = self.waiting(word)?.pop_front();
        match next {
            None if self.one == Some(word) => self.one = None,
            None => drop(self.others.remove(&word)),
            Some(_) => {}
        }
        next
    }

    /// Ends the turn of an operation, or its wait for it. Returns the operation that has the turn
    /// now.
    pub(crate) fn end(&mut self, word: u64, operation: Key) -> Option<Key> {
        let waiting = self.waiting(word)?;
        match waiting.iter().position(|waits| *waits == operation) {
            Some(place) => {
                waiting.remove(place);
                None
            }
            None => self.pass(word),
        }
    }
}

/// Spreads numbers that are mostly near each other and of nobody's choice but this process's.
#[derive(Default)]
pub(crate) struct Spread(u64);

impl Hasher for Spread {
    #[inline]
    fn write_u64(&mut self, number: u64) {
        // 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming, 6.4).
        self.0 = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.write_u64(self.0 ^ u64::from(*byte)));
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use base::Slab;

    use super::*;

    #[test]
    fn a_turn_goes_to_who_has_waited_longest() {
        let mut keys = Slab::default();
        let [one, two, three] = [(); 3].map(|()| keys.insert(()));
        let mut turns = Turns::default();
        assert!(turns.take(7) && turns.take(8));
        assert!(!turns.take(7));
        for key in [one, two, three] {
            assert!(!turns.take_or_wait(7, key));
        }
        assert_eq!(turns.end(7, two), None, "it had no turn");
        assert_eq!(turns.pass(7), Some(one));
        assert_eq!(turns.end(7, one), Some(three));
        assert_eq!(turns.end(7, three), None);
        assert!(turns.take_or_wait(7, two) && !turns.take(8));
        assert_eq!(turns.pass(9), None, "nobody took it");
    }
}
