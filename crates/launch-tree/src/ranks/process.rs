//! The process of one rank, with its pipes and its connection.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};

use bootstrap::child::{self, Mask};
use bootstrap::{native, RankSet};
use rustix::process::{kill_process_group, waitid, Pid, Signal, WaitId, WaitIdOptions};

use crate::ranks::connection::Connection;
use crate::ranks::exec_error::spawned;
use crate::ranks::payload_log::PayloadFiles;
use crate::ranks::persistent::Logs;
use crate::ranks::strays::StrayOwner;
use launch_job::How;
use launch_plan::plan::{App, Plan};
use launch_plan::recording;
use launch_plan::request::STOP_VARIABLE;
use launch_plan::Error;

/// The process of a rank: one that was started, or the one that this launcher serves.
pub(crate) struct RankProcess {
    /// `None` for a process that this launcher serves: it is no child, and its end shows in the
    /// connection.
    child: Option<Child>,
    /// Whether a served process is to be regarded as ended.
    dismissed: bool,
    /// The rank's process group, named after its process.
    group: Pid,
    /// The variable that it finds the launcher by, with its value.
    tag: String,
    pub(crate) connection: Connection,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// Seen to have ended; not reaped, so that its process id stays taken.
    exited: bool,
}

/// Where the rank that reads the launcher's standard input gets it from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Nothing comes.
    Null,
    /// The very same descriptor.
    Same,
    /// A pipe that the launcher fills.
    Pipe,
}

impl Input {
    fn stdio(self) -> Stdio {
        match self {
            Input::Null => Stdio::null(),
            Input::Same => Stdio::inherit(),
            Input::Pipe => Stdio::piped(),
        }
    }
}

/// Whether a rank is to be stopped before its first instruction.
pub(crate) fn stops(app: &App, rank: u32) -> bool {
    let said = app.env.get(std::ffi::OsStr::new(STOP_VARIABLE));
    let ranks = said.and_then(|said| RankSet::parse(said.to_str()?));
    ranks.is_some_and(|ranks| ranks.contains(rank))
}

/// The limit of open files: (soft, hard).
pub(crate) type OpenFiles = (Option<u64>, Option<u64>);

/// How a rank is to be started.
pub(crate) struct StartOptions<'a> {
    /// The file of its program.
    pub(crate) path: &'a Path,
    pub(crate) input: Input,
    /// Where its process announces itself.
    pub(crate) announce: Option<OwnedFd>,
    /// The rank's limit of open files, where that is not the launcher's own.
    pub(crate) open_files: Option<OpenFiles>,
    /// Whether it begins a session of its own; otherwise a process group in that of the launcher.
    pub(crate) session: bool,
    /// The signals that it has blocked.
    pub(crate) blocked: Mask,
    /// The memory of its event log, where it has one.
    pub(crate) event_log: Option<OwnedFd>,
    /// The socket and the memory of its journal, where another host has a copy of that.
    pub(crate) journal: Option<(OwnedFd, OwnedFd)>,
    /// The files of its payload log, where it has one.
    pub(crate) payload_log: Option<PayloadFiles>,
    /// The memory that it records its calls into, and the bytes of that, where it is traced.
    pub(crate) recording: Option<(OwnedFd, usize)>,
    /// The number of its life, counted from 1.
    pub(crate) life: u32,
}

/// Names to a rank the memory that it shares with the launcher: that of its logs, and that of its
/// recording. Returns the descriptors that it is to inherit.
fn pass_memory(
    command: &mut Command,
    (event_log, journal, payload_log): Logs,
    recording: Option<(OwnedFd, usize)>,
) -> Vec<OwnedFd> {
    command.env_remove(native::JOURNAL_VARIABLE);
    if let Some((socket, memory)) = &journal {
        let value = format!("{}:{}", socket.as_raw_fd(), memory.as_raw_fd());
        command.env(native::JOURNAL_VARIABLE, value);
    }
    if let Some(log) = &event_log {
        command.env(native::EVENT_LOG_VARIABLE, log.as_raw_fd().to_string());
    }
    command.env_remove(recording::VARIABLE);
    if let Some((memory, bytes)) = &recording {
        let value = format!("{}:{bytes}", memory.as_raw_fd());
        command.env(native::TRACE_VARIABLE, value);
    }
    let recording = recording.map(|(memory, _)| memory);
    let journal = journal.into_iter().flat_map(<[OwnedFd; 2]>::from);
    let payload_log = payload_log.map(|files| files.name_in(command));
    let logs = event_log.into_iter().chain(journal);
    let logs = logs.chain(payload_log.into_iter().flatten());
    logs.chain(recording).collect()
}

