//! One peer: its lane, what is queued for it, and the flow control of eager messages both ways.

use std::collections::VecDeque;
use std::sync::Arc;

use base::{Key, PeerCounters, RemoteKey};

use crate::driver::Limits;
use crate::wire::{Encoded, EAGER_ACK_BYTES, LONG_BYTES, RTS_BYTES};

/// Cost of an eager message in the window beside its payload, in bytes: about the cost of buffering
/// it at the receiver. Messages without payload are bounded by it.
const MESSAGE_COST: u64 = 64;

/// The state of one peer.
#[derive(Default)]
pub(crate) struct Peer {
    /// Payload bytes that fit an eager message, pipelined or not.
    pub(crate) eager_max: usize,
    /// Payload bytes of an eager message in one frame; longer ones are pipelined.
    pub(crate) whole_max: usize,
    /// Bytes of a part of a pipelined message.
    pub(crate) part: usize,
    /// Bytes of a longer message that go with its RTS.
    prefix_max: usize,
    pub(crate) max_send: usize,
    pub(crate) can_get: bool,
    pub(crate) buffers: bool,
    /// Bytes of messages from which on they are measured, where any are.
    pub(crate) measured_min: Option<usize>,
    /// Whether its messages go to a lane without a further check. Not those of this process itself.
    pub(crate) reachable: bool,
    /// The messages to the peer that were sent last, for their sampling.
    sampled: Sampled,
    /// Messages of the peer that its samples left out, since the last one that was measured.
    pub(crate) unmeasured: u32,
    /// Counters that tools read, with the cost of all eager messages sent to it, and the part
    /// of that cost that the peer has reported as consumed.
    pub(crate) counters: Arc<PeerCounters>,
    /// Cost of all eager messages of the peer consumed here.
    consumed: u64,
    /// The part of `consumed` that was reported to the peer.
    reported: u64,
    /// Cost of the peer's messages that are buffered here, less that of messages of an earlier
    /// instance that were received since: what the peer has sent and this process not consumed.
    buffered: i64,
    /// Messages of the peer that wait for others before them or for their communicator.
    pub(crate) ahead: usize,
    pub(crate) queue: VecDeque<Outgoing>,
    /// The pipelined message that the peer is sending.
    pub(crate) pipelined: Option<Pipelined>,
    /// Whether the peer has died and will come back: nothing is sent to it meanwhile.
    pub(crate) suspended: bool,
    /// The reason that the peer failed.
    pub(crate) failed: Option<Arc<str>>,
}

/// Messages in succession of about one length, all announced or none.
#[derive(Default)]
struct Sampled {
    /// The length as a power of two, and whether they are announced.
    kind: (u32, bool),
    count: u32,
}

/// Messages in succession that are all measured.
const MEASURED_ALL: u32 = 32;
/// Messages in succession, after the first ones, of which one is measured: reading the clock takes
/// a part of a message's time.
const MEASURED_EVERY: u32 = 4;

/// An entry of the queue for a peer's lane.
pub(crate) enum Outgoing {
    /// A control message.
    Control(Encoded),
    /// The header of a queued eager message; the payload is its request's buffer.
    Eager(Encoded, Key),
    /// The header of the first part of a pipelined eager message; the payload is its request's
    /// buffer.
    Pipelined(Encoded, Key),
    /// An RTS header; the eager prefix of the message is in its request's buffer.
    Rts(Encoded, Key),
    /// The next fragment of a streaming request.
    Stream(Key),
    /// A read of the peer's memory for a request.
    Get(RemoteKey, Key),
}

/// A pipelined message of a peer that is not complete yet.
pub(crate) struct Pipelined {
    pub(crate) total: u64,
    pub(crate) received: u64,
    pub(crate) target: Target,
}

/// The destination of an incoming pipelined message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// The buffer of the receive that it matched.
    Receive(Key),
    /// The bytes gathered under this key.
    Gathered(Key),
}

/// The bytes received so far of a pipelined message that is unexpected.
pub(crate) struct Gathered {
    pub(crate) bytes: Vec<u8>,
}

impl Peer {
    /// Returns a peer without a lane, with its counters.
    pub(crate) fn counting(counters: Arc<PeerCounters>) -> Peer {
        Peer {
            counters,
            ..Peer::default()
        }
    }

