//! `ob1` with its lanes: what the PML wants sent goes to the BML, what the BML brings goes to the
//! PML.

use base::{AmTag, PeerId, Rank};
use bml::{Bml, Choice};
use btl::{Error as LaneError, Flow, RemoteRange, Started, Token};
use datatype::Buffer;
use memory::Slot;
use ob1::{Eager, Frame, Lane, Protocol};
use osc::Osc;
use pml::{CommId, MessageId, Mode, Pattern, RequestId, Tag};

use crate::onesided::lanes::{Ended, Lanes};
use crate::onesided::words;
use crate::pt2pt::Started as Begun;
use crate::router::{LaneRegistrar, LateRegistrar, Router};
use crate::{address, Error};

/// The lanes and the point-to-point state.
pub struct Ob1 {
    pub(crate) bml: Bml,
    pub(crate) pml: Protocol,
    pub(crate) osc: Osc,
    /// Peers that failed since the layer above last asked, with what was seen.
    failed: Vec<(PeerId, String)>,
    /// Those of them that had said goodbye.
    left: Vec<PeerId>,
    late: LateRegistrar,
    pub(crate) lanes: Lanes,
    pub(crate) words: words::Windows,
    /// Polls for which busy lanes are left alone.
    rest: u32,
}

/// Polls between two offers to lanes that were busy. Each look at how far a reader has come takes a
/// line away from it.
const BUSY_REST: u32 = 4;

impl Ob1 {
    pub(crate) fn new(bml: Bml, pml: Protocol) -> Ob1 {
        Ob1 {
            bml,
            pml,
            osc: Osc::default(),
            failed: Vec::new(),
            left: Vec::new(),
            late: LateRegistrar::default(),
            lanes: Lanes::default(),
            words: words::Windows::default(),
            rest: 0,
        }
    }

    pub(crate) fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Choice, Error> {
        let address = address::lanes(peer, address)?;
        let choice = self.bml.add_peer(peer, address).map_err(Error::Transport)?;
        let Some(caps) = self.bml.caps(peer) else {
            return Err(Error::Unreachable(choice));
        };
        let lane = Lane {
            eager_limit: caps.eager_limit,
            cut: caps.cut,
            rndv_eager_limit: caps.rndv_eager_limit,
            max_send: caps.max_send_size,
            can_get: self.bml.can_get(peer),
            keeps: caps.keeps,
        };
        self.pml.set_lane(peer, lane);
        Ok(choice)
    }

    pub(crate) fn remove_peer(&mut self, peer: PeerId) {
        self.pml
            .forget_peer(peer, &mut LaneRegistrar(&mut self.bml));
        self.osc.forget_peer(peer);
        self.bml.remove_peer(peer);
    }

    pub(crate) fn close(&mut self) {
        self.bml.close();
        self.bml = Bml::new(Vec::new());
    }

    /// Starts a send. `comm` and `to` are valid.
    #[inline]
    pub(crate) fn start_send(
        &mut self,
        comm: CommId,
        to: Rank,
        tag: Tag,
        buffer: Buffer,
        mode: Mode,
    ) -> Begun {
        if mode == Mode::Standard {
            if let Some(eager) = self.pml.try_eager(comm, to, tag, buffer.len()) {
                return self.send_unasked(eager, buffer);
            }
        }
        self.start_slowly(comm, to, tag, buffer, mode)
    }

    #[inline(always)]
    fn send_unasked(&mut self, eager: Eager, buffer: Buffer) -> Begun {
        if eager.cut != 0 {
            return self.send_cut(eager, buffer);
        }
        match self.send_eager(eager.peer, &eager.header, &buffer) {
            Ok(Flow::Sent) if !eager.keeps => Begun::Complete,
            Ok(Flow::Sent) => self.sent_or_kept(eager.peer, buffer),
            Ok(Flow::Busy) => Begun::Pending(self.pml.park(eager, buffer)),
            Err(error) => {
                let peer = eager.peer;
                let request = self.pml.park(eager, buffer);
                self.peer_failed(peer, &error.to_string());
                Begun::Pending(request)
            }
        }
    }

