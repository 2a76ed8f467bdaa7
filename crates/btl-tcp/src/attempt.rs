//! Connections before the end of their handshake: those that this process begins, and those that it
//! accepts.
//!
//! An attempt of our own belongs to the rail that it is for. One that was accepted belongs to no
//! peer.
//!
//! **When both sides connect at once, the connection of the lower id stays**, for each rail by
//! itself. The lower one decides: while it has an attempt of its own it replies to the other's
//! proof with `yield`, and from then on the higher one awaits the lower one's connection. The
//! higher one drops its own attempt when the lower one has proved itself. Frames flow only after
//! `accept`, so no frame is ever in a connection that is dropped.
//!
//! **Unauthenticated connections** (accepted, and silent so far or without the secret) cost a
//! descriptor for at most the time of the parameter, and are limited in number: beyond it the
//! oldest is closed. A greeting made with the secret makes an attempt a guest: it may take as long
//! as it likes, since its process may be busy outside MPI for minutes, but there is one per peer
//! and rail.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::io::{self, Read};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Instant;

use base::{Key, PeerId, Slab};
use mca::Framework;
use socket2::{Domain, Protocol, SockRef, Socket, Type};

use crate::handshake::{
    self, Challenged, ConnectionId, Greeted, Identity, Proven, Refusal, State, Verdict,
    CHALLENGE_BYTES, HELLO_BYTES, PROOF_BYTES, VERDICT_BYTES,
};
use crate::health;
use crate::pairing::{Rail, RAILS_MAX};
use crate::params::Settings;
use crate::source::Source;
use crate::sys::{self, Epoll, Parts, Watch, Watched};

/// Most accepted connections that have not shown the secret, and fewest.
const UNAUTHENTICATED_MAX: usize = 256;
const UNAUTHENTICATED_MIN: usize = 4;
/// Divisor of the process's limit of descriptors that gives the limit of unauthenticated
/// connections.
const UNAUTHENTICATED_SHARE: usize = 16;

/// Congestion control of connections within a host, where nothing is congested. The system's own
/// may be one that paces (`bbr`), which halves the speed of long messages there.
const WITHIN_HOST: &[u8] = b"reno";

/// A socket on which a handshake is under way.
struct Shaking {
    stream: Watched,
    /// Time at which it is given up; `None` where the other side may take its time.
    deadline: Option<Instant>,
    /// The message that is coming, and how much of it has come.
    bytes: [u8; HELLO_BYTES],
    have: usize,
    /// A share of what counts the attempts under way.
    _under_way: Arc<()>,
}

/// This process's attempt to connect a rail of a peer.
pub struct DialedAttempt {
    shaking: Shaking,
    to: PeerId,
    rail: usize,
    stage: DialedStage,
}

enum DialedStage {
    Dialing,
    AwaitChallenge(Box<Greeted>),
    AwaitVerdict(Box<Proven>),
}

/// The result of a step of this process's attempt.
#[derive(Debug)]
pub enum DialedStep {
    /// The attempt waits for the other side.
    Wait,
    /// The connection is accepted.
    Accepted(Proven),
    /// The connection yields to the peer's.
    Yielded,
    /// The peer has given this process up.
    Gone,
    /// The peer has no descriptor for this process.
    Full,
}

/// An accepted connection, whose other side has not proved its identity.
pub struct AcceptedAttempt {
    shaking: Shaking,
    /// The greeting that was answered.
    challenged: Option<Box<Challenged>>,
}

/// The result of a step of an attempt that was accepted.
#[derive(Debug)]
pub enum AcceptedStep {
    /// The attempt waits for the other side.
    Wait,
    /// The other side has shown the secret, and claims to be this peer, for this rail.
    Greeted(PeerId, u16),
    /// The other side has proved to be this peer.
    Proved(Proven),
}

/// The facts about the peers of this process that an attempt needs.
pub trait PeerStates {
    /// Returns this process's data for a handshake with a peer on a rail: the number of the rail's
    /// next connection, and the state.
    fn state(&mut self, peer: PeerId, rail: usize) -> (u16, State);

