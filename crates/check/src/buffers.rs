//! Buffers of operations under way: which bytes, whether they are read or written, and whether they
//! have changed (MPI 5.0, 3.7.2).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// Use that an operation makes of its buffer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
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

/// The bytes of a buffer, by their addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Footprint {
    /// From the first byte to past the last.
    span: Range<usize>,
    /// The parts of the span that belong to the buffer, in rising order; empty where all do.
    pieces: Arc<[Range<usize>]>,
}

impl From<Range<usize>> for Footprint {
    fn from(span: Range<usize>) -> Footprint {
        Footprint {
            span,
            pieces: Arc::default(),
        }
    }
}

impl Footprint {
    /// Returns the footprint of bytes that may have gaps between them; `None` without bytes.
    pub fn of(mut pieces: Vec<Range<usize>>) -> Option<Footprint> {
        pieces.retain(|piece| !piece.is_empty());
        pieces.sort_unstable_by_key(|piece| piece.start);
        let mut joined: Vec<Range<usize>> = Vec::new();
        for piece in pieces {
            match joined.last_mut() {
                Some(last) if last.end >= piece.start => last.end = last.end.max(piece.end),
                _ => joined.push(piece),
            }
        }
        let span = joined.first()?.start..joined.last()?.end;
        Some(Footprint {
            span,
            pieces: match joined.len() {
                1 => Arc::default(),
                _ => joined.into(),
            },
        })
    }

    /// From the first byte to past the last.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The bytes, as ranges without gaps.
    pub fn pieces(&self) -> &[Range<usize>] {
        match self.pieces.is_empty() {
            true => std::slice::from_ref(&self.span),
            false => &self.pieces,
        }
    }

    /// Returns the first bytes that another footprint has too.
    pub fn meets(&self, other: &Footprint) -> Option<Range<usize>> {
        let (mut ours, mut theirs) = (self.pieces(), other.pieces());
        while let ([one, rest @ ..], [another, others @ ..]) = (ours, theirs) {
            let common = one.start.max(another.start)..one.end.min(another.end);
            if !common.is_empty() {
                return Some(common);
            }
            match one.end <= another.end {
                true => ours = rest,
                false => theirs = others,
            }
        }
        None
    }

    /// Describes the bytes that another footprint has too: `bytes 4 to 8 of it`, from this one's
    /// start.
    pub fn common(&self, other: &Footprint) -> Option<String> {
        let common = self.meets(other)?;
        Some(match common == self.span {
            true => "all of it".to_string(),
            false => {
                let start = self.span.start;
                format!(
                    "bytes {} to {} of it",
                    common.start - start,
                    common.end - start
                )
            }
        })
    }

    /// Describes the buffer: `buffer of 8 bytes`.
    pub fn describe(&self) -> String {
        let len = self.span.len();
        match self.pieces.is_empty() {
            true => format!("buffer of {len} bytes"),
            false => format!("buffer that spans {len} bytes"),
        }
    }
}

/// The buffer of an operation under way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BufferInUse<T> {
    /// Its bytes.
    pub footprint: Footprint,
    /// The use that the operation makes of them.
    pub usage: Use,
    /// The caller's facts about the operation.
    pub about: T,
}

/// The buffers of all operations under way, by the numbers of these.
///
/// Buffers of one use and of similar lengths are in one set, ordered by their first addresses. A
/// buffer of a set that meets given bytes begins shortly before them, so that few are compared.
#[derive(Debug)]
pub struct Buffers<T> {
    all: HashMap<u64, BufferInUse<T>>,
    /// Where each begins, with its number.
    starts: BTreeMap<Shelf, BTreeSet<(usize, u64)>>,
}

/// The use of buffers of one set, and the binary logarithm of their lengths.
type Shelf = (Use, u32);

impl<T> Default for Buffers<T> {
    fn default() -> Buffers<T> {
        Buffers {
            all: HashMap::new(),
            starts: BTreeMap::new(),
        }
    }
}

impl<T> Buffers<T> {
    /// An operation has begun. It replaces one of the same number.
    pub fn begin(&mut self, number: u64, used: BufferInUse<T>) {
        self.end(number);
        let starts = self.starts.entry(shelf(&used)).or_default();
        starts.insert((used.footprint.span.start, number));
        self.all.insert(number, used);
    }

    /// An operation has ended. Returns its buffer.
    pub fn end(&mut self, number: u64) -> Option<BufferInUse<T>> {
        let used = self.all.remove(&number)?;
        if let Some(starts) = self.starts.get_mut(&shelf(&used)) {
            starts.remove(&(used.footprint.span.start, number));
        }
        Some(used)
    }

    /// Returns the numbers of the operations under way that must not have these bytes together with
    /// one that uses them so, in the order of their addresses.
    pub fn conflicts(&self, footprint: &Footprint, usage: Use) -> Vec<u64> {
        let span = footprint.span();
        if span.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (&(other, log), starts) in &self.starts {
            if other.allows(usage) {
                continue;
            }
            let longest = usize::MAX >> (usize::BITS - 1 - log);
            let first = span.start.saturating_sub(longest);
            let near = starts.range((first, 0)..(span.end, 0));
            found.extend(
                near.filter(|(_, number)| self.all[number].footprint.meets(footprint).is_some()),
            );
        }
        found.sort_unstable();
        found.into_iter().map(|(_, number)| number).collect()
    }

