//! Establishes connections: connecting, the handshake, and which of two connections stays.
//!
//! An [`Attempt`] is a socket that has not passed the handshake. It belongs to no peer, save that
//! an attempt of our own is recorded in the endpoint that it is for.
//!
//! **When both sides connect at once, the connection of the lower id stays**, for each rail by
//! itself. The lower one decides: while it has an attempt of its own it replies to the other's
//! proof with `yield`, and from then on the higher one awaits the lower one's connection. The
//! higher one drops its own attempt when the lower one has proved itself. Frames flow only after
//! `accept`, so no frame is ever in a connection that is dropped.
//!
//! **Strangers** (accepted, and silent so far or without the secret) cost a descriptor for at most
//! the time of the parameter, and are limited in number: beyond it the oldest goes. A greeting
//! made with the secret makes an attempt a guest: it may take as long as it likes, since its
//! process may be busy outside MPI for minutes, but there is one per peer and rail.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::io::{self, Read};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::time::Instant;

use base::{Key, PeerId, Slab};
use socket2::{Domain, Protocol, SockRef, Socket, Type};

use crate::endpoint::RAILS_MAX;
use crate::handshake::{
    self, Challenged, Greeted, Identity, Place, Proven, Refusal, State, Verdict, CHALLENGE_BYTES,
    HELLO_BYTES, PROOF_BYTES, VERDICT_BYTES,
};
use crate::health;
use crate::pairing::Rail;
use crate::params::Settings;
use crate::sys::{self, Parts};

/// Most accepted connections that have not shown the secret, and fewest.
const STRANGERS_MAX: usize = 256;
const STRANGERS_MIN: usize = 4;
/// Divisor of the process's limit of descriptors that gives the limit of strangers.
const SHARE_OF_STRANGERS: usize = 16;

/// Congestion control of connections within a host, where nothing is congested. The system's own
/// may be one that paces (`bbr`), which halves the speed of long messages there.
const WITHIN_HOST: &[u8] = b"reno";

/// A connection before the end of its handshake.
pub struct Attempt {
    /// The socket.
    pub stream: TcpStream,
    stage: Stage,
    /// Time at which it is given up; `None` where the other side may take its time.
    pub deadline: Option<Instant>,
    bytes: [u8; HELLO_BYTES],
    have: usize,
}

enum Stage {
    Dialing {
        to: PeerId,
        rail: usize,
    },
    AwaitChallenge {
        to: PeerId,
        rail: usize,
        greeted: Box<Greeted>,
    },
    AwaitVerdict(Box<Proven>),
    AwaitHello,
    AwaitProof(Box<Challenged>),
}

/// The result of a step of an attempt.
#[derive(Debug)]
pub enum Step {
    /// The attempt waits for the other side.
    Wait,
    /// Ours has reached the other side, and waits for its reply.
    Reached,
    /// Ours is accepted.
    Accepted(Proven),
    /// Ours yields to the peer's, on this rail.
    Yielded(PeerId, usize),
    /// The peer has given this process up.
    Gone(PeerId),
    /// The peer has no descriptor for this process.
    Full(PeerId),
    /// An accepted one has shown the secret, and claims to be this peer, for this rail.
    Greeted(PeerId, u16),
    /// An accepted one has proved to be this peer.
    Proved(Proven),
    /// The attempt has failed.
    Trouble(Trouble),
}

/// The facts about this process's endpoints that an attempt needs.
pub trait Endpoints {
    /// Returns this process's data for a handshake with a peer on a rail: the number of the rail's
    /// next connection, and the state.
    fn tell(&mut self, peer: PeerId, rail: usize) -> (u16, State);

    /// Returns this process's identity towards a peer.
    fn identity(&self, peer: PeerId) -> Arc<Identity>;

    /// Returns the identity for a greeting that names a job and its sender.
    fn greeted(&self, job: u64, from: PeerId) -> Arc<Identity>;
}

/// The reason that an attempt has failed.
#[derive(Debug)]
pub enum Trouble {
    /// The address cannot be reached.
    Connect(io::Error),
    /// The other side hung up.
    HungUp,
    /// The other side is not the expected one.
    Refused(Refusal),
    /// This process lacks a resource; a retry may help.
    Local(io::Error),
}

impl Attempt {
    /// Returns the peer and rail of an attempt of our own; `None` for an accepted one.
    pub fn target(&self) -> Option<(PeerId, usize)> {
        match &self.stage {
            Stage::Dialing { to, rail } | Stage::AwaitChallenge { to, rail, .. } => {
                Some((*to, *rail))
            }
            Stage::AwaitVerdict(proven) => Some((proven.peer, proven.place.rail.into())),
            Stage::AwaitHello | Stage::AwaitProof(_) => None,
        }
    }

