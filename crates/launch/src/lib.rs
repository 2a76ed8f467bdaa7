//! The launcher: runs a job, from a command line to an exit code.
//!
//! [`launch_plan`] plans what each rank runs and where, [`launch_job`] is the job as a state
//! machine, [`launch_report`] reports why a job does not move, and [`launch_tree`] runs the ranks
//! of each host. This crate has the programs that one file contains; its name or first argument
//! chooses one ([`main`]):
//!
//! * `mpirun`: `start` makes the plan and starts daemons, `runner` is the loop around the job, one
//!   thread and one epoll. It is the root of the tree, and runs the ranks of its own machine. What
//!   a process of the job spawns is planned by `spawn`. `output` merges what ranks print so that
//!   lines stay whole, and writes the files of output that the user asks for; nothing else is
//!   written to disk.
//! * the daemon of another host, which decides nothing ([`launch_tree::daemon`]), and the guard, a
//!   process that ends the ranks should their launcher be killed ([`launch_tree::ranks::guard`]);
//! * the launcher of a process that was started without one (`serve`);
//! * the name server (`name_server`), which keeps published names for several jobs.
//!
//! Each rank has a session and a process group of its own, so that it has its own share of a core
//! beside other programs, and a signal reaches whatever it started too. It is killed by the system
//! when the launcher dies. A rank that has exited is not reaped until the job is over: its process
//! id stays taken, and a signal to its group cannot hit a stranger.
//!
//! **Tests.** `tests/hosts` has jobs over several hosts with a script in place of ssh.
#![allow(clippy::disallowed_methods, reason = "programs may wait")]
#![forbid(unsafe_code)]

mod debuggers;
mod message;
mod name_server;
mod output;
mod runner;
mod singleton;
mod spawn;
mod start;
mod stdin;

use std::ffi::OsString;
use std::io::Write;

use launch_job::exit::EXIT_USAGE;
use launch_plan::command_line;
use launch_tree::ranks::guard;
use launch_tree::{daemon, plm};

pub use start::Check;

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
        Some(plm::ARGUMENT) => {
            let rest = arguments.iter().skip(2);
            let rest: Vec<String> = rest.map(|word| word.to_string_lossy().into()).collect();
            return daemon::main(&rest);
        }
        Some(tm::ARGUMENT) => return tm::main(&arguments[2..]),
        Some(singleton::ARGUMENT) => return singleton::main(name, check),
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
        Err(error) => message::fail(name, &error),
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
