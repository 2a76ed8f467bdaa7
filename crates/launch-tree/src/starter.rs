//! A running command that starts daemons: what it complains of, and how it ends.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::time::Duration;

use bootstrap::child::{self, Mask, Setup};
use rustix::io::Errno;
use rustix::process::{Pid, Signal};

use crate::plm::Agent;
use crate::poll::{Poll, Source, Until};

/// Bytes of the command's complaints that are stored.
const COMPLAINT_BYTES_MAX: usize = 4096;
/// Parts of what `srun` prints whatever is wrong with a step.
const CONSEQUENCES: [&str; 4] = [
    ": task ",
    "_step_signal",
    "Job step aborted",
    "lacks support for cpu binding",
];
/// How long the command of a batch system may take to end what it has started.
const PATIENCE_AT_END: Duration = Duration::from_secs(2);
/// How often to look whether it has.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// A command that starts the daemons of one host, or of several.
pub(crate) struct Starter {
    child: Child,
    status: Option<ExitStatus>,
    errors: Option<ChildStderr>,
    complaints: Vec<u8>,
    /// Why another means was passed over, see [`Agent::passed_over`].
    passed_over: String,
    /// Whether it belongs to a batch system, which has to be left in order.
    is_batch: bool,
}

/// The input and the output of a daemon that speaks on the streams of its command.
pub(crate) type Streams = (OwnedFd, OwnedFd);

impl Starter {
    /// Runs the command, which gets this number at its vertex, with these signals blocked in it.
    ///
    /// # Errors
    /// When it cannot be run.
    pub(crate) fn run(
        number: u32,
        mut command: Command,
        agent: &Agent,
        blocked: Mask,
        poll: &Poll,
    ) -> io::Result<(Starter, Option<Streams>)> {
        let is_batch = agent.calls();
        let stream = || match is_batch {
            true => Stdio::null(),
            false => Stdio::piped(),
        };
        command
            .stdin(stream())
            .stdout(stream())
            .stderr(Stdio::piped())
            // Ctrl-C is for the launcher, which knows in which order to end things.
            .process_group(0);
        let setup = Setup {
            blocked: Some(blocked),
            ..Setup::default()
        };
        child::arrange(&mut command, setup);
        let mut child = command.spawn()?;
        let streams = child.stdin.take().zip(child.stdout.take());
        let errors = child.stderr.take();
        if let Some(errors) = &errors {
            rustix::io::ioctl_fionbio(errors, true)?;
            poll.add(errors, Source::Complaint(number), Until::Readable)?;
        }
        let starter = Starter {
            child,
            status: None,
            errors,
            complaints: Vec::new(),
            passed_over: agent.passed_over.clone(),
            is_batch,
        };
        Ok((starter, streams.map(|(to, from)| (to.into(), from.into()))))
    }

    /// Returns its process id.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Returns how it has ended; `None` while it runs.
    pub(crate) fn status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
        self.status
    }

    /// Reads what it complains of.
    pub(crate) fn read(&mut self, poll: &Poll) {
        let mut chunk = [0; 4096];
        while let Some(errors) = &self.errors {
            match rustix::io::read(errors, &mut chunk) {
                Ok(n) if n > 0 => {
                    self.complaints.extend_from_slice(&chunk[..n]);
                    let extra = self.complaints.len().saturating_sub(COMPLAINT_BYTES_MAX);
                    self.complaints.drain(..extra);
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Ok(_) | Err(_) => {
                    poll.remove(errors);
                    self.errors = None;
                }
            }
        }
    }

    /// The line that says best why it complains, after a colon; nothing where it does not. A remote
    /// shell has the reason last; a batch system has it anywhere among its consequences.
    pub(crate) fn complaint(&self) -> String {
        let text = String::from_utf8_lossy(&self.complaints);
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
        let is_reason = |line: &&str| CONSEQUENCES.iter().all(|part| !line.contains(part));
        let reason = match self.is_batch {
            true => lines().find(is_reason),
            false => None,
        };
        let line = reason.or_else(|| lines().next_back());
        let shown = line.map(|line| line.chars().filter(|c| !c.is_control()).collect::<String>());
        shown.map_or(String::new(), |line| format!(": {line}"))
    }

    /// How a daemon that never spoke was refused on `host`.
    pub(crate) fn how_refused(&mut self, host: &str) -> String {
        let complaint = self.complaint();
        let refused = match self.status().and_then(|status| status.code()) {
            Some(126 | 127) => {
                format!("host {host} has no oxmpi where this host has it{complaint}")
            }
            Some(255) => format!("cannot reach host {host}{complaint}{}", self.advice()),
            Some(code) => format!("cannot start on host {host}: exit code {code}{complaint}"),
            None => format!("cannot start on host {host}: ended by a signal{complaint}"),
        };
        refused + &self.passed_over
    }

    fn advice(&self) -> &'static str {
        let text = String::from_utf8_lossy(&self.complaints);
        if text.contains("Permission denied") {
            " (ssh must get in without a password: set up a key or an agent)"
        } else if text.contains("Host key verification failed") {
            " (log in there once by hand, so that ssh knows the host)"
        } else {
            ""
        }
    }

    /// Whether the end of one daemon says nothing about it: others may run.
    pub(crate) fn outlives_daemons(&self) -> bool {
        self.is_batch
    }

    /// Ends it at once where it has the daemon of one host only: a remote shell.
    pub(crate) fn kill_shell(&mut self) {
        if !self.is_batch {
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
        }
    }

    /// Waits for a command of a batch system to end, which it does once its daemons have. Where it
    /// does not, it is asked to end what it has started: killed at once, it would leave that.
    fn leave(&mut self) {
        let waited = |starter: &mut Starter| {
            let begin = std::time::Instant::now();
            while starter.status().is_none() && begin.elapsed() < PATIENCE_AT_END {
                std::thread::sleep(LOOK_EVERY);
            }
            starter.status().is_some()
        };
        if !waited(self) {
            if let Some(pid) = Pid::from_raw(self.child.id() as i32) {
                let _ = rustix::process::kill_process(pid, Signal::TERM);
            }
            waited(self);
        }
    }
}

impl Drop for Starter {
    fn drop(&mut self) {
        if self.is_batch {
            self.leave();
        }
        if self.status().is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
