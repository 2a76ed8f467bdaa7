//! Connecting: when each address of a peer is tried, and when the peer is given up.
//!
//! **A broken connection does not mean that the peer failed.** Frames that the peer has not
//! acknowledged go over another rail, or wait until there is one again.
//!
//! Paths are tried in rounds, best first, the next one as soon as one has failed or has been
//! silent for a moment; whichever proves itself first is taken. Between rounds there is a pause,
//! which grows. [`crate::search`] says after which of them a peer is given up.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::PeerId;
use btl::Error;
use mca::Framework;

use crate::attempt::{DialedAttempt, Trouble};
use crate::descriptor_shortage::{self, is_shortage};
use crate::health::{self, Health};
use crate::pairing::Class;
use crate::params::Settings;
use crate::peer::{Link, Peer};
use crate::peers::Peers;
use crate::rails::{Rail, RailState};
use crate::receiver::End;
use crate::search::{PeerSearch, SILENT};
use crate::sys::Epoll;

/// Factor on the time that a peer may be silent, where it was never reached.
const FIRST_TIME: u32 = 10;
/// Pause between tries of a rail beside others that are up.
const RAIL_PAUSE: Duration = Duration::from_secs(1);
/// Time that a silent connection is tolerated while another one to the same peer replies.
const PATIENCE_BESIDE_ANOTHER: Duration = Duration::from_secs(2);

/// Makes the connections that this process begins.
pub struct Dialer {
    settings: Arc<Settings>,
    epoll: Arc<Epoll>,
    /// Shared by the attempts under way, so that it counts them.
    under_way: Arc<()>,
    /// Whether the user has been warned of a lack of descriptors.
    warned: bool,
}

impl Dialer {
    /// Creates a dialer whose sockets join this epoll set.
    pub fn new(settings: Arc<Settings>, epoll: Arc<Epoll>) -> Dialer {
        Dialer {
            settings,
            epoll,
            under_way: Arc::new(()),
            warned: false,
        }
    }

    /// Returns the parameters.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the epoll set of all sockets.
    pub fn epoll(&self) -> &Arc<Epoll> {
        &self.epoll
    }

    /// Returns a share of the counter of attempts, for one attempt to hold.
    pub fn share(&self) -> Arc<()> {
        self.under_way.clone()
    }

    /// Whether a connection is being made, by either side.
    #[inline]
    pub fn is_connecting(&self) -> bool {
        Arc::strong_count(&self.under_way) > 1
    }

    /// Warns the user at once that connections have to wait for a descriptor: peers that never get
    /// one are given up much later. Once, since every tick retries.
    pub fn warn_of_shortage(&mut self, error: &io::Error) {
        if !std::mem::replace(&mut self.warned, true) {
            Framework::Btl.warn(format_args!(
                "connections have to wait: {error}; the limit may be too low (ulimit -n)"
            ));
        }
    }

    /// Starts the search for a peer. `lost`: the reason that a former connection is gone, if any.
    pub fn search_for(&mut self, peers: &mut Peers, peer: PeerId, lost: Option<String>) {
        if let Some(known) = peers.get_mut(peer) {
            known.link = Link::Searching(PeerSearch::new(lost));
            self.dial_next(peers, peer);
        }
    }

    /// Tries the path that is due, and if that fails at once, the next ones.
    pub fn dial_next(&mut self, peers: &mut Peers, peer: PeerId) {
        loop {
            let Some(known) = peers.get_mut(peer) else {
                return;
            };
            let Link::Searching(search) = &mut known.link else {
                return;
            };
            if search.pause_until.is_some() {
                return;
            }
            let number = search.next;
            if number >= known.rails.paths.len() {
                return self.round_over(peers, peer);
            }
            search.next += 1;
            search.tried_at = Instant::now();
            let is_down = matches!(known.rails.at(number).state, RailState::Down);
            if is_down && self.dial(known, number) {
                return;
            }
        }
    }

