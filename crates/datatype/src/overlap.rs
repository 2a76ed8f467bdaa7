//! Detects datatypes whose bytes overlap: these may be sent, but not received (MPI 5.0, 5.1.11).

use std::sync::atomic::Ordering;

use crate::layout::{moved, Layout, Sink};
use crate::Datatype;

/// Most runs of a repeated layout that are compared one by one. Beyond that, only overlaps that its
/// program shows are found.
const RUNS_MAX: usize = 1 << 16;

impl Datatype {
    /// Whether bytes of `count` elements overlap. The first call takes the time of sorting the runs
    /// of an irregular type; the result is cached.
    pub fn overlaps(&self, count: i64) -> bool {
        if count <= self.contiguous_max || count <= self.apart.load(Ordering::Relaxed) {
            return false;
        }
        let all = Layout::repeat(&self.type_map.layout, count as usize, self.extent());
        let overlaps = all.overlaps();
        if !overlaps {
            self.apart.fetch_max(count, Ordering::Relaxed);
        }
        overlaps
    }
}

impl Layout {
    fn overlaps(&self) -> bool {
        match self {
            Layout::Empty | Layout::Block { .. } => false,
            Layout::Strided {
                len, count, stride, ..
            } => *count > 1 && stride.unsigned_abs() < *len as u64,
            Layout::Blocks { .. } | Layout::Places { .. } => self.overlaps_somewhere(),
            Layout::Repeat { stride, item, .. } => {
                let (low, high) = item.bounds();
                let apart = high.abs_diff(low) <= stride.unsigned_abs();
                let few = !apart && self.runs() <= RUNS_MAX;
                item.overlaps() || (few && self.overlaps_somewhere())
            }
            Layout::Sequence { parts, .. } => match self.runs() <= RUNS_MAX {
                true => self.overlaps_somewhere(),
                false => parts.iter().any(|part| part.layout.overlaps()),
            },
        }
    }

    /// Compares all contiguous runs.
    fn overlaps_somewhere(&self) -> bool {
        let mut all = Runs(Vec::new());
        self.walk(0, 0, self.size(), &mut all);
        all.0.sort_unstable();
        all.0.windows(2).any(|pair| pair[0].1 > pair[1].0)
    }

    /// Number of contiguous runs, or more than any limit.
    fn runs(&self) -> usize {
        match self {
            Layout::Empty => 0,
            Layout::Block { .. } => 1,
            Layout::Strided { count, .. } => *count,
            Layout::Blocks { list, .. } => list.len() - 1,
            Layout::Places { places, .. } => places.len(),
            Layout::Repeat { count, item, .. } => count.saturating_mul(item.runs()),
            Layout::Sequence { parts, .. } => parts
                .iter()
                .fold(0, |sum: usize, part| sum.saturating_add(part.layout.runs())),
        }
    }

    /// The lowest byte and the end of the highest one. The layout is not empty.
    fn bounds(&self) -> (i64, i64) {
        let over = |bounds: (i64, i64), count: usize, stride: i64, offset: i64| {
            let reach = stride.wrapping_mul(count as i64 - 1);
            let (low, high) = (moved(bounds.0, offset), moved(bounds.1, offset));
            (moved(low, reach.min(0)), moved(high, reach.max(0)))
        };
        let join = |a: (i64, i64), b: (i64, i64)| (a.0.min(b.0), a.1.max(b.1));
        let none = (i64::MAX, i64::MIN);
        match self {
            Layout::Empty => (0, 0),
            Layout::Block { offset, len } => (*offset, moved(*offset, *len as i64)),
            Layout::Strided {
                offset,
                len,
                count,
                stride,
            } => over((0, *len as i64), *count, *stride, *offset),
            Layout::Repeat {
                offset,
                count,
                stride,
                item,
            } => over(item.bounds(), *count, *stride, *offset),
            Layout::Sequence { offset, parts, .. } => {
                let bounds = parts.iter().map(|part| part.layout.bounds());
                over(bounds.fold(none, join), 1, 0, *offset)
            }
            Layout::Blocks { .. } | Layout::Places { .. } => {
                let mut all = Runs(Vec::new());
                self.walk(0, 0, self.size(), &mut all);
                all.0.into_iter().fold(none, join)
            }
        }
    }
}

/// Beginnings and ends of contiguous runs.
struct Runs(Vec<(i64, i64)>);

impl Sink for Runs {
    fn block(&mut self, offset: i64, len: usize) {
        self.0.push((offset, moved(offset, len as i64)));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{predefined, Datatype};

    fn int() -> Arc<Datatype> {
        let handles = 0x200..0x300;
        let mut all = handles.filter_map(predefined);
        all.find(|datatype| datatype.name() == "MPI_INT")
            .unwrap()
            .clone()
    }

    #[test]
    fn what_lies_on_itself_is_found_and_what_interleaves_is_not() {
        let int = int();
        let column = Datatype::vector(5, 1, 3, &int).unwrap();
        assert!(!column.overlaps(1));
        // The next column begins one element further: they interleave, until they meet.
        let column = Datatype::resized(&Arc::new(column), 0, 4).unwrap();
        assert!(!column.overlaps(3));
        assert!(column.overlaps(4));
        assert!(!column.overlaps(2));
        let narrow = Datatype::vector(4, 3, 2, &int).unwrap();
        assert!(narrow.overlaps(1));
        let back = Datatype::vector(4, 2, -2, &int).unwrap();
        assert!(!back.overlaps(1));
        let list = Datatype::indexed(&[2, 1, 2], &[4, 0, 5], &int).unwrap();
        assert!(list.overlaps(1));
        let list = Datatype::indexed(&[2, 1, 2], &[4, 0, 6], &int).unwrap();
        assert!(!list.overlaps(1));
        assert!(!list.overlaps(0));
    }

    #[test]
    fn endless_types_take_no_time() {
        let int = int();
        let row = Arc::new(Datatype::vector(1 << 20, 1, 2, &int).unwrap());
        let tile = Datatype::hvector(1 << 20, 1, 4, &row).unwrap();
        // Too many runs to compare each: no overlap is assumed.
        assert!(!tile.overlaps(1));
        let lying = Datatype::vector(1 << 30, 2, 1, &int).unwrap();
        assert!(lying.overlaps(1));
    }
}
