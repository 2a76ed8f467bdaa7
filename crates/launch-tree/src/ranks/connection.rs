//! The launcher's end of a rank's connection: receives and sends frames without blocking.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use bootstrap::native::wire::{self, Request};

use crate::outbox::Outbox;

/// A connection to a rank.
pub(crate) struct Connection {
    socket: UnixStream,
    arrived: Vec<u8>,
    leaving: Outbox,
    /// Whether the rank reads nothing any more. What it has sent before is still received.
    no_reader: bool,
    /// Whether nothing is received or sent any more.
    closed: bool,
}

/// Messages and events of the connection with a rank.
pub(crate) enum Received {
    /// A frame.
    Request(Request),
    /// Malformed bytes; the connection is closed.
    Malformed(String),
}

impl Connection {
    /// Returns a connection over `socket`, which becomes non-blocking.
    pub(crate) fn new(socket: UnixStream) -> io::Result<Connection> {
        socket.set_nonblocking(true)?;
        Ok(Connection {
            socket,
            arrived: Vec::new(),
            leaving: Outbox::default(),
            no_reader: false,
            closed: false,
        })
    }

    /// Receives all frames that have arrived.
    pub(crate) fn receive(&mut self) -> Vec<Received> {
        let mut received = Vec::new();
        let mut chunk = [0; 16 * 1024];
        while !self.closed {
            match self.socket.read(&mut chunk) {
                Ok(0) => self.closed = true,
                Ok(n) => self.arrived.extend_from_slice(&chunk[..n]),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => self.closed = true,
            }
            if !self.sort(&mut received) {
                self.closed = true;
            }
        }
        received
    }

    /// Decodes the whole frames among the received bytes. Returns false after malformed bytes.
    fn sort(&mut self, received: &mut Vec<Received>) -> bool {
        loop {
            match Request::decode(&mut self.arrived) {
                Ok(Some(Request::Hello { version, .. })) if version != wire::VERSION => {
                    let own = wire::VERSION;
                    received.push(Received::Malformed(format!(
                        "its library speaks version {version} and mpirun version {own}: they are \
                         of different installations"
                    )));
                    return false;
                }
                Ok(Some(request)) => received.push(Received::Request(request)),
                Ok(None) => return true,
                Err(wire::Malformed(detail)) => {
                    received.push(Received::Malformed(format!("it sent {detail}")));
                    return false;
                }
            }
        }
    }

    /// Sends a frame, or queues it until the rank reads again.
    pub(crate) fn send(&mut self, frame: Arc<[u8]>) {
        if !self.closed && !self.no_reader {
            self.leaving.push(frame);
            self.flush();
        }
    }

    /// Sends a frame as [`Connection::send`] does, with a descriptor for the rank.
    pub(crate) fn send_with(&mut self, frame: Arc<[u8]>, descriptor: Arc<OwnedFd>) {
        if !self.closed && !self.no_reader {
            self.leaving.push_with(frame, descriptor);
            self.flush();
        }
    }

    /// Sends queued frames.
    pub(crate) fn flush(&mut self) {
        // If the rank is gone, its exit is reported separately. It may have sent its last frames
        // before, so that this end goes on receiving.
        self.no_reader |= self.leaving.flush(&self.socket).is_err();
    }

    /// Whether frames are queued.
    pub(crate) fn is_behind(&self) -> bool {
        self.leaving.is_behind() && !self.no_reader && !self.closed
    }

    /// Whether the connection is closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use bootstrap::native::wire::Reply;

    use super::*;
    use crate::ranks::frame;

    /// A rank ended while a question was on its way. The answer could not be sent to it, and its
    /// word that it had finalized was not received: it counted as failed.
    #[test]
    fn what_a_rank_has_sent_is_received_though_nothing_can_be_sent_to_it() {
        let (here, mut rank) = UnixStream::pair().expect("a pair of sockets");
        let mut connection = Connection::new(here).expect("a connection");
        let mut last = Vec::new();
        Request::Finalize.encode(&mut last);
        rank.write_all(&last).expect("a frame of the rank");
        drop(rank);
        connection.send(frame(&Reply::Ask { question: 1 }));
        assert!(connection.no_reader && !connection.is_behind());
        let received = connection.receive();
        assert!(matches!(
            received[..],
            [Received::Request(Request::Finalize)]
        ));
        assert!(connection.is_closed());
    }
}
