//! Operations that a lane does, beside those that go by messages: what synchronises waits for both.

mod common;

use std::sync::Arc;

use base::{PeerId, Rank};
use btl::{Atomic, AtomicOp, Width};
use common::carry_one;
use datatype::{Basic, Buffer, Datatype, Op};
use memory::{Scratch, UserBuf};
use osc::wire::Kind;
use osc::WindowId;
use osc::{
    Access, AccessStart, Error, Flushed, LaneStep, Lock, Memory, OpId, Osc, Piece, TargetBytes,
    Verb,
};

const BYTES: usize = 256;
const ORIGIN: usize = 0;
const TARGET: usize = 1;

/// An origin and a target, whose messages are moved when a test says so.
struct Pair {
    osc: [Osc; 2],
    windows: [WindowId; 2],
    memory: [Scratch; 2],
    /// Whether what the lane has put is there without a flush.
    lands: bool,
}

impl Pair {
    fn new() -> Pair {
        let memory = [Scratch::new(BYTES), Scratch::new(BYTES)];
        let mut osc = [Osc::default(), Osc::default()];
        let windows = [ORIGIN, TARGET].map(|i| osc[i].open_window(Memory::Fixed(memory[i].buf())));
        let members = [0, 1].map(|peer| (PeerId(peer), windows[peer as usize].name()));
        for (osc, window) in osc.iter_mut().zip(windows) {
            osc.join(window, &members);
        }
        Pair {
            osc,
            windows,
            memory,
            lands: false,
        }
    }

    /// Moves all messages of one process to the other; what they were.
    fn carry(&mut self, from: usize) -> Vec<Kind> {
        let (to, mut kinds) = (1 - from, Vec::new());
        while self.osc[from].ready_peer(0).is_some() {
            let header = carry_one(&mut self.osc, from, to);
            kinds.extend(header.map(|header| header.kind));
        }
        kinds
    }

    fn lock(&mut self) {
        let window = self.windows[ORIGIN];
        let osc = &mut self.osc[ORIGIN];
        osc.begin_lock(window, Rank(1), Lock::Exclusive, true)
            .unwrap();
        self.carry(ORIGIN);
        self.carry(TARGET);
        assert_eq!(self.osc[ORIGIN].is_granted(window, Rank(1)), Ok(true));
    }

    /// Begins a put of bytes to offset 8 that a lane does.
    fn put(&mut self, from: UserBuf, pieces: usize) -> OpId {
        let osc = &mut self.osc[ORIGIN];
        let window = self.windows[ORIGIN];
        assert_eq!(osc.may_begin(window, Rank(1)), Ok(true));
        let place = at(8, from.len());
        let from = Buffer::bytes(from);
        let verb = Verb::Put { from };
        osc.begin_on_lane(window, Rank(1), Access { verb, place }, false, pieces)
    }

    /// Begins an accumulate at an offset of the target that a lane does.
    fn on_word(&mut self, verb: Verb, place: TargetBytes) -> OpId {
        let osc = &mut self.osc[ORIGIN];
        let window = self.windows[ORIGIN];
        assert_eq!(osc.may_begin(window, Rank(1)), Ok(true));
        let access = Access { verb, place };
        let word = access.word(0).expect("a word");
        osc.begin_on_word(window, Rank(1), access, word, false)
    }

    /// Takes the next step, and has the lane do it.
    fn step(&mut self) -> Option<AtomicOp> {
        let step = self.osc[ORIGIN].next_step()?;
        self.finish(&step);
        Some(step.atomic.op)
    }

    fn finish(&mut self, step: &LaneStep) {
        let memory = self.memory[TARGET].buf().from(step.offset as usize);
        let before = step.atomic.apply_to(memory).expect("a word");
        step.atomic.width.store(before, step.result);
        self.osc[ORIGIN].lane_done(step.operation);
    }

    /// Offers a put or a get of 8 bytes at an offset of the target to the lane, which has it then.
    fn run(&mut self, offset: usize, verb: Verb) -> (OpId, Piece) {
        let (at, place) = ((self.windows[ORIGIN], Rank(1)), at(offset, 8));
        let mut offered = None;
        let access = Access { verb, place };
        let begun = self.osc[ORIGIN].lane_now(at, &access, self.lands, |peer, id, piece| {
            assert_eq!(peer, PeerId(1));
            offered = Some((id, piece));
            Some(btl::Started::Pending)
        });
        assert_eq!(begun, AccessStart::Sent);
        offered.expect("it may")
    }

