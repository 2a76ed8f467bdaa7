//! First fit: free blocks by address, joined with their neighbours when they are freed.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Allocator, NotGiven};

/// Every size and address is a multiple of this, so that what is left over stays useful.
const GRAIN: usize = 64;

/// The first free block that fits.
#[derive(Debug, Default)]
pub struct Basic {
    /// Start to end.
    segments: BTreeMap<usize, usize>,
    /// Start to end; neighbours in one segment are never both free.
    free: BTreeMap<usize, usize>,
    /// Start to end.
    given: BTreeMap<usize, usize>,
}

impl Basic {
    /// Returns an allocator without segments.
    pub fn new() -> Basic {
        Basic::default()
    }

    /// Returns the addresses for a request in a free block, where it fits.
    fn place(start: usize, end: usize, bytes: usize, alignment: usize) -> Option<Range<usize>> {
        let start = start.checked_next_multiple_of(alignment)?;
        let needed = start.checked_add(bytes)?;
        (needed <= end).then_some(start..needed)
    }

    fn add_free(&mut self, start: usize, end: usize) {
        if start < end {
            self.free.insert(start, end);
        }
    }
}

impl Allocator for Basic {
    fn segment_bytes(&self, bytes: usize, alignment: usize) -> Option<usize> {
        let bytes = bytes.max(1).checked_next_multiple_of(GRAIN)?;
        // Both ends may have to be rounded inwards.
        bytes.checked_add(alignment.max(GRAIN))?.checked_add(GRAIN)
    }

    fn add(&mut self, segment: Range<usize>) {
        self.segments.insert(segment.start, segment.end);
        let start = segment.start.next_multiple_of(GRAIN);
        self.add_free(start, segment.end / GRAIN * GRAIN);
    }

    fn allocate(&mut self, bytes: usize, alignment: usize) -> Option<usize> {
        let bytes = bytes.max(1).checked_next_multiple_of(GRAIN)?;
        let alignment = alignment.max(GRAIN);
        let mut ranges = self.free.iter();
        let (from, to, place) = ranges.find_map(|(&start, &end)| {
            Some((start, end, Basic::place(start, end, bytes, alignment)?))
        })?;
        self.free.remove(&from);
        self.add_free(from, place.start);
        self.add_free(place.end, to);
        self.given.insert(place.start, place.end);
        Some(place.start)
    }

    fn free(&mut self, address: usize) -> Result<usize, NotGiven> {
        let end = self.given.remove(&address).ok_or(NotGiven(address))?;
        let bytes = end - address;
        let (mut start, mut end) = (address, end);
        // Segments may touch, but are joined with nobody: each may be taken alone.
        let is_border = |at: usize| self.segments.contains_key(&at);
        if !is_border(end) {
            if let Some(further) = self.free.remove(&end) {
                end = further;
            }
        }
        let before = self.free.range(..start).next_back();
        if let Some((&earlier, _)) = before.filter(|(_, to)| **to == start && !is_border(start)) {
            self.free.remove(&earlier);
            start = earlier;
        }
        self.free.insert(start, end);
        Ok(bytes)
    }

    fn take_unused(&mut self) -> Option<Range<usize>> {
        let mut segments = self.segments.iter().map(|(start, end)| *start..*end);
        let unused = segments.find(|segment| self.given.range(segment.clone()).next().is_none())?;
        self.segments.remove(&unused.start);
        let free: Vec<usize> = self.free.range(unused.clone()).map(|(at, _)| *at).collect();
        for at in free {
            self.free.remove(&at);
        }
        Some(unused)
    }
}
