//! Procedures of MPICH's `mpi_f08`, as gfortran compiles it: comparisons of handles, predefined
//! callbacks, statuses of the other kind, `MPI_SIZEOF`.

use std::ffi::c_void;

use edge::export;
use edge::fortran::{copy_nothing, duplicate};
use edge::rows::*;

use crate::Fortran as A;

type P = *mut c_void;

// Handles are an INTEGER each, and so are the LOGICALs of the answers.
export!([
    __mpi_f08_types_MOD_mpi_comm_eq
    __mpi_f08_types_MOD_mpi_comm_f08_eq_f __mpi_f08_types_MOD_mpi_comm_f_eq_f08
    __mpi_f08_types_MOD_mpi_datatype_eq
    __mpi_f08_types_MOD_mpi_datatype_f08_eq_f __mpi_f08_types_MOD_mpi_datatype_f_eq_f08
    __mpi_f08_types_MOD_mpi_errhandler_eq
    __mpi_f08_types_MOD_mpi_errhandler_f08_eq_f __mpi_f08_types_MOD_mpi_errhandler_f_eq_f08
    __mpi_f08_types_MOD_mpi_file_eq
    __mpi_f08_types_MOD_mpi_file_f08_eq_f __mpi_f08_types_MOD_mpi_file_f_eq_f08
    __mpi_f08_types_MOD_mpi_group_eq
    __mpi_f08_types_MOD_mpi_group_f08_eq_f __mpi_f08_types_MOD_mpi_group_f_eq_f08
    __mpi_f08_types_MOD_mpi_info_eq
    __mpi_f08_types_MOD_mpi_info_f08_eq_f __mpi_f08_types_MOD_mpi_info_f_eq_f08
    __mpi_f08_types_MOD_mpi_message_eq
    __mpi_f08_types_MOD_mpi_message_f08_eq_f __mpi_f08_types_MOD_mpi_message_f_eq_f08
    __mpi_f08_types_MOD_mpi_op_eq
    __mpi_f08_types_MOD_mpi_op_f08_eq_f __mpi_f08_types_MOD_mpi_op_f_eq_f08
    __mpi_f08_types_MOD_mpi_request_eq
    __mpi_f08_types_MOD_mpi_request_f08_eq_f __mpi_f08_types_MOD_mpi_request_f_eq_f08
    __mpi_f08_types_MOD_mpi_session_eq
    __mpi_f08_types_MOD_mpi_session_f08_eq_f __mpi_f08_types_MOD_mpi_session_f_eq_f08
    __mpi_f08_types_MOD_mpi_win_eq
    __mpi_f08_types_MOD_mpi_win_f08_eq_f __mpi_f08_types_MOD_mpi_win_f_eq_f08
] (a: *const i32, b: *const i32) -> i32 {
    i32::from(read(a) == read(b))
});
export!([
    __mpi_f08_types_MOD_mpi_comm_neq
    __mpi_f08_types_MOD_mpi_comm_f08_neq_f __mpi_f08_types_MOD_mpi_comm_f_neq_f08
    __mpi_f08_types_MOD_mpi_datatype_neq
    __mpi_f08_types_MOD_mpi_datatype_f08_neq_f __mpi_f08_types_MOD_mpi_datatype_f_neq_f08
    __mpi_f08_types_MOD_mpi_errhandler_neq
    __mpi_f08_types_MOD_mpi_errhandler_f08_neq_f __mpi_f08_types_MOD_mpi_errhandler_f_neq_f08
    __mpi_f08_types_MOD_mpi_file_neq
    __mpi_f08_types_MOD_mpi_file_f08_neq_f __mpi_f08_types_MOD_mpi_file_f_neq_f08
    __mpi_f08_types_MOD_mpi_group_neq
    __mpi_f08_types_MOD_mpi_group_f08_neq_f __mpi_f08_types_MOD_mpi_group_f_neq_f08
    __mpi_f08_types_MOD_mpi_info_neq
    __mpi_f08_types_MOD_mpi_info_f08_neq_f __mpi_f08_types_MOD_mpi_info_f_neq_f08
    __mpi_f08_types_MOD_mpi_message_neq
    __mpi_f08_types_MOD_mpi_message_f08_neq_f __mpi_f08_types_MOD_mpi_message_f_neq_f08
    __mpi_f08_types_MOD_mpi_op_neq
    __mpi_f08_types_MOD_mpi_op_f08_neq_f __mpi_f08_types_MOD_mpi_op_f_neq_f08
    __mpi_f08_types_MOD_mpi_request_neq
    __mpi_f08_types_MOD_mpi_request_f08_neq_f __mpi_f08_types_MOD_mpi_request_f_neq_f08
    __mpi_f08_types_MOD_mpi_session_neq
    __mpi_f08_types_MOD_mpi_session_f08_neq_f __mpi_f08_types_MOD_mpi_session_f_neq_f08
    __mpi_f08_types_MOD_mpi_win_neq
    __mpi_f08_types_MOD_mpi_win_f08_neq_f __mpi_f08_types_MOD_mpi_win_f_neq_f08
] (a: *const i32, b: *const i32) -> i32 {
    i32::from(read(a) != read(b))
});
// Predefined callbacks, by the names that the module has for them.
export!([
    __mpi_f08_callbacks_MOD_mpi_comm_dup_fn
    __mpi_f08_callbacks_MOD_mpi_type_dup_fn
    __mpi_f08_callbacks_MOD_mpi_win_dup_fn
] (
    _of: P, _key: P, _state: P, value: *const i64, copied: *mut i64, flag: *mut i32,
    ierror: *mut i32
) -> () {
    duplicate(value, copied, flag, ierror);
});
export!([
    __mpi_f08_callbacks_MOD_mpi_comm_null_copy_fn
    __mpi_f08_callbacks_MOD_mpi_type_null_copy_fn
    __mpi_f08_callbacks_MOD_mpi_win_null_copy_fn
] (
    _of: P, _key: P, _state: P, _value: P, _copied: P, flag: *mut i32, ierror: *mut i32
) -> () {
    copy_nothing(flag, ierror);
});
export!([
    __mpi_f08_callbacks_MOD_mpi_comm_null_delete_fn
    __mpi_f08_callbacks_MOD_mpi_type_null_delete_fn
    __mpi_f08_callbacks_MOD_mpi_win_null_delete_fn
] (_of: P, _key: P, _value: P, _state: P, ierror: *mut i32) -> () {
    Out::new(ierror).set(0);
});
export!([__mpi_f08_callbacks_MOD_mpi_conversion_fn_null] () -> () {});
// A status has the same INTEGERs in both of its forms.
export!([__mpi_f08_types_MOD_mpi_status_f082f __mpi_f08_types_MOD_mpi_status_f2f08] (
    from: *const [i32; 5], to: *mut [i32; 5], ierror: *mut i32
) ierror on {} {
    Out::new(to).set(read(from));
    0
});
// `MPI_SIZEOF` for each type.
export!([
    __mpi_f08_types_MOD_mpi_sizeof_character
    __mpi_f08_types_MOD_mpi_sizeof_xint8
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} {
    Out::new(size).set(1);
    0
});
export!([
    __mpi_f08_types_MOD_mpi_sizeof_logical
    __mpi_f08_types_MOD_mpi_sizeof_xint32
    __mpi_f08_types_MOD_mpi_sizeof_xreal32
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} {
    Out::new(size).set(4);
    0
});
export!([
    __mpi_f08_types_MOD_mpi_sizeof_xint16
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} {
    Out::new(size).set(2);
    0
});
export!([
    __mpi_f08_types_MOD_mpi_sizeof_xint64
    __mpi_f08_types_MOD_mpi_sizeof_xreal64
    __mpi_f08_types_MOD_mpi_sizeof_xcomplex32
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} {
    Out::new(size).set(8);
    0
});
export!([
    __mpi_f08_types_MOD_mpi_sizeof_xreal128
    __mpi_f08_types_MOD_mpi_sizeof_xcomplex64
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} {
    Out::new(size).set(16);
    0
});
export!([
    __mpi_f08_types_MOD_mpi_sizeof_xcomplex128
] (_of: *const c_void, size: *mut i32, ierror: *mut i32) ierror on {} {
    Out::new(size).set(32);
    0
});
// Keeps the compiler from moving accesses to memory; there is nothing to do.
export!([mpi_f_sync_reg_f08ts_ pmpi_f_sync_reg_f08ts_] (_of: *const c_void) -> () {});
