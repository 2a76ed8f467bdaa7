//! The life of a connection, from the first attempt to its end: the transitions of the table in
//! the crate's documentation.

use std::io;
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

use base::{Key, PeerId};
use btl::Error;

use crate::component::{Source, Transport};
use crate::connect::{self, Step, Trouble};
use crate::endpoint::{Dialing, Endpoint, Lane, Link, Report};
use crate::handshake::{Proven, Verdict};
use crate::progress::{End, Receiver};
use crate::sys::Watch;

/// How often deadlines are looked at and failed attempts repeated.
const TICK: Duration = Duration::from_millis(100);
/// How often an address is tried again after it hung up during the handshake.
const RETRIES_MAX: u32 = 20;
/// Most connections accepted before others have their turn.
const ACCEPTS_MAX: usize = 64;

impl Transport {
    /// Starts to connect to a peer that was introduced.
    pub(crate) fn connect(&mut self, peer: PeerId) {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        endpoint.link = Link::Connecting(Dialing {
            attempt: None,
            candidate: 0,
            retries: 0,
        });
        self.dial(peer);
    }

    /// Tries the candidate that is due, and if that fails at once, the next ones.
    fn dial(&mut self, peer: PeerId) {
        let Some(Endpoint {
            link: Link::Connecting(dialing),
            candidates,
            ..
        }) = self.endpoints.get_mut(&peer)
        else {
            return;
        };
        let Some(rail) = candidates.get(dialing.candidate) else {
            return;
        };
        self.timer.run(true, TICK);
        let stream = match connect::dial(rail, &self.settings) {
            Ok(stream) => stream,
            Err(trouble) => return self.dial_failed(peer, trouble),
        };
        let fd = stream.as_raw_fd();
        let deadline = Instant::now() + self.settings.handshake_timeout;
        let key = self.attempts.dialed(stream, peer, deadline);
        dialing.attempt = Some(key);
        if let Err(error) = self
            .epoll
            .add(fd, Watch::Write, Source::Attempt(key).number())
        {
            self.discard(key);
            self.dial_failed(peer, Trouble::Local(error));
        }
    }

    /// An attempt to connect has come to nothing: the same address once more, the next one, or
    /// the end.
    fn dial_failed(&mut self, peer: PeerId, trouble: Trouble) {
        let Some(Endpoint {
            link: Link::Connecting(dialing),
            candidates,
            ..
        }) = self.endpoints.get_mut(&peer)
        else {
            return;
        };
        let address = match candidates.get(dialing.candidate) {
            Some(rail) => rail.remote.to_string(),
            None => "an address that was withdrawn".into(),
        };
        log::debug!("{peer} at {address}: {trouble}");
        dialing.attempt = None;
        let may_pass = matches!(trouble, Trouble::HungUp | Trouble::Local(_));
        if may_pass && dialing.retries < RETRIES_MAX {
            dialing.retries += 1;
            self.timer.run(true, TICK);
            return;
        }
        dialing.retries = 0;
        dialing.candidate += 1;
        if dialing.candidate < candidates.len() {
            return self.dial(peer);
        }
        let how = format!(
            "none of its {} addresses serves; {address}: {trouble}",
            candidates.len()
        );
        self.lose(peer, Error::PeerGone { peer, how });
    }

    /// Takes in the connections that wait at a listener.
    pub(crate) fn accept(&mut self, listener: usize) {
        for _ in 0..ACCEPTS_MAX {
            let Some(socket) = self.listeners.get(listener) else {
                return;
            };
            let stream = match connect::accept(socket, &self.settings) {
                Ok(Some(stream)) => stream,
                Ok(None) => return,
                Err(error) => return self.stop_listening(error),
            };
            let fd = stream.as_raw_fd();
            let deadline = Instant::now() + self.settings.handshake_timeout;
            let (key, crowded_out) = self.attempts.accepted(stream, deadline);
            if let Some(oldest) = crowded_out {
                self.epoll.remove(oldest.as_raw_fd());
                log::info!("too many connections that do not name themselves: the oldest goes");
            }
            self.timer.run(true, TICK);
            if let Err(error) = self
                .epoll
                .add(fd, Watch::Read, Source::Attempt(key).number())
            {
                self.discard(key);
                return self.stop_listening(error);
            }
        }
    }

    /// Without descriptors a listener that stays ready would be found ready for ever.
    fn stop_listening(&mut self, error: io::Error) {
        // Said once: every tick tries again.
        if !std::mem::replace(&mut self.told_deaf, true) {
            log::warn!("connections have to wait: {error}; the limit may be too low (ulimit -n)");
        }
        self.deaf = true;
        self.timer.run(true, TICK);
        for listener in &self.listeners {
            self.epoll.remove(listener.as_raw_fd());
        }
    }

