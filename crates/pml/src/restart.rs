//! The trait [`Restart`]: what a layer can do whose peers die and come back.

use base::{PeerId, Rank};
use datatype::Buffer;

use crate::{CommId, Context, Pml, RequestId, Tag};

/// The messages of one sender in a communicator that a process has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Received {
    /// The communicator.
    pub context: Context,
    /// The number of the first message that the process does not have.
    pub next: u64,
    /// Numbers before that of messages that it does not have either, in order.
    pub missing: Vec<u64>,
}

/// The name of a message: its communicator, its sender's rank there, and its number among those of
/// the sender to one receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    /// The communicator.
    pub context: Context,
    /// The sender's rank in it.
    pub source: Rank,
    /// The tag.
    pub tag: Tag,
    /// The number.
    pub sequence: u64,
}

/// A layer that can have peers suspended: processes that have died, and of which a next life will
/// do again what they did. A layer above logs what the next life cannot do again.
pub trait Restart: Pml {
    /// Lets peers be suspended from now on. A peer whose process a transport finds dead is, and
    /// does not count as failed. Returns false where the layer cannot.
    fn enable_restarts(&mut self) -> bool;

    /// Returns the sender of the message that a receive has matched; `None` where it has none yet.
    fn source_of(&self, request: RequestId) -> Option<Rank>;

    /// Returns whether a peer is suspended.
    fn is_suspended(&self, peer: PeerId) -> bool;

    /// Suspends a peer. Sends to it end with success, receives of it wait.
    fn suspend_peer(&mut self, peer: PeerId);

    /// Returns which messages of a peer this process has.
    fn received_from(&self, peer: PeerId) -> Vec<Received>;

    /// Returns which messages of a peer were received here, or dropped with their communicator:
    /// those that wait for a receive are missing.
    fn taken_from(&self, peer: PeerId) -> Vec<Received>;

    /// Notes which messages of a peer an earlier life of this process has got, and do not come
    /// again, before a communicator is opened that they are of.
    fn set_received(&mut self, peer: PeerId, received: Vec<Received>);

    /// Returns whether a matched probe has taken a message that was not received.
    fn has_taken(&self) -> bool;

    /// Sets the number of the next message to a rank of a communicator.
    fn set_next(&mut self, comm: CommId, to: Rank, next: u64);

    /// Uses up the number of a message that need not be sent, or will be by
    /// [`Restart::resend`].
    fn skip_send(&mut self, comm: CommId, to: Rank);

    /// Sends a message under the number that it had.
    fn resend(&mut self, peer: PeerId, label: Label, buffer: Buffer) -> RequestId;

    /// Begins to count anew in a communicator with a peer that has come back.
    fn reset_comm(&mut self, comm: CommId, peer: PeerId);
}
