//! Collectives among neighbours that go on while the caller does something else (MPI 5.0, 8.7).

use std::ffi::c_void;

use super::coll_args::{self, Elements, Listed, Typed};
use crate::args::{Comm, Counts, Datatype, Request};
use crate::failure::Failure;

/// `MPI_Ineighbor_allgather` (MPI 5.0, 8.7.1).
pub unsafe fn ineighbor_allgather(
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
    let begin = unsafe { coll_args::neighbor_allgather(&comm, send, recv)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Ineighbor_allgatherv` (MPI 5.0, 8.7.1).
pub unsafe fn ineighbor_allgatherv(
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
    let begin = unsafe { coll_args::neighbor_allgatherv(&comm, send, recv)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Ineighbor_alltoall` (MPI 5.0, 8.7.2).
pub unsafe fn ineighbor_alltoall(
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
    let begin = unsafe { coll_args::neighbor_alltoall(&comm, send, recv)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Ineighbor_alltoallv` (MPI 5.0, 8.7.2).
pub unsafe fn ineighbor_alltoallv(
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
    let begin = unsafe { coll_args::neighbor_alltoallv(&comm, send, recv)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}

/// `MPI_Ineighbor_alltoallw` (MPI 5.0, 8.7.2).
pub unsafe fn ineighbor_alltoallw(
    sendbuf: *const c_void,
    sendcounts: Counts,
    sdispls: *const i64,
    sendtypes: *const Datatype,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    rdispls: *const i64,
    recvtypes: *const Datatype,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let on = comm;
    let comm = coll_args::comm(comm)?;
    let send = Typed(sendbuf, sendcounts, Counts::wide(sdispls), sendtypes);
    let recv = Typed(recvbuf, recvcounts, Counts::wide(rdispls), recvtypes);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::neighbor_alltoallw(&comm, send, recv)? };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { coll_args::start(&comm, on, begin, request) }
}
