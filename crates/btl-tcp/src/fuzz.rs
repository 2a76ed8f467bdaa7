//! Fuzzing of the decoders of a peer's bytes: called by the fuzz targets, and by the test that
//! replays their corpus.
//!
//! Each function takes any bytes, and panics if a decoder misreads what it accepted or if a process
//! without the secret is let in.

use std::io;

use base::PeerId;
use btl::{Access, Arrival, Error, Sink, Token};
use memory::{Scratch, UserBuf};

use crate::address::Address;
use crate::handshake::{ConnectionId, Identity, State, Verdict};
use crate::pairing::{self, KernelRoute};
use crate::params::Settings;
use crate::pool::Pool;
use crate::receiver::{Acknowledged, Inbound, Receiver, Stream};
use crate::replies::Replies;
use crate::report::Reports;
use crate::rma::{Exports, Reads};
use crate::seal::{Protection, Seal, Sealed};
use crate::stream::Incoming;
use crate::sys::Parts;

pub use base::fuzz::Target;

/// The targets, by the names of their corpora.
pub const TARGETS: &[Target] = &[
    ("tcp_address", address),
    ("tcp_frames", frames),
    ("tcp_handshake", handshake),
    ("tcp_records", records),
];

/// Two addresses of peers, one after the other: each is refused, or is what it says; two that
/// are not are paired alike by both.
pub fn address(bytes: &[u8]) {
    let (len, bytes) = bytes
        .split_first()
        .map_or((0, bytes), |(len, rest)| (*len, rest));
    let (one, other) = bytes.split_at(bytes.len().min(usize::from(len) * 4));
    let decode = |bytes: &[u8]| {
        let address = Address::decode(bytes).ok()?;
        assert_eq!(address.encode(), bytes);
        Some(address)
    };
    let (Some(one), Some(other)) = (decode(one), decode(other)) else {
        return;
    };
    // Whatever the kernel would say of a pair, it says it of the pair.
    let route = |number: u32| match number % 7 {
        0 => KernelRoute::Direct,
        1 => KernelRoute::Router,
        2 => KernelRoute::Elsewhere,
        3 => KernelRoute::Own,
        4 => KernelRoute::Nowhere,
        _ => KernelRoute::Unknown,
    };
    let here = pairing::pair(&one, &other, true, &mut |ours, theirs| {
        route(ours.latency_ns ^ theirs.latency_ns)
    });
    let there = pairing::pair(&other, &one, false, &mut |ours, theirs| {
        route(ours.latency_ns ^ theirs.latency_ns)
    });
    if let (Ok(here), Ok(there)) = (here, there) {
        assert_eq!(here.rails.len(), there.rails.len());
        for (rail, back) in here.rails.iter().zip(&there.rails) {
            assert!(rail.bandwidth_mbit > 0);
            assert_eq!(rail.remote_interface, back.local_interface);
            assert_eq!(rail.local_interface, back.remote_interface);
        }
    }
}

/// A handshake of which the bytes change some: it comes about only where nothing was changed.
///
/// Three bytes are one change: of which message, where, and how.
pub fn handshake(bytes: &[u8]) {
    let of = |peer| Identity::new(&[7; 32], 77, PeerId(peer), 4096, Protection::None);
    let (connection, state) = (ConnectionId::default(), State::default());
    let (connector, listener) = (of(4), of(9));
    let change = |message: u8, said: &mut [u8]| {
        let changes = bytes
            .chunks_exact(3)
            .filter(|change| change[0] % 4 == message);
        let before = said.to_vec();
        for change in changes {
            let at = usize::from(change[1]) % said.len();
            said[at] ^= change[2];
        }
        said != before
    };
    let (greeted, mut hello) = connector.greet(PeerId(9), connection, state, [1; 32]);
    let changed = change(0, &mut hello);
    let answer = listener.welcome(&hello);
    assert_eq!(answer.is_ok(), !changed, "a greeting was changed");
    let Ok(welcomed) = answer else { return };
    let (challenged, mut challenge) = welcomed.challenge(&listener, 0, state, [2; 32]);
    let changed = change(1, &mut challenge);
    let answer = greeted.prove(&connector, &challenge);
    assert_eq!(answer.is_ok(), !changed, "a challenge was changed");
    let Ok((_, mut proof)) = answer else { return };
    let changed = change(2, &mut proof);
    let proven = challenged.check(&listener, &proof);
    assert_eq!(proven.is_ok(), !changed, "a proof was changed");
    let mut verdict = Verdict::Accept.encode();
    let changed = change(3, &mut verdict);
    assert_eq!(Verdict::decode(verdict[0]) != Ok(Verdict::Accept), changed);
}

