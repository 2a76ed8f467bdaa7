//! One endpoint of the network: implements the transport contract.

use std::sync::Arc;

use base::{AmTag, Clock, PeerId};
use btl::{
    Caps, Carriage, Emulated, Error, Flow, Foreign, Hints, Presence, Reach, Rma, RmaLimits,
    Service, Sink, SleepKind, Transport, Waker,
};
use memory::{Slot, UserBuf};

use crate::state::Life;
use crate::{Config, Gets, Net};

/// The prefix of every address; the process follows, and how often it was started before.
const ADDRESS_MARK: &[u8; 4] = b"sim:";

/// A process's endpoint in the network. Dropping it without `close` is the process's death.
pub struct Endpoint {
    pub(crate) net: Net,
    pub(crate) me: PeerId,
    pub(crate) caps: Caps,
    instance: u32,
}

impl Net {
    /// Opens the endpoint of the next life of a process that was killed. Nothing that was sent to
    /// the earlier life reaches it.
    ///
    /// # Panics
    /// When the process was not killed.
    pub fn reopen(&self, me: PeerId) -> Endpoint {
        let was_dead = self.state().reopen(me);
        assert!(was_dead, "{me} was not killed");
        self.endpoint(me)
    }

    fn endpoint(&self, me: PeerId) -> Endpoint {
        let state = self.state();
        Endpoint {
            me,
            caps: caps(&state.config),
            instance: state.instance(me),
            net: self.clone(),
        }
    }

    /// Opens the endpoint of a process.
    ///
    /// # Panics
    /// When the process has one: the scenario owns the names.
    pub fn open(&self, me: PeerId) -> Endpoint {
        let fresh = self.state().open(me);
        assert!(fresh, "{me} has an endpoint already");
        self.endpoint(me)
    }
}

fn caps(config: &Config) -> Caps {
    let limits = RmaLimits {
        max_bytes: config.transfer_bytes_max,
        alignment: 1,
    };
    Caps {
        name: "sim",
        eager_limit: config.eager_limit.min(config.max_send_size),
        cut: config.cut.filter(|_| config.ordered),
        rndv_eager_limit: config.rndv_eager_limit.min(config.max_send_size),
        max_send_size: config.max_send_size,
        ordered: config.ordered,
        keeps: config.keeps,
        batches: false,
        backs_off: false,
        shares_memory: false,
        get: (config.gets != Gets::None).then_some(limits),
        put: config.puts.then_some(limits),
        puts_land: false,
        atomics: false,
        emulated: Emulated::default(),
        latency_ns: 1_000,
        bandwidth_mbps: 1_000,
        exclusivity: 0,
    }
}

fn address_of(peer: PeerId, instance: u32) -> Vec<u8> {
    let numbers = [peer.0.to_le_bytes(), instance.to_le_bytes()];
    [&ADDRESS_MARK[..], &numbers.concat()].concat()
}

impl Transport for Endpoint {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn address(&self) -> Vec<u8> {
        address_of(self.me, self.net.state().instance(self.me))
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error> {
        if address.len() != ADDRESS_MARK.len() + 8 || !address.starts_with(ADDRESS_MARK) {
            return Err(Error::Protocol {
                peer,
                what: "a malformed address".into(),
            });
        }
        let mut state = self.net.state();
        let instance = state.instance(peer);
        if address != address_of(peer, instance) || state.port(peer).is_none() {
            return Ok(Reach::Unreachable(
                "it has no endpoint in this network".into(),
            ));
        }
        let link = state.link(self.me, peer);
        (link.joined, link.removed) = (true, false);
        link.instance = instance;
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
        Ok(Reach::Unreachable(
            "it has no endpoint in this network".into(),
        ))
    }

    fn remove_peer(&mut self, peer: PeerId) {
        self.forget(peer);
    }

    fn hints(&self, peer: PeerId) -> Hints {
        let mut state = self.net.state();
        Hints {
            reads: state.check(self.me, peer).is_ok() && state.can_get(self.me, peer),
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
        let fill = &mut |slot: &mut Slot<'_>| slot.write_user(0, payload);
        self.copy_out(peer, tag, header, payload.len(), fill)
    }

    fn send_packed(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        pack: &mut dyn FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error> {
        self.copy_out(peer, tag, header, len, pack)
    }

    fn batch(&mut self, _peer: PeerId, _open: bool) {}

    fn is_kept(&self, peer: PeerId) -> bool {
        let mut state = self.net.state();
        let link = state.link(self.me, peer);
        link.queued > 0 && link.lost.is_none() && !link.cut
    }

    fn flush(&mut self, peer: PeerId) -> Result<Flow, Error> {
        let mut state = self.net.state();
        state.check(self.me, peer)?;
        Ok(match state.link(self.me, peer).pending {
            0 => Flow::Sent,
            _ => Flow::Busy,
        })
    }

    fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        self.deliver_reports(sink)
    }

    fn back_off(&mut self) {}

    fn is_live(&self) -> bool {
        let state = self.net.state();
        let port = state.port(self.me);
        port.is_some_and(|port| !port.inbox.is_empty() || port.links.iter().any(|l| l.joined))
    }

    /// The network has no thread of its own, so nothing can wake a sleeper.
    fn arm(&mut self, _kind: SleepKind) -> Option<Waker> {
        self.is_live().then_some(Waker::Poll)
    }

    fn disarm(&mut self) {}

    fn close(&mut self) {
        self.net.state().close(self.me);
    }

    fn rma(&mut self) -> Option<&mut dyn Rma> {
        Some(self)
    }

    fn presence(&mut self) -> Option<&mut dyn Presence> {
        None
    }

    fn carriage(&mut self) -> Option<&mut dyn Carriage> {
        let percent = self.net.state().config.announced_percent;
        percent.map(|_| self as &mut dyn Carriage)
    }
}

/// Announces messages by chance.
impl Carriage for Endpoint {
    fn clock(&self) -> Arc<dyn Clock + Send + Sync> {
        Arc::new(self.net.clock())
    }

    fn measured_min(&self) -> usize {
        0
    }

    fn announces(&mut self, _peer: PeerId, _bytes: usize) -> bool {
        let mut state = self.net.state();
        let percent = state.config.announced_percent.unwrap_or(0);
        state.random.chance(percent)
    }

    fn served(&mut self, _peer: PeerId, _service: Service) {}

    fn account(&self, _peer: PeerId) -> Option<String> {
        None
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        let mut state = self.net.state();
        if state.life(self.me) == Life::Running && state.instance(self.me) == self.instance {
            state.kill(self.me);
        }
    }
}
