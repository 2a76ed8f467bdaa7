//! Connections to a port, until they have proved that they know its key.
//!
//! Whoever reaches the port's host may connect, be silent, or send a byte now and then. So each
//! connection has a deadline for the whole handshake, and connections without a valid greeting are
//! counted on their own: a new one replaces the oldest of them. A client that knows the key greets
//! as soon as it is connected, and is not replaced from then on.
//!
//! ```text
//!   accepted ──greets with the key──▶ greeted ──proves it──▶ proven
//!      │                                 │
//!      └── wrong, late, crowded out      └── wrong, late
//! ```
//!
//! Nothing here waits: the owner polls [`IncomingConnections::watched`], and passes the connections
//! that it has accepted.

use std::collections::VecDeque;
use std::io;
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use super::handshake::{PortKey, Refusal, Session, CHALLENGE_BYTES, HELLO_BYTES, PROOF_BYTES};
use super::stream::{read_some, write_some};
use crate::Secret;

/// Time limit of the handshake of an accepted connection.
const PATIENCE: Duration = Duration::from_secs(10);
/// Most connections that have not greeted with the key.
const STRANGERS_MAX: usize = 64;
/// Most connections that have greeted with the key: further ones wait in the listener's queue.
const KNOWN_MAX: usize = 64;

/// Connections of a port that its owner has not taken.
#[derive(Default)]
pub struct IncomingConnections {
    /// Connections that have not greeted with the key, the oldest first.
    strangers: VecDeque<Incoming>,
    /// Connections that have greeted with the key.
    greeted: Vec<Incoming>,
    /// Connections that have proved that they know the key, the oldest first.
    proven: VecDeque<(TcpStream, Session)>,
}

struct Incoming {
    stream: TcpStream,
    bytes: Vec<u8>,
    /// Greeting and challenge, once the client has greeted with the key.
    greeting: Option<([u8; HELLO_BYTES], [u8; CHALLENGE_BYTES])>,
    deadline: Instant,
}

/// Result of one step of a handshake.
enum Step {
    Nothing,
    Moved,
    Greeted,
    Proven(Session),
    Stranger,
}

impl Incoming {
    fn step(&mut self, key: &PortKey) -> Step {
        let due = match self.greeting {
            None => HELLO_BYTES,
            Some(_) => PROOF_BYTES,
        };
        match read_some(&mut self.stream, &mut self.bytes, due) {
            Err(_) => return Step::Stranger,
            Ok(_) if self.bytes.len() == due => {}
            Ok(false) => return Step::Nothing,
            Ok(true) => return Step::Moved,
        }
        let bytes = std::mem::take(&mut self.bytes);
        match &self.greeting {
            None => self.challenge(key, bytes.as_slice().try_into().expect("read above")),
            Some((hello, challenge)) => {
                let proof = bytes.as_slice().try_into().expect("read above");
                match key.is_proven(hello, challenge, proof) {
                    true => Step::Proven(key.session(hello, challenge)),
                    false => Step::Stranger,
                }
            }
        }
    }

    fn challenge(&mut self, key: &PortKey, hello: &[u8; HELLO_BYTES]) -> Step {
        if !key.welcomes(hello) {
            if PortKey::is_hello(hello) {
                self.refuse(Refusal::WrongKey);
            }
            return Step::Stranger;
        }
        let Ok(Secret(nonce)) = Secret::random() else {
            return Step::Stranger;
        };
        let challenge = key.challenge(hello, &nonce);
        // It fits: the socket has carried nothing yet.
        match write_some(&mut self.stream, &challenge) {
            Ok(CHALLENGE_BYTES) => {
                self.greeting = Some((*hello, challenge));
                Step::Greeted
            }
            _ => Step::Stranger,
        }
    }

    /// Sends the reason of a refusal, if the socket takes all of it at once.
    fn refuse(&mut self, why: Refusal) {
        let _ = write_some(&mut self.stream, &why.answer());
    }
}

impl IncomingConnections {
    /// Whether another connection may be accepted: fewer than the limit know the key.
    pub fn has_room(&self) -> bool {
        self.greeted.len() + self.proven.len() < KNOWN_MAX
    }

    /// Adds a connection that was accepted. At the limit of connections without a greeting, the
    /// oldest of these is closed, unless its greeting has just arrived.
    ///
    /// # Errors
    /// The system's, which concern this connection alone.
    pub fn admit(&mut self, stream: TcpStream, key: &PortKey) -> io::Result<()> {
        stream.set_nonblocking(true)?;
        if self.strangers.len() >= STRANGERS_MAX {
            self.crowd_out(key);
        }
        self.strangers.push_back(Incoming {
            stream,
            bytes: Vec::new(),
            greeting: None,
            deadline: Instant::now() + PATIENCE,
        });
        Ok(())
    }

    /// Closes the oldest connection that has not greeted, for a new one or for lack of descriptors.
    /// Returns false where all have greeted.
    pub fn crowd_out(&mut self, key: &PortKey) -> bool {
        let Some(mut oldest) = self.strangers.pop_front() else {
            return false;
        };
        match oldest.step(key) {
            Step::Greeted => self.greeted.push(oldest),
            Step::Stranger => {}
            Step::Nothing | Step::Moved | Step::Proven(_) => oldest.refuse(Refusal::Crowded),
        }
        true
    }

