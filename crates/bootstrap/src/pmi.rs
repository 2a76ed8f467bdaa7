//! The providers for processes under a launcher that speaks PMI-1 or PMI-2.
//!
//! Both protocols exchange one request and one reply at a time over a socket, and have a space of
//! short keys and values that all ranks see after a fence. They differ in syntax only:
//!
//! * [`mod@one`]: PMI-1, lines of words. Every launcher of the two families speaks it.
//! * [`mod@two`]: PMI-2, messages that say how long they are, as Slurm prefers it.
//! * [`client`]: the provider over either protocol.
//! * [`link`]: the socket. [`reply`]: the replies of launchers, in both protocols.
//! * [`mapping`]: which rank runs on which node, from the key that launchers preset.
//! * [`requests`]: requests to start programs and about names, as both protocols express them.
//! * [`pieces`]: encoding and cutting of values for the strictest limits among launchers.
//!
//! Neither protocol has meetings of some processes, nor lets a process rejoin that has left.

mod client;
mod link;
mod mapping;
mod one;
mod pieces;
mod protocol;
mod reply;
mod requests;
mod two;

use std::net::TcpStream;
use std::path::Path;

use crate::ancestors::{find_rank, has_loaded, is_close_on_exec, is_connected_to};
use crate::{fd, Error, Provider};

use client::Client;
use link::{Link, OPENING};
use one::One;
use two::Two;

/// How a variable of the environment is looked up.
type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Takes over the descriptor with the number `PMI_FD` for PMI-1; rank and size are in `PMI_RANK`
/// and `PMI_SIZE`.
pub(crate) fn one(variable: Variables) -> Result<Box<dyn Provider>, Error> {
    let (socket, name) = adopt(variable)?;
    let rank = number_in("PMI_RANK", variable)?;
    let size = number_in("PMI_SIZE", variable)?;
    let is_spawned = variable(SPAWNED).is_some_and(|value| value == "1");
    let connected = One::open(Link::new(socket, one::NAME), rank, size);
    let connected = connected.and_then(|one| one_with_parent(one, is_spawned));
    finish(
        connected.and_then(|(protocol, info)| Client::start(protocol, info)),
        &name,
    )
}

/// The variable that launchers with PMI-1 set for a process that was spawned.
const SPAWNED: &str = "PMI_SPAWNED";

fn one_with_parent(
    (mut one, mut info): (One, protocol::JobInfo),
    is_spawned: bool,
) -> Result<(One, protocol::JobInfo), Error> {
    if is_spawned {
        info.parent = one.parent()?;
    }
    Ok((one, info))
}

/// Takes over the descriptor with the number `PMI_FD` for PMI-2.
pub(crate) fn two(variable: Variables) -> Result<Box<dyn Provider>, Error> {
    let (socket, name) = adopt(variable)?;
    let rank = number_in("PMI_RANK", variable)?;
    let job = variable("PMI_JOBID");
    let connected = Two::open(Link::new(socket, two::NAME), rank, job.as_deref());
    finish(
        connected.and_then(|(protocol, info)| Client::start(protocol, info)),
        &name,
    )
}

/// Connects to the host and port in `PMI_PORT` for PMI-1; the launcher sends rank and size.
pub(crate) fn dial(variable: Variables) -> Result<Box<dyn Provider>, Error> {
    let address = variable("PMI_PORT").unwrap_or_default();
    let name = format!("PMI_PORT={address}");
    let id = variable("PMI_ID").unwrap_or_default();
    let port = address
        .rsplit(':')
        .next()
        .and_then(|port| port.parse().ok());
    let marks = [("PMI_PORT", &address[..]), ("PMI_ID", &id[..])];
    let is_rank = |process: &Path| port.is_some_and(|port| is_connected_to(process, port));
    if let Some(pid) = find_rank(&marks, is_rank) {
        let variable = name;
        return Err(Error::Inherited { variable, pid });
    }
    let stream = TcpStream::connect(&address).map_err(|e| Error::Stale {
        variable: name.clone(),
        reason: e.to_string(),
    })?;
    // Requests wait for their replies: nothing gains from holding small ones back.
    let _ = stream.set_nodelay(true);
    let id = number_in("PMI_ID", variable)?;
    let is_spawned = variable(SPAWNED).is_some_and(|value| value == "1");
    let connected = One::dialled(Link::new(stream.into(), one::NAME), id);
    let connected = connected.and_then(|one| one_with_parent(one, is_spawned));
    finish(
        connected.and_then(|(protocol, info)| Client::start(protocol, info)),
        &name,
    )
}

