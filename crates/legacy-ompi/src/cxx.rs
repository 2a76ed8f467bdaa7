//! Symbols of Open MPI's removed C++ interface that programs need only since its header makes
//! virtual tables of its classes: programs that include `mpi.h` from C++ and never name `MPI::`.

use std::ffi::c_void;

use edge::generated::constants::MPI_COMM_NULL;
use edge::interface::{Abi, Kind};
use edge::types::{Datatype, Win};
use edge::{c, value};

use crate::interface::OpenMpi;

/// An object of one of the interface's classes.
#[repr(C)]
pub struct Object {
    table: *const c_void,
    handle: *mut c_void,
}

/// `MPI::Comm::Comm()`.
///
/// # Safety
/// A constructor calls it with its object.
#[no_mangle]
#[allow(non_snake_case)]
unsafe extern "C" fn _ZN3MPI4CommC2Ev(object: *mut Object) {
    // SAFETY: as the caller says; the constructor of the class sets the table.
    unsafe { (*object).handle = OpenMpi::encode(MPI_COMM_NULL) };
}

/// Frees the object of a handle.
unsafe fn free<K: Kind>(object: *mut Object, call: unsafe extern "C" fn(*mut K) -> i32) {
    // SAFETY: the caller's object lives, and holds a handle.
    unsafe {
        let mut handle: K = OpenMpi::decode((*object).handle);
        value::finish::<OpenMpi>(call(&mut handle));
        (*object).handle = OpenMpi::encode(handle);
    }
}

/// `MPI::Datatype::Free()`.
///
/// # Safety
/// A program calls it with its object.
#[no_mangle]
#[allow(non_snake_case)]
unsafe extern "C" fn _ZN3MPI8Datatype4FreeEv(object: *mut Object) {
    // SAFETY: as the caller says.
    unsafe { free::<Datatype>(object, c::type_free) };
}

/// `MPI::Win::Free()`.
///
/// # Safety
/// A program calls it with its object.
#[no_mangle]
#[allow(non_snake_case)]
unsafe extern "C" fn _ZN3MPI3Win4FreeEv(object: *mut Object) {
    // SAFETY: as the caller says.
    unsafe { free::<Win>(object, c::win_free) };
}

/// Ends the process: operations of the C++ interface are not here.
fn refuse() -> ! {
    eprintln!(
        "oxmpi: MPI::Op::Init: the C++ interface of MPI, removed in MPI 3.0, is not supported; \
         make the operation by MPI_Op_create"
    );
    std::process::exit(1);
}

#[no_mangle]
extern "C" fn ompi_op_set_cxx_callback(_op: *mut c_void, _function: *mut c_void) {
    refuse();
}

#[no_mangle]
extern "C" fn ompi_mpi_cxx_op_intercept() {
    refuse();
}
