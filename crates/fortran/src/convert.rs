//! Numbers, LOGICAL and positions.

use std::ffi::c_void;

use crate::generated::c;
use crate::generated::constants::MPI_UNDEFINED;
use crate::generated::types::{Comm, Datatype};

/// Stores the error code where the caller wants it: `ierror` is optional in `mpi_f08`.
///
/// # Safety
/// `ierror` is null or the address of an INTEGER.
#[inline(always)]
pub unsafe fn finish(ierror: *mut i32, code: i32) {
    if !ierror.is_null() {
        // SAFETY: the caller's INTEGER.
        unsafe { *ierror = code };
    }
}

/// Returns the number at an address.
///
/// # Safety
/// The address is that of a number.
#[inline(always)]
pub unsafe fn read<T: Copy>(at: *const T) -> T {
    // SAFETY: as the caller says.
    unsafe { *at }
}

/// Returns the length of a list, none where a number is negative: C refuses it.
#[inline]
pub fn elements(number: i64) -> usize {
    usize::try_from(number).unwrap_or(0)
}

/// Returns a number that C passes on as an address: the value of an attribute, or a state.
///
/// # Safety
/// The address is that of a number.
#[inline]
pub unsafe fn word(at: *const i64) -> *mut c_void {
    // SAFETY: as the caller says.
    unsafe { *at as usize as *mut c_void }
}

/// LOGICAL's `.true.` as the entry points write it; compilers for which it is -1 test the lowest
/// bit.
pub const TRUE: i32 = 1;

/// Returns C's boolean for a LOGICAL.
///
/// # Safety
/// The address is that of a LOGICAL.
#[inline]
pub unsafe fn truth(at: *const i32) -> i32 {
    // SAFETY: as the caller says.
    i32::from(unsafe { *at } != 0)
}

/// Returns the LOGICAL for C's boolean.
#[inline]
pub fn logical(truth: i32) -> i32 {
    match truth {
        0 => 0,
        _ => TRUE,
    }
}

/// The number that stands where C has not written.
const UNWRITTEN: i32 = i32::MIN;

/// A number that C writes, and that is another in Fortran.
pub struct Converted {
    at: *mut i32,
    written: i32,
    convert: fn(i32) -> i32,
}

impl Converted {
    /// Returns where C writes.
    pub fn c(&mut self) -> *mut i32 {
        &mut self.written
    }
}

impl Drop for Converted {
    fn drop(&mut self) {
        if self.written != UNWRITTEN {
            // SAFETY: whoever made this had the address of an INTEGER from the caller.
            unsafe { *self.at = (self.convert)(self.written) };
        }
    }
}

/// Numbers that C writes, and that are others in Fortran.
pub struct ConvertedList {
    at: *mut i32,
    written: Vec<i32>,
    convert: fn(i32) -> i32,
}

impl ConvertedList {
    fn new(at: *mut i32, length: usize, convert: fn(i32) -> i32) -> ConvertedList {
        ConvertedList {
            at,
            written: vec![UNWRITTEN; length],
            convert,
        }
    }

    /// Returns where C writes.
    pub fn c(&mut self) -> *mut i32 {
        self.written.as_mut_ptr()
    }
}

impl Drop for ConvertedList {
    fn drop(&mut self) {
        for (at, number) in self.written.iter().enumerate() {
            if *number != UNWRITTEN {
                // SAFETY: whoever made this had an array of this length from the caller.
                unsafe { *self.at.add(at) = (self.convert)(*number) };
            }
        }
    }
}

/// A LOGICAL that C writes.
pub struct TruthOut;

impl TruthOut {
    /// `at` is the address of a LOGICAL.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(at: *mut i32) -> Converted {
        Converted {
            at,
            written: UNWRITTEN,
            convert: logical,
        }
    }
}

/// An array of LOGICAL that C writes.
pub struct TruthsOut;

impl TruthsOut {
    /// `at` is the address of this many LOGICAL.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(at: *mut i32, length: usize) -> ConvertedList {
        ConvertedList::new(at, length, logical)
    }
}

/// An array of LOGICAL that C reads.
pub struct Truths(Vec<i32>);

