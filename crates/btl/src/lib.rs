//! The transport contract: what every byte transfer layer promises, and the suite that checks it.
//!
//! A [`Transport`] moves active messages between this process and its peers, and, where it can,
//! reads and writes their memory. It knows nothing of MPI. Its life:
//!
//! 1. a component opens it; [`Transport::address`] is what peers need to reach it. The layer
//!    above exchanges the addresses, so a transport needs no launcher;
//! 2. [`Transport::add_peer`] is told each peer's address and answers whether it can reach it;
//! 3. `send*`, `get`, `put` and `atomic` start operations; [`Transport::progress`] moves
//!    everything and hands what came in to the [`Sink`], the only way up;
//! 4. [`Transport::close`] says goodbye to the peers; dropping releases the rest.
//!
//! The rules, each checked by [`conformance`]:
//!
//! * **Order**: messages of one peer arrive in the order in which they were accepted, when
//!   [`Caps::ordered`]; never twice, never altered.
//! * **Back-pressure is a value**: [`Flow::Busy`] means that nothing was taken; try again after
//!   some progress. It is not an error, and nothing is lost.
//! * **A handler cannot send**: `Sink` is not given the transport. Replies wait until `progress`
//!   has returned.
//! * **Payload is lent**: an [`Arrival`] ends when `deliver` returns.
//! * **Every accepted operation completes**: with success, or with an error naming the peer.

#![deny(unsafe_op_in_unsafe_fn)]

mod caps;
pub mod conformance;
mod error;
mod rma;
mod wait;

pub use base::{Cut, RemoteKey};
pub use caps::{Caps, Emulated, Least, RmaLimits};
pub use error::Error;
pub use rma::{Access, Atomic, AtomicOp, Mapping, Registration, RemoteRange};
pub use rma::{Glance, Started, Width};
pub use wait::{FutexWord, Interest, SleepKind, Waker, STANDING_BY};

use std::sync::Arc;

use base::{AmTag, PeerId};
use memory::{Payload, Slot, UserBuf};

/// Names an operation to whoever started it; the transport only hands it back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Token(pub u64);

/// Whether a send was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "a busy transport has taken nothing: the message must be offered again"]
pub enum Flow {
    /// The transport has the message and will deliver it.
    Sent,
    /// Nothing was taken. Try again after some progress.
    Busy,
}

/// Whether a peer can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Messages can be sent to the peer.
    Yes,
    /// They cannot, and this is why: one clause for the explained choice.
    No(String),
}

/// One active message that came in.
pub struct Arrival<'a> {
    /// The process that sent it, as the transport established it.
    pub from: PeerId,
    /// The layer that it is for.
    pub tag: AmTag,
    /// Header and payload, back to back as they were sent. Lent until `deliver` returns.
    pub payload: Payload<'a>,
}

/// The way up: what a transport reports while it progresses.
pub trait Sink {
    /// A message came in.
    fn deliver(&mut self, arrival: Arrival<'_>);

    /// A get, put or atomic that was started with `token` is complete.
    fn done(&mut self, token: Token, outcome: Result<(), Error>);

    /// A peer is gone. Operations with it have been or will be completed with errors.
    fn peer_failed(&mut self, peer: PeerId, error: Error);

    /// Whether a long message that has come, and need not be taken yet, is welcome. Where somebody
    /// waits for what is here already, it is better left where it is: it may be asked for next,
    /// and would be copied twice.
    fn wants_more(&self) -> bool {
        true
    }
}

/// One way of moving bytes between processes.
pub trait Transport: Send {
    /// What the transport can do; constant after opening.
    fn caps(&self) -> &Caps;

    /// What peers need to reach this process: opaque bytes, at most a few hundred.
    fn address(&self) -> Vec<u8>;

    /// Introduces a peer by the address that its transport of the same name gave.
    ///
    /// # Errors
    /// Only for damage (a malformed address, exhausted resources). A peer out of reach is
    /// [`Reach::No`].
    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error>;

    /// Forgets a peer. What was accepted for it may be lost. It may be introduced again, by
    /// another address too, where it has come to life again.
    fn remove_peer(&mut self, peer: PeerId);

