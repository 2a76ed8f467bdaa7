//! The states of an endpoint and its connections, from the handshake to the end. The crate's
//! documentation has the diagram of the transitions; [`crate::seeking`] has the state Seeking.
//!
//! **A broken connection does not mean that the peer failed.** Frames that the peer has not
//! acknowledged go over another rail, or wait until there is one again.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::news::{self, News};
use base::{Key, PeerId};
use btl::Error;

use crate::component::{Source, Transport};
use crate::connect::{self, Endpoints, Step, Trouble};
use crate::endpoint::{Endpoint, Lane, Link, RailState, Report};
use crate::handshake::{Identity, Proven, State, Verdict};
use crate::health::{self, Health};
use crate::peers;
use crate::progress::{End, Receiver};
use crate::seal::{Seal, Sealed};
use crate::sys::Watch;
use crate::wire::Kind;

/// Time that a silent connection is tolerated while another one to the same peer replies.
const PATIENCE_BESIDE_ANOTHER: Duration = Duration::from_secs(2);
/// Period of checks of deadlines and of retries of failed attempts.
pub const TICK: Duration = Duration::from_millis(100);
/// Most connections accepted before others have their turn.
const ACCEPTS_MAX: usize = 64;
/// Ticks between two checks whether connections are cut.
const TICKS_PER_LOOK: u32 = 10;

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

/// The endpoints, as a handshake sees them.
struct Known<'a> {
    own: &'a Arc<Identity>,
    endpoints: &'a mut peers::Endpoints,
    names: &'a mut Names,
}

impl Endpoints for Known<'_> {
    fn tell(&mut self, peer: PeerId, rail: usize) -> (u16, State) {
        let Known {
            endpoints, names, ..
        } = self;
        let endpoint = endpoints
            .entry(peer)
            .or_insert_with(|| Endpoint::new(peer, names.draw()));
        if matches!(endpoint.link, Link::Left) {
            endpoint.reopen(names.draw());
        }
        let state = State {
            name: endpoint.name,
            other: endpoint.their_name,
            due: endpoint.incoming.next(),
        };
        (endpoint.rail(rail).round, state)
    }

    fn identity(&self, peer: PeerId) -> Arc<Identity> {
        let endpoint = self.endpoints.get(&peer);
        let foreign = endpoint.and_then(|endpoint| endpoint.foreign.as_ref());
        foreign.unwrap_or(self.own).clone()
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

/// The result of comparing a peer's reported state with the known one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fit {
    /// Frames go on where they were, or begin.
    Well,
    /// The peer has restarted, and the end of its former life is still on its way here.
    Later,
    /// The peer has restarted without an end of its former life.
    Anew,
    /// One of both has given the other up.
    Not,
}

impl Endpoint {
    fn fit(&self, theirs: &State) -> Fit {
        let knows_another = theirs.other != 0 && theirs.other != self.name;
        if matches!(self.link, Link::Failed(_)) || knows_another {
            return Fit::Not;
        }
        if self.their_name == 0 || self.their_name == theirs.name {
            return Fit::Well;
        }
        match self.link {
            Link::Seeking(_) => Fit::Anew,
            _ => Fit::Later,
        }
    }
}

impl Transport {
    /// Accepts the connections that wait at a listener.
    pub(crate) fn accept(&mut self, listener: usize) {
        let mut accepted = false;
        for _ in 0..ACCEPTS_MAX {
            let Some(socket) = self.listeners.get(listener) else {
                return;
            };
            let stream = match connect::accept(socket, &self.settings) {
                Ok(Some(stream)) => stream,
                Ok(None) => return,
                // A connection accepted just now has had no time to identify itself.
                Err(error) if accepted => return self.stop_listening(error),
                Err(error) => match self.attempts.oldest_stranger() {
                    Some(oldest) => {
                        self.epoll.remove(oldest);
                        continue;
                    }
                    None => return self.stop_listening(error),
                },
            };
            accepted = true;
            self.deaf.hears();
            let deadline = Instant::now() + self.settings.handshake_timeout;
            let (key, crowded_out) = self.attempts.accepted(stream, deadline);
            if let Some(oldest) = crowded_out {
                self.epoll.remove(oldest);
                log::info!("too many connections that do not name themselves: the oldest goes");
            }
            self.timer.run(true, TICK);
            let number = Source::Attempt(key).number();
            let attempt = self.attempts.get_mut(key).expect("accepted above");
            if let Err(error) = self.epoll.add(&*attempt, Watch::Read, number) {
                self.discard(key);
                return self.stop_listening(error);
            }
        }
    }

