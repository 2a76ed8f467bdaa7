//! Routines that no row can say: functions, those that Fortran alone has, those with procedures of
//! the user and with attributes, and those whose texts have a length with C's zero byte.

use std::ffi::c_void;

use edge::callback::{create_errhandler, op_create};
use edge::export;
use edge::fortran::attribute::{create, get, set};
use edge::fortran::callback::generalized;
use edge::fortran::datarep::representation;
use edge::fortran::spawn::{error_codes, Programs};
use edge::fortran::{copy_nothing, duplicate, Characters, TextLength};
use edge::generated::constants::MPI_CONVERSION_FN_NULL;
use edge::rows::*;

use crate::Fortran as A;

type P = *mut c_void;
type N = *const i32;
type R = *mut i32;
type C = *const u8;

export!([MPI_Wtime(mpi_wtime_ mpi_wtime_f08_) PMPI_Wtime(pmpi_wtime_ pmpi_wtime_f08_)] () -> f64 {
    call()
});
export!([MPI_Wtick(mpi_wtick_ mpi_wtick_f08_) PMPI_Wtick(pmpi_wtick_ pmpi_wtick_f08_)] () -> f64 {
    call()
});
export!([MPI_Aint_add(mpi_aint_add_ mpi_aint_add_f08_)
    PMPI_Aint_add(pmpi_aint_add_ pmpi_aint_add_f08_)] (a: *const i64, b: *const i64) -> i64 {
    call(read(a), read(b))
});
export!([MPI_Aint_diff(mpi_aint_diff_ mpi_aint_diff_f08_)
    PMPI_Aint_diff(pmpi_aint_diff_ pmpi_aint_diff_f08_)] (a: *const i64, b: *const i64) -> i64 {
    call(read(a), read(b))
});
export!([MPI_Pcontrol(mpi_pcontrol_ mpi_pcontrol_f08_)
    PMPI_Pcontrol(pmpi_pcontrol_ pmpi_pcontrol_f08_)] (level: N) -> i32 {
    call(read(level))
});
export!([MPIX_Op_create_x(mpi_op_create_ mpi_op_create_f08_)
    PMPIX_Op_create_x(pmpi_op_create_ pmpi_op_create_f08_)] (
    user: P, commute: N, op: R, ierror: R
) ierror on {} {
    op_create::<A>(call, user, truth(commute), op, false)
});
export!([MPIX_Op_create_x(mpi_op_create_c_f08_) PMPIX_Op_create_x(pmpi_op_create_c_f08_)] (
    user: P, commute: N, op: R, ierror: R
) ierror on {} {
    op_create::<A>(call, user, truth(commute), op, true)
});
export!([MPIX_Comm_create_errhandler_x(mpi_comm_create_errhandler_ mpi_comm_create_errhandler_f08_
    mpi_errhandler_create_)
    PMPIX_Comm_create_errhandler_x(pmpi_comm_create_errhandler_ pmpi_comm_create_errhandler_f08_
    pmpi_errhandler_create_)] (
    user: P, made: R, ierror: R
) ierror on {} {
    create_errhandler::<A, Comm>(call, user, made)
});
export!([MPIX_Win_create_errhandler_x(mpi_win_create_errhandler_ mpi_win_create_errhandler_f08_)
    PMPIX_Win_create_errhandler_x(pmpi_win_create_errhandler_ pmpi_win_create_errhandler_f08_)] (
    user: P, made: R, ierror: R
) ierror on {} {
    create_errhandler::<A, Win>(call, user, made)
});
export!([MPIX_File_create_errhandler_x(mpi_file_create_errhandler_ mpi_file_create_errhandler_f08_)
    PMPIX_File_create_errhandler_x(pmpi_file_create_errhandler_ pmpi_file_create_errhandler_f08_)] (
    user: P, made: R, ierror: R
) ierror on {} {
    create_errhandler::<A, File>(call, user, made)
});
export!([MPIX_Session_create_errhandler_x(mpi_session_create_errhandler_
    mpi_session_create_errhandler_f08_)
    PMPIX_Session_create_errhandler_x(pmpi_session_create_errhandler_
    pmpi_session_create_errhandler_f08_)] (
    user: P, made: R, ierror: R
) ierror on {} {
    create_errhandler::<A, Session>(call, user, made)
});
export!([MPI_Grequest_start(mpi_grequest_start_ mpi_grequest_start_f08_)
    PMPI_Grequest_start(pmpi_grequest_start_ pmpi_grequest_start_f08_)] (
    query: P, free: P, cancel: P, state: *mut i64, request: R, ierror: R
) ierror on {} {
    let ((query, free, cancel), state) = generalized::<A>([query, free, cancel], state);
    let mut request = HandleOut::<A, Request>::new(request);
    call(Some(query), Some(free), Some(cancel), state, request.c())
});
export!([MPI_Register_datarep(mpi_register_datarep_ mpi_register_datarep_f08_)
    PMPI_Register_datarep(pmpi_register_datarep_ pmpi_register_datarep_f08_)] (
    name: C, read_fn: P, write_fn: P, extent_fn: P, state: *const i64, ierror: R, length: usize
) ierror on {} {
    let procedures = [read_fn, write_fn, extent_fn];
    let made = representation::<A, i32>(procedures, &nulls(), read(state));
    let name = Text::new(name, length, false);
    call(name.c(), made.read, made.write, Some(made.extent), made.state)
});
export!([MPI_Register_datarep_c(mpi_register_datarep_c_f08_)
    PMPI_Register_datarep_c(pmpi_register_datarep_c_f08_)] (
    name: C, read_fn: P, write_fn: P, extent_fn: P, state: *const i64, ierror: R, length: usize
) ierror on {} {
    let procedures = [read_fn, write_fn, extent_fn];
    let made = representation::<A, i64>(procedures, &nulls(), read(state));
    let name = Text::new(name, length, false);
    call(name.c(), made.read, made.write, Some(made.extent), made.state)
});
export!([COMM(mpi_comm_create_keyval_ mpi_comm_create_keyval_f08_)
    PCOMM(pmpi_comm_create_keyval_ pmpi_comm_create_keyval_f08_)] (
    copy: P, delete: P, key: R, state: *const i64, ierror: R
) ierror on {} {
    create::<A, _, i64>(call, [copy, delete], key, read(state))
});
export!([COMM(mpi_comm_get_attr_ mpi_comm_get_attr_f08_)
    PCOMM(pmpi_comm_get_attr_ pmpi_comm_get_attr_f08_)] (
    of: N, key: N, value: *mut i64, flag: R, ierror: R
) ierror on { handle_in::<A, Comm>(read(of)) } {
    get::<A, _, i64>(call, handle_in::<A, _>(read(of)), read(key), value, flag)
});
export!([COMM(mpi_comm_set_attr_ mpi_comm_set_attr_f08_)
    PCOMM(pmpi_comm_set_attr_ pmpi_comm_set_attr_f08_)] (
    of: N, key: N, value: *const i64, ierror: R
) ierror on { handle_in::<A, Comm>(read(of)) } {
    set::<A, _>(call, handle_in::<A, _>(read(of)), read(key), read(value))
});
export!([TYPE(mpi_type_create_keyval_ mpi_type_create_keyval_f08_)
    PTYPE(pmpi_type_create_keyval_ pmpi_type_create_keyval_f08_)] (
    copy: P, delete: P, key: R, state: *const i64, ierror: R
) ierror on {} {
    create::<A, _, i64>(call, [copy, delete], key, read(state))
});
export!([TYPE(mpi_type_get_attr_ mpi_type_get_attr_f08_)
    PTYPE(pmpi_type_get_attr_ pmpi_type_get_attr_f08_)] (
    of: N, key: N, value: *mut i64, flag: R, ierror: R
) ierror on { handle_in::<A, Datatype>(read(of)) } {
    get::<A, _, i64>(call, handle_in::<A, _>(read(of)), read(key), value, flag)
});
export!([TYPE(mpi_type_set_attr_ mpi_type_set_attr_f08_)
    PTYPE(pmpi_type_set_attr_ pmpi_type_set_attr_f08_)] (
    of: N, key: N, value: *const i64, ierror: R
) ierror on { handle_in::<A, Datatype>(read(of)) } {
    set::<A, _>(call, handle_in::<A, _>(read(of)), read(key), read(value))
});
export!([WIN(mpi_win_create_keyval_ mpi_win_create_keyval_f08_)
    PWIN(pmpi_win_create_keyval_ pmpi_win_create_keyval_f08_)] (
    copy: P, delete: P, key: R, state: *const i64, ierror: R
) ierror on {} {
    create::<A, _, i64>(call, [copy, delete], key, read(state))
});
export!([WIN(mpi_win_get_attr_ mpi_win_get_attr_f08_)
    PWIN(pmpi_win_get_attr_ pmpi_win_get_attr_f08_)] (
    of: N, key: N, value: *mut i64, flag: R, ierror: R
) ierror on { handle_in::<A, Win>(read(of)) } {
    get::<A, _, i64>(call, handle_in::<A, _>(read(of)), read(key), value, flag)
});
export!([WIN(mpi_win_set_attr_ mpi_win_set_attr_f08_)
    PWIN(pmpi_win_set_attr_ pmpi_win_set_attr_f08_)] (
    of: N, key: N, value: *const i64, ierror: R
) ierror on { handle_in::<A, Win>(read(of)) } {
    set::<A, _>(call, handle_in::<A, _>(read(of)), read(key), read(value))
});
export!([MPI_Comm_spawn(mpi_comm_spawn_ mpi_comm_spawn_f08_)
    PMPI_Comm_spawn(pmpi_comm_spawn_ pmpi_comm_spawn_f08_)] (
    command: C, argv: C, maxprocs: N, info: N, root: N, comm: N, made: R, codes: R, ierror: R,
    command_length: usize, argv_length: usize
) ierror on { handle_in::<A, Comm>(read(comm)) } {
    let command = Characters { at: command, length: command_length };
    let argv = Characters { at: argv, length: argv_length };
    let (comm, root) = (handle_in::<A, Comm>(read(comm)), read(root));
    let programs = Programs::read::<A>((comm, root), 1, command, argv, info);
    let (command, argv, info) = (programs.command(), programs.argv(), programs.info());
    let (mut made, codes) = (HandleOut::<A, Comm>::new(made), error_codes::<A>(codes));
    call(command, argv, read(maxprocs), info, root, comm, made.c(), codes)
});
export!([MPI_Comm_spawn_multiple(mpi_comm_spawn_multiple_ mpi_comm_spawn_multiple_f08_)
    PMPI_Comm_spawn_multiple(pmpi_comm_spawn_multiple_ pmpi_comm_spawn_multiple_f08_)] (
    count: N, commands: C, argvs: C, maxprocs: N, infos: N, root: N, comm: N, made: R, codes: R,
    ierror: R, command_length: usize, argv_length: usize
) ierror on { handle_in::<A, Comm>(read(comm)) } {
    let commands = Characters { at: commands, length: command_length };
    let argvs = Characters { at: argvs, length: argv_length };
    let (comm, root) = (handle_in::<A, Comm>(read(comm)), read(root));
    let programs = Programs::read::<A>((comm, root), read(count), commands, argvs, infos);
    let (commands, argvs, infos) = (programs.commands(), programs.argvs(), programs.infos());
    let (mut made, codes) = (HandleOut::<A, Comm>::new(made), error_codes::<A>(codes));
    call(read(count), commands, argvs, maxprocs, infos, root, comm, made.c(), codes)
});
export!([MPI_Info_get_string(mpi_info_get_string_ mpi_info_get_string_f08_)
    PMPI_Info_get_string(pmpi_info_get_string_ pmpi_info_get_string_f08_)] (
    info: N, key: C, buflen: R, text: *mut u8, flag: R, ierror: R, key_length: usize, length: usize
) ierror on {} {
    let key = Text::new(key, key_length, true);
    let mut text = CharacterOut::new(text, length, len(read(buflen)) + 1);
    let (mut buflen, mut flag) = (TextLength::new(buflen), TruthOut::new(flag));
    call(handle_in::<A, Info>(read(info)), key.c(), buflen.c(), text.c(), flag.c())
});
export!([MPI_Session_get_nth_pset(mpi_session_get_nth_pset_ mpi_session_get_nth_pset_f08_)
    PMPI_Session_get_nth_pset(pmpi_session_get_nth_pset_ pmpi_session_get_nth_pset_f08_)] (
    session: N, info: N, n: N, pset_len: R, name: *mut u8, ierror: R, length: usize
) ierror on { handle_in::<A, Session>(read(session)) } {
    let (session, info) = (handle_in::<A, _>(read(session)), handle_in::<A, _>(read(info)));
    let mut name = CharacterOut::new(name, length, len(read(pset_len)) + 1);
    call(session, info, read(n), TextLength::new(pset_len).c(), name.c())
});

