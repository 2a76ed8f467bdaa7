//! Lists of runs as messages carry them: sorted, without overlap, repetition kept as a loop.
//!
//! A list is a sequence of groups, each three numbers of 7 bits a byte: the bytes between the end
//! of the run before and the first run of the group, which is also the gap between its runs; the
//! bytes of a run; how many runs. The rows of a subarray are a few bytes, whatever its size, and
//! no list takes more than a few bytes for each run.

use std::sync::Arc;

use datatype::{predefined, Datatype};

use crate::{Error, Run};
use datatype::constants::MPI_BYTE;

/// Runs of equal length with equal gaps before them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Group {
    gap: u64,
    length: u64,
    count: u64,
}

/// Writes a list.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
    /// Where the next run may begin.
    at: u64,
    group: Option<Group>,
    data: u64,
}

impl Writer {
    /// Begins a list of runs from file position `start` on, in the memory of the list before.
    pub(crate) fn restart(&mut self, start: u64) {
        self.bytes.clear();
        (self.at, self.group, self.data) = (start, None, 0);
    }

    /// Appends a run, which begins where the one before ends, or behind it.
    pub(crate) fn push(&mut self, run: Run) {
        debug_assert!(run.offset >= self.at, "{run:?} begins before {}", self.at);
        let gap = run.offset - self.at;
        (self.at, self.data) = (run.end(), self.data + run.length);
        let length = run.length;
        let next = Group {
            gap,
            length,
            count: 1,
        };
        match &mut self.group {
            Some(group) if gap == group.gap && length == group.length => group.count += 1,
            group => {
                if let Some(group) = group.replace(next) {
                    put(&mut self.bytes, group);
                }
            }
        }
    }

    /// Ends the list, and returns it with the bytes of data in its runs.
    pub(crate) fn finish(&mut self) -> (&[u8], u64) {
        if let Some(group) = self.group.take() {
            put(&mut self.bytes, group);
        }
        (&self.bytes, self.data)
    }
}

fn put(bytes: &mut Vec<u8>, group: Group) {
    for mut number in [group.gap, group.length, group.count] {
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
}

/// A list that was read and checked: all its runs lie in the window, in ascending order.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunList {
    start: u64,
    groups: Vec<Group>,
    data: u64,
    /// From the first byte of data to past the last.
    span: Option<Run>,
}

impl RunList {
    /// Reads the list that a peer wrote for `window`.
    ///
    /// # Errors
    /// When the bytes are not a list of runs in the window.
    pub(crate) fn read(mut bytes: &[u8], window: Run) -> Result<RunList, Error> {
        let mut list = RunList {
            start: window.offset,
            ..RunList::default()
        };
        let (mut at, mut first) = (window.offset, None);
        while !bytes.is_empty() {
            let mut number = || take(&mut bytes);
            let (gap, length, count) = (number()?, number()?, number()?);
            let whole = gap
                .checked_add(length)
                .and_then(|one| one.checked_mul(count));
            let end = whole.and_then(|whole| at.checked_add(whole));
            let end = end.filter(|end| *end <= window.end() && length > 0 && count > 0);
            first.get_or_insert(at.saturating_add(gap));
            at = end.ok_or(Error::MalformedList)?;
            list.data += length * count;
            list.groups.push(Group { gap, length, count });
        }
        list.span = first.map(|offset| Run {
            offset,
            length: at - offset,
        });
        Ok(list)
    }

    /// Bytes of data.
    pub(crate) fn data(&self) -> u64 {
        self.data
    }

    /// From the first byte of data to past the last; `None` where the list is empty.
    pub(crate) fn span(&self) -> Option<Run> {
        self.span
    }

    /// Passes `visit` the runs.
    pub(crate) fn each(&self, mut visit: impl FnMut(Run)) {
        let mut at = self.start;
        for group in &self.groups {
            for _ in 0..group.count {
                let offset = at + group.gap;
                visit(Run {
                    offset,
                    length: group.length,
                });
                at = offset + group.length;
            }
        }
    }

    /// Returns the number of runs.
    pub(crate) fn runs(&self) -> u64 {
        self.groups.iter().map(|group| group.count).sum()
    }

    /// Returns the list of what lies before file position `end`.
    pub(crate) fn before(&self, end: u64) -> RunList {
        match self.span {
            Some(span) if span.end() > end => self.cut(end),
            _ => self.clone(),
        }
    }

    fn cut(&self, end: u64) -> RunList {
        let mut writer = Writer::default();
        writer.restart(self.start);
        self.each(|run| {
            let length = end.saturating_sub(run.offset).min(run.length);
            if length > 0 {
                writer.push(Run { length, ..run });
            }
        });
        let window = Run {
            offset: self.start,
            length: end.saturating_sub(self.start),
        };
        RunList::read(writer.finish().0, window).unwrap_or_default()
    }

