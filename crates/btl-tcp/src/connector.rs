//! Handshakes: connections that are accepted, those that are made, and which of two stays.
//!
//! [`crate::dialer`] decides when this process connects, and what follows when a connection ends;
//! [`crate::attempt`] has the steps of a handshake.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Instant;

use base::tool_event::{self, ToolEvent};
use base::{Key, PeerId};
use btl::Error;
use mca::Framework;

use crate::attempt::{self, AcceptedAttempts, AcceptedStep, DialedStep, PeerStates, Trouble};
use crate::connection::Connection;
use crate::descriptor_shortage::{self, DescriptorShortage, Phase};
use crate::dialer::Dialer;
use crate::handshake::{Identity, Proven, State, Verdict};
use crate::peer::{Fit, Link};
use crate::peers::Peers;
use crate::rails::RailState;
use crate::receiver::Receiver;
use crate::seal::{Seal, Sealed};
use crate::source::Source;
use crate::sys::{self, Watch, Watched};

/// Most connections accepted before others have their turn.
const ACCEPTS_MAX: usize = 64;

/// Gives names to numberings: no two of all processes and lives are the same.
pub struct Names {
    next: u64,
}

impl Names {
    /// Creates a source of names from a random beginning.
    pub fn new(beginning: u64) -> Names {
        Names { next: beginning }
    }

    /// Returns a name that was not given before; never 0.
    pub fn draw(&mut self) -> u64 {
        self.next = self.next.wrapping_add(1).max(1);
        self.next
    }
}

/// Makes the connections of a process.
pub struct Connector {
    /// Makes those that this process begins.
    pub dialer: Dialer,
    /// This process, as the peers of its job know it.
    pub identity: Arc<Identity>,
    /// Names for the numberings of new peers.
    pub names: Names,
    listeners: Vec<TcpListener>,
    accepted: AcceptedAttempts,
    shortage: DescriptorShortage,
}

/// The peers, as a handshake sees them.
struct KnownPeers<'a> {
    own: &'a Arc<Identity>,
    peers: &'a mut Peers,
    names: &'a mut Names,
}

impl PeerStates for KnownPeers<'_> {
    fn state(&mut self, peer: PeerId, rail: usize) -> (u16, State) {
        let KnownPeers { peers, names, .. } = self;
        let known = peers.get_or_add(peer, || names.draw());
        if matches!(known.link, Link::Left) {
            known.reopen(names.draw());
        }
        let state = State {
            name: known.name,
            other: known.their_name,
            due: known.incoming.next(),
        };
        (known.rails.at(rail).round, state)
    }

    fn identity(&self, peer: PeerId) -> Arc<Identity> {
        self.peers.identity_for(peer).unwrap_or(self.own).clone()
    }

    fn greeted(&self, job: u64, from: PeerId) -> Arc<Identity> {
        // A foreign peer's number says nothing about a process of the job, and the other way round.
        let identity = self.identity(from);
        match identity.job() == job {
            true => identity,
            false => self.own.clone(),
        }
    }
}

impl Connector {
    /// Creates a connector without listeners.
    pub fn new(dialer: Dialer, identity: Identity, names: Names) -> Connector {
        Connector {
            shortage: DescriptorShortage::new(dialer.epoll()),
            dialer,
            identity: Arc::new(identity),
            names,
            listeners: Vec::new(),
            accepted: AcceptedAttempts::new(sys::descriptors()),
        }
    }

    /// Returns the listening sockets.
    pub fn listeners(&self) -> &[TcpListener] {
        &self.listeners
    }

    /// Adds listening sockets, which the epoll set watches.
    pub fn listen(&mut self, listeners: Vec<TcpListener>) {
        self.listeners.extend(listeners);
    }

    /// Returns the attempts that were accepted.
    #[cfg(test)]
    pub fn accepted(&self) -> &AcceptedAttempts {
        &self.accepted
    }

    /// Drops the listening sockets, and the attempts that were accepted.
    pub fn close(&mut self) {
        self.accepted.clear();
        for listener in self.listeners.drain(..) {
            self.dialer.epoll().remove(&listener);
        }
    }

