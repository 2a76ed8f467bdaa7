//! Tests of the results of every collective: sizes around those of slots, all roots, datatypes with
//! gaps, in place, operators that do not commute, in programs in which ranks get ahead of others.
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

mod common;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use coll::{
    Blocks, Combine, Difference, Error, Failure, Function, Operator, Reduction, Signature, Vector,
};
use coll_sm::{Copies, Exchange, NodeCall, Settings, Wait};
use common::{data, element, run, tight, Area, Random, Rank};
use datatype::{predefined, Datatype, Op};
use memory::UserBuf;

/// Bytes of a block: none, shorter and longer than a line, around slots and their parts, large.
const LENGTHS: &[usize] = &[
    0, 8, 48, 56, 128, 504, 1016, 1024, 1032, 2048, 5000, 8192, 12_280, 12_288, 40_000,
];

/// The operator that composes affine maps on 32-bit integers, which does not commute.
struct Affine;

impl Combine for Affine {
    fn commutative(&self) -> bool {
        false
    }

    fn combine(
        &self,
        _: &Datatype,
        source: UserBuf,
        inout: UserBuf,
        count: usize,
    ) -> Result<(), Failure> {
        for at in (0..count).map(|index| index * 8) {
            let get = |from: UserBuf| {
                let mut bytes = [0; 8];
                from.read(at, &mut bytes);
                u64::from_ne_bytes(bytes)
            };
            inout.write(at, &compose(get(source), get(inout)).to_ne_bytes());
        }
        Ok(())
    }
}

fn compose(first: u64, then: u64) -> u64 {
    let split = |pair: u64| (pair as u32, (pair >> 32) as u32);
    let ((a, b), (c, d)) = (split(first), split(then));
    let (e, f) = (a.wrapping_mul(c), b.wrapping_mul(c).wrapping_add(d));
    u64::from(e) | u64::from(f) << 32
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    let word = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().unwrap());
    bytes.chunks_exact(8).map(word)
}

