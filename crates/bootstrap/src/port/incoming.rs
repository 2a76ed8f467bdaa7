//! Connections to a port that have not proved yet that they know its key.
//!
//! Whoever reaches the port's host may connect, be silent, or send a byte now and then. So each
//! connection has a deadline for the whole handshake; and those that have shown nothing have places
//! of their own, where the oldest makes room for the next one. A client that knows the key greets
//! as soon as it is connected, and has a place then that no stranger takes from it.
//!
//! ```text
//!   accepted ──greets with the key──▶ greeted ──proves it──▶ proven
//!      │                                 │
//!      └── wrong, late, crowded out      └── wrong, late
//! ```
//!
//! Nothing here waits: the owner polls [`Guests::watched`], and gives what it has accepted.

use std::collections::VecDeque;
use std::io;
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use super::handshake::{PortKey, Refusal, Session, CHALLENGE_BYTES, HELLO_BYTES, PROOF_BYTES};
use super::stream::{read_some, write_some};
use crate::Secret;

/// Time in which a connection that was accepted has to prove that it knows the key.
const PATIENCE: Duration = Duration::from_secs(10);
/// Most connections that have shown nothing.
const STRANGERS_MAX: usize = 64;
/// Most connections that have greeted with the key: further ones wait in the listener's queue.
const KNOWN_MAX: usize = 64;

/// The connections of a port that its owner has not taken.
#[derive(Default)]
pub struct Guests {
    /// Those that have shown nothing, the oldest first.
    strangers: VecDeque<Guest>,
    /// Those that have greeted with the key.
    greeted: Vec<Guest>,
    /// Those that know the key, the oldest first.
    proven: VecDeque<(TcpStream, Session)>,
}

struct Guest {
    stream: TcpStream,
    bytes: Vec<u8>,
    /// Greeting and challenge, once it has greeted with the key.
    said: Option<([u8; HELLO_BYTES], [u8; CHALLENGE_BYTES])>,
    deadline: Instant,
}

/// The result of a step of a guest.
enum Seen {
    Nothing,
    Moved,
    Greeted,
    Proven(Session),
    Stranger,
}

impl Guest {
    fn step(&mut self, key: &PortKey) -> Seen {
        let due = match self.said {
            None => HELLO_BYTES,
            Some(_) => PROOF_BYTES,
        };
        match read_some(&mut self.stream, &mut self.bytes, due) {
            Err(_) => return Seen::Stranger,
            Ok(_) if self.bytes.len() == due => {}
            Ok(false) => return Seen::Nothing,
            Ok(true) => return Seen::Moved,
        }
        let bytes = std::mem::take(&mut self.bytes);
        match &self.said {
            None => self.challenge(key, bytes.as_slice().try_into().expect("read above")),
            Some((hello, challenge)) => {
                let proof = bytes.as_slice().try_into().expect("read above");
                match key.is_proven(hello, challenge, proof) {
                    true => Seen::Proven(key.session(hello, challenge)),
                    false => Seen::Stranger,
                }
            }
        }
    }

    fn challenge(&mut self, key: &PortKey, hello: &[u8; HELLO_BYTES]) -> Seen {
        if !key.welcomes(hello) {
            if PortKey::is_hello(hello) {
                self.refuse(Refusal::WrongKey);
            }
            return Seen::Stranger;
        }
        let Ok(Secret(nonce)) = Secret::random() else {
            return Seen::Stranger;
        };
        let challenge = key.challenge(hello, &nonce);
        // It fits: the socket has carried nothing yet.
        match write_some(&mut self.stream, &challenge) {
            Ok(CHALLENGE_BYTES) => {
                self.said = Some((*hello, challenge));
                Seen::Greeted
            }
            _ => Seen::Stranger,
        }
    }

    /// Says why it is turned away. Whoever does not take it in one go does not want it.
    fn refuse(&mut self, why: Refusal) {
        let _ = write_some(&mut self.stream, &why.answer());
    }
}

impl Guests {
    /// Whether another connection may be accepted. Where not, enough wait that know the key.
    pub fn has_room(&self) -> bool {
        self.greeted.len() + self.proven.len() < KNOWN_MAX
    }

    /// Takes in a connection that was accepted. Where as many have shown nothing as may, the oldest
    /// of them goes, unless it shows something at this moment.
    ///
    /// # Errors
    /// The system's, which concern this connection alone.
    pub fn admit(&mut self, stream: TcpStream, key: &PortKey) -> io::Result<()> {
        stream.set_nonblocking(true)?;
        if self.strangers.len() >= STRANGERS_MAX {
            self.crowd_out(key);
        }
        self.strangers.push_back(Guest {
            stream,
            bytes: Vec::new(),
            said: None,
            deadline: Instant::now() + PATIENCE,
        });
        Ok(())
    }

    /// Lets the oldest connection that has shown nothing go, for another one or for want of
    /// descriptors. False where all have shown something.
    pub fn crowd_out(&mut self, key: &PortKey) -> bool {
        let Some(mut oldest) = self.strangers.pop_front() else {
            return false;
        };
        match oldest.step(key) {
            Seen::Greeted => self.greeted.push(oldest),
            Seen::Stranger => {}
            Seen::Nothing | Seen::Moved | Seen::Proven(_) => oldest.refuse(Refusal::Crowded),
        }
        true
    }

