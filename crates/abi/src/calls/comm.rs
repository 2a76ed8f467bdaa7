//! Communicators (MPI 5.0, chapter 7).

use std::sync::Arc;

use abi_state::args::{Comm, Group, InOut, Info, Out, OutText, Request, Text};
use abi_state::failure::{Failure, On};
use abi_state::generated::constants::*;
use abi_state::hooks;
use abi_state::runtime::{self, Runtime};
use base::Rank;
use mpi::Comparison;
use mpi_local::attr;

use super::{bsend, info};

pub(crate) fn find_intra(runtime: &Runtime, handle: Comm) -> Result<Arc<mpi::Comm>, Failure> {
    let comm = runtime.comm(handle)?;
    if comm.is_inter() {
        let text = format!("{comm} is an inter-communicator");
        return Err(Failure::new(MPI_ERR_COMM, text));
    }
    Ok(comm)
}

fn find_inter(runtime: &Runtime, handle: Comm) -> Result<Arc<mpi::Comm>, Failure> {
    let comm = runtime.comm(handle)?;
    if !comm.is_inter() {
        let text = format!("{comm} is not an inter-communicator");
        return Err(Failure::new(MPI_ERR_COMM, text));
    }
    Ok(comm)
}

/// Gives a new communicator a handle. It has the error handler of the one it was made from
/// (MPI 5.0, 9.3).
pub(crate) fn hand_out(
    runtime: &Runtime,
    parent: &mpi::Comm,
    made: Option<impl Into<Arc<mpi::Comm>>>,
    place: Out<Comm>,
) -> Result<(), Failure> {
    let handle = match made {
        None => MPI_COMM_NULL,
        Some(made) => {
            let made: Arc<mpi::Comm> = made.into();
            let errhandler = parent.errhandler.lock().clone();
            *made.errhandler.lock() = errhandler;
            runtime.tables.enter().comms.insert(made)?
        }
    };
    place.set(handle)
}

/// `MPI_Comm_rank` (MPI 5.0, 7.4.1).
pub fn comm_rank(comm: Comm, rank: Out<i32>) -> Result<(), Failure> {
    let mine = runtime::get().tables.enter().comm(comm)?.rank();
    rank.set(mine as i32)
}

/// `MPI_Comm_size` (MPI 5.0, 7.4.1).
pub fn comm_size(comm: Comm, size: Out<i32>) -> Result<(), Failure> {
    let local = runtime::get().tables.enter().comm(comm)?.size();
    size.set(local as i32)
}

/// `MPI_Comm_remote_size` (MPI 5.0, 7.6.1).
pub fn comm_remote_size(comm: Comm, size: Out<i32>) -> Result<(), Failure> {
    let remote = find_inter(runtime::get(), comm)?.far_size();
    size.set(remote as i32)
}

/// `MPI_Comm_test_inter` (MPI 5.0, 7.6.1).
pub fn comm_test_inter(comm: Comm, flag: Out<i32>) -> Result<(), Failure> {
    let is = runtime::get().comm(comm)?.is_inter();
    flag.set(i32::from(is))
}

/// `MPI_Comm_group` (MPI 5.0, 7.3.2).
pub fn comm_group(comm: Comm, group: Out<Group>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let own = runtime.comm(comm)?.group().clone();
    let handle = runtime.tables.enter().group_handle(own)?;
    group.set(handle)
}

/// `MPI_Comm_remote_group` (MPI 5.0, 7.6.1).
pub fn comm_remote_group(comm: Comm, group: Out<Group>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let remote = find_inter(runtime, comm)?.far_group().clone();
    let handle = runtime.tables.enter().group_handle(remote)?;
    group.set(handle)
}

/// `MPI_Comm_compare` (MPI 5.0, 7.4.1).
pub fn comm_compare(comm1: Comm, comm2: Comm, result: Out<i32>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (one, other) = (runtime.comm(comm1)?, runtime.comm(comm2)?);
    let relation = match one.compare(&other) {
        Comparison::Identical => MPI_IDENT,
        Comparison::Congruent => MPI_CONGRUENT,
        Comparison::Similar => MPI_SIMILAR,
        Comparison::Unequal => MPI_UNEQUAL,
    };
    result.set(relation)
}

/// Gives a duplicate copies of the attributes, and the info that it is to have.
fn copy_to(
    made: &mpi::Comm,
    old: &mpi::Comm,
    handle: Comm,
    info: mpi::Info,
) -> Result<(), Failure> {
    made.set_info(&info)?;
    let attributes = old.attributes.lock().clone();
    *made.attributes.lock() = attr::copy_all(&attributes, handle.0)?;
    Ok(())
}

