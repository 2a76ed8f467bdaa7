//! Collectives among neighbours (MPI 5.0, 8.6).

use mpi::collective::{self, Begin};

use super::blocks::{Elements, Listed, Typed};
use crate::failure::Failure;

/// # Safety
/// As of [`super::bcast`].
pub(crate) unsafe fn neighbor_allgather(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
) -> Result<impl Begin, Failure> {
    let around = comm.neighbors()?;
    let sources = around.sources.len() as u32;
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe { (send.buffer()?, recv.rooms(sources)?) };
    Ok(collective::neighbor_allgather(comm, around, send, recv))
}

/// # Safety
/// As of [`super::bcast`].
pub(crate) unsafe fn neighbor_allgatherv(
    comm: &mpi::Comm,
    send: Elements,
    recv: Listed,
) -> Result<impl Begin, Failure> {
    let around = comm.neighbors()?;
    let sources = around.sources.len() as u32;
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe { (send.buffer()?, recv.rooms(sources)?) };
    Ok(collective::neighbor_allgather(comm, around, send, recv))
}

/// # Safety
/// As of [`super::bcast`].
pub(crate) unsafe fn neighbor_alltoall(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
) -> Result<impl Begin, Failure> {
    let around = comm.neighbors()?;
    let (sources, destinations) = (around.sources.len(), around.destinations.len());
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            send.blocks(destinations as u32)?,
            recv.rooms(sources as u32)?,
        )
    };
    Ok(collective::neighbor_alltoall(comm, around, send, recv))
}

/// # Safety
/// As of [`super::bcast`].
pub(crate) unsafe fn neighbor_alltoallv(
    comm: &mpi::Comm,
    send: Listed,
    recv: Listed,
) -> Result<impl Begin, Failure> {
    let around = comm.neighbors()?;
    let (sources, destinations) = (around.sources.len(), around.destinations.len());
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            send.blocks(destinations as u32)?,
            recv.rooms(sources as u32)?,
        )
    };
    Ok(collective::neighbor_alltoall(comm, around, send, recv))
}

/// # Safety
/// As of [`super::bcast`].
pub(crate) unsafe fn neighbor_alltoallw(
    comm: &mpi::Comm,
    send: Typed,
    recv: Typed,
) -> Result<impl Begin, Failure> {
    let around = comm.neighbors()?;
    let (sources, destinations) = (around.sources.len(), around.destinations.len());
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            send.blocks(destinations as u32)?,
            recv.rooms(sources as u32)?,
        )
    };
    Ok(collective::neighbor_alltoall(comm, around, send, recv))
}
