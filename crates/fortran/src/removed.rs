//! Routines that MPI 3.0 removed, for programs in Fortran that were never changed since: C has
//! their successors. Their addresses and extents are default integers.

use std::ffi::c_void;

use crate::convert::{elements, finish, read};
use crate::entry::entry;
use crate::generated::c;
use crate::generated::constants::MPI_MAX_OBJECT_NAME;
use crate::generated::types::Datatype;
use crate::handle::{handle, HandleOut, Handles};
use crate::sentinel::buffer_at;
use crate::text::TextOut;

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
/// `MPI_LB` and `MPI_UB`, which `mpif.h` has for these routines: in a structure, the displacement
/// of one is a bound of it. `PMPI_Type_fromint` gives nothing for these numbers, so that other
/// routines refuse them.
const MARKS: [(i32, &str); 2] = [(-201, "MPI_LB"), (-202, "MPI_UB")];

/// Returns the name of a mark, or none for any other number.
fn mark(number: i32) -> Option<&'static str> {
    let mut marks = MARKS.iter();
    marks
        .find(|(mark, _)| *mark == number)
        .map(|(_, name)| *name)
}

/// The lists of `MPI_Type_create_struct` without marks, and the bounds that the marks give.
#[derive(Default)]
struct Parts {
    lengths: Vec<i32>,
    displacements: Vec<i64>,
    types: Vec<i32>,
    lb: Option<i64>,
    ub: Option<i64>,
}

impl Parts {
    fn new(parts: impl Iterator<Item = (i32, i32, i32)>) -> Parts {
        let mut all = Parts::default();
        for (length, displacement, number) in parts {
            let at = i64::from(displacement);
            match mark(number) {
                None => {
                    all.lengths.push(length);
                    all.displacements.push(at);
                    all.types.push(number);
                }
                Some(_) if length <= 0 => {}
                Some("MPI_LB") => all.lb = Some(all.lb.map_or(at, |lb| lb.min(at))),
                Some(_) => all.ub = Some(all.ub.map_or(at, |ub| ub.max(at))),
            }
        }
        all
    }
}

/// Exports the subroutines that make a structure.
macro_rules! structures {
    ($($c:ident $name:ident;)+) => {
        $(#[no_mangle]
        unsafe extern "C" fn $name(
            count: *const i32,
            lengths: *const i32,
            displacements: *const i32,
            types: *const i32,
            newtype: *mut i32,
            ierror: *mut i32,
        ) {
            // SAFETY: the caller gives each argument as the standard declares it: three lists of
            // `count` numbers.
            unsafe {
                let length = elements(i64::from(read(count)));
                let part = |i| (*lengths.add(i), *displacements.add(i), *types.add(i));
                let parts = Parts::new((0..length).map(part));
                // A negative count is refused by C.
                let left = read(count).min(parts.types.len() as i32);
                let mut made = HandleOut::<Datatype>::new(newtype);
                let types = Handles::new(parts.types.as_ptr(), parts.types.len());
                let code = c::$c(
                    left,
                    parts.lengths.as_ptr(),
                    parts.displacements.as_ptr(),
                    types.c(),
                    made.c(),
                );
                finish(ierror, if code == 0 { bounded(made.c(), &parts) } else { code });
            }
        })+
    };
}

/// Gives a structure the bounds of its marks, and returns an error code.
///
/// # Safety
/// `made` is the address of a datatype, which this may free and make anew.
unsafe fn bounded(made: *mut Datatype, parts: &Parts) -> i32 {
    if parts.lb.is_none() && parts.ub.is_none() {
        return 0;
    }
    let (mut lb, mut extent) = (0, 0);
    // SAFETY: the datatype is the caller's, and C writes two numbers here.
    unsafe {
        let mut inner = *made;
        let mut code = c::PMPI_Type_get_extent(inner, &mut lb, &mut extent);
        let low = parts.lb.unwrap_or(lb);
        let high = parts.ub.unwrap_or(lb + extent);
        if code == 0 {
            code = c::PMPI_Type_create_resized(inner, low, high - low, made);
        }
        c::PMPI_Type_free(&mut inner);
        code
    }
}

/// Exports the subroutines that give the name of a datatype, which a mark has too.
macro_rules! names {
    ($($c:ident $name:ident;)+) => {
        $(#[no_mangle]
        unsafe extern "C" fn $name(
            datatype: *const i32,
            type_name: *mut u8,
            resultlen: *mut i32,
            ierror: *mut i32,
            name_length: usize,
        ) {
            // SAFETY: the caller gives each argument as the standard declares it; no mark has a
            // longer name than C may write.
            unsafe {
                let mut text = TextOut::new(type_name, name_length, MPI_MAX_OBJECT_NAME as usize);
                let code = match mark(read(datatype)) {
                    None => c::$c(handle(datatype), text.c(), resultlen),
                    Some(name) => {
                        let bytes = name.as_bytes();
                        text.c().cast::<u8>().copy_from(bytes.as_ptr(), bytes.len());
                        *text.c().add(bytes.len()) = 0;
                        *resultlen = bytes.len() as i32;
                        0
                    }
                };
                finish(ierror, code);
            }
        })+
    };
}

names! {
    MPI_Type_get_name mpi_type_get_name_;
    MPI_Type_get_name mpi_type_get_name_f08_;
    PMPI_Type_get_name pmpi_type_get_name_;
    PMPI_Type_get_name pmpi_type_get_name_f08_;
}

structures! {
    MPI_Type_create_struct mpi_type_struct_;
    PMPI_Type_create_struct pmpi_type_struct_;
}

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