    /// Offers an accumulate of the word at offset 8 to the lane, which has it then.
    fn word(&mut self, verb: Verb) -> (OpId, Atomic) {
        let (at, place) = ((self.windows[ORIGIN], Rank(1)), at(8, 8));
        let mut offered = None;
        let access = Access { verb, place };
        let begun = self.osc[ORIGIN].word_now(at, &access, 0, |_, id, offset, atomic, _| {
            assert_eq!(offset, 8);
            offered = Some((id, atomic));
            Some(btl::Started::Pending)
        });
        assert_eq!(begun, AccessStart::Sent);
        offered.expect("it may")
    }

    fn begin_flush(&mut self) {
        let (target, call) = (Some(Rank(1)), ("MPI_Win_flush", true));
        let window = self.windows[ORIGIN];
        let begun = self.osc[ORIGIN].begin_flush(window, target, call);
        begun.expect("it is locked");
    }

    /// Checks that the refusal of a lane is reported once.
    fn is_refused_once(&mut self) {
        let refused = Err(Error::Lane {
            target: Rank(1),
            why: "no room".into(),
        });
        assert_eq!(self.settled(), refused);
        assert_eq!(self.settled(), Ok(true));
    }

    fn settled(&mut self) -> Result<bool, Error> {
        self.osc[ORIGIN].is_settled(self.windows[ORIGIN], Rank(1))
    }
}

/// Bytes of a window.
fn at(offset: usize, len: usize) -> TargetBytes {
    let offset = offset as u64;
    TargetBytes::Contiguous { offset, len }
}

fn put_of(from: UserBuf) -> Verb {
    let from = Buffer::bytes(from);
    Verb::Put { from }
}

fn get_into(into: UserBuf) -> Verb {
    let into = Buffer::bytes(into);
    Verb::Get { into }
}

#[test]
fn a_lock_goes_back_behind_what_lanes_bring() {
    let mut pair = Pair::new();
    pair.lock();
    let put = pair.put(pair.memory[ORIGIN].buf().part(0, 16), 2);
    let window = pair.windows[ORIGIN];
    pair.osc[ORIGIN].begin_unlock(window, Rank(1)).unwrap();
    assert_eq!(pair.carry(ORIGIN), [], "pieces are under way");
    assert_eq!(pair.osc[ORIGIN].unflushed(0), None);
    assert!(pair.osc[ORIGIN].has_unflushed());
    // Whoever drives it has looked, and need not before a piece ends.
    pair.osc[ORIGIN].await_pieces();
    assert!(!pair.osc[ORIGIN].has_unflushed() && pair.osc[ORIGIN].awaits_flush());
    for _ in 0..2 {
        assert_eq!(pair.settled(), Ok(false));
        pair.osc[ORIGIN].lane_done(put);
    }
    assert_eq!(pair.carry(ORIGIN), [], "the lane is not flushed");
    assert!(pair.osc[ORIGIN].has_unflushed());
    let due = pair.osc[ORIGIN].unflushed(0);
    assert_eq!(due, Some((window, Rank(1), PeerId(1))));
    assert_eq!(pair.settled(), Ok(false));
    pair.osc[ORIGIN].flushed(window, Rank(1), Ok(()));
    assert_eq!(pair.carry(ORIGIN), [Kind::Unlock]);
    assert_eq!(pair.settled(), Ok(true));
    assert!(!pair.osc[ORIGIN].has_unflushed() && pair.osc[ORIGIN].is_idle());
}

#[test]
fn what_a_lane_refuses_goes_by_messages_and_is_confirmed() {
    let mut pair = Pair::new();
    pair.lock();
    let bytes: Vec<u8> = (1..=16).collect();
    pair.memory[ORIGIN].buf().write(0, &bytes);
    let put = pair.put(pair.memory[ORIGIN].buf().part(0, 16), 2);
    let window = pair.windows[ORIGIN];
    let flush = (Some(Rank(1)), ("MPI_Win_flush", true));
    pair.osc[ORIGIN]
        .begin_flush(window, flush.0, flush.1)
        .unwrap();
    pair.osc[ORIGIN].lane_failed(put, "no room".into());
    pair.osc[ORIGIN].lane_done(put);
    pair.osc[ORIGIN].flushed(window, Rank(1), Ok(()));
    assert_eq!(pair.settled(), Ok(false), "nobody has confirmed it");
    assert_eq!(pair.carry(ORIGIN), [Kind::Put, Kind::Flush]);
    assert_eq!(pair.carry(TARGET), [Kind::Ack]);
    assert_eq!(pair.settled(), Ok(true));
    let mut seen = [0; 16];
    pair.memory[TARGET].buf().read(8, &mut seen);
    assert_eq!(&seen[..], bytes);
}

