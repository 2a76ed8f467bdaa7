//! One-sided communication over the lanes: what it wants sent goes to the BML.

use base::{AmTag, PeerId};
use btl::{Error as LaneError, Flow};
use memory::Slot;
use osc::Osc;

use crate::core::Core;
use crate::messages::Messages;
use crate::ob1::Ob1;

impl Core {
    /// The one-sided state; `None` over a network that matches, which has no active messages.
    #[inline]
    pub fn osc(&mut self) -> Option<&mut Osc> {
        match &mut self.pml {
            Messages::Ob1(ob1) => Some(&mut ob1.osc),
            Messages::Cm(_) => None,
        }
    }

    /// Sends what one-sided calls have left, as far as lanes take it.
    #[inline]
    pub fn send_accesses(&mut self) {
        if let Messages::Ob1(ob1) = &mut self.pml {
            if ob1.osc.has_frames() {
                ob1.offer_accesses();
            }
        }
    }

    /// Whether anything of it waits for a lane.
    pub(crate) fn has_accesses(&self) -> bool {
        match &self.pml {
            Messages::Ob1(ob1) => ob1.osc.has_frames(),
            Messages::Cm(_) => false,
        }
    }
}

impl Ob1 {
    /// Whether anything waits for a lane.
    pub(crate) fn has_frames(&self) -> bool {
        self.pml.has_frames() || self.osc.has_frames()
    }

    /// Offers each peer's queue to its lane. Returns how many messages left.
    #[inline(never)]
    pub(crate) fn offer_accesses(&mut self) -> usize {
        let (mut sent, mut at) = (0, 0);
        while let Some(peer) = self.osc.ready_peer(at) {
            match self.offer_to(peer, &mut sent) {
                Ok(Flow::Sent) => {}
                Ok(Flow::Busy) => at += 1,
                Err(error) => self.peer_failed(peer, &error.to_string()),
            }
        }
        sent
    }

    fn offer_to(&mut self, peer: PeerId, sent: &mut usize) -> Result<Flow, LaneError> {
        let Some(caps) = self.bml.caps(peer) else {
            return Err(LaneError::Unreachable { peer });
        };
        let max = caps.max_send_size;
        while let Some(frame) = self.osc.next_frame(peer, max) {
            let mut pack = |slot: &mut Slot<'_>| frame.pack(slot);
            let flow =
                self.bml
                    .send_packed(peer, AmTag::OSC, frame.header, frame.len, &mut pack)?;
            if flow == Flow::Busy {
                return Ok(Flow::Busy);
            }
            self.osc.frame_sent(peer);
            *sent += 1;
        }
        Ok(Flow::Sent)
    }
}
