//! Tests of ranks that put, get, accumulate and lock in a window, against the expected results.
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

mod common;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use common::{run, Rank};
use datatype::constants::{
    MPI_DOUBLE, MPI_INT, MPI_INT64_T, MPI_INTEGER16, MPI_LONG_INT, MPI_SHORT_INT,
};
use datatype::{predefined, Buffer, Datatype, Op};
use memory::Scratch;
use osc_sm::{Access, Error, Handshake, Plan, Spacing, Wait};
use shm::handshake;

fn plan(ranks: u32, bytes: u64) -> Plan {
    Plan {
        ranks,
        places: (0..ranks).collect(),
        sizes: vec![bytes; ranks as usize],
        spacing: Spacing::Apart,
    }
}

fn ty(handle: u32) -> &'static Arc<Datatype> {
    predefined(handle).expect("a predefined datatype")
}

fn words(values: &[i64]) -> Scratch {
    let scratch = Scratch::new(values.len() * 8);
    for (index, value) in values.iter().enumerate() {
        scratch.buf().write(index * 8, &value.to_ne_bytes());
    }
    scratch
}

fn word(scratch: &Scratch, index: usize) -> i64 {
    let mut bytes = [0; 8];
    scratch.buf().read(index * 8, &mut bytes);
    i64::from_ne_bytes(bytes)
}

impl Rank {
    fn read(&self, place: u32, index: usize) -> i64 {
        let mut bytes = [0; 8];
        self.member.memory(place).read(index * 8, &mut bytes);
        i64::from_ne_bytes(bytes)
    }

    fn fetch(&self, place: u32, at: i64, op: Op, value: i64) -> i64 {
        let [origin, result] = [words(&[value]), words(&[-1])];
        let [from, into] = [origin.buf(), result.buf()];
        let quick = self.member.range(place, at as u64, 8).is_some_and(|bytes| {
            let wake = |rank| self.waiter.wake(rank);
            let (there, how) = ((place, bytes), ty(MPI_INT64_T).combining(op).unwrap());
            self.member
                .combine_bytes(there, how, from, Some(into), wake)
        });
        if !quick {
            let [from, into] = [from, into].map(Buffer::bytes);
            self.member
                .get_accumulate(
                    &self.waiter,
                    place,
                    at,
                    1,
                    ty(MPI_INT64_T),
                    op,
                    &from,
                    &into,
                )
                .unwrap();
        }
        word(&result, 0)
    }
}

/// One element, which all ranks update by every kind of access, at aligned and odd addresses.
#[test]
fn no_update_of_an_element_is_lost() {
    const TIMES: i64 = 300;
    for at in [8, 11] {
        run(&plan(4, 64), 3, |rank| {
            let own = i64::from(rank.rank);
            for time in 0..TIMES {
                let three = words(&[1, 1, 1]);
                let origin = Buffer::bytes(three.buf());
                let from = at - 8 * (time % 2);
                match (own + time) % 3 {
                    0 => rank
                        .member
                        .accumulate(&rank.waiter, 0, from, 3, ty(MPI_INT64_T), Op::Sum, &origin)
                        .unwrap(),
                    1 if own == 0 => {
                        rank.member
                            .serve(|_| false, from, 3, ty(MPI_INT64_T), Op::Sum, &origin, None)
                            .unwrap();
                        rank.member.wake_waiting(0, |other| rank.waiter.wake(other));
                    }
                    _ => {
                        rank.fetch(0, at, Op::Sum, 1);
                    }
                }
            }
            rank.barrier();
            assert_eq!(rank.fetch(0, at, Op::NoOp, 99), 4 * TIMES);
        });
    }
}

