//! Tests of the copy on another host.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::thread::JoinHandle;

use super::*;
use crate::events::EventLog;
use vprotocol::Call;

const RING: Ring = Ring {
    stores: 7,
    place: |store| 8 + 2 * (store % 7) as usize,
};

#[derive(Clone)]
struct Memory(Arc<Vec<AtomicU64>>);

impl Memory {
    fn new(words: usize) -> Memory {
        Memory(Arc::new((0..words).map(|_| AtomicU64::new(0)).collect()))
    }

    fn words(&self) -> Vec<u64> {
        let words = self.0.iter();
        words.map(|word| word.load(Ordering::Acquire)).collect()
    }
}

impl StableWords for Memory {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn load(&self, at: usize) -> u64 {
        self.0[at].load(Ordering::Acquire)
    }

    fn store(&self, at: usize, word: u64) {
        self.0[at].store(word, Ordering::Release);
    }
}

/// A daemon and the other host: applies the stores of the journal to a copy at each token.
fn daemon(mut socket: UnixStream, journal: Memory, copy: Memory) -> JoinHandle<u64> {
    std::thread::spawn(move || {
        let (mut shipped, mut tokens) = (0u64, 0);
        let mut token = [0; 8];
        while socket.read_exact(&mut token).is_ok() {
            let stores = journal.load(0);
            assert!(stores - shipped < RING.stores, "a store was overwritten");
            for store in shipped.saturating_sub(1)..stores {
                let place = (RING.place)(store);
                copy.store(journal.load(place) as usize, journal.load(place + 1));
            }
            shipped = stores;
            tokens += 1;
            socket.write_all(&token).expect("the rank reads");
        }
        tokens
    })
}

#[test]
fn the_copy_has_all_events_whenever_a_message_may_leave() {
    let (ours, theirs) = UnixStream::pair().expect("sockets");
    let (log, journal, copy) = (Memory::new(4096), Memory::new(22), Memory::new(4096));
    let other = daemon(theirs, journal.clone(), copy.clone());
    let copied = Copied::new(log.clone(), journal, RING, ours);
    let (mut events, _) = EventLog::open(Box::new(copied)).expect("a log");
    for turn in 0..300u64 {
        match turn % 5 {
            0 => events.matched(turn, 3),
            1 => (0..turn % 9).for_each(|_| events.found(Call::Probe, &[])),
            2 => events.found(Call::Some, &[1, 2, 3]),
            3 => events.cancelled(turn, true),
            _ => events.found(Call::Test, &[0]),
        }
        if turn % 3 == 0 {
            events.settle();
            assert!(copy.words() == log.words(), "turn {turn}");
        }
    }
    events.settle();
    assert!(copy.words() == log.words());
    drop(events);
    let tokens = other.join().expect("the daemon");
    assert!(tokens >= 100, "{tokens} round trips");
}

#[test]
fn nothing_is_waited_for_where_nothing_was_stored() {
    let (ours, theirs) = UnixStream::pair().expect("sockets");
    drop(theirs);
    let copied = Copied::new(Memory::new(64), Memory::new(22), RING, ours);
    assert!(copied.is_copied());
    copied.settle();
    assert!(!copied.is_dirty.get());
    // Without a daemon the process does not wait for ever.
    copied.store(8, 1);
    copied.settle();
}
