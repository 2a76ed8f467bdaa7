//! The layer `ob1` with its lanes: sends the protocol's frames by the BML, and delivers what the
//! BML receives to the protocol.

use base::{AmTag, PeerId, Rank};
use bml::{Bml, Choice};
use btl::{Error as LaneError, Flow, Foreign, RemoteRange, Token, Waker};
use datatype::Buffer;
use mca::Framework;
use memory::Slot;
use ob1::{Config, Eager, Envelope, Frame, Limits, Protocol};
use osc::Osc;
use pml::{Capabilities, CommId, Label, MessageId, Mode, Pattern, Pml, RequestId, Started, Tag};
use sync::Patience;

use crate::accesses::{operation_of, Lanes, Windows};
use crate::address;
use crate::error::Error;
use crate::fault_queue::Faults;
use crate::router::{Deferred, LaneDriver, Router};

/// The number of no peer.
const NOBODY: PeerId = PeerId(u32::MAX);

/// Settings of an engine over lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Processes of the job.
    pub peers: usize,
    /// This process, where messages to it need not go by its lane.
    pub own: Option<PeerId>,
    /// Bytes of unmatched messages that one peer may leave at this process.
    pub unexpected_limit: u64,
    /// How long to spin and yield before a sleep.
    pub patience: Patience,
}

/// The lanes and the point-to-point state.
pub struct Ob1 {
    pub(crate) bml: Bml,
    pub(crate) protocol: Protocol,
    pub(crate) osc: Osc,
    /// Peers that failed since the layer above last asked, with the reasons.
    failed: Vec<(PeerId, String)>,
    /// Peers in `failed` that had sent their shutdown message before.
    pub(crate) left: Vec<PeerId>,
    deferred: Deferred,
    pub(crate) faults: Faults,
    pub(crate) lanes: Lanes,
    pub(crate) words: Windows,
    /// Polls until busy lanes are offered something again.
    polls_until_offer: u32,
    /// Whether peers that die are suspended.
    restarts: bool,
}

/// Polls between two offers to lanes that were busy. Each read of a reader's position takes a cache
/// line away from the reader.
const POLLS_PER_BUSY_OFFER: u32 = 4;

impl Ob1 {
    pub(crate) fn new(bml: Bml, settings: &Settings) -> Ob1 {
        let config = Config::new(settings.unexpected_limit);
        let mut protocol = Protocol::new(config, settings.peers);
        if let Some(own) = settings.own {
            protocol.set_own(own);
        }
        Ob1 {
            bml,
            protocol,
            osc: Osc::default(),
            failed: Vec::new(),
            left: Vec::new(),
            deferred: Deferred::default(),
            faults: Faults::default(),
            lanes: Lanes::default(),
            words: Windows::default(),
            polls_until_offer: 0,
            restarts: false,
        }
    }

    /// Introduces a peer by its address; one of another job by the agreement with it, too.
    pub(crate) fn introduce(
        &mut self,
        peer: PeerId,
        foreign: Option<&Foreign>,
        address: &[u8],
    ) -> Result<Choice, Error> {
        let address = address::lanes(peer, address)?;
        let choice = match foreign {
            Some(foreign) => self.bml.add_foreign(peer, foreign, address),
            None => self.bml.add_peer(peer, address),
        };
        let choice = choice.map_err(Error::Transport)?;
        let measured_min = self.bml.measured_min(peer);
        if self.deferred.clock.is_none() {
            self.deferred.clock = self.bml.service_clock(peer);
        }
        let Some(caps) = self.bml.caps(peer) else {
            return Err(Error::Unreachable(choice));
        };
        let limits = Limits {
            eager_limit: caps.eager_limit,
            cut: caps.cut,
            rndv_eager_limit: caps.rndv_eager_limit,
            max_send: caps.max_send_size,
            can_get: self.bml.hints(peer).reads,
            buffers: caps.keeps,
            measured_min,
        };
        self.protocol.set_limits(peer, limits);
        Ok(choice)
    }

