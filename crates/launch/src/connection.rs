//! The launcher's end of a rank's connection: frames in, frames out, never waiting.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use bootstrap::native::wire::{self, Reply, Request};

/// A connection to a rank.
pub(crate) struct Connection {
    socket: UnixStream,
    arrived: Vec<u8>,
    leaving: Vec<u8>,
    /// Nothing comes or goes any more.
    closed: bool,
}

/// What came from a rank.
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
            leaving: Vec::new(),
            closed: false,
        })
    }

    /// Reads what is there.
    pub(crate) fn hear(&mut self) -> Vec<Heard> {
        let mut heard = Vec::new();
        let mut chunk = [0; 64 * 1024];
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
    pub(crate) fn say(&mut self, reply: &Reply) {
        reply.encode(&mut self.leaving);
        self.flush();
    }

    /// Sends what is left of earlier frames.
    pub(crate) fn flush(&mut self) {
        let mut sent = 0;
        while sent < self.leaving.len() && !self.closed {
            match self.socket.write(&self.leaving[sent..]) {
                Ok(n) => sent += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                // The rank is gone; how it went is told by its exit.
                Err(_) => self.closed = true,
            }
        }
        self.leaving.drain(..sent);
    }

    /// Whether there is more to send.
    pub(crate) fn is_behind(&self) -> bool {
        !self.leaving.is_empty() && !self.closed
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
