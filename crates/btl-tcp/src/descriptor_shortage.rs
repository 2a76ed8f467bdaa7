//! Lack of descriptors: connections that cannot be accepted, and those that cannot be begun.
//!
//! A process without a free descriptor stops polling its listeners, which would stay ready, and
//! retries at every tick. Peers that connect meanwhile wait, since the process may close files
//! soon. A process that has had no descriptor for as long as a peer may be out of reach gives
//! up the peers that it searches for: in a ring of processes that have all used their last
//! descriptor to connect to the next one, each would otherwise wait for ever. It also gives up the
//! peers that wait to be accepted: one at a time is accepted, with a descriptor reserved for that,
//! and refused once it has proved its identity. So both sides learn of it, and unauthenticated
//! connections change nothing.

use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use crate::sys::Epoll;

/// Whether connections can be accepted.
pub struct DescriptorShortage {
    /// A spare descriptor, to accept connections that are to be refused.
    reserve: Option<OwnedFd>,
    /// The reason to refuse peers that connect.
    refuses: Option<String>,
    /// The reason that listening waits for a tick.
    waits: Option<io::Error>,
    /// Time since which nothing was accepted for want of a descriptor.
    since: Option<Instant>,
}

/// The state of a shortage, as a tick finds it.
pub enum Phase {
    /// Connections are accepted.
    Over,
    /// Peers that connect are refused, and the listeners are watched.
    Refusing,
    /// Listening is tried again.
    Retry,
    /// Listening is tried again, and peers are given up from now on, for this reason.
    GiveUp(String),
}

impl DescriptorShortage {
    /// Creates the state for a transport with this epoll set.
    pub fn new(epoll: &Epoll) -> DescriptorShortage {
        DescriptorShortage {
            reserve: epoll.duplicate().ok(),
            refuses: None,
            waits: None,
            since: None,
        }
    }

    /// Records that a connection was accepted.
    pub fn accepted(&mut self) {
        self.since = None;
    }

    /// Records that nothing is accepted before the next tick.
    pub fn begin(&mut self, error: io::Error) {
        self.since.get_or_insert_with(Instant::now);
        self.waits = Some(error);
    }

    /// Returns the reason to refuse a peer that has connected, where there is one.
    pub fn refuses(&self) -> Option<&str> {
        self.refuses.as_deref()
    }

    /// Follows the shortage at a tick; `outage`: how long a peer may be out of reach.
    pub fn tick(&mut self, now: Instant, outage: Duration, epoll: &Epoll) -> Phase {
        let Some(error) = self.waits.take() else {
            self.since = None;
            if self.refuses.is_some() {
                self.recover(epoll);
            }
            return match self.refuses {
                Some(_) => Phase::Refusing,
                None => Phase::Over,
            };
        };
        let is_long = |since| now.duration_since(since) >= outage;
        if !self.since.is_some_and(is_long) {
            return Phase::Retry;
        }
        self.since = None;
        self.reserve = None;
        self.refuses = Some(error.to_string());
        Phase::GiveUp(error.to_string())
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
pub fn is_shortage(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE))
}

/// Returns the message about a lack of descriptors, with the system's own text.
pub fn explain(why: &str) -> String {
    format!("this process has no descriptor left for it: {why}; raise the limit (ulimit -n)")
}