    /// Accepts the connections that wait at a listener.
    pub fn accept(&mut self, listener: usize) {
        let mut accepted = false;
        for _ in 0..ACCEPTS_MAX {
            let Some(socket) = self.listeners.get(listener) else {
                return;
            };
            let stream = match attempt::accept(socket, self.dialer.settings()) {
                Ok(Some(stream)) => stream,
                Ok(None) => return,
                // A connection accepted just now has had no time to identify itself.
                Err(_) if !accepted && self.accepted.drop_oldest_unauthenticated() => continue,
                Err(error) => return self.stop_listening(error),
            };
            accepted = true;
            self.shortage.accepted();
            let deadline = Instant::now() + self.dialer.settings().handshake_timeout;
            let stream = Watched::new(stream, self.dialer.epoll());
            let key = self.accepted.insert(stream, deadline, self.dialer.share());
            let attempt = self.accepted.get_mut(key);
            let watched = attempt.map(|it| it.watch(Source::Accepted(key).number()));
            if let Some(Err(error)) = watched {
                self.accepted.remove(key);
                return self.stop_listening(error);
            }
        }
    }

    /// Accepts nothing before the next tick.
    fn stop_listening(&mut self, error: std::io::Error) {
        self.dialer.warn_of_shortage(&error);
        self.shortage.begin(error);
        for listener in &self.listeners {
            self.dialer.epoll().remove(listener);
        }
    }

    /// Listens again, where that had to wait. Returns whether to try once more at the next tick.
    pub fn listen_again(&mut self, peers: &mut Peers, now: Instant) -> bool {
        let outage = self.dialer.settings().reconnect_timeout;
        match self.shortage.tick(now, outage, self.dialer.epoll()) {
            Phase::Over => return false,
            Phase::Refusing => return true,
            Phase::Retry => {}
            Phase::GiveUp(why) => {
                for peer in peers.sought() {
                    let why = descriptor_shortage::explain(&why);
                    peers.lose(peer, Error::Unconnected { peer, why });
                }
            }
        }
        for (n, listener) in self.listeners.iter().enumerate() {
            let number = Source::Listener(n).number();
            let watched = self.dialer.epoll().add(listener, Watch::Read, number);
            if let Err(error) = watched {
                self.shortage.begin(error);
            }
        }
        true
    }

    /// Advances the attempts whose time is over, and drops those that do not end by that.
    pub fn drop_overdue(&mut self, peers: &mut Peers, now: Instant) {
        let late = || Trouble::Connect(std::io::ErrorKind::TimedOut.into());
        for key in self.accepted.overdue(now) {
            // Its input may have come while this process was busy elsewhere.
            self.advance_accepted(peers, key);
            if self
                .accepted
                .get_mut(key)
                .is_some_and(|it| it.is_overdue(now))
            {
                self.drop_accepted(key, &late());
            }
        }
        for peer in peers.ids() {
            let overdue = peers.get(peer).map(|known| known.rails.overdue(now));
            for number in overdue.unwrap_or_default() {
                self.advance_dialed(peers, peer, number);
                let Some(known) = peers.get_mut(peer) else {
                    break;
                };
                if let Some(attempt) = known.rails.take_overdue(number, now) {
                    let reached = attempt.has_reached();
                    drop(attempt);
                    self.dialer
                        .dial_failed(peers, (peer, number), reached, &late());
                }
            }
        }
    }

    fn drop_accepted(&mut self, key: Key, trouble: &Trouble) {
        let Some(attempt) = self.accepted.remove(key) else {
            return;
        };
        match attempt.origin() {
            Some(origin) => Framework::Btl.info(format_args!(
                "a connection from {origin} is dropped: {trouble}"
            )),
            None => Framework::Btl.info(format_args!(
                "a connection that has ended is dropped: {trouble}"
            )),
        }
    }

