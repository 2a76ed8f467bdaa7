//! The transport contract: the interface and rules of every byte transfer layer, and the
//! conformance suite.
//!
//! A [`Transport`] moves active messages between this process and its peers, and, where it can,
//! reads and writes their memory ([`Rma`]). It knows nothing of MPI. Its life:
//!
//! 1. a component opens it; [`Transport::address`] is what peers need to reach it. The layer
//!    above exchanges the addresses, so a transport needs no launcher;
//! 2. [`Transport::add_peer`] takes each peer's address and returns whether it can reach it;
//! 3. `send*`, and [`Rma`]'s `get`, `put` and `atomic` start operations; [`Transport::progress`]
//!    moves everything and hands what came in to the [`Sink`], the only path upwards;
//! 4. [`Transport::close`] announces an orderly end to the peers; dropping releases the rest.
//!
//! Facts are in [`Caps`], advice on a peer is in [`Hints`], acts are methods. Abilities of only
//! some transports are traits of their own: [`Rma`], and [`Presence`] among processes that share
//! memory.
//!
//! The rules, each checked by [`conformance`]:
//!
//! * **Order**: messages of one peer arrive in the order in which they were accepted, when
//!   [`Caps::ordered`]; never twice, never altered.
//! * **Back-pressure is a value**: [`Flow::Busy`] means that the transport has accepted nothing;
//!   retry after some progress. It is not an error, and nothing is lost.
//! * **A handler cannot send**: `Sink` is not given the transport. Replies wait until `progress`
//!   has returned.
//! * **Payload is borrowed**: an [`Arrival`] ends when `deliver` returns.
//! * **Every accepted operation completes**: with success, or with an error naming the peer.

#![deny(unsafe_op_in_unsafe_fn)]

mod caps;
mod carriage;
pub mod conformance;
mod error;
mod flow;
mod foreign;
mod forward;
mod hints;
mod rma;
mod wait;

// For the signatures of `forward!`.
#[doc(hidden)]
pub use {base, memory};

pub use base::{Cut, RemoteKey, Service};
pub use caps::{Caps, Emulated, RmaLimits};
pub use carriage::Carriage;
pub use error::Error;
pub use flow::{Flow, Reach, Token};
pub use foreign::{Alias, Foreign};
pub use hints::{Hints, Least};
pub use rma::{no_loop_back, Polled, Rma, Started, Width};
pub use rma::{Access, Atomic, AtomicOp, Mapping, Registration, RemoteRange};
pub use wait::{FutexWord, Interest, Presence, SleepKind, Waker, HELPER_ASLEEP};

use base::{AmTag, PeerId};
use memory::{Payload, Slot, UserBuf};

/// An active message that came in.
pub struct Arrival<'a> {
    /// The sender, as the transport established it.
    pub from: PeerId,
    /// The layer that it is for.
    pub tag: AmTag,
    /// Header and payload, back to back as they were sent. Borrowed until `deliver` returns.
    pub payload: Payload<'a>,
}

/// The upper layer's side of progress: receives what a transport reports.
pub trait Sink {
    /// A message came in.
    fn deliver(&mut self, arrival: Arrival<'_>);

    /// A get, put or atomic that was started with `token` is complete.
    fn done(&mut self, token: Token, outcome: Result<(), Error>);

    /// A peer is gone. Operations with it have been or will be completed with errors.
    fn peer_failed(&mut self, peer: PeerId, error: Error);

    /// Whether a long message that has arrived, and need not be read yet, is welcome. While the
    /// layer above waits for something that is already here, the message better stays unread: its
    /// receive may be posted next, and reading it now would cost a second copy.
    fn wants_more(&self) -> bool {
        true
    }
}

/// A means of moving bytes between processes.
///
/// Every method is required, so that the compiler finds what a decorator does not pass on.
/// Abilities of only some transports are separate: [`Transport::rma`] and [`Transport::presence`].
pub trait Transport: Send {
    /// Returns the transport's capabilities; constant after opening.
    fn caps(&self) -> &Caps;

    /// Returns the address by which peers reach this process: opaque bytes, at most a few hundred.
    fn address(&self) -> Vec<u8>;

    /// Introduces a peer by the address that its transport of the same name gave.
    ///
    /// # Errors
    /// Only for damage (a malformed address, exhausted resources). A peer out of reach is
    /// [`Reach::Unreachable`].
    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error>;

