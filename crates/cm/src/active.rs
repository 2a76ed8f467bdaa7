//! Active messages over a network that matches: for layers (one-sided communication) that handle
//! any sender's message when it arrives, without posting a receive.
//!
//! They travel in a communicator of their own with all processes, in which some receives from any
//! source are always posted. A message that arrives while none is posted waits in the network as an
//! unexpected message. Messages of one sender may complete out of order; a layer that needs their
//! order numbers them.

use base::{PeerId, Rank};
use datatype::Buffer;
use memory::{Payload, Scratch, Slot};
use mtl::Flow;
use pml::{CommId, Context, Mode, Pattern, Pml, RequestId, Started, Tag};

use crate::layer::{Channel, Cm};

/// Longest active message, in bytes.
const LENGTH_MAX: usize = 64 << 10;
/// Receives that are posted for active messages.
const POSTED: usize = 16;
/// Number of sends under way from which on active messages are queued.
const SENDING_MAX: usize = 64;
/// Tag of all active messages.
const TAG: Tag = 0;

impl Cm {
    /// Begins to take active messages, in a communicator with all processes; all of them name it
    /// alike, and no other layer uses it.
    ///
    /// # Errors
    /// When the network cannot distinguish that communicator from another one: one clause.
    pub fn open_channel(&mut self, context: Context) -> Result<(), String> {
        if self.channel.is_some() {
            return Ok(());
        }
        let (me, all) = (self.state.me, self.state.peers.len() as u32);
        let comm = Pml::open_comm(self, context, Rank(me.0), (0..all).map(PeerId).collect());
        let entry = self.state.comms.get(comm.key());
        if let Some(why) = entry.and_then(|entry| entry.refused.clone()) {
            self.state.close_comm(comm.key());
            return Err(why.to_string());
        }
        let length = self.active_max();
        let post = |_| {
            let room = Scratch::new(length);
            (self.post_active(comm, &room), room)
        };
        let posted = (0..POSTED).map(post).collect();
        self.channel = Some(Channel { comm, posted });
        Ok(())
    }

    fn post_active(&mut self, comm: CommId, room: &Scratch) -> RequestId {
        let anything = Pattern {
            source: None,
            tag: Some(TAG),
        };
        self.begin_recv(comm, anything, Buffer::bytes(room.buf()))
    }

    /// Returns whether active messages are received.
    #[inline]
    pub fn has_channel(&self) -> bool {
        self.channel.is_some()
    }

    /// Returns the length of the longest active message, in bytes.
    pub fn active_max(&self) -> usize {
        LENGTH_MAX.min(usize::try_from(self.state.message_max).unwrap_or(LENGTH_MAX))
    }

    /// Sends `len` bytes, at most [`Cm::active_max`], that `pack` writes. It is not called when the
    /// result is `Busy`. Messages to a peer that has failed are lost.
    ///
    /// # Panics
    /// When there is no channel.
    pub fn send_active(
        &mut self,
        to: PeerId,
        len: usize,
        pack: impl FnOnce(&mut Slot<'_>),
    ) -> Flow {
        let comm = self.channel.as_ref().expect("an open channel").comm;
        let waits = !self.state.peers[to.index()].queue.is_empty();
        if waits || self.state.sending >= SENDING_MAX {
            return Flow::Busy;
        }
        let mut message = Scratch::new(len);
        pack(&mut message.slot());
        let buffer = Buffer::bytes(message.buf());
        if let Started::Pending(request) =
            self.begin_send(comm, Rank(to.0), TAG, buffer, Mode::Standard)
        {
            // The bytes live as long as the network may read them.
            if let Some(entry) = self.state.requests.get_mut(request.key()) {
                entry.packed = Some(message);
            }
            self.state.detach(request);
        }
        Flow::Sent
    }

    /// Delivers the active messages that have arrived. Returns how many.
    pub fn take_active(&mut self, mut deliver: impl FnMut(PeerId, Payload<'_>)) -> usize {
        let Some(mut channel) = self.channel.take() else {
            return 0;
        };
        let mut taken = 0;
        for (request, room) in &mut channel.posted {
            let Some(outcome) = self.state.outcome(*request) else {
                continue;
            };
            // Without a message it ended because a peer died.
            if let (Ok(()), Some(from)) = (&outcome.result, outcome.status.source) {
                deliver(PeerId(from.0), room.payload(outcome.status.bytes as usize));
                taken += 1;
            }
            *request = self.post_active(channel.comm, room);
        }
        self.channel = Some(channel);
        taken
    }
}

#[cfg(test)]
mod tests;