    /// Sends `header` and `payload` as one message. Both may be reused on return. `tag` is any
    /// but [`AmTag::RMA`], which belongs to what stands in for access to memory.
    /// Their lengths together are at most [`Caps::max_send_size`].
    fn send(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error>;

    /// Sends `header` and `len` bytes that `pack` writes into the room it is lent.
    /// `pack` is called at most once, and not at all when the answer is `Busy`.
    fn send_packed(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        pack: &mut dyn FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error>;

    /// Makes memory reachable for peers' `get` and `put`.
    fn register(&mut self, memory: UserBuf, _access: Access) -> Result<Registration, Error> {
        Err(Error::Registration {
            len: memory.len(),
            why: "not supported".into(),
        })
    }

    /// Withdraws a registration. Peers' later accesses fail.
    fn deregister(&mut self, _registration: Registration) {}

    /// Reads `local.len()` bytes of the peer's registered memory into `local`. The range may lie
    /// anywhere inside the registration. Only where [`Caps::get`].
    fn get(
        &mut self,
        peer: PeerId,
        _local: UserBuf,
        _remote: RemoteRange,
        _token: Token,
    ) -> Result<Started, Error> {
        Err(Error::Unsupported { peer, what: "get" })
    }

    /// Writes `local` into the peer's registered memory. Only where [`Caps::put`].
    fn put(
        &mut self,
        peer: PeerId,
        _local: UserBuf,
        _remote: RemoteRange,
        _token: Token,
    ) -> Result<Started, Error> {
        Err(Error::Unsupported { peer, what: "put" })
    }

    /// Changes a word of the peer's registered memory in one step that no other `atomic` to the
    /// same word, of any process by the same transport, comes between. The word as it was goes
    /// to `result`, which has room for [`Width::bytes`]; `None` when nobody wants it. Needs a
    /// registration with both accesses. A word at an address that is no multiple of its size
    /// is refused ([`Error::Unaligned`]), at once or when it is done. When it is complete the word
    /// has changed at the peer, without [`Transport::flush`]. Only where [`Caps::atomics`].
    fn atomic(
        &mut self,
        peer: PeerId,
        _atomic: Atomic,
        _result: Option<UserBuf>,
        _remote: RemoteRange,
        _token: Token,
    ) -> Result<Started, Error> {
        Err(Error::Unsupported {
            peer,
            what: "atomic",
        })
    }

    /// Whether `atomic` reaches registered memory of this process itself through the device, by its
    /// own number: words that peers change are changed by one and the same then. `None` while the
    /// transport tries that out: ask again after some `progress`.
    ///
    /// # Errors
    /// Why not: one clause.
    fn loop_back(&mut self) -> Option<Result<(), String>> {
        let name = self.caps().name;
        Some(Err(format!("{name} has no way back to its own process")))
    }

    /// `len` bytes of the peer's registered memory as memory of this process, to be read by loads
    /// and, where the registration allows it, written by stores. What the peer writes shows in it
    /// as in memory that is shared. `None` where that cannot be.
    ///
    /// # Errors
    /// As of [`Transport::get`].
    fn map(
        &mut self,
        _peer: PeerId,
        _remote: RemoteRange,
        _len: usize,
    ) -> Result<Option<Mapping>, Error> {
        Ok(None)
    }

    /// Ends what [`Transport::map`] began; the memory is not touched any more.
    fn unmap(&mut self, _mapping: Mapping) {}

    /// Whether `get` works with this peer: a transport may find out per pair.
    fn can_get(&self, _peer: PeerId) -> bool {
        self.caps().get.is_some()
    }

    /// Bytes from which on `get` brings a message sooner than messages with its pieces, both sides
    /// being there for them.
    fn get_min(&self, _peer: PeerId) -> usize {
        0
    }

    /// Bytes from which on a window's puts and gets are sooner done by `put` and `get` than by
    /// messages, the target being there for these.
    fn window_min(&self, _peer: PeerId) -> Least {
        Least::default()
    }

    /// Says to all peers that this process does nothing from now on but wait for messages (`true`),
    /// or that it no longer does. A hint, and said as such.
    fn attend(&mut self, _attends: bool) {}

    /// Up to how many bytes a window's puts and gets are sooner done by messages than by `put` and
    /// `get`, whatever [`Transport::window_min`] says, since the peer waits for messages right now;
    /// 0 where it does not, or nobody knows. It may leave its wait at any moment.
    fn attended_max(&self, _peer: PeerId) -> usize {
        0
    }

    /// Whether looks in vain are to end with [`Transport::rest`]. It does not change.
    fn rests(&self) -> bool {
        false
    }

    /// Leaves the core for a moment, or until something has come, to a thread of this transport's
    /// own that moves what is looked for: what follows a look at all lanes that found nothing. Who
    /// waits need not yield besides.
    fn rest(&mut self) {}

    /// The word on which a thread of this process may stand by, for peers to wake it while the
    /// application computes: it sleeps while the word holds [`STANDING_BY`]. `None` where peers
    /// have no such way.
    fn standby(&self) -> Option<Arc<dyn FutexWord>> {
        None
    }

    /// Wakes the thread that stands by in the peer's process, if one does: what was sent is to be
    /// taken in without its application.
    fn summon(&mut self, _peer: PeerId) {}

    /// By what the peer's memory is reached, and why not by something better: one clause for the
    /// explained choice. `None` where there is but one way.
    fn explain_memory(&self, _peer: PeerId) -> Option<String> {
        None
    }

    /// Whether everything accepted for `peer` has left this process and its `put`s and
    /// `atomic`s are visible there. `Busy` asks for more progress.
    fn flush(&mut self, peer: PeerId) -> Result<Flow, Error>;

    /// Begins (`true`) or ends a time in which short messages to `peer` may be gathered, to leave
    /// together at its end. It is short, and nothing is polled meanwhile.
    fn batch(&mut self, _peer: PeerId, _open: bool) {}

    /// Whether a message that was taken for `peer` has not left this process, and will not without
    /// `progress`. Asked only where [`Caps::keeps`].
    fn is_kept(&self, _peer: PeerId) -> bool {
        false
    }

    /// Moves everything that can move, and reports what came in and what is complete.
    /// Returns the number of reports, and of what else keeps the driver awake; 0 means that nothing
    /// happened.
    fn progress(&mut self, sink: &mut dyn Sink) -> usize;

    /// Looks for the end of one `get`, `put` or `atomic`, at most so many times, and leaves all
    /// else to `progress`: for who waits for nothing else, between two looks at everything.
    fn look_for(&mut self, _token: Token, _looks: u32) -> Glance {
        Glance::Other
    }

    /// Whether `progress` can have anything to do: false lets the driver skip the transport.
    fn is_live(&self) -> bool;

    /// Prepares for sleep: from now on whatever would make `progress` report something wakes
    /// the returned waker. The driver calls `progress` once more before it sleeps.
    /// `None` when the transport cannot have anything to report.
    fn arm(&mut self, kind: SleepKind) -> Option<Waker>;

    /// Ends what [`Transport::arm`] began.
    fn disarm(&mut self);

    /// Tells the peers that this process leaves in good order. What was accepted is sent as far
    /// as `progress` got; call [`Transport::flush`] first where it matters.
    fn close(&mut self);
}