    /// Prepares for peers of other jobs, which may be on other hosts. Called before the address for
    /// them is asked for; it may differ from the earlier one, which stays valid.
    ///
    /// # Errors
    /// When the system refuses what that takes.
    fn expect_foreign(&mut self) -> Result<(), Error>;

    /// Introduces a peer that was not started together with this process, by its address and what
    /// both have agreed on ([`Foreign`]). It is removed as others are.
    ///
    /// # Errors
    /// See [`Transport::add_peer`].
    fn add_foreign(
        &mut self,
        peer: PeerId,
        foreign: &Foreign,
        address: &[u8],
    ) -> Result<Reach, Error>;

    /// Forgets a peer. Messages accepted for it may be lost. It may be introduced again, also by
    /// another address, after a restart.
    fn remove_peer(&mut self, peer: PeerId);

    /// Returns advice on the path to a peer. The call changes nothing, and the caller may cache the
    /// result until the peer is introduced again.
    fn hints(&self, peer: PeerId) -> Hints;

    /// Sends `header` and `payload` as one message. Both may be reused on return. `tag` is any but
    /// [`AmTag::RMA`], which belongs to the emulation of access to memory. Their lengths together
    /// are at most [`Caps::max_send_size`].
    fn send(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error>;

    /// Sends `header` and `len` bytes that `pack` writes into the slot it borrows. `pack` is called
    /// at most once, and not at all when the result is `Busy`.
    fn send_packed(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        pack: &mut dyn FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error>;

    /// Whether everything accepted for `peer` has left this process and its `put`s and
    /// `atomic`s are visible there. `Busy` asks for more progress.
    fn flush(&mut self, peer: PeerId) -> Result<Flow, Error>;

    /// Begins (`true`) or ends a time in which short messages to `peer` may be gathered, to leave
    /// together at its end. It is short, and nothing is polled meanwhile. Only where
    /// [`Caps::batches`].
    fn batch(&mut self, peer: PeerId, open: bool);

    /// Whether a message accepted for `peer` is still buffered in this process and cannot leave
    /// without `progress`. Asked only where [`Caps::keeps`].
    fn is_kept(&self, peer: PeerId) -> bool;

    /// Moves everything that can move, and reports what came in and what is complete.
    /// Returns the number of reports, plus other events that keep the driver awake; 0 means that
    /// nothing happened.
    fn progress(&mut self, sink: &mut dyn Sink) -> usize;

    /// Follows an empty poll of all transports: leaves the core, for a moment or until an event, to
    /// a thread of this transport's own that moves the data. The caller need not yield as well.
    /// Only where [`Caps::backs_off`].
    fn back_off(&mut self);

    /// Whether `progress` can have anything to do: false lets the driver skip the transport.
    fn is_live(&self) -> bool;

    /// Whether a peer of this node was last seen on a processor, as the system numbers them; `None`
    /// where the transport cannot know. Takes some microseconds for each peer.
    fn has_peer_on(&mut self, _processor: usize) -> Option<bool> {
        None
    }

    /// Prepares for sleep: from now on whatever would make `progress` report something wakes
    /// the returned waker. The driver calls `progress` once more before it sleeps.
    /// `None` when the transport cannot have anything to report.
    fn arm(&mut self, kind: SleepKind) -> Option<Waker>;

    /// Ends what [`Transport::arm`] began.
    fn disarm(&mut self);

    /// Returns a number that changes as long messages or replies come in, of which a part is no
    /// event for [`Transport::progress`]. Those that take in whole messages have none.
    fn moves(&self) -> u64 {
        0
    }

    /// Notifies the peers that this process leaves in good order. Accepted messages are sent as far
    /// as `progress` got; call [`Transport::flush`] first where it matters.
    fn close(&mut self);

    /// Returns the access to peers' memory; `None` where there are only messages. The result is
    /// constant throughout the transport's life.
    fn rma(&mut self) -> Option<&mut dyn Rma>;

    /// Returns what this process and its peers see of each other's waiting; `None` without
    /// [`Caps::shares_memory`].
    fn presence(&mut self) -> Option<&mut dyn Presence>;

    /// Returns what this transport knows about which of its two ways is faster for long messages;
    /// `None` where there is nothing to choose. The result is constant throughout the transport's
    /// life.
    fn carriage(&mut self) -> Option<&mut dyn Carriage>;
}