    /// Advances this process's attempt at a rail, which has been made or refused, or has something
    /// to read. Returns whether there is one.
    pub fn advance_dialed(&mut self, peers: &mut Peers, peer: PeerId, number: usize) -> bool {
        let attempt = peers
            .get_mut(peer)
            .and_then(|known| known.rails.take_attempt(number));
        let Some(mut attempt) = attempt else {
            return false;
        };
        let mut known = KnownPeers {
            own: &self.identity,
            peers,
            names: &mut self.names,
        };
        let step = attempt.step(&mut known);
        let state = match &step {
            Ok(DialedStep::Wait) => RailState::Dialing(attempt),
            Ok(DialedStep::Yielded) => RailState::Awaiting(Instant::now()),
            Ok(DialedStep::Accepted(proven)) => {
                self.follow_acceptance(peers, attempt.into_stream(), proven);
                return true;
            }
            Ok(DialedStep::Gone) => {
                let how = "it has given up this process, or has lost what was said before".into();
                peers.lose(peer, Error::PeerGone { peer, how });
                return true;
            }
            Ok(DialedStep::Full) => {
                let why = "it has no descriptor left for it; raise the limit there (ulimit -n)";
                let why = why.into();
                peers.lose(peer, Error::Unconnected { peer, why });
                return true;
            }
            Err(trouble) => {
                let reached = attempt.has_reached();
                drop(attempt);
                self.dialer
                    .dial_failed(peers, (peer, number), reached, trouble);
                return true;
            }
        };
        if let Some(known) = peers.get_mut(peer) {
            known.rails.at(number).state = state;
        }
        true
    }

    /// Advances an attempt that was accepted and has something to read.
    pub fn advance_accepted(&mut self, peers: &mut Peers, key: Key) {
        let Some(attempt) = self.accepted.get_mut(key) else {
            return;
        };
        let mut known = KnownPeers {
            own: &self.identity,
            peers,
            names: &mut self.names,
        };
        match attempt.step(&mut known) {
            Ok(AcceptedStep::Wait) => {}
            Ok(AcceptedStep::Greeted(peer, rail)) => self.accepted.greeted(key, peer, rail),
            Ok(AcceptedStep::Proved(proven)) => self.decide(peers, key, &proven),
            Err(trouble) => self.drop_accepted(key, &trouble),
        }
    }

    /// Follows the peer's acceptance of a connection of ours.
    fn follow_acceptance(&mut self, peers: &mut Peers, stream: Watched, proven: &Proven) {
        let peer = proven.peer;
        match peers.get(peer).map(|known| known.fit(&proven.state)) {
            None => {}
            Some(Fit::Well) => self.establish(peers, stream, proven, proven.connection.round),
            Some(_) => {
                drop(stream);
                let how = "it has restarted, and earlier messages are lost".into();
                peers.lose(peer, Error::PeerGone { peer, how });
            }
        }
    }

    /// Decides whether a peer that proved itself is let in, and whose connection stays.
    fn decide(&mut self, peers: &mut Peers, key: Key, proven: &Proven) {
        let (peer, number) = (proven.peer, usize::from(proven.connection.rail));
        let Some(attempt) = self.accepted.remove(key) else {
            return;
        };
        self.refuse(peers, peer);
        let own = &self.identity;
        let Some(known) = peers.get_mut(peer) else {
            return;
        };
        let precedes = known.foreign.as_ref().unwrap_or(own).precedes(peer);
        match known.fit(&proven.state) {
            Fit::Well => {}
            Fit::Later => return,
            Fit::Not => {
                let _ = attempt.decide(match known.link {
                    Link::Failed(Error::Unconnected { .. }) => Verdict::Full,
                    _ => Verdict::Gone,
                });
                return;
            }
            Fit::Anew => {
                drop(attempt);
                return self.begin_anew(peers, peer);
            }
        }
        let rail = known.rails.at(number);
        let round = rail.round.max(proven.connection.round);
        match &rail.state {
            RailState::Dialing(_) if precedes => {
                let _ = attempt.decide(Verdict::Yield);
                return;
            }
            RailState::Up(_) if proven.connection.round < rail.round => {
                Framework::Btl.debug(format_args!(
                    "{peer} connects again, with an attempt that was given up"
                ));
                return;
            }
            // The peer knows sooner than this process that it broke.
            RailState::Up(_) => drop(peers.take_down(peer, number)),
            _ => rail.state = RailState::Down,
        }
        match attempt.decide(Verdict::Accept) {
            Ok(()) => self.establish(peers, attempt.into_stream(), proven, round),
            // The peer's process ended meanwhile, or it tries again.
            Err(_) => {
                drop(attempt);
                let why = "it hung up during the handshake";
                self.dialer.replace_lead(peers, peer, why);
                self.dialer.dial_next(peers, peer);
            }
        }
    }

