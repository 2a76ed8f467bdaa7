//! The layer that moves the messages: `ob1` over lanes, or `cm` over a network that matches. Only
//! this file distinguishes the two; a call costs one branch, which is always taken alike.
//!
//! Operations that only lanes have (memory of windows, atomics, wake-ups) are reached by
//! [`Plain::lanes`], which is `None` over a network that matches.

use std::sync::Arc;

use base::{Counters, PeerId, Rank};
use bml::{Bml, Choice};
use cm::Cm;
use datatype::Buffer;
use osc::Osc;
use pml::{CommId, Context, Label, Mode, Pattern, Pml, Received, RequestId, Restart, Started, Tag};

use crate::address;
use crate::error::Error;
use crate::network::Network;
use crate::ob1::{Ob1, Settings};

/// The layer that moves the messages.
// One of them per process: their difference in size is of no matter.
#[allow(clippy::large_enum_variant)]
pub enum Plain {
    /// Matching here, over the lanes of the BML.
    Ob1(Ob1),
    /// Matching by the network.
    Cm(Network),
}

/// Calls whichever layer there is.
macro_rules! plain {
    ([$($borrow:tt)+] $self:ident $($call:tt)+) => {
        match $self {
            Plain::Ob1(pml) => pml.$($call)+,
            Plain::Cm(Network { cm: pml, .. }) => pml.$($call)+,
        }
    };
}

impl Plain {
    /// Returns the layer `ob1` over opened transports.
    pub fn over_lanes(bml: Bml, settings: &Settings) -> Plain {
        Plain::Ob1(Ob1::new(bml, settings))
    }

    /// Returns the layer `cm` over a network that matches.
    pub fn over_network(cm: Cm) -> Plain {
        Plain::Cm(Network::new(cm))
    }

    /// Returns the lanes; `None` over a network that matches.
    #[inline]
    pub(crate) fn lanes(&self) -> Option<&Ob1> {
        match self {
            Plain::Ob1(ob1) => Some(ob1),
            Plain::Cm(_) => None,
        }
    }

    /// Returns the lanes, to be used; `None` over a network that matches.
    #[inline]
    pub(crate) fn lanes_mut(&mut self) -> Option<&mut Ob1> {
        match self {
            Plain::Ob1(ob1) => Some(ob1),
            Plain::Cm(_) => None,
        }
    }

    /// Returns the counters of this process.
    pub(crate) fn counters(&self) -> &Arc<Counters> {
        match self {
            Plain::Ob1(ob1) => ob1.protocol.counters(),
            Plain::Cm(network) => network.cm.counters(),
        }
    }

    /// Returns the one-sided state.
    #[inline]
    pub(crate) fn osc(&mut self) -> &mut Osc {
        match self {
            Plain::Ob1(ob1) => &mut ob1.osc,
            Plain::Cm(network) => &mut network.osc,
        }
    }

    /// Sees to it that messages of one-sided calls are taken, before the first window. Over a
    /// network that matches they need a context of their own, the same in all processes.
    ///
    /// # Errors
    /// When the network cannot distinguish that context from another one: one clause.
    pub(crate) fn open_accesses(&mut self, context: Context) -> Result<(), String> {
        match self {
            Plain::Ob1(_) => Ok(()),
            Plain::Cm(network) => network.open_accesses(context),
        }
    }

    /// Sends what one-sided calls have left, as far as lanes or the network take it.
    #[inline]
    pub(crate) fn send_accesses(&mut self) {
        match self {
            Plain::Ob1(ob1) => ob1.send_accesses(),
            Plain::Cm(network) if network.osc.has_frames() => drop(network.offer_accesses()),
            Plain::Cm(_) => {}
        }
    }

    /// Returns whether anything of one-sided calls waits for a lane or the network.
    pub(crate) fn has_accesses(&self) -> bool {
        match self {
            Plain::Ob1(ob1) => ob1.has_accesses(),
            Plain::Cm(network) => network.osc.has_frames(),
        }
    }
}

impl Pml for Plain {
    type Route = Choice;
    type Error = Error;