    /// Whether the other side's kernel has replied.
    pub fn has_reached(&self) -> bool {
        !matches!(self.stage, Stage::Dialing { .. })
    }

    /// Returns the other side's address.
    pub fn origin(&self) -> Option<SocketAddr> {
        self.stream.peer_addr().ok()
    }

    /// Proceeds as far as the bytes that are there allow.
    pub fn step(&mut self, endpoints: &mut dyn Endpoints) -> Step {
        self.try_step(endpoints).unwrap_or_else(Step::Trouble)
    }

    fn try_step(&mut self, endpoints: &mut dyn Endpoints) -> Result<Step, Trouble> {
        loop {
            let due = match &self.stage {
                Stage::Dialing { to, rail } => {
                    let (to, rail) = (*to, *rail);
                    return self.reached(to, rail, endpoints);
                }
                Stage::AwaitHello => HELLO_BYTES,
                Stage::AwaitChallenge { .. } => CHALLENGE_BYTES,
                Stage::AwaitProof(_) => PROOF_BYTES,
                Stage::AwaitVerdict(_) => VERDICT_BYTES,
            };
            if !self.read(due)? {
                return Ok(Step::Wait);
            }
            self.have = 0;
            match &self.stage {
                Stage::Dialing { .. } => unreachable!("it returned above"),
                Stage::AwaitHello => return self.hello(endpoints),
                Stage::AwaitProof(challenged) => {
                    let proof = self.bytes.first_chunk().expect("read above");
                    let identity = endpoints.identity(challenged.claimed.peer);
                    return challenged
                        .check(&identity, proof)
                        .map(Step::Proved)
                        .map_err(refused);
                }
                Stage::AwaitChallenge { to, greeted, .. } => {
                    let identity = endpoints.identity(*to);
                    let challenge = self.bytes.first_chunk().expect("read above");
                    let (proven, proof) = greeted.prove(&identity, challenge).map_err(refused)?;
                    self.write(&proof)?;
                    self.stage = Stage::AwaitVerdict(Box::new(proven));
                }
                Stage::AwaitVerdict(proven) => {
                    let verdict = Verdict::decode(self.bytes[0]).map_err(refused)?;
                    return Ok(match verdict {
                        Verdict::Accept => Step::Accepted(**proven),
                        Verdict::Yield => Step::Yielded(proven.peer, proven.place.rail.into()),
                        Verdict::Gone => Step::Gone(proven.peer),
                        Verdict::Full => Step::Full(proven.peer),
                    });
                }
            }
        }
    }

    fn reached(
        &mut self,
        to: PeerId,
        rail: usize,
        endpoints: &mut dyn Endpoints,
    ) -> Result<Step, Trouble> {
        match self.stream.take_error() {
            Ok(None) => {}
            Ok(Some(error)) | Err(error) => return Err(Trouble::Connect(error)),
        }
        if self.stream.peer_addr().is_err() {
            return Ok(Step::Wait);
        }
        let (round, state) = endpoints.tell(to, rail);
        let place = Place {
            rail: rail as u16,
            round,
        };
        let nonce = sys::random().map_err(Trouble::Local)?;
        let identity = endpoints.identity(to);
        let (greeted, hello) = identity.greet(to, place, state, nonce);
        self.write(&hello)?;
        self.deadline = None;
        self.stage = Stage::AwaitChallenge {
            to,
            rail,
            greeted: Box::new(greeted),
        };
        Ok(Step::Reached)
    }

    fn hello(&mut self, endpoints: &mut dyn Endpoints) -> Result<Step, Trouble> {
        let (job, from) = handshake::claimed(&self.bytes);
        let identity = endpoints.greeted(job, from);
        let nonce = sys::random().map_err(Trouble::Local)?;
        let welcomed = identity.welcome(&self.bytes).map_err(refused)?;
        let Proven { peer, place, .. } = welcomed.claimed;
        if usize::from(place.rail) >= RAILS_MAX {
            return Err(refused(Refusal::Rail(place.rail)));
        }
        let (round, state) = endpoints.tell(peer, place.rail.into());
        let (challenged, challenge) = welcomed.challenge(&identity, round, state, nonce);
        self.write(&challenge)?;
        self.deadline = None;
        self.stage = Stage::AwaitProof(Box::new(challenged));
        Ok(Step::Greeted(peer, place.rail))
    }

