//! The entry points of Fortran.
//!
//! Made by `cargo xtask gen` from `spec/`; do not edit.

#![cfg_attr(rustfmt, rustfmt_skip)]

use std::ffi::c_void;
use std::ptr::null_mut;

use edge::export;
use edge::generated::constants::*;
use edge::rows::*;

use crate::sentinel::{status_out, statuses_out};
use crate::Fortran as A;

type Descriptor = Standard;
type Buffer = edge::section::Buffer<Native<A>>;

export!([MPI_Abi_get_fortran_booleans(mpi_abi_get_fortran_booleans_ mpi_abi_get_fortran_booleans_f08_) PMPI_Abi_get_fortran_booleans(pmpi_abi_get_fortran_booleans_ pmpi_abi_get_fortran_booleans_f08_)]
    (logical_size: *const i32, logical_true: *mut c_void, logical_false: *mut c_void, is_set: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(logical_size), buffer_in::<A, _>(logical_true), buffer_in::<A, _>(logical_false), TruthOut::new(is_set).c()) });
export!([MPI_Abi_get_fortran_info(mpi_abi_get_fortran_info_ mpi_abi_get_fortran_info_f08_) PMPI_Abi_get_fortran_info(pmpi_abi_get_fortran_info_ pmpi_abi_get_fortran_info_f08_)]
    (info: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleOut::<A, Info>::new(info).c()) });
export!([MPI_Abi_get_info(mpi_abi_get_info_ mpi_abi_get_info_f08_) PMPI_Abi_get_info(pmpi_abi_get_info_ pmpi_abi_get_info_f08_)]
    (info: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleOut::<A, Info>::new(info).c()) });
export!([MPI_Abi_get_version(mpi_abi_get_version_ mpi_abi_get_version_f08_) PMPI_Abi_get_version(pmpi_abi_get_version_ pmpi_abi_get_version_f08_)]
    (abi_major: *mut i32, abi_minor: *mut i32, ierror: *mut i32) ierror on {}
    { call(abi_major, abi_minor) });
export!([MPI_Abi_set_fortran_booleans(mpi_abi_set_fortran_booleans_ mpi_abi_set_fortran_booleans_f08_) PMPI_Abi_set_fortran_booleans(pmpi_abi_set_fortran_booleans_ pmpi_abi_set_fortran_booleans_f08_)]
    (logical_size: *const i32, logical_true: *mut c_void, logical_false: *mut c_void, ierror: *mut i32) ierror on {}
    { call(read(logical_size), buffer_in::<A, _>(logical_true), buffer_in::<A, _>(logical_false)) });
export!([MPI_Abi_set_fortran_booleans(mpi_abi_set_fortran_booleans_f08ts_) PMPI_Abi_set_fortran_booleans(pmpi_abi_set_fortran_booleans_f08ts_)]
    (logical_size: *const i32, logical_true: *const Descriptor, logical_false: *const Descriptor, ierror: *mut i32) ierror on {}
    { let logical_true = Buffer::whole(logical_true, Use::Later); if let Some(why) = logical_true.refusal() { return refuse("MPI_Abi_set_fortran_booleans", (), why); } let logical_false = Buffer::whole(logical_false, Use::Later); if let Some(why) = logical_false.refusal() { return refuse("MPI_Abi_set_fortran_booleans", (), why); } call(read(logical_size), logical_true.address(), logical_false.address()) });
export!([MPI_Abi_set_fortran_info(mpi_abi_set_fortran_info_ mpi_abi_set_fortran_info_f08_) PMPI_Abi_set_fortran_info(pmpi_abi_set_fortran_info_ pmpi_abi_set_fortran_info_f08_)]
    (info: *const i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Info>(read(info))) });
export!([MPI_Abort(mpi_abort_ mpi_abort_f08_) PMPI_Abort(pmpi_abort_ pmpi_abort_f08_)]
    (comm: *const i32, errorcode: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(errorcode)) });
export!([MPI_Accumulate(mpi_accumulate_ mpi_accumulate_f08_) PMPI_Accumulate(pmpi_accumulate_ pmpi_accumulate_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i32, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, op: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win))) });
export!([MPI_Accumulate(mpi_accumulate_f08ts_) PMPI_Accumulate(pmpi_accumulate_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i32, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, op: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Accumulate", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win))) });
export!([MPI_Accumulate_c(mpi_accumulate_c_f08_) PMPI_Accumulate_c(pmpi_accumulate_c_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i64, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, op: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win))) });
export!([MPI_Accumulate_c(mpi_accumulate_c_f08ts_) PMPI_Accumulate_c(pmpi_accumulate_c_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i64, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, op: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Accumulate_c", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win))) });
export!([MPI_Add_error_class(mpi_add_error_class_ mpi_add_error_class_f08_) PMPI_Add_error_class(pmpi_add_error_class_ pmpi_add_error_class_f08_)]
    (errorclass: *mut i32, ierror: *mut i32) ierror on {}
    { call(errorclass) });
export!([MPI_Add_error_code(mpi_add_error_code_ mpi_add_error_code_f08_) PMPI_Add_error_code(pmpi_add_error_code_ pmpi_add_error_code_f08_)]
    (errorclass: *const i32, errorcode: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(errorclass), errorcode) });
export!([MPI_Add_error_string(mpi_add_error_string_ mpi_add_error_string_f08_) PMPI_Add_error_string(pmpi_add_error_string_ pmpi_add_error_string_f08_)]
    (errorcode: *const i32, string: *const u8, ierror: *mut i32, string_len: usize) ierror on {}
    { call(read(errorcode), Text::new(string, string_len, false).c()) });
export!([MPI_Allgather(mpi_allgather_ mpi_allgather_f08_) PMPI_Allgather(pmpi_allgather_ pmpi_allgather_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Allgather(mpi_allgather_f08ts_) PMPI_Allgather(pmpi_allgather_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Now, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Allgather", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Allgather", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Allgather_c(mpi_allgather_c_f08_) PMPI_Allgather_c(pmpi_allgather_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Allgather_c(mpi_allgather_c_f08ts_) PMPI_Allgather_c(pmpi_allgather_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Now, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Allgather_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Allgather_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Allgather_init(mpi_allgather_init_ mpi_allgather_init_f08_) PMPI_Allgather_init(pmpi_allgather_init_ pmpi_allgather_init_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Allgather_init(mpi_allgather_init_f08ts_) PMPI_Allgather_init(pmpi_allgather_init_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Allgather_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Allgather_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Allgather_init_c(mpi_allgather_init_c_f08_) PMPI_Allgather_init_c(pmpi_allgather_init_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Allgather_init_c(mpi_allgather_init_c_f08ts_) PMPI_Allgather_init_c(pmpi_allgather_init_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Allgather_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Allgather_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Allgatherv(mpi_allgatherv_ mpi_allgatherv_f08_) PMPI_Allgatherv(pmpi_allgatherv_ pmpi_allgatherv_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Allgatherv(mpi_allgatherv_f08ts_) PMPI_Allgatherv(pmpi_allgatherv_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Now, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Allgatherv", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Allgatherv", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Allgatherv_c(mpi_allgatherv_c_f08_) PMPI_Allgatherv_c(pmpi_allgatherv_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Allgatherv_c(mpi_allgatherv_c_f08ts_) PMPI_Allgatherv_c(pmpi_allgatherv_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Now, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Allgatherv_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Allgatherv_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Allgatherv_init(mpi_allgatherv_init_ mpi_allgatherv_init_f08_) PMPI_Allgatherv_init(pmpi_allgatherv_init_ pmpi_allgatherv_init_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Allgatherv_init(mpi_allgatherv_init_f08ts_) PMPI_Allgatherv_init(pmpi_allgatherv_init_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Allgatherv_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Allgatherv_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Allgatherv_init_c(mpi_allgatherv_init_c_f08_) PMPI_Allgatherv_init_c(pmpi_allgatherv_init_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Allgatherv_init_c(mpi_allgatherv_init_c_f08ts_) PMPI_Allgatherv_init_c(pmpi_allgatherv_init_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Allgatherv_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Allgatherv_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Alloc_mem(mpi_alloc_mem_ mpi_alloc_mem_cptr_ mpi_alloc_mem_f08_) PMPI_Alloc_mem(pmpi_alloc_mem_ pmpi_alloc_mem_cptr_ pmpi_alloc_mem_f08_)]
    (size: *const i64, info: *const i32, baseptr: *mut c_void, ierror: *mut i32) ierror on {}
    { call(read(size), handle_in::<A, Info>(read(info)), baseptr) });
export!([MPI_Allreduce(mpi_allreduce_ mpi_allreduce_f08_) PMPI_Allreduce(pmpi_allreduce_ pmpi_allreduce_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Allreduce(mpi_allreduce_f08ts_) PMPI_Allreduce(pmpi_allreduce_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Allreduce", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Allreduce", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Allreduce_c(mpi_allreduce_c_f08_) PMPI_Allreduce_c(pmpi_allreduce_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Allreduce_c(mpi_allreduce_c_f08ts_) PMPI_Allreduce_c(pmpi_allreduce_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Allreduce_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Allreduce_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Allreduce_init(mpi_allreduce_init_ mpi_allreduce_init_f08_) PMPI_Allreduce_init(pmpi_allreduce_init_ pmpi_allreduce_init_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Allreduce_init(mpi_allreduce_init_f08ts_) PMPI_Allreduce_init(pmpi_allreduce_init_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Allreduce_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Allreduce_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Allreduce_init_c(mpi_allreduce_init_c_f08_) PMPI_Allreduce_init_c(pmpi_allreduce_init_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Allreduce_init_c(mpi_allreduce_init_c_f08ts_) PMPI_Allreduce_init_c(pmpi_allreduce_init_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Allreduce_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Allreduce_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Alltoall(mpi_alltoall_ mpi_alltoall_f08_) PMPI_Alltoall(pmpi_alltoall_ pmpi_alltoall_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Alltoall(mpi_alltoall_f08ts_) PMPI_Alltoall(pmpi_alltoall_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Alltoall", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Alltoall", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Alltoall_c(mpi_alltoall_c_f08_) PMPI_Alltoall_c(pmpi_alltoall_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Alltoall_c(mpi_alltoall_c_f08ts_) PMPI_Alltoall_c(pmpi_alltoall_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Alltoall_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Alltoall_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Alltoall_init(mpi_alltoall_init_ mpi_alltoall_init_f08_) PMPI_Alltoall_init(pmpi_alltoall_init_ pmpi_alltoall_init_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Alltoall_init(mpi_alltoall_init_f08ts_) PMPI_Alltoall_init(pmpi_alltoall_init_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Alltoall_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Alltoall_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Alltoall_init_c(mpi_alltoall_init_c_f08_) PMPI_Alltoall_init_c(pmpi_alltoall_init_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Alltoall_init_c(mpi_alltoall_init_c_f08ts_) PMPI_Alltoall_init_c(pmpi_alltoall_init_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Alltoall_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Alltoall_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Alltoallv(mpi_alltoallv_ mpi_alltoallv_f08_) PMPI_Alltoallv(pmpi_alltoallv_ pmpi_alltoallv_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Alltoallv(mpi_alltoallv_f08ts_) PMPI_Alltoallv(pmpi_alltoallv_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i32, sdispls: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, rdispls: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Alltoallv", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Alltoallv", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Alltoallv_c(mpi_alltoallv_c_f08_) PMPI_Alltoallv_c(pmpi_alltoallv_c_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Alltoallv_c(mpi_alltoallv_c_f08ts_) PMPI_Alltoallv_c(pmpi_alltoallv_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i64, sdispls: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, rdispls: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Alltoallv_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Alltoallv_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Alltoallv_init(mpi_alltoallv_init_ mpi_alltoallv_init_f08_) PMPI_Alltoallv_init(pmpi_alltoallv_init_ pmpi_alltoallv_init_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Alltoallv_init(mpi_alltoallv_init_f08ts_) PMPI_Alltoallv_init(pmpi_alltoallv_init_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i32, sdispls: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, rdispls: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Alltoallv_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Alltoallv_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Alltoallv_init_c(mpi_alltoallv_init_c_f08_) PMPI_Alltoallv_init_c(pmpi_alltoallv_init_c_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Alltoallv_init_c(mpi_alltoallv_init_c_f08ts_) PMPI_Alltoallv_init_c(pmpi_alltoallv_init_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i64, sdispls: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, rdispls: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Alltoallv_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Alltoallv_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Alltoallw(mpi_alltoallw_ mpi_alltoallw_f08_) PMPI_Alltoallw(pmpi_alltoallw_ pmpi_alltoallw_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i32, sdispls: *const i32, sendtypes: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtypes: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf, || size_of(handle_in::<A, Comm>(read(comm))))).c(), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, size_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Alltoallw(mpi_alltoallw_f08ts_) PMPI_Alltoallw(pmpi_alltoallw_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i32, sdispls: *const i32, sendtypes: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, rdispls: *const i32, recvtypes: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Alltoallw", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Alltoallw", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf.address(), || size_of(handle_in::<A, Comm>(read(comm))))).c(), recvbuf.address(), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, size_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Alltoallw_c(mpi_alltoallw_c_f08_) PMPI_Alltoallw_c(pmpi_alltoallw_c_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf, || size_of(handle_in::<A, Comm>(read(comm))))).c(), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, size_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Alltoallw_c(mpi_alltoallw_c_f08ts_) PMPI_Alltoallw_c(pmpi_alltoallw_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Alltoallw_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Alltoallw_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf.address(), || size_of(handle_in::<A, Comm>(read(comm))))).c(), recvbuf.address(), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, size_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Alltoallw_init(mpi_alltoallw_init_ mpi_alltoallw_init_f08_) PMPI_Alltoallw_init(pmpi_alltoallw_init_ pmpi_alltoallw_init_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i32, sdispls: *const i32, sendtypes: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtypes: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf, || size_of(handle_in::<A, Comm>(read(comm))))).c(), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, size_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Alltoallw_init(mpi_alltoallw_init_f08ts_) PMPI_Alltoallw_init(pmpi_alltoallw_init_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i32, sdispls: *const i32, sendtypes: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, rdispls: *const i32, recvtypes: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Alltoallw_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Alltoallw_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf.address(), || size_of(handle_in::<A, Comm>(read(comm))))).c(), recvbuf.address(), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, size_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Alltoallw_init_c(mpi_alltoallw_init_c_f08_) PMPI_Alltoallw_init_c(pmpi_alltoallw_init_c_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf, || size_of(handle_in::<A, Comm>(read(comm))))).c(), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, size_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Alltoallw_init_c(mpi_alltoallw_init_c_f08ts_) PMPI_Alltoallw_init_c(pmpi_alltoallw_init_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Alltoallw_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Alltoallw_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf.address(), || size_of(handle_in::<A, Comm>(read(comm))))).c(), recvbuf.address(), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, size_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Attr_delete(mpi_attr_delete_) PMPI_Attr_delete(pmpi_attr_delete_)]
    (comm: *const i32, keyval: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(keyval)) });
export!([MPI_Barrier(mpi_barrier_ mpi_barrier_f08_) PMPI_Barrier(pmpi_barrier_ pmpi_barrier_f08_)]
    (comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm))) });
export!([MPI_Barrier_init(mpi_barrier_init_ mpi_barrier_init_f08_) PMPI_Barrier_init(pmpi_barrier_init_ pmpi_barrier_init_f08_)]
    (comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Bcast(mpi_bcast_ mpi_bcast_f08_) PMPI_Bcast(pmpi_bcast_ pmpi_bcast_f08_)]
    (buffer: *mut c_void, count: *const i32, datatype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buffer), read(count), handle_in::<A, Datatype>(read(datatype)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Bcast(mpi_bcast_f08ts_) PMPI_Bcast(pmpi_bcast_f08ts_)]
    (buffer: *const Descriptor, count: *const i32, datatype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buffer = Buffer::elements(buffer, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buffer.refusal() { return refuse("MPI_Bcast", handle_in::<A, Comm>(read(comm)), why); } call(buffer.address(), buffer.count(read(count)), buffer.datatype(handle_in::<A, Datatype>(read(datatype))), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Bcast_c(mpi_bcast_c_f08_) PMPI_Bcast_c(pmpi_bcast_c_f08_)]
    (buffer: *mut c_void, count: *const i64, datatype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buffer), read(count), handle_in::<A, Datatype>(read(datatype)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Bcast_c(mpi_bcast_c_f08ts_) PMPI_Bcast_c(pmpi_bcast_c_f08ts_)]
    (buffer: *const Descriptor, count: *const i64, datatype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buffer = Buffer::elements(buffer, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buffer.refusal() { return refuse("MPI_Bcast_c", handle_in::<A, Comm>(read(comm)), why); } call(buffer.address(), buffer.count(read(count)), buffer.datatype(handle_in::<A, Datatype>(read(datatype))), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Bcast_init(mpi_bcast_init_ mpi_bcast_init_f08_) PMPI_Bcast_init(pmpi_bcast_init_ pmpi_bcast_init_f08_)]
    (buffer: *mut c_void, count: *const i32, datatype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buffer), read(count), handle_in::<A, Datatype>(read(datatype)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Bcast_init(mpi_bcast_init_f08ts_) PMPI_Bcast_init(pmpi_bcast_init_f08ts_)]
    (buffer: *const Descriptor, count: *const i32, datatype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut buffer = Buffer::elements(buffer, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buffer.refusal() { return refuse("MPI_Bcast_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(buffer.address(), buffer.count(read(count)), buffer.datatype(handle_in::<A, Datatype>(read(datatype))), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buffer.take_staged()]); } code });
export!([MPI_Bcast_init_c(mpi_bcast_init_c_f08_) PMPI_Bcast_init_c(pmpi_bcast_init_c_f08_)]
    (buffer: *mut c_void, count: *const i64, datatype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buffer), read(count), handle_in::<A, Datatype>(read(datatype)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Bcast_init_c(mpi_bcast_init_c_f08ts_) PMPI_Bcast_init_c(pmpi_bcast_init_c_f08ts_)]
    (buffer: *const Descriptor, count: *const i64, datatype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut buffer = Buffer::elements(buffer, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buffer.refusal() { return refuse("MPI_Bcast_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(buffer.address(), buffer.count(read(count)), buffer.datatype(handle_in::<A, Datatype>(read(datatype))), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buffer.take_staged()]); } code });
export!([MPI_Bsend(mpi_bsend_ mpi_bsend_f08_) PMPI_Bsend(pmpi_bsend_ pmpi_bsend_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Bsend(mpi_bsend_f08ts_) PMPI_Bsend(pmpi_bsend_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Bsend", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Bsend_c(mpi_bsend_c_f08_) PMPI_Bsend_c(pmpi_bsend_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Bsend_c(mpi_bsend_c_f08ts_) PMPI_Bsend_c(pmpi_bsend_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Bsend_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Bsend_init(mpi_bsend_init_ mpi_bsend_init_f08_) PMPI_Bsend_init(pmpi_bsend_init_ pmpi_bsend_init_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Bsend_init(mpi_bsend_init_f08ts_) PMPI_Bsend_init(pmpi_bsend_init_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Bsend_init", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Bsend_init_c(mpi_bsend_init_c_f08_) PMPI_Bsend_init_c(pmpi_bsend_init_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Bsend_init_c(mpi_bsend_init_c_f08ts_) PMPI_Bsend_init_c(pmpi_bsend_init_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Bsend_init_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Buffer_attach(mpi_buffer_attach_ mpi_buffer_attach_f08_) PMPI_Buffer_attach(pmpi_buffer_attach_ pmpi_buffer_attach_f08_)]
    (buffer: *mut c_void, size: *const i32, ierror: *mut i32) ierror on {}
    { call(buffer_in::<A, _>(buffer), read(size)) });
export!([MPI_Buffer_attach(mpi_buffer_attach_f08ts_) PMPI_Buffer_attach(pmpi_buffer_attach_f08ts_)]
    (buffer: *const Descriptor, size: *const i32, ierror: *mut i32) ierror on {}
    { let buffer = Buffer::whole(buffer, Use::Later); if let Some(why) = buffer.refusal() { return refuse("MPI_Buffer_attach", (), why); } call(buffer.address(), read(size)) });
export!([MPI_Buffer_attach_c(mpi_buffer_attach_c_f08_) PMPI_Buffer_attach_c(pmpi_buffer_attach_c_f08_)]
    (buffer: *mut c_void, size: *const i64, ierror: *mut i32) ierror on {}
    { call(buffer_in::<A, _>(buffer), read(size)) });
export!([MPI_Buffer_attach_c(mpi_buffer_attach_c_f08ts_) PMPI_Buffer_attach_c(pmpi_buffer_attach_c_f08ts_)]
    (buffer: *const Descriptor, size: *const i64, ierror: *mut i32) ierror on {}
    { let buffer = Buffer::whole(buffer, Use::Later); if let Some(why) = buffer.refusal() { return refuse("MPI_Buffer_attach_c", (), why); } call(buffer.address(), read(size)) });
export!([MPI_Buffer_detach(mpi_buffer_detach_) PMPI_Buffer_detach(pmpi_buffer_detach_)]
    (buffer_addr: *mut c_void, size: *mut i32, ierror: *mut i32) ierror on {}
    { call(Detached::new().c(), size) });
export!([MPI_Buffer_detach(mpi_buffer_detach_f08_) PMPI_Buffer_detach(pmpi_buffer_detach_f08_)]
    (buffer_addr: *mut c_void, size: *mut i32, ierror: *mut i32) ierror on {}
    { call(buffer_addr, size) });
export!([MPI_Buffer_detach_c(mpi_buffer_detach_c_f08_) PMPI_Buffer_detach_c(pmpi_buffer_detach_c_f08_)]
    (buffer_addr: *mut c_void, size: *mut i64, ierror: *mut i32) ierror on {}
    { call(buffer_addr, size) });
export!([MPI_Buffer_flush(mpi_buffer_flush_ mpi_buffer_flush_f08_) PMPI_Buffer_flush(pmpi_buffer_flush_ pmpi_buffer_flush_f08_)]
    (ierror: *mut i32) ierror on {}
    { call() });
export!([MPI_Buffer_iflush(mpi_buffer_iflush_ mpi_buffer_iflush_f08_) PMPI_Buffer_iflush(pmpi_buffer_iflush_ pmpi_buffer_iflush_f08_)]
    (request: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Cancel(mpi_cancel_ mpi_cancel_f08_) PMPI_Cancel(pmpi_cancel_ pmpi_cancel_f08_)]
    (request: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, Request>::new(request).c()) });
export!([MPI_Cart_coords(mpi_cart_coords_ mpi_cart_coords_f08_) PMPI_Cart_coords(pmpi_cart_coords_ pmpi_cart_coords_f08_)]
    (comm: *const i32, rank: *const i32, maxdims: *const i32, coords: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(rank), read(maxdims), coords) });
export!([MPI_Cart_create(mpi_cart_create_ mpi_cart_create_f08_) PMPI_Cart_create(pmpi_cart_create_ pmpi_cart_create_f08_)]
    (comm_old: *const i32, ndims: *const i32, dims: *const i32, periods: *const i32, reorder: *const i32, comm_cart: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm_old))}
    { call(handle_in::<A, Comm>(read(comm_old)), read(ndims), dims, Truths::new(periods, len(read(ndims))).c(), truth(reorder), HandleOut::<A, Comm>::new(comm_cart).c()) });
export!([MPI_Cart_get(mpi_cart_get_ mpi_cart_get_f08_) PMPI_Cart_get(pmpi_cart_get_ pmpi_cart_get_f08_)]
    (comm: *const i32, maxdims: *const i32, dims: *mut i32, periods: *mut i32, coords: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(maxdims), dims, TruthsOut::new(periods, len(read(maxdims))).c(), coords) });
export!([MPI_Cart_map(mpi_cart_map_ mpi_cart_map_f08_) PMPI_Cart_map(pmpi_cart_map_ pmpi_cart_map_f08_)]
    (comm: *const i32, ndims: *const i32, dims: *const i32, periods: *const i32, newrank: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(ndims), dims, Truths::new(periods, len(read(ndims))).c(), newrank) });
export!([MPI_Cart_rank(mpi_cart_rank_ mpi_cart_rank_f08_) PMPI_Cart_rank(pmpi_cart_rank_ pmpi_cart_rank_f08_)]
    (comm: *const i32, coords: *const i32, rank: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), coords, rank) });
export!([MPI_Cart_shift(mpi_cart_shift_ mpi_cart_shift_f08_) PMPI_Cart_shift(pmpi_cart_shift_ pmpi_cart_shift_f08_)]
    (comm: *const i32, direction: *const i32, disp: *const i32, rank_source: *mut i32, rank_dest: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(direction), read(disp), rank_source, rank_dest) });
export!([MPI_Cart_sub(mpi_cart_sub_ mpi_cart_sub_f08_) PMPI_Cart_sub(pmpi_cart_sub_ pmpi_cart_sub_f08_)]
    (comm: *const i32, remain_dims: *const i32, newcomm: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), Truths::new(remain_dims, ndims_of(handle_in::<A, Comm>(read(comm)))).c(), HandleOut::<A, Comm>::new(newcomm).c()) });
export!([MPI_Cartdim_get(mpi_cartdim_get_ mpi_cartdim_get_f08_) PMPI_Cartdim_get(pmpi_cartdim_get_ pmpi_cartdim_get_f08_)]
    (comm: *const i32, ndims: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), ndims) });
export!([MPI_Close_port(mpi_close_port_ mpi_close_port_f08_) PMPI_Close_port(pmpi_close_port_ pmpi_close_port_f08_)]
    (port_name: *const u8, ierror: *mut i32, port_name_len: usize) ierror on {}
    { call(Text::new(port_name, port_name_len, false).c()) });
export!([MPI_Comm_accept(mpi_comm_accept_ mpi_comm_accept_f08_) PMPI_Comm_accept(pmpi_comm_accept_ pmpi_comm_accept_f08_)]
    (port_name: *const u8, info: *const i32, root: *const i32, comm: *const i32, newcomm: *mut i32, ierror: *mut i32, port_name_len: usize) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(Text::new(port_name, port_name_len, false).c(), handle_in::<A, Info>(read(info)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Comm>::new(newcomm).c()) });
export!([MPI_Comm_attach_buffer(mpi_comm_attach_buffer_ mpi_comm_attach_buffer_f08_) PMPI_Comm_attach_buffer(pmpi_comm_attach_buffer_ pmpi_comm_attach_buffer_f08_)]
    (comm: *const i32, buffer: *mut c_void, size: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), buffer_in::<A, _>(buffer), read(size)) });
export!([MPI_Comm_attach_buffer(mpi_comm_attach_buffer_f08ts_) PMPI_Comm_attach_buffer(pmpi_comm_attach_buffer_f08ts_)]
    (comm: *const i32, buffer: *const Descriptor, size: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buffer = Buffer::whole(buffer, Use::Later); if let Some(why) = buffer.refusal() { return refuse("MPI_Comm_attach_buffer", handle_in::<A, Comm>(read(comm)), why); } call(handle_in::<A, Comm>(read(comm)), buffer.address(), read(size)) });
export!([MPI_Comm_attach_buffer_c(mpi_comm_attach_buffer_c_f08_) PMPI_Comm_attach_buffer_c(pmpi_comm_attach_buffer_c_f08_)]
    (comm: *const i32, buffer: *mut c_void, size: *const i64, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), buffer_in::<A, _>(buffer), read(size)) });
export!([MPI_Comm_attach_buffer_c(mpi_comm_attach_buffer_c_f08ts_) PMPI_Comm_attach_buffer_c(pmpi_comm_attach_buffer_c_f08ts_)]
    (comm: *const i32, buffer: *const Descriptor, size: *const i64, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buffer = Buffer::whole(buffer, Use::Later); if let Some(why) = buffer.refusal() { return refuse("MPI_Comm_attach_buffer_c", handle_in::<A, Comm>(read(comm)), why); } call(handle_in::<A, Comm>(read(comm)), buffer.address(), read(size)) });
export!([MPI_Comm_call_errhandler(mpi_comm_call_errhandler_ mpi_comm_call_errhandler_f08_) PMPI_Comm_call_errhandler(pmpi_comm_call_errhandler_ pmpi_comm_call_errhandler_f08_)]
    (comm: *const i32, errorcode: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(errorcode)) });
export!([MPI_Comm_compare(mpi_comm_compare_ mpi_comm_compare_f08_) PMPI_Comm_compare(pmpi_comm_compare_ pmpi_comm_compare_f08_)]
    (comm1: *const i32, comm2: *const i32, result: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm1))}
    { call(handle_in::<A, Comm>(read(comm1)), handle_in::<A, Comm>(read(comm2)), result) });
export!([MPI_Comm_connect(mpi_comm_connect_ mpi_comm_connect_f08_) PMPI_Comm_connect(pmpi_comm_connect_ pmpi_comm_connect_f08_)]
    (port_name: *const u8, info: *const i32, root: *const i32, comm: *const i32, newcomm: *mut i32, ierror: *mut i32, port_name_len: usize) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(Text::new(port_name, port_name_len, false).c(), handle_in::<A, Info>(read(info)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Comm>::new(newcomm).c()) });
export!([MPI_Comm_create(mpi_comm_create_ mpi_comm_create_f08_) PMPI_Comm_create(pmpi_comm_create_ pmpi_comm_create_f08_)]
    (comm: *const i32, group: *const i32, newcomm: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), handle_in::<A, Group>(read(group)), HandleOut::<A, Comm>::new(newcomm).c()) });
export!([MPI_Comm_create_from_group(mpi_comm_create_from_group_ mpi_comm_create_from_group_f08_) PMPI_Comm_create_from_group(pmpi_comm_create_from_group_ pmpi_comm_create_from_group_f08_)]
    (group: *const i32, stringtag: *const u8, info: *const i32, errhandler: *const i32, newcomm: *mut i32, ierror: *mut i32, stringtag_len: usize) ierror on {}
    { call(handle_in::<A, Group>(read(group)), Text::new(stringtag, stringtag_len, false).c(), handle_in::<A, Info>(read(info)), handle_in::<A, Errhandler>(read(errhandler)), HandleOut::<A, Comm>::new(newcomm).c()) });
export!([MPI_Comm_create_group(mpi_comm_create_group_ mpi_comm_create_group_f08_) PMPI_Comm_create_group(pmpi_comm_create_group_ pmpi_comm_create_group_f08_)]
    (comm: *const i32, group: *const i32, tag: *const i32, newcomm: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), handle_in::<A, Group>(read(group)), read(tag), HandleOut::<A, Comm>::new(newcomm).c()) });
export!([MPI_Comm_delete_attr(mpi_comm_delete_attr_ mpi_comm_delete_attr_f08_) PMPI_Comm_delete_attr(pmpi_comm_delete_attr_ pmpi_comm_delete_attr_f08_)]
    (comm: *const i32, comm_keyval: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(comm_keyval)) });
export!([MPI_Comm_detach_buffer(mpi_comm_detach_buffer_) PMPI_Comm_detach_buffer(pmpi_comm_detach_buffer_)]
    (comm: *const i32, buffer_addr: *mut c_void, size: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), Detached::new().c(), size) });
export!([MPI_Comm_detach_buffer(mpi_comm_detach_buffer_f08_) PMPI_Comm_detach_buffer(pmpi_comm_detach_buffer_f08_)]
    (comm: *const i32, buffer_addr: *mut c_void, size: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), buffer_addr, size) });
export!([MPI_Comm_detach_buffer_c(mpi_comm_detach_buffer_c_f08_) PMPI_Comm_detach_buffer_c(pmpi_comm_detach_buffer_c_f08_)]
    (comm: *const i32, buffer_addr: *mut c_void, size: *mut i64, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), buffer_addr, size) });
export!([MPI_Comm_disconnect(mpi_comm_disconnect_ mpi_comm_disconnect_f08_) PMPI_Comm_disconnect(pmpi_comm_disconnect_ pmpi_comm_disconnect_f08_)]
    (comm: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, Comm>::new(comm).c()) });
export!([MPI_Comm_dup(mpi_comm_dup_ mpi_comm_dup_f08_) PMPI_Comm_dup(pmpi_comm_dup_ pmpi_comm_dup_f08_)]
    (comm: *const i32, newcomm: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), HandleOut::<A, Comm>::new(newcomm).c()) });
export!([MPI_Comm_dup_with_info(mpi_comm_dup_with_info_ mpi_comm_dup_with_info_f08_) PMPI_Comm_dup_with_info(pmpi_comm_dup_with_info_ pmpi_comm_dup_with_info_f08_)]
    (comm: *const i32, info: *const i32, newcomm: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Comm>::new(newcomm).c()) });
export!([MPI_Comm_flush_buffer(mpi_comm_flush_buffer_ mpi_comm_flush_buffer_f08_) PMPI_Comm_flush_buffer(pmpi_comm_flush_buffer_ pmpi_comm_flush_buffer_f08_)]
    (comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm))) });
export!([MPI_Comm_free(mpi_comm_free_ mpi_comm_free_f08_) PMPI_Comm_free(pmpi_comm_free_ pmpi_comm_free_f08_)]
    (comm: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, Comm>::new(comm).c()) });
export!([MPI_Comm_free_keyval(mpi_comm_free_keyval_ mpi_comm_free_keyval_f08_) PMPI_Comm_free_keyval(pmpi_comm_free_keyval_ pmpi_comm_free_keyval_f08_)]
    (comm_keyval: *mut i32, ierror: *mut i32) ierror on {}
    { call(comm_keyval) });
export!([MPI_Comm_get_errhandler(mpi_comm_get_errhandler_ mpi_comm_get_errhandler_f08_) PMPI_Comm_get_errhandler(pmpi_comm_get_errhandler_ pmpi_comm_get_errhandler_f08_)]
    (comm: *const i32, errhandler: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), HandleOut::<A, Errhandler>::new(errhandler).c()) });
export!([MPI_Comm_get_info(mpi_comm_get_info_ mpi_comm_get_info_f08_) PMPI_Comm_get_info(pmpi_comm_get_info_ pmpi_comm_get_info_f08_)]
    (comm: *const i32, info_used: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), HandleOut::<A, Info>::new(info_used).c()) });
export!([MPI_Comm_get_name(mpi_comm_get_name_ mpi_comm_get_name_f08_) PMPI_Comm_get_name(pmpi_comm_get_name_ pmpi_comm_get_name_f08_)]
    (comm: *const i32, comm_name: *mut u8, resultlen: *mut i32, ierror: *mut i32, comm_name_len: usize) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), CharacterOut::new(comm_name, comm_name_len, MPI_MAX_OBJECT_NAME as usize).c(), resultlen) });
export!([MPI_Comm_get_parent(mpi_comm_get_parent_ mpi_comm_get_parent_f08_) PMPI_Comm_get_parent(pmpi_comm_get_parent_ pmpi_comm_get_parent_f08_)]
    (parent: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleOut::<A, Comm>::new(parent).c()) });
export!([MPI_Comm_group(mpi_comm_group_ mpi_comm_group_f08_) PMPI_Comm_group(pmpi_comm_group_ pmpi_comm_group_f08_)]
    (comm: *const i32, group: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), HandleOut::<A, Group>::new(group).c()) });
