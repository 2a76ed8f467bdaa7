//! Powers of two: each segment is cut into chunks of one size, and each size has its free chunks.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{Allocator, NotGiven};

/// The smallest chunk in bytes, as a power of two.
const SMALLEST: u32 = 6;

/// Sizes rounded up to powers of two.
#[derive(Debug)]
pub struct Bucket {
    /// By power of two, less [`SMALLEST`].
    buckets: Vec<BTreeSet<usize>>,
    /// By start.
    segments: BTreeMap<usize, Segment>,
    /// Address to power of two.
    given: BTreeMap<usize, u32>,
}

#[derive(Debug)]
struct Segment {
    end: usize,
    /// The size of its chunks; `None` until one is wanted.
    power: Option<u32>,
    given: usize,
}

impl Bucket {
    /// Without a segment; chunks have `buckets` sizes, from 64 bytes on.
    pub fn new(buckets: usize) -> Bucket {
        let most = (usize::BITS - 1 - SMALLEST) as usize;
        Bucket {
            buckets: vec![BTreeSet::new(); buckets.clamp(1, most)],
            segments: BTreeMap::new(),
            given: BTreeMap::new(),
        }
    }

    /// The size of the chunks for a request, as a power of two; `None` past the largest.
    fn power(&self, bytes: usize, alignment: usize) -> Option<u32> {
        let bytes = bytes.max(alignment).max(1).checked_next_power_of_two()?;
        let power = bytes.trailing_zeros().max(SMALLEST);
        ((power - SMALLEST) < self.buckets.len() as u32).then_some(power)
    }

    fn bucket(&mut self, power: u32) -> &mut BTreeSet<usize> {
        &mut self.buckets[(power - SMALLEST) as usize]
    }

    /// Cuts an unused segment into chunks; false when no segment is large enough.
    fn cut(&mut self, power: u32) -> bool {
        let fresh = |(_, segment): &(&usize, &mut Segment)| segment.power.is_none();
        for (&start, segment) in self.segments.iter_mut().filter(fresh) {
            let chunks = chunks(start..segment.end, power);
            if chunks.is_empty() {
                continue;
            }
            segment.power = Some(power);
            self.buckets[(power - SMALLEST) as usize].extend(chunks.step_by(1 << power));
            return true;
        }
        false
    }
}

/// The part of a segment that is whole chunks.
fn chunks(segment: Range<usize>, power: u32) -> Range<usize> {
    let first = segment.start.checked_next_multiple_of(1 << power);
    first.unwrap_or(usize::MAX)..segment.end >> power << power
}

impl Allocator for Bucket {
    fn segment_bytes(&self, bytes: usize, alignment: usize) -> Option<usize> {
        // At whatever address: one chunk, and up to another before the first multiple of it.
        1usize.checked_shl(self.power(bytes, alignment)? + 1)
    }

    fn add(&mut self, segment: Range<usize>) {
        let (power, given) = (None, 0);
        let Range { start, end } = segment;
        self.segments.insert(start, Segment { end, power, given });
    }

    fn allocate(&mut self, bytes: usize, alignment: usize) -> Option<usize> {
        let power = self.power(bytes, alignment)?;
        if self.bucket(power).is_empty() && !self.cut(power) {
            return None;
        }
        let address = self.bucket(power).pop_first()?;
        self.given.insert(address, power);
        self.segment_of(address).given += 1;
        Some(address)
    }

    fn free(&mut self, address: usize) -> Result<usize, NotGiven> {
        let power = self.given.remove(&address).ok_or(NotGiven(address))?;
        self.bucket(power).insert(address);
        self.segment_of(address).given -= 1;
        Ok(1 << power)
    }

    fn take_unused(&mut self) -> Option<Range<usize>> {
        let mut segments = self.segments.iter();
        let (&start, segment) = segments.find(|(_, segment)| segment.given == 0)?;
        let (whole, power) = (start..segment.end, segment.power);
        self.segments.remove(&start);
        if let Some(power) = power {
            let chunks = chunks(whole.clone(), power);
            self.bucket(power).retain(|chunk| !chunks.contains(chunk));
        }
        Some(whole)
    }
}

impl Bucket {
    fn segment_of(&mut self, address: usize) -> &mut Segment {
        let mut before = self.segments.range_mut(..=address);
        before.next_back().expect("a chunk lies in a segment").1
    }
}