#[test]
fn everybody_fetches_another_value_and_swaps_in_its_turn() {
    const TIMES: i64 = 200;
    run(&plan(3, 32), 2, |rank| {
        let mut last = -1;
        for _ in 0..TIMES {
            let seen = rank.fetch(1, 0, Op::Sum, 1);
            assert!(seen > last, "{seen} after {last}");
            last = seen;
            // A counter that is moved by compare and swap alone.
            loop {
                let old = rank.fetch(1, 8, Op::NoOp, 0);
                let [new, old_too, seen] = [words(&[old + 1]), words(&[old]), words(&[0])];
                let buffers = [new.buf(), old_too.buf(), seen.buf()];
                let there = (1, rank.member.range(1, 8, 8).unwrap());
                let wake = |rank_of| rank.waiter.wake(rank_of);
                if !rank.member.swap_bytes(there, buffers, wake) {
                    rank.member
                        .compare_and_swap(&rank.waiter, 1, 8, ty(MPI_INT64_T), buffers)
                        .unwrap();
                }
                if word(&seen, 0) == old {
                    break;
                }
            }
        }
        rank.barrier();
        assert_eq!([rank.read(1, 0), rank.read(1, 1)], [3 * TIMES; 2]);
    });
}

/// A writer changes many words, a reader never sees it half done; all sleep and are woken.
#[test]
fn writers_are_alone_and_readers_see_whole_values() {
    run(&plan(4, 4096), 1, |rank| {
        let count = 512;
        for time in 0..100 {
            if (rank.rank + time) % 2 == 0 {
                let wake = |other| rank.waiter.wake(other);
                if time % 3 > 0 || !rank.member.try_lock(2, Access::Exclusive, wake) {
                    rank.member
                        .lock(&rank.waiter, 2, Access::Exclusive)
                        .unwrap();
                }
                let value = rank.read(2, 0) + 1;
                let origin = words(&vec![value; count]);
                let origin = Buffer::bytes(origin.buf());
                rank.member
                    .put(2, 0, count as i64, ty(MPI_INT64_T), &origin)
                    .unwrap();
                assert!(rank.member.unlock(2, |other| rank.waiter.wake(other)));
            } else {
                let wake = |other| rank.waiter.wake(other);
                if time % 3 > 0 || !rank.member.try_lock(2, Access::Shared, wake) {
                    rank.member.lock(&rank.waiter, 2, Access::Shared).unwrap();
                }
                let seen = words(&vec![-1; count]);
                let into = Buffer::bytes(seen.buf());
                rank.member
                    .get(2, 0, count as i64, ty(MPI_INT64_T), &into)
                    .unwrap();
                assert!(rank.member.unlock(2, |other| rank.waiter.wake(other)));
                assert!((0..count).all(|index| word(&seen, index) == word(&seen, 0)));
            }
        }
        rank.barrier();
        assert_eq!(rank.read(2, 511), 200);
    });
}

/// One rank locks and unlocks many times, then stops: the others need not wait for it.
#[test]
fn a_lock_that_was_taken_many_times_is_free_once_it_is_released() {
    const OFTEN: usize = 10_000;
    for access in [Access::Exclusive, Access::Shared] {
        run(&plan(3, 8), 2, |rank| {
            let (member, wait) = (&rank.member, &rank.waiter);
            let wake = |other| wait.wake(other);
            if rank.rank == 0 {
                for time in 0..OFTEN {
                    if time % 2 > 0 || !member.try_lock(1, access, wake) {
                        member.lock(wait, 1, access).unwrap();
                    }
                    assert!(!member.try_lock(1, access, wake), "held already");
                    assert!(member.unlock(1, wake));
                    assert!(!member.unlock(1, wake), "released already");
                }
                rank.barrier();
                rank.barrier();
                member.lock(wait, 1, Access::Shared).unwrap();
                assert!(member.unlock(1, wake));
                return;
            }
            rank.barrier();
            for kind in [Access::Exclusive, Access::Shared] {
                member.lock(wait, 1, kind).unwrap();
                assert!(member.unlock(1, wake));
            }
            rank.barrier();
        });
    }
}

