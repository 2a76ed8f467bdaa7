//! The connection to a PMI launcher: sends bytes, receives whole replies.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use crate::{fd, Error};

/// Name, in errors, of the step before the first reply of the launcher.
pub(super) const OPENING: &str = "the opening";

/// The longest reply that is read, in bytes. Launchers send far less.
pub(super) const REPLY_BYTES_MAX: usize = 1 << 20;

pub(super) struct Link {
    socket: File,
    unread: Vec<u8>,
    protocol: &'static str,
    /// Whether the launcher has sent anything yet.
    served: bool,
}

impl Link {
    pub(super) fn new(socket: OwnedFd, protocol: &'static str) -> Link {
        Link {
            socket: File::from(socket),
            unread: Vec::new(),
            protocol,
            served: false,
        }
    }

    pub(super) fn send(&self, bytes: &[u8]) -> Result<(), Error> {
        fd::send_all(
            &self.socket,
            bytes,
            self.during("a request to the launcher"),
        )
    }

    /// The current step, for errors: only a connection left over from an outer job ends before the
    /// launcher has sent anything.
    fn during(&self, what: &'static str) -> &'static str {
        match self.served {
            true => what,
            false => OPENING,
        }
    }

    /// The next reply that `take` takes off the bytes that have come; `None` when `wait` runs out
    /// before it is whole.
    pub(super) fn receive<T>(
        &mut self,
        wait: Option<Duration>,
        during: &'static str,
        take: impl Fn(&mut Vec<u8>) -> Result<Option<T>, String>,
    ) -> Result<Option<T>, Error> {
        let until = wait.map(|wait| Instant::now() + wait);
        let during = self.during(during);
        loop {
            let taken = take(&mut self.unread).map_err(|detail| self.broken(detail))?;
            if taken.is_some() {
                self.served = true;
                return Ok(taken);
            }
            if self.unread.len() > REPLY_BYTES_MAX {
                return Err(self.broken(format!("a reply of over {REPLY_BYTES_MAX} bytes")));
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if !fd::wait_readable(&self.socket, left).map_err(Error::system(during))? {
                return Ok(None);
            }
            let more = fd::read_some(&self.socket, &mut self.unread);
            if !more.map_err(Error::system(during))? {
                return Err(Error::LauncherGone { during });
            }
        }
    }

    /// Waits until the launcher closes the connection, which is when it ends this process, or until
    /// `limit` is over. What it says meanwhile is lost.
    pub(super) fn await_end(&mut self, limit: Duration) {
        let ignore = |bytes: &mut Vec<u8>| {
            bytes.clear();
            Ok(None::<()>)
        };
        // Whatever goes wrong here, there is nothing left to wait for.
        let _ = self.receive(Some(limit), "the end", ignore);
    }

    /// Returns the error for a reply that the protocol does not allow.
    pub(super) fn broken(&self, detail: String) -> Error {
        Error::Protocol {
            protocol: self.protocol,
            detail,
        }
    }
}