fn finish<P: Provider + 'static>(
    connected: Result<P, Error>,
    variable: &str,
) -> Result<Box<dyn Provider>, Error> {
    match connected {
        Ok(provider) => Ok(Box::new(provider)),
        // A connection that closes before it has served at all is a stale one.
        Err(Error::LauncherGone { during: OPENING }) => Err(Error::Stale {
            variable: variable.to_string(),
            reason: "the launcher has closed the connection".into(),
        }),
        Err(other) => Err(other),
    }
}

fn adopt(variable: Variables) -> Result<(std::os::fd::OwnedFd, String), Error> {
    let number = variable("PMI_FD").unwrap_or_default();
    let name = format!("PMI_FD={number}");
    let stale = |reason: String| Error::Stale {
        variable: name.clone(),
        reason,
    };
    let parsed = number
        .parse()
        .map_err(|_| stale("not a descriptor's number".into()))?;
    let marks = [("PMI_FD", &number[..])];
    let is_rank = |process: &Path| {
        is_close_on_exec(process, &number) && has_loaded(process, "/libmpi_abi.so")
    };
    let adopted = fd::adopt(parsed, None).map_err(|error| match find_rank(&marks, is_rank) {
        Some(pid) => Error::Inherited {
            variable: name.clone(),
            pid,
        },
        None => stale(error.to_string()),
    });
    Ok((adopted?, name))
}

fn number_in(name: &'static str, variable: Variables) -> Result<u32, Error> {
    let value = variable(name).unwrap_or_default();
    let wanted = "a number from the launcher";
    value.parse().map_err(|_| Error::Variable {
        name,
        value,
        wanted,
    })
}

/// Parses any bytes as a reply of a launcher: the first one selects the kind of reply.
#[cfg(any(test, fuzzing))]
pub(crate) fn fuzz(bytes: &[u8]) {
    let Some((kind, bytes)) = bytes.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(bytes);
    match kind % 4 {
        0 => {
            let mut left = bytes.to_vec();
            while let Ok(Some(line)) = reply::take_line(&mut left) {
                let reply = reply::Reply::of_line(&line);
                let _ = (reply.rc(), reply.get("cmd"), reply.number("size"));
            }
        }
        1 => {
            let mut left = bytes.to_vec();
            while let Ok(Some(message)) = reply::take_message(&mut left) {
                let reply = reply::Reply::of_message(&message);
                let _ = (reply.rc(), reply.get("cmd"), reply.number("size"));
            }
        }
        2 => {
            let size = bytes.first().map_or(0, |first| u32::from(*first));
            if let Some(nodes) = mapping::parse(text.get(1..).unwrap_or_default(), size) {
                assert_eq!(nodes.len(), size as usize);
            }
        }
        _ => {
            let value = pieces::open(&text).and_then(|(_, first)| pieces::join(first));
            assert!(value.is_none_or(|value| value.len() <= bytes.len()));
            let room = 12 + bytes.len() % 100;
            let cut = pieces::cut(bytes, room);
            assert!(cut.iter().all(|piece| piece.len() <= room), "{cut:?}");
            let (count, first) = pieces::open(&cut[0]).expect("it was cut here");
            assert_eq!(count, cut.len());
            let joined = pieces::join(&[first, &cut[1..].concat()].concat());
            assert_eq!(joined.as_deref(), Some(bytes));
        }
    }
}
