//! The router: delivers messages from the transports to the layer that each is for.

use std::sync::Arc;

use base::{AmTag, Clock, PeerId, Service};
use bml::Bml;
use btl::{Arrival, Error, RemoteKey, Sink, Token};
use mca::Framework;
use memory::UserBuf;
use ob1::{Driver, Protocol};
use osc::Osc;

use crate::accesses::operation_of;

/// Hands arrivals to the PML while the lanes are being polled. It has no lane: what an arrival
/// asks of the lanes is noted and done after the poll.
pub(crate) struct Router<'a> {
    pub(crate) protocol: &'a mut Protocol,
    pub(crate) osc: &'a mut Osc,
    pub(crate) deferred: &'a mut Deferred,
}

/// Work of a poll that is deferred until the lanes are free.
#[derive(Default)]
pub(crate) struct Deferred {
    /// Whether anything was deferred.
    pub(crate) any: bool,
    pub(crate) released: Vec<(PeerId, RemoteKey)>,
    pub(crate) failed: Vec<(PeerId, String)>,
    /// Peers in `failed` that have sent their shutdown message before.
    pub(crate) left: Vec<PeerId>,
    /// Peers whose process a transport has found dead.
    pub(crate) died: Vec<(PeerId, String)>,
    /// Messages of `ft`.
    pub(crate) faults: Vec<(PeerId, Vec<u8>)>,
    pub(crate) reads: Vec<(Token, Result<(), Error>)>,
    /// Times that messages took.
    pub(crate) served: Vec<(PeerId, Service)>,
    /// The clock of these times, once a lane wants them.
    pub(crate) clock: ServiceClock,
}

/// A clock that the processes of a node agree on; `None` where no lane wants to know times.
pub(crate) type ServiceClock = Option<Arc<dyn Clock + Send + Sync>>;

impl Sink for Router<'_> {
    #[inline]
    fn deliver(&mut self, arrival: Arrival<'_>) {
        let Arrival { from, tag, payload } = arrival;
        if tag != AmTag::PML {
            return self.deliver_other(arrival);
        }
        if let Err(violation) = self.protocol.arrived(from, payload, self.deferred) {
            self.peer_violated(from, &violation.to_string());
        }
    }

    fn done(&mut self, token: Token, outcome: Result<(), Error>) {
        if let (Some(operation), Ok(())) = (operation_of(token), &outcome) {
            self.osc.lane_done(operation);
            return;
        }
        self.deferred.any = true;
        self.deferred.reads.push((token, outcome));
    }

    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        self.deferred.any = true;
        if let Error::PeerLeft { peer } = error {
            self.deferred.failed.push((peer, error.why()));
            self.deferred.left.push(peer);
        } else {
            self.deferred.died.push((peer, error.why()));
        }
    }

    #[inline]
    fn wants_more(&self) -> bool {
        // A reply goes out before the next message is taken: it would have to wait in a queue.
        !self.protocol.is_watched_done() && !self.osc.has_reply()
    }
}

/// Drops a message for no layer here, with a warning unless it only wakes.
#[cold]
fn dropped(from: PeerId, tag: AmTag) {
    if tag != AmTag::WAKE {
        Framework::Engine.warn(format_args!(
            "message of {from} for layer {:#x} dropped",
            tag.0
        ));
    }
}

impl Router<'_> {
    /// Delivers a message that is not for the PML.
    #[inline(never)]
    fn deliver_other(&mut self, arrival: Arrival<'_>) {
        if arrival.tag == AmTag::FAULT {
            self.deferred.any = true;
            let message = (arrival.from, arrival.payload.to_vec());
            return self.deferred.faults.push(message);
        }
        if arrival.tag != AmTag::OSC {
            return dropped(arrival.from, arrival.tag);
        }
        if let Err(violation) = self.osc.arrived(arrival.from, arrival.payload) {
            self.peer_violated(arrival.from, violation.what);
        }
    }

    #[cold]
    fn peer_violated(&mut self, from: PeerId, what: &str) {
        self.deferred.any = true;
        self.deferred.failed.push((from, format!("it sent {what}")));
    }
}

