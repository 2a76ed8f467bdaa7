//! Fortran: arguments by address, LOGICAL, positions that count from 1, CHARACTER.

use std::ffi::{c_char, c_void};

use crate::interface::Abi;
use crate::value::finish;

/// The number that stands where MPI has not written.
const UNWRITTEN: i32 = i32::MIN;

/// Stores the error code where the caller wants it.
///
/// # Safety
/// `ierror` is null or the address of an INTEGER.
#[inline(always)]
pub unsafe fn finish_at<A: Abi>(ierror: *mut i32, code: i32) {
    if !ierror.is_null() {
        // SAFETY: as the caller says.
        unsafe { *ierror = finish::<A>(code) };
    }
}

/// Returns the number at an address, which in Fortran need be a multiple of nothing.
///
/// # Safety
/// The address is that of a number.
#[inline(always)]
pub unsafe fn read<T: Copy>(at: *const T) -> T {
    // SAFETY: as the caller says.
    unsafe { at.read_unaligned() }
}

/// Returns C's boolean for a LOGICAL.
///
/// # Safety
/// The address is that of a LOGICAL.
#[inline]
pub unsafe fn truth(at: *const i32) -> i32 {
    // SAFETY: as the caller says.
    i32::from(unsafe { *at } != 0)
}

/// Positions in an array, which C counts from 0 and Fortran from 1.
pub struct Positions {
    at: *mut i32,
    length: usize,
}

impl Positions {
    /// # Safety
    /// `at` is the address of this many INTEGER, which are converted when this is dropped.
    pub unsafe fn new(at: *mut i32, length: usize) -> Positions {
        for i in 0..length {
            // SAFETY: as the caller says.
            unsafe { *at.add(i) = UNWRITTEN };
        }
        Positions { at, length }
    }

    /// Returns where MPI writes.
    pub fn c(&self) -> *mut i32 {
        self.at
    }
}

impl Drop for Positions {
    fn drop(&mut self) {
        for i in 0..self.length {
            // SAFETY: whoever made this vouched for the array.
            unsafe {
                let position = self.at.add(i);
                if *position >= 0 {
                    *position += 1;
                }
            }
        }
    }
}

/// The address of a detached buffer, for interfaces that declare it as memory: nothing is written
/// there (MPI 5.0, 3.6).
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

/// A CHARACTER that MPI reads.
pub struct Text(Vec<u8>);

impl Text {
    /// The text without the blanks at its end, and where asked without those at its beginning.
    ///
    /// # Safety
    /// `at` is the address of this many bytes.
    pub unsafe fn new(at: *const u8, length: usize, is_stripped: bool) -> Text {
        let bytes = match at.is_null() || length == 0 {
            true => &[][..],
            // SAFETY: as the caller says.
            false => unsafe { std::slice::from_raw_parts(at, length) },
        };
        let bytes = match is_stripped {
            true => bytes.trim_ascii(),
            false => bytes.trim_ascii_end(),
        };
        Text([bytes, &[0]].concat())
    }

    /// Returns C's string.
    pub fn c(&self) -> *const c_char {
        self.0.as_ptr().cast()
    }
}

/// A CHARACTER that MPI writes.
pub struct FortranTextOut {
    at: *mut u8,
    length: usize,
    written: Vec<u8>,
}

/// The bytes that no text of MPI begins with, where it has not written.
const NO_TEXT: [u8; 2] = [0xFF, 0xFE];

impl FortranTextOut {
    /// `at` is the address of `length` bytes, which are written when this is dropped; MPI writes up
    /// to `room` bytes.
    pub fn new(at: *mut u8, length: usize, room: usize) -> FortranTextOut {
        let mut written = vec![0; room.max(NO_TEXT.len()) + 1];
        written[..NO_TEXT.len()].copy_from_slice(&NO_TEXT);
        FortranTextOut {
            at,
            length,
            written,
        }
    }

    /// Returns where MPI writes.
    pub fn c(&mut self) -> *mut c_char {
        self.written.as_mut_ptr().cast()
    }
}

impl Drop for FortranTextOut {
    fn drop(&mut self) {
        if self.written.starts_with(&NO_TEXT) {
            return;
        }
        let written = self.written.iter().take_while(|byte| **byte != 0);
        // SAFETY: the caller of the entry gave a CHARACTER of this length.
        unsafe { fill(self.at, self.length, written.copied()) };
    }
}

/// Fills a CHARACTER with a text, and with blanks behind it.
///
/// # Safety
/// `at` is the address of this many bytes.
pub unsafe fn fill(at: *mut u8, length: usize, text: impl Iterator<Item = u8>) {
    let padded = text.chain(std::iter::repeat(b' '));
    for (i, byte) in padded.take(length).enumerate() {
        // SAFETY: as the caller says.
        unsafe { *at.add(i) = byte };
    }
}

