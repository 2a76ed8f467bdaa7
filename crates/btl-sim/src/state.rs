//! The whole network as one value: the calendar of events, and an entry for each endpoint.
//!
//! | event | when its time comes |
//! |---|---|
//! | `Message` | into the receiver's inbox; dropped when sender, receiver or link is gone, or a later instance of either is there |
//! | `Transfer` | touches the memory, if it is still registered; then `Done` |
//! | `Done` | into the owner's inbox |
//! | `Lost` | the link is marked, and into the inbox of the one that is left |
//! | `Shutdown` | the link is marked |

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use base::{AmTag, Instant, PeerId, Random, Slab};
use btl::{Access, Error, Token};
use memory::UserBuf;

use crate::params::Config;
use crate::transfer::Transfer;

/// Factor by which a straggler takes longer.
const STRAGGLER_FACTOR: u64 = 10;

/// An event in the network's calendar.
pub(crate) enum Event {
    /// A message reaches its receiver.
    Message {
        from: PeerId,
        to: PeerId,
        /// The instances of both.
        instances: [u32; 2],
        tag: AmTag,
        bytes: Vec<u8>,
    },
    /// A transfer touches the memory.
    Transfer(Transfer),
    /// An operation of `owner` with `peer` is complete.
    Done {
        owner: PeerId,
        /// The instance of the owner.
        instance: u32,
        peer: PeerId,
        token: Token,
        outcome: Result<(), Error>,
    },
    /// `to` finds out that it has lost `peer`.
    Lost {
        peer: PeerId,
        /// The instance of the peer.
        instance: u32,
        to: PeerId,
        how: &'static str,
    },
    /// `to` finds out that `peer` closed in good order.
    Shutdown {
        peer: PeerId,
        /// The instance of the peer.
        instance: u32,
        to: PeerId,
    },
}

/// A report that waits for the next `progress` of an endpoint.
pub(crate) enum Report {
    Message {
        from: PeerId,
        instance: u32,
        tag: AmTag,
        bytes: Vec<u8>,
    },
    Done(Token, Result<(), Error>),
    Lost(PeerId, Error),
}

/// The state of a peer at an endpoint.
#[derive(Default)]
pub(crate) struct Link {
    /// Whether the peer was introduced, and not removed.
    pub(crate) joined: bool,
    /// Whether the peer was removed: nothing of it is reported any more.
    pub(crate) removed: bool,
    /// The instance of the peer that was introduced.
    pub(crate) instance: u32,
    /// Messages in flight to the peer that it has not taken yet.
    pub(crate) queued: usize,
    /// Transfers with the peer that are in flight.
    pub(crate) pending: usize,
    /// Arrival time of the last message to the peer, so that the next one does not overtake it.
    pub(crate) last_arrival: Instant,
    /// Whether the link is cut: messages in flight are dropped.
    pub(crate) cut: bool,
    /// Why nothing can be sent to the peer any more, once that is known here.
    pub(crate) lost: Option<&'static str>,
}

/// The state of an endpoint's process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Life {
    /// The endpoint takes part.
    Running,
    /// The endpoint closed: messages that it had copied arrive.
    Closed,
    /// The endpoint died: messages copied and sent long enough before this moment arrive.
    Dead(Instant),
}

/// One endpoint.
pub(crate) struct Port {
    pub(crate) life: Life,
    /// How often the process was started before.
    pub(crate) instance: u32,
    pub(crate) inbox: VecDeque<Report>,
    pub(crate) links: Vec<Link>,
    pub(crate) regions: Slab<(UserBuf, Access)>,
}

/// The state of the whole network.
pub(crate) struct State {
    pub(crate) config: Config,
    pub(crate) random: Random,
    pub(crate) now: Instant,
    pub(crate) fingerprint: u64,
    ports: Vec<Option<Port>>,
    /// Events by time; of one moment, in the order in which they were made.
    calendar: BTreeMap<(Instant, u64), Event>,
    events_made: u64,
}

impl State {
    pub(crate) fn new(config: Config) -> State {
        State {
            random: Random::new(config.seed),
            config,
            now: Instant::default(),
            fingerprint: 0xcbf2_9ce4_8422_2325,
            ports: Vec::new(),
            calendar: BTreeMap::new(),
            events_made: 0,
        }
    }