export!([MPI_Comm_idup(mpi_comm_idup_ mpi_comm_idup_f08_) PMPI_Comm_idup(pmpi_comm_idup_ pmpi_comm_idup_f08_)]
    (comm: *const i32, newcomm: *mut i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), HandleOut::<A, Comm>::new(newcomm).c(), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Comm_idup_with_info(mpi_comm_idup_with_info_ mpi_comm_idup_with_info_f08_) PMPI_Comm_idup_with_info(pmpi_comm_idup_with_info_ pmpi_comm_idup_with_info_f08_)]
    (comm: *const i32, info: *const i32, newcomm: *mut i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Comm>::new(newcomm).c(), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Comm_iflush_buffer(mpi_comm_iflush_buffer_ mpi_comm_iflush_buffer_f08_) PMPI_Comm_iflush_buffer(pmpi_comm_iflush_buffer_ pmpi_comm_iflush_buffer_f08_)]
    (comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Comm_join(mpi_comm_join_ mpi_comm_join_f08_) PMPI_Comm_join(pmpi_comm_join_ pmpi_comm_join_f08_)]
    (fd: *const i32, intercomm: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(fd), HandleOut::<A, Comm>::new(intercomm).c()) });
export!([MPI_Comm_rank(mpi_comm_rank_ mpi_comm_rank_f08_) PMPI_Comm_rank(pmpi_comm_rank_ pmpi_comm_rank_f08_)]
    (comm: *const i32, rank: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), rank) });
export!([MPI_Comm_remote_group(mpi_comm_remote_group_ mpi_comm_remote_group_f08_) PMPI_Comm_remote_group(pmpi_comm_remote_group_ pmpi_comm_remote_group_f08_)]
    (comm: *const i32, group: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), HandleOut::<A, Group>::new(group).c()) });
export!([MPI_Comm_remote_size(mpi_comm_remote_size_ mpi_comm_remote_size_f08_) PMPI_Comm_remote_size(pmpi_comm_remote_size_ pmpi_comm_remote_size_f08_)]
    (comm: *const i32, size: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), size) });
export!([MPI_Comm_set_errhandler(mpi_comm_set_errhandler_ mpi_comm_set_errhandler_f08_) PMPI_Comm_set_errhandler(pmpi_comm_set_errhandler_ pmpi_comm_set_errhandler_f08_)]
    (comm: *const i32, errhandler: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), handle_in::<A, Errhandler>(read(errhandler))) });
export!([MPI_Comm_set_info(mpi_comm_set_info_ mpi_comm_set_info_f08_) PMPI_Comm_set_info(pmpi_comm_set_info_ pmpi_comm_set_info_f08_)]
    (comm: *const i32, info: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info))) });
export!([MPI_Comm_set_name(mpi_comm_set_name_ mpi_comm_set_name_f08_) PMPI_Comm_set_name(pmpi_comm_set_name_ pmpi_comm_set_name_f08_)]
    (comm: *const i32, comm_name: *const u8, ierror: *mut i32, comm_name_len: usize) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), Text::new(comm_name, comm_name_len, false).c()) });
export!([MPI_Comm_size(mpi_comm_size_ mpi_comm_size_f08_) PMPI_Comm_size(pmpi_comm_size_ pmpi_comm_size_f08_)]
    (comm: *const i32, size: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), size) });
export!([MPI_Comm_split(mpi_comm_split_ mpi_comm_split_f08_) PMPI_Comm_split(pmpi_comm_split_ pmpi_comm_split_f08_)]
    (comm: *const i32, color: *const i32, key: *const i32, newcomm: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(color), read(key), HandleOut::<A, Comm>::new(newcomm).c()) });
export!([MPI_Comm_split_type(mpi_comm_split_type_ mpi_comm_split_type_f08_) PMPI_Comm_split_type(pmpi_comm_split_type_ pmpi_comm_split_type_f08_)]
    (comm: *const i32, split_type: *const i32, key: *const i32, info: *const i32, newcomm: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(split_type), read(key), handle_in::<A, Info>(read(info)), HandleOut::<A, Comm>::new(newcomm).c()) });
export!([MPI_Comm_test_inter(mpi_comm_test_inter_ mpi_comm_test_inter_f08_) PMPI_Comm_test_inter(pmpi_comm_test_inter_ pmpi_comm_test_inter_f08_)]
    (comm: *const i32, flag: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), TruthOut::new(flag).c()) });
export!([MPI_Compare_and_swap(mpi_compare_and_swap_ mpi_compare_and_swap_f08_) PMPI_Compare_and_swap(pmpi_compare_and_swap_ pmpi_compare_and_swap_f08_)]
    (origin_addr: *mut c_void, compare_addr: *mut c_void, result_addr: *mut c_void, datatype: *const i32, target_rank: *const i32, target_disp: *const i64, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), buffer_in::<A, _>(compare_addr), buffer_in::<A, _>(result_addr), handle_in::<A, Datatype>(read(datatype)), read(target_rank), read(target_disp), handle_in::<A, Win>(read(win))) });
export!([MPI_Compare_and_swap(mpi_compare_and_swap_f08ts_) PMPI_Compare_and_swap(pmpi_compare_and_swap_f08ts_)]
    (origin_addr: *const Descriptor, compare_addr: *const Descriptor, result_addr: *const Descriptor, datatype: *const i32, target_rank: *const i32, target_disp: *const i64, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::whole(origin_addr, Use::Later); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Compare_and_swap", handle_in::<A, Win>(read(win)), why); } let compare_addr = Buffer::whole(compare_addr, Use::Later); if let Some(why) = compare_addr.refusal() { return refuse("MPI_Compare_and_swap", handle_in::<A, Win>(read(win)), why); } let result_addr = Buffer::whole(result_addr, Use::Later); if let Some(why) = result_addr.refusal() { return refuse("MPI_Compare_and_swap", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), compare_addr.address(), result_addr.address(), handle_in::<A, Datatype>(read(datatype)), read(target_rank), read(target_disp), handle_in::<A, Win>(read(win))) });
export!([MPI_Dims_create(mpi_dims_create_ mpi_dims_create_f08_) PMPI_Dims_create(pmpi_dims_create_ pmpi_dims_create_f08_)]
    (nnodes: *const i32, ndims: *const i32, dims: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(nnodes), read(ndims), dims) });
export!([MPI_Dist_graph_create(mpi_dist_graph_create_ mpi_dist_graph_create_f08_) PMPI_Dist_graph_create(pmpi_dist_graph_create_ pmpi_dist_graph_create_f08_)]
    (comm_old: *const i32, n: *const i32, sources: *const i32, degrees: *const i32, destinations: *const i32, weights: *mut i32, info: *const i32, reorder: *const i32, comm_dist_graph: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm_old))}
    { call(handle_in::<A, Comm>(read(comm_old)), read(n), sources, degrees, destinations, weights_in::<A, _>(weights), handle_in::<A, Info>(read(info)), truth(reorder), HandleOut::<A, Comm>::new(comm_dist_graph).c()) });
export!([MPI_Dist_graph_create_adjacent(mpi_dist_graph_create_adjacent_ mpi_dist_graph_create_adjacent_f08_) PMPI_Dist_graph_create_adjacent(pmpi_dist_graph_create_adjacent_ pmpi_dist_graph_create_adjacent_f08_)]
    (comm_old: *const i32, indegree: *const i32, sources: *const i32, sourceweights: *mut i32, outdegree: *const i32, destinations: *const i32, destweights: *mut i32, info: *const i32, reorder: *const i32, comm_dist_graph: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm_old))}
    { call(handle_in::<A, Comm>(read(comm_old)), read(indegree), sources, weights_in::<A, _>(sourceweights), read(outdegree), destinations, weights_in::<A, _>(destweights), handle_in::<A, Info>(read(info)), truth(reorder), HandleOut::<A, Comm>::new(comm_dist_graph).c()) });
export!([MPI_Dist_graph_neighbors(mpi_dist_graph_neighbors_ mpi_dist_graph_neighbors_f08_) PMPI_Dist_graph_neighbors(pmpi_dist_graph_neighbors_ pmpi_dist_graph_neighbors_f08_)]
    (comm: *const i32, maxindegree: *const i32, sources: *mut i32, sourceweights: *mut i32, maxoutdegree: *const i32, destinations: *mut i32, destweights: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(maxindegree), sources, weights_in::<A, _>(sourceweights), read(maxoutdegree), destinations, weights_in::<A, _>(destweights)) });
export!([MPI_Dist_graph_neighbors_count(mpi_dist_graph_neighbors_count_ mpi_dist_graph_neighbors_count_f08_) PMPI_Dist_graph_neighbors_count(pmpi_dist_graph_neighbors_count_ pmpi_dist_graph_neighbors_count_f08_)]
    (comm: *const i32, indegree: *mut i32, outdegree: *mut i32, weighted: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), indegree, outdegree, TruthOut::new(weighted).c()) });
export!([MPI_Errhandler_free(mpi_errhandler_free_ mpi_errhandler_free_f08_) PMPI_Errhandler_free(pmpi_errhandler_free_ pmpi_errhandler_free_f08_)]
    (errhandler: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, Errhandler>::new(errhandler).c()) });
export!([MPI_Error_class(mpi_error_class_ mpi_error_class_f08_) PMPI_Error_class(pmpi_error_class_ pmpi_error_class_f08_)]
    (errorcode: *const i32, errorclass: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(errorcode), errorclass) });
export!([MPI_Error_string(mpi_error_string_ mpi_error_string_f08_) PMPI_Error_string(pmpi_error_string_ pmpi_error_string_f08_)]
    (errorcode: *const i32, string: *mut u8, resultlen: *mut i32, ierror: *mut i32, string_len: usize) ierror on {}
    { call(read(errorcode), CharacterOut::new(string, string_len, MPI_MAX_ERROR_STRING as usize).c(), resultlen) });
export!([MPI_Exscan(mpi_exscan_ mpi_exscan_f08_) PMPI_Exscan(pmpi_exscan_ pmpi_exscan_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Exscan(mpi_exscan_f08ts_) PMPI_Exscan(pmpi_exscan_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Exscan", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Exscan", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Exscan_c(mpi_exscan_c_f08_) PMPI_Exscan_c(pmpi_exscan_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Exscan_c(mpi_exscan_c_f08ts_) PMPI_Exscan_c(pmpi_exscan_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Exscan_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Exscan_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Exscan_init(mpi_exscan_init_ mpi_exscan_init_f08_) PMPI_Exscan_init(pmpi_exscan_init_ pmpi_exscan_init_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Exscan_init(mpi_exscan_init_f08ts_) PMPI_Exscan_init(pmpi_exscan_init_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Exscan_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Exscan_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Exscan_init_c(mpi_exscan_init_c_f08_) PMPI_Exscan_init_c(pmpi_exscan_init_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Exscan_init_c(mpi_exscan_init_c_f08ts_) PMPI_Exscan_init_c(pmpi_exscan_init_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Exscan_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Exscan_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Fetch_and_op(mpi_fetch_and_op_ mpi_fetch_and_op_f08_) PMPI_Fetch_and_op(pmpi_fetch_and_op_ pmpi_fetch_and_op_f08_)]
    (origin_addr: *mut c_void, result_addr: *mut c_void, datatype: *const i32, target_rank: *const i32, target_disp: *const i64, op: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), buffer_in::<A, _>(result_addr), handle_in::<A, Datatype>(read(datatype)), read(target_rank), read(target_disp), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win))) });
export!([MPI_Fetch_and_op(mpi_fetch_and_op_f08ts_) PMPI_Fetch_and_op(pmpi_fetch_and_op_f08ts_)]
    (origin_addr: *const Descriptor, result_addr: *const Descriptor, datatype: *const i32, target_rank: *const i32, target_disp: *const i64, op: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::whole(origin_addr, Use::Later); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Fetch_and_op", handle_in::<A, Win>(read(win)), why); } let result_addr = Buffer::whole(result_addr, Use::Later); if let Some(why) = result_addr.refusal() { return refuse("MPI_Fetch_and_op", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), result_addr.address(), handle_in::<A, Datatype>(read(datatype)), read(target_rank), read(target_disp), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win))) });
export!([MPI_File_call_errhandler(mpi_file_call_errhandler_ mpi_file_call_errhandler_f08_) PMPI_File_call_errhandler(pmpi_file_call_errhandler_ pmpi_file_call_errhandler_f08_)]
    (fh: *const i32, errorcode: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(errorcode)) });
export!([MPI_File_close(mpi_file_close_ mpi_file_close_f08_) PMPI_File_close(pmpi_file_close_ pmpi_file_close_f08_)]
    (fh: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, File>::new(fh).c()) });
export!([MPI_File_delete(mpi_file_delete_ mpi_file_delete_f08_) PMPI_File_delete(pmpi_file_delete_ pmpi_file_delete_f08_)]
    (filename: *const u8, info: *const i32, ierror: *mut i32, filename_len: usize) ierror on {}
    { call(Text::new(filename, filename_len, false).c(), handle_in::<A, Info>(read(info))) });
export!([MPI_File_get_amode(mpi_file_get_amode_ mpi_file_get_amode_f08_) PMPI_File_get_amode(pmpi_file_get_amode_ pmpi_file_get_amode_f08_)]
    (fh: *const i32, amode: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), amode) });
export!([MPI_File_get_atomicity(mpi_file_get_atomicity_ mpi_file_get_atomicity_f08_) PMPI_File_get_atomicity(pmpi_file_get_atomicity_ pmpi_file_get_atomicity_f08_)]
    (fh: *const i32, flag: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), TruthOut::new(flag).c()) });
export!([MPI_File_get_byte_offset(mpi_file_get_byte_offset_ mpi_file_get_byte_offset_f08_) PMPI_File_get_byte_offset(pmpi_file_get_byte_offset_ pmpi_file_get_byte_offset_f08_)]
    (fh: *const i32, offset: *const i64, disp: *mut i64, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), disp) });
export!([MPI_File_get_errhandler(mpi_file_get_errhandler_ mpi_file_get_errhandler_f08_) PMPI_File_get_errhandler(pmpi_file_get_errhandler_ pmpi_file_get_errhandler_f08_)]
    (file: *const i32, errhandler: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(file))}
    { call(handle_in::<A, File>(read(file)), HandleOut::<A, Errhandler>::new(errhandler).c()) });
export!([MPI_File_get_group(mpi_file_get_group_ mpi_file_get_group_f08_) PMPI_File_get_group(pmpi_file_get_group_ pmpi_file_get_group_f08_)]
    (fh: *const i32, group: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), HandleOut::<A, Group>::new(group).c()) });
export!([MPI_File_get_info(mpi_file_get_info_ mpi_file_get_info_f08_) PMPI_File_get_info(pmpi_file_get_info_ pmpi_file_get_info_f08_)]
    (fh: *const i32, info_used: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), HandleOut::<A, Info>::new(info_used).c()) });
export!([MPI_File_get_position(mpi_file_get_position_ mpi_file_get_position_f08_) PMPI_File_get_position(pmpi_file_get_position_ pmpi_file_get_position_f08_)]
    (fh: *const i32, offset: *mut i64, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), offset) });
export!([MPI_File_get_position_shared(mpi_file_get_position_shared_ mpi_file_get_position_shared_f08_) PMPI_File_get_position_shared(pmpi_file_get_position_shared_ pmpi_file_get_position_shared_f08_)]
    (fh: *const i32, offset: *mut i64, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), offset) });
export!([MPI_File_get_size(mpi_file_get_size_ mpi_file_get_size_f08_) PMPI_File_get_size(pmpi_file_get_size_ pmpi_file_get_size_f08_)]
    (fh: *const i32, size: *mut i64, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), size) });
export!([MPI_File_get_type_extent(mpi_file_get_type_extent_ mpi_file_get_type_extent_f08_) PMPI_File_get_type_extent(pmpi_file_get_type_extent_ pmpi_file_get_type_extent_f08_)]
    (fh: *const i32, datatype: *const i32, extent: *mut i64, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), handle_in::<A, Datatype>(read(datatype)), extent) });
export!([MPI_File_get_type_extent_c(mpi_file_get_type_extent_c_f08_) PMPI_File_get_type_extent_c(pmpi_file_get_type_extent_c_f08_)]
    (fh: *const i32, datatype: *const i32, extent: *mut i64, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), handle_in::<A, Datatype>(read(datatype)), extent) });
export!([MPI_File_get_view(mpi_file_get_view_ mpi_file_get_view_f08_) PMPI_File_get_view(pmpi_file_get_view_ pmpi_file_get_view_f08_)]
    (fh: *const i32, disp: *mut i64, etype: *mut i32, filetype: *mut i32, datarep: *mut u8, ierror: *mut i32, datarep_len: usize) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), disp, HandleOut::<A, Datatype>::new(etype).c(), HandleOut::<A, Datatype>::new(filetype).c(), CharacterOut::new(datarep, datarep_len, MPI_MAX_DATAREP_STRING as usize).c()) });
