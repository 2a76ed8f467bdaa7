//! The point-to-point layer of an engine, chosen once: `ob1` over lanes, or `cm` over a network
//! that matches. Only this file distinguishes the two; a call costs one branch, which is always
//! taken alike.
//!
//! Operations that only lanes have (memory of windows, atomics, wake-ups) are reached by
//! [`Core::lanes`], which is `None` over a network that matches.

use std::sync::Arc;

use base::{Counters, PeerId, Rank};
use bml::Choice;
use btl::Waker;
use datatype::Buffer;
use osc::Osc;
use pml::{Capabilities, CommId, Context, MessageId, Mode, Outcome, Pattern, Pml, RequestId};
use pml::{Started, Status, Tag};
use sync::{HasParking, Parking};

use crate::address;
use crate::crowd::Crowd;
use crate::error::Error;
use crate::helper_timer::HelperTimer;
use crate::network::Network;
use crate::ob1::Ob1;
use crate::polls::Polls;

/// The layer that moves the messages.
// One of them per process: their difference in size is of no matter.
#[allow(clippy::large_enum_variant)]
enum Layer {
    /// Matching here, over the lanes of the BML.
    Ob1(Ob1),
    /// Matching by the network.
    Cm(Network),
}

/// The state behind an engine's gate: the point-to-point layer, whose methods are those of
/// [`Pml`], and what callers that poll have seen.
pub struct Core {
    layer: Layer,
    /// Wake-up timer for callers that poll (`MPI_Test`) instead of waiting.
    pub(crate) helper_timer: HelperTimer,
    pub(crate) polls: Polls,
    /// Threads that wait.
    pub(crate) crowd: Crowd<Core>,
    /// Failures of what is made of messages; see [`Core::note_failure`].
    failures: u64,
}

/// Does one act with whichever layer there is.
macro_rules! with {
    ($layer:expr, $pml:ident => $act:expr) => {
        match $layer {
            Layer::Ob1($pml) => $act,
            Layer::Cm(Network { cm: $pml, .. }) => $act,
        }
    };
}

impl Core {
    pub(crate) fn over_lanes(ob1: Ob1) -> Core {
        Core::of(Layer::Ob1(ob1))
    }

    pub(crate) fn over_network(network: Network) -> Core {
        Core::of(Layer::Cm(network))
    }

    fn of(layer: Layer) -> Core {
        Core {
            layer,
            helper_timer: HelperTimer::default(),
            polls: Polls::default(),
            crowd: Crowd::default(),
            failures: 0,
        }
    }

    /// Returns the lanes; `None` over a network that matches.
    #[inline]
    pub(crate) fn lanes(&self) -> Option<&Ob1> {
        match &self.layer {
            Layer::Ob1(ob1) => Some(ob1),
            Layer::Cm(_) => None,
        }
    }

    /// Returns the lanes, to be used; `None` over a network that matches.
    #[inline]
    pub(crate) fn lanes_mut(&mut self) -> Option<&mut Ob1> {
        match &mut self.layer {
            Layer::Ob1(ob1) => Some(ob1),
            Layer::Cm(_) => None,
        }
    }

    /// Returns the counters of this process. A network that matches by itself counts nothing.
    pub(crate) fn counters(&self) -> Arc<Counters> {
        match &self.layer {
            Layer::Ob1(ob1) => ob1.protocol.counters().clone(),
            Layer::Cm(_) => Arc::default(),
        }
    }

    /// Counts a failure of something that is made of messages, so that [`Pml::failures`] changes.
    pub fn note_failure(&mut self) {
        self.failures += 1;
    }

    /// Returns whether a request is complete and has failed.
    pub fn has_failed(&self, request: RequestId) -> bool {
        self.peek_outcome(request)
            .is_some_and(|outcome| outcome.result.is_err())
    }

    /// Returns the one-sided state.
    #[inline]
    pub fn osc(&mut self) -> &mut Osc {
        match &mut self.layer {
            Layer::Ob1(ob1) => &mut ob1.osc,
            Layer::Cm(network) => &mut network.osc,
        }
    }