    /// Gives up a peer that has connected, while this process has no descriptors.
    fn refuse(&mut self, peers: &mut Peers, peer: PeerId) {
        let is_up = |link: &Link| matches!(link, Link::Up);
        if peers.get(peer).is_none_or(|known| is_up(&known.link)) {
            return;
        }
        if let Some(why) = self.shortage.refuses() {
            let why = descriptor_shortage::explain(why);
            peers.lose(peer, Error::Unconnected { peer, why });
        }
    }

    /// Handles a peer that has lost its side of the state. Where nothing is lost with it, both
    /// restart.
    fn begin_anew(&mut self, peers: &mut Peers, peer: PeerId) {
        let reads = peers.reads.count(peer);
        let outstanding = |peers: &Peers| peers.get(peer).is_some_and(|it| it.is_outstanding());
        if outstanding(peers) || reads > 0 {
            let how = "it has restarted, and messages under way are lost".into();
            return peers.lose(peer, Error::PeerGone { peer, how });
        }
        peers.unlink(peer, Link::Idle);
        if let Some(known) = peers.get_mut(peer) {
            known.reopen(self.names.draw());
        }
    }

    /// Turns a socket into a connection of the peer's after the handshake.
    fn establish(&mut self, peers: &mut Peers, stream: Watched, proven: &Proven, round: u16) {
        let (peer, number) = (proven.peer, usize::from(proven.connection.rail));
        let Some(known) = peers.get_mut(peer) else {
            return;
        };
        let cache = self.dialer.settings().endpoint_cache;
        let protection = self.identity.protection();
        let outward = Seal::new(protection, &proven.keys.outward);
        let sealed = outward
            .zip(Seal::new(protection, &proven.keys.inward))
            .map(|(outward, inward)| Sealed::new(outward, inward));
        let receiver = Receiver::new(peer, cache, proven.frame_max as usize);
        let rail = known.rails.at(number);
        rail.state = RailState::Up(Box::new(Connection::new(stream, sealed, receiver)));
        rail.round = round.saturating_add(1);
        known.their_name = proven.state.name;
        let again = matches!(&known.link, Link::Searching(search) if search.again);
        known.link = Link::Up;
        Framework::Btl.debug(format_args!("connected with {peer}, rail {number}"));
        if again {
            Framework::Btl.info(format_args!("{peer} is connected again"));
            tool_event::raise(|| ToolEvent::ConnectedAgain(peer));
        }
        let leads = known.rails.lead.is_none();
        known.rails.drop_needless_attempts();
        peers.came_up(peer, number);
        if leads {
            peers.lead(peer, number, proven.state.due);
        }
        peers.write_all(peer);
    }

    /// Does a peer's periodic work at a tick. Returns whether it needs more ticks.
    pub fn tend(
        &mut self,
        peers: &mut Peers,
        peer: PeerId,
        now: Instant,
        checks_health: bool,
    ) -> bool {
        let patience = self.dialer.settings().handshake_timeout;
        let Some(known) = peers.get_mut(peer) else {
            return false;
        };
        match known.link {
            Link::Searching(_) => {
                self.dialer.continue_search(peers, peer, now);
                return true;
            }
            Link::Up => {}
            _ => return false,
        }
        known.rails.stop_awaiting(now, patience);
        known.rails.stop_dialing(now, patience);
        peers.acknowledge(peer);
        peers.share_out(peer);
        if checks_health {
            self.dialer.check_health(peers, peer, now);
        }
        let Some(known) = peers.get_mut(peer) else {
            return false;
        };
        if !known.outgoing.is_unacked() {
            known.outgoing.shrink();
        }
        known.incoming.owes()
            || known.is_outstanding()
            || known.rails.is_being_connected()
            || known
                .rails
                .connections_mut()
                .any(Connection::is_unconfirmed)
    }
}