    /// Sends the other side, which has proved itself, the verdict on its connection.
    pub fn decide(&self, verdict: Verdict) -> Result<(), Trouble> {
        self.write(&verdict.encode())
    }

    /// Reads up to `due` bytes and no further: what follows may be frames.
    fn read(&mut self, due: usize) -> Result<bool, Trouble> {
        while self.have < due {
            match (&self.stream).read(&mut self.bytes[self.have..due]) {
                Ok(0) => return Err(Trouble::HungUp),
                Ok(got) => self.have += got,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Trouble::HungUp),
            }
            // A peer of another protocol need not finish its message.
            let strange = !handshake::begins_well(&self.bytes[..self.have]);
            if matches!(self.stage, Stage::AwaitHello) && strange {
                return Err(refused(Refusal::Magic));
            }
        }
        Ok(true)
    }

    /// Writes a message, which always fits: the socket has carried next to nothing.
    fn write(&self, bytes: &[u8]) -> Result<(), Trouble> {
        let mut parts = Parts::new();
        parts.add(bytes);
        match sys::send(&self.stream, &parts) {
            Ok(sent) if sent == bytes.len() => Ok(()),
            _ => Err(Trouble::HungUp),
        }
    }
}

fn refused(refusal: Refusal) -> Trouble {
    Trouble::Refused(refusal)
}

/// The attempts under way.
pub struct Attempts {
    all: Slab<Attempt>,
    /// Accepted ones that have not shown the secret, the oldest first.
    strangers: VecDeque<Key>,
    /// Accepted ones that have, by the peer that they claim to be and the rail.
    guests: HashMap<(PeerId, u16), Key>,
    /// Most strangers at a time.
    strangers_max: usize,
}

impl Attempts {
    /// Creates an empty set for a process that may have `descriptors` descriptors.
    pub fn new(descriptors: usize) -> Attempts {
        let share = descriptors / SHARE_OF_STRANGERS;
        Attempts {
            all: Slab::default(),
            strangers: VecDeque::new(),
            guests: HashMap::new(),
            strangers_max: share.clamp(STRANGERS_MIN, STRANGERS_MAX),
        }
    }

    /// Removes the oldest stranger, where there is one: its descriptor is needed.
    pub fn oldest_stranger(&mut self) -> Option<Attempt> {
        let oldest = *self.strangers.front()?;
        self.remove(oldest)
    }

    /// Whether there are no attempts.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns an attempt, unless it is gone.
    pub fn get_mut(&mut self, key: Key) -> Option<&mut Attempt> {
        self.all.get_mut(key)
    }

    /// Adds a connection of our own that is being made.
    pub fn dialed(&mut self, stream: TcpStream, to: PeerId, rail: usize, deadline: Instant) -> Key {
        let (stage, deadline) = (Stage::Dialing { to, rail }, Some(deadline));
        self.all.insert(Attempt {
            stream,
            stage,
            deadline,
            bytes: [0; HELLO_BYTES],
            have: 0,
        })
    }

    /// Adds a connection that was accepted. One beyond the limit pushes the oldest out.
    pub fn accepted(&mut self, stream: TcpStream, deadline: Instant) -> (Key, Option<Attempt>) {
        let is_full = self.strangers.len() >= self.strangers_max;
        let oldest = is_full.then(|| self.oldest_stranger()).flatten();
        let (stage, deadline) = (Stage::AwaitHello, Some(deadline));
        let attempt = Attempt {
            stream,
            stage,
            deadline,
            bytes: [0; HELLO_BYTES],
            have: 0,
        };
        let key = self.all.insert(attempt);
        self.strangers.push_back(key);
        (key, oldest)
    }

    /// Records that a stranger has shown the secret. Returns the peer's earlier guest for the rail,
    /// if it has one: it was abandoned, or this is a replay.
    pub fn greeted(&mut self, key: Key, peer: PeerId, rail: u16) -> Option<Attempt> {
        self.strangers.retain(|stranger| *stranger != key);
        let earlier = self.guests.insert((peer, rail), key)?;
        self.all.remove(earlier)
    }

    /// Removes an attempt.
    pub fn remove(&mut self, key: Key) -> Option<Attempt> {
        let attempt = self.all.remove(key)?;
        match &attempt.stage {
            Stage::AwaitHello => self.strangers.retain(|stranger| *stranger != key),
            Stage::AwaitProof(challenged) => {
                let Proven { peer, place, .. } = challenged.claimed;
                let guest = (peer, place.rail);
                if self.guests.get(&guest) == Some(&key) {
                    self.guests.remove(&guest);
                }
            }
            _ => {}
        }
        Some(attempt)
    }

