//! Starting processes (MPI 5.0, 11.8).

use std::ffi::OsString;
use std::sync::Arc;

use abi_state::args::{Comm, Info, List, OpenOutList, Out, OutList, Strings, StringsList};
use abi_state::args::{Text, TextList};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::runtime::{self, Runtime};
use mpi_dynamic::{Command, SpawnRole, Spawned};

use super::comm::hand_out;
use super::info;

/// `MPI_Comm_spawn` (MPI 5.0, 11.8.2).
pub fn comm_spawn(
    command: Text,
    argv: Strings,
    maxprocs: i32,
    info: Info,
    root: i32,
    comm: Comm,
    intercomm: Out<Comm>,
    array_of_errcodes: OutList<i32>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let commands = || {
        let (program, arguments) = (command.bytes()?, argv.to_vec());
        let one = one_command(program, arguments, maxprocs, info)?;
        Ok(vec![one])
    };
    let spawned = spawn(runtime, comm, root, commands)?;
    let errcodes = |_| array_of_errcodes;
    deliver(runtime, comm, spawned, intercomm, errcodes)
}

/// `MPI_Comm_spawn_multiple` (MPI 5.0, 11.8.3).
pub fn comm_spawn_multiple(
    count: i32,
    array_of_commands: TextList,
    array_of_argv: StringsList,
    array_of_maxprocs: List<i32>,
    array_of_info: List<Info>,
    root: i32,
    comm: Comm,
    intercomm: Out<Comm>,
    array_of_errcodes: OpenOutList<i32>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let commands = || {
        if count < 0 {
            let text = format!("count is {count}");
            return Err(Failure::new(MPI_ERR_ARG, text));
        }
        let programs = array_of_commands.to_vec()?.into_iter();
        let argv = array_of_argv.to_vec()?;
        let mut argv = argv.unwrap_or_default().into_iter();
        let mut numbers = array_of_maxprocs.to_vec()?.into_iter();
        let mut infos = array_of_info.to_vec()?.into_iter();
        let command = |program| {
            let arguments = argv.next().unwrap_or_default();
            let maxprocs = numbers.next().unwrap_or_default();
            let info = infos.next().unwrap_or(MPI_INFO_NULL);
            one_command(program, arguments, maxprocs, info)
        };
        programs.map(command).collect()
    };
    let spawned = spawn(runtime, comm, root, commands)?;
    // SAFETY: MPI says that there is room for a code of each process that is asked for, at all
    // processes (MPI 5.0, 11.8.3).
    let errcodes = |asked| unsafe { array_of_errcodes.with_length(asked) };
    deliver(runtime, comm, spawned, intercomm, errcodes)
}

/// `MPI_Comm_get_parent` (MPI 5.0, 11.8.2).
pub fn comm_get_parent(parent: Out<Comm>) -> Result<(), Failure> {
    let runtime = runtime::get();
    runtime.world_process()?;
    let tables = runtime.tables.enter();
    let known = tables.parent.as_ref().filter(|(handle, comm)| {
        // The program may have freed it, and the handle may be another's.
        let now = tables.comms.get(*handle).ok();
        now.is_some_and(|now| comm.upgrade().is_some_and(|comm| Arc::ptr_eq(now, &comm)))
    });
    let handle = known.map_or(MPI_COMM_NULL, |(handle, _)| *handle);
    drop(tables);
    parent.set(handle)
}

fn one_command(
    program: OsString,
    arguments: Vec<OsString>,
    maxprocs: i32,
    info: Info,
) -> Result<Command, Failure> {
    let info = info::hints(info)?;
    Ok(Command {
        program,
        arguments,
        maxprocs,
        info,
    })
}

fn spawn(
    runtime: &Runtime,
    comm: Comm,
    root: i32,
    commands: impl FnOnce() -> Result<Vec<Command>, Failure>,
) -> Result<Spawned, Failure> {
    let group = runtime.comm(comm)?;
    if group.is_inter() {
        let text = format!("{group} is an inter-communicator");
        return Err(Failure::new(MPI_ERR_COMM, text));
    }
    if root < 0 || root as u32 >= group.size() {
        let text = format!("root is {root}, in a communicator of {}", group.size());
        return Err(Failure::new(MPI_ERR_ROOT, text));
    }
    let root = root as u32;
    let part = match group.rank() == root {
        // The others wait for the root, and receive what is wrong with its arguments.
        true => SpawnRole::Root(commands().map_err(Failure::into_error)),
        false => SpawnRole::Member,
    };
    Ok(mpi_dynamic::spawn(&group, root, part)?)
}

/// Stores what a spawn has led to.
fn deliver(
    runtime: &Runtime,
    comm: Comm,
    spawned: Spawned,
    intercomm: Out<Comm>,
    errcodes: impl FnOnce(usize) -> OutList<i32>,
) -> Result<(), Failure> {
    let requested = spawned.requested;
    let room = errcodes(requested);
    let started = spawned
        .outcome
        .as_ref()
        .map_or(0, |made| made.far_size() as usize);
    if !room.is(MPI_ERRCODES_IGNORE) {
        let code = |at| {
            if at < started {
                MPI_SUCCESS
            } else {
                MPI_ERR_SPAWN
            }
        };
        let codes: Vec<i32> = (0..requested).map(code).collect();
        room.fill(&codes)?;
    }
    let group = runtime.comm(comm)?;
    hand_out(runtime, &group, Some(spawned.outcome?), intercomm)
}