// What C does not have.

export!([mpi_sizeof_f08ts_ pmpi_sizeof_f08ts_] (
    x: *const Standard, size: R, ierror: R
) ierror on {} {
    Out::new(size).set((*x).element() as i32);
    0
});
export!([mpi_sizeof_1_ pmpi_sizeof_1_] (_x: P, size: R, ierror: R) ierror on {} {
    Out::new(size).set(1);
    0
});
export!([mpi_sizeof_2_ pmpi_sizeof_2_] (_x: P, size: R, ierror: R) ierror on {} {
    Out::new(size).set(2);
    0
});
export!([mpi_sizeof_4_ pmpi_sizeof_4_] (_x: P, size: R, ierror: R) ierror on {} {
    Out::new(size).set(4);
    0
});
export!([mpi_sizeof_8_ pmpi_sizeof_8_] (_x: P, size: R, ierror: R) ierror on {} {
    Out::new(size).set(8);
    0
});
export!([mpi_sizeof_16_ pmpi_sizeof_16_] (_x: P, size: R, ierror: R) ierror on {} {
    Out::new(size).set(16);
    0
});
export!([mpi_f_sync_reg_ pmpi_f_sync_reg_ mpi_f_sync_reg_f08_ pmpi_f_sync_reg_f08_
    mpi_f_sync_reg_f08ts_ pmpi_f_sync_reg_f08ts_] (_buffer: P) -> () {});