    fn address(&self) -> Vec<u8> {
        match self {
            Plain::Ob1(ob1) => ob1.address(),
            Plain::Cm(Network { cm, .. }) => address::of_network(cm.name(), &cm.address()),
        }
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Choice, Error> {
        match self {
            Plain::Ob1(ob1) => ob1.add_peer(peer, address),
            Plain::Cm(network) => network.add_peer(peer, address),
        }
    }

    fn remove_peer(&mut self, peer: PeerId) {
        match self {
            Plain::Ob1(ob1) => ob1.remove_peer(peer),
            Plain::Cm(network) => network.remove_peer(peer),
        }
    }

    #[cold]
    fn peer_failed(&mut self, peer: PeerId, why: &str) {
        match self {
            Plain::Ob1(ob1) => ob1.peer_failed(peer, why),
            Plain::Cm(network) => network.peer_failed(peer, why),
        }
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
        plain!([&mut] self start_send(comm, to, tag, buffer, mode))
    }

    #[inline(always)]
    fn start_recv(&mut self, comm: CommId, pattern: Pattern, buffer: Buffer) -> RequestId {
        plain!([&mut] self start_recv(comm, pattern, buffer))
    }

    #[inline]
    fn progress(&mut self) -> usize {
        match self {
            Plain::Ob1(ob1) => ob1.progress(),
            Plain::Cm(network) => network.progress(),
        }
    }

    fn progress_all(&mut self) -> usize {
        match self {
            Plain::Ob1(ob1) => ob1.progress_all(),
            Plain::Cm(network) => network.progress(),
        }
    }

    fn is_flushed(&mut self, peers: u32) -> bool {
        match self {
            Plain::Ob1(ob1) => ob1.is_flushed(peers),
            Plain::Cm(network) => network.is_flushed(peers),
        }
    }

    pml::forward!(
        plain:
        capabilities, failed, has_left, open_comm, close_comm, start_matched_recv, probe,
        matched_probe, find_unexpected, is_done, is_open, outcome, take_success,
        peek_outcome, watch, report, take_ended, detach, cancel, failures, has_queued, arm,
        disarm, has_idle, backs_off, depart, close, open_requests, held_requests,
        unexpected_len,
    );
}

impl Restart for Plain {
    fn enable_restarts(&mut self) -> bool {
        let lanes = self.lanes_mut();
        lanes.is_some_and(|lanes| {
            lanes.enable_restarts();
            true
        })
    }

    #[inline]
    fn source_of(&self, request: RequestId) -> Option<Rank> {
        self.lanes()?.protocol.source_of(request)
    }

    #[inline]
    fn is_suspended(&self, peer: PeerId) -> bool {
        self.lanes()
            .is_some_and(|lanes| lanes.protocol.is_suspended(peer))
    }

    fn suspend_peer(&mut self, peer: PeerId) {
        if let Some(lanes) = self.lanes_mut() {
            lanes.suspend_peer(peer);
        }
    }

    fn received_from(&self, peer: PeerId) -> Vec<Received> {
        let lanes = self.lanes();
        lanes.map_or_else(Vec::new, |lanes| lanes.protocol.received_from(peer))
    }

    fn taken_from(&self, peer: PeerId) -> Vec<Received> {
        let lanes = self.lanes();
        lanes.map_or_else(Vec::new, |lanes| lanes.protocol.taken_from(peer))
    }

    fn set_received(&mut self, peer: PeerId, received: Vec<Received>) {
        if let Some(lanes) = self.lanes_mut() {
            lanes.protocol.set_received(peer, received);
        }
    }

    fn has_taken(&self) -> bool {
        self.lanes().is_some_and(|lanes| lanes.protocol.has_taken())
    }

    fn set_next(&mut self, comm: CommId, to: Rank, next: u64) {
        if let Some(lanes) = self.lanes_mut() {
            lanes.protocol.set_next(comm, to, next);
        }
    }

    fn skip_send(&mut self, comm: CommId, to: Rank) {
        if let Some(lanes) = self.lanes_mut() {
            lanes.protocol.skip_send(comm, to);
        }
    }

    fn resend(&mut self, peer: PeerId, label: Label, buffer: Buffer) -> RequestId {
        match self {
            Plain::Ob1(lanes) => lanes.resend(peer, label, buffer),
            // Never asked for: the network cannot have peers suspended.
            Plain::Cm(_) => RequestId::from_bits(0),
        }
    }

    fn reset_comm(&mut self, comm: CommId, peer: PeerId) {
        if let Some(lanes) = self.lanes_mut() {
            lanes.protocol.reset_comm(comm, peer);
        }
    }
}
