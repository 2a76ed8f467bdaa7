//! The router: delivers messages from the transports to the layer that each is for.

use base::{AmTag, PeerId};
use bml::Bml;
use btl::{Arrival, Error, RemoteKey, Sink, Token};
use memory::UserBuf;
use ob1::{Protocol, Registrar};
use osc::Osc;

use crate::accesses::Ended;

/// Hands arrivals to the PML while the lanes are being polled. It has no lane: what an arrival
/// asks of the lanes is noted and done after the poll.
pub(crate) struct Router<'a> {
    pub(crate) protocol: &'a mut Protocol,
    pub(crate) osc: &'a mut Osc,
    pub(crate) late: &'a mut LateRegistrar,
}

/// Work that a poll leaves for later.
#[derive(Default)]
pub(crate) struct LateRegistrar {
    /// Whether there is anything.
    pub(crate) any: bool,
    pub(crate) released: Vec<(PeerId, RemoteKey)>,
    pub(crate) failed: Vec<(PeerId, String)>,
    /// Peers in `failed` that have sent their shutdown message before.
    pub(crate) left: Vec<PeerId>,
    pub(crate) reads: Vec<(Token, Result<(), Error>)>,
}

impl Sink for Router<'_> {
    #[inline]
    fn deliver(&mut self, arrival: Arrival<'_>) {
        let Arrival { from, tag, payload } = arrival;
        if tag != AmTag::PML {
            return self.deliver_other(arrival);
        }
        if let Err(violation) = self.protocol.arrived(from, payload, self.late) {
            self.peer_sent_nonsense(from, &violation.to_string());
        }
    }

    fn done(&mut self, token: Token, outcome: Result<(), Error>) {
        if let (Some(ended), Ok(())) = (Ended::of(token), &outcome) {
            return ended.tell(self.osc);
        }
        self.late.any = true;
        self.late.reads.push((token, outcome));
    }

    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        self.late.any = true;
        self.late.failed.push((peer, error.to_string()));
        if let Error::PeerLeft { peer } = error {
            self.late.left.push(peer);
        }
    }

    #[inline]
    fn wants_more(&self) -> bool {
        // An answer goes before the next message is taken: it would have to wait in a queue.
        !self.protocol.is_watched_done() && !self.osc.has_ahead()
    }
}

/// Drops a message for no layer here, with a warning unless it only wakes.
#[cold]
fn dropped(from: PeerId, tag: AmTag) {
    if tag != AmTag::WAKE {
        log::warn!(target: "engine", "message of {from} for layer {:#x} dropped", tag.0);
    }
}

impl Router<'_> {
    /// Delivers a message that is not for the PML.
    #[inline(never)]
    fn deliver_other(&mut self, arrival: Arrival<'_>) {
        if arrival.tag != AmTag::OSC {
            return dropped(arrival.from, arrival.tag);
        }
        if let Err(violation) = self.osc.arrived(arrival.from, arrival.payload) {
            self.peer_sent_nonsense(arrival.from, violation.what);
        }
    }

    #[cold]
    fn peer_sent_nonsense(&mut self, from: PeerId, what: &str) {
        self.late.any = true;
        self.late.failed.push((from, format!("it sent {what}")));
    }
}

impl Registrar for LateRegistrar {
    fn register(&mut self, _peer: PeerId, _memory: UserBuf) -> Option<RemoteKey> {
        // Nothing that arrives starts a send.
        None
    }

    fn deregister(&mut self, peer: PeerId, key: RemoteKey) {
        self.any = true;
        self.released.push((peer, key));
    }
}

/// The registrar where the lanes are at hand.
pub(crate) struct LaneRegistrar<'a>(pub(crate) &'a mut Bml);

impl Registrar for LaneRegistrar<'_> {
    fn register(&mut self, peer: PeerId, memory: UserBuf) -> Option<RemoteKey> {
        if memory.len() < self.0.get_min(peer) {
            // It comes sooner in pieces.
            return None;
        }
        match self.0.register(peer, memory) {
            Ok(key) => Some(key),
            Err(error) => {
                log::info!(target: "pml", "{error}");
                None
            }
        }
    }

    fn deregister(&mut self, peer: PeerId, key: RemoteKey) {
        self.0.deregister(peer, key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is noted sets `any`. Without that it waited for the next completed read: a process
    /// that only sends never ended its registrations, and a peer that sent nonsense was not given
    /// up.
    #[test]
    fn whatever_is_noted_says_that_there_is_something() {
        let mut osc = Osc::default();
        let (mut protocol, mut late) = (
            Protocol::new(ob1::Config::new(1 << 20), 2),
            LateRegistrar::default(),
        );
        late.deregister(PeerId(1), RemoteKey::new(&[7]).unwrap());
        assert!(late.any);
        let mut late = LateRegistrar::default();
        let mut router = Router {
            protocol: &mut protocol,
            osc: &mut osc,
            late: &mut late,
        };
        let nonsense = [0xff; 3];
        router.deliver(Arrival {
            from: PeerId(1),
            tag: AmTag::PML,
            payload: (&nonsense[..]).into(),
        });
        let why = "it sent a malformed header in a message of 3 bytes";
        assert_eq!(late.failed, [(PeerId(1), why.to_string())]);
        assert!(late.any);
    }

    /// A process that waits with others at the launcher asks for this before it reports a death.
    #[test]
    fn who_said_goodbye_is_told_from_who_died() {
        let mut late = LateRegistrar::default();
        let mut router = Router {
            protocol: &mut Protocol::new(ob1::Config::new(1 << 20), 3),
            osc: &mut Osc::default(),
            late: &mut late,
        };
        let how = "its process has ended".to_string();
        let (died, left) = (PeerId(1), PeerId(2));
        router.peer_failed(died, Error::PeerGone { peer: died, how });
        router.peer_failed(left, Error::PeerLeft { peer: left });
        assert_eq!(late.failed.len(), 2);
        assert_eq!(late.left, [left]);
    }
}