/// One rank locks often and others rarely: no increment made under the lock is lost.
#[test]
fn frequent_and_rare_holders_exclude_each_other() {
    const OFTEN: i64 = 200_000;
    const SELDOM: i64 = 20;
    run(&plan(3, 64), 1, |rank| {
        let (member, wait) = (&rank.member, &rank.waiter);
        let wake = |other| wait.wake(other);
        let times = if rank.rank == 0 { OFTEN } else { SELDOM };
        for time in 0..times {
            if rank.rank > 0 {
                // Polls the other rank's progress without the lock, so as not to come too early.
                let due = (time + 1) * OFTEN / (SELDOM + 1);
                while rank.read(2, 7) < due {
                    std::thread::yield_now();
                }
            }
            let (access, writes) = match rank.rank {
                1 if time % 2 == 0 => (Access::Shared, 0),
                _ => (Access::Exclusive, 1),
            };
            if !member.try_lock(2, access, wake) {
                member.lock(wait, 2, access).unwrap();
            }
            let (first, last) = (rank.read(2, 0), rank.read(2, 6));
            assert_eq!(first, last);
            // Long enough for another rank to interfere, if it could.
            let pauses = if rank.rank > 0 { 20_000 } else { 2 };
            (0..pauses).for_each(|_| std::hint::spin_loop());
            assert_eq!(rank.read(2, 0), first);
            let memory = member.memory(2);
            for word in 0..7 * writes {
                memory.write(word * 8, &(first + 1).to_ne_bytes());
            }
            if rank.rank == 0 {
                memory.write(56, &(time + 1).to_ne_bytes());
            }
            assert!(member.unlock(2, wake));
            // Now and then outside for long enough that another rank takes the lock.
            let pauses = if time % 64 == 0 { 2000 } else { 2 };
            (0..pauses).for_each(|_| std::hint::spin_loop());
        }
        rank.barrier();
        assert_eq!(rank.read(2, 6), OFTEN + SELDOM + SELDOM / 2);
    });
}

/// Each exposes its memory to its neighbours in turn, and gets what they put.
#[test]
fn posts_and_starts_go_together_round_after_round() {
    run(&plan(3, 64), 1, |rank| {
        let (me, size) = (rank.rank, rank.size);
        let (left, right) = ((me + size - 1) % size, (me + 1) % size);
        for round in 1..200 {
            rank.member.post(&rank.waiter, [left].into_iter());
            rank.member
                .start(&rank.waiter, [right].into_iter())
                .unwrap();
            let origin = words(&[round * 10 + i64::from(me)]);
            rank.member
                .put(right, 16, 1, ty(MPI_INT64_T), &Buffer::bytes(origin.buf()))
                .unwrap();
            rank.member.complete(&rank.waiter, [right].into_iter());
            rank.member.wait(&rank.waiter, [left].into_iter()).unwrap();
            assert_eq!(rank.read(me, 2), round * 10 + i64::from(left));
            if round % 10 == 0 {
                // One exposes to all others, in an epoch of its own.
                if me == 1 {
                    rank.member.post(&rank.waiter, [0, 2].into_iter());
                    rank.member.wait(&rank.waiter, [0, 2].into_iter()).unwrap();
                    assert_eq!(rank.read(1, 4), round);
                    assert_eq!(rank.read(1, 6), round);
                } else {
                    rank.member.start(&rank.waiter, [1].into_iter()).unwrap();
                    let origin = words(&[round]);
                    let at = 32 + 8 * i64::from(me);
                    let origin = Buffer::bytes(origin.buf());
                    rank.member.put(1, at, 1, ty(MPI_INT64_T), &origin).unwrap();
                    rank.member.complete(&rank.waiter, [1].into_iter());
                }
            }
        }
    });
}

#[test]
fn each_post_is_started_on_once() {
    run(&plan(2, 64), 1, |rank| {
        let other = [1 - rank.rank];
        for _ in 0..100 {
            if rank.rank == 0 {
                rank.member.post(&rank.waiter, other.into_iter());
                rank.member.wait(&rank.waiter, other.into_iter()).unwrap();
            } else {
                while !rank.member.start_posted(other.into_iter()) {
                    std::thread::yield_now();
                }
                assert!(!rank.member.start_posted(other.into_iter()));
                rank.member.complete(&rank.waiter, other.into_iter());
            }
        }
    });
}