    /// Returns this process's identity for a peer.
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

impl DialedAttempt {
    /// Begins to connect a rail. The socket becomes writable when that has succeeded or failed.
    ///
    /// # Errors
    /// When it fails at once.
    pub fn begin(
        (to, rail): (PeerId, usize),
        path: &Rail,
        settings: &Settings,
        epoll: &Arc<Epoll>,
        deadline: Instant,
        under_way: Arc<()>,
    ) -> Result<DialedAttempt, Trouble> {
        let mut stream = Watched::new(dial(path, settings)?, epoll);
        let number = Source::Rail(to, rail).number();
        stream.watch(Watch::Write, number).map_err(Trouble::Local)?;
        Ok(DialedAttempt {
            shaking: Shaking::new(stream, deadline, under_way),
            to,
            rail,
            stage: DialedStage::Dialing,
        })
    }

    /// Whether the other side's kernel has replied.
    pub fn has_reached(&self) -> bool {
        !matches!(self.stage, DialedStage::Dialing)
    }

    /// Whether it has a deadline that is over.
    pub fn is_overdue(&self, now: Instant) -> bool {
        self.shaking.is_overdue(now)
    }

    /// Returns the socket, which has passed the handshake.
    pub fn into_stream(self) -> Watched {
        self.shaking.stream
    }

    /// Proceeds as far as the bytes that are there allow.
    pub fn step(&mut self, states: &mut dyn PeerStates) -> Result<DialedStep, Trouble> {
        if matches!(self.stage, DialedStage::Dialing) && !self.reached(states)? {
            return Ok(DialedStep::Wait);
        }
        if let DialedStage::AwaitChallenge(greeted) = &self.stage {
            if !self.shaking.read(CHALLENGE_BYTES)? {
                return Ok(DialedStep::Wait);
            }
            let identity = states.identity(self.to);
            let challenge = self.shaking.bytes.first_chunk().expect("read above");
            let (proven, proof) = greeted.prove(&identity, challenge).map_err(refused)?;
            self.shaking.write(&proof)?;
            self.stage = DialedStage::AwaitVerdict(Box::new(proven));
        }
        let DialedStage::AwaitVerdict(proven) = &self.stage else {
            return Ok(DialedStep::Wait);
        };
        if !self.shaking.read(VERDICT_BYTES)? {
            return Ok(DialedStep::Wait);
        }
        let verdict = Verdict::decode(self.shaking.bytes[0]).map_err(refused)?;
        Ok(match verdict {
            Verdict::Accept => DialedStep::Accepted(**proven),
            Verdict::Yield => DialedStep::Yielded,
            Verdict::Gone => DialedStep::Gone,
            Verdict::Full => DialedStep::Full,
        })
    }

    /// Greets the other side once it is reached.
    fn reached(&mut self, states: &mut dyn PeerStates) -> Result<bool, Trouble> {
        match self.shaking.stream.take_error() {
            Ok(None) => {}
            Ok(Some(error)) | Err(error) => return Err(Trouble::Connect(error)),
        }
        if self.shaking.stream.peer_addr().is_err() {
            return Ok(false);
        }
        let (round, state) = states.state(self.to, self.rail);
        let connection = ConnectionId {
            rail: self.rail as u16,
            round,
        };
        let nonce = sys::random().map_err(Trouble::Local)?;
        let identity = states.identity(self.to);
        let (greeted, hello) = identity.greet(self.to, connection, state, nonce);
        self.shaking.write(&hello)?;
        self.shaking.deadline = None;
        self.stage = DialedStage::AwaitChallenge(Box::new(greeted));
        let number = Source::Rail(self.to, self.rail).number();
        let watched = self.shaking.stream.watch(Watch::Read, number);
        watched.map(|()| true).map_err(Trouble::Local)
    }
}

impl AcceptedAttempt {
    /// Returns the other side's address.
    pub fn origin(&self) -> Option<SocketAddr> {
        self.shaking.stream.peer_addr().ok()
    }

