//! Starting processes (MPI 5.0, 11.8): what a process asks the launcher for, and how its group and
//! that of the new processes come together.
//!
//! The launcher answers the root when all new processes have connected to it, or says why they have
//! not. Then both groups unite as any two do ([`unite`]): the roots exchange what that needs
//! in meetings at the launcher, which knows both. The new processes do their part inside of
//! `MPI_Init`. Launchers whose jobs have no parts start a job ([`separate_job`]).

mod separate_job;

use std::net::TcpStream;
use std::sync::Arc;

use bootstrap::spawn::{Parent, Program, Spawn};

use self::separate_job::{reach_parent, spawn_apart, spawns_apart};
use crate::port::Link;
use crate::spawns::Spawns;
use crate::unite::{encode_result, unite};
use mpi::Comm;
use mpi::Process;
use mpi::{Bridge, Bridged};
use mpi::{Class, Error, Info};

/// A program to start (MPI 5.0, 11.8.2 and 11.8.3).
#[derive(Clone, Debug, Default)]
pub struct Command {
    /// The program's file or name.
    pub program: std::ffi::OsString,
    /// The program's arguments after its name.
    pub arguments: Vec<std::ffi::OsString>,
    /// Largest number of processes that run it.
    pub maxprocs: i32,
    /// Hints for the launcher.
    pub info: Info,
}

/// A spawn as all processes of the group see it.
pub struct Spawned {
    /// Number of processes requested.
    pub requested: usize,
    /// The inter-communicator with the new processes, or why there are none.
    pub outcome: Result<Comm, Error>,
}

/// Opens the key of a meeting of the roots of a spawn.
const KEY: &[u8] = b"spawn";

/// The connection of the roots of a spawn by meetings at the launcher.
struct LauncherBridge<'a> {
    process: &'a Process,
    /// The numbers of both roots in the job.
    members: [u32; 2],
    own: usize,
}

impl Bridge for LauncherBridge<'_> {
    fn exchange(&mut self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        let process = self.process;
        let progress = process.progress_beside(|peer| process.is_own(peer));
        let values = process
            .launcher()
            .meet_of(&self.members, KEY, bytes, progress)
            .map_err(|error| Error::new(Class::Spawn, error.text))?;
        Ok(values.into_iter().nth(1 - self.own).unwrap_or_default())
    }

    fn key(&self) -> [u8; 32] {
        // The launcher is the one that both trust: its meetings are as secret as the job's key.
        [0; 32]
    }
}

/// The connection of the roots of a spawn.
enum Roots<'a> {
    Launcher(LauncherBridge<'a>),
    Port(Link<'a, TcpStream>),
}

impl Roots<'_> {
    /// Notifies the other root that this side has failed.
    fn give_up(&mut self, failure: &Error) {
        let _ = self.exchange(&encode_result(Err(failure.clone())));
    }
}

impl Bridge for Roots<'_> {
    fn exchange(&mut self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        match self {
            Roots::Launcher(bridge) => bridge.exchange(bytes),
            Roots::Port(bridge) => bridge.exchange(bytes),
        }
    }

    fn key(&self) -> [u8; 32] {
        match self {
            Roots::Launcher(bridge) => bridge.key(),
            Roots::Port(bridge) => bridge.key(),
        }
    }
}

/// Role of a process in a spawn that its group makes.
pub enum SpawnRole {
    /// The root, with the programs, or the error in its arguments.
    Root(Result<Vec<Command>, Error>),
    /// Any other process of the group.
    Member,
}

/// Starts processes and connects with them; collective.
///
/// # Errors
/// When the group cannot agree, the communicator was revoked or a member has failed; that
/// nothing could be started is in the outcome.
pub fn spawn(comm: &Comm, root: u32, role: SpawnRole) -> Result<Spawned, Error> {
    let process = comm.process();
    process.check_logged("a spawned process")?;
    comm.check_members()?;
    let (mut requested, mut first) = (0, 0);
    let mut roots = match role {
        SpawnRole::Member => None,
        SpawnRole::Root(commands) => Some(commands.and_then(checked).and_then(|programs| {
            requested = programs
                .iter()
                .map(|program| u64::from(program.count))
                .sum();
            if spawns_apart(comm) {
                return spawn_apart(process, programs).map(Roots::Port);
            }
            first = request(comm, programs)?.first;
            Ok(Roots::Launcher(LauncherBridge {
                process,
                members: [process.identity.number, first],
                own: 0,
            }))
        })),
    };
    let shared = comm.share_from(root, &[requested, u64::from(first)]);
    if let (Err(failure), Some(Ok(started))) = (&shared, &mut roots) {
        // The processes that were started wait for this process.
        started.give_up(failure);
    }
    let shared = shared?;
    let outcome = unite(comm, root, roots.as_mut().map(bridge));
    if let Ok(made) = &outcome {
        Spawns::link(process, shared[1] as u32, made);
    }
    Ok(Spawned {
        requested: shared[0] as usize,
        outcome,
    })
}

