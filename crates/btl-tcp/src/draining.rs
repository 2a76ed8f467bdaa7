//! Connections with peers that were removed: written to their end, and read until the peer closes.
//!
//! Closing a connection while input is unread, or still comes, resets it, and what the peer has not
//! read by then may be lost. So its last bytes are followed by the end of the stream, and input is
//! dropped until the peer ends its side too.

use std::io::{self, Read};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// Longest time that a connection is drained.
const PATIENCE: Duration = Duration::from_secs(1);
/// Most reads of one connection at once.
const READS_MAX: usize = 64;

/// The connections that are drained, each with the time at which it is closed.
#[derive(Default)]
pub struct DrainingConnections(Vec<(TcpStream, Instant)>);

impl DrainingConnections {
    /// Takes a connection on which everything is written.
    pub fn add(&mut self, stream: TcpStream, now: Instant) {
        if stream.shutdown(Shutdown::Write).is_ok() {
            self.0.push((stream, now + PATIENCE));
        }
    }

    /// Closes the connections whose peers have closed, or whose time is over. Returns whether any
    /// is left.
    pub fn tend(&mut self, now: Instant) -> bool {
        self.0
            .retain(|(stream, until)| *until > now && !has_ended(stream));
        !self.0.is_empty()
    }
}

/// Drops input. Returns whether there is no more to come.
fn has_ended(mut stream: &TcpStream) -> bool {
    let mut dropped = [0; 16 << 10];
    for _ in 0..READS_MAX {
        match stream.read(&mut dropped) {
            Ok(1..) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return false,
            Ok(0) | Err(_) => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::TcpListener;

    use super::*;

    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        here.set_nonblocking(true).unwrap();
        (here, listener.accept().unwrap().0)
    }

    #[test]
    fn what_was_written_arrives_though_input_is_unread() {
        let (mut here, mut there) = pair();
        here.write_all(&[7; 1000]).unwrap();
        there.write_all(&[8; 1000]).unwrap();
        let (mut draining, now) = (DrainingConnections::default(), Instant::now());
        draining.add(here, now);
        assert!(draining.tend(now));
        there.write_all(&[8; 1000]).unwrap();
        assert!(draining.tend(now));
        let mut got = Vec::new();
        there.read_to_end(&mut got).unwrap();
        assert_eq!(got, [7; 1000]);
        drop(there);
        while draining.tend(now) {
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_peer_that_does_not_close_is_left_in_the_end() {
        let (here, _there) = pair();
        let (mut draining, now) = (DrainingConnections::default(), Instant::now());
        draining.add(here, now);
        assert!(draining.tend(now + PATIENCE / 2));
        assert!(!draining.tend(now + PATIENCE));
    }
}
