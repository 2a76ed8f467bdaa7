//! The runs of a part of the target's bytes of an access.

use ::memory::UserBuf;

use crate::access::{Grain, TargetBytes};
use crate::wire::{Run, RUN_BYTES};

/// Fills `into` with the runs of up to `len` packed bytes from `at` on, so that they and, where
/// data goes with them, the bytes themselves take no more than `room`. Returns how many bytes the
/// runs cover: at least one element.
pub(crate) fn fill(
    place: &TargetBytes,
    (at, len): (usize, usize),
    grain: Grain,
    (room, with_data): (usize, bool),
    into: &mut Vec<Run>,
) -> usize {
    let (Grain::Whole(size) | Grain::Apart(size)) = grain;
    let fits = if with_data { room - RUN_BYTES } else { len };
    let len = len.min((fits / size * size).max(size));
    into.clear();
    let elements = match place {
        TargetBytes::Contiguous { offset, .. } => {
            into.push(block(offset + at as u64, len));
            return len;
        }
        TargetBytes::Layout(elements) => elements,
    };
    if let (Some(bytes), Grain::Whole(_)) = (elements.contiguous(), grain) {
        into.push(block(bytes.address().addr() as u64 + at as u64, len));
        return len;
    }
    let mut segments = Vec::new();
    match grain {
        Grain::Whole(_) => {
            elements.segments(at, len, &mut segments);
            for segment in &segments {
                push(into, segment, segment.len());
            }
        }
        Grain::Apart(size) => {
            for element in (at..at + len).step_by(size) {
                segments.clear();
                elements.segments(element, size, &mut segments);
                if let Some(first) = segments.first() {
                    push(into, first, size);
                }
            }
        }
    }
    keep_what_fits(into, room, with_data)
}

/// Appends a block: to the last run, where it continues that.
fn push(runs: &mut Vec<Run>, segment: &UserBuf, len: usize) {
    let offset = segment.address().addr() as u64;
    if let Some(last) = runs.last_mut() {
        let ahead = offset.wrapping_sub(last.offset) as i64;
        let goes_on = match last.count {
            1 => true,
            count => Some(ahead) == last.stride.checked_mul(count as i64),
        };
        if last.len == len as u64 && goes_on {
            if last.count == 1 {
                last.stride = ahead;
            }
            last.count += 1;
            return;
        }
    }
    runs.push(block(offset, len));
}

/// Returns a run of one block.
fn block(offset: u64, len: usize) -> Run {
    Run {
        offset,
        len: len as u64,
        stride: 0,
        count: 1,
    }
}

/// Cuts the runs to the size of a message. Returns the bytes of those that remain.
fn keep_what_fits(runs: &mut Vec<Run>, room: usize, with_data: bool) -> usize {
    let (mut left, mut bytes) = (room, 0);
    let mut kept = 0;
    for run in runs.iter_mut() {
        let Some(after) = left.checked_sub(RUN_BYTES) else {
            break;
        };
        let fits = match with_data {
            true => (after / run.len as usize).min(run.count as usize),
            false => run.count as usize,
        };
        if fits == 0 {
            break;
        }
        left = after;
        let all = fits as u64 == run.count;
        run.count = fits as u64;
        let taken = fits * run.len as usize;
        bytes += taken;
        if with_data {
            left -= taken;
        }
        kept += 1;
        if !all {
            break;
        }
    }
    runs.truncate(kept);
    bytes
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ::memory::Scratch;
    use datatype::{Buffer, Datatype};

    use super::*;

    fn spelled(runs: &[Run], base: u64) -> Vec<u64> {
        let bytes = |run: &Run| {
            let run = *run;
            (0..run.count).flat_map(move |index| {
                let first = run.offset.wrapping_add((run.stride * index as i64) as u64);
                (0..run.len).map(move |byte| first + byte - base)
            })
        };
        runs.iter().flat_map(bytes).collect()
    }

    /// Every datatype here, cut into messages of little room, is the bytes that it packs, in order.
    #[test]
    fn runs_cut_for_small_messages_are_all_bytes_in_order() {
        let int = datatype::predefined(0x209).unwrap();
        let column = Arc::new(Datatype::vector(7, 2, 5, int).unwrap());
        let lengths = [1, 3, 2, 1];
        let places = [9, 0, 20, 14];
        let indexed = Arc::new(Datatype::indexed(&lengths, &places, int).unwrap());
        let scratch = Scratch::new(4096);
        let base = scratch.buf().address().addr() as u64;
        for (datatype, count) in [(int, 60), (&column, 3), (&indexed, 5)] {
            let place = Buffer::over(scratch.buf(), count, datatype).unwrap();
            let mut expected = Vec::new();
            let mut segments = Vec::new();
            place.segments(0, place.len(), &mut segments);
            let place = TargetBytes::Layout(place);
            for segment in segments {
                let first = segment.address().addr() as u64 - base;
                expected.extend(first..first + segment.len() as u64);
            }
            for (room, with_data) in [(64, true), (100, true), (72, false), (4096, true)] {
                let (mut at, mut found, mut runs) = (0, Vec::new(), Vec::new());
                while at < place.len() {
                    let rest = (at, place.len() - at);
                    let bytes = fill(&place, rest, Grain::Whole(4), (room, with_data), &mut runs);
                    let took = runs.len() * RUN_BYTES + if with_data { bytes } else { 0 };
                    assert!(bytes > 0 && bytes.is_multiple_of(4) && took <= room);
                    found.extend(spelled(&runs, base));
                    at += bytes;
                }
                assert_eq!(found, expected, "room {room}");
            }
        }
    }

    #[test]
    fn a_column_is_one_run() {
        let int = datatype::predefined(0x209).unwrap();
        let column = Arc::new(Datatype::vector(50, 1, 5, int).unwrap());
        let scratch = Scratch::new(1024);
        let place = TargetBytes::Layout(Buffer::over(scratch.buf(), 1, &column).unwrap());
        let mut runs = Vec::new();
        let bytes = fill(&place, (0, 200), Grain::Whole(4), (1000, true), &mut runs);
        assert_eq!((bytes, runs.len()), (200, 1));
        assert_eq!((runs[0].stride, runs[0].count), (20, 50));
    }
}