    /// Returns whether nothing waits here, and everything for these peers has left.
    pub(crate) fn is_flushed_to(&mut self, mut peers: impl Iterator<Item = PeerId>) -> bool {
        let idle = !self.has_queued() && !self.has_accesses();
        let flushed = |peer| !matches!(self.bml.flush(peer), Ok(Flow::Busy));
        idle && peers.all(flushed)
    }

    #[inline(always)]
    fn send_eager(&mut self, eager: Eager, buffer: Buffer) -> Started {
        if eager.cut != 0 {
            return self.send_pipelined(eager, buffer);
        }
        match self.offer_eager(eager.peer, &eager.header, &buffer) {
            Ok(Flow::Sent) if !eager.buffers => Started::Complete,
            Ok(Flow::Sent) => self.sent_or_buffered(eager.peer, buffer),
            Ok(Flow::Busy) => Started::Pending(self.protocol.queue(eager, buffer)),
            Err(error) => {
                let peer = eager.peer;
                let request = self.protocol.queue(eager, buffer);
                self.peer_died(peer, &error.why());
                Started::Pending(request)
            }
        }
    }

    /// Sends an eager message part by part, as long as the lane takes them.
    #[inline(never)]
    fn send_pipelined(&mut self, eager: Eager, buffer: Buffer) -> Started {
        let (peer, total) = (eager.peer, buffer.len());
        let mut sent = 0;
        if self.protocol.is_measured(peer, total) {
            if buffer.contiguous().is_some() && self.bml.announces(peer, total) {
                return self.announce(eager, buffer);
            }
            let driver = LaneDriver::new(&mut self.bml, &self.deferred.clock);
            sent = self.protocol.sent_at(peer, total, false, &driver);
        }
        self.protocol.counters().sends_pipelined.add(1);
        let mut at = 0;
        while at < total {
            let (header, len) = eager.part(at, total, sent);
            match send_part(&mut self.bml, peer, header.as_bytes(), &buffer, at, len) {
                Ok(Flow::Sent) => at += len,
                Ok(Flow::Busy) => {
                    return Started::Pending(self.protocol.queue_parts(eager, buffer, at, sent))
                }
                Err(error) => {
                    let request = self.protocol.queue_parts(eager, buffer, at, sent);
                    self.peer_died(peer, &error.why());
                    return Started::Pending(request);
                }
            }
        }
        match eager.buffers {
            true => self.sent_or_buffered(peer, buffer),
            false => Started::Complete,
        }
    }

    /// Announces a message for its receiver to read.
    #[cold]
    fn announce(&mut self, eager: Eager, buffer: Buffer) -> Started {
        let mut driver = LaneDriver::announcing(&mut self.bml, &self.deferred.clock);
        let request = self.protocol.announce(eager, buffer, &mut driver);
        self.send_frames();
        Started::Pending(request)
    }

    /// Returns how a message began that its lane took. A message is complete when it has left: one
    /// that its lane buffers would otherwise wait for this process's next call.
    fn sent_or_buffered(&mut self, peer: PeerId, buffer: Buffer) -> Started {
        match self.bml.is_kept(peer) {
            true => Started::Pending(self.protocol.buffered(peer, buffer)),
            false => Started::Complete,
        }
    }

    /// Starts a send off the fast path: to this process itself, by rendezvous, acknowledged, or
    /// queued.
    #[cold]
    fn start_send_slow(
        &mut self,
        comm: CommId,
        to: Rank,
        tag: Tag,
        buffer: Buffer,
        mode: Mode,
    ) -> Started {
        if self.protocol.is_own(comm, to) {
            if self.protocol.send_to_self(comm, to, tag, &buffer) {
                return Started::Complete;
            }
            let eager = match mode {
                Mode::Standard => self.protocol.try_eager_own(comm, to, tag, buffer.len()),
                Mode::Synchronous => None,
            };
            if let Some(eager) = eager {
                return self.send_eager(eager, buffer);
            }
        }
        let mut driver = LaneDriver::new(&mut self.bml, &self.deferred.clock);
        let request = self
            .protocol
            .begin_send(comm, to, tag, buffer, mode, &mut driver);
        self.send_frames();
        Started::Pending(request)
    }