    /// Whether it has a deadline that is over.
    pub fn is_overdue(&self, now: Instant) -> bool {
        self.shaking.is_overdue(now)
    }

    /// Returns the socket, which has passed the handshake.
    pub fn into_stream(self) -> Watched {
        self.shaking.stream
    }

    /// Watches for input under this number.
    pub fn watch(&mut self, number: u64) -> io::Result<()> {
        self.shaking.stream.watch(Watch::Read, number)
    }

    /// Proceeds as far as the bytes that are there allow.
    pub fn step(&mut self, states: &mut dyn PeerStates) -> Result<AcceptedStep, Trouble> {
        let Some(challenged) = &self.challenged else {
            return self.hello(states);
        };
        if !self.shaking.read(PROOF_BYTES)? {
            return Ok(AcceptedStep::Wait);
        }
        let proof = self.shaking.bytes.first_chunk().expect("read above");
        let identity = states.identity(challenged.claimed.peer);
        let proven = challenged.check(&identity, proof).map_err(refused)?;
        Ok(AcceptedStep::Proved(proven))
    }

    fn hello(&mut self, states: &mut dyn PeerStates) -> Result<AcceptedStep, Trouble> {
        let has_all = self.shaking.read(HELLO_BYTES);
        // A peer of another protocol need not finish its message.
        if !handshake::begins_well(&self.shaking.bytes[..self.shaking.have]) {
            return Err(refused(Refusal::Magic));
        }
        if !has_all? {
            return Ok(AcceptedStep::Wait);
        }
        let bytes = &self.shaking.bytes;
        let (job, from) = handshake::claimed(bytes);
        let identity = states.greeted(job, from);
        let nonce = sys::random().map_err(Trouble::Local)?;
        let welcomed = identity.welcome(bytes).map_err(refused)?;
        let Proven {
            peer, connection, ..
        } = welcomed.claimed;
        if usize::from(connection.rail) >= RAILS_MAX {
            return Err(refused(Refusal::Rail(connection.rail)));
        }
        let (round, state) = states.state(peer, connection.rail.into());
        let (challenged, challenge) = welcomed.challenge(&identity, round, state, nonce);
        self.shaking.write(&challenge)?;
        self.shaking.deadline = None;
        self.challenged = Some(Box::new(challenged));
        Ok(AcceptedStep::Greeted(peer, connection.rail))
    }

    /// Sends the other side, which has proved itself, the verdict on its connection.
    pub fn decide(&self, verdict: Verdict) -> Result<(), Trouble> {
        self.shaking.write(&verdict.encode())
    }
}

impl Shaking {
    fn new(stream: Watched, deadline: Instant, under_way: Arc<()>) -> Shaking {
        Shaking {
            stream,
            deadline: Some(deadline),
            bytes: [0; HELLO_BYTES],
            have: 0,
            _under_way: under_way,
        }
    }

    fn is_overdue(&self, now: Instant) -> bool {
        self.deadline.is_some_and(|deadline| deadline <= now)
    }

    /// Reads a message of `due` bytes and no further: what follows may be frames. False where a
    /// part of it is still to come.
    fn read(&mut self, due: usize) -> Result<bool, Trouble> {
        while self.have < due {
            match (&*self.stream).read(&mut self.bytes[self.have..due]) {
                Ok(0) => return Err(Trouble::HungUp),
                Ok(got) => self.have += got,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Trouble::HungUp),
            }
        }
        self.have = 0;
        Ok(true)
    }

    /// Writes a message, which always fits: the socket has carried next to nothing.
    fn write(&self, bytes: &[u8]) -> Result<(), Trouble> {
        let mut parts = Parts::new();
        parts.add(bytes);
        match sys::send(&*self.stream, &parts) {
            Ok(sent) if sent == bytes.len() => Ok(()),
            _ => Err(Trouble::HungUp),
        }
    }
}

