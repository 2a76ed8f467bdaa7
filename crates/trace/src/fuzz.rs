//! Fuzzing of what becomes of the memory of a rank, which any program may have written: called by
//! the fuzz target, and by the test that replays its corpus.

use crate::layout;
use crate::merge::{merge, waits};
use crate::read::{parts, Rank};
use crate::{json, paraver, summary, svg};

/// A fuzz target: the name of its corpus, and what reads the bytes.
pub type Target = (&'static str, fn(&[u8]));

/// The fuzz targets, by the names of their corpora.
pub const TARGETS: &[Target] = &[("trace_read", read)];

/// Reads the memory of two ranks, after the length of the first in two bytes, and writes the trace
/// of both in each form. The parts that a header asks for lie one behind the other in the memory.
///
/// # Panics
/// When they do not, or when a form cannot be written.
pub fn read(bytes: &[u8]) {
    let Some((length, bytes)) = bytes.split_first_chunk() else {
        return;
    };
    let length = usize::from(u16::from_le_bytes(*length));
    let (one, other) = bytes.split_at(length.min(bytes.len()));
    let mut ranks = Vec::new();
    for (host, memory) in (0..).zip([one, other]) {
        if let Ok(parts) = parts(memory) {
            let ends = parts.iter().map(|(at, len)| at + *len as u64);
            let begins = parts.iter().skip(1).map(|(at, _)| *at);
            assert!(ends.zip(begins).all(|(end, begin)| end <= begin));
        }
        if let Ok(rank) = Rank::read(memory) {
            let sites = rank.sites.len();
            let mut records = rank.records.iter().chain(&rank.pending);
            assert!(records.all(|record| usize::from(record.site) < sites));
            ranks.push((rank, (host, "host".to_string())));
        }
    }
    let trace = merge(ranks);
    json::write(&trace, &mut Vec::new()).expect("memory has room");
    waits(&trace);
    let texts = [
        summary::table(&trace),
        svg::picture(&trace),
        paraver::Files::of(&trace).prv,
    ];
    assert!(texts.iter().all(|text| !text.is_empty()));
    assert!(trace
        .ranks
        .iter()
        .all(|line| line.rank.records.len() <= bytes.len() / RECORD_BYTES));
}

const RECORD_BYTES: usize = 8 * layout::RECORD_WORDS;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{header, Keep, Kind, Layout, Record};

    #[test]
    fn the_corpus_passes() {
        base::fuzz::replay(TARGETS);
    }

    /// A rank's memory as a host sends it: two functions, a communicator and records.
    fn memory(rank: u32, records: &[Record]) -> Vec<u8> {
        let layout = Layout::new(64, 2).unwrap();
        let mut words: Vec<u64> = layout
            .header(Keep::default(), rank, 0)
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().unwrap()))
            .collect();
        words[header::MADE] = records.len() as u64;
        words[header::KEPT] = records.len() as u64;
        words[header::NANOS_EARLY] = 5_000;
        words[header::TICKS_LATE] = 1_000;
        words[header::NANOS_LATE] = 9_000;
        words[header::FENCE_EARLY] = 10;
        words[header::FENCE_LATE] = 900;
        (
            words[header::SITES],
            words[header::COMMS],
            words[header::TEXT],
        ) = (2, 1, 16);
        (words[header::PID], words[header::IN_CALL]) = (7, 1);
        words.extend([0, 0, 0, 1, 100, 100, 8, 0, 9, 0, 0, 1, 100, 100, 8, 0]);
        words.extend([77, 2, 0, 0]);
        words.extend([1, 8, 0, 0, 0, 0, 0, 0]);
        words.extend([
            u64::from_le_bytes(*b"MPI_Send"),
            u64::from_le_bytes(*b"\0MPI_Rec"),
        ]);
        words.extend(records.iter().flat_map(Record::words));
        words.into_iter().flat_map(u64::to_le_bytes).collect()
    }

    fn record(begin: u64, ticks: u64, kind: Kind, peer: i32) -> Record {
        Record {
            begin,
            ticks,
            bytes: 8,
            peer,
            tag: 5,
            site: u16::from(kind.receives()),
            comm: 0,
            kind,
            thread: 0,
        }
    }

    #[test]
    fn recordings_of_each_kind_are_in_the_corpus() {
        let sends = memory(0, &[record(20, 40, Kind::CallThatSent, 1)]);
        let receives = memory(1, &[record(30, 90, Kind::CallThatReceived, 0)]);
        assert_eq!(Rank::read(&sends).map(|rank| rank.records.len()), Ok(1));
        let absurd = record(u64::MAX, u64::MAX, Kind::Receive, 0);
        let absurd = memory(1, &[absurd, record(0, 1 << 63, Kind::Receive, 0)]);
        for (name, one, other) in [
            ("job", &sends[..], &receives[..]),
            ("absurd-times", &sends, &absurd),
            ("cut", &sends, &receives[..receives.len() - 8]),
            ("one", &[], &receives),
        ] {
            let length = (one.len() as u16).to_le_bytes();
            let bytes = [&length[..], one, other].concat();
            base::fuzz::keep("trace_read", name, &bytes);
        }
    }
}
