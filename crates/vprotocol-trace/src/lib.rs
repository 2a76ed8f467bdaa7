//! The component `trace` of the framework `vprotocol`: counts what passes between MPI and the
//! point-to-point layer, and prints it.
//!
//! It changes nothing: every call goes to the layer below, and its result back. At the end of MPI
//! each process prints its counts in a line ([`Vprotocol::account`]); with `pml_v_verbose` each
//! event is printed when it happens. Polls and queries of pending requests are not events: how many
//! there are depends on timing alone.
#![forbid(unsafe_code)]

mod counts;

use base::{PeerId, Rank};
use btl::Waker;
use datatype::Buffer;
use mca::Param;
use pml::{Capabilities, CommId, Context, MessageId, Mode, Outcome, Pattern, Pml, RequestId};
use pml::{Started, Status, Tag};
use vprotocol::{Call, Vprotocol};

pub use counts::{Counts, Event};

/// The parameter with the precedence of the component.
pub const PRIORITY: &str = "vprotocol_trace_priority";

/// The parameter that says whether each event is printed.
pub const VERBOSE: &str = "pml_v_verbose";

/// Parameters of the component.
pub const PARAMS: &[Param] = &[
    Param::int(
        PRIORITY,
        10,
        0..=1000,
        5,
        "Precedence of trace among the layers that `vprotocol` names: the largest is used",
    ),
    Param::int(
        VERBOSE,
        0,
        0..=100,
        3,
        "How much the layers that `vprotocol` names print: 0 the counts at the end, 1 and more \
         each event",
    ),
];

/// A point-to-point layer whose calls are counted.
pub struct Trace<P> {
    below: P,
    counts: Counts,
    prints: bool,
}

impl<P: Pml> Trace<P> {
    /// Wraps a layer. `prints` says whether each event is printed.
    pub fn over(below: P, prints: bool) -> Trace<P> {
        Trace {
            below,
            counts: Counts::default(),
            prints,
        }
    }

    /// Returns the counts so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    fn note(&mut self, event: Event, bytes: usize, what: impl FnOnce() -> String) {
        self.counts.add(event, bytes as u64);
        if self.prints {
            eprintln!("vprotocol trace: {}: {}", event.name(), what());
        }
    }
}

impl<P: Pml> Vprotocol for Trace<P> {
    type Below = P;

    fn name(&self) -> &'static str {
        "trace"
    }

    fn below(&self) -> &P {
        &self.below
    }

    fn below_mut(&mut self) -> &mut P {
        &mut self.below
    }

    fn replay(&mut self, _call: Call) -> Option<Vec<u32>> {
        None
    }

    fn observe(&mut self, call: Call, found: &[u32]) {
        self.note(Event::Observed(call), 0, || format!("{found:?}"));
    }

    fn restart_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<P::Route, P::Error> {
        self.add_peer(peer, address)
    }

    fn expect_peer(&mut self, _peer: PeerId) {}

    fn awaited(&self) -> Option<PeerId> {
        None
    }

    fn fault(&self) -> Option<String> {
        None
    }

    fn account(&self) -> Vec<String> {
        vec![self.counts.to_string()]
    }
}

impl<P: Pml> Pml for Trace<P> {
    type Route = P::Route;
    type Error = P::Error;

    fn capabilities(&self) -> Capabilities {
        self.below.capabilities()
    }

