//! `libmpi.so.12`: programs of MPICH, and of the libraries with its interface, on the MPI 5.0
//! standard ABI.
//!
//! Handles are integers. Those of predefined objects are MPICH's; any other is the integer that the
//! standard's `MPI_X_toint` has for it, in a range that MPICH has no kind of object for. Only
//! `MPI_File` is an address, which here is the standard's handle.

mod interface;

use std::ffi::c_void;

#[used]
#[link_section = ".init_array"]
static ON_LOAD: extern "C" fn() = on_load;

extern "C" fn on_load() {
    legacy::table::load(on_load as *const c_void, legacy::c::NAMES);
}

legacy::entries!(crate::interface::Mpich);
legacy::large_entries!(crate::interface::Mpich);
legacy::by_hand_entries!(crate::interface::Mpich);
legacy::fortran_entries!(crate::interface::Fortran);
legacy::fortran_by_hand!(crate::interface::Fortran);

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
    unsafe { legacy::attribute::same(object, key, state, value, copied, flag) }
}
