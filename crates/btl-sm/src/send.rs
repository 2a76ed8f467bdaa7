//! Sends to a peer, which the first message attaches.

use std::sync::atomic::Ordering;

use base::{AmTag, PeerId};
use btl::{Error, Flow};
use memory::{Slot, UserBuf};

use crate::component::Sm;
use crate::path::Body;
use crate::segment::CLOSED;

impl Sm {
    #[inline(never)]
    fn send_body(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        body: Body<'_>,
    ) -> Result<Flow, Error> {
        let Some(Some(path)) = self.paths.get_mut(peer.index()) else {
            self.attach_now(peer)?;
            return self.send_body(peer, tag, header, body);
        };
        let len = header.len() + body.len();
        if len > self.caps.max_send_size {
            return Err(Error::TooLarge {
                peer,
                len,
                limit: self.caps.max_send_size,
            });
        }
        if path.view.state().load(Ordering::Relaxed) == CLOSED {
            return Err(Error::PeerGone {
                peer,
                how: "it has finalized".into(),
            });
        }
        path.ring_ahead();
        let mut body = body;
        if path.lends(len, &self.limits) && peer != self.me {
            match path.send_lent(&self.own, &mut self.inbox, tag, header, body) {
                Ok(flow) => return Ok(flow),
                Err(back) => body = back,
            }
        }
        let flow = path.send(&self.inbox, tag, header, body, &self.limits);
        if path.has_backlog() && !self.backlogged.contains(&peer) {
            self.backlogged.push(peer);
        }
        Ok(flow)
    }

    #[inline]
    pub(crate) fn send_user(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        if let Some(Some(path)) = self.paths.get_mut(peer.index()) {
            if path.send_line(tag, header, payload) {
                return Ok(Flow::Sent);
            }
        }
        self.send_body(peer, tag, header, Body::User(payload))
    }

    pub(crate) fn send_closure(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        pack: &mut dyn FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error> {
        self.send_body(peer, tag, header, Body::Packed(len, pack))
    }
}