    /// Advances each handshake by what has arrived. Returns whether one has advanced.
    pub fn advance(&mut self, key: &PortKey) -> bool {
        let now = Instant::now();
        let strangers = std::mem::take(&mut self.strangers);
        let greeted = std::mem::take(&mut self.greeted);
        let mut moved = false;
        for mut connection in strangers.into_iter().chain(greeted) {
            match connection.step(key) {
                Step::Nothing | Step::Moved if connection.deadline <= now => {}
                Step::Nothing => self.keep(connection),
                Step::Moved | Step::Greeted => {
                    moved = true;
                    self.keep(connection);
                }
                Step::Proven(session) => {
                    moved = true;
                    self.proven.push_back((connection.stream, session));
                }
                Step::Stranger => moved = true,
            }
        }
        moved
    }

    fn keep(&mut self, connection: Incoming) {
        match connection.greeting {
            None => self.strangers.push_back(connection),
            Some(_) => self.greeted.push(connection),
        }
    }

    /// Returns a connection that has proved the key, with the session's keys.
    pub fn take(&mut self) -> Option<(TcpStream, Session)> {
        self.proven.pop_front()
    }

    /// Returns the descriptors of the unfinished handshakes.
    pub fn watched(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        let all = self.strangers.iter().chain(&self.greeted);
        all.map(|connection| connection.stream.as_fd())
    }

    /// Returns the earliest deadline of a handshake.
    pub fn deadline(&self) -> Option<Instant> {
        let all = self.strangers.iter().chain(&self.greeted);
        all.map(|connection| connection.deadline).min()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;

    struct Scene {
        listener: TcpListener,
        key: PortKey,
        incoming: IncomingConnections,
    }

    impl Scene {
        fn new() -> Scene {
            Scene {
                listener: TcpListener::bind("127.0.0.1:0").unwrap(),
                key: PortKey::new(&[1; 32]),
                incoming: IncomingConnections::default(),
            }
        }

        /// Connects a client that has sent `bytes`, and accepts it.
        fn connect(&mut self, bytes: &[u8]) -> TcpStream {
            let mut stream = TcpStream::connect(self.listener.local_addr().unwrap()).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            stream.write_all(bytes).unwrap();
            let (accepted, _) = self.listener.accept().unwrap();
            self.incoming.admit(accepted, &self.key).unwrap();
            stream
        }

        /// Connects a client that greets with this key. Returns it with its greeting.
        fn greet(&mut self, key: &PortKey) -> (TcpStream, [u8; HELLO_BYTES]) {
            let hello = key.hello(&[7; 32]);
            (self.connect(&hello), hello)
        }

        fn advance_until(&mut self, is_so: impl Fn(&IncomingConnections) -> bool) {
            while !is_so(&self.incoming) {
                self.incoming.advance(&self.key);
                std::thread::yield_now();
            }
        }
    }

    fn answer(stream: &mut TcpStream) -> [u8; CHALLENGE_BYTES] {
        let mut bytes = [0; CHALLENGE_BYTES];
        stream.read_exact(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn silent_and_slow_connections_keep_nobody_out_who_knows_the_key() {
        let mut scene = Scene::new();
        let mut crowd: Vec<TcpStream> = (0..100).map(|_| scene.connect(b"")).collect();
        let slow = &scene.key.hello(&[9; 32])[..HELLO_BYTES - 1];
        crowd.extend((0..100).map(|_| scene.connect(slow)));
        // It has greeted, and 200 come before anybody looks.
        let key = PortKey::new(&[1; 32]);
        let (mut client, hello) = scene.greet(&key);
        crowd.extend((0..200).map(|_| scene.connect(b"OX")));
        scene.advance_until(|incoming| !incoming.greeted.is_empty());
        let challenge = answer(&mut client);
        client
            .write_all(&key.prove(&hello, &challenge).unwrap())
            .unwrap();
        crowd.extend((0..200).map(|_| scene.connect(b"")));
        scene.advance_until(|incoming| !incoming.proven.is_empty());
        assert!(scene.incoming.take().is_some() && scene.incoming.take().is_none());
        assert_eq!(scene.incoming.strangers.len(), STRANGERS_MAX);
        assert!(scene.incoming.has_room());
        let why = answer(&mut crowd[0]);
        assert_eq!(Refusal::read(&why), Some(Refusal::Crowded));
    }

    #[test]
    fn another_key_is_refused_with_the_reason_and_nonsense_without() {
        let mut scene = Scene::new();
        let (mut other, _) = scene.greet(&PortKey::new(&[2; 32]));
        let mut nonsense = scene.connect(&[b'G'; HELLO_BYTES]);
        scene.advance_until(|incoming| incoming.strangers.is_empty());
        let why = answer(&mut other);
        assert_eq!(Refusal::read(&why), Some(Refusal::WrongKey));
        assert_eq!(nonsense.read(&mut [0; 1]).unwrap(), 0);
    }

    #[test]
    fn the_time_is_for_the_whole_handshake() {
        let mut scene = Scene::new();
        let (_client, _) = scene.greet(&PortKey::new(&[1; 32]));
        scene.advance_until(|incoming| !incoming.greeted.is_empty());
        let mut slow = scene.connect(b"");
        let past = Instant::now();
        scene.incoming.greeted[0].deadline = past;
        scene.incoming.strangers[0].deadline = past;
        assert_eq!(scene.incoming.deadline(), Some(past));
        slow.write_all(b"O").unwrap();
        scene.advance_until(|incoming| incoming.watched().count() == 0);
    }

    #[test]
    fn where_enough_wait_that_know_the_key_others_are_to_wait_in_the_queue() {
        let mut scene = Scene::new();
        let key = PortKey::new(&[1; 32]);
        let _clients: Vec<_> = (0..KNOWN_MAX).map(|_| scene.greet(&key)).collect();
        scene.advance_until(|incoming| incoming.greeted.len() == KNOWN_MAX);
        assert!(!scene.incoming.has_room());
    }
}
