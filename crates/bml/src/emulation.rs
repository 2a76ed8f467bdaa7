//! Access to a peer's memory by active messages, for operations that a transport lacks.
//!
//! The *origin* of an operation cuts it into requests, each small enough for one message; the
//! *target* replies to each with one message. So the target keeps no state of an operation, and its
//! memory is bounded: an origin has at most 32 (`WINDOW`) requests outstanding, and a peer that
//! sends more gets no reply.
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
//! * **A handler cannot send.** `Emulation::arrived` runs while the transport progresses; its
//!   replies wait in a queue per peer until `Emulation::pump` borrows the path out.
//! * **An operation is complete when the target has replied to all of it**, so `flush` only has to
//!   wait for the operations of a peer.
//! * **No order is assumed**: every request and reply carries its offset.
//! * **A handle is 64 random bits**, so that a range that was not announced cannot be named. Every
//!   request is checked against the memory that the handle stands for.
//! * **Atomics are the processor's**, so they are atomic with those of `btl-self`, but not with
//!   those of a network card.

mod operation;
mod origin;
mod target;
#[cfg(test)]
mod tests;
mod wire;

use base::{AmTag, PeerId};
use btl::{Access, Arrival, Caps, Emulated, Error, RmaLimits, Sink, Started, Token};
use mca::Framework;
use memory::{Payload, UserBuf};

use origin::Origin;
use target::Target;
use wire::Frame;

pub(crate) use operation::{Messenger, OperationKind, MESSAGE_BYTES_MIN};

/// Returns the facts of a transport whose gaps are filled by messages of at most this many bytes.
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

/// The origin's and the target's side of this process.
#[derive(Default)]
pub(crate) struct Emulation {
    origin: Origin,
    target: Target,
    /// Whether this process ever exposed memory or started an operation. Until then no peer has a
    /// reason to send it anything.
    active: bool,
}

impl Emulation {
    /// Whether there can be anything to do.
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.active
    }

    /// Makes memory reachable; returns the handle that names it.
    pub(crate) fn expose(&mut self, memory: UserBuf, access: Access) -> u64 {
        self.active = true;
        self.target.expose(memory, access)
    }

    /// Ends an exposure by [`Emulation::expose`].
    pub(crate) fn withdraw(&mut self, handle: u64) {
        self.target.withdraw(handle);
    }

    /// Starts an operation on the memory that `handle` names at the peer.
    pub(crate) fn start(
        &mut self,
        out: &mut dyn Messenger,
        peer: PeerId,
        kind: OperationKind,
        (handle, offset): (u64, u64),
        token: Token,
    ) -> Result<Started, Error> {
        self.active = true;
        self.origin.start(out, peer, kind, (handle, offset), token)
    }

    /// Handles a message of the emulation.
    fn arrived(&mut self, from: PeerId, payload: Payload<'_>) {
        match wire::decode(payload) {
            Some((Frame::Request(request), body)) => self.target.serve(from, &request, body),
            Some((Frame::Answer(answer), body)) => self.origin.answered(from, &answer, body),
            None => Framework::Bml.warn(format_args!(
                "a malformed message of {from} for the emulation of one-sided access was dropped"
            )),
        }
    }

    /// Sends pending messages, as far as there is room.
    pub(crate) fn pump(&mut self, out: &mut dyn Messenger) {
        self.target.pump(out);
        self.origin.pump(out);
    }

    /// Whether a message waits for room: nothing wakes a sleeper when there is some.
    pub(crate) fn has_unsent(&self) -> bool {
        self.target.has_unsent() || self.origin.has_unsent()
    }

    /// Whether operations are in flight, or a message is unsent.
    pub(crate) fn is_busy(&self) -> bool {
        self.target.has_unsent() || self.origin.is_busy()
    }

    /// Whether everything started with a peer is complete, and all its requests have their replies.
    pub(crate) fn is_flushed(&self, peer: PeerId) -> bool {
        self.origin.is_flushed(peer) && self.target.is_flushed(peer)
    }

    /// Ends the operations with a peer that is gone or forgotten, with the error.
    pub(crate) fn lost(&mut self, peer: PeerId, error: &Error) {
        self.origin.lost(peer, error);
        self.target.lost(peer);
    }

    /// Reports completions; returns how many.
    pub(crate) fn report(&mut self, sink: &mut dyn Sink) -> usize {
        self.origin.report(sink)
    }
}

/// A sink that passes a transport's reports on, without the messages of the emulation.
pub(crate) struct Filter<'a> {
    pub(crate) emulation: &'a mut Emulation,
    pub(crate) above: &'a mut dyn Sink,
    /// Messages that were not passed on.
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
