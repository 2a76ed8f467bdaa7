//! A table of entries, whose keys become invalid when their entry is removed.

/// A key into a [`Slab`]: an index and the generation of the entry that it was made for.
/// Never 0, and it fits in 64 bits for the wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key(u64);

impl Key {
    /// The key as a number.
    #[inline]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Returns a key of any number: a look-up decides whether it is one.
    #[inline]
    pub fn from_bits(bits: u64) -> Key {
        Key(bits)
    }

    /// The position in the table.
    #[inline]
    pub fn index(self) -> usize {
        (self.0 as u32) as usize
    }

    #[inline]
    fn generation(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline]
    fn new(index: usize, generation: u32) -> Key {
        Key((u64::from(generation) << 32) | index as u64)
    }
}

struct Entry<T> {
    /// Odd while occupied, so that the key of a free entry never matches.
    generation: u32,
    value: Option<T>,
}

/// Values under keys that are checked: a key of a removed value finds nothing, even after its slot
/// was reused. Insertion, look-up and removal take constant time; slots are reused, so nothing is
/// allocated once the table has grown.
pub struct Slab<T> {
    entries: Vec<Entry<T>>,
    /// The keys of the values that will come to free slots.
    free: Vec<Key>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Slab {
            entries: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T> Slab<T> {
    /// Inserts a value and returns its key. Inlined into callers, so that the value is made in its
    /// slot: one made elsewhere by machine words and copied by vectors waits for its stores.
    #[inline(always)]
    pub fn insert(&mut self, value: T) -> Key {
        let key = match self.free.pop() {
            Some(key) => key,
            None => self.grow(),
        };
        let entry = &mut self.entries[key.index()];
        entry.generation = key.generation();
        entry.value = Some(value);
        key
    }

    /// Returns the key that the next value will have ([`Slab::insert`]): for callers that send the
    /// key before the value is known.
    #[inline(always)]
    pub fn next_key(&self) -> Key {
        match self.free.last() {
            Some(&key) => key,
            None => Key::new(self.entries.len(), 1),
        }
    }

    /// Adds a slot and returns the key of its first value.
    #[cold]
    fn grow(&mut self) -> Key {
        let index = self.entries.len();
        assert!(index < u32::MAX as usize, "a slab of 2^32 entries");
        self.entries.push(Entry {
            generation: 0,
            value: None,
        });
        Key::new(index, 1)
    }

    /// Frees the slot of a key.
    #[inline(always)]
    fn release(free: &mut Vec<Key>, entry: &mut Entry<T>, key: Key) {
        entry.generation = entry.generation.wrapping_add(1);
        free.push(Key::new(key.index(), entry.generation.wrapping_add(1)));
    }

    /// Returns the value of a key; `None` when it was removed.
    #[inline]
    pub fn get(&self, key: Key) -> Option<&T> {
        let entry = self.entries.get(key.index())?;
        if entry.generation != key.generation() {
            return None;
        }
        entry.value.as_ref()
    }

    /// Returns the value of a key, to be changed; `None` when it was removed.
    #[inline]
    pub fn get_mut(&mut self, key: Key) -> Option<&mut T> {
        let entry = self.entries.get_mut(key.index())?;
        if entry.generation != key.generation() {
            return None;
        }
        entry.value.as_mut()
    }

    /// Takes the value of a key out; `None` when it was removed before.
    #[inline]
    pub fn remove(&mut self, key: Key) -> Option<T> {
        let entry = self.entries.get_mut(key.index())?;
        if entry.generation != key.generation() {
            return None;
        }
        let value = entry.value.take()?;
        Slab::release(&mut self.free, entry, key);
        Some(value)
    }

    /// Takes the value of a key out where `is_due` says so of it; `None` where it does not, and
    /// when it was removed before.
    #[inline]
    pub fn remove_if(&mut self, key: Key, is_due: impl FnOnce(&T) -> bool) -> Option<T> {
        let entry = self.entries.get_mut(key.index())?;
        if entry.generation != key.generation() || !entry.value.as_ref().is_some_and(is_due) {
            return None;
        }
        Slab::release(&mut self.free, entry, key);
        entry.value.take()
    }

    /// Drops the value of a key where it is; false when it was removed before.
    #[inline]
    pub fn discard(&mut self, key: Key) -> bool {
        let Some(entry) = self.entries.get_mut(key.index()) else {
            return false;
        };
        if entry.generation != key.generation() {
            return false;
        }
        entry.value = None;
        Slab::release(&mut self.free, entry, key);
        true
    }

    /// Whether a key had a value, which was removed.
    pub fn was_removed(&self, key: Key) -> bool {
        let is_later = |entry: &Entry<T>| {
            let age = entry.generation.wrapping_sub(key.generation());
            key.generation() % 2 == 1 && (age as i32) > 0
        };
        self.entries.get(key.index()).is_some_and(is_later)
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the key of the value at an index ([`Key::index`]); `None` when the slot is free.
    pub fn key_at(&self, index: usize) -> Option<Key> {
        let entry = self.entries.get(index)?;
        entry
            .value
            .as_ref()
            .map(|_| Key::new(index, entry.generation))
    }

    /// All values with their keys, by position, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Key, &mut T)> {
        let entries = self.entries.iter_mut().enumerate();
        entries.filter_map(|(index, entry)| {
            let key = Key::new(index, entry.generation);
            entry.value.as_mut().map(|value| (key, value))
        })
    }

    /// All values with their keys, by position.
    pub fn iter(&self) -> impl Iterator<Item = (Key, &T)> {
        self.entries
            .iter()
            .enumerate()
            .filter_map(|(index, entry)| {
                entry
                    .value
                    .as_ref()
                    .map(|value| (Key::new(index, entry.generation), value))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_stale_once_its_value_is_gone() {
        let mut slab = Slab::default();
        let next = slab.next_key();
        let first = slab.insert("a");
        assert_eq!(first, next);
        let second = slab.insert("b");
        assert_eq!(slab.remove(first), Some("a"));
        let next = slab.next_key();
        let third = slab.insert("c");
        assert_eq!(third, next);
        assert_eq!(third.index(), first.index());
        assert_ne!(third, first);
        assert_eq!(slab.get(first), None);
        assert_eq!(slab.remove(first), None);
        assert_eq!(
            (slab.get(second), slab.get(third)),
            (Some(&"b"), Some(&"c"))
        );
        assert!(slab.was_removed(first) && !slab.was_removed(third));
        let later = Key::new(first.index(), third.generation() + 2);
        assert!(!slab.was_removed(later) && !slab.was_removed(Key::new(first.index(), 0)));
        assert_eq!(slab.len(), 2);
        assert_eq!(slab.key_at(third.index()), Some(third));
        assert_eq!(slab.get(Key::from_bits(u64::MAX)), None);
        assert_eq!(slab.get(Key::from_bits(0)), None);
        assert!(slab.discard(second) && !slab.discard(second));
        assert_eq!((slab.get(second), slab.len()), (None, 1));
    }
}
