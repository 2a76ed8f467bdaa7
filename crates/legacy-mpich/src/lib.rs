//! `libmpi.so.12`: programs of MPICH, and of the libraries with its interface, on the MPI 5.0
//! standard ABI.
//!
//! Handles are integers. Those of predefined objects are MPICH's; any other is the integer that the
//! standard's `MPI_X_toint` has for it, in a range that MPICH has no kind of object for. Only
//! `MPI_File` is an address, which here is the standard's handle.

#[path = "../../edge/exports/c.rs"]
mod by_hand;
#[path = "../../edge/exports/generated/c_rows.rs"]
mod c_rows;
mod extension;
#[path = "../../edge/exports/fortran.rs"]
mod fortran_by_hand;
#[path = "../../edge/exports/generated/fortran_rows.rs"]
mod fortran_rows;
mod interface;
#[path = "../../edge/exports/generated/large_rows.rs"]
mod large_rows;
mod modern;
#[path = "../../edge/exports/generated/modern_rows.rs"]
mod modern_rows;

use std::ffi::c_void;

use interface::{Fortran, Mpich as Interface};

#[used]
#[link_section = ".init_array"]
static ON_LOAD: extern "C" fn() = on_load;

extern "C" fn on_load() {
    edge::table::load(on_load as *const c_void);
}