#[test]
fn the_end_of_a_peer_ends_what_lanes_do() {
    let mut pair = Pair::new();
    pair.lock();
    let put = pair.put(pair.memory[ORIGIN].buf().part(0, 16), 1);
    let window = pair.windows[ORIGIN];
    pair.osc[ORIGIN].begin_unlock(window, Rank(1)).unwrap();
    pair.osc[ORIGIN].await_pieces();
    pair.osc[ORIGIN].peer_failed(PeerId(1), "killed");
    assert!(
        pair.osc[ORIGIN].has_unflushed(),
        "the lane would not be flushed"
    );
    assert!(pair.osc[ORIGIN].is_done(put));
    // The lane reports it later, and cannot be flushed.
    pair.osc[ORIGIN].lane_failed(put, "no room".into());
    assert!(pair.osc[ORIGIN].unflushed(0).is_some());
    pair.osc[ORIGIN].flushed(window, Rank(1), Err("killed".into()));
    let lost = Err(Error::PeerFailed {
        peer: PeerId(1),
        why: "killed".into(),
    });
    assert_eq!(pair.settled(), lost);
    assert!(pair.osc[ORIGIN].is_idle());
}

fn basic(name: &str) -> &'static Basic {
    let row = datatype::BASICS.iter().find(|row| row.name == name);
    row.expect("a predefined datatype")
}

/// An accumulate of a buffer's bytes.
fn accumulate(op: Op, name: &str, from: UserBuf, before: Option<UserBuf>) -> Verb {
    Verb::Accumulate {
        op,
        element: basic(name),
        from: Buffer::bytes(from),
        before: before.map(Buffer::bytes),
    }
}

#[test]
fn one_way_for_all_accumulates_of_an_element_at_a_place() {
    let memory = Scratch::new(64);
    let offset = |op, name, len, place, skew| {
        let from = if op == Op::NoOp { 0 } else { len };
        let room = memory.buf().part(0, len);
        let verb = accumulate(op, name, memory.buf().part(0, from), Some(room));
        let place = at(place, len);
        Access { verb, place }.word(skew)
    };
    for op in [Op::Sum, Op::Max, Op::Prod, Op::Land, Op::Replace, Op::NoOp] {
        let double = offset(op, "MPI_UINT64_T", 8, 16, 0).expect("a word");
        assert_eq!((double.offset, double.width), (16, Width::Eight), "{op:?}");
        let single = offset(op, "MPI_FLOAT", 4, 12, 0).expect("a word");
        assert_eq!((single.offset, single.width), (12, Width::Four), "{op:?}");
        // The window begins where the word would not.
        assert_eq!(offset(op, "MPI_UINT64_T", 8, 16, 4), None, "{op:?}");
        assert_eq!(offset(op, "MPI_UINT64_T", 8, 20, 0), None, "{op:?}");
        assert!(offset(op, "MPI_UINT64_T", 8, 20, 4).is_some(), "{op:?}");
        assert_eq!(offset(op, "MPI_SHORT", 2, 16, 0), None, "{op:?}");
        assert_eq!(offset(op, "MPI_UINT64_T", 16, 16, 0), None, "{op:?}");
        assert_eq!(offset(op, "MPI_2INT", 8, 16, 0), None, "{op:?}");
    }
    // One element behind a gap is one, too.
    let int = datatype::predefined(0x209).unwrap();
    let third = Arc::new(Datatype::indexed_block(1, &[2], int).unwrap());
    // SAFETY: it is not touched: places are only asked where they are.
    let place = unsafe { Buffer::new(std::ptr::without_provenance_mut(8), 1, &third) };
    let verb = accumulate(Op::Sum, "MPI_INT", memory.buf().part(0, 4), None);
    let place = TargetBytes::Layout(place.unwrap());
    let word = Access { verb, place }.word(0).expect("a word");
    assert_eq!(word.offset, 16);
}