    pub(crate) fn set_limits(&mut self, limits: Limits) {
        self.suspended = false;
        self.whole_max = limits.eager_limit.saturating_sub(EAGER_ACK_BYTES);
        self.eager_max = self.whole_max;
        if let Some(cut) = limits.cut.filter(|cut| cut.part > 0) {
            // A part, with its header, has to fit a message of the lane.
            let part_max = limits.max_send.saturating_sub(LONG_BYTES);
            self.part = cut.part.min(part_max).min(self.whole_max).max(1);
            // What is cut is longer than a part.
            self.whole_max = self.part;
            self.eager_max = cut.longest.max(self.whole_max);
        }
        let prefix = limits.rndv_eager_limit.min(limits.max_send);
        self.prefix_max = prefix.saturating_sub(RTS_BYTES);
        self.max_send = limits.max_send;
        self.can_get = limits.can_get;
        self.buffers = limits.buffers;
        self.measured_min = limits.measured_min;
        self.reachable = true;
    }

    /// Makes it this process itself: rendezvous messages are copied without the lane.
    pub(crate) fn set_own(&mut self) {
        self.reachable = false;
        self.can_get = false;
        self.prefix_max = 0;
        self.measured_min = None;
    }

    /// Returns whether the next message to the peer is to be measured.
    pub(crate) fn samples(&mut self, bytes: usize, announced: bool) -> bool {
        let kind = (bytes.checked_ilog2().unwrap_or(0), announced);
        let Sampled { kind: last, count } = &mut self.sampled;
        if *last != kind {
            (*last, *count) = (kind, 0);
        }
        *count = count.wrapping_add(1);
        *count <= MEASURED_ALL || *count % MEASURED_EVERY == 0
    }

    /// Uses up window for an eager message of `len` bytes; false when there is not enough.
    #[inline]
    pub(crate) fn charge(&mut self, len: usize, window: u64) -> bool {
        let cost = len as u64 + MESSAGE_COST;
        let counters = &*self.counters;
        if counters.window_used.get() - counters.window_returned.get() + cost > window {
            return false;
        }
        counters.window_used.add(cost);
        true
    }

    /// Returns to the window the charge of an eager message of `len` bytes that is sent otherwise.
    pub(crate) fn refund(&mut self, len: usize) {
        self.counters.window_used.sub(len as u64 + MESSAGE_COST);
    }

    /// Uses up window for the eager prefix of a rendezvous message of `len` bytes. Returns the
    /// length of the prefix: 0 when there is not enough window.
    pub(crate) fn charge_prefix(&mut self, len: usize, window: u64) -> usize {
        let prefix = len.min(self.prefix_max);
        match prefix > 0 && self.charge(prefix, window) {
            true => prefix,
            false => 0,
        }
    }

    /// Returns whether one more message, charged for `charged` bytes, is within `limit`.
    pub(crate) fn may_buffer(&self, charged: Option<usize>, limit: u64) -> bool {
        i128::from(self.buffered) + i128::from(cost(charged)) <= i128::from(limit)
    }

    /// Counts a message, charged for `charged` bytes, as buffered here.
    pub(crate) fn buffer(&mut self, charged: Option<usize>) {
        self.buffered += cost(charged);
    }

    /// Counts a message, charged for `charged` bytes, as buffered no longer.
    pub(crate) fn unbuffer(&mut self, charged: Option<usize>) {
        self.buffered -= cost(charged);
    }

    /// Takes the peer's report of what it has consumed.
    pub(crate) fn credit(&mut self, consumed: u64) {
        // A peer that counts messages of an earlier instance of this process (see `forget_peer`)
        // reports too much; it cannot open the window further than all the way.
        let consumed = consumed.min(self.counters.window_used.get());
        // Reports may overtake each other on a lane without order; the largest one counts.
        let returned = &self.counters.window_returned;
        returned.add(consumed.saturating_sub(returned.get()));
    }

    /// Counts an eager message of `len` bytes as consumed; true when it is time to report.
    #[inline]
    pub(crate) fn consume(&mut self, len: usize, window: u64) -> bool {
        self.consumed += len as u64 + MESSAGE_COST;
        self.consumed - self.reported >= window / 4
    }

    /// Returns what to report as consumed, and counts it as reported.
    pub(crate) fn report(&mut self) -> u64 {
        self.reported = self.consumed;
        self.consumed
    }
}

/// Returns the cost in the window of a message that is charged for `charged` bytes.
fn cost(charged: Option<usize>) -> i64 {
    charged.map_or(0, |len| len as i64 + MESSAGE_COST as i64)
}
