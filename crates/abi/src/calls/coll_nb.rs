//! Collectives that go on while the caller does something else (MPI 5.0, 6.12).

use std::ffi::c_void;

use mpi::collective;

use super::coll_args::{self, Elements, Listed, Reduced, Typed};
use crate::args::{Comm, Counts, Datatype, Op, Request};
use crate::failure::Failure;

/// `MPI_Ibarrier` (MPI 5.0, 6.12.1).
pub unsafe fn ibarrier(comm: Comm, request: *mut Request) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let begin = collective::barrier(&comm);
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Ibcast` (MPI 5.0, 6.12.2).
pub unsafe fn ibcast(
    buffer: *mut c_void,
    count: i64,
    datatype: Datatype,
    root: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let elements = Elements(buffer, count, datatype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::bcast(&comm, elements, root)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Igather` (MPI 5.0, 6.12.3).
pub unsafe fn igather(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    root: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Elements(recvbuf, recvcount, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::gather(&comm, send, recv, root)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Igatherv` (MPI 5.0, 6.12.3).
pub unsafe fn igatherv(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    displs: Counts,
    recvtype: Datatype,
    root: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Listed(recvbuf, recvcounts, displs, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::gatherv(&comm, send, recv, root)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Iscatter` (MPI 5.0, 6.12.4).
pub unsafe fn iscatter(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    root: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Elements(recvbuf, recvcount, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::scatter(&comm, send, recv, root)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Iscatterv` (MPI 5.0, 6.12.4).
pub unsafe fn iscatterv(
    sendbuf: *const c_void,
    sendcounts: Counts,
    displs: Counts,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    root: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Listed(sendbuf, sendcounts, displs, sendtype);
    let recv = Elements(recvbuf, recvcount, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::scatterv(&comm, send, recv, root)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Iallgather` (MPI 5.0, 6.12.5).
pub unsafe fn iallgather(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Elements(recvbuf, recvcount, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::allgather(&comm, send, recv)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Iallgatherv` (MPI 5.0, 6.12.5).
pub unsafe fn iallgatherv(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    displs: Counts,
    recvtype: Datatype,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Listed(recvbuf, recvcounts, displs, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::allgatherv(&comm, send, recv)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Ialltoall` (MPI 5.0, 6.12.6).
pub unsafe fn ialltoall(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Elements(recvbuf, recvcount, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::alltoall(&comm, send, recv)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Ialltoallv` (MPI 5.0, 6.12.6).
pub unsafe fn ialltoallv(
    sendbuf: *const c_void,
    sendcounts: Counts,
    sdispls: Counts,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    rdispls: Counts,
    recvtype: Datatype,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Listed(sendbuf, sendcounts, sdispls, sendtype);
    let recv = Listed(recvbuf, recvcounts, rdispls, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::alltoallv(&comm, send, recv)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Ialltoallw` (MPI 5.0, 6.12.6).
pub unsafe fn ialltoallw(
    sendbuf: *const c_void,
    sendcounts: Counts,
    sdispls: Counts,
    sendtypes: *const Datatype,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    rdispls: Counts,
    recvtypes: *const Datatype,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Typed(sendbuf, sendcounts, sdispls, sendtypes);
    let recv = Typed(recvbuf, recvcounts, rdispls, recvtypes);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::alltoallw(&comm, send, recv)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Ireduce` (MPI 5.0, 6.12.7).
pub unsafe fn ireduce(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
    root: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, count, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::reduce(&comm, reduced, root)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Iallreduce` (MPI 5.0, 6.12.8).
pub unsafe fn iallreduce(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, count, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::allreduce(&comm, reduced)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Ireduce_scatter_block` (MPI 5.0, 6.12.9).
pub unsafe fn ireduce_scatter_block(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    recvcount: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, recvcount, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::reduce_scatter_block(&comm, reduced)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Ireduce_scatter` (MPI 5.0, 6.12.10).
pub unsafe fn ireduce_scatter(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, 0, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::reduce_scatter(&comm, reduced, recvcounts)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Iscan` (MPI 5.0, 6.12.11).
pub unsafe fn iscan(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, count, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::scan(&comm, reduced)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Iexscan` (MPI 5.0, 6.12.12).
pub unsafe fn iexscan(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, count, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::exscan(&comm, reduced)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}
