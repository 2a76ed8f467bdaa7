//! Tests of `get` and `put`, inside and outside of a registration.

use base::Random;
use memory::{Scratch, UserBuf};

use super::fixture::Fixture;
use super::message::{bytes_of, content, expect_content, filled};
use super::world::{SendKind, World};
use crate::{Access, Error, Flow, RemoteKey, RemoteRange, RmaLimits, Started, Token};

/// Bytes of the registrations that small ranges are taken from.
const REGION_BYTES: usize = 40_960;

/// Fill value around local memory that must not change.
const GUARD: u8 = 0xa5;

/// Bytes around a local range that are watched.
const GUARD_BYTES: usize = 64;

const READ_WRITE: Access = Access {
    read: true,
    write: true,
};

/// Ranges at odd offsets are read exactly.
pub fn odd_ranges_are_read(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    let Some(limits) = get_limits(&world, from, to) else {
        return;
    };
    let region = filled(5, REGION_BYTES);
    let remote = Remote::register(&mut world, to, region.buf());
    for (number, (offset, len)) in ranges(&limits).into_iter().enumerate() {
        let local = guarded(len);
        let target = local.buf().part(GUARD_BYTES, len);
        let token = Token(number as u64);
        let outcome = world.transfer(
            from,
            to,
            Direction::Get,
            target,
            remote.at(offset as u64),
            token,
        );
        assert_eq!(outcome, Ok(()), "{len} bytes at {offset}");
        let read = bytes_of(target);
        assert!(
            read == content(5, REGION_BYTES)[offset..offset + len],
            "{len} at {offset}"
        );
        expect_guards(local.buf(), len);
    }
    expect_content("the region", 5, &bytes_of(region.buf()));
    remote.deregister(&mut world, to);
}

/// Ranges at odd offsets are written exactly.
pub fn odd_ranges_are_written(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    let Some(limits) = world.nodes[from].transport.caps().put else {
        return;
    };
    let region = filled(6, REGION_BYTES);
    let mut wanted = content(6, REGION_BYTES).to_vec();
    let remote = Remote::register(&mut world, to, region.buf());
    for (number, (offset, len)) in ranges(&limits).into_iter().enumerate() {
        let source = filled(1000 + number as u64, len);
        wanted[offset..offset + len].copy_from_slice(content(1000 + number as u64, len));
        let range = remote.at(offset as u64);
        let token = Token(number as u64);
        let outcome = world.transfer(from, to, Direction::Put, source.buf(), range, token);
        assert_eq!(outcome, Ok(()), "{len} bytes at {offset}");
        world.flushed(from, to);
        assert!(
            bytes_of(region.buf()) == wanted,
            "the region after {len} bytes at {offset}"
        );
    }
    remote.deregister(&mut world, to);
}

/// Ranges that leave the registration, and unknown keys, fail and touch nothing.
pub fn ranges_outside_are_refused(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    let region = filled(7, REGION_BYTES);
    let n = REGION_BYTES as u64;
    for (direction, limits) in directions(&world, from, to) {
        let unit = limits.alignment as u64;
        let remote = Remote::register(&mut world, to, region.buf());
        let outside = [
            (n - unit, 2),
            (n, 1),
            (n + 1024 * unit, 8),
            (u64::MAX - 8 * unit + 1, 8),
        ];
        let whole = (unit, n / unit);
        for (i, (offset, units)) in outside.into_iter().chain([whole]).enumerate() {
            let local = guarded((units * unit) as usize);
            let buf = local.buf().part(GUARD_BYTES, (units * unit) as usize);
            let token = Token(i as u64 + if direction == Direction::Get { 0 } else { 100 });
            let outcome = world.transfer(from, to, direction, buf, remote.at(offset), token);
            let refused = matches!(outcome, Err(Error::OutOfRange { .. }));
            assert!(
                refused,
                "{direction:?} of {} bytes at {offset}: {outcome:?}",
                buf.len()
            );
            assert!(
                bytes_of(local.buf()).iter().all(|&b| b == GUARD),
                "local memory changed"
            );
        }
        for (i, key) in [&[][..], &[0xff; 32], &[0; 8], &[1; 31]]
            .into_iter()
            .enumerate()
        {
            let local = guarded(64);
            let key = RemoteKey::new(key).expect("at most 32 bytes");
            let (buf, token) = (local.buf().part(GUARD_BYTES, 64), Token(200 + i as u64));
            let token = Token(token.0 + if direction == Direction::Get { 0 } else { 100 });
            let outcome = world.transfer(
                from,
                to,
                direction,
                buf,
                RemoteRange { key, offset: 0 },
                token,
            );
            assert!(outcome.is_err(), "{direction:?} with the key {key:?}");
            assert!(
                bytes_of(local.buf()).iter().all(|&b| b == GUARD),
                "local memory changed"
            );
        }
        remote.deregister(&mut world, to);
    }
    expect_content("the region", 7, &bytes_of(region.buf()));
}

