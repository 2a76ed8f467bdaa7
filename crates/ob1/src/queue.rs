//! A queue of entries in order of arrival, searched by tag.
//!
//! Usually the first entry matches. After a search that went deep the queue gets an index, so that
//! finding and removing an entry takes about constant time; an entry removed from the middle then
//! leaves a hole. The index is dropped with the last entry.

use std::collections::{BTreeSet, VecDeque};

use pml::Tag;

/// An entry of a queue.
pub(crate) trait Tagged {
    /// Returns its tag; `None` where it stands for any.
    fn tag(&self) -> Option<Tag>;
}

/// Room for entries that an empty queue keeps; more is given back, with the last entry that
/// [`Queue::remove`] takes.
const ROOM_KEPT: usize = 1024;

/// Entries that a search passes before the queue gets an index.
const DEEP: usize = 64;

pub(crate) struct Queue<T> {
    /// Without an index there are no holes, and the first entry never is one.
    entries: VecDeque<Option<T>>,
    index: Option<Box<Index>>,
}

/// Where the entries of each tag are.
struct Index {
    /// How many entries were taken off the front since the index was made.
    removed: u64,
    /// The entries by tag, and by position since the index was made.
    positions: BTreeSet<(Option<Tag>, u64)>,
}

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        Queue {
            entries: VecDeque::new(),
            index: None,
        }
    }
}

impl<T: Tagged> Queue<T> {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        match &self.index {
            None => self.entries.len(),
            Some(index) => index.positions.len(),
        }
    }

    #[inline]
    pub(crate) fn front(&self) -> Option<&T> {
        self.entries.front()?.as_ref()
    }

    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        self.entries.get(at)?.as_ref()
    }

    /// The entries, oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.entries.iter().flatten()
    }

    /// The entries, oldest first, to be changed but for their tags.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().flatten()
    }

    /// The position of the oldest entry of which `is_it` is true.
    pub(crate) fn position(&self, is_it: impl Fn(&T) -> bool) -> Option<usize> {
        let is_it = |entry: &Option<T>| entry.as_ref().is_some_and(&is_it);
        self.entries.iter().position(is_it)
    }

    #[inline]
    pub(crate) fn push_back(&mut self, entry: T) {
        if let Some(index) = &mut self.index {
            let position = index.removed + self.entries.len() as u64;
            index.positions.insert((entry.tag(), position));
        }
        self.entries.push_back(Some(entry));
    }

    #[inline]
    pub(crate) fn pop_front(&mut self) -> Option<T> {
        match self.index {
            None => self.entries.pop_front()?,
            Some(_) => self.remove(0),
        }
    }

    /// Takes out all entries.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = T> {
        self.index = None;
        std::mem::take(&mut self.entries).into_iter().flatten()
    }

    /// Takes out the entry at a position.
    #[inline(never)]
    pub(crate) fn remove(&mut self, at: usize) -> Option<T> {
        let Some(index) = &mut self.index else {
            let entry = self.entries.remove(at)?;
            self.give_back();
            return entry;
        };
        let entry = self.entries.get_mut(at)?.take()?;
        index
            .positions
            .remove(&(entry.tag(), index.removed + at as u64));
        while let Some(None) = self.entries.front() {
            self.entries.pop_front();
            index.removed += 1;
        }
        if self.entries.is_empty() {
            self.index = None;
            self.give_back();
        }
        Some(entry)
    }

    /// Gives the memory of a long queue back once it is empty.
    fn give_back(&mut self) {
        if self.entries.is_empty() && self.entries.capacity() > ROOM_KEPT {
            self.entries = VecDeque::new();
        }
    }

    /// The position of the oldest entry of exactly this tag.
    pub(crate) fn find(&mut self, tag: Tag) -> Option<usize> {
        self.search(&[Some(tag)])
    }

    /// The position of the oldest entry of this tag, or for any.
    pub(crate) fn find_for(&mut self, tag: Tag) -> Option<usize> {
        self.search(&[Some(tag), None])
    }

    fn search(&mut self, tags: &[Option<Tag>]) -> Option<usize> {
        if let Some(index) = &self.index {
            let oldest = |tag: &Option<Tag>| {
                let (found, position) = index.positions.range((*tag, 0)..).next()?;
                (found == tag).then(|| (position - index.removed) as usize)
            };
            return tags.iter().filter_map(oldest).min();
        }
        let at = self.position(|entry| tags.contains(&entry.tag()));
        if at.unwrap_or(self.entries.len()) > DEEP {
            self.make_index();
        }
        at
    }

    #[cold]
    fn make_index(&mut self) {
        let entries = self.entries.iter().flatten();
        let positions = entries.map(Tagged::tag).zip(0..).collect();
        self.index = Some(Box::new(Index {
            removed: 0,
            positions,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    impl Tagged for (Option<Tag>, u32) {
        fn tag(&self) -> Option<Tag> {
            self.0
        }
    }

    #[test]
    fn an_empty_queue_keeps_little_memory() {
        for tag in [0, 4999] {
            // From the front on, or through an index that a search for the last tag makes.
            let mut queue = Queue::default();
            (0..5000).for_each(|number| queue.push_back((Some(Tag::from(number)), number as u32)));
            while !queue.is_empty() {
                let at = queue.find(tag).unwrap_or(0);
                queue.remove(at);
            }
            assert!(
                queue.entries.capacity() <= ROOM_KEPT,
                "{}",
                queue.entries.capacity()
            );
            queue.push_back((None, 1));
            assert_eq!(queue.pop_front(), Some((None, 1)));
        }
    }

    proptest! {
        /// A search finds what a walk through a plain list finds, however deep it lies.
        #[test]
        fn entries_are_found_as_in_a_plain_list(steps in proptest::collection::vec(
            (0..8u8, -1..200i64), 0..2000,
        )) {
            let mut queue = Queue::default();
            let mut plain: Vec<(Option<Tag>, u32)> = Vec::new();
            for (number, (what, tag)) in steps.into_iter().enumerate() {
                let wanted = |list: &[(Option<Tag>, u32)], any: bool| list.iter().position(
                    |entry| entry.0 == Some(tag) || any && entry.0.is_none(),
                );
                let (expected, found) = match what {
                    0..=4 => {
                        let entry = ((tag >= 0).then_some(tag), number as u32);
                        queue.push_back(entry);
                        plain.push(entry);
                        continue;
                    }
                    5 => (wanted(&plain, false), queue.find(tag)),
                    6 => (wanted(&plain, true), queue.find_for(tag)),
                    _ => ((!plain.is_empty()).then_some(0), (!queue.is_empty()).then_some(0)),
                };
                let expected = expected.map(|at| plain.remove(at));
                let found = found.and_then(|at| match at {
                    0 => queue.pop_front(),
                    at => queue.remove(at),
                });
                prop_assert_eq!(found, expected);
                prop_assert_eq!(queue.front(), plain.first());
                prop_assert_eq!(queue.len(), plain.len());
            }
            prop_assert_eq!(queue.iter().copied().collect::<Vec<_>>(), plain.clone());
            prop_assert_eq!(queue.drain().collect::<Vec<_>>(), plain);
        }
    }
}