    /// Does what a poll could not do while it borrowed the lanes, and sends what it queued.
    #[inline]
    fn follow_up(&mut self) -> usize {
        if self.deferred.any {
            self.handle_deferred();
        }
        let mut happened = 0;
        if self.protocol.has_frames() {
            happened += self.offer_frames();
        }
        if self.has_lanes_due() {
            happened += self.serve_lanes();
        }
        if self.osc.has_frames() {
            happened += self.offer_accesses();
        }
        if self.protocol.has_buffered() {
            let bml = &self.bml;
            happened += self.protocol.release_buffered(|peer| bml.is_kept(peer));
        }
        happened
    }

    #[cold]
    fn handle_deferred(&mut self) {
        let mut deferred = std::mem::take(&mut self.deferred);
        for (peer, service) in deferred.served.drain(..) {
            self.bml.served(peer, service);
        }
        // Each long message has one; the memory serves the next.
        self.deferred.served = deferred.served;
        self.deferred.clock = deferred.clock;
        for (peer, key) in deferred.released {
            self.bml.deregister(peer, key);
        }
        self.faults.arrived.extend(deferred.faults);
        self.left.extend(deferred.left);
        for (peer, why) in deferred.failed {
            // Of a peer that nothing was sent to nobody knows whether it has left or died.
            match self.left.contains(&peer) {
                true => self.peer_died(peer, &why),
                false => self.peer_failed(peer, &why),
            }
        }
        for (peer, why) in deferred.died {
            self.peer_died(peer, &why);
        }
        for (token, outcome) in deferred.reads {
            match (operation_of(token), outcome) {
                (Some(operation), Err(error)) => self.access_failed(operation, error),
                (Some(operation), Ok(())) => drop(self.osc.lane_done(operation)),
                (None, outcome) => self.read_done(RequestId::from_bits(token.0), outcome),
            }
        }
    }

    /// Handles a peer whose process a transport has found dead: it is given up, or suspended where
    /// its next life is expected.
    #[cold]
    fn peer_died(&mut self, peer: PeerId, why: &str) {
        match self.restarts {
            false => self.peer_failed(peer, why),
            true => self.suspend_peer(peer),
        }
    }

    /// Suspends a peer; see [`pml::Restart::suspend_peer`].
    #[cold]
    pub(crate) fn suspend_peer(&mut self, peer: PeerId) {
        if self.protocol.is_suspended(peer) {
            return;
        }
        Framework::Pml.info(format_args!("{peer} is suspended until it comes back"));
        self.protocol.suspend_peer(
            peer,
            &mut LaneDriver::new(&mut self.bml, &self.deferred.clock),
        );
        self.bml.remove_peer(peer);
    }

    /// Lets peers be suspended.
    pub(crate) fn enable_restarts(&mut self) {
        self.restarts = true;
        self.protocol.enable_restarts();
    }

    /// Sends a message again; see [`pml::Restart::resend`].
    pub(crate) fn resend(&mut self, peer: PeerId, label: Label, buffer: Buffer) -> RequestId {
        let envelope = Envelope {
            context: label.context,
            source: label.source,
            tag: label.tag,
            sequence: label.sequence,
            mark: 0,
        };
        let mut driver = LaneDriver::new(&mut self.bml, &self.deferred.clock);
        let request = self.protocol.resend(peer, envelope, buffer, &mut driver);
        self.send_frames();
        request
    }

    /// Offers what is queued, but not at each poll while all lanes are busy.
    fn offer_frames(&mut self) -> usize {
        if self.polls_until_offer != 0 {
            self.polls_until_offer -= 1;
            return 0;
        }
        let sent = self.send_frames();
        if sent == 0 {
            self.polls_until_offer = POLLS_PER_BUSY_OFFER;
        }
        sent
    }

