//! Communicators made from groups alone.
//!
//! These calls have no communicator, so an error goes to the error handler that is passed, which is
//! called with `MPI_COMM_NULL` (MPI 5.0, 9.3).

use std::sync::Arc;

use abi_state::args::{Comm, Errhandler, Group, Info, Out, Text};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::runtime::{self, Runtime};
use mpi_local::errhandler::Kind;

use super::{errhandler, info};

/// `MPI_Comm_create_from_group` (MPI 5.0, 7.4.2).
pub fn comm_create_from_group(
    group: Group,
    stringtag: Text,
    info: Info,
    errhandler: Errhandler,
    newcomm: Out<Comm>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let members = runtime.tables.enter().group(group)?;
    let text = stringtag.get()?;
    let given = Given::new(info, errhandler)?;
    let made = mpi_dynamic::create_from_group(runtime.process()?, &members, &text)?;
    hand_out(runtime, made, given, newcomm)
}

/// `MPI_Intercomm_create_from_groups` (MPI 5.0, 7.6.2).
pub fn intercomm_create_from_groups(
    local_group: Group,
    local_leader: i32,
    remote_group: Group,
    remote_leader: i32,
    stringtag: Text,
    info: Info,
    errhandler: Errhandler,
    newintercomm: Out<Comm>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let local = runtime.tables.enter().group(local_group)?;
    let leader = rank_in(&local, local_leader, "local_leader")?;
    let text = stringtag.get()?;
    let given = Given::new(info, errhandler)?;
    let process = runtime.process()?;
    let leads = local.rank(process.identity.peer).map(|rank| rank.0) == Some(leader);
    let remote = match leads {
        // The other group means something at the leader only.
        false => None,
        true => {
            let remote = runtime.tables.enter().group(remote_group)?;
            let rank = rank_in(&remote, remote_leader, "remote_leader")?;
            Some((remote, rank))
        }
    };
    let remote = remote.as_ref().map(|(group, rank)| (group, *rank));
    let made = mpi_dynamic::create_inter_from_groups(process, &local, leader, remote, &text)?;
    hand_out(runtime, made, given, newintercomm)
}

fn rank_in(group: &mpi::Group, rank: i32, what: &str) -> Result<u32, Failure> {
    if rank >= 0 && (rank as usize) < group.size() {
        return Ok(rank as u32);
    }
    let text = format!("{what} is {rank}, in a group of {}", group.size());
    Err(Failure::new(MPI_ERR_RANK, text))
}

/// Hints and the handler of a communicator, looked up before others are waited for.
struct Given {
    info: mpi::Info,
    handler: mpi::Errhandler,
}

impl Given {
    fn new(info: Info, errhandler: Errhandler) -> Result<Given, Failure> {
        Ok(Given {
            info: info::hints(info)?,
            handler: errhandler::look_up(errhandler, Kind::Comm)?,
        })
    }
}

fn hand_out(
    runtime: &Runtime,
    made: Option<mpi::Comm>,
    given: Given,
    place: Out<Comm>,
) -> Result<(), Failure> {
    let handle = match made {
        None => MPI_COMM_NULL,
        Some(made) => {
            *made.errhandler.lock() = given.handler;
            made.set_info(&given.info)?;
            runtime.tables.enter().comms.insert(Arc::new(made))?
        }
    };
    place.set(handle)
}
