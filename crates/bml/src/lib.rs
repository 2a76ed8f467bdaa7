//! The opened transports, and which of them reaches whom.
//!
//! A [`Bml`] is a messaging layer of its own: active messages, reads of registered memory and
//! progress between processes, without MPI. Its life:
//!
//! 1. it is made of opened transports, best first;
//! 2. [`Bml::address`] is what peers need; the layer above exchanges these bytes;
//! 3. [`Bml::add_peer`] introduces a peer to every transport and chooses its lane: of those that
//!    reach it, the one with the highest exclusivity, then the lowest latency;
//! 4. messages go over the lane; whatever comes in, over whichever transport, goes to the
//!    [`btl::Sink`] that `progress` is lent.
//!
//! A transport that carries no lane of this process is looked at only now and then: a peer may
//! have chosen it for the other direction.
#![forbid(unsafe_code)]

mod address;
pub mod emulation;
mod registry;

use base::{AmTag, PeerId};
use btl::{
    Access, Caps, Error, Flow, Reach, RemoteKey, RemoteRange, Sink, SleepKind, Started, Token,
    Transport, Waker,
};
use memory::{Slot, UserBuf};

pub use registry::Registrations;

/// Polls of the lanes between two polls of transports without a lane.
const IDLE_POLL_INTERVAL: u32 = 1024;

/// What a peer was offered, and what was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The peer.
    pub peer: PeerId,
    /// The transport of the lane; `None` when nothing reaches the peer.
    pub lane: Option<&'static str>,
    /// Every transport with what it answered.
    pub considered: Vec<(&'static str, Reach)>,
}

struct Opened {
    transport: Box<dyn Transport>,
    /// Peers whose lane this is.
    lanes: usize,
}

/// Opened transports and a lane for each peer.
pub struct Bml {
    opened: Vec<Opened>,
    /// By peer: the index of the transport that carries its messages.
    lanes: Vec<Option<u8>>,
    registrations: Registrations,
    polls: u32,
}

impl Bml {
    /// A layer over these transports.
    pub fn new(mut transports: Vec<Box<dyn Transport>>) -> Bml {
        transports.sort_by_key(|t| (std::cmp::Reverse(t.caps().exclusivity), t.caps().latency_ns));
        let opened = transports.into_iter().map(|transport| Opened {
            transport,
            lanes: 0,
        });
        Bml {
            opened: opened.collect(),
            lanes: Vec::new(),
            registrations: Registrations::default(),
            polls: 0,
        }
    }

    /// What peers need to reach this process over any of its transports.
    pub fn address(&self) -> Vec<u8> {
        address::encode(
            self.opened
                .iter()
                .map(|o| (o.transport.caps().name, o.transport.address())),
        )
    }

    /// Introduces a peer by what its [`Bml::address`] gave, and chooses its lane.
    ///
    /// A peer that has come to life again is removed first ([`Bml::remove_peer`]).
    ///
    /// # Errors
    /// For a malformed address. A peer that nothing reaches is a [`Choice`] without lane.
    pub fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Choice, Error> {
        let Some(addresses) = address::decode(address) else {
            let what = "a list of addresses that is none".to_string();
            return Err(Error::Protocol { peer, what });
        };
        let mut considered = Vec::new();
        let mut lane = None;
        for (index, opened) in self.opened.iter_mut().enumerate() {
            let name = opened.transport.caps().name;
            let reach = match addresses.iter().find(|(theirs, _)| *theirs == name) {
                Some((_, address)) => opened.transport.add_peer(peer, address)?,
                None => Reach::No("the peer does not have it open".into()),
            };
            if reach == Reach::Yes && lane.is_none() {
                lane = Some(index);
            }
            considered.push((name, reach));
        }
        if self.lanes.len() <= peer.index() {
            self.lanes.resize(peer.index() + 1, None);
        }
        if let Some(before) = self.lanes[peer.index()].take() {
            self.opened[usize::from(before)].lanes -= 1;
        }
        self.lanes[peer.index()] = lane.map(|index| index as u8);
        if let Some(index) = lane {
            self.opened[index].lanes += 1;
        }
        let lane = lane.map(|index| self.opened[index].transport.caps().name);
        Ok(Choice {
            peer,
            lane,
            considered,
        })
    }

    /// Forgets a peer on every transport. What was accepted for it may be lost; operations with
    /// it that are under way complete with errors, as far as the transports know of them. It
    /// may be introduced again by another address.
    pub fn remove_peer(&mut self, peer: PeerId) {
        for opened in &mut self.opened {
            opened.transport.remove_peer(peer);
        }
        if let Some(lane) = self.lanes.get_mut(peer.index()).and_then(Option::take) {
            self.opened[usize::from(lane)].lanes -= 1;
        }
    }