    /// Begins to connect a rail; false where that fails at once.
    fn dial(&mut self, known: &mut Peer, number: usize) -> bool {
        let Some(path) = known.rails.paths.get(number).copied() else {
            return false;
        };
        let now = Instant::now();
        known.rails.at(number).tried_at = Some(now);
        let mut deadline = now + self.settings.handshake_timeout;
        if let Link::Searching(PeerSearch {
            again: true, since, ..
        }) = &known.link
        {
            let end = *since + self.settings.reconnect_timeout;
            deadline = deadline.min(end.max(now + SILENT));
        }
        let share = self.share();
        let to = (known.id, number);
        match DialedAttempt::begin(to, &path, &self.settings, &self.epoll, deadline, share) {
            Ok(attempt) => {
                known.rails.at(number).state = RailState::Dialing(Box::new(attempt));
                true
            }
            Err(trouble) => {
                known.note(number, &trouble);
                if let Trouble::Local(error) = &trouble {
                    if is_shortage(error) {
                        self.warn_of_shortage(error);
                    }
                }
                false
            }
        }
    }

    /// Handles a failed attempt to connect. `reached`: the peer's kernel had replied.
    pub fn dial_failed(
        &mut self,
        peers: &mut Peers,
        (peer, number): (PeerId, usize),
        reached: bool,
        trouble: &Trouble,
    ) {
        let Some(known) = peers.get_mut(peer) else {
            return;
        };
        let tried_at = known.rails.at(number).tried_at;
        let long = tried_at.is_some_and(|at| at.elapsed() > RAIL_PAUSE);
        known.note(number, trouble);
        if let Link::Searching(search) = &mut known.link {
            if reached && long {
                // Until now its host replied.
                search.since = Instant::now();
            }
            self.dial_next(peers, peer);
        }
    }

    /// Ends a round, in which all paths have been tried once more.
    fn round_over(&mut self, peers: &mut Peers, peer: PeerId) {
        let Some(known) = peers.get_mut(peer) else {
            return;
        };
        if known.rails.is_being_connected() {
            return;
        }
        let paths = known.rails.paths.len();
        let is_host = |path: &crate::pairing::Rail| path.class == Class::Host;
        let within_host = known.rails.paths.iter().any(is_host);
        let Link::Searching(search) = &mut known.link else {
            return;
        };
        let outage = self.settings.reconnect_timeout;
        let (handshake, silence) = (self.settings.handshake_timeout, search.since.elapsed());
        let is_brief = search.again || search.wants.is_some();
        let limit = match (is_brief, within_host) {
            (true, _) => outage,
            (false, true) => Duration::MAX,
            (false, false) => handshake.max(outage.saturating_mul(FIRST_TIME)),
        };
        if !search.is_hopeless(limit) {
            search.pause_until = Some(Instant::now() + search.pause());
            if silence >= outage && !std::mem::replace(&mut search.warned, true) {
                let (silence, last) = (silence.as_secs_f32(), &search.last);
                Framework::Btl.warn(format_args!(
                    "{peer} has replied at none of its {paths} addresses for {silence:.0} s \
                     ({last}): check for a firewall between the hosts, or for other programs that \
                     fill the queue of its listener while it computes; the search goes on"
                ));
            }
            return;
        }
        if let Some(why) = &search.wants {
            let why = descriptor_shortage::explain(why);
            return peers.lose(peer, Error::Unconnected { peer, why });
        }
        let how = search.end(paths);
        peers.lose(peer, Error::PeerGone { peer, how });
    }

    /// Continues the search for a peer at a tick.
    pub fn continue_search(&mut self, peers: &mut Peers, peer: PeerId, now: Instant) {
        let patience = self.settings.handshake_timeout;
        let Some(known) = peers.get_mut(peer) else {
            return;
        };
        known.rails.stop_awaiting(now, patience);
        let Link::Searching(search) = &mut known.link else {
            return;
        };
        match search.pause_until {
            Some(until) if now < until => return,
            Some(_) => (search.pause_until, search.next) = (None, 0),
            None if now < search.tried_at + SILENT => return,
            None => {}
        }
        self.dial_next(peers, peer);
    }

    /// Connects the rails that share large transfers and are down.
    pub fn widen(&mut self, known: &mut Peer, now: Instant) {
        let is_down = |rail: &Rail| {
            let rests = rail.tried_at.is_some_and(|at| now < at + RAIL_PAUSE);
            matches!(rail.state, RailState::Down) && !rests
        };
        for number in 0..known.rails.shared {
            if known.rails.find(number).is_none_or(is_down) {
                self.dial(known, number);
            }
        }
    }
}

