//! Want of descriptors: connections that wait to be accepted, and those that cannot be begun.
//!
//! A process that has none left stops listening, since a listener that stays ready would be found
//! ready for ever, and tries again at every tick. Who connects meanwhile waits, for a process may
//! close files soon. A ring of processes that have all used their last descriptor to connect to
//! the next one would wait for ever: who has been deaf for as long as a peer may be out of reach
//! gives up the peers that it seeks itself, says why, and has their descriptors to accept with.

use std::io;
use std::os::fd::AsRawFd;
use std::time::Instant;

use base::PeerId;
use btl::Error;

use crate::component::{Source, Transport};
use crate::endpoint::{Endpoint, Link};
use crate::lifecycle::TICK;
use crate::sys::Watch;

/// Whether connections can be accepted.
#[derive(Default)]
pub struct Deaf {
    /// Why listening waits for a tick.
    waits: Option<io::Error>,
    /// Since when nothing was accepted for want of a descriptor.
    since: Option<Instant>,
    /// Whether the user has been told so.
    told: bool,
}

impl Deaf {
    /// A connection was accepted.
    pub fn hears(&mut self) {
        self.since = None;
    }
}

/// Whether a process or its system has no descriptor left.
pub fn is_want(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE))
}

/// What to tell of that, with the system's own words.
pub fn want(why: &str) -> String {
    format!("this process has no descriptor left for it: {why}; raise the limit (ulimit -n)")
}

impl Transport {
    /// Accepts nothing before the next tick.
    pub(crate) fn stop_listening(&mut self, error: io::Error) {
        // Said once: every tick tries again.
        if !std::mem::replace(&mut self.deaf.told, true) {
            log::warn!("connections have to wait: {error}; the limit may be too low (ulimit -n)");
        }
        self.deaf.since.get_or_insert_with(Instant::now);
        self.deaf.waits = Some(error);
        self.timer.run(true, TICK);
        for listener in &self.listeners {
            self.epoll.remove(listener.as_raw_fd());
        }
    }

    /// Listens again, where that had to wait. Whether to look once more at the next tick.
    pub(crate) fn listen_again(&mut self, now: Instant) -> bool {
        let Some(error) = self.deaf.waits.take() else {
            self.deaf.since = None;
            return false;
        };
        let patience = self.settings.reconnect_timeout;
        let long = |since| now.duration_since(since) >= patience;
        if self.deaf.since.is_some_and(long) {
            self.deaf.since = None;
            self.give_up_sought(&error);
        }
        for (n, listener) in self.listeners.iter().enumerate() {
            let number = Source::Listener(n).number();
            if let Err(error) = self.epoll.add(listener.as_raw_fd(), Watch::Read, number) {
                self.deaf.waits = Some(error);
            }
        }
        true
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
