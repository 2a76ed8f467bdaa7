//! The connection to a daemon below.
//!
//! It carries the frames of [`wire`]: on the standard input and output of the remote shell that
//! started the daemon, so that a job opens no port for its launcher, and whoever may log in may
//! start it; or on the connection that the daemon of a batch system has made. What the command
//! that started it complains of is the diagnosis when that fails ([`Starter`]). A daemon that loses
//! this connection ends all that it has started.

use std::io;
use std::net::TcpStream;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

use base::Instant;
use launch_plan::hosts::same_name;
use rustix::io::Errno;

use crate::outbox::Outbox;
use crate::plm::{host_of, Agent};
use crate::poll::{Poll, Source, Until};
use crate::starter::{Starter, Streams};
use crate::wire::{self, Inbox, Up};

/// How much a host's shell may print before its daemon speaks, in bytes.
const NOISE_BYTES_MAX: usize = 1 << 20;
/// How long to wait for the exit status of what started a daemon, once that has closed its streams.
const STATUS_AFTER: Duration = Duration::from_millis(200);

/// How often something is said to a neighbour at least.
pub(crate) const BEAT_EVERY: Duration = Duration::from_secs(1);

/// A daemon below.
pub(crate) struct Link {
    /// The daemon's vertex.
    pub(crate) vertex: u32,
    /// The daemon's host, as the user wrote it.
    pub(crate) host: String,
    /// The number of the [`Starter`] that starts it.
    pub(crate) starter: u32,
    to: Option<OwnedFd>,
    from: Option<OwnedFd>,
    inbox: Inbox,
    outbox: Outbox,
    /// So much was printed before the greeting, in bytes.
    noise: usize,
    greeted: bool,
    state: State,
    /// When something was last received from it, and sent to it.
    received: Instant,
    spoken: Instant,
    watched: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Started, and silent so far.
    Silent { since: Instant },
    /// The daemon has greeted.
    Up,
    /// The daemon has sent its last message.
    Parting,
    /// The daemon has closed its output; how it ended is waited for.
    Closing { since: Instant },
    /// The daemon is gone, and that has been reported.
    Gone,
}

/// Messages and events of a link.
pub(crate) enum LinkEvent {
    /// The daemon has greeted and can be sent its place.
    Greeting,
    /// A message.
    Message(Up),
    /// The daemon is gone, for this reason.
    Gone(String),
}

impl Link {
    /// The connection to the daemon of `host`, which this starter starts, on these streams of it or
    /// on a socket that [`Link::attach`] brings later.
    ///
    /// # Errors
    /// When the streams cannot be waited for.
    pub(crate) fn new(
        (vertex, host): (u32, &str),
        starter: u32,
        streams: Option<Streams>,
        poll: &Poll,
        now: Instant,
    ) -> io::Result<Link> {
        let (to, from) = streams.unzip();
        let link = Link {
            vertex,
            host: host.to_string(),
            starter,
            to,
            from,
            inbox: Inbox::default(),
            outbox: Outbox::default(),
            noise: 0,
            greeted: false,
            state: State::Silent { since: now },
            received: now,
            spoken: now,
            watched: false,
        };
        link.prepare(poll)?;
        Ok(link)
    }

    fn prepare(&self, poll: &Poll) -> io::Result<()> {
        if let Some(from) = &self.from {
            rustix::io::ioctl_fionbio(from, true)?;
            poll.add(from, Source::Link(0, self.vertex), Until::Readable)?;
        }
        match &self.to {
            Some(to) => Ok(rustix::io::ioctl_fionbio(to, true)?),
            None => Ok(()),
        }
    }

    /// Whether its daemon is expected to call.
    pub(crate) fn awaits_call(&self) -> bool {
        self.from.is_none() && matches!(self.state, State::Silent { .. })
    }

    /// Whether a daemon that calls its host by this name is meant.
    pub(crate) fn is_at(&self, host: &str) -> bool {
        host == self.host || same_name(host_of(&self.host), host)
    }

    /// The daemon has called on this connection.
    ///
    /// # Errors
    /// When the connection cannot be waited for.
    pub(crate) fn attach(&mut self, socket: TcpStream, poll: &Poll) -> io::Result<()> {
        self.to = Some(socket.try_clone()?.into());
        self.from = Some(socket.into());
        self.prepare(poll)
    }

