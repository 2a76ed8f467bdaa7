//! Fortran: arguments by address, LOGICAL, positions that count from 1.
//!
//! Procedures that MPI calls, attributes and programs that are spawned are here once for all
//! interfaces. A function gets the one of C that it calls, for `MPI_X` and `PMPI_X` are called by
//! names of their own, so that a tool sees what Fortran calls.

pub mod attribute;
pub mod callback;
pub mod datarep;
pub mod spawn;

use std::ffi::c_void;

use crate::argument::{Form, List, Out, ValueInOut, ValueOut, ValuesIn, ValuesOut};

/// Returns the number at an address, which in Fortran need be a multiple of nothing.
///
/// # Safety
/// The address is that of a number.
#[inline(always)]
pub unsafe fn read<T: Copy>(at: *const T) -> T {
    // SAFETY: the caller promises a number there.
    unsafe { at.read_unaligned() }
}

/// Returns C's boolean for a LOGICAL.
///
/// # Safety
/// The address is that of a LOGICAL.
#[inline(always)]
pub unsafe fn truth(at: *const i32) -> i32 {
    // SAFETY: the caller promises a number there.
    Logical.standard(unsafe { read(at) })
}

/// LOGICAL's `.true.` as MPI writes it; compilers for which it is -1 test the lowest bit.
pub const TRUE: i32 = 1;

/// The form of a LOGICAL.
#[derive(Clone, Copy, Default)]
pub struct Logical;

impl Form for Logical {
    type Standard = i32;
    type Native = i32;
    const UNWRITTEN: i32 = i32::MIN;

    fn standard(self, native: i32) -> i32 {
        i32::from(native != 0)
    }

    fn native(self, standard: i32) -> i32 {
        i32::from(standard != 0) * TRUE
    }
}

/// A LOGICAL that MPI gives.
pub type TruthOut = ValueOut<Logical>;
/// An array of LOGICAL that MPI reads.
pub type Truths = ValuesIn<Logical>;
/// An array of LOGICAL that MPI gives.
pub type TruthsOut = ValuesOut<Logical>;

/// The form of a position in an array, which C counts from 0 and Fortran from 1. Numbers that are
/// no position are constants, which are the same in both.
#[derive(Clone, Copy, Default)]
pub struct FromOne;

impl Form for FromOne {
    type Standard = i32;
    type Native = i32;
    const UNWRITTEN: i32 = i32::MIN;

    fn standard(self, native: i32) -> i32 {
        if native > 0 {
            native - 1
        } else {
            native
        }
    }

    fn native(self, standard: i32) -> i32 {
        if standard < 0 {
            standard
        } else {
            standard + 1
        }
    }
}

/// A position that MPI gives.
pub type Position = ValueOut<FromOne>;
/// Positions that MPI gives.
pub type Positions = ValuesOut<FromOne>;

/// The form of an address, an extent or a displacement in the routines of MPI-1: a default integer.
/// Its lower bits are stored, so the difference of two addresses is right.
#[derive(Clone, Copy, Default)]
pub struct Narrow;

impl Form for Narrow {
    type Standard = i64;
    type Native = i32;
    const UNWRITTEN: i64 = i64::MIN;

    fn standard(self, native: i32) -> i64 {
        i64::from(native)
    }

    fn native(self, standard: i64) -> i32 {
        standard as i32
    }
}

/// An address that MPI gives to a default integer.
pub type NarrowOut = ValueOut<Narrow>;
/// Displacements that MPI reads from default integers.
pub type Widened = ValuesIn<Narrow>;

/// The form of the length of a text, which C counts with its zero byte and Fortran without.
#[derive(Clone, Copy, Default)]
pub struct WithZero;

impl Form for WithZero {
    type Standard = i32;
    type Native = i32;
    const UNWRITTEN: i32 = i32::MIN;

    fn standard(self, native: i32) -> i32 {
        if native == 0 {
            0
        } else {
            native.saturating_add(1)
        }
    }

    fn native(self, standard: i32) -> i32 {
        (standard - 1).max(0)
    }
}

/// The length of a text, which MPI reads and replaces.
pub type TextLength = ValueInOut<WithZero>;

/// The address of a detached buffer, for interfaces that declare it as memory and not as a `C_PTR`:
/// nothing is written there (MPI 5.0, 3.6).
pub struct Detached(*mut c_void);

impl Detached {
    /// A cell in its place.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Detached {
        Detached(std::ptr::null_mut())
    }

    /// Returns where MPI writes.
    pub fn c(&mut self) -> *mut c_void {
        (&mut self.0 as *mut *mut c_void).cast()
    }
}

/// An array of CHARACTER as a compiler passes it: the first one's address, and the length of each.
#[derive(Clone, Copy)]
pub struct Characters {
    /// The address of the first.
    pub at: *const u8,
    /// Bytes of each.
    pub length: usize,
}

/// Copies an attribute as it is: the interfaces' `MPI_DUP_FN` and its like.
///
/// # Safety
/// The addresses are those of two values, a LOGICAL, and an INTEGER or null.
pub unsafe fn duplicate<T: Copy>(
    value: *const T,
    copied: *mut T,
    flag: *mut i32,
    ierror: *mut i32,
) {
    // SAFETY: the caller promises what each requires.
    unsafe {
        Out::new(copied).set(read(value));
        Out::new(flag).set(TRUE);
        Out::new(ierror).set(0);
    }
}

/// Copies no attribute: the interfaces' `MPI_NULL_COPY_FN` and its like.
///
/// # Safety
/// The addresses are those of a LOGICAL, and an INTEGER or null.
pub unsafe fn copy_nothing(flag: *mut i32, ierror: *mut i32) {
    // SAFETY: the caller promises what each requires.
    unsafe {
        Out::new(flag).set(0);
        Out::new(ierror).set(0);
    }
}

/// Stores the upper bound of a datatype, for the routine of MPI-1, which C does not have.
///
/// # Safety
/// `bound` is the address of an INTEGER.
pub unsafe fn upper_bound(bound: *mut i32, extent: impl FnOnce(&mut i64, &mut i64) -> i32) -> i32 {
    let (mut lb, mut wide) = (0, 0);
    let code = extent(&mut lb, &mut wide);
    // SAFETY: the caller promises what it requires.
    unsafe { Out::new(bound) }.set(lb.wrapping_add(wide) as i32);
    code
}

/// Returns the elements of a list that several arrays have in common.
///
/// # Safety
/// The arrays have this many elements.
pub unsafe fn triples(
    arrays: [*const i32; 3],
    length: usize,
) -> impl Iterator<Item = (i32, i32, i32)> {
    // SAFETY: the caller promises what it requires.
    let [a, b, c] = arrays.map(|array| unsafe { List::new(array, length) });
    a.iter()
        .zip(b.iter())
        .zip(c.iter())
        .map(|((a, b), c)| (a, b, c))
}
