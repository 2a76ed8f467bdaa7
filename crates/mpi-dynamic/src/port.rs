//! Ports: how groups of processes that know nothing of each other connect (MPI 5.0, 11.9).
//!
//! A port is a listening socket at the process that opened it, and a key in its name that lets a
//! process in. Its sockets carry no messages: over one connection the roots of two groups exchange
//! what [`unite`] needs, and it is closed. Several clients may connect at once; each call of
//! [`accept`] takes one, and the others wait.

mod link;
mod server;
mod user;

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::PollFlags;
use rustix::net::{sockopt, AddressFamily, SocketFlags, SocketType};

use crate::unite::{random, unite};
use bootstrap::port::{is_busy, read_some, write_some};
use bootstrap::port::{PortKey, PortName, Refusal, Session, Side};
use bootstrap::port::{CHALLENGE_BYTES, HELLO_BYTES, PROOF_BYTES};
pub(crate) use link::{Link, Wait};
use mpi::Bridge;
use mpi::Comm;
use mpi::Process;
use mpi::{Class, Error};
use server::Port;
pub(crate) use server::Ports;
use user::UserSocket;

/// Longest wait for a process to accept, where the program names none: MPI wants that it ends (MPI
/// 5.0, 11.9.3), and users know 60 s from Open MPI and 180 s from MPICH.
const CONNECT_PATIENCE: Duration = Duration::from_secs(120);

/// Time for an address to answer at all, before the next one is tried.
const DIAL_PATIENCE: Duration = Duration::from_secs(10);

/// Why a port has turned a client away that it did not listen to.
const CROWDED: &str = "too many connections there have not proved that they know the key";

/// Waits for a client that knows a port's key, for as long as `may_come` says that one may.
fn wait_for_client(
    process: &Process,
    port: &Port,
    deadline: Option<Instant>,
    mut may_come: impl FnMut() -> Result<(), Error>,
) -> Result<(TcpStream, Session), Error> {
    let mut wait = Wait::until(process, None, deadline);
    loop {
        may_come()?;
        if port.is_closed() {
            return Err(no_port(&port.name.shown()));
        }
        let mut incoming = port.incoming();
        let moved = port.step(&mut incoming);
        match incoming.take() {
            Some(proven) => return Ok(proven),
            None if moved => continue,
            None => {}
        }
        if !wait.pause(&port.watched(&incoming)) {
            let text = format!("no process has connected to {} in time", port.name.shown());
            return Err(Error::new(Class::Port, text));
        }
    }
}

/// Opens a port, and returns its name (MPI 5.0, 11.9.2, MPI_Open_port).
///
/// # Errors
/// `Port` when the system refuses a socket.
pub fn open_port(process: &Process) -> Result<String, Error> {
    process.check_logged("a port")?;
    let port = Port::open(&process.registry).map_err(|why| Error::new(Class::Port, why))?;
    let name = port.name.text();
    process
        .service::<Ports>()
        .0
        .lock()
        .insert(name.clone(), Arc::new(port));
    Ok(name)
}

/// Closes a port. Clients that wait there get an error.
///
/// # Errors
/// `Port` when this process has no such port open.
pub fn close_port(process: &Process, name: &str) -> Result<(), Error> {
    let ports = process.service::<Ports>();
    let port = ports.0.lock().remove(name);
    port.ok_or_else(|| unknown(name))?.close();
    Ok(())
}

/// Returns the connection of the next client of an open port; an error once `may_come` gives
/// one.
pub(crate) fn client_at<'a>(
    process: &'a Process,
    group: Option<&'a Comm>,
    port: &str,
    deadline: Option<Instant>,
    may_come: impl FnMut() -> Result<(), Error>,
) -> Result<Link<'a, TcpStream>, Error> {
    let found = process.service::<Ports>().0.lock().get(port).cloned();
    let found = found.ok_or_else(|| unknown(port))?;
    let (stream, session) = wait_for_client(process, &found, deadline, may_come)?;
    Ok(Link::new(
        process,
        group,
        stream,
        Some((session, Side::Server)),
        deadline,
    ))
}