/// Exports the subroutines of Fortran that are no row.
#[macro_export]
macro_rules! fortran_by_hand {
    ($abi:ty) => {
        const _: () = {
            use ::std::ffi::c_void;
            use $crate::c;
            use $crate::callback::{create_errhandler, op_create};
            use $crate::convert::*;
            use $crate::fortran_attribute::*;
            use $crate::types::*;
            type A = $abi;
            type P = *mut c_void;
            type N = *const i32;
            type R = *mut i32;
            $crate::export! {
                mpi_wtime_ pmpi_wtime_() -> f64 { c::wtime() }
                mpi_wtick_ pmpi_wtick_() -> f64 { c::wtick() }
                mpi_aint_add_ pmpi_aint_add_(a: *const i64, b: *const i64) -> i64 {
                    c::aint_add(*a, *b)
                }
                mpi_aint_diff_ pmpi_aint_diff_(a: *const i64, b: *const i64) -> i64 {
                    c::aint_diff(*a, *b)
                }
                mpi_pcontrol_ pmpi_pcontrol_(level: N) -> () { c::pcontrol(*level); }
                mpi_get_version_ pmpi_get_version_(version: R, subversion: R, ierror: R) -> () {
                    *ierror = $crate::by_hand::get_version::<A>(version, subversion);
                }
                mpi_get_library_version_ pmpi_get_library_version_(
                    version: *mut u8, resultlen: R, ierror: R, length: usize
                ) -> () {
                    let text = <A as $crate::Abi>::LIBRARY.as_bytes();
                    fill(version, length, text.iter().copied());
                    *resultlen = text.len().min(length) as i32;
                    finish_at::<A>(ierror, 0);
                }
                mpi_get_address_ pmpi_get_address_(
                    location: P, address: *mut i64, ierror: R
                ) -> () {
                    finish_at::<A>(ierror, c::get_address(buffer_in::<A, _>(location), address));
                }
                mpi_op_create_ pmpi_op_create_(user: P, commute: N, op: R, ierror: R) -> () {
                    *ierror = op_create::<A>(user, truth(commute), op, false);
                }
                mpi_comm_create_errhandler_ pmpi_comm_create_errhandler_(
                    user: P, made: R, ierror: R
                ) -> () { *ierror = create_errhandler::<A, Comm>(user, made); }
                mpi_errhandler_create_ pmpi_errhandler_create_(
                    user: P, made: R, ierror: R
                ) -> () { *ierror = create_errhandler::<A, Comm>(user, made); }
                mpi_win_create_errhandler_ pmpi_win_create_errhandler_(
                    user: P, made: R, ierror: R
                ) -> () { *ierror = create_errhandler::<A, Win>(user, made); }
                mpi_file_create_errhandler_ pmpi_file_create_errhandler_(
                    user: P, made: R, ierror: R
                ) -> () { *ierror = create_errhandler::<A, File>(user, made); }
                mpi_comm_get_attr_ pmpi_comm_get_attr_(
                    of: N, key: N, value: *mut i64, flag: R, ierror: R
                ) -> () {
                    *ierror = get::<A, Comm>(handle_in::<A, Comm>(*of), *key, value, flag);
                }
                mpi_type_get_attr_ pmpi_type_get_attr_(
                    of: N, key: N, value: *mut i64, flag: R, ierror: R
                ) -> () {
                    *ierror = get::<A, Datatype>(handle_in::<A, Datatype>(*of), *key, value, flag);
                }
                mpi_win_get_attr_ pmpi_win_get_attr_(
                    of: N, key: N, value: *mut i64, flag: R, ierror: R
                ) -> () {
                    *ierror = get::<A, Win>(handle_in::<A, Win>(*of), *key, value, flag);
                }
                mpi_attr_get_ pmpi_attr_get_(of: N, key: N, value: R, flag: R, ierror: R) -> () {
                    let mut wide = 0;
                    *ierror = get::<A, Comm>(handle_in::<A, Comm>(*of), *key, &mut wide, flag);
                    if *ierror == 0 && *flag != 0 { *value = wide as i32; }
                }
                mpi_comm_set_attr_ pmpi_comm_set_attr_(
                    of: N, key: N, value: *const i64, ierror: R
                ) -> () { *ierror = set::<A, Comm>(handle_in::<A, Comm>(*of), *key, *value); }
                mpi_type_set_attr_ pmpi_type_set_attr_(
                    of: N, key: N, value: *const i64, ierror: R
                ) -> () {
                    *ierror = set::<A, Datatype>(handle_in::<A, Datatype>(*of), *key, *value);
                }
                mpi_win_set_attr_ pmpi_win_set_attr_(
                    of: N, key: N, value: *const i64, ierror: R
                ) -> () { *ierror = set::<A, Win>(handle_in::<A, Win>(*of), *key, *value); }
                mpi_attr_put_ pmpi_attr_put_(of: N, key: N, value: N, ierror: R) -> () {
                    let value = i64::from(*value);
                    *ierror = set::<A, Comm>(handle_in::<A, Comm>(*of), *key, value);
                }
                mpi_comm_create_keyval_ pmpi_comm_create_keyval_(
                    copy: P, delete: P, key: R, state: *const i64, ierror: R
                ) -> () { *ierror = create::<A, Comm, i64>(copy, delete, key, *state); }
                mpi_type_create_keyval_ pmpi_type_create_keyval_(
                    copy: P, delete: P, key: R, state: *const i64, ierror: R
                ) -> () { *ierror = create::<A, Datatype, i64>(copy, delete, key, *state); }
                mpi_win_create_keyval_ pmpi_win_create_keyval_(
                    copy: P, delete: P, key: R, state: *const i64, ierror: R
                ) -> () { *ierror = create::<A, Win, i64>(copy, delete, key, *state); }
                mpi_keyval_create_ pmpi_keyval_create_(
                    copy: P, delete: P, key: R, state: N, ierror: R
                ) -> () { *ierror = create::<A, Comm, i32>(copy, delete, key, *state); }
                mpi_address_ pmpi_address_(location: P, address: R, ierror: R) -> () {
                    let mut wide = 0i64;
                    finish_at::<A>(ierror, c::get_address(buffer_in::<A, _>(location), &mut wide));
                    *address = wide as i32;
                }
                mpi_type_extent_ pmpi_type_extent_(of: N, extent: R, ierror: R) -> () {
                    let (mut lb, mut wide) = (0i64, 0i64);
                    let of = handle_in::<A, Datatype>(*of);
                    finish_at::<A>(ierror, c::type_get_extent(of, &mut lb, &mut wide));
                    *extent = wide as i32;
                }
                mpi_type_lb_ pmpi_type_lb_(of: N, bound: R, ierror: R) -> () {
                    let (mut lb, mut wide) = (0i64, 0i64);
                    let of = handle_in::<A, Datatype>(*of);
                    finish_at::<A>(ierror, c::type_get_extent(of, &mut lb, &mut wide));
                    *bound = lb as i32;
                }
                mpi_type_ub_ pmpi_type_ub_(of: N, bound: R, ierror: R) -> () {
                    let (mut lb, mut wide) = (0i64, 0i64);
                    let of = handle_in::<A, Datatype>(*of);
                    finish_at::<A>(ierror, c::type_get_extent(of, &mut lb, &mut wide));
                    *bound = (lb + wide) as i32;
                }
                mpi_type_hvector_ pmpi_type_hvector_(
                    count: N, length: N, stride: N, of: N, made: R, ierror: R
                ) -> () {
                    let of = handle_in::<A, Datatype>(*of);
                    let mut made = HandleOut::<A, Datatype>::new(made);
                    let stride = i64::from(*stride);
                    let code = c::type_create_hvector(*count, *length, stride, of, made.c());
                    finish_at::<A>(ierror, code);
                }
                mpi_type_hindexed_ pmpi_type_hindexed_(
                    count: N, lengths: N, displs: N, of: N, made: R, ierror: R
                ) -> () {
                    let of = handle_in::<A, Datatype>(*of);
                    let wide = widened(displs, len(*count));
                    let mut made = HandleOut::<A, Datatype>::new(made);
                    let code =
                        c::type_create_hindexed(*count, lengths, wide.as_ptr(), of, made.c());
                    finish_at::<A>(ierror, code);
                }
                mpi_type_struct_ pmpi_type_struct_(
                    count: N, lengths: N, displs: N, types: N, made: R, ierror: R
                ) -> () {
                    let wide = widened(displs, len(*count));
                    let types = Handles::<A, Datatype>::new(types, len(*count));
                    let mut made = HandleOut::<A, Datatype>::new(made);
                    let code = c::type_create_struct(
                        *count, lengths, wide.as_ptr(), types.c(), made.c());
                    finish_at::<A>(ierror, code);
                }
                mpi_errhandler_get_ pmpi_errhandler_get_(comm: N, found: R, ierror: R) -> () {
                    let mut found = HandleOut::<A, Errhandler>::new(found);
                    let comm = handle_in::<A, Comm>(*comm);
                    finish_at::<A>(ierror, c::comm_get_errhandler(comm, found.c()));
                }
                mpi_errhandler_set_ pmpi_errhandler_set_(comm: N, handler: N, ierror: R) -> () {
                    let handler = handle_in::<A, Errhandler>(*handler);
                    let comm = handle_in::<A, Comm>(*comm);
                    finish_at::<A>(ierror, c::comm_set_errhandler(comm, handler));
                }
                mpi_f_sync_reg_ pmpi_f_sync_reg_(_buffer: P) -> () {}
            }
        };
    };
}

/// Returns displacements as C has them.
///
/// # Safety
/// `at` is the address of this many INTEGER.
pub unsafe fn widened(at: *const i32, length: usize) -> Vec<i64> {
    // SAFETY: as the caller says.
    (0..length)
        .map(|i| i64::from(unsafe { *at.add(i) }))
        .collect()
}
