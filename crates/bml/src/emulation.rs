//! Access to a peer's memory by active messages, for what a transport cannot do by itself.
//!
//! The *origin* of an operation cuts it into requests, each small enough for one message; the
//! *target* answers each with one message. So the target keeps nothing of an operation, and its
//! memory is bounded: an origin has at most 32 (`WINDOW`) requests unanswered, and a peer that
//! sends more is not answered.
//!
//! ```text
//! origin                                    target
//!   get    GET  handle, offset, len     ->
//!          <-  DATA  the bytes                 copied from the memory when it is sent
//!   put    PUT  handle, offset, bytes   ->     copied into the memory when it arrives
//!          <-  DONE
//!   atomic ATOMIC  handle, offset, op   ->     done by the processor when it arrives
//!          <-  DONE  the word as it was
//!          <-  REFUSED  why                    unknown handle, outside, no right, no word
//! ```
//!
//! * **A handler cannot send.** `Emulation::arrived` runs while the transport progresses; what
//!   it has to answer waits in a queue per peer until `Emulation::pump` is lent the way out.
//! * **An operation is complete when the target has answered for all of it**, so `flush` only
//!   has to wait for the operations of a peer.
//! * **No order is assumed**: every request and answer says where it belongs.
//! * **A handle is 64 random bits**, so that a range that was not told cannot be named. What a
//!   peer sends is checked against the memory that the handle stands for.
//! * **Atomics are the processor's**, so they are atomic with those of `btl-self`, but not with
//!   those of a network card.

mod act;
mod origin;
mod target;
#[cfg(test)]
mod tests;
mod wire;

use base::{AmTag, PeerId};
use btl::{Access, Arrival, Caps, Emulated, Error, RmaLimits, Sink, Started, Token};
use memory::{Payload, UserBuf};

use origin::Origin;
use target::Target;
use wire::Frame;

pub(crate) use act::{Act, Messenger, MESSAGE_BYTES_MIN};

/// The facts of a transport whose holes are filled by messages of at most this many bytes.
pub(crate) fn filled(inner: &Caps, messages: usize) -> Caps {
    let mut caps = inner.clone();
    if messages < MESSAGE_BYTES_MIN {
        return caps;
    }
    let any = RmaLimits {
        max_bytes: usize::MAX,
        alignment: 1,
    };
    caps.get = inner.get.or(Some(any));
    caps.put = inner.put.or(Some(any));
    caps.atomics = true;
    caps.emulated = Emulated {
        get: inner.get.is_none(),
        put: inner.put.is_none(),
        atomics: !inner.atomics,
    };
    caps
}

/// Both sides of this process.
#[derive(Default)]
pub(crate) struct Emulation {
    origin: Origin,
    target: Target,
    /// Whether this process ever exposed memory or started an operation. Until then nobody has
    /// a reason to send it anything.
    active: bool,
}

impl Emulation {
    /// Whether there can be anything to do.
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.active
    }

    /// Makes memory reachable; the handle that names it.
    pub(crate) fn expose(&mut self, memory: UserBuf, access: Access) -> u64 {
        self.active = true;
        self.target.expose(memory, access)
    }

    /// Ends what [`Emulation::expose`] began.
    pub(crate) fn withdraw(&mut self, handle: u64) {
        self.target.withdraw(handle);
    }

    /// Starts an operation on the memory that `handle` names at the peer.
    pub(crate) fn start(
        &mut self,
        out: &mut dyn Messenger,
        peer: PeerId,
        act: Act,
        (handle, offset): (u64, u64),
        token: Token,
    ) -> Result<Started, Error> {
        self.active = true;
        self.origin.start(out, peer, act, (handle, offset), token)
    }

    /// Takes a message of the emulation.
    fn arrived(&mut self, from: PeerId, payload: Payload<'_>) {
        match wire::decode(payload) {
            Some((Frame::Request(request), body)) => self.target.serve(from, &request, body),
            Some((Frame::Answer(answer), body)) => self.origin.answered(from, &answer, body),
            None => log::warn!(target: "bml", "a message of {from} for memory that is none"),
        }
    }

    /// Sends what waits, as far as there is room.
    pub(crate) fn pump(&mut self, out: &mut dyn Messenger) {
        self.target.pump(out);
        self.origin.pump(out);
    }

    /// Whether something waits for room: nothing wakes a sleeper when there is some.
    pub(crate) fn has_unsent(&self) -> bool {
        self.target.has_unsent() || self.origin.has_unsent()
    }

    /// Whether operations are under way, or something is unsent.
    pub(crate) fn is_busy(&self) -> bool {
        self.target.has_unsent() || self.origin.is_busy()
    }

    /// Whether everything that was started with a peer is complete, and answered what it asked.
    pub(crate) fn is_flushed(&self, peer: PeerId) -> bool {
        self.origin.is_flushed(peer) && self.target.is_flushed(peer)
    }

    /// A peer is gone or forgotten: what was started with it ends with the error.
    pub(crate) fn lost(&mut self, peer: PeerId, error: &Error) {
        self.origin.lost(peer, error);
        self.target.lost(peer);
    }

    /// Reports what is complete; how much it is.
    pub(crate) fn report(&mut self, sink: &mut dyn Sink) -> usize {
        self.origin.report(sink)
    }
}

/// The way up of a transport, without the messages of the emulation.
pub(crate) struct Filter<'a> {
    pub(crate) emulation: &'a mut Emulation,
    pub(crate) above: &'a mut dyn Sink,
    /// Messages that went no further.
    pub(crate) taken: usize,
}

impl Sink for Filter<'_> {
    #[inline]
    fn deliver(&mut self, arrival: Arrival<'_>) {
        if arrival.tag != AmTag::RMA {
            return self.above.deliver(arrival);
        }
        self.taken += 1;
        self.emulation.arrived(arrival.from, arrival.payload);
    }

    fn done(&mut self, token: Token, outcome: Result<(), Error>) {
        self.above.done(token, outcome);
    }

    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        self.emulation.lost(peer, &error);
        self.above.peer_failed(peer, error);
    }

    fn wants_more(&self) -> bool {
        self.above.wants_more()
    }
}
