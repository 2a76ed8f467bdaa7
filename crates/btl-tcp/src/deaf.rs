//! Lack of descriptors: connections that cannot be accepted, and those that cannot be begun.
//!
//! A process without a free descriptor stops polling its listeners, which would stay ready, and
//! retries at every tick. Peers that connect meanwhile wait, since the process may close files
//! soon. A process that has been *deaf* in this way for as long as a peer may be out of reach gives
//! up the peers that it seeks itself: in a ring of processes that have all used their last
//! descriptor to connect to the next one, each would otherwise wait for ever. It also gives up the
//! peers that wait to be accepted: one at a time is accepted, with a descriptor reserved for that,
//! and refused once it has proved its identity. So both sides learn of it, and strangers change
//! nothing.

use std::io;
use std::os::fd::OwnedFd;
use std::time::Instant;

use base::PeerId;
use btl::Error;

use crate::component::{Source, Transport};
use crate::endpoint::{Endpoint, Link};
use crate::lifecycle::TICK;
use crate::sys::{Epoll, Watch};

/// Whether connections can be accepted.
pub struct Deaf {
    /// A spare descriptor, to accept connections that are to be refused.
    reserve: Option<OwnedFd>,
    /// The reason to refuse peers that connect.
    refuses: Option<String>,
    /// The reason that listening waits for a tick.
    waits: Option<io::Error>,
    /// Time since which nothing was accepted for want of a descriptor.
    since: Option<Instant>,
    /// Whether the user has been warned.
    told: bool,
}

impl Deaf {
    /// Creates the state for a transport with this epoll set.
    pub fn new(epoll: &Epoll) -> Deaf {
        Deaf {
            reserve: epoll.duplicate().ok(),
            refuses: None,
            waits: None,
            since: None,
            told: false,
        }
    }

    /// Records that a connection was accepted.
    pub fn hears(&mut self) {
        self.since = None;
    }

    /// Refuses nobody any more, once there are descriptors for the reserve and for a connection.
    fn recover(&mut self, epoll: &Epoll) {
        if let (Ok(reserve), Ok(_)) = (epoll.duplicate(), epoll.duplicate()) {
            self.reserve = Some(reserve);
            self.refuses = None;
        }
    }
}

/// Whether a process or its system has no descriptor left.
pub fn is_want(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE))
}

/// Returns the message about a lack of descriptors, with the system's own text.
pub fn want(why: &str) -> String {
    format!("this process has no descriptor left for it: {why}; raise the limit (ulimit -n)")
}

impl Transport {
    /// Warns the user at once that connections have to wait for a descriptor: peers that never get
    /// one are given up much later. Once, since every tick retries.
    pub(crate) fn tell_want(&mut self, error: &io::Error) {
        if !std::mem::replace(&mut self.deaf.told, true) {
            log::warn!("connections have to wait: {error}; the limit may be too low (ulimit -n)");
        }
    }

    /// Accepts nothing before the next tick.
    pub(crate) fn stop_listening(&mut self, error: io::Error) {
        self.tell_want(&error);
        self.deaf.since.get_or_insert_with(Instant::now);
        self.deaf.waits = Some(error);
        self.timer.run(true, TICK);
        for listener in &self.listeners {
            self.epoll.remove(listener);
        }
    }

    /// Listens again, where that had to wait. Returns whether to try once more at the next tick.
    pub(crate) fn listen_again(&mut self, now: Instant) -> bool {
        let Some(error) = self.deaf.waits.take() else {
            self.deaf.since = None;
            if self.deaf.refuses.is_some() {
                self.deaf.recover(&self.epoll);
            }
            return self.deaf.refuses.is_some();
        };
        let patience = self.settings.reconnect_timeout;
        let long = |since| now.duration_since(since) >= patience;
        if self.deaf.since.is_some_and(long) {
            self.deaf.since = None;
            self.deaf.reserve = None;
            self.deaf.refuses = Some(error.to_string());
            self.give_up_sought(&error);
        }
        for (n, listener) in self.listeners.iter().enumerate() {
            let number = Source::Listener(n).number();
            if let Err(error) = self.epoll.add(listener, Watch::Read, number) {
                self.deaf.waits = Some(error);
            }
        }
        true
    }

    /// Gives up a peer that has connected, while this process has no descriptors.
    pub(crate) fn refuse(&mut self, peer: PeerId) {
        let connected = |endpoint: &Endpoint| matches!(endpoint.link, Link::Up);
        if self.endpoints.get(&peer).is_none_or(connected) {
            return;
        }
        if let Some(why) = &self.deaf.refuses {
            let why = want(why);
            self.lose(peer, Error::Unconnected { peer, why });
        }
    }

    fn give_up_sought(&mut self, error: &io::Error) {
        let sought = |endpoint: &Endpoint| matches!(endpoint.link, Link::Seeking(_));
        let peers = self.endpoints.iter();
        let peers = peers.filter(|(_, endpoint)| sought(endpoint));
        let peers: Vec<PeerId> = peers.map(|(peer, _)| *peer).collect();
        for peer in peers {
            let why = want(&error.to_string());
            self.lose(peer, Error::Unconnected { peer, why });
        }
    }
}
