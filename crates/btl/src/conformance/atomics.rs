//! Tests of `atomic`: every operation on words of both widths, alone and concurrent with others.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use base::{PeerId, Random};
use memory::{Scratch, UserBuf};

use super::fixture::Fixture;
use super::message::bytes_of;
use super::rma::Remote;
use super::world::{Node, World};
use crate::{Access, Atomic, AtomicOp, Error, RemoteKey, RemoteRange, Started, Token, Width};

/// Fill value of the memory around a word and around a result.
const GUARD: u8 = 0xa5;

/// Bytes of the registration, of which a few are words.
const REGION_BYTES: usize = 256;

/// Operations of each side on the word that both change.
const BLOWS: u64 = 2000;

/// Operations that one side has under way at once.
const UNDER_WAY_MAX: usize = 16;

const WIDTHS: [Width; 2] = [Width::Four, Width::Eight];

/// Each operation does what it says to the word and to nothing else, and gives the word as it
/// was, or gives nothing where nobody wants it.
pub fn every_operation_on_both_widths(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    if !has_atomics(&world, from) {
        return;
    }
    let region = Scratch::new(REGION_BYTES);
    let remote = Remote::register(&mut world, to, region.buf());
    let mut token = 0;
    for width in WIDTHS {
        for (word, operand, other) in values() {
            for op in ops(word, other) {
                for wanted in [true, false] {
                    let size = width.bytes();
                    let at = size * (1 + token as usize % (REGION_BYTES / size - 2));
                    let atomic = Atomic { op, width, operand };
                    try_one(
                        &mut world,
                        (from, to),
                        &region,
                        (&remote, at),
                        atomic,
                        (word, wanted),
                        token,
                    );
                    token += 1;
                }
            }
        }
    }
    remote.deregister(&mut world, to);
}

fn try_one(
    world: &mut World,
    (from, to): (usize, usize),
    region: &Scratch,
    (remote, at): (&Remote, usize),
    atomic: Atomic,
    (word, wanted): (u64, bool),
    token: u64,
) {
    let (width, size) = (atomic.width, atomic.width.bytes());
    region.buf().write(0, &[GUARD; REGION_BYTES]);
    width.store(word, region.buf().part(at, size));
    let result = Scratch::new(3 * size);
    result.buf().write(0, &vec![GUARD; 3 * size]);
    let room = wanted.then(|| result.buf().part(size, size));
    let outcome = world.change(from, to, atomic, room, remote.at(at as u64), Token(token));
    assert_eq!(outcome, Ok(()), "{atomic:?} of {word:#x}");
    world.flushed(from, to);
    let mut expected = vec![GUARD; REGION_BYTES];
    let changed = atomic.op.apply(width, cut(width, word), atomic.operand);
    expected[at..at + size].copy_from_slice(&changed.to_ne_bytes()[..size]);
    assert!(
        bytes_of(region.buf()) == expected,
        "the region after {atomic:?} of {word:#x}"
    );
    let mut expected = vec![GUARD; 3 * size];
    if wanted {
        expected[size..2 * size].copy_from_slice(&word.to_ne_bytes()[..size]);
    }
    assert_eq!(
        bytes_of(result.buf()),
        expected,
        "the result of {atomic:?} of {word:#x}"
    );
}

/// Two instances that add to one word of a third from threads of their own: the sum is exact,
/// and no two of them were given the same word.
pub fn a_word_hammered_from_two_sides_loses_nothing(fixture: &mut dyn Fixture) {
    for width in WIDTHS {
        let start = match width {
            Width::Four => u64::from(u32::MAX) - 100,
            Width::Eight => u64::MAX - 100,
        };
        let Some((sum, seen)) = hammer(fixture, width, start, blows_by_adding) else {
            return;
        };
        let blows = seen.len() as u64;
        assert_eq!(
            sum,
            cut(width, start.wrapping_add(blows)),
            "the sum of {blows} additions"
        );
        let distinct: HashSet<u64> = seen.iter().copied().collect();
        assert_eq!(distinct.len() as u64, blows, "words given to two additions");
        let within = |word: &u64| cut(width, word.wrapping_sub(start)) < blows;
        assert!(distinct.iter().all(within), "a word that never was");
    }
}

