//! Every interleaving of the ring and the queue, over storage that loom watches.
//!
//! The storages here hand out line and cell numbers as addresses; payload lives in loom's
//! cells, so that a read which is not ordered after its write is found.
//! Run with `RUSTFLAGS="--cfg loom" cargo test -p oxmpi-sync --release --test loom`.
#![cfg(loom)]

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use sync::atomic::{AtomicU64, Ordering};
use sync::journal::{Journal, Next};
use sync::{fifo, ring};

const LINES: usize = 4;
/// More than lines: the ring wraps.
const RECORDS: u64 = 5;

struct Memory<const N: usize> {
    words: Vec<AtomicU64>,
    shared: AtomicU64,
    payload: Vec<UnsafeCell<u64>>,
}

unsafe impl<const N: usize> Sync for Memory<N> {}

fn memory<const N: usize>() -> Arc<Memory<N>> {
    Arc::new(Memory {
        words: (0..N).map(|_| AtomicU64::new(0)).collect(),
        shared: AtomicU64::new(0),
        payload: (0..N).map(|_| UnsafeCell::new(0)).collect(),
    })
}

impl<const N: usize> Memory<N> {
    fn write(&self, address: *mut u8, value: u64) {
        // SAFETY: loom checks that nobody else touches the cell meanwhile.
        self.payload[address as usize - 1].with_mut(|cell| unsafe { *cell = value });
    }

    fn read(&self, address: *const u8) -> u64 {
        // SAFETY: loom checks that nobody writes the cell meanwhile.
        self.payload[address as usize - 1].with(|cell| unsafe { *cell })
    }
}

#[derive(Clone)]
struct Ring(Arc<Memory<LINES>>);

// SAFETY: words and payload are shared by all clones; addresses are line numbers plus one.
unsafe impl ring::Lines for Ring {
    fn lines(&self) -> usize {
        LINES
    }
    fn header(&self, line: usize) -> &AtomicU64 {
        &self.0.words[line]
    }
    fn payload(&self, line: usize) -> *mut u8 {
        (line + 1) as *mut u8
    }
    fn position(&self) -> &AtomicU64 {
        &self.0.shared
    }
}

#[derive(Clone)]
struct Queue<const N: usize>(Arc<Memory<N>>);

// SAFETY: words and payload are shared by all clones; addresses are cell numbers plus one.
unsafe impl<const N: usize> fifo::Cells for Queue<N> {
    fn cells(&self) -> usize {
        N
    }
    fn turn(&self, cell: usize) -> &AtomicU64 {
        &self.0.words[cell]
    }
    fn tail(&self) -> &AtomicU64 {
        &self.0.shared
    }
    fn bytes(&self, cell: usize) -> *mut u8 {
        (cell + 1) as *mut u8
    }
}

/// Five records through four lines: the ring wraps, is full and is empty in every way.
#[test]
fn the_ring_delivers_every_record_once_in_order() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(|| {
        let ring = Ring(memory());
        let store = ring.clone();
        let writer = thread::spawn(move || {
            let mut writer = ring::Writer::new(store.clone());
            for value in 1..=RECORDS {
                let room = loop {
                    match writer.reserve(8) {
                        Some(room) => break room,
                        None => thread::yield_now(),
                    }
                };
                store.0.write(room, value);
                writer.publish(8, value as u8);
            }
        });
        let mut reader = ring::Reader::new(ring.clone());
        let mut expected = 1;
        while expected <= RECORDS {
            match reader.peek().expect("a correct writer") {
                Some(record) => {
                    assert_eq!(ring.0.read(record.payload), expected);
                    assert_eq!((record.len, record.mark), (8, expected as u8));
                    reader.release(record);
                    expected += 1;
                }
                None => thread::yield_now(),
            }
        }
        writer.join().unwrap();
        assert_eq!(ring.0.shared.load(Ordering::Relaxed), RECORDS);
    });
}

/// Writes the values, waiting while the queue is full.
fn write_all<const N: usize>(store: &Queue<N>, values: std::ops::Range<u64>) {
    for value in values {
        let claim = loop {
            match fifo::claim(store) {
                Some(claim) => break claim,
                None => thread::yield_now(),
            }
        };
        store.0.write(claim.bytes, value);
        fifo::publish(store, claim);
    }
}

/// Reads that many values, waiting while the queue is empty.
fn read_all<const N: usize>(queue: &Queue<N>, count: usize) -> Vec<u64> {
    let mut reader = fifo::Reader::new(queue.clone());
    let mut seen = vec![];
    while seen.len() < count {
        match reader.peek() {
            Some(bytes) => {
                seen.push(queue.0.read(bytes));
                reader.release();
            }
            None => thread::yield_now(),
        }
    }
    seen
}

/// Two writers claim cells against each other; the reader keeps up or does not.
#[test]
fn the_queue_keeps_the_messages_of_two_writers_apart() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(|| {
        let queue = Queue::<4>(memory());
        let store = queue.clone();
        let one = thread::spawn(move || write_all(&store, 10..12));
        let store = queue.clone();
        let other = thread::spawn(move || write_all(&store, 20..21));
        one.join().unwrap();
        let seen = read_all(&queue, 3);
        other.join().unwrap();
        let of_one: Vec<_> = seen.iter().copied().filter(|value| *value < 20).collect();
        assert_eq!(of_one, [10, 11]);
        assert!(seen.contains(&20));
    });
}

/// More messages than cells: the writer meets a full queue, cells change hands.
#[test]
fn the_queue_is_full_until_the_reader_gives_a_cell_back() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let queue = Queue::<2>(memory());
        let store = queue.clone();
        let writer = thread::spawn(move || write_all(&store, 1..6));
        assert_eq!(read_all(&queue, 5), [1, 2, 3, 4, 5]);
        writer.join().unwrap();
    });
}

/// A reader of the journal sees whole records in their order, however often the writer laps it,
/// and hears of every gap.
#[test]
fn a_journal_shows_no_torn_record() {
    const KEPT: usize = 1;
    const WRITTEN: u64 = 3;
    loom::model(|| {
        let journal = Arc::new(Journal::new(KEPT));
        let mut cursor = journal.cursor();
        let writer = {
            let journal = journal.clone();
            thread::spawn(move || (1..=WRITTEN).for_each(|at| journal.append([at, at * 10])))
        };
        let mut expected = 1;
        let mut look = |expected: &mut u64| match journal.next(&mut cursor) {
            Next::Record([at, tenfold]) => {
                assert_eq!(tenfold, at * 10, "a torn record");
                assert!(at >= *expected, "{at} came after {expected} was due");
                assert!(
                    at == *expected || *expected == 0,
                    "a silent gap before {at}"
                );
                *expected = at + 1;
            }
            Next::Lost => *expected = 0,
            Next::Nothing => {}
        };
        (0..2).for_each(|_| look(&mut expected));
        writer.join().unwrap();
        (0..=KEPT).for_each(|_| look(&mut expected));
        assert!(
            expected == 0 || expected == WRITTEN + 1,
            "{expected} is due"
        );
    });
}
