//! Opens the transport, and implements the transport contract.

use base::{AmTag, PeerId};
use btl::{
    Caps, Carriage, Emulated, Error, Flow, Foreign, Hints, Presence, Reach, Rma, RmaLimits, Sink,
    SleepKind, Transport, Waker,
};
use memory::{Slot, UserBuf};

use crate::endpoint::Queue;
use crate::regions::Regions;
use crate::Params;

/// The prefix of every address; the process follows.
const ADDRESS_MARK: &[u8; 4] = b"self";

/// The open transport.
pub struct Loopback {
    me: PeerId,
    pub(crate) caps: Caps,
    /// Whether the process has been introduced to itself.
    joined: bool,
    queue: Queue,
    pub(crate) regions: Regions,
}

/// Opens the transport of this process.
pub fn open(me: PeerId) -> Loopback {
    open_with(me, Params::default())
}

/// Opens the transport of this process with limits.
pub fn open_with(me: PeerId, params: Params) -> Loopback {
    let any = RmaLimits {
        max_bytes: usize::MAX,
        alignment: 1,
    };
    let caps = Caps {
        name: "self",
        eager_limit: params.eager_limit.min(params.max_send_size),
        cut: None,
        rndv_eager_limit: 0,
        max_send_size: params.max_send_size,
        ordered: true,
        keeps: false,
        batches: false,
        backs_off: false,
        shares_memory: false,
        get: Some(any),
        put: Some(any),
        puts_land: true,
        atomics: true,
        emulated: Emulated::default(),
        latency_ns: 50,
        bandwidth_mbps: 10_000,
        exclusivity: params.exclusivity,
    };
    let queue = Queue::new(params.queue_bytes_max);
    Loopback {
        me,
        caps,
        joined: false,
        queue,
        regions: Regions::default(),
    }
}

impl Loopback {
    pub(crate) fn check(&self, peer: PeerId) -> Result<(), Error> {
        match self.joined && peer == self.me {
            true => Ok(()),
            false => Err(Error::Unreachable { peer }),
        }
    }

    fn check_len(&self, peer: PeerId, header: &[u8], payload: usize) -> Result<(), Error> {
        self.check(peer)?;
        let (len, limit) = (
            header.len().saturating_add(payload),
            self.caps.max_send_size,
        );
        match len <= limit {
            true => Ok(()),
            false => Err(Error::TooLarge { peer, len, limit }),
        }
    }
}

impl Transport for Loopback {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn address(&self) -> Vec<u8> {
        [&ADDRESS_MARK[..], &self.me.0.to_le_bytes()].concat()
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error> {
        if peer != self.me {
            return Ok(Reach::Unreachable("it is another process".into()));
        }
        if address != self.address() {
            let what = "an address that is not this process's".into();
            return Err(Error::Protocol { peer, what });
        }
        self.joined = true;
        Ok(Reach::Reachable)
    }

    fn expect_foreign(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn add_foreign(
        &mut self,
        _peer: PeerId,
        _foreign: &Foreign,
        _address: &[u8],
    ) -> Result<Reach, Error> {
        Ok(Reach::Unreachable("it is another process".into()))
    }

    fn remove_peer(&mut self, peer: PeerId) {
        if peer == self.me {
            self.joined = false;
            self.queue.clear();
        }
    }

    fn hints(&self, peer: PeerId) -> Hints {
        Hints {
            reads: self.check(peer).is_ok(),
            ..Hints::default()
        }
    }

    fn send(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        self.check_len(peer, header, payload.len())?;
        let fill = |slot: &mut Slot<'_>| slot.write_user(0, payload);
        Ok(self.queue.push(tag, header, payload.len(), fill))
    }

    fn send_packed(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        pack: &mut dyn FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error> {
        self.check_len(peer, header, len)?;
        Ok(self.queue.push(tag, header, len, pack))
    }

    fn flush(&mut self, peer: PeerId) -> Result<Flow, Error> {
        self.check(peer)?;
        Ok(Flow::Sent)
    }

    fn batch(&mut self, _peer: PeerId, _open: bool) {}

    fn is_kept(&self, _peer: PeerId) -> bool {
        false
    }

    fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        self.queue.hand_up(self.me, sink)
    }

    fn back_off(&mut self) {}

    fn is_live(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Only the caller can send here, so nothing arrives while the caller sleeps.
    fn arm(&mut self, _kind: SleepKind) -> Option<Waker> {
        None
    }

    fn disarm(&mut self) {}

    fn close(&mut self) {
        self.joined = false;
    }

    fn rma(&mut self) -> Option<&mut dyn Rma> {
        Some(self)
    }

    fn presence(&mut self) -> Option<&mut dyn Presence> {
        None
    }

    fn carriage(&mut self) -> Option<&mut dyn Carriage> {
        None
    }
}
