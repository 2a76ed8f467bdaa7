//! The contract of transports that match messages themselves.
//!
//! Some networks compare the labels of messages with those of posted receives, often in hardware. A
//! [`Transport`] of this kind (an MTL) is passed what a receive accepts, and reports which message
//! it got. It knows nothing of MPI: a label is 64 [bits](Selector::bits). Its lifetime is that of a
//! `btl::Transport`: it is opened, returns its address, is introduced to its peers, progresses, and
//! is closed.
//!
//! The rules:
//!
//! * **Matching**: a receive accepts a message when the peer is the one asked for (or any) and
//!   the labels agree in all bits that the receive does not ignore. Of several receives the one
//!   posted first gets a message; of one peer's messages a receive gets the one sent first.
//! * **Back-pressure is a value**: `Busy` means that nothing was accepted. It is not an error.
//! * **Every accepted operation is reported once** to the [`Sink`]: with success, with an error,
//!   or as cancelled. Its memory is the transport's until then. Only an operation with a peer that
//!   died may go without a report: some networks give no end of it. Its registration is kept until
//!   the transport is closed, and a report that comes late is still made.
//! * **A handler cannot send**: `Sink` is not given the transport.
//! * **Truncation is no error here**: a message longer than the room of its receive is reported
//!   with its whole length, or where that is not known with a length beyond the room. Of the bytes
//!   that fit some networks deliver none.
#![forbid(unsafe_code)]

pub mod conformance;
pub mod sim;

pub use btl::{Error, Flow, Interest, Reach, SleepKind, Started, Token, Waker};

use base::PeerId;
use memory::UserBuf;

/// Which messages a receive or a probe accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selector {
    /// The sender; `None` accepts any.
    pub from: Option<PeerId>,
    /// The label.
    pub bits: u64,
    /// The bits of the label that do not count.
    pub ignore: u64,
}

impl Selector {
    /// Whether a message of this sender with this label is accepted.
    #[inline]
    pub fn accepts(&self, from: PeerId, bits: u64) -> bool {
        self.from.is_none_or(|wanted| wanted == from) && (self.bits ^ bits) & !self.ignore == 0
    }
}

/// The transport's knowledge of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Envelope {
    /// The sender; `None` where the transport does not know it (after a truncation, on networks
    /// that name no sender then).
    pub from: Option<PeerId>,
    /// The label.
    pub bits: u64,
    /// The sender's note beside the label; `None` unless [`Caps::notes`].
    pub note: Option<u16>,
    /// Bytes of the message; of a truncated one at least one more than its receive takes.
    pub len: u64,
}

/// The upper layer's side of progress: receives what a transport reports.
pub trait Sink {
    /// A send is complete: its memory may be reused.
    fn sent(&mut self, token: Token, result: Result<(), Error>);

    /// A receive has its message, or failed.
    fn received(&mut self, token: Token, result: Result<Envelope, Error>);

    /// A peek ([`Transport::peek`]) found a message, or found no message.
    fn peeked(&mut self, token: Token, found: Option<Envelope>);

    /// A receive was cancelled in time: it will get no message.
    fn cancelled(&mut self, token: Token);

    /// A peer is gone. Operations with it have been or will be reported.
    fn peer_failed(&mut self, peer: PeerId, error: Error);
}

/// Facts about a transport, constant after opening. Sizes are bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caps {
    /// The component's name, as users write it in `--mca mtl`.
    pub name: &'static str,
    /// The bits of a label that the transport compares, from the lowest on: 64 at most.
    pub label_bits: u32,
    /// Largest message of [`Transport::inject`].
    pub inject_max: usize,
    /// Largest message of [`Transport::send`].
    pub message_max: u64,
    /// Whether receives may name their sender and still keep their order among those that do not.
    /// Where not, [`Selector::from`] is always `None`, and the label names the sender.
    pub directed: bool,
    /// Whether a sender's note beside the label arrives.
    pub notes: bool,
    /// Whether the network itself matches, so that it is worth choosing by default.
    pub in_hardware: bool,
    /// Precedence among transports of this kind, and against the layer over `btl`s.
    pub priority: i64,
}

/// A network that matches.
pub trait Transport: Send {
    /// Returns the transport's capabilities; constant after opening.
    fn caps(&self) -> &Caps;

    /// Returns the address by which peers reach this process: opaque bytes, at most a few hundred.
    fn address(&self) -> Vec<u8>;

    /// Introduces a peer by the address that its transport gave; itself too, which it can send to.
    ///
    /// # Errors
    /// For damage (a malformed address, exhausted resources). A peer out of reach is
    /// [`Reach::Unreachable`].
    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error>;

    /// Forgets a peer. Messages accepted for it may be lost, but are reported.
    fn remove_peer(&mut self, peer: PeerId);

    /// Sends a short message, at most [`Caps::inject_max`] bytes. They may be reused on return,
    /// and nothing is reported.
    fn inject(&mut self, to: PeerId, bits: u64, note: u16, payload: UserBuf)
        -> Result<Flow, Error>;

    /// Sends a message. Where it is `Pending`, the payload must stay untouched until
    /// [`Sink::sent`] reports `token`.
    fn send(
        &mut self,
        to: PeerId,
        bits: u64,
        note: u16,
        payload: UserBuf,
        token: Token,
    ) -> Result<Started, Error>;

    /// Posts a receive. Never `Done`: the message is reported under `token`.
    fn recv(&mut self, selector: &Selector, room: UserBuf, token: Token) -> Result<Started, Error>;

    /// Peeks at a message that has arrived and that no receive took. With `claim` the message is
    /// taken out of matching, and waits for [`Transport::recv_claimed`] under the same token. Never
    /// `Done`: the result is reported under `token`, without any peer's help.
    fn peek(&mut self, selector: &Selector, claim: bool, token: Token) -> Result<Started, Error>;

    /// Receives the message that a peek under `claimed` took out of matching. Reported under
    /// `token`. `selector` is that of the peek.
    fn recv_claimed(
        &mut self,
        claimed: Token,
        selector: &Selector,
        room: UserBuf,
        token: Token,
    ) -> Result<Started, Error>;

    /// Requests that a posted receive be cancelled. It is reported: as cancelled, or with its
    /// message when it was too late. The receive of a claimed message may be cancelled while the
    /// message is still in flight to the transport; the message is lost then.
    fn cancel(&mut self, token: Token);

    /// Moves everything that can move. Returns the number of reports; 0 means that nothing
    /// happened.
    fn progress(&mut self, sink: &mut dyn Sink) -> usize;

    /// Whether an empty poll leaves the core to a thread of the transport's own, so that the caller
    /// need not yield as well. Constant.
    fn backs_off(&self) -> bool {
        false
    }

    /// Prepares for sleep, as `btl::Transport::arm` does.
    fn arm(&mut self, kind: SleepKind) -> Option<Waker>;

    /// Ends what [`Transport::arm`] began.
    fn disarm(&mut self);

    /// Begins or continues to leave, between calls of [`Transport::progress`]. Returns whether the
    /// transport may be closed: everything that it accepted has arrived, or cannot. It does not
    /// wait for anything that only peers need that are `gone`. Nothing may be started any more.
    fn depart(&mut self, gone: &dyn Fn(PeerId) -> bool) -> bool {
        let _ = gone;
        true
    }

    /// Leaves, and releases everything that the transport holds. Without [`Transport::depart`]
    /// injected messages are sent as far as `progress` got; operations in flight end without a
    /// report.
    fn close(&mut self);
}