    /// Returns the buffer of an operation under way.
    pub fn get(&self, number: u64) -> Option<&BufferInUse<T>> {
        self.all.get(&number)
    }
}

/// The set that a buffer belongs to.
fn shelf<T>(used: &BufferInUse<T>) -> Shelf {
    (used.usage, used.footprint.span.len().max(1).ilog2())
}

/// A hash of the bytes of a buffer, which are passed in order by parts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Hash(u64);

impl Hash {
    /// The hash as a number.
    pub fn value(&self) -> u64 {
        self.0
    }

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

    fn used(bytes: Range<usize>, usage: Use) -> BufferInUse<()> {
        BufferInUse {
            footprint: bytes.into(),
            usage,
            about: (),
        }
    }

    #[test]
    fn reads_share_what_writes_must_have_alone() {
        let mut buffers = Buffers::default();
        buffers.begin(1, used(100..200, Use::Reads));
        assert!(buffers.conflicts(&(150..160).into(), Use::Reads).is_empty());
        assert_eq!(buffers.conflicts(&(150..160).into(), Use::Writes), [1]);
        buffers.begin(2, used(300..308, Use::Writes));
        assert_eq!(buffers.conflicts(&(307..400).into(), Use::Reads), [2]);
        assert_eq!(buffers.conflicts(&(0..1000).into(), Use::Writes), [1, 2]);
        // Neighbours, and nothing.
        assert!(buffers
            .conflicts(&(200..300).into(), Use::Writes)
            .is_empty());
        assert!(buffers
            .conflicts(&(304..304).into(), Use::Writes)
            .is_empty());
        assert!(buffers.end(2).is_some() && buffers.end(2).is_none());
        assert!(buffers
            .conflicts(&(300..308).into(), Use::Writes)
            .is_empty());
    }

    #[test]
    fn a_long_buffer_is_found_from_its_end() {
        let mut buffers = Buffers::default();
        buffers.begin(1, used(0..10_000, Use::Writes));
        for at in 1..50 {
            buffers.begin(
                1 + at,
                used(
                    10_000 + 10 * at as usize..10_005 + 10 * at as usize,
                    Use::Writes,
                ),
            );
        }
        assert_eq!(buffers.conflicts(&(9_999..10_010).into(), Use::Reads), [1]);
    }

    /// A long buffer had all short ones before it compared with each new one, and sends of one
    /// buffer were compared with each other.
    #[test]
    fn many_buffers_beside_a_long_one_are_found_soon() {
        let mut buffers = Buffers::default();
        buffers.begin(0, used(0x1000_0000..0x2000_0000, Use::Writes));
        for number in 1..100_000 {
            let at = 16 * number as usize;
            let footprint = Footprint::from(at..at + 8);
            assert!(buffers.conflicts(&footprint, Use::Writes).is_empty());
            buffers.begin(number, used(at..at + 8, Use::Writes));
        }
        for number in 100_000..200_000 {
            let footprint = Footprint::from(0..8);
            assert!(buffers.conflicts(&footprint, Use::Reads).is_empty());
            buffers.begin(number, used(0..8, Use::Reads));
        }
        assert_eq!(buffers.conflicts(&(23..33).into(), Use::Writes), [1, 2]);
        assert_eq!(
            buffers.conflicts(&(0x1FFF_FFFF..usize::MAX).into(), Use::Reads),
            [0]
        );
    }

    #[test]
    fn a_number_that_is_used_again_has_its_new_buffer() {
        let mut buffers = Buffers::default();
        buffers.begin(1, used(0..10, Use::Writes));
        buffers.begin(1, used(20..30, Use::Writes));
        assert!(buffers.conflicts(&(0..10).into(), Use::Writes).is_empty());
        assert_eq!(
            buffers.get(1).map(|used| used.footprint.span()),
            Some(20..30)
        );
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
    fn common_bytes_are_described() {
        let common =
            |one: Range<usize>, other: Range<usize>| Footprint::from(one).common(&other.into());
        assert_eq!(
            common(100..110, 104..120).as_deref(),
            Some("bytes 4 to 10 of it")
        );
        assert_eq!(common(100..110, 0..120).as_deref(), Some("all of it"));
        assert_eq!(common(100..110, 110..120), None);
    }

    #[test]
    fn buffers_that_lie_in_the_gaps_of_each_other_are_apart() {
        let column = |first: usize| {
            let pieces = (0..10).map(|at| first + 16 * at..first + 16 * at + 8);
            Footprint::of(pieces.collect()).unwrap()
        };
        assert_eq!(column(0).meets(&column(8)), None);
        assert_eq!(column(0).meets(&column(20)), Some(20..24));
        assert_eq!(column(8).meets(&(16..24).into()), None);
        assert_eq!(
            column(8).common(&(20..30).into()).as_deref(),
            Some("bytes 16 to 22 of it")
        );
        let mut buffers = Buffers::default();
        let used = BufferInUse {
            footprint: column(0),
            usage: Use::Writes,
            about: (),
        };
        buffers.begin(1, used);
        assert!(buffers.conflicts(&column(8), Use::Writes).is_empty());
        assert_eq!(buffers.conflicts(&column(4), Use::Writes), [1]);
    }

    #[test]
    fn pieces_without_gaps_are_one() {
        assert_eq!(Footprint::of(vec![8..16, 0..8, 4..4]), Some((0..16).into()));
        assert_eq!(Footprint::of(vec![4..4, 9..9]), None);
    }
}
