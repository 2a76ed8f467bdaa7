//! From positions in the file to positions in a view's data.

use crate::view::Walked;
use crate::{Run, View};

impl View {
    /// Whether the positions of the data ascend in the file without overlap: the bytes of a part
    /// of the file are a part of the data then.
    pub fn is_ordered(&self) -> bool {
        self.walked().is_ordered
    }

    /// Whether the positions of `bytes` of data behind the first `from` ascend without overlap.
    /// Tiles may overlap each other where the data lies in one of them.
    pub fn is_ordered_in(&self, from: u64, bytes: u64) -> bool {
        let data = self.filetype().size() as u64;
        let walked = self.walked();
        let in_one = bytes == 0 || data > 0 && from / data == (from + bytes - 1) / data;
        walked.ascends && (walked.is_ordered || in_one)
    }

    /// Returns about how many runs `bytes` of data have.
    pub fn runs_of(&self, bytes: u64) -> u64 {
        let data = self.filetype().size() as u64;
        let runs = u128::from(bytes) * u128::from(self.walked().runs) / u128::from(data.max(1));
        match self.is_contiguous() {
            true => u64::from(bytes > 0),
            false => (runs as u64).max(u64::from(bytes > 0)),
        }
    }

    /// Returns the facts that a walk through the filetype finds, which is done once.
    fn walked(&self) -> &Walked {
        self.walked.get_or_init(|| {
            let (filetype, mut end, mut ordered, mut runs) = (self.filetype(), 0, true, 0);
            filetype.runs(0, filetype.size() as u64, &mut |offset, length| {
                ordered &= offset >= end;
                end = offset + length as i64;
                runs += 1;
            });
            let apart = filetype.size() == 0 || filetype.true_extent() <= filetype.extent();
            Walked {
                ascends: ordered,
                is_ordered: ordered && apart,
                runs,
            }
        })
    }

    /// Returns the bytes of data that lie before file position `offset`, in an ordered view; where
    /// tiles overlap, those up to the end of the tile that has data byte `near`.
    pub fn data_before(&self, offset: u64, near: u64) -> u64 {
        let filetype = self.filetype();
        let (data, extent) = (filetype.size() as u64, filetype.extent() as u64);
        let first = self.displacement() + filetype.true_lb() as u64;
        if data == 0 || offset <= first {
            return 0;
        }
        let tile = match self.walked().is_ordered {
            true => (offset - first) / extent,
            false => near / data,
        };
        let Some(inside) = (offset - first).checked_sub(tile * extent) else {
            return tile * data;
        };
        if inside >= filetype.true_extent() as u64 {
            return (tile + 1) * data;
        }
        // The first byte of data at `offset` or behind it.
        let (mut low, mut high) = (0, data);
        let lowest = filetype.true_lb() as u64;
        while low < high {
            let middle = low + (high - low) / 2;
            let mut found = 0;
            filetype.runs(middle, middle + 1, &mut |at, _| found = at as u64);
            match found - lowest >= inside {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        tile * data + low
    }

    /// Returns the range of the file from the first to past the last of `bytes` of data behind the
    /// first `from` bytes of data, in an ordered view; empty where there is no data.
    ///
    /// # Errors
    /// When a position does not fit 63 bits.
    pub fn range(&self, from: u64, bytes: u64) -> Result<Run, crate::Error> {
        let Some(first) = self.data_runs(from, bytes.min(1))?.next() else {
            return Ok(Run::default());
        };
        let last = self.data_runs(from + bytes - 1, 1)?.next().unwrap_or(first);
        // The last position is checked before the first one is trusted.
        self.data_runs(from, bytes)?;
        Ok(Run {
            offset: first.offset,
            length: last.end() - first.offset,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datatype::{predefined, Datatype};
    use proptest::prelude::*;

    use super::*;
    use crate::Representation;
    use datatype::constants::MPI_BYTE;

    proptest! {
        #[test]
        fn data_before_a_position_is_what_a_walk_counts(
            displacement in 0u64..50,
            lb in 0i64..9,
            blocks in prop::collection::vec((0i64..5, 1i64..5), 1..6),
            tail in 0i64..6,
            offset in 0u64..400,
        ) {
            let (mut at, mut lengths, mut places) = (lb, vec![], vec![]);
            for (gap, length) in blocks {
                places.push(at + gap);
                lengths.push(length);
                at += gap + length;
            }
            let byte = predefined(MPI_BYTE).unwrap();
            let blocks = Arc::new(Datatype::hindexed(&lengths, &places, byte).unwrap());
            let tile = Arc::new(Datatype::resized(&blocks, 0, at + tail).unwrap());
            let view = View::new(displacement, byte, &tile, Representation::Native).unwrap();
            prop_assert!(view.is_ordered());
            let before = |run: Run| offset.saturating_sub(run.offset).min(run.length);
            let walked: u64 = view.data_runs(0, 500).unwrap().map(before).sum();
            prop_assert_eq!(view.data_before(offset, 0), walked);
            let range = view.range(3, 40).unwrap();
            let runs: Vec<Run> = view.data_runs(3, 40).unwrap().collect();
            prop_assert_eq!(range.offset, runs[0].offset);
            prop_assert_eq!(range.end(), runs[runs.len() - 1].end());
        }
    }

    /// The filetypes of PnetCDF end where their data ends, so that a second tile would overlap the
    /// first, which no access reaches.
    #[test]
    fn data_in_one_of_overlapping_tiles_is_ordered() {
        let byte = predefined(MPI_BYTE).unwrap();
        let blocks = Arc::new(Datatype::hindexed(&[2, 2], &[3, 9], byte).unwrap());
        let tile = Arc::new(Datatype::resized(&blocks, 0, 6).unwrap());
        let view = View::new(100, byte, &tile, Representation::Native).unwrap();
        assert!(!view.is_ordered() && !view.is_ordered_in(2, 3));
        assert!(view.is_ordered_in(0, 4) && view.is_ordered_in(4, 4) && view.is_ordered_in(9, 0));
        for from in [0, 4] {
            for offset in 90u64..130 {
                let before = |run: Run| offset.saturating_sub(run.offset).min(run.length);
                let walked: u64 = view.data_runs(from, 4).unwrap().map(before).sum();
                assert_eq!(
                    view.data_before(offset, from).max(from),
                    from + walked,
                    "{offset}"
                );
            }
        }
    }

    #[test]
    fn views_that_overlap_are_not_ordered() {
        let byte = predefined(MPI_BYTE).unwrap();
        let view = |lengths: &[i64], places: &[i64], extent| {
            let blocks = Arc::new(Datatype::hindexed(lengths, places, byte).unwrap());
            let tile = Arc::new(Datatype::resized(&blocks, 0, extent).unwrap());
            View::new(0, byte, &tile, Representation::Native).unwrap()
        };
        assert!(view(&[2, 2], &[0, 4], 8).is_ordered());
        assert_eq!(view(&[2, 2], &[0, 4], 8).runs_of(40), 20);
        assert_eq!(view(&[2, 2], &[0, 2], 4).runs_of(40), 1);
        assert!(!view(&[5, 2], &[0, 4], 8).is_ordered());
        assert!(!view(&[2, 2], &[0, 4], 4).is_ordered());
    }
}
