//! Collectives that reduce data (MPI 5.0, 6.9 to 6.11).

use std::ffi::c_void;
use std::sync::Arc;

use abi_state::args::{Datatype, Elements, Op, OpenCounts};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::runtime;
use mpi::collective::{self, Begin, Reduction, Vector};

use super::{part, when};

/// `MPI_Reduce` (MPI 5.0, 6.9.1).
#[inline(always)]
pub fn reduce(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
    op: Op,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    let (send, recv, op) = match part.is_root() || part.has_block() {
        true => (send, recv, op),
        // The arguments of a process that says `MPI_PROC_NULL` may not even fit each other.
        false => (Elements::NONE, Elements::NONE, MPI_SUM),
    };
    let reduction = reduction(send.datatype(), op)?;
    let vector = match part.has_block() {
        true => vector(send, recv, part.is_root())?,
        false => result_only(recv, part.is_root())?,
    };
    Ok(collective::reduce(part, reduction, vector)?)
}

/// `MPI_Allreduce` (MPI 5.0, 6.9.6).
#[inline(always)]
pub fn allreduce(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
    op: Op,
) -> Result<impl Begin, Failure> {
    let (reduction, vector) = contribution(send, recv, op, true)?;
    Ok(collective::allreduce(comm, reduction, vector)?)
}

/// `MPI_Scan` (MPI 5.0, 6.11.1).
pub fn scan(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
    op: Op,
) -> Result<impl Begin, Failure> {
    let (reduction, vector) = contribution(send, recv, op, true)?;
    Ok(collective::scan(comm, reduction, vector)?)
}

/// `MPI_Exscan` (MPI 5.0, 6.11.2).
pub fn exscan(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
    op: Op,
) -> Result<impl Begin, Failure> {
    // Rank 0 receives nothing, but in place its receive buffer holds its contribution; one buffer
    // for both arguments is refused at rank 0 as at the others.
    let one_buffer = send.is_in_place() || send.address() == recv.address();
    let receives = comm.rank() > 0 || one_buffer;
    let (reduction, vector) = contribution(send, recv, op, receives)?;
    Ok(collective::exscan(comm, reduction, vector)?)
}

/// `MPI_Reduce_scatter_block` (MPI 5.0, 6.10.1).
pub fn reduce_scatter_block(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
    op: Op,
) -> Result<impl Begin, Failure> {
    let reduction = reduction(send.datatype(), op)?;
    let counts = collective::Counts::Even(recv.count() as usize);
    let recv = match send.is_in_place() {
        true => recv.times(comm.size())?,
        false => recv,
    };
    let send = when(!send.is_in_place(), || {
        send.times(comm.size())?.send_block()
    })?;
    let recv = recv.recv_block()?;
    Ok(collective::reduce_scatter(
        comm, reduction, send, recv, counts,
    )?)
}

/// `MPI_Reduce_scatter` (MPI 5.0, 6.10.2).
///
/// # Safety
/// The buffers and `recvcounts` are as MPI asks for them.
pub unsafe fn reduce_scatter(
    comm: &mpi::Comm,
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    recvcounts: OpenCounts,
    datatype: Datatype,
    op: Op,
) -> Result<impl Begin, Failure> {
    let reduction = reduction(datatype, op)?;
    // SAFETY: the list has an entry for each process (MPI 5.0, 6.10.2).
    let counts = unsafe { recvcounts.with_length(comm.size() as usize).to_vec()? };
    let mut all: i64 = 0;
    for (rank, &count) in counts.iter().enumerate() {
        let sum = all.checked_add(count).filter(|_| count >= 0);
        all = sum.ok_or_else(|| {
            let text = format!("recvcounts[{rank}] is {count}");
            Failure::new(MPI_ERR_COUNT, text)
        })?;
    }
    let mine = counts[comm.rank() as usize];
    // SAFETY: the send buffer has the elements of all; in place, the receive buffer has them
    // (MPI 5.0, 6.10.2).
    let (send, recv) = unsafe {
        let send = Elements::new(sendbuf, all, datatype);
        let received = if send.is_in_place() { all } else { mine };
        (send, Elements::new(recvbuf, received, datatype))
    };
    let (send, recv) = (send.send_block_unless_in_place()?, recv.recv_block()?);
    let counts = counts.into_iter().map(|count| count as usize).collect();
    let counts = collective::Counts::Listed(counts);
    Ok(collective::reduce_scatter(
        comm, reduction, send, recv, counts,
    )?)
}

/// Returns the reduction and the vectors of a process that contributes, and that receives the
/// result if `receives`.
#[inline(always)]
fn contribution(
    send: Elements,
    recv: Elements,
    op: Op,
    receives: bool,
) -> Result<(Reduction, Vector), Failure> {
    let reduction = reduction(send.datatype(), op)?;
    Ok((reduction, vector(send, recv, receives)?))
}

/// Returns the vectors of a process that contributes, and that receives the result if `receives`.
#[inline(always)]
fn vector(send: Elements, recv: Elements, receives: bool) -> Result<Vector, Failure> {
    let count = recv.count() as usize;
    let send = send.send_block_unless_in_place()?;
    let recv = match receives {
        true => Some(recv.recv_block()?),
        false => None,
    };
    Ok(Vector { send, recv, count })
}

/// Returns the vectors of a process that contributes nothing.
fn result_only(recv: Elements, receives: bool) -> Result<Vector, Failure> {
    let count = recv.count().max(0) as usize;
    let recv = when(receives, || recv.recv_block())?;
    Ok(Vector {
        send: None,
        recv,
        count,
    })
}

#[inline(always)]
fn reduction(datatype: Datatype, op: Op) -> Result<Reduction, Failure> {
    let runtime = runtime::get();
    let known = runtime.committed(datatype)?;
    let operator = runtime.operator(op, &known, datatype)?;
    let datatype = Arc::clone(&known);
    Ok(Reduction {
        operator,
        datatype,
        vectors: runtime.vectors(),
    })
}
