//! Hash maps whose keys are addresses and handles.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};

/// A hash map whose keys are addresses and handles.
pub type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;

/// Mixes the bits of one word. The keys are not chosen by anybody who would want them to collide.
#[derive(Default)]
pub struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

/// A hash map that finds what was asked for last by one comparison.
pub struct Cached<K, V> {
    all: Map<K, V>,
    /// Entries of the map, each where its key's hash says.
    near: [Option<(K, V)>; NEAR],
}

/// Entries that are found at once, a power of two.
const NEAR: usize = 64;

impl<K: Copy + Eq + Hash, V: Copy> Default for Cached<K, V> {
    fn default() -> Cached<K, V> {
        Cached {
            all: Map::default(),
            near: [None; NEAR],
        }
    }
}

impl<K: Copy + Eq + Hash, V: Copy> Cached<K, V> {
    /// Returns the value of a key.
    #[inline]
    pub fn get(&mut self, key: K) -> Option<&V> {
        let place = self.place(key);
        let is_near = |near: &Option<(K, V)>| matches!(near, Some((near, _)) if *near == key);
        if !is_near(&self.near[place]) {
            self.fetch(key, place);
        }
        let near = self.near[place].as_ref();
        near.filter(|(near, _)| *near == key)
            .map(|(_, value)| value)
    }

    #[cold]
    #[inline(never)]
    fn fetch(&mut self, key: K, place: usize) {
        if let Some(value) = self.all.get(&key) {
            self.near[place] = Some((key, *value));
        }
    }

    /// Enters a key, or gives it another value.
    pub fn insert(&mut self, key: K, value: V) {
        self.all.insert(key, value);
        let place = self.place(key);
        self.near[place] = Some((key, value));
    }

    #[inline]
    fn place(&self, key: K) -> usize {
        self.all.hasher().hash_one(key) as usize % NEAR
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cached_map_finds_the_last_value_of_each_key() {
        let mut map = Cached::default();
        for round in 0..2 {
            for key in 0..10 * NEAR {
                assert_eq!(
                    map.get(key).copied(),
                    (round > 0).then_some(key + 1),
                    "{key}"
                );
                map.insert(key, key);
                map.insert(key, key + 1 + round);
            }
            for key in 0..10 * NEAR {
                map.insert(key, key + 1);
            }
        }
        assert_eq!(map.get(10 * NEAR), None);
    }
}