/// Connections that end.
impl Dialer {
    /// Handles the end of a connection's input.
    pub fn ended(&mut self, peers: &mut Peers, (peer, number): (PeerId, usize), end: End) {
        let protocol = |what| Error::Protocol { peer, what };
        match end {
            End::Goodbye => peers.left(peer),
            End::Closed => {
                let why = "it closed without a shutdown message";
                self.broke(peers, (peer, number), why, Duration::ZERO);
            }
            End::Broken(error) => {
                peers.damaged += u64::from(error.kind() == io::ErrorKind::InvalidData);
                let silence = match error.kind() {
                    io::ErrorKind::TimedOut => health::patience(self.settings.reconnect_timeout),
                    _ => Duration::ZERO,
                };
                self.broke(peers, (peer, number), &error.to_string(), silence);
            }
            End::Malformed(malformed) => peers.lose(peer, protocol(malformed.to_string())),
            End::Unasked(what) => peers.lose(peer, protocol(format!("it sent {what}"))),
            End::Unsent => {
                let what = "it acknowledges what was never sent".into();
                peers.lose(peer, protocol(what));
            }
            End::Sequence { due, came } => {
                peers.lose(peer, protocol(format!("frame {came} where {due} was due")));
            }
        }
    }

    /// Handles a broken connection: others take over its frames, or the peer is sought. `silence`:
    /// how long the peer had been silent before that was seen.
    fn broke(
        &mut self,
        peers: &mut Peers,
        (peer, number): (PeerId, usize),
        why: &str,
        silence: Duration,
    ) {
        Framework::Btl.info(format_args!("connection {number} with {peer} broke: {why}"));
        if !peers.take_down(peer, number) {
            return;
        }
        self.replace_lead(peers, peer, why);
        let missing = peers.reads.missing(peer);
        if let Some(known) = peers.get_mut(peer) {
            if let Link::Searching(search) = &mut known.link {
                // That counts as time in which the peer was sought.
                search.since = search.since.checked_sub(silence).unwrap_or(search.since);
            }
            known.watch_for_stall(missing, silence, self.settings.reconnect_timeout);
        }
        peers.write_all(peer);
    }

    /// Promotes another rail where none leads, or searches for the peer.
    pub fn replace_lead(&mut self, peers: &mut Peers, peer: PeerId, why: &str) {
        let Some(known) = peers.get(peer) else {
            return;
        };
        if known.rails.lead.is_some() || !matches!(known.link, Link::Up) {
            return;
        }
        match known.rails.best_lead() {
            Some(next) => peers.lead(peer, next, 0),
            // Those that are left have broken too, and have yet to be read to their end.
            None if known.rails.connections().next().is_some() => {}
            None => self.search_for(peers, peer, Some(why.to_string())),
        }
    }

    /// Ends the connections on which nothing that was written gets a reply. A bare acknowledgement
    /// counts, too: while the kernel repeats it, it sends no probes that would find the cut.
    pub fn check_health(&mut self, peers: &mut Peers, peer: PeerId, now: Instant) {
        let Some(known) = peers.get_mut(peer) else {
            return;
        };
        let is_unconfirmed = known.rails.connections().any(|(_, it)| it.unconfirmed);
        if !is_unconfirmed && !known.is_outstanding() && !known.incoming.owes() {
            return;
        }
        let connections = known.rails.connections();
        let checks: Vec<(usize, Health)> = connections
            .filter_map(|(number, it)| Some((number, Health::of(&*it.stream).ok()?)))
            .collect();
        let mut patience = health::patience(self.settings.reconnect_timeout);
        // Where another connection can take over, little is lost by giving one up too early.
        if checks.len() > 1 && checks.iter().any(|(_, health)| !health.is_unanswered()) {
            patience = patience.min(PATIENCE_BESIDE_ANOTHER);
        }
        let mut cut = Vec::new();
        for (number, health) in checks {
            let connection = known.rails.connection(number);
            if connection.is_some_and(|it| it.watcher.is_cut(&health, now, patience)) {
                cut.push(number);
            }
        }
        for number in cut {
            self.broke(
                peers,
                (peer, number),
                "its other end does not respond",
                patience,
            );
        }
    }
}
