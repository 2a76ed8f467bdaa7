//! Collectives to be started again and again (MPI 5.0, 6.13).

use std::ffi::c_void;

use mpi::collective;

use super::coll_args::{self, Elements, Listed, Reduced, Typed};
use crate::args::{Comm, Counts, Datatype, Info, Op, Request};
use crate::failure::Failure;

/// `MPI_Barrier_init` (MPI 5.0, 6.13.1).
pub unsafe fn barrier_init(comm: Comm, info: Info, request: *mut Request) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let begin = collective::barrier(&comm);
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Bcast_init` (MPI 5.0, 6.13.2).
pub unsafe fn bcast_init(
    buffer: *mut c_void,
    count: i64,
    datatype: Datatype,
    root: i32,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let elements = Elements(buffer, count, datatype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::bcast(&comm, elements, root)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Gather_init` (MPI 5.0, 6.13.3).
pub unsafe fn gather_init(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    root: i32,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Elements(recvbuf, recvcount, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::gather(&comm, send, recv, root)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Gatherv_init` (MPI 5.0, 6.13.3).
pub unsafe fn gatherv_init(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    displs: Counts,
    recvtype: Datatype,
    root: i32,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Listed(recvbuf, recvcounts, displs, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::gatherv(&comm, send, recv, root)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Scatter_init` (MPI 5.0, 6.13.4).
pub unsafe fn scatter_init(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    root: i32,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Elements(recvbuf, recvcount, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::scatter(&comm, send, recv, root)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Scatterv_init` (MPI 5.0, 6.13.4).
pub unsafe fn scatterv_init(
    sendbuf: *const c_void,
    sendcounts: Counts,
    displs: Counts,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    root: i32,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Listed(sendbuf, sendcounts, displs, sendtype);
    let recv = Elements(recvbuf, recvcount, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::scatterv(&comm, send, recv, root)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Allgather_init` (MPI 5.0, 6.13.5).
pub unsafe fn allgather_init(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Elements(recvbuf, recvcount, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::allgather(&comm, send, recv)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Allgatherv_init` (MPI 5.0, 6.13.5).
pub unsafe fn allgatherv_init(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    displs: Counts,
    recvtype: Datatype,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Listed(recvbuf, recvcounts, displs, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::allgatherv(&comm, send, recv)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Alltoall_init` (MPI 5.0, 6.13.6).
pub unsafe fn alltoall_init(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Elements(sendbuf, sendcount, sendtype);
    let recv = Elements(recvbuf, recvcount, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::alltoall(&comm, send, recv)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Alltoallv_init` (MPI 5.0, 6.13.6).
pub unsafe fn alltoallv_init(
    sendbuf: *const c_void,
    sendcounts: Counts,
    sdispls: Counts,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    rdispls: Counts,
    recvtype: Datatype,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Listed(sendbuf, sendcounts, sdispls, sendtype);
    let recv = Listed(recvbuf, recvcounts, rdispls, recvtype);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::alltoallv(&comm, send, recv)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Alltoallw_init` (MPI 5.0, 6.13.6).
pub unsafe fn alltoallw_init(
    sendbuf: *const c_void,
    sendcounts: Counts,
    sdispls: Counts,
    sendtypes: *const Datatype,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    rdispls: Counts,
    recvtypes: *const Datatype,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Typed(sendbuf, sendcounts, sdispls, sendtypes);
    let recv = Typed(recvbuf, recvcounts, rdispls, recvtypes);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::alltoallw(&comm, send, recv)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Reduce_init` (MPI 5.0, 6.13.7).
pub unsafe fn reduce_init(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
    root: i32,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, count, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::reduce(&comm, reduced, root)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Allreduce_init` (MPI 5.0, 6.13.8).
pub unsafe fn allreduce_init(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, count, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::allreduce(&comm, reduced)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Reduce_scatter_block_init` (MPI 5.0, 6.13.9).
pub unsafe fn reduce_scatter_block_init(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    recvcount: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, recvcount, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::reduce_scatter_block(&comm, reduced)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Reduce_scatter_init` (MPI 5.0, 6.13.10).
pub unsafe fn reduce_scatter_init(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, 0, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::reduce_scatter(&comm, reduced, recvcounts)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Scan_init` (MPI 5.0, 6.13.11).
pub unsafe fn scan_init(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, count, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::scan(&comm, reduced)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}

/// `MPI_Exscan_init` (MPI 5.0, 6.13.12).
pub unsafe fn exscan_init(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let reduced = Reduced(sendbuf, recvbuf, count, datatype, op);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::exscan(&comm, reduced)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::keep(comm, on, begin, info, request) }
}
