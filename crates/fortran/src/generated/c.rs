//! The C functions of the standard ABI that Fortran calls.
//!
//! Made by `cargo xtask gen` from `spec/`; do not edit.

#![cfg_attr(rustfmt, rustfmt_skip)]

#![allow(dead_code, clashing_extern_declarations)]

use std::ffi::c_void;

use edge::types::*;

use crate::extension::extension;

extern "C" {
    pub fn MPI_Abi_get_fortran_booleans(logical_size: i32, logical_true: *mut c_void, logical_false: *mut c_void, is_set: *mut i32) -> i32;
    pub fn PMPI_Abi_get_fortran_booleans(logical_size: i32, logical_true: *mut c_void, logical_false: *mut c_void, is_set: *mut i32) -> i32;
    pub fn MPI_Abi_get_fortran_info(info: *mut Info) -> i32;
    pub fn PMPI_Abi_get_fortran_info(info: *mut Info) -> i32;
    pub fn MPI_Abi_get_info(info: *mut Info) -> i32;
    pub fn PMPI_Abi_get_info(info: *mut Info) -> i32;
    pub fn MPI_Abi_get_version(abi_major: *mut i32, abi_minor: *mut i32) -> i32;
    pub fn PMPI_Abi_get_version(abi_major: *mut i32, abi_minor: *mut i32) -> i32;
    pub fn MPI_Abi_set_fortran_booleans(logical_size: i32, logical_true: *mut c_void, logical_false: *mut c_void) -> i32;
    pub fn PMPI_Abi_set_fortran_booleans(logical_size: i32, logical_true: *mut c_void, logical_false: *mut c_void) -> i32;
    pub fn MPI_Abi_set_fortran_info(info: Info) -> i32;
    pub fn PMPI_Abi_set_fortran_info(info: Info) -> i32;
    pub fn MPI_Abort(comm: Comm, errorcode: i32) -> i32;
    pub fn PMPI_Abort(comm: Comm, errorcode: i32) -> i32;
    pub fn MPI_Accumulate(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, op: Op, win: Win) -> i32;
    pub fn PMPI_Accumulate(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, op: Op, win: Win) -> i32;
    pub fn MPI_Accumulate_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win) -> i32;
    pub fn PMPI_Accumulate_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win) -> i32;
    pub fn MPI_Add_error_class(errorclass: *mut i32) -> i32;
    pub fn PMPI_Add_error_class(errorclass: *mut i32) -> i32;
    pub fn MPI_Add_error_code(errorclass: i32, errorcode: *mut i32) -> i32;
    pub fn PMPI_Add_error_code(errorclass: i32, errorcode: *mut i32) -> i32;
    pub fn MPI_Add_error_string(errorcode: i32, string: *const std::ffi::c_char) -> i32;
    pub fn PMPI_Add_error_string(errorcode: i32, string: *const std::ffi::c_char) -> i32;
    pub fn MPI_Aint_add(base: i64, disp: i64) -> i64;
    pub fn PMPI_Aint_add(base: i64, disp: i64) -> i64;
    pub fn MPI_Aint_diff(addr1: i64, addr2: i64) -> i64;
    pub fn PMPI_Aint_diff(addr1: i64, addr2: i64) -> i64;
    pub fn MPI_Allgather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Allgather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Allgather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Allgather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Allgather_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Allgather_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Allgather_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Allgather_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Allgatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Allgatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Allgatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Allgatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Allgatherv_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Allgatherv_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Allgatherv_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Allgatherv_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Alloc_mem(size: i64, info: Info, baseptr: *mut c_void) -> i32;
    pub fn PMPI_Alloc_mem(size: i64, info: Info, baseptr: *mut c_void) -> i32;
    pub fn MPI_Allreduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn PMPI_Allreduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn MPI_Allreduce_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn PMPI_Allreduce_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn MPI_Allreduce_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Allreduce_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Allreduce_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Allreduce_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Alltoall(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Alltoall(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Alltoall_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Alltoall_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Alltoall_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Alltoall_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Alltoall_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Alltoall_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Alltoallv(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Alltoallv(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Alltoallv_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Alltoallv_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Alltoallv_init(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Alltoallv_init(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Alltoallv_init_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Alltoallv_init_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Alltoallw(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtypes: *const Datatype, comm: Comm) -> i32;
    pub fn PMPI_Alltoallw(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtypes: *const Datatype, comm: Comm) -> i32;
    pub fn MPI_Alltoallw_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm) -> i32;
    pub fn PMPI_Alltoallw_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm) -> i32;
    pub fn MPI_Alltoallw_init(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtypes: *const Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Alltoallw_init(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtypes: *const Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Alltoallw_init_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Alltoallw_init_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Attr_delete(comm: Comm, keyval: i32) -> i32;
    pub fn PMPI_Attr_delete(comm: Comm, keyval: i32) -> i32;
    pub fn MPI_Attr_get(comm: Comm, keyval: i32, attribute_val: *mut c_void, flag: *mut i32) -> i32;
    pub fn PMPI_Attr_get(comm: Comm, keyval: i32, attribute_val: *mut c_void, flag: *mut i32) -> i32;
    pub fn MPI_Attr_put(comm: Comm, keyval: i32, attribute_val: *mut c_void) -> i32;
    pub fn PMPI_Attr_put(comm: Comm, keyval: i32, attribute_val: *mut c_void) -> i32;
    pub fn MPI_Barrier(comm: Comm) -> i32;
    pub fn PMPI_Barrier(comm: Comm) -> i32;
    pub fn MPI_Barrier_init(comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Barrier_init(comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Bcast(buffer: *mut c_void, count: i32, datatype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn PMPI_Bcast(buffer: *mut c_void, count: i32, datatype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn MPI_Bcast_c(buffer: *mut c_void, count: i64, datatype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn PMPI_Bcast_c(buffer: *mut c_void, count: i64, datatype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn MPI_Bcast_init(buffer: *mut c_void, count: i32, datatype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Bcast_init(buffer: *mut c_void, count: i32, datatype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Bcast_init_c(buffer: *mut c_void, count: i64, datatype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Bcast_init_c(buffer: *mut c_void, count: i64, datatype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Bsend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn PMPI_Bsend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn MPI_Bsend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn PMPI_Bsend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn MPI_Bsend_init(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Bsend_init(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Bsend_init_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Bsend_init_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Buffer_attach(buffer: *mut c_void, size: i32) -> i32;
    pub fn PMPI_Buffer_attach(buffer: *mut c_void, size: i32) -> i32;
    pub fn MPI_Buffer_attach_c(buffer: *mut c_void, size: i64) -> i32;
    pub fn PMPI_Buffer_attach_c(buffer: *mut c_void, size: i64) -> i32;
    pub fn MPI_Buffer_detach(buffer_addr: *mut c_void, size: *mut i32) -> i32;
    pub fn PMPI_Buffer_detach(buffer_addr: *mut c_void, size: *mut i32) -> i32;
    pub fn MPI_Buffer_detach_c(buffer_addr: *mut c_void, size: *mut i64) -> i32;
    pub fn PMPI_Buffer_detach_c(buffer_addr: *mut c_void, size: *mut i64) -> i32;
    pub fn MPI_Buffer_flush() -> i32;
    pub fn PMPI_Buffer_flush() -> i32;
    pub fn MPI_Buffer_iflush(request: *mut Request) -> i32;
    pub fn PMPI_Buffer_iflush(request: *mut Request) -> i32;
    pub fn MPI_Cancel(request: *mut Request) -> i32;
    pub fn PMPI_Cancel(request: *mut Request) -> i32;
    pub fn MPI_Cart_coords(comm: Comm, rank: i32, maxdims: i32, coords: *mut i32) -> i32;
    pub fn PMPI_Cart_coords(comm: Comm, rank: i32, maxdims: i32, coords: *mut i32) -> i32;
    pub fn MPI_Cart_create(comm_old: Comm, ndims: i32, dims: *const i32, periods: *const i32, reorder: i32, comm_cart: *mut Comm) -> i32;
    pub fn PMPI_Cart_create(comm_old: Comm, ndims: i32, dims: *const i32, periods: *const i32, reorder: i32, comm_cart: *mut Comm) -> i32;
    pub fn MPI_Cart_get(comm: Comm, maxdims: i32, dims: *mut i32, periods: *mut i32, coords: *mut i32) -> i32;
    pub fn PMPI_Cart_get(comm: Comm, maxdims: i32, dims: *mut i32, periods: *mut i32, coords: *mut i32) -> i32;
    pub fn MPI_Cart_map(comm: Comm, ndims: i32, dims: *const i32, periods: *const i32, newrank: *mut i32) -> i32;
    pub fn PMPI_Cart_map(comm: Comm, ndims: i32, dims: *const i32, periods: *const i32, newrank: *mut i32) -> i32;
    pub fn MPI_Cart_rank(comm: Comm, coords: *const i32, rank: *mut i32) -> i32;
    pub fn PMPI_Cart_rank(comm: Comm, coords: *const i32, rank: *mut i32) -> i32;
    pub fn MPI_Cart_shift(comm: Comm, direction: i32, disp: i32, rank_source: *mut i32, rank_dest: *mut i32) -> i32;
    pub fn PMPI_Cart_shift(comm: Comm, direction: i32, disp: i32, rank_source: *mut i32, rank_dest: *mut i32) -> i32;
    pub fn MPI_Cart_sub(comm: Comm, remain_dims: *const i32, newcomm: *mut Comm) -> i32;
    pub fn PMPI_Cart_sub(comm: Comm, remain_dims: *const i32, newcomm: *mut Comm) -> i32;
    pub fn MPI_Cartdim_get(comm: Comm, ndims: *mut i32) -> i32;
    pub fn PMPI_Cartdim_get(comm: Comm, ndims: *mut i32) -> i32;
    pub fn MPI_Close_port(port_name: *const std::ffi::c_char) -> i32;
    pub fn PMPI_Close_port(port_name: *const std::ffi::c_char) -> i32;
    pub fn MPI_Comm_accept(port_name: *const std::ffi::c_char, info: Info, root: i32, comm: Comm, newcomm: *mut Comm) -> i32;
    pub fn PMPI_Comm_accept(port_name: *const std::ffi::c_char, info: Info, root: i32, comm: Comm, newcomm: *mut Comm) -> i32;
    pub fn MPI_Comm_attach_buffer(comm: Comm, buffer: *mut c_void, size: i32) -> i32;
    pub fn PMPI_Comm_attach_buffer(comm: Comm, buffer: *mut c_void, size: i32) -> i32;
    pub fn MPI_Comm_attach_buffer_c(comm: Comm, buffer: *mut c_void, size: i64) -> i32;
    pub fn PMPI_Comm_attach_buffer_c(comm: Comm, buffer: *mut c_void, size: i64) -> i32;
    pub fn MPI_Comm_call_errhandler(comm: Comm, errorcode: i32) -> i32;
    pub fn PMPI_Comm_call_errhandler(comm: Comm, errorcode: i32) -> i32;
    pub fn MPI_Comm_compare(comm1: Comm, comm2: Comm, result: *mut i32) -> i32;
    pub fn PMPI_Comm_compare(comm1: Comm, comm2: Comm, result: *mut i32) -> i32;
    pub fn MPI_Comm_connect(port_name: *const std::ffi::c_char, info: Info, root: i32, comm: Comm, newcomm: *mut Comm) -> i32;
    pub fn PMPI_Comm_connect(port_name: *const std::ffi::c_char, info: Info, root: i32, comm: Comm, newcomm: *mut Comm) -> i32;
    pub fn MPI_Comm_create(comm: Comm, group: Group, newcomm: *mut Comm) -> i32;
    pub fn PMPI_Comm_create(comm: Comm, group: Group, newcomm: *mut Comm) -> i32;
    pub fn MPI_Comm_create_errhandler(comm_errhandler_fn: CommErrhandlerFunction, errhandler: *mut Errhandler) -> i32;
    pub fn PMPI_Comm_create_errhandler(comm_errhandler_fn: CommErrhandlerFunction, errhandler: *mut Errhandler) -> i32;
    pub fn MPI_Comm_create_from_group(group: Group, stringtag: *const std::ffi::c_char, info: Info, errhandler: Errhandler, newcomm: *mut Comm) -> i32;
    pub fn PMPI_Comm_create_from_group(group: Group, stringtag: *const std::ffi::c_char, info: Info, errhandler: Errhandler, newcomm: *mut Comm) -> i32;
    pub fn MPI_Comm_create_group(comm: Comm, group: Group, tag: i32, newcomm: *mut Comm) -> i32;
    pub fn PMPI_Comm_create_group(comm: Comm, group: Group, tag: i32, newcomm: *mut Comm) -> i32;
    pub fn MPI_Comm_create_keyval(comm_copy_attr_fn: CommCopyAttrFunction, comm_delete_attr_fn: CommDeleteAttrFunction, comm_keyval: *mut i32, extra_state: *mut c_void) -> i32;
    pub fn PMPI_Comm_create_keyval(comm_copy_attr_fn: CommCopyAttrFunction, comm_delete_attr_fn: CommDeleteAttrFunction, comm_keyval: *mut i32, extra_state: *mut c_void) -> i32;
    pub fn MPI_Comm_delete_attr(comm: Comm, comm_keyval: i32) -> i32;
    pub fn PMPI_Comm_delete_attr(comm: Comm, comm_keyval: i32) -> i32;
    pub fn MPI_Comm_detach_buffer(comm: Comm, buffer_addr: *mut c_void, size: *mut i32) -> i32;
    pub fn PMPI_Comm_detach_buffer(comm: Comm, buffer_addr: *mut c_void, size: *mut i32) -> i32;
    pub fn MPI_Comm_detach_buffer_c(comm: Comm, buffer_addr: *mut c_void, size: *mut i64) -> i32;
    pub fn PMPI_Comm_detach_buffer_c(comm: Comm, buffer_addr: *mut c_void, size: *mut i64) -> i32;
    pub fn MPI_Comm_disconnect(comm: *mut Comm) -> i32;
    pub fn PMPI_Comm_disconnect(comm: *mut Comm) -> i32;
    pub fn MPI_Comm_dup(comm: Comm, newcomm: *mut Comm) -> i32;
    pub fn PMPI_Comm_dup(comm: Comm, newcomm: *mut Comm) -> i32;
    pub fn MPI_Comm_dup_with_info(comm: Comm, info: Info, newcomm: *mut Comm) -> i32;
    pub fn PMPI_Comm_dup_with_info(comm: Comm, info: Info, newcomm: *mut Comm) -> i32;
    pub fn MPI_Comm_flush_buffer(comm: Comm) -> i32;
    pub fn PMPI_Comm_flush_buffer(comm: Comm) -> i32;
    pub fn MPI_Comm_free(comm: *mut Comm) -> i32;
    pub fn PMPI_Comm_free(comm: *mut Comm) -> i32;
    pub fn MPI_Comm_free_keyval(comm_keyval: *mut i32) -> i32;
    pub fn PMPI_Comm_free_keyval(comm_keyval: *mut i32) -> i32;
    pub fn PMPI_Comm_fromint(comm: i32) -> Comm;
    pub fn MPI_Comm_get_attr(comm: Comm, comm_keyval: i32, attribute_val: *mut c_void, flag: *mut i32) -> i32;
    pub fn PMPI_Comm_get_attr(comm: Comm, comm_keyval: i32, attribute_val: *mut c_void, flag: *mut i32) -> i32;
    pub fn MPI_Comm_get_errhandler(comm: Comm, errhandler: *mut Errhandler) -> i32;
    pub fn PMPI_Comm_get_errhandler(comm: Comm, errhandler: *mut Errhandler) -> i32;
    pub fn MPI_Comm_get_info(comm: Comm, info_used: *mut Info) -> i32;
    pub fn PMPI_Comm_get_info(comm: Comm, info_used: *mut Info) -> i32;
    pub fn MPI_Comm_get_name(comm: Comm, comm_name: *mut std::ffi::c_char, resultlen: *mut i32) -> i32;
    pub fn PMPI_Comm_get_name(comm: Comm, comm_name: *mut std::ffi::c_char, resultlen: *mut i32) -> i32;
    pub fn MPI_Comm_get_parent(parent: *mut Comm) -> i32;
    pub fn PMPI_Comm_get_parent(parent: *mut Comm) -> i32;
    pub fn MPI_Comm_group(comm: Comm, group: *mut Group) -> i32;
    pub fn PMPI_Comm_group(comm: Comm, group: *mut Group) -> i32;
    pub fn MPI_Comm_idup(comm: Comm, newcomm: *mut Comm, request: *mut Request) -> i32;
    pub fn PMPI_Comm_idup(comm: Comm, newcomm: *mut Comm, request: *mut Request) -> i32;
    pub fn MPI_Comm_idup_with_info(comm: Comm, info: Info, newcomm: *mut Comm, request: *mut Request) -> i32;
    pub fn PMPI_Comm_idup_with_info(comm: Comm, info: Info, newcomm: *mut Comm, request: *mut Request) -> i32;
    pub fn MPI_Comm_iflush_buffer(comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Comm_iflush_buffer(comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Comm_join(fd: i32, intercomm: *mut Comm) -> i32;
    pub fn PMPI_Comm_join(fd: i32, intercomm: *mut Comm) -> i32;
    pub fn MPI_Comm_rank(comm: Comm, rank: *mut i32) -> i32;
    pub fn PMPI_Comm_rank(comm: Comm, rank: *mut i32) -> i32;
    pub fn MPI_Comm_remote_group(comm: Comm, group: *mut Group) -> i32;
    pub fn PMPI_Comm_remote_group(comm: Comm, group: *mut Group) -> i32;
    pub fn MPI_Comm_remote_size(comm: Comm, size: *mut i32) -> i32;
    pub fn PMPI_Comm_remote_size(comm: Comm, size: *mut i32) -> i32;
    pub fn MPI_Comm_set_attr(comm: Comm, comm_keyval: i32, attribute_val: *mut c_void) -> i32;
    pub fn PMPI_Comm_set_attr(comm: Comm, comm_keyval: i32, attribute_val: *mut c_void) -> i32;
    pub fn MPI_Comm_set_errhandler(comm: Comm, errhandler: Errhandler) -> i32;
    pub fn PMPI_Comm_set_errhandler(comm: Comm, errhandler: Errhandler) -> i32;
    pub fn MPI_Comm_set_info(comm: Comm, info: Info) -> i32;
    pub fn PMPI_Comm_set_info(comm: Comm, info: Info) -> i32;
    pub fn MPI_Comm_set_name(comm: Comm, comm_name: *const std::ffi::c_char) -> i32;
    pub fn PMPI_Comm_set_name(comm: Comm, comm_name: *const std::ffi::c_char) -> i32;
    pub fn MPI_Comm_size(comm: Comm, size: *mut i32) -> i32;
    pub fn PMPI_Comm_size(comm: Comm, size: *mut i32) -> i32;
    pub fn MPI_Comm_spawn(command: *const std::ffi::c_char, argv: *mut *mut std::ffi::c_char, maxprocs: i32, info: Info, root: i32, comm: Comm, intercomm: *mut Comm, array_of_errcodes: *mut i32) -> i32;
    pub fn PMPI_Comm_spawn(command: *const std::ffi::c_char, argv: *mut *mut std::ffi::c_char, maxprocs: i32, info: Info, root: i32, comm: Comm, intercomm: *mut Comm, array_of_errcodes: *mut i32) -> i32;
    pub fn MPI_Comm_spawn_multiple(count: i32, array_of_commands: *mut *mut std::ffi::c_char, array_of_argv: *mut *mut *mut std::ffi::c_char, array_of_maxprocs: *const i32, array_of_info: *const Info, root: i32, comm: Comm, intercomm: *mut Comm, array_of_errcodes: *mut i32) -> i32;
    pub fn PMPI_Comm_spawn_multiple(count: i32, array_of_commands: *mut *mut std::ffi::c_char, array_of_argv: *mut *mut *mut std::ffi::c_char, array_of_maxprocs: *const i32, array_of_info: *const Info, root: i32, comm: Comm, intercomm: *mut Comm, array_of_errcodes: *mut i32) -> i32;
    pub fn MPI_Comm_split(comm: Comm, color: i32, key: i32, newcomm: *mut Comm) -> i32;
    pub fn PMPI_Comm_split(comm: Comm, color: i32, key: i32, newcomm: *mut Comm) -> i32;
    pub fn MPI_Comm_split_type(comm: Comm, split_type: i32, key: i32, info: Info, newcomm: *mut Comm) -> i32;
    pub fn PMPI_Comm_split_type(comm: Comm, split_type: i32, key: i32, info: Info, newcomm: *mut Comm) -> i32;
    pub fn MPI_Comm_test_inter(comm: Comm, flag: *mut i32) -> i32;
    pub fn PMPI_Comm_test_inter(comm: Comm, flag: *mut i32) -> i32;
    pub fn PMPI_Comm_toint(comm: Comm) -> i32;
    pub fn MPI_Compare_and_swap(origin_addr: *const c_void, compare_addr: *const c_void, result_addr: *mut c_void, datatype: Datatype, target_rank: i32, target_disp: i64, win: Win) -> i32;
    pub fn PMPI_Compare_and_swap(origin_addr: *const c_void, compare_addr: *const c_void, result_addr: *mut c_void, datatype: Datatype, target_rank: i32, target_disp: i64, win: Win) -> i32;
    pub fn MPI_Dims_create(nnodes: i32, ndims: i32, dims: *mut i32) -> i32;
    pub fn PMPI_Dims_create(nnodes: i32, ndims: i32, dims: *mut i32) -> i32;
    pub fn MPI_Dist_graph_create(comm_old: Comm, n: i32, sources: *const i32, degrees: *const i32, destinations: *const i32, weights: *const i32, info: Info, reorder: i32, comm_dist_graph: *mut Comm) -> i32;
    pub fn PMPI_Dist_graph_create(comm_old: Comm, n: i32, sources: *const i32, degrees: *const i32, destinations: *const i32, weights: *const i32, info: Info, reorder: i32, comm_dist_graph: *mut Comm) -> i32;
    pub fn MPI_Dist_graph_create_adjacent(comm_old: Comm, indegree: i32, sources: *const i32, sourceweights: *const i32, outdegree: i32, destinations: *const i32, destweights: *const i32, info: Info, reorder: i32, comm_dist_graph: *mut Comm) -> i32;
    pub fn PMPI_Dist_graph_create_adjacent(comm_old: Comm, indegree: i32, sources: *const i32, sourceweights: *const i32, outdegree: i32, destinations: *const i32, destweights: *const i32, info: Info, reorder: i32, comm_dist_graph: *mut Comm) -> i32;
    pub fn MPI_Dist_graph_neighbors(comm: Comm, maxindegree: i32, sources: *mut i32, sourceweights: *mut i32, maxoutdegree: i32, destinations: *mut i32, destweights: *mut i32) -> i32;
    pub fn PMPI_Dist_graph_neighbors(comm: Comm, maxindegree: i32, sources: *mut i32, sourceweights: *mut i32, maxoutdegree: i32, destinations: *mut i32, destweights: *mut i32) -> i32;
    pub fn MPI_Dist_graph_neighbors_count(comm: Comm, indegree: *mut i32, outdegree: *mut i32, weighted: *mut i32) -> i32;
    pub fn PMPI_Dist_graph_neighbors_count(comm: Comm, indegree: *mut i32, outdegree: *mut i32, weighted: *mut i32) -> i32;
    pub fn MPI_Errhandler_free(errhandler: *mut Errhandler) -> i32;
    pub fn PMPI_Errhandler_free(errhandler: *mut Errhandler) -> i32;
    pub fn PMPI_Errhandler_fromint(errhandler: i32) -> Errhandler;
    pub fn PMPI_Errhandler_toint(errhandler: Errhandler) -> i32;
    pub fn MPI_Error_class(errorcode: i32, errorclass: *mut i32) -> i32;
    pub fn PMPI_Error_class(errorcode: i32, errorclass: *mut i32) -> i32;
    pub fn MPI_Error_string(errorcode: i32, string: *mut std::ffi::c_char, resultlen: *mut i32) -> i32;
    pub fn PMPI_Error_string(errorcode: i32, string: *mut std::ffi::c_char, resultlen: *mut i32) -> i32;
    pub fn MPI_Exscan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn PMPI_Exscan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn MPI_Exscan_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn PMPI_Exscan_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn MPI_Exscan_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Exscan_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Exscan_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Exscan_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Fetch_and_op(origin_addr: *const c_void, result_addr: *mut c_void, datatype: Datatype, target_rank: i32, target_disp: i64, op: Op, win: Win) -> i32;
    pub fn PMPI_Fetch_and_op(origin_addr: *const c_void, result_addr: *mut c_void, datatype: Datatype, target_rank: i32, target_disp: i64, op: Op, win: Win) -> i32;
    pub fn MPI_File_call_errhandler(fh: File, errorcode: i32) -> i32;
    pub fn PMPI_File_call_errhandler(fh: File, errorcode: i32) -> i32;
    pub fn MPI_File_close(fh: *mut File) -> i32;
    pub fn PMPI_File_close(fh: *mut File) -> i32;
    pub fn MPI_File_create_errhandler(file_errhandler_fn: FileErrhandlerFunction, errhandler: *mut Errhandler) -> i32;
    pub fn PMPI_File_create_errhandler(file_errhandler_fn: FileErrhandlerFunction, errhandler: *mut Errhandler) -> i32;
    pub fn MPI_File_delete(filename: *const std::ffi::c_char, info: Info) -> i32;
    pub fn PMPI_File_delete(filename: *const std::ffi::c_char, info: Info) -> i32;
    pub fn PMPI_File_fromint(file: i32) -> File;
    pub fn MPI_File_get_amode(fh: File, amode: *mut i32) -> i32;
    pub fn PMPI_File_get_amode(fh: File, amode: *mut i32) -> i32;
    pub fn MPI_File_get_atomicity(fh: File, flag: *mut i32) -> i32;
    pub fn PMPI_File_get_atomicity(fh: File, flag: *mut i32) -> i32;
    pub fn MPI_File_get_byte_offset(fh: File, offset: i64, disp: *mut i64) -> i32;
    pub fn PMPI_File_get_byte_offset(fh: File, offset: i64, disp: *mut i64) -> i32;
    pub fn MPI_File_get_errhandler(file: File, errhandler: *mut Errhandler) -> i32;
    pub fn PMPI_File_get_errhandler(file: File, errhandler: *mut Errhandler) -> i32;
    pub fn MPI_File_get_group(fh: File, group: *mut Group) -> i32;
    pub fn PMPI_File_get_group(fh: File, group: *mut Group) -> i32;
    pub fn MPI_File_get_info(fh: File, info_used: *mut Info) -> i32;
    pub fn PMPI_File_get_info(fh: File, info_used: *mut Info) -> i32;
    pub fn MPI_File_get_position(fh: File, offset: *mut i64) -> i32;
    pub fn PMPI_File_get_position(fh: File, offset: *mut i64) -> i32;
    pub fn MPI_File_get_position_shared(fh: File, offset: *mut i64) -> i32;
    pub fn PMPI_File_get_position_shared(fh: File, offset: *mut i64) -> i32;
    pub fn MPI_File_get_size(fh: File, size: *mut i64) -> i32;
    pub fn PMPI_File_get_size(fh: File, size: *mut i64) -> i32;
    pub fn MPI_File_get_type_extent(fh: File, datatype: Datatype, extent: *mut i64) -> i32;
    pub fn PMPI_File_get_type_extent(fh: File, datatype: Datatype, extent: *mut i64) -> i32;
    pub fn MPI_File_get_type_extent_c(fh: File, datatype: Datatype, extent: *mut i64) -> i32;
    pub fn PMPI_File_get_type_extent_c(fh: File, datatype: Datatype, extent: *mut i64) -> i32;
    pub fn MPI_File_get_view(fh: File, disp: *mut i64, etype: *mut Datatype, filetype: *mut Datatype, datarep: *mut std::ffi::c_char) -> i32;
    pub fn PMPI_File_get_view(fh: File, disp: *mut i64, etype: *mut Datatype, filetype: *mut Datatype, datarep: *mut std::ffi::c_char) -> i32;
    pub fn MPI_File_iread(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iread(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iread_all(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iread_all(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iread_all_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iread_all_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iread_at(fh: File, offset: i64, buf: *mut c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iread_at(fh: File, offset: i64, buf: *mut c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iread_at_all(fh: File, offset: i64, buf: *mut c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iread_at_all(fh: File, offset: i64, buf: *mut c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iread_at_all_c(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iread_at_all_c(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iread_at_c(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iread_at_c(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iread_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iread_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iread_shared(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iread_shared(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iread_shared_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iread_shared_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iwrite(fh: File, buf: *const c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iwrite(fh: File, buf: *const c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iwrite_all(fh: File, buf: *const c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iwrite_all(fh: File, buf: *const c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iwrite_all_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iwrite_all_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iwrite_at(fh: File, offset: i64, buf: *const c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iwrite_at(fh: File, offset: i64, buf: *const c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iwrite_at_all(fh: File, offset: i64, buf: *const c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iwrite_at_all(fh: File, offset: i64, buf: *const c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iwrite_at_all_c(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iwrite_at_all_c(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iwrite_at_c(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iwrite_at_c(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iwrite_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iwrite_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iwrite_shared(fh: File, buf: *const c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iwrite_shared(fh: File, buf: *const c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_iwrite_shared_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn PMPI_File_iwrite_shared_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32;
    pub fn MPI_File_open(comm: Comm, filename: *const std::ffi::c_char, amode: i32, info: Info, fh: *mut File) -> i32;
    pub fn PMPI_File_open(comm: Comm, filename: *const std::ffi::c_char, amode: i32, info: Info, fh: *mut File) -> i32;
    pub fn MPI_File_preallocate(fh: File, size: i64) -> i32;
    pub fn PMPI_File_preallocate(fh: File, size: i64) -> i32;
    pub fn MPI_File_read(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_read(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_read_all(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_read_all(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_read_all_begin(fh: File, buf: *mut c_void, count: i32, datatype: Datatype) -> i32;
    pub fn PMPI_File_read_all_begin(fh: File, buf: *mut c_void, count: i32, datatype: Datatype) -> i32;
    pub fn MPI_File_read_all_begin_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype) -> i32;
    pub fn PMPI_File_read_all_begin_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype) -> i32;
    pub fn MPI_File_read_all_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_read_all_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_read_all_end(fh: File, buf: *mut c_void, status: *mut Status) -> i32;
    pub fn PMPI_File_read_all_end(fh: File, buf: *mut c_void, status: *mut Status) -> i32;
    pub fn MPI_File_read_at(fh: File, offset: i64, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_read_at(fh: File, offset: i64, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_read_at_all(fh: File, offset: i64, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_read_at_all(fh: File, offset: i64, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_read_at_all_begin(fh: File, offset: i64, buf: *mut c_void, count: i32, datatype: Datatype) -> i32;
    pub fn PMPI_File_read_at_all_begin(fh: File, offset: i64, buf: *mut c_void, count: i32, datatype: Datatype) -> i32;
    pub fn MPI_File_read_at_all_begin_c(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype) -> i32;
    pub fn PMPI_File_read_at_all_begin_c(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype) -> i32;
    pub fn MPI_File_read_at_all_c(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_read_at_all_c(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_read_at_all_end(fh: File, buf: *mut c_void, status: *mut Status) -> i32;
    pub fn PMPI_File_read_at_all_end(fh: File, buf: *mut c_void, status: *mut Status) -> i32;
    pub fn MPI_File_read_at_c(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_read_at_c(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_read_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_read_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_read_ordered(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_read_ordered(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_read_ordered_begin(fh: File, buf: *mut c_void, count: i32, datatype: Datatype) -> i32;
    pub fn PMPI_File_read_ordered_begin(fh: File, buf: *mut c_void, count: i32, datatype: Datatype) -> i32;
    pub fn MPI_File_read_ordered_begin_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype) -> i32;
    pub fn PMPI_File_read_ordered_begin_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype) -> i32;
    pub fn MPI_File_read_ordered_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_read_ordered_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_read_ordered_end(fh: File, buf: *mut c_void, status: *mut Status) -> i32;
    pub fn PMPI_File_read_ordered_end(fh: File, buf: *mut c_void, status: *mut Status) -> i32;
    pub fn MPI_File_read_shared(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_read_shared(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_read_shared_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_read_shared_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_seek(fh: File, offset: i64, whence: i32) -> i32;
    pub fn PMPI_File_seek(fh: File, offset: i64, whence: i32) -> i32;
    pub fn MPI_File_seek_shared(fh: File, offset: i64, whence: i32) -> i32;
    pub fn PMPI_File_seek_shared(fh: File, offset: i64, whence: i32) -> i32;
    pub fn MPI_File_set_atomicity(fh: File, flag: i32) -> i32;
    pub fn PMPI_File_set_atomicity(fh: File, flag: i32) -> i32;
    pub fn MPI_File_set_errhandler(file: File, errhandler: Errhandler) -> i32;
    pub fn PMPI_File_set_errhandler(file: File, errhandler: Errhandler) -> i32;
    pub fn MPI_File_set_info(fh: File, info: Info) -> i32;
    pub fn PMPI_File_set_info(fh: File, info: Info) -> i32;
    pub fn MPI_File_set_size(fh: File, size: i64) -> i32;
    pub fn PMPI_File_set_size(fh: File, size: i64) -> i32;
    pub fn MPI_File_set_view(fh: File, disp: i64, etype: Datatype, filetype: Datatype, datarep: *const std::ffi::c_char, info: Info) -> i32;
    pub fn PMPI_File_set_view(fh: File, disp: i64, etype: Datatype, filetype: Datatype, datarep: *const std::ffi::c_char, info: Info) -> i32;
    pub fn MPI_File_sync(fh: File) -> i32;
    pub fn PMPI_File_sync(fh: File) -> i32;
    pub fn PMPI_File_toint(file: File) -> i32;
    pub fn MPI_File_write(fh: File, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_write(fh: File, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_write_all(fh: File, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_write_all(fh: File, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_write_all_begin(fh: File, buf: *const c_void, count: i32, datatype: Datatype) -> i32;
    pub fn PMPI_File_write_all_begin(fh: File, buf: *const c_void, count: i32, datatype: Datatype) -> i32;
    pub fn MPI_File_write_all_begin_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype) -> i32;
    pub fn PMPI_File_write_all_begin_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype) -> i32;
    pub fn MPI_File_write_all_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_write_all_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_write_all_end(fh: File, buf: *const c_void, status: *mut Status) -> i32;
    pub fn PMPI_File_write_all_end(fh: File, buf: *const c_void, status: *mut Status) -> i32;
    pub fn MPI_File_write_at(fh: File, offset: i64, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_write_at(fh: File, offset: i64, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_write_at_all(fh: File, offset: i64, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_write_at_all(fh: File, offset: i64, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_write_at_all_begin(fh: File, offset: i64, buf: *const c_void, count: i32, datatype: Datatype) -> i32;
    pub fn PMPI_File_write_at_all_begin(fh: File, offset: i64, buf: *const c_void, count: i32, datatype: Datatype) -> i32;
    pub fn MPI_File_write_at_all_begin_c(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype) -> i32;
    pub fn PMPI_File_write_at_all_begin_c(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype) -> i32;
    pub fn MPI_File_write_at_all_c(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_write_at_all_c(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_write_at_all_end(fh: File, buf: *const c_void, status: *mut Status) -> i32;
    pub fn PMPI_File_write_at_all_end(fh: File, buf: *const c_void, status: *mut Status) -> i32;
    pub fn MPI_File_write_at_c(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_write_at_c(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_write_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_write_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_write_ordered(fh: File, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_write_ordered(fh: File, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_write_ordered_begin(fh: File, buf: *const c_void, count: i32, datatype: Datatype) -> i32;
    pub fn PMPI_File_write_ordered_begin(fh: File, buf: *const c_void, count: i32, datatype: Datatype) -> i32;
    pub fn MPI_File_write_ordered_begin_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype) -> i32;
    pub fn PMPI_File_write_ordered_begin_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype) -> i32;
    pub fn MPI_File_write_ordered_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_write_ordered_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_write_ordered_end(fh: File, buf: *const c_void, status: *mut Status) -> i32;
    pub fn PMPI_File_write_ordered_end(fh: File, buf: *const c_void, status: *mut Status) -> i32;
    pub fn MPI_File_write_shared(fh: File, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_write_shared(fh: File, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_File_write_shared_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn PMPI_File_write_shared_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32;
    pub fn MPI_Finalize() -> i32;
    pub fn PMPI_Finalize() -> i32;
    pub fn MPI_Finalized(flag: *mut i32) -> i32;
    pub fn PMPI_Finalized(flag: *mut i32) -> i32;
    pub fn MPI_Free_mem(base: *mut c_void) -> i32;
    pub fn PMPI_Free_mem(base: *mut c_void) -> i32;
    pub fn MPI_Gather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn PMPI_Gather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn MPI_Gather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn PMPI_Gather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn MPI_Gather_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Gather_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Gather_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Gather_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Gatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn PMPI_Gatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn MPI_Gatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn PMPI_Gatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn MPI_Gatherv_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Gatherv_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Gatherv_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Gatherv_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Get(origin_addr: *mut c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, win: Win) -> i32;
    pub fn PMPI_Get(origin_addr: *mut c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, win: Win) -> i32;
    pub fn MPI_Get_accumulate(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, result_addr: *mut c_void, result_count: i32, result_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, op: Op, win: Win) -> i32;
    pub fn PMPI_Get_accumulate(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, result_addr: *mut c_void, result_count: i32, result_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, op: Op, win: Win) -> i32;
    pub fn MPI_Get_accumulate_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, result_addr: *mut c_void, result_count: i64, result_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win) -> i32;
    pub fn PMPI_Get_accumulate_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, result_addr: *mut c_void, result_count: i64, result_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win) -> i32;
    pub fn MPI_Get_address(location: *const c_void, address: *mut i64) -> i32;
    pub fn PMPI_Get_address(location: *const c_void, address: *mut i64) -> i32;
    pub fn MPI_Get_c(origin_addr: *mut c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win) -> i32;
    pub fn PMPI_Get_c(origin_addr: *mut c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win) -> i32;
    pub fn MPI_Get_count(status: *const Status, datatype: Datatype, count: *mut i32) -> i32;
    pub fn PMPI_Get_count(status: *const Status, datatype: Datatype, count: *mut i32) -> i32;
    pub fn MPI_Get_count_c(status: *const Status, datatype: Datatype, count: *mut i64) -> i32;
    pub fn PMPI_Get_count_c(status: *const Status, datatype: Datatype, count: *mut i64) -> i32;
    pub fn MPI_Get_elements(status: *const Status, datatype: Datatype, count: *mut i32) -> i32;
    pub fn PMPI_Get_elements(status: *const Status, datatype: Datatype, count: *mut i32) -> i32;
    pub fn MPI_Get_elements_c(status: *const Status, datatype: Datatype, count: *mut i64) -> i32;
    pub fn PMPI_Get_elements_c(status: *const Status, datatype: Datatype, count: *mut i64) -> i32;
    pub fn MPI_Get_elements_x(status: *const Status, datatype: Datatype, count: *mut i64) -> i32;
    pub fn PMPI_Get_elements_x(status: *const Status, datatype: Datatype, count: *mut i64) -> i32;
    pub fn MPI_Get_hw_resource_info(hw_info: *mut Info) -> i32;
    pub fn PMPI_Get_hw_resource_info(hw_info: *mut Info) -> i32;
    pub fn MPI_Get_library_version(version: *mut std::ffi::c_char, resultlen: *mut i32) -> i32;
    pub fn PMPI_Get_library_version(version: *mut std::ffi::c_char, resultlen: *mut i32) -> i32;
    pub fn MPI_Get_processor_name(name: *mut std::ffi::c_char, resultlen: *mut i32) -> i32;
    pub fn PMPI_Get_processor_name(name: *mut std::ffi::c_char, resultlen: *mut i32) -> i32;
    pub fn MPI_Get_version(version: *mut i32, subversion: *mut i32) -> i32;
    pub fn PMPI_Get_version(version: *mut i32, subversion: *mut i32) -> i32;
    pub fn MPI_Graph_create(comm_old: Comm, nnodes: i32, indx: *const i32, edges: *const i32, reorder: i32, comm_graph: *mut Comm) -> i32;
    pub fn PMPI_Graph_create(comm_old: Comm, nnodes: i32, indx: *const i32, edges: *const i32, reorder: i32, comm_graph: *mut Comm) -> i32;
    pub fn MPI_Graph_get(comm: Comm, maxindex: i32, maxedges: i32, indx: *mut i32, edges: *mut i32) -> i32;
    pub fn PMPI_Graph_get(comm: Comm, maxindex: i32, maxedges: i32, indx: *mut i32, edges: *mut i32) -> i32;
    pub fn MPI_Graph_map(comm: Comm, nnodes: i32, indx: *const i32, edges: *const i32, newrank: *mut i32) -> i32;
    pub fn PMPI_Graph_map(comm: Comm, nnodes: i32, indx: *const i32, edges: *const i32, newrank: *mut i32) -> i32;
    pub fn MPI_Graph_neighbors(comm: Comm, rank: i32, maxneighbors: i32, neighbors: *mut i32) -> i32;
    pub fn PMPI_Graph_neighbors(comm: Comm, rank: i32, maxneighbors: i32, neighbors: *mut i32) -> i32;
    pub fn MPI_Graph_neighbors_count(comm: Comm, rank: i32, nneighbors: *mut i32) -> i32;
    pub fn PMPI_Graph_neighbors_count(comm: Comm, rank: i32, nneighbors: *mut i32) -> i32;
    pub fn MPI_Graphdims_get(comm: Comm, nnodes: *mut i32, nedges: *mut i32) -> i32;
    pub fn PMPI_Graphdims_get(comm: Comm, nnodes: *mut i32, nedges: *mut i32) -> i32;
    pub fn MPI_Grequest_complete(request: Request) -> i32;
    pub fn PMPI_Grequest_complete(request: Request) -> i32;
    pub fn MPI_Grequest_start(query_fn: GrequestQueryFunction, free_fn: GrequestFreeFunction, cancel_fn: GrequestCancelFunction, extra_state: *mut c_void, request: *mut Request) -> i32;
    pub fn PMPI_Grequest_start(query_fn: GrequestQueryFunction, free_fn: GrequestFreeFunction, cancel_fn: GrequestCancelFunction, extra_state: *mut c_void, request: *mut Request) -> i32;
    pub fn MPI_Group_compare(group1: Group, group2: Group, result: *mut i32) -> i32;
    pub fn PMPI_Group_compare(group1: Group, group2: Group, result: *mut i32) -> i32;
    pub fn MPI_Group_difference(group1: Group, group2: Group, newgroup: *mut Group) -> i32;
    pub fn PMPI_Group_difference(group1: Group, group2: Group, newgroup: *mut Group) -> i32;
    pub fn MPI_Group_excl(group: Group, n: i32, ranks: *const i32, newgroup: *mut Group) -> i32;
    pub fn PMPI_Group_excl(group: Group, n: i32, ranks: *const i32, newgroup: *mut Group) -> i32;
    pub fn MPI_Group_free(group: *mut Group) -> i32;
    pub fn PMPI_Group_free(group: *mut Group) -> i32;
    pub fn MPI_Group_from_session_pset(session: Session, pset_name: *const std::ffi::c_char, newgroup: *mut Group) -> i32;
    pub fn PMPI_Group_from_session_pset(session: Session, pset_name: *const std::ffi::c_char, newgroup: *mut Group) -> i32;
    pub fn PMPI_Group_fromint(group: i32) -> Group;
    pub fn MPI_Group_incl(group: Group, n: i32, ranks: *const i32, newgroup: *mut Group) -> i32;
    pub fn PMPI_Group_incl(group: Group, n: i32, ranks: *const i32, newgroup: *mut Group) -> i32;
    pub fn MPI_Group_intersection(group1: Group, group2: Group, newgroup: *mut Group) -> i32;
    pub fn PMPI_Group_intersection(group1: Group, group2: Group, newgroup: *mut Group) -> i32;
    pub fn MPI_Group_range_excl(group: Group, n: i32, ranges: *mut [i32; 3], newgroup: *mut Group) -> i32;
    pub fn PMPI_Group_range_excl(group: Group, n: i32, ranges: *mut [i32; 3], newgroup: *mut Group) -> i32;
    pub fn MPI_Group_range_incl(group: Group, n: i32, ranges: *mut [i32; 3], newgroup: *mut Group) -> i32;
    pub fn PMPI_Group_range_incl(group: Group, n: i32, ranges: *mut [i32; 3], newgroup: *mut Group) -> i32;
    pub fn MPI_Group_rank(group: Group, rank: *mut i32) -> i32;
    pub fn PMPI_Group_rank(group: Group, rank: *mut i32) -> i32;
    pub fn MPI_Group_size(group: Group, size: *mut i32) -> i32;
    pub fn PMPI_Group_size(group: Group, size: *mut i32) -> i32;
    pub fn PMPI_Group_toint(group: Group) -> i32;
    pub fn MPI_Group_translate_ranks(group1: Group, n: i32, ranks1: *const i32, group2: Group, ranks2: *mut i32) -> i32;
    pub fn PMPI_Group_translate_ranks(group1: Group, n: i32, ranks1: *const i32, group2: Group, ranks2: *mut i32) -> i32;
    pub fn MPI_Group_union(group1: Group, group2: Group, newgroup: *mut Group) -> i32;
    pub fn PMPI_Group_union(group1: Group, group2: Group, newgroup: *mut Group) -> i32;
    pub fn MPI_Iallgather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Iallgather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Iallgather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Iallgather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Iallgatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Iallgatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Iallgatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Iallgatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Iallreduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Iallreduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Iallreduce_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Iallreduce_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ialltoall(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ialltoall(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ialltoall_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ialltoall_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ialltoallv(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ialltoallv(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ialltoallv_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ialltoallv_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ialltoallw(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtypes: *const Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ialltoallw(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtypes: *const Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ialltoallw_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ialltoallw_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ibarrier(comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ibarrier(comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ibcast(buffer: *mut c_void, count: i32, datatype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ibcast(buffer: *mut c_void, count: i32, datatype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ibcast_c(buffer: *mut c_void, count: i64, datatype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ibcast_c(buffer: *mut c_void, count: i64, datatype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ibsend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ibsend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ibsend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ibsend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Iexscan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Iexscan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Iexscan_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Iexscan_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Igather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Igather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Igather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Igather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Igatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Igatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Igatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Igatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Improbe(source: i32, tag: i32, comm: Comm, flag: *mut i32, message: *mut Message, status: *mut Status) -> i32;
    pub fn PMPI_Improbe(source: i32, tag: i32, comm: Comm, flag: *mut i32, message: *mut Message, status: *mut Status) -> i32;
    pub fn MPI_Imrecv(buf: *mut c_void, count: i32, datatype: Datatype, message: *mut Message, request: *mut Request) -> i32;
    pub fn PMPI_Imrecv(buf: *mut c_void, count: i32, datatype: Datatype, message: *mut Message, request: *mut Request) -> i32;
    pub fn MPI_Imrecv_c(buf: *mut c_void, count: i64, datatype: Datatype, message: *mut Message, request: *mut Request) -> i32;
    pub fn PMPI_Imrecv_c(buf: *mut c_void, count: i64, datatype: Datatype, message: *mut Message, request: *mut Request) -> i32;
    pub fn MPI_Ineighbor_allgather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ineighbor_allgather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ineighbor_allgather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ineighbor_allgather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ineighbor_allgatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ineighbor_allgatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ineighbor_allgatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ineighbor_allgatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ineighbor_alltoall(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ineighbor_alltoall(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ineighbor_alltoall_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ineighbor_alltoall_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ineighbor_alltoallv(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ineighbor_alltoallv(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ineighbor_alltoallv_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ineighbor_alltoallv_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ineighbor_alltoallw(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ineighbor_alltoallw(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ineighbor_alltoallw_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ineighbor_alltoallw_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Info_create(info: *mut Info) -> i32;
    pub fn PMPI_Info_create(info: *mut Info) -> i32;
    pub fn MPI_Info_create_env(argc: i32, argv: *mut *mut std::ffi::c_char, info: *mut Info) -> i32;
    pub fn PMPI_Info_create_env(argc: i32, argv: *mut *mut std::ffi::c_char, info: *mut Info) -> i32;
    pub fn MPI_Info_delete(info: Info, key: *const std::ffi::c_char) -> i32;
    pub fn PMPI_Info_delete(info: Info, key: *const std::ffi::c_char) -> i32;
    pub fn MPI_Info_dup(info: Info, newinfo: *mut Info) -> i32;
    pub fn PMPI_Info_dup(info: Info, newinfo: *mut Info) -> i32;
    pub fn MPI_Info_free(info: *mut Info) -> i32;
    pub fn PMPI_Info_free(info: *mut Info) -> i32;
    pub fn PMPI_Info_fromint(info: i32) -> Info;
    pub fn MPI_Info_get(info: Info, key: *const std::ffi::c_char, valuelen: i32, value: *mut std::ffi::c_char, flag: *mut i32) -> i32;
    pub fn PMPI_Info_get(info: Info, key: *const std::ffi::c_char, valuelen: i32, value: *mut std::ffi::c_char, flag: *mut i32) -> i32;
    pub fn MPI_Info_get_nkeys(info: Info, nkeys: *mut i32) -> i32;
    pub fn PMPI_Info_get_nkeys(info: Info, nkeys: *mut i32) -> i32;
    pub fn MPI_Info_get_nthkey(info: Info, n: i32, key: *mut std::ffi::c_char) -> i32;
    pub fn PMPI_Info_get_nthkey(info: Info, n: i32, key: *mut std::ffi::c_char) -> i32;
    pub fn MPI_Info_get_string(info: Info, key: *const std::ffi::c_char, buflen: *mut i32, value: *mut std::ffi::c_char, flag: *mut i32) -> i32;
    pub fn PMPI_Info_get_string(info: Info, key: *const std::ffi::c_char, buflen: *mut i32, value: *mut std::ffi::c_char, flag: *mut i32) -> i32;
    pub fn MPI_Info_get_valuelen(info: Info, key: *const std::ffi::c_char, valuelen: *mut i32, flag: *mut i32) -> i32;
    pub fn PMPI_Info_get_valuelen(info: Info, key: *const std::ffi::c_char, valuelen: *mut i32, flag: *mut i32) -> i32;
    pub fn MPI_Info_set(info: Info, key: *const std::ffi::c_char, value: *const std::ffi::c_char) -> i32;
    pub fn PMPI_Info_set(info: Info, key: *const std::ffi::c_char, value: *const std::ffi::c_char) -> i32;
    pub fn PMPI_Info_toint(info: Info) -> i32;
    pub fn MPI_Init(argc: *mut i32, argv: *mut *mut *mut std::ffi::c_char) -> i32;
    pub fn PMPI_Init(argc: *mut i32, argv: *mut *mut *mut std::ffi::c_char) -> i32;
    pub fn MPI_Init_thread(argc: *mut i32, argv: *mut *mut *mut std::ffi::c_char, required: i32, provided: *mut i32) -> i32;
    pub fn PMPI_Init_thread(argc: *mut i32, argv: *mut *mut *mut std::ffi::c_char, required: i32, provided: *mut i32) -> i32;
    pub fn MPI_Initialized(flag: *mut i32) -> i32;
    pub fn PMPI_Initialized(flag: *mut i32) -> i32;
    pub fn MPI_Intercomm_create(local_comm: Comm, local_leader: i32, peer_comm: Comm, remote_leader: i32, tag: i32, newintercomm: *mut Comm) -> i32;
    pub fn PMPI_Intercomm_create(local_comm: Comm, local_leader: i32, peer_comm: Comm, remote_leader: i32, tag: i32, newintercomm: *mut Comm) -> i32;
    pub fn MPI_Intercomm_create_from_groups(local_group: Group, local_leader: i32, remote_group: Group, remote_leader: i32, stringtag: *const std::ffi::c_char, info: Info, errhandler: Errhandler, newintercomm: *mut Comm) -> i32;
    pub fn PMPI_Intercomm_create_from_groups(local_group: Group, local_leader: i32, remote_group: Group, remote_leader: i32, stringtag: *const std::ffi::c_char, info: Info, errhandler: Errhandler, newintercomm: *mut Comm) -> i32;
    pub fn MPI_Intercomm_merge(intercomm: Comm, high: i32, newintracomm: *mut Comm) -> i32;
    pub fn PMPI_Intercomm_merge(intercomm: Comm, high: i32, newintracomm: *mut Comm) -> i32;
    pub fn MPI_Iprobe(source: i32, tag: i32, comm: Comm, flag: *mut i32, status: *mut Status) -> i32;
    pub fn PMPI_Iprobe(source: i32, tag: i32, comm: Comm, flag: *mut i32, status: *mut Status) -> i32;
    pub fn MPI_Irecv(buf: *mut c_void, count: i32, datatype: Datatype, source: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Irecv(buf: *mut c_void, count: i32, datatype: Datatype, source: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Irecv_c(buf: *mut c_void, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Irecv_c(buf: *mut c_void, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ireduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ireduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ireduce_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ireduce_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ireduce_scatter(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i32, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ireduce_scatter(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i32, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ireduce_scatter_block(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i32, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ireduce_scatter_block(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i32, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ireduce_scatter_block_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ireduce_scatter_block_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ireduce_scatter_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ireduce_scatter_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Irsend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Irsend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Irsend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Irsend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Is_thread_main(flag: *mut i32) -> i32;
    pub fn PMPI_Is_thread_main(flag: *mut i32) -> i32;
    pub fn MPI_Iscan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Iscan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Iscan_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Iscan_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Iscatter(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Iscatter(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Iscatter_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Iscatter_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Iscatterv(sendbuf: *const c_void, sendcounts: *const i32, displs: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Iscatterv(sendbuf: *const c_void, sendcounts: *const i32, displs: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Iscatterv_c(sendbuf: *const c_void, sendcounts: *const i64, displs: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Iscatterv_c(sendbuf: *const c_void, sendcounts: *const i64, displs: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Isend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Isend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Isend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Isend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Isendrecv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, dest: i32, sendtag: i32, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, source: i32, recvtag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Isendrecv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, dest: i32, sendtag: i32, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, source: i32, recvtag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Isendrecv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, dest: i32, sendtag: i32, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, source: i32, recvtag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Isendrecv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, dest: i32, sendtag: i32, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, source: i32, recvtag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Isendrecv_replace(buf: *mut c_void, count: i32, datatype: Datatype, dest: i32, sendtag: i32, source: i32, recvtag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Isendrecv_replace(buf: *mut c_void, count: i32, datatype: Datatype, dest: i32, sendtag: i32, source: i32, recvtag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Isendrecv_replace_c(buf: *mut c_void, count: i64, datatype: Datatype, dest: i32, sendtag: i32, source: i32, recvtag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Isendrecv_replace_c(buf: *mut c_void, count: i64, datatype: Datatype, dest: i32, sendtag: i32, source: i32, recvtag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Issend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Issend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Issend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Issend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Keyval_create(copy_fn: CopyFunction, delete_fn: DeleteFunction, keyval: *mut i32, extra_state: *mut c_void) -> i32;
    pub fn PMPI_Keyval_create(copy_fn: CopyFunction, delete_fn: DeleteFunction, keyval: *mut i32, extra_state: *mut c_void) -> i32;
    pub fn MPI_Keyval_free(keyval: *mut i32) -> i32;
    pub fn PMPI_Keyval_free(keyval: *mut i32) -> i32;
    pub fn MPI_Lookup_name(service_name: *const std::ffi::c_char, info: Info, port_name: *mut std::ffi::c_char) -> i32;
    pub fn PMPI_Lookup_name(service_name: *const std::ffi::c_char, info: Info, port_name: *mut std::ffi::c_char) -> i32;
    pub fn PMPI_Message_fromint(message: i32) -> Message;
    pub fn PMPI_Message_toint(message: Message) -> i32;
    pub fn MPI_Mprobe(source: i32, tag: i32, comm: Comm, message: *mut Message, status: *mut Status) -> i32;
    pub fn PMPI_Mprobe(source: i32, tag: i32, comm: Comm, message: *mut Message, status: *mut Status) -> i32;
    pub fn MPI_Mrecv(buf: *mut c_void, count: i32, datatype: Datatype, message: *mut Message, status: *mut Status) -> i32;
    pub fn PMPI_Mrecv(buf: *mut c_void, count: i32, datatype: Datatype, message: *mut Message, status: *mut Status) -> i32;
    pub fn MPI_Mrecv_c(buf: *mut c_void, count: i64, datatype: Datatype, message: *mut Message, status: *mut Status) -> i32;
    pub fn PMPI_Mrecv_c(buf: *mut c_void, count: i64, datatype: Datatype, message: *mut Message, status: *mut Status) -> i32;
    pub fn MPI_Neighbor_allgather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Neighbor_allgather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Neighbor_allgather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Neighbor_allgather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Neighbor_allgather_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Neighbor_allgather_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Neighbor_allgather_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Neighbor_allgather_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Neighbor_allgatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Neighbor_allgatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Neighbor_allgatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Neighbor_allgatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Neighbor_allgatherv_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Neighbor_allgatherv_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Neighbor_allgatherv_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Neighbor_allgatherv_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Neighbor_alltoall(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Neighbor_alltoall(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Neighbor_alltoall_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Neighbor_alltoall_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Neighbor_alltoall_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Neighbor_alltoall_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Neighbor_alltoall_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Neighbor_alltoall_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Neighbor_alltoallv(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Neighbor_alltoallv(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Neighbor_alltoallv_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Neighbor_alltoallv_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Neighbor_alltoallv_init(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Neighbor_alltoallv_init(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Neighbor_alltoallv_init_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Neighbor_alltoallv_init_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Neighbor_alltoallw(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm) -> i32;
    pub fn PMPI_Neighbor_alltoallw(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm) -> i32;
    pub fn MPI_Neighbor_alltoallw_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm) -> i32;
    pub fn PMPI_Neighbor_alltoallw_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm) -> i32;
    pub fn MPI_Neighbor_alltoallw_init(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Neighbor_alltoallw_init(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Neighbor_alltoallw_init_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Neighbor_alltoallw_init_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Op_commutative(op: Op, commute: *mut i32) -> i32;
    pub fn PMPI_Op_commutative(op: Op, commute: *mut i32) -> i32;
    pub fn MPI_Op_create(user_fn: UserFunction, commute: i32, op: *mut Op) -> i32;
    pub fn PMPI_Op_create(user_fn: UserFunction, commute: i32, op: *mut Op) -> i32;
    pub fn MPI_Op_create_c(user_fn: UserFunctionC, commute: i32, op: *mut Op) -> i32;
    pub fn PMPI_Op_create_c(user_fn: UserFunctionC, commute: i32, op: *mut Op) -> i32;
    pub fn MPI_Op_free(op: *mut Op) -> i32;
    pub fn PMPI_Op_free(op: *mut Op) -> i32;
    pub fn PMPI_Op_fromint(op: i32) -> Op;
    pub fn PMPI_Op_toint(op: Op) -> i32;
    pub fn MPI_Open_port(info: Info, port_name: *mut std::ffi::c_char) -> i32;
    pub fn PMPI_Open_port(info: Info, port_name: *mut std::ffi::c_char) -> i32;
    pub fn MPI_Pack(inbuf: *const c_void, incount: i32, datatype: Datatype, outbuf: *mut c_void, outsize: i32, position: *mut i32, comm: Comm) -> i32;
    pub fn PMPI_Pack(inbuf: *const c_void, incount: i32, datatype: Datatype, outbuf: *mut c_void, outsize: i32, position: *mut i32, comm: Comm) -> i32;
    pub fn MPI_Pack_c(inbuf: *const c_void, incount: i64, datatype: Datatype, outbuf: *mut c_void, outsize: i64, position: *mut i64, comm: Comm) -> i32;
    pub fn PMPI_Pack_c(inbuf: *const c_void, incount: i64, datatype: Datatype, outbuf: *mut c_void, outsize: i64, position: *mut i64, comm: Comm) -> i32;
    pub fn MPI_Pack_external(datarep: *const std::ffi::c_char, inbuf: *const c_void, incount: i32, datatype: Datatype, outbuf: *mut c_void, outsize: i64, position: *mut i64) -> i32;
    pub fn PMPI_Pack_external(datarep: *const std::ffi::c_char, inbuf: *const c_void, incount: i32, datatype: Datatype, outbuf: *mut c_void, outsize: i64, position: *mut i64) -> i32;
    pub fn MPI_Pack_external_c(datarep: *const std::ffi::c_char, inbuf: *const c_void, incount: i64, datatype: Datatype, outbuf: *mut c_void, outsize: i64, position: *mut i64) -> i32;
    pub fn PMPI_Pack_external_c(datarep: *const std::ffi::c_char, inbuf: *const c_void, incount: i64, datatype: Datatype, outbuf: *mut c_void, outsize: i64, position: *mut i64) -> i32;
    pub fn MPI_Pack_external_size(datarep: *const std::ffi::c_char, incount: i32, datatype: Datatype, size: *mut i64) -> i32;
    pub fn PMPI_Pack_external_size(datarep: *const std::ffi::c_char, incount: i32, datatype: Datatype, size: *mut i64) -> i32;
    pub fn MPI_Pack_external_size_c(datarep: *const std::ffi::c_char, incount: i64, datatype: Datatype, size: *mut i64) -> i32;
    pub fn PMPI_Pack_external_size_c(datarep: *const std::ffi::c_char, incount: i64, datatype: Datatype, size: *mut i64) -> i32;
    pub fn MPI_Pack_size(incount: i32, datatype: Datatype, comm: Comm, size: *mut i32) -> i32;
    pub fn PMPI_Pack_size(incount: i32, datatype: Datatype, comm: Comm, size: *mut i32) -> i32;
    pub fn MPI_Pack_size_c(incount: i64, datatype: Datatype, comm: Comm, size: *mut i64) -> i32;
    pub fn PMPI_Pack_size_c(incount: i64, datatype: Datatype, comm: Comm, size: *mut i64) -> i32;
    pub fn MPI_Parrived(request: Request, partition: i32, flag: *mut i32) -> i32;
    pub fn PMPI_Parrived(request: Request, partition: i32, flag: *mut i32) -> i32;
    pub fn MPI_Pcontrol(level: i32, ...) -> i32;
    pub fn PMPI_Pcontrol(level: i32, ...) -> i32;
    pub fn MPI_Pready(partition: i32, request: Request) -> i32;
    pub fn PMPI_Pready(partition: i32, request: Request) -> i32;
    pub fn MPI_Pready_list(length: i32, array_of_partitions: *const i32, request: Request) -> i32;
    pub fn PMPI_Pready_list(length: i32, array_of_partitions: *const i32, request: Request) -> i32;
    pub fn MPI_Pready_range(partition_low: i32, partition_high: i32, request: Request) -> i32;
    pub fn PMPI_Pready_range(partition_low: i32, partition_high: i32, request: Request) -> i32;
    pub fn MPI_Precv_init(buf: *mut c_void, partitions: i32, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Precv_init(buf: *mut c_void, partitions: i32, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Probe(source: i32, tag: i32, comm: Comm, status: *mut Status) -> i32;
    pub fn PMPI_Probe(source: i32, tag: i32, comm: Comm, status: *mut Status) -> i32;
    pub fn MPI_Psend_init(buf: *const c_void, partitions: i32, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Psend_init(buf: *const c_void, partitions: i32, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Publish_name(service_name: *const std::ffi::c_char, info: Info, port_name: *const std::ffi::c_char) -> i32;
    pub fn PMPI_Publish_name(service_name: *const std::ffi::c_char, info: Info, port_name: *const std::ffi::c_char) -> i32;
    pub fn MPI_Put(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, win: Win) -> i32;
    pub fn PMPI_Put(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, win: Win) -> i32;
    pub fn MPI_Put_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win) -> i32;
    pub fn PMPI_Put_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win) -> i32;
    pub fn MPI_Query_thread(provided: *mut i32) -> i32;
    pub fn PMPI_Query_thread(provided: *mut i32) -> i32;
    pub fn MPI_Raccumulate(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, op: Op, win: Win, request: *mut Request) -> i32;
    pub fn PMPI_Raccumulate(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, op: Op, win: Win, request: *mut Request) -> i32;
    pub fn MPI_Raccumulate_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win, request: *mut Request) -> i32;
    pub fn PMPI_Raccumulate_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win, request: *mut Request) -> i32;
    pub fn MPI_Recv(buf: *mut c_void, count: i32, datatype: Datatype, source: i32, tag: i32, comm: Comm, status: *mut Status) -> i32;
    pub fn PMPI_Recv(buf: *mut c_void, count: i32, datatype: Datatype, source: i32, tag: i32, comm: Comm, status: *mut Status) -> i32;
    pub fn MPI_Recv_c(buf: *mut c_void, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, status: *mut Status) -> i32;
    pub fn PMPI_Recv_c(buf: *mut c_void, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, status: *mut Status) -> i32;
    pub fn MPI_Recv_init(buf: *mut c_void, count: i32, datatype: Datatype, source: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Recv_init(buf: *mut c_void, count: i32, datatype: Datatype, source: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Recv_init_c(buf: *mut c_void, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Recv_init_c(buf: *mut c_void, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Reduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, root: i32, comm: Comm) -> i32;
    pub fn PMPI_Reduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, root: i32, comm: Comm) -> i32;
    pub fn MPI_Reduce_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, root: i32, comm: Comm) -> i32;
    pub fn PMPI_Reduce_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, root: i32, comm: Comm) -> i32;
    pub fn MPI_Reduce_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Reduce_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Reduce_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Reduce_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Reduce_local(inbuf: *const c_void, inoutbuf: *mut c_void, count: i32, datatype: Datatype, op: Op) -> i32;
    pub fn PMPI_Reduce_local(inbuf: *const c_void, inoutbuf: *mut c_void, count: i32, datatype: Datatype, op: Op) -> i32;
    pub fn MPI_Reduce_local_c(inbuf: *const c_void, inoutbuf: *mut c_void, count: i64, datatype: Datatype, op: Op) -> i32;
    pub fn PMPI_Reduce_local_c(inbuf: *const c_void, inoutbuf: *mut c_void, count: i64, datatype: Datatype, op: Op) -> i32;
    pub fn MPI_Reduce_scatter(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i32, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn PMPI_Reduce_scatter(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i32, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn MPI_Reduce_scatter_block(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i32, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn PMPI_Reduce_scatter_block(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i32, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn MPI_Reduce_scatter_block_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i64, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn PMPI_Reduce_scatter_block_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i64, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn MPI_Reduce_scatter_block_init(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i32, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Reduce_scatter_block_init(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i32, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Reduce_scatter_block_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Reduce_scatter_block_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Reduce_scatter_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i64, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn PMPI_Reduce_scatter_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i64, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn MPI_Reduce_scatter_init(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i32, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Reduce_scatter_init(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i32, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Reduce_scatter_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Reduce_scatter_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Register_datarep(datarep: *const std::ffi::c_char, read_conversion_fn: DatarepConversionFunction, write_conversion_fn: DatarepConversionFunction, dtype_file_extent_fn: DatarepExtentFunction, extra_state: *mut c_void) -> i32;
    pub fn PMPI_Register_datarep(datarep: *const std::ffi::c_char, read_conversion_fn: DatarepConversionFunction, write_conversion_fn: DatarepConversionFunction, dtype_file_extent_fn: DatarepExtentFunction, extra_state: *mut c_void) -> i32;
    pub fn MPI_Register_datarep_c(datarep: *const std::ffi::c_char, read_conversion_fn: DatarepConversionFunctionC, write_conversion_fn: DatarepConversionFunctionC, dtype_file_extent_fn: DatarepExtentFunction, extra_state: *mut c_void) -> i32;
    pub fn PMPI_Register_datarep_c(datarep: *const std::ffi::c_char, read_conversion_fn: DatarepConversionFunctionC, write_conversion_fn: DatarepConversionFunctionC, dtype_file_extent_fn: DatarepExtentFunction, extra_state: *mut c_void) -> i32;
    pub fn MPI_Remove_error_class(errorclass: i32) -> i32;
    pub fn PMPI_Remove_error_class(errorclass: i32) -> i32;
    pub fn MPI_Remove_error_code(errorcode: i32) -> i32;
    pub fn PMPI_Remove_error_code(errorcode: i32) -> i32;
    pub fn MPI_Remove_error_string(errorcode: i32) -> i32;
    pub fn PMPI_Remove_error_string(errorcode: i32) -> i32;
    pub fn MPI_Request_free(request: *mut Request) -> i32;
    pub fn PMPI_Request_free(request: *mut Request) -> i32;
    pub fn PMPI_Request_fromint(request: i32) -> Request;
    pub fn MPI_Request_get_status(request: Request, flag: *mut i32, status: *mut Status) -> i32;
    pub fn PMPI_Request_get_status(request: Request, flag: *mut i32, status: *mut Status) -> i32;
    pub fn MPI_Request_get_status_all(count: i32, array_of_requests: *const Request, flag: *mut i32, array_of_statuses: *mut Status) -> i32;
    pub fn PMPI_Request_get_status_all(count: i32, array_of_requests: *const Request, flag: *mut i32, array_of_statuses: *mut Status) -> i32;
    pub fn MPI_Request_get_status_any(count: i32, array_of_requests: *const Request, indx: *mut i32, flag: *mut i32, status: *mut Status) -> i32;
    pub fn PMPI_Request_get_status_any(count: i32, array_of_requests: *const Request, indx: *mut i32, flag: *mut i32, status: *mut Status) -> i32;
    pub fn MPI_Request_get_status_some(incount: i32, array_of_requests: *const Request, outcount: *mut i32, array_of_indices: *mut i32, array_of_statuses: *mut Status) -> i32;
    pub fn PMPI_Request_get_status_some(incount: i32, array_of_requests: *const Request, outcount: *mut i32, array_of_indices: *mut i32, array_of_statuses: *mut Status) -> i32;
    pub fn PMPI_Request_toint(request: Request) -> i32;
    pub fn MPI_Rget(origin_addr: *mut c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, win: Win, request: *mut Request) -> i32;
    pub fn PMPI_Rget(origin_addr: *mut c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, win: Win, request: *mut Request) -> i32;
    pub fn MPI_Rget_accumulate(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, result_addr: *mut c_void, result_count: i32, result_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, op: Op, win: Win, request: *mut Request) -> i32;
    pub fn PMPI_Rget_accumulate(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, result_addr: *mut c_void, result_count: i32, result_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, op: Op, win: Win, request: *mut Request) -> i32;
    pub fn MPI_Rget_accumulate_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, result_addr: *mut c_void, result_count: i64, result_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win, request: *mut Request) -> i32;
    pub fn PMPI_Rget_accumulate_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, result_addr: *mut c_void, result_count: i64, result_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win, request: *mut Request) -> i32;
    pub fn MPI_Rget_c(origin_addr: *mut c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win, request: *mut Request) -> i32;
    pub fn PMPI_Rget_c(origin_addr: *mut c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win, request: *mut Request) -> i32;
    pub fn MPI_Rput(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, win: Win, request: *mut Request) -> i32;
    pub fn PMPI_Rput(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, win: Win, request: *mut Request) -> i32;
    pub fn MPI_Rput_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win, request: *mut Request) -> i32;
    pub fn PMPI_Rput_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win, request: *mut Request) -> i32;
    pub fn MPI_Rsend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn PMPI_Rsend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn MPI_Rsend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn PMPI_Rsend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn MPI_Rsend_init(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Rsend_init(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Rsend_init_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Rsend_init_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Scan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn PMPI_Scan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn MPI_Scan_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn PMPI_Scan_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm) -> i32;
    pub fn MPI_Scan_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Scan_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Scan_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Scan_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Scatter(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn PMPI_Scatter(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn MPI_Scatter_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn PMPI_Scatter_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn MPI_Scatter_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Scatter_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Scatter_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Scatter_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Scatterv(sendbuf: *const c_void, sendcounts: *const i32, displs: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn PMPI_Scatterv(sendbuf: *const c_void, sendcounts: *const i32, displs: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn MPI_Scatterv_c(sendbuf: *const c_void, sendcounts: *const i64, displs: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn PMPI_Scatterv_c(sendbuf: *const c_void, sendcounts: *const i64, displs: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm) -> i32;
    pub fn MPI_Scatterv_init(sendbuf: *const c_void, sendcounts: *const i32, displs: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Scatterv_init(sendbuf: *const c_void, sendcounts: *const i32, displs: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Scatterv_init_c(sendbuf: *const c_void, sendcounts: *const i64, displs: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn PMPI_Scatterv_init_c(sendbuf: *const c_void, sendcounts: *const i64, displs: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32;
    pub fn MPI_Send(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn PMPI_Send(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn MPI_Send_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn PMPI_Send_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn MPI_Send_init(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Send_init(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Send_init_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Send_init_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Sendrecv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, dest: i32, sendtag: i32, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, source: i32, recvtag: i32, comm: Comm, status: *mut Status) -> i32;
    pub fn PMPI_Sendrecv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, dest: i32, sendtag: i32, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, source: i32, recvtag: i32, comm: Comm, status: *mut Status) -> i32;
    pub fn MPI_Sendrecv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, dest: i32, sendtag: i32, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, source: i32, recvtag: i32, comm: Comm, status: *mut Status) -> i32;
    pub fn PMPI_Sendrecv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, dest: i32, sendtag: i32, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, source: i32, recvtag: i32, comm: Comm, status: *mut Status) -> i32;
    pub fn MPI_Sendrecv_replace(buf: *mut c_void, count: i32, datatype: Datatype, dest: i32, sendtag: i32, source: i32, recvtag: i32, comm: Comm, status: *mut Status) -> i32;
    pub fn PMPI_Sendrecv_replace(buf: *mut c_void, count: i32, datatype: Datatype, dest: i32, sendtag: i32, source: i32, recvtag: i32, comm: Comm, status: *mut Status) -> i32;
    pub fn MPI_Sendrecv_replace_c(buf: *mut c_void, count: i64, datatype: Datatype, dest: i32, sendtag: i32, source: i32, recvtag: i32, comm: Comm, status: *mut Status) -> i32;
    pub fn PMPI_Sendrecv_replace_c(buf: *mut c_void, count: i64, datatype: Datatype, dest: i32, sendtag: i32, source: i32, recvtag: i32, comm: Comm, status: *mut Status) -> i32;
    pub fn MPI_Session_attach_buffer(session: Session, buffer: *mut c_void, size: i32) -> i32;
    pub fn PMPI_Session_attach_buffer(session: Session, buffer: *mut c_void, size: i32) -> i32;
    pub fn MPI_Session_attach_buffer_c(session: Session, buffer: *mut c_void, size: i64) -> i32;
    pub fn PMPI_Session_attach_buffer_c(session: Session, buffer: *mut c_void, size: i64) -> i32;
    pub fn MPI_Session_call_errhandler(session: Session, errorcode: i32) -> i32;
    pub fn PMPI_Session_call_errhandler(session: Session, errorcode: i32) -> i32;
    pub fn MPI_Session_create_errhandler(session_errhandler_fn: SessionErrhandlerFunction, errhandler: *mut Errhandler) -> i32;
    pub fn PMPI_Session_create_errhandler(session_errhandler_fn: SessionErrhandlerFunction, errhandler: *mut Errhandler) -> i32;
    pub fn MPI_Session_detach_buffer(session: Session, buffer_addr: *mut c_void, size: *mut i32) -> i32;
    pub fn PMPI_Session_detach_buffer(session: Session, buffer_addr: *mut c_void, size: *mut i32) -> i32;
    pub fn MPI_Session_detach_buffer_c(session: Session, buffer_addr: *mut c_void, size: *mut i64) -> i32;
    pub fn PMPI_Session_detach_buffer_c(session: Session, buffer_addr: *mut c_void, size: *mut i64) -> i32;
    pub fn MPI_Session_finalize(session: *mut Session) -> i32;
    pub fn PMPI_Session_finalize(session: *mut Session) -> i32;
    pub fn MPI_Session_flush_buffer(session: Session) -> i32;
    pub fn PMPI_Session_flush_buffer(session: Session) -> i32;
    pub fn PMPI_Session_fromint(session: i32) -> Session;
    pub fn MPI_Session_get_errhandler(session: Session, errhandler: *mut Errhandler) -> i32;
    pub fn PMPI_Session_get_errhandler(session: Session, errhandler: *mut Errhandler) -> i32;
    pub fn MPI_Session_get_info(session: Session, info_used: *mut Info) -> i32;
    pub fn PMPI_Session_get_info(session: Session, info_used: *mut Info) -> i32;
    pub fn MPI_Session_get_nth_pset(session: Session, info: Info, n: i32, pset_len: *mut i32, pset_name: *mut std::ffi::c_char) -> i32;
    pub fn PMPI_Session_get_nth_pset(session: Session, info: Info, n: i32, pset_len: *mut i32, pset_name: *mut std::ffi::c_char) -> i32;
    pub fn MPI_Session_get_num_psets(session: Session, info: Info, npset_names: *mut i32) -> i32;
    pub fn PMPI_Session_get_num_psets(session: Session, info: Info, npset_names: *mut i32) -> i32;
    pub fn MPI_Session_get_pset_info(session: Session, pset_name: *const std::ffi::c_char, info: *mut Info) -> i32;
    pub fn PMPI_Session_get_pset_info(session: Session, pset_name: *const std::ffi::c_char, info: *mut Info) -> i32;
    pub fn MPI_Session_iflush_buffer(session: Session, request: *mut Request) -> i32;
    pub fn PMPI_Session_iflush_buffer(session: Session, request: *mut Request) -> i32;
    pub fn MPI_Session_init(info: Info, errhandler: Errhandler, session: *mut Session) -> i32;
    pub fn PMPI_Session_init(info: Info, errhandler: Errhandler, session: *mut Session) -> i32;
    pub fn MPI_Session_set_errhandler(session: Session, errhandler: Errhandler) -> i32;
    pub fn PMPI_Session_set_errhandler(session: Session, errhandler: Errhandler) -> i32;
    pub fn PMPI_Session_toint(session: Session) -> i32;
    pub fn MPI_Ssend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn PMPI_Ssend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn MPI_Ssend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn PMPI_Ssend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32;
    pub fn MPI_Ssend_init(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ssend_init(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Ssend_init_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn PMPI_Ssend_init_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32;
    pub fn MPI_Start(request: *mut Request) -> i32;
    pub fn PMPI_Start(request: *mut Request) -> i32;
    pub fn MPI_Startall(count: i32, array_of_requests: *mut Request) -> i32;
    pub fn PMPI_Startall(count: i32, array_of_requests: *mut Request) -> i32;
    pub fn MPI_Status_get_error(status: *const Status, err: *mut i32) -> i32;
    pub fn PMPI_Status_get_error(status: *const Status, err: *mut i32) -> i32;
    pub fn MPI_Status_get_source(status: *const Status, source: *mut i32) -> i32;
    pub fn PMPI_Status_get_source(status: *const Status, source: *mut i32) -> i32;
    pub fn MPI_Status_get_tag(status: *const Status, tag: *mut i32) -> i32;
    pub fn PMPI_Status_get_tag(status: *const Status, tag: *mut i32) -> i32;
    pub fn MPI_Status_set_cancelled(status: *mut Status, flag: i32) -> i32;
    pub fn PMPI_Status_set_cancelled(status: *mut Status, flag: i32) -> i32;
    pub fn MPI_Status_set_elements(status: *mut Status, datatype: Datatype, count: i32) -> i32;
    pub fn PMPI_Status_set_elements(status: *mut Status, datatype: Datatype, count: i32) -> i32;
    pub fn MPI_Status_set_elements_c(status: *mut Status, datatype: Datatype, count: i64) -> i32;
    pub fn PMPI_Status_set_elements_c(status: *mut Status, datatype: Datatype, count: i64) -> i32;
    pub fn MPI_Status_set_elements_x(status: *mut Status, datatype: Datatype, count: i64) -> i32;
    pub fn PMPI_Status_set_elements_x(status: *mut Status, datatype: Datatype, count: i64) -> i32;
    pub fn MPI_Status_set_error(status: *mut Status, err: i32) -> i32;
    pub fn PMPI_Status_set_error(status: *mut Status, err: i32) -> i32;
    pub fn MPI_Status_set_source(status: *mut Status, source: i32) -> i32;
    pub fn PMPI_Status_set_source(status: *mut Status, source: i32) -> i32;
    pub fn MPI_Status_set_tag(status: *mut Status, tag: i32) -> i32;
    pub fn PMPI_Status_set_tag(status: *mut Status, tag: i32) -> i32;
    pub fn MPI_Test(request: *mut Request, flag: *mut i32, status: *mut Status) -> i32;
    pub fn PMPI_Test(request: *mut Request, flag: *mut i32, status: *mut Status) -> i32;
    pub fn MPI_Test_cancelled(status: *const Status, flag: *mut i32) -> i32;
    pub fn PMPI_Test_cancelled(status: *const Status, flag: *mut i32) -> i32;
    pub fn MPI_Testall(count: i32, array_of_requests: *mut Request, flag: *mut i32, array_of_statuses: *mut Status) -> i32;
    pub fn PMPI_Testall(count: i32, array_of_requests: *mut Request, flag: *mut i32, array_of_statuses: *mut Status) -> i32;
    pub fn MPI_Testany(count: i32, array_of_requests: *mut Request, indx: *mut i32, flag: *mut i32, status: *mut Status) -> i32;
    pub fn PMPI_Testany(count: i32, array_of_requests: *mut Request, indx: *mut i32, flag: *mut i32, status: *mut Status) -> i32;
    pub fn MPI_Testsome(incount: i32, array_of_requests: *mut Request, outcount: *mut i32, array_of_indices: *mut i32, array_of_statuses: *mut Status) -> i32;
    pub fn PMPI_Testsome(incount: i32, array_of_requests: *mut Request, outcount: *mut i32, array_of_indices: *mut i32, array_of_statuses: *mut Status) -> i32;
    pub fn MPI_Topo_test(comm: Comm, status: *mut i32) -> i32;
    pub fn PMPI_Topo_test(comm: Comm, status: *mut i32) -> i32;
    pub fn MPI_Type_commit(datatype: *mut Datatype) -> i32;
    pub fn PMPI_Type_commit(datatype: *mut Datatype) -> i32;
    pub fn MPI_Type_contiguous(count: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_contiguous(count: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_contiguous_c(count: i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_contiguous_c(count: i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_darray(size: i32, rank: i32, ndims: i32, array_of_gsizes: *const i32, array_of_distribs: *const i32, array_of_dargs: *const i32, array_of_psizes: *const i32, order: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_darray(size: i32, rank: i32, ndims: i32, array_of_gsizes: *const i32, array_of_distribs: *const i32, array_of_dargs: *const i32, array_of_psizes: *const i32, order: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_darray_c(size: i32, rank: i32, ndims: i32, array_of_gsizes: *const i64, array_of_distribs: *const i32, array_of_dargs: *const i32, array_of_psizes: *const i32, order: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_darray_c(size: i32, rank: i32, ndims: i32, array_of_gsizes: *const i64, array_of_distribs: *const i32, array_of_dargs: *const i32, array_of_psizes: *const i32, order: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_f90_complex(p: i32, r: i32, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_f90_complex(p: i32, r: i32, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_f90_integer(r: i32, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_f90_integer(r: i32, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_f90_real(p: i32, r: i32, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_f90_real(p: i32, r: i32, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_hindexed(count: i32, array_of_blocklengths: *const i32, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_hindexed(count: i32, array_of_blocklengths: *const i32, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_hindexed_block(count: i32, blocklength: i32, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_hindexed_block(count: i32, blocklength: i32, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_hindexed_block_c(count: i64, blocklength: i64, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_hindexed_block_c(count: i64, blocklength: i64, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_hindexed_c(count: i64, array_of_blocklengths: *const i64, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_hindexed_c(count: i64, array_of_blocklengths: *const i64, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_hvector(count: i32, blocklength: i32, stride: i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_hvector(count: i32, blocklength: i32, stride: i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_hvector_c(count: i64, blocklength: i64, stride: i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_hvector_c(count: i64, blocklength: i64, stride: i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_indexed_block(count: i32, blocklength: i32, array_of_displacements: *const i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_indexed_block(count: i32, blocklength: i32, array_of_displacements: *const i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_indexed_block_c(count: i64, blocklength: i64, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_indexed_block_c(count: i64, blocklength: i64, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_keyval(type_copy_attr_fn: TypeCopyAttrFunction, type_delete_attr_fn: TypeDeleteAttrFunction, type_keyval: *mut i32, extra_state: *mut c_void) -> i32;
    pub fn PMPI_Type_create_keyval(type_copy_attr_fn: TypeCopyAttrFunction, type_delete_attr_fn: TypeDeleteAttrFunction, type_keyval: *mut i32, extra_state: *mut c_void) -> i32;
    pub fn MPI_Type_create_resized(oldtype: Datatype, lb: i64, extent: i64, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_resized(oldtype: Datatype, lb: i64, extent: i64, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_resized_c(oldtype: Datatype, lb: i64, extent: i64, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_resized_c(oldtype: Datatype, lb: i64, extent: i64, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_struct(count: i32, array_of_blocklengths: *const i32, array_of_displacements: *const i64, array_of_types: *const Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_struct(count: i32, array_of_blocklengths: *const i32, array_of_displacements: *const i64, array_of_types: *const Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_struct_c(count: i64, array_of_blocklengths: *const i64, array_of_displacements: *const i64, array_of_types: *const Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_struct_c(count: i64, array_of_blocklengths: *const i64, array_of_displacements: *const i64, array_of_types: *const Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_subarray(ndims: i32, array_of_sizes: *const i32, array_of_subsizes: *const i32, array_of_starts: *const i32, order: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_subarray(ndims: i32, array_of_sizes: *const i32, array_of_subsizes: *const i32, array_of_starts: *const i32, order: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_create_subarray_c(ndims: i32, array_of_sizes: *const i64, array_of_subsizes: *const i64, array_of_starts: *const i64, order: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_create_subarray_c(ndims: i32, array_of_sizes: *const i64, array_of_subsizes: *const i64, array_of_starts: *const i64, order: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_delete_attr(datatype: Datatype, type_keyval: i32) -> i32;
    pub fn PMPI_Type_delete_attr(datatype: Datatype, type_keyval: i32) -> i32;
    pub fn MPI_Type_dup(oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_dup(oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_free(datatype: *mut Datatype) -> i32;
    pub fn PMPI_Type_free(datatype: *mut Datatype) -> i32;
    pub fn MPI_Type_free_keyval(type_keyval: *mut i32) -> i32;
    pub fn PMPI_Type_free_keyval(type_keyval: *mut i32) -> i32;
    pub fn PMPI_Type_fromint(datatype: i32) -> Datatype;
    pub fn MPI_Type_get_attr(datatype: Datatype, type_keyval: i32, attribute_val: *mut c_void, flag: *mut i32) -> i32;
    pub fn PMPI_Type_get_attr(datatype: Datatype, type_keyval: i32, attribute_val: *mut c_void, flag: *mut i32) -> i32;
    pub fn MPI_Type_get_contents(datatype: Datatype, max_integers: i32, max_addresses: i32, max_datatypes: i32, array_of_integers: *mut i32, array_of_addresses: *mut i64, array_of_datatypes: *mut Datatype) -> i32;
    pub fn PMPI_Type_get_contents(datatype: Datatype, max_integers: i32, max_addresses: i32, max_datatypes: i32, array_of_integers: *mut i32, array_of_addresses: *mut i64, array_of_datatypes: *mut Datatype) -> i32;
    pub fn MPI_Type_get_contents_c(datatype: Datatype, max_integers: i64, max_addresses: i64, max_large_counts: i64, max_datatypes: i64, array_of_integers: *mut i32, array_of_addresses: *mut i64, array_of_large_counts: *mut i64, array_of_datatypes: *mut Datatype) -> i32;
    pub fn PMPI_Type_get_contents_c(datatype: Datatype, max_integers: i64, max_addresses: i64, max_large_counts: i64, max_datatypes: i64, array_of_integers: *mut i32, array_of_addresses: *mut i64, array_of_large_counts: *mut i64, array_of_datatypes: *mut Datatype) -> i32;
    pub fn MPI_Type_get_envelope(datatype: Datatype, num_integers: *mut i32, num_addresses: *mut i32, num_datatypes: *mut i32, combiner: *mut i32) -> i32;
    pub fn PMPI_Type_get_envelope(datatype: Datatype, num_integers: *mut i32, num_addresses: *mut i32, num_datatypes: *mut i32, combiner: *mut i32) -> i32;
    pub fn MPI_Type_get_envelope_c(datatype: Datatype, num_integers: *mut i64, num_addresses: *mut i64, num_large_counts: *mut i64, num_datatypes: *mut i64, combiner: *mut i32) -> i32;
    pub fn PMPI_Type_get_envelope_c(datatype: Datatype, num_integers: *mut i64, num_addresses: *mut i64, num_large_counts: *mut i64, num_datatypes: *mut i64, combiner: *mut i32) -> i32;
    pub fn MPI_Type_get_extent(datatype: Datatype, lb: *mut i64, extent: *mut i64) -> i32;
    pub fn PMPI_Type_get_extent(datatype: Datatype, lb: *mut i64, extent: *mut i64) -> i32;
    pub fn MPI_Type_get_extent_c(datatype: Datatype, lb: *mut i64, extent: *mut i64) -> i32;
    pub fn PMPI_Type_get_extent_c(datatype: Datatype, lb: *mut i64, extent: *mut i64) -> i32;
    pub fn MPI_Type_get_extent_x(datatype: Datatype, lb: *mut i64, extent: *mut i64) -> i32;
    pub fn PMPI_Type_get_extent_x(datatype: Datatype, lb: *mut i64, extent: *mut i64) -> i32;
    pub fn MPI_Type_get_name(datatype: Datatype, type_name: *mut std::ffi::c_char, resultlen: *mut i32) -> i32;
    pub fn PMPI_Type_get_name(datatype: Datatype, type_name: *mut std::ffi::c_char, resultlen: *mut i32) -> i32;
    pub fn MPI_Type_get_true_extent(datatype: Datatype, true_lb: *mut i64, true_extent: *mut i64) -> i32;
    pub fn PMPI_Type_get_true_extent(datatype: Datatype, true_lb: *mut i64, true_extent: *mut i64) -> i32;
    pub fn MPI_Type_get_true_extent_c(datatype: Datatype, true_lb: *mut i64, true_extent: *mut i64) -> i32;
    pub fn PMPI_Type_get_true_extent_c(datatype: Datatype, true_lb: *mut i64, true_extent: *mut i64) -> i32;
    pub fn MPI_Type_get_true_extent_x(datatype: Datatype, true_lb: *mut i64, true_extent: *mut i64) -> i32;
    pub fn PMPI_Type_get_true_extent_x(datatype: Datatype, true_lb: *mut i64, true_extent: *mut i64) -> i32;
    pub fn MPI_Type_get_value_index(value_type: Datatype, index_type: Datatype, pair_type: *mut Datatype) -> i32;
    pub fn PMPI_Type_get_value_index(value_type: Datatype, index_type: Datatype, pair_type: *mut Datatype) -> i32;
    pub fn MPI_Type_indexed(count: i32, array_of_blocklengths: *const i32, array_of_displacements: *const i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_indexed(count: i32, array_of_blocklengths: *const i32, array_of_displacements: *const i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_indexed_c(count: i64, array_of_blocklengths: *const i64, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_indexed_c(count: i64, array_of_blocklengths: *const i64, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_match_size(typeclass: i32, size: i32, datatype: *mut Datatype) -> i32;
    pub fn PMPI_Type_match_size(typeclass: i32, size: i32, datatype: *mut Datatype) -> i32;
    pub fn MPI_Type_set_attr(datatype: Datatype, type_keyval: i32, attribute_val: *mut c_void) -> i32;
    pub fn PMPI_Type_set_attr(datatype: Datatype, type_keyval: i32, attribute_val: *mut c_void) -> i32;
    pub fn MPI_Type_set_name(datatype: Datatype, type_name: *const std::ffi::c_char) -> i32;
    pub fn PMPI_Type_set_name(datatype: Datatype, type_name: *const std::ffi::c_char) -> i32;
    pub fn MPI_Type_size(datatype: Datatype, size: *mut i32) -> i32;
    pub fn PMPI_Type_size(datatype: Datatype, size: *mut i32) -> i32;
    pub fn MPI_Type_size_c(datatype: Datatype, size: *mut i64) -> i32;
    pub fn PMPI_Type_size_c(datatype: Datatype, size: *mut i64) -> i32;
    pub fn MPI_Type_size_x(datatype: Datatype, size: *mut i64) -> i32;
    pub fn PMPI_Type_size_x(datatype: Datatype, size: *mut i64) -> i32;
    pub fn PMPI_Type_toint(datatype: Datatype) -> i32;
    pub fn MPI_Type_vector(count: i32, blocklength: i32, stride: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_vector(count: i32, blocklength: i32, stride: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Type_vector_c(count: i64, blocklength: i64, stride: i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn PMPI_Type_vector_c(count: i64, blocklength: i64, stride: i64, oldtype: Datatype, newtype: *mut Datatype) -> i32;
    pub fn MPI_Unpack(inbuf: *const c_void, insize: i32, position: *mut i32, outbuf: *mut c_void, outcount: i32, datatype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Unpack(inbuf: *const c_void, insize: i32, position: *mut i32, outbuf: *mut c_void, outcount: i32, datatype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Unpack_c(inbuf: *const c_void, insize: i64, position: *mut i64, outbuf: *mut c_void, outcount: i64, datatype: Datatype, comm: Comm) -> i32;
    pub fn PMPI_Unpack_c(inbuf: *const c_void, insize: i64, position: *mut i64, outbuf: *mut c_void, outcount: i64, datatype: Datatype, comm: Comm) -> i32;
    pub fn MPI_Unpack_external(datarep: *const std::ffi::c_char, inbuf: *const c_void, insize: i64, position: *mut i64, outbuf: *mut c_void, outcount: i32, datatype: Datatype) -> i32;
    pub fn PMPI_Unpack_external(datarep: *const std::ffi::c_char, inbuf: *const c_void, insize: i64, position: *mut i64, outbuf: *mut c_void, outcount: i32, datatype: Datatype) -> i32;
    pub fn MPI_Unpack_external_c(datarep: *const std::ffi::c_char, inbuf: *const c_void, insize: i64, position: *mut i64, outbuf: *mut c_void, outcount: i64, datatype: Datatype) -> i32;
    pub fn PMPI_Unpack_external_c(datarep: *const std::ffi::c_char, inbuf: *const c_void, insize: i64, position: *mut i64, outbuf: *mut c_void, outcount: i64, datatype: Datatype) -> i32;
    pub fn MPI_Unpublish_name(service_name: *const std::ffi::c_char, info: Info, port_name: *const std::ffi::c_char) -> i32;
    pub fn PMPI_Unpublish_name(service_name: *const std::ffi::c_char, info: Info, port_name: *const std::ffi::c_char) -> i32;
    pub fn MPI_Wait(request: *mut Request, status: *mut Status) -> i32;
    pub fn PMPI_Wait(request: *mut Request, status: *mut Status) -> i32;
    pub fn MPI_Waitall(count: i32, array_of_requests: *mut Request, array_of_statuses: *mut Status) -> i32;
    pub fn PMPI_Waitall(count: i32, array_of_requests: *mut Request, array_of_statuses: *mut Status) -> i32;
    pub fn MPI_Waitany(count: i32, array_of_requests: *mut Request, indx: *mut i32, status: *mut Status) -> i32;
    pub fn PMPI_Waitany(count: i32, array_of_requests: *mut Request, indx: *mut i32, status: *mut Status) -> i32;
    pub fn MPI_Waitsome(incount: i32, array_of_requests: *mut Request, outcount: *mut i32, array_of_indices: *mut i32, array_of_statuses: *mut Status) -> i32;
    pub fn PMPI_Waitsome(incount: i32, array_of_requests: *mut Request, outcount: *mut i32, array_of_indices: *mut i32, array_of_statuses: *mut Status) -> i32;
    pub fn MPI_Win_allocate(size: i64, disp_unit: i32, info: Info, comm: Comm, baseptr: *mut c_void, win: *mut Win) -> i32;
    pub fn PMPI_Win_allocate(size: i64, disp_unit: i32, info: Info, comm: Comm, baseptr: *mut c_void, win: *mut Win) -> i32;
    pub fn MPI_Win_allocate_c(size: i64, disp_unit: i64, info: Info, comm: Comm, baseptr: *mut c_void, win: *mut Win) -> i32;
    pub fn PMPI_Win_allocate_c(size: i64, disp_unit: i64, info: Info, comm: Comm, baseptr: *mut c_void, win: *mut Win) -> i32;
    pub fn MPI_Win_allocate_shared(size: i64, disp_unit: i32, info: Info, comm: Comm, baseptr: *mut c_void, win: *mut Win) -> i32;
    pub fn PMPI_Win_allocate_shared(size: i64, disp_unit: i32, info: Info, comm: Comm, baseptr: *mut c_void, win: *mut Win) -> i32;
    pub fn MPI_Win_allocate_shared_c(size: i64, disp_unit: i64, info: Info, comm: Comm, baseptr: *mut c_void, win: *mut Win) -> i32;
    pub fn PMPI_Win_allocate_shared_c(size: i64, disp_unit: i64, info: Info, comm: Comm, baseptr: *mut c_void, win: *mut Win) -> i32;
    pub fn MPI_Win_attach(win: Win, base: *mut c_void, size: i64) -> i32;
    pub fn PMPI_Win_attach(win: Win, base: *mut c_void, size: i64) -> i32;
    pub fn MPI_Win_call_errhandler(win: Win, errorcode: i32) -> i32;
    pub fn PMPI_Win_call_errhandler(win: Win, errorcode: i32) -> i32;
    pub fn MPI_Win_complete(win: Win) -> i32;
    pub fn PMPI_Win_complete(win: Win) -> i32;
    pub fn MPI_Win_create(base: *mut c_void, size: i64, disp_unit: i32, info: Info, comm: Comm, win: *mut Win) -> i32;
    pub fn PMPI_Win_create(base: *mut c_void, size: i64, disp_unit: i32, info: Info, comm: Comm, win: *mut Win) -> i32;
    pub fn MPI_Win_create_c(base: *mut c_void, size: i64, disp_unit: i64, info: Info, comm: Comm, win: *mut Win) -> i32;
    pub fn PMPI_Win_create_c(base: *mut c_void, size: i64, disp_unit: i64, info: Info, comm: Comm, win: *mut Win) -> i32;
    pub fn MPI_Win_create_dynamic(info: Info, comm: Comm, win: *mut Win) -> i32;
    pub fn PMPI_Win_create_dynamic(info: Info, comm: Comm, win: *mut Win) -> i32;
    pub fn MPI_Win_create_errhandler(win_errhandler_fn: WinErrhandlerFunction, errhandler: *mut Errhandler) -> i32;
    pub fn PMPI_Win_create_errhandler(win_errhandler_fn: WinErrhandlerFunction, errhandler: *mut Errhandler) -> i32;
    pub fn MPI_Win_create_keyval(win_copy_attr_fn: WinCopyAttrFunction, win_delete_attr_fn: WinDeleteAttrFunction, win_keyval: *mut i32, extra_state: *mut c_void) -> i32;
    pub fn PMPI_Win_create_keyval(win_copy_attr_fn: WinCopyAttrFunction, win_delete_attr_fn: WinDeleteAttrFunction, win_keyval: *mut i32, extra_state: *mut c_void) -> i32;
    pub fn MPI_Win_delete_attr(win: Win, win_keyval: i32) -> i32;
    pub fn PMPI_Win_delete_attr(win: Win, win_keyval: i32) -> i32;
    pub fn MPI_Win_detach(win: Win, base: *const c_void) -> i32;
    pub fn PMPI_Win_detach(win: Win, base: *const c_void) -> i32;
    pub fn MPI_Win_fence(assert: i32, win: Win) -> i32;
    pub fn PMPI_Win_fence(assert: i32, win: Win) -> i32;
    pub fn MPI_Win_flush(rank: i32, win: Win) -> i32;
    pub fn PMPI_Win_flush(rank: i32, win: Win) -> i32;
    pub fn MPI_Win_flush_all(win: Win) -> i32;
    pub fn PMPI_Win_flush_all(win: Win) -> i32;
    pub fn MPI_Win_flush_local(rank: i32, win: Win) -> i32;
    pub fn PMPI_Win_flush_local(rank: i32, win: Win) -> i32;
    pub fn MPI_Win_flush_local_all(win: Win) -> i32;
    pub fn PMPI_Win_flush_local_all(win: Win) -> i32;
    pub fn MPI_Win_free(win: *mut Win) -> i32;
    pub fn PMPI_Win_free(win: *mut Win) -> i32;
    pub fn MPI_Win_free_keyval(win_keyval: *mut i32) -> i32;
    pub fn PMPI_Win_free_keyval(win_keyval: *mut i32) -> i32;
    pub fn PMPI_Win_fromint(win: i32) -> Win;
    pub fn MPI_Win_get_attr(win: Win, win_keyval: i32, attribute_val: *mut c_void, flag: *mut i32) -> i32;
    pub fn PMPI_Win_get_attr(win: Win, win_keyval: i32, attribute_val: *mut c_void, flag: *mut i32) -> i32;
    pub fn MPI_Win_get_errhandler(win: Win, errhandler: *mut Errhandler) -> i32;
    pub fn PMPI_Win_get_errhandler(win: Win, errhandler: *mut Errhandler) -> i32;
    pub fn MPI_Win_get_group(win: Win, group: *mut Group) -> i32;
    pub fn PMPI_Win_get_group(win: Win, group: *mut Group) -> i32;
    pub fn MPI_Win_get_info(win: Win, info_used: *mut Info) -> i32;
    pub fn PMPI_Win_get_info(win: Win, info_used: *mut Info) -> i32;
    pub fn MPI_Win_get_name(win: Win, win_name: *mut std::ffi::c_char, resultlen: *mut i32) -> i32;
    pub fn PMPI_Win_get_name(win: Win, win_name: *mut std::ffi::c_char, resultlen: *mut i32) -> i32;
    pub fn MPI_Win_lock(lock_type: i32, rank: i32, assert: i32, win: Win) -> i32;
    pub fn PMPI_Win_lock(lock_type: i32, rank: i32, assert: i32, win: Win) -> i32;
    pub fn MPI_Win_lock_all(assert: i32, win: Win) -> i32;
    pub fn PMPI_Win_lock_all(assert: i32, win: Win) -> i32;
    pub fn MPI_Win_post(group: Group, assert: i32, win: Win) -> i32;
    pub fn PMPI_Win_post(group: Group, assert: i32, win: Win) -> i32;
    pub fn MPI_Win_set_attr(win: Win, win_keyval: i32, attribute_val: *mut c_void) -> i32;
    pub fn PMPI_Win_set_attr(win: Win, win_keyval: i32, attribute_val: *mut c_void) -> i32;
    pub fn MPI_Win_set_errhandler(win: Win, errhandler: Errhandler) -> i32;
    pub fn PMPI_Win_set_errhandler(win: Win, errhandler: Errhandler) -> i32;
    pub fn MPI_Win_set_info(win: Win, info: Info) -> i32;
    pub fn PMPI_Win_set_info(win: Win, info: Info) -> i32;
    pub fn MPI_Win_set_name(win: Win, win_name: *const std::ffi::c_char) -> i32;
    pub fn PMPI_Win_set_name(win: Win, win_name: *const std::ffi::c_char) -> i32;
    pub fn MPI_Win_shared_query(win: Win, rank: i32, size: *mut i64, disp_unit: *mut i32, baseptr: *mut c_void) -> i32;
    pub fn PMPI_Win_shared_query(win: Win, rank: i32, size: *mut i64, disp_unit: *mut i32, baseptr: *mut c_void) -> i32;
    pub fn MPI_Win_shared_query_c(win: Win, rank: i32, size: *mut i64, disp_unit: *mut i64, baseptr: *mut c_void) -> i32;
    pub fn PMPI_Win_shared_query_c(win: Win, rank: i32, size: *mut i64, disp_unit: *mut i64, baseptr: *mut c_void) -> i32;
    pub fn MPI_Win_start(group: Group, assert: i32, win: Win) -> i32;
    pub fn PMPI_Win_start(group: Group, assert: i32, win: Win) -> i32;
    pub fn MPI_Win_sync(win: Win) -> i32;
    pub fn PMPI_Win_sync(win: Win) -> i32;
    pub fn MPI_Win_test(win: Win, flag: *mut i32) -> i32;
    pub fn PMPI_Win_test(win: Win, flag: *mut i32) -> i32;
    pub fn PMPI_Win_toint(win: Win) -> i32;
    pub fn MPI_Win_unlock(rank: i32, win: Win) -> i32;
    pub fn PMPI_Win_unlock(rank: i32, win: Win) -> i32;
    pub fn MPI_Win_unlock_all(win: Win) -> i32;
    pub fn PMPI_Win_unlock_all(win: Win) -> i32;
    pub fn MPI_Win_wait(win: Win) -> i32;
    pub fn PMPI_Win_wait(win: Win) -> i32;
    pub fn MPI_Wtick() -> f64;
    pub fn PMPI_Wtick() -> f64;
    pub fn MPI_Wtime() -> f64;
    pub fn PMPI_Wtime() -> f64;
}

/// Addresses in the order of `edge::c::NAMES`; 0 for those that Fortran lacks.
pub fn addresses() -> impl Iterator<Item = usize> {
    [
        PMPI_Abi_get_fortran_booleans as *const () as usize,
        PMPI_Abi_get_fortran_info as *const () as usize,
        PMPI_Abi_get_info as *const () as usize,
        PMPI_Abi_get_version as *const () as usize,
        PMPI_Abi_set_fortran_booleans as *const () as usize,
        PMPI_Abi_set_fortran_info as *const () as usize,
        PMPI_Abort as *const () as usize,
        PMPI_Accumulate as *const () as usize,
        PMPI_Accumulate_c as *const () as usize,
        PMPI_Add_error_class as *const () as usize,
        PMPI_Add_error_code as *const () as usize,
        PMPI_Add_error_string as *const () as usize,
        PMPI_Aint_add as *const () as usize,
        PMPI_Aint_diff as *const () as usize,
        PMPI_Allgather as *const () as usize,
        PMPI_Allgather_c as *const () as usize,
        PMPI_Allgather_init as *const () as usize,
        PMPI_Allgather_init_c as *const () as usize,
        PMPI_Allgatherv as *const () as usize,
        PMPI_Allgatherv_c as *const () as usize,
        PMPI_Allgatherv_init as *const () as usize,
        PMPI_Allgatherv_init_c as *const () as usize,
        PMPI_Alloc_mem as *const () as usize,
        PMPI_Allreduce as *const () as usize,
        PMPI_Allreduce_c as *const () as usize,
        PMPI_Allreduce_init as *const () as usize,
        PMPI_Allreduce_init_c as *const () as usize,
        PMPI_Alltoall as *const () as usize,
        PMPI_Alltoall_c as *const () as usize,
        PMPI_Alltoall_init as *const () as usize,
        PMPI_Alltoall_init_c as *const () as usize,
        PMPI_Alltoallv as *const () as usize,
        PMPI_Alltoallv_c as *const () as usize,
        PMPI_Alltoallv_init as *const () as usize,
        PMPI_Alltoallv_init_c as *const () as usize,
        PMPI_Alltoallw as *const () as usize,
        PMPI_Alltoallw_c as *const () as usize,
        PMPI_Alltoallw_init as *const () as usize,
        PMPI_Alltoallw_init_c as *const () as usize,
        PMPI_Attr_delete as *const () as usize,
        PMPI_Attr_get as *const () as usize,
        PMPI_Attr_put as *const () as usize,
        PMPI_Barrier as *const () as usize,
        PMPI_Barrier_init as *const () as usize,
        PMPI_Bcast as *const () as usize,
        PMPI_Bcast_c as *const () as usize,
        PMPI_Bcast_init as *const () as usize,
        PMPI_Bcast_init_c as *const () as usize,
        PMPI_Bsend as *const () as usize,
        PMPI_Bsend_c as *const () as usize,
        PMPI_Bsend_init as *const () as usize,
        PMPI_Bsend_init_c as *const () as usize,
        PMPI_Buffer_attach as *const () as usize,
        PMPI_Buffer_attach_c as *const () as usize,
        PMPI_Buffer_detach as *const () as usize,
        PMPI_Buffer_detach_c as *const () as usize,
        PMPI_Buffer_flush as *const () as usize,
        PMPI_Buffer_iflush as *const () as usize,
        PMPI_Cancel as *const () as usize,
        PMPI_Cart_coords as *const () as usize,
        PMPI_Cart_create as *const () as usize,
        PMPI_Cart_get as *const () as usize,
        PMPI_Cart_map as *const () as usize,
        PMPI_Cart_rank as *const () as usize,
        PMPI_Cart_shift as *const () as usize,
        PMPI_Cart_sub as *const () as usize,
        PMPI_Cartdim_get as *const () as usize,
        PMPI_Close_port as *const () as usize,
        PMPI_Comm_accept as *const () as usize,
        PMPI_Comm_attach_buffer as *const () as usize,
        PMPI_Comm_attach_buffer_c as *const () as usize,
        PMPI_Comm_call_errhandler as *const () as usize,
        PMPI_Comm_compare as *const () as usize,
        PMPI_Comm_connect as *const () as usize,
        PMPI_Comm_create as *const () as usize,
        PMPI_Comm_create_errhandler as *const () as usize,
        PMPI_Comm_create_from_group as *const () as usize,
        PMPI_Comm_create_group as *const () as usize,
        PMPI_Comm_create_keyval as *const () as usize,
        PMPI_Comm_delete_attr as *const () as usize,
        PMPI_Comm_detach_buffer as *const () as usize,
        PMPI_Comm_detach_buffer_c as *const () as usize,
        PMPI_Comm_disconnect as *const () as usize,
        PMPI_Comm_dup as *const () as usize,
        PMPI_Comm_dup_with_info as *const () as usize,
        PMPI_Comm_flush_buffer as *const () as usize,
        PMPI_Comm_free as *const () as usize,
        PMPI_Comm_free_keyval as *const () as usize,
        PMPI_Comm_fromint as *const () as usize,
        PMPI_Comm_get_attr as *const () as usize,
        PMPI_Comm_get_errhandler as *const () as usize,
        PMPI_Comm_get_info as *const () as usize,
        PMPI_Comm_get_name as *const () as usize,
        PMPI_Comm_get_parent as *const () as usize,
        PMPI_Comm_group as *const () as usize,
        PMPI_Comm_idup as *const () as usize,
        PMPI_Comm_idup_with_info as *const () as usize,
        PMPI_Comm_iflush_buffer as *const () as usize,
        PMPI_Comm_join as *const () as usize,
        PMPI_Comm_rank as *const () as usize,
        PMPI_Comm_remote_group as *const () as usize,
        PMPI_Comm_remote_size as *const () as usize,
        PMPI_Comm_set_attr as *const () as usize,
        PMPI_Comm_set_errhandler as *const () as usize,
        PMPI_Comm_set_info as *const () as usize,
        PMPI_Comm_set_name as *const () as usize,
        PMPI_Comm_size as *const () as usize,
        PMPI_Comm_spawn as *const () as usize,
        PMPI_Comm_spawn_multiple as *const () as usize,
        PMPI_Comm_split as *const () as usize,
        PMPI_Comm_split_type as *const () as usize,
        PMPI_Comm_test_inter as *const () as usize,
        PMPI_Comm_toint as *const () as usize,
        PMPI_Compare_and_swap as *const () as usize,
        PMPI_Dims_create as *const () as usize,
        PMPI_Dist_graph_create as *const () as usize,
        PMPI_Dist_graph_create_adjacent as *const () as usize,
        PMPI_Dist_graph_neighbors as *const () as usize,
        PMPI_Dist_graph_neighbors_count as *const () as usize,
        PMPI_Errhandler_free as *const () as usize,
        PMPI_Errhandler_fromint as *const () as usize,
        PMPI_Errhandler_toint as *const () as usize,
        PMPI_Error_class as *const () as usize,
        PMPI_Error_string as *const () as usize,
        PMPI_Exscan as *const () as usize,
        PMPI_Exscan_c as *const () as usize,
        PMPI_Exscan_init as *const () as usize,
        PMPI_Exscan_init_c as *const () as usize,
        PMPI_Fetch_and_op as *const () as usize,
        PMPI_File_call_errhandler as *const () as usize,
        PMPI_File_close as *const () as usize,
        PMPI_File_create_errhandler as *const () as usize,
        PMPI_File_delete as *const () as usize,
        PMPI_File_fromint as *const () as usize,
        PMPI_File_get_amode as *const () as usize,
        PMPI_File_get_atomicity as *const () as usize,
        PMPI_File_get_byte_offset as *const () as usize,
        PMPI_File_get_errhandler as *const () as usize,
        PMPI_File_get_group as *const () as usize,
        PMPI_File_get_info as *const () as usize,
        PMPI_File_get_position as *const () as usize,
        PMPI_File_get_position_shared as *const () as usize,
        PMPI_File_get_size as *const () as usize,
        PMPI_File_get_type_extent as *const () as usize,
        PMPI_File_get_type_extent_c as *const () as usize,
        PMPI_File_get_view as *const () as usize,
        PMPI_File_iread as *const () as usize,
        PMPI_File_iread_all as *const () as usize,
        PMPI_File_iread_all_c as *const () as usize,
        PMPI_File_iread_at as *const () as usize,
        PMPI_File_iread_at_all as *const () as usize,
        PMPI_File_iread_at_all_c as *const () as usize,
        PMPI_File_iread_at_c as *const () as usize,
        PMPI_File_iread_c as *const () as usize,
        PMPI_File_iread_shared as *const () as usize,
        PMPI_File_iread_shared_c as *const () as usize,
        PMPI_File_iwrite as *const () as usize,
        PMPI_File_iwrite_all as *const () as usize,
        PMPI_File_iwrite_all_c as *const () as usize,
        PMPI_File_iwrite_at as *const () as usize,
        PMPI_File_iwrite_at_all as *const () as usize,
        PMPI_File_iwrite_at_all_c as *const () as usize,
        PMPI_File_iwrite_at_c as *const () as usize,
        PMPI_File_iwrite_c as *const () as usize,
        PMPI_File_iwrite_shared as *const () as usize,
        PMPI_File_iwrite_shared_c as *const () as usize,
        PMPI_File_open as *const () as usize,
        PMPI_File_preallocate as *const () as usize,
        PMPI_File_read as *const () as usize,
        PMPI_File_read_all as *const () as usize,
        PMPI_File_read_all_begin as *const () as usize,
        PMPI_File_read_all_begin_c as *const () as usize,
        PMPI_File_read_all_c as *const () as usize,
        PMPI_File_read_all_end as *const () as usize,
        PMPI_File_read_at as *const () as usize,
        PMPI_File_read_at_all as *const () as usize,
        PMPI_File_read_at_all_begin as *const () as usize,
        PMPI_File_read_at_all_begin_c as *const () as usize,
        PMPI_File_read_at_all_c as *const () as usize,
        PMPI_File_read_at_all_end as *const () as usize,
        PMPI_File_read_at_c as *const () as usize,
        PMPI_File_read_c as *const () as usize,
        PMPI_File_read_ordered as *const () as usize,
        PMPI_File_read_ordered_begin as *const () as usize,
        PMPI_File_read_ordered_begin_c as *const () as usize,
        PMPI_File_read_ordered_c as *const () as usize,
        PMPI_File_read_ordered_end as *const () as usize,
        PMPI_File_read_shared as *const () as usize,
        PMPI_File_read_shared_c as *const () as usize,
        PMPI_File_seek as *const () as usize,
        PMPI_File_seek_shared as *const () as usize,
        PMPI_File_set_atomicity as *const () as usize,
        PMPI_File_set_errhandler as *const () as usize,
        PMPI_File_set_info as *const () as usize,
        PMPI_File_set_size as *const () as usize,
        PMPI_File_set_view as *const () as usize,
        PMPI_File_sync as *const () as usize,
        PMPI_File_toint as *const () as usize,
        PMPI_File_write as *const () as usize,
        PMPI_File_write_all as *const () as usize,
        PMPI_File_write_all_begin as *const () as usize,
        PMPI_File_write_all_begin_c as *const () as usize,
        PMPI_File_write_all_c as *const () as usize,
        PMPI_File_write_all_end as *const () as usize,
        PMPI_File_write_at as *const () as usize,
        PMPI_File_write_at_all as *const () as usize,
        PMPI_File_write_at_all_begin as *const () as usize,
        PMPI_File_write_at_all_begin_c as *const () as usize,
        PMPI_File_write_at_all_c as *const () as usize,
        PMPI_File_write_at_all_end as *const () as usize,
        PMPI_File_write_at_c as *const () as usize,
        PMPI_File_write_c as *const () as usize,
        PMPI_File_write_ordered as *const () as usize,
        PMPI_File_write_ordered_begin as *const () as usize,
        PMPI_File_write_ordered_begin_c as *const () as usize,
        PMPI_File_write_ordered_c as *const () as usize,
        PMPI_File_write_ordered_end as *const () as usize,
        PMPI_File_write_shared as *const () as usize,
        PMPI_File_write_shared_c as *const () as usize,
        PMPI_Finalize as *const () as usize,
        PMPI_Finalized as *const () as usize,
        PMPI_Free_mem as *const () as usize,
        PMPI_Gather as *const () as usize,
        PMPI_Gather_c as *const () as usize,
        PMPI_Gather_init as *const () as usize,
        PMPI_Gather_init_c as *const () as usize,
        PMPI_Gatherv as *const () as usize,
        PMPI_Gatherv_c as *const () as usize,
        PMPI_Gatherv_init as *const () as usize,
        PMPI_Gatherv_init_c as *const () as usize,
        PMPI_Get as *const () as usize,
        PMPI_Get_accumulate as *const () as usize,
        PMPI_Get_accumulate_c as *const () as usize,
        PMPI_Get_address as *const () as usize,
        PMPI_Get_c as *const () as usize,
        PMPI_Get_count as *const () as usize,
        PMPI_Get_count_c as *const () as usize,
        PMPI_Get_elements as *const () as usize,
        PMPI_Get_elements_c as *const () as usize,
        PMPI_Get_elements_x as *const () as usize,
        PMPI_Get_hw_resource_info as *const () as usize,
        PMPI_Get_library_version as *const () as usize,
        PMPI_Get_processor_name as *const () as usize,
        PMPI_Get_version as *const () as usize,
        PMPI_Graph_create as *const () as usize,
        PMPI_Graph_get as *const () as usize,
        PMPI_Graph_map as *const () as usize,
        PMPI_Graph_neighbors as *const () as usize,
        PMPI_Graph_neighbors_count as *const () as usize,
        PMPI_Graphdims_get as *const () as usize,
        PMPI_Grequest_complete as *const () as usize,
        PMPI_Grequest_start as *const () as usize,
        PMPI_Group_compare as *const () as usize,
        PMPI_Group_difference as *const () as usize,
        PMPI_Group_excl as *const () as usize,
        PMPI_Group_free as *const () as usize,
        PMPI_Group_from_session_pset as *const () as usize,
        PMPI_Group_fromint as *const () as usize,
        PMPI_Group_incl as *const () as usize,
        PMPI_Group_intersection as *const () as usize,
        PMPI_Group_range_excl as *const () as usize,
        PMPI_Group_range_incl as *const () as usize,
        PMPI_Group_rank as *const () as usize,
        PMPI_Group_size as *const () as usize,
        PMPI_Group_toint as *const () as usize,
        PMPI_Group_translate_ranks as *const () as usize,
        PMPI_Group_union as *const () as usize,
        PMPI_Iallgather as *const () as usize,
        PMPI_Iallgather_c as *const () as usize,
        PMPI_Iallgatherv as *const () as usize,
        PMPI_Iallgatherv_c as *const () as usize,
        PMPI_Iallreduce as *const () as usize,
        PMPI_Iallreduce_c as *const () as usize,
        PMPI_Ialltoall as *const () as usize,
        PMPI_Ialltoall_c as *const () as usize,
        PMPI_Ialltoallv as *const () as usize,
        PMPI_Ialltoallv_c as *const () as usize,
        PMPI_Ialltoallw as *const () as usize,
        PMPI_Ialltoallw_c as *const () as usize,
        PMPI_Ibarrier as *const () as usize,
        PMPI_Ibcast as *const () as usize,
        PMPI_Ibcast_c as *const () as usize,
        PMPI_Ibsend as *const () as usize,
        PMPI_Ibsend_c as *const () as usize,
        PMPI_Iexscan as *const () as usize,
        PMPI_Iexscan_c as *const () as usize,
        PMPI_Igather as *const () as usize,
        PMPI_Igather_c as *const () as usize,
        PMPI_Igatherv as *const () as usize,
        PMPI_Igatherv_c as *const () as usize,
        PMPI_Improbe as *const () as usize,
        PMPI_Imrecv as *const () as usize,
        PMPI_Imrecv_c as *const () as usize,
        PMPI_Ineighbor_allgather as *const () as usize,
        PMPI_Ineighbor_allgather_c as *const () as usize,
        PMPI_Ineighbor_allgatherv as *const () as usize,
        PMPI_Ineighbor_allgatherv_c as *const () as usize,
        PMPI_Ineighbor_alltoall as *const () as usize,
        PMPI_Ineighbor_alltoall_c as *const () as usize,
        PMPI_Ineighbor_alltoallv as *const () as usize,
        PMPI_Ineighbor_alltoallv_c as *const () as usize,
        PMPI_Ineighbor_alltoallw as *const () as usize,
        PMPI_Ineighbor_alltoallw_c as *const () as usize,
        PMPI_Info_create as *const () as usize,
        PMPI_Info_create_env as *const () as usize,
        PMPI_Info_delete as *const () as usize,
        PMPI_Info_dup as *const () as usize,
        PMPI_Info_free as *const () as usize,
        PMPI_Info_fromint as *const () as usize,
        PMPI_Info_get as *const () as usize,
        PMPI_Info_get_nkeys as *const () as usize,
        PMPI_Info_get_nthkey as *const () as usize,
        PMPI_Info_get_string as *const () as usize,
        PMPI_Info_get_valuelen as *const () as usize,
        PMPI_Info_set as *const () as usize,
        PMPI_Info_toint as *const () as usize,
        PMPI_Init as *const () as usize,
        PMPI_Init_thread as *const () as usize,
        PMPI_Initialized as *const () as usize,
        PMPI_Intercomm_create as *const () as usize,
        PMPI_Intercomm_create_from_groups as *const () as usize,
        PMPI_Intercomm_merge as *const () as usize,
        PMPI_Iprobe as *const () as usize,
        PMPI_Irecv as *const () as usize,
        PMPI_Irecv_c as *const () as usize,
        PMPI_Ireduce as *const () as usize,
        PMPI_Ireduce_c as *const () as usize,
        PMPI_Ireduce_scatter as *const () as usize,
        PMPI_Ireduce_scatter_block as *const () as usize,
        PMPI_Ireduce_scatter_block_c as *const () as usize,
        PMPI_Ireduce_scatter_c as *const () as usize,
        PMPI_Irsend as *const () as usize,
        PMPI_Irsend_c as *const () as usize,
        PMPI_Is_thread_main as *const () as usize,
        PMPI_Iscan as *const () as usize,
        PMPI_Iscan_c as *const () as usize,
        PMPI_Iscatter as *const () as usize,
        PMPI_Iscatter_c as *const () as usize,
        PMPI_Iscatterv as *const () as usize,
        PMPI_Iscatterv_c as *const () as usize,
        PMPI_Isend as *const () as usize,
        PMPI_Isend_c as *const () as usize,
        PMPI_Isendrecv as *const () as usize,
        PMPI_Isendrecv_c as *const () as usize,
        PMPI_Isendrecv_replace as *const () as usize,
        PMPI_Isendrecv_replace_c as *const () as usize,
        PMPI_Issend as *const () as usize,
        PMPI_Issend_c as *const () as usize,
        PMPI_Keyval_create as *const () as usize,
        PMPI_Keyval_free as *const () as usize,
        PMPI_Lookup_name as *const () as usize,
        PMPI_Message_fromint as *const () as usize,
        PMPI_Message_toint as *const () as usize,
        PMPI_Mprobe as *const () as usize,
        PMPI_Mrecv as *const () as usize,
        PMPI_Mrecv_c as *const () as usize,
        PMPI_Neighbor_allgather as *const () as usize,
        PMPI_Neighbor_allgather_c as *const () as usize,
        PMPI_Neighbor_allgather_init as *const () as usize,
        PMPI_Neighbor_allgather_init_c as *const () as usize,
        PMPI_Neighbor_allgatherv as *const () as usize,
        PMPI_Neighbor_allgatherv_c as *const () as usize,
        PMPI_Neighbor_allgatherv_init as *const () as usize,
        PMPI_Neighbor_allgatherv_init_c as *const () as usize,
        PMPI_Neighbor_alltoall as *const () as usize,
        PMPI_Neighbor_alltoall_c as *const () as usize,
        PMPI_Neighbor_alltoall_init as *const () as usize,
        PMPI_Neighbor_alltoall_init_c as *const () as usize,
        PMPI_Neighbor_alltoallv as *const () as usize,
        PMPI_Neighbor_alltoallv_c as *const () as usize,
        PMPI_Neighbor_alltoallv_init as *const () as usize,
        PMPI_Neighbor_alltoallv_init_c as *const () as usize,
        PMPI_Neighbor_alltoallw as *const () as usize,
        PMPI_Neighbor_alltoallw_c as *const () as usize,
        PMPI_Neighbor_alltoallw_init as *const () as usize,
        PMPI_Neighbor_alltoallw_init_c as *const () as usize,
        PMPI_Op_commutative as *const () as usize,
        PMPI_Op_create as *const () as usize,
        PMPI_Op_create_c as *const () as usize,
        PMPI_Op_free as *const () as usize,
        PMPI_Op_fromint as *const () as usize,
        PMPI_Op_toint as *const () as usize,
        PMPI_Open_port as *const () as usize,
        PMPI_Pack as *const () as usize,
        PMPI_Pack_c as *const () as usize,
        PMPI_Pack_external as *const () as usize,
        PMPI_Pack_external_c as *const () as usize,
        PMPI_Pack_external_size as *const () as usize,
        PMPI_Pack_external_size_c as *const () as usize,
        PMPI_Pack_size as *const () as usize,
        PMPI_Pack_size_c as *const () as usize,
        PMPI_Parrived as *const () as usize,
        PMPI_Pcontrol as *const () as usize,
        PMPI_Pready as *const () as usize,
        PMPI_Pready_list as *const () as usize,
        PMPI_Pready_range as *const () as usize,
        PMPI_Precv_init as *const () as usize,
        PMPI_Probe as *const () as usize,
        PMPI_Psend_init as *const () as usize,
        PMPI_Publish_name as *const () as usize,
        PMPI_Put as *const () as usize,
        PMPI_Put_c as *const () as usize,
        PMPI_Query_thread as *const () as usize,
        PMPI_Raccumulate as *const () as usize,
        PMPI_Raccumulate_c as *const () as usize,
        PMPI_Recv as *const () as usize,
        PMPI_Recv_c as *const () as usize,
        PMPI_Recv_init as *const () as usize,
        PMPI_Recv_init_c as *const () as usize,
        PMPI_Reduce as *const () as usize,
        PMPI_Reduce_c as *const () as usize,
        PMPI_Reduce_init as *const () as usize,
        PMPI_Reduce_init_c as *const () as usize,
        PMPI_Reduce_local as *const () as usize,
        PMPI_Reduce_local_c as *const () as usize,
        PMPI_Reduce_scatter as *const () as usize,
        PMPI_Reduce_scatter_block as *const () as usize,
        PMPI_Reduce_scatter_block_c as *const () as usize,
        PMPI_Reduce_scatter_block_init as *const () as usize,
        PMPI_Reduce_scatter_block_init_c as *const () as usize,
        PMPI_Reduce_scatter_c as *const () as usize,
        PMPI_Reduce_scatter_init as *const () as usize,
        PMPI_Reduce_scatter_init_c as *const () as usize,
        PMPI_Register_datarep as *const () as usize,
        PMPI_Register_datarep_c as *const () as usize,
        PMPI_Remove_error_class as *const () as usize,
        PMPI_Remove_error_code as *const () as usize,
        PMPI_Remove_error_string as *const () as usize,
        PMPI_Request_free as *const () as usize,
        PMPI_Request_fromint as *const () as usize,
        PMPI_Request_get_status as *const () as usize,
        PMPI_Request_get_status_all as *const () as usize,
        PMPI_Request_get_status_any as *const () as usize,
        PMPI_Request_get_status_some as *const () as usize,
        PMPI_Request_toint as *const () as usize,
        PMPI_Rget as *const () as usize,
        PMPI_Rget_accumulate as *const () as usize,
        PMPI_Rget_accumulate_c as *const () as usize,
        PMPI_Rget_c as *const () as usize,
        PMPI_Rput as *const () as usize,
        PMPI_Rput_c as *const () as usize,
        PMPI_Rsend as *const () as usize,
        PMPI_Rsend_c as *const () as usize,
        PMPI_Rsend_init as *const () as usize,
        PMPI_Rsend_init_c as *const () as usize,
        PMPI_Scan as *const () as usize,
        PMPI_Scan_c as *const () as usize,
        PMPI_Scan_init as *const () as usize,
        PMPI_Scan_init_c as *const () as usize,
        PMPI_Scatter as *const () as usize,
        PMPI_Scatter_c as *const () as usize,
        PMPI_Scatter_init as *const () as usize,
        PMPI_Scatter_init_c as *const () as usize,
        PMPI_Scatterv as *const () as usize,
        PMPI_Scatterv_c as *const () as usize,
        PMPI_Scatterv_init as *const () as usize,
        PMPI_Scatterv_init_c as *const () as usize,
        PMPI_Send as *const () as usize,
        PMPI_Send_c as *const () as usize,
        PMPI_Send_init as *const () as usize,
        PMPI_Send_init_c as *const () as usize,
        PMPI_Sendrecv as *const () as usize,
        PMPI_Sendrecv_c as *const () as usize,
        PMPI_Sendrecv_replace as *const () as usize,
        PMPI_Sendrecv_replace_c as *const () as usize,
        PMPI_Session_attach_buffer as *const () as usize,
        PMPI_Session_attach_buffer_c as *const () as usize,
        PMPI_Session_call_errhandler as *const () as usize,
        PMPI_Session_create_errhandler as *const () as usize,
        PMPI_Session_detach_buffer as *const () as usize,
        PMPI_Session_detach_buffer_c as *const () as usize,
        PMPI_Session_finalize as *const () as usize,
        PMPI_Session_flush_buffer as *const () as usize,
        PMPI_Session_fromint as *const () as usize,
        PMPI_Session_get_errhandler as *const () as usize,
        PMPI_Session_get_info as *const () as usize,
        PMPI_Session_get_nth_pset as *const () as usize,
        PMPI_Session_get_num_psets as *const () as usize,
        PMPI_Session_get_pset_info as *const () as usize,
        PMPI_Session_iflush_buffer as *const () as usize,
        PMPI_Session_init as *const () as usize,
        PMPI_Session_set_errhandler as *const () as usize,
        PMPI_Session_toint as *const () as usize,
        PMPI_Ssend as *const () as usize,
        PMPI_Ssend_c as *const () as usize,
        PMPI_Ssend_init as *const () as usize,
        PMPI_Ssend_init_c as *const () as usize,
        PMPI_Start as *const () as usize,
        PMPI_Startall as *const () as usize,
        PMPI_Status_get_error as *const () as usize,
        PMPI_Status_get_source as *const () as usize,
        PMPI_Status_get_tag as *const () as usize,
        PMPI_Status_set_cancelled as *const () as usize,
        PMPI_Status_set_elements as *const () as usize,
        PMPI_Status_set_elements_c as *const () as usize,
        PMPI_Status_set_elements_x as *const () as usize,
        PMPI_Status_set_error as *const () as usize,
        PMPI_Status_set_source as *const () as usize,
        PMPI_Status_set_tag as *const () as usize,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        PMPI_Test as *const () as usize,
        PMPI_Test_cancelled as *const () as usize,
        PMPI_Testall as *const () as usize,
        PMPI_Testany as *const () as usize,
        PMPI_Testsome as *const () as usize,
        PMPI_Topo_test as *const () as usize,
        PMPI_Type_commit as *const () as usize,
        PMPI_Type_contiguous as *const () as usize,
        PMPI_Type_contiguous_c as *const () as usize,
        PMPI_Type_create_darray as *const () as usize,
        PMPI_Type_create_darray_c as *const () as usize,
        PMPI_Type_create_f90_complex as *const () as usize,
        PMPI_Type_create_f90_integer as *const () as usize,
        PMPI_Type_create_f90_real as *const () as usize,
        PMPI_Type_create_hindexed as *const () as usize,
        PMPI_Type_create_hindexed_block as *const () as usize,
        PMPI_Type_create_hindexed_block_c as *const () as usize,
        PMPI_Type_create_hindexed_c as *const () as usize,
        PMPI_Type_create_hvector as *const () as usize,
        PMPI_Type_create_hvector_c as *const () as usize,
        PMPI_Type_create_indexed_block as *const () as usize,
        PMPI_Type_create_indexed_block_c as *const () as usize,
        PMPI_Type_create_keyval as *const () as usize,
        PMPI_Type_create_resized as *const () as usize,
        PMPI_Type_create_resized_c as *const () as usize,
        PMPI_Type_create_struct as *const () as usize,
        PMPI_Type_create_struct_c as *const () as usize,
        PMPI_Type_create_subarray as *const () as usize,
        PMPI_Type_create_subarray_c as *const () as usize,
        PMPI_Type_delete_attr as *const () as usize,
        PMPI_Type_dup as *const () as usize,
        PMPI_Type_free as *const () as usize,
        PMPI_Type_free_keyval as *const () as usize,
        PMPI_Type_fromint as *const () as usize,
        PMPI_Type_get_attr as *const () as usize,
        PMPI_Type_get_contents as *const () as usize,
        PMPI_Type_get_contents_c as *const () as usize,
        PMPI_Type_get_envelope as *const () as usize,
        PMPI_Type_get_envelope_c as *const () as usize,
        PMPI_Type_get_extent as *const () as usize,
        PMPI_Type_get_extent_c as *const () as usize,
        PMPI_Type_get_extent_x as *const () as usize,
        PMPI_Type_get_name as *const () as usize,
        PMPI_Type_get_true_extent as *const () as usize,
        PMPI_Type_get_true_extent_c as *const () as usize,
        PMPI_Type_get_true_extent_x as *const () as usize,
        PMPI_Type_get_value_index as *const () as usize,
        PMPI_Type_indexed as *const () as usize,
        PMPI_Type_indexed_c as *const () as usize,
        PMPI_Type_match_size as *const () as usize,
        PMPI_Type_set_attr as *const () as usize,
        PMPI_Type_set_name as *const () as usize,
        PMPI_Type_size as *const () as usize,
        PMPI_Type_size_c as *const () as usize,
        PMPI_Type_size_x as *const () as usize,
        PMPI_Type_toint as *const () as usize,
        PMPI_Type_vector as *const () as usize,
        PMPI_Type_vector_c as *const () as usize,
        PMPI_Unpack as *const () as usize,
        PMPI_Unpack_c as *const () as usize,
        PMPI_Unpack_external as *const () as usize,
        PMPI_Unpack_external_c as *const () as usize,
        PMPI_Unpublish_name as *const () as usize,
        PMPI_Wait as *const () as usize,
        PMPI_Waitall as *const () as usize,
        PMPI_Waitany as *const () as usize,
        PMPI_Waitsome as *const () as usize,
        PMPI_Win_allocate as *const () as usize,
        PMPI_Win_allocate_c as *const () as usize,
        PMPI_Win_allocate_shared as *const () as usize,
        PMPI_Win_allocate_shared_c as *const () as usize,
        PMPI_Win_attach as *const () as usize,
        PMPI_Win_call_errhandler as *const () as usize,
        PMPI_Win_complete as *const () as usize,
        PMPI_Win_create as *const () as usize,
        PMPI_Win_create_c as *const () as usize,
        PMPI_Win_create_dynamic as *const () as usize,
        PMPI_Win_create_errhandler as *const () as usize,
        PMPI_Win_create_keyval as *const () as usize,
        PMPI_Win_delete_attr as *const () as usize,
        PMPI_Win_detach as *const () as usize,
        PMPI_Win_fence as *const () as usize,
        PMPI_Win_flush as *const () as usize,
        PMPI_Win_flush_all as *const () as usize,
        PMPI_Win_flush_local as *const () as usize,
        PMPI_Win_flush_local_all as *const () as usize,
        PMPI_Win_free as *const () as usize,
        PMPI_Win_free_keyval as *const () as usize,
        PMPI_Win_fromint as *const () as usize,
        PMPI_Win_get_attr as *const () as usize,
        PMPI_Win_get_errhandler as *const () as usize,
        PMPI_Win_get_group as *const () as usize,
        PMPI_Win_get_info as *const () as usize,
        PMPI_Win_get_name as *const () as usize,
        PMPI_Win_lock as *const () as usize,
        PMPI_Win_lock_all as *const () as usize,
        PMPI_Win_post as *const () as usize,
        PMPI_Win_set_attr as *const () as usize,
        PMPI_Win_set_errhandler as *const () as usize,
        PMPI_Win_set_info as *const () as usize,
        PMPI_Win_set_name as *const () as usize,
        PMPI_Win_shared_query as *const () as usize,
        PMPI_Win_shared_query_c as *const () as usize,
        PMPI_Win_start as *const () as usize,
        PMPI_Win_sync as *const () as usize,
        PMPI_Win_test as *const () as usize,
        PMPI_Win_toint as *const () as usize,
        PMPI_Win_unlock as *const () as usize,
        PMPI_Win_unlock_all as *const () as usize,
        PMPI_Win_wait as *const () as usize,
        PMPI_Wtick as *const () as usize,
        PMPI_Wtime as *const () as usize,
    ]
    .into_iter()
}

extension!([MPIX_Comm_revoke PMPIX_Comm_revoke] (comm: Comm));
extension!([MPIX_Comm_is_revoked PMPIX_Comm_is_revoked] (comm: Comm, flag: *mut i32));
extension!([MPIX_Comm_get_failed PMPIX_Comm_get_failed] (comm: Comm, failedgrp: *mut Group));
extension!([MPIX_Comm_ack_failed PMPIX_Comm_ack_failed] (comm: Comm, num_to_ack: i32, num_acked: *mut i32));
extension!([MPIX_Comm_failure_ack PMPIX_Comm_failure_ack] (comm: Comm));
extension!([MPIX_Comm_failure_get_acked PMPIX_Comm_failure_get_acked] (comm: Comm, failedgrp: *mut Group));
extension!([MPIX_Comm_agree PMPIX_Comm_agree] (comm: Comm, flag: *mut i32));
extension!([MPIX_Comm_iagree PMPIX_Comm_iagree] (comm: Comm, flag: *mut i32, request: *mut Request));
extension!([MPIX_Comm_shrink PMPIX_Comm_shrink] (comm: Comm, newcomm: *mut Comm));
extension!([MPIX_Comm_ishrink PMPIX_Comm_ishrink] (comm: Comm, newcomm: *mut Comm, request: *mut Request));