    /// Reads what has come.
    pub(crate) fn receive(
        &mut self,
        starter: &mut Starter,
        poll: &Poll,
        now: Instant,
    ) -> Vec<LinkEvent> {
        let mut events = Vec::new();
        let mut chunk = [0; 16 * 1024];
        while let Some(from) = &self.from {
            match rustix::io::read(from, &mut chunk) {
                Ok(n) if n > 0 => {
                    self.received = now;
                    self.inbox.push(&chunk[..n]);
                    if let Err(text) = self.sort(&mut events) {
                        self.kill(starter);
                        events.push(LinkEvent::Gone(text));
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Ok(_) | Err(_) => {
                    poll.remove(from);
                    self.from = None;
                    self.state = match self.state {
                        State::Parting | State::Gone => State::Gone,
                        _ => State::Closing { since: now },
                    };
                    events.extend(self.look(starter, poll, now));
                }
            }
        }
        events
    }

    /// Takes whole messages off what has arrived.
    fn sort(&mut self, events: &mut Vec<LinkEvent>) -> Result<(), String> {
        if matches!(self.state, State::Silent { .. }) {
            if !self.greet()? {
                return Ok(());
            }
            (self.state, self.greeted) = (State::Up, true);
            events.push(LinkEvent::Greeting);
        }
        while self.state == State::Up {
            let word = match self.inbox.frame() {
                Ok(None) => break,
                Ok(Some((kind, body))) => Up::decode(kind, body),
                Err(error) => Err(error),
            };
            let word = word.map_err(|wire::Malformed(detail)| {
                format!("host {} cannot go on: it sent {detail}", self.host)
            })?;
            if word == Up::Bye {
                self.state = State::Parting;
            }
            events.push(LinkEvent::Message(word));
        }
        Ok(())
    }

    /// Searches for the daemon's greeting behind what its host's shell has printed; false while it
    /// is not there.
    fn greet(&mut self) -> Result<bool, String> {
        let unread = self.inbox.unread();
        let magic = unread
            .windows(wire::MAGIC.len())
            .position(|window| window == wire::MAGIC);
        let Some(at) = magic else {
            // The magic bytes may have arrived in part.
            let noise = unread.len().saturating_sub(wire::MAGIC.len() - 1);
            self.noise += noise;
            self.inbox.skip(noise);
            return match self.noise > NOISE_BYTES_MAX {
                true => Err(format!(
                    "host {}: its shell prints without end, and nothing of mpirun's daemon arrives",
                    self.host
                )),
                false => Ok(false),
            };
        };
        let greeting = &unread[at + wire::MAGIC.len()..];
        let Some(end) = greeting.iter().position(|&b| b == b'\n') else {
            return match greeting.len() > wire::GREETING_BYTES_MAX {
                true => Err(format!("host {}: it greets without end", self.host)),
                false => Ok(false),
            };
        };
        wire::check_greeting(&greeting[..end]).map_err(|version| {
            format!(
                "host {} has oxmpi {version}, and this host {}: install the same on both",
                self.host,
                wire::own_version()
            )
        })?;
        self.inbox.skip(at + wire::MAGIC.len() + end + 1);
        Ok(true)
    }

    /// Checks how the daemon has ended, where that is waited for, or what was to start it.
    fn look(&mut self, starter: &mut Starter, poll: &Poll, now: Instant) -> Option<LinkEvent> {
        let has_ended = starter.status().is_some();
        let waits = |since| !starter.outlives_daemons() && now.since(since) < STATUS_AFTER;
        match self.state {
            State::Silent { .. } if self.from.is_none() && has_ended => {}
            State::Closing { since } if has_ended || !waits(since) => {}
            _ => return None,
        }
        starter.read(poll);
        self.state = State::Gone;
        self.to = None;
        Some(LinkEvent::Gone(match self.greeted {
            true => format!(
                "lost host {}: its connection has closed{}",
                self.host,
                starter.complaint()
            ),
            false => starter.how_refused(&self.host),
        }))
    }

    /// Returns the failure of a daemon that has ended, or has been silent for too long.
    pub(crate) fn check(
        &mut self,
        (agent, starter): (&Agent, &mut Starter),
        poll: &Poll,
        now: Instant,
    ) -> Option<LinkEvent> {
        let text = match self.state {
            State::Silent { since } if now.since(since) >= agent.patience => format!(
                "host {} is not ready {} s after {} was started{}",
                self.host,
                agent.patience.as_secs(),
                agent.name(),
                starter.complaint()
            ),
            State::Up if now.since(self.received) >= agent.silence => format!(
                "lost host {}: it has been silent for {} s (plm_heartbeat_timeout)",
                self.host,
                agent.silence.as_secs_f32()
            ),
            _ => return self.look(starter, poll, now),
        };
        self.kill(starter);
        Some(LinkEvent::Gone(text))
    }

    /// Returns when to check again at the latest.
    pub(crate) fn deadline(&self, now: Instant) -> Instant {
        match self.state {
            State::Closing { since } => since.after(STATUS_AFTER),
            _ => now.after(BEAT_EVERY),
        }
    }

    /// Closes the connection, and ends the remote shell at once.
    pub(crate) fn kill(&mut self, starter: &mut Starter) {
        self.state = State::Gone;
        (self.to, self.from) = (None, None);
        starter.kill_shell();
    }

    /// The time away, in which nothing could be received, counts for nothing.
    pub(crate) fn forgive(&mut self, now: Instant) {
        self.received = now;
    }

    /// Says something, now or when it is read.
    pub(crate) fn say(&mut self, frame: Arc<[u8]>, poll: &Poll, now: Instant) {
        if self.state == State::Up {
            self.outbox.push(frame);
            self.flush(poll, now);
        }
    }

    /// Says what is left.
    pub(crate) fn flush(&mut self, poll: &Poll, now: Instant) {
        let Some(to) = &self.to else { return };
        self.spoken = now;
        if self.outbox.flush(to).is_err() {
            // The other direction says how it went.
            poll.remove(to);
            self.to = None;
            return;
        }
        let behind = self.outbox.is_behind();
        if std::mem::replace(&mut self.watched, behind) != behind {
            poll.watch(
                to.as_fd(),
                Source::Link(1, self.vertex),
                Until::Writable,
                behind,
            );
        }
    }

    /// Whether nothing was said for so long that the other side should receive a heartbeat.
    pub(crate) fn wants_beat(&self, now: Instant) -> bool {
        self.state == State::Up && now.since(self.spoken) >= BEAT_EVERY
    }

    /// Whether it has greeted and not parted.
    pub(crate) fn is_up(&self) -> bool {
        self.state == State::Up
    }

    /// Whether it is gone or has said goodbye.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.state, State::Gone | State::Parting)
    }
}