impl Truths {
    /// # Safety
    /// `at` is the address of this many LOGICAL.
    pub unsafe fn new(at: *const i32, length: usize) -> Truths {
        // SAFETY: as the caller says.
        Truths((0..length).map(|i| unsafe { truth(at.add(i)) }).collect())
    }

    /// Returns C's array.
    pub fn c(&self) -> *const i32 {
        self.0.as_ptr()
    }
}

/// Returns the position of Fortran for that of C.
fn from_one(position: i32) -> i32 {
    match position {
        MPI_UNDEFINED => MPI_UNDEFINED,
        _ => position + 1,
    }
}

/// A position in an array, which C counts from 0 and Fortran from 1.
pub struct Position;

impl Position {
    /// `at` is the address of an INTEGER.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(at: *mut i32) -> Converted {
        Converted {
            at,
            written: UNWRITTEN,
            convert: from_one,
        }
    }
}

/// Positions in an array.
pub struct Positions;

impl Positions {
    /// `at` is the address of this many INTEGER.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(at: *mut i32, length: usize) -> ConvertedList {
        ConvertedList::new(at, length, from_one)
    }
}

/// The address of a detached buffer, for interfaces that declare it as memory and not as a `C_PTR`:
/// nothing is written there (MPI 5.0, 3.6).
pub struct Detached(*mut c_void);

impl Detached {
    /// A cell in its place.
    pub fn new() -> Detached {
        Detached(std::ptr::null_mut())
    }

    /// Returns where C writes.
    pub fn c(&mut self) -> *mut c_void {
        (&mut self.0 as *mut *mut c_void).cast()
    }
}

/// Returns the processes whose types a call of `MPI_Alltoallw` gets: the remote group's of an
/// inter-communicator.
pub fn size(comm: Comm) -> usize {
    let (mut inter, mut size) = (0, 0);
    // SAFETY: the places are those of integers.
    unsafe {
        if c::PMPI_Comm_test_inter(comm, &mut inter) == 0 && inter != 0 {
            c::PMPI_Comm_remote_size(comm, &mut size);
        } else {
            c::PMPI_Comm_size(comm, &mut size);
        }
    }
    elements(i64::from(size))
}

/// Returns the dimensions of a Cartesian communicator.
pub fn ndims(comm: Comm) -> usize {
    let mut dimensions = 0;
    // SAFETY: the place is that of an integer.
    unsafe { c::PMPI_Cartdim_get(comm, &mut dimensions) };
    elements(i64::from(dimensions))
}

/// Returns the neighbours that send to this process.
pub fn indegree(comm: Comm) -> usize {
    degrees(comm).0
}

/// Returns the neighbours that receive from this process.
pub fn outdegree(comm: Comm) -> usize {
    degrees(comm).1
}

fn degrees(comm: Comm) -> (usize, usize) {
    use crate::generated::constants::{MPI_CART, MPI_DIST_GRAPH, MPI_GRAPH};
    let (mut kind, mut rank, mut count, mut out, mut weighted) = (0, 0, 0, 0, 0);
    // SAFETY: the places are those of integers.
    unsafe {
        if c::PMPI_Topo_test(comm, &mut kind) != 0 {
            return (0, 0);
        }
        match kind {
            MPI_CART => {
                let dimensions = ndims(comm);
                return (2 * dimensions, 2 * dimensions);
            }
            MPI_GRAPH => {
                c::PMPI_Comm_rank(comm, &mut rank);
                c::PMPI_Graph_neighbors_count(comm, rank, &mut count);
                out = count;
            }
            MPI_DIST_GRAPH => {
                c::PMPI_Dist_graph_neighbors_count(comm, &mut count, &mut out, &mut weighted);
            }
            _ => {}
        }
    }
    (elements(i64::from(count)), elements(i64::from(out)))
}

/// Returns the size of a datatype that has no gaps and begins at its first byte.
pub fn dense_size(datatype: Datatype) -> Option<i64> {
    let (mut size, mut lb, mut extent) = (0, 0, 0);
    // SAFETY: the places are those of numbers.
    let codes = unsafe {
        [
            c::PMPI_Type_size_c(datatype, &mut size),
            c::PMPI_Type_get_extent_c(datatype, &mut lb, &mut extent),
        ]
    };
    (codes == [0, 0] && lb == 0 && size == extent && size > 0).then_some(size)
}
