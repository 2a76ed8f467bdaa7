//! The launcher's end of a rank's connection: receives and sends frames without blocking.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use bootstrap::native::wire::{self, Request};

use crate::outbox::Outbox;

/// A connection to a rank.
pub(crate) struct Connection {
    socket: UnixStream,
    arrived: Vec<u8>,
    leaving: Outbox,
    /// Whether nothing comes or goes any more.
    closed: bool,
}

/// Messages and events of the connection with a rank.
pub(crate) enum Heard {
    /// A frame.
    Request(Request),
    /// Something else; the connection is closed.
    Nonsense(String),
}

impl Connection {
    /// Over `socket`, which is made to not block.
    pub(crate) fn new(socket: UnixStream) -> io::Result<Connection> {
        socket.set_nonblocking(true)?;
        Ok(Connection {
            socket,
            arrived: Vec::new(),
            leaving: Outbox::default(),
            closed: false,
        })
    }

    /// Reads what is there.
    pub(crate) fn hear(&mut self) -> Vec<Heard> {
        let mut heard = Vec::new();
        let mut chunk = [0; 16 * 1024];
        while !self.closed {
            match self.socket.read(&mut chunk) {
                Ok(0) => self.closed = true,
                Ok(n) => self.arrived.extend_from_slice(&chunk[..n]),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => self.closed = true,
            }
            if !self.sort(&mut heard) {
                self.closed = true;
            }
        }
        heard
    }

    /// Takes whole frames off what arrived; false after nonsense.
    fn sort(&mut self, heard: &mut Vec<Heard>) -> bool {
        loop {
            match Request::decode(&mut self.arrived) {
                Ok(Some(Request::Hello { version, .. })) if version != wire::VERSION => {
                    let own = wire::VERSION;
                    heard.push(Heard::Nonsense(format!(
                        "its library speaks version {version} and mpirun version {own}: they are \
                         of different installations"
                    )));
                    return false;
                }
                Ok(Some(request)) => heard.push(Heard::Request(request)),
                Ok(None) => return true,
                Err(wire::Malformed(detail)) => {
                    heard.push(Heard::Nonsense(format!("it sent {detail}")));
                    return false;
                }
            }
        }
    }

    /// Sends a frame, now or when the rank reads again.
    pub(crate) fn say(&mut self, frame: Arc<[u8]>) {
        if !self.closed {
            self.leaving.push(frame);
            self.flush();
        }
    }

    /// Sends what is left of earlier frames.
    pub(crate) fn flush(&mut self) {
        // When the rank is gone, its exit says how it went.
        self.closed |= self.leaving.flush(&self.socket).is_err();
    }

    /// Whether there is more to send.
    pub(crate) fn is_behind(&self) -> bool {
        self.leaving.is_behind() && !self.closed
    }

    /// Whether nothing comes any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