/// Two instances that add to one word by compare-and-swap, with a retry after each conflict: the
/// sum is exact.
pub fn swaps_by_comparison_exclude_each_other(fixture: &mut dyn Fixture) {
    let Some((sum, seen)) = hammer(fixture, Width::Eight, 7, blows_by_comparing) else {
        return;
    };
    assert_eq!(
        sum,
        7 + seen.len() as u64,
        "the sum of {} additions",
        seen.len()
    );
}

/// Two instances that add to a word of the second, which goes through its device: the sum is exact
/// when the last addition is complete, without a flush.
pub fn ones_own_words_are_changed_as_by_peers(fixture: &mut dyn Fixture) {
    let mut world = World::join(fixture, 2);
    let last = world.nodes.len() - 1;
    if last == 0 || !has_atomics(&world, last) {
        return;
    }
    let mut works = None;
    world.until("the way back to be tried", |world| {
        works = world.nodes[last].rma().loop_back();
        works.is_some()
    });
    if !fixture.loops_back() {
        return assert!(works.is_some_and(|works| works.is_err()));
    }
    assert_eq!(works, Some(Ok(())));
    let (region, width) = (Scratch::new(64), Width::Eight);
    let remote = Remote::register(&mut world, last, region.buf());
    let (range, peer) = (remote.at(16), world.nodes[last].id);
    let Some((owner, others)) = world.nodes.split_last_mut() else {
        unreachable!("at least one instance");
    };
    let both = 2 * BLOWS;
    let done = &AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for node in others {
            scope.spawn(move || {
                let end = Tally(done);
                blows_by_adding(node, peer, range, width);
                drop(end);
            });
        }
        blows_by_adding(owner, peer, range, width);
        owner.until("the other", |_| done.load(Ordering::Acquire) == 1);
    });
    assert_eq!(read_word(region.buf().part(16, 8), width), both);
    remote.deregister(&mut world, last);
}

/// After `flush` the word is changed, whether the token was reported or not.
pub fn flushed_atomics_are_visible(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    if !has_atomics(&world, from) {
        return;
    }
    let region = Scratch::new(64);
    let remote = Remote::register(&mut world, to, region.buf());
    let (op, width, peer) = (AtomicOp::Add, Width::Eight, world.nodes[to].id);
    for number in 1..40u64 {
        let atomic = Atomic {
            op,
            width,
            operand: number,
        };
        world.until("an atomic to start", |world| {
            let rma = world.nodes[from].rma();
            let started = rma.atomic(peer, atomic, None, remote.at(8), Token(number));
            started.expect("an atomic") != Started::Busy
        });
        world.flushed(from, to);
        let sum = number * (number + 1) / 2;
        assert_eq!(read_word(region.buf().part(8, 8), width), sum);
    }
    remote.deregister(&mut world, to);
}

/// Words outside a registration, at odd addresses, without both accesses, or of unknown keys are
/// refused, and nothing is touched.
pub fn what_is_no_word_is_refused(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    if !has_atomics(&world, from) {
        return;
    }
    let region = Scratch::new(REGION_BYTES);
    region.buf().write(0, &[GUARD; REGION_BYTES]);
    // The registration begins beside a word, so that its own start matters too.
    let inside = region.buf().part(4, REGION_BYTES - 8);
    let remote = Remote::register(&mut world, to, inside);
    let n = inside.len() as u64;
    let mut attempts = Vec::new();
    for (width, offset) in [
        (Width::Four, n),
        (Width::Four, n + 4),
        (Width::Four, n + (1 << 32)),
        (Width::Four, u64::MAX - 3),
        (Width::Eight, n - 4),
        (Width::Eight, u64::MAX - 11),
        (Width::Four, 1),
        (Width::Four, 30),
        (Width::Eight, 0),
        (Width::Eight, 8),
        (Width::Eight, 5),
    ] {
        attempts.push((width, remote.at(offset)));
    }
    for key in [&[][..], &[0xff; 32], &[0; 8], &[1; 31]] {
        let key = RemoteKey::new(key).expect("at most 32 bytes");
        attempts.push((Width::Four, RemoteRange { key, offset: 0 }));
    }
    let halves = [(true, false), (false, true)].map(|(read, write)| {
        let access = Access { read, write };
        let half = world.nodes[to].rma().register(inside, access);
        half.expect("a registration")
    });
    for half in &halves {
        let key = half.key;
        attempts.push((Width::Eight, RemoteRange { key, offset: 4 }));
    }
    for (number, (width, range)) in attempts.into_iter().enumerate() {
        let result = Scratch::new(8);
        let (op, operand) = (AtomicOp::Swap, 0);
        let atomic = Atomic { op, width, operand };
        let token = Token(number as u64);
        let outcome = world.change(from, to, atomic, Some(result.buf()), range, token);
        assert!(outcome.is_err(), "{width:?} at {range:?}");
        assert_eq!(
            bytes_of(result.buf()),
            [0; 8],
            "a result of what was refused"
        );
    }
    assert_eq!(bytes_of(region.buf()), [GUARD; REGION_BYTES]);
    for half in halves {
        world.nodes[to].rma().deregister(half);
    }
    remote.deregister(&mut world, to);
}