    /// Advances an attempt that has something to read, or has been made or refused.
    pub(crate) fn advance(&mut self, key: Key) {
        let Some(attempt) = self.attempts.get_mut(key) else {
            return;
        };
        let mut known = Known {
            own: &self.identity,
            endpoints: &mut self.endpoints,
            names: &mut self.names,
        };
        match attempt.step(&mut known) {
            Step::Wait => {}
            Step::Reached => {
                let number = Source::Attempt(key).number();
                if let Err(error) = self.epoll.modify(&*attempt, Watch::Read, number) {
                    self.troubled(key, Trouble::Local(error));
                }
            }
            Step::Greeted(peer, rail) => {
                if let Some(earlier) = self.attempts.greeted(key, peer, rail) {
                    self.epoll.remove(earlier);
                }
            }
            Step::Accepted(proven) => self.accepted(key, proven),
            Step::Yielded(peer, rail) => {
                self.discard(key);
                if let Some(endpoint) = self.endpoints.get_mut(&peer) {
                    let state = &mut endpoint.rail(rail).state;
                    if matches!(state, RailState::Dialing(ours) if *ours == key) {
                        *state = RailState::Awaiting(Instant::now());
                    }
                }
            }
            Step::Gone(peer) => {
                self.discard(key);
                let how = "it has given up this process, or has lost what was said before".into();
                self.lose(peer, Error::PeerGone { peer, how });
            }
            Step::Full(peer) => {
                self.discard(key);
                let why = "it has no descriptor left for it; raise the limit there (ulimit -n)";
                let why = why.into();
                self.lose(peer, Error::Unconnected { peer, why });
            }
            Step::Proved(proven) => self.decide(key, proven),
            Step::Trouble(trouble) => self.troubled(key, trouble),
        }
    }