fn refused(refusal: Refusal) -> Trouble {
    Trouble::Refused(refusal)
}

/// The attempts that were accepted.
pub struct AcceptedAttempts {
    all: Slab<AcceptedAttempt>,
    /// Attempts that have not shown the secret, the oldest first.
    unauthenticated: VecDeque<Key>,
    /// Attempts that have shown the secret, by the peer that they claim to be and the rail.
    guests: HashMap<(PeerId, u16), Key>,
    /// Most unauthenticated connections at a time.
    unauthenticated_max: usize,
}

impl AcceptedAttempts {
    /// Creates an empty set for a process that may have `descriptors` descriptors.
    pub fn new(descriptors: usize) -> AcceptedAttempts {
        let share = descriptors / UNAUTHENTICATED_SHARE;
        AcceptedAttempts {
            all: Slab::default(),
            unauthenticated: VecDeque::new(),
            guests: HashMap::new(),
            unauthenticated_max: share.clamp(UNAUTHENTICATED_MIN, UNAUTHENTICATED_MAX),
        }
    }

    /// Drops the oldest unauthenticated connection: its descriptor is needed. Returns whether there
    /// was one.
    pub fn drop_oldest_unauthenticated(&mut self) -> bool {
        let oldest = self.unauthenticated.front().copied();
        oldest.is_some_and(|oldest| self.remove(oldest).is_some())
    }

    /// Returns an attempt, unless it is gone.
    pub fn get_mut(&mut self, key: Key) -> Option<&mut AcceptedAttempt> {
        self.all.get_mut(key)
    }

    /// Adds a connection. Beyond the limit the oldest unauthenticated one is dropped.
    pub fn insert(&mut self, stream: Watched, deadline: Instant, under_way: Arc<()>) -> Key {
        if self.unauthenticated.len() >= self.unauthenticated_max
            && self.drop_oldest_unauthenticated()
        {
            Framework::Btl.info(format_args!(
                "too many connections that do not name themselves: the oldest goes"
            ));
        }
        let key = self.all.insert(AcceptedAttempt {
            shaking: Shaking::new(stream, deadline, under_way),
            challenged: None,
        });
        self.unauthenticated.push_back(key);
        key
    }

    /// Records that an attempt has shown the secret. The peer's earlier guest for the rail is
    /// dropped, if it has one: it was abandoned, or this is a replay.
    pub fn greeted(&mut self, key: Key, peer: PeerId, rail: u16) {
        self.unauthenticated.retain(|waiting| *waiting != key);
        if let Some(earlier) = self.guests.insert((peer, rail), key) {
            self.all.remove(earlier);
        }
    }

    /// Removes an attempt.
    pub fn remove(&mut self, key: Key) -> Option<AcceptedAttempt> {
        let attempt = self.all.remove(key)?;
        match &attempt.challenged {
            None => self.unauthenticated.retain(|waiting| *waiting != key),
            Some(challenged) => {
                let Proven {
                    peer, connection, ..
                } = challenged.claimed;
                let guest = (peer, connection.rail);
                if self.guests.get(&guest) == Some(&key) {
                    self.guests.remove(&guest);
                }
            }
        }
        Some(attempt)
    }

    /// Returns the attempts whose time is over.
    pub fn overdue(&self, now: Instant) -> Vec<Key> {
        let late = self.all.iter().filter(|(_, it)| it.is_overdue(now));
        late.map(|(key, _)| key).collect()
    }

    /// Drops all of them.
    pub fn clear(&mut self) {
        let keys: Vec<Key> = self.all.iter().map(|(key, _)| key).collect();
        keys.into_iter().for_each(|key| drop(self.remove(key)));
    }

    /// Returns how many there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.all.len()
    }
}

/// Returns a socket that connects.
fn dial(rail: &Rail, settings: &Settings) -> Result<TcpStream, Trouble> {
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
            Framework::Btl.debug(format_args!(
                "congestion control within the host was not set: {error}"
            ));
        }
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
