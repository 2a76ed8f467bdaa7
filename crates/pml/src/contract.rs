//! The trait [`Pml`]: the contract of a point-to-point layer.

use base::{PeerId, Rank};
use btl::Waker;
use datatype::Buffer;

use crate::{CommId, Context, MessageId, Mode, Outcome, Pattern, RequestId, Status, Tag};

/// Facts about a layer. They do not change while it lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capabilities {
    /// Largest tag of an application's message (`MPI_TAG_UB`).
    pub tag_max: i32,
    /// Whether a status has the whole tag. Every layer has its lowest 31 bits; some networks carry
    /// no room for the bits of [`crate::mark_of`].
    pub whole_tags: bool,
    /// Whether unexpected messages are held in this process, so that [`Pml::find_unexpected`] and
    /// [`Pml::unexpected_len`] see them. A network that matches by itself holds them.
    pub holds_unexpected: bool,
}

/// How a send began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Started {
    /// Complete: its buffer may be reused, and there is no request.
    Complete,
    /// Under way.
    Pending(RequestId),
}

/// A layer that moves point-to-point messages between this process and its peers.
///
/// The methods come in families:
///
/// * **peers**: [`Pml::address`], [`Pml::add_peer`], [`Pml::remove_peer`], [`Pml::peer_failed`],
///   [`Pml::failed`], [`Pml::has_left`];
/// * **communicators**: [`Pml::open_comm`], [`Pml::close_comm`];
/// * **start**: [`Pml::start_send`], [`Pml::start_recv`], [`Pml::start_matched_recv`];
/// * **look**: [`Pml::probe`], [`Pml::matched_probe`], [`Pml::find_unexpected`];
/// * **requests**: [`Pml::is_done`], [`Pml::is_open`], [`Pml::outcome`], [`Pml::take_success`],
///   [`Pml::peek_outcome`], [`Pml::watch`], [`Pml::report`], [`Pml::take_ended`],
///   [`Pml::detach`], [`Pml::cancel`], [`Pml::failures`];
/// * **progress**: [`Pml::progress`], [`Pml::progress_all`], [`Pml::has_queued`],
///   [`Pml::is_flushed`];
/// * **sleep**: [`Pml::arm`], [`Pml::disarm`], [`Pml::has_idle`], [`Pml::backs_off`];
/// * **end**: [`Pml::depart`], [`Pml::close`];
/// * **facts and counts**: [`Pml::capabilities`], [`Pml::open_requests`],
///   [`Pml::held_requests`], [`Pml::unexpected_len`].
///
/// No method has a default: a decorator names those that it passes on
/// ([`forward!`](crate::forward!)), and one that forgets a method does not compile.
///
/// The rules, each checked by [`crate::conformance`]:
///
/// * Messages of one sender in one communicator are matched in the order in which they were sent,
///   whatever their lengths and modes. A receive gets the oldest message that it accepts, a message
///   the oldest receive that accepts it.
/// * A message is received whole, once, and only in its communicator. What does not fit a receive
///   is cut off and reported ([`crate::Failure::Truncated`]); the send is not affected.
/// * A send in synchronous mode is complete when it was matched, and not before.
/// * Every request completes: with success, cancelled, or with a failure that says why. It stays
///   until its outcome is taken or it was detached.
/// * When a peer has failed, requests that need it complete with
///   [`crate::Failure::PeerFailed`]; others go on.
///
/// Nothing here blocks. The driver polls with [`Pml::progress`].
pub trait Pml {
    /// How a peer is reached, for `--explain`.
    type Route;
    /// Why a peer is not reached.
    type Error;

    /// Returns the facts about this layer.
    fn capabilities(&self) -> Capabilities;

    /// Returns what peers need to reach this process.
    fn address(&self) -> Vec<u8>;

    /// Introduces a peer by the address that it published. Messages can be sent to it after this.
    ///
    /// # Errors
    /// When the address is malformed, or when nothing reaches the peer.
    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Self::Route, Self::Error>;

    /// Forgets a peer that has left and may come back as another instance. What is not complete
    /// with it ends with a failure; messages that came from it stay, and so do receives from it.
    fn remove_peer(&mut self, peer: PeerId);

    /// Gives up a peer that is gone: every request that needs it completes with a failure, also
    /// receives from any source in communicators that it belongs to.
    fn peer_failed(&mut self, peer: PeerId, why: &str);

    /// Returns the peers that have failed, with what was seen of each, in the order in which that
    /// was found out.
    fn failed(&self) -> &[(PeerId, String)];

    /// Returns whether a failed peer had sent a shutdown message before: it has ended in good
    /// order.
    fn has_left(&self, peer: PeerId) -> bool;

    /// Opens a communicator: `peers` are the processes that its ranks stand for (those of the
    /// remote group in an inter-communicator), `rank` is this process's own in messages that it
    /// sends. Messages that came before are matched as if they came now. Where a network cannot
    /// distinguish the context from another one that is open, all operations fail with that error.
    fn open_comm(&mut self, context: Context, rank: Rank, peers: Vec<PeerId>) -> CommId;

