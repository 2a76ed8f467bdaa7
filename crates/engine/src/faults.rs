//! Messages of fault tolerance, between the lanes and the layer above, and what of a communicator
//! only the layer of messages knows.

use base::{AmTag, PeerId, Rank};
use btl::Flow;
use memory::UserBuf;
use pml::{CommId, Failure};

use crate::pml::Core;

impl Core {
    /// Returns whether communicators can be revoked and their members can agree: over lanes.
    pub fn tolerates_faults(&self) -> bool {
        self.lanes().is_some()
    }

    /// Takes the messages of `ft` that have arrived, with their senders.
    pub fn take_faults(&mut self) -> Vec<(PeerId, Vec<u8>)> {
        let lanes = self.lanes_mut();
        lanes.map_or(Vec::new(), |lanes| {
            std::mem::take(&mut lanes.faults.arrived)
        })
    }

    /// Sends messages of `ft`, after those that wait.
    pub fn send_faults(&mut self, messages: Vec<(PeerId, Vec<u8>)>) {
        let Some(lanes) = self.lanes_mut() else {
            return;
        };
        lanes.faults.queued.extend(messages);
        let queued = std::mem::take(&mut lanes.faults.queued);
        for (peer, bytes) in queued {
            // One that cannot be sent was for a peer that has died.
            if let Ok(Flow::Busy) = lanes.bml.send(peer, AmTag::FAULT, &bytes, UserBuf::EMPTY) {
                lanes.faults.queued.push_back((peer, bytes));
            }
        }
    }

    /// Returns whether messages of `ft` wait for a lane.
    pub(crate) fn has_faults(&self) -> bool {
        self.lanes()
            .is_some_and(|lanes| !lanes.faults.queued.is_empty())
    }

    /// Revokes a communicator; see [`ob1::Protocol::revoke`].
    pub fn revoke_comm(&mut self, comm: CommId) -> Option<CommId> {
        let lanes = self.lanes_mut()?;
        lanes.protocol.revoke(comm)
    }

    /// Acknowledges the failures of a communicator's members.
    pub fn acknowledge(&mut self, comm: CommId) {
        if let Some(lanes) = self.lanes_mut() {
            lanes.protocol.acknowledge(comm);
        }
    }

    /// Returns why a receive from this source waits for nothing, or perhaps for nothing.
    #[inline]
    pub fn hopeless(&self, comm: CommId, source: Option<Rank>) -> Option<Failure> {
        self.lanes()?.protocol.hopeless(comm, source)
    }

    /// Returns the first member of a communicator that has failed, and its rank.
    pub fn first_lost(&self, comm: CommId) -> Option<(PeerId, Rank, &str)> {
        use pml::Pml;
        let failed = self.failed();
        if failed.is_empty() {
            return None;
        }
        let members = self.lanes()?.protocol.members(comm);
        failed.iter().find_map(|(peer, why)| {
            let rank = members.iter().position(|member| member == peer)?;
            (!self.has_left(*peer)).then_some((*peer, Rank(rank as u32), why.as_str()))
        })
    }
}
