//! Collectives among the neighbours of a process topology (MPI 5.0, 8.6).

use abi_state::args::Elements;
use abi_state::failure::Failure;
use mpi::collective::{self, Begin};

use super::blocks::BlockBuffer;

/// `MPI_Neighbor_allgather` and `MPI_Neighbor_allgatherv` (MPI 5.0, 8.6.1).
pub fn neighbor_allgather(
    comm: &mpi::Comm,
    send: Elements,
    recv: impl BlockBuffer,
) -> Result<impl Begin, Failure> {
    let around = comm.neighbors()?;
    let sources = around.sources.len() as u32;
    let (send, recv) = (send.send_block()?, recv.recv_blocks(sources)?);
    Ok(collective::neighbor_allgather(comm, around, send, recv))
}

/// `MPI_Neighbor_alltoall`, `MPI_Neighbor_alltoallv` and `MPI_Neighbor_alltoallw` (MPI 5.0, 8.6.2).
pub fn neighbor_alltoall<B: BlockBuffer>(
    comm: &mpi::Comm,
    send: B,
    recv: B,
) -> Result<impl Begin, Failure> {
    let around = comm.neighbors()?;
    let (sources, destinations) = (around.sources.len(), around.destinations.len());
    let (send, recv) = (
        send.send_blocks(destinations as u32)?,
        recv.recv_blocks(sources as u32)?,
    );
    Ok(collective::neighbor_alltoall(comm, around, send, recv))
}