    /// Takes each connection a step further. Whether one has moved.
    pub fn advance(&mut self, key: &PortKey) -> bool {
        let now = Instant::now();
        let strangers = std::mem::take(&mut self.strangers);
        let greeted = std::mem::take(&mut self.greeted);
        let mut moved = false;
        for mut guest in strangers.into_iter().chain(greeted) {
            match guest.step(key) {
                Seen::Nothing | Seen::Moved if guest.deadline <= now => {}
                Seen::Nothing => self.keep(guest),
                Seen::Moved | Seen::Greeted => {
                    moved = true;
                    self.keep(guest);
                }
                Seen::Proven(session) => {
                    moved = true;
                    self.proven.push_back((guest.stream, session));
                }
                Seen::Stranger => moved = true,
            }
        }
        moved
    }

    fn keep(&mut self, guest: Guest) {
        match guest.said {
            None => self.strangers.push_back(guest),
            Some(_) => self.greeted.push(guest),
        }
    }

    /// Returns a connection that knows the key, with the keys of what goes over it.
    pub fn take(&mut self) -> Option<(TcpStream, Session)> {
        self.proven.pop_front()
    }

    /// Returns the descriptors at which something may come.
    pub fn watched(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        let all = self.strangers.iter().chain(&self.greeted);
        all.map(|guest| guest.stream.as_fd())
    }

    /// Returns when the time of the next connection is over.
    pub fn deadline(&self) -> Option<Instant> {
        let all = self.strangers.iter().chain(&self.greeted);
        all.map(|guest| guest.deadline).min()
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
        guests: Guests,
    }

    impl Scene {
        fn new() -> Scene {
            Scene {
                listener: TcpListener::bind("127.0.0.1:0").unwrap(),
                key: PortKey::new(&[1; 32]),
                guests: Guests::default(),
            }
        }

        /// Connects somebody, who is accepted; `bytes` have arrived by then.
        fn connect(&mut self, bytes: &[u8]) -> TcpStream {
            let mut stream = TcpStream::connect(self.listener.local_addr().unwrap()).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            stream.write_all(bytes).unwrap();
            let (accepted, _) = self.listener.accept().unwrap();
            self.guests.admit(accepted, &self.key).unwrap();
            stream
        }

        /// Returns what a client with this key hears in answer to its greeting.
        fn greet(&mut self, key: &PortKey) -> (TcpStream, [u8; HELLO_BYTES]) {
            let hello = key.hello(&[7; 32]);
            (self.connect(&hello), hello)
        }

        fn advance_until(&mut self, is_so: impl Fn(&Guests) -> bool) {
            while !is_so(&self.guests) {
                self.guests.advance(&self.key);
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
        scene.advance_until(|guests| !guests.greeted.is_empty());
        let challenge = answer(&mut client);
        client
            .write_all(&key.prove(&hello, &challenge).unwrap())
            .unwrap();
        crowd.extend((0..200).map(|_| scene.connect(b"")));
        scene.advance_until(|guests| !guests.proven.is_empty());
        assert!(scene.guests.take().is_some() && scene.guests.take().is_none());
        assert_eq!(scene.guests.strangers.len(), STRANGERS_MAX);
        assert!(scene.guests.has_room());
        let why = answer(&mut crowd[0]);
        assert_eq!(Refusal::read(&why), Some(Refusal::Crowded));
    }

    #[test]
    fn whoever_greets_with_another_key_hears_so_and_whoever_talks_nonsense_nothing() {
        let mut scene = Scene::new();
        let (mut other, _) = scene.greet(&PortKey::new(&[2; 32]));
        let mut nonsense = scene.connect(&[b'G'; HELLO_BYTES]);
        scene.advance_until(|guests| guests.strangers.is_empty());
        let why = answer(&mut other);
        assert_eq!(Refusal::read(&why), Some(Refusal::WrongKey));
        assert_eq!(nonsense.read(&mut [0; 1]).unwrap(), 0);
    }

    #[test]
    fn the_time_is_for_the_whole_handshake() {
        let mut scene = Scene::new();
        let (_client, _) = scene.greet(&PortKey::new(&[1; 32]));
        scene.advance_until(|guests| !guests.greeted.is_empty());
        let mut slow = scene.connect(b"");
        let past = Instant::now();
        scene.guests.greeted[0].deadline = past;
        scene.guests.strangers[0].deadline = past;
        assert_eq!(scene.guests.deadline(), Some(past));
        slow.write_all(b"O").unwrap();
        scene.advance_until(|guests| guests.watched().count() == 0);
    }

    #[test]
    fn where_enough_wait_that_know_the_key_others_are_to_wait_in_the_queue() {
        let mut scene = Scene::new();
        let key = PortKey::new(&[1; 32]);
        let _clients: Vec<_> = (0..KNOWN_MAX).map(|_| scene.greet(&key)).collect();
        scene.advance_until(|guests| guests.greeted.len() == KNOWN_MAX);
        assert!(!scene.guests.has_room());
    }
}