/// A duplicate with copied attributes, and the info that it is to have.
fn duplicate(comm: Comm, info: Info, newcomm: Out<Comm>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let old = runtime.comm(comm)?;
    let info = info::hints(info)?;
    hooks::joins(comm);
    let made = old.duplicate()?;
    copy_to(&made, &old, comm, info)?;
    hand_out(runtime, &old, Some(made), newcomm)
}

/// `MPI_Comm_dup` (MPI 5.0, 7.4.2).
pub fn comm_dup(comm: Comm, newcomm: Out<Comm>) -> Result<(), Failure> {
    duplicate(comm, MPI_INFO_NULL, newcomm)
}

/// `MPI_Comm_dup_with_info` (MPI 5.0, 7.4.2).
pub fn comm_dup_with_info(comm: Comm, info: Info, newcomm: Out<Comm>) -> Result<(), Failure> {
    duplicate(comm, info, newcomm)
}

/// A duplicate that may be used when its request is complete. Its attributes are copied now.
fn start_duplicate(
    comm: Comm,
    info: Info,
    newcomm: Out<Comm>,
    request: Out<Request>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let old = runtime.comm(comm)?;
    let info = info::hints(info)?;
    hooks::joins(comm);
    let (made, started) = old.start_duplicate()?;
    copy_to(&made, &old, comm, info)?;
    hand_out(runtime, &old, Some(made), newcomm)?;
    let handle = runtime.tables.enter().request_handle(started, comm)?;
    request.set(handle)
}

/// `MPI_Comm_idup` (MPI 5.0, 7.4.2).
pub fn comm_idup(comm: Comm, newcomm: Out<Comm>, request: Out<Request>) -> Result<(), Failure> {
    start_duplicate(comm, MPI_INFO_NULL, newcomm, request)
}

/// `MPI_Comm_idup_with_info` (MPI 5.0, 7.4.2).
pub fn comm_idup_with_info(
    comm: Comm,
    info: Info,
    newcomm: Out<Comm>,
    request: Out<Request>,
) -> Result<(), Failure> {
    start_duplicate(comm, info, newcomm, request)
}

/// `MPI_Comm_split` (MPI 5.0, 7.4.2).
pub fn comm_split(comm: Comm, color: i32, key: i32, newcomm: Out<Comm>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let old = runtime.comm(comm)?;
    let color = match color {
        MPI_UNDEFINED => None,
        color if color >= 0 => Some(color as u32),
        color => {
            let text = format!("color is {color}; it is 0 or more, or MPI_UNDEFINED");
            return Err(Failure::new(MPI_ERR_ARG, text));
        }
    };
    hooks::joins(comm);
    let made = old.split(color, key)?;
    hand_out(runtime, &old, made, newcomm)
}

/// `MPI_Comm_split_type` (MPI 5.0, 7.4.2). Processes of a node share memory; finer parts of the
/// hardware are not distinguished, which the standard lets a library say with `MPI_COMM_NULL`.
pub fn comm_split_type(
    comm: Comm,
    split_type: i32,
    key: i32,
    info: Info,
    newcomm: Out<Comm>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let old = runtime.comm(comm)?;
    let known = info::hints(info)?;
    let shared = match split_type {
        MPI_COMM_TYPE_SHARED => true,
        MPI_COMM_TYPE_HW_GUIDED | MPI_COMM_TYPE_RESOURCE_GUIDED => known
            .get("mpi_hw_resource_type")?
            .is_some_and(|kind| kind == "mpi_shared_memory"),
        MPI_COMM_TYPE_HW_UNGUIDED | MPI_UNDEFINED => false,
        other => {
            let text = format!("split_type is {other}, which is not one of MPI_COMM_TYPE_*");
            return Err(Failure::new(MPI_ERR_ARG, text));
        }
    };
    hooks::joins(comm);
    let made = old.split(shared.then(|| old.node_color()), key)?;
    hand_out(runtime, &old, made, newcomm)
}

/// `MPI_Comm_create` (MPI 5.0, 7.4.2).
pub fn comm_create(comm: Comm, group: Group, newcomm: Out<Comm>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let old = runtime.comm(comm)?;
    let members = runtime.tables.enter().group(group)?;
    hooks::joins(comm);
    let made = old.create(&members)?;
    hand_out(runtime, &old, made, newcomm)
}

/// `MPI_Comm_create_group` (MPI 5.0, 7.4.2).
pub fn comm_create_group(
    comm: Comm,
    group: Group,
    tag: i32,
    newcomm: Out<Comm>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let old = find_intra(runtime, comm)?;
    let members = runtime.tables.enter().group(group)?;
    if tag < 0 {
        return Err(Failure::new(MPI_ERR_TAG, format!("tag is {tag}")));
    }
    let made = old.create_group(&members, tag.into())?;
    hand_out(runtime, &old, made, newcomm)
}

