//! Tests of the event log.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use super::*;

#[derive(Clone)]
struct Memory(Arc<Vec<AtomicU64>>);

impl Memory {
    fn new(words: usize) -> Memory {
        Memory(Arc::new((0..words).map(|_| AtomicU64::new(0)).collect()))
    }

    fn log(&self) -> (EventLog, Replay) {
        EventLog::open(Box::new(self.clone())).expect("a log")
    }
}

impl Words for Memory {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn load(&self, at: usize) -> u64 {
        self.0[at].load(Ordering::Relaxed)
    }

    fn store(&self, at: usize, word: u64) {
        self.0[at].store(word, Ordering::Relaxed);
    }
}

#[test]
fn cancellations_come_back_by_the_number_of_the_receive() {
    let memory = Memory::new(64);
    let (mut log, _) = memory.log();
    log.cancelled(7 << 40, true);
    log.cancelled(3, false);
    let (_, mut replay) = memory.log();
    assert!(replay.will_be_cancelled(7 << 40));
    assert!(!replay.will_be_cancelled(3));
    assert_eq!(replay.take_cancel(4), None);
    assert_eq!(replay.take_cancel(3), Some(false));
    assert!(!replay.is_over());
    assert_eq!(replay.take_cancel(7 << 40), Some(true));
    assert!(replay.is_over());
}

#[test]
fn events_come_back_in_order_and_empty_calls_are_merged() {
    let memory = Memory::new(64);
    let (mut log, replay) = memory.log();
    assert!(replay.is_over());
    log.matched(0, 3);
    for _ in 0..1000 {
        log.found(Call::Probe, &[]);
    }
    log.found(Call::Some, &[4, 2, 9]);
    log.matched(7, 1);
    assert_eq!(log.entries(), 6);
    let (_, mut replay) = memory.log();
    assert_eq!(replay.take_match(7), Some(1));
    assert_eq!(replay.take_match(1), None);
    for _ in 0..1000 {
        assert_eq!(replay.take(Call::Probe), Ok(Some(vec![])));
    }
    assert_eq!(replay.take(Call::Any), Err(Call::Some));
    assert_eq!(replay.take(Call::Some), Ok(Some(vec![4, 2, 9])));
    assert_eq!(replay.take(Call::Any), Ok(None));
    assert!(!replay.is_over());
    assert_eq!(replay.take_match(0), Some(3));
    assert!(replay.is_over());
}

/// A process may be killed between two stores: entries count once their number is stored.
#[test]
fn what_was_not_finished_does_not_count() {
    let memory = Memory::new(64);
    let (mut log, _) = memory.log();
    log.found(Call::Any, &[5]);
    log.put(0, entry(MORE, code(Call::Some), 1), 0);
    let (mut log, mut replay) = memory.log();
    assert_eq!(replay.take(Call::Any), Ok(Some(vec![5])));
    assert_eq!(replay.take(Call::Some), Ok(None));
    log.found(Call::Test, &[0]);
    let (_, replay) = memory.log();
    assert_eq!(replay.calls.len(), 2);
}

#[test]
fn damage_is_told() {
    let memory = Memory::new(16);
    let (mut log, _) = memory.log();
    log.matched(0, 3);
    log.matched(1, 3);
    let wrong = |at: usize, word: u64| {
        let before = memory.load(at);
        memory.store(at, word);
        let opened = EventLog::open(Box::new(memory.clone()));
        memory.store(at, before);
        opened.err()
    };
    assert_eq!(wrong(0, 5), Some(Damage::NoLog));
    assert_eq!(
        wrong(1, 5),
        Some(Damage::Length {
            entries: 5,
            room: 4
        })
    );
    assert_eq!(
        wrong(10, memory.load(10) ^ 1 << 40),
        Some(Damage::Entry { at: 1 })
    );
    let short = EventLog::open(Box::new(Memory::new(3)));
    assert_eq!(short.err(), Some(Damage::NoLog));
}

#[test]
fn a_full_log_says_so_and_is_not_replayed() {
    let memory = Memory::new(8 + 2 * 3);
    let (mut log, _) = memory.log();
    log.matched(0, 1);
    assert!(!log.is_full());
    log.found(Call::Some, &[1, 2, 3]);
    assert!(log.is_full());
    log.matched(1, 1);
    assert_eq!(log.entries(), 1);
    let opened = EventLog::open(Box::new(memory.clone()));
    assert_eq!(opened.err(), Some(Damage::Full { room: 3 }));
}
