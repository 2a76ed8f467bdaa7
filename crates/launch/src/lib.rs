//! Starting a job on this machine: from a command line to an exit code.
//!
//! 1. [`options`]: one table of options in the spellings of Open MPI 4, Open MPI 5 and Hydra;
//!    [`command_line`] reads a command line by it into a [`command_line::Request`].
//! 2. [`plan`]: what each rank will run, with which environment; everything that can be wrong is
//!    found here, before anything is started.
//! 3. [`job`]: the job as a state machine without I/O. Events go in (a rank said hello, entered
//!    a fence, exited, was killed, a signal arrived, time passed), actions come out (answer,
//!    signal all ranks, tell the user). The first failure decides the exit code.
//! 4. [`runner`]: the loop around it, one thread and one epoll. It owns the processes, their
//!    pipes and connections, and writes nothing to disk. [`output`] merges what ranks print so
//!    that lines stay whole; [`guard`] is a process that ends the ranks should this one be
//!    killed.
//!
//! Each rank has a process group of its own, so that a signal reaches whatever it started too,
//! and is killed by the system when the launcher dies. A rank that has exited is not reaped until
//! the job is over: its process id stays taken, and a signal to its group cannot hit a stranger.
#![forbid(unsafe_code)]

pub mod allocation;
pub mod command_line;
mod connection;
mod error;
pub mod guard;
pub mod hosts;
pub mod job;
pub mod map;
pub mod options;
pub mod output;
pub mod plan;
pub mod policy;
mod poll;
mod rank;
pub mod runner;
mod signals;
mod sink;
mod slurm;
mod terminal;
pub mod topology;

use std::ffi::OsString;
use std::io::Write;

pub use error::Error;

/// The exit code for a command line or a program that is wrong; nothing was started.
pub const EXIT_USAGE: i32 = 2;

/// The exit code when the time limit of the job ran out.
pub const EXIT_TIMEOUT: i32 = 124;

/// Runs the launcher: `arguments` with the program's own name first. Returns the exit code.
///
/// `check` may refuse the parameters of `--mca`, `--tune` and the environment before anything
/// is started: the launcher itself knows no parameter.
pub fn main(arguments: &[OsString], check: &dyn Fn(&mca::Sources) -> Result<(), String>) -> i32 {
    let name = arguments.first().map(|path| path.to_string_lossy());
    let name = base_name(name.as_deref().unwrap_or("mpirun"));
    if arguments
        .get(1)
        .is_some_and(|argument| argument == guard::ARGUMENT)
    {
        return guard::main();
    }
    let complain = |text: &str| {
        // Nobody is left to tell when stderr is closed.
        let _ = writeln!(std::io::stderr(), "{name}: {text}");
    };
    let request = match command_line::parse(&arguments[1.min(arguments.len())..]) {
        Ok(command_line::Parsed::Run(request)) => request,
        Ok(command_line::Parsed::Print(text)) => {
            let _ = write!(std::io::stdout(), "{}", text.replace("{name}", name));
            return 0;
        }
        Err(error) => {
            complain(&error.to_string());
            return EXIT_USAGE;
        }
    };
    let plan = match plan::make(&request, &plan::World::of_process(), check) {
        Ok(plan) => plan,
        Err(error) => {
            complain(&error.to_string());
            return EXIT_USAGE;
        }
    };
    runner::run(name, plan).unwrap_or_else(|error| {
        complain(&error.to_string());
        error.exit_code()
    })
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