/// Returns the connection to the process that accepts at a port.
pub(crate) fn server_at<'a>(
    process: &'a Process,
    group: Option<&'a Comm>,
    port: &str,
    limit: Option<Duration>,
) -> Result<Link<'a, TcpStream>, Error> {
    let deadline = limit.map(|limit| Instant::now() + limit);
    let name = PortName::parse(port).map_err(|why| Error::new(Class::Port, why))?;
    let (stream, session) = reach(process, group, &name, limit.unwrap_or(CONNECT_PATIENCE))?;
    Ok(Link::new(
        process,
        group,
        stream,
        Some((session, Side::Client)),
        deadline,
    ))
}

/// Terms on which a group meets another one, as its root gives them.
#[derive(Clone, Default, Debug)]
pub struct Terms {
    /// The name of the port.
    pub port: String,
    /// The longest wait for the other group; without one [`accept`] waits for ever and
    /// [`connect`] for two minutes.
    pub limit: Option<Duration>,
}

/// Returns the inter-communicator with the next group that connects to a port (MPI 5.0, 11.9.2,
/// MPI_Comm_accept). The terms matter at the root, which has the port.
///
/// # Errors
/// `Port` when the root has no such port or the time is over; that of the terms where the root
/// has an error in their place, at the whole group; see [`unite`].
pub fn accept(comm: &Comm, root: u32, terms: Result<Terms, Error>) -> Result<Comm, Error> {
    let process = comm.process();
    unite_as(comm, root, || {
        let Terms { port, limit } = terms?;
        let deadline = limit.map(|limit| Instant::now() + limit);
        client_at(process, Some(comm), &port, deadline, || {
            comm.check_members()
        })
    })
}

/// Returns the inter-communicator with the group that accepts at a port (MPI 5.0, 11.9.3,
/// MPI_Comm_connect). The terms matter at the root.
///
/// # Errors
/// `Port` when the name is malformed, no process listens there, or the time limit has passed; the
/// error that the root has in place of terms, at the whole group; see [`unite`].
pub fn connect(comm: &Comm, root: u32, terms: Result<Terms, Error>) -> Result<Comm, Error> {
    let process = comm.process();
    unite_as(comm, root, || {
        let Terms { port, limit } = terms?;
        server_at(process, Some(comm), &port, limit)
    })
}

/// Returns the inter-communicator with the process at the other end of a connected stream
/// socket, which nobody else uses meanwhile; this communicator has one process (MPI 5.0,
/// 11.10.5, MPI_Comm_join). Nothing is left in the socket.
///
/// # Errors
/// `Arg` when it is no such socket; see [`unite`].
pub fn join_by(comm: &Comm, socket: BorrowedFd<'_>) -> Result<Comm, Error> {
    let process = comm.process();
    unite_as(comm, 0, || {
        let socket = UserSocket::new(socket).map_err(|why| {
            let text = format!("the descriptor is not a connected stream socket: {why}");
            Error::new(Class::Arg, text)
        })?;
        Ok(Link::new(process, Some(comm), socket, None, None))
    })
}

/// Unites the group with another one; the root makes the connection.
fn unite_as<'a, B: Bridge + 'a>(
    comm: &Comm,
    root: u32,
    connect: impl FnOnce() -> Result<B, Error>,
) -> Result<Comm, Error> {
    comm.process().check_logged("a connection to another job")?;
    comm.check_members()?;
    if comm.rank() != root {
        return unite(comm, root, None);
    }
    let mut bridge = connect();
    let bridge = bridge.as_mut().map_err(|error| error.clone());
    unite(
        comm,
        root,
        Some(bridge.map(|bridge| bridge as &mut dyn Bridge)),
    )
}

