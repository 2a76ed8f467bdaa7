//! Collectives that move data, and the barrier (MPI 5.0, 6.3 to 6.8).

use abi_state::args::Elements;
use abi_state::failure::Failure;
use datatype::Buffer;
use mpi::collective::{self, Begin, RootedRole};

use super::blocks::{BlockBuffer, Listed};
use super::{part, when};

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
    Ok(collective::bcast(part, buffer))
}

/// `MPI_Gather` (MPI 5.0, 6.5).
#[inline(always)]
pub fn gather(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    let (send, recv) = to_root(part, send, |blocks| recv.times(blocks)?.recv_block())?;
    Ok(collective::gather(part, send, recv)?)
}

/// `MPI_Gatherv` (MPI 5.0, 6.5).
pub fn gatherv(
    comm: &mpi::Comm,
    send: Elements,
    recv: Listed,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    let (send, recv) = to_root(part, send, |blocks| recv.recv_blocks(blocks))?;
    Ok(collective::gatherv(part, send, recv)?)
}

/// `MPI_Scatter` (MPI 5.0, 6.6).
#[inline(always)]
pub fn scatter(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    let (send, recv) = from_root(part, |blocks| send.times(blocks)?.send_block(), recv)?;
    Ok(collective::scatter(part, send, recv)?)
}

/// `MPI_Scatterv` (MPI 5.0, 6.6).
pub fn scatterv(
    comm: &mpi::Comm,
    send: Listed,
    recv: Elements,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    let (send, recv) = from_root(part, |blocks| send.send_blocks(blocks), recv)?;
    Ok(collective::scatterv(part, send, recv)?)
}

/// `MPI_Allgather` and `MPI_Allgatherv` (MPI 5.0, 6.7).
#[inline(always)]
pub fn allgather(
    comm: &mpi::Comm,
    send: Elements,
    recv: impl BlockBuffer,
) -> Result<impl Begin, Failure> {
    let (send, recv) = (
        send.send_block_unless_in_place()?,
        recv.recv_blocks(comm.blocks())?,
    );
    Ok(collective::allgather(comm, send, recv)?)
}

/// `MPI_Alltoall`, `MPI_Alltoallv` and `MPI_Alltoallw` (MPI 5.0, 6.8).
#[inline(always)]
pub fn alltoall<B: BlockBuffer>(comm: &mpi::Comm, send: B, recv: B) -> Result<impl Begin, Failure> {
    let blocks = comm.blocks();
    let (send, recv) = (
        send.send_blocks_unless_in_place(blocks)?,
        recv.recv_blocks(blocks)?,
    );
    Ok(collective::alltoall(comm, send, recv)?)
}

/// Returns what a process sends in a gather, and what the root receives, which `recv` makes of the
/// number of blocks; `None` where an argument is not significant, or is `MPI_IN_PLACE`.
#[inline(always)]
fn to_root<T>(
    part: RootedRole,
    send: Elements,
    recv: impl FnOnce(u32) -> Result<T, Failure>,
) -> Result<(Option<Buffer>, Option<T>), Failure> {
    Ok((
        when(part.has_block(), || send.send_block_unless_in_place())?.flatten(),
        when(part.is_root(), || recv(part.blocks()))?,
    ))
}

/// Returns what the root sends in a scatter, which `send` makes of the number of blocks, and what a
/// process receives; `None` where an argument is not significant, or is `MPI_IN_PLACE`.
#[inline(always)]
fn from_root<T>(
    part: RootedRole,
    send: impl FnOnce(u32) -> Result<T, Failure>,
    recv: Elements,
) -> Result<(Option<T>, Option<Buffer>), Failure> {
    Ok((
        when(part.is_root(), || send(part.blocks()))?,
        when(part.has_block(), || recv.recv_block_unless_in_place())?.flatten(),
    ))
}
