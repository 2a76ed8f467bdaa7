//! The instances under test, introduced to each other, and the loop that drives them.

use base::{PeerId, Rank};
use datatype::Buffer;
use memory::Scratch;

use super::fixture::Fixture;
use crate::{
    CommId, Context, MessageId, Mode, Outcome, Pattern, Pml, RequestId, Started, Status, Tag,
};

/// Rounds of progress after which a wait is given up.
const ROUNDS_MAX: usize = 200_000;
/// Rounds without any event after which nothing is under way.
const ROUNDS_IDLE: usize = 300;

/// Accepts every message.
pub(super) const ANY: Pattern = Pattern {
    source: None,
    tag: None,
};

/// Accepts messages of one sender with one tag.
pub(super) fn from(source: usize, tag: Tag) -> Pattern {
    Pattern {
        source: Some(Rank(source as u32)),
        tag: Some(tag),
    }
}

/// Returns the status of a message.
pub(super) fn got(source: usize, tag: Tag, bytes: usize) -> Status {
    Status {
        source: Some(Rank(source as u32)),
        tag,
        bytes: bytes as u64,
        ..Status::EMPTY
    }
}

/// Returns memory with `len` bytes that a seed decides.
pub(super) fn filled(len: usize, seed: usize) -> Scratch {
    let scratch = Scratch::new(len);
    let bytes: Vec<u8> = (0..len)
        .map(|at| (at.wrapping_mul(7) ^ seed.wrapping_mul(31) ^ (at >> 8)) as u8)
        .collect();
    scratch.buf().write(0, &bytes);
    scratch
}

/// Returns the bytes of memory.
pub(super) fn bytes(scratch: &Scratch) -> Vec<u8> {
    let mut bytes = vec![0; scratch.buf().len()];
    scratch.buf().read(0, &mut bytes);
    bytes
}

/// Layers that know each other, with one communicator of all.
pub(super) struct World<F: Fixture> {
    pub(super) fixture: F,
    pub(super) layers: Vec<F::Layer>,
    pub(super) comms: Vec<CommId>,
}

/// The communicator that every world begins with.
const WORLD: Context = Context(8);

impl<F: Fixture> World<F> {
    pub(super) fn new(mut fixture: F, n: usize) -> World<F> {
        let mut layers = fixture.open(n);
        let addresses: Vec<Vec<u8>> = layers.iter().map(Pml::address).collect();
        for (me, layer) in layers.iter_mut().enumerate() {
            for (peer, address) in (0..).map(PeerId).zip(&addresses) {
                let added = layer.add_peer(peer, address);
                assert!(added.is_ok(), "rank {me} does not reach {peer}");
            }
        }
        let mut world = World {
            fixture,
            layers,
            comms: Vec::new(),
        };
        world.comms = (0..n).map(|at| world.open(at, WORLD)).collect();
        world
    }

    /// Opens a communicator of all ranks at one of them.
    pub(super) fn open(&mut self, at: usize, context: Context) -> CommId {
        let peers = (0..self.layers.len() as u32).map(PeerId).collect();
        self.layers[at].open_comm(context, Rank(at as u32), peers)
    }

    pub(super) fn send(
        &mut self,
        from: usize,
        to: usize,
        tag: Tag,
        data: &Scratch,
        mode: Mode,
    ) -> Started {
        let buffer = Buffer::bytes(data.buf());
        self.layers[from].start_send(self.comms[from], Rank(to as u32), tag, buffer, mode)
    }

    pub(super) fn recv(&mut self, at: usize, pattern: Pattern, room: &Scratch) -> RequestId {
        self.layers[at].start_recv(self.comms[at], pattern, Buffer::bytes(room.buf()))
    }

    /// Polls every layer once. Returns the number of events.
    pub(super) fn progress(&mut self) -> usize {
        self.fixture.tick();
        self.layers.iter_mut().map(Pml::progress).sum()
    }

    /// Polls until nothing is under way any more.
    pub(super) fn settle(&mut self) {
        let mut idle = 0;
        for _ in 0..ROUNDS_MAX {
            idle = match self.progress() {
                0 => idle + 1,
                _ => 0,
            };
            if idle == ROUNDS_IDLE {
                return;
            }
        }
        panic!("the layers do not come to rest");
    }

    /// Polls until `condition` holds at a rank.
    pub(super) fn until<T>(
        &mut self,
        at: usize,
        what: &str,
        mut condition: impl FnMut(&mut F::Layer) -> Option<T>,
    ) -> T {
        for _ in 0..ROUNDS_MAX {
            if let Some(found) = condition(&mut self.layers[at]) {
                return found;
            }
            self.progress();
        }
        panic!("rank {at} waits forever for {what}");
    }

    /// Polls until a probe finds a message: a busy network may not be asked at once.
    pub(super) fn probe(&mut self, at: usize, comm: CommId, pattern: Pattern) -> Status {
        let what = format!("a probe of {pattern:?}");
        self.until(at, &what, |layer| layer.probe(comm, pattern))
    }

    /// Polls until a matched probe takes a message.
    pub(super) fn claim(
        &mut self,
        at: usize,
        comm: CommId,
        pattern: Pattern,
    ) -> (MessageId, Status) {
        let what = format!("a matched probe of {pattern:?}");
        self.until(at, &what, |layer| layer.matched_probe(comm, pattern))
    }

    /// Polls until a request is complete, and takes its outcome.
    pub(super) fn wait(&mut self, at: usize, request: RequestId) -> Outcome {
        self.until(at, &format!("{request:?}"), |layer| layer.outcome(request))
    }

    /// Polls until a send is complete, and checks that it did not fail.
    pub(super) fn wait_sent(&mut self, at: usize, started: Started) {
        if let Started::Pending(request) = started {
            assert_eq!(self.wait(at, request).result, Ok(()), "a send of rank {at}");
        }
    }

    /// Checks that nothing is left: no request, no message, nothing queued.
    pub(super) fn check_empty(&mut self) {
        self.settle();
        let n = self.layers.len() as u32;
        for (at, layer) in self.layers.iter_mut().enumerate() {
            assert_eq!(layer.open_requests(), 0, "requests of rank {at}");
            assert_eq!(layer.held_requests(), 0, "requests of rank {at}");
            assert_eq!(layer.unexpected_len(self.comms[at]), 0, "rank {at}");
            assert_eq!(layer.probe(self.comms[at], ANY), None, "rank {at}");
            assert!(!layer.has_queued(), "rank {at} has something queued");
            assert!(layer.is_flushed(n), "rank {at} has something to send");
        }
    }
}