    /// Sees to it that messages of one-sided calls are taken, before the first window. Over a
    /// network that matches they need a context of their own, the same in all processes.
    ///
    /// # Errors
    /// When the network cannot tell that context from another one: one clause.
    pub fn open_accesses(&mut self, context: Context) -> Result<(), String> {
        match &mut self.layer {
            Layer::Ob1(_) => Ok(()),
            Layer::Cm(network) => network.open_accesses(context),
        }
    }

    /// Sends what one-sided calls have left, as far as lanes or the network take it.
    #[inline]
    pub fn send_accesses(&mut self) {
        match &mut self.layer {
            Layer::Ob1(ob1) => ob1.send_accesses(),
            Layer::Cm(network) if network.osc.has_frames() => drop(network.offer_accesses()),
            Layer::Cm(_) => {}
        }
    }

    /// Returns whether anything of one-sided calls waits for a lane or the network.
    pub(crate) fn has_accesses(&self) -> bool {
        match &self.layer {
            Layer::Ob1(ob1) => ob1.has_accesses(),
            Layer::Cm(network) => network.osc.has_frames(),
        }
    }
}

impl HasParking for Core {
    fn parking(&mut self) -> &mut Parking<Core> {
        &mut self.crowd.parking
    }
}

impl Pml for Core {
    type Route = Choice;
    type Error = Error;

    fn capabilities(&self) -> Capabilities {
        with!(&self.layer, pml => pml.capabilities())
    }