    /// The facts of the transport that carries a peer's messages.
    pub fn caps(&self, peer: PeerId) -> Option<&Caps> {
        self.opened[self.lane_of(peer)?].transport.caps().into()
    }

    /// Whether a peer's memory can be read.
    pub fn can_get(&self, peer: PeerId) -> bool {
        self.lane_of(peer)
            .is_some_and(|lane| self.opened[lane].transport.can_get(peer))
    }

    #[inline]
    fn lane_of(&self, peer: PeerId) -> Option<usize> {
        self.lanes
            .get(peer.index())
            .copied()
            .flatten()
            .map(usize::from)
    }

    #[inline]
    fn lane(&mut self, peer: PeerId) -> Result<&mut dyn Transport, Error> {
        match self.lane_of(peer) {
            Some(lane) => Ok(&mut *self.opened[lane].transport),
            None => Err(Error::Unreachable { peer }),
        }
    }

    /// Sends an active message; see [`Transport::send`].
    #[inline]
    pub fn send(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        self.lane(peer)?.send(peer, tag, header, payload)
    }

    /// Sends an active message that `pack` writes; see [`Transport::send_packed`].
    pub fn send_packed(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        pack: &mut dyn FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error> {
        self.lane(peer)?.send_packed(peer, tag, header, len, pack)
    }

    /// Makes memory readable for a peer over its lane. Registering the same memory again
    /// shares the registration. Ends with [`Bml::deregister`].
    pub fn register(&mut self, peer: PeerId, memory: UserBuf) -> Result<RemoteKey, Error> {
        let lane = self.lane_of(peer).ok_or(Error::Unreachable { peer })?;
        let transport = &mut self.opened[lane].transport;
        let access = Access {
            read: true,
            write: false,
        };
        let registration = transport.register(memory, access)?;
        let key = registration.key;
        if let Some(spare) = self.registrations.add(lane, registration) {
            transport.deregister(spare);
        }
        Ok(key)
    }

    /// Ends what [`Bml::register`] gave.
    pub fn deregister(&mut self, peer: PeerId, key: RemoteKey) {
        let Some(lane) = self.lane_of(peer) else {
            return;
        };
        if let Some(registration) = self.registrations.remove(lane, key) {
            self.opened[lane].transport.deregister(registration);
        }
    }

    /// Reads a peer's registered memory; see [`Transport::get`].
    pub fn get(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        self.lane(peer)?.get(peer, local, remote, token)
    }

    /// Whether everything accepted for a peer has left; see [`Transport::flush`].
    pub fn flush(&mut self, peer: PeerId) -> Result<Flow, Error> {
        self.lane(peer)?.flush(peer)
    }

    /// Moves everything that can move. Returns the number of reports to the sink.
    #[inline]
    pub fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        self.polls = self.polls.wrapping_add(1);
        let everywhere = self.polls % IDLE_POLL_INTERVAL == 0;
        let mut reports = 0;
        for opened in &mut self.opened {
            if opened.lanes != 0 || everywhere {
                reports += opened.transport.progress(sink);
            }
        }
        reports
    }

    /// Moves everything that can move, over transports without a lane too.
    pub fn progress_all(&mut self, sink: &mut dyn Sink) -> usize {
        self.polls = IDLE_POLL_INTERVAL - 1;
        self.progress(sink)
    }

    /// Prepares every live transport for sleep: on one futex where a single transport carries
    /// lanes and can, else on descriptors. Empty when nothing can wake this process.
    pub fn arm(&mut self) -> Vec<Waker> {
        let mut carrying = self
            .opened
            .iter_mut()
            .filter(|o| o.lanes != 0 && o.transport.is_live());
        if let (Some(only), None) = (carrying.next(), carrying.next()) {
            if let Some(waker @ Waker::Futex(..)) = only.transport.arm(SleepKind::Futex) {
                return vec![waker];
            }
            only.transport.disarm();
        }
        let live = self
            .opened
            .iter_mut()
            .filter(|opened| opened.transport.is_live());
        live.filter_map(|opened| opened.transport.arm(SleepKind::Descriptors))
            .collect()
    }

    /// Ends what [`Bml::arm`] began.
    pub fn disarm(&mut self) {
        for opened in &mut self.opened {
            opened.transport.disarm();
        }
    }

    /// Whether a transport without a lane is live: a sleeper then looks after it now and then.
    pub fn has_idle(&self) -> bool {
        self.opened
            .iter()
            .any(|opened| opened.lanes == 0 && opened.transport.is_live())
    }

    /// Says goodbye to all peers.
    pub fn close(&mut self) {
        for opened in &mut self.opened {
            opened.transport.close();
        }
    }
}

#[cfg(test)]
mod tests;