impl Driver for Deferred {
    fn register(&mut self, _peer: PeerId, _memory: UserBuf) -> Option<RemoteKey> {
        // Nothing that arrives starts a send.
        None
    }

    fn deregister(&mut self, peer: PeerId, key: RemoteKey) {
        self.any = true;
        self.released.push((peer, key));
    }

    fn now(&self) -> u64 {
        time(&self.clock)
    }

    fn served(&mut self, peer: PeerId, service: Service) {
        self.any = true;
        self.served.push((peer, service));
    }
}

/// Returns the time in nanoseconds; 0 without a clock.
fn time(clock: &ServiceClock) -> u64 {
    clock.as_ref().map_or(0, |clock| clock.now().0)
}

/// The driver where the lanes are at hand.
pub(crate) struct LaneDriver<'a> {
    bml: &'a mut Bml,
    clock: &'a ServiceClock,
    /// Whether the message that is begun is known to be announced.
    announces: bool,
}

impl<'a> LaneDriver<'a> {
    pub(crate) fn new(bml: &'a mut Bml, clock: &'a ServiceClock) -> LaneDriver<'a> {
        LaneDriver {
            bml,
            clock,
            announces: false,
        }
    }

    /// Returns the driver for a message that is announced.
    pub(crate) fn announcing(bml: &'a mut Bml, clock: &'a ServiceClock) -> LaneDriver<'a> {
        LaneDriver {
            bml,
            clock,
            announces: true,
        }
    }
}

impl Driver for LaneDriver<'_> {
    fn register(&mut self, peer: PeerId, memory: UserBuf) -> Option<RemoteKey> {
        if !self.announces && !self.bml.announces(peer, memory.len()) {
            // It arrives sooner in fragments.
            return None;
        }
        match self.bml.register(peer, memory) {
            Ok(key) => Some(key),
            Err(error) => {
                Framework::Pml.info(format_args!("{error}"));
                None
            }
        }
    }

    fn deregister(&mut self, peer: PeerId, key: RemoteKey) {
        self.bml.deregister(peer, key);
    }

    fn now(&self) -> u64 {
        time(self.clock)
    }

    fn served(&mut self, peer: PeerId, service: Service) {
        self.bml.served(peer, service);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is deferred sets `any`. Without that it waited for the next completed read: a
    /// process that only sends never ended its registrations, and a peer that broke the protocol
    /// was not given up.
    #[test]
    fn whatever_is_deferred_sets_any() {
        let mut osc = Osc::default();
        let (mut protocol, mut deferred) = (
            Protocol::new(ob1::Config::new(1 << 20), 2),
            Deferred::default(),
        );
        deferred.deregister(PeerId(1), RemoteKey::new(&[7]).unwrap());
        assert!(deferred.any);
        let mut deferred = Deferred::default();
        let mut router = Router {
            protocol: &mut protocol,
            osc: &mut osc,
            deferred: &mut deferred,
        };
        let malformed = [0xff; 3];
        router.deliver(Arrival {
            from: PeerId(1),
            tag: AmTag::PML,
            payload: (&malformed[..]).into(),
        });
        let why = "it sent a malformed header in a message of 3 bytes";
        assert_eq!(deferred.failed, [(PeerId(1), why.to_string())]);
        assert!(deferred.any);
    }

    /// A process that waits with others at the launcher asks for this before it reports a death.
    #[test]
    fn a_peer_that_left_is_distinguished_from_one_that_died() {
        let mut deferred = Deferred::default();
        let mut router = Router {
            protocol: &mut Protocol::new(ob1::Config::new(1 << 20), 3),
            osc: &mut Osc::default(),
            deferred: &mut deferred,
        };
        let how = "its process has ended".to_string();
        let (died, left) = (PeerId(1), PeerId(2));
        router.peer_failed(died, Error::PeerGone { peer: died, how });
        router.peer_failed(left, Error::PeerLeft { peer: left });
        assert_eq!((deferred.failed.len(), deferred.died.len()), (1, 1));
        assert_eq!(deferred.left, [left]);
    }
}