    fn address(&self) -> Vec<u8> {
        match &self.layer {
            Layer::Ob1(ob1) => ob1.address(),
            Layer::Cm(Network { cm, .. }) => address::of_network(cm.name(), &cm.address()),
        }
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Choice, Error> {
        match &mut self.layer {
            Layer::Ob1(ob1) => ob1.add_peer(peer, address),
            Layer::Cm(network) => network.add_peer(peer, address),
        }
    }

    fn remove_peer(&mut self, peer: PeerId) {
        match &mut self.layer {
            Layer::Ob1(ob1) => ob1.remove_peer(peer),
            Layer::Cm(network) => network.remove_peer(peer),
        }
    }

    #[cold]
    fn peer_failed(&mut self, peer: PeerId, why: &str) {
        match &mut self.layer {
            Layer::Ob1(ob1) => ob1.peer_failed(peer, why),
            Layer::Cm(network) => network.peer_failed(peer, why),
        }
    }

    fn failed(&self) -> &[(PeerId, String)] {
        with!(&self.layer, pml => pml.failed())
    }

    fn has_left(&self, peer: PeerId) -> bool {
        with!(&self.layer, pml => pml.has_left(peer))
    }

    fn open_comm(&mut self, context: Context, rank: Rank, peers: Vec<PeerId>) -> CommId {
        with!(&mut self.layer, pml => pml.open_comm(context, rank, peers))
    }

    fn close_comm(&mut self, comm: CommId) {
        with!(&mut self.layer, pml => pml.close_comm(comm));
    }

    // This and `start_recv` are inlined: the calls take a tenth of the path of a short message.
    #[inline(always)]
    fn start_send(
        &mut self,
        comm: CommId,
        to: Rank,
        tag: Tag,
        buffer: Buffer,
        mode: Mode,
    ) -> Started {
        with!(&mut self.layer, pml => pml.start_send(comm, to, tag, buffer, mode))
    }

    #[inline(always)]
    fn start_recv(&mut self, comm: CommId, pattern: Pattern, buffer: Buffer) -> RequestId {
        with!(&mut self.layer, pml => pml.start_recv(comm, pattern, buffer))
    }

    fn start_matched_recv(&mut self, message: MessageId, buffer: Buffer) -> Option<RequestId> {
        with!(&mut self.layer, pml => pml.start_matched_recv(message, buffer))
    }

    fn probe(&mut self, comm: CommId, pattern: Pattern) -> Option<Status> {
        with!(&mut self.layer, pml => pml.probe(comm, pattern))
    }

    fn matched_probe(&mut self, comm: CommId, pattern: Pattern) -> Option<(MessageId, Status)> {
        with!(&mut self.layer, pml => pml.matched_probe(comm, pattern))
    }

    fn find_unexpected(&self, comm: CommId, is_wanted: &dyn Fn(Tag) -> bool) -> Option<Status> {
        with!(&self.layer, pml => pml.find_unexpected(comm, is_wanted))
    }

    #[inline]
    fn is_done(&self, request: RequestId) -> bool {
        with!(&self.layer, pml => pml.is_done(request))
    }

    #[inline]
    fn is_open(&self, request: RequestId) -> bool {
        with!(&self.layer, pml => pml.is_open(request))
    }

    #[inline]
    fn outcome(&mut self, request: RequestId) -> Option<Outcome> {
        with!(&mut self.layer, pml => pml.outcome(request))
    }

    #[inline]
    fn take_success(&mut self, request: RequestId) -> Option<Status> {
        with!(&mut self.layer, pml => pml.take_success(request))
    }

    fn peek_outcome(&self, request: RequestId) -> Option<Outcome> {
        with!(&self.layer, pml => pml.peek_outcome(request))
    }

    #[inline]
    fn watch(&mut self, request: RequestId) {
        with!(&mut self.layer, pml => pml.watch(request));
    }

    fn report(&mut self, request: RequestId, owner: u64) {
        with!(&mut self.layer, pml => pml.report(request, owner));
    }

    #[inline]
    fn take_ended(&mut self, owners: &mut Vec<u64>) {
        with!(&mut self.layer, pml => pml.take_ended(owners));
    }

    fn detach(&mut self, request: RequestId) {
        with!(&mut self.layer, pml => pml.detach(request));
    }

    fn cancel(&mut self, request: RequestId) -> bool {
        with!(&mut self.layer, pml => pml.cancel(request))
    }

    /// Counts those of [`Core::note_failure`] as well.
    #[inline]
    fn failures(&self) -> u64 {
        self.failures + with!(&self.layer, pml => pml.failures())
    }

    #[inline]
    fn progress(&mut self) -> usize {
        match &mut self.layer {
            Layer::Ob1(ob1) => ob1.progress(),
            Layer::Cm(network) => network.progress(),
        }
    }

    fn progress_all(&mut self) -> usize {
        match &mut self.layer {
            Layer::Ob1(ob1) => ob1.progress_all(),
            Layer::Cm(network) => network.progress(),
        }
    }

    #[inline]
    fn has_queued(&self) -> bool {
        with!(&self.layer, pml => pml.has_queued())
    }

    fn is_flushed(&mut self, peers: u32) -> bool {
        match &mut self.layer {
            Layer::Ob1(ob1) => ob1.is_flushed(peers),
            Layer::Cm(network) => network.is_flushed(peers),
        }
    }

    fn arm(&mut self) -> Vec<Waker> {
        with!(&mut self.layer, pml => pml.arm())
    }

    fn disarm(&mut self) {
        with!(&mut self.layer, pml => pml.disarm());
    }

    fn has_idle(&self) -> bool {
        with!(&self.layer, pml => pml.has_idle())
    }

    #[inline]
    fn backs_off(&self) -> bool {
        with!(&self.layer, pml => pml.backs_off())
    }

    fn depart(&mut self) -> bool {
        with!(&mut self.layer, pml => pml.depart())
    }

    fn close(&mut self) {
        with!(&mut self.layer, pml => pml.close());
    }

    fn open_requests(&self) -> usize {
        with!(&self.layer, pml => pml.open_requests())
    }

    fn held_requests(&self) -> usize {
        with!(&self.layer, pml => pml.held_requests())
    }

    fn unexpected_len(&self, comm: CommId) -> usize {
        with!(&self.layer, pml => pml.unexpected_len(comm))
    }
}