    /// Sends an eager message part by part, as long as the lane takes them.
    #[inline(never)]
    fn send_cut(&mut self, eager: Eager, buffer: Buffer) -> Begun {
        let (peer, total) = (eager.peer, buffer.len());
        let mut at = 0;
        while at < total {
            let (header, len) = eager.part(at, total);
            match send_part(&mut self.bml, peer, header.as_bytes(), &buffer, at, len) {
                Ok(Flow::Sent) => at += len,
                Ok(Flow::Busy) => return Begun::Pending(self.pml.park_parts(eager, buffer, at)),
                Err(error) => {
                    let request = self.pml.park_parts(eager, buffer, at);
                    self.peer_failed(peer, &error.to_string());
                    return Begun::Pending(request);
                }
            }
        }
        match eager.keeps {
            true => self.sent_or_kept(peer, buffer),
            false => Begun::Complete,
        }
    }

    /// A message is complete when it has left. One that its lane keeps would otherwise wait for
    /// this process's next call, and its receiver with it.
    fn sent_or_kept(&mut self, peer: PeerId, buffer: Buffer) -> Begun {
        match self.bml.is_kept(peer) {
            true => Begun::Pending(self.pml.keep(peer, buffer)),
            false => Begun::Complete,
        }
    }

    /// The ways of a message that is not simply sent: to oneself, announced, acknowledged, or
    /// queued.
    #[cold]
    fn start_slowly(
        &mut self,
        comm: CommId,
        to: Rank,
        tag: Tag,
        buffer: Buffer,
        mode: Mode,
    ) -> Begun {
        if self.pml.is_own(comm, to) {
            if self.pml.pass(comm, to, tag, &buffer) {
                return Begun::Complete;
            }
            let eager = match mode {
                Mode::Standard => self.pml.try_eager_own(comm, to, tag, buffer.len()),
                Mode::Synchronous => None,
            };
            if let Some(eager) = eager {
                return self.send_unasked(eager, buffer);
            }
        }
        let mut registrar = LaneRegistrar(&mut self.bml);
        let request = self
            .pml
            .begin_send(comm, to, tag, buffer, mode, &mut registrar);
        self.send_frames();
        Begun::Pending(request)
    }

    /// Starts a receive. `comm` and the pattern's source are valid.
    #[inline]
    pub(crate) fn start_recv(
        &mut self,
        comm: CommId,
        pattern: Pattern,
        buffer: Buffer,
    ) -> RequestId {
        let request = self.pml.begin_recv(comm, pattern, buffer);
        if self.pml.has_frames() {
            self.send_frames();
        }
        request
    }

    /// Starts to receive a message that a matched probe took. `None` when it was received before.
    pub(crate) fn start_matched_recv(
        &mut self,
        message: MessageId,
        buffer: Buffer,
    ) -> Option<RequestId> {
        let request = self.pml.begin_matched_recv(message, buffer)?;
        self.send_frames();
        Some(request)
    }

    /// Polls the lanes and sends what has become due. Returns the number of things that came
    /// in or were sent.
    #[inline]
    pub(crate) fn progress(&mut self) -> usize {
        let mut router = Router {
            pml: &mut self.pml,
            osc: &mut self.osc,
            late: &mut self.late,
        };
        let happened = self.bml.progress(&mut router);
        happened + self.follow_up()
    }

    /// The same over all transports, as before a sleep.
    pub(crate) fn progress_all(&mut self) -> usize {
        let mut router = Router {
            pml: &mut self.pml,
            osc: &mut self.osc,
            late: &mut self.late,
        };
        let happened = self.bml.progress_all(&mut router);
        self.rest = 0;
        happened + self.follow_up()
    }

    /// What a poll could not do while it held the lanes, and what it left to be sent.
    #[inline]
    fn follow_up(&mut self) -> usize {
        if self.late.any {
            self.catch_up();
        }
        let mut happened = 0;
        if self.pml.has_frames() {
            happened += self.offer_frames();
        }
        if self.has_lanes_due() {
            happened += self.serve_lanes();
        }
        if self.osc.has_frames() {
            happened += self.offer_accesses();
        }
        if self.pml.has_kept() {
            let bml = &self.bml;
            happened += self.pml.release_kept(|peer| bml.is_kept(peer));
        }
        happened
    }

