//! The guard, a process that kills the ranks when the launcher is killed.
//!
//! The system kills the first process of each rank when the launcher dies, but not what that
//! process has started. The guard reads the ranks' process groups from a pipe; if the pipe closes
//! without a final message, it kills the groups. It is the launcher's own program with another
//! argument, in a process group of its own, so that Ctrl-C does not reach it.
//!
//! The launcher writes the negative number of a group that has ended while the job goes on.
//!
//! The process of each rank writes its group to the pipe between fork and exec, since it may kill
//! the launcher as soon as it runs.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};

use rustix::process::{kill_process_group, Pid, Signal};

/// The argument that makes the launcher a guard.
pub const ARGUMENT: &str = "--guard-of-ranks";

/// Message in the position of a process group: all is well.
const FAREWELL: [u8; 4] = [0; 4];

/// The launcher's hold on its guard.
pub(crate) struct Guard {
    child: Child,
    pipe: ChildStdin,
}

impl Guard {
    /// Starts a guard of no process groups yet.
    pub(crate) fn start() -> io::Result<Guard> {
        let mut command = Command::new("/proc/self/exe");
        command
            .arg(ARGUMENT)
            .process_group(0)
            .env_clear()
            .current_dir("/");
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn()?;
        let pipe = child.stdin.take().expect("asked for above");
        Ok(Guard { child, pipe })
    }

    /// Where a process has to announce itself, see `bootstrap::child::Setup::announce`.
    pub(crate) fn pipe(&self) -> io::Result<OwnedFd> {
        self.pipe.as_fd().try_clone_to_owned()
    }

    /// Returns its process id.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The group has ended, and its number may become that of a stranger.
    pub(crate) fn forget(&mut self, group: Pid) {
        // A guard that is gone guards nobody.
        let _ = self.pipe.write_all(&(-group.as_raw_pid()).to_le_bytes());
    }

    /// Dismisses the guard, once all groups have ended.
    pub(crate) fn dismiss(mut self) {
        let _ = self.pipe.write_all(&FAREWELL);
        drop(self.pipe);
        let _ = self.child.wait();
    }
}

/// The guard's own course. Returns its exit code.
pub fn main() -> i32 {
    let mut groups = Vec::new();
    let mut number = [0; 4];
    while io::stdin().lock().read_exact(&mut number).is_ok() {
        if number == FAREWELL {
            return 0;
        }
        match i32::from_le_bytes(number) {
            over @ ..0 => groups.retain(|group: &Pid| group.as_raw_pid() != -over),
            group => groups.extend(Pid::from_raw(group)),
        }
    }
    // The launcher never lists 1 or itself; refuse what would hit more than a rank.
    for group in groups.into_iter().filter(|group| group.as_raw_pid() > 1) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    0
}
