//! `libmpi.so.12`: programs of MPICH, and of the libraries with its interface, on the MPI 5.0
//! standard ABI.
//!
//! Handles are integers. Those of predefined objects are MPICH's; any other is the integer that the
//! standard's `MPI_X_toint` has for it, in a range that MPICH has no kind of object for. Only
//! `MPI_File` is an address, which here is the standard's handle.

mod interface;
#[allow(non_snake_case)]
mod modern;

use std::ffi::c_void;

use edge::callback::ERR_ARG;
use edge::value::{error_in, finish};
use edge::{c, failure};
use interface::Mpich as A;

#[used]
#[link_section = ".init_array"]
static ON_LOAD: extern "C" fn() = on_load;

extern "C" fn on_load() {
    edge::table::load(on_load as *const c_void, edge::c::NAMES);
}

edge::entries!(crate::interface::Mpich);
edge::large_entries!(crate::interface::Mpich);
edge::by_hand_entries!(crate::interface::Mpich);
edge::fortran_entries!(crate::interface::Fortran);
edge::fortran_by_hand!(crate::interface::Fortran);

/// Exports MPICH's extensions of MPI, as far as its header declares them and this project has what
/// they do.
macro_rules! extensions {
    ($($name:ident $profiled:ident($($param:ident: $ty:ty),*) $body:block)*) => {
        edge::export! { $($name $profiled($($param: $ty),*) -> i32 $body)* }
    };
}

extensions! {
    MPIX_Delete_error_class PMPIX_Delete_error_class(of: i32) {
        finish::<A>(c::remove_error_class(error_in::<A>(of)))
    }
    MPIX_Delete_error_code PMPIX_Delete_error_code(of: i32) {
        finish::<A>(c::remove_error_code(error_in::<A>(of)))
    }
    MPIX_Delete_error_string PMPIX_Delete_error_string(of: i32) {
        finish::<A>(c::remove_error_string(error_in::<A>(of)))
    }
    MPIX_Comm_revoke PMPIX_Comm_revoke(comm: i32) { failure::revoke::<A>(comm) }
    MPIX_Comm_failure_ack PMPIX_Comm_failure_ack(comm: i32) { failure::ack::<A>(comm) }
    MPIX_Comm_failure_get_acked PMPIX_Comm_failure_get_acked(comm: i32, group: *mut i32) {
        failure::get_acked::<A>(comm, group)
    }
    MPIX_Comm_agree PMPIX_Comm_agree(comm: i32, flag: *mut i32) {
        failure::agree::<A>(comm, flag)
    }
    MPIX_Comm_shrink PMPIX_Comm_shrink(comm: i32, made: *mut i32) {
        failure::shrink::<A>(comm, made)
    }
    MPIX_GPU_query_support PMPIX_GPU_query_support(_kind: i32, is_supported: *mut i32) {
        if is_supported.is_null() {
            return finish::<A>(ERR_ARG);
        }
        *is_supported = 0;
        0
    }
    MPIX_Query_cuda_support PMPIX_Query_cuda_support() { 0 }
    MPIX_Query_hip_support PMPIX_Query_hip_support() { 0 }
    MPIX_Query_ze_support PMPIX_Query_ze_support() { 0 }
}

/// `MPI_DUP_FN` and its kin.
///
/// # Safety
/// MPI, or a function of the user, calls it with places.
#[no_mangle]
unsafe extern "C" fn MPIR_Dup_fn(
    object: usize,
    key: i32,
    state: *mut c_void,
    value: *mut c_void,
    copied: *mut c_void,
    flag: *mut i32,
) -> i32 {
    // SAFETY: as the caller says.
    unsafe { edge::attribute::same(object, key, state, value, copied, flag) }
}
