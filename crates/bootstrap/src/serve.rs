//! Starts a launcher for a process that has none, so that it can spawn.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::Error;

/// The argument that makes `mpirun` serve the process that has started it, by the socket that is
/// its standard input.
pub const ARGUMENT: &str = "--serve-this-process";

/// Starts the launcher `program`. Returns it and the socket to it, which ends it when it is closed.
pub(crate) fn start(program: &Path) -> Result<(Child, OwnedFd), Error> {
    let failed = |source| Error::NoLauncher {
        path: program.to_path_buf(),
        source,
    };
    environment::unless_secure().map_err(|why| failed(io::Error::other(why)))?;
    let (ours, theirs) = UnixStream::pair().map_err(Error::system("making a socket pair"))?;
    let mut command = Command::new(program);
    // A process group of its own: Ctrl-C is for this process, which may go on.
    command
        .arg(ARGUMENT)
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .process_group(0);
    let child = command.spawn().map_err(failed)?;
    Ok((child, ours.into()))
}