/// Connects to a port by the first of its addresses that answers with the key.
fn reach(
    process: &Process,
    group: Option<&Comm>,
    name: &PortName,
    patience: Duration,
) -> Result<(TcpStream, Session), Error> {
    let deadline = Some(Instant::now() + patience);
    let mut troubles = Vec::new();
    for address in &name.addresses {
        let mut tried = try_address(process, group, *address, name, deadline);
        while tried.as_ref().is_err_and(|why| why == CROWDED) && deadline > Some(Instant::now()) {
            tried = try_address(process, group, *address, name, deadline);
        }
        match tried {
            Ok(found) => return Ok(found),
            Err(why) => troubles.push(format!("{address}: {why}")),
        }
    }
    let mut text = format!("no port at {}: {}", name.shown(), troubles.join("; "));
    if deadline <= Some(Instant::now()) {
        let seconds = patience.as_secs_f64();
        text += &format!(" ({seconds} s; the info key `timeout` sets another time)");
    }
    Err(Error::new(Class::Port, text))
}

fn try_address(
    process: &Process,
    group: Option<&Comm>,
    address: SocketAddr,
    name: &PortName,
    deadline: Option<Instant>,
) -> Result<(TcpStream, Session), String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let mut stream = dial(process, group, address, deadline)?;
    let key = PortKey::new(&name.key);
    let nonce = random().map_err(|error| error.text)?;
    let hello = key.hello(&nonce);
    if write_some(&mut stream, &hello).map_err(|error| text(&error))? != HELLO_BYTES {
        return Err("it takes nothing".into());
    }
    let mut wait = Wait::until(process, group, deadline);
    let mut bytes = Vec::new();
    while bytes.len() < CHALLENGE_BYTES {
        let moved = read_some(&mut stream, &mut bytes, CHALLENGE_BYTES);
        let moved = moved.map_err(|_| "it does not know the key, or was closed")?;
        if !moved && !wait.pause(&[(stream.as_fd(), PollFlags::IN)]) {
            return Err("no process has accepted the connection in time".into());
        }
    }
    let challenge = bytes.as_slice().try_into().expect("read above");
    let proof = key.prove(&hello, challenge);
    let proof = proof.ok_or_else(|| match Refusal::read(challenge) {
        Some(Refusal::Crowded) => CROWDED.to_string(),
        _ => "it does not know the key".to_string(),
    })?;
    match write_some(&mut stream, &proof) {
        Ok(PROOF_BYTES) => Ok((stream, key.session(&hello, challenge))),
        Ok(_) => Err("it takes nothing".into()),
        Err(error) => Err(text(&error)),
    }
}

/// Makes a connection, with progress meanwhile.
fn dial(
    process: &Process,
    group: Option<&Comm>,
    address: SocketAddr,
    deadline: Option<Instant>,
) -> Result<TcpStream, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let family = match address {
        SocketAddr::V4(_) => AddressFamily::INET,
        SocketAddr::V6(_) => AddressFamily::INET6,
    };
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let socket = rustix::net::socket_with(family, SocketType::STREAM, flags, None);
    let socket = socket.map_err(|error| text(&error))?;
    match rustix::net::connect(&socket, &address) {
        Ok(()) | Err(rustix::io::Errno::INPROGRESS) => {}
        Err(error) => return Err(text(&error)),
    }
    let stream = TcpStream::from(socket);
    let patience = Instant::now() + DIAL_PATIENCE;
    let limit = deadline.map_or(patience, |deadline| deadline.min(patience));
    let mut wait = Wait::until(process, group, Some(limit));
    loop {
        if let Err(error) = sockopt::socket_error(&stream).map_err(|error| text(&error))? {
            return Err(text(&error));
        }
        match stream.peer_addr() {
            Ok(_) => return Ok(stream),
            Err(error) if is_busy(&error) || error.kind() == io::ErrorKind::NotConnected => {}
            Err(error) => return Err(text(&error)),
        }
        if !wait.pause(&[(stream.as_fd(), PollFlags::OUT)]) {
            return Err("it does not answer".into());
        }
    }
}

fn unknown(name: &str) -> Error {
    match PortName::parse(name) {
        Ok(parsed) => no_port(&parsed.shown()),
        Err(why) => Error::new(Class::Port, why),
    }
}

fn no_port(shown: &str) -> Error {
    let text = format!("this process has no open port {shown}");
    Error::new(Class::Port, text)
}
