//! The point-to-point layer, chosen once: `ob1` over the lanes, or `cm` over a network that
//! matches. One branch on the way of a message tells them apart, and it always goes the same way.

use base::{PeerId, Rank};
use pml::{CommId, Context, MessageId, Outcome, Pattern, RequestId, Status, Tag};

use crate::network::Network;
use crate::ob1::Ob1;

/// The point-to-point layer of an engine.
// One of them per process: their difference in size is of no matter.
#[allow(clippy::large_enum_variant)]
pub enum Messages {
    /// Matching here, over the lanes of the BML.
    Ob1(Ob1),
    /// Matching by the network.
    Cm(Network),
}

impl Messages {
    /// The layer's name, as users write it in `--mca pml`.
    pub fn name(&self) -> &'static str {
        match self {
            Messages::Ob1(_) => "ob1",
            Messages::Cm(_) => "cm",
        }
    }

    /// The largest tag of an application's message (`MPI_TAG_UB`).
    pub fn tag_max(&self) -> i32 {
        match self {
            Messages::Ob1(_) => i32::MAX,
            Messages::Cm(network) => network.cm.tag_max(),
        }
    }

    /// Whether what is told of a message has its whole tag. Networks that match have the lowest 31
    /// bits of it, and many, but not all, bring [`pml::mark_of`] along.
    pub fn tells_marks(&self) -> bool {
        match self {
            Messages::Ob1(_) => true,
            Messages::Cm(network) => network.cm.tells_marks(),
        }
    }

    /// Opens a communicator; see [`ob1::Protocol::open_comm`].
    pub fn open_comm(&mut self, context: Context, rank: Rank, peers: Vec<PeerId>) -> CommId {
        match self {
            Messages::Ob1(ob1) => ob1.pml.open_comm(context, rank, peers),
            Messages::Cm(network) => network.cm.open_comm(context, rank, peers),
        }
    }

    /// Closes a communicator; see [`ob1::Protocol::close_comm`].
    pub fn close_comm(&mut self, comm: CommId) {
        match self {
            Messages::Ob1(ob1) => ob1.pml.close_comm(comm),
            Messages::Cm(network) => network.cm.close_comm(comm),
        }
    }

    /// Whether a request is complete. A request that is gone is.
    #[inline]
    pub fn is_done(&self, request: RequestId) -> bool {
        match self {
            Messages::Ob1(ob1) => ob1.pml.is_done(request),
            Messages::Cm(network) => network.cm.is_done(request),
        }
    }

    /// How a complete request ended; it is gone after this. `None` while it is under way.
    #[inline]
    pub fn outcome(&mut self, request: RequestId) -> Option<Outcome> {
        match self {
            Messages::Ob1(ob1) => ob1.pml.outcome(request),
            Messages::Cm(network) => network.cm.outcome(request),
        }
    }

    /// Says which request somebody waits for: what it does not need can be taken in later.
    #[inline]
    pub fn watch(&mut self, request: RequestId) {
        if let Messages::Ob1(ob1) = self {
            ob1.pml.watch(request);
        }
    }

    /// Ends a request that is complete and did not fail, and gives its status. `None`: it stays,
    /// if there is one, and [`Messages::outcome`] tells more. Over a network that is always so.
    #[inline]
    pub fn take_success(&mut self, request: RequestId) -> Option<Status> {
        match self {
            Messages::Ob1(ob1) => ob1.pml.take_success(request),
            Messages::Cm(_) => None,
        }
    }

    /// Whether a request is under way or its outcome to be had, and somebody may still ask.
    #[inline]
    pub fn is_open(&self, request: RequestId) -> bool {
        match self {
            Messages::Ob1(ob1) => ob1.pml.is_open(request),
            Messages::Cm(network) => network.cm.is_open(request),
        }
    }

    /// How a complete request ended, which it stays.
    pub fn peek_outcome(&self, request: RequestId) -> Option<Outcome> {
        match self {
            Messages::Ob1(ob1) => ob1.pml.peek_outcome(request),
            Messages::Cm(network) => network.cm.peek_outcome(request),
        }
    }

    /// How many failures there have been; see [`ob1::Protocol::failures`].
    #[inline]
    pub fn failures(&self) -> u64 {
        match self {
            Messages::Ob1(ob1) => ob1.pml.failures(),
            Messages::Cm(network) => network.cm.failures(),
        }
    }

    /// Counts a failure of something that is made of messages.
    pub fn note_failure(&mut self) {
        match self {
            Messages::Ob1(ob1) => ob1.pml.note_failure(),
            Messages::Cm(network) => network.cm.note_failure(),
        }
    }

    /// Whether a request is complete and has failed.
    pub fn has_failed(&self, request: RequestId) -> bool {
        self.peek_outcome(request)
            .is_some_and(|outcome| outcome.result.is_err())
    }

    /// Lets a request go by itself when it is complete.
    pub fn detach(&mut self, request: RequestId) {
        match self {
            Messages::Ob1(ob1) => ob1.pml.detach(request),
            Messages::Cm(network) => network.cm.detach(request),
        }
    }

    /// Has the end of a request that is under way told to `owner`; see [`ob1::Protocol::report`].
    pub fn report(&mut self, request: RequestId, owner: u64) {
        match self {
            Messages::Ob1(ob1) => ob1.pml.report(request, owner),
            Messages::Cm(network) => network.cm.report(request, owner),
        }
    }

    /// Adds the owners of requests that have ended since the last call.
    #[inline]
    pub fn take_ended(&mut self, owners: &mut Vec<u64>) {
        match self {
            Messages::Ob1(ob1) => ob1.pml.take_ended(owners),
            Messages::Cm(network) => network.cm.take_ended(owners),
        }
    }

    /// Asks that a request be cancelled. True when it is known to have been in time; otherwise
    /// its status tells, once it is complete.
    pub fn cancel(&mut self, request: RequestId) -> bool {
        match self {
            Messages::Ob1(ob1) => ob1.pml.cancel(request),
            Messages::Cm(network) => network.cm.cancel(request),
        }
    }

    /// The oldest message that a receive would accept; it stays.
    pub fn probe(&mut self, comm: CommId, pattern: Pattern) -> Option<Status> {
        match self {
            Messages::Ob1(ob1) => ob1.pml.probe(comm, pattern),
            Messages::Cm(network) => network.cm.probe(comm, pattern),
        }
    }

    /// The oldest message that waits with a tag of which `is_wanted` is true; none where a network
    /// keeps them.
    pub fn look_through(&self, comm: CommId, is_wanted: impl Fn(Tag) -> bool) -> Option<Status> {
        match self {
            Messages::Ob1(ob1) => ob1.pml.look_through(comm, is_wanted),
            Messages::Cm(_) => None,
        }
    }

    /// The oldest message that a receive would accept, taken out of matching.
    pub fn matched_probe(&mut self, comm: CommId, pattern: Pattern) -> Option<(MessageId, Status)> {
        match self {
            Messages::Ob1(ob1) => ob1.pml.matched_probe(comm, pattern),
            Messages::Cm(network) => network.cm.matched_probe(comm, pattern),
        }
    }

    /// Whether anything waits for a lane or the network to take it.
    #[inline]
    pub fn has_frames(&self) -> bool {
        match self {
            Messages::Ob1(ob1) => ob1.pml.has_frames(),
            Messages::Cm(network) => network.cm.has_parked(),
        }
    }

    /// How many requests are not gone.
    pub fn open_requests(&self) -> usize {
        match self {
            Messages::Ob1(ob1) => ob1.pml.open_requests(),
            Messages::Cm(network) => network.cm.open_requests(),
        }
    }

    /// Those of them that somebody may still ask about; all, over a network that matches.
    pub fn held_requests(&self) -> usize {
        match self {
            Messages::Ob1(ob1) => ob1.pml.held_requests(),
            Messages::Cm(network) => network.cm.open_requests(),
        }
    }

    /// How many messages wait for a receive in a communicator; 0 where the network keeps them.
    pub fn unexpected_len(&self, comm: CommId) -> usize {
        match self {
            Messages::Ob1(ob1) => ob1.pml.unexpected_len(comm),
            Messages::Cm(_) => 0,
        }
    }
}