    /// Follows the peer's acceptance of a connection of ours.
    fn accepted(&mut self, key: Key, proven: Proven) {
        let peer = proven.peer;
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return self.discard(key);
        };
        let state = &endpoint.rail(proven.place.rail.into()).state;
        if !matches!(state, RailState::Dialing(ours) if *ours == key) {
            return self.discard(key);
        }
        match endpoint.fit(&proven.state) {
            Fit::Well => self.establish(key, proven, proven.place.round),
            _ => {
                self.discard(key);
                let how = "it has restarted, and earlier messages are lost".into();
                self.lose(peer, Error::PeerGone { peer, how });
            }
        }
    }

    /// Decides whether a peer that proved itself is let in, and whose connection stays.
    fn decide(&mut self, key: Key, proven: Proven) {
        let (peer, number) = (proven.peer, usize::from(proven.place.rail));
        self.refuse(peer);
        let own = &self.identity;
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return self.discard(key);
        };
        let precedes = endpoint.foreign.as_ref().unwrap_or(own).precedes(peer);
        match endpoint.fit(&proven.state) {
            Fit::Well => {}
            Fit::Later => return self.discard(key),
            Fit::Not => {
                let verdict = match endpoint.link {
                    Link::Failed(Error::Unconnected { .. }) => Verdict::Full,
                    _ => Verdict::Gone,
                };
                return self.dismiss(key, verdict);
            }
            Fit::Anew => {
                self.discard(key);
                return self.begin_anew(peer);
            }
        }
        let rail = endpoint.rail(number);
        let round = rail.round.max(proven.place.round);
        let ours = match &rail.state {
            RailState::Down | RailState::Awaiting(_) => None,
            RailState::Dialing(ours) if !precedes => Some(*ours),
            RailState::Dialing(_) => return self.dismiss(key, Verdict::Yield),
            RailState::Up(_) if proven.place.round < rail.round => {
                log::debug!("{peer} connects again, with an attempt that was given up");
                return self.discard(key);
            }
            RailState::Up(_) => {
                // The peer knows sooner than this process that it broke.
                self.take_down(peer, number);
                None
            }
        };
        if let Some(ours) = ours {
            self.discard(ours);
        }
        let attempt = self.attempts.get_mut(key);
        let accepted = attempt.map(|attempt| attempt.decide(Verdict::Accept));
        if matches!(accepted, Some(Ok(()))) {
            return self.establish(key, proven, round);
        }
        // The peer's process ended meanwhile, or it tries again.
        self.discard(key);
        if let Some(endpoint) = self.endpoints.get_mut(&peer) {
            endpoint.rail(number).state = RailState::Down;
        }
        self.replace_lead(peer, "it hung up during the handshake");
        self.dial_next(peer);
    }

    /// Ends an attempt of a peer's with a verdict.
    fn dismiss(&mut self, key: Key, verdict: Verdict) {
        if let Some(attempt) = self.attempts.get_mut(key) {
            let _ = attempt.decide(verdict);
        }
        self.discard(key);
    }

    /// Handles a peer that has lost its side of the state. Where nothing is lost with it, both
    /// restart.
    fn begin_anew(&mut self, peer: PeerId) {
        let reads = self.reads.count(peer);
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        if endpoint.is_outstanding() || reads > 0 {
            let how = "it has restarted, and messages under way are lost".into();
            return self.lose(peer, Error::PeerGone { peer, how });
        }
        self.unlink(peer, Link::Idle);
        if let Some(endpoint) = self.endpoints.get_mut(&peer) {
            endpoint.reopen(self.names.draw());
        }
    }

    /// Turns an attempt into a connection of the peer's after the handshake.
    fn establish(&mut self, key: Key, proven: Proven, round: u16) {
        let (peer, number) = (proven.peer, usize::from(proven.place.rail));
        let Some(attempt) = self.attempts.remove(key) else {
            return;
        };
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return self.epoll.remove(attempt);
        };
        let (cache, frame_max) = (self.settings.endpoint_cache, proven.frame_max as usize);
        let protection = self.identity.protection();
        let outward = Seal::new(protection, &proven.keys.outward);
        let sealed = outward
            .zip(Seal::new(protection, &proven.keys.inward))
            .map(|(outward, inward)| Sealed::new(outward, inward));
        let receiver = Receiver::new(peer, cache, frame_max);
        let rail = endpoint.rail(number);
        rail.state = RailState::Up(Box::new(Lane::new(attempt.stream, sealed, receiver)));
        rail.round = round.saturating_add(1);
        endpoint.their_name = proven.state.name;
        let again = matches!(&endpoint.link, Link::Seeking(seek) if seek.again);
        endpoint.link = Link::Up;
        self.lanes += 1;
        log::debug!("connected with {peer}, rail {number}");
        if again {
            log::info!("{peer} is connected again");
            news::tell(|| News::ConnectedAgain(peer));
        }
        let shared = endpoint.shared;
        let needless = endpoint
            .rails
            .iter_mut()
            .skip(shared.max(1))
            .map(|rail| &mut rail.state);
        let needless: Vec<Key> = needless
            .filter_map(|state| match state {
                RailState::Dialing(key) => {
                    let key = *key;
                    *state = RailState::Down;
                    Some(key)
                }
                _ => None,
            })
            .collect();
        let leads = endpoint.lead.is_none();
        for key in needless {
            self.discard(key);
        }
        self.watch(peer, number, Watch::Read);
        if leads {
            self.lead(peer, number, proven.state.due);
        }
        self.write_all(peer);
    }

    /// Makes a rail carry the numbered frames from now on; `due` is the first that the peer lacks.
    fn lead(&mut self, peer: PeerId, number: usize, due: u64) {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        endpoint.lead = Some(number);
        if let Err(unsent) = endpoint.outgoing.restart(due) {
            let what = format!("it says that it has had {unsent}");
            self.lose(peer, Error::Protocol { peer, what });
        }
    }

    /// Writes pending frames for a peer, over all its rails.
    pub(crate) fn write_all(&mut self, peer: PeerId) {
        let rails = self.endpoints.get(&peer).map_or(0, |peer| peer.rails.len());
        let lead = self.endpoints.get(&peer).and_then(|peer| peer.lead);
        // The lead last: refusals found for other rails are for it.
        for number in (0..rails)
            .filter(|number| Some(*number) != lead)
            .chain(lead)
        {
            self.write(peer, number);
        }
    }

    /// Offers pieces that wait to all rails, where there are several.
    pub(crate) fn share_out(&mut self, peer: PeerId) {
        let waits =
            |endpoint: &Endpoint| endpoint.has_pieces() && endpoint.lanes().nth(1).is_some();
        if self.endpoints.get(&peer).is_some_and(waits) {
            self.write_all(peer);
        }
    }

    /// Writes pending frames of a rail.
    #[inline]
    pub(crate) fn write(&mut self, peer: PeerId, number: usize) {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        let mut waits = endpoint.flush(number);
        if !waits && endpoint.should_acknowledge(number) {
            endpoint.acknowledge(number);
            waits = endpoint.flush(number);
        }
        self.settle(peer, number, waits);
    }

    /// Watches for room to write exactly while something waits for it.
    pub(crate) fn settle(&mut self, peer: PeerId, number: usize, waits: bool) {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        let Some(lane) = endpoint.lane(number) else {
            return;
        };
        let wants = waits && !lane.broken;
        if wants == lane.watches_write {
            return;
        }
        lane.watches_write = wants;
        if wants {
            self.blocked += 1;
            self.watch(peer, number, Watch::Both);
        } else {
            self.blocked -= 1;
            self.watch(peer, number, Watch::Read);
        }
    }

    fn watch(&mut self, peer: PeerId, number: usize, watch: Watch) {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        let Some(lane) = endpoint.lane(number) else {
            return;
        };
        let source = Source::Lane(peer, number).number();
        if let Err(error) = self.epoll.modify(&lane.stream, watch, source) {
            let why = format!("it cannot be watched: {error}");
            self.broke(peer, number, &why, Duration::ZERO);
        }
    }

    /// Handles the end of a connection's input.
    pub(crate) fn ended(&mut self, peer: PeerId, number: usize, end: End) {
        let protocol = |what| Error::Protocol { peer, what };
        match end {
            End::Goodbye => self.left(peer),
            End::Closed => {
                self.broke(
                    peer,
                    number,
                    "it closed without a shutdown message",
                    Duration::ZERO,
                );
            }
            End::Broken(error) => {
                self.damaged += u64::from(error.kind() == io::ErrorKind::InvalidData);
                let silence = match error.kind() {
                    io::ErrorKind::TimedOut => health::patience(self.settings.reconnect_timeout),
                    _ => Duration::ZERO,
                };
                self.broke(peer, number, &error.to_string(), silence);
            }
            End::Malformed(malformed) => self.lose(peer, protocol(malformed.to_string())),
            End::Unasked(what) => self.lose(peer, protocol(format!("it sent {what}"))),
            End::Sequence { due, came } => {
                self.lose(peer, protocol(format!("frame {came} where {due} was due")));
            }
        }
    }

    /// Handles the peer's shutdown message.
    fn left(&mut self, peer: PeerId) {
        let waiting = match self.endpoints.get(&peer) {
            Some(endpoint) => endpoint.outgoing.unwritten_bytes(),
            None => return,
        };
        let reads = self.reads.count(peer);
        if waiting > 0 || reads > 0 {
            let how =
                format!("it left while {waiting} bytes waited for it and {reads} for its memory");
            return self.lose(peer, Error::PeerGone { peer, how });
        }
        log::debug!("{peer} has left");
        self.unlink(peer, Link::Left);
        if let Some(endpoint) = self.endpoints.get_mut(&peer) {
            endpoint.outgoing.give_up();
        }
    }

    /// Handles a broken connection: others take over its frames, or the peer is sought. `silence`:
    /// how long the peer had been silent before that was seen.
    pub(crate) fn broke(&mut self, peer: PeerId, number: usize, why: &str, silence: Duration) {
        log::info!("connection {number} with {peer} broke: {why}");
        if self.take_down(peer, number) {
            self.replace_lead(peer, why);
            let endpoint = self.endpoints.get_mut(&peer);
            if let Some(Link::Seeking(seek)) = endpoint.map(|endpoint| &mut endpoint.link) {
                // That counts as time in which the peer was sought.
                seek.since = seek.since.checked_sub(silence).unwrap_or(seek.since);
            }
            self.watch_for_stall(peer, silence);
            self.write_all(peer);
        }
    }

    /// Ends a rail's connection, without consequences for others. Returns whether there was one.
    fn take_down(&mut self, peer: PeerId, number: usize) -> bool {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return false;
        };
        let Some(lane) = endpoint.unhook(number) else {
            return false;
        };
        self.epoll.remove(&lane.stream);
        self.lanes -= 1;
        self.blocked -= usize::from(lane.watches_write);
        if self.pace.hot == Some((peer, number)) {
            self.pace.hot = None;
        }
        true
    }

    /// Promotes another rail where none leads, or seeks the peer.
    fn replace_lead(&mut self, peer: PeerId, why: &str) {
        let Some(endpoint) = self.endpoints.get(&peer) else {
            return;
        };
        if endpoint.lead.is_some() || !matches!(endpoint.link, Link::Up) {
            return;
        }
        match endpoint.best_lead() {
            Some(next) => self.lead(peer, next, 0),
            // Those that are left have broken too, and have yet to be read to their end.
            None if endpoint.lanes().next().is_some() => {}
            None => self.seek(peer, Some(why.to_string())),
        }
    }

    /// Gives a peer up, with everything pending for it.
    pub(crate) fn lose(&mut self, peer: PeerId, error: Error) {
        log::info!("{error}");
        self.unlink(peer, Link::Failed(error.clone()));
        if let Some(endpoint) = self.endpoints.get_mut(&peer) {
            endpoint.outgoing.give_up();
            endpoint.owed.clear();
            endpoint.again.clear();
        }
        self.reads.fail(peer, &error, &mut self.reports);
        self.reports.push_back(Report::Failed(peer, error));
    }

    /// Closes a peer's sockets, and sets the endpoint's next state.
    pub(crate) fn unlink(&mut self, peer: PeerId, next: Link) {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        endpoint.link = next;
        for number in 0..endpoint.rails.len() {
            self.take_down(peer, number);
            let Some(endpoint) = self.endpoints.get_mut(&peer) else {
                return;
            };
            // `take_down` left only an attempt, or nothing.
            if let RailState::Dialing(key) = std::mem::take(&mut endpoint.rail(number).state) {
                self.discard(key);
            }
        }
    }

    /// Drops an attempt, without consequences for the peer that it was for.
    pub(crate) fn discard(&mut self, key: Key) {
        if let Some(attempt) = self.attempts.remove(key) {
            self.epoll.remove(attempt);
        }
    }

    fn troubled(&mut self, key: Key, trouble: Trouble) {
        let Some(attempt) = self.attempts.remove(key) else {
            return;
        };
        self.epoll.remove(&attempt);
        match attempt.target() {
            Some((peer, rail)) => {
                self.dial_failed(peer, rail, attempt.has_reached(), &trouble);
            }
            None => match attempt.origin() {
                Some(origin) => log::info!("a connection from {origin} is dropped: {trouble}"),
                None => log::info!("a connection that has ended is dropped: {trouble}"),
            },
        }
    }

    /// Checks deadlines, retries failed attempts, acknowledges frames, and listens again.
    pub(crate) fn tick(&mut self) {
        self.timer.acknowledge();
        self.ticks = self.ticks.wrapping_add(1);
        let now = Instant::now();
        for key in self.attempts.overdue(now) {
            // Its input may have come while this process was busy elsewhere.
            self.advance(key);
            if self
                .attempts
                .get_mut(key)
                .is_some_and(|attempt| attempt.deadline.is_some())
            {
                self.troubled(key, Trouble::Connect(io::ErrorKind::TimedOut.into()));
            }
        }
        let peers: Vec<PeerId> = self.endpoints.keys().copied().collect();
        let mut more = false;
        for peer in peers {
            more |= self.tend(peer, now);
        }
        more |= self.lingering.tend(now);
        more |= self.listen_again(now) || !self.attempts.is_empty();
        self.timer.run(more, TICK);
    }

    /// Does a peer's periodic work at a tick. Returns whether it needs more ticks.
    fn tend(&mut self, peer: PeerId, now: Instant) -> bool {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return false;
        };
        match endpoint.link {
            Link::Seeking(_) => {
                self.go_on_seeking(peer, now);
                true
            }
            Link::Up => {
                let patience = self.settings.handshake_timeout;
                endpoint.stop_awaiting(now, patience);
                for key in endpoint.stop_dialing(now, patience) {
                    self.discard(key);
                }
                let Some(endpoint) = self.endpoints.get_mut(&peer) else {
                    return false;
                };
                if endpoint.wants_rails {
                    self.widen(peer, now);
                }
                self.tell(peer);
                self.share_out(peer);
                if self.ticks.is_multiple_of(TICKS_PER_LOOK) {
                    self.look_for_cuts(peer, now);
                }
                let endpoint = &mut self.endpoints.get_mut(&peer);
                endpoint.as_mut().is_some_and(|endpoint| {
                    let owes = endpoint.incoming.owes();
                    if !endpoint.outgoing.is_unacked() {
                        endpoint.outgoing.shrink();
                    }
                    owes || endpoint.is_outstanding() || endpoint.is_being_connected()
                })
            }
            _ => false,
        }
    }

    /// Acknowledges received frames to a peer, where there was no occasion to.
    fn tell(&mut self, peer: PeerId) {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        let owes = endpoint.incoming.owes();
        let lead = endpoint.lead;
        for number in 0..endpoint.rails.len() {
            let Some(endpoint) = self.endpoints.get_mut(&peer) else {
                return;
            };
            let news = endpoint
                .lane(number)
                .is_some_and(|lane| lane.receiver.answers_untold() > 0);
            if news || owes && lead == Some(number) {
                endpoint.acknowledge(number);
                self.write(peer, number);
            }
        }
    }

    /// Ends the connections on which outstanding frames get no reply.
    fn look_for_cuts(&mut self, peer: PeerId, now: Instant) {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        if !endpoint.is_outstanding() && !endpoint.incoming.owes() {
            return;
        }
        let looks: Vec<(usize, Health)> = endpoint
            .lanes()
            .filter_map(|(number, lane)| Some((number, Health::of(&lane.stream).ok()?)))
            .collect();
        let mut patience = health::patience(self.settings.reconnect_timeout);
        // Where another connection can take over, little is lost by giving one up too early.
        if looks.len() > 1 && looks.iter().any(|(_, health)| !health.is_unanswered()) {
            patience = patience.min(PATIENCE_BESIDE_ANOTHER);
        }
        let mut cut = Vec::new();
        for (number, health) in looks {
            let lane = endpoint.lane(number);
            if lane.is_some_and(|lane| lane.watcher.is_cut(&health, now, patience)) {
                cut.push(number);
            }
        }
        for number in cut {
            self.broke(peer, number, "its other end does not respond", patience);
        }
    }

    /// Lets a removed peer's connections linger until it has read what was written.
    pub(crate) fn linger(&mut self, peer: PeerId) {
        let now = Instant::now();
        self.lingering.tend(now);
        let lanes = self.endpoints.get(&peer).into_iter();
        for (_, lane) in lanes.flat_map(Endpoint::lanes) {
            // Without a descriptor to spare it is closed at once.
            if let Ok(stream) = lane.stream.try_clone() {
                self.lingering.add(stream, now);
            }
        }
        self.timer.run(true, TICK);
    }

    /// Sends the shutdown message to every peer that is, or is about to be, connected.
    pub(crate) fn write_goodbyes(&mut self) {
        let peers: Vec<PeerId> = self.endpoints.keys().copied().collect();
        for peer in peers {
            let Some(endpoint) = self.endpoints.get_mut(&peer) else {
                continue;
            };
            let waits = endpoint.outgoing.is_unacked();
            match endpoint.link {
                Link::Up => endpoint.say_goodbye(),
                Link::Seeking(_) if waits => endpoint.say_goodbye(),
                _ => continue,
            }
            self.write_all(peer);
        }
    }
}

impl Endpoint {
    /// Accepts the shutdown message, whatever the log holds.
    pub fn say_goodbye(&mut self) {
        self.send(Kind::Goodbye, &[], crate::endpoint::Body::Own(&[]));
    }
}