/// `MPI_Intercomm_create` (MPI 5.0, 7.6.2).
pub fn intercomm_create(
    local_comm: Comm,
    local_leader: i32,
    peer_comm: Comm,
    remote_leader: i32,
    tag: i32,
    newintercomm: Out<Comm>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let local = find_intra(runtime, local_comm)?;
    let leader = local.near_rank(local_leader)?;
    if tag < 0 {
        return Err(Failure::new(MPI_ERR_TAG, format!("tag is {tag}")));
    }
    // The other arguments are significant at the leader only, which reports errors in them to the
    // other processes: those wait for it.
    let found = match local.rank() == leader {
        true => peer_leader(runtime, peer_comm, remote_leader).map(Some),
        false => Ok(None),
    };
    let bridge = match &found {
        Ok(found) => Ok(found.as_ref().map(|(bridge, remote)| (&**bridge, *remote))),
        Err(failure) => Err(failure.clone().into_error()),
    };
    hooks::joins(local_comm);
    let made = mpi_dynamic::create_inter(&local, leader, bridge, tag.into())?;
    hand_out(runtime, &local, Some(made), newintercomm)
}

/// The communicator to the leader of another group, and its rank there.
fn peer_leader(
    runtime: &Runtime,
    peer_comm: Comm,
    remote_leader: i32,
) -> Result<(Arc<mpi::Comm>, Rank), Failure> {
    let bridge = runtime.comm(peer_comm)?;
    let remote = bridge.far_rank(remote_leader)?;
    Ok((bridge, remote))
}

/// `MPI_Intercomm_merge` (MPI 5.0, 7.6.2).
pub fn intercomm_merge(intercomm: Comm, high: i32, newintracomm: Out<Comm>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let old = find_inter(runtime, intercomm)?;
    hooks::joins(intercomm);
    let made = old.merge(high != 0)?;
    hand_out(runtime, &old, Some(made), newintracomm)
}

/// Deletes the attributes of a communicator that is about to go.
pub(crate) fn delete_attributes(comm: &mpi::Comm, handle: Comm) -> Result<(), Failure> {
    let attributes = std::mem::take(&mut *comm.attributes.lock());
    attr::delete_all(&attributes, handle.0).map_err(Failure::from)
}

/// `MPI_Comm_free` (MPI 5.0, 7.4.3). Pending operations keep what they need.
pub fn comm_free(comm: InOut<Comm>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let handle = comm.get()?;
    if handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF {
        let text = "MPI_COMM_WORLD and MPI_COMM_SELF cannot be freed";
        return Err(Failure::new(MPI_ERR_COMM, text).on(On::Comm(handle)));
    }
    let object = runtime.comm(handle)?;
    delete_attributes(&object, handle).map_err(|failure| failure.on(On::Comm(handle)))?;
    hooks::frees(handle);
    let left = object.check_left();
    left.map_err(|error| Failure::from(error).on(On::Comm(handle)))?;
    let removed = runtime.tables.enter().take_comm(handle)?;
    bsend::release(runtime.process()?, &removed.bsend);
    comm.set(MPI_COMM_NULL)
}

/// `MPI_Comm_set_name` (MPI 5.0, 7.8).
pub fn comm_set_name(comm: Comm, comm_name: Text) -> Result<(), Failure> {
    let name = comm_name.get()?;
    runtime::get().comm(comm)?.set_name(&name);
    Ok(())
}

/// `MPI_Comm_get_name` (MPI 5.0, 7.8).
pub fn comm_get_name(comm: Comm, comm_name: OutText, resultlen: Out<i32>) -> Result<(), Failure> {
    let name = match comm {
        MPI_COMM_NULL => "MPI_COMM_NULL".to_string(),
        comm => runtime::get().comm(comm)?.name(),
    };
    comm_name.set(&name, resultlen)
}

/// `MPI_Comm_set_info` (MPI 5.0, 7.4.4).
pub fn comm_set_info(comm: Comm, info: Info) -> Result<(), Failure> {
    let runtime = runtime::get();
    let object = runtime.comm(comm)?;
    Ok(object.set_info(&info::hints(info)?)?)
}

/// `MPI_Comm_get_info` (MPI 5.0, 7.4.4).
pub fn comm_get_info(comm: Comm, info_used: Out<Info>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let known = runtime.comm(comm)?.info()?;
    let handle = runtime.anytime.enter().infos.insert(known)?;
    info_used.set(handle)
}