    /// Returns the datatype of the runs, displaced by file position `base`.
    ///
    /// # Errors
    /// Never in a window that memory was found for.
    pub(crate) fn datatype(&self, base: u64) -> Result<Arc<Datatype>, datatype::Error> {
        let byte = predefined(MPI_BYTE).expect("MPI_BYTE is in the table");
        let few = self.groups.len() <= STRUCTURE_MAX
            && self.runs() / RUNS_MIN >= self.groups.len() as u64;
        if !few {
            let (mut lengths, mut offsets) = (Vec::new(), Vec::new());
            self.each(|run| {
                lengths.push(run.length as i64);
                offsets.push((run.offset - base) as i64);
            });
            return Ok(Arc::new(Datatype::hindexed(&lengths, &offsets, byte)?));
        }
        let (mut offsets, mut parts) = (Vec::new(), Vec::new());
        let mut at = self.start as i64 - base as i64;
        for group in &self.groups {
            let (count, length) = (group.count as i64, group.length as i64);
            let step = group.gap as i64 + length;
            offsets.push(at + group.gap as i64);
            let part = Datatype::hvector(count, length, step, byte)?;
            parts.push(Arc::new(part));
            at += step * count;
        }
        let ones = vec![1; parts.len()];
        Ok(Arc::new(Datatype::structure(&ones, &offsets, &parts)?))
    }
}

/// Most groups of a list that are worth a datatype of their own.
const STRUCTURE_MAX: usize = 1024;
/// Runs of a group from which on that is so, on average.
const RUNS_MIN: u64 = 4;

fn take(bytes: &mut &[u8]) -> Result<u64, Error> {
    let (mut number, mut shift) = (0u64, 0);
    loop {
        let (first, rest) = bytes.split_first().ok_or(Error::MalformedList)?;
        *bytes = rest;
        let part = u64::from(first & 0x7f);
        if shift > 63 || part << shift >> shift != part {
            return Err(Error::MalformedList);
        }
        number |= part << shift;
        if first & 0x80 == 0 {
            return Ok(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn runs(pairs: &[(u64, u64)], start: u64) -> Vec<Run> {
        let mut at = start;
        let run = |&(gap, length): &(u64, u64)| {
            let offset = at + gap;
            at = offset + length;
            Run { offset, length }
        };
        pairs.iter().map(run).collect()
    }

    fn written(runs: &[Run], start: u64) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.restart(start);
        runs.iter().for_each(|run| writer.push(*run));
        let (bytes, data) = writer.finish();
        assert_eq!(data, runs.iter().map(|run| run.length).sum::<u64>());
        bytes.to_vec()
    }

    proptest! {
        #[test]
        fn a_list_comes_back(
            start in 0u64..1 << 40,
            pairs in prop::collection::vec((0u64..3, 1u64..3), 0..60),
            cut in 0u64..300,
        ) {
            let runs = runs(&pairs, start);
            let window = Run { offset: start, length: 300 };
            let list = RunList::read(&written(&runs, start), window).unwrap();
            let mut read = Vec::new();
            list.each(|run| read.push(run));
            prop_assert_eq!(&read, &runs);
            let bytes = |run: Run| run.offset..run.end();
            let all: Vec<u64> = runs.iter().copied().flat_map(bytes).collect();
            let mut before = Vec::new();
            list.before(start + cut).each(|run| before.extend(bytes(run)));
            let kept = all.iter().take_while(|at| **at < start + cut).count();
            prop_assert_eq!(&before, &all[..kept]);
            let datatype = list.datatype(start).unwrap();
            prop_assert_eq!(datatype.size() as u64, list.data());
            let mut placed = Vec::new();
            datatype.runs(0, list.data(), &mut |offset, length| {
                placed.extend((0..length).map(|byte| start + offset as u64 + byte));
            });
            prop_assert_eq!(placed, all);
        }

        #[test]
        fn what_others_wrote_is_checked(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let window = Run { offset: 1000, length: 1 << 16 };
            if let Ok(list) = RunList::read(&bytes, window) {
                let mut at = window.offset;
                list.each(|run| {
                    assert!(run.length > 0 && run.offset >= at && run.end() <= window.end());
                    at = run.end();
                });
            }
        }
    }

    #[test]
    fn rows_take_a_few_bytes() {
        let rows = runs(&[(96, 32); 10_000], 7);
        assert_eq!(written(&rows, 7).len(), 4);
        let window = Run {
            offset: 7,
            length: 1_279_999,
        };
        assert!(RunList::read(&written(&rows, 7), window).is_err());
    }
}