    /// An attempt has something to read, or has been made or refused.
    pub(crate) fn advance(&mut self, key: Key) {
        let Some(attempt) = self.attempts.get_mut(key) else {
            return;
        };
        match attempt.step(&self.identity) {
            Step::Wait => {}
            Step::Reached => {
                let number = Source::Attempt(key).number();
                if let Err(error) = self.epoll.modify(attempt.as_raw_fd(), Watch::Read, number) {
                    self.troubled(key, Trouble::Local(error));
                }
            }
            Step::Greeted(peer) => {
                if let Some(earlier) = self.attempts.greeted(key, peer) {
                    self.epoll.remove(earlier.as_raw_fd());
                }
            }
            Step::Accepted(proven) => self.establish(key, proven),
            Step::Yielded(peer) => {
                self.discard(key);
                if let Some(endpoint) = self.endpoints.get_mut(&peer) {
                    if matches!(endpoint.link, Link::Connecting(_)) {
                        endpoint.link = Link::Awaiting(Instant::now());
                    }
                }
            }
            Step::Proved(proven) => self.decide(key, proven),
            Step::Trouble(trouble) => self.troubled(key, trouble),
        }
    }

    /// A peer that connected has proved itself: whose connection stays?
    fn decide(&mut self, key: Key, proven: Proven) {
        let peer = proven.peer;
        let endpoint = self
            .endpoints
            .entry(peer)
            .or_insert_with(|| Endpoint::new(peer));
        let ours = match &endpoint.link {
            Link::Idle | Link::Awaiting(_) => None,
            Link::Connecting(dialing) if peer < self.identity.me() => dialing.attempt,
            Link::Connecting(_) => {
                if let Some(attempt) = self.attempts.get_mut(key) {
                    let _ = attempt.decide(Verdict::Yield);
                }
                return self.discard(key);
            }
            Link::Left => {
                endpoint.reopen();
                None
            }
            Link::Up(_) | Link::Failed(_) => {
                log::debug!("{peer} connects, which has a connection already or has failed");
                return self.discard(key);
            }
        };
        if let Some(ours) = ours {
            self.discard(ours);
        }
        let accepted = self
            .attempts
            .get_mut(key)
            .map(|attempt| attempt.decide(Verdict::Accept));
        match accepted {
            Some(Ok(())) => self.establish(key, proven),
            // The peer's process ended meanwhile, or it tries again.
            _ => {
                self.discard(key);
                if ours.is_some() {
                    self.connect(peer);
                }
            }
        }
    }

