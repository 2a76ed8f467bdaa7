//! The launcher: runs a job, from a command line to an exit code.
//!
//! 1. [`options`]: one table of options in the spellings of Open MPI 4, Open MPI 5 and Hydra;
//!    [`command_line`] reads a command line by it into a [`request::Request`].
//! 2. [`plan`]: which hosts the job has ([`allocation`], from [`hosts`] and Slurm), then where each
//!    rank runs and on which processors ([`map`], by a [`policy`] and each host's [`topology`]),
//!    and with which environment. Everything that can be wrong is found here, before anything is
//!    started. All of it but the reading of files is without I/O, and `tests/golden` freezes it.
//! 3. [`job`]: the job as a state machine without I/O. Events go in (a rank sent a hello, entered
//!    a fence, exited, was killed, a signal arrived, time passed), actions come out (answer,
//!    signal all ranks, tell the user). The first failure decides the exit code. [`parts`] holds
//!    several together: what a process of the job spawns is a part of it, planned by `spawn`.
//! 4. [`runner`]: the loop around it, one thread and one epoll. It owns the processes, their
//!    pipes and connections, and writes nothing to disk but the files of output that the user asks
//!    for ([`outfile`]). [`output`] merges what ranks print so
//!    that lines stay whole; [`guard`] is a process that ends the ranks should this one be
//!    killed.
//! 5. [`tree`]: the same over several hosts. On each other one a [`daemon`] does for its ranks what
//!    the runner does for those here, and decides nothing. So do daemons on this one, where one
//!    process may not have descriptors enough for all ranks ([`descriptors`]).
//!
//! `name_server` is a program of its own behind the same file: it keeps published names for several
//! jobs.
//!
//! Each rank has a process group of its own, so that a signal reaches whatever it started too,
//! and is killed by the system when the launcher dies. A rank that has exited is not reaped until
//! the job is over: its process id stays taken, and a signal to its group cannot hit a stranger.
//!
//! **Tests.** `tests/golden` freezes what becomes of command lines, `tests/hosts` has jobs over
//! several hosts with a script in place of ssh, and `tests/wireup` counts the rounds of a start on
//! simulated hosts and draws `docs/wireup.svg`.
#![forbid(unsafe_code)]

pub mod allocation;
pub mod command_line;
mod connection;
pub mod daemon;
mod debuggers;
mod descriptors;
pub mod display;
mod error;
mod exit;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod guard;
pub mod hosts;
pub mod job;
mod journal;
mod lasting;
mod local_ranks;
pub mod map;
mod name_server;
mod oom;
pub mod options;
mod other_mpi;
mod outbox;
pub mod outfile;
pub mod output;
mod params;
pub mod parts;
mod payload_log;
pub mod plan;
pub mod policy;
mod poll;
mod rank;
pub mod rankfile;
mod recording;
pub mod request;
mod room;
pub mod runner;
mod serve;
mod signals;
mod sink;
mod slurm;
mod spawn;
mod start;
mod strays;
mod tell;
mod terminal;
mod tools;
pub mod topology;
pub mod tree;
mod unstartable;
mod visitors;
mod waits;

use std::ffi::OsString;
use std::io::Write;

pub use error::Error;
pub use exit::{EXIT_TIMEOUT, EXIT_USAGE};
pub use params::{Check, PARAMS};
pub use visitors::queues;

/// Runs the launcher: `arguments` with the program's own name first. Returns the exit code.
///
/// `check` may refuse parameters: of those, the launcher itself knows only its own.
pub fn main(arguments: &[OsString], check: Check) -> i32 {
    let name = arguments.first().map(|path| path.to_string_lossy());
    let name = base_name(name.as_deref().unwrap_or("mpirun"));
    let first = arguments.get(1).and_then(|argument| argument.to_str());
    if has_rights_of_another() {
        // Nobody reads the error when standard error is closed.
        let _ = writeln!(
            std::io::stderr(),
            "{name}: it is setuid or setgid and would run any program with the rights of its \
             file's owner: remove that bit"
        );
        return EXIT_USAGE;
    }
    if name_server::PROGRAMS.contains(&name) || first == Some(name_server::ARGUMENT) {
        let rest = arguments.iter().skip(1);
        let rest: Vec<String> = rest.map(|word| word.to_string_lossy().into()).collect();
        return name_server::main(name, &rest);
    }
    match first {
        Some(guard::ARGUMENT) => return guard::main(),
        Some(tree::agent::ARGUMENT) => return daemon::main(),
        Some(serve::ARGUMENT) => return serve::main(name, check),
        _ => {}
    }
    match command_line::parse(&arguments[1.min(arguments.len())..], &|name| {
        std::env::var(name).ok()
    }) {
        Ok(command_line::Parsed::Run(request)) => start::run(name, &request, check),
        Ok(command_line::Parsed::Print(text)) => {
            let _ = write!(std::io::stdout(), "{}", text.replace("{name}", name));
            0
        }
        Err(error) => {
            tell::tell(name, &error);
            EXIT_USAGE
        }
    }
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether the launcher has a user or group that its caller lacks.
fn has_rights_of_another() -> bool {
    use rustix::process::{getegid, geteuid, getgid, getuid};
    geteuid() != getuid() || getegid() != getgid()
}
