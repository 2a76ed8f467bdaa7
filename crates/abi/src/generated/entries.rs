//! The C entry points: every `MPI_` and `PMPI_` function.
//!
//! Made by `cargo xtask gen` from `spec/`; do not edit.

#![cfg_attr(rustfmt, rustfmt_skip)]

#![allow(non_snake_case, unused_imports, unused_variables)]
#![allow(clippy::needless_update, clippy::redundant_closure)]

use std::ffi::c_void;

use abi_state::args::{self, IntPtr};
use abi_state::failure::On;
use abi_state::generated::constants::*;
use abi_state::generated::types::*;
use abi_state::hooks;

use super::decode;
use crate::calls;
use crate::entry::entry;
use crate::wall;

entry!(MPI_Abi_get_fortran_booleans PMPI_Abi_get_fortran_booleans(logical_size: i32, logical_true: *mut c_void, logical_false: *mut c_void, is_set: *mut i32) -> i32 {
    wall::call(&"MPI_Abi_get_fortran_booleans", On::Nothing, move || decode::abi_get_fortran_booleans(logical_size, logical_true, logical_false, is_set))
});
entry!(MPI_Abi_get_fortran_info PMPI_Abi_get_fortran_info(info: *mut Info) -> i32 {
    wall::call(&"MPI_Abi_get_fortran_info", On::Nothing, move || args::require(info, "info").and_then(|()| decode::abi_get_fortran_info(info)).inspect_err(|_| { args::nullify(info, MPI_INFO_NULL); }))
});
entry!(MPI_Abi_get_info PMPI_Abi_get_info(info: *mut Info) -> i32 {
    wall::call(&"MPI_Abi_get_info", On::Nothing, move || args::require(info, "info").and_then(|()| decode::abi_get_info(info)).inspect_err(|_| { args::nullify(info, MPI_INFO_NULL); }))
});
entry!(MPI_Abi_get_version PMPI_Abi_get_version(abi_major: *mut i32, abi_minor: *mut i32) -> i32 {
    wall::call(&"MPI_Abi_get_version", On::Nothing, move || decode::abi_get_version(abi_major, abi_minor))
});
entry!(MPI_Abi_set_fortran_booleans PMPI_Abi_set_fortran_booleans(logical_size: i32, logical_true: *mut c_void, logical_false: *mut c_void) -> i32 {
    wall::call(&"MPI_Abi_set_fortran_booleans", On::Nothing, move || decode::abi_set_fortran_booleans(logical_size, logical_true, logical_false))
});
entry!(MPI_Abi_set_fortran_info PMPI_Abi_set_fortran_info(info: Info) -> i32 {
    wall::call(&"MPI_Abi_set_fortran_info", On::Nothing, move || calls::abi_info::abi_set_fortran_info(info))
});
entry!(MPI_Abort PMPI_Abort(comm: Comm, errorcode: i32) -> i32 {
    wall::call(&"MPI_Abort", On::Comm(comm), move || calls::init::abort(comm, errorcode))
});
entry!(MPI_Accumulate PMPI_Accumulate(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, op: Op, win: Win) -> i32 {
    wall::call_noted(&"MPI_Accumulate", On::Win(win), move || hooks::Note { role: hooks::Role::Puts, sent: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::accumulate(origin_addr, i64::from(origin_count), origin_datatype, target_rank, target_disp, i64::from(target_count), target_datatype, op, win))
});
entry!(MPI_Accumulate_c PMPI_Accumulate_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win) -> i32 {
    wall::call_noted(&"MPI_Accumulate_c", On::Win(win), move || hooks::Note { role: hooks::Role::Puts, sent: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::accumulate(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win))
});
entry!(MPI_Add_error_class PMPI_Add_error_class(errorclass: *mut i32) -> i32 {
    wall::call(&"MPI_Add_error_class", On::Nothing, move || decode::add_error_class(errorclass))
});
entry!(MPI_Add_error_code PMPI_Add_error_code(errorclass: i32, errorcode: *mut i32) -> i32 {
    wall::call(&"MPI_Add_error_code", On::Nothing, move || decode::add_error_code(errorclass, errorcode))
});
entry!(MPI_Add_error_string PMPI_Add_error_string(errorcode: i32, string: *const std::ffi::c_char) -> i32 {
    wall::call(&"MPI_Add_error_string", On::Nothing, move || decode::add_error_string(errorcode, string))
});
entry!(MPI_Aint_add PMPI_Aint_add(base: i64, disp: i64) -> i64 {
    wall::value("MPI_Aint_add", || calls::env::aint_add(base, disp))
});
entry!(MPI_Aint_diff PMPI_Aint_diff(addr1: i64, addr2: i64) -> i64 {
    wall::value("MPI_Aint_diff", || calls::env::aint_diff(addr1, addr2))
});
entry!(MPI_Allgather PMPI_Allgather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Allgather", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::allgather(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm))
});
entry!(MPI_Allgather_c PMPI_Allgather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Allgather_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
});
entry!(MPI_Allgather_init PMPI_Allgather_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Allgather_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::allgather_init(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Allgather_init_c PMPI_Allgather_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Allgather_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Allgatherv PMPI_Allgatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Allgatherv", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::allgatherv(sendbuf, i64::from(sendcount), sendtype, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(displs), recvtype, comm))
});
entry!(MPI_Allgatherv_c PMPI_Allgatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Allgatherv_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::allgatherv(sendbuf, sendcount, sendtype, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(displs), recvtype, comm))
});
entry!(MPI_Allgatherv_init PMPI_Allgatherv_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Allgatherv_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::allgatherv_init(sendbuf, i64::from(sendcount), sendtype, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(displs), recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Allgatherv_init_c PMPI_Allgatherv_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Allgatherv_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::allgatherv_init(sendbuf, sendcount, sendtype, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(displs), recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Alloc_mem PMPI_Alloc_mem(size: i64, info: Info, baseptr: *mut c_void) -> i32 {
    wall::call(&"MPI_Alloc_mem", On::Nothing, move || decode::alloc_mem(size, info, baseptr))
});
entry!(MPI_Allreduce PMPI_Allreduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Allreduce", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::allreduce(sendbuf, recvbuf, i64::from(count), datatype, op, comm))
});
entry!(MPI_Allreduce_c PMPI_Allreduce_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Allreduce_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::allreduce(sendbuf, recvbuf, count, datatype, op, comm))
});
entry!(MPI_Allreduce_init PMPI_Allreduce_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Allreduce_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::allreduce_init(sendbuf, recvbuf, i64::from(count), datatype, op, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Allreduce_init_c PMPI_Allreduce_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Allreduce_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::allreduce_init(sendbuf, recvbuf, count, datatype, op, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Alltoall PMPI_Alltoall(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Alltoall", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::alltoall(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm))
});
entry!(MPI_Alltoall_c PMPI_Alltoall_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Alltoall_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
});
entry!(MPI_Alltoall_init PMPI_Alltoall_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Alltoall_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::alltoall_init(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Alltoall_init_c PMPI_Alltoall_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Alltoall_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Alltoallv PMPI_Alltoallv(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Alltoallv", On::Comm(comm), move || hooks::Note { sent: hooks::Side { counts: IntPtr::narrow(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::alltoallv(sendbuf, IntPtr::narrow(sendcounts), IntPtr::narrow(sdispls), sendtype, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(rdispls), recvtype, comm))
});
entry!(MPI_Alltoallv_c PMPI_Alltoallv_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Alltoallv_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { counts: IntPtr::wide(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::alltoallv(sendbuf, IntPtr::wide(sendcounts), IntPtr::wide(sdispls), sendtype, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(rdispls), recvtype, comm))
});
entry!(MPI_Alltoallv_init PMPI_Alltoallv_init(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Alltoallv_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { counts: IntPtr::narrow(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::alltoallv_init(sendbuf, IntPtr::narrow(sendcounts), IntPtr::narrow(sdispls), sendtype, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(rdispls), recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Alltoallv_init_c PMPI_Alltoallv_init_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Alltoallv_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { counts: IntPtr::wide(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::alltoallv_init(sendbuf, IntPtr::wide(sendcounts), IntPtr::wide(sdispls), sendtype, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(rdispls), recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Alltoallw PMPI_Alltoallw(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtypes: *const Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Alltoallw", On::Comm(comm), move || hooks::Note { sent: hooks::Side { counts: IntPtr::narrow(sendcounts), types: sendtypes, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), types: recvtypes, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::alltoallw(sendbuf, IntPtr::narrow(sendcounts), IntPtr::narrow(sdispls), sendtypes, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(rdispls), recvtypes, comm))
});
entry!(MPI_Alltoallw_c PMPI_Alltoallw_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Alltoallw_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { counts: IntPtr::wide(sendcounts), types: sendtypes, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), types: recvtypes, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::alltoallw(sendbuf, IntPtr::wide(sendcounts), IntPtr::wide(sdispls), sendtypes, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(rdispls), recvtypes, comm))
});
entry!(MPI_Alltoallw_init PMPI_Alltoallw_init(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtypes: *const Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Alltoallw_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { counts: IntPtr::narrow(sendcounts), types: sendtypes, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), types: recvtypes, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::alltoallw_init(sendbuf, IntPtr::narrow(sendcounts), IntPtr::narrow(sdispls), sendtypes, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(rdispls), recvtypes, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Alltoallw_init_c PMPI_Alltoallw_init_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Alltoallw_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { counts: IntPtr::wide(sendcounts), types: sendtypes, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), types: recvtypes, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::alltoallw_init(sendbuf, IntPtr::wide(sendcounts), IntPtr::wide(sdispls), sendtypes, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(rdispls), recvtypes, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Attr_delete PMPI_Attr_delete(comm: Comm, keyval: i32) -> i32 {
    wall::call(&"MPI_Attr_delete", On::Comm(comm), move || calls::attr::attr_delete(comm, keyval))
});
entry!(MPI_Attr_get PMPI_Attr_get(comm: Comm, keyval: i32, attribute_val: *mut c_void, flag: *mut i32) -> i32 {
    wall::call(&"MPI_Attr_get", On::Comm(comm), move || decode::attr_get(comm, keyval, attribute_val, flag))
});
entry!(MPI_Attr_put PMPI_Attr_put(comm: Comm, keyval: i32, attribute_val: *mut c_void) -> i32 {
    wall::call(&"MPI_Attr_put", On::Comm(comm), move || calls::attr::attr_put(comm, keyval, attribute_val))
});
entry!(MPI_Barrier PMPI_Barrier(comm: Comm) -> i32 {
    wall::call(&"MPI_Barrier", On::Comm(comm), move || decode::barrier(comm))
});
entry!(MPI_Barrier_init PMPI_Barrier_init(comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Barrier_init", On::Comm(comm), move || hooks::Note { requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::barrier_init(comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Bcast PMPI_Bcast(buffer: *mut c_void, count: i32, datatype: Datatype, root: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Bcast", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: count as i64, datatype, buffer: buffer as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: count as i64, datatype, buffer: buffer as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::bcast(buffer, i64::from(count), datatype, root, comm))
});
entry!(MPI_Bcast_c PMPI_Bcast_c(buffer: *mut c_void, count: i64, datatype: Datatype, root: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Bcast_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: count as i64, datatype, buffer: buffer as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: count as i64, datatype, buffer: buffer as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::bcast(buffer, count, datatype, root, comm))
});
entry!(MPI_Bcast_init PMPI_Bcast_init(buffer: *mut c_void, count: i32, datatype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Bcast_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: count as i64, datatype, buffer: buffer as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: count as i64, datatype, buffer: buffer as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::bcast_init(buffer, i64::from(count), datatype, root, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Bcast_init_c PMPI_Bcast_init_c(buffer: *mut c_void, count: i64, datatype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Bcast_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: count as i64, datatype, buffer: buffer as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: count as i64, datatype, buffer: buffer as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::bcast_init(buffer, count, datatype, root, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Bsend PMPI_Bsend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Bsend", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::bsend(buf, i64::from(count), datatype, dest, tag, comm))
});
entry!(MPI_Bsend_c PMPI_Bsend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Bsend_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::bsend(buf, count, datatype, dest, tag, comm))
});
entry!(MPI_Bsend_init PMPI_Bsend_init(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Bsend_init", On::Comm(comm), move || hooks::Note { role: hooks::Role::PreparesSend, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::bsend_init(buf, i64::from(count), datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Bsend_init_c PMPI_Bsend_init_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Bsend_init_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::PreparesSend, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::bsend_init(buf, count, datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Buffer_attach PMPI_Buffer_attach(buffer: *mut c_void, size: i32) -> i32 {
    wall::call_noted(&"MPI_Buffer_attach", On::Nothing, move || hooks::Note { sent: hooks::Side { buffer: buffer as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::buffer_attach(buffer, i64::from(size)))
});
entry!(MPI_Buffer_attach_c PMPI_Buffer_attach_c(buffer: *mut c_void, size: i64) -> i32 {
    wall::call_noted(&"MPI_Buffer_attach_c", On::Nothing, move || hooks::Note { sent: hooks::Side { buffer: buffer as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::buffer_attach(buffer, size))
});
entry!(MPI_Buffer_detach PMPI_Buffer_detach(buffer_addr: *mut c_void, size: *mut i32) -> i32 {
    wall::call(&"MPI_Buffer_detach", On::Nothing, move || decode::buffer_detach(buffer_addr, IntPtr::narrow(size)))
});
entry!(MPI_Buffer_detach_c PMPI_Buffer_detach_c(buffer_addr: *mut c_void, size: *mut i64) -> i32 {
    wall::call(&"MPI_Buffer_detach_c", On::Nothing, move || decode::buffer_detach(buffer_addr, IntPtr::wide(size)))
});
entry!(MPI_Buffer_flush PMPI_Buffer_flush() -> i32 {
    wall::call(&"MPI_Buffer_flush", On::Nothing, move || calls::bsend::buffer_flush())
});
entry!(MPI_Buffer_iflush PMPI_Buffer_iflush(request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Buffer_iflush", On::Nothing, move || hooks::Note { requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::buffer_iflush(request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Cancel PMPI_Cancel(request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Cancel", On::Nothing, move || hooks::Note { requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || decode::cancel(request))
});
entry!(MPI_Cart_coords PMPI_Cart_coords(comm: Comm, rank: i32, maxdims: i32, coords: *mut i32) -> i32 {
    wall::call(&"MPI_Cart_coords", On::Comm(comm), move || decode::cart_coords(comm, rank, maxdims, coords))
});
entry!(MPI_Cart_create PMPI_Cart_create(comm_old: Comm, ndims: i32, dims: *const i32, periods: *const i32, reorder: i32, comm_cart: *mut Comm) -> i32 {
    wall::call(&"MPI_Cart_create", On::Comm(comm_old), move || args::require(comm_cart, "comm_cart").and_then(|()| decode::cart_create(comm_old, ndims, dims, periods, reorder, comm_cart)).inspect_err(|_| { args::nullify(comm_cart, MPI_COMM_NULL); }))
});
entry!(MPI_Cart_get PMPI_Cart_get(comm: Comm, maxdims: i32, dims: *mut i32, periods: *mut i32, coords: *mut i32) -> i32 {
    wall::call(&"MPI_Cart_get", On::Comm(comm), move || decode::cart_get(comm, maxdims, dims, periods, coords))
});
entry!(MPI_Cart_map PMPI_Cart_map(comm: Comm, ndims: i32, dims: *const i32, periods: *const i32, newrank: *mut i32) -> i32 {
    wall::call(&"MPI_Cart_map", On::Comm(comm), move || decode::cart_map(comm, ndims, dims, periods, newrank))
});
entry!(MPI_Cart_rank PMPI_Cart_rank(comm: Comm, coords: *const i32, rank: *mut i32) -> i32 {
    wall::call(&"MPI_Cart_rank", On::Comm(comm), move || decode::cart_rank(comm, coords, rank))
});
entry!(MPI_Cart_shift PMPI_Cart_shift(comm: Comm, direction: i32, disp: i32, rank_source: *mut i32, rank_dest: *mut i32) -> i32 {
    wall::call(&"MPI_Cart_shift", On::Comm(comm), move || decode::cart_shift(comm, direction, disp, rank_source, rank_dest))
});
entry!(MPI_Cart_sub PMPI_Cart_sub(comm: Comm, remain_dims: *const i32, newcomm: *mut Comm) -> i32 {
    wall::call(&"MPI_Cart_sub", On::Comm(comm), move || args::require(newcomm, "newcomm").and_then(|()| decode::cart_sub(comm, remain_dims, newcomm)).inspect_err(|_| { args::nullify(newcomm, MPI_COMM_NULL); }))
});
entry!(MPI_Cartdim_get PMPI_Cartdim_get(comm: Comm, ndims: *mut i32) -> i32 {
    wall::call(&"MPI_Cartdim_get", On::Comm(comm), move || decode::cartdim_get(comm, ndims))
});
entry!(MPI_Close_port PMPI_Close_port(port_name: *const std::ffi::c_char) -> i32 {
    wall::call(&"MPI_Close_port", On::Nothing, move || decode::close_port(port_name))
});
entry!(MPI_Comm_accept PMPI_Comm_accept(port_name: *const std::ffi::c_char, info: Info, root: i32, comm: Comm, newcomm: *mut Comm) -> i32 {
    wall::call(&"MPI_Comm_accept", On::Comm(comm), move || args::require(newcomm, "newcomm").and_then(|()| decode::comm_accept(port_name, info, root, comm, newcomm)).inspect_err(|_| { args::nullify(newcomm, MPI_COMM_NULL); }))
});
entry!(MPI_Comm_attach_buffer PMPI_Comm_attach_buffer(comm: Comm, buffer: *mut c_void, size: i32) -> i32 {
    wall::call_noted(&"MPI_Comm_attach_buffer", On::Comm(comm), move || hooks::Note { sent: hooks::Side { buffer: buffer as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::comm_attach_buffer(comm, buffer, i64::from(size)))
});
entry!(MPI_Comm_attach_buffer_c PMPI_Comm_attach_buffer_c(comm: Comm, buffer: *mut c_void, size: i64) -> i32 {
    wall::call_noted(&"MPI_Comm_attach_buffer_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { buffer: buffer as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::comm_attach_buffer(comm, buffer, size))
});
entry!(MPI_Comm_call_errhandler PMPI_Comm_call_errhandler(comm: Comm, errorcode: i32) -> i32 {
    wall::call(&"MPI_Comm_call_errhandler", On::Comm(comm), move || calls::errhandler::comm_call_errhandler(comm, errorcode))
});
entry!(MPI_Comm_compare PMPI_Comm_compare(comm1: Comm, comm2: Comm, result: *mut i32) -> i32 {
    wall::call(&"MPI_Comm_compare", On::Comm(comm1), move || decode::comm_compare(comm1, comm2, result))
});
entry!(MPI_Comm_connect PMPI_Comm_connect(port_name: *const std::ffi::c_char, info: Info, root: i32, comm: Comm, newcomm: *mut Comm) -> i32 {
    wall::call(&"MPI_Comm_connect", On::Comm(comm), move || args::require(newcomm, "newcomm").and_then(|()| decode::comm_connect(port_name, info, root, comm, newcomm)).inspect_err(|_| { args::nullify(newcomm, MPI_COMM_NULL); }))
});
entry!(MPI_Comm_create PMPI_Comm_create(comm: Comm, group: Group, newcomm: *mut Comm) -> i32 {
    wall::call(&"MPI_Comm_create", On::Comm(comm), move || args::require(newcomm, "newcomm").and_then(|()| decode::comm_create(comm, group, newcomm)).inspect_err(|_| { args::nullify(newcomm, MPI_COMM_NULL); }))
});
entry!(MPI_Comm_create_errhandler PMPI_Comm_create_errhandler(comm_errhandler_fn: CommErrhandlerFunction, errhandler: *mut Errhandler) -> i32 {
    wall::call(&"MPI_Comm_create_errhandler", On::Nothing, move || args::require(errhandler, "errhandler").and_then(|()| decode::comm_create_errhandler(comm_errhandler_fn, errhandler)).inspect_err(|_| { args::nullify(errhandler, MPI_ERRHANDLER_NULL); }))
});
entry!(MPI_Comm_create_from_group PMPI_Comm_create_from_group(group: Group, stringtag: *const std::ffi::c_char, info: Info, errhandler: Errhandler, newcomm: *mut Comm) -> i32 {
    wall::call(&"MPI_Comm_create_from_group", On::Handler(errhandler), move || args::require(newcomm, "newcomm").and_then(|()| decode::comm_create_from_group(group, stringtag, info, errhandler, newcomm)).inspect_err(|_| { args::nullify(newcomm, MPI_COMM_NULL); }))
});
entry!(MPI_Comm_create_group PMPI_Comm_create_group(comm: Comm, group: Group, tag: i32, newcomm: *mut Comm) -> i32 {
    wall::call(&"MPI_Comm_create_group", On::Comm(comm), move || args::require(newcomm, "newcomm").and_then(|()| decode::comm_create_group(comm, group, tag, newcomm)).inspect_err(|_| { args::nullify(newcomm, MPI_COMM_NULL); }))
});
entry!(MPI_Comm_create_keyval PMPI_Comm_create_keyval(comm_copy_attr_fn: CommCopyAttrFunction, comm_delete_attr_fn: CommDeleteAttrFunction, comm_keyval: *mut i32, extra_state: *mut c_void) -> i32 {
    wall::call(&"MPI_Comm_create_keyval", On::Nothing, move || decode::comm_create_keyval(comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval, extra_state))
});
entry!(MPI_Comm_delete_attr PMPI_Comm_delete_attr(comm: Comm, comm_keyval: i32) -> i32 {
    wall::call(&"MPI_Comm_delete_attr", On::Comm(comm), move || calls::attr::comm_delete_attr(comm, comm_keyval))
});
entry!(MPI_Comm_detach_buffer PMPI_Comm_detach_buffer(comm: Comm, buffer_addr: *mut c_void, size: *mut i32) -> i32 {
    wall::call(&"MPI_Comm_detach_buffer", On::Comm(comm), move || decode::comm_detach_buffer(comm, buffer_addr, IntPtr::narrow(size)))
});
entry!(MPI_Comm_detach_buffer_c PMPI_Comm_detach_buffer_c(comm: Comm, buffer_addr: *mut c_void, size: *mut i64) -> i32 {
    wall::call(&"MPI_Comm_detach_buffer_c", On::Comm(comm), move || decode::comm_detach_buffer(comm, buffer_addr, IntPtr::wide(size)))
});
entry!(MPI_Comm_disconnect PMPI_Comm_disconnect(comm: *mut Comm) -> i32 {
    wall::call(&"MPI_Comm_disconnect", On::Nothing, move || decode::comm_disconnect(comm))
});
entry!(MPI_Comm_dup PMPI_Comm_dup(comm: Comm, newcomm: *mut Comm) -> i32 {
    wall::call(&"MPI_Comm_dup", On::Comm(comm), move || args::require(newcomm, "newcomm").and_then(|()| decode::comm_dup(comm, newcomm)).inspect_err(|_| { args::nullify(newcomm, MPI_COMM_NULL); }))
});
entry!(MPI_Comm_dup_with_info PMPI_Comm_dup_with_info(comm: Comm, info: Info, newcomm: *mut Comm) -> i32 {
    wall::call(&"MPI_Comm_dup_with_info", On::Comm(comm), move || args::require(newcomm, "newcomm").and_then(|()| decode::comm_dup_with_info(comm, info, newcomm)).inspect_err(|_| { args::nullify(newcomm, MPI_COMM_NULL); }))
});
entry!(MPI_Comm_flush_buffer PMPI_Comm_flush_buffer(comm: Comm) -> i32 {
    wall::call(&"MPI_Comm_flush_buffer", On::Comm(comm), move || calls::bsend::comm_flush_buffer(comm))
});
entry!(MPI_Comm_free PMPI_Comm_free(comm: *mut Comm) -> i32 {
    wall::call(&"MPI_Comm_free", On::Nothing, move || decode::comm_free(comm))
});
entry!(MPI_Comm_free_keyval PMPI_Comm_free_keyval(comm_keyval: *mut i32) -> i32 {
    wall::call(&"MPI_Comm_free_keyval", On::Nothing, move || decode::comm_free_keyval(comm_keyval))
});
entry!(MPI_Comm_fromint PMPI_Comm_fromint(comm: i32) -> Comm {
    wall::value("MPI_Comm_fromint", || calls::convert::comm_fromint(comm))
});
entry!(MPI_Comm_get_attr PMPI_Comm_get_attr(comm: Comm, comm_keyval: i32, attribute_val: *mut c_void, flag: *mut i32) -> i32 {
    wall::call(&"MPI_Comm_get_attr", On::Comm(comm), move || decode::comm_get_attr(comm, comm_keyval, attribute_val, flag))
});
entry!(MPI_Comm_get_errhandler PMPI_Comm_get_errhandler(comm: Comm, errhandler: *mut Errhandler) -> i32 {
    wall::call(&"MPI_Comm_get_errhandler", On::Comm(comm), move || args::require(errhandler, "errhandler").and_then(|()| decode::comm_get_errhandler(comm, errhandler)).inspect_err(|_| { args::nullify(errhandler, MPI_ERRHANDLER_NULL); }))
});
entry!(MPI_Comm_get_info PMPI_Comm_get_info(comm: Comm, info_used: *mut Info) -> i32 {
    wall::call(&"MPI_Comm_get_info", On::Comm(comm), move || args::require(info_used, "info_used").and_then(|()| decode::comm_get_info(comm, info_used)).inspect_err(|_| { args::nullify(info_used, MPI_INFO_NULL); }))
});
entry!(MPI_Comm_get_name PMPI_Comm_get_name(comm: Comm, comm_name: *mut std::ffi::c_char, resultlen: *mut i32) -> i32 {
    wall::call(&"MPI_Comm_get_name", On::Comm(comm), move || decode::comm_get_name(comm, comm_name, resultlen))
});
entry!(MPI_Comm_get_parent PMPI_Comm_get_parent(parent: *mut Comm) -> i32 {
    wall::call(&"MPI_Comm_get_parent", On::Nothing, move || args::require(parent, "parent").and_then(|()| decode::comm_get_parent(parent)).inspect_err(|_| { args::nullify(parent, MPI_COMM_NULL); }))
});
entry!(MPI_Comm_group PMPI_Comm_group(comm: Comm, group: *mut Group) -> i32 {
    wall::call(&"MPI_Comm_group", On::Comm(comm), move || args::require(group, "group").and_then(|()| decode::comm_group(comm, group)).inspect_err(|_| { args::nullify(group, MPI_GROUP_NULL); }))
});
entry!(MPI_Comm_idup PMPI_Comm_idup(comm: Comm, newcomm: *mut Comm, request: *mut Request) -> i32 {
    wall::call(&"MPI_Comm_idup", On::Comm(comm), move || args::require(newcomm, "newcomm").and_then(|()| args::require(request, "request").and_then(|()| decode::comm_idup(comm, newcomm, request))).inspect_err(|_| { args::nullify(newcomm, MPI_COMM_NULL); args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Comm_idup_with_info PMPI_Comm_idup_with_info(comm: Comm, info: Info, newcomm: *mut Comm, request: *mut Request) -> i32 {
    wall::call(&"MPI_Comm_idup_with_info", On::Comm(comm), move || args::require(newcomm, "newcomm").and_then(|()| args::require(request, "request").and_then(|()| decode::comm_idup_with_info(comm, info, newcomm, request))).inspect_err(|_| { args::nullify(newcomm, MPI_COMM_NULL); args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Comm_iflush_buffer PMPI_Comm_iflush_buffer(comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Comm_iflush_buffer", On::Comm(comm), move || hooks::Note { requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::comm_iflush_buffer(comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Comm_join PMPI_Comm_join(fd: i32, intercomm: *mut Comm) -> i32 {
    wall::call(&"MPI_Comm_join", On::Nothing, move || args::require(intercomm, "intercomm").and_then(|()| decode::comm_join(fd, intercomm)).inspect_err(|_| { args::nullify(intercomm, MPI_COMM_NULL); }))
});
entry!(MPI_Comm_rank PMPI_Comm_rank(comm: Comm, rank: *mut i32) -> i32 {
    wall::call(&"MPI_Comm_rank", On::Comm(comm), move || decode::comm_rank(comm, rank))
});
entry!(MPI_Comm_remote_group PMPI_Comm_remote_group(comm: Comm, group: *mut Group) -> i32 {
    wall::call(&"MPI_Comm_remote_group", On::Comm(comm), move || args::require(group, "group").and_then(|()| decode::comm_remote_group(comm, group)).inspect_err(|_| { args::nullify(group, MPI_GROUP_NULL); }))
});
entry!(MPI_Comm_remote_size PMPI_Comm_remote_size(comm: Comm, size: *mut i32) -> i32 {
    wall::call(&"MPI_Comm_remote_size", On::Comm(comm), move || decode::comm_remote_size(comm, size))
});
entry!(MPI_Comm_set_attr PMPI_Comm_set_attr(comm: Comm, comm_keyval: i32, attribute_val: *mut c_void) -> i32 {
    wall::call(&"MPI_Comm_set_attr", On::Comm(comm), move || calls::attr::comm_set_attr(comm, comm_keyval, attribute_val))
});
entry!(MPI_Comm_set_errhandler PMPI_Comm_set_errhandler(comm: Comm, errhandler: Errhandler) -> i32 {
    wall::call(&"MPI_Comm_set_errhandler", On::Comm(comm), move || calls::errhandler::comm_set_errhandler(comm, errhandler))
});
entry!(MPI_Comm_set_info PMPI_Comm_set_info(comm: Comm, info: Info) -> i32 {
    wall::call(&"MPI_Comm_set_info", On::Comm(comm), move || calls::comm::comm_set_info(comm, info))
});
entry!(MPI_Comm_set_name PMPI_Comm_set_name(comm: Comm, comm_name: *const std::ffi::c_char) -> i32 {
    wall::call(&"MPI_Comm_set_name", On::Comm(comm), move || decode::comm_set_name(comm, comm_name))
});
entry!(MPI_Comm_size PMPI_Comm_size(comm: Comm, size: *mut i32) -> i32 {
    wall::call(&"MPI_Comm_size", On::Comm(comm), move || decode::comm_size(comm, size))
});
entry!(MPI_Comm_spawn PMPI_Comm_spawn(command: *const std::ffi::c_char, argv: *mut *mut std::ffi::c_char, maxprocs: i32, info: Info, root: i32, comm: Comm, intercomm: *mut Comm, array_of_errcodes: *mut i32) -> i32 {
    wall::call(&"MPI_Comm_spawn", On::Comm(comm), move || args::require(intercomm, "intercomm").and_then(|()| decode::comm_spawn(command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes)).inspect_err(|_| { args::nullify(intercomm, MPI_COMM_NULL); }))
});
entry!(MPI_Comm_spawn_multiple PMPI_Comm_spawn_multiple(count: i32, array_of_commands: *mut *mut std::ffi::c_char, array_of_argv: *mut *mut *mut std::ffi::c_char, array_of_maxprocs: *const i32, array_of_info: *const Info, root: i32, comm: Comm, intercomm: *mut Comm, array_of_errcodes: *mut i32) -> i32 {
    wall::call(&"MPI_Comm_spawn_multiple", On::Comm(comm), move || args::require(intercomm, "intercomm").and_then(|()| decode::comm_spawn_multiple(count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root, comm, intercomm, array_of_errcodes)).inspect_err(|_| { args::nullify(intercomm, MPI_COMM_NULL); }))
});
entry!(MPI_Comm_split PMPI_Comm_split(comm: Comm, color: i32, key: i32, newcomm: *mut Comm) -> i32 {
    wall::call(&"MPI_Comm_split", On::Comm(comm), move || args::require(newcomm, "newcomm").and_then(|()| decode::comm_split(comm, color, key, newcomm)).inspect_err(|_| { args::nullify(newcomm, MPI_COMM_NULL); }))
});
entry!(MPI_Comm_split_type PMPI_Comm_split_type(comm: Comm, split_type: i32, key: i32, info: Info, newcomm: *mut Comm) -> i32 {
    wall::call(&"MPI_Comm_split_type", On::Comm(comm), move || args::require(newcomm, "newcomm").and_then(|()| decode::comm_split_type(comm, split_type, key, info, newcomm)).inspect_err(|_| { args::nullify(newcomm, MPI_COMM_NULL); }))
});
entry!(MPI_Comm_test_inter PMPI_Comm_test_inter(comm: Comm, flag: *mut i32) -> i32 {
    wall::call(&"MPI_Comm_test_inter", On::Comm(comm), move || decode::comm_test_inter(comm, flag))
});
entry!(MPI_Comm_toint PMPI_Comm_toint(comm: Comm) -> i32 {
    wall::value("MPI_Comm_toint", || calls::convert::comm_toint(comm))
});
entry!(MPI_Compare_and_swap PMPI_Compare_and_swap(origin_addr: *const c_void, compare_addr: *const c_void, result_addr: *mut c_void, datatype: Datatype, target_rank: i32, target_disp: i64, win: Win) -> i32 {
    wall::call_noted(&"MPI_Compare_and_swap", On::Win(win), move || hooks::Note { role: hooks::Role::Swaps, sent: hooks::Side { peer: target_rank, datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, buffer: result_addr as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::compare_and_swap(origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win))
});
entry!(MPI_Dims_create PMPI_Dims_create(nnodes: i32, ndims: i32, dims: *mut i32) -> i32 {
    wall::call(&"MPI_Dims_create", On::Nothing, move || decode::dims_create(nnodes, ndims, dims))
});
entry!(MPI_Dist_graph_create PMPI_Dist_graph_create(comm_old: Comm, n: i32, sources: *const i32, degrees: *const i32, destinations: *const i32, weights: *const i32, info: Info, reorder: i32, comm_dist_graph: *mut Comm) -> i32 {
    wall::call(&"MPI_Dist_graph_create", On::Comm(comm_old), move || args::require(comm_dist_graph, "comm_dist_graph").and_then(|()| decode::dist_graph_create(comm_old, n, sources, degrees, destinations, weights, info, reorder, comm_dist_graph)).inspect_err(|_| { args::nullify(comm_dist_graph, MPI_COMM_NULL); }))
});
entry!(MPI_Dist_graph_create_adjacent PMPI_Dist_graph_create_adjacent(comm_old: Comm, indegree: i32, sources: *const i32, sourceweights: *const i32, outdegree: i32, destinations: *const i32, destweights: *const i32, info: Info, reorder: i32, comm_dist_graph: *mut Comm) -> i32 {
    wall::call(&"MPI_Dist_graph_create_adjacent", On::Comm(comm_old), move || args::require(comm_dist_graph, "comm_dist_graph").and_then(|()| decode::dist_graph_create_adjacent(comm_old, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder, comm_dist_graph)).inspect_err(|_| { args::nullify(comm_dist_graph, MPI_COMM_NULL); }))
});
entry!(MPI_Dist_graph_neighbors PMPI_Dist_graph_neighbors(comm: Comm, maxindegree: i32, sources: *mut i32, sourceweights: *mut i32, maxoutdegree: i32, destinations: *mut i32, destweights: *mut i32) -> i32 {
    wall::call(&"MPI_Dist_graph_neighbors", On::Comm(comm), move || decode::dist_graph_neighbors(comm, maxindegree, sources, sourceweights, maxoutdegree, destinations, destweights))
});
entry!(MPI_Dist_graph_neighbors_count PMPI_Dist_graph_neighbors_count(comm: Comm, indegree: *mut i32, outdegree: *mut i32, weighted: *mut i32) -> i32 {
    wall::call(&"MPI_Dist_graph_neighbors_count", On::Comm(comm), move || decode::dist_graph_neighbors_count(comm, indegree, outdegree, weighted))
});
entry!(MPI_Errhandler_free PMPI_Errhandler_free(errhandler: *mut Errhandler) -> i32 {
    wall::call(&"MPI_Errhandler_free", On::Nothing, move || decode::errhandler_free(errhandler))
});
entry!(MPI_Errhandler_fromint PMPI_Errhandler_fromint(errhandler: i32) -> Errhandler {
    wall::value("MPI_Errhandler_fromint", || calls::convert::errhandler_fromint(errhandler))
});
entry!(MPI_Errhandler_toint PMPI_Errhandler_toint(errhandler: Errhandler) -> i32 {
    wall::value("MPI_Errhandler_toint", || calls::convert::errhandler_toint(errhandler))
});
entry!(MPI_Error_class PMPI_Error_class(errorcode: i32, errorclass: *mut i32) -> i32 {
    wall::call(&"MPI_Error_class", On::Nothing, move || decode::error_class(errorcode, errorclass))
});
entry!(MPI_Error_string PMPI_Error_string(errorcode: i32, string: *mut std::ffi::c_char, resultlen: *mut i32) -> i32 {
    wall::call(&"MPI_Error_string", On::Nothing, move || decode::error_string(errorcode, string, resultlen))
});
entry!(MPI_Exscan PMPI_Exscan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Exscan", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::exscan(sendbuf, recvbuf, i64::from(count), datatype, op, comm))
});
entry!(MPI_Exscan_c PMPI_Exscan_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Exscan_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::exscan(sendbuf, recvbuf, count, datatype, op, comm))
});
entry!(MPI_Exscan_init PMPI_Exscan_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Exscan_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::exscan_init(sendbuf, recvbuf, i64::from(count), datatype, op, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Exscan_init_c PMPI_Exscan_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Exscan_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::exscan_init(sendbuf, recvbuf, count, datatype, op, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Fetch_and_op PMPI_Fetch_and_op(origin_addr: *const c_void, result_addr: *mut c_void, datatype: Datatype, target_rank: i32, target_disp: i64, op: Op, win: Win) -> i32 {
    wall::call_noted(&"MPI_Fetch_and_op", On::Win(win), move || hooks::Note { role: hooks::Role::Swaps, sent: hooks::Side { peer: target_rank, datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, buffer: result_addr as usize, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::fetch_and_op(origin_addr, result_addr, datatype, target_rank, target_disp, op, win))
});
entry!(MPI_File_call_errhandler PMPI_File_call_errhandler(fh: File, errorcode: i32) -> i32 {
    wall::call(&"MPI_File_call_errhandler", On::File(fh), move || calls::errhandler::file_call_errhandler(fh, errorcode))
});
entry!(MPI_File_close PMPI_File_close(fh: *mut File) -> i32 {
    wall::call(&"MPI_File_close", On::NoFile, move || decode::file_close(fh))
});
entry!(MPI_File_create_errhandler PMPI_File_create_errhandler(file_errhandler_fn: FileErrhandlerFunction, errhandler: *mut Errhandler) -> i32 {
    wall::call(&"MPI_File_create_errhandler", On::Nothing, move || args::require(errhandler, "errhandler").and_then(|()| decode::file_create_errhandler(file_errhandler_fn, errhandler)).inspect_err(|_| { args::nullify(errhandler, MPI_ERRHANDLER_NULL); }))
});
entry!(MPI_File_delete PMPI_File_delete(filename: *const std::ffi::c_char, info: Info) -> i32 {
    wall::call(&"MPI_File_delete", On::NoFile, move || decode::file_delete(filename, info))
});
entry!(MPI_File_fromint PMPI_File_fromint(file: i32) -> File {
    wall::value("MPI_File_fromint", || calls::convert::file_fromint(file))
});
entry!(MPI_File_get_amode PMPI_File_get_amode(fh: File, amode: *mut i32) -> i32 {
    wall::call(&"MPI_File_get_amode", On::File(fh), move || decode::file_get_amode(fh, amode))
});
entry!(MPI_File_get_atomicity PMPI_File_get_atomicity(fh: File, flag: *mut i32) -> i32 {
    wall::call(&"MPI_File_get_atomicity", On::File(fh), move || decode::file_get_atomicity(fh, flag))
});
entry!(MPI_File_get_byte_offset PMPI_File_get_byte_offset(fh: File, offset: i64, disp: *mut i64) -> i32 {
    wall::call(&"MPI_File_get_byte_offset", On::File(fh), move || decode::file_get_byte_offset(fh, offset, disp))
});
entry!(MPI_File_get_errhandler PMPI_File_get_errhandler(file: File, errhandler: *mut Errhandler) -> i32 {
    wall::call(&"MPI_File_get_errhandler", On::File(file), move || args::require(errhandler, "errhandler").and_then(|()| decode::file_get_errhandler(file, errhandler)).inspect_err(|_| { args::nullify(errhandler, MPI_ERRHANDLER_NULL); }))
});
entry!(MPI_File_get_group PMPI_File_get_group(fh: File, group: *mut Group) -> i32 {
    wall::call(&"MPI_File_get_group", On::File(fh), move || args::require(group, "group").and_then(|()| decode::file_get_group(fh, group)).inspect_err(|_| { args::nullify(group, MPI_GROUP_NULL); }))
});
entry!(MPI_File_get_info PMPI_File_get_info(fh: File, info_used: *mut Info) -> i32 {
    wall::call(&"MPI_File_get_info", On::File(fh), move || args::require(info_used, "info_used").and_then(|()| decode::file_get_info(fh, info_used)).inspect_err(|_| { args::nullify(info_used, MPI_INFO_NULL); }))
});
entry!(MPI_File_get_position PMPI_File_get_position(fh: File, offset: *mut i64) -> i32 {
    wall::call(&"MPI_File_get_position", On::File(fh), move || decode::file_get_position(fh, offset))
});
entry!(MPI_File_get_position_shared PMPI_File_get_position_shared(fh: File, offset: *mut i64) -> i32 {
    wall::call(&"MPI_File_get_position_shared", On::File(fh), move || decode::file_get_position_shared(fh, offset))
});
entry!(MPI_File_get_size PMPI_File_get_size(fh: File, size: *mut i64) -> i32 {
    wall::call(&"MPI_File_get_size", On::File(fh), move || decode::file_get_size(fh, size))
});
entry!(MPI_File_get_type_extent PMPI_File_get_type_extent(fh: File, datatype: Datatype, extent: *mut i64) -> i32 {
    wall::call(&"MPI_File_get_type_extent", On::File(fh), move || decode::file_get_type_extent(fh, datatype, IntPtr::wide(extent)))
});
entry!(MPI_File_get_type_extent_c PMPI_File_get_type_extent_c(fh: File, datatype: Datatype, extent: *mut i64) -> i32 {
    wall::call(&"MPI_File_get_type_extent_c", On::File(fh), move || decode::file_get_type_extent(fh, datatype, IntPtr::wide(extent)))
});
entry!(MPI_File_get_view PMPI_File_get_view(fh: File, disp: *mut i64, etype: *mut Datatype, filetype: *mut Datatype, datarep: *mut std::ffi::c_char) -> i32 {
    wall::call(&"MPI_File_get_view", On::File(fh), move || args::require(etype, "etype").and_then(|()| args::require(filetype, "filetype").and_then(|()| decode::file_get_view(fh, disp, etype, filetype, datarep))).inspect_err(|_| { args::nullify(etype, MPI_DATATYPE_NULL); args::nullify(filetype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_File_iread PMPI_File_iread(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iread", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iread(fh, buf, i64::from(count), datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iread_all PMPI_File_iread_all(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iread_all", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iread_all(fh, buf, i64::from(count), datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iread_all_c PMPI_File_iread_all_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iread_all_c", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iread_all(fh, buf, count, datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iread_at PMPI_File_iread_at(fh: File, offset: i64, buf: *mut c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iread_at", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iread_at(fh, offset, buf, i64::from(count), datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iread_at_all PMPI_File_iread_at_all(fh: File, offset: i64, buf: *mut c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iread_at_all", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iread_at_all(fh, offset, buf, i64::from(count), datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iread_at_all_c PMPI_File_iread_at_all_c(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iread_at_all_c", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iread_at_all(fh, offset, buf, count, datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iread_at_c PMPI_File_iread_at_c(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iread_at_c", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iread_at(fh, offset, buf, count, datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iread_c PMPI_File_iread_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iread_c", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iread(fh, buf, count, datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iread_shared PMPI_File_iread_shared(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iread_shared", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iread_shared(fh, buf, i64::from(count), datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iread_shared_c PMPI_File_iread_shared_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iread_shared_c", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iread_shared(fh, buf, count, datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iwrite PMPI_File_iwrite(fh: File, buf: *const c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iwrite", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iwrite(fh, buf, i64::from(count), datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iwrite_all PMPI_File_iwrite_all(fh: File, buf: *const c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iwrite_all", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iwrite_all(fh, buf, i64::from(count), datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iwrite_all_c PMPI_File_iwrite_all_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iwrite_all_c", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iwrite_all(fh, buf, count, datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iwrite_at PMPI_File_iwrite_at(fh: File, offset: i64, buf: *const c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iwrite_at", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iwrite_at(fh, offset, buf, i64::from(count), datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iwrite_at_all PMPI_File_iwrite_at_all(fh: File, offset: i64, buf: *const c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iwrite_at_all", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iwrite_at_all(fh, offset, buf, i64::from(count), datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iwrite_at_all_c PMPI_File_iwrite_at_all_c(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iwrite_at_all_c", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iwrite_at_all(fh, offset, buf, count, datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iwrite_at_c PMPI_File_iwrite_at_c(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iwrite_at_c", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iwrite_at(fh, offset, buf, count, datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iwrite_c PMPI_File_iwrite_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iwrite_c", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iwrite(fh, buf, count, datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iwrite_shared PMPI_File_iwrite_shared(fh: File, buf: *const c_void, count: i32, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iwrite_shared", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iwrite_shared(fh, buf, i64::from(count), datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_iwrite_shared_c PMPI_File_iwrite_shared_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_File_iwrite_shared_c", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::file_iwrite_shared(fh, buf, count, datatype, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_File_open PMPI_File_open(comm: Comm, filename: *const std::ffi::c_char, amode: i32, info: Info, fh: *mut File) -> i32 {
    wall::call(&"MPI_File_open", On::NoFile, move || args::require(fh, "fh").and_then(|()| decode::file_open(comm, filename, amode, info, fh)).inspect_err(|_| { args::nullify(fh, MPI_FILE_NULL); }))
});
entry!(MPI_File_preallocate PMPI_File_preallocate(fh: File, size: i64) -> i32 {
    wall::call(&"MPI_File_preallocate", On::File(fh), move || calls::file::file_preallocate(fh, size))
});
entry!(MPI_File_read PMPI_File_read(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_read", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_read(fh, buf, i64::from(count), datatype, status))
});
entry!(MPI_File_read_all PMPI_File_read_all(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_read_all", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_read_all(fh, buf, i64::from(count), datatype, status))
});
entry!(MPI_File_read_all_begin PMPI_File_read_all_begin(fh: File, buf: *mut c_void, count: i32, datatype: Datatype) -> i32 {
    wall::call_noted(&"MPI_File_read_all_begin", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::file_read_all_begin(fh, buf, i64::from(count), datatype))
});
entry!(MPI_File_read_all_begin_c PMPI_File_read_all_begin_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype) -> i32 {
    wall::call_noted(&"MPI_File_read_all_begin_c", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::file_read_all_begin(fh, buf, count, datatype))
});
entry!(MPI_File_read_all_c PMPI_File_read_all_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_read_all_c", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_read_all(fh, buf, count, datatype, status))
});
entry!(MPI_File_read_all_end PMPI_File_read_all_end(fh: File, buf: *mut c_void, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_read_all_end", On::File(fh), move || hooks::Note { received: hooks::Side { buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_read_all_end(fh, buf, status))
});
entry!(MPI_File_read_at PMPI_File_read_at(fh: File, offset: i64, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_read_at", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_read_at(fh, offset, buf, i64::from(count), datatype, status))
});
entry!(MPI_File_read_at_all PMPI_File_read_at_all(fh: File, offset: i64, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_read_at_all", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_read_at_all(fh, offset, buf, i64::from(count), datatype, status))
});
entry!(MPI_File_read_at_all_begin PMPI_File_read_at_all_begin(fh: File, offset: i64, buf: *mut c_void, count: i32, datatype: Datatype) -> i32 {
    wall::call_noted(&"MPI_File_read_at_all_begin", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::file_read_at_all_begin(fh, offset, buf, i64::from(count), datatype))
});
entry!(MPI_File_read_at_all_begin_c PMPI_File_read_at_all_begin_c(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype) -> i32 {
    wall::call_noted(&"MPI_File_read_at_all_begin_c", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::file_read_at_all_begin(fh, offset, buf, count, datatype))
});
entry!(MPI_File_read_at_all_c PMPI_File_read_at_all_c(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_read_at_all_c", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_read_at_all(fh, offset, buf, count, datatype, status))
});
entry!(MPI_File_read_at_all_end PMPI_File_read_at_all_end(fh: File, buf: *mut c_void, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_read_at_all_end", On::File(fh), move || hooks::Note { received: hooks::Side { buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_read_at_all_end(fh, buf, status))
});
entry!(MPI_File_read_at_c PMPI_File_read_at_c(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_read_at_c", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_read_at(fh, offset, buf, count, datatype, status))
});
entry!(MPI_File_read_c PMPI_File_read_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_read_c", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_read(fh, buf, count, datatype, status))
});
entry!(MPI_File_read_ordered PMPI_File_read_ordered(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_read_ordered", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_read_ordered(fh, buf, i64::from(count), datatype, status))
});
entry!(MPI_File_read_ordered_begin PMPI_File_read_ordered_begin(fh: File, buf: *mut c_void, count: i32, datatype: Datatype) -> i32 {
    wall::call_noted(&"MPI_File_read_ordered_begin", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::file_read_ordered_begin(fh, buf, i64::from(count), datatype))
});
entry!(MPI_File_read_ordered_begin_c PMPI_File_read_ordered_begin_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype) -> i32 {
    wall::call_noted(&"MPI_File_read_ordered_begin_c", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::file_read_ordered_begin(fh, buf, count, datatype))
});
entry!(MPI_File_read_ordered_c PMPI_File_read_ordered_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_read_ordered_c", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_read_ordered(fh, buf, count, datatype, status))
});
entry!(MPI_File_read_ordered_end PMPI_File_read_ordered_end(fh: File, buf: *mut c_void, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_read_ordered_end", On::File(fh), move || hooks::Note { received: hooks::Side { buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_read_ordered_end(fh, buf, status))
});
entry!(MPI_File_read_shared PMPI_File_read_shared(fh: File, buf: *mut c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_read_shared", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_read_shared(fh, buf, i64::from(count), datatype, status))
});
entry!(MPI_File_read_shared_c PMPI_File_read_shared_c(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_read_shared_c", On::File(fh), move || hooks::Note { received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_read_shared(fh, buf, count, datatype, status))
});
entry!(MPI_File_seek PMPI_File_seek(fh: File, offset: i64, whence: i32) -> i32 {
    wall::call(&"MPI_File_seek", On::File(fh), move || calls::file::file_seek(fh, offset, whence))
});
entry!(MPI_File_seek_shared PMPI_File_seek_shared(fh: File, offset: i64, whence: i32) -> i32 {
    wall::call(&"MPI_File_seek_shared", On::File(fh), move || calls::file::file_seek_shared(fh, offset, whence))
});
entry!(MPI_File_set_atomicity PMPI_File_set_atomicity(fh: File, flag: i32) -> i32 {
    wall::call(&"MPI_File_set_atomicity", On::File(fh), move || calls::file::file_set_atomicity(fh, flag))
});
entry!(MPI_File_set_errhandler PMPI_File_set_errhandler(file: File, errhandler: Errhandler) -> i32 {
    wall::call(&"MPI_File_set_errhandler", On::File(file), move || calls::errhandler::file_set_errhandler(file, errhandler))
});
entry!(MPI_File_set_info PMPI_File_set_info(fh: File, info: Info) -> i32 {
    wall::call(&"MPI_File_set_info", On::File(fh), move || calls::file::file_set_info(fh, info))
});
entry!(MPI_File_set_size PMPI_File_set_size(fh: File, size: i64) -> i32 {
    wall::call(&"MPI_File_set_size", On::File(fh), move || calls::file::file_set_size(fh, size))
});
entry!(MPI_File_set_view PMPI_File_set_view(fh: File, disp: i64, etype: Datatype, filetype: Datatype, datarep: *const std::ffi::c_char, info: Info) -> i32 {
    wall::call(&"MPI_File_set_view", On::File(fh), move || decode::file_set_view(fh, disp, etype, filetype, datarep, info))
});
entry!(MPI_File_sync PMPI_File_sync(fh: File) -> i32 {
    wall::call(&"MPI_File_sync", On::File(fh), move || calls::file::file_sync(fh))
});
entry!(MPI_File_toint PMPI_File_toint(file: File) -> i32 {
    wall::value("MPI_File_toint", || calls::convert::file_toint(file))
});
entry!(MPI_File_write PMPI_File_write(fh: File, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_write", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_write(fh, buf, i64::from(count), datatype, status))
});
entry!(MPI_File_write_all PMPI_File_write_all(fh: File, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_write_all", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_write_all(fh, buf, i64::from(count), datatype, status))
});
entry!(MPI_File_write_all_begin PMPI_File_write_all_begin(fh: File, buf: *const c_void, count: i32, datatype: Datatype) -> i32 {
    wall::call_noted(&"MPI_File_write_all_begin", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::file_write_all_begin(fh, buf, i64::from(count), datatype))
});
entry!(MPI_File_write_all_begin_c PMPI_File_write_all_begin_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype) -> i32 {
    wall::call_noted(&"MPI_File_write_all_begin_c", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::file_write_all_begin(fh, buf, count, datatype))
});
entry!(MPI_File_write_all_c PMPI_File_write_all_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_write_all_c", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_write_all(fh, buf, count, datatype, status))
});
entry!(MPI_File_write_all_end PMPI_File_write_all_end(fh: File, buf: *const c_void, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_write_all_end", On::File(fh), move || hooks::Note { sent: hooks::Side { buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_write_all_end(fh, buf, status))
});
entry!(MPI_File_write_at PMPI_File_write_at(fh: File, offset: i64, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_write_at", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_write_at(fh, offset, buf, i64::from(count), datatype, status))
});
entry!(MPI_File_write_at_all PMPI_File_write_at_all(fh: File, offset: i64, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_write_at_all", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_write_at_all(fh, offset, buf, i64::from(count), datatype, status))
});
entry!(MPI_File_write_at_all_begin PMPI_File_write_at_all_begin(fh: File, offset: i64, buf: *const c_void, count: i32, datatype: Datatype) -> i32 {
    wall::call_noted(&"MPI_File_write_at_all_begin", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::file_write_at_all_begin(fh, offset, buf, i64::from(count), datatype))
});
entry!(MPI_File_write_at_all_begin_c PMPI_File_write_at_all_begin_c(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype) -> i32 {
    wall::call_noted(&"MPI_File_write_at_all_begin_c", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::file_write_at_all_begin(fh, offset, buf, count, datatype))
});
entry!(MPI_File_write_at_all_c PMPI_File_write_at_all_c(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_write_at_all_c", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_write_at_all(fh, offset, buf, count, datatype, status))
});
entry!(MPI_File_write_at_all_end PMPI_File_write_at_all_end(fh: File, buf: *const c_void, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_write_at_all_end", On::File(fh), move || hooks::Note { sent: hooks::Side { buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_write_at_all_end(fh, buf, status))
});
entry!(MPI_File_write_at_c PMPI_File_write_at_c(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_write_at_c", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_write_at(fh, offset, buf, count, datatype, status))
});
entry!(MPI_File_write_c PMPI_File_write_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_write_c", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_write(fh, buf, count, datatype, status))
});
entry!(MPI_File_write_ordered PMPI_File_write_ordered(fh: File, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_write_ordered", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_write_ordered(fh, buf, i64::from(count), datatype, status))
});
entry!(MPI_File_write_ordered_begin PMPI_File_write_ordered_begin(fh: File, buf: *const c_void, count: i32, datatype: Datatype) -> i32 {
    wall::call_noted(&"MPI_File_write_ordered_begin", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::file_write_ordered_begin(fh, buf, i64::from(count), datatype))
});
entry!(MPI_File_write_ordered_begin_c PMPI_File_write_ordered_begin_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype) -> i32 {
    wall::call_noted(&"MPI_File_write_ordered_begin_c", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::file_write_ordered_begin(fh, buf, count, datatype))
});
entry!(MPI_File_write_ordered_c PMPI_File_write_ordered_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_write_ordered_c", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_write_ordered(fh, buf, count, datatype, status))
});
entry!(MPI_File_write_ordered_end PMPI_File_write_ordered_end(fh: File, buf: *const c_void, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_write_ordered_end", On::File(fh), move || hooks::Note { sent: hooks::Side { buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_write_ordered_end(fh, buf, status))
});
entry!(MPI_File_write_shared PMPI_File_write_shared(fh: File, buf: *const c_void, count: i32, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_write_shared", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_write_shared(fh, buf, i64::from(count), datatype, status))
});
entry!(MPI_File_write_shared_c PMPI_File_write_shared_c(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_File_write_shared_c", On::File(fh), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::file_write_shared(fh, buf, count, datatype, status))
});
entry!(MPI_Finalize PMPI_Finalize() -> i32 {
    wall::call(&"MPI_Finalize", On::Nothing, move || calls::init::finalize())
});
entry!(MPI_Finalized PMPI_Finalized(flag: *mut i32) -> i32 {
    wall::call(&"MPI_Finalized", On::Nothing, move || decode::finalized(flag))
});
entry!(MPI_Free_mem PMPI_Free_mem(base: *mut c_void) -> i32 {
    wall::call(&"MPI_Free_mem", On::Nothing, move || calls::memory::free_mem(base))
});
entry!(MPI_Gather PMPI_Gather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Gather", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::gather(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, root, comm))
});
entry!(MPI_Gather_c PMPI_Gather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Gather_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))
});
entry!(MPI_Gather_init PMPI_Gather_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Gather_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::gather_init(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, root, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Gather_init_c PMPI_Gather_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Gather_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::gather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Gatherv PMPI_Gatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, root: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Gatherv", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, counts: IntPtr::narrow(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::gatherv(sendbuf, i64::from(sendcount), sendtype, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(displs), recvtype, root, comm))
});
entry!(MPI_Gatherv_c PMPI_Gatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, root: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Gatherv_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, counts: IntPtr::wide(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::gatherv(sendbuf, sendcount, sendtype, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(displs), recvtype, root, comm))
});
entry!(MPI_Gatherv_init PMPI_Gatherv_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Gatherv_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, counts: IntPtr::narrow(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::gatherv_init(sendbuf, i64::from(sendcount), sendtype, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(displs), recvtype, root, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Gatherv_init_c PMPI_Gatherv_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Gatherv_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, counts: IntPtr::wide(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::gatherv_init(sendbuf, sendcount, sendtype, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(displs), recvtype, root, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Get PMPI_Get(origin_addr: *mut c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, win: Win) -> i32 {
    wall::call_noted(&"MPI_Get", On::Win(win), move || hooks::Note { role: hooks::Role::Gets, sent: hooks::Side { peer: target_rank, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::get(origin_addr, i64::from(origin_count), origin_datatype, target_rank, target_disp, i64::from(target_count), target_datatype, win))
});
entry!(MPI_Get_accumulate PMPI_Get_accumulate(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, result_addr: *mut c_void, result_count: i32, result_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, op: Op, win: Win) -> i32 {
    wall::call_noted(&"MPI_Get_accumulate", On::Win(win), move || hooks::Note { role: hooks::Role::Swaps, sent: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, count: result_count as i64, datatype: result_datatype, buffer: result_addr as usize, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::get_accumulate(origin_addr, i64::from(origin_count), origin_datatype, result_addr, i64::from(result_count), result_datatype, target_rank, target_disp, i64::from(target_count), target_datatype, op, win))
});
entry!(MPI_Get_accumulate_c PMPI_Get_accumulate_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, result_addr: *mut c_void, result_count: i64, result_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win) -> i32 {
    wall::call_noted(&"MPI_Get_accumulate_c", On::Win(win), move || hooks::Note { role: hooks::Role::Swaps, sent: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, count: result_count as i64, datatype: result_datatype, buffer: result_addr as usize, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::get_accumulate(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, win))
});
entry!(MPI_Get_address PMPI_Get_address(location: *const c_void, address: *mut i64) -> i32 {
    wall::call(&"MPI_Get_address", On::Nothing, move || decode::get_address(location, address))
});
entry!(MPI_Get_c PMPI_Get_c(origin_addr: *mut c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win) -> i32 {
    wall::call_noted(&"MPI_Get_c", On::Win(win), move || hooks::Note { role: hooks::Role::Gets, sent: hooks::Side { peer: target_rank, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::get(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win))
});
entry!(MPI_Get_count PMPI_Get_count(status: *const Status, datatype: Datatype, count: *mut i32) -> i32 {
    wall::call(&"MPI_Get_count", On::Nothing, move || decode::get_count(status, datatype, IntPtr::narrow(count)))
});
entry!(MPI_Get_count_c PMPI_Get_count_c(status: *const Status, datatype: Datatype, count: *mut i64) -> i32 {
    wall::call(&"MPI_Get_count_c", On::Nothing, move || decode::get_count(status, datatype, IntPtr::wide(count)))
});
entry!(MPI_Get_elements PMPI_Get_elements(status: *const Status, datatype: Datatype, count: *mut i32) -> i32 {
    wall::call(&"MPI_Get_elements", On::Nothing, move || decode::get_elements(status, datatype, IntPtr::narrow(count)))
});
entry!(MPI_Get_elements_c PMPI_Get_elements_c(status: *const Status, datatype: Datatype, count: *mut i64) -> i32 {
    wall::call(&"MPI_Get_elements_c", On::Nothing, move || decode::get_elements(status, datatype, IntPtr::wide(count)))
});
entry!(MPI_Get_elements_x PMPI_Get_elements_x(status: *const Status, datatype: Datatype, count: *mut i64) -> i32 {
    wall::call(&"MPI_Get_elements_x", On::Nothing, move || decode::get_elements_x(status, datatype, count))
});
entry!(MPI_Get_hw_resource_info PMPI_Get_hw_resource_info(hw_info: *mut Info) -> i32 {
    wall::call(&"MPI_Get_hw_resource_info", On::Nothing, move || args::require(hw_info, "hw_info").and_then(|()| decode::get_hw_resource_info(hw_info)).inspect_err(|_| { args::nullify(hw_info, MPI_INFO_NULL); }))
});
entry!(MPI_Get_library_version PMPI_Get_library_version(version: *mut std::ffi::c_char, resultlen: *mut i32) -> i32 {
    wall::call(&"MPI_Get_library_version", On::Nothing, move || decode::get_library_version(version, resultlen))
});
entry!(MPI_Get_processor_name PMPI_Get_processor_name(name: *mut std::ffi::c_char, resultlen: *mut i32) -> i32 {
    wall::call(&"MPI_Get_processor_name", On::Nothing, move || decode::get_processor_name(name, resultlen))
});
entry!(MPI_Get_version PMPI_Get_version(version: *mut i32, subversion: *mut i32) -> i32 {
    wall::call(&"MPI_Get_version", On::Nothing, move || decode::get_version(version, subversion))
});
entry!(MPI_Graph_create PMPI_Graph_create(comm_old: Comm, nnodes: i32, indx: *const i32, edges: *const i32, reorder: i32, comm_graph: *mut Comm) -> i32 {
    wall::call(&"MPI_Graph_create", On::Comm(comm_old), move || args::require(comm_graph, "comm_graph").and_then(|()| decode::graph_create(comm_old, nnodes, indx, edges, reorder, comm_graph)).inspect_err(|_| { args::nullify(comm_graph, MPI_COMM_NULL); }))
});
entry!(MPI_Graph_get PMPI_Graph_get(comm: Comm, maxindex: i32, maxedges: i32, indx: *mut i32, edges: *mut i32) -> i32 {
    wall::call(&"MPI_Graph_get", On::Comm(comm), move || decode::graph_get(comm, maxindex, maxedges, indx, edges))
});
entry!(MPI_Graph_map PMPI_Graph_map(comm: Comm, nnodes: i32, indx: *const i32, edges: *const i32, newrank: *mut i32) -> i32 {
    wall::call(&"MPI_Graph_map", On::Comm(comm), move || decode::graph_map(comm, nnodes, indx, edges, newrank))
});
entry!(MPI_Graph_neighbors PMPI_Graph_neighbors(comm: Comm, rank: i32, maxneighbors: i32, neighbors: *mut i32) -> i32 {
    wall::call(&"MPI_Graph_neighbors", On::Comm(comm), move || decode::graph_neighbors(comm, rank, maxneighbors, neighbors))
});
entry!(MPI_Graph_neighbors_count PMPI_Graph_neighbors_count(comm: Comm, rank: i32, nneighbors: *mut i32) -> i32 {
    wall::call(&"MPI_Graph_neighbors_count", On::Comm(comm), move || decode::graph_neighbors_count(comm, rank, nneighbors))
});
entry!(MPI_Graphdims_get PMPI_Graphdims_get(comm: Comm, nnodes: *mut i32, nedges: *mut i32) -> i32 {
    wall::call(&"MPI_Graphdims_get", On::Comm(comm), move || decode::graphdims_get(comm, nnodes, nedges))
});
entry!(MPI_Grequest_complete PMPI_Grequest_complete(request: Request) -> i32 {
    wall::call(&"MPI_Grequest_complete", On::Nothing, move || calls::grequest::grequest_complete(request))
});
entry!(MPI_Grequest_start PMPI_Grequest_start(query_fn: GrequestQueryFunction, free_fn: GrequestFreeFunction, cancel_fn: GrequestCancelFunction, extra_state: *mut c_void, request: *mut Request) -> i32 {
    wall::call(&"MPI_Grequest_start", On::Nothing, move || args::require(request, "request").and_then(|()| decode::grequest_start(query_fn, free_fn, cancel_fn, extra_state, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Group_compare PMPI_Group_compare(group1: Group, group2: Group, result: *mut i32) -> i32 {
    wall::call(&"MPI_Group_compare", On::Nothing, move || decode::group_compare(group1, group2, result))
});
entry!(MPI_Group_difference PMPI_Group_difference(group1: Group, group2: Group, newgroup: *mut Group) -> i32 {
    wall::call(&"MPI_Group_difference", On::Nothing, move || args::require(newgroup, "newgroup").and_then(|()| decode::group_difference(group1, group2, newgroup)).inspect_err(|_| { args::nullify(newgroup, MPI_GROUP_NULL); }))
});
entry!(MPI_Group_excl PMPI_Group_excl(group: Group, n: i32, ranks: *const i32, newgroup: *mut Group) -> i32 {
    wall::call(&"MPI_Group_excl", On::Nothing, move || args::require(newgroup, "newgroup").and_then(|()| decode::group_excl(group, n, ranks, newgroup)).inspect_err(|_| { args::nullify(newgroup, MPI_GROUP_NULL); }))
});
entry!(MPI_Group_free PMPI_Group_free(group: *mut Group) -> i32 {
    wall::call(&"MPI_Group_free", On::Nothing, move || decode::group_free(group))
});
entry!(MPI_Group_from_session_pset PMPI_Group_from_session_pset(session: Session, pset_name: *const std::ffi::c_char, newgroup: *mut Group) -> i32 {
    wall::call(&"MPI_Group_from_session_pset", On::Session(session), move || args::require(newgroup, "newgroup").and_then(|()| decode::group_from_session_pset(session, pset_name, newgroup)).inspect_err(|_| { args::nullify(newgroup, MPI_GROUP_NULL); }))
});
entry!(MPI_Group_fromint PMPI_Group_fromint(group: i32) -> Group {
    wall::value("MPI_Group_fromint", || calls::convert::group_fromint(group))
});
entry!(MPI_Group_incl PMPI_Group_incl(group: Group, n: i32, ranks: *const i32, newgroup: *mut Group) -> i32 {
    wall::call(&"MPI_Group_incl", On::Nothing, move || args::require(newgroup, "newgroup").and_then(|()| decode::group_incl(group, n, ranks, newgroup)).inspect_err(|_| { args::nullify(newgroup, MPI_GROUP_NULL); }))
});
entry!(MPI_Group_intersection PMPI_Group_intersection(group1: Group, group2: Group, newgroup: *mut Group) -> i32 {
    wall::call(&"MPI_Group_intersection", On::Nothing, move || args::require(newgroup, "newgroup").and_then(|()| decode::group_intersection(group1, group2, newgroup)).inspect_err(|_| { args::nullify(newgroup, MPI_GROUP_NULL); }))
});
entry!(MPI_Group_range_excl PMPI_Group_range_excl(group: Group, n: i32, ranges: *mut [i32; 3], newgroup: *mut Group) -> i32 {
    wall::call(&"MPI_Group_range_excl", On::Nothing, move || args::require(newgroup, "newgroup").and_then(|()| decode::group_range_excl(group, n, ranges, newgroup)).inspect_err(|_| { args::nullify(newgroup, MPI_GROUP_NULL); }))
});
entry!(MPI_Group_range_incl PMPI_Group_range_incl(group: Group, n: i32, ranges: *mut [i32; 3], newgroup: *mut Group) -> i32 {
    wall::call(&"MPI_Group_range_incl", On::Nothing, move || args::require(newgroup, "newgroup").and_then(|()| decode::group_range_incl(group, n, ranges, newgroup)).inspect_err(|_| { args::nullify(newgroup, MPI_GROUP_NULL); }))
});
entry!(MPI_Group_rank PMPI_Group_rank(group: Group, rank: *mut i32) -> i32 {
    wall::call(&"MPI_Group_rank", On::Nothing, move || decode::group_rank(group, rank))
});
entry!(MPI_Group_size PMPI_Group_size(group: Group, size: *mut i32) -> i32 {
    wall::call(&"MPI_Group_size", On::Nothing, move || decode::group_size(group, size))
});
entry!(MPI_Group_toint PMPI_Group_toint(group: Group) -> i32 {
    wall::value("MPI_Group_toint", || calls::convert::group_toint(group))
});
entry!(MPI_Group_translate_ranks PMPI_Group_translate_ranks(group1: Group, n: i32, ranks1: *const i32, group2: Group, ranks2: *mut i32) -> i32 {
    wall::call(&"MPI_Group_translate_ranks", On::Nothing, move || decode::group_translate_ranks(group1, n, ranks1, group2, ranks2))
});
entry!(MPI_Group_union PMPI_Group_union(group1: Group, group2: Group, newgroup: *mut Group) -> i32 {
    wall::call(&"MPI_Group_union", On::Nothing, move || args::require(newgroup, "newgroup").and_then(|()| decode::group_union(group1, group2, newgroup)).inspect_err(|_| { args::nullify(newgroup, MPI_GROUP_NULL); }))
});
entry!(MPI_Iallgather PMPI_Iallgather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Iallgather", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::iallgather(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Iallgather_c PMPI_Iallgather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Iallgather_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Iallgatherv PMPI_Iallgatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Iallgatherv", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::iallgatherv(sendbuf, i64::from(sendcount), sendtype, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(displs), recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Iallgatherv_c PMPI_Iallgatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Iallgatherv_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::iallgatherv(sendbuf, sendcount, sendtype, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(displs), recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Iallreduce PMPI_Iallreduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Iallreduce", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::iallreduce(sendbuf, recvbuf, i64::from(count), datatype, op, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Iallreduce_c PMPI_Iallreduce_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Iallreduce_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::iallreduce(sendbuf, recvbuf, count, datatype, op, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ialltoall PMPI_Ialltoall(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ialltoall", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ialltoall(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ialltoall_c PMPI_Ialltoall_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ialltoall_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ialltoallv PMPI_Ialltoallv(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ialltoallv", On::Comm(comm), move || hooks::Note { sent: hooks::Side { counts: IntPtr::narrow(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ialltoallv(sendbuf, IntPtr::narrow(sendcounts), IntPtr::narrow(sdispls), sendtype, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(rdispls), recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ialltoallv_c PMPI_Ialltoallv_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ialltoallv_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { counts: IntPtr::wide(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ialltoallv(sendbuf, IntPtr::wide(sendcounts), IntPtr::wide(sdispls), sendtype, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(rdispls), recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ialltoallw PMPI_Ialltoallw(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtypes: *const Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ialltoallw", On::Comm(comm), move || hooks::Note { sent: hooks::Side { counts: IntPtr::narrow(sendcounts), types: sendtypes, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), types: recvtypes, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ialltoallw(sendbuf, IntPtr::narrow(sendcounts), IntPtr::narrow(sdispls), sendtypes, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(rdispls), recvtypes, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ialltoallw_c PMPI_Ialltoallw_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ialltoallw_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { counts: IntPtr::wide(sendcounts), types: sendtypes, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), types: recvtypes, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ialltoallw(sendbuf, IntPtr::wide(sendcounts), IntPtr::wide(sdispls), sendtypes, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(rdispls), recvtypes, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ibarrier PMPI_Ibarrier(comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ibarrier", On::Comm(comm), move || hooks::Note { requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ibarrier(comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ibcast PMPI_Ibcast(buffer: *mut c_void, count: i32, datatype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ibcast", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: count as i64, datatype, buffer: buffer as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: count as i64, datatype, buffer: buffer as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ibcast(buffer, i64::from(count), datatype, root, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ibcast_c PMPI_Ibcast_c(buffer: *mut c_void, count: i64, datatype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ibcast_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: count as i64, datatype, buffer: buffer as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: count as i64, datatype, buffer: buffer as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ibcast(buffer, count, datatype, root, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ibsend PMPI_Ibsend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ibsend", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ibsend(buf, i64::from(count), datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ibsend_c PMPI_Ibsend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ibsend_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ibsend(buf, count, datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Iexscan PMPI_Iexscan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Iexscan", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::iexscan(sendbuf, recvbuf, i64::from(count), datatype, op, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Iexscan_c PMPI_Iexscan_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Iexscan_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::iexscan(sendbuf, recvbuf, count, datatype, op, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Igather PMPI_Igather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Igather", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::igather(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, root, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Igather_c PMPI_Igather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Igather_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Igatherv PMPI_Igatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Igatherv", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, counts: IntPtr::narrow(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::igatherv(sendbuf, i64::from(sendcount), sendtype, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(displs), recvtype, root, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Igatherv_c PMPI_Igatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Igatherv_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, counts: IntPtr::wide(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::igatherv(sendbuf, sendcount, sendtype, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(displs), recvtype, root, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Improbe PMPI_Improbe(source: i32, tag: i32, comm: Comm, flag: *mut i32, message: *mut Message, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Improbe", On::Comm(comm), move || hooks::Note { role: hooks::Role::Matches, received: hooks::Side { peer: source, tag, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || args::require(message, "message").and_then(|()| decode::improbe(source, tag, comm, flag, message, status)).inspect_err(|_| { args::nullify(message, MPI_MESSAGE_NULL); }))
});
entry!(MPI_Imrecv PMPI_Imrecv(buf: *mut c_void, count: i32, datatype: Datatype, message: *mut Message, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Imrecv", On::Nothing, move || hooks::Note { role: hooks::Role::Posts, received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::imrecv(buf, i64::from(count), datatype, message, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Imrecv_c PMPI_Imrecv_c(buf: *mut c_void, count: i64, datatype: Datatype, message: *mut Message, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Imrecv_c", On::Nothing, move || hooks::Note { role: hooks::Role::Posts, received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::imrecv(buf, count, datatype, message, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ineighbor_allgather PMPI_Ineighbor_allgather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ineighbor_allgather", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ineighbor_allgather(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ineighbor_allgather_c PMPI_Ineighbor_allgather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ineighbor_allgather_c", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ineighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ineighbor_allgatherv PMPI_Ineighbor_allgatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ineighbor_allgatherv", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ineighbor_allgatherv(sendbuf, i64::from(sendcount), sendtype, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(displs), recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ineighbor_allgatherv_c PMPI_Ineighbor_allgatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ineighbor_allgatherv_c", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ineighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(displs), recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ineighbor_alltoall PMPI_Ineighbor_alltoall(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ineighbor_alltoall", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ineighbor_alltoall(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ineighbor_alltoall_c PMPI_Ineighbor_alltoall_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ineighbor_alltoall_c", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ineighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ineighbor_alltoallv PMPI_Ineighbor_alltoallv(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ineighbor_alltoallv", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { counts: IntPtr::narrow(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ineighbor_alltoallv(sendbuf, IntPtr::narrow(sendcounts), IntPtr::narrow(sdispls), sendtype, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(rdispls), recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ineighbor_alltoallv_c PMPI_Ineighbor_alltoallv_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ineighbor_alltoallv_c", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { counts: IntPtr::wide(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ineighbor_alltoallv(sendbuf, IntPtr::wide(sendcounts), IntPtr::wide(sdispls), sendtype, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(rdispls), recvtype, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ineighbor_alltoallw PMPI_Ineighbor_alltoallw(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ineighbor_alltoallw", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { counts: IntPtr::narrow(sendcounts), types: sendtypes, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), types: recvtypes, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ineighbor_alltoallw(sendbuf, IntPtr::narrow(sendcounts), sdispls, sendtypes, recvbuf, IntPtr::narrow(recvcounts), rdispls, recvtypes, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ineighbor_alltoallw_c PMPI_Ineighbor_alltoallw_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ineighbor_alltoallw_c", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { counts: IntPtr::wide(sendcounts), types: sendtypes, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), types: recvtypes, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ineighbor_alltoallw(sendbuf, IntPtr::wide(sendcounts), sdispls, sendtypes, recvbuf, IntPtr::wide(recvcounts), rdispls, recvtypes, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Info_create PMPI_Info_create(info: *mut Info) -> i32 {
    wall::call(&"MPI_Info_create", On::Nothing, move || args::require(info, "info").and_then(|()| decode::info_create(info)).inspect_err(|_| { args::nullify(info, MPI_INFO_NULL); }))
});
entry!(MPI_Info_create_env PMPI_Info_create_env(argc: i32, argv: *mut *mut std::ffi::c_char, info: *mut Info) -> i32 {
    wall::call(&"MPI_Info_create_env", On::Nothing, move || args::require(info, "info").and_then(|()| decode::info_create_env(argc, argv, info)).inspect_err(|_| { args::nullify(info, MPI_INFO_NULL); }))
});
entry!(MPI_Info_delete PMPI_Info_delete(info: Info, key: *const std::ffi::c_char) -> i32 {
    wall::call(&"MPI_Info_delete", On::Nothing, move || decode::info_delete(info, key))
});
entry!(MPI_Info_dup PMPI_Info_dup(info: Info, newinfo: *mut Info) -> i32 {
    wall::call(&"MPI_Info_dup", On::Nothing, move || args::require(newinfo, "newinfo").and_then(|()| decode::info_dup(info, newinfo)).inspect_err(|_| { args::nullify(newinfo, MPI_INFO_NULL); }))
});
entry!(MPI_Info_free PMPI_Info_free(info: *mut Info) -> i32 {
    wall::call(&"MPI_Info_free", On::Nothing, move || decode::info_free(info))
});
entry!(MPI_Info_fromint PMPI_Info_fromint(info: i32) -> Info {
    wall::value("MPI_Info_fromint", || calls::convert::info_fromint(info))
});
entry!(MPI_Info_get PMPI_Info_get(info: Info, key: *const std::ffi::c_char, valuelen: i32, value: *mut std::ffi::c_char, flag: *mut i32) -> i32 {
    wall::call(&"MPI_Info_get", On::Nothing, move || decode::info_get(info, key, valuelen, value, flag))
});
entry!(MPI_Info_get_nkeys PMPI_Info_get_nkeys(info: Info, nkeys: *mut i32) -> i32 {
    wall::call(&"MPI_Info_get_nkeys", On::Nothing, move || decode::info_get_nkeys(info, nkeys))
});
entry!(MPI_Info_get_nthkey PMPI_Info_get_nthkey(info: Info, n: i32, key: *mut std::ffi::c_char) -> i32 {
    wall::call(&"MPI_Info_get_nthkey", On::Nothing, move || decode::info_get_nthkey(info, n, key))
});
entry!(MPI_Info_get_string PMPI_Info_get_string(info: Info, key: *const std::ffi::c_char, buflen: *mut i32, value: *mut std::ffi::c_char, flag: *mut i32) -> i32 {
    wall::call(&"MPI_Info_get_string", On::Nothing, move || decode::info_get_string(info, key, buflen, value, flag))
});
entry!(MPI_Info_get_valuelen PMPI_Info_get_valuelen(info: Info, key: *const std::ffi::c_char, valuelen: *mut i32, flag: *mut i32) -> i32 {
    wall::call(&"MPI_Info_get_valuelen", On::Nothing, move || decode::info_get_valuelen(info, key, valuelen, flag))
});
entry!(MPI_Info_set PMPI_Info_set(info: Info, key: *const std::ffi::c_char, value: *const std::ffi::c_char) -> i32 {
    wall::call(&"MPI_Info_set", On::Nothing, move || decode::info_set(info, key, value))
});
entry!(MPI_Info_toint PMPI_Info_toint(info: Info) -> i32 {
    wall::value("MPI_Info_toint", || calls::convert::info_toint(info))
});
entry!(MPI_Init PMPI_Init(argc: *mut i32, argv: *mut *mut *mut std::ffi::c_char) -> i32 {
    wall::call(&"MPI_Init", On::Nothing, move || decode::init(argc, argv))
});
entry!(MPI_Init_thread PMPI_Init_thread(argc: *mut i32, argv: *mut *mut *mut std::ffi::c_char, required: i32, provided: *mut i32) -> i32 {
    wall::call(&"MPI_Init_thread", On::Nothing, move || decode::init_thread(argc, argv, required, provided))
});
entry!(MPI_Initialized PMPI_Initialized(flag: *mut i32) -> i32 {
    wall::call(&"MPI_Initialized", On::Nothing, move || decode::initialized(flag))
});
entry!(MPI_Intercomm_create PMPI_Intercomm_create(local_comm: Comm, local_leader: i32, peer_comm: Comm, remote_leader: i32, tag: i32, newintercomm: *mut Comm) -> i32 {
    wall::call(&"MPI_Intercomm_create", On::Comm(local_comm), move || args::require(newintercomm, "newintercomm").and_then(|()| decode::intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm)).inspect_err(|_| { args::nullify(newintercomm, MPI_COMM_NULL); }))
});
entry!(MPI_Intercomm_create_from_groups PMPI_Intercomm_create_from_groups(local_group: Group, local_leader: i32, remote_group: Group, remote_leader: i32, stringtag: *const std::ffi::c_char, info: Info, errhandler: Errhandler, newintercomm: *mut Comm) -> i32 {
    wall::call(&"MPI_Intercomm_create_from_groups", On::Handler(errhandler), move || args::require(newintercomm, "newintercomm").and_then(|()| decode::intercomm_create_from_groups(local_group, local_leader, remote_group, remote_leader, stringtag, info, errhandler, newintercomm)).inspect_err(|_| { args::nullify(newintercomm, MPI_COMM_NULL); }))
});
entry!(MPI_Intercomm_merge PMPI_Intercomm_merge(intercomm: Comm, high: i32, newintracomm: *mut Comm) -> i32 {
    wall::call(&"MPI_Intercomm_merge", On::Comm(intercomm), move || args::require(newintracomm, "newintracomm").and_then(|()| decode::intercomm_merge(intercomm, high, newintracomm)).inspect_err(|_| { args::nullify(newintracomm, MPI_COMM_NULL); }))
});
entry!(MPI_Iprobe PMPI_Iprobe(source: i32, tag: i32, comm: Comm, flag: *mut i32, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Iprobe", On::Comm(comm), move || hooks::Note { received: hooks::Side { peer: source, tag, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::iprobe(source, tag, comm, flag, status))
});
entry!(MPI_Irecv PMPI_Irecv(buf: *mut c_void, count: i32, datatype: Datatype, source: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Irecv", On::Comm(comm), move || hooks::Note { role: hooks::Role::Posts, received: hooks::Side { peer: source, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::irecv(buf, i64::from(count), datatype, source, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Irecv_c PMPI_Irecv_c(buf: *mut c_void, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Irecv_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::Posts, received: hooks::Side { peer: source, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::irecv(buf, count, datatype, source, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ireduce PMPI_Ireduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, root: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ireduce", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ireduce(sendbuf, recvbuf, i64::from(count), datatype, op, root, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ireduce_c PMPI_Ireduce_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, root: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ireduce_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ireduce_scatter PMPI_Ireduce_scatter(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i32, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ireduce_scatter", On::Comm(comm), move || hooks::Note { sent: hooks::Side { datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ireduce_scatter(sendbuf, recvbuf, IntPtr::narrow(recvcounts), datatype, op, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ireduce_scatter_block PMPI_Ireduce_scatter_block(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i32, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ireduce_scatter_block", On::Comm(comm), move || hooks::Note { sent: hooks::Side { datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ireduce_scatter_block(sendbuf, recvbuf, i64::from(recvcount), datatype, op, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ireduce_scatter_block_c PMPI_Ireduce_scatter_block_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ireduce_scatter_block_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ireduce_scatter_c PMPI_Ireduce_scatter_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ireduce_scatter_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ireduce_scatter(sendbuf, recvbuf, IntPtr::wide(recvcounts), datatype, op, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Irsend PMPI_Irsend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Irsend", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::irsend(buf, i64::from(count), datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Irsend_c PMPI_Irsend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Irsend_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::irsend(buf, count, datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Is_thread_main PMPI_Is_thread_main(flag: *mut i32) -> i32 {
    wall::call(&"MPI_Is_thread_main", On::Nothing, move || decode::is_thread_main(flag))
});
entry!(MPI_Iscan PMPI_Iscan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Iscan", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::iscan(sendbuf, recvbuf, i64::from(count), datatype, op, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Iscan_c PMPI_Iscan_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Iscan_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::iscan(sendbuf, recvbuf, count, datatype, op, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Iscatter PMPI_Iscatter(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Iscatter", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::iscatter(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, root, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Iscatter_c PMPI_Iscatter_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Iscatter_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Iscatterv PMPI_Iscatterv(sendbuf: *const c_void, sendcounts: *const i32, displs: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Iscatterv", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, counts: IntPtr::narrow(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::iscatterv(sendbuf, IntPtr::narrow(sendcounts), IntPtr::narrow(displs), sendtype, recvbuf, i64::from(recvcount), recvtype, root, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Iscatterv_c PMPI_Iscatterv_c(sendbuf: *const c_void, sendcounts: *const i64, displs: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Iscatterv_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, counts: IntPtr::wide(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::iscatterv(sendbuf, IntPtr::wide(sendcounts), IntPtr::wide(displs), sendtype, recvbuf, recvcount, recvtype, root, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Isend PMPI_Isend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Isend", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::isend(buf, i64::from(count), datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Isend_c PMPI_Isend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Isend_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::isend(buf, count, datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Isendrecv PMPI_Isendrecv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, dest: i32, sendtag: i32, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, source: i32, recvtag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Isendrecv", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag: sendtag, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: source, tag: recvtag, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::isendrecv(sendbuf, i64::from(sendcount), sendtype, dest, sendtag, recvbuf, i64::from(recvcount), recvtype, source, recvtag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Isendrecv_c PMPI_Isendrecv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, dest: i32, sendtag: i32, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, source: i32, recvtag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Isendrecv_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag: sendtag, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: source, tag: recvtag, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::isendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Isendrecv_replace PMPI_Isendrecv_replace(buf: *mut c_void, count: i32, datatype: Datatype, dest: i32, sendtag: i32, source: i32, recvtag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Isendrecv_replace", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag: sendtag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: source, tag: recvtag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::isendrecv_replace(buf, i64::from(count), datatype, dest, sendtag, source, recvtag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Isendrecv_replace_c PMPI_Isendrecv_replace_c(buf: *mut c_void, count: i64, datatype: Datatype, dest: i32, sendtag: i32, source: i32, recvtag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Isendrecv_replace_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag: sendtag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: source, tag: recvtag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::isendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Issend PMPI_Issend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Issend", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::issend(buf, i64::from(count), datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Issend_c PMPI_Issend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Issend_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::issend(buf, count, datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Keyval_create PMPI_Keyval_create(copy_fn: CopyFunction, delete_fn: DeleteFunction, keyval: *mut i32, extra_state: *mut c_void) -> i32 {
    wall::call(&"MPI_Keyval_create", On::Nothing, move || decode::keyval_create(copy_fn, delete_fn, keyval, extra_state))
});
entry!(MPI_Keyval_free PMPI_Keyval_free(keyval: *mut i32) -> i32 {
    wall::call(&"MPI_Keyval_free", On::Nothing, move || decode::keyval_free(keyval))
});
entry!(MPI_Lookup_name PMPI_Lookup_name(service_name: *const std::ffi::c_char, info: Info, port_name: *mut std::ffi::c_char) -> i32 {
    wall::call(&"MPI_Lookup_name", On::Nothing, move || decode::lookup_name(service_name, info, port_name))
});
entry!(MPI_Message_fromint PMPI_Message_fromint(message: i32) -> Message {
    wall::value("MPI_Message_fromint", || calls::convert::message_fromint(message))
});
entry!(MPI_Message_toint PMPI_Message_toint(message: Message) -> i32 {
    wall::value("MPI_Message_toint", || calls::convert::message_toint(message))
});
entry!(MPI_Mprobe PMPI_Mprobe(source: i32, tag: i32, comm: Comm, message: *mut Message, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Mprobe", On::Comm(comm), move || hooks::Note { role: hooks::Role::Matches, received: hooks::Side { peer: source, tag, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || args::require(message, "message").and_then(|()| decode::mprobe(source, tag, comm, message, status)).inspect_err(|_| { args::nullify(message, MPI_MESSAGE_NULL); }))
});
entry!(MPI_Mrecv PMPI_Mrecv(buf: *mut c_void, count: i32, datatype: Datatype, message: *mut Message, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Mrecv", On::Nothing, move || hooks::Note { role: hooks::Role::Receives, received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::mrecv(buf, i64::from(count), datatype, message, status))
});
entry!(MPI_Mrecv_c PMPI_Mrecv_c(buf: *mut c_void, count: i64, datatype: Datatype, message: *mut Message, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Mrecv_c", On::Nothing, move || hooks::Note { role: hooks::Role::Receives, received: hooks::Side { count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::mrecv(buf, count, datatype, message, status))
});
entry!(MPI_Neighbor_allgather PMPI_Neighbor_allgather(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Neighbor_allgather", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::neighbor_allgather(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm))
});
entry!(MPI_Neighbor_allgather_c PMPI_Neighbor_allgather_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Neighbor_allgather_c", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
});
entry!(MPI_Neighbor_allgather_init PMPI_Neighbor_allgather_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Neighbor_allgather_init", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::neighbor_allgather_init(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Neighbor_allgather_init_c PMPI_Neighbor_allgather_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Neighbor_allgather_init_c", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::neighbor_allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Neighbor_allgatherv PMPI_Neighbor_allgatherv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Neighbor_allgatherv", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::neighbor_allgatherv(sendbuf, i64::from(sendcount), sendtype, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(displs), recvtype, comm))
});
entry!(MPI_Neighbor_allgatherv_c PMPI_Neighbor_allgatherv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Neighbor_allgatherv_c", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::neighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(displs), recvtype, comm))
});
entry!(MPI_Neighbor_allgatherv_init PMPI_Neighbor_allgatherv_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Neighbor_allgatherv_init", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::neighbor_allgatherv_init(sendbuf, i64::from(sendcount), sendtype, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(displs), recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Neighbor_allgatherv_init_c PMPI_Neighbor_allgatherv_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Neighbor_allgatherv_init_c", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::neighbor_allgatherv_init(sendbuf, sendcount, sendtype, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(displs), recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Neighbor_alltoall PMPI_Neighbor_alltoall(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Neighbor_alltoall", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::neighbor_alltoall(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm))
});
entry!(MPI_Neighbor_alltoall_c PMPI_Neighbor_alltoall_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Neighbor_alltoall_c", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
});
entry!(MPI_Neighbor_alltoall_init PMPI_Neighbor_alltoall_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Neighbor_alltoall_init", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::neighbor_alltoall_init(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Neighbor_alltoall_init_c PMPI_Neighbor_alltoall_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Neighbor_alltoall_init_c", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::neighbor_alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Neighbor_alltoallv PMPI_Neighbor_alltoallv(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Neighbor_alltoallv", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { counts: IntPtr::narrow(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::neighbor_alltoallv(sendbuf, IntPtr::narrow(sendcounts), IntPtr::narrow(sdispls), sendtype, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(rdispls), recvtype, comm))
});
entry!(MPI_Neighbor_alltoallv_c PMPI_Neighbor_alltoallv_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Neighbor_alltoallv_c", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { counts: IntPtr::wide(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::neighbor_alltoallv(sendbuf, IntPtr::wide(sendcounts), IntPtr::wide(sdispls), sendtype, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(rdispls), recvtype, comm))
});
entry!(MPI_Neighbor_alltoallv_init PMPI_Neighbor_alltoallv_init(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Neighbor_alltoallv_init", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { counts: IntPtr::narrow(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::neighbor_alltoallv_init(sendbuf, IntPtr::narrow(sendcounts), IntPtr::narrow(sdispls), sendtype, recvbuf, IntPtr::narrow(recvcounts), IntPtr::narrow(rdispls), recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Neighbor_alltoallv_init_c PMPI_Neighbor_alltoallv_init_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Neighbor_alltoallv_init_c", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { counts: IntPtr::wide(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::neighbor_alltoallv_init(sendbuf, IntPtr::wide(sendcounts), IntPtr::wide(sdispls), sendtype, recvbuf, IntPtr::wide(recvcounts), IntPtr::wide(rdispls), recvtype, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Neighbor_alltoallw PMPI_Neighbor_alltoallw(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Neighbor_alltoallw", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { counts: IntPtr::narrow(sendcounts), types: sendtypes, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), types: recvtypes, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::neighbor_alltoallw(sendbuf, IntPtr::narrow(sendcounts), sdispls, sendtypes, recvbuf, IntPtr::narrow(recvcounts), rdispls, recvtypes, comm))
});
entry!(MPI_Neighbor_alltoallw_c PMPI_Neighbor_alltoallw_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Neighbor_alltoallw_c", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { counts: IntPtr::wide(sendcounts), types: sendtypes, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), types: recvtypes, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::neighbor_alltoallw(sendbuf, IntPtr::wide(sendcounts), sdispls, sendtypes, recvbuf, IntPtr::wide(recvcounts), rdispls, recvtypes, comm))
});
entry!(MPI_Neighbor_alltoallw_init PMPI_Neighbor_alltoallw_init(sendbuf: *const c_void, sendcounts: *const i32, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Neighbor_alltoallw_init", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { counts: IntPtr::narrow(sendcounts), types: sendtypes, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), types: recvtypes, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::neighbor_alltoallw_init(sendbuf, IntPtr::narrow(sendcounts), sdispls, sendtypes, recvbuf, IntPtr::narrow(recvcounts), rdispls, recvtypes, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Neighbor_alltoallw_init_c PMPI_Neighbor_alltoallw_init_c(sendbuf: *const c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Neighbor_alltoallw_init_c", On::Comm(comm), move || hooks::Note { neighbours: true, sent: hooks::Side { counts: IntPtr::wide(sendcounts), types: sendtypes, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), types: recvtypes, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::neighbor_alltoallw_init(sendbuf, IntPtr::wide(sendcounts), sdispls, sendtypes, recvbuf, IntPtr::wide(recvcounts), rdispls, recvtypes, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Op_commutative PMPI_Op_commutative(op: Op, commute: *mut i32) -> i32 {
    wall::call(&"MPI_Op_commutative", On::Nothing, move || decode::op_commutative(op, commute))
});
entry!(MPI_Op_create PMPI_Op_create(user_fn: UserFunction, commute: i32, op: *mut Op) -> i32 {
    wall::call(&"MPI_Op_create", On::Nothing, move || args::require(op, "op").and_then(|()| decode::op_create(user_fn, commute, op)).inspect_err(|_| { args::nullify(op, MPI_OP_NULL); }))
});
entry!(MPI_Op_create_c PMPI_Op_create_c(user_fn: UserFunctionC, commute: i32, op: *mut Op) -> i32 {
    wall::call(&"MPI_Op_create_c", On::Nothing, move || args::require(op, "op").and_then(|()| decode::op_create_c(user_fn, commute, op)).inspect_err(|_| { args::nullify(op, MPI_OP_NULL); }))
});
entry!(MPI_Op_free PMPI_Op_free(op: *mut Op) -> i32 {
    wall::call(&"MPI_Op_free", On::Nothing, move || decode::op_free(op))
});
entry!(MPI_Op_fromint PMPI_Op_fromint(op: i32) -> Op {
    wall::value("MPI_Op_fromint", || calls::convert::op_fromint(op))
});
entry!(MPI_Op_toint PMPI_Op_toint(op: Op) -> i32 {
    wall::value("MPI_Op_toint", || calls::convert::op_toint(op))
});
entry!(MPI_Open_port PMPI_Open_port(info: Info, port_name: *mut std::ffi::c_char) -> i32 {
    wall::call(&"MPI_Open_port", On::Nothing, move || decode::open_port(info, port_name))
});
entry!(MPI_Pack PMPI_Pack(inbuf: *const c_void, incount: i32, datatype: Datatype, outbuf: *mut c_void, outsize: i32, position: *mut i32, comm: Comm) -> i32 {
    wall::call(&"MPI_Pack", On::Comm(comm), move || decode::pack(inbuf, i64::from(incount), datatype, outbuf, i64::from(outsize), IntPtr::narrow(position), comm))
});
entry!(MPI_Pack_c PMPI_Pack_c(inbuf: *const c_void, incount: i64, datatype: Datatype, outbuf: *mut c_void, outsize: i64, position: *mut i64, comm: Comm) -> i32 {
    wall::call(&"MPI_Pack_c", On::Comm(comm), move || decode::pack(inbuf, incount, datatype, outbuf, outsize, IntPtr::wide(position), comm))
});
entry!(MPI_Pack_external PMPI_Pack_external(datarep: *const std::ffi::c_char, inbuf: *const c_void, incount: i32, datatype: Datatype, outbuf: *mut c_void, outsize: i64, position: *mut i64) -> i32 {
    wall::call(&"MPI_Pack_external", On::Nothing, move || decode::pack_external(datarep, inbuf, i64::from(incount), datatype, outbuf, outsize, IntPtr::wide(position)))
});
entry!(MPI_Pack_external_c PMPI_Pack_external_c(datarep: *const std::ffi::c_char, inbuf: *const c_void, incount: i64, datatype: Datatype, outbuf: *mut c_void, outsize: i64, position: *mut i64) -> i32 {
    wall::call(&"MPI_Pack_external_c", On::Nothing, move || decode::pack_external(datarep, inbuf, incount, datatype, outbuf, outsize, IntPtr::wide(position)))
});
entry!(MPI_Pack_external_size PMPI_Pack_external_size(datarep: *const std::ffi::c_char, incount: i32, datatype: Datatype, size: *mut i64) -> i32 {
    wall::call(&"MPI_Pack_external_size", On::Nothing, move || decode::pack_external_size(datarep, i64::from(incount), datatype, IntPtr::wide(size)))
});
entry!(MPI_Pack_external_size_c PMPI_Pack_external_size_c(datarep: *const std::ffi::c_char, incount: i64, datatype: Datatype, size: *mut i64) -> i32 {
    wall::call(&"MPI_Pack_external_size_c", On::Nothing, move || decode::pack_external_size(datarep, incount, datatype, IntPtr::wide(size)))
});
entry!(MPI_Pack_size PMPI_Pack_size(incount: i32, datatype: Datatype, comm: Comm, size: *mut i32) -> i32 {
    wall::call(&"MPI_Pack_size", On::Comm(comm), move || decode::pack_size(i64::from(incount), datatype, comm, IntPtr::narrow(size)))
});
entry!(MPI_Pack_size_c PMPI_Pack_size_c(incount: i64, datatype: Datatype, comm: Comm, size: *mut i64) -> i32 {
    wall::call(&"MPI_Pack_size_c", On::Comm(comm), move || decode::pack_size(incount, datatype, comm, IntPtr::wide(size)))
});
entry!(MPI_Parrived PMPI_Parrived(request: Request, partition: i32, flag: *mut i32) -> i32 {
    wall::call(&"MPI_Parrived", On::Nothing, move || decode::parrived(request, partition, flag))
});
entry!(MPI_Pcontrol PMPI_Pcontrol(level: i32) -> i32 {
    wall::call(&"MPI_Pcontrol", On::Nothing, move || calls::env::pcontrol(level))
});
entry!(MPI_Pready PMPI_Pready(partition: i32, request: Request) -> i32 {
    wall::call(&"MPI_Pready", On::Nothing, move || calls::partitioned::pready(partition, request))
});
entry!(MPI_Pready_list PMPI_Pready_list(length: i32, array_of_partitions: *const i32, request: Request) -> i32 {
    wall::call(&"MPI_Pready_list", On::Nothing, move || decode::pready_list(length, array_of_partitions, request))
});
entry!(MPI_Pready_range PMPI_Pready_range(partition_low: i32, partition_high: i32, request: Request) -> i32 {
    wall::call(&"MPI_Pready_range", On::Nothing, move || calls::partitioned::pready_range(partition_low, partition_high, request))
});
entry!(MPI_Precv_init PMPI_Precv_init(buf: *mut c_void, partitions: i32, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Precv_init", On::Comm(comm), move || hooks::Note { received: hooks::Side { peer: source, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::precv_init(buf, partitions, count, datatype, source, tag, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Probe PMPI_Probe(source: i32, tag: i32, comm: Comm, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Probe", On::Comm(comm), move || hooks::Note { received: hooks::Side { peer: source, tag, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::probe(source, tag, comm, status))
});
entry!(MPI_Psend_init PMPI_Psend_init(buf: *const c_void, partitions: i32, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Psend_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::psend_init(buf, partitions, count, datatype, dest, tag, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Publish_name PMPI_Publish_name(service_name: *const std::ffi::c_char, info: Info, port_name: *const std::ffi::c_char) -> i32 {
    wall::call(&"MPI_Publish_name", On::Nothing, move || decode::publish_name(service_name, info, port_name))
});
entry!(MPI_Put PMPI_Put(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, win: Win) -> i32 {
    wall::call_noted(&"MPI_Put", On::Win(win), move || hooks::Note { role: hooks::Role::Puts, sent: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::put(origin_addr, i64::from(origin_count), origin_datatype, target_rank, target_disp, i64::from(target_count), target_datatype, win))
});
entry!(MPI_Put_c PMPI_Put_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win) -> i32 {
    wall::call_noted(&"MPI_Put_c", On::Win(win), move || hooks::Note { role: hooks::Role::Puts, sent: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::put(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win))
});
entry!(MPI_Query_thread PMPI_Query_thread(provided: *mut i32) -> i32 {
    wall::call(&"MPI_Query_thread", On::Nothing, move || decode::query_thread(provided))
});
entry!(MPI_Raccumulate PMPI_Raccumulate(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, op: Op, win: Win, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Raccumulate", On::Win(win), move || hooks::Note { role: hooks::Role::Puts, sent: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::raccumulate(origin_addr, i64::from(origin_count), origin_datatype, target_rank, target_disp, i64::from(target_count), target_datatype, op, win, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Raccumulate_c PMPI_Raccumulate_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Raccumulate_c", On::Win(win), move || hooks::Note { role: hooks::Role::Puts, sent: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::raccumulate(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Recv PMPI_Recv(buf: *mut c_void, count: i32, datatype: Datatype, source: i32, tag: i32, comm: Comm, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Recv", On::Comm(comm), move || hooks::Note { role: hooks::Role::Receives, received: hooks::Side { peer: source, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::recv(buf, i64::from(count), datatype, source, tag, comm, status))
});
entry!(MPI_Recv_c PMPI_Recv_c(buf: *mut c_void, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Recv_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::Receives, received: hooks::Side { peer: source, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::recv(buf, count, datatype, source, tag, comm, status))
});
entry!(MPI_Recv_init PMPI_Recv_init(buf: *mut c_void, count: i32, datatype: Datatype, source: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Recv_init", On::Comm(comm), move || hooks::Note { role: hooks::Role::PreparesReceive, received: hooks::Side { peer: source, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::recv_init(buf, i64::from(count), datatype, source, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Recv_init_c PMPI_Recv_init_c(buf: *mut c_void, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Recv_init_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::PreparesReceive, received: hooks::Side { peer: source, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::recv_init(buf, count, datatype, source, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Reduce PMPI_Reduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, root: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Reduce", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::reduce(sendbuf, recvbuf, i64::from(count), datatype, op, root, comm))
});
entry!(MPI_Reduce_c PMPI_Reduce_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, root: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Reduce_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::reduce(sendbuf, recvbuf, count, datatype, op, root, comm))
});
entry!(MPI_Reduce_init PMPI_Reduce_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Reduce_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::reduce_init(sendbuf, recvbuf, i64::from(count), datatype, op, root, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Reduce_init_c PMPI_Reduce_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Reduce_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::reduce_init(sendbuf, recvbuf, count, datatype, op, root, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Reduce_local PMPI_Reduce_local(inbuf: *const c_void, inoutbuf: *mut c_void, count: i32, datatype: Datatype, op: Op) -> i32 {
    wall::call_noted(&"MPI_Reduce_local", On::Nothing, move || hooks::Note { op, ..hooks::Note::NONE }, move || decode::reduce_local(inbuf, inoutbuf, i64::from(count), datatype, op))
});
entry!(MPI_Reduce_local_c PMPI_Reduce_local_c(inbuf: *const c_void, inoutbuf: *mut c_void, count: i64, datatype: Datatype, op: Op) -> i32 {
    wall::call_noted(&"MPI_Reduce_local_c", On::Nothing, move || hooks::Note { op, ..hooks::Note::NONE }, move || decode::reduce_local(inbuf, inoutbuf, count, datatype, op))
});
entry!(MPI_Reduce_scatter PMPI_Reduce_scatter(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i32, datatype: Datatype, op: Op, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Reduce_scatter", On::Comm(comm), move || hooks::Note { sent: hooks::Side { datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::reduce_scatter(sendbuf, recvbuf, IntPtr::narrow(recvcounts), datatype, op, comm))
});
entry!(MPI_Reduce_scatter_block PMPI_Reduce_scatter_block(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i32, datatype: Datatype, op: Op, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Reduce_scatter_block", On::Comm(comm), move || hooks::Note { sent: hooks::Side { datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::reduce_scatter_block(sendbuf, recvbuf, i64::from(recvcount), datatype, op, comm))
});
entry!(MPI_Reduce_scatter_block_c PMPI_Reduce_scatter_block_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i64, datatype: Datatype, op: Op, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Reduce_scatter_block_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm))
});
entry!(MPI_Reduce_scatter_block_init PMPI_Reduce_scatter_block_init(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i32, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Reduce_scatter_block_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::reduce_scatter_block_init(sendbuf, recvbuf, i64::from(recvcount), datatype, op, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Reduce_scatter_block_init_c PMPI_Reduce_scatter_block_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Reduce_scatter_block_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: recvcount as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::reduce_scatter_block_init(sendbuf, recvbuf, recvcount, datatype, op, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Reduce_scatter_c PMPI_Reduce_scatter_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i64, datatype: Datatype, op: Op, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Reduce_scatter_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::reduce_scatter(sendbuf, recvbuf, IntPtr::wide(recvcounts), datatype, op, comm))
});
entry!(MPI_Reduce_scatter_init PMPI_Reduce_scatter_init(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i32, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Reduce_scatter_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::narrow(recvcounts), datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::reduce_scatter_init(sendbuf, recvbuf, IntPtr::narrow(recvcounts), datatype, op, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Reduce_scatter_init_c PMPI_Reduce_scatter_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Reduce_scatter_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { counts: IntPtr::wide(recvcounts), datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::reduce_scatter_init(sendbuf, recvbuf, IntPtr::wide(recvcounts), datatype, op, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Register_datarep PMPI_Register_datarep(datarep: *const std::ffi::c_char, read_conversion_fn: DatarepConversionFunction, write_conversion_fn: DatarepConversionFunction, dtype_file_extent_fn: DatarepExtentFunction, extra_state: *mut c_void) -> i32 {
    wall::call(&"MPI_Register_datarep", On::NoFile, move || decode::register_datarep(datarep, read_conversion_fn, write_conversion_fn, dtype_file_extent_fn, extra_state))
});
entry!(MPI_Register_datarep_c PMPI_Register_datarep_c(datarep: *const std::ffi::c_char, read_conversion_fn: DatarepConversionFunctionC, write_conversion_fn: DatarepConversionFunctionC, dtype_file_extent_fn: DatarepExtentFunction, extra_state: *mut c_void) -> i32 {
    wall::call(&"MPI_Register_datarep_c", On::NoFile, move || decode::register_datarep_c(datarep, read_conversion_fn, write_conversion_fn, dtype_file_extent_fn, extra_state))
});
entry!(MPI_Remove_error_class PMPI_Remove_error_class(errorclass: i32) -> i32 {
    wall::call(&"MPI_Remove_error_class", On::Nothing, move || calls::errors::remove_error_class(errorclass))
});
entry!(MPI_Remove_error_code PMPI_Remove_error_code(errorcode: i32) -> i32 {
    wall::call(&"MPI_Remove_error_code", On::Nothing, move || calls::errors::remove_error_code(errorcode))
});
entry!(MPI_Remove_error_string PMPI_Remove_error_string(errorcode: i32) -> i32 {
    wall::call(&"MPI_Remove_error_string", On::Nothing, move || calls::errors::remove_error_string(errorcode))
});
entry!(MPI_Request_free PMPI_Request_free(request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Request_free", On::Nothing, move || hooks::Note { requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || decode::request_free(request))
});
entry!(MPI_Request_fromint PMPI_Request_fromint(request: i32) -> Request {
    wall::value("MPI_Request_fromint", || calls::convert::request_fromint(request))
});
entry!(MPI_Request_get_status PMPI_Request_get_status(request: Request, flag: *mut i32, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Request_get_status", On::Nothing, move || hooks::Note { statuses: status, ..hooks::Note::NONE }, move || decode::request_get_status(request, flag, status))
});
entry!(MPI_Request_get_status_all PMPI_Request_get_status_all(count: i32, array_of_requests: *const Request, flag: *mut i32, array_of_statuses: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Request_get_status_all", On::Nothing, move || hooks::Note { requests: hooks::Requests::several(array_of_requests, count as i64), statuses: array_of_statuses, ..hooks::Note::NONE }, move || decode::request_get_status_all(count, array_of_requests, flag, array_of_statuses))
});
entry!(MPI_Request_get_status_any PMPI_Request_get_status_any(count: i32, array_of_requests: *const Request, indx: *mut i32, flag: *mut i32, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Request_get_status_any", On::Nothing, move || hooks::Note { requests: hooks::Requests::several(array_of_requests, count as i64), statuses: status, indices: indx, ..hooks::Note::NONE }, move || decode::request_get_status_any(count, array_of_requests, indx, flag, status))
});
entry!(MPI_Request_get_status_some PMPI_Request_get_status_some(incount: i32, array_of_requests: *const Request, outcount: *mut i32, array_of_indices: *mut i32, array_of_statuses: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Request_get_status_some", On::Nothing, move || hooks::Note { requests: hooks::Requests::several(array_of_requests, incount as i64), statuses: array_of_statuses, indices: array_of_indices, outcount, ..hooks::Note::NONE }, move || decode::request_get_status_some(incount, array_of_requests, outcount, array_of_indices, array_of_statuses))
});
entry!(MPI_Request_toint PMPI_Request_toint(request: Request) -> i32 {
    wall::value("MPI_Request_toint", || calls::convert::request_toint(request))
});
entry!(MPI_Rget PMPI_Rget(origin_addr: *mut c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, win: Win, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Rget", On::Win(win), move || hooks::Note { role: hooks::Role::Gets, sent: hooks::Side { peer: target_rank, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::rget(origin_addr, i64::from(origin_count), origin_datatype, target_rank, target_disp, i64::from(target_count), target_datatype, win, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Rget_accumulate PMPI_Rget_accumulate(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, result_addr: *mut c_void, result_count: i32, result_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, op: Op, win: Win, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Rget_accumulate", On::Win(win), move || hooks::Note { role: hooks::Role::Swaps, sent: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, count: result_count as i64, datatype: result_datatype, buffer: result_addr as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::rget_accumulate(origin_addr, i64::from(origin_count), origin_datatype, result_addr, i64::from(result_count), result_datatype, target_rank, target_disp, i64::from(target_count), target_datatype, op, win, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Rget_accumulate_c PMPI_Rget_accumulate_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, result_addr: *mut c_void, result_count: i64, result_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Rget_accumulate_c", On::Win(win), move || hooks::Note { role: hooks::Role::Swaps, sent: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, count: result_count as i64, datatype: result_datatype, buffer: result_addr as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::rget_accumulate(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, win, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Rget_c PMPI_Rget_c(origin_addr: *mut c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Rget_c", On::Win(win), move || hooks::Note { role: hooks::Role::Gets, sent: hooks::Side { peer: target_rank, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::rget(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Rput PMPI_Rput(origin_addr: *const c_void, origin_count: i32, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i32, target_datatype: Datatype, win: Win, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Rput", On::Win(win), move || hooks::Note { role: hooks::Role::Puts, sent: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::rput(origin_addr, i64::from(origin_count), origin_datatype, target_rank, target_disp, i64::from(target_count), target_datatype, win, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Rput_c PMPI_Rput_c(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Rput_c", On::Win(win), move || hooks::Note { role: hooks::Role::Puts, sent: hooks::Side { peer: target_rank, count: origin_count as i64, datatype: origin_datatype, buffer: origin_addr as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: target_rank, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::rput(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Rsend PMPI_Rsend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Rsend", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::rsend(buf, i64::from(count), datatype, dest, tag, comm))
});
entry!(MPI_Rsend_c PMPI_Rsend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Rsend_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::rsend(buf, count, datatype, dest, tag, comm))
});
entry!(MPI_Rsend_init PMPI_Rsend_init(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Rsend_init", On::Comm(comm), move || hooks::Note { role: hooks::Role::PreparesSend, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::rsend_init(buf, i64::from(count), datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Rsend_init_c PMPI_Rsend_init_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Rsend_init_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::PreparesSend, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::rsend_init(buf, count, datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Scan PMPI_Scan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Scan", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::scan(sendbuf, recvbuf, i64::from(count), datatype, op, comm))
});
entry!(MPI_Scan_c PMPI_Scan_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Scan_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, op, ..hooks::Note::NONE }, move || decode::scan(sendbuf, recvbuf, count, datatype, op, comm))
});
entry!(MPI_Scan_init PMPI_Scan_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i32, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Scan_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::scan_init(sendbuf, recvbuf, i64::from(count), datatype, op, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Scan_init_c PMPI_Scan_init_c(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Scan_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { count: count as i64, datatype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { count: count as i64, datatype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), op, ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::scan_init(sendbuf, recvbuf, count, datatype, op, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Scatter PMPI_Scatter(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Scatter", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::scatter(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, root, comm))
});
entry!(MPI_Scatter_c PMPI_Scatter_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Scatter_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))
});
entry!(MPI_Scatter_init PMPI_Scatter_init(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Scatter_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::scatter_init(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, root, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Scatter_init_c PMPI_Scatter_init_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Scatter_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::scatter_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Scatterv PMPI_Scatterv(sendbuf: *const c_void, sendcounts: *const i32, displs: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Scatterv", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, counts: IntPtr::narrow(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::scatterv(sendbuf, IntPtr::narrow(sendcounts), IntPtr::narrow(displs), sendtype, recvbuf, i64::from(recvcount), recvtype, root, comm))
});
entry!(MPI_Scatterv_c PMPI_Scatterv_c(sendbuf: *const c_void, sendcounts: *const i64, displs: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Scatterv_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, counts: IntPtr::wide(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::scatterv(sendbuf, IntPtr::wide(sendcounts), IntPtr::wide(displs), sendtype, recvbuf, recvcount, recvtype, root, comm))
});
entry!(MPI_Scatterv_init PMPI_Scatterv_init(sendbuf: *const c_void, sendcounts: *const i32, displs: *const i32, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Scatterv_init", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, counts: IntPtr::narrow(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::scatterv_init(sendbuf, IntPtr::narrow(sendcounts), IntPtr::narrow(displs), sendtype, recvbuf, i64::from(recvcount), recvtype, root, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Scatterv_init_c PMPI_Scatterv_init_c(sendbuf: *const c_void, sendcounts: *const i64, displs: *const i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Scatterv_init_c", On::Comm(comm), move || hooks::Note { sent: hooks::Side { peer: root, counts: IntPtr::wide(sendcounts), datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: root, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::scatterv_init(sendbuf, IntPtr::wide(sendcounts), IntPtr::wide(displs), sendtype, recvbuf, recvcount, recvtype, root, comm, info, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Send PMPI_Send(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Send", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::send(buf, i64::from(count), datatype, dest, tag, comm))
});
entry!(MPI_Send_c PMPI_Send_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Send_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::send(buf, count, datatype, dest, tag, comm))
});
entry!(MPI_Send_init PMPI_Send_init(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Send_init", On::Comm(comm), move || hooks::Note { role: hooks::Role::PreparesSend, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::send_init(buf, i64::from(count), datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Send_init_c PMPI_Send_init_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Send_init_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::PreparesSend, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::send_init(buf, count, datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Sendrecv PMPI_Sendrecv(sendbuf: *const c_void, sendcount: i32, sendtype: Datatype, dest: i32, sendtag: i32, recvbuf: *mut c_void, recvcount: i32, recvtype: Datatype, source: i32, recvtag: i32, comm: Comm, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Sendrecv", On::Comm(comm), move || hooks::Note { role: hooks::Role::Exchanges, sent: hooks::Side { peer: dest, tag: sendtag, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: source, tag: recvtag, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::sendrecv(sendbuf, i64::from(sendcount), sendtype, dest, sendtag, recvbuf, i64::from(recvcount), recvtype, source, recvtag, comm, status))
});
entry!(MPI_Sendrecv_c PMPI_Sendrecv_c(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, dest: i32, sendtag: i32, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, source: i32, recvtag: i32, comm: Comm, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Sendrecv_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::Exchanges, sent: hooks::Side { peer: dest, tag: sendtag, count: sendcount as i64, datatype: sendtype, buffer: sendbuf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: source, tag: recvtag, count: recvcount as i64, datatype: recvtype, buffer: recvbuf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status))
});
entry!(MPI_Sendrecv_replace PMPI_Sendrecv_replace(buf: *mut c_void, count: i32, datatype: Datatype, dest: i32, sendtag: i32, source: i32, recvtag: i32, comm: Comm, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Sendrecv_replace", On::Comm(comm), move || hooks::Note { role: hooks::Role::Exchanges, sent: hooks::Side { peer: dest, tag: sendtag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: source, tag: recvtag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::sendrecv_replace(buf, i64::from(count), datatype, dest, sendtag, source, recvtag, comm, status))
});
entry!(MPI_Sendrecv_replace_c PMPI_Sendrecv_replace_c(buf: *mut c_void, count: i64, datatype: Datatype, dest: i32, sendtag: i32, source: i32, recvtag: i32, comm: Comm, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Sendrecv_replace_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::Exchanges, sent: hooks::Side { peer: dest, tag: sendtag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, received: hooks::Side { peer: source, tag: recvtag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, statuses: status, ..hooks::Note::NONE }, move || decode::sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, status))
});
entry!(MPI_Session_attach_buffer PMPI_Session_attach_buffer(session: Session, buffer: *mut c_void, size: i32) -> i32 {
    wall::call_noted(&"MPI_Session_attach_buffer", On::Session(session), move || hooks::Note { sent: hooks::Side { buffer: buffer as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::session_attach_buffer(session, buffer, i64::from(size)))
});
entry!(MPI_Session_attach_buffer_c PMPI_Session_attach_buffer_c(session: Session, buffer: *mut c_void, size: i64) -> i32 {
    wall::call_noted(&"MPI_Session_attach_buffer_c", On::Session(session), move || hooks::Note { sent: hooks::Side { buffer: buffer as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::session_attach_buffer(session, buffer, size))
});
entry!(MPI_Session_call_errhandler PMPI_Session_call_errhandler(session: Session, errorcode: i32) -> i32 {
    wall::call(&"MPI_Session_call_errhandler", On::Session(session), move || calls::errhandler::session_call_errhandler(session, errorcode))
});
entry!(MPI_Session_create_errhandler PMPI_Session_create_errhandler(session_errhandler_fn: SessionErrhandlerFunction, errhandler: *mut Errhandler) -> i32 {
    wall::call(&"MPI_Session_create_errhandler", On::Nothing, move || args::require(errhandler, "errhandler").and_then(|()| decode::session_create_errhandler(session_errhandler_fn, errhandler)).inspect_err(|_| { args::nullify(errhandler, MPI_ERRHANDLER_NULL); }))
});
entry!(MPI_Session_detach_buffer PMPI_Session_detach_buffer(session: Session, buffer_addr: *mut c_void, size: *mut i32) -> i32 {
    wall::call(&"MPI_Session_detach_buffer", On::Session(session), move || decode::session_detach_buffer(session, buffer_addr, IntPtr::narrow(size)))
});
entry!(MPI_Session_detach_buffer_c PMPI_Session_detach_buffer_c(session: Session, buffer_addr: *mut c_void, size: *mut i64) -> i32 {
    wall::call(&"MPI_Session_detach_buffer_c", On::Session(session), move || decode::session_detach_buffer(session, buffer_addr, IntPtr::wide(size)))
});
entry!(MPI_Session_finalize PMPI_Session_finalize(session: *mut Session) -> i32 {
    wall::call(&"MPI_Session_finalize", On::Nothing, move || decode::session_finalize(session))
});
entry!(MPI_Session_flush_buffer PMPI_Session_flush_buffer(session: Session) -> i32 {
    wall::call(&"MPI_Session_flush_buffer", On::Session(session), move || calls::bsend::session_flush_buffer(session))
});
entry!(MPI_Session_fromint PMPI_Session_fromint(session: i32) -> Session {
    wall::value("MPI_Session_fromint", || calls::convert::session_fromint(session))
});
entry!(MPI_Session_get_errhandler PMPI_Session_get_errhandler(session: Session, errhandler: *mut Errhandler) -> i32 {
    wall::call(&"MPI_Session_get_errhandler", On::Session(session), move || args::require(errhandler, "errhandler").and_then(|()| decode::session_get_errhandler(session, errhandler)).inspect_err(|_| { args::nullify(errhandler, MPI_ERRHANDLER_NULL); }))
});
entry!(MPI_Session_get_info PMPI_Session_get_info(session: Session, info_used: *mut Info) -> i32 {
    wall::call(&"MPI_Session_get_info", On::Session(session), move || args::require(info_used, "info_used").and_then(|()| decode::session_get_info(session, info_used)).inspect_err(|_| { args::nullify(info_used, MPI_INFO_NULL); }))
});
entry!(MPI_Session_get_nth_pset PMPI_Session_get_nth_pset(session: Session, info: Info, n: i32, pset_len: *mut i32, pset_name: *mut std::ffi::c_char) -> i32 {
    wall::call(&"MPI_Session_get_nth_pset", On::Session(session), move || decode::session_get_nth_pset(session, info, n, pset_len, pset_name))
});
entry!(MPI_Session_get_num_psets PMPI_Session_get_num_psets(session: Session, info: Info, npset_names: *mut i32) -> i32 {
    wall::call(&"MPI_Session_get_num_psets", On::Session(session), move || decode::session_get_num_psets(session, info, npset_names))
});
entry!(MPI_Session_get_pset_info PMPI_Session_get_pset_info(session: Session, pset_name: *const std::ffi::c_char, info: *mut Info) -> i32 {
    wall::call(&"MPI_Session_get_pset_info", On::Session(session), move || args::require(info, "info").and_then(|()| decode::session_get_pset_info(session, pset_name, info)).inspect_err(|_| { args::nullify(info, MPI_INFO_NULL); }))
});
entry!(MPI_Session_iflush_buffer PMPI_Session_iflush_buffer(session: Session, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Session_iflush_buffer", On::Session(session), move || hooks::Note { requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::session_iflush_buffer(session, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Session_init PMPI_Session_init(info: Info, errhandler: Errhandler, session: *mut Session) -> i32 {
    wall::call(&"MPI_Session_init", On::Handler(errhandler), move || args::require(session, "session").and_then(|()| decode::session_init(info, errhandler, session)).inspect_err(|_| { args::nullify(session, MPI_SESSION_NULL); }))
});
entry!(MPI_Session_set_errhandler PMPI_Session_set_errhandler(session: Session, errhandler: Errhandler) -> i32 {
    wall::call(&"MPI_Session_set_errhandler", On::Session(session), move || calls::errhandler::session_set_errhandler(session, errhandler))
});
entry!(MPI_Session_toint PMPI_Session_toint(session: Session) -> i32 {
    wall::value("MPI_Session_toint", || calls::convert::session_toint(session))
});
entry!(MPI_Ssend PMPI_Ssend(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Ssend", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::ssend(buf, i64::from(count), datatype, dest, tag, comm))
});
entry!(MPI_Ssend_c PMPI_Ssend_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) -> i32 {
    wall::call_noted(&"MPI_Ssend_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::Sends, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, ..hooks::Note::NONE }, move || decode::ssend(buf, count, datatype, dest, tag, comm))
});
entry!(MPI_Ssend_init PMPI_Ssend_init(buf: *const c_void, count: i32, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ssend_init", On::Comm(comm), move || hooks::Note { role: hooks::Role::PreparesSend, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ssend_init(buf, i64::from(count), datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Ssend_init_c PMPI_Ssend_init_c(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Ssend_init_c", On::Comm(comm), move || hooks::Note { role: hooks::Role::PreparesSend, sent: hooks::Side { peer: dest, tag, count: count as i64, datatype, buffer: buf as usize, ..hooks::Side::NONE }, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || args::require(request, "request").and_then(|()| decode::ssend_init(buf, count, datatype, dest, tag, comm, request)).inspect_err(|_| { args::nullify(request, MPI_REQUEST_NULL); }))
});
entry!(MPI_Start PMPI_Start(request: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Start", On::Nothing, move || hooks::Note { role: hooks::Role::Starts, requests: hooks::Requests::one(request), ..hooks::Note::NONE }, move || decode::start(request))
});
entry!(MPI_Startall PMPI_Startall(count: i32, array_of_requests: *mut Request) -> i32 {
    wall::call_noted(&"MPI_Startall", On::Nothing, move || hooks::Note { role: hooks::Role::Starts, requests: hooks::Requests::several(array_of_requests, count as i64), ..hooks::Note::NONE }, move || decode::startall(count, array_of_requests))
});
entry!(MPI_Status_get_error PMPI_Status_get_error(status: *const Status, err: *mut i32) -> i32 {
    wall::call(&"MPI_Status_get_error", On::Nothing, move || decode::status_get_error(status, err))
});
entry!(MPI_Status_get_source PMPI_Status_get_source(status: *const Status, source: *mut i32) -> i32 {
    wall::call(&"MPI_Status_get_source", On::Nothing, move || decode::status_get_source(status, source))
});
entry!(MPI_Status_get_tag PMPI_Status_get_tag(status: *const Status, tag: *mut i32) -> i32 {
    wall::call(&"MPI_Status_get_tag", On::Nothing, move || decode::status_get_tag(status, tag))
});
entry!(MPI_Status_set_cancelled PMPI_Status_set_cancelled(status: *mut Status, flag: i32) -> i32 {
    wall::call(&"MPI_Status_set_cancelled", On::Nothing, move || decode::status_set_cancelled(status, flag))
});
entry!(MPI_Status_set_elements PMPI_Status_set_elements(status: *mut Status, datatype: Datatype, count: i32) -> i32 {
    wall::call(&"MPI_Status_set_elements", On::Nothing, move || decode::status_set_elements(status, datatype, i64::from(count)))
});
entry!(MPI_Status_set_elements_c PMPI_Status_set_elements_c(status: *mut Status, datatype: Datatype, count: i64) -> i32 {
    wall::call(&"MPI_Status_set_elements_c", On::Nothing, move || decode::status_set_elements(status, datatype, count))
});
entry!(MPI_Status_set_elements_x PMPI_Status_set_elements_x(status: *mut Status, datatype: Datatype, count: i64) -> i32 {
    wall::call(&"MPI_Status_set_elements_x", On::Nothing, move || decode::status_set_elements_x(status, datatype, count))
});
entry!(MPI_Status_set_error PMPI_Status_set_error(status: *mut Status, err: i32) -> i32 {
    wall::call(&"MPI_Status_set_error", On::Nothing, move || decode::status_set_error(status, err))
});
entry!(MPI_Status_set_source PMPI_Status_set_source(status: *mut Status, source: i32) -> i32 {
    wall::call(&"MPI_Status_set_source", On::Nothing, move || decode::status_set_source(status, source))
});
entry!(MPI_Status_set_tag PMPI_Status_set_tag(status: *mut Status, tag: i32) -> i32 {
    wall::call(&"MPI_Status_set_tag", On::Nothing, move || decode::status_set_tag(status, tag))
});
entry!(MPI_T_category_changed PMPI_T_category_changed(update_number: *mut i32) -> i32 {
    wall::tool("MPI_T_category_changed", || decode::t_category_changed(update_number))
});
entry!(MPI_T_category_get_categories PMPI_T_category_get_categories(cat_index: i32, len: i32, indices: *mut i32) -> i32 {
    wall::tool("MPI_T_category_get_categories", || decode::t_category_get_categories(cat_index, len, indices))
});
entry!(MPI_T_category_get_cvars PMPI_T_category_get_cvars(cat_index: i32, len: i32, indices: *mut i32) -> i32 {
    wall::tool("MPI_T_category_get_cvars", || decode::t_category_get_cvars(cat_index, len, indices))
});
entry!(MPI_T_category_get_events PMPI_T_category_get_events(cat_index: i32, len: i32, indices: *mut i32) -> i32 {
    wall::tool("MPI_T_category_get_events", || decode::t_category_get_events(cat_index, len, indices))
});
entry!(MPI_T_category_get_index PMPI_T_category_get_index(name: *const std::ffi::c_char, cat_index: *mut i32) -> i32 {
    wall::tool("MPI_T_category_get_index", || decode::t_category_get_index(name, cat_index))
});
entry!(MPI_T_category_get_info PMPI_T_category_get_info(cat_index: i32, name: *mut std::ffi::c_char, name_len: *mut i32, desc: *mut std::ffi::c_char, desc_len: *mut i32, num_cvars: *mut i32, num_pvars: *mut i32, num_categories: *mut i32) -> i32 {
    wall::tool("MPI_T_category_get_info", || decode::t_category_get_info(cat_index, name, name_len, desc, desc_len, num_cvars, num_pvars, num_categories))
});
entry!(MPI_T_category_get_num PMPI_T_category_get_num(num_cat: *mut i32) -> i32 {
    wall::tool("MPI_T_category_get_num", || decode::t_category_get_num(num_cat))
});
entry!(MPI_T_category_get_num_events PMPI_T_category_get_num_events(cat_index: i32, num_events: *mut i32) -> i32 {
    wall::tool("MPI_T_category_get_num_events", || decode::t_category_get_num_events(cat_index, num_events))
});
entry!(MPI_T_category_get_pvars PMPI_T_category_get_pvars(cat_index: i32, len: i32, indices: *mut i32) -> i32 {
    wall::tool("MPI_T_category_get_pvars", || decode::t_category_get_pvars(cat_index, len, indices))
});
entry!(MPI_T_cvar_get_index PMPI_T_cvar_get_index(name: *const std::ffi::c_char, cvar_index: *mut i32) -> i32 {
    wall::tool("MPI_T_cvar_get_index", || decode::t_cvar_get_index(name, cvar_index))
});
entry!(MPI_T_cvar_get_info PMPI_T_cvar_get_info(cvar_index: i32, name: *mut std::ffi::c_char, name_len: *mut i32, verbosity: *mut i32, datatype: *mut Datatype, enumtype: *mut TEnum, desc: *mut std::ffi::c_char, desc_len: *mut i32, bind: *mut i32, scope: *mut i32) -> i32 {
    wall::tool("MPI_T_cvar_get_info", || decode::t_cvar_get_info(cvar_index, name, name_len, verbosity, datatype, enumtype, desc, desc_len, bind, scope))
});
entry!(MPI_T_cvar_get_num PMPI_T_cvar_get_num(num_cvar: *mut i32) -> i32 {
    wall::tool("MPI_T_cvar_get_num", || decode::t_cvar_get_num(num_cvar))
});
entry!(MPI_T_cvar_handle_alloc PMPI_T_cvar_handle_alloc(cvar_index: i32, obj_handle: *mut c_void, handle: *mut TCvarHandle, count: *mut i32) -> i32 {
    wall::tool("MPI_T_cvar_handle_alloc", || decode::t_cvar_handle_alloc(cvar_index, obj_handle, handle, count))
});
entry!(MPI_T_cvar_handle_free PMPI_T_cvar_handle_free(handle: *mut TCvarHandle) -> i32 {
    wall::tool("MPI_T_cvar_handle_free", || decode::t_cvar_handle_free(handle))
});
entry!(MPI_T_cvar_read PMPI_T_cvar_read(handle: TCvarHandle, buf: *mut c_void) -> i32 {
    wall::tool("MPI_T_cvar_read", || calls::tool::control::t_cvar_read(handle, buf))
});
entry!(MPI_T_cvar_write PMPI_T_cvar_write(handle: TCvarHandle, buf: *const c_void) -> i32 {
    wall::tool("MPI_T_cvar_write", || calls::tool::control::t_cvar_write(handle, buf))
});
entry!(MPI_T_enum_get_info PMPI_T_enum_get_info(enumtype: TEnum, num: *mut i32, name: *mut std::ffi::c_char, name_len: *mut i32) -> i32 {
    wall::tool("MPI_T_enum_get_info", || decode::t_enum_get_info(enumtype, num, name, name_len))
});
entry!(MPI_T_enum_get_item PMPI_T_enum_get_item(enumtype: TEnum, indx: i32, value: *mut i32, name: *mut std::ffi::c_char, name_len: *mut i32) -> i32 {
    wall::tool("MPI_T_enum_get_item", || decode::t_enum_get_item(enumtype, indx, value, name, name_len))
});
entry!(MPI_T_event_callback_get_info PMPI_T_event_callback_get_info(event_registration: TEventRegistration, cb_safety: TCbSafety, info_used: *mut Info) -> i32 {
    wall::tool("MPI_T_event_callback_get_info", || decode::t_event_callback_get_info(event_registration, cb_safety, info_used))
});
entry!(MPI_T_event_callback_set_info PMPI_T_event_callback_set_info(event_registration: TEventRegistration, cb_safety: TCbSafety, info: Info) -> i32 {
    wall::tool("MPI_T_event_callback_set_info", || calls::tool::event::t_event_callback_set_info(event_registration, cb_safety, info))
});
entry!(MPI_T_event_copy PMPI_T_event_copy(event_instance: TEventInstance, buffer: *mut c_void) -> i32 {
    wall::tool("MPI_T_event_copy", || calls::tool::event::t_event_copy(event_instance, buffer))
});
entry!(MPI_T_event_get_index PMPI_T_event_get_index(name: *const std::ffi::c_char, event_index: *mut i32) -> i32 {
    wall::tool("MPI_T_event_get_index", || decode::t_event_get_index(name, event_index))
});
entry!(MPI_T_event_get_info PMPI_T_event_get_info(event_index: i32, name: *mut std::ffi::c_char, name_len: *mut i32, verbosity: *mut i32, array_of_datatypes: *mut Datatype, array_of_displacements: *mut i64, num_elements: *mut i32, enumtype: *mut TEnum, info: *mut Info, desc: *mut std::ffi::c_char, desc_len: *mut i32, bind: *mut i32) -> i32 {
    wall::tool("MPI_T_event_get_info", || decode::t_event_get_info(event_index, name, name_len, verbosity, array_of_datatypes, array_of_displacements, num_elements, enumtype, info, desc, desc_len, bind))
});
entry!(MPI_T_event_get_num PMPI_T_event_get_num(num_events: *mut i32) -> i32 {
    wall::tool("MPI_T_event_get_num", || decode::t_event_get_num(num_events))
});
entry!(MPI_T_event_get_source PMPI_T_event_get_source(event_instance: TEventInstance, source_index: *mut i32) -> i32 {
    wall::tool("MPI_T_event_get_source", || decode::t_event_get_source(event_instance, source_index))
});
entry!(MPI_T_event_get_timestamp PMPI_T_event_get_timestamp(event_instance: TEventInstance, event_timestamp: *mut i64) -> i32 {
    wall::tool("MPI_T_event_get_timestamp", || decode::t_event_get_timestamp(event_instance, event_timestamp))
});
entry!(MPI_T_event_handle_alloc PMPI_T_event_handle_alloc(event_index: i32, obj_handle: *mut c_void, info: Info, event_registration: *mut TEventRegistration) -> i32 {
    wall::tool("MPI_T_event_handle_alloc", || decode::t_event_handle_alloc(event_index, obj_handle, info, event_registration))
});
entry!(MPI_T_event_handle_free PMPI_T_event_handle_free(event_registration: TEventRegistration, user_data: *mut c_void, free_cb_function: TEventFreeCbFunction) -> i32 {
    wall::tool("MPI_T_event_handle_free", || calls::tool::event::t_event_handle_free(event_registration, user_data, free_cb_function))
});
entry!(MPI_T_event_handle_get_info PMPI_T_event_handle_get_info(event_registration: TEventRegistration, info_used: *mut Info) -> i32 {
    wall::tool("MPI_T_event_handle_get_info", || decode::t_event_handle_get_info(event_registration, info_used))
});
entry!(MPI_T_event_handle_set_info PMPI_T_event_handle_set_info(event_registration: TEventRegistration, info: Info) -> i32 {
    wall::tool("MPI_T_event_handle_set_info", || calls::tool::event::t_event_handle_set_info(event_registration, info))
});
entry!(MPI_T_event_read PMPI_T_event_read(event_instance: TEventInstance, element_index: i32, buffer: *mut c_void) -> i32 {
    wall::tool("MPI_T_event_read", || calls::tool::event::t_event_read(event_instance, element_index, buffer))
});
entry!(MPI_T_event_register_callback PMPI_T_event_register_callback(event_registration: TEventRegistration, cb_safety: TCbSafety, info: Info, user_data: *mut c_void, event_cb_function: TEventCbFunction) -> i32 {
    wall::tool("MPI_T_event_register_callback", || calls::tool::event::t_event_register_callback(event_registration, cb_safety, info, user_data, event_cb_function))
});
entry!(MPI_T_event_set_dropped_handler PMPI_T_event_set_dropped_handler(event_registration: TEventRegistration, dropped_cb_function: TEventDroppedCbFunction) -> i32 {
    wall::tool("MPI_T_event_set_dropped_handler", || calls::tool::event::t_event_set_dropped_handler(event_registration, dropped_cb_function))
});
entry!(MPI_T_finalize PMPI_T_finalize() -> i32 {
    wall::tool("MPI_T_finalize", || calls::tool::t_finalize())
});
entry!(MPI_T_init_thread PMPI_T_init_thread(required: i32, provided: *mut i32) -> i32 {
    wall::tool("MPI_T_init_thread", || decode::t_init_thread(required, provided))
});
entry!(MPI_T_pvar_get_index PMPI_T_pvar_get_index(name: *const std::ffi::c_char, var_class: i32, pvar_index: *mut i32) -> i32 {
    wall::tool("MPI_T_pvar_get_index", || decode::t_pvar_get_index(name, var_class, pvar_index))
});
entry!(MPI_T_pvar_get_info PMPI_T_pvar_get_info(pvar_index: i32, name: *mut std::ffi::c_char, name_len: *mut i32, verbosity: *mut i32, var_class: *mut i32, datatype: *mut Datatype, enumtype: *mut TEnum, desc: *mut std::ffi::c_char, desc_len: *mut i32, bind: *mut i32, readonly: *mut i32, continuous: *mut i32, atomic: *mut i32) -> i32 {
    wall::tool("MPI_T_pvar_get_info", || decode::t_pvar_get_info(pvar_index, name, name_len, verbosity, var_class, datatype, enumtype, desc, desc_len, bind, readonly, continuous, atomic))
});
entry!(MPI_T_pvar_get_num PMPI_T_pvar_get_num(num_pvar: *mut i32) -> i32 {
    wall::tool("MPI_T_pvar_get_num", || decode::t_pvar_get_num(num_pvar))
});
entry!(MPI_T_pvar_handle_alloc PMPI_T_pvar_handle_alloc(pe_session: TPvarSession, pvar_index: i32, obj_handle: *mut c_void, handle: *mut TPvarHandle, count: *mut i32) -> i32 {
    wall::tool("MPI_T_pvar_handle_alloc", || decode::t_pvar_handle_alloc(pe_session, pvar_index, obj_handle, handle, count))
});
entry!(MPI_T_pvar_handle_free PMPI_T_pvar_handle_free(pe_session: TPvarSession, handle: *mut TPvarHandle) -> i32 {
    wall::tool("MPI_T_pvar_handle_free", || decode::t_pvar_handle_free(pe_session, handle))
});
entry!(MPI_T_pvar_read PMPI_T_pvar_read(pe_session: TPvarSession, handle: TPvarHandle, buf: *mut c_void) -> i32 {
    wall::tool("MPI_T_pvar_read", || calls::tool::performance::t_pvar_read(pe_session, handle, buf))
});
entry!(MPI_T_pvar_readreset PMPI_T_pvar_readreset(pe_session: TPvarSession, handle: TPvarHandle, buf: *mut c_void) -> i32 {
    wall::tool("MPI_T_pvar_readreset", || calls::tool::performance::t_pvar_readreset(pe_session, handle, buf))
});
entry!(MPI_T_pvar_reset PMPI_T_pvar_reset(pe_session: TPvarSession, handle: TPvarHandle) -> i32 {
    wall::tool("MPI_T_pvar_reset", || calls::tool::performance::t_pvar_reset(pe_session, handle))
});
entry!(MPI_T_pvar_session_create PMPI_T_pvar_session_create(pe_session: *mut TPvarSession) -> i32 {
    wall::tool("MPI_T_pvar_session_create", || decode::t_pvar_session_create(pe_session))
});
entry!(MPI_T_pvar_session_free PMPI_T_pvar_session_free(pe_session: *mut TPvarSession) -> i32 {
    wall::tool("MPI_T_pvar_session_free", || decode::t_pvar_session_free(pe_session))
});
entry!(MPI_T_pvar_start PMPI_T_pvar_start(pe_session: TPvarSession, handle: TPvarHandle) -> i32 {
    wall::tool("MPI_T_pvar_start", || calls::tool::performance::t_pvar_start(pe_session, handle))
});
entry!(MPI_T_pvar_stop PMPI_T_pvar_stop(pe_session: TPvarSession, handle: TPvarHandle) -> i32 {
    wall::tool("MPI_T_pvar_stop", || calls::tool::performance::t_pvar_stop(pe_session, handle))
});
entry!(MPI_T_pvar_write PMPI_T_pvar_write(pe_session: TPvarSession, handle: TPvarHandle, buf: *const c_void) -> i32 {
    wall::tool("MPI_T_pvar_write", || calls::tool::performance::t_pvar_write(pe_session, handle, buf))
});
entry!(MPI_T_source_get_info PMPI_T_source_get_info(source_index: i32, name: *mut std::ffi::c_char, name_len: *mut i32, desc: *mut std::ffi::c_char, desc_len: *mut i32, ordering: *mut TSourceOrder, ticks_per_second: *mut i64, max_ticks: *mut i64, info: *mut Info) -> i32 {
    wall::tool("MPI_T_source_get_info", || decode::t_source_get_info(source_index, name, name_len, desc, desc_len, ordering, ticks_per_second, max_ticks, info))
});
entry!(MPI_T_source_get_num PMPI_T_source_get_num(num_sources: *mut i32) -> i32 {
    wall::tool("MPI_T_source_get_num", || decode::t_source_get_num(num_sources))
});
entry!(MPI_T_source_get_timestamp PMPI_T_source_get_timestamp(source_index: i32, timestamp: *mut i64) -> i32 {
    wall::tool("MPI_T_source_get_timestamp", || decode::t_source_get_timestamp(source_index, timestamp))
});
entry!(MPI_Test PMPI_Test(request: *mut Request, flag: *mut i32, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Test", On::Nothing, move || hooks::Note { requests: hooks::Requests::one(request), statuses: status, ..hooks::Note::NONE }, move || decode::test(request, flag, status))
});
entry!(MPI_Test_cancelled PMPI_Test_cancelled(status: *const Status, flag: *mut i32) -> i32 {
    wall::call(&"MPI_Test_cancelled", On::Nothing, move || decode::test_cancelled(status, flag))
});
entry!(MPI_Testall PMPI_Testall(count: i32, array_of_requests: *mut Request, flag: *mut i32, array_of_statuses: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Testall", On::Nothing, move || hooks::Note { requests: hooks::Requests::several(array_of_requests, count as i64), statuses: array_of_statuses, ..hooks::Note::NONE }, move || decode::testall(count, array_of_requests, flag, array_of_statuses))
});
entry!(MPI_Testany PMPI_Testany(count: i32, array_of_requests: *mut Request, indx: *mut i32, flag: *mut i32, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Testany", On::Nothing, move || hooks::Note { requests: hooks::Requests::several(array_of_requests, count as i64), statuses: status, indices: indx, ..hooks::Note::NONE }, move || decode::testany(count, array_of_requests, indx, flag, status))
});
entry!(MPI_Testsome PMPI_Testsome(incount: i32, array_of_requests: *mut Request, outcount: *mut i32, array_of_indices: *mut i32, array_of_statuses: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Testsome", On::Nothing, move || hooks::Note { requests: hooks::Requests::several(array_of_requests, incount as i64), statuses: array_of_statuses, indices: array_of_indices, outcount, ..hooks::Note::NONE }, move || decode::testsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses))
});
entry!(MPI_Topo_test PMPI_Topo_test(comm: Comm, status: *mut i32) -> i32 {
    wall::call(&"MPI_Topo_test", On::Comm(comm), move || decode::topo_test(comm, status))
});
entry!(MPI_Type_commit PMPI_Type_commit(datatype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_commit", On::Nothing, move || decode::type_commit(datatype))
});
entry!(MPI_Type_contiguous PMPI_Type_contiguous(count: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_contiguous", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_contiguous(i64::from(count), oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_contiguous_c PMPI_Type_contiguous_c(count: i64, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_contiguous_c", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_contiguous_c(count, oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_darray PMPI_Type_create_darray(size: i32, rank: i32, ndims: i32, array_of_gsizes: *const i32, array_of_distribs: *const i32, array_of_dargs: *const i32, array_of_psizes: *const i32, order: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_darray", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_darray(size, rank, ndims, IntPtr::narrow(array_of_gsizes), array_of_distribs, array_of_dargs, array_of_psizes, order, oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_darray_c PMPI_Type_create_darray_c(size: i32, rank: i32, ndims: i32, array_of_gsizes: *const i64, array_of_distribs: *const i32, array_of_dargs: *const i32, array_of_psizes: *const i32, order: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_darray_c", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_darray(size, rank, ndims, IntPtr::wide(array_of_gsizes), array_of_distribs, array_of_dargs, array_of_psizes, order, oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_f90_complex PMPI_Type_create_f90_complex(p: i32, r: i32, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_f90_complex", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_f90_complex(p, r, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_f90_integer PMPI_Type_create_f90_integer(r: i32, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_f90_integer", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_f90_integer(r, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_f90_real PMPI_Type_create_f90_real(p: i32, r: i32, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_f90_real", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_f90_real(p, r, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_hindexed PMPI_Type_create_hindexed(count: i32, array_of_blocklengths: *const i32, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_hindexed", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_hindexed(i64::from(count), IntPtr::narrow(array_of_blocklengths), IntPtr::wide(array_of_displacements), oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_hindexed_block PMPI_Type_create_hindexed_block(count: i32, blocklength: i32, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_hindexed_block", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_hindexed_block(i64::from(count), i64::from(blocklength), IntPtr::wide(array_of_displacements), oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_hindexed_block_c PMPI_Type_create_hindexed_block_c(count: i64, blocklength: i64, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_hindexed_block_c", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_hindexed_block_c(count, blocklength, IntPtr::wide(array_of_displacements), oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_hindexed_c PMPI_Type_create_hindexed_c(count: i64, array_of_blocklengths: *const i64, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_hindexed_c", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_hindexed(count, IntPtr::wide(array_of_blocklengths), IntPtr::wide(array_of_displacements), oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_hvector PMPI_Type_create_hvector(count: i32, blocklength: i32, stride: i64, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_hvector", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_hvector(i64::from(count), i64::from(blocklength), stride, oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_hvector_c PMPI_Type_create_hvector_c(count: i64, blocklength: i64, stride: i64, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_hvector_c", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_hvector_c(count, blocklength, stride, oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_indexed_block PMPI_Type_create_indexed_block(count: i32, blocklength: i32, array_of_displacements: *const i32, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_indexed_block", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_indexed_block(i64::from(count), i64::from(blocklength), IntPtr::narrow(array_of_displacements), oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_indexed_block_c PMPI_Type_create_indexed_block_c(count: i64, blocklength: i64, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_indexed_block_c", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_indexed_block(count, blocklength, IntPtr::wide(array_of_displacements), oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_keyval PMPI_Type_create_keyval(type_copy_attr_fn: TypeCopyAttrFunction, type_delete_attr_fn: TypeDeleteAttrFunction, type_keyval: *mut i32, extra_state: *mut c_void) -> i32 {
    wall::call(&"MPI_Type_create_keyval", On::Nothing, move || decode::type_create_keyval(type_copy_attr_fn, type_delete_attr_fn, type_keyval, extra_state))
});
entry!(MPI_Type_create_resized PMPI_Type_create_resized(oldtype: Datatype, lb: i64, extent: i64, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_resized", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_resized(oldtype, lb, extent, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_resized_c PMPI_Type_create_resized_c(oldtype: Datatype, lb: i64, extent: i64, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_resized_c", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_resized_c(oldtype, lb, extent, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_struct PMPI_Type_create_struct(count: i32, array_of_blocklengths: *const i32, array_of_displacements: *const i64, array_of_types: *const Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_struct", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_struct(i64::from(count), IntPtr::narrow(array_of_blocklengths), IntPtr::wide(array_of_displacements), array_of_types, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_struct_c PMPI_Type_create_struct_c(count: i64, array_of_blocklengths: *const i64, array_of_displacements: *const i64, array_of_types: *const Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_struct_c", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_struct(count, IntPtr::wide(array_of_blocklengths), IntPtr::wide(array_of_displacements), array_of_types, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_subarray PMPI_Type_create_subarray(ndims: i32, array_of_sizes: *const i32, array_of_subsizes: *const i32, array_of_starts: *const i32, order: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_subarray", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_subarray(ndims, IntPtr::narrow(array_of_sizes), IntPtr::narrow(array_of_subsizes), IntPtr::narrow(array_of_starts), order, oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_create_subarray_c PMPI_Type_create_subarray_c(ndims: i32, array_of_sizes: *const i64, array_of_subsizes: *const i64, array_of_starts: *const i64, order: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_create_subarray_c", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_create_subarray(ndims, IntPtr::wide(array_of_sizes), IntPtr::wide(array_of_subsizes), IntPtr::wide(array_of_starts), order, oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_delete_attr PMPI_Type_delete_attr(datatype: Datatype, type_keyval: i32) -> i32 {
    wall::call(&"MPI_Type_delete_attr", On::Nothing, move || calls::attr::type_delete_attr(datatype, type_keyval))
});
entry!(MPI_Type_dup PMPI_Type_dup(oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_dup", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_dup(oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_free PMPI_Type_free(datatype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_free", On::Nothing, move || decode::type_free(datatype))
});
entry!(MPI_Type_free_keyval PMPI_Type_free_keyval(type_keyval: *mut i32) -> i32 {
    wall::call(&"MPI_Type_free_keyval", On::Nothing, move || decode::type_free_keyval(type_keyval))
});
entry!(MPI_Type_fromint PMPI_Type_fromint(datatype: i32) -> Datatype {
    wall::value("MPI_Type_fromint", || calls::convert::type_fromint(datatype))
});
entry!(MPI_Type_get_attr PMPI_Type_get_attr(datatype: Datatype, type_keyval: i32, attribute_val: *mut c_void, flag: *mut i32) -> i32 {
    wall::call(&"MPI_Type_get_attr", On::Nothing, move || decode::type_get_attr(datatype, type_keyval, attribute_val, flag))
});
entry!(MPI_Type_get_contents PMPI_Type_get_contents(datatype: Datatype, max_integers: i32, max_addresses: i32, max_datatypes: i32, array_of_integers: *mut i32, array_of_addresses: *mut i64, array_of_datatypes: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_get_contents", On::Nothing, move || decode::type_get_contents(datatype, max_integers, max_addresses, max_datatypes, array_of_integers, array_of_addresses, array_of_datatypes))
});
entry!(MPI_Type_get_contents_c PMPI_Type_get_contents_c(datatype: Datatype, max_integers: i64, max_addresses: i64, max_large_counts: i64, max_datatypes: i64, array_of_integers: *mut i32, array_of_addresses: *mut i64, array_of_large_counts: *mut i64, array_of_datatypes: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_get_contents_c", On::Nothing, move || decode::type_get_contents_c(datatype, max_integers, max_addresses, max_large_counts, max_datatypes, array_of_integers, array_of_addresses, array_of_large_counts, array_of_datatypes))
});
entry!(MPI_Type_get_envelope PMPI_Type_get_envelope(datatype: Datatype, num_integers: *mut i32, num_addresses: *mut i32, num_datatypes: *mut i32, combiner: *mut i32) -> i32 {
    wall::call(&"MPI_Type_get_envelope", On::Nothing, move || decode::type_get_envelope(datatype, num_integers, num_addresses, num_datatypes, combiner))
});
entry!(MPI_Type_get_envelope_c PMPI_Type_get_envelope_c(datatype: Datatype, num_integers: *mut i64, num_addresses: *mut i64, num_large_counts: *mut i64, num_datatypes: *mut i64, combiner: *mut i32) -> i32 {
    wall::call(&"MPI_Type_get_envelope_c", On::Nothing, move || decode::type_get_envelope_c(datatype, num_integers, num_addresses, num_large_counts, num_datatypes, combiner))
});
entry!(MPI_Type_get_extent PMPI_Type_get_extent(datatype: Datatype, lb: *mut i64, extent: *mut i64) -> i32 {
    wall::call(&"MPI_Type_get_extent", On::Nothing, move || decode::type_get_extent(datatype, IntPtr::wide(lb), IntPtr::wide(extent)))
});
entry!(MPI_Type_get_extent_c PMPI_Type_get_extent_c(datatype: Datatype, lb: *mut i64, extent: *mut i64) -> i32 {
    wall::call(&"MPI_Type_get_extent_c", On::Nothing, move || decode::type_get_extent(datatype, IntPtr::wide(lb), IntPtr::wide(extent)))
});
entry!(MPI_Type_get_extent_x PMPI_Type_get_extent_x(datatype: Datatype, lb: *mut i64, extent: *mut i64) -> i32 {
    wall::call(&"MPI_Type_get_extent_x", On::Nothing, move || decode::type_get_extent_x(datatype, lb, extent))
});
entry!(MPI_Type_get_name PMPI_Type_get_name(datatype: Datatype, type_name: *mut std::ffi::c_char, resultlen: *mut i32) -> i32 {
    wall::call(&"MPI_Type_get_name", On::Nothing, move || decode::type_get_name(datatype, type_name, resultlen))
});
entry!(MPI_Type_get_true_extent PMPI_Type_get_true_extent(datatype: Datatype, true_lb: *mut i64, true_extent: *mut i64) -> i32 {
    wall::call(&"MPI_Type_get_true_extent", On::Nothing, move || decode::type_get_true_extent(datatype, IntPtr::wide(true_lb), IntPtr::wide(true_extent)))
});
entry!(MPI_Type_get_true_extent_c PMPI_Type_get_true_extent_c(datatype: Datatype, true_lb: *mut i64, true_extent: *mut i64) -> i32 {
    wall::call(&"MPI_Type_get_true_extent_c", On::Nothing, move || decode::type_get_true_extent(datatype, IntPtr::wide(true_lb), IntPtr::wide(true_extent)))
});
entry!(MPI_Type_get_true_extent_x PMPI_Type_get_true_extent_x(datatype: Datatype, true_lb: *mut i64, true_extent: *mut i64) -> i32 {
    wall::call(&"MPI_Type_get_true_extent_x", On::Nothing, move || decode::type_get_true_extent_x(datatype, true_lb, true_extent))
});
entry!(MPI_Type_get_value_index PMPI_Type_get_value_index(value_type: Datatype, index_type: Datatype, pair_type: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_get_value_index", On::Nothing, move || args::require(pair_type, "pair_type").and_then(|()| decode::type_get_value_index(value_type, index_type, pair_type)).inspect_err(|_| { args::nullify(pair_type, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_indexed PMPI_Type_indexed(count: i32, array_of_blocklengths: *const i32, array_of_displacements: *const i32, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_indexed", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_indexed(i64::from(count), IntPtr::narrow(array_of_blocklengths), IntPtr::narrow(array_of_displacements), oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_indexed_c PMPI_Type_indexed_c(count: i64, array_of_blocklengths: *const i64, array_of_displacements: *const i64, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_indexed_c", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_indexed(count, IntPtr::wide(array_of_blocklengths), IntPtr::wide(array_of_displacements), oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_match_size PMPI_Type_match_size(typeclass: i32, size: i32, datatype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_match_size", On::Nothing, move || args::require(datatype, "datatype").and_then(|()| decode::type_match_size(typeclass, size, datatype)).inspect_err(|_| { args::nullify(datatype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_set_attr PMPI_Type_set_attr(datatype: Datatype, type_keyval: i32, attribute_val: *mut c_void) -> i32 {
    wall::call(&"MPI_Type_set_attr", On::Nothing, move || calls::attr::type_set_attr(datatype, type_keyval, attribute_val))
});
entry!(MPI_Type_set_name PMPI_Type_set_name(datatype: Datatype, type_name: *const std::ffi::c_char) -> i32 {
    wall::call(&"MPI_Type_set_name", On::Nothing, move || decode::type_set_name(datatype, type_name))
});
entry!(MPI_Type_size PMPI_Type_size(datatype: Datatype, size: *mut i32) -> i32 {
    wall::call(&"MPI_Type_size", On::Nothing, move || decode::type_size(datatype, IntPtr::narrow(size)))
});
entry!(MPI_Type_size_c PMPI_Type_size_c(datatype: Datatype, size: *mut i64) -> i32 {
    wall::call(&"MPI_Type_size_c", On::Nothing, move || decode::type_size(datatype, IntPtr::wide(size)))
});
entry!(MPI_Type_size_x PMPI_Type_size_x(datatype: Datatype, size: *mut i64) -> i32 {
    wall::call(&"MPI_Type_size_x", On::Nothing, move || decode::type_size_x(datatype, size))
});
entry!(MPI_Type_toint PMPI_Type_toint(datatype: Datatype) -> i32 {
    wall::value("MPI_Type_toint", || calls::convert::type_toint(datatype))
});
entry!(MPI_Type_vector PMPI_Type_vector(count: i32, blocklength: i32, stride: i32, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_vector", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_vector(i64::from(count), i64::from(blocklength), i64::from(stride), oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Type_vector_c PMPI_Type_vector_c(count: i64, blocklength: i64, stride: i64, oldtype: Datatype, newtype: *mut Datatype) -> i32 {
    wall::call(&"MPI_Type_vector_c", On::Nothing, move || args::require(newtype, "newtype").and_then(|()| decode::type_vector_c(count, blocklength, stride, oldtype, newtype)).inspect_err(|_| { args::nullify(newtype, MPI_DATATYPE_NULL); }))
});
entry!(MPI_Unpack PMPI_Unpack(inbuf: *const c_void, insize: i32, position: *mut i32, outbuf: *mut c_void, outcount: i32, datatype: Datatype, comm: Comm) -> i32 {
    wall::call(&"MPI_Unpack", On::Comm(comm), move || decode::unpack(inbuf, i64::from(insize), IntPtr::narrow(position), outbuf, i64::from(outcount), datatype, comm))
});
entry!(MPI_Unpack_c PMPI_Unpack_c(inbuf: *const c_void, insize: i64, position: *mut i64, outbuf: *mut c_void, outcount: i64, datatype: Datatype, comm: Comm) -> i32 {
    wall::call(&"MPI_Unpack_c", On::Comm(comm), move || decode::unpack(inbuf, insize, IntPtr::wide(position), outbuf, outcount, datatype, comm))
});
entry!(MPI_Unpack_external PMPI_Unpack_external(datarep: *const std::ffi::c_char, inbuf: *const c_void, insize: i64, position: *mut i64, outbuf: *mut c_void, outcount: i32, datatype: Datatype) -> i32 {
    wall::call(&"MPI_Unpack_external", On::Nothing, move || decode::unpack_external(datarep, inbuf, insize, IntPtr::wide(position), outbuf, i64::from(outcount), datatype))
});
entry!(MPI_Unpack_external_c PMPI_Unpack_external_c(datarep: *const std::ffi::c_char, inbuf: *const c_void, insize: i64, position: *mut i64, outbuf: *mut c_void, outcount: i64, datatype: Datatype) -> i32 {
    wall::call(&"MPI_Unpack_external_c", On::Nothing, move || decode::unpack_external(datarep, inbuf, insize, IntPtr::wide(position), outbuf, outcount, datatype))
});
entry!(MPI_Unpublish_name PMPI_Unpublish_name(service_name: *const std::ffi::c_char, info: Info, port_name: *const std::ffi::c_char) -> i32 {
    wall::call(&"MPI_Unpublish_name", On::Nothing, move || decode::unpublish_name(service_name, info, port_name))
});
entry!(MPI_Wait PMPI_Wait(request: *mut Request, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Wait", On::Nothing, move || hooks::Note { requests: hooks::Requests::one(request), statuses: status, ..hooks::Note::NONE }, move || decode::wait(request, status))
});
entry!(MPI_Waitall PMPI_Waitall(count: i32, array_of_requests: *mut Request, array_of_statuses: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Waitall", On::Nothing, move || hooks::Note { requests: hooks::Requests::several(array_of_requests, count as i64), statuses: array_of_statuses, ..hooks::Note::NONE }, move || decode::waitall(count, array_of_requests, array_of_statuses))
});
entry!(MPI_Waitany PMPI_Waitany(count: i32, array_of_requests: *mut Request, indx: *mut i32, status: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Waitany", On::Nothing, move || hooks::Note { requests: hooks::Requests::several(array_of_requests, count as i64), statuses: status, indices: indx, ..hooks::Note::NONE }, move || decode::waitany(count, array_of_requests, indx, status))
});
entry!(MPI_Waitsome PMPI_Waitsome(incount: i32, array_of_requests: *mut Request, outcount: *mut i32, array_of_indices: *mut i32, array_of_statuses: *mut Status) -> i32 {
    wall::call_noted(&"MPI_Waitsome", On::Nothing, move || hooks::Note { requests: hooks::Requests::several(array_of_requests, incount as i64), statuses: array_of_statuses, indices: array_of_indices, outcount, ..hooks::Note::NONE }, move || decode::waitsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses))
});
entry!(MPI_Win_allocate PMPI_Win_allocate(size: i64, disp_unit: i32, info: Info, comm: Comm, baseptr: *mut c_void, win: *mut Win) -> i32 {
    wall::call(&"MPI_Win_allocate", On::Comm(comm), move || args::require(win, "win").and_then(|()| decode::win_allocate(size, i64::from(disp_unit), info, comm, baseptr, win)).inspect_err(|_| { args::nullify(win, MPI_WIN_NULL); }))
});
entry!(MPI_Win_allocate_c PMPI_Win_allocate_c(size: i64, disp_unit: i64, info: Info, comm: Comm, baseptr: *mut c_void, win: *mut Win) -> i32 {
    wall::call(&"MPI_Win_allocate_c", On::Comm(comm), move || args::require(win, "win").and_then(|()| decode::win_allocate(size, disp_unit, info, comm, baseptr, win)).inspect_err(|_| { args::nullify(win, MPI_WIN_NULL); }))
});
entry!(MPI_Win_allocate_shared PMPI_Win_allocate_shared(size: i64, disp_unit: i32, info: Info, comm: Comm, baseptr: *mut c_void, win: *mut Win) -> i32 {
    wall::call(&"MPI_Win_allocate_shared", On::Comm(comm), move || args::require(win, "win").and_then(|()| decode::win_allocate_shared(size, i64::from(disp_unit), info, comm, baseptr, win)).inspect_err(|_| { args::nullify(win, MPI_WIN_NULL); }))
});
entry!(MPI_Win_allocate_shared_c PMPI_Win_allocate_shared_c(size: i64, disp_unit: i64, info: Info, comm: Comm, baseptr: *mut c_void, win: *mut Win) -> i32 {
    wall::call(&"MPI_Win_allocate_shared_c", On::Comm(comm), move || args::require(win, "win").and_then(|()| decode::win_allocate_shared(size, disp_unit, info, comm, baseptr, win)).inspect_err(|_| { args::nullify(win, MPI_WIN_NULL); }))
});
entry!(MPI_Win_attach PMPI_Win_attach(win: Win, base: *mut c_void, size: i64) -> i32 {
    wall::call(&"MPI_Win_attach", On::Win(win), move || decode::win_attach(win, base, size))
});
entry!(MPI_Win_call_errhandler PMPI_Win_call_errhandler(win: Win, errorcode: i32) -> i32 {
    wall::call(&"MPI_Win_call_errhandler", On::Win(win), move || calls::errhandler::win_call_errhandler(win, errorcode))
});
entry!(MPI_Win_complete PMPI_Win_complete(win: Win) -> i32 {
    wall::call(&"MPI_Win_complete", On::Win(win), move || calls::win_sync::win_complete(win))
});
entry!(MPI_Win_create PMPI_Win_create(base: *mut c_void, size: i64, disp_unit: i32, info: Info, comm: Comm, win: *mut Win) -> i32 {
    wall::call(&"MPI_Win_create", On::Comm(comm), move || args::require(win, "win").and_then(|()| decode::win_create(base, size, i64::from(disp_unit), info, comm, win)).inspect_err(|_| { args::nullify(win, MPI_WIN_NULL); }))
});
entry!(MPI_Win_create_c PMPI_Win_create_c(base: *mut c_void, size: i64, disp_unit: i64, info: Info, comm: Comm, win: *mut Win) -> i32 {
    wall::call(&"MPI_Win_create_c", On::Comm(comm), move || args::require(win, "win").and_then(|()| decode::win_create(base, size, disp_unit, info, comm, win)).inspect_err(|_| { args::nullify(win, MPI_WIN_NULL); }))
});
entry!(MPI_Win_create_dynamic PMPI_Win_create_dynamic(info: Info, comm: Comm, win: *mut Win) -> i32 {
    wall::call(&"MPI_Win_create_dynamic", On::Comm(comm), move || args::require(win, "win").and_then(|()| decode::win_create_dynamic(info, comm, win)).inspect_err(|_| { args::nullify(win, MPI_WIN_NULL); }))
});
entry!(MPI_Win_create_errhandler PMPI_Win_create_errhandler(win_errhandler_fn: WinErrhandlerFunction, errhandler: *mut Errhandler) -> i32 {
    wall::call(&"MPI_Win_create_errhandler", On::Nothing, move || args::require(errhandler, "errhandler").and_then(|()| decode::win_create_errhandler(win_errhandler_fn, errhandler)).inspect_err(|_| { args::nullify(errhandler, MPI_ERRHANDLER_NULL); }))
});
entry!(MPI_Win_create_keyval PMPI_Win_create_keyval(win_copy_attr_fn: WinCopyAttrFunction, win_delete_attr_fn: WinDeleteAttrFunction, win_keyval: *mut i32, extra_state: *mut c_void) -> i32 {
    wall::call(&"MPI_Win_create_keyval", On::Nothing, move || decode::win_create_keyval(win_copy_attr_fn, win_delete_attr_fn, win_keyval, extra_state))
});
entry!(MPI_Win_delete_attr PMPI_Win_delete_attr(win: Win, win_keyval: i32) -> i32 {
    wall::call(&"MPI_Win_delete_attr", On::Win(win), move || calls::attr::win_delete_attr(win, win_keyval))
});
entry!(MPI_Win_detach PMPI_Win_detach(win: Win, base: *const c_void) -> i32 {
    wall::call(&"MPI_Win_detach", On::Win(win), move || calls::win::win_detach(win, base))
});
entry!(MPI_Win_fence PMPI_Win_fence(assert: i32, win: Win) -> i32 {
    wall::call(&"MPI_Win_fence", On::Win(win), move || calls::win_sync::win_fence(assert, win))
});
entry!(MPI_Win_flush PMPI_Win_flush(rank: i32, win: Win) -> i32 {
    wall::call(&"MPI_Win_flush", On::Win(win), move || calls::win_sync::win_flush(rank, win))
});
entry!(MPI_Win_flush_all PMPI_Win_flush_all(win: Win) -> i32 {
    wall::call(&"MPI_Win_flush_all", On::Win(win), move || calls::win_sync::win_flush_all(win))
});
entry!(MPI_Win_flush_local PMPI_Win_flush_local(rank: i32, win: Win) -> i32 {
    wall::call(&"MPI_Win_flush_local", On::Win(win), move || calls::win_sync::win_flush_local(rank, win))
});
entry!(MPI_Win_flush_local_all PMPI_Win_flush_local_all(win: Win) -> i32 {
    wall::call(&"MPI_Win_flush_local_all", On::Win(win), move || calls::win_sync::win_flush_local_all(win))
});
entry!(MPI_Win_free PMPI_Win_free(win: *mut Win) -> i32 {
    wall::call(&"MPI_Win_free", On::Nothing, move || decode::win_free(win))
});
entry!(MPI_Win_free_keyval PMPI_Win_free_keyval(win_keyval: *mut i32) -> i32 {
    wall::call(&"MPI_Win_free_keyval", On::Nothing, move || decode::win_free_keyval(win_keyval))
});
entry!(MPI_Win_fromint PMPI_Win_fromint(win: i32) -> Win {
    wall::value("MPI_Win_fromint", || calls::convert::win_fromint(win))
});
entry!(MPI_Win_get_attr PMPI_Win_get_attr(win: Win, win_keyval: i32, attribute_val: *mut c_void, flag: *mut i32) -> i32 {
    wall::call(&"MPI_Win_get_attr", On::Win(win), move || decode::win_get_attr(win, win_keyval, attribute_val, flag))
});
entry!(MPI_Win_get_errhandler PMPI_Win_get_errhandler(win: Win, errhandler: *mut Errhandler) -> i32 {
    wall::call(&"MPI_Win_get_errhandler", On::Win(win), move || args::require(errhandler, "errhandler").and_then(|()| decode::win_get_errhandler(win, errhandler)).inspect_err(|_| { args::nullify(errhandler, MPI_ERRHANDLER_NULL); }))
});
entry!(MPI_Win_get_group PMPI_Win_get_group(win: Win, group: *mut Group) -> i32 {
    wall::call(&"MPI_Win_get_group", On::Win(win), move || args::require(group, "group").and_then(|()| decode::win_get_group(win, group)).inspect_err(|_| { args::nullify(group, MPI_GROUP_NULL); }))
});
entry!(MPI_Win_get_info PMPI_Win_get_info(win: Win, info_used: *mut Info) -> i32 {
    wall::call(&"MPI_Win_get_info", On::Win(win), move || args::require(info_used, "info_used").and_then(|()| decode::win_get_info(win, info_used)).inspect_err(|_| { args::nullify(info_used, MPI_INFO_NULL); }))
});
entry!(MPI_Win_get_name PMPI_Win_get_name(win: Win, win_name: *mut std::ffi::c_char, resultlen: *mut i32) -> i32 {
    wall::call(&"MPI_Win_get_name", On::Win(win), move || decode::win_get_name(win, win_name, resultlen))
});
entry!(MPI_Win_lock PMPI_Win_lock(lock_type: i32, rank: i32, assert: i32, win: Win) -> i32 {
    wall::call(&"MPI_Win_lock", On::Win(win), move || calls::win_sync::win_lock(lock_type, rank, assert, win))
});
entry!(MPI_Win_lock_all PMPI_Win_lock_all(assert: i32, win: Win) -> i32 {
    wall::call(&"MPI_Win_lock_all", On::Win(win), move || calls::win_sync::win_lock_all(assert, win))
});
entry!(MPI_Win_post PMPI_Win_post(group: Group, assert: i32, win: Win) -> i32 {
    wall::call(&"MPI_Win_post", On::Win(win), move || calls::win_sync::win_post(group, assert, win))
});
entry!(MPI_Win_set_attr PMPI_Win_set_attr(win: Win, win_keyval: i32, attribute_val: *mut c_void) -> i32 {
    wall::call(&"MPI_Win_set_attr", On::Win(win), move || calls::attr::win_set_attr(win, win_keyval, attribute_val))
});
entry!(MPI_Win_set_errhandler PMPI_Win_set_errhandler(win: Win, errhandler: Errhandler) -> i32 {
    wall::call(&"MPI_Win_set_errhandler", On::Win(win), move || calls::errhandler::win_set_errhandler(win, errhandler))
});
entry!(MPI_Win_set_info PMPI_Win_set_info(win: Win, info: Info) -> i32 {
    wall::call(&"MPI_Win_set_info", On::Win(win), move || calls::win::win_set_info(win, info))
});
entry!(MPI_Win_set_name PMPI_Win_set_name(win: Win, win_name: *const std::ffi::c_char) -> i32 {
    wall::call(&"MPI_Win_set_name", On::Win(win), move || decode::win_set_name(win, win_name))
});
entry!(MPI_Win_shared_query PMPI_Win_shared_query(win: Win, rank: i32, size: *mut i64, disp_unit: *mut i32, baseptr: *mut c_void) -> i32 {
    wall::call(&"MPI_Win_shared_query", On::Win(win), move || decode::win_shared_query(win, rank, size, IntPtr::narrow(disp_unit), baseptr))
});
entry!(MPI_Win_shared_query_c PMPI_Win_shared_query_c(win: Win, rank: i32, size: *mut i64, disp_unit: *mut i64, baseptr: *mut c_void) -> i32 {
    wall::call(&"MPI_Win_shared_query_c", On::Win(win), move || decode::win_shared_query(win, rank, size, IntPtr::wide(disp_unit), baseptr))
});
entry!(MPI_Win_start PMPI_Win_start(group: Group, assert: i32, win: Win) -> i32 {
    wall::call(&"MPI_Win_start", On::Win(win), move || calls::win_sync::win_start(group, assert, win))
});
entry!(MPI_Win_sync PMPI_Win_sync(win: Win) -> i32 {
    wall::call(&"MPI_Win_sync", On::Win(win), move || calls::win_sync::win_sync(win))
});
entry!(MPI_Win_test PMPI_Win_test(win: Win, flag: *mut i32) -> i32 {
    wall::call(&"MPI_Win_test", On::Win(win), move || decode::win_test(win, flag))
});
entry!(MPI_Win_toint PMPI_Win_toint(win: Win) -> i32 {
    wall::value("MPI_Win_toint", || calls::convert::win_toint(win))
});
entry!(MPI_Win_unlock PMPI_Win_unlock(rank: i32, win: Win) -> i32 {
    wall::call(&"MPI_Win_unlock", On::Win(win), move || calls::win_sync::win_unlock(rank, win))
});
entry!(MPI_Win_unlock_all PMPI_Win_unlock_all(win: Win) -> i32 {
    wall::call(&"MPI_Win_unlock_all", On::Win(win), move || calls::win_sync::win_unlock_all(win))
});
entry!(MPI_Win_wait PMPI_Win_wait(win: Win) -> i32 {
    wall::call(&"MPI_Win_wait", On::Win(win), move || calls::win_sync::win_wait(win))
});
entry!(MPI_Wtick PMPI_Wtick() -> f64 {
    wall::value("MPI_Wtick", || calls::env::wtick())
});
entry!(MPI_Wtime PMPI_Wtime() -> f64 {
    wall::value("MPI_Wtime", || calls::env::wtime())
});
