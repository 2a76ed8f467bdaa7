//! The point-to-point layer of an engine, chosen once: [`Plain`], or a layer of the framework
//! `vprotocol` over it. A call costs one branch for all, which is always taken alike.
//!
//! Operations that only lanes have (memory of windows, atomics, wake-ups) are reached by
//! [`Core::lanes`], which is `None` over a network that matches.

use std::sync::Arc;

use base::{Counters, PeerId, Rank};
use bml::Choice;
use datatype::Buffer;
use ob1::{Pending, Waiting};
use osc::Osc;
use pml::{CommId, Context, Mode, Pattern, Pml, RequestId, Started, Tag};
use sync::{HasParking, Parking};
use vprotocol::{Call, Saved, Vprotocol};

use crate::crowd::Crowd;
use crate::error::Error;
use crate::helper_timer::HelperTimer;
use crate::ob1::Ob1;
use crate::plain::Plain;
use crate::polls::Polls;

/// A layer over [`Plain`].
pub type Decorated = Box<dyn Vprotocol<Below = Plain, Route = Choice, Error = Error> + Send>;

/// Puts a layer of `vprotocol` over the chosen one, or leaves that as it is.
pub type Decorate = Box<dyn FnOnce(Plain) -> Decorated>;

/// The layer that calls go to.
// One of them per process: their difference in size is of no matter.
#[allow(clippy::large_enum_variant)]
enum Layer {
    /// The layer that moves the messages, alone.
    Plain(Plain),
    /// A layer over it.
    Decorated(Decorated),
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
    counters: Arc<Counters>,
}

/// Calls whichever layer there is.
macro_rules! layer {
    ([$($borrow:tt)+] $self:ident $($call:tt)+) => {
        match $($borrow)+ $self.layer {
            Layer::Plain(pml) => pml.$($call)+,
            Layer::Decorated(pml) => pml.$($call)+,
        }
    };
}

impl Core {
    /// Returns the state over a layer, which `decorate` puts another one over, where given.
    pub(crate) fn over(plain: Plain, decorate: Option<Decorate>) -> Core {
        Core {
            counters: plain.counters().clone(),
            layer: match decorate {
                None => Layer::Plain(plain),
                Some(decorate) => Layer::Decorated(decorate(plain)),
            },
            helper_timer: HelperTimer::default(),
            polls: Polls::default(),
            crowd: Crowd::default(),
            failures: 0,
        }
    }

    #[inline]
    fn plain(&self) -> &Plain {
        match &self.layer {
            Layer::Plain(plain) => plain,
            Layer::Decorated(layer) => layer.below(),
        }
    }

    #[inline]
    fn plain_mut(&mut self) -> &mut Plain {
        match &mut self.layer {
            Layer::Plain(plain) => plain,
            Layer::Decorated(layer) => layer.below_mut(),
        }
    }

    /// Returns the lanes; `None` over a network that matches.
    #[inline]
    pub(crate) fn lanes(&self) -> Option<&Ob1> {
        self.plain().lanes()
    }

    /// Returns the lanes, to be used; `None` over a network that matches.
    #[inline]
    pub(crate) fn lanes_mut(&mut self) -> Option<&mut Ob1> {
        self.plain_mut().lanes_mut()
    }

    /// Returns whether a layer of `vprotocol` is in use, which wants to know what the program sees
    /// ([`Core::observe`]).
    #[inline]
    pub fn is_observed(&self) -> bool {
        matches!(self.layer, Layer::Decorated(_))
    }

    /// Returns the result that a call has to have by a layer of `vprotocol`; see
    /// [`Vprotocol::replay`].
    pub fn replay(&mut self, call: Call) -> Option<Vec<u32>> {
        match &mut self.layer {
            Layer::Plain(_) => None,
            Layer::Decorated(layer) => layer.replay(call),
        }
    }

    /// Returns the counters of this process.
    pub(crate) fn counters(&self) -> Arc<Counters> {
        self.counters.clone()
    }

    /// Reports the result of a call to a layer of `vprotocol`; see [`Vprotocol::observe`].
    pub fn observe(&mut self, call: Call, found: &[u32]) {
        if let Layer::Decorated(layer) = &mut self.layer {
            layer.observe(call, found);
        }
    }

    /// Makes the next life of a peer known; see [`Vprotocol::restart_peer`].
    ///
    /// # Errors
    /// See [`Pml::add_peer`].
    pub fn restart_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Choice, Error> {
        self.drain();
        match &mut self.layer {
            Layer::Plain(plain) => plain.add_peer(peer, address),
            Layer::Decorated(layer) => layer.restart_peer(peer, address),
        }
    }

    /// Notes a peer whose next life is to come; see [`Vprotocol::expect_peer`].
    pub fn expect_peer(&mut self, peer: PeerId) {
        if let Layer::Decorated(layer) = &mut self.layer {
            layer.expect_peer(peer);
        }
    }

