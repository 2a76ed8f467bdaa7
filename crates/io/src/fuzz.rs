//! Fuzzing of what an aggregator does with a peer's list of runs: called by the fuzz target, and by
//! the test that replays its corpus.

pub use base::fuzz::Target;

use crate::runlist::{RunList, Writer};
use crate::Run;

/// The fuzz targets.
pub const TARGETS: &[Target] = &[("io_runlist", runlist)];

/// Most runs of a list that are visited one by one.
const RUNS_MAX: u64 = 1 << 12;

/// Reads a list for a window, which the first three bytes choose. The runs of a list that is read
/// lie in the window, in ascending order and apart; written again they are the same list, and what
/// of them lies before a position is a list of the same runs.
///
/// # Panics
/// When that is not so.
pub fn runlist(bytes: &[u8]) {
    let [offset, length, cut, bytes @ ..] = bytes else {
        return;
    };
    let window = Run {
        offset: u64::from(*offset) << 40,
        length: 1 << (length % 63),
    };
    let Ok(list) = RunList::read(bytes, window) else {
        return;
    };
    assert!(list.data() <= window.length && list.runs() <= list.data());
    if list.runs() > RUNS_MAX {
        return;
    }
    let mut writer = Writer::default();
    writer.restart(window.offset);
    let (mut at, mut data) = (window.offset, 0);
    list.each(|run| {
        assert!(run.offset >= at && run.length > 0 && run.end() <= window.end());
        (at, data) = (run.end(), data + run.length);
        writer.push(run);
    });
    assert_eq!(data, list.data());
    assert_eq!(list.span().map(|span| span.end()), (data > 0).then_some(at));
    let again = RunList::read(writer.finish().0, window).expect("it was written here");
    assert_eq!(
        (again.runs(), again.data(), again.span()),
        (list.runs(), data, list.span())
    );
    let end = window.offset + (window.length / 256) * u64::from(*cut);
    let mut before = 0;
    list.each(|run| before += end.saturating_sub(run.offset).min(run.length));
    assert_eq!(list.before(end).data(), before);
    let datatype = list
        .datatype(window.offset)
        .expect("a file that has memory");
    assert_eq!(datatype.size() as u64, data);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_passes() {
        base::fuzz::replay(TARGETS);
    }

    #[test]
    fn lists_of_each_kind_are_in_the_corpus() {
        // Gaps, lengths and counts, of 7 bits a byte.
        let lists: [(&str, &[u8]); 7] = [
            ("empty", &[]),
            ("run", &[5, 9, 1]),
            ("rows", &[0x80, 1, 8, 0x90, 1]),
            ("groups", &[5, 9, 3, 0, 1, 1, 0x85, 2, 7, 2]),
            ("cut", &[5, 9, 3, 0x80]),
            (
                "beyond-the-window",
                &[0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 1],
            ),
            (
                "beyond-64-bits",
                &[
                    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 3, 1, 1,
                ],
            ),
        ];
        for (name, list) in lists {
            base::fuzz::keep("io_runlist", name, &[&[1, 13, 100], list].concat());
        }
    }
}