#[test]
fn nothing_outside_the_window_is_touched() {
    run(&plan(2, 40), 2, |rank| {
        let column = Arc::new(Datatype::vector(3, 1, 2, ty(MPI_INT)).unwrap());
        let back = Arc::new(Datatype::vector(2, 1, -2, ty(MPI_INT)).unwrap());
        let origin = words(&[-1; 64]);
        let from = |len| Buffer::bytes(origin.buf().part(0, len));
        let bad = [
            (-1, 1, ty(MPI_INT)),
            (37, 1, ty(MPI_INT)),
            (0, 11, ty(MPI_INT)),
            (0, i64::MAX, ty(MPI_INT64_T)),
            (i64::MIN, 1, ty(MPI_INT)),
            (i64::MAX, 1, ty(MPI_INT)),
            (24, 1, &column),
            (-4, 1, &column),
            (4, 1, &back),
            (i64::MIN, 2, &back),
            (0, i64::MAX / 2, &column),
        ];
        for (at, count, datatype) in bad {
            let len = (datatype.size() as usize).saturating_mul(count as usize);
            let buffer = from(len.min(500));
            let what = format!("{count} of {} at {at}", datatype.name());
            let (wait, member) = (&rank.waiter, &rank.member);
            let refused = [
                member.put(1, at, count, datatype, &buffer),
                member.get(1, at, count, datatype, &buffer),
                member.accumulate(wait, 1, at, count, datatype, Op::Sum, &buffer),
                member.get_accumulate(wait, 1, at, count, datatype, Op::Sum, &buffer, &buffer),
            ];
            for refused in refused {
                let is_range = matches!(
                    refused,
                    Err(Error::Range {
                        rank: 1,
                        size: 40,
                        ..
                    })
                );
                assert!(is_range, "{what}: {refused:?}");
            }
        }
        for at in [-1, 33, 40, i64::MAX, i64::MIN] {
            let buf = origin.buf();
            let (wait, member) = (&rank.waiter, &rank.member);
            let refused = member.compare_and_swap(wait, 1, at, ty(MPI_INT64_T), [buf; 3]);
            assert!(matches!(refused, Err(Error::Range { .. })));
            assert!(member.range(1, at as u64, 8).is_none());
        }
        rank.barrier();
        assert_eq!([0, 1, 2, 3, 4].map(|index| rank.read(1, index)), [0; 5]);
        rank.barrier();
        // Its last bytes are inside, and no bytes are nowhere outside.
        rank.member
            .put(rank.rank, 36, 1, ty(MPI_INT), &from(4))
            .unwrap();
        rank.member
            .put(1, 1 << 40, 0, ty(MPI_INT), &from(0))
            .unwrap();
        assert_eq!(rank.read(rank.rank, 4) >> 32, -1);
    });
}

