//! C arguments made into the typed values that a call takes.
//!
//! Made by `cargo xtask gen` from `spec/`; do not edit.

#![cfg_attr(rustfmt, rustfmt_skip)]

#![allow(unused_imports, clippy::redundant_closure)]

use std::ffi::{c_char, c_void};

use abi_state::args::{self, Bytes, Counts, Elements, In, InOut, InOutCount, InOutList};
use abi_state::args::{IntPtr, List};
use abi_state::args::{OpenCounts, OpenList, OpenOutList, Out, OutCount, OutList, OutText};
use abi_state::args::{Strings, StringsList, Text, TextList};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::generated::types::*;
use abi_state::status::{OutStatus, OutStatuses};
use mpi::SendMode;

use crate::calls;
use crate::calls::coll::{Listed, Typed};
use crate::entry::decode;

decode!(abi_get_fortran_booleans(logical_size: i32, logical_true: *mut c_void, logical_false: *mut c_void, is_set: *mut i32) {
    calls::abi_info::abi_get_fortran_booleans(Bytes::new(logical_true, i64::from(logical_size)), Bytes::new(logical_false, i64::from(logical_size)), Out::new(is_set, "is_set"))
});
decode!(abi_get_fortran_info(info: *mut Info) {
    calls::abi_info::abi_get_fortran_info(Out::new(info, "info"))
});
decode!(abi_get_info(info: *mut Info) {
    calls::abi_info::abi_get_info(Out::new(info, "info"))
});
decode!(abi_get_version(abi_major: *mut i32, abi_minor: *mut i32) {
    calls::env::abi_get_version(Out::new(abi_major, "abi_major"), Out::new(abi_minor, "abi_minor"))
});
decode!(abi_set_fortran_booleans(logical_size: i32, logical_true: *mut c_void, logical_false: *mut c_void) {
    calls::abi_info::abi_set_fortran_booleans(Bytes::new(logical_true, i64::from(logical_size)), Bytes::new(logical_false, i64::from(logical_size)))
});
decode!(accumulate(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win) {
    calls::rma::accumulate(Elements::new(origin_addr, origin_count, origin_datatype), target_rank, target_disp, target_count, target_datatype, op, win)
});
decode!(add_error_class(errorclass: *mut i32) {
    calls::errors::add_error_class(Out::new(errorclass, "errorclass"))
});
decode!(add_error_code(errorclass: i32, errorcode: *mut i32) {
    calls::errors::add_error_code(errorclass, Out::new(errorcode, "errorcode"))
});
decode!(add_error_string(errorcode: i32, string: *const std::ffi::c_char) {
    calls::errors::add_error_string(errorcode, Text::new(string, "string"))
});
decode!(allgather(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::moving::allgather(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype)))
});
decode!(allgather_init(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::moving::allgather(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype)))
});
decode!(allgatherv(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, displs: IntPtr, recvtype: Datatype, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::moving::allgather(comm, Elements::new(sendbuf, sendcount, sendtype), Listed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(displs, "displs"), recvtype)))
});
decode!(allgatherv_init(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, displs: IntPtr, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::moving::allgather(comm, Elements::new(sendbuf, sendcount, sendtype), Listed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(displs, "displs"), recvtype)))
});
decode!(alloc_mem(size: i64, info: Info, baseptr: *mut c_void) {
    calls::memory::alloc_mem(size, info, Out::new(baseptr.cast::<usize>(), "baseptr"))
});
decode!(allreduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::reducing::allreduce(comm, Elements::new(sendbuf, count, datatype), Elements::new(recvbuf, count, datatype), op))
});
decode!(allreduce_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::reducing::allreduce(comm, Elements::new(sendbuf, count, datatype), Elements::new(recvbuf, count, datatype), op))
});
decode!(alltoall(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::moving::alltoall(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype)))
});
decode!(alltoall_init(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::moving::alltoall(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype)))
});
decode!(alltoallv(sendbuf: *const c_void, sendcounts: IntPtr, sdispls: IntPtr, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, rdispls: IntPtr, recvtype: Datatype, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::moving::alltoall(comm, Listed::new(sendbuf, OpenCounts::new(sendcounts, "sendcounts"), OpenCounts::new(sdispls, "sdispls"), sendtype), Listed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(rdispls, "rdispls"), recvtype)))
});
decode!(alltoallv_init(sendbuf: *const c_void, sendcounts: IntPtr, sdispls: IntPtr, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, rdispls: IntPtr, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::moving::alltoall(comm, Listed::new(sendbuf, OpenCounts::new(sendcounts, "sendcounts"), OpenCounts::new(sdispls, "sdispls"), sendtype), Listed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(rdispls, "rdispls"), recvtype)))
});
decode!(alltoallw(sendbuf: *const c_void, sendcounts: IntPtr, sdispls: IntPtr, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, rdispls: IntPtr, recvtypes: *const Datatype, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::moving::alltoall(comm, Typed::new(sendbuf, OpenCounts::new(sendcounts, "sendcounts"), OpenCounts::new(sdispls, "sdispls"), OpenList::new(sendtypes, "sendtypes")), Typed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(rdispls, "rdispls"), OpenList::new(recvtypes, "recvtypes"))))
});
decode!(alltoallw_init(sendbuf: *const c_void, sendcounts: IntPtr, sdispls: IntPtr, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, rdispls: IntPtr, recvtypes: *const Datatype, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::moving::alltoall(comm, Typed::new(sendbuf, OpenCounts::new(sendcounts, "sendcounts"), OpenCounts::new(sdispls, "sdispls"), OpenList::new(sendtypes, "sendtypes")), Typed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(rdispls, "rdispls"), OpenList::new(recvtypes, "recvtypes"))))
});
decode!(attr_get(comm: Comm, keyval: i32, attribute_val: *mut c_void, flag: *mut i32) {
    calls::attr::attr_get(comm, keyval, Out::new(attribute_val.cast::<usize>(), "attribute_val"), Out::new(flag, "flag"))
});
decode!(barrier(comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::moving::barrier(comm))
});
decode!(barrier_init(comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::moving::barrier(comm))
});
decode!(bcast(buffer: *mut c_void, count: i64, datatype: Datatype, root: i32, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::moving::bcast(comm, Elements::new(buffer, count, datatype), root))
});
decode!(bcast_init(buffer: *mut c_void, count: i64, datatype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::moving::bcast(comm, Elements::new(buffer, count, datatype), root))
});
decode!(bsend(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) {
    calls::pt2pt::send(SendMode::Buffered, Elements::new(buf, count, datatype), dest, tag, comm)
});
decode!(bsend_init(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) {
    calls::pt2pt::send_init(SendMode::Buffered, Elements::new(buf, count, datatype), dest, tag, comm, Out::new(request, "request"))
});
decode!(buffer_attach(buffer: *mut c_void, size: i64) {
    calls::bsend::buffer_attach(Bytes::new(buffer, size))
});
decode!(buffer_detach(buffer_addr: *mut c_void, size: IntPtr) {
    calls::bsend::buffer_detach(Out::new(buffer_addr.cast::<usize>(), "buffer_addr"), OutCount::new(size, "size"))
});
decode!(buffer_iflush(request: *mut Request) {
    calls::bsend::buffer_iflush(Out::new(request, "request"))
});
decode!(cancel(request: *mut Request) {
    calls::request::cancel(InOut::new(request, "request"))
});
decode!(cart_coords(comm: Comm, rank: i32, maxdims: i32, coords: *mut i32) {
    calls::topo::cart_coords(comm, rank, maxdims, OutList::new(coords, i64::from(maxdims), "coords"))
});
decode!(cart_create(comm_old: Comm, ndims: i32, dims: *const i32, periods: *const i32, reorder: i32, comm_cart: *mut Comm) {
    calls::topo::cart_create(comm_old, ndims, List::new(dims, i64::from(ndims), "dims"), List::new(periods, i64::from(ndims), "periods"), reorder, Out::new(comm_cart, "comm_cart"))
});
decode!(cart_get(comm: Comm, maxdims: i32, dims: *mut i32, periods: *mut i32, coords: *mut i32) {
    calls::topo::cart_get(comm, maxdims, OutList::new(dims, i64::from(maxdims), "dims"), OutList::new(periods, i64::from(maxdims), "periods"), OutList::new(coords, i64::from(maxdims), "coords"))
});
decode!(cart_map(comm: Comm, ndims: i32, dims: *const i32, periods: *const i32, newrank: *mut i32) {
    calls::topo::cart_map(comm, ndims, List::new(dims, i64::from(ndims), "dims"), List::new(periods, i64::from(ndims), "periods"), Out::new(newrank, "newrank"))
});
decode!(cart_rank(comm: Comm, coords: *const i32, rank: *mut i32) {
    calls::topo::cart_rank(comm, OpenList::new(coords, "coords"), Out::new(rank, "rank"))
});
decode!(cart_shift(comm: Comm, direction: i32, disp: i32, rank_source: *mut i32, rank_dest: *mut i32) {
    calls::topo::cart_shift(comm, direction, disp, Out::new(rank_source, "rank_source"), Out::new(rank_dest, "rank_dest"))
});
decode!(cart_sub(comm: Comm, remain_dims: *const i32, newcomm: *mut Comm) {
    calls::topo::cart_sub(comm, OpenList::new(remain_dims, "remain_dims"), Out::new(newcomm, "newcomm"))
});
decode!(cartdim_get(comm: Comm, ndims: *mut i32) {
    calls::topo::cartdim_get(comm, Out::new(ndims, "ndims"))
});
decode!(close_port(port_name: *const std::ffi::c_char) {
    calls::port::close_port(Text::new(port_name, "port_name"))
});
decode!(comm_accept(port_name: *const std::ffi::c_char, info: Info, root: i32, comm: Comm, newcomm: *mut Comm) {
    calls::port::comm_accept(Text::new(port_name, "port_name"), info, root, comm, Out::new(newcomm, "newcomm"))
});
decode!(comm_attach_buffer(comm: Comm, buffer: *mut c_void, size: i64) {
    calls::bsend::comm_attach_buffer(comm, Bytes::new(buffer, size))
});
decode!(comm_compare(comm1: Comm, comm2: Comm, result: *mut i32) {
    calls::comm::comm_compare(comm1, comm2, Out::new(result, "result"))
});
decode!(comm_connect(port_name: *const std::ffi::c_char, info: Info, root: i32, comm: Comm, newcomm: *mut Comm) {
    calls::port::comm_connect(Text::new(port_name, "port_name"), info, root, comm, Out::new(newcomm, "newcomm"))
});
decode!(comm_create(comm: Comm, group: Group, newcomm: *mut Comm) {
    calls::comm::comm_create(comm, group, Out::new(newcomm, "newcomm"))
});
decode!(comm_create_errhandler(comm_errhandler_fn: CommErrhandlerFunction, errhandler: *mut Errhandler) {
    calls::errhandler::comm_create_errhandler(comm_errhandler_fn, Out::new(errhandler, "errhandler"))
});
decode!(comm_create_from_group(group: Group, stringtag: *const std::ffi::c_char, info: Info, errhandler: Errhandler, newcomm: *mut Comm) {
    calls::from_group::comm_create_from_group(group, Text::new(stringtag, "stringtag"), info, errhandler, Out::new(newcomm, "newcomm"))
});
decode!(comm_create_group(comm: Comm, group: Group, tag: i32, newcomm: *mut Comm) {
    calls::comm::comm_create_group(comm, group, tag, Out::new(newcomm, "newcomm"))
});
decode!(comm_create_keyval(comm_copy_attr_fn: CommCopyAttrFunction, comm_delete_attr_fn: CommDeleteAttrFunction, comm_keyval: *mut i32, extra_state: *mut c_void) {
    calls::attr::comm_create_keyval(comm_copy_attr_fn, comm_delete_attr_fn, Out::new(comm_keyval, "comm_keyval"), extra_state)
});
decode!(comm_detach_buffer(comm: Comm, buffer_addr: *mut c_void, size: IntPtr) {
    calls::bsend::comm_detach_buffer(comm, Out::new(buffer_addr.cast::<usize>(), "buffer_addr"), OutCount::new(size, "size"))
});
decode!(comm_disconnect(comm: *mut Comm) {
    calls::port::comm_disconnect(InOut::new(comm, "comm"))
});
decode!(comm_dup(comm: Comm, newcomm: *mut Comm) {
    calls::comm::comm_dup(comm, Out::new(newcomm, "newcomm"))
});
decode!(comm_dup_with_info(comm: Comm, info: Info, newcomm: *mut Comm) {
    calls::comm::comm_dup_with_info(comm, info, Out::new(newcomm, "newcomm"))
});
decode!(comm_free(comm: *mut Comm) {
    calls::comm::comm_free(InOut::new(comm, "comm"))
});
decode!(comm_free_keyval(comm_keyval: *mut i32) {
    calls::attr::comm_free_keyval(InOut::new(comm_keyval, "comm_keyval"))
});
decode!(comm_get_attr(comm: Comm, comm_keyval: i32, attribute_val: *mut c_void, flag: *mut i32) {
    calls::attr::comm_get_attr(comm, comm_keyval, Out::new(attribute_val.cast::<usize>(), "attribute_val"), Out::new(flag, "flag"))
});
decode!(comm_get_errhandler(comm: Comm, errhandler: *mut Errhandler) {
    calls::errhandler::comm_get_errhandler(comm, Out::new(errhandler, "errhandler"))
});
decode!(comm_get_info(comm: Comm, info_used: *mut Info) {
    calls::comm::comm_get_info(comm, Out::new(info_used, "info_used"))
});
decode!(comm_get_name(comm: Comm, comm_name: *mut std::ffi::c_char, resultlen: *mut i32) {
    calls::comm::comm_get_name(comm, OutText::new(comm_name, i64::from(MPI_MAX_OBJECT_NAME), "comm_name"), Out::new(resultlen, "resultlen"))
});
decode!(comm_get_parent(parent: *mut Comm) {
    calls::spawn::comm_get_parent(Out::new(parent, "parent"))
});
decode!(comm_group(comm: Comm, group: *mut Group) {
    calls::comm::comm_group(comm, Out::new(group, "group"))
});
decode!(comm_idup(comm: Comm, newcomm: *mut Comm, request: *mut Request) {
    calls::comm::comm_idup(comm, Out::new(newcomm, "newcomm"), Out::new(request, "request"))
});
decode!(comm_idup_with_info(comm: Comm, info: Info, newcomm: *mut Comm, request: *mut Request) {
    calls::comm::comm_idup_with_info(comm, info, Out::new(newcomm, "newcomm"), Out::new(request, "request"))
});
decode!(comm_iflush_buffer(comm: Comm, request: *mut Request) {
    calls::bsend::comm_iflush_buffer(comm, Out::new(request, "request"))
});
decode!(comm_join(fd: i32, intercomm: *mut Comm) {
    calls::port::comm_join(fd, Out::new(intercomm, "intercomm"))
});
decode!(comm_rank(comm: Comm, rank: *mut i32) {
    calls::comm::comm_rank(comm, Out::new(rank, "rank"))
});
decode!(comm_remote_group(comm: Comm, group: *mut Group) {
    calls::comm::comm_remote_group(comm, Out::new(group, "group"))
});
decode!(comm_remote_size(comm: Comm, size: *mut i32) {
    calls::comm::comm_remote_size(comm, Out::new(size, "size"))
});
decode!(comm_set_name(comm: Comm, comm_name: *const std::ffi::c_char) {
    calls::comm::comm_set_name(comm, Text::new(comm_name, "comm_name"))
});
decode!(comm_size(comm: Comm, size: *mut i32) {
    calls::comm::comm_size(comm, Out::new(size, "size"))
});
decode!(comm_spawn(command: *const std::ffi::c_char, argv: *mut *mut std::ffi::c_char, maxprocs: i32, info: Info, root: i32, comm: Comm, intercomm: *mut Comm, array_of_errcodes: *mut i32) {
    calls::spawn::comm_spawn(Text::new(command, "command"), Strings::new(argv, "argv"), maxprocs, info, root, comm, Out::new(intercomm, "intercomm"), OutList::new(array_of_errcodes, i64::from(maxprocs), "array_of_errcodes"))
});
decode!(comm_spawn_multiple(count: i32, array_of_commands: *mut *mut std::ffi::c_char, array_of_argv: *mut *mut *mut std::ffi::c_char, array_of_maxprocs: *const i32, array_of_info: *const Info, root: i32, comm: Comm, intercomm: *mut Comm, array_of_errcodes: *mut i32) {
    calls::spawn::comm_spawn_multiple(count, TextList::new(array_of_commands, i64::from(count), "array_of_commands"), StringsList::new(array_of_argv, i64::from(count), "array_of_argv"), List::new(array_of_maxprocs, i64::from(count), "array_of_maxprocs"), List::new(array_of_info, i64::from(count), "array_of_info"), root, comm, Out::new(intercomm, "intercomm"), OpenOutList::new(array_of_errcodes, "array_of_errcodes"))
});
decode!(comm_split(comm: Comm, color: i32, key: i32, newcomm: *mut Comm) {
    calls::comm::comm_split(comm, color, key, Out::new(newcomm, "newcomm"))
});
decode!(comm_split_type(comm: Comm, split_type: i32, key: i32, info: Info, newcomm: *mut Comm) {
    calls::comm::comm_split_type(comm, split_type, key, info, Out::new(newcomm, "newcomm"))
});
decode!(comm_test_inter(comm: Comm, flag: *mut i32) {
    calls::comm::comm_test_inter(comm, Out::new(flag, "flag"))
});
decode!(compare_and_swap(origin_addr: *const c_void, compare_addr: *const c_void, result_addr: *mut c_void, datatype: Datatype, target_rank: i32, target_disp: i64, win: Win) {
    calls::rma::compare_and_swap(Elements::new(origin_addr, 1, datatype), Elements::new(compare_addr, 1, datatype), Elements::new(result_addr, 1, datatype), target_rank, target_disp, win)
});
decode!(dims_create(nnodes: i32, ndims: i32, dims: *mut i32) {
    calls::topo::dims_create(nnodes, ndims, InOutList::new(dims, i64::from(ndims), "dims"))
});
decode!(dist_graph_create(comm_old: Comm, n: i32, sources: *const i32, degrees: *const i32, destinations: *const i32, weights: *const i32, info: Info, reorder: i32, comm_dist_graph: *mut Comm) {
    calls::topo::dist_graph_create(comm_old, n, List::new(sources, i64::from(n), "sources"), List::new(degrees, i64::from(n), "degrees"), OpenList::new(destinations, "destinations"), OpenList::new(weights, "weights"), info, reorder, Out::new(comm_dist_graph, "comm_dist_graph"))
});
decode!(dist_graph_create_adjacent(comm_old: Comm, indegree: i32, sources: *const i32, sourceweights: *const i32, outdegree: i32, destinations: *const i32, destweights: *const i32, info: Info, reorder: i32, comm_dist_graph: *mut Comm) {
    calls::topo::dist_graph_create_adjacent(comm_old, indegree, List::new(sources, i64::from(indegree), "sources"), List::new(sourceweights, i64::from(indegree), "sourceweights"), outdegree, List::new(destinations, i64::from(outdegree), "destinations"), List::new(destweights, i64::from(outdegree), "destweights"), info, reorder, Out::new(comm_dist_graph, "comm_dist_graph"))
});
decode!(dist_graph_neighbors(comm: Comm, maxindegree: i32, sources: *mut i32, sourceweights: *mut i32, maxoutdegree: i32, destinations: *mut i32, destweights: *mut i32) {
    calls::topo::dist_graph_neighbors(comm, maxindegree, OutList::new(sources, i64::from(maxindegree), "sources"), OutList::new(sourceweights, i64::from(maxindegree), "sourceweights"), maxoutdegree, OutList::new(destinations, i64::from(maxoutdegree), "destinations"), OutList::new(destweights, i64::from(maxoutdegree), "destweights"))
});
decode!(dist_graph_neighbors_count(comm: Comm, indegree: *mut i32, outdegree: *mut i32, weighted: *mut i32) {
    calls::topo::dist_graph_neighbors_count(comm, Out::new(indegree, "indegree"), Out::new(outdegree, "outdegree"), Out::new(weighted, "weighted"))
});
decode!(errhandler_free(errhandler: *mut Errhandler) {
    calls::errhandler::errhandler_free(InOut::new(errhandler, "errhandler"))
});
decode!(error_class(errorcode: i32, errorclass: *mut i32) {
    calls::errors::error_class(errorcode, Out::new(errorclass, "errorclass"))
});
decode!(error_string(errorcode: i32, string: *mut std::ffi::c_char, resultlen: *mut i32) {
    calls::errors::error_string(errorcode, OutText::new(string, i64::from(MPI_MAX_ERROR_STRING), "string"), Out::new(resultlen, "resultlen"))
});
decode!(exscan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::reducing::exscan(comm, Elements::new(sendbuf, count, datatype), Elements::new(recvbuf, count, datatype), op))
});
decode!(exscan_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::reducing::exscan(comm, Elements::new(sendbuf, count, datatype), Elements::new(recvbuf, count, datatype), op))
});
decode!(fetch_and_op(origin_addr: *const c_void, result_addr: *mut c_void, datatype: Datatype, target_rank: i32, target_disp: i64, op: Op, win: Win) {
    calls::rma::fetch_and_op(Elements::new(origin_addr, 1, datatype), Elements::new(result_addr, 1, datatype), target_rank, target_disp, op, win)
});
decode!(file_close(fh: *mut File) {
    calls::file::file_close(InOut::new(fh, "fh"))
});
decode!(file_create_errhandler(file_errhandler_fn: FileErrhandlerFunction, errhandler: *mut Errhandler) {
    calls::errhandler::file_create_errhandler(file_errhandler_fn, Out::new(errhandler, "errhandler"))
});
decode!(file_delete(filename: *const std::ffi::c_char, info: Info) {
    calls::file::file_delete(Text::new(filename, "filename"), info)
});
decode!(file_get_amode(fh: File, amode: *mut i32) {
    calls::file::file_get_amode(fh, Out::new(amode, "amode"))
});
decode!(file_get_atomicity(fh: File, flag: *mut i32) {
    calls::file::file_get_atomicity(fh, Out::new(flag, "flag"))
});
decode!(file_get_byte_offset(fh: File, offset: i64, disp: *mut i64) {
    calls::file::file_get_byte_offset(fh, offset, Out::new(disp, "disp"))
});
decode!(file_get_errhandler(file: File, errhandler: *mut Errhandler) {
    calls::errhandler::file_get_errhandler(file, Out::new(errhandler, "errhandler"))
});
decode!(file_get_group(fh: File, group: *mut Group) {
    calls::file::file_get_group(fh, Out::new(group, "group"))
});
decode!(file_get_info(fh: File, info_used: *mut Info) {
    calls::file::file_get_info(fh, Out::new(info_used, "info_used"))
});
decode!(file_get_position(fh: File, offset: *mut i64) {
    calls::file::file_get_position(fh, Out::new(offset, "offset"))
});
decode!(file_get_position_shared(fh: File, offset: *mut i64) {
    calls::file::file_get_position_shared(fh, Out::new(offset, "offset"))
});
decode!(file_get_size(fh: File, size: *mut i64) {
    calls::file::file_get_size(fh, Out::new(size, "size"))
});
decode!(file_get_type_extent(fh: File, datatype: Datatype, extent: IntPtr) {
    calls::file::file_get_type_extent(fh, datatype, OutCount::new(extent, "extent"))
});
decode!(file_get_view(fh: File, disp: *mut i64, etype: *mut Datatype, filetype: *mut Datatype, datarep: *mut std::ffi::c_char) {
    calls::file::file_get_view(fh, Out::new(disp, "disp"), Out::new(etype, "etype"), Out::new(filetype, "filetype"), OutText::new(datarep, i64::from(MPI_MAX_DATAREP_STRING), "datarep"))
});
decode!(file_iread(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) {
    calls::file_access::file_iread(fh, Elements::new(buf, count, datatype), Out::new(request, "request"))
});
decode!(file_iread_all(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) {
    calls::file_access::file_iread_all(fh, Elements::new(buf, count, datatype), Out::new(request, "request"))
});
decode!(file_iread_at(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) {
    calls::file_access::file_iread_at(fh, offset, Elements::new(buf, count, datatype), Out::new(request, "request"))
});
decode!(file_iread_at_all(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) {
    calls::file_access::file_iread_at_all(fh, offset, Elements::new(buf, count, datatype), Out::new(request, "request"))
});
decode!(file_iread_shared(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, request: *mut Request) {
    calls::file_access::file_iread_shared(fh, Elements::new(buf, count, datatype), Out::new(request, "request"))
});
decode!(file_iwrite(fh: File, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) {
    calls::file_access::file_iwrite(fh, Elements::new(buf, count, datatype), Out::new(request, "request"))
});
decode!(file_iwrite_all(fh: File, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) {
    calls::file_access::file_iwrite_all(fh, Elements::new(buf, count, datatype), Out::new(request, "request"))
});
decode!(file_iwrite_at(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) {
    calls::file_access::file_iwrite_at(fh, offset, Elements::new(buf, count, datatype), Out::new(request, "request"))
});
decode!(file_iwrite_at_all(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) {
    calls::file_access::file_iwrite_at_all(fh, offset, Elements::new(buf, count, datatype), Out::new(request, "request"))
});
decode!(file_iwrite_shared(fh: File, buf: *const c_void, count: i64, datatype: Datatype, request: *mut Request) {
    calls::file_access::file_iwrite_shared(fh, Elements::new(buf, count, datatype), Out::new(request, "request"))
});
decode!(file_open(comm: Comm, filename: *const std::ffi::c_char, amode: i32, info: Info, fh: *mut File) {
    calls::file::file_open(comm, Text::new(filename, "filename"), amode, info, Out::new(fh, "fh"))
});
decode!(file_read(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) {
    calls::file_access::file_read(fh, Elements::new(buf, count, datatype), OutStatus::new(status))
});
decode!(file_read_all(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) {
    calls::file_access::file_read_all(fh, Elements::new(buf, count, datatype), OutStatus::new(status))
});
decode!(file_read_all_begin(fh: File, buf: *mut c_void, count: i64, datatype: Datatype) {
    calls::file_access::file_read_all_begin(fh, Elements::new(buf, count, datatype))
});
decode!(file_read_all_end(fh: File, buf: *mut c_void, status: *mut Status) {
    calls::file_access::file_read_all_end(fh, buf, OutStatus::new(status))
});
decode!(file_read_at(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) {
    calls::file_access::file_read_at(fh, offset, Elements::new(buf, count, datatype), OutStatus::new(status))
});
decode!(file_read_at_all(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) {
    calls::file_access::file_read_at_all(fh, offset, Elements::new(buf, count, datatype), OutStatus::new(status))
});
decode!(file_read_at_all_begin(fh: File, offset: i64, buf: *mut c_void, count: i64, datatype: Datatype) {
    calls::file_access::file_read_at_all_begin(fh, offset, Elements::new(buf, count, datatype))
});
decode!(file_read_at_all_end(fh: File, buf: *mut c_void, status: *mut Status) {
    calls::file_access::file_read_at_all_end(fh, buf, OutStatus::new(status))
});
decode!(file_read_ordered(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) {
    calls::file_access::file_read_ordered(fh, Elements::new(buf, count, datatype), OutStatus::new(status))
});
decode!(file_read_ordered_begin(fh: File, buf: *mut c_void, count: i64, datatype: Datatype) {
    calls::file_access::file_read_ordered_begin(fh, Elements::new(buf, count, datatype))
});
decode!(file_read_ordered_end(fh: File, buf: *mut c_void, status: *mut Status) {
    calls::file_access::file_read_ordered_end(fh, buf, OutStatus::new(status))
});
decode!(file_read_shared(fh: File, buf: *mut c_void, count: i64, datatype: Datatype, status: *mut Status) {
    calls::file_access::file_read_shared(fh, Elements::new(buf, count, datatype), OutStatus::new(status))
});
decode!(file_set_view(fh: File, disp: i64, etype: Datatype, filetype: Datatype, datarep: *const std::ffi::c_char, info: Info) {
    calls::file::file_set_view(fh, disp, etype, filetype, Text::new(datarep, "datarep"), info)
});
decode!(file_write(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) {
    calls::file_access::file_write(fh, Elements::new(buf, count, datatype), OutStatus::new(status))
});
decode!(file_write_all(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) {
    calls::file_access::file_write_all(fh, Elements::new(buf, count, datatype), OutStatus::new(status))
});
decode!(file_write_all_begin(fh: File, buf: *const c_void, count: i64, datatype: Datatype) {
    calls::file_access::file_write_all_begin(fh, Elements::new(buf, count, datatype))
});
decode!(file_write_all_end(fh: File, buf: *const c_void, status: *mut Status) {
    calls::file_access::file_write_all_end(fh, buf, OutStatus::new(status))
});
decode!(file_write_at(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) {
    calls::file_access::file_write_at(fh, offset, Elements::new(buf, count, datatype), OutStatus::new(status))
});
decode!(file_write_at_all(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) {
    calls::file_access::file_write_at_all(fh, offset, Elements::new(buf, count, datatype), OutStatus::new(status))
});
decode!(file_write_at_all_begin(fh: File, offset: i64, buf: *const c_void, count: i64, datatype: Datatype) {
    calls::file_access::file_write_at_all_begin(fh, offset, Elements::new(buf, count, datatype))
});
decode!(file_write_at_all_end(fh: File, buf: *const c_void, status: *mut Status) {
    calls::file_access::file_write_at_all_end(fh, buf, OutStatus::new(status))
});
decode!(file_write_ordered(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) {
    calls::file_access::file_write_ordered(fh, Elements::new(buf, count, datatype), OutStatus::new(status))
});
decode!(file_write_ordered_begin(fh: File, buf: *const c_void, count: i64, datatype: Datatype) {
    calls::file_access::file_write_ordered_begin(fh, Elements::new(buf, count, datatype))
});
decode!(file_write_ordered_end(fh: File, buf: *const c_void, status: *mut Status) {
    calls::file_access::file_write_ordered_end(fh, buf, OutStatus::new(status))
});
decode!(file_write_shared(fh: File, buf: *const c_void, count: i64, datatype: Datatype, status: *mut Status) {
    calls::file_access::file_write_shared(fh, Elements::new(buf, count, datatype), OutStatus::new(status))
});
decode!(finalized(flag: *mut i32) {
    calls::init::finalized(Out::new(flag, "flag"))
});
decode!(gather(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::moving::gather(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype), root))
});
decode!(gather_init(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::moving::gather(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype), root))
});
decode!(gatherv(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, displs: IntPtr, recvtype: Datatype, root: i32, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::moving::gatherv(comm, Elements::new(sendbuf, sendcount, sendtype), Listed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(displs, "displs"), recvtype), root))
});
decode!(gatherv_init(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, displs: IntPtr, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::moving::gatherv(comm, Elements::new(sendbuf, sendcount, sendtype), Listed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(displs, "displs"), recvtype), root))
});
decode!(get(origin_addr: *mut c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win) {
    calls::rma::get(Elements::new(origin_addr, origin_count, origin_datatype), target_rank, target_disp, target_count, target_datatype, win)
});
decode!(get_accumulate(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, result_addr: *mut c_void, result_count: i64, result_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win) {
    calls::rma::get_accumulate(Elements::new(origin_addr, origin_count, origin_datatype), Elements::new(result_addr, result_count, result_datatype), target_rank, target_disp, target_count, target_datatype, op, win)
});
decode!(get_address(location: *const c_void, address: *mut i64) {
    calls::memory::get_address(location, Out::new(address, "address"))
});
decode!(get_count(status: *const Status, datatype: Datatype, count: IntPtr) {
    calls::elements::get_count(In::new(status, "status"), datatype, OutCount::new(count, "count"))
});
decode!(get_elements(status: *const Status, datatype: Datatype, count: IntPtr) {
    calls::elements::get_elements(In::new(status, "status"), datatype, OutCount::new(count, "count"))
});
decode!(get_elements_x(status: *const Status, datatype: Datatype, count: *mut i64) {
    calls::elements::get_elements_x(In::new(status, "status"), datatype, Out::new(count, "count"))
});
decode!(get_hw_resource_info(hw_info: *mut Info) {
    calls::info::get_hw_resource_info(Out::new(hw_info, "hw_info"))
});
decode!(get_library_version(version: *mut std::ffi::c_char, resultlen: *mut i32) {
    calls::env::get_library_version(OutText::new(version, i64::from(MPI_MAX_LIBRARY_VERSION_STRING), "version"), Out::new(resultlen, "resultlen"))
});
decode!(get_processor_name(name: *mut std::ffi::c_char, resultlen: *mut i32) {
    calls::env::get_processor_name(OutText::new(name, i64::from(MPI_MAX_PROCESSOR_NAME), "name"), Out::new(resultlen, "resultlen"))
});
decode!(get_version(version: *mut i32, subversion: *mut i32) {
    calls::env::get_version(Out::new(version, "version"), Out::new(subversion, "subversion"))
});
decode!(graph_create(comm_old: Comm, nnodes: i32, indx: *const i32, edges: *const i32, reorder: i32, comm_graph: *mut Comm) {
    calls::topo::graph_create(comm_old, nnodes, List::new(indx, i64::from(nnodes), "indx"), OpenList::new(edges, "edges"), reorder, Out::new(comm_graph, "comm_graph"))
});
decode!(graph_get(comm: Comm, maxindex: i32, maxedges: i32, indx: *mut i32, edges: *mut i32) {
    calls::topo::graph_get(comm, maxindex, maxedges, OutList::new(indx, i64::from(maxindex), "indx"), OutList::new(edges, i64::from(maxedges), "edges"))
});
decode!(graph_map(comm: Comm, nnodes: i32, indx: *const i32, edges: *const i32, newrank: *mut i32) {
    calls::topo::graph_map(comm, nnodes, List::new(indx, i64::from(nnodes), "indx"), OpenList::new(edges, "edges"), Out::new(newrank, "newrank"))
});
decode!(graph_neighbors(comm: Comm, rank: i32, maxneighbors: i32, neighbors: *mut i32) {
    calls::topo::graph_neighbors(comm, rank, maxneighbors, OutList::new(neighbors, i64::from(maxneighbors), "neighbors"))
});
decode!(graph_neighbors_count(comm: Comm, rank: i32, nneighbors: *mut i32) {
    calls::topo::graph_neighbors_count(comm, rank, Out::new(nneighbors, "nneighbors"))
});
decode!(graphdims_get(comm: Comm, nnodes: *mut i32, nedges: *mut i32) {
    calls::topo::graphdims_get(comm, Out::new(nnodes, "nnodes"), Out::new(nedges, "nedges"))
});
decode!(grequest_start(query_fn: GrequestQueryFunction, free_fn: GrequestFreeFunction, cancel_fn: GrequestCancelFunction, extra_state: *mut c_void, request: *mut Request) {
    calls::grequest::grequest_start(query_fn, free_fn, cancel_fn, extra_state, Out::new(request, "request"))
});
decode!(group_compare(group1: Group, group2: Group, result: *mut i32) {
    calls::group::group_compare(group1, group2, Out::new(result, "result"))
});
decode!(group_difference(group1: Group, group2: Group, newgroup: *mut Group) {
    calls::group::group_difference(group1, group2, Out::new(newgroup, "newgroup"))
});
decode!(group_excl(group: Group, n: i32, ranks: *const i32, newgroup: *mut Group) {
    calls::group::group_excl(group, n, List::new(ranks, i64::from(n), "ranks"), Out::new(newgroup, "newgroup"))
});
decode!(group_free(group: *mut Group) {
    calls::group::group_free(InOut::new(group, "group"))
});
decode!(group_from_session_pset(session: Session, pset_name: *const std::ffi::c_char, newgroup: *mut Group) {
    calls::session::group_from_session_pset(session, Text::new(pset_name, "pset_name"), Out::new(newgroup, "newgroup"))
});
decode!(group_incl(group: Group, n: i32, ranks: *const i32, newgroup: *mut Group) {
    calls::group::group_incl(group, n, List::new(ranks, i64::from(n), "ranks"), Out::new(newgroup, "newgroup"))
});
decode!(group_intersection(group1: Group, group2: Group, newgroup: *mut Group) {
    calls::group::group_intersection(group1, group2, Out::new(newgroup, "newgroup"))
});
decode!(group_range_excl(group: Group, n: i32, ranges: *mut [i32; 3], newgroup: *mut Group) {
    calls::group::group_range_excl(group, n, List::new(ranges, i64::from(n), "ranges"), Out::new(newgroup, "newgroup"))
});
decode!(group_range_incl(group: Group, n: i32, ranges: *mut [i32; 3], newgroup: *mut Group) {
    calls::group::group_range_incl(group, n, List::new(ranges, i64::from(n), "ranges"), Out::new(newgroup, "newgroup"))
});
decode!(group_rank(group: Group, rank: *mut i32) {
    calls::group::group_rank(group, Out::new(rank, "rank"))
});
decode!(group_size(group: Group, size: *mut i32) {
    calls::group::group_size(group, Out::new(size, "size"))
});
decode!(group_translate_ranks(group1: Group, n: i32, ranks1: *const i32, group2: Group, ranks2: *mut i32) {
    calls::group::group_translate_ranks(group1, n, List::new(ranks1, i64::from(n), "ranks1"), group2, OutList::new(ranks2, i64::from(n), "ranks2"))
});
decode!(group_union(group1: Group, group2: Group, newgroup: *mut Group) {
    calls::group::group_union(group1, group2, Out::new(newgroup, "newgroup"))
});
decode!(iallgather(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::moving::allgather(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype)))
});
decode!(iallgatherv(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, displs: IntPtr, recvtype: Datatype, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::moving::allgather(comm, Elements::new(sendbuf, sendcount, sendtype), Listed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(displs, "displs"), recvtype)))
});
decode!(iallreduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::reducing::allreduce(comm, Elements::new(sendbuf, count, datatype), Elements::new(recvbuf, count, datatype), op))
});
decode!(ialltoall(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::moving::alltoall(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype)))
});
decode!(ialltoallv(sendbuf: *const c_void, sendcounts: IntPtr, sdispls: IntPtr, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, rdispls: IntPtr, recvtype: Datatype, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::moving::alltoall(comm, Listed::new(sendbuf, OpenCounts::new(sendcounts, "sendcounts"), OpenCounts::new(sdispls, "sdispls"), sendtype), Listed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(rdispls, "rdispls"), recvtype)))
});
decode!(ialltoallw(sendbuf: *const c_void, sendcounts: IntPtr, sdispls: IntPtr, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, rdispls: IntPtr, recvtypes: *const Datatype, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::moving::alltoall(comm, Typed::new(sendbuf, OpenCounts::new(sendcounts, "sendcounts"), OpenCounts::new(sdispls, "sdispls"), OpenList::new(sendtypes, "sendtypes")), Typed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(rdispls, "rdispls"), OpenList::new(recvtypes, "recvtypes"))))
});
decode!(ibarrier(comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::moving::barrier(comm))
});
decode!(ibcast(buffer: *mut c_void, count: i64, datatype: Datatype, root: i32, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::moving::bcast(comm, Elements::new(buffer, count, datatype), root))
});
decode!(ibsend(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) {
    calls::pt2pt::isend(SendMode::Buffered, Elements::new(buf, count, datatype), dest, tag, comm, Out::new(request, "request"))
});
decode!(iexscan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::reducing::exscan(comm, Elements::new(sendbuf, count, datatype), Elements::new(recvbuf, count, datatype), op))
});
decode!(igather(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::moving::gather(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype), root))
});
decode!(igatherv(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, displs: IntPtr, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::moving::gatherv(comm, Elements::new(sendbuf, sendcount, sendtype), Listed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(displs, "displs"), recvtype), root))
});
decode!(improbe(source: i32, tag: i32, comm: Comm, flag: *mut i32, message: *mut Message, status: *mut Status) {
    calls::pt2pt::improbe(source, tag, comm, Out::new(flag, "flag"), Out::new(message, "message"), OutStatus::new(status))
});
decode!(imrecv(buf: *mut c_void, count: i64, datatype: Datatype, message: *mut Message, request: *mut Request) {
    calls::pt2pt::imrecv(Elements::new(buf, count, datatype), InOut::new(message, "message"), Out::new(request, "request"))
});
decode!(ineighbor_allgather(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::neighbors::neighbor_allgather(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype)))
});
decode!(ineighbor_allgatherv(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, displs: IntPtr, recvtype: Datatype, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::neighbors::neighbor_allgather(comm, Elements::new(sendbuf, sendcount, sendtype), Listed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(displs, "displs"), recvtype)))
});
decode!(ineighbor_alltoall(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::neighbors::neighbor_alltoall(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype)))
});
decode!(ineighbor_alltoallv(sendbuf: *const c_void, sendcounts: IntPtr, sdispls: IntPtr, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, rdispls: IntPtr, recvtype: Datatype, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::neighbors::neighbor_alltoall(comm, Listed::new(sendbuf, OpenCounts::new(sendcounts, "sendcounts"), OpenCounts::new(sdispls, "sdispls"), sendtype), Listed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(rdispls, "rdispls"), recvtype)))
});
decode!(ineighbor_alltoallw(sendbuf: *const c_void, sendcounts: IntPtr, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::neighbors::neighbor_alltoall(comm, Typed::new(sendbuf, OpenCounts::new(sendcounts, "sendcounts"), OpenCounts::new(IntPtr::wide(sdispls), "sdispls"), OpenList::new(sendtypes, "sendtypes")), Typed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(IntPtr::wide(rdispls), "rdispls"), OpenList::new(recvtypes, "recvtypes"))))
});
decode!(info_create(info: *mut Info) {
    calls::info::info_create(Out::new(info, "info"))
});
decode!(info_create_env(argc: i32, argv: *mut *mut std::ffi::c_char, info: *mut Info) {
    calls::info::info_create_env(argc, TextList::new(argv, i64::from(argc), "argv"), Out::new(info, "info"))
});
decode!(info_delete(info: Info, key: *const std::ffi::c_char) {
    calls::info::info_delete(info, Text::new(key, "key"))
});
decode!(info_dup(info: Info, newinfo: *mut Info) {
    calls::info::info_dup(info, Out::new(newinfo, "newinfo"))
});
decode!(info_free(info: *mut Info) {
    calls::info::info_free(InOut::new(info, "info"))
});
decode!(info_get(info: Info, key: *const std::ffi::c_char, valuelen: i32, value: *mut std::ffi::c_char, flag: *mut i32) {
    calls::info::info_get(info, Text::new(key, "key"), valuelen, OutText::new(value, i64::from(valuelen) + 1, "value"), Out::new(flag, "flag"))
});
decode!(info_get_nkeys(info: Info, nkeys: *mut i32) {
    calls::info::info_get_nkeys(info, Out::new(nkeys, "nkeys"))
});
decode!(info_get_nthkey(info: Info, n: i32, key: *mut std::ffi::c_char) {
    calls::info::info_get_nthkey(info, n, OutText::new(key, i64::from(MPI_MAX_INFO_KEY), "key"))
});
decode!(info_get_string(info: Info, key: *const std::ffi::c_char, buflen: *mut i32, value: *mut std::ffi::c_char, flag: *mut i32) {
    calls::info::info_get_string(info, Text::new(key, "key"), InOut::new(buflen, "buflen"), OutText::new(value, args::room(buflen), "value"), Out::new(flag, "flag"))
});
decode!(info_get_valuelen(info: Info, key: *const std::ffi::c_char, valuelen: *mut i32, flag: *mut i32) {
    calls::info::info_get_valuelen(info, Text::new(key, "key"), Out::new(valuelen, "valuelen"), Out::new(flag, "flag"))
});
decode!(info_set(info: Info, key: *const std::ffi::c_char, value: *const std::ffi::c_char) {
    calls::info::info_set(info, Text::new(key, "key"), Text::new(value, "value"))
});
decode!(init(argc: *mut i32, argv: *mut *mut *mut std::ffi::c_char) {
    calls::init::init(InOut::new(argc, "argc"), argv)
});
decode!(init_thread(argc: *mut i32, argv: *mut *mut *mut std::ffi::c_char, required: i32, provided: *mut i32) {
    calls::init::init_thread(InOut::new(argc, "argc"), argv, required, Out::new(provided, "provided"))
});
decode!(initialized(flag: *mut i32) {
    calls::init::initialized(Out::new(flag, "flag"))
});
decode!(intercomm_create(local_comm: Comm, local_leader: i32, peer_comm: Comm, remote_leader: i32, tag: i32, newintercomm: *mut Comm) {
    calls::comm::intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, Out::new(newintercomm, "newintercomm"))
});
decode!(intercomm_create_from_groups(local_group: Group, local_leader: i32, remote_group: Group, remote_leader: i32, stringtag: *const std::ffi::c_char, info: Info, errhandler: Errhandler, newintercomm: *mut Comm) {
    calls::from_group::intercomm_create_from_groups(local_group, local_leader, remote_group, remote_leader, Text::new(stringtag, "stringtag"), info, errhandler, Out::new(newintercomm, "newintercomm"))
});
decode!(intercomm_merge(intercomm: Comm, high: i32, newintracomm: *mut Comm) {
    calls::comm::intercomm_merge(intercomm, high, Out::new(newintracomm, "newintracomm"))
});
decode!(iprobe(source: i32, tag: i32, comm: Comm, flag: *mut i32, status: *mut Status) {
    calls::pt2pt::iprobe(source, tag, comm, Out::new(flag, "flag"), OutStatus::new(status))
});
decode!(irecv(buf: *mut c_void, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, request: *mut Request) {
    calls::pt2pt::irecv(Elements::new(buf, count, datatype), source, tag, comm, Out::new(request, "request"))
});
decode!(ireduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, root: i32, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::reducing::reduce(comm, Elements::new(sendbuf, count, datatype), Elements::new(recvbuf, count, datatype), op, root))
});
decode!(ireduce_scatter(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: IntPtr, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::reducing::reduce_scatter(comm, sendbuf, recvbuf, OpenCounts::new(recvcounts, "recvcounts"), datatype, op))
});
decode!(ireduce_scatter_block(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::reducing::reduce_scatter_block(comm, Elements::new(sendbuf, recvcount, datatype), Elements::new(recvbuf, recvcount, datatype), op))
});
decode!(irsend(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) {
    calls::pt2pt::isend(SendMode::Ready, Elements::new(buf, count, datatype), dest, tag, comm, Out::new(request, "request"))
});
decode!(is_thread_main(flag: *mut i32) {
    calls::init::is_thread_main(Out::new(flag, "flag"))
});
decode!(iscan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::reducing::scan(comm, Elements::new(sendbuf, count, datatype), Elements::new(recvbuf, count, datatype), op))
});
decode!(iscatter(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::moving::scatter(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype), root))
});
decode!(iscatterv(sendbuf: *const c_void, sendcounts: IntPtr, displs: IntPtr, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, request: *mut Request) {
    calls::coll::start(comm, Out::new(request, "request"), |comm| calls::coll::moving::scatterv(comm, Listed::new(sendbuf, OpenCounts::new(sendcounts, "sendcounts"), OpenCounts::new(displs, "displs"), sendtype), Elements::new(recvbuf, recvcount, recvtype), root))
});
decode!(isend(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) {
    calls::pt2pt::isend(SendMode::Standard, Elements::new(buf, count, datatype), dest, tag, comm, Out::new(request, "request"))
});
decode!(isendrecv(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, dest: i32, sendtag: i32, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, source: i32, recvtag: i32, comm: Comm, request: *mut Request) {
    calls::pt2pt::isendrecv(Elements::new(sendbuf, sendcount, sendtype), dest, sendtag, Elements::new(recvbuf, recvcount, recvtype), source, recvtag, comm, Out::new(request, "request"))
});
decode!(isendrecv_replace(buf: *mut c_void, count: i64, datatype: Datatype, dest: i32, sendtag: i32, source: i32, recvtag: i32, comm: Comm, request: *mut Request) {
    calls::pt2pt::isendrecv_replace(Elements::new(buf, count, datatype), dest, sendtag, source, recvtag, comm, Out::new(request, "request"))
});
decode!(issend(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) {
    calls::pt2pt::isend(SendMode::Synchronous, Elements::new(buf, count, datatype), dest, tag, comm, Out::new(request, "request"))
});
decode!(keyval_create(copy_fn: CopyFunction, delete_fn: DeleteFunction, keyval: *mut i32, extra_state: *mut c_void) {
    calls::attr::keyval_create(copy_fn, delete_fn, Out::new(keyval, "keyval"), extra_state)
});
decode!(keyval_free(keyval: *mut i32) {
    calls::attr::keyval_free(InOut::new(keyval, "keyval"))
});
decode!(lookup_name(service_name: *const std::ffi::c_char, info: Info, port_name: *mut std::ffi::c_char) {
    calls::port::lookup_name(Text::new(service_name, "service_name"), info, OutText::new(port_name, i64::from(MPI_MAX_PORT_NAME), "port_name"))
});
decode!(mprobe(source: i32, tag: i32, comm: Comm, message: *mut Message, status: *mut Status) {
    calls::pt2pt::mprobe(source, tag, comm, Out::new(message, "message"), OutStatus::new(status))
});
decode!(mrecv(buf: *mut c_void, count: i64, datatype: Datatype, message: *mut Message, status: *mut Status) {
    calls::pt2pt::mrecv(Elements::new(buf, count, datatype), InOut::new(message, "message"), OutStatus::new(status))
});
decode!(neighbor_allgather(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::neighbors::neighbor_allgather(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype)))
});
decode!(neighbor_allgather_init(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::neighbors::neighbor_allgather(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype)))
});
decode!(neighbor_allgatherv(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, displs: IntPtr, recvtype: Datatype, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::neighbors::neighbor_allgather(comm, Elements::new(sendbuf, sendcount, sendtype), Listed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(displs, "displs"), recvtype)))
});
decode!(neighbor_allgatherv_init(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, displs: IntPtr, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::neighbors::neighbor_allgather(comm, Elements::new(sendbuf, sendcount, sendtype), Listed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(displs, "displs"), recvtype)))
});
decode!(neighbor_alltoall(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::neighbors::neighbor_alltoall(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype)))
});
decode!(neighbor_alltoall_init(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::neighbors::neighbor_alltoall(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype)))
});
decode!(neighbor_alltoallv(sendbuf: *const c_void, sendcounts: IntPtr, sdispls: IntPtr, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, rdispls: IntPtr, recvtype: Datatype, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::neighbors::neighbor_alltoall(comm, Listed::new(sendbuf, OpenCounts::new(sendcounts, "sendcounts"), OpenCounts::new(sdispls, "sdispls"), sendtype), Listed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(rdispls, "rdispls"), recvtype)))
});
decode!(neighbor_alltoallv_init(sendbuf: *const c_void, sendcounts: IntPtr, sdispls: IntPtr, sendtype: Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, rdispls: IntPtr, recvtype: Datatype, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::neighbors::neighbor_alltoall(comm, Listed::new(sendbuf, OpenCounts::new(sendcounts, "sendcounts"), OpenCounts::new(sdispls, "sdispls"), sendtype), Listed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(rdispls, "rdispls"), recvtype)))
});
decode!(neighbor_alltoallw(sendbuf: *const c_void, sendcounts: IntPtr, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::neighbors::neighbor_alltoall(comm, Typed::new(sendbuf, OpenCounts::new(sendcounts, "sendcounts"), OpenCounts::new(IntPtr::wide(sdispls), "sdispls"), OpenList::new(sendtypes, "sendtypes")), Typed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(IntPtr::wide(rdispls), "rdispls"), OpenList::new(recvtypes, "recvtypes"))))
});
decode!(neighbor_alltoallw_init(sendbuf: *const c_void, sendcounts: IntPtr, sdispls: *const i64, sendtypes: *const Datatype, recvbuf: *mut c_void, recvcounts: IntPtr, rdispls: *const i64, recvtypes: *const Datatype, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::neighbors::neighbor_alltoall(comm, Typed::new(sendbuf, OpenCounts::new(sendcounts, "sendcounts"), OpenCounts::new(IntPtr::wide(sdispls), "sdispls"), OpenList::new(sendtypes, "sendtypes")), Typed::new(recvbuf, OpenCounts::new(recvcounts, "recvcounts"), OpenCounts::new(IntPtr::wide(rdispls), "rdispls"), OpenList::new(recvtypes, "recvtypes"))))
});
decode!(op_commutative(op: Op, commute: *mut i32) {
    calls::op::op_commutative(op, Out::new(commute, "commute"))
});
decode!(op_create(user_fn: UserFunction, commute: i32, op: *mut Op) {
    calls::op::op_create(user_fn, commute, Out::new(op, "op"))
});
decode!(op_create_c(user_fn: UserFunctionC, commute: i32, op: *mut Op) {
    calls::op::op_create_c(user_fn, commute, Out::new(op, "op"))
});
decode!(op_free(op: *mut Op) {
    calls::op::op_free(InOut::new(op, "op"))
});
decode!(open_port(info: Info, port_name: *mut std::ffi::c_char) {
    calls::port::open_port(info, OutText::new(port_name, i64::from(MPI_MAX_PORT_NAME), "port_name"))
});
decode!(pack(inbuf: *const c_void, incount: i64, datatype: Datatype, outbuf: *mut c_void, outsize: i64, position: IntPtr, comm: Comm) {
    calls::pack::pack(Elements::new(inbuf, incount, datatype), Bytes::new(outbuf, outsize), InOutCount::new(position, "position"), comm)
});
decode!(pack_external(datarep: *const std::ffi::c_char, inbuf: *const c_void, incount: i64, datatype: Datatype, outbuf: *mut c_void, outsize: i64, position: IntPtr) {
    calls::pack::pack_external(Text::new(datarep, "datarep"), Elements::new(inbuf, incount, datatype), Bytes::new(outbuf, outsize), InOutCount::new(position, "position"))
});
decode!(pack_external_size(datarep: *const std::ffi::c_char, incount: i64, datatype: Datatype, size: IntPtr) {
    calls::pack::pack_external_size(Text::new(datarep, "datarep"), incount, datatype, OutCount::new(size, "size"))
});
decode!(pack_size(incount: i64, datatype: Datatype, comm: Comm, size: IntPtr) {
    calls::pack::pack_size(incount, datatype, comm, OutCount::new(size, "size"))
});
decode!(parrived(request: Request, partition: i32, flag: *mut i32) {
    calls::partitioned::parrived(request, partition, Out::new(flag, "flag"))
});
decode!(pready_list(length: i32, array_of_partitions: *const i32, request: Request) {
    calls::partitioned::pready_list(length, List::new(array_of_partitions, i64::from(length), "array_of_partitions"), request)
});
decode!(precv_init(buf: *mut c_void, partitions: i32, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, info: Info, request: *mut Request) {
    calls::partitioned::precv_init(Elements::new(buf, count, datatype), partitions, source, tag, comm, info, Out::new(request, "request"))
});
decode!(probe(source: i32, tag: i32, comm: Comm, status: *mut Status) {
    calls::pt2pt::probe(source, tag, comm, OutStatus::new(status))
});
decode!(psend_init(buf: *const c_void, partitions: i32, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, info: Info, request: *mut Request) {
    calls::partitioned::psend_init(Elements::new(buf, count, datatype), partitions, dest, tag, comm, info, Out::new(request, "request"))
});
decode!(publish_name(service_name: *const std::ffi::c_char, info: Info, port_name: *const std::ffi::c_char) {
    calls::port::publish_name(Text::new(service_name, "service_name"), info, Text::new(port_name, "port_name"))
});
decode!(put(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win) {
    calls::rma::put(Elements::new(origin_addr, origin_count, origin_datatype), target_rank, target_disp, target_count, target_datatype, win)
});
decode!(query_thread(provided: *mut i32) {
    calls::init::query_thread(Out::new(provided, "provided"))
});
decode!(raccumulate(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win, request: *mut Request) {
    calls::rma::raccumulate(Elements::new(origin_addr, origin_count, origin_datatype), target_rank, target_disp, target_count, target_datatype, op, win, Out::new(request, "request"))
});
decode!(recv(buf: *mut c_void, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, status: *mut Status) {
    calls::pt2pt::recv(Elements::new(buf, count, datatype), source, tag, comm, OutStatus::new(status))
});
decode!(recv_init(buf: *mut c_void, count: i64, datatype: Datatype, source: i32, tag: i32, comm: Comm, request: *mut Request) {
    calls::pt2pt::recv_init(Elements::new(buf, count, datatype), source, tag, comm, Out::new(request, "request"))
});
decode!(reduce(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, root: i32, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::reducing::reduce(comm, Elements::new(sendbuf, count, datatype), Elements::new(recvbuf, count, datatype), op, root))
});
decode!(reduce_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, root: i32, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::reducing::reduce(comm, Elements::new(sendbuf, count, datatype), Elements::new(recvbuf, count, datatype), op, root))
});
decode!(reduce_local(inbuf: *const c_void, inoutbuf: *mut c_void, count: i64, datatype: Datatype, op: Op) {
    calls::op::reduce_local(Elements::new(inbuf, count, datatype), Elements::new(inoutbuf, count, datatype), op)
});
decode!(reduce_scatter(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: IntPtr, datatype: Datatype, op: Op, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::reducing::reduce_scatter(comm, sendbuf, recvbuf, OpenCounts::new(recvcounts, "recvcounts"), datatype, op))
});
decode!(reduce_scatter_block(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i64, datatype: Datatype, op: Op, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::reducing::reduce_scatter_block(comm, Elements::new(sendbuf, recvcount, datatype), Elements::new(recvbuf, recvcount, datatype), op))
});
decode!(reduce_scatter_block_init(sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::reducing::reduce_scatter_block(comm, Elements::new(sendbuf, recvcount, datatype), Elements::new(recvbuf, recvcount, datatype), op))
});
decode!(reduce_scatter_init(sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: IntPtr, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::reducing::reduce_scatter(comm, sendbuf, recvbuf, OpenCounts::new(recvcounts, "recvcounts"), datatype, op))
});
decode!(register_datarep(datarep: *const std::ffi::c_char, read_conversion_fn: DatarepConversionFunction, write_conversion_fn: DatarepConversionFunction, dtype_file_extent_fn: DatarepExtentFunction, extra_state: *mut c_void) {
    calls::datarep::register_datarep(Text::new(datarep, "datarep"), read_conversion_fn, write_conversion_fn, dtype_file_extent_fn, extra_state)
});
decode!(register_datarep_c(datarep: *const std::ffi::c_char, read_conversion_fn: DatarepConversionFunctionC, write_conversion_fn: DatarepConversionFunctionC, dtype_file_extent_fn: DatarepExtentFunction, extra_state: *mut c_void) {
    calls::datarep::register_datarep_c(Text::new(datarep, "datarep"), read_conversion_fn, write_conversion_fn, dtype_file_extent_fn, extra_state)
});
decode!(request_free(request: *mut Request) {
    calls::request::request_free(InOut::new(request, "request"))
});
decode!(request_get_status(request: Request, flag: *mut i32, status: *mut Status) {
    calls::request::request_get_status(request, Out::new(flag, "flag"), OutStatus::new(status))
});
decode!(request_get_status_all(count: i32, array_of_requests: *const Request, flag: *mut i32, array_of_statuses: *mut Status) {
    calls::request::request_get_status_all(count, List::new(array_of_requests, i64::from(count), "array_of_requests"), Out::new(flag, "flag"), OutStatuses::new(array_of_statuses, i64::from(count)))
});
decode!(request_get_status_any(count: i32, array_of_requests: *const Request, indx: *mut i32, flag: *mut i32, status: *mut Status) {
    calls::request::request_get_status_any(count, List::new(array_of_requests, i64::from(count), "array_of_requests"), Out::new(indx, "indx"), Out::new(flag, "flag"), OutStatus::new(status))
});
decode!(request_get_status_some(incount: i32, array_of_requests: *const Request, outcount: *mut i32, array_of_indices: *mut i32, array_of_statuses: *mut Status) {
    calls::request::request_get_status_some(incount, List::new(array_of_requests, i64::from(incount), "array_of_requests"), Out::new(outcount, "outcount"), OutList::new(array_of_indices, i64::from(incount), "array_of_indices"), OutStatuses::new(array_of_statuses, i64::from(incount)))
});
decode!(rget(origin_addr: *mut c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win, request: *mut Request) {
    calls::rma::rget(Elements::new(origin_addr, origin_count, origin_datatype), target_rank, target_disp, target_count, target_datatype, win, Out::new(request, "request"))
});
decode!(rget_accumulate(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, result_addr: *mut c_void, result_count: i64, result_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, op: Op, win: Win, request: *mut Request) {
    calls::rma::rget_accumulate(Elements::new(origin_addr, origin_count, origin_datatype), Elements::new(result_addr, result_count, result_datatype), target_rank, target_disp, target_count, target_datatype, op, win, Out::new(request, "request"))
});
decode!(rput(origin_addr: *const c_void, origin_count: i64, origin_datatype: Datatype, target_rank: i32, target_disp: i64, target_count: i64, target_datatype: Datatype, win: Win, request: *mut Request) {
    calls::rma::rput(Elements::new(origin_addr, origin_count, origin_datatype), target_rank, target_disp, target_count, target_datatype, win, Out::new(request, "request"))
});
decode!(rsend(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) {
    calls::pt2pt::send(SendMode::Ready, Elements::new(buf, count, datatype), dest, tag, comm)
});
decode!(rsend_init(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) {
    calls::pt2pt::send_init(SendMode::Ready, Elements::new(buf, count, datatype), dest, tag, comm, Out::new(request, "request"))
});
decode!(scan(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::reducing::scan(comm, Elements::new(sendbuf, count, datatype), Elements::new(recvbuf, count, datatype), op))
});
decode!(scan_init(sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::reducing::scan(comm, Elements::new(sendbuf, count, datatype), Elements::new(recvbuf, count, datatype), op))
});
decode!(scatter(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::moving::scatter(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype), root))
});
decode!(scatter_init(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::moving::scatter(comm, Elements::new(sendbuf, sendcount, sendtype), Elements::new(recvbuf, recvcount, recvtype), root))
});
decode!(scatterv(sendbuf: *const c_void, sendcounts: IntPtr, displs: IntPtr, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm) {
    calls::coll::run(comm, |comm| calls::coll::moving::scatterv(comm, Listed::new(sendbuf, OpenCounts::new(sendcounts, "sendcounts"), OpenCounts::new(displs, "displs"), sendtype), Elements::new(recvbuf, recvcount, recvtype), root))
});
decode!(scatterv_init(sendbuf: *const c_void, sendcounts: IntPtr, displs: IntPtr, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: i32, comm: Comm, info: Info, request: *mut Request) {
    calls::coll::keep(comm, info, Out::new(request, "request"), |comm| calls::coll::moving::scatterv(comm, Listed::new(sendbuf, OpenCounts::new(sendcounts, "sendcounts"), OpenCounts::new(displs, "displs"), sendtype), Elements::new(recvbuf, recvcount, recvtype), root))
});
decode!(send(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) {
    calls::pt2pt::send(SendMode::Standard, Elements::new(buf, count, datatype), dest, tag, comm)
});
decode!(send_init(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) {
    calls::pt2pt::send_init(SendMode::Standard, Elements::new(buf, count, datatype), dest, tag, comm, Out::new(request, "request"))
});
decode!(sendrecv(sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, dest: i32, sendtag: i32, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, source: i32, recvtag: i32, comm: Comm, status: *mut Status) {
    calls::pt2pt::sendrecv(Elements::new(sendbuf, sendcount, sendtype), dest, sendtag, Elements::new(recvbuf, recvcount, recvtype), source, recvtag, comm, OutStatus::new(status))
});
decode!(sendrecv_replace(buf: *mut c_void, count: i64, datatype: Datatype, dest: i32, sendtag: i32, source: i32, recvtag: i32, comm: Comm, status: *mut Status) {
    calls::pt2pt::sendrecv_replace(Elements::new(buf, count, datatype), dest, sendtag, source, recvtag, comm, OutStatus::new(status))
});
decode!(session_attach_buffer(session: Session, buffer: *mut c_void, size: i64) {
    calls::bsend::session_attach_buffer(session, Bytes::new(buffer, size))
});
decode!(session_create_errhandler(session_errhandler_fn: SessionErrhandlerFunction, errhandler: *mut Errhandler) {
    calls::errhandler::session_create_errhandler(session_errhandler_fn, Out::new(errhandler, "errhandler"))
});
decode!(session_detach_buffer(session: Session, buffer_addr: *mut c_void, size: IntPtr) {
    calls::bsend::session_detach_buffer(session, Out::new(buffer_addr.cast::<usize>(), "buffer_addr"), OutCount::new(size, "size"))
});
decode!(session_finalize(session: *mut Session) {
    calls::session::session_finalize(InOut::new(session, "session"))
});
decode!(session_get_errhandler(session: Session, errhandler: *mut Errhandler) {
    calls::errhandler::session_get_errhandler(session, Out::new(errhandler, "errhandler"))
});
decode!(session_get_info(session: Session, info_used: *mut Info) {
    calls::session::session_get_info(session, Out::new(info_used, "info_used"))
});
decode!(session_get_nth_pset(session: Session, info: Info, n: i32, pset_len: *mut i32, pset_name: *mut std::ffi::c_char) {
    calls::session::session_get_nth_pset(session, info, n, InOut::new(pset_len, "pset_len"), OutText::new(pset_name, args::room(pset_len), "pset_name"))
});
decode!(session_get_num_psets(session: Session, info: Info, npset_names: *mut i32) {
    calls::session::session_get_num_psets(session, info, Out::new(npset_names, "npset_names"))
});
decode!(session_get_pset_info(session: Session, pset_name: *const std::ffi::c_char, info: *mut Info) {
    calls::session::session_get_pset_info(session, Text::new(pset_name, "pset_name"), Out::new(info, "info"))
});
decode!(session_iflush_buffer(session: Session, request: *mut Request) {
    calls::bsend::session_iflush_buffer(session, Out::new(request, "request"))
});
decode!(session_init(info: Info, errhandler: Errhandler, session: *mut Session) {
    calls::session::session_init(info, errhandler, Out::new(session, "session"))
});
decode!(ssend(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm) {
    calls::pt2pt::send(SendMode::Synchronous, Elements::new(buf, count, datatype), dest, tag, comm)
});
decode!(ssend_init(buf: *const c_void, count: i64, datatype: Datatype, dest: i32, tag: i32, comm: Comm, request: *mut Request) {
    calls::pt2pt::send_init(SendMode::Synchronous, Elements::new(buf, count, datatype), dest, tag, comm, Out::new(request, "request"))
});
decode!(start(request: *mut Request) {
    calls::request::start(InOut::new(request, "request"))
});
decode!(startall(count: i32, array_of_requests: *mut Request) {
    calls::request::startall(count, InOutList::new(array_of_requests, i64::from(count), "array_of_requests"))
});
decode!(status_get_error(status: *const Status, err: *mut i32) {
    calls::status::status_get_error(In::new(status, "status"), Out::new(err, "err"))
});
decode!(status_get_source(status: *const Status, source: *mut i32) {
    calls::status::status_get_source(In::new(status, "status"), Out::new(source, "source"))
});
decode!(status_get_tag(status: *const Status, tag: *mut i32) {
    calls::status::status_get_tag(In::new(status, "status"), Out::new(tag, "tag"))
});
decode!(status_set_cancelled(status: *mut Status, flag: i32) {
    calls::elements::status_set_cancelled(InOut::new(status, "status"), flag)
});
decode!(status_set_elements(status: *mut Status, datatype: Datatype, count: i64) {
    calls::elements::status_set_elements(InOut::new(status, "status"), datatype, count)
});
decode!(status_set_elements_x(status: *mut Status, datatype: Datatype, count: i64) {
    calls::elements::status_set_elements_x(InOut::new(status, "status"), datatype, count)
});
decode!(status_set_error(status: *mut Status, err: i32) {
    calls::status::status_set_error(InOut::new(status, "status"), err)
});
decode!(status_set_source(status: *mut Status, source: i32) {
    calls::status::status_set_source(InOut::new(status, "status"), source)
});
decode!(status_set_tag(status: *mut Status, tag: i32) {
    calls::status::status_set_tag(InOut::new(status, "status"), tag)
});
decode!(t_category_changed(update_number: *mut i32) {
    calls::tool::category::t_category_changed(Out::new(update_number, "update_number"))
});
decode!(t_category_get_categories(cat_index: i32, len: i32, indices: *mut i32) {
    calls::tool::category::t_category_get_categories(cat_index, len, OutList::new(indices, i64::from(len), "indices"))
});
decode!(t_category_get_cvars(cat_index: i32, len: i32, indices: *mut i32) {
    calls::tool::category::t_category_get_cvars(cat_index, len, OutList::new(indices, i64::from(len), "indices"))
});
decode!(t_category_get_events(cat_index: i32, len: i32, indices: *mut i32) {
    calls::tool::category::t_category_get_events(cat_index, len, OutList::new(indices, i64::from(len), "indices"))
});
decode!(t_category_get_index(name: *const std::ffi::c_char, cat_index: *mut i32) {
    calls::tool::category::t_category_get_index(Text::new(name, "name"), Out::new(cat_index, "cat_index"))
});
decode!(t_category_get_info(cat_index: i32, name: *mut std::ffi::c_char, name_len: *mut i32, desc: *mut std::ffi::c_char, desc_len: *mut i32, num_cvars: *mut i32, num_pvars: *mut i32, num_categories: *mut i32) {
    calls::tool::category::t_category_get_info(cat_index, OutText::new(name, args::room(name_len), "name"), InOut::new(name_len, "name_len"), OutText::new(desc, args::room(desc_len), "desc"), InOut::new(desc_len, "desc_len"), Out::new(num_cvars, "num_cvars"), Out::new(num_pvars, "num_pvars"), Out::new(num_categories, "num_categories"))
});
decode!(t_category_get_num(num_cat: *mut i32) {
    calls::tool::category::t_category_get_num(Out::new(num_cat, "num_cat"))
});
decode!(t_category_get_num_events(cat_index: i32, num_events: *mut i32) {
    calls::tool::category::t_category_get_num_events(cat_index, Out::new(num_events, "num_events"))
});
decode!(t_category_get_pvars(cat_index: i32, len: i32, indices: *mut i32) {
    calls::tool::category::t_category_get_pvars(cat_index, len, OutList::new(indices, i64::from(len), "indices"))
});
decode!(t_cvar_get_index(name: *const std::ffi::c_char, cvar_index: *mut i32) {
    calls::tool::control::t_cvar_get_index(Text::new(name, "name"), Out::new(cvar_index, "cvar_index"))
});
decode!(t_cvar_get_info(cvar_index: i32, name: *mut std::ffi::c_char, name_len: *mut i32, verbosity: *mut i32, datatype: *mut Datatype, enumtype: *mut TEnum, desc: *mut std::ffi::c_char, desc_len: *mut i32, bind: *mut i32, scope: *mut i32) {
    calls::tool::control::t_cvar_get_info(cvar_index, OutText::new(name, args::room(name_len), "name"), InOut::new(name_len, "name_len"), Out::new(verbosity, "verbosity"), Out::new(datatype, "datatype"), Out::new(enumtype, "enumtype"), OutText::new(desc, args::room(desc_len), "desc"), InOut::new(desc_len, "desc_len"), Out::new(bind, "bind"), Out::new(scope, "scope"))
});
decode!(t_cvar_get_num(num_cvar: *mut i32) {
    calls::tool::control::t_cvar_get_num(Out::new(num_cvar, "num_cvar"))
});
decode!(t_cvar_handle_alloc(cvar_index: i32, obj_handle: *mut c_void, handle: *mut TCvarHandle, count: *mut i32) {
    calls::tool::control::t_cvar_handle_alloc(cvar_index, obj_handle, Out::new(handle, "handle"), Out::new(count, "count"))
});
decode!(t_cvar_handle_free(handle: *mut TCvarHandle) {
    calls::tool::control::t_cvar_handle_free(InOut::new(handle, "handle"))
});
decode!(t_enum_get_info(enumtype: TEnum, num: *mut i32, name: *mut std::ffi::c_char, name_len: *mut i32) {
    calls::tool::t_enum_get_info(enumtype, Out::new(num, "num"), OutText::new(name, args::room(name_len), "name"), InOut::new(name_len, "name_len"))
});
decode!(t_enum_get_item(enumtype: TEnum, indx: i32, value: *mut i32, name: *mut std::ffi::c_char, name_len: *mut i32) {
    calls::tool::t_enum_get_item(enumtype, indx, Out::new(value, "value"), OutText::new(name, args::room(name_len), "name"), InOut::new(name_len, "name_len"))
});
decode!(t_event_callback_get_info(event_registration: TEventRegistration, cb_safety: TCbSafety, info_used: *mut Info) {
    calls::tool::event::t_event_callback_get_info(event_registration, cb_safety, Out::new(info_used, "info_used"))
});
decode!(t_event_get_index(name: *const std::ffi::c_char, event_index: *mut i32) {
    calls::tool::event::t_event_get_index(Text::new(name, "name"), Out::new(event_index, "event_index"))
});
decode!(t_event_get_info(event_index: i32, name: *mut std::ffi::c_char, name_len: *mut i32, verbosity: *mut i32, array_of_datatypes: *mut Datatype, array_of_displacements: *mut i64, num_elements: *mut i32, enumtype: *mut TEnum, info: *mut Info, desc: *mut std::ffi::c_char, desc_len: *mut i32, bind: *mut i32) {
    calls::tool::event::t_event_get_info(event_index, OutText::new(name, args::room(name_len), "name"), InOut::new(name_len, "name_len"), Out::new(verbosity, "verbosity"), array_of_datatypes, array_of_displacements, InOut::new(num_elements, "num_elements"), Out::new(enumtype, "enumtype"), Out::new(info, "info"), OutText::new(desc, args::room(desc_len), "desc"), InOut::new(desc_len, "desc_len"), Out::new(bind, "bind"))
});
decode!(t_event_get_num(num_events: *mut i32) {
    calls::tool::event::t_event_get_num(Out::new(num_events, "num_events"))
});
decode!(t_event_get_source(event_instance: TEventInstance, source_index: *mut i32) {
    calls::tool::event::t_event_get_source(event_instance, Out::new(source_index, "source_index"))
});
decode!(t_event_get_timestamp(event_instance: TEventInstance, event_timestamp: *mut i64) {
    calls::tool::event::t_event_get_timestamp(event_instance, Out::new(event_timestamp, "event_timestamp"))
});
decode!(t_event_handle_alloc(event_index: i32, obj_handle: *mut c_void, info: Info, event_registration: *mut TEventRegistration) {
    calls::tool::event::t_event_handle_alloc(event_index, obj_handle, info, Out::new(event_registration, "event_registration"))
});
decode!(t_event_handle_get_info(event_registration: TEventRegistration, info_used: *mut Info) {
    calls::tool::event::t_event_handle_get_info(event_registration, Out::new(info_used, "info_used"))
});
decode!(t_init_thread(required: i32, provided: *mut i32) {
    calls::tool::t_init_thread(required, Out::new(provided, "provided"))
});
decode!(t_pvar_get_index(name: *const std::ffi::c_char, var_class: i32, pvar_index: *mut i32) {
    calls::tool::performance::t_pvar_get_index(Text::new(name, "name"), var_class, Out::new(pvar_index, "pvar_index"))
});
decode!(t_pvar_get_info(pvar_index: i32, name: *mut std::ffi::c_char, name_len: *mut i32, verbosity: *mut i32, var_class: *mut i32, datatype: *mut Datatype, enumtype: *mut TEnum, desc: *mut std::ffi::c_char, desc_len: *mut i32, bind: *mut i32, readonly: *mut i32, continuous: *mut i32, atomic: *mut i32) {
    calls::tool::performance::t_pvar_get_info(pvar_index, OutText::new(name, args::room(name_len), "name"), InOut::new(name_len, "name_len"), Out::new(verbosity, "verbosity"), Out::new(var_class, "var_class"), Out::new(datatype, "datatype"), Out::new(enumtype, "enumtype"), OutText::new(desc, args::room(desc_len), "desc"), InOut::new(desc_len, "desc_len"), Out::new(bind, "bind"), Out::new(readonly, "readonly"), Out::new(continuous, "continuous"), Out::new(atomic, "atomic"))
});
decode!(t_pvar_get_num(num_pvar: *mut i32) {
    calls::tool::performance::t_pvar_get_num(Out::new(num_pvar, "num_pvar"))
});
decode!(t_pvar_handle_alloc(pe_session: TPvarSession, pvar_index: i32, obj_handle: *mut c_void, handle: *mut TPvarHandle, count: *mut i32) {
    calls::tool::performance::t_pvar_handle_alloc(pe_session, pvar_index, obj_handle, Out::new(handle, "handle"), Out::new(count, "count"))
});
decode!(t_pvar_handle_free(pe_session: TPvarSession, handle: *mut TPvarHandle) {
    calls::tool::performance::t_pvar_handle_free(pe_session, InOut::new(handle, "handle"))
});
decode!(t_pvar_session_create(pe_session: *mut TPvarSession) {
    calls::tool::performance::t_pvar_session_create(Out::new(pe_session, "pe_session"))
});
decode!(t_pvar_session_free(pe_session: *mut TPvarSession) {
    calls::tool::performance::t_pvar_session_free(InOut::new(pe_session, "pe_session"))
});
decode!(t_source_get_info(source_index: i32, name: *mut std::ffi::c_char, name_len: *mut i32, desc: *mut std::ffi::c_char, desc_len: *mut i32, ordering: *mut TSourceOrder, ticks_per_second: *mut i64, max_ticks: *mut i64, info: *mut Info) {
    calls::tool::event::t_source_get_info(source_index, OutText::new(name, args::room(name_len), "name"), InOut::new(name_len, "name_len"), OutText::new(desc, args::room(desc_len), "desc"), InOut::new(desc_len, "desc_len"), Out::new(ordering, "ordering"), Out::new(ticks_per_second, "ticks_per_second"), Out::new(max_ticks, "max_ticks"), Out::new(info, "info"))
});
decode!(t_source_get_num(num_sources: *mut i32) {
    calls::tool::event::t_source_get_num(Out::new(num_sources, "num_sources"))
});
decode!(t_source_get_timestamp(source_index: i32, timestamp: *mut i64) {
    calls::tool::event::t_source_get_timestamp(source_index, Out::new(timestamp, "timestamp"))
});
decode!(test(request: *mut Request, flag: *mut i32, status: *mut Status) {
    calls::request::test(InOut::new(request, "request"), Out::new(flag, "flag"), OutStatus::new(status))
});
decode!(test_cancelled(status: *const Status, flag: *mut i32) {
    calls::elements::test_cancelled(In::new(status, "status"), Out::new(flag, "flag"))
});
decode!(testall(count: i32, array_of_requests: *mut Request, flag: *mut i32, array_of_statuses: *mut Status) {
    calls::request::testall(count, InOutList::new(array_of_requests, i64::from(count), "array_of_requests"), Out::new(flag, "flag"), OutStatuses::new(array_of_statuses, i64::from(count)))
});
decode!(testany(count: i32, array_of_requests: *mut Request, indx: *mut i32, flag: *mut i32, status: *mut Status) {
    calls::request::testany(count, InOutList::new(array_of_requests, i64::from(count), "array_of_requests"), Out::new(indx, "indx"), Out::new(flag, "flag"), OutStatus::new(status))
});
decode!(testsome(incount: i32, array_of_requests: *mut Request, outcount: *mut i32, array_of_indices: *mut i32, array_of_statuses: *mut Status) {
    calls::request::testsome(incount, InOutList::new(array_of_requests, i64::from(incount), "array_of_requests"), Out::new(outcount, "outcount"), OutList::new(array_of_indices, i64::from(incount), "array_of_indices"), OutStatuses::new(array_of_statuses, i64::from(incount)))
});
decode!(topo_test(comm: Comm, status: *mut i32) {
    calls::topo::topo_test(comm, Out::new(status, "status"))
});
decode!(type_commit(datatype: *mut Datatype) {
    calls::type_create::type_commit(InOut::new(datatype, "datatype"))
});
decode!(type_contiguous(count: i64, oldtype: Datatype, newtype: *mut Datatype) {
    calls::type_create::type_contiguous(count, oldtype, Out::new(newtype, "newtype"))
});
decode!(type_contiguous_c(count: i64, oldtype: Datatype, newtype: *mut Datatype) {
    calls::type_create::type_contiguous_c(count, oldtype, Out::new(newtype, "newtype"))
});
decode!(type_create_darray(size: i32, rank: i32, ndims: i32, array_of_gsizes: IntPtr, array_of_distribs: *const i32, array_of_dargs: *const i32, array_of_psizes: *const i32, order: i32, oldtype: Datatype, newtype: *mut Datatype) {
    calls::type_create::type_create_darray(size, rank, ndims, Counts::new(array_of_gsizes, i64::from(ndims), "array_of_gsizes"), List::new(array_of_distribs, i64::from(ndims), "array_of_distribs"), List::new(array_of_dargs, i64::from(ndims), "array_of_dargs"), List::new(array_of_psizes, i64::from(ndims), "array_of_psizes"), order, oldtype, Out::new(newtype, "newtype"))
});
decode!(type_create_f90_complex(p: i32, r: i32, newtype: *mut Datatype) {
    calls::type_create::type_create_f90_complex(p, r, Out::new(newtype, "newtype"))
});
decode!(type_create_f90_integer(r: i32, newtype: *mut Datatype) {
    calls::type_create::type_create_f90_integer(r, Out::new(newtype, "newtype"))
});
decode!(type_create_f90_real(p: i32, r: i32, newtype: *mut Datatype) {
    calls::type_create::type_create_f90_real(p, r, Out::new(newtype, "newtype"))
});
decode!(type_create_hindexed(count: i64, array_of_blocklengths: IntPtr, array_of_displacements: IntPtr, oldtype: Datatype, newtype: *mut Datatype) {
    calls::type_create::type_create_hindexed(count, Counts::new(array_of_blocklengths, count, "array_of_blocklengths"), Counts::new(array_of_displacements, count, "array_of_displacements"), oldtype, Out::new(newtype, "newtype"))
});
decode!(type_create_hindexed_block(count: i64, blocklength: i64, array_of_displacements: IntPtr, oldtype: Datatype, newtype: *mut Datatype) {
    calls::type_create::type_create_hindexed_block(count, blocklength, Counts::new(array_of_displacements, count, "array_of_displacements"), oldtype, Out::new(newtype, "newtype"))
});
decode!(type_create_hindexed_block_c(count: i64, blocklength: i64, array_of_displacements: IntPtr, oldtype: Datatype, newtype: *mut Datatype) {
    calls::type_create::type_create_hindexed_block_c(count, blocklength, Counts::new(array_of_displacements, count, "array_of_displacements"), oldtype, Out::new(newtype, "newtype"))
});
decode!(type_create_hvector(count: i64, blocklength: i64, stride: i64, oldtype: Datatype, newtype: *mut Datatype) {
    calls::type_create::type_create_hvector(count, blocklength, stride, oldtype, Out::new(newtype, "newtype"))
});
decode!(type_create_hvector_c(count: i64, blocklength: i64, stride: i64, oldtype: Datatype, newtype: *mut Datatype) {
    calls::type_create::type_create_hvector_c(count, blocklength, stride, oldtype, Out::new(newtype, "newtype"))
});
decode!(type_create_indexed_block(count: i64, blocklength: i64, array_of_displacements: IntPtr, oldtype: Datatype, newtype: *mut Datatype) {
    calls::type_create::type_create_indexed_block(count, blocklength, Counts::new(array_of_displacements, count, "array_of_displacements"), oldtype, Out::new(newtype, "newtype"))
});
decode!(type_create_keyval(type_copy_attr_fn: TypeCopyAttrFunction, type_delete_attr_fn: TypeDeleteAttrFunction, type_keyval: *mut i32, extra_state: *mut c_void) {
    calls::attr::type_create_keyval(type_copy_attr_fn, type_delete_attr_fn, Out::new(type_keyval, "type_keyval"), extra_state)
});
decode!(type_create_resized(oldtype: Datatype, lb: i64, extent: i64, newtype: *mut Datatype) {
    calls::type_create::type_create_resized(oldtype, lb, extent, Out::new(newtype, "newtype"))
});
decode!(type_create_resized_c(oldtype: Datatype, lb: i64, extent: i64, newtype: *mut Datatype) {
    calls::type_create::type_create_resized_c(oldtype, lb, extent, Out::new(newtype, "newtype"))
});
decode!(type_create_struct(count: i64, array_of_blocklengths: IntPtr, array_of_displacements: IntPtr, array_of_types: *const Datatype, newtype: *mut Datatype) {
    calls::type_create::type_create_struct(count, Counts::new(array_of_blocklengths, count, "array_of_blocklengths"), Counts::new(array_of_displacements, count, "array_of_displacements"), List::new(array_of_types, count, "array_of_types"), Out::new(newtype, "newtype"))
});
decode!(type_create_subarray(ndims: i32, array_of_sizes: IntPtr, array_of_subsizes: IntPtr, array_of_starts: IntPtr, order: i32, oldtype: Datatype, newtype: *mut Datatype) {
    calls::type_create::type_create_subarray(ndims, Counts::new(array_of_sizes, i64::from(ndims), "array_of_sizes"), Counts::new(array_of_subsizes, i64::from(ndims), "array_of_subsizes"), Counts::new(array_of_starts, i64::from(ndims), "array_of_starts"), order, oldtype, Out::new(newtype, "newtype"))
});
decode!(type_dup(oldtype: Datatype, newtype: *mut Datatype) {
    calls::type_create::type_dup(oldtype, Out::new(newtype, "newtype"))
});
decode!(type_free(datatype: *mut Datatype) {
    calls::type_create::type_free(InOut::new(datatype, "datatype"))
});
decode!(type_free_keyval(type_keyval: *mut i32) {
    calls::attr::type_free_keyval(InOut::new(type_keyval, "type_keyval"))
});
decode!(type_get_attr(datatype: Datatype, type_keyval: i32, attribute_val: *mut c_void, flag: *mut i32) {
    calls::attr::type_get_attr(datatype, type_keyval, Out::new(attribute_val.cast::<usize>(), "attribute_val"), Out::new(flag, "flag"))
});
decode!(type_get_contents(datatype: Datatype, max_integers: i32, max_addresses: i32, max_datatypes: i32, array_of_integers: *mut i32, array_of_addresses: *mut i64, array_of_datatypes: *mut Datatype) {
    calls::type_query::type_get_contents(datatype, max_integers, max_addresses, max_datatypes, OutList::new(array_of_integers, i64::from(max_integers), "array_of_integers"), OutList::new(array_of_addresses, i64::from(max_addresses), "array_of_addresses"), OutList::new(array_of_datatypes, i64::from(max_datatypes), "array_of_datatypes"))
});
decode!(type_get_contents_c(datatype: Datatype, max_integers: i64, max_addresses: i64, max_large_counts: i64, max_datatypes: i64, array_of_integers: *mut i32, array_of_addresses: *mut i64, array_of_large_counts: *mut i64, array_of_datatypes: *mut Datatype) {
    calls::type_query::type_get_contents_c(datatype, max_integers, max_addresses, max_large_counts, max_datatypes, OutList::new(array_of_integers, max_integers, "array_of_integers"), OutList::new(array_of_addresses, max_addresses, "array_of_addresses"), OutList::new(array_of_large_counts, max_large_counts, "array_of_large_counts"), OutList::new(array_of_datatypes, max_datatypes, "array_of_datatypes"))
});
decode!(type_get_envelope(datatype: Datatype, num_integers: *mut i32, num_addresses: *mut i32, num_datatypes: *mut i32, combiner: *mut i32) {
    calls::type_query::type_get_envelope(datatype, Out::new(num_integers, "num_integers"), Out::new(num_addresses, "num_addresses"), Out::new(num_datatypes, "num_datatypes"), Out::new(combiner, "combiner"))
});
decode!(type_get_envelope_c(datatype: Datatype, num_integers: *mut i64, num_addresses: *mut i64, num_large_counts: *mut i64, num_datatypes: *mut i64, combiner: *mut i32) {
    calls::type_query::type_get_envelope_c(datatype, Out::new(num_integers, "num_integers"), Out::new(num_addresses, "num_addresses"), Out::new(num_large_counts, "num_large_counts"), Out::new(num_datatypes, "num_datatypes"), Out::new(combiner, "combiner"))
});
decode!(type_get_extent(datatype: Datatype, lb: IntPtr, extent: IntPtr) {
    calls::type_query::type_get_extent(datatype, OutCount::new(lb, "lb"), OutCount::new(extent, "extent"))
});
decode!(type_get_extent_x(datatype: Datatype, lb: *mut i64, extent: *mut i64) {
    calls::type_query::type_get_extent_x(datatype, Out::new(lb, "lb"), Out::new(extent, "extent"))
});
decode!(type_get_name(datatype: Datatype, type_name: *mut std::ffi::c_char, resultlen: *mut i32) {
    calls::type_query::type_get_name(datatype, OutText::new(type_name, i64::from(MPI_MAX_OBJECT_NAME), "type_name"), Out::new(resultlen, "resultlen"))
});
decode!(type_get_true_extent(datatype: Datatype, true_lb: IntPtr, true_extent: IntPtr) {
    calls::type_query::type_get_true_extent(datatype, OutCount::new(true_lb, "true_lb"), OutCount::new(true_extent, "true_extent"))
});
decode!(type_get_true_extent_x(datatype: Datatype, true_lb: *mut i64, true_extent: *mut i64) {
    calls::type_query::type_get_true_extent_x(datatype, Out::new(true_lb, "true_lb"), Out::new(true_extent, "true_extent"))
});
decode!(type_get_value_index(value_type: Datatype, index_type: Datatype, pair_type: *mut Datatype) {
    calls::type_create::type_get_value_index(value_type, index_type, Out::new(pair_type, "pair_type"))
});
decode!(type_indexed(count: i64, array_of_blocklengths: IntPtr, array_of_displacements: IntPtr, oldtype: Datatype, newtype: *mut Datatype) {
    calls::type_create::type_indexed(count, Counts::new(array_of_blocklengths, count, "array_of_blocklengths"), Counts::new(array_of_displacements, count, "array_of_displacements"), oldtype, Out::new(newtype, "newtype"))
});
decode!(type_match_size(typeclass: i32, size: i32, datatype: *mut Datatype) {
    calls::type_create::type_match_size(typeclass, size, Out::new(datatype, "datatype"))
});
decode!(type_set_name(datatype: Datatype, type_name: *const std::ffi::c_char) {
    calls::type_query::type_set_name(datatype, Text::new(type_name, "type_name"))
});
decode!(type_size(datatype: Datatype, size: IntPtr) {
    calls::type_query::type_size(datatype, OutCount::new(size, "size"))
});
decode!(type_size_x(datatype: Datatype, size: *mut i64) {
    calls::type_query::type_size_x(datatype, Out::new(size, "size"))
});
decode!(type_vector(count: i64, blocklength: i64, stride: i64, oldtype: Datatype, newtype: *mut Datatype) {
    calls::type_create::type_vector(count, blocklength, stride, oldtype, Out::new(newtype, "newtype"))
});
decode!(type_vector_c(count: i64, blocklength: i64, stride: i64, oldtype: Datatype, newtype: *mut Datatype) {
    calls::type_create::type_vector_c(count, blocklength, stride, oldtype, Out::new(newtype, "newtype"))
});
decode!(unpack(inbuf: *const c_void, insize: i64, position: IntPtr, outbuf: *mut c_void, outcount: i64, datatype: Datatype, comm: Comm) {
    calls::pack::unpack(Bytes::new(inbuf, insize), InOutCount::new(position, "position"), Elements::new(outbuf, outcount, datatype), comm)
});
decode!(unpack_external(datarep: *const std::ffi::c_char, inbuf: *const c_void, insize: i64, position: IntPtr, outbuf: *mut c_void, outcount: i64, datatype: Datatype) {
    calls::pack::unpack_external(Text::new(datarep, "datarep"), Bytes::new(inbuf, insize), InOutCount::new(position, "position"), Elements::new(outbuf, outcount, datatype))
});
decode!(unpublish_name(service_name: *const std::ffi::c_char, info: Info, port_name: *const std::ffi::c_char) {
    calls::port::unpublish_name(Text::new(service_name, "service_name"), info, Text::new(port_name, "port_name"))
});
decode!(wait(request: *mut Request, status: *mut Status) {
    calls::request::wait(InOut::new(request, "request"), OutStatus::new(status))
});
decode!(waitall(count: i32, array_of_requests: *mut Request, array_of_statuses: *mut Status) {
    calls::request::waitall(count, InOutList::new(array_of_requests, i64::from(count), "array_of_requests"), OutStatuses::new(array_of_statuses, i64::from(count)))
});
decode!(waitany(count: i32, array_of_requests: *mut Request, indx: *mut i32, status: *mut Status) {
    calls::request::waitany(count, InOutList::new(array_of_requests, i64::from(count), "array_of_requests"), Out::new(indx, "indx"), OutStatus::new(status))
});
decode!(waitsome(incount: i32, array_of_requests: *mut Request, outcount: *mut i32, array_of_indices: *mut i32, array_of_statuses: *mut Status) {
    calls::request::waitsome(incount, InOutList::new(array_of_requests, i64::from(incount), "array_of_requests"), Out::new(outcount, "outcount"), OutList::new(array_of_indices, i64::from(incount), "array_of_indices"), OutStatuses::new(array_of_statuses, i64::from(incount)))
});
decode!(win_allocate(size: i64, disp_unit: i64, info: Info, comm: Comm, baseptr: *mut c_void, win: *mut Win) {
    calls::win::win_allocate(size, disp_unit, info, comm, Out::new(baseptr.cast::<usize>(), "baseptr"), Out::new(win, "win"))
});
decode!(win_allocate_shared(size: i64, disp_unit: i64, info: Info, comm: Comm, baseptr: *mut c_void, win: *mut Win) {
    calls::win::win_allocate_shared(size, disp_unit, info, comm, Out::new(baseptr.cast::<usize>(), "baseptr"), Out::new(win, "win"))
});
decode!(win_attach(win: Win, base: *mut c_void, size: i64) {
    calls::win::win_attach(win, Bytes::new(base, size))
});
decode!(win_create(base: *mut c_void, size: i64, disp_unit: i64, info: Info, comm: Comm, win: *mut Win) {
    calls::win::win_create(Bytes::new(base, size), disp_unit, info, comm, Out::new(win, "win"))
});
decode!(win_create_dynamic(info: Info, comm: Comm, win: *mut Win) {
    calls::win::win_create_dynamic(info, comm, Out::new(win, "win"))
});
decode!(win_create_errhandler(win_errhandler_fn: WinErrhandlerFunction, errhandler: *mut Errhandler) {
    calls::errhandler::win_create_errhandler(win_errhandler_fn, Out::new(errhandler, "errhandler"))
});
decode!(win_create_keyval(win_copy_attr_fn: WinCopyAttrFunction, win_delete_attr_fn: WinDeleteAttrFunction, win_keyval: *mut i32, extra_state: *mut c_void) {
    calls::attr::win_create_keyval(win_copy_attr_fn, win_delete_attr_fn, Out::new(win_keyval, "win_keyval"), extra_state)
});
decode!(win_free(win: *mut Win) {
    calls::win::win_free(InOut::new(win, "win"))
});
decode!(win_free_keyval(win_keyval: *mut i32) {
    calls::attr::win_free_keyval(InOut::new(win_keyval, "win_keyval"))
});
decode!(win_get_attr(win: Win, win_keyval: i32, attribute_val: *mut c_void, flag: *mut i32) {
    calls::attr::win_get_attr(win, win_keyval, Out::new(attribute_val.cast::<usize>(), "attribute_val"), Out::new(flag, "flag"))
});
decode!(win_get_errhandler(win: Win, errhandler: *mut Errhandler) {
    calls::errhandler::win_get_errhandler(win, Out::new(errhandler, "errhandler"))
});
decode!(win_get_group(win: Win, group: *mut Group) {
    calls::win::win_get_group(win, Out::new(group, "group"))
});
decode!(win_get_info(win: Win, info_used: *mut Info) {
    calls::win::win_get_info(win, Out::new(info_used, "info_used"))
});
decode!(win_get_name(win: Win, win_name: *mut std::ffi::c_char, resultlen: *mut i32) {
    calls::win::win_get_name(win, OutText::new(win_name, i64::from(MPI_MAX_OBJECT_NAME), "win_name"), Out::new(resultlen, "resultlen"))
});
decode!(win_set_name(win: Win, win_name: *const std::ffi::c_char) {
    calls::win::win_set_name(win, Text::new(win_name, "win_name"))
});
decode!(win_shared_query(win: Win, rank: i32, size: *mut i64, disp_unit: IntPtr, baseptr: *mut c_void) {
    calls::win::win_shared_query(win, rank, Out::new(size, "size"), OutCount::new(disp_unit, "disp_unit"), Out::new(baseptr.cast::<usize>(), "baseptr"))
});
decode!(win_test(win: Win, flag: *mut i32) {
    calls::win_sync::win_test(win, Out::new(flag, "flag"))
});
