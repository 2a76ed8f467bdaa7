//! A process that ends the ranks when the launcher is killed.
//!
//! The system kills each rank's first process when the launcher dies, but not what that process
//! has started. The guard reads the ranks' process groups from a pipe; when the pipe closes
//! without a farewell, it kills the groups. It is the launcher's own program under another
//! argument, and in a process group of its own, so that Ctrl-C does not reach it.

use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};

use rustix::process::{kill_process_group, Pid, Signal};

/// The argument that makes the launcher a guard.
pub const ARGUMENT: &str = "--guard-of-ranks";

const FAREWELL: &str = "farewell";

/// The launcher's hold on its guard.
pub(crate) struct Guard {
    child: Child,
    pipe: ChildStdin,
}

impl Guard {
    /// Starts the guard of these process groups.
    pub(crate) fn start(groups: &[u32]) -> io::Result<Guard> {
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
        let mut pipe = child.stdin.take().expect("asked for above");
        let lines: String = groups.iter().map(|group| format!("{group}\n")).collect();
        // Should the guard have died at once, the system's own killing is left.
        let _ = pipe.write_all(lines.as_bytes());
        Ok(Guard { child, pipe })
    }

    /// Dismisses the guard, once all groups have ended.
    pub(crate) fn dismiss(mut self) {
        let _ = writeln!(self.pipe, "{FAREWELL}");
        drop(self.pipe);
        let _ = self.child.wait();
    }
}

/// The guard's own course. Returns its exit code.
pub fn main() -> i32 {
    let mut groups = Vec::new();
    for line in io::stdin().lock().lines() {
        match line.as_deref() {
            Ok(FAREWELL) => return 0,
            Ok(group) => groups.extend(group.parse().ok().and_then(Pid::from_raw)),
            Err(_) => break,
        }
    }
    // The launcher never lists 1 or itself; refuse what would hit more than a rank.
    for group in groups.into_iter().filter(|group| group.as_raw_pid() > 1) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    0
}