    /// Offers every peer's queue to its lane.
    #[cold]
    fn send_frames(&mut self) -> usize {
        let mut sent = 0;
        let mut at = 0;
        while let Some(peer) = self.protocol.ready_peer(at) {
            let several = self.protocol.queued(peer) > 1;
            if several {
                self.bml.batch(peer, true);
            }
            let busy = loop {
                match self.send_frame(peer) {
                    Ok(Flow::Sent) => sent += 1,
                    Ok(Flow::Busy) => break true,
                    Err(error) => self.peer_died(peer, &error.why()),
                }
                if self.protocol.queued(peer) == 0 {
                    break false;
                }
            };
            if several {
                self.bml.batch(peer, false);
            }
            at += usize::from(busy);
        }
        sent
    }

    /// Offers the frame that has been queued longest for a peer.
    fn send_frame(&mut self, peer: PeerId) -> Result<Flow, LaneError> {
        let flow = match self.protocol.next_frame(peer) {
            None => return Ok(Flow::Sent),
            Some(Frame::Send {
                header,
                buffer,
                offset,
                len,
            }) => send_part(&mut self.bml, peer, header.as_bytes(), buffer, offset, len)?,
            Some(Frame::Get {
                local,
                key,
                offset,
                request,
            }) => {
                let remote = RemoteRange { key, offset };
                let token = Token(request.bits());
                match self.bml.get(peer, local, remote, token) {
                    Ok(btl::Started::Busy) => Flow::Busy,
                    Ok(btl::Started::Pending) => Flow::Sent,
                    Ok(btl::Started::Done) => {
                        self.protocol.frame_sent(peer);
                        self.read_done(request, Ok(()));
                        return Ok(Flow::Sent);
                    }
                    Err(error) => {
                        self.protocol.frame_sent(peer);
                        self.read_done(request, Err(error));
                        return Ok(Flow::Sent);
                    }
                }
            }
        };
        if flow == Flow::Sent {
            self.protocol.frame_sent(peer);
        }
        Ok(flow)
    }

    /// Handles the end of a read of a peer's memory. Where it was refused, the message comes in
    /// fragments.
    fn read_done(&mut self, request: RequestId, outcome: Result<(), LaneError>) {
        let mut driver = LaneDriver::new(&mut self.bml, &self.deferred.clock);
        match outcome {
            Ok(()) => self.protocol.get_done(request, false, &mut driver),
            // Another read of an earlier life of the peer says nothing of this one.
            Err(LaneError::PeerGone { peer, .. }) if !self.protocol.is_reading(request, peer) => {}
            Err(LaneError::PeerGone { peer, how }) => self.peer_died(peer, &how),
            Err(_) => self.protocol.get_done(request, true, &mut driver),
        }
    }

    /// Sends an eager message now if the lane takes it.
    #[inline]
    fn offer_eager(
        &mut self,
        peer: PeerId,
        header: &[u8],
        buffer: &Buffer,
    ) -> Result<Flow, LaneError> {
        match buffer.contiguous() {
            Some(payload) => self.bml.send(peer, AmTag::PML, header, payload),
            None => send_part(&mut self.bml, peer, header, buffer, 0, buffer.len()),
        }
    }
}

/// Calls the protocol.
macro_rules! protocol {
    ([$($borrow:tt)+] $self:ident $($call:tt)+) => {
        $self.protocol.$($call)+
    };
}