/// Words before, operands, and what comparisons expect.
fn values() -> Vec<(u64, u64, u64)> {
    let mut values = vec![
        (0, 0, 0),
        (5, 3, 5),
        (u64::MAX, 1, 0),
        (1 << 63, u64::MAX, 1 << 63),
        (1 << 31, u64::from(u32::MAX), 1 << 31),
        (u64::from(u32::MAX), 1 << 32, u64::from(u32::MAX)),
        (7 << 32 | 3, 9 << 32 | 1, 8 << 32 | 3),
    ];
    let mut random = Random::new(4);
    values.extend((0..6).map(|_| (random.bits(), random.bits(), random.bits())));
    values
}

/// Every operation; two comparisons, of which one holds.
fn ops(word: u64, other: u64) -> [AtomicOp; 10] {
    [
        AtomicOp::Add,
        AtomicOp::And,
        AtomicOp::Or,
        AtomicOp::Xor,
        AtomicOp::Min,
        AtomicOp::Max,
        AtomicOp::Swap,
        AtomicOp::Read,
        AtomicOp::CompareSwap(word),
        AtomicOp::CompareSwap(other),
    ]
}

/// The operations of one side, which returns the previous values of the word.
type Blows = fn(&mut Node, PeerId, RemoteRange, Width) -> Vec<u64>;

/// Lets all instances but the last change one word of the last, each from a thread of its own;
/// returns the final word and the previous values that operations returned. `None` without atomics.
fn hammer(
    fixture: &mut dyn Fixture,
    width: Width,
    start: u64,
    blows: Blows,
) -> Option<(u64, Vec<u64>)> {
    let mut world = World::join(fixture, 3);
    if !has_atomics(&world, 0) {
        return None;
    }
    let target = world.nodes.len() - 1;
    let region = Scratch::new(64);
    let word = region.buf().part(16, width.bytes());
    width.store(start, word);
    let remote = Remote::register(&mut world, target, region.buf());
    let (range, peer) = (remote.at(16), world.nodes[target].id);
    let seen = match world.nodes.split_last_mut() {
        Some((alone, [])) => blows(alone, peer, range, width),
        Some((last, others)) => beside(last, others, |node| blows(node, peer, range, width)),
        None => unreachable!("at least one instance"),
    };
    let sum = read_word(word, width);
    remote.deregister(&mut world, target);
    Some((sum, seen))
}

/// Runs `act` for each of `others` in a thread of its own, while `last` progresses.
fn beside(
    last: &mut Node,
    others: &mut [Node],
    act: impl Fn(&mut Node) -> Vec<u64> + Sync,
) -> Vec<u64> {
    let (count, over, act) = (others.len(), &AtomicUsize::new(0), &act);
    std::thread::scope(|scope| {
        let threads: Vec<_> = others
            .iter_mut()
            .map(|node| {
                scope.spawn(move || {
                    let end = Tally(over);
                    let seen = act(node);
                    drop(end);
                    node.until("the others", |_| over.load(Ordering::Acquire) == count);
                    seen
                })
            })
            .collect();
        last.until("the hammering to end", |_| {
            over.load(Ordering::Acquire) == count
        });
        let seen = threads
            .into_iter()
            .map(|thread| thread.join().expect("its blows"));
        seen.flatten().collect()
    })
}

