//! Spawning under a launcher that starts jobs and not parts of one: the roots connect by a port.
//!
//! The process that spawns opens a port, whose name the launcher hands to the new processes, and
//! waits there for the first of them. Only the launcher and these processes know the port's key.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use bootstrap::spawn::{Program, Spawn};
use bootstrap::Provider;

use crate::port::{client_at, close_port, open_port, server_at, Link};
use mpi::Comm;
use mpi::Process;
use mpi::{Class, Error};

/// Time limit for the new processes to begin: not every such launcher reports that they never will.
const BEGIN_LIMIT: Duration = Duration::from_secs(60);

/// Requests a job of the programs of the launcher, and waits for its first process; called by the
/// root alone.
pub(super) fn spawn_apart(
    process: &Process,
    programs: Vec<Program>,
) -> Result<Link<'_, TcpStream>, Error> {
    let port = open_port(process).map_err(refused)?;
    let spawn = Spawn {
        programs,
        directory: std::env::current_dir().unwrap_or_default(),
        members: Vec::new(),
    };
    let asked = process
        .launcher()
        .ask(|provider| provider.spawn_apart(&spawn, &port));
    let deadline = Instant::now() + BEGIN_LIMIT;
    let may_come = || {
        let ended = |provider: &mut dyn Provider| Ok(provider.has_spawned_ended());
        match process.launcher().ask(ended)? {
            false => Ok(()),
            true => Err(Error::new(
                Class::Spawn,
                "a process that was started has ended before MPI_Init",
            )),
        }
    };
    let client = asked.and_then(|()| client_at(process, None, &port, Some(deadline), may_come));
    let _ = close_port(process, &port);
    client.map_err(|error| match Instant::now() < deadline {
        true => refused(error),
        false => timed_out(),
    })
}

/// Connects with the process that spawned this one; called by the first new process alone.
pub(super) fn reach_parent<'a>(
    process: &'a Process,
    port: &str,
) -> Result<Link<'a, TcpStream>, Error> {
    server_at(process, None, port, Some(BEGIN_LIMIT)).map_err(refused)
}

/// Whether the launcher starts spawned processes as a job of their own.
pub(super) fn spawns_apart(comm: &Comm) -> bool {
    let answer = comm
        .process()
        .launcher()
        .ask(|provider| Ok(provider.spawns_apart()));
    answer.unwrap_or(false)
}

/// The error when [`BEGIN_LIMIT`] is over.
fn timed_out() -> Error {
    let text = format!(
        "no process that the launcher was requested to start has connected within {} s: they did \
         not begin, or wait for the launcher in PMIx_Init, as now and then under Open MPI 4.1",
        BEGIN_LIMIT.as_secs()
    );
    Error::new(Class::Spawn, text)
}

fn refused(error: Error) -> Error {
    Error::new(Class::Spawn, error.text)
}
