//! The connection to a daemon below: the remote shell that started it, and its three streams.
//!
//! The shell's standard input and output carry the frames of [`wire`], so a job opens
//! no port for its launcher, and whoever may log in may start it. The shell's standard error is
//! the diagnosis when that fails. A daemon that loses this connection ends all that it has started.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use base::Instant;
use bootstrap::child::{self, Mask, Setup};
use rustix::io::Errno;

use crate::outbox::Outbox;
use crate::plm::Agent;
use crate::poll::{Poll, Source, Until};
use crate::wire::{self, Inbox, Up};

/// How much a host's shell may print before its daemon speaks, in bytes.
const NOISE_BYTES_MAX: usize = 1 << 20;
/// Bytes of the remote shell's complaints that are stored.
const COMPLAINT_BYTES_MAX: usize = 4096;
/// How long to wait for the remote shell's exit status after it has closed its streams.
const STATUS_AFTER: Duration = Duration::from_millis(200);

/// How often something is said to a neighbour at least.
pub(crate) const BEAT_EVERY: Duration = Duration::from_secs(1);

/// A daemon below.
pub(crate) struct Link {
    /// The daemon's vertex.
    pub(crate) vertex: u32,
    /// The daemon's host, as the user wrote it.
    pub(crate) host: String,
    child: Child,
    to: Option<ChildStdin>,
    from: Option<ChildStdout>,
    errors: Option<ChildStderr>,
    inbox: Inbox,
    outbox: Outbox,
    complaints: Vec<u8>,
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
    /// Starts the daemon of `host`, with these signals blocked in the agent.
    ///
    /// # Errors
    /// When the agent cannot be run, in words for the user.
    pub(crate) fn start(
        agent: &Agent,
        vertex: u32,
        host: &str,
        blocked: Mask,
        poll: &Poll,
        now: Instant,
    ) -> Result<Link, String> {
        let failed = |error: io::Error| {
            format!(
                "cannot reach host {host}: cannot run {}: {error}",
                agent.name()
            )
        };
        if host.starts_with('-') {
            return Err(format!("{host:?} is no name of a host"));
        }
        let mut command = agent.command_for(host);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C is for the launcher, which knows in which order to end things.
            .process_group(0);
        let setup = Setup {
            blocked: Some(blocked),
            ..Setup::default()
        };
        child::arrange(&mut command, setup);
        let mut child = command.spawn().map_err(failed)?;
        let (to, from, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let link = Link {
            vertex,
            host: host.to_string(),
            child,
            to,
            from,
            errors,
            inbox: Inbox::default(),
            outbox: Outbox::default(),
            complaints: Vec::new(),
            noise: 0,
            greeted: false,
            state: State::Silent { since: now },
            received: now,
            spoken: now,
            watched: false,
        };
        link.prepare(poll).map_err(failed)?;
        Ok(link)
    }

    fn prepare(&self, poll: &Poll) -> io::Result<()> {
        if let Some(from) = &self.from {
            rustix::io::ioctl_fionbio(from, true)?;
            poll.add(from, Source::Link(0, self.vertex), Until::Readable)?;
        }
        if let Some(errors) = &self.errors {
            rustix::io::ioctl_fionbio(errors, true)?;
            poll.add(errors, Source::Link(1, self.vertex), Until::Readable)?;
        }
        match &self.to {
            Some(to) => Ok(rustix::io::ioctl_fionbio(to, true)?),
            None => Ok(()),
        }
    }

    /// Returns the process id of its agent.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Reads what has come.
    pub(crate) fn receive(&mut self, poll: &Poll, now: Instant) -> Vec<LinkEvent> {
        let mut events = Vec::new();
        let mut chunk = [0; 16 * 1024];
        while let Some(from) = &self.from {
            match rustix::io::read(from, &mut chunk) {
                Ok(n) if n > 0 => {
                    self.received = now;
                    self.inbox.push(&chunk[..n]);
                    if let Err(text) = self.sort(&mut events) {
                        self.give_up(text, &mut events);
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
                    events.extend(self.look(now));
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

    /// Reads what the remote shell complains about.
    pub(crate) fn read_stderr(&mut self, poll: &Poll) {
        let mut chunk = [0; 4096];
        while let Some(errors) = &self.errors {
            match rustix::io::read(errors, &mut chunk) {
                Ok(n) if n > 0 => {
                    self.complaints.extend_from_slice(&chunk[..n]);
                    let extra = self.complaints.len().saturating_sub(COMPLAINT_BYTES_MAX);
                    self.complaints.drain(..extra);
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Ok(_) | Err(_) => {
                    poll.remove(errors);
                    self.errors = None;
                }
            }
        }
    }

    /// Checks how the remote shell has ended, where that is waited for, and whether the daemon is
    /// overdue.
    pub(crate) fn look(&mut self, now: Instant) -> Option<LinkEvent> {
        let State::Closing { since } = self.state else {
            return None;
        };
        let status = self.child.try_wait().ok().flatten();
        if status.is_none() && now.since(since) < STATUS_AFTER {
            return None;
        }
        // What it complained of is there before it ends.
        if let Some(errors) = &self.errors {
            let mut chunk = [0; 4096];
            while let Ok(n @ 1..) = rustix::io::read(errors, &mut chunk) {
                self.complaints.extend_from_slice(&chunk[..n]);
            }
        }
        self.state = State::Gone;
        self.to = None;
        Some(LinkEvent::Gone(match self.greeted {
            true => self.how_lost(),
            false => self.how_refused(status),
        }))
    }

    /// Returns the failure of a link that has been silent for too long.
    pub(crate) fn check_time(&mut self, agent: &Agent, now: Instant) -> Option<LinkEvent> {
        let text = match self.state {
            State::Silent { since } if now.since(since) >= agent.patience => format!(
                "host {} is not ready {} s after {} was started{}",
                self.host,
                agent.patience.as_secs(),
                agent.name(),
                self.complaint()
            ),
            State::Up if now.since(self.received) >= agent.silence => format!(
                "lost host {}: it has been silent for {} s (plm_heartbeat_timeout)",
                self.host,
                agent.silence.as_secs_f32()
            ),
            _ => return self.look(now),
        };
        self.kill();
        Some(LinkEvent::Gone(text))
    }

    /// Returns when to check again at the latest.
    pub(crate) fn deadline(&self, now: Instant) -> Instant {
        match self.state {
            State::Closing { since } => since.after(STATUS_AFTER),
            _ => now.after(BEAT_EVERY),
        }
    }

    /// Ends the remote shell at once.
    pub(crate) fn kill(&mut self) {
        self.state = State::Gone;
        (self.to, self.from) = (None, None);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The time away, in which nothing could be received, counts for nothing.
    pub(crate) fn forgive(&mut self, now: Instant) {
        self.received = now;
    }

    /// How a daemon that never spoke was refused.
    fn how_refused(&self, status: Option<ExitStatus>) -> String {
        let (host, complaint) = (&self.host, self.complaint());
        match status.and_then(|status| status.code()) {
            Some(126 | 127) => {
                format!("host {host} has no oxmpi where this host has it{complaint}")
            }
            Some(255) => format!("cannot reach host {host}{complaint}{}", self.advice()),
            Some(code) => {
                format!("cannot start on host {host}: exit code {code}{complaint}")
            }
            None => format!("cannot start on host {host}: ended by a signal{complaint}"),
        }
    }

    fn how_lost(&self) -> String {
        format!(
            "lost host {}: its connection has closed{}",
            self.host,
            self.complaint()
        )
    }

    /// The last line that the remote shell complained with, after a colon; nothing without
    /// one.
    fn complaint(&self) -> String {
        let text = String::from_utf8_lossy(&self.complaints);
        let line = text.lines().map(str::trim).rfind(|line| !line.is_empty());
        let shown = line.map(|line| line.chars().filter(|c| !c.is_control()).collect::<String>());
        shown.map_or(String::new(), |line| format!(": {line}"))
    }

    fn advice(&self) -> &'static str {
        let text = String::from_utf8_lossy(&self.complaints);
        if text.contains("Permission denied") {
            " (ssh must get in without a password: set up a key or an agent)"
        } else if text.contains("Host key verification failed") {
            " (log in there once by hand, so that ssh knows the host)"
        } else {
            ""
        }
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
                Source::Link(2, self.vertex),
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

    fn give_up(&mut self, text: String, events: &mut Vec<LinkEvent>) {
        self.kill();
        events.push(LinkEvent::Gone(text));
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if self.child.try_wait().ok().flatten().is_none() {
            self.kill();
        }
    }
}
