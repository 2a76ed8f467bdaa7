//! Starting processes (MPI 5.0, 11.8): what a process asks the launcher for, and how its group and
//! that of the new processes come together.
//!
//! The launcher answers the root when all new processes have connected to it, or says why they have
//! not. Then both groups unite as any two do ([`Comm::unite`]): the roots exchange what that needs
//! in meetings at the launcher, which knows both. The new processes do their part inside of
//! `MPI_Init`. Launchers whose jobs have no parts start a job ([`apart`]).

mod apart;

use std::net::TcpStream;
use std::sync::Arc;

use bootstrap::spawn::{Parent, Program, Spawn};

use crate::comm::Comm;
use crate::foreign::SpawnLink;
use crate::port::Link;
use crate::process::Process;
use crate::unite::{encode_result, Bridge};
use crate::{Class, Error, Info};

/// A program to start (MPI 5.0, 11.8.2 and 11.8.3).
#[derive(Clone, Debug, Default)]
pub struct Command {
    /// The program's file or name.
    pub program: std::ffi::OsString,
    /// The program's arguments after its name.
    pub arguments: Vec<std::ffi::OsString>,
    /// How many processes run it at most.
    pub maxprocs: i32,
    /// Hints for the launcher.
    pub info: Info,
}

/// A spawn as all processes of the group see it.
pub struct Spawned {
    /// The number of processes that were asked for.
    pub asked: usize,
    /// The inter-communicator with the new processes, or why there are none.
    pub outcome: Result<Comm, Error>,
}

/// Opens the key of a meeting of the roots of a spawn.
const KEY: &[u8] = b"spawn";

/// The meetings of the roots of a spawn at the launcher.
struct AtLauncher<'a> {
    process: &'a Process,
    /// The numbers of both roots in the job.
    members: [u32; 2],
    own: usize,
}

impl Bridge for AtLauncher<'_> {
    fn exchange(&mut self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        let process = self.process;
        let progress = process.progress_beside(|peer| process.is_own(peer));
        let values = process
            .link
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
    Launcher(AtLauncher<'a>),
    Port(Link<'a, TcpStream>),
}

impl Roots<'_> {
    /// Tells the other root that this side has failed.
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

impl Comm {
    /// Starts processes and connects with them; collective, `commands` matter at the root alone.
    ///
    /// # Errors
    /// When the group cannot agree, the communicator was revoked or a member has failed; that
    /// nothing could be started is in the outcome.
    pub fn spawn(
        &self,
        root: u32,
        commands: Option<Result<Vec<Command>, Error>>,
    ) -> Result<Spawned, Error> {
        let process = self.process();
        process.check_logged("a spawned process")?;
        self.check_members()?;
        let commands = commands.map(|commands| commands.and_then(checked));
        let asked = commands.as_ref().map_or(0, |commands| {
            let commands = commands.as_ref().ok().into_iter().flatten();
            commands.map(|command| u64::from(command.count)).sum()
        });
        let mut bridge: Option<Result<Roots<'_>, Error>> = None;
        let mut first = 0;
        if self.rank() == root {
            let commands = commands.unwrap_or_else(|| Ok(Vec::new()));
            bridge = Some(commands.and_then(|programs| {
                if self.spawns_apart() {
                    return process.spawn_apart(programs).map(Roots::Port);
                }
                let part = self.request(programs)?;
                first = part.first;
                let members = [process.identity.number, first];
                Ok(Roots::Launcher(AtLauncher {
                    process,
                    members,
                    own: 0,
                }))
            }));
        }
        let told = self.tell_from(root, &[asked, u64::from(first)]);
        if let (Err(failure), Some(Ok(started))) = (&told, &mut bridge) {
            // Those that were started wait for this process.
            started.give_up(failure);
        }
        let told = told?;
        let bridge = bridge.as_mut().map(|bridge| match bridge {
            Ok(bridge) => Ok(bridge as &mut dyn Bridge),
            Err(error) => Err(error.clone()),
        });
        let outcome = self.unite(root, bridge);
        if let Ok(made) = &outcome {
            process.link_spawn(told[1] as u32, made);
        }
        Ok(Spawned {
            asked: told[0] as usize,
            outcome,
        })
    }

    /// At the root: has the launcher start the programs.
    fn request(&self, programs: Vec<Program>) -> Result<bootstrap::spawn::Part, Error> {
        let process = self.process();
        let offset = process.identity.number - process.identity.peer.0;
        let own = self
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
        let launcher = process.prefix.join("bin/mpirun");
        let part = process.link.spawn(&spawn, &launcher, progress)?;
        process.listen();
        Ok(part)
    }
}

impl Process {
    /// Connects with the processes that have spawned this one and the others of its world;
    /// collective over `world`. `None` where nobody has.
    ///
    /// # Errors
    /// When they are gone, or one of them is out of reach.
    pub fn join_parents(self: &Arc<Process>, world: &Comm) -> Result<Option<Comm>, Error> {
        let Some(parent) = &self.identity.parent else {
            return Ok(None);
        };
        let first = self.identity.number - self.identity.peer.0;
        let connect = || -> Result<Roots<'_>, Error> {
            match parent {
                Parent::Number(number) => Ok(Roots::Launcher(AtLauncher {
                    process: self,
                    members: [*number, first],
                    own: 1,
                })),
                Parent::Port(port) => self.reach_parent(port).map(Roots::Port),
            }
        };
        let mut bridge = (world.rank() == 0).then(connect);
        let bridge = bridge.as_mut().map(|bridge| match bridge {
            Ok(bridge) => Ok(bridge as &mut dyn Bridge),
            Err(error) => Err(error.clone()),
        });
        let made = world.unite(0, bridge)?;
        made.set_name("MPI_COMM_PARENT");
        self.link_spawn(first, &made);
        Ok(Some(self.with_initial_errhandler(made)))
    }

    /// Notes that a communicator has connected this process by a spawn.
    fn link_spawn(&self, first: u32, made: &Comm) {
        let mut table = self.lock(&self.foreign);
        let peers = made.far_group().peers().iter();
        let names = peers.filter_map(|peer| table.name(*peer)).collect();
        self.spawns.lock().push(SpawnLink { first, names });
    }

    /// Gives up the processes that spawns connect this one with. Whether there were any.
    pub(crate) fn lose_spawned(&self, why: &str) -> bool {
        let links = std::mem::take(&mut *self.spawns.lock());
        let table = self.lock(&self.foreign);
        let names = links.iter().flat_map(|link| &link.names);
        let peers: Vec<_> = names.filter_map(|name| table.find(name)).collect();
        drop(table);
        peers
            .iter()
            .for_each(|peer| self.engine.lose_peer(*peer, why));
        !peers.is_empty()
    }

    /// Notifies the launcher of spawns by which this process is no longer connected.
    pub(crate) fn unlink_spawns(&self) {
        let mut ended = Vec::new();
        let table = self.lock(&self.foreign);
        self.spawns.lock().retain(|link| {
            let is_known = link.names.iter().any(|name| table.find(name).is_some());
            if !is_known {
                ended.push(link.first);
            }
            is_known
        });
        drop(table);
        for part in ended {
            // A launcher that is gone connects nobody.
            let _ = self.link.ask(|provider| provider.unlink(part));
        }
    }
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
