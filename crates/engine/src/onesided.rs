//! One-sided communication over the lanes: what it wants sent goes to the BML.

pub(crate) mod lanes;
pub(crate) mod start;
mod sync;
pub(crate) mod words;

use base::{AmTag, PeerId};
use bml::Bml;
use btl::{Error as LaneError, Flow};
use memory::Slot;
use pml::Pml;

use crate::ob1::Ob1;

/// Bytes of a message that every lane takes.
const ANY_LANE_BYTES: usize = 256;

/// Whether a message of `len` bytes is not too long for a peer's lane.
#[inline]
fn fits(bml: &Bml, peer: PeerId, len: usize) -> bool {
    let fits = |caps: &btl::Caps| len <= caps.max_send_size;
    len <= ANY_LANE_BYTES || bml.caps(peer).is_some_and(fits)
}

/// Bytes of the longest message that one too long for a peer's lane is cut into; `None` where there
/// is no lane.
fn part_max(bml: &Bml, peer: PeerId) -> Option<usize> {
    let caps = bml.caps(peer)?;
    let part = |cut: btl::Cut| cut.part.saturating_add(osc::wire::HEADER_BYTES);
    let max = caps.cut.map_or(usize::MAX, part);
    Some(max.max(ANY_LANE_BYTES).min(caps.max_send_size))
}

impl Ob1 {
    /// Sends what one-sided calls have left, as far as lanes take it.
    #[inline]
    pub(crate) fn send_accesses(&mut self) {
        if self.osc.has_unflushed() {
            // What waits for a lane's flush may be sent behind it.
            self.serve_lanes();
        }
        if self.osc.has_frames() {
            self.offer_accesses();
        }
    }

    /// Returns whether anything of one-sided calls waits for a lane.
    pub(crate) fn has_accesses(&self) -> bool {
        self.osc.has_frames() || self.awaits_lanes()
    }

    /// Whether accesses by lanes wait for one, or for its flush.
    fn awaits_lanes(&self) -> bool {
        self.osc.awaits_flush() || !self.lanes.is_empty()
    }

    /// Whether some of these may be served by now.
    #[inline]
    pub(crate) fn has_lanes_due(&self) -> bool {
        self.osc.has_unflushed() || self.osc.has_steps() || !self.lanes.is_empty()
    }

    /// Offers each peer's queue to its lane. Returns how many messages left.
    #[inline(never)]
    pub(crate) fn offer_accesses(&mut self) -> usize {
        let (mut sent, mut at) = (0, 0);
        if self.osc.has_reply() {
            sent += usize::from(self.send_reply());
        }
        while let Some(peer) = self.osc.ready_peer(at) {
            match self.offer_to(peer, &mut sent) {
                Ok(Flow::Sent) => {}
                Ok(Flow::Busy) => at += 1,
                Err(error) => self.peer_failed(peer, &error.why()),
            }
        }
        sent
    }

    /// Sends the reply that is ahead of the queues. False when that was busy, or is gone, and it
    /// waits its turn.
    #[inline]
    fn send_reply(&mut self) -> bool {
        while let Some(reply) = self.osc.reply() {
            let peer = reply.peer;
            if reply.len() > ANY_LANE_BYTES && !self.cut_reply(peer) {
                self.osc.queue_reply();
                return false;
            }
            let Some(reply) = self.osc.reply() else {
                return false;
            };
            let header = reply.head();
            let flow = match reply.contiguous() {
                Some(there) => self.bml.send(peer, AmTag::OSC, header, there),
                None => {
                    let len = reply.len() - header.len();
                    let mut pack = |slot: &mut Slot<'_>| reply.pack(slot);
                    self.bml
                        .send_packed(peer, AmTag::OSC, header, len, &mut pack)
                }
            };
            if flow != Ok(Flow::Sent) {
                // What goes wrong is found again there.
                self.osc.queue_reply();
                return false;
            }
            self.osc.reply_sent();
        }
        true
    }

    /// Cuts the reply to what its lane takes. False where that cannot be.
    fn cut_reply(&mut self, peer: PeerId) -> bool {
        let Some(max) = part_max(&self.bml, peer) else {
            return false;
        };
        self.osc.cut_reply(max);
        self.osc.reply().is_some_and(|reply| reply.len() <= max)
    }

    fn offer_to(&mut self, peer: PeerId, sent: &mut usize) -> Result<Flow, LaneError> {
        let Some(max) = part_max(&self.bml, peer) else {
            return Err(LaneError::Unreachable { peer });
        };
        while let Some(frame) = self.osc.next_frame(peer, max) {
            let mut pack = |slot: &mut Slot<'_>| frame.pack(slot);
            let (header, len) = (frame.header, frame.len);
            let flow = match frame.contiguous() {
                Some(there) => self.bml.send(peer, AmTag::OSC, header, there)?,
                None => self
                    .bml
                    .send_packed(peer, AmTag::OSC, header, len, &mut pack)?,
            };
            if flow == Flow::Busy {
                return Ok(Flow::Busy);
            }
            *sent += 1;
            if !self.osc.frame_sent(peer) {
                break;
            }
        }
        Ok(Flow::Sent)
    }
}
