//! Tests of the event log.

use super::*;

impl Memory {
    fn log(&self) -> (EventLog, Replay) {
        EventLog::open(Box::new(self.clone())).expect("a log")
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
    log.put(0, (MORE, code(Call::Some), 1), 0);
    let (mut log, mut replay) = memory.log();
    assert_eq!(replay.take(Call::Any), Ok(Some(vec![5])));
    assert_eq!(replay.take(Call::Some), Ok(None));
    log.found(Call::Test, &[0]);
    let (_, replay) = memory.log();
    assert_eq!(replay.calls.len(), 2);
}

#[test]
fn damage_is_reported() {
    let memory = Memory::new(32);
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
    // Each bit of both words of an entry.
    for at in [18, 19] {
        for bit in 0..64 {
            let damage = wrong(at, memory.load(at) ^ 1 << bit);
            assert_eq!(
                damage,
                Some(Damage::Entry { at: 1 }),
                "word {at}, bit {bit}"
            );
        }
    }
    let short = EventLog::open(Box::new(Memory::new(3)));
    assert_eq!(short.err(), Some(Damage::NoLog));
}

#[test]
fn a_full_log_says_so_and_is_not_replayed() {
    let memory = Memory::new(16 + 4 * 3);
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

#[test]
fn a_checkpoint_cuts_the_events_behind_the_prologue() {
    let memory = Memory::new(16 + 4 * 40);
    let (mut log, _) = memory.log();
    log.matched(0, 3);
    log.found(Call::Any, &[5]);
    log.end_prologue();
    for round in 0..100 {
        log.found(Call::Some, &[1, 2, 3]);
        log.matched(1 + round, 2);
        log.checkpoint(&[round, 7, 9]).unwrap();
        log.found(Call::Test, &[0]);
        log.matched(101 + round, 4);
        let (next, mut replay) = memory.log();
        assert_eq!(
            (next.entries(), replay.record()),
            (2, Some(&[round, 7, 9][..]))
        );
        assert_eq!(replay.jump(), Err(Call::Any), "the prologue is not over");
        let (_, mut replay) = memory.log();
        assert_eq!(replay.take_match(1 + round), None);
        assert_eq!(replay.take_match(0), Some(3));
        assert_eq!(replay.take(Call::Any), Ok(Some(vec![5])));
        assert_eq!(replay.take(Call::Test), Ok(None));
        assert_eq!(replay.jump(), Ok(Some(vec![round, 7, 9])));
        assert_eq!(replay.take(Call::Test), Ok(Some(vec![0])));
        assert_eq!(replay.take_match(101 + round), Some(4));
        assert!(replay.is_over());
    }
}

/// A process may be killed while it writes a checkpoint: the one before counts.
#[test]
fn a_checkpoint_counts_once_it_is_whole() {
    let memory = Memory::new(16 + 4 * 40);
    let (mut log, _) = memory.log();
    log.end_prologue();
    log.checkpoint(&[1; 5]).unwrap();
    log.matched(4, 2);
    let before: Vec<u64> = (0..memory.len()).map(|at| memory.load(at)).collect();
    log.checkpoint(&[2; 5]).unwrap();
    memory.store(CHECKPOINTS, 1);
    let (_, mut replay) = memory.log();
    assert_eq!(replay.record(), Some(&[1; 5][..]));
    assert_eq!(replay.take_match(4), Some(2));

    memory.store(CHECKPOINTS, 2);
    let changed = (0..memory.len()).rfind(|at| memory.load(*at) != before[*at]);
    let at = changed.expect("the record");
    memory.store(at, 3);
    let opened = EventLog::open(Box::new(memory.clone()));
    assert_eq!(opened.err(), Some(Damage::Record { checkpoint: 2 }));
    let too_long = log.checkpoint(&[0; 40]).unwrap_err();
    assert_eq!(
        too_long,
        "its record has 320 bytes, and there is room for 288"
    );
}

#[test]
fn a_checkpoint_makes_a_full_log_good_again() {
    let memory = Memory::new(16 + 4 * 8);
    let (mut log, _) = memory.log();
    log.end_prologue();
    for number in 0..100 {
        log.matched(number, 1);
    }
    assert!(log.is_full());
    log.checkpoint(&[]).unwrap();
    log.matched(100, 1);
    let (_, mut replay) = memory.log();
    assert_eq!(replay.take_match(100), Some(1));
}