    /// Notes that no earlier life of this process is known; see [`Vprotocol::begin_anew`].
    pub fn begin_anew(&mut self) {
        if let Layer::Decorated(layer) = &mut self.layer {
            layer.begin_anew();
        }
    }

    /// Notes that the program makes no further calls; see [`Vprotocol::finalizing`].
    pub fn finalizing(&mut self) {
        if let Layer::Decorated(layer) = &mut self.layer {
            layer.finalizing();
        }
    }

    /// Returns a peer whose account this process waits for; see [`Vprotocol::awaited`].
    pub fn awaited(&self) -> Option<PeerId> {
        match &self.layer {
            Layer::Plain(_) => None,
            Layer::Decorated(layer) => layer.awaited(),
        }
    }

    /// Ends the prologue; see [`Vprotocol::end_prologue`].
    ///
    /// # Errors
    /// One clause.
    pub fn end_prologue(&mut self) -> Result<Option<Saved>, String> {
        match &mut self.layer {
            Layer::Plain(_) => Ok(None),
            Layer::Decorated(layer) => layer.end_prologue(),
        }
    }

    /// Notes that the program has saved its state; see [`Vprotocol::checkpoint`].
    ///
    /// # Errors
    /// One clause.
    pub fn checkpoint(&mut self, saved: &Saved) -> Result<(), String> {
        match &mut self.layer {
            Layer::Plain(_) => Ok(()),
            Layer::Decorated(layer) => layer.checkpoint(saved),
        }
    }

    /// Returns why this process cannot go on as its earlier life did; see [`Vprotocol::fault`].
    pub fn fault(&self) -> Option<String> {
        match &self.layer {
            Layer::Plain(_) => None,
            Layer::Decorated(layer) => layer.fault(),
        }
    }

    /// Returns what a layer of `vprotocol` has to say at the end, behind its name.
    pub fn account(&self) -> Vec<String> {
        let Layer::Decorated(layer) = &self.layer else {
            return Vec::new();
        };
        let lines = layer.account().into_iter();
        lines
            .map(|line| format!("{}: {line}", layer.name()))
            .collect()
    }

    /// Returns the messages that are not complete, and those that no receive has accepted; none
    /// over a network that matches by itself.
    pub fn messages(&self) -> (Vec<Pending>, Vec<Waiting>) {
        let Some(lanes) = self.lanes() else {
            return (Vec::new(), Vec::new());
        };
        (lanes.protocol.pending(), lanes.protocol.waiting())
    }

    /// Returns a number that changes as parts of messages come in; see [`btl::Transport::moves`].
    pub fn moves(&self) -> u64 {
        self.lanes().map_or(0, |lanes| lanes.bml.moves())
    }

    /// Sets what messages of this process on a communicator say of their elements from now on; see
    /// [`pml::Status::mark`]. A network that matches carries nothing of that.
    pub fn set_mark(&mut self, comm: CommId, mark: u16) {
        if let Some(lanes) = self.lanes_mut() {
            lanes.protocol.set_mark(comm, mark);
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
        self.plain_mut().osc()
    }

    /// Sees to it that messages of one-sided calls are taken, before the first window. Over a
    /// network that matches they need a context of their own, the same in all processes.
    ///
    /// # Errors
    /// When the network cannot distinguish that context from another one: one clause.
    pub fn open_accesses(&mut self, context: Context) -> Result<(), String> {
        self.plain_mut().open_accesses(context)
    }

    /// Sends what one-sided calls have left, as far as lanes or the network take it.
    #[inline]
    pub fn send_accesses(&mut self) {
        self.plain_mut().send_accesses();
    }

    /// Returns whether anything of one-sided calls waits for a lane or the network.
    pub(crate) fn has_accesses(&self) -> bool {
        self.plain().has_accesses()
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
        layer!([&mut] self start_send(comm, to, tag, buffer, mode))
    }

    #[inline(always)]
    fn start_recv(&mut self, comm: CommId, pattern: Pattern, buffer: Buffer) -> RequestId {
        layer!([&mut] self start_recv(comm, pattern, buffer))
    }

    /// Counts those of [`Core::note_failure`] as well.
    #[inline]
    fn failures(&self) -> u64 {
        self.failures + layer!([&] self failures())
    }

    #[inline]
    fn progress(&mut self) -> usize {
        self.counters.polls.add(1);
        layer!([&mut] self progress())
    }

    pml::forward!(
        layer:
        capabilities, address, add_peer, remove_peer, peer_failed, failed, has_left,
        open_comm, close_comm, start_matched_recv, probe, matched_probe, find_unexpected,
        is_done, is_open, outcome, take_success, peek_outcome, watch, report, take_ended,
        detach, cancel, progress_all, has_queued, is_flushed, arm, disarm,
        has_idle, backs_off, depart, close, open_requests, held_requests, unexpected_len,
    );
}
