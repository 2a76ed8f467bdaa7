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
use datatype::Buffer;
use mca::Param;
use pml::{CommId, Context, MessageId, Mode, Outcome, Pattern, Pml, RequestId};
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

    fn begin_anew(&mut self) {}

    fn finalizing(&mut self) {}

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

/// Calls the layer below.
macro_rules! below {
    ([$($borrow:tt)+] $self:ident $($call:tt)+) => {
        $self.below.$($call)+
    };
}

impl<P: Pml> Pml for Trace<P> {
    type Route = P::Route;
    type Error = P::Error;

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

    fn detach(&mut self, request: RequestId) {
        self.note(Event::Detach, 0, || format!("{request:?}"));
        self.below.detach(request);
    }

    fn cancel(&mut self, request: RequestId) -> bool {
        let in_time = self.below.cancel(request);
        self.note(Event::Cancel, 0, || format!("{request:?}: {in_time}"));
        in_time
    }

    pml::forward!(
        below:
        capabilities, address, failed, has_left, probe, matched_probe, find_unexpected,
        is_done, is_open, peek_outcome, watch, report, take_ended, failures, progress,
        progress_all, has_queued, is_flushed, arm, disarm, has_idle, backs_off, depart,
        close, open_requests, held_requests, unexpected_len,
    );
}
