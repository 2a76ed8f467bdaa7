//! Arguments of collective calls made into a collective that can begin.
//!
//! Every collective is decoded once, here, whether it blocks, is started or is persistent: a
//! function gives a [`Begin`], and [`run`], [`start`] and [`keep`] are what can be done with it.
//! Arguments that do not count at this process (MPI 5.0, 6.2.3: "significant only at root") are
//! not looked at. The tables are never entered while a collective runs.

mod blocks;
mod moving;
mod neighbors;
mod reducing;

use std::sync::Arc;

use mpi::collective::{self, Begin, Part, Root};
use mpi::{Operation, Persistent};

pub(crate) use self::blocks::{Elements, Listed, Typed};
pub(crate) use self::moving::{
    allgather, allgatherv, alltoall, alltoallv, alltoallw, bcast, gather, gatherv, scatter,
    scatterv,
};
pub(crate) use self::neighbors::{
    neighbor_allgather, neighbor_allgatherv, neighbor_alltoall, neighbor_alltoallv,
    neighbor_alltoallw,
};
pub(crate) use self::reducing::{
    allreduce, exscan, reduce, reduce_scatter, reduce_scatter_block, scan, Reduced,
};
use crate::args::{self, Comm, Info, Request};
use crate::failure::Failure;
use crate::generated::constants::*;
use crate::runtime;

/// The communicator of a handle, held while its collective runs.
#[inline(always)]
pub(crate) fn comm(handle: Comm) -> Result<Arc<mpi::Comm>, Failure> {
    runtime::get().tables.enter().comm(handle).cloned()
}

/// Runs a collective to its end.
#[inline(always)]
pub(crate) fn run(comm: &mpi::Comm, begin: impl Begin) -> Result<(), Failure> {
    comm.call(begin).map_err(Failure::from)
}

/// Starts a collective and stores its request.
///
/// # Safety
/// A `request` that is not null is a place for a handle.
pub(crate) unsafe fn start(
    comm: &Arc<mpi::Comm>,
    on: Comm,
    begin: impl Begin,
    request: *mut Request,
) -> Result<(), Failure> {
    refuse_null(request)?;
    // Operators of the user run in here, so the tables are entered afterwards.
    let started = comm.start_collective(begin);
    let handle = runtime::get().tables.enter().request_handle(started, on)?;
    // SAFETY: promised by the caller.
    unsafe { args::write(request, handle, "request") }
}

/// Stores a request that begins the collective whenever it is started.
///
/// # Safety
/// A `request` that is not null is a place for a handle.
pub(crate) unsafe fn keep(
    comm: Arc<mpi::Comm>,
    on: Comm,
    begin: impl Begin,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    refuse_null(request)?;
    // In turn with the other processes' calls, as the starts need not be.
    let label = comm.label_call(&begin);
    let again = Box::new(move |port: &collective::Port| begin.clone().begin(port));
    let kept = Persistent::request(Operation::Collective {
        comm,
        label,
        begin: again,
    });
    if info != MPI_INFO_NULL && info != MPI_INFO_ENV {
        runtime::get().anytime.enter().infos.get(info)?;
    }
    let mut tables = runtime::get().tables.enter();
    let handle = tables.request_handle(kept, on)?;
    // SAFETY: promised by the caller.
    unsafe { args::write(request, handle, "request") }
}

fn refuse_null(request: *mut Request) -> Result<(), Failure> {
    if request.is_null() {
        return Err(Failure::new(MPI_ERR_ARG, "request is a null pointer"));
    }
    Ok(())
}

/// The part that a root argument gives this process.
#[inline(always)]
fn part(comm: &mpi::Comm, root: i32) -> Result<Part, Failure> {
    let root = match root {
        MPI_ROOT => Root::Here,
        MPI_PROC_NULL => Root::Elsewhere,
        rank => Root::Rank(rank),
    };
    Part::of(comm, root).map_err(Failure::from)
}

/// What `make` gives, where it counts.
#[inline]
fn when<T>(counts: bool, make: impl FnOnce() -> Result<T, Failure>) -> Result<Option<T>, Failure> {
    match counts {
        true => make().map(Some),
        false => Ok(None),
    }
}
