//! One-sided communication over the lanes: what it wants sent goes to the BML.

pub(crate) mod lanes;
pub(crate) mod words;

use base::{AmTag, PeerId};
use btl::{Error as LaneError, Flow};
use memory::Slot;
use osc::Osc;
use pml::Context;

use crate::core::Core;
use crate::messages::Messages;
use crate::ob1::Ob1;

impl Core {
    /// The one-sided state.
    #[inline]
    pub fn osc(&mut self) -> &mut Osc {
        match &mut self.pml {
            Messages::Ob1(ob1) => &mut ob1.osc,
            Messages::Cm(network) => &mut network.osc,
        }
    }

    /// Sees to it that messages of one-sided calls are taken, before the first window. Over a
    /// network that matches they need a context of their own, the same in all processes.
    ///
    /// # Errors
    /// When the network cannot tell that context from another one: one clause.
    pub fn open_accesses(&mut self, context: Context) -> Result<(), String> {
        match &mut self.pml {
            Messages::Ob1(_) => Ok(()),
            Messages::Cm(network) => network.open_accesses(context),
        }
    }

    /// Sends what one-sided calls have left, as far as lanes take it.
    #[inline]
    pub fn send_accesses(&mut self) {
        match &mut self.pml {
            Messages::Ob1(ob1) => {
                if ob1.osc.has_unflushed() {
                    // What waits for a lane's flush may be sent behind it.
                    ob1.serve_lanes();
                }
                if ob1.osc.has_frames() {
                    ob1.offer_accesses();
                }
            }
            Messages::Cm(network) if network.osc.has_frames() => drop(network.offer_accesses()),
            Messages::Cm(_) => {}
        }
    }

    /// Whether anything of it waits for a lane.
    pub(crate) fn has_accesses(&self) -> bool {
        match &self.pml {
            Messages::Ob1(ob1) => ob1.osc.has_frames() || ob1.awaits_lanes(),
            Messages::Cm(network) => network.osc.has_frames(),
        }
    }
}

impl Ob1 {
    /// Whether anything waits for a lane.
    pub(crate) fn has_frames(&self) -> bool {
        self.pml.has_frames() || self.osc.has_frames() || self.awaits_lanes()
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
