//! Collectives that move data, and the barrier (MPI 5.0, 6.3 to 6.8).

use datatype::Buffer;
use mpi::collective::{self, Begin};

use super::blocks::{Listed, Typed};
use super::{part, when};
use crate::args::Elements;
use crate::failure::Failure;

/// `MPI_Barrier` (MPI 5.0, 6.3).
#[inline(always)]
pub fn barrier(comm: &mpi::Comm) -> Result<impl Begin, Failure> {
    Ok(collective::barrier(comm))
}

/// `MPI_Bcast` (MPI 5.0, 6.4).
#[inline(always)]
pub fn bcast(comm: &mpi::Comm, elements: Elements, root: i32) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    let buffer = match (part.is_root(), part.has_block()) {
        (true, _) => elements.send_block()?,
        (false, true) => elements.recv_block()?,
        (false, false) => Buffer::EMPTY,
    };
    Ok(collective::bcast(comm, part, buffer))
}

/// `MPI_Gather` (MPI 5.0, 6.5).
pub fn gather(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    let (send, recv) = (
        when(part.has_block(), || send.send_block_unless_in_place())?.flatten(),
        when(part.is_root(), || recv.times(part.blocks())?.recv_block())?,
    );
    Ok(collective::gather(comm, part, send, recv)?)
}

/// `MPI_Gatherv` (MPI 5.0, 6.5).
pub fn gatherv(
    comm: &mpi::Comm,
    send: Elements,
    recv: Listed,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    let (send, recv) = (
        when(part.has_block(), || send.send_block_unless_in_place())?.flatten(),
        when(part.is_root(), || recv.recv_blocks(part.blocks()))?,
    );
    Ok(collective::gatherv(part, send, recv)?)
}

/// `MPI_Scatter` (MPI 5.0, 6.6).
pub fn scatter(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    let (send, recv) = (
        when(part.is_root(), || send.times(part.blocks())?.send_block())?,
        when(part.has_block(), || recv.recv_block_unless_in_place())?.flatten(),
    );
    Ok(collective::scatter(comm, part, send, recv)?)
}

/// `MPI_Scatterv` (MPI 5.0, 6.6).
pub fn scatterv(
    comm: &mpi::Comm,
    send: Listed,
    recv: Elements,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    let (send, recv) = (
        when(part.is_root(), || send.send_blocks(part.blocks()))?,
        when(part.has_block(), || recv.recv_block_unless_in_place())?.flatten(),
    );
    Ok(collective::scatterv(part, send, recv)?)
}

/// `MPI_Allgather` (MPI 5.0, 6.7).
#[inline(always)]
pub fn allgather(comm: &mpi::Comm, send: Elements, recv: Elements) -> Result<impl Begin, Failure> {
    let (send, recv) = (
        send.send_block_unless_in_place()?,
        recv.recv_blocks(comm.blocks())?,
    );
    Ok(collective::allgather(comm, send, recv)?)
}

/// `MPI_Allgatherv` (MPI 5.0, 6.7).
pub fn allgatherv(comm: &mpi::Comm, send: Elements, recv: Listed) -> Result<impl Begin, Failure> {
    let (send, recv) = (
        send.send_block_unless_in_place()?,
        recv.recv_blocks(comm.blocks())?,
    );
    Ok(collective::allgather(comm, send, recv)?)
}

/// `MPI_Alltoall` (MPI 5.0, 6.8).
#[inline(always)]
pub fn alltoall(comm: &mpi::Comm, send: Elements, recv: Elements) -> Result<impl Begin, Failure> {
    let blocks = comm.blocks();
    let (send, recv) = (
        when(!send.is_in_place(), || send.send_blocks(blocks))?,
        recv.recv_blocks(blocks)?,
    );
    Ok(collective::alltoall(comm, send, recv)?)
}

/// `MPI_Alltoallv` (MPI 5.0, 6.8).
pub fn alltoallv(comm: &mpi::Comm, send: Listed, recv: Listed) -> Result<impl Begin, Failure> {
    let blocks = comm.blocks();
    let (send, recv) = (
        when(!send.is_in_place(), || send.send_blocks(blocks))?,
        recv.recv_blocks(blocks)?,
    );
    Ok(collective::alltoall(comm, send, recv)?)
}

/// `MPI_Alltoallw` (MPI 5.0, 6.8).
pub fn alltoallw(comm: &mpi::Comm, send: Typed, recv: Typed) -> Result<impl Begin, Failure> {
    let blocks = comm.blocks();
    let (send, recv) = (
        when(!send.is_in_place(), || send.send_blocks(blocks))?,
        recv.recv_blocks(blocks)?,
    );
    Ok(collective::alltoall(comm, send, recv)?)
}