export!([mpi_status_f2f08_ pmpi_status_f2f08_ mpi_status_f2f08_f08_ pmpi_status_f2f08_f08_
    mpi_status_f082f_ pmpi_status_f082f_ mpi_status_f082f_f08_ pmpi_status_f082f_f08_] (
    from: *const Status, to: *mut Status, ierror: R
) ierror on {} {
    Out::new(to).set(read(from));
    0
});
export!([mpi_comm_eq_ mpi_datatype_eq_ mpi_errhandler_eq_ mpi_file_eq_ mpi_group_eq_
    mpi_info_eq_ mpi_message_eq_ mpi_op_eq_ mpi_request_eq_ mpi_session_eq_
    mpi_win_eq_] (a: N, b: N) -> i32 {
    i32::from(read(a) == read(b))
});
export!([mpi_comm_ne_ mpi_datatype_ne_ mpi_errhandler_ne_ mpi_file_ne_ mpi_group_ne_
    mpi_info_ne_ mpi_message_ne_ mpi_op_ne_ mpi_request_ne_ mpi_session_ne_
    mpi_win_ne_] (a: N, b: N) -> i32 {
    i32::from(read(a) != read(b))
});
export!([mpi_dup_fn_] (
    _of: N, _key: N, _state: P, value: *const i32, copied: *mut i32, flag: R, ierror: R
) -> () {
    duplicate(value, copied, flag, ierror);
});
export!([mpi_comm_dup_fn_ mpi_type_dup_fn_ mpi_win_dup_fn_] (
    _of: N, _key: N, _state: P, value: *const i64, copied: *mut i64, flag: R, ierror: R
) -> () {
    duplicate(value, copied, flag, ierror);
});
export!([mpi_null_copy_fn_ mpi_comm_null_copy_fn_ mpi_type_null_copy_fn_ mpi_win_null_copy_fn_] (
    _of: N, _key: N, _state: P, _value: P, _copied: P, flag: R, ierror: R
) -> () {
    copy_nothing(flag, ierror);
});
export!([mpi_null_delete_fn_ mpi_comm_null_delete_fn_ mpi_type_null_delete_fn_
    mpi_win_null_delete_fn_] (_of: N, _key: N, _value: P, _state: P, ierror: R) -> () {
    Out::new(ierror).set(0);
});

/// `MPI_CONVERSION_FN_NULL`, and the one of the large-count form: known by their addresses.
#[no_mangle]
extern "C" fn mpi_conversion_fn_null_() {}

/// See [`mpi_conversion_fn_null_`].
#[no_mangle]
extern "C" fn mpi_conversion_fn_null_c_() {
    // Not of the same code as the other, for a linker may make one function of two.
    std::hint::black_box(MPI_CONVERSION_FN_NULL);
}

fn nulls() -> [usize; 2] {
    [mpi_conversion_fn_null_, mpi_conversion_fn_null_c_].map(|of: extern "C" fn()| of as usize)
}
