//! The send side.

use base::{AmTag, PeerId};
use btl::{Error, Flow};
use memory::Slot;

use crate::component::{Loopback, QUEUE_BYTES_MAX};

impl Loopback {
    /// That the peer is this process, and was introduced.
    pub(crate) fn check_peer(&self, peer: PeerId) -> Result<(), Error> {
        if peer == self.me && self.introduced {
            return Ok(());
        }
        Err(Error::Unreachable { peer })
    }

    /// Queues a message of a header and `len` bytes that `fill` writes.
    pub(crate) fn enqueue(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        fill: &mut dyn FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error> {
        self.check_peer(peer)?;
        let (whole, limit) = (header.len() + len, self.caps.max_send_size);
        if whole > limit {
            return Err(Error::TooLarge { peer, len: whole, limit });
        }
        if self.queued_bytes + whole > QUEUE_BYTES_MAX {
            return Ok(Flow::Busy);
        }
        let mut message = vec![0; whole];
        message[..header.len()].copy_from_slice(header);
        fill(&mut Slot::from(&mut message[header.len()..]));
        self.queued_bytes += whole;
        self.queue.push_back((tag, message));
        Ok(Flow::Sent)
    }
}