    /// Moves time to the next event; false when the calendar is empty.
    pub(crate) fn step(&mut self) -> bool {
        let Some((&(at, _), _)) = self.calendar.first_key_value() else {
            return false;
        };
        self.now = at;
        while let Some(entry) = self.calendar.first_entry().filter(|e| e.key().0 == at) {
            let event = entry.remove();
            self.happen(event);
        }
        true
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Message {
                from,
                to,
                instances,
                tag,
                bytes,
            } => self.message_arrives((from, to), instances, tag, bytes),
            Event::Transfer(transfer) => self.transfer(transfer),
            Event::Done {
                owner,
                instance,
                peer,
                token,
                outcome,
            } => {
                if self.instance(owner) != instance {
                    return;
                }
                self.link(owner, peer).pending -= 1;
                self.mix(&[3, u64::from(owner.0), token.0, u64::from(outcome.is_ok())]);
                self.report(owner, Report::Done(token, outcome));
            }
            Event::Lost {
                peer,
                instance,
                to,
                how,
            } => self.lost((peer, instance), to, how),
            Event::Shutdown { peer, instance, to } => {
                let link = self.link(to, peer);
                if link.instance == instance {
                    link.lost.get_or_insert("it closed");
                }
            }
        }
    }

    /// Puts a message into the calendar.
    pub(crate) fn post(&mut self, from: PeerId, to: PeerId, tag: AmTag, bytes: Vec<u8>) {
        let mut at = self.now.after(self.draw_delay());
        let ordered = self.config.ordered;
        let own = self.instance(from);
        let link = self.link(from, to);
        let instances = [own, link.instance];
        link.queued += 1;
        if ordered {
            at = at.max(link.last_arrival);
            link.last_arrival = at;
        }
        self.schedule_at(
            at,
            Event::Message {
                from,
                to,
                instances,
                tag,
                bytes,
            },
        );
    }

    fn message_arrives(
        &mut self,
        (from, to): (PeerId, PeerId),
        instances: [u32; 2],
        tag: AmTag,
        bytes: Vec<u8>,
    ) {
        let dead = matches!(self.life(from), Life::Dead(since) if self.now >= since);
        let silent = dead || self.instance(from) != instances[0];
        let link = self.link(to, from);
        let receives = !(link.removed && link.instance == instances[0]);
        let receives = receives && self.life(to) == Life::Running;
        let arrives = receives && self.instance(to) == instances[1] && !silent;
        if !arrives || self.link(from, to).cut {
            self.unqueue(from, to, instances[0]);
            return;
        }
        self.mix(&[1, u64::from(from.0), u64::from(to.0), u64::from(tag.0)]);
        self.mix_bytes(&bytes);
        let instance = instances[0];
        self.report(
            to,
            Report::Message {
                from,
                instance,
                tag,
                bytes,
            },
        );
    }

    /// Counts a message as in flight no longer, where its sender is still the one that sent it.
    pub(crate) fn unqueue(&mut self, from: PeerId, to: PeerId, instance: u32) {
        if self.instance(from) == instance {
            let link = self.link(from, to);
            link.queued = link.queued.saturating_sub(1);
        }
    }

    fn lost(&mut self, (peer, instance): (PeerId, u32), to: PeerId, how: &'static str) {
        let link = self.link(to, peer);
        if !link.joined || link.lost.is_some() || link.instance != instance {
            return;
        }
        link.lost = Some(how);
        self.mix(&[4, u64::from(peer.0), u64::from(to.0)]);
        self.report(
            to,
            Report::Lost(
                peer,
                Error::PeerGone {
                    peer,
                    how: how.into(),
                },
            ),
        );
    }

    /// Ends an endpoint. Some of what it sent still arrives, then its peers learn of its end.
    pub(crate) fn kill(&mut self, victim: PeerId) {
        if self.life(victim) != Life::Running {
            return;
        }
        let silence = self.now.after(self.draw_delay());
        let instance = self.instance(victim);
        self.end(victim, Life::Dead(silence));
        for to in self.running() {
            let at = silence.after(self.draw_delay());
            self.schedule_at(
                at,
                Event::Lost {
                    peer: victim,
                    instance,
                    to,
                    how: "it died",
                },
            );
        }
    }

    /// Lets an endpoint leave in good order: its peers learn it after all that it sent.
    pub(crate) fn close(&mut self, leaver: PeerId) {
        if self.life(leaver) != Life::Running {
            return;
        }
        self.end(leaver, Life::Closed);
        for to in self.running() {
            let at = self
                .now
                .after(self.draw_delay())
                .max(self.link(leaver, to).last_arrival);
            let instance = self.instance(leaver);
            self.schedule_at(
                at,
                Event::Shutdown {
                    peer: leaver,
                    instance,
                    to,
                },
            );
        }
    }

    fn end(&mut self, peer: PeerId, life: Life) {
        let unread = match self.port_mut(peer) {
            Some(port) => {
                port.life = life;
                port.regions = Slab::default();
                std::mem::take(&mut port.inbox)
            }
            None => return,
        };
        for report in unread {
            if let Report::Message { from, instance, .. } = report {
                self.unqueue(from, peer, instance);
            }
        }
    }

    /// Cuts the link between two endpoints, and lets both know.
    pub(crate) fn cut(&mut self, a: PeerId, b: PeerId) {
        for (to, peer) in [(a, b), (b, a)] {
            self.link(to, peer).cut = true;
            let instance = self.instance(peer);
            self.schedule(Event::Lost {
                peer,
                instance,
                to,
                how: "the link was cut",
            });
        }
    }

    pub(crate) fn schedule(&mut self, event: Event) {
        let at = self.now.after(self.draw_delay());
        self.schedule_at(at, event);
    }

    fn schedule_at(&mut self, at: Instant, event: Event) {
        self.calendar.insert((at, self.events_made), event);
        self.events_made += 1;
    }

    fn draw_delay(&mut self) -> Duration {
        let range = self.config.delay_ns.clone();
        let mut delay = range.start + self.random.below(range.end.saturating_sub(range.start));
        if self.random.chance(self.config.straggler_percent) {
            delay *= STRAGGLER_FACTOR;
        }
        Duration::from_nanos(delay.max(1))
    }

    fn report(&mut self, to: PeerId, report: Report) {
        if let Some(port) = self.port_mut(to) {
            if port.life == Life::Running {
                port.inbox.push_back(report);
            }
        }
    }

    /// Makes the entry of an endpoint; false when there is one already.
    pub(crate) fn open(&mut self, me: PeerId) -> bool {
        if self.ports.len() <= me.index() {
            self.ports.resize_with(me.index() + 1, || None);
        }
        let entry = &mut self.ports[me.index()];
        if entry.is_some() {
            return false;
        }
        *entry = Some(Port {
            life: Life::Running,
            instance: 0,
            inbox: VecDeque::new(),
            links: Vec::new(),
            regions: Slab::default(),
        });
        true
    }

    /// Opens an endpoint again for the next life of a process that has died; false when it has not.
    pub(crate) fn reopen(&mut self, me: PeerId) -> bool {
        match self.port_mut(me) {
            Some(port) if matches!(port.life, Life::Dead(_)) => {
                *port = Port {
                    life: Life::Running,
                    instance: port.instance + 1,
                    inbox: VecDeque::new(),
                    links: Vec::new(),
                    regions: Slab::default(),
                };
                true
            }
            _ => false,
        }
    }

    /// Returns how often a process was started before.
    pub(crate) fn instance(&self, peer: PeerId) -> u32 {
        self.port(peer).map_or(0, |port| port.instance)
    }

    pub(crate) fn port(&self, peer: PeerId) -> Option<&Port> {
        self.ports.get(peer.index())?.as_ref()
    }

    pub(crate) fn port_mut(&mut self, peer: PeerId) -> Option<&mut Port> {
        self.ports.get_mut(peer.index())?.as_mut()
    }

    pub(crate) fn life(&self, peer: PeerId) -> Life {
        self.port(peer).map_or(Life::Closed, |port| port.life)
    }

    fn running(&self) -> Vec<PeerId> {
        let all = (0..self.ports.len() as u32).map(PeerId);
        all.filter(|&peer| self.life(peer) == Life::Running)
            .collect()
    }

    /// Returns the state of `peer` at `of`; both are open endpoints.
    pub(crate) fn link(&mut self, of: PeerId, peer: PeerId) -> &mut Link {
        let port = self.ports[of.index()].as_mut().expect("an open endpoint");
        if port.links.len() <= peer.index() {
            port.links.resize_with(peer.index() + 1, Link::default);
        }
        &mut port.links[peer.index()]
    }

    /// Whether `of` can send to `peer`, as far as it knows.
    pub(crate) fn check(&mut self, of: PeerId, peer: PeerId) -> Result<(), Error> {
        if self.port(peer).is_none() || !self.link(of, peer).joined {
            return Err(Error::Unreachable { peer });
        }
        match self.link(of, peer).lost {
            Some(how) => Err(Error::PeerGone {
                peer,
                how: how.into(),
            }),
            None => Ok(()),
        }
    }

    fn mix(&mut self, words: &[u64]) {
        let now = self.now.0;
        for word in words.iter().copied().chain([now]) {
            self.fingerprint = (self.fingerprint ^ word).wrapping_mul(0x0000_0100_0000_01b3);
            self.fingerprint ^= self.fingerprint >> 29;
        }
    }

    fn mix_bytes(&mut self, bytes: &[u8]) {
        let words = bytes.chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        });
        let mut hash = bytes.len() as u64;
        for word in words {
            hash = (hash ^ word)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(23);
        }
        self.mix(&[hash]);
    }
}