    /// Closes a communicator. Receives that wait in it may still complete.
    fn close_comm(&mut self, comm: CommId);

    /// Starts a send. `comm` and `to` are valid.
    fn start_send(
        &mut self,
        comm: CommId,
        to: Rank,
        tag: Tag,
        buffer: Buffer,
        mode: Mode,
    ) -> Started;

    /// Starts a receive. `comm` and the pattern's source are valid.
    fn start_recv(&mut self, comm: CommId, pattern: Pattern, buffer: Buffer) -> RequestId;

    /// Starts to receive a message that a matched probe took. `None` when it was received before.
    fn start_matched_recv(&mut self, message: MessageId, buffer: Buffer) -> Option<RequestId>;

    /// Returns the status of the oldest message that a receive would accept; it stays
    /// (MPI 5.0, 3.8.1). `None` also while a network is too busy to be asked.
    fn probe(&mut self, comm: CommId, pattern: Pattern) -> Option<Status>;

    /// Takes the oldest message that a receive would accept out of matching (MPI 5.0, 3.8.2).
    /// `None` also while a network is too busy to be asked.
    fn matched_probe(&mut self, comm: CommId, pattern: Pattern) -> Option<(MessageId, Status)>;

    /// Returns the status of the oldest unexpected message with a tag for which `is_wanted` is
    /// true; always `None` without [`Capabilities::holds_unexpected`].
    fn find_unexpected(&self, comm: CommId, is_wanted: &dyn Fn(Tag) -> bool) -> Option<Status>;

    /// Returns whether a request is complete. A request that is gone is.
    fn is_done(&self, request: RequestId) -> bool;

    /// Returns whether a request is under way or its outcome can be taken, and somebody may still
    /// ask: it was not detached.
    fn is_open(&self, request: RequestId) -> bool;

    /// Takes the outcome of a complete request, which is gone after this. `None` while it is under
    /// way.
    fn outcome(&mut self, request: RequestId) -> Option<Outcome>;

    /// Takes the status of a request that is complete and did not fail; it is gone after this.
    /// `None`: the request stays, if there is one, and [`Pml::outcome`] has its failure.
    fn take_success(&mut self, request: RequestId) -> Option<Status>;

    /// Returns the outcome of a complete request, which stays.
    fn peek_outcome(&self, request: RequestId) -> Option<Outcome>;

    /// Notes the request that a caller waits for: a layer may put off what that one does not need.
    fn watch(&mut self, request: RequestId);

    /// Has [`Pml::take_ended`] return `owner` once a request that is under way has ended.
    fn report(&mut self, request: RequestId, owner: u64);

    /// Appends the owners of reported requests that have ended since the last call, once for each
    /// request.
    fn take_ended(&mut self, owners: &mut Vec<u64>);

    /// Removes a request by itself once it is complete (`MPI_Request_free`).
    fn detach(&mut self, request: RequestId);

    /// Asks that a request be cancelled. True when it is known to have been in time; otherwise its
    /// status shows it, once the request is complete.
    fn cancel(&mut self, request: RequestId) -> bool;

    /// Returns how many requests and peers have failed. Whoever waits for several requests looks
    /// for a failed one when this has changed.
    fn failures(&self) -> u64;

    /// Polls what messages travel over, and sends what has become due. Returns the number of
    /// things that came in or were sent.
    fn progress(&mut self) -> usize;

    /// Polls as [`Pml::progress`] does, and leaves no transport out, as before a sleep.
    fn progress_all(&mut self) -> usize;

    /// Returns whether anything is queued until a transport or the network takes it.
    fn has_queued(&self) -> bool;

    /// Returns whether everything sent to the first `peers` peers has left this process.
    fn is_flushed(&mut self, peers: u32) -> bool;

    /// Prepares for a sleep. Returns what ends it.
    fn arm(&mut self) -> Vec<Waker>;

    /// Ends what [`Pml::arm`] began.
    fn disarm(&mut self);

    /// Returns whether something must be polled now and then because it ends no sleep.
    fn has_idle(&self) -> bool;

    /// Returns whether an empty poll gives the core away by itself; see `btl::Transport::back_off`.
    fn backs_off(&self) -> bool;

    /// Begins to leave, or goes on with it. True when [`Pml::close`] will lose nothing of what was
    /// sent. Nothing may be started any more.
    fn depart(&mut self) -> bool;

    /// Sends shutdown messages to all peers and releases what the transports hold.
    fn close(&mut self);

    /// Returns how many requests are not gone: those under way, and those whose outcome nobody
    /// took.
    fn open_requests(&self) -> usize;

    /// Returns how many requests somebody may still ask about: detached ones end by themselves.
    fn held_requests(&self) -> usize;

    /// Returns how many unexpected messages wait in a communicator; 0 without
    /// [`Capabilities::holds_unexpected`].
    fn unexpected_len(&self, comm: CommId) -> usize;
}