    /// The handshake is over: the attempt becomes the peer's connection.
    fn establish(&mut self, key: Key, proven: Proven) {
        let peer = proven.peer;
        let Some(attempt) = self.attempts.remove(key) else {
            return;
        };
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return self.epoll.remove(attempt.as_raw_fd());
        };
        let (cache, frame_max) = (self.settings.endpoint_cache, proven.frame_max as usize);
        endpoint.link = Link::Up(Lane {
            stream: attempt.stream,
            receiver: Receiver::new(peer, cache, frame_max),
            watches_write: false,
            broken: false,
        });
        self.lanes += 1;
        log::debug!("connected with {peer}");
        self.watch(peer, Watch::Read);
        self.write(peer);
    }

    /// Writes what waits for a peer.
    pub(crate) fn write(&mut self, peer: PeerId) {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        if let Err(error) = endpoint.flush(&mut self.reports) {
            // Reading will find the end, after what the peer sent before it.
            log::debug!("{error}");
        }
        self.settle(peer);
    }

    /// Watches for room to write exactly while something waits for it.
    pub(crate) fn settle(&mut self, peer: PeerId) {
        let Some(Endpoint {
            link: Link::Up(lane),
            queue,
            ..
        }) = self.endpoints.get_mut(&peer)
        else {
            return;
        };
        let wants = !queue.is_empty() && !lane.broken;
        if wants == lane.watches_write {
            return;
        }
        lane.watches_write = wants;
        if wants {
            self.blocked += 1;
            self.watch(peer, Watch::Both);
        } else {
            self.blocked -= 1;
            self.watch(peer, Watch::Read);
        }
    }

    fn watch(&mut self, peer: PeerId, watch: Watch) {
        let Some(Endpoint {
            link: Link::Up(lane),
            ..
        }) = self.endpoints.get(&peer)
        else {
            return;
        };
        let number = Source::Lane(peer).number();
        if let Err(error) = self.epoll.modify(lane.stream.as_raw_fd(), watch, number) {
            let how = format!("its connection cannot be watched: {error}");
            self.lose(peer, Error::PeerGone { peer, how });
        }
    }

    /// A connection delivers nothing any more.
    pub(crate) fn ended(&mut self, peer: PeerId, end: End) {
        let waiting = self
            .endpoints
            .get(&peer)
            .map_or(0, |endpoint| endpoint.queue.bytes());
        let how = match end {
            End::Goodbye if waiting == 0 && self.reads.count(peer) == 0 => {
                log::debug!("{peer} has left");
                return self.unlink(peer, Link::Left);
            }
            End::Goodbye => {
                let reads = self.reads.count(peer);
                format!("it left while {waiting} bytes waited for it and {reads} for its memory")
            }
            End::Closed => "its connection ended without a goodbye".into(),
            End::Broken(error) => format!("its connection broke: {error}"),
            End::Malformed(malformed) => {
                return self.lose(
                    peer,
                    Error::Protocol {
                        peer,
                        what: malformed.to_string(),
                    },
                );
            }
            End::Unasked(what) => {
                return self.lose(
                    peer,
                    Error::Protocol {
                        peer,
                        what: format!("it sent {what}"),
                    },
                );
            }
            End::Sequence { due, came } => {
                let what = format!("frame {came} where {due} was due");
                return self.lose(peer, Error::Protocol { peer, what });
            }
        };
        self.lose(peer, Error::PeerGone { peer, how });
    }

    /// Gives a peer up, with everything that waits for it.
    pub(crate) fn lose(&mut self, peer: PeerId, error: Error) {
        log::info!("{error}");
        self.unlink(peer, Link::Failed(error.clone()));
        if let Some(endpoint) = self.endpoints.get_mut(&peer) {
            endpoint.queue.fail(&error, &mut self.reports);
            endpoint.owed.clear();
        }
        self.reads.fail(peer, &error, &mut self.reports);
        self.reports.push_back(Report::Failed(peer, error));
    }

    /// Ends what a peer has of sockets, and leaves its endpoint in another state.
    pub(crate) fn unlink(&mut self, peer: PeerId, next: Link) {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        match std::mem::replace(&mut endpoint.link, next) {
            Link::Up(lane) => {
                self.epoll.remove(lane.stream.as_raw_fd());
                self.lanes -= 1;
                self.blocked -= usize::from(lane.watches_write);
            }
            Link::Connecting(Dialing {
                attempt: Some(key), ..
            }) => self.discard(key),
            _ => {}
        }
        if self.pace.hot == Some(peer) {
            self.pace.hot = None;
        }
    }

    /// Drops an attempt, without consequences for the peer that it was for.
    pub(crate) fn discard(&mut self, key: Key) {
        if let Some(attempt) = self.attempts.remove(key) {
            self.epoll.remove(attempt.as_raw_fd());
        }
    }

    fn troubled(&mut self, key: Key, trouble: Trouble) {
        let Some(attempt) = self.attempts.remove(key) else {
            return;
        };
        self.epoll.remove(attempt.as_raw_fd());
        match attempt.target() {
            Some(peer) => self.dial_failed(peer, trouble),
            None => log::info!(
                "a connection from {:?} is dropped: {trouble}",
                attempt.origin()
            ),
        }
    }

    /// Looks at deadlines, repeats what failed, and listens again.
    pub(crate) fn tick(&mut self) {
        self.timer.acknowledge();
        let now = Instant::now();
        for key in self.attempts.overdue(now) {
            // What it waits for may have come while this process was busy elsewhere.
            self.advance(key);
            if self
                .attempts
                .get_mut(key)
                .is_some_and(|attempt| attempt.deadline.is_some())
            {
                self.troubled(key, Trouble::Connect(io::ErrorKind::TimedOut.into()));
            }
        }
        let patience = self.settings.handshake_timeout;
        let mut again = Vec::new();
        for endpoint in self.endpoints.values() {
            match &endpoint.link {
                Link::Connecting(Dialing { attempt: None, .. }) => {
                    again.push((endpoint.peer, false))
                }
                Link::Awaiting(since) if now.duration_since(*since) > patience => {
                    again.push((endpoint.peer, true));
                }
                _ => {}
            }
        }
        for (peer, afresh) in again {
            if afresh {
                self.connect(peer);
            } else {
                self.dial(peer);
            }
        }
        if std::mem::take(&mut self.deaf) {
            self.listen_again();
        }
        let awaits =
            |endpoint: &Endpoint| matches!(endpoint.link, Link::Connecting(_) | Link::Awaiting(_));
        let more = self.deaf || !self.attempts.is_empty() || self.endpoints.values().any(awaits);
        self.timer.run(more, TICK);
    }

    fn listen_again(&mut self) {
        for (n, listener) in self.listeners.iter().enumerate() {
            let number = Source::Listener(n).number();
            self.deaf |= self
                .epoll
                .add(listener.as_raw_fd(), Watch::Read, number)
                .is_err();
        }
    }

    /// Says goodbye to everybody who is, or is about to be, connected.
    pub(crate) fn write_goodbyes(&mut self) {
        let peers: Vec<PeerId> = self.endpoints.keys().copied().collect();
        for peer in peers {
            let Some(endpoint) = self.endpoints.get_mut(&peer) else {
                continue;
            };
            let waits = !endpoint.queue.is_empty();
            match endpoint.link {
                Link::Up(_) => endpoint.say_goodbye(),
                Link::Connecting(_) | Link::Awaiting(_) if waits => endpoint.say_goodbye(),
                _ => continue,
            }
            self.write(peer);
        }
    }
}
