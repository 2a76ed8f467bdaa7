//! The launcher of a process that was started without one: it starts what that process spawns.
//!
//! The process starts it with [`ARGUMENT`] and one end of a socket pair as its standard input, and
//! becomes the first rank of its job. When the process is gone, the other end is closed: the
//! launcher ends what is connected with that process, and itself when nothing is left.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

use crate::message::fail;
use crate::start::{self, Check};
use launch_plan::request::{AppRequest, Request};
use launch_plan::Error;

/// The argument that makes the launcher serve the process that has started it.
pub use bootstrap::serve::ARGUMENT;

/// Serves the process at the other end of standard input. Returns an exit code.
pub(crate) fn main(name: &str, check: Check) -> i32 {
    let socket = match take_input() {
        Ok(socket) => socket,
        Err(error) => return fail(name, &error),
    };
    let request = Request {
        apps: vec![AppRequest {
            program: program_of(&socket).into(),
            count: Some(1),
            ..AppRequest::default()
        }],
        ..Request::default()
    };
    start::run_with(name, &request, check, Some(socket))
}

/// Returns the socket that is this process's standard input, which no rank inherits.
fn take_input() -> Result<UnixStream, Error> {
    let refused = Error::system::<io::Error>("taking the socket to the process");
    let socket = io::stdin().as_fd().try_clone_to_owned().map_err(refused)?;
    Ok(socket.into())
}

/// The file that the process at the other end runs, for messages.
fn program_of(socket: &UnixStream) -> std::path::PathBuf {
    let peer = rustix::net::sockopt::socket_peercred(socket).ok();
    let path = peer.map(|peer| format!("/proc/{}/exe", peer.pid.as_raw_pid()));
    path.and_then(|path| std::fs::read_link(path).ok())
        .unwrap_or_else(|| "/proc/self/exe".into())
}