#[test]
fn elements_with_gaps_and_padding_are_combined_and_what_lies_between_stays() {
    run(&plan(2, 64), 2, |rank| {
        if rank.rank != 0 {
            return;
        }
        let member = &rank.member;
        let (long_int, short_int) = (ty(MPI_LONG_INT), ty(MPI_SHORT_INT));
        let memory = member.memory(1);
        memory.write(0, &[0x55; 64]);
        // Pairs with padding behind (long, int) and between (short, int).
        memory.write(0, &50i64.to_ne_bytes());
        memory.write(8, &3i32.to_ne_bytes());
        memory.write(16, &50i16.to_ne_bytes());
        memory.write(20, &3i32.to_ne_bytes());
        let origin = Scratch::new(16);
        let result = Scratch::new(16);
        origin.buf().write(0, &50i64.to_ne_bytes());
        origin.buf().write(8, &1i32.to_ne_bytes());
        let [pair, old] =
            [&origin, &result].map(|room| Buffer::over(room.buf(), 1, long_int).unwrap());
        member
            .get_accumulate(&rank.waiter, 1, 0, 1, long_int, Op::Maxloc, &pair, &old)
            .unwrap();
        assert_eq!(word(&result, 1), 3);
        origin.buf().write(0, &51i16.to_ne_bytes());
        origin.buf().write(4, &9i32.to_ne_bytes());
        let short = Buffer::over(origin.buf(), 1, short_int).unwrap();
        member
            .accumulate(&rank.waiter, 1, 16, 1, short_int, Op::Maxloc, &short)
            .unwrap();
        let mut seen = [0; 24];
        memory.read(0, &mut seen);
        assert_eq!(seen[..12], [50, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(seen[12..16], [0x55; 4]);
        assert_eq!(seen[16..], [51, 0, 0x55, 0x55, 9, 0, 0, 0]);
        // Every other double of three, into a result with other gaps.
        let spread = Arc::new(Datatype::vector(2, 1, 2, ty(MPI_DOUBLE)).unwrap());
        for index in 0..3 {
            memory.write(24 + index * 8, &(index as f64).to_ne_bytes());
        }
        let [a, b] = [words(&[0; 2]), words(&[0; 3])];
        a.buf().write(0, &0.5f64.to_ne_bytes());
        a.buf().write(8, &0.25f64.to_ne_bytes());
        let old = Buffer::over(b.buf(), 1, &spread).unwrap();
        let origin = Buffer::bytes(a.buf());
        member
            .get_accumulate(&rank.waiter, 1, 24, 1, &spread, Op::Sum, &origin, &old)
            .unwrap();
        let real = |index| f64::from_bits(rank.read(1, index) as u64);
        assert_eq!([3, 4, 5].map(real), [0.5, 1.0, 2.25]);
        assert_eq!(
            [0, 2].map(|i| f64::from_bits(word(&b, i) as u64)),
            [0.0, 2.0]
        );
    });
}

#[test]
fn what_does_not_go_together_is_refused() {
    run(&plan(1, 64), 2, |rank| {
        let (member, wait) = (&rank.member, &rank.waiter);
        let buf = words(&[0; 4]);
        let bytes = |len| Buffer::bytes(buf.buf().part(0, len));
        let is_datatype = |refused: Result<(), Error>| matches!(refused, Err(Error::Datatype(_)));
        let (op, double) = (Op::Band, ty(MPI_DOUBLE));
        assert!(is_datatype(member.accumulate(
            wait,
            0,
            0,
            1,
            double,
            op,
            &bytes(8)
        )));
        assert!(is_datatype(member.accumulate(
            wait,
            0,
            0,
            2,
            double,
            Op::Sum,
            &bytes(8)
        )));
        assert!(is_datatype(member.put(0, 0, 1, double, &bytes(16))));
        let (short, long) = (&bytes(8), &bytes(16));
        let refused = member.get_accumulate(wait, 0, 0, 2, double, Op::Sum, long, short);
        assert!(is_datatype(refused));
        let buf = buf.buf();
        assert!(is_datatype(
            member.compare_and_swap(wait, 0, 0, double, [buf; 3])
        ));
        let mixed =
            Datatype::structure(&[1, 1], &[0, 8], &[ty(MPI_INT64_T).clone(), double.clone()]);
        let mixed = Arc::new(mixed.unwrap());
        assert!(is_datatype(member.accumulate(
            wait,
            0,
            0,
            1,
            &mixed,
            Op::Sum,
            &bytes(16)
        )));
    });
}

#[test]
fn sixteen_bytes_are_compared_under_the_lock() {
    run(&plan(2, 16), 2, |rank| {
        let [new, old, seen] = [words(&[1, 2]), words(&[0, 0]), words(&[9, 9])];
        let buffers = [new.buf(), old.buf(), seen.buf()];
        let [new, compare, result] = buffers;
        let (member, wait) = (&rank.member, &rank.waiter);
        let integer = ty(MPI_INTEGER16);
        assert_eq!(integer.size(), 16);
        member
            .compare_and_swap(wait, 0, 0, integer, [new, compare, result])
            .unwrap();
        assert!([[0, 0], [1, 2]].contains(&[word(&seen, 0), word(&seen, 1)]));
        rank.barrier();
        assert_eq!([rank.read(0, 0), rank.read(0, 1)], [1, 2]);
    });
}

#[test]
fn who_does_not_get_a_lock_leaves_it_to_its_holder() {
    run(&plan(1, 8), 1, |rank| {
        let member = &rank.member;
        let there = (0, member.range(0, 0, 8).unwrap());
        let [one, seen] = [words(&[1]), words(&[7])];
        let sum = ty(MPI_INT64_T).combining(Op::Sum).unwrap();
        let held = member.hold_here(|_| false);
        for _ in 0..2 {
            assert!(!member.combine_bytes(there, sum, one.buf(), None, |_| ()));
            assert!(!member.swap_bytes(there, [one.buf(), one.buf(), seen.buf()], |_| ()));
        }
        assert_eq!([rank.read(0, 0), word(&seen, 0)], [0, 7], "nothing is done");
        drop(held);
        assert!(member.combine_bytes(there, sum, one.buf(), None, |_| ()));
        assert_eq!(rank.read(0, 0), 1);
    });
}

/// A rank dies with one lock in its hands and another one before its turn.
#[test]
fn locks_of_the_dead_are_taken_from_them() {
    let order = AtomicU64::new(0);
    run(&plan(4, 8), 1, |rank| {
        let (member, wait) = (&rank.member, &rank.waiter);
        if rank.rank == 0 {
            member.lock(wait, 1, Access::Exclusive).unwrap();
            assert!(
                member.lock(wait, 1, Access::Shared).is_err(),
                "held already"
            );
            let _asked = member.ask(2, 0, Access::Shared).unwrap();
            std::mem::forget(member.hold_here(|_| false));
            rank.barrier();
            rank.bury(0);
            return;
        }
        rank.barrier();
        for place in [1, 2] {
            member.lock(wait, place, Access::Exclusive).unwrap();
            assert_eq!(order.fetch_add(1, Ordering::AcqRel) & 1, 0, "alone");
            order.fetch_add(1, Ordering::AcqRel);
            assert!(member.unlock(place, |other| wait.wake(other)));
            member.lock(wait, place, Access::Shared).unwrap();
            assert!(member.unlock(place, |other| wait.wake(other)));
            assert!(
                !member.unlock(place, |other| wait.wake(other)),
                "released already"
            );
        }
        rank.fetch(0, 0, Op::Sum, 1);
        assert!(rank.read(0, 0) <= 3);
    });
}

#[test]
fn a_wait_for_a_dead_rank_ends_with_its_death() {
    run(&plan(3, 8), 1, |rank| {
        let (member, wait) = (&rank.member, &rank.waiter);
        match rank.rank {
            0 => rank.bury(0),
            1 => assert_eq!(
                member.start(wait, [0].into_iter()),
                Err(Error::Died { rank: 0 })
            ),
            _ => {
                member.post(wait, [0].into_iter());
                assert_eq!(
                    member.wait(wait, [0].into_iter()),
                    Err(Error::Died { rank: 0 })
                );
            }
        }
    });
}

#[test]
fn a_rank_that_is_not_in_keeps_all_from_the_segment() {
    let plan = plan(2, 4096);
    let (creator, invitation) = Handshake::create(plan.clone());
    let mut other = Handshake::attach(plan.clone(), 1, &invitation);
    assert_eq!((creator.failure(), other.failure()), (None, None));
    let mut wrong = plan.clone();
    wrong.sizes[1] += 4096;
    let apart = Handshake::attach(wrong, 1, &invitation);
    let why = apart.failure().unwrap();
    assert!(why.contains("the segment of rank 0 has"), "{why}");
    let nowhere = Handshake::attach(plan.clone(), 1, &handshake::none());
    assert_eq!(nowhere.failure(), Some("rank 0 has no segment"));
    other.refuse("messages go another way".into());
    let statuses = [creator.status(), other.status()];
    let why = creator.complete(0, &statuses).err().unwrap();
    assert!(why.contains("rank 1"), "{why}");
    let why = other.complete(1, &statuses).err().unwrap();
    assert!(why.contains("another way"), "{why}");
    let mut huge = plan;
    huge.sizes = vec![1 << 60, 1 << 60];
    let (created, invitation) = Handshake::create(huge);
    let why = created.failure().unwrap();
    assert!(
        why.contains(&(1u64 << 60).to_string()) || why.contains("bytes"),
        "{why}"
    );
    assert_eq!(invitation, handshake::none());
}
