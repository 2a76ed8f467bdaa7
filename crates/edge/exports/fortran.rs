//! The subroutines of Fortran that no row can say, for the interface of the library that has this
//! file among its modules.

use std::ffi::c_void;
use std::ptr::null_mut;

use edge::by_hand::{contents, get_version, is_root};
use edge::callback::{create_errhandler, op_create, Raises};
use edge::export;
use edge::extension::op_create_x;
use edge::fortran::attribute::{create, get, set, Attributed};
use edge::fortran::callback::generalized;
use edge::fortran::datarep::{representation, Conversion};
use edge::fortran::spawn::{error_codes, Programs};
use edge::fortran::{copy_nothing, duplicate, upper_bound, Characters, NarrowOut, Widened};
use edge::rows::*;

use crate::{Fortran as A, Interface as L};

type P = *mut c_void;
type N = *const i32;
type R = *mut i32;
type C = *const u8;

export!([mpi_wtime_ pmpi_wtime_ mpi_wtime_f08_ pmpi_wtime_f08_] () -> f64 {
    c::wtime()
});
export!([mpi_wtick_ pmpi_wtick_ mpi_wtick_f08_ pmpi_wtick_f08_] () -> f64 {
    c::wtick()
});
export!([mpi_aint_add_ pmpi_aint_add_ mpi_aint_add_f08_ pmpi_aint_add_f08_] (
    a: *const i64, b: *const i64
) -> i64 {
    c::aint_add(read(a), read(b))
});
export!([mpi_aint_diff_ pmpi_aint_diff_ mpi_aint_diff_f08_ pmpi_aint_diff_f08_] (
    a: *const i64, b: *const i64
) -> i64 {
    c::aint_diff(read(a), read(b))
});
export!([mpi_pcontrol_ pmpi_pcontrol_ mpi_pcontrol_f08_ pmpi_pcontrol_f08_] (level: N) -> () {
    c::pcontrol(read(level));
});
export!([mpi_get_version_ pmpi_get_version_ mpi_get_version_f08_ pmpi_get_version_f08_] (
    version: R, subversion: R, ierror: R
) ierror on {} {
    get_version::<L>(version, subversion)
});
export!([mpi_get_library_version_ pmpi_get_library_version_
    mpi_get_library_version_f08_ pmpi_get_library_version_f08_] (
    version: *mut u8, resultlen: R, ierror: R, length: usize
) ierror on {} {
    Out::new(resultlen).set(CharacterOut::new(version, length, 0).set(L::LIBRARY));
    0
});
export!([mpi_get_address_ pmpi_get_address_ mpi_get_address_f08_ pmpi_get_address_f08_] (
    location: P, address: *mut i64, ierror: R
) ierror on {} {
    c::get_address(buffer_in::<A, _>(location), address)
});
export!([mpi_op_create_ pmpi_op_create_ mpi_op_create_f08_ pmpi_op_create_f08_] (
    user: P, commute: N, op: R, ierror: R
) ierror on {} {
    op_create::<A>(op_create_x, user, truth(commute), op, false)
});
export!([mpi_attr_get_ pmpi_attr_get_ mpi_attr_get_f08_ pmpi_attr_get_f08_] (
    of: N, key: N, value: R, flag: R, ierror: R
) ierror on {} {
    let of = handle_in::<A, Comm>(read(of));
    get::<A, _, i32>(Comm::EXTENSIONS, of, read(key), value, flag)
});
export!([mpi_attr_put_ pmpi_attr_put_ mpi_attr_put_f08_ pmpi_attr_put_f08_] (
    of: N, key: N, value: N, ierror: R
) ierror on {} {
    let of = handle_in::<A, Comm>(read(of));
    set::<A, _>(Comm::EXTENSIONS, of, read(key), read(value))
});
export!([mpi_keyval_create_ pmpi_keyval_create_ mpi_keyval_create_f08_ pmpi_keyval_create_f08_] (
    copy: P, delete: P, key: R, state: N, ierror: R
) ierror on {} {
    create::<A, _, i32>(Comm::EXTENSIONS, [copy, delete], key, read(state))
});
export!([mpi_address_ pmpi_address_ mpi_address_f08_ pmpi_address_f08_] (
    location: P, address: R, ierror: R
) ierror on {} {
    c::get_address(buffer_in::<A, _>(location), NarrowOut::new(address).c())
});
export!([mpi_type_extent_ pmpi_type_extent_ mpi_type_extent_f08_ pmpi_type_extent_f08_] (
    of: N, extent: R, ierror: R
) ierror on {} {
    let of = handle_in::<A, Datatype>(read(of));
    c::type_get_extent(of, &mut 0, NarrowOut::new(extent).c())
});
export!([mpi_type_lb_ pmpi_type_lb_ mpi_type_lb_f08_ pmpi_type_lb_f08_] (
    of: N, extent: R, ierror: R
) ierror on {} {
    let of = handle_in::<A, Datatype>(read(of));
    c::type_get_extent(of, NarrowOut::new(extent).c(), &mut 0)
});
export!([mpi_type_ub_ pmpi_type_ub_ mpi_type_ub_f08_ pmpi_type_ub_f08_] (
    of: N, bound: R, ierror: R
) ierror on {} {
    let of = handle_in::<A, Datatype>(read(of));
    upper_bound(bound, |lb, extent| c::type_get_extent(of, lb, extent))
});
export!([mpi_type_hvector_ pmpi_type_hvector_ mpi_type_hvector_f08_ pmpi_type_hvector_f08_] (
    count: N, length: N, stride: N, of: N, made: R, ierror: R
) ierror on {} {
    let of = handle_in::<A, Datatype>(read(of));
    let (stride, mut made) = (i64::from(read(stride)), HandleOut::<A, Datatype>::new(made));
    c::type_create_hvector(read(count), read(length), stride, of, made.c())
});
export!([mpi_type_hindexed_ pmpi_type_hindexed_ mpi_type_hindexed_f08_ pmpi_type_hindexed_f08_] (
    count: N, lengths: N, displs: N, of: N, made: R, ierror: R
) ierror on {} {
    let of = handle_in::<A, Datatype>(read(of));
    let displs = Widened::new(displs, len(read(count)));
    let mut made = HandleOut::<A, Datatype>::new(made);
    c::type_create_hindexed(read(count), lengths, displs.c(), of, made.c())
});
export!([mpi_type_struct_ pmpi_type_struct_ mpi_type_struct_f08_ pmpi_type_struct_f08_] (
    count: N, lengths: N, displs: N, types: N, made: R, ierror: R
) ierror on {} {
    let displs = Widened::new(displs, len(read(count)));
    let types = Handles::<A, Datatype>::new(types, len(read(count)));
    let mut made = HandleOut::<A, Datatype>::new(made);
    c::type_create_struct(read(count), lengths, displs.c(), types.c(), made.c())
});
export!([mpi_errhandler_get_ pmpi_errhandler_get_ mpi_errhandler_get_f08_ pmpi_errhandler_get_f08_]
    (
    comm: N, found: R, ierror: R
) ierror on { handle_in::<A, Comm>(read(comm)) } {
    let mut found = HandleOut::<A, Errhandler>::new(found);
    c::comm_get_errhandler(handle_in::<A, Comm>(read(comm)), found.c())
});
export!([mpi_errhandler_set_ pmpi_errhandler_set_ mpi_errhandler_set_f08_ pmpi_errhandler_set_f08_]
    (
    comm: N, handler: N, ierror: R
) ierror on { handle_in::<A, Comm>(read(comm)) } {
    let handler = handle_in::<A, Errhandler>(read(handler));
    c::comm_set_errhandler(handle_in::<A, Comm>(read(comm)), handler)
});
export!([mpi_comm_spawn_ pmpi_comm_spawn_ mpi_comm_spawn_f08_ pmpi_comm_spawn_f08_] (
    command: C, argv: C, maxprocs: N, info: N, root: N, comm: N, made: R, codes: R, ierror: R,
    command_length: usize, argv_length: usize
) ierror on { handle_in::<A, Comm>(read(comm)) } {
    let command = Characters { at: command, length: command_length };
    let argv = Characters { at: argv, length: argv_length };
    let (comm, root) = (handle_in::<A, Comm>(read(comm)), rank_in::<A>(read(root)));
    let programs = Programs::read::<A>((comm, root), 1, command, argv, info);
    let codes = error_codes::<A>(codes);
    let mut codes = NumbersOut::<A>::of(&ERROR, List::new(codes, len(read(maxprocs))));
    let mut made = HandleOut::<A, Comm>::new(made);
    let (command, argv, info) = (programs.command(), programs.argv(), programs.info());
    c::comm_spawn(command, argv, read(maxprocs), info, root, comm, made.c(), codes.c())
});
export!([mpi_comm_spawn_multiple_ pmpi_comm_spawn_multiple_
    mpi_comm_spawn_multiple_f08_ pmpi_comm_spawn_multiple_f08_] (
    count: N, commands: C, argvs: C, maxprocs: N, infos: N, root: N, comm: N, made: R, codes: R,
    ierror: R, command_length: usize, argv_length: usize
) ierror on { handle_in::<A, Comm>(read(comm)) } {
    let commands = Characters { at: commands, length: command_length };
    let argvs = Characters { at: argvs, length: argv_length };
    let (comm, root) = (handle_in::<A, Comm>(read(comm)), rank_in::<A>(read(root)));
    let programs = Programs::read::<A>((comm, root), read(count), commands, argvs, infos);
    let started = if is_root(comm, root) { len(read(count)) } else { 0 };
    let codes = error_codes::<A>(codes);
    let mut codes = NumbersOut::<A>::of(&ERROR, List::new(codes, sum(maxprocs, started)));
    let mut made = HandleOut::<A, Comm>::new(made);
    let (commands, argvs, infos) = (programs.commands(), programs.argvs(), programs.infos());
    let (count, made, codes) = (read(count), made.c(), codes.c());
    c::comm_spawn_multiple(count, commands, argvs, maxprocs, infos, root, comm, made, codes)
});
export!([mpi_grequest_start_ pmpi_grequest_start_ mpi_grequest_start_f08_ pmpi_grequest_start_f08_]
    (
    query: P, free: P, cancel: P, state: *mut i64, request: R, ierror: R
) ierror on {} {
    let ((query, free, cancel), state) = generalized::<A>([query, free, cancel], state);
    let mut request = HandleOut::<A, Request>::new(request);
    c::grequest_start(query as P, free as P, cancel as P, state, request.c())
});
export!([mpi_register_datarep_ pmpi_register_datarep_
    mpi_register_datarep_f08_ pmpi_register_datarep_f08_] (
    name: C, read_fn: P, write_fn: P, extent_fn: P, state: *const i64, ierror: R, length: usize
) ierror on {} {
    extern "C" {
        fn mpi_conversion_fn_null_();
    }
    let nulls = [mpi_conversion_fn_null_ as *const () as usize];
    let procedures = [read_fn, write_fn, extent_fn];
    let made = representation::<A, i32>(procedures, &nulls, read(state));
    let function = |of: Option<Conversion<i32>>| of.map_or(null_mut(), |of| of as P);
    let (read, write, extent) = (function(made.read), function(made.write), made.extent as P);
    c::register_datarep(Text::new(name, length, false).c(), read, write, extent, made.state)
});
export!([mpi_type_get_contents_ pmpi_type_get_contents_
    mpi_type_get_contents_f08_ pmpi_type_get_contents_f08_] (
    of: N, integers: N, addresses: N, types: N, array_of_integers: R, array_of_addresses: *mut i64,
    array_of_datatypes: R, ierror: R
) ierror on {} {
    let lengths = [read(integers), read(addresses), read(types)];
    let of = handle_in::<A, Datatype>(read(of));
    contents::<A>(of, lengths, array_of_integers, array_of_addresses, array_of_datatypes)
});
export!([mpi_conversion_fn_null_ pmpi_conversion_fn_null_
    mpi_conversion_fn_null_f08_ pmpi_conversion_fn_null_f08_] () -> () {
});
export!([mpi_f_sync_reg_ pmpi_f_sync_reg_ mpi_f_sync_reg_f08_ pmpi_f_sync_reg_f08_] (
    _buffer: P
) -> () {
});
export!([mpi_comm_create_errhandler_ pmpi_comm_create_errhandler_
    mpi_comm_create_errhandler_f08_ pmpi_comm_create_errhandler_f08_] (
    user: P, made: R, ierror: R
) ierror on {} {
    create_errhandler::<A, _>(Comm::CREATE, user, made)
});
export!([mpi_errhandler_create_ pmpi_errhandler_create_
    mpi_errhandler_create_f08_ pmpi_errhandler_create_f08_] (
    user: P, made: R, ierror: R
) ierror on {} {
    create_errhandler::<A, _>(Comm::CREATE, user, made)
});
export!([mpi_win_create_errhandler_ pmpi_win_create_errhandler_
    mpi_win_create_errhandler_f08_ pmpi_win_create_errhandler_f08_] (
    user: P, made: R, ierror: R
) ierror on {} {
    create_errhandler::<A, _>(Win::CREATE, user, made)
});
export!([mpi_file_create_errhandler_ pmpi_file_create_errhandler_
    mpi_file_create_errhandler_f08_ pmpi_file_create_errhandler_f08_] (
    user: P, made: R, ierror: R
) ierror on {} {
    create_errhandler::<A, _>(File::CREATE, user, made)
});
export!([mpi_comm_get_attr_ pmpi_comm_get_attr_ mpi_comm_get_attr_f08_ pmpi_comm_get_attr_f08_] (
    of: N, key: N, value: *mut i64, flag: R, ierror: R
) ierror on { handle_in::<A, Comm>(read(of)) } {
    let of = handle_in::<A, Comm>(read(of));
    get::<A, _, i64>(Comm::EXTENSIONS, of, read(key), value, flag)
});
export!([mpi_comm_set_attr_ pmpi_comm_set_attr_ mpi_comm_set_attr_f08_ pmpi_comm_set_attr_f08_] (
    of: N, key: N, value: *const i64, ierror: R
) ierror on { handle_in::<A, Comm>(read(of)) } {
    let of = handle_in::<A, Comm>(read(of));
    set::<A, _>(Comm::EXTENSIONS, of, read(key), read(value))
});
export!([mpi_comm_create_keyval_ pmpi_comm_create_keyval_
    mpi_comm_create_keyval_f08_ pmpi_comm_create_keyval_f08_] (
    copy: P, delete: P, key: R, state: *const i64, ierror: R
) ierror on {} {
    create::<A, _, i64>(Comm::EXTENSIONS, [copy, delete], key, read(state))
});
export!([mpi_type_get_attr_ pmpi_type_get_attr_ mpi_type_get_attr_f08_ pmpi_type_get_attr_f08_] (
    of: N, key: N, value: *mut i64, flag: R, ierror: R
) ierror on { handle_in::<A, Datatype>(read(of)) } {
    let of = handle_in::<A, Datatype>(read(of));
    get::<A, _, i64>(Datatype::EXTENSIONS, of, read(key), value, flag)
});
export!([mpi_type_set_attr_ pmpi_type_set_attr_ mpi_type_set_attr_f08_ pmpi_type_set_attr_f08_] (
    of: N, key: N, value: *const i64, ierror: R
) ierror on { handle_in::<A, Datatype>(read(of)) } {
    let of = handle_in::<A, Datatype>(read(of));
    set::<A, _>(Datatype::EXTENSIONS, of, read(key), read(value))
});
export!([mpi_type_create_keyval_ pmpi_type_create_keyval_
    mpi_type_create_keyval_f08_ pmpi_type_create_keyval_f08_] (
    copy: P, delete: P, key: R, state: *const i64, ierror: R
) ierror on {} {
    create::<A, _, i64>(Datatype::EXTENSIONS, [copy, delete], key, read(state))
});
export!([mpi_win_get_attr_ pmpi_win_get_attr_ mpi_win_get_attr_f08_ pmpi_win_get_attr_f08_] (
    of: N, key: N, value: *mut i64, flag: R, ierror: R
) ierror on { handle_in::<A, Win>(read(of)) } {
    let of = handle_in::<A, Win>(read(of));
    get::<A, _, i64>(Win::EXTENSIONS, of, read(key), value, flag)
});
export!([mpi_win_set_attr_ pmpi_win_set_attr_ mpi_win_set_attr_f08_ pmpi_win_set_attr_f08_] (
    of: N, key: N, value: *const i64, ierror: R
) ierror on { handle_in::<A, Win>(read(of)) } {
    let of = handle_in::<A, Win>(read(of));
    set::<A, _>(Win::EXTENSIONS, of, read(key), read(value))
});
export!([mpi_win_create_keyval_ pmpi_win_create_keyval_
    mpi_win_create_keyval_f08_ pmpi_win_create_keyval_f08_] (
    copy: P, delete: P, key: R, state: *const i64, ierror: R
) ierror on {} {
    create::<A, _, i64>(Win::EXTENSIONS, [copy, delete], key, read(state))
});
export!([mpi_dup_fn_ pmpi_dup_fn_ mpi_dup_fn_f08_ pmpi_dup_fn_f08_] (
    _of: N, _key: N, _state: P, value: *const i32, copied: *mut i32, flag: R, ierror: R
) -> () {
    duplicate(value, copied, flag, ierror);
});
export!([mpi_comm_dup_fn_ pmpi_comm_dup_fn_ mpi_comm_dup_fn_f08_ pmpi_comm_dup_fn_f08_] (
    _of: N, _key: N, _state: P, value: *const i64, copied: *mut i64, flag: R, ierror: R
) -> () {
    duplicate(value, copied, flag, ierror);
});
export!([mpi_type_dup_fn_ pmpi_type_dup_fn_ mpi_type_dup_fn_f08_ pmpi_type_dup_fn_f08_] (
    _of: N, _key: N, _state: P, value: *const i64, copied: *mut i64, flag: R, ierror: R
) -> () {
    duplicate(value, copied, flag, ierror);
});
export!([mpi_win_dup_fn_ pmpi_win_dup_fn_ mpi_win_dup_fn_f08_ pmpi_win_dup_fn_f08_] (
    _of: N, _key: N, _state: P, value: *const i64, copied: *mut i64, flag: R, ierror: R
) -> () {
    duplicate(value, copied, flag, ierror);
});
export!([mpi_null_copy_fn_ pmpi_null_copy_fn_ mpi_null_copy_fn_f08_ pmpi_null_copy_fn_f08_] (
    _of: N, _key: N, _state: P, _value: P, _copied: P, flag: R, ierror: R
) -> () {
    copy_nothing(flag, ierror);
});
export!([mpi_null_delete_fn_ pmpi_null_delete_fn_ mpi_null_delete_fn_f08_ pmpi_null_delete_fn_f08_]
    (
    _of: N, _key: N, _value: P, _state: P, ierror: R
) -> () {
    Out::new(ierror).set(0);
});
export!([mpi_comm_null_copy_fn_ pmpi_comm_null_copy_fn_
    mpi_comm_null_copy_fn_f08_ pmpi_comm_null_copy_fn_f08_] (
    _of: N, _key: N, _state: P, _value: P, _copied: P, flag: R, ierror: R
) -> () {
    copy_nothing(flag, ierror);
});
export!([mpi_comm_null_delete_fn_ pmpi_comm_null_delete_fn_
    mpi_comm_null_delete_fn_f08_ pmpi_comm_null_delete_fn_f08_] (
    _of: N, _key: N, _value: P, _state: P, ierror: R
) -> () {
    Out::new(ierror).set(0);
});
export!([mpi_type_null_copy_fn_ pmpi_type_null_copy_fn_
    mpi_type_null_copy_fn_f08_ pmpi_type_null_copy_fn_f08_] (
    _of: N, _key: N, _state: P, _value: P, _copied: P, flag: R, ierror: R
) -> () {
    copy_nothing(flag, ierror);
});
export!([mpi_type_null_delete_fn_ pmpi_type_null_delete_fn_
    mpi_type_null_delete_fn_f08_ pmpi_type_null_delete_fn_f08_] (
    _of: N, _key: N, _value: P, _state: P, ierror: R
) -> () {
    Out::new(ierror).set(0);
});
export!([mpi_win_null_copy_fn_ pmpi_win_null_copy_fn_
    mpi_win_null_copy_fn_f08_ pmpi_win_null_copy_fn_f08_] (
    _of: N, _key: N, _state: P, _value: P, _copied: P, flag: R, ierror: R
) -> () {
    copy_nothing(flag, ierror);
});
export!([mpi_win_null_delete_fn_ pmpi_win_null_delete_fn_
    mpi_win_null_delete_fn_f08_ pmpi_win_null_delete_fn_f08_] (
    _of: N, _key: N, _value: P, _state: P, ierror: R
) -> () {
    Out::new(ierror).set(0);
});
