//! Procedures of MPICH's `mpi_f08`, as gfortran compiles it: those with descriptors and with large
//! counts, comparisons of handles, predefined callbacks, statuses of the other kind, `MPI_SIZEOF`.

use std::ffi::c_void;

edge::modern_entries!(crate::interface::Fortran);

/// Exports what compares handles, each of which is an INTEGER, and LOGICALs of the answers.
macro_rules! comparisons {
    ($($equal:ident $unequal:ident $left_equal:ident $left_unequal:ident
        $right_equal:ident $right_unequal:ident;)*) => {
        $(
            comparisons!(@one $equal ==);
            comparisons!(@one $left_equal ==);
            comparisons!(@one $right_equal ==);
            comparisons!(@one $unequal !=);
            comparisons!(@one $left_unequal !=);
            comparisons!(@one $right_unequal !=);
        )*
    };
    (@one $name:ident $compare:tt) => {
        #[no_mangle]
        unsafe extern "C" fn $name(a: *const i32, b: *const i32) -> i32 {
            // SAFETY: the caller gives the addresses of two handles.
            i32::from(unsafe { *a $compare *b })
        }
    };
}

comparisons! {
    __mpi_f08_types_MOD_mpi_comm_eq __mpi_f08_types_MOD_mpi_comm_neq
        __mpi_f08_types_MOD_mpi_comm_f08_eq_f __mpi_f08_types_MOD_mpi_comm_f08_neq_f
        __mpi_f08_types_MOD_mpi_comm_f_eq_f08 __mpi_f08_types_MOD_mpi_comm_f_neq_f08;
    __mpi_f08_types_MOD_mpi_datatype_eq __mpi_f08_types_MOD_mpi_datatype_neq
        __mpi_f08_types_MOD_mpi_datatype_f08_eq_f __mpi_f08_types_MOD_mpi_datatype_f08_neq_f
        __mpi_f08_types_MOD_mpi_datatype_f_eq_f08 __mpi_f08_types_MOD_mpi_datatype_f_neq_f08;
    __mpi_f08_types_MOD_mpi_errhandler_eq __mpi_f08_types_MOD_mpi_errhandler_neq
        __mpi_f08_types_MOD_mpi_errhandler_f08_eq_f __mpi_f08_types_MOD_mpi_errhandler_f08_neq_f
        __mpi_f08_types_MOD_mpi_errhandler_f_eq_f08 __mpi_f08_types_MOD_mpi_errhandler_f_neq_f08;
    __mpi_f08_types_MOD_mpi_file_eq __mpi_f08_types_MOD_mpi_file_neq
        __mpi_f08_types_MOD_mpi_file_f08_eq_f __mpi_f08_types_MOD_mpi_file_f08_neq_f
        __mpi_f08_types_MOD_mpi_file_f_eq_f08 __mpi_f08_types_MOD_mpi_file_f_neq_f08;
    __mpi_f08_types_MOD_mpi_group_eq __mpi_f08_types_MOD_mpi_group_neq
        __mpi_f08_types_MOD_mpi_group_f08_eq_f __mpi_f08_types_MOD_mpi_group_f08_neq_f
        __mpi_f08_types_MOD_mpi_group_f_eq_f08 __mpi_f08_types_MOD_mpi_group_f_neq_f08;
    __mpi_f08_types_MOD_mpi_info_eq __mpi_f08_types_MOD_mpi_info_neq
        __mpi_f08_types_MOD_mpi_info_f08_eq_f __mpi_f08_types_MOD_mpi_info_f08_neq_f
        __mpi_f08_types_MOD_mpi_info_f_eq_f08 __mpi_f08_types_MOD_mpi_info_f_neq_f08;
    __mpi_f08_types_MOD_mpi_message_eq __mpi_f08_types_MOD_mpi_message_neq
        __mpi_f08_types_MOD_mpi_message_f08_eq_f __mpi_f08_types_MOD_mpi_message_f08_neq_f
        __mpi_f08_types_MOD_mpi_message_f_eq_f08 __mpi_f08_types_MOD_mpi_message_f_neq_f08;
    __mpi_f08_types_MOD_mpi_op_eq __mpi_f08_types_MOD_mpi_op_neq
        __mpi_f08_types_MOD_mpi_op_f08_eq_f __mpi_f08_types_MOD_mpi_op_f08_neq_f
        __mpi_f08_types_MOD_mpi_op_f_eq_f08 __mpi_f08_types_MOD_mpi_op_f_neq_f08;
    __mpi_f08_types_MOD_mpi_request_eq __mpi_f08_types_MOD_mpi_request_neq
        __mpi_f08_types_MOD_mpi_request_f08_eq_f __mpi_f08_types_MOD_mpi_request_f08_neq_f
        __mpi_f08_types_MOD_mpi_request_f_eq_f08 __mpi_f08_types_MOD_mpi_request_f_neq_f08;
    __mpi_f08_types_MOD_mpi_session_eq __mpi_f08_types_MOD_mpi_session_neq
        __mpi_f08_types_MOD_mpi_session_f08_eq_f __mpi_f08_types_MOD_mpi_session_f08_neq_f
        __mpi_f08_types_MOD_mpi_session_f_eq_f08 __mpi_f08_types_MOD_mpi_session_f_neq_f08;
    __mpi_f08_types_MOD_mpi_win_eq __mpi_f08_types_MOD_mpi_win_neq
        __mpi_f08_types_MOD_mpi_win_f08_eq_f __mpi_f08_types_MOD_mpi_win_f08_neq_f
        __mpi_f08_types_MOD_mpi_win_f_eq_f08 __mpi_f08_types_MOD_mpi_win_f_neq_f08;
}

