//! Tests of the ring over plain memory: records of every length, shifted or not, while it grows.
#![cfg(not(loom))]

use std::cell::UnsafeCell;
use std::rc::Rc;

use sync::atomic::{AtomicU64, Ordering};
use sync::ring::{record_bytes_max, Corrupt, Lines, Reader, Writer};
use sync::LINE_BYTES;

/// More than a lap has where records are answered.
const LINES: usize = 400;
const SMALL: usize = 8;

/// The position's line, then the ring's lines.
#[derive(Clone)]
struct Memory(Rc<UnsafeCell<Lined>>);

#[repr(align(64))]
struct Lined(#[allow(dead_code)] [[u64; LINE_BYTES / 8]; LINES + 1]);

impl Memory {
    fn new() -> Memory {
        let lines = Lined([[0; LINE_BYTES / 8]; LINES + 1]);
        Memory(Rc::new(UnsafeCell::new(lines)))
    }

    fn line(&self, line: usize) -> *mut u64 {
        assert!(line <= LINES);
        // The pointer covers all lines: payload goes on from one to the next.
        self.0
            .get()
            .cast::<u64>()
            .wrapping_add(line * LINE_BYTES / 8)
    }
}

// SAFETY: words lie at the beginning of lines, payload behind them; all was 0.
unsafe impl Lines for Memory {
    fn lines(&self) -> usize {
        LINES
    }
    fn header(&self, line: usize) -> &AtomicU64 {
        // SAFETY: the line lies inside and is aligned.
        unsafe { AtomicU64::from_ptr(self.line(line + 1)) }
    }
    fn payload(&self, line: usize) -> *mut u8 {
        self.line(line + 1).cast::<u8>().wrapping_add(8)
    }
    fn position(&self) -> &AtomicU64 {
        // SAFETY: as in `header`.
        unsafe { AtomicU64::from_ptr(self.line(0)) }
    }
}

fn byte(number: usize, at: usize) -> u8 {
    (number * 31 + at) as u8
}

/// Writes record `number`, where as many as `answers` have come if it is asked; false when there is
/// no room.
fn write_answered(
    writer: &mut Writer<Memory>,
    number: usize,
    (head, len): (Option<usize>, usize),
    answers: u32,
) -> bool {
    let room = match head {
        Some(head) => writer.reserve_aligned(head, len),
        None => writer.reserve(len),
    };
    let Some(mut room) = room else { return false };
    if writer.may_turn(&room) {
        writer.turn(&mut room, answers);
    }
    if let Some(head) = head {
        assert_eq!((room.address.addr() + head) % LINE_BYTES, 0);
    }
    for at in 0..len {
        // SAFETY: the room is `len` bytes long, and ours.
        unsafe { room.address.wrapping_add(at).write(byte(number, at)) };
    }
    writer.publish(room, number as u16);
    true
}

fn write(writer: &mut Writer<Memory>, number: usize, head: Option<usize>, len: usize) -> bool {
    write_answered(writer, number, (head, len), 0)
}

/// Reads record `number`, if it is there.
fn read(reader: &mut Reader<Memory>, number: usize, len: usize) -> bool {
    let Some(record) = reader.peek().expect("a correct writer") else {
        return false;
    };
    assert_eq!((record.len, record.mark), (len, number as u16));
    for at in 0..len {
        // SAFETY: the record is `len` bytes long.
        let seen = unsafe { record.payload.wrapping_add(at).read() };
        assert_eq!(seen, byte(number, at), "byte {at} of record {number}");
    }
    reader.release(record);
    true
}

/// A number that looks like chance, from the last one.
fn shake(seed: &mut u64) -> usize {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize
}

#[test]
fn records_of_all_lengths_arrive_while_the_ring_grows() {
    for mut seed in 0..200 {
        let memory = Memory::new();
        let mut writer = Writer::new(memory.clone(), SMALL);
        let mut reader = Reader::new(memory.clone());
        let (mut written, mut seen) = (0, 0);
        let mut lens = Vec::new();
        while seen < 300 {
            if shake(&mut seed).is_multiple_of(32) {
                let lines = writer.lines() * 2;
                writer.grow(lines);
            }
            // Some are so short that a lap has many of them.
            let longest = record_bytes_max(writer.lines()).min(64 << (shake(&mut seed) % 10));
            let len = shake(&mut seed) % (longest + 1);
            let head = shake(&mut seed)
                .is_multiple_of(2)
                .then(|| shake(&mut seed) % 200);
            let head = head.filter(|head| *head <= len);
            let answers = if shake(&mut seed).is_multiple_of(2) {
                0
            } else {
                99
            };
            let record = (head, len);
            if shake(&mut seed).is_multiple_of(2)
                && write_answered(&mut writer, written, record, answers)
            {
                lens.push(len);
                written += 1;
            }
            if shake(&mut seed).is_multiple_of(2) && seen < written {
                assert!(read(&mut reader, seen, lens[seen]));
                seen += 1;
            }
            if seen == written {
                assert_eq!(reader.peek(), Ok(None));
            }
        }
    }
}

/// The longest record fits whatever was before it, once all of that was read.
#[test]
fn the_longest_record_fits_a_drained_ring_at_every_place() {
    for before in 0..3 * SMALL {
        let memory = Memory::new();
        let mut writer = Writer::new(memory.clone(), SMALL);
        let mut reader = Reader::new(memory.clone());
        for number in 0..before {
            assert!(write(&mut writer, number, None, 8));
            assert!(read(&mut reader, number, 8));
        }
        let len = record_bytes_max(SMALL);
        let fits = write(&mut writer, before, Some(0), len);
        assert!(fits, "after {before}");
        assert!(read(&mut reader, before, len));
        assert!(!write(&mut writer, 0, None, len + 1));
    }
}

/// The lines in which records began.
fn lines_used(memory: &Memory) -> usize {
    let began = |line: &usize| memory.header(*line).load(Ordering::Relaxed) != 0;
    (0..LINES).filter(began).max().expect("a record") + 1
}

#[test]
fn records_that_are_answered_stay_in_the_first_lines() {
    let used = |len, answers, read_later| {
        let memory = Memory::new();
        let mut writer = Writer::new(memory.clone(), LINES);
        let mut reader = Reader::new(memory.clone());
        for number in 0..200 {
            assert!(write_answered(&mut writer, number, (None, len), answers));
            if number >= read_later {
                assert!(read(&mut reader, number - read_later, len));
            }
        }
        assert_eq!(reader.records() as usize, 200 - read_later);
        lines_used(&memory)
    };
    assert!((100..150).contains(&used(500, u32::MAX, 0)));
    assert!(used(500, 0, 0) > LINES - 20, "a stream");
    assert!(used(3000, 0, 0) > LINES - 100, "a stream of long ones");
    assert!(
        used(500, u32::MAX, 1) > LINES - 20,
        "something is left to read"
    );
}

/// Behind a record that ends its lap there is room before the reader has taken it, and no more.
#[test]
fn a_lap_that_ended_early_goes_on_at_its_beginning() {
    let memory = Memory::new();
    let mut writer = Writer::new(memory.clone(), LINES);
    let mut reader = Reader::new(memory.clone());
    let last = 127;
    for number in 0..last {
        assert!(write(&mut writer, number, None, 8));
        assert!(read(&mut reader, number, 8));
    }
    assert!(write_answered(&mut writer, last, (None, 8), u32::MAX));
    let mut more = 0;
    while write(&mut writer, last + 1 + more, None, 8) {
        more += 1;
    }
    assert_eq!(more, 126, "all lines before that record but one");
    for number in last..=last + more {
        assert!(read(&mut reader, number, 8));
    }
    assert_eq!(reader.peek(), Ok(None));
}

#[test]
fn headers_that_no_writer_makes_are_refused() {
    let words = [
        1,
        // Longer than the ring.
        1 << 63 | (LINES * LINE_BYTES) as u64,
        1 << 63 | u64::from(u32::MAX),
        // The last of its lap, and longer than the ring.
        1 << 63 | 1 << 61 | (LINES * LINE_BYTES) as u64,
        // A skip at the beginning.
        1 << 63 | 1 << 62,
    ];
    for word in words {
        let memory = Memory::new();
        memory.header(0).store(word, Ordering::Relaxed);
        let mut reader = Reader::new(memory);
        assert_eq!(reader.peek(), Err(Corrupt), "{word:#x}");
    }
}