/// Decodes a connection's bytes, cut into reads of any size: messages are no longer than agreed,
/// and only memory of posted reads is written.
pub fn frames(bytes: &[u8]) {
    const FRAME_MAX: usize = 300;
    let (step, bytes) = bytes
        .split_first()
        .map_or((0, bytes), |(step, rest)| (*step, rest));
    let memory = Scratch::new(64);
    let (mut reads, mut exports) = (Reads::default(), Exports::default());
    let asked = memory.buf().part(0, 32);
    reads.start(PeerId(1), asked, (0, 0), 4096, Token(7));
    let (read, write) = (true, false);
    exports.register(memory.buf(), Access { read, write });
    let mut receiver = Receiver::new(PeerId(1), 128, FRAME_MAX);
    let mut pool = Pool::new(Settings::default().free_list);
    let (mut replies, mut reports) = (Replies::default(), Reports::new());
    let (mut incoming, mut acknowledged) = (Incoming::default(), Acknowledged::default());
    let mut pieces = Pieces {
        bytes,
        step: usize::from(step) + 1,
    };
    let mut sink = Limit(FRAME_MAX);
    loop {
        let mut inbound = Inbound {
            sink: &mut sink,
            pool: &mut pool,
            reads: &mut reads,
            exports: &exports,
            replies: &mut replies,
            incoming: &mut incoming,
            acknowledged: &mut acknowledged,
            reports: &mut reports,
        };
        if receiver.pump(&mut pieces, &mut inbound).end.is_some() {
            break;
        }
    }
    let mut beyond = [0; 32];
    memory.buf().part(32, 32).read(0, &mut beyond);
    assert_eq!(beyond, [0; 32], "bytes beside what was asked for");
}

/// Records of which the bytes change some, or bytes that are to be records: nothing comes out that
/// did not go in. The first byte chooses the protection and which of both, the second the size of
/// reads, the third how many changes follow, of three bytes each.
pub fn records(bytes: &[u8]) {
    let Some(([kind, step, changes], rest)) = bytes.split_first_chunk() else {
        return;
    };
    let (changes, content) = rest.split_at(rest.len().min(3 * usize::from(*changes)));
    let protection = match kind % 2 {
        0 => Protection::Checksum,
        _ => Protection::Cipher,
    };
    let sealed = |outward: u8, inward: u8| {
        let seal = |key| Seal::new(protection, &[key; 32]).expect("a protection");
        Sealed::new(seal(outward), seal(inward))
    };
    let made_here = kind & 2 == 0;
    let mut wire = match made_here {
        true => seal(content, &mut sealed(1, 2)),
        false => content.to_vec(),
    };
    let len = wire.len().max(1);
    for change in changes.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % len;
        wire.iter_mut()
            .skip(at)
            .take(1)
            .for_each(|byte| *byte ^= change[2]);
    }
    let came = open(&wire, usize::from(*step) + 1, &mut sealed(2, 1));
    assert!(
        !made_here || content.starts_with(&came),
        "bytes were changed"
    );
    assert!(
        made_here || protection == Protection::Checksum || came.is_empty(),
        "a forgery"
    );
}

/// The records that carry the bytes.
fn seal(bytes: &[u8], sealed: &mut Sealed) -> Vec<u8> {
    let (mut wire, mut taken) = (Vec::new(), 0);
    while taken < bytes.len() {
        let mut parts = Parts::new();
        parts.add(&bytes[taken..]);
        let send = |bytes: &[u8]| {
            wire.extend_from_slice(bytes);
            Ok(bytes.len())
        };
        taken += sealed.write(&parts, send).expect("there is room");
    }
    wire
}

/// Returns the contents of records that are read in steps, up to the end or to an invalid one.
fn open(wire: &[u8], step: usize, sealed: &mut Sealed) -> Vec<u8> {
    let (mut came, mut left) = (Vec::new(), wire);
    let (mut here, mut ahead) = ([0; 100], [0; 50]);
    loop {
        let read = sealed.read(&mut here, UserBuf::EMPTY, &mut ahead, |room| {
            let len = room.len().min(step).min(left.len());
            let (now, later) = left.split_at(len);
            room[..len].copy_from_slice(now);
            left = later;
            Ok(len)
        });
        match read {
            Ok(got) if got > 0 => {
                came.extend_from_slice(&here[..got.min(100)]);
                came.extend_from_slice(&ahead[..got.saturating_sub(100)]);
            }
            _ => return came,
        }
    }
}

/// Takes messages up to a length.
struct Limit(usize);

impl Sink for Limit {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        assert!(arrival.payload.len() <= self.0);
    }
    fn done(&mut self, _: Token, _: Result<(), Error>) {}
    fn peer_failed(&mut self, _: PeerId, _: Error) {}
}

/// A connection that brings its bytes in steps of one size.
struct Pieces<'a> {
    bytes: &'a [u8],
    step: usize,
}

impl Stream for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.read_ahead(into, &mut [])
    }

    fn read_user(&mut self, into: UserBuf, ahead: &mut [u8]) -> io::Result<usize> {
        let mut here = vec![0; into.len()];
        let got = self.read_ahead(&mut here, ahead)?;
        into.write(0, &here[..got.min(into.len())]);
        Ok(got)
    }

    fn read_ahead(&mut self, into: &mut [u8], ahead: &mut [u8]) -> io::Result<usize> {
        let mut left = self.step;
        for room in [into, ahead] {
            let len = room.len().min(left).min(self.bytes.len());
            let (now, later) = self.bytes.split_at(len);
            room[..len].copy_from_slice(now);
            (self.bytes, left) = (later, left - len);
        }
        Ok(self.step - left)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_corpora_pass() {
        base::fuzz::replay(super::TARGETS);
    }
}
