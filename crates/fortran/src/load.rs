//! Reports Fortran's truth values and the sizes of its types to the C library.
//!
//! It does so when this library is loaded, so that a program in C that loads it later, or a tool,
//! finds the same. A C library that has received them before keeps the first ones (MPI 5.0,
//! 20.4.1).

use std::ffi::c_void;

use edge::fortran::TRUE;
use edge::generated::constants::{MPI_INFO_NULL, MPI_SUCCESS};

use crate::c;
use crate::sentinel::{
    mpifort_f08_status_ignore_, mpifort_f08_statuses_ignore_, mpifort_status_ignore_,
    mpifort_statuses_ignore_,
};

/// Bytes of Fortran's types, as the datatypes of the C library have them.
const SIZES: [(&[u8], &[u8]); 4] = [
    (b"mpi_logical_size\0", b"4\0"),
    (b"mpi_integer_size\0", b"4\0"),
    (b"mpi_real_size\0", b"4\0"),
    (b"mpi_double_precision_size\0", b"8\0"),
];

extern "C" {
    static mut MPI_F_STATUS_IGNORE: *mut c_void;
    static mut MPI_F_STATUSES_IGNORE: *mut c_void;
    static mut MPI_F08_STATUS_IGNORE: *mut c_void;
    static mut MPI_F08_STATUSES_IGNORE: *mut c_void;
}

#[used]
#[link_section = ".init_array"]
static ON_LOAD: extern "C" fn() = on_load;

extern "C" fn on_load() {
    edge::table::fill(c::addresses(), c::extension);
    // SAFETY: these variables of the C library are for this, and no function that reads them has
    // been called yet.
    unsafe {
        MPI_F_STATUS_IGNORE = (&raw mut mpifort_status_ignore_).cast();
        MPI_F_STATUSES_IGNORE = (&raw mut mpifort_statuses_ignore_).cast();
        MPI_F08_STATUS_IGNORE = (&raw mut mpifort_f08_status_ignore_).cast();
        MPI_F08_STATUSES_IGNORE = (&raw mut mpifort_f08_statuses_ignore_).cast();
    }
    let (mut yes, mut no, mut info) = (TRUE, 0i32, MPI_INFO_NULL);
    // SAFETY: the places are those of a LOGICAL and of a handle, the texts end in a zero byte. The
    // loader has initialized the C library, which this one names as needed, before this one.
    unsafe {
        c::PMPI_Abi_set_fortran_booleans(4, (&raw mut yes).cast(), (&raw mut no).cast());
        if c::PMPI_Info_create(&mut info) != MPI_SUCCESS {
            return;
        }
        for (key, size) in SIZES {
            c::PMPI_Info_set(info, key.as_ptr().cast(), size.as_ptr().cast());
        }
        c::PMPI_Abi_set_fortran_info(info);
        c::PMPI_Info_free(&mut info);
    }
}
