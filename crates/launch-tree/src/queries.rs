//! Programs that ask a launcher about one of its processes: `oxmpi_info --queues PID`.
//!
//! A launcher, and each daemon, listens on a socket whose abstract name has its process id
//! (unix(7)), so that no file is left behind. Whoever asks sends a process id and gets a text, once
//! the process has reported what it waits for, or after [`PATIENCE`]. Both sides check that the
//! other belongs to the same user, and the client that the listener is an ancestor of the process.

use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::time::Duration;

use base::Instant;
use launch_report::process::parent;

use crate::poll::{Poll, Source, Until};

/// How long a process may take to report what it waits for.
const PATIENCE: Duration = Duration::from_millis(1200);
/// How long a launcher may take to answer a query.
const PATIENCE_FOR_LAUNCHER: Duration = Duration::from_secs(5);
/// Most queries at a time.
const QUERIES_MAX: usize = 8;
/// Most ancestors of a process that may be its launcher.
const ANCESTORS_MAX: usize = 32;

/// The open queries.
pub(crate) struct Queries {
    listener: Option<UnixListener>,
    open: Vec<Query>,
    next: u32,
}

struct Query {
    number: u32,
    socket: UnixStream,
    until: Instant,
    /// The process that it asks about, once it has said so.
    asked: Option<Asked>,
}

/// A process of this host that somebody asks about.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    /// Its process id.
    pub(crate) pid: u32,
    /// Its number in the job.
    pub(crate) rank: u32,
}

impl Queries {
    /// Listens. Where that is refused, there are no queries.
    pub(crate) fn listen(poll: &Poll) -> Queries {
        let listener = address(std::process::id()).and_then(|address| {
            let listener = UnixListener::bind_addr(&address)?;
            listener.set_nonblocking(true)?;
            poll.add(&listener, Source::QueryListener, Until::Readable)?;
            Ok(listener)
        });
        Queries {
            listener: listener.ok(),
            open: Vec::new(),
            next: 0,
        }
    }

    /// Accepts the clients that have connected.
    pub(crate) fn accept(&mut self, poll: &Poll, now: Instant) {
        while let Some(Ok((socket, _))) = self.listener.as_ref().map(UnixListener::accept) {
            if self.open.len() >= QUERIES_MAX || !is_friend(&socket) {
                continue;
            }
            let number = self.next;
            self.next = self.next.wrapping_add(1);
            let is_ready = socket.set_nonblocking(true).is_ok();
            let source = Source::Query(number);
            if is_ready && poll.add(&socket, source, Until::Readable).is_ok() {
                self.open.push(Query {
                    number,
                    socket,
                    until: now.after(PATIENCE),
                    asked: None,
                });
            }
        }
    }

    /// Returns the process id that a client has sent, once.
    pub(crate) fn question(&mut self, number: u32, poll: &Poll) -> Option<u32> {
        let at = self.open.iter().position(|one| one.number == number)?;
        let mut bytes = [0; 4];
        let read = self.open[at].socket.read(&mut bytes);
        let is_first = self.open[at].asked.is_none();
        poll.remove(self.open[at].socket.as_fd());
        if !is_first || !matches!(read, Ok(4)) {
            self.open.remove(at);
            return None;
        }
        Some(u32::from_le_bytes(bytes))
    }

    /// Notes the process that a query is about.
    pub(crate) fn wait_for(&mut self, number: u32, asked: Asked) {
        if let Some(one) = self.open.iter_mut().find(|one| one.number == number) {
            one.asked = Some(asked);
        }
    }

    /// Answers a query, which is over then.
    pub(crate) fn answer(&mut self, number: u32, text: &str) {
        if let Some(at) = self.open.iter().position(|one| one.number == number) {
            let mut query = self.open.remove(at);
            // Whoever does not take it in one go does not want it: no answer fills a socket.
            let _ = query.socket.write_all(text.as_bytes());
        }
    }

    /// Returns the queries about the process of this number, each with the process.
    pub(crate) fn askers(&self, rank: u32) -> Vec<(u32, Asked)> {
        let asked = self
            .open
            .iter()
            .filter_map(|one| Some((one.number, one.asked?)));
        asked.filter(|(_, asked)| asked.rank == rank).collect()
    }

    /// Returns the queries that have waited long enough, each with its process.
    pub(crate) fn due(&self, now: Instant) -> Vec<(u32, Option<Asked>)> {
        let due = self.open.iter().filter(|one| now >= one.until);
        due.map(|one| (one.number, one.asked)).collect()
    }

    /// Returns when the next query has waited long enough.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.open.iter().map(|one| one.until).min()
    }
}

/// Asks the launcher of a process what the process waits for. Returns the text for the user.
///
/// # Errors
/// Why nobody can report it, as a clause that names the process.
pub fn queues(pid: u32) -> Result<String, String> {
    if !std::path::Path::new(&format!("/proc/{pid}")).exists() {
        return Err(format!("there is no process {pid}"));
    }
    let mut launcher = pid;
    for _ in 0..ANCESTORS_MAX {
        let Some(parent) = parent(launcher).filter(|parent| *parent > 0) else {
            break;
        };
        launcher = parent;
        let Ok(socket) = address(launcher).and_then(|at| UnixStream::connect_addr(&at)) else {
            continue;
        };
        return ask(socket, pid, launcher);
    }
    Err(format!(
        "process {pid} was not started by a running mpirun of oxmpi on this host: only that can \
         ask it"
    ))
}

fn ask(mut socket: UnixStream, pid: u32, launcher: u32) -> Result<String, String> {
    let peer = rustix::net::sockopt::socket_peercred(&socket);
    let peer = peer.map_err(|error| format!("mpirun (process {launcher}): {error}"))?;
    if peer.pid.as_raw_pid() as u32 != launcher {
        return Err(format!(
            "process {launcher} is not the mpirun that it seems to be"
        ));
    }
    let own = rustix::process::geteuid();
    if !own.is_root() && peer.uid != own {
        let of = peer.uid.as_raw();
        return Err(format!(
            "process {pid} belongs to a job of user {of}: only that user and root may ask"
        ));
    }
    let failed = |error: std::io::Error| format!("mpirun (process {launcher}): {error}");
    socket
        .set_read_timeout(Some(PATIENCE_FOR_LAUNCHER))
        .map_err(failed)?;
    socket.write_all(&pid.to_le_bytes()).map_err(failed)?;
    let mut text = String::new();
    let read = socket.read_to_string(&mut text);
    match (read, text.strip_prefix('!')) {
        (Err(error), _) => Err(format!(
            "mpirun (process {launcher}) does not answer: {error}"
        )),
        (Ok(0), _) => Err(format!("mpirun (process {launcher}) refused to answer")),
        (Ok(_), Some(why)) => Err(why.to_string()),
        (Ok(_), None) => Ok(text),
    }
}

/// Returns the answer of a launcher that cannot report it, with the reason.
pub(crate) fn refusal(why: &str) -> String {
    format!("!{why}")
}

/// Whether the client is this user or root.
fn is_friend(socket: &UnixStream) -> bool {
    let peer = rustix::net::sockopt::socket_peercred(socket);
    let own = rustix::process::geteuid();
    peer.is_ok_and(|peer| peer.uid.is_root() || peer.uid == own)
}

/// The name that a launcher listens on.
fn address(launcher: u32) -> std::io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(format!("oxmpi-launcher-{launcher}"))
}
