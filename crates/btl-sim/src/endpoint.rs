//! The send side: checks, back-pressure, and queueing a message.

use base::{AmTag, PeerId};
use btl::{Error, Flow};
use memory::Slot;

use crate::state::{Life, Report, State};
use crate::Endpoint;

impl Endpoint {
    /// Sends a message as a copy, which `fill` makes of the payload if it is taken.
    pub(crate) fn copy_out(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        fill: &mut dyn FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error> {
        let flow = self
            .net
            .state()
            .admit(self.me, peer, header.len().saturating_add(len))?;
        if flow == Flow::Sent {
            // The net is not locked: packing is the caller's code.
            let mut bytes = vec![0; header.len() + len];
            bytes[..header.len()].copy_from_slice(header);
            fill(&mut Slot::from(&mut bytes[header.len()..]));
            self.net.state().post(self.me, peer, tag, bytes);
        }
        Ok(flow)
    }

    /// Forgets a peer, and its undelivered messages.
    pub(crate) fn forget(&mut self, peer: PeerId) {
        let mut state = self.net.state();
        if state.port(peer).is_none() {
            return;
        }
        let link = state.link(self.me, peer);
        (link.joined, link.removed, link.lost) = (false, true, None);
        let known = link.instance;
        let Some(port) = state.port_mut(self.me) else {
            return;
        };
        let before = port.inbox.len();
        port.inbox.retain(|report| match report {
            Report::Message { from, instance, .. } => *from != peer || *instance != known,
            Report::Lost(lost, _) => *lost != peer,
            Report::Done(..) => true,
        });
        let dropped = before - port.inbox.len();
        for _ in 0..dropped {
            state.unqueue(peer, self.me, known);
        }
    }
}

impl State {
    /// Whether a message may be sent now.
    fn admit(&mut self, from: PeerId, to: PeerId, len: usize) -> Result<Flow, Error> {
        self.check(from, to)?;
        let limit = self.config.max_send_size;
        if len > limit {
            return Err(Error::TooLarge {
                peer: to,
                len,
                limit,
            });
        }
        let full = self.link(from, to).queued >= self.config.queue_messages_max;
        let ended = self.life(from) != Life::Running;
        if full || ended || self.random.chance(self.config.busy_percent) {
            return Ok(Flow::Busy);
        }
        Ok(Flow::Sent)
    }
}
