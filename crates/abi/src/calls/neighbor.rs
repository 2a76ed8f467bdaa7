//! Collectives among neighbours (MPI 5.0, 8.6).

use std::ffi::c_void;

use super::coll_args::{self, Elements, Listed, Typed};
use crate::args::{Comm, Counts, Datatype};
use crate::failure::Failure;

/// `MPI_Neighbor_allgather` (MPI 5.0, 8.6.1).
pub unsafe fn neighbor_allgather(
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
    let begin = unsafe { coll_args::neighbor_allgather(&comm, send, recv)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Neighbor_allgatherv` (MPI 5.0, 8.6.1).
pub unsafe fn neighbor_allgatherv(
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
    let begin = unsafe { coll_args::neighbor_allgatherv(&comm, send, recv)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Neighbor_alltoall` (MPI 5.0, 8.6.2).
pub unsafe fn neighbor_alltoall(
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
    let begin = unsafe { coll_args::neighbor_alltoall(&comm, send, recv)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Neighbor_alltoallv` (MPI 5.0, 8.6.2).
pub unsafe fn neighbor_alltoallv(
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
    let begin = unsafe { coll_args::neighbor_alltoallv(&comm, send, recv)? };
    coll_args::run(&comm, begin)
}

/// `MPI_Neighbor_alltoallw` (MPI 5.0, 8.6.2).
pub unsafe fn neighbor_alltoallw(
    sendbuf: *const c_void,
    sendcounts: Counts,
    sdispls: *const i64,
    sendtypes: *const Datatype,
    recvbuf: *mut c_void,
    recvcounts: Counts,
    rdispls: *const i64,
    recvtypes: *const Datatype,
    comm: Comm,
) -> Result<(), Failure> {
    let comm = coll_args::comm(comm)?;
    let send = Typed(sendbuf, sendcounts, Counts::wide(sdispls), sendtypes);
    let recv = Typed(recvbuf, recvcounts, Counts::wide(rdispls), recvtypes);
    // SAFETY: passed on from MPI's caller.
    let begin = unsafe { coll_args::neighbor_alltoallw(&comm, send, recv)? };
    coll_args::run(&comm, begin)
}
