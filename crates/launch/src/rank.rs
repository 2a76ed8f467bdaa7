//! The process of one rank, with its pipes and its connection.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};

use bootstrap::child::{self, Mask};
use bootstrap::native;
use rustix::process::{kill_process_group, waitid, Pid, Signal, WaitId, WaitIdOptions};

use crate::connection::Connection;
use crate::job::How;
use crate::plan::Plan;
use crate::Error;

/// A started rank.
pub(crate) struct Process {
    child: Child,
    /// The rank's process group, named after its process.
    group: Pid,
    pub(crate) connection: Connection,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// Seen to have ended; not reaped, so that its process id stays taken.
    exited: bool,
}

/// Where the rank that reads the launcher's standard input gets it from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Input {
    /// Nothing comes.
    Null,
    /// The very same descriptor.
    Same,
    /// A pipe that the launcher fills.
    Pipe,
}

/// The limit of open files: (soft, hard).
pub(crate) type OpenFiles = (Option<u64>, Option<u64>);

/// How a rank is to be started.
pub(crate) struct With<'a> {
    /// The file of its program.
    pub(crate) path: &'a Path,
    pub(crate) input: Input,
    /// Where its process announces itself.
    pub(crate) announce: Option<OwnedFd>,
    /// The rank's limit of open files, where that is not the launcher's own.
    pub(crate) open_files: Option<OpenFiles>,
    /// The signals that it has blocked.
    pub(crate) blocked: Mask,
}

impl Process {
    /// Starts `rank`. Also returns the pipe to its standard input, where one is wanted.
    pub(crate) fn start(
        plan: &Plan,
        rank: u32,
        with: With,
    ) -> Result<(Process, Option<ChildStdin>), Error> {
        let app = plan.app(rank);
        let refused = |source: io::Error| Error::Spawn {
            rank,
            program: app.name.to_string_lossy().into_owned(),
            source,
        };
        let (ours, theirs) = UnixStream::pair().map_err(refused)?;
        let theirs = OwnedFd::from(theirs);
        let mut command = Command::new(with.path);
        command.arg0(&app.name).args(&app.arguments);
        command
            .env_clear()
            .envs(&app.env)
            .envs(plan.identity_env(rank));
        let leads_here = native::fd_variable(&theirs).map_err(refused)?;
        command.env(native::FD_VARIABLE, leads_here);
        if let Some(directory) = &app.directory {
            command.current_dir(directory);
        }
        command
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.stdin(match with.input {
            Input::Null => Stdio::null(),
            Input::Same => Stdio::inherit(),
            Input::Pipe => Stdio::piped(),
        });
        let cpus = &plan.placements[rank as usize].cpus;
        child::arrange(
            &mut command,
            child::Setup {
                keep: vec![theirs],
                cpus: cpus.iter().map(|&cpu| cpu as usize).collect(),
                announce: with.announce,
                open_files: with.open_files,
                blocked: Some(with.blocked),
            },
        );
        let mut child = command.spawn().map_err(refused)?;
        let group = Pid::from_child(&child);
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let connection = Connection::new(ours).map_err(refused)?;
        Ok((
            Process {
                child,
                group,
                connection,
                stdout,
                stderr,
                exited: false,
            },
            stdin,
        ))
    }

    /// Returns the rank's process id.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The pipe with its standard output (0) or error (1), until that has come to its end.
    pub(crate) fn stream(&self, stream: usize) -> Option<BorrowedFd<'_>> {
        match stream {
            0 => self.stdout.as_ref().map(AsFd::as_fd),
            _ => self.stderr.as_ref().map(AsFd::as_fd),
        }
    }

    /// Reads no more from its standard output (0) or error (1).
    pub(crate) fn close_stream(&mut self, stream: usize) {
        match stream {
            0 => self.stdout = None,
            _ => self.stderr = None,
        }
    }

    /// Returns how it ended, at the first call after it did.
    pub(crate) fn poll_exit(&mut self) -> Option<How> {
        if self.exited {
            return None;
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.group), options).ok()??;
        self.exited = true;
        Some(match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => How::Code(code),
            (None, Some(signal)) => How::Signal(signal),
            // The system knows no third case.
            (None, None) => How::Code(1),
        })
    }

    /// Sends a signal to the rank and all that it has started. The group's number cannot belong
    /// to strangers: the process that it is named after has not been reaped.
    pub(crate) fn signal(&self, signal: i32) {
        if let Some(signal) = Signal::from_named_raw(signal) {
            // Fails only when nobody is left.
            let _ = kill_process_group(self.group, signal);
        }
    }

    /// The rank's process group.
    pub(crate) fn group(&self) -> Pid {
        self.group
    }

    /// Ends what the rank has left behind, and lets go of its process id.
    pub(crate) fn reap(&mut self) {
        self.signal(Signal::KILL.as_raw());
        if self.exited {
            let _ = self.child.wait();
        }
    }
}
