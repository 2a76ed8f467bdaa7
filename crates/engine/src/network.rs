//! The layer `cm` over a network that matches, and one-sided communication over it.

use std::time::Instant;

use base::PeerId;
use bml::{Choice, Considered};
use btl::{Flow, Reach};
use cm::{Cm, Unreachable};
use osc::Osc;
use pml::{Context, Pml};

use crate::address;
use crate::error::Error;

/// A network that matches, with what is made of its messages.
pub struct Network {
    pub(crate) cm: Cm,
    pub(crate) osc: Osc,
    /// How many of the peers that `cm` reports as failed `osc` knows of.
    reported: usize,
    /// Origin of the time that `cm` is given.
    began: Instant,
}

impl Network {
    pub(crate) fn new(cm: Cm) -> Network {
        Network {
            cm,
            osc: Osc::default(),
            reported: 0,
            began: Instant::now(),
        }
    }

    /// Introduces a peer by the address that it published.
    ///
    /// # Errors
    /// When the address is malformed, or when the network does not reach the peer.
    pub(crate) fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Choice, Error> {
        let name = self.cm.name();
        let address = address::network(peer, name, address)?;
        let reach = match self.cm.add_peer(peer, address) {
            Ok(()) => Reach::Reachable,
            Err(Unreachable::Refused(why)) => Reach::Unreachable(why),
            Err(Unreachable::Failed(error)) => return Err(Error::Transport(error)),
        };
        let is_reached = reach == Reach::Reachable;
        let choice = Choice {
            peer,
            lane: is_reached.then_some(name),
            memory: None,
            reads: false,
            through: None,
            reads_from: 0,
            considered: vec![Considered {
                name,
                reach,
                facts: None,
            }],
        };
        match is_reached {
            true => Ok(choice),
            false => Err(Error::Unreachable(choice)),
        }
    }

    /// Begins to take the messages of one-sided communication, in a context that nobody else has.
    pub(crate) fn open_accesses(&mut self, context: Context) -> Result<(), String> {
        self.cm.open_channel(context)
    }

    /// Moves everything that can move. Returns the number of things that happened.
    #[inline]
    pub(crate) fn progress(&mut self) -> usize {
        let mut happened = self.cm.progress();
        if self.cm.is_reclaiming() {
            happened += self.cm.reclaim(self.began.elapsed());
        }
        if self.cm.failed().len() != self.reported {
            self.report_failures();
        }
        if !self.cm.has_channel() {
            return happened;
        }
        happened + self.exchange()
    }

    /// Receives and sends active messages. It checks for received ones even where the poll reported
    /// nothing: the network may have reported them to another call.
    fn exchange(&mut self) -> usize {
        let mut violations = Vec::new();
        let osc = &mut self.osc;
        let happened = self.cm.take_active(|from, payload| {
            if let Err(violation) = osc.arrived(from, payload) {
                violations.push((from, format!("it sent {}", violation.what)));
            }
        });
        for (peer, why) in violations {
            self.peer_failed(peer, &why);
        }
        match self.osc.has_frames() {
            true => happened + self.offer_accesses(),
            false => happened,
        }
    }

    /// Offers the network the messages of one-sided calls. Returns how many it took.
    pub(crate) fn offer_accesses(&mut self) -> usize {
        let (mut sent, mut at) = (0, 0);
        while let Some(peer) = self.osc.ready_peer(at) {
            if self.offer_to(peer, &mut sent) == Flow::Busy {
                at += 1;
            }
        }
        sent
    }

    fn offer_to(&mut self, peer: PeerId, sent: &mut usize) -> Flow {
        let max = self.cm.active_max();
        while let Some(frame) = self.osc.next_frame(peer, max) {
            let head = frame.header.len();
            let flow = self.cm.send_active(peer, head + frame.len, |slot| {
                let (mut header, mut payload) = slot.split(head);
                header.write(0, frame.header);
                frame.pack(&mut payload);
            });
            if flow == Flow::Busy {
                return flow;
            }
            self.osc.frame_sent(peer);
            *sent += 1;
        }
        Flow::Sent
    }

    /// Reports peers that `cm` has given up to `osc`.
    #[cold]
    fn report_failures(&mut self) {
        for (peer, why) in &self.cm.failed()[self.reported..] {
            self.osc.peer_failed(*peer, why);
        }
        self.reported = self.cm.failed().len();
    }

    pub(crate) fn peer_failed(&mut self, peer: PeerId, why: &str) {
        self.cm.peer_failed(peer, why);
        self.report_failures();
    }

    pub(crate) fn remove_peer(&mut self, peer: PeerId) {
        self.cm.remove_peer(peer);
        self.osc.forget_peer(peer);
    }

    /// Whether everything sent has left this process.
    pub(crate) fn is_flushed(&mut self, peers: u32) -> bool {
        self.cm.is_flushed(peers) && !self.osc.has_frames()
    }
}
