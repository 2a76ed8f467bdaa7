//! The receive side, and the contract.

use base::{AmTag, PeerId};
use btl::{
    Access, Arrival, Caps, Error, Flow, Reach, Registration, RemoteRange, Sink, SleepKind, Started,
    Token, Transport, Waker,
};
use memory::{Payload, Slot, UserBuf};

use crate::component::Loopback;

/// Messages delivered by one call of `progress`, so that a handler whose replies come straight
/// back cannot keep it from returning.
const BURST: usize = 64;

impl Transport for Loopback {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn address(&self) -> Vec<u8> {
        self.me.0.to_le_bytes().to_vec()
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error> {
        if address.len() != 4 {
            let what = format!("an address of {} bytes", address.len());
            return Err(Error::Protocol { peer, what });
        }
        if peer != self.me || address != self.me.0.to_le_bytes() {
            return Ok(Reach::No("another process".into()));
        }
        self.introduced = true;
        Ok(Reach::Yes)
    }

    fn remove_peer(&mut self, peer: PeerId) {
        if peer == self.me {
            self.introduced = false;
            self.queue.clear();
            self.queued_bytes = 0;
        }
    }

    fn send(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        let mut fill = |slot: &mut Slot<'_>| slot.write_user(0, payload);
        self.enqueue(peer, tag, header, payload.len(), &mut fill)
    }

    fn send_packed(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        pack: &mut dyn FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error> {
        self.enqueue(peer, tag, header, len, pack)
    }

    fn register(&mut self, memory: UserBuf, access: Access) -> Result<Registration, Error> {
        Ok(self.note(memory, access))
    }

    fn deregister(&mut self, registration: Registration) {
        self.registered.remove(&registration.id);
    }

    fn get(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        _token: Token,
    ) -> Result<Started, Error> {
        local.copy_from(&self.range(peer, remote, local.len())?);
        Ok(Started::Done)
    }

    fn put(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        _token: Token,
    ) -> Result<Started, Error> {
        self.range(peer, remote, local.len())?.copy_from(&local);
        Ok(Started::Done)
    }

    fn flush(&mut self, peer: PeerId) -> Result<Flow, Error> {
        self.check_peer(peer)?;
        Ok(Flow::Sent)
    }

    fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        let mut reports = 0;
        while reports < BURST {
            let Some((tag, message)) = self.queue.pop_front() else { break };
            self.queued_bytes -= message.len();
            let payload = Payload::from(&message[..]);
            sink.deliver(Arrival { from: self.me, tag, payload });
            reports += 1;
        }
        reports
    }

    fn is_live(&self) -> bool {
        !self.queue.is_empty()
    }

    fn arm(&mut self, _kind: SleepKind) -> Option<Waker> {
        // Only this process fills the queue, and it does not sleep with messages in it.
        self.is_live().then_some(Waker::Poll)
    }

    fn disarm(&mut self) {}

    fn close(&mut self) {}
}