/// Transfers up to 4 MiB work as far as the limits go, and beyond them are refused.
pub fn large_transfers_cross_the_limits(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    for (i, (direction, limits)) in directions(&world, from, to).into_iter().enumerate() {
        let len = limits.max_bytes.min(4 << 20);
        let (theirs, ours) = (Scratch::new(len), Scratch::new(len + limits.alignment));
        let (source, target) = match direction {
            Direction::Get => (&theirs, &ours),
            Direction::Put => (&ours, &theirs),
        };
        for (number, at) in (0..len).step_by(100_000).enumerate() {
            source
                .buf()
                .write(at, content(number as u64, (len - at).min(100_000)));
        }
        let remote = Remote::register(&mut world, to, theirs.buf());
        let (local, token) = (ours.buf().part(0, len), Token(i as u64));
        let outcome = world.transfer(from, to, direction, local, remote.at(0), token);
        assert_eq!(outcome, Ok(()), "{direction:?} of {len} bytes");
        world.flushed(from, to);
        for (number, at) in (0..len).step_by(100_000).enumerate() {
            let part = target.buf().part(at, (len - at).min(100_000));
            expect_content("part", number as u64, &bytes_of(part));
        }
        if limits.max_bytes == len {
            let token = Token(100 + i as u64);
            let outcome = world.transfer(from, to, direction, ours.buf(), remote.at(0), token);
            let refused = matches!(outcome, Err(Error::TooLarge { .. }));
            assert!(
                refused,
                "{direction:?} of more than {len} bytes: {outcome:?}"
            );
        }
        remote.deregister(&mut world, to);
    }
}

/// After `flush` a put is visible at its target, whether its token was reported or not.
pub fn flushed_puts_are_visible(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    let Some(limits) = world.nodes[from].transport.caps().put else {
        return;
    };
    let len = (4096 / limits.alignment * limits.alignment).min(limits.max_bytes);
    let region = filled(1, len);
    let remote = Remote::register(&mut world, to, region.buf());
    let peer = world.nodes[to].id;
    for number in 2..40 {
        let source = filled(number, len);
        world.until("a put to start", |world| {
            let rma = world.nodes[from].rma();
            let put = rma.put(peer, source.buf(), remote.at(0), Token(number));
            put.expect("a put") != Started::Busy
        });
        world.flushed(from, to);
        expect_content("the region after put", number, &bytes_of(region.buf()));
    }
    remote.deregister(&mut world, to);
}

/// Memory that is mapped shows what is there now, wherever in the registration it begins; outside
/// nothing is mapped.
pub fn mapped_memory_is_the_peers(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    let Some(limits) = get_limits(&world, from, to) else {
        return;
    };
    let region = filled(9, REGION_BYTES);
    let remote = Remote::register(&mut world, to, region.buf());
    let peer = world.nodes[to].id;
    for (offset, len) in ranges(&limits) {
        let rma = world.nodes[from].rma();
        let mapped = rma.map(peer, remote.at(offset as u64), len);
        let Some(mapping) = mapped.expect("a mapping, or none") else {
            return remote.deregister(&mut world, to);
        };
        assert_eq!((mapping.peer, mapping.memory.len()), (peer, len));
        let there = region.buf().part(offset, len);
        assert!(
            bytes_of(mapping.memory) == bytes_of(there),
            "{len} at {offset}"
        );
        if len > 0 {
            there.write(len - 1, &[0x5a]);
            mapping.memory.write(0, &[0xa5]);
        }
        assert!(
            bytes_of(mapping.memory) == bytes_of(there),
            "{len} at {offset}, changed"
        );
        world.nodes[from].rma().unmap(mapping);
    }
    for (offset, len) in [(REGION_BYTES as u64, 1), (1, REGION_BYTES), (u64::MAX, 2)] {
        let outside = world.nodes[from].rma().map(peer, remote.at(offset), len);
        let refused = matches!(outside, Err(Error::OutOfRange { .. }));
        assert!(refused, "{len} bytes at {offset}: {outside:?}");
    }
    remote.deregister(&mut world, to);
}

/// Many transfers at once, among messages, all complete once.
pub fn transfers_beside_messages(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    let Some(limits) = get_limits(&world, from, to) else {
        return;
    };
    let region = filled(8, REGION_BYTES);
    let remote = Remote::register(&mut world, to, region.buf());
    let peer = world.nodes[to].id;
    let mut pending = Vec::new();
    for (number, (offset, len)) in ranges(&limits).into_iter().enumerate() {
        let number = number as u64;
        if !world.is_mute() {
            world.send(from, to, number, (200, 16), SendKind::Send);
        }
        let local = Scratch::new(len);
        let range = remote.at(offset as u64);
        world.until("a get to start", |world| {
            let rma = world.nodes[from].rma();
            match rma
                .get(peer, local.buf(), range, Token(number))
                .expect("a get")
            {
                Started::Busy => return false,
                Started::Pending => pending.push(Token(number)),
                Started::Done => {}
            }
            true
        });
        let done = || content(8, REGION_BYTES)[offset..offset + len] == bytes_of(local.buf());
        if !world.is_mute() {
            world.receive(from, to, number, 200);
        }
        world.until("the get to be done", |world| {
            let reported = world.nodes[from].record.done.get(&number);
            assert!(reported.is_none_or(Result::is_ok), "{reported:?}");
            reported.is_some() || pending.last() != Some(&Token(number))
        });
        assert!(done(), "{len} bytes at {offset}");
    }
    world.expect_silence();
    assert_eq!(
        world.nodes[from].record.done.len(),
        pending.len(),
        "tokens reported"
    );
    remote.deregister(&mut world, to);
}