    /// Returns the attempts whose time is over.
    pub fn overdue(&self, now: Instant) -> Vec<Key> {
        let late = |attempt: &Attempt| attempt.deadline.is_some_and(|deadline| deadline <= now);
        self.all
            .iter()
            .filter(|(_, attempt)| late(attempt))
            .map(|(key, _)| key)
            .collect()
    }

    /// All of them.
    pub fn keys(&self) -> Vec<Key> {
        self.all.iter().map(|(key, _)| key).collect()
    }
}

/// Begins to connect. The socket becomes writable when that has succeeded or failed.
pub fn dial(rail: &Rail, settings: &Settings) -> Result<TcpStream, Trouble> {
    let kind = Type::STREAM.nonblocking();
    let domain = Domain::for_address(rail.remote);
    let socket = Socket::new(domain, kind, Some(Protocol::TCP)).map_err(Trouble::Local)?;
    set_buffers(&socket, settings).map_err(Trouble::Local)?;
    set_pace(&socket, rail.local, rail.remote.ip());
    socket
        .set_tcp_nodelay(!settings.use_nagle)
        .map_err(Trouble::Local)?;
    health::keep_alive(&socket, health::patience(settings.reconnect_timeout))
        .map_err(Trouble::Local)?;
    let begun = match rail.local.is_unspecified() {
        true => Ok(()),
        false => from(&socket, rail.local),
    };
    match begun.and_then(|()| socket.connect(&rail.remote.into())) {
        Ok(()) => {}
        Err(error) => match error.raw_os_error() {
            Some(libc::EINPROGRESS | libc::EINTR) => {}
            Some(libc::EADDRNOTAVAIL | libc::EAGAIN | libc::ENOBUFS | libc::ENOMEM) => {
                return Err(Trouble::Local(error))
            }
            _ => return Err(Trouble::Connect(error)),
        },
    }
    Ok(socket.into())
}

/// Has a socket connect from this address.
fn from(socket: &Socket, local: IpAddr) -> io::Result<()> {
    sys::bind_without_port(socket)?;
    socket.bind(&SocketAddr::new(local, 0).into())
}

/// Accepts one connection; `None` when there is no more.
pub fn accept(listener: &TcpListener, settings: &Settings) -> io::Result<Option<TcpStream>> {
    let stream = match listener.accept() {
        Ok((stream, _)) => stream,
        Err(error) => match error.raw_os_error() {
            Some(libc::EMFILE | libc::ENFILE | libc::ENOBUFS | libc::ENOMEM) => return Err(error),
            Some(libc::EAGAIN) => return Ok(None),
            // The connection broke before it was accepted. The next one is asked for by the
            // next wait, which finds the listener still readable.
            _ => return Ok(None),
        },
    };
    // A failure here is the connection's own: the other side has reset it.
    let ready = stream
        .set_nonblocking(true)
        .and_then(|()| stream.set_nodelay(!settings.use_nagle))
        .and_then(|()| health::keep_alive(&stream, health::patience(settings.reconnect_timeout)))
        .and_then(|()| {
            let (local, remote) = (stream.local_addr()?.ip(), stream.peer_addr()?.ip());
            set_pace(&SockRef::from(&stream), local, remote);
            Ok(())
        });
    Ok(ready.ok().map(|()| stream))
}

/// Sets the sizes of the kernel's buffers where the user did.
pub fn set_buffers(socket: &Socket, settings: &Settings) -> io::Result<()> {
    if settings.sndbuf > 0 {
        socket.set_send_buffer_size(settings.sndbuf)?;
    }
    if settings.rcvbuf > 0 {
        socket.set_recv_buffer_size(settings.rcvbuf)?;
    }
    Ok(())
}

/// Has a connection within the host go as fast as it can. Between hosts the system's choice stands.
fn set_pace(socket: &Socket, local: IpAddr, remote: IpAddr) {
    if remote.is_loopback() || local == remote {
        // Where it is refused, messages are slower and nothing else.
        if let Err(error) = socket.set_tcp_congestion(WITHIN_HOST) {
            log::debug!("congestion control within the host was not set: {error}");
        }
    }
}

impl AsFd for Attempt {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Connect(error) | Trouble::Local(error) => write!(f, "{error}"),
            Trouble::HungUp => write!(f, "it hung up during the handshake"),
            Trouble::Refused(refusal) => write!(f, "{refusal}"),
        }
    }
}
