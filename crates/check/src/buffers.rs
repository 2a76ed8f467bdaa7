//! Buffers of operations under way: which bytes, whether they are read or written, and whether they
//! have changed (MPI 5.0, 3.7.2).

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// Use that an operation makes of its buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// It reads: the program must not change the bytes.
    Reads,
    /// It writes: nothing else may use the bytes.
    Writes,
}

impl Use {
    /// Whether two operations may have the same bytes.
    fn allows(self, other: Use) -> bool {
        self == Use::Reads && other == Use::Reads
    }
}

/// A buffer that an operation has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held<T> {
    /// Addresses of its bytes.
    pub bytes: Range<usize>,
    /// The use that is made of them.
    pub usage: Use,
    /// Facts about the operation that the caller keeps here.
    pub about: T,
}

/// The buffers of all operations under way, by the numbers of these.
#[derive(Debug)]
pub struct Buffers<T> {
    all: HashMap<u64, Held<T>>,
    /// Where each begins, with its number.
    starts: BTreeSet<(usize, u64)>,
    /// Bytes of the longest one there was since there was none.
    longest: usize,
}

impl<T> Default for Buffers<T> {
    fn default() -> Buffers<T> {
        Buffers {
            all: HashMap::new(),
            starts: BTreeSet::new(),
            longest: 0,
        }
    }
}

impl<T> Buffers<T> {
    /// An operation has begun. It replaces one of the same number.
    pub fn begin(&mut self, number: u64, held: Held<T>) {
        self.end(number);
        self.longest = self.longest.max(held.bytes.len());
        self.starts.insert((held.bytes.start, number));
        self.all.insert(number, held);
    }

    /// An operation has ended. Returns its buffer.
    pub fn end(&mut self, number: u64) -> Option<Held<T>> {
        let held = self.all.remove(&number)?;
        self.starts.remove(&(held.bytes.start, number));
        if self.all.is_empty() {
            self.longest = 0;
        }
        Some(held)
    }

    /// Returns the numbers of the operations under way that must not have these bytes together with
    /// one that uses them so.
    pub fn conflicts(&self, bytes: &Range<usize>, usage: Use) -> Vec<u64> {
        if bytes.is_empty() {
            return Vec::new();
        }
        let first = bytes.start.saturating_sub(self.longest);
        let near = self.starts.range((first, 0)..(bytes.end, 0));
        let conflicts = |(_, number): &&(usize, u64)| {
            let held = &self.all[number];
            held.bytes.end > bytes.start && !held.usage.allows(usage)
        };
        near.filter(conflicts).map(|(_, number)| *number).collect()
    }

    /// Returns the buffer of an operation under way.
    pub fn get(&self, number: u64) -> Option<&Held<T>> {
        self.all.get(&number)
    }
}

/// Describes bytes that two buffers have in common: `bytes 4 to 8 of it`, counted in the first.
pub fn common(one: &Range<usize>, other: &Range<usize>) -> String {
    let (from, to) = (one.start.max(other.start), one.end.min(other.end));
    match (from, to) == (one.start, one.end) {
        true => "all of it".to_string(),
        false => format!("bytes {} to {} of it", from - one.start, to - one.start),
    }
}

/// A hash of the bytes of a buffer, which are passed in order by parts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Hash(u64);

impl Hash {
    /// Adds a part. All but the last have a multiple of 8 bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let mut add = |word: u64| {
            let mixed = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            self.0 = mixed.rotate_left(29) ^ word;
        };
        let mut words = bytes.chunks_exact(8);
        for word in words.by_ref() {
            add(u64::from_le_bytes(word.try_into().unwrap_or_default()));
        }
        let mut last = [0; 8];
        let rest = words.remainder();
        last[..rest.len()].copy_from_slice(rest);
        add(u64::from_le_bytes(last) ^ (rest.len() as u64) << 56);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(bytes: Range<usize>, usage: Use) -> Held<()> {
        Held {
            bytes,
            usage,
            about: (),
        }
    }

    #[test]
    fn reads_share_what_writes_must_have_alone() {
        let mut buffers = Buffers::default();
        buffers.begin(1, held(100..200, Use::Reads));
        assert!(buffers.conflicts(&(150..160), Use::Reads).is_empty());
        assert_eq!(buffers.conflicts(&(150..160), Use::Writes), [1]);
        buffers.begin(2, held(300..308, Use::Writes));
        assert_eq!(buffers.conflicts(&(307..400), Use::Reads), [2]);
        assert_eq!(buffers.conflicts(&(0..1000), Use::Writes), [1, 2]);
        // Neighbours, and nothing.
        assert!(buffers.conflicts(&(200..300), Use::Writes).is_empty());
        assert!(buffers.conflicts(&(304..304), Use::Writes).is_empty());
        assert!(buffers.end(2).is_some() && buffers.end(2).is_none());
        assert!(buffers.conflicts(&(300..308), Use::Writes).is_empty());
    }

    #[test]
    fn a_long_buffer_is_found_from_its_end() {
        let mut buffers = Buffers::default();
        buffers.begin(1, held(0..10_000, Use::Writes));
        for at in 1..50 {
            buffers.begin(
                1 + at,
                held(
                    10_000 + 10 * at as usize..10_005 + 10 * at as usize,
                    Use::Writes,
                ),
            );
        }
        assert_eq!(buffers.conflicts(&(9_999..10_010), Use::Reads), [1]);
    }

    #[test]
    fn a_number_that_is_used_again_has_its_new_buffer() {
        let mut buffers = Buffers::default();
        buffers.begin(1, held(0..10, Use::Writes));
        buffers.begin(1, held(20..30, Use::Writes));
        assert!(buffers.conflicts(&(0..10), Use::Writes).is_empty());
        assert_eq!(buffers.get(1).map(|held| held.bytes.clone()), Some(20..30));
    }

    #[test]
    fn a_change_of_one_bit_changes_the_hash() {
        let hash = |bytes: &[u8]| {
            let mut hash = Hash::default();
            hash.add(bytes);
            hash
        };
        let mut bytes = [7u8; 37];
        let before = hash(&bytes);
        assert_eq!(before, hash(&bytes));
        for at in 0..bytes.len() {
            bytes[at] ^= 1;
            assert_ne!(before, hash(&bytes), "byte {at}");
            bytes[at] ^= 1;
        }
        assert_ne!(hash(&[0; 3]), hash(&[0; 4]));
    }

    #[test]
    fn common_bytes_are_told() {
        assert_eq!(common(&(100..110), &(104..120)), "bytes 4 to 10 of it");
        assert_eq!(common(&(100..110), &(0..120)), "all of it");
    }
}
