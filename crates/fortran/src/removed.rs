//! Routines that MPI 3.0 removed, for programs in Fortran that were never changed since: C has
//! their successors. Their addresses and extents are default integers.

use std::ffi::c_void;

use crate::convert::{elements, finish, read};
use crate::entry::entry;
use crate::generated::c;
use crate::generated::types::Datatype;
use crate::handle::{handle, HandleOut, Handles};
use crate::sentinel::buffer_at;

/// A default integer for what C gives as an address or an extent. Its lower bits are stored, so the
/// difference of two addresses is right.
struct Narrow {
    at: *mut i32,
    written: i64,
}

impl Narrow {
    /// # Safety
    /// `at` is the address of an INTEGER, which is written when this is dropped.
    unsafe fn new(at: *mut i32) -> Narrow {
        // SAFETY: as the caller says.
        let written = i64::from(unsafe { *at });
        Narrow { at, written }
    }

    fn c(&mut self) -> *mut i64 {
        &mut self.written
    }
}

impl Drop for Narrow {
    fn drop(&mut self) {
        // SAFETY: the caller of the entry gave the address of an INTEGER.
        unsafe { *self.at = self.written as i32 };
    }
}

/// Displacements for C.
///
/// # Safety
/// `at` is the address of this many INTEGER.
unsafe fn widened(at: *const i32, length: i32) -> Vec<i64> {
    let length = elements(i64::from(length));
    // SAFETY: as the caller says.
    (0..length)
        .map(|i| i64::from(unsafe { *at.add(i) }))
        .collect()
}

entry!([MPI_Get_address(mpi_address_) PMPI_Get_address(pmpi_address_)]
    (location: *mut c_void, address: *mut i32, ierror: *mut i32) ierror
    [(buffer_at(location), Narrow::new(address).c())]);
entry!([MPI_Type_get_extent(mpi_type_extent_) PMPI_Type_get_extent(pmpi_type_extent_)]
    (datatype: *const i32, extent: *mut i32, ierror: *mut i32) ierror
    [(handle(datatype), &mut 0, Narrow::new(extent).c())]);
entry!([MPI_Type_get_extent(mpi_type_lb_) PMPI_Type_get_extent(pmpi_type_lb_)]
    (datatype: *const i32, lb: *mut i32, ierror: *mut i32) ierror
    [(handle(datatype), Narrow::new(lb).c(), &mut 0)]);
entry!([MPI_Type_create_hvector(mpi_type_hvector_) PMPI_Type_create_hvector(pmpi_type_hvector_)]
(count: *const i32, blocklength: *const i32, stride: *const i32, oldtype: *const i32,
    newtype: *mut i32, ierror: *mut i32) ierror
[(
    read(count),
    read(blocklength),
    i64::from(read(stride)),
    handle(oldtype),
    HandleOut::new(newtype).c()
)]);
entry!([MPI_Type_create_hindexed(mpi_type_hindexed_)
PMPI_Type_create_hindexed(pmpi_type_hindexed_)]
(count: *const i32, lengths: *const i32, displacements: *const i32, oldtype: *const i32,
    newtype: *mut i32, ierror: *mut i32) ierror
[(
    read(count),
    lengths,
    widened(displacements, read(count)).as_ptr(),
    handle(oldtype),
    HandleOut::new(newtype).c()
)]);
entry!([MPI_Type_create_struct(mpi_type_struct_) PMPI_Type_create_struct(pmpi_type_struct_)]
(count: *const i32, lengths: *const i32, displacements: *const i32, types: *const i32,
    newtype: *mut i32, ierror: *mut i32) ierror
[(
    read(count),
    lengths,
    widened(displacements, read(count)).as_ptr(),
    Handles::new(types, elements(i64::from(read(count)))).c(),
    HandleOut::new(newtype).c()
)]);
entry!([MPI_Comm_get_errhandler(mpi_errhandler_get_)
    PMPI_Comm_get_errhandler(pmpi_errhandler_get_)]
    (comm: *const i32, errhandler: *mut i32, ierror: *mut i32) ierror
    [(handle(comm), HandleOut::new(errhandler).c())]);
entry!([MPI_Comm_set_errhandler(mpi_errhandler_set_)
    PMPI_Comm_set_errhandler(pmpi_errhandler_set_)]
    (comm: *const i32, errhandler: *const i32, ierror: *mut i32) ierror
    [(handle(comm), handle(errhandler))]);

/// Exports the subroutines that give the upper bound.
macro_rules! upper_bounds {
    ($($c:ident $name:ident;)+) => {
        $(#[no_mangle]
        unsafe extern "C" fn $name(datatype: *const i32, ub: *mut i32, ierror: *mut i32) {
            let (mut lb, mut extent) = (0, 0);
            // SAFETY: the caller gives each argument as the standard declares it.
            unsafe {
                let code = c::$c(handle::<Datatype>(datatype), &mut lb, &mut extent);
                *ub = (lb + extent) as i32;
                finish(ierror, code);
            }
        })+
    };
}

upper_bounds! {
    MPI_Type_get_extent mpi_type_ub_;
    PMPI_Type_get_extent pmpi_type_ub_;
}
