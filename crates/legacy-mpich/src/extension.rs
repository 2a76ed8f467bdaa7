//! MPICH's extensions of MPI, as far as its header declares them and this project has what they do.

use std::ffi::c_void;

use edge::generated::constants::MPI_ERR_ARG;
use edge::rows::*;
use edge::{export, extension};

use crate::Interface as A;

export!([MPIX_Delete_error_class PMPIX_Delete_error_class] (of: i32) on {} {
    c::remove_error_class(error_in::<A>(of))
});
export!([MPIX_Delete_error_code PMPIX_Delete_error_code] (of: i32) on {} {
    c::remove_error_code(error_in::<A>(of))
});
export!([MPIX_Delete_error_string PMPIX_Delete_error_string] (of: i32) on {} {
    c::remove_error_string(error_in::<A>(of))
});
export!([MPIX_Comm_revoke PMPIX_Comm_revoke] (comm: i32) on { handle_in::<A, Comm>(comm) } {
    extension::comm_revoke(handle_in::<A, Comm>(comm))
});
export!([MPIX_Comm_failure_ack PMPIX_Comm_failure_ack] (comm: i32) on {} {
    extension::comm_failure_ack(handle_in::<A, Comm>(comm))
});
export!([MPIX_Comm_failure_get_acked PMPIX_Comm_failure_get_acked] (
    comm: i32, group: *mut i32
) on { handle_in::<A, Comm>(comm) } {
    extension::comm_failure_get_acked(
        handle_in::<A, Comm>(comm),
        HandleOut::<A, Group>::new(group).c(),
    )
});
export!([MPIX_Comm_agree PMPIX_Comm_agree] (
    comm: i32, flag: *mut i32
) on { handle_in::<A, Comm>(comm) } {
    extension::comm_agree(handle_in::<A, Comm>(comm), flag)
});
export!([MPIX_Comm_shrink PMPIX_Comm_shrink] (
    comm: i32, made: *mut i32
) on { handle_in::<A, Comm>(comm) } {
    extension::comm_shrink(handle_in::<A, Comm>(comm), HandleOut::<A, Comm>::new(made).c())
});
export!([MPIX_GPU_query_support PMPIX_GPU_query_support] (
    _kind: i32, is_supported: *mut i32
) on {} {
    Out::new(is_supported).set(0);
    if is_supported.is_null() { MPI_ERR_ARG } else { 0 }
});
export!([MPIX_Query_cuda_support PMPIX_Query_cuda_support MPIX_Query_hip_support
    PMPIX_Query_hip_support MPIX_Query_ze_support PMPIX_Query_ze_support] () -> i32 {
    0
});
// `MPI_DUP_FN` and its kin.
export!([MPIR_Dup_fn] (
    object: usize, key: i32, state: *mut c_void, value: *mut c_void, copied: *mut c_void,
    flag: *mut i32
) -> i32 {
    edge::attribute::same(object, key, state, value, copied, flag)
});
