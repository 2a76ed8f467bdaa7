//! Collectives that move data (MPI 5.0, 6.4 to 6.8).

use datatype::Buffer;
use mpi::collective::{self, Begin};

use super::blocks::{Elements, Listed, Typed};
use super::{part, when};
use crate::failure::Failure;

/// # Safety
/// The buffer is as MPI_Bcast asks, valid until the collective is over. So it is for every
/// function that decodes a collective.
#[inline(always)]
pub(crate) unsafe fn bcast(
    comm: &mpi::Comm,
    elements: Elements,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    // SAFETY: promised by the caller.
    let buffer = unsafe {
        match (part.is_root(), part.has_block()) {
            (true, _) => elements.buffer()?,
            (false, true) => elements.room()?,
            (false, false) => Buffer::EMPTY,
        }
    };
    Ok(collective::bcast(comm, part, buffer))
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn gather(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            when(part.has_block(), || send.buffer_unless_in_place())?.flatten(),
            when(part.is_root(), || recv.times(part.blocks())?.room())?,
        )
    };
    Ok(collective::gather(comm, part, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn gatherv(
    comm: &mpi::Comm,
    send: Elements,
    recv: Listed,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            when(part.has_block(), || send.buffer_unless_in_place())?.flatten(),
            when(part.is_root(), || recv.rooms(part.blocks()))?,
        )
    };
    Ok(collective::gatherv(part, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn scatter(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            when(part.is_root(), || send.times(part.blocks())?.buffer())?,
            when(part.has_block(), || recv.room_unless_in_place())?.flatten(),
        )
    };
    Ok(collective::scatter(comm, part, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn scatterv(
    comm: &mpi::Comm,
    send: Listed,
    recv: Elements,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            when(part.is_root(), || send.blocks(part.blocks()))?,
            when(part.has_block(), || recv.room_unless_in_place())?.flatten(),
        )
    };
    Ok(collective::scatterv(part, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
#[inline(always)]
pub(crate) unsafe fn allgather(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
) -> Result<impl Begin, Failure> {
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe { (send.buffer_unless_in_place()?, recv.rooms(comm.blocks())?) };
    Ok(collective::allgather(comm, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn allgatherv(
    comm: &mpi::Comm,
    send: Elements,
    recv: Listed,
) -> Result<impl Begin, Failure> {
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe { (send.buffer_unless_in_place()?, recv.rooms(comm.blocks())?) };
    Ok(collective::allgather(comm, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
#[inline(always)]
pub(crate) unsafe fn alltoall(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
) -> Result<impl Begin, Failure> {
    let blocks = comm.blocks();
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            when(!send.is_in_place(), || send.blocks(blocks))?,
            recv.rooms(blocks)?,
        )
    };
    Ok(collective::alltoall(comm, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn alltoallv(
    comm: &mpi::Comm,
    send: Listed,
    recv: Listed,
) -> Result<impl Begin, Failure> {
    let blocks = comm.blocks();
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            when(!send.is_in_place(), || send.blocks(blocks))?,
            recv.rooms(blocks)?,
        )
    };
    Ok(collective::alltoall(comm, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn alltoallw(
    comm: &mpi::Comm,
    send: Typed,
    recv: Typed,
) -> Result<impl Begin, Failure> {
    let blocks = comm.blocks();
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            when(!send.is_in_place(), || send.blocks(blocks))?,
            recv.rooms(blocks)?,
        )
    };
    Ok(collective::alltoall(comm, send, recv)?)
}