/// Returns the connection of a root for [`unite`].
fn bridge<'a>(roots: &'a mut Result<Roots<'_>, Error>) -> Bridged<'a> {
    match roots {
        Ok(roots) => Ok(roots as &mut dyn Bridge),
        Err(error) => Err(error.clone()),
    }
}

/// Requests that the launcher start the programs; called by the root alone.
fn request(comm: &Comm, programs: Vec<Program>) -> Result<bootstrap::spawn::Part, Error> {
    let process = comm.process();
    let offset = process.identity.number - process.identity.peer.0;
    let own = comm
        .group()
        .peers()
        .iter()
        .filter(|peer| process.is_own(**peer));
    let spawn = Spawn {
        programs,
        directory: std::env::current_dir().unwrap_or_default(),
        members: own.map(|peer| offset + peer.0).collect(),
    };
    let progress = process.progress_beside(|peer| process.is_own(peer));
    let launcher = process.prefix().join("bin/mpirun");
    let part = process.launcher().spawn(&spawn, &launcher, progress)?;
    process.watch_launcher();
    Ok(part)
}

/// Connects with the processes that have spawned this one and the others of its world;
/// collective over `world`. `None` where nobody has.
///
/// # Errors
/// When they are gone, or one of them is out of reach.
pub fn join_parents(process: &Arc<Process>, world: &Comm) -> Result<Option<Comm>, Error> {
    let Some(parent) = &process.identity.parent else {
        return Ok(None);
    };
    let first = process.identity.number - process.identity.peer.0;
    let connect = || -> Result<Roots<'_>, Error> {
        match parent {
            Parent::Number(number) => Ok(Roots::Launcher(LauncherBridge {
                process,
                members: [*number, first],
                own: 1,
            })),
            Parent::Port(port) => reach_parent(process, port).map(Roots::Port),
        }
    };
    let mut roots = (world.rank() == 0).then(connect);
    let made = unite(world, 0, roots.as_mut().map(bridge))?;
    made.set_name("MPI_COMM_PARENT");
    Spawns::link(process, first, &made);
    Ok(Some(process.with_initial_errhandler(made)))
}

/// The programs of commands whose numbers are right.
fn checked(commands: Vec<Command>) -> Result<Vec<Program>, Error> {
    if commands.is_empty() {
        return Err(Error::new(Class::Arg, "count is 0: there is no command"));
    }
    let program = |(at, command): (usize, Command)| {
        let count = u32::try_from(command.maxprocs)
            .ok()
            .filter(|&count| count > 0);
        let count = count.ok_or_else(|| {
            let text = format!(
                "maxprocs of command {at} is {}: at least one process is needed",
                command.maxprocs
            );
            Error::new(Class::Arg, text)
        })?;
        if command.program.is_empty() {
            let text = format!("command {at} is empty");
            return Err(Error::new(Class::Arg, text));
        }
        let info = command.info.iter();
        Ok(Program {
            program: command.program.clone(),
            arguments: command.arguments.clone(),
            count,
            info: info
                .map(|(key, value)| (key.to_string(), value.to_string()))
                .collect(),
        })
    };
    commands.into_iter().enumerate().map(program).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(program: &str, maxprocs: i32) -> Command {
        Command {
            program: program.into(),
            maxprocs,
            ..Command::default()
        }
    }

    #[test]
    fn wrong_numbers_are_refused_with_the_command() {
        let both = |second| checked(vec![command("a", 1), second]);
        assert_eq!(both(command("b", 2)).unwrap()[1].count, 2);
        for wrong in [command("b", 0), command("b", -3), command("", 1)] {
            let maxprocs = wrong.maxprocs;
            let error = both(wrong).unwrap_err();
            assert_eq!(error.class, Class::Arg);
            assert!(error.text.contains("command 1"), "{}", error.text);
            let named = maxprocs > 0 || error.text.contains(&maxprocs.to_string());
            assert!(named, "{}", error.text);
        }
        assert!(checked(Vec::new()).is_err());
    }
}