/// Exports the predefined callbacks by the names that the module has for them: those of `mpif.h`
/// have the same arguments.
macro_rules! callbacks {
    ($($name:ident $own:ident($($param:ident),*);)*) => {
        extern "C" { $(fn $own($($param: *mut c_void),*);)* }
        $(#[no_mangle]
        unsafe extern "C" fn $name($($param: *mut c_void),*) {
            // SAFETY: the arguments are passed on as they came.
            unsafe { $own($($param),*) }
        })*
    };
}

callbacks! {
    __mpi_f08_callbacks_MOD_mpi_comm_dup_fn mpi_comm_dup_fn_(
        object, key, state, value, copied, flag, ierror
    );
    __mpi_f08_callbacks_MOD_mpi_comm_null_copy_fn mpi_comm_null_copy_fn_(
        object, key, state, value, copied, flag, ierror
    );
    __mpi_f08_callbacks_MOD_mpi_comm_null_delete_fn mpi_comm_null_delete_fn_(
        object, key, value, state, ierror
    );
    __mpi_f08_callbacks_MOD_mpi_type_dup_fn mpi_type_dup_fn_(
        object, key, state, value, copied, flag, ierror
    );
    __mpi_f08_callbacks_MOD_mpi_type_null_copy_fn mpi_type_null_copy_fn_(
        object, key, state, value, copied, flag, ierror
    );
    __mpi_f08_callbacks_MOD_mpi_type_null_delete_fn mpi_type_null_delete_fn_(
        object, key, value, state, ierror
    );
    __mpi_f08_callbacks_MOD_mpi_win_dup_fn mpi_win_dup_fn_(
        object, key, state, value, copied, flag, ierror
    );
    __mpi_f08_callbacks_MOD_mpi_win_null_copy_fn mpi_win_null_copy_fn_(
        object, key, state, value, copied, flag, ierror
    );
    __mpi_f08_callbacks_MOD_mpi_win_null_delete_fn mpi_win_null_delete_fn_(
        object, key, value, state, ierror
    );
    __mpi_f08_callbacks_MOD_mpi_conversion_fn_null mpi_conversion_fn_null_(
        user, datatype, count, file, position, state, ierror
    );
}

/// The INTEGERs of a status, in either of its forms.
const STATUS: usize = 5;

/// Copies a status of one form to the other: they have the same INTEGERs.
///
/// # Safety
/// Both are addresses of statuses, and `ierror` is null or that of an INTEGER.
unsafe fn copy_status(from: *const i32, to: *mut i32, ierror: *mut i32) {
    // SAFETY: as the caller says.
    unsafe {
        std::ptr::copy(from, to, STATUS);
        edge::fortran::store(ierror, 0);
    }
}

#[no_mangle]
unsafe extern "C" fn __mpi_f08_types_MOD_mpi_status_f082f(
    from: *const i32,
    to: *mut i32,
    ierror: *mut i32,
) {
    // SAFETY: the caller gives the arguments as the interface declares them.
    unsafe { copy_status(from, to, ierror) }
}

#[no_mangle]
unsafe extern "C" fn __mpi_f08_types_MOD_mpi_status_f2f08(
    from: *const i32,
    to: *mut i32,
    ierror: *mut i32,
) {
    // SAFETY: the caller gives the arguments as the interface declares them.
    unsafe { copy_status(from, to, ierror) }
}

/// Exports `MPI_SIZEOF` for each type.
macro_rules! sizes {
    ($($name:ident $bytes:literal;)*) => {
        $(#[no_mangle]
        unsafe extern "C" fn $name(_of: *const c_void, size: *mut i32, ierror: *mut i32) {
            // SAFETY: the caller gives the addresses of INTEGERs; the second may lack.
            unsafe {
                *size = $bytes;
                edge::fortran::store(ierror, 0);
            }
        })*
    };
}

sizes! {
    __mpi_f08_types_MOD_mpi_sizeof_character 1;
    __mpi_f08_types_MOD_mpi_sizeof_logical 4;
    __mpi_f08_types_MOD_mpi_sizeof_xint8 1;
    __mpi_f08_types_MOD_mpi_sizeof_xint16 2;
    __mpi_f08_types_MOD_mpi_sizeof_xint32 4;
    __mpi_f08_types_MOD_mpi_sizeof_xint64 8;
    __mpi_f08_types_MOD_mpi_sizeof_xreal32 4;
    __mpi_f08_types_MOD_mpi_sizeof_xreal64 8;
    __mpi_f08_types_MOD_mpi_sizeof_xreal128 16;
    __mpi_f08_types_MOD_mpi_sizeof_xcomplex32 8;
    __mpi_f08_types_MOD_mpi_sizeof_xcomplex64 16;
    __mpi_f08_types_MOD_mpi_sizeof_xcomplex128 32;
}

/// Keeps the compiler from moving accesses to memory; there is nothing to do.
#[no_mangle]
extern "C" fn mpi_f_sync_reg_f08ts_(_of: *const c_void) {}

#[no_mangle]
extern "C" fn pmpi_f_sync_reg_f08ts_(_of: *const c_void) {}