    fn address(&self) -> Vec<u8> {
        self.below.address()
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<P::Route, P::Error> {
        self.note(Event::AddPeer, 0, || peer.to_string());
        self.below.add_peer(peer, address)
    }

    fn remove_peer(&mut self, peer: PeerId) {
        self.note(Event::RemovePeer, 0, || peer.to_string());
        self.below.remove_peer(peer);
    }

    fn peer_failed(&mut self, peer: PeerId, why: &str) {
        self.note(Event::PeerFailed, 0, || format!("{peer}: {why}"));
        self.below.peer_failed(peer, why);
    }

    fn failed(&self) -> &[(PeerId, String)] {
        self.below.failed()
    }

    fn has_left(&self, peer: PeerId) -> bool {
        self.below.has_left(peer)
    }

    fn open_comm(&mut self, context: Context, rank: Rank, peers: Vec<PeerId>) -> CommId {
        let size = peers.len();
        self.note(Event::OpenComm, 0, || {
            format!("context {:#x}, rank {} of {size}", context.0, rank.0)
        });
        self.below.open_comm(context, rank, peers)
    }

    fn close_comm(&mut self, comm: CommId) {
        self.note(Event::CloseComm, 0, || format!("{comm:?}"));
        self.below.close_comm(comm);
    }

    fn start_send(
        &mut self,
        comm: CommId,
        to: Rank,
        tag: Tag,
        buffer: Buffer,
        mode: Mode,
    ) -> Started {
        let bytes = buffer.len();
        let started = self.below.start_send(comm, to, tag, buffer, mode);
        self.note(Event::Send, bytes, || {
            format!("{bytes} bytes to {}, tag {tag}, {started:?}", to.0)
        });
        started
    }

    fn start_recv(&mut self, comm: CommId, pattern: Pattern, buffer: Buffer) -> RequestId {
        let event = match pattern.source {
            Some(_) => Event::NamedRecv,
            None => Event::WildRecv,
        };
        let bytes = buffer.len();
        let request = self.below.start_recv(comm, pattern, buffer);
        self.note(event, bytes, || {
            format!("{bytes} bytes of {pattern:?}, {request:?}")
        });
        request
    }

    fn start_matched_recv(&mut self, message: MessageId, buffer: Buffer) -> Option<RequestId> {
        self.note(Event::MatchedRecv, buffer.len(), || format!("{message:?}"));
        self.below.start_matched_recv(message, buffer)
    }

    fn probe(&mut self, comm: CommId, pattern: Pattern) -> Option<Status> {
        self.below.probe(comm, pattern)
    }

    fn matched_probe(&mut self, comm: CommId, pattern: Pattern) -> Option<(MessageId, Status)> {
        self.below.matched_probe(comm, pattern)
    }

    fn find_unexpected(&self, comm: CommId, is_wanted: &dyn Fn(Tag) -> bool) -> Option<Status> {
        self.below.find_unexpected(comm, is_wanted)
    }

    fn is_done(&self, request: RequestId) -> bool {
        self.below.is_done(request)
    }

    fn is_open(&self, request: RequestId) -> bool {
        self.below.is_open(request)
    }

    fn outcome(&mut self, request: RequestId) -> Option<Outcome> {
        let outcome = self.below.outcome(request)?;
        let event = match (outcome.status.cancelled, outcome.result.is_ok()) {
            (true, _) => Event::Cancelled,
            (false, true) => Event::Complete,
            (false, false) => Event::Failed,
        };
        self.note(event, 0, || format!("{request:?}: {outcome:?}"));
        Some(outcome)
    }

    fn take_success(&mut self, request: RequestId) -> Option<Status> {
        let status = self.below.take_success(request)?;
        let event = match status.cancelled {
            true => Event::Cancelled,
            false => Event::Complete,
        };
        self.note(event, 0, || format!("{request:?}: {status:?}"));
        Some(status)
    }

    fn peek_outcome(&self, request: RequestId) -> Option<Outcome> {
        self.below.peek_outcome(request)
    }

    fn watch(&mut self, request: RequestId) {
        self.below.watch(request);
    }

    fn report(&mut self, request: RequestId, owner: u64) {
        self.below.report(request, owner);
    }

    fn take_ended(&mut self, owners: &mut Vec<u64>) {
        self.below.take_ended(owners);
    }

    fn detach(&mut self, request: RequestId) {
        self.note(Event::Detach, 0, || format!("{request:?}"));
        self.below.detach(request);
    }

    fn cancel(&mut self, request: RequestId) -> bool {
        let in_time = self.below.cancel(request);
        self.note(Event::Cancel, 0, || format!("{request:?}: {in_time}"));
        in_time
    }

    fn failures(&self) -> u64 {
        self.below.failures()
    }

    fn progress(&mut self) -> usize {
        self.below.progress()
    }

    fn progress_all(&mut self) -> usize {
        self.below.progress_all()
    }

    fn has_queued(&self) -> bool {
        self.below.has_queued()
    }

    fn is_flushed(&mut self, peers: u32) -> bool {
        self.below.is_flushed(peers)
    }

    fn arm(&mut self) -> Vec<Waker> {
        self.below.arm()
    }

    fn disarm(&mut self) {
        self.below.disarm();
    }

    fn has_idle(&self) -> bool {
        self.below.has_idle()
    }

    fn backs_off(&self) -> bool {
        self.below.backs_off()
    }

    fn depart(&mut self) -> bool {
        self.below.depart()
    }

    fn close(&mut self) {
        self.below.close();
    }

    fn open_requests(&self) -> usize {
        self.below.open_requests()
    }

    fn held_requests(&self) -> usize {
        self.below.held_requests()
    }

    fn unexpected_len(&self, comm: CommId) -> usize {
        self.below.unexpected_len(comm)
    }
}
