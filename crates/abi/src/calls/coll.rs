//! Collectives that block (MPI 5.0, 6.3 to 6.11).

use std::ffi::c_void;

use mpi::collective;

use super::coll_args::{self, Elements, Listed, Reduced, Typed};
use crate::args::{Comm, Counts, Datatype, Op};
use crate::failure::Failure;

/// `MPI_Barrier` (MPI 5.0, 6.3).
#[inline]
pub unsafe fn barrier(comm: Comm) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let begin = collective::barrier(&comm);
    coll_args::run(&comm, begin)
}

/// `MPI_Bcast` (MPI 5.0, 6.4).
#[inline]
pub unsafe fn bcast(
    buffer: *mut c_void,
    count: i64,
    datatype: Datatype,
    root: i32,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let elements = Elements(buffer, count, datatype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::bcast(&comm, elements, root)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Gather` (MPI 5.0, 6.5).
pub unsafe fn gather(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    root: i32,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Elements(recvbuf, recvcount, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::gather(&comm, send, recv, root)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Gatherv` (MPI 5.0, 6.5).
pub unsafe fn gatherv(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    displs: Counts,
    recvtype: Datatype,
    root: i32,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Listed(recvbuf, recvcounts, displs, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::gatherv(&comm, send, recv, root)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Scatter` (MPI 5.0, 6.6).
pub unsafe fn scatter(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    root: i32,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Elements(recvbuf, recvcount, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::scatter(&comm, send, recv, root)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Scatterv` (MPI 5.0, 6.6).
pub unsafe fn scatterv(
    sendbuf: *const c_void,
    sendcounts: Counts,
    displs: Counts,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    root: i32,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let send = Listed(sendbuf, sendcounts, displs, sendtype);
    let recv = Elements(recvbuf, recvcount, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::scatterv(&comm, send, recv, root)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Allgather` (MPI 5.0, 6.7).
pub unsafe fn allgather(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Elements(recvbuf, recvcount, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::allgather(&comm, send, recv)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Allgatherv` (MPI 5.0, 6.7).
pub unsafe fn allgatherv(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    displs: Counts,
    recvtype: Datatype,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Listed(recvbuf, recvcounts, displs, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::allgatherv(&comm, send, recv)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Alltoall` (MPI 5.0, 6.8).
pub unsafe fn alltoall(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Elements(recvbuf, recvcount, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::alltoall(&comm, send, recv)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Alltoallv` (MPI 5.0, 6.8).
pub unsafe fn alltoallv(
    sendbuf: *const c_void,
    sendcounts: Counts,
    sdispls: Counts,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    rdispls: Counts,
    recvtype: Datatype,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let send = Listed(sendbuf, sendcounts, sdispls, sendtype);
    let recv = Listed(recvbuf, recvcounts, rdispls, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::alltoallv(&comm, send, recv)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Alltoallw` (MPI 5.0, 6.8).
pub unsafe fn alltoallw(
    sendbuf: *const c_void,
    sendcounts: Counts,
    sdispls: Counts,
    sendtypes: *const Datatype,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    rdispls: Counts,
    recvtypes: *const Datatype,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let send = Typed(sendbuf, sendcounts, sdispls, sendtypes);
    let recv = Typed(recvbuf, recvcounts, rdispls, recvtypes);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::alltoallw(&comm, send, recv)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Reduce` (MPI 5.0, 6.9.1).
pub unsafe fn reduce(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
    root: i32,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, count, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::reduce(&comm, reduced, root)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Allreduce` (MPI 5.0, 6.9.6).
#[inline]
pub unsafe fn allreduce(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, count, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::allreduce(&comm, reduced)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Reduce_scatter_block` (MPI 5.0, 6.10.1).
pub unsafe fn reduce_scatter_block(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    recvcount: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, recvcount, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::reduce_scatter_block(&comm, reduced)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Reduce_scatter` (MPI 5.0, 6.10.2).
pub unsafe fn reduce_scatter(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, 0, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::reduce_scatter(&comm, reduced, recvcounts)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Scan` (MPI 5.0, 6.11.1).
pub unsafe fn scan(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, count, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::scan(&comm, reduced)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Exscan` (MPI 5.0, 6.11.2).
pub unsafe fn exscan(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, count, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::exscan(&comm, reduced)? };
    coll_args::run(&comm, begin)
}
