//! [`Coverage`]: which bytes of a window of the file are somebody's data.

use crate::Run;

/// One bit for each byte of a window. Marking costs a store for a short run and no search, so a
/// window of millions of short runs from many ranks needs no merging of lists.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    window: Run,
    bits: Vec<u64>,
}

impl Coverage {
    /// Begins a window without data, in the memory of the one before.
    pub(crate) fn restart(&mut self, window: Run) {
        self.window = window;
        self.bits.clear();
        self.bits.resize(window.length.div_ceil(64) as usize, 0);
    }

    /// Notes that the bytes of `run`, which lies in the window, are data.
    pub(crate) fn mark(&mut self, run: Run) {
        let (from, to) = (
            (run.offset - self.window.offset) as usize,
            (run.end() - self.window.offset) as usize,
        );
        if from == to {
            return;
        }
        let (first, last) = (from / 64, (to - 1) / 64);
        let (head, tail) = (u64::MAX << (from % 64), u64::MAX >> (63 - (to - 1) % 64));
        if first == last {
            self.bits[first] |= head & tail;
            return;
        }
        self.bits[first] |= head;
        self.bits[first + 1..last].fill(u64::MAX);
        self.bits[last] |= tail;
    }

    /// Returns the longest runs of data, in ascending order.
    pub(crate) fn runs(&self) -> impl Iterator<Item = Run> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let from = self.next(at, 0)?;
            let end = self.window.length;
            at = self.next(from, u64::MAX).map_or(end, |to| to.min(end));
            Some(Run {
                offset: self.window.offset + from,
                length: at - from,
            })
        })
    }

    /// The first bit from `at` on that is set, or where `flip` has all bits, that is not.
    fn next(&self, at: u64, flip: u64) -> Option<u64> {
        let mut index = (at / 64) as usize;
        let mut word = (self.bits.get(index)? ^ flip) & (u64::MAX << (at % 64));
        while word == 0 {
            index += 1;
            word = self.bits.get(index)? ^ flip;
        }
        Some(index as u64 * 64 + u64::from(word.trailing_zeros()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn runs_are_the_bytes_that_were_marked(
            length in 1u64..300,
            marks in prop::collection::vec((0u64..300, 0u64..130), 0..12),
        ) {
            let window = Run { offset: 5000, length };
            let (mut coverage, mut bytes) = (Coverage::default(), vec![false; length as usize]);
            coverage.restart(Run { offset: 0, length: 999 });
            coverage.mark(Run { offset: 0, length: 999 });
            coverage.restart(window);
            for (from, len) in marks {
                let (from, to) = (from.min(length), (from + len).min(length));
                coverage.mark(Run { offset: 5000 + from, length: to - from });
                bytes[from as usize..to as usize].fill(true);
            }
            let mut found = vec![false; length as usize];
            let mut end = 0;
            for run in coverage.runs() {
                prop_assert!(run.length > 0 && (end == 0 || run.offset > end));
                end = run.end();
                let from = (run.offset - 5000) as usize;
                found[from..from + run.length as usize].fill(true);
            }
            prop_assert_eq!(found, bytes);
        }
    }
}