/// Returns the lines for the user about a process that has just started: that it is stopped,
/// where a debugger wants it to be, and what it runs, where the user asked. `of` names its part
/// of the job.
pub(crate) fn start_lines(plan: &Plan, rank: u32, of: &str, pid: u32, path: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    if stops(plan.app(rank), rank) {
        lines.push(format!(
            "rank {rank}{of}: process {pid} is stopped before its first instruction, for a \
             debugger; `kill -CONT {pid}` lets it go on, also after a debugger has \
             left it"
        ));
    }
    if plan.verbose {
        let program = path.display();
        lines.push(format!("rank {rank}{of}: process {pid} runs {program}"));
    }
    lines
}

/// Has the process begin a group of its own, which a session of its own is as well.
fn group(command: &mut Command, session: bool) {
    if !session {
        command.process_group(0);
    }
}

impl RankProcess {
    /// Starts `rank`. Also returns the pipe to its standard input, where one is wanted.
    pub(crate) fn start(
        plan: &Plan,
        rank: u32,
        with: StartOptions,
    ) -> Result<(RankProcess, Option<ChildStdin>), Error> {
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
        command.env(native::FD_VARIABLE, &leads_here);
        let mut keep = vec![theirs];
        let logs = (with.event_log, with.journal, with.payload_log);
        keep.extend(pass_memory(&mut command, logs, with.recording));
        if with.life > 1 {
            command.env(native::LIFE_VARIABLE, with.life.to_string());
        }
        app.directory
            .iter()
            .for_each(|directory| _ = command.current_dir(directory));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.stdin(with.input.stdio());
        group(&mut command, with.session);
        let stops = stops(app, rank);
        let cpus = &plan.placements[rank as usize].cpus;
        child::arrange(
            &mut command,
            child::Setup {
                session: with.session,
                keep,
                cpus: cpus.iter().map(|&cpu| cpu as usize).collect(),
                announce: with.announce,
                open_files: with.open_files,
                blocked: Some(with.blocked),
                stops,
            },
        );
        let mut child = spawned(&mut command, with.path).map_err(refused)?;
        let group = Pid::from_child(&child);
        if stops {
            child::hold(group).map_err(refused)?;
        }
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let connection = Connection::new(ours).map_err(refused)?;
        Ok((
            RankProcess {
                child: Some(child),
                dismissed: false,
                group,
                tag: format!("{}={leads_here}", native::FD_VARIABLE),
                connection,
                stdout,
                stderr,
                exited: false,
            },
            stdin,
        ))
    }

    /// Returns the process at the other end of `socket`, which was there before this launcher.
    pub(crate) fn serve(socket: UnixStream) -> Result<RankProcess, Error> {
        let refused = Error::system::<io::Error>("looking at the process to serve");
        let peer = rustix::net::sockopt::socket_peercred(&socket);
        let group = peer.map_err(|error| refused(error.into()))?.pid;
        let connection = Connection::new(socket).map_err(&refused)?;
        Ok(RankProcess {
            child: None,
            dismissed: false,
            group,
            tag: String::new(),
            connection,
            stdout: None,
            stderr: None,
            exited: false,
        })
    }

    /// Whether the process was there before this launcher.
    pub(crate) fn is_served(&self) -> bool {
        self.child.is_none()
    }

    /// Returns the rank's process id.
    pub(crate) fn pid(&self) -> u32 {
        self.group.as_raw_pid() as u32
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

    /// Returns how it ended, at the first call after it did. A served process that ends while it
    /// uses MPI (`greeted`) counts as killed.
    pub(crate) fn poll_exit(&mut self, greeted: bool) -> Option<How> {
        if self.exited {
            return None;
        }
        if self.is_served() {
            self.exited = self.dismissed || self.connection.is_closed();
            let how = match greeted {
                true => How::Signal(Signal::KILL.as_raw()),
                false => How::Code(0),
            };
            return self.exited.then_some(how);
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
    pub(crate) fn signal(&mut self, signal: i32) {
        if self.is_served() {
            // It has its own life: it learns of the end of the others where it waits for them.
            self.dismissed |= signal == Signal::TERM.as_raw() || signal == Signal::KILL.as_raw();
            return;
        }
        if let Some(signal) = Signal::from_named_raw(signal) {
            // The group may be an orphan, as setpgid(2) has it, since its session has no other: of
            // the signals that stop a process SIGSTOP alone does.
            let signal = match signal {
                Signal::TSTP => Signal::STOP,
                signal => signal,
            };
            // Fails only when nobody is left.
            let _ = kill_process_group(self.group, signal);
        }
    }

    /// Returns the rank as its strays are found; nothing of a process that has its own life.
    pub(crate) fn of_strays(&self) -> Option<StrayOwner> {
        let tag = self.tag.clone();
        let pid = self.pid();
        (!self.is_served()).then_some(StrayOwner { pid, tag })
    }

    /// The rank's process group.
    pub(crate) fn group(&self) -> Pid {
        self.group
    }

    /// Ends what the rank has left behind, and lets go of its process id.
    pub(crate) fn reap(&mut self) {
        self.signal(Signal::KILL.as_raw());
        if let Some(child) = self.child.as_mut().filter(|_| self.exited) {
            let _ = child.wait();
        }
    }
}
