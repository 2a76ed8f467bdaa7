//! Implements the point-to-point contract ([`pml::Pml`]) for [`Cm`].

use base::{PeerId, Rank};
use btl::{SleepKind, Waker};
use datatype::Buffer;
use mtl::Reach;
use pml::{Capabilities, CommId, Context, MessageId, Mode, Outcome, Pattern, Pml, RequestId};
use pml::{Started, Status, Tag};

use crate::{Cm, Unreachable};

impl Pml for Cm {
    type Route = ();
    type Error = Unreachable;

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            tag_max: self.state.layout.tag_max(),
            whole_tags: self.network.caps().notes,
            holds_unexpected: false,
        }
    }

    fn address(&self) -> Vec<u8> {
        self.network.address()
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<(), Unreachable> {
        self.state.ensure_peer(peer);
        match self.network.add_peer(peer, address) {
            Ok(Reach::Reachable) => Ok(()),
            Ok(Reach::Unreachable(why)) => Err(Unreachable::Refused(why)),
            Err(error) => Err(Unreachable::Failed(error)),
        }
    }

    fn remove_peer(&mut self, peer: PeerId) {
        self.forget_peer(peer);
    }

    fn peer_failed(&mut self, peer: PeerId, why: &str) {
        self.lose_peer(peer, why);
    }

    fn failed(&self) -> &[(PeerId, String)] {
        &self.state.failed_peers
    }

    /// A network that matches does not distinguish a shutdown from a death.
    fn has_left(&self, _peer: PeerId) -> bool {
        false
    }

    fn open_comm(&mut self, context: Context, _rank: Rank, peers: Vec<PeerId>) -> CommId {
        CommId::from_key(self.state.open_comm(context, peers))
    }

    fn close_comm(&mut self, comm: CommId) {
        self.state.close_comm(comm.key());
    }

    #[inline]
    fn start_send(
        &mut self,
        comm: CommId,
        to: Rank,
        tag: Tag,
        buffer: Buffer,
        mode: Mode,
    ) -> Started {
        self.begin_send(comm, to, tag, buffer, mode)
    }

    #[inline]
    fn start_recv(&mut self, comm: CommId, pattern: Pattern, buffer: Buffer) -> RequestId {
        self.begin_recv(comm, pattern, buffer)
    }

    fn start_matched_recv(&mut self, message: MessageId, buffer: Buffer) -> Option<RequestId> {
        self.begin_matched_recv(message, buffer)
    }

    /// In a communicator that was refused the status is empty, and the receive fails with the
    /// reason.
    fn probe(&mut self, comm: CommId, pattern: Pattern) -> Option<Status> {
        self.peek(comm, pattern)
    }

    fn matched_probe(&mut self, comm: CommId, pattern: Pattern) -> Option<(MessageId, Status)> {
        self.claim(comm, pattern)
    }

    /// The network holds what no receive has matched.
    fn find_unexpected(&self, _comm: CommId, _is_wanted: &dyn Fn(Tag) -> bool) -> Option<Status> {
        None
    }

    #[inline]
    fn is_done(&self, request: RequestId) -> bool {
        self.state.is_done(request)
    }

    fn is_open(&self, request: RequestId) -> bool {
        self.state.is_open(request)
    }

    #[inline]
    fn outcome(&mut self, request: RequestId) -> Option<Outcome> {
        self.state.outcome(request)
    }

    #[inline]
    fn take_success(&mut self, request: RequestId) -> Option<Status> {
        self.state.take_success(request)
    }

    fn peek_outcome(&self, request: RequestId) -> Option<Outcome> {
        self.state.peek_outcome(request)
    }

    /// The network decides what it takes in.
    #[inline]
    fn watch(&mut self, _request: RequestId) {}

    fn report(&mut self, request: RequestId, owner: u64) {
        if let Some(entry) = self.state.requests.get_mut(request.key()) {
            entry.owner = Some(owner);
        }
    }

    #[inline]
    fn take_ended(&mut self, owners: &mut Vec<u64>) {
        owners.append(&mut self.state.ended);
    }

    fn detach(&mut self, request: RequestId) {
        self.state.detach(request);
    }

    fn cancel(&mut self, request: RequestId) -> bool {
        self.cancel_recv(request)
    }

    #[inline]
    fn failures(&self) -> u64 {
        self.state.failures
    }

    #[inline]
    fn progress(&mut self) -> usize {
        self.poll()
    }

    fn progress_all(&mut self) -> usize {
        self.poll()
    }

    #[inline]
    fn has_queued(&self) -> bool {
        self.state.has_queued() || self.is_reclaiming()
    }

    /// Peers are not distinguished: the network counts its sends together.
    fn is_flushed(&mut self, _peers: u32) -> bool {
        !self.state.has_queued() && self.state.sending == 0
    }

    fn arm(&mut self) -> Vec<Waker> {
        self.network
            .arm(SleepKind::Descriptors)
            .into_iter()
            .collect()
    }

    fn disarm(&mut self) {
        self.network.disarm();
    }

    fn has_idle(&self) -> bool {
        false
    }

    #[inline]
    fn backs_off(&self) -> bool {
        self.network.backs_off()
    }

    /// Peers that failed are not waited for.
    fn depart(&mut self) -> bool {
        let peers = &self.state.peers;
        let failed = |peer: PeerId| peers.get(peer.index()).is_some_and(|p| p.failed.is_some());
        self.network.depart(&failed)
    }

    fn close(&mut self) {
        self.network.close();
    }

    fn open_requests(&self) -> usize {
        self.user_requests()
    }

    fn held_requests(&self) -> usize {
        self.held_by_user()
    }

    fn unexpected_len(&self, _comm: CommId) -> usize {
        0
    }
}
