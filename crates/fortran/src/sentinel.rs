//! Constants of Fortran that are known by their address.
//!
//! Fortran passes everything by address, so `MPI_BOTTOM` cannot be a number: it is a variable in a
//! COMMON block, and the entry points compare addresses. Programs refer to these cells, and a
//! program that is not position-independent holds them itself; so each is exported, and as large
//! and as aligned as linkers want it.

use std::ffi::c_void;

use edge::generated::constants as value;
use edge::types::Status;

/// A cell whose address matters, and whose content nobody reads.
#[repr(C, align(32))]
pub struct Cell<const INTEGERS: usize>([i32; INTEGERS]);

macro_rules! cells {
    ($($(#[$about:meta])* $name:ident: $integers:literal;)*) => {
        $($(#[$about])*
        #[no_mangle]
        #[allow(non_upper_case_globals)]
        pub static mut $name: Cell<$integers> = Cell([0; $integers]);)*
    };
}

cells! {
    /// `MPI_BOTTOM`.
    mpifort_bottom_: 1;
    /// `MPI_IN_PLACE`.
    mpifort_in_place_: 1;
    /// `MPI_BUFFER_AUTOMATIC`.
    mpifort_buffer_automatic_: 1;
    /// `MPI_ARGV_NULL`.
    mpifort_argv_null_: 1;
    /// `MPI_ARGVS_NULL`.
    mpifort_argvs_null_: 1;
    /// `MPI_ERRCODES_IGNORE`.
    mpifort_errcodes_ignore_: 1;
    /// `MPI_UNWEIGHTED`.
    mpifort_unweighted_: 1;
    /// `MPI_WEIGHTS_EMPTY`.
    mpifort_weights_empty_: 1;
    /// `MPI_STATUS_IGNORE` of `mpif.h` and `mpi`.
    mpifort_status_ignore_: 8;
    /// `MPI_STATUSES_IGNORE` of `mpif.h` and `mpi`.
    mpifort_statuses_ignore_: 8;
    /// `MPI_STATUS_IGNORE` of `mpi_f08`.
    mpifort_f08_status_ignore_: 8;
    /// `MPI_STATUSES_IGNORE` of `mpi_f08`.
    mpifort_f08_statuses_ignore_: 8;
}

macro_rules! is {
    ($at:expr, $cell:ident) => {
        $at as usize == &raw const $cell as usize
    };
}

/// Returns C's address of a choice buffer.
#[inline(always)]
pub fn buffer_at(at: *mut c_void) -> *mut c_void {
    let constant = if is!(at, mpifort_bottom_) {
        value::MPI_BOTTOM
    } else if is!(at, mpifort_in_place_) {
        value::MPI_IN_PLACE
    } else if is!(at, mpifort_buffer_automatic_) {
        value::MPI_BUFFER_AUTOMATIC
    } else {
        return at;
    };
    constant as *mut c_void
}

/// Returns C's address of a status.
#[inline]
pub fn status_out(at: *mut Status) -> *mut Status {
    match is!(at, mpifort_status_ignore_) || is!(at, mpifort_f08_status_ignore_) {
        true => value::MPI_STATUS_IGNORE as *mut Status,
        false => at,
    }
}

/// Returns C's address of an array of statuses.
#[inline]
pub fn statuses_out(at: *mut Status) -> *mut Status {
    match is!(at, mpifort_statuses_ignore_) || is!(at, mpifort_f08_statuses_ignore_) {
        true => value::MPI_STATUSES_IGNORE as *mut Status,
        false => at,
    }
}

/// Returns C's address of weights.
pub fn weights_at(at: *mut i32) -> *mut i32 {
    if is!(at, mpifort_unweighted_) {
        value::MPI_UNWEIGHTED as *mut i32
    } else if is!(at, mpifort_weights_empty_) {
        value::MPI_WEIGHTS_EMPTY as *mut i32
    } else {
        at
    }
}

/// Whether this is `MPI_ARGV_NULL`, `MPI_ARGVS_NULL` or `MPI_ERRCODES_IGNORE`.
pub fn is_absent(at: *const c_void) -> bool {
    is!(at, mpifort_argv_null_) || is!(at, mpifort_argvs_null_) || is!(at, mpifort_errcodes_ignore_)
}