impl Pml for Ob1 {
    type Route = Choice;
    type Error = Error;

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            tag_max: i32::MAX,
            whole_tags: true,
            holds_unexpected: true,
        }
    }

    fn address(&self) -> Vec<u8> {
        address::of_lanes(&self.bml.address())
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Choice, Error> {
        self.introduce(peer, None, address)
    }

    fn remove_peer(&mut self, peer: PeerId) {
        self.protocol.forget_peer(
            peer,
            &mut LaneDriver::new(&mut self.bml, &self.deferred.clock),
        );
        self.osc.forget_peer(peer);
        self.bml.remove_peer(peer);
        // The list only grows: others have counted its entries.
        let stale = self.failed.iter_mut().filter(|(failed, _)| *failed == peer);
        stale.for_each(|entry| *entry = (NOBODY, String::new()));
        self.left.retain(|left| *left != peer);
    }

    #[cold]
    fn peer_failed(&mut self, peer: PeerId, why: &str) {
        Framework::Pml.info(format_args!("{peer} failed: {why}"));
        self.protocol.peer_failed(
            peer,
            why,
            &mut LaneDriver::new(&mut self.bml, &self.deferred.clock),
        );
        self.osc.peer_failed(peer, why);
        self.failed.push((peer, why.to_string()));
    }

    fn failed(&self) -> &[(PeerId, String)] {
        &self.failed
    }

    fn has_left(&self, peer: PeerId) -> bool {
        self.left.contains(&peer)
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
        if mode == Mode::Standard {
            if let Some(eager) = self.protocol.try_eager(comm, to, tag, buffer.len()) {
                return self.send_eager(eager, buffer);
            }
        }
        self.start_send_slow(comm, to, tag, buffer, mode)
    }

    #[inline(always)]
    fn start_recv(&mut self, comm: CommId, pattern: Pattern, buffer: Buffer) -> RequestId {
        let request = self.protocol.begin_recv(comm, pattern, buffer);
        if self.protocol.has_frames() {
            self.send_frames();
        }
        request
    }

    fn start_matched_recv(&mut self, message: MessageId, buffer: Buffer) -> Option<RequestId> {
        let request = self.protocol.begin_matched_recv(message, buffer)?;
        self.send_frames();
        Some(request)
    }

    #[inline]
    fn progress(&mut self) -> usize {
        let mut router = Router {
            protocol: &mut self.protocol,
            osc: &mut self.osc,
            deferred: &mut self.deferred,
        };
        let happened = self.bml.progress(&mut router);
        happened + self.follow_up()
    }

    fn progress_all(&mut self) -> usize {
        let mut router = Router {
            protocol: &mut self.protocol,
            osc: &mut self.osc,
            deferred: &mut self.deferred,
        };
        let happened = self.bml.progress_all(&mut router);
        self.polls_until_offer = 0;
        happened + self.follow_up()
    }

    #[inline]
    fn has_queued(&self) -> bool {
        self.protocol.has_frames()
    }

    fn is_flushed(&mut self, peers: u32) -> bool {
        self.is_flushed_to((0..peers).map(PeerId))
    }

    fn arm(&mut self) -> Vec<Waker> {
        self.bml.arm()
    }

    fn disarm(&mut self) {
        self.bml.disarm();
    }

    fn has_idle(&self) -> bool {
        self.bml.has_idle()
    }

    #[inline]
    fn backs_off(&self) -> bool {
        self.bml.backs_off()
    }

    /// Transports send their shutdown messages as they close.
    fn depart(&mut self) -> bool {
        true
    }

    fn close(&mut self) {
        self.bml.close();
        self.bml = Bml::new(Vec::new());
    }

    pml::forward!(
        protocol:
        open_comm, close_comm, probe, matched_probe, find_unexpected, is_done, is_open,
        outcome, take_success, peek_outcome, watch, report, take_ended, detach, cancel,
        failures, open_requests, held_requests, unexpected_len,
    );
}

/// Sends a header and a part of a buffer, which is packed into the lane's own memory where it is
/// not contiguous.
fn send_part(
    bml: &mut Bml,
    peer: PeerId,
    header: &[u8],
    buffer: &Buffer,
    at: usize,
    len: usize,
) -> Result<Flow, LaneError> {
    match buffer.contiguous() {
        Some(payload) => bml.send(peer, AmTag::PML, header, payload.part(at, len)),
        None => {
            let mut pack = |slot: &mut Slot<'_>| {
                buffer.pack(at, slot, 0);
            };
            bml.send_packed(peer, AmTag::PML, header, len, &mut pack)
        }
    }
}

#[cfg(test)]
mod tests;