/// The direction of a transfer to or from remote memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Get,
    Put,
}

/// A registration at a peer.
pub(super) struct Remote(crate::Registration);

impl Remote {
    pub(super) fn register(world: &mut World, at: usize, memory: UserBuf) -> Remote {
        let registration = world.nodes[at].rma().register(memory, READ_WRITE);
        Remote(registration.unwrap_or_else(|error| panic!("a registration: {error}")))
    }

    pub(super) fn at(&self, offset: u64) -> RemoteRange {
        RemoteRange {
            key: self.0.key,
            offset,
        }
    }

    pub(super) fn deregister(self, world: &mut World, at: usize) {
        world.nodes[at].rma().deregister(self.0);
    }
}

impl World {
    /// Starts a transfer, again while the transport is busy, and waits for its outcome.
    pub(super) fn transfer(
        &mut self,
        from: usize,
        to: usize,
        direction: Direction,
        local: UserBuf,
        remote: RemoteRange,
        token: Token,
    ) -> Result<(), Error> {
        let peer = self.nodes[to].id;
        let mut started = Ok(Started::Busy);
        self.until("a transfer to start", |world| {
            let rma = world.nodes[from].rma();
            started = match direction {
                Direction::Get => rma.get(peer, local, remote, token),
                Direction::Put => rma.put(peer, local, remote, token),
            };
            started != Ok(Started::Busy)
        });
        if started? == Started::Pending {
            self.until("a transfer", |world| {
                world.nodes[from].record.done.contains_key(&token.0)
            });
            return self.nodes[from]
                .record
                .done
                .remove(&token.0)
                .expect("reported");
        }
        let reported = self.nodes[from].record.done.get(&token.0);
        assert_eq!(
            reported, None,
            "{token:?} was complete at once and is reported again"
        );
        Ok(())
    }

    /// Waits until everything for a peer is there.
    pub(super) fn flushed(&mut self, from: usize, to: usize) {
        let peer = self.nodes[to].id;
        self.until("a flush", |world| {
            let flow = world.nodes[from].transport.flush(peer);
            flow.unwrap_or_else(|error| panic!("flush: {error}")) == Flow::Sent
        });
    }
}

fn get_limits(world: &World, from: usize, to: usize) -> Option<RmaLimits> {
    let transport = &world.nodes[from].transport;
    transport
        .caps()
        .get
        .filter(|_| transport.hints(world.nodes[to].id).reads)
}

fn directions(world: &World, from: usize, to: usize) -> Vec<(Direction, RmaLimits)> {
    let get = get_limits(world, from, to).map(|limits| (Direction::Get, limits));
    let put = world.nodes[from]
        .transport
        .caps()
        .put
        .map(|limits| (Direction::Put, limits));
    get.into_iter().chain(put).collect()
}

/// Ranges inside a region, at multiples of the alignment, that never start where it starts
/// only.
fn ranges(limits: &RmaLimits) -> Vec<(usize, usize)> {
    let unit = limits.alignment;
    let units = REGION_BYTES / unit;
    let mut ranges = vec![(0, 0), (0, 1), (1, 1), (3, 13), (units - 1, 1), (0, units)];
    ranges.extend([
        (units, 0),
        (1, units - 1),
        (4095, 2),
        (4096, 4096),
        (63, 130),
    ]);
    let mut random = Random::new(77);
    ranges.extend((0..40).map(|_| {
        let offset = random.index(units);
        (offset, random.index(units - offset + 1))
    }));
    let scaled = ranges
        .into_iter()
        .map(|(offset, len)| (offset * unit, len * unit));
    scaled
        .filter(|&(offset, len)| offset + len <= REGION_BYTES && len <= limits.max_bytes)
        .collect()
}

/// Memory for `len` bytes with guards on both sides, all filled with the guard's value.
fn guarded(len: usize) -> Scratch {
    let scratch = Scratch::new(len + 2 * GUARD_BYTES);
    scratch.buf().write(0, &vec![GUARD; len + 2 * GUARD_BYTES]);
    scratch
}

fn expect_guards(buf: UserBuf, len: usize) {
    let bytes = bytes_of(buf);
    let outside = bytes[..GUARD_BYTES]
        .iter()
        .chain(&bytes[GUARD_BYTES + len..]);
    assert!(
        outside.copied().all(|b| b == GUARD),
        "bytes beside the local range changed"
    );
}