#[test]
fn what_no_network_does_is_swapped_until_nobody_came_between() {
    let mut pair = Pair::new();
    pair.lock();
    let own = pair.memory[ORIGIN].buf();
    let there = pair.memory[TARGET].buf();
    own.write(0, &2.5f64.to_ne_bytes());
    there.write(8, &1.5f64.to_ne_bytes());
    let most = accumulate(Op::Max, "MPI_DOUBLE", own.part(0, 8), Some(own.part(8, 8)));
    let begun = pair.on_word(most, at(8, 8));
    assert_eq!(pair.step(), Some(AtomicOp::Read));
    there.write(8, &2f64.to_ne_bytes());
    let swap = |value: f64| Some(AtomicOp::CompareSwap(value.to_bits()));
    assert_eq!(pair.step(), swap(1.5), "another came between");
    assert!(!pair.osc[ORIGIN].is_done(begun));
    assert_eq!(pair.step(), swap(2.0));
    assert!(pair.osc[ORIGIN].is_done(begun));
    assert_eq!(pair.step(), None);
    let mut seen = [0; 8];
    there.read(8, &mut seen);
    assert_eq!(f64::from_ne_bytes(seen), 2.5);
    own.read(8, &mut seen);
    assert_eq!(f64::from_ne_bytes(seen), 2.0, "what was there before");
    assert_eq!(pair.carry(ORIGIN), [], "nothing goes by messages");
}

#[test]
fn accumulates_to_one_word_wait_for_each_other() {
    for ordered in [true, false] {
        let mut pair = Pair::new();
        pair.lock();
        let window = pair.windows[ORIGIN];
        pair.osc[ORIGIN].order_words(window, ordered);
        let own = pair.memory[ORIGIN].buf();
        own.write(0, &7u64.to_ne_bytes());
        let mut begin = |op, place| {
            pair.on_word(
                accumulate(op, "MPI_INT64_T", own.part(0, 8), None),
                at(place, 8),
            )
        };
        let [one, two] = [begin(Op::Sum, 8), begin(Op::Replace, 8)];
        let other = begin(Op::Bor, 16);
        let steps: Vec<LaneStep> = std::iter::from_fn(|| pair.osc[ORIGIN].next_step()).collect();
        let due: Vec<OpId> = steps.iter().map(|step| step.operation).collect();
        match ordered {
            false => assert_eq!(due, [one, two, other]),
            true => assert_eq!(due, [one, other]),
        }
        steps.iter().for_each(|step| pair.finish(step));
        assert_eq!(pair.step(), ordered.then_some(AtomicOp::Swap));
        assert!(pair.osc[ORIGIN].is_done(two) && pair.osc[ORIGIN].is_idle());
    }
}

#[test]
fn a_lock_is_released_behind_words_whose_failure_is_reported() {
    let mut pair = Pair::new();
    pair.lock();
    let own = pair.memory[ORIGIN].buf();
    let add = accumulate(Op::Sum, "MPI_INT", own.part(0, 4), None);
    let failing = pair.on_word(add.clone(), at(4, 4));
    let waiting = pair.on_word(add, at(4, 4));
    let window = pair.windows[ORIGIN];
    pair.osc[ORIGIN].begin_unlock(window, Rank(1)).unwrap();
    let step = pair.osc[ORIGIN].next_step().unwrap();
    assert_eq!(step.operation, failing);
    assert!(pair.osc[ORIGIN].next_step().is_none());
    pair.osc[ORIGIN].step_busy(failing);
    assert_eq!(pair.osc[ORIGIN].next_step(), Some(step));
    pair.osc[ORIGIN].lane_failed(failing, "no room".into());
    assert_eq!(pair.osc[ORIGIN].unflushed(0), None, "one is under way");
    assert!(!pair.osc[ORIGIN].is_done(waiting));
    assert_eq!(pair.step(), Some(AtomicOp::Add));
    assert_eq!(pair.carry(ORIGIN), [], "the lane is not flushed");
    pair.osc[ORIGIN].flushed(window, Rank(1), Ok(()));
    assert_eq!(pair.carry(ORIGIN), [Kind::Unlock]);
    pair.is_refused_once();
}

#[test]
fn the_end_of_a_peer_ends_accumulates_and_those_that_wait() {
    let mut pair = Pair::new();
    pair.lock();
    let own = pair.memory[ORIGIN].buf();
    let add = accumulate(Op::Sum, "MPI_INT", own.part(0, 4), None);
    let all: Vec<OpId> = (0..3)
        .map(|_| pair.on_word(add.clone(), at(4, 4)))
        .collect();
    let under_way = pair.osc[ORIGIN].next_step().unwrap();
    pair.osc[ORIGIN].peer_failed(PeerId(1), "killed");
    assert!(all
        .iter()
        .all(|operation| pair.osc[ORIGIN].is_done(*operation)));
    assert!(pair.osc[ORIGIN].next_step().is_none());
    // The lane reports it later; the result is not read.
    pair.finish(&under_way);
    assert!(matches!(pair.settled(), Err(Error::PeerFailed { .. })));
    assert!(pair.osc[ORIGIN].is_idle());
}