    #[cold]
    fn catch_up(&mut self) {
        let late = std::mem::take(&mut self.late);
        for (peer, key) in late.released {
            self.bml.deregister(peer, key);
        }
        self.left.extend(late.left);
        for (peer, why) in late.failed {
            self.peer_failed(peer, &why);
        }
        for (token, outcome) in late.reads {
            match (Ended::of(token), outcome) {
                (Some(Ended::Piece(operation)), Err(error)) => self.piece_failed(operation, error),
                (Some(Ended::Move(id)), Err(error)) => self.move_failed(id, error),
                (Some(ended), Ok(())) => ended.tell(&mut self.osc),
                (None, outcome) => self.read_done(RequestId::from_bits(token.0), outcome),
            }
        }
    }

    /// Offers what waits, but not at each poll while all lanes are busy.
    fn offer_frames(&mut self) -> usize {
        if self.rest != 0 {
            self.rest -= 1;
            return 0;
        }
        let sent = self.send_frames();
        if sent == 0 {
            self.rest = BUSY_REST;
        }
        sent
    }

    /// Offers every peer's queue to its lane.
    #[cold]
    fn send_frames(&mut self) -> usize {
        let mut sent = 0;
        let mut at = 0;
        while let Some(peer) = self.pml.ready_peer(at) {
            let several = self.pml.waiting(peer) > 1;
            if several {
                self.bml.batch(peer, true);
            }
            let busy = loop {
                match self.send_frame(peer) {
                    Ok(Flow::Sent) => sent += 1,
                    Ok(Flow::Busy) => break true,
                    Err(error) => self.peer_failed(peer, &error.to_string()),
                }
                if self.pml.waiting(peer) == 0 {
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

    /// Offers the frame that waits longest for a peer.
    fn send_frame(&mut self, peer: PeerId) -> Result<Flow, LaneError> {
        let flow = match self.pml.next_frame(peer) {
            None => return Ok(Flow::Sent),
            Some(Frame::Send {
                header,
                buffer,
                at,
                len,
            }) => send_part(&mut self.bml, peer, header.as_bytes(), buffer, at, len)?,
            Some(Frame::Get {
                local,
                key,
                offset,
                request,
            }) => {
                let remote = RemoteRange { key, offset };
                let token = Token(request.bits());
                match self.bml.get(peer, local, remote, token) {
                    Ok(Started::Busy) => Flow::Busy,
                    Ok(Started::Pending) => Flow::Sent,
                    Ok(Started::Done) => {
                        self.pml.frame_sent(peer);
                        self.read_done(request, Ok(()));
                        return Ok(Flow::Sent);
                    }
                    Err(error) => {
                        self.pml.frame_sent(peer);
                        self.read_done(request, Err(error));
                        return Ok(Flow::Sent);
                    }
                }
            }
        };
        if flow == Flow::Sent {
            self.pml.frame_sent(peer);
        }
        Ok(flow)
    }

    /// A read of a peer's memory ended. Where it was refused, the message comes another way.
    fn read_done(&mut self, request: RequestId, outcome: Result<(), LaneError>) {
        match outcome {
            Ok(()) => self.pml.get_done(request, false),
            Err(LaneError::PeerGone { peer, how }) => self.peer_failed(peer, &how),
            Err(_) => self.pml.get_done(request, true),
        }
    }

    /// Sends an eager message now if the lane takes it.
    #[inline]
    fn send_eager(
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

    /// Whether everything sent to the first `peers` peers has left this process.
    pub(crate) fn is_flushed(&mut self, peers: u32) -> bool {
        let idle = !self.has_frames();
        let flushed = |peer| !matches!(self.bml.flush(peer), Ok(Flow::Busy));
        idle && (0..peers).map(PeerId).all(flushed)
    }

    /// A peer is gone: everything that needs it fails.
    #[cold]
    pub(crate) fn peer_failed(&mut self, peer: PeerId, why: &str) {
        log::info!(target: "pml", "{peer} failed: {why}");
        self.pml
            .peer_failed(peer, why, &mut LaneRegistrar(&mut self.bml));
        self.osc.peer_failed(peer, why);
        self.failed.push((peer, why.to_string()));
    }

    /// The peers that have failed.
    pub(crate) fn failed(&self) -> &[(PeerId, String)] {
        &self.failed
    }

    /// Whether a peer that has failed only did not wait for this process: it had said goodbye.
    pub(crate) fn has_left(&self, peer: PeerId) -> bool {
        self.left.contains(&peer)
    }
}

/// Sends a header and a part of a buffer, which is packed into the lane's own room where it is
/// not one stretch.
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