export!([MPI_File_iread(mpi_file_iread_ mpi_file_iread_f08_) PMPI_File_iread(pmpi_file_iread_ pmpi_file_iread_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iread(mpi_file_iread_f08ts_) PMPI_File_iread(pmpi_file_iread_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iread", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iread_all(mpi_file_iread_all_ mpi_file_iread_all_f08_) PMPI_File_iread_all(pmpi_file_iread_all_ pmpi_file_iread_all_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iread_all(mpi_file_iread_all_f08ts_) PMPI_File_iread_all(pmpi_file_iread_all_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iread_all", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iread_all_c(mpi_file_iread_all_c_f08_) PMPI_File_iread_all_c(pmpi_file_iread_all_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iread_all_c(mpi_file_iread_all_c_f08ts_) PMPI_File_iread_all_c(pmpi_file_iread_all_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iread_all_c", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iread_at(mpi_file_iread_at_ mpi_file_iread_at_f08_) PMPI_File_iread_at(pmpi_file_iread_at_ pmpi_file_iread_at_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iread_at(mpi_file_iread_at_f08ts_) PMPI_File_iread_at(pmpi_file_iread_at_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iread_at", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iread_at_all(mpi_file_iread_at_all_ mpi_file_iread_at_all_f08_) PMPI_File_iread_at_all(pmpi_file_iread_at_all_ pmpi_file_iread_at_all_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iread_at_all(mpi_file_iread_at_all_f08ts_) PMPI_File_iread_at_all(pmpi_file_iread_at_all_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iread_at_all", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iread_at_all_c(mpi_file_iread_at_all_c_f08_) PMPI_File_iread_at_all_c(pmpi_file_iread_at_all_c_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iread_at_all_c(mpi_file_iread_at_all_c_f08ts_) PMPI_File_iread_at_all_c(pmpi_file_iread_at_all_c_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iread_at_all_c", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iread_at_c(mpi_file_iread_at_c_f08_) PMPI_File_iread_at_c(pmpi_file_iread_at_c_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iread_at_c(mpi_file_iread_at_c_f08ts_) PMPI_File_iread_at_c(pmpi_file_iread_at_c_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iread_at_c", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iread_c(mpi_file_iread_c_f08_) PMPI_File_iread_c(pmpi_file_iread_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iread_c(mpi_file_iread_c_f08ts_) PMPI_File_iread_c(pmpi_file_iread_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iread_c", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iread_shared(mpi_file_iread_shared_ mpi_file_iread_shared_f08_) PMPI_File_iread_shared(pmpi_file_iread_shared_ pmpi_file_iread_shared_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iread_shared(mpi_file_iread_shared_f08ts_) PMPI_File_iread_shared(pmpi_file_iread_shared_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iread_shared", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iread_shared_c(mpi_file_iread_shared_c_f08_) PMPI_File_iread_shared_c(pmpi_file_iread_shared_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iread_shared_c(mpi_file_iread_shared_c_f08ts_) PMPI_File_iread_shared_c(pmpi_file_iread_shared_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iread_shared_c", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iwrite(mpi_file_iwrite_ mpi_file_iwrite_f08_) PMPI_File_iwrite(pmpi_file_iwrite_ pmpi_file_iwrite_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iwrite(mpi_file_iwrite_f08ts_) PMPI_File_iwrite(pmpi_file_iwrite_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iwrite", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iwrite_all(mpi_file_iwrite_all_ mpi_file_iwrite_all_f08_) PMPI_File_iwrite_all(pmpi_file_iwrite_all_ pmpi_file_iwrite_all_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iwrite_all(mpi_file_iwrite_all_f08ts_) PMPI_File_iwrite_all(pmpi_file_iwrite_all_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iwrite_all", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iwrite_all_c(mpi_file_iwrite_all_c_f08_) PMPI_File_iwrite_all_c(pmpi_file_iwrite_all_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iwrite_all_c(mpi_file_iwrite_all_c_f08ts_) PMPI_File_iwrite_all_c(pmpi_file_iwrite_all_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iwrite_all_c", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iwrite_at(mpi_file_iwrite_at_ mpi_file_iwrite_at_f08_) PMPI_File_iwrite_at(pmpi_file_iwrite_at_ pmpi_file_iwrite_at_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iwrite_at(mpi_file_iwrite_at_f08ts_) PMPI_File_iwrite_at(pmpi_file_iwrite_at_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iwrite_at", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iwrite_at_all(mpi_file_iwrite_at_all_ mpi_file_iwrite_at_all_f08_) PMPI_File_iwrite_at_all(pmpi_file_iwrite_at_all_ pmpi_file_iwrite_at_all_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iwrite_at_all(mpi_file_iwrite_at_all_f08ts_) PMPI_File_iwrite_at_all(pmpi_file_iwrite_at_all_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iwrite_at_all", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iwrite_at_all_c(mpi_file_iwrite_at_all_c_f08_) PMPI_File_iwrite_at_all_c(pmpi_file_iwrite_at_all_c_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iwrite_at_all_c(mpi_file_iwrite_at_all_c_f08ts_) PMPI_File_iwrite_at_all_c(pmpi_file_iwrite_at_all_c_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iwrite_at_all_c", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iwrite_at_c(mpi_file_iwrite_at_c_f08_) PMPI_File_iwrite_at_c(pmpi_file_iwrite_at_c_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iwrite_at_c(mpi_file_iwrite_at_c_f08ts_) PMPI_File_iwrite_at_c(pmpi_file_iwrite_at_c_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iwrite_at_c", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iwrite_c(mpi_file_iwrite_c_f08_) PMPI_File_iwrite_c(pmpi_file_iwrite_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iwrite_c(mpi_file_iwrite_c_f08ts_) PMPI_File_iwrite_c(pmpi_file_iwrite_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iwrite_c", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iwrite_shared(mpi_file_iwrite_shared_ mpi_file_iwrite_shared_f08_) PMPI_File_iwrite_shared(pmpi_file_iwrite_shared_ pmpi_file_iwrite_shared_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iwrite_shared(mpi_file_iwrite_shared_f08ts_) PMPI_File_iwrite_shared(pmpi_file_iwrite_shared_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iwrite_shared", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_iwrite_shared_c(mpi_file_iwrite_shared_c_f08_) PMPI_File_iwrite_shared_c(pmpi_file_iwrite_shared_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_File_iwrite_shared_c(mpi_file_iwrite_shared_c_f08ts_) PMPI_File_iwrite_shared_c(pmpi_file_iwrite_shared_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let mut buf = Buffer::elements(buf, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_iwrite_shared_c", handle_in::<A, File>(read(fh)), why); } let code = call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buf.take_staged()]); } code });
export!([MPI_File_open(mpi_file_open_ mpi_file_open_f08_) PMPI_File_open(pmpi_file_open_ pmpi_file_open_f08_)]
    (comm: *const i32, filename: *const u8, amode: *const i32, info: *const i32, fh: *mut i32, ierror: *mut i32, filename_len: usize) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), Text::new(filename, filename_len, false).c(), read(amode), handle_in::<A, Info>(read(info)), HandleOut::<A, File>::new(fh).c()) });
export!([MPI_File_preallocate(mpi_file_preallocate_ mpi_file_preallocate_f08_) PMPI_File_preallocate(pmpi_file_preallocate_ pmpi_file_preallocate_f08_)]
    (fh: *const i32, size: *const i64, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(size)) });
export!([MPI_File_read(mpi_file_read_ mpi_file_read_f08_) PMPI_File_read(pmpi_file_read_ pmpi_file_read_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_read(mpi_file_read_f08ts_) PMPI_File_read(pmpi_file_read_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_read_all(mpi_file_read_all_ mpi_file_read_all_f08_) PMPI_File_read_all(pmpi_file_read_all_ pmpi_file_read_all_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_read_all(mpi_file_read_all_f08ts_) PMPI_File_read_all(pmpi_file_read_all_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_all", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_read_all_begin(mpi_file_read_all_begin_ mpi_file_read_all_begin_f08_) PMPI_File_read_all_begin(pmpi_file_read_all_begin_ pmpi_file_read_all_begin_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype))) });
export!([MPI_File_read_all_begin(mpi_file_read_all_begin_f08ts_) PMPI_File_read_all_begin(pmpi_file_read_all_begin_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_all_begin", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype)))) });
export!([MPI_File_read_all_begin_c(mpi_file_read_all_begin_c_f08_) PMPI_File_read_all_begin_c(pmpi_file_read_all_begin_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype))) });
export!([MPI_File_read_all_begin_c(mpi_file_read_all_begin_c_f08ts_) PMPI_File_read_all_begin_c(pmpi_file_read_all_begin_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_all_begin_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype)))) });
export!([MPI_File_read_all_c(mpi_file_read_all_c_f08_) PMPI_File_read_all_c(pmpi_file_read_all_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_read_all_c(mpi_file_read_all_c_f08ts_) PMPI_File_read_all_c(pmpi_file_read_all_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_all_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_read_all_end(mpi_file_read_all_end_ mpi_file_read_all_end_f08_) PMPI_File_read_all_end(pmpi_file_read_all_end_ pmpi_file_read_all_end_f08_)]
    (fh: *const i32, buf: *mut c_void, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), status_out(status)) });
export!([MPI_File_read_all_end(mpi_file_read_all_end_f08ts_) PMPI_File_read_all_end(pmpi_file_read_all_end_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::first(buf); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_all_end", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), status_out(status)) });
export!([MPI_File_read_at(mpi_file_read_at_ mpi_file_read_at_f08_) PMPI_File_read_at(pmpi_file_read_at_ pmpi_file_read_at_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_read_at(mpi_file_read_at_f08ts_) PMPI_File_read_at(pmpi_file_read_at_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_at", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_read_at_all(mpi_file_read_at_all_ mpi_file_read_at_all_f08_) PMPI_File_read_at_all(pmpi_file_read_at_all_ pmpi_file_read_at_all_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_read_at_all(mpi_file_read_at_all_f08ts_) PMPI_File_read_at_all(pmpi_file_read_at_all_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_at_all", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_read_at_all_begin(mpi_file_read_at_all_begin_ mpi_file_read_at_all_begin_f08_) PMPI_File_read_at_all_begin(pmpi_file_read_at_all_begin_ pmpi_file_read_at_all_begin_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i32, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype))) });
export!([MPI_File_read_at_all_begin(mpi_file_read_at_all_begin_f08ts_) PMPI_File_read_at_all_begin(pmpi_file_read_at_all_begin_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i32, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_at_all_begin", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype)))) });
export!([MPI_File_read_at_all_begin_c(mpi_file_read_at_all_begin_c_f08_) PMPI_File_read_at_all_begin_c(pmpi_file_read_at_all_begin_c_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i64, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype))) });
export!([MPI_File_read_at_all_begin_c(mpi_file_read_at_all_begin_c_f08ts_) PMPI_File_read_at_all_begin_c(pmpi_file_read_at_all_begin_c_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i64, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_at_all_begin_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype)))) });
export!([MPI_File_read_at_all_c(mpi_file_read_at_all_c_f08_) PMPI_File_read_at_all_c(pmpi_file_read_at_all_c_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_read_at_all_c(mpi_file_read_at_all_c_f08ts_) PMPI_File_read_at_all_c(pmpi_file_read_at_all_c_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_at_all_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_read_at_all_end(mpi_file_read_at_all_end_ mpi_file_read_at_all_end_f08_) PMPI_File_read_at_all_end(pmpi_file_read_at_all_end_ pmpi_file_read_at_all_end_f08_)]
    (fh: *const i32, buf: *mut c_void, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), status_out(status)) });
export!([MPI_File_read_at_all_end(mpi_file_read_at_all_end_f08ts_) PMPI_File_read_at_all_end(pmpi_file_read_at_all_end_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::first(buf); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_at_all_end", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), status_out(status)) });
export!([MPI_File_read_at_c(mpi_file_read_at_c_f08_) PMPI_File_read_at_c(pmpi_file_read_at_c_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_read_at_c(mpi_file_read_at_c_f08ts_) PMPI_File_read_at_c(pmpi_file_read_at_c_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_at_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_read_c(mpi_file_read_c_f08_) PMPI_File_read_c(pmpi_file_read_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_read_c(mpi_file_read_c_f08ts_) PMPI_File_read_c(pmpi_file_read_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_read_ordered(mpi_file_read_ordered_ mpi_file_read_ordered_f08_) PMPI_File_read_ordered(pmpi_file_read_ordered_ pmpi_file_read_ordered_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_read_ordered(mpi_file_read_ordered_f08ts_) PMPI_File_read_ordered(pmpi_file_read_ordered_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_ordered", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_read_ordered_begin(mpi_file_read_ordered_begin_ mpi_file_read_ordered_begin_f08_) PMPI_File_read_ordered_begin(pmpi_file_read_ordered_begin_ pmpi_file_read_ordered_begin_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype))) });
export!([MPI_File_read_ordered_begin(mpi_file_read_ordered_begin_f08ts_) PMPI_File_read_ordered_begin(pmpi_file_read_ordered_begin_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_ordered_begin", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype)))) });
export!([MPI_File_read_ordered_begin_c(mpi_file_read_ordered_begin_c_f08_) PMPI_File_read_ordered_begin_c(pmpi_file_read_ordered_begin_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype))) });
export!([MPI_File_read_ordered_begin_c(mpi_file_read_ordered_begin_c_f08ts_) PMPI_File_read_ordered_begin_c(pmpi_file_read_ordered_begin_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_ordered_begin_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype)))) });
export!([MPI_File_read_ordered_c(mpi_file_read_ordered_c_f08_) PMPI_File_read_ordered_c(pmpi_file_read_ordered_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_read_ordered_c(mpi_file_read_ordered_c_f08ts_) PMPI_File_read_ordered_c(pmpi_file_read_ordered_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_ordered_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_read_ordered_end(mpi_file_read_ordered_end_ mpi_file_read_ordered_end_f08_) PMPI_File_read_ordered_end(pmpi_file_read_ordered_end_ pmpi_file_read_ordered_end_f08_)]
    (fh: *const i32, buf: *mut c_void, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), status_out(status)) });
export!([MPI_File_read_ordered_end(mpi_file_read_ordered_end_f08ts_) PMPI_File_read_ordered_end(pmpi_file_read_ordered_end_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::first(buf); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_ordered_end", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), status_out(status)) });
export!([MPI_File_read_shared(mpi_file_read_shared_ mpi_file_read_shared_f08_) PMPI_File_read_shared(pmpi_file_read_shared_ pmpi_file_read_shared_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_read_shared(mpi_file_read_shared_f08ts_) PMPI_File_read_shared(pmpi_file_read_shared_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_shared", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_read_shared_c(mpi_file_read_shared_c_f08_) PMPI_File_read_shared_c(pmpi_file_read_shared_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_read_shared_c(mpi_file_read_shared_c_f08ts_) PMPI_File_read_shared_c(pmpi_file_read_shared_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_read_shared_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_seek(mpi_file_seek_ mpi_file_seek_f08_) PMPI_File_seek(pmpi_file_seek_ pmpi_file_seek_f08_)]
    (fh: *const i32, offset: *const i64, whence: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), read(whence)) });
export!([MPI_File_seek_shared(mpi_file_seek_shared_ mpi_file_seek_shared_f08_) PMPI_File_seek_shared(pmpi_file_seek_shared_ pmpi_file_seek_shared_f08_)]
    (fh: *const i32, offset: *const i64, whence: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), read(whence)) });
export!([MPI_File_set_atomicity(mpi_file_set_atomicity_ mpi_file_set_atomicity_f08_) PMPI_File_set_atomicity(pmpi_file_set_atomicity_ pmpi_file_set_atomicity_f08_)]
    (fh: *const i32, flag: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), truth(flag)) });
export!([MPI_File_set_errhandler(mpi_file_set_errhandler_ mpi_file_set_errhandler_f08_) PMPI_File_set_errhandler(pmpi_file_set_errhandler_ pmpi_file_set_errhandler_f08_)]
    (file: *const i32, errhandler: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(file))}
    { call(handle_in::<A, File>(read(file)), handle_in::<A, Errhandler>(read(errhandler))) });
export!([MPI_File_set_info(mpi_file_set_info_ mpi_file_set_info_f08_) PMPI_File_set_info(pmpi_file_set_info_ pmpi_file_set_info_f08_)]
    (fh: *const i32, info: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), handle_in::<A, Info>(read(info))) });
export!([MPI_File_set_size(mpi_file_set_size_ mpi_file_set_size_f08_) PMPI_File_set_size(pmpi_file_set_size_ pmpi_file_set_size_f08_)]
    (fh: *const i32, size: *const i64, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(size)) });
export!([MPI_File_set_view(mpi_file_set_view_ mpi_file_set_view_f08_) PMPI_File_set_view(pmpi_file_set_view_ pmpi_file_set_view_f08_)]
    (fh: *const i32, disp: *const i64, etype: *const i32, filetype: *const i32, datarep: *const u8, info: *const i32, ierror: *mut i32, datarep_len: usize) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(disp), handle_in::<A, Datatype>(read(etype)), handle_in::<A, Datatype>(read(filetype)), Text::new(datarep, datarep_len, false).c(), handle_in::<A, Info>(read(info))) });
export!([MPI_File_sync(mpi_file_sync_ mpi_file_sync_f08_) PMPI_File_sync(pmpi_file_sync_ pmpi_file_sync_f08_)]
    (fh: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh))) });
export!([MPI_File_write(mpi_file_write_ mpi_file_write_f08_) PMPI_File_write(pmpi_file_write_ pmpi_file_write_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_write(mpi_file_write_f08ts_) PMPI_File_write(pmpi_file_write_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_write_all(mpi_file_write_all_ mpi_file_write_all_f08_) PMPI_File_write_all(pmpi_file_write_all_ pmpi_file_write_all_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_write_all(mpi_file_write_all_f08ts_) PMPI_File_write_all(pmpi_file_write_all_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_all", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_write_all_begin(mpi_file_write_all_begin_ mpi_file_write_all_begin_f08_) PMPI_File_write_all_begin(pmpi_file_write_all_begin_ pmpi_file_write_all_begin_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype))) });
export!([MPI_File_write_all_begin(mpi_file_write_all_begin_f08ts_) PMPI_File_write_all_begin(pmpi_file_write_all_begin_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_all_begin", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype)))) });
export!([MPI_File_write_all_begin_c(mpi_file_write_all_begin_c_f08_) PMPI_File_write_all_begin_c(pmpi_file_write_all_begin_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype))) });
export!([MPI_File_write_all_begin_c(mpi_file_write_all_begin_c_f08ts_) PMPI_File_write_all_begin_c(pmpi_file_write_all_begin_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_all_begin_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype)))) });
export!([MPI_File_write_all_c(mpi_file_write_all_c_f08_) PMPI_File_write_all_c(pmpi_file_write_all_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_write_all_c(mpi_file_write_all_c_f08ts_) PMPI_File_write_all_c(pmpi_file_write_all_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_all_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_write_all_end(mpi_file_write_all_end_ mpi_file_write_all_end_f08_) PMPI_File_write_all_end(pmpi_file_write_all_end_ pmpi_file_write_all_end_f08_)]
    (fh: *const i32, buf: *mut c_void, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), status_out(status)) });
export!([MPI_File_write_all_end(mpi_file_write_all_end_f08ts_) PMPI_File_write_all_end(pmpi_file_write_all_end_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::first(buf); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_all_end", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), status_out(status)) });
export!([MPI_File_write_at(mpi_file_write_at_ mpi_file_write_at_f08_) PMPI_File_write_at(pmpi_file_write_at_ pmpi_file_write_at_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_write_at(mpi_file_write_at_f08ts_) PMPI_File_write_at(pmpi_file_write_at_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_at", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_write_at_all(mpi_file_write_at_all_ mpi_file_write_at_all_f08_) PMPI_File_write_at_all(pmpi_file_write_at_all_ pmpi_file_write_at_all_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_write_at_all(mpi_file_write_at_all_f08ts_) PMPI_File_write_at_all(pmpi_file_write_at_all_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_at_all", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_write_at_all_begin(mpi_file_write_at_all_begin_ mpi_file_write_at_all_begin_f08_) PMPI_File_write_at_all_begin(pmpi_file_write_at_all_begin_ pmpi_file_write_at_all_begin_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i32, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype))) });
export!([MPI_File_write_at_all_begin(mpi_file_write_at_all_begin_f08ts_) PMPI_File_write_at_all_begin(pmpi_file_write_at_all_begin_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i32, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_at_all_begin", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype)))) });
export!([MPI_File_write_at_all_begin_c(mpi_file_write_at_all_begin_c_f08_) PMPI_File_write_at_all_begin_c(pmpi_file_write_at_all_begin_c_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i64, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype))) });
export!([MPI_File_write_at_all_begin_c(mpi_file_write_at_all_begin_c_f08ts_) PMPI_File_write_at_all_begin_c(pmpi_file_write_at_all_begin_c_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i64, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_at_all_begin_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype)))) });
export!([MPI_File_write_at_all_c(mpi_file_write_at_all_c_f08_) PMPI_File_write_at_all_c(pmpi_file_write_at_all_c_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_write_at_all_c(mpi_file_write_at_all_c_f08ts_) PMPI_File_write_at_all_c(pmpi_file_write_at_all_c_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_at_all_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_write_at_all_end(mpi_file_write_at_all_end_ mpi_file_write_at_all_end_f08_) PMPI_File_write_at_all_end(pmpi_file_write_at_all_end_ pmpi_file_write_at_all_end_f08_)]
    (fh: *const i32, buf: *mut c_void, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), status_out(status)) });
export!([MPI_File_write_at_all_end(mpi_file_write_at_all_end_f08ts_) PMPI_File_write_at_all_end(pmpi_file_write_at_all_end_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::first(buf); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_at_all_end", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), status_out(status)) });
export!([MPI_File_write_at_c(mpi_file_write_at_c_f08_) PMPI_File_write_at_c(pmpi_file_write_at_c_f08_)]
    (fh: *const i32, offset: *const i64, buf: *mut c_void, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), read(offset), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_write_at_c(mpi_file_write_at_c_f08ts_) PMPI_File_write_at_c(pmpi_file_write_at_c_f08ts_)]
    (fh: *const i32, offset: *const i64, buf: *const Descriptor, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_at_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), read(offset), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_write_c(mpi_file_write_c_f08_) PMPI_File_write_c(pmpi_file_write_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_write_c(mpi_file_write_c_f08ts_) PMPI_File_write_c(pmpi_file_write_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_write_ordered(mpi_file_write_ordered_ mpi_file_write_ordered_f08_) PMPI_File_write_ordered(pmpi_file_write_ordered_ pmpi_file_write_ordered_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_write_ordered(mpi_file_write_ordered_f08ts_) PMPI_File_write_ordered(pmpi_file_write_ordered_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_ordered", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_write_ordered_begin(mpi_file_write_ordered_begin_ mpi_file_write_ordered_begin_f08_) PMPI_File_write_ordered_begin(pmpi_file_write_ordered_begin_ pmpi_file_write_ordered_begin_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype))) });
export!([MPI_File_write_ordered_begin(mpi_file_write_ordered_begin_f08ts_) PMPI_File_write_ordered_begin(pmpi_file_write_ordered_begin_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_ordered_begin", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype)))) });
export!([MPI_File_write_ordered_begin_c(mpi_file_write_ordered_begin_c_f08_) PMPI_File_write_ordered_begin_c(pmpi_file_write_ordered_begin_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype))) });
export!([MPI_File_write_ordered_begin_c(mpi_file_write_ordered_begin_c_f08ts_) PMPI_File_write_ordered_begin_c(pmpi_file_write_ordered_begin_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_ordered_begin_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype)))) });
export!([MPI_File_write_ordered_c(mpi_file_write_ordered_c_f08_) PMPI_File_write_ordered_c(pmpi_file_write_ordered_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_write_ordered_c(mpi_file_write_ordered_c_f08ts_) PMPI_File_write_ordered_c(pmpi_file_write_ordered_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_ordered_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_write_ordered_end(mpi_file_write_ordered_end_ mpi_file_write_ordered_end_f08_) PMPI_File_write_ordered_end(pmpi_file_write_ordered_end_ pmpi_file_write_ordered_end_f08_)]
    (fh: *const i32, buf: *mut c_void, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), status_out(status)) });
export!([MPI_File_write_ordered_end(mpi_file_write_ordered_end_f08ts_) PMPI_File_write_ordered_end(pmpi_file_write_ordered_end_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::first(buf); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_ordered_end", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), status_out(status)) });
export!([MPI_File_write_shared(mpi_file_write_shared_ mpi_file_write_shared_f08_) PMPI_File_write_shared(pmpi_file_write_shared_ pmpi_file_write_shared_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_write_shared(mpi_file_write_shared_f08ts_) PMPI_File_write_shared(pmpi_file_write_shared_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i32, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_shared", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_File_write_shared_c(mpi_file_write_shared_c_f08_) PMPI_File_write_shared_c(pmpi_file_write_shared_c_f08_)]
    (fh: *const i32, buf: *mut c_void, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { call(handle_in::<A, File>(read(fh)), buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), status_out(status)) });
export!([MPI_File_write_shared_c(mpi_file_write_shared_c_f08ts_) PMPI_File_write_shared_c(pmpi_file_write_shared_c_f08ts_)]
    (fh: *const i32, buf: *const Descriptor, count: *const i64, datatype: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, File>(read(fh))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_File_write_shared_c", handle_in::<A, File>(read(fh)), why); } call(handle_in::<A, File>(read(fh)), buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), status_out(status)) });
export!([MPI_Finalize(mpi_finalize_ mpi_finalize_f08_) PMPI_Finalize(pmpi_finalize_ pmpi_finalize_f08_)]
    (ierror: *mut i32) ierror on {}
    { call() });
export!([MPI_Finalized(mpi_finalized_ mpi_finalized_f08_) PMPI_Finalized(pmpi_finalized_ pmpi_finalized_f08_)]
    (flag: *mut i32, ierror: *mut i32) ierror on {}
    { call(TruthOut::new(flag).c()) });
export!([MPI_Free_mem(mpi_free_mem_ mpi_free_mem_f08_) PMPI_Free_mem(pmpi_free_mem_ pmpi_free_mem_f08_)]
    (base: *mut c_void, ierror: *mut i32) ierror on {}
    { call(buffer_in::<A, _>(base)) });
export!([MPI_Free_mem(mpi_free_mem_f08ts_) PMPI_Free_mem(pmpi_free_mem_f08ts_)]
    (base: *const Descriptor, ierror: *mut i32) ierror on {}
    { let base = Buffer::first(base); if let Some(why) = base.refusal() { return refuse("MPI_Free_mem", (), why); } call(base.address()) });
export!([MPI_Gather(mpi_gather_ mpi_gather_f08_) PMPI_Gather(pmpi_gather_ pmpi_gather_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Gather(mpi_gather_f08ts_) PMPI_Gather(pmpi_gather_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Now, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Gather", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Gather", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Gather_c(mpi_gather_c_f08_) PMPI_Gather_c(pmpi_gather_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Gather_c(mpi_gather_c_f08ts_) PMPI_Gather_c(pmpi_gather_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Now, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Gather_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Gather_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Gather_init(mpi_gather_init_ mpi_gather_init_f08_) PMPI_Gather_init(pmpi_gather_init_ pmpi_gather_init_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Gather_init(mpi_gather_init_f08ts_) PMPI_Gather_init(pmpi_gather_init_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Gather_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Gather_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Gather_init_c(mpi_gather_init_c_f08_) PMPI_Gather_init_c(pmpi_gather_init_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Gather_init_c(mpi_gather_init_c_f08ts_) PMPI_Gather_init_c(pmpi_gather_init_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Gather_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Gather_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Gatherv(mpi_gatherv_ mpi_gatherv_f08_) PMPI_Gatherv(pmpi_gatherv_ pmpi_gatherv_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Gatherv(mpi_gatherv_f08ts_) PMPI_Gatherv(pmpi_gatherv_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Now, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Gatherv", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Gatherv", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Gatherv_c(mpi_gatherv_c_f08_) PMPI_Gatherv_c(pmpi_gatherv_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Gatherv_c(mpi_gatherv_c_f08ts_) PMPI_Gatherv_c(pmpi_gatherv_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Now, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Gatherv_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Gatherv_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Gatherv_init(mpi_gatherv_init_ mpi_gatherv_init_f08_) PMPI_Gatherv_init(pmpi_gatherv_init_ pmpi_gatherv_init_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Gatherv_init(mpi_gatherv_init_f08ts_) PMPI_Gatherv_init(pmpi_gatherv_init_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Gatherv_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Gatherv_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Gatherv_init_c(mpi_gatherv_init_c_f08_) PMPI_Gatherv_init_c(pmpi_gatherv_init_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Gatherv_init_c(mpi_gatherv_init_c_f08ts_) PMPI_Gatherv_init_c(pmpi_gatherv_init_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Gatherv_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Gatherv_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Get(mpi_get_ mpi_get_f08_) PMPI_Get(pmpi_get_ pmpi_get_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i32, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win))) });
export!([MPI_Get(mpi_get_f08ts_) PMPI_Get(pmpi_get_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i32, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Get", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win))) });
export!([MPI_Get_accumulate(mpi_get_accumulate_ mpi_get_accumulate_f08_) PMPI_Get_accumulate(pmpi_get_accumulate_ pmpi_get_accumulate_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i32, origin_datatype: *const i32, result_addr: *mut c_void, result_count: *const i32, result_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, op: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), buffer_in::<A, _>(result_addr), read(result_count), handle_in::<A, Datatype>(read(result_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win))) });
export!([MPI_Get_accumulate(mpi_get_accumulate_f08ts_) PMPI_Get_accumulate(pmpi_get_accumulate_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i32, origin_datatype: *const i32, result_addr: *const Descriptor, result_count: *const i32, result_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, op: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Get_accumulate", handle_in::<A, Win>(read(win)), why); } let result_addr = Buffer::elements(result_addr, Use::Later, read(result_count), handle_in::<A, Datatype>(read(result_datatype))); if let Some(why) = result_addr.refusal() { return refuse("MPI_Get_accumulate", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), result_addr.address(), result_addr.count(read(result_count)), result_addr.datatype(handle_in::<A, Datatype>(read(result_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win))) });
export!([MPI_Get_accumulate_c(mpi_get_accumulate_c_f08_) PMPI_Get_accumulate_c(pmpi_get_accumulate_c_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i64, origin_datatype: *const i32, result_addr: *mut c_void, result_count: *const i64, result_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, op: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), buffer_in::<A, _>(result_addr), read(result_count), handle_in::<A, Datatype>(read(result_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win))) });
export!([MPI_Get_accumulate_c(mpi_get_accumulate_c_f08ts_) PMPI_Get_accumulate_c(pmpi_get_accumulate_c_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i64, origin_datatype: *const i32, result_addr: *const Descriptor, result_count: *const i64, result_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, op: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Get_accumulate_c", handle_in::<A, Win>(read(win)), why); } let result_addr = Buffer::elements(result_addr, Use::Later, read(result_count), handle_in::<A, Datatype>(read(result_datatype))); if let Some(why) = result_addr.refusal() { return refuse("MPI_Get_accumulate_c", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), result_addr.address(), result_addr.count(read(result_count)), result_addr.datatype(handle_in::<A, Datatype>(read(result_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win))) });
export!([MPI_Get_address(mpi_get_address_ mpi_get_address_f08_) PMPI_Get_address(pmpi_get_address_ pmpi_get_address_f08_)]
    (location: *mut c_void, address: *mut i64, ierror: *mut i32) ierror on {}
    { call(buffer_in::<A, _>(location), address) });
export!([MPI_Get_address(mpi_get_address_f08ts_) PMPI_Get_address(pmpi_get_address_f08ts_)]
    (location: *const Descriptor, address: *mut i64, ierror: *mut i32) ierror on {}
    { let location = Buffer::first(location); if let Some(why) = location.refusal() { return refuse("MPI_Get_address", (), why); } call(location.address(), address) });
export!([MPI_Get_c(mpi_get_c_f08_) PMPI_Get_c(pmpi_get_c_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i64, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win))) });
export!([MPI_Get_c(mpi_get_c_f08ts_) PMPI_Get_c(pmpi_get_c_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i64, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Get_c", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win))) });
export!([MPI_Get_count(mpi_get_count_ mpi_get_count_f08_) PMPI_Get_count(pmpi_get_count_ pmpi_get_count_f08_)]
    (status: *const Status, datatype: *const i32, count: *mut i32, ierror: *mut i32) ierror on {}
    { call(status, handle_in::<A, Datatype>(read(datatype)), count) });
export!([MPI_Get_count_c(mpi_get_count_c_f08_) PMPI_Get_count_c(pmpi_get_count_c_f08_)]
    (status: *const Status, datatype: *const i32, count: *mut i64, ierror: *mut i32) ierror on {}
    { call(status, handle_in::<A, Datatype>(read(datatype)), count) });
export!([MPI_Get_elements(mpi_get_elements_ mpi_get_elements_f08_) PMPI_Get_elements(pmpi_get_elements_ pmpi_get_elements_f08_)]
    (status: *const Status, datatype: *const i32, count: *mut i32, ierror: *mut i32) ierror on {}
    { call(status, handle_in::<A, Datatype>(read(datatype)), count) });
export!([MPI_Get_elements_c(mpi_get_elements_c_f08_) PMPI_Get_elements_c(pmpi_get_elements_c_f08_)]
    (status: *const Status, datatype: *const i32, count: *mut i64, ierror: *mut i32) ierror on {}
    { call(status, handle_in::<A, Datatype>(read(datatype)), count) });
export!([MPI_Get_elements_x(mpi_get_elements_x_ mpi_get_elements_x_f08_) PMPI_Get_elements_x(pmpi_get_elements_x_ pmpi_get_elements_x_f08_)]
    (status: *const Status, datatype: *const i32, count: *mut i64, ierror: *mut i32) ierror on {}
    { call(status, handle_in::<A, Datatype>(read(datatype)), count) });
export!([MPI_Get_hw_resource_info(mpi_get_hw_resource_info_ mpi_get_hw_resource_info_f08_) PMPI_Get_hw_resource_info(pmpi_get_hw_resource_info_ pmpi_get_hw_resource_info_f08_)]
    (hw_info: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleOut::<A, Info>::new(hw_info).c()) });
export!([MPI_Get_library_version(mpi_get_library_version_ mpi_get_library_version_f08_) PMPI_Get_library_version(pmpi_get_library_version_ pmpi_get_library_version_f08_)]
    (version: *mut u8, resultlen: *mut i32, ierror: *mut i32, version_len: usize) ierror on {}
    { call(CharacterOut::new(version, version_len, MPI_MAX_LIBRARY_VERSION_STRING as usize).c(), resultlen) });
export!([MPI_Get_processor_name(mpi_get_processor_name_ mpi_get_processor_name_f08_) PMPI_Get_processor_name(pmpi_get_processor_name_ pmpi_get_processor_name_f08_)]
    (name: *mut u8, resultlen: *mut i32, ierror: *mut i32, name_len: usize) ierror on {}
    { call(CharacterOut::new(name, name_len, MPI_MAX_PROCESSOR_NAME as usize).c(), resultlen) });
export!([MPI_Get_version(mpi_get_version_ mpi_get_version_f08_) PMPI_Get_version(pmpi_get_version_ pmpi_get_version_f08_)]
    (version: *mut i32, subversion: *mut i32, ierror: *mut i32) ierror on {}
    { call(version, subversion) });
export!([MPI_Graph_create(mpi_graph_create_ mpi_graph_create_f08_) PMPI_Graph_create(pmpi_graph_create_ pmpi_graph_create_f08_)]
    (comm_old: *const i32, nnodes: *const i32, indx: *const i32, edges: *const i32, reorder: *const i32, comm_graph: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm_old))}
    { call(handle_in::<A, Comm>(read(comm_old)), read(nnodes), indx, edges, truth(reorder), HandleOut::<A, Comm>::new(comm_graph).c()) });
export!([MPI_Graph_get(mpi_graph_get_ mpi_graph_get_f08_) PMPI_Graph_get(pmpi_graph_get_ pmpi_graph_get_f08_)]
    (comm: *const i32, maxindex: *const i32, maxedges: *const i32, indx: *mut i32, edges: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(maxindex), read(maxedges), indx, edges) });
export!([MPI_Graph_map(mpi_graph_map_ mpi_graph_map_f08_) PMPI_Graph_map(pmpi_graph_map_ pmpi_graph_map_f08_)]
    (comm: *const i32, nnodes: *const i32, indx: *const i32, edges: *const i32, newrank: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(nnodes), indx, edges, newrank) });
export!([MPI_Graph_neighbors(mpi_graph_neighbors_ mpi_graph_neighbors_f08_) PMPI_Graph_neighbors(pmpi_graph_neighbors_ pmpi_graph_neighbors_f08_)]
    (comm: *const i32, rank: *const i32, maxneighbors: *const i32, neighbors: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(rank), read(maxneighbors), neighbors) });
export!([MPI_Graph_neighbors_count(mpi_graph_neighbors_count_ mpi_graph_neighbors_count_f08_) PMPI_Graph_neighbors_count(pmpi_graph_neighbors_count_ pmpi_graph_neighbors_count_f08_)]
    (comm: *const i32, rank: *const i32, nneighbors: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(rank), nneighbors) });
export!([MPI_Graphdims_get(mpi_graphdims_get_ mpi_graphdims_get_f08_) PMPI_Graphdims_get(pmpi_graphdims_get_ pmpi_graphdims_get_f08_)]
    (comm: *const i32, nnodes: *mut i32, nedges: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), nnodes, nedges) });
export!([MPI_Grequest_complete(mpi_grequest_complete_ mpi_grequest_complete_f08_) PMPI_Grequest_complete(pmpi_grequest_complete_ pmpi_grequest_complete_f08_)]
    (request: *const i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Request>(read(request))) });
export!([MPI_Group_compare(mpi_group_compare_ mpi_group_compare_f08_) PMPI_Group_compare(pmpi_group_compare_ pmpi_group_compare_f08_)]
    (group1: *const i32, group2: *const i32, result: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Group>(read(group1)), handle_in::<A, Group>(read(group2)), result) });
export!([MPI_Group_difference(mpi_group_difference_ mpi_group_difference_f08_) PMPI_Group_difference(pmpi_group_difference_ pmpi_group_difference_f08_)]
    (group1: *const i32, group2: *const i32, newgroup: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Group>(read(group1)), handle_in::<A, Group>(read(group2)), HandleOut::<A, Group>::new(newgroup).c()) });
export!([MPI_Group_excl(mpi_group_excl_ mpi_group_excl_f08_) PMPI_Group_excl(pmpi_group_excl_ pmpi_group_excl_f08_)]
    (group: *const i32, n: *const i32, ranks: *const i32, newgroup: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Group>(read(group)), read(n), ranks, HandleOut::<A, Group>::new(newgroup).c()) });
export!([MPI_Group_free(mpi_group_free_ mpi_group_free_f08_) PMPI_Group_free(pmpi_group_free_ pmpi_group_free_f08_)]
    (group: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, Group>::new(group).c()) });
export!([MPI_Group_from_session_pset(mpi_group_from_session_pset_ mpi_group_from_session_pset_f08_) PMPI_Group_from_session_pset(pmpi_group_from_session_pset_ pmpi_group_from_session_pset_f08_)]
    (session: *const i32, pset_name: *const u8, newgroup: *mut i32, ierror: *mut i32, pset_name_len: usize) ierror on {handle_in::<A, Session>(read(session))}
    { call(handle_in::<A, Session>(read(session)), Text::new(pset_name, pset_name_len, false).c(), HandleOut::<A, Group>::new(newgroup).c()) });
export!([MPI_Group_incl(mpi_group_incl_ mpi_group_incl_f08_) PMPI_Group_incl(pmpi_group_incl_ pmpi_group_incl_f08_)]
    (group: *const i32, n: *const i32, ranks: *const i32, newgroup: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Group>(read(group)), read(n), ranks, HandleOut::<A, Group>::new(newgroup).c()) });
export!([MPI_Group_intersection(mpi_group_intersection_ mpi_group_intersection_f08_) PMPI_Group_intersection(pmpi_group_intersection_ pmpi_group_intersection_f08_)]
    (group1: *const i32, group2: *const i32, newgroup: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Group>(read(group1)), handle_in::<A, Group>(read(group2)), HandleOut::<A, Group>::new(newgroup).c()) });
export!([MPI_Group_range_excl(mpi_group_range_excl_ mpi_group_range_excl_f08_) PMPI_Group_range_excl(pmpi_group_range_excl_ pmpi_group_range_excl_f08_)]
    (group: *const i32, n: *const i32, ranges: *mut [i32; 3], newgroup: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Group>(read(group)), read(n), ranges, HandleOut::<A, Group>::new(newgroup).c()) });
export!([MPI_Group_range_incl(mpi_group_range_incl_ mpi_group_range_incl_f08_) PMPI_Group_range_incl(pmpi_group_range_incl_ pmpi_group_range_incl_f08_)]
    (group: *const i32, n: *const i32, ranges: *mut [i32; 3], newgroup: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Group>(read(group)), read(n), ranges, HandleOut::<A, Group>::new(newgroup).c()) });
export!([MPI_Group_rank(mpi_group_rank_ mpi_group_rank_f08_) PMPI_Group_rank(pmpi_group_rank_ pmpi_group_rank_f08_)]
    (group: *const i32, rank: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Group>(read(group)), rank) });
export!([MPI_Group_size(mpi_group_size_ mpi_group_size_f08_) PMPI_Group_size(pmpi_group_size_ pmpi_group_size_f08_)]
    (group: *const i32, size: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Group>(read(group)), size) });
export!([MPI_Group_translate_ranks(mpi_group_translate_ranks_ mpi_group_translate_ranks_f08_) PMPI_Group_translate_ranks(pmpi_group_translate_ranks_ pmpi_group_translate_ranks_f08_)]
    (group1: *const i32, n: *const i32, ranks1: *const i32, group2: *const i32, ranks2: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Group>(read(group1)), read(n), ranks1, handle_in::<A, Group>(read(group2)), ranks2) });
export!([MPI_Group_union(mpi_group_union_ mpi_group_union_f08_) PMPI_Group_union(pmpi_group_union_ pmpi_group_union_f08_)]
    (group1: *const i32, group2: *const i32, newgroup: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Group>(read(group1)), handle_in::<A, Group>(read(group2)), HandleOut::<A, Group>::new(newgroup).c()) });
export!([MPI_Iallgather(mpi_iallgather_ mpi_iallgather_f08_) PMPI_Iallgather(pmpi_iallgather_ pmpi_iallgather_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Iallgather(mpi_iallgather_f08ts_) PMPI_Iallgather(pmpi_iallgather_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Iallgather", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Iallgather", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Iallgather_c(mpi_iallgather_c_f08_) PMPI_Iallgather_c(pmpi_iallgather_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Iallgather_c(mpi_iallgather_c_f08ts_) PMPI_Iallgather_c(pmpi_iallgather_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Iallgather_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Iallgather_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Iallgatherv(mpi_iallgatherv_ mpi_iallgatherv_f08_) PMPI_Iallgatherv(pmpi_iallgatherv_ pmpi_iallgatherv_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Iallgatherv(mpi_iallgatherv_f08ts_) PMPI_Iallgatherv(pmpi_iallgatherv_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Iallgatherv", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Iallgatherv", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Iallgatherv_c(mpi_iallgatherv_c_f08_) PMPI_Iallgatherv_c(pmpi_iallgatherv_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Iallgatherv_c(mpi_iallgatherv_c_f08ts_) PMPI_Iallgatherv_c(pmpi_iallgatherv_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Iallgatherv_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Iallgatherv_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Iallreduce(mpi_iallreduce_ mpi_iallreduce_f08_) PMPI_Iallreduce(pmpi_iallreduce_ pmpi_iallreduce_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Iallreduce(mpi_iallreduce_f08ts_) PMPI_Iallreduce(pmpi_iallreduce_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Iallreduce", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Iallreduce", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Iallreduce_c(mpi_iallreduce_c_f08_) PMPI_Iallreduce_c(pmpi_iallreduce_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Iallreduce_c(mpi_iallreduce_c_f08ts_) PMPI_Iallreduce_c(pmpi_iallreduce_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Iallreduce_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Iallreduce_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ialltoall(mpi_ialltoall_ mpi_ialltoall_f08_) PMPI_Ialltoall(pmpi_ialltoall_ pmpi_ialltoall_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ialltoall(mpi_ialltoall_f08ts_) PMPI_Ialltoall(pmpi_ialltoall_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ialltoall", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ialltoall", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ialltoall_c(mpi_ialltoall_c_f08_) PMPI_Ialltoall_c(pmpi_ialltoall_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ialltoall_c(mpi_ialltoall_c_f08ts_) PMPI_Ialltoall_c(pmpi_ialltoall_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ialltoall_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ialltoall_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ialltoallv(mpi_ialltoallv_ mpi_ialltoallv_f08_) PMPI_Ialltoallv(pmpi_ialltoallv_ pmpi_ialltoallv_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ialltoallv(mpi_ialltoallv_f08ts_) PMPI_Ialltoallv(pmpi_ialltoallv_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i32, sdispls: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, rdispls: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ialltoallv", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ialltoallv", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ialltoallv_c(mpi_ialltoallv_c_f08_) PMPI_Ialltoallv_c(pmpi_ialltoallv_c_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ialltoallv_c(mpi_ialltoallv_c_f08ts_) PMPI_Ialltoallv_c(pmpi_ialltoallv_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i64, sdispls: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, rdispls: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ialltoallv_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ialltoallv_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ialltoallw(mpi_ialltoallw_ mpi_ialltoallw_f08_) PMPI_Ialltoallw(pmpi_ialltoallw_ pmpi_ialltoallw_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i32, sdispls: *const i32, sendtypes: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtypes: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf, || size_of(handle_in::<A, Comm>(read(comm))))).c(), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, size_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ialltoallw(mpi_ialltoallw_f08ts_) PMPI_Ialltoallw(pmpi_ialltoallw_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i32, sdispls: *const i32, sendtypes: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, rdispls: *const i32, recvtypes: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ialltoallw", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ialltoallw", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf.address(), || size_of(handle_in::<A, Comm>(read(comm))))).c(), recvbuf.address(), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, size_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ialltoallw_c(mpi_ialltoallw_c_f08_) PMPI_Ialltoallw_c(pmpi_ialltoallw_c_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf, || size_of(handle_in::<A, Comm>(read(comm))))).c(), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, size_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ialltoallw_c(mpi_ialltoallw_c_f08ts_) PMPI_Ialltoallw_c(pmpi_ialltoallw_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ialltoallw_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ialltoallw_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf.address(), || size_of(handle_in::<A, Comm>(read(comm))))).c(), recvbuf.address(), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, size_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ibarrier(mpi_ibarrier_ mpi_ibarrier_f08_) PMPI_Ibarrier(pmpi_ibarrier_ pmpi_ibarrier_f08_)]
    (comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ibcast(mpi_ibcast_ mpi_ibcast_f08_) PMPI_Ibcast(pmpi_ibcast_ pmpi_ibcast_f08_)]
    (buffer: *mut c_void, count: *const i32, datatype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buffer), read(count), handle_in::<A, Datatype>(read(datatype)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ibcast(mpi_ibcast_f08ts_) PMPI_Ibcast(pmpi_ibcast_f08ts_)]
    (buffer: *const Descriptor, count: *const i32, datatype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut buffer = Buffer::elements(buffer, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buffer.refusal() { return refuse("MPI_Ibcast", handle_in::<A, Comm>(read(comm)), why); } let code = call(buffer.address(), buffer.count(read(count)), buffer.datatype(handle_in::<A, Datatype>(read(datatype))), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buffer.take_staged()]); } code });
export!([MPI_Ibcast_c(mpi_ibcast_c_f08_) PMPI_Ibcast_c(pmpi_ibcast_c_f08_)]
    (buffer: *mut c_void, count: *const i64, datatype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buffer), read(count), handle_in::<A, Datatype>(read(datatype)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ibcast_c(mpi_ibcast_c_f08ts_) PMPI_Ibcast_c(pmpi_ibcast_c_f08ts_)]
    (buffer: *const Descriptor, count: *const i64, datatype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut buffer = Buffer::elements(buffer, Use::Staged, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buffer.refusal() { return refuse("MPI_Ibcast_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(buffer.address(), buffer.count(read(count)), buffer.datatype(handle_in::<A, Datatype>(read(datatype))), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [buffer.take_staged()]); } code });
export!([MPI_Ibsend(mpi_ibsend_ mpi_ibsend_f08_) PMPI_Ibsend(pmpi_ibsend_ pmpi_ibsend_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ibsend(mpi_ibsend_f08ts_) PMPI_Ibsend(pmpi_ibsend_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Ibsend", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ibsend_c(mpi_ibsend_c_f08_) PMPI_Ibsend_c(pmpi_ibsend_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ibsend_c(mpi_ibsend_c_f08ts_) PMPI_Ibsend_c(pmpi_ibsend_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Ibsend_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Iexscan(mpi_iexscan_ mpi_iexscan_f08_) PMPI_Iexscan(pmpi_iexscan_ pmpi_iexscan_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Iexscan(mpi_iexscan_f08ts_) PMPI_Iexscan(pmpi_iexscan_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Iexscan", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Iexscan", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Iexscan_c(mpi_iexscan_c_f08_) PMPI_Iexscan_c(pmpi_iexscan_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Iexscan_c(mpi_iexscan_c_f08ts_) PMPI_Iexscan_c(pmpi_iexscan_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Iexscan_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Iexscan_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Igather(mpi_igather_ mpi_igather_f08_) PMPI_Igather(pmpi_igather_ pmpi_igather_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Igather(mpi_igather_f08ts_) PMPI_Igather(pmpi_igather_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Igather", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Igather", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Igather_c(mpi_igather_c_f08_) PMPI_Igather_c(pmpi_igather_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Igather_c(mpi_igather_c_f08ts_) PMPI_Igather_c(pmpi_igather_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Igather_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Igather_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Igatherv(mpi_igatherv_ mpi_igatherv_f08_) PMPI_Igatherv(pmpi_igatherv_ pmpi_igatherv_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Igatherv(mpi_igatherv_f08ts_) PMPI_Igatherv(pmpi_igatherv_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Igatherv", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Igatherv", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Igatherv_c(mpi_igatherv_c_f08_) PMPI_Igatherv_c(pmpi_igatherv_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Igatherv_c(mpi_igatherv_c_f08ts_) PMPI_Igatherv_c(pmpi_igatherv_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Igatherv_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Igatherv_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Improbe(mpi_improbe_ mpi_improbe_f08_) PMPI_Improbe(pmpi_improbe_ pmpi_improbe_f08_)]
    (source: *const i32, tag: *const i32, comm: *const i32, flag: *mut i32, message: *mut i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(read(source), read(tag), handle_in::<A, Comm>(read(comm)), TruthOut::new(flag).c(), HandleOut::<A, Message>::new(message).c(), status_out(status)) });
export!([MPI_Imrecv(mpi_imrecv_ mpi_imrecv_f08_) PMPI_Imrecv(pmpi_imrecv_ pmpi_imrecv_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, message: *mut i32, request: *mut i32, ierror: *mut i32) ierror on {}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleInOut::<A, Message>::new(message).c(), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Imrecv(mpi_imrecv_f08ts_) PMPI_Imrecv(pmpi_imrecv_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, message: *mut i32, request: *mut i32, ierror: *mut i32) ierror on {}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Imrecv", (), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleInOut::<A, Message>::new(message).c(), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Imrecv_c(mpi_imrecv_c_f08_) PMPI_Imrecv_c(pmpi_imrecv_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, message: *mut i32, request: *mut i32, ierror: *mut i32) ierror on {}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleInOut::<A, Message>::new(message).c(), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Imrecv_c(mpi_imrecv_c_f08ts_) PMPI_Imrecv_c(pmpi_imrecv_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, message: *mut i32, request: *mut i32, ierror: *mut i32) ierror on {}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Imrecv_c", (), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleInOut::<A, Message>::new(message).c(), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ineighbor_allgather(mpi_ineighbor_allgather_ mpi_ineighbor_allgather_f08_) PMPI_Ineighbor_allgather(pmpi_ineighbor_allgather_ pmpi_ineighbor_allgather_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ineighbor_allgather(mpi_ineighbor_allgather_f08ts_) PMPI_Ineighbor_allgather(pmpi_ineighbor_allgather_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ineighbor_allgather", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ineighbor_allgather", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ineighbor_allgather_c(mpi_ineighbor_allgather_c_f08_) PMPI_Ineighbor_allgather_c(pmpi_ineighbor_allgather_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ineighbor_allgather_c(mpi_ineighbor_allgather_c_f08ts_) PMPI_Ineighbor_allgather_c(pmpi_ineighbor_allgather_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ineighbor_allgather_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ineighbor_allgather_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ineighbor_allgatherv(mpi_ineighbor_allgatherv_ mpi_ineighbor_allgatherv_f08_) PMPI_Ineighbor_allgatherv(pmpi_ineighbor_allgatherv_ pmpi_ineighbor_allgatherv_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ineighbor_allgatherv(mpi_ineighbor_allgatherv_f08ts_) PMPI_Ineighbor_allgatherv(pmpi_ineighbor_allgatherv_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ineighbor_allgatherv", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ineighbor_allgatherv", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ineighbor_allgatherv_c(mpi_ineighbor_allgatherv_c_f08_) PMPI_Ineighbor_allgatherv_c(pmpi_ineighbor_allgatherv_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ineighbor_allgatherv_c(mpi_ineighbor_allgatherv_c_f08ts_) PMPI_Ineighbor_allgatherv_c(pmpi_ineighbor_allgatherv_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ineighbor_allgatherv_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ineighbor_allgatherv_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ineighbor_alltoall(mpi_ineighbor_alltoall_ mpi_ineighbor_alltoall_f08_) PMPI_Ineighbor_alltoall(pmpi_ineighbor_alltoall_ pmpi_ineighbor_alltoall_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ineighbor_alltoall(mpi_ineighbor_alltoall_f08ts_) PMPI_Ineighbor_alltoall(pmpi_ineighbor_alltoall_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ineighbor_alltoall", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ineighbor_alltoall", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ineighbor_alltoall_c(mpi_ineighbor_alltoall_c_f08_) PMPI_Ineighbor_alltoall_c(pmpi_ineighbor_alltoall_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ineighbor_alltoall_c(mpi_ineighbor_alltoall_c_f08ts_) PMPI_Ineighbor_alltoall_c(pmpi_ineighbor_alltoall_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ineighbor_alltoall_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ineighbor_alltoall_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ineighbor_alltoallv(mpi_ineighbor_alltoallv_ mpi_ineighbor_alltoallv_f08_) PMPI_Ineighbor_alltoallv(pmpi_ineighbor_alltoallv_ pmpi_ineighbor_alltoallv_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ineighbor_alltoallv(mpi_ineighbor_alltoallv_f08ts_) PMPI_Ineighbor_alltoallv(pmpi_ineighbor_alltoallv_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i32, sdispls: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, rdispls: *const i32, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ineighbor_alltoallv", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ineighbor_alltoallv", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ineighbor_alltoallv_c(mpi_ineighbor_alltoallv_c_f08_) PMPI_Ineighbor_alltoallv_c(pmpi_ineighbor_alltoallv_c_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ineighbor_alltoallv_c(mpi_ineighbor_alltoallv_c_f08ts_) PMPI_Ineighbor_alltoallv_c(pmpi_ineighbor_alltoallv_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i64, sdispls: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, rdispls: *const i64, recvtype: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ineighbor_alltoallv_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ineighbor_alltoallv_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ineighbor_alltoallw(mpi_ineighbor_alltoallw_ mpi_ineighbor_alltoallw_f08_) PMPI_Ineighbor_alltoallw(pmpi_ineighbor_alltoallw_ pmpi_ineighbor_alltoallw_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i32, sdispls: *const i64, sendtypes: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf, || outdegree_of(handle_in::<A, Comm>(read(comm))))).c(), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, indegree_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ineighbor_alltoallw(mpi_ineighbor_alltoallw_f08ts_) PMPI_Ineighbor_alltoallw(pmpi_ineighbor_alltoallw_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i32, sdispls: *const i64, sendtypes: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ineighbor_alltoallw", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ineighbor_alltoallw", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf.address(), || outdegree_of(handle_in::<A, Comm>(read(comm))))).c(), recvbuf.address(), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, indegree_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ineighbor_alltoallw_c(mpi_ineighbor_alltoallw_c_f08_) PMPI_Ineighbor_alltoallw_c(pmpi_ineighbor_alltoallw_c_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf, || outdegree_of(handle_in::<A, Comm>(read(comm))))).c(), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, indegree_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ineighbor_alltoallw_c(mpi_ineighbor_alltoallw_c_f08ts_) PMPI_Ineighbor_alltoallw_c(pmpi_ineighbor_alltoallw_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ineighbor_alltoallw_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ineighbor_alltoallw_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf.address(), || outdegree_of(handle_in::<A, Comm>(read(comm))))).c(), recvbuf.address(), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, indegree_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Info_create(mpi_info_create_ mpi_info_create_f08_) PMPI_Info_create(pmpi_info_create_ pmpi_info_create_f08_)]
    (info: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleOut::<A, Info>::new(info).c()) });
export!([MPI_Info_create_env(mpi_info_create_env_ mpi_info_create_env_f08_) PMPI_Info_create_env(pmpi_info_create_env_ pmpi_info_create_env_f08_)]
    (info: *mut i32, ierror: *mut i32) ierror on {}
    { call(0, null_mut(), HandleOut::<A, Info>::new(info).c()) });
export!([MPI_Info_delete(mpi_info_delete_ mpi_info_delete_f08_) PMPI_Info_delete(pmpi_info_delete_ pmpi_info_delete_f08_)]
    (info: *const i32, key: *const u8, ierror: *mut i32, key_len: usize) ierror on {}
    { call(handle_in::<A, Info>(read(info)), Text::new(key, key_len, true).c()) });
export!([MPI_Info_dup(mpi_info_dup_ mpi_info_dup_f08_) PMPI_Info_dup(pmpi_info_dup_ pmpi_info_dup_f08_)]
    (info: *const i32, newinfo: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Info>(read(info)), HandleOut::<A, Info>::new(newinfo).c()) });
export!([MPI_Info_free(mpi_info_free_ mpi_info_free_f08_) PMPI_Info_free(pmpi_info_free_ pmpi_info_free_f08_)]
    (info: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, Info>::new(info).c()) });
export!([MPI_Info_get(mpi_info_get_ mpi_info_get_f08_) PMPI_Info_get(pmpi_info_get_ pmpi_info_get_f08_)]
    (info: *const i32, key: *const u8, valuelen: *const i32, value: *mut u8, flag: *mut i32, ierror: *mut i32, key_len: usize, value_len: usize) ierror on {}
    { call(handle_in::<A, Info>(read(info)), Text::new(key, key_len, true).c(), read(valuelen), CharacterOut::new(value, value_len, len(read(valuelen)) + 1).c(), TruthOut::new(flag).c()) });
export!([MPI_Info_get_nkeys(mpi_info_get_nkeys_ mpi_info_get_nkeys_f08_) PMPI_Info_get_nkeys(pmpi_info_get_nkeys_ pmpi_info_get_nkeys_f08_)]
    (info: *const i32, nkeys: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Info>(read(info)), nkeys) });
export!([MPI_Info_get_nthkey(mpi_info_get_nthkey_ mpi_info_get_nthkey_f08_) PMPI_Info_get_nthkey(pmpi_info_get_nthkey_ pmpi_info_get_nthkey_f08_)]
    (info: *const i32, n: *const i32, key: *mut u8, ierror: *mut i32, key_len: usize) ierror on {}
    { call(handle_in::<A, Info>(read(info)), read(n), CharacterOut::new(key, key_len, MPI_MAX_INFO_KEY as usize).c()) });
export!([MPI_Info_get_valuelen(mpi_info_get_valuelen_ mpi_info_get_valuelen_f08_) PMPI_Info_get_valuelen(pmpi_info_get_valuelen_ pmpi_info_get_valuelen_f08_)]
    (info: *const i32, key: *const u8, valuelen: *mut i32, flag: *mut i32, ierror: *mut i32, key_len: usize) ierror on {}
    { call(handle_in::<A, Info>(read(info)), Text::new(key, key_len, true).c(), valuelen, TruthOut::new(flag).c()) });
export!([MPI_Info_set(mpi_info_set_ mpi_info_set_f08_) PMPI_Info_set(pmpi_info_set_ pmpi_info_set_f08_)]
    (info: *const i32, key: *const u8, value: *const u8, ierror: *mut i32, key_len: usize, value_len: usize) ierror on {}
    { call(handle_in::<A, Info>(read(info)), Text::new(key, key_len, true).c(), Text::new(value, value_len, true).c()) });
export!([MPI_Init(mpi_init_ mpi_init_f08_) PMPI_Init(pmpi_init_ pmpi_init_f08_)]
    (ierror: *mut i32) ierror on {}
    { call(null_mut(), null_mut()) });
export!([MPI_Init_thread(mpi_init_thread_ mpi_init_thread_f08_) PMPI_Init_thread(pmpi_init_thread_ pmpi_init_thread_f08_)]
    (required: *const i32, provided: *mut i32, ierror: *mut i32) ierror on {}
    { call(null_mut(), null_mut(), read(required), provided) });
export!([MPI_Initialized(mpi_initialized_ mpi_initialized_f08_) PMPI_Initialized(pmpi_initialized_ pmpi_initialized_f08_)]
    (flag: *mut i32, ierror: *mut i32) ierror on {}
    { call(TruthOut::new(flag).c()) });
export!([MPI_Intercomm_create(mpi_intercomm_create_ mpi_intercomm_create_f08_) PMPI_Intercomm_create(pmpi_intercomm_create_ pmpi_intercomm_create_f08_)]
    (local_comm: *const i32, local_leader: *const i32, peer_comm: *const i32, remote_leader: *const i32, tag: *const i32, newintercomm: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(local_comm))}
    { call(handle_in::<A, Comm>(read(local_comm)), read(local_leader), handle_in::<A, Comm>(read(peer_comm)), read(remote_leader), read(tag), HandleOut::<A, Comm>::new(newintercomm).c()) });
export!([MPI_Intercomm_create_from_groups(mpi_intercomm_create_from_groups_ mpi_intercomm_create_from_groups_f08_) PMPI_Intercomm_create_from_groups(pmpi_intercomm_create_from_groups_ pmpi_intercomm_create_from_groups_f08_)]
    (local_group: *const i32, local_leader: *const i32, remote_group: *const i32, remote_leader: *const i32, stringtag: *const u8, info: *const i32, errhandler: *const i32, newintercomm: *mut i32, ierror: *mut i32, stringtag_len: usize) ierror on {}
    { call(handle_in::<A, Group>(read(local_group)), read(local_leader), handle_in::<A, Group>(read(remote_group)), read(remote_leader), Text::new(stringtag, stringtag_len, false).c(), handle_in::<A, Info>(read(info)), handle_in::<A, Errhandler>(read(errhandler)), HandleOut::<A, Comm>::new(newintercomm).c()) });
export!([MPI_Intercomm_merge(mpi_intercomm_merge_ mpi_intercomm_merge_f08_) PMPI_Intercomm_merge(pmpi_intercomm_merge_ pmpi_intercomm_merge_f08_)]
    (intercomm: *const i32, high: *const i32, newintracomm: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(intercomm))}
    { call(handle_in::<A, Comm>(read(intercomm)), truth(high), HandleOut::<A, Comm>::new(newintracomm).c()) });
export!([MPI_Iprobe(mpi_iprobe_ mpi_iprobe_f08_) PMPI_Iprobe(pmpi_iprobe_ pmpi_iprobe_f08_)]
    (source: *const i32, tag: *const i32, comm: *const i32, flag: *mut i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(read(source), read(tag), handle_in::<A, Comm>(read(comm)), TruthOut::new(flag).c(), status_out(status)) });
export!([MPI_Irecv(mpi_irecv_ mpi_irecv_f08_) PMPI_Irecv(pmpi_irecv_ pmpi_irecv_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, source: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(source), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Irecv(mpi_irecv_f08ts_) PMPI_Irecv(pmpi_irecv_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, source: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Irecv", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(source), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Irecv_c(mpi_irecv_c_f08_) PMPI_Irecv_c(pmpi_irecv_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, source: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(source), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Irecv_c(mpi_irecv_c_f08ts_) PMPI_Irecv_c(pmpi_irecv_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, source: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Irecv_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(source), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ireduce(mpi_ireduce_ mpi_ireduce_f08_) PMPI_Ireduce(pmpi_ireduce_ pmpi_ireduce_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i32, datatype: *const i32, op: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ireduce(mpi_ireduce_f08ts_) PMPI_Ireduce(pmpi_ireduce_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i32, datatype: *const i32, op: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ireduce", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ireduce", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ireduce_c(mpi_ireduce_c_f08_) PMPI_Ireduce_c(pmpi_ireduce_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i64, datatype: *const i32, op: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ireduce_c(mpi_ireduce_c_f08ts_) PMPI_Ireduce_c(pmpi_ireduce_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i64, datatype: *const i32, op: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ireduce_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ireduce_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ireduce_scatter(mpi_ireduce_scatter_ mpi_ireduce_scatter_f08_) PMPI_Ireduce_scatter(pmpi_ireduce_scatter_ pmpi_ireduce_scatter_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, recvcounts: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), recvcounts, handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ireduce_scatter(mpi_ireduce_scatter_f08ts_) PMPI_Ireduce_scatter(pmpi_ireduce_scatter_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, recvcounts: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ireduce_scatter", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ireduce_scatter", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), recvcounts, handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ireduce_scatter_block(mpi_ireduce_scatter_block_ mpi_ireduce_scatter_block_f08_) PMPI_Ireduce_scatter_block(pmpi_ireduce_scatter_block_ pmpi_ireduce_scatter_block_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, recvcount: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ireduce_scatter_block(mpi_ireduce_scatter_block_f08ts_) PMPI_Ireduce_scatter_block(pmpi_ireduce_scatter_block_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, recvcount: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ireduce_scatter_block", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ireduce_scatter_block", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ireduce_scatter_block_c(mpi_ireduce_scatter_block_c_f08_) PMPI_Ireduce_scatter_block_c(pmpi_ireduce_scatter_block_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, recvcount: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ireduce_scatter_block_c(mpi_ireduce_scatter_block_c_f08ts_) PMPI_Ireduce_scatter_block_c(pmpi_ireduce_scatter_block_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, recvcount: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ireduce_scatter_block_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ireduce_scatter_block_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Ireduce_scatter_c(mpi_ireduce_scatter_c_f08_) PMPI_Ireduce_scatter_c(pmpi_ireduce_scatter_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, recvcounts: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), recvcounts, handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ireduce_scatter_c(mpi_ireduce_scatter_c_f08ts_) PMPI_Ireduce_scatter_c(pmpi_ireduce_scatter_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, recvcounts: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Ireduce_scatter_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Ireduce_scatter_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), recvcounts, handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Irsend(mpi_irsend_ mpi_irsend_f08_) PMPI_Irsend(pmpi_irsend_ pmpi_irsend_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Irsend(mpi_irsend_f08ts_) PMPI_Irsend(pmpi_irsend_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Irsend", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Irsend_c(mpi_irsend_c_f08_) PMPI_Irsend_c(pmpi_irsend_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Irsend_c(mpi_irsend_c_f08ts_) PMPI_Irsend_c(pmpi_irsend_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Irsend_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Is_thread_main(mpi_is_thread_main_ mpi_is_thread_main_f08_) PMPI_Is_thread_main(pmpi_is_thread_main_ pmpi_is_thread_main_f08_)]
    (flag: *mut i32, ierror: *mut i32) ierror on {}
    { call(TruthOut::new(flag).c()) });
export!([MPI_Iscan(mpi_iscan_ mpi_iscan_f08_) PMPI_Iscan(pmpi_iscan_ pmpi_iscan_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Iscan(mpi_iscan_f08ts_) PMPI_Iscan(pmpi_iscan_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Iscan", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Iscan", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Iscan_c(mpi_iscan_c_f08_) PMPI_Iscan_c(pmpi_iscan_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Iscan_c(mpi_iscan_c_f08ts_) PMPI_Iscan_c(pmpi_iscan_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Iscan_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Iscan_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Iscatter(mpi_iscatter_ mpi_iscatter_f08_) PMPI_Iscatter(pmpi_iscatter_ pmpi_iscatter_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Iscatter(mpi_iscatter_f08ts_) PMPI_Iscatter(pmpi_iscatter_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Iscatter", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::elements(recvbuf, Use::Staged, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Iscatter", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Iscatter_c(mpi_iscatter_c_f08_) PMPI_Iscatter_c(pmpi_iscatter_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Iscatter_c(mpi_iscatter_c_f08ts_) PMPI_Iscatter_c(pmpi_iscatter_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Iscatter_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::elements(recvbuf, Use::Staged, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Iscatter_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Iscatterv(mpi_iscatterv_ mpi_iscatterv_f08_) PMPI_Iscatterv(pmpi_iscatterv_ pmpi_iscatterv_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i32, displs: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, displs, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Iscatterv(mpi_iscatterv_f08ts_) PMPI_Iscatterv(pmpi_iscatterv_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i32, displs: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Iscatterv", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::elements(recvbuf, Use::Staged, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Iscatterv", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, displs, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Iscatterv_c(mpi_iscatterv_c_f08_) PMPI_Iscatterv_c(pmpi_iscatterv_c_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i64, displs: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, displs, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Iscatterv_c(mpi_iscatterv_c_f08ts_) PMPI_Iscatterv_c(pmpi_iscatterv_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i64, displs: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Iscatterv_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::elements(recvbuf, Use::Staged, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Iscatterv_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, displs, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(root), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Isend(mpi_isend_ mpi_isend_f08_) PMPI_Isend(pmpi_isend_ pmpi_isend_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Isend(mpi_isend_f08ts_) PMPI_Isend(pmpi_isend_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Isend", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Isend_c(mpi_isend_c_f08_) PMPI_Isend_c(pmpi_isend_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Isend_c(mpi_isend_c_f08ts_) PMPI_Isend_c(pmpi_isend_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Isend_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Isendrecv(mpi_isendrecv_ mpi_isendrecv_f08_) PMPI_Isendrecv(pmpi_isendrecv_ pmpi_isendrecv_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, dest: *const i32, sendtag: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), read(dest), read(sendtag), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Isendrecv(mpi_isendrecv_f08ts_) PMPI_Isendrecv(pmpi_isendrecv_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, dest: *const i32, sendtag: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Later, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Isendrecv", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::elements(recvbuf, Use::Later, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Isendrecv", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), read(dest), read(sendtag), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Isendrecv_c(mpi_isendrecv_c_f08_) PMPI_Isendrecv_c(pmpi_isendrecv_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, dest: *const i32, sendtag: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), read(dest), read(sendtag), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Isendrecv_c(mpi_isendrecv_c_f08ts_) PMPI_Isendrecv_c(pmpi_isendrecv_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, dest: *const i32, sendtag: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Later, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Isendrecv_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::elements(recvbuf, Use::Later, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Isendrecv_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), read(dest), read(sendtag), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Isendrecv_replace(mpi_isendrecv_replace_ mpi_isendrecv_replace_f08_) PMPI_Isendrecv_replace(pmpi_isendrecv_replace_ pmpi_isendrecv_replace_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, dest: *const i32, sendtag: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(sendtag), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Isendrecv_replace(mpi_isendrecv_replace_f08ts_) PMPI_Isendrecv_replace(pmpi_isendrecv_replace_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, dest: *const i32, sendtag: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Isendrecv_replace", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(sendtag), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Isendrecv_replace_c(mpi_isendrecv_replace_c_f08_) PMPI_Isendrecv_replace_c(pmpi_isendrecv_replace_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, dest: *const i32, sendtag: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(sendtag), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Isendrecv_replace_c(mpi_isendrecv_replace_c_f08ts_) PMPI_Isendrecv_replace_c(pmpi_isendrecv_replace_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, dest: *const i32, sendtag: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Isendrecv_replace_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(sendtag), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Issend(mpi_issend_ mpi_issend_f08_) PMPI_Issend(pmpi_issend_ pmpi_issend_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Issend(mpi_issend_f08ts_) PMPI_Issend(pmpi_issend_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Issend", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Issend_c(mpi_issend_c_f08_) PMPI_Issend_c(pmpi_issend_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Issend_c(mpi_issend_c_f08ts_) PMPI_Issend_c(pmpi_issend_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Issend_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Keyval_free(mpi_keyval_free_) PMPI_Keyval_free(pmpi_keyval_free_)]
    (keyval: *mut i32, ierror: *mut i32) ierror on {}
    { call(keyval) });
export!([MPI_Lookup_name(mpi_lookup_name_ mpi_lookup_name_f08_) PMPI_Lookup_name(pmpi_lookup_name_ pmpi_lookup_name_f08_)]
    (service_name: *const u8, info: *const i32, port_name: *mut u8, ierror: *mut i32, service_name_len: usize, port_name_len: usize) ierror on {}
    { call(Text::new(service_name, service_name_len, false).c(), handle_in::<A, Info>(read(info)), CharacterOut::new(port_name, port_name_len, MPI_MAX_PORT_NAME as usize).c()) });
export!([MPI_Mprobe(mpi_mprobe_ mpi_mprobe_f08_) PMPI_Mprobe(pmpi_mprobe_ pmpi_mprobe_f08_)]
    (source: *const i32, tag: *const i32, comm: *const i32, message: *mut i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(read(source), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Message>::new(message).c(), status_out(status)) });
export!([MPI_Mrecv(mpi_mrecv_ mpi_mrecv_f08_) PMPI_Mrecv(pmpi_mrecv_ pmpi_mrecv_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, message: *mut i32, status: *mut Status, ierror: *mut i32) ierror on {}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleInOut::<A, Message>::new(message).c(), status_out(status)) });
export!([MPI_Mrecv(mpi_mrecv_f08ts_) PMPI_Mrecv(pmpi_mrecv_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, message: *mut i32, status: *mut Status, ierror: *mut i32) ierror on {}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Mrecv", (), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleInOut::<A, Message>::new(message).c(), status_out(status)) });
export!([MPI_Mrecv_c(mpi_mrecv_c_f08_) PMPI_Mrecv_c(pmpi_mrecv_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, message: *mut i32, status: *mut Status, ierror: *mut i32) ierror on {}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), HandleInOut::<A, Message>::new(message).c(), status_out(status)) });
export!([MPI_Mrecv_c(mpi_mrecv_c_f08ts_) PMPI_Mrecv_c(pmpi_mrecv_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, message: *mut i32, status: *mut Status, ierror: *mut i32) ierror on {}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Mrecv_c", (), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), HandleInOut::<A, Message>::new(message).c(), status_out(status)) });
export!([MPI_Neighbor_allgather(mpi_neighbor_allgather_ mpi_neighbor_allgather_f08_) PMPI_Neighbor_allgather(pmpi_neighbor_allgather_ pmpi_neighbor_allgather_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_allgather(mpi_neighbor_allgather_f08ts_) PMPI_Neighbor_allgather(pmpi_neighbor_allgather_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Now, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_allgather", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_allgather", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_allgather_c(mpi_neighbor_allgather_c_f08_) PMPI_Neighbor_allgather_c(pmpi_neighbor_allgather_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_allgather_c(mpi_neighbor_allgather_c_f08ts_) PMPI_Neighbor_allgather_c(pmpi_neighbor_allgather_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Now, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_allgather_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_allgather_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_allgather_init(mpi_neighbor_allgather_init_ mpi_neighbor_allgather_init_f08_) PMPI_Neighbor_allgather_init(pmpi_neighbor_allgather_init_ pmpi_neighbor_allgather_init_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Neighbor_allgather_init(mpi_neighbor_allgather_init_f08ts_) PMPI_Neighbor_allgather_init(pmpi_neighbor_allgather_init_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_allgather_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_allgather_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Neighbor_allgather_init_c(mpi_neighbor_allgather_init_c_f08_) PMPI_Neighbor_allgather_init_c(pmpi_neighbor_allgather_init_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Neighbor_allgather_init_c(mpi_neighbor_allgather_init_c_f08ts_) PMPI_Neighbor_allgather_init_c(pmpi_neighbor_allgather_init_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_allgather_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_allgather_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Neighbor_allgatherv(mpi_neighbor_allgatherv_ mpi_neighbor_allgatherv_f08_) PMPI_Neighbor_allgatherv(pmpi_neighbor_allgatherv_ pmpi_neighbor_allgatherv_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_allgatherv(mpi_neighbor_allgatherv_f08ts_) PMPI_Neighbor_allgatherv(pmpi_neighbor_allgatherv_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Now, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_allgatherv", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_allgatherv", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_allgatherv_c(mpi_neighbor_allgatherv_c_f08_) PMPI_Neighbor_allgatherv_c(pmpi_neighbor_allgatherv_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_allgatherv_c(mpi_neighbor_allgatherv_c_f08ts_) PMPI_Neighbor_allgatherv_c(pmpi_neighbor_allgatherv_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Now, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_allgatherv_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_allgatherv_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_allgatherv_init(mpi_neighbor_allgatherv_init_ mpi_neighbor_allgatherv_init_f08_) PMPI_Neighbor_allgatherv_init(pmpi_neighbor_allgatherv_init_ pmpi_neighbor_allgatherv_init_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Neighbor_allgatherv_init(mpi_neighbor_allgatherv_init_f08ts_) PMPI_Neighbor_allgatherv_init(pmpi_neighbor_allgatherv_init_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, displs: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_allgatherv_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_allgatherv_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Neighbor_allgatherv_init_c(mpi_neighbor_allgatherv_init_c_f08_) PMPI_Neighbor_allgatherv_init_c(pmpi_neighbor_allgatherv_init_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Neighbor_allgatherv_init_c(mpi_neighbor_allgatherv_init_c_f08ts_) PMPI_Neighbor_allgatherv_init_c(pmpi_neighbor_allgatherv_init_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, displs: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::elements(sendbuf, Use::Staged, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_allgatherv_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_allgatherv_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), recvbuf.address(), recvcounts, displs, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Neighbor_alltoall(mpi_neighbor_alltoall_ mpi_neighbor_alltoall_f08_) PMPI_Neighbor_alltoall(pmpi_neighbor_alltoall_ pmpi_neighbor_alltoall_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_alltoall(mpi_neighbor_alltoall_f08ts_) PMPI_Neighbor_alltoall(pmpi_neighbor_alltoall_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_alltoall", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_alltoall", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_alltoall_c(mpi_neighbor_alltoall_c_f08_) PMPI_Neighbor_alltoall_c(pmpi_neighbor_alltoall_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_alltoall_c(mpi_neighbor_alltoall_c_f08ts_) PMPI_Neighbor_alltoall_c(pmpi_neighbor_alltoall_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_alltoall_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_alltoall_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_alltoall_init(mpi_neighbor_alltoall_init_ mpi_neighbor_alltoall_init_f08_) PMPI_Neighbor_alltoall_init(pmpi_neighbor_alltoall_init_ pmpi_neighbor_alltoall_init_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Neighbor_alltoall_init(mpi_neighbor_alltoall_init_f08ts_) PMPI_Neighbor_alltoall_init(pmpi_neighbor_alltoall_init_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_alltoall_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_alltoall_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Neighbor_alltoall_init_c(mpi_neighbor_alltoall_init_c_f08_) PMPI_Neighbor_alltoall_init_c(pmpi_neighbor_alltoall_init_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Neighbor_alltoall_init_c(mpi_neighbor_alltoall_init_c_f08ts_) PMPI_Neighbor_alltoall_init_c(pmpi_neighbor_alltoall_init_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_alltoall_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_alltoall_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Neighbor_alltoallv(mpi_neighbor_alltoallv_ mpi_neighbor_alltoallv_f08_) PMPI_Neighbor_alltoallv(pmpi_neighbor_alltoallv_ pmpi_neighbor_alltoallv_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_alltoallv(mpi_neighbor_alltoallv_f08ts_) PMPI_Neighbor_alltoallv(pmpi_neighbor_alltoallv_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i32, sdispls: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, rdispls: *const i32, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_alltoallv", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_alltoallv", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_alltoallv_c(mpi_neighbor_alltoallv_c_f08_) PMPI_Neighbor_alltoallv_c(pmpi_neighbor_alltoallv_c_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_alltoallv_c(mpi_neighbor_alltoallv_c_f08ts_) PMPI_Neighbor_alltoallv_c(pmpi_neighbor_alltoallv_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i64, sdispls: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, rdispls: *const i64, recvtype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_alltoallv_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_alltoallv_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_alltoallv_init(mpi_neighbor_alltoallv_init_ mpi_neighbor_alltoallv_init_f08_) PMPI_Neighbor_alltoallv_init(pmpi_neighbor_alltoallv_init_ pmpi_neighbor_alltoallv_init_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i32, sdispls: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Neighbor_alltoallv_init(mpi_neighbor_alltoallv_init_f08ts_) PMPI_Neighbor_alltoallv_init(pmpi_neighbor_alltoallv_init_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i32, sdispls: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, rdispls: *const i32, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_alltoallv_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_alltoallv_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Neighbor_alltoallv_init_c(mpi_neighbor_alltoallv_init_c_f08_) PMPI_Neighbor_alltoallv_init_c(pmpi_neighbor_alltoallv_init_c_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i64, sdispls: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Neighbor_alltoallv_init_c(mpi_neighbor_alltoallv_init_c_f08ts_) PMPI_Neighbor_alltoallv_init_c(pmpi_neighbor_alltoallv_init_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i64, sdispls: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, rdispls: *const i64, recvtype: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_alltoallv_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_alltoallv_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvcounts, rdispls, handle_in::<A, Datatype>(read(recvtype)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Neighbor_alltoallw(mpi_neighbor_alltoallw_ mpi_neighbor_alltoallw_f08_) PMPI_Neighbor_alltoallw(pmpi_neighbor_alltoallw_ pmpi_neighbor_alltoallw_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i32, sdispls: *const i64, sendtypes: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf, || outdegree_of(handle_in::<A, Comm>(read(comm))))).c(), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, indegree_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_alltoallw(mpi_neighbor_alltoallw_f08ts_) PMPI_Neighbor_alltoallw(pmpi_neighbor_alltoallw_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i32, sdispls: *const i64, sendtypes: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_alltoallw", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_alltoallw", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf.address(), || outdegree_of(handle_in::<A, Comm>(read(comm))))).c(), recvbuf.address(), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, indegree_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_alltoallw_c(mpi_neighbor_alltoallw_c_f08_) PMPI_Neighbor_alltoallw_c(pmpi_neighbor_alltoallw_c_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf, || outdegree_of(handle_in::<A, Comm>(read(comm))))).c(), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, indegree_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_alltoallw_c(mpi_neighbor_alltoallw_c_f08ts_) PMPI_Neighbor_alltoallw_c(pmpi_neighbor_alltoallw_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_alltoallw_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_alltoallw_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf.address(), || outdegree_of(handle_in::<A, Comm>(read(comm))))).c(), recvbuf.address(), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, indegree_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Neighbor_alltoallw_init(mpi_neighbor_alltoallw_init_ mpi_neighbor_alltoallw_init_f08_) PMPI_Neighbor_alltoallw_init(pmpi_neighbor_alltoallw_init_ pmpi_neighbor_alltoallw_init_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i32, sdispls: *const i64, sendtypes: *const i32, recvbuf: *mut c_void, recvcounts: *const i32, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf, || outdegree_of(handle_in::<A, Comm>(read(comm))))).c(), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, indegree_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Neighbor_alltoallw_init(mpi_neighbor_alltoallw_init_f08ts_) PMPI_Neighbor_alltoallw_init(pmpi_neighbor_alltoallw_init_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i32, sdispls: *const i64, sendtypes: *const i32, recvbuf: *const Descriptor, recvcounts: *const i32, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_alltoallw_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_alltoallw_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf.address(), || outdegree_of(handle_in::<A, Comm>(read(comm))))).c(), recvbuf.address(), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, indegree_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Neighbor_alltoallw_init_c(mpi_neighbor_alltoallw_init_c_f08_) PMPI_Neighbor_alltoallw_init_c(pmpi_neighbor_alltoallw_init_c_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const i32, recvbuf: *mut c_void, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf, || outdegree_of(handle_in::<A, Comm>(read(comm))))).c(), buffer_in::<A, _>(recvbuf), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, indegree_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Neighbor_alltoallw_init_c(mpi_neighbor_alltoallw_init_c_f08ts_) PMPI_Neighbor_alltoallw_init_c(pmpi_neighbor_alltoallw_init_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i64, sdispls: *const i64, sendtypes: *const i32, recvbuf: *const Descriptor, recvcounts: *const i64, rdispls: *const i64, recvtypes: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Neighbor_alltoallw_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Neighbor_alltoallw_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, sdispls, Handles::<A, Datatype>::new(sendtypes, unless_in_place::<A, _>(sendbuf.address(), || outdegree_of(handle_in::<A, Comm>(read(comm))))).c(), recvbuf.address(), recvcounts, rdispls, Handles::<A, Datatype>::new(recvtypes, indegree_of(handle_in::<A, Comm>(read(comm)))).c(), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Op_commutative(mpi_op_commutative_ mpi_op_commutative_f08_) PMPI_Op_commutative(pmpi_op_commutative_ pmpi_op_commutative_f08_)]
    (op: *const i32, commute: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Op>(read(op)), TruthOut::new(commute).c()) });
export!([MPI_Op_free(mpi_op_free_ mpi_op_free_f08_) PMPI_Op_free(pmpi_op_free_ pmpi_op_free_f08_)]
    (op: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, Op>::new(op).c()) });
export!([MPI_Open_port(mpi_open_port_ mpi_open_port_f08_) PMPI_Open_port(pmpi_open_port_ pmpi_open_port_f08_)]
    (info: *const i32, port_name: *mut u8, ierror: *mut i32, port_name_len: usize) ierror on {}
    { call(handle_in::<A, Info>(read(info)), CharacterOut::new(port_name, port_name_len, MPI_MAX_PORT_NAME as usize).c()) });
export!([MPI_Pack(mpi_pack_ mpi_pack_f08_) PMPI_Pack(pmpi_pack_ pmpi_pack_f08_)]
    (inbuf: *mut c_void, incount: *const i32, datatype: *const i32, outbuf: *mut c_void, outsize: *const i32, position: *mut i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(inbuf), read(incount), handle_in::<A, Datatype>(read(datatype)), buffer_in::<A, _>(outbuf), read(outsize), position, handle_in::<A, Comm>(read(comm))) });
export!([MPI_Pack(mpi_pack_f08ts_) PMPI_Pack(pmpi_pack_f08ts_)]
    (inbuf: *const Descriptor, incount: *const i32, datatype: *const i32, outbuf: *const Descriptor, outsize: *const i32, position: *mut i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let inbuf = Buffer::elements(inbuf, Use::Now, read(incount), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = inbuf.refusal() { return refuse("MPI_Pack", handle_in::<A, Comm>(read(comm)), why); } let outbuf = Buffer::whole(outbuf, Use::Now); if let Some(why) = outbuf.refusal() { return refuse("MPI_Pack", handle_in::<A, Comm>(read(comm)), why); } call(inbuf.address(), inbuf.count(read(incount)), inbuf.datatype(handle_in::<A, Datatype>(read(datatype))), outbuf.address(), read(outsize), position, handle_in::<A, Comm>(read(comm))) });
export!([MPI_Pack_c(mpi_pack_c_f08_) PMPI_Pack_c(pmpi_pack_c_f08_)]
    (inbuf: *mut c_void, incount: *const i64, datatype: *const i32, outbuf: *mut c_void, outsize: *const i64, position: *mut i64, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(inbuf), read(incount), handle_in::<A, Datatype>(read(datatype)), buffer_in::<A, _>(outbuf), read(outsize), position, handle_in::<A, Comm>(read(comm))) });
export!([MPI_Pack_c(mpi_pack_c_f08ts_) PMPI_Pack_c(pmpi_pack_c_f08ts_)]
    (inbuf: *const Descriptor, incount: *const i64, datatype: *const i32, outbuf: *const Descriptor, outsize: *const i64, position: *mut i64, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let inbuf = Buffer::elements(inbuf, Use::Now, read(incount), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = inbuf.refusal() { return refuse("MPI_Pack_c", handle_in::<A, Comm>(read(comm)), why); } let outbuf = Buffer::whole(outbuf, Use::Now); if let Some(why) = outbuf.refusal() { return refuse("MPI_Pack_c", handle_in::<A, Comm>(read(comm)), why); } call(inbuf.address(), inbuf.count(read(incount)), inbuf.datatype(handle_in::<A, Datatype>(read(datatype))), outbuf.address(), read(outsize), position, handle_in::<A, Comm>(read(comm))) });
export!([MPI_Pack_external(mpi_pack_external_ mpi_pack_external_f08_) PMPI_Pack_external(pmpi_pack_external_ pmpi_pack_external_f08_)]
    (datarep: *const u8, inbuf: *mut c_void, incount: *const i32, datatype: *const i32, outbuf: *mut c_void, outsize: *const i64, position: *mut i64, ierror: *mut i32, datarep_len: usize) ierror on {}
    { call(Text::new(datarep, datarep_len, false).c(), buffer_in::<A, _>(inbuf), read(incount), handle_in::<A, Datatype>(read(datatype)), buffer_in::<A, _>(outbuf), read(outsize), position) });
export!([MPI_Pack_external(mpi_pack_external_f08ts_) PMPI_Pack_external(pmpi_pack_external_f08ts_)]
    (datarep: *const Descriptor, inbuf: *const Descriptor, incount: *const i32, datatype: *const i32, outbuf: *const Descriptor, outsize: *const i64, position: *mut i64, ierror: *mut i32) ierror on {}
    { let inbuf = Buffer::elements(inbuf, Use::Now, read(incount), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = inbuf.refusal() { return refuse("MPI_Pack_external", (), why); } let outbuf = Buffer::whole(outbuf, Use::Now); if let Some(why) = outbuf.refusal() { return refuse("MPI_Pack_external", (), why); } call(Text::described(datarep).c(), inbuf.address(), inbuf.count(read(incount)), inbuf.datatype(handle_in::<A, Datatype>(read(datatype))), outbuf.address(), read(outsize), position) });
export!([MPI_Pack_external_c(mpi_pack_external_c_f08_) PMPI_Pack_external_c(pmpi_pack_external_c_f08_)]
    (datarep: *const u8, inbuf: *mut c_void, incount: *const i64, datatype: *const i32, outbuf: *mut c_void, outsize: *const i64, position: *mut i64, ierror: *mut i32, datarep_len: usize) ierror on {}
    { call(Text::new(datarep, datarep_len, false).c(), buffer_in::<A, _>(inbuf), read(incount), handle_in::<A, Datatype>(read(datatype)), buffer_in::<A, _>(outbuf), read(outsize), position) });
export!([MPI_Pack_external_c(mpi_pack_external_c_f08ts_) PMPI_Pack_external_c(pmpi_pack_external_c_f08ts_)]
    (datarep: *const Descriptor, inbuf: *const Descriptor, incount: *const i64, datatype: *const i32, outbuf: *const Descriptor, outsize: *const i64, position: *mut i64, ierror: *mut i32) ierror on {}
    { let inbuf = Buffer::elements(inbuf, Use::Now, read(incount), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = inbuf.refusal() { return refuse("MPI_Pack_external_c", (), why); } let outbuf = Buffer::whole(outbuf, Use::Now); if let Some(why) = outbuf.refusal() { return refuse("MPI_Pack_external_c", (), why); } call(Text::described(datarep).c(), inbuf.address(), inbuf.count(read(incount)), inbuf.datatype(handle_in::<A, Datatype>(read(datatype))), outbuf.address(), read(outsize), position) });
export!([MPI_Pack_external_size(mpi_pack_external_size_ mpi_pack_external_size_f08_) PMPI_Pack_external_size(pmpi_pack_external_size_ pmpi_pack_external_size_f08_)]
    (datarep: *const u8, incount: *const i32, datatype: *const i32, size: *mut i64, ierror: *mut i32, datarep_len: usize) ierror on {}
    { call(Text::new(datarep, datarep_len, false).c(), read(incount), handle_in::<A, Datatype>(read(datatype)), size) });
export!([MPI_Pack_external_size_c(mpi_pack_external_size_c_f08_) PMPI_Pack_external_size_c(pmpi_pack_external_size_c_f08_)]
    (datarep: *const u8, incount: *const i64, datatype: *const i32, size: *mut i64, ierror: *mut i32, datarep_len: usize) ierror on {}
    { call(Text::new(datarep, datarep_len, false).c(), read(incount), handle_in::<A, Datatype>(read(datatype)), size) });
export!([MPI_Pack_size(mpi_pack_size_ mpi_pack_size_f08_) PMPI_Pack_size(pmpi_pack_size_ pmpi_pack_size_f08_)]
    (incount: *const i32, datatype: *const i32, comm: *const i32, size: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(read(incount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Comm>(read(comm)), size) });
export!([MPI_Pack_size_c(mpi_pack_size_c_f08_) PMPI_Pack_size_c(pmpi_pack_size_c_f08_)]
    (incount: *const i64, datatype: *const i32, comm: *const i32, size: *mut i64, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(read(incount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Comm>(read(comm)), size) });
export!([MPI_Parrived(mpi_parrived_ mpi_parrived_f08_) PMPI_Parrived(pmpi_parrived_ pmpi_parrived_f08_)]
    (request: *const i32, partition: *const i32, flag: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Request>(read(request)), read(partition), TruthOut::new(flag).c()) });
export!([MPI_Pready(mpi_pready_ mpi_pready_f08_) PMPI_Pready(pmpi_pready_ pmpi_pready_f08_)]
    (partition: *const i32, request: *const i32, ierror: *mut i32) ierror on {}
    { call(read(partition), handle_in::<A, Request>(read(request))) });
export!([MPI_Pready_list(mpi_pready_list_ mpi_pready_list_f08_) PMPI_Pready_list(pmpi_pready_list_ pmpi_pready_list_f08_)]
    (length: *const i32, array_of_partitions: *const i32, request: *const i32, ierror: *mut i32) ierror on {}
    { call(read(length), array_of_partitions, handle_in::<A, Request>(read(request))) });
export!([MPI_Pready_range(mpi_pready_range_ mpi_pready_range_f08_) PMPI_Pready_range(pmpi_pready_range_ pmpi_pready_range_f08_)]
    (partition_low: *const i32, partition_high: *const i32, request: *const i32, ierror: *mut i32) ierror on {}
    { call(read(partition_low), read(partition_high), handle_in::<A, Request>(read(request))) });
export!([MPI_Precv_init(mpi_precv_init_ mpi_precv_init_f08_) PMPI_Precv_init(pmpi_precv_init_ pmpi_precv_init_f08_)]
    (buf: *mut c_void, partitions: *const i32, count: *const i64, datatype: *const i32, source: *const i32, tag: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(partitions), read(count), handle_in::<A, Datatype>(read(datatype)), read(source), read(tag), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Precv_init(mpi_precv_init_f08ts_) PMPI_Precv_init(pmpi_precv_init_f08ts_)]
    (buf: *const Descriptor, partitions: *const i32, count: *const i64, datatype: *const i32, source: *const i32, tag: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::whole(buf, Use::Later); if let Some(why) = buf.refusal() { return refuse("MPI_Precv_init", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), read(partitions), read(count), handle_in::<A, Datatype>(read(datatype)), read(source), read(tag), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Probe(mpi_probe_ mpi_probe_f08_) PMPI_Probe(pmpi_probe_ pmpi_probe_f08_)]
    (source: *const i32, tag: *const i32, comm: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(read(source), read(tag), handle_in::<A, Comm>(read(comm)), status_out(status)) });
export!([MPI_Psend_init(mpi_psend_init_ mpi_psend_init_f08_) PMPI_Psend_init(pmpi_psend_init_ pmpi_psend_init_f08_)]
    (buf: *mut c_void, partitions: *const i32, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(partitions), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Psend_init(mpi_psend_init_f08ts_) PMPI_Psend_init(pmpi_psend_init_f08ts_)]
    (buf: *const Descriptor, partitions: *const i32, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::whole(buf, Use::Later); if let Some(why) = buf.refusal() { return refuse("MPI_Psend_init", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), read(partitions), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Publish_name(mpi_publish_name_ mpi_publish_name_f08_) PMPI_Publish_name(pmpi_publish_name_ pmpi_publish_name_f08_)]
    (service_name: *const u8, info: *const i32, port_name: *const u8, ierror: *mut i32, service_name_len: usize, port_name_len: usize) ierror on {}
    { call(Text::new(service_name, service_name_len, false).c(), handle_in::<A, Info>(read(info)), Text::new(port_name, port_name_len, false).c()) });
export!([MPI_Put(mpi_put_ mpi_put_f08_) PMPI_Put(pmpi_put_ pmpi_put_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i32, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win))) });
export!([MPI_Put(mpi_put_f08ts_) PMPI_Put(pmpi_put_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i32, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Put", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win))) });
export!([MPI_Put_c(mpi_put_c_f08_) PMPI_Put_c(pmpi_put_c_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i64, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win))) });
export!([MPI_Put_c(mpi_put_c_f08ts_) PMPI_Put_c(pmpi_put_c_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i64, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Put_c", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win))) });
export!([MPI_Query_thread(mpi_query_thread_ mpi_query_thread_f08_) PMPI_Query_thread(pmpi_query_thread_ pmpi_query_thread_f08_)]
    (provided: *mut i32, ierror: *mut i32) ierror on {}
    { call(provided) });
export!([MPI_Raccumulate(mpi_raccumulate_ mpi_raccumulate_f08_) PMPI_Raccumulate(pmpi_raccumulate_ pmpi_raccumulate_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i32, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, op: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Raccumulate(mpi_raccumulate_f08ts_) PMPI_Raccumulate(pmpi_raccumulate_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i32, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, op: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Raccumulate", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Raccumulate_c(mpi_raccumulate_c_f08_) PMPI_Raccumulate_c(pmpi_raccumulate_c_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i64, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, op: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Raccumulate_c(mpi_raccumulate_c_f08ts_) PMPI_Raccumulate_c(pmpi_raccumulate_c_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i64, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, op: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Raccumulate_c", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Recv(mpi_recv_ mpi_recv_f08_) PMPI_Recv(pmpi_recv_ pmpi_recv_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, source: *const i32, tag: *const i32, comm: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(source), read(tag), handle_in::<A, Comm>(read(comm)), status_out(status)) });
export!([MPI_Recv(mpi_recv_f08ts_) PMPI_Recv(pmpi_recv_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, source: *const i32, tag: *const i32, comm: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Recv", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(source), read(tag), handle_in::<A, Comm>(read(comm)), status_out(status)) });
export!([MPI_Recv_c(mpi_recv_c_f08_) PMPI_Recv_c(pmpi_recv_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, source: *const i32, tag: *const i32, comm: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(source), read(tag), handle_in::<A, Comm>(read(comm)), status_out(status)) });
export!([MPI_Recv_c(mpi_recv_c_f08ts_) PMPI_Recv_c(pmpi_recv_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, source: *const i32, tag: *const i32, comm: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Recv_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(source), read(tag), handle_in::<A, Comm>(read(comm)), status_out(status)) });
export!([MPI_Recv_init(mpi_recv_init_ mpi_recv_init_f08_) PMPI_Recv_init(pmpi_recv_init_ pmpi_recv_init_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, source: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(source), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Recv_init(mpi_recv_init_f08ts_) PMPI_Recv_init(pmpi_recv_init_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, source: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Recv_init", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(source), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Recv_init_c(mpi_recv_init_c_f08_) PMPI_Recv_init_c(pmpi_recv_init_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, source: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(source), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Recv_init_c(mpi_recv_init_c_f08ts_) PMPI_Recv_init_c(pmpi_recv_init_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, source: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Recv_init_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(source), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Reduce(mpi_reduce_ mpi_reduce_f08_) PMPI_Reduce(pmpi_reduce_ pmpi_reduce_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i32, datatype: *const i32, op: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Reduce(mpi_reduce_f08ts_) PMPI_Reduce(pmpi_reduce_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i32, datatype: *const i32, op: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Reduce", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Reduce", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Reduce_c(mpi_reduce_c_f08_) PMPI_Reduce_c(pmpi_reduce_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i64, datatype: *const i32, op: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Reduce_c(mpi_reduce_c_f08ts_) PMPI_Reduce_c(pmpi_reduce_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i64, datatype: *const i32, op: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Reduce_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Reduce_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Reduce_init(mpi_reduce_init_ mpi_reduce_init_f08_) PMPI_Reduce_init(pmpi_reduce_init_ pmpi_reduce_init_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i32, datatype: *const i32, op: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Reduce_init(mpi_reduce_init_f08ts_) PMPI_Reduce_init(pmpi_reduce_init_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i32, datatype: *const i32, op: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Reduce_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Reduce_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Reduce_init_c(mpi_reduce_init_c_f08_) PMPI_Reduce_init_c(pmpi_reduce_init_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i64, datatype: *const i32, op: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Reduce_init_c(mpi_reduce_init_c_f08ts_) PMPI_Reduce_init_c(pmpi_reduce_init_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i64, datatype: *const i32, op: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Reduce_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Reduce_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Reduce_local(mpi_reduce_local_ mpi_reduce_local_f08_) PMPI_Reduce_local(pmpi_reduce_local_ pmpi_reduce_local_f08_)]
    (inbuf: *mut c_void, inoutbuf: *mut c_void, count: *const i32, datatype: *const i32, op: *const i32, ierror: *mut i32) ierror on {}
    { call(buffer_in::<A, _>(inbuf), buffer_in::<A, _>(inoutbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op))) });
export!([MPI_Reduce_local(mpi_reduce_local_f08ts_) PMPI_Reduce_local(pmpi_reduce_local_f08ts_)]
    (inbuf: *const Descriptor, inoutbuf: *const Descriptor, count: *const i32, datatype: *const i32, op: *const i32, ierror: *mut i32) ierror on {}
    { let inbuf = Buffer::whole(inbuf, Use::Now); if let Some(why) = inbuf.refusal() { return refuse("MPI_Reduce_local", (), why); } let inoutbuf = Buffer::whole(inoutbuf, Use::Now); if let Some(why) = inoutbuf.refusal() { return refuse("MPI_Reduce_local", (), why); } call(inbuf.address(), inoutbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op))) });
export!([MPI_Reduce_local_c(mpi_reduce_local_c_f08_) PMPI_Reduce_local_c(pmpi_reduce_local_c_f08_)]
    (inbuf: *mut c_void, inoutbuf: *mut c_void, count: *const i64, datatype: *const i32, op: *const i32, ierror: *mut i32) ierror on {}
    { call(buffer_in::<A, _>(inbuf), buffer_in::<A, _>(inoutbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op))) });
export!([MPI_Reduce_local_c(mpi_reduce_local_c_f08ts_) PMPI_Reduce_local_c(pmpi_reduce_local_c_f08ts_)]
    (inbuf: *const Descriptor, inoutbuf: *const Descriptor, count: *const i64, datatype: *const i32, op: *const i32, ierror: *mut i32) ierror on {}
    { let inbuf = Buffer::whole(inbuf, Use::Now); if let Some(why) = inbuf.refusal() { return refuse("MPI_Reduce_local_c", (), why); } let inoutbuf = Buffer::whole(inoutbuf, Use::Now); if let Some(why) = inoutbuf.refusal() { return refuse("MPI_Reduce_local_c", (), why); } call(inbuf.address(), inoutbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op))) });
export!([MPI_Reduce_scatter(mpi_reduce_scatter_ mpi_reduce_scatter_f08_) PMPI_Reduce_scatter(pmpi_reduce_scatter_ pmpi_reduce_scatter_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, recvcounts: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), recvcounts, handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Reduce_scatter(mpi_reduce_scatter_f08ts_) PMPI_Reduce_scatter(pmpi_reduce_scatter_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, recvcounts: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Reduce_scatter", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Reduce_scatter", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), recvbuf.address(), recvcounts, handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Reduce_scatter_block(mpi_reduce_scatter_block_ mpi_reduce_scatter_block_f08_) PMPI_Reduce_scatter_block(pmpi_reduce_scatter_block_ pmpi_reduce_scatter_block_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, recvcount: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Reduce_scatter_block(mpi_reduce_scatter_block_f08ts_) PMPI_Reduce_scatter_block(pmpi_reduce_scatter_block_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, recvcount: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Reduce_scatter_block", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Reduce_scatter_block", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Reduce_scatter_block_c(mpi_reduce_scatter_block_c_f08_) PMPI_Reduce_scatter_block_c(pmpi_reduce_scatter_block_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, recvcount: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Reduce_scatter_block_c(mpi_reduce_scatter_block_c_f08ts_) PMPI_Reduce_scatter_block_c(pmpi_reduce_scatter_block_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, recvcount: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Reduce_scatter_block_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Reduce_scatter_block_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Reduce_scatter_block_init(mpi_reduce_scatter_block_init_ mpi_reduce_scatter_block_init_f08_) PMPI_Reduce_scatter_block_init(pmpi_reduce_scatter_block_init_ pmpi_reduce_scatter_block_init_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, recvcount: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Reduce_scatter_block_init(mpi_reduce_scatter_block_init_f08ts_) PMPI_Reduce_scatter_block_init(pmpi_reduce_scatter_block_init_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, recvcount: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Reduce_scatter_block_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Reduce_scatter_block_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Reduce_scatter_block_init_c(mpi_reduce_scatter_block_init_c_f08_) PMPI_Reduce_scatter_block_init_c(pmpi_reduce_scatter_block_init_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, recvcount: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Reduce_scatter_block_init_c(mpi_reduce_scatter_block_init_c_f08ts_) PMPI_Reduce_scatter_block_init_c(pmpi_reduce_scatter_block_init_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, recvcount: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Reduce_scatter_block_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Reduce_scatter_block_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(recvcount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Reduce_scatter_c(mpi_reduce_scatter_c_f08_) PMPI_Reduce_scatter_c(pmpi_reduce_scatter_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, recvcounts: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), recvcounts, handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Reduce_scatter_c(mpi_reduce_scatter_c_f08ts_) PMPI_Reduce_scatter_c(pmpi_reduce_scatter_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, recvcounts: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Reduce_scatter_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Reduce_scatter_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), recvbuf.address(), recvcounts, handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Reduce_scatter_init(mpi_reduce_scatter_init_ mpi_reduce_scatter_init_f08_) PMPI_Reduce_scatter_init(pmpi_reduce_scatter_init_ pmpi_reduce_scatter_init_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, recvcounts: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), recvcounts, handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Reduce_scatter_init(mpi_reduce_scatter_init_f08ts_) PMPI_Reduce_scatter_init(pmpi_reduce_scatter_init_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, recvcounts: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Reduce_scatter_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Reduce_scatter_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), recvcounts, handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Reduce_scatter_init_c(mpi_reduce_scatter_init_c_f08_) PMPI_Reduce_scatter_init_c(pmpi_reduce_scatter_init_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, recvcounts: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), recvcounts, handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Reduce_scatter_init_c(mpi_reduce_scatter_init_c_f08ts_) PMPI_Reduce_scatter_init_c(pmpi_reduce_scatter_init_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, recvcounts: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Reduce_scatter_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Reduce_scatter_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), recvcounts, handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Remove_error_class(mpi_remove_error_class_ mpi_remove_error_class_f08_) PMPI_Remove_error_class(pmpi_remove_error_class_ pmpi_remove_error_class_f08_)]
    (errorclass: *const i32, ierror: *mut i32) ierror on {}
    { call(read(errorclass)) });
export!([MPI_Remove_error_code(mpi_remove_error_code_ mpi_remove_error_code_f08_) PMPI_Remove_error_code(pmpi_remove_error_code_ pmpi_remove_error_code_f08_)]
    (errorcode: *const i32, ierror: *mut i32) ierror on {}
    { call(read(errorcode)) });
export!([MPI_Remove_error_string(mpi_remove_error_string_ mpi_remove_error_string_f08_) PMPI_Remove_error_string(pmpi_remove_error_string_ pmpi_remove_error_string_f08_)]
    (errorcode: *const i32, ierror: *mut i32) ierror on {}
    { call(read(errorcode)) });
export!([MPI_Request_free(mpi_request_free_ mpi_request_free_f08_) PMPI_Request_free(pmpi_request_free_ pmpi_request_free_f08_)]
    (request: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, Request>::new(request).c()) });
export!([MPI_Request_get_status(mpi_request_get_status_ mpi_request_get_status_f08_) PMPI_Request_get_status(pmpi_request_get_status_ pmpi_request_get_status_f08_)]
    (request: *const i32, flag: *mut i32, status: *mut Status, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Request>(read(request)), TruthOut::new(flag).c(), status_out(status)) });
export!([MPI_Request_get_status_all(mpi_request_get_status_all_ mpi_request_get_status_all_f08_) PMPI_Request_get_status_all(pmpi_request_get_status_all_ pmpi_request_get_status_all_f08_)]
    (count: *const i32, array_of_requests: *const i32, flag: *mut i32, array_of_statuses: *mut Status, ierror: *mut i32) ierror on {}
    { call(read(count), Handles::<A, Request>::new(array_of_requests, len(read(count))).c(), TruthOut::new(flag).c(), statuses_out(array_of_statuses)) });
export!([MPI_Request_get_status_any(mpi_request_get_status_any_ mpi_request_get_status_any_f08_) PMPI_Request_get_status_any(pmpi_request_get_status_any_ pmpi_request_get_status_any_f08_)]
    (count: *const i32, array_of_requests: *const i32, indx: *mut i32, flag: *mut i32, status: *mut Status, ierror: *mut i32) ierror on {}
    { call(read(count), Handles::<A, Request>::new(array_of_requests, len(read(count))).c(), Position::new(indx).c(), TruthOut::new(flag).c(), status_out(status)) });
export!([MPI_Request_get_status_some(mpi_request_get_status_some_ mpi_request_get_status_some_f08_) PMPI_Request_get_status_some(pmpi_request_get_status_some_ pmpi_request_get_status_some_f08_)]
    (incount: *const i32, array_of_requests: *const i32, outcount: *mut i32, array_of_indices: *mut i32, array_of_statuses: *mut Status, ierror: *mut i32) ierror on {}
    { call(read(incount), Handles::<A, Request>::new(array_of_requests, len(read(incount))).c(), outcount, Positions::new(array_of_indices, len(read(incount))).c(), statuses_out(array_of_statuses)) });
export!([MPI_Rget(mpi_rget_ mpi_rget_f08_) PMPI_Rget(pmpi_rget_ pmpi_rget_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i32, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Rget(mpi_rget_f08ts_) PMPI_Rget(pmpi_rget_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i32, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Rget", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Rget_accumulate(mpi_rget_accumulate_ mpi_rget_accumulate_f08_) PMPI_Rget_accumulate(pmpi_rget_accumulate_ pmpi_rget_accumulate_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i32, origin_datatype: *const i32, result_addr: *mut c_void, result_count: *const i32, result_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, op: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), buffer_in::<A, _>(result_addr), read(result_count), handle_in::<A, Datatype>(read(result_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Rget_accumulate(mpi_rget_accumulate_f08ts_) PMPI_Rget_accumulate(pmpi_rget_accumulate_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i32, origin_datatype: *const i32, result_addr: *const Descriptor, result_count: *const i32, result_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, op: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Rget_accumulate", handle_in::<A, Win>(read(win)), why); } let result_addr = Buffer::elements(result_addr, Use::Later, read(result_count), handle_in::<A, Datatype>(read(result_datatype))); if let Some(why) = result_addr.refusal() { return refuse("MPI_Rget_accumulate", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), result_addr.address(), result_addr.count(read(result_count)), result_addr.datatype(handle_in::<A, Datatype>(read(result_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Rget_accumulate_c(mpi_rget_accumulate_c_f08_) PMPI_Rget_accumulate_c(pmpi_rget_accumulate_c_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i64, origin_datatype: *const i32, result_addr: *mut c_void, result_count: *const i64, result_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, op: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), buffer_in::<A, _>(result_addr), read(result_count), handle_in::<A, Datatype>(read(result_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Rget_accumulate_c(mpi_rget_accumulate_c_f08ts_) PMPI_Rget_accumulate_c(pmpi_rget_accumulate_c_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i64, origin_datatype: *const i32, result_addr: *const Descriptor, result_count: *const i64, result_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, op: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Rget_accumulate_c", handle_in::<A, Win>(read(win)), why); } let result_addr = Buffer::elements(result_addr, Use::Later, read(result_count), handle_in::<A, Datatype>(read(result_datatype))); if let Some(why) = result_addr.refusal() { return refuse("MPI_Rget_accumulate_c", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), result_addr.address(), result_addr.count(read(result_count)), result_addr.datatype(handle_in::<A, Datatype>(read(result_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Rget_c(mpi_rget_c_f08_) PMPI_Rget_c(pmpi_rget_c_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i64, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Rget_c(mpi_rget_c_f08ts_) PMPI_Rget_c(pmpi_rget_c_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i64, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Rget_c", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Rput(mpi_rput_ mpi_rput_f08_) PMPI_Rput(pmpi_rput_ pmpi_rput_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i32, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Rput(mpi_rput_f08ts_) PMPI_Rput(pmpi_rput_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i32, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i32, target_datatype: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Rput", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Rput_c(mpi_rput_c_f08_) PMPI_Rput_c(pmpi_rput_c_f08_)]
    (origin_addr: *mut c_void, origin_count: *const i64, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(buffer_in::<A, _>(origin_addr), read(origin_count), handle_in::<A, Datatype>(read(origin_datatype)), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Rput_c(mpi_rput_c_f08ts_) PMPI_Rput_c(pmpi_rput_c_f08ts_)]
    (origin_addr: *const Descriptor, origin_count: *const i64, origin_datatype: *const i32, target_rank: *const i32, target_disp: *const i64, target_count: *const i64, target_datatype: *const i32, win: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let origin_addr = Buffer::elements(origin_addr, Use::Later, read(origin_count), handle_in::<A, Datatype>(read(origin_datatype))); if let Some(why) = origin_addr.refusal() { return refuse("MPI_Rput_c", handle_in::<A, Win>(read(win)), why); } call(origin_addr.address(), origin_addr.count(read(origin_count)), origin_addr.datatype(handle_in::<A, Datatype>(read(origin_datatype))), read(target_rank), read(target_disp), read(target_count), handle_in::<A, Datatype>(read(target_datatype)), handle_in::<A, Win>(read(win)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Rsend(mpi_rsend_ mpi_rsend_f08_) PMPI_Rsend(pmpi_rsend_ pmpi_rsend_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Rsend(mpi_rsend_f08ts_) PMPI_Rsend(pmpi_rsend_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Rsend", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Rsend_c(mpi_rsend_c_f08_) PMPI_Rsend_c(pmpi_rsend_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Rsend_c(mpi_rsend_c_f08ts_) PMPI_Rsend_c(pmpi_rsend_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Rsend_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Rsend_init(mpi_rsend_init_ mpi_rsend_init_f08_) PMPI_Rsend_init(pmpi_rsend_init_ pmpi_rsend_init_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Rsend_init(mpi_rsend_init_f08ts_) PMPI_Rsend_init(pmpi_rsend_init_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Rsend_init", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Rsend_init_c(mpi_rsend_init_c_f08_) PMPI_Rsend_init_c(pmpi_rsend_init_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Rsend_init_c(mpi_rsend_init_c_f08ts_) PMPI_Rsend_init_c(pmpi_rsend_init_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Rsend_init_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Scan(mpi_scan_ mpi_scan_f08_) PMPI_Scan(pmpi_scan_ pmpi_scan_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Scan(mpi_scan_f08ts_) PMPI_Scan(pmpi_scan_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Scan", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Scan", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Scan_c(mpi_scan_c_f08_) PMPI_Scan_c(pmpi_scan_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Scan_c(mpi_scan_c_f08ts_) PMPI_Scan_c(pmpi_scan_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Scan_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::whole(recvbuf, Use::Now); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Scan_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Scan_init(mpi_scan_init_ mpi_scan_init_f08_) PMPI_Scan_init(pmpi_scan_init_ pmpi_scan_init_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Scan_init(mpi_scan_init_f08ts_) PMPI_Scan_init(pmpi_scan_init_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i32, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Scan_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Scan_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Scan_init_c(mpi_scan_init_c_f08_) PMPI_Scan_init_c(pmpi_scan_init_c_f08_)]
    (sendbuf: *mut c_void, recvbuf: *mut c_void, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), buffer_in::<A, _>(recvbuf), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Scan_init_c(mpi_scan_init_c_f08ts_) PMPI_Scan_init_c(pmpi_scan_init_c_f08ts_)]
    (sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *const i64, datatype: *const i32, op: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Scan_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::whole(recvbuf, Use::Staged); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Scan_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), recvbuf.address(), read(count), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Op>(read(op)), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Scatter(mpi_scatter_ mpi_scatter_f08_) PMPI_Scatter(pmpi_scatter_ pmpi_scatter_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Scatter(mpi_scatter_f08ts_) PMPI_Scatter(pmpi_scatter_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Scatter", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::elements(recvbuf, Use::Now, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Scatter", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Scatter_c(mpi_scatter_c_f08_) PMPI_Scatter_c(pmpi_scatter_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Scatter_c(mpi_scatter_c_f08ts_) PMPI_Scatter_c(pmpi_scatter_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Scatter_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::elements(recvbuf, Use::Now, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Scatter_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Scatter_init(mpi_scatter_init_ mpi_scatter_init_f08_) PMPI_Scatter_init(pmpi_scatter_init_ pmpi_scatter_init_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Scatter_init(mpi_scatter_init_f08ts_) PMPI_Scatter_init(pmpi_scatter_init_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Scatter_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::elements(recvbuf, Use::Staged, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Scatter_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Scatter_init_c(mpi_scatter_init_c_f08_) PMPI_Scatter_init_c(pmpi_scatter_init_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Scatter_init_c(mpi_scatter_init_c_f08ts_) PMPI_Scatter_init_c(pmpi_scatter_init_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Scatter_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::elements(recvbuf, Use::Staged, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Scatter_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Scatterv(mpi_scatterv_ mpi_scatterv_f08_) PMPI_Scatterv(pmpi_scatterv_ pmpi_scatterv_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i32, displs: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, displs, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Scatterv(mpi_scatterv_f08ts_) PMPI_Scatterv(pmpi_scatterv_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i32, displs: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Scatterv", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::elements(recvbuf, Use::Now, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Scatterv", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendcounts, displs, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Scatterv_c(mpi_scatterv_c_f08_) PMPI_Scatterv_c(pmpi_scatterv_c_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i64, displs: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, displs, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Scatterv_c(mpi_scatterv_c_f08ts_) PMPI_Scatterv_c(pmpi_scatterv_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i64, displs: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::whole(sendbuf, Use::Now); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Scatterv_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::elements(recvbuf, Use::Now, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Scatterv_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendcounts, displs, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(root), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Scatterv_init(mpi_scatterv_init_ mpi_scatterv_init_f08_) PMPI_Scatterv_init(pmpi_scatterv_init_ pmpi_scatterv_init_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i32, displs: *const i32, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, displs, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Scatterv_init(mpi_scatterv_init_f08ts_) PMPI_Scatterv_init(pmpi_scatterv_init_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i32, displs: *const i32, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Scatterv_init", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::elements(recvbuf, Use::Staged, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Scatterv_init", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, displs, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Scatterv_init_c(mpi_scatterv_init_c_f08_) PMPI_Scatterv_init_c(pmpi_scatterv_init_c_f08_)]
    (sendbuf: *mut c_void, sendcounts: *const i64, displs: *const i64, sendtype: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), sendcounts, displs, handle_in::<A, Datatype>(read(sendtype)), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Scatterv_init_c(mpi_scatterv_init_c_f08ts_) PMPI_Scatterv_init_c(pmpi_scatterv_init_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcounts: *const i64, displs: *const i64, sendtype: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, root: *const i32, comm: *const i32, info: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let mut sendbuf = Buffer::whole(sendbuf, Use::Staged); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Scatterv_init_c", handle_in::<A, Comm>(read(comm)), why); } let mut recvbuf = Buffer::elements(recvbuf, Use::Staged, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Scatterv_init_c", handle_in::<A, Comm>(read(comm)), why); } let code = call(sendbuf.address(), sendcounts, displs, handle_in::<A, Datatype>(read(sendtype)), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(root), handle_in::<A, Comm>(read(comm)), handle_in::<A, Info>(read(info)), HandleOut::<A, Request>::new(request).c()); if code == 0 { stage(handle_in::<A, Request>(read(request)), [sendbuf.take_staged(), recvbuf.take_staged()]); } code });
export!([MPI_Send(mpi_send_ mpi_send_f08_) PMPI_Send(pmpi_send_ pmpi_send_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Send(mpi_send_f08ts_) PMPI_Send(pmpi_send_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Send", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Send_c(mpi_send_c_f08_) PMPI_Send_c(pmpi_send_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Send_c(mpi_send_c_f08ts_) PMPI_Send_c(pmpi_send_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Send_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Send_init(mpi_send_init_ mpi_send_init_f08_) PMPI_Send_init(pmpi_send_init_ pmpi_send_init_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Send_init(mpi_send_init_f08ts_) PMPI_Send_init(pmpi_send_init_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Send_init", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Send_init_c(mpi_send_init_c_f08_) PMPI_Send_init_c(pmpi_send_init_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Send_init_c(mpi_send_init_c_f08ts_) PMPI_Send_init_c(pmpi_send_init_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Send_init_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Sendrecv(mpi_sendrecv_ mpi_sendrecv_f08_) PMPI_Sendrecv(pmpi_sendrecv_ pmpi_sendrecv_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i32, sendtype: *const i32, dest: *const i32, sendtag: *const i32, recvbuf: *mut c_void, recvcount: *const i32, recvtype: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), read(dest), read(sendtag), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), status_out(status)) });
export!([MPI_Sendrecv(mpi_sendrecv_f08ts_) PMPI_Sendrecv(pmpi_sendrecv_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i32, sendtype: *const i32, dest: *const i32, sendtag: *const i32, recvbuf: *const Descriptor, recvcount: *const i32, recvtype: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Now, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Sendrecv", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::elements(recvbuf, Use::Now, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Sendrecv", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), read(dest), read(sendtag), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), status_out(status)) });
export!([MPI_Sendrecv_c(mpi_sendrecv_c_f08_) PMPI_Sendrecv_c(pmpi_sendrecv_c_f08_)]
    (sendbuf: *mut c_void, sendcount: *const i64, sendtype: *const i32, dest: *const i32, sendtag: *const i32, recvbuf: *mut c_void, recvcount: *const i64, recvtype: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(sendbuf), read(sendcount), handle_in::<A, Datatype>(read(sendtype)), read(dest), read(sendtag), buffer_in::<A, _>(recvbuf), read(recvcount), handle_in::<A, Datatype>(read(recvtype)), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), status_out(status)) });
export!([MPI_Sendrecv_c(mpi_sendrecv_c_f08ts_) PMPI_Sendrecv_c(pmpi_sendrecv_c_f08ts_)]
    (sendbuf: *const Descriptor, sendcount: *const i64, sendtype: *const i32, dest: *const i32, sendtag: *const i32, recvbuf: *const Descriptor, recvcount: *const i64, recvtype: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let sendbuf = Buffer::elements(sendbuf, Use::Now, read(sendcount), handle_in::<A, Datatype>(read(sendtype))); if let Some(why) = sendbuf.refusal() { return refuse("MPI_Sendrecv_c", handle_in::<A, Comm>(read(comm)), why); } let recvbuf = Buffer::elements(recvbuf, Use::Now, read(recvcount), handle_in::<A, Datatype>(read(recvtype))); if let Some(why) = recvbuf.refusal() { return refuse("MPI_Sendrecv_c", handle_in::<A, Comm>(read(comm)), why); } call(sendbuf.address(), sendbuf.count(read(sendcount)), sendbuf.datatype(handle_in::<A, Datatype>(read(sendtype))), read(dest), read(sendtag), recvbuf.address(), recvbuf.count(read(recvcount)), recvbuf.datatype(handle_in::<A, Datatype>(read(recvtype))), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), status_out(status)) });
export!([MPI_Sendrecv_replace(mpi_sendrecv_replace_ mpi_sendrecv_replace_f08_) PMPI_Sendrecv_replace(pmpi_sendrecv_replace_ pmpi_sendrecv_replace_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, dest: *const i32, sendtag: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(sendtag), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), status_out(status)) });
export!([MPI_Sendrecv_replace(mpi_sendrecv_replace_f08ts_) PMPI_Sendrecv_replace(pmpi_sendrecv_replace_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, dest: *const i32, sendtag: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Sendrecv_replace", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(sendtag), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), status_out(status)) });
export!([MPI_Sendrecv_replace_c(mpi_sendrecv_replace_c_f08_) PMPI_Sendrecv_replace_c(pmpi_sendrecv_replace_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, dest: *const i32, sendtag: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(sendtag), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), status_out(status)) });
export!([MPI_Sendrecv_replace_c(mpi_sendrecv_replace_c_f08ts_) PMPI_Sendrecv_replace_c(pmpi_sendrecv_replace_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, dest: *const i32, sendtag: *const i32, source: *const i32, recvtag: *const i32, comm: *const i32, status: *mut Status, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Sendrecv_replace_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(sendtag), read(source), read(recvtag), handle_in::<A, Comm>(read(comm)), status_out(status)) });
export!([MPI_Session_attach_buffer(mpi_session_attach_buffer_ mpi_session_attach_buffer_f08_) PMPI_Session_attach_buffer(pmpi_session_attach_buffer_ pmpi_session_attach_buffer_f08_)]
    (session: *const i32, buffer: *mut c_void, size: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Session>(read(session))}
    { call(handle_in::<A, Session>(read(session)), buffer_in::<A, _>(buffer), read(size)) });
export!([MPI_Session_attach_buffer(mpi_session_attach_buffer_f08ts_) PMPI_Session_attach_buffer(pmpi_session_attach_buffer_f08ts_)]
    (session: *const i32, buffer: *const Descriptor, size: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Session>(read(session))}
    { let buffer = Buffer::whole(buffer, Use::Later); if let Some(why) = buffer.refusal() { return refuse("MPI_Session_attach_buffer", handle_in::<A, Session>(read(session)), why); } call(handle_in::<A, Session>(read(session)), buffer.address(), read(size)) });
export!([MPI_Session_attach_buffer_c(mpi_session_attach_buffer_c_f08_) PMPI_Session_attach_buffer_c(pmpi_session_attach_buffer_c_f08_)]
    (session: *const i32, buffer: *mut c_void, size: *const i64, ierror: *mut i32) ierror on {handle_in::<A, Session>(read(session))}
    { call(handle_in::<A, Session>(read(session)), buffer_in::<A, _>(buffer), read(size)) });
export!([MPI_Session_attach_buffer_c(mpi_session_attach_buffer_c_f08ts_) PMPI_Session_attach_buffer_c(pmpi_session_attach_buffer_c_f08ts_)]
    (session: *const i32, buffer: *const Descriptor, size: *const i64, ierror: *mut i32) ierror on {handle_in::<A, Session>(read(session))}
    { let buffer = Buffer::whole(buffer, Use::Later); if let Some(why) = buffer.refusal() { return refuse("MPI_Session_attach_buffer_c", handle_in::<A, Session>(read(session)), why); } call(handle_in::<A, Session>(read(session)), buffer.address(), read(size)) });
export!([MPI_Session_call_errhandler(mpi_session_call_errhandler_ mpi_session_call_errhandler_f08_) PMPI_Session_call_errhandler(pmpi_session_call_errhandler_ pmpi_session_call_errhandler_f08_)]
    (session: *const i32, errorcode: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Session>(read(session))}
    { call(handle_in::<A, Session>(read(session)), read(errorcode)) });
export!([MPI_Session_detach_buffer(mpi_session_detach_buffer_) PMPI_Session_detach_buffer(pmpi_session_detach_buffer_)]
    (session: *const i32, buffer_addr: *mut c_void, size: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Session>(read(session))}
    { call(handle_in::<A, Session>(read(session)), Detached::new().c(), size) });
export!([MPI_Session_detach_buffer(mpi_session_detach_buffer_f08_) PMPI_Session_detach_buffer(pmpi_session_detach_buffer_f08_)]
    (session: *const i32, buffer_addr: *mut c_void, size: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Session>(read(session))}
    { call(handle_in::<A, Session>(read(session)), buffer_addr, size) });
export!([MPI_Session_detach_buffer_c(mpi_session_detach_buffer_c_f08_) PMPI_Session_detach_buffer_c(pmpi_session_detach_buffer_c_f08_)]
    (session: *const i32, buffer_addr: *mut c_void, size: *mut i64, ierror: *mut i32) ierror on {handle_in::<A, Session>(read(session))}
    { call(handle_in::<A, Session>(read(session)), buffer_addr, size) });
export!([MPI_Session_finalize(mpi_session_finalize_ mpi_session_finalize_f08_) PMPI_Session_finalize(pmpi_session_finalize_ pmpi_session_finalize_f08_)]
    (session: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, Session>::new(session).c()) });
export!([MPI_Session_flush_buffer(mpi_session_flush_buffer_ mpi_session_flush_buffer_f08_) PMPI_Session_flush_buffer(pmpi_session_flush_buffer_ pmpi_session_flush_buffer_f08_)]
    (session: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Session>(read(session))}
    { call(handle_in::<A, Session>(read(session))) });
export!([MPI_Session_get_errhandler(mpi_session_get_errhandler_ mpi_session_get_errhandler_f08_) PMPI_Session_get_errhandler(pmpi_session_get_errhandler_ pmpi_session_get_errhandler_f08_)]
    (session: *const i32, errhandler: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Session>(read(session))}
    { call(handle_in::<A, Session>(read(session)), HandleOut::<A, Errhandler>::new(errhandler).c()) });
export!([MPI_Session_get_info(mpi_session_get_info_ mpi_session_get_info_f08_) PMPI_Session_get_info(pmpi_session_get_info_ pmpi_session_get_info_f08_)]
    (session: *const i32, info_used: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Session>(read(session))}
    { call(handle_in::<A, Session>(read(session)), HandleOut::<A, Info>::new(info_used).c()) });
export!([MPI_Session_get_num_psets(mpi_session_get_num_psets_ mpi_session_get_num_psets_f08_) PMPI_Session_get_num_psets(pmpi_session_get_num_psets_ pmpi_session_get_num_psets_f08_)]
    (session: *const i32, info: *const i32, npset_names: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Session>(read(session))}
    { call(handle_in::<A, Session>(read(session)), handle_in::<A, Info>(read(info)), npset_names) });
export!([MPI_Session_get_pset_info(mpi_session_get_pset_info_ mpi_session_get_pset_info_f08_) PMPI_Session_get_pset_info(pmpi_session_get_pset_info_ pmpi_session_get_pset_info_f08_)]
    (session: *const i32, pset_name: *const u8, info: *mut i32, ierror: *mut i32, pset_name_len: usize) ierror on {handle_in::<A, Session>(read(session))}
    { call(handle_in::<A, Session>(read(session)), Text::new(pset_name, pset_name_len, false).c(), HandleOut::<A, Info>::new(info).c()) });
export!([MPI_Session_iflush_buffer(mpi_session_iflush_buffer_ mpi_session_iflush_buffer_f08_) PMPI_Session_iflush_buffer(pmpi_session_iflush_buffer_ pmpi_session_iflush_buffer_f08_)]
    (session: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Session>(read(session))}
    { call(handle_in::<A, Session>(read(session)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Session_init(mpi_session_init_ mpi_session_init_f08_) PMPI_Session_init(pmpi_session_init_ pmpi_session_init_f08_)]
    (info: *const i32, errhandler: *const i32, session: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Info>(read(info)), handle_in::<A, Errhandler>(read(errhandler)), HandleOut::<A, Session>::new(session).c()) });
export!([MPI_Session_set_errhandler(mpi_session_set_errhandler_ mpi_session_set_errhandler_f08_) PMPI_Session_set_errhandler(pmpi_session_set_errhandler_ pmpi_session_set_errhandler_f08_)]
    (session: *const i32, errhandler: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Session>(read(session))}
    { call(handle_in::<A, Session>(read(session)), handle_in::<A, Errhandler>(read(errhandler))) });
export!([MPI_Ssend(mpi_ssend_ mpi_ssend_f08_) PMPI_Ssend(pmpi_ssend_ pmpi_ssend_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Ssend(mpi_ssend_f08ts_) PMPI_Ssend(pmpi_ssend_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Ssend", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Ssend_c(mpi_ssend_c_f08_) PMPI_Ssend_c(pmpi_ssend_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Ssend_c(mpi_ssend_c_f08ts_) PMPI_Ssend_c(pmpi_ssend_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Now, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Ssend_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Ssend_init(mpi_ssend_init_ mpi_ssend_init_f08_) PMPI_Ssend_init(pmpi_ssend_init_ pmpi_ssend_init_f08_)]
    (buf: *mut c_void, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ssend_init(mpi_ssend_init_f08ts_) PMPI_Ssend_init(pmpi_ssend_init_f08ts_)]
    (buf: *const Descriptor, count: *const i32, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Ssend_init", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ssend_init_c(mpi_ssend_init_c_f08_) PMPI_Ssend_init_c(pmpi_ssend_init_c_f08_)]
    (buf: *mut c_void, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(buf), read(count), handle_in::<A, Datatype>(read(datatype)), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Ssend_init_c(mpi_ssend_init_c_f08ts_) PMPI_Ssend_init_c(pmpi_ssend_init_c_f08ts_)]
    (buf: *const Descriptor, count: *const i64, datatype: *const i32, dest: *const i32, tag: *const i32, comm: *const i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let buf = Buffer::elements(buf, Use::Later, read(count), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = buf.refusal() { return refuse("MPI_Ssend_init_c", handle_in::<A, Comm>(read(comm)), why); } call(buf.address(), buf.count(read(count)), buf.datatype(handle_in::<A, Datatype>(read(datatype))), read(dest), read(tag), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Request>::new(request).c()) });
export!([MPI_Start(mpi_start_ mpi_start_f08_) PMPI_Start(pmpi_start_ pmpi_start_f08_)]
    (request: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, Request>::new(request).c()) });
export!([MPI_Startall(mpi_startall_ mpi_startall_f08_) PMPI_Startall(pmpi_startall_ pmpi_startall_f08_)]
    (count: *const i32, array_of_requests: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), HandlesInOut::<A, Request>::new(array_of_requests, len(read(count))).c()) });
export!([MPI_Status_get_error(mpi_status_get_error_ mpi_status_get_error_f08_) PMPI_Status_get_error(pmpi_status_get_error_ pmpi_status_get_error_f08_)]
    (status: *const Status, err: *mut i32, ierror: *mut i32) ierror on {}
    { call(status, err) });
export!([MPI_Status_get_source(mpi_status_get_source_ mpi_status_get_source_f08_) PMPI_Status_get_source(pmpi_status_get_source_ pmpi_status_get_source_f08_)]
    (status: *const Status, source: *mut i32, ierror: *mut i32) ierror on {}
    { call(status, source) });
export!([MPI_Status_get_tag(mpi_status_get_tag_ mpi_status_get_tag_f08_) PMPI_Status_get_tag(pmpi_status_get_tag_ pmpi_status_get_tag_f08_)]
    (status: *const Status, tag: *mut i32, ierror: *mut i32) ierror on {}
    { call(status, tag) });
export!([MPI_Status_set_cancelled(mpi_status_set_cancelled_ mpi_status_set_cancelled_f08_) PMPI_Status_set_cancelled(pmpi_status_set_cancelled_ pmpi_status_set_cancelled_f08_)]
    (status: *mut Status, flag: *const i32, ierror: *mut i32) ierror on {}
    { call(status, truth(flag)) });
export!([MPI_Status_set_elements(mpi_status_set_elements_ mpi_status_set_elements_f08_) PMPI_Status_set_elements(pmpi_status_set_elements_ pmpi_status_set_elements_f08_)]
    (status: *mut Status, datatype: *const i32, count: *const i32, ierror: *mut i32) ierror on {}
    { call(status, handle_in::<A, Datatype>(read(datatype)), read(count)) });
export!([MPI_Status_set_elements_c(mpi_status_set_elements_c_f08_) PMPI_Status_set_elements_c(pmpi_status_set_elements_c_f08_)]
    (status: *mut Status, datatype: *const i32, count: *const i64, ierror: *mut i32) ierror on {}
    { call(status, handle_in::<A, Datatype>(read(datatype)), read(count)) });
export!([MPI_Status_set_elements_x(mpi_status_set_elements_x_ mpi_status_set_elements_x_f08_) PMPI_Status_set_elements_x(pmpi_status_set_elements_x_ pmpi_status_set_elements_x_f08_)]
    (status: *mut Status, datatype: *const i32, count: *const i64, ierror: *mut i32) ierror on {}
    { call(status, handle_in::<A, Datatype>(read(datatype)), read(count)) });
export!([MPI_Status_set_error(mpi_status_set_error_ mpi_status_set_error_f08_) PMPI_Status_set_error(pmpi_status_set_error_ pmpi_status_set_error_f08_)]
    (status: *mut Status, err: *const i32, ierror: *mut i32) ierror on {}
    { call(status, read(err)) });
export!([MPI_Status_set_source(mpi_status_set_source_ mpi_status_set_source_f08_) PMPI_Status_set_source(pmpi_status_set_source_ pmpi_status_set_source_f08_)]
    (status: *mut Status, source: *const i32, ierror: *mut i32) ierror on {}
    { call(status, read(source)) });
export!([MPI_Status_set_tag(mpi_status_set_tag_ mpi_status_set_tag_f08_) PMPI_Status_set_tag(pmpi_status_set_tag_ pmpi_status_set_tag_f08_)]
    (status: *mut Status, tag: *const i32, ierror: *mut i32) ierror on {}
    { call(status, read(tag)) });
export!([MPI_Test(mpi_test_ mpi_test_f08_) PMPI_Test(pmpi_test_ pmpi_test_f08_)]
    (request: *mut i32, flag: *mut i32, status: *mut Status, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, Request>::new(request).c(), TruthOut::new(flag).c(), status_out(status)) });
export!([MPI_Test_cancelled(mpi_test_cancelled_ mpi_test_cancelled_f08_) PMPI_Test_cancelled(pmpi_test_cancelled_ pmpi_test_cancelled_f08_)]
    (status: *const Status, flag: *mut i32, ierror: *mut i32) ierror on {}
    { call(status, TruthOut::new(flag).c()) });
export!([MPI_Testall(mpi_testall_ mpi_testall_f08_) PMPI_Testall(pmpi_testall_ pmpi_testall_f08_)]
    (count: *const i32, array_of_requests: *mut i32, flag: *mut i32, array_of_statuses: *mut Status, ierror: *mut i32) ierror on {}
    { call(read(count), HandlesInOut::<A, Request>::new(array_of_requests, len(read(count))).c(), TruthOut::new(flag).c(), statuses_out(array_of_statuses)) });
export!([MPI_Testany(mpi_testany_ mpi_testany_f08_) PMPI_Testany(pmpi_testany_ pmpi_testany_f08_)]
    (count: *const i32, array_of_requests: *mut i32, indx: *mut i32, flag: *mut i32, status: *mut Status, ierror: *mut i32) ierror on {}
    { call(read(count), HandlesInOut::<A, Request>::new(array_of_requests, len(read(count))).c(), Position::new(indx).c(), TruthOut::new(flag).c(), status_out(status)) });
export!([MPI_Testsome(mpi_testsome_ mpi_testsome_f08_) PMPI_Testsome(pmpi_testsome_ pmpi_testsome_f08_)]
    (incount: *const i32, array_of_requests: *mut i32, outcount: *mut i32, array_of_indices: *mut i32, array_of_statuses: *mut Status, ierror: *mut i32) ierror on {}
    { call(read(incount), HandlesInOut::<A, Request>::new(array_of_requests, len(read(incount))).c(), outcount, Positions::new(array_of_indices, len(read(incount))).c(), statuses_out(array_of_statuses)) });
export!([MPI_Topo_test(mpi_topo_test_ mpi_topo_test_f08_) PMPI_Topo_test(pmpi_topo_test_ pmpi_topo_test_f08_)]
    (comm: *const i32, status: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), status) });
export!([MPI_Type_commit(mpi_type_commit_ mpi_type_commit_f08_) PMPI_Type_commit(pmpi_type_commit_ pmpi_type_commit_f08_)]
    (datatype: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, Datatype>::new(datatype).c()) });
export!([MPI_Type_contiguous(mpi_type_contiguous_ mpi_type_contiguous_f08_) PMPI_Type_contiguous(pmpi_type_contiguous_ pmpi_type_contiguous_f08_)]
    (count: *const i32, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_contiguous_c(mpi_type_contiguous_c_f08_) PMPI_Type_contiguous_c(pmpi_type_contiguous_c_f08_)]
    (count: *const i64, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_darray(mpi_type_create_darray_ mpi_type_create_darray_f08_) PMPI_Type_create_darray(pmpi_type_create_darray_ pmpi_type_create_darray_f08_)]
    (size: *const i32, rank: *const i32, ndims: *const i32, array_of_gsizes: *const i32, array_of_distribs: *const i32, array_of_dargs: *const i32, array_of_psizes: *const i32, order: *const i32, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(size), read(rank), read(ndims), array_of_gsizes, array_of_distribs, array_of_dargs, array_of_psizes, read(order), handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_darray_c(mpi_type_create_darray_c_f08_) PMPI_Type_create_darray_c(pmpi_type_create_darray_c_f08_)]
    (size: *const i32, rank: *const i32, ndims: *const i32, array_of_gsizes: *const i64, array_of_distribs: *const i32, array_of_dargs: *const i32, array_of_psizes: *const i32, order: *const i32, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(size), read(rank), read(ndims), array_of_gsizes, array_of_distribs, array_of_dargs, array_of_psizes, read(order), handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_f90_complex(mpi_type_create_f90_complex_ mpi_type_create_f90_complex_f08_) PMPI_Type_create_f90_complex(pmpi_type_create_f90_complex_ pmpi_type_create_f90_complex_f08_)]
    (p: *const i32, r: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(p), read(r), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_f90_integer(mpi_type_create_f90_integer_ mpi_type_create_f90_integer_f08_) PMPI_Type_create_f90_integer(pmpi_type_create_f90_integer_ pmpi_type_create_f90_integer_f08_)]
    (r: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(r), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_f90_real(mpi_type_create_f90_real_ mpi_type_create_f90_real_f08_) PMPI_Type_create_f90_real(pmpi_type_create_f90_real_ pmpi_type_create_f90_real_f08_)]
    (p: *const i32, r: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(p), read(r), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_hindexed(mpi_type_create_hindexed_ mpi_type_create_hindexed_f08_) PMPI_Type_create_hindexed(pmpi_type_create_hindexed_ pmpi_type_create_hindexed_f08_)]
    (count: *const i32, array_of_blocklengths: *const i32, array_of_displacements: *const i64, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), array_of_blocklengths, array_of_displacements, handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_hindexed_block(mpi_type_create_hindexed_block_ mpi_type_create_hindexed_block_f08_) PMPI_Type_create_hindexed_block(pmpi_type_create_hindexed_block_ pmpi_type_create_hindexed_block_f08_)]
    (count: *const i32, blocklength: *const i32, array_of_displacements: *const i64, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), read(blocklength), array_of_displacements, handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_hindexed_block_c(mpi_type_create_hindexed_block_c_f08_) PMPI_Type_create_hindexed_block_c(pmpi_type_create_hindexed_block_c_f08_)]
    (count: *const i64, blocklength: *const i64, array_of_displacements: *const i64, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), read(blocklength), array_of_displacements, handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_hindexed_c(mpi_type_create_hindexed_c_f08_) PMPI_Type_create_hindexed_c(pmpi_type_create_hindexed_c_f08_)]
    (count: *const i64, array_of_blocklengths: *const i64, array_of_displacements: *const i64, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), array_of_blocklengths, array_of_displacements, handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_hvector(mpi_type_create_hvector_ mpi_type_create_hvector_f08_) PMPI_Type_create_hvector(pmpi_type_create_hvector_ pmpi_type_create_hvector_f08_)]
    (count: *const i32, blocklength: *const i32, stride: *const i64, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), read(blocklength), read(stride), handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_hvector_c(mpi_type_create_hvector_c_f08_) PMPI_Type_create_hvector_c(pmpi_type_create_hvector_c_f08_)]
    (count: *const i64, blocklength: *const i64, stride: *const i64, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), read(blocklength), read(stride), handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_indexed_block(mpi_type_create_indexed_block_ mpi_type_create_indexed_block_f08_) PMPI_Type_create_indexed_block(pmpi_type_create_indexed_block_ pmpi_type_create_indexed_block_f08_)]
    (count: *const i32, blocklength: *const i32, array_of_displacements: *const i32, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), read(blocklength), array_of_displacements, handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_indexed_block_c(mpi_type_create_indexed_block_c_f08_) PMPI_Type_create_indexed_block_c(pmpi_type_create_indexed_block_c_f08_)]
    (count: *const i64, blocklength: *const i64, array_of_displacements: *const i64, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), read(blocklength), array_of_displacements, handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_resized(mpi_type_create_resized_ mpi_type_create_resized_f08_) PMPI_Type_create_resized(pmpi_type_create_resized_ pmpi_type_create_resized_f08_)]
    (oldtype: *const i32, lb: *const i64, extent: *const i64, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(oldtype)), read(lb), read(extent), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_resized_c(mpi_type_create_resized_c_f08_) PMPI_Type_create_resized_c(pmpi_type_create_resized_c_f08_)]
    (oldtype: *const i32, lb: *const i64, extent: *const i64, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(oldtype)), read(lb), read(extent), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_struct(mpi_type_create_struct_ mpi_type_create_struct_f08_) PMPI_Type_create_struct(pmpi_type_create_struct_ pmpi_type_create_struct_f08_)]
    (count: *const i32, array_of_blocklengths: *const i32, array_of_displacements: *const i64, array_of_types: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), array_of_blocklengths, array_of_displacements, Handles::<A, Datatype>::new(array_of_types, len(read(count))).c(), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_struct_c(mpi_type_create_struct_c_f08_) PMPI_Type_create_struct_c(pmpi_type_create_struct_c_f08_)]
    (count: *const i64, array_of_blocklengths: *const i64, array_of_displacements: *const i64, array_of_types: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), array_of_blocklengths, array_of_displacements, Handles::<A, Datatype>::new(array_of_types, len(read(count))).c(), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_subarray(mpi_type_create_subarray_ mpi_type_create_subarray_f08_) PMPI_Type_create_subarray(pmpi_type_create_subarray_ pmpi_type_create_subarray_f08_)]
    (ndims: *const i32, array_of_sizes: *const i32, array_of_subsizes: *const i32, array_of_starts: *const i32, order: *const i32, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(ndims), array_of_sizes, array_of_subsizes, array_of_starts, read(order), handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_create_subarray_c(mpi_type_create_subarray_c_f08_) PMPI_Type_create_subarray_c(pmpi_type_create_subarray_c_f08_)]
    (ndims: *const i32, array_of_sizes: *const i64, array_of_subsizes: *const i64, array_of_starts: *const i64, order: *const i32, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(ndims), array_of_sizes, array_of_subsizes, array_of_starts, read(order), handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_delete_attr(mpi_type_delete_attr_ mpi_type_delete_attr_f08_) PMPI_Type_delete_attr(pmpi_type_delete_attr_ pmpi_type_delete_attr_f08_)]
    (datatype: *const i32, type_keyval: *const i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(datatype)), read(type_keyval)) });
export!([MPI_Type_dup(mpi_type_dup_ mpi_type_dup_f08_) PMPI_Type_dup(pmpi_type_dup_ pmpi_type_dup_f08_)]
    (oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_free(mpi_type_free_ mpi_type_free_f08_) PMPI_Type_free(pmpi_type_free_ pmpi_type_free_f08_)]
    (datatype: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, Datatype>::new(datatype).c()) });
export!([MPI_Type_free_keyval(mpi_type_free_keyval_ mpi_type_free_keyval_f08_) PMPI_Type_free_keyval(pmpi_type_free_keyval_ pmpi_type_free_keyval_f08_)]
    (type_keyval: *mut i32, ierror: *mut i32) ierror on {}
    { call(type_keyval) });
export!([MPI_Type_get_contents(mpi_type_get_contents_ mpi_type_get_contents_f08_) PMPI_Type_get_contents(pmpi_type_get_contents_ pmpi_type_get_contents_f08_)]
    (datatype: *const i32, max_integers: *const i32, max_addresses: *const i32, max_datatypes: *const i32, array_of_integers: *mut i32, array_of_addresses: *mut i64, array_of_datatypes: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(datatype)), read(max_integers), read(max_addresses), read(max_datatypes), array_of_integers, array_of_addresses, HandlesOut::<A, Datatype>::new(array_of_datatypes, len(read(max_datatypes))).c()) });
export!([MPI_Type_get_contents_c(mpi_type_get_contents_c_f08_) PMPI_Type_get_contents_c(pmpi_type_get_contents_c_f08_)]
    (datatype: *const i32, max_integers: *const i64, max_addresses: *const i64, max_large_counts: *const i64, max_datatypes: *const i64, array_of_integers: *mut i32, array_of_addresses: *mut i64, array_of_large_counts: *mut i64, array_of_datatypes: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(datatype)), read(max_integers), read(max_addresses), read(max_large_counts), read(max_datatypes), array_of_integers, array_of_addresses, array_of_large_counts, HandlesOut::<A, Datatype>::new(array_of_datatypes, len(read(max_datatypes))).c()) });
export!([MPI_Type_get_envelope(mpi_type_get_envelope_ mpi_type_get_envelope_f08_) PMPI_Type_get_envelope(pmpi_type_get_envelope_ pmpi_type_get_envelope_f08_)]
    (datatype: *const i32, num_integers: *mut i32, num_addresses: *mut i32, num_datatypes: *mut i32, combiner: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(datatype)), num_integers, num_addresses, num_datatypes, combiner) });
export!([MPI_Type_get_envelope_c(mpi_type_get_envelope_c_f08_) PMPI_Type_get_envelope_c(pmpi_type_get_envelope_c_f08_)]
    (datatype: *const i32, num_integers: *mut i64, num_addresses: *mut i64, num_large_counts: *mut i64, num_datatypes: *mut i64, combiner: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(datatype)), num_integers, num_addresses, num_large_counts, num_datatypes, combiner) });
export!([MPI_Type_get_extent(mpi_type_get_extent_ mpi_type_get_extent_f08_) PMPI_Type_get_extent(pmpi_type_get_extent_ pmpi_type_get_extent_f08_)]
    (datatype: *const i32, lb: *mut i64, extent: *mut i64, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(datatype)), lb, extent) });
export!([MPI_Type_get_extent_c(mpi_type_get_extent_c_f08_) PMPI_Type_get_extent_c(pmpi_type_get_extent_c_f08_)]
    (datatype: *const i32, lb: *mut i64, extent: *mut i64, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(datatype)), lb, extent) });
export!([MPI_Type_get_extent_x(mpi_type_get_extent_x_ mpi_type_get_extent_x_f08_) PMPI_Type_get_extent_x(pmpi_type_get_extent_x_ pmpi_type_get_extent_x_f08_)]
    (datatype: *const i32, lb: *mut i64, extent: *mut i64, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(datatype)), lb, extent) });
export!([MPI_Type_get_true_extent(mpi_type_get_true_extent_ mpi_type_get_true_extent_f08_) PMPI_Type_get_true_extent(pmpi_type_get_true_extent_ pmpi_type_get_true_extent_f08_)]
    (datatype: *const i32, true_lb: *mut i64, true_extent: *mut i64, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(datatype)), true_lb, true_extent) });
export!([MPI_Type_get_true_extent_c(mpi_type_get_true_extent_c_f08_) PMPI_Type_get_true_extent_c(pmpi_type_get_true_extent_c_f08_)]
    (datatype: *const i32, true_lb: *mut i64, true_extent: *mut i64, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(datatype)), true_lb, true_extent) });
export!([MPI_Type_get_true_extent_x(mpi_type_get_true_extent_x_ mpi_type_get_true_extent_x_f08_) PMPI_Type_get_true_extent_x(pmpi_type_get_true_extent_x_ pmpi_type_get_true_extent_x_f08_)]
    (datatype: *const i32, true_lb: *mut i64, true_extent: *mut i64, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(datatype)), true_lb, true_extent) });
export!([MPI_Type_get_value_index(mpi_type_get_value_index_ mpi_type_get_value_index_f08_) PMPI_Type_get_value_index(pmpi_type_get_value_index_ pmpi_type_get_value_index_f08_)]
    (value_type: *const i32, index_type: *const i32, pair_type: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(value_type)), handle_in::<A, Datatype>(read(index_type)), HandleOut::<A, Datatype>::new(pair_type).c()) });
export!([MPI_Type_indexed(mpi_type_indexed_ mpi_type_indexed_f08_) PMPI_Type_indexed(pmpi_type_indexed_ pmpi_type_indexed_f08_)]
    (count: *const i32, array_of_blocklengths: *const i32, array_of_displacements: *const i32, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), array_of_blocklengths, array_of_displacements, handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_indexed_c(mpi_type_indexed_c_f08_) PMPI_Type_indexed_c(pmpi_type_indexed_c_f08_)]
    (count: *const i64, array_of_blocklengths: *const i64, array_of_displacements: *const i64, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), array_of_blocklengths, array_of_displacements, handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_match_size(mpi_type_match_size_ mpi_type_match_size_f08_) PMPI_Type_match_size(pmpi_type_match_size_ pmpi_type_match_size_f08_)]
    (typeclass: *const i32, size: *const i32, datatype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(typeclass), read(size), HandleOut::<A, Datatype>::new(datatype).c()) });
export!([MPI_Type_set_name(mpi_type_set_name_ mpi_type_set_name_f08_) PMPI_Type_set_name(pmpi_type_set_name_ pmpi_type_set_name_f08_)]
    (datatype: *const i32, type_name: *const u8, ierror: *mut i32, type_name_len: usize) ierror on {}
    { call(handle_in::<A, Datatype>(read(datatype)), Text::new(type_name, type_name_len, false).c()) });
export!([MPI_Type_size(mpi_type_size_ mpi_type_size_f08_) PMPI_Type_size(pmpi_type_size_ pmpi_type_size_f08_)]
    (datatype: *const i32, size: *mut i32, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(datatype)), size) });
export!([MPI_Type_size_c(mpi_type_size_c_f08_) PMPI_Type_size_c(pmpi_type_size_c_f08_)]
    (datatype: *const i32, size: *mut i64, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(datatype)), size) });
export!([MPI_Type_size_x(mpi_type_size_x_ mpi_type_size_x_f08_) PMPI_Type_size_x(pmpi_type_size_x_ pmpi_type_size_x_f08_)]
    (datatype: *const i32, size: *mut i64, ierror: *mut i32) ierror on {}
    { call(handle_in::<A, Datatype>(read(datatype)), size) });
export!([MPI_Type_vector(mpi_type_vector_ mpi_type_vector_f08_) PMPI_Type_vector(pmpi_type_vector_ pmpi_type_vector_f08_)]
    (count: *const i32, blocklength: *const i32, stride: *const i32, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), read(blocklength), read(stride), handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Type_vector_c(mpi_type_vector_c_f08_) PMPI_Type_vector_c(pmpi_type_vector_c_f08_)]
    (count: *const i64, blocklength: *const i64, stride: *const i64, oldtype: *const i32, newtype: *mut i32, ierror: *mut i32) ierror on {}
    { call(read(count), read(blocklength), read(stride), handle_in::<A, Datatype>(read(oldtype)), HandleOut::<A, Datatype>::new(newtype).c()) });
export!([MPI_Unpack(mpi_unpack_ mpi_unpack_f08_) PMPI_Unpack(pmpi_unpack_ pmpi_unpack_f08_)]
    (inbuf: *mut c_void, insize: *const i32, position: *mut i32, outbuf: *mut c_void, outcount: *const i32, datatype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(inbuf), read(insize), position, buffer_in::<A, _>(outbuf), read(outcount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Unpack(mpi_unpack_f08ts_) PMPI_Unpack(pmpi_unpack_f08ts_)]
    (inbuf: *const Descriptor, insize: *const i32, position: *mut i32, outbuf: *const Descriptor, outcount: *const i32, datatype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let inbuf = Buffer::whole(inbuf, Use::Now); if let Some(why) = inbuf.refusal() { return refuse("MPI_Unpack", handle_in::<A, Comm>(read(comm)), why); } let outbuf = Buffer::elements(outbuf, Use::Now, read(outcount), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = outbuf.refusal() { return refuse("MPI_Unpack", handle_in::<A, Comm>(read(comm)), why); } call(inbuf.address(), read(insize), position, outbuf.address(), outbuf.count(read(outcount)), outbuf.datatype(handle_in::<A, Datatype>(read(datatype))), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Unpack_c(mpi_unpack_c_f08_) PMPI_Unpack_c(pmpi_unpack_c_f08_)]
    (inbuf: *mut c_void, insize: *const i64, position: *mut i64, outbuf: *mut c_void, outcount: *const i64, datatype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(inbuf), read(insize), position, buffer_in::<A, _>(outbuf), read(outcount), handle_in::<A, Datatype>(read(datatype)), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Unpack_c(mpi_unpack_c_f08ts_) PMPI_Unpack_c(pmpi_unpack_c_f08ts_)]
    (inbuf: *const Descriptor, insize: *const i64, position: *mut i64, outbuf: *const Descriptor, outcount: *const i64, datatype: *const i32, comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let inbuf = Buffer::whole(inbuf, Use::Now); if let Some(why) = inbuf.refusal() { return refuse("MPI_Unpack_c", handle_in::<A, Comm>(read(comm)), why); } let outbuf = Buffer::elements(outbuf, Use::Now, read(outcount), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = outbuf.refusal() { return refuse("MPI_Unpack_c", handle_in::<A, Comm>(read(comm)), why); } call(inbuf.address(), read(insize), position, outbuf.address(), outbuf.count(read(outcount)), outbuf.datatype(handle_in::<A, Datatype>(read(datatype))), handle_in::<A, Comm>(read(comm))) });
export!([MPI_Unpack_external(mpi_unpack_external_ mpi_unpack_external_f08_) PMPI_Unpack_external(pmpi_unpack_external_ pmpi_unpack_external_f08_)]
    (datarep: *const u8, inbuf: *mut c_void, insize: *const i64, position: *mut i64, outbuf: *mut c_void, outcount: *const i32, datatype: *const i32, ierror: *mut i32, datarep_len: usize) ierror on {}
    { call(Text::new(datarep, datarep_len, false).c(), buffer_in::<A, _>(inbuf), read(insize), position, buffer_in::<A, _>(outbuf), read(outcount), handle_in::<A, Datatype>(read(datatype))) });
export!([MPI_Unpack_external(mpi_unpack_external_f08ts_) PMPI_Unpack_external(pmpi_unpack_external_f08ts_)]
    (datarep: *const Descriptor, inbuf: *const Descriptor, insize: *const i64, position: *mut i64, outbuf: *const Descriptor, outcount: *const i32, datatype: *const i32, ierror: *mut i32) ierror on {}
    { let inbuf = Buffer::whole(inbuf, Use::Now); if let Some(why) = inbuf.refusal() { return refuse("MPI_Unpack_external", (), why); } let outbuf = Buffer::elements(outbuf, Use::Now, read(outcount), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = outbuf.refusal() { return refuse("MPI_Unpack_external", (), why); } call(Text::described(datarep).c(), inbuf.address(), read(insize), position, outbuf.address(), outbuf.count(read(outcount)), outbuf.datatype(handle_in::<A, Datatype>(read(datatype)))) });
export!([MPI_Unpack_external_c(mpi_unpack_external_c_f08_) PMPI_Unpack_external_c(pmpi_unpack_external_c_f08_)]
    (datarep: *const u8, inbuf: *mut c_void, insize: *const i64, position: *mut i64, outbuf: *mut c_void, outcount: *const i64, datatype: *const i32, ierror: *mut i32, datarep_len: usize) ierror on {}
    { call(Text::new(datarep, datarep_len, false).c(), buffer_in::<A, _>(inbuf), read(insize), position, buffer_in::<A, _>(outbuf), read(outcount), handle_in::<A, Datatype>(read(datatype))) });
export!([MPI_Unpack_external_c(mpi_unpack_external_c_f08ts_) PMPI_Unpack_external_c(pmpi_unpack_external_c_f08ts_)]
    (datarep: *const Descriptor, inbuf: *const Descriptor, insize: *const i64, position: *mut i64, outbuf: *const Descriptor, outcount: *const i64, datatype: *const i32, ierror: *mut i32) ierror on {}
    { let inbuf = Buffer::whole(inbuf, Use::Now); if let Some(why) = inbuf.refusal() { return refuse("MPI_Unpack_external_c", (), why); } let outbuf = Buffer::elements(outbuf, Use::Now, read(outcount), handle_in::<A, Datatype>(read(datatype))); if let Some(why) = outbuf.refusal() { return refuse("MPI_Unpack_external_c", (), why); } call(Text::described(datarep).c(), inbuf.address(), read(insize), position, outbuf.address(), outbuf.count(read(outcount)), outbuf.datatype(handle_in::<A, Datatype>(read(datatype)))) });
export!([MPI_Unpublish_name(mpi_unpublish_name_ mpi_unpublish_name_f08_) PMPI_Unpublish_name(pmpi_unpublish_name_ pmpi_unpublish_name_f08_)]
    (service_name: *const u8, info: *const i32, port_name: *const u8, ierror: *mut i32, service_name_len: usize, port_name_len: usize) ierror on {}
    { call(Text::new(service_name, service_name_len, false).c(), handle_in::<A, Info>(read(info)), Text::new(port_name, port_name_len, false).c()) });
export!([MPI_Wait(mpi_wait_ mpi_wait_f08_) PMPI_Wait(pmpi_wait_ pmpi_wait_f08_)]
    (request: *mut i32, status: *mut Status, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, Request>::new(request).c(), status_out(status)) });
export!([MPI_Waitall(mpi_waitall_ mpi_waitall_f08_) PMPI_Waitall(pmpi_waitall_ pmpi_waitall_f08_)]
    (count: *const i32, array_of_requests: *mut i32, array_of_statuses: *mut Status, ierror: *mut i32) ierror on {}
    { call(read(count), HandlesInOut::<A, Request>::new(array_of_requests, len(read(count))).c(), statuses_out(array_of_statuses)) });
export!([MPI_Waitany(mpi_waitany_ mpi_waitany_f08_) PMPI_Waitany(pmpi_waitany_ pmpi_waitany_f08_)]
    (count: *const i32, array_of_requests: *mut i32, indx: *mut i32, status: *mut Status, ierror: *mut i32) ierror on {}
    { call(read(count), HandlesInOut::<A, Request>::new(array_of_requests, len(read(count))).c(), Position::new(indx).c(), status_out(status)) });
export!([MPI_Waitsome(mpi_waitsome_ mpi_waitsome_f08_) PMPI_Waitsome(pmpi_waitsome_ pmpi_waitsome_f08_)]
    (incount: *const i32, array_of_requests: *mut i32, outcount: *mut i32, array_of_indices: *mut i32, array_of_statuses: *mut Status, ierror: *mut i32) ierror on {}
    { call(read(incount), HandlesInOut::<A, Request>::new(array_of_requests, len(read(incount))).c(), outcount, Positions::new(array_of_indices, len(read(incount))).c(), statuses_out(array_of_statuses)) });
export!([MPI_Win_allocate(mpi_win_allocate_ mpi_win_allocate_cptr_ mpi_win_allocate_f08_) PMPI_Win_allocate(pmpi_win_allocate_ pmpi_win_allocate_cptr_ pmpi_win_allocate_f08_)]
    (size: *const i64, disp_unit: *const i32, info: *const i32, comm: *const i32, baseptr: *mut c_void, win: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(read(size), read(disp_unit), handle_in::<A, Info>(read(info)), handle_in::<A, Comm>(read(comm)), baseptr, HandleOut::<A, Win>::new(win).c()) });
export!([MPI_Win_allocate_c(mpi_win_allocate_c_f08_) PMPI_Win_allocate_c(pmpi_win_allocate_c_f08_)]
    (size: *const i64, disp_unit: *const i64, info: *const i32, comm: *const i32, baseptr: *mut c_void, win: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(read(size), read(disp_unit), handle_in::<A, Info>(read(info)), handle_in::<A, Comm>(read(comm)), baseptr, HandleOut::<A, Win>::new(win).c()) });
export!([MPI_Win_allocate_shared(mpi_win_allocate_shared_ mpi_win_allocate_shared_cptr_ mpi_win_allocate_shared_f08_) PMPI_Win_allocate_shared(pmpi_win_allocate_shared_ pmpi_win_allocate_shared_cptr_ pmpi_win_allocate_shared_f08_)]
    (size: *const i64, disp_unit: *const i32, info: *const i32, comm: *const i32, baseptr: *mut c_void, win: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(read(size), read(disp_unit), handle_in::<A, Info>(read(info)), handle_in::<A, Comm>(read(comm)), baseptr, HandleOut::<A, Win>::new(win).c()) });
export!([MPI_Win_allocate_shared_c(mpi_win_allocate_shared_c_f08_) PMPI_Win_allocate_shared_c(pmpi_win_allocate_shared_c_f08_)]
    (size: *const i64, disp_unit: *const i64, info: *const i32, comm: *const i32, baseptr: *mut c_void, win: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(read(size), read(disp_unit), handle_in::<A, Info>(read(info)), handle_in::<A, Comm>(read(comm)), baseptr, HandleOut::<A, Win>::new(win).c()) });
export!([MPI_Win_attach(mpi_win_attach_ mpi_win_attach_f08_) PMPI_Win_attach(pmpi_win_attach_ pmpi_win_attach_f08_)]
    (win: *const i32, base: *mut c_void, size: *const i64, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win)), buffer_in::<A, _>(base), read(size)) });
export!([MPI_Win_attach(mpi_win_attach_f08ts_) PMPI_Win_attach(pmpi_win_attach_f08ts_)]
    (win: *const i32, base: *const Descriptor, size: *const i64, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let base = Buffer::whole(base, Use::Later); if let Some(why) = base.refusal() { return refuse("MPI_Win_attach", handle_in::<A, Win>(read(win)), why); } call(handle_in::<A, Win>(read(win)), base.address(), read(size)) });
export!([MPI_Win_call_errhandler(mpi_win_call_errhandler_ mpi_win_call_errhandler_f08_) PMPI_Win_call_errhandler(pmpi_win_call_errhandler_ pmpi_win_call_errhandler_f08_)]
    (win: *const i32, errorcode: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win)), read(errorcode)) });
export!([MPI_Win_complete(mpi_win_complete_ mpi_win_complete_f08_) PMPI_Win_complete(pmpi_win_complete_ pmpi_win_complete_f08_)]
    (win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win))) });
export!([MPI_Win_create(mpi_win_create_ mpi_win_create_f08_) PMPI_Win_create(pmpi_win_create_ pmpi_win_create_f08_)]
    (base: *mut c_void, size: *const i64, disp_unit: *const i32, info: *const i32, comm: *const i32, win: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(base), read(size), read(disp_unit), handle_in::<A, Info>(read(info)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Win>::new(win).c()) });
export!([MPI_Win_create(mpi_win_create_f08ts_) PMPI_Win_create(pmpi_win_create_f08ts_)]
    (base: *const Descriptor, size: *const i64, disp_unit: *const i32, info: *const i32, comm: *const i32, win: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let base = Buffer::whole(base, Use::Later); if let Some(why) = base.refusal() { return refuse("MPI_Win_create", handle_in::<A, Comm>(read(comm)), why); } call(base.address(), read(size), read(disp_unit), handle_in::<A, Info>(read(info)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Win>::new(win).c()) });
export!([MPI_Win_create_c(mpi_win_create_c_f08_) PMPI_Win_create_c(pmpi_win_create_c_f08_)]
    (base: *mut c_void, size: *const i64, disp_unit: *const i64, info: *const i32, comm: *const i32, win: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(buffer_in::<A, _>(base), read(size), read(disp_unit), handle_in::<A, Info>(read(info)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Win>::new(win).c()) });
export!([MPI_Win_create_c(mpi_win_create_c_f08ts_) PMPI_Win_create_c(pmpi_win_create_c_f08ts_)]
    (base: *const Descriptor, size: *const i64, disp_unit: *const i64, info: *const i32, comm: *const i32, win: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { let base = Buffer::whole(base, Use::Later); if let Some(why) = base.refusal() { return refuse("MPI_Win_create_c", handle_in::<A, Comm>(read(comm)), why); } call(base.address(), read(size), read(disp_unit), handle_in::<A, Info>(read(info)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Win>::new(win).c()) });
export!([MPI_Win_create_dynamic(mpi_win_create_dynamic_ mpi_win_create_dynamic_f08_) PMPI_Win_create_dynamic(pmpi_win_create_dynamic_ pmpi_win_create_dynamic_f08_)]
    (info: *const i32, comm: *const i32, win: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Info>(read(info)), handle_in::<A, Comm>(read(comm)), HandleOut::<A, Win>::new(win).c()) });
export!([MPI_Win_delete_attr(mpi_win_delete_attr_ mpi_win_delete_attr_f08_) PMPI_Win_delete_attr(pmpi_win_delete_attr_ pmpi_win_delete_attr_f08_)]
    (win: *const i32, win_keyval: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win)), read(win_keyval)) });
export!([MPI_Win_detach(mpi_win_detach_ mpi_win_detach_f08_) PMPI_Win_detach(pmpi_win_detach_ pmpi_win_detach_f08_)]
    (win: *const i32, base: *mut c_void, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win)), buffer_in::<A, _>(base)) });
export!([MPI_Win_detach(mpi_win_detach_f08ts_) PMPI_Win_detach(pmpi_win_detach_f08ts_)]
    (win: *const i32, base: *const Descriptor, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { let base = Buffer::first(base); if let Some(why) = base.refusal() { return refuse("MPI_Win_detach", handle_in::<A, Win>(read(win)), why); } call(handle_in::<A, Win>(read(win)), base.address()) });
export!([MPI_Win_fence(mpi_win_fence_ mpi_win_fence_f08_) PMPI_Win_fence(pmpi_win_fence_ pmpi_win_fence_f08_)]
    (assert: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(read(assert), handle_in::<A, Win>(read(win))) });
export!([MPI_Win_flush(mpi_win_flush_ mpi_win_flush_f08_) PMPI_Win_flush(pmpi_win_flush_ pmpi_win_flush_f08_)]
    (rank: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(read(rank), handle_in::<A, Win>(read(win))) });
export!([MPI_Win_flush_all(mpi_win_flush_all_ mpi_win_flush_all_f08_) PMPI_Win_flush_all(pmpi_win_flush_all_ pmpi_win_flush_all_f08_)]
    (win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win))) });
export!([MPI_Win_flush_local(mpi_win_flush_local_ mpi_win_flush_local_f08_) PMPI_Win_flush_local(pmpi_win_flush_local_ pmpi_win_flush_local_f08_)]
    (rank: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(read(rank), handle_in::<A, Win>(read(win))) });
export!([MPI_Win_flush_local_all(mpi_win_flush_local_all_ mpi_win_flush_local_all_f08_) PMPI_Win_flush_local_all(pmpi_win_flush_local_all_ pmpi_win_flush_local_all_f08_)]
    (win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win))) });
export!([MPI_Win_free(mpi_win_free_ mpi_win_free_f08_) PMPI_Win_free(pmpi_win_free_ pmpi_win_free_f08_)]
    (win: *mut i32, ierror: *mut i32) ierror on {}
    { call(HandleInOut::<A, Win>::new(win).c()) });
export!([MPI_Win_free_keyval(mpi_win_free_keyval_ mpi_win_free_keyval_f08_) PMPI_Win_free_keyval(pmpi_win_free_keyval_ pmpi_win_free_keyval_f08_)]
    (win_keyval: *mut i32, ierror: *mut i32) ierror on {}
    { call(win_keyval) });
export!([MPI_Win_get_errhandler(mpi_win_get_errhandler_ mpi_win_get_errhandler_f08_) PMPI_Win_get_errhandler(pmpi_win_get_errhandler_ pmpi_win_get_errhandler_f08_)]
    (win: *const i32, errhandler: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win)), HandleOut::<A, Errhandler>::new(errhandler).c()) });
export!([MPI_Win_get_group(mpi_win_get_group_ mpi_win_get_group_f08_) PMPI_Win_get_group(pmpi_win_get_group_ pmpi_win_get_group_f08_)]
    (win: *const i32, group: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win)), HandleOut::<A, Group>::new(group).c()) });
export!([MPI_Win_get_info(mpi_win_get_info_ mpi_win_get_info_f08_) PMPI_Win_get_info(pmpi_win_get_info_ pmpi_win_get_info_f08_)]
    (win: *const i32, info_used: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win)), HandleOut::<A, Info>::new(info_used).c()) });
export!([MPI_Win_get_name(mpi_win_get_name_ mpi_win_get_name_f08_) PMPI_Win_get_name(pmpi_win_get_name_ pmpi_win_get_name_f08_)]
    (win: *const i32, win_name: *mut u8, resultlen: *mut i32, ierror: *mut i32, win_name_len: usize) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win)), CharacterOut::new(win_name, win_name_len, MPI_MAX_OBJECT_NAME as usize).c(), resultlen) });
export!([MPI_Win_lock(mpi_win_lock_ mpi_win_lock_f08_) PMPI_Win_lock(pmpi_win_lock_ pmpi_win_lock_f08_)]
    (lock_type: *const i32, rank: *const i32, assert: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(read(lock_type), read(rank), read(assert), handle_in::<A, Win>(read(win))) });
export!([MPI_Win_lock_all(mpi_win_lock_all_ mpi_win_lock_all_f08_) PMPI_Win_lock_all(pmpi_win_lock_all_ pmpi_win_lock_all_f08_)]
    (assert: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(read(assert), handle_in::<A, Win>(read(win))) });
export!([MPI_Win_post(mpi_win_post_ mpi_win_post_f08_) PMPI_Win_post(pmpi_win_post_ pmpi_win_post_f08_)]
    (group: *const i32, assert: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Group>(read(group)), read(assert), handle_in::<A, Win>(read(win))) });
export!([MPI_Win_set_errhandler(mpi_win_set_errhandler_ mpi_win_set_errhandler_f08_) PMPI_Win_set_errhandler(pmpi_win_set_errhandler_ pmpi_win_set_errhandler_f08_)]
    (win: *const i32, errhandler: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win)), handle_in::<A, Errhandler>(read(errhandler))) });
export!([MPI_Win_set_info(mpi_win_set_info_ mpi_win_set_info_f08_) PMPI_Win_set_info(pmpi_win_set_info_ pmpi_win_set_info_f08_)]
    (win: *const i32, info: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win)), handle_in::<A, Info>(read(info))) });
export!([MPI_Win_set_name(mpi_win_set_name_ mpi_win_set_name_f08_) PMPI_Win_set_name(pmpi_win_set_name_ pmpi_win_set_name_f08_)]
    (win: *const i32, win_name: *const u8, ierror: *mut i32, win_name_len: usize) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win)), Text::new(win_name, win_name_len, false).c()) });
export!([MPI_Win_shared_query(mpi_win_shared_query_ mpi_win_shared_query_cptr_ mpi_win_shared_query_f08_) PMPI_Win_shared_query(pmpi_win_shared_query_ pmpi_win_shared_query_cptr_ pmpi_win_shared_query_f08_)]
    (win: *const i32, rank: *const i32, size: *mut i64, disp_unit: *mut i32, baseptr: *mut c_void, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win)), read(rank), size, disp_unit, baseptr) });
export!([MPI_Win_shared_query_c(mpi_win_shared_query_c_f08_) PMPI_Win_shared_query_c(pmpi_win_shared_query_c_f08_)]
    (win: *const i32, rank: *const i32, size: *mut i64, disp_unit: *mut i64, baseptr: *mut c_void, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win)), read(rank), size, disp_unit, baseptr) });
export!([MPI_Win_start(mpi_win_start_ mpi_win_start_f08_) PMPI_Win_start(pmpi_win_start_ pmpi_win_start_f08_)]
    (group: *const i32, assert: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Group>(read(group)), read(assert), handle_in::<A, Win>(read(win))) });
export!([MPI_Win_sync(mpi_win_sync_ mpi_win_sync_f08_) PMPI_Win_sync(pmpi_win_sync_ pmpi_win_sync_f08_)]
    (win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win))) });
export!([MPI_Win_test(mpi_win_test_ mpi_win_test_f08_) PMPI_Win_test(pmpi_win_test_ pmpi_win_test_f08_)]
    (win: *const i32, flag: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win)), TruthOut::new(flag).c()) });
export!([MPI_Win_unlock(mpi_win_unlock_ mpi_win_unlock_f08_) PMPI_Win_unlock(pmpi_win_unlock_ pmpi_win_unlock_f08_)]
    (rank: *const i32, win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(read(rank), handle_in::<A, Win>(read(win))) });
export!([MPI_Win_unlock_all(mpi_win_unlock_all_ mpi_win_unlock_all_f08_) PMPI_Win_unlock_all(pmpi_win_unlock_all_ pmpi_win_unlock_all_f08_)]
    (win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win))) });
export!([MPI_Win_wait(mpi_win_wait_ mpi_win_wait_f08_) PMPI_Win_wait(pmpi_win_wait_ pmpi_win_wait_f08_)]
    (win: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Win>(read(win))}
    { call(handle_in::<A, Win>(read(win))) });
export!([MPIX_Comm_revoke(mpix_comm_revoke_ mpix_comm_revoke_f08_) PMPIX_Comm_revoke(pmpix_comm_revoke_ pmpix_comm_revoke_f08_)]
    (comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm))) });
export!([MPIX_Comm_is_revoked(mpix_comm_is_revoked_ mpix_comm_is_revoked_f08_) PMPIX_Comm_is_revoked(pmpix_comm_is_revoked_ pmpix_comm_is_revoked_f08_)]
    (comm: *const i32, flag: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), TruthOut::new(flag).c()) });
export!([MPIX_Comm_get_failed(mpix_comm_get_failed_ mpix_comm_get_failed_f08_) PMPIX_Comm_get_failed(pmpix_comm_get_failed_ pmpix_comm_get_failed_f08_)]
    (comm: *const i32, failedgrp: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), HandleOut::<A, Group>::new(failedgrp).c()) });
export!([MPIX_Comm_ack_failed(mpix_comm_ack_failed_ mpix_comm_ack_failed_f08_) PMPIX_Comm_ack_failed(pmpix_comm_ack_failed_ pmpix_comm_ack_failed_f08_)]
    (comm: *const i32, num_to_ack: *const i32, num_acked: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), read(num_to_ack), num_acked) });
export!([MPIX_Comm_failure_ack(mpix_comm_failure_ack_ mpix_comm_failure_ack_f08_) PMPIX_Comm_failure_ack(pmpix_comm_failure_ack_ pmpix_comm_failure_ack_f08_)]
    (comm: *const i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm))) });
export!([MPIX_Comm_failure_get_acked(mpix_comm_failure_get_acked_ mpix_comm_failure_get_acked_f08_) PMPIX_Comm_failure_get_acked(pmpix_comm_failure_get_acked_ pmpix_comm_failure_get_acked_f08_)]
    (comm: *const i32, failedgrp: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), HandleOut::<A, Group>::new(failedgrp).c()) });
export!([MPIX_Comm_agree(mpix_comm_agree_ mpix_comm_agree_f08_) PMPIX_Comm_agree(pmpix_comm_agree_ pmpix_comm_agree_f08_)]
    (comm: *const i32, flag: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), flag) });
export!([MPIX_Comm_iagree(mpix_comm_iagree_ mpix_comm_iagree_f08_) PMPIX_Comm_iagree(pmpix_comm_iagree_ pmpix_comm_iagree_f08_)]
    (comm: *const i32, flag: *mut i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), flag, HandleOut::<A, Request>::new(request).c()) });
export!([MPIX_Comm_shrink(mpix_comm_shrink_ mpix_comm_shrink_f08_) PMPIX_Comm_shrink(pmpix_comm_shrink_ pmpix_comm_shrink_f08_)]
    (comm: *const i32, newcomm: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), HandleOut::<A, Comm>::new(newcomm).c()) });
export!([MPIX_Comm_ishrink(mpix_comm_ishrink_ mpix_comm_ishrink_f08_) PMPIX_Comm_ishrink(pmpix_comm_ishrink_ pmpix_comm_ishrink_f08_)]
    (comm: *const i32, newcomm: *mut i32, request: *mut i32, ierror: *mut i32) ierror on {handle_in::<A, Comm>(read(comm))}
    { call(handle_in::<A, Comm>(read(comm)), HandleOut::<A, Comm>::new(newcomm).c(), HandleOut::<A, Request>::new(request).c()) });