#[test]
fn bytes_that_a_lane_refuses_after_all_go_by_messages_and_are_confirmed() {
    let mut pair = Pair::new();
    pair.lock();
    let own = pair.memory[ORIGIN].buf();
    own.write(0, b"refused!");
    let there = pair.memory[TARGET].buf();
    there.write(16, b"and read");
    let into = own.part(8, 8);
    let (get, piece) = pair.run(16, get_into(into));
    assert_eq!((piece.local, piece.offset), (into, 16));
    let (put, _) = pair.run(8, put_of(own.part(0, 8)));
    // Whoever waits has asked already, and looks again only when something has ended.
    pair.begin_flush();
    pair.osc[ORIGIN].await_pieces();
    pair.osc[ORIGIN].lane_failed(put, "no room".into());
    assert!(pair.osc[ORIGIN].has_unflushed());
    pair.osc[ORIGIN].lane_failed(get, "no room".into());
    pair.osc[ORIGIN].flushed(pair.windows[ORIGIN], Rank(1), Ok(()));
    assert_eq!(pair.settled(), Ok(false), "nobody has confirmed it");
    let asked = pair.carry(ORIGIN);
    assert_eq!(asked, [Kind::Put, Kind::Flush, Kind::Get]);
    pair.carry(TARGET);
    assert_eq!(pair.settled(), Ok(true));
    let mut seen = [0; 8];
    there.read(8, &mut seen);
    assert_eq!(&seen, b"refused!");
    own.read(8, &mut seen);
    assert_eq!(&seen, b"and read");
    assert!(pair.osc[ORIGIN].is_idle());
}

#[test]
fn a_word_that_a_lane_refuses_is_reported_and_lets_the_next_go() {
    let mut pair = Pair::new();
    pair.lock();
    let own = pair.memory[ORIGIN].buf();
    own.write(0, &3u64.to_ne_bytes());
    let verb = accumulate(Op::Sum, "MPI_INT64_T", own.part(0, 8), None);
    let (first, atomic) = pair.word(verb.clone());
    let add = Atomic {
        op: AtomicOp::Add,
        width: Width::Eight,
        operand: 3,
    };
    assert_eq!(atomic, add);
    let waiting = pair.on_word(verb, at(8, 8));
    assert!(pair.osc[ORIGIN].next_step().is_none(), "it is not its turn");
    pair.osc[ORIGIN].lane_failed(first, "no room".into());
    assert_eq!(pair.step(), Some(AtomicOp::Add));
    assert!(pair.osc[ORIGIN].is_done(waiting));
    assert_eq!(pair.carry(ORIGIN), [], "no message changes a word");
    pair.is_refused_once();
}

#[test]
fn a_notified_fence_reports_a_word_that_a_lane_refused() {
    let mut pair = Pair::new();
    let window = pair.windows[ORIGIN];
    pair.osc[ORIGIN].notify_fences(window);
    pair.osc[ORIGIN]
        .begin_notified_fence(window, Rank(0), false)
        .unwrap();
    pair.osc[ORIGIN].end_fence(window, true);
    let own = pair.memory[ORIGIN].buf();
    let (failing, _) = pair.word(accumulate(Op::Sum, "MPI_INT64_T", own.part(0, 8), None));
    pair.osc[ORIGIN]
        .begin_notified_fence(window, Rank(0), false)
        .unwrap();
    assert_eq!(pair.osc[ORIGIN].is_all_sent(window), Ok(false));
    pair.osc[ORIGIN].lane_failed(failing, "no room".into());
    pair.osc[ORIGIN].flushed(window, Rank(1), Ok(()));
    let sent = pair.osc[ORIGIN].is_all_sent(window);
    assert!(matches!(sent, Err(Error::Lane { .. })), "{sent:?}");
    assert_eq!(pair.osc[ORIGIN].is_all_sent(window), Ok(true));
}

