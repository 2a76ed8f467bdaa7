//! An open port: its sockets, and the connections that have not proved themselves.

use std::collections::HashMap;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bootstrap::Secret;
use mca::Registry;
use rustix::event::PollFlags;

use super::stream::{read_some, write_some};
use bootstrap::port::PortName;
use bootstrap::port::{PortKey, Session, CHALLENGE_BYTES, HELLO_BYTES, PROOF_BYTES};

/// Time in which a connection that was accepted has to show that it knows the key.
const GUEST_PATIENCE: Duration = Duration::from_secs(10);
/// Most connections that are accepted and have not proved themselves.
const GUESTS_MAX: usize = 64;
/// The open ports of a process, by name.
pub(crate) type Ports = Mutex<HashMap<String, Arc<Port>>>;

/// An open port.
pub(crate) struct Port {
    pub(super) name: PortName,
    key: PortKey,
    listeners: Vec<TcpListener>,
    is_closed: AtomicBool,
    guests: Mutex<Vec<Guest>>,
}

/// A connection to a port that was accepted by the system.
pub(super) struct Guest {
    stream: TcpStream,
    bytes: Vec<u8>,
    /// Greeting and challenge, once it has greeted with the key.
    said: Option<([u8; HELLO_BYTES], [u8; CHALLENGE_BYTES])>,
    deadline: Instant,
}

/// The result of a poll of a port.
pub(super) enum Step {
    Nothing,
    Moved,
    /// A client that knows the key.
    Proven(TcpStream, Session),
}

/// The result of a step of a guest.
enum Seen {
    Nothing,
    Moved,
    Proven,
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
                    true => Seen::Proven,
                    false => Seen::Stranger,
                }
            }
        }
    }

    fn challenge(&mut self, key: &PortKey, hello: &[u8; HELLO_BYTES]) -> Seen {
        let (true, Ok(Secret(nonce))) = (key.welcomes(hello), Secret::random()) else {
            return Seen::Stranger;
        };
        let challenge = key.challenge(hello, &nonce);
        // It fits: the socket has carried nothing yet.
        match write_some(&mut self.stream, &challenge) {
            Ok(CHALLENGE_BYTES) => {
                self.said = Some((*hello, challenge));
                Seen::Moved
            }
            _ => Seen::Stranger,
        }
    }
}

impl Port {
    pub(super) fn open(registry: &Registry) -> Result<Port, String> {
        let no_port = |error: &dyn std::fmt::Display| error.to_string();
        let settings = btl_tcp::Settings::of(registry).map_err(|error| no_port(&error))?;
        let listeners = btl_tcp::listeners(&settings);
        let listeners = listeners.map_err(|error| no_port(&error))?;
        let addresses = listeners.iter().map(TcpListener::local_addr);
        let addresses: io::Result<Vec<SocketAddr>> = addresses.collect();
        let Secret(key) = Secret::random().map_err(|error| no_port(&error))?;
        Ok(Port {
            name: PortName {
                addresses: addresses.map_err(|error| no_port(&error))?,
                key,
            },
            key: PortKey::new(&key),
            listeners,
            is_closed: AtomicBool::new(false),
            guests: Mutex::default(),
        })
    }

    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    pub(super) fn guests(&self) -> MutexGuard<'_, Vec<Guest>> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the descriptors that wake a wait for clients.
    pub(super) fn watched<'a>(&'a self, guests: &'a [Guest]) -> Vec<(BorrowedFd<'a>, PollFlags)> {
        let listeners = self.listeners.iter().map(AsFd::as_fd);
        let guests = guests.iter().map(|guest| guest.stream.as_fd());
        let all = listeners.chain(guests);
        all.map(|descriptor| (descriptor, PollFlags::IN)).collect()
    }

    /// Accepts what waits, and takes each guest a step further.
    pub(super) fn step(&self, guests: &mut Vec<Guest>) -> Step {
        let mut moved = self.admit(guests);
        match self.advance(guests, &mut moved) {
            Some((stream, session)) => Step::Proven(stream, session),
            None if moved => Step::Moved,
            None => Step::Nothing,
        }
    }

    /// Accepts what waits at the listeners, as far as there is room. Whether there was any.
    fn admit(&self, guests: &mut Vec<Guest>) -> bool {
        let before = guests.len();
        for listener in &self.listeners {
            while guests.len() < GUESTS_MAX {
                let Ok((stream, _)) = listener.accept() else {
                    break;
                };
                if stream.set_nonblocking(true).is_ok() {
                    guests.push(Guest {
                        stream,
                        bytes: Vec::new(),
                        said: None,
                        deadline: Instant::now() + GUEST_PATIENCE,
                    });
                }
            }
        }
        guests.len() > before
    }

    /// Takes each guest a step further; returns the first that has proved itself.
    fn advance(&self, guests: &mut Vec<Guest>, moved: &mut bool) -> Option<(TcpStream, Session)> {
        let now = Instant::now();
        let mut at = 0;
        while at < guests.len() {
            let guest = &mut guests[at];
            match guest.step(&self.key) {
                Seen::Nothing if guest.deadline > now => at += 1,
                Seen::Moved => {
                    *moved = true;
                    at += 1;
                }
                Seen::Proven => {
                    let guest = guests.remove(at);
                    let (hello, challenge) = guest.said.expect("it was challenged");
                    return Some((guest.stream, self.key.session(&hello, &challenge)));
                }
                Seen::Nothing | Seen::Stranger => {
                    log::info!(target: "port", "a connection without the key is dropped");
                    drop(guests.remove(at));
                }
            }
        }
        None
    }
}