/// Counts a side that has finished, be it by a panic.
struct Tally<'a>(&'a AtomicUsize);

impl Drop for Tally<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

/// Adds 1 repeatedly, several additions under way at once.
fn blows_by_adding(node: &mut Node, peer: PeerId, range: RemoteRange, width: Width) -> Vec<u64> {
    let atomic = Atomic {
        op: AtomicOp::Add,
        width,
        operand: 1,
    };
    let results = Scratch::new(8 * BLOWS as usize);
    let room = |number: u64| results.buf().part(8 * number as usize, width.bytes());
    let (mut next, mut pending) = (0, Vec::new());
    node.until("all additions", |node| {
        while next < BLOWS && pending.len() < UNDER_WAY_MAX {
            match start(node, peer, atomic, room(next), range, next) {
                Started::Busy => break,
                Started::Pending => pending.push(next),
                Started::Done => {}
            }
            next += 1;
        }
        pending.retain(|token| !is_done(node, *token));
        next == BLOWS && pending.is_empty()
    });
    (0..BLOWS)
        .map(|number| read_word(room(number), width))
        .collect()
}

/// Adds 1 by comparing and swapping until as many swaps as additions were good.
fn blows_by_comparing(node: &mut Node, peer: PeerId, range: RemoteRange, width: Width) -> Vec<u64> {
    let result = Scratch::new(8);
    let (mut expected, mut token, mut seen) = (0, 0, Vec::new());
    while (seen.len() as u64) < BLOWS / 4 {
        let op = AtomicOp::CompareSwap(expected);
        let atomic = Atomic {
            op,
            width,
            operand: expected + 1,
        };
        let mut started = Started::Busy;
        node.until("a swap to start", |node| {
            started = start(node, peer, atomic, result.buf(), range, token);
            started != Started::Busy
        });
        node.until("a swap", |node| {
            started == Started::Done || is_done(node, token)
        });
        token += 1;
        let word = read_word(result.buf(), width);
        if word == expected {
            seen.push(word);
        }
        expected = if word == expected { word + 1 } else { word };
    }
    seen
}

fn start(
    node: &mut Node,
    peer: PeerId,
    atomic: Atomic,
    result: UserBuf,
    range: RemoteRange,
    token: u64,
) -> Started {
    let started = node
        .rma()
        .atomic(peer, atomic, Some(result), range, Token(token));
    started.unwrap_or_else(|error| panic!("{atomic:?}: {error}"))
}

/// Whether an operation was reported, which must have been good.
fn is_done(node: &mut Node, token: u64) -> bool {
    match node.record.done.remove(&token) {
        Some(outcome) => {
            assert_eq!(outcome, Ok(()), "atomic {token}");
            true
        }
        None => false,
    }
}

impl World {
    /// Starts an atomic operation, again while the transport is busy, and waits for its outcome.
    fn change(
        &mut self,
        from: usize,
        to: usize,
        atomic: Atomic,
        result: Option<UserBuf>,
        remote: RemoteRange,
        token: Token,
    ) -> Result<(), Error> {
        let peer = self.nodes[to].id;
        let mut started = Ok(Started::Busy);
        self.until("an atomic to start", |world| {
            started = world.nodes[from]
                .rma()
                .atomic(peer, atomic, result, remote, token);
            started != Ok(Started::Busy)
        });
        if started? == Started::Done {
            return Ok(());
        }
        self.until("an atomic", |world| {
            world.nodes[from].record.done.contains_key(&token.0)
        });
        let outcome = self.nodes[from].record.done.remove(&token.0);
        outcome.expect("reported")
    }
}

fn has_atomics(world: &World, from: usize) -> bool {
    world.nodes[from].transport.caps().atomics
}

fn read_word(buf: UserBuf, width: Width) -> u64 {
    let mut bytes = [0; 8];
    buf.read(0, &mut bytes[..width.bytes()]);
    match width {
        Width::Four => u64::from(u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        Width::Eight => u64::from_ne_bytes(bytes),
    }
}

fn cut(width: Width, word: u64) -> u64 {
    match width {
        Width::Four => word & u64::from(u32::MAX),
        Width::Eight => word,
    }
}