#[test]
fn a_flush_waits_for_accesses_of_a_lane_and_then_for_the_lane() {
    let mut pair = Pair::new();
    pair.lock();
    let window = pair.windows[ORIGIN];
    let own = pair.memory[ORIGIN].buf().part(0, 8);
    let (put, _) = pair.run(8, put_of(own));
    let how = |pair: &Pair| pair.osc[ORIGIN].how_flushed(window, Rank(1));
    assert_eq!(how(&pair), Flushed::Soon);
    pair.osc[ORIGIN].lane_done(put);
    assert_eq!(how(&pair), Flushed::Lane(PeerId(1)));
    pair.osc[ORIGIN].lane_flushed(window, Rank(1));
    assert_eq!(how(&pair), Flushed::Done);
    // Nothing is left to be flushed by what gets.
    let (get, _) = pair.run(8, get_into(own));
    pair.osc[ORIGIN].lane_done(get);
    assert_eq!(how(&pair), Flushed::Done);
    // Nor by what puts, where that lands.
    pair.lands = true;
    let (put, _) = pair.run(8, put_of(own));
    pair.osc[ORIGIN].lane_done(put);
    assert_eq!(how(&pair), Flushed::Done);
    pair.lands = false;
    // Where a flush has begun already it is asked how far that is.
    let (put, _) = pair.run(8, put_of(own));
    pair.begin_flush();
    pair.osc[ORIGIN].lane_done(put);
    assert_eq!(how(&pair), Flushed::Unasked);
}

#[test]
fn a_sole_access_is_known_while_a_flush_waits_for_nothing_else() {
    let mut pair = Pair::new();
    pair.lock();
    let window = pair.windows[ORIGIN];
    let own = pair.memory[ORIGIN].buf().part(0, 8);
    let sole = |pair: &Pair| pair.osc[ORIGIN].sole_access(window, Rank(1));
    assert_eq!(sole(&pair), None);
    let (first, _) = pair.run(8, put_of(own));
    assert_eq!(sole(&pair), Some((first, PeerId(1), false)));
    assert_eq!(pair.osc[ORIGIN].sole_access(window, Rank(0)), None);
    let (second, _) = pair.run(16, put_of(own));
    assert_eq!(sole(&pair), None, "two are under way");
    assert!(
        !pair.osc[ORIGIN].lane_done(first),
        "the second is to be waited for"
    );
    assert_eq!(sole(&pair), Some((second, PeerId(1), false)));
    assert!(
        !pair.osc[ORIGIN].lane_done(second),
        "the lane is to be flushed"
    );
    assert_eq!(sole(&pair), None, "it is over");
    pair.osc[ORIGIN].lane_flushed(window, Rank(1));
    // A word is another transport's, perhaps.
    let add = accumulate(Op::Sum, "MPI_INT64_T", own, None);
    let (word, _) = pair.word(add.clone());
    assert_eq!(sole(&pair), Some((word, PeerId(1), true)));
    assert!(pair.osc[ORIGIN].lane_done(word), "that was all");
    assert!(!pair.osc[ORIGIN].lane_done(word), "it is no more");
    // Beside pieces of an operation it is not the only one.
    let (get, _) = pair.run(8, get_into(own));
    let operation = pair.put(own, 1);
    assert_eq!(sole(&pair), None);
    pair.osc[ORIGIN].lane_done(operation);
    assert_eq!(sole(&pair), Some((get, PeerId(1), false)));
    // Nor is it all where an error is to be reported.
    pair.osc[ORIGIN].lane_flushed(window, Rank(1));
    let (word, _) = pair.word(add.clone());
    pair.osc[ORIGIN].lane_failed(word, "no room".into());
    pair.begin_flush();
    pair.osc[ORIGIN].flushed(window, Rank(1), Ok(()));
    assert!(!pair.osc[ORIGIN].lane_done(get));
    pair.is_refused_once();
}

#[test]
fn the_end_of_a_peer_ends_single_accesses() {
    let mut pair = Pair::new();
    pair.lock();
    let own = pair.memory[ORIGIN].buf().part(0, 8);
    let (put, _) = pair.run(8, put_of(own));
    pair.osc[ORIGIN].peer_failed(PeerId(1), "killed");
    // The lane reports it later.
    pair.osc[ORIGIN].lane_failed(put, "killed".into());
    let lost = Err(Error::PeerFailed {
        peer: PeerId(1),
        why: "killed".into(),
    });
    assert_eq!(pair.settled(), lost);
    assert!(pair.osc[ORIGIN].is_idle());
}