/// Returns the vectors combined in rank order.
fn combined(vectors: &[Vec<u8>], affine: bool) -> Vec<u8> {
    let op = |a: u64, b: u64| if affine { compose(a, b) } else { a ^ b };
    let mut result: Vec<u64> = words(&vectors[0]).collect();
    for vector in &vectors[1..] {
        result = result
            .iter()
            .zip(words(vector))
            .map(|(a, b)| op(*a, b))
            .collect();
    }
    result.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// A program of collective calls, drawn from random numbers that are equal at all ranks.
struct Program {
    rank: Rank,
    random: Random,
    tag: u64,
    /// Whether half of the reductions are in place.
    in_place: bool,
    /// Makes a call.
    call: fn(&mut Rank, NodeCall) -> Result<(), Error>,
}

impl Program {
    fn new(rank: Rank, seed: u64) -> Program {
        Program {
            rank,
            random: Random::new(seed),
            tag: seed << 32,
            in_place: true,
            call: Rank::call,
        }
    }

    /// Returns a program of short calls.
    fn of_short_calls(rank: Rank, seed: u64) -> Program {
        let call = Rank::call_short;
        Program {
            call,
            ..Program::new(rank, seed)
        }
    }

    fn call(&mut self, node_call: NodeCall) {
        (self.call)(&mut self.rank, node_call).unwrap();
    }

    fn step(&mut self, kind: usize, len: usize, root: u32) {
        self.tag += 1000;
        match kind {
            0 => self.barrier(),
            1 => self.bcast(root, len),
            2 => self.reduce(root, len),
            3 => self.allreduce(len),
            4 => self.allgather(len),
            5 => self.alltoall(len),
            6 => self.gather(root, len),
            _ => self.scatter(root, len),
        }
    }

    fn of(&self, rank: u32, len: usize) -> Vec<u8> {
        data(self.tag + u64::from(rank), len)
    }

    fn pair(&self, from: u32, to: u32, len: usize) -> Vec<u8> {
        data(self.tag + u64::from(from * self.rank.size + to), len)
    }

    /// Returns a datatype with or without gaps, drawn by each rank for itself.
    fn gaps(&mut self) -> Arc<Datatype> {
        let drawn = self.random.next();
        element((drawn >> (self.rank.rank % 16)) & 1 == 1)
    }

    fn barrier(&mut self) {
        self.call(NodeCall::Barrier);
    }

    fn bcast(&mut self, root: u32, len: usize) {
        let datatype = self.gaps();
        let sent = self.of(root, len);
        let area = match self.rank.rank == root {
            true => Area::holding(&datatype, &sent),
            false => Area::new(&datatype, len),
        };
        self.call(NodeCall::Bcast(root, &area.buffer));
        area.expect(&sent, &format!("bcast of {len} from {root}"));
    }

    fn reduction(&mut self, len: usize) -> (Reduction, Vec<u8>) {
        let affine = self.random.next().is_multiple_of(2);
        let operator = match affine {
            true => Operator::User(Arc::new(Affine)),
            false => Operator::Predefined(Op::Bxor),
        };
        let datatype = predefined(0x259).expect("MPI_UINT64_T").clone();
        let size = self.rank.size;
        let all: Vec<Vec<u8>> = (0..size).map(|rank| self.of(rank, len)).collect();
        let reduction = Reduction {
            operator,
            datatype,
            vectors: datatype::Vectors::best(),
        };
        (reduction, combined(&all, affine))
    }

    /// Returns the vectors of this rank; all ranks draw alike whether they are in place.
    fn vectors(&mut self, len: usize, receives: bool) -> (Area, Area, Vector) {
        let mine = self.of(self.rank.rank, len);
        let datatype = element(false);
        let in_place = self.random.next().is_multiple_of(2) && receives && self.in_place;
        let send = Area::holding(&datatype, &mine);
        let recv = match in_place {
            true => Area::holding(&datatype, &mine),
            false => Area::new(&datatype, len),
        };
        let vector = Vector {
            send: (!in_place).then(|| send.buffer.clone()),
            recv: receives.then(|| recv.buffer.clone()),
            count: len / 8,
        };
        (send, recv, vector)
    }

    fn reduce(&mut self, root: u32, len: usize) {
        let (reduction, expected) = self.reduction(len);
        let is_root = self.rank.rank == root;
        let (send, recv, vector) = self.vectors(len, is_root);
        self.call(NodeCall::Reduce(root, &reduction, &vector));
        if is_root {
            recv.expect(&expected, &format!("reduce of {len} to {root}"));
        }
        send.expect(&self.of(self.rank.rank, len), "what was sent");
    }

    fn allreduce(&mut self, len: usize) {
        let (reduction, expected) = self.reduction(len);
        let (send, recv, vector) = self.vectors(len, true);
        self.call(NodeCall::Allreduce(&reduction, &vector));
        recv.expect(&expected, &format!("allreduce of {len}"));
        send.expect(&self.of(self.rank.rank, len), "what was sent");
    }

    fn all_blocks(&self, len: usize, of: impl Fn(u32) -> Vec<u8>) -> Vec<u8> {
        let _ = len;
        (0..self.rank.size).flat_map(of).collect()
    }

    /// Returns an area in which only this rank's block is filled.
    fn with_own(&self, datatype: &Arc<Datatype>, len: usize) -> Area {
        let area = Area::new(datatype, len * self.rank.size as usize);
        let blocks = Blocks::even(area.buffer.clone(), self.rank.size);
        if len > 0 {
            let mine = self.of(self.rank.rank, len);
            blocks.block(self.rank.rank).unpack(0, mine[..].into());
        }
        area
    }

    fn allgather(&mut self, len: usize) {
        let (sending, receiving) = (self.gaps(), self.gaps());
        let in_place = self.random.next().is_multiple_of(2);
        let expected = self.all_blocks(len, |rank| self.of(rank, len));
        let send = Area::holding(&sending, &self.of(self.rank.rank, len));
        let recv = match in_place {
            true => self.with_own(&receiving, len),
            false => Area::new(&receiving, expected.len()),
        };
        let size = self.rank.size;
        let blocks = Blocks::even(recv.buffer.clone(), size);
        let send = (!in_place).then_some(&send.buffer);
        self.call(NodeCall::Allgather(send, &blocks));
        recv.expect(&expected, &format!("allgather of {len}"));
    }

    fn alltoall(&mut self, len: usize) {
        let (sending, receiving) = (self.gaps(), self.gaps());
        let in_place = self.random.next().is_multiple_of(2);
        let me = self.rank.rank;
        let sent = self.all_blocks(len, |to| self.pair(me, to, len));
        let expected = self.all_blocks(len, |from| self.pair(from, me, len));
        let send = Area::holding(&sending, &sent);
        let recv = match in_place {
            true => Area::holding(&receiving, &sent),
            false => Area::new(&receiving, expected.len()),
        };
        let size = self.rank.size;
        let blocks = Blocks::even(recv.buffer.clone(), size);
        let sends = Blocks::even(send.buffer.clone(), size);
        let sends = (!in_place).then_some(&sends);
        self.call(NodeCall::Alltoall(sends, &blocks));
        recv.expect(&expected, &format!("alltoall of {len}"));
    }

    fn gather(&mut self, root: u32, len: usize) {
        let (sending, receiving) = (self.gaps(), self.gaps());
        let is_root = self.rank.rank == root;
        let in_place = self.random.next().is_multiple_of(2) && is_root;
        let expected = self.all_blocks(len, |rank| self.of(rank, len));
        let send = Area::holding(&sending, &self.of(self.rank.rank, len));
        let recv = match in_place {
            true => self.with_own(&receiving, len),
            false => Area::new(&receiving, expected.len()),
        };
        let sent = (!in_place).then_some(&send.buffer);
        let into = is_root.then_some(&recv.buffer);
        self.call(NodeCall::Gather(root, sent, into));
        if is_root {
            recv.expect(&expected, &format!("gather of {len} to {root}"));
        }
    }

    fn scatter(&mut self, root: u32, len: usize) {
        let (sending, receiving) = (self.gaps(), self.gaps());
        let is_root = self.rank.rank == root;
        let in_place = self.random.next().is_multiple_of(2) && is_root;
        let sent = self.all_blocks(len, |rank| self.of(rank, len));
        let send = Area::holding(&sending, &sent);
        let recv = Area::new(&receiving, len);
        let from = is_root.then_some(&send.buffer);
        let into = (!in_place).then_some(&recv.buffer);
        self.call(NodeCall::Scatter(root, from, into));
        if !in_place {
            recv.expect(
                &self.of(self.rank.rank, len),
                &format!("scatter of {len} from {root}"),
            );
        }
    }
}

const KINDS: usize = 8;

/// Runs every short collective from every root.
fn all_short_ones(rank: Rank) {
    let size = rank.size;
    let mut program = Program::of_short_calls(rank, 5);
    // Of the data for all others a slot has room.
    let most = tight().slot_bytes / (size as usize - 1);
    for len in [0, 8, 48, 56, 128, most].map(|len| len.min(most)) {
        for kind in 0..KINDS {
            for root in 0..size {
                // A reduction of nothing is not a short call.
                let len = if [2, 3].contains(&kind) {
                    len.max(8)
                } else {
                    len
                };
                program.step(kind, len / 8 * 8, root);
            }
        }
    }
}

/// Runs random calls, one after the other.
fn wander(rank: Rank, seed: u64, steps: usize) {
    let size = rank.size;
    let mut program = Program::new(rank, seed);
    for _ in 0..steps {
        let kind = program.random.below(KINDS);
        let mut len = LENGTHS[program.random.below(LENGTHS.len())];
        if program.random.below(4) > 0 {
            // Mostly small lengths, with which ranks get far ahead of each other.
            len = len.min(128);
        }
        let root = program.random.below(size as usize) as u32;
        program.step(kind, len / 8 * 8, root);
    }
}

/// Runs every collective with every length and every root.
fn all_of_it(rank: Rank) {
    let size = rank.size;
    let mut program = Program::new(rank, 7);
    for len in LENGTHS {
        for kind in 0..KINDS {
            let rooted = [1, 2, 6, 7].contains(&kind);
            for root in 0..if rooted { size } else { 1 } {
                program.step(kind, len / 8 * 8, root);
            }
        }
    }
}

#[test]
fn every_collective_of_every_length_from_every_root() {
    for size in 2..=6 {
        run(size, tight(), false, 50, all_of_it);
    }
}

#[test]
fn nobody_leaves_a_barrier_before_all_came() {
    for (size, crowded) in [(2, false), (5, false), (12, false), (12, true)] {
        let came = AtomicU64::new(0);
        run(size, tight(), crowded, 50, |mut rank| {
            for turn in 1..=100 {
                came.fetch_add(1, Ordering::Relaxed);
                rank.member.barrier(&rank.waiter).unwrap();
                let all = came.load(Ordering::Relaxed);
                assert!(
                    all >= turn * u64::from(size),
                    "{all} came to barrier {turn}"
                );
            }
        });
    }
}

#[test]
fn every_short_collective_from_every_root() {
    for (size, crowded) in [(2, false), (3, false), (5, true), (9, false), (13, false)] {
        run(size, tight(), crowded, 50, all_short_ones);
    }
}

/// Checks that short calls complete in turn with more of them under way than there are slots, while
/// blocking calls go on beside them. In a reduction only the root waits for others, which are done
/// with many later calls before it reads its own operand.
#[test]
fn many_short_calls_may_be_under_way() {
    const CALLS: usize = 60;
    for (size, crowded) in [(2, false), (3, true), (10, false)] {
        run(size, tight(), crowded, 50, |rank| {
            let mut program = Program::new(rank, 17);
            for _ in 0..10 {
                let (reduction, _) = program.reduction(64);
                let mut calls = Vec::new();
                for call in 0..CALLS as u32 {
                    program.tag += 1000;
                    let is_root = call % size == program.rank.rank;
                    calls.push((program.tag, program.vectors(64, is_root)));
                }
                let node_call = |call: usize| {
                    let (_, (.., vector)) = &calls[call];
                    NodeCall::Reduce(call as u32 % size, &reduction, vector)
                };
                let exchanges = &mut program.rank.exchanges;
                let mut begun: Vec<Exchange> = (0..CALLS).map(|_| exchanges.begin()).collect();
                for call in 0..CALLS {
                    let Rank {
                        exchanges, waiter, ..
                    } = &mut program.rank;
                    let show = |(at, begun): (usize, &mut Exchange)| {
                        exchanges.show(begun, &node_call(call + at), |rank| waiter.wake(rank))
                    };
                    let shown = begun[call..].iter_mut().enumerate().map(show);
                    let shown = shown.take_while(|shown| *shown).count();
                    assert!(shown <= 16, "{shown} calls have a slot");
                    if call % 20 == 0 {
                        program.rank.call(NodeCall::Barrier).unwrap();
                    }
                    program
                        .rank
                        .complete(&mut begun[call], node_call(call))
                        .unwrap();
                }
                for (call, (tag, (send, recv, _))) in calls.iter().enumerate() {
                    program.tag = *tag;
                    send.expect(&program.of(program.rank.rank, 64), "what was sent");
                    if call as u32 % size == program.rank.rank {
                        let all: Vec<_> = (0..size).map(|rank| program.of(rank, 64)).collect();
                        let affine = matches!(reduction.operator, Operator::User(_));
                        recv.expect(&combined(&all, affine), &format!("call {call}"));
                    }
                }
            }
        });
    }
}

/// Checks that ranks whose short calls differ get an error where they read, and stay in step.
#[test]
fn short_calls_that_differ_fail_and_the_ranks_stay_in_step() {
    run(3, tight(), false, 50, |mut rank| {
        let area = Area::new(&element(false), 64 * 3);
        let (me, other) = (rank.rank, (rank.rank + 1) % 3);
        let own = area.buffer.elements(0, 64);
        for turn in 0..3 {
            let node_call = match turn {
                // Each awaits another.
                0 => NodeCall::Bcast(other, &own),
                1 => NodeCall::Gather(me, None, Some(&area.buffer)),
                _ if me == 2 => NodeCall::Bcast(0, &own),
                _ => NodeCall::Barrier,
            };
            let result = rank.call_short(node_call);
            match turn {
                2 => assert_eq!(difference(&result), Difference::Function),
                _ => assert_eq!(difference(&result), Difference::Root),
            }
            let short = area.buffer.elements(0, if me == 0 { 32 } else { 64 });
            let result = rank.call_short(NodeCall::Bcast(0, &short));
            match (me, &result) {
                (0, Ok(())) => {}
                (
                    _,
                    Err(Error::Length {
                        expected, received, ..
                    }),
                ) => {
                    assert_eq!((*expected, *received), (64, 32));
                }
                other => panic!("{other:?}"),
            }
            rank.call_short(NodeCall::Barrier).unwrap();
        }
    });
}

#[test]
fn sleepers_in_short_calls_are_woken() {
    let sleeps = AtomicU64::new(0);
    run(4, tight(), true, 1, |rank| {
        let mut program = Program::of_short_calls(rank, 13);
        for step in 0..400 {
            if step % 10 == 0 && step as u32 / 10 % 4 == program.rank.rank {
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            program.step(step % KINDS, 64, step as u32 % 4);
        }
        let slept = program.rank.waiter.sleeps.load(Ordering::Relaxed);
        sleeps.fetch_add(u64::from(slept), Ordering::Relaxed);
    });
    assert!(sleeps.load(Ordering::Relaxed) > 0, "nobody slept");
}

#[test]
fn many_ranks_go_by_levels_and_crowded_ones_do_not() {
    for (size, crowded) in [(9, false), (13, false), (17, false), (17, true)] {
        run(size, tight(), crowded, 50, |rank| wander(rank, 3, 60));
    }
}

/// Many ranks on few cores pay for sleeps: each makes one or two in a call, however many ranks
/// there are.
#[test]
fn a_rank_of_a_crowd_sleeps_no_more_often_the_more_ranks_there_are() {
    const CALLS: u32 = 30;
    for size in [16, 64] {
        let sleeps = AtomicU64::new(0);
        run(size, tight(), true, 0, |rank| {
            let mut program = Program::new(rank, 23);
            for _ in 0..CALLS {
                program.barrier();
                program.allreduce(64);
            }
            let slept = program.rank.waiter.sleeps.load(Ordering::Relaxed);
            sleeps.fetch_add(u64::from(slept), Ordering::Relaxed);
        });
        let each = sleeps.into_inner() as f64 / f64::from(size * 2 * CALLS);
        assert!(each < 1.5, "{size} ranks: {each:.1} sleeps each in a call");
    }
}

#[test]
fn calls_in_a_row_stay_in_step() {
    for seed in 0..6 {
        let size = 2 + seed as u32 % 7;
        run(size, tight(), false, 50, |rank| wander(rank, seed, 400));
    }
}

#[test]
fn without_direct_copies_all_goes_through_the_slots() {
    let settings = Settings {
        copies: Copies::Never,
        ..tight()
    };
    for size in [2, 3, 5] {
        run(size, settings, false, 50, all_of_it);
    }
}

/// Long blocks: of four size classes, the shortest in the middle of one.
const LONG: [usize; 5] = [32_768, 40_000, 65_536, 131_080, 300_000];

#[test]
fn ranks_that_measure_stay_in_step_and_all_data_is_right() {
    let settings = Settings {
        copies: Copies::Measured,
        slot_bytes: 16 << 10,
        ..tight()
    };
    for (size, steps) in [(2, 200), (3, 100), (9, 20)] {
        run(size, settings, false, 50, |rank| {
            let mut program = Program::new(rank, u64::from(size));
            for step in 0..steps {
                let kind = program.random.below(KINDS);
                let drawn = program.random.below(2 * LONG.len());
                let len = LONG.get(drawn).copied().unwrap_or(64 << 10);
                program.step(kind, len / 8 * 8, step % size);
            }
        });
    }
}

/// Has the system refuse this thread's copies between processes, as a filter that a program
/// installs would.
fn refuse_copies() {
    const LOAD_NUMBER: u16 = 0x20;
    const JUMP_IF_EQUAL: u16 = 0x15;
    const RETURN: u16 = 0x06;
    let line = |code, jt, jf, k| libc::sock_filter { code, jt, jf, k };
    let refused = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
    let mut lines = [
        line(LOAD_NUMBER, 0, 0, 0),
        line(JUMP_IF_EQUAL, 2, 0, libc::SYS_process_vm_readv as u32),
        line(JUMP_IF_EQUAL, 1, 0, libc::SYS_process_vm_writev as u32),
        line(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
        line(RETURN, 0, 0, refused),
    ];
    let filter = libc::sock_fprog {
        len: lines.len() as u16,
        filter: lines.as_mut_ptr(),
    };
    // SAFETY: the filter and its lines live through the calls, which change this thread alone.
    let installed = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &filter)
    };
    assert_eq!(installed, 0, "{}", std::io::Error::last_os_error());
}

/// Runs one call of each kind for each rank that is refused copies in it, and two more.
#[test]
fn where_the_system_refuses_copies_later_the_call_goes_through_slots() {
    for size in [2, 3, 4] {
        for (kind, refused) in (1..KINDS).flat_map(|kind| (0..size).map(move |one| (kind, one))) {
            run(size, tight(), false, 50, |rank| {
                let me = rank.rank;
                let mut program = Program::new(rank, 5);
                program.in_place = false;
                program.step(kind, 40_000, 0);
                if me == refused {
                    refuse_copies();
                }
                program.step(kind, 40_000, 0);
                program.step(kind, 40_000, size - 1);
                program.step(3, 64, 0);
            });
        }
    }
}

/// Checks that ranks are woken: they poll once and then sleep.
#[test]
fn sleepers_are_woken() {
    let sleeps = AtomicU64::new(0);
    run(4, tight(), true, 1, |rank| {
        let size = rank.size;
        let mut program = Program::new(rank, 11);
        for step in 0..400 {
            if step % 10 == 0 && step as u32 / 10 % size == program.rank.rank {
                // The others wait for this rank long enough to sleep.
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            program.step(step % KINDS, 64, step as u32 % size);
        }
        let slept = program.rank.waiter.sleeps.load(Ordering::Relaxed);
        sleeps.fetch_add(u64::from(slept), Ordering::Relaxed);
    });
    assert!(sleeps.load(Ordering::Relaxed) > 0, "nobody slept");
}

#[test]
fn a_broadcast_of_another_length_is_an_error_and_the_ranks_stay_in_step() {
    run(3, tight(), false, 50, |rank| {
        let mut program = Program::new(rank, 1);
        for (sent, room) in [(48, 16), (16, 48), (4096, 1000), (40, 0), (0, 40)] {
            let me = program.rank.rank;
            let area = Area::holding(&element(false), &data(5, if me == 0 { sent } else { room }));
            let Rank { member, waiter, .. } = &mut program.rank;
            let result = member.bcast(waiter, 0, &area.buffer);
            assert_eq!(result.is_ok(), me == 0, "{sent} to {room}: {result:?}");
            program.step(3, 64, 0);
        }
    });
}

#[test]
fn other_collectives_are_found_out() {
    run(2, tight(), false, 50, |mut rank| {
        let area = Area::new(&element(false), 64);
        let result = match rank.rank {
            0 => rank.member.barrier(&rank.waiter),
            _ => {
                let blocks = Blocks::even(area.buffer.clone(), 2);
                let send = area.buffer.elements(0, 32);
                rank.member.allgather(&rank.waiter, Some(&send), &blocks)
            }
        };
        assert!(result.is_err());
        assert!(
            rank.member.barrier(&rank.waiter).is_err(),
            "out of step for good"
        );
    });
}

fn bcast_with(root: u32) -> Option<Signature> {
    Some(Signature::new(Function::Bcast).with_root(Some(root)))
}

fn difference(result: &Result<(), Error>) -> Difference {
    match result {
        Err(Error::Mismatch(mismatch)) => mismatch.difference(),
        other => panic!("{other:?} is no mismatch"),
    }
}

/// Checks that ranks which name different roots, and so wait for each other, get an error.
#[test]
fn ranks_that_wait_for_each_other_as_roots_get_an_error() {
    for size in 2..=4 {
        run(size, tight(), false, 50, |mut rank| {
            let area = Area::new(&element(false), 64);
            let root = (rank.rank + 1) % size;
            rank.waiter.calls = bcast_with(root);
            let result = rank.member.bcast(&rank.waiter, root, &area.buffer);
            match &result {
                Err(Error::Mismatch(_)) => assert_eq!(difference(&result), Difference::Root),
                // Another rank detected it first, and has left the segment.
                Err(Error::Message { .. }) if size > 2 => {}
                other => panic!("{other:?}"),
            }
        });
    }
}

/// Checks the case in which the others have gone on to a barrier, where they wait for the rank that
/// waits for them.
#[test]
fn a_wait_for_a_rank_that_has_gone_on_fails_and_so_do_the_waits_behind_it() {
    run(3, tight(), false, 50, |mut rank| {
        let area = Area::new(&element(false), 64);
        let root = u32::from(rank.rank == 2);
        rank.waiter.calls = bcast_with(root);
        let result = rank.member.bcast(&rank.waiter, root, &area.buffer);
        if rank.rank == 2 {
            assert_eq!(difference(&result), Difference::Function);
            return;
        }
        assert!(result.is_ok(), "{result:?}");
        rank.waiter.calls = Some(Signature::new(Function::Barrier));
        assert!(rank.member.barrier(&rank.waiter).is_err());
    });
}

#[test]
fn different_operators_fail_and_the_ranks_stay_in_step() {
    run(3, tight(), false, 50, |rank| {
        let mut program = Program::new(rank, 1);
        for len in [8, 64, 600] {
            let op = match program.rank.rank {
                1 => Op::Max,
                _ => Op::Sum,
            };
            let ints = predefined(0x209).expect("MPI_INT");
            let reduction = Reduction {
                operator: Operator::Predefined(op),
                datatype: ints.clone(),
                vectors: datatype::Vectors::best(),
            };
            let (send, recv) = (Area::new(ints, len), Area::new(ints, len));
            let vector = Vector {
                send: Some(send.buffer.clone()),
                recv: Some(recv.buffer.clone()),
                count: len / 4,
            };
            let Rank { member, waiter, .. } = &mut program.rank;
            waiter.calls = Some(Signature::new(Function::Allreduce).with_operator(&reduction));
            let result = member.allreduce(waiter, &reduction, &vector);
            waiter.calls = None;
            match &result {
                Err(Error::Mismatch(_)) => assert_eq!(difference(&result), Difference::Operator),
                Ok(()) => assert!(len > 64 && program.rank.rank != 1),
                other => panic!("{other:?}"),
            }
            program.step(3, 64, 0);
        }
    });
}
